"""Leagues: members of every kind, live and in chunks, sleepers, newcomers, new classes, and files."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadInstance, BadModel, BadParameter
from littlestone.game.saving import container


def draw_stream(rounds=300, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 6))
    scores = X @ rng.normal(size=(6, classes)) + 0.7 * rng.normal(size=(rounds, classes))
    names = np.array(["red", "green", "blue", "grey"])
    return X, names[scores.argmax(axis=1)]


def make_members():
    return {
        "perceptron": ls.Perceptron(),
        "averaged": ls.AveragedPerceptron(),
        "own player": ls.Player(ls.PassiveAggressive()),
        "arow": ls.Arow(bias=1),
        "bayes": ls.NaiveBayes(),  # which refuses negative values: it sleeps
        "logistic": ls.Logistic(),
        "network": ls.Network(ls.Perceptron()),
        "sign": lambda x: "red" if x[0] > 0 else "green",
        "entry": ls.LeagueMember(1, says="score"),
    }


def require_same(one, two):
    for name, a, b in zip(one.books._fields, one.books, two.books, strict=True):
        assert a.tobytes() == b.tobytes(), name
    assert one.tally == two.tally
    assert one.log_loss == two.log_loss
    assert np.array_equal(one.history.weights, two.history.weights)


@pytest.mark.parametrize("classes", [2, 4])
def test_live_chunked_and_whole_agree_to_the_bit(classes):
    X, y = draw_stream(200, classes)
    whole = ls.League(make_members()).play(ls.Recorded(X, y))
    live, cut = ls.League(make_members()), ls.League(make_members())
    for t in range(len(y)):
        if t % 20 == 3:
            live.predict(X[t])  # looking changes nothing
        live.update(X[t], y[t].item())
    for first, end in ((0, 1), (1, 90), (90, 91), (91, 200)):
        for chunk in ls.Recorded(X[first:end], y[first:end]).chunks():
            for _ in cut.play_chunk(chunk):
                pass
    require_same(whole, live)
    require_same(whole, cut)


def test_what_it_predicts_is_what_it_serves():
    X, y = draw_stream(120)
    league, wrong, loss = ls.League(make_members()), 0, 0.0
    for t in range(len(y)):
        guess, chance = league.predict(X[t]), league.probability(X[t])
        league.update(X[t], y[t].item())
        wrong += t > 0 and guess != y[t]  # the first guess is class 0, which the first label gives its name
        loss -= np.log(chance if league.labels.find(y[t].item()) == 1 else 1 - chance)
    assert wrong == league.mistakes
    assert loss == pytest.approx(league.log_loss, rel=1e-9)


def test_a_member_says_its_own_score_before_each_label():
    X, y = draw_stream(150)
    league = ls.League({"p": ls.Perceptron()}).play(ls.Recorded(X, y))
    assert league.standings()[0].mistakes == ls.play(ls.Perceptron(), ls.Recorded(X, y)).mistakes


def test_serves_nearly_as_well_as_the_best_member():
    X, y = draw_stream(2000, seed=4)
    league = ls.League(make_members()).play(ls.Recorded(X, y))
    best = min(one.mistakes for one in league.standings() if one.slept == 0)
    losses = [one.log_loss for one in league.standings()]
    assert league.mistakes <= best + 25
    readings, charged = league.books.weights.shape[1], league.tally.updates
    assert league.log_loss <= min(losses) + np.log(readings * 5 * charged**2)


def test_a_member_that_raises_sleeps_and_says_why():
    asked = []

    def third(x):
        asked.append(x)
        if len(asked) % 3 == 0:
            raise RuntimeError("every third round")
        return "red"

    X, y = draw_stream(30)
    league = ls.League({"third": third, "p": ls.Perceptron()}).play(ls.Recorded(X, y))
    standing = league.standings()[0]
    assert y[0] != y[1]
    assert standing.slept == 2 + 28 // 3  # it is not asked before two classes have come
    assert len(asked) == 28
    assert "every third round" in standing.excuse


def test_a_third_class_sends_scores_of_two_to_sleep_and_networks_on():
    X, y = draw_stream(300, 3)
    y[:100] = np.where(y[:100] == "blue", "red", y[:100])
    league = ls.League({"two": ls.Perceptron(), "any": ls.Network(ls.Perceptron())}).play(ls.Recorded(X, y))
    two, any_number = league.standings()
    assert two.slept > 150
    assert any_number.slept == 0
    assert league.probability(X[0]).shape == (3,)
    assert league.probability(X[0]).sum() == pytest.approx(1)


def test_newcomers_can_take_over():
    X, y = draw_stream(1200)
    league = ls.League({"never": lambda x: "blue", "red": lambda x: "red"})
    for chunk in ls.Recorded(X[:300], y[:300]).chunks():
        list(league.play_chunk(chunk))
    league.join(ls.Arow(bias=1), "arow")
    for chunk in ls.Recorded(X[300:], y[300:]).chunks():
        list(league.play_chunk(chunk))
    assert league.weights["arow"] > 0.75
    assert league.history.weights[0, 2] == 0
    with pytest.raises(BadParameter, match="already"):
        league.join(ls.Arow(), "arow")


def test_a_league_without_switching_takes_no_newcomers():
    league = ls.League([ls.Perceptron()], switching=False)
    league.update([1.0], True)
    with pytest.raises(BadParameter, match="without switching"):
        league.join(ls.Arow())


def test_importance_counts_and_more_than_the_most_is_refused():
    rng = np.random.default_rng(1)
    X, y = draw_stream(60)
    chunk = next(iter(ls.Recorded(X, y).chunks()))
    from dataclasses import replace

    weighed = replace(chunk, importance=rng.choice([0.5, 1.0, 2.0], 60))
    league = ls.League([ls.Perceptron(), lambda x: "red"], most=2.0)
    list(league.play_chunk(weighed))
    even = ls.League([ls.Perceptron(), lambda x: "red"])
    list(even.play_chunk(chunk))
    assert league.log_loss != even.log_loss
    assert league.rounds == 60
    with pytest.raises(BadInstance, match="most"):
        list(even.play_chunk(weighed))


def test_saved_and_loaded_it_goes_on_to_the_bit(tmp_path):
    X, y = draw_stream(200, 3)
    ours = ("perceptron", "averaged", "own player", "arow", "bayes", "logistic", "network")
    begun, whole = (ls.League({name: make_members()[name] for name in ours}, rates=(2.0**-5,)) for _ in range(2))
    for league, end in ((whole, 200), (begun, 90)):
        for chunk in ls.Recorded(X[:end], y[:end]).chunks():
            list(league.play_chunk(chunk))
    begun.save(tmp_path / "a.lst")
    again = ls.load(tmp_path / "a.lst")
    require_same(begun, again)
    for chunk in ls.Recorded(X[90:], y[90:]).chunks():
        list(again.play_chunk(chunk))
    require_same(whole, again)
    again.save(tmp_path / "b.lst")
    whole.save(tmp_path / "c.lst")
    assert (tmp_path / "b.lst").read_bytes() == (tmp_path / "c.lst").read_bytes()


def test_foreign_members_are_named_in_a_file_and_asked_for(tmp_path):
    river, sklearn = pytest.importorskip("river.tree"), pytest.importorskip("sklearn.linear_model")

    def make_foreign():
        return {
            "sgd": sklearn.SGDClassifier(loss="log_loss", random_state=0),
            "tree": river.HoeffdingTreeClassifier(),
            "third": FailsEveryThird(),
        }

    X, y = draw_stream(150)
    foreign = make_foreign()
    begun = ls.League({"perceptron": ls.Perceptron(), **foreign, "arow": ls.Arow(bias=1)}, classes=("red", "green"))
    whole = ls.League(
        {"perceptron": ls.Perceptron(), **make_foreign(), "arow": ls.Arow(bias=1)}, classes=("red", "green")
    )
    whole.play(ls.Recorded(X, y))
    assert [one.slept for one in whole.standings()] == [0, 1, 1, 50, 0]
    begun.play(ls.Recorded(X[:70], y[:70]))
    begun.save(tmp_path / "l.lst")
    with pytest.raises(BadModel, match="'sgd', 'tree', 'third'"):
        ls.load(tmp_path / "l.lst")
    with pytest.raises(BadModel, match="'third'"):
        ls.League.load(tmp_path / "l.lst", {"sgd": foreign["sgd"], "tree": foreign["tree"]})
    again = ls.League.load(tmp_path / "l.lst", foreign)
    for chunk in ls.Recorded(X[70:], y[70:]).chunks():
        list(again.play_chunk(chunk))
    require_same(whole, again)
    for one, two in zip(whole.members, again.members, strict=True):
        if hasattr(one, "player"):
            assert all(a.tobytes() == b.tobytes() for a, b in zip(one.player.state, two.player.state, strict=True))


class FailsEveryThird:
    """A function that raises in every third round."""

    asked = 0

    def __call__(self, x):
        self.asked += 1
        if self.asked % 3 == 0:
            raise ValueError("not today")
        return "green" if x[1] > 0 else "red"


def test_damaged_files_are_refused(tmp_path):
    X, y = draw_stream(40)
    league = ls.League([ls.Perceptron()]).play(ls.Recorded(X, y))
    league.save(tmp_path / "l.lst")
    data = (tmp_path / "l.lst").read_bytes()
    (tmp_path / "cut.lst").write_bytes(data[:-9])
    with pytest.raises(BadModel):
        ls.load(tmp_path / "cut.lst")
    ls.Player(ls.Perceptron()).save(tmp_path / "p.lst")
    with pytest.raises(BadModel, match="not a league's"):
        ls.League.load(tmp_path / "p.lst")


@pytest.mark.parametrize("given", [{"rates": (2.0,)}, {"most": 0.0}])
def test_wrong_parameters_are_refused(given):
    with pytest.raises(BadParameter):
        ls.League([ls.Perceptron()], **given)


def test_learners_of_numbers_are_refused():
    with pytest.raises(BadParameter, match="classes"):
        ls.League([ls.Ridge()])


def test_the_default_pool_plays():
    X, y = draw_stream(120)
    league = ls.League().play(ls.Recorded(X, y))
    assert any(one.name.startswith("Logistic") for one in league.standings())
    assert league.rounds == 120
    assert league.mistakes < 60


def test_explains_which_member_weighs_what_and_its_reasons():
    rows = [{"free": 1.0, "money": 1.0}, {"meeting": 1.0}] * 40
    league = ls.League({"perceptron": ls.Perceptron(), "last": lambda x: "ham"}, features=ls.Named())
    for row, label in zip(rows, ["spam", "ham"] * 40, strict=True):
        league.update(row, label)
    found = league.explain()
    assert [one.name for one in found.members] == ["perceptron", "last"]
    weights = {row.name: row.weight for row in found.members[0].reasons.rows}
    player = ls.Player(ls.Perceptron(), features=ls.Named())
    for row, label in zip(rows, ["spam", "ham"] * 40, strict=True):
        player.update(row, label)
    assert weights == {row.name: row.weight for row in player.explain().rows}
    assert league.explain({"free": 1.0}).members[0].reasons.score == player.score({"free": 1.0})


PLAYED = """
import sys
from pathlib import Path
import numpy as np
from river.tree import HoeffdingTreeClassifier
from sklearn.linear_model import SGDClassifier
import littlestone as ls

class FailsEveryThird:
    asked = 0
    def __call__(self, x):
        self.asked += 1
        if self.asked % 3 == 0:
            raise OSError("no answer")
        return bool(x[0] > 0)

path, foreign = Path(sys.argv[1]), {"sgd": SGDClassifier(loss="log_loss"), "tree": HoeffdingTreeClassifier(),
                                    "third": FailsEveryThird()}
rng = np.random.default_rng(0)
X = rng.normal(size=(900, 6))
stream = ls.Recorded(X, X @ rng.normal(size=6) + rng.normal(size=900) > 0)
begun = path.exists()
own = {"perceptron": ls.Perceptron(), "arow": ls.Arow(bias=1), "logistic": ls.Logistic()}
league = ls.League.load(path, foreign) if begun else ls.League(own | foreign)
if not begun:
    league.start_for(stream)
for chunk in stream.chunks():
    for first in range(league.rounds, len(chunk), 50):
        list(league.play_chunk(chunk[first : first + 50]))
        league.save(path)
"""


@pytest.mark.long
def test_a_process_that_was_killed_leaves_members_of_ours_as_they_were_beside_models_that_fail(tmp_path):
    cut, whole = tmp_path / "cut.lst", tmp_path / "whole.lst"
    subprocess.run([sys.executable, "-c", PLAYED, str(whole)], check=True)
    process = subprocess.Popen([sys.executable, "-c", PLAYED, str(cut)])
    while not cut.exists():
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert 0 < container.read(cut)[1]["books.counts"][0] < 900
    subprocess.run([sys.executable, "-c", PLAYED, str(cut)], check=True)
    (told, going_on), (_, never_stopped) = container.read(cut), container.read(whole)
    ours = [name for name in never_stopped if name.startswith("member")]
    assert len({name.partition(".")[0] for name in ours}) == 3
    assert all(going_on[name].tobytes() == never_stopped[name].tobytes() for name in ours)
    assert going_on["books.counts"][0] == 900
    third = told["league"]["members"][-1]
    assert (third["name"], third["excuse"][-18:]) == ("third", "OSError: no answer")
