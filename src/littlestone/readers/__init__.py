"""Readers: one data format a file. Bytes in, chunks out; they know nothing of learners."""

from littlestone.readers.csv import Csv
from littlestone.readers.format import Format
from littlestone.readers.jsonl import Jsonl
from littlestone.readers.parquet import Arrow, Parquet
from littlestone.readers.svmlight import Svmlight
from littlestone.readers.text import Text
from littlestone.readers.vw import VowpalWabbit

FORMATS: tuple[type[Format], ...] = (Svmlight, VowpalWabbit, Text, Csv, Jsonl, Parquet, Arrow)
