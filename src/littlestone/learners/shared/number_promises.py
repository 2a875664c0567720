"""Number promises: what the theorems of learners that predict numbers say before the first round.

Let labels be from low to high, D apart and F in size at most, and let a rule of a constant in that range and k weights,
none of which changes a prediction by more than W, be off by e in the root of the mean square of T rounds. Of n
attributes at most a are not 0 in a row, N = n + 1 and A = a + 1 with the constant; no value is more than G times the
first of its attribute that is not 0, and no label more than G times as far from the first one as the first that differs
from it. Labels are counted from the first one, so that they are D in size at most, the constant of the rule too, and
the first round costs what its label does.

Ridge. The product of all 1 + q is at most the determinant of the matrix at the end over the product of ridge m_i^2, m_i
the first value of i that is not 0. A determinant is at most the product of the diagonal, where all attributes together
have T A in units of their largest values. So the square loss is at most

    T e^2 + ridge (k W^2 + D^2) + F^2 + D^2 (N ln(1 + T A / (ridge N)) + 2 n ln G),

and the mean error at most the root of it over T.

CoinRegression, absolute loss. Let L be the largest distance of a label from the first one. What there is to bet at
first is from wealth L / G to wealth L, r^2 is at most T + 1 in units of the largest values, and Q at most
lg((T + 1) G^2). So the loss is at most

    f(L) = T e + F + N wealth L + the sum of 2 v r max(0, ln(2 v r G / (wealth L)) + lg((T + 1) G^2) / 2 - 3/4)

over v = D and k times v = W; and, by the rule that is 0, at most g(L) = T L + F + N wealth L. L is from 0 to D. As f is
convex and f - g decreases, the smaller one of both is nowhere more than at the L where they meet, or at D.
"""

import math

from littlestone.base.number_assumptions import NumberAssumptions

ROUNDING = 1e-9  # of a number that a few dozen float operations gave


def bound_squares(a: NumberAssumptions, ridge: float) -> float:
    """The most that the mean error of Ridge can be."""
    rows = a.attributes + 1
    active = a.most + 1
    square = a.spread**2
    logarithms = rows * math.log1p(a.examples * active / (ridge * rows)) + 2 * a.attributes * math.log(a.growth)
    size = ridge * (a.relevant * a.change**2 + square)
    return math.hypot(a.error, math.sqrt((size + a.largest**2 + square * logarithms) / a.examples)) * (1 + ROUNDING)


def bound_bets(a: NumberAssumptions, wealth: float) -> float:
    """The most that the mean error of CoinRegression can be, by absolute loss."""
    r = math.sqrt(a.examples + 1)
    more = math.log2((a.examples + 1) * a.growth**2) / 2 - 0.75
    sizes = [(1, 2 * a.spread * r), (a.relevant, 2 * a.change * r)]

    def bound_by_rule(reach: float) -> float:
        """f, without what f and g have in common."""
        logs = [(many * size, size * a.growth / (wealth * reach)) for many, size in sizes if size]
        return a.examples * a.error + sum(size * max(0.0, math.log(ratio) + more) for size, ratio in logs)

    low = 0.0
    high = a.spread
    for _ in range(200):  # where f and g meet, from above
        middle = (low + high) / 2
        low, high = (low, middle) if bound_by_rule(middle) <= a.examples * middle else (middle, high)
    total = max(
        a.largest + (a.attributes + 1) * wealth * reach + min(bound_by_rule(reach), a.examples * reach)
        for reach in (high, a.spread)
    )
    return total / a.examples * (1 + ROUNDING)
