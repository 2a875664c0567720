"""The command `rounds`: data of any format as lines that need no library to be read."""

from typing import Any

import click

from littlestone.cli import DataOptions, echo_json, takes_json, takes_options


@click.command()
@click.argument("data", nargs=-1, required=True)
@takes_options(DataOptions)
@takes_json
def rounds(data: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Write the rounds of DATA as a learner sees them, one a line: attributes by number, values exactly.

    \b
    littlestone rounds rows.parquet > rows.rounds
    python littlestone_verify.py certificate.json rows.rounds
    """
    from littlestone.certificates.rounds import write_rounds

    reads = DataOptions.of(options)
    stream = reads.open(data)
    lines = write_rounds(stream, reads.make_features(stream))
    if as_json:
        first, *rest = lines
        echo_json({"format": first, "rounds": rest})
        return
    for line in lines:
        click.echo(line)
