"""Survivors by the checker's own reasoning are those that a class's version space has."""

import itertools
import random

import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified, NotRealizable
from littlestone.certificates.check import survivors
from littlestone.certificates.check.dimension import LittlestoneDimension
from littlestone.certificates.check.survivors import find_labeller, find_survivors
from littlestone.concepts.dimension import littlestone_dimension

CLASSES = [
    ls.Thresholds(0),
    ls.Thresholds(9),
    ls.Parities(0),
    ls.Parities(5),
    ls.Intervals(1),
    ls.Intervals(7),
    ls.Rectangles(3, 2),
    ls.Rectangles(4, 2, empty=False),
    ls.Rectangles(2, 3),
    *(ls.Conjunctions(4, k, monotone) for k in (None, 0, 1, 2, 4) for monotone in (False, True)),
    *(ls.Disjunctions(4, k, monotone) for k in (None, 0, 3) for monotone in (False, True)),
    ls.Conjunctions(0),
    ls.Programs(5),
    ls.Concepts([["a", "b", "c"], ["a", "c", "b"], ["b", "b", "a"], ["a", "b", "c"]]),
]


def some_instances(concepts):
    return list(itertools.islice(concepts.instances(), 32))


@pytest.mark.parametrize("concepts", CLASSES, ids=str)
def test_labels_worked_out_here_are_those_of_the_class(concepts):
    label, numbers = find_labeller(concepts), survivors.np.arange(concepts.size)
    for x in some_instances(concepts):
        assert label(numbers, x).tolist() == [concepts.label(h, x) for h in range(concepts.size)]


@pytest.mark.parametrize("concepts", CLASSES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_votes_ranks_and_counts_are_those_of_the_version_space(concepts, seed, monkeypatch):
    monkeypatch.setattr(survivors, "BLOCK", 24)  # several blocks
    rng, space, found = random.Random(seed), concepts.start(), find_survivors(concepts)
    instances = some_instances(concepts)
    for _ in range(12):
        x, y = rng.choice(instances), rng.randrange(len(concepts.labels))
        assert found.count_votes(x) == concepts.votes(space, x)
        before = concepts.cuts(space)
        try:
            concepts.keep(space, x, y)
        except NotRealizable:
            with pytest.raises(NotCertified, match="no concept that agrees"):
                found.keep(x, y)
        else:
            assert found.keep(x, y) == (concepts.cuts(space) > before)
        assert found.count == concepts.survivors(space)
        ranks = range(found.count)
        assert [found.find(rank) for rank in ranks] == [concepts.survivor(space, rank) for rank in ranks]
        assert found.list_numbers().tolist() == [found.find(rank) for rank in ranks]


def test_exactly_many_literals_of_many_attributes():
    concepts = ls.Conjunctions(60, k=3)
    x = tuple(i % 2 for i in range(60))
    numbers = survivors.np.array(random.Random(1).sample(range(concepts.size), 200))
    assert find_labeller(concepts)(numbers, x).tolist() == [concepts.label(int(h), x) for h in numbers]


def test_a_class_that_is_too_large_is_refused_in_words():
    with pytest.raises(NotCertified, match="too many to be asked one by one"):
        find_survivors(ls.Conjunctions(40))


@pytest.mark.parametrize("concepts", [concepts for concepts in CLASSES if "Programs" not in str(concepts)], ids=str)
def test_dimensions_are_those_of_the_solver(concepts):
    assert LittlestoneDimension(concepts).find(range(concepts.size)) == littlestone_dimension(concepts)
    assert LittlestoneDimension(concepts).find([]) == -1


def test_a_dimension_that_would_take_too_long_is_refused_in_words():
    with pytest.raises(NotCertified, match="too large"):
        LittlestoneDimension(ls.Thresholds(10**6))
    with pytest.raises(NotCertified, match="too large"):
        LittlestoneDimension(ls.Programs(4))
