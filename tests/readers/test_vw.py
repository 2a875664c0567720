"""Vowpal Wabbit text: lines as that program sees them, and everything it takes without a word refused."""

import io

import numpy as np
import pytest
import vowpalwabbit
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.base.errors import BadData
from littlestone.base.features.hashing import hash_text
from littlestone.game.play import play
from littlestone.learners import Perceptron
from littlestone.readers import vw
from littlestone.readers.reading import read
from littlestone.readers.vw import VowpalWabbit
from reference import vw_rows


def rows(text, **options):
    """(label, importance, {name: value}) for each round, and the reading."""
    reading = read(io.BytesIO(text.encode() if isinstance(text, str) else text), "vw", **options)
    found = []
    for chunk in reading.chunks():
        weights = [1.0] * len(chunk) if chunk.importance is None else chunk.importance.tolist()
        found += list(zip(chunk.labels.tolist(), weights, list(chunk), strict=True))
    return found, reading


names = st.text("abcXYZ_^=0123456789é漢", min_size=1, max_size=20)
values = st.one_of(st.integers(-99, 99).map(str), st.floats(-100, 100).map("{:.4f}".format), st.just("1e-2"))
features = st.lists(st.one_of(names, st.tuples(names, values).map(":".join)), max_size=5)
blanks = st.sampled_from([" ", " ", "  "])


@st.composite
def lines(draw, unique=False):
    numbers = [draw(st.sampled_from(["1", "-1", "0.5", "+2", "1e1"]))]
    if draw(st.booleans()):
        numbers.append(draw(st.sampled_from(["1", "2.5", "0.25"])))
        if draw(st.booleans()):
            numbers.append("0")
    text = draw(blanks).join(numbers) + " " + draw(st.sampled_from(["", "", "'tag", "'", "tag", "'7 ", "x:y"]))
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.one_of(st.just(""), names))
        text += "|" + name + (":" + draw(values) if name and draw(st.booleans()) else "")
        text += "".join(draw(blanks) + word for word in draw(features)) + draw(st.sampled_from(["", " "]))
    return text


files = st.lists(st.one_of(lines(), lines(), st.sampled_from(["", " "])), max_size=6)


@given(files, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_reads_what_the_plain_twin_reads(texts, end, final):
    text = end.join([*texts, "1 |a b"]) + (end if final else "")
    ours, theirs = rows(text)[0], vw_rows(text)
    assert len(ours) == len(theirs)
    for (label, weight, mine), (their_label, their_weight, pairs) in zip(ours, theirs, strict=True):
        assert (label, weight) == (float(their_label), float(their_weight))
        sums = {}
        for name, value in pairs:
            sums[name] = sums.get(name, 0) + float(value)
        assert list(mine) == list(sums)
        assert list(mine.values()) == pytest.approx(list(sums.values()), rel=1e-6, abs=1e-5)


@given(st.lists(lines(), min_size=1, max_size=4))
def test_keys_are_those_of_the_names(texts):
    for chunk in read(io.BytesIO("\n".join(texts).encode()), "vw").chunks():
        for k, (start, length) in enumerate(zip(chunk.starts.tolist(), chunk.lengths.tolist(), strict=True)):
            assert chunk.keys[k] == hash_text(bytes(chunk.text[start : start + length]))


def test_sees_lines_as_the_program_does():
    """Labels, importance, values in order, and names: hashed by that program, they give the attributes it sees."""
    their = vowpalwabbit.Workspace(quiet=True, noconstant=True)
    texts = [
        "1 2.0 'tag|words free:2 money 12:3 |sender:0.5 unknown a:-0.125 |b x",
        "-1 | 13:0.25 24:1 07:2",
        "0.5 1.5 0 tag|a b c:1e-2 d",
        "1 |a x |b:2 x:3 y |c z:-4",
        "+1 'x |ns a\tb  c:2 ",
    ]
    for text, (label, weight, row) in zip(texts, rows("\n".join(texts))[0], strict=True):
        example = their.example(text)
        assert (example.get_simplelabel_label(), example.get_simplelabel_weight()) == (label, weight)
        theirs = [
            (example.feature(space, k), example.feature_weight(space, k))
            for space in range(example.num_namespaces())
            for k in range(example.num_features_in(space))
        ]
        assert [value for _, value in theirs] == pytest.approx(list(row.values()), rel=1e-6)
        for (attribute, _), name in zip(theirs, row, strict=True):
            space, hat, own = name.rpartition("^")
            assert attribute == their.hash_feature(own, their.hash_space(space if hat else " "))
        their.finish_example(example)
    their.finish()


@settings(max_examples=15)
@given(st.lists(lines(), min_size=1, max_size=3))
def test_the_compiled_way_and_plain_python_agree(texts):
    text = "\n".join([*texts, "1 |a b:1e99"]).encode() + b"\n"
    data = np.frombuffer(text + bytes(64), np.uint8)
    compiled = VowpalWabbit().parse(data, 0, len(text))
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):  # words wrap around
        for name in ("parse", "read_before_bar", "read_float"):
            patch.setattr(vw, name, getattr(vw, name).py_func)
        slow = VowpalWabbit().parse(data, 0, len(text))
    for name in ("indptr", "text", "starts", "lengths", "keys", "values", "labels"):
        assert getattr(compiled.chunk, name).tolist() == getattr(slow.chunk, name).tolist()
    assert compiled.problem == slow.problem is not None


def test_a_game_can_be_played_with_names():
    text = b"1 |w free money\n-1 |w lunch at noon\n" * 20
    assert play(Perceptron(), io.BytesIO(text)).mistakes <= 2


LENIENT = {
    "empty lines": (b"\n1 |a b\n \t\n", [(1, 1, {"a^b": 1})]),
    "CR LF": (b"1 |a b\r\n-1 |a c:2\r\n", [(1, 1, {"a^b": 1}), (-1, 1, {"a^c": 2})]),
    "CR CR LF": (b"1 |a b \r\r\n\r\r\n-1 |a c:2\r", [(1, 1, {"a^b": 1}), (-1, 1, {"a^c": 2})]),
    "tabs": (b" \t1 |a\tb\t c:2\t|\td\n", [(1, 1, {"a^b": 1, "a^c": 2, "d": 1})]),
    "no final newline": (b"1 |a b:2", [(1, 1, {"a^b": 2})]),
    "no features": (b"1 |\n-1 |a\n", [(1, 1, {}), (-1, 1, {})]),
    "no UTF-8": (b"1 |a caf\xe9\n", [(1, 1, {"a^caf\udce9": 1})]),
    "bars without spaces": (b"1 |a b|c d:2|e\n", [(1, 1, {"a^b": 1, "c^d": 2})]),
    "twice": (b"1 | x x:2\n", [(1, 1, {"x": 3})]),
    "importance nought": (b"1 0 |a b\n", [(1, 0, {"a^b": 1})]),
    "a million characters": (b"1 |a " + b"x" * 10**6 + b":2\n", [(1, 1, {"a^" + "x" * 10**6: 2})]),
    "a colon in a tag": (b"1 'a:b|a b\n", [(1, 1, {"a^b": 1})]),
}


@pytest.mark.parametrize("name", LENIENT)
def test_lenient_readings(name):
    text, expected = LENIENT[name]
    assert rows(text)[0] == expected


BAD = {
    "garbage": (b"1 |a b\ngarbage\n", 2, 1, "a line has a bar"),
    "numbers alone": (b"1 2\n", 1, 1, "a line has a bar"),
    "svmlight": (b"1 2:3 4:5\n", 1, 1, "a line has a bar"),
    "no label": (b"|a b\n", 1, 1, "begins with its label.*labelled=False"),
    "tag alone": (b"'tag |a b\n", 1, 1, "begins with its label"),
    "label touches the bar": (b"1|a b\n", 1, 1, "a space before the bar"),
    "label is a word": (b"spam |a b\n", 1, 1, "which are numbers; got 'spam'"),
    "label with a cost": (b"1:2 |a b\n", 1, 1, "which are numbers; got '1:2'"),
    "label is NaN": (b"nan |a b\n", 1, 1, "got 'nan'"),
    "label beyond float64": (b"1e999 |a b\n", 1, 1, "in the range"),
    "negative importance": (b"1 -2 |a b\n", 1, 3, "from 0 on; got '-2'"),
    "importance is a word": (b"1 two |a b\n", 1, 3, "got 'two'"),
    "a base": (b"1 1 0.5 |a b\n", 1, 5, "a base other than 0"),
    "four numbers": (b"1 1 0 7 |a b\n", 1, 7, "at most three numbers"),
    "a tag in the middle": (b"1 'tag 1 |a b\n", 1, 8, "the last word before the bar"),
    "a tab after a label": (b"1 \t2 |a b\n", 1, 1, "drops what stands before a tab; got '1'"),
    "a tab after a tag": (b"1 'x\t|a b\n", 1, 3, 'drops what stands before a tab; got "\'x"'),
    "a CR among features": (b"1 |a b \rc\n", 1, 8, "control characters; got a CR"),
    "a CR after a name": (b"1 |a b\rc\n", 1, 7, "control characters; got a CR"),
    "a CR after a label": (b"1\r|a b\n", 1, 2, "control characters; got a CR"),
    "no name": (b"1 |a :2\n", 1, 6, "neither name is empty"),
    "no namespace": (b"1 |:2 b\n", 1, 4, "neither name is empty"),
    "value is NaN": (b"1 |a b:nan\n", 1, 8, "got 'nan'"),
    "value is infinite": (b"1 |a b:-inf\n", 1, 8, "got '-inf'"),
    "value beyond float32": (b"1 |a b:1e39\n", 1, 8, "in the range of float32"),
    "value beyond by its scale": (b"1 |a:1e30 b:1e30\n", 1, 13, "in the range of float32"),
    "value missing": (b"1 |a b:\n", 1, 8, "got the end of the line"),
    "two colons": (b"1 |a b:1:2\n", 1, 8, "got '1:2'"),
    "scale is a word": (b"1 |a:x b\n", 1, 6, "got 'x'"),
    "truncated": (b"1 |a b\n-1 |a c:", 2, 9, "end of the line"),
    "binary": (b"1 |a b\x00c\n", 1, 7, "control characters"),
    "binary before the bar": (b"\x01\x02 |a\n", 1, 1, "control characters"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_is_named_with_its_place(name, tmp_path):
    text, line, column, said = BAD[name]
    path = tmp_path / "bad.vw"
    path.write_bytes(text)
    with pytest.raises(BadData, match=said) as caught:
        list(read(path).chunks())
    assert (caught.value.line, caught.value.column, caught.value.name) == (line, column, str(path))


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_can_be_skipped_and_is_counted(name):
    text, line, column, _ = BAD[name]
    good = b"1 |g h\n"
    ours, reading = rows(good + text.rstrip(b"\n") + b"\n" + good, on_error="skip")
    assert ours == [(1, 1, {"g^h": 1})] + [(1, 1, {"a^b": 1})] * (line - 1) + [(1, 1, {"g^h": 1})]
    assert reading.skipped.count == 1
    assert reading.skipped.places[0][:3] == ("<BytesIO>", line + 1, column)


def test_rows_without_labels_are_read_when_said():
    text = "|a b\n'tag |a c\n1|a d\n1 2 'x|a e\nspam |a f\n"
    expected = [(None, 1, {f"a^{letter}": 1}) for letter in "bcdef"]
    assert [(label, 1, row) for label, _, row in rows(text, labelled=False)[0]] == expected
    with pytest.raises(BadData, match=r"line 1.*has a bar"):
        rows("garbage\n", labelled=False)


def test_a_long_namespace_is_repeated_for_each_feature_up_to_a_limit(monkeypatch):
    text = b"1 |" + b"n" * 2000 + b" a" * 3000 + b"\n"
    ((_, _, row),), _ = rows(text)
    assert row == {"n" * 2000 + "^a": 3000}
    monkeypatch.setattr(vw, "LONGEST", 1 << 16)
    with pytest.raises(BadData, match="must take less than 65536 bytes"):
        rows(text)


@pytest.mark.parametrize(
    ("head", "yes"),
    [
        (b"1 |a b\n", True),
        (b"1 1.5 'tag|a b:1\n-1 | 1:2\n", True),
        (b"|a b\n", True),
        (b"a|b|c\n", False),
        (b"1|2|3\n", False),
        (b"1 2:3\n", False),
        (b"", False),
    ],
)
def test_recognises_its_own(head, yes):
    assert VowpalWabbit.recognises(head) is yes
