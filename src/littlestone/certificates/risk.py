"""Risk: what the mistakes of one pass say about new data, and whether the order of its labels lets them say it.

Each round is guessed by a hypothesis that has not seen it, so if rounds are drawn independently from one source, a
mistake in round t has the probability r_t, the risk of the hypothesis that guessed. Mistakes therefore follow risks.

Theorem 1. Let M mistakes have been made in m rounds. With probability at least 1 - d, for all m at once, the average r
of r_1, ..., r_m satisfies

    sum over j of p_j e^(-l_j M) (1 - r c_j)^(-m) < 1 / d,    c_j = 1 - e^(-l_j),

for any l_j > 0 and p_j >= 0 of sum 1 chosen beforehand; so r <= (l_j M + ln(1 / (p_j d))) / (m c_j) for every j.
The majority vote of all hypotheses of the pass errs with probability at most 2 r, ties being errors.

Proof. A mistake B of probability q has E e^(-l B) = 1 - q c: for each j the product over rounds of e^(-l B) / (1 - q c)
is a martingale, and so is their mixture, which starts at 1. By Ville's inequality it ever reaches 1 / d with
probability at most d. By Jensen's, its factors (1 - r_t c) multiply to at most (1 - r c)^m. And where the vote is
wrong, at least half of the hypotheses are.

If the rounds are independent, so is each label of the one before. A rival forecasts it from that one, one half added to
each count of transitions. Let K classes have been met, n_c labels of class c and n_bc labels c after b; the evidence is

    E_t = KT-Markov(y_1, ..., y_t) / max over p of p(y_1) ... p(y_t),
    KT-Markov = (1 / K) product over t of (n_bc + 1/2) / (n_b + K / 2),    max = product over c of (n_c / t)^n_c.

Theorem 2. For each set of K classes, E_t >= 1 / a happens while just these have been met with probability at most a.
So the check, which objects at E_t >= 1,000, does so wrongly with probability at most 1 / 1,000 where there are two
classes, and at most (2^K - K - 1) / 1,000 where there are K, one part for each set of two or more.

Proof. KT-Markov is a probability of sequences of labels of these classes, so its ratio to the true probability is a
martingale that starts at 1 and at most loses something when another class comes; the maximum is at least the true
probability. Ville's inequality again.

The check looks after every round up to round 4,096 and after every 16th part of the rounds so far from then on. More
than eight classes are not watched. Nothing is said after an objection, nor before each class was met 30 times.

N. Cesa-Bianchi, A. Conconi and C. Gentile. On the generalization ability of on-line learning algorithms. IEEE
Transactions on Information Theory 50:2050-2057, 2004. R. Krichevsky and V. Trofimov. The performance of universal
encoding. The same, 27:199-207, 1981. J. Ville. Etude critique de la notion de collectif, 1939.

>>> print(risk(rounds=1000, mistakes=0))
if the rounds were drawn independently from one source, then with 99 % confidence the hypotheses that served these 1,000
rounds err on average on at most 0.57 % of new rounds from it; this holds at every round at once
>>> order = LabelOrder()
>>> order.add([0, 1] * 10), order.objection
(None, 16)
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Self

import numpy as np

from littlestone.base.bound import Certificate, round_up
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.printed_numbers import format_confidence, format_percent

THEOREM = "Online to batch, by Ville's inequality (Cesa-Bianchi, Conconi and Gentile 2004)"
PROMISE = "the rounds are drawn independently from one source, each is guessed before it is learned, and none twice"
# l = 32, 16, 8, ...: for 0 mistakes up to half of 2^50 rounds
STEEPEST = 32.0
STEPS = 26
SHARES = (0.25, *(0.75 / STEPS,) * STEPS)  # p: a quarter for passes without a mistake
RATES = tuple(STEEPEST * 2.0**-j for j in range(STEPS + 1))
SURE = 1e-6  # by how much a logarithm must be larger to count as larger: many times its rounding, for any length
MOST = 8  # classes that are watched
LIMIT = math.log(1000)  # of ln E: it objects from here on
# it looks after each 4096 rounds, and later after each 16th part of the rounds so far
EACH = 2**12
FINE = 16
ENDLESS = 2**62
NOTHING: Array = np.zeros((0, 0), np.int64)
FEWEST = 30  # rounds of each class before anything is said about new data


class LabelOrder:
    """Counts of labels and of transitions between them, and the first round at which they spoke against chance."""

    def __init__(self) -> None:
        # and the class of the last one
        self.rounds = 0
        self.last = -1
        self.counts: Array = np.zeros(0, np.int64)  # how often each class came
        self.transitions = NOTHING  # how often class c came after class b, as long as that is watched
        self.objection: int | None = None  # the round at which the evidence reached 1,000

    @property
    def is_blind(self) -> bool:
        """Whether classes came whose numbers are too large to be watched."""
        return self.objection is None and len(self.counts) > MOST

    @property
    def is_met(self) -> bool:
        """Whether at least two classes came, and each of them often enough to speak of new data."""
        met = self.counts[self.counts > 0]
        return len(met) > 1 and bool(met.min() >= FEWEST)

    def count_missing(self) -> int:
        """How many rounds must follow at least before anything can be said about new data."""
        if self.objection is not None:
            return ENDLESS
        met = self.counts[self.counts > 0]
        return int(FEWEST * max(2 - len(met), 0) + np.maximum(FEWEST - met, 0).sum())

    def add(self, codes: Any) -> None:
        """Take in the labels of rounds that follow, as class numbers."""
        codes = np.asarray(codes)
        while len(codes):
            step = EACH if self.rounds < EACH else 1 << self.rounds.bit_length() - FINE.bit_length()
            here = codes[: self._find_end(codes, step)]
            codes = codes[len(here) :]
            classes = max(len(self.counts), int(here.max()) + 1)
            watched = self.objection is None and classes <= MOST
            counts = _widen(self.counts, classes) + np.bincount(here, minlength=classes)
            if watched:
                before = np.concatenate(([self.last], here[:-1]))
                table = _widen(self.transitions, classes)
                pairs = (before * classes + here)[before >= 0]
                evidence = np.zeros(0)
                later = table + np.bincount(pairs, minlength=classes**2).reshape(classes, classes)
                if self.rounds < EACH:
                    evidence = follow_order(_widen(self.counts, classes), table, before, here)
                elif (self.rounds + len(here)) % step == 0:
                    evidence = np.array([measure_order(counts, later)])
                found = np.flatnonzero(evidence >= LIMIT)
                if len(found):
                    self.objection = self.rounds + len(here) - len(evidence) + int(found[0]) + 1
            self.transitions = later if watched and self.objection is None else NOTHING
            self.counts, self.last, self.rounds = counts, int(here[-1]), self.rounds + len(here)

    def _find_end(self, codes: Array, step: int) -> int:
        """How many leading rounds are weighed together: a new class comes at most with the first of them."""
        end = min(len(codes), step - self.rounds % step)
        if self.objection is None and len(self.counts) <= MOST:
            met = _widen(self.counts, int(codes[:end].max()) + 1) > 0
            met[codes[0]] = True
            new = codes[:0] if met.all() else np.flatnonzero(~met[codes[:end]])
            end = int(new[0]) if len(new) else end
        return end if self.objection is None else len(codes)

    def to_record(self) -> dict[str, Any]:
        """Everything, as JSON keeps it; `from_record` takes it up again."""
        numbers = {"rounds": self.rounds, "last": self.last, "objection": self.objection}
        return numbers | {"counts": self.counts.tolist(), "transitions": self.transitions.tolist()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """The counts that were written down as a record."""
        one = cls()
        one.rounds, one.last, one.objection = record["rounds"], record["last"], record["objection"]
        one.counts, size = np.array(record["counts"], np.int64), len(record["transitions"])
        one.transitions = np.array(record["transitions"], np.int64).reshape(size, size)
        return one

    @property
    def remark(self) -> str:
        """What a sentence about new data must add: nothing, or that this order was not watched."""
        return f" (the order of labels is checked for at most {MOST} classes)" if self.is_blind else ""

    def find_doubt(self) -> str | None:
        """Why nothing can be said about new data, in words; None if these labels give no reason."""
        if self.objection is not None:
            return (
                f"nothing is said about new data: the labels do not come in an order that independent rounds would "
                f"have (by round {self.objection:,} the label before a label told more of it than chance, 1,000 to 1)"
            )
        if not self.is_met:
            return f"nothing is said about new data before two classes were met, and each of them {FEWEST} times"
        return None


def measure_order(counts: Array, transitions: Array) -> float:
    """ln E of the theorem, from how often each class came and how often one came after another."""
    met = counts[counts > 0]
    rounds = int(counts.sum())
    likeliest: float = sum(n * math.log(n / rounds) for n in met.tolist())
    return _measure_markov(transitions, len(met)) - likeliest


def follow_order(counts: Array, transitions: Array, before: Array, codes: Array) -> Array:
    """ln E after each of the rounds that follow; no new class comes after the first of them.

    Args:
        counts: How often each class came before them.
        transitions: How often one came after another before them.
        before: The class of the round before each of them; -1: there was none.
        codes: Their classes.
    """
    size = len(counts)
    came = codes[:, None] == np.arange(len(counts))
    place = np.arange(len(codes))
    classes = int(np.count_nonzero(counts + came[0]))
    pairs = (before * size + codes)[:, None] == np.arange(size**2)
    earlier = transitions.ravel() + np.cumsum(pairs, axis=0) - pairs  # transitions before each round
    rows = earlier.reshape(-1, size, size)[place, before]
    steps = np.log((rows[place, codes] + 0.5) / (rows.sum(axis=1) + classes / 2))
    steps[before < 0] = -math.log(classes)
    totals = counts + np.cumsum(came, axis=0)
    rounds = counts.sum() + place + 1.0
    best = (totals * np.log(np.maximum(totals, 1))).sum(axis=1) - rounds * np.log(rounds)
    start = _measure_markov(transitions, classes) if before[0] >= 0 else 0.0
    return np.asarray(start + np.cumsum(steps) - best)


def _measure_markov(transitions: Array, classes: int) -> float:
    """ln KT-Markov of labels of this many classes; rows and columns of 0 belong to classes that did not come."""
    rows = [row for row in transitions.tolist() if any(row)]
    zeros = math.lgamma(classes / 2)
    total = -math.log(max(classes, 1))
    for row in rows:
        total += zeros - math.lgamma(sum(row) + classes / 2)
        total += sum(math.lgamma(n + 0.5) - math.lgamma(0.5) for n in row if n)
    return total


def _widen(counts: Array, classes: int) -> Array:
    """Counts with room for more classes."""
    return np.pad(counts, (0, classes - len(counts))) if classes > len(counts) else counts


@dataclass(frozen=True, slots=True)
class Risk:
    """What one pass says about new data.

    Args:
        rounds: How many rounds were played.
        mistakes: How many of them were guessed wrong.
        confidence: With which probability the bounds hold, at every round at once.
        average: The most that the hypotheses of the pass err on average, rounded up.
        voted: The most that their majority vote errs, rounded up.
        who: What the hypotheses did in these rounds: they "served" or "played" them.
        doubt: Why nothing is said about new data; None if nothing speaks against it.
        remark: What is to be added to the sentence about new data.
    """

    rounds: int
    mistakes: int
    confidence: float
    average: Fraction
    voted: Fraction
    who: Literal["served", "played"] = "served"
    doubt: str | None = None
    remark: str = ""

    def certificate(self, predictor: Literal["average", "voted"] = "average") -> Certificate:
        """What is claimed of a hypothesis drawn at random from the pass, or of the majority vote of all of them."""
        require(predictor in ("average", "voted"), f"predictor must be average or voted, got {predictor!r}")
        require(self.doubt is None, str(self.doubt), NotCertified)
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
        if self.doubt is not None:
            return self.doubt
        return (
            "if the rounds were drawn independently from one source, then with "
            f"{format_confidence(self.confidence)} confidence "
            f"the hypotheses that {self.who} these {self.rounds:,}\nrounds err on average on at most "
            f"{format_percent(self.average)} of new rounds from it; this holds at every round at once{self.remark}"
        )


def risk(
    rounds: int,
    mistakes: int,
    confidence: float = 0.99,
    order: LabelOrder | None = None,
    who: Literal["served", "played"] = "served",
) -> Risk:
    """What the mistakes of one pass say about new data, for every number of rounds at once.

    Args:
        rounds: How many rounds were played, each guessed before it was learned, and none twice.
        mistakes: How many of them were guessed wrong.
        confidence: With which probability the bounds are to hold, between 0 and 1. Larger means looser bounds.
        order: The order in which the labels came, if it is known: it may contradict that rounds are independent.
        who: Whether it was the hypotheses that `predict` uses that erred in these rounds, or those that learn.
    """
    require(0 <= mistakes <= rounds, f"mistakes must be in [0, rounds], got {mistakes} in {rounds} rounds")
    require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
    allowed = math.log(1 / (1 - confidence)) + SURE
    low = mistakes / max(rounds, 1)
    high = 1.0
    if measure_evidence(rounds, mistakes, high) >= allowed:
        while high - low > 1e-13 + 1e-9 * low:  # evidence against an average risk rises with it
            middle = (low + high) / 2
            low, high = (middle, high) if measure_evidence(rounds, mistakes, middle) < allowed else (low, middle)
    average = min(Fraction(1), round_up(high))
    words = (None, "") if order is None else (order.find_doubt(), order.remark)
    return Risk(rounds, mistakes, confidence, average, min(Fraction(1), 2 * average), who, *words)


def measure_evidence(rounds: int, mistakes: int, average: float) -> float:
    """The logarithm of the martingale if the average risk were this large: the sum over j in the theorem."""
    parts = [
        math.log(share) - rate * mistakes - rounds * math.log1p(average * math.expm1(-rate))
        for rate, share in zip(RATES, SHARES, strict=True)
    ]
    top = max(parts)
    return top + math.log(math.fsum(math.exp(part - top) for part in parts))
