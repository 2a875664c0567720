"""Published figures are met on the authors' data, where those data are at hand; a clone has none."""

import pytest

from places import ROOT

DATA = ROOT.parent / "shared" / "data"


@pytest.mark.skipif(not (DATA / "svmguide3").exists(), reason="svmguide3 is not part of the project and not beside it")
def test_mistake_rates_on_svmguide3_are_those_of_its_authors(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks import published

    perceptron, capped = published.compare_svmguide3(names=("Perceptron", "PA-I"))
    assert (perceptron.published, capped.published) == (0.332, 0.236)
    for figure in (perceptron, capped):
        assert abs(figure.mean - figure.published) < 0.02
        assert figure.within
        assert 0 < figure.deviation < 0.02


@pytest.mark.skipif(not (ROOT / "benchmarks").exists(), reason="the benchmarks are not part of what is installed")
def test_without_the_data_the_script_says_so_and_writes_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks import published

    monkeypatch.setattr(published, "DATA", tmp_path / "nowhere")
    monkeypatch.setattr(published, "PAGE", tmp_path / "page.md")
    published.main()
    assert "skipped" in capsys.readouterr().out
    assert not (tmp_path / "page.md").exists()
