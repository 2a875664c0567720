"""Balanced Winnow: multiplicative weights for attributes that speak for or against.

Attribute i has one exponent k_i, its weight is a^k_i - a^-k_i. Predict the positive class when w.x > 0. When
y w.x <= 0, with y = +1 or -1, set k <- k + y x; a zero score teaches whatever the label. Attributes are -1, 0 or 1;
with `bias` 1 there is a constant one, which counts among the n below.

The factor a must shrink with the margin d: `margin=d` sets a = sqrt((1 + d) / (1 - d)). At a = 2 three rows that
separate with margin 1/7 are never learned. With neither factor nor margin the margin is guessed: phase j = 1, 2, ...
plays for d = 2^-j and ends, all weights fresh, once it has more than 2 ln(2n) / d^2 updates, n being the highest
attribute in an update of the phase.

Theorem. If |u|_1 = 1 and y u.x >= d on every update round, and h = ln a has h d > ln cosh h, then

    updates <= ln(2n) / (h d - ln cosh h);
    with margin=d  <= 2 ln(2n) / d^2;   in phases  <= (32/3) ln(2n) / d^2 + ceil(lg 1/d).

Proof. Let W be the sum of a^k_i + a^-k_i, 2n at first. By convexity e^(h z) <= cosh h + z sinh h on [-1, 1]; an
update has y w.x <= 0, so it multiplies W by at most cosh h. After M of them u.k >= d M, and by Jensen ln W >= h u.k.
Hence h d M <= ln 2n + M ln cosh h. The best h has tanh h = d; then the divisor is at least d^2 / 2. Phases: a
geometric sum, the last one with d / 2 < 2^-j <= d.

On any stream at all W <= 2n (cosh h)^M, so a phase keeps every weight below (2n)^2.2. A fixed factor whose weights
leave the range of numbers has met a stream without the margin, and the game ends with TooLarge.

N. Littlestone. Mistake bounds and logarithmic linear-threshold learning algorithms. PhD thesis, UC Santa Cruz, 1989.

>>> from littlestone import play, Recorded
>>> AND = Recorded([[1, 1, 1], [1, 0, 1], [0, 1, 1]] * 12, [True, False, False] * 12)
>>> game = play(BalancedWinnow(factor=1.15, bias=0), AND)
>>> game.updates, game.player.state.weights
(22, array([ 2,  3, -4], dtype=int8))
"""

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from littlestone.base.assumptions import Assumptions, Comparator
from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, Size
from littlestone.base.mixing import EXPONENTS, Mix
from littlestone.base.printed_numbers import Number
from littlestone.base.theorem import Theorem
from littlestone.base.traits import Plane, PlanEntry, Planned, Promises
from littlestone.compiled import rule
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.balanced_winnow_theorems import MARGIN, PHASES, SLACK
from littlestone.learners.shared.exponents import LONGEST, ROOM, find_largest_exponent, make_powers, read_power
from littlestone.learners.shared.multiplicative import (
    HIGHEST,
    LARGEST,
    SINCE,
    Multiplicative,
    is_out_of_patience,
    make_multiplicative_loops,
)
from littlestone.learners.shared.rounds import BINS

THEOREM = "Balanced Winnow (Littlestone 1989)"
LEAST = 2.0**-14  # the least margin: its table of powers still holds every weight of a phase
DIGITS = Context(prec=60)


class Balance(NamedTuple):
    """Exponents, counts as in `multiplicative.py`, and how many updates each phase that has ended took."""

    weights: Array
    bias: Array
    counts: Array
    scores: Array
    phases: Array


class BalancedParams(NamedTuple):
    """What the loops read of a BalancedWinnow."""

    room: int
    zero: int
    constant: int
    patience: float
    middle: float
    least: float
    real: bool


@rule
def judge(score: Any, label: Any, params: BalancedParams) -> Any:
    """The guess, and the direction of the update: y, or 0 for none."""
    guess = 1 if score > 0 else 0
    if label:
        return guess, 1 if score <= 0 else 0
    return guess, -1 if score >= 0 else 0


@rule
def is_unsure(score: Any, length: Any, powers: Array, largest: Any, params: Any) -> Any:
    """Whether rounding may have moved the sum across zero; no term exceeds the largest weight so far."""
    return abs(score) <= (length + 4) ** 2 * 2.0**-52 * read_power(powers, largest)


@rule
def move_exponent(exponent: Any, step: Any, params: Any) -> Any:
    """An exponent one step further."""
    return np.int64(exponent) + np.int64(step)


@lru_cache
def find_furthest(factor: float) -> int:
    """The largest exponent in use: a sum of 2^27 such weights is finite, and the table holds them."""
    return min(int(690 / math.log(factor)), LONGEST - 1)


@lru_cache
def choose_factor(margin: float) -> float:
    """The factor with the best bound for a margin."""
    return math.sqrt((1 + margin) / (1 - margin))


def bracket_log(value: Fraction) -> tuple[Fraction, Fraction]:
    """Two fractions close together between which the natural logarithm lies."""
    quotient = DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))
    log = Fraction(DIGITS.ln(quotient))
    error = Fraction(1, 10**50)
    return log - error, log + error


@final
@dataclass(frozen=True)
class BalancedWinnow(Multiplicative, Plane, Promises, Planned):
    """Winnow for attributes that speak for or against: one exponent each, of both signs.

    Args:
        factor: a, the base of the weights, > 1. Must shrink with the margin; give it or `margin`, not both.
        margin: The margin of the target, from 2^-14 on and below 1; sets the best factor. With neither it is guessed in
            phases.
        bias: 1 adds a constant attribute, 0 leaves it out.
    """

    factor: float | None = None
    margin: float | None = None
    bias: int = 1
    least: ClassVar[float] = -1.0
    loops: ClassVar[dict[int, Loops]] = dict.fromkeys(
        (1, 2, 4), make_multiplicative_loops(judge, is_unsure, read_power, move_exponent, BalancedParams)
    )
    mix: ClassVar[Mix | None] = EXPONENTS
    resizable: ClassVar[tuple[str, ...]] = ("phases",)

    def __post_init__(self) -> None:
        require(self.factor is None or self.margin is None, "give the factor or the margin that sets it, not both")
        low = math.exp(LEAST)
        good = self.factor is None or low <= self.factor <= 2.0**64
        require(good, f"factor must be at least {low:.5f} and at most 2^64, got {self.factor}")
        good = self.margin is None or LEAST <= self.margin < 1
        require(good, f"margin must be at least 2^-14 and below 1, got {self.margin}")
        require(self.bias in (0, 1), f"bias must be 0 (none) or 1, got {self.bias}")

    def start(self, size: Size, seed: int = 0) -> Balance:
        weights = np.zeros(size.attributes, np.int8)
        bias = np.zeros(int(self.bias), np.int8)
        counts = np.zeros(6, np.int64)
        scores = np.zeros((2, BINS), np.int64)
        return Balance(weights, bias, counts, scores, np.zeros(0, np.int64))

    def base(self, state: Balance) -> float:
        """The factor now: given, or by the margin, or by the margin of the phase."""
        if self.factor is not None:
            return float(self.factor)
        return choose_factor(self.phase(state) if self.margin is None else float(self.margin))

    def phase(self, state: Balance) -> float:
        """The margin that this phase plays for."""
        return max(2.0 ** -(1 + len(state.phases)), LEAST)

    def furthest(self, state: Balance) -> int:
        return find_furthest(self.base(state))

    def powers(self, state: Balance) -> Array:
        return make_powers(self.base(state), state.weights.itemsize, odd=True)

    def make_params(self, state: Balance) -> BalancedParams:
        room = ROOM[state.weights.itemsize]
        patience = 2 / self.phase(state) ** 2 if self.factor is None and self.margin is None else 0.0
        top = min(room, self.furthest(state))
        return BalancedParams(top, -1 - room, int(self.bias), patience, 0.0, self.least, self.real)

    def grow(self, state: Balance, size: Size) -> Balance:
        if is_out_of_patience(state.counts, self.params(state)):
            fresh = self.start(size._replace(attributes=max(size.attributes, len(state.weights))))
            fresh.counts[:LARGEST] = state.counts[:LARGEST]  # rounds and updates; what follows starts anew
            return fresh._replace(scores=state.scores, phases=np.append(state.phases, state.counts[SINCE]))
        return super().grow(state, size)  # type: ignore[no-any-return]

    def trace(self, state: Balance, chunk: Chunk, guesses: Array, marks: Array) -> int:
        """The same rounds as `replay`; a mark is the number of the phase, from 1 on."""
        done = self.replay(state, chunk, guesses, marks)
        marks[:done] *= 1 + len(state.phases)
        return done

    def key(self, state: Balance) -> Hashable:
        phased = self.factor is None and self.margin is None
        return super().key(state), tuple(state.counts[SINCE : HIGHEST + 1].tolist()) if phased else ()

    def predict(self, state: Balance, x: Row) -> int:
        return int(self.last_score(state, x) > 0)

    def plane(self, state: Balance) -> tuple[Array, Array]:
        base, kept, constant = self.base(state), *(part.astype(np.float64) for part in (state.weights, state.bias))
        return (base**kept - base**-kept)[:, None], (base**constant - base**-constant).sum(keepdims=True)

    def bound(self, attributes: int = 0, margin: Number | None = None, mixtures: int = 0) -> Bound:
        """The theorem for a target of margin d, the one that was set unless another is given.

        With `mixtures` it is about the mixed updates of this number of passes over shards (`mixing.py`).
        """
        given = self.margin if margin is None else margin
        require(attributes >= 1, f"say how many attributes there are, at least 1; got {attributes}")
        if given is None:
            raise NotCertified("say the margin of the target: bound(attributes, margin=...)")
        require(0 < given <= 1, f"margin must be in (0, 1], got {given}")
        d = Fraction(given)
        high = bracket_log(Fraction(2 * (attributes + int(self.bias))))[1]
        promise = f"weights u with |u|_1 = 1 have y u.x >= {given} in {attributes} attributes"
        if self.factor is None and self.margin is None:
            require(mixtures == 0, "states in phases do not mix: give a factor or a margin")
            last = max(1, (math.ceil(1 / d) - 1).bit_length())  # the first phase with 2^-last <= d
            require(2.0**-last >= LEAST, f"margins below 2^-14 are out of reach, got {given}", NotCertified)
            caps = [math.floor(2 * 4**j * high) for j in range(1, last + 1)]
            return Bound(f"{THEOREM}, phases", promise, sum(caps) + last - 1, "updates")
        a = Fraction(choose_factor(float(self.margin)) if self.factor is None else self.factor)  # type: ignore[arg-type]
        gain = d * bracket_log(a)[0] - bracket_log((a + 1 / a) / 2)[1]
        require(gain > 0, f"factor {float(a):g} is too large for margin {given}: no bound", NotCertified)
        return Bound(THEOREM, promise, (high + mixtures * bracket_log(a)[1]) / gain, "updates")

    def mixing(self) -> Mix | None:
        """States in phases do not mix: shards would be in different phases, with different factors."""
        return None if self.factor is self.margin is None else self.mix

    def theorems(self) -> tuple[Theorem, ...]:
        return (PHASES,) if self.factor is self.margin is None else (MARGIN, SLACK)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls()]

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        a = assumptions
        c = Comparator.of(assumptions)
        n = assumptions.attributes
        margin = c.margin / c.total
        lost = c.shortfall / c.total * a.flips
        if a.drift or margin < LEAST:
            return
        tuned = cls(margin=min(float(margin), 0.999), bias=int(c.bias))
        phased = cls(bias=int(c.bias))
        factor = Fraction(choose_factor(tuned.margin or 0.0))
        gain = margin * bracket_log(factor)[0] - bracket_log((factor + 1 / factor) / 2)[1]
        value = (bracket_log(Fraction(2 * c.attributes))[1] + lost * bracket_log(factor)[1]) / gain
        form = "(ln 2n + h D) / (h d - ln cosh h)" if lost else "about 2 ln(2n) / d^2"
        yield PlanEntry(tuned, value, "updates", f"{form}, d = g / |u|_1", 2.0 * a.most, 2.0 * n)
        if not lost:
            bound = phased.bound(n, margin)
            formula = "about (32/3) ln(2n) / d^2, d not told"
            yield PlanEntry(phased, bound.value, bound.counts, formula, 2.0 * a.most, 2.0 * n)

    def check_state(self, state: Balance, size: Size) -> bool:
        largest = max(find_largest_exponent(state.weights), find_largest_exponent(state.bias))
        fits = state.bias.dtype == state.weights.dtype and state.phases.ndim == 1
        return bool(fits and largest <= state.counts[LARGEST] <= self.params(state).room)
