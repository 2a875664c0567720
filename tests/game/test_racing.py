"""Races: what each learner sees of rows, mistakes and log-loss side by side, and errors of predicted numbers."""

import json
import math

import numpy as np
import pytest

import littlestone as ls
from command_runs import run

TEXTS = [
    ("free money free", "spam"),
    ("see you at noon", "ham"),
    ("win free free prize", "spam"),
    ("lunch at noon", "ham"),
]


def write_messages(folder):
    path = folder / "messages.txt"
    path.write_text("".join(f"{label}\t{text}\n" for text, label in TEXTS * 5))
    return path


def test_learners_over_boolean_attributes_race_on_counts_of_words(tmp_path):
    path = write_messages(tmp_path)
    race = ls.race(path, [ls.Winnow(), ls.Perceptron()])
    assert [entry.problem for entry in race.entries] == [None, None]
    found = {type(game.player.learner): game for game in race.games}
    alone = ls.play(ls.Winnow(), ls.read(path, counts=False))
    assert found[ls.Winnow].mistakes == alone.mistakes
    assert found[ls.Perceptron].mistakes == ls.play(ls.Perceptron(), ls.read(path)).mistakes
    assert "(attributes that occur count 1)" in race.format().split("Winnow(")[1].splitlines()[0]
    assert "occur" not in race.format().split("Perceptron(")[1].splitlines()[0]


def test_what_race_prints_of_a_binarized_learner_can_be_typed(tmp_path):
    path = write_messages(tmp_path)
    words = ("--learner", "winnow", "--learner", "perceptron")
    printed = run("race", path, *words).stdout.splitlines()
    assert next(line for line in printed if "winnow" in line).endswith("  winnow --binarize")
    records = json.loads(run("race", path, *words, "--json").stdout)["learners"]
    assert {record["typed"]: record["binarized"] for record in records} == {"winnow": True, "perceptron": False}
    learned = json.loads(run("learn", path, "--learner", "winnow", "--binarize", "--json").stdout)
    assert [record["mistakes"] for record in records if record["typed"] == "winnow"] == [learned["mistakes"]]


def test_rows_of_zeros_and_ones_are_raced_as_they_are(tmp_path):
    rows = ls.Recorded([{"a": 1, "b": 1}, {"b": 1}, {"c": 1.0}] * 4, [True, False, False] * 4)
    race = ls.race(rows, [ls.Winnow(threshold=2.0)])
    assert "occur" not in race.format()


def draw_rows(rounds=200):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(rounds, 3))
    return X, X @ [1.0, -2.0, 0.5] + rng.normal(size=rounds)


def test_log_loss_is_that_of_the_chances_given_and_a_dash_where_there_are_none():
    X, z = draw_rows()
    y = z > 0
    found = ls.race(ls.Recorded(X, y), [ls.Logistic(), ls.Perceptron(), ls.AdaGrad()])
    lost = {type(entry.game.player.learner).__name__: entry.log_loss for entry in found.entries}
    assert lost["Perceptron"] is None
    for name in ("Logistic", "AdaGrad"):
        player = ls.Player(getattr(ls.learners, name)(), classes=(False, True))
        chances = []
        for x, label in zip(X, y, strict=True):
            chance = player.probability(x)
            chances.append(chance if label else 1 - chance)
            player.update(x, label)
        assert lost[name] == pytest.approx(-np.log(chances).mean(), rel=1e-9)
        assert f"{lost[name]:.4f}" in str(found)
    (line,) = [line for line in str(found).splitlines() if "Perceptron" in line]
    assert line.split()[2] == "-"


def test_numbers_race_by_their_errors():
    X, y = draw_rows()
    found = ls.race(ls.Recorded(X, y))
    names = [type(game.player.learner).__name__ for game in found.games]
    assert sorted(names) == ["CoinRegression", "CoinRegression", "Ridge"]
    roots = [entry.errors.root_square for entry in found.entries]
    assert roots == sorted(roots)
    for entry in found.entries:
        said = []
        ls.play(entry.game.player.learner, ls.Recorded(X, y), watch=lambda _, z, __, said=said: said.extend(z.tolist()))
        missed = (np.array(said) - y)[1:]  # no label was known in round 1
        assert entry.errors.root_square == pytest.approx(math.sqrt((missed**2).mean()))
        assert entry.errors.absolute == pytest.approx(np.abs(missed).mean())
    head, first, *_ = str(found).splitlines()
    assert head.split()[:2] == ["RMSE", "MAE"]
    assert float(first.split()[0]) == pytest.approx(roots[0], rel=1e-4)


def test_the_task_decides_where_labels_could_be_either():
    X, _ = draw_rows()
    classes = ls.Recorded(X, np.arange(200) % 2)
    assert not ls.race(classes).best.learner.numeric
    assert ls.race(classes, task="regression").best.learner.numeric
    many = ls.Recorded(X, np.arange(200) % 120)
    assert ls.race(many).best.learner.numeric
    wide = ls.Recorded(np.ones((40, 200)), np.linspace(0, 1, 40))
    assert all(type(game.player.learner) is ls.CoinRegression for game in ls.race(wide).games)


def play_league(stream, learners):
    """A league of learners that plays by itself."""
    return ls.League([ls.Player(one, classes=stream.classes()) for one in learners], classes=stream.classes()).play(
        stream
    )


@pytest.mark.parametrize("classes", [2, 3])
def test_the_league_of_a_race_is_that_of_its_learners_and_none_of_them_plays_twice(classes, monkeypatch):
    X, z = draw_rows()
    y = np.digitize(z, [0] if classes == 2 else [-1, 1]).astype(object)
    learners = [ls.Logistic(), ls.AveragedPerceptron(), ls.Arow(bias=1)]
    if classes == 3:
        learners = [ls.Logistic(), ls.Network(ls.AveragedPerceptron()), ls.NaiveBayes()]
        X = np.abs(X)
    stream, played = ls.Recorded(X, y), []
    alone = {str(one): ls.race(stream, [one]).entries[0] for one in learners}
    plain = ls.Player.play_chunk

    def count(self, chunk, *rest, **more):
        played.append(len(chunk))
        return plain(self, chunk, *rest, **more)

    monkeypatch.setattr(ls.Player, "play_chunk", count)
    found = ls.race(stream, learners)
    assert sum(played) == 3 * (len(X) + 2)  # two rounds load the loops of each
    monkeypatch.undo()
    league = play_league(stream, learners)
    assert found.mixed.league.tally == league.tally
    assert found.mixed.league.log_loss == league.log_loss
    ours = {one.name: one._replace(excuse="") for one in found.mixed.league.standings()}
    assert ours == {one.name: one._replace(excuse="") for one in league.standings()}
    assert f"{league.mistakes:,}" == str(found).splitlines()[-1].split()[0]
    for entry in found.entries:  # and saying all that they know changes nothing of how they are judged
        other = alone[str(entry.game.player.learner)]
        assert entry.game.judged.mistakes == other.game.judged.mistakes
        assert entry.game.mistakes == other.game.mistakes
        assert entry.log_loss == (None if other.log_loss is None else pytest.approx(other.log_loss, rel=1e-12))
        assert not entry.game.player.tells


def test_a_learner_that_leaves_a_race_sleeps_in_its_league_from_then_on():
    X, z = draw_rows()
    y = (z > 0).astype(object)
    y[150] = 2
    found = ls.race(ls.Recorded(X, y), [ls.Perceptron(), ls.Logistic(), ls.NaiveBayes()])
    assert [type(game.player.learner).__name__ for game in found.games] == ["Logistic"]
    slept = {one.name: one.slept for one in found.mixed.league.standings()}
    assert slept["Perceptron()"] == 50
    assert str(found).endswith("the league of these 1 and 1 while it played (--league)")
    assert "NaiveBayes()" not in slept  # it left before its first round: values are negative
    with pytest.raises(ls.errors.BadParameter, match="has played its rounds"):
        found.mixed.league.update(X[0], 1)


def test_there_is_no_league_of_one_or_of_numbers():
    X, z = draw_rows()
    assert ls.race(ls.Recorded(X, z > 0), [ls.Perceptron()]).mixed is None
    assert ls.race(ls.Recorded(X, z)).mixed is None
