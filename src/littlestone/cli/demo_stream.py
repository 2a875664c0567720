"""Demo stream: 569 tumours and their diagnoses as recorded, learned by the commands that anyone would type.

`demo_rows.csv` beside this file is the Wisconsin diagnostic breast cancer table (Wolberg, Street and Mangasarian 1993,
UCI, CC BY 4.0; see NOTICE) with names for its columns and classes. The last rows are kept back for a prediction.
"""

import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from littlestone.base.printed_text import quote_word
from littlestone.cli import main

NEXT = 3  # rows that are kept back
SOURCE = "Wolberg, Street and Mangasarian 1993, UCI, CC BY 4.0"


def write_stream(folder: Path) -> list[str]:
    """Write the table without its last rows, and these without their labels; return the labels that were kept back."""
    lines = (files("littlestone.cli") / "demo_rows.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    rows = [line.rstrip("\n").rpartition(",") for line in (lines[0], *lines[-NEXT:])]
    (folder / "tumours.csv").write_text("".join(lines[:-NEXT]), encoding="utf-8")
    (folder / "next.csv").write_text("".join(f"{cells}\n" for cells, _, _ in rows), encoding="utf-8")
    return [label for _, _, label in rows[1:]]


def list_commands(folder: Path) -> list[list[str]]:
    """List what is typed."""
    data, model, claim = (str(folder / name) for name in ("tumours.csv", "tumours.lst", "tumours.json"))
    return [
        ["learn", data, "--model", model, "--report", str(folder / "tumours.html")],
        ["certify", model, data, "--output", claim],
        ["verify", claim, data],
        ["predict", model, str(folder / "next.csv"), "--probabilities"],
    ]


def play_stream() -> None:
    """Write the stream into a new folder and run the commands on it, as they would be typed."""
    folder = Path(tempfile.mkdtemp(prefix="littlestone-demo-"))
    labels = write_stream(folder)
    click.echo(f"The Wisconsin breast cancer table ({SOURCE}), its rows in the order recorded.")
    click.echo("Each tumour is guessed from 30 measurements of its cells, before its diagnosis is seen.")
    for words in list_commands(folder):
        click.echo(f"\n$ littlestone {' '.join(map(quote_word, words))}")
        command = main.get_command(click.get_current_context(), words[0])
        assert command is not None
        command.main(words[1:], prog_name=f"littlestone {words[0]}", standalone_mode=False)
    click.echo(f"\nThe diagnoses of these {NEXT}, which were kept back: {', '.join(labels)}.")
    click.echo(f"The run as a page with pictures: {folder / 'tumours.html'}\n")


def measure_stream() -> dict[str, Any]:
    """The same for a program: what was lost, what the theorem allows, and what a constant guess would have made."""
    from littlestone.game.play import play
    from littlestone.game.verify import verify
    from littlestone.learners import Logistic
    from littlestone.readers.reading import read

    with tempfile.TemporaryDirectory() as folder:
        write_stream(Path(folder))
        stream = read(str(Path(folder) / "tumours.csv"))
        game = play(Logistic(), stream)
        certificate = game.certificate()
        report = verify(certificate, stream)
    rates = {"error": game.mistakes / game.rounds, "constant": 1 - int(game.order.counts.max()) / game.rounds}
    promise = {"counts": certificate.counts, "counted": report.counted, "bound": report.bound}
    return {"source": SOURCE, "rounds": game.rounds, "mistakes": game.mistakes, **rates, "certificate": promise}
