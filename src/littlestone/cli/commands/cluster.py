"""What `learn --cluster` does: the same learners and the same model file, shards instead of one stream."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlestone.base.printed_text import quote, quote_word
from littlestone.cli import echo_json
from littlestone.cli.commands.summary import count_met
from littlestone.game.names import build_learner

if TYPE_CHECKING:
    from littlestone.cli.commands.learn import LearnOptions

ONE_STREAM = ("shuffle_buffer", "holdout", "checkpoint", "until_error", "check_order", "snapshots", "predictions",
              "mistakes", "report", "cache", "class_weights")  # fmt: skip


class _Stopped(BaseException):
    """A signal that ends the run."""

    def __init__(self, number: int) -> None:
        self.number = number


@contextmanager
def _leave_nothing_behind(options: "LearnOptions") -> Iterator[None]:
    """End at a signal with every process of the cluster that was started here, and say what is kept."""

    def stop(number: int, frame: Any) -> None:
        for each, handler in before.items():
            signal.signal(each, handler)  # a second signal ends all
        raise _Stopped(number)

    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    except _Stopped as stopped:
        kept = "nothing is kept of it"
        if options.model is not None and Path(options.model).exists():
            again = " ".join(map(quote_word, [*(word for word in sys.argv[1:] if word != "--resume"), "--resume"]))
            kept = f"the passes before it are saved in {quote(options.model)}; go on with: littlestone {again}"
        click.echo(f"stopped within a pass; {kept}", err=True)
        sys.exit(128 + stopped.number)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def learn_shards(options: "LearnOptions", as_json: bool) -> None:
    """Learn shards on a cluster, and say what came of it; the model is saved after every pass."""
    from littlestone import cluster
    from littlestone.base.errors import require
    from littlestone.base.files import require_outputs

    for name in ONE_STREAM:  # what only a run on one stream can do
        option = f"--{name.replace('_', '-')}"
        require(not getattr(options, name), f"{option} is about one stream: leave it out with --cluster")
    require(options.task != "regression", "numbers are predicted on one stream: leave out --cluster")
    require(not options.resume or bool(options.model), "--resume needs --model, the model to go on with")
    require_outputs(options.outputs, options.data)
    named = options.learner or ("averaged-perceptron" if options.settings else None)
    reads = options.reader_options | ({"format": options.kind} if options.kind else {})
    begun = time.perf_counter()
    with _leave_nothing_behind(options):
        run = cluster.learn(
            None if named is None else build_learner(named, options.settings),
            list(options.data),
            options.passes,
            options.cluster,
            weights=options.mixing or "uniform",
            seed=options.seed,
            on_error=options.on_error,
            checkpoint=options.model,
            resume=options.resume,
            features=options.make_features(None) if options.bits else None,
            progress=not options.quiet,
            many_classes=options.insists,
            **reads,
        )
    seconds = time.perf_counter() - begun
    certificate = run.certificate() if options.certify else None
    if certificate is not None:
        options.write_certificate(certificate)
    if as_json:
        echo_json(_make_record(run, options.model, seconds, certificate))
    elif not options.quiet:
        click.echo(f"{run.player.learner} on {len(run.job.shards)} shards, {seconds:.2f} s\n\n{run}")
        if len(run.passes) == 1 and len(run.job.shards) > 1:
            click.echo("\nAfter one pass no shard has learned from the others: as a rule --passes 2 errs less.")
        if certificate is not None:
            click.echo(f"\n{certificate}")


def _make_record(run: Any, model: str | None, seconds: float, certificate: Any) -> dict[str, Any]:
    """Everything there is to say about the run; `mixed` is what the theorem bounds."""
    rounds, mistakes = (sum(getattr(one, name) for one in run.passes) for name in ("rounds", "mistakes"))
    player = run.player
    return {
        "learner": str(player.learner),
        "data": [run.job.name(number) for number in range(len(run.job.shards))],
        "rounds": rounds,
        "mistakes": mistakes,
        "updates": player.tally.updates,
        "mixed": float(run.mixed),
        "mistake_rate": mistakes / max(1, rounds),
        "classes": [name for name in player.labels.names if name is not None],
        "attributes": count_met(player.features),
        "seconds": seconds,
        "model": model,
        "skipped": sum(one.skipped for one in run.passes[-1:]),
        "passes": [one._asdict() | {"mixed": float(one.mixed)} for one in run.passes],
        "certificate": None if certificate is None else json.loads(certificate.to_json()),
    }
