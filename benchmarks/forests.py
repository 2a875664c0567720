"""Accuracy against River's forests: progressive error in per cent on the first 10,000 rows of tables, defaults of all.

`make bench-accuracy` runs it and writes the table into docs/benchmarks.md. The adaptive random forest is handed the
columns of the table as they are; the Mondrian forest takes numbers only, so words become columns of 0 and 1. The data
are no part of the project.
"""

import sys
from datetime import date
from time import process_time
from typing import Any

from benchmarks.__main__ import describe_commit
from benchmarks.accuracy import PAGE, SETS, play_ours
from benchmarks.datasets import DATA, write_table

MARK, ROWS = "<!-- forests -->", 10_000
TABLES: dict[str, tuple[str, int, int | None]] = {  # file, the column of the label, the line of the header
    "electricity": ("electricity/elec.csv.gz", -1, 0),
    "mushroom": ("mushroom/agaricus-lepiota.data", 0, None),
    "credit_g": ("tables/credit_g.csv", -1, 0),
    "spambase": ("tables/spambase.csv", -1, 0),
    "letter": ("tables/letter.csv.gz", -1, 0),
    "car": ("tables/car.csv", -1, 0),
}


class First:
    """The first rounds of a stream."""

    def __init__(self, stream: Any, rounds: int) -> None:
        self.stream, self.rounds = stream, rounds

    def features(self) -> Any:
        return self.stream.features()

    def classes(self) -> Any:
        return self.stream.classes()

    def chunks(self) -> Any:
        left = self.rounds
        for chunk in self.stream.chunks():
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return


def read_rows(name: str) -> tuple[list[dict[str, Any]], list[Any]]:
    """The first rows of a table, as dicts of numbers and words, and their labels."""
    import pandas as pd

    file, label, header = TABLES[name]
    table = pd.read_csv(DATA / file, header=header, nrows=ROWS)
    table.columns = table.columns.map(str)
    labels = table.pop(table.columns[label])
    return table.to_dict("records"), labels.tolist()


def spread_words(rows: list[dict[str, Any]]) -> list[dict[str, float]]:
    """The rows with a column of 0 and 1 for each word that is in any of them."""
    words = {f"{name}={cell}": 0.0 for row in rows for name, cell in row.items() if isinstance(cell, str)}
    spread = []
    for row in rows:
        numbers = {name: float(cell) for name, cell in row.items() if not isinstance(cell, str)}
        present = {f"{name}={cell}": 1.0 for name, cell in row.items() if isinstance(cell, str)}
        spread.append(words | numbers | present)
    return spread


def run_forest(model: Any, rows: list[dict[str, Any]], labels: list[Any]) -> str:
    """The progressive error of a model of River's, and the processor time that it took."""
    wrong, begun = 0, process_time()
    for x, y in zip(rows, labels, strict=True):
        wrong += model.predict_one(x) != y
        model.learn_one(x, y)
    return f"{100 * wrong / len(labels):.2f} ({process_time() - begun:.0f} s)"


def measure(name: str) -> list[str]:
    """One line of the table."""
    from river import forest

    rows, labels = read_rows(name)
    begun = process_time()
    said, seen = play_ours(First(SETS[name](), ROWS))
    assert seen.rounds == len(labels)
    ours = f"{100 * said.error:.2f} ({process_time() - begun:.0f} s)"
    adaptive = run_forest(forest.ARFClassifier(seed=1), rows, labels)
    mondrian = run_forest(forest.AMFClassifier(seed=1), spread_words(rows), labels)
    return [name, f"{len(labels):,}", ours, adaptive, mondrian]


def main() -> None:
    if not DATA.exists():
        print("the data sets are not here: nothing was measured")
        return
    heads = ["set", "rows", "Littlestone", "River ARFClassifier", "River AMFClassifier"]
    lines = []
    for name in [one for one in sys.argv[1:] if one in TABLES] or TABLES:
        lines.append(measure(name))
        print(" | ".join(lines[-1]), flush=True)
    if "--write" in sys.argv and len(lines) == len(TABLES):
        table = "\n".join(f"| {' | '.join(line)} |" for line in [heads, ["---"] * len(heads), *lines])
        write_table(PAGE, MARK, f"{date.today()}, {describe_commit()}.\n\n{table}")


if __name__ == "__main__":
    main()
