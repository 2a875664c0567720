"""Chunks of rounds: built from matrices, cut, labelled, and refused when they are not rows with labels."""

from dataclasses import replace

import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Instances, Row, Tokens
from littlestone.base.errors import BadInstance, BadLabel

DENSE = [[0, 2.5], [0, 0], [1, -1]]


def dense(chunk):
    """The rows of a chunk as lists."""
    rows = []
    for t in range(len(chunk)):
        one, row = chunk[t].to_sparse(), [0.0] * chunk.width
        for place, value in zip(one.indices, one.values, strict=True):
            row[place] += value
        rows.append(row)
    return rows


@pytest.mark.parametrize(
    "X",
    [
        DENSE,
        np.array(DENSE),
        scipy.sparse.csr_matrix(DENSE),
        scipy.sparse.csc_array(DENSE),
        scipy.sparse.coo_matrix(DENSE),
        pandas.DataFrame(DENSE),
    ],
    ids=lambda X: type(X).__name__,
)
def test_any_matrix_gives_the_same_rows(X):
    chunk = Examples.of(X, ["a", "b", "a"])
    assert dense(chunk) == DENSE
    assert (chunk.width, len(chunk), chunk.labels.tolist()) == (2, 3, ["a", "b", "a"])
    assert (chunk.indptr.dtype, chunk.values.dtype) == (np.int64, np.float64)
    assert dense(chunk.to_sparse()) == DENSE
    assert chunk.to_sparse().indices.dtype == np.int32
    assert dense(chunk[1:].to_sparse()) == DENSE[1:]


def test_float32_stays_float32():
    for X in (np.eye(2, dtype=np.float32), scipy.sparse.eye(2, dtype=np.float32, format="csr")):
        assert Examples.of(X, [0, 1]).values.dtype == np.float32


def test_duplicates_in_a_sparse_matrix_are_summed_in_a_copy():
    X = scipy.sparse.csr_matrix((np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), np.array([0, 3])), shape=(1, 2))
    assert dense(Examples.of(X, [1])) == [[2, 5]]
    assert X.nnz == 3


@pytest.mark.parametrize(
    ("X", "said"),
    [
        ([[1, float("nan")]], "nan"),
        (scipy.sparse.csr_matrix([[1, float("-inf")]]), "-inf"),
        ([1, 2], "1 dimension"),
        (np.zeros((1, 1, 1)), "3 dimension"),
        ([["a"]], "numbers"),
        ([["1"]], "numbers"),
        ([[1j]], "complex"),
        pytest.param([[10**400]], "too large", id="a huge integer"),
        ([[1], [0, 1]], "matrix"),
    ],
    ids=repr,
)
def test_what_is_not_a_matrix_of_finite_numbers_is_refused(X, said):
    with pytest.raises(BadInstance, match=said):
        Examples.of(X, [1])


@pytest.mark.parametrize("y", [[1], [1, 2, 3], []], ids=repr)
def test_as_many_labels_as_rows(y):
    with pytest.raises(BadLabel, match="2 rows need as many labels"):
        Examples.of([[1], [0]], y)
    with pytest.raises(BadLabel, match="2 rows need as many labels"):
        Instances.of([1, 0], y)


def test_labels_that_are_not_a_sequence_are_refused():
    with pytest.raises(BadLabel, match="sequence"):
        Examples.of([[1]], 1)


@pytest.mark.parametrize(
    "y",
    [[(1, 2), (3, 4)], [(1,), (3, 4)], [1, "1"], [True, "x"], [None, 1], ["a", 2.5], [frozenset(), 0], [2**63 + 1, -1]],
    ids=repr,
)
def test_labels_stay_what_they_are(y):
    kept = Examples.of([[1], [0]], y).labels
    assert [(type(label), label) for label in kept] == [(type(label), label) for label in y]


@given(st.integers(-7, 7), st.integers(-7, 7), st.integers(0, 5))
def test_a_slice_is_the_same_rounds(start, stop, rounds):
    chunk = Examples.of(np.arange(2.0 * rounds).reshape(rounds, 2), np.arange(rounds))
    points = Instances.of(list(range(rounds)), np.arange(rounds))
    assert dense(chunk[start:stop]) == dense(chunk)[start:stop]
    for cut in (chunk[start:stop], points[start:stop]):
        assert cut.labels.tolist() == list(range(rounds))[start:stop]
        assert len(cut) == len(cut.labels)
    assert list(points[start:stop]) == list(range(rounds))[start:stop]


def test_a_slice_of_a_slice_reads_the_right_rows():
    chunk = Examples.of(np.diag([1.0, 2, 3, 4]), range(4))[1:][1:]
    assert dense(chunk) == [[0, 0, 3, 0], [0, 0, 0, 4]]
    with pytest.raises(IndexError):
        chunk[2]


def test_a_row_knows_its_length_and_its_attributes():
    rows = [
        Row(np.array([3, 1]), None),
        Row(None, np.array([0.0, 2.0])),
        Row(np.zeros(0, np.int32), None),
        Row(None, None),
    ]
    assert [row.length for row in rows] == [2, 2, 0, 0]
    assert rows[0].to_sparse() is rows[0]
    assert (rows[1].to_sparse().indices.tolist(), rows[1].to_sparse().values.tolist()) == ([1], [2.0])


def test_importance_is_cut_with_its_rounds():
    chunk = replace(Examples.of(DENSE, [5, 6, 7]), importance=np.array([1.0, 2.0, 3.0]))
    assert chunk[1:].importance.tolist() == [2, 3]
    assert chunk.with_labels(np.array([1, 0])).importance.tolist() == [1, 2]


def test_labelling_keeps_as_many_rounds_as_there_are_labels():
    numbers = np.array([1, 0], np.int32)
    assert dense(Examples.of(DENSE, [5, 6, 7]).with_labels(numbers)) == DENSE[:2]
    assert list(Instances.of("abc", [5, 6, 7]).with_labels(numbers)) == ["a", "b"]


def test_tokens_are_rows_by_name_and_a_name_that_comes_twice_is_summed():
    text = np.frombuffer(b"free money", np.uint8)
    starts, lengths = np.array([0, 5, 0, 5]), np.array([4, 5, 4, 5], np.int32)
    tokens = Tokens(np.array([0, 3, 4]), text, starts, lengths, np.zeros(4, np.uint64), None, np.array(["a", "b"]))
    assert list(tokens) == [{"free": 2.0, "money": 1.0}, {"money": 1.0}]
    assert list(tokens[1:]) == [{"money": 1.0}]
    assert tokens.with_labels(np.array([1])).labels.tolist() == [1]


def test_tokens_may_list_a_name_once_for_all_entries_that_have_it():
    text = np.frombuffer(b"free money", np.uint8)
    names = (np.array([0, 5]), np.array([4, 5], np.int32), np.array([7, 8], np.uint64))
    which = np.array([0, 1, 0, 1], np.int32)
    tokens = Tokens(np.array([0, 3, 4]), text, *names, None, np.array(["a", "b"]), which=which)
    assert list(tokens) == list(tokens.expand_names()) == [{"free": 2.0, "money": 1.0}, {"money": 1.0}]
    assert list(tokens[1:]) == list(tokens.take(np.array([1]))) == [{"money": 1.0}]
    assert tokens.expand_names().keys.tolist() == [7, 8, 7, 8]
    assert tokens.take(np.array([1, 0])).starts.tolist() == [5, 0, 5, 0]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("bad", [-1, 3, 2**31 - 1])
def test_an_attribute_number_outside_the_matrix_is_refused(kind, bad):
    matrix = scipy.sparse.csr_array(np.eye(3))
    matrix.indices = np.array([0, bad, 2], kind)
    with pytest.raises(BadInstance, match=r"in \[0, 3\)"):
        Examples.of(matrix, [0, 1, 0])


def test_finite_values_whose_sum_is_not_are_taken():
    assert len(Examples.of(np.full((2, 2), np.finfo(np.float32).max, np.float32), [0, 1])) == 2
