"""Products of namespaces: named, valued and summed as a slow twin says, one at a time or in chunks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Tokens
from littlestone.base.errors import BadInstance, BadModel, BadParameter, TooLarge
from littlestone.base.features import Crossed, Hashed, Indexed, Named, add_products
from littlestone.base.features.crossed import cross
from littlestone.base.features.hashing import hash_text
from littlestone.base.features.names import pack_names
from reference import products_of_names


def tokens(rows):
    """A chunk whose rows list (name, value) pairs, names coming as often as they like."""
    listed = [pair for row in rows for pair in row]
    values = np.array([value for _, value in listed], np.float32)
    return Tokens(
        np.cumsum([0, *map(len, rows)]), *pack_names(name for name, _ in listed), values, np.arange(len(rows))
    )


names = st.sampled_from(["a^x", "a^y", "a^", "a", "b=1", "b=2", "b^a long name, that is", "c", "ab^x", "^", "größe=ü"])
rows_of_names = st.lists(st.lists(st.tuples(names, st.sampled_from([1.0, 0.1, -2.5, 0.0])), max_size=8), max_size=4)
crosses = st.lists(st.sampled_from(["a:b", "b:a", "a:a", "c:a", "größe:c", "x:y", "ab:b"]), max_size=3, unique=True)


@settings(max_examples=60)
@given(rows_of_names, crosses, st.sampled_from([lambda: Hashed(4), Named]))
def test_products_are_those_of_the_twin_live_and_in_chunks(rows, pairs, make):
    chunk = tokens(rows)
    more = add_products(chunk, pairs)
    for t in range(len(rows)):
        expected = products_of_names(list(chunk[t].items()), pairs)
        assert more[t] == pytest.approx(expected)
    for k in range(more.indptr[-1]):
        name = bytes(more.text[more.starts[k] : more.starts[k] + more.lengths[k]])
        assert int(more.keys[k]) == hash_text(name)
    live, at_once = Crossed(make(), pairs), Crossed(make(), pairs)
    read = at_once.read_chunk(chunk)
    for t in range(len(rows)):
        row = live(chunk[t])
        assert row.indices.tolist() == read[t].indices.tolist()
        assert row.values.tobytes() == read[t].values.tobytes()


@settings(max_examples=20)
@given(rows_of_names)
def test_compiled_and_plain_python_bodies_agree(rows):
    chunk = tokens(rows)
    given = (chunk.indptr, chunk.text, chunk.starts, chunk.lengths, chunk.keys, chunk.values)
    rule = (np.frombuffer(b"ab\0", np.uint8), np.array([0, 1, 2]), np.array([[0, 1], [0, 0]]))
    results = []
    for body in (cross, cross.py_func):
        out = (np.zeros(5, np.int64), np.zeros(4000, np.uint8), np.zeros(200, np.int64), np.zeros(200, np.int32))
        out += (np.zeros(200, np.uint64), np.zeros(200))
        results.append((body(given, rule, out), *(part.tolist() for part in out)))
    assert results[0] == results[1]


def test_labels_and_importance_stay_with_their_rows():
    chunk = tokens([[("a^x", 2.0)], [("a^x", 2.0), ("b^y", 3.0)]])
    more = add_products(chunk[1:], ["a:b"])
    assert (more.labels.tolist(), more[0]) == ([1], {"a^x": 2.0, "b^y": 3.0, "a^x*b^y": 6.0})


def test_a_player_tells_exclusive_or_with_a_product():
    rounds = [({"a=1": x, "b=1": y}, x != y) for x in (0.0, 1.0) for y in (0.0, 1.0)] * 20
    player = ls.Player(ls.Perceptron(), features=Crossed(Named(), ["a:b"]))
    for x, y in rounds:
        player.update(x, y)
    assert [player.predict(x) for x, _ in rounds[:4]] == [False, True, True, False]
    assert player.explain(top=1).rows[0].name == "a=1*b=1"


@pytest.mark.parametrize("pair", ["a", "a:b:c", ":b", "a:", 5], ids=repr)
def test_what_is_no_pair_is_refused(pair):
    with pytest.raises(BadParameter, match="two namespaces"):
        Crossed(Named(), [pair])


def test_instances_without_names_are_refused():
    for x in ([1, 2], {5: 1.0}, "text"):
        with pytest.raises(BadInstance, match="crossed"):
            Crossed(Named(), ["a:b"])(x)


def test_a_row_of_too_many_products_is_refused():
    row = {f"a^{k}": 1.0 for k in range(4200)} | {f"b^{k}": 1.0 for k in range(4200)}
    with pytest.raises(TooLarge, match="16,777,216"):
        Crossed(Hashed(4), ["a:b"])(row)
    chunk = tokens([[("a^x", 1.0), ("b^y", 1.0)], list(row.items())])
    assert add_products(chunk, ["a:b"]).labels.tolist() == [0]
    with pytest.raises(TooLarge, match="one has more"):
        add_products(chunk[1:], ["a:b"])


def test_crosses_survive_in_a_model_file(tmp_path):
    player = ls.Player(ls.Perceptron(), features=Crossed(Hashed(8), "a:b"))
    player.update({"a=1": 1.0, "b=2": 1.0}, True)
    player.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    assert again.features.pairs == ("a:b",)
    assert again.score({"a=1": 1.0, "b=2": 1.0}) == player.score({"a=1": 1.0, "b=2": 1.0}) == 4.0
    for change in ({"features": Indexed()}, {"pairs": ["a:b"]}):
        with pytest.raises(BadModel):
            Crossed.from_record({**player.features.record(), **change})
