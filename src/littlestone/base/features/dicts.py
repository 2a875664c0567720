"""Objects: a dict, or an object in JSON, as named attributes.

A number is an attribute's value, True is 1 and False 0. A text is the attribute `name=text` of value 1. An object
inside has its names after a dot. A list of numbers is a vector, `name.0`, `name.1` and so on; a list of texts is a bag,
the attribute `name=text` for each of them, counted as often as it occurs. A date or time is the text that `str` makes
of it. None, NaN and NaT are missing, and no attribute, as empty cells of a table are.

>>> flatten({"age": 39, "colour": "red", "size": {"x": 1.5}, "tags": ["new", "new"], "at": [3, 4], "gone": None})
{'age': 39.0, 'colour=red': 1.0, 'size.x': 1.5, 'tags=new': 2.0, 'at.0': 3.0, 'at.1': 4.0}
"""

from collections.abc import Mapping
from datetime import date
from numbers import Real
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance
from littlestone.base.features.contract import FLOAT64, require_finite

DEPTH = 32  # of objects inside objects


def flatten(x: Mapping[Any, Any]) -> dict[Any, float]:
    """Named attributes of an object; BadInstance names what is none."""
    found: dict[Any, float] = {}
    _gather(found, "", x, 0)
    return found


def read_named_values(x: Mapping[Any, Any]) -> tuple[Mapping[Any, Any], Array]:
    """Attributes by name and their values; an object that holds more than numbers is made flat."""
    try:
        values = np.asarray(list(x.values())) if x else np.zeros(0)
        if values.dtype is FLOAT64 and values.ndim == 1:
            if (squares := values.dot(values)) == squares:  # none is NaN
                return x, values
            x = {name: value for name, value in x.items() if value == value}
            return x, np.array(list(x.values()), np.float64)
    except ValueError:  # lists of different lengths
        pass
    if any(value is None or isinstance(value, str | date | list | tuple | Mapping) for value in x.values()):
        x = flatten(x)
    return x, require_finite(list(x.values()))


def _gather(found: dict[Any, float], before: str, x: Mapping[Any, Any], depth: int) -> None:
    for key, value in x.items():
        name = f"{before}.{key}" if depth else key
        if isinstance(value, str | date):
            if value == value:
                _add(found, f"{name}={value}", 1.0)
        elif isinstance(value, Real | np.bool_):
            if value == value:
                _add(found, name, _number(name, value))
        elif isinstance(value, Mapping):
            if depth == DEPTH:
                raise BadInstance(f"objects may be {DEPTH} deep, got a deeper one in {before[:40]!r}")
            _gather(found, str(name), value, depth + 1)
        elif isinstance(value, list | tuple):
            for k, item in enumerate(value):
                if isinstance(item, str):
                    _add(found, f"{name}={item}", 1.0)
                elif isinstance(item, Real | np.bool_):
                    _add(found, f"{name}.{k}", _number(name, item))
                elif item is not None:
                    raise BadInstance(f"a list holds numbers or texts, got a {type(item).__name__} in {name!r}")
        elif value is not None:
            allowed = "a number, a text, a list of them or an object"
            raise BadInstance(f"an attribute is {allowed}, got a {type(value).__name__} in {name!r}")


def _add(found: dict[Any, float], name: Any, value: float) -> None:
    found[name] = found[name] + value if name in found else value


def _number(name: Any, value: Any) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not np.isfinite(number):
        raise BadInstance(f"attributes must be finite numbers, got {str(value)[:40]} in {name!r}")
    return number
