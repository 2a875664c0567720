"""The command `grade`: a student's learner against every adversary."""

import json
from fractions import Fraction
from typing import Any

import click

from littlestone.cli import takes_json


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--exercise", type=click.IntRange(1), required=True, metavar="NUMBER", help="Which exercise it solves.")
@click.option(
    "--seconds", type=click.FloatRange(1, 3600), default=60.0, show_default=True,
    help="How long all games may take; one answer may take a twelfth of it.",
)  # fmt: skip
@click.option(
    "--memory", type=click.IntRange(64, 1 << 20), default=1024, show_default=True, metavar="MEGABYTES",
    help="How much memory the file may use.",
)  # fmt: skip
@takes_json
def grade(file: str, exercise: int, seconds: float, memory: int, as_json: bool) -> None:
    """Grade a learner written for an exercise of the course: its exact worst case beside the bound, and points.

    The file has an ordinary class with `predict(x)` and `update(x, y)`. It runs in a process of its own, with limits on
    time, memory and processes, against every adversary. The limits stop accidents, not malice: the file can read and
    change what you can. Exit status 1: there are fewer points than there could be.

    \b
    littlestone grade my_learner.py --exercise 8
    littlestone grade my_learner.py --exercise 8 --json
    """
    from littlestone.laws.grading import POINTS
    from littlestone.laws.grading import grade as grade_file

    report = grade_file(file, exercise, seconds, memory << 20)
    click.echo(json.dumps(report.to_record(), default=_to_plain) if as_json else str(report))
    if report.points < POINTS:
        click.get_current_context().exit(1)


def _to_plain(value: Any) -> Any:
    """A value that JSON does not know: a fraction as text."""
    return str(value) if isinstance(value, Fraction) else repr(value)
