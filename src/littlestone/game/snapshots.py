"""Snapshots: copies of a player that are frozen on the way and judged by the rounds that follow.

The last state of a player has seen every round, so none of them can judge it. A frozen copy has seen none of the rounds
after it: its mistakes there are those of one hypothesis on new rounds.

Theorem. Let snapshot k = 1, 2, ... be frozen at round ceil(t0 2^(k/2)). If the rounds are drawn independently from one
source, then with probability at least 1 - d, for all k and after all numbers of later rounds at once, snapshot k errs
at most by the bound of `risk` for its later rounds and mistakes at confidence 1 - d / (k (k + 1)). So the snapshot with
the least bound may be picked by looking.

Proof. Given the rounds before it, the later rounds of snapshot k are as `risk` wants them, with one hypothesis in all
of them. The shares d / (k (k + 1)) add up to at most d.

>>> import numpy as np
>>> from littlestone import Perceptron, Recorded
>>> rng = np.random.default_rng(0)
>>> y = rng.integers(0, 2, 2000)
>>> best = keep_snapshots(Perceptron(), Recorded(np.eye(2)[y], y)).best
>>> best.frozen, best.rounds, best.mistakes, float(best.bound) < 0.02
(142, 1858, 0, True)
"""

import copy
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from littlestone.base.environment import require_independent
from littlestone.base.errors import NotCertified, require
from littlestone.base.printed_numbers import format_confidence, format_percent
from littlestone.certificates.risk import LabelOrder, risk
from littlestone.game.game import keep_tally, play_events, start_game
from littlestone.game.leading_rounds import open_stream
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player

FIRST = 100  # t0
KEPT = 3  # snapshots that are judged at once: the newest, of all so far


@dataclass(slots=True)
class Snapshot:
    """A frozen player, and how it did on the rounds after it.

    Args:
        player: The copy.
        number: The how manieth snapshot it is, from 1 on.
        frozen: The round after which it was frozen.
        confidence: With which probability its bound holds.
        rounds: How many later rounds it was judged by.
        mistakes: How many of them it guessed wrong.
    """

    player: Player
    number: int
    frozen: int
    confidence: float
    rounds: int = 0
    mistakes: int = 0

    @property
    def bound(self) -> Fraction:
        """The most that it errs on new rounds."""
        return risk(self.rounds, self.mistakes, self.confidence).average


class Snapshots:
    """The snapshots of one game, fed with its rounds.

    Args:
        player: The player whose copies are frozen; it must be at its first round.
        order: The order in which the labels of the game come.
        confidence: With which probability all bounds hold at once, between 0 and 1.
    """

    def __init__(self, player: Player, order: LabelOrder, confidence: float = 0.99) -> None:
        require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
        require(not player.tally.rounds, "snapshots begin with the first round: this player has played before")
        self.player = player
        self.confidence = confidence
        self.order = order
        self.rounds = 0
        self._newest: list[Snapshot] = []
        self._best: Snapshot | None = None
        self._made = 0

    @property
    def due(self) -> int:
        """The round after which the next snapshot is frozen; what is played must not run over it."""
        return math.ceil(FIRST * 2 ** ((self._made + 1) / 2))

    def take(self, played: PlayedRounds) -> None:
        """Judge the snapshots by rounds that were played, and freeze another one if it is due."""
        truth = played.chunk.labels.tolist()
        for snapshot in self._judged:
            said = snapshot.player.predictions(played.chunk)
            snapshot.rounds += len(truth)
            snapshot.mistakes += sum(guess != label for guess, label in zip(said, truth, strict=True))
        self.rounds += len(truth)
        if self.rounds == self.due:
            self._made += 1
            self._best = self.best
            share = (1 - self.confidence) / (self._made * (self._made + 1))
            newest = Snapshot(copy.deepcopy(self.player), self._made, self.rounds, 1 - share)
            self._newest = [*self._newest, newest][-KEPT:]

    @property
    def _judged(self) -> list[Snapshot]:
        """The newest snapshots, and the best of those that are older."""
        kept = self._newest
        return kept if self._best is None or self._best in kept else [self._best, *kept]

    @property
    def best(self) -> Snapshot | None:
        """The snapshot with the least bound; None before one was judged."""
        judged = [snapshot for snapshot in self._judged if snapshot.rounds]
        return min(judged, key=lambda snapshot: snapshot.bound, default=None)

    @property
    def doubt(self) -> str | None:
        """Why nothing is said about new data; None if nothing speaks against it."""
        return "nothing is said about a model before one was judged" if self.best is None else self.order.find_doubt()

    def __str__(self) -> str:
        best = self.best
        doubt = self.doubt
        if best is None or doubt is not None:
            return str(doubt)
        return (
            "if the rounds were drawn independently from one source, then with "
            f"{format_confidence(self.confidence)} confidence "
            f"the model frozen after round {best.frozen:,} and judged by {best.rounds:,} later ones "
            f"({best.mistakes:,} mistakes) errs on at most {format_percent(best.bound)} of new rounds from it"
            f"{self.order.remark}"
        )


def keep_snapshots(learner: Any, stream: Any, confidence: float = 0.99) -> Snapshots:
    """Play a stream, or a file, once, and return the snapshots that were frozen on the way.

    Args:
        learner: The learner, or a player that has played nothing yet.
        stream: The rounds, drawn independently from one source; none may come twice.
        confidence: With which probability all bounds hold at once, between 0 and 1.
    """
    stream = open_stream(stream)
    require_independent(stream)
    game = start_game(learner, stream)
    require(not game.player.learner.numeric, "numbers are predicted: there are no mistakes to count", NotCertified)
    found = Snapshots(game.player, game.order, confidence)
    with keep_tally(game):
        for event in play_events(game, game.environment.chunks(), following=lambda position: found.due):  # type: ignore[attr-defined]
            if isinstance(event, PlayedRounds):
                found.take(event)
    return found
