"""Printed text: text that comes from data or file names, shown so that it neither acts on a terminal nor breaks a line.

A label, a name or a path that holds no such characters is shown as it is; any other is a JSON string, so that what was
shown can be read back. What a command writes goes through `PlainOutput`, which escapes whatever got past that.

>>> print(quote("spam"), quote("two\\nlines"), quote("\\x1b[31mred"))
spam "two\\nlines" "\\u001b[31mred"
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from itertools import islice
from typing import Any

# Controls (C0, DEL, C1), separators of lines, what turns the direction of writing, and halves of characters.
_OTHERS = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
ACTIVE = re.compile(f"[\x00-\x1f{_OTHERS}]")
ACTIVE_BUT_LAYOUT = re.compile(f"[\x00-\x08\x0b-\x1f{_OTHERS}]")  # tabs and ends of lines stay


def escape(text: str) -> str:
    """The text in one line: active characters as JSON escapes them."""
    return ACTIVE.sub(_escape_one, text)


def escape_but_layout(text: str) -> str:
    """Text of several lines and columns with every other active character as JSON escapes it."""
    return ACTIVE_BUT_LAYOUT.sub(_escape_one, text)


def _escape_one(found: re.Match[str]) -> str:
    text = json.dumps(found[0])[1:-1]
    return text if text.startswith("\\") else f"\\u{ord(text):04x}"  # JSON itself leaves DEL as it is


def quote(value: Any) -> str:
    """A label, name or path as it is; as a JSON string if it is empty, begins like one or holds active characters."""
    text = str(value)
    if text and text[0] != '"' and not ACTIVE.search(text):
        return text
    return escape('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


def quote_word(word: str) -> str:
    """A word of a command line as a shell reads it, in one line."""
    from shlex import quote as quote_for_shell

    if not ACTIVE.search(word):
        return quote_for_shell(word)
    return "$'" + escape(word.replace("\\", "\\\\").replace("'", "\\'")) + "'"


def measure_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_measure_one(character) for character in text)


def _measure_one(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def fit(text: str, width: int) -> str:
    """The text if it takes no more columns than that, or else as much of its beginning as does, and three dots."""
    if measure_width(text) <= width:
        return text
    kept = 0
    left = width - 3
    while kept < len(text) and (left := left - _measure_one(text[kept])) >= 0:
        kept += 1
    return text[:kept] + "..."


def pad(text: str, width: int, right: bool = False) -> str:
    """The text with spaces up to a width, after it or, to put it at the right, before it."""
    spaces = " " * (width - measure_width(text))
    return spaces + text if right else text + spaces


class PlainOutput:
    """A stream of text in which active characters are escaped; `terminal` is the one behind it."""

    def __init__(self, terminal: Any) -> None:
        self.terminal = terminal

    def write(self, text: str) -> int:
        """Write a text; what the terminal's encoding does not have is escaped too."""
        plain = escape_but_layout(text)
        try:
            self.terminal.write(plain)
        except UnicodeEncodeError:
            code = self.terminal.encoding
            self.terminal.write(plain.encode(code, "backslashreplace").decode(code))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write some texts, a few at a time."""
        left = iter(lines)
        while few := list(islice(left, 256)):
            self.write("".join(few))

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "terminal"):  # bytes would not be looked at
            raise AttributeError(name)
        return getattr(self.terminal, name)


def find_terminal(stream: Any) -> Any:
    """The stream behind a plain one, or the stream itself: for bars and tables that write escapes of their own."""
    return getattr(stream, "terminal", stream)
