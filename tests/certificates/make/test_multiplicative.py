"""Certificates of Winnow and Balanced Winnow: golds, every small game, and hunts for a violation."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
import theorem_names as theorems
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.certificates.make.linear_programs import find_closest_target, find_cover, merge_equal_rows
from littlestone.certificates.make.margins import Rows
from littlestone.certificates.make.winnow import UpdateLog
from littlestone.game.certify import trace_game
from littlestone.learners.shared.winnow_theory import MARGIN, PromotionFacts
from reference import balanced_bound, balanced_logged, winnow_bound, winnow_logged

MAJORITY = ls.Recorded([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]] * 8, [1, 1, 1, 0, 0, 0] * 8)
AND = ls.Recorded([[1, 1, 1], [1, 0, 1], [0, 1, 1]] * 12, [True, False, False] * 12)
CUBE = [list(x) for x in product((0, 1), repeat=4)]
EITHER = ls.Recorded([x for x in CUBE if any(x)] * 3, [bool(x[0] or x[1]) for x in CUBE if any(x)] * 3)


def certified(learner, stream, theorem=None):
    """A certificate that was verified after a round trip through JSON."""
    certificate = ls.certify(learner, stream, theorem)
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert certificate.holds
    assert (report.bound, report.exact, certificate.exact) == (certificate.bound, True, True)
    return certificate


def test_the_example_of_the_lecture_has_the_printed_bound():
    certificate = certified(ls.Winnow(threshold=2), EITHER, "disjunction")
    assert (certificate.updates, certificate.bound) == (3, 2 + 7)
    assert certificate.witness == {"attributes": [0, 1], "numerators": [1, 1], "promoted": 1, "demoted": 0}


def test_a_majority_of_three_has_the_printed_bound():
    certificate = certified(ls.Winnow(promotion=1.25, threshold=10), MAJORITY, "Winnow, margin (")
    assert (certificate.updates, certificate.bound) == (12, 16 + 21)  # 46 + 58 if there were demotions
    assert certificate.witness == {"attributes": [0, 1, 2], "numerators": [1, 1, 1], "promoted": 2, "demoted": 0}


def test_a_level_for_demotions_gives_the_printed_bound_of_a_majority_to_maker_and_checker():
    learner = ls.Winnow(promotion=1.25, threshold=10)
    certificate = ls.certify(learner, MAJORITY, "Winnow, margin (")
    log = UpdateLog.of(trace_game(learner, MAJORITY).as_run())
    facts = PromotionFacts(log.setting, len(log.attributes), log.exponent, 3, 2, 1, 0, log.excess)
    assert MARGIN.value(facts) == 46 + 58
    level = certificate.witness | {"demoted": 1}
    assert ls.verify(replace(certificate, witness=level, bound=46 + 58), MAJORITY)
    with pytest.raises(NotCertified, match="does not give 103 but 104"):
        ls.verify(replace(certificate, witness=level, bound=46 + 57), MAJORITY)


def test_a_promotion_too_large_for_the_margin_has_no_bound_without_slack():
    with pytest.raises(NotCertified, match="no witness fits its 27 updates"):
        ls.certify(ls.Winnow(promotion=3.5, threshold=10), MAJORITY, "Winnow, margin (")
    assert certified(ls.Winnow(promotion=3.5, threshold=10), MAJORITY).theorem == theorems.WINNOW_SLACK


def test_balanced_winnow_on_and_is_certified_with_the_entropy_of_its_witness():
    certificate = certified(ls.BalancedWinnow(factor=1.15, bias=0), AND)
    assert (certificate.updates, certificate.bound) == (22, 69)  # 175 without the entropy of (2, 2, 3) / 7
    assert certificate.theorem == theorems.BALANCED
    assert certificate.witness["margin"] == pytest.approx(1 / 7)


def test_at_factor_2_only_slack_bounds_what_never_ends():
    assert certified(ls.BalancedWinnow(factor=2, bias=0), AND).theorem == theorems.BALANCED_SLACK
    with pytest.raises(NotCertified, match="applies to BalancedWinnow here: with factor 2"):
        ls.certify(ls.BalancedWinnow(factor=2, bias=0), AND, "Winnow (")


def test_a_run_of_unknown_margin_is_certified_phase_by_phase():
    rng = np.random.default_rng(0)
    X = rng.integers(-1, 2, (1500, 20))
    stream = ls.Recorded(X, (X[:, :3].sum(axis=1) > 0) ^ (rng.random(1500) < 0.1))
    player = ls.play(ls.BalancedWinnow(), stream).player
    certificate = certified(ls.BalancedWinnow(), stream)
    assert certificate.witness["caps"] == [30, 120]  # 2 ln(42) 4^j + 1
    assert player.state.phases.tolist() == [30, 120]
    assert certificate.theorem == theorems.BALANCED_PHASES
    assert certificate == ls.certify(player, stream)


def test_a_threshold_left_open_is_written_down():
    assert certified(ls.Winnow(), EITHER).learner["threshold"] == 4.0


def test_what_no_theorem_covers_is_refused_in_words():
    stream = ls.Recorded([[0.5, 1.0]] * 3, [True, False, True])
    with pytest.raises(NotCertified, match="powers of the promotion"):
        ls.certify(ls.Winnow(real=True), stream)
    for odd in (ls.Winnow(floor=0.3), ls.Winnow(promotion=1.0001)):
        with pytest.raises(NotCertified, match="powers of the promotion"):
            ls.certify(odd, EITHER)
    with pytest.raises(NotCertified, match="promotion 2, floor 1/2"):
        ls.certify(ls.Winnow(promotion=4, floor=0.25), EITHER)
    with pytest.raises(NotCertified, match="no witness fits"):
        ls.certify(ls.Winnow(floor=0.5, threshold=4), ls.Recorded([[0, 0]], [True]))


def test_an_empty_stream_is_certified():
    empty = ls.Recorded(np.zeros((0, 2)), [])
    assert certified(ls.Winnow(), empty).bound == 0
    assert certified(ls.BalancedWinnow(), empty).bound == 0


WINNOWS = [
    ls.Winnow(threshold=4),
    ls.Winnow(threshold=2, strict_gt=True),
    ls.Winnow(promotion=1.5, threshold=3, margin=1),
    ls.Winnow(promotion=1.1, threshold=5),
    ls.Winnow(threshold=4, eliminate=True),
    ls.Winnow(threshold=4, floor=0.5),
]
games = st.integers(1, 5).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(st.integers(0, 1), min_size=n, max_size=n), st.booleans()), min_size=1, max_size=40
    )
)


def winnow_facts(certificate, rounds):
    options = {
        name: certificate.learner[name] for name in ("promotion", "threshold", "margin", "eliminate", "strict_gt")
    }
    updated, mistakes = winnow_logged(rounds, **options, floor=certificate.learner["floor"])
    short = {
        theorems.WINNOW_OR: "disjunction",
        theorems.WINNOW_MARGIN: "margin",
        theorems.WINNOW_SLACK: "slack",
        theorems.WINNOW_ELIMINATION: "elimination",
        theorems.WINNOW_DRIFT: "drift",
    }
    printed = winnow_bound(short[certificate.theorem], [rounds[t] for t in updated], certificate.witness, **options)
    return updated, mistakes, printed


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(WINNOWS), games)
def test_every_certificate_of_winnow_is_the_printed_theorem_and_verifies(learner, rounds):
    stream = ls.Recorded([x for x, _ in rounds], [y for _, y in rounds])
    if learner.floor and any(y and not any(x) for x, y in rounds):
        with pytest.raises(NotCertified):
            ls.certify(learner, stream)
        return
    certificate = certified(learner, stream)
    updated, mistakes, printed = winnow_facts(certificate, rounds)
    assert (list(certificate.updated), certificate.mistakes) == (updated, mistakes)
    assert certificate.bound == printed


BALANCED = [
    ls.BalancedWinnow(factor=2),
    ls.BalancedWinnow(factor=1.5, bias=0),
    ls.BalancedWinnow(margin=0.25),
    ls.BalancedWinnow(),
    ls.BalancedWinnow(bias=0),
]
signed = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(st.integers(-1, 1), min_size=n, max_size=n), st.booleans()), min_size=1, max_size=60
    )
)


def base(learner, phase):
    margin = 2.0**-phase if learner["margin"] is None else learner["margin"]
    return learner["factor"] or ((1 + margin) / (1 - margin)) ** 0.5


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BALANCED), signed)
def test_every_certificate_of_balanced_winnow_is_the_printed_theorem_and_verifies(learner, rounds):
    stream = ls.Recorded([x for x, _ in rounds], [y for _, y in rounds])
    certificate = certified(learner, stream)
    known, bias = certificate.learner, learner.bias
    fixed = None if learner.factor is None and learner.margin is None else base(known, 1)
    updated, phases, mistakes, last = balanced_logged(rounds, fixed, bias)
    assert (list(certificate.updated), certificate.mistakes) == (updated, mistakes)
    assert len(certificate.witness["caps"]) == last - 1
    rows = [rounds[t] for t, phase in zip(updated, phases, strict=True) if phase == last]
    printed = balanced_bound(rows, certificate.witness, base(known, last), bias) if rows else 0
    assert certificate.bound - sum(certificate.witness["caps"]) == floor(printed)
    for j, cap in enumerate(certificate.witness["caps"], start=1):
        assert phases.count(j) <= cap


@pytest.mark.parametrize("eliminate", [False, True])
def test_no_game_of_three_attributes_exceeds_its_certificate_and_an_empty_or_attains_it(eliminate):
    ratio = Fraction(0)
    for target in product((0, 1), repeat=3):
        for order in ([7, 6, 5, 3, 4, 2, 1], [1, 2, 4, 3, 5, 6, 7], [7] * 3 + [1, 2, 4] * 3):
            X = [[n & 1, n >> 1 & 1, n >> 2 & 1] for n in order * 3]
            y = [any(a and b for a, b in zip(x, target, strict=True)) for x in X]
            certificate = certified(ls.Winnow(threshold=3, eliminate=eliminate), ls.Recorded(X, y))
            ratio = max(ratio, Fraction(certificate.updates, certificate.bound))
    assert ratio == 1


def test_a_drift_is_certified_by_a_schedule_of_few_additions():
    rng = np.random.default_rng(3)
    X = (rng.random((900, 12)) < 0.2).astype(int)
    X[:, 0] |= ~X.any(axis=1)
    y = np.concatenate([X[300 * k : 300 * k + 300, [3 * k, 3 * k + 1]].any(axis=1) for k in range(3)])
    certificate = certified(ls.Winnow(floor=0.5), ls.Recorded(X, y))
    schedule = certificate.witness["schedule"]
    assert 2 <= len(schedule) <= 4
    assert certificate.theorem == theorems.WINNOW_DRIFT
    assert certificate.bound <= 5 * sum(len(names) for _, names in schedule) * 5 + 1


@pytest.mark.parametrize(
    ("promotion", "strict", "labels"),
    [(1.2, False, [1, 1, 1, 0, 1, 1]), (1.2, False, [1, 1, 0, 1, 1]), (1.1, True, [1, 1, 1, 1, 0, 1])],
)
def test_rounding_that_decides_a_round_is_reported_and_paid_for(promotion, strict, labels):
    learner = ls.Winnow(promotion=promotion, threshold=promotion**2, strict_gt=strict)
    stream = ls.Recorded([[1]] * len(labels), labels)
    certificate = ls.certify(learner, stream)
    report = ls.verify(certificate, stream)
    weight, differing, extra = Fraction(1), [], Fraction(0)
    b, theta = Fraction(promotion), Fraction(promotion**2)
    for t, y in enumerate(labels):  # the exact weight as the listed updates leave it
        teaches = (
            (weight <= theta if strict else weight < theta) if y else (weight > theta if strict else weight >= theta)
        )
        differing += [t] * (teaches != (t in certificate.updated))
        if t in certificate.updated:
            extra += 0 if teaches else abs(weight - theta) * (b - 1 if y else 1 - 1 / b)
            weight = weight * b if y else weight / b
    assert report.differing == tuple(differing) != ()
    log = UpdateLog.of(trace_game(learner, stream).as_run())
    assert (log.excess, log.highest > 0) == (extra, strict)


def test_programs_find_what_is_known_by_heart():
    up, down = Rows.of([[1, 1, 0], [0, 1, 1]]), Rows.of([[1.0, 0, 0]])
    assert find_cover(up, down).tolist() == [False, True, False]
    assert find_cover(up, down, (2,)).tolist() == [False, True, True]
    assert find_cover(Rows.of([[1.0, 0, 0]]), down) is None
    assert find_closest_target(Rows.of([[1.0, 0], [0, 1.0]]), 0.5) == pytest.approx([0.5, 0.5])
    twice = merge_equal_rows(Rows.of([[1.0, 2], [3, 0], [1, 2]]))
    assert (twice.copies.tolist(), twice.values.tolist()) == ([2, 1], [1, 2, 3])
