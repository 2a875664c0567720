"""Player: a learner at a game, with its state, features, labels and tally.

It is what users hold. It reads instances through its features, labels through its label table, and counts every
round it plays. To learn a whole stream use `play`; only the game loops.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> player = Player(Halving(Thresholds(6)))
>>> player.update(3, True)
>>> player.predict(4), player.tally.mistakes
(True, 1)
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from littlestone.base.bound import Bound, Certificate
from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import LittlestoneError, require
from littlestone.base.features import Indexed
from littlestone.base.features.schema import Schema
from littlestone.base.learner import Learner, Size, copy_state
from littlestone.base.locks import locked
from littlestone.base.telling import say
from littlestone.base.traits import ask_certificate, ask_remaining, list_weights, require_probabilities, require_scores
from littlestone.game.explanation import Explanation, explain_row, name_columns, rank_weights
from littlestone.game.growth import grow_state
from littlestone.game.label_wishes import LabelWishes
from littlestone.game.played_rounds import Ticket, play_weighed
from littlestone.game.refusal import changes_nothing_if_refused
from littlestone.game.turns import Turn

PLAIN = {np.ndarray, tuple, list, dict, str, bytes, int, float}  # that are no Series


class Player(LabelWishes):
    """A learner and everything it has learned.

    Args:
        learner: The rule that it plays by. None: `Logistic()`, for any number of classes.
        features: What turns an instance into what the learner sees. None: what the learner brings along; where that
            numbers attributes and the first instance is a dictionary with names or a text, `Named()` or `Words()`.
        classes: The labels in the order of their class numbers, to declare them before the first round; empty: in
            the order in which they come.
        seed: Feeds the coins of a learner that tosses any.
    """

    schema: Schema | None = None  # what the columns of its first stream are, where that is known

    @changes_nothing_if_refused
    def predict(self, x: Any, ticket: bool = False) -> Any:
        """The label that the player reports for x; nothing changes but, for named attributes, the dictionary.

        With `ticket=True` it comes as the `guess` of a ticket, for a label that arrives later: `update_later`.
        """
        seen = self.ask(x)
        said = self.labels.name(self.learner.readout(self.state, seen))
        if not ticket:
            return said
        return Ticket(said, self, copy_state(seen), self.guess(seen))

    @changes_nothing_if_refused
    def update_later(self, ticket: Ticket, y: Any) -> None:
        """Learn the label of an instance that was guessed before, once; labels are learned in the order they arrive.

        The round counts as a mistake if the hypothesis that plays was wrong when the ticket was given; this is not
        always the one behind `ticket.guess`, which for an averaged learner is the average's. The learner's rule is
        applied to what it knows now, which may have changed since.
        """
        require(isinstance(ticket, Ticket), f"a ticket comes from predict(x, ticket=True), got {ticket!r}")
        require(ticket._player is self, "this ticket was given by another player, or by this one before it was saved")
        require(not ticket._used, f"this ticket was used: every label is learned once; got {y!r} for it again")
        self.learn(ticket._seen, y, ticket._class)
        ticket._used = True

    @changes_nothing_if_refused
    def score(self, x: Any) -> Any:
        """The score behind the guess: positive for the positive class, or one number for each class."""
        seen = self.ask(x)
        return require_scores(self.learner).score(self.state, seen)

    @changes_nothing_if_refused
    def probability(self, x: Any) -> Any:
        """The chance of the positive class, or of each class; no calibration is claimed."""
        seen = self.ask(x)
        return require_probabilities(self.learner).probability(self.state, seen)

    @changes_nothing_if_refused
    def explain(self, x: Any = None, top: int = 20) -> Explanation:
        """The attributes that count most; or, given an instance, those that add most to its score, and the score.

        With two classes a positive weight speaks for the positive one; otherwise each class has weights of its own.
        """
        seen = None if x is None else self.ask(x)
        weights, labels = name_columns(list_weights(self.learner, self.state), self.labels)
        if seen is None:
            found = rank_weights(weights, self.features, labels, top)
        else:
            found = explain_row(weights, seen, self.features, labels, top)
        named = getattr(self.learner, "name_plane", None)  # a mixture says whose weights it shows
        return found if named is None else replace(found, about=named(self.state))

    @changes_nothing_if_refused
    def predictions(self, chunk: Any) -> list[Any]:
        """What `predict` says of each instance of a chunk, or of what `predict_many` takes, whatever its labels."""
        codes = [code for seen in self._see_all(chunk) for code in self.learner.readouts(self.state, seen).tolist()]
        names = {code: self.labels.name(code) for code in set(codes)}
        return [names[code] for code in codes]

    def predict_many(self, source: Any, **options: Any) -> list[Any]:
        """What `predict` says of each instance of a frame, a matrix, a list of instances, a stream or a file.

        Columns are matched by name; labels in a file or stream are neither looked at nor needed. `options` are those of
        `read`, for a file; with `lenient=True` columns that are missing count as 0.
        """
        return [said for chunk in self._open(source, **options) for said in self.predictions(chunk)]

    def _open(self, source: Any, **options: Any) -> Iterator[Chunk]:
        """The chunks of a chunk, a frame, a matrix, a list of instances, a stream or a file."""
        from littlestone.game.sources import open_instances

        if isinstance(source, Chunk):
            yield source
        else:
            yield from open_instances(source, self.schema, **options).chunks()

    @changes_nothing_if_refused
    def scores(self, chunk: Any) -> Array:
        """What `score` says of each instance of a chunk, or of what `predict_many` takes."""
        learner = require_scores(self.learner)
        return np.concatenate([learner.scores(self.state, seen) for seen in self._see_all(chunk)])

    @changes_nothing_if_refused
    def probabilities(self, chunk: Any) -> Array:
        """What `probability` says of each instance of a chunk, or of what `predict_many` takes."""
        learner = require_probabilities(self.learner)
        return np.concatenate([learner.probabilities(self.state, seen) for seen in self._see_all(chunk)])

    @changes_nothing_if_refused
    def say(self, chunk: Chunk) -> Array:
        """All that the learner says of each instance of a chunk, laid out as in `base/telling.py`."""
        parts = [say(self.learner, self.state, seen, len(self.labels)) for seen in self._see_all(chunk)]
        return np.hstack(parts)

    def _see_all(self, source: Any) -> Iterator[Chunk]:
        """What the learner sees of a chunk or its like, rows of one kind and one turn, with room for new attributes."""
        turn = Turn(len(self.labels))
        for chunk in self._open(source):
            done = 0
            while done < len(chunk):
                seen = self.see_chunk(chunk[done:], learned=False)
                done += len(seen)
                first = 0
                while first < len(seen):
                    part = seen[first : first + turn.rounds]
                    first += len(part)
                    turn.begin()
                    yield part
                    turn.note(len(part))

    def update(self, x: Any, y: Any, importance: float = 1.0) -> None:
        """Play one round: guess x, count it against y, learn; what is learned counts `importance` times."""
        with self.lock:
            if not (importance == 1 and type(x) is tuple and len(x) == 2 and self._update_pair(x, y)):
                self._update(x, y, importance)

    def _update_pair(self, x: Any, y: Any) -> bool:
        """Play one round on a pair of arrays, if the learner takes it without another look; whether it did."""
        pair = getattr(self.learner, "pair", None)
        if pair is None or type(self.features) is not Indexed or self._state is None:
            return False
        code = self.labels.find(y)
        guess = -1 if code is None else pair(self._state, x, code, self.features.width)
        if guess < 0:
            return False
        self._rounds += 1
        self._mistakes += guess != code
        return True

    @changes_nothing_if_refused
    def _update(self, x: Any, y: Any, importance: float) -> None:
        self.learn(self.see(x), y, importance=importance)

    @changes_nothing_if_refused
    def see(self, x: Any) -> Any:
        """What the learner sees of an instance that it learns, with room made for attributes it had not met."""
        if self._state is None:
            self.fit_features(x)
        return self._make_room(self.features(x if type(x) in PLAIN else name_series(x, self.features)))

    @changes_nothing_if_refused
    def ask(self, x: Any) -> Any:
        """What the learner sees of an instance that it is asked about, with room made for attributes it had not met."""
        if type(x) is dict and x and self.schema is not None:
            self.schema.require_known(x)
        if self._state is None:
            self.fit_features(x)
        look = getattr(self.features, "look", self.features)
        return self._make_room(look(x if type(x) in PLAIN else name_series(x, self.features)))

    def _make_room(self, seen: Any) -> Any:
        """What was seen, with a state that has room for it."""
        if self._state is None:
            real = seen.values.dtype.type if isinstance(seen, Row) and seen.values is not None else np.float64
            self.start_state(Size(real=real))
        if self.features.width > self.size.attributes:  # type: ignore[union-attr]
            self._grow()
        return seen

    @locked
    def guess(self, seen: Any) -> int:
        """The class guessed for an instance as the learner sees it."""
        return self.learner.predict(self.state, seen)

    @changes_nothing_if_refused
    def learn(self, seen: Any, y: Any, guess: int | None = None, importance: float = 1.0) -> bool:
        """Play one round on an instance as the learner sees it.

        Args:
            seen: The instance.
            y: Its label.
            guess: The class that was guessed for it; None: the one that the learner guesses now.
            importance: How much the round counts for what is learned, where the learner guesses now.

        Returns:
            Whether it was a mistake.
        """
        code = self.labels.find(y)
        if code is None:  # a label that was not met before; the player forgets it if the round is refused
            self.labels = self.labels.copy()
            code = self.labels.encode_one(y, self._limit)
            self._grow(code + 1)
        learner = self.learner
        self._state = grow_state(self) if learner.full(self._state, seen) else self._state
        try:
            if importance != 1:
                guess = play_weighed(learner, self._state, seen, code, importance)
            elif guess is None:
                guess = learner.round(self._state, seen, code)
            else:
                learner.update(self._state, seen, code, guess)
        except LittlestoneError as problem:
            self._name_round(problem)
            raise
        mistake = bool(guess != code if learner.numeric else learner.loss(guess, code) > 0)
        self._rounds += 1
        self._mistakes += mistake
        return mistake

    @locked
    def save(
        self, path: str | os.PathLike[str], about: Mapping[str, Any] | None = None, *, predict_only: bool = False
    ) -> None:
        """Write a model file, all of it or nothing; `about` is anything in JSON to be kept with it.

        The file is read back before it takes the place of an older one; `littlestone.load` gives the same player back.
        BadModel, in words, for a player that no file can hold: one with a function of the user's own, say. With
        `predict_only=True` it keeps what predicts, in float32: what is loaded then refuses to learn.
        """
        from littlestone.game.saving import container, records

        if self._state is not None:
            self._grow()
        player = self
        if predict_only:
            from littlestone.game.saving.prediction import keep_prediction

            player = keep_prediction(self)
        document, arrays = records.describe_player(player, whole := dict[str, Array]())
        document["about"] = dict(about or {})
        container.write(path, document, arrays, partial(records.restore_player, whole=whole))

    @locked
    def budget(self, **facts: Any) -> Bound:
        """How many mistakes are still possible if the promise is kept.

        A bound counts from the first round; a budget starts from what was learned since. It never grows, a mistake
        lowers it by at least one, and so mistakes so far plus budget never exceed the bound.

        Args:
            facts: What the state does not know, by name: the comparator of a Perceptron (`u`, `margin`, `reach`), the
                mistakes of the best expert (`best_loss`), which attributes are `relevant`. The learner's method
                `remaining` says which it needs, such as how many `attributes` there are, unless the features know it.
        """
        fixed = getattr(self.features, "attributes", None)
        asked = fixed is not None and "attributes" in signature(getattr(self.learner, "remaining", int)).parameters
        return ask_remaining(self.learner, self.state, **({"attributes": fixed} if asked else {}) | facts)

    @locked
    def certificate(self) -> Certificate:
        """What the learner's theorem allowed on the rounds played."""
        return ask_certificate(self.learner, self.state, self.tally)

    @property
    def numeric(self) -> bool:
        """Whether it predicts numbers, and not classes."""
        return self.learner.numeric

    def __repr__(self) -> str:
        return f"Player({self.learner}, rounds={self._rounds}, mistakes={self._mistakes})"


def name_series(x: Any, features: Any) -> Any:
    """A Series whose values have names as a dict of them, where features go by names; any other instance as it is."""
    by_number = isinstance(features, Indexed) and not features.names
    if by_number or not (hasattr(x, "index") and hasattr(x, "to_dict")):
        return x
    return x.to_dict() if all(isinstance(name, str) for name in x.index) else x


def choose_features(learner: Learner, offered: Any) -> Any:
    """What reads instances: what an environment offers, unless the learner is particular about its own."""
    own = learner.features()
    return own if offered is None or type(own) is not Indexed or own.attributes is not None else offered
