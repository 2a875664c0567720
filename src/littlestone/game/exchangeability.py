"""Exchangeability: whether the order of the rounds matters more than chance allows.

A statement about new data rests on rounds drawn independently from one source. A learner that learns errs less and
less, so its mistakes in order say nothing by themselves; but it can play the same rounds in other orders.

Theorem. If the rounds are exchangeable, as independent ones are, the check objects with probability at most `alarm`.

Proof. Let the learner play the rounds as they came and in B random orders. Of each game note the mistakes in 16 blocks
and how often a mistake follows a mistake; measure how far each game lies from the mean of all B + 1, in standard
deviations. If the rounds are exchangeable so are the games, and the one as they came is among the k most distant with
probability at most k / (B + 1). It objects when k / (B + 1) <= alarm. No property of the learner is used.

R. A. Fisher. The Design of Experiments, 1935 (the permutation test).

>>> from littlestone import Perceptron, Recorded
>>> stream = Recorded([[1.0], [-1.0]] * 200, [True, False] * 100 + [False, True] * 100)
>>> bool(drift(Perceptron(), stream))
True
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, Size
from littlestone.base.printed_numbers import format_up
from littlestone.game.leading_rounds import collect_rounds, open_stream
from littlestone.game.player import Player, choose_features

BLOCKS = 16
ROUNDS = 2**16


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """What the check found; true in a condition if it objects.

    Args:
        learner: The learner that was played.
        rounds: How many rounds were looked at.
        chance: How probable a game as distant as this one is at most, if the rounds are exchangeable.
        alarm: The chance at or below which it objects.
        edges: Where the blocks begin, and the end of the last.
        games: Mistakes by block, a row for each game: as the rounds came, then in each other order.
        repeats: How often a mistake followed a mistake, in each of these games.
    """

    learner: str
    rounds: int
    chance: float
    alarm: float
    edges: Array
    games: Array
    repeats: Array

    def __bool__(self) -> bool:
        return bool(self.chance <= self.alarm * (1 + 1e-12))

    @property
    def mistakes(self) -> Array:
        """The mistakes of each game: as the rounds came, then in each other order."""
        return np.asarray(self.games.sum(axis=1))

    def __str__(self) -> str:
        ours = int(self.mistakes[0])
        others = self.mistakes[1:]
        played = f"{ours:,} mistakes in {self.rounds:,} rounds as they came, {format_span(others)} when shuffled"
        sure = f"so far apart with probability at most {format_up(self.chance, 2)} if their order did not matter"
        if not self:
            return f"no objection: {self.learner} made {played} ({len(others)} times); {sure}"
        far = np.abs(self.games[0] - self.games[1:].mean(axis=0)) / (1 + self.games.std(axis=0))
        worst = int(np.argmax(far))
        first = int(self.edges[worst]) + 1
        last = int(self.edges[worst + 1])
        return (
            f"the rounds do not look exchangeable, so nothing certified about new data applies to them: "
            f"{self.learner} made {played} ({len(others)} times); {sure}.\nMost out of line are rounds {first:,} to "
            f"{last:,}: {int(self.games[0, worst]):,} mistakes, {format_span(self.games[1:, worst])} when shuffled. "
            f"A mistake followed a mistake {self.repeats[0]:,} times, {format_span(self.repeats[1:])} when shuffled."
        )


def drift(
    learner: Learner,
    stream: Any,
    rounds: int = ROUNDS,
    shuffles: int = 99,
    alarm: float = 0.01,
    seed: int = 0,
    features: Any = None,
) -> Drift:
    """Play leading rounds of a stream or file as they came and shuffled, and compare the games.

    Args:
        learner: Who plays; one that predicts classes.
        stream: The rounds: a stream that can be read again, or a file.
        rounds: How many leading rounds to play at most.
        shuffles: How many other orders to play; at least 1 / alarm - 1.
        alarm: The probability of a false alarm at most, between 0 and 1.
        seed: Decides the other orders.
        features: What reads the instances. None: what the stream or the learner brings along.
    """
    stream = open_stream(stream)
    require(0 < alarm < 1, f"alarm must be between 0 and 1, got {alarm}")
    require((shuffles + 1) * alarm >= 1, f"an alarm of {alarm:g} needs {round(1 / alarm) - 1} shuffles, got {shuffles}")
    require(not learner.numeric, f"{learner} predicts numbers: there are no mistakes to count", NotCertified)
    features = choose_features(learner, stream.features()) if features is None else features
    chunk = collect_rounds(stream, rounds, features)
    classes = learner.known_labels() or tuple(sorted(set(chunk.labels.tolist()), key=repr))  # in no order of appearance
    rng = np.random.default_rng(seed)
    order = np.arange(len(chunk))
    edges = np.linspace(0, len(chunk), min(BLOCKS, max(len(chunk), 1)) + 1).astype(np.int64)
    games = []
    repeats = []
    for game in range(shuffles + 1):
        wrong = find_mistakes(learner, chunk.take(order if game == 0 else rng.permutation(order)), classes)
        games.append(np.diff(np.concatenate(([0], np.cumsum(wrong)))[edges]))
        repeats.append(np.count_nonzero(wrong[1:] & wrong[:-1]))
    counts = np.column_stack((games, repeats)).astype(np.float64)
    spread = counts.std(axis=0)
    far = (((counts - counts.mean(axis=0)) / np.where(spread > 0, spread, 1.0)) ** 2).sum(axis=1)
    chance = int(np.count_nonzero(far >= far[0] * (1 - 1e-12))) / len(far)  # ties count against an objection
    return Drift(type(learner).__name__, len(chunk), chance, alarm, edges, np.array(games), np.array(repeats))


def find_mistakes(learner: Learner, chunk: Chunk, classes: tuple[Any, ...]) -> Array:
    """Which rounds of a game are mistakes."""
    player = Player(learner, classes=classes)
    if isinstance(chunk, Examples):
        real = np.float64 if chunk.values is None else chunk.values.dtype.type
        player.start_state(Size(chunk.width, real=real))
    wrong = [played.guesses != played.labels for played in player.play_chunk(chunk)]
    return np.concatenate([np.zeros(0, bool), *wrong])


def format_span(counts: Array) -> str:
    """The least and the most, for people."""
    low = int(counts.min())
    high = int(counts.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
