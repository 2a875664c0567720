"""From online to PAC: a learner plays a source of independent rounds until its hypothesis is certified.

`stopping.py` has the theorem and says when to stop. Rounds are played in pieces that end no later than a stage can, so
the last hypothesis is the certified one and nothing is read in vain.

>>> from littlestone import Halving, Nature, Thresholds
>>> class_of = Thresholds(1000)
>>> result = pac(Halving(class_of), Nature(class_of.concept(300)), error=0.05, confidence=0.99)
>>> result.certified, result.examples <= result.stopping.most, result.certificate.bound <= 0.05
(True, True, True)
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Chunk, Instances
from littlestone.base.environment import Environment, Stream, require_independent
from littlestone.base.errors import BadParameter, NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner, State, copy_state
from littlestone.base.traits import ask_bound
from littlestone.certificates.stopping import Schedule, Stopping
from littlestone.game.player import Player, choose_features
from littlestone.learners.conversions import Conservative
from littlestone.readers.reading import read
from littlestone.readers.source import is_source


@dataclass(repr=False)
class Pac:
    """A learner that stopped when it was certified, or when its source ended.

    Args:
        player: The learner with what it has learned.
        stopping: What was counted, and what is certified.
        votes: For the schedule "vote", every hypothesis and how many rounds it lasted.
        is_data: Whether the rounds are data, whose labels may come in an order that independent rounds would not have.
    """

    player: Player
    stopping: Stopping
    votes: list[tuple[State, int]] = field(default_factory=list)
    is_data: bool = False

    @property
    def examples(self) -> int:
        return self.stopping.examples

    @property
    def stages(self) -> int:
        """How many hypotheses there were."""
        return self.stopping.stage

    @property
    def certified(self) -> bool:
        """Whether the error asked for is certified."""
        return self.stopping.done

    @property
    def certificate(self) -> Certificate:
        return self.stopping.certificate()

    def predict(self, x: Any) -> Any:
        """The label that the certified hypothesis gives to x, or the vote of all; None if the vote is tied."""
        if not self.votes:
            return self.player.predict(x)
        player = self.player
        seen = self.player.ask(x)
        counts = dict[int, int]()
        for state, rounds in self.votes:
            said = player.learner.predict(state, seen)
            counts[said] = counts.get(said, 0) + rounds
        best = max(counts.values())
        said, *rivals = (label for label, count in counts.items() if count == best)
        return None if rivals else player.labels.name(said)

    def __repr__(self) -> str:
        return f"{self.player.learner}: {self.stopping}"


def pac(
    learner: Learner | Player,
    source: Any,
    error: float = 0.05,
    confidence: float = 0.99,
    mistakes: int | None = None,
    schedule: Schedule | None = None,
    examples: int | None = None,
    seed: int = 0,
) -> Pac:
    """Learn from a source of independent rounds until the hypothesis is certified, or until the source ends.

    Learners over the points of a domain are taught by their mistakes only (`Conservative`); of those over rows, one
    that learns from every round is never certified.

    Args:
        learner: The learner, or a player that has not met the rounds of the source.
        source: An environment that draws its rounds independently, or a file as `read` takes it.
        error: The error that is allowed, between 0 and 1. Smaller needs more examples.
        confidence: With which probability the hypothesis must be that good, between 0 and 1.
        mistakes: The most times that the hypothesis changes; None: what the learner's theorem promises, if anything.
        schedule: How long a hypothesis must survive: see `Stopping`.
        examples: The most rounds to read; None: until it is certified or the source ends.
        seed: Decides what is random in the source and in the learner.
    """
    if not isinstance(source, Environment) and is_source(source):
        source = read(source)
    rule = learner.learner if isinstance(learner, Player) else learner
    if not isinstance(learner, Player) and not isinstance(rule.features(), Indexed):
        rule = Conservative(rule)
    _refuse(rule, source)
    stopping = Stopping(error, confidence, _find_promise(rule) if mistakes is None else mistakes, schedule)
    source = copy.copy(source)
    source.start(seed)
    reads = choose_features(rule, source.features())
    player = learner if isinstance(learner, Player) else Player(rule, reads, source.classes(), seed)
    if source.size().attributes:
        player.start_for(source)
    result = Pac(player, stopping, [(copy_state(player.state), 0)] if stopping.schedule == "vote" else [])
    result.is_data = isinstance(source, Stream)
    for chunk in source.chunks() if isinstance(source, Stream) else _draw_rounds(source):
        played = 0
        while played < len(chunk) and not stopping.done:
            left = len(chunk) if examples is None else min(len(chunk), played + examples - stopping.examples)
            end = min(left, played + (1 if result.votes else stopping.needed))
            if end == played:
                break
            played += _play_piece(result, chunk[played:end])
        if stopping.done or (examples is not None and stopping.examples >= examples):
            break
    return result


def _play_piece(result: Pac, piece: Chunk) -> int:
    """Play rounds that end no later than the stage can, so that the last hypothesis is the certified one; how many."""
    player = result.player
    marks = np.zeros(len(piece))
    guesses, codes = player.replay(piece, marks)
    mistakes = guesses != codes
    changed = mistakes | (marks[: len(codes)] > 0)
    used = result.stopping.feed(mistakes if result.votes else changed, codes if result.is_data else None)
    if changed[used:].any():
        bound = result.stopping.bound
        raise NotCertified(f"the hypothesis changed more than {bound} times, which was promised not to happen")
    if result.votes:
        state, rounds = result.votes[-1]
        result.votes[-1] = state, rounds + 1
        if changed[0]:
            result.votes.append((copy_state(player.state), 0))
    return len(codes)


def _draw_rounds(source: Environment) -> Iterator[Chunk]:
    """The rounds of an environment that is no stream, one by one."""
    while (x := source.ask()) is not None:
        yield Instances.of([x], [source.answer(None)])


def _find_promise(learner: Learner) -> int | None:
    try:
        return ask_bound(learner).mistakes
    except (NotCertified, BadParameter):
        return None


def _refuse(learner: Learner, source: Any) -> None:
    """Refuse what the theorem does not cover."""
    if not isinstance(source, Environment):
        raise BadParameter(f"the source must be an Environment such as Nature(target), got {source!r}")
    require_independent(source)
    inner: Any = learner
    while hasattr(inner, "learner"):
        inner = inner.learner
    same = type(inner).readout is Learner.readout
    require(same, f"{type(inner).__name__} plays with one hypothesis and reports another: certify Perceptron() instead")
    require(not inner.numeric, f"{type(inner).__name__} predicts numbers: there are no mistakes to count")
