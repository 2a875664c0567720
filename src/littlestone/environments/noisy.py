"""Noisy: another environment, with some of its labels wrong.

Each label is, with probability `rate` and independently of everything else, replaced by another one, all others being
equally likely. No concept is promised any more.

>>> from littlestone.environments.contrary import Contrary
>>> noisy = Noisy(Contrary(), rate=1)
>>> noisy.start(seed=0)
>>> noisy.ask(), noisy.answer(True), noisy.flips
(0, True, 1)
"""

import copy
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.coins import draw_bits
from littlestone.base.environment import Environment
from littlestone.base.errors import BadLabel, BadParameter, require
from littlestone.base.learner import Size


class Noisy(Environment):
    """Another environment, with noise in its labels; `flips` counts those that were wrong.

    Args:
        environment: The environment to add noise to.
        rate: The probability that a label is wrong, in [0, 1].
    """

    def __init__(self, environment: Environment, rate: float | Fraction) -> None:
        if not isinstance(environment, Environment):
            raise BadParameter(f"Noisy needs an environment to add noise to, got {environment!r}")
        require(0 <= rate <= 1, f"rate must be in [0, 1], got {rate}")
        self.environment = environment
        self.rate = rate
        self.rounds = environment.rounds
        self.chooses = environment.chooses

    def start(self, seed: int) -> None:
        self.environment = copy.copy(self.environment)  # so that the one that was passed in can be played again
        self.environment.start(seed)
        # coins that no environment inside tosses
        self._rng = np.random.default_rng(draw_bits(seed, -_count_layers(self)))
        self.flips = 0

    def size(self) -> Size:
        return self.environment.size()

    def classes(self) -> tuple[Hashable, ...]:
        return self.environment.classes()

    def ask(self) -> Any:
        return self.environment.ask()

    def answer(self, guess: Any) -> Any:
        y = self.environment.answer(guess)
        wrong = bool(self._rng.random() < self.rate)
        self.flips += wrong
        return self._draw_other(y) if wrong else y

    def _draw_other(self, y: Any) -> Any:
        """Another label than y, each as likely as the next; one label is enough to know False and True."""
        known = self.classes() or ((False, True) if isinstance(y, bool | np.bool_) else ())
        require(bool(known), f"noise must know all labels, of which {y!r} is one: declare them", BadLabel)
        others = [label for label in known if label != y]
        return others[int(self._rng.integers(len(others)))]

    def __repr__(self) -> str:
        return f"Noisy({self.environment}, rate={self.rate})"


def _count_layers(environment: Environment) -> int:
    """How many times noise is added."""
    return 1 + _count_layers(environment.environment) if isinstance(environment, Noisy) else 0
