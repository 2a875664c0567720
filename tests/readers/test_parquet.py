import io
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Examples, Tokens
from littlestone.base.errors import BadData, BadParameter
from littlestone.base.features import Indexed, Named
from littlestone.readers import parquet as module
from littlestone.readers.arrow_lists import read_lists
from littlestone.readers.reading import read

ROWS = {
    "indices": [[0, 3], [], [1, 2, 7]],
    "values": [[1.0, 0.5], [], [-2.0, 4.0, 0.25]],
    "label": ["yes", "no", "yes"],
}
SPARSE = [({0: 1.0, 3: 0.5}, "yes"), ({}, "no"), ({1: -2.0, 2: 4.0, 7: 0.25}, "yes")]


def parquet(table, path=None, **options):
    file = io.BytesIO() if path is None else path
    pq.write_table(table, file, **options)
    return io.BytesIO(file.getvalue()) if path is None else path


def arrow(table, stream=False):
    file = io.BytesIO()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return io.BytesIO(file.getvalue())


WRITERS = [parquet, arrow, lambda table: arrow(table, stream=True)]


def rounds(stream):
    said = []
    for chunk in stream.chunks():
        for t in range(len(chunk)):
            row = chunk[t]
            if isinstance(chunk, Examples) and row.indices is not None:
                values = [1.0] * row.length if row.values is None else row.values.tolist()
                row = dict(zip(row.indices.tolist(), values, strict=True))
            said.append((row.values.tolist() if hasattr(row, "indices") else row, chunk.labels[t]))
    return said


@pytest.mark.parametrize("write", WRITERS, ids=["parquet", "arrow", "arrow stream"])
@pytest.mark.parametrize("kind", [pa.int32(), pa.int64(), pa.uint8()], ids=str)
def test_list_columns_are_sparse_rows(write, kind):
    table = pa.table({**ROWS, "indices": pa.array(ROWS["indices"], pa.list_(kind))})
    stream = read(write(table))
    assert rounds(stream) == SPARSE
    assert rounds(stream) == SPARSE  # and again
    assert isinstance(stream.features(), Indexed)
    assert rounds(read(write(table.drop_columns("values")), label="label"))[0] == ({0: 1.0, 3: 1.0}, "yes")
    large = pa.table({**ROWS, "indices": pa.array(ROWS["indices"], pa.large_list(kind))})
    assert rounds(read(write(large))) == SPARSE


def test_list_columns_keep_their_memory():
    for real in (pa.float32(), pa.float64()):
        indices = pa.array(ROWS["indices"], pa.list_(pa.int32()))
        values = pa.array(ROWS["values"], pa.list_(real))
        chunk = read_lists(
            indices, values, np.array(ROWS["label"]), "float32" if real == pa.float32() else "float64", 0
        )
        assert np.shares_memory(chunk.indices, indices.values.to_numpy())
        assert np.shares_memory(chunk.values, values.values.to_numpy())
        part = read_lists(indices[2:], values[2:], np.array(["yes"]), str(chunk.values.dtype), 2)
        assert np.shares_memory(part.values, values.values.to_numpy())
        assert part[0].indices.tolist() == [1, 2, 7]


def test_a_mapped_arrow_file_is_played_without_a_copy(tmp_path):
    path = tmp_path / "rows.arrow"
    path.write_bytes(arrow(pa.table({**ROWS, "indices": pa.array(ROWS["indices"], pa.list_(pa.int32()))})).getvalue())
    chunk = next(iter(read(path).chunks()))
    assert not chunk.indices.flags.writeable  # pages of the file
    assert rounds(read(path)) == SPARSE


def test_rows_out_of_order_are_sorted_and_duplicates_summed():
    table = pa.table({"indices": [[5, 1, 5], [2]], "values": [[1.0, 2.0, 3.0], [4.0]], "label": [0, 1]})
    assert rounds(read(parquet(table))) == [({1: 2.0, 5: 4.0}, 0), ({2: 4.0}, 1)]
    assert rounds(read(parquet(table.drop_columns("values"))))[0] == ({1: 1.0, 5: 2.0}, 0)


@pytest.mark.parametrize("write", WRITERS, ids=["parquet", "arrow", "arrow stream"])
def test_wide_tables_are_dense_rows_or_named_attributes(write):
    numbers = pa.table({"a": [1, None, 3], "b": [0.5, float("nan"), 2.0], "c": [True, False, None], "label": [1, 0, 1]})
    stream = read(write(numbers))
    assert rounds(stream) == [([1, 0.5, 1], 1), ([0, 0, 0], 0), ([3, 2, 0], 1)]
    assert stream.features().names == ("a", "b", "c")
    assert stream.size().real is np.float64
    colour = pa.array(["red", None, "blue"])
    for column in (colour, colour.dictionary_encode(), colour.cast(pa.large_string())):
        stream = read(write(numbers.append_column("colour", column)))
        expected = [{"a": 1, "b": 0.5, "c": 1, "colour=red": 1}, {}, {"a": 3, "b": 2, "colour=blue": 1}]
        assert rounds(stream) == list(zip(expected, [1, 0, 1], strict=True))
        assert isinstance(stream.features(), Named)


def test_types_that_float32_holds_stay_narrow():
    table = pa.table({"a": pa.array([1.5], pa.float32()), "b": pa.array([7], pa.int16()), "label": [1]})
    (chunk,) = read(parquet(table)).chunks()
    assert chunk.values.dtype == np.float32
    assert read(parquet(table)).size().real is np.float32


@pytest.mark.parametrize(
    ("options", "label"), [({}, "class"), ({"label": "a"}, "a"), ({"label": -1}, "b"), ({"label": "0"}, "a")]
)
def test_the_label_is_found_or_told(options, label):
    table = pa.table({"a": [1], "class": [2], "b": [3]})
    stream = read(parquet(table), **options)
    assert stream.format.target == label
    assert [chunk.labels.tolist() for chunk in stream.chunks()] == [table[label].to_pylist()]


def test_without_labels_there_are_none():
    assert rounds(read(parquet(pa.table({"a": [1], "b": [2]})), labelled=False)) == [([1, 2], None)]
    assert rounds(read(parquet(pa.table({"a": [1], "label": [2]})), labelled=False)) == [([1], None)]


BAD = {
    "a duration": ({"at": pd.to_timedelta(["1 day"]), "label": [1]}, "'at' holds duration.*ignore="),
    "an object": ({"at": [{"x": 1}], "label": [1]}, "'at' holds struct"),
    "indices that are no integers": ({"indices": [[0.5]], "label": [1]}, "indices are lists of integers"),
    "values that are no numbers": ({"indices": [[1]], "values": [["x"]], "label": [1]}, "values are lists of numbers"),
    "values that are no lists": ({"indices": [[1]], "values": [1.0], "label": [1]}, "values are lists of numbers"),
    "unequal lists": (
        {"indices": [[1], [1, 2]], "values": [[1.0], [1.0]], "label": [1, 2]},
        "row 1 has 2 indices and 1",
    ),
    "a negative index": ({"indices": [[1], [-1, 2]], "label": [1, 2]}, "at least 0, got -1 in row 1"),
    "a huge index": ({"indices": [[1], [2**31]], "label": [1, 2]}, "below 2\\^31, got 2147483648 in row 1"),
    "a value that is not finite": (
        {"indices": [[1], [1]], "values": [[1.0], [float("nan")]], "label": [1, 2]},
        "finite numbers, got NaN or infinity in row 1",
    ),
    "a missing list": ({"indices": [[1], None], "label": [1, 2]}, "missing in row 1"),
    "a missing entry": ({"indices": [[1], [None]], "label": [1, 2]}, "missing entry"),
    "an infinite number": ({"a": [1.0, float("inf")], "label": [1, 2]}, "'a' has an infinite number in row 1"),
    "a missing label": ({"a": [1, 2], "label": [1, None]}, "'label', is missing in row 1"),
    "a label that is not finite": ({"a": [1, 2], "label": [1, float("nan")]}, "finite number, got nan in row 1"),
    "a label that is a list": ({"a": [1], "label": [[1]]}, "a label is a number, a boolean or a text"),
    "nothing but a label": ({"label": [1]}, "no column of attributes"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_is_said_in_words(name):
    columns, message = BAD[name]
    for write in WRITERS:
        with pytest.raises(BadData, match=message) as caught:
            rounds(read(write(pa.table(columns))))
        assert caught.value.name == "<BytesIO>"


def test_damaged_files_are_refused(tmp_path):
    table = pa.table({"a": np.arange(10000), "label": np.arange(10000) % 2})
    for ending, write in ((".parquet", parquet), (".arrow", arrow)):
        data = write(table).getvalue()
        for damaged in (data[: len(data) // 2], data[:6], data[:8] + b"garbage", data[:-1]):
            path = tmp_path / f"table{ending}"
            path.write_bytes(damaged)
            with pytest.raises(BadData, match="damaged or cut short") as caught:
                rounds(read(path))
            assert caught.value.name == str(path)


def test_a_column_may_be_ignored_and_an_unknown_one_is_named():
    table = pa.table({"at": pd.to_datetime(["2020-01-01"]), "a": [1.0], "label": [1]})
    assert rounds(read(parquet(table), ignore=("at",))) == [([1.0], 1)]
    with pytest.raises(BadData, match="the label 'gone' is none of the 3 columns"):
        read(parquet(table), label="gone")
    with pytest.raises(BadData, match="two columns are called 'a'"):
        read(parquet(pa.table([pa.array([1])] * 3, names=["a", "a", "label"])))
    with pytest.raises(BadParameter, match="list of columns"):
        module.Parquet(ignore="at")


def test_several_files_and_row_groups_come_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "ROWS", 7)
    for k in range(2):
        table = pa.table({"a": np.arange(50) + 50 * k, "label": np.arange(50) % 2})
        parquet(table, tmp_path / f"{k}.parquet", row_group_size=20)
    found = rounds(read(str(tmp_path / "*.parquet")))
    assert found == [([t], t % 2) for t in range(100)]
    parquet(pa.table({"a": ["x"], "label": [1]}), tmp_path / "2.parquet")
    with pytest.raises(BadData, match="column 'a' holds string, in the first file int64"):
        rounds(read(str(tmp_path / "*.parquet")))


def test_without_the_package_one_line_says_what_to_install(monkeypatch, tmp_path):
    path = parquet(pa.table({"a": [1], "label": [1]}), tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(BadParameter, match=r"needs the package pyarrow.*littlestone\[parquet\]"):
        read(path)


cell = st.one_of(st.none(), st.floats(width=32, allow_nan=False, allow_infinity=False))


@given(st.lists(st.tuples(cell, st.sampled_from(["x", "y", None]), st.booleans()), min_size=1))
def test_tables_come_back_as_pyarrow_reads_them(rows):
    a, b, label = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"a": pa.array(a, pa.float32()), "b": pa.array(b, pa.string()), "label": label})
    expected = []
    for row in pq.read_table(parquet(table)).to_pylist():
        named = {"a": row["a"]} if row["a"] else {}
        expected.append((named | ({f"b={row['b']}": 1.0} if row["b"] else {}), row["label"]))
    stream = read(parquet(table))
    assert all(isinstance(chunk, Tokens) for chunk in stream.chunks())
    assert rounds(stream) == expected


def test_a_game_is_played_on_lists():
    table = pa.table({"indices": [[0], [1]] * 50, "label": [True, False] * 50})
    assert ls.play(ls.Perceptron(), read(parquet(table))).mistakes <= 2
