"""Risk: what the mistakes of one pass say about new data, at every round at once.

Each round is guessed by a hypothesis that has not seen it, so if rounds are drawn independently from one source, a
mistake in round t has the probability r_t, the risk of the hypothesis that guessed. Mistakes therefore follow risks.

Theorem. Let M mistakes have been made in m rounds. With probability at least 1 - d, for all m at once, the average r of
r_1, ..., r_m satisfies

    sum over j of p_j e^(-l_j M) (1 - r c_j)^(-m) < 1 / d,    c_j = 1 - e^(-l_j),

for any l_j > 0 and p_j >= 0 of sum 1 chosen beforehand; so r <= (l_j M + ln(1 / (p_j d))) / (m c_j) for every j.
The majority vote of all hypotheses of the pass errs with probability at most 2 r, ties being errors.

Proof. A mistake B of probability q has E e^(-l B) = 1 - q c: for each j the product over rounds of e^(-l B) / (1 - q c)
is a martingale, and so is their mixture, which starts at 1. By Ville's inequality it ever reaches 1 / d with
probability at most d. By Jensen's, its factors (1 - r_t c) multiply to at most (1 - r c)^m. And where the vote is
wrong, at least half of the hypotheses are.

N. Cesa-Bianchi, A. Conconi and C. Gentile. On the generalization ability of on-line learning algorithms. IEEE
Transactions on Information Theory 50:2050-2057, 2004. J. Ville. Etude critique de la notion de collectif, 1939.

>>> print(risk(rounds=1000, mistakes=0))
with 99 % confidence the average hypothesis of this pass errs on at most 0.57 % of data like these 1,000 rounds,
their majority vote on at most 1.2 %, at every round at once
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from littlestone.base.bound import Certificate, round_up
from littlestone.base.environment import Environment
from littlestone.base.errors import NotCertified, require
from littlestone.environments import Drifting, MistakeTree, Noisy
from littlestone.environments.adversary import Adversary

THEOREM = "Online to batch, by Ville's inequality (Cesa-Bianchi, Conconi and Gentile 2004)"
PROMISE = "the rounds are drawn independently from one source, each is guessed before it is learned, and none twice"
STEEPEST, STEPS = 32.0, 26  # l = 32, 16, 8, ...: for 0 mistakes up to half of 2^50 rounds
SHARES = (0.25, *(0.75 / STEPS,) * STEPS)  # p: a quarter for passes without a mistake
RATES = tuple(STEEPEST * 2.0**-j for j in range(STEPS + 1))
SURE = 1e-6  # by how much a logarithm must be larger to count as larger: many times its rounding, for any length


@dataclass(frozen=True, slots=True)
class Risk:
    """What one pass says about new data.

    Args:
        rounds: How many rounds were played.
        mistakes: How many of them were guessed wrong.
        confidence: With which probability the bounds hold, at every round at once.
        average: The most that the hypotheses of the pass err on average, rounded up.
        voted: The most that their majority vote errs, rounded up.
    """

    rounds: int
    mistakes: int
    confidence: float
    average: Fraction
    voted: Fraction

    def certificate(self, predictor: Literal["average", "voted"] = "average") -> Certificate:
        """What is claimed of a hypothesis drawn at random from the pass, or of the majority vote of all of them."""
        require(predictor in ("average", "voted"), f"predictor must be average or voted, got {predictor!r}")
        return Certificate(
            theorem=THEOREM,
            promise=PROMISE,
            counts="error rate",
            mistakes=self.mistakes,
            updates=0,
            bound=self.average if predictor == "average" else self.voted,
            witness={"confidence": self.confidence, "predictor": predictor, "rounds": self.rounds},
            scope="iid",
            exact=False,
            count=Fraction(self.mistakes, max(self.rounds, 1)),
            rounds=self.rounds,
        )

    def __str__(self) -> str:
        return (
            f"with {100 * self.confidence:g} % confidence the average hypothesis of this pass errs on at most "
            f"{format_percent(self.average)} of data like these {self.rounds:,} rounds,\ntheir majority vote on at "
            f"most {format_percent(self.voted)}, at every round at once"
        )


def risk(rounds: int, mistakes: int, confidence: float = 0.99) -> Risk:
    """What the mistakes of one pass say about new data, for every number of rounds at once.

    Args:
        rounds: How many rounds were played, each guessed before it was learned, and none twice.
        mistakes: How many of them were guessed wrong.
        confidence: With which probability the bounds are to hold, between 0 and 1. Larger means looser bounds.
    """
    require(0 <= mistakes <= rounds, f"mistakes must be in [0, rounds], got {mistakes} in {rounds} rounds")
    require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
    allowed = math.log(1 / (1 - confidence)) + SURE
    low, high = mistakes / max(rounds, 1), 1.0
    if measure_evidence(rounds, mistakes, high) >= allowed:
        while high - low > 1e-13 + 1e-9 * low:  # evidence against an average risk rises with it
            middle = (low + high) / 2
            low, high = (middle, high) if measure_evidence(rounds, mistakes, middle) < allowed else (low, middle)
    average = min(Fraction(1), round_up(high))
    return Risk(rounds, mistakes, confidence, average, min(Fraction(1), 2 * average))


def measure_evidence(rounds: int, mistakes: int, average: float) -> float:
    """The logarithm of the martingale if the average risk were this large: the sum over j in the theorem."""
    parts = [
        math.log(share) - rate * mistakes - rounds * math.log1p(average * math.expm1(-rate))
        for rate, share in zip(RATES, SHARES, strict=True)
    ]
    top = max(parts)
    return top + math.log(math.fsum(math.exp(part - top) for part in parts))


def format_percent(value: Fraction | float) -> str:
    """Write a probability for people, rounded up to two significant digits."""
    hundredfold = Fraction(value) * 100
    if not hundredfold:
        return "0 %"
    scale = Fraction(10) ** (1 - math.floor(math.log10(hundredfold)))
    return f"{float(math.ceil(hundredfold * scale) / scale):g} %"


def require_independent(environment: Environment) -> None:
    """Refuse an environment of this library that is known to choose its rounds; others are trusted."""
    inner = environment
    while isinstance(inner, Noisy):
        inner = inner.environment
    chosen = isinstance(inner, Adversary | MistakeTree | Drifting)
    require(not chosen, f"{environment} does not draw its rounds independently from one source", NotCertified)
