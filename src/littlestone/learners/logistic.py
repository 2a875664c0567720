"""Logistic: a Bayes mixture of learners for log-loss, so that nothing has to be tuned; the default.

Members are AdaGrad with several rates, coins with several first wealths, and, while there are at most `second_order`
attributes, Aioli with several kappas. With weights w, at first equal, and P_k the chance that member k gives class 1,

    p = sum of w_k P_k,

and class 1 is guessed if p > 1/2. Then each weight is multiplied by the chance that its member gave the label, weights
are made to add up to 1, and after n rounds a share of 1 / (n + 1) of all weight is spread evenly, so that a member that
was poor for long can come back; every member learns from its own chance. More than two classes have one such mixture
each, for "this class or not", and chances in proportion to theirs, or a softmax; classes may come at any time.

Theorem. On every stream of T rounds, with K members, for each member k

    log-loss <= log-loss of k + ln K + ln T,

and so for every u what the member's own theorem says of it, plus ln K + ln T. With s switches from member to member
after rounds t_1, t_2, ... it is at most the sum of their losses, each on its rounds, + (s + 1) ln K + ln T + the sum of
ln t_j. Mistakes are at most log-loss / ln 2; guessing class 1 with probability p, at most log-loss are expected.

Proof. -ln p is the logarithm of how much the unnormalised weights fall in the round. Following k, its part is
multiplied by the chances that k gave, by at least 1/K at first, and by n / (n + 1) after round n, in all at least 1/T;
a switch after round n costs at most ln(K (n + 1)) instead of that factor. A mistake gives the label at most 1/2. When
attributes become more than `second_order`, Aioli's weight goes to the others, which can only help these.

With more classes a mistake c for y has p_c >= p_y, so the two units together lose at least ln 4 in that round: mistakes
are at most the classes, plus the sum of the units' losses / (2 ln 2). The log-loss of the chances that are given is at
most the sum of the units' losses, because the sum of the p_c is at most the product of 1 / (1 - p_c) over c other than
y.

With `classes="softmax"` a member has a weight vector for each class, and learns that of class c from its chance less 1
if c was the label. The members' theorems hold with sums over attributes and classes, the loss of a comparator being
over the classes met in the round. What the log-loss of the state counts has a reserve of 1 / (t + 1) in play t for a
class not met: in T plays that costs ln(T + 1) and ln(t + 1) for each class first met in t; chances that are given have
none. With "both", softmax and units are mixed as members are: at most ln 2 + ln T more than the better one.

M. Herbster and M. K. Warmuth. Tracking the best expert. Machine Learning 32:151-178, 1998. V. Vovk. A game of
prediction with expert advice. Journal of Computer and System Sciences 56:153-173, 1998.

>>> from littlestone import Recorded, play
>>> game = play(Logistic(), Recorded([[1.0, 200.0], [1.0, -300.0]] * 20, ["yes", "no"] * 20))
>>> game.player.predict([1.0, 250.0]), game.mistakes
('yes', 1)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final, get_args

from littlestone.base.assumptions import Assumptions
from littlestone.base.errors import require, require_nonnegative, require_positive
from littlestone.base.theorem import Theorem, make_loss_theorem
from littlestone.base.traits import PlanEntry
from littlestone.learners.shared.forecast_learner import ForecastLearner
from littlestone.learners.shared.forecaster_state import Form, Members
from littlestone.learners.shared.loss_promises import OrFacts, bound_mixture
from littlestone.learners.shared.scale_free_learner import require_precision

MOST_MEMBERS = 16

THEOREMS = (make_loss_theorem("Logistic, log-loss through a member (Herbster and Warmuth 1998)"),)


@final
@dataclass(frozen=True)
class Logistic(ForecastLearner):
    """Probabilities by a mixture of logistic regressions that needs no tuning; columns may be in any units.

    Args:
        rates: Of AdaGrad members, each > 0.
        wealths: Of coins at first, each > 0.
        kappas: Of Aioli members, each from 0 to 1.
        ridge: Of Aioli members, > 0.
        second_order: Attributes, the constant one included, up to which there are Aioli members.
        share: Whether members that were poor can come back.
        guard: Whether a value is cut to twice the largest size of its attribute before it.
        bias: Whether there is a constant attribute; 0: none.
        precision: Bits of a number that is kept of an attribute, 32 or 64.
        classes: How more than two are told apart: "units", one mixture a class, "this class or not"; "softmax", one
            weight vector a class, all learned together, without Aioli members; "both", a mixture of these two.
    """

    rates: tuple[float, ...] = (0.125, 1.0, 4.0, 32.0)
    wealths: tuple[float, ...] = (1.0, 4.0)
    kappas: tuple[float, ...] = (0.5, 0.1)
    ridge: float = 0.1
    second_order: int = 128
    share: bool = True
    guard: bool = True
    bias: float = 1.0
    precision: int = 32
    classes: Form = "units"

    def __post_init__(self) -> None:
        for name in ("rates", "wealths", "kappas"):
            for value in getattr(self, name):
                require_positive(**{name: value})
        members = len(self.rates) + len(self.wealths)
        few = "needs a rate or a wealth: matrices are for few attributes"
        require(members > 0, f"Logistic {few}")
        require(members + len(self.kappas) <= MOST_MEMBERS, f"Logistic has at most {MOST_MEMBERS} members")
        require(all(kappa <= 1 for kappa in self.kappas), f"kappas must be at most 1, got {self.kappas}")
        require_positive(ridge=self.ridge)
        require_nonnegative(bias=self.bias)
        limit = "attributes of a matrix, from 0 to 4096"
        require(0 <= self.second_order <= 4096, f"second_order must be {limit}, got {self.second_order}")
        require_precision(self.precision)
        forms = get_args(Form)
        require(self.classes in forms, f"classes must be {' or '.join(map(repr, forms))}, got {self.classes!r}")

    @cached_property
    def members(self) -> Members:
        kappas = self.kappas if self.second_order and self.classes != "softmax" else ()
        kept = self.precision // 8, self.classes
        return Members(self.rates, self.wealths, kappas, self.ridge, self.second_order, *kept)

    def theorems(self) -> tuple[Theorem, ...]:
        return THEOREMS

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        facts = OrFacts.of(assumptions)
        if facts is not None:
            learner = cls()
            n = facts.attributes
            steps = (n**2 if n <= learner.second_order else 0) + learner.members.first * facts.active
            bound = bound_mixture(facts, learner.members, learner.share)
            yield learner.promise(bound, "(L + ln K + ln T) / ln 2, L the least bound of its members", steps, 64.0 * n)
