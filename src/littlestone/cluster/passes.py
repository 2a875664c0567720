"""Shards: passes over several files, each played on its own from the same start, their players mixed into one.

A pass is a plain function of the player it starts from: who plays the shards, and which of them ends first, is an
executor's affair (here: one after another; `cluster.py`: Ray) and changes no bit of the result. Mixing is not playing
the concatenated stream; `mixing.py` has the arithmetic and the theorem.

>>> from littlestone import Perceptron, Recorded
>>> shards = [Recorded([[1, 0, 0], [0, 1, 0]], [1, -1]), Recorded([[0, 1, 0], [0, 0, 1]], [-1, 1])]
>>> job = Job(Perceptron(bias=0), shards)
>>> player, done = one_pass(job.seated(), job, 1)
>>> player.state.weights.tolist(), done.updates, done.mixed
([0.5, -1.0, 0.5], 4, Fraction(2, 1))
"""

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, LittlestoneError, NotCertified, require
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED, Learner, describe
from littlestone.base.mixing import Tree, Weighting
from littlestone.certificates.digest import Digest
from littlestone.certificates.make.shards import Mixed, Part, mixed_certificate
from littlestone.certificates.make.steps import Steps, noted
from littlestone.cluster.mixture import Share, joined, renumbering, require_mixable, settled
from littlestone.game.play import play
from littlestone.game.player import Player, choose_features
from littlestone.learners.network import Network
from littlestone.readers.reading import Reading, read

Say = Callable[["Report"], None]  # told of every shard that has ended


@dataclass(frozen=True)
class Job:
    """What is learned from what: the learner, the shards in their order, how they are read and weighed."""

    learner: Learner | Player | None
    shards: Sequence[Any]
    weights: Weighting = "uniform"
    seed: int = 0
    on_error: str = "stop"
    features: Any = None
    reads: dict[str, Any] = field(default_factory=dict)  # further options of `read`
    names: tuple[str, ...] = ()  # of shards that are not paths

    def __post_init__(self) -> None:
        require(len(self.shards) > 0, "there are no shards to learn from")
        require(self.weights in ("uniform", "updates"), f'weights are "uniform" or "updates", got {self.weights!r}')
        require(self.on_error in ("stop", "skip"), f"on_error must be 'stop' or 'skip', got {self.on_error!r}")

    def name(self, number: int) -> str:
        return self.names[number] if self.names else str(self.shards[number])

    def seated(self) -> Player:
        """The player before the first pass; the first shard that can be opened says how instances are read."""
        if isinstance(self.learner, Player):
            player = copy.deepcopy(self.learner)
        else:
            player = Player(self.learner, self.features, seed=self.seed)
            if self.features is None:
                stream = self._first()
                player = Player(
                    self.learner, choose_features(player.learner, stream.features()), stream.classes(), self.seed
                )
        if len(self.shards) > 1:
            require_mixable(player)
        return player

    def _first(self) -> Any:
        problems = []
        for number, shard in enumerate(self.shards):
            try:
                return opened(shard, self)
            except (LittlestoneError, OSError) as problem:
                problems.append(_named(self.name(number), problem))
                if self.on_error == "stop":
                    break
        raise BadData(problems[0])


class Report(NamedTuple):
    """What became of one shard in one pass; `problem` says why it took no part, if it did not."""

    shard: int
    rounds: int = 0
    mistakes: int = 0
    updates: int = 0
    skipped: int = 0
    problem: str = ""


class Pass(NamedTuple):
    """What became of all shards in one pass; `mixed` and `mixed_mistakes` are sums of share times count."""

    number: int
    shards: int
    rounds: int
    mistakes: int
    updates: int
    mixed: Fraction
    mixed_mistakes: Fraction
    skipped: int = 0  # records that could not be read
    absent: tuple[str, ...] = ()  # what was wrong with shards that could not be read
    seconds: float = 0.0


Executor = Callable[[Player, Job, Say], tuple[Share | None, list[Report]]]


def opened(shard: Any, job: Job) -> Any:
    """The stream of a shard, if it is not one; whoever plays it has one core, so that it is parsed in one thread."""
    if isinstance(shard, Stream):
        return shard
    return read(shard, on_error=job.on_error, **{"threads": 1} | job.reads)  # type: ignore[arg-type]


def learned(start: Player, job: Job, number: int, shard: Any, name: str = "") -> tuple[Share | None, Report]:
    """One shard played from the start of a pass: its share of the mixture, and what was counted."""
    player = copy.deepcopy(start)  # the start is everybody's, and in a cluster its arrays cannot be written to
    try:
        stream = opened(shard, job)
        game = play(player, stream)
    except (LittlestoneError, OSError) as problem:
        return None, Report(number, problem=_named(name or job.name(number), problem))
    report = Report(number, *game.tally[:3], stream.skipped.count if isinstance(stream, Reading) else 0)
    if report.rounds == 0:
        return None, report
    return Share(player, float(report.updates) if job.weights == "updates" else 1.0), report


def serial(start: Player, job: Job, say: Say) -> tuple[Share | None, list[Report]]:
    """The executor that plays one shard after another, here."""
    whole, reports = Tree(joined), list[Report]()
    for number, shard in enumerate(job.shards):
        share, report = learned(start, job, number, shard)
        require_read(report, job)
        reports.append(report)
        whole.add(share)
        say(report)
    return whole.root(), reports


def require_read(report: Report, job: Job) -> None:
    """Stop at a shard that could not be read, unless such shards are skipped."""
    if report.problem and job.on_error == "stop":
        raise BadData(report.problem)


def one_pass(
    start: Player, job: Job, number: int, execute: Executor = serial, say: Say = lambda report: None
) -> tuple[Player, Pass]:
    """All shards from one start: the mixed player, and what was counted."""
    begun = time.perf_counter()
    root, reports = execute(start, job, say)
    absent = tuple(report.problem for report in reports if report.problem)
    if len(absent) == len(reports):
        raise BadData(f"no shard could be read: {absent[0]}")
    present = [report for report in reports if report.rounds]
    rounds, mistakes, updates = (
        sum(each) for each in zip((0, 0, 0), *(report[1:4] for report in present), strict=True)
    )
    player = start if root is None else settled(start, root, rounds, mistakes)
    shares = shares_of(present, job.weights)
    mixed, wrong = (
        sum((m * getattr(report, name) for m, report in zip(shares, present, strict=True)), Fraction(0))
        for name in ("updates", "mistakes")
    )
    skipped, took = sum(report.skipped for report in reports), time.perf_counter() - begun
    return player, Pass(number, len(present), rounds, mistakes, updates, mixed, wrong, skipped, absent, took)


def shares_of(present: Sequence[Report], weights: Weighting) -> list[Fraction]:
    """How much each shard counts in the mixture; all the same where none of them updated."""
    updates = sum(report.updates for report in present)
    if weights == "updates" and updates:
        return [Fraction(report.updates, updates) for report in present]
    return [Fraction(1, max(1, len(present)))] * len(present)


def certificate(job: Job, passes: int, played: Player | None = None) -> Certificate:
    """What the theorem of mixing allowed over so many passes, with a witness: everything is played once more, here.

    `played` is the player that came of them; NotCertified if it counts anything else. The theorem starts from weights
    of zero, so a job that goes on with a player has no certificate. Rounds are numbered through, pass by pass and shard
    by shard; `verify` checks the certificate of a Perceptron, given the shards in their order.
    """
    require(not isinstance(job.learner, Player), "a certificate is about a run from its first pass", NotCertified)
    player, counts, found = job.seated(), Mixed(0, 0, Fraction(0), Fraction(0)), list[Any]()
    first, declared, digests, rounds = player.learner, player.labels.closed, list[list[str]](), 0
    for number in range(1, passes + 1):
        begun, present = player, list[Report]()
        player, done = one_pass(begun, job, number, serial, present.append)
        present = [report for report in present if report.rounds]
        digests.append([])
        for report, share in zip(present, shares_of(present, job.weights), strict=True):
            again, digest = copy.deepcopy(begun), Digest()
            steps = _steps(again, opened(job.shards[report.shard], job), digest)
            found.append((again.labels, number, rounds, steps, share))
            digests[-1].append(digest.text())
            rounds += report.rounds
        counts = counts.plus(Mixed(done.mistakes, done.updates, done.mixed_mistakes, done.mixed))
    become = f"became {player.learner} when a third class turned up: name it to have a certificate"
    require(player.learner == first, f"{first} {become}", NotCertified)
    require(played is None or played.tally == player.tally, f"these passes give {player}, not {played}", NotCertified)
    parts = [Part(number, _renumbered(steps, player, labels), share) for labels, number, _, steps, share in found]
    real = player.size.real if player.size else np.float64
    about = {"real": np.dtype(real).name} | describe(player.learner)
    if declared:
        about["classes"] = player.labels.names
    about["mixing"] = {"passes": passes, "weights": job.weights}
    updated = tuple(int(first + t) for _, _, first, steps, _ in found for t in steps.rounds)
    marks = tuple(int(mark) for _, _, _, steps, _ in found for mark in steps.marks) if _marked(player) else ()
    made = mixed_certificate(describe(player.learner), real, parts, counts)
    return replace(made, rounds=rounds, learner=about, stream=" ".join(digests[0]), updated=updated, marks=marks)


def _marked(player: Player) -> bool:
    """Whether marks say what the rule leaves open: the class that was stepped away from."""
    return isinstance(player.learner, Network)


def _steps(player: Player, stream: Any, digest: Digest) -> Steps:
    """The rounds of a stream that move the player's state."""
    if stream.size().attributes:
        player.seat(stream.size())
    parts, rounds = [Steps.none()], 0
    for chunk in stream.chunks():
        done = 0
        while done < len(chunk):
            marks = np.zeros(len(chunk) - done)
            guesses, codes = player.replay(chunk[done:], marks)
            seen = player.features.chunk(chunk[done:]).labelled(codes)
            parts.append(noted(seen, guesses, marks[: len(codes)], rounds))
            digest.add(seen)
            done, rounds = done + len(codes), rounds + len(codes)
    return Steps.joined(parts)


def _renumbered(steps: Steps, player: Player, labels: Labels) -> Steps:
    """The steps with the class numbers of the player that all shards came to."""
    unmet = _marked(player) and None in labels.names and len(player.labels) > 2  # which class it stepped away from
    require(not unmet, "a shard has met one class only: declare the classes", NotCertified)
    order = renumbering(player.labels.copy(), labels, UNLIMITED)
    marks = order[steps.marks.astype(int) - 1] + 1.0 if _marked(player) else steps.marks  # one more than a class
    return steps._replace(classes=order[steps.classes.astype(int)], marks=marks)


def _named(shard: str, problem: Exception) -> str:
    return str(problem) if shard in str(problem) else f"{shard}: {problem}"
