"""Labels of any kind become class numbers, and a guess becomes a label again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadLabel
from littlestone.base.labels import Labels


def numbers(labels, limit=2, declared=()):
    table = Labels(declared)
    return [table.encode_one(label, limit) for label in labels]


@pytest.mark.parametrize("negative", [False, 0, -1, 0.0, -1.0, np.int8(-1), np.False_, np.float64(0)], ids=repr)
@pytest.mark.parametrize("positive", [True, 1, 1.0, np.int64(1), np.True_, np.float32(1)], ids=repr)
def test_the_usual_labels_are_negative_and_positive_whichever_comes_first(negative, positive):
    assert numbers([negative, positive, negative]) == [0, 1, 0]
    assert numbers([positive, negative, positive]) == [1, 0, 1]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["spam", "ham", "spam"], [0, 1, 0]),
        (["ham", "spam"], [0, 1]),
        ([2, 1], [0, 1]),
        ([1, 2], [1, 0]),
        ([0, 2], [0, 1]),
        ([2, 0], [0, 1]),
        ([-1, 0], [0, 1]),
        ([2.5, 7.5], [0, 1]),
        ([("a", 1), ("b", 2)], [0, 1]),
        ([np.str_("a"), "b", "a"], [0, 1, 0]),
    ],
    ids=repr,
)
def test_of_other_labels_the_first_one_seen_is_negative_unless_the_other_one_means_positive(labels, expected):
    assert numbers(labels) == expected


def test_a_third_class_is_refused_with_the_two_known_ones_and_the_way_out():
    table = Labels()
    table.encode(["ham", "spam"], limit=2)
    with pytest.raises(BadLabel, match=r"'eggs' would be class 3.*\['ham', 'spam'\].*Network\(learner\)"):
        table.encode_one("eggs", limit=2)
    assert table.names == ["ham", "spam"]
    assert table.encode_one("eggs", limit=3) == 2


@pytest.mark.parametrize(
    ("label", "said"),
    [(None, "missing"), (float("nan"), "missing"), (np.float64("nan"), "missing"), ([1], "hashable"), ({}, "hashable")],
    ids=repr,
)
def test_what_is_missing_or_cannot_be_hashed_is_no_label(label, said):
    for table in (Labels(), Labels(["a", "b"]), Labels([False, True])):
        before = table.names
        with pytest.raises(BadLabel, match=said):
            table.encode_one(label, limit=9)
        assert table.names == before


def test_declared_classes_keep_their_order_and_close_the_table():
    assert numbers(["b", "a"], declared=["a", "b"]) == [1, 0]
    with pytest.raises(BadLabel, match=r"\['a', 'b'\], got 'c'"):
        numbers(["c"], limit=9, declared=["a", "b"])
    with pytest.raises(BadLabel, match="differ"):
        Labels(["a", "a"])


def test_declared_truth_values_take_every_usual_spelling_and_nothing_else():
    assert numbers([True, 1, False, 0, -1], declared=[False, True]) == [1, 1, 0, 0, 0]
    for other in (2, "True", "1", 0.5):
        with pytest.raises(BadLabel, match="False and True"):
            numbers([other], declared=[False, True])


@pytest.mark.parametrize(
    ("seen", "unseen", "suggested"),
    [(True, 0, False), (False, 1, True), (1, 0, 0), (0, 1, 1), (-1, 1, 1), (-1.0, 1, 1.0), ("ham", 1, None)],
    ids=repr,
)
def test_a_class_that_was_not_met_is_called_what_the_other_one_suggests(seen, unseen, suggested):
    table = Labels()
    table.encode_one(seen, limit=2)
    assert table.name(unseen) == suggested
    assert type(table.name(unseen)) is type(suggested)


def test_before_any_label_there_is_no_name():
    table = Labels()
    assert (table.name(0), table.name(1), table.names, len(table)) == (None, None, [], 2)


def test_encoding_stops_before_the_first_refused_label():
    table = Labels()
    assert table.encode(["a", "b", "c", "a"], limit=2).tolist() == [0, 1]
    with pytest.raises(BadLabel):
        table.encode(["c", "a"], limit=2)
    assert table.names == ["a", "b"]


def test_a_copy_is_independent():
    table = Labels()
    table.encode_one("a", limit=2)
    other = table.copy()
    other.encode_one("b", limit=2)
    assert (table.names, other.names) == (["a", None], ["a", "b"])


usual = st.sampled_from([False, True, 0, 1, -1, 0.0, 1.0, -1.0])
label = st.one_of(usual, st.text(max_size=2), st.integers(-3, 3), st.tuples(st.integers(0, 2)))


@given(st.lists(label, max_size=20))
def test_numbers_have_no_gaps_but_one_and_a_known_label_keeps_its_number(labels):
    table = Labels()
    first = {}
    for one in labels:
        first.setdefault(one, table.encode_one(one, limit=99))
    assert [table.encode_one(one, limit=99) for one in labels] == [first[one] for one in labels]
    assert len(set(first.values())) == len(first)
    assert all(table.name(number) == one for one, number in first.items())
    assert set(range(len(table))) - set(first.values()) <= {0, 1}


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, bool])
@pytest.mark.parametrize("met", [(), (1,), (3, 0)])
@given(values=st.lists(st.integers(0, 5), min_size=65, max_size=90), limit=st.integers(1, 7))
def test_many_whole_numbers_get_the_numbers_that_they_get_one_by_one(kind, met, values, limit):
    array = np.array(values).astype(kind)
    many, single = Labels(), Labels()
    for label in met:
        many.encode_one(label, 9)
        single.encode_one(label, 9)
    outcomes = []
    for labels, stream in ((many, array), (single, iter(array))):
        try:
            outcomes.append(labels.encode(stream, limit).tolist())
        except BadLabel as problem:
            outcomes.append(str(problem))
    assert outcomes[0] == outcomes[1]
    assert (many._names, many._numbers) == (single._names, single._numbers)
    assert [type(name) for name in many.names] == [type(name) for name in single.names]


class Slow(Labels):
    """One label after another, as the definition has it."""

    def encode(self, labels, limit):
        return super().encode(labels.tolist(), limit)


numeric = st.one_of(
    st.lists(st.sampled_from([-1, 0, 1]), max_size=30).map(lambda each: np.array(each, np.int64)),
    st.lists(st.integers(-3, 40), max_size=60).map(lambda each: np.array(each, np.int16)),
    st.lists(st.sampled_from([0.0, -0.0, 1.0, 2.5, -1.0, float("nan"), 1e300]), max_size=30).map(np.array),
    st.lists(st.booleans(), max_size=30).map(lambda each: np.array(each, bool)),
    st.lists(st.sampled_from(["ham", "spam", "", "eggs"]), max_size=30).map(lambda each: np.array(each, "U4")),
    st.lists(st.integers(0, 60).map(str), max_size=80).map(lambda each: np.array(each, "S2")),
    st.lists(st.sampled_from([0, 1, 2**64 - 1]), max_size=9).map(lambda each: np.array(each, np.uint64)),
)


@given(
    st.lists(numeric, min_size=1, max_size=4), st.sampled_from([2, 3, 20, 1000]), st.sampled_from([(), (False, True)])
)
def test_labels_in_bulk_get_the_numbers_and_the_errors_they_get_one_by_one(arrays, limit, declared):
    fast, slow = Labels(declared), Slow(declared)
    for array in arrays:
        outcomes = []
        for table in (fast, slow):
            try:
                numbers = table.encode(array, limit)
                outcomes.append((numbers.tolist(), numbers.dtype))
            except BadLabel as problem:
                outcomes.append(str(problem))
        assert outcomes[0] == outcomes[1]
        assert fast.names == slow.names
        assert [type(name) for name in fast.names] == [type(name) for name in slow.names]


def test_thousands_of_classes_are_numbered_in_the_order_in_which_they_come():
    labels = np.random.default_rng(0).integers(0, 5000, 20_000) + 7
    assert Labels().encode(labels, 10_000).tolist() == Slow().encode(labels, 10_000).tolist()


def test_an_error_lists_few_of_many_classes():
    for labels, limit in ((Labels(range(10, 50_010)), 60_000), (Labels(), 2)):
        if not labels.closed:
            labels.encode(list(range(10, 50_010)), 50_000)
        with pytest.raises(BadLabel, match=r"\[10, 11, 12, .*25\] and 49,984 more") as problem:
            labels.encode_one("new", limit)
        assert len(str(problem.value)) < 300
