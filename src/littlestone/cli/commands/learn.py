"""The command `learn`: a stream goes in; predictions, a model and a certificate come out."""

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import click

from littlestone.cli import MANY_CLASSES, DataOptions, echo_json, option, takes_json, takes_options
from littlestone.cli.commands.summary import count_met, format_summary, list_facts
from littlestone.cli.listing_options import LeagueOption, LearnerOption

if TYPE_CHECKING:
    from littlestone.base.bound import Certificate
    from littlestone.cli.commands.run import LearnRun

RATE = click.FloatRange(0, 1, min_open=True, max_open=True)
ROOM = click.FloatRange(0, min_open=True)
OUTPUT = click.Path(dir_okay=False)


@dataclass(frozen=True, kw_only=True)
class LearnOptions(DataOptions):
    """The options of `learn`, as they were typed."""

    data: tuple[str, ...]
    learner: str | None = option("A learner, such as winnow; none: logistic.", metavar="NAME", cls=LearnerOption)
    task: Literal["classification", "regression"] | None = option(
        "Whether labels are classes or numbers; none: numbers if they have many values.",
        click.Choice(["classification", "regression"]),
    )
    many_classes: bool = option(MANY_CLASSES, default=False)
    settings: tuple[str, ...] = option("A parameter of the learner.", None, "NAME=VALUE", (), "set")
    model: str | None = option("Save what was learned here.", OUTPUT)
    predict_only: bool = option("Save what predicts, in float32, and nothing that learning would need.", default=False)
    resume: bool = option("Go on with the model: where an interrupted run stopped, or on new data.", default=False)
    class_weights: str | None = option(
        "How much rounds count by their class: balanced, or LABEL=NUMBER,...", None, "WEIGHTS"
    )
    passes: int = option("How often to read the data.", click.IntRange(1), default=1)
    shuffle_buffer: int | None = option("Shuffle within windows of N rounds.", click.IntRange(2), "N")
    holdout: int | None = option("Learn all but every Nth round; judge on those.", click.IntRange(2), "N")
    checkpoint: int | None = option("Save the model every N rounds.", click.IntRange(1), "N")
    seed: int = option("For coins and shuffling.", default=0)
    certify: bool = option("Add a certificate: read the data once more for the best comparator.", default=False)
    certificate: str | None = option("Add a certificate, and write it here (JSON).", OUTPUT)
    until_error: float | None = option(
        "Stop reading once an error of at most RATE is certified for new data.", RATE, "RATE"
    )
    confidence: float = option("Of what is said about new rounds.", RATE, default=0.99)
    check_order: bool = option("Play the rounds in 99 other orders too: does their order matter?", default=False)
    predictions: str | None = option("Write each round's guess here, one a line.", OUTPUT)
    mistakes: str | None = option("Write each mistake here (JSON lines).", OUTPUT)
    report: str | None = option("Write a page about the run here (HTML).", OUTPUT)
    snapshots: bool = option("Save the copy that later rounds judge best; say how much it errs.", default=False)
    served: bool = option("Count what is served also where that takes longer (voted learners).", default=False)
    memory: float = option("What attributes and classes in DATA may make the model take, in GB.", ROOM, "GB", 4.0)
    league: str | None = option(
        "Play all suited learners, or those named, side by side, and serve a mixture of them. Models of other "
        "libraries join as river:MODULE.CLASS or sklearn:MODULE.CLASS:NAME=VALUE.",
        metavar="[MEMBERS]",
        cls=LeagueOption,
    )
    plot: str | None = option("With --league: draw how much members weigh over time here (PNG, SVG or PDF).", OUTPUT)
    cluster: str | None = option("Learn each file as a shard on Ray; `local` starts one here.", None, "auto|ADDRESS")
    mixing: Literal["uniform", "updates"] | None = option(
        "With --cluster: shards count alike, or by updates.", click.Choice(["uniform", "updates"])
    )
    quiet: bool = option("No progress, and no summary without --json.", default=False)

    @property
    def outputs(self) -> dict[str, str | None]:
        """Where each option writes."""
        names = ("model", "certificate", "predictions", "mistakes", "report", "plot")
        return {f"--{name}": getattr(self, name) for name in names}

    def write_certificate(self, certificate: "Certificate") -> None:
        """Write a certificate where it was asked for."""
        from littlestone.base.files import replace

        if self.certificate:
            replace(self.certificate, [certificate.to_json().encode()])


@click.command()
@click.argument("data", nargs=-1, required=True)
@takes_options(LearnOptions)
@takes_json
def learn(as_json: bool, **given: Any) -> None:
    """Learn DATA in one pass, every round judged before it is learned.

    \b
    littlestone learn messages.txt --model spam.lst
    littlestone learn rows.svm --learner winnow --set threshold=200 --certificate c.json
    littlestone learn rows.svm --league
    cat rows.csv | littlestone learn - --format csv --label income
    """
    options = LearnOptions(**given | {"certify": given["certify"] or given["certificate"] is not None})
    if options.predict_only:
        others = ("checkpoint", "resume", "snapshots", "league", "cluster")
        if not options.model or any(getattr(options, name) for name in others):
            told = "--predict-only is about the --model of a whole run, which cannot go on: leave out"
            raise click.UsageError(f"{told} {', '.join(f'--{name}' for name in others)}")
    if options.model:
        from littlestone.base.files import hold_lock

        click.get_current_context().with_resource(hold_lock(options.model))  # until the command ends
    if options.cluster:
        from littlestone.cli.commands.cluster import learn_shards

        learn_shards(options, as_json)
        return
    if options.league:
        from littlestone.cli.commands.league import learn_league

        learn_league(options, as_json)
        return
    if options.plot:
        raise click.UsageError("--plot draws the weights of members: it goes with --league; --report draws a run")
    if options.mixing:
        raise click.UsageError("--mixing says how shards are weighed: it goes with --cluster auto|ADDRESS|local")
    from littlestone.cli.commands.run import LearnRun

    run = LearnRun(options)
    seconds = run.play()
    record = make_record(run, seconds)
    if as_json:
        echo_json(record)
    elif not options.quiet:
        click.echo(format_summary(record))
    met = record["classes"]
    if len(met) == 1 and record["rounds"] > 1 and not options.quiet:
        told = f"all {record['rounds']:,} rounds have the label {met[0]!r}, so there is nothing to tell apart"
        click.echo(f"littlestone: {told}; --label COLUMN says which column holds labels", err=True)
    if options.report:
        from littlestone.plot.report import write_report

        write_report(options.report, run.first_game, list_facts(record), record)
    if run.stopped_by:
        click.echo(run.say_where_it_stopped(), err=True)
        sys.exit(128 + run.stopped_by)


def make_record(run: "LearnRun", seconds: float) -> dict[str, Any]:
    """Everything there is to say about a run, as JSON shows it."""
    from littlestone.cli.commands.passes import describe_weights

    player = run.player
    counts = run.counts
    options = run.options
    stopping = run.stopping
    rounds, played, served = (sum(tally[k] or 0 for tally in counts.tallies) for k in (0, 1, 2))
    counted = all(tally[2] is not None for tally in counts.tallies)
    mistakes = served if counted else played
    names = player.labels.names
    return {
        "task": "regression" if player.learner.numeric else "classification",
        "learner": str(player.learner),
        "weights": describe_weights(run.weights),
        "chosen": options.learner is not None,
        "data": str(run.stream),
        "rounds": rounds,
        "rounds_now": rounds - run.counted_before,
        "mistakes": mistakes,
        "mistakes_of": "what was served" if counted else "what was played",
        "mistakes_played": played,
        "serves_apart": player.learner.serves_apart is not False,
        "updates": player.tally.updates,
        "labels": _record_labels(player),
        "mistake_rate": mistakes / max(1, rounds),
        "classes": [name for name in names if name is not None],
        "attributes": count_met(player.features),
        "nonzeros": counts.nonzeros,
        "seconds": seconds,
        "model": options.model,
        "stopped": bool(run.stopped_by),
        "skipped": run.stream.skipped.count,
        "words_as_missing": run.stream.skipped.words,
        "passes": [
            {"rounds": tally[0], "mistakes": tally[2] if counted else tally[1], "mistakes_played": tally[1]}
            for tally in counts.tallies
        ],
        "progressive": counts.seen.summarize(names),
        "holdout": counts.held.summarize(names) if options.holdout else None,
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
        "snapshot": _record_snapshot(run),
        "certificate": _record_certificate(run),
    }


def _record_labels(player: Any) -> dict[str, Any] | None:
    """The labels that a learner wanted, and what it makes of them; None of one that wants every label."""
    from littlestone.base.traits import Asking

    learner = player.learner
    state = player.state
    if not isinstance(learner, Asking):
        return None
    return {"asked": learner.asked(state), "mistakes_estimated": learner.estimate_mistakes(state)}


def _record_risk(run: "LearnRun") -> dict[str, Any] | None:
    """What the mistakes of the first pass say about new data; nothing if the player had played before."""
    from littlestone.base.printed_numbers import format_up
    from littlestone.certificates.risk import risk

    seen = run.counts.seen
    order = run.counts.order
    if run.played_before or not seen.rounds or run.player.learner.numeric or order is None:
        return None
    who: Literal["played", "served"] = "played" if run.counts.tallies[0][2] is None else "served"
    found = risk(seen.rounds, seen.mistakes, run.options.confidence, order, who)
    about: dict[str, Any] = {"hypotheses": who, "doubt": found.doubt}
    if found.doubt is not None:
        return about | {"words": found.doubt}
    means = _bound_means(run)
    words = str(found).replace("\n", " ")
    if means["log_loss"]:
        charged = f"at most {format_up(means['log_loss'][1], 4)}, a round charged with no more than ln 1000"
        words += f"; with the same confidence their log-loss is {charged}"
    return about | {"average": float(found.average), "voted": float(found.voted), "words": words} | means


def _bound_means(run: "LearnRun") -> dict[str, Any]:
    """Between what log-loss, Brier score, precision, recall and F1 of the hypotheses lie on average, each by itself."""
    from littlestone.game.metrics import judge_classes

    seen = run.counts.seen
    missing = 1 - run.options.confidence
    sums = seen.forecasts and {"log_loss": seen.forecasts.charged, "brier": seen.forecasts.brier}
    means: dict[str, Any] = {"log_loss": None, "brier": None}
    means |= {name: one.bound(missing) if one and one.rounds else None for name, one in (sums or {}).items()}
    classes = judge_classes(seen, run.player.labels.names, missing)
    return means | {"classes": [{"class": one.label} | _list_ends(one) for one in classes]}


def _list_ends(one: Any) -> dict[str, Any]:
    """The intervals of a class; None where there is none."""
    found = {name: getattr(one, name) for name in ("precision", "recall", "f1")}
    return {name: None if share is None or share.low is None else share[1:] for name, share in found.items()}


def _record_snapshot(run: "LearnRun") -> dict[str, Any] | None:
    """The copy of the player that was frozen on the way and judged best; None if none was asked for."""
    if run.snapshots is None:
        return None
    best = run.snapshots.best
    doubt = run.snapshots.doubt
    about: dict[str, Any] = {"doubt": doubt, "words": str(run.snapshots)}
    if best is None or doubt is not None:
        return about
    counts = {name: getattr(best, name) for name in ("frozen", "rounds", "mistakes")}
    return about | counts | {"bound": float(best.bound), "saved": run.options.model is not None}


def _record_order(run: "LearnRun") -> dict[str, Any] | None:
    """Whether the order of the rounds mattered, so that nothing follows for new data; None if that was not asked."""
    if not run.options.check_order or run.first_game is None:
        return None
    found = run.first_game.drift()
    return {"matters": bool(found), "chance": found.chance, "words": str(found)}


def _record_certificate(run: "LearnRun") -> dict[str, Any] | None:
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
    run.options.write_certificate(certificate)
    return describe_certificate(certificate)


def describe_certificate(certificate: Any) -> dict[str, Any]:
    """A certificate as JSON shows it, and in words."""
    from littlestone.base.printed_numbers import compare

    record: dict[str, Any] = json.loads(certificate.to_json())
    counted = certificate.counted
    bound = certificate.bound
    whole = isinstance(counted, int) and isinstance(bound, int)
    words = f"{counted:,} {certificate.counts} <= {bound:,}" if whole else compare(counted, certificate.counts, bound)
    return record | {"counted": counted, "words": words, "explains": certificate.explains}
