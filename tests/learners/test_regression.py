"""Learners that predict numbers: twins, gold cases, theorems, units, importance, and room that grows."""

import io
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadLabel, TooLarge
from littlestone.base.learner import Size, fingerprint
from littlestone.learners import CoinRegression, Ridge

COINS = [CoinRegression(), CoinRegression("pinball", quantile=0.9), CoinRegression("huber")]
REGRESSORS = [Ridge(), *COINS]
small = st.integers(-3, 3)
games = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(st.lists(small, min_size=n, max_size=n), st.integers(-5, 5)), min_size=1, max_size=25)
)


def make_rows(seed=3, rows=300, columns=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) * 10.0 ** np.arange(columns)
    return X, X @ (1 / 10.0 ** np.arange(columns)) + rng.normal(size=rows) * 0.3 + 2


def follow(learner, X, y):
    """Play live: the guesses, and the last state."""
    state, guesses = learner.start(Size(len(X[0]))), []
    for x, label in zip(X, y, strict=True):
        row = Row(None, np.array(x, float))
        while learner.full(state, row):
            state = learner.grow(state, Size(len(x)))
        guesses.append(learner.predict(state, row))
        assert learner.round(state, row, label) == guesses[-1]
    return np.array(guesses), state


def said_of(learner, X, y):
    """The guesses in a game played in chunks."""
    told = []
    ls.play(learner, ls.Recorded(X, y), watch=lambda _, guesses, codes: told.extend(guesses.tolist()))
    return np.array(told)


# --- Ridge --------------------------------------------------------------------------------------------------------


def test_gold_case_of_ridge_in_fractions():
    growing = [([Fraction(1)], 1), ([Fraction(2)], 1), ([Fraction(-1)], 0)]
    run = reference.ridge(growing, 1, Fraction(1, 10))
    loss = sum((y - z) ** 2 for (_, y), z in zip(growing, run.said, strict=True))
    assert run.said == [0, Fraction(10, 27), Fraction(-15, 32)]
    assert (loss, run.least) == (Fraction(1206457, 746496), Fraction(19, 32))
    assert sum(run.charges) == Fraction(69965765, 57480192)
    assert run.least + sum(run.charges) - loss == Fraction(15, 77)
    steady = [([Fraction(1)], 1), ([Fraction(-1)], 1), ([Fraction(1)], 0)]
    run = reference.ridge(steady, 1, Fraction(1, 10))
    loss = sum((y - z) ** 2 for (_, y), z in zip(steady, run.said, strict=True))
    assert (loss, run.least, run.least + sum(run.charges) - loss) == (Fraction(1402, 441), 2, 0)


def test_gold_case_of_ridge_in_floats():
    guesses, state = follow(Ridge(bias=0), [[1.0], [2.0], [-1.0]], [1, 1, 0])
    assert guesses == pytest.approx([0, 10 / 27, -15 / 32], abs=1e-12)
    assert Ridge(bias=0).expected(state) == pytest.approx(1206457 / 746496, abs=1e-12)
    assert Ridge(bias=0).charges(state)[0] == pytest.approx(69965765 / 57480192, abs=1e-12)


@given(games, st.booleans())
def test_ridge_agrees_with_its_exact_twin(rounds, guard):
    exact = [([Fraction(1), *map(Fraction, x)], Fraction(y)) for x, y in rounds]
    run = reference.ridge(exact, len(exact[0][0]), Fraction(1, 10), guard, relative=True)
    guesses, state = follow(Ridge(guard=guard), [x for x, _ in rounds], [y for _, y in rounds])
    assert guesses == pytest.approx([float(z) for z in run.said], rel=1e-9, abs=1e-9)
    assert Ridge().charges(state)[0] == pytest.approx(float(sum(run.charges)), rel=1e-9, abs=1e-9)
    weights, constants = Ridge().plane(state)
    assert [*constants, *weights[:, 0]] == pytest.approx([float(v) for v in run.best], rel=1e-7, abs=1e-7)


@given(games, st.integers(1, 40))
def test_theorem_of_ridge_holds_exactly(rounds, tenths):
    exact, parameter = [(list(map(Fraction, x)), Fraction(y)) for x, y in rounds], Fraction(tenths, 10)
    run = reference.ridge(exact, len(exact[0][0]), parameter)
    loss = sum((y - z) ** 2 for (_, y), z in zip(exact, run.said, strict=True))
    assert loss <= run.least + sum(run.charges)  # the least value over all u, so that it holds for every u


@given(games, st.integers(1, 40))
def test_theorem_of_ridge_holds_exactly_for_labels_from_the_first_one(rounds, tenths):
    exact, parameter = [([Fraction(1), *map(Fraction, x)], Fraction(y)) for x, y in rounds], Fraction(tenths, 10)
    run = reference.ridge(exact, len(exact[0][0]), parameter, relative=True)
    loss = sum((y - z) ** 2 for (_, y), z in zip(exact, run.said, strict=True))
    assert loss <= run.least + sum(run.charges)


def test_larger_form_of_the_charge_of_ridge():
    X, y = make_rows()
    learner = Ridge()
    _, state = follow(learner, X, y)
    exact, larger = learner.charges(state)
    ends = np.linalg.slogdet(np.linalg.inv(state.matrices[0, :6, :6]))[1]
    most = ((y - y[0]) ** 2).max() * (ends - 6 * math.log(0.1)) * 2 + y[0] ** 2  # M grew, so that it is no equality
    assert y[0] ** 2 < exact < larger <= most


def test_labels_far_from_zero_cost_ridge_no_more_than_others():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 20)), rng.normal(size=400)
    near, far = said_of(Ridge(), X, y), said_of(Ridge(), X, y + 1000)
    assert far[0] == 0
    assert far[1:] - 1000 == pytest.approx(near[1:], abs=1e-9)
    assert ((far[1:] - 1000 - y[1:]) ** 2).mean() < 6
    player = ls.play(Ridge(), ls.Recorded(X, y + 1000)).player
    weights, constants = player.learner.plane(player.state)
    assert player.predict(X[0]) == pytest.approx(X[0] @ weights[:20, 0] + constants[0], rel=0.01)


def test_a_round_of_no_importance_is_not_the_first_label():
    X, y = make_rows(rows=30)
    player, weights = ls.Player(Ridge()), np.ones(30)
    weights[0] = 0
    player.replay(replace(Examples.of(X, y), importance=weights))
    assert player.state.labels[2] * player.state.labels[0] == y[1]


def test_ridge_refuses_more_attributes_than_a_matrix_has():
    with pytest.raises(TooLarge, match=r"Ridge keeps a matrix of attributes: at most 4096, got 5001"):
        ls.Player(Ridge()).update(np.ones(5000), 1.0)


def test_importance_of_ridge_is_a_weight():
    X, y = make_rows(rows=60)
    weights = np.random.default_rng(1).uniform(0, 1, 60)
    player = ls.Player(Ridge(bias=0))
    player.replay(replace(Examples.of(X, y), importance=weights))
    M = np.abs(X).max(axis=0)
    A = np.diag(0.1 * M**2) + (X * weights[:, None]).T @ X
    u = np.linalg.solve(A, (X * weights[:, None]).T @ y)
    assert player.learner.plane(player.state)[0][:5, 0] == pytest.approx(u, rel=1e-9)
    least = (weights * (y - X @ u) ** 2).sum() + 0.1 * (M**2 * u**2).sum()
    assert player.tally.expected <= least + player.learner.charges(player.state)[0]


# --- bets ---------------------------------------------------------------------------------------------------------


def test_gold_case_of_bets_by_hand():
    # The first guess is 0, so a = 1 and the wealth is 2; then G = 1 and r^2 = 1 + 1.
    guesses, state = follow(CoinRegression(bias=0), [[1.0]] * 3, [2.0, 2.0, 0.0])
    second = 2 * (1 / math.sqrt(2)) / (2 * math.sqrt(2))
    wealth = 2 * (1 + 0.25)  # a = 1 times the share that was bet
    third = wealth * 1 / (2 * math.sqrt(3))  # G = 2 exceeds r = root 3, and is cut to it
    assert guesses == pytest.approx([0, second, third], abs=1e-12)
    assert CoinRegression().expected(state) == pytest.approx(2 + (2 - second) + third, abs=1e-12)


@given(games, st.booleans(), st.sampled_from([("absolute", 0.5), ("pinball", 0.9), ("pinball", 0.2), ("huber", 0.5)]))
def test_bets_agree_with_their_twin(rounds, guard, kind):
    criterion, quantile = kind
    told = [([1.0, *map(float, x)], float(y)) for x, y in rounds]
    run = reference.coin_regression(told, len(told[0][0]), criterion, quantile, 0.25, 2.0, guard, relative=True)
    learner = CoinRegression(criterion, quantile, width=0.25, wealth=2.0, guard=guard)
    guesses, state = follow(learner, [x for x, _ in rounds], [y for _, y in rounds])
    assert guesses == pytest.approx(run.said, rel=1e-9, abs=1e-9)
    assert learner.expected(state) == pytest.approx(sum(run.losses), rel=1e-9, abs=1e-9)


def price(criterion, quantile, reach, short):
    if criterion == "pinball":
        return quantile * short if short > 0 else (quantile - 1) * short
    return abs(short) if criterion == "absolute" or abs(short) >= reach else short**2 / (2 * reach) + reach / 2


@given(
    games,
    st.sampled_from([("absolute", 0.5), ("pinball", 0.9), ("huber", 0.5)]),
    st.lists(st.floats(-20, 20), min_size=4, max_size=4),
    st.booleans(),
)
def test_theorem_of_bets_holds(rounds, kind, u, relative):
    criterion, quantile = kind
    told, n = [([1.0, *map(float, x)], float(y)) for x, y in rounds], len(rounds[0][0]) + 1
    run = reference.coin_regression(told, n, criterion, quantile, relative=relative)
    origin = told[0][1] if relative else 0.0
    theirs, most = price(criterion, quantile, 0.0, origin), 0.0
    for x, y in told:
        most = max(most, abs(y - origin))
        reach = 0.1 * most if criterion == "huber" else 0.0
        short = y - origin - sum(w * v for w, v in zip(u, x, strict=False))
        theirs += price(criterion, quantile, reach, short) - reach / 2
    allowed = 0.0
    for i in range(n):
        if run.first[i]:
            far = 2 * abs(u[i]) * math.sqrt(run.S[i] + run.M[i] ** 2)
            allowed += run.first[i]
            allowed += far * max(0.0, math.log(far / run.first[i]) + run.Q[i] / 2 - 0.75) if far else 0.0
            assert math.log(run.last[i] / run.first[i]) >= -run.Q[i] / 2 - 1e-9
    assert sum(run.losses) <= theirs + allowed + 1e-9


@pytest.mark.parametrize("learner", COINS, ids=repr)
def test_labels_far_from_zero_cost_bets_no_more_than_others(learner):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = X @ [2.0, 1.0, 0.0, -1.0, 0.0] + rng.normal(size=400)
    near, far = said_of(learner, X, y), said_of(learner, X, y + 2**20)
    assert far[0] == 0
    assert far[1:] - 2**20 == pytest.approx(near[1:], abs=1e-6)
    said = said_of(learner, X, 300 + y)  # it was off by 7 to 19 while bets had to reach 300
    assert np.abs(said[1:] - 300 - y[1:]).mean() < (1.7 if learner.criterion != "pinball" else 3)


@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
def test_pinball_finds_quantiles(quantile):
    y = np.random.default_rng(0).uniform(0, 10, 20_000)
    learner = CoinRegression("pinball", quantile)
    assert said_of(learner, np.ones((20_000, 1)), y)[10_000:].mean() == pytest.approx(10 * quantile, abs=0.25)


def test_one_huge_label_does_not_carry_the_median_away():
    y = np.where(np.arange(400) % 40 == 7, 1e9, 3.0) + np.arange(400) % 3
    assert said_of(CoinRegression(), np.ones((400, 1)), y)[-20:] == pytest.approx([4.0] * 20, abs=1.5)


def test_importance_of_bets_is_a_weight_and_more_than_one_is_played_again():
    X, y = make_rows(rows=40)
    player, twice = ls.Player(CoinRegression()), ls.Player(CoinRegression())
    player.replay(replace(Examples.of(X, y), importance=np.full(40, 2.0)))
    for x, label in zip(X, y, strict=True):
        twice.update(x, label)
        twice.update(x, label)
    assert player.state.table.tolist() == twice.state.table.tolist()
    assert player.tally.expected == twice.tally.expected
    assert (player.tally.rounds, twice.tally.rounds) == (40, 80)


def test_memory_follows_the_attributes_met():
    rng = np.random.default_rng(0)
    learner = CoinRegression("huber")
    state = learner.start(Size(2**22))
    for _ in range(50):
        row = Row(np.sort(rng.choice(2**22, 5, replace=False)).astype(np.int32), rng.normal(size=5))
        while learner.full(state, row):
            state = learner.grow(state, Size(2**22))
        learner.round(state, row, float(rng.normal()))
    assert state.table.nbytes <= 512 * 4 * 8


# --- all of them --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
@pytest.mark.parametrize(("columns", "labels"), [(2.0**20, 1.0), (2.0**-20, 2.0**600), (1.0, 2.0**-900)])
def test_powers_of_two_change_no_bit(learner, columns, labels):
    X, y = make_rows(rows=80)
    assert (said_of(learner, X * columns, y * labels) == said_of(learner, X, y) * labels).all()


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
def test_other_units_change_next_to_nothing(learner):
    X, y = make_rows(rows=80)
    assert said_of(learner, X * 1e-6, y * 1e6) == pytest.approx(said_of(learner, X, y) * 1e6, rel=1e-6)


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
def test_extreme_values_leave_everything_finite(learner):
    values = [1e300, 1e-300, 5e-324, -1.7e308, 0.0]
    X = [[values[(t + k) % 5] for k in range(3)] for t in range(200)]
    for labels in ([1.0, -2.0, 0.0], [5e-324, 1e-250], [1e260, -1e200], [0.0]):
        guesses, state = follow(learner, X, [labels[t % len(labels)] for t in range(200)])
        assert np.isfinite(guesses).all()
        assert all(np.isfinite(part).all() for part in state)


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
def test_labels_out_of_reach_are_refused_in_words(learner):
    player = ls.Player(learner)
    player.update([1.0], 1e-3)
    before = fingerprint(player.state)
    for wrong in (1e300, -1e200):
        with pytest.raises(BadLabel, match=r"labels must be below 2.900 in size, and below 2.58e.120 times the first"):
            player.update([1.0], wrong)
    for missing in (None, math.nan, math.inf, "many"):
        with pytest.raises(BadLabel, match=r"an outcome must be a finite number"):
            player.update([1.0], missing)
    assert fingerprint(player.state) == before
    with pytest.raises(BadLabel, match=r"below 2.900") as caught:
        ls.play(learner, ls.Recorded([[1.0]] * 4, [1.0, 2.0, 1e300, 1.0]))
    assert caught.value.game.rounds == 2


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
def test_live_and_chunked_and_saved_games_are_one_to_the_bit(learner, tmp_path):
    X, y = make_rows()
    X[:, 3] = np.where(np.arange(300) < 100, 0, X[:, 3])  # an attribute that comes late
    whole = ls.play(learner, ls.Recorded(X, y)).player
    live = ls.Player(learner)
    for x, label in zip(X[:150], y[:150], strict=True):
        live.update(x, label)
    live.save(tmp_path / "m.lst")
    later = ls.load(tmp_path / "m.lst")
    later = ls.play(later, ls.Recorded(X[150:], y[150:])).player
    assert later.tally == whole.tally
    assert fingerprint(later.state)[1:] == fingerprint(whole.state)[1:]
    assert later.predict(X[0]) == whole.predict(X[0])
    asked = Examples.of(X[:9], np.array(["?"] * 9, object))
    assert later.predictions(asked) == [whole.predict(x) for x in X[:9]]


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
def test_sparse_and_dense_rows_are_one_game(learner):
    X, y = make_rows(rows=100)
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.5, 0, X).astype(np.float32)
    text = "".join(
        f"{label!r} " + " ".join(f"{k + 1}:{v!r}" for k, v in enumerate(row) if v) + "\n"
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    )
    sparse = ls.play(learner, ls.read(io.BytesIO(text.encode()), "svmlight"))
    assert sparse.expected == ls.play(learner, ls.Recorded(X, y)).expected


@pytest.mark.parametrize("learner", REGRESSORS, ids=repr)
def test_the_loss_is_what_was_lost(learner):
    X, y = make_rows()
    guesses = said_of(learner, X, y)
    lost = math.fsum(learner.loss(z, label) for z, label in zip(guesses, y, strict=True))
    if getattr(learner, "criterion", None) != "huber":  # whose loss depends on the labels before
        assert ls.play(learner, ls.Recorded(X, y)).expected == pytest.approx(lost, rel=1e-12)
    assert lost < 0.6 * math.fsum(learner.loss(0.0, label) for label in y)
