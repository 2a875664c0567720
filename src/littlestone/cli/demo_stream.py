"""Demo stream: deliveries that come late or not, drawn here, learned by the commands that anyone would type.

The rows are drawn by a rule that stands below and that no learner is told: columns in different units, words beside
numbers, labels that are drawn by their chances so that no rule is always right, and a courier who becomes slow halfway.
"""

import csv
import math
import tempfile
from pathlib import Path
from typing import Any

import click
import numpy as np

from littlestone.base.printed_text import quote_word
from littlestone.cli import main

ROUNDS, CHANGE, NEXT, SEED = 400, 200, 3, 7
COURIERS = ("Ada", "Ben", "Cleo")
WEATHER = {"sun": -0.6, "rain": 0.5, "snow": 1.6}
HEADER = ("metres", "grams", "weather", "courier", "hour", "late")


def draw_rows(rounds: int) -> tuple[list[list[Any]], list[float]]:
    """Draw deliveries in the order in which they happen.

    Returns:
        The rows, the label last.
        The chance by which each label was drawn.
    """
    rng = np.random.default_rng(SEED)
    rows, chances = list[list[Any]](), list[float]()
    for t in range(rounds):
        metres, grams, hour = int(rng.gamma(3, 1500)), int(rng.gamma(2, 400)), int(rng.integers(8, 20))
        weather, courier = str(rng.choice(list(WEATHER))), str(rng.choice(COURIERS))
        slow = courier == "Ben" and t >= CHANGE
        score = metres / 1500 - 4.2 + WEATHER[weather] + (hour in (17, 18)) * 1.8 + slow * 2.5
        chances.append(1 / (1 + math.exp(-2 * score)))
        rows.append([metres, grams, weather, courier, hour, "late" if rng.random() < chances[-1] else "on time"])
    return rows, chances


def write_stream(folder: Path) -> float:
    """Write the deliveries and a few of the next day; return how often one errs who knows the chances."""
    rows, chances = draw_rows(ROUNDS + NEXT)
    for name, shown in (("deliveries.csv", rows[:ROUNDS]), ("tomorrow.csv", [row[:-1] for row in rows[ROUNDS:]])):
        with open(folder / name, "w", newline="") as file:
            csv.writer(file).writerows([HEADER[: len(shown[0])], *shown])
    return sum(min(chance, 1 - chance) for chance in chances[:ROUNDS]) / ROUNDS


def list_commands(folder: Path) -> list[list[str]]:
    """List what is typed."""
    data, model, claim = (str(folder / name) for name in ("deliveries.csv", "late.lst", "late.json"))
    return [
        ["learn", data, "--model", model, "--report", str(folder / "deliveries.html")],
        ["certify", model, data, "--output", claim],
        ["verify", claim, data],
        ["predict", model, str(folder / "tomorrow.csv"), "--probabilities"],
    ]


def play_stream() -> None:
    """Write the stream into a new folder and run the commands on it, as they would be typed."""
    folder = Path(tempfile.mkdtemp(prefix="littlestone-demo-"))
    best = write_stream(folder)
    click.echo(
        f"{ROUNDS:,} deliveries, drawn by a rule that no learner is told (cli/demo_stream.py). Labels are drawn by"
    )
    click.echo(
        f"their chances: who knows these errs on {best:.1%} on the mean. Halfway one courier becomes slow, so what is"
    )
    click.echo("said of new data below rests on a condition that fails here: rounds come from two sources.")
    for words in list_commands(folder):
        click.echo(f"\n$ littlestone {' '.join(map(quote_word, words))}")
        command = main.get_command(click.get_current_context(), words[0])
        assert command is not None
        command.main(words[1:], prog_name=f"littlestone {words[0]}", standalone_mode=False)
    click.echo(f"\nThe run as a page with pictures: {folder / 'deliveries.html'}\n")


def measure_stream() -> dict[str, Any]:
    """The same for a program: what was lost, what the theorem allows, and what a constant guess would have made."""
    from littlestone.game.play import play
    from littlestone.game.verify import verify
    from littlestone.learners import Logistic
    from littlestone.readers.reading import read

    with tempfile.TemporaryDirectory() as folder:
        best = write_stream(Path(folder))
        stream = read(str(Path(folder) / "deliveries.csv"))
        game = play(Logistic(), stream)
        certificate = game.certificate()
        report = verify(certificate, stream)
    counts = game.order.counts
    rates = {"error": game.mistakes / game.rounds, "constant": 1 - int(counts.max()) / game.rounds, "best": best}
    promise = {"counts": certificate.counts, "counted": report.counted, "bound": report.bound}
    return {"rounds": game.rounds, "mistakes": game.mistakes, **rates, "certificate": promise}
