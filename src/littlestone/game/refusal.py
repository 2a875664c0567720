"""Refusal: a call that a player refuses changes nothing.

Before a call the player is marked; if the call raises an error, or is interrupted before it has learned anything, the
player becomes again what it was: its state and the size of it, its labels, and what its features remember of rows. A
file that is saved after a refused call has the bytes of one that was saved before it.

A player keeps what the columns of its first stream are, and refuses streams that have others.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, NamedTuple, Self, TypeVar, cast

import numpy as np

from littlestone.base.chunks import Chunk, Examples
from littlestone.base.environment import Environment
from littlestone.base.errors import BadInstance, BadLabel
from littlestone.base.features import Features, Hashed, Indexed
from littlestone.base.features.schema import list_few
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner, Size, State

F = TypeVar("F", bound=Callable[..., Any])


class Mark(NamedTuple):
    """What a call may change before it is refused; the state's own arrays are left alone by a refused round."""

    played: list[tuple[State, Size | None, Learner, bool]]  # the state, its size, the learner, and whether that widens
    labels: Labels
    read: Any  # what the features need to forget rows; None of a concept class, which remembers none

    @classmethod
    def of(cls, player: Any) -> Self:
        """Mark a player, which replaces earlier marks of it."""
        mark = getattr(player.features, "mark", None)
        played = player._state, player.size, player.learner, player.widens
        return cls([played], player.labels, mark and mark())

    def undo(self, player: Any) -> None:
        """Make the player what it was when it was marked, unless it has learned rounds since."""
        if self.played:
            player._state, player.size, player.learner, player.widens = self.played[0]
            player.labels = self.labels
            if self.read is not None:
                player.features.undo(self.read)

    def keep_rows(self, player: Any, played: Chunk, read: int) -> None:
        """Make the features remember, of all rows that they `read` since the mark, only those that were played."""
        if len(played) < read and self.read is not None:
            player.features.undo(self.read)
            if len(played):
                player.features.read_chunk(played)


def name_attribute(player: Any, problem: BaseException) -> None:
    """Say by its name which attribute of a row is the matter, and in which round."""
    if isinstance(problem, BadInstance) and problem.attribute is not None:
        number = problem.attribute
        problem.attribute = None
        known = getattr(player.features, "name", lambda number: None)(number)
        attribute = f"attribute {number if known is None else repr(known)}, round {player._rounds + 1}"
        problem.args = (f"{attribute}: {problem}",)


def changes_nothing_if_refused(method: F) -> F:
    """Make a method of a player leave the player as it was when it raises an error, also where it calls another one.

    Meanwhile the method holds the player's lock.
    """

    @wraps(method)
    def attempt(player: Any, *args: Any, **options: Any) -> Any:
        with player.lock:
            if player._mark is not None:
                return method(player, *args, **options)
            player._mark = Mark.of(player)
            try:
                return method(player, *args, **options)
            except BaseException as problem:
                name_attribute(player, problem)
                player._mark.undo(player)
                raise
            finally:
                player._mark = None

    return cast(F, attempt)


def meet_columns(player: Any, stream: Environment) -> None:
    """Take up the columns of a stream before the first round; later refuse one whose columns are not the same."""
    schema = stream.schema()
    if schema is None:
        return
    if player.schema is not None:
        player.schema.require_like(schema)
    elif player.tally.rounds == 0:
        player.schema, offered, features = schema, stream.features(), player.features
        names = offered.names if isinstance(offered, Indexed) else ()
        if isinstance(features, Indexed) and not features.names:
            features.names = names
        elif isinstance(features, Hashed) and not features.columns:
            features.columns = names


def refuse_other_rounds(player: Any, chunks: Iterable[Chunk], labelled: bool = True) -> Iterator[Chunk]:
    """The chunks, unless the first has several rounds and the player knows none of their attributes or labels."""
    for number, chunk in enumerate(chunks):
        if number == 0 and len(chunk) > 1:
            _require_attributes(player, chunk)
            if labelled:
                _require_labels(player, chunk)
        yield chunk


def _require_labels(player: Any, chunk: Chunk) -> None:
    """Refuse rounds of which no label is known."""
    names = [name for name in player.labels.names if name is not None]
    labels = list(dict.fromkeys(chunk.labels.tolist()))
    if names and not player.numeric and all(label not in player.labels for label in labels):
        told = f"none of the labels {list_few(labels)} is known to the model, which knows {list_few(names)}"
        if {*map(str, labels)} & {*map(str, names)}:
            told += " (they are written alike, but some are texts and some are not)"
        raise BadLabel(f"{told}; --label COLUMN names the column of labels, --force goes on")


def _require_attributes(player: Any, chunk: Chunk) -> None:
    """Refuse rounds of which no attribute is known, where they are listed by name or number."""
    features = player.features
    if not isinstance(features, Features) or not features.width:
        return
    width = features.width
    mark = features.mark()
    try:
        seen = features.read_chunk(chunk)
    finally:
        features.undo(mark)
    listed = None if not isinstance(seen, Examples) else seen.indices
    if listed is not None and len(listed) and int(np.min(listed)) >= width:
        told = f"the model knows none of the attributes of the first {len(seen):,} rows"
        raise BadInstance(f"{told}: it learned other data; --force goes on")
