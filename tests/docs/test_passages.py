"""What the tenth chapter claims: counts on a decision list, and figures that local windows cannot tell."""

import re
from itertools import product

import numpy as np
import pytest

import littlestone as ls
from places import DATA, DOCS

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
    assert [count_plainly(*odd_max_bit(n)) for n in (2, 4, 6)] == [11, 55, 289]
    assert "Perceptron     [11, 55, 289, 1839]" in PAGE


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


@pytest.mark.long
@pytest.mark.skipif(not (DATA / "sms_spam").exists(), reason="needs messages that are not part of the project")
def test_a_thick_separator_saves_mistakes_on_real_messages_at_every_promotion():
    path = next(path for path in sorted((DATA / "sms_spam").iterdir()) if path.name.startswith("SMS"))
    lines = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line]
    rows = [dict.fromkeys(text.lower().split(), 1) for _, text in lines]
    stream = ls.Recorded(rows, [kind == "spam" for kind, _ in lines])
    for promotion in (1.2, 1.5, 2.0):
        thin, thick = (ls.play(ls.Winnow(promotion, threshold=20.0, margin=m), stream).mistakes for m in (0.0, 5.0))
        assert thick < thin < len(lines) / 10


def test_four_points_have_margin_one_half_and_five_have_less():
    for count, least in ((4, 0.5), (5, 5**-0.5)):
        signs = np.array([-1, *[1] * (count - 1)])
        found = ls.separable(ls.Recorded(np.eye(count), signs > 0), bias=0)
        assert float(found.margin) == pytest.approx(least)
    assert "4 points: margin 0.5000, True of 0.5" in PAGE
    assert "5 points: margin 0.4472, False of 0.5" in PAGE


def test_randomized_halving_is_below_halving_by_a_factor_that_tends_to_one_over_ln_2():
    ratios = []
    for power in (2, 5, 10, 20):
        bound = float(ls.RandomizedHalving(ls.Thresholds(2**power - 2)).bound().value)
        ratios.append(power / bound)
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] == pytest.approx(1 / np.log(2), rel=0.05)


def test_every_passage_is_on_a_page_of_the_course():
    pages = "".join(page.read_text() for page in (DOCS / "course").glob("*.md"))
    for words in (
        "odd-max-bit",
        "Prefixes of [0, 1]",
        "hinge loss",
        "duality gap",
        "AdaBoost is Hedge",
        "program of at most b bits",
        "linear threshold units",
        "connectivity",
        "2-CNF",
        "Intervals are lines",
        "thick separator",
        "Regularisation",
        "Duplication against Balanced Winnow",
        "Label noise",
        "ShiftingPerceptron",
        "Trained here, used there",
        "A panel",
        "Figure 1",
        "Shattering with a margin",
        "FallbackHalving",
        "1 / ln 2",
        "dual Perceptron",
        "How worst cases grow",
        "Elimination from random examples",
        "plane of weights",
    ):
        assert words in pages, words
