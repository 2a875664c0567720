"""Bounded memory: weights of few attributes, however many turn up, and what that costs."""

import math

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone as ls
import reference
from littlestone.base.errors import BadInstance, BadParameter, NotCertified
from littlestone.base.learner import fingerprint
from littlestone.game.saving.states import count_bytes


def draw(rounds, n=300, active=6, relevant=4, seed=0):
    """Rows of a few active attributes, more often low ones; the OR of the first `relevant` is the label."""
    rng = np.random.default_rng(seed)
    rows = [frozenset((n * rng.random(active) ** 2).astype(int).tolist()) for _ in range(rounds)]
    return [(x, bool(x & set(range(relevant)))) for x in rows]


def record(rounds, n):
    indptr = np.cumsum([0, *(len(x) for x, _ in rounds)])
    indices = np.concatenate([sorted(x) for x, _ in rounds])
    matrix = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(rounds), n))
    return ls.Recorded(matrix, [y for _, y in rounds])


def step_through(learner, rounds, n):
    """The game round by round: guesses, and (round, attribute) of what left."""
    player, left = ls.Player(learner, features=ls.Indexed(n), classes=[False, True]), []
    guesses, before = [], set()
    for t, (x, y) in enumerate(rounds):
        row = dict.fromkeys(sorted(x), 1)
        guesses.append(player.predict(row))
        player.update(row, y)
        after = set(player.state.attributes.tolist()) - {-1}
        left += [(t, i) for i in sorted(before - after)]
        before = after
    return player, guesses, left


@pytest.mark.parametrize("by", ["weight", "seen"])
@pytest.mark.parametrize(("inner", "threshold"), [(ls.Perceptron(bias=0), None), (ls.Winnow(threshold=4.0), 4)])
def test_agrees_with_its_twin(inner, threshold, by):
    rounds = draw(400)
    learner = ls.Discarding(inner, keep=20, by=by)
    player, guesses, left = step_through(learner, rounds, 300)
    expected, gone = reference.discarding(rounds, 20, by, threshold)
    assert guesses == expected
    assert left == sorted((t, i) for t, i, _ in gone)
    assert len(left) > 30
    assert int(player.state.counts[1]) == len(left)
    assert player.state.lost[0] == float(sum(abs(w) for *_, w in gone))


def test_with_room_for_all_it_is_the_perceptron_inside():
    rounds = draw(300)
    inner = ls.Perceptron(margin=1)
    alone, kept = (ls.play(one, record(rounds, 300)) for one in (inner, ls.Discarding(inner, keep=300)))
    assert (kept.mistakes, kept.updates) == (alone.mistakes, alone.updates)
    assert kept.player.learner.plane(kept.player.state)[0].tolist() == inner.plane(alone.player.state)[0].tolist()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by", ["weight", "seen"])
def test_winnow_relearns_what_was_wrongly_discarded_and_no_more(by, seed):
    rounds = draw(1500, n=2000, seed=seed)
    learner = ls.Discarding(ls.Winnow(threshold=16.0), keep=12, by=by)
    player, guesses, left = step_through(learner, rounds, 2000)
    wrongly = sum(i < 4 for _, i in left)
    promoted = sum(y and not guess for guess, (_, y) in zip(guesses, rounds, strict=True))
    demoted = sum(guess and not y for guess, (_, y) in zip(guesses, rounds, strict=True))
    assert promoted <= (4 + wrongly) * 5
    assert demoted < 2 * int(player.state.counts[0]) / 16 + 2 * promoted
    assert wrongly > 0


@pytest.mark.parametrize("seed", range(4))
def test_the_perceptron_pays_for_the_weights_that_left(seed):
    rounds = draw(1000, n=500, relevant=40, seed=seed)
    rounds = [(x | {499}, bool(y)) for x, y in rounds if (len(x & set(range(40))) >= 1) == y]
    u = np.array([2.0] * 40 + [0.0] * 459 + [-1.0])  # u.x >= 1 or <= -1
    game = ls.play(ls.Discarding(ls.Perceptron(bias=0), keep=30), record(rounds, 500))
    r = math.sqrt(7 * (u @ u))
    lost = 2.0 * float(game.player.state.lost[0])
    assert lost > 0
    assert game.updates <= ((r + math.sqrt(r * r + 4 * lost)) / 2) ** 2


def test_what_has_least_weight_leaves_less_harm_than_what_was_seen_least():
    rounds = draw(4000, n=20_000, seed=1)
    whole = ls.play(ls.Winnow(threshold=16.0), record(rounds, 20_000)).mistakes
    weight, seen = (
        ls.play(ls.Discarding(ls.Winnow(threshold=16.0), keep=40, by=by), record(rounds, 20_000)).mistakes
        for by in ("weight", "seen")
    )
    assert whole <= weight <= seen


def test_memory_does_not_grow_with_the_attributes():
    learner, rng = ls.Discarding(ls.Perceptron(), keep=100), np.random.default_rng(0)
    player = ls.Player(learner)
    player.update({0: 1}, True)
    before = count_bytes(player.state)
    for _ in range(200):
        player.update(dict.fromkeys(sorted(rng.integers(0, 2**31 - 2, 8).tolist()), 1), bool(rng.random() < 0.5))
    assert count_bytes(player.state) == before < 10_000
    assert player.size.attributes > 10**9


def test_goes_on_from_a_file_to_the_bit(tmp_path):
    rounds = draw(400)
    learner = ls.Discarding(ls.Winnow(threshold=4.0), keep=20)
    player = ls.play(learner, record(rounds[:200], 300)).player
    player.save(tmp_path / "kept.model")
    loaded, rest = ls.load(tmp_path / "kept.model"), record(rounds[200:], 300)
    assert ls.play(loaded, rest).mistakes == ls.play(player, rest).mistakes
    assert fingerprint(loaded.state) == fingerprint(player.state)


def test_it_is_a_rule_of_a_network():
    rounds = draw(300)
    rule = ls.Discarding(ls.Winnow(threshold=4.0), keep=20)
    network, alone = (ls.Player(one, classes=[False, True]) for one in (ls.Snow((ls.Perceptron(), rule)), rule))
    for player in (network, alone):
        ls.play(player, record(rounds, 300))
    assert fingerprint(network.state.units[1]) == fingerprint(alone.state)


def test_what_it_cannot_keep_is_refused():
    learner = ls.Discarding(ls.Perceptron(), keep=3)
    with pytest.raises(BadInstance, match="keeps 3 attributes and takes rows of no more, got 4: raise keep"):
        ls.play(learner, ls.Recorded([[1.0, 1.0, 1.0, 1.0]], [True]))
    assert ls.play(learner, ls.Recorded([[1.0, 0.0, 1.0, 1.0]], [True])).rounds == 1
    for bad in (ls.AveragedPerceptron(), ls.Arow(), ls.Halving(ls.Thresholds(3)), ls.NaiveBayes()):
        with pytest.raises(BadParameter, match="known of Perceptron and Winnow"):
            ls.Discarding(bad, keep=3)
    with pytest.raises(BadInstance, match=r"0 or 1, got 0\.5"):
        ls.play(ls.Discarding(ls.Winnow(threshold=4.0), keep=3), ls.Recorded([[0.5]], [False]))
    with pytest.raises(BadParameter, match="threshold"):
        ls.Discarding(ls.Winnow(), keep=3)
    with pytest.raises(BadParameter, match="keep"):
        ls.Discarding(ls.Perceptron(), keep=0)
    with pytest.raises(NotCertified, match="takes its weight along"):
        ls.certify(learner, ls.Recorded([[1.0]], [True]))
