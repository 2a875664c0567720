"""A learner of one's own: one short class, no other file touched, and everything that the library's own learners have.

The relaxation method of Agmon, Motzkin and Schoenberg: after a mistake go part of the way to margin 1. If some u has
y u.x >= 1 on every update round and |x| <= R there, then updates <= R^2 |u|^2 / (l (2 - l)). Proof. An update
lowers |w - u|^2 by at least l (2 - l) (1 - y w.x)^2 / |x|^2, and y w.x <= 0.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

import littlestone as ls
from littlestone import laws, learners
from littlestone.base.errors import NotCertified
from littlestone.base.theorem import StepRule, Theorem
from littlestone.certificates.check.rules import (
    CLEAN,
    CheckedRule,
    CheckedStep,
    CheckedTheorem,
    is_at_least,
    is_between,
)
from littlestone.compiled import rule
from littlestone.game.racing import choose_learners, race
from littlestone.learners.shared.additive import Loops, make_additive_loops
from littlestone.learners.shared.linear import TIES, Linear
from littlestone.learners.shared.rules import square_length

# --- the learner, in fewer than sixty lines ---------------------------------------------------------------------------

NAME = "Relaxation (Agmon 1954, Motzkin and Schoenberg 1954)"


class RelaxationParams(NamedTuple):
    enough: float
    tie: float
    constant: float
    times: float
    part: float


@rule
def step(seen, params):
    """How far along y x: part of the way to margin 1."""
    square = square_length(seen.row, params)
    return params.part * (1.0 - seen.agreement) / square if square > 0 else 0.0


@dataclass(frozen=True)
class Relaxation(Linear):
    """After a mistake, go part of the way to a margin of 1."""

    part: float = 0.5
    bias: float = 1.0
    loops: ClassVar[Loops] = make_additive_loops(step, RelaxationParams)

    @cached_property
    def params(self):
        return RelaxationParams(0.0, TIES["strict"], float(self.bias), 1.0, float(self.part))

    def step_rule(self):
        return StepRule(self.bias, exact=False)

    def theorems(self):
        gain = Fraction(self.part) * (2 - Fraction(self.part))

        def possible(f, m):  # each update lowers |w - u|^2 by at least gain / R^2, u being stretched to margin 1
            return m * gain * f.margin**2 <= f.reach * (f.norm - 2 * f.ahead * f.margin + f.begun * f.margin**2)

        return (Theorem(NAME, CLEAN, possible, formula="R^2 |u|^2 / (l (2 - l) g^2)"),)


# --- what the checker is told: its own rule and its own inequality ----------------------------------------------------


def go_part_of_the_way(seen, parameters):
    return CheckedStep(parameters["part"] * (1 - seen.agreement) / seen.square)


def is_impossible(f, m, parameters):
    part = Fraction(parameters["part"])
    return m * part * (2 - part) * f.margin**2 > f.longest * f.norm


CHECKED = CheckedRule(
    learner="Relaxation",
    parameters={"part": is_between(0, 2), "bias": is_at_least(0)},
    step=go_part_of_the_way,
    theorems=(CheckedTheorem(NAME, CLEAN, is_impossible, clean=True),),
)


# --- what it gets for that --------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(learners, "_registered", {})
    learners.register(Relaxation)


def separable(rounds=400, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (rounds, 6)).astype(float)
    score = X @ [2.0, -1, 1, 0, 0, 3] + 0.5
    return X, score > 0


def test_it_obeys_every_law_and_its_bound_is_attacked():
    held = laws.check(Relaxation(), claims=Relaxation())
    assert {"chunks_agree", "copies_agree", "counts_are_true", "labels_come_after_guesses", "keeps_its_bound"} <= set(
        held
    )


@rule
def step_backwards(seen, params):
    return -step(seen, params)


@dataclass(frozen=True)
class Backwards(Relaxation):
    """The same with a sign flipped."""

    loops: ClassVar[Loops] = make_additive_loops(step_backwards, RelaxationParams)


def test_with_a_sign_flipped_the_laws_fail():
    with pytest.raises(laws.BrokenLaw, match="allowed by the theorem"):
        laws.check(Backwards(), claims=Backwards())


def test_its_certificate_is_made_and_verified_when_the_checker_is_told_the_rule():
    stream = ls.Recorded(*separable())
    game = ls.play(Relaxation(), stream)
    certificate = game.certificate()
    assert (certificate.theorem, certificate.counts, certificate.holds) == (NAME, "updates", True)
    assert 0 < certificate.updates == game.updates <= certificate.bound
    assert ls.verify(certificate, stream, rules=[CHECKED])
    with pytest.raises(NotCertified, match="Relaxation"):
        ls.verify(certificate, stream)
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, bound=certificate.bound - 1), stream, rules=[CHECKED])


def test_it_has_a_budget():
    X, y = separable()
    u, reach = [2, -1, 1, 0, 0, 3], float(np.sqrt((X**2).sum(axis=1).max()))
    player = ls.Player(Relaxation(), features=ls.Indexed(6))
    before = player.budget(u=u, margin=0.5, reach=reach, constant=0.5).value
    for x, label in zip(X, y, strict=True):
        updates = player.tally.updates
        player.update(x, bool(label))
        now = player.budget(u=u, margin=0.5, reach=reach, constant=0.5).value
        assert now <= before - (player.tally.updates - updates)
        before = now
    assert player.tally.updates > 3


def test_it_races_and_is_planned():
    stream = ls.Recorded(*separable())
    (own,) = [learner for learner in choose_learners(stream) if isinstance(learner, Relaxation)]
    (entry,) = race(stream, [own]).entries
    assert entry.problem is None
    assert entry.game.rounds == 400
    (line,) = [entry for entry in ls.plan(attributes=100, relevant=5).entries if isinstance(entry.learner, Relaxation)]
    assert (line.shown, line.counts) == (2121 * 4 // 3, "updates")  # l (2 - l) = 3/4 at l = 1/2


def test_it_is_an_estimator_of_scikit_learn_and_river():
    from littlestone.river import OnlineClassifier as River
    from littlestone.sklearn import OnlineClassifier

    X, y = separable()
    model = OnlineClassifier(Relaxation(part=1.0)).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.decision_function(X).shape == (400,)
    other = River(Relaxation(part=1.0))
    for x, label in zip(X, y, strict=True):
        other.learn_one(dict(enumerate(x)), bool(label))
    assert np.mean([other.predict_one(dict(enumerate(x))) == label for x, label in zip(X, y, strict=True)]) > 0.9


def test_it_is_saved_and_loaded_to_the_bit(tmp_path):
    X, y = separable()
    player = ls.play(Relaxation(), ls.Recorded(X, y)).player
    player.save(tmp_path / "own.lst")
    again = ls.load(tmp_path / "own.lst")
    assert again.learner == player.learner
    assert again.state.weights.tobytes() == player.state.weights.tobytes()
    assert [again.score(x) for x in X] == [player.score(x) for x in X]
