"""Flags: the library's errors name its arguments; on a command line the same things are flags."""

import re
from collections.abc import Callable

FLAGS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"types=\{('[^']*'|\"[^\"]*\"): '(\w+)'\}"), lambda found: f"--types {unquote(found[1])}={found[2]}"),
    (re.compile(r"ignore=\[('[^']*'|\"[^\"]*\")\]"), lambda found: f"--ignore {unquote(found[1])}"),
    (re.compile(r"\blenient=True\b"), lambda found: "--force"),
    (re.compile(r"\blabelled=False\b"), lambda found: "--unlabelled"),
    (re.compile(r"\bcounts=False\b"), lambda found: "--binarize"),
    (re.compile(r"\bmany_classes=True\b"), lambda found: "--many-classes"),
    (re.compile(r"\btf_idf=True\b"), lambda found: "--tf-idf"),
    (re.compile(r"\bheader=True\b"), lambda found: "--header"),
    (re.compile(r"\bheader=False\b"), lambda found: "--no-header"),
    (re.compile(r"\b[A-Z]\w*\((\w+)=\.\.\.\)"), lambda found: f"--set {found[1]}=..."),
    (
        re.compile(r"(?:--expansion or )?\b(label|format|delimiter|expansion|ngrams|lower)=(?=[ ;,)]|$)"),
        lambda found: f"--{found[1]}",
    ),
)


def unquote(word: str) -> str:
    """A word as it is typed: without its quotes, unless there is a space in it."""
    return word if " " in word else word[1:-1]


def name_flags(message: str) -> str:
    """A message with flags in the place of arguments."""
    for pattern, write in FLAGS:
        message = pattern.sub(write, message)
    return message
