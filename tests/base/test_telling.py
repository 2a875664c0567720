"""What learners say of rounds before each label: compiled loops against one row at a time."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.base.telling import list_sayings, make_room, say, tell

TWO = [
    ls.Perceptron(), ls.AveragedPerceptron(), ls.PassiveAggressive(), ls.PNormPerceptron(), ls.Alma(), ls.Romma(),
    ls.Arow(bias=1), ls.Arow(diagonal=True), ls.SecondOrderPerceptron(), ls.NaiveBayes(), ls.Logistic(), ls.AdaGrad(),
    ls.VotedPerceptron(), ls.Winnow(), ls.BalancedWinnow(),
]  # fmt: skip
THREE = [ls.Network(ls.Perceptron()), ls.Network(ls.AveragedPerceptron()), ls.NaiveBayes(), ls.Logistic()]


def draw_rows(learner, classes, rounds=40):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (rounds, 7)).astype(float)
    y = (X @ rng.normal(size=(7, classes)) + 0.3 * rng.normal(size=(rounds, classes))).argmax(axis=1).astype(np.int32)
    y[:classes] = np.arange(classes)
    return Examples.of(X, y).to_sparse() if type(learner).__name__ == "Winnow" else Examples.of(X, y)


@pytest.mark.parametrize(("learner", "classes"), [(one, 2) for one in TWO] + [(one, 3) for one in THREE], ids=str)
def test_a_loop_tells_what_each_row_says(learner, classes):
    rows, size = draw_rows(learner, classes), Size(7, classes)
    state, guesses = learner.start(size), np.zeros(len(rows), np.int32)
    told, done = make_room(learner, classes, len(rows)), 0
    while done < len(rows):
        done += tell(learner, state, rows[done:], guesses[done:], told[:, done:])
        state = learner.grow(state, size)
    again, plain = learner.start(size), np.zeros(len(rows), np.int32)
    for t in range(len(rows)):
        row = rows[t : t + 1]
        before = fingerprint(copy_state(again))
        said = say(learner, again, row, classes)[:, 0]
        assert fingerprint(again) == before
        assert said == pytest.approx(told[:, t], rel=1e-6, abs=1e-12, nan_ok=True)
        while learner.replay(again, row, plain[t : t + 1]) == 0:
            again = learner.grow(again, size)
        again = learner.grow(again, size)
    assert guesses.tolist() == plain.tolist()
    assert fingerprint(state) == fingerprint(again)
    assert not np.isnan(told).all(axis=1).any()
    if list_sayings(learner)[0].kind == "score":
        wrong = (told[0] > 0) != (guesses == 1)
        assert learner.serves_apart is not False or not wrong[told[0] != 0].any()
