"""Environment: the other side of the game.

It gives an instance, is told the guess, and reveals the label. A stream has decided its labels beforehand and ignores
the guess; an adversary does not. One that promises realizability names, at any time, a concept that agrees with
everything it has said.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from littlestone.base.chunks import Chunk
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Features
from littlestone.base.features.schema import Schema
from littlestone.base.learner import Size
from littlestone.base.parameters import Checked


class Environment(metaclass=Checked):
    """Subclasses take parameters in their constructor and keep what changes during a game in what `start` sets."""

    rounds: int | None = None  # how many rounds it offers; None: no end of its own
    chooses: bool = False  # whether it is known to choose its rounds instead of drawing them from one source

    def size(self) -> Size:
        """What it tells a learner before the first round."""
        return Size()

    def classes(self) -> tuple[Hashable, ...]:
        """The labels it will use, if it says so beforehand."""
        return ()

    def features(self) -> Features | None:
        """What reads its instances, anew for each player; None: whatever the learner brings along."""
        return None

    def schema(self) -> Schema | None:
        """What its columns are, or its format; None where it has neither."""
        return None

    def start(self, seed: int) -> None:
        """Begin a game anew; whatever is random depends on `seed` alone."""

    @abstractmethod
    def ask(self) -> Any:
        """The next instance, or None when the game is over."""

    @abstractmethod
    def answer(self, guess: Any) -> Any:
        """The label of the instance just asked, after hearing the guess."""

    def target(self) -> Any:
        """A concept that agrees with every label so far, if the environment promises one; otherwise None."""
        return None


def require_independent(environment: Environment) -> None:
    """Refuse an environment that is known to choose its rounds; others are trusted."""
    drawn = not environment.chooses
    require(drawn, f"{environment} does not draw its rounds independently from one source", NotCertified)


class Stream(Environment):
    """An environment that decided its labels beforehand: rounds come in chunks, and no guess changes them."""

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """The rounds from the first one on."""

    def start(self, seed: int) -> None:
        self._rounds = ((chunk[t], chunk.labels[t]) for chunk in self.chunks() for t in range(len(chunk)))

    def ask(self) -> Any:
        x, label = next(self._rounds, (None, None))
        self._label: Any = label
        return x

    def answer(self, guess: Any) -> Any:
        return self._label


def take_rounds(chunks: Iterable[Chunk], rounds: int | None) -> Iterator[Chunk]:
    """The chunks of the first `rounds` rounds, or of all (None); no more chunks are asked for than that takes."""
    count = 0
    for chunk in chunks if rounds != 0 else ():
        part = chunk if rounds is None else chunk[: rounds - count]
        count += len(part)
        yield part
        if count == rounds:
            break


def cut_chunks(chunks: Iterable[Chunk], following: Callable[[int], int], first: int = 0) -> Iterator[Chunk]:
    """The chunks cut finer: `following` gives, for the number of a round, the next one that begins a chunk.

    `first` is the number of the first round.
    """
    return (piece for piece, _ in list_pieces(chunks, following, first))


def list_pieces(
    chunks: Iterable[Chunk], following: Callable[[int], int] | None, first: int
) -> Iterator[tuple[Chunk, int]]:
    """The chunks cut in the same way, or whole, and with each piece how many rounds of its chunk come after it."""
    number = first
    for chunk in chunks:
        done = 0
        while done < len(chunk):
            end = len(chunk) if following is None else min(len(chunk), done + following(number) - number)
            yield chunk[done:end], len(chunk) - end
            number = number + end - done
            done = end
