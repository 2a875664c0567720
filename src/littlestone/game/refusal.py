"""Refusal: a call that a player refuses changes nothing.

Before a call the player is marked; if the call raises an error, the player becomes again what it was: its state and
the size of it, its labels, and what its features remember of rows. A file that is saved after a refused call has the
bytes of one that was saved before it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, Self, TypeVar, cast

from littlestone.base.chunks import Chunk
from littlestone.base.errors import BadInstance
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner, Size, State

F = TypeVar("F", bound=Callable[..., Any])


class Mark(NamedTuple):
    """What a call may change before it is refused; the state's own arrays are left alone by a refused round."""

    state: State
    size: Size | None
    learner: Learner
    widens: bool
    labels: Labels
    read: Any  # what the features need to forget rows; None of a concept class, which remembers none

    @classmethod
    def of(cls, player: Any) -> Self:
        """Mark a player, which replaces earlier marks of it."""
        mark = getattr(player.features, "mark", None)
        return cls(player._state, player.size, player.learner, player.widens, player.labels, mark and mark())

    def undo(self, player: Any) -> None:
        """Make the player what it was when it was marked."""
        player._state, player.size, player.learner, player.widens, player.labels, read = self
        if read is not None:
            player.features.undo(read)

    def keep_rows(self, player: Any, played: Chunk, read: int) -> None:
        """Make the features remember, of all rows that they `read` since the mark, only those that were played."""
        if len(played) < read and self.read is not None:
            player.features.undo(self.read)
            if len(played):
                player.features.read_chunk(played)


def name_attribute(player: Any, problem: Exception) -> None:
    """Say by its name which attribute of a row is the matter, and in which round."""
    if isinstance(problem, BadInstance) and problem.attribute is not None:
        number, problem.attribute = problem.attribute, None
        known = getattr(player.features, "name", lambda number: None)(number)
        attribute = f"attribute {number if known is None else repr(known)}, round {player._rounds + 1}"
        problem.args = (f"{attribute}: {problem}",)


def changes_nothing_if_refused(method: F) -> F:
    """Make a method of a player leave the player as it was when it raises an error, also where it calls another one."""

    @wraps(method)
    def attempt(player: Any, *args: Any, **options: Any) -> Any:
        if player._attempting:
            return method(player, *args, **options)
        mark, player._attempting = Mark.of(player), True
        try:
            return method(player, *args, **options)
        except Exception as problem:
            name_attribute(player, problem)
            mark.undo(player)
            raise
        finally:
            player._attempting = False

    return cast(F, attempt)
