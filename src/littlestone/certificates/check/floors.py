"""Floors, checked: what no fixed rule of a kind can go below on the rounds of a stream.

A floor is about rules that are fixed before the first round and judged on all of them, never about learners, who may
use the order. What is counted is the floor, and the bound is what a rule that is known has: they enclose the best one.

    any        A rule gives equal rows one label: it errs on n - max_c n_c of n equal rows, n_c of them with label c.
    linear     y u.(x, 1) <= 0 is an error. If whole multiples a > 0 of some rows z = y (x, 1) add up to 0, then every u
               errs on one of them, as 0 = u . sum a z (Gordan 1873). Sets without a common row force an error each.
    log-loss   For every share a from 0 to 1, ln(1 + e^-m) >= H(a) - a m, H(a) = -a ln a - (1 - a) ln(1 - a). So no u
               of length at most B has less than the sum of H(a), less B times the length of the sum of a z.
    hinge      The same with (1 - m)+ >= a - a m: the sum of a, less B times that length.

Sums of rows are made in whole numbers, entropies and lengths enclosed between decimals.
"""

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.integer_rows import ColumnChunk, ColumnStream, open_stream
from littlestone.certificates.check.intervals import Enclosing, Interval
from littlestone.certificates.check.report import Report, accept, require_words

ROUNDING = 2.0**-52
BITS = 20  # of shares
FURTHER = Fraction(1, 2**30)  # by which part of it a loss may be rounded outwards further than it must
REALS = Enclosing(25)
LINEAR = "a vector u is fixed for all rounds, with a constant attribute of 1; a score of 0 is an error"
SHORT = "a vector u of length at most {} is fixed for all rounds, with a constant attribute of 1"
THEOREMS = {
    "any": "equal rows with several labels",
    "linear": "disjoint sets of rows that cancel (Gordan 1873)",
    "log-loss": "dual of the logistic loss",
    "hinge": "dual of the hinge loss",
}
COUNTS = {
    "any": "forced mistakes",
    "linear": "forced mistakes",
    "log-loss": "forced log-loss",
    "hinge": "forced hinge loss",
}
RULE = ("attributes", "weights")


class Labelled(NamedTuple):
    """What the labels of equal rows force."""

    forced: int  # mistakes of any rule
    distinct: int  # different rows


class LossBracket(NamedTuple):
    """A loss that no vector up to some length has less of, rounded down, and that of a known one, rounded up."""

    floor: Fraction
    known: Fraction


def promise(rules: str, norm: int | None = None) -> str:
    """What a floor for rules of a kind supposes, in words."""
    if rules == "any":
        return "a rule is fixed for all rounds and sees nothing but the row"
    return LINEAR if rules == "linear" else SHORT.format(norm)


def count_contradictions(chunks: Iterator[ColumnChunk]) -> Labelled:
    """The mistakes that rows with several labels force upon any rule."""
    groups: dict[Any, dict[int, int]] = {}
    for chunk in chunks:
        for t, code in enumerate(chunk.codes.tolist()):
            counts = groups.setdefault(name_row(chunk, t), {})
            counts[code] = counts.get(code, 0) + 1
    return Labelled(sum(sum(one.values()) - max(one.values()) for one in groups.values()), len(groups))


def name_row(chunk: ColumnChunk, t: int) -> Any:
    """The same for equal rows and for no others: entries of one column are one, and those that are 0 are none."""
    part = slice(chunk.indptr[t], chunk.indptr[t + 1])
    columns = chunk.columns[part]
    values = chunk.values[part]
    if (columns[1:] > columns[:-1]).all() and values.all():
        return columns.tobytes(), values.tobytes()
    sums: dict[int, Fraction] = {}
    for column, value in zip(columns.tolist(), values.tolist(), strict=True):
        sums[column] = sums.get(column, Fraction(0)) + Fraction(value)
    entries = sorted((column, value) for column, value in sums.items() if value)
    if all(Fraction(float(value)) == value for _, value in entries):
        kept = [column for column, _ in entries], [float(value) for _, value in entries]
        return np.array(kept[0], columns.dtype).tobytes(), np.array(kept[1], values.dtype).tobytes()
    return tuple(entries)


def read_rule(witness: dict[str, Any]) -> Array:
    """The weights of a linear rule by column; attribute -1 is the constant."""
    attributes = witness["attributes"]
    weights = witness["weights"]
    whole = type(attributes) is type(weights) is list and len(attributes) == len(weights)
    whole = whole and all(type(number) is int for number in attributes) and all(type(w) is float for w in weights)
    rising = whole and all(a < b for a, b in zip([-2, *attributes], attributes, strict=False))
    small = rising and all(2.0**-500 < abs(w) < 2.0**500 for w in weights) and (attributes or [0])[-1] < 2**31
    require(small, "a rule has floats other than 0 for attributes in order", NotCertified)
    u = np.zeros((attributes or [-1])[-1] + 3)  # the last one stands for attributes that the rule lacks
    u[np.array(attributes, np.int64) + 1] = weights
    return u


def agree(chunk: ColumnChunk, u: Array) -> tuple[Array, Array]:
    """y u.x of each row in floats, and how far each may be off."""
    rows = np.repeat(np.arange(len(chunk.codes)), np.diff(chunk.indptr))
    with np.errstate(all="ignore"):
        terms = u[np.minimum(chunk.columns, len(u) - 1)] * chunk.values
        sums = np.bincount(rows, terms, len(chunk.codes)) * np.where(chunk.codes > 0, 1.0, -1.0)
        sizes = np.bincount(rows, np.abs(terms), len(chunk.codes))
        return sums, (np.diff(chunk.indptr) + 4) * (ROUNDING * sizes + 2.0**-1000)


def agree_exactly(chunk: ColumnChunk, u: Array, t: int) -> Fraction:
    """y u.x of one row."""
    part = slice(chunk.indptr[t], chunk.indptr[t + 1])
    pairs = zip(u[np.minimum(chunk.columns[part], len(u) - 1)].tolist(), chunk.values[part].tolist(), strict=True)
    total = sum((Fraction(w) * Fraction(value) for w, value in pairs), Fraction(0))
    return total if chunk.codes[t] > 0 else -total


def count_errors(chunks: Iterator[ColumnChunk], u: Array) -> int:
    """On how many rounds y u.(x, 1) <= 0, exactly: in fractions where floats cannot tell."""
    errors = 0
    for chunk in chunks:
        sums, off = agree(chunk, u)
        surely = sums < -off
        errors += int(np.count_nonzero(surely))
        for t in np.flatnonzero(~(surely | (sums > off))).tolist():
            errors += agree_exactly(chunk, u, t) <= 0
    return errors


def bracket_loss(again: ColumnStream, bits: int, rules: str, shares: list[int], norm: int, u: Array) -> LossBracket:
    """What no vector of length at most `norm` has less of, by the shares of the rounds, and what u has.

    Values of rows are whole multiples of 2^-bits, shares of 2^-BITS.
    """
    whole = 1 << BITS
    sums = dict[int, int]()
    kept = dict[int, Interval]()
    floor = REALS.of(0)
    known = REALS.of(0)
    for chunk in again.read():
        for t, code in enumerate(chunk.codes.tolist()):
            share = shares[chunk.first + t]
            if share not in kept:
                kept[share] = (
                    _measure_entropy(share, whole) if rules == "log-loss" else REALS.of(Fraction(share, whole))
                )
            floor = floor + kept[share]
            columns, values = chunk.row(t, bits) if share else ([], [])
            for column, value in zip(columns, values, strict=True):
                sums[column] = sums.get(column, 0) + (share if code else -share) * value
        known = known + _add_losses(chunk, u, rules)
    square = Fraction(sum(value * value for value in sums.values()), 1 << 2 * (bits + BITS))
    floor = floor - REALS.root(REALS.of(square)) * norm
    return LossBracket(Fraction(floor.low), Fraction(known.high))


def _measure_entropy(share: int, whole: int) -> Interval:
    """H of a share, in nats."""
    if share in (0, whole):
        return REALS.of(0)
    parts = [Fraction(share, whole), Fraction(whole - share, whole)]
    return REALS.total(-(REALS.ln(part) * part) for part in parts)


def _add_losses(chunk: ColumnChunk, u: Array, rules: str) -> Interval:
    """What u loses on some rounds: floats and how far off they may be."""
    sums, off = agree(chunk, u)
    require(bool(np.isfinite(sums).all()), "the scores of the known rule are too large", NotCertified)
    if rules == "hinge":
        losses = np.maximum(0.0, 1 - sums)
        off = off + ROUNDING * (1 + np.abs(sums))
    else:  # of the C library, whose logarithms and exponentials are off by a few units in the last place
        losses = np.maximum(0.0, -sums) + np.log1p(np.exp(-np.abs(sums)))
        off = off + 16 * ROUNDING * (1 + losses)
    total = float(losses.sum())
    room = float(off.sum()) + len(losses) * ROUNDING * float(losses.sum())
    low = Fraction(total) - 2 * Fraction(room)
    high = Fraction(total) + 2 * Fraction(room)
    return Interval(REALS.of(low).low, REALS.of(high).high, REALS)


def round_loss(value: Fraction, upwards: bool) -> float:
    """A float no smaller, or no larger, near the value."""
    digits = Context(prec=17, rounding=ROUND_CEILING if upwards else ROUND_FLOOR)
    near = float(digits.divide(Decimal(value.numerator), Decimal(value.denominator)))
    return float(np.nextafter(near, np.inf if upwards else -np.inf))


def check_floor(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of a floor."""
    about = certificate.learner
    rules = about.get("rules")
    require(set(about) <= {"name", "rules", "classes"}, f"no floor is of {about}", NotCertified)
    if rules not in THEOREMS:
        raise NotCertified(f"there is no floor of the rules {rules!r}")
    require(
        certificate.version is not None and certificate.rows is None, "a floor has a version, no rows", NotCertified
    )
    empty = (certificate.updates, certificate.updated, certificate.marks) == (0, (), ())
    require(empty, "a floor has no updates", NotCertified)
    limit, constant = (UNLIMITED, 0.0) if rules == "any" else (2, 1.0)
    again, facts = open_stream(certificate, stream, features, constant, limit)
    norm = certificate.witness.get("norm")
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREMS[rules], promise(rules, norm), COUNTS[rules], "sequence", True)
    require(words == expected, f"its words are {words}, not {expected}", NotCertified)
    if rules == "any":
        _check_any(certificate, again)
    elif rules == "linear":
        _check_sets(certificate, again, facts.bits)
    else:
        _check_losses(certificate, again, facts.bits, rules)
    return accept(certificate)


def _check_any(certificate: Certificate, again: ColumnStream) -> None:
    """Refuse other counts than rows with several labels force."""
    require_words(certificate.witness, ("distinct",))
    found = count_contradictions(again.read())
    said = certificate.witness["distinct"]
    _require_count(certificate, "mistakes", found.forced, found.forced)
    same = type(said) is int and said == found.distinct
    require(same, f"there are {found.distinct} different rows, not {said!r}", NotCertified)


def _require_count(certificate: Certificate, counts: str, floor: int, known: int) -> None:
    said = (certificate.count, certificate.bound, certificate.mistakes)
    whole = all(type(number) is int for number in said)
    fits = whole and said == (floor, known, known)
    require(fits, f"the floor is {floor} {counts} and the known rule makes {known}, not {said}", NotCertified)


def _check_sets(certificate: Certificate, again: ColumnStream, bits: int) -> None:
    """Refuse sets that share a row or do not cancel, and a known rule that errs more or less often than it says."""
    witness = certificate.witness
    require_words(witness, ("sets", "multiples", *RULE))
    sets = witness["sets"]
    multiples = witness["multiples"]
    paired = type(sets) is type(multiples) is list and len(sets) == len(multiples)
    paired = paired and all(type(part) is list and part for part in (*sets, *multiples))
    paired = paired and all(len(rows) == len(copies) for rows, copies in zip(sets, multiples, strict=True))
    require(paired, "each set has a multiple for each of its rounds", NotCertified)
    listed = [t for rows in sets for t in rows]
    whole = all(type(t) is int and 0 <= t < certificate.rounds for t in listed)
    require(whole, "a set has a round that there is not", NotCertified)
    require(len(set(listed)) == len(listed), "two sets share a round", NotCertified)
    positive = all(type(copies) is int and copies > 0 for part in multiples for copies in part)
    require(positive, "multiples are whole numbers above 0", NotCertified)
    owner = {t: (k, copies) for k, part in enumerate(sets) for t, copies in zip(part, multiples[k], strict=True)}
    sums: list[dict[int, int]] = [{} for _ in sets]
    for chunk in again.read():
        for t, code in enumerate(chunk.codes.tolist()):
            if chunk.first + t in owner:
                k, copies = owner[chunk.first + t]
                for column, value in zip(*chunk.row(t, bits), strict=True):
                    sums[k][column] = sums[k].get(column, 0) + (copies if code else -copies) * value
    for k, total in enumerate(sums):
        require(not any(total.values()), f"set number {k} of rounds does not cancel", NotCertified)
    errors = count_errors(again.read(), read_rule(witness))
    _require_count(certificate, "mistakes", len(sets), errors)


def _check_losses(certificate: Certificate, again: ColumnStream, bits: int, rules: str) -> None:
    """Refuse a floor under a loss that the shares do not give, and a known rule that loses otherwise than it says."""
    witness = certificate.witness
    floor = certificate.count
    known = certificate.bound
    require_words(witness, ("norm", "shares", *RULE))
    norm = witness["norm"]
    shares = witness["shares"]
    u = read_rule(witness)
    require(type(norm) is int and 0 < norm < 2**500, f"no length is {norm!r}", NotCertified)
    fits = type(shares) is list and len(shares) == certificate.rounds
    fits = fits and all(type(share) is int and 0 <= share <= 1 << BITS for share in shares)
    require(fits, "each round has a share, a whole number up to 2^20", NotCertified)
    short = sum(Fraction(w) ** 2 for w in witness["weights"]) <= norm**2
    require(short, f"the known rule is longer than {norm}", NotCertified)
    found = bracket_loss(again, bits, rules, shares, norm, u)
    errors = count_errors(again.read(), u)
    require(certificate.mistakes == errors, f"the known rule makes {errors} mistakes", NotCertified)
    for said, ours, sign in ((floor, found.floor, -1), (known, found.known, 1)):
        near = type(said) is float and 0 <= sign * (Fraction(said) - ours) <= FURTHER * max(Fraction(1), found.known)
        require(near, f"the loss is {float(ours)!r}, not {said!r}", NotCertified)
