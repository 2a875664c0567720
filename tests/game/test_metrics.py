"""`game.metrics`: the same numbers as counting by hand gives, with intervals that hold the truth."""

import io
from collections import Counter

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.environments import Bisection
from littlestone.game.metrics import find_share, measure

RNG = np.random.default_rng(3)
ROWS = RNG.normal(size=(3000, 5))
TWO = np.where(ROWS[:, 0] + 0.7 * RNG.normal(size=3000) > 0, "yes", "no")
THREE = np.array(["a", "b", "c"])[(ROWS[:, 0] > 0.3).astype(int) + (ROWS[:, 1] > 0.1)]


def judge_by_hand(learner, labels):
    """What `predict` says of each round before it is learned, and the chances it gives.

    The first guess is class 0, which the label that comes first gives its name.
    """
    player, said, chances = ls.Player(learner), [], []
    for x, y in zip(ROWS, labels, strict=True):
        said.append(player.predict(x) if player.tally.rounds else y)
        chances.append(player.probability(x) if player.tally.rounds else None)
        player.update(x, y)
    return said, chances


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.AveragedPerceptron(), ls.Logistic()], ids=str)
def test_confusion_and_classes_are_those_of_guesses_counted_by_hand(learner):
    said, _ = judge_by_hand(learner, TWO)
    found = ls.play(learner, ls.Recorded(ROWS, TWO)).metrics
    table = Counter(zip(TWO.tolist(), said, strict=True))
    assert found.rounds == 3000
    assert found.judged == "served"
    assert found.mistakes == sum(guess != label for guess, label in zip(said, TWO, strict=True))
    assert found.error.value == found.mistakes / 3000
    for i, truth in enumerate(found.labels):
        assert [table[truth, guess] for guess in (*found.labels, None)] == found.confusion[i].tolist()
    for one in found.classes:
        right = table[one.label, one.label]
        assert one.rounds == sum(TWO == one.label)
        assert one.recall.value == right / one.rounds
        assert one.precision.value == right / sum(guess == one.label for guess in said)
        assert one.recall.low < one.recall.value < one.recall.high
        assert one.f1.value == pytest.approx(
            2 * one.precision.value * one.recall.value / (one.precision.value + one.recall.value)
        )
        assert one.f1.low < one.f1.value < one.f1.high


def test_log_loss_auc_and_calibration_of_a_learner_that_says_chances():
    _, chances = judge_by_hand(ls.Logistic(), TWO)
    found = ls.play(ls.Logistic(), ls.Recorded(ROWS, TWO)).metrics
    names = list(found.labels)
    of_one = np.array([0.5 if p is None else p for p in chances])
    one = np.array([names.index(label) == 1 for label in TWO])
    losses = -np.log(np.where(one, of_one, 1 - of_one))[1:]
    assert not found.estimated
    assert found.log_loss.value == pytest.approx(losses.mean(), abs=2e-3)
    assert found.log_loss.low < losses.mean() < found.log_loss.high < losses.mean() + 0.06
    squares = (of_one - one)[1:] ** 2
    assert found.brier.value == pytest.approx(squares.mean(), abs=2e-3)
    assert found.brier.low < squares.mean() < found.brier.high < squares.mean() + 0.03
    ranked = np.mean(of_one[one][:, None] > of_one[~one]) + np.mean(of_one[one][:, None] == of_one[~one]) / 2
    assert found.auc.value == pytest.approx(ranked, abs=2e-3)
    assert (found.auc.low, found.auc.high) == (None, None)
    assert "of which no interval is known" in str(found)
    assert "if the rounds were drawn independently from one source" in str(found)
    assert sum(part.rounds for part in found.calibration) == 3000
    inside = [part.came.low <= part.said <= part.came.high for part in found.calibration if part.rounds > 100]
    assert sum(inside) >= len(inside) - 1
    assert (
        all(0.1 * k <= part.said <= 0.1 * (k + 1) for k, part in enumerate(found.calibration))
        or len(found.calibration) < 10
    )


def test_the_rolling_error_adds_up_to_the_mistakes():
    game = ls.play(ls.AveragedPerceptron(), ls.Recorded(ROWS, TWO))
    rounds, shares = game.metrics.rolling
    assert rounds[-1] == 3000
    assert round(float((shares * np.diff(rounds, prepend=0)).sum())) == game.metrics.mistakes
    assert ((shares >= 0) & (shares <= 1)).all()


def test_more_classes_have_no_auc_and_a_log_loss_where_chances_are_said():
    found = ls.play(ls.Logistic(), ls.Recorded(ROWS, THREE)).metrics
    assert (found.labels, found.confusion.shape, found.auc) == (found.labels, (3, 4), None)
    assert found.log_loss.low < found.log_loss.value < found.log_loss.high
    assert found.confusion.sum() == 3000


def test_a_transcript_of_live_rounds_will_do():
    game = ls.play(ls.Halving(ls.Thresholds(64)), Bisection(ls.Thresholds(64)), transcript=True)
    assert game.metrics.mistakes == game.mistakes == 6
    with pytest.raises(BadParameter, match="the rounds of this game are not known: play"):
        ls.play(ls.Halving(ls.Thresholds(64)), Bisection(ls.Thresholds(64))).metrics  # noqa: B018


def test_what_cannot_be_judged_is_said():
    player = ls.Player(ls.Perceptron())
    ls.play(player, ls.Recorded(ROWS, TWO))
    with pytest.raises(BadParameter, match="this player had played before"):
        ls.play(player, ls.Recorded(ROWS, TWO)).metrics  # noqa: B018
    with pytest.raises(BadParameter, match="confidence must be between 0 and 1"):
        measure(ls.play(ls.Perceptron(), ls.Recorded(ROWS, TWO)), 1.5)


def test_a_file_that_has_changed_is_noticed(tmp_path):
    data = tmp_path / "rows.svm"
    data.write_text("1 1:1\n0 2:1\n" * 20)
    game = ls.play(ls.Perceptron(), data)
    data.write_text("0 1:1\n1 2:1\n0 1:1 2:1\n1 2:1 1:3\n" * 10)
    with pytest.raises(BadParameter, match="has the file changed"):
        game.metrics  # noqa: B018


def test_text_is_measured_and_printed():
    text = b"ham\tSee you at five\nspam\tFREE entry now\n" * 40
    found = ls.play(ls.AveragedPerceptron(), ls.read(io.BytesIO(text), "text")).metrics
    assert str(found).splitlines()[0] == "error 0.0125 of 80 guesses served"  # the first spam
    assert found.doubt == str(found).splitlines()[-1]
    assert "do not come in an order that independent rounds would have" in found.doubt
    assert found.error.high is found.classes[0].recall.low is None
    assert "ham: 40 rounds, precision" in str(found)


def test_shares_of_nothing_and_without_an_interval():
    assert find_share(0, 0, 0.05) is None
    assert find_share(1, 4, None) == (0.25, None, None)


def test_more_classes_are_calibrated_by_the_chances_of_their_guesses():
    player, said, right = ls.Player(ls.Logistic()), [], []
    for x, y in zip(ROWS[:300], THREE[:300], strict=True):
        chances = np.ravel(player.probability(x))
        said.append(max(chances) if len(chances) > 1 else max(chances[0], 1 - chances[0]))
        right.append(player.predict(x) == y or not player.tally.rounds)  # class 0 is the label that comes first
        player.update(x, y)
    bins = ls.play(ls.Logistic(), ls.Recorded(ROWS[:300], THREE[:300])).metrics.calibration
    places = np.minimum((np.array(said) * 10).astype(int), 9)
    for one, place in zip(bins, sorted(set(places)), strict=True):
        here = places == place
        assert one.rounds == here.sum()
        assert one.said == pytest.approx(np.array(said)[here].mean(), rel=1e-9)
        assert one.came.value == pytest.approx(np.array(right)[here].mean())
