"""What the tenth chapter claims: counts on a decision list, and figures that local windows cannot tell."""

import re
from itertools import product

import numpy as np
import pytest

import littlestone as ls
from places import DOCS

PAGE = (DOCS / "course" / "10-in-passing.md").read_text()


def names_of_the_page(upto):
    """What the blocks of the page define, up to the one that has this text."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "page", "exec"), names)
        if upto in block:
            return names
    raise AssertionError(upto)


def odd_max_bit(n):
    rows = np.array(list(product((0, 1), repeat=n)))
    labels = [bool(any(row)) and max(k for k, bit in enumerate(row, 1) if bit) % 2 == 1 for row in rows.tolist()]
    return rows, labels


def count_plainly(rows, labels):
    """Updates of a Perceptron in plain Python until a pass has none."""
    weights, total, clean = [0] * (len(rows[0]) + 1), 0, False
    while not clean:
        clean = True
        for row, label in zip(rows.tolist(), labels, strict=True):
            z = [(1 if label else -1) * value for value in (*row, 1)]
            if sum(w * value for w, value in zip(weights, z, strict=True)) <= 0:
                weights = [w + value for w, value in zip(weights, z, strict=True)]
                total, clean = total + 1, False
    return total


def test_the_perceptron_is_slow_on_a_decision_list():
    assert [count_plainly(*odd_max_bit(n)) for n in (4, 6)] == [55, 289]
    assert "4 Perceptron 55 BalancedWinnow 35 Ellipsoid 9\n6 Perceptron 289" in PAGE


@pytest.mark.long
def test_the_counts_with_ten_attributes():
    count = names_of_the_page("def count_updates")["count_updates"]
    stream = ls.Recorded(*odd_max_bit(10))
    learners = (ls.Perceptron(), ls.BalancedWinnow(factor=2.0), ls.Ellipsoid())
    assert [count(learner, stream) for learner in learners] == [12_141, 207, 138]


@pytest.mark.long
def test_windows_of_figures_cancel_and_larger_windows_do_not():
    names = names_of_the_page("def draw_bars")
    figures, connected = names["figures"], [names["is_connected"](image) for image in names["figures"]]
    assert connected == [False, True, True, False]
    seen = [names["see_windows"](image, 3) for image in figures]
    for window in set().union(*seen):
        assert sum((1 if y else -1) * x.get(window, 0) for x, y in zip(seen, connected, strict=True)) == 0
    whole = [{image.tobytes().hex(): 1} for image in figures]
    assert ls.separable(ls.Recorded(whole, connected))
    assert not ls.separable(ls.Recorded(seen, connected))
