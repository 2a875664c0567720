"""Batches: where cells end and what their numbers are, against plain Python; and rows that a batch does not know."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from littlestone.kernel import kernel
from littlestone.readers.batches import DOUBLE, EMPTY, SINGLE, UNCLEAR, Room, listed, numbers
from littlestone.readers.csv import Csv
from littlestone.readers.names import NEW, ODD, VOID, Dictionary, looked_up

U = np.uint64


@kernel
def compiled_list(data, start, stop, delimiter, columns, rows, ends):
    return listed(data, start, stop, delimiter, columns, rows, ends)


@kernel
def compiled_numbers(data, ends, chosen, n, last, words, values, kinds):
    numbers(data, ends, chosen, n, last, words, values, kinds)


@kernel
def compiled_look(data, known, others, tags, memo, table, slots, entries):
    looked_up(data, known, others, tags, memo, table, slots, entries)


NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)")


def ends_of(rows, end="\n"):
    """The block that rows of cells make, and where its cells end, by `listed`."""
    text = "".join(",".join(row) + end for row in rows).encode()
    data, columns = np.frombuffer(text + b",\n" * 64, np.uint8), len(rows[0])
    ends = np.full(len(rows) * columns + 65, -7)
    return data, len(text), ends, compiled_list(data, U(0), U(len(text)), ord(","), columns, len(rows), ends)


def understood(cells, end="\n", read=compiled_numbers):
    """Values and kinds of a column of cells."""
    data, _, ends, rows = ends_of([["x", cell] for cell in cells], end)
    assert rows == len(cells)
    values, kinds = np.empty(rows), np.empty(rows, np.int8)
    read(data, ends, 2 + 2 * np.arange(rows), rows, 1, tuple(np.zeros((7, rows), U)), values, kinds)
    return values.tolist(), kinds.tolist()


plain = st.text("0123456789abc-. ", max_size=70)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(plain, min_size=n, max_size=n), min_size=1, max_size=20)))
def test_cells_end_where_a_delimiter_or_a_line_end_is(rows):
    data, size, ends, found = ends_of(rows)
    expected = [k for k in range(size) if data[k] in b",\n"]
    assert found == len(rows)
    assert ends[: len(expected) + 1].tolist() == [-1, *expected]


@given(st.integers(2, 9), st.integers(0, 12), st.integers(1, 9), st.integers(1, 40))
def test_the_list_ends_before_a_row_with_another_number_of_cells(columns, good, other, width):
    rows = [["y" * width] * columns] * good + [["y"] * other] * (other != columns) + [["z"] * columns]
    data = np.frombuffer("".join(",".join(row) + "\n" for row in rows).encode() + b"\n" * 99, np.uint8)
    ends = np.empty(columns * 20 + 65, np.int64)
    whole = compiled_list(data, U(0), U(len(data) - 99), ord(","), columns, 20, ends)
    assert whole == (good if other != columns else good + 1)
    assert compiled_list(data, U(0), U(len(data) - 99), ord(","), columns, 3, ends) == min(whole, 3)


digits = st.text("0123456789", max_size=24)
numerals = st.builds(lambda sign, one, point, two: sign + one + point + two, st.sampled_from(["", "-"]), digits,
                     st.sampled_from(["", ".", "."]), digits)  # fmt: skip
odd = st.one_of(
    st.sampled_from(["", "-", ".", "-.", "+1", "1e5", "1..2", "1.2.3", " 1", "1 ", "--1", "0x1", "١"]), plain
)


@given(st.lists(st.one_of(numerals, numerals, odd), min_size=1, max_size=30), st.sampled_from(["\n", "\r\n"]))
@example(
    ["16777217", "16777217.0000000000000000001", "0.000000000000000000000001", "123456789012345678", "5.", ".5"], "\n"
)
@example(["9007199254740993", "-0", "00000000.5", "151150552", "12345678.5", "1234567.12345678901234567"], "\r\n")
def test_numbers_are_right_or_left_to_others(cells, end):
    values, kinds = understood(cells, end)
    for cell, value, kind in zip(cells, values, kinds, strict=True):
        if kind == EMPTY:
            assert (cell, value) == ("", 0.0)
        elif kind != UNCLEAR:
            assert NUMBER.fullmatch(cell)
            assert np.float32(value) == np.float32(float(cell))
            assert kind == SINGLE or value == float(cell)
            assert np.signbit(value) == (cell[0] == "-")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_usual_numbers_are_clear(end):
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal(400)
    short = [repr(x) for x in drawn.round(4).tolist()] + ["17", "-3", "0.5", "1234.567", "0", "12345678"]
    assert set(understood(short, end)[1]) == {DOUBLE}
    assert UNCLEAR not in understood([repr(x) for x in drawn.tolist()], end)[1]
    assert understood(["123456789012345678", "1234567890"], end)[1] == [SINGLE, DOUBLE]


def test_a_row_of_endless_cells_is_not_listed():
    data, ends = np.frombuffer(b"a,b\n" + b"," * 5000 + b"\n" + bytes(64), np.uint8), np.full(9000, -7)
    assert compiled_list(data, U(0), U(5005), ord(","), 2, 9, ends) == 1
    assert set(ends[2 * 9 + 65 :].tolist()) == {-7}


@given(st.lists(numerals, min_size=1, max_size=5))
def test_compiled_and_plain_python_bodies_agree(cells):
    with np.errstate(over="ignore"):
        assert understood(cells, read=numbers) == understood(cells)


@pytest.mark.parametrize("columns", [2, 3, 511, 512, 513, 1500])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_of_any_width_are_read(columns, end):
    rng = np.random.default_rng(columns)
    table = rng.integers(-999, 999, (7, columns))
    lines = [",".join(f"c{j}" for j in range(columns)), *(",".join(map(str, row)) for row in table.tolist())]
    text = end.join([*lines, ""]).encode()
    data = np.frombuffer(text + bytes(64), np.uint8)
    format = Csv(label=-1).settled(text)
    chunk = format.parse(data, format.skip(text), len(text)).chunk
    assert chunk.values.reshape(7, -1).tolist() == table[:, :-1].tolist()
    assert chunk.labels.tolist() == table[:, -1].tolist()
    assert len(Room.of(np.ones(columns, bool)).ends) >= columns + 65


def parsed(text, **options):
    """What a table says, its columns being as told; a byte 0 comes after the block that settles the format."""
    given = text.encode()
    format = Csv(**options).settled(given.replace(b"\0", b"x"))
    return format.parse(np.frombuffer(given + bytes(64), np.uint8), format.skip(given), len(given))


@pytest.mark.parametrize("odd", ['"1"', " 1", "1 ", "1e0", "+1", "NA", "1.00000000000000000000000000"])
@pytest.mark.parametrize("word", ["x", '"x"', '"x,y"', '"x\ny"', " x", "x" * 17, "NA", ""])
def test_a_row_that_a_batch_does_not_know_is_read_with_care(odd, word):
    usual, strange = '2,w,"z z",3,yes\n', f"{odd},{word},z,4,no\n"
    for place in range(4):
        text = "a,b,c,d,label\n" + usual * place + strange + usual * 2
        read = parsed(text, types={"a": "number", "b": "nominal"})
        assert read.problem is None
        said = word.strip().strip('"')
        expected = {"c=z": 1.0, "d": 4.0}
        expected |= {} if odd == "NA" else {"a": 1.0}
        expected |= {f"b={said}": 1.0} if said not in ("", "NA") else {}
        other = {"a": 2.0, "b=w": 1.0, "c=z z": 1.0, "d": 3.0}
        assert list(read.chunk) == [other] * place + [expected] + [other] * 2
        assert read.chunk.labels.tolist() == ["yes"] * place + ["no", "yes", "yes"]


def test_lines_inside_quotes_that_look_like_records_are_none():
    strange, usual = '"x,2,q\nz",5,no\n', "w,3,yes\n"
    for place in range(3):
        read = parsed("b,a,label\n" + usual * place + strange + usual, types={"a": "number"})
        assert list(read.chunk) == [{"b=w": 1.0, "a": 3.0}] * place + [
            {"b=x,2,q\nz": 1.0, "a": 5.0},
            {"b=w": 1.0, "a": 3.0},
        ]
        assert read.chunk.labels.tolist() == ["yes"] * place + ["no", "yes"]
        dense = parsed("b,a,label\n" + usual * place + strange + usual, types={"a": "number", "b": "ignore"})
        assert dense.chunk.values.tolist() == [3.0] * place + [5.0, 3.0]
        assert dense.chunk.labels.tolist() == ["yes"] * place + ["no", "yes"]


def test_quoted_cells_of_dense_rows_say_what_is_inside():
    read = parsed('a,b,label\n1,"p,q",yes\n2,r,"no"\n3, s ,  no \n', types={"b": "ignore"})
    assert read.chunk.values.tolist() == [1.0, 2.0, 3.0]
    assert read.chunk.labels.tolist() == ["yes", "no", "no"]


@pytest.mark.parametrize("missing", ["", "NA", " ", '""'])
@pytest.mark.parametrize("types", [{}, {"b": "ignore"}, {"label": "number"}, {"label": "number", "b": "ignore"}])
def test_a_label_that_is_missing_is_refused(missing, types):
    label = "1" if "label" in types else "yes"
    read = parsed(f"a,b,label\n1,x,{label}\n2,y,{missing}\n3,z,{label}\n", types=types)
    assert "the label, column 'label', is missing" in read.problem.text
    assert len(read.chunk) == 1


def test_words_that_begin_alike_are_told_apart():
    words = [f"alike at first {k:02}"[-16:] for k in range(100)] + [f"beginning{k:07}" for k in range(20_000)]
    text = "b,label\n" + "".join(f"{word},{'yes' if k % 2 else 'no'}\n" for k, word in enumerate(words * 2))
    chunk = parsed(text).chunk
    names = [bytes(chunk.text[a : a + n]).decode() for a, n in zip(chunk.starts, chunk.lengths, strict=True)]
    assert [names[e] for e in chunk.which] == [f"b={word}" for word in words * 2]
    assert len(set(chunk.which.tolist())) == len(words)


def test_words_at_the_ends_of_lines_are_known_with_and_without_cr():
    for end in ("\n", "\r\n"):
        data, _, ends, rows = ends_of([["1", "yes"], ["2", "no"], ["3", ""], ["4", '"q"'], ["5", "y" * 17]], end)
        names = Dictionary.of(["a", "b="], 1, 9)
        names.memo[:], names.table[:], entries = 0, 0, np.full(rows, 9, np.int32)
        compiled_look(data, ends, 2 + 2 * np.arange(rows), np.full(rows, 4, U), names.memo, names.table, 1024, entries)
        assert entries.tolist() == [NEW, NEW, VOID, ODD, NEW]


@pytest.mark.parametrize("first", ["x", '"x"'])  # so that rows are taken from a batch, and read with care
@pytest.mark.parametrize("row", ["a\0b,1,no", "a\0" + "b" * 17 + ",1,no", '"a\0b",1,no', "a,1,n\0o"])
def test_a_byte_0_is_refused_wherever_a_word_has_it(first, row):
    read = parsed(f"b,a,label\n{first},1,yes\n{row}\nz,2,yes\n", types={"a": "number"})
    assert "a byte 0 is no text" in read.problem.text
    assert list(read.chunk) == [{"b=x": 1.0, "a": 1.0}]


@pytest.mark.parametrize("rows", [8191, 8192, 10_900, 11_000, 40_000])  # on both sides of each size of the table
@pytest.mark.parametrize("quote", ["", '"'])
def test_columns_in_which_no_word_comes_twice_are_read(rows, quote):
    text = "name,mail,label\n" + "".join(f"n{k},{quote}m{k}{quote},{'ny'[k % 2]}\n" for k in range(rows))
    chunk = parsed(text).chunk
    names = [bytes(chunk.text[a : a + n]).decode() for a, n in zip(chunk.starts, chunk.lengths, strict=True)]
    assert [names[e] for e in chunk.which] == [f"{what}{k}" for k in range(rows) for what in ("name=n", "mail=m")]
