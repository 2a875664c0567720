"""Naive Bayes, one round at a time, against its twin and against scikit-learn's batch version."""

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone as ls
import reference


@pytest.mark.parametrize("form", [np.array, sp.csr_array])
def test_agrees_with_its_twin_while_classes_appear(form):
    rng = np.random.default_rng(5)
    X, y = rng.poisson(0.7, size=(120, 8)), rng.integers(0, 4, 120)
    names, order = [f"c{label}" for label in y], {}
    codes = [order.setdefault(label, len(order)) for label in y.tolist()]
    guesses, _ = ls.Player(ls.NaiveBayes()).replay(next(ls.Recorded(form(X.astype(float)), names).chunks()))
    expected = reference.naive_bayes(list(zip(X.tolist(), codes, strict=True)))
    assert guesses[1:].tolist() == expected[1:]  # before the first name was seen there was nothing to guess


def test_ends_with_scikit_learns_probabilities_but_for_the_smoothed_prior():
    from sklearn.naive_bayes import MultinomialNB

    rng = np.random.default_rng(6)
    X = rng.poisson(1.0, size=(200, 6)) + 1  # every attribute occurs, so both know the same ones
    y = rng.integers(0, 2, 200)
    ours = ls.play(ls.NaiveBayes(), ls.Recorded(X.astype(float), y)).player
    theirs = MultinomialNB(alpha=1.0).fit(X, y)
    table = ours.state.shown
    assert table.T.tolist() == theirs.feature_count_.tolist()
    likelihood = np.log((table + 1) / (table.sum(axis=0) + 6))
    assert likelihood.T == pytest.approx(theirs.feature_log_prob_)


def test_a_negative_value_is_refused_and_the_rounds_before_it_count():
    stream = ls.Recorded([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]], ["a", "b", "a"])
    with pytest.raises(ls.errors.BadInstance, match="negative") as refused:
        ls.play(ls.NaiveBayes(), stream)
    assert refused.value.game.rounds == 2
    assert refused.value.game.player.state.met.tolist() == [1, 1]


def test_probabilities_sum_to_one():
    player = ls.play(ls.NaiveBayes(), ls.Recorded([[3, 0], [0, 3]], ["a", "b"])).player
    assert player.probability([1, 0]).sum() == pytest.approx(1)
    assert player.probability([1, 0])[0] > 0.5
