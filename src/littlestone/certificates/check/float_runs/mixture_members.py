"""Members of mixtures for log-loss, played again in their own floats: AdaGrad, coins and Newton members.

Numbers are kept in the type of the run, products and sums are float64, one after another. All values are over the
largest size that their attribute has had. Beside what a run keeps stands what the theorems charge: for AdaGrad the
sum of rate a^2 / (2 sqrt(s + 1)), for coins that of a^2 / (s + 1) of each attribute, for Newton members that of
(v g^2 - 2 e g - c e^2) / (2 (1 + c v)), with s before the step.
"""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import exponential, long_rule, rule

RICHEST = 1e30  # a wealth is kept between the inverse of this and this
STEPS = 60  # of the search for the score of a Newton member


class MemberSettings(NamedTuple):
    """What is known of a mixture before the first round."""

    rates: Array
    wealths: Array
    kappas: Array
    ridge: float
    limit: int  # attributes up to which there are Newton members
    guard: bool
    share: bool
    constant: bool


class MixedUnits(NamedTuple):
    """All units of a run, its rows being the attributes in the order in which they were met, the constant first."""

    places: Array  # of each attribute its row; 0: it was not met
    sizes: Array  # the largest value of each row
    sums: Array  # units, rows, members of first order: of the steps
    squares: Array  # the same of their squares
    wealths: Array  # units, rows, coins
    bets: Array  # units, rows, coins: what their theorem charges
    weights: Array  # units, members
    centres: Array  # units, Newton members, rows
    inverses: Array  # units, Newton members, rows, rows
    along: Array  # units, Newton members, rows: the inverse times the row at hand
    charges: Array  # units, members: a sum, what rounding took from it, and the sum of the sizes of its terms
    losses: Array  # the log-loss and the expected mistakes, each a sum and what rounding took from it
    counts: Array  # rounds, classes met, rows met, whether there are Newton members


class RowAtHand(NamedTuple):
    """A row over the largest sizes, and what members say of it."""

    rows: Array
    values: Array
    shrinks: Array
    scores: Array  # units, members
    high: Array  # the chance of yes
    low: Array  # the chance of no
    ahead: Array  # units, Newton members
    spread: Array
    yes: Array  # units
    no: Array


@long_rule
def add_carefully(sums: Array, value: float) -> Any:
    """Add to a sum, and to the number beside it what rounding takes away."""
    total = sums[0]
    after = total + value
    if abs(total) >= abs(value):
        sums[1] += (total - after) + value
    else:
        sums[1] += (value - after) + total
    sums[0] = after


@long_rule
def find_bet(units: Any, unit: int, row: int, member: int) -> Any:
    """The share of its wealth that a coin bets on a row's attribute."""
    total = np.float64(units.sums[unit, row, member])
    square = np.float64(units.squares[unit, row, member]) + 1.0
    reach = np.sqrt(square)
    return min(max(total, -reach), reach) / (2.0 * square)


@long_rule
def score_first_order(units: Any, unit: int, hand: Any, count: int, known: Any) -> Any:
    """Write the scores of the members of first order."""
    rates = known.rates.size
    coins = known.wealths.size
    for k in range(rates + coins):
        hand.scores[unit, k] = 0.0
    for j in range(count):
        row = hand.rows[j]
        value = hand.values[j]
        for k in range(rates):
            below = np.sqrt(np.float64(units.squares[unit, row, k]) + 1.0)
            hand.scores[unit, k] += known.rates[k] * np.float64(units.sums[unit, row, k]) / below * value
        for k in range(coins):
            bet = find_bet(units, unit, row, rates + k)
            hand.scores[unit, rates + k] += bet * np.float64(units.wealths[unit, row, k]) * value


@long_rule
def learn_first_order(units: Any, unit: int, hand: Any, count: int, target: bool, importance: float, known: Any) -> Any:
    """Teach the members of first order a round of some importance, and charge them."""
    rates = known.rates.size
    coins = known.wealths.size
    for k in range(rates + coins):
        pull = importance * (hand.low[unit, k] if target else -hand.high[unit, k])
        charge = 0.0
        for j in range(count):
            row = hand.rows[j]
            value = hand.values[j]
            square = np.float64(units.squares[unit, row, k])
            step = pull * value
            if k < rates:
                charge += known.rates[k] * step * step / (2.0 * np.sqrt(square + 1.0))
            else:
                gained = 1.0 + step * find_bet(units, unit, row, k)
                wealth = np.float64(units.wealths[unit, row, k - rates]) * gained
                units.wealths[unit, row, k - rates] = min(max(wealth, 1.0 / RICHEST), RICHEST)
                units.bets[unit, row, k - rates] += step * step / (square + 1.0)
            units.sums[unit, row, k] = np.float64(units.sums[unit, row, k]) + step
            units.squares[unit, row, k] = square + step * step
        add_carefully(units.charges[unit, k], charge)
        units.charges[unit, k, 2] += charge


@rule
def find_root(ahead: float, spread: float) -> Any:
    """The score s = ahead - (spread / 2) tanh(s / 2), by Newton's steps between ends that close in on it."""
    low = min(ahead, 0.0)
    high = max(ahead, 0.0)
    s = ahead
    for _ in range(STEPS):
        rest = exponential(-abs(s))
        size = (1.0 - rest) / (1.0 + rest)
        tanh = size if s >= 0 else -size
        excess = s - ahead + 0.5 * spread * tanh
        if excess > 0:
            high = s
        else:
            low = s
        after = s - excess / (1.0 + 0.25 * spread * (1.0 - tanh * tanh))
        if not low < after < high:
            after = 0.5 * (low + high)
        if excess == 0 or abs(after - s) <= 2e-16 * abs(s):
            break
        s = after
    return s


@long_rule
def look_ahead(units: Any, unit: int, k: int, hand: Any, count: int) -> Any:
    """Write what a Newton member expects of a row, and how unsure it is of that."""
    centre = units.centres[unit, k]
    inverse = units.inverses[unit, k]
    along = units.along[unit, k]
    met = units.counts[2]
    ahead = 0.0
    spread = 0.0
    for i in range(met):
        along[i] = 0.0
    for j in range(count):
        ahead += centre[hand.rows[j]] * hand.values[j]
        for i in range(met):
            along[i] += hand.values[j] * inverse[hand.rows[j], i]
    for j in range(count):
        spread += hand.values[j] * along[hand.rows[j]]
    hand.ahead[unit, k], hand.spread[unit, k] = ahead, max(spread, 0.0)


@long_rule
def rescale(units: Any, unit: int, k: int, row: int, shrink: float, ridge: float) -> Any:
    """Put an attribute into units of its new largest size, the old one over it being `shrink`; its ridge grows."""
    centre = units.centres[unit, k]
    inverse = units.inverses[unit, k]
    along = units.along[unit, k]
    met = units.counts[2]
    more = ridge * (1.0 - shrink * shrink)
    kept = inverse[row, row]
    share = centre[row]
    below = shrink * shrink + more * kept
    root = np.sqrt(more / below)
    for i in range(met):
        along[i] = root * inverse[row, i]
    for i in range(met):
        centre[i] -= along[i] * (root * share)
        for j in range(met):
            inverse[i, j] -= along[i] * along[j]
    for i in range(met):
        inverse[row, i] = along[i] / root * (shrink / below)
        inverse[i, row] = inverse[row, i]
    inverse[row, row] = kept / below
    centre[row] = share * (shrink / below)


@long_rule
def learn_newton(units: Any, unit: int, k: int, hand: Any, target: bool, importance: float, known: Any) -> Any:
    """Teach a Newton member a round of some importance, and charge it."""
    member = known.rates.size + known.wealths.size + k
    high = hand.high[unit, member]
    low = hand.low[unit, member]
    spread = hand.spread[unit, k]
    behind = hand.ahead[unit, k] - hand.scores[unit, member]
    curve = importance * known.kappas[k] * high * low
    slope = importance * (-low if target else high)
    below = 1.0 + curve * spread
    gain = spread * slope * slope
    across = 2.0 * behind * slope
    bent = curve * behind * behind
    add_carefully(units.charges[unit, member], (gain - across - bent) / (2.0 * below))
    units.charges[unit, member, 2] += (gain + abs(across) + bent) / (2.0 * below)
    step_along(units, unit, k, (-curve * behind - slope) / below, curve / below)


@long_rule
def step_along(units: Any, unit: int, k: int, step: float, taken: float) -> Any:
    """Move the centre by `step` along the inverse times the row, and take from the inverse that vector's square."""
    centre = units.centres[unit, k]
    inverse = units.inverses[unit, k]
    along = units.along[unit, k]
    met = units.counts[2]
    root = np.sqrt(taken)
    for i in range(met):
        centre[i] += step * along[i]
        along[i] *= root
    for i in range(met):
        if along[i] != 0:
            for j in range(met):
                inverse[i, j] -= along[i] * along[j]
