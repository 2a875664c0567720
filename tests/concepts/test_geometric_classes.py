"""Intervals, rectangles and halfspaces: counts, names, and exact arithmetic."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import TooLarge
from littlestone.concepts import Halfspaces, Intervals, Rectangles
from littlestone.concepts.intervals import contains, find_ends
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Halving


def functions(concepts, points):
    return {tuple(concepts.label(c, x) for x in points) for c in range(concepts.size)}


@pytest.mark.parametrize("n", range(1, 8))
def test_every_interval_is_a_function_of_its_own(n):
    assert len(functions(Intervals(n), range(n))) == Intervals(n).size == n * (n + 1) // 2 + 1


@pytest.mark.parametrize(("m", "d"), [(1, 1), (4, 1), (2, 2), (3, 2), (2, 3)])
def test_every_rectangle_is_a_function_of_its_own(m, d):
    points = list(product(range(m), repeat=d))
    boxes = (m * (m + 1) // 2) ** d
    assert len(functions(Rectangles(m, d), points)) == Rectangles(m, d).size == boxes + 1
    assert len(functions(Rectangles(m, d, empty=False), points)) == Rectangles(m, d, empty=False).size == boxes


@pytest.mark.parametrize(("m", "boxes", "mistakes"), [(2, 9, 3), (3, 36, 5)])
def test_gold_boxes_in_the_plane(m, boxes, mistakes):
    for empty in (True, False):
        concepts = Rectangles(m, 2, empty)
        assert concepts.size == boxes + empty
        assert Halving(concepts).bound().mistakes == mistakes


@pytest.mark.parametrize(("n", "d", "distinct"), [(1, 1, 3), (3, 1, 3), (1, 2, 9), (2, 2, 17), (1, 3, 27)])
def test_halfspaces_that_are_multiples_of_one_another_label_alike(n, d, distinct):
    concepts = Halfspaces(n, d)
    points = list(product(range(-n - 1, n + 2), repeat=d))
    rays = {primitive(concepts.weights(c)) for c in range(concepts.size)}
    assert concepts.size == (2 * n + 1) ** d
    assert len(functions(concepts, points)) == len(rays) == distinct


def primitive(weights):
    shared = reference.math.gcd(*weights) or 1
    return tuple(w // shared for w in weights)


@settings(deadline=None)  # the first call may compile
@given(st.integers(0, 2**17))
def test_interval_numbers_decode_exactly_at_the_edges(b):
    for number in (b * (b + 1) // 2 - 1, b * (b + 1) // 2, b * (b + 1) // 2 + b):
        if number >= 0:
            low, high = find_ends(number)
            assert number == high * (high + 1) // 2 + low
            assert 0 <= low <= high
            assert [bool(contains(number, x)) for x in (low - 1, low, high, high + 1)] == [False, True, True, False]


finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(finite, st.integers(-(2**100), 2**100), st.fractions())


@settings(deadline=None)  # the first call may compile
@given(st.tuples(numbers, numbers))
@example((0.1 + 0.2, -0.3))
@example((1e308, -1e-308))
@example((Fraction(1, 3), Fraction(-1, 3)))
@example((2**200 + 1, -(2**200)))
def test_halfspaces_are_exact_on_any_finite_numbers(x):
    concepts = Halfspaces(3, 2)
    space = concepts.start()
    wanted = [c for c, twin in enumerate(reference.halfspaces(3, 2)) if twin(x)]
    seen = concepts(x)
    assert concepts.votes(space, seen) == (concepts.size - len(wanted), len(wanted))
    if wanted:
        concepts.keep(space, seen, 1)
        assert [concepts.survivor(space, rank) for rank in range(len(wanted))] == wanted


def test_halfspaces_have_no_list_of_instances():
    with pytest.raises(TooLarge, match=r"all of R\^2"):
        Halfspaces(1, 2).instances()


@pytest.mark.parametrize(
    ("concepts", "index", "name"),
    [
        (Intervals(6), 0, "empty"),
        (Intervals(6), 1 + 15 + 2, "[2, 5]"),
        (Rectangles(6, 2), 0, "empty"),
        (Rectangles(6, 2), 1 + 17 + 21 * 1, "[2, 5] x [0, 1]"),
        (Rectangles(6, 2, empty=False), 17 + 21 * 1, "[2, 5] x [0, 1]"),
        (Halfspaces(2, 2), 0, "-2 x1 - 2 x2 > 0"),
        (Halfspaces(2, 2), 12, "0 > 0"),
        (Halfspaces(2, 3), 3 + 5 * 2 + 25 * 4, "x1 + 2 x3 > 0"),
        (Halfspaces(2, 2), 2 + 5 * 1, "-x2 > 0"),
    ],
)
def test_names_are_in_words(concepts, index, name):
    assert concepts.name(index) == name


@pytest.mark.parametrize("concepts", [Intervals(200), Rectangles(20, 2), Rectangles(5, 3), Halfspaces(7, 3)], ids=str)
def test_halving_stays_within_its_bound_and_finds_the_target(concepts):
    chance = np.random.default_rng(2)
    target = concepts.concept(concepts.size * 3 // 5)
    if isinstance(concepts, Intervals):
        X = chance.integers(0, 200, 300).tolist()
    elif isinstance(concepts, Rectangles):
        X = chance.integers(0, concepts.m, (300, concepts.d))
    else:
        X = chance.normal(size=(300, 3))
    y = [target(x) for x in X]
    game = play(Halving(concepts), Recorded(X, y))
    assert game.certificate().holds
    assert game.mistakes <= Halving(concepts).bound().mistakes
    witness = concepts.concept(game.certificate().witness["concept"])
    assert [witness(x) for x in X] == y
