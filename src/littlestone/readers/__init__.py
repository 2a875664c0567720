"""Readers: one data format a file. Bytes in, chunks out; they know nothing of learners."""

from littlestone.readers.csv import Csv
from littlestone.readers.format import Format
from littlestone.readers.svmlight import Svmlight
from littlestone.readers.text import Text

FORMATS: tuple[type[Format], ...] = (Svmlight, Text, Csv)
