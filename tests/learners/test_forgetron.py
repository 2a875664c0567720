"""The Forgetron: gold runs, its twin, chunks, its bound attacked, its certificates, and forgeries of these."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.learner import Size, fingerprint
from reference import forgetron
from row_games import agree, noisy, scores_of


def gauss(width):
    return lambda x, z: math.exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / (2 * width**2))


def draw_stream(rounds=200, seed=0):
    """Rows whose label is the sign of a product, with some noise."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, 3)), 2)
    return ls.Recorded(X, (X[:, 0] * X[:, 1] > 0) != (rng.random(rounds) < 0.05))


def test_the_gold_run_of_rows_that_are_far_apart():
    """Kernels are 0 and 1, so that every number can be worked out by hand."""
    game = ls.play(ls.Forgetron(budget=1), ls.Recorded([[0.0], [99.0], [198.0], [198.0]], [True] * 4))
    state = game.player.state
    assert state.counts.tolist() == [4, 3]
    part = 4 / 3 - math.sqrt(17 / 18)
    assert state.support.rows == 1
    assert state.support.coefficients[0] == pytest.approx(part, rel=1e-14)
    assert state.sums.tolist() == pytest.approx([45 / 32, 1 / 7 + (1 - part) / (1 + part)], rel=1e-14)


def test_nothing_shrinks_while_forgetting_is_cheap():
    rounds = [[0.0], [99.0], [198.0], [297.0], [396.0], [495.0]]
    game = ls.play(ls.Forgetron(budget=5), ls.Recorded(rounds, [True] * 6))
    assert game.player.state.sums.tolist() == [1.0, 0.0]  # M = 6: p = 1 costs -1 + 2, which is at most 90 / 32


@given(noisy(3, longest=60), st.integers(1, 4), st.sampled_from([0.7, 2.0]))
def test_agrees_with_its_twin_on_noisy_rounds(rounds, budget, width):
    theirs, kept, sums = forgetron(rounds, gauss(width), budget)
    ours, state = scores_of(ls.Forgetron(budget, width), rounds)
    assert state.support.rows <= budget
    if agree(ours, theirs) == len(rounds):
        assert state.support.coefficients[: len(kept)].tolist() == pytest.approx([c for _, c in kept], rel=1e-6)
        assert state.sums.tolist() == pytest.approx(sums, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("sparse", [False, True])
def test_chunks_and_single_rounds_agree_to_the_last_bit(sparse):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(75, 6)) * (rng.random((75, 6)) < 0.6), rng.integers(0, 2, 75).astype(np.int32)
    learner, chunk, games = ls.Forgetron(7), Examples.of(X, y), []
    chunk = chunk.to_sparse() if sparse else chunk
    for cut in (1, 8, 75):
        state, guesses, played = learner.start(Size(6)), np.zeros(75, np.int32), 0
        while played < 75:
            done = learner.replay(state, chunk[played : played + cut], guesses[played : played + cut])
            if done < min(cut, 75 - played):
                state = learner.grow(state, Size(6))
            played += done
        games.append((guesses.tolist(), fingerprint(state)))
    assert all(game == games[0] for game in games)
    assert learner.scores(state, chunk).tolist() == [learner.score(state, chunk[t]) for t in range(75)]


@pytest.mark.parametrize("budget", [1, 3, 20])
def test_no_comparator_shows_more_updates_than_the_theorem_allows(budget):
    rng, worst = np.random.default_rng(budget), 0.0
    for game in range(6):
        rows = rng.integers(-2, 3, (12, 2)).astype(float)  # few points, again and again
        target, which = rng.choice([-1, 1], 12), rng.integers(0, 12, 120)
        player, taught = ls.Player(ls.Forgetron(budget), classes=(False, True)), []
        for i in which.tolist():
            label, before = int(target[i]) * (-1 if game % 2 and rng.random() < 0.1 else 1), player.tally.updates
            player.update(rows[i], label > 0)
            taught += [(i, label)] * (player.tally.updates - before)
        Q, D = player.state.sums.tolist()
        assert Q <= 15 / 32 * len(taught) + 1e-9
        K = np.array([[gauss(1.0)(a, b) for b in rows] for a in rows])
        for scale in (0.0, 0.5, 1.0, 2.0):
            a = scale * (np.linalg.lstsq(K, target.astype(float), rcond=None)[0] + 0.1 * rng.normal(size=12))
            hinge = sum(max(0.0, 1 - label * float(K[i] @ a)) for i, label in taught)
            worst = max(worst, len(taught) / ((1 + D) * float(a @ K @ a) + 2 * hinge + Q))
    assert 0.3 < worst <= 1


def test_the_bound_is_attained_by_one_round():
    certificate = ls.certify(ls.Forgetron(), ls.Recorded([[1.0]], [True]))
    assert (certificate.updates, certificate.bound) == (1, 1)


@pytest.mark.parametrize("budget", [2, 30, 500])
def test_certificates_are_verified_by_the_rules_of_the_check(budget):
    stream = draw_stream()
    player = ls.Player(ls.Forgetron(budget))
    ls.play(player, stream)
    certificate = ls.Certificate.from_json(ls.certify(player, stream).to_json())
    assert ls.verify(certificate, stream).replayed
    assert certificate.updates == player.tally.updates
    assert [certificate.witness["forgotten"], certificate.witness["shrunk"]] == player.state.sums.tolist()


def with_word(certificate, word, value):
    return replace(certificate, witness=certificate.witness | {word: value})


FORGERIES = {
    "bound": lambda c: replace(c, bound=c.bound - 1),
    "larger bound": lambda c: replace(c, bound=c.bound + 1),
    "updates": lambda c: replace(c, updates=c.updates - 1),
    "updated": lambda c: replace(c, updated=c.updated[1:], updates=c.updates - 1),
    "mistakes": lambda c: replace(c, mistakes=c.mistakes - 1),
    "forgotten": lambda c: with_word(c, "forgotten", c.witness["forgotten"] + 1.0),
    "shrunk": lambda c: with_word(c, "shrunk", c.witness["shrunk"] * 2),
    "numerators": lambda c: with_word(c, "numerators", [2 * k for k in c.witness["numerators"]]),
    "fewer numerators": lambda c: with_word(c, "numerators", c.witness["numerators"][1:]),
    "more words": lambda c: with_word(c, "more", 1),
    "budget": lambda c: replace(c, learner=c.learner | {"budget": 11}),
    "width": lambda c: replace(c, learner=c.learner | {"width": 1.5}),
    "another word": lambda c: replace(c, learner=c.learner | {"bias": 1.0}),
    "exact": lambda c: replace(c, exact=True),
    "scope": lambda c: replace(c, scope="class"),
    "counts": lambda c: replace(c, counts="mistakes"),
    "theorem": lambda c: replace(c, theorem="Novikoff"),
    "count": lambda c: replace(c, count=1),
    "rows": lambda c: replace(c, rows=None),
}


def test_forgeries_are_refused():
    stream = draw_stream(120)
    honest = ls.certify(ls.Forgetron(10), stream)
    assert ls.verify(honest, stream)
    assert honest.witness["shrunk"] > 0
    for change in FORGERIES.values():
        with pytest.raises(NotCertified):
            ls.verify(change(honest), stream)


def test_refuses_bad_parameters():
    for bad in ({"budget": 0}, {"width": 0.0}):
        with pytest.raises(BadParameter, match=next(iter(bad))):
            ls.Forgetron(**bad)
