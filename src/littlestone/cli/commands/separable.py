"""The command `separable`: does a hyperplane separate the classes of a file, with a proof of either answer."""

import json
from typing import Any

import click

from littlestone.cli import DataOptions, exit_in_words, takes_json, takes_options


@click.command()
@click.argument("data", nargs=-1, required=True)
@click.option("--bias", type=click.FloatRange(min=0), default=1.0, show_default=True, help="The constant attribute.")
@click.option("--rounds", type=click.IntRange(min=1), default=None, help="Look at no more rounds than this.")
@takes_options(DataOptions)
@takes_json
def separable(data: tuple[str, ...], bias: float, rounds: int | None, as_json: bool, **options: Any) -> None:
    """Show a separating vector with its margin, or whole multiples of the rounds of DATA that cancel: there is none.

    \b
    littlestone separable rows.svm
    littlestone separable rows.csv --label class --json
    """
    from littlestone.guarantees.separation import separable as decide

    with exit_in_words("littlestone separable"):
        found = decide(DataOptions.of(options).open(data), bias, rounds)
        click.echo(json.dumps(found.record()) if as_json else str(found))
