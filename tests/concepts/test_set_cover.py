"""Greedy set cover: within 1 + 1/2 + ... + 1/d of the fewest sets."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from littlestone.base.errors import NotRealizable
from littlestone.concepts.set_cover import find_greedy_cover


def sets(matrix, columns, complements):
    """The allowed sets by number, each as the rows it covers."""
    inside = {j: set(np.flatnonzero(matrix[:, j])) for j in np.flatnonzero(columns)}
    return inside | {~j: set(np.flatnonzero(matrix[:, j] == 0)) for j in np.flatnonzero(complements)}


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 1)] * 4), max_size=7),
    columns=st.tuples(*[st.integers(0, 1)] * 4),
    complements=st.tuples(*[st.integers(0, 1)] * 4),
)
def test_covers_within_its_factor_of_the_fewest(rows, columns, complements):
    matrix = np.array(rows, float).reshape(len(rows), 4)
    allowed = sets(matrix, columns, complements)
    everything = set(range(len(rows)))
    covers = [
        few
        for k in range(9)
        for few in combinations(allowed, k)
        if set().union(*(allowed[j] for j in few)) == everything
    ]
    if not covers:
        with pytest.raises(NotRealizable, match="in none of the sets"):
            find_greedy_cover(csr_matrix(matrix), np.array(columns), np.array(complements))
        return
    cover = find_greedy_cover(csr_matrix(matrix), np.array(columns), np.array(complements))
    assert set().union(*(allowed[j] for j in cover.chosen)) == everything
    fewest = len(covers[0])
    assert cover.at_least <= fewest <= len(cover.chosen) <= cover.factor * fewest
    assert cover.factor == sum(Fraction(1, k) for k in range(1, 1 + max([1, *map(len, allowed.values())])))


def test_is_led_astray_by_a_large_set_as_the_textbook_says():
    """Two sets of seven cover everything; greedy takes 8, 4, 2 of the fourteen and is 3/2 times as large."""
    two = [set(range(7)), set(range(7, 14))]
    bait = [{0, 1, 2, 3, 7, 8, 9, 10}, {4, 5, 11, 12}, {6, 13}]
    matrix = np.array([[float(x in s) for s in two + bait] for x in range(14)])
    cover = find_greedy_cover(csr_matrix(matrix), np.ones(5), np.zeros(5))
    assert cover.chosen == (2, 3, 4)
    assert cover.at_least == 2


def test_nothing_to_cover_takes_nothing():
    assert find_greedy_cover(csr_matrix((0, 3)), np.ones(3), np.ones(3)) == ((), 1, 0)
    with pytest.raises(NotRealizable):
        find_greedy_cover(csr_matrix((2, 0)), np.ones(0), np.ones(0))


def test_a_large_set_has_a_factor_rounded_up():
    cover = find_greedy_cover(csr_matrix(np.ones((9000, 1))), np.ones(1), np.zeros(1))
    assert cover.chosen == (0,)
    assert sum(1 / k for k in range(1, 9001)) < cover.factor < 11
