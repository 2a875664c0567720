"""Honest games of every family verify, and nothing that is forged and not true is accepted."""

import sys
from dataclasses import replace
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
    found = play(seed=19, games=90, count=240)
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


def test_what_is_true_of_log_loss_is_worked_out_without_the_checker(monkeypatch):
    """Its honest numbers are those of the papers; with a checker that accepts anything, other ones are called lies."""
    monkeypatch.setattr(forgeries.ls, "verify", lambda *given: SimpleNamespace(replayed=True))
    table, defects = forgeries.run(5, 4, 40, ["log-loss"])
    assert not [line for line in defects if "is not true" in line]
    assert table["log-loss"]["FALSE"] > 20


def test_a_comparator_that_is_charged_too_little_is_called_a_lie():
    game = forgeries.FAMILIES["log-loss"](forgeries.Rng(7))
    honest = game.certify()
    part = honest.witness["units"][0]
    numerators = [k + (1 << 18) for k in part["numerators"]]
    units = [part | {"numerators": numerators}, *honest.witness["units"][1:]]
    moved = replace(honest, witness=honest.witness | {"units": units})
    assert forgeries.is_told(game, honest, honest)
    assert not forgeries.is_told(game, honest, moved)
