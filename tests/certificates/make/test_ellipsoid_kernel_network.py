"""Certificates of networks whose units learn apart, of ellipsoids and of kernel perceptrons, and forgeries of them."""

import random
from dataclasses import replace
from fractions import Fraction
from math import exp, floor, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
import theorem_names as theorems
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.game.certify import trace_game
from littlestone.learners.shared.kernel_functions import GaussianKernel, LinearKernel, PolynomialKernel
from reference import ellipsoid, kernel_perceptron, logged, perceptron_bound

POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]
XOR = ls.Recorded(POINTS * 9, [False, True, True, False] * 9)
AND = ls.Recorded(POINTS * 9, [False, False, False, True] * 9)


def certified(learner, stream, theorem=None):
    """A certificate that was verified after a round trip through JSON."""
    certificate = ls.certify(learner, stream, theorem)
    again = Certificate.from_json(certificate.to_json())
    report = ls.verify(again, stream)
    assert certificate.holds
    assert (report.bound, report.exact) == (certificate.bound, certificate.exact)
    return again


def test_xor_in_the_space_of_a_quadratic_kernel_has_the_printed_bound():
    certificate = certified(ls.KernelPerceptron(PolynomialKernel(degree=2)), XOR, "Novikoff")
    assert (certificate.updates, certificate.bound, certificate.exact) == (21, 105, True)
    assert certificate.learner["kernel"] == {"name": "PolynomialKernel", "degree": 2, "constant": 1.0}


def test_a_linear_kernel_is_the_perceptron():
    kernel = certified(ls.KernelPerceptron(LinearKernel(), bias=1), AND, "Novikoff")
    plain = certified(ls.Perceptron(), AND, "Novikoff")
    assert (kernel.updated, kernel.bound) == (plain.updated, plain.bound)


def test_a_gaussian_kernel_is_certified_up_to_rounding():
    certificate = certified(ls.KernelPerceptron(GaussianKernel(0.7)), XOR, "Novikoff")
    gram = np.array([[np.exp(-((a - b) @ (a - b)) / 0.98) for b in np.array(POINTS)] for a in np.array(POINTS)])
    y = np.array([-1, 1, 1, -1])
    assert not certificate.exact
    assert certificate.bound >= floor(y @ np.linalg.solve(gram, y) * 0.999) >= certificate.updates


@pytest.mark.parametrize("unit", [ls.Perceptron(rate=0.1, margin=1.0), ls.AveragedPerceptron(rate=0.1, margin=1.0)])
def test_units_that_learn_apart_from_values_whose_products_underflow_are_played_again(unit):
    source = np.random.default_rng(5)
    rows = (source.normal(size=(40, 3)) * 2.0**-40).astype(np.float32)
    stream = ls.Recorded(rows, source.integers(0, 3, 40))
    honest = certified(ls.Network(unit, updates="each"), stream)
    assert (honest.count, honest.bound, honest.exact) == (106, 128, True)
    part = honest.witness["units"][0]
    fewer = [part | {"updated": part["updated"][:-1]}, *honest.witness["units"][1:]]
    for forged in ({"witness": {"units": fewer}, "count": 105}, {"mistakes": honest.mistakes - 1}):
        with pytest.raises(NotCertified, match=r"unexplained|mistakes"):
            ls.verify(replace(honest, **forged), stream)


def test_what_no_theorem_covers_is_refused_in_words():
    for learner, words in (
        (ls.KernelPerceptron(budget=3), "no theorem covers KernelPerceptron.*dropped"),
        (ls.KernelPerceptron(lambda x, z: 1.0), "only Littlestone's own kernels"),
        (ls.Ellipsoid(), "that separates the 20 updates"),
    ):
        with pytest.raises(NotCertified, match=words):
            ls.certify(learner, XOR)
    with pytest.raises(NotCertified, match="'Winnow' applies to KernelPerceptron"):
        ls.certify(ls.KernelPerceptron(), XOR, "Winnow")


def test_the_ellipsoid_has_the_bound_of_its_theorem_and_ties_with_a_hand_count():
    stream = ls.Recorded([[1.0, 0.0], [0.0, 1.0]], [True, True])
    certificate = certified(ls.Ellipsoid(), stream)
    ratio = sqrt(2)  # u = (1, 1), margin 1, |x| = 1
    shrink = -log(2 / 3 * sqrt(4 / 3))
    assert (certificate.updates, certificate.bound) == (2, floor(2 * log(1 + ratio) / shrink))
    assert certificate.learner["attributes"] == 2
    assert certified(ls.Ellipsoid(), ls.Recorded(np.zeros((0, 2)), [])).bound == 0
    one = certified(ls.Ellipsoid(), ls.Recorded([[2.0]], [False]))
    assert (one.updates, one.bound) == (1, floor(log(2) / log(2) + 1e-9))


games = st.integers(1, 3).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(st.integers(-3, 3), min_size=n, max_size=n), st.integers(0, 2)), min_size=1, max_size=25
    )
)


@settings(max_examples=60, deadline=None)
@given(games, st.sampled_from([ls.Perceptron(), ls.Perceptron(margin=2, rate=0.5, bias=2), ls.AveragedPerceptron()]))
def test_each_unit_is_a_perceptron_of_its_own(rounds, unit):
    stream = ls.Recorded(np.array([x for x, _ in rounds], float), [y for _, y in rounds])
    certificate = certified(ls.Network(unit, updates="each"), stream)
    order = list(dict.fromkeys(y for _, y in rounds))
    played = ls.play(ls.Network(unit, updates="each"), stream)
    assert (certificate.mistakes, certificate.updates) == (played.mistakes, played.updates)
    names = played.player.labels.names
    for c, part in enumerate(certificate.witness["units"]):
        label = names[c] if c < len(names) else None
        start = next((t for t, (_, y) in enumerate(rounds) if y == label), 0) if c > 1 else 0
        own = [(x, y == label) for x, y in rounds[start:]]
        options = {"rate": unit.rate, "margin": unit.margin, "bias": unit.bias}
        assert part["updated"] == [t + start for t in logged(own, **options)[0]]
    assert certificate.count == sum(len(part["updated"]) for part in certificate.witness["units"])
    assert len(order) <= len(certificate.witness["units"])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63))
def test_forged_networks_are_refused(seed):
    rng = random.Random(seed)
    rounds = [([rng.randrange(-2, 3) for _ in range(2)], rng.randrange(3)) for _ in range(25)]
    stream = ls.Recorded(np.array([x for x, _ in rounds], float), [y for _, y in rounds], classes=range(3))
    honest = certified(ls.Network(ls.Perceptron(), updates="each"), stream)

    def changed(**what):
        units = [dict(part) for part in honest.witness["units"]]
        at = rng.choice([c for c, part in enumerate(units) if part["updated"]])
        units[at] |= {name: change(units[at][name]) for name, change in what.items()}
        return {"units": units}

    drop, least = rng.randrange(99), changed(bound=lambda b: 0)
    fewer = changed(updated=lambda u: u[: drop % len(u)] + u[drop % len(u) + 1 :])
    count = sum(len(part["updated"]) for part in fewer["units"])
    for forged in (
        replace(honest, bound=honest.bound - 1),
        replace(honest, count=honest.count - 1),
        replace(honest, mistakes=honest.mistakes + rng.choice([-1, 1])),
        replace(honest, updates=honest.updates - 1),
        replace(honest, updated=honest.updated[1:], updates=honest.updates - 1),
        replace(honest, witness=least, bound=sum(part["bound"] for part in least["units"])),
        replace(honest, witness=fewer, count=count),
        replace(honest, witness=changed(theorem=lambda t: "Wishful")),
        replace(honest, witness={"units": honest.witness["units"][:2]}),
        replace(honest, promise=""),
        replace(honest, exact=False),
        replace(honest, learner=honest.learner | {"updates": "winner"}),
    ):
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)


def true_kernel(certificate, rounds, degree, constant):
    """Whether a certificate of a kernel perceptron says the truth, in fractions and printed formulas."""
    K = lambda x, z: (constant + sum(a * b for a, b in zip(x, z, strict=True))) ** degree  # noqa: E731
    signed = [([Fraction(v) for v in x], 1 if y else -1) for x, y in rounds]
    scores, _ = kernel_perceptron(signed, K)
    updated = [t for t, s in enumerate(scores) if s * signed[t][1] <= 0]
    rows = [signed[t] for t in updated]
    gram = [[y * v * K(x, z) for z, v in rows] for x, y in rows]
    a = [k * Fraction(2) ** certificate.witness["exponent"] for k in certificate.witness["numerators"]]
    if len(a) != len(rows) or list(certificate.updated) != updated:
        return False
    agreements = [sum(k * v for k, v in zip(a, line, strict=True)) for line in gram]
    # rows that have these agreements with a unit vector, and the lengths that count
    norm, reach = (
        sum(k * v for k, v in zip(a, agreements, strict=True)),
        max((gram[i][i] for i in range(len(a))), default=0),
    )
    margin = Fraction(certificate.witness["margin"])
    short = [max(Fraction(0), margin - v) for v in agreements]
    ratio, loss = float(reach * norm / margin**2), float(sum(short) / margin)
    deviation = sqrt(float(sum(s * s for s in short) / margin**2))
    printed = {
        theorems.NOVIKOFF.name: ratio if not any(short) else float("inf"),
        theorems.HINGE.name: ((sqrt(ratio) + sqrt(ratio + 4 * loss)) / 2) ** 2,
        theorems.SQUARED.name: (sqrt(ratio) + deviation) ** 2,
    }[certificate.theorem]
    mistakes = sum((s > 0) != (y > 0) for s, (_, y) in zip(scores, signed, strict=True))
    return certificate.bound >= max(floor(printed * (1 - 1e-9)), len(updated)) and certificate.mistakes == mistakes


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63))
def test_a_kernel_certificate_that_is_accepted_is_true(seed):
    rng = random.Random(seed)
    degree, constant = rng.choice([(1, 0), (2, 1), (3, 1)])
    kernel = PolynomialKernel(degree, constant)
    rounds = [([rng.randrange(-2, 3) for _ in range(2)], rng.randrange(2)) for _ in range(rng.randrange(2, 25))]
    stream = ls.Recorded(np.array([x for x, _ in rounds], float), [y for _, y in rounds])
    honest = certified(ls.KernelPerceptron(kernel), stream)
    assert true_kernel(honest, rounds, degree, constant)
    w = dict(honest.witness)
    at = rng.randrange(len(w["numerators"]))
    other = [k * rng.choice([0, 2]) if j == at else k for j, k in enumerate(w["numerators"])]
    for forged in (
        replace(honest, bound=honest.bound - rng.randrange(1, 4)),
        replace(honest, mistakes=honest.mistakes + 1),
        replace(honest, updated=honest.updated[:-1], updates=honest.updates - 1),
        replace(honest, witness=w | {"numerators": other}),
        replace(honest, witness=w | {"margin": w["margin"] * rng.choice([0.5, 2.0])}),
        replace(honest, witness=w | {"exponent": w["exponent"] + rng.choice([-1, 1])}),
        replace(honest, theorem=theorems.NOVIKOFF.name, promise=theorems.NOVIKOFF.promise),
        replace(honest, learner=honest.learner | {"bias": 1.0}),
    ):
        try:
            accepted = ls.verify(forged, stream)
        except NotCertified:
            continue
        assert accepted
        assert true_kernel(forged, rounds, degree, constant + 0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**63), st.sampled_from(["central", "deep"]), st.sampled_from([0.0, 1.0]))
def test_forged_ellipsoids_are_refused(seed, cuts, bias):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    stream = ls.Recorded(X, X @ rng.normal(size=3) > 0.2 * bias)
    honest = certified(ls.Ellipsoid(cuts=cuts, bias=bias), stream)
    assert honest.updates <= honest.bound
    w = honest.witness
    fewer = honest.updated[1:]
    for forged in (
        replace(honest, bound=honest.bound - 1),
        replace(honest, exact=True),
        replace(honest, mistakes=honest.mistakes + 1),
        replace(honest, updated=fewer, updates=len(fewer)),
        replace(honest, witness=w | {"margin": w["margin"] * 1.1}, bound=10**6),
        replace(honest, witness=w | {"numerators": [-k for k in w["numerators"]]}, bound=10**6),
        replace(honest, learner=honest.learner | {"attributes": 2}),
        replace(honest, theorem=theorems.NOVIKOFF.name),
    ):
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)


def printed(part, own):
    """The update rounds of a unit on its own rounds, and what the formula gives with the witness of its part."""
    names = {theorems.NOVIKOFF.name: "Novikoff", theorems.HINGE.name: "hinge", theorems.SQUARED.name: "squared"}
    names |= {theorems.RUN.name: "run-dependent"}
    updated, copies, _, _ = logged(own)
    rows = [{i: (1 if own[t][1] else -1) * Fraction(v) for i, v in [*enumerate(own[t][0]), (-1, 1)]} for t in updated]
    w = part["witness"]
    scale = Fraction(2) ** w["exponent"]
    u = {i: k * scale for i, k in zip(w["attributes"], w["numerators"], strict=True)}
    return updated, perceptron_bound(names[part["theorem"]], rows, copies, u, w["margin"])


def test_rounding_excuses_no_cut_that_is_far_from_the_centre():
    """Where the run is not played again, since rows came in several forms."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 3))
    stream = ls.Recorded(X, (X @ [1.0, -2.0, 0.5] > 0).tolist())
    made = replace(ls.certify(ls.Ellipsoid(), stream), rows=None)
    assert not ls.verify(made, stream).replayed
    for t in set(range(40)) - set(made.updated):
        forged = replace(made, updated=tuple(sorted((*made.updated, t))), updates=made.updates + 1)
        with pytest.raises(NotCertified, match=f"round {t} is listed and must not teach"):
            ls.verify(forged, stream)
    for t in made.updated[1:]:
        forged = replace(made, updated=tuple(s for s in made.updated if s != t), updates=made.updates - 1)
        with pytest.raises(NotCertified, match=f"round {t} must teach and is not listed"):
            ls.verify(forged, stream)


@pytest.mark.parametrize("kernel", [ls.LinearKernel(), ls.PolynomialKernel(3, 0.0)], ids=str)
def test_rounding_excuses_no_tie_of_kernels_that_floats_hold(kernel):
    """Where the run is not played again, since rows came in several forms."""
    stream = ls.Recorded(np.array([[3.0, 3.0], [5.0, -5.0]]), [True, True])  # the second row scores 0
    made = replace(ls.certify(ls.KernelPerceptron(kernel), stream), rows=None)
    assert made.updated == (0, 1)
    assert not ls.verify(made, stream).replayed
    with pytest.raises(NotCertified, match="round 1 must teach and is not listed: its score is 0"):
        ls.verify(replace(made, updated=(0,), updates=1), stream)


def test_the_printed_bound_of_the_reference_agrees_on_a_unit():
    certificate = certified(ls.Network(ls.Perceptron(), updates="each"), AND)
    rounds = [(x, bool(x[0] and x[1])) for x in POINTS] * 9
    for label, part in zip((False, True), certificate.witness["units"], strict=True):
        own = [(x, y == label) for x, y in rounds]
        assert part["bound"] == floor(printed(part, own)[1])


def true_each(certificate, rounds):
    """Whether a certificate of three units says the truth: each unit alone, in fractions and printed formulas."""
    total = steps = 0
    for c, part in enumerate(certificate.witness["units"]):
        own = [(x, y == c) for x, y in rounds]
        updated, allowed = printed(part, own)
        if part["updated"] != updated or part["bound"] < max(len(updated), floor(allowed)):
            return False
        steps, total = steps + len(updated), total + part["bound"]
    game = ls.play(ls.Network(ls.Perceptron(), updates="each"), streamed(rounds, range(3)))
    counts = (certificate.mistakes, certificate.updates) == (game.mistakes, game.updates)
    return counts and certificate.count == steps <= total <= certificate.bound and certificate.rounds == len(rounds)


def true_ellipsoid(certificate, rounds, deep):
    """Whether a certificate of an ellipsoid says the truth: its run by the twin, its margin in fractions."""
    d, w = len(rounds[0][0]), certificate.witness
    signed = [(x, 1 if y else -1) for x, y in rounds]
    scores, _, _ = ellipsoid(signed, deep)
    updated = [t for t, ((x, y), s) in enumerate(zip(signed, scores, strict=True)) if y * s <= 0 and any(x)]
    mistakes = sum((s > 0) != (y > 0) for s, (_, y) in zip(scores, signed, strict=True))
    unsure = sum(0 < abs(s) < 1e-6 or (s == 0 and t > updated[0]) for t, s in enumerate(scores))  # by rounding
    counted = abs(certificate.mistakes - mistakes) <= unsure and certificate.rounds == len(rounds)
    if not counted or (list(certificate.updated) != updated and not unsure):
        return False
    updated = list(certificate.updated)
    scale = Fraction(2) ** w["exponent"]
    u = {i: k * scale for i, k in zip(w["attributes"], w["numerators"], strict=True)}
    rows = [[signed[t][1] * Fraction(v) for v in signed[t][0]] for t in updated]
    margins = [sum((u.get(i, 0) * v for i, v in enumerate(row)), Fraction(0)) for row in rows]
    reach = max(sum(v * v for v in row) for row in rows)
    ratio = sqrt(reach * sum(v * v for v in u.values())) / w["margin"]
    shrink = -log(d / (d + 1) * (d * d / (d * d - 1)) ** ((d - 1) / 2))
    allowed = floor(d * log(1 + ratio) / shrink * (1 - 1e-9))
    return min(margins) >= Fraction(w["margin"]) > 0 and certificate.bound >= max(allowed, len(updated))


def streamed(rounds, classes=()):
    return ls.Recorded(np.array([x for x, _ in rounds], float), [y for _, y in rounds], classes)


def other_rounds(rng, rounds, labels):
    """A round dropped, added, moved, relabelled or changed."""
    at, to = rng.randrange(len(rounds)), rng.randrange(len(rounds))
    changed = list(rounds)
    x, y = changed.pop(at)
    how = rng.randrange(5)
    if how == 1:
        changed[to:to] = [(x, y), (x, y)]
    elif how == 2:
        changed.insert(to, (x, y))
    elif how == 3:
        changed.insert(at, (x, rng.choice([label for label in labels if label != y])))
    elif how == 4:
        changed.insert(at, ([v + rng.choice([-1, 1]) for v in x], y))
    return changed


def other_claims(rng, honest):
    """Certificates that say something else: one of the numbers or words, somewhere."""
    w = honest.witness
    forged = [replace(honest, mistakes=honest.mistakes + rng.choice([-1, 1]))]
    forged.append(replace(honest, bound=max(0, honest.bound - rng.randrange(1, 5))))
    forged.append(replace(honest, rounds=honest.rounds - 1))
    at = rng.randrange(len(honest.updated))
    fewer = honest.updated[:at] + honest.updated[at + 1 :]
    forged.append(replace(honest, updated=fewer, updates=len(fewer)))
    forged.append(replace(honest, theorem=theorems.NOVIKOFF.name, promise=theorems.NOVIKOFF.promise))
    where = w if "units" not in w else rng.choice(w["units"])["witness"]
    for change in (
        {"margin": where["margin"] * rng.choice([0.5, 0.99, 1.01, 2.0])},
        {"exponent": where["exponent"] + rng.choice([-1, 1])},
        {"numerators": [k + rng.choice([-(2**12), 0, 2**12]) for k in where["numerators"]]},
        {"numerators": where["numerators"][:-1] + [0] * bool(where["numerators"])},
    ):
        new = where | change
        if "units" in w:
            new = {"units": [part | {"witness": new} if part["witness"] is where else part for part in w["units"]]}
        forged.append(replace(honest, witness=new))
        forged.append(replace(honest, witness=new, bound=honest.bound + rng.randrange(3)))
    return forged


POLYNOMIAL = PolynomialKernel(2, 1)
TOLD = {
    "each": (ls.Network(ls.Perceptron(), updates="each"), range(3), true_each),
    "polynomial": (ls.KernelPerceptron(POLYNOMIAL), range(2), lambda c, rounds: true_kernel(c, rounds, 2, 1)),
    "central": (ls.Ellipsoid(), range(2), lambda c, rounds: true_ellipsoid(c, rounds, False)),
    "deep": (ls.Ellipsoid(cuts="deep"), range(2), lambda c, rounds: true_ellipsoid(c, rounds, True)),
}


@pytest.mark.parametrize("kind", TOLD)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**63))
def test_what_is_accepted_is_true_whatever_was_tampered_with(kind, seed):
    rng = random.Random(seed)
    learner, labels, true = TOLD[kind]
    points = [[rng.choice([-2.5, -1, 0.5, 1, 3]), rng.choice([-2, -0.75, 1, 1.5])] for _ in range(20)]
    slope = rng.choice([-1.1, 0.3, 0.9])
    rounds = [(x, int(x[0] > slope * x[1])) for x in points]  # ellipsoids need a separator
    if kind not in ("central", "deep"):
        rounds = [(x, rng.choice(labels) if rng.random() < 0.3 else y) for x, y in rounds]
    stream = streamed(rounds, labels)
    honest = certified(learner, stream)
    assert true(honest, rounds)
    for forged in other_claims(rng, honest):
        try:
            ls.verify(forged, stream)
        except NotCertified:
            continue
        assert true(forged, rounds)
    for _ in range(3):
        others = other_rounds(rng, rounds, labels)
        other = streamed(others, labels)
        known = trace_game(learner, other).digest.text()
        if others[: len(rounds)] != rounds:  # a certificate is about the first rounds: more of them may follow
            with pytest.raises(NotCertified, match=r"stream|rounds"):
                ls.verify(honest, other)
        forged = replace(honest, stream=known, rounds=len(others))
        try:
            ls.verify(forged, other)
        except NotCertified:
            continue
        assert true(forged, others)


@pytest.mark.parametrize("seed", range(6))
def test_a_gaussian_certificate_that_was_tampered_with_is_refused(seed):
    rng = random.Random(seed)
    rounds = [([rng.uniform(-2, 2), rng.uniform(-2, 2)], rng.randrange(2)) for _ in range(15)]
    stream = streamed(rounds, range(2))
    honest = certified(ls.KernelPerceptron(GaussianKernel(0.7)), stream)
    K = lambda x, z: exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / (2 * 0.7**2))  # noqa: E731
    scores, _ = kernel_perceptron([(x, 1 if y else -1) for x, y in rounds], K)
    assert list(honest.updated) == [t for t, s in enumerate(scores) if s * (1 if rounds[t][1] else -1) <= 0]
    w = honest.witness
    for forged in (
        replace(honest, bound=honest.updates - 1),
        replace(honest, exact=True),
        replace(honest, mistakes=honest.mistakes + 1),
        replace(honest, updated=honest.updated[1:], updates=honest.updates - 1),
        replace(honest, witness=w | {"numerators": w["numerators"][1:]}),
        replace(honest, learner=honest.learner | {"kernel": honest.learner["kernel"] | {"width": 3.0}}),
    ):
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)
    with pytest.raises(NotCertified):
        ls.verify(honest, streamed(other_rounds(rng, rounds, range(2)), range(2)))


@pytest.mark.parametrize(("seed", "differing"), [(5, (6,)), (18, (9,)), (23, (8,))])
def test_a_round_that_a_kernel_in_floats_decided_otherwise_is_reported(seed, differing):
    rng = random.Random(seed)
    rounds = [
        ([rng.choice([-0.3, -0.1, 0.1, 0.2, 0.3, 0.7]), rng.choice([0.1, 0.2, -0.3])], rng.randrange(2))
        for _ in range(12)
    ]
    stream = streamed(rounds, range(2))
    certificate = certified(ls.KernelPerceptron(LinearKernel()), stream)
    assert ls.verify(certificate, stream).differing == differing
    exact, w = [], [Fraction(0)] * 2
    for t, (x, label) in enumerate(rounds):  # in fractions, as the listed updates leave the weights
        y = 1 if label else -1
        score = y * sum((a * Fraction(v) for a, v in zip(w, x, strict=True)), Fraction(0))
        exact += [t] if (score <= 0) != (t in certificate.updated) else []
        if t in certificate.updated:
            w = [a + y * Fraction(v) for a, v in zip(w, x, strict=True)]
    assert tuple(exact) == differing


@pytest.mark.parametrize("seed", range(12))
def test_gaussian_kernels_of_rows_that_are_far_longer_than_wide_verify(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3)) * 1e6
    X = X[rng.integers(0, 30, 30)] if seed % 2 else X  # rows that come again are at distance 0
    stream = ls.Recorded(X, (rng.random(30) < 0.5).tolist())
    learner = ls.KernelPerceptron(ls.GaussianKernel([0.02, 0.2, 5.0][seed % 3]), bias=float(seed % 4 > 0))
    certificate = ls.certify(learner, stream)
    assert ls.verify(certificate, stream).counted == certificate.updates


def test_a_kernel_has_the_parameters_of_its_name_and_no_others():
    stream = ls.Recorded([[1.0, 2.0], [2.0, -1.0], [0.0, 1.0]] * 3, [True, False, True] * 3)
    certificate = ls.certify(ls.KernelPerceptron(ls.LinearKernel()), stream)
    assert ls.verify(certificate, stream)
    for more in ({"degree": 3}, {"degree": 1, "constant": 0.0}, {"width": 1.0}, {"name": "PolynomialKernel"}):
        kernel = certificate.learner["kernel"] | more
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, learner=certificate.learner | {"kernel": kernel}), stream)


@pytest.mark.parametrize("tie", ["plus", "minus"])
def test_units_that_learn_on_their_own_learn_from_every_tie(tie):
    stream = ls.Recorded([[1.0], [0.0], [2.0], [-1.0]] * 4, [0, 1, 2, 1] * 4)
    certificate = ls.certify(ls.Network(ls.Perceptron(tie=tie, bias=0), updates="each"), stream)
    assert ls.verify(certificate, stream).counted == certificate.count
