"""What a player reads: rows by number, rows by name, and everything that is not a row."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Instances, Row
from littlestone.base.errors import BadInstance
from littlestone.base.features import Indexed, Named, stack_rows


def pairs(row):
    """A row as a dict of what is not zero, a missing list of values meaning ones."""
    row = row.to_sparse()
    values = np.ones(len(row.indices)) if row.values is None else row.values
    return dict(zip(row.indices.tolist(), values.tolist(), strict=True))


WAYS = [
    [0, 2.5, 0, -1],
    (0, 2.5, 0, -1),
    np.array([0, 2.5, 0, -1]),
    {1: 2.5, 3: -1},
    {3: -1, 1: 2.5},
    ([1, 3], [2.5, -1]),
    (np.array([3, 1]), np.array([-1, 2.5])),
    Row(np.array([1, 3]), np.array([2.5, -1])),
    scipy.sparse.csr_matrix([[0, 2.5, 0, -1]]),
    scipy.sparse.csr_array([[0, 2.5, 0, -1]]),
    scipy.sparse.coo_array(np.array([0, 2.5, 0, -1])),
    {1: 2.5, 3: -1.0, 5: 0.0},
]


@pytest.mark.parametrize("x", WAYS, ids=lambda x: type(x).__name__)
def test_every_way_to_write_a_row_is_the_same_row(x):
    row = Indexed()(x)
    assert {place: value for place, value in pairs(row).items() if value} == {1: 2.5, 3: -1.0}
    assert row.indices is None or row.indices.dtype == np.int32
    assert row.values.dtype == np.float64


def test_attributes_are_listed_in_order_and_dense_rows_stay_dense():
    assert Indexed()({3: -1, 1: 2.5}).indices.tolist() == [1, 3]
    assert Indexed()(([3, 1], None)).indices.tolist() == [1, 3]
    assert Indexed()([0, 2.5]).indices is None


def test_two_numbers_in_a_tuple_are_a_dense_row_and_two_sequences_are_numbers_with_values():
    assert pairs(Indexed()((0, 7))) == {1: 7.0}
    assert pairs(Indexed()(([0], [7]))) == {0: 7.0}


def test_numbers_without_values_are_ones():
    row = Indexed()(([4, 2], None))
    assert row.values is None
    assert pairs(row) == {4: 1.0, 2: 1.0}


@pytest.mark.parametrize(
    "x",
    [
        ([2, 0, 2], [1.0, 5.0, 0.5]),
        Row(np.array([2, 0, 2]), np.array([1.0, 5.0, 0.5])),
        scipy.sparse.csr_matrix((np.array([1.0, 5.0, 0.5]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3)),
    ],
    ids=["numbers", "row", "scipy"],
)
def test_duplicate_attributes_are_summed(x):
    assert pairs(Indexed()(x)) == {0: 5.0, 2: 1.5}


@pytest.mark.parametrize("x", [([2, 0, 2], None), Row(np.array([2, 0, 2]), None)], ids=["numbers", "row"])
def test_duplicate_attributes_without_values_count_twice(x):
    assert pairs(Indexed()(x)) == {0: 1.0, 2: 2.0}


def test_duplicates_whose_sum_is_not_finite_are_refused():
    with pytest.raises(BadInstance, match="finite"):
        Indexed()(([0, 0], [1e308, 1e308]))


@pytest.mark.parametrize("x", [[], {}, ([], []), ([], None), np.zeros(5), Row(np.zeros(0, np.int32), None)])
def test_a_row_without_attributes_is_a_row(x):
    features = Indexed()
    assert pairs(features(x)) == {}
    assert features.width == (5 if isinstance(x, np.ndarray) else 0)


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ([1.0, float("nan")], "nan"),
        ({0: float("inf")}, "infinity"),
        ([None, 1], "nan"),
        pytest.param({0: 10**400}, "too large", id="a huge integer"),
        ([1 + 2j], "complex"),
        (["1", "0"], "numbers"),
        (["a", "b"], "numbers"),
        ({-1: 1.0}, "-1"),
        (Row(np.array([-1], np.int32), None), "-1"),
        ({2**31: 1.0}, "2147483648"),
        ({2**32: 1.0}, "4294967296"),
        (([2**33], None), "8589934592"),
        (Row(np.array([2**32]), None), "4294967296"),
        ({1.5: 1.0}, "Named"),
        ({"word": 1.0}, "Named"),
        (5, "0 dimension"),
        ("text", "numbers"),
        ({1, 2}, "vector"),
        ([[1, 0], [0, 1]], "2 dimension"),
        ([[1], [0, 1]], "vector"),
        (scipy.sparse.eye(2, format="csr"), "2 rows"),
        (([0, 1], [1.0]), "as many values"),
        (([0, 1], [[1.0, 2.0]]), "as many values"),
    ],
    ids=repr,
)
def test_what_is_not_a_row_of_finite_numbers_is_refused_and_widens_nothing(x, said):
    features = Indexed()
    with pytest.raises(BadInstance, match=said):
        features(x)
    assert features.width == 0


def test_the_largest_attribute_number_and_the_largest_float_are_legal():
    features = Indexed()
    assert pairs(features({2**31 - 1: 1.7e308, 0: 5e-324})) == {2**31 - 1: 1.7e308, 0: 5e-324}
    assert features.width == 2**31


def test_float32_stays_and_other_numbers_become_float64():
    assert Indexed()(np.array([1, 2], np.float32)).values.dtype == np.float32
    for kind in (np.float64, np.float16, np.int8, np.uint64, bool):
        assert Indexed()(np.array([1, 1], kind)).values.dtype == np.float64


def test_declared_attributes_are_the_width_and_the_limit():
    features = Indexed(3)
    assert features.width == 3
    features([1, 1, 1])
    with pytest.raises(BadInstance, match="below 3, got 3"):
        features({3: 1.0})
    assert features.width == 3


def test_undeclared_attributes_widen_with_what_is_met():
    features = Indexed()
    features({4: 1.0})
    features({2: 1.0})
    assert features.width == 5


def test_names_get_numbers_in_the_order_they_are_met():
    named = Named()
    assert pairs(named({"free": 1, "money": 2})) == {0: 1.0, 1: 2.0}
    assert pairs(named({"now": 3, "free": 1})) == {2: 3.0, 0: 1.0}
    assert (named.width, named.name(2)) == (3, "now")


@pytest.mark.parametrize("x", [{"new": float("inf")}, {"new": b"x"}, [1, 2], "new", Row(np.array([0]), None)], ids=repr)
def test_a_refused_instance_names_nothing(x):
    named = Named()
    with pytest.raises(BadInstance):
        named(x)
    assert named.width == 0


def test_named_attributes_refuse_rows_of_numbers_in_chunks_too():
    with pytest.raises(BadInstance, match="dict"):
        Named().read_chunk(Examples.of([[1, 0]], [1]))


def test_a_chunk_is_read_up_to_the_first_instance_that_is_not_one():
    bad = Instances.of([{0: 1.0}, {1: 2.0}, {0: float("nan")}, {2: 1.0}], [0, 1, 0, 1])
    for features in (Indexed(), Indexed(5)):
        read = features.read_chunk(bad)
        assert [pairs(read[t]) for t in range(len(read))] == [{0: 1.0}, {1: 2.0}]
        assert read.labels.tolist() == [0, 1]
        with pytest.raises(BadInstance, match="NaN"):
            features.read_chunk(bad[2:])


def test_a_matrix_is_read_up_to_the_first_row_beyond_the_declared_attributes():
    dense = [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]
    chunk = Examples.of(scipy.sparse.csr_matrix(dense), [0, 1, 0, 1])
    features = Indexed(3)
    read = features.read_chunk(chunk)
    assert [pairs(read[t]) for t in range(len(read))] == [{0: 1.0}, {2: 1.0}]
    assert (features.width, read.labels.tolist()) == (3, [0, 1])
    with pytest.raises(BadInstance, match="below 3, got 3"):
        features.read_chunk(chunk[2:])
    assert len(features.read_chunk(chunk[3:])) == 1
    assert len(features.read_chunk(chunk[:0])) == 0
    with pytest.raises(BadInstance, match="below 3, got 3"):
        features.read_chunk(Examples.of(dense, [0, 1, 0, 1]))


def test_a_matrix_gives_an_undeclared_width_its_columns():
    features = Indexed()
    features.read_chunk(Examples.of([[1, 0, 0, 0]], [1]))
    assert features.width == 4


def test_a_chunk_holds_rows_of_one_kind():
    """The state takes its type from the first row, and sums are added in another order over dense rows."""
    xs = [np.array([1, 2], np.float32), np.array([1.0, 2.0]), np.array([1.0]), {0: 1.0}, ([0], None)]
    kinds = [np.float32, np.float64, np.float64, np.float64, None]
    for first, kind in enumerate(kinds):
        read = Indexed().read_chunk(Instances(xs[first:], np.arange(5 - first)))
        assert len(read) == 1
        assert (read.values is None) if kind is None else (read.values.dtype == kind)
        assert (read.indices is None) == (first < 3)
    for x in xs:
        assert len(Indexed().read_chunk(Instances([x] * 3, np.arange(3)))) == 3


sparse = st.dictionaries(st.integers(0, 40), st.integers(-3, 3), max_size=6)


@given(st.lists(sparse, max_size=8))
def test_rows_stacked_are_the_rows_one_by_one(xs):
    one_by_one, at_once = Indexed(), Indexed()
    rows = [one_by_one(x) for x in xs]
    chunk = at_once.read_chunk(Instances(xs, np.arange(len(xs))))
    assert len(chunk) == len(xs)
    assert [pairs(chunk[t]) for t in range(len(xs))] == [pairs(row) for row in rows]
    assert one_by_one.width == at_once.width == chunk.width


def test_stacking_rows_of_ones_keeps_them_without_values():
    rows = [Row(np.array([0], np.int32), None), Row(np.array([1, 2], np.int32), None)]
    assert stack_rows(rows, np.arange(2)).values is None
    mixed = stack_rows([*rows, Row(np.array([3], np.int32), np.array([2.0]))], np.arange(3))
    assert mixed.values.tolist() == [1, 1, 1, 2]
    ragged = stack_rows([Row(None, np.array([0.0, 5.0])), Row(None, np.array([6.0]))], np.arange(2))
    assert [pairs(ragged[t]) for t in range(2)] == [{1: 5.0}, {0: 6.0}]
