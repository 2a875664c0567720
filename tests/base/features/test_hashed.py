"""Hashed attributes: one slot a name, duplicates summed, collisions counted, and live play equal to chunks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Examples, Instances, Tokens
from littlestone.base.errors import BadInstance, BadModel, BadParameter
from littlestone.base.features import Hashed
from littlestone.base.features.hashed import fold
from littlestone.base.features.names import pack_names
from reference import folded_rows


def tokens(rows, labels=None, values=True):
    """A chunk whose rows list (name, value) pairs, names coming as often as they like."""
    listed = [pair for row in rows for pair in row]
    text, starts, lengths, keys = pack_names(name for name, _ in listed)
    indptr = np.cumsum([0, *map(len, rows)])
    weights = np.array([value for _, value in listed], np.float32) if values else None
    return Tokens(indptr, text, starts, lengths, keys, weights, np.array(labels or [0] * len(rows)))


def with_names_once(chunk):
    """The same rows, their names listed once, the last one first."""
    keys = chunk.keys.tolist()
    kept = [keys.index(key) for key in reversed(dict.fromkeys(keys))]
    spans = (part[kept] for part in (chunk.starts, chunk.lengths, chunk.keys))
    which = np.array([[keys[k] for k in kept].index(key) for key in keys], np.int32)
    return Tokens(chunk.indptr, chunk.text, *spans, chunk.values, chunk.labels, chunk.importance, which)


def facts(features):
    return features.entries, features.collisions, features.slots, features.names, features._tags.tolist()


names = st.one_of(st.text(max_size=3), st.sampled_from(["a", "b", "c", "a long name, longer than eight bytes"]))
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-(2.0**90), max_value=2.0**90)
rows_of_names = st.lists(st.lists(st.tuples(names, numbers), max_size=12), max_size=6)


@given(rows_of_names, st.integers(1, 6), st.integers(0, 3))
def test_live_rows_chunks_and_plain_python_are_the_same_bits(rows, bits, seed):
    chunk = tokens(rows)
    live, at_once = Hashed(bits, seed, remember=5), Hashed(bits, seed, remember=5)
    read = at_once.read_chunk(chunk)
    for t in range(len(rows)):
        row = live(chunk[t])
        assert row.indices.tolist() == read[t].indices.tolist()
        assert row.values.tobytes() == read[t].values.tobytes()
    assert facts(live) == facts(at_once)
    once = Hashed(bits, seed, remember=5)
    same = once.read_chunk(with_names_once(chunk))
    assert (same.indices.tolist(), same.values.tobytes()) == (read.indices.tolist(), read.values.tobytes())
    assert facts(once) == facts(at_once)
    expected = folded_rows([list(chunk[t].items()) for t in range(len(rows))], at_once.slot)
    assert [dict(zip(row.indices.tolist(), row.values.tolist(), strict=True)) for row in read] == expected


@given(rows_of_names, st.integers(1, 4))
def test_compiled_and_plain_python_bodies_agree(rows, bits):
    chunk, one = tokens(rows), Hashed(bits)
    read = one.read_chunk(chunk)
    entries = len(chunk.keys)
    indptr, indices, values = np.zeros_like(chunk.indptr), np.empty(entries, np.int32), np.empty(entries, np.float32)
    tags, counts, fresh = np.zeros(1 << bits, np.uint32), np.zeros(4, np.int64), np.empty((2, entries), np.int64)
    rule = (bits, one._salt, tags, counts, fresh)
    assert fold.py_func(chunk.indptr, chunk.keys, None, chunk.values, *rule, indptr, indices, values) == len(rows)
    assert indptr.tolist() == read.indptr.tolist()
    assert indices[: indptr[-1]].tolist() == read.indices.tolist()
    assert values[: indptr[-1]].tobytes() == read.values.tobytes()
    assert (tags.tolist(), counts[:3].tolist()) == (one._tags.tolist(), one._counts[:3].tolist())


def test_a_name_that_comes_twice_is_summed_and_ones_need_no_values():
    assert Hashed()((["a", "b", "a"], [1.0, 2.0, 0.5])).values.tolist() == [1.5, 2.0]
    assert Hashed()((["a", "b", "a"], None)).values.tolist() == [2.0, 1.0]
    assert Hashed().read_chunk(tokens([[("a", 0), ("a", 0)]], values=False)).values.tolist() == [2.0]


def test_names_that_share_a_slot_are_one_attribute_and_are_counted():
    features = Hashed(bits=1)
    names = {features.slot(str(k)): str(k) for k in range(10)}
    first = names[0]
    second = next(str(k) for k in range(100) if features.slot(str(k)) == 0 and str(k) != first)
    assert features({first: 1.0, second: 2.0}).values.tolist() == [3.0]
    assert (features.entries, features.collisions, features.slots) == (2, 1, 1)
    features({second: 1.0})
    features({first: 1.0})
    features({names[1]: 1.0})
    assert (features.entries, features.collisions, features.slots) == (5, 2, 2)
    assert (features.name(0), features.name(1)) == (first, names[1])


def test_collisions_of_many_names_are_as_many_as_chance_says():
    features = Hashed(bits=12)
    features({f"w{k}": 1.0 for k in range(4096)})
    free = 4096 * (1 - 1 / 4096) ** 4096
    assert abs(features.collisions - free) < 150
    assert features.collisions == 4096 - features.slots


def test_another_seed_gives_other_collisions():
    def shared(seed):
        features, taken = Hashed(bits=8, seed=seed), {}
        for k in range(200):
            taken.setdefault(features.slot(f"w{k}"), []).append(k)
        return {tuple(pair[:2]) for pair in taken.values() if len(pair) > 1}

    assert len(shared(0)) > 20
    assert len(shared(0) & shared(1)) < 5


def test_numbered_attributes_are_hashed_by_number_in_rows_and_matrices():
    features = Hashed(bits=8)
    X = [[0, 2.0, 0, 1.0], [1.0, 0, 0, 0]]
    chunk = features.read_chunk(Examples.of(X, [0, 1]))
    expected = {features.slot(1): 2.0, features.slot(3): 1.0}
    for x in (X[0], {1: 2.0, 3: 1.0}, ([1, 3], [2.0, 1.0]), chunk):
        row = chunk[0] if x is chunk else features(x)
        assert dict(zip(row.indices.tolist(), row.values.tolist(), strict=True)) == expected
    assert features({2**40: 1.0}).indices.tolist() == [features.slot(2**40)]
    assert features({b"free": 1.0}).indices.tolist() == features({"free": 1.0}).indices.tolist()
    sliced = Hashed(bits=8).read_chunk(Examples.of(X, [0, 1]).to_sparse()[1:])
    assert (sliced.indices.tolist(), sliced.labels.tolist()) == ([features.slot(0)], [1])


def test_names_and_numbers_are_remembered_within_the_budget():
    features = Hashed(bits=16, remember=2)
    features({"a": 1.0, 5: 1.0, "c": 1.0})
    assert [features.name(features.slot(name)) for name in ("a", 5, "c")] == ["a", 5, None]


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ({"a": float("inf")}, "finite"),
        ({"a": 1e39}, "finite"),
        ((["a", "a"], [3e38, 3e38]), "finite"),
        ({(1, 2): 1.0}, "names or numbers"),
        ({-1: 1.0}, "names or numbers"),
        ([-1.0, float("inf")], "finite"),
        (([-1], [1.0]), "at least 0"),
        ({"a": b"b"}, "numbers"),
        ((["a"], [1.0, 2.0]), "as many values"),
        ("free money", "Words"),
    ],
    ids=repr,
)
def test_a_refused_instance_takes_no_slot(x, said):
    features = Hashed(bits=4)
    with pytest.raises(BadInstance, match=said):
        features(x)
    assert facts(features)[:4] == (0, 0, 0, {})


def test_a_chunk_is_read_up_to_the_first_row_that_is_not_finite():
    chunk = tokens([[("a", 1.0)], [("b", 3e38), ("b", 3e38)], [("c", 1.0)]], [0, 1, 0])
    features = Hashed()
    assert len(features.read_chunk(chunk)) == 1
    assert features.entries == 1
    with pytest.raises(BadInstance, match="finite"):
        features.read_chunk(chunk[1:])
    assert len(features.read_chunk(chunk[2:])) == 1
    assert len(features.read_chunk(chunk[3:])) == 0


def test_importance_and_labels_stay_with_their_rows():
    chunk = tokens([[("a", 1.0)], [], [("b", 1.0)]], [3, 4, 5])
    heavy = replace(chunk, importance=np.array([1.0, 2.0, 3.0]))
    read = Hashed().read_chunk(heavy[1:])
    assert (read.labels.tolist(), read.importance.tolist(), np.diff(read.indptr).tolist()) == ([4, 5], [2, 3], [0, 1])


def test_dicts_in_a_chunk_are_read_as_one_by_one():
    xs = [{"a": 1.0}, {"b": 2.0, "a": 0.5}]
    live, at_once = Hashed(), Hashed()
    read = at_once.read_chunk(Instances(xs, np.arange(2)))
    assert [read[t].indices.tolist() for t in range(2)] == [live(x).indices.tolist() for x in xs]


def test_what_was_met_survives_being_written_down():
    features = Hashed(bits=6, seed=3, remember=10)
    features({f"w{k}": 1.0 for k in range(50)})
    features({7: 1.0})
    record = features.record()
    again = Hashed.from_record(record)
    assert facts(again) == facts(features)
    assert again({"new": 1.0}).indices.tolist() == features({"new": 1.0}).indices.tolist()
    wrong = [
        {"bits": 7},
        {"bits": 31},
        {"bits": 6.0},
        {"seed": "3"},
        {"tags": record["tags"].astype(np.int32)},
        {"tags": [0] * 64},
        {"counts": record["counts"][:2]},
        {"counts": np.array([1, 1, 1])},
        {"names": [[64, "a"]]},
        {"names": [[1, ("a",)]]},
        {"remember": 3},
    ]
    for change in wrong:
        with pytest.raises(BadModel):
            Hashed.from_record({**record, **change})


@pytest.mark.parametrize("options", [{"bits": 0}, {"bits": 31}, {"seed": -1}, {"remember": -1}], ids=repr)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(BadParameter, match="must be"):
        Hashed(**options)


def test_a_player_learns_from_hashed_names():
    player = ls.Player(ls.Perceptron(), features=Hashed(bits=10))
    for _ in range(5):
        player.update({"free": 1.0, "money": 1.0}, True)
        player.update({"meeting": 1.0}, False)
    assert player.predict({"free": 1.0}) is True
    assert player.predict({"meeting": 1.0}) is False
    assert player.state.weights.dtype == np.float32


@pytest.mark.parametrize("x", [3.0, 3, True, None, np.float64(3), np.array(3.0)], ids=repr)
def test_a_bare_number_is_refused_with_what_was_expected(x):
    player = ls.Player(ls.Perceptron(), features=Hashed(bits=4))
    said = r"an instance is a vector of attributes, such as \[0.5, 2.0\] or \{3: 0.5\}, got .*(3|True|None)"
    for refused in (player.predict, player.score, lambda x: player.update(x, True)):
        with pytest.raises(BadInstance, match=said):
            refused(x)
    assert (player.features.entries, player.tally.rounds) == (0, 0)


def test_a_pair_of_numbers_is_a_row_of_two():
    features = Hashed(bits=10)
    pair, listed = features((3, 4)), Hashed(bits=10)([3, 4])
    assert (pair.indices.tolist(), pair.values.tolist()) == (listed.indices.tolist(), listed.values.tolist())
    assert sorted(pair.values.tolist()) == [3.0, 4.0]


@pytest.mark.parametrize("x", [([1, 2], 3.0), (["a", "b"], 3.0), ([1, 2], [[3.0, 4.0]])], ids=repr)
def test_names_without_a_list_of_values_are_refused(x):
    with pytest.raises(BadInstance, match="need as many values, got an array of shape"):
        Hashed(bits=4)(x)
