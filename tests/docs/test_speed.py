"""The page of speed: a section for each benchmark, replaced by what a run measured, with the date and the commit."""

import re
import sys
from types import SimpleNamespace

import pytest

from places import ROOT

pytestmark = pytest.mark.skipif(
    not (ROOT / "benchmarks").exists(), reason="benchmarks are no part of what is installed"
)


@pytest.fixture
def bench(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks import __main__ as bench

    page = tmp_path / "page.md"
    page.write_text(
        "before\n\n<!-- fast -->\n\nearlier figures\n\n<!-- fast -->\n\n<!-- broken -->\n\nkept\n\n<!-- broken -->\n"
    )
    monkeypatch.setattr(bench, "PAGE", page)
    return bench


def measure():
    from benchmarks.timing import Line, print_table

    print_table("Paths", [Line("one", "peer", 2.345, 2, 3), Line("other", "peer", 0.5, 1 / 1.35)])


def fail():
    raise OSError("no such peer")


def test_a_run_replaces_its_section_and_a_failure_leaves_it(bench, monkeypatch):
    monkeypatch.setitem(sys.modules, "benchmarks.fast", SimpleNamespace(main=measure))
    monkeypatch.setitem(sys.modules, "benchmarks.broken", SimpleNamespace(main=fail))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--write", "broken", "fast"])
    with pytest.raises(SystemExit, match="failed: broken"):
        bench.main()
    text = bench.PAGE.read_text()
    assert re.search(r"<!-- fast -->\n\n\d{4}-\d\d-\d\d, commit (unknown|[0-9a-f]{8,}( with changes)?); ", text)
    assert "| one | peer | 2.35x | 2x | 3x | yes |\n| other | peer | 0.50x | 0.741x |  | no |\n\n<!-- fast -->" in text
    assert "earlier figures" not in text
    assert "<!-- broken -->\n\nkept\n\n<!-- broken -->" in text


def test_the_page_has_a_section_for_every_benchmark(bench):
    text = (ROOT / "docs" / "benchmarks-speed.md").read_text()
    assert re.findall(r"## [^\n]+\n\n<!-- (\w+) -->", text) == list(bench.ALL)
