"""Turns: a long chunk is played in calls of a fraction of a second, so that a signal is obeyed soon.

Python looks at signals between two calls of machine code. How many rounds a call plays follows from how long the last
ones took; what is learned does not depend on it. What takes signals sets `stop_asked`: the rounds played by then are
counted, and the rest of the chunk is left.
"""

import threading
import time

# rounds times classes of the first call, and how long later ones should take
FIRST = 1 << 14
SECONDS = 0.2

stop_asked = threading.Event()


class Turn:
    """How many rounds to play in one call."""

    def __init__(self, classes: int) -> None:
        self.rounds = max(1, FIRST // classes)
        self._begun = 0.0

    def begin(self) -> None:
        """Look at the clock before a call."""
        self._begun = time.perf_counter()

    def note(self, played: int) -> None:
        """Learn from how long the last call took for the rounds that it played."""
        took = time.perf_counter() - self._begun
        fitting = int(played * SECONDS / max(took, 1e-9))
        self.rounds = max(1, min(fitting, 2 * self.rounds))
