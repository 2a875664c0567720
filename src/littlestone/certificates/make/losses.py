"""Log-loss: the comparator that gives the least bound, by logistic regression with the ridge that a theorem charges.

The run is played again by the checker's own replay, which knows what each member was charged. For each unit and each
member the comparator is the minimiser of its loss + (sum of r_i u_i^2) / 2, found by L-BFGS in the variables sqrt(r_i)
u_i, and rounded to whole numbers of 2^-20; members whose theorem is not quadratic in u take several ridges. The least
bound of all is kept.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import describe
from littlestone.certificates.check.comparators import BITS
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixtures import MixtureRun, fit_value, replay_mixture
from littlestone.certificates.check.losses import LossClaim, Member, claim_losses, find_ridges, list_members
from littlestone.certificates.make.steps import TracedRun
from littlestone.compiled import kernel

STEPS = 500  # of L-BFGS
RIDGES = {"AdaGrad": (1.0,), "Coin": (10.0, 1.0), "Aioli": (100.0, 10.0, 1.0)}  # times that of the theorem
LARGEST = 2.0**60  # of the whole numbers of a comparator


class Choice(NamedTuple):
    """A comparator of a unit through a member."""

    name: str
    member: Member
    numerators: Array


def make(run: TracedRun) -> Certificate:
    """The certificate of the least bound that was found."""
    theorems = run.list_theorems()
    require(bool(theorems), f"no theorem like {run.wanted!r} applies to {type(run.learner).__name__}", NotCertified)
    require(len(run.steps.rounds) > 0, "there are no rounds to certify", NotCertified)
    about = describe_fully(run.learner)
    indptr = np.concatenate(([0], np.cumsum(run.steps.counts)))
    entries = run.steps.indices.astype(np.int64), run.steps.values.astype(np.float64)
    chunk = ArrangedChunk(0, indptr, *entries, run.steps.classes.astype(np.int64))
    played = replay_mixture(about, [chunk], run.declared)
    made = float(run.state.losses[0].sum())
    require(played.made == made, f"the run has a log-loss of {made}, its replay {played.made}", NotCertified)
    rows = scale_rows(played, chunk)
    choices = [_choose(played, chunk, rows, unit) for unit in range(len(played.starts))]
    claim = _claim(played, chunk, choices)
    witness = {
        "units": [_describe(played, choice) for choice in choices],
        **claim._asdict(),
        "expected": played.expected,
    }
    bound = witness.pop("bound")
    counted: dict[str, Any] = {"exact": False, "count": made, "learner": about}
    return run.certify(theorems[0], bound, witness, **counted)


def describe_fully(learner: Any) -> dict[str, Any]:
    """A description of a learner in which lists are lists, and `classes` are labels that were declared, if any."""
    about = describe(learner)
    form = about.pop("classes", "units")
    alone = f'a theorem is checked for one unit a class only: Logistic(classes="{form}") has no certificate'
    require(form == "units", alone, NotCertified)
    return about | {name: list(getattr(learner, name)) for name in ("rates", "wealths", "kappas") if name in about}


def _claim(played: MixtureRun, chunk: ArrangedChunk, choices: list[Choice]) -> LossClaim:
    """What the theorem gives with a comparator for each unit."""
    return claim_losses(
        played, [chunk], np.stack([choice.numerators for choice in choices]), [choice.member for choice in choices]
    )


def _describe(played: MixtureRun, choice: Choice) -> dict[str, Any]:
    """A comparator by attributes, those whose number is 0 left out."""
    attributes = np.flatnonzero(played.units.places)
    numbers = choice.numerators[played.units.places[attributes]]
    used, constant = numbers != 0, [int(choice.numerators[0])] if choice.numerators[0] else []
    listed = [-1] * len(constant) + attributes[used].tolist()
    named = {"member": choice.name, "ridge": choice.member.times}
    return named | {"attributes": listed, "numerators": constant + numbers[used].tolist()}


def scale_rows(played: Any, chunk: ArrangedChunk) -> Any:
    """All rounds as a sparse matrix: as the guard cuts them, over the largest sizes, with the constant."""
    from scipy.sparse import csr_array

    units, settings = played.units, played.settings
    values, running = chunk.values.copy(), np.zeros(len(units.sizes))
    columns = units.places[chunk.columns] if len(chunk.columns) else chunk.columns
    scale_values(columns, values, running, units.sizes, settings.guard)
    shape = len(chunk.codes), len(units.sizes)
    rows = csr_array((values, columns, chunk.indptr), shape=shape)
    if settings.constant:
        constant = np.ones(len(chunk.codes)), (np.arange(len(chunk.codes)), np.zeros(len(chunk.codes), np.int64))
        rows = csr_array(rows + csr_array(constant, shape=shape))
    return rows


@kernel
def scale_values(columns: Array, values: Array, running: Array, sizes: Array, guard: bool) -> None:
    """Cut values as the guard does, and divide them by the largest sizes at the end."""
    for k in range(values.size):
        if values[k] != 0:
            value, _ = fit_value(running, columns[k], values[k], guard)
            values[k] = value / sizes[columns[k]]


def _choose(played: MixtureRun, chunk: ArrangedChunk, rows: Any, unit: int) -> Choice:
    """The member and the comparator of the least bound for one unit."""
    codes, start = chunk.codes[played.starts[unit] :], played.starts[unit]
    signs = np.where(codes == (1 if len(played.starts) == 1 else unit), 1.0, -1.0)
    part = rows[start:] if start else rows
    alone = _take_unit(played, unit)
    relabelled = chunk._replace(codes=(chunk.codes == (1 if len(played.starts) == 1 else unit)).astype(np.int64))
    found = [
        (_claim(alone, relabelled, [choice]).bound, number, choice)
        for number, choice in enumerate(_list_choices(played, part, signs, unit))
    ]
    return min(found)[2]


def _take_unit(played: MixtureRun, unit: int) -> MixtureRun:
    """One unit of a run as a run of two classes."""
    names = ("sums", "squares", "wealths", "bets", "weights", "centres", "inverses", "along", "charges")
    own = {name: getattr(played.units, name)[unit : unit + 1] for name in names}
    scores = played.scores[:, unit : unit + 1]
    return played._replace(
        units=played.units._replace(**own), scores=scores, starts=[played.starts[unit]], news=list[int]()
    )


def _list_choices(played: MixtureRun, rows: Any, signs: Array, unit: int) -> Iterator[Choice]:
    """Comparators to try for a unit: those of logistic regression with each member's ridge, for some also none."""
    start, fitted = np.zeros(rows.shape[1]), dict[tuple[str, int], list[tuple[float, Array]]]()
    for name, member in list_members(played).items():
        key = ("Aioli", 0) if member.kind == "Aioli" else ("", member.place)  # all of these have one ridge
        if key not in fitted:
            fitted[key] = [] if member.kind == "AdaGrad" else [(1.0, np.zeros(rows.shape[1], np.int64))]
            for times in RIDGES[member.kind]:
                start = fit_logistic(rows, signs, times * find_ridges(played, unit, member), start)
                whole = np.clip(np.rint(start * (1 << BITS)), -LARGEST, LARGEST)
                fitted[key].append((times, whole.astype(np.int64)))
        for times, numerators in fitted[key]:
            yield Choice(name, member._replace(times=times), numerators)


def fit_logistic(rows: Any, signs: Array, ridges: Array, start: Array, steps: int = STEPS) -> Array:
    """The u of the least sum of ln(1 + e^(-y u.x)) + (sum of r_i u_i^2) / 2, from a first guess, in some steps."""
    from scipy.optimize import minimize

    roots = np.sqrt(ridges)

    def measure(v: Array) -> tuple[float, Array]:
        agreements = signs * (rows @ (v / roots))
        losses = np.logaddexp(0.0, -agreements)
        pulls = signs * np.exp(-np.logaddexp(0.0, agreements))
        return float(losses.sum() + v @ v / 2), np.asarray(v - (pulls @ rows) / roots)

    options = {"maxiter": steps, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-6}
    return np.asarray(minimize(measure, start * roots, jac=True, method="L-BFGS-B", options=options).x / roots)
