"""Games of exponential weights played again between two decimals.

Losses are fractions; weights are exponentials of them, enclosed; so is every guess, and what it is charged. Nothing is
subtracted from weights and none is normalised, so enclosures widen by a rounding or two a round, but where an
expert sleeps: there the charge of the sleepers is a quotient of sums, and half a digit may be lost.

An adaptive rate depends on all weights so far and these on it, so that plain enclosures of both widen by a factor a
round. There the gap g that the rate rests on is enclosed by the mean value theorem: f(g) = g + (what a round adds) lies
within f'(all of the gaps) (g - c) of f(c), c being the middle, and f' hardly exceeds 1.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from littlestone.certificates.check.experts_losses import CheckedLoss
from littlestone.certificates.check.intervals import Enclosing, Interval
from littlestone.certificates.check.report import ReplayCounts

Row = Sequence[Fraction | None]
NEAR = Decimal(2) ** -30  # what lies so near an edge may have been decided by the rounding of the run


class WeightRule(NamedTuple):
    """A learner by its numbers: how it guesses, how its rate moves, and what it charges."""

    guess: str  # mean, draw, coin or mix
    schedule: str  # fixed, perfect (a penalty of 0), anytime, adaptive or share
    cost: CheckedLoss
    rate: Fraction = Fraction(0)  # of losses scaled to [0, 1]
    penalty: Fraction | None = None  # where the rate is ln(1 / penalty)
    shape: str = ""  # of a coin: straight, linear or vovk
    switching: Fraction = Fraction(0)


@dataclass(kw_only=True)
class EnclosedGame(ReplayCounts):
    """The loss, and what each expert was charged asleep; `differing` are rounds whose coins rounding may decide."""

    loss: Interval
    asleep: list[Interval] = field(default_factory=list)


class EnclosedWeights:
    """The weights of experts before each round, and what they were charged asleep."""

    def __init__(self, rule: WeightRule, reals: Enclosing, experts: int) -> None:
        self.rule = rule
        self.reals = reals
        self.round = 0
        self.losses, self.asleep = [Fraction(0)] * experts, [reals.of(0)] * experts
        self.weights = [reals.of(1)] * experts
        self.gap, self.variety = reals.of(0), reals.ln(experts)
        self._factors: dict[Fraction, Interval] = {}
        self.scale = rule.cost.top if rule.cost.name != "Log" else Fraction(1)
        self.rate = reals.ln(1 / rule.penalty) if rule.penalty else reals.of(rule.rate) / self.scale

    def weigh(self) -> None:
        """Set the weights of this round, where they do not follow from the last ones by a factor."""
        reals = self.reals
        self.round = self.round + 1
        if self.rule.schedule == "perfect":
            self.weights = [reals.of(int(loss == 0)) for loss in self.losses]
        elif self.rule.schedule == "anytime":
            self.rate = 2 * reals.root(self.variety / self.round) / self.scale
            charges = [loss + extra for loss, extra in zip(self.losses, self.asleep, strict=True)]
            self.weights = [self._find_weight(charge) for charge in charges]
        elif self.rule.schedule == "adaptive":
            least = min(self.losses)
            if self.gap.high == 0:
                self.weights = [reals.of(int(loss == least)) for loss in self.losses]
            else:
                self.rate = self.variety / self.gap
                self.weights = [self._find_weight(reals.of(loss - least)) for loss in self.losses]

    def _find_weight(self, charge: Interval) -> Interval:
        """The weight e^(-rate * charge) of an expert with this charge."""
        return self.reals.of(1) if charge.high <= 0 else self.reals.exp(-(self.rate * charge))

    def find_factor(self, loss: Fraction) -> Interval:
        """By how much a loss divides a weight."""
        if loss not in self._factors:
            exact = self.rule.penalty if self.rule.penalty and loss == 1 else None
            self._factors[loss] = self._find_weight(self.reals.of(loss)) if exact is None else self.reals.of(exact)
        return self._factors[loss]

    def average(self, numbers: dict[int, Fraction]) -> Interval:
        """The mean of what some experts have, by their weights."""
        parts = self.reals.total(self.weights[k] * number for k, number in numbers.items())
        return parts / self.reals.total(self.weights[k] for k in numbers)

    def guess(self, awake: dict[int, Fraction]) -> Interval:
        """The guess between what experts say: their mean, or Vovk's mixture."""
        reals = self.reals
        cost = self.rule.cost
        said = awake.values()
        if self.rule.guess != "mix":
            return reals.clamp(self.average(awake), min(said), max(said))
        low, high = (
            reals.total(self.weights[k] * self.find_factor(cost.price(x, end)) for k, x in awake.items())
            for end in (cost.low, cost.high)
        )
        width = 2 * cost.steepness * (cost.high - cost.low)
        tilt = reals.ln(high / low) / (self.rate * width)
        return reals.clamp((cost.low + cost.high) / 2 + tilt, cost.low, cost.high)

    def learn(self, awake: dict[int, Fraction], y: Fraction) -> None:
        """Charge all experts: those awake their losses, those asleep the mix loss of the others."""
        reals = self.reals
        cost = self.rule.cost
        before = self.weights
        experts = len(before)
        log = cost.name == "Log"
        lost = {} if log else {k: cost.price(x, y) for k, x in awake.items()}
        if self.rule.schedule == "adaptive":
            self._widen_gap(lost)
        if self.rule.schedule in ("fixed", "share") or len(awake) < experts:
            if self.rule.schedule == "anytime":
                self._factors = {}  # the rate is another in every round
            after = list(before)
            for k, x in awake.items():
                after[k] = before[k] * ((x if y == 1 else 1 - x) if log else self.find_factor(lost[k]))
            if len(awake) < experts:
                left = reals.total(after[k] for k in awake) / reals.total(before[k] for k in awake)
                mix = reals.ln(1 / left) / self.rate
                for k in set(range(experts)) - set(awake):
                    after[k], self.asleep[k] = before[k] * left, self.asleep[k] + mix
            self.weights = after
        if self.rule.schedule == "share":
            dealt = self.rule.switching / experts * reals.total(self.weights)
            self.weights = [(1 - self.rule.switching) * weight + dealt for weight in self.weights]
        for k, loss in lost.items():
            self.losses[k] += loss

    def _widen_gap(self, lost: dict[int, Fraction]) -> None:
        """Add by how much the mean loss of an adaptive round exceeds its mix loss."""
        reals = self.reals
        least = min(self.losses)
        if self.gap.high == 0:
            leaders = [lost[k] for k, loss in enumerate(self.losses) if loss == least]
            mean = sum(leaders, Fraction(0)) / len(leaders)
            self.gap = reals.of(mean - (min(loss + lost[k] for k, loss in enumerate(self.losses)) - least))
            return
        middle = reals.middle(self.gap)
        own = [loss - least for loss in self.losses]
        costs = list(lost.values())
        added = mix_losses(reals, self.variety / middle, own, costs)
        around = mix_losses(reals, self.rate, own, costs)
        slope = 1 + around.fall * self.rate / self.gap
        self.gap = middle + (added.mean - added.mix).positive_part + slope * (self.gap - middle)


class MixedRound(NamedTuple):
    """The mean and the mix loss of a round, and how fast their difference falls as the rate grows."""

    mean: Interval
    mix: Interval
    fall: Interval


def mix_losses(reals: Enclosing, rate: Interval, charges: list[Fraction], costs: list[Fraction]) -> MixedRound:
    """What experts of these charges L, the least being 0, lose in a round of costs l, at all rates between two.

    With shares p ~ e^(-rate L) before the round and q ~ e^(-rate (L + l)) after it, the mean is E_p l and the mix loss
    m is ln(sum e^(-rate L) / sum e^(-rate (L + l))) / rate. Their derivatives are E_p L E_p l - E_p (L l) and
    (E_q (L + l) - E_p L - m) / rate.
    """
    ends = [charge + cost for charge, cost in zip(charges, costs, strict=True)]
    before, after = ([reals.exp(-(rate * charge)) for charge in part] for part in (charges, ends))
    whole = reals.total(before)
    left = reals.total(after)

    def average(weights: list[Interval], of: Iterable[Fraction], total: Interval) -> Interval:
        return reals.total(weight * number for weight, number in zip(weights, of, strict=True)) / total

    charge = average(before, charges, whole)
    mean = average(before, costs, whole)
    end = average(after, ends, left)
    both = average(before, (one * other for one, other in zip(charges, costs, strict=True)), whole)
    mix = reals.ln(whole / left) / rate
    return MixedRound(mean, mix, both - charge * mean + (end - charge - mix) / rate)


def play_enclosed(
    rule: WeightRule, rows: Sequence[Row], truth: Sequence[Fraction], coins: Sequence[Fraction], digits: int
) -> EnclosedGame:
    """Play all rounds, each number with the given number of digits."""
    reals = Enclosing(digits)
    pool = EnclosedWeights(rule, reals, len(rows[0]))
    curve = _make_curve(rule, reals)
    game = EnclosedGame(loss=reals.of(0), asleep=pool.asleep)
    for t, (row, y) in enumerate(zip(rows, truth, strict=True)):
        pool.weigh()
        awake = {k: x for k, x in enumerate(row) if x is not None}
        if rule.guess == "draw":
            charge = pool.average({k: rule.cost.price(x, y) for k, x in awake.items()})
        else:
            guess = curve(pool.guess(awake))
            charge = rule.cost.enclose(guess, y)
            if rule.guess == "coin":
                verdicts = {said != (y == 1) for said in _toss(guess, reals.of(coins[t]))}
                game.count(True in verdicts, len(verdicts) == 1)
                game.differing += [t] if len(verdicts) > 1 else []
        game.loss += charge
        pool.learn(awake, y)
    return game


def _make_curve(rule: WeightRule, reals: Enclosing) -> Callable[[Interval], Interval]:
    """The chance of saying 1 by the share of the weight that does, a function that rises; other guesses as they are."""
    penalty = rule.penalty or Fraction(0)
    if rule.guess != "coin" or rule.shape == "straight":
        return lambda mean: mean
    if rule.shape == "linear":
        half = reals.ln(2 / (1 + penalty)) * ((1 + penalty) / (2 * (1 - penalty)))
        return lambda mean: reals.clamp(Fraction(1, 2) + (2 * mean - 1) / (4 * half), 0, 1)

    def vovk(end: Decimal) -> Interval:
        """Vovk's curve at one end of an interval."""
        if end <= 0 or end >= 1:
            return reals.of(int(end >= 1))
        mean = Interval(end, end, reals)
        down = reals.ln(1 - mean + mean * penalty)
        up = reals.ln(mean + (1 - mean) * penalty)
        return -down / -(down + up)

    return lambda mean: reals.clamp(Interval(vovk(mean.low).low, vovk(mean.high).high, reals), 0, 1)


def _toss(chance: Interval, coin: Interval) -> set[bool]:
    """What the coin can have said."""
    if chance.high == 0 or chance.low == 1:
        return {chance.low == 1}
    heads = coin.low < chance.high + NEAR
    tails = coin.high >= chance.low - NEAR
    return {said for said, possible in ((True, heads), (False, tails)) if possible}
