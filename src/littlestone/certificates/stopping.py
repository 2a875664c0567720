"""Stopping: learn until the hypothesis is certified, then read no further (from mistakes to PAC).

A learner that changes only by its mistakes holds its i-th hypothesis until it errs, or until it has survived m_i rounds
in a row; then it is put out. Let d be 1 - confidence and e the error that is allowed.

Theorem. If the rounds are drawn independently from one source, the hypothesis put out errs with probability above e
only with probability d, for

    geometric   m_i = ceil((ln(1/d) + i ln 2) / e)           at most the sum of m_1, ..., m_M examples
    uniform     m_i = ceil(ln(M/d) / e)                      at most M m examples, M known
    harmonic    m_i = ceil((ln(1/d) + ln(i (i + 1))) / e)    M unknown; at most the sum of m_1, ..., m_(M+1)

where M bounds the mistakes; after M of them no hypothesis errs any more, and the next is put out untested. At any
moment, finished or not, the hypothesis that has survived r rounds in stage i errs at most 1 - d_i^(1/r), d_i being
d / 2^i, d / M or d / (i (i + 1)). And the vote of all hypotheses of one pass errs at most e once

    vote        m >= 2 (M + ln(1/d)) / ((1 - 1/exp 1) e)     examples: linear in M.

Proof. A hypothesis of risk q > 1 - d_i^(1/r) survives r rounds with probability (1 - q)^r < d_i; the least such r
decides for all others; the d_i sum to at most d. The vote is `risks.py` with l = 1 alone.

A learner that changes in every round has no clean runs. `ServedStopping` certifies the average error of the hypotheses
that it served, which `risk.py` bounds at every round at once: it may stop at the first round that is enough.

N. Littlestone. From on-line to batch learning. COLT 1989. D. Angluin. Queries and concept learning. Machine Learning
2:319-342, 1988.

>>> [Stopping(0.1, 0.95, 10, way).most for way in ("geometric", "uniform")], clean_runs(1000, mistakes=500)
([685, 530], 501000)
"""

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from littlestone.base.bound import Certificate, round_up
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.parameters import Checked
from littlestone.base.printed_numbers import format_confidence, format_percent
from littlestone.certificates.risk import SURE, LabelOrder, Risk, measure_evidence, risk

THEOREM = "From on-line to batch learning (Littlestone 1989)"
SHRUNK = 1 - math.exp(-1)
ENDLESS = 2**62  # rounds, more than any stream has: adding some of a chunk to them does not overflow
STAGES = 10**6  # whose clean runs are added up one by one
Schedule = Literal["geometric", "uniform", "harmonic", "vote"]


def clean_runs(length: int, mistakes: int) -> int:
    """The most examples before a learner with this many mistakes has a clean run: one run for each hypothesis."""
    return (mistakes + 1) * length


class Stopping(metaclass=Checked):
    """When to stop: fed with the rounds that changed the hypothesis, it says when that is certified.

    Args:
        error: The error that is allowed, between 0 and 1.
        confidence: With which probability the hypothesis must be that good, between 0 and 1.
        mistakes: The most times that the hypothesis changes: for a learner that also learns from rounds it guessed
            right, its updates. None: not known.
        schedule: How long a hypothesis must survive in each stage (see the module); None: "harmonic" if `mistakes` is
            not known, else "uniform". "vote" certifies the vote of all hypotheses.
    """

    def __init__(
        self, error: float, confidence: float, mistakes: int | None = None, schedule: Schedule | None = None
    ) -> None:
        require(0 < error < 1, f"error must be between 0 and 1, got {error}")
        require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
        require(mistakes is None or mistakes >= 0, f"mistakes must be at least 0, got {mistakes}")
        known = schedule in (None, "geometric", "uniform", "harmonic", "vote")
        require(known, f"schedule must be geometric, uniform, harmonic or vote, got {schedule!r}")
        require(schedule != "uniform" or mistakes is not None, "the uniform schedule needs to know mistakes")
        self.error = error
        self.confidence = confidence
        self.bound = mistakes
        self.schedule: Schedule = schedule or ("harmonic" if mistakes is None else "uniform")
        self.examples = self.changes = self.run = 0
        self.done = mistakes == 0 and self.schedule != "vote"
        self.order: LabelOrder | None = None  # of the labels, where `feed` is told them

    @property
    def stage(self) -> int:
        """The number of the present hypothesis, from 1 on."""
        return self.changes + 1

    def lengths(self, first: int, last: int) -> Array:
        """The clean runs m_i asked for in stages `first` to `last`; those longer than any stream are cut to 2^62."""
        with np.errstate(over="ignore"):
            exact = np.ceil(self._find_depths(np.arange(first, last + 1)) / self.error)
        return np.minimum(exact, ENDLESS).astype(np.int64)

    @property
    def most(self) -> int | None:
        """The most examples before it stops, if the bound on mistakes is known and kept."""
        if self.bound is None:
            return None
        if self.schedule == "vote":
            return self._count_needed(self.bound)
        tested = self.bound + (self.schedule == "harmonic")
        error = Fraction(self.error)
        if self.schedule == "uniform":
            return tested * math.ceil(Fraction(float(self._find_depths(np.ones(1))[0])) / error)
        if tested <= STAGES:
            return sum(
                math.ceil(Fraction(depth) / error) for depth in self._find_depths(np.arange(tested) + 1).tolist()
            )
        depths = Fraction(self._doubt) * tested + (
            round_up(math.log(2)) * tested * (tested + 1) / 2
            if self.schedule == "geometric"
            else round_up(2 * math.lgamma(tested + 1) + math.log(tested + 1))
        )
        return math.ceil(depths / error) + tested

    @property
    def needed(self) -> int:
        """The fewest rounds that can finish it, none of them a change; it never finishes in between."""
        if self.done:
            return 0
        goal = (
            self._count_needed(self.changes) - self.examples if self.schedule == "vote" else int(self._goal - self.run)
        )
        if self.order is None:
            return max(goal, 1)
        return max(goal, self.order.count_missing(), 1)

    def feed(self, changed: Any, labels: Any = None) -> int:
        """Take in rounds, true where the hypothesis changed, and return how many came before the end.

        Their labels, as class numbers, are those of data that may not be independent: then it does not end before each
        class was met 30 times, nor after their order has spoken against it.
        """
        flags = np.asarray(changed, bool)
        if self.done or not len(flags):
            return 0
        if labels is None:
            return self._take(flags, True)
        self.order = self.order or LabelOrder()
        used = 0
        while used < len(flags) and not self.done:
            here = slice(used, used + self.needed)  # it cannot end before the last of these
            self.order.add(np.asarray(labels)[here])
            used += self._take(flags[here], False)
            if self._is_enough and self.order.find_doubt() is None:
                self.done = True
        return used

    def _take(self, flags: Array, may_end: bool) -> int:
        """Take in rounds, all of them unless it may end and does; how many."""
        used = self._feed_votes(flags, may_end) if self.schedule == "vote" else self._feed_runs(flags, may_end)
        self.examples += used
        return used

    @property
    def _is_enough(self) -> bool:
        """Whether there were enough rounds, or enough without a change."""
        if self.schedule == "vote":
            return self.examples >= self._count_needed(self.changes)
        return self.run >= self._goal

    @property
    def certified(self) -> Fraction:
        """The error certified now, at every moment at once: of the present hypothesis, or of the vote.

        It is 1 where the order of the labels lets nothing be said.
        """
        if self.order is not None and self.order.find_doubt() is not None:
            return Fraction(1)
        if self.done and self.run == 0 and self.schedule != "vote":
            return Fraction(0)  # all mistakes were made: the theorem itself vouches for the rest
        if self.schedule == "vote":
            error = 2 * (self.changes + self._doubt) / (SHRUNK * self.examples) if self.examples else 1.0
        else:
            depth = float(self._find_depths(np.array([self.stage]))[0])
            error = -math.expm1(-depth / self.run) if self.run else 1.0
        return min(Fraction(1), round_up(error))

    def certificate(self) -> Certificate:
        """What is certified now, finished or not."""
        doubt = None if self.order is None else self.order.find_doubt()
        require(doubt is None, str(doubt), NotCertified)
        vote = self.schedule == "vote"
        bound = self.certified
        promise = "the rounds are drawn independently from one source"
        if self.bound is not None:
            promise += f", and at most {self.bound} of them change the hypothesis"
        held = "the vote of all hypotheses" if vote else f"hypothesis {self.stage}, held for {self.run} rounds"
        return Certificate(
            theorem=THEOREM,
            promise=promise,
            counts="error rate",
            mistakes=self.changes,
            updates=self.changes,
            bound=bound,
            witness={"confidence": self.confidence, "schedule": self.schedule, "hypothesis": held},
            scope="iid",
            exact=False,
            count=Fraction(self.changes, max(self.examples, 1)) if vote else Fraction(0),
            rounds=self.examples,
        )

    def __str__(self) -> str:
        """In words, what a user may rely on."""
        doubt = None if self.order is None else self.order.find_doubt()
        if doubt is not None:
            return f"not certified for {100 * self.error:g} % after {self.examples:,} examples: {doubt}"
        sure = f"then with {format_confidence(self.confidence)} confidence"
        sure = f"if the rounds were drawn independently from one source, {sure}"
        what = "the vote of all hypotheses" if self.schedule == "vote" else "the last hypothesis"
        claim = f"{sure} {what} errs on at most {format_percent(self.certified)} of new rounds from it"
        claim += "" if self.order is None else self.order.remark
        if self.done:
            return f"certified after {self.examples:,} examples and {self.changes:,} changes: {claim}"
        return f"not certified for {100 * self.error:g} %: the {self.examples:,} examples ended first; {claim}"

    @property
    def _doubt(self) -> float:
        return -math.log1p(-self.confidence)

    def _find_depths(self, stages: Array) -> Array:
        """ln(1 / d_i)."""
        i = stages.astype(np.float64)
        if self.schedule == "uniform":
            return self._doubt + np.full(len(i), math.log(max(self.bound or 1, 1)))
        return self._doubt + (i * math.log(2) if self.schedule == "geometric" else np.log(i * (i + 1)))

    @property
    def _goal(self) -> int:
        return int(self.lengths(self.stage, self.stage)[0])

    def _feed_runs(self, flags: Array, may_end: bool) -> int:
        """Look for the first clean run that is long enough, all stages of the chunk at once."""
        ends = np.flatnonzero(flags)
        if self.bound is not None and self.schedule != "harmonic":
            ends = ends[: self.bound - self.changes]
        starts = np.concatenate(([-self.run], ends + 1))  # where each stage began
        finish = starts + self.lengths(self.stage, self.stage + len(ends))
        until = np.append(ends, len(flags))
        clean = np.flatnonzero(finish <= until) if may_end else ends[:0]
        if len(clean):
            stage = int(clean[0])
            self.changes, self.run, self.done = self.changes + stage, int(finish[stage] - starts[stage]), True
            return int(finish[stage])
        self.changes += len(ends)
        if self.bound is not None and self.changes == self.bound and self.schedule != "harmonic":
            self.run = 0
            self.done = True
            return int(ends[-1]) + 1
        self.run = len(flags) - int(starts[-1])
        return len(flags)

    def _count_needed(self, changes: int) -> int:
        """How many examples the vote needs if this many changes have happened by then."""
        return math.ceil(2 * (changes + Fraction(self._doubt)) / (Fraction(SHRUNK) * Fraction(self.error)))

    def _feed_votes(self, flags: Array, may_end: bool) -> int:
        changes = self.changes + np.cumsum(flags)
        with np.errstate(over="ignore"):
            enough = np.ceil(2 * (changes + self._doubt) / (SHRUNK * self.error))
        there = np.flatnonzero((self.examples + 1 + np.arange(len(flags)) >= enough) & may_end)
        used = int(there[0]) + 1 if len(there) else len(flags)
        self.done = bool(len(there))
        clean = used - 1 - int(np.flatnonzero(flags[:used])[-1]) if flags[:used].any() else self.run + used
        self.changes = int(changes[used - 1])
        self.run = clean
        return used


class ServedStopping(metaclass=Checked):
    """When to stop: once the hypotheses that served the rounds so far are certified to err little on average.

    Args:
        error: The error that is allowed, between 0 and 1.
        confidence: With which probability they must be that good, between 0 and 1.
    """

    def __init__(self, error: float, confidence: float) -> None:
        require(0 < error < 1, f"error must be between 0 and 1, got {error}")
        require(0 < confidence < 1, f"confidence must be between 0 and 1, got {confidence}")
        self.error = error
        self.confidence = confidence
        self.examples = self.mistakes = 0
        self.order = LabelOrder()
        self.done = False

    @property
    def risk(self) -> Risk:
        """What the rounds so far say about new ones."""
        return risk(self.examples, self.mistakes, self.confidence, self.order)

    @property
    def certified(self) -> Fraction:
        """The average error that is certified now; 1 where the order of the labels lets nothing be said."""
        found = self.risk
        return Fraction(1) if found.doubt else found.average

    @property
    def needed(self) -> int:
        """The fewest rounds that can finish it, none of them a mistake; it never finishes in between."""
        if self.done:
            return 0
        few = 0
        enough = 1
        while not self._is_enough(enough) and enough < ENDLESS:
            few = enough
            enough = 2 * enough
        while enough - few > 1:
            middle = (few + enough) // 2
            few, enough = (few, middle) if self._is_enough(middle) else (middle, enough)
        return max(enough, self.order.count_missing(), 1)

    def _is_enough(self, more: int) -> bool:
        """Whether it would finish if this many rounds followed without a mistake."""
        asked = -math.log1p(-self.confidence) + 2 * SURE  # a little more than `risk` asks for, which rounds up
        return measure_evidence(self.examples + more, self.mistakes, self.error) >= asked

    def feed(self, wrong: Any, labels: Any) -> int:
        """Take in rounds, true where what was served was wrong, and return how many came before the end."""
        wrong = np.asarray(wrong, bool)
        labels = np.asarray(labels)
        used = 0
        while used < len(wrong) and not self.done:
            here = slice(used, used + self.needed)  # it cannot end before the last of these
            self.order.add(labels[here])
            used += len(wrong[here])
            self.examples += len(wrong[here])
            self.mistakes += int(np.count_nonzero(wrong[here]))
            self.done = self._is_enough(0) and self.order.find_doubt() is None
        return used

    def __str__(self) -> str:
        """In words, what a user may rely on."""
        found = self.risk
        words = str(found).replace("\n", " ")
        if found.doubt:
            return f"not certified for {100 * self.error:g} % after {self.examples:,} examples: {words}"
        if self.done:
            return f"certified after {self.examples:,} examples and {self.mistakes:,} mistakes: {words}"
        return f"not certified for {100 * self.error:g} %: the {self.examples:,} examples ended first; {words}"
