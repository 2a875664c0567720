"""AttributeNoise: another environment, whose instances are shown with some of their bits wrong.

The label is that of the true instance. Each bit is, with probability `rate` and independently of everything else, shown
as its opposite. What is shown need not be labelled by any concept, so that none is promised any more.

Theorem (Littlestone 1991). Let the true labels be the OR of k of n attributes, and let these k be shown wrongly A times
in all. Winnow with promotion 2 and threshold n then makes at most 3 (k ceil(lg n) + A) + 1 mistakes: what is wrong in
the other n - k attributes costs nothing.

Proof. In a promotion at least 1 - (relevant bits wrong in this round) relevant attributes are active, in a demotion at
most (relevant bits wrong). So the exponents of the k relevant weights add up to at least u - A after u promotions, and
none exceeds ceil(lg n): u <= k ceil(lg n) + A. There are at most 2 u + 1 demotions, as ever.

N. Littlestone. Redundant noisy attributes, attribute errors, and linear-threshold learning using Winnow. COLT 1991.

>>> from littlestone.environments.teacher import Teacher
>>> noisy = AttributeNoise(Teacher(4, [1, 3]), rate=1, attributes=(0,))
>>> noisy.start(seed=0)
>>> x = noisy.ask()
>>> noisy.flips.tolist()
[1, 0, 0, 0]
"""

import copy
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.coins import draw_bits
from littlestone.base.environment import Environment
from littlestone.base.errors import BadInstance, BadParameter, require
from littlestone.base.learner import Size

COINS = -(2**20)  # which coins of a seed: none that another environment, or noise in its labels, tosses


class AttributeNoise(Environment):
    """Another environment, with noise in the bits that it shows; `flips` counts those shown wrongly, by attribute.

    Args:
        environment: The environment to add noise to; its instances are rows of bits.
        rate: The probability that a bit is shown wrongly, in [0, 1].
        attributes: The attributes that may be shown wrongly; None: all.
    """

    def __init__(
        self, environment: Environment, rate: float | Fraction, attributes: tuple[int, ...] | None = None
    ) -> None:
        if not isinstance(environment, Environment):
            raise BadParameter(f"AttributeNoise needs an environment to add noise to, got {environment!r}")
        require(0 <= rate <= 1, f"rate must be in [0, 1], got {rate}")
        require(min(attributes or (0,)) >= 0, f"attributes are numbers from 0 on, got {attributes}")
        self.environment = environment
        self.rate = rate
        self.attributes = attributes
        self.rounds = environment.rounds
        self.chooses = environment.chooses

    def start(self, seed: int) -> None:
        self.environment = copy.copy(self.environment)  # so that the one that was passed in can be played again
        self.environment.start(seed)
        self._rng = np.random.default_rng(draw_bits(seed, COINS - _count_layers(self)))
        self.flips: Array = np.zeros(0, np.int64)

    def size(self) -> Size:
        return self.environment.size()

    def classes(self) -> tuple[Hashable, ...]:
        return self.environment.classes()

    def ask(self) -> Any:
        x = self.environment.ask()
        if x is None:
            return None
        bits = _read_bits(x)
        wrong = self._rng.random(len(bits)) < float(self.rate)
        if self.attributes is not None:
            wrong &= np.isin(np.arange(len(bits)), self.attributes)
        self.flips = np.pad(self.flips, (0, max(0, len(bits) - len(self.flips))))
        self.flips[: len(bits)] += wrong
        shown = np.where(wrong, 1 - bits, bits)
        return shown.astype(np.float64) if isinstance(x, Row | np.ndarray) else type(x)(shown.tolist())

    def answer(self, guess: Any) -> Any:
        return self.environment.answer(guess)

    def __repr__(self) -> str:
        which = "" if self.attributes is None else f", attributes={self.attributes}"
        return f"AttributeNoise({self.environment}, rate={self.rate}{which})"


def _read_bits(x: Any) -> Array:
    """The bits of a row; a row that lists its attributes does not say how many there are."""
    values = x.values if isinstance(x, Row) and x.indices is None else x
    rows = isinstance(values, tuple | list | np.ndarray) and not isinstance(values, Row)
    bits = np.asarray(values) if rows else np.zeros(0)
    good = rows and bits.ndim == 1 and bits.dtype.kind in "biuf" and bool(np.isin(bits, (0, 1)).all())
    require(good, f"noise in attributes is for rows of bits, all of them listed, got {x!r}", BadInstance)
    return bits.astype(np.int64)


def _count_layers(environment: Environment) -> int:
    """How many times noise is added to attributes."""
    inner = getattr(environment, "environment", None)
    return isinstance(environment, AttributeNoise) + (_count_layers(inner) if isinstance(inner, Environment) else 0)
