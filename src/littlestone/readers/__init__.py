"""Readers: one data format a file. Bytes in, chunks out; they know nothing of learners."""

from littlestone.readers.format import Format
from littlestone.readers.svmlight import Svmlight

FORMATS: tuple[type[Format], ...] = (Svmlight,)
