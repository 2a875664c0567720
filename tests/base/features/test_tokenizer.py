"""Words and runs of words and characters: compiled, plain, and by a regular expression."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from littlestone.base.errors import BadInstance, BadParameter
from littlestone.base.features.hashing import hash_text
from littlestone.base.features.tokenizer import PADDING, Tokenizer, tokenise
from reference import text_tokens

words = st.sampled_from(["a", "Free", "MONEY", "under_score", "eight888", "größe", "ÄÖ", "it's", "x" * 40, "日本語"])
texts = st.one_of(
    st.binary(max_size=60),
    st.lists(words, max_size=12).map(lambda listed: " ".join(listed).encode()),
    st.text(max_size=30).map(str.encode),
)
tokenizers = st.one_of(
    st.builds(Tokenizer, ngrams=st.integers(1, 4), lower=st.booleans()),
    st.builds(
        Tokenizer,
        characters=st.tuples(st.integers(1, 4), st.integers(4, 6)),
        lower=st.booleans(),
    ),
)


def names(chunk, t):
    spans = range(chunk.indptr[t], chunk.indptr[t + 1])
    return [bytes(chunk.text[chunk.starts[k] : chunk.starts[k] + chunk.lengths[k]]) for k in spans]


@given(st.lists(texts, max_size=5), tokenizers)
@example([b"exactly8", b"exactly8 and16bytesinone1", b"", b"@[`{/:^_"], Tokenizer())
@example([b"a b c d e f g h i j k l m n o p q r s t u v"], Tokenizer(ngrams=16))
def test_names_are_those_of_a_regular_expression(lines, tokenizer):
    chunk = tokenizer.tokens(lines)
    assert len(chunk) == len(lines)
    for t, line in enumerate(lines):
        expected = text_tokens(line.replace(b"\n", b" "), tokenizer.ngrams, tokenizer.characters, tokenizer.lower)
        assert names(chunk, t) == expected
        spans = slice(chunk.indptr[t], chunk.indptr[t + 1])
        assert chunk.keys[spans].tolist() == [hash_text(name) for name in expected]


@settings(max_examples=40)
@given(st.lists(texts, max_size=3), tokenizers, st.booleans())
def test_compiled_and_plain_python_bodies_agree(lines, tokenizer, labelled):
    data = np.frombuffer(b"".join(line.replace(b"\n", b"\t") + b"\n" for line in lines) + bytes(PADDING), np.uint8)
    low, high = tokenizer.characters or (0, 0)
    entries, results = 8 * len(data), []
    for body in (tokenise, tokenise.py_func):
        text, indptr = np.zeros(len(data) + PADDING, np.uint8), np.zeros(len(lines) + 1, np.int64)
        spans = np.zeros(entries, np.int64), np.zeros(entries, np.int32), np.zeros(entries, np.uint64)
        labels = np.zeros(len(lines), np.int32), np.zeros((len(lines), 2), np.int64), np.full(16, -1, np.int32)
        options = (labelled, tokenizer.lower, 0 if high else tokenizer.ngrams, low, high)
        ended = body(data, (0, len(data) - PADDING), options, (text, *spans, indptr, *labels))
        used = int(ended[3])
        results.append(
            (
                tuple(map(int, ended)),
                text[:used].tolist(),
                indptr.tolist(),
                *(part.tolist() for part in (*spans, *labels)),
            )
        )
    assert results[0] == results[1]


def test_bytes_that_are_no_utf_8_are_letters():
    chunk = Tokenizer().tokens([b"Gr\xf6\xdfe caf\xe9"])
    assert [*chunk[0]] == ["gr\udcf6\udcdfe", "caf\udce9"]


def test_a_text_is_one_row_whatever_lines_it_has_and_may_have_no_words():
    chunk = Tokenizer().tokens(["two\nlines\r\nhere", "", " .,! "])
    assert [[*chunk[t]] for t in range(3)] == [["two", "lines", "here"], [], []]


@pytest.mark.parametrize("text", [5, None, ["a"], "\ud800"], ids=repr)
def test_what_is_no_text_is_refused(text):
    with pytest.raises(BadInstance, match="a text"):
        Tokenizer().tokens([text])


@pytest.mark.parametrize(
    "options",
    [
        {"ngrams": 0},
        {"ngrams": 17},
        {"characters": (0, 2)},
        {"characters": (3, 2)},
        {"characters": (1, 17)},
        {"characters": (3,)},
        {"ngrams": 2, "characters": (2, 3)},
    ],
    ids=repr,
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(BadParameter, match=r"must be|not both"):
        Tokenizer(**options)
