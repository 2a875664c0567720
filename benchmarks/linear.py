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
from benchmarks.streams import make_dense_rows, make_sparse_rows, to_matrix
from benchmarks.timing import Line, measure_best, print_table
from littlestone.base.chunks import Examples
from littlestone.base.learner import Learner, Size

TURNS = 5  # memory is shared with others on most machines, and its speed with it


def play_pass(learner: Learner, chunk: Examples, classes: int = 2) -> Callable[[], None]:
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


def serve_pass(learner: Learner, chunk: Examples, classes: int = 2) -> Callable[[], None]:
    """The same, and note what is served in each round before its label teaches."""
    guesses, served = np.zeros(len(chunk), np.int32), np.zeros((2, len(chunk)))

    def run() -> None:
        state = learner.start(Size(chunk.width, classes, np.float32))
        done = 0
        while done < len(chunk):
            done += learner.serve(state, chunk[done:], guesses[done:], served[:, done:])
            if done < len(chunk):
                state = learner.grow(state, Size(chunk.width, classes, np.float32))

    return run


def run_scikit(X: Any, y: Any, **options: Any) -> Callable[[], None]:
    """One pass of scikit-learn's SGD as a Perceptron in its fastest setting, unless told otherwise."""
    from sklearn.linear_model import SGDClassifier

    fast = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1.0, "penalty": None, "shuffle": False}
    model = SGDClassifier(**(fast | {"max_iter": 1, "tol": None} | options))
    return lambda: model.fit(X, y)


def run_shipped(X: Any, y: Any) -> Callable[[], None]:
    """scikit-learn's Perceptron as it comes, one pass."""
    from sklearn.linear_model import Perceptron

    return lambda: Perceptron(max_iter=1, tol=None).fit(X, y)


def compile_reference() -> Any:
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


def list_pointers(*arrays: Any) -> list[Any]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def compare_sparse(width: int, native: Any) -> list[Line]:
    chunk = make_sparse_rows(width)
    X, y = to_matrix(chunk), chunk.labels
    name = f"2^{width.bit_length() - 1}"
    floors = {2**18: (1.3, 1.6, 2.0, 2.5), 2**22: (2.0, 2.5, 3.0, 4.0)}[width]
    ours, fast, slow = measure_best(play_pass(ls.Perceptron(), chunk), run_scikit(X, y), run_shipped(X, y), turns=TURNS)
    lines = [
        Line(f"Perceptron, CSR in memory, {name}", "scikit-learn SGD, fastest", fast / ours, *floors[:2]),
        Line(f"Perceptron, CSR in memory, {name}", "scikit-learn Perceptron as shipped", slow / ours, 3.5, 5),
    ]
    ours, theirs = measure_best(play_pass(ls.AveragedPerceptron(), chunk), run_scikit(X, y, average=True), turns=TURNS)
    lines.append(Line(f"averaged Perceptron, {name}", "scikit-learn average=True", theirs / ours, *floors[2:]))
    if native is not None:
        lines += compare_limits(chunk, native, name)
    return lines


def compare_limits(chunk: Examples, native: Any, name: str) -> list[Line]:
    rows, steps = ctypes.c_int64(len(chunk)), list_pointers(chunk.indptr, chunk.indices)

    def perceptron() -> None:
        weights = np.zeros(chunk.width, np.float32)
        native.perceptron(*steps, *list_pointers(chunk.values, chunk.labels), rows, *list_pointers(weights))

    def balanced() -> None:
        pairs = np.ones(2 * chunk.width, np.float32)
        native.balanced_winnow(*steps, *list_pointers(chunk.labels), rows, ctypes.c_float(1.1), *list_pointers(pairs))

    ours, theirs = measure_best(play_pass(ls.Perceptron(bias=0), chunk), perceptron, turns=TURNS)
    lines = [Line(f"Perceptron, {name}", "g++ -O3 -march=native, prefetch", theirs / ours, 0.9, 1.0)]
    boolean = Examples(chunk.indptr, chunk.indices, None, chunk.labels, chunk.width)
    if chunk.width == 2**22:
        ours, theirs = measure_best(play_pass(ls.BalancedWinnow(factor=1.1), boolean), balanced, turns=TURNS)
        lines.append(Line(f"Balanced Winnow, {name}", "the same, a pair of floats", theirs / ours, 2.5, 3.2))
    return lines


def compare_multiclass() -> list[Line]:
    lines = []
    for classes, floor, aim in ((20, 2.5, 3.2), (100, 4, 5)):
        chunk = make_sparse_rows(2**18, 100_000, classes)
        ours, theirs = measure_best(
            play_pass(ls.Network(ls.Perceptron()), chunk, classes), run_scikit(to_matrix(chunk), chunk.labels), turns=3
        )
        lines.append(
            Line(f"Network, {classes} classes, 2^18", "scikit-learn, one against all", theirs / ours, floor, aim)
        )
    return lines


def compare_dense() -> list[Line]:
    lines = []
    for width in (20, 500):
        X, y = make_dense_rows(width)
        ours, theirs = measure_best(play_pass(ls.Perceptron(), Examples.of(X, y)), run_scikit(X, y), turns=TURNS)
        lines.append(Line(f"Perceptron, dense rows of {width}", "scikit-learn, float32", theirs / ours, 8, 12))
    return lines


def compare_serving() -> list[Line]:
    """What it costs to count what averaged learners serve, beside what they play."""
    averaged, lines = ls.AveragedPerceptron(), []
    for name, learner, chunk, classes in (
        ("2^18", averaged, make_sparse_rows(2**18, 100_000), 2),
        ("2^22", averaged, make_sparse_rows(2**22, 100_000), 2),
        ("dense rows of 20", averaged, Examples.of(*make_dense_rows(20)), 2),
        ("network of 20 classes", ls.Network(averaged), make_sparse_rows(2**18, 20_000, 20), 20),
    ):
        plain, both = measure_best(play_pass(learner, chunk, classes), serve_pass(learner, chunk, classes), turns=5)
        lines.append(Line(f"averaged, what is served counted, {name}", "the same pass without", plain / both, 1 / 1.35))
    return lines


def compare_single_rounds() -> list[Line]:
    """A stream of dicts for River, the same rows for us: whole, one row at a time, and from dicts of names."""
    from river import linear_model

    chunk = make_sparse_rows(2**18, 20_000)
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

    whole, live, dicts, theirs = measure_best(play_pass(ls.Perceptron(), chunk), pairs, names, river, turns=3)
    return [
        Line("whole stream", "River predict_one + learn_one", theirs / whole, 150, 200),
        Line("player.update, about 75 (index, value) pairs", "River predict_one + learn_one", theirs / live, 12, 30),
        Line("player.update, dicts of names", "River predict_one + learn_one", theirs / dicts, 2, 5),
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    native = compile_reference()
    lines = [
        *compare_sparse(2**18, native),
        *compare_sparse(2**22, native),
        *compare_multiclass(),
        *compare_dense(),
        *compare_serving(),
        *compare_single_rounds(),
    ]
    print_table("Linear learners, one pass (500,000 rows of about 75 entries, 5 % noise)", lines)


if __name__ == "__main__":
    main()
