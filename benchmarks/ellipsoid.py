"""Ellipsoid: one mistaken round, against the textbook's NumPy and against the two BLAS routines for symmetric matrices.

Every label is the opposite of the guess, so that every round cuts. All three play in one process, turn by turn, and
each is credited with its best turn; a ratio above 1 says how many times faster ours is.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg.blas import dsymv, dsyr

from littlestone.examples import Row
from littlestone.learner import Size
from littlestone.learners import Ellipsoid

Turn = Callable[[Any], None]
FLOORS = {"textbook NumPy": 5.0, "dsymv + dsyr": 1.8}  # at 4000 attributes


def ours(d: int) -> Turn:
    """The library, round by round."""
    learner = Ellipsoid()
    state = learner.start(Size(d))

    def turn(X: Any) -> None:
        for x in X:
            row = Row(None, x)
            learner.round(state, row, 1 - learner.predict(state, row))

    return turn


def textbook(d: int) -> Turn:
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


def blas(d: int) -> Turn:
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


def main(dimensions: tuple[int, ...] = (1000, 4000), turns: int = 7) -> None:
    """Print milliseconds a round and the ratios."""
    for d in dimensions:
        X = np.random.default_rng(d).normal(size=(8, d))
        players = {"ours": ours(d), "textbook NumPy": textbook(d), "dsymv + dsyr": blas(d)}
        best = dict.fromkeys(players, float("inf"))
        for number in range(turns + 1):
            for name, turn in players.items():
                rows = X if name != "textbook NumPy" else X[:2]
                start = time.perf_counter()
                turn(rows)
                if number:  # the first turn compiles
                    best[name] = min(best[name], (time.perf_counter() - start) / len(rows))
        for name, seconds in best.items():
            floor = f", floor {FLOORS[name]}" if d == 4000 and name in FLOORS else ""
            ratio = f"  {seconds / best['ours']:6.2f} times ours{floor}" if name != "ours" else ""
            print(f"ellipsoid d={d:5d}  {name:14s}  {1000 * seconds:9.3f} ms a round{ratio}")


if __name__ == "__main__":
    main()
