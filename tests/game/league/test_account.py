"""The account of a league's mistakes: the gold case, its twin, and games that attack it."""

import math

import numpy as np
import pytest

import reference
from littlestone.game.league.books import (
    CHANCE,
    COINS,
    FOLLOWED,
    GAP,
    MET,
    STOOD,
    Books,
    Layout,
    RoundBench,
    Rules,
    Told,
)
from littlestone.game.league.mixture import play


def run_guesses(chances, labels, seed=0, follows=True):
    """Play members whose chance of class 1 is given, round by round, the next row chosen by a function of the books."""
    members = len(chances(None, 0))
    kinds = np.full(members, CHANCE)
    books, layout = Books.start(kinds, 1, 2), Layout.of(kinds, 2)
    books.counts[MET] = 2
    rules, wrong, best = Rules(np.array([0.0]), False, 1.0, seed, follows), [], []
    for t in range(labels):
        row = np.array(chances(books, t))
        said = np.empty((2 * members, 1))
        said[1::2, 0], said[::2, 0] = row, 1 - row
        told, bench = Told.of(1, books), RoundBench.of(books)
        copy = Books(*(part.copy() for part in books))
        play(copy, bench, layout, said, np.array([0], np.int32), np.zeros(0), rules, told, np.zeros(members))
        label = 1 - int(bench.said[1] > bench.said[0])  # the adversary: the largest chance is always wrong
        told = Told.of(1, books)
        labels_now = np.array([label], np.int32)
        play(books, RoundBench.of(books), layout, said, labels_now, np.zeros(0), rules, told, np.zeros(members))
        wrong.append([int(p > 0.5) != label for p in row])
        best.append(True)
        yield books, wrong, best


def test_gold_leader_errs():
    """Two members, the leader errs each round, and so does the largest chance."""

    def chances(books, t):
        if books is None:
            return [0, 0]
        leader = int(books.wrong[1] < books.wrong[0])
        return [0.999, 0.002] if leader == 0 else [0.002, 0.999]

    *_, (books, wrong, best) = run_guesses(chances, 200, follows=False)
    twin = reference.league_account([[t % 2 == 0, t % 2 == 1] for t in range(200)], [True] * 200)
    assert (round(twin.followed, 4), round(twin.stood, 4), twin.coins[0]) == (105.4902, 115.6587, 10)
    assert (round(twin.allowed[-1], 4), round(2 * twin.gap, 4)) == (10.9770, 11.7874)
    again = reference.league_account(wrong, best)
    assert books.sums[STOOD] == pytest.approx(again.stood, rel=1e-9)
    assert books.sums[FOLLOWED] == pytest.approx(again.followed, rel=1e-9)
    assert books.sums[GAP] == pytest.approx(again.gap, rel=1e-9)
    assert books.counts[COINS] == len(again.coins)


def attack(games, rounds, seed):
    rng, worst = np.random.default_rng(seed), 0.0
    for game in range(games):
        members, shift = int(rng.integers(2, 7)), rng.uniform(-0.3, 0.3, 8)

        def chances(books, t, members=members, shift=shift, game=game):
            if books is None:
                return [0] * members
            noise = np.random.default_rng([game, t]).uniform(0, 1, members)
            return np.clip(noise + shift[:members], 0.01, 0.99).tolist()

        last = None
        for books, missed, _ in run_guesses(chances, rounds, seed=game, follows=game % 2 == 0):
            last = missed
            least = min(books.wrong)
            variety = math.log(members)
            f = math.sqrt(least * variety) + variety + 2
            assert books.sums[STOOD] <= books.sums[FOLLOWED] + f + 1e-9
            assert books.sums[FOLLOWED] <= least + 2 * books.sums[GAP] + 1e-9
            worst = max(worst, (books.sums[STOOD] - books.sums[FOLLOWED]) / f)
        assert books.wrong.tolist() == np.sum(last, axis=0).tolist()
    return worst


def test_no_game_overdraws_the_account():
    assert 0.5 < attack(12, 60, 0) <= 1 + 1e-9


@pytest.mark.long
def test_no_game_overdraws_the_account_in_many_games():
    assert 0.5 < attack(400, 150, 1) <= 1 + 1e-9


def follow_plainly(members, mixed, labels):
    """The guesses of the rule, from those of the members and the classes of the largest chance, round by round."""
    n, guesses = len(members[0]), []
    for t in range(len(labels)):
        margins = []
        for i in range(n):
            alone = sum(members[s][i] != labels[s] and mixed[s] == labels[s] for s in range(t))
            other = sum(members[s][i] == labels[s] and mixed[s] != labels[s] for s in range(t))
            margins.append(other - alone - math.sqrt(alone + other) - math.log(n))
        best = max(margins)
        guesses.append(members[t][margins.index(best)] if best > 0 else mixed[t])
    return guesses


def test_a_member_that_is_clearly_ahead_of_the_largest_chance_is_followed():
    rng, followed = np.random.default_rng(5), 0
    for _ in range(6):
        rounds, n = 150, int(rng.integers(2, 5))
        labels = rng.integers(0, 2, rounds)
        chances = np.clip(labels[:, None] + rng.choice([-0.4, -0.45, -0.9, 0.4, 0.9], (rounds, n)), 0.01, 0.99)
        chances[:, 0] = np.where(rng.random(rounds) < 0.97, np.where(labels == 1, 0.51, 0.49), 1 - labels)  # right, shy
        chances = np.clip(chances, 0.01, 0.99)
        kinds = np.full(n, CHANCE)
        said = np.empty((2 * n, rounds))
        said[1::2], said[::2] = chances.T, 1 - chances.T
        found = {}
        for follows in (False, True):
            books, layout = Books.start(kinds, 1, 2), Layout.of(kinds, 2)
            books.counts[MET] = 2
            rules, told = Rules(np.array([0.0]), False, 1.0, 0, follows), Told.of(rounds, books)
            play(
                books,
                RoundBench.of(books),
                layout,
                said,
                labels.astype(np.int32),
                np.zeros(0),
                rules,
                told,
                np.zeros(n),
            )
            found[follows] = told
        assert (found[False].chances == found[True].chances).all()  # what is served in nats stays
        mixed = np.where(found[True].chances > 0.5, labels, 1 - labels)
        twin = np.array(follow_plainly((chances > 0.5).astype(int).tolist(), mixed.tolist(), labels.tolist()))
        steady = found[True].flags == 0
        assert (found[True].guesses[steady] == twin[steady]).all()
        assert (found[False].guesses[found[False].flags == 0] == mixed[found[False].flags == 0]).all()
        followed += int((twin != mixed)[steady].sum())
    assert followed > 20
