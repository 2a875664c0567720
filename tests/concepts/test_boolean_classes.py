"""Conjunctions, disjunctions and parities: counts, names, and the exact worst case of halving."""

from functools import cache

import numpy as np
import pytest

import reference
from littlestone.base.exact_numbers import floor_log2
from littlestone.base.learner import copy_state, fingerprint
from littlestone.concepts import Conjunctions, DecisionLists, Disjunctions, Parities
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Halving
from littlestone.learners.shared.version_space import find_plurality


def functions(concepts):
    return {tuple(concepts.label(c, x) for x in concepts.instances()) for c in range(concepts.size)}


@pytest.mark.parametrize("kind", [Conjunctions, Disjunctions])
@pytest.mark.parametrize("n", range(4))
def test_every_number_is_a_function_of_its_own(kind, n):
    assert len(functions(kind(n))) == kind(n).size == 3**n
    assert len(functions(kind(n, monotone=True))) == kind(n, monotone=True).size == 2**n
    for k in range(n + 1):
        counts = reference.math.comb(n, k)
        assert len(functions(kind(n, k))) == kind(n, k).size == 2**k * counts
        assert len(functions(kind(n, k, monotone=True))) == kind(n, k, monotone=True).size == counts


def test_decision_lists_are_as_many_functions_as_ordered_partitions():
    """Neighbours of one label can change places, and those of the last label need not be asked."""
    ordered = [1, 1, 3, 13, 75]  # ways to arrange n things in blocks, the order of blocks counting
    for n in range(1, 5):
        assert DecisionLists(n).size == reference.math.factorial(n) * 2 ** (n + 1)
        assert len(functions(DecisionLists(n))) == 4 * ordered[n]


@pytest.mark.parametrize("n", range(5))
def test_numbers_of_decision_lists_are_found_again(n):
    lists = DecisionLists(n)
    for c in range(0, lists.size, 1 + lists.size // 97):
        assert lists.index(lists.order(c), [c >> (i + 1) & 1 for i in range(n)], c & 1) == c


@pytest.mark.parametrize("kind", [Conjunctions, Disjunctions])
def test_gold_counts_for_a_hundred_attributes(kind):
    sizes = kind(100).size, kind(100, k=5).size, kind(100, k=5, monotone=True).size, kind(100, monotone=True).size
    assert sizes == (3**100, 2_409_200_640, 75_287_520, 2**100)
    assert [floor_log2(size) for size in sizes] == [158, 31, 26, 100]
    assert Halving(kind(100)).bound().mistakes == 158


@pytest.mark.parametrize(("n", "mistakes"), [(1, 1), (2, 3), (3, 4)])
def test_gold_worst_case_of_halving(n, mistakes):
    for concepts in (Conjunctions(n), Disjunctions(n)):
        assert worst_case(concepts) == mistakes <= Halving(concepts).bound().mistakes


def worst_case(concepts):
    """The most mistakes any realizable sequence forces on halving, by search over all version spaces."""
    instances, spaces = list(concepts.instances()), {}

    @cache
    def value(key):
        best = 0
        for x in instances:
            votes = concepts.votes(spaces[key], x)
            for y in (0, 1):
                if 0 < votes[y] < sum(votes):
                    after = copy_state(spaces[key])
                    concepts.keep(after, x, y)
                    alive = fingerprint(after.alive)
                    spaces.setdefault(alive, after)
                    best = max(best, (find_plurality(votes) != y) + value(alive))
        return best

    start = concepts.start()
    spaces[fingerprint(start.alive)] = start
    return value(fingerprint(start.alive))


@pytest.mark.parametrize(
    ("concepts", "index", "name"),
    [
        (Conjunctions(3), 0, "true"),
        (Conjunctions(3), 1 + 3 * 2, "x1 and not x2"),
        (Conjunctions(3, monotone=True), 0b101, "x1 and x3"),
        (Conjunctions(4, 2), 0, "x1 and x2"),
        (Conjunctions(4, 2), 4 * 1 + 0b10, "x1 and not x3"),
        (Conjunctions(4, 2, monotone=True), 5, "x3 and x4"),
        (Conjunctions(100), 3**99 * 2 + 1, "x1 and not x100"),
        (Conjunctions(100, 5), 2_409_200_639, "not x96 and not x97 and not x98 and not x99 and not x100"),
        (Disjunctions(3), 0, "false"),
        (Disjunctions(3), 2, "not x1"),
        (Disjunctions(4, 2), 4 * 2 + 1, "not x2 or x3"),
        (DecisionLists(0), 1, "1"),
        (DecisionLists(2), 0b11 + 8, "x2: 0, x1: 1, else 1"),
        (Parities(3), 0, "0"),
        (Parities(3), 5, "x1 + x3 mod 2"),
    ],
)
def test_names_spell_the_literals(concepts, index, name):
    assert concepts.name(index) == name


def test_a_concept_of_a_class_too_large_to_list_still_labels():
    x = (1,) + (0,) * 99
    assert Conjunctions(100).concept(1 + 3**99 * 2)(x) is True
    assert Conjunctions(100).concept(2)(x) is False
    assert Disjunctions(100).concept(2 + 3**99)(x) is False
    assert Disjunctions(100, k=50).concept(1)(x) is False
    assert Disjunctions(100, k=50).concept(2)(x) is True


@pytest.mark.parametrize(
    ("concepts", "index"),
    [
        (Conjunctions(12, 4), 7000),
        (Disjunctions(12, 4), 7000),
        (Conjunctions(9), 12_345),
        (Disjunctions(9), 12_345),
        (Conjunctions(40, 4, monotone=True), 65_000),
        (Conjunctions(11, monotone=True), 5),
        (Parities(12), 2_500),
    ],
    ids=str,
)
def test_halving_stays_within_its_bound_and_finds_the_target(concepts, index):
    X = np.random.default_rng(5).integers(0, 2, (400, concepts.n))
    X[::2] = np.random.default_rng(6).random((200, concepts.n)) < 0.9
    target = concepts.concept(index)
    y = [target(x) for x in X]
    game = play(Halving(concepts), Recorded(X, y))
    assert game.certificate().holds
    assert game.mistakes <= floor_log2(concepts.size)
    witness = concepts.concept(game.certificate().witness["concept"])
    assert [witness(x) for x in X] == y
