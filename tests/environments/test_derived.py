"""Streams made from streams: the same rounds, cut, entered late, shuffled in windows, or some held out."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.chunks import Examples, Tokens
from littlestone.base.environment import Stream, cut_chunks
from littlestone.base.errors import BadParameter
from littlestone.environments import Recorded
from littlestone.environments.derived import After, Joined, Shuffled, WithoutHeldOut, join_chunks

SEED = 3


class Pieces(Stream):
    """Given chunks."""

    def __init__(self, chunks):
        self.given = chunks

    def chunks(self):
        return iter(self.given)


def tokens(rows, labels):
    text = np.frombuffer("".join(name for row in rows for name in row).encode(), np.uint8)
    lengths = np.array([len(name) for row in rows for name in row], np.int32)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if len(lengths) else np.zeros(0, np.int64)
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return Tokens(indptr, text, starts, lengths, np.arange(len(lengths), dtype=np.uint64), None, np.array(labels))


def kinds(count):
    """The same number of rounds as dense rows, sparse rows, names and points."""
    rng = np.random.default_rng(count)
    X, y = rng.integers(0, 3, (count, 4)).astype(np.float32), np.arange(count)
    yield "dense", Examples.of(X, y)
    yield "sparse", Examples.of(scipy.sparse.csr_matrix(X), y)
    yield "names", tokens([[f"w{v}" for v in range(t % 4)] for t in range(count)], y)
    yield "points", next(Recorded([(t, t + 1) for t in range(count)], y).chunks())


def shown(chunks):
    return [(str(chunk[t]), int(chunk.labels[t])) for chunk in chunks for t in range(len(chunk))]


def halves(chunk, at):
    return [part for part in (chunk[:at], chunk[at:]) if len(part)]


@given(st.integers(1, 12), st.integers(0, 12), st.integers(1, 5))
def test_cutting_keeps_every_round_and_begins_chunks_where_told(count, at, every):
    for _, chunk in kinds(count):
        chunks = list(cut_chunks(halves(chunk, min(at, count)), lambda t: (t // every + 1) * every))
        assert shown(chunks) == shown([chunk])
        begun = np.cumsum([0, *map(len, chunks)])
        assert set(range(0, count, every)) <= set(begun.tolist())


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 14))
def test_entering_late_leaves_out_the_first_rounds_only(count, at, left):
    for _, chunk in kinds(count):
        assert shown(After(Pieces(halves(chunk, min(at, count))), left).chunks()) == shown([chunk])[left:]


@given(st.integers(1, 14), st.integers(0, 14), st.integers(2, 5))
def test_shuffling_permutes_within_windows_whatever_the_chunks_were(count, at, window):
    for kind, chunk in kinds(count):
        whole = shown(Shuffled(Pieces([chunk]), window, SEED).chunks())
        assert shown(Shuffled(Pieces(halves(chunk, min(at, count))), window, SEED).chunks()) == whole, kind
        for first in range(0, count, window):
            assert sorted(whole[first : first + window]) == sorted(shown([chunk])[first : first + window])


def test_shuffling_moves_something_and_depends_on_the_seed():
    (_, chunk), *_ = kinds(40)
    orders = {tuple(shown(Shuffled(Pieces([chunk]), 40, seed).chunks())) for seed in range(3)}
    assert len(orders) == 3


@given(st.integers(1, 14), st.integers(0, 14), st.integers(2, 4), st.integers(0, 5))
def test_rounds_that_are_held_out_are_left_out(count, at, every, first):
    for _, chunk in kinds(count):
        left = WithoutHeldOut(Pieces(halves(chunk, min(at, count))), every, first).chunks()
        numbers = [t for t in range(count) if (first + t + 1) % every == 0]
        assert shown(left) == [one for t, one in enumerate(shown([chunk])) if t not in numbers]


@given(st.integers(2, 12), st.integers(1, 11))
def test_chunks_join_to_what_they_were_cut_from(count, at):
    for _, chunk in kinds(count):
        whole = join_chunks([chunk[: min(at, count - 1)], chunk[min(at, count - 1) :]])
        assert type(whole) is type(chunk)
        assert shown([whole]) == shown([chunk])


def test_rows_keep_their_importance_and_mixed_values():
    rows = Examples(np.array([0, 1, 2]), np.array([0, 1]), None, np.array([0, 1]), 2)
    heavy = Examples(np.array([0, 1]), np.array([1]), np.array([2.0], np.float32), np.array([1]), 2, np.array([3.0]))
    whole = join_chunks([rows, heavy])
    assert whole.importance.tolist() == [1, 1, 3]
    assert whole.values.tolist() == [1, 1, 2]
    assert whole.take(np.array([2, 0])).importance.tolist() == [3, 1]


def test_windows_and_holdouts_that_leave_nothing_are_refused():
    with pytest.raises(BadParameter, match="at least 2 rounds, got 1"):
        Shuffled(Pieces([]), 1)
    with pytest.raises(BadParameter, match="every 1"):
        WithoutHeldOut(Pieces([]), 1)


def test_a_derived_stream_says_what_its_source_says():
    source = Recorded([[1.0, 2.0]], ["a"], classes=["a", "b"])
    late = After(source, 1)
    assert (late.size(), late.classes(), str(late)) == (source.size(), ("a", "b"), str(source))
    assert late.features() is None


def test_streams_come_one_after_another():
    chunks = [chunk for _, chunk in kinds(3)][:2]
    assert shown(Joined([Pieces(chunks[:1]), Pieces(chunks[1:])]).chunks()) == shown(chunks)


def test_rows_of_different_kinds_join():
    X = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    dense, narrow = Examples.of(X, ["a", "b"]), Examples.of(X[:, :2], ["c", "d"])
    listed = Examples.of(scipy.sparse.csr_matrix(X), ["e", "f"])
    for parts in ([dense, narrow], [dense, listed], [listed, narrow]):
        whole = join_chunks(parts)
        assert whole.width == 3
        assert shown([whole.with_labels(np.arange(4))]) == shown(
            [part.to_sparse().with_labels(np.arange(2) + 2 * k) for k, part in enumerate(parts)]
        )
    assert join_chunks([dense, dense]).indices is None
