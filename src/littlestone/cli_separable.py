"""The command `separable`: does a hyperplane separate the classes of a file, with a proof of either answer."""

import json
import sys

import click


@click.command()
@click.argument("data", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--bias", type=click.FloatRange(min=0), default=1.0, show_default=True, help="The constant attribute.")
@click.option("--rounds", type=click.IntRange(min=1), default=None, help="Look at so many rounds at most.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output, with the whole proof.")
def separable(data: str, bias: float, rounds: int | None, as_json: bool) -> None:
    """Show a separating vector with its margin, or whole multiples of the rounds of DATA that cancel: there is none."""
    from littlestone.errors import LittlestoneError
    from littlestone.guarantees.separation import separable as decide

    try:
        found = decide(data, bias, rounds)
    except LittlestoneError as problem:
        click.echo(f"littlestone separable: {problem}", err=True)
        sys.exit(1)
    click.echo(json.dumps(found.record()) if as_json else str(found))
