"""Cluster: learning from more shards than one machine can read, on Ray.

Iterative parameter mixing: in every pass each shard is played by some worker from the same mixed player, and what the
workers end with is mixed along a fixed tree, so that the result depends on the shards and their order alone. A worker
that dies is replaced and its shard played again, to the same bits. `base/mixing.py` has the theorem, `passes.py` a
pass.

The player goes out once a pass, through Ray's object store; a worker holds it, a copy that learns, and a chunk of rows.
Mixtures are made where the states are: the driver sees the last one only, and saves it as its checkpoint.

R. McDonald, K. Hall and G. Mann. Distributed training strategies for the structured perceptron. NAACL-HLT 2010.
"""

import glob
import io
import os
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from littlestone.base.bound import Certificate
from littlestone.base.errors import BadData, BadModel, BadParameter, require
from littlestone.base.files import require_writable
from littlestone.base.learner import Learner
from littlestone.base.mixing import JoinTree, Weighting
from littlestone.cluster.connection import connect
from littlestone.cluster.mixture import Share, join_shares
from littlestone.cluster.passes import (
    Executor,
    Job,
    Notify,
    PassReport,
    ShardReport,
    certify_passes,
    learn_shard,
    play_pass,
    require_read,
)
from littlestone.game.model import read as read_model
from littlestone.game.player import Player
from littlestone.game.progress import Progress
from littlestone.readers.source import import_extra

RETRIES = 8  # of a shard whose worker died, before the run stops


@dataclass
class ClusterRun:
    """What a run on shards came to: the player, what each pass counted, and the job."""

    player: Player
    passes: list[PassReport]
    job: Job

    @property
    def mixed(self) -> Fraction:
        """The updates with each shard's share, which is what the theorem bounds."""
        return sum((one.mixed for one in self.passes), Fraction(0))

    def certificate(self) -> Certificate:
        """Certify what the theorem of mixing allowed, with a witness; every shard is read again, once for each pass."""
        return certify_passes(self.job, len(self.passes), self.player)

    def __str__(self) -> str:
        head = (
            f"{'pass':>4}  {'shards':>6}  {'rounds':>13}  {'mistakes':>11}  {'updates':>11}  {'mixed':>11}  {'rate':>7}"
        )
        lines = [head]
        for one in self.passes:
            rate = one.mistakes / max(1, one.rounds)
            mixed = float(one.mixed)
            counts = f"{one.rounds:>13,}  {one.mistakes:>11,}  {one.updates:>11,}  {mixed:>11,.1f}  {rate:>7.2%}"
            lines.append(f"{one.number:>4}  {one.shards:>6}  {counts}")
            lines += [f"      skipped: {problem}" for problem in one.absent]
        return "\n".join(lines)


@dataclass(frozen=True)
class Options:
    """Options of `learn` that decide how a run is carried out; they are described there."""

    checkpoint: str | os.PathLike[str] | None = None
    resume: bool = False
    workers: int | None = None
    features: Any = None
    progress: bool = False
    execute: Executor | None = None

    def __post_init__(self) -> None:
        require(self.workers is None or self.workers >= 1, f"workers must be at least 1, got {self.workers}")
        require(not self.resume or self.checkpoint is not None, "resume needs checkpoint, the file to go on from")
        require_writable(self.checkpoint)


def learn(
    learner: Learner | Player | None,
    shards: Any,
    passes: int = 1,
    address: str | None = None,
    weights: Weighting = "uniform",
    seed: int = 0,
    on_error: str = "stop",
    **options: Any,
) -> ClusterRun:
    """Learn shards in several passes, each shard on its own and mixed after every pass.

    Args:
        learner: A learner, a player to go on with, or None for an averaged perceptron, for any number of classes.
        shards: A glob, a list of paths or addresses that every node can read, or a Ray Dataset, each block of which is
            a shard.
        passes: How often all shards are played, >= 1.
        address: "auto" or an address joins a cluster, by token (docs/cluster.md). None: Ray runs on this machine for as
            long as it takes, unless it runs already.
        weights: "uniform" weighs shards alike, "updates" by their updates.
        seed: Seed of the learner's coins.
        on_error: "stop" at a shard or a record that cannot be read and name it, or "skip" and report it.
        options: `checkpoint`, a file where the player is saved after every pass; `resume`, to go on from there;
            `workers`, how many shards are played at once (None: one for each CPU); `features`, what reads instances
            (None: what the first shard offers); `progress`, to show a bar; `execute=play_serially`, to do without Ray.
            All others are options of `read`.
    """
    require(passes >= 1, f"passes must be at least 1, got {passes}")
    run = Options(**{part.name: options.pop(part.name) for part in fields(Options) if part.name in options})
    with ExitStack() as stack:
        if hasattr(shards, "to_arrow_refs"):  # a Ray Dataset is nothing without Ray; files are looked at before it runs
            stack.enter_context(connect(address, run.workers))
        job = _make_job(Job(learner, (None,), weights, seed, on_error, run.features, options), shards)
        player, done = _resume(job, run.checkpoint) if run.resume else (job.start_player(), [])
        if run.execute is None:
            executor = make_ray_executor(stack.enter_context(connect(address, run.workers)), run.workers)
            run = replace(run, execute=executor)
        return _run_passes(job, player, done, passes, run)


def list_shards(shards: Any) -> list[Any]:
    """List the paths of shards: a glob's in the order of their names, a list's as listed; other shards stay."""
    if not isinstance(shards, str | os.PathLike):
        return [
            one for each in shards for one in (list_shards(each) if isinstance(each, str | os.PathLike) else [each])
        ]
    text = os.fspath(shards)
    if "://" in text or not glob.has_magic(text) or Path(text).exists():
        return [text]  # if it cannot be read, the error comes when it is played
    found = sorted(one for one in glob.glob(text, recursive=True) if not Path(one).is_dir())
    require(bool(found), f"{text}: there is no such file", BadData)
    return found


def _make_job(job: Job, shards: Any) -> Job:
    """Give a job its shards: paths, or the blocks of a Ray Dataset."""
    if not hasattr(shards, "to_arrow_refs"):
        return replace(job, shards=list_shards(shards))
    blocks = shards.materialize().to_arrow_refs()
    names = tuple(f"block {number} of the dataset" for number in range(len(blocks)))
    features = job.features
    if features is None and not isinstance(job.learner, Player):
        first = import_extra("ray", "cluster", "a Ray Dataset").get(blocks[0])
        features = Job(job.learner, [_to_parquet(first)], reads=job.reads).start_player().features
    return replace(job, shards=blocks, features=features, names=names)


def _to_parquet(shard: Any) -> Any:
    """Write a block of a dataset as a file that the Parquet reader knows; any other shard stays as it is."""
    if not hasattr(shard, "to_batches"):
        return shard
    file = io.BytesIO()
    import_extra("pyarrow.parquet", "parquet", "a Ray Dataset").write_table(shard, file)
    file.seek(0)
    return file


def make_ray_executor(ray: Any, workers: int | None = None) -> Executor:
    """Make the executor that plays shards on the workers of Ray, `workers` at once (None: one for each CPU)."""
    play = ray.remote(num_returns=2, max_retries=RETRIES)(play_shard)
    join = ray.remote(max_retries=RETRIES)(join_shares)

    def execute(start: Player, job: Job, say: Notify) -> tuple[Share | None, list[ShardReport]]:
        together = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        told = Job(
            None, job.shards[:1], job.weights, job.seed, job.on_error, None, job.reads
        )  # all that a worker needs
        begin = ray.put((start, told))
        whole = JoinTree(join.remote)
        running: dict[Any, int] = {}
        reports: dict[int, ShardReport] = {}

        def finish() -> None:
            (ready, *_), _ = ray.wait(list(running), num_returns=1)
            number = running.pop(ready)
            report = ray.get(ready)
            require_read(report, job)
            reports[number] = report
            say(report)

        try:
            for number, shard in enumerate(job.shards):
                share, report = play.remote(begin, number, job.name(number), shard)
                running[report] = number
                whole.add(share)
                if len(running) >= together:
                    finish()
            while running:
                finish()
            root = ray.get(whole.finish())
        except Exception as problem:  # an interrupt ends the connection: Ray may abort if tasks are cancelled then too
            for report in running:
                ray.cancel(report, force=True)
            if isinstance(problem, ray.exceptions.RayError):
                text = str(problem).strip().splitlines()[0]
                raise BadParameter(f"the cluster gave up: {text}") from None
            raise
        return root, [reports[number] for number in range(len(job.shards))]

    return execute


def play_shard(begin: tuple[Player, Job], number: int, name: str, shard: Any) -> tuple[Share | None, ShardReport]:
    """Play one shard, on a worker; `learn_shard` says what is returned."""
    start, told = begin
    share, report = learn_shard(start, told, 0, _to_parquet(shard), name)
    return share, report._replace(shard=number)


def _run_passes(job: Job, player: Player, done: list[PassReport], passes: int, run: Options) -> ClusterRun:
    """Play all passes that are left, each saved when it is complete."""
    assert run.execute is not None
    expected = done[0].rounds * (passes - len(done)) if done else None
    with Progress(run.progress, expected) as shown:
        notify: Notify = lambda report: shown.advance(report.rounds, report.mistakes)  # noqa: E731
        while len(done) < passes:
            player, one = play_pass(player, job, len(done) + 1, run.execute, notify)
            done.append(one)
            if run.checkpoint is not None:
                passed = {"passes": [_describe_pass(each) for each in done]}
                player.save(run.checkpoint, {"cluster": _describe_job(job) | passed})
    return ClusterRun(player, done, job)


def _describe_job(job: Job) -> dict[str, Any]:
    """Describe what must be the same for a run to be the same."""
    shards = [job.name(number) for number in range(len(job.shards))]
    return {"shards": shards, "weights": job.weights, "seed": job.seed, "on_error": job.on_error}


def _describe_pass(one: PassReport) -> dict[str, Any]:
    """Describe a pass as JSON keeps it, without how long it took, so that equal runs leave equal files."""
    record = one._asdict() | {"mixed": str(one.mixed), "mixed_mistakes": str(one.mixed_mistakes), "seconds": 0.0}
    return record | {"absent": list(one.absent)}


def _resume(job: Job, checkpoint: Any) -> tuple[Player, list[PassReport]]:
    """Read a checkpoint.

    Returns:
        The player.
        What was counted in the passes behind it.
    """
    player, about = read_model(checkpoint)
    place = about.get("cluster")
    same = isinstance(place, dict) and {name: place.get(name) for name in _describe_job(job)} == _describe_job(job)
    require(same, f"{checkpoint} is no checkpoint of a run on these shards with these settings", BadModel)
    done = []
    for record in place["passes"]:  # type: ignore[index]
        mixed = {name: Fraction(record[name]) for name in ("mixed", "mixed_mistakes")}
        done.append(PassReport(**record | mixed | {"absent": tuple(record["absent"])}))
    return player, done
