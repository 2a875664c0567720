import numpy as np
import pytest

from littlestone.concepts import ALL, Conjunctions, Disjunctions
from littlestone.concepts.packed import Packed, compile_by_concept, compile_by_living_word, compile_by_word

PACKED = [kind for kind in ALL if issubclass(kind, Packed) and kind not in (Conjunctions, Disjunctions)]
BOOLEAN = [kind(2, k, monotone) for kind in (Conjunctions, Disjunctions) for k in (None, 1) for monotone in (0, 1)]
SWEEPS = [kind.sweeps for kind in PACKED] + [concepts.sweeps for concepts in BOOLEAN]


@pytest.mark.parametrize("sweeps", SWEEPS)
def test_no_sweep_closes_over_a_kernel_or_it_would_be_compiled_again_in_every_process(sweeps):
    for sweep in sweeps:
        waiting, seen = [sweep.py_func], []
        while waiting:
            function = waiting.pop()
            seen.append(function)
            for cell in function.__closure__ or ():
                assert not hasattr(cell.cell_contents, "py_func")
                if callable(cell.cell_contents):
                    waiting.append(cell.cell_contents)
        assert len(seen) > 1


def third(concept, code):
    return concept % code[0] == 0


def test_a_dead_word_is_not_asked_about_and_of_a_living_one_only_the_survivors():
    asked = []

    def says(concept, code):
        asked.append(int(concept))
        return third(concept, code)

    sweeps, code = compile_by_concept(says), np.array([3])
    alive = np.array([0, 0b1001, 0, 1 << 63], np.uint64)
    assert sweeps.vote.py_func(alive, code) == sum(c % 3 == 0 for c in (64, 67, 255))
    assert asked == [64, 67, 255]
    asked.clear()
    assert sweeps.keep.py_func(alive, code, 1) == 1
    assert asked == [64, 67, 255]
    assert alive.tolist() == [0, 0, 0, 1 << 63]


def test_halving_asks_every_survivor_once_a_round():
    asked = []

    def says(concept, code):
        asked.append(int(concept))
        return third(concept, code)

    sweeps = compile_by_concept(says)
    alive, counts, guesses = np.array([0b1111111], np.uint64), np.array([7, 0]), np.zeros(3, np.int32)
    codes, order, labels = np.array([[2], [3]]), np.array([0, 1, 0]), np.array([1, 0, 1], np.int32)
    assert sweeps.halve.py_func(alive, counts, codes, order, labels, guesses) == 3
    assert asked == [*range(7), 0, 2, 4, 6, 2, 4]
    assert (alive.tolist(), counts.tolist(), guesses.tolist()) == ([0b10100], [2, 2], [1, 0, 1])


def test_the_three_makers_of_sweeps_agree():
    def word(k, code):
        return np.uint64(sum((1 << j) for j in range(64) if third(64 * k + j, code)))

    makers = (
        compile_by_concept(third),
        compile_by_living_word(lambda k, code, alive: word(k, code)),
        compile_by_word(word),
    )
    chance = np.random.default_rng(4)
    for _ in range(20):
        start = chance.integers(0, 2**63, 3, np.uint64)
        total = sum(int(w).bit_count() for w in start)
        codes, order = np.array([[2], [3], [5]]), chance.integers(0, 3, 4)
        labels = chance.integers(0, 2, 4).astype(np.int32)
        results = []
        for sweeps in makers:
            alive, counts, guesses = start.copy(), np.array([total, 0]), np.zeros(4, np.int32)
            played = sweeps.halve.py_func(alive, counts, codes, order, labels, guesses)
            kept = start.copy()
            left = sweeps.keep.py_func(kept, codes[1], labels[0])
            votes = sweeps.vote.py_func(start, codes[2]), left, int(sweeps.label.py_func(65, codes[2]))
            results.append((played, alive.tolist(), counts.tolist(), guesses[:played].tolist(), kept.tolist(), votes))
        assert results[0] == results[1] == results[2]
