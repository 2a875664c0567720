"""What a league serves, against its rule in fractions, the gold cases, and games that attack its theorems."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import littlestone as ls
import reference
from littlestone.game.league.books import CHANCE, MET, Books, Layout, RoundBench, Rules, Told
from littlestone.game.league.league import RATES
from littlestone.game.league.mixture import play

GOLD = [(0.5, 0.75), (0.25, 0.75), (0.75, 0.25), (0.75, 0.25)]
TURN = [(0.75, 0.25)] * 3 + [(0.25, 0.75)] * 3
DYADIC = 2.0**20


def run_panel(panel, rates=(), still=False, joined=None, powers=None):
    """Play experts whose chances for the outcome, class 1, are given; NaN sleeps. The books and what was told."""
    panel = np.array(panel, float)
    rounds, experts = panel.shape
    joined = [0] * experts if joined is None else joined
    cuts = sorted({0, rounds, *joined})
    books = Books.start(np.zeros(0, np.int64), 1 + len(rates), 2)
    books.counts[MET] = 2
    parts = []
    for first, end in pairwise(cuts):
        books = books.admit(np.full(joined.count(first), CHANCE)) if first in joined else books
        here = [e for e in range(experts) if joined[e] <= first]
        said = np.empty((2 * len(here), end - first))
        said[1::2] = panel[first:end, here].T
        said[::2] = 1 - said[1::2]
        layout, told = Layout.of(np.full(len(here), CHANCE), 2), Told.of(end - first, books, 1, True)
        importance = np.zeros(0) if powers is None else np.array(powers[first:end], float)
        rules = Rules(np.array([0.0, *rates]), still, 1.0, 0)
        labels, sizes = np.ones(end - first, np.int32), np.zeros(len(here))
        play(books, RoundBench.of(books), layout, said, labels, importance, rules, told, sizes)
        parts.append(told)
    return books, np.concatenate([told.chances for told in parts]), np.concatenate([told.level for told in parts])


def draw_panel(rng, rounds, experts, sleepers=False):
    """Chances of the sort that hurts: experts good in turns, in multiples of 2^-20."""
    turns, good = rng.integers(0, experts, rounds // 8 + 1), rng.uniform(0.6, 0.98, experts)
    panel = rng.uniform(0.02, 0.5, (rounds, experts))
    for t in range(rounds):
        panel[t, turns[t // 8]] = good[turns[t // 8]]
    panel = np.round(panel * DYADIC) / DYADIC
    if sleepers:
        asleep = rng.random((rounds, experts)) < 0.3
        asleep[np.arange(rounds), rng.integers(0, experts, rounds)] = False
        panel[asleep] = np.nan
    return panel


def to_fractions(panel):
    return [[None if math.isnan(p) else Fraction(p) for p in row] for row in panel.tolist()]


def test_gold_one_level():
    books, served, _ = run_panel(GOLD)
    assert served == pytest.approx([5 / 8, 21 / 40, 17 / 42, 287 / 544], rel=1e-15)
    assert books.weights[0] == pytest.approx([453 / 574, 121 / 574], rel=1e-15)
    assert -np.log(served).sum() == pytest.approx(2.6582840, abs=5e-8)
    run = reference.league_mixture(to_fractions(np.array(GOLD)))
    assert run.served == [Fraction(5, 8), Fraction(21, 40), Fraction(17, 42), Fraction(287, 544)]
    assert list(run.weights[0].values()) == [Fraction(453, 574), Fraction(121, 574)]


def test_gold_static_and_turn():
    books, served, _ = run_panel(GOLD, still=True)
    assert served == pytest.approx([5 / 8, 11 / 20, 15 / 44, 9 / 20], rel=1e-15)
    assert books.weights[0] == pytest.approx([2 / 3, 1 / 3], rel=1e-15)
    assert run_panel(TURN)[1] == pytest.approx([1 / 2, 9 / 16, 11 / 18, 125 / 352, 597 / 1250, 1877 / 3184], rel=1e-15)
    assert run_panel(TURN, still=True)[1] == pytest.approx([1 / 2, 5 / 8, 7 / 10, 15 / 56, 3 / 10, 3 / 8], rel=1e-15)


@pytest.mark.parametrize("rates", [(), RATES])
@pytest.mark.parametrize("sleepers", [False, True])
def test_serves_what_fractions_do(rates, sleepers):
    panel = draw_panel(np.random.default_rng(5), 24, 4, sleepers)
    joined = [0, 0, 9, 17] if sleepers else None
    if sleepers:
        panel[:, 0] = np.where(np.isnan(panel[:, 0]), 0.25, panel[:, 0])
    books, served, level = run_panel(panel, rates, joined=joined)
    run = reference.league_mixture(to_fractions(panel), rates, joined)
    assert served == pytest.approx([float(p) for p in run.served], rel=1e-12)
    assert level == pytest.approx([float(p) for p in run.level], rel=1e-12)
    for k, row in enumerate(run.weights):
        assert books.weights[k] == pytest.approx([float(row[e]) for e in range(4)], rel=1e-11)
    assert books.levels == pytest.approx([float(part) for part in run.levels], rel=1e-11)


def find_worst_ratio(panel, served, level, rates, joined=None):
    """The largest share of what the theorem allows that any expert uses on any interval."""
    rounds, experts = panel.shape
    loss, worst = -np.log(served), 0.0
    for e in range(experts):
        first = 0 if joined is None else joined[e]
        awake = ~np.isnan(panel[:, e])
        theirs = np.where(awake, -np.log(np.where(awake, panel[:, e], 1.0)), -np.log(level))
        gap = loss - theirs
        if not rates:
            gap = np.where(awake, gap, 0.0)
        sums = np.concatenate([[0.0], np.cumsum(gap)])
        for q in range(first + 1, rounds + 1):
            regret = sums[q] - sums[first:q].min()
            allowed = math.log(experts) + (math.log(1 + len(rates)) + 2 * math.log(q) if rates else math.log(q))
            worst = max(worst, regret / allowed)
    return worst


def attack(games, rounds, seed=0):
    """The worst ratio over games with experts that take turns, one and two levels, sleepers and newcomers."""
    rng, worst = np.random.default_rng(seed), [0.0, 0.0]
    for game in range(games):
        experts, sleepers = int(rng.integers(2, 6)), bool(game % 2)
        panel = draw_panel(rng, rounds, experts, sleepers)
        joined = sorted([0, *rng.integers(0, rounds // 2, experts - 1).tolist()]) if game % 3 == 2 else None
        if joined:
            panel[:, 0] = np.where(np.isnan(panel[:, 0]), 0.25, panel[:, 0])
        if game % 5 == 4:  # one expert is sure, then another
            panel[:] = 1e-6
            panel[rounds // 2 :, 0], panel[: rounds // 2, 1:] = 1 - 2.0**-19, 1 - 2.0**-19
        for number, rates in enumerate(((), RATES)):
            _, served, level = run_panel(panel, rates, joined=joined)
            worst[number] = max(worst[number], find_worst_ratio(panel, served, level, rates, joined))
    return worst


def test_no_interval_exceeds_the_theorem():
    one, two = attack(60, 48)
    assert 0.7 < one <= 1 + 1e-9
    assert 0.3 < two <= 1


@pytest.mark.long
def test_no_interval_exceeds_the_theorem_in_many_games():
    one, two = attack(1500, 64, seed=1)
    assert 0.7 < one <= 1 + 1e-9
    assert 0.3 < two <= 1


def test_importance_obeys_the_theorem_times_the_largest():
    rng, worst = np.random.default_rng(3), 0.0
    for _ in range(40):
        panel, powers = draw_panel(rng, 40, 3), rng.choice([0.0, 0.25, 1.0], 40)
        _, served, _ = run_panel(panel, powers=powers)
        gap = powers[:, None] * (np.log(panel) - np.log(served)[:, None])
        worst = max(worst, gap.sum(axis=0).max() / (math.log(3) + math.log(40)))
    assert 0 < worst <= 1


def test_static_bayes_is_the_mixture_of_likelihoods_exactly():
    panel = draw_panel(np.random.default_rng(8), 30, 5)
    served = run_panel(panel, still=True)[1]
    assert np.log(served).sum() == pytest.approx(np.log(np.exp(np.log(panel).sum(axis=0)).mean()), rel=1e-12)


def test_readings_of_a_score_are_those_of_the_twin():
    rng = np.random.default_rng(2)
    scores, labels = rng.normal(size=60) * 10.0 ** rng.integers(-3, 4, 60), rng.integers(0, 2, 60)
    scores[[0, 7]] = 0.0
    league = ls.League([ls.LeagueMember("score", says="score")], classes=(0, 1))
    rows = reference.league_slopes(scores.tolist(), labels.tolist())
    for s, y, row in zip(scores.tolist(), labels.tolist(), rows, strict=True):
        before = league.books.losses
        league.update({"score": s}, y)
        given = np.exp(before - league.books.losses)
        assert given == pytest.approx([p if y else 1 - p for p in row], rel=1e-9)
