"""The command `warm`: compile beforehand what learning from files needs, for an image or a machine that tests."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import click

from littlestone.cli import echo_json, main, takes_json

USUAL = (
    "logistic", "averaged-perceptron", "perceptron", "passive-aggressive", "arow:diagonal=true",
    "network:averaged-perceptron",
)  # fmt: skip
MANY = ("logistic", "network")  # that take more than two classes, which they play by other loops
REMEDY = "name a folder that can be written in XDG_CACHE_HOME"
ROWS = 12  # of every file: enough for each kind of cell to occur


@click.command()
@click.option("--learner", "chosen", multiple=True, help=f"For these learners; else for {', '.join(USUAL)}.")
@takes_json
def warm(chosen: tuple[str, ...], as_json: bool) -> None:
    """Compile what learning and predicting from files needs, so that later runs need not.

    Small files in every format are learned from and predicted, with each learner, two classes and three. What is
    compiled is kept in the folder that the last line names, for every process of this machine that may use it.
    """
    from littlestone.base.errors import LittlestoneError, require
    from littlestone.compiled import FOLDER, CompileClock, compile_at_once

    require(FOLDER is not None, f"machine code cannot be kept: {REMEDY}", LittlestoneError)
    compile_at_once()
    seconds = dict[str, float]()
    with tempfile.TemporaryDirectory() as folder, CompileClock() as whole:
        for path in write_samples(Path(folder)):
            with CompileClock() as clock:
                for learner in chosen or USUAL:
                    if "of_2" in path.stem or learner.partition(":")[0] in MANY:
                        learn_sample(path, learner)
            name = path.stem.replace("_", " ")
            seconds[name] = clock.seconds
            if not as_json:
                click.echo(f"{name}: {clock.seconds:.1f} s of compiling")
    if as_json:
        echo_json({"folder": FOLDER, "seconds": whole.seconds, "files": seconds})
        return
    click.echo(f"ready: {whole.seconds:.1f} s of compiling in all, kept in {FOLDER}")


def learn_sample(path: Path, learner: str) -> None:
    """Learn from a file, then predict it by the model, as the shell would; what they print is thrown away."""
    from littlestone.base.errors import LittlestoneError

    model = str(path.with_suffix(".lst"))
    told = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(told):
        learned = main.main(["learn", str(path), "--learner", learner, "--model", model], standalone_mode=False)
        failed = learned or main.main(["predict", model, str(path)], standalone_mode=False)
    if failed:
        raise LittlestoneError(f"{learner} could not learn from a file made for it: {told.getvalue().strip()}")


@cache
def tell_compiling() -> None:
    """Say once a process why it takes longer when it compiles; if nothing that is compiled can be kept, what helps."""
    from littlestone.compiled import FOLDER, tell_first_compile

    if FOLDER is None:
        again = "so that each run compiles again what takes long"
        click.echo(f"littlestone: machine code cannot be kept, {again}: {REMEDY}", err=True)
        return
    once = "littlestone: compiling for this machine, which takes a few seconds once"
    tell_first_compile(lambda: click.echo(once, err=True))


def write_samples(folder: Path) -> Iterator[Path]:
    """Write small files, one at a time: every format, two classes and three, and cells that must be read with care."""
    for classes in (2, 3):
        rounds = [(t % classes, t % 5 + 1, t % 7 + 1, ("red", "blue")[t % 2]) for t in range(ROWS)]
        for name, text in list_texts(rounds).items():
            stem, suffix = name.split(".")
            path = folder / f"{stem}_of_{classes}_classes.{suffix}"
            path.write_text(text)
            yield path
        if find_spec("pyarrow") is not None:
            yield write_parquet(folder / f"parquet_of_{classes}_classes.parquet", rounds)


def list_texts(rounds: list[tuple[Any, ...]]) -> dict[str, str]:
    """Files of text by their names: the same rounds in every format."""
    header = "one,two,label\n"
    table = "".join(f"{a}.5,-{b},{y}\n" for y, a, b, _ in rounds)
    words = "".join(f"{a},{c},k{y}\n" for y, a, _, c in rounds)
    return {
        "svmlight.svm": "".join(f"{y} {a + 7}:{b}.5 {a}:1e-1 9:-2\n" for y, a, b, _ in rounds),
        "vw.vw": "".join(f"{y + 1} |f {c} x:{a}\n" for y, a, _, c in rounds),
        "text.txt": "".join(f"k{y}\t{c} number {a}\n" for y, a, _, c in rounds),
        "json_lines.jsonl": "".join(json.dumps({"a": a, "c": c, "label": y}) + "\n" for y, a, _, c in rounds),
        "csv_of_numbers.csv": header + table,
        "quoted_csv_of_numbers.csv": header + table + f'"1", 1e2 ,{rounds[0][0]}\n',
        "csv_with_words.csv": header + words,
        "quoted_csv_with_words.csv": header + words + f'"1", "red, ""blue""" ,k{rounds[0][0]}\n',
    }


def write_parquet(path: Path, rounds: list[tuple[Any, ...]]) -> Path:
    """The same as a Parquet file."""
    pyarrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    y, a, b, c = zip(*rounds, strict=True)
    parquet.write_table(pyarrow.table({"one": a, "two": b, "word": c, "label": y}), path)
    return path
