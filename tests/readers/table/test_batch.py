"""Batches: where cells end and what their numbers are, against plain Python; and rows that a batch does not know."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from littlestone.base.features import Hashed, Named
from littlestone.compiled import kernel
from littlestone.readers.csv import Csv
from littlestone.readers.table.assemble import FIRST, NEW, ODD, VOID, look_up, settle_names
from littlestone.readers.table.batch import (
    DOUBLE,
    EMPTY,
    IGNORED,
    NOMINAL,
    NUMBER,
    NUMBER_LABEL,
    SINGLE,
    UNCLEAR,
    Room,
    TextTable,
    list_cells,
    read_batch,
)
from littlestone.readers.table.block_names import MISSED, BlockDictionary

U = np.uint64


@kernel
def compiled_list(data, start, stop, delimiter, columns, rows, ends):
    return list_cells(data, start, stop, delimiter, columns, rows, ends)


@kernel
def compiled_batch(table, start, enough, room):
    return read_batch(table, start, enough, room)


@kernel
def compiled_look(table, dictionary, rows, room):
    return look_up(table, dictionary, rows, room)


@kernel
def compiled_settle(table, dictionary, rows, room):
    return settle_names(table, dictionary, 0, rows, room)


NUMERAL = re.compile(r"-?(\d+\.?\d*|\.\d+)")


def ends_of(rows, end="\n"):
    """The block that rows of cells make, and where its cells end, by `list_cells`."""
    text = "".join(",".join(row) + end for row in rows).encode()
    data, columns = np.frombuffer(text + b",\n" * 64, np.uint8), len(rows[0])
    ends = np.full(len(rows) * columns + 65, -7)
    return data, len(text), ends, compiled_list(data, U(0), U(len(text)), ord(","), columns, len(rows), ends)


def understood(cells, end="\n", read=compiled_batch, role=NUMBER):
    """Values and kinds of a column of cells, read in batches of a few hundred."""
    values, kinds, roles = [], [], (IGNORED, role)
    for first in range(0, len(cells), 200):
        few, room = cells[first : first + 200], Room.of(roles)
        text = "".join(f"x,{cell}{end}" for cell in few).encode()
        data = np.frombuffer(text + b",\n" * 64, np.uint8)
        rows = read(TextTable.of(data, len(text), ",", roles, ()), U(0), SINGLE, room)
        assert rows == len(few)
        values += room.values[:rows].tolist()
        kinds += room.kinds[:rows].tolist()
        clear = {SINGLE, DOUBLE, EMPTY} if role == NUMBER else {DOUBLE}
        assert room.plain[:rows].tolist() == [kind in clear for kind in room.kinds[:rows].tolist()]
    return values, kinds


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
            assert NUMERAL.fullmatch(cell)
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
        assert understood(cells, read=read_batch) == understood(cells) == understood(cells, role=NUMBER_LABEL)


@pytest.mark.parametrize("columns", [2, 3, 511, 512, 513, 1500])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_of_any_width_are_read(columns, end):
    rng = np.random.default_rng(columns)
    table = rng.integers(-999, 999, (7, columns))
    lines = [",".join(f"c{j}" for j in range(columns)), *(",".join(map(str, row)) for row in table.tolist())]
    text = end.join([*lines, ""]).encode()
    data = np.frombuffer(text + bytes(64), np.uint8)
    format = Csv(label=-1).settle(text)
    chunk = format.parse(data, format.skip(text), len(text)).chunk
    assert chunk.values.reshape(7, -1).tolist() == table[:, :-1].tolist()
    assert chunk.labels.tolist() == table[:, -1].tolist()
    assert len(Room.of((NUMBER,) * columns).ends) >= columns + 65


def spoken(chunk):
    """The names of all entries, one after another."""
    names = [bytes(chunk.text[a : a + n]).decode() for a, n in zip(chunk.starts, chunk.lengths, strict=True)]
    return [names[e] for e in chunk.which]


def parsed(text, **options):
    """What a table says, its columns being as told; a byte 0 comes after the block that settles the format."""
    given = text.encode()
    format = Csv(**options).settle(given.replace(b"\0", b"x"))
    return format.parse(np.frombuffer(given + bytes(64), np.uint8), format.skip(given), len(given))


@pytest.mark.parametrize("odd", ['"1"', " 1", "1 ", "1e0", "+1", "NA", "1.00000000000000000000000000"])
@pytest.mark.parametrize("word", ["x", '"x"', '"x,y"', '"x\ny"', " x", "x ", "x" * 17, "NA", ""])
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
    twice = [word for word in words for _ in range(2)]
    text = "b,label\n" + "".join(f"{word},{'yes' if k % 2 else 'no'}\n" for k, word in enumerate(twice))
    chunk = parsed(text).chunk
    assert spoken(chunk) == [f"b={word}" for word in twice]
    assert len(set(chunk.which.tolist())) == len(words)


def test_words_at_the_ends_of_lines_are_known_with_and_without_cr():
    for end in ("\n", "\r\n"):
        data, size, ends, rows = ends_of([["1", "yes"], ["2", "no"], ["3", ""], ["4", '"q"'], ["5", "y" * 17]], end)
        names, room = BlockDictionary.of(("a", "b="), 1, 9), Room.of((NUMBER, NOMINAL))
        table = TextTable.of(data, size, ",", (NUMBER, NOMINAL), ())
        names.memo[:], names.table[:], room.plain[:] = 0, 0, True
        room.ends[: len(ends)] = ends
        room.values[:rows] = 1, 2, 3, 4, 5
        assert not compiled_look(table, names, rows, room)
        assert room.weights[: 2 * rows : 2].tolist() == [1, 2, 3, 4, 5]
        room.values[2] = 0
        assert compiled_look(table, names, rows, room)
        assert room.names[: 2 * rows].tolist() == [0, NEW, 0, NEW, 0, VOID, 0, ODD, 0, NEW]
        assert room.plain[:rows].tolist() == [True, True, True, False, True]
        assert room.rest[: names.counts[MISSED]].tolist() == [0, 1, 2, 3, 4]


def test_names_that_were_settled_are_known_at_first_sight():
    rows = [
        ["1", "yes"],
        ["2", "no"],
        ["3", "yes"],
        ["4", ""],
        ["5", "eight by"],
        ["6", "sixteen bytes ok"],
        ["7", "y" * 17],
    ]
    data, size, ends, count = ends_of(rows)
    names, room = BlockDictionary.of(("a", "b="), size, 20), Room.of((NUMBER, NOMINAL))
    table = TextTable.of(data, size, ",", (NUMBER, NOMINAL), ())
    names.memo[:], names.table[:], room.plain[:] = 0, 0, True
    room.ends[: len(ends)] = ends
    compiled_look(table, names, count, room)
    assert compiled_settle(table, names, count, room) == (count, 1)
    assert room.names[1 : 2 * count : 2].tolist() == [2, 3, 2, VOID, 4, 5, 6]
    compiled_look(table, names, count, room)
    assert room.names[1 : 2 * count : 2].tolist() == [2, 3, 2, VOID, 4, 5, NEW]
    assert room.rest[: names.counts[MISSED]].tolist() == [3, 6]  # the empty one, and the one that is long


def test_the_table_of_names_grows_beside_names_that_are_not_in_it():
    rows = 150_000  # so many of one column that they would fill the table when those of the other make it grow
    text = "name,word,label\n" + "".join(f"n{k},w{k // 9},{'ny'[k % 2]}\n" for k in range(rows))
    chunk = parsed(text).chunk
    assert len(chunk.starts) == 3 + 2 + rows + -(-rows // 9)
    assert spoken(chunk) == [name for k in range(rows) for name in (f"name=n{k}", f"word=w{k // 9}")]


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
    assert spoken(chunk) == [f"{what}{k}" for k in range(rows) for what in ("name=n", "mail=m")]


@pytest.mark.parametrize("row", ["1,n\0o", '2,"n\0o"', "3,no\0"])
def test_a_byte_0_is_refused_in_the_labels_of_dense_rows(row):
    read = parsed(f"a,label\n1,yes\n{row}\n2,yes\n")
    assert "a byte 0 is no text" in read.problem.text
    assert read.chunk.labels.tolist() == ["yes"]


def unique(rows, odd=lambda k: ""):
    """A table with a column of names that hardly come twice, another of few, and numbers."""
    lines = [f"n{k},w{k % 5},{k % 3},{'ny'[k % 2]}\n" if not odd(k) else odd(k) for k in range(rows)]
    return "name,word,a,label\n" + "".join(lines)


def test_names_that_hardly_come_twice_are_not_looked_for_and_may_be_listed_twice():
    rows = 4 * FIRST
    again = [f"n{k},w{k % 5},1,y\n" for k in range(50)]
    chunk = parsed(unique(rows) + "".join(again)).chunk
    expected = [{f"name=n{k}": 1.0, f"word=w{k % 5}": 1.0} | ({"a": k % 3} if k % 3 else {}) for k in range(rows)]
    expected += [{f"name=n{k}": 1.0, f"word=w{k % 5}": 1.0, "a": 1.0} for k in range(50)]
    assert list(chunk) == expected
    assert len(chunk.starts) == 4 + 2 + 5 + rows + 50  # columns, labels, words, names: those of the last rows again
    named, hashed = (Named(), Named()), (Hashed(bits=12), Hashed(bits=12))
    for one, two in (named, hashed):
        rows, spelled = one.read_chunk(chunk), two.read_chunk(chunk.expand_names())
        assert rows.indices.tolist() == spelled.indices.tolist()
        assert rows.values.tolist() == spelled.values.tolist()
    assert named[0].width == named[1].width == 4 * FIRST + 5 + 1
    assert hashed[0].collisions == hashed[1].collisions > 0


@pytest.mark.parametrize(
    "strange", ['"q{k},\nr",w1,2,y\n', '"q{k}",w1,2,y\n', "n{k},w1,2e0,y\n", "q{k},,,y\n\n", " q{k} ,?,2,y\n"]
)
@pytest.mark.parametrize("often", [1, 2, 7])
def test_rows_read_with_care_enter_their_names_once(strange, often):
    rows = 3 * FIRST
    said = {'"q{k},\nr",w1,2,y\n': "q{k},\nr", "n{k},w1,2e0,y\n": "n{k}"}.get(strange, "q{k}")
    chunk = parsed(
        unique(rows, lambda k: strange.replace("{k}", str(k)) if k >= 2 * FIRST and k % often == 0 else "")
    ).chunk
    names = [said.replace("{k}", str(k)) if k >= 2 * FIRST and k % often == 0 else f"n{k}" for k in range(rows)]
    assert [name for name in spoken(chunk) if name.startswith("name=")] == [f"name={name}" for name in names]
    assert len(chunk.starts) == 4 + 2 + 5 + rows


@pytest.mark.parametrize("label", ["", "NA", "n\0o"])
def test_a_long_row_that_is_refused_has_room(label):
    long = "x" * 100_000
    read = parsed(unique(2 * FIRST) + f"{long},{long},1,{label}\n", types={"a": "number"})
    assert ("missing" if "\0" not in label else "byte 0") in read.problem.text
    assert len(read.chunk) == 2 * FIRST


@pytest.mark.parametrize("cell", ['"x,1,q\nz"', '"x"', " x", "x", ""])
def test_an_ignored_cell_may_be_odd_in_any_row_of_a_batch(cell):
    for place in range(4):
        lines = [f"w,{cell if k == place else 'u'},{k},yes\n" for k in range(4)]
        read = parsed("b,c,a,label\n" + "".join(lines), types={"a": "number", "c": "ignore"})
        assert list(read.chunk) == [{"b=w": 1.0} | ({"a": k} if k else {}) for k in range(4)]
        assert len(read.chunk.starts) == 4 + 2  # columns, w and yes, but nothing that is ignored


@pytest.mark.parametrize("bad", ['"1"x,2,yes', '"1,2,yes'])
def test_a_cell_that_will_be_refused_says_nothing_of_its_column(bad):
    format = Csv().settle(f"a,b,label\n1,2,yes\n{bad}\n".encode())
    assert format.roles[0] == NUMBER


@pytest.mark.parametrize("word", ["x ", " x", "x  ", "  x y "])
def test_spaces_around_words_are_dropped_in_rows_that_are_plain_otherwise(word):
    chunk = parsed(f"b,c,label\nw,u,yes\n{word},u,yes\nw,{word},{word}\n").chunk
    said = word.strip()
    assert list(chunk) == [{"b=w": 1.0, "c=u": 1.0}, {f"b={said}": 1.0, "c=u": 1.0}, {"b=w": 1.0, f"c={said}": 1.0}]
    assert chunk.labels.tolist() == ["yes", "yes", said]
