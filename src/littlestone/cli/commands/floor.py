"""The command `floor`: what no fixed rule, and no fixed linear rule, can go below on a file, with a proof."""

from typing import Any, Literal

import click

from littlestone.base.printed_text import quote
from littlestone.cli import DataOptions, echo_json, exit_in_words, takes_json, takes_options

KINDS = ("any", "linear", "log-loss", "hinge")


@click.command()
@click.argument("data", nargs=-1, required=True)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="How long to look at linear rules, by the clock; Ctrl-C stops earlier, and what was found is printed.",
)
@click.option("--losses", is_flag=True, help="Look at log-loss and hinge loss of linear rules too.")
@click.option("--rounds", type=click.IntRange(min=1), default=None, help="Look at no more rounds than this.")
@click.option("--output", type=click.Path(dir_okay=False), help="Write the certificate here (JSON).")
@click.option(
    "--of", "rules", type=click.Choice(KINDS), default=None, help="Which certificate; none: the strongest one."
)
@takes_options(DataOptions)
@takes_json
def floor(
    data: tuple[str, ...],
    seconds: float,
    losses: bool,
    rounds: int | None,
    output: str | None,
    rules: Literal["any", "linear", "log-loss", "hinge"] | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Prove what no fixed rule can go below on DATA: rows with several labels, and sets of rows that cancel.

    \b
    littlestone floor rows.svm --seconds 300 --output f.json
    littlestone verify f.json rows.svm
    """
    from littlestone.base.errors import require
    from littlestone.base.files import replace, require_outputs
    from littlestone.guarantees.floors import floor as find

    with exit_in_words("littlestone floor"):
        require_outputs({"--output": output}, data)
        require(rules is None or output is not None, "--of says which certificate to write: give --output FILE")
        reads = DataOptions.of(options)
        stream = reads.open(data)
        features = reads.make_features(stream) if reads.bits else None
        found = find(stream, seconds, rounds, losses or rules in ("log-loss", "hinge"), features)
        if output:
            of = rules or ("linear" if "linear" in found.certificates else "any")
            there = ", ".join(found.certificates)
            require(of in found.certificates, f"there is no floor of {of} rules here, only of: {there}")
            replace(output, [found.certificates[of].to_json().encode()])
        if as_json:
            echo_json(found.record())
        else:
            click.echo(str(found) + (f"\ncertificate written to {quote(output)}" if output else ""))
