"""Passes over several shards, each played on its own from the same start, their players mixed into one.

A pass is a plain function of the player it starts from. An executor decides which shard is played where and when (here:
one after another; `littlestone.cluster`: on Ray), and that changes no bit of the result. Mixing is not playing the
concatenated stream; `base/mixing.py` has the arithmetic and the theorem.

>>> from littlestone import Perceptron, Recorded
>>> shards = [Recorded([[1, 0, 0], [0, 1, 0]], [1, -1]), Recorded([[0, 1, 0], [0, 0, 1]], [-1, 1])]
>>> job = Job(Perceptron(bias=0), shards)
>>> player, done = play_pass(job.start_player(), job, 1)
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

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.chunks import Chunk, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, LittlestoneError, NotCertified, require
from littlestone.base.labels import NEGATIVE, POSITIVE, Labels
from littlestone.base.learner import UNLIMITED, Learner, describe
from littlestone.base.mixing import JoinTree, Weighting
from littlestone.certificates.check.additive import read_claim
from littlestone.certificates.check.additive_exact import find_room
from littlestone.certificates.check.integer_rows import count_fraction_bits
from littlestone.certificates.digest import Digest
from littlestone.certificates.make.shards import MixedCounts, ShardSteps, make_mixed
from littlestone.certificates.make.steps import Steps
from littlestone.cluster.mixture import Share, finish_pass, join_shares, renumber_labels, require_mixable
from littlestone.game.certify import trace_rounds
from littlestone.game.play import play
from littlestone.game.player import Player, choose_features
from littlestone.game.refusal import meet_columns
from littlestone.learners import AveragedPerceptron, Network
from littlestone.readers.reading import Reading, read

Notify = Callable[["ShardReport"], None]  # called with the report of every shard that has ended


@dataclass(frozen=True)
class Job:
    """What is learned from what.

    Args:
        learner: A learner, a player to go on with, or None for the default player.
        shards: Paths, streams or blocks of a dataset, in their order.
        weights: "uniform", or "updates" to give a shard a share that grows with its updates.
        seed: Seed of the learner's coins.
        on_error: "stop" at a shard or record that cannot be read, or "skip" it.
        features: What reads instances; None: what the first shard offers.
        reads: Further options of `read`.
        names: Names of shards that are not paths.
    """

    learner: Learner | Player | None
    shards: Sequence[Any]
    weights: Weighting = "uniform"
    seed: int = 0
    on_error: str = "stop"
    features: Any = None
    reads: dict[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require(len(self.shards) > 0, "there are no shards to learn from")
        require(self.weights in ("uniform", "updates"), f'weights are "uniform" or "updates", got {self.weights!r}')
        require(self.on_error in ("stop", "skip"), f"on_error must be 'stop' or 'skip', got {self.on_error!r}")

    def name(self, number: int) -> str:
        """Name a shard for messages and checkpoints."""
        return self.names[number] if self.names else str(self.shards[number])

    def start_player(self) -> Player:
        """Make the player of the first pass; the first shard that can be opened says how instances are read."""
        if isinstance(self.learner, Player):
            player = copy.deepcopy(self.learner)
        else:
            player = self._make_player(self.features)
            if self.features is None:
                stream = self._open_first()
                player = self._make_player(choose_features(player.learner, stream.features()), stream.classes())
                meet_columns(player, stream)
        if len(self.shards) > 1:
            require_mixable(player)
        return player

    def _make_player(self, features: Any, classes: tuple[Any, ...] = ()) -> Player:
        """A player of the learner; of none that was named, one whose states mix, for any number of classes."""
        if self.learner is not None or len(classes) > 2:
            named: Any = self.learner or Network(AveragedPerceptron())
            return Player(named, features, classes, self.seed)
        player = Player(AveragedPerceptron(), features, classes, self.seed)
        player.widens = True
        return player

    def _open_first(self) -> Any:
        problems = []
        for number, shard in enumerate(self.shards):
            try:
                return open_shard(shard, self)
            except (LittlestoneError, OSError) as problem:
                problems.append(_name_problem(self.name(number), problem))
                if self.on_error == "stop":
                    break
        raise BadData(problems[0])


class ShardReport(NamedTuple):
    """What was counted on one shard in one pass; `problem` says why a shard took no part."""

    shard: int
    rounds: int = 0
    mistakes: int = 0
    updates: int = 0
    skipped: int = 0
    problem: str = ""


class PassReport(NamedTuple):
    """What was counted on all shards in one pass; `mixed` and `mixed_mistakes` are sums of share times count."""

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


Executor = Callable[[Player, Job, Notify], tuple[Share | None, list[ShardReport]]]


def open_shard(shard: Any, job: Job) -> Any:
    """Open the stream of a shard, unless it is one already; a shard is parsed in one thread, on the core that plays."""
    if isinstance(shard, Stream):
        return shard
    return read(shard, on_error=job.on_error, **{"threads": 1} | job.reads)  # type: ignore[arg-type]


def learn_shard(start: Player, job: Job, number: int, shard: Any, name: str = "") -> tuple[Share | None, ShardReport]:
    """Play one shard from the start of a pass.

    Returns:
        The share of the mixture, or None if the shard took no part.
        What was counted.
    """
    player = copy.deepcopy(start)  # other shards start from it too, and in a cluster its arrays cannot be written to
    try:
        stream = open_shard(shard, job)
        game = play(player, stream)
    except (LittlestoneError, OSError) as problem:
        return None, ShardReport(number, problem=_name_problem(name or job.name(number), problem))
    report = ShardReport(number, *game.tally[:3], stream.skipped.count if isinstance(stream, Reading) else 0)
    if report.rounds == 0:
        return None, report
    return Share(player, float(report.updates) if job.weights == "updates" else 1.0), report


def play_serially(start: Player, job: Job, say: Notify) -> tuple[Share | None, list[ShardReport]]:
    """Play one shard after another in this process: the executor that needs no Ray."""
    whole = JoinTree(join_shares)
    reports = list[ShardReport]()
    for number, shard in enumerate(job.shards):
        share, report = learn_shard(start, job, number, shard)
        require_read(report, job)
        reports.append(report)
        whole.add(share)
        say(report)
    return whole.finish(), reports


def require_read(report: ShardReport, job: Job) -> None:
    """Stop at a shard that could not be read, unless such shards are skipped."""
    if report.problem and job.on_error == "stop":
        raise BadData(report.problem)


def play_pass(
    start: Player, job: Job, number: int, execute: Executor = play_serially, say: Notify = lambda report: None
) -> tuple[Player, PassReport]:
    """Play all shards from one start and mix what they end with.

    Returns:
        The mixed player.
        What was counted.
    """
    begun = time.perf_counter()
    root, reports = execute(start, job, say)
    absent = tuple(report.problem for report in reports if report.problem)
    if len(absent) == len(reports):
        raise BadData(f"no shard could be read: {absent[0]}")
    present = [report for report in reports if report.rounds]
    rounds, mistakes, updates = (
        sum(each) for each in zip((0, 0, 0), *(report[1:4] for report in present), strict=True)
    )
    player = start if root is None else finish_pass(start, root, rounds, mistakes)
    shares = find_shares(present, job.weights)
    mixed, wrong = (
        sum((m * getattr(report, name) for m, report in zip(shares, present, strict=True)), Fraction(0))
        for name in ("updates", "mistakes")
    )
    skipped = sum(report.skipped for report in reports)
    took = time.perf_counter() - begun
    return player, PassReport(number, len(present), rounds, mistakes, updates, mixed, wrong, skipped, absent, took)


def find_shares(present: Sequence[ShardReport], weights: Weighting) -> list[Fraction]:
    """Find the share of each shard in the mixture; all are equal where no shard updated."""
    updates = sum(report.updates for report in present)
    if weights == "updates" and updates:
        return [Fraction(report.updates, updates) for report in present]
    return [Fraction(1, max(1, len(present)))] * len(present)


def certify_passes(job: Job, passes: int, played: Player | None = None) -> Certificate:
    """Certify what the theorem of mixing allowed over the passes of a job, with a witness.

    Everything is played once more, in this process. Rounds are numbered pass by pass and shard by shard; `verify`
    checks the certificate of a Perceptron, given the shards in their order. The theorem starts from weights of zero, so
    a job that goes on with a player has no certificate.

    Args:
        job: What was learned.
        passes: The number of passes.
        played: The player that came of them; NotCertified if its counts differ from those of the passes.
    """
    require(not isinstance(job.learner, Player), "a certificate is about a run from its first pass", NotCertified)
    player = job.start_player()
    counts = MixedCounts(0, 0, Fraction(0), Fraction(0))
    found = list[_ReplayedShard]()
    first = player.learner
    declared = player.labels.closed
    digests = list[list[str]]()
    rounds = 0
    bits = 0
    forms = list[tuple[Any, Any]]()
    places = list[int]()
    for number in range(1, passes + 1):
        begun = player
        present = list[ShardReport]()
        player, done = play_pass(begun, job, number, play_serially, present.append)
        present = [report for report in present if report.rounds]
        digests.append([])
        places = [report.shard for report in present]
        for report, share in zip(present, find_shares(present, job.weights), strict=True):
            again = copy.deepcopy(begun)
            digest = _MeasuredDigest()
            stream = open_shard(job.shards[report.shard], job)
            if stream.size().attributes:
                again.start_for(stream)
            steps = trace_rounds(again, stream.chunks(), digest)
            found.append(_ReplayedShard(again.labels, number, rounds, steps, share))
            digests[-1].append(digest.text())
            bits = max(bits, digest.bits)
            forms.append((digest.rows, again._size.real))
            rounds += report.rounds
        counts = counts.plus(MixedCounts(done.mistakes, done.updates, done.mixed_mistakes, done.mixed))
    become = f"became {player.learner} when a third class turned up: name it to have a certificate"
    require(player.learner == first, f"{first} {become}", NotCertified)
    require(played is None or played.tally == player.tally, f"these passes give {player}, not {played}", NotCertified)
    parts = [ShardSteps(one.number, _renumber_steps(one.steps, player, one.labels), one.share) for one in found]
    real = player.size.real if player.size else np.float64
    about = {"real": np.dtype(real).name} | describe(player.learner)
    if declared or not {*player.labels.names} <= {*NEGATIVE, *POSITIVE, None}:  # a shard may begin with any of them
        about["classes"] = player.labels.names if declared else []
    about["mixing"] = {"passes": passes, "weights": job.weights}
    if places != list(range(len(places))):  # shards without rounds keep their places, which decide how means are summed
        about["mixing"]["places"] = places
    rows = forms[0][0] if forms and all(form == forms[0] for form in forms) else None
    updated = tuple(int(one.first + t) for one in found for t in one.steps.rounds)
    marks = tuple(int(mark) for one in found for mark in one.steps.marks) if _has_marks(player) else ()
    made = make_mixed(player.learner, real, parts, counts)
    if made.exact:
        claim = read_claim(about)
        bits = max(bits, count_fraction_bits(np.array([claim.bias])))
        require(find_room(claim, bits) >= 0, "values are so small that products underflow", NotCertified)
    told: dict[str, Any] = {"rounds": rounds, "learner": about, "stream": " ".join(digests[0])}
    return replace(made, **told, updated=updated, marks=marks, version=VERSION, rows=rows)


class _MeasuredDigest(Digest):
    """A digest that also finds the least k for which all values are whole multiples of 2^-k."""

    bits = 0

    def add(self, chunk: Chunk) -> None:
        super().add(chunk)
        if isinstance(chunk, Examples) and chunk.values is not None:
            self.bits = max(self.bits, count_fraction_bits(chunk.values[chunk.indptr[0] : chunk.indptr[-1]]))


class _ReplayedShard(NamedTuple):
    """The steps of one shard in pass `number`, and the number of its first round."""

    labels: Labels
    number: int
    first: int
    steps: Steps
    share: Fraction


def _has_marks(player: Player) -> bool:
    """Whether marks say what the rule leaves open: the class that was stepped away from."""
    return isinstance(player.learner, Network)


def _renumber_steps(steps: Steps, player: Player, labels: Labels) -> Steps:
    """Give the steps the class numbers of the player that all shards came to."""
    unmet = _has_marks(player) and None in labels.names and len(player.labels) > 2  # which class it stepped away from
    require(not unmet, "a shard has met one class only: declare the classes", NotCertified)
    order = renumber_labels(player.labels.copy(), labels, UNLIMITED)
    marks = order[steps.marks.astype(int) - 1] + 1.0 if _has_marks(player) else steps.marks  # one more than a class
    return steps._replace(classes=order[steps.classes.astype(int)], marks=marks)


def _name_problem(shard: str, problem: Exception) -> str:
    """Say what is wrong with which shard."""
    return str(problem) if shard in str(problem) else f"{shard}: {problem}"
