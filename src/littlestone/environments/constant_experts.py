"""ConstantExperts: two experts that always say 0 and 1, and an outcome that is the opposite of the guess.

A deterministic learner errs in all T rounds while the better expert errs in at most T/2: no deterministic way of
following advice makes fewer than twice the best expert's mistakes.

>>> environment = ConstantExperts(rounds=4)
>>> environment.ask(), environment.answer(False), environment.losses
((0, 1), True, (1, 0))
"""

from littlestone.base.errors import require
from littlestone.base.learner import Size
from littlestone.environments.adversary import Adversary


class ConstantExperts(Adversary):
    """Two experts of one opinion each, and every round a mistake; `losses` are the experts' own mistakes so far.

    Args:
        rounds: How many rounds there are, at least 0.
    """

    def __init__(self, rounds: int) -> None:
        require(rounds >= 0, f"rounds must be at least 0, got {rounds}")
        self.rounds: int = rounds
        self.start(0)

    def size(self) -> Size:
        return Size(2)

    def start(self, seed: int) -> None:
        self.losses = (0, 0)

    def ask(self) -> tuple[int, int] | None:
        return (0, 1) if sum(self.losses) < self.rounds else None

    def note(self, y: bool) -> None:
        zero, one = self.losses
        self.losses = (zero + y, one + (not y))

    def __repr__(self) -> str:
        return f"ConstantExperts({self.rounds})"
