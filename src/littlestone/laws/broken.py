"""Broken laws: how a law compares what must be equal, and says in which round it was not."""

from collections.abc import Callable
from typing import Any

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import LittlestoneError
from littlestone.laws.playing import PlayerUnderTest


class BrokenLaw(LittlestoneError, AssertionError):
    """A learner does what no learner may do; the message says what differed, and in which round."""


def require_same(one: Any, other: Any, what: str, t: int | None = None) -> None:
    if one != other:
        shown = [text if len(text) < 80 else f"{text[:77]}..." for text in (repr(one), repr(other))]
        raise BrokenLaw(f"{what}{'' if t is None else f' in round {t + 1}'}: {shown[0]} is not {shown[1]}")


def require_same_game(
    seat: PlayerUnderTest, said: list[Any], live: PlayerUnderTest, guesses: list[Any], what: str, first: int = 0
) -> None:
    for t, (one, other) in enumerate(zip(said, guesses, strict=False)):
        require_same(one, other, f"{what} changed the guess", first + t)
    require_same(len(said), len(guesses), f"{what} changed how many rounds were played")
    if said:  # a player that has played nothing may not be seated yet
        require_same(seat.counts(), live.counts(), f"{what} changed the counts")
    require_same(seat.mark(), live.mark(), f"{what} changed the final state")


def play_untouched(seen: Row | Examples, seat: PlayerUnderTest, play: Callable[[], Any], where: str) -> None:
    arrays = [array for array in (seen.indices, seen.values) if array is not None]
    before = [array.tobytes() for array in arrays]
    play()
    require_same([array.tobytes() for array in arrays], before, f"x was changed {where}")
    learned = seat.mark()
    for array in filter(lambda array: array.flags.writeable, arrays):
        array[...] = 0
    require_same(seat.mark(), learned, f"overwriting x after it was played {where} changed the state")
