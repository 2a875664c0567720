"""Readers as plain Python, by which small files are read, and as machine code: the same rounds, the same refusals."""

import io
import random

import numpy as np
import pytest

from fuzz import csv, jsonl, svmlight, text, vw
from fuzz.readers import played
from littlestone.base.errors import BadData
from littlestone.compiled.late_kernels import LateKernel, hand_over
from littlestone.readers.reading import read

FORMATS = {"svmlight": svmlight, "vw": vw, "text": text, "csv": csv, "jsonl": jsonl}
PIECES = (
    b"\n",
    b" ",
    b":",
    b",",
    b"\t",
    b'"',
    b"-",
    b"1e5",
    b"0.12345678901234567",
    b"\r",
    b"#",
    b"|",
    b"999999999999",
)


def garble(data, source):
    """A document with a few bytes changed, left out or put in."""
    found = bytearray(data)
    for _ in range(source.randrange(4)):
        place = source.randrange(len(found) + 1)
        end = place + source.choice((0, 0, 1, 2, 9))
        found[place:end] = source.choice((*PIECES, b"", bytes([source.randrange(256)])))
    return bytes(found)


def read_all(data, name):
    try:
        return played(read(io.BytesIO(data), format=name, threads=1).chunks())
    except BadData as problem:
        return [], str(problem)


def run_plainly(kernel, *arguments):
    with np.errstate(all="ignore"):
        return hand_over(kernel.py_func(*arguments))


@pytest.mark.parametrize("name", FORMATS)
def test_plain_readers_read_what_compiled_ones_do(name, monkeypatch):
    source = random.Random(23)
    documents = [garble(seed, source) for _ in range(12) for seed in FORMATS[name].seeds()]
    compiled = [read_all(data, name) for data in documents]
    monkeypatch.setattr(LateKernel, "__call__", run_plainly)
    for data, found in zip(documents, compiled, strict=True):
        assert repr(read_all(data, name)) == repr(found), data
    assert sum(len(rounds) for rounds, _ in compiled) > 20
    assert sum(problem is not None for _, problem in compiled) > 5
