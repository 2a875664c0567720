"""Random documents of every format, read by us and by other readers of the same format: what they find is equal.

The others are scikit-learn (svmlight), Vowpal Wabbit itself, Python's csv and json modules, the vectorizer of
scikit-learn (text), and pyarrow (Parquet). Documents are legal but unusual: odd spacing, quotes, numbers in every
notation, empty rows, other line ends, names in any script. Some are tampered with afterwards: these may be refused by
either side, and are compared where both take them.

    python -m torture.documents 50000 [FORMAT ...]     reads so many of each; prints what was compared as JSON
"""

import csv
import io
import json
import random
import re
import sys
import warnings
from collections import Counter
from math import isclose

import numpy as np

import littlestone as ls
from littlestone.base.errors import BadData

LETTERS = "abcXYZ_=0123456789é漢ß"
ABSENT = ("", "?", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "None")  # cells that are missing
TAMPERED = 0.1  # of all documents
PIECES = ["\n", "\r\n", " ", "\t", ":", "|", ",", '"', "nan", "-", "#", "0", "e5", "\\", "}"]


def make_number(rng):
    """A number in one of many notations; float32 holds it with digits to spare, or it is rounded as by others."""
    value = rng.choice([rng.randint(-99, 99), rng.uniform(-100, 100), rng.uniform(-1, 1) * 10 ** rng.randint(-20, 20)])
    style = rng.choice(["{}", "{}", "{:.4f}", "{:.3e}", "{:+.2f}", "{:E}", "{:.9g}"])
    return style.format(value)


def make_name(rng):
    return "".join(rng.choices(LETTERS, k=rng.randint(1, 9)))


def end_lines(rng, lines):
    """The lines as a document, ended in one way or another."""
    end = rng.choice(["\n", "\n", "\r\n"])
    return end.join(lines) + (end if rng.random() < 0.8 else "")


def rows_of(text, format, **options):
    """The rounds that we read: (label, row) with rows as dictionaries."""
    found = []
    for chunk in ls.read(io.BytesIO(text), format, threads=1, **options).chunks():
        for t, label in enumerate(chunk.labels.tolist()):
            row = chunk[t]
            if not isinstance(row, dict):
                indices = range(len(row.values)) if row.indices is None else row.indices.tolist()
                values = [1.0] * len(indices) if row.values is None else row.values.tolist()
                row = dict(zip(indices, values, strict=True))
            found.append((label, row))
    return found


def without_zeros(row):
    return {name: value for name, value in row.items() if value != 0}


class Svmlight:
    """scikit-learn reads labels and values as we do, but in float64."""

    def make(self, rng):
        lines = []
        for _ in range(rng.randint(1, 5)):
            numbers = sorted(rng.sample(range(1, 2000), rng.randint(0, 6)))
            gap = rng.choice([" ", " ", "  "])
            line = gap.join([make_number(rng), *(f"{k}:{make_number(rng)}" for k in numbers)])
            lines.append(line + rng.choice(["", "", " ", " # note", " #"]))
            lines += rng.choice([[], [], [""], ["# only a comment"]])
        return end_lines(rng, lines)

    def ours(self, text):
        return [(float(label), without_zeros(row)) for label, row in rows_of(text.encode(), "svmlight")]

    def theirs(self, text):
        from sklearn.datasets import load_svmlight_file

        X, y = load_svmlight_file(io.BytesIO(text.encode()), zero_based=True, n_features=2**31 - 1)
        X.sum_duplicates()
        with np.errstate(over="ignore", under="ignore"):
            rows = [dict(zip(row.indices.tolist(), np.float32(row.data).tolist(), strict=True)) for row in X]
        return [(float(label), without_zeros(row)) for label, row in zip(y, rows, strict=True)]


class VowpalWabbit:
    """The program itself; names are compared by their hashes, which it computes.

    It keeps labels as float32, and reads decimals to six digits or so: its numbers are compared with some slack.
    """

    slack = 1e-6

    def __init__(self):
        import vowpalwabbit

        self.program = vowpalwabbit.Workspace(quiet=True, noconstant=True, strict_parse=True)

    def make(self, rng):
        lines = []
        for _ in range(rng.randint(1, 3)):
            numbers = [rng.choice(["1", "-1", "0.5", "+2", "1e1"]), *rng.choice([[], ["1"], ["2.5"], ["0.25", "0"]])]
            text = " ".join(numbers) + " " + rng.choice(["", "", "'tag", "'", "tag"])
            for _ in range(rng.randint(1, 3)):
                name = rng.choice(["", make_name(rng)])
                values = ["", "", f":{rng.uniform(-9, 9):.3f}"]
                words = [make_name(rng) + rng.choice(values) for _ in range(rng.randint(0, 5))]
                scale = f":{rng.randint(1, 5)}" if name and words and rng.random() < 0.3 else ""
                text += "|" + name + scale + "".join(rng.choice([" ", "  "]) + word for word in words)
            lines.append(text + rng.choice(["", " "]))
        return end_lines(rng, lines)

    def ours(self, text):
        hashed = []
        for label, row in rows_of(text.encode(), "vw"):
            features = Counter()
            for name, value in row.items():
                space, hat, own = name.rpartition("^")
                key = self.program.hash_feature(own, self.program.hash_space(space if hat else " "))
                features[key] += value
            with np.errstate(over="ignore"):
                hashed.append((float(np.float32(label)), without_zeros(features)))
        return hashed

    def theirs(self, text):
        found = []
        for line in re.split(r"\r?\n", text):
            if not line.strip():
                continue
            example = self.program.example(line)
            features = Counter()
            for space in range(example.num_namespaces()):
                for k in range(example.num_features_in(space)):
                    features[example.feature(space, k)] += example.feature_weight(space, k)
            found.append((example.get_simplelabel_label(), without_zeros(features)))
            self.program.finish_example(example)
        return found


class Csv:
    """Python's csv module for the cells; what a cell then means, a number, a word or nothing, is said here again."""

    def __init__(self, words):
        self.words = words

    def make(self, rng):
        width = rng.randint(1, 4)
        lines = [[*(f"col{j}" for j in range(width)), "label"]]
        for _ in range(rng.randint(2, 6)):
            cells = [self.make_cell(rng) if self.words and j % 2 == 0 else make_number(rng) for j in range(width)]
            lines.append([*cells, f"class{rng.randint(0, 2)}"])
        file = io.StringIO()
        delimiter = rng.choice([",", ",", ";", "\t"])
        end = rng.choice(["\n", "\r\n"])
        quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]) if self.words else csv.QUOTE_MINIMAL
        csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(lines)
        return file.getvalue() if rng.random() < 0.8 else file.getvalue().removesuffix(end)

    def make_cell(self, rng):
        return "w" + rng.choice([make_name(rng), 'q"q', "a,b", "two words", "line\nend", ""])

    def ours(self, text):
        rows = rows_of(text.encode(), "csv", header=True)
        return [(label, {str(name): value for name, value in without_zeros(row).items()}) for label, row in rows]

    def theirs(self, text):
        head = next(line for line in text.splitlines() if line)
        delimiter = max(",;\t", key=head.count)
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        if '"' in text and any(cell != cell.strip(" ") for row in table for cell in row):
            raise ValueError(
                "spaces outside quotes are dropped, those inside are kept: this module does not tell which"
            )
        names, *table = [[cell.strip(" ") for cell in row] for row in table if row]
        if any(len(row) != len(names) for row in table):
            raise ValueError("rows of different lengths")
        found = []
        numeric = [all(is_numeral(row[j]) for row in table) for j in range(len(names) - 1)]
        for *cells, label in table:
            row = {}
            for j, cell in enumerate(cells):
                if cell in ABSENT:
                    continue
                with np.errstate(over="ignore", under="ignore"):
                    value = float(np.float32(float(cell))) if numeric[j] else 1.0
                name = names[j] if numeric[j] else f"{names[j]}={cell}"
                row[str(j) if all(numeric) else name] = value
            found.append((label, without_zeros(row)))
        return found


def is_numeral(cell):
    return cell in ABSENT or re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell) is not None


class Jsonl:
    """Python's json module, and the rule for members that the page of the format states."""

    def make(self, rng):
        lines = []
        for _ in range(rng.randint(1, 4)):
            record = {"label": rng.choice(["yes", "no"])}
            for _ in range(rng.randint(0, 5)):
                record[make_name(rng)] = self.make_member(rng)
            separators = rng.choice([(",", ":"), (", ", ": "), (" , ", " : ")])
            lines.append(json.dumps(record, ensure_ascii=rng.random() < 0.5, separators=separators))
        return end_lines(rng, lines)

    def make_member(self, rng, deep=True):
        kinds = [
            lambda: rng.randint(-99, 99),
            lambda: rng.uniform(-10, 10),
            lambda: make_name(rng),
            lambda: rng.choice([True, False, None]),
            lambda: [rng.uniform(-1, 1) for _ in range(rng.randint(0, 3))],
            lambda: [f"{k}{make_name(rng)}" for k in range(rng.randint(0, 3))],
        ]
        if deep:
            kinds.append(
                lambda: {f"{k}{make_name(rng)}": self.make_member(rng, False) for k in range(rng.randint(0, 2))}
            )
        return rng.choice(kinds)()

    def ours(self, text):
        return [(label, without_zeros(row)) for label, row in rows_of(text.encode(), "jsonl", label="label")]

    def theirs(self, text):
        found = []
        for line in text.split("\n"):
            if line.strip():
                record = json.loads(line)
                label = record.pop("label")
                found.append((label, without_zeros(dict(self.flatten(record)))))
        return found

    def flatten(self, record, before=""):
        for name, value in record.items():
            if isinstance(value, dict):
                yield from self.flatten(value, f"{before}{name}.")
            elif isinstance(value, list):
                for k, one in enumerate(value):
                    yield (
                        (f"{before}{name}={one}", 1.0)
                        if isinstance(one, str)
                        else (f"{before}{name}.{k}", round32(one))
                    )
            elif isinstance(value, str):
                yield f"{before}{name}={value}", 1.0
            elif value is not None:
                yield f"{before}{name}", round32(value)


def round32(value):
    return float(np.float32(value))


class Text:
    """scikit-learn's vectorizer with a pattern that splits words as ours are split."""

    def __init__(self):
        from sklearn.feature_extraction.text import CountVectorizer

        self.split = CountVectorizer(token_pattern=r"\w+", lowercase=True).build_analyzer()

    def make(self, rng):
        lines = []
        for _ in range(rng.randint(1, 4)):
            words = [
                rng.choice([make_name(rng).replace("_", "").replace("=", ""), "Don", "FREE", "80086", "x"])
                for _ in range(6)
            ]
            gaps = [rng.choice([" ", ", ", ": ", "! ", "  ", " - "]) for _ in words]
            lines.append(rng.choice(["ham", "spam"]) + "\t" + "".join(w + g for w, g in zip(words, gaps, strict=True)))
        return end_lines(rng, lines)

    def ours(self, text):
        found = []
        for chunk in ls.read(io.BytesIO(text.encode()), "text", threads=1).chunks():
            found += [(label, dict(row)) for label, row in zip(chunk.labels.tolist(), chunk, strict=True)]
        return found

    def theirs(self, text):
        found = []
        for line in re.split(r"\r?\n", text):
            if line.strip():
                label, _, body = line.partition("\t")
                found.append((label, {word: float(count) for word, count in Counter(self.split(body)).items()}))
        return found


class Parquet:
    """pyarrow's own table, cell by cell."""

    def make(self, rng):
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows, width = rng.randint(1, 8), rng.randint(1, 4)
        columns = {"label": pa.array([rng.choice(["yes", "no"]) for _ in range(rows)])}
        for j in range(width):
            kind = rng.choice(["float32", "float64", "int8", "int64", "bool", "string"])
            columns[f"col{j}"] = pa.array([self.make_cell(rng, kind) for _ in range(rows)], kind)
        file = io.BytesIO()
        codec = rng.choice(["none", "snappy", "gzip", "zstd"])
        pq.write_table(
            pa.table(columns),
            file,
            compression=codec,
            row_group_size=rng.randint(1, 8),
            use_dictionary=rng.random() < 0.5,
        )
        return file.getvalue()

    def make_cell(self, rng, kind):
        if rng.random() < 0.1:
            return None
        if kind.startswith("float"):
            return float(np.float32(rng.uniform(-9, 9)))
        return {"bool": rng.random() < 0.5, "string": make_name(rng)}.get(kind, rng.randint(-99, 99))

    def ours(self, data):
        return [(label, without_zeros(row)) for label, row in rows_of(data, "parquet")]

    def theirs(self, data):
        import pyarrow.parquet as pq

        table = pq.read_table(io.BytesIO(data), use_threads=False)
        names = [name for name in table.column_names if name != "label"]
        words = {name for name in names if str(table.schema.field(name).type) == "string"}
        found = []
        for record in table.to_pylist():
            label, row = record.pop("label"), {}
            for j, name in enumerate(names):
                value = record[name]
                if value is not None and name in words:
                    row[f"{name}={value}"] = 1.0
                elif value is not None:
                    row[name if words else j] = float(value)
            found.append((label, without_zeros(row)))
        return found


FORMATS = {
    "svmlight": Svmlight,
    "vw": VowpalWabbit,
    "csv": lambda: Csv(words=False),
    "csv of words": lambda: Csv(words=True),
    "jsonl": Jsonl,
    "text": Text,
    "parquet": Parquet,
}


def tamper(rng, document):
    """The document with a piece put in, or a few characters taken out."""
    if isinstance(document, bytes):
        return document
    at = rng.randrange(len(document) + 1)
    return document[:at] + rng.choice(PIECES) + document[at + rng.randint(0, 2) :]


def agree(ours, theirs, slack=0.0):
    """Whether two readers found the same rounds; values that were summed in another order may differ a little."""
    if len(ours) != len(theirs):
        return False
    for (label, row), (their_label, their_row) in zip(ours, theirs, strict=True):
        same = label == their_label or (slack and isclose(label, their_label, rel_tol=slack))
        if not same or row.keys() != their_row.keys():
            return False
        if not all(isclose(value, their_row[name], rel_tol=1e-6, abs_tol=slack) for name, value in row.items()):
            return False
    return True


def compare(name, count, seed=0):
    """Read so many documents of a format in both ways: how they went, and the first that differ."""
    peer, rng, tally, differing = FORMATS[name](), random.Random(f"{name} {seed}"), Counter(), []
    for _ in range(count):
        document, tampered = peer.make(rng), rng.random() < TAMPERED
        if tampered:
            document = tamper(rng, document)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours, theirs = attempt(peer.ours, document), attempt(peer.theirs, document)
        if ours is None or theirs is None:
            tally["refused by us" if ours is None else "refused by the other"] += 1
            if not tampered:
                differing.append(repr(document)[:400])
        elif agree(ours, theirs, getattr(peer, "slack", 0.0)):
            tally["equal"] += 1
        else:
            differing.append(repr([document, ours, theirs])[:800])
    return dict(tally), differing


def attempt(reader, document):
    """What a reader finds; None if it refuses the document."""
    try:
        return reader(document)
    except (BadData, ValueError, RuntimeError, KeyError, TypeError, AttributeError, csv.Error, IndexError):
        return None


def main(count, *names):
    for name in names or FORMATS:
        tally, differing = compare(name, int(count))
        print(json.dumps({name: tally, "differing": differing[:20]}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
