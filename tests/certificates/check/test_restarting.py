"""Winnow in phases: caps from the paper, phases found again, the last one certified, and nothing forged accepted."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.restarting import count_patience


def make_game(rounds=900, noise=0.2):
    rng = np.random.default_rng(0)
    X = (rng.random((rounds, 6)) < 0.5).astype(float)
    return X, (X[:, :3].sum(axis=1) >= 2) ^ (rng.random(rounds) < noise)


@pytest.mark.parametrize("n", [2, 8, 65, 300])
def test_the_caps_are_what_the_learner_waits_for(n):
    for strict in (False, True):
        learner = ls.Restarting(ls.Winnow(strict_gt=strict))
        found = [count_patience(j, n, Fraction(n), strict) for j in range(1, 9)]
        assert found == [learner.patience(j, n) for j in range(1, 9)]


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize(("rounds", "phases"), [(200, 0), (900, 1), (4000, 2)])
def test_each_phase_that_ended_counts_its_cap_and_the_last_its_own_bound(rounds, phases, words):
    X, y = make_game(rounds, 0.5 if phases == 2 else 0.2)
    stream = ls.Recorded(X, np.where(y, "p", "n") if words else y)
    game = ls.play(ls.Restarting(ls.Winnow()), stream)
    c = game.certificate()
    assert len(c.witness["phases"]) == len(game.player.state.phases) == phases
    caps = sum(count_patience(j + 1, 6, Fraction(6), False) + 1 for j in range(phases))
    assert c.bound == caps + c.witness["last"]["bound"]
    assert (c.updates, c.mistakes) == (game.updates, game.mistakes)
    report = ls.verify(ls.Certificate.from_json(c.to_json()), stream)
    assert report.exact
    assert report.replayed


def test_a_game_that_ends_with_a_phase_has_no_last_one():
    X, y = make_game(900)
    whole = ls.certify(ls.Restarting(ls.Winnow()), ls.Recorded(X, y))
    (end,) = whole.witness["phases"]
    stream = ls.Recorded(X[:end], y[:end])
    c = ls.certify(ls.Restarting(ls.Winnow()), stream)
    assert c.witness == {"phases": [end], "last": None}
    assert ls.verify(c, stream).counted == c.bound == c.updates


def test_every_word_is_checked():
    X, y = make_game(900)
    stream = ls.Recorded(X, y)
    c = ls.certify(ls.Restarting(ls.Winnow(), attributes=6), stream)
    inner = ls.Certificate.from_json(json.dumps(c.witness["last"]))
    more = json.loads(replace(inner, bound=inner.bound + 1).to_json())
    unit = c.learner["learner"]
    forged = [
        {"bound": c.bound + 1}, {"bound": c.bound - 1}, {"mistakes": c.mistakes + 1}, {"updates": c.updates - 1},
        {"updated": c.updated[1:]}, {"theorem": inner.theorem}, {"promise": inner.promise}, {"counts": "mistakes"},
        {"count": c.updates}, {"scope": "iid"}, {"exact": False}, {"rows": None}, {"version": None}, {"marks": (1,)},
        {"witness": c.witness | {"phases": []}}, {"witness": c.witness | {"last": None}}, {"stream": "0" * 64},
        {"witness": c.witness | {"last": more}}, {"witness": c.witness | {"more": 1}}, {"rounds": c.rounds - 1},
        {"learner": c.learner | {"attributes": 7}}, {"learner": c.learner | {"learner": unit | {"promotion": 1.5}}},
        {"learner": c.learner | {"learner": unit | {"strict_gt": True}}}, {"learner": c.learner | {"more": 1}},
        {"learner": c.learner | {"learner": unit | {"threshold": 5.0}}}, {"learner": c.learner | {"attributes": None}},
    ]  # fmt: skip
    assert ls.verify(c, stream)
    for change in forged[:-1]:
        with pytest.raises(NotCertified):
            print(change, ls.verify(replace(c, **change), stream))
    assert ls.verify(replace(c, **forged[-1]), stream)  # the stream says the same number


def test_what_cannot_be_certified_is_refused():
    rng = np.random.default_rng(1)
    stream = ls.Recorded(rng.random((30, 3)), rng.random(30) < 0.5)
    with pytest.raises((NotCertified, ls.errors.LittlestoneError)):
        ls.certify(ls.Restarting(ls.Winnow(real=True)), stream)
