"""Named attributes: an exact dictionary, one at a time or in chunks, with or without a limit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Instances, Tokens
from littlestone.base.errors import BadInstance, BadModel, BadParameter
from littlestone.base.features import Named
from littlestone.base.features.dictionary import (
    Dictionary,
    NumberedRows,
    Spans,
    make_dictionary,
    number_names,
    number_rows,
)
from littlestone.base.features.names import pack_names


def tokens(rows):
    """A chunk whose rows list (name, value) pairs, names coming as often as they like."""
    listed = [pair for row in rows for pair in row]
    text, starts, lengths, keys = pack_names(name for name, _ in listed)
    values = np.array([value for _, value in listed], np.float32)
    return Tokens(np.cumsum([0, *map(len, rows)]), text, starts, lengths, keys, values, np.zeros(len(rows)))


def with_names_once(chunk):
    """The same rows, with each of their names listed once."""
    entries = range(len(chunk.keys))
    firsts = [next(e for e in entries if chunk.keys[e] == chunk.keys[k]) for k in entries]  # the keys here differ
    kept = sorted(set(firsts))
    spans = (part[kept] for part in (chunk.starts, chunk.lengths, chunk.keys))
    which = np.array([kept.index(first) for first in firsts], np.int32)
    return Tokens(chunk.indptr, chunk.text, *spans, chunk.values, chunk.labels, chunk.importance, which)


def by_dict(rows, limit=None, evict="newest"):
    """Numbers and rows as a Python dict would give them."""
    numbers, read = {}, []
    exact = 10**9 if limit is None else limit - (evict == "merge")
    for row in rows:
        sums = {}
        for name, value in row.items():
            if name not in numbers and len(numbers) < exact:
                numbers[name] = len(numbers)
            number = numbers.get(name, limit - 1 if evict == "merge" and limit else None)
            if number is not None:
                sums[number] = sums.get(number, 0.0) + value
        read.append(sums)
    return numbers, read


names = st.one_of(
    st.text(max_size=3),
    st.sampled_from(["a", "b", "eight by", "nine byte", "nine bytf", "a long name of two groups", "a\0b", "a", "\0"]),
    st.binary(max_size=3).map(lambda text: text.decode("utf-8", "surrogateescape")),
)
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
limits = st.one_of(st.none(), st.integers(1, 6))


@given(
    st.lists(st.lists(st.tuples(names, numbers), max_size=10), max_size=6), limits, st.sampled_from(["newest", "merge"])
)
def test_one_at_a_time_in_chunks_and_by_a_dict_are_the_same(rows, limit, evict):
    chunk = tokens(rows)
    live, at_once, once = (Named(limit, evict) for _ in range(3))
    read, same = at_once.read_chunk(chunk), once.read_chunk(with_names_once(chunk))
    assert [same[t].indices.tolist() for t in range(len(rows))] == [read[t].indices.tolist() for t in range(len(rows))]
    assert (same.values.tobytes(), once.numbers, once.beyond) == (
        read.values.tobytes(),
        at_once.numbers,
        at_once.beyond,
    )
    told, expected = by_dict([chunk[t] for t in range(len(rows))], limit, evict)
    for t in range(len(rows)):
        row = live(chunk[t])
        assert row.indices.tolist() == read[t].indices.tolist() == list(expected[t])
        if limit is None:
            assert row.values.tobytes() == read[t].values.tobytes()
        assert np.allclose(row.values, list(expected[t].values()), rtol=1e-12)
    assert live.numbers == at_once.numbers == told
    assert (live.width, live.beyond) == (at_once.width, sum(name not in told for row in chunk for name in row))


@given(st.lists(st.dictionaries(names, numbers, max_size=8), max_size=5))
def test_compiled_and_plain_python_bodies_agree(rows):
    one, other = make_dictionary(64, 4096), make_dictionary(64, 4096)
    for row in rows:
        joined = ("\0".join(row) + "\0" * 8).encode("utf-8", "surrogateescape")
        source, values = np.frombuffer(joined, np.uint8), np.array(list(row.values()), float)
        out, values2 = np.empty((2, len(row)), np.int32), values.copy()
        done = number_names(*one, source, values, 30, -1, out[0])
        assert number_names.py_func(*other, source, values2, 30, -1, out[1]) == done
        assert out[0][: max(done, 0)].tolist() == out[1][: max(done, 0)].tolist()
    for mine, theirs in zip(one, other, strict=True):
        assert mine.tolist() == theirs.tolist()


def test_names_whose_keys_are_equal_are_still_told_apart():
    text, starts, lengths, keys = pack_names(["one long name", "two long name", "one long name"])
    known = make_dictionary()
    out = NumberedRows(np.zeros(2, np.int64), np.empty(3, np.int32), np.empty(3))
    keys[:] = 12345
    for kernel in (number_rows, number_rows.py_func):
        known = make_dictionary()
        found, which = np.full(3, -1, np.int32), np.array([0, 1, 0, 2], np.int32)
        listed = Spans(text, np.array([0, 4]), starts, lengths, keys, which, found, None)
        more = NumberedRows(out[0], np.empty(4, np.int32), np.empty(4))
        assert kernel(known, listed, 9, -1, more) == (1, 0)
        assert (more[1][:2].tolist(), more[2][:2].tolist(), found.tolist()) == ([0, 1], [3.0, 1.0], [0, 1, 0])
        known = make_dictionary()
        spans = Spans(text, np.array([0, 3]), starts, lengths, keys, None, np.empty(0, np.int32), None)
        assert kernel(known, spans, 9, -1, out) == (1, 0)
        assert (out[1][:2].tolist(), out[2][:2].tolist()) == ([0, 1], [2.0, 1.0])


def test_the_dictionary_grows_in_the_middle_of_a_chunk():
    rows = [[(f"name number {7 * t + k}", 1.0) for k in range(50)] for t in range(100)]
    features = Named()
    read = features.read_chunk(tokens(rows))
    told, expected = by_dict([dict(row) for row in rows])
    assert features.numbers == told
    once = Named()
    assert (
        once.read_chunk(with_names_once(tokens(rows[:9]))).indices.tolist()
        == read[:9].indices[: read.indptr[9]].tolist()
    )
    assert [row.indices.tolist() for row in read] == [list(row) for row in expected]
    assert isinstance(features._known, Dictionary)
    assert features({f"name number {k}": 1.0 for k in (99, 3, 10**6)}).indices.tolist() == [
        told["name number 99"],
        3,
        len(told),
    ]


def test_names_may_be_anything_that_hashes_and_keep_their_numbers():
    features = Named()
    assert features({"a": 1.0, 7: 2.0, ("x", 1): 3.0, "\ud800": 4.0}).indices.tolist() == [0, 1, 2, 3]
    assert features({("x", 1): 3.0, "b": 1.0, b"a": 1.0}).indices.tolist() == [2, 4, 5]
    assert features.read_chunk(tokens([[("b", 1.0), ("c", 1.0)]])).indices.tolist() == [4, 6]
    assert [features.name(k) for k in range(7)] == ["a", 7, ("x", 1), "\ud800", "b", b"a", "c"]
    assert features.width == 7


def test_names_with_zero_bytes_are_names():
    features = Named()
    assert features({"a": 1.0, "a\0b": 2.0}).indices.tolist() == [0, 1]
    assert features({"a\0b": 2.0, "b": 1.0, "": 3.0}).indices.tolist() == [1, 2, 3]
    assert features({"": 3.0, "a": 1.0}).indices.tolist() == [3, 0]


def test_beyond_its_limit_the_newest_name_is_left_out_and_counted():
    features = Named(limit=2)
    assert features({"a": 1.0, "b": 2.0, "c": 3.0}).indices.tolist() == [0, 1]
    assert features({"c": 1.0, (1, 2): 1.0}).indices.tolist() == []
    assert (features.width, features.beyond, features.numbers) == (2, 3, {"a": 0, "b": 1})
    player = ls.Player(ls.Perceptron(), features=features)
    player.update({"b": 1.0, "d": 1.0}, True)
    assert player.state.weights.tolist() == [0.0, 1.0]


def test_names_beyond_the_limit_may_share_the_last_attribute():
    features = Named(limit=2, evict="merge")
    row = features({"a": 1.0, "b": 2.0, "c": 3.0})
    assert (row.indices.tolist(), row.values.tolist()) == ([0, 1], [1.0, 5.0])
    assert (features.width, features.beyond) == (2, 2)
    assert [features.name(k) for k in range(2)] == ["a", "(others)"]
    assert features({(1, 2): 4.0, "c": 1.0}).values.tolist() == [5.0]


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": 2**31}, {"evict": "oldest"}], ids=repr)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(BadParameter, match="must be"):
        Named(**options)


def test_a_chunk_is_read_up_to_the_first_row_that_is_not_finite():
    chunk = tokens([[("a", 1.0)], [("new", np.inf)], [("c", 1.0)]])
    features = Named()
    assert len(features.read_chunk(chunk)) == 1
    with pytest.raises(BadInstance, match="finite"):
        features.read_chunk(chunk[1:])
    assert features.numbers == {"a": 0}
    assert len(features.read_chunk(chunk[2:])) == 1
    assert len(features.read_chunk(chunk[3:])) == 0


def test_float32_values_stay_and_others_become_float64():
    assert Named()({"a": np.float32(0.5), "b": np.float32(1)}).values.dtype == np.float32
    for value in (1, 1.5, True, np.int8(1)):
        assert Named()({"a": value}).values.dtype == np.float64
    assert Named().read_chunk(Instances([{"a": 1}, {"b": 2.5}], np.arange(2))).values.tolist() == [1.0, 2.5]


def test_the_caller_keeps_the_values_of_a_row_that_is_merged():
    x = {"a": 1.0, "b": 2.0, "c": 3.0}
    Named(limit=1, evict="merge")(x)
    assert x == {"a": 1.0, "b": 2.0, "c": 3.0}


def test_what_was_met_survives_being_written_down():
    features = Named(limit=4)
    features({"free": 1.0, "größe": 1.0, "": 1.0, "money": 1.0, "late": 1.0})
    record = features.record()
    again = Named.from_record(record)
    assert (again.numbers, again.width, again.beyond) == (features.numbers, 4, 1)
    assert again({"money": 1.0, "x": 1.0}).indices.tolist() == [3]
    of_all_kinds = Named()
    of_all_kinds({"a": 1.0, (1, 2): 1.0, 7: 1.0, "\ud800": 1.0})
    again = Named.from_record(of_all_kinds.record())
    assert again.numbers == of_all_kinds.numbers
    assert again({7: 1.0, "a": 1.0}).indices.tolist() == [2, 0]
    wrong = [{"names": ["a", "a"]}, {"names": [1, 1]}, {"names": ["a"] * 5}, {"names": "ab"}, {"limit": 4.0}]
    for change in [*wrong, {"beyond": -1}, {"beyond": "1"}, {"limit": None}]:
        with pytest.raises(BadModel):
            Named.from_record({**record, **change})


def test_a_name_is_looked_up_without_listing_all_of_them():
    features, names = Named(), [f"x{j}" for j in range(200_000)]
    features(dict.fromkeys(names, 1.0))
    features({7: 1.0, 8.5: 1.0})
    assert [features.name(number) for number in range(200_002)] == [*names, 7, 8.5]
    features({"more": 1.0})
    mark = features.mark()
    features({"most": 1.0})
    assert features.name(200_003) == "most"
    features.undo(mark)
    features({"other": 1.0})
    assert (features.name(200_002), features.name(200_003)) == ("more", "other")
