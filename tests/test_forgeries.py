"""Honest games of every family verify, and nothing that is forged and not true is accepted."""

import sys
from importlib import import_module
from types import SimpleNamespace

import pytest

from places import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
forgeries = import_module("forgeries")
sys.path.remove(str(ROOT / "scripts"))


def play(seed, games, count):
    """Play and forge; what was found by family, and a line for each defect."""
    table, defects = forgeries.run(seed, games, count, list(forgeries.FAMILIES))
    found = sum(table.values(), forgeries.Counter())
    assert (found["games"], found["honest refused"], found["FALSE"]) == (games, 0, 0), defects
    assert all(one["games"] > one["not certified"] for one in table.values())
    return found


def test_none_of_some_forgeries_is_accepted_and_no_honest_game_refused():
    found = play(seed=19, games=60, count=240)
    assert found["refused"] > 150


@pytest.mark.long
def test_none_of_many_forgeries_is_accepted_and_no_honest_game_refused():
    found = play(seed=20, games=900, count=6000)
    assert found["refused"] > 4000


def test_a_checker_that_looks_away_is_found_out(monkeypatch):
    """The script itself tells true claims from false ones: with a checker that accepts anything it counts the lies."""
    monkeypatch.setattr(forgeries.ls, "verify", lambda *given: SimpleNamespace(replayed=True))
    table, _ = forgeries.run(3, 45, 450, list(forgeries.FAMILIES))
    assert sum(found["FALSE"] for found in table.values()) > 100
