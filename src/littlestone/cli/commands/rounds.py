"""The command `rounds`: data of any format as lines that need no library to be read."""

from typing import Any

import click

from littlestone.cli import DataOptions, takes_options


@click.command()
@click.argument("data", nargs=-1, required=True)
@takes_options(DataOptions)
def rounds(data: tuple[str, ...], **options: Any) -> None:
    """Write the rounds of DATA as a learner sees them, one a line: attributes by number, values exactly.

    \b
    littlestone rounds rows.parquet > rows.rounds
    python littlestone_verify.py certificate.json rows.rounds
    """
    from littlestone.certificates.rounds import write_rounds

    reads = DataOptions.of(options)
    stream = reads.open(data)
    for line in write_rounds(stream, reads.make_features(stream)):
        click.echo(line)
