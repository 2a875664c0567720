"""The atlas of small games: how many classes there are, their values by hand, by other code and by theorems."""

import csv
import json
from fractions import Fraction
from itertools import permutations
from math import log2

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.cli import main
from littlestone.concepts.atlas import chart, describe, tabulate

# Ten classes with their values by hand: concepts, Littlestone, VC, Halving with ties lost, randomized, teaching.
BY_HAND = [
    (["0000"], 0, 0, 0, Fraction(0), 0),  # nothing to learn
    (["0000", "1000"], 1, 1, 1, Fraction(1, 2), 1),  # one label decides: a coin
    (["0000", "1111"], 1, 1, 1, Fraction(1, 2), 1),
    (["1000", "0100", "0010", "0001"], 1, 1, 1, Fraction(7, 8), 1),  # singletons: guess 0 until told otherwise
    (["0000", "1000", "0100", "0010", "0001"], 1, 1, 1, Fraction(15, 16), 4),  # the empty set needs all four labels
    (["0000", "1000", "1100", "1110", "1111"], 2, 1, 2, Fraction(9, 8), 2),  # thresholds: bisection
    (["0000", "1000", "0100", "1100"], 2, 2, 2, Fraction(1), 2),  # a square: two coins
    ([f"{c:04b}" for c in range(16)], 4, 4, 4, Fraction(2), 4),  # all concepts: four coins
    ([f"{c:04b}" for c in range(16) if f"{c:04b}".count("1") % 2 == 0], 3, 3, 3, Fraction(3, 2), 3),  # even parity
    (["1100", "1010", "1001", "0110", "0101", "0011"], 2, 2, 2, Fraction(5, 4), 2),  # two of four
]


def to_number(rows):
    return sum(1 << sum(1 << x for x, label in enumerate(row) if label == "1") for row in rows)


@pytest.fixture(scope="module")
def entries():
    return chart(4)


def test_there_are_402_kinds_of_classes_with_the_empty_one(entries):
    assert 1 + len(entries) == 402
    assert sum(entry.alike for entry in entries) == 2**16 - 1
    assert [1 + len(chart(points)) for points in (1, 2, 3)] == [3, 6, 22]


def test_classes_are_alike_if_points_and_labels_can_be_renamed():
    images = {
        to_number(
            ["".join("01"[label != flips[x]] for x, label in enumerate(row[p] == "1" for p in order)) for row in rows]
        )
        for rows in [["000", "110", "011"]]
        for order in permutations(range(3))
        for flips in [[bool(f >> x & 1) for x in range(3)] for f in range(8)]
    }
    assert {number for number in range(1, 256) if describe(number, 3).number == min(images)} == images
    assert describe(min(images), 3).alike == len(images)


@pytest.mark.parametrize(
    ("rows", "dimension", "vc", "halving", "randomized", "teaching"), BY_HAND, ids=lambda part: str(part)[:24]
)
def test_ten_classes_have_the_values_known_by_hand(entries, rows, dimension, vc, halving, randomized, teaching):
    entry = describe(to_number(rows), 4)
    assert entry in entries
    assert entry[4:] == (dimension, vc, halving, randomized, teaching)
    assert entry.size == len(rows)


def test_theorems_hold_of_every_class(entries):
    for entry in entries:
        assert entry.vc <= entry.littlestone <= entry.halving <= log2(entry.size)
        assert Fraction(entry.littlestone, 2) <= entry.randomized <= entry.littlestone
        assert entry.teaching <= min(4, entry.size - 1)


@pytest.mark.long
def test_five_points_have_1228158_kinds_and_theorems_hold_of_each():
    table = tabulate(5)
    assert 1 + len(table.numbers) == 1_228_158
    assert int(table.alike.sum()) == 2**32 - 1
    assert (np.diff(table.numbers.astype(np.int64)) > 0).all()
    assert (table.vc <= table.littlestone).all()
    assert (table.littlestone <= table.halving).all()
    assert (1 << table.halving <= table.sizes).all()
    assert (16 * table.littlestone <= table.randomized).all()
    assert (table.randomized <= 32 * table.littlestone).all()
    assert (table.teaching < table.sizes).all()
    for k in range(17, len(table.numbers), 60_000):
        entry = table.entry(k)
        assert describe(entry.number, 5) == entry
        assert ls.littlestone_dimension(entry.concepts) == entry.littlestone
        assert ls.vc_dimension(entry.concepts) == entry.vc
        assert ls.worst_case(ls.StandardOptimal(entry.concepts), entry.concepts).mistakes == entry.littlestone


def test_dimensions_and_worst_cases_are_those_of_the_other_code(entries):
    lost = 0
    for entry in [*chart(3), *entries[::11]]:
        concepts = entry.concepts
        assert ls.littlestone_dimension(concepts) == entry.littlestone
        assert ls.vc_dimension(concepts) == entry.vc
        assert ls.worst_case(ls.StandardOptimal(concepts), concepts).mistakes == entry.littlestone
        made = ls.worst_case(ls.Halving(concepts), concepts).mistakes
        assert entry.littlestone <= made <= entry.halving
        lost += made < entry.halving
    assert lost <= 2  # ties that Halving happens to break well


def test_what_is_typed_shows_the_table_a_class_and_the_page(tmp_path):
    page, table = tmp_path / "atlas.html", tmp_path / "atlas.csv"
    assert "401 kinds of classes on 4 points, 65,535 classes in all" in run("atlas", "--output", page).stdout
    text = page.read_text()
    assert text.count("<tr>") == 402
    assert text.count("<details>") == 401
    run("atlas", "--points", "3", "--output", table)
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["randomized"] for row in rows] == [str(entry.randomized) for entry in chart(3)]
    shown = run("atlas", "--points", "3", "--class", "39").stdout
    assert "class 39 is like class 27" in shown
    assert "├─ False: row 0: 0 0 0" in shown
    found = json.loads(run("atlas", "--points", "2", "--json").stdout)
    assert max(one["littlestone"] for one in found) == 2


def test_five_points_have_no_page_and_numbers_that_are_no_classes_are_refused(tmp_path):
    page = str(tmp_path / "atlas.html")
    for words, remedy in (
        (["--points", "5", "--output", page], "write a table (.csv)"),
        (["--class", "65536"], "from 1 to 65,535, got 65,536"),
    ):
        refused = CliRunner().invoke(main, ["atlas", *words])
        assert refused.exit_code == 2
        assert remedy in refused.stderr
    shown = run("atlas", "--points", "5", "--class", str(2**32 - 1)).stdout
    assert "size 32, alike 1, littlestone 5, vc 5, halving 5, randomized 5/2, teaching 5" in shown
