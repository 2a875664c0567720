"""What the fuzzer hunts for, on inputs of our own: every reader, its seeds, and seeds that were tampered with."""

import importlib
import io
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import BadData
from places import ROOT

READERS = ["text", "svmlight", "vw", "snow", "csv", "jsonl", "parquet", "arrow"]
TARGETS = {name: importlib.import_module(f"fuzz.{name}") for name in READERS}
PIECES = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [b"\n", b"\r\n", b"\t", b" ", b":", b"|", b",", b'"', b"nan", b"1e999", b"-", b"#", b"\0", b"\xff"]
    ),
)


@pytest.mark.parametrize("name", READERS)
def test_seeds_hold_what_the_target_asks(name):
    read = [TARGETS[name].one(seed) for seed in TARGETS[name].seeds()]
    assert read[0]
    assert name in ("parquet", "arrow") or not all(read)  # the last one holds what is refused


@pytest.mark.parametrize("name", READERS)
def test_seeds_that_were_tampered_with_are_read_or_refused(name):
    seeds = TARGETS[name].seeds()

    @settings(max_examples=25, deadline=None, derandomize=True, database=None)
    @given(st.sampled_from(seeds), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5), PIECES), max_size=4))
    def tampered(seed, edits):
        for where, cut, piece in edits:
            at = int(where * len(seed))
            seed = seed[:at] + piece + seed[at + cut :]
        assert TARGETS[name].one(seed) in (True, False)

    tampered()


FLIPS = """
import sys
from fuzz.arrow import one, seeds

for number, seed in enumerate(seeds()):
    for bit in range(number, 8 * len(seed), 23):
        damaged = bytearray(seed)
        damaged[bit // 8] ^= 1 << bit % 8
        print(number, bit, one(bytes(damaged)), flush=True)
"""


def test_an_arrow_file_with_a_flipped_bit_is_read_or_refused_and_never_ends_the_process():
    """In a process of its own: an offset that is not checked reads memory of others."""
    ran = subprocess.run([sys.executable, "-c", FLIPS], cwd=ROOT, capture_output=True, text=True, check=False)
    told = [line.split()[2] for line in ran.stdout.splitlines()]
    assert ran.returncode == 0, f"{ran.stdout.splitlines()[-1:]} {ran.stderr[-2000:]}"
    assert len(told) > 1500
    assert set(told) == {"True", "False"}


def test_lists_under_names_of_their_own_and_texts_that_are_not_utf_8_are_refused_in_words():
    """Both were found by the fuzzer."""
    file = io.BytesIO()
    pq.write_table(pa.table({"label": [1, 0], "ids": [[1], [2]], "values": [[1.0], [2.0]]}), file)
    with pytest.raises(BadData, match="'ids' holds list"):
        list(ls.read(io.BytesIO(file.getvalue()), format="parquet").chunks())
    text = pa.array([b"\x81", b"no"]).view(pa.string())
    for names in (["label", "a"], ["a", "label"]):
        file = io.BytesIO()
        pq.write_table(pa.table([text, pa.array([1, 2])], names=names), file)
        with pytest.raises(BadData, match="utf-8"):
            list(ls.read(io.BytesIO(file.getvalue()), format="parquet").chunks())


@pytest.mark.parametrize("name", ["model", *READERS])
def test_the_fuzzer_runs_every_target_for_a_while(name, tmp_path):
    pytest.importorskip("atheris")
    command = [sys.executable, "-m", f"fuzz.{name}", "-runs=20", "-seed=1", f"-artifact_prefix={tmp_path}/"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "Done " in ran.stderr
