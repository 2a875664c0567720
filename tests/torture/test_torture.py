"""A small sample of what `make torture` tries at length."""

import sys

import pytest

from torture import documents, models, system_calls

EVERY = 29  # of the faults of system calls, one in so many
COMPILER = system_calls.find_compiler()


@pytest.mark.long
@pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine: make compiler installs Debian's gcc")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="calls are replaced with LD_PRELOAD, as on Linux")
def test_whatever_call_goes_wrong_outputs_are_whole_or_the_status_says_so(tmp_path):
    found = system_calls.start(tmp_path, EVERY)
    for kind in ("open", "read", "write", "fsync", "rename", "mmap", "close"):
        assert found["calls"]["fresh"][kind] > 0, f"no call {kind} was seen: is the library loaded?"
    assert found["failed"] > found["runs"] // 4
    assert found["objections"] == []


@pytest.mark.parametrize("name", list(documents.FORMATS))
def test_documents_are_read_as_other_readers_read_them(name):
    tally, differing = documents.compare(name, 150)
    assert differing == []
    assert tally["equal"] > 120


@pytest.mark.parametrize("line", ["2e51 |a b", ".711 |a b:8.293", "1 | 3:-1.031 3"])
def test_numbers_that_the_program_rounds_are_not_held_against_us(line):
    peer = documents.VowpalWabbit()
    assert documents.agree(peer.ours(line), peer.theirs(line), peer.slack)
    assert not documents.agree(peer.ours(line), peer.theirs(line + " c"), peer.slack)


def test_a_reader_that_errs_is_found_out(monkeypatch):
    rows_of = documents.rows_of
    monkeypatch.setattr(documents, "rows_of", lambda *given, **options: rows_of(*given, **options)[:-1])
    for name in ("svmlight", "csv", "jsonl", "parquet"):
        assert documents.compare(name, 5)[1]


@pytest.mark.long
def test_forged_models_are_refused_or_play():
    tally = models.try_forged(150)
    assert tally["refused"] > 30
    assert tally["loads and plays"] > 0
