"""JSON lines."""

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.base.features import dicts as objects
from littlestone.readers import jsonl

one = property_of("jsonl")


def seeds() -> list[bytes]:
    return [
        b'{"label": "yes", "age": 39, "colour": "red", "size": {"x": 1.5}, "tags": ["new", "sale"]}\n' * 3,
        b'{"label": 1, "a": [1, 2.5, -3e-4], "b": null, "c": true}\n\n{"label": 0, "a": [], "d": {"e": {"f": 1}}}\n',
        b'{"label": 1, "a": NaN}\n{"label": 1, "a": 1e999}\n{"a": 1}\n[1]\n{"label": 1, "a": [[1]]}\n{"label"\n',
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [jsonl, objects])
