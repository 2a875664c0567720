"""The command `demo`: the learners race, their bounds hold, and an adversary reaches them."""

import json

import click

from littlestone.cli.commands.data import plain


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def demo(as_json: bool) -> None:
    """Watch the learners race, their bounds hold, and an adversary reach them."""
    from littlestone.cli import demo_games as show

    if as_json:
        click.echo(json.dumps(show.record(), default=plain))
    else:
        show.run()
