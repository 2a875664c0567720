"""One run of `learn`: who plays what, what is watched, and what is left behind."""

import json
import shlex
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from littlestone.cli.commands.data import features_for, learner_named, opened, plain

REASONS = 10  # attributes that the journal names for a mistake


class Run:
    """One run of `learn`: who plays what, what is watched, and what is left behind."""

    def __init__(self, data: tuple[str, ...], given: dict[str, Any]) -> None:
        from littlestone.base.errors import require
        from littlestone.base.files import require_writable
        from littlestone.game.evaluation import Evaluation

        self.data, self.given, self.model = data, given, given["model"]
        require(not given["resume"] or self.model, "--resume needs --model, the model to go on with")
        require(not given["checkpoint"] or self.model, "--checkpoint needs --model, where to save")
        for name in ("model", "predictions", "journal", "report"):
            require_writable(given[name])
        self.stream = opened(data, given)
        self.seen, self.held = Evaluation(), Evaluation()
        self.tallies: list[list[int]] = []  # of each pass: rounds and mistakes
        self.position, self.saved, self.nonzeros = 0, 0, 0  # rounds of this pass that are done, and those saved
        self.player = self._resumed() if given["resume"] else self._fresh()
        self.played_before = self.player.tally.rounds - sum(rounds for rounds, _ in self.tallies)
        self.first: Any = None  # the game of the first pass
        self.stopped_by = 0
        self.stopping = self._until() if given["until_error"] else None

    def _until(self) -> Any:
        """What says when to stop reading: once the hypothesis that plays is certified."""
        from littlestone.base.errors import require
        from littlestone.base.learner import Learner
        from littlestone.certificates.stopping import Stopping

        given = self.given
        require(given["passes"] == 1, "--until-error speaks of rounds that are new: leave out --passes")
        require(not given["resume"], "--until-error counts from the first round: leave out --resume")
        kind = type(self.player.learner)
        same = kind.readout is Learner.readout
        require(same, f"{kind.__name__} plays with one hypothesis and reports another: --learner perceptron does not")
        return Stopping(given["until_error"], given["confidence"])

    def _fresh(self) -> Any:
        from littlestone.game.player import Player

        named, settings = self.given["learner"], self.given["settings"]
        if named is None and (settings or self.given["until_error"]):
            named = "perceptron" if self.given["until_error"] else "averaged-perceptron"
        learner = None if named is None else learner_named(named, settings)
        features = features_for(self.stream, self.given["bits"])
        return Player(learner, features, self.stream.classes(), self.given["seed"])

    def _resumed(self) -> Any:
        """The player of the model; if it stopped within these data, its place in them and what it had counted."""
        from littlestone.base.errors import require
        from littlestone.game.evaluation import Evaluation
        from littlestone.game.model import read

        asked = self.given["learner"] or self.given["settings"] or self.given["bits"]
        require(not asked, "a resumed run keeps the model's learner: leave out --learner, --set and --bits")
        player, about = read(self.model)
        place = about.get("run")
        if place and place["source"] == self._source():  # one that is finished has nothing left to do
            self.tallies, self.position, self.nonzeros = place["tallies"], place["position"], place["nonzeros"]
            self.saved = self.position
            self.seen, self.held = (Evaluation.restored(place[name]) for name in ("seen", "held"))
        return player

    def _source(self) -> dict[str, Any]:
        """What must be the same for a run to be the same."""
        kept = ("passes", "shuffle_buffer", "holdout", "seed", "kind", "label", "on_error")
        local = [None if part.path is None else part.path.stat() for part in self.stream.files]
        stamps = [None if file is None else [file.st_size, file.st_mtime_ns] for file in local]
        lists = {"data": list(self.data), "stamps": stamps, "cross": list(self.given["cross"])}  # as JSON has them
        return lists | {name: self.given[name] for name in kept}

    def play(self) -> dict[str, Any]:
        """Play every pass; the record of the run."""
        from littlestone.game.play import play

        started = time.perf_counter()
        with ExitStack() as stack:
            self._catch_signals(stack)
            self.predictions = self._file(stack, self.given["predictions"])
            self.journal = self._file(stack, self.given["journal"])
            while not self._over():
                if not self.position:
                    self.tallies.append([0, 0])
                self._pass()
        if self.first is None:  # all of it was learned before
            self.first = play(self.player, self.stream, rounds=0)
        seconds = time.perf_counter() - started
        if self.model:
            self._save()
        return self._record(seconds)

    def _over(self) -> bool:
        done = len(self.tallies) == self.given["passes"] and not self.position
        return bool(done or self.stopped_by or (self.stopping and self.stopping.done))

    def _pass(self) -> None:
        """What is left of a pass."""
        from littlestone.environments.derived import Paced
        from littlestone.game.play import play

        stream = self._stream(len(self.tallies) - 1, self.position, Paced)
        shown = not self.given["quiet"]
        game = play(self.player, stream, progress=shown, watch=self._watch, traced=self.stopping is not None)
        self.first = game if self.first is None else self.first
        if not self.stopped_by:
            self.position = self.saved = 0

    def _stream(self, number: int, first: int = 0, paced: Any = None) -> Any:
        """The rounds of a pass after the first so many: as they are played, or, not paced, to be read again."""
        from littlestone.environments.derived import After, Cut, HeldOut, Shuffled
        from littlestone.game.evaluation import following

        every, holdout, window = (self.given[name] for name in ("checkpoint", "holdout", "shuffle_buffer"))
        stream = Shuffled(self.stream, window, self.given["seed"] + number) if window else self.stream
        stream = After(stream, first) if first else stream
        if paced:
            every = 1 if self.given["journal"] else every
            stream = Cut(stream, lambda t: (t // every + 1) * every, first) if every else stream
            stream = paced(stream, self._before if self.given["journal"] else None, self._after)
        stream = HeldOut(stream, holdout, self._judge if paced else lambda chunk: None, first) if holdout else stream
        if not paced:
            return stream
        stopping = self.stopping  # its pieces end no later than a stage can, so that it stops at the very round
        pieces = following if stopping is None else lambda t: min(following(t), t + stopping.needed)
        return paced(Cut(stream, pieces, self.seen.rounds if number == 0 else 0), self._meter, lambda piece: False)

    def _watch(self, game: Any, guesses: Any, codes: Any) -> bool | None:
        """Rounds were played: count them, and write down what was guessed."""
        if len(self.tallies) == 1:
            self.seen.watch(game, guesses, codes)
        self.tallies[-1][0] += len(codes)
        self.tallies[-1][1] += int((guesses != codes).sum())
        self.guess = self.player.labels.name(int(guesses[-1])) if guesses[-1] >= 0 else None
        if self.predictions is not None:
            names = self.player.labels.name
            self.predictions.writelines(f"{'' if one < 0 else names(one)}\n" for one in guesses.tolist())
        if self.stopping is not None:
            self.stopping.feed((guesses != codes) | (game.moved > 0))
            return bool(self.stopping.done)
        return None

    def _judge(self, chunk: Any) -> None:
        """Predict rounds that are held out, and count whether that was right; a class not yet met is a mistake."""
        import numpy as np

        known, new = self.player.labels.known, len(self.player.labels)
        guesses = [known(guess) for guess in self.player.predictions(chunk)]
        codes = [known(label) for label in chunk.labels.tolist()]
        self.held.add(
            np.array([-1 if guess is None else guess for guess in guesses]),
            np.array([new if code is None else code for code in codes]),
        )

    def _meter(self, chunk: Any) -> None:
        """Count the entries of rounds that come next."""
        if hasattr(chunk, "indptr"):
            self.nonzeros += int(chunk.indptr[-1] - chunk.indptr[0])

    def _before(self, chunk: Any) -> None:
        """For the journal: what the player thinks of a round before it is played."""
        from littlestone.base.errors import LittlestoneError

        self.mistakes_before, self.thought = self.player.tally.mistakes, None
        try:
            self.thought = self.player.explain(chunk[0], top=REASONS)
        except (LittlestoneError, NotImplementedError):
            pass  # a learner without weights has no reasons to write down

    def _after(self, chunk: Any) -> bool:
        """A piece of the stream is learned and counted: the moment to save, and to stop if somebody asked for it."""
        self.position += len(chunk)
        if self.journal is not None and self.player.tally.mistakes > self.mistakes_before:
            line = {"round": self.tallies[-1][0], "guess": self.guess, "label": chunk.labels[0]}
            line |= {} if self.thought is None else json.loads(self.thought.to_json())
            self.journal.write(json.dumps(line, default=plain) + "\n")
        every = self.given["checkpoint"]
        if every and self.position - self.saved >= every:
            self._save()
            self.saved = self.position
        return bool(self.stopped_by)

    def _save(self) -> None:
        """The model, with this run's place in its data, so that it can go on where it stopped."""
        place = {
            "source": self._source(),
            "tallies": self.tallies,
            "position": self.position,
            "nonzeros": self.nonzeros,
            "finished": len(self.tallies) == self.given["passes"] and not self.position,
            "seen": self.seen.record(),
            "held": self.held.record(),
        }
        self.player.save(self.model, {"run": place})

    def _catch_signals(self, stack: ExitStack) -> None:
        """The first Ctrl-C or SIGTERM ends the game after the piece that is being learned; a second one ends all."""

        def stop(number: int, frame: Any) -> None:
            if self.stopped_by:
                raise KeyboardInterrupt
            self.stopped_by = number

        for number in (signal.SIGINT, signal.SIGTERM):
            stack.callback(signal.signal, number, signal.signal(number, stop))

    def farewell(self) -> str:
        """What to tell whoever stopped the run."""
        where = f"stopped after {self.position:,} rounds of pass {len(self.tallies)}"
        if not self.model:
            return f"{where}; nothing is kept without --model"
        again = [word for word in sys.argv[1:] if word != "--resume"]
        return f"{where}, saved in {self.model}; go on with: littlestone {shlex.join([*again, '--resume'])}"

    def _file(self, stack: ExitStack, path: str | None) -> TextIO | None:
        return stack.enter_context(Path(path).open("w", encoding="utf-8")) if path else None

    def _record(self, seconds: float) -> dict[str, Any]:
        """Everything there is to say about the run."""
        player, seen, tally = self.player, self.seen, self.player.tally
        rounds, mistakes = (sum(pair[k] for pair in self.tallies) for k in (0, 1))
        names = player.labels.names
        return {
            "learner": str(player.learner),
            "data": str(self.stream),
            "rounds": rounds,
            "mistakes": mistakes,
            "updates": tally.updates,
            "mistake_rate": mistakes / max(1, rounds),
            "classes": [name for name in names if name is not None],
            "attributes": player.features.width,
            "nonzeros": self.nonzeros,
            "seconds": seconds,
            "model": self.model,
            "stopped": bool(self.stopped_by),
            "skipped": self.stream.skipped.count,
            "passes": [{"rounds": pair[0], "mistakes": pair[1]} for pair in self.tallies],
            "progressive": _judged(seen, names),
            "holdout": _judged(self.held, names) if self.given["holdout"] else None,
            "risk": self._risk(),
            "order": self._order(),
            "until": None
            if self.stopping is None
            else {
                "certified": self.stopping.done,
                "examples": self.stopping.examples,
                "error": float(self.stopping.certified),
                "confidence": self.stopping.confidence,
                "words": str(self.stopping),
            },
            "certificate": self._certificate(),
        }

    def _risk(self) -> dict[str, Any] | None:
        """What the mistakes of the first pass say about new data; nothing if the player had played before."""
        from littlestone.certificates.risk import risk

        if self.played_before or not self.seen.rounds or self.player.learner.numeric:
            return None
        found = risk(self.seen.rounds, self.seen.mistakes, self.given["confidence"])
        return {"average": float(found.average), "voted": float(found.voted), "words": str(found).replace("\n", " ")}

    def _order(self) -> dict[str, Any] | None:
        """Whether the order of the rounds mattered, so that nothing follows for new data; None if nobody asked."""
        if not self.given["check_order"]:
            return None
        found = self.first.drift()
        return {"matters": bool(found), "chance": found.chance, "words": str(found)}

    def _certificate(self) -> dict[str, Any] | None:
        """The certificate that was asked for, about every round this player has played."""
        if not self.given["certify"]:
            return None
        from littlestone.base.errors import NotCertified, require
        from littlestone.environments.derived import Joined
        from littlestone.game.certify import certify

        whole = not self.played_before
        require(whole, "the model had played other rounds before these: certify speaks of all of them", NotCertified)
        passes = [self._stream(number) for number in range(len(self.tallies))]
        certificate = certify(self.player, Joined(passes))
        record: dict[str, Any] = json.loads(certificate.to_json())
        return record | {"counted": certificate.counted}


def _judged(seen: Any, names: list[Any]) -> dict[str, Any]:
    """An evaluation, as the summary and JSON show it."""
    return {
        "rounds": seen.rounds,
        "mistakes": seen.mistakes,
        "mistake_rate": seen.rate,
        "recent_rate": seen.recent,
        "balanced_error": seen.balanced_error,
        "log_loss": seen.log_loss,
        "auc": seen.auc,
        "classes": seen.table(names),
        "confusion": seen.confusion.tolist(),
    }
