"""Mixtures for log-loss, played again by the checker: the same floats as the learners' own, to the bit."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.float_runs.mixture_room import WeighedChunk
from littlestone.certificates.check.float_runs.mixtures import replay_mixture
from littlestone.certificates.make.losses import describe_fully
from littlestone.game.certify import trace_game
from littlestone.learners import AdaGrad, Aioli, Coin, Logistic

LEARNERS = [
    AdaGrad(),
    AdaGrad(0.3, precision=64, guard=False),
    Coin(),
    Coin(4, bias=0),
    Coin(1e30),
    Coin(1e-30),
    Aioli(),
    Logistic(),
    Logistic(share=False, bias=0, guard=False),
    Logistic(rates=(1.0,), wealths=(), second_order=6),
    Logistic(second_order=0, precision=64),
    Logistic(classes="softmax"),
    Logistic(rates=(1.0,), wealths=(), share=False, bias=0, guard=False, precision=64, classes="softmax"),
    Logistic(classes="both"),
    Logistic(second_order=6, share=False, guard=False, bias=0, classes="both"),
]


class Weighed(ls.Recorded):
    """Rounds that count as often as a list says."""

    weights: np.ndarray

    def chunks(self):
        first = 0
        for chunk in super().chunks():
            yield replace(chunk, importance=self.weights[first : first + len(chunk)])
            first += len(chunk)


def weigh(X, y, weights, declared=()):
    """A stream of rounds that count unequally."""
    stream = Weighed(X, y, classes=declared) if declared else Weighed(X, y)
    stream.weights = np.asarray(weights, float)
    return stream


def draw_rounds(rounds, attributes, classes, seed=0):
    """Rows in all units, zeros among them, one of them 50 times too large; classes appear one after another."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, attributes)) * 10.0 ** rng.integers(-3, 4, attributes)
    X[rng.random(X.shape) < 0.3] = 0
    X[rounds // 2] *= 50
    scores = X / np.abs(X).max(axis=0) @ rng.normal(size=(attributes, classes))
    y = np.argmax(scores + 0.3 * rng.normal(size=scores.shape), axis=1)
    y[: 10 * classes] = np.minimum(y[: 10 * classes], np.arange(10 * classes) // 10)
    return X, ["abcdefg"[c] for c in y]


def replay_all(learner, X, y, cuts=(), declared=(), weights=None):
    """The state after a run, and what the checker finds, its rounds cut into chunks."""
    weights = np.ones(len(y)) if weights is None else weights
    trace = trace_game(learner, weigh(X, y, weights, declared))
    steps, chunks = trace.steps, []
    indptr = np.concatenate(([0], np.cumsum(steps.counts)))
    for a, b in zip((0, *cuts), (*cuts, len(y)), strict=True):
        part = slice(indptr[a], indptr[b])
        rows = indptr[a : b + 1] - indptr[a], steps.indices[part].astype(np.int64), steps.values[part].astype(float)
        chunks.append(WeighedChunk(a, *rows, steps.classes[a:b].astype(np.int64), weights[a:b]))
    run = replay_mixture(describe_fully(learner), chunks, len(declared))
    return trace.player, run


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize(("attributes", "classes"), [(5, 2), (40, 2), (7, 4)])
@pytest.mark.parametrize("weighed", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_float_is_the_learners_own(learner, attributes, classes, weighed):
    X, y = draw_rounds(300, attributes, classes)
    weights = np.random.default_rng(1).choice([0.0, 0.25, 1.0, 1.7, 3.0], 300) if weighed else np.ones(300)
    player, run = replay_all(learner, X, y, cuts=(7, 150), weights=weights)
    state, step = player.state, learner.members.per_class
    assert (run.made, run.expected) == (state.losses[0].sum(), state.losses[1].sum())
    if run.form != "softmax":
        assert np.array_equal(run.units.weights, state.weights[::step])
    if run.classes is not None:
        first = learner.members.first
        assert np.array_equal(run.classes.weights[0], state.weights[step - 1, :first])
        table = state.table.reshape(-1, learner.members.stride(len(state.weights)))
        for c in range(classes):
            kept = learner.members.find_block(table, c * step + step - 1)[: run.units.counts[2]]
            assert np.array_equal(kept[:, :first], run.classes.sums[c, : len(kept)])
            assert np.array_equal(kept[:, first : 2 * first], run.classes.squares[c, : len(kept)])
    assert int(run.wrong.sum()) == player.tally.mistakes  # the first guess is class 0
    assert len(run.scores) == int(np.where(weights > 1, np.ceil(weights), 1).sum())
    if len(state.spent) and run.units.counts[3]:
        charges = run.units.charges[:, -len(learner.members.kappas) :, :2].sum(axis=2).ravel()
        assert charges == pytest.approx(state.spent[:, 0], rel=1e-9)


def test_newton_members_end_with_the_round_that_has_too_many_attributes():
    X, y = draw_rounds(200, 12, 2)
    X[:50, 5:] = 0
    learner = Logistic(second_order=6)
    player, run = replay_all(learner, X, y)
    assert run.units.counts[3] == 0
    assert run.made == player.state.losses[0].sum()
    assert not np.isnan(run.scores[:50]).any()
    assert np.isnan(run.scores[60:]).all()


def test_late_classes_start_units_and_pay_for_being_new():
    X, y = draw_rounds(300, 5, 4)
    _, run = replay_all(Logistic(), X, y)
    firsts = [y.index(c) for c in "abcd"]
    assert run.starts == [0, 0, *firsts[2:]]
    assert run.news == [t + 1 for t in firsts[2:]]
    assert run.late == [1.0, 1.0]
    assert np.array_equal(run.scores[: firsts[2], 0], -run.scores[: firsts[2], 1])
    assert np.isnan(run.scores[: firsts[2], 2:]).all()


def test_what_the_theorem_charges_is_that_of_the_gold_case():
    _, run = replay_all(AdaGrad(1.0, guard=False, bias=0, precision=64), [[1.0]] * 4, [True, True, False, True])
    assert run.units.charges[0, 0, 0] == pytest.approx(0.4660272927, abs=1e-9)
    assert run.units.sums[0, 1, 0] == pytest.approx(0.6720199418, abs=1e-9)
    assert run.units.squares[0, 1, 0] == pytest.approx(1.0768989221, abs=1e-9)
    _, run = replay_all(Coin(1.0, guard=False, bias=0, precision=64), [[1.0]] * 4, [True, True, False, True])
    assert run.units.wealths[0, 1, 0] == pytest.approx(0.9226809694, abs=1e-9)
    assert run.units.bets[0, 1, 0] == pytest.approx(0.7772461557, abs=1e-9)
    _, run = replay_all(Aioli(0.5, 0.1, guard=False, bias=0), [[1.0]] * 4, [True, True, False, True])
    assert run.units.charges[0, 0, :2].sum() == pytest.approx(1.1955130779, abs=1e-9)


@pytest.mark.parametrize("form", ["units", "softmax", "both"])
def test_a_late_class_of_a_round_that_counts_more_is_new_in_its_first_play_only(form):
    X, y = draw_rounds(300, 5, 4)
    weights = np.full(300, 2.5)
    _, run = replay_all(Logistic(classes=form), X, y, weights=weights)
    firsts = [y.index(c) for c in "abcd"]
    assert run.starts == [0, 0, *firsts[2:]]
    assert run.news == [3 * t + 1 for t in firsts[2:]]
    assert run.late == [2.5 / 3, 2.5 / 3]


def test_rounds_that_count_less_than_nothing_or_too_often_are_refused():
    X, y = draw_rounds(30, 3, 2)
    _, run = replay_all(AdaGrad(), X, y)
    assert len(run.weights) == 30
    for wrong in (-1.0, np.nan, 2.0**28):
        rows, columns = np.nonzero(X)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=30))))
        chunk = WeighedChunk(0, indptr, columns, X[rows, columns], np.zeros(30, np.int64), np.full(30, wrong))
        with pytest.raises(NotCertified, match="count"):
            replay_mixture(describe_fully(AdaGrad()), [chunk], 0)


@pytest.mark.parametrize("learner", [Logistic(), Logistic(classes="softmax"), Logistic(classes="both")], ids=str)
def test_rounds_that_count_unequally_have_the_learners_own_floats(learner):
    X, y = draw_rounds(120, 5, 4)
    weights = np.random.default_rng(1).choice([0.0, 0.25, 1.0, 1.7, 3.0], 120)
    player, run = replay_all(learner, X, y, cuts=(50,), weights=weights)
    assert (run.made, run.expected) == (player.state.losses[0].sum(), player.state.losses[1].sum())
    assert int(run.wrong.sum()) == player.tally.mistakes
