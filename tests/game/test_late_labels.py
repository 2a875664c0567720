"""Late labels: what is served is bounded by updates and guesses outstanding, exactly, and the bound is attained."""

import json
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter, NotCertified


def make_game(seed, rounds=80, wide=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (rounds, wide)).astype(float)
    return X, X @ rng.normal(size=wide) + rng.normal(size=rounds) > 0, rng


def serve(X, y, delays):
    """Served mistakes, updates and the sum of 1 + outstanding of a Perceptron without a constant, slow and plain."""
    w, wrong, allowed, updates, done = np.zeros(X.shape[1]), 0, 0, 0, set()
    order = sorted(range(len(y)), key=lambda t: (min(t + delays[t], len(y)), t))
    for t in range(len(y)):
        wrong += (w @ X[t] > 0) != y[t]
        last = t == len(y) - 1
        for p in order:
            if p not in done and p <= t and (p + delays[p] <= t or last):
                done.add(p)
                if (1 if y[p] else -1) * (w @ X[p]) <= 0:
                    w = w + (1 if y[p] else -1) * X[p]
                    updates, allowed = updates + 1, allowed + 1 + (t + 1 - len(done))
    return wrong, updates, allowed


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_its_twin_and_never_exceeds_the_sum(seed):
    X, y, rng = make_game(seed)
    delays = rng.integers(0, 9, len(y)).tolist() if seed % 2 else [seed] * len(y)
    stream = ls.Recorded(X, y, [False, True])
    game = ls.play_late(ls.Perceptron(bias=0), stream, delays if seed % 2 else seed)
    certificate = game.certificate()
    wrong, updates, allowed = serve(X, y, delays)
    assert (game.mistakes, certificate.updates, certificate.bound) == (wrong, updates, allowed)
    assert wrong <= allowed
    report = ls.verify(ls.Certificate.from_json(certificate.to_json()), stream)
    assert (report.counted, report.replayed) == (wrong, True)


@pytest.mark.parametrize("delay", [0, 1, 4, 9])
def test_the_sum_is_attained_by_one_instance_served_again_and_again(delay):
    stream = ls.Recorded([[1.0, 2.0]] * 20, [True] * 20, [False, True])
    game = ls.play_late(ls.Perceptron(), stream, delay)
    certificate = game.certificate()
    assert game.mistakes == certificate.bound == 1 + delay
    assert certificate.updates == 1
    assert ls.verify(certificate, stream)


def test_without_delay_it_is_the_game_itself():
    X, y, _ = make_game(3)
    stream = ls.Recorded(X, y, [False, True])
    game, plain = ls.play_late(ls.Perceptron(), stream, 0), ls.play(ls.Perceptron(), stream)
    assert (game.mistakes, game.player.tally) == (plain.mistakes, plain.tally)
    assert game.certificate().bound == plain.updates


@pytest.mark.parametrize(
    "learner", [ls.AveragedPerceptron(), ls.PassiveAggressive(), ls.Perceptron(margin=1, tie="plus")]
)
def test_other_additive_learners_and_labels_are_certified(learner):
    X, y, rng = make_game(5)
    stream = ls.Recorded(X, np.where(y, "yes", "no"), ["no", "yes"])
    game = ls.play_late(learner, stream, rng.integers(0, 5, len(y)).tolist())
    certificate = game.certificate()
    assert ls.verify(ls.Certificate.from_json(certificate.to_json()), stream)
    inner = ls.Certificate.from_json(json.dumps(certificate.witness["arrived"]))
    assert inner.holds
    assert inner.updates == game.player.tally.updates


def test_every_word_is_checked():
    X, y, rng = make_game(6)
    stream = ls.Recorded(X, y, [False, True])
    c = ls.play_late(ls.Perceptron(), stream, rng.integers(0, 6, len(y)).tolist()).certificate()
    arrivals, inner = c.witness["arrivals"], ls.Certificate.from_json(json.dumps(c.witness["arrived"]))
    swapped = [arrivals[1], arrivals[0], *arrivals[2:]]
    forged = [
        {"bound": c.bound + 1}, {"bound": c.bound - 1}, {"mistakes": c.mistakes - 1}, {"mistakes": c.mistakes + 1},
        {"updates": c.updates + 1}, {"theorem": inner.theorem}, {"promise": inner.promise}, {"exact": False},
        {"counts": "mistakes"}, {"count": 1}, {"scope": "iid"}, {"rows": None}, {"version": None}, {"updated": (1,)},
        {"witness": c.witness | {"arrivals": swapped}}, {"witness": c.witness | {"arrivals": arrivals[:-1]}},
        {"witness": c.witness | {"arrivals": [[n, m - (m > n + 1)] for n, m in arrivals]}},
        {"witness": c.witness | {"arrivals": [[n, n] for n, _ in arrivals]}},
        {"witness": c.witness | {"arrived": json.loads(replace(inner, bound=inner.bound + 1).to_json())}},
        {"learner": c.learner | {"bias": 0.0}}, {"learner": c.learner | {"classes": [True, False]}},
        {"stream": "0" * 64}, {"rounds": c.rounds - 1},
    ]  # fmt: skip
    assert ls.verify(c, stream)
    for change in forged:
        with pytest.raises(NotCertified):
            print(change, ls.verify(replace(c, **change), stream))


def test_what_has_no_sense_is_refused():
    stream = ls.Recorded([[1.0]] * 3, [True] * 3, [False, True])
    for delays in (-1, [0, 1.5, 0], [0, -2, 0]):
        with pytest.raises(BadParameter, match="a delay is a whole number"):
            ls.play_late(ls.Perceptron(), stream, delays)
    with pytest.raises(BadParameter, match="which two classes"):
        ls.play_late(ls.Perceptron(), ls.Recorded([[1.0]], ["a"]), 1)
    with pytest.raises(NotCertified, match="additive learners"):
        ls.play_late(ls.Winnow(threshold=2.0), stream, 1).certificate()
    with pytest.raises(NotCertified, match="moved nothing"):
        ls.play_late(ls.PassiveAggressive(bias=0), ls.Recorded([[0.0]] * 3, [True] * 3, [False, True]), 1).certificate()
