"""Disjunctions: the OR of some literals, each an attribute or its negation.

By De Morgan a disjunction is false of x exactly when the conjunction of the same literals is true of the complement
of x; the numbering and the counts are those of `Conjunctions`: 3^n over n bits, 2^n monotone ones, C(n, k) 2^k with
exactly k literals, C(n, k) monotone. The empty disjunction is false.

>>> Disjunctions(3).size, Disjunctions(3).name(1 + 2 * 9), Disjunctions(100, k=5, monotone=True).size
(27, 'x1 or not x3', 75287520)
"""

from dataclasses import dataclass
from typing import Any, final

from littlestone.base.chunks import Array
from littlestone.compiled import rule
from littlestone.concepts.conjunctions import LiteralClass, label_monotone, label_of_length, satisfies_all
from littlestone.concepts.packed import compile_by_concept, compile_by_living_word, compile_by_word


@rule
def satisfies_some(concept: int, code: Array) -> Any:
    return not satisfies_all(concept, code)


@rule
def label_monotone_dual(k: int, code: Array) -> Any:
    return ~label_monotone(k, code)


@rule
def label_dual_of_length(k: int, code: Array, alive: Any) -> Any:
    return ~label_of_length(k, code, alive)


@final
@dataclass(frozen=True)
class Disjunctions(LiteralClass):
    """The disjunctions over n bits that some instance falsifies.

    Args:
        n: The number of bits, >= 0.
        k: The number of literals, in [0, n]; None: any number. A small k keeps large n within memory.
        monotone: Leave out disjunctions with negations.
    """

    by_length = (
        compile_by_living_word(label_dual_of_length), compile_by_word(label_monotone_dual),
        compile_by_concept(satisfies_some),
    )  # fmt: skip

    def encode(self, x: tuple[int, ...]) -> Array:
        return super().encode(tuple(1 - bit for bit in x))

    def label(self, index: int, x: tuple[int, ...]) -> int:
        return int(any(x[place] != negated for place, negated in self.literals(index)))

    def name(self, index: int) -> str:
        return " or ".join(self.spell(index)) or "false"
