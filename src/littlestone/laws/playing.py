"""Playing: rounds that suit a learner, and ways to play them with any learner, for laws to look at.

What suits it is read from its features: points of a concept class's domain, rows of small numbers, or any hashable
points. Kinds: `realizable`, some concept (for rows a disjunction of two attributes) gives every label; `noisy`, one
label in five is another; `integers` and `reals`, rows of such numbers with noisy labels, in three classes if it can.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> make_rounds(Halving(Thresholds(6)), "realizable", seed=1, rounds=3)
[(5, True), (3, True), (2, False)]
"""

import copy
import math
import random
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Any, Literal

import numpy as np

from littlestone.base.bound import Tally
from littlestone.base.chunks import Instances
from littlestone.base.errors import BadInstance, BadParameter, LittlestoneError, require
from littlestone.base.features import Features, Indexed
from littlestone.base.learner import Learner, copy_state, fingerprint
from littlestone.concepts.concept import ConceptClass
from littlestone.game.player import Player

Kind = Literal["realizable", "noisy", "integers", "reals"]
Rounds = Sequence[tuple[Any, Any]]

KINDS: tuple[Kind, ...] = ("realizable", "noisy", "integers", "reals")
ATTRIBUTES = 8
POINTS = 300
NOISE = 0.2


def make_rounds(learner: Any, kind: Kind = "realizable", seed: int = 0, rounds: int = 24) -> list[tuple[Any, Any]]:
    """Rounds for a learner of ours; anything else is given rows. They depend on the arguments alone."""
    require(kind in KINDS, f"the kind must be one of {', '.join(KINDS)}, got {kind!r}")
    chance = random.Random(f"{kind} {seed}")
    features: Any = Indexed()
    names: tuple[Hashable, ...] = (False, True)
    if isinstance(learner, Learner):
        many = kind in ("integers", "reals") and learner.limit() > 2
        words = ("red", "green", "blue") if many else ("no", "yes") if kind == "noisy" else names
        features = learner.features()
        names = learner.known_labels() or words
    label: Callable[[Any], Hashable]
    if isinstance(features, ConceptClass):
        points = list(islice(features.instances(), POINTS))
        label = features.concept(chance.randrange(features.size))
        xs = [chance.choice(points) for _ in range(rounds)]
    elif isinstance(learner, Learner) and learner.numeric:
        names = (0.0, 1.0)
        xs = [tuple(chance.choice((0.0, 0.25, 0.5, 1.0)) for _ in range(4)) for _ in range(rounds)]

        def label(x: Any) -> Any:
            return float(x[0] > 0.25)

    elif isinstance(features, Features):
        n = getattr(features, "attributes", None) or ATTRIBUTES
        xs = [tuple(_draw_value(kind, chance) if chance.random() < 0.3 else 0 for _ in range(n)) for _ in range(rounds)]
        relevant = chance.sample(range(n), min(2, n))

        def label(x: Any) -> Any:
            return names[min(max(0, math.ceil(sum(x[i] for i in relevant))), len(names) - 1)]

    else:
        truth = {point: chance.choice(names) for point in range(ATTRIBUTES)}
        xs = [chance.choice(range(ATTRIBUTES)) for _ in range(rounds)]
        label = truth.__getitem__
    noise = 0.0 if kind == "realizable" else NOISE
    return [(x, chance.choice(names) if chance.random() < noise else label(x)) for x in xs]


def _draw_value(kind: Kind, chance: random.Random) -> float:
    return chance.gauss(0, 1) if kind == "reals" else chance.randint(-3, 3) if kind == "integers" else 1


def seat_player(learner: Learner, rounds: Rounds, seed: int = 0, declared: bool = True) -> Player:
    """A fresh player; attributes by number are declared, so that a rule may depend on how many there are."""
    features = learner.features()
    if declared and isinstance(features, Indexed) and features.attributes is None:
        seen = Indexed()
        for x, _ in rounds:
            try:
                seen(x)
            except BadInstance:
                continue  # whether it is refused in the game is for a law to see
        features = Indexed(max(1, seen.width))
    return Player(learner, features, seed=seed)


class PlayerUnderTest:
    """A player of ours as the laws see it; guesses are class numbers."""

    def __init__(self, player: Any) -> None:
        self.player = player

    def guess(self, x: Any) -> Any:
        return self.player.guess(self.player.see(x))

    def round(self, x: Any, y: Any) -> Any:
        seen = self.player.see(x)
        guess = self.player.guess(seen)
        self.player.learn(seen, y, guess)
        return guess

    def batch(self, rounds: Rounds) -> list[Any]:
        """The guesses of leading rounds, up to the first that is refused."""
        chunk = make_chunk(rounds)
        guesses = list[Any]()
        while len(guesses) < len(rounds):
            left = chunk[len(guesses) :]
            try:
                said, _ = self.player.replay(left)
            except BadParameter:
                raise
            except LittlestoneError:
                break
            guesses += said.tolist()
        return guesses

    def mark(self) -> Hashable:
        return fingerprint(self.player.state)

    def counts(self) -> Tally:
        return self.player.tally  # type: ignore[no-any-return]

    def fork(self) -> "PlayerUnderTest":
        state = copy_state(self.player.state)
        other = copy.deepcopy(self.player)
        other._state = state
        return PlayerUnderTest(other)

    def is_on_a_knife_edge(self, seen: Any) -> bool:
        """Whether moving the floats of the state by little more than their rounding changes the guess."""
        learner = self.player.learner
        state = self.player.state
        chance = np.random.default_rng(0)
        return any(
            learner.predict(_nudge_state(state, chance), seen) != learner.predict(state, seen) for _ in range(16)
        )


class ForeignUnderTest(PlayerUnderTest):
    """An object with `predict` and `update`, of which nothing else is known; guesses are its labels."""

    def guess(self, x: Any) -> Any:
        guess = self.player.predict(x)
        return guess.item() if isinstance(guess, np.ndarray | np.generic) else guess

    def round(self, x: Any, y: Any) -> Any:
        guess = self.guess(x)
        self.player.update(x, y)
        return guess

    def batch(self, rounds: Rounds) -> list[Any]:
        if hasattr(self.player, "replay"):
            guesses: list[Any] = np.asarray(self.player.replay(*map(list, zip(*rounds, strict=True)))).tolist()
            return guesses
        return play_rounds(self, rounds)

    def mark(self) -> Hashable:
        return None

    def counts(self) -> Tally:
        return Tally()

    def fork(self) -> "PlayerUnderTest":
        return ForeignUnderTest(copy.deepcopy(self.player))


def start_fresh(learner: Any, rounds: Rounds, seed: int = 0, declared: bool = True) -> PlayerUnderTest:
    if isinstance(learner, Learner):
        return PlayerUnderTest(seat_player(learner, rounds, seed, declared))
    made = learner() if isinstance(learner, type) or not hasattr(learner, "predict") else copy.deepcopy(learner)
    return PlayerUnderTest(made) if isinstance(made, Player) else ForeignUnderTest(made)


def select_accepted(learner: Any, rounds: Rounds) -> list[tuple[Any, Any]]:
    """The rounds that a fresh player takes, the refused ones left out."""
    seat = start_fresh(learner, rounds)
    kept = []
    for x, y in rounds:
        try:
            seat.round(copy.deepcopy(x), y)
        except BadParameter:
            raise
        except LittlestoneError:
            continue
        kept.append((x, y))
    return kept


def play_rounds(seat: PlayerUnderTest, rounds: Rounds) -> list[Any]:
    return [seat.round(x, y) for x, y in rounds]


def make_chunk(rounds: Rounds) -> Instances:
    return Instances.of([x for x, _ in rounds], [y for _, y in rounds])


def _nudge_state(state: Any, chance: np.random.Generator) -> Any:
    if isinstance(state, np.ndarray) and state.dtype.kind == "f":
        return state * (1 + np.sqrt(np.finfo(state.dtype).eps) * chance.uniform(-1, 1, state.shape)).astype(state.dtype)
    if isinstance(state, tuple):
        parts = [_nudge_state(part, chance) for part in state]
        return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)
    return state
