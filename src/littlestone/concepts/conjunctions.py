"""Conjunctions: the AND of some literals, each an attribute or its negation.

Over n bits there are 3^n satisfiable ones: digit i of a concept's number in base 3, from the lowest, says whether it
leaves x_i out (0), asks for it (1) or for its negation (2). `monotone` ones ask for no negation: 2^n, and the bits of
the number are the attributes asked for. With exactly k literals there are C(n, k) 2^k, monotone C(n, k): the number is
r 2^k + s where s has a bit for each negation, the lowest for the first attribute, and r = C(c_1, 1) + ... + C(c_k, k)
stands for the attributes c_1 < ... < c_k, counted from 0. The empty conjunction is true.

>>> Conjunctions(3).size, Conjunctions(3).name(1 + 2 * 9), Conjunctions(100, k=5).size
(27, 'x1 and not x3', 2409200640)
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any, ClassVar, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require
from littlestone.compiled import U, rule
from littlestone.concepts.concept import BitClass
from littlestone.concepts.packed import Packed, Sweeps, compile_by_concept, compile_by_living_word, compile_by_word

CEILING = 2**62  # larger binomials than a packed number can reach


@rule
def satisfies_all(concept: int, code: Array) -> Any:
    """Whether the conjunction with this number in base 3 is true of the bits in `code`."""
    rest = concept
    for place in range(code.size):
        if rest % 3 == 1 + code[place]:  # the literal that this bit makes false
            return False
        rest //= 3
    return True


@rule
def label_monotone(k: int, code: Array) -> Any:
    """Label concepts 64 k to 64 k + 63: the low six attributes make a pattern, kept if no higher one asked for is 0."""
    return code[0] * U(U(k) & code[1] == U(0))


@rule
def label_of_length(k: int, code: Array, alive: Any) -> Any:
    """Label concepts 64 k to 64 k + 63: go through their sets of attributes; each is true with one choice of signs."""
    signs = code[0]
    many = code[1]
    n = code[2]
    sets = code[3]
    x = code[4 : 4 + n]
    binomial = code[4 + n : 4 + n + n * many]
    first = 64 * k >> signs
    end = min(sets, (64 * k + 63 >> signs) + 1)
    chosen = np.empty(many, np.int64)
    rest = first
    top = n
    for i in range(many - 1, -1, -1):
        top -= 1
        while binomial[top * many + i] > rest:
            top -= 1
        rest -= binomial[top * many + i]
        chosen[i] = top
    packed = U(0)
    for number in range(first, end):
        negated = 0
        for i in range(many):
            negated |= (1 - x[chosen[i]]) << min(i, signs)
        place = (number << signs | negated) - 64 * k
        if negated >> signs == 0 and 0 <= place < 64:
            packed |= U(1) << U(place)
        if number + 1 < end:
            i = 0
            while i + 1 < many and chosen[i] + 1 == chosen[i + 1]:
                chosen[i] = i
                i += 1
            chosen[i] += 1
    return packed


@dataclass(frozen=True)
class LiteralClass(BitClass, Packed):
    """What conjunctions and disjunctions share: which sets of literals there are, and their numbers."""

    n: int
    k: int | None = None
    monotone: bool = False

    by_length: ClassVar[tuple[Sweeps, Sweeps, Sweeps]]  # of those with k literals, of monotone ones, and of all

    def __post_init__(self) -> None:
        require(self.n >= 0, f"n must be at least 0, got {self.n}")
        require(self.k is None or 0 <= self.k <= self.n, f"k must be None or in [0, {self.n}], got {self.k}")

    @property
    def size(self) -> int:
        if self.k is None:
            return int((2 if self.monotone else 3) ** self.n)
        return comb(self.n, self.k) << self.signs

    @property
    def signs(self) -> int:
        """The number of low bits in a concept's number that say which of its exactly k literals are negated."""
        return 0 if self.monotone else self.k or 0

    @property
    def sweeps(self) -> Sweeps:
        return self.by_length[0 if self.k is not None else 1 if self.monotone else 2]

    def literals(self, index: int) -> list[tuple[int, bool]]:
        """List the literals of a concept: an attribute, counted from 0, and whether it is negated."""
        if self.k is None:
            base = 2 if self.monotone else 3
            digits = [(place, index // base**place % base) for place in range(self.n)]
            return [(place, digit == 2) for place, digit in digits if digit]
        rest = index >> self.signs
        found = []
        top = self.n
        for i in range(self.k, 0, -1):
            top = next(c for c in range(top - 1, -1, -1) if comb(c, i) <= rest)
            rest -= comb(top, i)
            found.append((top, not self.monotone and bool(index >> i - 1 & 1)))
        return found[::-1]

    def spell(self, index: int) -> list[str]:
        """Write each literal of a concept in words."""
        return [f"{'not ' if negated else ''}x{place + 1}" for place, negated in self.literals(index)]

    def encode(self, x: tuple[int, ...]) -> Array:
        if self.k is not None:
            head = [self.signs, self.k, self.n, comb(self.n, self.k)]
            return np.concatenate((np.array([*head, *x], np.int64), tabulate_binomials(self.n, self.k)))
        if self.monotone:
            zeros = sum((1 - bit) << place for place, bit in enumerate(x))
            return np.array([sum((c & zeros == 0) << c for c in range(64)), zeros >> 6], np.uint64)
        return np.array(x, np.int64)

    def is_affordable(self, room: int) -> bool:
        return self.n * max(1, self.k or 0) <= 1 << 20


@final
@dataclass(frozen=True)
class Conjunctions(LiteralClass):
    """The satisfiable conjunctions over n bits.

    Args:
        n: The number of bits, >= 0.
        k: The number of literals, in [0, n]; None: any number. A small k keeps large n within memory.
        monotone: Leave out conjunctions with negations.
    """

    by_length = (
        compile_by_living_word(label_of_length), compile_by_word(label_monotone), compile_by_concept(satisfies_all),
    )  # fmt: skip

    def label(self, index: int, x: tuple[int, ...]) -> int:
        return int(all(x[place] != negated for place, negated in self.literals(index)))

    def name(self, index: int) -> str:
        return " and ".join(self.spell(index)) or "true"


@lru_cache(16)
def tabulate_binomials(n: int, k: int) -> Array:
    """Tabulate C(c, i) for c < n, by rows, and i = 1..k; those that no packed number reaches are cut."""
    return np.array([min(comb(c, i), CEILING) for c in range(n) for i in range(1, k + 1)], np.int64)
