"""What `learn --league` does: learners and models of many kinds play side by side, and a mixture of them is served."""

import json
import sys
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, TextIO

import click

from littlestone.base.bound import Certificate
from littlestone.base.environment import cut_chunks
from littlestone.base.errors import LittlestoneError, NotCertified, require
from littlestone.base.files import require_outputs
from littlestone.base.learner import UNLIMITED
from littlestone.base.printed_numbers import format_down, format_up
from littlestone.base.printed_text import find_terminal, quote, quote_word
from littlestone.certificates.risk import LabelOrder, risk
from littlestone.cli import echo_json
from littlestone.cli.commands.resume import (
    MetRounds,
    find_met,
    is_stamped,
    measure_lines,
    open_lines,
    tell_partial,
    write_guesses,
)
from littlestone.cli.commands.summary import count_met, format_summary, list_facts
from littlestone.cli.league_members import DEFAULT, name_again, read_members
from littlestone.cli.signals import Signals
from littlestone.compiled import CompileClock
from littlestone.environments.derived import After
from littlestone.game.evaluation import Curve, Evaluation
from littlestone.game.forecast_counts import ForecastCounts
from littlestone.game.league.foreign import ForeignMember
from littlestone.game.league.league import League
from littlestone.game.league.saving import read_league

if TYPE_CHECKING:
    from littlestone.cli.commands.learn import LearnOptions

ONE_LEARNER = ("learner", "settings", "shuffle_buffer", "holdout", "until_error", "check_order", "snapshots",
               "mistakes", "served", "class_weights")  # fmt: skip
SHOWN = 30  # members of the table, those with most weight first


class LeagueRun:
    """One run of `learn --league`: one loop that plays, counts, shows, writes and saves.

    Args:
        options: What was typed.
    """

    def __init__(self, options: "LearnOptions") -> None:
        for name in ONE_LEARNER:
            told = f"--{'set' if name == 'settings' else name.replace('_', '-')} is about one learner"
            require(not getattr(options, name), f"{told}: leave it out with --league")
        require(options.task != "regression", "a league is for classes: leave out --task regression")
        require(options.passes == 1, "a league plays every round once: leave out --passes")
        require(not options.resume or bool(options.model), "--resume needs --model, the league to go on with")
        require(not options.checkpoint or bool(options.model), "--checkpoint needs --model, where to save")
        require_outputs(options.outputs, options.data)
        self.options, self._signals = options, Signals()
        again = options.certify or options.report or options.resume
        again = again or options.league == DEFAULT  # whose pool is chosen by the first rows
        self.stream: Any = options.open(options.data, quiet=options.quiet, once=not again)
        self.stream.many_classes = options.many_classes
        self.seen, self.order, self.nonzeros, self.first = Evaluation(), LabelOrder(), 0, 0
        self.curve = Curve()
        self._lines: TextIO | None = None  # of predictions
        self._met = MetRounds()
        self._written: int | None = None  # bytes of them when the model was saved
        self.league = self._resume() if options.resume else self._start()
        self.before = self.league.rounds - self.first
        self.stream.known = self.league.labels

    def _start(self) -> League:
        """A league that has played no round."""
        members = read_members(self.options.league or DEFAULT, self.stream, self.options)
        options = self.options
        features = self.options.make_features(self.stream)
        known = self.stream.classes()
        league = League(members, features=features, classes=known, seed=options.seed, keep=options.certify)
        league.insists = options.task == "classification"
        return league

    def _resume(self) -> League:
        """The league of the model, and its place in these data if it was stopped within them."""
        assert self.options.model is not None
        require(not self.options.bits, "a resumed league keeps what it reads attributes with: leave out --bits")
        own, foreign = name_again(self.options.league or DEFAULT)
        league, about = read_league(self.options.model, foreign)
        unknown = sorted(own - {one.name for one in league.members})
        told = f"a resumed league keeps its members, and has no {', '.join(unknown)}: leave out names of learners"
        require(not unknown, told)
        if foreign and not self.options.quiet:
            click.echo(f"littlestone: no file holds what {', '.join(foreign)} learned: starts afresh", err=True)
        place: Any = about.get("run")
        if place and self._has_met(league, place):
            self.first, self.nonzeros, self._written = place["rounds"], place["nonzeros"], place.get("lines")
            self.seen, self.order = Evaluation.from_record(place["seen"]), LabelOrder.from_record(place["order"])
        return league

    def _has_met(self, league: League, place: dict[str, Any]) -> bool:
        """Whether the data begin with the rounds that the league's run has met, so that it goes on after them."""
        if "met" not in place:  # an earlier version kept names and times
            return is_stamped(place, self.stream, self.options.data)
        if not place["met"]:
            return False
        met, words = find_met(league, self.stream, place, self.options.data)
        if not self.options.quiet:
            click.echo(f"littlestone: {words}", err=True)
        self._met = met or MetRounds()
        return met is not None

    def play(self) -> float:
        """Play all rounds that are left; the seconds it took, those of compiling left out."""
        options = self.options
        started = time.perf_counter()
        saved = self.seen.rounds
        stream: Any = After(self.stream, self.first) if self.first else self.stream
        self.league.start_for(stream)
        with ExitStack() as stack, CompileClock() as clock, LiveTable(self, not options.quiet) as table:
            self._signals.listen(stack)
            tell_partial(stack, options.predictions)
            lines = open_lines(options.predictions, options.resume, self._written)
            self._lines = predictions = None if lines is None else stack.enter_context(lines)
            chunks = self._signals.read(stack.enter_context(closing(stream.chunks())))
            every = options.checkpoint or UNLIMITED
            for chunk in cut_chunks(chunks, lambda t: t + every):
                for played in self.league.play_chunk(chunk):
                    self._count(played)
                    if predictions:
                        predictions.write(write_guesses(played, played.guesses, self.league.labels))
                    if options.checkpoint and self.seen.rounds - saved >= options.checkpoint:
                        self.save(finished=False)
                        saved = self.seen.rounds
                    table.refresh()
                    if self._signals.number:
                        break
                if self._signals.number:
                    break
            if options.model:
                self.save(finished=not self.stopped_by)
        return max(time.perf_counter() - started - clock.seconds, 1e-6)

    def _count(self, played: Any) -> None:
        """Count rounds that were played."""
        if self.options.model:
            self._met.add(played.seen)
        self.seen.add(played.judge(played.guesses), played.labels, self.league.labels)
        self.curve.extend(played.guesses != played.labels)
        self.seen.forecasts = self.seen.forecasts or ForecastCounts()
        self.seen.forecasts.add(played.chances, played.labels, self.seen.classes <= 2)
        self.order.add(played.labels)
        self.nonzeros += played.entries

    @property
    def stopped_by(self) -> int:
        """The number of the signal that ended the run; 0 if none did."""
        return self._signals.number

    def save(self, finished: bool) -> None:
        """Save the league, with this run's place in its data, which is the end of them if it has `finished`."""
        place = {
            "source": {},
            "met": self._met.to_record(),
            **({} if self.stream.ended else {"unended": True}),
            "rounds": self.seen.rounds,
            "nonzeros": self.nonzeros,
            "finished": finished,
            "lines": measure_lines(self._lines),
            "seen": self.seen.to_record(whole=not finished),
            "order": self.order.to_record(),
        }
        assert self.options.model is not None
        self.league.save(self.options.model, {"run": place})

    def certify(self) -> list[Certificate]:
        """The certificates about all rounds, the first of which is written where that was asked for."""
        from littlestone.game.league.certify import certify_replayed, play_again

        told = "the league had played other rounds before these: a certificate speaks of all of them"
        require(not self.before, told, NotCertified)
        played = play_again(self.league, self.stream)
        certificates = [certify_replayed(played, kind) for kind in ("log loss", "mistakes", "choices", "mixtures")]
        self.options.write_certificate(certificates[0])
        return certificates

    def make_record(self, seconds: float) -> dict[str, Any]:
        """Everything there is to say about the run, as JSON shows it."""
        league = self.league
        options = self.options
        seen = self.seen
        names = league.labels.names
        standings = sorted(league.standings(), key=lambda one: -one.weight)
        found = risk(seen.rounds, seen.mistakes, options.confidence, self.order, "served") if seen.rounds else None
        told = None if found is None or self.before else {"words": str(found).replace("\n", " "), "doubt": found.doubt}
        return {
            "task": "classification",
            "learner": f"League of {len(league.members)} members",
            "chosen": False,
            "data": str(self.stream),
            "rounds": seen.rounds,
            "mistakes": seen.mistakes,
            "mistakes_of": "what was served",
            "mistakes_played": seen.mistakes,
            "serves_apart": False,
            "updates": league.tally.updates,
            "mistake_rate": seen.rate,
            "classes": [name for name in names if name is not None],
            "attributes": 0 if league.features is None else count_met(league.features),
            "nonzeros": self.nonzeros,
            "seconds": seconds,
            "model": options.model,
            "stopped": bool(self.stopped_by),
            "skipped": self.stream.skipped.count,
            "words_as_missing": self.stream.skipped.words,
            "passes": [{"rounds": seen.rounds, "mistakes": seen.mistakes, "mistakes_played": seen.mistakes}],
            "progressive": seen.summarize(names),
            "holdout": None,
            "risk": told,
            "order": None,
            "until": None,
            "snapshot": None,
            "certificate": None,
            "labels": None,
            "coins": league.coins,
            "log_loss": league.log_loss,
            "members": [one._asdict() for one in standings],
        }


class LiveTable:
    """The members' standings on a terminal while a league plays.

    Args:
        run: The run whose league is shown.
        wanted: Whether to show it, if standard error is a terminal.
    """

    def __init__(self, run: LeagueRun, wanted: bool) -> None:
        self._run = run
        self._live = None
        self._due = 0.0
        if wanted:
            from rich.console import Console
            from rich.live import Live

            console = Console(file=find_terminal(sys.stderr))
            if console.is_terminal:
                self._live = Live(console=console, transient=True, auto_refresh=False)

    def __enter__(self) -> "LiveTable":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def refresh(self) -> None:
        """Show how members stand now, a few times a second."""
        if self._live is not None and time.perf_counter() >= self._due:
            from rich.text import Text

            self._live.update(Text(format_members(self._run.make_record(0.0))), refresh=True)
            self._due = time.perf_counter() + 0.25


def format_members(record: dict[str, Any]) -> str:
    """The standings of a league's members as a table, the league itself first."""
    lines = [f"{'mistakes':>12}  {'log-loss':>12}  {'weight':>7}  member"]
    charged = f"{record['log_loss']:,.1f}"
    lines.append(f"{record['mistakes']:>12,}  {charged:>12}  {'':>7}  the league")
    for one in record["members"][:SHOWN]:
        asleep = f", asleep in {one['slept']:,} rounds" if one["slept"] else ""
        excuse = f" ({one['excuse']})" if one["excuse"] else ""
        loss = f"{one['log_loss']:,.1f}"
        name = quote(f"{one['name']}")
        lines.append(f"{one['mistakes']:>12,}  {loss:>12}  {one['weight']:>7.1%}  {name}{asleep}{excuse}")
    more = len(record["members"]) - SHOWN
    return "\n".join(lines + ([f"and {more} more"] if more > 0 else []))


def say_floors(choices: Certificate, mixtures: Certificate) -> str:
    """What members cannot go below, in words."""
    few = choices.counted
    least = format_down(mixtures.counted, 6)
    known = format_up(mixtures.bound, 6)
    followed = (
        f"no choice of a member in each round has fewer than {few:,} mistakes, the best member has {choices.bound:,}"
    )
    return (
        f"floors: {followed};\n        no fixed mixture of readings loses less than {least}, one with {known} is known"
    )


def learn_league(options: "LearnOptions", as_json: bool) -> None:
    """Play a league on the data, and say what came of it."""
    from littlestone.cli.commands.learn import describe_certificate

    run = LeagueRun(options)
    seconds = run.play()
    record = run.make_record(seconds)
    certificates = list[Certificate]()
    problem = None
    if options.certify:
        try:
            certificates = run.certify()
        except LittlestoneError as found:
            problem = found
            record["uncertified"] = str(found)
        else:
            record["certificate"] = describe_certificate(certificates[0])
            record["certificates"] = [json.loads(one.to_json()) for one in certificates]
            record["floors"] = say_floors(*certificates[2:])
    foreign = [one.name for one in run.league.members if isinstance(one, ForeignMember)]
    if foreign and options.model and not options.quiet:
        kept = f"what {', '.join(foreign)} learned is not kept in {quote(options.model)}"
        click.echo(f"littlestone: {kept}: predict --members {','.join(foreign)} predicts without it", err=True)
    if as_json:
        echo_json(record)
    elif not options.quiet:
        click.echo(f"{format_summary(record)}\n\n{format_members(record)}")
        for one in certificates[:2]:
            click.echo(f"\n{one}")
        if certificates:
            click.echo(f"\n{record['floors']}")
    if options.plot:
        from littlestone.plot import league as draw
        from littlestone.plot import save

        save(draw(run.league).figure, options.plot, 150)
    if options.report:
        from littlestone.plot.report import write_league_report

        about = record | {"facts": list_facts(record), "proved": certificates}
        write_league_report(options.report, run.league, run.curve, run.stream, about)
    if problem is not None:
        raise problem
    if run.stopped_by:
        kept = "nothing is kept without --model"
        if options.model:
            again = " ".join(map(quote_word, [*(word for word in sys.argv[1:] if word != "--resume"), "--resume"]))
            kept = f"saved in {quote(options.model)}; go on with: littlestone {again}"
        click.echo(f"stopped after {run.seen.rounds:,} rounds; {kept}", err=True)
        sys.exit(128 + run.stopped_by)
