"""Demo: a few games worth watching, played by a few learners.

`SCENES` are the scenes in order, each a title and a function that draws on a console. The race has a column for each
contest and a row for each of `RACERS` that can play in one of them: learners of different kinds whose loops need little
compiling, since the first thing that a new user runs should not take minutes.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from littlestone.base.environment import Environment
from littlestone.base.errors import LittlestoneError, NotCertified
from littlestone.base.learner import Learner
from littlestone.base.printed_numbers import Number, format_down, format_up
from littlestone.base.printed_text import find_terminal
from littlestone.base.traits import ask_bound
from littlestone.concepts import Conjunctions, Parities, Thresholds
from littlestone.concepts.concept import ConceptClass
from littlestone.environments import BasisVectors, Bisection, MistakeTree, Nature
from littlestone.environments.teacher import Conjunction
from littlestone.game.game import Game
from littlestone.game.names import build, find_playable, to_kebab
from littlestone.game.play import play
from littlestone.learners import (
    Consistent,
    Halving,
    Logistic,
    Memorizer,
    RandomizedHalving,
    StandardOptimal,
)

BILLION = 10**9
SEED = 1
RACERS: tuple[type[Learner], ...] = (
    Consistent,
    Halving,
    RandomizedHalving,
    StandardOptimal,
    Memorizer,
    Logistic,
)


class Contest(NamedTuple):
    """A game that many learners can play: its name, who is on the other side, the class if any, and the rounds."""

    name: str
    environment: Environment
    concepts: ConceptClass | None = None
    rounds: int | None = None


class ContestResult(NamedTuple):
    """What a learner did in a contest, and what its theorem counts and allows; no bound if no theorem covers it."""

    learner: str
    contest: str
    mistakes: int
    counts: str = "mistakes"
    counted: Number | None = None
    bound: Number | None = None


def list_contests() -> list[Contest]:
    """The contests of the race, small enough for learners that solve the whole game."""
    grid = Thresholds(62)
    sums = Parities(4)
    nature = Nature(Conjunction(frozenset({0, 2})), _draw_six_bits, classes=(False, True))
    return [
        Contest("thresholds, bisection", Bisection(grid), grid),
        Contest("parities, nature", Nature(sums.concept(11)), sums, 60),
        Contest("parities, mistake tree", MistakeTree(sums), sums),
        Contest("x1 and x3, nature", nature, Conjunctions(6), 60),
        Contest("16 basis vectors", BasisVectors(16)),
    ]


def _draw_six_bits(rng: np.random.Generator) -> tuple[int, ...]:
    """Six bits, most of them 1, so that a conjunction is often true."""
    return tuple(int(bit) for bit in rng.random(6) < 0.7)


def play_duel() -> Game:
    """Halving against the best adversary there is, on a billion points."""
    return play(Halving(Thresholds(BILLION)), Bisection(Thresholds(BILLION)))


def run_race() -> list[ContestResult]:
    """Each of `RACERS` in every contest where it can play; one that refuses the rounds has no result."""
    results = []
    for contest in list_contests():
        given = {} if contest.concepts is None else {"concepts": partial(getattr, contest, "concepts")}
        for kind in find_playable(RACERS, given).values():
            try:
                learner = build([kind], to_kebab(kind), "learner", given)
                game = play(learner, contest.environment, rounds=contest.rounds, seed=SEED)
                results.append(_judge(contest, learner, game))
            except LittlestoneError:
                continue  # not its kind of instances, or not its kind of target
    return results


def _judge(contest: Contest, learner: Learner, game: Game) -> ContestResult:
    """The outcome against what the theorem allowed on this game, or else on any."""
    result = ContestResult(to_kebab(type(learner)), contest.name, game.mistakes)
    with suppress(NotCertified):
        certificate = game.certificate()
        return result._replace(counts=certificate.counts, counted=certificate.counted, bound=certificate.bound)
    with suppress(NotCertified):
        bound = ask_bound(learner)
        counted = {"mistakes": game.mistakes, "updates": game.updates, "expected mistakes": game.expected}[bound.counts]
        return result._replace(counts=bound.counts, counted=counted, bound=bound.value)
    return result


def count_survivors() -> list[int]:
    """How many of 1024 concepts agree with the first 0, 1, 2, ... rounds of a game that halves them."""
    concepts = Thresholds(1022)
    games = [play(Halving(concepts), Bisection(concepts), rounds=t) for t in range(11)]
    return [int(game.certificate().witness["survivors"]) for game in games]


def _draw_duel(console: Console) -> None:
    game = play_duel()
    bound = Halving(Thresholds(BILLION)).bound().mistakes
    console.print(repr(game), highlight=False, markup=False, soft_wrap=True)
    console.print(f"\nAllowed: {bound}. Forced: {game.mistakes}. No deterministic learner can do better.")


def _draw_race(console: Console) -> None:
    results = run_race()
    columns = list(dict.fromkeys(result.contest for result in results))
    table = Table(box=SIMPLE_HEAD, padding=0)
    table.caption = "mistakes / what the theorem allows; e: expected mistakes, l: loss, u: updates"
    table.add_column("learner", no_wrap=True)
    for column in columns:
        table.add_column(column.replace(", ", "\n"), overflow="fold")
    for name in dict.fromkeys(result.learner for result in results):
        cells = {result.contest: result for result in results if result.learner == name}
        table.add_row(name, *(_format_cell(cells.get(column)) for column in columns))
    console.print(table)


def _format_cell(result: ContestResult | None) -> str:
    if result is None or result.bound is None or result.counted is None:
        return "" if result is None else str(result.mistakes)
    unit = "" if result.counts == "mistakes" else result.counts[0]
    counted = format_down(result.counted, 3) if unit else str(result.mistakes)
    return f"{counted}{unit} / {format_up(result.bound, 3)}"


def _draw_survivors(console: Console) -> None:
    block = "█" if console.encoding.lower().startswith("utf") else "#"
    counts = count_survivors()
    for t, count in enumerate(counts):
        bar = block * max(1, 60 * count // counts[0])
        console.print(f"round {t:2d}  {count:5d}  {bar}", highlight=False, markup=False)


def _draw_next(console: Console) -> None:
    for command in (
        "littlestone play me --concepts thresholds:15 --against bisection",
        "littlestone play halving --concepts parities:8 --against nature --transcript",
        "littlestone play --help",
    ):
        console.print(f"  {command}", highlight=False, markup=False, soft_wrap=True)


SCENES: tuple[tuple[str, Callable[[Console], None]], ...] = (
    ("A billion and two concepts, an adversary, and a guarantee", _draw_duel),
    ("The race", _draw_race),
    ("Why it works: every mistake halves what is still possible", _draw_survivors),
    ("Your turn", _draw_next),
)


def show(console: Console | None = None) -> None:
    """Draw every scene."""
    console = console or Console(file=find_terminal(sys.stdout))
    for title, draw in SCENES:
        console.rule(title, align="left")
        draw(console)
        console.print()


def make_record() -> dict[str, Any]:
    """The same games for a program."""
    game = play_duel()
    return {
        "duel": {"mistakes": game.mistakes, "bound": Halving(Thresholds(BILLION)).bound().mistakes},
        "race": [
            {"arena" if name == "contest" else name: value for name, value in result._asdict().items()}
            for result in run_race()
        ],
        "survivors": count_survivors(),
    }
