from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import concepts, environments, learners
from littlestone.base.errors import BadParameter
from littlestone.concepts import Thresholds
from littlestone.game.names import build, build_learner, find_playable, spell, to_kebab


@dataclass(frozen=True)
class Grid:
    rows: int
    columns: int = 3


@dataclass(frozen=True)
class PNormTuned:
    p: Fraction | int = 2
    rate: float | None = 1.0
    tie: Literal["strict", "plus"] = "strict"
    bias: bool = True


@dataclass(frozen=True)
class Over:
    concepts: Any
    scale: int = 1


@dataclass(frozen=True)
class Table:
    table: list[list[int]]


@dataclass(frozen=True)
class Chosen:
    n: int
    relevant: Iterable[int]


KINDS = (Grid, PNormTuned, Over, Table, Chosen)


def test_names_are_the_classes_own_in_kebab_case():
    assert [to_kebab(kind) for kind in KINDS] == ["grid", "p-norm-tuned", "over", "table", "chosen"]


def test_only_what_numbers_and_the_given_can_build_is_playable():
    assert list(find_playable(KINDS)) == ["chosen", "grid", "p-norm-tuned"]
    assert list(find_playable(KINDS, ["concepts"])) == ["chosen", "grid", "over", "p-norm-tuned"]


@given(st.integers(), st.integers())
def test_numbers_come_in_order_or_by_name(rows, columns):
    assert build(KINDS, f"grid:{rows},{columns}", "kind") == Grid(rows, columns)
    assert build(KINDS, f"grid:columns={columns}, rows={rows}", "kind") == Grid(rows, columns)
    assert build(KINDS, f"grid:{rows}", "kind") == Grid(rows)


def test_values_are_read_as_the_parameter_takes_them():
    assert build(KINDS, "p-norm-tuned", "kind") == PNormTuned()
    tuned = build(KINDS, "p-norm-tuned:3/2,0.5,plus,false", "kind")
    assert tuned == PNormTuned(Fraction(3, 2), 0.5, "plus", False)
    assert type(build(KINDS, "p-norm-tuned:4", "kind").p) is int
    assert build(KINDS, "chosen:5,0,3,4", "kind") == Chosen(5, [0, 3, 4])
    assert build(KINDS, "chosen:5,2", "kind") == Chosen(5, [2])


def test_what_is_given_is_made_only_when_needed():
    made = []
    given = {"concepts": lambda: made.append(1) or "H"}
    assert build(KINDS, "grid:1", "kind", given) == Grid(1)
    assert made == []
    assert build(KINDS, "over:7", "kind", given) == Over("H", 7)
    assert made == [1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grd:1", "kind 'grd' is not known: did you mean grid. There are: chosen, grid, p-norm-tuned$"),
        ("table", "kind 'table' is not known"),
        ("grid", r"grid needs rows: write grid:ROWS,\[COLUMNS\]$"),
        ("grid:columns=2", "grid needs rows"),
        ("grid:1,2,3", "grid does not take '3'"),
        ("grid:depth=3", "grid does not take 'depth=3'"),
        ("grid:x", "grid: rows must be a whole number, got 'x'"),
        ("grid:1.5", "grid: rows must be a whole number, got '1.5'"),
        ("grid:,", "rows must be a whole number, got ''"),
        ("p-norm-tuned:1/0", "p must be a number, got '1/0'"),
        ("p-norm-tuned:2,fast", "rate must be a number, got 'fast'"),
        ("p-norm-tuned:tie=minus", "tie must be strict or plus, got 'minus'"),
        ("p-norm-tuned:bias=maybe", "bias must be true or false, got 'maybe'"),
    ],
)
def test_what_cannot_be_read_says_what_could(text, message):
    with pytest.raises(BadParameter, match=message):
        build(KINDS, text, "kind")


def test_the_registries_can_be_typed():
    assert build(concepts.ALL, "thresholds:1_000", "class") == Thresholds(1000)
    assert "halving" in find_playable(learners.ALL, ["concepts"])
    assert "halving" not in find_playable(learners.ALL)
    kinds = [getattr(environments, name) for name in environments.__all__]
    typed = find_playable(kinds, ["concepts", "target", "environment"])
    assert set(typed) >= {"bisection", "nature", "noisy", "teacher", "basis-vectors", "drifting", "random-experts"}
    assert "recorded" not in typed


def test_a_network_of_different_units_is_typed_with_a_plus_and_read_back():
    learner = ls.Snow((ls.Winnow(threshold=4.0), ls.Perceptron(margin=1.0), ls.NaiveBayes()))
    assert spell(learner) == "snow:winnow:threshold=4.0+perceptron:margin=1.0+naive-bayes"
    assert build_learner(spell(learner)) == learner
    assert build_learner("Snow((Winnow(threshold=4.0), Perceptron(margin=1.0), NaiveBayes()))") == learner
    assert build_learner("snow:winnow:threshold=1e+2+arow").rules == (ls.Winnow(threshold=100.0), ls.Arow())
    assert spell(ls.Snow((ls.Perceptron(),), attributes=((0, 1),))) is None
    with pytest.raises(BadParameter, match="write the rules of snow"):
        build_learner("snow")
    with pytest.raises(BadParameter, match="hedgehog"):
        build_learner("snow:perceptron+hedgehog")
