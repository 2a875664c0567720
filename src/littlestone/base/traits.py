"""Traits: what some learners can do besides playing, each a class to inherit from; others ask by `isinstance`.

A learner made of another one (a network, a conversion) can do what both can: `offers` asks them all.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import fields
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import NotCertified
from littlestone.base.learner import Learner, State, fingerprint
from littlestone.base.printed_numbers import WHOLE, Number, format_most
from littlestone.base.theorem import Attack, Takes


class Trait(ABC):  # noqa: B024 - its subclasses have them
    """A class that has the methods of a trait has the trait, whether it inherits from it or not."""

    @classmethod
    def __subclasshook__(cls, kind: type, /) -> Any:
        if Trait not in cls.__bases__:
            return NotImplemented
        return all(any(name in base.__dict__ for base in kind.__mro__) for name in cls.__abstractmethods__)


class Scores(Trait):
    """It decides by a score."""

    @abstractmethod
    def score(self, state: State, x: Any) -> Any:
        """The number, or one for each class, on which the readout rests."""

    def scores(self, state: State, chunk: Chunk) -> Array:
        """What `score` says of each instance of a chunk."""
        return np.array([self.score(state, chunk[t]) for t in range(len(chunk))])


class Probabilities(Trait):
    """It says how likely each class is."""

    @abstractmethod
    def probability(self, state: State, x: Any) -> Any:
        """The chance of class 1, or of each class, as far as the learner can say."""

    def probabilities(self, state: State, chunk: Chunk) -> Array:
        """What `probability` says of each instance of a chunk."""
        return np.array([self.probability(state, chunk[t]) for t in range(len(chunk))])


class Plane(Trait):
    """It keeps a weight for each attribute."""

    @abstractmethod
    def plane(self, state: State) -> tuple[Array, Array]:
        """The hyperplane, or one for each class: the values of an instance times its rows, and what is added, make
        its score.

        Returns:
            weights: A row for each attribute, with a column for each class (one for two classes).
            constants: What is added to each sum.
        """


class ListedWeights(NamedTuple):
    """The weights of a plane, of those attributes that have any."""

    attributes: Array | None  # in ascending order; None: all
    weights: Array  # a row for each, with a column for each class
    constants: Array
    sizes: Array | None = None  # the largest size of a value of each so far, where the learner keeps it

    def spread(self, attributes: int) -> tuple[Array, Array]:
        """The plane over this number of attributes."""
        if self.attributes is None:
            return self.weights, self.constants
        weights = np.zeros((attributes, self.weights.shape[1]), self.weights.dtype)
        weights[self.attributes] = self.weights
        return weights, self.constants

    def find(self, attributes: Array) -> Array:
        """The rows of some attributes."""
        if self.attributes is None:
            return np.asarray(self.weights[attributes])
        places = np.searchsorted(self.attributes, attributes)
        known = np.append(self.attributes, -1)[places] == attributes
        nothing = np.zeros((1, self.weights.shape[1]), self.weights.dtype)
        return np.asarray(np.vstack((self.weights, nothing))[np.where(known, places, -1)])


class Pairs(Trait):
    """It plays rounds on pairs of arrays without another look at them."""

    @abstractmethod
    def pair(self, state: State, x: Any, y: int, width: int) -> int:
        """One round on a pair of arrays that list attributes below `width` in order.

        The guess; or -1, and nothing happened, where x is anything else.
        """


class Keyed(Trait):
    """It says what its future depends on."""

    @abstractmethod
    def key(self, state: State) -> Hashable:
        """What the learner's future depends on, to tell two states apart; coins and counters left out."""


class Promises(Trait):
    """Its theorem promises something before the first round."""

    @abstractmethod
    def bound(self) -> Bound:
        """What the learner's theorem promises; learners that must be told more have parameters for it."""


class Witnesses(Trait):
    """Its state holds the witness for a certificate."""

    @abstractmethod
    def certificate(self, state: State, tally: Tally) -> Certificate:
        """What the learner's theorem allowed on the rounds played, with the witness the state holds."""


class Remainders(Trait):
    """It knows how many mistakes are still possible."""

    @abstractmethod
    def remaining(self, state: State, **facts: Any) -> Bound:
        """The mistakes still possible on any rounds to come that keep the promise; `facts` are what it cannot know."""


class Asking(Trait):
    """It learns from some labels only, and says of each, before it is looked up, whether it wants it."""

    tosses: ClassVar[bool] = True  # whether a coin takes part in that

    @abstractmethod
    def wants(self, state: State, x: Any) -> bool:
        """Whether it wants the label of x in the round that comes. Pure: a coin comes from seed and round."""

    @abstractmethod
    def skip(self, state: State, x: Any) -> None:
        """Play a round whose label it did not want, and which stays unknown."""

    @abstractmethod
    def asked(self, state: State) -> int:
        """How many labels it wanted so far."""

    @abstractmethod
    def estimate_mistakes(self, state: State) -> float:
        """An unbiased estimate of all its mistakes so far, those whose labels it did not want included."""


class Attacked(Trait):
    """Its bound can be attacked on a few rounds."""

    @abstractmethod
    def attack(self) -> Attack | None:
        """Points and targets on which to attack the bound; None where these parameters have no such bound."""


def write_learner(learner: Any) -> str:
    """A learner as one would write it, what is at its default left out."""
    words = []
    for part in fields(learner):
        value = getattr(learner, part.name)
        if isinstance(value, Learner) or hasattr(value, "instances"):  # a learner, or a concept class
            words.append(type(value).__name__)
        elif value != part.default:
            words.append(f"{part.name}={value:.4g}" if isinstance(value, float) else f"{part.name}={value!r}")
    return f"{type(learner).__name__}({', '.join(words)})"


class PlanEntry(NamedTuple):
    """A learner set as its theorem wants it, what it promises, and what it costs."""

    learner: Learner
    guarantee: Number
    counts: str
    formula: str
    steps: float  # a round
    memory: float  # bytes in all

    @property
    def name(self) -> str:
        """The learner as one would write it, what is at its default left out."""
        return write_learner(self.learner)

    @property
    def shown(self) -> Number:
        """What it allows: a whole number where what it counts is whole."""
        return math.floor(self.guarantee) if self.counts in WHOLE else self.guarantee

    @property
    def most(self) -> str:
        """What it allows, for people: never less than that."""
        return format_most(self.guarantee, self.counts)


class Planned(Trait):
    """A plan can say what it promises under assumptions."""

    @classmethod
    @abstractmethod
    def plan(cls, assumptions: Any) -> Iterator[PlanEntry]:
        """What it promises under assumptions about its kind of labels; nothing where no theorem covers these."""


class RowLearner:
    """It learns from rows of attributes, and can race."""

    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ()  # how networks of it race
    unplanned: ClassVar[str] = ""  # why a plan has no promise of it
    names_attributes: ClassVar[bool] = False  # whether parameters name attributes, so that their numbers matter

    def takes(self) -> Takes:
        """What rows it takes."""
        return Takes()

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        """Learners of this kind for a race over rows of `width` attributes."""
        return []


def ask_takes(learner: Any) -> Takes:
    """What rows a learner takes; one that only passes rows on takes those of the learner inside."""
    if isinstance(learner, RowLearner):
        return learner.takes()
    inner = getattr(learner, "learner", None)
    return Takes() if inner is None else ask_takes(inner)._replace(importance=False)


def ask_bound(learner: Learner, **facts: Any) -> Bound:
    """What the learner's theorem promises before the first round, given what it must be told."""
    if not isinstance(learner, Promises):
        raise NotCertified(f"{type(learner).__name__} promises nothing before the first round")
    return learner.bound(**facts)


def ask_certificate(learner: Learner, state: State, tally: Tally) -> Certificate:
    """What the learner's theorem allowed on the rounds played, with the witness that its state holds."""
    if not isinstance(learner, Witnesses):
        raise NotCertified(f"the state of {type(learner).__name__} holds no witness for a theorem")
    return learner.certificate(state, tally)


def ask_remaining(learner: Learner, state: State, **facts: Any) -> Bound:
    """The mistakes still possible if the promise is kept, given what the state cannot know."""
    if not isinstance(learner, Remainders):
        raise NotCertified(f"no budget is known for {type(learner).__name__}")
    try:
        return learner.remaining(state, **facts)
    except TypeError as problem:
        raise NotCertified(f"the budget of {type(learner).__name__} needs other facts: {problem}") from None


def ask_key(learner: Learner, state: State) -> Hashable:
    """What the learner's future depends on: its own word, or the whole state."""
    return learner.key(state) if isinstance(learner, Keyed) else fingerprint(state)


def offers(learner: Any, trait: type[Any]) -> bool:
    """Whether a learner, and every learner that it is made of, has a trait."""
    inner = getattr(learner, "learner", None)
    return isinstance(learner, trait) and (inner is None or offers(inner, trait))


def require_scores(learner: Any) -> Scores:
    """The learner as one that scores; NotImplementedError, in words, where it does not."""
    return learner if isinstance(learner, Scores) else _refuse(learner, "decides without a score")


def require_probabilities(learner: Any) -> Probabilities:
    """The learner as one that gives probabilities; NotImplementedError, in words, where it does not."""
    return learner if isinstance(learner, Probabilities) else _refuse(learner, "gives no probabilities")


def require_plane(learner: Any) -> Plane:
    """The learner as one with a weight for each attribute; NotImplementedError, in words, where it has none."""
    return learner if isinstance(learner, Plane) else _refuse(learner, "keeps no weight for each attribute")


def list_weights(learner: Any, state: State) -> ListedWeights:
    """The weights of a learner's plane; NotImplementedError, in words, where it has none."""
    known = require_plane(learner)
    listed = getattr(known, "list_weights", None)
    return listed(state) if listed is not None else ListedWeights(None, *known.plane(state))


def _refuse(learner: Any, why: str) -> Any:
    raise NotImplementedError(f"{type(learner).__name__} {why}")
