"""A table of the attributes met holds what an array of all of them would, whatever the order in which they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.row_table import SMALLEST, RowTable

ATTRIBUTES, BLOCK = 50, 3
ROUNDS = st.lists(st.lists(st.integers(0, ATTRIBUTES - 1), max_size=6, unique=True), max_size=20)


def lay_out(rounds):
    ends = np.concatenate(([0], np.cumsum([len(row) for row in rounds]))).astype(np.int64)
    return ends, np.array([i for row in rounds for i in row], np.int32)


@given(ROUNDS)
def test_rounds_at_once_and_one_by_one_give_the_same_numbers_in_the_order_of_their_coming(rounds):
    met = list(dict.fromkeys(i for row in rounds for i in row))
    (whole, single), done = (RowTable.make(ATTRIBUTES, BLOCK, np.float64) for _ in range(2)), 0
    while done < len(rounds):
        numbers, fit = whole.number(*lay_out(rounds[done:]))
        assert whole.slots[numbers].tolist() == lay_out(rounds[done : done + fit])[1].tolist()
        done += fit
        if done < len(rounds):  # there was no room: what comes next does not fit, and is not begun
            assert whole.wanted > whole.room
            assert len({*whole.slots[1 : whole.met + 1].tolist(), *rounds[done]}) + 1 == whole.wanted
            whole = whole.resize(ATTRIBUTES, BLOCK, 1)
    for row in rounds:
        if single.lacks_room(np.array(row, np.int32)):
            single = single.resize(ATTRIBUTES, BLOCK, 1)
        assert single.number(*lay_out([row]))[1] == 1
    for table in (whole, single):
        assert table.slots[1 : table.met + 1].tolist() == met
        assert table.room == max(SMALLEST, 1 << len(met).bit_length())
        assert (table.places > 0).sum() == len(met)


@given(ROUNDS, st.data())
def test_what_is_kept_is_the_whole_array(rounds, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    dense = np.zeros((ATTRIBUTES, BLOCK), np.float32)
    met = sorted({i for row in rounds for i in row})
    dense[met] = rng.integers(-1, 2, (len(met), BLOCK))
    dense[met[:1]] = -0.0  # which is no zero by its bits
    table = RowTable.from_dense(dense.ravel(), BLOCK)
    for same in (table, table.copy(), RowTable.from_changed(ATTRIBUTES, BLOCK, *table.list_changed())):
        assert same.spread().tobytes() == dense.tobytes()
        assert same.met == len(np.flatnonzero(dense.view(np.uint32).any(axis=1)))
    places, values = table.list_changed()
    assert places.tolist() == np.flatnonzero(dense.ravel().view(np.uint32)).tolist()
    assert values.tobytes() == dense.ravel()[places].tobytes()
    wide = table.resize(2 * ATTRIBUTES, BLOCK + 2, 1).spread().reshape(-1, BLOCK + 2)
    assert (wide[:ATTRIBUTES, :BLOCK] == dense).all()
    assert not wide[ATTRIBUTES:].any()
    assert not wide[:, BLOCK:].any()


def test_what_was_not_met_is_row_zero_and_a_refused_round_is_forgotten():
    table = RowTable.make(ATTRIBUTES, BLOCK, np.float64)
    table.number(np.array([0, 2]), np.array([7, 3]))
    table.number(np.array([0, 2]), np.array([3, 9]))
    table.forget(2)
    assert table.find(np.array([3, 7, 9])).tolist() == [2, 1, 0]
    assert table.number(np.array([0, 1]), np.array([9]))[0].tolist() == [3]
    assert table.nbytes == pytest.approx(4 * ATTRIBUTES + SMALLEST * (4 + 8 * BLOCK))


def test_entries_after_the_round_that_lacks_room_are_not_looked_at():
    table, nowhere = RowTable.make(ATTRIBUTES, BLOCK, np.float64), 10**6
    numbers, fit = table.number(np.array([0, 9, 20, 21]), np.array([*range(9), *range(5, 16), nowhere]))
    assert (numbers.tolist(), fit) == (list(range(1, 10)), 1)
    assert (table.met, table.wanted) == (9, 17)
    assert table.find(np.arange(16)).tolist() == [*range(1, 10), *[0] * 7]
    table = table.resize(ATTRIBUTES, BLOCK, 1)
    numbers, fit = table.number(np.array([9, 20]), np.arange(5, 16))
    assert (numbers.tolist(), fit, table.room) == (list(range(6, 17)), 1, 32)
