"""Readers: one data format a file. Bytes in, chunks out; they know nothing of learners.

Each is imported when it is first asked for: one who reads svmlight does not wait for CSV.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from littlestone.base.lazy import import_lazily

if TYPE_CHECKING:
    from littlestone.readers.csv import Csv
    from littlestone.readers.format import Format
    from littlestone.readers.jsonl import Jsonl
    from littlestone.readers.parquet import Arrow, Parquet
    from littlestone.readers.svmlight import Svmlight
    from littlestone.readers.text import Text
    from littlestone.readers.vw import VowpalWabbit

__all__ = ["Arrow", "Csv", "Jsonl", "Parquet", "Svmlight", "Text", "VowpalWabbit", "list_formats"]

HOMES = {  # in the order in which they are asked; one that precedes another comes before it
    "Svmlight": "svmlight",
    "VowpalWabbit": "vw",
    "Text": "text",
    "Csv": "csv",
    "Jsonl": "jsonl",
    "Parquet": "parquet",
    "Arrow": "parquet",
}

__getattr__ = import_lazily("littlestone.readers", HOMES, tuple(HOMES))


def list_formats() -> "Iterator[type[Format]]":
    """Every format, one by one."""
    return map(__getattr__, HOMES)
