"""Named: attributes by name, each new name getting the next number.

>>> Named()({"free": 1, "money": 2.0})
Row(indices=array([0, 1], dtype=int32), values=array([1., 2.]))
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from littlestone.errors import BadInstance, require
from littlestone.examples import Row
from littlestone.features.rows import Features, finite


class Numbering(dict[Any, int]):
    """Names to numbers, a new name getting the next number when it is first looked up."""

    def __missing__(self, name: Any) -> int:
        self[name] = number = len(self)
        return number


@dataclass(slots=True)
class Named(Features):
    """Attributes by name, from dicts of numbers; each new name becomes the next attribute."""

    numbers: Numbering = field(default_factory=Numbering)

    @property
    def width(self) -> int:  # type: ignore[override]
        return len(self.numbers)

    def __call__(self, x: Any) -> Row:
        require(isinstance(x, Mapping), f"named attributes come as a dict, got a {type(x).__name__}", BadInstance)
        values, numbers = finite(list(x.values())), self.numbers
        return Row(np.fromiter(map(numbers.__getitem__, x), np.int32, len(x)), values)

    def name(self, number: int) -> Any:
        """The name of an attribute."""
        return list(self.numbers)[number]
