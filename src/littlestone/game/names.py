"""Names: what is typed at a command line, and the learner, class or environment that it stands for.

A name is the class's own in kebab case, followed by its numbers: `thresholds:1024`, `rectangles:4,2`,
`mistake-tree`, `winnow:promotion=3/2`; the rules of a network of several are joined by a plus,
`snow:winnow:threshold=4+naive-bayes`. There is no list of names: they are read from the registries. What Python has,
`Winnow(promotion=1.5)`, is understood too, and never run.

>>> from littlestone import concepts
>>> build(concepts.ALL, "thresholds:1024", "concept class")
Thresholds(n=1024)
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from fractions import Fraction
from types import NoneType
from typing import Any, Literal, Union, get_args, get_origin

from littlestone.base.errors import BadParameter, require

Given = Mapping[str, Callable[[], Any]]  # parameters that do not come from the typed text, each made when needed

NUMBERS = (int, float, Fraction)


def to_kebab(kind: type | str) -> str:
    """MistakeTree is typed mistake-tree."""
    name = kind if isinstance(kind, str) else kind.__name__
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower().replace("_", "-")


def spell(thing: Any) -> str | None:
    """What is typed for an object, with those of its parameters that are not the usual ones; None if words do not do.

    >>> from littlestone import Network, Perceptron
    >>> spell(Network(Perceptron(margin=2.0), "each"))
    'network:perceptron:margin=2.0,updates=each'
    """
    name = to_kebab(type(thing))
    parts = list[str]()
    inner = ""
    for part in fields(thing):
        value = getattr(thing, part.name)
        if name == "network" and part.name == "learner":
            inner = spell(value) or "?"
        elif name == "snow" and part.name == "rules":
            rules = [spell(rule) for rule in value]
            inner = "?" if None in rules else "+".join(map(str, rules))
        elif part.default is MISSING or part.default != value or (part.name == "updates" and needs_updates(thing)):
            plain = value is None or isinstance(value, str | int | float | Fraction)
            parts.append(f"{part.name}={value}" if plain else "?")
    numbers = ("," if ":" in inner else ":") + ",".join(parts) if parts else ""
    return None if "?" in [inner, *parts] else name + (f":{inner}" if inner else "") + numbers


def needs_updates(network: Any) -> bool:
    """Whether what is typed for a network must say how it updates, because "winner" is not meant by saying nothing."""
    from littlestone.learners.shared.linear import Linear

    return not isinstance(network.learner, Linear)


def read_python(text: str) -> str:
    """What is typed for a name or a call as Python has it; other text as it is.

    >>> read_python("Network(Perceptron(margin=1), updates='each')")
    'network:perceptron:margin=1,updates=each'
    """
    name, colon, rest = text.partition(":")
    if "(" not in name:
        return f"{to_kebab(name)}{colon}{rest}"
    try:
        return _read_node(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return text


def _read_node(node: ast.expr) -> str:
    """What is typed for a name, a call or a value."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return to_kebab(name)
        case ast.Constant(value=value):
            return str(value)
        case ast.Tuple(elts=rules) if _names_learners(node):
            return "+".join(map(_read_node, rules))
        case ast.Call(func=ast.Name(id="Fraction"), args=[over, under]):
            return f"{_read_node(over)}/{_read_node(under)}"
        case ast.Call(func=called, args=given, keywords=named):
            parts = list[str]()
            inner = ""
            for key, one in [*((None, one) for one in given), *((pair.arg, pair.value) for pair in named)]:
                if _names_learners(one):
                    inner = _read_node(one)
                elif key is None and inner:  # a network's second parameter
                    parts.append(f"updates={_read_node(one)}")
                else:
                    parts.append((f"{key}=" if key else "") + _read_node(one))
            numbers = ("," if ":" in inner else ":") + ",".join(parts) if parts else ""
            return _read_node(called) + (f":{inner}" if inner else "") + numbers
    return ast.unparse(node).replace(" ", "")


def _names_learners(node: ast.expr) -> bool:
    """Whether a node is a learner, or learners in a tuple, and no value."""
    if isinstance(node, ast.Tuple):
        return len(node.elts) > 0 and all(map(_names_learners, node.elts))
    fraction = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fraction"
    return isinstance(node, ast.Call | ast.Name | ast.Attribute) and not fraction


def refuse_name(what: str, name: str, known: Iterable[str]) -> BadParameter:
    """The error for a name that is not known: those that are near, and all there are."""
    known = list(known)
    near = get_close_matches(name, known, 3)
    there_are = f"here are: {', '.join(known)}"
    hint = f": did you mean {' or '.join(near)}? T{there_are}" if near else f"; t{there_are}"
    return BadParameter(f"{what} {name!r} is not known{hint}")


def find_playable(kinds: Iterable[type], given: Iterable[str] = ()) -> dict[str, type]:
    """Those that can be built from numbers and what is given, by name."""
    known = {to_kebab(kind): kind for kind in kinds}
    return {name: known[name] for name in sorted(known) if _can_build(known[name], set(given))}


def build(kinds: Iterable[type], text: str, what: str, given: Given | None = None) -> Any:
    """The object that the text names; BadParameter says what is allowed instead."""
    given = given or {}
    name, _, rest = read_python(text).partition(":")
    known = find_playable(kinds, given)
    if name not in known:
        raise refuse_name(what, text.partition(":")[0], known)
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
    if NoneType in kinds and text.lower() == "none":
        return None
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


def build_learner(text: str, settings: Iterable[str] = ()) -> Any:
    """The learner that was typed: `winnow`, `perceptron:margin=1`, `network:winnow`; `settings` are name=value."""
    from littlestone import learners

    for setting in settings:
        require("=" in setting, f"--set takes name=value, got {setting!r}")
    name, _, rest = read_python(text).partition(":")
    if name == "network":
        from littlestone.learners.shared.linear import Linear

        unit_name, _, numbers = rest.partition(":")
        parts = [*filter(None, numbers.split(",")), *settings]
        own = [part for part in parts if part.startswith("updates=")]
        unit = build_learner(unit_name or "averaged-perceptron", [part for part in parts if part not in own])
        if not own and not isinstance(unit, Linear):
            own = ["updates=each"]
        return build(learners.ALL, ":".join(["network", *own]), "learner", {"learner": lambda: unit})
    if name == "snow":
        return build_snow(rest, settings)
    parts = [part for part in (rest, *settings) if part]
    typed = name + (":" + ",".join(parts) if parts else "")
    return build(learners.ALL, typed if parts else text, "learner", {"learner": lambda: None})


def build_snow(text: str, settings: Iterable[str] = ()) -> Any:
    """The network of different units that was typed: its rules, joined by a plus; `settings` are of all of them."""
    from littlestone.learners.conversions import Snow

    require(bool(text), "write the rules of snow, one for each target: snow:winnow:threshold=4+perceptron+naive-bayes")
    return Snow(tuple(build_learner(rule, settings) for rule in re.split(r"\+(?=[A-Za-z])", text)))


def abbreviate(learner: Any) -> str:
    """A learner with those of its parameters that are not the usual ones."""
    parts = ((part, getattr(learner, part.name)) for part in fields(learner))
    unusual = [f"{part.name}={value}" for part, value in parts if part.default is MISSING or part.default != value]
    return f"{type(learner).__name__}({', '.join(unusual)})"
