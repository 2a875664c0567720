"""RandomExperts: experts and outcomes that are all fair coins.

Whatever a learner does, each guess is wrong with probability 1/2: it makes T/2 mistakes in expectation. The best of N
experts does better by luck, and its expected mistakes are

    E[min L_i] = sum over k = 1..T of P(Bin(T, 1/2) >= k)^N,

because the best expert has at least k mistakes when all N have. The difference is a regret that no learner avoids; it
is at most sqrt(T ln N / 2), the regret that Hedge guarantees, and their ratio tends to 1.

N. Cesa-Bianchi, Y. Freund, D. Haussler, D. Helmbold, R. Schapire and M. Warmuth. How to use expert advice. Journal of
the ACM 44:427-485, 1997.

>>> RandomExperts.lower_bound(experts=2, rounds=2)
Fraction(3, 8)
"""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import accumulate
from math import comb

import numpy as np

from littlestone.base.chunks import Instances
from littlestone.base.coins import draw_bits
from littlestone.base.environment import Stream
from littlestone.base.errors import require, require_count
from littlestone.base.learner import Size

EXACT = 2**16  # bits of the powers that are still computed exactly
CELLS = 2**20  # votes that are drawn at once


class RandomExperts(Stream):
    """Votes of 0 or 1 from each expert, and an outcome that is independent of them.

    Args:
        experts: How many experts there are, at least 1.
        rounds: How many rounds there are, at least 0.
    """

    def __init__(self, experts: int, rounds: int) -> None:
        require_count(1, experts=experts)
        require_count(0, rounds=rounds)
        self.experts, self._seed = experts, draw_bits(0, 0)
        self.rounds: int = rounds

    @staticmethod
    def lower_bound(experts: int, rounds: int) -> Fraction:
        """The regret that no learner avoids in expectation.

        Exact while experts times rounds is at most 2^16; beyond, rounded down by less than 2^-64.
        """
        require(experts >= 1, f"experts must be at least 1, got {experts}")
        require(rounds >= 0, f"rounds must be at least 0, got {rounds}")
        tails = accumulate(comb(rounds, k) for k in range(rounds, 0, -1))  # P(Bin >= k) in units of 2^-rounds
        if experts * rounds <= EXACT:
            best = Fraction(sum(tail**experts for tail in tails), 1 << rounds * experts)
        else:
            places = 66 + (experts * rounds).bit_length()
            best = Fraction(
                sum(_raise_to_power(-(-(tail << places) >> rounds), experts, places) for tail in tails), 1 << places
            )
        return Fraction(rounds, 2) - best

    def size(self) -> Size:
        return Size(self.experts)

    def classes(self) -> tuple[Hashable, ...]:
        return (False, True)

    def start(self, seed: int) -> None:
        self._seed = draw_bits(seed, 0)
        super().start(seed)

    def chunks(self) -> Iterator[Instances]:
        rng = np.random.default_rng(self._seed)
        few = max(1, CELLS // (self.experts + 1))
        for first in range(0, self.rounds, few):
            coins = rng.integers(2, size=(min(few, self.rounds - first), self.experts + 1), dtype=np.int8)
            yield Instances([tuple(votes) for votes in coins[:, 1:].tolist()], coins[:, 0] == 1)

    def __repr__(self) -> str:
        return f"RandomExperts({self.experts}, {self.rounds})"


def _raise_to_power(share: int, exponent: int, places: int) -> int:
    """share^exponent for a fixed-point number of `places` binary places, every product rounded up."""
    power = 1 << places
    while exponent:
        if exponent & 1:
            power = -(-power * share >> places)
        share = -(-share * share >> places)
        exponent >>= 1
    return power
