"""The command `atlas`: exact values of every concept class on a few points."""

import csv
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from littlestone.cli import takes_json

if TYPE_CHECKING:
    from littlestone.concepts.atlas import AtlasTable


@click.command()
@click.option("--points", type=click.IntRange(1, 5), default=4, show_default=True, help="How many points there are.")
@click.option("--class", "number", type=click.IntRange(1), metavar="NUMBER", help="Show this class and its tree.")
@click.option(
    "--output", type=click.Path(dir_okay=False), help="Write all classes here: a page (HTML) or a table (CSV)."
)
@takes_json
def atlas(points: int, number: int | None, output: str | None, as_json: bool) -> None:
    """Chart every concept class on a few points, up to symmetry: dimensions, worst cases, the value of the game.

    \b
    littlestone atlas
    littlestone atlas --output atlas.html
    littlestone atlas --points 3 --class 27
    littlestone atlas --points 5 --output atlas.csv
    """
    from littlestone.base.errors import require
    from littlestone.base.files import replace, require_outputs
    from littlestone.concepts.atlas import describe, tabulate
    from littlestone.concepts.dimension import littlestone_dimension

    require_outputs({"--output": output})
    if number is not None:
        entry = describe(number, points)
        if as_json:
            click.echo(json.dumps(entry._asdict(), default=str))
            return
        alike = "" if entry.number == number else f"class {number} is like class {entry.number}\n"
        values = ", ".join(f"{name} {value}" for name, value in entry._asdict().items() if name != "number")
        click.echo(f"{alike}class {entry.number}: {values}\nconcepts: {' '.join(entry.rows)}\n")
        click.echo(str(littlestone_dimension(entry.concepts, tree=True)))
        return
    page = bool(output) and str(output).lower().endswith((".html", ".htm"))
    require(not page or points < 5, "a page has a tree for each class, too many on 5 points: write a table (.csv)")
    table = tabulate(points)
    entries = [] if points == 5 and not (output or as_json) else [table.entry(k) for k in range(len(table.numbers))]
    if page:
        from littlestone.plot.atlas import write_atlas

        write_atlas(str(output), entries)
    elif output:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*entries[0]._fields, "concepts"])
        writer.writerows([*one, " ".join(one.rows)] for one in entries)
        replace(output, [text.getvalue().encode()])
    if as_json:
        click.echo(json.dumps([one._asdict() for one in entries], default=str))
        return
    click.echo(_summarize(table) + (f"\n\nwritten to {output}" if output else ""))


def _summarize(table: "AtlasTable") -> str:
    """How many classes have which values."""
    import numpy as np

    played = np.stack((table.littlestone, table.vc, table.halving), axis=1)
    lines = [f"{'Littlestone':>11}  {'VC':>3}  {'Halving':>7}  {'kinds':>7}  {'classes':>13}  randomized"]
    for values in np.unique(played, axis=0):
        those = (played == values).all(axis=1)
        drawn = table.randomized[those]
        low, high = (Fraction(int(part), 1 << table.points) for part in (drawn.min(), drawn.max()))
        kinds = int(those.sum())
        classes = int(table.alike[those].sum())
        span = f"{low}" if low == high else f"{low} to {high}"
        lines.append(f"{values[0]:>11}  {values[1]:>3}  {values[2]:>7}  {kinds:>7,}  {classes:>13,}  {span}")
    head = (
        f"{len(table.numbers):,} kinds of classes on {table.points} points, {int(table.alike.sum()):,} classes in all"
    )
    return "\n".join([f"{head}; the empty one is left out", "", *lines])
