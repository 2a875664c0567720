"""Coins that depend on a seed and a round and on nothing else.

A randomized learner must be able to predict without changing its state, and to give the same guesses whether a stream
is played live, in chunks or again; so its coin is a hash (splitmix64, Steele, Lea and Flood 2014) of seed and round.

>>> [draw_bits(seed=1, round=t) % 6 for t in range(5)] == [draw_bits(1, t) % 6 for t in range(5)]
True
"""

from littlestone.base.errors import require

_MASK = (1 << 64) - 1


def _mix(word: int) -> int:
    """One step of splitmix64: 64 bits that look independent of the 64 given."""
    word = (word + 0x9E3779B97F4A7C15) & _MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def draw_bits(seed: int, round: int) -> int:
    """64 fair bits for this round of the game with this seed."""
    return _mix(_mix(seed & _MASK) ^ (round & _MASK))


def pick(seed: int, round: int, among: int) -> int:
    """A uniform number in [0, among); for `among` below 2^64 the bias is at most among / 2^128."""
    require(among >= 1, f"nothing to pick from: among must be at least 1, got {among}")
    wide = draw_bits(seed, round) << 64 | _mix(draw_bits(seed, round) ^ _MASK)
    return wide * among >> 128
