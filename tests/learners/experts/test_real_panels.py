"""Real panels of forecasts: bookmakers on tennis matches, and the forecasters of the French load."""

import csv
from math import log

import numpy as np
import pytest

from littlestone.environments import Panel
from littlestone.game.play import play
from littlestone.learners import AdaHedge, Aggregating, FixedShare, Hedge
from littlestone.learners.experts.losses import Absolute, Brier, Log, Square
from places import DATA


def needed(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is real data that is not part of this repository")
    return path


@pytest.fixture(scope="module")
def tennis():
    table = np.loadtxt(needed("tennis/tennis1.txt"))
    return Panel(table[:, [3, 5, 7, 9]], table[:, 1], names=["one", "two", "three", "four"])


@pytest.fixture(scope="module")
def load():
    with needed("load_panel/regional_panel.csv").open(newline="") as text:
        rows = list(csv.reader(text))
    values = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    return Panel(values[:, 2:], values[:, 0], names=rows[0][3:], dates=[row[0] for row in rows[1:]])


def test_brier_regret_against_the_best_bookmaker_stays_below_ln_4_at_every_round(tennis):
    books = play(Aggregating(Brier()), tennis).ledger
    assert (len(books), len(books.names)) == (10_087, 4)
    assert books.regret.max() < log(4)
    assert books.regret.max() == pytest.approx(1.2021, abs=1e-3)
    game = play(Aggregating(Log()), tennis)
    assert game.ledger.regret.max() < log(4)
    assert game.certificate().holds


def test_hedge_and_adahedge_keep_their_word_on_tennis(tennis):
    for learner in (Hedge(loss=Brier()), AdaHedge(Brier())):
        books = play(learner, tennis).ledger
        assert (books.regret <= books.bounds).all()


@pytest.mark.parametrize("loss", [Square(20_000, 125_000), Absolute(20_000, 125_000)], ids=["square", "absolute"])
def test_fixed_share_beats_the_best_single_of_65_forecasters(load, loss):
    books = play(FixedShare.tuned(65, 398, 10, loss), load).ledger
    assert (len(books), len(books.names)) == (398, 65)
    assert books.loss[-1] < books.losses[-1].min()
    assert books.loss[-1] - books.tracking(10)[0] <= books.learner.bound(65, 398, 10).value
    assert books.dates[0] == "2020-01-06T20:00:00Z"


def test_a_mixture_of_the_forecasters_keeps_its_bound_and_beats_the_best_of_them(load, capsys):
    """The figures are mean absolute errors in the panel's unit."""
    loss, found = Absolute(20_000, 125_000), {}
    for learner in (Hedge(loss=loss), AdaHedge(loss), FixedShare.tuned(65, 398, 10, loss)):
        books = play(learner, load).ledger
        best = float(books.losses[-1].min()) / len(books)
        found[type(learner).__name__] = float(books.loss[-1]) / len(books)
        if type(learner) is not FixedShare:  # whose bound is about sequences of experts: the test above
            assert (books.regret <= books.bounds).all()
    with capsys.disabled():
        figures = ", ".join(f"{name} {value:.0f}" for name, value in found.items())
        print(f"\nload of 398 days, mean absolute error: {figures}; the best of 65 forecasters {best:.0f}")
    assert found["FixedShare"] < found["Hedge"] < found["AdaHedge"] < best  # the mean of several may beat each of them
