"""What the fuzzer hunts for in rounds files, certificates and envelopes, on seeds of its own and on tampered ones."""

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TARGETS = {name: importlib.import_module(f"fuzz.{name}") for name in ("rounds", "certificate", "envelope")}
TRUE = {"rounds": 3, "certificate": 5, "envelope": 1}  # the first seeds, which are well-formed and true
PIECES = st.one_of(
    st.binary(max_size=3),
    st.sampled_from(
        [b"0", b"1", b"-", b".0", b"true", b"null", b"[]", b"{}", b'"', b"p", b":", b" ", b"\n", b"\t", b"="]
    ),
)


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_hold_what_the_target_asks(name):
    seeds = TARGETS[name].seeds()
    assert [TARGETS[name].one(seed) for seed in seeds] == [k < TRUE[name] for k in range(len(seeds))]


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_that_were_tampered_with_are_told_apart_or_refused_in_words(name):
    target = TARGETS[name]
    mend = getattr(target, "signed", bytes)

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(st.sampled_from(target.seeds()), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5), PIECES), max_size=4))
    def tamper(seed, edits):
        data = bytearray(seed)
        for where, length, piece in edits:
            at = int(where * len(data))
            data[at : at + length] = piece
        target.one(mend(bytes(data)))

    tamper()


@pytest.mark.parametrize(
    "text", ["\xff", '{"a": 1}\t0:1', "null\t0:1", "Infinity\t0:1", "1\t=[1]\n1\t0:1", "[" * 9999 + "\t0:1"]
)
def test_lines_that_are_no_rounds_are_refused_in_words(text):
    """Bytes that are no UTF-8, labels that are none and a file of rows and points came through, or raised."""
    assert TARGETS["rounds"].one(b"littlestone rounds 2\n" + text.encode("latin-1") + b"\n") is False
