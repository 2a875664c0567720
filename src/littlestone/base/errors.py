"""Every error the library raises on purpose, and the one-line check that raises most of them.

    LittlestoneError
    ├── BadParameter   (ValueError)  a learner, class or environment was given a value its theorem does not cover
    ├── BadInstance    (ValueError)  an x that is not an instance: wrong length, NaN, out of range
    ├── BadLabel       (ValueError)  a y that is not a label, or one class more than the learner can tell apart
    ├── BadData        (ValueError)  bytes that a reader refuses: where, what was found, what is allowed
    ├── BadModel       (ValueError)  a model file that is damaged, forged, of another kind or of a later version
    ├── NotRealizable                no concept of the class agrees with the labels seen so far
    ├── NotCertified                 a certificate was asked for that no theorem covers, or one did not verify
    └── TooLarge                     an exact answer would need more memory or steps than the stated limit

An error raised during a game carries `game`, the game as it was before the refused round.
"""

from math import isfinite
from typing import Any

from littlestone.base.printed_text import quote

# of parameters that rules multiply values with (`base/domain.py`)
SMALLEST = 1e-30
LARGEST = 1e30


class LittlestoneError(Exception):
    """The root of the tree: catch this to catch everything the library raises on purpose."""

    game: Any = None


class BadParameter(LittlestoneError, ValueError):
    """A parameter outside what the theorem or the algorithm covers."""


class BadInstance(LittlestoneError, ValueError):
    """An instance that the features, the concept class or the learner cannot take."""

    attribute: int | None = None  # whose value is the matter, where the learner says so


class BadLabel(LittlestoneError, ValueError):
    """A label that the player cannot take."""


class BadData(LittlestoneError, ValueError):
    """Bytes that a reader refuses. The place is the file's name, the line, and the byte in it, both from 1."""

    def __init__(self, problem: str, name: str = "", line: int | None = None, column: int | None = None) -> None:
        numbers = (f"{word} {number}" for word, number in (("line", line), ("byte", column)) if number)
        place = ", ".join([*([quote(name)] if name else []), *numbers])
        super().__init__(f"{place}: {problem}" if place else problem)
        self.problem = problem
        self.name = name
        self.line = line
        self.column = column


class BadModel(LittlestoneError, ValueError):
    """A file that is not a model, or not one that can be trusted; or a player that no file can hold."""


class NotRealizable(LittlestoneError):
    """The labels contradict every concept; `rounds` is the length of the shortest inconsistent prefix."""

    rounds: int | None = None


class NotCertified(LittlestoneError):
    """No theorem covers what happened, or a certificate does not say the truth."""


class TooLarge(LittlestoneError):
    """An exact computation would exceed its limit."""


def require(condition: bool, message: str, error: type[LittlestoneError] = BadParameter) -> None:
    """Raise `error` with `message` unless `condition` holds."""
    if not condition:
        raise error(message)


def require_positive(**values: float) -> None:
    """Refuse parameters that are not positive numbers of a size at which products with values stay in the floats."""
    for name, value in values.items():
        require(value > 0 and isfinite(value), f"{name} must be positive and finite, got {value}")
        require(SMALLEST <= value <= LARGEST, f"{name} must be from {SMALLEST:g} to {LARGEST:g}, got {value}")


def require_nonnegative(**values: float) -> None:
    """Refuse parameters that are neither 0 nor such numbers."""
    for name, value in values.items():
        require(value >= 0 and isfinite(value), f"{name} must be at least 0 and finite, got {value}")
        sized = value == 0 or SMALLEST <= value <= LARGEST
        require(sized, f"{name} must be 0, or from {SMALLEST:g} to {LARGEST:g}, got {value}")


def require_count(least: int, **values: int) -> None:
    """Refuse numbers of attributes, experts or rounds below the least one, and those that no array holds."""
    for name, value in values.items():
        require(least <= value < 2**31, f"{name} must be at least {least} and less than 2^31, got {value}")
