"""Class forms: one unit a class, a softmax, and both, in one pass over the sets with more than two classes.

`python -m benchmarks.class_forms [SET ...]` prints error and log-loss of each. Every guess is given before its label is
seen; a class that was not met is charged as one chance in as many as there were rounds. The data are no part of the
project.
"""

import sys
import time
from typing import Any

import littlestone as ls
from benchmarks.accuracy import SETS, play_ours, record_rows
from benchmarks.datasets import DATA, Rows, read_mnist

MOST = 20_000  # images


def read_some_images() -> Rows:
    found = read_mnist("train")
    return Rows(found.X[:MOST], found.y[:MOST])


def main() -> None:
    sets: dict[str, Any] = {name: SETS[name] for name in ("letter", "car", "splice, shuffled")}
    sets |= {"MNIST, 20,000": record_rows(read_some_images), "20 newsgroups": SETS["20 newsgroups"]}
    assert DATA.exists(), f"there are no data in {DATA}"
    for name in sys.argv[1:] or sets:
        for form in ("units", "softmax", "both"):
            started = time.process_time()
            said, _ = play_ours(sets[name](), ls.Logistic(classes=form))
            print(f"{name:14} {form:8} {said}  ({time.process_time() - started:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
