"""The command `play`: a game between a learner and an environment, either side of which may be a person."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import click

from littlestone.cli import echo_json, takes_json

ROUNDS = 100  # of a game against an environment that would never end


@click.command()
@click.argument("learner")
@click.option("--concepts", metavar="CLASS", help="A concept class and its numbers, such as thresholds:1024.")
@click.option("--against", metavar="ENVIRONMENT", required=True, help="An environment, such as bisection; me: you.")
@click.option("--rounds", type=click.IntRange(min=0), help=f"Stop after this many rounds (an endless game: {ROUNDS}).")
@click.option("--seed", type=int, default=0, show_default=True, help="For the coins of both sides.")
@click.option("--transcript", is_flag=True, help="Show every round.")
@takes_json
def play(
    learner: str, concepts: str | None, against: str, rounds: int | None, seed: int, transcript: bool, as_json: bool
) -> None:
    """Play a game: LEARNER against an environment, either side of which may be you.

    \b
    littlestone play halving --concepts thresholds:1024 --against bisection
    littlestone play halving --concepts parities:8 --against nature --rounds 50
    littlestone play me --concepts thresholds:15 --against bisection
    littlestone play halving --concepts thresholds:15 --against me
    """
    from littlestone.cli.human import Stopped, to_readable
    from littlestone.game.play import play as play_game

    player, other = _build_sides(learner, concepts, against, seed)
    if rounds is None and other.rounds is None:
        rounds = sys.maxsize if against == "me" else ROUNDS
    try:
        game = play_game(player, other, rounds=rounds, seed=seed, transcript=transcript)
    except Stopped as stopped:
        game = stopped.game
    if as_json:
        echo_json(_make_record(game))
        return
    for line in game.transcript or ():
        click.echo(str(line._replace(x=to_readable(line.x))))
    click.echo(repr(game))


def _build_sides(learner: str, concepts: str | None, against: str, seed: int) -> tuple[Any, Any]:
    """Who plays, from what was typed: the learner and the environment."""
    from littlestone import concepts as classes
    from littlestone import environments, learners
    from littlestone.base.coins import pick
    from littlestone.base.errors import BadParameter
    from littlestone.cli.human import HumanEnvironment, HumanLearner
    from littlestone.game.names import build

    domain: Any = None if concepts is None else build(classes.ALL, concepts, "concept class")

    def find_class(user: str) -> Any:
        if domain is None:
            raise BadParameter(f"{user} needs a concept class, such as --concepts thresholds:1024")
        return domain

    def draw_target() -> Any:
        return find_class(against).concept(pick(seed, -1, domain.size))

    if learner == against == "me":
        raise BadParameter("one side may be you, not both")
    if learner == "me":
        player: Any = HumanLearner(domain, _read, _write)
    else:
        player = build(learners.ALL, learner, "learner", {"concepts": partial(find_class, learner)})
    if against == "me":
        return player, HumanEnvironment(domain, _read, _write)
    made: dict[str, Callable[[], Any]] = {"concepts": partial(find_class, against), "target": draw_target}
    made["environment"] = lambda: environments.Nature(draw_target())
    kinds = [getattr(environments, name) for name in environments.__all__]
    return player, build(kinds, against, "environment", made)


def _read(question: str) -> str:
    """A line from the person; the question goes to standard error, so that the result stays alone on the other."""
    click.echo(question, nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _write(text: str) -> None:
    click.echo(text, err=True)


def _make_record(game: Any) -> dict[str, Any]:
    """A game as JSON knows it."""
    from littlestone.base.errors import NotCertified
    from littlestone.cli.human import to_readable

    certificate = None
    with suppress(NotCertified):
        certificate = json.loads(game.certificate().to_json())
    record = {
        "learner": str(game.player.learner),
        "against": str(game.environment),
        "rounds": game.rounds,
        "mistakes": game.mistakes,
        "updates": game.updates,
        "certificate": certificate,
        "target": None if game.target is None else str(game.target),
    }
    if game.expected is not None:
        record["expected"] = float(game.expected)
    if game.transcript is not None:
        record["transcript"] = [one._replace(x=to_readable(one.x))._asdict() for one in game.transcript]
    return record
