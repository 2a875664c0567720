"""The command `predict`: what a model says of every row, written while the data are read."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import IO, Any

import click

from littlestone.base.errors import BadData
from littlestone.base.printed_text import escape, quote
from littlestone.cli import DataOptions, takes_json, takes_options
from littlestone.cli.flags import name_flags

COLUMNS = {"scores": "score", "probabilities": "probability"}  # what may be added, and how its columns are called


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@click.option("--unlabelled", is_flag=True, help="The data have no labels, or they are not to be looked at.")
@click.option("--scores", is_flag=True, help="Add the score of the positive class, or one for each class.")
@click.option("--probabilities", is_flag=True, help="Add the chance of each class.")
@click.option("--members", metavar="NAMES", help="Name a league's models of other libraries again; they abstain.")
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
    model: str,
    data: tuple[str, ...],
    unlabelled: bool,
    members: str | None,
    output: str,
    memory: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Predict DATA with MODEL, one line a row: the label, then what was asked for, between tabs.

    If numbers are asked for, the first line names the columns: guess, score:CLASS, probability:CLASS.
    A row that --on-error skip passes over has an empty line (with --json, null), so lines and rows correspond.
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
    player = load(model, int(memory * 2**30)) if members is None else _load_league(model, members)
    reads = DataOptions.of(options)
    keeps_places = reads.on_error == "stop"  # a cache does not keep where rows were skipped
    reads = replace(reads, cache=reads.cache and keeps_places)
    maybe = None if player.schema is not None and reads.label is None else True
    stream = reads.open(data, labelled=False if unlabelled else maybe, once=True, like=player)
    unlabelled = stream.format.labelled is False
    columns = [numbers for numbers in COLUMNS if options[numbers]]
    numeric = player.numeric
    rounds = 0
    wrong = 0
    missed = 0.0
    lines = list[str | None]()
    names = list[str]()
    with ExitStack() as stack:
        file: Any = None
        if output != "-":
            tell_partial(stack, output)
            file = stack.enter_context(open_text(output))
        elif not as_json:
            file = stack.enter_context(click.open_file(output, "w"))
        stream.skipped.tell = lambda: _write_rows(file, lines, [None], names, bool(columns))
        for chunk in stream.chunks() if reads.force else refuse_other_rounds(player, stream.chunks(), not unlabelled):
            guesses = player.predictions(chunk)
            rounds += len(guesses)
            if not unlabelled and numeric:
                missed += sum(abs(a - float(b)) for a, b in zip(guesses, chunk.labels.tolist(), strict=True))
            elif not unlabelled:
                wrong += sum(guess != label for guess, label in zip(guesses, chunk.labels.tolist(), strict=True))
            found, cells = _format_rows(player, chunk, guesses, columns)
            if columns and not names and file is not None:
                file.write("\t".join(found) + "\n")
            names[:] = found
            _write_rows(file, lines, ["\t".join(row) for row in zip(*cells, strict=True)], names, bool(columns))
        if not names:  # nothing was read
            _write_rows(file, lines, [], names, False)
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
    skipped = stream.skipped
    if skipped.words:
        words = f"{skipped.words:,} cells in columns of numbers hold words"
        click.echo(f"littlestone: {words}, and count as missing", err=True)
    if skipped.count:
        rows = "1 row was" if skipped.count == 1 else f"{skipped.count:,} rows were"
        click.echo(f"littlestone: {rows} skipped; the first: {escape(name_flags(str(skipped.places[0])))}", err=True)
        if not rounds:
            raise BadData("not one row could be read")


def _write_rows(
    file: IO[Any] | None, lines: list[str | None], rows: Sequence[str | None], names: list[str], wide: bool
) -> None:
    """Write rows, None being one that was skipped, after those in `lines` that wait for the names of columns."""
    lines += rows
    if file is None or (wide and not names):
        return
    empty = "\t" * (len(names) - 1) if wide else ""
    file.writelines(f"{empty if line is None else line}\n" for line in lines)
    file.flush()
    lines.clear()


def _load_league(path: str, members: str) -> Any:
    """A league whose models of other libraries were named again: what these learned is in no file, so they abstain."""
    from littlestone.base.errors import require
    from littlestone.cli.league_members import name_again
    from littlestone.game.league.foreign import ForeignMember
    from littlestone.game.league.league import League

    league = League.load(path, name_again(members)[1])
    foreign = [one for one in league.members if isinstance(one, ForeignMember)]
    require(
        len(foreign) < len(league.members), f"all members of {path} are models of other libraries: none can predict"
    )
    for one in foreign:
        one.fresh = True
    names = ", ".join(one.name for one in foreign)
    told = f"no file holds what {names} learned: it abstains, and {len(league.members) - len(foreign)} members predict"
    click.echo(f"littlestone: {told}", err=True)
    return league


def _format_rows(player: Any, chunk: Any, guesses: list[Any], columns: list[str]) -> tuple[list[str], list[list[str]]]:
    """The labels of rows, and the numbers that were asked for.

    Returns:
        The names of the columns.
        The columns.
    """
    shown = {guess: "" if guess is None else quote(guess) for guess in set(guesses)}
    names = ["guess"]
    cells = [[shown[guess] for guess in guesses]]
    classes = player.labels.names
    for kind in columns:
        numbers = getattr(player, kind)(chunk)
        shown_classes = classes
        found = numbers.T
        if numbers.ndim == 1:  # of the positive class
            found = [1 - numbers, numbers] if kind == "probabilities" else [numbers]
            shown_classes = classes[-len(found) :]
        for name, column in zip(shown_classes, found, strict=False):
            names.append(f"{COLUMNS[kind]}:{'' if name is None else quote(name)}")
            cells.append([f"{number:.9g}" for number in column.tolist()])
    return names, cells
