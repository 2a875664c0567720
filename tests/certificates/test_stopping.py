import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coverage_of import keeps
from littlestone import Stopping
from littlestone.base.errors import BadParameter
from littlestone.certificates.stopping import clean_runs
from reference import clean_run

SHARES = {
    "geometric": lambda i, M: 0.5**i,
    "uniform": lambda i, M: 1 / M,
    "harmonic": lambda i, M: 1 / (i * (i + 1)),
}


def fed(stopping, flags, cuts):
    """Feed rounds in pieces; how many were used in all."""
    used = 0
    for piece in np.split(np.array(flags, bool), cuts):
        used += stopping.feed(piece)
    return used


def test_the_numbers_of_the_lecture():
    """M = 10, error 0.1, doubt 0.05; and a clean run of 1000 after at most 500 mistakes."""
    geometric = Stopping(0.1, 0.95, 10, "geometric")
    assert geometric.most == geometric.lengths(1, 10).sum() == 685
    assert geometric.lengths(1, 11).sum() == 792
    assert Stopping(0.1, 0.95, 10).most == 530
    assert clean_runs(1000, mistakes=500) == 501_000


@given(
    flags=st.lists(st.sampled_from([False] * 9 + [True]), max_size=300),
    cuts=st.lists(st.integers(0, 300), max_size=4),
    error=st.sampled_from([0.5, 0.2, 0.1, 0.03]),
    confidence=st.sampled_from([0.5, 0.9, 0.99]),
    schedule=st.sampled_from(["geometric", "uniform", "harmonic"]),
    most=st.integers(1, 40),
)
def test_it_stops_where_its_plain_twin_stops_however_the_rounds_are_cut(flags, cuts, error, confidence, schedule, most):
    known = schedule == "uniform"
    stopping = Stopping(error, confidence, most if known else None, schedule)
    shares = [SHARES[schedule](i, most) for i in range(1, (most if known else 400) + 1)]
    expected = clean_run(flags, error, 1 - confidence, shares)
    used = fed(stopping, flags, sorted(c for c in cuts if c <= len(flags)))
    assert (used, stopping.stage) == expected if expected else used == len(flags)
    assert stopping.done == (expected is not None)
    assert stopping.examples == used
    assert not expected or stopping.certified <= Fraction(error) * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize("schedule", ["geometric", "uniform", "harmonic"])
@pytest.mark.parametrize("before", [[], [True], [False, True, True]])
@pytest.mark.parametrize("after", [[], [True], [False, True]])
def test_a_run_of_exactly_the_length_asked_for_is_enough_whatever_follows(schedule, before, after):
    stopping = Stopping(0.1, 0.9, 50, schedule)
    stage = 1 + sum(before)
    run = int(stopping.lengths(stage, stage)[0])
    assert stopping.feed([*before, *[False] * run, *after]) == len(before) + run
    assert stopping.done
    assert (stopping.stage, stopping.run) == (stage, run)
    other = Stopping(0.1, 0.9, 50, schedule)
    assert other.feed([*before, *[False] * (run - 1), True]) == len(before) + run
    assert not other.done


@given(st.lists(st.booleans(), max_size=400), st.sampled_from(["geometric", "uniform", "harmonic", "vote"]))
def test_rounds_that_end_no_later_than_needed_never_finish_it_in_between(flags, schedule):
    stopping = Stopping(0.3, 0.9, 1000, schedule)
    played = 0
    while played < len(flags) and not stopping.done:
        piece = flags[played : played + stopping.needed]
        assert stopping.feed(piece) == len(piece)
        played += len(piece)
    assert stopping.examples == played


def test_a_known_bound_is_never_exceeded_and_the_last_hypothesis_goes_out_untested():
    for schedule in ("geometric", "uniform"):
        stopping = Stopping(0.1, 0.95, 3, schedule)
        lengths = stopping.lengths(1, 3)
        worst = [t for m in lengths for t in [False] * (m - 1) + [True]]
        assert stopping.feed([*worst, False, False]) == len(worst) == stopping.most
        assert stopping.done
        assert (stopping.stage, stopping.certified) == (4, 0)
    harmonic = Stopping(0.1, 0.95, 3, "harmonic")
    worst = [t for m in harmonic.lengths(1, 3) for t in [False] * (m - 1) + [True]]
    assert harmonic.feed(worst + [False] * 500) == harmonic.most
    assert Stopping(0.1, 0.95, 0).done


def test_the_vote_is_linear_in_the_mistakes():
    stopping = Stopping(0.05, 0.99, 100, "vote")
    assert stopping.most == math.ceil(2 * (100 + math.log(100)) / (1 - math.exp(-1)) / 0.05) == 6620
    assert stopping.feed([True] * 100 + [False] * 10_000) == 6620
    assert stopping.certified <= 0.05 < Stopping(0.05, 0.99, 100).certified
    assert Stopping(0.05, 0.99, 100).most == 100 * math.ceil(math.log(100 / 0.01) / 0.05) == 18_500


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.lists(st.integers(0, 200), max_size=3))
def test_the_vote_stops_at_the_first_round_where_the_theorem_allows_it(flags, cuts):
    stopping = Stopping(0.4, 0.5, schedule="vote")
    bound = [2 * (sum(flags[:m]) + math.log(2)) / ((1 - math.exp(-1)) * m) <= 0.4 for m in range(1, len(flags) + 1)]
    used = fed(stopping, flags, sorted(c for c in cuts if c <= len(flags)))
    assert used == (bound.index(True) + 1 if any(bound) else len(flags))


def test_a_stream_that_ends_first_leaves_what_is_certified():
    stopping = Stopping(0.01, 0.99)
    assert stopping.certified == 1
    stopping.feed([True, *[False] * 100])
    assert stopping.certified == pytest.approx(1 - (0.01 / 6) ** (1 / 100))
    assert str(stopping) == (
        "not certified for 1 %: the 101 examples ended first; "
        "if the rounds were drawn independently from one source, then with 99 % confidence the last hypothesis errs on "
        "at most 6.2 % of new rounds from it"
    )
    stopping.feed([False] * 10_000)
    assert str(stopping).startswith("certified after 641 examples and 1 changes: if the rounds were drawn")
    certificate = stopping.certificate()
    assert certificate.scope == "iid"
    assert certificate.holds
    assert type(certificate).from_json(certificate.to_json()) == certificate


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0.9), "error must be between 0 and 1, got 0"),
        ((1.5, 0.9), "got 1.5"),
        ((0.1, 1), "confidence must be between 0 and 1, got 1"),
        ((0.1, 0.9, -1), "at least 0, got -1"),
        ((0.1, 0.9, None, "uniform"), "needs to know mistakes"),
        ((0.1, 0.9, None, "weekly"), "got 'weekly'"),
    ],
)
def test_impossible_wishes_are_refused(arguments, message):
    with pytest.raises(BadParameter, match=message):
        Stopping(*arguments)


@pytest.mark.parametrize("schedule", ["geometric", "harmonic", "vote"])
def test_bad_hypotheses_for_ever_are_certified_no_more_often_than_promised(schedule):
    """Every hypothesis errs with probability just above what is allowed: the hardest source, 3,000 times."""
    rng, trials, error, doubt = np.random.default_rng(11), 3000, 0.2, 0.1
    wrong = error * 1.001 / (2 if schedule == "vote" else 1)  # a vote errs at most twice as often as its voters
    failures = 0
    for _ in range(trials):
        stopping = Stopping(error, 1 - doubt, schedule=schedule)
        stopping.feed(rng.random(4000) < wrong)
        failures += stopping.done
    assert keeps(failures, trials, doubt)
    assert failures > 0  # the schedules are not so slow that nothing could ever fail


def test_what_is_certified_on_the_way_is_true_at_every_moment_at_once():
    """Hypotheses whose risks are drawn anew at each change; the claim is looked at after every round."""
    rng, trials, failures = np.random.default_rng(5), 600, 0
    for _ in range(trials):
        stopping, true, failed = Stopping(0.001, 0.8), rng.random() / 2, False
        for _ in range(60):
            changed = rng.random() < true
            stopping.feed([changed])
            true = rng.random() / 2 if changed else true
            failed |= true > stopping.certified
        failures += failed
    assert keeps(failures, trials, 0.2)
    assert failures > trials / 100


@pytest.mark.parametrize("schedule", ["geometric", "uniform", "harmonic", "vote"])
@pytest.mark.parametrize("error", [1e-17, 1e-19, 1e-300, 5e-324])
def test_errors_too_small_for_any_stream_are_never_certified(schedule, error):
    stopping = Stopping(error, 0.99, 3, schedule)
    assert stopping.feed(np.zeros(1000, bool)) == 1000
    assert stopping.feed(np.arange(1000) == 10) == 1000
    assert not stopping.done
    assert stopping.examples == 2000
    assert stopping.certified > Fraction(1, 1000)
    assert stopping.needed >= 2**62 - 2000 or error == 1e-17
    assert stopping.most >= 1 / Fraction(error)
    assert "not certified" in str(stopping)


@pytest.mark.parametrize("schedule", ["geometric", "uniform", "harmonic"])
def test_the_most_examples_of_very_many_stages_are_found_without_adding_them_one_by_one(schedule):
    few, many = Stopping(0.1, 0.95, 10**6 - 1, schedule), Stopping(0.1, 0.95, 10**6 + 1, schedule)
    assert few.most < many.most <= few.most * 1.00001 + 10**6 + 10**9
    assert Stopping(0.1, 0.95, 10**30, schedule).most > 10**30
