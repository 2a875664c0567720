"""Members: all that may play in a league, asked before the label and taught after it.

A learner of the library shares the league's reading of rows and labels; a player reads instances as they came. Models
of River (`predict_one`, `learn_one`) and scikit-learn (`predict`, `partial_fit`), functions of x, and names or numbers
of entries of x are foreign: they are asked round by round, and what they raise makes them sleep.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from typing import Any, Literal

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import BadLabel, BadParameter, LittlestoneError, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner
from littlestone.base.telling import Saying, list_sayings
from littlestone.base.traits import write_learner
from littlestone.game.player import Player

SAYS = ("score", "label", "probability", "chance")


@dataclass(frozen=True)
class LeagueMember:
    """A member of a league, where more must be said of it than what it is.

    Args:
        model: A learner, a player, a model of River or scikit-learn, a function of x, or the name or number of an
            entry of x.
        name: Its name in the league; empty: one is made up.
        says: What a function, an entry or a foreign model says: a "score", a "label", a "probability" of the second
            class, or a "chance", which is taken as it is and not calibrated. None: what it can say best.
    """

    model: Any
    name: str = ""
    says: Literal["score", "label", "probability", "chance"] | None = None

    def __post_init__(self) -> None:
        require(self.says is None or self.says in SAYS, f"says must be one of {', '.join(SAYS)}, got {self.says!r}")


class Codes(Labels):
    """Class numbers that stand for themselves."""

    def copy(self) -> "Codes":
        other = Codes()
        other._names, other._numbers = dict(self._names), dict(self._numbers)
        return other

    def encode_one(self, label: Any, limit: int) -> int:
        number = int(label)
        if number >= limit:
            raise BadLabel(f"class {number + 1} has come, and this learner tells {limit} apart")
        for known in range(len(self._names), number + 1):
            self._names[known] = self._numbers[known] = known
        return number

    def encode(self, labels: Iterable[Any], limit: int) -> Array:
        numbers = np.asarray(labels, self.dtype)
        beyond = np.flatnonzero(numbers >= limit)
        stop = int(beyond[0]) if len(beyond) else len(numbers)
        if stop or not len(numbers):
            self.encode_one(int(numbers[:stop].max(initial=-1)), limit)
            return numbers[:stop]
        self.encode_one(int(numbers[0]), limit)
        return numbers


class OwnMember:
    """A player of the library in a league, which says one thing or several.

    Args:
        player: It with its state.
        name: Its name.
        shared: Whether it is given rows and class numbers as the league read them, instead of rounds as they came.
    """

    def __init__(self, player: Player, name: str, shared: bool) -> None:
        self.player = player
        self.name = name
        self.shared = shared
        # why it slept last; whether a third class came that it cannot tell
        self.excuse = ""
        self.has_left = False
        player.tells = True

    @property
    def sayings(self) -> tuple[Saying, ...]:
        """What it says, in order."""
        return list_sayings(self.player.learner)

    def play(self, chunk: Chunk, codes: Array, labels: Labels, first: int) -> Array:
        """Play the rounds of a chunk; all that it says before each label, NaN where it sleeps.

        `labels` are the league's, and `first` is the number of rounds before these. A round that it refuses to learn
        it may still speak of. A member that tells two classes apart leaves when a third comes.
        """
        out = self.make_room(labels, len(codes))
        rounds = len(codes)
        done = 0
        if self.player.learner.limit() == 2:
            third = np.flatnonzero(codes > 1)
            rounds = 0 if self.has_left else int(third[0]) if len(third) else rounds
            self.has_left = self.has_left or len(third) > 0
        while done < rounds:
            try:
                for played in self.player.play_chunk(chunk[done:rounds]):
                    assert played.told is not None
                    self._spread(played.told, out[:, done : done + played.rounds], labels)
                    done += played.rounds
            except LittlestoneError as problem:
                self.excuse = f"did not learn round {first + done + 1}: {problem}"
                out[:, done : done + 1] = self.say(chunk[done : done + 1], labels)
                done += 1
        return out

    def say(self, chunk: Chunk, labels: Labels) -> Array:
        """All that it says of the instances of a chunk, NaN where it sleeps."""
        out = self.make_room(labels, len(chunk))
        if self.player.learner.limit() > 2 or len(labels) == 2:
            with suppress(LittlestoneError):
                self._spread(self.player.say(chunk), out, labels)
        return out

    def make_room(self, labels: Labels, rounds: int) -> Array:
        """Room for what it says of rounds, all of it missing."""
        return np.full((sum(saying.count_rows(len(labels)) for saying in self.sayings), rounds), np.nan)

    def _spread(self, told: Array, out: Array, labels: Labels) -> None:
        """Write what was said of the classes that the player knows where the league has them."""
        own = self.player.labels
        order = None if self.shared else [labels.find(own.name(c)) for c in range(len(own))]
        if order is not None and order[:2].count(None) == 1:  # the class that one of two has not met yet
            known = order[1] if order[0] is None else order[0]
            order[order.index(None)] = 1 - known if known in (0, 1) else None
        spread_told(told, out, self.sayings, (len(own), len(labels)), order)


def spread_told(
    told: Array, out: Array, sayings: tuple[Saying, ...], sizes: tuple[int, int], order: list[int | None] | None
) -> None:
    """Write what was said of classes where others have them.

    Args:
        told: What was said.
        out: Where it is written.
        sayings: What these are.
        sizes: How many classes there are here and there.
        order: Which class there each class here is; None: the same.
    """
    read = write = 0
    for saying in sayings:
        rows = saying.count_rows(sizes[0])
        wide = saying.count_rows(sizes[1])
        said = told[read : read + rows]
        place = out[write : write + wide]
        if order is None or order[: sizes[1]] == list(range(len(order))):
            place[: min(rows, wide)] = said[: min(rows, wide)]
        elif saying.kind == "score":
            place[:] = -said if order[1] == 0 or order[0] == 1 else said
        else:
            for c, code in enumerate(order):
                if code is not None and saying.kind == "label":
                    place[0, said[0] == c] = code
                elif code is not None:
                    place[code] = said[c]
        read = read + rows
        write = write + wide


def lay_rows(said: Array, sayings: tuple[Saying, ...], classes: int) -> Array:
    """What was said, laid out for another number of classes: NaN of those that are new."""
    single = sum(saying.count_rows(2) == 1 for saying in sayings)
    old = (len(said) - single) // max(1, len(sayings) - single)
    out = np.full((sum(saying.count_rows(classes) for saying in sayings), said.shape[1]), np.nan)
    read = write = 0
    for saying in sayings:
        rows = saying.count_rows(old)
        wide = saying.count_rows(classes)
        out[write : write + min(rows, wide)] = said[read : read + min(rows, wide)]
        read = read + rows
        write = write + wide
    return out


def make_own(model: Learner | Player, name: str, seed: int) -> OwnMember:
    """A learner or a player as a member."""
    if isinstance(model, Player):
        require(not model.learner.numeric, f"{model.learner} predicts numbers: a league is for classes")
        return OwnMember(model, name, False)
    require(not model.numeric, f"{model} predicts numbers: a league is for classes")
    own = model.features()
    shared = type(own) is Indexed and own.attributes is None
    player = Player(model, Indexed() if shared else own, seed=seed)
    if shared:
        player.labels = Codes()
    return OwnMember(player, name, shared)


def name_members(members: Iterable[Any] | Mapping[str, Any]) -> list[LeagueMember]:
    """The members that were given, each with a name of its own."""
    given = members.items() if isinstance(members, Mapping) else (("", member) for member in members)
    named = list[LeagueMember]()
    taken = set[str]()
    for name, one in given:
        member = one if isinstance(one, LeagueMember) else LeagueMember(one)
        name = name or member.name or _make_name(member.model)
        unique = name
        number = 2
        while unique in taken:
            unique = f"{name} {number}"
            number = number + 1
        taken.add(unique)
        named.append(LeagueMember(member.model, unique, member.says))
    return named


def _make_name(model: Any) -> str:
    """A name for a member that was given none."""
    if isinstance(model, Player | Learner):
        learner: Any = model.learner if isinstance(model, Player) else model
        return write_learner(learner) if is_dataclass(learner) else str(learner)
    if isinstance(model, str | int):
        return str(model)
    if isinstance(model, type):
        raise BadParameter(f"{model.__name__} is a class: give the league an object of it, {model.__name__}()")
    return str(getattr(model, "__name__", type(model).__name__))
