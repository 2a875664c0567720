"""Progressive validation: counted class by class, and estimated for probabilities, from guesses before labels."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, precision_recall_fscore_support, roc_auc_score

from littlestone.base.environment import cut_chunks
from littlestone.environments import Recorded
from littlestone.environments.derived import Derived
from littlestone.game import evaluation
from littlestone.game.evaluation import SPAN, WINDOW, Evaluation, find_bins, find_next_fit
from littlestone.game.game import play_events, start_game
from littlestone.game.play import play
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player
from littlestone.learners import AveragedPerceptron, Perceptron
from littlestone.learners.shared.rounds import find_bin

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


@given(pairs, st.integers(1, 7))
def test_counts_are_those_of_scikit_learn_whatever_the_pieces(rounds, step):
    guesses, codes = (np.array(column) for column in zip(*rounds, strict=True))
    seen = Evaluation()
    for first in range(0, len(codes), step):
        seen.add(guesses[first : first + step], codes[first : first + step])
    assert (seen.rounds, seen.mistakes) == (len(codes), int((guesses != codes).sum()))
    met = sorted(set(codes.tolist()) | set(guesses.tolist()))
    precision, recall, _, came = precision_recall_fscore_support(codes, guesses, labels=met, zero_division=0)
    for row in seen.tabulate(list(range(4))):
        if row["class"] in met:
            k = met.index(row["class"])
            assert (row["rounds"], row["precision"] or 0, row["recall"] or 0) == (came[k], precision[k], recall[k])
    truth = [k for k in met if came[met.index(k)]]
    inside = np.isin(guesses, truth)
    if inside.all() and len(met) > 1:
        assert math.isclose(seen.balanced_error, 1 - balanced_accuracy_score(codes, guesses), abs_tol=1e-12)


def test_a_guess_before_any_class_was_known_is_nobodys():
    seen = Evaluation()
    seen.add(np.array([-1, 0]), np.array([0, 0]))
    assert (seen.mistakes, seen.confusion.tolist()) == (1, [[1, 0, 1], [0, 0, 0]])
    seen.add(np.array([3]), np.array([2]))
    assert seen.confusion[0].tolist() == [1, 0, 0, 0, 1]
    assert seen.mistakes == 2


def test_the_latest_rounds_slide():
    seen = Evaluation()
    seen.add(np.zeros(3 * WINDOW, int), np.ones(3 * WINDOW, int))
    assert seen.recent == 1
    seen.add(np.zeros(WINDOW // 4, int), np.zeros(WINDOW // 4, int))
    assert seen.recent == 0.75


def test_slopes_are_fitted_at_powers_of_two_then_at_equal_steps():
    assert [find_next_fit(t) for t in (0, 1, 2, 3, 4, 1023, 1024)] == [1, 2, 4, 4, 8, 1024, 2048]
    assert [find_next_fit(t) for t in (SPAN - 1, SPAN, 2 * SPAN - 1, 2 * SPAN)] == [SPAN, 2 * SPAN, 2 * SPAN, 3 * SPAN]


def noisy(rounds=900, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rounds, 5))
    return X, (X[:, 0] + 0.5 * X[:, 1] + 0.7 * rng.standard_normal(rounds)) > 0


class Cut(Derived):
    """The chunks of a stream cut finer."""

    def __init__(self, stream, following, first=0):
        super().__init__(stream)
        self.following, self.first = following, first

    def chunks(self):
        return cut_chunks(self.stream.chunks(), self.following, self.first)


def watched(X, y, learner, cut=find_next_fit):
    seen = Evaluation()
    game = play(Player(learner), Cut(Recorded(X, y), cut), watch=seen.watch)
    return seen, game


def test_log_loss_and_auc_are_close_to_those_of_every_single_round():
    X, y = noisy(1023)  # all scores of the first 1,024 rounds are counted, so that only bins and fits differ
    seen, _ = watched(X, y, Perceptron())
    player = Player(Perceptron())
    scores, losses = [], []
    for x, label in zip(X, y, strict=True):
        if player.tally.rounds:
            chance = player.probability(x) if player.tally.rounds > 1 else 0.5
            losses.append(-math.log(chance if label else 1 - chance))
        scores.append(player.score(x))
        player.update(x, bool(label))
    assert abs(seen.auc - roc_auc_score(y, scores)) < 0.01
    assert abs(seen.log_loss - np.mean(losses)) < 0.05


def test_early_scores_of_zero_make_nobody_certain():
    X, y = np.repeat(np.eye(2), 50, axis=0)[np.random.default_rng(0).permutation(100)], None
    y = X[:, 0] > 0
    seen, _ = watched(X, y, AveragedPerceptron())
    assert seen.log_loss < 1


def test_figures_do_not_depend_on_how_the_stream_was_cut():
    X, y = noisy()
    fine, _ = watched(X, y, Perceptron(), lambda t: min(find_next_fit(t), (t // 7 + 1) * 7))
    whole, _ = watched(X, y, Perceptron())
    assert fine.to_record() == whole.to_record()


def test_a_record_in_json_goes_on_as_if_nothing_had_happened():
    X, y = noisy()
    whole, game = watched(X, y, Perceptron())
    seen, player = Evaluation(), Player(Perceptron())
    play(player, Cut(Recorded(X[:300], y[:300]), find_next_fit), watch=seen.watch)
    seen = Evaluation.from_record(json.loads(json.dumps(seen.to_record())))
    play(player, Cut(Recorded(X[300:], y[300:]), find_next_fit, 300), watch=seen.watch)
    assert seen.to_record() == whole.to_record()
    assert seen.log_loss == whole.log_loss
    assert player.tally == game.player.tally


def test_without_scores_of_two_classes_there_are_no_probabilities():
    seen = Evaluation()
    assert (seen.log_loss, seen.auc, seen.rate, seen.recent, seen.balanced_error) == (None, None, 0, 0, 0)
    three = Recorded(np.eye(3), ["a", "b", "c"])
    play(Player(), Cut(three, find_next_fit), watch=seen.watch)
    assert (seen.rounds, seen.log_loss, seen.auc) == (3, None, None)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_game_of_a_few_rounds_is_judged(count):
    X, y = noisy(count)
    seen, _ = watched(X, y, Perceptron())
    assert seen.rounds == count


def test_what_is_judged_of_an_averaged_learner_is_what_it_serves():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(3000, 6))
    y = (X[:, 0] + rng.normal(size=3000) > 0).astype(np.int32)
    seen, player = Evaluation(), Player(AveragedPerceptron(), classes=(0, 1))
    game = start_game(player, Recorded(X, y))
    for event in play_events(game, game.environment.chunks(), following=find_next_fit):
        if isinstance(event, PlayedRounds):
            seen.watch(game, event.served, event.labels, event.scores)
    live, scores, chances, guesses = Player(AveragedPerceptron(), classes=(0, 1)), [], [], []
    for x, label in zip(X, y, strict=True):
        guesses.append(live.predict(x))
        scores.append(live.score(x))
        chances.append(live.probability(x))
        live.update(x, int(label))
    guesses = np.array(guesses)
    assert seen.mistakes == (guesses != y).sum() == game.served.mistakes
    table = [[((y == label) & (guesses == guess)).sum() for guess in (0, 1)] for label in (0, 1)]
    assert seen.confusion[:, :2].tolist() == table
    scores = np.array(scores)
    ranks = (scores[y == 1][:, None] > scores[y == 0]).mean() + (scores[y == 1][:, None] == scores[y == 0]).mean() / 2
    assert seen.auc == pytest.approx(ranks, abs=0.01)  # half octaves
    chances = np.clip(np.array(chances), 1e-12, 1 - 1e-12)
    assert seen.log_loss == pytest.approx(-np.log(np.where(y == 1, chances, 1 - chances)).mean(), rel=0.05)


def test_bins_of_many_scores_are_those_of_each():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=3000) * 10.0 ** rng.integers(-12, 12, 3000)
    scores = np.concatenate([scores, [0.0, -0.0, 1, -1, 2**0.5, 0.5**0.5, 5e-324, 1e308, -1e-320]])
    assert find_bins(scores).tolist() == [find_bin(score) for score in scores]


@pytest.mark.parametrize("pieces", [1, 7, 300])
def test_of_many_classes_it_counts_what_each_came_to(pieces, monkeypatch):
    rng = np.random.default_rng(0)
    codes, guesses = rng.integers(0, 40, 600), rng.integers(-1, 45, 600)
    whole, few = Evaluation(), Evaluation()
    whole.add(guesses, codes)
    monkeypatch.setattr(evaluation, "MOST", 10)
    for part in np.array_split(np.arange(600), pieces):
        few.add(guesses[part], codes[part])
    names = list(range(45))
    told, expected = few.summarize(names), whole.summarize(names)
    assert (told.pop("confusion"), len(expected.pop("confusion"))) == (None, 45)
    assert told == expected
    again = Evaluation.from_record(json.loads(json.dumps(few.to_record())))
    assert again.to_record() == few.to_record()
    assert again.summarize(names) == few.summarize(names)


def test_a_label_of_a_high_number_takes_memory_for_labels_and_not_for_pairs_of_them():
    seen = Evaluation()
    seen.add(np.array([0, 199_999, 7]), np.array([0, 199_999, 150_000]))
    assert (seen.rounds, seen.mistakes, seen.confusion) == (3, 1, None)
    assert [one["class"] for one in seen.tabulate(list(range(200_000))) if one["rounds"]] == [0, 150_000, 199_999]
