"""Cluster: learning from more shards than one machine can read, on Ray.

Iterative parameter mixing: in every pass each shard is played by some worker from the same mixed player, and what the
workers end with is mixed along a fixed tree, so that the result depends on the shards and their order alone. A worker
that dies is replaced and its shard played again, to the same bits. `mixing.py` has the theorem, `shards.py` a pass.

The player goes out once a pass, through Ray's object store; a worker holds it, a copy that learns, and a chunk of rows.
Mixtures are made where the states are: the driver sees the last one only, and saves it as its checkpoint.

R. McDonald, K. Hall and G. Mann. Distributed training strategies for the structured perceptron. NAACL-HLT 2010.
"""

import glob
import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from littlestone.base.bound import Certificate
from littlestone.base.errors import BadData, BadModel, BadParameter, require
from littlestone.base.files import require_writable
from littlestone.base.learner import Learner
from littlestone.base.mixing import Tree, Weighting
from littlestone.cluster.mixture import Share, joined
from littlestone.cluster.passes import Executor, Job, Pass, Report, Say, certificate, learned, one_pass, require_read
from littlestone.game.model import read as read_model
from littlestone.game.player import Player
from littlestone.game.progress import Progress
from littlestone.readers.source import extra

RETRIES = 8  # of a shard whose worker died, before the run stops


@dataclass
class Run:
    """What a run on shards came to: the player, and what each pass counted."""

    player: Player
    passes: list[Pass]
    job: Job

    @property
    def mixed(self) -> Fraction:
        """The updates with each shard's share, which is what the theorem bounds."""
        return sum((one.mixed for one in self.passes), Fraction(0))

    def certificate(self) -> Certificate:
        """What the theorem of mixing allowed, with a witness; every shard is read again, here, as often as before."""
        return certificate(self.job, len(self.passes), self.player)

    def __str__(self) -> str:
        head = (
            f"{'pass':>4}  {'shards':>6}  {'rounds':>13}  {'mistakes':>11}  {'updates':>11}  {'mixed':>11}  {'rate':>7}"
        )
        lines = [head]
        for one in self.passes:
            rate, mixed = one.mistakes / max(1, one.rounds), float(one.mixed)
            counts = f"{one.rounds:>13,}  {one.mistakes:>11,}  {one.updates:>11,}  {mixed:>11,.1f}  {rate:>7.2%}"
            lines.append(f"{one.number:>4}  {one.shards:>6}  {counts}")
            lines += [f"      skipped: {problem}" for problem in one.absent]
        return "\n".join(lines)


def learn(
    learner: Learner | Player | None,
    shards: Any,
    passes: int = 1,
    address: str | None = None,
    weights: Weighting = "uniform",
    seed: int = 0,
    on_error: str = "stop",
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: int | None = None,
    features: Any = None,
    progress: bool = False,
    execute: Executor | None = None,
    **reads: Any,
) -> Run:
    """Learn shards in several passes, each shard on its own and mixed after every pass.

    `shards` is a glob, a list of paths or addresses that every node can read, or a Ray Dataset, each block of which is
    a shard. Without `address` Ray runs here for as long as it takes, unless it runs already; "auto" or an address joins
    a cluster, by token (docs/cluster.md). Shards are weighed alike or by their `updates`. A shard that cannot be read
    stops the run, with its name, or is skipped and reported, as are records. After every pass the player is saved at
    `checkpoint`, and `resume` goes on from there. `workers` says how many shards are played at once (None: one for each
    CPU). `reads` are options of `read`; `execute=shards.serial` needs no Ray.
    """
    require(passes >= 1, f"passes must be at least 1, got {passes}")
    require(workers is None or workers >= 1, f"workers must be at least 1, got {workers}")
    require(not resume or checkpoint is not None, "resume needs checkpoint, the file to go on from")
    require_writable(checkpoint)
    with ExitStack() as stack:
        if hasattr(shards, "to_arrow_refs"):  # a Ray Dataset is nothing without Ray; files are looked at before it runs
            stack.enter_context(connected(address, workers))
        job = _job(learner, shards, weights, seed, on_error, features, reads)
        begun = _resumed(job, checkpoint) if resume else (job.seated(), [])
        if execute is None:
            execute = on(stack.enter_context(connected(address, workers)), workers)
        return _passes(job, *begun, passes, execute, checkpoint, progress)


def listed(shards: Any) -> list[Any]:
    """The paths of shards: a glob's in the order of their names, a list's as listed; other shards as they are."""
    if not isinstance(shards, str | os.PathLike):
        return [one for each in shards for one in (listed(each) if isinstance(each, str | os.PathLike) else [each])]
    text = os.fspath(shards)
    if "://" in text or not glob.has_magic(text) or Path(text).exists():
        return [text]  # if it cannot be read, whoever plays it will say so
    found = sorted(one for one in glob.glob(text, recursive=True) if not Path(one).is_dir())
    require(bool(found), f"{text}: there is no such file", BadData)
    return found


def _job(
    learner: Any, shards: Any, weights: Weighting, seed: int, on_error: str, features: Any, reads: dict[str, Any]
) -> Job:
    if not hasattr(shards, "to_arrow_refs"):
        return Job(learner, listed(shards), weights, seed, on_error, features, reads)
    blocks = shards.materialize().to_arrow_refs()
    names = tuple(f"block {number} of the dataset" for number in range(len(blocks)))
    if features is None and not isinstance(learner, Player):
        first = extra("ray", "cluster", "a Ray Dataset").get(blocks[0])
        features = Job(learner, [_bytes(first)], reads=reads).seated().features
    return Job(learner, blocks, weights, seed, on_error, features, reads, names)


def _bytes(shard: Any) -> Any:
    """A block of a dataset as a file that the Parquet reader knows; any other shard as it is."""
    if not hasattr(shard, "to_batches"):
        return shard
    file = io.BytesIO()
    extra("pyarrow.parquet", "parquet", "a Ray Dataset").write_table(shard, file)
    file.seek(0)
    return file


@contextmanager
def connected(address: str | None, workers: int | None = None) -> Iterator[Any]:
    """Ray, connected for the time of the block; one that was connected before is used, and stays.

    A cluster that was given by its address is joined by token, unless RAY_AUTH_MODE says otherwise.
    """
    address = None if address == "local" else address
    if address is not None:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    ray = extra("ray", "cluster", "learning on a cluster")
    if ray.is_initialized():
        yield ray
        return
    local = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
    try:
        ray.init(address=address or "local", log_to_driver=False, logging_level="error", **local)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as problem:
        text = str(problem).strip().splitlines()[0]
        raise BadParameter(f"no Ray cluster could be joined at {address or 'this machine'}: {text}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def on(ray: Any, workers: int | None = None) -> Executor:
    """The executor that plays shards on the workers of Ray, so many at once."""
    play = ray.remote(num_returns=2, max_retries=RETRIES)(play_shard)
    join = ray.remote(max_retries=RETRIES)(join_shares)

    def execute(start: Player, job: Job, say: Say) -> tuple[Share | None, list[Report]]:
        together = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        told = Job(
            None, job.shards[:1], job.weights, job.seed, job.on_error, None, job.reads
        )  # all that a worker needs
        begin, whole = ray.put((start, told)), Tree(join.remote)
        running: dict[Any, int] = {}
        reports: dict[int, Report] = {}

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
            root = ray.get(whole.root())
        except ray.exceptions.RayError as problem:
            raise BadParameter(f"the cluster gave up: {str(problem).strip().splitlines()[0]}") from None
        finally:
            for report in running:
                ray.cancel(report, force=True)
        return root, [reports[number] for number in range(len(job.shards))]

    return execute


def play_shard(begin: tuple[Player, Job], number: int, name: str, shard: Any) -> tuple[Share | None, Report]:
    """One shard, on a worker."""
    start, told = begin
    share, report = learned(start, told, 0, _bytes(shard), name)
    return share, report._replace(shard=number)


def join_shares(one: Share | None, other: Share | None) -> Share | None:
    """Two shares as one, on a worker."""
    return joined(one, other)


def _passes(
    job: Job, player: Player, done: list[Pass], passes: int, execute: Executor, checkpoint: Any, progress: bool
) -> Run:
    """All passes that are left, each saved when it is complete."""
    with Progress(progress, _rounds(done, passes)) as shown:
        say: Callable[[Report], None] = lambda report: shown.advance(report.rounds, report.mistakes)  # noqa: E731
        while len(done) < passes:
            player, one = one_pass(player, job, len(done) + 1, execute, say)
            done.append(one)
            if checkpoint is not None:
                player.save(checkpoint, {"cluster": _place(job) | {"passes": [_kept(each) for each in done]}})
    return Run(player, done, job)


def _rounds(done: Sequence[Pass], passes: int) -> int | None:
    return done[0].rounds * (passes - len(done)) if done else None


def _place(job: Job) -> dict[str, Any]:
    """What must be the same for a run to be the same."""
    shards = [job.name(number) for number in range(len(job.shards))]
    return {"shards": shards, "weights": job.weights, "seed": job.seed, "on_error": job.on_error}


def _kept(one: Pass) -> dict[str, Any]:
    """A pass as JSON keeps it; not how long it took, so that equal runs leave equal files."""
    record = one._asdict() | {"mixed": str(one.mixed), "mixed_mistakes": str(one.mixed_mistakes), "seconds": 0.0}
    return record | {"absent": list(one.absent)}


def _resumed(job: Job, checkpoint: Any) -> tuple[Player, list[Pass]]:
    """The player of a checkpoint and the passes behind it."""
    player, about = read_model(checkpoint)
    place = about.get("cluster")
    same = isinstance(place, dict) and {name: place.get(name) for name in _place(job)} == _place(job)
    require(same, f"{checkpoint} is no checkpoint of a run on these shards with these settings", BadModel)
    done = []
    for record in place["passes"]:  # type: ignore[index]
        mixed = {name: Fraction(record[name]) for name in ("mixed", "mixed_mistakes")}
        done.append(Pass(**record | mixed | {"absent": tuple(record["absent"])}))
    return player, done
