"""Tightness: how near the certified bounds of `Logistic()` on log-loss are to what was lost, on real data.

`python -m benchmarks.tightness` prints the table; with `--write` it also replaces it in docs/tightness.md. Every
certificate is verified. The data are no part of the project.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import littlestone as ls
from benchmarks.accuracy import SEED, read_file, read_rcv1, record_rows
from benchmarks.datasets import DATA, ROOT, Rows, read_mnist, read_svmlight, write_table

PAGE, MARK = ROOT / "docs" / "tightness.md", "<!-- tightness -->"
HEAD = ("data", "made", "bound", "ratio", "by", "rule", "floor", "zero", "mistakes", "expected")


def read_threes_and_fives() -> Rows:
    rows = read_mnist("train")
    kept = (rows.y == 3) | (rows.y == 5)
    return Rows(rows.X[kept], rows.y[kept] == 5)


SETS: dict[str, Callable[[], Any]] = {
    "adult": read_file("adult/a9a.gz"),
    "svmguide3, shuffled": record_rows(lambda: read_svmlight(DATA / "svmguide3" / "svmguide3.libsvm"), SEED),
    "credit_g": read_file("tables/credit_g.csv"),
    "polarity": read_file("tables/polarity.txt.gz"),
    "spambase": read_file("tables/spambase.csv"),
    "web, shuffled": record_rows(lambda: read_svmlight(DATA / "web" / "w8a.gz"), SEED),
    "MNIST, 3 or 5": record_rows(read_threes_and_fives),
    "rcv1": read_rcv1,
    "electricity": read_file("electricity/elec.csv.gz"),
    "SMS": read_file("sms_spam/SMSSpamCollection"),
    "spam stream": read_file("spam_stream/spam_katakis.libsvm.gz"),
    "mushroom": read_file("mushroom/agaricus.txt.train"),
}


def certify_set(stream: Any) -> tuple[str, ...]:
    """The cells of a row, of a certificate that was verified."""
    certificate = ls.certify(ls.Logistic(), stream)
    assert ls.verify(certificate, stream)
    made, bound, witness = float(certificate.counted), float(certificate.bound), certificate.witness
    members = " ".join(sorted({unit["member"] for unit in witness["units"]}))
    losses = f"{made:,.0f}", f"{bound:,.0f}", f"{bound / made:.3f}", members, f"{witness['comparator']:,.0f}"
    counts = f"{certificate.mistakes:,} <= {witness['most_mistakes']:,}", f"{witness['expected']:,.0f}"
    return *losses, f"{witness['floor']:,.0f}", f"{witness['zero']:,.0f}", *counts


def main() -> None:
    lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    for name, read in SETS.items():
        begun = time.perf_counter()
        lines.append("| " + " | ".join((name, *certify_set(read()))) + " |")
        print(lines[-1], f"{time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    table = "\n".join(lines)
    print(table)
    if "--write" in sys.argv:
        write_table(PAGE, MARK, table)


if __name__ == "__main__":
    main()
