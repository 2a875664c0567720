"""Linear learners against scikit-learn, River and a C++ loop: one pass over the same rows, ratios in one run."""

import ctypes
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.streams import dense_rows, matrix, sparse_rows
from benchmarks.timing import Line, best, table
from littlestone.base.chunks import Examples
from littlestone.base.learner import Learner, Size

TURNS = 9  # memory is shared with others on most machines, and its speed with it


def one_pass(learner: Learner, chunk: Examples, classes: int = 2) -> Callable[[], None]:
    """Play the chunk once, from a new state."""
    guesses = np.zeros(len(chunk), np.int32)

    def run() -> None:
        state = learner.start(Size(chunk.width, classes, np.float32))
        done = 0
        while done < len(chunk):
            done += learner.replay(state, chunk[done:], guesses[done:])
            if done < len(chunk):
                state = learner.grow(state, Size(chunk.width, classes, np.float32))

    return run


def scikit(X: Any, y: Any, **options: Any) -> Callable[[], None]:
    """One pass of scikit-learn's SGD as a Perceptron in its fastest setting, unless told otherwise."""
    from sklearn.linear_model import SGDClassifier

    fast = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1.0, "penalty": None, "shuffle": False}
    model = SGDClassifier(**(fast | {"max_iter": 1, "tol": None} | options))
    return lambda: model.fit(X, y)


def shipped(X: Any, y: Any) -> Callable[[], None]:
    """scikit-learn's Perceptron as it comes, one pass."""
    from sklearn.linear_model import Perceptron

    return lambda: Perceptron(max_iter=1, tol=None).fit(X, y)


def compiled() -> Any:
    """The C++ reference as a library, or None where there is no compiler."""
    if shutil.which("g++") is None:
        return None
    folder = Path(tempfile.mkdtemp())
    source = Path(__file__).with_name("reference.cpp")
    library = folder / "reference.so"
    subprocess.run(["g++", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    shutil.rmtree(folder)
    return loaded


def pointers(*arrays: Any) -> list[Any]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def sparse(width: int, native: Any) -> list[Line]:
    chunk = sparse_rows(width)
    X, y = matrix(chunk), chunk.labels
    name = f"2^{width.bit_length() - 1}"
    floors = {2**18: (1.3, 1.6, 2.0, 2.5), 2**22: (2.0, 2.5, 3.0, 4.0)}[width]
    ours, fast, slow = best(one_pass(ls.Perceptron(), chunk), scikit(X, y), shipped(X, y), turns=TURNS)
    lines = [
        Line(f"Perceptron, CSR in memory, {name}", "scikit-learn SGD, fastest", fast / ours, *floors[:2]),
        Line(f"Perceptron, CSR in memory, {name}", "scikit-learn Perceptron as shipped", slow / ours, 3.5, 5),
    ]
    ours, theirs = best(one_pass(ls.AveragedPerceptron(), chunk), scikit(X, y, average=True), turns=TURNS)
    lines.append(Line(f"averaged Perceptron, {name}", "scikit-learn average=True", theirs / ours, *floors[2:]))
    if native is not None:
        lines += near_limit(chunk, native, name)
    return lines


def near_limit(chunk: Examples, native: Any, name: str) -> list[Line]:
    rows, steps = ctypes.c_int64(len(chunk)), pointers(chunk.indptr, chunk.indices)

    def perceptron() -> None:
        weights = np.zeros(chunk.width, np.float32)
        native.perceptron(*steps, *pointers(chunk.values, chunk.labels), rows, *pointers(weights))

    def balanced() -> None:
        pairs = np.ones(2 * chunk.width, np.float32)
        native.balanced_winnow(*steps, *pointers(chunk.labels), rows, ctypes.c_float(1.1), *pointers(pairs))

    ours, theirs = best(one_pass(ls.Perceptron(bias=0), chunk), perceptron, turns=TURNS)
    lines = [Line(f"Perceptron, {name}", "g++ -O3 -march=native, prefetch", theirs / ours, 0.9, 1.0)]
    boolean = Examples(chunk.indptr, chunk.indices, None, chunk.labels, chunk.width)
    if chunk.width == 2**22:
        ours, theirs = best(one_pass(ls.BalancedWinnow(factor=1.1), boolean), balanced, turns=TURNS)
        lines.append(Line(f"Balanced Winnow, {name}", "the same, a pair of floats", theirs / ours, 2.5, 3.2))
    return lines


def multiclass() -> list[Line]:
    lines = []
    for classes, floor, aim in ((20, 2.5, 3.2), (100, 4, 5)):
        chunk = sparse_rows(2**18, 100_000, classes)
        ours, theirs = best(
            one_pass(ls.Network(ls.Perceptron()), chunk, classes), scikit(matrix(chunk), chunk.labels), turns=3
        )
        lines.append(
            Line(f"Network, {classes} classes, 2^18", "scikit-learn, one against all", theirs / ours, floor, aim)
        )
    return lines


def dense() -> list[Line]:
    lines = []
    for width in (20, 500):
        X, y = dense_rows(width)
        ours, theirs = best(one_pass(ls.Perceptron(), Examples.of(X, y)), scikit(X, y), turns=TURNS)
        lines.append(Line(f"Perceptron, dense rows of {width}", "scikit-learn, float32", theirs / ours, 8, 12))
    return lines


def one_at_a_time() -> list[Line]:
    """A stream of dicts for River, the same rows for us: whole, one row at a time, and from dicts of names."""
    from river import linear_model

    chunk = sparse_rows(2**18, 20_000)
    rows = [(chunk[t].indices, chunk[t].values) for t in range(len(chunk))]
    named = [{f"w{i}": float(v) for i, v in zip(*row, strict=True)} for row in rows]
    labels = [bool(y) for y in chunk.labels]

    def river() -> None:
        model = linear_model.Perceptron()
        for x, y in zip(named, labels, strict=True):
            model.predict_one(x)
            model.learn_one(x, y)

    def pairs() -> None:
        player = ls.Player(ls.Perceptron(), classes=(False, True))
        for x, y in zip(rows, labels, strict=True):
            player.update(x, y)

    def names() -> None:
        player = ls.Player(ls.Perceptron(), features=ls.Named(), classes=(False, True))
        for x, y in zip(named, labels, strict=True):
            player.update(x, y)

    whole, live, dicts, theirs = best(one_pass(ls.Perceptron(), chunk), pairs, names, river, turns=3)
    return [
        Line("whole stream", "River predict_one + learn_one", theirs / whole, 150, 200),
        Line("player.update, about 75 (index, value) pairs", "River predict_one + learn_one", theirs / live, 12, 30),
        Line("player.update, dicts of names", "River predict_one + learn_one", theirs / dicts, 2, 5),
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    native = compiled()
    lines = [*sparse(2**18, native), *sparse(2**22, native), *multiclass(), *dense(), *one_at_a_time()]
    table("Linear learners, one pass, best of several turns (500,000 rows of about 75 entries, 5 % noise)", lines)


if __name__ == "__main__":
    main()
