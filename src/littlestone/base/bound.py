"""Bounds and certificates: what a theorem promises, and what it allowed on the rounds that were played.

A bound is a number with its theorem and its hypotheses in words. Values are exact (integers or fractions) wherever
the theorem is; a value computed in floating point is rounded up, so that a check can be wrong only towards doubt.

>>> Bound(theorem="Halving", promise="one of 8 concepts labels every instance", value=3).allows(3)
True
"""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self, cast

from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import read_fraction
from littlestone.base.printed_numbers import Number, compare, format_down, format_up

IDLE = 0.9  # a comparator that leaves more than this share unexplained explains nothing to speak of
Scope = Literal["sequence", "expectation", "iid", "class"]

# what reading a document raises that is not what it should be
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
LOSSES = ("log-loss", "square loss", "absolute loss", "pinball loss", "Huber loss")  # that theorems bound
VERSION = 2  # of the certificates that are made here; 1 differs in the fingerprint of the rounds
OPTIONAL = ("version", "rows", "columns")  # fields that are left out of JSON where there is nothing to say
SCOPES: dict[Scope, str] = {
    "sequence": "true of this very sequence of rounds",
    "expectation": "the exact expectation over the learner's own coins, on this very sequence",
    "iid": "the risk on new rounds from the same source, with the stated confidence",
    "class": "any sequence that keeps the promise, including rounds not yet played",
}


class Tally(NamedTuple):
    """What was counted: rounds, mistakes (guess differs from label), updates (the state moved), expected mistakes."""

    rounds: int = 0
    mistakes: int = 0
    updates: int = 0
    expected: Number | None = None


def round_up(value: float) -> Fraction:
    """A fraction no smaller than what a few correctly rounded float operations should have given.

    A number that is negative is rounded to 0, which is no smaller; one that is not finite bounds nothing.
    """
    require(math.isfinite(value), f"no finite bound comes of {value}", NotCertified)
    return Fraction(value) * (1 + Fraction(8, 2**52)) if value >= 0 else Fraction(0)


def largest(possible: Callable[[int], bool]) -> int:
    """The largest whole number that a monotone predicate, true of 0, is true of."""
    high = 1
    while possible(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if possible(middle) else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class Bound:
    """At most `value` of what it counts, whenever the promise is kept.

    Args:
        theorem: The theorem and its paper.
        promise: What it supposes about the rounds, in words.
        value: The bound, exact where the theorem is, otherwise rounded up.
        counts: What it bounds.
    """

    theorem: str
    promise: str
    value: Number
    counts: Literal["mistakes", "updates", "expected mistakes", "loss", "regret"] = "mistakes"

    @property
    def mistakes(self) -> int:
        """The whole number of mistakes that the bound allows."""
        return math.floor(self.value)

    def allows(self, count: Number) -> bool:
        """Whether a count stays within the bound."""
        return count <= self.value

    def __str__(self) -> str:
        return f"{self.counts} <= {format_up(self.value)} if {self.promise} ({self.theorem})"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A theorem applied to what happened: counts, bound, and a witness that the hypotheses hold.

    Args:
        theorem: The theorem and its paper.
        promise: What it supposes, in words.
        counts: What it bounds: updates, mistakes, steps, expected mistakes or loss.
        mistakes: Rounds whose guess differed from the label.
        updates: Rounds that moved the state.
        bound: What the theorem allowed.
        witness: What shows that the hypotheses hold on these rounds.
        scope: Of what it is true: this sequence, an expectation, new rounds, or a class of sequences.
        exact: Whether everything was computed without rounding.
        count: What was counted, where it is neither mistakes nor updates.
        rounds: How many rounds it speaks of.
        learner: Name and parameters of the learner; empty unless `certify` made it.
        stream: A digest of the rounds.
        updated: The numbers of the rounds that taught the learner, from 0.
        marks: What the rule leaves open in each of them: copies added, or the class stepped away from.
        version: By which rules it is to be read: 1 or 2, or None for certificates made before there were versions.
        rows: How the run held its rows (`Digest.rows`), which decides how sums were rounded; None: in several ways.
        columns: What the columns of the table are (`Schema.to_record`), so that it is read as it was; None: no names.
    """

    theorem: str
    promise: str
    counts: str
    mistakes: int
    updates: int
    bound: Number
    witness: Any
    scope: Scope
    exact: bool = True
    count: Number | None = None
    rounds: int = 0
    learner: dict[str, Any] = field(default_factory=dict)
    stream: str = ""
    updated: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    version: int | None = None
    rows: dict[str, Any] | None = None
    columns: dict[str, Any] | None = None

    @property
    def counted(self) -> Number:
        """What the bound is about: the mistakes, unless the theorem counts something else."""
        if self.count is not None:
            return self.count
        return self.updates if self.counts == "updates" else self.mistakes

    @property
    def slack(self) -> Number:
        """How much more the theorem would have allowed."""
        return self.bound - self.counted

    @property
    def holds(self) -> bool:
        return self.counted <= self.bound

    def to_json(self) -> str:
        """The certificate as JSON; fractions are written as strings such as "13/12"."""
        record = {name: to_json_value(value) for name, value in asdict(self).items()}
        record = {name: value for name, value in record.items() if value is not None or name not in OPTIONAL}
        record |= {"slack": to_json_value(self.slack), "holds": self.holds}
        return json.dumps(record | {"digest": _make_digest(record)}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The certificate that `to_json` wrote; anything else is refused."""
        try:
            record = json.loads(text, object_pairs_hook=_read_record, parse_constant=_refuse_constant)
            digest = record.pop("digest")
            require(digest == _make_digest(record), "its digest is that of another one", NotCertified)
            claimed = {name: record.pop(name) for name in ("slack", "holds")}
            record["bound"], record["count"] = _read_number(record["bound"]), _read_number(record["count"])
            lists = all(type(record[name]) is list for name in ("updated", "marks")) and "exact" in record
            require(lists, "updates and marks are lists, and it says whether it is exact", NotCertified)
            record["updated"], record["marks"] = tuple(record["updated"]), tuple(record["marks"])
            certificate = cls(**record)
            certificate.refuse_malformed()
            verdict = {"slack": to_json_value(certificate.slack), "holds": certificate.holds}
            require(claimed == verdict, f"the numbers give {verdict}, not {claimed}", NotCertified)
            return certificate
        except (*MALFORMED, NotCertified) as problem:
            raise NotCertified(f"this is not a certificate as Certificate.to_json writes it: {problem}") from None

    def refuse_malformed(self) -> None:
        """Refuse fields of another kind than these are of, and rules of reading that are not known here."""
        readable = self.version is None or (type(self.version) is int and 1 <= self.version <= VERSION)
        require(readable, f"its version is {self.version!r}, and versions up to {VERSION} are read here", NotCertified)
        words = (self.theorem, self.promise, self.counts, self.stream)
        known = all(type(word) is str for word in words) and self.scope in SCOPES and type(self.exact) is bool
        known = known and type(self.learner) is dict and type(self.updated) is type(self.marks) is tuple
        known = known and all(told is None or type(told) is dict for told in (self.rows, self.columns))
        whole = (self.mistakes, self.updates, self.rounds, *self.updated, *self.marks)
        known = known and all(type(count) is int and count >= 0 for count in whole)
        numbers = (self.bound, 0 if self.count is None else self.count)
        known = known and all(type(number) in (int, Fraction, float) for number in numbers)
        require(known, "a field is not what it should be", NotCertified)

    @property
    def explains(self) -> str:
        """How much of what it counts the witness explains, in words; empty where that is not known."""
        known = self.witness if isinstance(self.witness, dict) else {}
        share = known.get("unexplained")
        if share is None:
            counted = "; losses count each round as often as it was learned" if "weights" in self.learner else ""
            lossy = self.counts in LOSSES and "comparator" in known
            return _explain_losses(known, self.bound) + counted if lossy else ""
        explained = f"{math.floor(1000 * max(0.0, 1 - share)) / 10:g} %"
        words = f"the comparator explains {explained} of the loss on these updates"
        words += ": this proves the run, not its accuracy" if share > IDLE else ""
        everywhere = self.witness.get("everywhere")
        if everywhere is not None:
            words += f"; over all {self.rounds:,} rounds its own hinge loss is about {everywhere:,.0f}"
        return words

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "DOES NOT HOLD"
        return (
            f"{compare(self.counted, self.counts, self.bound)} {verdict}: {self.theorem}\n"
            f"  promise: {self.promise}\n  witness: {_shorten_witness(self.witness)}\n  scope: {SCOPES[self.scope]}"
            + (f"\n  {'beside' if self.counts in LOSSES else 'share'}: {self.explains}" if self.explains else "")
        )


def _explain_losses(witness: dict[str, Any], bound: Any) -> str:
    """What the comparators of a certificate of a loss lose, what none loses, and the mistakes that follow."""
    one = len(witness.get("units", [0])) == 1
    rules = "a fixed linear rule has" if one else "fixed linear rules, one a class, have"
    words = f"{rules} {format_up(witness['comparator'])}, no rule at all {format_up(witness['zero'])}"
    words += ", so that this proves the run, not its accuracy" if bound >= witness["zero"] else ""
    rules = "the loss of any such rule" if one else "the losses of any such rules"
    if witness.get("floor", 0) > 0 and _is_own_charge(witness):
        words += f"; {rules} and a charge for large weights add up to at least {format_down(witness['floor'])}"
    if "units" not in witness:  # of numbers
        larger = witness.get("logarithms")
        return words + (f"; the form with logarithms allows {format_up(larger)}" if larger else "")
    most = f"{witness['most_mistakes']:,}"
    mean = format_up(witness["expected"])
    return f"{words}; at most {most} mistakes follow, and {mean} are expected of guessing by the chances given"


def _is_own_charge(witness: dict[str, Any]) -> bool:
    """Whether the floor of a certificate is under losses with the charge of its bound: earlier ones had others."""
    named = [(unit["member"], unit["ridge"]) for unit in witness.get("units", [])]
    return "ridge" not in witness and all(ridge == (not name.startswith("Coin")) for name, ridge in named)


def _shorten_witness(witness: Any) -> str:
    """A witness for people: long lists of numbers are counted, not shown, and of rules for units only that."""
    if isinstance(witness, dict) and "comparator" in witness and "units" not in witness:
        return f"{len(witness['numerators'])} numbers"
    if isinstance(witness, dict) and "comparator" in witness and "units" in witness:
        rules = [f"{len(unit['numerators'])} numbers through {unit['member']}" for unit in witness["units"][:3]]
        return "; ".join(rules + ["..."] * (len(witness["units"]) > 3))
    if isinstance(witness, dict):
        witness = {
            name: f"{len(value)} numbers" if isinstance(value, list) and len(value) > 12 else _shorten_value(value)
            for name, value in witness.items()
        }
    return str(to_json_value(witness))


def _shorten_value(value: Any) -> Any:
    """A long fraction to five digits, which in a witness stand for about so much."""
    long = isinstance(value, Fraction) and value.denominator > 10**6
    return float(f"{float(value):.5g}") if long else to_json_value(value)


def _make_digest(record: dict[str, Any]) -> str:
    """A hash of everything else that a certificate says, so that an accident does not pass for another claim."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def to_json_value(value: Any) -> Any:
    """The same value in what JSON knows."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, dict):
        return {str(key): to_json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_value(item) for item in value]
    if isinstance(value, str | int | float | bool | type(None)):
        return value
    return value.item() if hasattr(value, "item") else str(value)


def _read_number(value: Any) -> Number | None:
    """A number as `to_json_value` wrote it."""
    if isinstance(value, str):
        return read_fraction(value)
    require(value is None or type(value) in (int, float), f"{value!r} is not a number", NotCertified)
    return cast(Number | None, value)


def _read_record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, refused if it has a name twice."""
    record = dict(pairs)
    require(len(record) == len(pairs), "it says something twice", NotCertified)
    return record


def _refuse_constant(name: str) -> None:
    """Refuse NaN and infinities, which JSON does not have."""
    raise NotCertified(f"{name} is not a number")
