"""The value of a graded game: what an adversary can force on every learner, whatever it does.

It is found backwards: with no round left, the mistakes beyond the allowance are minus what is allowed; before that, the
adversary chooses the instance, the learner its best guess, and the adversary the worse label.
"""

import time
from collections.abc import Hashable
from math import inf
from typing import Any

from littlestone.base.printed_numbers import Number
from littlestone.laws.grading.rules import GradedGame, Move

POSITIONS = 30_000  # positions of all rounds together that are looked at
STEPS = 60  # in which a chance is found that costs least


def find_value(game: GradedGame, depth: int, until: float) -> Number | None:
    """The most by which an adversary makes every learner exceed what is allowed, in games of up to `depth` rounds.

    It is negative where learners exist that stay below. None if that takes too long (`until`, by `time.monotonic()`).
    """
    moves: dict[Hashable, dict[Any, list[Move]]] = {}
    layers = [{game.start()}]
    seen = 0
    while len(layers) <= depth and game.has_round(len(layers) - 1):
        after = set[Hashable]()
        for position in layers[-1]:
            if position not in moves:
                found = moves.setdefault(position, {})
                for move in game.list_moves(position):
                    found.setdefault(move.x, []).append(move)
            after.update(move.position for ways in moves[position].values() for move in ways)
        seen += len(after)
        if seen > POSITIONS or time.monotonic() > until:
            return None
        layers.append(after)
    values: dict[Hashable, Number] = {position: -game.allow(position) for position in layers[-1]}
    for layer in reversed(layers[:-1]):
        before = values
        values = {
            position: max([-game.allow(position), *(_force(game, ways, before) for ways in moves[position].values())])
            for position in layer
        }
        if time.monotonic() > until:
            return None
    return values[game.start()]


def _force(game: GradedGame, ways: list[Move], after: dict[Hashable, Number]) -> Number:
    """What the adversary forces by this instance: the learner guesses best, and then the worse label comes."""

    def judge(said: Any) -> Number:
        fair = [move for move in ways if not (game.contrary and said == move.y)]
        return max((game.weigh(said, move.y) + after[move.position] for move in fair), default=-inf)

    if game.labels:
        return min(map(judge, game.labels))
    # zero costs more and one costs less as the chance of one grows
    low = 0.0
    high = 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        costs = {int(move.y): game.weigh(middle, move.y) + after[move.position] for move in ways}
        if costs.get(0, -inf) > costs.get(1, -inf):
            high = middle
        else:
            low = middle
    return min(judge(low), judge(high))
