"""Guarantees on real data, where those data are at hand; a clone has none."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from places import ROOT

DATA = Path(os.environ.get("LITTLESTONE_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture
def rows(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)

    def loaded(name):
        if not (DATA / name).exists():
            pytest.skip(f"{name} is real data that is not part of this repository")
        from benchmarks.datasets import read_svmlight

        return read_svmlight(DATA / name)

    return loaded


@pytest.mark.parametrize(
    ("train", "test"),
    [("adult/a9a.gz", "adult/a9a.t.gz"), ("mushroom/agaricus.txt.train", "mushroom/agaricus.txt.test")],
)
def test_one_pass_over_shuffled_rows_covers_the_error_of_the_vote(rows, train, test):
    learned, judged = rows(train).shuffled(0), rows(test)
    game = ls.play(ls.VotedPerceptron(), ls.Recorded(learned.X, learned.y))
    sample = range(0, len(judged.y), 1 + len(judged.y) // 200)
    wrong = np.mean([game.player.predict(judged.X[t]) != judged.y[t] for t in sample])
    assert wrong <= game.risk().voted < 0.5


def test_mushrooms_are_separable_and_adults_are_not(rows):
    mushroom, adult = (ls.Recorded(*rows(name)) for name in ("mushroom/agaricus.txt.train", "adult/a9a.gz"))
    yes, no = ls.separable(mushroom), ls.separable(adult)
    assert yes
    assert yes.check(mushroom)
    assert not no
    assert no.check(adult)


@pytest.mark.long
def test_mail_in_time_order_is_objected_to_and_shuffled_mail_is_not(rows):
    mail = rows("spam_stream/spam_katakis.libsvm.gz")
    assert ls.drift(ls.Perceptron(), ls.Recorded(*mail))
    assert not ls.drift(ls.Perceptron(), ls.Recorded(*mail.shuffled(3)))


def test_prices_in_time_order_are_objected_to():
    path = DATA / "electricity/elec.csv.gz"
    if not path.exists():
        pytest.skip("electricity is real data that is not part of this repository")
    with gzip.open(path, "rt") as text:
        table = [line.strip().split(",") for line in text][1:8001]
    X, y = np.array([[float(cell) for cell in row[:-1]] for row in table]), [row[-1] for row in table]
    assert ls.drift(ls.Perceptron(), ls.Recorded(X, y))
