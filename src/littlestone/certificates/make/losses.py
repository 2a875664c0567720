"""Log-loss: the comparator that gives the least bound, by logistic regression with the ridge that a theorem charges.

The run is played again by the checker's own replay, which knows what each member was charged. For each unit and each
member the comparator is the minimiser of its loss + (sum of r_i u_i^2) / 2, found by L-BFGS in the variables sqrt(r_i)
u_i, and rounded to whole numbers of 2^-20; members whose theorem is not quadratic in u take several ridges. The least
bound of all is kept. A softmax has one comparator with a vector for each class; where it is mixed with units, that of
the two whose bound is the least is kept.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import describe
from littlestone.certificates.check.comparators import BITS
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.mixture_rounds import fit_value
from littlestone.certificates.check.float_runs.mixtures import MixtureRun, replay_mixture
from littlestone.certificates.check.losses import (
    LossClaim,
    Member,
    claim_losses,
    find_ridges,
    list_members,
    read_softmax,
)
from littlestone.certificates.check.round_weights import explain_weights
from littlestone.certificates.make.steps import TracedRun
from littlestone.compiled import kernel

STEPS = 500  # of L-BFGS
RIDGES = {"AdaGrad": (1.0,), "Coin": (10.0, 1.0), "Aioli": (100.0, 10.0, 1.0)}  # to fit with, times that of the theorem
LARGEST = 2.0**60  # of the whole numbers of a comparator


class Choice(NamedTuple):
    """A comparator of a unit through a member."""

    name: str
    member: Member
    numerators: Array


class FoundRules(NamedTuple):
    """Comparators of all units or classes, and what they give."""

    claim: LossClaim
    through: str
    choices: list[Choice]


def make(run: TracedRun) -> Certificate:
    """The certificate of the least bound that was found."""
    theorems = run.list_theorems()
    require(bool(theorems), f"no theorem like {run.wanted!r} applies to {type(run.learner).__name__}", NotCertified)
    require(len(run.steps.rounds) > 0, "there are no rounds to certify", NotCertified)
    chunk = arrange_rounds(run)
    about = describe_fully(run.learner)
    weights = explain_weights(chunk.codes, chunk.weights)
    about |= {} if weights is None else {"weights": weights}
    played = replay_mixture(about, [chunk], run.declared)
    made = float(run.state.losses[0].sum())
    require(played.made == made, f"the run has a log-loss of {made}, its replay {played.made}", NotCertified)
    rows = scale_rows(played, chunk)
    found = [_find_units(played, chunk, rows)] if played.form != "softmax" else []
    found += [_find_softmax(played, chunk, rows)] if played.form != "units" else []
    best = min(found, key=lambda one: one.claim.bound)
    witness = {
        "units": [_describe(played, choice) for choice in best.choices],
        **({"through": best.through} if played.form == "both" else {}),
        **best.claim._asdict(),
        "expected": played.expected,
    }
    bound = witness.pop("bound")
    counted: dict[str, Any] = {"exact": False, "count": made, "learner": about}
    return run.certify(theorems[0], bound, witness, **counted)


def arrange_rounds(run: TracedRun, kind: Any = np.int64) -> WeighedChunk:
    """All rounds of a run, with their weights; labels are of this kind."""
    steps = run.steps
    indptr = np.concatenate(([0], np.cumsum(steps.counts)))
    entries = steps.indices.astype(np.int64), steps.values.astype(np.float64)
    weights = np.ones(len(steps.rounds)) if steps.importance is None else steps.importance
    return WeighedChunk(0, indptr, *entries, steps.classes.astype(kind), weights)


def describe_fully(learner: Any) -> dict[str, Any]:
    """A description of a learner in which lists are lists, `form` says how it tells classes apart, unless by units.

    `classes` are labels that were declared, if any.
    """
    about = describe(learner)
    form = about.pop("classes", "units")
    about |= {} if form == "units" else {"form": form}
    return about | {name: list(getattr(learner, name)) for name in ("rates", "wealths", "kappas") if name in about}


def _claim(played: MixtureRun, chunk: WeighedChunk, choices: list[Choice], softmax: bool = False) -> LossClaim:
    """What the theorem gives with a comparator for each unit, or for each class."""
    numerators = np.stack([choice.numerators for choice in choices])
    members = [choice.member for choice in choices]
    return claim_losses(played, [chunk], numerators, members, softmax)


def _find_units(played: MixtureRun, chunk: WeighedChunk, rows: Any) -> FoundRules:
    """The least bound through one unit a class, or the one unit of two."""
    choices = [_choose(played, chunk, rows, unit) for unit in range(len(played.starts))]
    return FoundRules(_claim(played, chunk, choices), "units", choices)


def _find_softmax(played: MixtureRun, chunk: WeighedChunk, rows: Any) -> FoundRules:
    """The least bound through a softmax."""
    run = read_softmax(played)
    met = np.array(played.starts)[None, :] <= np.arange(len(chunk.codes))[:, None]
    start = np.zeros((len(run.starts), rows.shape[1]))
    found = list[FoundRules]()
    for name, member in list_members(run).items():
        if member.kind == "a priori":
            continue  # it is that of another name with a larger bound
        ridges = np.stack([find_ridges(run, c, member) for c in range(len(run.starts))])
        for times in RIDGES[member.kind]:
            start = fit_softmax(rows, (chunk.codes, chunk.weights, met), times * ridges, start)
            whole = np.clip(np.rint(start * (1 << BITS)), -LARGEST, LARGEST).astype(np.int64)
            choices = [Choice(name, member, numbers) for numbers in whole]
            found.append(FoundRules(_claim(played, chunk, choices, softmax=True), "softmax", choices))
    return min(found, key=lambda one: one.claim.bound)


def _describe(played: MixtureRun, choice: Choice) -> dict[str, Any]:
    """A comparator by attributes, those whose number is 0 left out."""
    attributes = np.flatnonzero(played.units.places)
    numbers = choice.numerators[played.units.places[attributes]]
    used = numbers != 0
    constant = [int(choice.numerators[0])] if choice.numerators[0] else []
    listed = [-1] * len(constant) + attributes[used].tolist()
    named = {"member": choice.name, "ridge": choice.member.times}
    return named | {"attributes": listed, "numerators": constant + numbers[used].tolist()}


def scale_rows(played: Any, chunk: Any) -> Any:
    """All rounds as a sparse matrix: as the guard cuts them, over the largest sizes, with the constant."""
    from scipy.sparse import csr_array

    units = played.units
    settings = played.settings
    values = chunk.values.copy()
    running = np.zeros(len(units.sizes))
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


def _choose(played: MixtureRun, chunk: WeighedChunk, rows: Any, unit: int) -> Choice:
    """The member and the comparator of the least bound for one unit."""
    codes = chunk.codes[played.starts[unit] :]
    start = played.starts[unit]
    signs = np.where(codes == (1 if len(played.starts) == 1 else unit), 1.0, -1.0)
    part, weights = (rows[start:], chunk.weights[start:]) if start else (rows, chunk.weights)
    alone = _take_unit(played, unit)
    relabelled = chunk._replace(codes=(chunk.codes == (1 if len(played.starts) == 1 else unit)).astype(np.int64))
    found = [
        (_claim(alone, relabelled, [choice]).bound, number, choice)
        for number, choice in enumerate(_list_choices(played, part, (signs, weights), unit))
    ]
    return min(found)[2]


def _take_unit(played: MixtureRun, unit: int) -> MixtureRun:
    """One unit of a run as a run of two classes."""
    names = ("sums", "squares", "wealths", "bets", "weights", "centres", "inverses", "along", "charges")
    own = {name: getattr(played.units, name)[unit : unit + 1] for name in names}
    scores = played.scores[:, unit : unit + 1]
    starts = [played.starts[unit]]
    news = list[int]()
    return played._replace(form="units", units=played.units._replace(**own), scores=scores, starts=starts, news=news)


def _list_choices(played: MixtureRun, rows: Any, told: tuple[Array, Array], unit: int) -> Iterator[Choice]:
    """Comparators to try for a unit: those of logistic regression with each member's ridge, for some also none."""
    (signs, weights), start = told, np.zeros(rows.shape[1])
    fitted = dict[tuple[str, int], list[Array]]()
    for name, member in list_members(played).items():
        key = ("Aioli", 0) if member.kind == "Aioli" else ("", member.place)  # all of these have one ridge
        if key not in fitted:
            fitted[key] = [] if member.kind == "AdaGrad" else [np.zeros(rows.shape[1], np.int64)]
            for times in RIDGES[member.kind]:
                start = fit_logistic(rows, signs, times * find_ridges(played, unit, member), start, weights=weights)
                whole = np.clip(np.rint(start * (1 << BITS)), -LARGEST, LARGEST)
                fitted[key].append(whole.astype(np.int64))
        for numerators in fitted[key]:
            yield Choice(name, member, numerators)


def fit_logistic(
    rows: Any, signs: Array, ridges: Array, start: Array, steps: int = STEPS, weights: Array | float = 1.0
) -> Array:
    """The u of the least sum of w ln(1 + e^(-y u.x)) + (sum of r_i u_i^2) / 2, from a first guess, in some steps."""
    from scipy.optimize import minimize

    roots = np.sqrt(ridges)

    def measure(v: Array) -> tuple[float, Array]:
        agreements = signs * (rows @ (v / roots))
        losses = weights * np.logaddexp(0.0, -agreements)
        pulls = weights * signs * np.exp(-np.logaddexp(0.0, agreements))
        return float(losses.sum() + v @ v / 2), np.asarray(v - (pulls @ rows) / roots)

    options = {"maxiter": steps, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-6}
    return np.asarray(minimize(measure, start * roots, jac=True, method="L-BFGS-B", options=options).x / roots)


def fit_softmax(rows: Any, told: tuple[Array, Array, Array], ridges: Array, start: Array) -> Array:
    """A vector for each class: the least sum of -w ln(chance of the label among classes met) + (sum of r u^2) / 2.

    Of the rounds are told their classes, their weights, and which classes are met in each.
    """
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    (codes, weights, met), roots = told, np.sqrt(ridges)
    here = np.arange(len(codes))

    def measure(v: Array) -> tuple[float, Array]:
        vectors = v.reshape(roots.shape)
        scores = np.where(met, rows @ (vectors / roots).T, -np.inf)
        logs = logsumexp(scores, axis=1)
        pulls = -np.exp(scores - logs[:, None])
        losses = weights * (logs - scores[here, codes])
        pulls[here, codes] += 1.0
        slopes = vectors - ((pulls * weights[:, None]).T @ rows) / roots
        return float(losses.sum() + v @ v / 2), np.asarray(slopes).ravel()

    options = {"maxiter": STEPS, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-6}
    found = minimize(measure, (start * roots).ravel(), jac=True, method="L-BFGS-B", options=options).x
    return np.asarray(found.reshape(roots.shape) / roots)
