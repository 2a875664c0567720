import numpy as np
import pytest

from littlestone.base.chunks import Row
from littlestone.cli.human import HumanEnvironment, HumanLearner, Stopped, to_readable
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import BasisVectors, Bisection, Recorded
from littlestone.game.play import play
from littlestone.learners import Halving


class Person:
    """Types the given words in turn, and keeps what was asked and shown."""

    def __init__(self, *words):
        self.words, self.asked, self.shown = list(words), [], []

    def read(self, question):
        self.asked.append(question)
        if not self.words:
            raise EOFError
        return self.words.pop(0)

    def learner(self, concepts=None):
        return HumanLearner(concepts, self.read, self.shown.append)

    def environment(self, concepts=None):
        return HumanEnvironment(concepts, self.read, self.shown.append)


def test_a_person_who_guesses_loses_to_bisection():
    person = Person("y", "NO", " true ", "0")
    game = play(person.learner(Thresholds(14)), Bisection(Thresholds(14)), transcript=True)
    assert [line.guess for line in game.transcript] == [True, False, True, False]
    assert game.mistakes == game.updates == 4
    assert person.asked[0] == "7: your guess (y/n, q ends): "
    assert person.shown[0] == "  wrong: the label is False"


def test_a_person_who_guesses_right_is_told_so():
    person = Person("n", "y")
    game = play(person.learner(), Recorded([3, 5], [False, True]))
    assert game.mistakes == game.updates == 0
    assert person.shown == ["  right: the label is False", "  right: the label is True"]


def test_a_person_is_asked_once_about_each_row():
    person = Person("y", "n", "y")
    assert play(person.learner(), BasisVectors(3)).mistakes == 3
    assert [question.split(":")[0] for question in person.asked] == ["{0", "{1", "{2"]
    assert person.words == []


def test_words_that_cannot_be_read_are_asked_for_again():
    person = Person("perhaps", "", "y", "n", "n")
    game = play(person.learner(), Bisection(Thresholds(6)))
    assert game.rounds == 3
    assert person.shown[:2] == ["  'perhaps' is none of y/n", "  '' is none of y/n"]


@pytest.mark.parametrize("words", [("y", "q"), ("y", " QUIT "), ("y",)])
def test_who_guesses_can_stop_and_keeps_the_game(words):
    person = Person(*words)
    with pytest.raises(Stopped) as stopped:
        play(person.learner(), Bisection(Thresholds(14)))
    assert stopped.value.game.rounds == 1


def test_a_person_can_be_the_environment():
    person = Person("7", "y", "3", "n", "5", "y", "q")
    game = play(Halving(Thresholds(15)), person.environment(Thresholds(15)), rounds=99, transcript=True)
    assert [(line.x, line.y) for line in game.transcript] == [(7, True), (3, False), (5, True)]
    assert game.certificate().holds
    assert str(game.target) == "x >= 4"
    assert person.shown == ["Think of one of the 17 concepts of Thresholds(n=15): x >= 0, ..., x >= 16."]
    assert person.asked[1] == "I say False. The label (y/n, q ends): "


def test_a_label_that_no_concept_gives_is_explained_and_asked_for_again():
    person = Person("7", "y", "9", "n", "y", "q")
    game = play(Halving(Thresholds(15)), person.environment(Thresholds(15)), rounds=99)
    assert game.rounds == 2
    assert "no concept of Thresholds(n=15) that agrees with the rounds before labels 9 as False" in person.shown[1]
    assert all(game.target(x) for x in (7, 9))


def test_an_instance_outside_the_domain_is_explained_and_asked_for_again():
    person = Person("16", "many", "1.5", "15", "n")
    game = play(Halving(Thresholds(15)), person.environment(Thresholds(15)), rounds=99)
    assert game.rounds == 1
    assert sum("a whole number in [0, 15]" in line for line in person.shown) == 3


@pytest.mark.parametrize("text", ["101", "1,0,1", "1 0 1", "(1, 0, 1)"])
def test_bits_can_be_typed_in_several_ways(text):
    person = Person(text, "y")
    game = play(Halving(Parities(3)), person.environment(Parities(3)), rounds=1, transcript=True)
    assert game.transcript[0].x == (1, 0, 1)


def test_without_a_class_anything_can_be_asked_and_nothing_is_promised():
    person = Person("4", "y", "1 0", "n", "red", "y")
    seen = play(Person(*"ynyn").learner(), person.environment(), rounds=9, transcript=True)
    assert [line.x for line in seen.transcript] == [4, (1, 0), "red"]
    assert seen.target is None


def test_who_answers_can_stop_before_the_label():
    with pytest.raises(Stopped) as stopped:
        play(Halving(Thresholds(15)), Person("7", "q").environment(Thresholds(15)), rounds=9)
    assert stopped.value.game.rounds == 0


def test_classes_with_other_labels_are_answered_by_name():
    class Colours(Thresholds):
        labels = ("red", "green")

    person = Person("y", "green", "red")
    concepts = Colours(2)
    learner = person.learner(concepts)
    assert learner.predict(learner.start(None), 1) == 1
    assert person.shown == ["  'y' is none of red/green"]


def test_rows_are_written_so_that_a_person_can_read_them():
    assert to_readable(Row(np.array([4], np.int32), None)) == {4: 1}
    assert to_readable(Row(None, np.array([0.0, 2.0]))) == {1: 2.0}
    assert to_readable((0, 1)) == (0, 1)
