"""No false certificate verifies: whatever is accepted is true by a count that shares nothing with the verifier."""

import random
from dataclasses import replace
from fractions import Fraction
from math import floor, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
import theorem_names as theorems
from littlestone.base.bound import Certificate
from littlestone.base.domain import Domain
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.exact_numbers import round_root_up
from littlestone.base.features import Indexed
from littlestone.certificates.check.additive import divide_down, read_claim
from littlestone.certificates.check.additive_exact import ExactWeights, replay_exactly
from littlestone.certificates.check.integer_rows import ColumnStream
from littlestone.game.certify import trace_game
from old_certificates import certify_as_of_old
from reference import logged, perceptron_bound, winner

SHORT = {
    theorems.NOVIKOFF.name: "Novikoff",
    theorems.RUN.name: "run-dependent",
    theorems.HINGE.name: "hinge",
    theorems.READABLE.name: "readable",
    theorems.DEVIATION.name: "total",
    theorems.SQUARED.name: "squared",
}
POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def true(certificate, rounds):
    """Whether all that a certificate of a Perceptron or its kin says is so, in fractions and printed formulas."""
    learner = dict(certificate.learner)
    network = learner["name"] == "Network"
    unit = learner["learner"] if network else learner
    aggressive = unit["name"] == "AggressivePerceptron"
    rate, margin = unit.get("rate", 1), unit.get("margin", 0)
    options = {"rate": rate, "margin": margin, "bias": unit["bias"]}
    if network:
        updated, marks, mistakes = winner(rounds, **options, known=3)
        copies, marks = [1] * len(updated), [rival + 1 for rival in marks]
    else:
        updated, copies, mistakes, _ = logged(rounds, **options, tie=unit["tie"], aggressive=aggressive)
        marks = copies if aggressive else []
    rows = []
    for t in updated:
        x, y = rounds[t]
        z = {i: Fraction(v) for i, v in enumerate(x) if v} | ({-1: Fraction(unit["bias"])} if unit["bias"] else {})
        if network:
            rival = marks[len(rows)] - 1
            z = {(y, i): v for i, v in z.items()} | {(rival, i): -v for i, v in z.items()}
        else:
            z = {(0, i): v if y else -v for i, v in z.items()}
        rows.append(z)
    w = certificate.witness
    blocks = w.get("classes", [0] * len(w["attributes"]))
    scale = Fraction(2) ** w["exponent"]
    u = {(c, i): k * scale for c, i, k in zip(blocks, w["attributes"], w["numerators"], strict=True)}
    enough = Fraction(margin) / Fraction(rate)
    theorem = next(t for t in theorems.PERCEPTRON if t.name == certificate.theorem)
    printed = perceptron_bound(SHORT[certificate.theorem], rows, copies, u, w["margin"], enough)
    return (
        w["margin"] > 0
        and certificate.rounds == len(rounds)
        and list(certificate.updated) == updated
        and list(certificate.marks) == marks
        and (certificate.updates, certificate.mistakes) == (len(updated), mistakes)
        and (certificate.counts, certificate.count) == (("steps", sum(copies)) if aggressive else ("updates", None))
        and (certificate.scope, certificate.exact) == ("sequence", True)
        and certificate.promise == theorem.promise
        and printed is not None
        and certificate.bound >= max(sum(copies), floor(printed + type(printed)("-1e-30")))
        and certificate.stream == digest_of(rounds)
    )


def stream_of(rounds, classes):
    X = np.array([x for x, _ in rounds], float).reshape(len(rounds), -1)
    return ls.Recorded(X, [y for _, y in rounds], classes=range(3) if classes == 3 else None)


def digest_of(rounds):
    """The fingerprint of rounds, which does not depend on who plays them."""
    return trace_game(ls.Network(ls.Perceptron()), stream_of(rounds, 3)).digest.text()


LEARNERS = [
    ls.Perceptron(),
    ls.Perceptron(margin=2, rate=0.5, bias=2),
    ls.Perceptron(tie="plus"),
    ls.AveragedPerceptron(tie="minus", bias=0),
    ls.AggressivePerceptron(),
    ls.Network(ls.Perceptron()),
]
THEOREMS = [None, "hinge", "squared", "run-dependent", "total", "readable"]


def a_game(rng, classes):
    count = rng.randrange(6, 30)
    points = [[rng.randrange(-2, 3) for _ in range(2)] for _ in range(rng.randrange(2, 8))]
    labelled = [(point, rng.randrange(classes)) for point in points]
    return [rng.choice(labelled) for _ in range(count)]


def tampered(rng, certificate):
    """One thing in a certificate changed."""
    numbers = [-2, -1, 1, 2, 10]
    w = dict(certificate.witness)
    choice = rng.randrange(15)
    if choice == 0:
        return replace(certificate, bound=certificate.bound + rng.choice(numbers))
    if choice == 1:
        return replace(certificate, mistakes=certificate.mistakes + rng.choice(numbers))
    if choice == 2:
        return replace(certificate, updates=certificate.updates + rng.choice(numbers))
    if choice == 3:
        return replace(certificate, rounds=certificate.rounds + rng.choice(numbers))
    if choice == 4:
        return replace(certificate, count=rng.choice([None, certificate.updates, 0]))
    if choice == 5 and certificate.updated:
        at = rng.randrange(len(certificate.updated))
        rest = certificate.updated[:at] + certificate.updated[at + 1 :]
        marks = certificate.marks[:at] + certificate.marks[at + 1 :]
        lower = max(0, certificate.bound - 1)
        return replace(certificate, updated=rest, marks=marks, updates=certificate.updates - 1, bound=lower)
    if choice == 6:
        extra = rng.randrange(certificate.rounds)
        updated = tuple(sorted({*certificate.updated, extra}))
        marks = certificate.marks + (1,) * (len(updated) - len(certificate.updated)) * bool(certificate.marks)
        return replace(certificate, updated=updated, marks=marks, updates=len(updated), bound=certificate.bound + 1)
    if choice == 7 and certificate.updated:
        updated = list(certificate.updated)
        updated[rng.randrange(len(updated))] += rng.choice(numbers)
        return replace(certificate, updated=tuple(updated))
    if choice == 8 and certificate.marks:
        marks = list(certificate.marks)
        marks[rng.randrange(len(marks))] += rng.choice(numbers)
        return replace(certificate, marks=tuple(marks), count=certificate.count and sum(marks))
    if choice == 9:
        name = rng.choice([*SHORT, "Perceptron", "Passive-aggressive I (Crammer and others 2006)"])
        promise = next((t.promise for t in theorems.PERCEPTRON if t.name == name), certificate.promise)
        return replace(certificate, theorem=name, promise=rng.choice([promise, certificate.promise]))
    if choice == 10 and w["numerators"]:
        w["numerators"] = list(w["numerators"])
        at = rng.randrange(len(w["numerators"]))
        w["numerators"][at] = rng.choice([0, -w["numerators"][at], w["numerators"][at] * 2, w["numerators"][at] + 1])
        return replace(certificate, witness=w)
    if choice == 11:
        w["margin"] = rng.choice([w["margin"] * 2, w["margin"] / 2, -w["margin"], 0.0, w["margin"] * (1 + 2.0**-30)])
        return replace(certificate, witness=w)
    if choice == 12:
        w["exponent"] += rng.choice(numbers)
        return replace(certificate, witness=w)
    if choice == 13:
        unit = dict(certificate.learner)
        if unit["name"] == "Network":
            unit["learner"] = unit["learner"] | {"margin": 1.0}
        else:
            key = rng.choice([key for key in unit if key not in ("name", "normalized", "classes")])
            change = {"tie": rng.choice(["plus", "minus", "strict"]), "real": rng.choice(["float32", "float64"])}
            unit[key] = change.get(key, rng.choice([0.5, 1.0, 2.0, 0.0, 3.0]))
        return replace(certificate, learner=unit)
    words = rng.choice(
        [{"scope": "class"}, {"exact": False}, {"counts": "mistakes"}, {"promise": ""}, {"stream": "00"}]
    )
    return replace(certificate, **words)


def disturbed(rng, rounds, classes):
    """Rounds dropped, added, reordered or relabelled."""
    rounds = list(rounds)
    at = rng.randrange(len(rounds))
    choice = rng.randrange(5)
    if choice == 0:
        del rounds[at]
    elif choice == 1:
        rounds.insert(at, rng.choice(rounds))
    elif choice == 2:
        other = rng.randrange(len(rounds))
        rounds[at], rounds[other] = rounds[other], rounds[at]
    elif choice == 3:
        rounds[at] = (rounds[at][0], rng.randrange(classes))
    else:
        rounds[at] = ([value + 1 for value in rounds[at][0]], rounds[at][1])
    return rounds or [([0, 0], 0)]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**63))
def test_what_is_accepted_is_true_whatever_was_tampered_with(seed):
    rng = random.Random(seed)
    learner = rng.choice(LEARNERS)
    classes = 3 if isinstance(learner, ls.Network) else 2
    rounds = a_game(rng, classes)
    stream = stream_of(rounds, classes)
    honest = Certificate.from_json(ls.certify(learner, stream, rng.choice(THEOREMS)).to_json())
    assert ls.verify(honest, stream)
    assert true(honest, rounds)
    forged, others = honest, rounds
    if rng.random() < 0.4:
        others = disturbed(rng, rounds, classes)
        if rng.random() < 0.8:  # a forger can compute a digest
            forged = replace(forged, stream=digest_of(others), rounds=len(others))
    for _ in range(rng.randrange(3) if others != rounds else rng.randrange(1, 3)):
        forged = tampered(rng, forged)
    try:
        accepted = ls.verify(forged, stream_of(others, classes))
    except NotCertified:
        return
    assert accepted
    assert true(forged, others[: forged.rounds])


FLOATS = [[0.3, 0.3], [0.6, 0.2], [0.7, -0.3], [-0.7, -0.7], [0.3, -0.1]]


def test_a_round_that_floats_decided_otherwise_is_reported_and_its_excess_is_paid_for():
    stream = ls.Recorded(FLOATS, [True, False, True, True, True])
    certificate = ls.certify(ls.Perceptron(bias=0), stream)
    exact = logged([(x, y) for x, y in zip(FLOATS, [True, False, True, True, True], strict=True)], bias=0)
    assert (certificate.updated, exact[0]) == ((0, 1, 2, 3, 4), [0, 1, 2, 3])
    report = ls.verify(certificate, stream)
    assert report.differing == (4,)
    assert str(report).endswith("rounding decided rounds [4]")


def test_a_round_that_floats_skipped_is_reported():
    X = np.array([[-0.7, -0.1], [-0.7, 0.7], [0.7, 0.7], [-0.1, -0.7]], np.float32)
    stream = ls.Recorded(X, [False, True, False, False])
    certificate = ls.certify(ls.Perceptron(bias=0), stream)
    assert (certificate.updated, ls.verify(certificate, stream).differing) == ((0, 1, 2), (3,))


def test_rounding_excuses_no_decision_where_floats_are_exact():
    stream = ls.Recorded([[1.0], [1.0], [-1.0]], [True, False, True])
    certificate = ls.certify(ls.Perceptron(bias=0), stream)
    assert certificate.updated == (0, 1, 2)  # scores 0, 1 and 0
    shorter = replace(certificate, updated=(0, 1), updates=2)
    with pytest.raises(NotCertified, match="round 2 must teach and is not listed: its agreement is 0"):
        ls.verify(shorter, stream)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63), st.sampled_from([np.float32, np.float64]))
def test_a_run_in_floats_is_accepted_and_a_step_more_or_less_is_not(seed, real):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 3)).astype(real), rng.random(60) < 0.5
    stream = ls.Recorded(X, y)
    certificate = ls.certify(ls.Perceptron(rate=0.1, margin=0.05), stream)
    assert ls.verify(certificate, stream).differing == ()
    at = int(rng.integers(len(certificate.updated)))
    fewer = certificate.updated[:at] + certificate.updated[at + 1 :]
    with pytest.raises(NotCertified, match=r"must teach and is not listed|must not teach"):
        ls.verify(replace(certificate, updated=fewer, updates=len(fewer)), stream)
    other = next((t for t in range(60) if t not in certificate.updated), None)
    if other is not None:
        more = tuple(sorted({*certificate.updated, other}))
        with pytest.raises(NotCertified, match=r"must teach and is not listed|must not teach"):
            ls.verify(replace(certificate, updated=more, updates=len(more)), stream)


INEXACT = [
    ls.PassiveAggressive("I"),
    ls.PassiveAggressive("II", aggressiveness=0.1),
    ls.Perceptron(normalized=True),
    ls.Network(ls.Perceptron(normalized=True)),
]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63), st.sampled_from(INEXACT))
def test_inexact_learners_say_so_and_forgeries_of_them_are_refused(seed, learner):
    rng = random.Random(seed)
    rounds = [([rng.uniform(-2, 2) for _ in range(2)], rng.randrange(2)) for _ in range(40)]
    stream = stream_of(rounds, 2)
    certificate = ls.certify(learner, stream)
    assert not certificate.exact
    assert "up to the rounding of the run" in str(ls.verify(certificate, stream))
    at = rng.randrange(len(certificate.updated))
    rest = {
        name: getattr(certificate, name)[:at] + getattr(certificate, name)[at + 1 :] for name in ("updated", "marks")
    }
    moved = dict(certificate.witness, attributes=[0], numerators=[2**40], exponent=0)
    for forged in (
        replace(certificate, **rest, updates=certificate.updates - 1),
        replace(certificate, mistakes=certificate.mistakes + 1),
        replace(certificate, bound=certificate.bound // 2),
        replace(certificate, exact=True),
        replace(certificate, theorem=theorems.RUN.name, promise=theorems.RUN.promise),
        *([replace(certificate, witness=moved)] if moved["attributes"] else ()),  # no scale of nothing is a forgery
    ):
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)


def test_a_mistake_on_a_row_of_nothing_is_paid_for_by_passive_aggressive_bounds():
    stream = ls.Recorded([[0.0], [1.0], [0.0]], [True, True, True])
    certificate = ls.certify(ls.PassiveAggressive("0", bias=0), stream)
    assert (certificate.mistakes, certificate.updates) == (3, 1)
    assert certificate.bound == 3
    assert ls.verify(certificate, stream)
    with pytest.raises(NotCertified, match="does not give 2"):
        ls.verify(replace(certificate, bound=2, mistakes=3), stream)


AND = ls.Recorded(POINTS * 9, [False, False, False, True] * 9)


@pytest.mark.parametrize(
    "change",
    [
        {"learner": {}},
        {"learner": {"name": "Perceptron"}},
        {"learner": {"name": "Network", "updates": "each", "learner": {}, "real": "float64"}},
        {"learner": {"name": "Network", "updates": "winner", "learner": {"name": "Halving"}, "real": "float64"}},
        {"learner": {"name": "Unheard of"}},
        {"rounds": -1},
        {"rounds": 37},
        {"rounds": 35},
        {"rounds": 36.0},
        {"witness": None},
        {"witness": {}},
        {"bound": Fraction(103, 2)},
        {"bound": float("inf")},
        {"bound": 50},
        {"updated": (3, 0)},
        {"updated": (0, 0)},
        {"updated": (-1,)},
        {"marks": (1,) * 18},
        {"theorem": "Wishful thinking"},
        {"promise": "nothing"},
        {"scope": "class"},
        {"counts": "mistakes"},
        {"exact": False},
        {"stream": ""},
        {"count": 18},
    ],
)
def test_what_is_malformed_or_says_something_else_is_refused(change):
    certificate = ls.certify(ls.Perceptron(), AND, "Novikoff")
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, **change), AND)


@pytest.mark.parametrize(
    "change",
    [
        {"updates": 18.0},
        {"mistakes": True},
        {"updated": [*range(18)]},
        {"bound": True},
        {"exact": 1},
        {"version": True},
        {"version": 3},
        {"rows": {"form": "listed", "width": 0, "values": "float64", "more": 1}},
        {"rows": {"form": "dense", "width": 2.0, "values": "float64"}},
        {"rows": "listed"},
    ],
)
def test_fields_of_another_kind_are_refused_without_json_too(change):
    certificate = ls.certify(ls.Perceptron(), AND, "Novikoff")
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, **change), AND)


BITS = ls.Recorded(POINTS * 5, [False, True, True, True] * 5)
VOTES = ls.Panel([[1, 0, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1, 1]], [1, 0, 1, 1, 0])
TIGHT = [
    *((learner, AND) for learner in (
        ls.Perceptron(), ls.AveragedPerceptron(margin=0.3, rate=0.1), ls.Perceptron(normalized=True),
        ls.AggressivePerceptron(), ls.PassiveAggressive("I"), ls.PassiveAggressive("II"), ls.Alma(0.5), ls.Romma(),
        ls.ShiftingPerceptron(),
        ls.Network(ls.Perceptron()), ls.Network(ls.Perceptron(), updates="each"), ls.Ellipsoid(bias=1.0),
        ls.BalancedWinnow(), ls.BalancedWinnow(factor=1.5), ls.KernelPerceptron(ls.LinearKernel()),
        ls.KernelPerceptron(),
    )),
    (ls.Winnow(2.0, 2.0), BITS),
    (ls.Winnow(2.0, 4.0, floor=0.5), BITS),
    (ls.Tracking(ls.Perceptron(), periods=(7,)), AND),
    *((learner, VOTES) for learner in (
        ls.WeightedMajority(), ls.FallbackHalving(),
        ls.RandomizedWeightedMajority(), ls.ImprovedMajority(), ls.FollowTheLeader(random=True),
        ls.Hedge(0.5), ls.Hedge(), ls.AdaHedge(), ls.FixedShare(1.0, 0.125), ls.Aggregating(),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("learner", "stream"), TIGHT, ids=lambda value: str(value)[:40])
def test_a_bound_is_the_value_of_its_theorem_and_no_more(learner, stream, monkeypatch):
    certificate = Certificate.from_json(ls.certify(learner, stream).to_json())
    assert ls.verify(certificate, stream, learner)
    for more in (1, 10**30):
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, bound=certificate.bound + more), stream, learner)
    if "units" not in certificate.witness:
        old = certify_as_of_old(learner, stream, monkeypatch, bound=certificate.bound + 1)
        assert ls.verify(old, stream, learner)  # read by the rules of its day


@pytest.mark.parametrize(("learner", "stream"), TIGHT, ids=lambda value: str(value)[:40])
def test_words_that_nothing_reads_are_refused(learner, stream):
    certificate = ls.certify(learner, stream)
    unread = {"seed"} if "seed" not in certificate.learner and not isinstance(learner, ls.Tracking) else set()
    for word in {"more", "mixing", *unread}:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, learner=certificate.learner | {word: 3}), stream, learner)
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, witness=certificate.witness | {"more": 3}), stream, learner)
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, witness=[certificate.witness]), stream, learner)


def test_parameters_that_no_check_reads_are_those_of_a_learner():
    certificate = ls.certify(ls.KernelPerceptron(ls.LinearKernel()), AND)
    with pytest.raises(NotCertified, match="removal"):
        ls.verify(replace(certificate, learner=certificate.learner | {"removal": "none"}), AND)


@pytest.mark.parametrize(
    "change",
    [
        {"margin": 1},
        {"margin": float("nan")},
        {"margin": float("inf")},
        {"exponent": 10**9},
        {"exponent": 0.5},
        {"numerators": [1, 2]},
        {"numerators": [1, 2, 3.0]},
        {"numerators": [True, 2, 3]},
        {"attributes": [0, 0, 1]},
        {"attributes": [0, 1, 1.5]},
        {"classes": [0, 0]},
        {"classes": [0, 1, 0]},
    ],
)
def test_a_malformed_witness_is_refused(change):
    certificate = ls.certify(ls.Perceptron(), AND, "Novikoff")
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, witness=certificate.witness | change), AND)


@pytest.mark.parametrize(
    "change",
    [
        {"rate": 0},
        {"rate": -1.0},
        {"rate": float("nan")},
        {"rate": 1e-60, "real": "float32"},
        {"margin": -1.0},
        {"bias": -1.0},
        {"tie": "none"},
        {"normalized": 1},
        {"real": "float16"},
    ],
)
def test_parameters_that_no_learner_has_are_refused(change):
    certificate = ls.certify(ls.Perceptron(), AND, "Novikoff")
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, learner=certificate.learner | change), AND)


def test_a_longer_stream_verifies_what_was_said_of_its_first_rounds():
    certificate = ls.certify(ls.play(ls.Perceptron(), AND, rounds=20).player, AND)
    assert ls.verify(certificate, AND).rounds == 20


def test_values_whose_products_vanish_are_verified_by_the_run_itself_or_not_at_all(monkeypatch):
    monkeypatch.setattr(ls.Perceptron, "domain", lambda self, state: Domain(0.0, inf))  # such rows are not played
    stream = ls.Recorded([[1e-200], [1e-200]], [True, False])
    certificate = ls.certify(ls.Perceptron(), stream)
    assert ls.verify(certificate, stream).replayed
    with pytest.raises(NotCertified, match="underflow"):
        ls.verify(replace(certificate, rows=None), stream)


FINITE = [
    ls.Halving(ls.Thresholds(6)),
    ls.Consistent(ls.Thresholds(6)),
    ls.RandomizedHalving(ls.Thresholds(6)),
    ls.Conservative(ls.Halving(ls.Thresholds(6))),
]


@pytest.mark.parametrize("learner", FINITE, ids=str)
def test_certificates_of_finite_classes_are_checked_by_asking_every_concept(learner):
    stream = ls.Recorded([3, 1, 0, 5, 2], [True, False, False, True, False])
    certificate = Certificate.from_json(ls.certify(learner, stream).to_json())
    assert ls.verify(certificate, stream, learner)
    with pytest.raises(NotCertified, match="pass the learner"):
        ls.verify(certificate, stream)
    with pytest.raises(NotCertified, match="the certificate is about"):
        ls.verify(certificate, stream, ls.Halving(ls.Thresholds(7)))
    forgeries = [
        {"bound": certificate.bound + 1},
        {"mistakes": certificate.mistakes + 1},
        {"updated": certificate.updated[1:]},
        {"witness": dict(certificate.witness, survivors=1, concepts=9)},
        {"stream": "00"},
        {"rounds": 4},
        {"theorem": "Another"},
    ]
    for forgery in forgeries:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **forgery), stream, learner)
    with pytest.raises(NotCertified):
        ls.verify(certificate, ls.Recorded([3, 1, 0, 5, 2], [True, False, False, True, True]), learner)


def test_literals_and_boxes_are_checked_by_playing_again():
    X, y = [[0, 0], [1, 0], [0, 1]], [False, True, False]
    stream = ls.Recorded(X, y)
    certificate = Certificate.from_json(ls.certify(ls.Elimination(), stream).to_json())
    assert ls.verify(certificate, stream, ls.Elimination())
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, witness={}), stream, ls.Elimination())


def test_the_excess_is_twice_the_agreement_of_the_round_that_should_not_have_taught():
    stream = ls.Recorded(FLOATS, [True, False, True, True, True])
    rounds, claim = ColumnStream(stream, None, [], 5, 0.0, 2), read_claim(ls.certify(ls.Perceptron(), stream).learner)
    replay = replay_exactly(rounds.read(), ExactWeights(claim, rounds.survey(), 2), (0, 1, 2, 3, 4), ())
    signs = [1, -1, 1, 1]
    weights = [sum(sign * Fraction(x[i]) for sign, x in zip(signs, FLOATS, strict=False)) for i in range(2)]
    agreement = sum(w * Fraction(v) for w, v in zip(weights, FLOATS[4], strict=True))
    assert replay.excess == 2 * agreement > 0


def test_copies_are_as_many_as_it_takes_and_rivals_the_best():
    stream = ls.Recorded([[3.0], [1.0]], [True, False])
    certificate = ls.certify(ls.AggressivePerceptron(bias=0), stream)
    assert certificate.marks == (1, 4)
    for wrong in ((1, 3), (1, 5), (2, 7)):
        with pytest.raises(NotCertified, match="cannot have taken"):
            ls.verify(replace(certificate, marks=wrong, count=sum(wrong), bound=100), stream)
    three = ls.Recorded(np.eye(3)[[0, 1, 2]], [0, 1, 2], classes=range(3))
    network = ls.certify(ls.Network(ls.Perceptron()), three)
    assert network.marks == (2, 1, 1)
    for wrong in ((3, 1, 1), (2, 1, 2), (2, 1, 3), (2, 1, 4)):
        with pytest.raises(NotCertified, match="steps away from class"):
            ls.verify(replace(network, marks=wrong, bound=100), three)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63))
def test_the_smallest_bound_that_is_accepted_is_the_printed_one(seed):
    rng = random.Random(seed)
    learner = rng.choice(LEARNERS)
    classes = 3 if isinstance(learner, ls.Network) else 2
    rounds = a_game(rng, classes)
    stream = stream_of(rounds, classes)
    certificate = ls.certify(learner, stream, rng.choice(THEOREMS[1:]))
    while True:
        try:
            ls.verify(replace(certificate, bound=certificate.bound - 1), stream)
        except NotCertified:
            break
        certificate = replace(certificate, bound=certificate.bound - 1)
    assert true(certificate, rounds)
    assert not true(replace(certificate, bound=certificate.bound - 1), rounds)


def test_a_witness_of_nothing_has_no_margin_for_variant_0():
    certificate = ls.certify(ls.PassiveAggressive("0"), AND)
    nothing = certificate.witness | {"attributes": [], "numerators": [], "unexplained": 1.0}
    with pytest.raises(NotCertified, match="lacks the margin"):
        ls.verify(replace(certificate, witness=nothing), AND)


def test_an_entry_or_a_round_listed_twice_is_named():
    certificate = ls.certify(ls.Perceptron(), AND, "Novikoff")
    attributes, numerators = certificate.witness["attributes"], certificate.witness["numerators"]
    twice = certificate.witness | {"attributes": [*attributes, 1], "numerators": [*numerators, numerators[-1]]}
    with pytest.raises(NotCertified, match="entry twice"):
        ls.verify(replace(certificate, witness=twice, bound=1000), AND)
    with pytest.raises(NotCertified, match="in order"):
        ls.verify(replace(certificate, updated=(0, *certificate.updated)), AND)


@given(st.fractions(-100, 100), st.integers(1, 10**12))
def test_quotients_by_a_root_are_rounded_down_and_roots_up(product, square):
    low, high = divide_down(product, square), round_root_up(Fraction(square))
    assert high**2 >= square > (high - Fraction(1, 2**60)) ** 2
    assert (low >= 0) == (product >= 0)
    for value, above in ((low, False), (low + Fraction(1, 2**60), True)):
        signed, target = value * abs(value) * square, product * abs(product)
        assert signed >= target if above else signed <= target


def test_rounds_by_name_are_read_as_the_stream_offers_them():
    rows = [{"job": "clerk", "age": 3.0}, {"job": "manager", "age": 1.0}, {"hours": 2.0}] * 5
    stream = ls.Recorded(rows, ["low", "high", "low"] * 5)
    certificate = ls.certify(ls.Perceptron(), stream)
    assert ls.verify(certificate, stream).rounds == 15
    with pytest.raises(NotCertified):
        ls.verify(certificate, ls.Recorded([*rows[1:], rows[0]], ["low", "high", "low"] * 5))


def test_nothing_falls_short_of_a_negative_margin_and_that_is_no_witness():
    stream = ls.Recorded(POINTS * 9, [False, False, False, True] * 9)
    made = ls.certify(ls.Perceptron(), stream, "Novikoff")
    nothing = {"margin": -1.0, "exponent": 0, "attributes": [], "numerators": []}
    for witness in (nothing, nothing | {"margin": -0.0}, made.witness | {"margin": -made.witness["margin"]}):
        with pytest.raises(NotCertified, match="margin must be positive"):
            ls.verify(replace(made, witness=witness, bound=made.updates), stream)


@pytest.mark.parametrize(("rate", "real"), [(1e308, np.float64), (2e38, np.float32)])
def test_a_run_whose_weights_leave_its_floats_is_not_verified(rate, real):
    stream = ls.Recorded(np.array([[3, 0], [3, 0], [3, 0], [3, 1]], real), [True, False, True, False])
    made = ls.certify(ls.Perceptron(bias=0), stream)
    assert ls.verify(made, stream)
    with pytest.raises(BadParameter, match="rate must be from"):
        ls.Perceptron(bias=0, rate=rate)
    with pytest.raises(NotCertified, match="rate must be from"):
        ls.verify(replace(made, learner=made.learner | {"rate": rate}), stream)
    assert ls.verify(replace(made, learner=made.learner | {"rate": 1e30}), stream)


def test_steps_of_a_rate_that_take_the_weights_beyond_short_floats_are_not_verified():
    """1e30 is a rate and 1e10 a value, but their products with one another are no short floats."""
    stream = ls.Recorded(np.array([[1e10], [1e10]], np.float32), [True, False])
    made = replace(ls.certify(ls.Perceptron(bias=0), stream), rows=None)
    assert ls.verify(made, stream)
    with pytest.raises(NotCertified, match="weights or scores leave the run's floats"):
        ls.verify(replace(made, learner=made.learner | {"rate": 1e30}), stream)


def test_numbers_that_divide_by_nothing_are_refused_like_any_other():
    panel = ls.Panel([[0.0, 1.0], [1.0, 1.0]], [1, 0])
    made = ls.certify(ls.WeightedMajority(), panel)
    assert ls.verify(made, panel)
    for forged in (
        {"learner": made.learner | {"penalty": "1/0"}},
        {"witness": made.witness | {"losses": "1/0"}},
        {"witness": made.witness | {"error": "1/0"}},
    ):
        with pytest.raises(NotCertified, match="ZeroDivisionError"):
            ls.verify(replace(made, **forged), panel)


def test_units_of_their_own_are_those_of_a_network_and_of_nothing_else():
    stream = ls.Recorded(np.eye(3), ["a", "b", "c"])
    made = ls.certify(ls.Network(ls.Perceptron(), updates="each"), stream)
    assert ls.verify(made, stream)
    for name in ("Perceptron", "each", "", None):
        with pytest.raises(NotCertified):
            ls.verify(replace(made, learner=made.learner | {"name": name}), stream)


def test_more_classes_than_a_learner_can_tell_apart_are_not_declared():
    stream = ls.Recorded(np.eye(3), [0, 1, 2])
    made = ls.certify(ls.Perceptron(), ls.Recorded(np.eye(3), [0, 1, 1]))  # as if 2 were one more 1
    forged = replace(
        made,
        learner=made.learner | {"classes": [0, 1, 2]},
        stream=ColumnStream(stream, Indexed(), [0, 1, 2], 3, 1.0, 3).survey().digest,
    )
    with pytest.raises(NotCertified, match="3 classes are too many"):
        ls.verify(forged, stream)


@pytest.mark.parametrize(
    ("learner", "stream"),
    [
        (ls.Perceptron(), ls.Recorded(POINTS, [False, False, False, True])),
        (ls.AggressivePerceptron(), ls.Recorded(POINTS, [False, False, False, True])),
        (ls.Network(ls.Perceptron()), ls.Recorded(np.eye(3), ["a", "b", "c"])),
        (ls.Winnow(threshold=2), ls.Recorded(POINTS, [False, False, False, True])),
        (ls.BalancedWinnow(), ls.Recorded(POINTS, [False, False, False, True])),
        (ls.WeightedMajority(), ls.Panel([[0.0, 1.0], [1.0, 1.0]], [1, 0])),
    ],
    ids=lambda part: type(part).__name__,
)
def test_a_description_says_nothing_that_its_learner_does_not_have(learner, stream):
    made = ls.certify(learner, stream)
    assert ls.verify(made, stream)
    for word in ("decay", "rates", "updated"):
        with pytest.raises(NotCertified, match=f"no {type(learner).__name__} has {word}"):
            ls.verify(replace(made, learner=made.learner | {word: 1}), stream)
    if isinstance(learner, ls.Network):
        unit = made.learner["learner"] | {"decay": 1}
        with pytest.raises(NotCertified, match="no Perceptron has decay"):
            ls.verify(replace(made, learner=made.learner | {"learner": unit}), stream)


def test_the_classes_of_a_learner_that_has_its_own_are_those():
    stream, learner = ls.Recorded([3, 1, 0, 5], [True] * 4), ls.Halving(ls.Thresholds(6))
    made = ls.certify(learner, stream)
    assert ls.verify(made, stream, learner)
    for classes in ([True, False], ["ham", "spam"], [], [False]):
        with pytest.raises(NotCertified, match="no classes are"):
            ls.verify(replace(made, learner=made.learner | {"classes": classes}), stream, learner)


@pytest.mark.parametrize(("learner", "changes"), [
    (ls.Tracking(ls.Perceptron(), periods=(7, 20)), [{"real": "Hedge"}, {"real": False}, {"real": ["float32"]}]),
    (ls.Tracking(ls.Winnow(threshold=2.0), periods=(7,)), [{"real": False}, {"real": None}]),
    (ls.Elimination(), [{"real": "float16"}]),
    (ls.Logistic(), [{"guard": 1}, {"share": 1}]),
    (ls.Perceptron(), [{"normalized": 0}, {"real": 64}]),
    (ls.Winnow(), [{"real": "float64"}, {"real": 0}, {"eliminate": 0}]),
    (ls.Duplicated(ls.Winnow()), [{"real": "float64"}]),
], ids=lambda part: type(part).__name__)  # fmt: skip
def test_types_of_weights_and_switches_that_no_learner_has_are_refused(learner, changes):
    """Among 20,000 forgeries one of Tracking said that its weights were of type "Hedge", and was accepted."""
    stream = ls.Recorded([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 6, [True, False, True] * 6)
    certificate = ls.certify(learner, stream)
    passed = learner if isinstance(learner, ls.Tracking) else None
    assert ls.verify(certificate, stream, passed)
    for change in changes:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, learner=certificate.learner | change), stream, passed)


@pytest.mark.parametrize(("learner", "words"), [
    (ls.BalancedWinnow(), ["real", "factor", "bias"]), (ls.AdaHedge(), ["draws", "loss"]), (ls.Hedge(), ["memory"]),
    (ls.Perceptron(), ["normalized", "tie", "real"]),
], ids=lambda part: type(part).__name__)  # fmt: skip
def test_a_description_is_whole(learner, words):
    """Checks took defaults for what a description left out: true enough, but not what the format allows."""
    rows = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3
    panel = isinstance(learner, ls.AdaHedge | ls.Hedge)
    stream = ls.Panel(rows, [1.0, 0.0, 1.0] * 3) if panel else ls.Recorded(rows, [True, False, True] * 3)
    made = ls.certify(learner, stream)
    assert ls.verify(made, stream)
    for word in words:
        rest = {key: value for key, value in made.learner.items() if key != word}
        with pytest.raises(NotCertified):
            ls.verify(replace(made, learner=rest), stream)


def test_the_description_of_a_unit_is_whole():
    stream = ls.Recorded([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3, [0, 1, 2] * 3)
    made = ls.certify(ls.Network(ls.Perceptron(), updates="each"), stream)
    assert ls.verify(made, stream)
    unit = {key: value for key, value in made.learner["learner"].items() if key != "normalized"}
    with pytest.raises(NotCertified, match="lacks normalized"):
        ls.verify(replace(made, learner=made.learner | {"learner": unit}), stream)
