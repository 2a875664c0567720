"""What is served in each round is what `readout` says before the label teaches, in every way of playing."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.learner import Size, copy_state
from littlestone.learners.conversions import Duplicated, Interactions

LEARNERS = {
    "averaged": (ls.AveragedPerceptron(), 2),
    "averaged with margin": (ls.AveragedPerceptron(rate=0.3, margin=1.0, bias=0.5), 2),
    "voted": (ls.VotedPerceptron(), 2),
    "perceptron": (ls.Perceptron(), 2),
    "network of 3": (ls.Network(ls.AveragedPerceptron()), 3),
    "network of 9": (ls.Network(ls.AveragedPerceptron()), 9),
    "network of 20": (ls.Network(ls.AveragedPerceptron()), 20),
    "network of 40": (ls.Network(ls.AveragedPerceptron()), 40),
    "network of perceptrons": (ls.Network(ls.Perceptron()), 4),
    "interactions": (Interactions(ls.AveragedPerceptron(), 2), 2),
    "duplicated": (Duplicated(ls.AveragedPerceptron(bias=0)), 2),
}


def make_rounds(kind, real, classes, boolean, rows=300, width=9, seed=3):
    """Noisy rounds, dense, listed, or listed with values of 1."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rows, width)).astype(real) if boolean else rng.normal(size=(rows, width)).astype(real)
    y = (X @ rng.normal(size=(width, classes)) + rng.normal(size=(rows, classes))).argmax(axis=1).astype(np.int32)
    if kind == "dense":
        return Examples.of(X, y)
    listed = [np.flatnonzero(row if boolean else rng.random(width) < 0.6) for row in X]
    indptr = np.concatenate(([0], np.cumsum([len(one) for one in listed])))
    indices = np.concatenate(listed).astype(np.int32)
    values = None if boolean else np.concatenate([X[t, one] for t, one in enumerate(listed)])
    return Examples(indptr, indices, values, y, width)


@pytest.mark.parametrize("kind", ["dense", "listed"])
@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("name", LEARNERS)
def test_what_is_served_is_the_readout_before_the_label(name, real, kind):
    learner, classes = LEARNERS[name]
    chunk = make_rounds(kind, real, classes, boolean=name in ("duplicated", "interactions"))
    state = learner.start(Size(chunk.width, classes, real))
    twin = copy_state(state)
    guesses, plain, served = np.zeros(300, np.int32), np.zeros(300, np.int32), np.full((2, 300), np.nan)
    done = 0
    for cut in (1, 2, 64, 300):  # ragged chunks
        while done < cut:
            done += learner.serve(state, chunk[done:cut], guesses[done:cut], served[:, done:cut])
            state = learner.grow(state, Size(chunk.width, classes, real))
    expected = []
    for t in range(300):
        expected.append(int(learner.readouts(twin, chunk[t : t + 1])[0]))
        while learner.replay(twin, chunk[t : t + 1], plain[t : t + 1]) == 0:
            twin = learner.grow(twin, Size(chunk.width, classes, real))
    assert served[0].tolist() == expected
    assert guesses.tolist() == plain.tolist()
    if learner.serves_apart is not False:
        assert served[0].tolist() != guesses.tolist(), "the game does not tell the two apart"
    else:
        assert served[0].tolist() == guesses.tolist()


def test_served_scores_are_those_a_player_reports():
    chunk = make_rounds("listed", np.float32, 2, boolean=False)
    learner = ls.AveragedPerceptron()
    state, served = learner.start(Size(chunk.width, 2, np.float32)), np.zeros((2, 300))
    twin = copy_state(state)
    learner.serve(state, chunk, np.zeros(300, np.int32), served)
    for t in range(300):
        assert served[1, t] == learner.scores(twin, chunk[t : t + 1])[0]
        learner.replay(twin, chunk[t : t + 1], np.zeros(1, np.int32))
