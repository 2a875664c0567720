"""Theorem: a bound kept as a question in exact arithmetic, and the facts of a run that it is asked about.

A learner lists its theorems. Each says in words what it supposes and what it counts, and answers "can there be m of
them?" from facts about the rounds; the answer needs no square root and is monotone in m, so that the bound, the largest
m that can be, is an exact whole number for rational facts. The *kind of facts* decides who finds a witness, who attacks
the bound and who computes what is left of it, not the learner: certificates, laws, budgets and plans ask for the kind.

`StepFacts` are about additive learners. Let one step along z_1, z_2, ... (z = y x, the constant attribute included; in
a network x in the block of the right class and -x in that of its rival), and let w be the sum of the steps in units of
the rate. For any vector u and margin g > 0, with shortfalls (g - u.z)+ over the steps, m more steps give

    u.w + m g - (sum of shortfalls) <= |u| |w after them|,       |w after them|^2 <= |w|^2 + m reach + excess,

where `reach` is the largest |z|^2 + 2 margin / rate and `excess` is zero unless floats decided a round.

>>> facts = StepFacts(norm=Fraction(17), reach=Fraction(3), margin=Fraction(1))
>>> Theorem("Novikoff", "", lambda f, m: (m * f.margin) ** 2 <= f.norm * f.reach * m).value(facts)
51
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from littlestone.base.bound import largest
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.printed_numbers import Number

Kind = Literal[
    "steps",
    "promotions",
    "phases",
    "volume",
    "kernel",
    "forgetting",
    "units",
    "losses",
    "numbers",
    "regrets",
    "advice",
    "state",
]


class StepFacts(NamedTuple):
    """What a comparator u shows about the steps of an additive learner; numbers may be rounded to a larger bound."""

    norm: Fraction  # |u|^2
    reach: Fraction  # the largest |z|^2 + 2 margin / rate over the steps
    margin: Fraction  # g
    shortfall: Fraction = Fraction(0)  # the sum of (g - u.z)+
    squares: Fraction = Fraction(0)  # the sum of their squares
    length: Fraction | None = None  # |w|^2 after the last step, where it is known
    excess: Fraction = Fraction(0)  # twice by how much rounding let agreements exceed margin / rate before a step
    ahead: Fraction = Fraction(0)  # u.w before the first of the steps
    begun: Fraction = Fraction(0)  # |w|^2 before the first of the steps


class LossFacts(NamedTuple):
    """What a comparator u shows about the log-loss of a run."""

    comparator: float  # the log-loss of u over all rounds
    cost: float  # what the size of u costs
    charge: float  # what the run was charged, whatever u is
    price: float = 0.0  # ln K + ln T of a mixture of K members over T rounds

    @property
    def bound(self) -> float:
        """What the run lost at most."""
        return self.comparator + self.cost + self.charge + self.price


class StepRule(NamedTuple):
    """How an additive learner steps, as far as its theorems need to know."""

    bias: float  # value of the constant attribute, 0: none
    rate: float = 1.0  # length of a step in multiples of z, where it is always the same
    margin: float = 0.0  # agreement up to which a round teaches
    normalized: bool = False  # whether steps are along z / |z|
    copies: bool = False  # whether a step adds z several times, as often as its mark says
    exact: bool = True  # whether the weights are whole multiples of sums of rows, computable without rounding
    network: bool = False  # whether z lies in the blocks of two classes


class Theorem(NamedTuple):
    """A theorem by name: what it supposes, and whether it lets m of what it counts happen.

    Args:
        name: The theorem and its paper.
        promise: What it supposes about the rounds, in words.
        possible: Whether m of what it counts can happen, given facts of its kind; monotone in m, true of 0.
        kind: The kind of facts that it needs.
        counts: What it counts.
        formula: The bound in symbols, for plans; empty where a plan has another.
        losses: What the witness may fall short by: nothing, a sum of shortfalls, or a sum of their squares.
        margin: The margin at which a comparator is measured; None where every margin will do.
        price: The weight of |u|^2 against the losses in the search for a witness; None: the reach.
        sharp: Whether it is tried without being asked for by name.
        knows_run: Whether it needs the length of the final weights.
    """

    name: str
    promise: str
    possible: Callable[[Any, int], bool]
    kind: Kind = "steps"
    counts: str = "updates"
    formula: str = ""
    losses: Literal["none", "hinge", "squared"] = "none"
    margin: float | None = None
    price: float | None = None
    sharp: bool = True
    knows_run: bool = False

    def value(self, facts: Any) -> int:
        """The bound: the largest m that is possible."""
        if isinstance(facts, StepFacts):
            require(facts.margin > 0, f"the margin must be positive, got {facts.margin}", NotCertified)
        return largest(lambda m: self.possible(facts, m))


def make_loss_theorem(name: str, kind: Kind = "losses", counts: str = "log-loss") -> Theorem:
    """A theorem about a loss that supposes nothing."""
    promise = "none: it is true of every stream and of every comparator u"
    return Theorem(name, promise, lambda facts, m: m <= facts.bound, kind=kind, counts=counts)


def make_regret_theorem(name: str, counts: str) -> Theorem:
    """A theorem about what a run lost on the rounds that moved it, beside any comparator; it supposes nothing."""
    promise = "none: it is true of every stream and of every comparator u"
    return Theorem(name, promise, lambda bound, m: bool(m <= bound), "regrets", counts, losses="hinge")


RIDGE = (make_regret_theorem("Ridge identity (Azoury and Warmuth 2001)", "weighed square loss"),)


class Attack(NamedTuple):
    """Rounds on which a theorem's bound can be attacked: an adversary may use any target that labels the points so."""

    points: list[Any]
    labels: Array  # of each target (a row), for each point (a column): whether it is positive
    allowed: list[Number]  # what the theorem allows if this target labels every round


class Takes(NamedTuple):
    """What rows a learner takes."""

    fractions: bool = True  # values besides 0 and 1, and -1 where negative ones are taken
    negative: bool = True
    importance: bool = False  # rounds that count more or less than others
    counts: bool = False  # values that say how often an attribute occurred
