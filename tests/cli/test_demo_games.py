import io
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from rich.console import Console

from guessers import Guesser
from littlestone import learners
from littlestone.base.bound import Bound
from littlestone.base.errors import BadInstance
from littlestone.cli import demo_games as demo


@dataclass(frozen=True)
class Lucky(Guesser):
    """A coin of its own, it says, makes it wrong in half of the rounds, and it promises at most 99.5."""

    def predict(self, state, x):
        return 0

    def expected(self, state):
        return Fraction(len(state.rounds), 2)

    def bound(self):
        return Bound("luck", "none", Fraction(199, 2), "expected mistakes")


@dataclass(frozen=True)
class Refusing(Guesser):
    def predict(self, state, x):
        raise BadInstance("none of my business")


@dataclass(frozen=True)
class NeedsData(Guesser):
    table: list = field(repr=False)

    def predict(self, state, x):
        return 0


def drawn(draw):
    console = Console(width=80, file=io.StringIO())
    draw(console)
    return console.file.getvalue()


@pytest.fixture
def newcomers(monkeypatch):
    monkeypatch.setattr(demo, "RACERS", (learners.Halving, Lucky, Refusing, NeedsData))


@pytest.mark.usefixtures("newcomers")
def test_a_learner_takes_part_where_it_can():
    results = demo.run_race()
    lucky = [result for result in results if result.learner == "lucky"]
    assert {result.contest for result in lucky} == {contest.name for contest in demo.list_contests()}
    assert {result.learner for result in results} == {"halving", "lucky"}


@pytest.mark.usefixtures("newcomers")
def test_a_theorem_is_compared_with_what_it_counts():
    for result in demo.run_race():
        assert result.bound is not None
        assert result.counted <= result.bound
        if result.learner == "lucky":
            rounds = {one.name: one.rounds or one.environment.rounds for one in demo.list_contests()}[result.contest]
            assert (result.counts, result.counted) == ("expected mistakes", Fraction(rounds, 2))
    shown = drawn(demo.show)
    assert "30e / 99.5" in shown
    assert "6 / 6" in shown


def test_every_scene_has_a_title_and_draws_something():
    for title, draw in demo.SCENES:
        assert title
        assert drawn(draw).strip()


def test_the_duel_meets_its_bound():
    game = demo.play_duel()
    assert game.mistakes == game.rounds == game.certificate().bound == 29
