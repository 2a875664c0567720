"""Laws between parts of the library: what must agree because one thing is a special case of the other."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.cluster.passes import play_serially

RNG = np.random.default_rng(34)
ROWS = RNG.integers(-2, 3, (60, 3)).astype(float)
TRUTH = ROWS @ np.array([1.0, -2.0, 1.0]) + RNG.normal(0, 0.7, 60) > 0
BITS = (ROWS > 0).astype(float)

MEMBERS = [
    ls.Perceptron(),
    ls.Perceptron(tie="minus"),
    ls.Perceptron(margin=1.0),
    ls.AveragedPerceptron(),
    ls.VotedPerceptron(),
    ls.AggressivePerceptron(),
    ls.PassiveAggressive(),
    ls.Alma(),
    ls.Romma(),
    ls.Logistic(),
    ls.AdaGrad(),
    ls.Arow(),
    ls.BalancedWinnow(),
    ls.SecondOrderPerceptron(),
    ls.NaiveBayes(),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.PassiveAggressive(), "each"),
]
LABELS = {
    "the negative class first": [False, False, True],
    "the positive class first": [True, False, True],
    "one class only": [False] * 3,
    "the other class only": [True] * 3,
}


def name_labels(truth, kind):
    """The same labels as booleans, numbers, signs or words."""
    negative, positive = {"bool": (False, True), "0/1": (0, 1), "signs": (-1, 1), "words": ("no", "yes")}[kind]
    return [positive if one else negative for one in truth]


def starts(first):
    """Labels of sixty rounds that begin in this way, and then follow the rows unless there is one class only."""
    return [*first, *(TRUTH[3:] if len(set(first)) == 2 else first * 19)]


@pytest.mark.parametrize("learner", MEMBERS, ids=str)
@pytest.mark.parametrize("first", LABELS.values(), ids=LABELS)
def test_a_member_of_a_league_makes_the_mistakes_of_the_learner_alone(learner, first):
    rows = BITS if isinstance(learner, ls.NaiveBayes | ls.BalancedWinnow) else ROWS
    for kind in ("bool", "0/1", "signs", "words"):
        labels = name_labels(starts(first), kind)
        stream = ls.Recorded(rows, labels)
        alone = ls.play(learner, stream)
        league = ls.League([learner], rates=()).play(stream)
        played = league.standings()[
            0 if learner.serves_apart is False else -1
        ]  # what it serves comes first, what it plays last
        assert played.mistakes == alone.mistakes, kind
        live = ls.League([learner], rates=())
        for x, y in zip(rows, labels, strict=True):
            live.update(x, y)
        assert [one.mistakes for one in live.standings()] == [one.mistakes for one in league.standings()], kind
        assert live.mistakes == league.mistakes, kind


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.Logistic(), ls.Network(ls.Perceptron())], ids=str)
@pytest.mark.parametrize("kind", ["bool", "words"])
def test_a_player_with_labels_of_its_own_makes_the_same_mistakes_in_a_league(learner, kind):
    for first in LABELS.values():
        labels = name_labels(starts(first), kind)
        stream = ls.Recorded(ROWS, labels)
        league, live = (ls.League([ls.Player(learner)], rates=()) for _ in range(2))
        league.play(stream)
        for x, y in zip(ROWS, labels, strict=True):
            live.update(x, y)
        made = ls.play(learner, stream).mistakes
        assert (league.standings()[0].mistakes, live.standings()[0].mistakes) == (made, made)


def test_no_league_certifies_more_forced_mistakes_than_its_only_member_makes():
    stream = ls.Recorded([[1.0]] * 10, [False] * 5 + [True] * 5)
    league = ls.League([ls.Perceptron()]).play(stream)
    floor = league.certificate("choices")
    assert floor.counts == "forced mistakes"
    assert floor.count == ls.play(ls.Perceptron(), stream).mistakes == 2
    assert ls.verify(floor, stream)


@pytest.mark.parametrize("learner", MEMBERS, ids=str)
def test_words_give_the_counts_of_the_same_table_with_booleans_in_the_order_they_come(learner):
    rows = BITS if isinstance(learner, ls.NaiveBayes | ls.BalancedWinnow) else ROWS
    for first in LABELS.values():
        labels = [one != first[0] for one in starts(first)]  # the first label is the negative class
        made = set()
        for kind in ("bool", "0/1", "signs", "words"):
            named = name_labels(labels, kind)
            game = ls.play(learner, ls.Recorded(rows, named))
            live = ls.Player(learner)
            for x, y in zip(rows, named, strict=True):
                live.update(x, y)
            assert live.tally.mistakes == game.mistakes
            made.add((game.mistakes, game.updates))
        assert len(made) == 1


@pytest.mark.parametrize("learner", [ls.Perceptron(rate=0.1, margin=1), ls.Network(ls.Perceptron(rate=0.1, margin=1))])
def test_a_rate_that_is_no_short_number_is_not_rounded_in_a_chunk(learner):
    rows, labels = ROWS + 0.1, [bool(one) for one in TRUTH]
    chunk, live = ls.Player(learner), ls.Player(learner)
    for part in ls.Recorded(rows, labels).chunks():
        chunk.replay(part)
    for x, y in zip(rows, labels, strict=True):
        live.update(x, y)
    assert chunk.state.weights.tolist() == live.state.weights.tolist()


@pytest.mark.parametrize("unit", [ls.Perceptron(), ls.PassiveAggressive()], ids=str)
def test_a_network_of_two_classes_makes_the_mistakes_of_its_unit(unit):
    for first in LABELS.values():
        stream = ls.Recorded(ROWS, starts(first))
        network, alone = ls.play(ls.Network(unit), stream), ls.play(unit, stream)
        assert (network.mistakes, network.updates) == (alone.mistakes, alone.updates)


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.PassiveAggressive(), ls.Logistic(), ls.AdaGrad()], ids=str)
def test_weights_of_one_are_no_weights(learner):
    weighed, plain = ls.Player(learner), ls.Player(learner)
    for x, y in zip(ROWS, TRUTH, strict=True):
        weighed.update(x, bool(y), importance=1.0)
        plain.update(x, bool(y))
    assert weighed.tally == plain.tally
    assert all(
        np.array_equal(a, b) for a, b in zip(weighed.state, plain.state, strict=True) if isinstance(a, np.ndarray)
    )


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.PassiveAggressive(), ls.Winnow(threshold=2.0)], ids=str)
def test_a_label_that_is_not_late_is_as_good_as_one_in_time(learner):
    rows, player = BITS, ls.Player(learner, classes=[False, True])
    stream = ls.Recorded(rows, [bool(one) for one in TRUTH])
    late = ls.play_late(player, stream, 0)
    assert late.mistakes == ls.play(ls.Player(learner, classes=[False, True]), stream).mistakes


FILES = {
    "a number that is no usual label takes the number of a guess": "1 1:1\n2 2:1\n2 2:1\n0 3:1\n0 3:1\n",
    "the positive label first": "1 1:1\n0 2:1\n1 1:1\n0 2:1\n",
    "signs": "-1 1:1\n-1 1:1 2:1\n1 2:1\n-1 2:1\n",
    "no usual label": "7 1:1\n7 1:1 2:1\n8 2:1\n7 2:1\n9 1:2\n",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
@pytest.mark.parametrize("learner", ["logistic", "network:perceptron", "league"])
def test_precision_and_confusion_are_those_of_the_predictions_file(text, learner, tmp_path):
    data, told = tmp_path / "d.svm", tmp_path / "told.txt"
    data.write_text(text)
    how = ["--league"] if learner == "league" else ["--learner", learner]
    found = CliRunner().invoke(main, ["learn", str(data), *how, "--predictions", str(told), "--json"])
    assert found.exit_code == 0, found.output
    seen = json.loads(found.stdout.splitlines()[-1])
    labels = [line.split()[0] for line in text.splitlines()]
    guesses = told.read_text().splitlines()
    assert len(guesses) == len(labels)
    assert all(guesses)
    assert sum(a != b for a, b in zip(guesses, labels, strict=True)) == seen["progressive"]["mistakes"]
    for one in seen["progressive"]["classes"]:
        name = f"{one['class']}"
        right = sum(a == b == name for a, b in zip(guesses, labels, strict=True))
        assert one["rounds"] == labels.count(name)
        assert one["precision"] == (right / guesses.count(name) if name in guesses else None)
        assert one["recall"] == right / labels.count(name)


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.AveragedPerceptron(), ls.Network(ls.Perceptron())], ids=str)
@pytest.mark.parametrize("kind", ["signs", "words"])
def test_one_shard_is_one_machine(learner, kind, tmp_path):
    path = tmp_path / "rows.csv"
    labels = name_labels(TRUTH, kind)
    lines = [f"{a},{b},{c},{y}" for (a, b, c), y in zip(ROWS.tolist(), labels, strict=True)]
    path.write_text("\n".join(["a,b,c,label", *lines]) + "\n")
    run = ls.cluster.learn(learner, [str(path)], execute=play_serially)
    alone = ls.play(learner, ls.read(str(path)))
    assert run.player.tally == alone.player.tally
    assert np.array_equal(run.player.state.weights, alone.player.state.weights)
    assert run.player.labels.names == alone.player.labels.names
