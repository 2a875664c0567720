"""Games of exponential weights played again between two decimals.

Losses are fractions; weights are exponentials of them, enclosed; so is every guess, and what it is charged. Nothing is
subtracted from weights and none is normalised, so enclosures widen by a rounding or two a round, but where an
expert sleeps: there the charge of the sleepers is a quotient of sums, and half a digit may be lost.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from littlestone.certificates.check.experts_losses import CheckedLoss
from littlestone.certificates.check.intervals import ONE, ZERO, Enclosing, Interval
from littlestone.certificates.check.replay_counts import ReplayCounts

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


@dataclass
class EnclosedGame(ReplayCounts):
    """The loss, and what each expert was charged asleep; `differing` are rounds whose coins rounding may decide."""

    loss: Interval = ZERO
    asleep: list[Interval] = field(default_factory=list)


class EnclosedWeights:
    """The weights of experts before each round, and what they were charged asleep."""

    def __init__(self, rule: WeightRule, reals: Enclosing, experts: int) -> None:
        self.rule, self.reals, self.round = rule, reals, 0
        self.losses, self.asleep = [Fraction(0)] * experts, [ZERO] * experts
        self.weights = [ONE] * experts
        self.gap: Fraction | Interval = Fraction(0)
        self.variety = reals.ln(reals.of(experts))
        self._factors: dict[Fraction, Interval] = {}
        scale = reals.of(rule.cost.top) if rule.cost.name != "Log" else ONE
        if rule.penalty:
            self.rate = reals.ln(reals.of(1 / rule.penalty))
        else:
            self.rate = reals.divide(reals.of(rule.rate), scale)
        self.scale = scale

    def weigh(self) -> None:
        """Set the weights of this round, where they do not follow from the last ones by a factor."""
        reals, self.round = self.reals, self.round + 1
        if self.rule.schedule == "perfect":
            self.weights = [ONE if loss == 0 else ZERO for loss in self.losses]
        elif self.rule.schedule == "anytime":
            fall = reals.root(reals.divide(self.variety, reals.of(self.round)))
            self.rate = reals.divide(reals.multiply(reals.of(2), fall), self.scale)
            charges = [reals.add(reals.of(loss), extra) for loss, extra in zip(self.losses, self.asleep, strict=True)]
            self.weights = [self._find_weight(charge) for charge in charges]
        elif self.rule.schedule == "adaptive":
            least = min(self.losses)
            if isinstance(self.gap, Fraction) and self.gap == 0:
                self.weights = [ONE if loss == least else ZERO for loss in self.losses]
            else:
                gap = reals.of(self.gap) if isinstance(self.gap, Fraction) else self.gap
                self.rate = reals.divide(self.variety, gap)
                self.weights = [self._find_weight(reals.of(loss - least)) for loss in self.losses]

    def _find_weight(self, charge: Interval) -> Interval:
        """The weight e^(-rate * charge) of an expert with this charge."""
        if charge == ZERO:
            return ONE
        product = self.reals.multiply(self.rate, charge)
        return self.reals.exp(Interval(-product.high, -product.low))

    def find_factor(self, loss: Fraction) -> Interval:
        """By how much a loss divides a weight."""
        if loss not in self._factors:
            exact = self.rule.penalty if self.rule.penalty and loss == 1 else None
            self._factors[loss] = self._find_weight(self.reals.of(loss)) if exact is None else self.reals.of(exact)
        return self._factors[loss]

    def learn(self, row: Row, y: Fraction) -> None:
        """Charge all experts: those awake their losses, those asleep the mix loss of the others."""
        reals, cost, before = self.reals, self.rule.cost, self.weights
        awake = [k for k, x in enumerate(row) if x is not None]
        log = cost.name == "Log"
        lost = {} if log else {k: cost.price(x, y) for k, x in enumerate(row) if x is not None}
        if self.rule.schedule == "adaptive":
            self._widen_gap(lost)
        if self.rule.schedule in ("fixed", "share") or len(awake) < len(row):
            if self.rule.schedule == "anytime":
                self._factors = {}  # the rate is another in every round
            after = dict(enumerate(before))
            for k in awake:
                x = row[k]
                assert x is not None
                fall = reals.of(x if y == 1 else 1 - x) if log else self.find_factor(lost[k])
                after[k] = reals.multiply(before[k], fall)
            if len(awake) < len(row):
                left = reals.divide(reals.total(after[k] for k in awake), reals.total(before[k] for k in awake))
                mix = reals.divide(reals.ln(reals.divide(ONE, left)), self.rate)
                for k in set(range(len(row))) - set(awake):
                    after[k] = reals.multiply(before[k], left)
                    self.asleep[k] = reals.add(self.asleep[k], mix)
            self.weights = [after[k] for k in range(len(row))]
        if self.rule.schedule == "share":
            stay, deal = reals.of(1 - self.rule.switching), reals.of(self.rule.switching / len(row))
            dealt = reals.multiply(deal, reals.total(self.weights))
            self.weights = [reals.add(reals.multiply(stay, weight), dealt) for weight in self.weights]
        for k, loss in lost.items():
            self.losses[k] += loss

    def _widen_gap(self, lost: dict[int, Fraction]) -> None:
        """Add by how much the mean loss of an adaptive round exceeds its mix loss."""
        reals, least = self.reals, min(self.losses)
        if isinstance(self.gap, Fraction) and self.gap == 0:
            leaders = [lost[k] for k, loss in enumerate(self.losses) if loss == least]
            mean = sum(leaders, Fraction(0)) / len(leaders)
            self.gap = mean - (min(loss + lost[k] for k, loss in enumerate(self.losses)) - least)
            return
        gap = reals.of(self.gap) if isinstance(self.gap, Fraction) else self.gap
        total = reals.total(self.weights)
        shares = [reals.multiply(weight, reals.of(lost[k])) for k, weight in enumerate(self.weights)]
        mean_ = reals.divide(reals.total(shares), total)
        after = reals.total(
            reals.multiply(weight, self._find_weight(reals.of(lost[k]))) for k, weight in enumerate(self.weights)
        )
        mix = reals.divide(reals.ln(reals.divide(total, after)), self.rate)
        more = reals.subtract(mean_, mix)
        self.gap = reals.add(gap, Interval(max(more.low, Decimal(0)), max(more.high, Decimal(0))))


def play_enclosed(
    rule: WeightRule, rows: Sequence[Row], truth: Sequence[Fraction], coins: Sequence[Fraction], digits: int
) -> EnclosedGame:
    """Play all rounds, each number with the given number of digits."""
    reals = Enclosing(digits)
    pool, curve = EnclosedWeights(rule, reals, len(rows[0])), _make_curve(rule, reals)
    game = EnclosedGame(asleep=pool.asleep)
    for t, (row, y) in enumerate(zip(rows, truth, strict=True)):
        pool.weigh()
        awake = [k for k, x in enumerate(row) if x is not None]
        total = reals.total(pool.weights[k] for k in awake)
        if rule.guess == "draw":
            parts = [
                reals.multiply(pool.weights[k], reals.of(rule.cost.price(_read_forecast(row, k), y))) for k in awake
            ]
            charge = reals.divide(reals.total(parts), total)
        else:
            guess = _enclose_guess(rule, reals, pool, row, awake, total, curve)
            charge = rule.cost.enclose(reals, guess, y)
            if rule.guess == "coin":
                verdicts = {said != (y == 1) for said in _toss(guess, reals.of(coins[t]))}
                game.count(True in verdicts, len(verdicts) == 1)
                game.differing += [t] if len(verdicts) > 1 else []
        game.loss = reals.add(game.loss, charge)
        pool.learn(row, y)
    return game


def _read_forecast(row: Row, k: int) -> Fraction:
    """What an expert that is awake says."""
    said = row[k]
    assert said is not None
    return said


def _enclose_guess(
    rule: WeightRule, reals: Enclosing, pool: EnclosedWeights, row: Row, awake: list[int], total: Interval,
    curve: Callable[[Interval], Interval],
) -> Interval:  # fmt: skip
    """The guess, or the chance of saying 1."""
    low, high = reals.of(rule.cost.low), reals.of(rule.cost.high)
    if rule.guess == "mix":
        sums = []
        for end in (rule.cost.low, rule.cost.high):
            falls = [pool.find_factor(rule.cost.price(_read_forecast(row, k), end)) for k in awake]
            sums.append(
                reals.total(reals.multiply(pool.weights[k], fall) for k, fall in zip(awake, falls, strict=True))
            )
        width = 2 * rule.cost.steepness * (rule.cost.high - rule.cost.low)
        tilt = reals.divide(reals.ln(reals.divide(sums[1], sums[0])), reals.multiply(pool.rate, reals.of(width)))
        return reals.clamp(reals.add(reals.of((rule.cost.low + rule.cost.high) / 2), tilt), low, high)
    parts = [reals.multiply(pool.weights[k], reals.of(_read_forecast(row, k))) for k in awake]
    said = [_read_forecast(row, k) for k in awake]
    mean = reals.clamp(reals.divide(reals.total(parts), total), reals.of(min(said)), reals.of(max(said)))
    return curve(mean) if rule.guess == "coin" else mean


def _make_curve(rule: WeightRule, reals: Enclosing) -> Callable[[Interval], Interval]:
    """The chance of saying 1 by the share of the weight that does: a function that rises."""
    penalty = rule.penalty or Fraction(0)
    if rule.guess != "coin" or rule.shape == "straight":
        return lambda mean: mean
    if rule.shape == "linear":
        log = reals.ln(reals.of(2 / (1 + penalty)))
        half = reals.multiply(log, reals.of((1 + penalty) / (2 * (1 - penalty))))

        def line(mean: Interval) -> Interval:
            """The straight line of the improved majority."""
            lead = reals.subtract(reals.multiply(reals.of(2), mean), ONE)
            rise = reals.divide(lead, reals.multiply(reals.of(4), half))
            return reals.clamp(reals.add(reals.of(Fraction(1, 2)), rise), ZERO, ONE)

        return line

    def vovk(end: Decimal) -> Interval:
        """Vovk's curve at one end of an interval."""
        if end <= 0 or end >= 1:
            return ZERO if end <= 0 else ONE
        mean, b = Interval(end, end), reals.of(penalty)
        rest = reals.subtract(ONE, mean)
        down = reals.ln(reals.add(rest, reals.multiply(mean, b)))
        up = reals.ln(reals.add(mean, reals.multiply(rest, b)))
        both = reals.add(down, up)
        return reals.divide(Interval(-down.high, -down.low), Interval(-both.high, -both.low))

    return lambda mean: reals.clamp(Interval(vovk(mean.low).low, vovk(mean.high).high), ZERO, ONE)


def _toss(chance: Interval, coin: Interval) -> set[bool]:
    """What the coin can have said."""
    if chance.high == 0 or chance.low == 1:
        return {chance.low == 1}
    heads, tails = coin.low < chance.high + NEAR, coin.high >= chance.low - NEAR
    return {said for said, possible in ((True, heads), (False, tails)) if possible}
