import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.chunks import Instances
from littlestone.base.errors import BadLabel, BadParameter, NotRealizable
from littlestone.concepts import Concepts, Conjunctions
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Halving


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        ([[0, 1]], (False, True)),
        ([[False, True]], (False, True)),
        ([[-1, 1]], (False, True)),
        ([[0.0, 1.0]], (False, True)),
        ([[0, 0]], (False, True)),
        ([[1, 1]], (False, True)),
        ([[-1]], (False, True)),
        (np.array([[0, 1]], np.uint8), (False, True)),
        (np.array([[-1.0, 1.0]]), (False, True)),
        (np.array([[True, False]]), (False, True)),
        ([[-1, 0]], (-1, 0)),
        ([[-1, 0, 1]], (-1, 0, 1)),
        ([[3, 1, 2]], (1, 2, 3)),
        (np.array([[3, 1, 2]]), (1, 2, 3)),
        (np.array([["b", "a"]]), ("a", "b")),
        ([["spam", "ham"]], ("ham", "spam")),
        ([["b", 1, (2,)]], ("b", 1, (2,))),
        ([["only", "only"]], ("only",)),
    ],
)
def test_labels_are_those_of_the_table_in_order(table, labels):
    concepts = Concepts(table)
    assert concepts.labels == labels
    row = table[0].tolist() if isinstance(table, np.ndarray) else table[0]
    said = [concepts.concept(0)(x) for x in range(len(row))]
    assert said == ([label == 1 for label in row] if labels == (False, True) else row)


@settings(deadline=None)  # the first call may compile
@given(st.integers(2, 4), st.data())
def test_halving_is_the_twin_for_any_number_of_labels(classes, data):
    names = ["ant", "bee", "cat", "dog"][:classes]
    rows = st.lists(st.sampled_from(names), min_size=3, max_size=3)
    table = data.draw(st.lists(rows, min_size=1, max_size=70))
    target = data.draw(st.sampled_from(table))
    xs = data.draw(st.lists(st.integers(0, 2), max_size=8))
    rounds = [(x, target[x]) for x in xs]
    concepts = Concepts(table)
    game = play(Halving(concepts), Recorded(xs, [y for _, y in rounds]))
    guesses = reference.halving(table, rounds, concepts.labels)
    assert game.mistakes == sum(guess != y for guess, (_, y) in zip(guesses, rounds, strict=True))
    assert game.certificate().holds
    live = play(Halving(concepts), Recorded(xs, [y for _, y in rounds]), transcript=True)
    assert [step.guess for step in live.transcript] == guesses


def test_equal_rows_keep_their_own_votes():
    concepts = Concepts([[0], [0], [1]])
    assert concepts.size == 3
    assert concepts.votes(concepts.start(), 0) == (2, 1)


def test_the_planes_are_packed_once_and_read_in_place():
    table = np.random.default_rng(3).integers(0, 2, (1000, 5)).astype(bool)
    concepts = Concepts(table)
    assert concepts.planes.nbytes == 5 * 16 * 8
    codes, order = concepts.encode_chunk(Instances([4, 0, 4], np.zeros(3, np.int32)))
    assert np.shares_memory(codes, concepts.planes)
    assert order.tolist() == [4, 0, 4]
    assert codes.flags.c_contiguous
    table[:] = False
    assert concepts.votes(concepts.start(), 0)[1] > 0
    with pytest.raises(ValueError):
        concepts.planes[0, 0, 0] = 0


def test_equality_is_by_content():
    assert Concepts([[0, 1]]) == Concepts(np.array([[False, True]])) == Concepts([[-1, 1]])
    assert len({Concepts([[0, 1]]), Concepts([[0, 1]]), Concepts([[1, 1]]), Concepts([[0, 1], [0, 1]])}) == 3
    assert Concepts([[0, 1]]) != Concepts([["a", "b"]])
    assert Concepts([[0, 1]]) != Concepts([[0, 1]], points=("x", "y"))
    assert Concepts([[0, 1]]) != Concepts([[0, 1]], names=("f",))
    assert Concepts([[0] * 600 + [1]] * 70) != Concepts([[0] * 601] * 70)


def test_functions_and_instances_of_any_kind():
    def short(word):
        return len(word) < 4

    concepts = Concepts.of([short, str.isupper, lambda word: "a" in word], ["ham", "SPAM", "eggs"])
    assert list(concepts.instances()) == ["ham", "SPAM", "eggs"]
    assert [concepts.name(c) for c in range(3)] == ["short", "isupper", "row 2: 1 0 0"]
    game = play(Halving(concepts), Recorded(["ham", "SPAM", "eggs"], [False, True, False]))
    assert game.certificate().witness["name"] == "isupper"
    assert repr(concepts) == "Concepts(3 rows, 3 columns)"


def test_another_class_can_be_written_down_and_played_with_rows_of_attributes():
    source = Conjunctions(3)
    table = Concepts.of(map(source.concept, range(source.size)), source.instances())
    assert table.name(19) == "x1 and not x3"
    X = np.array(list(source.instances()))
    y = [bool(row[0] and not row[2]) for row in X]
    plain = [{x: twin(x) for x in source.instances()} for twin in reference.conjunctions(3)]
    guesses = reference.halving(plain, list(zip(source.instances(), y, strict=True)))
    for concepts in (source, table):
        game = play(Halving(concepts), Recorded(X, y))
        assert game.mistakes == sum(guess != label for guess, label in zip(guesses, y, strict=True)) > 0
        assert game.certificate().witness["name"] == "x1 and not x3"


def test_names_show_a_few_labels():
    assert Concepts([[0, 1] * 5]).name(0) == "row 0: 0 1 0 1 0 1 0 1 ..."
    assert Concepts([["b", "a", "c"]]).name(0) == "row 0: b a c"


def test_a_label_of_another_kind_or_against_all_rows_is_refused():
    concepts = Concepts([["a", "b"], ["b", "c"]])
    with pytest.raises(BadLabel, match=r"labels here are \['a', 'b', 'c'\], got 'd'"):
        play(Halving(concepts), Recorded([0], ["d"]))
    with pytest.raises(NotRealizable, match="rounds 1 to 2 are the shortest inconsistent prefix") as refusal:
        play(Halving(concepts), Recorded([0, 1, 0], ["a", "c", "a"]))
    assert refusal.value.game.rounds == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Concepts([]), "got 0 rows and 0 columns"),
        (lambda: Concepts([[], []]), "got 2 rows and 0 columns"),
        (lambda: Concepts(np.zeros((0, 3))), "got 0 rows and 3 columns"),
        (lambda: Concepts([[0, 1], [0]]), "row 0 has 2 labels, row 1 has 1"),
        (lambda: Concepts(7), "a sequence of rows of labels, got 7"),
        (lambda: Concepts([0, 1]), r"a sequence of rows of labels, got \[0, 1\]"),
        (lambda: Concepts(np.zeros(3)), r"a row for each concept, got 1 dimension\(s\)"),
        (lambda: Concepts([[0, None]]), "must not be missing, got None"),
        (lambda: Concepts([[0, float("nan")]]), "must not be missing, got nan"),
        (lambda: Concepts(np.array([[0, np.nan]])), "must not be missing, got nan"),
        (lambda: Concepts([[[1], [2]]]), "must be hashable"),
        (lambda: Concepts([[0, 1]], points=("a",)), "2 columns need as many points, got 1"),
        (lambda: Concepts([[0, 1]], points=("a", "a")), "points must differ"),
        (lambda: Concepts([[0, 1]], names=("a", "b")), "1 rows need as many names, got 2"),
        (lambda: Concepts.of([str.upper], []), "at least one instance"),
        (lambda: Concepts.of([], ["a"]), "got 0 rows and 0 columns"),
    ],
)
def test_what_is_no_table_is_refused(make, message):
    with pytest.raises(BadParameter, match=message):
        make()
