"""Names: what is typed at a command line, and the learner, class or environment that it stands for.

A name is the class's own in kebab case, followed by its numbers: `thresholds:1024`, `rectangles:4,2`,
`mistake-tree`, `winnow:promotion=3/2`. There is no list of names: they are read from the registries.

>>> from littlestone import concepts
>>> build(concepts.ALL, "thresholds:1024", "concept class")
Thresholds(n=1024)
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin

from littlestone.base.errors import BadParameter

Given = Mapping[str, Callable[[], Any]]  # parameters that do not come from the typed text, each made when needed

NUMBERS = (int, float, Fraction)


def to_kebab(kind: type) -> str:
    """MistakeTree is typed mistake-tree."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def find_playable(kinds: Iterable[type], given: Iterable[str] = ()) -> dict[str, type]:
    """Those that can be built from numbers and what is given, by name."""
    known = {to_kebab(kind): kind for kind in kinds}
    return {name: known[name] for name in sorted(known) if _can_build(known[name], set(given))}


def build(kinds: Iterable[type], text: str, what: str, given: Given | None = None) -> Any:
    """The object that the text names; BadParameter says what is allowed instead."""
    given = given or {}
    name, _, rest = text.partition(":")
    known = find_playable(kinds, given)
    if name not in known:
        raise BadParameter(f"{what} {name!r} is not known; there are: {', '.join(known)}")
    kind = known[name]
    values = _parse_values(kind, name, [part.strip() for part in rest.split(",")] if rest else [], given)
    for parameter in inspect.signature(kind).parameters.values():
        if parameter.name in given:
            values[parameter.name] = given[parameter.name]()
        elif parameter.default is parameter.empty and parameter.name not in values:
            raise BadParameter(f"{name} needs {parameter.name}: {_describe_usage(kind, name, given)}")
    return kind(**values)


def _parse_values(kind: type, name: str, parts: list[str], given: Given) -> dict[str, Any]:
    """The typed numbers by parameter: in order, or as parameter=value."""
    hints = _read_hints(kind)
    free = [parameter for parameter in hints if parameter not in given]
    values: dict[str, Any] = {}
    for part in parts:
        typed, equals, number = part.rpartition("=")
        many = free[-1] if free and _takes_several(hints[free[-1]]) else None
        parameter = typed if equals else next((one for one in free if one not in values), many)
        if parameter not in free:
            raise BadParameter(f"{name} does not take {part!r}: {_describe_usage(kind, name, given)}")
        assert parameter is not None
        value = _parse_value(number, hints[parameter], f"{name}: {parameter}")
        if _takes_several(hints[parameter]):
            values[parameter] = [*values.get(parameter, []), value]
        else:
            values[parameter] = value
    return values


def _parse_value(text: str, hint: Any, what: str) -> Any:
    """The text as the parameter takes it: a choice, true or false, a whole number, a fraction or a float."""
    kinds = _list_members(hint)
    choices = [choice for kind in kinds for choice in get_args(kind) if get_origin(kind) is Literal]
    if text in choices:
        return text
    if bool in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, Fraction if Fraction in kinds else float if float in kinds else int):
        try:
            return kind(text)
        except (ValueError, ZeroDivisionError):
            continue
    words = ["true or false"] if bool in kinds else ["a number"] if {float, Fraction} & set(kinds) else []
    allowed = [*map(str, choices), *words] or ["a whole number"]
    raise BadParameter(f"{what} must be {' or '.join(allowed)}, got {text!r}")


def _describe_usage(kind: type, name: str, given: Given) -> str:
    parameters = [one for one in inspect.signature(kind).parameters.values() if one.name not in given]
    words = [one.name.upper() if one.default is one.empty else f"[{one.name.upper()}]" for one in parameters]
    return f"write {name}:{','.join(words)}" if words else f"write {name}"


def _read_hints(kind: type) -> dict[str, Any]:
    """The parameters of a constructor with their types."""
    parameters = inspect.signature(kind, eval_str=True).parameters
    return {name: parameter.annotation for name, parameter in parameters.items()}


def _list_members(hint: Any) -> tuple[Any, ...]:
    """The types that a parameter may have."""
    union = get_origin(hint) in (Union, type(int | str))
    return get_args(hint) if union else (hint,)


def _takes_several(hint: Any) -> bool:
    """Whether a parameter takes several whole numbers."""
    return get_args(hint) == (int,)


def _can_build(kind: type, given: set[str]) -> bool:
    """Whether all parameters of a constructor that must be given are given, or numbers."""
    parameters = inspect.signature(kind, eval_str=True).parameters.values()
    needed = [one.annotation for one in parameters if one.default is one.empty and one.name not in given]
    return all(_takes_several(hint) or any(one in NUMBERS for one in _list_members(hint)) for hint in needed)
