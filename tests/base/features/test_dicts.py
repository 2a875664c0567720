from datetime import date

import numpy as np
import pandas
import pytest

from littlestone.base.errors import BadInstance
from littlestone.base.features import Hashed, Named
from littlestone.base.features.dicts import flatten


def test_an_object_is_flat_in_every_kind_of_features():
    x = {"age": 39, "is": True, "colour": "red", "size": {"x": 1.5, "y": {"z": "deep"}}, "tags": ["a", "b", "a"]}
    x |= {"at": [3, None, 4.5], "gone": None, "none": [], "empty": {}}
    expected = {"age": 39, "is": 1, "colour=red": 1, "size.x": 1.5, "size.y.z=deep": 1, "tags=a": 2, "tags=b": 1}
    expected |= {"at.0": 3, "at.2": 4.5}
    assert flatten(x) == expected
    named = Named()
    row = named(x)
    assert {named.name(i): value for i, value in zip(row.indices, row.values, strict=True)} == expected
    hashed = Hashed(bits=20)
    row = hashed(x)
    assert {hashed.name(i): value for i, value in zip(row.indices, row.values, strict=True)} == expected


def test_an_object_under_the_empty_name_is_not_taken_for_what_is_beside_it():
    assert flatten({"": {"a": 1, "": {"b": [2]}}, "a": 4}) == {".a": 1, "..b.0": 2, "a": 4}


def test_a_dict_of_numbers_stays_as_it_is():
    row = Named()({"a": 1, "b": 0, ("c", 1): np.float64(2.5)})
    assert row.indices.tolist() == [0, 1, 2]
    assert row.values.tolist() == [1, 0, 2.5]


def test_what_is_missing_in_a_dict_is_missing_as_in_a_table():
    nan, day = float("nan"), pandas.Timestamp("2024-03-01")
    assert flatten({"a": nan, "b": "x", "c": pandas.NaT, "d": day, "e": date(2024, 3, 1)}) == {
        "b=x": 1.0,
        "d=2024-03-01 00:00:00": 1.0,
        "e=2024-03-01": 1.0,
    }
    for features in (Named(), Hashed(10)):
        row = features({"a": 1.0, "b": nan, "c": 3.0})
        assert [features.name(number) for number in row.indices.tolist()] == ["a", "c"]
        assert row.values.tolist() == [1.0, 3.0]
        assert features({"a": nan}).values.tolist() == []


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ({"a": "x", "b": [1, float("nan")]}, "finite numbers, got nan in 'b'"),
        ({"a": "x", "b": [1, float("inf")]}, "finite numbers, got inf in 'b'"),
        ({"a": "x", "b": 10**400}, "finite numbers, got 1000"),
        ({"a": [[1], [2]]}, "a list holds numbers or texts, got a list in 'a'"),
        ({"a": "x", "b": object()}, "got a object in 'b'"),
        ({"a": {"b": {1, 2}}}, "got a set in 'a.b'"),
    ],
)
def test_what_is_no_attribute_is_named(x, message):
    with pytest.raises(BadInstance, match=message):
        flatten(x)
    with pytest.raises(BadInstance):
        Named()(x)


def test_objects_may_not_be_deeper_than_a_limit():
    x = {}
    for _ in range(100):
        x = {"a": x}
    with pytest.raises(BadInstance, match="32 deep"):
        flatten(x)
