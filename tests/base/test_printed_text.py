"""Text that comes from data is shown so that it neither acts on a terminal nor breaks a line."""

import io
import json
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.printed_text import (
    PlainOutput,
    escape,
    escape_but_layout,
    fit,
    measure_width,
    pad,
    quote,
    quote_word,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("spam", "spam"),
        ("two words, é and 中", "two words, é and 中"),
        ("C:\\new", "C:\\new"),
        ("", '""'),
        ('"spam"', '"\\"spam\\""'),
        ("two\nlines", '"two\\nlines"'),
        ("a\\n\n", '"a\\\\n\\n"'),
        ("\x1b[31m", '"\\u001b[31m"'),
        ("\x7f\x9b\u2028\u202e", '"\\u007f\\u009b\\u2028\\u202e"'),
        ("\udcff", '"\\udcff"'),
    ],
)
def test_a_text_is_shown_as_it_is_or_as_a_json_string(text, shown):
    assert quote(text) == shown
    assert not shown.startswith('"') or json.loads(shown) == text


@given(st.text())
def test_escaping_leaves_valid_json_valid(text):
    told = json.dumps([text], ensure_ascii=False)
    assert json.loads(escape_but_layout(told)) == json.loads(escape(told)) == [text]


def test_a_stream_escapes_all_but_the_layout():
    behind = io.StringIO()
    stream = PlainOutput(behind)
    assert stream.write("a\tb\n\x1b[2J") == len("a\tb\n\x1b[2J")
    stream.writelines(["\r", "\u202e"])
    print("\x07", file=stream)
    assert behind.getvalue() == "a\tb\n\\u001b[2J\\r\\u202e\\u0007\n"
    assert stream.terminal is behind
    assert not hasattr(stream, "buffer")


def test_a_stream_escapes_what_its_encoding_does_not_have():
    behind = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    PlainOutput(behind).write("naïve 中\n")
    behind.flush()
    assert behind.buffer.getvalue() == b"na\\xefve \\u4e2d\n"


@pytest.mark.parametrize("word", ["plain", "two words", "it's", "\x1b[31m", "a\nb'c\\d", "é\x7f"])
def test_a_shell_reads_a_word_as_it_was(word):
    told = quote_word(word)
    assert escape(told) == told
    read = subprocess.run(["bash", "-c", f"printf %s {told}"], capture_output=True, check=True)
    assert read.stdout.decode() == word


def test_widths_are_those_of_a_terminal():
    assert [measure_width(text) for text in ("abc", "中文", "e\u0301", "")] == [3, 4, 1, 0]
    assert (pad("中", 4) + "|", pad("中", 4, right=True)) == ("中  |", "  中")
    assert (fit("short", 9), fit("far too long", 9), fit("中" * 9, 9)) == ("short", "far to...", "中中中...")
