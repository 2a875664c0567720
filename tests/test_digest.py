"""A digest changes with every part of every round, and with nothing else."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from littlestone.digest import Digest, Fingerprint, absorb, gather, listed
from littlestone.examples import Examples, Instances

ROWS, LABELS = [[0, 2, 1], [1, 0, 0], [0, 0, 0], [1.5, 1, 0]], [1, 0, 0, 1]


def text(*chunks):
    digest = Digest()
    for chunk in chunks:
        digest.add(chunk)
    return digest.text()


def test_storage_and_chunks_do_not_matter():
    whole = Examples.of(ROWS, LABELS)
    sparse = Examples.of(sp.csr_array(np.array(ROWS)), LABELS)
    assert text(whole) == text(sparse) == text(whole[:1], whole[1:]) == text(sparse[:3], whole[3:])


def test_ones_may_be_left_unsaid():
    said = Examples.of(sp.csr_array(np.array([[0, 1.0], [1, 1]])), [0, 1])
    assert text(said) == text(Examples(said.indptr, said.indices, None, said.labels, 2))


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        ([[0, 2, 1], [1, 0, 0], [0, 0, 0], [1.5, 0, 1]], LABELS),
        ([[0, 2, 1], [1, 0, 0], [0, 0, 0], [1.25, 1, 0]], LABELS),
        ([[0, 2, 1], [1, 0, 0], [0, 1, 0], [1.5, 0, 0]], LABELS),
        ([[0, 1, 2], [1, 0, 0], [0, 0, 0], [1.5, 1, 0]], LABELS),
        (ROWS[:3], LABELS[:3]),
        ([*ROWS, [0, 0, 0]], [*LABELS, 0]),
        (ROWS, [1, 0, 1, 1]),
        (ROWS[::-1], LABELS[::-1]),
    ],
)
def test_everything_else_matters(rows, labels):
    assert text(Examples.of(rows, labels)) != text(Examples.of(ROWS, LABELS))


def test_points_count_by_what_they_look_like():
    assert text(Instances.of([1, 2], [0, 1])) == text(Instances.of([1], [0]), Instances.of([2], [1]))
    assert text(Instances.of([1, 2], [0, 1])) != text(Instances.of([1, 3], [0, 1]))


@pytest.mark.parametrize("form", [np.array, sp.csr_array], ids=["dense", "sparse"])
def test_some_rows_are_listed_without_their_zeros(form):
    counts, indices, values = listed(Examples.of(form(np.array(ROWS)), LABELS), np.array([0, 2, 3]))
    assert (counts.tolist(), indices.tolist(), values.tolist()) == ([2, 0, 2], [1, 2, 0, 1], [2, 1, 1.5, 1])


def test_stored_zeros_are_not_listed():
    chunk = Examples(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32), np.array([0.0, 2, 3]), np.array([0, 1]), 2)
    counts, indices, values = listed(chunk, np.arange(2))
    assert (counts.tolist(), indices.tolist(), values.tolist()) == ([1, 1], [1, 1], [2, 3])


def test_short_and_long_numbers_in_another_order_are_another_stream():
    texts = set()
    for row in ([0.5, 0.1, 1.0], [0.1, 0.5, 1.0], [1.0, 0.5, 0.1], [1.0, 0.1, 0.5], [0.5, 1.0, 0.1], [0.1, 1.0, 0.5]):
        digest = Digest()
        digest.add(Examples.of([row], [1]))
        texts.add(digest.text())
    assert len(texts) == 6


def test_no_bit_no_place_and_no_number_of_words_goes_unnoticed():
    words = np.random.default_rng(0).integers(0, 2**32, 37, dtype=np.uint32)
    words[20:24] = 0
    others = [words[:k] for k in range(38)]
    others += [
        words ^ (np.arange(37) == k).astype(np.uint32) * np.uint32(1 << bit) for k in range(37) for bit in range(32)
    ]
    flip = lambda k: (np.arange(37) == k).astype(np.uint32) << np.uint32(31)  # noqa: E731
    others += [words ^ flip(j) ^ flip(k) for j in range(37) for k in range(j)]  # two signs
    others += [words ^ flip(j) ^ flip(k) ^ flip(k + 1) for j in range(37) for k in range(36) if j not in (k, k + 1)]
    others += [np.roll(words, k) for k in range(1, 37)]
    prints = set()
    for other in others:
        fingerprint = Fingerprint()
        fingerprint.add(other, "<u4")
        prints.add(fingerprint.bytes())
    assert len(prints) == len({other.tobytes() for other in others}) > 2000


@given(st.lists(st.integers(0, 40), max_size=6), st.sampled_from(["<i4", "<f8"]))
def test_it_does_not_matter_where_numbers_are_cut(cuts, kind):
    numbers = np.random.default_rng(1).integers(-5, 5, 41).astype(kind)
    whole, parts = Fingerprint(), Fingerprint()
    whole.add(numbers, kind)
    for a, b in pairwise([0, *sorted(cuts), 41]):
        parts.add(numbers[a:b], kind)
    assert whole.bytes() == parts.bytes()


def test_compiled_loops_equal_their_plain_bodies():
    words = np.random.default_rng(2).integers(0, 2**32, 64, dtype=np.uint32)
    lanes, plainly = np.arange(4, dtype=np.uint64), np.arange(4, dtype=np.uint64)
    absorb(words, lanes)
    with np.errstate(over="ignore"):
        absorb.py_func(words, plainly)
    assert lanes.tolist() == plainly.tolist()
    for gathered in (gather, gather.py_func):
        out = np.zeros(5, np.uint32)
        gathered(np.array([3, 60]), np.array([2, 3]), words, out)
        assert out.tolist() == [*words[3:5], *words[60:63]]
