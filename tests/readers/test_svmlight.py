"""svmlight: rows as scikit-learn reads them, and everything else refused with its place."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

from littlestone.base.errors import BadData, BadParameter
from littlestone.readers import svmlight
from littlestone.readers.reading import read
from littlestone.readers.svmlight import Svmlight
from reference import nearest_float32, svmlight_rows


def padded(text):
    return np.frombuffer(text + bytes(64), np.uint8)


def rows(text, **options):
    """(label, {index: value}) for each round, and the reading."""
    reading = read(io.BytesIO(text.encode() if isinstance(text, str) else text), "svmlight", **options)
    return [
        (label, dict(zip(chunk[t].indices.tolist(), chunk[t].values.tolist(), strict=True)))
        for chunk in reading.chunks()
        for t, label in enumerate(chunk.labels.tolist())
    ], reading


decimals = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.floats(-1e6, 1e6).map("{:.6f}".format),
    st.floats(-1, 1).map("{:.3f}".format),
    st.floats(1e-30, 1e30).map(repr),
    st.sampled_from(["1", "0", "-0", "+1", "1e3", ".5", "5.", "0.1", "1.0000000000000000001", "00.5"]),
)
blanks = st.sampled_from([" ", " ", " ", "  ", "\t", " \t "])


@st.composite
def lines(draw, ascending=False):
    label = draw(st.sampled_from(["1", "-1", "+1", "0", "3", "1.0", "-2.5", "1e2"]))
    indices = draw(st.lists(st.integers(0, 10**9 if draw(st.booleans()) else 30), max_size=6, unique=ascending))
    pairs = [f"{index}:{draw(decimals)}" for index in (sorted(indices) if ascending else indices)]
    words = [label, *([f"qid:{draw(st.integers(0, 99))}"] if draw(st.booleans()) else []), *pairs]
    text = words[0] + "".join(draw(blanks) + word for word in words[1:])
    return text + draw(st.sampled_from(["", "", " ", "\t", " # said 3:4", "#", "\r"]))


@st.composite
def files(draw, ascending=False):
    texts = draw(
        st.lists(st.one_of(lines(ascending), lines(ascending), st.sampled_from(["", "# only", "  "])), max_size=8)
    )
    return "\n".join([*texts, draw(lines(ascending))]) + draw(st.sampled_from(["", "\n", "\n\n"]))


@given(files())
def test_reads_what_the_plain_twin_reads(text):
    ours, theirs = rows(text)[0], svmlight_rows(text)
    assert [label for label, _ in ours] == [float(label) for label, _ in theirs]
    for (_, mine), (_, pairs) in zip(ours, theirs, strict=True):
        sums = {}
        for index, value in pairs:  # as written, each rounded, summed in float32
            sums[index] = np.float32(sums.get(index, 0)) + np.float32(nearest_float32(value))
        assert mine == sums
        assert list(mine) == sorted(mine)


@given(files(ascending=True))
def test_reads_what_scikit_learn_reads(text):
    X, y = load_svmlight_file(io.BytesIO(text.encode()), zero_based=True, n_features=10**9 + 1, dtype=np.float64)
    (chunk,) = read(io.BytesIO(text.encode()), "svmlight", real="float64").chunks()
    assert chunk.labels.tolist() == y.tolist()
    assert chunk.indptr.tolist() == X.indptr.tolist()
    assert chunk.indices.tolist() == X.indices.tolist()
    assert chunk.values.tolist() == X.data.tolist()


@settings(max_examples=20)
@given(files(), st.sampled_from(["float32", "float64"]))
def test_the_compiled_way_and_plain_python_agree(text, real):
    data = padded(text.encode() + b"\n")
    plain = {name: getattr(svmlight, name).py_func for name in ("parse", "sort_rows", "skip_query", "read_float")}
    compiled = Svmlight(real=real).parse(data, 0, len(data) - 64)
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):  # words wrap around
        for name, function in plain.items():
            patch.setattr(svmlight, name, function)
        slow = Svmlight(real=real).parse(data, 0, len(data) - 64)
    for name in ("indptr", "indices", "values", "labels"):
        assert getattr(compiled.chunk, name).tolist() == getattr(slow.chunk, name).tolist()
    assert compiled.problem is None
    assert compiled.lines == slow.lines == text.count("\n") + 1


def test_values_of_the_common_shape_are_rounded_like_all_others():
    """Eight decimals and no exponent take the fast way; every one of these is next to a middle between floats."""
    texts = [f"{k / 2**25 + 2**-26:.8f}" for k in range(1, 2**25, 99_991)]
    (_, row), _ = rows("1 " + " ".join(f"{k}:{text}" for k, text in enumerate(texts)))[0][0], None
    assert list(row.values()) == [nearest_float32(text) for text in texts]


def test_labels_are_integers_where_all_of_them_are():
    assert [type(label) for label, _ in rows("1 1:1\n2.0 1:1")[0]] == [int, int]
    assert [type(label) for label, _ in rows("1 1:1\n2.5 1:1")[0]] == [float, float]


def test_rows_without_labels_are_read_when_said_and_labels_are_not_looked_at():
    assert rows("3:1\nspam 4:1\n7\n", labelled=False, on_error="skip")[0] == [(None, {3: 1}), (None, {})]
    assert rows("3:1\n-1 4:1\n", labelled=False)[0] == [(None, {3: 1}), (None, {4: 1})]


def test_indices_stay_as_they_are_written():
    assert rows("1 0:5 1:6")[0] == [(1, {0: 5, 1: 6})]
    assert rows("1 2147483647:5")[0] == [(1, {2147483647: 5})]


def test_unsorted_rows_are_sorted_and_duplicates_summed():
    assert rows("1 9:1 3:2 9:4 3:0.5 1:1")[0] == [(1, {1: 1, 3: 2.5, 9: 5})]


LENIENT = {
    "empty lines": (b"\n\n1 2:3\n\n \t\n", [(1, {2: 3})]),
    "only comments": (b"# one\n#two\n", []),
    "CR LF": (b"1 2:3\r\n-1 4:5\r\n", [(1, {2: 3}), (-1, {4: 5})]),
    "no final newline": (b"1 2:3\n-1 4:5", [(1, {2: 3}), (-1, {4: 5})]),
    "byte order mark": (b"\xef\xbb\xbf1 2:3\n", [(1, {2: 3})]),
    "comment that is no UTF-8": (b"1 2:3 # \xff\xfe\x00\n", [(1, {2: 3})]),
    "a label alone": (b"1\n-1 \n", [(1, {}), (-1, {})]),
    "comment without a space": (b"1 2:3#x\n", [(1, {2: 3})]),
    "a query": (b"1 qid:7 2:3\n1 qid:7\n", [(1, {2: 3}), (1, {})]),
    "underflow": (b"1 2:1e-999\n", [(1, {2: 0})]),
    "a million digits": (b"1 2:0." + b"3" * 10**6 + b" 4:1\n", [(1, {2: nearest_float32("0." + "3" * 60), 4: 1})]),
    "a million zeros": (b"1 " + b"0" * 10**6 + b"2:3\n", [(1, {2: 3})]),
}


@pytest.mark.parametrize("name", LENIENT)
def test_lenient_readings(name):
    text, expected = LENIENT[name]
    assert rows(text)[0] == expected


BAD = {
    "no label": (b"2:3\n", 1, 1, "a line begins with its label, a number; got '2:3'"),
    "label is a word": (b"1 2:3\nspam 2:3\n", 2, 1, "label, a number; got 'spam'"),
    "several labels": (b"1,2 2:3\n", 1, 1, "label, a number; got '1,2'"),
    "label is NaN": (b"nan 2:3\n", 1, 1, "got 'nan'"),
    "label beyond float64": (b"1e999 2:3\n", 1, 1, "in the range of"),
    "value is NaN": (b"1 2:3\n\n1 2:3 4:nan\n", 3, 9, "a value is a decimal number.*got 'nan'"),
    "value is infinite": (b"1 2:-inf\n", 1, 5, "got '-inf'"),
    "value beyond float32": (b"1 2:1e39\n", 1, 5, "in the range of float32; got '1e39'"),
    "value far beyond": (b"1 2:1e999\n", 1, 5, "in the range of float32; got '1e999'"),
    "value beyond by its digits": (b"1 2:" + b"9" * 50 + b"\n", 1, 5, "in the range of float32; got '999999"),
    "value missing": (b"1 2:\n", 1, 5, "got the end of the line"),
    "value missing before another": (b"1 2: 3:4\n", 1, 5, "got a space"),
    "two colons": (b"1 2:3:4\n", 1, 5, "got '3:4'"),
    "two points": (b"1 2:3.4.5\n", 1, 5, "got '3.4.5'"),
    "hexadecimal": (b"1 2:0x10\n", 1, 5, "got '0x10'"),
    "underscore": (b"1 2:1_000\n", 1, 5, "got '1_000'"),
    "decimal comma": (b"1 2:0,5\n", 1, 5, "got '0,5'"),
    "no colon": (b"1 2:3 4\n", 1, 7, "written index:value; got '4'"),
    "negative index": (b"1 -2:3\n", 1, 3, "whole number from 0 on; got '-2:3'"),
    "index with a point": (b"1 2.0:3\n", 1, 3, "index:value; got '2.0:3'"),
    "index is a word": (b"1 word:3\n", 1, 3, "got 'word:3'"),
    "index is 2^31": (b"1 2147483648:3\n", 1, 3, "below 2147483648.*use Hashed; got '2147483648:3'"),
    "index beyond 64 bits": (b"1 99999999999999999999999:3\n", 1, 3, "use Hashed"),
    "query is a word": (b"1 qid:x 2:3\n", 1, 3, "qid: and a whole number; got 'qid:x'"),
    "query after attributes": (b"1 2:3 qid:7\n", 1, 7, "got 'qid:7'"),
    "query after a fraction": (b"1 2:0.5 qid:7\n", 1, 9, "got 'qid:7'"),
    "query after an exponent": (b"1 2:1e1 qid:7\n", 1, 9, "got 'qid:7'"),
    "two queries": (b"1 qid:7 qid:8 2:3\n", 1, 9, "got 'qid:8'"),
    "duplicates beyond float32": (b"1 2:3e38 2:3e38\n", 1, 1, "listed twice.*in the range of float32"),
    "truncated": (b"1 2:3\n-1 4:5 6:", 2, 10, "got the end of the line"),
    "binary": (b"\x00\x01\x02\xff\n", 1, 1, "got '.x00"),
    "binary in a row": (b"1 2:3\x00 4:5\n", 1, 5, "a value is"),
    "Latin-1": (b"1 2:3 caf\xe9\n", 1, 7, r"got 'caf\\\\xe9'"),
    "UTF-16": ("1 2:3\n".encode("utf-16"), None, None, "UTF-16"),
    "a million characters": (b"1 2:3 " + b"x" * 10**6 + b"\n", 1, 7, r"got 'x{40}'\.\.\."),
    "return within a row": (b"1 2:3\r4:5\n-1 2:\r\n", 2, 6, "end of the line"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_is_named_with_its_place(name, tmp_path):
    text, line, column, said = BAD[name]
    path = tmp_path / "bad.svm"
    path.write_bytes(text)
    with pytest.raises(BadData, match=said) as caught:
        list(read(path).chunks())
    error = caught.value
    assert (error.line, error.column, error.name) == (line, column, str(path))
    assert str(error).startswith(f"{path}, line {line}, byte {column}: " if line else f"{path}: ")


@pytest.mark.parametrize("name", [name for name in BAD if BAD[name][1]])
def test_what_is_refused_can_be_skipped_and_is_counted(name):
    text, line, column, _ = BAD[name]
    good = b"1 7:8\n"
    text = good + (text if text.endswith(b"\n") else text + b"\n") + good
    ours, reading = rows(text, on_error="skip")
    assert ours[0] == ours[-1] == (1, {7: 8})
    assert reading.skipped.count == 1
    assert reading.skipped.places[0][:3] == ("<BytesIO>", line + 1, column)
    assert len(ours) == text.count(b"\n") - 1 - text.count(b"\n\n")


def test_rounds_before_a_refused_line_are_kept():
    chunks = read(io.BytesIO(b"1 2:3\n-1 4:5\nx\n1 6:7\n"), "svmlight").chunks()
    assert next(chunks).labels.tolist() == [1, -1]
    with pytest.raises(BadData, match="line 3"):
        next(chunks)


def test_rounds_before_a_sum_beyond_floats_are_kept_in_order_of_their_indices():
    chunks = read(io.BytesIO(b"1 1:1\n1 5:1 2:1\n1 2:3e38 2:3e38\n1 1:1\n"), "svmlight").chunks()
    kept = next(chunks)
    assert [kept[t].indices.tolist() for t in range(len(kept))] == [[1], [2, 5]]
    with pytest.raises(BadData, match="line 3"):
        next(chunks)


def test_indices_beyond_the_attributes_that_were_declared_are_refused():
    assert rows("1 9:1", attributes=10)[0] == [(1, {9: 1})]
    with pytest.raises(BadData, match="an index is below 10"):
        rows("1 10:1", attributes=10)


def test_many_more_rows_and_doubts_than_the_first_lines_promise():
    """Room that was guessed too small is made larger, and nothing is lost."""
    long = b"1 " + b" ".join(b"%d:1.00000005960464477539062500" % k for k in range(5000)) + b"\n"
    text = long + b"-1\n" * 200_000
    ours = rows(text)[0]
    assert len(ours) == 200_001
    assert set(ours[0][1].values()) == {1.0}


@pytest.mark.parametrize("options", [{"real": "float16"}, {"attributes": -1}, {"attributes": 2**31 + 1}])
def test_bad_options_are_refused(options):
    with pytest.raises(BadParameter, match=next(iter(options))):
        Svmlight(**options)


@pytest.mark.parametrize(
    ("head", "yes"),
    [
        (b"1 2:3\n", True),
        (b"# c\n\n-1 qid:3 2:3 4:0.5 # x\r\n+1\n", True),
        (b"1\n-1\n", False),
        (b"1,2:3\n", False),
        (b"1 | 2:3\n", False),
        (b"", False),
        (b"PAR1\x00", False),
    ],
)
def test_recognises_its_own(head, yes):
    assert Svmlight.recognises(head) is yes
