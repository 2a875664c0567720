"""The ledger: the books of a game of expert advice."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.base.errors import BadInstance, BadLabel, BadParameter, NotCertified
from littlestone.environments import Panel, Recorded
from littlestone.game.ledger import ledger
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import (
    AdaHedge,
    Aggregating,
    FixedShare,
    FollowTheLeader,
    Hedge,
    ImprovedMajority,
    Perceptron,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from littlestone.learners.experts.losses import Square
from littlestone.learners.experts.schedules import find_limited_schedule
from reference import best_path

NAN = float("nan")
tables = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=1, max_size=6)
)


@given(tables, st.integers(0, 4))
def test_the_best_sequence_with_switches_is_found(costs, switches):
    least, path = find_limited_schedule(np.array(costs, float), min(switches, len(costs) - 1))
    assert least == best_path(costs, switches)
    assert sum(costs[t][k] for t, k in enumerate(path)) == least
    assert np.count_nonzero(np.diff(path)) <= switches


def test_more_switches_never_cost_more_and_none_is_the_best_expert():
    rng = np.random.default_rng(0)
    books = play(Hedge(), Panel(rng.random((60, 4)), rng.random(60))).ledger
    losses = [books.tracking(s)[0] for s in range(8)]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == pytest.approx(books.losses[-1].min())
    assert books.tracking(1000)[0] == pytest.approx(books.costs.min(axis=1).sum())


@pytest.mark.parametrize("learner", [WeightedMajority(), RandomizedWeightedMajority(), Hedge(), FixedShare()], ids=str)
def test_the_books_agree_with_the_game(learner):
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 2, (50, 5)), rng.integers(0, 2, 50)
    game = play(learner, Panel(X, y), seed=9)
    books = game.ledger
    assert books.losses[-1].tolist() == learner.losses(game.player.state).tolist()
    lost = game.mistakes if game.expected is None else game.expected
    assert books.loss[-1] == pytest.approx(lost)
    assert books.regret[-1] == pytest.approx(lost - books.losses[-1].min())
    assert books.weights.sum(axis=1) == pytest.approx(np.ones(50))
    halfway = play(learner, Panel(X[:20], y[:20])).player
    assert books.weights[20] == pytest.approx(learner.weights(halfway.state))  # before the outcome of round 21
    assert (books.regret <= books.bounds).all()


def test_an_entry_shows_the_books_at_any_round_with_its_date():
    books = ledger(
        WeightedMajority(), [[1, 0, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1], names=["ann", "bob", "eve"],
        dates=["mon", "tue", "wed"],
    )  # fmt: skip
    entry = books.at(2)
    assert (entry.date, entry.guess, entry.outcome, entry.loss, entry.best) == ("tue", 1, 0, 1, "eve")
    assert entry.weights == pytest.approx([0.4, 0.2, 0.4])
    assert (entry.losses.tolist(), entry.regret) == ([1, 2, 0], 1)
    assert entry.bound == WeightedMajority().bound(3, 0).mistakes
    with pytest.raises(BadParameter, match="1 to 3"):
        books.at(4)


def test_a_table_and_a_summary_come_out():
    rng = np.random.default_rng(0)
    books = play(Aggregating(), Panel(rng.random((30, 3)), rng.random(30), names=["a", "b", "c"])).ledger
    assert books.table(last=2).splitlines()[-1].split()[0] == "30"
    assert len(books.table().splitlines()) == 31
    assert "30 rounds, regret" in str(books)
    assert [row[0] for row in books.standings()].count("Aggregating") == 1


def test_regret_against_a_sleeper_counts_the_rounds_it_was_awake():
    books = ledger(Hedge(), [[0.0, NAN], [1.0, 0.0], [0.0, NAN]], [1.0, 0.0, 1.0])
    assert books.losses[-1].tolist() == [3.0, 0.0]
    assert books.regrets[-1, 1] == pytest.approx(books.charges[1])
    assert np.isnan(books.costs[0, 1])
    assert books.weights[0].tolist() == [1.0, 0.0]


def test_experts_met_before_sleep_through_books_that_do_not_name_them():
    rng = np.random.default_rng(4)
    player = Player(Hedge(0.5, Square()))
    play(player, Panel(rng.random((5, 4)), rng.random(5)))
    books = ledger(player.learner, rng.random((3, 2)), rng.random(3), names=["ann", "bob"], state=player.state)
    assert books.names == ("ann", "bob", "2", "3")
    assert books.weights.shape == (3, 4)
    assert (books.weights[:, 2:] == 0).all()
    assert books.weights.sum(axis=1) == pytest.approx(1)


def test_a_game_that_goes_on_has_the_books_of_its_own_rounds():
    rng = np.random.default_rng(2)
    X, y = rng.random((40, 3)), rng.random(40)
    player = Player(Hedge(loss=Square()))
    play(player, Panel(X[:25], y[:25]))
    second = play(player, Panel(X[25:], y[25:], dates=range(26, 41)))
    whole = play(Hedge(loss=Square()), Panel(X, y)).ledger
    assert second.ledger.guesses.tolist() == whole.guesses[25:].tolist()
    assert second.ledger.dates[0] == 26
    live = play(Hedge(loss=Square()), Panel(X, y), transcript=True)
    assert live.ledger.guesses.tolist() == whole.guesses.tolist()


def test_what_has_no_books_says_so():
    with pytest.raises(NotCertified):
        _ = play(Perceptron(), Recorded([[1.0], [0.0]], [1, 0])).ledger
    with pytest.raises(BadLabel):
        ledger(Hedge(), [[0.5]], [None])
    with pytest.raises(BadLabel):
        Panel([[0.5]], [1, 2])
    with pytest.raises(BadInstance):
        Panel([0.5], [1])
    with pytest.raises(BadParameter):
        Panel([[0.5]], [1], names=["a", "b"])
    assert str(ledger(Hedge(), np.zeros((0, 2)), [])).endswith("no rounds")


def test_a_frame_brings_names_and_dates():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"ann": [0.0, 1.0], "bob": [1.0, math.nan]}, index=["mon", "tue"])
    books = play(Hedge(), Panel(frame, [0.0, 1.0])).ledger
    assert (books.names, books.dates) == (("ann", "bob"), ("mon", "tue"))


ASLEEP = [
    WeightedMajority(),
    WeightedMajority(0.9),
    RandomizedWeightedMajority(),
    ImprovedMajority(),
    ImprovedMajority(0.25, shape="vovk"),
    FollowTheLeader(),
    Hedge(0.5),
    Hedge(2.0, draws=True),
    Aggregating(),
]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**63), st.sampled_from(ASLEEP))
def test_where_experts_sleep_or_join_regret_on_awake_rounds_stays_within_its_bound(seed, learner):
    rng = np.random.default_rng(seed)
    rounds, n = int(rng.integers(1, 40)), int(rng.integers(2, 6))
    X = rng.integers(0, 2, (rounds, n)).astype(float) if not learner.numeric else rng.random((rounds, n))
    X[rng.random(X.shape) < 0.4] = np.nan
    X[: int(rng.integers(0, rounds)), n - 1] = np.nan  # one that joins late
    X[np.isnan(X).all(axis=1), 0] = 1.0
    honest = X[:, 0] if rng.random() < 0.5 else rng.integers(0, 2, rounds)
    y = np.where(np.isnan(honest), rng.integers(0, 2, rounds), np.nan_to_num(honest).round())
    books = ledger(learner, X, y)
    assert (books.regret <= books.bounds + 1e-9).all()


def test_where_no_theorem_lets_experts_sleep_no_bound_is_claimed():
    X, y = [[0.5, np.nan], [1, 0]], [1.0, 0.0]
    for learner in (Hedge(), AdaHedge(), FixedShare()):
        assert np.isnan(ledger(learner, X, y).bounds).all()
    assert np.isnan(ledger(FollowTheLeader(random=True), [[1, np.nan], [1, 0]], [1, 0]).bounds).all()
    late = ledger(AdaHedge(), [[0.5, 1], [1, np.nan]], y).bounds
    assert np.isfinite(late[0])
    assert np.isnan(late[1])
