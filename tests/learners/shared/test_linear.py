"""Theorems as predicates: the numbers of the literature, and the printed formulas to fifty digits."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.bound import largest
from littlestone.base.errors import NotCertified
from littlestone.learners import PassiveAggressive
from reference import logged, perceptron_bound
from theorem_names import DEVIATION, HINGE, NOVIKOFF, PERCEPTRON, READABLE, RUN, SQUARED, Facts

SHORT = {
    NOVIKOFF: "Novikoff",
    RUN: "run-dependent",
    HINGE: "hinge",
    READABLE: "readable",
    DEVIATION: "total",
    SQUARED: "squared",
}
POINTS = [(0, 0), (0, 1), (1, 0), (1, 1)]


def sweeps(function, count, product=False):
    rows = [(*x, x[0] * x[1]) if product else x for x in POINTS]
    return [(x, bool(function(*x[:2]))) for x in rows] * count


def steps(rounds, **options):
    """The rows z of a run, as dicts, and how often each was added."""
    updated, copies, _, _ = logged(rounds, **options)
    rows = []
    for t in updated:
        x, label = rounds[t]
        sign = 1 if label else -1
        rows.append({**{i: sign * Fraction(v) for i, v in enumerate(x) if v}, -1: Fraction(sign)})
    return rows, copies


def facts_of(rows, copies, u, margin, enough=0):
    products = [sum(u.get(i, 0) * v for i, v in z.items()) for z in rows]
    short = [max(Fraction(0), margin - p) for p in products]
    final = {}
    for z, c in zip(rows, copies, strict=True):
        for i, v in z.items():
            final[i] = final.get(i, 0) + c * v
    return Facts(
        norm=sum((Fraction(v) ** 2 for v in u.values()), Fraction(0)),
        reach=max((sum(v * v for v in z.values()) for z in rows), default=Fraction(0)) + 2 * Fraction(enough),
        margin=Fraction(margin),
        shortfall=sum((c * s for c, s in zip(copies, short, strict=True)), Fraction(0)),
        squares=sum((c * s * s for c, s in zip(copies, short, strict=True)), Fraction(0)),
        length=sum((v * v for v in final.values()), Fraction(0)),
    )


def test_the_bounds_for_and_are_51_and_22():
    rows, copies = steps(sweeps(lambda a, b: a & b, 9))
    facts = facts_of(rows, copies, {0: 2, 1: 2, -1: -3}, 1)
    assert (len(rows), facts.shortfall, NOVIKOFF.value(facts), RUN.value(facts)) == (18, 0, 51, 22)


def test_the_bound_for_or_is_27_and_for_xor_with_the_product_100():
    assert NOVIKOFF.value(Facts(Fraction(9), Fraction(3), Fraction(1))) == 27
    rows, copies = steps(sweeps(lambda a, b: a ^ b, 12, product=True))
    facts = facts_of(rows, copies, {0: 2, 1: 2, 2: -4, -1: -1}, 1)
    assert (len(rows), facts.shortfall, NOVIKOFF.value(facts)) == (29, 0, 100)


@pytest.mark.parametrize(
    ("u", "hinge", "squared", "deviation"), [({0: 1, 1: 1, -1: -1}, 38, 71, 49), ({-1: 1}, 29, 64, 43)]
)
def test_the_bounds_for_xor_are_those_of_the_gold_case(u, hinge, squared, deviation):
    rows, copies = steps(sweeps(lambda a, b: a ^ b, 5))
    facts = facts_of(rows, copies, u, 1)
    assert len(rows) == 20
    assert (HINGE.value(facts), SQUARED.value(facts), DEVIATION.value(facts)) == (hinge, squared, deviation)


@pytest.mark.parametrize(("margin", "updates", "bound"), [(3, 67, 153), (30, 498, 1071)])
def test_the_bound_grows_with_the_margin(margin, updates, bound):
    rows, copies = steps(sweeps(lambda a, b: a & b, 300), margin=margin)
    facts = facts_of(rows, copies, {0: 2, 1: 2, -1: -3}, 1, enough=margin)
    assert (len(rows), NOVIKOFF.value(facts)) == (updates, bound)


numbers = st.fractions(-3, 3, max_denominator=8)
rounds = st.lists(st.tuples(st.tuples(numbers, numbers), st.booleans()), min_size=1, max_size=25)


@given(rounds, st.tuples(numbers, numbers, numbers), st.fractions(Fraction(1, 8), 3, max_denominator=8))
def test_predicates_are_the_printed_formulas_and_never_fall_below_the_count(rounds, u, margin):
    rows, copies = steps(rounds)
    u = dict(zip((0, 1, -1), u, strict=True))
    facts = facts_of(rows, copies, u, margin)
    for theorem in PERCEPTRON:
        printed = perceptron_bound(SHORT[theorem], rows, copies, u, margin)
        if printed is None:
            continue
        value = theorem.value(facts)
        assert value >= len(rows)
        near = round(printed)
        assert value == (near if abs(printed - near) < 1e-30 else floor(printed))


def test_excess_is_allowed_for_in_every_theorem():
    base = Facts(Fraction(17), Fraction(3), Fraction(1), Fraction(2), Fraction(1), Fraction(29))
    for theorem in (NOVIKOFF, HINGE, READABLE, DEVIATION, SQUARED):
        assert theorem.value(base._replace(excess=Fraction(5))) > theorem.value(base)
    assert RUN.value(base._replace(length=None)) == 2


def test_no_margin_is_no_bound():
    with pytest.raises(NotCertified, match="margin must be positive"):
        NOVIKOFF.value(Facts(Fraction(1), Fraction(1), Fraction(0)))


@given(st.integers(0, 10**30))
def test_the_largest_possible_number_is_found(top):
    assert largest(lambda m: m <= top) == top


def test_passive_aggressive_bounds_known_by_heart():
    def bound(variant, facts):
        (theorem,) = PassiveAggressive(variant, aggressiveness=2.0).theorems()
        return theorem.value(facts)

    facts = Facts(Fraction(17), Fraction(3), Fraction(1), Fraction(3, 2), Fraction(5, 4))
    assert bound("0", facts._replace(shortfall=Fraction(0))) == 51
    assert bound("I", facts) == 3 * (17 + 6)
    assert bound("I", facts._replace(reach=Fraction(1, 4))) == (17 + 6) // 2
    assert bound("II", facts) == 3.25 * 22 // 1
    with pytest.raises(NotCertified, match="variant 0"):
        bound("0", facts)


def test_a_bound_in_the_middle_of_a_game_starts_from_the_weights_there():
    facts = Facts(Fraction(17), Fraction(3), Fraction(1), ahead=Fraction(20), begun=Fraction(29))
    assert NOVIKOFF.value(facts) == max(m for m in range(99) if (20 + m) ** 2 <= 17 * (29 + 3 * m))
    (theorem,) = PassiveAggressive("0").theorems()
    assert theorem.value(facts) == 3 * (17 - 2 * 20 + 29)  # R^2 |w - u|^2
