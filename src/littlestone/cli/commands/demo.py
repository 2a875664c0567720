"""The command `demo`: a stream is learned, certified and drawn; learners race, and an adversary reaches a bound."""

import click

from littlestone.cli import echo_json, takes_json


@click.command()
@takes_json
def demo(as_json: bool) -> None:
    """Watch a stream learned, certified and drawn, learners race, and an adversary reach a bound.

    What it writes, a table, a model, a certificate and a page with pictures, goes into a new temporary folder.
    """
    from littlestone.cli.demo_games import make_record, show
    from littlestone.cli.demo_stream import measure_stream, play_stream

    if as_json:
        echo_json({"stream": measure_stream(), **make_record()})
        return
    play_stream()
    show()
