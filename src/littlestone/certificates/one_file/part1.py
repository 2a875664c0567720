#!/usr/bin/env python3
"""Verify a certificate of Littlestone against its data, with Python's standard library and nothing else.

    python littlestone_verify.py certificate.json data.svm

The run is played again operation by operation in IEEE floats, the theorem is checked in fractions. One line is printed;
the exit status is 0 if the certificate is true of the data, 1 if it is not, and 2 if it is not covered here or the data
cannot be read. What is not known is never accepted. docs/certificate-format.md, version 2, says what each part means.

Data are svmlight, CSV, label<TAB>text, or the lines that `littlestone rounds DATA` writes. Covered are: Perceptron,
AveragedPerceptron, VotedPerceptron, AggressivePerceptron, PassiveAggressive, Alma, Romma, networks of the first two and
of PassiveAggressive, Winnow, BalancedWinnow, Halving, RandomizedHalving, Consistent, StandardOptimal, Elimination,
Closure, Memorizer, Conservative over these, WeightedMajority, RandomizedWeightedMajority, ImprovedMajority,
FollowTheLeader, Hedge, AdaHedge, FixedShare and Aggregating.
"""

import ast
import csv
import hashlib
import io
import json
import math
import re
import struct
import sys
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import product
from math import floor, inf, isqrt, sqrt

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class Refused(Exception):
    """The certificate is not true of the data."""


class NotCovered(Exception):
    """It may be true: this program does not know."""


def need(condition, why):
    """Refuse a certificate unless a condition holds."""
    if not condition:
        raise Refused(why)


# ---------------------------------------------------------------------------------------------- the certificate itself

FIELDS = ["theorem", "promise", "counts", "mistakes", "updates", "bound", "witness", "scope", "exact", "count", "rounds"]
FIELDS += ["learner", "stream", "updated", "marks", "version", "slack", "holds", "digest"]


class Certificate:
    """The fields of a certificate, each of the kind that it must be."""

    def __init__(self, text):
        record = json.loads(text, object_pairs_hook=_read_object, parse_constant=_refuse_constant)
        need(type(record) is dict, "a certificate is one JSON object")
        if record.get("version") in (None, 1) and type(record.get("version")) is not bool:
            raise NotCovered("it is of a version before 2: littlestone convert-certificate makes one of version 2 of it")
        need(type(record.get("version")) is int and record["version"] == 2, f"no version is {record.get('version')!r}")
        further = set(record) - set(FIELDS)
        need(set(FIELDS) <= set(record) and further <= {"rows", "columns"}, f"its fields are {sorted(record)}")
        digest = record.pop("digest")
        need(digest == hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest(), "its digest is another's")
        claimed = {name: record.pop(name) for name in ("slack", "holds")}
        for name in ("bound", "count"):
            record[name] = _read_number(record[name], name == "count")
        self.rows = self.columns = None
        self.__dict__.update(record)
        words = (self.theorem, self.promise, self.counts, self.stream)
        known = all(type(word) is str for word in words) and type(self.exact) is bool and type(self.learner) is dict
        known = known and self.scope in ("sequence", "expectation", "iid", "class")
        known = known and all(told is None or type(told) is dict for told in (self.rows, self.columns))
        known = known and type(self.updated) is type(self.marks) is list
        whole = (self.mistakes, self.updates, self.rounds, *self.updated, *self.marks)
        need(known and all(type(k) is int and k >= 0 for k in whole), "a field is not what it should be")
        rising = all(a < b for a, b in zip([-1, *self.updated], [*self.updated, self.rounds]))
        need(rising, "the update rounds are not listed in order")
        slack = self.bound - self.counted
        if isinstance(slack, Fraction):
            slack = int(slack) if slack.denominator == 1 else str(slack)
        need(claimed == {"slack": slack, "holds": self.counted <= self.bound}, "slack and holds do not follow")
        if self.rows is not None:
            form, width, kind = (self.rows[name] for name in ("form", "width", "values"))
            known = form in ("listed", "dense") and kind in ("float32", "float64", "ones") and len(self.rows) == 3
            known = known and type(width) is int and 0 <= width < 2**31 and (form == "dense" or width == 0)
            need(known, f"no rows are held as {self.rows}")

    @property
    def counted(self):
        """What the bound is about."""
        if self.count is not None:
            return self.count
        return self.updates if self.counts == "updates" else self.mistakes

    def require(self, **expected):
        """Refuse fields that are not exactly these."""
        for name, ours in expected.items():
            theirs = getattr(self, name)
            same = theirs == ours and {type(theirs), type(ours)} not in ({int, bool}, {int, float}, {Fraction, float})
            need(same, f"{name} is {_shorten(ours)}, not {_shorten(theirs)}")


def _shorten(value):
    text = repr(value)
    return text if len(text) < 100 else text[:96] + " ..."


def _read_object(pairs):
    record = dict(pairs)
    need(len(record) == len(pairs), "it says something twice")
    return record


def _refuse_constant(name):
    raise Refused(f"{name} is not a number")


def _read_number(value, optional=False):
    """An integer, a float or a fraction such as "13/12"."""
    if isinstance(value, str):
        top, _, bottom = value.partition("/")
        plain = value.isascii() and (top[1:] if top[:1] == "-" else top).isdigit() and bottom.isdigit()
        need(plain and str(Fraction(int(top), int(bottom))) == value, f"{value[:40]!r} is not a fraction in lowest terms")
        return Fraction(int(top), int(bottom))
    need(type(value) in (int, float) or (optional and value is None), f"{value!r} is not a number")
    return value


def require_words(record, known, further=()):
    """Refuse what is no record of the known words: nothing would check what it says more."""
    fits = type(record) is dict and set(known) <= set(record) <= set(known) | set(further)
    need(fits, f"a record has not the words {sorted(known)}")


# ------------------------------------------------------------------------------------------------------------- the data


class Round:
    """A label, and either the entries of a row, pairs of attribute and value in their order, or an instance."""

    __slots__ = ("entries", "instance", "label")

    def __init__(self, label, entries=None, instance=None):
        self.label, self.entries, self.instance = label, entries, instance


class BadData(Exception):
    """Data that cannot be read."""


def wants(condition, why):
    if not condition:
        raise BadData(why)


_FLOAT32 = struct.Struct("<f")


def round32(x):
    """The nearest float32, which of a sum, product, quotient or root in float64 is the one of the exact result."""
    try:
        return _FLOAT32.unpack(_FLOAT32.pack(x))[0]
    except OverflowError:
        return math.copysign(inf, x)


def same(x):
    return x


def decimal32(text):
    """A decimal number rounded once, straight to float32."""
    near = round32(float(text))
    exact = Fraction(Decimal(text))
    bits = struct.unpack("<i", _FLOAT32.pack(near))[0]
    best = near
    for step in (-1, 1):
        try:
            other = struct.unpack("<f", struct.pack("<i", bits + step))[0]
        except struct.error:
            continue
        if math.isfinite(other) and math.isfinite(near):
            gap, old = abs(Fraction(other) - exact), abs(Fraction(best) - exact)
            if gap < old or (gap == old and bits % 2):
                best = other
    return best


NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
PLAIN = re.compile(NUMBER)
SHORT = re.compile(r"[+-]?[0-9]{0,7}\.?[0-9]{0,7}")


def read_value(text):
    """A decimal number as a float32."""
    wants(PLAIN.fullmatch(text), f"{text[:40]!r} is no number")
    if SHORT.fullmatch(text):  # fewer than 15 digits: a double is near enough unless it lies in the middle of two floats
        double = float(text)
        value = round32(double)
        if value == double or (struct.unpack("<q", struct.pack("<d", double))[0] & 0x1FFFFFFF) not in (0x10000000,):
            return value
    value = decimal32(text)
    wants(math.isfinite(value), f"{text[:40]!r} is beyond float32")
    return value


def read_label(text):
    """A number as svmlight labels are: whole ones as integers."""
    wants(PLAIN.fullmatch(text), f"the label {text[:40]!r} is no number")
    value = float(text)
    wants(math.isfinite(value), f"the label {text[:40]!r} is beyond float64")
    return value


def whole_labels(rounds, written):
    """Labels that are all whole numbers become integers, as they are written."""
    if all(one.label == int(one.label) for one in rounds):
        for one, text in zip(rounds, written):
            one.label = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else int(one.label)
    return rounds


def add_duplicates(entries):
    """Entries in ascending order; values of one attribute are summed in float32 as they come."""
    sums = {}
    for attribute, value in entries:
        sums[attribute] = round32(sums[attribute] + value) if attribute in sums else value
    return sorted(sums.items())


def read_svmlight(data):
    """label index:value ... # comment"""
    rounds, written = [], []
    for number, line in enumerate(data.decode("latin-1").split("\n"), 1):
        words = line.split("#")[0].replace("\r", " ").replace("\t", " ").split(" ")
        words = [word for word in words if word]
        if not words:
            continue
        entries, last, ascending = [], -1, True
        for place, word in enumerate(words[1:]):
            if place == 0 and re.fullmatch("qid:[0-9]+", word):
                continue
            index, colon, value = word.partition(":")
            wants(colon and index.isdigit() and index.isascii() and int(index) < 2**31, f"line {number}: {word[:40]!r}")
            entries.append((int(index), read_value(value)))
            ascending, last = ascending and int(index) > last, int(index)
        rounds.append(Round(read_label(words[0]), entries if ascending else add_duplicates(entries)))
        written.append(words[0])
    return whole_labels(rounds, written)


MISSING = ("", "?", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "None")


def read_csv(data, columns):
    """A table whose columns the certificate names: attributes `column` with a number, or `column=cell`."""
    if columns is None:
        raise NotCovered("the certificate does not say what the columns are: littlestone rounds writes the data plainly")
    kinds, label = dict(map(tuple, columns["kinds"])), columns["label"]
    if set(kinds.values()) & {"text", "date", "other"} or columns["optional"]:
        raise NotCovered("columns of texts or dates: littlestone rounds writes the data plainly")
    wants(b"\0" not in data, "a byte 0 is no text")
    text = data.decode("utf-8", "surrogateescape")
    text = text[1:] if text.startswith("\ufeff") else text
    first = text.split("\n", 1)[0]
    names = [name for name, _ in columns["kinds"]] + [label]
    delimiter = max(",;\t", key=lambda mark: (len(next(csv.reader([first], delimiter=mark))), mark == ","))
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    table = [[cell.strip(" ") for cell in row] for row in table if row]
    header = [name or f"c{j}" for j, name in enumerate(table[0])]
    if set(names) & set(header) and not set(names) <= {f"c{j}" for j in range(len(header))}:
        table = table[1:]
    else:
        header = [f"c{j}" for j in range(len(header))]
    wants(len(set(header)) == len(header) and set(names) <= set(header), f"the columns are {header[:8]}")
    dense = all(kind in ("number", "ignore") for kind in kinds.values())
    used = [name for name, kind in columns["kinds"] if kind != "ignore"]
    order = used if dense else [name for name in header if name in used]
    numbers, rounds, written = {}, [], []
    for row in table:
        wants(len(row) == len(header), f"a record has {len(header)} cells, got {len(row)}")
        cells = dict(zip(header, row))
        wants(cells[label] not in MISSING, "a label is missing")
        entries = []
        for j, name in enumerate(order):
            cell, nominal = cells[name], kinds[name] != "number"
            if cell in MISSING:
                continue
            value = 1.0 if nominal else read_value(cell)
            if value == 0:
                continue
            key = f"{name}={cell}" if nominal else name
            entries.append((j if dense else numbers.setdefault(key, len(numbers)), value))
        rounds.append(Round(cells[label] if columns["label_kind"] != "number" else read_label(cells[label]), entries))
        written.append(cells[label])
    return whole_labels(rounds, written) if columns["label_kind"] == "number" else rounds


WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]+")
MASK, BITS = 2**64 - 1, 22


def hash_word(word, salt=None):
    """64 bits for a word: eight bytes at a time, an exclusive or, a product and a fold; the length at the end."""
    groups = [int.from_bytes(word[at : at + 8], "little") for at in range(0, len(word), 8)]
    hashed = 0x9E3779B97F4A7C15
    for group in [*groups, len(word), 0]:
        hashed = _mix_in(hashed, group)
    return hashed if salt is None else _mix_in(hashed ^ salt, 0)


def _mix_in(hashed, group):
    mixed = (hashed ^ group) * 0xD6E8FEB86659FD93 & MASK
    return mixed ^ (mixed >> 32)


def read_texts(data):
    """label<TAB>text: the words of a text, small letters in ASCII, hashed into 2^22 attributes."""
    rounds, slots, salt = [], {}, hash_word(bytes(8))
    for line in data.split(b"\n"):
        line = line[:-1] if line.endswith(b"\r") else line
        if not line:
            continue
        label, tab, text = line.partition(b"\t")
        wants(tab and label, "a line is a label, a TAB and a text")
        counts = {}
        for word in WORD.findall(text.lower()):
            if word not in slots:
                slots[word] = hash_word(word, salt) >> (64 - BITS)
            counts[slots[word]] = counts.get(slots[word], 0.0) + 1.0
        rounds.append(Round(label.decode("utf-8", "surrogateescape"), list(counts.items())))
    return rounds


def read_dyadic(text):
    """A whole number, or mpe for m times 2^e."""
    if text == "nan":
        return math.nan
    wants(len(text) < 32 and re.fullmatch("-?[0-9]+(p-?[0-9]+)?", text), f"{text[:40]!r} is no dyadic number")
    top, _, power = text.partition("p")
    value = math.ldexp(int(top), int(power or 0))
    wants(Fraction(value) == Fraction(int(top)) * Fraction(2) ** int(power or 0), f"{text!r} is no float")
    return value


def read_lines(data):
    """What `littlestone rounds` writes."""
    lines, rounds, known = data.decode("utf-8").split("\n"), [], {}
    wants(lines.pop() == "", "the last line has no end")
    for line in lines[1:]:
        label, tab, rest = line.partition("\t")
        wants(tab, "a round is a label, a TAB and a row")
        label = json.loads(label)
        wants(type(label) in (str, int, float, bool), f"no label is {label!r}")
        if rest.startswith("="):
            rounds.append(Round(label, instance=json.loads(rest[1:])))
            continue
        entries = []
        for entry in rest.split(" ") if rest else ():
            attribute, _, value = entry.partition(":")
            wants(attribute.isdigit() and attribute.isascii() and int(attribute) < 2**31, f"no entry is {entry[:40]!r}")
            if value not in known:
                known[value] = read_dyadic(value)
            entries.append((int(attribute), known[value]))
        rounds.append(Round(label, entries))
    return rounds


def read_data(name, data, certificate):
    """The rounds of a file, by its first line or its name."""
    if data.startswith(b"littlestone rounds "):
        wants(data.startswith(b"littlestone rounds 2\n"), "rounds of another version")
        return read_lines(data)
    if certificate.columns is not None or name.endswith((".csv", ".tsv", ".tab")):
        return read_csv(data, certificate.columns)
    if name.endswith((".svm", ".svmlight", ".libsvm")):
        return read_svmlight(data)
    if name.endswith(".txt"):
        return read_texts(data)
    raise NotCovered(f"{name} is read as .svm, .csv, .txt or what littlestone rounds writes")


# ---------------------------------------------------------------------------------------------- labels and fingerprints

NEGATIVE, POSITIVE = (False, -1), (True,)  # 0 is equal to False, and 1 to True


def number_labels(labels, declared, limit):
    """Class numbers, and how many classes must be told apart: False, 0 and -1 are 0, True and 1 are 1, others in turn."""
    need(type(declared) is list and len(declared) <= limit, f"no classes are {declared!r}")
    names = dict(enumerate(declared))
    numbers = {name: number for number, name in names.items()}
    need(len(names) == len(numbers), "declared classes must differ from one another")
    closed, out = bool(names), []
    for label in labels:
        if label not in numbers:
            usual = 0 if label in NEGATIVE else 1 if label in POSITIVE else None
            if closed:
                need(list(names.values()) == [False, True] and usual is not None, f"no declared class is {label!r}")
                number = usual
            else:
                taken = len(names)
                free = next(k for k in (0, taken - 1, taken) if k >= 0 and k not in names)
                number = usual if usual is not None and usual not in names else free
            need(number < limit, f"{label!r} is one class too many")
            numbers[label] = number
            names.setdefault(number, label)
        out.append(numbers[label])
    return out, max(2, 1 + max(names, default=0))


def is_surprise(rounds, declared):
    """Whether no guess can have meant the first label."""
    return bool(rounds) and not declared and rounds[0].label not in NEGATIVE and rounds[0].label not in POSITIVE


def write_text(instance):
    return json.dumps(instance, separators=(",", ":"), allow_nan=False)


def fingerprint(rows, codes):
    """One SHA-256 over the bytes of all rounds; rows are entries or instances, codes class numbers or outcomes."""
    whole = hashlib.sha256(b"littlestone rounds 2\n")
    for row, code in zip(rows, codes):
        flag, form = (4, "d") if isinstance(code, float) else (0, "q")
        if not isinstance(row, list):
            text = write_text(row).encode()
            whole.update(struct.pack("<II" + form, 3 + flag, len(text), code) + text)
            continue
        row = [entry for entry in row if entry[1] != 0]
        values = [value for _, value in row]
        kind = 0
        for value in values:
            if value != 1:
                kind = max(kind, 1 if value == round32(value) else 2)
        n = len(row)
        parts = struct.pack(f"<II{form}{n}I", kind + flag, n, code, *[attribute for attribute, _ in row])
        if kind:
            parts += struct.pack(f"<{n}{'f' if kind == 1 else 'd'}", *[math.nan if v != v else v for v in values])
        whole.update(parts)
    return whole.hexdigest()


class Game:
    """The rounds that a certificate speaks of: rows, class numbers, and what must be known before the first one."""

    def __init__(self, certificate, rounds, limit):
        need(len(rounds) >= certificate.rounds, f"the data have {len(rounds)} rounds, not {certificate.rounds}")
        rounds = rounds[: certificate.rounds]
        self.declared = certificate.learner.get("classes", [])
        self.codes, self.classes = number_labels([one.label for one in rounds], self.declared, limit)
        self.surprise = is_surprise(rounds, self.declared)
        need(all(one.entries is not None for one in rounds), "the rounds are not rows of attributes")
        self.entries = [one.entries for one in rounds]
        digest = fingerprint(self.entries, self.codes)
        need(digest == certificate.stream, "the rounds are not those of the certificate")
        self.met = max(2, len(self.declared))  # classes known before the first round

    def arrange(self, rows, real):
        """Rows as the run held them, values in a type: the attributes and the values of each."""
        if rows is None:
            raise NotCovered("its rows came in several forms: such a run is not played again here")
        width = rows["width"]
        for entries in self.entries:
            if rows["form"] == "dense":
                filled = [0.0] * width
                for attribute, value in entries:
                    if value != 0:
                        need(attribute < width, f"a row has more than {width} attributes")
                        filled[attribute] = real(value)
                yield range(width), filled
            else:
                yield [attribute for attribute, _ in entries], [real(value) for _, value in entries]
