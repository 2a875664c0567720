"""The errata for teachers are what their programs print, here and now."""

import importlib.util
import shlex

import pytest
from click.testing import CliRunner

from places import DOCS


def written_by():
    spec = importlib.util.spec_from_file_location("make_errata", DOCS / "make_errata.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = written_by()


def test_the_page_is_what_its_programs_print():
    assert MAKE.write_page() == (DOCS / "errata.md").read_text()


@pytest.mark.parametrize("erratum", [e for e in MAKE.ERRATA if e.command], ids=lambda e: e.title)
def test_the_commands_run(erratum):
    from littlestone.cli import main

    result = CliRunner().invoke(main, shlex.split(erratum.command)[1:])
    assert result.exit_code == 0, result.output
    assert "mistakes" in result.output


def test_where_numbers_are_printed_ours_hold_and_the_printed_ones_do_not():
    shown = {erratum.title: MAKE.write_erratum(erratum) for erratum in MAKE.ERRATA}
    for line in shown["Thresholds on a grid"].splitlines():
        _, _, printed, _, made, _, ours = line.split()
        assert int(printed) < int(made) <= int(ours)
    lines = shown["Conjunctions are not so few"].splitlines()[1:]
    assert all(int(line.split()[2]) < int(line.split()[4]) <= int(line.split()[6]) for line in lines)
    assert "printed bound 5\nplain Perceptron 62" in shown["The margin must be measured on the rows as they are added"]
    assert len(MAKE.ERRATA) >= 15


def test_all_47_passages_are_covered_once():
    told = [*MAKE.PASSAGES, *(number for number, _ in MAKE.WORDS)]
    assert len(MAKE.PASSAGES) == len(MAKE.ERRATA)
    assert sorted(told) == list(range(1, 48))
