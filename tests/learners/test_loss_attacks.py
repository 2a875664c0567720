"""Attacks on the theorems about losses: labels chosen against the learner, and comparators of all kinds.

LITTLESTONE_GAMES says how many games of each kind the long tests play; `-s` shows how near they came.
"""

import math
import os
from dataclasses import fields, replace

import numpy as np
import pytest

from littlestone.base.chunks import Examples, Row
from littlestone.base.learner import Size, describe
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.mixtures import replay_mixture
from littlestone.certificates.check.float_runs.regressions import replay_numbers
from littlestone.certificates.check.losses import claim_losses, list_members, read_softmax
from littlestone.certificates.check.regression import claim_numbers
from littlestone.certificates.make.losses import describe_fully
from littlestone.certificates.make.regression import list_choices
from littlestone.learners import AdaGrad, Aioli, Coin, CoinRegression, Logistic, Ridge
from long_cases import leave_most_to_test_all

ROUNDING = 1e-5  # of the loss that float32 numbers in a state may take from a theorem
MANY = int(os.environ.get("LITTLESTONE_GAMES", "4000"))
GAMES = [150, pytest.param(MANY, marks=pytest.mark.long)]


def draw_rows(rng):
    """Up to 60 rows of up to four attributes in units from a millionth to a million, with repeats and zeros."""
    rounds, attributes = int(rng.integers(1, 61)), int(rng.integers(1, 5))
    X = rng.normal(size=(rounds, attributes)) * 10.0 ** rng.integers(-6, 7, attributes)
    if rng.random() < 0.5:
        X = np.sign(X) * 10.0 ** rng.integers(-6, 7, attributes)
    if rng.random() < 0.3:
        X *= 10.0 ** np.sort(rng.uniform(0, 3, (rounds, 1)), axis=0)  # sizes grow
    if rng.random() < 0.3:
        X = X[rng.integers(0, min(3, rounds), rounds)]
    X[rng.random(X.shape) < rng.choice([0, 0.4])] = 0
    return X


def play_against(learner, X, rng):
    """Labels of one of four adversaries; the greedy one hears the chance and takes the label that costs more."""
    kind, state, labels = int(rng.integers(4)), learner.start(Size(X.shape[1], 2)), []
    truth = (X / np.maximum(np.abs(X).max(axis=0), 1e-300)) @ rng.normal(size=X.shape[1])
    for t, x in enumerate(X):
        row = Row(None, x)
        while learner.full(state, row):
            state = learner.grow(state, Size(X.shape[1], 2))
        if kind == 0:
            label = int(learner.probability(state, row) < 0.5)
        else:
            label = int((rng.random() < 0.5, (truth[t] > 0) != (rng.random() < 0.1), t % 7 < 3)[kind - 1])
        learner.round(state, row, label)
        labels.append(label)
    return state, np.array(labels)


def replay_game(learner, X, labels):
    rows, columns = np.nonzero(X)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
    chunk = ArrangedChunk(0, indptr, columns, X[rows, columns], labels.astype(np.int64))
    return replay_mixture(describe_fully(learner), [chunk], 0), chunk


def draw_comparators(run, member, rng):
    """None at all, that of the linear form of AdaGrad's theorem, and some at random; in units of the sizes."""
    rows = len(run.units.sizes)
    u = [np.zeros(rows)]
    if member.kind in ("AdaGrad", "Coin", "a priori"):
        r = np.sqrt(run.units.squares[0, :, member.place].astype(float) + 1)
        u.append(run.units.sums[0, :, member.place] / r)
    else:
        u.append(np.pad(run.units.centres[0, member.number], (0, rows))[:rows])
    u += [rng.normal(size=rows) * 10.0 ** rng.uniform(-1, 1) for _ in range(2)]
    met = np.arange(rows) < run.units.counts[2]
    met[0] &= run.settings.constant
    return [np.rint(np.where(met, part, 0) * 2**20).astype(np.int64)[None] for part in u]


def draw_learner(rng, kind):
    rate, wealth, kappa = 2.0 ** rng.uniform(-5, 5), 10.0 ** rng.uniform(-1, 1), rng.uniform(0.03, 1)
    ridge, guard, bias = 10.0 ** rng.uniform(-3, 1), bool(rng.random() < 0.5), float(rng.random() < 0.5)
    precision = int(rng.choice([32, 64]))
    if kind == "AdaGrad":
        return AdaGrad(rate, guard, bias, precision)
    if kind == "Coin":
        return Coin(wealth, guard, bias, precision)
    if kind == "Aioli":
        return Aioli(kappa, ridge, guard, bias)
    share, limit = bool(rng.random() < 0.7), int(rng.choice([0, 2, 128]))
    return Logistic((rate, 1.0), (wealth,), (kappa,), ridge, limit, share, guard, bias, precision)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("kind", leave_most_to_test_all(["Logistic", "AdaGrad", "Aioli", "Coin"], 2))
def test_no_game_exceeds_a_bound_for_any_comparator_through_any_member(kind, games):
    rng, nearest = np.random.default_rng(0), 0.0
    for _ in range(games):
        learner, X = draw_learner(rng, kind), draw_rows(rng)
        state, labels = play_against(learner, X, rng)
        run, chunk = replay_game(learner, X, labels)
        assert run.made == state.losses[0].sum()
        for member in list_members(run).values():
            for u in draw_comparators(run, member, rng):
                claim = claim_losses(run, [chunk], u, [member])
                assert run.made <= claim.bound * (1 + ROUNDING)
                nearest = max(nearest, run.made / claim.bound)
                assert int(run.wrong.sum()) <= claim.most_mistakes
        assert run.expected <= run.made
    print(f"{kind}: {games:,} games, made / bound up to {nearest:.7f}")
    assert nearest > 0.9  # the attack comes near


def play_classes_against(learner, X, weights, rng):
    """Labels of up to four classes, the later ones late; the greedy adversary takes the class that costs most."""
    kind, state, labels, many = int(rng.integers(3)), learner.start(Size(X.shape[1], 2)), [], 2
    truth = (X / np.maximum(np.abs(X).max(axis=0), 1e-300)) @ rng.normal(size=(X.shape[1], 4))
    for t, x in enumerate(X):
        row = Row(None, x)
        late = many < 4 and rng.random() < 0.05
        if kind == 0 and t > 0:
            chances = np.atleast_1d(learner.probability(state, row))
            label = int(np.argmin(np.append(1 - chances, chances) if chances.size == 1 else chances))
        else:
            label = int((rng.integers(many), np.argmax(truth[t, :many]))[kind % 2])
        label, many = (many, many + 1) if late else (label, many)
        size = Size(X.shape[1], max(2, many))
        state = learner.grow(state, size)
        chunk = replace(Examples.row(row, label), importance=weights[t : t + 1])
        while learner.full(state, row):
            state = learner.grow(state, size)
        learner.replay(state, chunk, np.zeros(1, np.int32))
        labels.append(label)
    return state, np.array(labels)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("form", leave_most_to_test_all(["both", "units", "softmax"], 3))
@pytest.mark.parametrize("weighed", [False, True])
def test_no_game_of_late_classes_and_weights_exceeds_a_bound(form, weighed, games):
    rng, nearest = np.random.default_rng(4), 0.0
    for _ in range(games // 10):
        X, plain = draw_rows(rng), draw_learner(rng, "Logistic")
        learner = Logistic(*(getattr(plain, part.name) for part in fields(plain)[:-1]), classes=form)
        weights = rng.choice([0.0, 0.2, 1.0, 1.5, 3.0], len(X)) if weighed else np.ones(len(X))
        state, labels = play_classes_against(learner, X, weights, rng)
        rows, columns = np.nonzero(X)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
        chunk = WeighedChunk(0, indptr, columns, X[rows, columns], labels.astype(np.int64), weights)
        run = replay_mixture(describe_fully(learner), [chunk], 0)
        assert run.made == state.losses[0].sum()
        assert run.expected <= run.made
        for softmax in {"units": [False], "softmax": [True], "both": [False, True]}[form]:
            part = read_softmax(run) if softmax else run
            many = len(run.starts)
            met = np.arange(len(run.units.sizes)) < run.units.counts[2]
            met[0] &= run.settings.constant
            for member in list_members(part).values():
                r = np.sqrt(part.units.squares[:, :, min(member.place, 2)].astype(float) + 1)
                for u in (np.zeros(r.shape), part.units.sums[:, :, min(member.place, 2)] / r, rng.normal(size=r.shape)):
                    whole = np.rint(np.where(met, u, 0) * 2**20).astype(np.int64)
                    claim = claim_losses(run, [chunk], whole, [member] * many, softmax)
                    assert run.made <= claim.bound * (1 + ROUNDING)
                    nearest = max(nearest, run.made / claim.bound)
                    assert int(run.wrong.sum()) <= claim.most_mistakes
    print(f"{form}: {games // 10:,} games, made / bound up to {nearest:.7f}")
    assert nearest > 0.5


@pytest.mark.parametrize("games", GAMES)
def test_a_coin_keeps_the_wealth_that_its_theorem_promises(games):
    rng = np.random.default_rng(1)
    for _ in range(games):
        learner = Coin(10.0 ** rng.uniform(-1, 1), guard=False, bias=0, precision=64)
        X = draw_rows(rng)
        run, _ = replay_game(learner, X, play_against(learner, X, rng)[1])
        for i in np.flatnonzero(run.units.places):
            row = run.units.places[i]
            r = math.sqrt(run.units.squares[0, row, 0] + 1)
            theta, charge = abs(run.units.sums[0, row, 0]) / r, run.units.bets[0, row, 0]
            gain = theta**2 / 2 if theta <= 1 else theta - 0.5
            assert run.units.wealths[0, row, 0] >= learner.wealth * math.exp((gain - charge) / 2) * (1 - 1e-9)
            sizes = np.abs(X[X[:, i] != 0, i])
            assert charge <= 2 * math.log2(r * sizes.max() / sizes[0]) + 1e-9


@pytest.mark.parametrize("games", GAMES)
def test_what_aioli_is_charged_is_at_most_the_logarithms(games):
    rng = np.random.default_rng(2)
    for _ in range(games):
        learner, X = draw_learner(rng, "Aioli"), draw_rows(rng)
        state, _ = play_against(learner, X, rng)
        charge, logarithms = state.spent[0]
        assert charge <= logarithms * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("games", GAMES)
def test_a_mixture_loses_little_more_than_each_of_its_members(games):
    rng = np.random.default_rng(3)
    members = {"rates": (0.5, 8.0), "wealths": (1.0,), "kappas": (0.5,)}
    for _ in range(games):
        X, share = draw_rows(rng), bool(rng.random() < 0.5)
        mixture = Logistic(**members, share=share, precision=64)
        state, labels = play_against(mixture, X, rng)
        price = math.log(4) + (math.log(len(X)) if share else 0)
        for alone in (AdaGrad(0.5, precision=64), AdaGrad(8.0, precision=64), Coin(precision=64), Aioli(0.5)):
            run, _ = replay_game(alone, X, labels)
            assert state.losses[0].sum() <= run.made + price + 1e-9


def draw_regressor(rng, kind):
    guard, bias = bool(rng.random() < 0.5), float(rng.random() < 0.5)
    if kind == "Ridge":
        return Ridge(10.0 ** rng.uniform(-3, 1), bias, guard)
    return CoinRegression(kind, rng.uniform(0.05, 0.95), rng.uniform(0.01, 1), 10.0 ** rng.uniform(-1, 1), bias, guard)


def predict_against(learner, X, rng):
    """Labels in some units of one of four adversaries; the greedy one hears the prediction and goes the other way."""
    kind, state, labels = int(rng.integers(4)), learner.start(Size(X.shape[1])), []
    unit, far = 10.0 ** rng.integers(-6, 7), rng.choice([0.0, 10.0])
    truth = (X / np.maximum(np.abs(X).max(axis=0), 1e-300)) @ rng.normal(size=X.shape[1])
    for t, x in enumerate(X):
        row = Row(None, x)
        while learner.full(state, row):
            state = learner.grow(state, Size(X.shape[1]))
        if kind == 0:
            y = far - math.copysign(1.0, learner.predict(state, row) / unit - far)
        else:
            y = far + (rng.normal(), truth[t] + 0.1 * rng.normal(), float(t % 7 < 3))[kind - 1]
        learner.round(state, row, y * unit)
        labels.append(y * unit)
    return state, np.array(labels)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("kind", leave_most_to_test_all(["Ridge", "pinball", "absolute", "huber"], 2))
def test_no_prediction_of_numbers_exceeds_a_bound_for_any_comparator(kind, games):
    rng, nearest = np.random.default_rng(4), 0.0
    for _ in range(games):
        learner, X = draw_regressor(rng, kind), draw_rows(rng)
        state, labels = predict_against(learner, X, rng)
        rows, columns = np.nonzero(X)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
        chunk = WeighedChunk.of(ArrangedChunk(0, indptr, columns, X[rows, columns], labels))
        run = replay_numbers(describe(learner), lambda chunk=chunk: [chunk])
        assert run.made == learner.expected(state)
        met = np.arange(len(run.units.sizes)) < run.units.counts[2]
        met[0] &= run.settings.constant
        choices = [choice[0] for choice in list_choices(run, chunk)]
        choices += [np.rint(rng.normal(size=len(met)) * 10.0 ** rng.uniform(-1, 1) * 2**40) for _ in range(2)]
        for u in choices:
            claim = claim_numbers(run, lambda chunk=chunk: [chunk], np.where(met, u, 0).astype(np.int64), 1.0, 1.0)
            assert run.made <= claim.bound * (1 + 1e-9)
            assert kind != "Ridge" or claim.bound <= claim.logarithms * (1 + 1e-9)
            nearest = max(nearest, run.made / claim.bound if claim.bound else 0.0)
    print(f"{kind}: {games:,} games, made / bound up to {nearest:.10f}")
    assert nearest > 0.9
