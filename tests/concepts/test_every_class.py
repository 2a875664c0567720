"""What is true of every concept class: labels as the plain twin gives them, and the laws of a version space."""

import pickle
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.chunks import Instances
from littlestone.base.errors import BadInstance, BadParameter, NotRealizable, TooLarge
from littlestone.base.learner import copy_state, fingerprint
from littlestone.concepts import (
    ALL,
    Concepts,
    Conjunctions,
    DecisionLists,
    Disjunctions,
    Halfspaces,
    Intervals,
    Parities,
    Programs,
    Rectangles,
    Thresholds,
)
from littlestone.concepts.packed import LIMIT, Packed, find_bit
from littlestone.learners import Halving

REALS = [(0, 0), (1, -1), (2, 1), (0.1, -0.2), (0.30000000000000004, -0.3), (1e300, -1e-300), (-3, 7.5), (2**80, -1)]
MANY = [tuple(int(i not in zeros) for i in range(70)) for zeros in ((64,), (68, 69), (), (0, 65), range(70), (69,))]
COLOURS = [["red", "green", "blue"], ["red", "red", "red"], ["blue", "green", "red"], ["green", "blue", "blue"]] * 20


# (class, its concepts as plain functions, points to try; None: every instance)
CASES = [
    (Concepts(COLOURS), [lambda x, row=row: row[x] for row in COLOURS], None),
    (Concepts([[0, 1, 1], [1, 1, 0], [0, 0, 0], [0, 1, 1]]), [
        lambda x, row=row: bool(row[x]) for row in ([0, 1, 1], [1, 1, 0], [0, 0, 0], [0, 1, 1])
    ], None),
    (Concepts.of([str.upper, str.lower], ["a", "B"]), [str.upper, str.lower], None),
    *((Conjunctions(n), reference.conjunctions(n), None) for n in (0, 1, 2, 4)),
    *((Disjunctions(n), reference.disjunctions(n), None) for n in (0, 1, 2, 4)),
    *((Conjunctions(n, None, True), reference.conjunctions(n, None, True), None) for n in (0, 3, 8)),
    *((Disjunctions(n, None, True), reference.disjunctions(n, None, True), None) for n in (0, 3, 8)),
    *((Conjunctions(n, k), reference.conjunctions(n, k), None) for n, k in ((0, 0), (3, 0), (4, 1), (7, 3), (7, 7))),
    *((Disjunctions(n, k), reference.disjunctions(n, k), None) for n, k in ((3, 0), (4, 1), (6, 3), (7, 6))),
    *((Conjunctions(n, k, True), reference.conjunctions(n, k, True), None) for n, k in ((8, 4), (8, 8), (8, 1))),
    (Disjunctions(8, 3, True), reference.disjunctions(8, 3, True), None),
    (Conjunctions(70, 69, True), reference.conjunctions(70, 69, True), MANY),  # more literals than a word has bits
    (Disjunctions(70, 69, True), reference.disjunctions(70, 69, True), MANY),
    *((DecisionLists(n), reference.decision_lists(n), None) for n in (0, 1, 2, 4)),
    *((Halfspaces(n, 2), reference.halfspaces(n, 2), REALS) for n in (1, 2, 5)),
    (Halfspaces(40, 1), reference.halfspaces(40, 1), [(0,), (1e-300,), (-2,)]),
    *((Intervals(n), reference.intervals(n), None) for n in (1, 2, 11, 16)),
    *((Parities(n), reference.parities(n), None) for n in (0, 3, 7)),
    *((Programs(b, steps), reference.programs(b, steps), range(20)) for b, steps in ((0, 9), (7, 9), (8, 256))),
    *((Rectangles(m, d, e), reference.rectangles(m, d, e), None)
      for m, d, e in ((1, 1, True), (2, 2, True), (3, 2, False), (2, 3, True), (5, 1, True))),
    *((Thresholds(n), reference.thresholds(n), None) for n in (0, 5, 90)),
]  # fmt: skip
PACKED = [case for case in CASES if isinstance(case[0], Packed)]
every_class = pytest.mark.parametrize(("concepts", "twins", "points"), CASES, ids=[str(case[0]) for case in CASES])


def points_of(concepts, points):
    return list(concepts.instances() if points is None else points)


def alive_of(concepts, space):
    return [concepts.survivor(space, rank) for rank in range(concepts.survivors(space))]


def test_every_class_is_tried_here():
    assert {type(case[0]) for case in CASES} == set(ALL)


@every_class
def test_has_as_many_concepts_as_its_twin(concepts, twins, points):
    assert concepts.size == len(twins) == concepts.survivors(concepts.start())


@every_class
def test_labels_and_survivors_are_those_of_the_twin(concepts, twins, points):
    for x in points_of(concepts, points)[:40]:
        said = [twin(x) for twin in twins]
        seen = concepts(x)
        assert [concepts.labels[concepts.label(c, seen)] for c in range(concepts.size)] == said
        for y, label in enumerate(concepts.labels):
            space = concepts.start()
            wanted = [c for c, theirs in enumerate(said) if theirs == label]
            assert concepts.votes(space, seen)[y] == len(wanted)
            if wanted:
                concepts.keep(space, seen, y)
                assert alive_of(concepts, space) == wanted
            else:
                with pytest.raises(NotRealizable):
                    concepts.keep(space, seen, y)


@every_class
def test_a_concept_is_a_function_with_a_name(concepts, twins, points):
    for x in points_of(concepts, points)[:5]:
        for c in range(0, concepts.size, 1 + concepts.size // 20):
            assert concepts.concept(c)(x) == twins[c](x)
            assert str(concepts.concept(c)) == concepts.name(c) != ""
    for outside in (-1, concepts.size):
        with pytest.raises(BadParameter, match=f"0 to {concepts.size - 1}, got {outside}"):
            concepts.concept(outside)


@every_class
def test_is_a_value(concepts, twins, points):
    other = pickle.loads(pickle.dumps(concepts))
    assert other == concepts
    assert hash(other) == hash(concepts)
    assert len(repr(concepts)) < 60
    assert concepts != "something else"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_version_space_obeys_its_laws(data):
    concepts, twins, points = data.draw(st.sampled_from(CASES), "class")
    instances = points_of(concepts, points)
    space, alive, cuts = concepts.start(), list(range(concepts.size)), 0
    for _ in range(data.draw(st.integers(0, 8), "rounds")):
        x = data.draw(st.sampled_from(instances), "x")
        y = data.draw(st.integers(0, len(concepts.labels) - 1), "y")
        before = fingerprint(space)
        votes = concepts.votes(space, x)
        assert fingerprint(space) == before
        assert sum(votes) == concepts.survivors(space) == len(alive)
        wanted = [c for c in alive if twins[c](x) == concepts.labels[y]]
        assert votes[y] == len(wanted)
        if not wanted:
            with pytest.raises(NotRealizable, match="agrees with the rounds before labels"):
                concepts.keep(space, x, y)
            assert fingerprint(space) == before
            continue
        concepts.keep(space, x, y)
        cuts += len(wanted) < len(alive)
        alive = wanted
        assert alive_of(concepts, space) == alive
        assert concepts.cuts(space) == cuts


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_halving_in_one_call_is_halving_by_votes_and_the_twin(data):
    concepts, twins, points = data.draw(st.sampled_from(CASES), "class")
    instances = points_of(concepts, points)[:40]
    xs = data.draw(st.lists(st.sampled_from(instances), min_size=1, max_size=12), "xs")
    target = data.draw(st.sampled_from(twins), "target")
    noise = data.draw(st.lists(st.booleans(), min_size=len(xs), max_size=len(xs)), "noise")
    names = concepts.labels
    labels = [
        names[data.draw(st.integers(0, len(names) - 1))] if bad else target(x) for x, bad in zip(xs, noise, strict=True)
    ]
    numbers = np.array([names.index(label) for label in labels], np.int32)
    table = [{x: twin(x) for x in xs} for twin in twins]
    history = list(zip(xs, labels, strict=True))
    lengths = range(len(xs) + 1)
    rounds = max(t for t in lengths if any(all(row[x] == y for x, y in history[:t]) for row in table))
    learner, state, guesses = Halving(concepts), concepts.start(), np.zeros(len(xs), np.int32)
    chunk, played = Instances([concepts(x) for x in xs], numbers), 0
    while played < len(xs):
        try:
            played += learner.replay(state, chunk[played:], guesses[played:])
        except NotRealizable:
            break
    assert played == rounds
    assert [names[guess] for guess in guesses[:rounds]] == reference.halving(table, history[:rounds], names)
    slow = concepts.start()
    for x, y in zip(chunk.points[:rounds], numbers[:rounds].tolist(), strict=True):
        concepts.keep(slow, x, y)
    assert fingerprint(slow) == fingerprint(state)


@pytest.mark.parametrize(("concepts", "twins", "points"), PACKED, ids=[str(case[0]) for case in PACKED])
def test_plain_python_and_compiled_sweeps_agree(concepts, twins, points):
    points = [concepts(x) for x in points_of(concepts, points)[:4]]
    sweeps, space = concepts.sweeps, concepts.start()
    for x in points:
        code = concepts.encode(x)
        assert sweeps.vote.py_func(space.alive, code) == sweeps.vote(space.alive, code)
        for c in (0, concepts.size // 2, concepts.size - 1):
            assert sweeps.label.py_func(c, code) == sweeps.label(c, code)
        for y in (0, 1):
            plain, fast = space.alive.copy(), space.alive.copy()
            assert sweeps.keep.py_func(plain, code, y) == sweeps.keep(fast, code, y)
            assert plain.tobytes() == fast.tobytes()
    codes, order = concepts.encode_chunk(Instances(points, np.zeros(len(points))))
    for bits in range(2 ** len(points)):
        labels = np.array([bits >> t & 1 for t in range(len(points))], np.int32)
        states = [copy_state(space), copy_state(space)]
        guesses = [np.zeros(len(points), np.int32) for _ in states]
        played = [
            halve(state.alive, state.counts, codes, order, labels, said)
            for halve, state, said in zip((sweeps.halve.py_func, sweeps.halve), states, guesses, strict=True)
        ]
        assert played[0] == played[1]
        assert fingerprint(states[0]) == fingerprint(states[1])
        assert guesses[0].tolist() == guesses[1].tolist()
    for rank in (0, concepts.size - 1, concepts.size):
        assert find_bit.py_func(space.alive, rank) == find_bit(space.alive, rank)


@pytest.mark.parametrize("concepts", [case[0] for case in PACKED], ids=str)
def test_bits_beyond_the_last_concept_stay_clear(concepts):
    space = concepts.start()
    tail = concepts.size % 64
    assert len(space.alive) == -(-concepts.size // 64)
    assert not tail or int(space.alive[-1]) >> tail == 0
    assert sum(int(word).bit_count() for word in space.alive) == concepts.size
    assert concepts.survivor(space, concepts.size - 1) == concepts.size - 1


def test_codes_are_shared_by_equal_instances_and_cut_where_room_ends(monkeypatch):
    concepts = Halfspaces(2, 2)
    chunk = Instances([(1, 2), (0.1, 1), (1, 2), (3, 4)], np.zeros(4, np.int32))
    codes, order = concepts.encode_chunk(chunk)
    assert order.tolist() == [0, 1, 0, 2]
    assert codes[0].tolist() == [2, 2, 1, 1, 2, 0, 0][: codes.shape[1]]
    monkeypatch.setattr("littlestone.concepts.packed.ROOM", codes.shape[1] * 2)
    assert concepts.encode_chunk(chunk)[1].tolist() == [0, 1, 0]
    monkeypatch.setattr("littlestone.concepts.packed.ROOM", 1)
    assert concepts.encode_chunk(chunk)[1].tolist() == [0]
    guesses = np.zeros(4, np.int32)
    assert Halving(concepts).replay(concepts.start(), chunk, guesses) == 1


@pytest.mark.parametrize(
    "concepts",
    [
        Conjunctions(21),
        Conjunctions(100, monotone=True),
        Conjunctions(100, 50),
        Disjunctions(100),
        DecisionLists(11),
        Halfspaces(10, 10),
        Intervals(2**18),
        Parities(34),
        Programs(33),
        Rectangles(100, 3),
    ],
    ids=str,
)
def test_a_class_beyond_packed_bits_has_a_size_and_labels_but_no_version_space(concepts):
    assert concepts.size > LIMIT
    with pytest.raises(TooLarge, match=f"has {concepts.size} concepts; packed bits hold {LIMIT}"):
        concepts.start()
    last = concepts.concept(concepts.size - 1)
    x = (1,) * 10 if isinstance(concepts, Halfspaces) else next(concepts.instances())
    assert last(x) in (False, True)
    assert len(str(last)) > 0


@pytest.mark.parametrize(
    ("concepts", "x", "message"),
    [
        (Thresholds(4), 5, "a whole number in [0, 4], got 5"),
        (Thresholds(4), -1, "got -1"),
        (Thresholds(4), float("nan"), "got nan"),
        (Thresholds(4), float("inf"), "got inf"),
        (Thresholds(4), 1.5, "got 1.5"),
        (Thresholds(4), "1", "got '1'"),
        (Thresholds(4), None, "got None"),
        (Thresholds(4), [1], "got [1]"),
        (Intervals(4), 4, "a whole number in [0, 3], got 4"),
        (Programs(3), 2**32, "a whole number in [0, 4294967295], got 4294967296"),
        (Concepts([[0, 1]]), 2, "a whole number in [0, 1], got 2"),
        (Concepts.of([str.upper], ["a", "b"]), "c", "one of 'a', 'b', got 'c'"),
        (Concepts.of([str.upper], ["a", "b"]), ["a"], "one of 'a', 'b', got ['a']"),
        (Concepts.of([max], [(0, 1), (1, 0)]), [1, 1], "one of (0, 1), (1, 0), got [1, 1]"),
        (Parities(3), [0, 1], "has 3 attributes, got [0, 1]"),
        (Parities(3), 7, "has 3 attributes, got 7"),
        (Parities(3), "010", "has 3 attributes, got '010'"),
        (Parities(2), {0, 1}, "has 2 attributes, got {0, 1}"),
        (Parities(2), {0: 1, 2: 1}, "has attributes 0 to 1, got attribute 2"),
        (Conjunctions(2), [0, 2], "has 2 attributes, each 0 or 1, got [0, 2]"),
        (Conjunctions(2), [0, float("nan")], "each 0 or 1, got [0, nan]"),
        (Disjunctions(2), [0, 0.5], "each 0 or 1, got [0, 0.5]"),
        (Disjunctions(1), [[0]], "has 1 attribute, each 0 or 1, got [[0]]"),
        (Rectangles(3, 2), (0, 3), "has 2 attributes, each a whole number in [0, 2], got (0, 3)"),
        (Rectangles(3, 2), (0, 1, 2), "has 2 attributes, got (0, 1, 2)"),
        (Halfspaces(1, 2), (0, float("nan")), "2 finite numbers, got nan among them"),
        (Halfspaces(1, 2), (0, float("inf")), "2 finite numbers, got inf among them"),
        (Halfspaces(1, 2), (0, "1"), "2 finite numbers, got '1' among them"),
        (Halfspaces(1, 2), (0,), "has 2 attributes, got (0,)"),
    ],
)
def test_what_is_no_instance_is_refused_with_what_is_allowed(concepts, x, message):
    with pytest.raises(BadInstance) as refusal:
        concepts(x)
    assert message in str(refusal.value)
    assert str(concepts) in str(refusal.value)


@every_class
def test_reads_its_own_instances_and_their_natural_forms(concepts, twins, points):
    for x in islice(points_of(concepts, points), 10):
        seen = concepts(x)
        assert seen == x == concepts(seen)
        assert hash(seen) == hash(concepts(seen))
        forms = [np.array(x, object), list(x)] if isinstance(x, tuple) else []
        forms += [dict(enumerate(x))] if isinstance(x, tuple) else []
        forms += [np.int64(x), float(x)] if isinstance(x, int) else []
        assert all(concepts(form) == seen for form in forms)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Conjunctions(-1), "n must be at least 0, got -1"),
        (lambda: Conjunctions(3, 4), r"k must be None or in \[0, 3\], got 4"),
        (lambda: Disjunctions(3, -1), r"k must be None or in \[0, 3\], got -1"),
        (lambda: DecisionLists(-1), "n must be at least 0, got -1"),
        (lambda: DecisionLists(2).index([0, 0], [1, 1]), "an order of 2 attributes and as many labels"),
        (lambda: Halfspaces(0, 2), "n must be at least 1, got 0"),
        (lambda: Halfspaces(2, 0), "d must be at least 1, got 0"),
        (lambda: Intervals(0), "n must be at least 1, got 0"),
        (lambda: Parities(-1), "n must be at least 0, got -1"),
        (lambda: Programs(-1), "bits must be at least 0, got -1"),
        (lambda: Programs(3, -1), r"steps must be in \[0, 2\^31\), got -1"),
        (lambda: Rectangles(0, 2), "m must be at least 1, got 0"),
        (lambda: Rectangles(2, 0), "d must be at least 1, got 0"),
        (lambda: Thresholds(-1), r"n must be in \[0, 2\^62\), got -1"),
    ],
)
def test_bad_parameters_are_refused(make, message):
    with pytest.raises(BadParameter, match=message):
        make()
