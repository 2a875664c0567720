"""Scene: a picture before it is drawn: marks in data coordinates, words, and the numbers as a table.

Colours and letters are chosen when it is drawn; a scene says only which marks belong together (`tone`), which kind of
line or point tells them apart without colour, and what is written next to them.

>>> scene = Scene("Steps", [Line([0, 1], [0, 2], "twice")], x="round", y="mistakes")
>>> scene.find_limits()
(0.0, 1.0, 0.0, 2.0)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Dash = Literal["solid", "dashed", "dotted", "dashdot"]
Shape = Literal["circle", "cross", "square", "triangle", "ring"]
DASHES: tuple[Dash, ...] = ("solid", "dashed", "dotted", "dashdot")


@dataclass(frozen=True)
class Line:
    """Points joined in order; `closed` joins the last with the first."""

    xs: Sequence[float]
    ys: Sequence[float]
    name: str = ""
    dash: Dash = "solid"
    tone: int = 0
    closed: bool = False


@dataclass(frozen=True)
class Points:
    """Points not joined; those that are not `filled` are drawn as outlines. A ring is drawn around what is there."""

    xs: Sequence[float]
    ys: Sequence[float]
    name: str = ""
    shape: Shape = "circle"
    tone: int = 0
    filled: bool = True


@dataclass(frozen=True)
class Area:
    """The region between two lines over the same places."""

    xs: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    name: str = ""
    tone: int = 0


@dataclass(frozen=True)
class Note:
    """Words at a place: right above it, or `centred` on it and hiding what lies below."""

    x: float
    y: float
    text: str
    centred: bool = False


Mark = Line | Points | Area | Note


@dataclass(frozen=True)
class Scene:
    """A picture and a table of the same numbers.

    Args:
        title: What stands above it.
        marks: Lines, points, areas and notes, the first ones behind.
        x: The name of the horizontal axis.
        y: The name of the vertical axis.
        words: A sentence about what it shows.
        header: The names of the table's columns.
        rows: The rows of the table.
        equal: One unit is as long on both axes.
        logarithmic: The vertical axis is logarithmic.
        bare: The axes measure nothing and are left out.
    """

    title: str
    marks: Sequence[Mark]
    x: str = ""
    y: str = ""
    words: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    equal: bool = False
    logarithmic: bool = False
    bare: bool = False

    def find_limits(self) -> tuple[float, float, float, float]:
        """Find the smallest and largest x, then the smallest and largest y, of all marks."""
        xs = [np.asarray(_list_xs(mark), float) for mark in self.marks]
        ys = [np.asarray(part, float) for mark in self.marks for part in _list_ys(mark)]
        left, right = _find_ends(xs)
        low, high = _find_ends(ys)
        return left, right, low, high


def _list_xs(mark: Mark) -> Sequence[float]:
    """List the horizontal places of a mark."""
    return [mark.x] if isinstance(mark, Note) else mark.xs


def _list_ys(mark: Mark) -> list[Sequence[float]]:
    """List the vertical places of a mark, in one or two parts."""
    if isinstance(mark, Note):
        return [[mark.y]]
    return [mark.low, mark.high] if isinstance(mark, Area) else [mark.ys]


def _find_ends(parts: Iterable[Any]) -> tuple[float, float]:
    """Find the smallest and the largest finite number."""
    whole = np.concatenate([np.zeros(0), *parts])
    whole = whole[np.isfinite(whole)]
    return (float(whole.min()), float(whole.max())) if len(whole) else (0.0, 1.0)
