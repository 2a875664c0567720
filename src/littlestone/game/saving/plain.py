"""Plain: values as JSON text that keeps their types, and nothing that could ever run.

Strings, truth values, None, ordinary whole numbers and finite floats stand for themselves. A value that JSON would
change or cannot write is an object with one key, its type: tuples, dicts, bytes, fractions, long whole numbers, the
infinities. Numbers of NumPy become Python's own. Equal values give equal text, whatever the order of a dict.

>>> write_text((1, Fraction(1, 3), {"b": 2.0, "a": True}))
'{"tuple":[1,{"fraction":["0x1","0x3"]},{"dict":[["a",true],["b",2.0]]}]}'
>>> read(_) == (1, Fraction(1, 3), {"a": True, "b": 2.0})
True
"""

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.errors import BadModel

LONG = 2**53  # whole numbers from here on are written in digits of their own: some readers of JSON round them


def write_json(document: Any) -> str:
    """JSON in one way of writing it: sorted keys, no spaces, ASCII."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)


def parse_json(words: str | bytes) -> Any:
    """The document that JSON text stands for; BadModel if it is none."""
    try:
        return json.loads(words, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as problem:
        raise BadModel(f"holds text that is not JSON: {problem}") from None


def write_text(value: Any) -> str:
    """A value as JSON text."""
    return write_json(encode(value))


def read(words: str | bytes) -> Any:
    """The value that JSON text stands for."""
    return decode(parse_json(words))


def encode(value: Any) -> Any:
    """A value as a JSON document; BadModel, naming it, for one that has no place in a file."""
    if isinstance(value, np.generic):
        value = value.item()
    kind = type(value)
    if value is None or kind in (bool, str) or (kind is float and math.isfinite(value)):
        return value
    if kind is int:
        return value if abs(value) < LONG else {"int": hex(value)}
    if kind is float:
        return {"float": repr(value)}
    if kind is Fraction:
        return {"fraction": [hex(value.numerator), hex(value.denominator)]}
    if kind is bytes:
        return {"bytes": value.hex()}
    if kind in (tuple, list):
        parts = [encode(part) for part in value]
        return {"tuple": parts} if kind is tuple else parts
    if kind is dict:
        pairs = [[encode(key), encode(part)] for key, part in value.items()]
        return {"dict": sorted(pairs, key=lambda pair: write_json(pair[0]))}
    allowed = "strings, numbers, truth values, None, bytes, and tuples, lists and dicts of them"
    raise BadModel(f"a model file holds {allowed}; {value!r} is a {kind.__name__}")


def decode(document: Any) -> Any:
    """The value of a JSON document; BadModel if no value is written like that."""
    try:
        return _decode_part(document)
    except (ValueError, TypeError, ZeroDivisionError, RecursionError) as problem:
        raise BadModel(f"holds a value that cannot be read: {problem}") from None


def _decode_part(document: Any) -> Any:
    if isinstance(document, list):
        return [_decode_part(part) for part in document]
    if not isinstance(document, dict):
        return document
    ((kind, part),) = document.items()
    match kind:
        case "int":
            return int(part, 16)
        case "float" if part in ("inf", "-inf", "nan"):
            return float(part)
        case "fraction":
            numerator, denominator = part
            return Fraction(int(numerator, 16), int(denominator, 16))
        case "bytes":
            return bytes.fromhex(part)
        case "tuple" if isinstance(part, list):
            return tuple(_decode_part(item) for item in part)
        case "dict":
            return {_decode_part(key): _decode_part(item) for key, item in part}
    raise ValueError(f"{kind!r} is no type of value")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
