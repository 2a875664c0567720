"""Late labels: a game in which every label arrives some rounds after its guess, and what its mistakes can be at most.

The learner learns when a label arrives, with what it knows by then (`player.predict(x, ticket=True)`, `update_later`).

>>> from littlestone import Perceptron, Recorded
>>> game = play_late(Perceptron(), Recorded([[1.0]] * 9, [True] * 9, [False, True]), delays=4)
>>> game.mistakes, game.certificate().bound  # five guesses before the first label; its update puts the others right
(5, 5)
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner
from littlestone.certificates.check.float_runs.additive import RULES
from littlestone.certificates.check.late_labels import OrderedStream, wrap_late
from littlestone.certificates.digest import Digest
from littlestone.game.certify import certify, start_player
from littlestone.game.played_rounds import Ticket
from littlestone.game.player import Player, choose_features


@dataclass(frozen=True)
class LateGame:
    """A game whose labels arrived late.

    Args:
        player: The player after the last label.
        stream: The rounds in the order in which they were served.
        arrivals: The labels in the order in which they arrived: the round, and how many guesses had been served.
        mistakes: How many served guesses were wrong.
    """

    player: Player
    stream: Stream
    arrivals: tuple[tuple[int, int], ...]
    mistakes: int

    def certificate(self, theorem: str | None = None) -> Certificate:
        """What the learner's theorem on the order of arrival lets the served guesses miss; for additive learners."""
        player = self.player
        rounds = len(self.arrivals)
        name = type(player.learner).__name__
        require(name in RULES, f"late labels are certified for additive learners, not for {name}", NotCertified)
        require(rounds > 0, "no label has arrived: there is nothing to certify", NotCertified)
        declared = list(player.labels.names) if player.labels.closed else []
        order = np.array([number for number, _ in self.arrivals])
        inner = certify(player.learner, OrderedStream(self.stream, player.features, declared, rounds, order), theorem)
        digest = Digest()
        fresh = start_player(player, self.stream)
        for chunk in take_rounds(self.stream.chunks(), rounds):
            left = chunk
            while len(left):
                seen = fresh.features.read_chunk(left)
                digest.add(seen.with_labels(player.labels.encode(left.labels[: len(seen)], 2)))
                left = left[len(seen) :]
        about = inner.learner | {"classes": declared}
        if not declared:
            del about["classes"]
        arrivals = [list(one) for one in self.arrivals]
        told = wrap_late(inner, arrivals, self.mistakes)
        idle = "a row without attributes was guessed wrong and moved nothing: no theorem counts it"
        require(told["mistakes"] <= told["bound"], idle, NotCertified)
        told |= {"witness": {"arrivals": arrivals, "arrived": json.loads(inner.to_json())}, "rounds": rounds}
        schema = self.stream.schema()
        told |= {"columns": schema.to_record() if schema is not None and schema.kinds else None}
        return Certificate(**told, learner=about, stream=digest.text(), rows=digest.rows, version=VERSION)


def play_late(learner: Learner | Player, stream: Stream, delays: int | Sequence[int], seed: int = 0) -> LateGame:
    """Play a stream whose labels arrive late, and return its record.

    Args:
        learner: Who plays: a learner of two classes, or a player that has not played yet.
        stream: The rounds.
        delays: How many further guesses are served before the label of a round arrives, one number for all rounds or
            one for each; 0: at once. Labels that arrive together do so in the order of their rounds, and the last ones
            when all guesses are served.
        seed: Feeds the coins of a learner that tosses any.
    """
    if isinstance(learner, Player):
        player = learner
    else:
        player = Player(learner, choose_features(learner, stream.features()), stream.classes(), seed)
    require(player.tally.rounds == 0, "late labels are played from the first round on")
    two = player.labels.closed and len(player.labels) == 2
    require(two, "say which two classes there are before their labels arrive: Player(learner, classes=[no, yes])")
    given = None if isinstance(delays, int) else list(delays)
    tickets = list[Ticket]()
    labels = list[Any]()
    waiting = list[tuple[int, int]]()
    arrivals = list[tuple[int, int]]()

    def arrive(now: float) -> None:
        for due, number in sorted(waiting, key=lambda one: one[1]):
            if due <= now:
                waiting.remove((due, number))
                player.update_later(tickets[number], labels[number])
                arrivals.append((number, len(tickets)))

    for chunk in stream.chunks():
        for t in range(len(chunk)):
            number = len(tickets)
            delay = delays if given is None else given[number]
            whole = isinstance(delay, int) and delay >= 0
            require(whole, f"a delay is a whole number, at least 0; got {delay!r} for round {number}")
            tickets.append(player.predict(chunk[t], ticket=True))
            labels.append(chunk.labels[t])
            waiting.append((number + int(delay), number))  # type: ignore[arg-type]
            arrive(number)
    arrive(np.inf)
    codes = [player.labels.find(label) for label in labels]
    mistakes = sum(ticket._class != code for ticket, code in zip(tickets, codes, strict=True))
    return LateGame(player, stream, tuple(arrivals), mistakes)
