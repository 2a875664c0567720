"""Which first lines name columns: decided by the rows below, and said."""

import pytest

import littlestone as ls
from littlestone.base.errors import BadData
from littlestone.readers.headers import is_header
from littlestone.readers.reading import read

FRACTIONS = [["0.5", "-1.25", "2.0", "a"], ["1.5", "0.25", "-3.5", "b"], ["-0.5", "1.75", "0.125", "a"]]
WHOLE = [["5", "8", "8", "6", "1", "0"], ["3", "0", "9", "2", "0", "1"], ["0", "1", "7", "3", "1", "1"]]


@pytest.mark.parametrize(
    ("first", "rows", "named"),
    [
        (["0", "1", "2", "3"], FRACTIONS, True),  # pandas' names of columns without one
        (["1", "2", "3", "4"], FRACTIONS, True),
        (["", "0", "1", "2", "3"], [[str(t), *row] for t, row in enumerate(FRACTIONS)], True),  # with its index
        (["0", "1", "2", "label"], FRACTIONS, True),
        (["2024", "2025", "2026", "country"], FRACTIONS, True),
        (["0", "1", "2", "a"], FRACTIONS, False),  # a label that comes again
        (["0", "2", "4", "c"], FRACTIONS, False),  # numbers that do not count
        (["7", "8", "c"], [row[1:] for row in FRACTIONS], False),  # too few from 7 on
        (["0", "1", "2", "3", "4", "5"], WHOLE, True),  # a long run over whole numbers
        (["0", "1", "2", "3"], [row[:4] for row in WHOLE], False),  # a short one
        (["0", "1", "2", "3", "4", "5"], [*WHOLE, ["5", "4", "3", "2", "1", "0"]], False),  # rankings
        (["0", "1", "2", "3", "4", "5"], [*WHOLE, ["1", "2", "3", "4", "5", "6"]], False),  # sequences
        (["0", "1", "2", "3"], [], False),  # nothing to compare with
    ],
)
def test_numbers_name_columns_if_the_rows_below_are_unlike_them(first, rows, named):
    assert is_header([first, *rows], ("?", "NA")) is named


def write(path, first, rows):
    path.write_text("".join(",".join(row) + "\n" for row in [first, *rows]))
    return path


def test_a_header_of_numbers_is_no_row_and_its_names_choose_the_label(tmp_path):
    path = write(tmp_path / "a.csv", ["", "0", "1", "2", "3"], [[str(t), *row] for t, row in enumerate(FRACTIONS * 4)])
    stream = read(path)
    assert [label for chunk in stream.chunks() for label in chunk.labels] == ["a", "b", "a"] * 4
    assert stream.notes[0].startswith("the first line, , 0, 1, 2, 3, is taken for names of columns (header=False")
    for label in (3, "3"):  # the column of that name, not the one at that place
        assert read(path, label=label).schema().label == "3"
    assert sum(len(chunk) for chunk in read(path, header=False, label=-1).chunks()) == 13


def test_a_first_line_that_may_be_either_is_said_to_be_a_row_and_header_decides(tmp_path):
    path = write(tmp_path / "a.csv", ["0", "1", "2", "3"], [row[:4] for row in WHOLE])
    assert read(path).notes == ("the first line, 0, 1, 2, 3, is taken for a row (header=True: it names the columns)",)
    assert sum(len(chunk) for chunk in read(path).chunks()) == 4
    told = read(path, header=True)
    assert (told.notes, sum(len(chunk) for chunk in told.chunks())) == ((), 3)


def test_a_model_of_numbered_columns_knows_their_header_and_rows_that_hold_some_of_its_numbers(tmp_path):
    learned = read(write(tmp_path / "a.csv", ["0", "1", "2", "3"], FRACTIONS * 5))
    player = ls.Player(ls.Perceptron(), learned.features())
    ls.play(player, learned)
    same = write(tmp_path / "b.csv", ["0", "1", "2", "3"], [["1", "0", "2", "a"]])
    assert sum(len(chunk) for chunk in read(same, like=player.schema).chunks()) == 1
    bare = read(write(tmp_path / "c.csv", ["0", "1", "2"], [["1", "0", "2"]]), like=player.schema, labelled=False)
    assert sum(len(chunk) for chunk in bare.chunks()) == 1


def test_labels_with_leading_zeros_are_texts_and_stay_apart(tmp_path):
    codes = ["00501", "501", "10001"]
    path = write(tmp_path / "a.csv", ["a", "zip"], [[str(t % 7), codes[t % 3]] for t in range(300)])
    stream = read(path)
    assert [*dict.fromkeys(label for chunk in stream.chunks() for label in chunk.labels)] == codes
    assert stream.notes[0].startswith("labels in column 'zip' are written with leading zeros, so 01 and 1 are two")
    numbers = read(path, types={"zip": "number"})
    assert [*dict.fromkeys(label for chunk in numbers.chunks() for label in chunk.labels)] == [501, 10001]
    plain = write(tmp_path / "b.csv", ["a", "zip"], [[f"0{t % 7}", f"{t % 2}"] for t in range(30)])
    assert read(plain).notes == ()
    assert next(iter(read(plain).chunks())).labels.dtype.kind == "i"
    late = write(tmp_path / "c.csv", ["a", "zip"], [["1", "0042" if t == 250 else str(t % 2)] for t in range(300)])
    assert {*next(iter(read(late).chunks())).labels} == {"0", "1", "0042"}


def make_late_code(folder, code="0042", label="zip"):
    """A table whose label has a zero before it only after the first megabyte, in line 300002."""
    lines = [f"{t % 7},{42 + t % 2}\n" for t in range(300_000)]
    path = folder / "late.csv"
    path.write_text(f"a,{label}\n{''.join(lines)}1,{code}\n" + "".join(lines[:10]))
    return path


@pytest.mark.parametrize("code", ["0042", "+042", " 0042", '"0042"', "-00", "00.5"])
def test_a_first_leading_zero_after_the_first_megabyte_is_refused_with_its_line_and_the_remedy(code, tmp_path):
    path = make_late_code(tmp_path, code)
    with pytest.raises(BadData, match="leading zero") as refused:
        sum(len(chunk) for chunk in read(path).chunks())
    assert "late.csv, line 300002, byte " in str(refused.value)
    assert f": label '{code.strip(chr(32) + chr(34))}" in str(refused.value).replace('"', "")
    assert "types={'zip': 'category'} keeps 042 and 42 apart, types={'zip': 'number'} takes both for 42" in str(
        refused.value
    )
    texts = [label for chunk in read(path, types={"zip": "category"}).chunks() for label in chunk.labels]
    assert {*texts} == {"42", "43", code.strip(' "')}
    numbers = [label for chunk in read(path, types={"zip": "number"}).chunks() for label in chunk.labels]
    assert numbers[300_000] == float(code.strip(' "'))
    skipped = read(path, on_error="skip")
    assert sum(len(chunk) for chunk in skipped.chunks()) == 300_010
    assert skipped.skipped.count == 1


def test_a_leading_zero_that_a_model_of_numbers_meets_is_refused(tmp_path):
    path = write(tmp_path / "a.csv", ["a", "zip"], [["1", str(t % 2)] for t in range(30)])
    schema = read(path).schema()
    late = write(tmp_path / "b.csv", ["a", "zip"], [["1", "01" if t == 7 else "1"] for t in range(30)])
    with pytest.raises(BadData, match=r"b.csv, line 9, byte 3: label '01' has a leading zero"):
        list(read(late, like=schema).chunks())
    assert sum(len(chunk) for chunk in read(late, like=schema, types={"zip": "number"}).chunks()) == 30
    assert sum(len(chunk) for chunk in read(late, like=schema, labelled=None).chunks()) == 30  # to predict


def test_numbers_that_only_look_like_leading_zeros_are_labels(tmp_path):
    path = write(
        tmp_path / "a.csv", ["a", "zip"], [["01", one] for one in ["0", "0.5", "-0", "10", "-0.25", "100"] * 5]
    )
    assert [*next(iter(read(path).chunks())).labels[:6]] == [0, 0.5, 0, 10, -0.25, 100]
