"""Small concept classes as tables, and games on them, for exercises."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from typing import Any

from littlestone.base.printed_numbers import Number
from littlestone.laws.grading.rules import ClassGame


def make_game(
    name: str, concepts: Iterable[Callable[[Any], Any]], points: Iterable[Any], bound: Number | Sequence[Number],
    told: dict[str, Any] | None = None, **rest: Any,
) -> ClassGame:  # fmt: skip
    """Make the game on the class of some functions. Without `told`, the student's class is told the table itself."""
    columns = tuple(points)
    table = [[concept(x) for x in columns] for concept in concepts]
    if told is None:
        told = {"table": table}
        columns = tuple(range(len(columns)))
    return ClassGame(name=name, table=table, points=columns, bound=bound, told=told, **rest)


def list_bits(n: int) -> list[tuple[int, ...]]:
    """Every instance of n attributes that are 0 or 1."""
    return list(product((0, 1), repeat=n))


def list_thresholds(n: int) -> list[Callable[[int], bool]]:
    """The functions "x >= j" on 0..n, all n + 2 of them."""
    return [lambda x, j=j: x >= j for j in range(n + 2)]  # type: ignore[misc]


def list_singletons(n: int) -> list[Callable[[int], bool]]:
    """The functions "x is j" on 0..n-1."""
    return [lambda x, j=j: x == j for j in range(n)]  # type: ignore[misc]


def list_functions(n: int) -> list[Callable[[int], bool]]:
    """Every function on 0..n-1."""
    return [lambda x, bits=bits: bool(bits[x]) for bits in list_bits(n)]  # type: ignore[misc]


def list_subsets(n: int, sizes: Iterable[int] | None = None) -> list[tuple[int, ...]]:
    """The subsets of 0..n-1 that have these sizes; all of them unless sizes are given."""
    return [chosen for k in (range(n + 1) if sizes is None else sizes) for chosen in combinations(range(n), k)]


def make_or(chosen: tuple[int, ...]) -> Callable[[tuple[int, ...]], bool]:
    """The OR of these attributes."""
    return lambda x: any(x[i] for i in chosen)


def make_and(chosen: tuple[int, ...]) -> Callable[[tuple[int, ...]], bool]:
    """The AND of these attributes."""
    return lambda x: all(x[i] for i in chosen)


def list_literals(n: int) -> list[tuple[tuple[int, int], ...]]:
    """Every set of literals that does not contradict itself, as pairs of an attribute and the value it wants."""
    ways = product((None, 0, 1), repeat=n)
    return [tuple((i, value) for i, value in enumerate(way) if value is not None) for way in ways]


def make_or_of(literals: tuple[tuple[int, int], ...]) -> Callable[[tuple[int, ...]], bool]:
    """The OR of these literals."""
    return lambda x: any(x[i] == value for i, value in literals)
