"""The command `learn`: a stream goes in; predictions, a model and a certificate come out."""

import json
import sys
from dataclasses import dataclass
from typing import Any, Literal

import click

from littlestone.cli.commands.data import DataOptions, json_option, reads_data, to_plain
from littlestone.cli.commands.run import LearnRun

SHOWN = 20  # classes of a table, the most frequent ones


@click.command()
@click.argument("data", nargs=-1, required=True)
@click.option("--learner", metavar="NAME", help="A learner, such as winnow; none: averaged perceptron, any classes.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the learner.")
@click.option("--model", type=click.Path(dir_okay=False), help="Save what was learned here.")
@click.option("--resume", is_flag=True, help="Go on with the model: where an interrupted run stopped, or on new data.")
@click.option("--passes", type=click.IntRange(1), default=1, show_default=True, help="How often to read the data.")
@click.option("--shuffle-buffer", type=click.IntRange(2), metavar="N", help="Shuffle within windows of N rounds.")
@click.option("--holdout", type=click.IntRange(2), metavar="N", help="Learn all but every Nth round; judge on those.")
@click.option("--checkpoint", type=click.IntRange(1), metavar="N", help="Save the model every N rounds.")
@click.option("--seed", type=int, default=0, show_default=True, help="For coins and shuffling.")
@click.option("--certify", is_flag=True, help="Add a certificate: read the data once more for the best comparator.")
@click.option(
    "--until-error",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="RATE",
    help="Stop reading once an error of at most RATE is certified for new rounds.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.99,
    show_default=True,
    help="Of what is said about new rounds.",
)
@click.option("--check-order", is_flag=True, help="Play the rounds in 99 other orders too: does their order matter?")
@click.option("--predictions", type=click.Path(dir_okay=False), help="Write each round's guess here, one a line.")
@click.option("--mistakes", type=click.Path(dir_okay=False), help="Write each mistake here (JSON lines).")
@click.option("--report", type=click.Path(dir_okay=False), help="Write a page about the run here (HTML).")
@click.option("--cluster", metavar="auto|ADDRESS", help="Learn each file as a shard on Ray; `local` starts one here.")
@click.option(
    "--mixing", type=click.Choice(["uniform", "updates"]), help="With --cluster: shards count alike, or by updates."
)
@click.option("--quiet", is_flag=True, help="No progress, and no summary without --json.")
@reads_data
@json_option
def learn(as_json: bool, **given: Any) -> None:
    """Learn DATA in one pass, every round judged before it is learned.

    \b
    littlestone learn messages.txt --model spam.lst
    littlestone learn rows.svm --learner winnow --set promotion=1.5 --certify
    cat rows.csv | littlestone learn - --format csv --label income
    """  # fmt: skip
    options = LearnOptions.of(given)
    if options.cluster:
        from littlestone.cli.commands.cluster import learn_shards

        learn_shards(options, as_json)
        return
    if options.mixing:
        raise click.UsageError("--mixing says how shards are weighed: it goes with --cluster auto|ADDRESS|local")
    run = LearnRun(options)
    seconds = run.play()
    record = make_record(run, seconds)
    if as_json:
        click.echo(json.dumps(record, default=to_plain))
    elif not options.quiet:
        click.echo(format_summary(record))
    if options.report:
        from littlestone.plot.report import write_report

        write_report(options.report, run.first_game, list_facts(record), record)
    if run.stopped_by:
        click.echo(run.say_where_it_stopped(), err=True)
        sys.exit(128 + run.stopped_by)


@dataclass(frozen=True, kw_only=True)
class LearnOptions(DataOptions):
    """The options of `learn`, as they were typed; `--help` says what each means."""

    data: tuple[str, ...]
    learner: str | None = None
    settings: tuple[str, ...] = ()
    model: str | None = None
    resume: bool = False
    passes: int = 1
    shuffle_buffer: int | None = None
    holdout: int | None = None
    checkpoint: int | None = None
    seed: int = 0
    certify: bool = False
    until_error: float | None = None
    confidence: float = 0.99
    check_order: bool = False
    predictions: str | None = None
    mistakes: str | None = None
    report: str | None = None
    cluster: str | None = None
    mixing: Literal["uniform", "updates"] | None = None
    quiet: bool = False


def make_record(run: LearnRun, seconds: float) -> dict[str, Any]:
    """Everything there is to say about a run, as JSON shows it."""
    player, counts, options, stopping = run.player, run.counts, run.options, run.stopping
    rounds, mistakes = (sum(pair[k] for pair in counts.tallies) for k in (0, 1))
    names = player.labels.names
    return {
        "learner": str(player.learner),
        "data": str(run.stream),
        "rounds": rounds,
        "mistakes": mistakes,
        "updates": player.tally.updates,
        "mistake_rate": mistakes / max(1, rounds),
        "classes": [name for name in names if name is not None],
        "attributes": player.features.width,
        "nonzeros": counts.nonzeros,
        "seconds": seconds,
        "model": options.model,
        "stopped": bool(run.stopped_by),
        "skipped": run.stream.skipped.count,
        "passes": [{"rounds": pair[0], "mistakes": pair[1]} for pair in counts.tallies],
        "progressive": counts.seen.figures(names),
        "holdout": counts.held.figures(names) if options.holdout else None,
        "risk": _record_risk(run),
        "order": _record_order(run),
        "until": None
        if stopping is None
        else {
            "certified": stopping.done,
            "examples": stopping.examples,
            "error": float(stopping.certified),
            "confidence": stopping.confidence,
            "words": str(stopping),
        },
        "certificate": _record_certificate(run),
    }


def _record_risk(run: LearnRun) -> dict[str, Any] | None:
    """What the mistakes of the first pass say about new data; nothing if the player had played before."""
    from littlestone.certificates.risk import risk

    seen = run.counts.seen
    if run.played_before or not seen.rounds or run.player.learner.numeric:
        return None
    found = risk(seen.rounds, seen.mistakes, run.options.confidence)
    return {"average": float(found.average), "voted": float(found.voted), "words": str(found).replace("\n", " ")}


def _record_order(run: LearnRun) -> dict[str, Any] | None:
    """Whether the order of the rounds mattered, so that nothing follows for new data; None if that was not asked."""
    if not run.options.check_order or run.first_game is None:
        return None
    found = run.first_game.drift()
    return {"matters": bool(found), "chance": found.chance, "words": str(found)}


def _record_certificate(run: LearnRun) -> dict[str, Any] | None:
    """The certificate that was asked for, about every round this player has played."""
    if not run.options.certify:
        return None
    from littlestone.base.errors import NotCertified, require
    from littlestone.game.certify import certify

    whole = not run.played_before
    require(whole, "the model had played other rounds before these: certify speaks of all of them", NotCertified)
    passes = [run.open_pass(number) for number in range(len(run.counts.tallies))]
    if len(passes) > 1:
        from littlestone.environments.derived import Joined

        passes = [Joined(passes)]
    certificate = certify(run.player, passes[0])
    record: dict[str, Any] = json.loads(certificate.to_json())
    return record | {"counted": certificate.counted}


def format_summary(record: dict[str, Any]) -> str:
    """The record of a run for people: the counts first, then what they mean class by class."""
    return "\n".join(f"{name:>11}  {value}" for name, value in list_facts(record)) + _format_classes(record)


def list_facts(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What the record of a run says, as names and words."""
    judged, rounds = record["progressive"], record["rounds"]
    speed = f"{rounds / max(record['seconds'], 1e-9):,.0f} rounds a second"
    facts = [
        ("learner", record["learner"]),
        ("data", record["data"]),
        ("read", f"{rounds:,} rounds, {record['attributes']:,} attributes, {record['nonzeros']:,} entries"),
        ("mistakes", f"{judged['mistakes']:,} of {judged['rounds']:,} ({judged['mistake_rate']:.2%})"
                     f", {judged['recent_rate']:.2%} of the latest {min(1000, judged['rounds']):,}"),
        ("updates", f"{record['updates']:,}"),
        ("balanced", f"{judged['balanced_error']:.2%} balanced error"),
    ]  # fmt: skip
    if judged["auc"] is not None:
        facts.append(("probability", f"log-loss {judged['log_loss']:.4f}, AUC {judged['auc']:.4f} (estimated)"))
    if len(record["passes"]) > 1:
        each = ", ".join(f"{one['mistakes']:,}" for one in record["passes"])
        facts.append(("passes", f"{each} mistakes; the figures above are of the first, when rounds were new"))
    if record["holdout"]:
        held = record["holdout"]
        facts.append(("held out", f"{held['mistakes']:,} of {held['rounds']:,} ({held['mistake_rate']:.2%})"))
    if record["skipped"]:
        facts.append(("skipped", f"{record['skipped']:,} records that could not be read"))
    certificate = record["certificate"]
    if certificate:
        verdict = "holds" if certificate["holds"] else "DOES NOT HOLD"
        count = f"{certificate['counted']:,} {certificate['counts']} <= {certificate['bound']:,}"
        facts.append(("certificate", f"{count} {verdict}: {certificate['theorem']}"))
    if record["order"]:
        facts.append(("order", record["order"]["words"].replace("\n", " ")))
    if record["until"]:
        facts.append(("until", record["until"]["words"]))
    elif record["risk"] and not (record["order"] and record["order"]["matters"]):
        facts.append(("new data", record["risk"]["words"]))
    facts.append(("took", f"{record['seconds']:.2f} s, {speed}"))
    if record["model"]:
        facts.append(("model", record["model"]))
    return facts


def _format_classes(record: dict[str, Any]) -> str:
    """A table of the classes: how often each came, precision and recall."""
    classes = sorted(record["progressive"]["classes"], key=lambda one: -one["rounds"])
    wide = max([9, *(len(str(one["class"])) for one in classes)])
    lines = [f"{'class':>{wide}}  {'rounds':>11}  precision     recall"]
    for one in classes[:SHOWN]:
        lines.append(f"{one['class']!s:>{wide}}  {one['rounds']:>11,}  {_format_shares(one)}")
    more = [f"and {len(classes) - SHOWN} more"] if len(classes) > SHOWN else []
    return "".join(f"\n  {line}" for line in ["", *lines, *more]).replace("\n  \n", "\n\n")


def _format_shares(one: dict[str, Any]) -> str:
    shares = ("-" if one[name] is None else f"{one[name]:.1%}" for name in ("precision", "recall"))
    return "  ".join(f"{share:>9}" for share in shares)
