"""Loss promises: what the theorems of learners for log-loss say before the first round, where labels are an OR.

Attributes are then 0 or 1, so that each has its largest size from its first value on. Let u0 be 2 for each relevant
attribute and -1 for the constant one, n all attributes and a those of a row that are not 0 at most, the constant
counted. In T rounds, f of which have a wrong label, s u0 loses at most

    T ln(1 + e^-s) + f ln(1 + e^(s m)),    m the largest size of a score of u0.

A learner's own loss L bounds what its theorem charges. With p the chance of the label, (1 - p)^2 and p (1 - p) are at
most -ln p, so the squares S_i of an attribute add up to at most L, those of all attributes to at most a L, and the sum
of their roots is at most sqrt(n a L). So L <= T ln(1 + e^-s) + f ln(1 + e^(s m)) + F(L), with

    AdaGrad(rate)  F(L) = s^2 |u0|^2 sqrt(L + 1) / (2 rate) + rate sqrt(n a L)
    Coin(wealth)   F(L) = n wealth + the sum of 2 v r max(0, ln(2 v r / wealth) + ln(r) / ln(2) - 3/4),
                   v = s |u0_i|, r = sqrt(L + 1)
    Aioli(kappa)   F(L) = (ridge / 2) s^2 |u0|^2 + n ln(1 + kappa a L / (ridge n)) / (2 kappa), kappa <= 2 / (2 + s m)

and L is at most the largest number for which that holds. A mixture of K members adds ln K + ln T to the best one's, and
mistakes are at most L / ln 2. What is printed is the least over s.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.learners.shared.forecaster_state import Members

SCALES = [2.0 ** (step / 4) for step in range(-8, 29)]  # by which u0 is multiplied: from a quarter to 128
RATES = [2.0**step for step in range(-8, 9)]
ROUNDING = 1e-9  # of a number that a few dozen float operations gave


class OrFacts(NamedTuple):
    """What the theorems need of the assumptions."""

    rounds: int
    flips: int
    attributes: int  # the constant counted, as below
    active: int
    sizes: tuple[tuple[int, float], ...]  # how many numbers of u0 have which size
    reach: float  # the largest size of a score of u0

    @classmethod
    def of(cls, a: Assumptions) -> "OrFacts | None":
        """The facts, where the target is an OR throughout and the number of rounds is known."""
        if a.margin is not None or a.drift or a.examples is None:
            return None
        c = Comparator.of(a)
        sizes = tuple((count, float(size)) for count, size in c.entries)
        reach = max(float(c.margin), float(c.shortfall - c.margin))
        return cls(a.examples, a.flips, c.attributes, c.active, sizes, reach)

    def square(self) -> float:
        """The squared length of u0."""
        return sum(count * size**2 for count, size in self.sizes)

    def lose(self, scale: float) -> float:
        """What `scale` times u0 loses at most."""
        wrong = self.flips * (scale * self.reach + math.log1p(math.exp(-scale * self.reach)))
        return self.rounds * math.log1p(math.exp(-scale)) + wrong


def find_largest(bound: Callable[[float], float]) -> float:
    """A number that no L with L <= bound(L) exceeds, for a bound that grows, and in the end more slowly than L."""
    high = 1.0
    while bound(high) > high:
        high *= 2
    for _ in range(200):  # from above, so that every step is such a number
        after = bound(high)
        if after >= high * (1 - 1e-12):
            break
        high = after
    return high * (1 + ROUNDING)


def bound_ada_grad(facts: OrFacts, rate: float) -> float:
    """The least bound of AdaGrad's theorem on its log-loss."""
    spread = rate * math.sqrt(facts.attributes * facts.active)

    def find(scale: float) -> float:
        known, size = facts.lose(scale), scale**2 * facts.square() / (2 * rate)
        return find_largest(lambda loss: known + size * math.sqrt(loss + 1) + spread * math.sqrt(loss))

    return min(map(find, SCALES))


def bound_coin(facts: OrFacts, wealth: float) -> float:
    """The least bound of Coin's theorem on its log-loss."""

    def charge(loss: float, scale: float) -> float:
        r = math.sqrt(loss + 1)
        reaches = [(count, 2 * scale * size * r) for count, size in facts.sizes]
        more = math.log2(r) - 0.75  # half of Q, which is at most log2(S + 1)
        return sum(count * reach * max(0.0, math.log(reach / wealth) + more) for count, reach in reaches)

    def find(scale: float) -> float:
        known = facts.lose(scale) + facts.attributes * wealth
        return find_largest(lambda loss: known + charge(loss, scale))

    return min(map(find, SCALES))


def bound_aioli(facts: OrFacts, kappa: float | None, ridge: float) -> tuple[float, float]:
    """The least bound of Aioli's theorem on its log-loss, and its kappa: the largest allowed, unless one is given."""
    n = facts.attributes
    found = list[tuple[float, float]]()
    for scale in SCALES:
        most = 2 / (2 + scale * facts.reach)
        if kappa is not None and kappa > most:
            continue
        own = most if kappa is None else kappa
        known = facts.lose(scale) + ridge / 2 * scale**2 * facts.square()
        times = own * facts.active / (ridge * n)
        bound = find_largest(lambda loss: known + n * math.log1p(times * loss) / (2 * own))  # noqa: B023
        found.append((bound, own))
    return min(found, default=(math.inf, 1.0))


def bound_mixture(facts: OrFacts, members: Members, share: bool) -> float:
    """The least bound of a mixture's theorem on its log-loss, through its best member."""
    bounds = [bound_ada_grad(facts, rate) for rate in members.rates]
    bounds += [bound_coin(facts, wealth) for wealth in members.wealths]
    if facts.attributes <= members.limit:
        bounds += [bound_aioli(facts, kappa, members.ridge)[0] for kappa in members.kappas]
    many = members.first + len(members.kappas)
    price = math.log(many) + (math.log(facts.rounds) if share else 0.0) if many > 1 else 0.0
    return (min(bounds) + price) * (1 + ROUNDING)


def list_rates(facts: OrFacts) -> Iterator[tuple[float, float]]:
    """AdaGrad's bounds for several rates, each with its rate."""
    for rate in RATES:
        yield bound_ada_grad(facts, rate), rate
