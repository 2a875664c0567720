"""The command `demo`: the learners race, their bounds hold, and an adversary reaches them."""

import click

from littlestone.cli import echo_json, takes_json


@click.command()
@takes_json
def demo(as_json: bool) -> None:
    """Watch the learners race, their bounds hold, and an adversary reach them."""
    from littlestone.cli.demo_games import make_record, show

    if as_json:
        echo_json(make_record())
    else:
        show()
