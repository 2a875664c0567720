"""The table of accuracy: lines are replaced one at a time, and what they come to is counted."""

import pytest

from places import ROOT

pytestmark = pytest.mark.skipif(
    not (ROOT / "benchmarks").exists(), reason="benchmarks are no part of what is installed"
)


@pytest.fixture
def accuracy(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks import accuracy

    page = tmp_path / "page.md"
    page.write_text("before\n\n<!-- accuracy -->\n\n<!-- accuracy -->\nafter\n")
    monkeypatch.setattr(accuracy, "PAGE", page)
    return accuracy


def make_line(name, ours, squared, logistic, constant="50.00"):
    return [name, ours, squared, logistic, "30.00 / 0.600", "40.00 / 1.000", constant, "0.010"]


def test_lines_are_replaced_and_summed_up(accuracy):
    accuracy.write_lines({"SMS": make_line("SMS", "2.00 / 0.070", "1.00", "4.00 / 0.060")})
    accuracy.write_lines({"adult": make_line("adult", "10.00 / 0.300", "12.00", "10.00 / 0.300")})
    accuracy.write_lines({"SMS": make_line("SMS", "2.01 / 0.050", "2.00", "4.00 / 0.060", "1.00")})
    text = accuracy.PAGE.read_text()
    assert text.startswith("before\n\n<!-- accuracy -->\n\n| set |")
    assert text.endswith("<!-- accuracy -->\nafter\n")
    names = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]
    assert names == ["| set", "| ---", "| adult", "| SMS"]
    assert "Of 2 sets: error at or below the better one of VW's on 1, at most 1 % (of it) above on 1 more" in text
    assert "and 0.5 % above at most; log-loss at or below VW's on 2; error above a constant's on 1." in text


def test_the_page_has_every_set(accuracy):
    kept = accuracy.read_table(ROOT / "docs" / "benchmarks.md", accuracy.MARK)
    assert [cells[0] for cells in kept[2:]] == list(accuracy.SETS)
    text = (ROOT / "docs" / "benchmarks.md").read_text()
    assert accuracy.sum_up(kept[2:]) in text
