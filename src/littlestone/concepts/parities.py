"""Parities: the sum modulo 2 of some of n bits, one concept for each of the 2^n subsets.

The labels of 64 neighbouring concepts are one word: concepts that differ only in their lowest six bits repeat one
pattern, flipped when the higher bits disagree with the instance an odd number of times. The class is evaluated on the
fly, without a table.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import U, count_bits, rule
from littlestone.concepts.concept import BitClass
from littlestone.concepts.packed import Packed, compile_by_word


@rule
def label_word(k: int, code: Array) -> Any:
    odd = count_bits(U(k) & code[1]) & U(1)
    return code[0] ^ (odd * ~U(0))


@final
@dataclass(frozen=True)
class Parities(BitClass, Packed):
    """The 2^n parities of n bits; concept c sums the bits that are set in c.

    Args:
        n: The number of bits, >= 0.
    """

    n: int
    sweeps = compile_by_word(label_word)

    def __post_init__(self) -> None:
        require(self.n >= 0, f"n must be at least 0, got {self.n}")

    @property
    def size(self) -> int:
        return 1 << self.n

    def encode(self, x: tuple[int, ...]) -> Array:
        mask = sum(bit << place for place, bit in enumerate(x))
        low = sum(((c & mask).bit_count() & 1) << c for c in range(64))
        return np.array([low, mask >> 6], np.uint64)

    def name(self, index: int) -> str:
        members = [f"x{place + 1}" for place in range(self.n) if index >> place & 1]
        return " + ".join(members) + " mod 2" if members else "0"

    def is_affordable(self, room: int) -> bool:
        return self.n <= 64
