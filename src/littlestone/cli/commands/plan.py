"""The command `plan`: which learner to use and what it promises, before the first round."""

from typing import Any

import click

from littlestone.base.errors import require
from littlestone.cli import DataOptions, exit_in_words, takes_json, takes_options

ASSUMED = ("attributes", "relevant", "margin", "noise", "drift", "examples", "active", "labels", "weights", "error",
           "growth")  # fmt: skip
ABOUT_NUMBERS = ("labels", "weights", "error", "growth")
ABOUT_CLASSES = ("margin", "noise", "drift")


@click.command()
@click.option("--attributes", type=click.IntRange(min=1), help="How many attributes there are.")
@click.option("--relevant", type=click.IntRange(min=1), help="How many of them matter; 1 if not said.")
@click.option("--margin", type=float, help="Of weights even over these; left out, a label is the OR of these.")
@click.option("--noise", type=float, help="The share of labels that are wrong; none if not said.")
@click.option("--drift", type=click.IntRange(min=0), help="Variables that join later; none if not said.")
@click.option("--examples", type=click.IntRange(min=1), help="How many rounds there will be.")
@click.option("--active", type=click.IntRange(min=1), help="How many attributes of a row are not 0 at most.")
@click.option("--labels", type=(float, float), metavar="LOW HIGH", help="Labels are numbers, from LOW to HIGH.")
@click.option(
    "--weights", type=float, help="By how much an attribute changes a number at most; HIGH - LOW if not said."
)
@click.option("--error", type=float, help="How far the best rule for numbers is off (RMSE); 0 if not said.")
@click.option("--growth", type=float, help="How many times its first size a number reaches; 1,000 if not said.")
@click.option("--task", type=click.Choice(["classification", "regression"]), help="What labels are; guessed from DATA.")
@click.option("--steps", type=float, default=1e6, show_default=True, help="What a round may cost.")
@click.option("--from", "data", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="DATA",
              help="Estimate all this from the head of a file.")  # fmt: skip
@takes_options(DataOptions)
@takes_json
def plan(data: str | None, task: Any, as_json: bool, **options: Any) -> None:
    """Every learner's guarantee under the same assumptions, and one recommendation.

    \b
    littlestone plan --attributes 10000 --relevant 5
    littlestone plan --attributes 10000 --relevant 5 --margin 0.1 --active 50
    littlestone plan --attributes 20 --labels -5 5 --error 0.5 --examples 100000
    littlestone plan --from DATA
    """
    from littlestone.guarantees.assumptions import estimate
    from littlestone.guarantees.planner import plan as make_plan

    given = {name: options[name] for name in ASSUMED if options[name] is not None}
    with exit_in_words("littlestone plan"):
        if data is not None:
            told = f"--from estimates all but --examples: leave out --{next((n for n in given if n != 'examples'), '')}"
            require(set(given) <= {"examples"}, told)
            estimated = estimate(DataOptions.of(options).open([data]), examples=options["examples"], task=task)
            found = make_plan(assumptions=estimated, steps=options["steps"])
        else:
            numbers = task == "regression" or any(name in given for name in ABOUT_NUMBERS)
            require(not numbers or "labels" in given, "numbers are promised within a range: say --labels LOW HIGH")
            wrong = next((name for name in (ABOUT_CLASSES if numbers else ()) if name in given), None)
            require(wrong is None, f"--{wrong} is about classes, and labels here are numbers")
            require(
                task != "classification" or not numbers, "--labels, --weights, --error and --growth are for numbers"
            )
            found = make_plan(**given, steps=options["steps"])
        click.echo(found.to_json() if as_json else str(found))
