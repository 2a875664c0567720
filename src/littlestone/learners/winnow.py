"""Winnow: few mistakes when few attributes matter.

All weights start at 1. Predict the positive class when the active weights sum to at least the threshold. On a missed
positive multiply the active weights by the promotion b; on a false alarm divide them by it, or with `eliminate` set
them to 0. A `margin` m learns also from positives below threshold + m and negatives from threshold - m on. A `floor`
is the least weight that a division leaves (Winnow-R, for targets that drift: b = 2, floor 1/2, threshold n). With
`strict_gt` a sum equal to the threshold is negative. A threshold left open is the number n of attributes known when the
game starts. With `real`, attributes lie in [0, 1] and weights move by b^(+x) and b^(-x).

Theorem (Littlestone 1988). Let t = threshold, E the least j with b^j >= t. If each label is the OR of k attributes,

    promotions u <= k E,   demotions v < n b / ((b - 1) t) + b u;   b = 2, t = n:   mistakes <= 3 k ceil(lg n) + 1.

If weights m >= 0 of sum S have m.x >= 1 on positives and <= 1 - d on negatives, and b (1 - d) < 1, that v and

    u <= (S E + (1 - d) n b / ((b - 1) t)) / (1 - b (1 - d));
    b = 1 + d / 2, t = n:   mistakes <= 8 / d^2 + (4 / d + 8 ln(n) / d^2) S.

If each label is the OR of variables that may be removed at any time, and added c times in all, the first ones counted,
Winnow-R has u <= c ceil(lg 2n), v <= 4 u + 1 and mistakes <= 5 c ceil(lg 2n) + 1.

Proof. A promotion adds less than (b - 1) t to the sum of all weights, a demotion removes at least (1 - 1/b) t, and it
stays positive: the claim on v. Relevant weights only rise, one at each promotion, and none that reached t: u <= k E.
In general m weighs the exponents: u - (1 - d) v <= sum of m_i e_i <= S E; insert v. Elimination: v <= n/t + (b - 1) u.
Winnow-R: a variable that was added rises from 1/2 to n; a demotion takes (n + 1) / 4 of a sum never below n / 2.

Weights are powers of b, kept as exact exponents (`exponents.py`). Floats serve real attributes, a floor that is no
power of b, and b within 0.0007 of 1; those weights stop at max(floor, 2^-1022), so that none is ever lost: the bound on
u stands, and that on v up to n 2^-1022.

N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2:285-318, 1988. A. Blum.
On-line algorithms in machine learning. Online Algorithms, LNCS 1442:306-325, 1998 (Winnow-R: `additions`).

>>> Winnow().bound(attributes=100, relevant=5).mistakes
106
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, Literal, NamedTuple, Self, final

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.bound import Bound
from littlestone.base.chunks import Array, Row
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, Size
from littlestone.base.printed_numbers import Number
from littlestone.base.theorem import Attack, Theorem
from littlestone.base.traits import Attacked, Plane, PlanEntry, Planned, Promises, Remainders
from littlestone.compiled import rule
from littlestone.learners.shared import winnow_theory as theory
from littlestone.learners.shared.additive import Loops
from littlestone.learners.shared.exponents import (
    LONGEST,
    ROOM,
    find_exponent,
    find_largest_exponent,
    find_reach,
    make_powers,
    read_power,
    read_power_or_zero,
    read_weights,
)
from littlestone.learners.shared.multiplicative import LARGEST, Multiplicative, make_multiplicative_loops
from littlestone.learners.shared.rounds import BINS, read_weight

THEOREM = "Winnow (Littlestone 1988)"
SMALLEST = 2.0**-1022  # a float weight below this would lose digits


class Sums(NamedTuple):
    """Exponents of the promotion (or weights), counts as in `multiplicative.py`, and the threshold of this game."""

    weights: Array
    bias: Array
    counts: Array
    scores: Array
    threshold: Array


class WinnowParams(NamedTuple):
    """What the loops read of a Winnow; `middle` is its threshold, `above` and `below` are the ends of its margin."""

    room: int
    zero: int
    constant: int
    patience: float
    middle: float
    least: float
    real: bool
    above: float
    below: float
    strict: bool
    lowest: Any
    eliminate: bool
    promotion: float


@rule
def judge(score: Any, label: Any, params: WinnowParams) -> Any:
    """The guess, and whether to promote (+1), demote (-1) or leave alone."""
    guess = 1 if score > params.middle or (score == params.middle and not params.strict) else 0
    if label:
        return guess, 1 if score < params.above or (score == params.above and params.strict) else 0
    return guess, -1 if score > params.below or (score == params.below and not params.strict) else 0


@rule
def is_unsure(score: Any, length: Any, powers: Array, largest: Any, params: WinnowParams) -> Any:
    """Whether rounding may have moved a sum of nonnegative terms across the threshold or an end of the margin."""
    error = (length + 4) * 2.0**-52 * score
    near = abs(score - params.above) <= error or abs(score - params.below) <= error
    return near or abs(score - params.middle) <= error


@rule
def move_exponent(exponent: Any, step: Any, params: WinnowParams) -> Any:
    """An exponent one up, or one down to the floor, or gone."""
    if exponent == params.zero or (step < 0 and params.eliminate):
        return params.zero
    return np.int64(exponent) + 1 if step > 0 else max(np.int64(exponent) - 1, params.lowest)


@rule
def scale_weight(weight: Any, step: Any, params: WinnowParams) -> Any:
    """A float weight times or divided by a power of the promotion, or gone."""
    factor = params.promotion ** np.float64(abs(step))
    if step < 0:
        return 0.0 if params.eliminate else max(weight / factor, params.lowest)
    return weight * factor


@final
@dataclass(frozen=True)
class Winnow(Multiplicative, Plane, Promises, Remainders, Attacked, Planned):
    """Few mistakes when few attributes matter: multiply the weights of active attributes.

    Args:
        promotion: b, in (1, 2^64]: what weights are multiplied with, and divided by. Smaller suits small margins.
        threshold: The sum from which on the guess is positive, > 0; None: the number of attributes at the start.
        margin: Learn also from sums within this distance of the threshold, >= 0.
        floor: The least weight that a division leaves, in [0, 1]; 1/2 suits targets that drift.
        eliminate: Set weights to 0 after a false alarm instead of dividing them: fewer mistakes if labels are never
            wrong.
        strict_gt: Guess negative when the sum equals the threshold.
        real: Take attributes in [0, 1] instead of 0 or 1.
    """

    promotion: float = 2.0
    threshold: float | None = None
    margin: float = 0.0
    floor: float = 0.0
    eliminate: bool = False
    strict_gt: bool = False
    real: bool = False
    network_updates: ClassVar[tuple[Literal["winner", "each"], ...]] = ("each",)
    loops: ClassVar[dict[int, Loops]] = {
        **dict.fromkeys((1, 2), make_multiplicative_loops(judge, is_unsure, read_power, move_exponent, WinnowParams)),
        4: make_multiplicative_loops(judge, is_unsure, read_power_or_zero, move_exponent, WinnowParams),
        8: make_multiplicative_loops(judge, is_unsure, read_weight, scale_weight, WinnowParams, exact=False),
    }

    def __post_init__(self) -> None:
        require(1 < self.promotion <= 2.0**64, f"promotion must be above 1 and at most 2^64, got {self.promotion}")
        known = 2.0**512 if self.threshold is None else self.threshold
        require(0 < known <= 2.0**512, f"threshold must be in (0, 2^512], got {self.threshold}")
        require(0 <= self.margin < known, f"margin must be at least 0 and below the threshold, got {self.margin}")
        require(0 <= self.floor <= 1, f"floor must be in [0, 1], where weights start at 1, got {self.floor}")
        alone = not (self.eliminate and (self.floor or self.real))
        require(alone, "eliminated weights are 0 for good: eliminate goes with neither floor nor real")

    @classmethod
    def tuned(cls, attributes: int, margin: float | None = None) -> Self:
        """The theorem's setting for disjunctions of n attributes, or for targets with margin d: b = 1 + d / 2."""
        require(margin is None or 0 < margin <= 1, f"margin must be in (0, 1], got {margin}")
        return cls(promotion=2.0 if margin is None else 1 + margin / 2, threshold=float(attributes))

    @classmethod
    def exponential(cls, attributes: int, real: bool = False) -> Self:
        """Winnow as w_i <- w_i exp(y x_i), y = 1 or -1: the promotion is e, and the threshold n."""
        return cls(promotion=math.e, threshold=float(attributes), real=real)

    @property
    def exact(self) -> bool:
        """Whether all weights are powers of the promotion, with a table that is not too long."""
        known = self.floor == 0 or find_exponent(self.floor, self.promotion) is not None
        return known and not self.real and find_reach(self.promotion) < LONGEST

    def start(self, size: Size, seed: int = 0) -> Sums:
        threshold = float(size.attributes if self.threshold is None else self.threshold)
        require(threshold > 0, "no attributes are known when this game starts, so Winnow(threshold=...) must be given")
        require(self.margin < threshold, f"margin must be below the threshold {threshold:g}, got {self.margin:g}")
        kind = np.int8 if self.exact else np.float64
        weights = np.full(size.attributes, not self.exact, kind)  # weight 1: promotion^0, or as a float
        counts = np.zeros(6, np.int64)
        scores = np.zeros((2, BINS), np.int64)
        return Sums(weights, np.zeros(0, kind), counts, scores, np.array([threshold]))

    def powers(self, state: Sums) -> Array:
        return make_powers(float(self.promotion), state.weights.itemsize)

    def make_params(self, state: Sums) -> WinnowParams:
        size = state.weights.itemsize
        threshold = float(state.threshold[0])
        # of a float weight
        room = ROOM[size]
        lowest = max(float(self.floor), SMALLEST)
        if size < 8:
            lowest = find_exponent(self.floor, self.promotion) if self.floor else -room  # type: ignore[assignment]
        head = (room, -1 - room, 0, 0.0, threshold, self.least, self.real)
        ends = (threshold + self.margin, threshold - self.margin, self.strict_gt)
        return WinnowParams(*head, *ends, lowest, self.eliminate, float(self.promotion))

    def predict(self, state: Sums, x: Row) -> int:
        score = self.last_score(state, x)
        threshold = state.threshold[0]
        return int(score > threshold or (score == threshold and not self.strict_gt))

    def plane(self, state: Sums) -> tuple[Array, Array]:
        return read_weights(state.weights, float(self.promotion))[:, None], -state.threshold

    def bound(
        self,
        attributes: int = 0,
        relevant: int | None = None,
        additions: int | None = None,
        margin: Number | None = None,
        norm: Number | None = None,
    ) -> Bound:
        """The theorem for an OR of `relevant` attributes, for one to which variables are added `additions` times in
        all, or for a target of sum `norm` with a `margin`."""
        require(attributes >= 1, f"say how many attributes there are, at least 1; got {attributes}")
        theta = Fraction(attributes if self.threshold is None else self.threshold)
        wide = Fraction(self.margin)
        require(wide < theta, f"margin must be below the threshold {theta}, got {self.margin}")
        setting = theory.Setting(Fraction(self.promotion), theta + wide, theta - wide, self.strict_gt, self.eliminate)
        asked = [number for number in (relevant, additions, margin) if number is not None]
        require(len(asked) == 1, "say one of relevant, additions, and margin with norm")
        if self.floor or additions is not None:
            n = Fraction(attributes)
            known = margin is None and self.floor == 0.5 and setting == theory.Setting(Fraction(2), n, n)
            require(known, "drift is covered for promotion 2, floor 1/2, threshold n and margin 0", NotCertified)
            promise = f"each label is the OR of variables, {asked[0]} of which are added in all, the first included"
            return Bound("Winnow-R (Blum 1998)", promise, theory.bound_drifting(attributes, int(asked[0])))
        if relevant is not None:
            require(0 <= relevant <= attributes, f"relevant must be in [0, {attributes}], got {relevant}")
            require(not self.real, "an OR is of Boolean attributes; for real ones say margin and norm", NotCertified)
            promise = f"each label is the OR of {relevant} of {attributes} attributes"
            updates = theory.bound_disjunction(setting, attributes, relevant)
        else:
            assert margin is not None
            require(0 < margin <= 1, f"margin must be in (0, 1], got {margin}")
            require(norm is not None and norm >= 0, f"norm, the target's sum of weights, must be >= 0, got {norm}")
            promise = f"weights m >= 0 of sum {norm} have m.x >= 1 on positives, <= 1 - {margin} on negatives"
            updates = theory.bound_separated(setting, attributes, Fraction(margin), Fraction(norm or 0), real=self.real)
        return Bound(THEOREM, promise, sum(updates), "updates" if self.margin else "mistakes")

    def theorems(self) -> tuple[Theorem, ...]:
        if self.floor:
            return (theory.DRIFT,)
        return (theory.ELIMINATION,) if self.eliminate else (theory.OR, theory.MARGIN, theory.SLACK)

    def remaining(  # type: ignore[override]
        self, state: Sums, relevant: int | Sequence[int], attributes: int | None = None
    ) -> Bound:
        """`relevant` names the attributes of the disjunction, or says how many they are; `attributes` counts all."""
        plain = self.exact and not (self.eliminate or self.margin or self.floor or self.real)
        require(plain, f"no budget is known for {self}", NotCertified)
        exponents = state.weights.tolist()
        known = len(state.weights)
        declare = "declare them with Player(..., features=Indexed(n)), or say attributes=n once all have come"
        fixed = attributes is not None and attributes <= known
        require(fixed, f"more than {known} attributes may come: {declare}", NotCertified)
        if isinstance(relevant, int):
            require(relevant <= known, f"there are {known} attributes, not {relevant}", NotCertified)
        chosen = sorted(exponents)[:relevant] if isinstance(relevant, int) else [exponents[i] for i in relevant]
        theta = Fraction(float(state.threshold[0]))
        setting = theory.Setting(Fraction(self.promotion), theta, theta, self.strict_gt)
        value = theory.bound_rest_of_disjunction(setting, exponents, chosen)
        return Bound(THEOREM, f"an OR of {len(chosen)} of the {known} attributes labels every round", value)

    def attack(self) -> Attack | None:
        """ORs of at most two of four attributes."""
        if self.margin or self.floor:
            return None
        points = np.array(list(product((0, 1), repeat=4)))
        sets = points[points.sum(axis=1) <= 2]
        allowed = [self.bound(attributes=4, relevant=int(chosen.sum())).value for chosen in sets]
        return Attack([tuple(x) for x in points.tolist()], sets @ points.T > 0, allowed)

    @classmethod
    def race_entries(cls, width: int) -> list[Learner]:
        return [cls(threshold=float(max(1, width)))]

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        yield from theory.list_promises(cls, assumptions)

    def check_state(self, state: Sums, size: Size) -> bool:
        threshold = float(state.threshold[0])
        if not (0 < threshold < np.inf and self.margin < threshold and state.bias.dtype == state.weights.dtype):
            return False
        if state.weights.dtype.kind == "f":
            return bool(np.isfinite(state.weights).all() and state.weights.min(initial=0) >= 0)
        known = state.weights.itemsize < 4 or state.weights.max(initial=0) < len(self.powers(state)) // 2
        largest = find_largest_exponent(state.weights)
        return bool(known) and largest <= state.counts[LARGEST] <= ROOM[state.weights.itemsize]
