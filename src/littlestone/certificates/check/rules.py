"""What the checker knows of an additive learner: its rule and its theorems, as a table that it is given or has.

An additive learner scores a row x by w.x, guesses the sign, and in a round that teaches replaces w by shrink w + along
y x, y being +1 or -1; then w is shortened to the length `cap` if it is longer. Such a rule, with the theorems that
bound its updates or mistakes, is one `CheckedRule`. `verify(..., rules=[...])` takes further ones, so that a learner of
one's own is checked like those of the library:

    def go_part_of_the_way(seen, parameters):
        return CheckedStep(parameters["part"] * (1 - seen.agreement) / seen.square)

    def relaxation_is_impossible(witness, m, parameters):
        part = Fraction(parameters["part"])
        return m * part * (2 - part) * witness.margin**2 > witness.longest * witness.norm

    CheckedRule(
        learner="Relaxation",
        parameters={"part": is_between(0, 2)},
        step=go_part_of_the_way,
        theorems=(CheckedTheorem("Relaxation (Agmon 1954)", CLEAN, relaxation_is_impossible, clean=True),),
    )

Steps are computed in floats, as the run's own were, unless a rule is `exact`: then weights are whole multiples of rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite
from typing import Any, Literal, NamedTuple

from littlestone.base.exact_numbers import round_root_up
from littlestone.base.learner import UNLIMITED

Parameters = Mapping[str, Any]
LOOSE = Fraction(1, 2**36)  # of what is measured of a witness, by which floats may be off
CLEAN = "some u has u.z >= g > 0 on every update round"


class UpdateFacts(NamedTuple):
    """What a rule may look at in a round. A network of such units steps along x for one class and -x for another."""

    agreement: Any  # y w.x
    square: Any  # |x|^2, the constant attribute included
    length: float  # |w|^2
    updates: int  # before this round


class CheckedStep(NamedTuple):
    """What an update does: w becomes shrink w + along y x, and no longer than `cap`."""

    along: Any
    shrink: float = 1.0
    cap: float = inf


class WitnessFacts(NamedTuple):
    """A comparator u measured on the update rounds, z being y x, and y x / |x| where the rule is normalized."""

    norm: Fraction  # |u|^2
    longest: Fraction  # the largest |x|^2
    shortest: Fraction  # the least |x|^2, 0 without updates
    margin: Fraction  # g
    shortfall: Fraction  # the sum of (g - u.z)+
    squares: Fraction  # the sum of their squares
    length: Fraction  # |w|^2 after the last round, in units of the rate; of an exact rule only
    excess: Fraction  # twice by how much rounding let agreements exceed the threshold before a step, in such units
    entries: int = 2**14  # the most that a z has, where that is known

    def loosen(self, steps: Any, unit: bool) -> "WitnessFacts":
        """The most that floats may have measured of the same u over a number of steps, when the certificate was made.

        A bound that even this does not give is not the theorem's value. Where rows are normalized, z has `unit` length.
        """
        size = Fraction(1) if unit else self.longest  # the largest |z|^2
        reach = Fraction(self.entries + 8, 2**50) * round_root_up(self.norm * size)  # of an agreement
        grown = (LOOSE + Fraction(steps) ** 2 / 2**50) * size * steps
        squares = self.squares + 2 * reach * self.shortfall + steps * reach**2
        short = self.shortfall + steps * reach
        longer = (1 + LOOSE) * self.norm, (1 + LOOSE) * self.longest, (1 - LOOSE) * self.shortest
        losses = (1 + LOOSE) * short, (1 + LOOSE) * squares
        return WitnessFacts(*longer, self.margin, *losses, self.length + grown, self.excess + grown)


class CheckedTheorem(NamedTuple):
    """A theorem by its name and promise.

    Args:
        name: What certificates call it.
        promise: What it supposes, in the words of certificates.
        impossible: Whether m updates, or whatever is counted, would contradict it with this witness.
        clean: Whether it supposes that u.z >= g on every update round.
    """

    name: str
    promise: str
    impossible: Callable[[WitnessFacts, Fraction | int, Parameters], bool]
    clean: bool = False


def _use_zero(seen: UpdateFacts, parameters: Parameters) -> float:
    """A round teaches unless y w.x > 0."""
    return 0.0


@dataclass(frozen=True)
class CheckedRule:
    """An additive learner as the checker knows it.

    Args:
        learner: The name of its class.
        step: What an update does.
        theorems: What bounds it.
        parameters: Which values each of its parameters may have; `bias`, `rate` and `tie` mean what they mean for
            `Perceptron`.
        threshold: A round teaches if y w.x is less than this.
        at_threshold: Whether it also teaches if it is equal; with `tie`, at 0 only if the guess was wrong.
        counts: What the theorems count.
        normalized: Whether the theorems are about rows of length 1.
        exact: Whether `step` is a whole number, in units of `rate`, so that everything can be checked exactly.
        marked: Whether the marks of a certificate say how large that number was.
        network: Whether the theorems also cover a `Network` of such units.
        rounds_rate: Whether the run holds `rate` in its own floats, which may be short.
        asks: Whether the label of a round was asked for, by its number, agreement and the largest |x|^2 so far, the
            constant attribute counted; None of it: too close to tell. Without it, all are.
    """

    learner: str
    step: Callable[[UpdateFacts, Parameters], CheckedStep]
    theorems: tuple[CheckedTheorem, ...]
    parameters: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    threshold: Callable[[UpdateFacts, Parameters], float] = _use_zero
    at_threshold: bool = True
    counts: Literal["updates", "mistakes", "steps"] = "updates"
    normalized: bool = False
    exact: bool = False
    marked: bool = False
    network: bool = False
    rounds_rate: bool = False
    asks: Callable[[Parameters, int, Fraction, float], bool | None] | None = None

    def admits(self, about: Mapping[str, Any]) -> bool:
        """Whether a learner may have these parameters."""
        return all(is_allowed(about.get(name)) for name, is_allowed in self.parameters.items())


class AdditiveClaim(NamedTuple):
    """A learner as a certificate describes it: its rule, and its parameters as the floats of the run hold them."""

    rule: CheckedRule
    parameters: Parameters
    network: bool
    digits: int  # of the run's floats: 24 or 53

    @property
    def bias(self) -> float:
        return float(self.parameters.get("bias", 0.0))

    @property
    def rate(self) -> Fraction:
        return Fraction(self.parameters.get("rate", 1))

    @property
    def margin(self) -> Fraction:
        """The threshold of an exact rule in units of the rate."""
        return Fraction(self.rule.threshold(UpdateFacts(0, 0, 0.0, 0), self.parameters)) / self.rate

    @property
    def limit(self) -> int:
        """How many classes it tells apart."""
        return UNLIMITED if self.network else 2

    @property
    def marked(self) -> bool:
        """Whether marks say what the rule leaves open: how many copies were added, or from which class it stepped."""
        return self.network or self.rule.marked

    def teaches_at_threshold(self, code: int, threshold: Any) -> bool:
        """Whether a round of this class teaches if its agreement is the threshold itself."""
        tie = self.parameters.get("tie", "strict")
        tied = not self.network and tie != "strict" and threshold == 0
        return self.rule.at_threshold and not (tied and code == int(tie == "plus"))

    def loses_ties(self, code: int) -> bool:
        """Whether a score of 0 is a mistake in a round of this class."""
        return code != int(self.parameters.get("tie", "strict") == "plus")


def is_at_least(low: float) -> Callable[[Any], bool]:
    """Whether a parameter is a finite number and at least this."""
    return lambda value: type(value) in (int, float) and low <= value and isfinite(value)


def is_between(low: float, high: float) -> Callable[[Any], bool]:
    """Whether a parameter is a number between two others."""
    return lambda value: type(value) in (int, float) and low < value < high


def is_one_of(*values: Any) -> Callable[[Any], bool]:
    """Whether a parameter is one of some words."""
    return lambda value: any(type(value) is type(one) and value == one for one in values)
