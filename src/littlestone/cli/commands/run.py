"""One run of `learn`: one loop that consumes the events of the passes, and what it leaves behind."""

import json
import sys
import time
from contextlib import ExitStack, closing, nullcontext, suppress
from typing import Any, TextIO

import click

from littlestone.base.chunks import Array
from littlestone.base.errors import LittlestoneError, require
from littlestone.base.files import require_outputs
from littlestone.base.learner import Learner
from littlestone.base.printed_text import quote, quote_word
from littlestone.certificates.risk import LabelOrder
from littlestone.cli import to_plain
from littlestone.cli.commands.learn import LearnOptions
from littlestone.cli.commands.passes import derive_pass, read_class_weights, require_labels, require_weighable
from littlestone.cli.commands.resume import (
    MetRounds,
    RunCounts,
    find_met,
    is_stamped,
    measure_lines,
    open_lines,
    show_lines,
    tell_partial,
    write_guesses,
)
from littlestone.cli.commands.tasks import require_task, start_counts, start_player
from littlestone.cli.signals import Signals
from littlestone.compiled import CompileClock
from littlestone.game.evaluation import find_next_fit
from littlestone.game.game import Coming, Ended, Game, keep_tally, play_events, show_progress, start_game
from littlestone.game.model import read as load_model
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player
from littlestone.game.refusal import refuse_other_rounds

REASONS = 10  # attributes that are written beside a mistake
ADDED = {"served": False, "class_weights": None}  # new among options
SAME_RUN = ("passes", "shuffle_buffer", "holdout", "seed", *ADDED)  # kept to by a run


class LearnRun:
    """One run of `learn`: one loop that consumes what happens while the passes are played."""

    def __init__(self, options: LearnOptions) -> None:
        require(not options.resume or bool(options.model), "--resume needs --model, the model to go on with")
        require(not options.checkpoint or bool(options.model), "--checkpoint needs --model, where to save")
        require_outputs(options.outputs, options.data)
        self.options = options
        again = options.passes > 1 or options.certify or options.check_order or options.report or options.resume
        kept = load_model(options.model, int(options.memory * 2**30)) if options.resume and options.model else None
        self.stream: Any = options.open(options.data, quiet=options.quiet, once=not again, like=kept and kept.player)
        self.counts, self._met, self.weights = RunCounts(), MetRounds(), read_class_weights(options.class_weights)
        self._lines: dict[str, TextIO | None] = {}
        self._written: dict[str, Any] = {}
        self.player: Player = self._resume(*kept) if kept else self._start()
        self.stream.many_classes = options.many_classes or self.player.learner.numeric
        self.stream.known = self.player.labels
        self.player.memory = int(options.memory * 2**30)
        require_weighable(self.weights, self.player.learner)
        self.counted_before = sum(tally[0] for tally in self.counts.tallies)
        self.played_before = self.player.tally.rounds - self.counted_before
        self._counts_changes = False  # whether the end depends on the rounds that changed the hypothesis
        self.stopping = self._make_stopping() if options.until_error else None
        self.snapshots = self._make_snapshots() if options.snapshots else None
        self.first_game: Game | None = None
        self._signals = Signals()

    def _start(self) -> Player:
        """A player that has learned nothing yet."""
        player = start_player(self.options, self.stream)
        self.counts = start_counts(self.options, player.learner)
        return player

    def _resume(self, player: Player, about: dict[str, Any]) -> Player:
        """The player of the model; if it stopped within these data, take up its place in them and its counts."""
        options = self.options
        asked = options.learner or options.settings or options.bits
        require(not asked, "a resumed run keeps the model's learner: leave out --learner, --set and --bits")
        require_task(options.task, player.learner)
        self.counts = start_counts(options, player.learner)
        place: Any = about.get("run")
        self._written = (place or {}).get("written", {})
        if place and self._is_same_run(place) and self._has_met(player, place):
            seen, held = (type(self.counts.seen).from_record(place[name]) for name in ("seen", "held"))
            order = LabelOrder.from_record(place["order"]) if "order" in place else None
            tallies = [[*tally, None][:3] for tally in place["tallies"]]  # runs of old counted two things
            length = place.get("length", 0)
            position = length if "met" in place and place["finished"] else place["position"]
            self.counts = RunCounts(seen, held, order, tallies, position, length, place["nonzeros"])
        return player

    def _is_same_run(self, place: dict[str, Any]) -> bool:
        """Whether the options are those of the run that the model keeps its place of; if not, say which are others."""
        asked = self._describe_source()
        before = ADDED | place["source"]
        changed = [f"--{name.replace('_', '-')}" for name in SAME_RUN if before[name] != asked[name]]
        if changed:
            self._say(f"the model's last run had another {', '.join(changed)}: all rounds are learned as new ones")
        return not changed

    def _has_met(self, player: Player, place: dict[str, Any]) -> bool:
        """Whether the data begin with the rounds that the model's run has met, so that it goes on after them."""
        if "met" not in place:
            known = is_stamped(place, self.stream, self.options.data)
            self._say(
                f"an earlier version saved the model: the data are {'known' if known else 'new'} by name and time"
            )
            return known
        if not place["met"]:
            return False
        met, words = find_met(player, self.open_pass(len(place["tallies"]) - 1), place, self.options.data)
        self._say(words)
        self._met = met or MetRounds()
        return met is not None

    def _say(self, words: str) -> None:
        if not self.options.quiet:
            click.echo(f"littlestone: {words}", err=True)

    def _describe_source(self) -> dict[str, Any]:
        """What must be the same for a run to be the same, beside the rounds."""
        return {name: getattr(self.options, name) for name in SAME_RUN}

    def _make_stopping(self) -> Any:
        """What says when to stop reading: once the hypothesis that plays is certified, or those that served are."""
        from littlestone.certificates.stopping import ServedStopping, Stopping

        options = self.options
        learner = self.player.learner
        assert options.until_error is not None
        require(options.passes == 1, "--until-error speaks of rounds that are new: leave out --passes")
        require(not options.resume, "--until-error counts from the first round: leave out --resume")
        if learner.forecasts or learner.serves_apart is True:  # what is served is counted, and may change in any round
            return ServedStopping(options.until_error, options.confidence)
        kind = type(learner)
        same = kind.readout is Learner.readout
        told = f"{kind.__name__} plays with one hypothesis and reports another, which is not counted in every round"
        require(same, f"{told}: leave out --learner, or take --learner perceptron")
        self._counts_changes = True
        return Stopping(options.until_error, options.confidence)

    def _make_snapshots(self) -> Any:
        """What freezes copies of the player on the way and judges them by later rounds."""
        from littlestone.game.snapshots import Snapshots

        options = self.options
        alone = options.passes == 1 and not (options.resume or options.checkpoint or options.holdout)
        require(alone, "--snapshots is about one pass: leave out --passes, --resume, --checkpoint and --holdout")
        assert self.counts.order is not None
        return Snapshots(self.player, self.counts.order, options.confidence)

    def play(self) -> float:
        """Play every pass that is left, and save the model; the seconds it took, those of compiling left out."""
        started = time.perf_counter()
        options = self.options
        counts = self.counts
        with ExitStack() as stack, CompileClock() as clock:
            self._signals.listen(stack)
            for name in ("predictions", "mistakes"):
                tell_partial(stack, getattr(options, name))
                file = open_lines(getattr(options, name), options.resume, self._written.get(name))
                self._lines[name] = file if file is None else stack.enter_context(file)
            while not self._is_over:
                if not counts.position:
                    counts.tallies.append([0, 0, 0])
                    self._met = MetRounds()
                self._play_pass(self._lines["predictions"], self._lines["mistakes"])
            if self.stopped_by and not counts.position and counts.tallies[-1:] == [[0, 0, 0]]:
                del counts.tallies[-1]  # this pass is still to come
            require_labels(self.weights, self.player, bool(self.stopped_by))
            if self.first_game is None:  # all of it was learned before
                self.first_game = start_game(self.player, self.stream)
            seconds = max(time.perf_counter() - started - clock.seconds, 1e-6)
            if options.model and self.snapshots and self.snapshots.doubt is None:
                self.snapshots.best.player.save(options.model)
            elif options.model:
                self._save()
        return seconds

    @property
    def _is_over(self) -> bool:
        finished = len(self.counts.tallies) == self.options.passes and not self.counts.position
        return bool(finished or self.stopped_by or (self.stopping and self.stopping.done))

    def _play_pass(self, predictions: TextIO | None, mistakes: TextIO | None) -> None:
        """Play what is left of a pass: the one loop that counts, judges, writes, saves and stops."""
        options = self.options
        counts = self.counts
        number = len(self.counts.tallies) - 1
        first = saved = counts.position
        game = start_game(self.player, self.open_pass(number, first))
        reasons = None
        self.first_game = self.first_game or game
        if number == 0 and counts.order is not None:
            game.order = counts.order
        rounds: Any = self.open_pass(number, first, with_held_out=True).chunks()
        if options.resume and not options.force:
            rounds = refuse_other_rounds(self.player, rounds)
        shown = show_progress(not options.quiet, None, self.player)
        with closing(rounds), keep_tally(game), shown or nullcontext():  # a cache half-written goes at once
            asked = (options.holdout or 0, first, self._counts_changes, options.served)
            coming = show_lines(self._signals.read(rounds), (mistakes, predictions))
            for event in play_events(game, coming, self._end_piece, *asked):
                if isinstance(event, Coming):
                    reasons = None
                    with suppress(LittlestoneError, NotImplementedError):  # a learner without weights has no reasons
                        reasons = self.player.explain(event.chunk[0], top=REASONS) if mistakes else None
                    continue
                if isinstance(event, Ended):
                    if self._signals.cut_short:
                        break
                    counts.length = counts.position
                    counts.position = 0
                    break
                counts.position += event.rounds
                if event.held is not None:
                    counts.held.add(event.held.guesses, event.held.labels)
                if len(event.labels):
                    if counts.tallies[-1][2] is None:  # what was served was not counted from the first round on
                        event = event._replace(served=None, scores=None, chances=None, sure=None)
                    answers = event.guesses if event.served is None else event.served
                    self._count(game, event, answers)
                    if options.model:
                        self._met.add(event.seen)
                    if shown:
                        shown.advance(len(event.labels), int((answers != event.labels).sum()))
                    if predictions:
                        predictions.write(write_guesses(event, answers, self.player.labels))
                    if mistakes and answers[0] != event.labels[0]:  # the piece is one round
                        self._write_mistake(mistakes, int(answers[0]), event.chunk.labels[0], reasons)
                if options.checkpoint and counts.position - saved >= options.checkpoint:
                    self._save()
                    saved = counts.position
                if self.stopping and self.stopping.done:
                    counts.position = 0
                if self._is_over:
                    break

    def open_pass(self, number: int, first: int = 0, with_held_out: bool = False) -> Any:
        """The rounds of a pass after the first ones, without those that are held out unless they are asked for."""
        return derive_pass(self.options, self.stream, self.weights, number, first, with_held_out)

    def _end_piece(self, position: int) -> int:
        """Where a piece that begins at a position ends: no later than something is to be done between two rounds."""
        if self.options.mistakes:
            return position + 1
        ends = [sys.maxsize]
        every = self.options.checkpoint
        seen = self.counts.seen.rounds
        if every:
            ends.append((position // every + 1) * every)
        if len(self.counts.tallies) == 1:
            ends.append(position + find_next_fit(seen) - seen)
        if self.stopping:
            ends.append(position + self.stopping.needed)
        if self.snapshots:
            ends.append(position + self.snapshots.due - self.snapshots.rounds)
        return min(ends)

    def _count(self, game: Game, played: PlayedRounds, answers: Array) -> None:
        """Count rounds that were played, and judge what was served in them, or played where that is not known."""
        counts = self.counts
        tally = self.counts.tallies[-1]
        wrong = played.guesses != played.labels
        if len(counts.tallies) == 1:
            counts.seen.watch(game, played.judge(answers), played.labels, played.scores, played.chances, played.sure)
        tally[0] += len(wrong)
        tally[1] += int(wrong.sum())
        tally[2] = None if played.served is None else tally[2] + int((answers != played.labels).sum())
        if self.snapshots:
            self.snapshots.take(played)
        counts.nonzeros += played.entries
        if self.stopping is None:
            return
        if self._counts_changes and played.moved is not None:
            self.stopping.feed(wrong | (played.moved > 0), played.labels)
        else:
            self.stopping.feed(answers != played.labels, played.labels)

    def _write_mistake(self, file: TextIO, code: int, label: Any, reasons: Any) -> None:
        """Write a line about the one round of a piece: a mistake, and what the player had thought of it."""
        guess = self.player.labels.name(code) if code >= 0 else None
        line = {"round": self.counts.tallies[-1][0], "guess": guess, "label": label}
        line |= {} if reasons is None else json.loads(reasons.to_json())
        file.write(json.dumps(line, default=to_plain) + "\n")

    def _save(self) -> None:
        """Save the model, with this run's place in its data, so that it can go on where it stopped."""
        counts = self.counts
        options = self.options
        assert options.model is not None
        finished = len(counts.tallies) == options.passes and not counts.position
        place = {
            "source": self._describe_source(),
            "tallies": counts.tallies,
            "position": counts.position,
            "nonzeros": counts.nonzeros,
            "finished": finished,
            "seen": counts.seen.to_record(whole=not finished),
            "held": counts.held.to_record(),
            **({} if counts.order is None else {"order": counts.order.to_record()}),
            "met": self._met.to_record(),
            "length": counts.length,
            **({} if self.stream.ended else {"unended": True}),
        }
        written = {name: measure_lines(file) for name, file in self._lines.items()}
        if any(size is not None for size in written.values()):
            place["written"] = written
        only = options.predict_only and bool(place["finished"])  # it cannot go on, so it has no place in a run
        self.player.save(options.model, {} if only else {"run": place}, predict_only=only)

    @property
    def stopped_by(self) -> int:
        """The number of the signal that ended the run; 0 if none did."""
        return self._signals.number

    def say_where_it_stopped(self) -> str:
        """What to tell one who stopped the run."""
        where = f"stopped after {self.counts.position:,} rounds of pass {len(self.counts.tallies)}"
        if not self.options.model:
            return f"{where}; nothing is kept without --model"
        again = [word for word in sys.argv[1:] if word != "--resume"]
        words = " ".join(map(quote_word, [*again, "--resume"]))
        return f"{where}, saved in {quote(self.options.model)}; go on with: littlestone {words}"
