"""Ellipsoid: one mistaken round, against the textbook's NumPy and against the two BLAS routines for symmetric matrices.

Every label is the opposite of the guess, so that every round cuts. All three play in one process, turn by turn after
a rest, and each is credited with its best turn; a ratio says how many times as fast ours is. BLAS may use several
threads, and so may we.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg.blas import dsymv, dsyr

from benchmarks.timing import Line, measure_best, print_table
from littlestone.base.chunks import Row
from littlestone.base.learner import Size
from littlestone.learners import Ellipsoid

Turn = Callable[[Any], None]
FLOORS = {"textbook NumPy": 5.0, "dsymv + dsyr": 1.8}  # at 4000 attributes


def run_ours(d: int) -> Turn:
    """The library, round by round."""
    learner = Ellipsoid()
    state = learner.start(Size(d))

    def turn(X: Any) -> None:
        for x in X:
            row = Row(None, x)
            learner.round(state, row, 1 - learner.predict(state, row))

    return turn


def run_textbook(d: int) -> Turn:
    """The update as books write it."""
    w, A = np.zeros(d), np.eye(d)

    def turn(X: Any) -> None:
        nonlocal w, A
        for x in X:
            y = -1.0 if w @ x > 0 else 1.0
            h = A @ x
            g = h / np.sqrt(x @ h)
            w = w + y * g / (d + 1)
            A = d**2 / (d**2 - 1) * (A - 2 / (d + 1) * np.outer(g, g))

    return turn


def run_blas(d: int) -> Turn:
    """One triangle, in place, the factor kept apart: the best that calls of two BLAS routines give."""
    w, A, scale = np.zeros(d), np.asfortranarray(np.eye(d)), 1.0

    def turn(X: Any) -> None:
        nonlocal w, A, scale
        for x in X:
            y = -1.0 if w @ x > 0 else 1.0
            h = dsymv(1.0, A, x, lower=1)
            spread = x @ h
            w += y * np.sqrt(scale / spread) / (d + 1) * h
            A = dsyr(-2 / ((d + 1) * spread), h, a=A, lower=1, overwrite_a=1)
            scale *= d**2 / (d**2 - 1)

    return turn


PEERS = {"textbook NumPy": run_textbook, "dsymv + dsyr": run_blas}


def main(dimensions: tuple[int, ...] = (1000, 4000)) -> None:
    """Print milliseconds a round and the ratios."""
    lines = []
    for d in dimensions:
        X = np.random.default_rng(d).normal(size=(8, d))
        turns = [run_ours(d), *(peer(d) for peer in PEERS.values())]
        times = measure_best(*(partial(turn, X) for turn in turns), rest=0.3)
        for name, seconds in zip(("ours", *PEERS), times, strict=True):
            print(f"ellipsoid, {d} attributes, {name}: {1000 * seconds / len(X):.3f} ms a round")
            if name != "ours":
                lines.append(
                    Line(f"one cut, {d} attributes", name, seconds / times[0], FLOORS[name] if d == 4000 else 1.0)
                )
    print_table("Ellipsoid", lines)


if __name__ == "__main__":
    main()
