"""A digest changes with every part of every round, and with nothing else."""

import hashlib
import struct
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone.certificates.digest
from littlestone.base.chunks import Examples, Instances
from littlestone.certificates.digest import Digest, add_constant, copy_stretches, list_entries, write_rows
from places import DOCS

ROWS, LABELS = [[0, 2, 1], [1, 0, 0], [0, 0, 0], [1.5, 1, 0]], [1, 0, 0, 1]


@pytest.fixture(params=[1, 2])
def text(request):
    """What takes the fingerprint of some chunks, by either version."""

    def take(*chunks):
        digest = Digest(request.param)
        for chunk in chunks:
            digest.add(chunk)
        return digest.text()

    return take


def test_storage_and_chunks_do_not_matter(text):
    whole = Examples.of(ROWS, LABELS)
    sparse = Examples.of(sp.csr_array(np.array(ROWS)), LABELS)
    assert text(whole) == text(sparse) == text(whole[:1], whole[1:]) == text(sparse[:3], whole[3:])


def test_a_constant_is_column_0_and_attributes_follow():
    entries = np.array([2, 0, 1]), np.array([0, 3, 1]), np.array([5.0, 6.0, 7.0])
    indptr, columns, values = add_constant(*entries, 0.5)
    assert indptr.tolist() == [0, 3, 4, 6]
    assert columns.tolist() == [0, 1, 4, 0, 0, 2]
    assert values.tolist() == [0.5, 5, 6, 0.5, 0.5, 7]
    indptr, columns, values = add_constant(*entries, 0.0)
    assert (indptr.tolist(), columns.tolist(), values.tolist()) == ([0, 2, 2, 3], [1, 4, 2], [5, 6, 7])


def test_ones_may_be_left_unsaid(text):
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
def test_everything_else_matters(rows, labels, text):
    assert text(Examples.of(rows, labels)) != text(Examples.of(ROWS, LABELS))


def test_points_count_by_what_they_look_like(text):
    assert text(Instances.of([1, 2], [0, 1])) == text(Instances.of([1], [0]), Instances.of([2], [1]))
    assert text(Instances.of([1, 2], [0, 1])) != text(Instances.of([1, 3], [0, 1]))


@pytest.mark.parametrize("form", [np.array, sp.csr_array], ids=["dense", "sparse"])
def test_some_rows_are_listed_without_their_zeros(form):
    counts, indices, values = list_entries(Examples.of(form(np.array(ROWS)), LABELS), np.array([0, 2, 3]))
    assert (counts.tolist(), indices.tolist(), values.tolist()) == ([2, 0, 2], [1, 2, 0, 1], [2, 1, 1.5, 1])


def test_stored_zeros_are_not_listed():
    chunk = Examples(np.array([0, 2, 3]), np.array([0, 1, 1], np.int32), np.array([0.0, 2, 3]), np.array([0, 1]), 2)
    counts, indices, values = list_entries(chunk, np.arange(2))
    assert (counts.tolist(), indices.tolist(), values.tolist()) == ([1, 1], [1, 1], [2, 3])


def test_short_and_long_numbers_in_another_order_are_another_stream(text):
    rows = [0.5, 0.1, 1.0], [0.1, 0.5, 1.0], [1.0, 0.5, 0.1], [1.0, 0.1, 0.5], [0.5, 1.0, 0.1], [0.1, 1.0, 0.5]
    assert len({text(Examples.of([row], [1])) for row in rows}) == 6


def hash_bytes(*rounds):
    """The fingerprint of rounds whose bytes are given."""
    return hashlib.sha256(b"littlestone rounds 2\n" + b"".join(rounds)).hexdigest()


def test_the_bytes_of_rounds_are_those_of_the_format():
    digest = Digest()
    digest.add(Examples.of(np.array([[0, 1, 1.0], [0, 0, 0], [0.5, 1, 0], [0.1, 0, -2]]), [1, 0, 2, 1]))
    digest.add(Examples.of(np.array([[3.0, 0.25]]), [0.5]))
    digest.add(Instances.of([(1, np.int64(2)), "é"], [1, 0]))
    ones = struct.pack("<IIq2I", 0, 2, 1, 1, 2)
    short = struct.pack("<IIq2I2f", 1, 2, 2, 0, 1, 0.5, 1)
    long = struct.pack("<IIq2I2d", 2, 2, 1, 0, 2, 0.1, -2)
    number = struct.pack("<IId2I2f", 5, 2, 0.5, 0, 1, 3, 0.25)
    texts = struct.pack("<IIq", 3, 5, 1) + b"[1,2]" + struct.pack("<IIq", 3, 8, 0) + b'"\\u00e9"'
    assert digest.text() == hash_bytes(ones, struct.pack("<IIq", 0, 0, 0), short, long, number, texts)


def test_an_expert_that_sleeps_is_the_same_nan_in_every_type():
    quiet = struct.pack("<IIq2I", 2, 2, 1, 0, 2) + struct.pack("<d", 0.5) + bytes.fromhex("000000000000f87f")
    for real in (np.float32, np.float64):
        digest, values = Digest(), np.array([0.5, 0.0, -np.nan], real)
        digest.add(Examples(np.array([0, 3]), None, values, np.array([1]), 3))
        assert digest.text() == hash_bytes(quiet)


def test_the_example_of_the_format_is_right():
    digest = Digest()
    digest.add(Examples(np.array([0, 2, 2]), np.array([3, 7], np.int32), np.array([1, 0.5]), np.array([0, 1]), 8))
    assert f"`{digest.text()}`" in (DOCS / "certificate-format.md").read_text()


def test_a_thread_hashes_large_chunks_in_order(monkeypatch):
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((300, 40)).astype(np.float32), rng.integers(0, 2, 300)
    plain = Digest()
    plain.add(Examples.of(X, y))
    for large, behind in ((0, 0), (0, 1 << 20), (2000, 5000)):
        monkeypatch.setattr(littlestone.certificates.digest, "LARGE", large)
        monkeypatch.setattr(littlestone.certificates.digest, "BEHIND", behind)
        digest = Digest()
        for a, b in pairwise([0, 1, 100, 101, 103, 290, 300]):
            digest.add(Examples.of(X[a:b], y[a:b]))
        assert digest.text() == plain.text()
        digest.add(Examples.of(X[:1], y[:1]))
        assert digest.text() != plain.text()


def test_compiled_loops_equal_their_plain_bodies():
    words = np.random.default_rng(2).integers(0, 2**32, 64, dtype=np.uint32)
    for gathered in (copy_stretches, copy_stretches.py_func):
        out = np.zeros(5, np.uint32)
        gathered(np.array([3, 60]), np.array([2, 3]), words, out)
        assert out.tolist() == [*words[3:5], *words[60:63]]
    given = np.array([2, 1]), np.array([3, 9, 4], np.uint32), np.array([0x3F800000, 7, 0x3F800000], np.uint32)
    written = []
    for wide in ([False] * 3, [False, True, False]):
        for write in (write_rows, write_rows.py_func):
            out = np.zeros(40, np.uint32)
            more = (
                np.arange(3, dtype=np.uint64) << np.uint64(40),
                np.array([1, 2**40], np.uint64),
                4,
                np.array(wide),
                out,
            )
            written.append(out[: int(write(*given, *more))].tolist())
    assert written[0] == written[1] == [5, 2, 1, 0, 3, 9, 0x3F800000, 7, 4, 1, 0, 256, 4]
    assert written[2] == written[3] == [6, 2, 1, 0, 3, 9, 0, 0, 0, 256, 4, 1, 0, 256, 4]
