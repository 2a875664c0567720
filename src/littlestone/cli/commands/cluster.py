"""What `learn --cluster` does: the same learners and the same model file, shards instead of one stream."""

import json
import time
from typing import Any

import click

from littlestone.cli.commands.data import learner_named, plain

ALONE = {
    "shuffle_buffer": "--shuffle-buffer",
    "holdout": "--holdout",
    "checkpoint": "--checkpoint",
    "until_error": "--until-error",
    "check_order": "--check-order",
    "predictions": "--predictions",
    "journal": "--mistakes",
    "report": "--report",
    "cache": "--cache",
}  # what only a run on one stream can do


def learn_shards(data: tuple[str, ...], given: dict[str, Any], as_json: bool) -> None:
    """Learn shards on a cluster, and say what came of it; the model is saved after every pass."""
    from littlestone import cluster
    from littlestone.base.errors import require
    from littlestone.base.features import Hashed
    from littlestone.readers.reading import crossed

    for name, option in ALONE.items():
        require(not given[name], f"{option} is about one stream: leave it out with --cluster")
    require(not given["resume"] or given["model"], "--resume needs --model, the model to go on with")
    named, settings, label = given["learner"], given["settings"], given["label"]
    learner = learner_named(named or "averaged-perceptron", settings) if named or settings else None
    reads: dict[str, Any] = {"format": given["kind"]} if given["kind"] else {}
    if given["cross"]:
        reads["cross"] = given["cross"]
    if label is not None:
        reads["label"] = int(label) if label.lstrip("-").isdigit() else label
    begun = time.perf_counter()
    run = cluster.learn(
        learner,
        list(data),
        given["passes"],
        given["cluster"],
        weights=given["mixing"] or "uniform",
        seed=given["seed"],
        on_error=given["on_error"],
        checkpoint=given["model"],
        resume=given["resume"],
        features=crossed(Hashed(given["bits"]), given["cross"]) if given["bits"] else None,
        progress=not given["quiet"],
        **reads,
    )
    seconds = time.perf_counter() - begun
    certificate = run.certificate() if given["certify"] else None
    if as_json:
        click.echo(json.dumps(_record(run, given["model"], seconds, certificate), default=plain))
    elif not given["quiet"]:
        click.echo(f"{run.player.learner} on {len(run.job.shards)} shards, {seconds:.2f} s\n\n{run}")
        if len(run.passes) == 1 and len(run.job.shards) > 1:
            click.echo("\nAfter one pass no shard has learned from the others: as a rule --passes 2 errs less.")
        if certificate is not None:
            click.echo(f"\n{certificate}")


def _record(run: Any, model: str | None, seconds: float, certificate: Any) -> dict[str, Any]:
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
        "attributes": player.features.width,
        "seconds": seconds,
        "model": model,
        "skipped": sum(one.skipped for one in run.passes[-1:]),
        "passes": [one._asdict() | {"mixed": float(one.mixed)} for one in run.passes],
        "certificate": None if certificate is None else json.loads(certificate.to_json()),
    }
