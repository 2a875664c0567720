"""More classes by a softmax, or by a softmax beside one unit a class: twins, gold cases, late classes, attacks."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance, BadParameter
from littlestone.base.learner import Size, fingerprint
from littlestone.environments import Recorded
from littlestone.game.certify import certify
from littlestone.game.model import load
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.game.verify import verify
from littlestone.learners import Logistic
from littlestone.learners.shared.forecaster_state import SAID, UNITS

SIX = {"rates": (0.125, 1.0, 4.0, 32.0), "wealths": (1.0, 4.0)}
EIGHT = SIX | {"kappas": (0.5, 0.1)}
FORMS = ["softmax", "both"]
ONE_RATE = Logistic(rates=(1.0,), wealths=(), bias=0, precision=64, guard=False, classes="softmax")
ONE_COIN = Logistic(rates=(), wealths=(1.0,), bias=0, precision=64, guard=False, classes="softmax")


def follow(learner, X, y, importance=None):
    """Play live: the chances of the classes met before each round, and the last state."""
    state, chances, classes = learner.start(Size(len(X[0]))), [], 2
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        row = Row(None, np.array(x, float))
        said = learner.probability(state, row)
        chances.append([1 - said, said] if np.ndim(said) == 0 else said.tolist())
        classes = max(classes, label + 1)
        while learner.full(state, row) or len(state.weights) < learner.members.count_blocks(classes):
            state = learner.grow(state, Size(len(x), classes))
        chunk = Examples.row(row, label)
        if importance is not None:
            chunk = replace(chunk, importance=np.array([importance[t]]))
        learner.replay(state, chunk, np.zeros(1, np.int32))
    return chances, state


def loss_of(state, row=SAID):
    return math.fsum(state.losses[row])


def draw_game(rng, classes=4):
    """Rows of up to four attributes in any units, some zero, and classes that come late."""
    rounds, n = int(rng.integers(2, 50)), int(rng.integers(1, 5))
    X = rng.normal(size=(rounds, n)) * 10.0 ** rng.integers(-3, 4, n)
    X[rng.random(X.shape) < 0.2] = 0
    first = np.sort(rng.integers(0, rounds, classes))
    y, met = [], 0
    for t in range(rounds):
        met = max(met, min(int((first <= t).sum()), len(set(y)) + 1))
        y.append(int(rng.integers(0, max(1, met))))
    return X, [sorted(set(y), key=y.index).index(label) for label in y]


# --- gold cases and twins -----------------------------------------------------------------------------------------


def test_gold_case_of_a_softmax_with_a_third_class():
    """x = 1 four times, classes 0, 1, 2, 1: the first two are met from the start, the third comes in round 3.

    AdaGrad(1), G and S of each class after the rounds: round 1 has chances 1/2, 1/2, so G = 1/2, -1/2 and S = 1/4 both.
    """
    chances, state = follow(ONE_RATE, [[1.0]] * 4, [0, 1, 2, 1])
    p = 1 / (1 + math.exp(-1 / math.sqrt(1.25)))  # class 0 in round 2
    G, S = [0.5 - p, p - 0.5], 0.25 + p * p
    s = G[0] / math.sqrt(S + 1)
    third = [math.exp(s), math.exp(-s)]
    assert chances[0] == [0.5, 0.5]
    assert chances[1] == pytest.approx([p, 1 - p], abs=1e-12)
    assert chances[2] == pytest.approx([third[0] / sum(third), third[1] / sum(third)], abs=1e-12)
    q = [part / (sum(third) + 1) for part in (*third, 1.0)]  # the new class has score 0
    last = [g / math.sqrt(1 + S + part * part) for g, part in ((G[0] - q[0], q[0]), (G[1] - q[1], q[1]))]
    last.append((1 - q[2]) / math.sqrt(1 + (1 - q[2]) ** 2))
    tops = [math.exp(v) for v in last]
    assert chances[3] == pytest.approx([v / sum(tops) for v in tops], abs=1e-12)
    known = -math.log(0.5 * 1 / 2) - math.log((1 - p) * 2 / 3) - math.log(tops[1] / sum(tops) * 4 / 5)
    assert loss_of(state) == pytest.approx(known + math.log(4), abs=1e-12)
    assert chances[3] == pytest.approx([0.2095216865, 0.2649366047, 0.5255417088], abs=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_two_classes_of_a_softmax_are_one_unit_of_twice_the_rate(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3))
    y = (rng.random(30) < 0.5).astype(int).tolist()
    told = list(zip(X.tolist(), y, strict=True))
    ours, _ = follow(ONE_RATE, X, y)
    theirs = [reference.sigma(s) for s in reference.ada_grad(told, 3, 2.0, guard=False)]
    assert [p for _, p in ours] == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_a_softmax_agrees_with_its_twin(seed, share, guard):
    rng = np.random.default_rng(seed)
    X, y = draw_game(rng)
    importance = rng.choice([0.3, 1.0, 2.5], len(y))
    learner = Logistic(**SIX, share=share, guard=guard, bias=0, precision=64, classes="softmax")
    told = list(zip(X.tolist(), y, importance, strict=True))
    theirs, loss = reference.many_classes(told, X.shape[1], **SIX, share=share, guard=guard)
    ours, state = follow(learner, X, y, importance)
    for one, other in zip(ours, theirs, strict=True):
        assert one == pytest.approx(other, rel=1e-7, abs=1e-9)
    assert loss_of(state) == pytest.approx(loss, rel=1e-7)


@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_both_forms_agree_with_their_twin(seed):
    X, y = draw_game(np.random.default_rng(seed))
    learner = Logistic(**EIGHT, bias=0, precision=64, classes="both")
    told = [(x, label, 1.0) for x, label in zip(X.tolist(), y, strict=True)]
    theirs, loss = reference.many_classes(told, X.shape[1], "both", **EIGHT)
    ours, state = follow(learner, X, y)
    for one, other in zip(ours, theirs, strict=True):
        assert one == pytest.approx(other, rel=1e-5, abs=1e-7)
    assert loss_of(state) == pytest.approx(loss, rel=1e-5)


# --- live, chunked, saved -----------------------------------------------------------------------------------------


def make_stream(rounds=400, seed=5):
    """Five classes, of which each comes 60 rounds later than the one before."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(rounds, 3)), np.minimum(rng.integers(0, 5, rounds), np.arange(rounds) // 60)
    X[np.arange(rounds), y % 3] += 4
    return X, np.array(list("abcde"))[y]


@pytest.mark.parametrize("form", FORMS)
def test_live_chunked_and_resumed_play_end_in_the_same_state(form, tmp_path):
    X, names = make_stream()
    learner = Logistic(classes=form)
    whole = play(learner, Recorded(X, names)).player
    live = Player(learner)
    for t, (x, name) in enumerate(zip(X, names, strict=True)):
        live.update(x, name)
        if t == 200:
            live.save(tmp_path / "m.lst")
            live = load(tmp_path / "m.lst")
    assert live.learner == learner
    assert fingerprint(live.state[1:]) == fingerprint(whole.state[1:])
    parts = Player(learner)
    for first, end in ((0, 37), (37, 300), (300, 400)):
        for _ in parts.play_chunk(Examples.of(X[first:end], names[first:end])):
            pass
    assert fingerprint(parts.state[1:]) == fingerprint(whole.state[1:])
    chances = whole.probability(X[0])
    assert chances.shape == (5,)
    assert chances.sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_said_of_two_classes_goes_on_when_a_third_comes(form):
    X, names = make_stream()
    learner, player = Logistic(classes=form), Player(Logistic(classes=form))
    for x, name in zip(X[:120], names[:120], strict=True):
        player.update(x, name)
    before = player.probability(X[0])
    assert np.ndim(before) == 0
    wide = learner.grow(player.state, Size(4, 3))
    assert learner._ask_parts(wide, Examples.of(X[:1], [0])).shape == (1, 2)
    assert learner._ask_parts(wide, Examples.of(X[:1], [0]))[0, 1] == pytest.approx(before, rel=1e-12)
    for x, name in zip(X[120:130], "c" * 10, strict=True):
        player.update(x, name)
    assert player.probability(X[0]).shape == (3,)


@pytest.mark.parametrize("form", FORMS)
def test_declared_classes_are_met_from_the_start_and_served_chances_are_those_given(form):
    X, names = make_stream(150)
    player, given = Player(Logistic(classes=form), classes=tuple("abcde")), []
    for x, name in zip(X, names, strict=True):
        chances = player.probability(x)
        given.append(float(chances["abcde".index(name)]))
        player.update(x, name)
    assert len(chances) == 5
    rows = Examples.of(X, names)
    fresh = Player(Logistic(classes=form), classes=tuple("abcde"))
    served = [chance for played in fresh.play_chunk(rows) for chance in played.chances]
    assert served == pytest.approx(given, rel=1e-14)
    reserve = math.fsum(math.log((t + 1) / t) for t in range(1, 151))
    assert loss_of(fresh.state) == pytest.approx(-np.log(given).sum() + reserve, rel=1e-12)
    assert reserve == pytest.approx(math.log(151))


def test_memory_follows_attributes_and_classes_met():
    wide = 1 << 20
    learner = Logistic(classes="softmax")
    state = learner.start(Size(wide))
    learner.round(state, Row(np.array([3, wide - 1], np.int32), np.array([1.0, 2.0])), 1)
    assert sum(part.nbytes for part in state[1:]) < 20_000
    more = learner.grow(state, Size(wide, 4))
    assert more.table.nbytes < 2.2 * state.table.nbytes
    assert len(more.weights) == 4


def test_columns_times_powers_of_two_change_no_bit():
    X, names = make_stream()
    scales = 2.0 ** np.array([20, -20, 60])
    for form in FORMS:
        one, other = (play(Logistic(classes=form), Recorded(rows, names)) for rows in (X, X * scales))
        assert one.player.state.losses.tolist() == other.player.state.losses.tolist()


def test_numbers_at_the_ends_of_floats_leave_numbers():
    values = [1e300, 1e-300, 5e-324, -1.7e308, 1.0]
    rows = [[values[t % 5], values[(t * 7 + 1) % 5]] for t in range(200)]
    for form in FORMS:
        learner = Logistic(classes=form)
        player = play(learner, Recorded(rows, [t % 4 for t in range(200)])).player
        kept = learner.members
        numbers = player.state.table.reshape(-1, kept.stride(len(player.state.weights)))[:, kept.lead :]
        for part in (numbers, *player.state[2:]):
            assert np.isfinite(part).all()
        assert np.isfinite(player.score([1e300, 5e-324])).all()
        assert player.probability([1e300, 5e-324]).sum() == pytest.approx(1)


def test_a_clear_stream_is_told_with_finite_scores_however_sure_it_is():
    X = np.eye(3)[[0, 1, 2] * 2000] * 1.0
    player = play(Logistic(classes="softmax"), Recorded(X, ["a", "b", "c"] * 2000)).player
    assert player.tally.mistakes < 6
    assert np.isfinite(player.score(X[0])).all()


# --- explanations and refusals ------------------------------------------------------------------------------------


def test_an_explanation_names_the_member_it_reads():
    X, names = make_stream()
    player = play(Logistic(classes="softmax"), Recorded(X, names)).player
    kinds = [f"AdaGrad({rate:g})" for rate in SIX["rates"]] + [f"Coin({wealth:g})" for wealth in SIX["wealths"]]
    weights = player.state.weights[0]
    best = int(weights.argmax())
    assert player.explain().about == f"{kinds[best]}, {weights[best] / weights.sum():.0%} of the mixture"
    both = play(Logistic(classes="both"), Recorded(X, names)).player
    form = "softmax" if both.state.labels[1] >= 0.5 else "one unit a class"
    assert both.explain().about.endswith(f" of {form}, {both.state.labels.max():.0%} of all")


def test_the_weights_of_two_classes_are_those_of_the_second_over_the_first():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3))
    learner = replace(ONE_RATE, bias=1.0)
    player = play(learner, Recorded(X, X[:, 0] + rng.normal(size=200) > 0)).player
    weights, constant = learner.plane(player.state)
    assert weights[:3, 0] @ (X[5] / 10) + constant[0] == pytest.approx(player.score(X[5] / 10), rel=1e-9)


def test_other_forms_are_refused():
    with pytest.raises(BadParameter, match="'units' or 'softmax' or 'both'"):
        Logistic(classes="one-vs-one")


# --- attacks ------------------------------------------------------------------------------------------------------


def play_against(learner, rng, classes=4):
    """Labels at random, or the class that is least likely, or a class that was not met; and the state after them."""
    rounds, n = int(rng.integers(1, 50)), int(rng.integers(1, 4))
    X = rng.normal(size=(rounds, n)) * 10.0 ** rng.integers(-3, 4, n)
    if rng.random() < 0.4:
        X *= 10.0 ** np.sort(rng.uniform(0, 3, (rounds, 1)), axis=0)
    if rng.random() < 0.3:
        X = X[rng.integers(0, min(3, rounds), rounds)]
    state, met, labels, kind = learner.start(Size(n)), 2, [], int(rng.integers(3))
    for x in X:
        row = Row(None, x)
        parts = learner._ask_parts(state, Examples.row(row, 0))[0]
        label = int((parts.argmin(), rng.integers(0, met), (X[len(labels)] > 0).sum() % met)[kind])
        if met < classes and rng.random() < 0.1:
            label, met = met, met + 1
        while learner.full(state, row) or len(state.weights) < learner.members.count_blocks(met):
            state = learner.grow(state, Size(n, met))
        learner.round(state, row, label)
        labels.append(label)
    return X, labels, state


def measure(X, labels, rate=None, wealth=None):
    """A softmax with one member, in the units of the columns: what its theorem speaks of."""
    n, classes = X.shape[1], max(2, max(labels) + 1)
    G, S, Q, M = np.zeros((n, classes)), np.zeros((n, classes)), np.zeros((n, classes)), np.zeros((n, 1))
    e, V, loss, met, rows = np.full((n, classes), wealth or 0.0), 0.0, 0.0, 2, []
    for x, y in zip(X, labels, strict=True):
        met, M, here = max(met, y + 1), np.maximum(M, np.abs(x)[:, None]), x != 0
        r = np.sqrt(S + M**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            if rate is not None:
                w = np.where(r > 0, G * rate / (M * r), 0)
            else:
                w = np.where(r > 0, e * np.clip(G / r, -1, 1) / (2 * r), 0)
        s = (w.T @ x)[:met]
        p = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
        loss -= math.log(p[y])
        a = np.zeros((n, classes))
        a[:, :met] = np.outer(x, (np.arange(met) == y) - p)
        e[here] *= 1 + (a * np.divide(w, e, out=np.zeros_like(w), where=e > 0))[here]
        Q[here] += (a**2 / np.where(r > 0, r, 1) ** 2)[here]
        V += float((a[here] ** 2 * (rate or 0) / (2 * np.where(r > 0, M * r, 1))[here]).sum())
        G, S = G + a, S + a**2
        rows.append((x, y, met))
    return loss, G, S, M, Q, e, V, rows


def loss_of_comparator(U, rows):
    total = 0.0
    for x, y, met in rows:
        z = (U.T @ x)[:met]
        total += float(np.logaddexp.reduce(z) - z[y])
    return total


GAMES = [120, pytest.param(4000, marks=pytest.mark.long)]


@pytest.mark.parametrize("games", GAMES)
def test_no_game_with_late_classes_exceeds_the_bound_of_ada_grad_for_any_comparator(games):
    rng, nearest = np.random.default_rng(0), 0.0
    for _ in range(games):
        rate = 2.0 ** float(rng.uniform(-4, 4))
        X, labels, state = play_against(replace(ONE_RATE, rates=(rate,)), rng)
        loss, G, S, M, _, _, V, rows = measure(X, labels, rate=rate)
        assert loss_of(state, UNITS) == pytest.approx(loss, rel=1e-9, abs=1e-9)
        r = M * np.sqrt(S + M**2) / rate
        worst = np.divide(G, r, out=np.zeros_like(G), where=r > 0)
        at_random = np.divide(rng.normal(size=G.shape) * 3, M, out=np.zeros_like(G), where=M > 0)
        for U in (np.zeros_like(G), worst, at_random):
            bound = loss_of_comparator(U, rows) + float((r * U * U).sum()) / 2 + V
            assert loss <= bound * (1 + 1e-9)
            nearest = max(nearest, loss / bound)
    assert nearest > 0.95


@pytest.mark.parametrize("games", GAMES)
def test_no_game_with_late_classes_exceeds_the_bounds_of_coins_for_any_comparator(games):
    rng, nearest = np.random.default_rng(1), 0.0
    for _ in range(games):
        X, labels, state = play_against(ONE_COIN, rng)
        loss, G, S, M, Q, e, _, rows = measure(X, labels, wealth=1.0)
        assert loss_of(state, UNITS) == pytest.approx(loss, rel=1e-9, abs=1e-9)
        r = np.sqrt(S + M**2)
        theta = np.divide(G, r, out=np.zeros_like(G), where=r > 0)
        gain = np.where(np.abs(theta) <= 1, theta**2 / 2, np.abs(theta) - 0.5)
        assert (e >= np.exp(gain / 2 - Q / 2) * (1 - 1e-9)).all()
        for scale in (0.0, 0.3, 3.0):
            U = np.divide(rng.normal(size=G.shape) * scale, M, out=np.zeros_like(G), where=M > 0)
            theirs = loss_of_comparator(U, rows)
            assert loss <= theirs + float((U * G + 1 - e).sum()) + 1e-9 * (1 + loss)
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.where(U != 0, np.log(2 * np.abs(U) * r) + Q / 2 - 0.75, 0)
            bound = theirs + float((1 + 2 * np.abs(U) * r * np.maximum(0, logs)).sum())
            assert loss <= bound
            nearest = max(nearest, loss / bound)
    assert nearest > 0.2


@pytest.mark.parametrize("games", [60, pytest.param(2000, marks=pytest.mark.long)])
def test_classes_not_known_beforehand_cost_what_the_reserve_says_and_both_forms_little_more_than_the_better(games):
    rng = np.random.default_rng(2)
    for _ in range(games):
        for form in FORMS:
            _, labels, state = play_against(Logistic(classes=form), rng)
            rounds = len(labels)
            new = [t for t, y in enumerate(labels, 1) if y > 1 and y not in labels[: t - 1]]
            price = math.log(rounds + 1) + sum(math.log(t + 1) for t in new)
            step = Logistic(classes=form).members.per_class
            made, soft = loss_of(state), loss_of(state, UNITS + step - 1)
            if form == "softmax":
                assert made <= (soft + price) * (1 + 1e-9)
                continue
            units = math.fsum(loss_of(state, UNITS + block) for block in range(0, len(state.weights), 2))
            assert made <= (min(soft, units) + math.log(2) + math.log(rounds) + price) * (1 + 1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_it_has_a_certificate(form):
    X, names = make_stream(30)
    certificate = certify(Logistic(classes=form), Recorded(X, names))
    assert verify(certificate, Recorded(X, names)).bound == certificate.bound


def test_a_round_counts_at_most_a_million_times():
    rows = replace(Examples.of([[1.0], [2.0]], [0, 1]), importance=np.array([1.0, 1e9]))
    player = Player(Logistic(classes="softmax"), classes=(0, 1))
    with pytest.raises(BadInstance, match="at most 1,000,000 times, got 1e\\+09"):
        player.replay(rows)
    assert player.tally.rounds == 0
