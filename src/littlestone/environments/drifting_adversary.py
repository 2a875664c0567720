"""DriftingAdversary: a disjunction that drifts to wherever the learner is wrong.

Every addition begins a phase with a single variable that is not yet decided. The points asked have a 1 at half of the
candidates, and the answer is the opposite of the guess, until one candidate i is left. Then the point with a 1 only at
i is asked: if the learner says False, i has been the target all along; if it says True, i is removed, for nothing, just
before. So c additions force c (floor(lg n) + 1) mistakes on every deterministic learner, and the c log n in the bound
of Winnow with a floor is needed. `schedule` is the witness.

>>> DriftingAdversary(n=8, additions=3).rounds
12
"""

from littlestone.base.errors import require, require_count
from littlestone.base.exact_numbers import floor_log2
from littlestone.base.learner import Size
from littlestone.environments.adversary import Adversary
from littlestone.environments.drifting import Schedule


class DriftingAdversary(Adversary):
    """A drifting disjunction that makes every round a mistake, in phases of floor(lg n) + 1 rounds.

    Args:
        n: How many bits an instance has, at least 1.
        additions: How many variables are added in all, which is the number of phases.
    """

    def __init__(self, n: int, additions: int) -> None:
        require_count(1, n=n)
        require(additions >= 0, f"additions must be at least 0, got {additions}")
        self.n = n
        self.additions = additions
        self.length = floor_log2(n) + 1
        self.rounds: int = additions * self.length
        self.start(0)

    def start(self, seed: int) -> None:
        self.played, self._first, self._past = 0, 0, Schedule()
        self._candidates = range(self.n)
        self._removed = False

    def size(self) -> Size:
        return Size(self.n)

    @property
    def schedule(self) -> Schedule:
        """Disjunctions that agree with every label so far: the witness."""
        phase: tuple[tuple[int, frozenset[int]], ...] = ()
        if self._first:  # what the phase before has left is removed, for nothing, and one variable added
            phase = ((self._first, frozenset()), (self._first, frozenset({self._candidates[0]})))
        removed = ((self.played, frozenset[int]()),) if self._removed else ()
        return Schedule((*self._past.changes, *phase, *removed))

    @property
    def cost(self) -> int:
        """How many variables were added so far."""
        return self.schedule.cost

    def ask(self) -> tuple[int, ...] | None:
        if self.played == self.rounds:
            return None
        if self.played % self.length == 0:
            self._past, self._first = self.schedule, self.played + 1
            self._candidates = range(self.n)
            self._removed = False
        few = len(self._candidates) // 2 if (self.played + 1) % self.length else 1
        self._asked = self._candidates[:few]
        return tuple(int(i in self._asked) for i in range(self.n))

    def note(self, y: bool) -> None:
        self.played += 1
        if self.played % self.length == 0:
            self._candidates = self._asked
            self._removed = not y
        else:
            self._candidates = self._asked if y else self._candidates[len(self._asked) :]

    def __repr__(self) -> str:
        return f"DriftingAdversary({self.n}, {self.additions})"
