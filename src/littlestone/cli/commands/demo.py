"""The command `demo`: the learners race, their bounds hold, and an adversary reaches them."""

import json

import click

from littlestone.cli.commands.data import json_option, to_plain


@click.command()
@json_option
def demo(as_json: bool) -> None:
    """Watch the learners race, their bounds hold, and an adversary reach them."""
    from littlestone.cli import demo_games as show

    if as_json:
        click.echo(json.dumps(show.record(), default=to_plain))
    else:
        show.run()
