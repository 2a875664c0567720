"""The JSON schema of certificates takes every honest vector, and refuses what has another form."""

import json
import re

import pytest

from places import DOCS, ROOT

SCHEMA = json.loads((DOCS / "certificate.schema.json").read_text())
FOLDER = ROOT / "verifier" / "vectors"
INDEX = json.loads((FOLDER / "index.json").read_text())
HONEST = [entry for entry in INDEX if entry["true"]]
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def fits(value, schema):
    """Whether a value has the form that a schema asks for; of JSON Schema, the words that ours uses."""
    known = {"type", "properties", "additionalProperties", "required", "items", "enum", "const", "pattern", "minimum"}
    assert set(schema) <= known | {"anyOf", "$ref", "$defs", "$schema", "title", "description"}, schema
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return any(fits(value, part) for part in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return any(type(value) is type(one) and value == one for one in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind in ("integer", "number"):
        right = type(value) is int or (kind == "number" and type(value) is float)
    else:
        right = kind is None or type(value) is TYPES[kind]
    right = right and ("minimum" not in schema or value >= schema["minimum"])
    right = right and ("pattern" not in schema or re.search(schema["pattern"], value) is not None)
    if right and kind == "object":
        named = schema.get("properties", {})
        right = set(schema.get("required", ())) <= set(value)
        right = right and (schema.get("additionalProperties", True) or set(value) <= set(named))
        return right and all(fits(value[name], named[name]) for name in set(named) & set(value))
    if right and kind == "array":
        return all(fits(one, schema.get("items", {})) for one in value)
    return right


@pytest.mark.parametrize("entry", HONEST, ids=lambda entry: entry["name"])
def test_an_honest_certificate_has_the_form(entry):
    assert fits(json.loads((FOLDER / entry["certificate"]).read_text()), SCHEMA)


def test_fields_that_are_missing_further_or_of_another_kind_are_refused():
    honest = json.loads((FOLDER / HONEST[0]["certificate"]).read_text())
    for name in SCHEMA["required"]:
        assert not fits({key: value for key, value in honest.items() if key != name}, SCHEMA), name
    changes = {"note": 1, "version": 1, "mistakes": -1, "updates": 2.5, "bound": "x", "exact": 1, "scope": "all"}
    changes |= {"stream": "Z", "updated": [0.5], "rows": {"form": "listed"}, "digest": "", "learner": []}
    for name, value in changes.items():
        assert not fits(honest | {name: value}, SCHEMA), name
