"""The command `predict`: what a model says of every row, written while the data are read."""

import json
from contextlib import ExitStack
from typing import Any

import click

from littlestone.base.printed_text import quote
from littlestone.cli import DataOptions, takes_json, takes_options

COLUMNS = {"scores": "score", "probabilities": "probability"}  # what may be added, and how its columns are called


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@click.option("--unlabelled", is_flag=True, help="The data have no labels, or they are not to be looked at.")
@click.option("--scores", is_flag=True, help="Add the score of the positive class, or one for each class.")
@click.option("--probabilities", is_flag=True, help="Add the chance of each class.")
@click.option("--output", type=click.Path(dir_okay=False, allow_dash=True), default="-", help="Write here instead.")
@click.option(
    "--memory",
    type=click.FloatRange(0, min_open=True),
    metavar="GB",
    default=4.0,
    show_default=True,
    help="Memory limit for the model.",
)
@takes_options(DataOptions)
@takes_json
def predict(
    model: str, data: tuple[str, ...], unlabelled: bool, output: str, memory: float, as_json: bool, **options: Any
) -> None:
    """Predict DATA with MODEL, one line a row: the label, then what was asked for, between tabs.

    If numbers are asked for, the first line names the columns: guess, score:CLASS, probability:CLASS.
    A label that begins with a quotation mark or holds control characters is written as a JSON string.

    \b
    littlestone predict spam.lst new.txt
    tail -f log.svm | littlestone predict m.lst - --format svmlight --probabilities
    """
    from littlestone.base.files import open_text, require_outputs
    from littlestone.cli.commands.resume import tell_partial
    from littlestone.game.model import load
    from littlestone.game.refusal import refuse_other_rounds

    require_outputs({"--output": None if output == "-" else output}, [model, *data])
    player = load(model, int(memory * 2**30))
    reads = DataOptions.of(options)
    maybe = None if player.schema is not None and reads.label is None else True
    stream = reads.open(data, labelled=False if unlabelled else maybe, once=True, like=player)
    unlabelled = stream.format.labelled is False
    columns = [numbers for numbers in COLUMNS if options[numbers]]
    numeric, rounds, wrong, missed = player.numeric, 0, 0, 0.0
    lines, names = list[str](), list[str]()
    with ExitStack() as stack:
        file: Any = None
        if output != "-":
            tell_partial(stack, output)
            file = stack.enter_context(open_text(output))
        elif not as_json:
            file = stack.enter_context(click.open_file(output, "w"))
        for chunk in stream.chunks() if reads.force else refuse_other_rounds(player, stream.chunks(), not unlabelled):
            guesses = player.predictions(chunk)
            rounds += len(guesses)
            if not unlabelled and numeric:
                missed += sum(abs(a - float(b)) for a, b in zip(guesses, chunk.labels.tolist(), strict=True))
            elif not unlabelled:
                wrong += sum(guess != label for guess, label in zip(guesses, chunk.labels.tolist(), strict=True))
            found, cells = _format_rows(player, chunk, guesses, columns)
            text = ["\t".join(row) for row in zip(*cells, strict=True)]
            if file is None:
                lines += text
            else:
                header = ["\t".join(found)] if columns and not names else []
                file.writelines(f"{line}\n" for line in [*header, *text])
                file.flush()
            names = found
    judged = {"mae": missed / rounds} if numeric and rounds and not unlabelled else {}
    told = None if unlabelled or numeric else wrong
    record: dict[str, Any] = {"rounds": rounds, "mistakes": told, "skipped": stream.skipped.count, **judged}
    if as_json:
        record |= {"columns": names} if columns else {}
        click.echo(json.dumps(record | ({"predictions": lines} if output == "-" else {"output": output})))
    elif judged:
        click.echo(f"mean absolute error {judged['mae']:.5g} in {rounds:,} rounds", err=True)
    elif not unlabelled and rounds:
        click.echo(f"{wrong:,} of {rounds:,} differ from the labels ({wrong / rounds:.2%})", err=True)


def _format_rows(player: Any, chunk: Any, guesses: list[Any], columns: list[str]) -> tuple[list[str], list[list[str]]]:
    """The labels of rows, and the numbers that were asked for.

    Returns:
        The names of the columns.
        The columns.
    """
    shown = {guess: "" if guess is None else quote(guess) for guess in set(guesses)}
    names, cells, classes = ["guess"], [[shown[guess] for guess in guesses]], player.labels.names
    for kind in columns:
        numbers, shown_classes = getattr(player, kind)(chunk), classes
        found = numbers.T
        if numbers.ndim == 1:  # of the positive class
            found = [1 - numbers, numbers] if kind == "probabilities" else [numbers]
            shown_classes = classes[-len(found) :]
        for name, column in zip(shown_classes, found, strict=False):
            names.append(f"{COLUMNS[kind]}:{'' if name is None else quote(name)}")
            cells.append([f"{number:.9g}" for number in column.tolist()])
    return names, cells
