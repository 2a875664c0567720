import csv
import gzip
import io
from decimal import Decimal, localcontext

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import littlestone.readers.reading
from littlestone.base.chunks import Examples, Tokens
from littlestone.base.errors import BadData, BadParameter
from littlestone.base.features.hashing import hash_text
from littlestone.base.features.schema import Schema
from littlestone.readers.blocks import read_blocks
from littlestone.readers.csv import MISSING, Csv
from littlestone.readers.format import count_lines
from littlestone.readers.reading import read
from littlestone.readers.source import list_files
from littlestone.readers.table import sniff
from littlestone.readers.table.cells import LF, hash_ends, load_both_ends
from littlestone.readers.table.rows import read_any_rows
from reference import nearest_float32


def padded(data):
    return np.frombuffer(bytearray(data) + bytes(64), np.uint8)


def parsed(data, **options):
    """Everything a table holds, in one block: the format as settled and what it parsed."""
    format = Csv(**options).settle(data)
    return format, format.parse(padded(data), format.skip(data), len(data))[:2]


def table(data, **options):
    _, (chunk, problem) = parsed(data, **options)
    assert problem is None, problem
    return [said(chunk[t]) for t in range(len(chunk))], chunk.labels.tolist()


def said(row):
    return row if isinstance(row, dict) else row.values.tolist()


def places(data, **options):
    """What reading says of the first refused record: line, column and words."""
    with pytest.raises(BadData) as caught:
        list(read(io.BytesIO(data), "csv", **options).chunks())
    return caught.value.line, caught.value.column, caught.value.problem


def test_numbers_make_dense_rows_and_other_columns_make_names():
    data = b"a,b,label\n1,2.5,yes\n-3,1e2,no\n"
    format, (chunk, _) = parsed(data)
    assert isinstance(chunk, Examples)
    assert (chunk.indices, chunk.width, chunk.values.dtype) == (None, 2, np.float32)
    assert table(data) == ([[1, 2.5], [-3, 100]], ["yes", "no"])
    assert format.features().name(1) == "b"
    mixed = b"a,b,label\n1,x,1\n0,y z,0\n"
    assert isinstance(parsed(mixed)[1][0], Tokens)
    assert table(mixed) == ([{"a": 1, "b=x": 1}, {"b=y z": 1}], [1, 0])


def test_keys_are_those_of_the_names():
    chunk = parsed(b"a,b,label\n1,x,1\n2,a long name of many bytes,0\n")[1][0]
    for start, length, key in zip(chunk.starts, chunk.lengths, chunk.keys, strict=True):
        assert key == hash_text(bytes(chunk.text[start : start + length]))


@pytest.mark.parametrize(
    ("data", "options", "columns", "header", "label"),
    [
        (b"a,b,y\n1,2,3\n", {}, ("a", "b", "y"), True, "y"),
        (b"a,class,b\n1,2,3\n", {}, ("a", "class", "b"), True, "class"),
        (b"a,b,c\n1,2,3\n", {}, ("a", "b", "c"), True, "c"),
        (b"a,b,c\n1,2,3\n", {"label": "a"}, ("a", "b", "c"), True, "a"),
        (b"a,b,c\n1,2,3\n", {"label": -2}, ("a", "b", "c"), True, "b"),
        (b"a,b,c\n1,2,3\n", {"label": "0"}, ("a", "b", "c"), True, "a"),
        (b"1,2,3\n4,5,6\n", {}, ("c0", "c1", "c2"), False, "c2"),
        (b"p,x,s\np,x,t\n", {}, ("c0", "c1", "c2"), False, "c2"),
        (b"p,x,s\ne,f,t\n", {}, ("p", "x", "s"), True, "s"),
        (b"p,x,s\ne,f,t\n", {"header": False}, ("c0", "c1", "c2"), False, "c2"),
        (b"1,2,3\n4,5,6\n", {"header": True}, ("1", "2", "3"), True, "3"),
        (b",b,c\n1,2,3\n", {"header": True}, ("c0", "b", "c"), True, "c"),
        (b"\xef\xbb\xbfa,b,c\r\n1,2,3\r\n", {}, ("a", "b", "c"), True, "c"),
        (b"x\ty\tz\n1\t2\t3\n", {}, ("x", "y", "z"), True, "y"),
        (b"x;y,1;z\n1;2,5;3\n", {}, ("x", "y,1", "z"), True, "z"),
        (b"x|y\n1|3\n", {"delimiter": "|"}, ("x", "y"), True, "y"),
    ],
)
def test_header_delimiter_and_label_are_settled(data, options, columns, header, label):
    format = Csv(**options).settle(data)
    assert format.columns == columns
    assert format.header is header
    assert f"label={label!r}" in repr(format)


def test_quotes_are_those_of_the_rfc():
    data = b'a,label\n"x, y",1\n"two\nlines",0\n"say ""hi""",1\n"" ,0\n 5" pipe ,1\n'
    assert table(data)[0] == [{"a=x, y": 1}, {"a=two\nlines": 1}, {'a=say "hi"': 1}, {}, {'a=5" pipe': 1}]
    assert table(b'"a","label"\n"1","yes"\n" 2","no"\n', types={"a": "nominal"})[0] == [{"a=1": 1}, {"a= 2": 1}]
    assert table(b'a,label\n"1.5","y ""es"""\n')[1] == ['y "es"']


def test_nominal_cells_are_told_apart_by_every_byte_whatever_their_length():
    """Those of up to 16 bytes are looked up by their first and last eight, longer ones by all."""
    cells = [("a" * k + end) for k in range(24) for end in ("x", "y", "xa", "é")]
    cells += ["b" + cell[1:] for cell in cells if len(cell) > 1] + [f"{cell} {cell}" for cell in cells]
    cells = list(dict.fromkeys(cells))
    rows = b"".join(b"%b,%b,%d\n" % (cell.encode(), cell.encode(), k % 2) for k, cell in enumerate(cells * 2))
    found = table(b"a,b,label\n" + rows)[0]
    assert found == [{f"a={cell}": 1, f"b={cell}": 1} for cell in cells * 2]


@pytest.mark.parametrize("size", [1, 3, 8, 9, 13, 16])
def test_cells_that_differ_in_one_byte_are_not_looked_for_in_one_place(size):
    for place in range(size):
        slots = set()
        for byte in range(33, 127):
            data = np.full(size + 8, ord("a"), np.uint8)
            data[place] = byte
            with np.errstate(over="ignore"):
                head, tail = load_both_ends(data, np.uint64(0), np.uint64(size))
                slots.add(int(hash_ends(head, tail, np.uint64(size), 4)) >> 32 & 1023)
        assert len(slots) > 60  # of 94; by chance about 90, and 1 for a byte that does not count


def test_missing_cells_are_absent_or_zero():
    words = ",".join(MISSING)
    assert table(f"{words},1\n{words},0\n".encode(), header=False) == ([[0] * len(MISSING)] * 2, [1, 0])
    assert table(b"a,b,label\nx,1,1\n?,,0\nNA,2,1\n") == ([{"a=x": 1, "b": 1}, {}, {"b": 2}], [1, 0, 1])
    assert table(b"a,label\nnone,1\nNA,0\n", missing=["none"])[0] == [{}, {"a=NA": 1}]


def test_types_can_be_told():
    data = b"a,b,label\n1,2,0\n3,4,1\n"
    assert table(data, types={"a": "nominal"})[0] == [{"a=1": 1, "b": 2}, {"a=3": 1, "b": 4}]
    assert table(data, types={0: "ignore"})[0] == [[2], [4]]
    assert table(data, types={"label": "nominal"})[1] == ["0", "1"]
    assert table(b"a,label\n1,0\n0.1,1\n", real="float64")[0] == [[1], [0.1]]


def test_labels_that_are_all_whole_are_integers():
    assert parsed(b"a,label\n1,1\n1,-1\n")[1][0].labels.dtype == np.int64
    assert table(b"a,label\n1,1.5\n1,12345678901234567890.125\n")[1] == [1.5, 12345678901234567890.125]


def test_without_labels_the_label_is_neither_looked_for_nor_at():
    _, (chunk, _) = parsed(b"a,label\n1,?\n2,\n", labelled=False)
    assert chunk.labels.tolist() == [None, None]
    assert chunk.width == 1
    assert parsed(b"a,b\n1,2\n", labelled=False)[1][0].width == 2
    assert parsed(b"a,b\n1,2\n", labelled=False, label="gone")[1][0].width == 2


BAD = {
    "a letter in a column of numbers": (b"a,label\n1,0\nx,1\n", 3, 1, "column 'a' holds numbers, got 'x'; types="),
    "a quoted letter": (b'a,label\n1,0\n "x",1\n', 3, 2, "holds numbers"),
    "not a number": (b"a,label\n1,0\ninf,1\n", 3, 1, "got 'inf'"),
    "half a number": (b"a,label\n1,0\n1e,1\n", 3, 1, "got '1e'"),
    "two numbers": (b"a,label\n1,0\n1 2,1\n", 3, 1, "got '1 2'"),
    "a letter in the label": (b"a,label\n1,0\n1,x\n", 3, 3, "column 'label' holds numbers"),
    "a missing label": (b"a,label\n1,0\n1,\n", 3, 3, "the label, column 'label', is missing"),
    "a missing nominal label": (b"a,label\n1,x\n1,NA\n", 3, 3, "is missing; got 'NA'"),
    "1e999": (b"a,label\n1,0\n1e999,1\n", 3, 1, "in the range of float32, got '1e999'"),
    "1e39": (b"a,label\n1,0\n-1e39,1\n", 3, 1, "in the range of float32"),
    "the middle above the largest float32": (
        b"a,label\n1,0\n340282356779733661637539395458142568448,1\n",
        3,
        1,
        "range",
    ),
    "a label beyond float64": (b"a,label\n1,0\n1,1e999\n", 3, 3, "range"),
    "too few cells": (b"a,b,label\n1,2,0\n1,2\n", 3, 4, "a record has 3 cells, the line ends after 2"),
    "too many cells": (b"a,b,label\n1,2,0\n1,2,3,4\n", 3, 6, "a record has 3 cells, got more"),
    "a quote that is not closed": (b'a,label\nx,0\n"y,1\nz,1\n', 3, 1, "never closed"),
    "text after a quote": (b'a,label\nx,0\n"y"z,1\n', 3, 4, "after a closing quote"),
    "a byte 0": (b"a,label\nx,0\n" * 90000 + b"y\0,1\n", 180001, 1, "byte 0"),
    "a byte 0 at once": (b"a,label\nx\0,0\n", 2, None, "byte 0"),
    "UTF-16": ("a,label\n1,0\n".encode("utf-16-be"), 1, None, "byte 0"),
    "one column": (b"alone\nhere\n", 1, None, "found one column, 'alone'"),
    "two columns of one name": (b"a,a,label\n1,2,3\n", 1, None, "two columns are called 'a'"),
    "only line ends": (b"\n\r\n\n", 1, None, "there is no record"),
}


KNOWN = Schema("csv", "label", (("a", "number"),))


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_is_named_with_its_place(name):
    data, line, column, words = BAD[name]
    words_allowed = any(part in name for part in ("quote that", "text after", "byte", "one column", "line ends", "UTF"))
    word = "holds numbers" in words or "got '" in words[:6]  # which types={"a": "number"} would take as missing
    number = {"a": "number"} if not words_allowed and not word else {}
    number |= {"label": "number"} if "letter in the label" in name else {}
    found = places(data, types=number, header=True, like=KNOWN if word and "label" not in number else None)
    assert found[:2] == (line, column)
    assert words in found[2]


def test_rounds_before_a_refused_record_are_kept_and_it_can_be_skipped():
    data = b'a,label\n1,0\nx,1\n2,1\n"3\n4",0\n5,1,6\n6,0\n1e999,1\n7,1\n"8,1\n9,0\n'
    stream = read(io.BytesIO(data), "csv", on_error="skip", like=KNOWN)
    chunks = list(stream.chunks())
    assert [value for chunk in chunks for value in chunk.values] == [1, 2, 6, 7, 9]
    assert [label for chunk in chunks for label in chunk.labels] == [0, 1, 0, 1, 0]
    assert stream.skipped.count == 5
    assert [place.line for place in stream.skipped.places] == [3, 5, 7, 9, 11]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a,label\r\n1,0\r\n2,1\r\n", [[1], [2]]),
        (b"a,label\n1,0\n2,1", [[1], [2]]),
        (b"\n\na,label\n\n1,0\n\r\n\n2,1\n\n", [[1], [2]]),
        (b"a, label\n 1 , 0\n2  ,1 \n", [[1], [2]]),
        (b"a,label\n+1,0\n.5,1\n5.,1\n", [[1], [0.5], [5]]),
    ],
)
def test_line_ends_spaces_and_empty_lines_are_read_leniently(data, expected):
    (chunk,) = read(io.BytesIO(data), "csv").chunks()
    assert [chunk[t].values.tolist() for t in range(len(chunk))] == expected


def test_bytes_that_are_not_utf8_are_kept_as_they_are():
    rows, labels = table("a,label\ncafé,1\nthé,é\n".encode("latin-1"))
    assert [next(iter(row)).encode("utf-8", "surrogateescape") for row in rows] == [b"a=caf\xe9", b"a=th\xe9"]
    assert labels[1].encode("utf-8", "surrogateescape") == b"\xe9"


def test_a_cell_of_a_million_characters_is_a_name_or_a_number_like_any_other():
    text = "x" * 10**6
    (chunk,) = read(io.BytesIO(f"a,label\n{text},1\ny,0\n".encode()), "csv").chunks()
    assert list(chunk[0]) == ["a=" + text]
    (chunk,) = read(io.BytesIO(f"a,label\n{'1' * 10**6}e-999999,1\n2,0\n".encode()), "csv").chunks()
    assert chunk[0].values.tolist() == [np.float32(10 / 9)]


def test_a_gzip_file_that_was_cut_short_is_refused(tmp_path):
    path = tmp_path / "table.csv.gz"
    whole = gzip.compress(b"a,label\n" + b"".join(b"%d,%d\n" % (k * k, k % 2) for k in range(400000)))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadData, match="cut short"):
        list(read(path).chunks())


def test_several_files_have_a_header_each_and_it_must_be_the_same(tmp_path):
    (tmp_path / "1.csv").write_bytes(b"a,b,label\n1,2,0\n")
    (tmp_path / "2.csv").write_bytes(b"a,b,label\n3,4,1\n")
    stream = read(str(tmp_path / "*.csv"))
    assert [chunk.values.tolist() for chunk in stream.chunks()] == [[1, 2], [3, 4]]
    (tmp_path / "2.csv").write_bytes(b"b,a,label\n3,4,1\n")
    with pytest.raises(BadData, match="the header names b, a, label; the first file's names a, b, label"):
        list(stream.chunks())


def test_parameters_are_checked():
    for options in (
        {"delimiter": "ab"},
        {"delimiter": '"'},
        {"types": {"a": "float"}},
        {"real": "half"},
        {"missing": "NA"},
    ):
        with pytest.raises(BadParameter):
            Csv(**options)
    for options in ({"label": "gone"}, {"label": 5}, {"types": {"gone": "number"}}, {"types": {"a": "ignore"}}):
        with pytest.raises(BadData):
            Csv(**options).settle(b"a,label\n1,2\n")


@pytest.mark.parametrize(
    ("data", "yes"),
    [
        (b"a,b\n1,2\n", True),
        (b"a\tb\tc\n1\t2\t3\n", True),
        (b"a\tb\n1\t2\n", True),
        (b"spam\tfree money\nham\thello\n", False),
        (b"+1 3:0.5 4:1\n-1 2:1\n", False),
        (b'{"a": 1, "b": 2}\n{"a": 1, "b": 2}\n', False),
        (b"1 |a x, y\n-1 |a z, w\n", False),
        (b"a,b\n1,2,3\n", False),
        (b"PAR1\0\1,\2\n,", False),
    ],
)
def test_recognises_tables_and_nothing_else(data, yes):
    assert Csv.recognises(data) is yes


cells = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**9), 10**9).map(str),
    st.text(st.characters(exclude_characters="\0\r", codec="utf-8"), max_size=12),
    st.sampled_from(["", "?", "NA", '"', '""', ",", "\n", "a,b", " x ", "red", "green"]),
)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=12), st.sampled_from(",;\t"), st.booleans())
def test_reads_what_pythons_csv_module_writes(rows, delimiter, all_quoted):
    file = io.StringIO()
    quoting = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=quoting)
    labels = [f"<{row[2]}>" for row in rows]
    quoted = [[cell if all_quoted or cell == cell.strip(" ") else cell.strip(" ") for cell in row] for row in rows]
    writer.writerow(["a", "b", "label"])
    writer.writerows((a, b, label) for (a, b, _), label in zip(quoted, labels, strict=True))
    told = {"types": {"a": "nominal", "b": "nominal", "label": "nominal"}, "header": True, "delimiter": delimiter}
    found, marked = table(file.getvalue().encode(), **told)
    assert marked == labels
    expected = []
    for a, b, _ in quoted:
        pairs = (("a", a), ("b", b))
        expected.append({f"{name}={cell}": 1.0 for name, cell in pairs if cell not in ("", *MISSING)})
    assert found == expected


@given(
    st.lists(st.tuples(st.floats(width=32, allow_nan=False, allow_infinity=False), st.sampled_from("xyz")), min_size=1),
    st.sampled_from([repr, "{:.3f}".format, "{:.12e}".format, "{:.17g}".format]),
)
def test_reads_numbers_as_pandas_does(rows, form):
    data = "\n".join(["a,b,label", *(f"{form(a)},{b},{t % 2}" for t, (a, b) in enumerate(rows))]).encode() + b"\n"
    frame = pd.read_csv(io.BytesIO(data))
    found, labels = table(data)
    with np.errstate(over="ignore"):
        numbers = frame["a"].to_numpy(np.float64).astype(np.float32)
    named = [{"a": float(a), f"b={b}": 1.0} if a else {f"b={b}": 1.0} for a, b in zip(numbers, frame["b"], strict=True)]
    assert found == named
    assert labels == frame["label"].tolist()
    dense = table(data, types={"b": "ignore"})[0]
    assert dense == [[float(a)] for a in numbers]


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=20), st.integers(20, 200))
def test_blocks_of_any_size_give_the_rounds_of_the_whole(rows, size):
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([("a", "b", "label"), *((a, b, "l") for a, b in rows)])
    data = file.getvalue().encode()
    told = Csv(types={"a": "nominal", "b": "nominal"}, header=True).settle(data)
    whole, problem, *_ = told.parse(padded(data), told.skip(data), len(data))
    assert problem is None
    (part,) = list_files(io.BytesIO(data))
    size = max(size, len(data.split(b"\n")[0]) + 1)  # a file's header lies in its first block
    pieces = [told.parse(block.data, block.start, block.end) for block in read_blocks(part, told, size)]
    assert all(piece.problem is None for piece in pieces)
    assert [row for piece in pieces for row in piece.chunk] == list(whole)


def test_threads_give_the_same_bits_as_one():
    generator = np.random.default_rng(5)
    frame = pd.DataFrame(generator.normal(size=(30000, 5)), columns=list("abcde"))
    frame["colour"] = generator.choice(["red", "green", "dark, blue"], 30000)
    frame["label"] = generator.integers(0, 2, 30000)
    data = frame.to_csv(index=False).encode()
    one, several = (list(read(io.BytesIO(data), "csv", threads=threads).chunks()) for threads in (1, 3))
    assert len(one) == len(several) > 2
    for first, second in zip(one, several, strict=True):
        for name in ("indptr", "text", "starts", "lengths", "keys", "values", "labels"):
            assert getattr(first, name).tobytes() == getattr(second, name).tobytes()


def test_the_plain_bodies_agree():
    data = b'a,b,c,label\n1,"x""y",0.1,yes\n,dark red,-2e3,no\n3,x,12345678901234567890,yes\n4,?,1e-50,no\n5,x,0\n'
    for types in ({}, {"b": "ignore"}):
        format = Csv(types=types).settle(data)
        compiled = format.parse(padded(data), format.skip(data), len(data))
        with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
            patch.setattr("littlestone.readers.table.rows.read_any_rows", read_any_rows.py_func)
            plain = format.parse(padded(data), format.skip(data), len(data))
        assert plain.problem == compiled.problem
        assert [said(plain.chunk[t]) for t in range(4)] == [said(compiled.chunk[t]) for t in range(4)]
        assert plain.chunk.labels.tolist() == compiled.chunk.labels.tolist() == ["yes", "no"] * 2


NUMBERS = [
    *("0", "-0.0", "7", "12345678", "123456789", "99999999.99999999999", "12345678.1234567890123", "-1.25", "0.1"),
    *("0.000000000000000001", "0.0000000000000000001", "0.042272000000000004", "0.05644299999999999", "1.", ".5", "+2"),
    *("1.00000005960464477539062500", "16777217.0", "8388608.5", "98765432.987654321", "9007199254740993", "1e-7"),
    *("16777217.0000000001", "87654321.12345678123456781"),
    *("87654321.12345678", "87654321.1234567812", "87654321.12345678123", "18446744073709551616", "0." + "9" * 30),
]


@pytest.mark.parametrize("tail", [b"", b" ", b"\r"])
def test_every_number_is_the_nearest_float(tail):
    data = b"a,b,label\n" + b"".join(b"%b,x,%b%b\n" % (text.encode(), text.encode(), tail) for text in NUMBERS)
    nearest = [nearest_float32(text) for text in NUMBERS]
    told = {"a": "number", "label": "number"}
    for kind in ("ignore", "nominal"):
        rows, labels = table(data, types={**told, "b": kind})
        assert [row[0] if kind == "ignore" else row.get("a", 0) for row in rows] == nearest
        assert labels == [int(text) if text.isdigit() and int(text) > 2**53 else float(text) for text in NUMBERS]
    assert table(data, types={**told, "b": "ignore"}, real="float64")[0] == [[float(text)] for text in NUMBERS]


def test_numbers_next_to_a_middle_are_the_nearest_float_however_long_they_are():
    rng, texts = np.random.default_rng(0), []
    with localcontext(prec=80):
        for exponent in range(-30, -14):
            for whole in rng.integers(2**23, 2**24, 40).tolist():
                middle = Decimal(2 * whole + 1) * Decimal(2) ** (exponent - 1)
                for step in ("0", "1e-35", "-1e-35", "1e-24", "-1e-24", "1e-16", "-1e-17"):
                    texts.append(f"{middle + Decimal(step):f}")
    assert max(map(len, texts)) > 35
    rows, _ = table("\n".join(["a,label", *(f"{text},1" for text in texts), ""]).encode())
    assert [row[0] for row in rows] == [nearest_float32(text) for text in texts]


def test_many_different_cells_make_the_dictionary_grow():
    rows = [f"id{k * k},{k % 7},{k % 2}" for k in range(20_000)]
    found, labels = table("\n".join(["a,b,label", *rows, ""]).encode())
    assert [sorted(row) for row in found] == [[f"a=id{k * k}"] + (["b"] if k % 7 else []) for k in range(20_000)]
    assert labels == [k % 2 for k in range(20_000)]


@given(st.binary(max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_lines_are_counted(data, start, end):
    start, end = min(start, len(data)), min(end, len(data))
    assert count_lines(padded(data), start, end) == sum(byte == LF for byte in data[start:end])


def test_the_same_cell_in_another_column_is_another_attribute():
    letters = np.random.default_rng(2).choice(list("abcdefghijklmnopqrstuvwxyz"), (400, 40))
    data = "\n".join(",".join(row) + ",1" for row in letters).encode() + b"\n"
    found, _ = table(data, header=False)
    assert found == [{f"c{j}={letter}": 1.0 for j, letter in enumerate(row)} for row in letters]


def test_a_game_is_played_on_a_table():
    data = b"age,colour,label\n" + b"1,red,yes\n-1,blue,no\n" * 20
    game = ls.play(ls.Perceptron(), read(io.BytesIO(data), "csv"))
    assert game.rounds == 40
    assert game.mistakes <= 2
    assert game.player.predict({"colour=red": 1, "age": 1}) == "yes"


@pytest.mark.parametrize(("columns", "length"), [(300, 300), (70_000, 2), (8_000, 150)])
def test_a_header_may_have_any_length(columns, length):
    """Longer than the first bytes looked at, of more cells than are listed at first, longer than what decides types."""
    names = [f"{j:0{length}}x" if length > 2 else f"x{j}" for j in range(columns)]
    rows = "".join(",".join(str((t + j) % 5) for j in range(columns)) + f",{'yn'[t % 2]}\n" for t in range(3))
    reading = ls.read(io.BytesIO((",".join(names) + ",label\n" + rows).encode()), "csv", label="label")
    assert (reading.format.columns, reading.format.header) == ((*names, "label"), True)
    (chunk,) = reading.chunks()
    assert chunk.labels.tolist() == ["y", "n", "y"]
    assert chunk.values.reshape(3, columns)[:, :7].tolist() == [[(t + j) % 5 for j in range(7)] for t in range(3)]
    assert reading.features().name(columns - 1) == names[-1]


def test_a_header_longer_than_a_record_may_be_is_said_to_be_that(monkeypatch):
    monkeypatch.setattr(littlestone.readers.blocks, "LIMIT", 1 << 21)
    names = ",".join(f"x{j}" for j in range(400_000))
    with pytest.raises(BadData, match="a record is longer than 2097152 bytes"):
        ls.read(io.BytesIO(names.encode()), "csv")


def test_many_columns_that_come_twice_are_found_without_comparing_all_with_all():
    names = [f"x{j}" for j in range(200_000)]
    with pytest.raises(BadData, match="two columns are called 'x7'"):
        sniff.name_columns([*names, "x7"], 0)
    assert sniff.name_columns(names, 0) == tuple(names)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
@pytest.mark.parametrize("lines", [
    ["a,b,label", "1,2,yes", "", "3,4.5,no", "5,6,yes"],
    ["a,b,label", 'red,2,"yes"', '3,"x",no', "5,6,yes"],
    ["a,label,b", "1,yes,2", "3,no,4.25"],
    ["a,b,label", "1,2,7", "3,4.5,-8"],
])  # fmt: skip
def test_no_part_of_a_line_end_belongs_to_a_cell(lines, end):
    found = {}
    for other in ("\n", end):
        text = other.join(lines) + other
        chunks = list(read(io.BytesIO(text.encode()), "csv", header=True).chunks())
        rows = [row if isinstance(row, dict) else row.values.tolist() for chunk in chunks for row in chunk]
        found[other] = rows, [label for chunk in chunks for label in chunk.labels.tolist()]
    assert found[end] == found["\n"]
