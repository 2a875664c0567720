"""Certificates of predicted numbers: what `Ridge` and `CoinRegression` lost is at most what a comparator did, and what
their theorems add.

The run is played again bit for bit (`float_runs/regressions.py`), so that its loss has one true value. With u in units
of the labels over the largest sizes, and labels as the run counts them, from the first one on or from 0,

    Ridge            loss of u + ridge (sum of u_i^2) + the sum of y^2 q / (1 + q) - q z^2, and the first label squared
    ..., larger      loss of u + ridge (sum of u_i^2) + Y^2 (sum of ln(1 + q)), and the first label squared
    CoinRegression   loss of u + the sum of u_i g_i + E_i - e_i, at least 0, with wealths E_i at first and e_i at last,
                     and the loss of saying 0 of the first label

bound what was lost, Y being the largest label. Where rounds do not all count once, losses and steps are times c, the
part of its weight that a play has. Ridge is then charged c (y - z)^2 - c (y - p)^2 / (1 + c q), p being (1 + q) z, and
instead of ln(1 + q) stands c times the larger one of ln(1 + c q) and q (c + (1 - c)^2 / (2 - c + q)) / (1 + c q), the
most that this can be over c y^2.

The floor is a number below which no comparator's loss lies with (sum of r_i u_i^2) / 2 added. With any number a of each
round of which the loss has a conjugate, and p_i the sum of a x_i, it is

    the sum of a y - conjugate of a, less half the sum of p_i^2 / r_i.

For square loss a is twice what u falls short by, r is twice the ridge, and u fitted by least squares meets it. What
bets charge is no such sum, and their certificates have no floor. Those of earlier versions have one, and name a number
`ridge` (one of `TIMES`): a is minus the slope of the loss, bent over a `width` where the loss has a corner, and r_i is
`ridge` times sqrt(s_i + 1) / E_i. All numbers are rounded outwards by what sums of floats may be off, and at most 2^-30
of the bound further.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Numbers
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.comparators import LAST
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.mixture_members import add_carefully
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.mixture_rounds import fit_value
from littlestone.certificates.check.float_runs.regressions import (
    HUBER,
    PINBALL,
    SQUARE,
    NumberRun,
    Read,
    price_number,
    replay_numbers,
)
from littlestone.certificates.check.integer_rows import read_rounds, require_same_rounds
from littlestone.certificates.check.losses import ANY, FURTHER, read_comparator, round_outwards
from littlestone.certificates.check.report import Report, require_words
from littlestone.certificates.check.round_weights import read_weighed
from littlestone.certificates.digest import Digest
from littlestone.compiled import kernel, rule

BITS = 40  # of the fractions of a comparator
TIMES = (0.01, 0.1, 1.0, 10.0)  # by which ridges were multiplied for the floor of bets
THEOREMS = {
    "Ridge": "Ridge, square loss (Vovk 2001; Azoury and Warmuth 2001)",
    "CoinRegression": "CoinRegression, loss of slope at most 1 (Kempka, Kotlowski and Warmuth 2019)",
}
COUNTS = ("square loss", "absolute loss", "pinball loss", "Huber loss")


class NumberClaim(NamedTuple):
    """What the theorem gives with a comparator, all rounded outwards."""

    bound: float
    comparator: float  # the loss of the comparator
    floor: float  # no comparator has less with half of r u^2 added
    zero: float  # the loss of the comparator 0, the first label not known to it either
    logarithms: float  # the larger form of the bound of Ridge


class NumberSums(NamedTuple):
    """Sums over all rounds."""

    losses: Array  # of u: a sum, and what rounding took from it
    zeros: Array  # of the comparator 0
    duals: Array  # of a y, less the conjugate of a
    errors: Array  # how far each of these may be off
    pulls: Array  # by row: p
    sizes: Array  # by row: of the sizes of its terms


def claim_numbers(run: NumberRun, read: Read, numerators: Array, times: float, width: float) -> NumberClaim:
    """What the theorem gives for the whole numbers of a comparator."""
    u = numerators.astype(np.float64) / (1 << BITS)
    known = run.settings
    units = run.units
    sums = measure_numbers(run, read, u, width)
    rows = len(u)
    rounds = int(units.counts[0])
    first = run.first * float(price_number(run.origin, 0.0, known))
    loss, zero = (float(part.sum() + sums.errors[k]) for k, part in enumerate((sums.losses, sums.zeros)))
    larger = 0.0
    if known.criterion == SQUARE:
        cost = known.ridge * float(u @ u) * (1 + (rows + 16) * LAST)
        charge, logs = (float(total + rest + 16 * LAST * sizes) for total, rest, sizes in units.charges)
        larger = loss + cost + first + float(units.largest[0]) ** 2 * logs
    else:
        parts = u * units.sums[0, :, 0] + (units.purses - units.wealths)
        cost = max(0.0, float(parts.sum()) + (rows + 16) * LAST * float(np.abs(parts).sum()))
        charge = first
    pulls = np.abs(sums.pulls) + (rounds + 8) * LAST * sums.sizes
    taken = float((pulls * pulls / (2 * find_number_ridges(run, times))).sum()) * (1 + (rows + 16) * LAST)
    least = max(0.0, float(sums.duals.sum() - sums.errors[2]) - taken)
    outwards = [round_outwards(part) for part in (loss + cost + charge, loss)]
    outwards += [round_outwards(least, -1), round_outwards(zero + first), round_outwards(larger)]
    return NumberClaim(*map(run.scale, outwards))


def find_number_ridges(run: NumberRun, times: float) -> Array:
    """r_i, where the size of u counts (sum of r_i u_i^2) / 2 for the floor."""
    units = run.units
    if run.settings.criterion == SQUARE:
        return np.full(len(units.sizes), 2 * run.settings.ridge)
    known = np.where(units.purses > 0, units.purses, 1.0)
    return np.asarray(times * np.sqrt(units.squares[0, :, 0] + 1) / known)


def measure_numbers(run: NumberRun, read: Read, u: Array, width: float) -> NumberSums:
    """Go through all rounds of a run once more."""
    rows = len(u)
    units = run.units
    sums = NumberSums(np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(3), np.zeros(rows), np.zeros(rows))
    running = np.zeros(rows)
    largest = np.zeros(1)
    for chunk in map(WeighedChunk.of, read()):
        longest = int(np.diff(chunk.indptr).max(initial=0)) + 1
        room = np.zeros(longest, np.int64), np.zeros(longest)
        rounds = (*chunk[1:4], run.read_labels(chunk), chunk.weights)
        measure_rounds(rounds, (units.places, units.sizes, running, largest, u), width, room, sums, run.settings)
    return sums


@rule
def choose_dual(short: float, reach: float, width: float, known: Any) -> Any:
    """The number a of a round, and the conjugate of the loss in it."""
    if known.criterion == SQUARE:
        return 2.0 * short, short * short
    if known.criterion == HUBER:
        a = min(max(short / reach, -1.0), 1.0) if reach > 0 else 0.0
        return a, 0.5 * reach * a * a
    if known.criterion == PINBALL:
        return min(max(known.quantile - 0.5 + short / width, known.quantile - 1.0), known.quantile), 0.0
    return min(max(short / width, -1.0), 1.0), 0.0


@kernel
def measure_rounds(rounds: Any, learned: Any, width: float, room: Any, sums: Any, known: Any) -> None:
    """Add some rounds to the sums."""
    indptr, columns, values, labels, weights = rounds
    places, sizes, running, largest, u = learned
    rows, parts = room
    for t in range(labels.size):
        count = 0
        z = 0.0
        size = 0.0
        y = labels[t]
        c = weights[t]
        if known.constant:
            rows[0], parts[0], count = 0, 1.0, 1
        for k in range(indptr[t], indptr[t + 1]):
            if values[k] != 0:
                row = places[columns[k]]
                value, _ = fit_value(running, row, np.float64(values[k]), known.guard)
                rows[count], parts[count] = row, value / sizes[row]
                count += 1
        for j in range(count):
            term = u[rows[j]] * parts[j]
            z = z + term
            size = size + abs(term)
        largest[0] = max(largest[0], abs(y))
        short = y - z
        reach = known.width * largest[0]
        off = (count + 4) * LAST * size + LAST * (abs(y) + abs(z))
        loss = price_number(short, reach, known)
        zero = price_number(y, reach, known)
        steep = 2.0 * abs(short) + off if known.criterion == SQUARE else 1.0
        add_carefully(sums.losses, c * loss)
        add_carefully(sums.zeros, c * zero)
        a, conjugate = choose_dual(short, reach, width, known)
        add_carefully(sums.duals, c * (a * y - conjugate))
        sums.errors[0] += c * (steep * off + 8.0 * LAST * (loss + abs(short) * min(steep, 1.0) + reach))
        sums.errors[1] += c * (8.0 * LAST * (zero + reach))
        sums.errors[2] += c * (8.0 * LAST * (abs(a * y) + conjugate))
        for j in range(count):
            sums.pulls[rows[j]] += c * a * parts[j]
            sums.sizes[rows[j]] += abs(c * a * parts[j])


def check_regression(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of predicted numbers."""
    about = certificate.learner
    witness = certificate.witness
    features = Indexed() if features is None else features
    require(certificate.version is not None and certificate.rounds > 0, "it has no rounds, or no version", NotCertified)
    _require_these_rounds(certificate, stream, features)
    rows = ArrangedRows(stream, features, Numbers(), certificate.rounds, UNLIMITED, False, 0, "float64")

    told = about.get("weights")
    numbers = told is None or (type(told) is dict and told.get("by") == "round")
    require(numbers, "predicted numbers count as the stream says, not by classes", NotCertified)

    def read() -> Iterator[WeighedChunk]:
        return read_weighed(rows, told)

    run = replay_numbers(about, read)
    _check_run(certificate, run)
    bent = run.settings.criterion not in (SQUARE, HUBER)
    further: tuple[str, ...] = ("floor", "logarithms")
    if run.settings.criterion != SQUARE:
        further = () if "floor" not in witness else ("floor", "ridge", "width") if bent else ("floor", "ridge")
    require_words(witness, ("attributes", "numerators", "comparator", "zero", *further))
    times = witness.get("ridge", 1.0)
    width = witness.get("width", 1.0)
    known = type(times) is type(width) is float and times in TIMES and 2.0**-900 < width < 2.0**900
    require(known, f"a ridge of {times!r} or a width of {width!r} is none", NotCertified)
    claim = claim_numbers(run, read, read_comparator(run, witness), times, width)
    names = ("comparator", "zero", "logarithms")[: 3 if run.settings.criterion == SQUARE else 2]
    said = {"bound": certificate.bound, **{name: witness[name] for name in names}}
    for name, value in said.items():
        ours = getattr(claim, name)
        room = FURTHER * max(claim.bound, getattr(claim, name))
        near = type(value) in (int, float) and 0 <= value - ours <= room
        require(near, f"the {name} is {ours!r}, not {value!r}", NotCertified)
    least = witness.get("floor", claim.floor)
    low = type(least) is float and 0 <= claim.floor - least <= FURTHER * claim.bound
    require(low, f"the floor is {claim.floor!r}, not {least!r}", NotCertified)
    made = certificate.count
    bound = certificate.bound
    assert made is not None
    require(round_outwards(float(made)) <= bound, f"{made} exceeds the bound {bound}", NotCertified)
    return Report(certificate.theorem, certificate.counts, made, bound, certificate.rounds, False, replayed=True)


def _require_these_rounds(certificate: Certificate, stream: Stream, features: Any) -> None:
    """Refuse rounds that are not those of the certificate."""
    digest = Digest(certificate.version)
    for seen in read_rounds(stream, features.read_chunk, Numbers(), certificate.rounds, UNLIMITED):
        require(isinstance(seen, Examples), "the rounds are not rows of attributes", NotCertified)
        digest.add(seen)
    require_same_rounds(certificate, digest.rounds, digest.text())


def _check_run(certificate: Certificate, run: NumberRun) -> None:
    """Refuse counts that are not those of the run, and words that are not those of the theorem."""
    counts = (certificate.mistakes, certificate.updates, certificate.updated, certificate.marks)
    rounds = int(run.units.counts[0])
    require(counts == (0, rounds, (), ()), f"numbers are no mistakes, and every round teaches: {counts}", NotCertified)
    said = certificate.count
    ours = run.made
    same = type(said) in (int, float) and said == ours
    require(same, f"the run has a loss of {ours!r}, not {said!r}", NotCertified)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREMS[certificate.learner["name"]], ANY, COUNTS[run.settings.criterion], "sequence", False)
    require(words == expected and certificate.rows is None, f"its words are {words}, not {expected}", NotCertified)
