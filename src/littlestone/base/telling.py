"""Telling: what a learner says of a row before its label is seen, by every hypothesis that it keeps.

A learner says a score of two classes, a score for each class, the chance of each class, or a label; one that serves
another hypothesis than it plays says both. `tell` plays rounds and writes what was said before each label. Learners
with a loop that writes it have methods `tell` and `say` of their own, and those that say several things `sayings`.

>>> from littlestone.base.chunks import Examples
>>> from littlestone.base.learner import Size
>>> from littlestone.learners import Perceptron
>>> learner, rows = Perceptron(bias=0), Examples.of([[1.0], [2.0], [-1.0]], [1, 1, 0])
>>> told = make_room(learner, 2, 3)
>>> tell(learner, learner.start(Size(1)), rows, np.zeros(3, np.int32), told), told.tolist()
(3, [[0.0, 2.0, -1.0]])
"""

from typing import Any, Literal, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import LittlestoneError
from littlestone.base.learner import State
from littlestone.base.traits import Scores, offers

Kind = Literal["score", "scores", "label", "probability", "chance"]


class Saying(NamedTuple):
    """One of the things that a learner says: its name, empty for what is served, and what kind of thing it is."""

    name: str
    kind: Kind

    def count_rows(self, classes: int) -> int:
        """How many numbers it is of `classes` classes."""
        return 1 if self.kind in ("score", "label") else classes


def list_sayings(learner: Any) -> tuple[Saying, ...]:
    """What a learner says, in order."""
    if hasattr(learner, "sayings"):
        said: tuple[Saying, ...] = learner.sayings()
        return said
    scored = offers(learner, Scores)
    served = Saying("", "label" if not scored else "score" if learner.limit() == 2 else "scores")
    return (served,) if learner.serves_apart is False else (served, Saying("played", "label"))


def make_room(learner: Any, classes: int, rounds: int) -> Array:
    """Room for what a learner says of rounds, all of it missing: a row for each number, a column for each round."""
    return np.full((sum(saying.count_rows(classes) for saying in list_sayings(learner)), rounds), np.nan)


def say(learner: Any, state: State, chunk: Chunk, classes: int) -> Array:
    """What a learner says of the rows of a chunk, as `make_room` lays it out."""
    out = make_room(learner, classes, len(chunk))
    if hasattr(learner, "say"):
        learner.say(state, chunk, out)
        return out
    if list_sayings(learner)[0].kind == "label":
        said = np.array([learner.readout(state, chunk[t]) for t in range(len(chunk))])
    else:
        said = np.array([learner.score(state, chunk[t]) for t in range(len(chunk))])
    said = said.reshape(len(chunk), -1).T
    out[: len(said)] = said
    if learner.serves_apart is not False:
        out[-1] = [learner.predict(state, chunk[t]) for t in range(len(chunk))]
    return out


def tell(learner: Any, state: State, chunk: Chunk, guesses: Array, told: Array) -> int:
    """Play as `replay` does, and write what was said of each round before its label was seen; how many were played."""
    if hasattr(learner, "tell"):
        return int(learner.tell(state, chunk, guesses, told))
    classes = max(2, len(told) - (learner.serves_apart is not False))
    for t in range(len(chunk)):
        try:
            told[:, t] = say(learner, state, chunk[t : t + 1], classes)[:, 0]
            if learner.replay(state, chunk[t : t + 1], guesses[t : t + 1]) == 0:
                return t
        except LittlestoneError:
            if t == 0:
                raise
            return t
    return len(chunk)


def read_served(
    learner: Any, told: Array, guesses: Array, labels: Array, before: int
) -> tuple[Array, None, Array | None]:
    """What was served, which is the first thing that a learner says, read from all that was told of rounds.

    Args:
        learner: Who said it.
        told: What was said, as `make_room` lays it out.
        guesses: The classes that were played; -1 where none was known.
        labels: The class numbers of the labels.
        before: How many rounds came before these.

    Returns:
        The classes that were served.
        No scores: they are among what was told.
        The chance of each label, where the learner gives chances: 1 / t for a class that is new in round t.
    """
    sayings = list_sayings(learner)
    many = len(labels)
    classes = guesses
    if learner.serves_apart is not False:
        wide = [saying for saying in sayings if saying.count_rows(2) > 1]
        rows = (len(told) - len(sayings) + len(wide)) // len(wide) if sayings[0] in wide else 1
        ahead = np.where(np.isnan(told[:rows]), -np.inf, told[:rows]).argmax(axis=0) if rows > 1 else told[0] > 0
        classes = np.where(guesses < 0, -1, told[0] if sayings[0].kind == "label" else ahead).astype(guesses.dtype)
    if not learner.forecasts:
        return classes, None, None
    chances = told[labels, np.arange(many)]
    return classes, None, np.where(np.isnan(chances), 1.0 / (before + 1.0 + np.arange(many)), chances)
