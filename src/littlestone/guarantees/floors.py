"""Floors: what no fixed rule, and no fixed linear rule, can go below on the rounds of a stream, with a proof.

A floor is about rules that are fixed for all rounds, and so about how far any of them could come; never about learners,
who may use the order. `certificates/check/floors.py` has the theorems and checks what is found here. Rows are those
that learners see: words of a text without their order, say.

Rows with several labels force mistakes upon any rule. Of two classes, disjoint sets of rows that cancel force one each
upon linear rules; a search by linear programs finds them one after another (`certificates/make/packing.py`) and may be
stopped whenever one likes. Dual solutions force losses upon linear rules up to some length.

>>> from littlestone import Recorded
>>> print(floor(Recorded([[0, 0], [0, 1], [1, 0], [1, 1]], [False, True, True, False])))
no rule can have less than 0 % (0 of 4 rounds), no linear rule less than 25 % (1);
a linear rule with 25 % (1) is known, so that none has fewer
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from time import monotonic
from typing import Any

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.learner import UNLIMITED
from littlestone.base.printed_numbers import Number, format_down, format_up
from littlestone.certificates.check.floors import (
    BITS,
    COUNTS,
    THEOREMS,
    bracket_loss,
    count_contradictions,
    count_errors,
    promise,
    read_rule,
    round_loss,
)
from littlestone.certificates.check.integer_rows import ColumnStream, StreamFacts
from littlestone.certificates.make.floors import (
    close_gap,
    find_hinge_shares,
    find_logistic_shares,
    find_rule,
    pair_contradictions,
    scale_columns,
)
from littlestone.certificates.make.margins import Rows
from littlestone.certificates.make.packing import pack_sets
from littlestone.game.leading_rounds import collect_rounds, open_stream
from littlestone.guarantees.signed_rows import cancels, sign_rows

SECONDS = 60.0
LONGER = 10  # times the length of the known rule, up to which a floor under losses speaks of rules
SHARES = {"log-loss": find_logistic_shares, "hinge": find_hinge_shares}


@dataclass(frozen=True, slots=True)
class Floor:
    """Floors under the rules of several kinds, each a certificate that `verify` checks against the stream.

    Args:
        rounds: How many rounds were looked at.
        classes: How many labels they have.
        certificates: What was proved, by the kind of rules: "any", "linear", "log-loss" or "hinge".
        stopped: Whether the search was stopped before its end, so that there may be more to find.
    """

    rounds: int
    classes: int
    certificates: dict[str, Certificate]
    stopped: bool = False

    @property
    def any(self) -> int:
        """No rule makes fewer mistakes."""
        return int(self.certificates["any"].counted)

    @property
    def linear(self) -> int | None:
        """No linear rule makes fewer mistakes; None if that was not looked for, or there are more than two classes."""
        found = self.certificates.get("linear")
        return None if found is None else int(found.counted)

    @property
    def known(self) -> int | None:
        """The mistakes of a linear rule that is known; None where `linear` is."""
        found = self.certificates.get("linear")
        return None if found is None else int(found.bound)

    def record(self) -> dict[str, Any]:
        """What was found, as JSON knows it, without the proofs."""
        found = {
            name: {"floor": one.counted, "known": one.bound, "counts": one.counts, "theorem": one.theorem}
            for name, one in self.certificates.items()
        }
        about = {"rounds": self.rounds, "classes": self.classes, "stopped": self.stopped}
        return about | {"floors": found, "words": str(self)}

    def __str__(self) -> str:
        words = f"no rule can have less than {self._share(self.any)} ({self.any:,} of {self.rounds:,} rounds)"
        if self.linear is None or self.known is None:
            return words + (f"; of linear rules for {self.classes} classes no more is known" * (self.classes > 2))
        closed = self.linear == self.known
        words += f", no linear rule less than {self._share(self.linear)} ({self.linear:,});\na linear rule with "
        words += f"{self._share(self.known, upwards=not closed)} ({self.known:,}) is known, "
        words += "so that none has fewer" if closed else "and what lies between is open"
        words += ": the search was stopped, and a longer one may find more" if self.stopped and not closed else ""
        for name in (name for name in SHARES if name in self.certificates):
            one = self.certificates[name]
            loss = "hinge loss" if name == "hinge" else name
            words += f"\nno linear rule of length up to {one.witness['norm']:,} has a {loss} below "
            words += f"{format_down(one.counted, 6)}; one with {format_up(one.bound, 6)} is known"
        return words

    def _share(self, mistakes: int, upwards: bool = False) -> str:
        """Mistakes in per cent of the rounds: a floor rounded down, what is known up."""
        part = 10_000 * mistakes
        hundredths = -(-part // self.rounds) if upwards else part // max(1, self.rounds)
        return f"{hundredths / 100:g} %"


def floor(
    stream: Any, seconds: float = SECONDS, rounds: int | None = None, losses: bool = False, features: Any = None
) -> Floor:
    """Find what no fixed rule can go below on a stream; an interrupt ends the search, and what was found stands.

    Args:
        stream: A stream, or a file as `read` takes it.
        seconds: How long to look at mistakes of linear rules, and at each of their losses, by the clock, >= 0; 0: not
            at all.
        rounds: How many rounds to look at; None: all.
        losses: Whether to look at the log-loss and hinge loss of linear rules too.
        features: What reads instances; None: as the stream offers them.
    """
    require(seconds >= 0, f"seconds must be at least 0, got {seconds}")
    stream = open_stream(stream)
    reads = stream.features() if features is None else features
    plain = ColumnStream(stream, reads, [], UNLIMITED if rounds is None else rounds, 0.0, UNLIMITED)
    try:
        facts = plain.survey()
    except NotCertified as problem:
        raise BadInstance(f"there is no floor: {problem}") from None
    plain = replace(plain, rounds=facts.rounds)
    counted = count_contradictions(plain.read())
    about = _Proved(facts, {"distinct": counted.distinct}, counted.forced, counted.forced, counted.forced)
    found = Floor(facts.rounds, facts.classes, {"any": about.certify("any")})
    if facts.classes > 2 or not facts.rounds or not seconds:
        return found
    search = _Search(collect_rounds(stream, facts.rounds, reads), replace(plain, constant=1.0, limit=2), facts, seconds)
    found.certificates["linear"] = search.find_sets()
    for kind in SHARES if losses else ():
        found.certificates[kind] = search.find_shares(kind)
    return replace(found, stopped=search.stopped)


@dataclass(frozen=True)
class _Proved:
    """What is to be certified of some rounds."""

    facts: StreamFacts
    witness: dict[str, Any]
    floor: Number
    known: Number
    mistakes: int

    def certify(self, kind: str) -> Certificate:
        return Certificate(
            THEOREMS[kind],
            promise(kind, self.witness.get("norm")),
            COUNTS[kind],
            self.mistakes,
            0,
            self.known,
            self.witness,
            "sequence",
            count=self.floor,
            rounds=self.facts.rounds,
            learner={"name": "floor", "rules": kind},
            stream=self.facts.digest,
            version=VERSION,
        )


class _Search:
    """The search for what linear rules of two classes cannot go below; an interrupt ends it."""

    def __init__(self, chunk: Any, again: ColumnStream, facts: StreamFacts, seconds: float) -> None:
        self.again = again
        self.facts = facts
        self.stopped = False
        self.interrupted = False
        self.seconds, self.end = seconds, monotonic() + seconds
        rows = sign_rows(chunk, 1.0).rows
        self.columns, places = np.unique(rows.indices, return_inverse=True)  # the first one is the constant
        self.rows: Rows = replace(rows, indices=places.astype(rows.indices.dtype), width=len(self.columns))
        self.scaled, self.exponents = scale_columns(self.rows)

    def time_left(self) -> float:
        left = self.end - monotonic()
        self.stopped |= left <= 0
        return left

    def attempt(self, task: Callable[[], Any], otherwise: Any) -> Any:
        """What a task finds; if it is interrupted, the search is over."""
        try:
            return task()
        except KeyboardInterrupt:
            self.end = monotonic()
            self.stopped = True
            self.interrupted = True
            return otherwise

    def find_sets(self) -> Certificate:
        """Sets of rows that cancel, and a rule that errs on few."""
        apart = pair_contradictions(self.rows)
        u = self.attempt(lambda: find_rule(self.scaled, apart.common, self.time_left), np.zeros(self.rows.width))
        sets = [{few: 1, many: 1} for few, many in apart.pairs]
        wrong = self.scaled.multiply(u)[apart.unpaired] <= 0
        left = self.scaled.select(apart.unpaired)

        def pack() -> None:
            for found in pack_sets(left, wrong, self.time_left):
                one = {int(apart.unpaired[t]): copies for t, copies in found.items()}
                if cancels(self.rows, one):
                    sets.append(one)

        self.attempt(pack, None)
        self.stopped &= bool(wrong.any())
        u = self.attempt(lambda: close_gap(self.scaled, sets, u), u)
        rule = self.name_rule(u)
        errors = count_errors(self.again.read(), read_rule(rule))
        witness = {"sets": [list(one) for one in sets], "multiples": [list(one.values()) for one in sets], **rule}
        return _Proved(self.facts, witness, len(sets), errors, errors).certify("linear")

    def name_rule(self, u: Array) -> dict[str, Any]:
        """A rule of scaled rows as one of the rows themselves, in short floats; attribute -1 is the constant."""
        weights = np.ldexp(u.astype(np.float32).astype(np.float64), -self.exponents)
        kept = np.flatnonzero((np.abs(weights) > 2.0**-400) & (np.abs(weights) < 2.0**400))
        return {"attributes": (self.columns[kept] - 1).tolist(), "weights": weights[kept].tolist()}

    def find_shares(self, kind: str) -> Certificate:
        """Shares of the rows that force a loss, and a rule that loses little more."""
        self.end = self.end if self.interrupted else monotonic() + self.seconds
        nothing = np.zeros(self.rows.width), np.full(len(self.rows), 0.5)
        u, shares = self.attempt(lambda: SHARES[kind](self.scaled, self.time_left), nothing)
        rule = self.name_rule(u)
        norm = max(1, ceil(LONGER * float(np.linalg.norm(rule["weights"]))))
        whole = np.clip(np.rint(shares * (1 << BITS)), 0, 1 << BITS).astype(np.int64).tolist()
        known = read_rule(rule)
        found = bracket_loss(self.again, self.facts.bits, kind, whole, norm, known)
        witness = {"norm": norm, "shares": whole, **rule}
        floor = round_loss(found.floor, upwards=False)
        loss = round_loss(found.known, upwards=True)
        return _Proved(self.facts, witness, floor, loss, count_errors(self.again.read(), known)).certify(kind)
