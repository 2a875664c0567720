"""Certificates of log-loss: what `AdaGrad`, `Coin`, `Aioli` and `Logistic` lost is at most what a comparator did, and
what their theorems add.

The run is played again bit for bit (`float_runs/mixtures.py`), so that its log-loss, its expected mistakes and its
mistakes have one true value each. Of each unit, with u in units of the largest sizes, T rounds and K members,

    bound = loss of u + what the size of u costs + what the run was charged + ln K + ln T,

the last two only where there is more than one member, ln T only if they share:

    AdaGrad(rate)    (sum of sqrt(s_i + 1) u_i^2) / (2 rate),    the sum of rate a^2 / (2 sqrt(s + 1))
    Aioli(kappa)     (ridge / 2) (sum of u_i^2),    D + max(0, the sum of quadratics less losses of u)
    Coin(wealth)     the sum of u_i g_i + wealth - e_i, at least 0, e_i being the wealth after the run
    ..., a priori    2 |u_i| r_i max(0, ln(2 |u_i| r_i / wealth) + Q_i / 2 - 3/4),    wealth for each attribute

A round of weight w > 1 is as many plays as w, rounded up, each of an equal part of w. T counts plays, losses and steps
are multiplied by what a play counts, and a class that was not met before play t costs ln t, so multiplied. Of a softmax
sums are over attributes and classes, and the loss of u is over the classes met, the label's included; besides, what is
kept for classes not met costs ln(T + 1), such a class ln(t + 1), and a mixture of a softmax and units ln 2 + ln T (ln T
only if they share), through either of them. The floor is a number below which no comparator's loss lies with what its
size costs, where that is (sum of r_i u_i^2) / 2 with r_i = sqrt(s_i + 1) / rate or the ridge. What coins charge is no
such sum, so that a unit through one adds nothing to the floor, and names the `ridge` 0. Certificates of earlier
versions name another multiple of r_i for the floor (`TIMES`), of coins one of sqrt(s_i + 1); `explains` does not show
such a number. What a certificate says must be what this gives, rounded outwards by what sums of floats may be off, and
at most 2^-30 of the bound further. It may be 24 2^-52 of it less than that, which is less than half of what was added
for rounding: sums in another order, and logarithms of another machine, differ by less.
"""

from math import floor, fsum, log
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.comparators import BITS, LAST, Chosen, ComparatorSums, measure_comparators
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.mixture_room import count_plays
from littlestone.certificates.check.float_runs.mixtures import MixtureRun, replay_mixture
from littlestone.certificates.check.integer_rows import open_stream
from littlestone.certificates.check.report import Report, require_words
from littlestone.certificates.check.round_weights import read_weighed

ANY = "none: it is true of every stream and of every comparator u"
THEOREMS = {
    "AdaGrad": "AdaGrad, log-loss (Duchi, Hazan and Singer 2011; Orabona and Pal 2015)",
    "Coin": "Coin, log-loss (Kempka, Kotlowski and Warmuth 2019)",
    "Aioli": "Aioli, log-loss (Jezequel, Gaillard and Rudi 2020)",
    "Logistic": "Logistic, log-loss through a member (Herbster and Warmuth 1998)",
}
TIMES = {"AdaGrad": (1.0,), "Coin": (0.0, 1.0, 10.0), "a priori": (0.0, 1.0, 10.0), "Aioli": (1.0, 10.0, 100.0)}
FURTHER = 2.0**-30  # of the bound that a number may be rounded outwards
# what a few operations may be off by, and what sums in another order may be
OUTWARDS = 64 * LAST
ORDER = 24 * LAST


class Member(NamedTuple):
    """A member of a mixture by kind and number among its kind."""

    kind: str
    number: int
    place: int  # among all members
    times: float = 1.0  # by which its ridges are multiplied for the floor; 0: there is none


class LossClaim(NamedTuple):
    """What the theorem gives with some comparators, all rounded outwards."""

    bound: float
    comparator: float  # the losses of the comparators
    floor: float  # no comparators have less with half of r u^2 added
    zero: float  # the losses of the comparator 0
    most_mistakes: int


def list_members(run: MixtureRun) -> dict[str, Member]:
    """The members that a certificate may go by, by name; Newton members only if they played to the end."""
    rates, wealths, kappas = (part.tolist() for part in run.settings[:3])
    members = {f"AdaGrad({rate!r})": Member("AdaGrad", k, k) for k, rate in enumerate(rates)}
    for k, wealth in enumerate(wealths):
        members[f"Coin({wealth!r})"] = Member("Coin", k, len(rates) + k, 0.0)
        members[f"Coin({wealth!r}), a priori"] = Member("a priori", k, len(rates) + k, 0.0)
    for k, kappa in enumerate(kappas if run.units.counts[3] else []):
        members[f"Aioli({kappa!r})"] = Member("Aioli", k, len(rates) + len(wealths) + k)
    return members


def read_softmax(run: MixtureRun) -> MixtureRun:
    """A run as that of its softmax: its units are the vectors of the classes, and no members are Newton's."""
    assert run.classes is not None
    return run._replace(units=run.classes, settings=run.settings._replace(kappas=run.settings.kappas[:0]))


def claim_losses(
    run: MixtureRun, chunks: Any, weights: Array, members: list[Member], softmax: bool = False
) -> LossClaim:
    """What the theorem gives for whole numbers of comparators, one of each unit through one member.

    Of a softmax all go through one member.
    """
    run = read_softmax(run) if softmax else run
    newton = np.array([member.number if member.kind == "Aioli" else -1 for member in members])
    kappas = np.array([run.settings.kappas[number] if number >= 0 else 0.0 for number in newton])
    u = weights.astype(np.float64) / (1 << BITS)
    sums = measure_comparators(run, chunks, Chosen(u, newton, kappas), softmax)
    plays, (many, among) = int(run.units.counts[0]), run.units.weights.shape
    groups = [list(range(many))] if softmax else [[unit] for unit in range(many)]
    shared = log(plays) if run.settings.share else 0.0
    price = (log(among) + shared) if among > 1 else 0.0
    parts = [bound_units(run, group, u, members[group[0]], sums) for group in groups]
    losses = fsum(float(sums.losses[group[0]].sum() + sums.errors[group[0], 0]) for group in groups)
    bounds = round_outwards(fsum(part[0] for part in parts) + len(groups) * price)
    least = round_outwards(fsum(part[1] for part in parts), -1)
    zero = round_outwards(measure_zero(run, softmax))
    bound = round_outwards(bounds + price_classes(run, shared))
    most = count_mistakes(run, bounds if run.form == "units" else bound)
    return LossClaim(bound, round_outwards(losses), least, zero, most)


def price_classes(run: MixtureRun, shared: float) -> float:
    """What classes that were not met before cost, and a softmax and units that are mixed."""
    late = list(zip(run.news, run.late, strict=True))
    if run.form == "units":
        return fsum(part * log(t) for t, part in late)
    kept = log(int(run.units.counts[0]) + 1) + fsum(part * log(t + 1) for t, part in late)
    return kept + (log(2) + shared if run.form == "both" else 0.0)


def measure_zero(run: MixtureRun, softmax: bool) -> float:
    """The loss of the comparators 0: ln 2 for each unit in each round, or of a softmax that of the classes met."""
    if not softmax:
        return fsum(fsum(run.weights[start:].tolist()) for start in run.starts) * log(2)
    met = np.searchsorted(np.sort(run.starts), np.arange(len(run.weights)), side="right")
    return fsum((run.weights * np.log(met)).tolist())


def count_mistakes(run: MixtureRun, bound: float) -> int:
    """The most mistakes that a bound allows: each costs ln 2, or two units ln 4, as often as its first play counts.

    The first round of a class has no unit for it.
    """
    units = run.form == "units"
    free, cost = (len(run.news), 2 * log(2)) if units and len(run.starts) > 1 else (0, log(2))
    least = float((run.weights / count_plays(run.weights)).min())
    if least == 1:
        return free + floor(bound / cost)
    rounds = len(run.weights)
    return rounds if bound >= rounds * least * cost else min(rounds, free + floor(bound / (least * cost)))


def round_outwards(value: float, sign: int = 1) -> float:
    """A number no smaller, or no larger, than what a few float operations should have given."""
    return value + sign * OUTWARDS * abs(value)


def bound_units(
    run: MixtureRun, group: list[int], u: Array, member: Member, sums: ComparatorSums
) -> tuple[float, float]:
    """What units that have one loss are bounded by, without what the mixture costs, and the floor under comparators."""
    first = group[0]
    rounds = int(run.units.counts[0])
    loss = float(sums.losses[first].sum() + sums.errors[first, 0])
    priced = [price_member(run, unit, u[unit], member) for unit in group]
    costs = np.concatenate([part[0] for part in priced])
    charge = fsum(part[1] for part in priced)
    charge += max(0.0, float(sums.slacks[first].sum() + sums.errors[first, 1]))
    rows = len(costs)
    cost = max(0.0, fsum(costs.tolist()) + (rows + 16) * LAST * fsum(np.abs(costs).tolist()))
    if member.times == 0:
        return loss + cost + charge, 0.0
    pulls = np.abs(sums.pulls[group].ravel()) + (rounds + 8) * LAST * sums.sizes[group].ravel()
    ridges = np.concatenate([member.times * find_ridges(run, unit, member) for unit in group])
    taken = fsum((pulls * pulls / (2 * ridges)).tolist()) * (1 + (rows + 16) * LAST)
    return loss + cost + charge, max(0.0, float(sums.entropies[first].sum() - sums.errors[first, 2]) - taken)


def price_member(run: MixtureRun, unit: int, u: Array, member: Member) -> tuple[Array, float]:
    """What the size of u costs for each attribute, and what the run was charged besides."""
    known = run.settings
    units = run.units
    if member.kind in ("AdaGrad", "Aioli"):
        total, rest, sizes = units.charges[unit, member.place].tolist()
        return find_ridges(run, unit, member) * u * u / 2, total + rest + (len(u) + 16) * LAST * sizes
    wealth = float(known.wealths[member.number])
    met = np.arange(len(u)) < units.counts[2]
    met[0] = known.constant
    if member.kind == "Coin":
        ends = units.wealths[unit, :, member.number].astype(np.float64)
        return np.where(met, u * units.sums[unit, :, member.place] + (wealth - ends), 0.0), 0.0
    squares = units.squares[unit, :, member.place].astype(np.float64)
    reach = 2 * np.sqrt(squares + 1)
    charges = units.bets[unit, :, member.number] / 2 - 0.75
    with np.errstate(divide="ignore"):
        logs = np.where(u != 0, np.log(np.abs(u) * reach / wealth), 0.0)
    return np.abs(u) * reach * np.maximum(0.0, logs + charges), wealth * int(np.count_nonzero(met))


def find_ridges(run: MixtureRun, unit: int, member: Member) -> Array:
    """r_i, where the size of u costs (sum of r_i u_i^2) / 2; of coins, whose cost is another, sqrt(s_i + 1)."""
    if member.kind == "Aioli":
        return np.full(len(run.units.sizes), run.settings.ridge)
    squares = run.units.squares[unit, :, member.place].astype(np.float64)
    return np.sqrt(squares + 1) / (run.settings.rates[member.number] if member.kind == "AdaGrad" else 1.0)


def check_losses(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of log-loss."""
    about = certificate.learner
    witness = certificate.witness
    features = Indexed() if features is None else features
    _, facts = open_stream(certificate, stream, features, 0.0, UNLIMITED, weighed=True)
    require(facts.rounds > 0 and certificate.version is not None, "it has no rounds, or no version", NotCertified)
    labels = Labels(about.get("classes", []))
    rows = ArrangedRows(stream, features, labels, certificate.rounds, UNLIMITED, False, 0, "float64")
    run = replay_mixture(about, read_weighed(rows, about.get("weights")), len(about.get("classes", [])))
    _check_run(certificate, run, facts.surprise)
    words = "units", "comparator", "floor", "zero", "expected", "most_mistakes"
    require_words(witness, (*words, "through") if run.form == "both" else words)
    through = witness.get("through", run.form)
    require(through in ("units", "softmax"), f"there is no way through {through!r}", NotCertified)
    softmax = through == "softmax"
    members = list_members(read_softmax(run) if softmax else run)
    units = witness["units"]
    many = len(run.starts)
    require(type(units) is list and len(units) == many, f"there are {many} units", NotCertified)
    same = not softmax or len({(part["member"], part["ridge"]) for part in units}) == 1
    require(same, "the vectors of a softmax go through one member", NotCertified)
    for part in units:
        require_words(part, ("member", "ridge", "attributes", "numerators"))
        require(part["member"] in members, f"there is no member {part['member']} at the end", NotCertified)
        known = type(part["ridge"]) is float and part["ridge"] in TIMES[members[part["member"]].kind]
        require(known, f"a ridge is not multiplied by {part['ridge']!r}", NotCertified)
    weights = np.stack([read_comparator(run, part) for part in units])
    chosen = [members[part["member"]]._replace(times=part["ridge"]) for part in units]
    claim = claim_losses(run, read_weighed(rows, about.get("weights")), weights, chosen, softmax)
    _check_claim(certificate, claim)
    made = certificate.count
    bound = certificate.bound
    assert made is not None
    require(round_outwards(float(made)) <= bound, f"{made} exceeds the bound {bound}", NotCertified)
    require(certificate.mistakes <= claim.most_mistakes, "there are more mistakes than can be", NotCertified)
    return Report(certificate.theorem, "log-loss", made, bound, certificate.rounds, False, replayed=True)


def _check_run(certificate: Certificate, run: MixtureRun, surprise: bool) -> None:
    """Refuse counts that are not those of the run, and words that are not those of the theorem."""
    wrong = run.wrong.copy()
    wrong[0] |= surprise
    mistakes = int(np.count_nonzero(wrong))
    counts = (certificate.mistakes, certificate.updates, certificate.updated, certificate.marks)
    require(counts == (mistakes, len(wrong), (), ()), f"the run makes {mistakes} mistakes, not {counts}", NotCertified)
    for name, said, ours in (
        ("log-loss", certificate.count, run.made),
        ("expected mistakes", certificate.witness["expected"], run.expected),
    ):
        same = type(said) in (int, float) and said == ours
        require(same, f"the run has {ours!r} {name}, not {said!r}", NotCertified)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope, certificate.exact)
    expected = (THEOREMS[certificate.learner["name"]], ANY, "log-loss", "sequence", False)
    require(words == expected and certificate.rows is None, f"its words are {words}, not {expected}", NotCertified)


def read_comparator(run: Any, part: dict[str, Any]) -> Array:
    """The whole numbers of a comparator by row; attribute -1 is the constant."""
    attributes = part["attributes"]
    numerators = part["numerators"]
    whole = type(attributes) is type(numerators) is list and len(attributes) == len(numerators)
    whole = whole and all(type(number) is int for number in (*attributes, *numerators))
    rising = whole and all(a < b for a, b in zip([-2, *attributes], attributes, strict=False))
    small = rising and all(0 < abs(k) < 2**62 for k in numerators)
    require(small, "a comparator has whole numbers other than 0 for attributes in order", NotCertified)
    places = run.units.places
    weights = np.zeros(len(run.units.sizes), np.int64)
    for attribute, k in zip(attributes, numerators, strict=True):
        if attribute < 0:
            require(run.settings.constant, "there is no constant attribute", NotCertified)
            weights[0] = k
        else:
            known = attribute < len(places) and places[attribute] > 0
            require(bool(known), f"attribute {attribute} never occurs", NotCertified)
            weights[places[attribute]] = k
    return weights


def _check_claim(certificate: Certificate, claim: LossClaim) -> None:
    """Refuse numbers that are not what the theorem gives with these comparators."""
    witness = certificate.witness
    room = FURTHER * claim.bound
    said = {"bound": certificate.bound, **{name: witness[name] for name in ("comparator", "zero")}}
    for name, ours in (("bound", claim.bound), ("comparator", claim.comparator), ("zero", claim.zero)):
        near = type(said[name]) in (int, float) and -ORDER * ours <= said[name] - ours <= room
        require(near, f"the {name} is {ours!r}, not {said[name]!r}", NotCertified)
    least = witness["floor"]
    most = witness["most_mistakes"]
    low = type(least) is float and -ORDER * claim.floor <= claim.floor - least <= room
    require(low, f"the floor is {claim.floor!r}, not {least!r}", NotCertified)
    whole = type(most) is int and most == claim.most_mistakes
    require(whole, f"{claim.most_mistakes} mistakes can be, not {most!r}", NotCertified)
