import copy
import pickle
import re
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

from guessers import GUESSERS, Between, Scrambled, shown
from littlestone import environments
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import (
    AttributeNoise,
    BasisVectors,
    Bisection,
    ConstantExperts,
    Contrary,
    Drifting,
    DriftingAdversary,
    MistakeTree,
    Nature,
    Noisy,
    OddMaxBit,
    RandomExperts,
    Recorded,
    Teacher,
    Withheld,
)
from littlestone.game.play import play
from littlestone.game.player import Player

ADVERSARIES = [
    *[(Bisection(Thresholds(n)), promise) for n, promise in ((0, 1), (1, 1), (2, 2), (3, 2), (5, 2), (6, 3), (13, 3))],
    (Bisection(Thresholds(14)), 4),
    (Bisection(Thresholds(30)), 5),
    (Bisection(Thresholds(2**62 - 1)), 62),
    (MistakeTree(Thresholds(14)), 4),
    (MistakeTree(Parities(3)), 3),
    (Bisection.reals(0), 0),
    (Bisection.reals(90), 90),
    (Bisection.boxes(3, 40), 40),
    (BasisVectors(1), 1),
    (BasisVectors(30), 30),
    (ConstantExperts(25), 25),
    *[(DriftingAdversary(n, c), c * ((2 * n).bit_length() - 1)) for n in (1, 2, 3, 7, 8, 20) for c in (0, 1, 3)],
]
ENDLESS_ADVERSARIES = [Bisection.endless(), Bisection.boxes(2), Contrary()]
BY_CHANCE = [
    Nature(Thresholds(50).concept(20)),
    Nature(lambda x: bool(x.sum() > 0), lambda rng: rng.normal(size=4)),
    Noisy(Nature(Parities(4).concept(5)), Fraction(1, 4)),
    Noisy(Noisy(Nature(Parities(4).concept(5)), 0.25), 0.25),
    Drifting(12, 6, 40, members=2),
    AttributeNoise(Drifting(12, 6, 40, members=2), 0.25),
    RandomExperts(5, 40),
]
FIXED = [Teacher(5, [1, 3]), Recorded([3, 1, 4, 1], [True, False, True, False])]
FIXED += [OddMaxBit(4), OddMaxBit(2, passes=3)]
FIXED += [Withheld(Teacher(5, [1, 3]))]
EVERY = [environment for environment, _ in ADVERSARIES] + ENDLESS_ADVERSARIES + BY_CHANCE + FIXED


def named(environment):
    return re.sub(r"<function.*>", "a function", repr(environment))


def transcript(learner, environment, seed=0):
    rounds = 40 if environment.rounds is None else None
    game = play(learner, environment, rounds=rounds, seed=seed, transcript=True)
    return [(repr(shown(line.x)), line.guess, line.y) for line in game.transcript]


@pytest.mark.parametrize(("environment", "promise"), ADVERSARIES, ids=named)
def test_an_adversary_forces_what_it_promises_on_every_deterministic_learner(environment, promise):
    assert environment.rounds == promise
    for learner in (*GUESSERS, Between()):
        if isinstance(learner, Between) and "Bisection" not in repr(environment):
            continue
        game = play(learner, environment)
        assert game.mistakes == game.rounds == promise, learner


@pytest.mark.parametrize("environment", ENDLESS_ADVERSARIES, ids=named)
def test_an_endless_adversary_is_never_guessed_right(environment):
    assert environment.rounds is None
    for learner in (*GUESSERS, Between()):
        game = play(learner, environment, rounds=60)
        assert game.mistakes == game.rounds == 60, learner


@pytest.mark.parametrize("environment", EVERY, ids=named)
def test_the_target_agrees_with_every_label_at_every_round(environment):
    for learner in (*GUESSERS, Between()):
        if isinstance(learner, Between) and "Bisection" not in repr(environment):
            continue
        other = copy.copy(environment)
        other.start(seed=3)
        player, said = Player(learner, classes=(False, True)), []
        for _ in range(30):
            x = other.ask()
            if x is None:
                break
            guess = player.guess(x)
            y = other.answer(bool(guess))
            player.learn(x, y, guess)
            said.append((x, y))
            target = other.target()
            if target is not None:
                assert all(target(x) == y for x, y in said), (learner, str(target))
                assert str(target)
            if hasattr(other, "schedule"):
                assert all(other.schedule.label(t, x) == y for t, (x, y) in enumerate(said, start=1)), learner
                assert other.cost == other.schedule.cost


def test_those_that_promise_a_concept_name_one_and_the_others_none():
    promising = {Bisection, MistakeTree, Contrary, BasisVectors, Nature, OddMaxBit, Teacher}
    for environment in EVERY:
        other = copy.copy(environment)
        other.start(seed=0)
        expected = type(other) in promising or "Bisection" in repr(other)
        assert (other.target() is not None) == expected, environment


@pytest.mark.parametrize("environment", EVERY, ids=named)
def test_the_same_seed_gives_the_same_game_again(environment):
    for seed in (0, 7, -7):
        once, again = (transcript(Scrambled(), environment, seed) for _ in range(2))
        assert once == again
        assert len(once) == (40 if environment.rounds is None else environment.rounds)


@pytest.mark.parametrize("environment", BY_CHANCE, ids=named)
def test_another_seed_gives_another_game(environment):
    assert transcript(Scrambled(), environment, seed=1) != transcript(Scrambled(), environment, seed=2)
    assert transcript(Scrambled(), environment, seed=1) != transcript(Scrambled(), environment, seed=-1)


@pytest.mark.parametrize("environment", EVERY, ids=named)
def test_after_the_last_round_nothing_more_is_asked(environment):
    if environment.rounds is not None:
        game = play(Scrambled(), environment, rounds=environment.rounds + 5, transcript=True)
        assert game.rounds == environment.rounds
        assert game.environment.ask() is None


def test_one_that_was_not_played_yet_can_be_sent_to_another_process():
    for environment in (*(environment for environment, _ in ADVERSARIES), *ENDLESS_ADVERSARIES, *FIXED, *BY_CHANCE[4:]):
        sent = pickle.loads(pickle.dumps(environment))
        assert transcript(Scrambled(), sent) == transcript(Scrambled(), environment)


def test_a_guess_in_any_usual_encoding_is_contradicted():
    for negative, positive in ((False, True), (0, 1), (-1, 1)):
        for environment in (Contrary(), Bisection.reals(4), BasisVectors(4), ConstantExperts(4)):
            environment.start(0)
            environment.ask()
            assert environment.answer(negative) is True
            environment.ask()
            assert environment.answer(positive) is False


def test_every_file_holds_the_environment_it_is_named_for():
    folder = Path(environments.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "adversary", "derived", "queries"}
    snake = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in environments.__all__}
    assert snake == files
    assert list(environments.__all__) == sorted(environments.__all__)


def test_instances_of_an_endless_supply_are_all_new():
    other = Contrary()
    other.start(0)
    asked = []
    for _, guess in zip(range(50), count()):
        asked.append(other.ask())
        other.answer(bool(guess % 2))
    assert len(set(asked)) == 50
