import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import BadData
from littlestone.base.features.dicts import flatten
from littlestone.readers.jsonl import Jsonl
from littlestone.readers.reading import read

GOOD = b'{"label": "yes", "age": 39, "tags": ["a", "b"]}\n'


def rounds(data, **options):
    chunks = list(read(io.BytesIO(data), "jsonl", **options).chunks())
    return [row for chunk in chunks for row in chunk], [label for chunk in chunks for label in chunk.labels.tolist()]


def test_members_are_attributes_and_the_label():
    data = GOOD + b'\n  {"class": 1, "label": "no", "at": {"x": 0.5}, "on": true, "off": null}\r\n'
    assert rounds(data) == ([{"age": 39, "tags=a": 1, "tags=b": 1}, {"class": 1, "at.x": 0.5, "on": 1}], ["yes", "no"])
    assert rounds(GOOD, label="age") == ([{"label=yes": 1, "tags=a": 1, "tags=b": 1}], [39])
    assert rounds(GOOD.rstrip(b"\n")) == rounds(GOOD)
    assert rounds(GOOD, labelled=False)[1] == [None]
    assert rounds(b'{"a": 1}\n', labelled=False) == ([{"a": 1}], [None])


def test_labels_have_their_own_type():
    for said, kind in (("1", np.int64), ("1.5", np.float64), ("true", np.bool_), ('"x"', object), (str(2**70), object)):
        (chunk,) = read(io.BytesIO(b'{"y": %b, "a": 1}\n' % said.encode()), "jsonl").chunks()
        assert chunk.labels.dtype == kind
        assert chunk.labels.tolist() == [json.loads(said)]


BAD = {
    "not JSON": (b'{"label": 1, "a": }\n', 19, "expecting value"),
    "cut short": (b'{"label": 1, "a"\n', 17, "delimiter"),
    "a quote unclosed": (b'{"label": 1, "a: 1}\n', 14, "unterminated string"),
    "two objects": (b'{"label": 1} {"label": 2}\n', 14, "extra data"),
    "a list": (b"[1, 2]\n", 1, "got '\\[1, 2\\]'"),
    "a word": (b"garbage\n", 1, "expecting value"),
    "binary": (b"\x80\x81\n", 1, "UTF-8, got the byte"),
    "wrong encoding": ('{"label": 1, "a": "é"}\n'.encode("latin-1"), 20, "UTF-8, got the byte"),
    "UTF-8 before the error": ('{"é": "é", "a": }\n'.encode(), 19, "expecting value"),
    "NaN": (b'{"label": 1, "a": NaN}\n', 1, "finite, got NaN"),
    "infinity": (b'{"label": 1, "a": -Infinity}\n', 1, "finite, got -Infinity"),
    "1e999": (b'{"label": 1, "a": 1e999}\n', 1, "finite numbers, got inf in 'a'"),
    "1e39": (b'{"label": 1, "a": 1e39}\n', 1, "range of float32"),
    "a number of a thousand digits": (b'{"label": 1, "a": 1%b}\n' % (b"0" * 1000), 1, "finite numbers"),
    "a number of ten thousand digits": (b'{"label": 1, "a": 1%b}\n' % (b"0" * 10**4), 1, "must be an object in JSON"),
    "a name twice": (b'{"label": 1, "a": 1, "a": 2}\n', 1, "'a' comes twice"),
    "lists in lists": (b'{"label": 1, "a": [[1]]}\n', 1, "got a list in 'a'"),
    "half a surrogate pair": (b'{"label": 1, "a": "\\ud800"}\n', 1, "surrogate"),
    "too deep": (b'{"label": 1, "a": ' + b'{"a":' * 60 + b"1" + b"}" * 61 + b"\n", 1, "32 deep"),
    "far too deep": (b'{"label": 1, "a": ' + b"[" * 10**5 + b"\n", 1, "must be an object in JSON"),
    "no label": (b'{"a": 1}\n', 1, "'label', is a text, a number or a boolean, got nothing"),
    "a label that is null": (b'{"label": null}\n', 1, "got nothing"),
    "a label that is a list": (b'{"label": [1]}\n', 1, "got \\[1\\]"),
    "an infinite label": (b'{"label": 1e999}\n', 1, "range of float64"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_is_named_with_its_place_or_skipped(name):
    line, column, message = BAD[name]
    with pytest.raises(BadData, match=message) as caught:
        rounds(GOOD + b"\n" + line + GOOD)
    assert (caught.value.line, caught.value.column) == (3, column)
    stream = read(io.BytesIO(GOOD + line + GOOD), "jsonl", on_error="skip")
    assert sum(map(len, stream.chunks())) == 2
    assert stream.skipped.count == 1


def test_a_first_record_without_a_label_is_refused():
    with pytest.raises(BadData, match="line 2: no label: none of label, class, target, y is among 'a'; say label="):
        rounds(b'\n{"a": 1}\n')
    with pytest.raises(BadData, match="line 1, byte 1: a line must be an object"):
        rounds(b"garbage\n")
    with pytest.raises(BadData, match="there is no record"):
        rounds(b"\n\n")


def test_a_text_of_a_million_characters_is_a_name():
    text = "x" * 10**6
    assert rounds(json.dumps({"label": 1, "a": text}).encode())[0] == [{f"a={text}": 1.0}]


@pytest.mark.parametrize(
    ("head", "yes"),
    [(GOOD, True), (b"\n" + GOOD, True), (b"[1]\n", False), (b"a,b\n1,2\n", False), (b"1 |a b\n", False)],
)
def test_recognises_objects(head, yes):
    assert Jsonl.recognises(head) is yes


leaf = st.one_of(
    st.none(), st.booleans(), st.floats(width=32, allow_nan=False, allow_infinity=False), st.text(max_size=5)
)
names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=5)
objects = st.dictionaries(
    names, st.one_of(leaf, st.dictionaries(names, leaf, max_size=2), st.lists(st.text(max_size=3)))
)


@given(st.lists(objects, min_size=1, max_size=8), st.booleans())
def test_reads_what_pythons_json_writes(rows, ascii):
    rows = [{key: value for key, value in row.items() if key != "label"} for row in rows]
    lines = [json.dumps({**row, "label": t}, ensure_ascii=ascii) for t, row in enumerate(rows)]
    found, labels = rounds("\n".join(lines).encode(), label="label")
    assert found == [flatten(row) for row in rows]
    assert labels == list(range(len(rows)))


def test_a_game_is_played_on_objects():
    data = b'{"y": "a", "colour": "red"}\n{"y": "b", "colour": "blue"}\n' * 20
    game = ls.play(ls.Perceptron(), read(io.BytesIO(data)))
    assert game.mistakes <= 2
    assert game.player.predict({"colour": "blue"}) == "b"


def test_words_in_a_member_that_is_told_to_hold_numbers_count_as_missing():
    good = [b'{"label": %d, "a": %d, "b": 1}\n' % (t % 2, t % 31 + 1) for t in range(300)]
    words = {7: b'{"label": 1, "a": "oops", "b": 1}\n', 250: b'{"label": 0, "b": 1, "a": " n/a "}\n'}
    words[260] = b'{"label": 0, "b": 1, "a": " 7.5 "}\n'
    words[270] = b'{"label": 0, "b": 1, "a": ""}\n'
    data = b"".join(words.get(t, line) for t, line in enumerate(good))
    with pytest.raises(BadData, match=r"line 8, .*column 'a' holds numbers, got 'oops'"):
        rounds(data)
    stream = read(io.BytesIO(data), "jsonl", types={"a": "number"})
    rows = [row for chunk in stream.chunks() for row in chunk]
    assert [rows[t] for t in (6, 7, 250, 260, 270)] == [
        {"a": 7, "b": 1},
        {"b": 1},
        {"b": 1},
        {"a": 7.5, "b": 1},
        {"b": 1},
    ]
    assert (len(rows), stream.skipped.words, stream.skipped.count) == (300, 2, 0)
    bad = read(io.BytesIO(data + b'{"a": "oops"}\n' + good[0]), "jsonl", types={"a": "number"}, on_error="skip")
    assert sum(len(chunk) for chunk in bad.chunks()) == 301
    assert (bad.skipped.words, bad.skipped.count) == (2, 1)
