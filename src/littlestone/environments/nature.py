"""Nature: a fixed target, and instances drawn independently from a distribution.

This is Protocol III of learning a conjunction, and the source of every PAC statement. Without a distribution the
instances of the target's class are equally likely; otherwise it is a function that draws an instance from a NumPy
generator, such as `lambda rng: rng.normal(size=20)`.

>>> from littlestone.concepts import Thresholds
>>> nature = Nature(Thresholds(9).concept(4))
>>> nature.start(seed=1)
>>> x = nature.ask()
>>> nature.answer(guess=None) == (x >= 4)
True
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any

import numpy as np

from littlestone.base.coins import draw_bits
from littlestone.base.environment import Environment
from littlestone.base.errors import BadParameter, TooLarge, require
from littlestone.base.learner import Size
from littlestone.concepts.concept import Concept

LIMIT = 2**20  # instances that are listed in order to draw one of them


class Nature(Environment):
    """An endless game against a fixed target.

    Args:
        target: A concept, or any function, that labels an instance.
        distribution: A function that draws an instance from a NumPy generator. None: all instances of the concept's
            class are equally likely.
        classes: The labels of a target that is a function, in the order of their class numbers; a concept has its own.
    """

    def __init__(
        self,
        target: Any,
        distribution: Callable[[np.random.Generator], Any] | None = None,
        classes: Iterable[Hashable] = (),
    ) -> None:
        require(callable(target), f"target must be a concept or a function of x, got {target!r}")
        if distribution is None and not isinstance(target, Concept):
            raise BadParameter("a target that is not a concept of a class needs a distribution: a function of rng")
        self._target, self.distribution = target, distribution or _draw_uniformly(target)
        self._classes = target.concepts.labels if isinstance(target, Concept) else tuple(classes)

    def start(self, seed: int) -> None:
        self._rng = np.random.default_rng(draw_bits(seed, 0))
        self._x = self._ahead = self.distribution(self._rng)  # drawn ahead, to tell how many attributes there are

    def size(self) -> Size:
        return Size(len(self._ahead)) if isinstance(self._ahead, tuple | list | np.ndarray) else Size()

    def classes(self) -> tuple[Hashable, ...]:
        return self._classes

    def ask(self) -> Any:
        self._x, self._ahead = self._ahead, self.distribution(self._rng)
        return self._x

    def answer(self, guess: Any) -> Any:
        return self._target(self._x)

    def target(self) -> Any:
        return self._target

    def __repr__(self) -> str:
        of = f" of {self._target.concepts}" if isinstance(self._target, Concept) else ""
        return f"Nature({self._target}{of})"


def _draw_uniformly(target: Concept) -> Callable[[np.random.Generator], Any]:
    """A function that draws each instance of the target's class with equal probability."""
    instances = list(islice(target.concepts.instances(), LIMIT + 1))
    many = f"{target.concepts} has more than {LIMIT} instances to choose from: say how, with distribution="
    require(len(instances) <= LIMIT, many, TooLarge)
    return lambda rng: instances[int(rng.integers(len(instances)))]
