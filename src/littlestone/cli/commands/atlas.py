"""The command `atlas`: exact values of every concept class on a few points."""

import csv
import io
import json
from collections import Counter

import click

from littlestone.cli import takes_json


@click.command()
@click.option("--points", type=click.IntRange(1, 4), default=4, show_default=True, help="How many points there are.")
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
    """
    from littlestone.base.errors import require
    from littlestone.base.files import replace
    from littlestone.concepts.atlas import chart, find_least_alike
    from littlestone.concepts.dimension import littlestone_dimension

    entries = chart(points)
    if number is not None:
        least = find_least_alike(points)
        require(number < len(least), f"classes on {points} points have numbers below {len(least):,}, got {number:,}")
        entry = next(one for one in entries if one.number == least[number])
        if as_json:
            click.echo(json.dumps(entry._asdict(), default=str))
            return
        alike = "" if entry.number == number else f"class {number} is like class {entry.number}\n"
        values = ", ".join(f"{name} {value}" for name, value in entry._asdict().items() if name != "number")
        click.echo(f"{alike}class {entry.number}: {values}\nconcepts: {' '.join(entry.rows)}\n")
        click.echo(str(littlestone_dimension(entry.concepts, tree=True)))
        return
    if output:
        if output.lower().endswith((".html", ".htm")):
            from littlestone.plot.atlas import write_atlas

            write_atlas(output, entries)
        else:
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerows([[*entries[0]._fields, "concepts"], *([*one, " ".join(one.rows)] for one in entries)])
            replace(output, [text.getvalue().encode()])
    if as_json:
        click.echo(json.dumps([one._asdict() for one in entries], default=str))
        return
    counted = Counter((one.littlestone, one.vc, one.halving) for one in entries)
    lines = [f"{'Littlestone':>11}  {'VC':>3}  {'Halving':>7}  {'kinds':>6}  {'classes':>8}  randomized"]
    for played, kinds in sorted(counted.items()):
        those = [one for one in entries if (one.littlestone, one.vc, one.halving) == played]
        drawn, classes = sorted({one.randomized for one in those}), sum(one.alike for one in those)
        span = f"{drawn[0]}" if len(drawn) == 1 else f"{drawn[0]} to {drawn[-1]}"
        lines.append(f"{played[0]:>11}  {played[1]:>3}  {played[2]:>7}  {kinds:>6,}  {classes:>8,}  {span}")
    total = sum(one.alike for one in entries)
    head = f"{len(entries):,} kinds of classes on {points} points, {total:,} classes in all; the empty one is left out"
    click.echo("\n".join([head, "", *lines, *([f"\nwritten to {output}"] if output else [])]))
