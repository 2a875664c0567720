"""Halving over 2^26 concepts against NumPy: a vote, a filter with the next vote, and a class evaluated on the fly.

Both sides do the whole work on the same concepts and labels and must agree on every count. Rounds of the candidates
alternate in one process.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.timing import Line, measure_best, print_table
from littlestone.base.chunks import Instances
from littlestone.concepts import Concepts, Parities
from littlestone.learners import Halving

BITS = 26
SIZE = 1 << BITS
ROUNDS = 8
REPEATS = 7


def measure_equals(*candidates: Callable[[], Any]) -> list[float]:
    """The time of each candidate; all must give equal results."""
    results = [candidate() for candidate in candidates]
    assert all(result == results[0] for result in results), results
    return measure_best(*candidates, turns=REPEATS)


def compare_votes(concepts: Concepts) -> list[float]:
    space = concepts.start()
    alive, plane = space.alive, np.array(concepts.encode(0))

    def ours() -> int:
        return concepts.votes(space, 0)[1]

    def numpy() -> int:
        return int(np.bitwise_count(alive & plane).sum())

    return measure_equals(ours, numpy)


def compare_tables(concepts: Concepts, table: Any) -> list[float]:
    """Halving over all columns, labelled by the first concept: filter and next vote, each round."""
    learner, points = Halving(concepts), list(range(ROUNDS))
    labels = table[0].astype(np.int32)
    planes = [np.ascontiguousarray(table[:, x]) for x in points]

    def ours() -> list[int]:
        guesses = np.zeros(ROUNDS, np.int32)
        space = concepts.start()
        assert learner.replay(space, Instances(points, labels), guesses) == ROUNDS
        return [*guesses.tolist(), concepts.survivors(space)]

    def numpy() -> list[int]:
        alive, guesses = np.ones(SIZE, np.bool_), []
        total, ones = SIZE, int(np.count_nonzero(planes[0]))
        for x, y in enumerate(labels.tolist()):
            guesses.append(int(2 * ones > total))
            total = ones if y else total - ones
            alive &= planes[x] == y
            if x + 1 < ROUNDS:
                ones = int(np.count_nonzero(alive & planes[x + 1]))
        return [*guesses, total]

    return measure_equals(ours, numpy)


def compare_parities() -> list[float]:
    """The same over every parity of 26 bits, evaluated on the fly on both sides."""
    concepts, chance = Parities(BITS), np.random.default_rng(1)
    learner, target = Halving(concepts), concepts.concept(int(chance.integers(SIZE)))
    points = [concepts(row) for row in chance.integers(0, 2, (3, BITS))]
    labels = np.array([target(x) for x in points], np.int32)
    masks = [np.uint32(sum(bit << place for place, bit in enumerate(x))) for x in points]
    numbers = np.arange(SIZE, dtype=np.uint32)

    def ours() -> list[int]:
        guesses = np.zeros(len(points), np.int32)
        space = concepts.start()
        assert learner.replay(space, Instances(points, labels), guesses) == len(points)
        return [*guesses.tolist(), concepts.survivors(space)]

    def numpy() -> list[int]:
        alive, guesses = np.ones(SIZE, np.bool_), []
        said = np.bitwise_count(numbers & masks[0]) & 1
        total, ones = SIZE, int(np.count_nonzero(said))
        for t, y in enumerate(labels.tolist()):
            guesses.append(int(2 * ones > total))
            total = ones if y else total - ones
            alive &= said == y
            if t + 1 < len(points):
                said = np.bitwise_count(numbers & masks[t + 1]) & 1
                ones = int(np.count_nonzero(alive & (said == 1)))
        return [*guesses, total]

    return measure_equals(ours, numpy)


def main() -> None:
    table = np.random.default_rng(0).integers(0, 2, (ROUNDS, SIZE), np.uint8).astype(np.bool_).T
    concepts = Concepts(table)
    lines = []
    for what, against, floor, (ours, theirs) in (
        ("vote, table", "NumPy packed words", 3, compare_votes(concepts)),
        (f"{ROUNDS} rounds, table", "NumPy booleans", 15, compare_tables(concepts, table)),
        ("3 rounds, Parities", "NumPy evaluating parities", 50, compare_parities()),
    ):
        lines.append(Line(f"{what}, {1e3 * ours:.2f} ms", against, theirs / ours, floor))
    print_table(f"Halving over 2^{BITS} concepts", lines)


if __name__ == "__main__":
    main()
