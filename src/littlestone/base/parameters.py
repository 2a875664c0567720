"""Parameters: what a learner, concept class, environment or loss is constructed with, checked against its annotations.

A value of another kind (a word for a number, a number for True, NaN, a whole number too large for a float) is refused
here, once for all classes; each class refuses what its theorem does not cover.

>>> class Example(metaclass=Checked):
...     def __init__(self, rate: float) -> None: ...
>>> Example(rate="1")
Traceback (most recent call last):
littlestone.base.errors.BadParameter: rate of Example must be a number, got '1'
"""

import inspect
import math
import types
from abc import ABCMeta
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from littlestone.base.errors import BadParameter, require

WORDS = {float: "a number", int: "a whole number", bool: "True or False", str: "a word", Fraction: "a number",
         types.NoneType: "None", tuple: "a tuple"}  # fmt: skip
EXACT = 2**53  # whole numbers up to this are floats
LEAST = {"experts": 1}  # of the arguments of a bound; of all others 0
AT_MOST = (("best_loss", "rounds"), ("switches", "rounds"), ("changes", "rounds"))


class Checked(ABCMeta):
    """A class of classes whose arguments are checked against their annotations before an object is made."""

    if not TYPE_CHECKING:  # type checkers look at the class itself

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            bound = cls.__signature__.bind(*args, **kwargs)  # TypeError, as ever, for arguments that do not exist
            hints = _find_hints(cls)
            problem = None
            for name, value in bound.arguments.items():
                try:
                    if name in hints:
                        bound.arguments[name] = check_value(f"{name} of {cls.__name__}", value, hints[name])
                except BadParameter as wrong:
                    problem = problem or wrong
            if problem is None:
                return super().__call__(*bound.args, **bound.kwargs)
            try:
                super().__call__(*bound.args, **bound.kwargs)
            except BadParameter:  # a class that refuses the value itself says more about it
                raise
            except Exception:
                pass
            raise problem

        @property
        def __signature__(cls) -> inspect.Signature:
            return _find_signature(cls)


def refuse_impossible(bound: Callable[..., Any]) -> Callable[..., Any]:
    """Let a bound refuse, in words, arguments that no game has: counts and sizes below zero, NaN, other kinds."""
    signature = inspect.signature(bound)

    @wraps(bound)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        numbers = {}
        hints = _find_call_hints(bound)
        for name, value in list(given.arguments.items())[1:]:
            many = signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
            for key, one in value.items() if many else ((name, value),):
                numbers[key] = _check_count(key, one, float | None if many else hints.get(name, Any))
            given.arguments[name] = {key: numbers[key] for key in value} if many else numbers[name]
        for part, whole in AT_MOST:
            if numbers.get(part) is not None and numbers.get(whole) is not None:
                fits = numbers[part] <= numbers[whole]
                require(fits, f"{part} must be at most {whole}, {numbers[whole]}, got {numbers[part]}")
        return bound(*given.args, **given.kwargs)

    return checked


def _check_count(name: str, value: Any, hint: Any) -> Any:
    """An argument of a bound, if a game can have it."""
    value = check_value(name, value, hint)
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return value
    least = LEAST.get(name, 0)
    require(value >= least, f"{name} must be at least {least}, got {value}")
    require(value < math.inf, f"{name} must be finite, got {value}")
    return value


def check_value(name: str, value: Any, hint: Any) -> Any:
    """The value as Python's own kind of number, if it is of the kind that the annotation wants; else BadParameter."""
    if isinstance(value, np.generic):
        value = value.item()
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    for kind in sorted(kinds, key=lambda kind: kind is not Fraction):  # which must not become a float where it may stay
        accepted, value = _take(value, kind)
        if accepted:
            return value
    wanted = " or ".join(dict.fromkeys(_describe_kind(kind) for kind in kinds))
    shown = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "a number of too many digits"
    raise BadParameter(f"{name} must be {wanted}, got {shown if len(shown) < 80 else shown[:76] + ' ...'}")


def _take(value: Any, kind: Any) -> tuple[bool, Any]:
    """Whether a value is of a kind, and what it is then."""
    origin = get_origin(kind)
    if kind in (float, Fraction):
        return _take_number(value, kind)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool), value
    if origin is Literal:
        return isinstance(value, tuple({type(choice) for choice in get_args(kind)})), value
    if origin is tuple or (origin is Iterable and get_args(kind) == (int,)):
        return _take_tuple(value, get_args(kind))
    if origin in (Iterable, Sequence):
        return isinstance(value, Iterable), value
    if origin is Callable:
        return callable(value), value
    if kind is bool:
        return (True, bool(value)) if isinstance(value, int) and value in (0, 1) else (False, value)
    if kind is str or kind is types.NoneType or isinstance(kind, Checked):
        return isinstance(value, kind), value
    return True, value  # of other kinds nothing is known


def _take_number(value: Any, kind: Any) -> tuple[bool, Any]:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction) or value != value:
        return False, value
    if kind is Fraction:
        return isinstance(value, Fraction), value
    if isinstance(value, float) or (isinstance(value, int) and abs(value) <= EXACT):
        return True, value
    try:
        return True, float(value)
    except OverflowError:
        return False, value


def _take_tuple(value: Any, kinds: tuple[Any, ...]) -> tuple[bool, Any]:
    if not isinstance(value, Iterable):
        return False, value
    parts = tuple(value)
    wanted = [kinds[0]] * len(parts) if len(kinds) == 1 or kinds[-1] is Ellipsis else list(kinds)
    taken = [_take(part, kind) for part, kind in zip(parts, wanted, strict=False)]
    return len(wanted) == len(parts) and all(accepted for accepted, _ in taken), parts


def _describe_kind(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if get_origin(kind) in (tuple, Iterable, Sequence):
        words = WORDS.get(get_args(kind)[0])
        return f"a sequence, each item of it {words}" if words else "a sequence"
    if get_origin(kind) is Callable:
        return "a function"
    return WORDS.get(kind) or f"a {getattr(kind, '__name__', kind)}"


@cache
def _find_signature(cls: Any) -> inspect.Signature:
    signature = inspect.signature(cls.__init__)
    return signature.replace(
        parameters=list(signature.parameters.values())[1:], return_annotation=inspect.Signature.empty
    )


@cache
def _find_call_hints(function: Any) -> dict[str, Any]:
    """The annotations of a function; none where they name what cannot be found."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError, AttributeError):
        return {}


@cache
def _find_hints(cls: Any) -> dict[str, Callable[..., Any]]:
    """The annotations of what a class is constructed with."""
    return _find_call_hints(cls.__init__)
