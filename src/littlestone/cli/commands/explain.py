"""The command `explain`: which attributes count, by their weights, or why a model says what it says of some rows."""

import json
from itertools import islice
from typing import Any

import click

from littlestone.base.printed_text import quote
from littlestone.cli import DataOptions, takes_json, takes_options


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data", nargs=-1)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many attributes a class.")
@click.option("--rows", type=click.IntRange(1), default=1, show_default=True, help="How many rows of DATA.")
@click.option("--unlabelled", is_flag=True, help="The data have no labels.")
@takes_options(DataOptions)
@takes_json
def explain(model: str, data: tuple[str, ...], top: int, rows: int, as_json: bool, **options: Any) -> None:
    """Show the attributes that count most in MODEL; with DATA, what each attribute of its first rows adds.

    \b
    littlestone explain spam.lst --top 10
    echo 'free money now' | littlestone explain spam.lst - --format text
    """
    from littlestone.game.model import load

    player = load(model)
    if not data:
        explanation = player.explain(top=top)
        click.echo(explanation.to_json() if as_json else str(explanation))
        return
    reads = DataOptions.of(options)
    maybe = None if player.schema is not None and reads.label is None else True
    stream = reads.open(data, labelled=False if options["unlabelled"] else maybe, once=True, like=player)
    instances = (chunk[t] for chunk in stream.chunks() for t in range(len(chunk)))
    answers = [(player.predict(x), player.explain(x, top=top)) for x in islice(instances, rows)]
    if as_json:
        records = [json.loads(explanation.to_json()) | {"prediction": str(guess)} for guess, explanation in answers]
        click.echo(json.dumps({"rows": records}))
    else:
        click.echo("\n\n".join(f"{quote(guess)}\n{explanation}" for guess, explanation in answers))
