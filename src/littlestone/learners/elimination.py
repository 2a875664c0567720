"""Elimination: start with every literal and drop those that an example proves irrelevant.

A literal is an attribute or its negation. It *fires* where it alone decides the label: a true literal makes a
disjunction 1, a false one makes a conjunction 0. Predict that label exactly when some surviving literal fires. An
example of the other label deletes the literals that fire on it.

Theorem. If k of the literals of n attributes make up a disjunction (or conjunction) that labels every round, then
on any sequence, for L the surviving literals, of which there are |L| >= k,

    mistakes <= n + 1 - |L| <= n + 1 - k    (none at all if the k contain some literal and its negation),
    mistakes <= n - |L| <= n - k            for a monotone target, whose literals are all attributes themselves.

Proof. A literal that fires on an example of the other label is not in the target, so the target's survive, and each
example of the label they decide is predicted. A mistake is then an example of the other label on which a survivor
fires: it deletes at least one. With both literals of every attribute the first mistake deletes exactly n of 2n.
(A monotone conjunction over undeclared attributes starts with one more: any that has not turned up yet.)

L. G. Valiant. A theory of the learnable. Communications of the ACM 27:1134-1142, 1984. Short hypotheses: V. Chvatal.
A greedy heuristic for the set-covering problem. Mathematics of Operations Research 4:233-235, 1979.

>>> Elimination("conjunction", monotone=True).bound(attributes=100, relevant=5).mistakes
95
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, final

import numpy as np

from littlestone.base.assumptions import Assumptions
from littlestone.base.bound import Bound, Certificate, Tally
from littlestone.base.chunks import Array, Chunk, Row
from littlestone.base.errors import BadInstance, NotCertified, NotRealizable, require
from littlestone.base.learner import Size, fingerprint
from littlestone.base.theorem import Takes
from littlestone.base.traits import Keyed, PlanEntry, Planned, Promises, Remainders, Witnesses
from littlestone.compiled import U, array_rule, kernel, read_attribute, read_value
from littlestone.learners.shared.inside import expect_rows
from littlestone.learners.shared.linear import RowPlayer
from littlestone.learners.shared.rounds import ZERO, Entries, Rounds, find_entries
from littlestone.learners.shared.short_hypotheses import ShortHypothesis, find_short_hypothesis

THEOREM = "Elimination (Valiant 1984)"
UNCOUNTED = 2**62  # off-literals while undeclared attributes may still turn up: more than any row can silence


class Literals(NamedTuple):
    """Survivors that fire where their attribute is 1 (`on`) or 0 (`off`).

    `counts`: off-literals left, updates, and whether the attributes were not declared before the first round.
    """

    on: Array
    off: Array
    counts: Array


@array_rule
def scan(state: Any, row: Any) -> Any:
    """Read a row.

    Returns:
        Whether an on-literal fires on the row.
        The number of off-literals that the row silences; -1 if it cannot be read.
    """
    fired = False
    silenced = 0
    for k in range(row.a, row.b):
        i = read_attribute(row.indices, k, row.a)
        value = read_value(row.values, k)
        if value != 0:
            if value != 1 or i >= U(state.on.size):
                silenced = -1
                break
            fired = fired or state.on[i] == 1
            silenced += 1 if state.off[i] == 1 else 0
    return fired, silenced


@array_rule
def delete(state: Any, row: Any, silenced: Any) -> None:
    """Delete the literals that fire on the row, and count it."""
    on = state.on
    off = state.off
    counts = state.counts
    fewer = silenced < counts[0]
    for k in range(row.a, row.b):
        if read_value(row.values, k) != 0:
            i = read_attribute(row.indices, k, row.a)
            on[i] = 0
            if fewer:
                off[i] *= 2
    if fewer:  # rare: the first time leaves at most the attributes of one row
        for i in range(off.size):
            off[i] //= 2
    counts[0] = silenced
    counts[1] += 1


@kernel
def decides(state: Any, indices: Any, values: Any, length: int) -> Any:
    """Return 1 if some surviving literal fires on the row, 0 if none does, -1 if the row cannot be read."""
    fired, silenced = scan(state, Entries(indices, values, ZERO, U(length)))
    if silenced < 0:
        return -1
    return 1 if fired or silenced < state.counts[0] else 0


@array_rule
def play_rounds(state: Any, rounds: Any, guesses: Array, decided: Any) -> Any:
    """The rounds of `eliminate`."""
    labels = rounds.labels
    for t in range(labels.size):
        row = find_entries(rounds, t)
        fired, silenced = scan(state, row)
        fires = fired or silenced < state.counts[0]
        if silenced < 0 or (labels[t] == decided and not fires):
            return t
        guesses[t] = decided if fires else 1 - decided
        if labels[t] != decided and fires:
            delete(state, row, silenced)
    return labels.size


@kernel
def eliminate(state: Any, rounds: Any, guesses: Array, decided: int) -> Any:
    """Play leading rounds, up to one that cannot be read or that no set of literals explains; return how many."""
    return play_rounds(state, rounds, guesses, decided)


@final
@dataclass(frozen=True)
class Elimination(RowPlayer, Keyed, Promises, Witnesses, Remainders, Planned):
    """Start with every literal and drop those that an example proves irrelevant; attributes are 0 or 1.

    Args:
        target: "disjunction" or "conjunction", what the literals make up.
        monotone: Leave out negated attributes, which allows one mistake less.
    """

    target: Literal["disjunction", "conjunction"] = "disjunction"
    monotone: bool = False

    def __post_init__(self) -> None:
        named = self.target in ("disjunction", "conjunction")
        require(named, f"target must be 'disjunction' or 'conjunction', got {self.target!r}")

    @property
    def decided(self) -> int:
        """The label that one literal alone can decide."""
        return int(self.target == "disjunction")

    def start(self, size: Size, seed: int = 0) -> Literals:
        on, off = self._choose_literals()
        n = size.attributes
        left = off * (n or UNCOUNTED)
        return Literals(np.full(n, on, np.uint8), np.full(n, off, np.uint8), np.array([left, 0, n == 0]))

    def grow(self, state: Literals, size: Size) -> Literals:
        """Add attributes with the literals that they would have, had they been 0 from the first round on."""
        more = size.attributes - len(state.on)
        if more <= 0:
            return state
        on, off = self._choose_literals()
        counts = state.counts.copy()
        if counts[1]:
            off = 0  # it fired on the examples that deleted something
        else:
            counts[:] = off * UNCOUNTED, 0, 1  # what was declared did not last: yet more may turn up
        pad = np.ones(more, np.uint8)
        return Literals(np.append(state.on, on * pad), np.append(state.off, off * pad), counts)

    def predict(self, state: Literals, x: Row) -> int:
        fires = decides(state, x.indices, x.values, x.length)
        if fires < 0:
            bad = [] if x.values is None else [value for value in x.values.tolist() if value not in (0, 1)]
            known = f"the state has attributes 0 to {len(state.on) - 1}, got attribute {x.width - 1}"
            raise BadInstance(f"attributes must be 0 or 1, got {bad[0]}" if bad else known)
        return self.decided if fires else 1 - self.decided

    def replay(self, state: Literals, chunk: Chunk, guesses: Array) -> int:
        rows = expect_rows(self, chunk)
        return self.play(state, Rounds(rows.indptr, rows.indices, rows.values, None, rows.labels), guesses)

    def play(self, state: Literals, rounds: Rounds, guesses: Array) -> int:
        done = int(eliminate(state, rounds, guesses, self.decided))
        if done == 0 and len(rounds.labels):
            self.predict(state, rounds.row(0))  # raises if the row cannot be read; if it can, its label is the matter
            raise NotRealizable(f"no {self._name()} that agrees with the rounds before labels this row {self.decided}")
        return done

    def key(self, state: Literals) -> Hashable:
        return fingerprint((state.on, state.off, int(state.counts[0])))

    def literals(self, state: Literals) -> tuple[str, ...]:
        """List the surviving literals by name; attribute 0 is x1."""
        plain, negated = self._split_literals(state)
        names = (f"x{i + 1}" for i in np.flatnonzero(plain))
        return (*names, *(f"not x{i + 1}" for i in np.flatnonzero(negated)))

    def bound(self, attributes: int | None = None, relevant: int = 0) -> Bound:
        """Bound the mistakes for a target of `relevant` literals over declared `attributes`."""
        if attributes is None:
            raise NotCertified("elimination promises nothing unless it is said how many attributes there are")
        fits = 0 <= relevant <= attributes
        require(fits, f"0 <= relevant <= attributes must hold, got relevant={relevant}, attributes={attributes}")
        promise = f"a {self._name()} of {relevant} literals over {attributes} attributes labels every round"
        return Bound(THEOREM, promise, attributes + (not self.monotone) - relevant)

    def certificate(self, state: Literals, tally: Tally) -> Certificate:
        """The witness is the set of surviving literals: if any set agrees with every round, it does."""
        n = len(state.on)
        left = int(state.on.sum()) + int(state.off.sum())
        extra = int(state.counts[2]) * (1 - self.decided) if self.monotone else 1
        allowed = max(0, n + extra - left)
        plain, negated = self._split_literals(state)
        ranges = {"plain": _write_ranges(plain), "negated": _write_ranges(negated)}
        witness = {"attributes": n, "literals": left} | ranges
        promise = f"a {self._name()} labels every round"
        return Certificate(THEOREM, promise, "mistakes", tally.mistakes, tally.updates, allowed, witness, "sequence")

    def short_hypothesis(self, state: Literals, X: Any, y: Any) -> ShortHypothesis:
        """A short set of surviving literals that agrees with rows X of classes y, which the state has learned."""
        return find_short_hypothesis(state, self.decided, X, y)

    def _choose_literals(self) -> tuple[int, int]:
        """Choose whether a new game has on-literals, and whether it has off-literals, as 0 or 1."""
        return int(not self.monotone or self.decided == 1), int(not self.monotone or self.decided == 0)

    def _name(self) -> str:
        """Name the kind of target."""
        return f"monotone {self.target}" if self.monotone else self.target

    def _split_literals(self, state: Literals) -> tuple[Array, Array]:
        """Split the survivors into attributes that survive as themselves, and those that survive negated."""
        return (state.on, state.off) if self.decided else (state.off, state.on)

    def remaining(self, state: Literals, relevant: int = 0) -> Bound:  # type: ignore[override]
        """n + 1 - k before the first mistake, then the literals left, less the k `relevant` ones."""
        require(state.counts[2] == 0, "say at the start how many attributes there are", NotCertified)
        n = len(state.on)
        left = int(state.on.sum()) + int(state.off.sum())
        value = n + 1 if not self.monotone and state.counts[1] == 0 else left
        require(0 <= relevant <= left, f"{left} literals are left, not {relevant}", NotCertified)
        promise = f"{relevant} or more of the {left} literals that are left label every round to come"
        return Bound(THEOREM, promise, value - relevant)

    @classmethod
    def plan(cls, assumptions: Assumptions) -> Iterator[PlanEntry]:
        if assumptions.is_exact_or:
            n = assumptions.attributes
            learner = cls(monotone=True)
            bound = learner.bound(n, assumptions.relevant)
            yield PlanEntry(learner, bound.value, bound.counts, "n - k", float(assumptions.most), 2.0 * n)

    def takes(self) -> Takes:
        return Takes(fractions=False, negative=False)

    def check_state(self, state: Literals, size: Size) -> bool:
        return bool(state.on.max(initial=0) <= 1 and state.off.max(initial=0) <= 1)


def _write_ranges(literals: Array) -> str:
    """Write the attributes of the literals as ranges, such as "x1-x5 x100"."""
    ends = np.flatnonzero(np.diff(literals, prepend=0, append=0)).reshape(-1, 2) + 1
    return " ".join(f"x{a}" if b == a + 1 else f"x{a}-x{b - 1}" for a, b in ends.tolist())
