"""No false certificate of Winnow or Balanced Winnow verifies: what is accepted is true by a count of its own."""

import random
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
import theorem_names as theorems
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.balanced_winnow import enclose_ln
from littlestone.certificates.check.winnow import find_power
from littlestone.game.certify import trace_game
from reference import balanced_bound, balanced_logged, winnow_bound, winnow_logged

SHORT = {
    theorems.WINNOW_OR: "disjunction",
    theorems.WINNOW_MARGIN: "margin",
    theorems.WINNOW_SLACK: "slack",
    theorems.WINNOW_ELIMINATION: "elimination",
    theorems.WINNOW_DRIFT: "drift",
}
WINNOWS = [
    ls.Winnow(threshold=4),
    ls.Winnow(threshold=2, strict_gt=True),
    ls.Winnow(promotion=4, threshold=8, margin=2),
    ls.Winnow(threshold=4, eliminate=True),
    ls.Winnow(threshold=4, floor=0.5),
]
BALANCED = [ls.BalancedWinnow(factor=2), ls.BalancedWinnow(factor=1.5, bias=0), ls.BalancedWinnow()]


def stream_of(rounds):
    X = np.array([x for x, _ in rounds], float).reshape(len(rounds), -1)
    return ls.Recorded(X, [y for _, y in rounds], classes=(0, 1))


def common(certificate, rounds, updated, mistakes):
    """What is true of every certificate here, whatever its theorem."""
    return (
        certificate.rounds == len(rounds)
        and (list(certificate.updated), certificate.marks) == (updated, ())
        and (certificate.updates, certificate.mistakes) == (len(updated), mistakes)
        and (certificate.counts, certificate.count) == ("updates", None)
        and (certificate.scope, certificate.exact) == ("sequence", True)
        and certificate.stream == trace_game(ls.BalancedWinnow(), stream_of(rounds)).digest.text()
    )


def true_winnow(certificate, rounds, differing=()):
    assert differing == ()  # powers of two: floats are exact
    learner = certificate.learner
    names = ("promotion", "threshold", "margin", "eliminate", "strict_gt")
    options = {name: learner[name] for name in names}
    updated, mistakes = winnow_logged(rounds, **options, floor=learner["floor"])
    if (certificate.theorem == theorems.WINNOW_DRIFT) != bool(learner["floor"]):
        return False
    if (certificate.theorem == theorems.WINNOW_ELIMINATION) != learner["eliminate"]:
        return False
    rows = [rounds[t] for t in updated]
    printed = winnow_bound(SHORT[certificate.theorem], rows, certificate.witness, **options)
    right = certificate.promise == theorems.WINNOW[certificate.theorem]
    right = right and printed is not None and certificate.bound >= max(printed, len(updated))
    return right and common(certificate, rounds, updated, mistakes)


def true_balanced(certificate, rounds, differing=()):
    learner, bias, caps = certificate.learner, certificate.learner["bias"], certificate.witness["caps"]
    factor = learner["factor"]
    if learner["margin"] is not None:
        factor = ((1 + learner["margin"]) / (1 - learner["margin"])) ** 0.5
    updated, phases, mistakes, last = balanced_logged(rounds, factor, bias, differing)
    if len(caps) != last - 1 or any(phases.count(j) > cap for j, cap in enumerate(caps, start=1)):
        return False
    rows = [rounds[t] for t, phase in zip(updated, phases, strict=True) if phase == last]
    base = ((1 + 2.0**-last) / (1 - 2.0**-last)) ** 0.5 if factor is None else factor
    printed = balanced_bound(rows, certificate.witness, base, bias) if rows else 0
    clean = certificate.theorem == theorems.BALANCED and rows
    if clean and not lacks_nothing(certificate.witness, rows, bias):
        return False
    right = certificate.promise == theorems.BALANCED_PROMISE[certificate.theorem]
    right = right and (certificate.theorem == theorems.BALANCED_PHASES) == (factor is None)
    right = right and printed is not None and certificate.bound >= max(len(updated), sum(caps) + floor(printed))
    return right and common(certificate, rounds, updated, mistakes)


def lacks_nothing(witness, rows, bias):
    u = dict(zip(witness["attributes"], witness["numerators"], strict=True))
    level = Fraction(witness["margin"]) * sum(abs(k) for k in u.values())
    agreements = [
        (sum(u.get(i, 0) * int(v) for i, v in enumerate(x)) + bias * u.get(-1, 0)) * (1 if y else -1) for x, y in rows
    ]
    return min(agreements) >= level


def tampered(rng, certificate):
    """One thing in a certificate changed."""
    step, w = rng.choice([-2, -1, 1, 2, 10]), dict(certificate.witness)
    choice = rng.randrange(15)
    if choice < 4:
        name = ("bound", "mistakes", "updates", "rounds")[choice]
        return replace(certificate, **{name: getattr(certificate, name) + step})
    if choice == 4 and certificate.updated:
        at = rng.randrange(len(certificate.updated))
        rest = certificate.updated[:at] + certificate.updated[at + 1 :]
        return replace(certificate, updated=rest, updates=len(rest), bound=max(0, certificate.bound - 1))
    if choice == 5:
        more = tuple(sorted({*certificate.updated, rng.randrange(certificate.rounds)}))
        return replace(certificate, updated=more, updates=len(more), bound=certificate.bound + 3)
    if choice == 6:
        table = {**theorems.WINNOW, **theorems.BALANCED_PROMISE, "Winnow": ""}
        name = rng.choice(list(table))
        return replace(certificate, theorem=name, promise=rng.choice([table[name], certificate.promise]))
    if choice == 7 and w.get("numerators"):
        w["numerators"] = list(w["numerators"])
        at = rng.randrange(len(w["numerators"]))
        old = w["numerators"][at]
        w["numerators"][at] = rng.choice([0, -old, old * 2, old + 1, float(old)])
    elif choice == 8:
        key = rng.choice([key for key in ("promoted", "demoted", "margin") if key in w] or ["promoted"])
        w[key] = rng.choice([0, 1, 2, 0.25, 1.0, w.get(key, 1) * 2, w.get(key, 1) / 2])
    elif choice == 9 and w.get("attributes"):
        w["attributes"] = [rng.choice([i, i + 1, 0]) for i in w["attributes"]]
    elif choice == 10 and w.get("schedule"):
        w["schedule"] = [[rng.choice([f, f + 1, 0]), rng.choice([n, n[:-1], [*n, 0]])] for f, n in w["schedule"]]
    elif choice == 11 and w.get("caps"):
        w["caps"] = [max(0, cap + step) for cap in w["caps"]]
        return replace(certificate, witness=w, bound=certificate.bound + len(w["caps"]) * step)
    elif choice == 12:
        unit = dict(certificate.learner)
        key = rng.choice([key for key in unit if key not in ("name", "classes")])
        unit[key] = rng.choice([0, 1, 0.5, 1.5, 2.0, 3.0, 4.0, True, False, None])
        return replace(certificate, learner=unit)
    elif choice == 13:
        words = [{"scope": "class"}, {"exact": False}, {"counts": "mistakes"}, {"promise": ""}, {"stream": "00"}]
        return replace(certificate, **rng.choice([*words, {"marks": (1,)}, {"count": certificate.updates}]))
    return replace(certificate, witness=w)


def disturbed(rng, rounds):
    """Rounds dropped, added, reordered, relabelled or changed."""
    rounds, at = list(rounds), rng.randrange(len(rounds))
    choice = rng.randrange(5)
    if choice == 0 and len(rounds) > 1:
        del rounds[at]
    elif choice == 1:
        rounds.insert(at, rng.choice(rounds))
    elif choice == 2:
        other = rng.randrange(len(rounds))
        rounds[at], rounds[other] = rounds[other], rounds[at]
    elif choice == 3:
        rounds[at] = (rounds[at][0], 1 - rounds[at][1])
    else:
        rounds[at] = ([1 - abs(value) for value in rounds[at][0]], rounds[at][1])
    return rounds


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 2**63), st.booleans())
def test_what_is_accepted_is_true_whatever_was_tampered_with(seed, balanced):
    rng = random.Random(seed)
    learner, true = rng.choice(BALANCED if balanced else WINNOWS), true_balanced if balanced else true_winnow
    points = [[rng.randrange(-balanced, 2) for _ in range(3)] for _ in range(rng.randrange(2, 7))]
    points = [point if any(point) else [1, 0, 0] for point in points]
    labelled = [(point, rng.randrange(2)) for point in points]
    rounds = [rng.choice(labelled) for _ in range(rng.randrange(6, 40))]
    honest = Certificate.from_json(ls.certify(learner, stream_of(rounds)).to_json())
    assert ls.verify(honest, stream_of(rounds))
    assert true(honest, rounds)
    forged, others = honest, rounds
    if rng.random() < 0.4:
        others = disturbed(rng, rounds)
        if rng.random() < 0.8:
            digest = trace_game(ls.BalancedWinnow(), stream_of(others)).digest.text()
            forged = replace(forged, stream=digest, rounds=len(others))
    for _ in range(rng.randrange(3) if others != rounds else rng.randrange(1, 3)):
        forged = tampered(rng, forged)
    try:
        accepted = ls.verify(forged, stream_of(others))
    except NotCertified:
        return
    assert accepted
    assert true(forged, others[: forged.rounds], accepted.differing)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**63), st.booleans())
def test_the_smallest_bound_that_is_accepted_is_the_printed_one(seed, balanced):
    rng = random.Random(seed)
    learner, true = rng.choice(BALANCED if balanced else WINNOWS), true_balanced if balanced else true_winnow
    labelled = [([rng.randrange(-balanced, 2) for _ in range(2)] + [1], rng.randrange(2)) for _ in range(5)]
    rounds = [rng.choice(labelled) for _ in range(30)]
    certificate = ls.certify(learner, stream_of(rounds))
    while True:
        try:
            ls.verify(replace(certificate, bound=certificate.bound - 1), stream_of(rounds))
        except NotCertified:
            break
        certificate = replace(certificate, bound=certificate.bound - 1)
    assert true(certificate, rounds)
    assert not true(replace(certificate, bound=certificate.bound - 1), rounds)


def test_a_step_more_or_less_is_refused():
    stream = stream_of([([1, 1, 0], 0), ([1, 0, 1], 1), ([0, 1, 1], 1), ([1, 1, 1], 0)] * 5)
    for learner in (ls.Winnow(threshold=2), ls.BalancedWinnow(factor=1.3), ls.BalancedWinnow()):
        certificate = ls.certify(learner, stream)
        fewer = certificate.updated[1:]
        with pytest.raises(NotCertified, match=r"must teach and is not listed|must not teach"):
            ls.verify(replace(certificate, updated=fewer, updates=len(fewer)), stream)
        other = next(t for t in range(20) if t not in certificate.updated)
        more = tuple(sorted({*certificate.updated, other}))
        with pytest.raises(NotCertified, match=r"must teach and is not listed|must not teach"):
            ls.verify(replace(certificate, updated=more, updates=len(more)), stream)


def test_attributes_that_such_a_learner_cannot_take_are_refused():
    stream = stream_of([([1, 0], 1), ([0, 1], 0)])
    for learner, odd in ((ls.Winnow(threshold=2), 0.5), (ls.BalancedWinnow(), 2.0)):
        certificate = ls.certify(learner, stream)
        other = stream_of([([odd, 0], 1), ([0, 1], 0)])
        forged = replace(certificate, stream=trace_game(ls.Perceptron(), other).digest.text())
        with pytest.raises(NotCertified, match="an attribute is n"):
            ls.verify(forged, other)


def test_a_witness_with_its_margin_is_needed_where_the_theorem_says_so():
    rounds = [([1, 1, 1], 1), ([1, 0, 1], 0), ([0, 1, 1], 0)] * 12
    certificate = ls.certify(ls.BalancedWinnow(factor=1.15, bias=0), stream_of(rounds))
    assert certificate.theorem == theorems.BALANCED
    wider = certificate.witness | {"margin": certificate.witness["margin"] * 1.01}
    with pytest.raises(NotCertified, match="lacks its margin"):
        ls.verify(replace(certificate, witness=wider, bound=10**6), stream_of(rounds))
    tiny = certificate.witness | {"margin": 0.01}
    with pytest.raises(NotCertified, match="margin is too small for the factor"):
        ls.verify(replace(certificate, witness=tiny, bound=10**6), stream_of(rounds))


MAJORITY = [(x, int(sum(x) > 1)) for x in ([1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1])] * 8


def test_a_witness_of_winnow_must_be_what_its_theorem_says():
    stream = stream_of(MAJORITY)
    certificate = ls.certify(ls.Winnow(promotion=1.25, threshold=10), stream, "Winnow, margin (")
    w = certificate.witness
    for witness, theorem, words in (
        (w | {"promoted": 3}, theorems.WINNOW_MARGIN, "the witness has slack"),
        (w, theorems.WINNOW_OR, "that is no disjunction"),
        (w | {"numerators": [3, 3, -1]}, theorems.WINNOW_SLACK, "no negative weights"),
        (w | {"promoted": 5, "demoted": 4}, theorems.WINNOW_SLACK, "levels are too close"),
        (w, theorems.WINNOW_ELIMINATION, "a theorem of its own"),
        (w, theorems.WINNOW_DRIFT, "schedule"),
    ):
        promise = theorems.WINNOW[theorem]
        with pytest.raises(NotCertified, match=words):
            ls.verify(replace(certificate, witness=witness, theorem=theorem, promise=promise, bound=10**6), stream)
    level = w | {"demoted": 1}
    assert ls.verify(replace(certificate, witness=level, bound=104), stream)  # (3 * 11 + 6/5) / (2 - 5/4) and 58 more
    with pytest.raises(NotCertified, match="does not give 103 but 104"):
        ls.verify(replace(certificate, witness=level, bound=103), stream)


def test_phases_have_the_caps_that_they_have():
    rng = np.random.default_rng(0)
    X = rng.integers(-1, 2, (400, 6))
    rounds = [(x.tolist(), int(y)) for x, y in zip(X, rng.integers(0, 2, 400), strict=True)]
    certificate = ls.certify(ls.BalancedWinnow(), stream_of(rounds))
    caps = certificate.witness["caps"]
    assert len(caps) > 1
    for change in (-1, 1):
        forged = certificate.witness | {"caps": [caps[0] + change, *caps[1:]]}
        with pytest.raises(NotCertified, match="the phases that ended have caps"):
            ls.verify(replace(certificate, witness=forged, bound=certificate.bound + 1), stream_of(rounds))


def test_a_schedule_must_label_every_update():
    X = [[1, 0], [0, 1]] * 6
    stream = stream_of([(x, int(x[t // 6] == 1)) for t, x in enumerate(X)])
    certificate = ls.certify(ls.Winnow(threshold=2, floor=0.5), stream)
    assert ls.verify(certificate, stream)
    (first, names), *_ = certificate.witness["schedule"]
    refused = {"does not label update 0": [[[first, [1 - names[0]]]]]}
    refused["malformed schedule"] = [[[1, names]], [[0, names], [0, names]], []]
    for message, schedules in refused.items():
        for schedule in schedules:
            with pytest.raises(NotCertified, match=message):
                ls.verify(replace(certificate, witness={"schedule": schedule}, bound=10**6), stream)


@settings(max_examples=50, deadline=None)
@given(st.fractions(1, 10**6, max_denominator=10**6), st.integers(11, 40))
def test_logarithms_are_enclosed_and_exponents_exact(value, tenths):
    low, high = enclose_ln(value)
    with localcontext() as context:
        context.prec = 80
        between = Fraction((Decimal(value.numerator) / Decimal(value.denominator)).ln())
    assert low < between < high < low + Fraction(1, 10**40)
    b = Fraction(tenths, 10)
    j = find_power(b, value, beyond=False)
    assert b**j >= value
    assert j == 0 or b ** (j - 1) < value
    assert find_power(b, b**j, beyond=True) == j + 1
