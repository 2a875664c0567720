"""Memory is handed out again when no array uses it any more, and never before."""

import numpy as np
import pytest

from littlestone.readers import blocks
from littlestone.readers.blocks import KEPT, SMALL, allocate


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    monkeypatch.setattr(blocks, "_arrays", [])


def test_memory_is_used_again_once_every_view_is_gone():
    first = allocate(SMALL, np.int32)
    place, part = first.ctypes.data, first[5:9]
    del first
    second = allocate(SMALL, np.int32)
    assert second.ctypes.data != place  # a part of it is still in use
    del part
    assert allocate(SMALL, np.float32).ctypes.data == place


def test_arrays_that_live_together_never_share():
    live = [allocate(SMALL + k, np.uint8) for k in range(20)]
    for k, array in enumerate(live):
        array[:] = k
    assert all((array == k).all() and len(array) == SMALL + k for k, array in enumerate(live))


def test_no_more_than_the_limit_is_kept():
    live = [allocate(KEPT // 8, np.uint8) for _ in range(20)]
    assert sum(one.nbytes for one in blocks._arrays) <= KEPT
    assert len({array.ctypes.data for array in live}) == 20


def test_small_and_huge_arrays_are_fresh():
    assert allocate(10, np.int64).base is None
    assert allocate(KEPT, np.uint8).base is None
    assert blocks._arrays == []
