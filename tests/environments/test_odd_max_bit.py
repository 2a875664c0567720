"""Odd-max-bit: its rows by hand, and the updates of three learners until they make none."""

import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter


def count_updates(learner, n):
    """Updates until a pass has none."""
    player, total = ls.Player(learner), 0
    while more := ls.play(player, ls.OddMaxBit(n)).updates:
        total += more
    return total


def test_rows_count_up_and_the_last_attribute_that_is_1_decides():
    (chunk,) = ls.OddMaxBit(2).chunks()
    assert [chunk[t].values.tolist() for t in range(4)] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert chunk.labels.tolist() == [0, 0, 1, 0]
    assert [chunk.labels.tolist() for chunk in ls.OddMaxBit(1, passes=3).chunks()] == [[0, 1]] * 3


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_target_is_the_decision_list_that_asks_the_last_attribute_first(n):
    stream = ls.OddMaxBit(n)
    (chunk,) = stream.chunks()
    for t in range(stream.rounds):
        ones = [i + 1 for i, bit in enumerate(chunk[t].values) if bit]
        assert stream.target()(chunk[t].values) == bool(chunk.labels[t]) == bool(ones and max(ones) % 2)


@pytest.mark.parametrize(
    ("n", "perceptron", "winnow", "ellipsoid"), [(4, 55, 35, 9), (6, 289, 69, 17), (8, 1839, 123, 68)]
)
def test_the_perceptron_needs_exponentially_many_updates_and_the_others_few(n, perceptron, winnow, ellipsoid):
    assert count_updates(ls.Perceptron(), n) == perceptron
    assert count_updates(ls.BalancedWinnow(factor=2.0), n) == winnow
    assert count_updates(ls.Ellipsoid(), n) == ellipsoid


@pytest.mark.long
def test_ten_attributes_take_12141_updates_and_207():
    assert count_updates(ls.Perceptron(), 10) == 12_141
    assert count_updates(ls.BalancedWinnow(factor=2.0), 10) == 207
    assert count_updates(ls.Ellipsoid(), 10) == 138


@pytest.mark.parametrize(("n", "passes"), [(0, 1), (19, 1), (3, 0)])
def test_refuses_what_is_no_stream(n, passes):
    with pytest.raises(BadParameter, match="must be"):
        ls.OddMaxBit(n, passes)
