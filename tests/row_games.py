"""Small games over rows: noisy rounds, separable rounds, and a learner's score before each round."""

import numpy as np
from hypothesis import strategies as st

from littlestone.base.chunks import Row
from littlestone.base.learner import Size


def noisy(d, longest=24, largest=3):
    """Lists of rounds ([x_1, ..., x_d], +1 or -1), labels at random."""
    x = st.lists(st.integers(-largest, largest), min_size=d, max_size=d)
    return st.lists(st.tuples(x, st.sampled_from([-1, 1])), min_size=1, max_size=longest)


def separable(seed, d, rounds, margin=0.0):
    """Random rows in [-1, 1]^d that some unit vector u separates by at least `margin`, and u."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    X = rng.uniform(-1, 1, (8 * rounds, d))
    X = X[np.abs(X @ u) > margin][:rounds]
    return X, np.sign(X @ u), u


def scores_of(learner, rounds, seed=0):
    """The learner's score before each round, and its last state; every other row is given as a sparse one."""
    state, scores = learner.start(Size(len(rounds[0][0])), seed), []
    for t, (x, y) in enumerate(rounds):
        row = Row(None, np.array(x, float))
        row = row.to_sparse() if t % 2 else row
        if learner.full(state, row):
            state = learner.grow(state, Size(len(x)))
        scores.append(learner.score(state, row))
        assert learner.predict(state, row) == (scores[-1] > 0)
        assert learner.round(state, row, int(y > 0)) == (scores[-1] > 0)
    return scores, state


def agree(ours, theirs, edges=(0.0,)):
    """Equal to rounding, up to the first round where rounding decides; how many rounds were compared."""
    for t, (score, exact) in enumerate(zip(ours, theirs, strict=True)):
        assert abs(score - exact) <= 1e-7 * max(1.0, abs(exact)), f"round {t + 1}: {score}, but {float(exact)}"
        if any(score != exact and min(abs(exact - edge), abs(exact + edge)) < 1e-6 for edge in edges):
            return t + 1
    return len(ours)
