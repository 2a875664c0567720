"""Rounds as lines: exact, in the order of the run, and the same when they are read again."""

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.errors import BadData
from littlestone.certificates.rounds import FIRST, RoundsFile, list_lines, read_dyadic, write_dyadic, write_rounds


@pytest.mark.parametrize("value", [0.0, 1.0, -3.0, 0.1, 2.0**-1074, -(2.0**1023), 1e300, 1 / 3, 2.0**53, 2.0**53 - 1])
def test_a_float_is_written_exactly_and_read_again(value):
    text = write_dyadic(value)
    assert read_dyadic(text) == value
    mantissa, _, power = text.partition("p")
    assert (int(mantissa) % 2 == 1) if power else abs(int(mantissa)) < 2**53


@pytest.mark.parametrize(
    "text", ["", "1.5", "p3", "3p", "2p1", "1p5000", "1e5", "٣", "inf", "0x1", "1p-5000", "9" * 40]
)
def test_what_is_no_dyadic_number_is_refused(text):
    with pytest.raises(BadData):
        read_dyadic(text)


def test_lines_list_entries_in_their_order_with_zeros():
    chunk = Examples(np.array([0, 3, 3]), np.array([7, 2, 4], np.int32), np.array([0.5, 0, 1]), np.array([1, -1]), 8)
    assert list(list_lines(chunk)) == ["1\t7:1p-1 2:0 4:1", "-1\t"]


@pytest.mark.parametrize(
    "stream",
    [
        ls.Recorded(np.array([[0.5, 0, 3], [0, 0, 0], [0.1, 1, 1]]), ["a\tb", "ü", "c"]),
        ls.Recorded(sp.csr_array(np.array([[0, 2.0], [1, 0]])), [True, False]),
        ls.Recorded([(1, 2), (3, 0)], [1, -1]),
        ls.Recorded(["free money", "at noon"], ["spam", "ham"]),
        ls.Panel([[0, 1, np.nan], [1, 1, 0]], [0.25, 1.0]),
    ],
    ids=["dense", "sparse", "points", "texts", "panel"],
)
def test_a_file_of_rounds_gives_the_same_rounds(stream, tmp_path):
    path, lines = tmp_path / "data.rounds", list(write_rounds(stream))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines[0] == FIRST
    again = [line for chunk in RoundsFile(path).chunks() for line in list_lines(chunk)]
    assert again == lines[1:]
    labels = [label for chunk in stream.chunks() for label in np.asarray(chunk.labels).tolist()]
    assert [label for chunk in RoundsFile(path).chunks() for label in chunk.labels.tolist()] == labels


@pytest.mark.parametrize(
    "text", ["", "rounds\n", FIRST + "\n1 3:1\n", FIRST + "\n1\t3\n", FIRST + "\n1\t-3:1\n", FIRST + "\nx\t\n"]
)
def test_other_files_are_refused(text, tmp_path):
    path = tmp_path / "data.rounds"
    path.write_text(text)
    with pytest.raises(BadData):
        list(RoundsFile(path).chunks())


def test_rounds_of_unequal_importance_are_refused():
    chunk = Examples(np.array([0, 0]), np.zeros(0, np.int32), None, np.array([1]), 1, np.array([2.0]))
    with pytest.raises(BadData, match="unequal importance"):
        list(list_lines(chunk))
