"""A checker that is told the rule and the theorem of a learner checks its certificates as it does any other's."""

import random
from dataclasses import replace
from fractions import Fraction
from math import floor, inf, sqrt

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.integer_rows import ColumnStream
from littlestone.certificates.check.known_rules import THEOREMS
from littlestone.certificates.check.rules import (
    CLEAN,
    CheckedRule,
    CheckedStep,
    CheckedTheorem,
    WitnessFacts,
    is_at_least,
    is_between,
    is_one_of,
)

THEOREM = "Relaxation (Agmon 1954, Motzkin and Schoenberg 1954)"


def go_part_of_the_way(seen, parameters):
    """After a mistake, part of the way to margin 1."""
    return CheckedStep(parameters["part"] * (1 - seen.agreement) / seen.square)


def relaxation_is_impossible(f, m, parameters):
    """Each update lowers |w - u/g|^2 by at least part (2 - part) / R^2."""
    part = Fraction(parameters["part"])
    return m * part * (2 - part) * f.margin**2 > f.longest * f.norm


RELAXATION = CheckedRule(
    learner="Relaxation",
    parameters={"part": is_between(0, 2)},
    step=go_part_of_the_way,
    theorems=(CheckedTheorem(THEOREM, CLEAN, relaxation_is_impossible, clean=True),),
)


def played(X, y, step):
    """The rounds that taught, and the mistakes: by the rule in plain floats, a score of 0 being a mistake."""
    w, updated, mistakes = np.zeros(X.shape[1]), [], 0
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        sign = 1 if label else -1
        mistakes += bool(w @ x > 0) != bool(label)
        if sign * (w @ x) <= 0:
            w = step(w, x, sign, len(updated))
            updated.append(t)
    return tuple(updated), mistakes


def certified(X, y, u, margin, about, step, bound, counts="updates"):
    """A certificate written by hand, with a witness in whole numbers."""
    stream = ls.Recorded(X, y)
    updated, mistakes = played(X, y, step)
    witness = {"margin": margin, "exponent": 0, "attributes": list(range(len(u))), "numerators": list(u)}
    return stream, Certificate(
        theorem=about["theorem"], promise=CLEAN, counts=counts, mistakes=mistakes, updates=len(updated), bound=bound,
        witness=witness, scope="sequence", exact=False, rounds=len(y), learner=about["learner"] | {"real": "float64"},
        stream=ColumnStream(stream, None, [], len(y), 0.0, 2).survey(None).digest, updated=updated,
    )  # fmt: skip


def relaxed(part=0.7, seed=0, rounds=300):
    rng = random.Random(seed)
    u = (3, -2, 1)
    rows = [[rng.randrange(-4, 5) for _ in u] for _ in range(rounds)]
    rows = [row for row in rows if abs(sum(a * b for a, b in zip(u, row, strict=True))) >= 2]
    X, y = np.array(rows, float), [sum(a * b for a, b in zip(u, row, strict=True)) > 0 for row in rows]

    def step(w, x, sign, _):
        return w + part * (1 - sign * (w @ x)) / (x @ x) * sign * x

    updated, _ = played(X, y, step)
    longest, least = max(x @ x for x in X[list(updated)]), min(abs(X[t] @ np.array(u)) for t in updated)
    bound = floor(Fraction(longest) * 14 / (Fraction(least) ** 2 * Fraction(part) * (2 - Fraction(part))))
    about = {"theorem": THEOREM, "learner": {"name": "Relaxation", "part": part}}
    return certified(X, y, u, float(least), about, step, bound)


@pytest.mark.parametrize("part", [0.5, 1.0, 1.9])
@pytest.mark.parametrize("seed", range(4))
def test_a_rule_that_the_checker_is_told_is_checked(part, seed):
    stream, certificate = relaxed(part, seed)
    certificate = Certificate.from_json(certificate.to_json())
    report = ls.verify(certificate, stream, rules=[RELAXATION])
    assert (report.counted, report.bound, report.exact) == (certificate.updates, certificate.bound, False)
    with pytest.raises(NotCertified, match="no check covers Relaxation: pass its rule"):
        ls.verify(certificate, stream)


def test_what_is_forged_is_refused():
    stream, certificate = relaxed()
    learner, witness = certificate.learner, certificate.witness
    more = next(t for t in range(certificate.rounds) if t not in certificate.updated)
    forgeries = [
        {"bound": certificate.bound - 1},
        {"bound": certificate.bound + 0.5},
        {"mistakes": certificate.mistakes + 1},
        {"mistakes": certificate.mistakes - 1},
        {"updates": certificate.updates - 1},
        {"updated": certificate.updated[1:], "updates": certificate.updates - 1},
        {"updated": tuple(sorted((*certificate.updated, more))), "updates": certificate.updates + 1},
        {"learner": learner | {"part": 1.9}},
        {"learner": learner | {"part": 2}},
        {"learner": learner | {"part": "0.7"}},
        {"learner": learner | {"part": None}},
        {"learner": learner | {"bias": 1.0}},
        {"learner": {key: value for key, value in learner.items() if key != "part"}},
        {"witness": witness | {"margin": 2 * witness["margin"]}},
        {"witness": witness | {"numerators": [3, -2, 2]}},
        {"witness": witness | {"exponent": 1}},
        {"theorem": "Perceptron (Novikoff 1962)"},
        {"promise": "nothing"},
        {"counts": "mistakes"},
        {"exact": True},
        {"scope": "class"},
        {"stream": ""},
        {"marks": (1,) * certificate.updates},
        {"count": 1},
    ]
    for forgery in forgeries:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **forgery), stream, rules=[RELAXATION])


def test_another_rule_of_that_name_does_not_fit_the_run():
    stream, certificate = relaxed()
    flipped = replace(
        RELAXATION, step=lambda seen, parameters: CheckedStep(-go_part_of_the_way(seen, parameters).along)
    )
    with pytest.raises(NotCertified, match=r"must teach and is not listed|must not teach"):
        ls.verify(certificate, stream, rules=[flipped])


def test_what_the_checker_knows_itself_it_is_not_told():
    stream = ls.Recorded([[1.0], [2.0]], [True, False])
    made = ls.certify(ls.Perceptron(), stream)
    anything = CheckedRule("Perceptron", lambda *_: CheckedStep(1), (), {})
    assert ls.verify(made, stream, rules=[anything]).theorem == made.theorem


def shrink(w, x, sign, _):
    w = 0.9 * w + sign * x / sqrt(x @ x)
    return w if w @ w <= 4 else w * 2 / sqrt(w @ w)


SHRINKING = CheckedRule(
    "Shrinking",
    lambda seen, _: CheckedStep(1 / sqrt(seen.square), shrink=0.9, cap=2.0),
    (CheckedTheorem("Anything", CLEAN, lambda f, m, _: m > 10**6, clean=True),),
)


def test_weights_may_shrink_and_be_cut_to_a_length():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 3))
    X = X[np.abs(X @ [1, 2, -1]) > 0.2]
    y = X @ [1, 2, -1] > 0
    about = {"theorem": "Anything", "learner": {"name": "Shrinking"}}
    stream, made = certified(X, y, (1, 2, -1), 0.125, about, shrink, 10**6)
    assert 20 < made.updates < len(y) - 20
    assert ls.verify(made, stream, rules=[SHRINKING])
    for other in ({"shrink": 0.8, "cap": 2.0}, {"cap": 2.0}, {"shrink": 0.9, "cap": 0.5}):
        wrong = replace(SHRINKING, step=lambda seen, _, other=other: CheckedStep(1 / sqrt(seen.square), **other))
        with pytest.raises(NotCertified, match=r"must teach|must not teach"):
            ls.verify(made, stream, rules=[wrong])


def test_a_rule_sees_how_often_and_how_far_the_weights_moved():
    seen = []

    def note(facts, _):
        seen.append(facts)
        return CheckedStep(1.0)

    X, y = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0], [1.0, 1.0]]), [True, False, True, True]
    about = {"theorem": "Anything", "learner": {"name": "Noting"}}
    stream, made = certified(X, y, (0, -1), 0.5, about, lambda w, x, sign, _: w + sign * x, 10**6)
    rule = CheckedRule("Noting", note, (CheckedTheorem("Anything", CLEAN, lambda *_: True),))
    assert ls.verify(made, stream, rules=[rule])
    assert [(facts.agreement, facts.square, facts.length, facts.updates) for facts in seen] == [
        (0, 1, 0, 0),
        (0, 4, 1, 1),
        (-1, 1, 5, 2),
        (-2, 2, 4, 3),
    ]


@pytest.mark.parametrize(
    ("allows", "yes", "no"),
    [
        (is_at_least(0), (0, 0.0, 7), (-1e-9, inf, float("nan"), "0", None, True)),
        (is_between(0, 2), (1, 0.5, 1.999), (0, 2, 2.0, -1, float("nan"), "1", None, True)),
        (is_between(0, inf), (1e-300, 5), (0, inf, None)),
        (is_one_of("I", "II", None), ("I", "II", None), ("III", 0, False)),
        (is_one_of(True), (True,), (1, 1.0, None, False)),
    ],
)
def test_what_parameters_may_be(allows, yes, no):
    assert all(map(allows, yes))
    assert not any(map(allows, no))


def test_a_bound_a_thousandth_larger_is_refused_where_losses_are_far_smaller_than_agreements():
    """Floats measure such losses roughly, to about a 10^-9 of what the agreements are: not as roughly as that."""
    tenths = [[-18, -11, 8, -2, -1], [2, 18, 4, 13, -1], [-7, 10, 6, 9, -9], [-5, -2, -1, -14, -8], [-3, 1, 2, -17, -2]]
    stream = ls.Recorded(np.array(tenths) * 1e5, [False, True, True, False, False])
    honest = ls.certify(ls.PassiveAggressive("I", 10.0), stream)
    assert honest.bound > 10**5
    assert ls.verify(honest, stream)
    more = honest.bound * 1001 // 1000
    with pytest.raises(NotCertified, match=f"gives less than {more}"):
        ls.verify(replace(honest, bound=more), stream)


@pytest.mark.parametrize(("name", "most"), [
    ("Perceptron (Novikoff 1962)", 51),
    ("Perceptron, hinge loss", 51),
    ("Perceptron, squared deviation (Freund and Schapire 1999)", 51),
    ("Perceptron, run-dependent", 22),
    ("Perceptron, hinge loss, readable form", 51),
    ("Perceptron, total deviation", 51),
])  # fmt: skip
def test_the_bounds_that_the_checker_knows_for_and_are_51_and_22(name, most):
    """u = (3, 2, -2), whose margin is 1: |u|^2 = 17, the longest row has 3 ones, |w|^2 = 29 in the end."""
    (theorem,) = [theorem for theorem in THEOREMS if theorem.name == name]
    facts = WitnessFacts(Fraction(17), Fraction(3), Fraction(1), Fraction(1), *map(Fraction, (0, 0, 29, 0)))
    assert not theorem.impossible(facts, most, {})
    assert theorem.impossible(facts, most + 1, {})
    twice = facts._replace(norm=Fraction(68), margin=Fraction(2))  # the same u, twice as long
    assert not theorem.impossible(twice, most, {})
    assert theorem.impossible(twice, most + 1, {})


def test_a_comparator_without_the_margin_is_no_witness_for_variant_0_of_passive_aggressive():
    """u = (0, 4) has u.z = 1/2 in all four rounds, and |u|^2 R^2 = 16.25."""
    stream = ls.Recorded([[1.0, 0.125], [1.0, -0.125]] * 2, [True, False] * 2)
    certificate = ls.certify(ls.PassiveAggressive("0", bias=0.0), stream)
    assert ls.verify(certificate, stream)
    shorter = {"margin": 1.0, "exponent": 0, "attributes": [1], "numerators": [4]}
    forged = replace(certificate, bound=16, witness={**shorter, "unexplained": 0.5, "everywhere": 2.0})
    with pytest.raises(NotCertified, match="lacks the margin on an update round"):
        ls.verify(forged, stream)
