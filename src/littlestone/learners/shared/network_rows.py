"""Rows of a network: where there are many attributes, only those that were met have weights.

A state over `WIDE` attributes or more has a `RowTable` where others have an array of all weights. Its loops are the
same: they are handed the rows of the table, and the numbers of attributes in it. All results are the same to the bit.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Row
from littlestone.base.row_table import RowTable
from littlestone.learners.shared.network_loops import Blocks
from littlestone.learners.shared.rounds import BINS, Rounds

WIDE = 1 << 16


def start_weights(attributes: int, block: int, real: Any) -> Any:
    """The weights of a network that has learned nothing."""
    return RowTable.make(attributes, block, real) if attributes >= WIDE else np.zeros(block * attributes, real)


def open_blocks(state: Any) -> Blocks:
    """The state as loops read and change it."""
    opened: Blocks = state._replace(weights=state.weights.rows) if _is_table(state) else state
    return opened


def number_rounds(state: Any, rounds: Rounds) -> Rounds:
    """The rounds that are to be learned, as loops read them: leading ones, where there is no room for more."""
    if not isinstance(state.weights, RowTable):
        return rounds
    count = len(rounds.labels)
    indptr, indices, values = _cut(rounds, count)
    numbers, fit = state.weights.number(indptr, indices)
    importance = None if rounds.importance is None else rounds.importance[:fit]
    return Rounds(indptr[: fit + 1] - indptr[0], numbers, values, importance, rounds.labels[:fit])


def find_rounds(state: Any, rounds: Rounds) -> Rounds:
    """The rounds that are to be scored, as loops read them."""
    if not isinstance(state.weights, RowTable):
        return rounds
    indptr, indices, values = _cut(rounds, len(rounds.indptr) - 1)
    return rounds._replace(indptr=indptr - indptr[0], indices=state.weights.find(indices), values=values)


def number_row(state: Any, x: Row) -> Any:
    """The attributes of a row that is to be learned, as loops read them."""
    return state.weights.number(np.array([0, x.length]), _list_row(x))[0] if _is_table(state) else x.indices


def lacks_room(state: Any, x: Row) -> bool:
    """Whether a row has more new attributes than there is room for."""
    return _is_table(state) and bool(state.weights.lacks_room(_list_row(x)))


def grow_blocks(state: Any, attributes: int, block: int, parts: int) -> Any:
    """The state with room for attributes and for classes: `block` numbers an attribute, in some parts."""
    old = len(state.bias)
    weights = state.weights
    numbered = isinstance(weights, RowTable)
    before = weights.attributes if numbered else len(weights) // old
    attributes = max(attributes, before)
    bias = np.zeros((parts, block // parts), state.bias.dtype)
    bias[:, : old // parts] = state.bias.reshape(parts, -1)
    if not numbered and before < WIDE <= attributes:
        weights = RowTable.from_dense(weights, old)
        numbered = True
    if numbered:
        return state._replace(weights=weights.resize(attributes, block // parts, parts), bias=bias.ravel())
    if (block, attributes) == (old, before):
        return state
    more = np.zeros((attributes, parts, block // parts), weights.dtype)
    more[:before, :, : old // parts] = weights.reshape(-1, parts, old // parts)
    return state._replace(weights=more.ravel(), bias=bias.ravel())


def forget_row(state: Any, met: int) -> None:
    """Have met no more attributes than these, as before a row that was refused."""
    if _is_table(state):
        state.weights.forget(met)


def count_attributes(state: Any) -> int:
    """For how many attributes a state is."""
    return int(state.weights.attributes) if _is_table(state) else len(state.weights) // len(state.bias)


def take_rows(state: Any, known: Array) -> tuple[Any, Array, Array]:
    """The state that has met the attributes of which something is known, their weights, and what is known of them."""
    if not _is_table(state):
        return state, state.weights, known
    slots = RowTable.from_dense(known.ravel(), known.shape[1]).list_rows()[0]
    table = RowTable.of_slots(len(known), slots, len(state.bias), state.bias.dtype)
    return state._replace(weights=table), table.blocks[1 : len(slots) + 1], known[slots]


def list_rows(state: Any, parts: int) -> tuple[Array | None, Array]:
    """The attributes that have weights, None if all have, and for each the parts of its block."""
    slots, blocks = state.weights.list_rows() if _is_table(state) else (None, state.weights)
    return slots, blocks.astype(np.float64).reshape(-1, parts, len(state.bias) // parts)


def fold_histogram(scores: Array) -> Array:
    """The histogram of gaps between two units w and -w, from that of the scores by w for each label."""
    half = BINS // 2
    flipped = np.roll(scores[0], half)  # y s instead of s; a score of zero keeps its bin
    flipped[0], flipped[half] = flipped[0] + flipped[half], 0
    agreed = scores[1] + flipped
    return np.concatenate([_double(agreed[:half]), _double(agreed[half:])])


def _double(sizes: Array) -> Array:
    """A histogram of sizes in half octaves, of which the first holds zeros, after each size has doubled."""
    return np.concatenate([sizes[:1], np.zeros(2, sizes.dtype), sizes[1:-3], [sizes[-3:].sum()]])


def _is_table(state: Any) -> bool:
    return isinstance(state.weights, RowTable)


def _list_row(x: Row) -> Array:
    return np.arange(x.length) if x.indices is None else x.indices


def _cut(rounds: Rounds, count: int) -> tuple[Array, Array, Any]:
    """Where leading rounds end, their attributes, and their values."""
    indptr = rounds.indptr[: count + 1]
    a = int(indptr[0])
    b = int(indptr[-1])
    if rounds.indices is None:
        indices = np.arange(b - a) - np.repeat(indptr[:-1] - a, np.diff(indptr))
    else:
        indices = rounds.indices[a:b]
    return indptr, indices, None if rounds.values is None else rounds.values[a:b]
