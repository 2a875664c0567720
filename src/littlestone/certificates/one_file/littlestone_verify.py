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


# ----------------------------------------------------------------------------------------------------------- float runs

ONE_BY_ONE, QUARTERS, LANES, HALVES, FOURS = range(5)


def add_up(terms, order, real):
    """The sum of some terms in one of the orders of the format, every addition rounded."""
    n = len(terms)
    if order == QUARTERS:
        sums, whole = [0.0, 0.0, 0.0, 0.0], n - n % 4
        for k in range(whole):
            sums[k & 3] = real(sums[k & 3] + terms[k])
        for k in range(whole, n):
            sums[0] = real(sums[0] + terms[k])
        return real(real(sums[0] + sums[1]) + real(sums[2] + sums[3]))
    if order == LANES:
        lanes, whole, paired = [[0.0] * 16, [0.0] * 16], n - n % 16, n - n % 32
        for k in range(n):
            lane = lanes[(k // 16) % 2 if k < paired else 0 if k < whole else 1]
            lane[k % 16] = real(lane[k % 16] + terms[k])
        row, size = [real(a + b) for a, b in zip(*lanes)], 8
        while size:
            row, size = [real(row[k] + row[k + size]) for k in range(size)], size // 2
        return row[0]
    total = other = 0.0
    if order == HALVES:
        for k in range(0, n, 2):
            total = real(total + terms[k])
        for k in range(1, n, 2):
            other = real(other + terms[k])
        return real(total + other)
    first = 0
    while order == FOURS and first + 4 <= n:
        a, b = real(terms[first] + terms[first + 1]), real(terms[first + 2] + terms[first + 3])
        total, first = real(total + real(a + b)), first + 4
    for k in range(first, n):
        total = real(total + terms[k])
    return total


def divide(a, b):
    """A quotient of floats as IEEE has it."""
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(inf, a)
    return a / b


def ask_alma(known):
    alpha, margin = known["alpha"], known["margin"]
    return float((1 - alpha) * (sqrt(8) / alpha if margin is None else margin))


def find_threshold(known):
    """The agreement up to which a round may teach."""
    if known["name"] == "Alma":
        return inf if ask_alma(known) else 0.0
    if known["name"] == "Romma":
        return math.nextafter(1.0, 0.0) if known["aggressive"] else 0.0
    return float(known["margin"]) if "margin" in known else 0.0


def find_step(known, a, updates, length, q):
    """How far along y x a round steps, and by what all weights are multiplied before, in float64."""
    name = known["name"]
    if name in ("Perceptron", "AveragedPerceptron"):
        rate = float(known["rate"])
        return ((rate / sqrt(q) if q > 0 else 0.0) if known.get("normalized") else rate), 1.0
    if name == "VotedPerceptron":
        return 1.0, 1.0
    if not q > 0:
        return 0.0, 1.0
    if name == "AggressivePerceptron":
        copies = floor(-a / q) + 1.0
        return (copies if a + copies * q > 0 else copies + 1.0), 1.0
    if name == "PassiveAggressive":
        cap = float(known["aggressiveness"]) if known["variant"] == "I" else inf
        damping = 0.5 / known["aggressiveness"] if known["variant"] == "II" else 0.0
        return min(cap, (float(known["margin"]) - a) / (q + damping)), 1.0
    if name == "Alma":
        root, size = sqrt(updates + 1.0), sqrt(q)
        if a * root > ask_alma(known) * size:
            return 0.0, 1.0
        along = float(known["rate"]) / (root * size)
        after = length + 2.0 * along * a + along * along * q
        factor = 1.0 / sqrt(after) if after > 1 else 1.0
        return factor * along, factor
    p = q * length
    rest = p - a * a
    if p <= a or p * (p - 2.0 * a + 1.0) > 2.0**40 * rest:
        return 1.0 / q, 0.0
    return divide(length * (1.0 - a), rest), divide(p - a, rest)


class Run:
    """What a run did: mistakes, update rounds, a mark for each, and mistakes that moved nothing."""

    def __init__(self):
        self.mistakes = self.idle = 0
        self.updated, self.marks = [], []

    def note(self, number, wrong, mark):
        """Count a round; a mark of 0 says that nothing moved."""
        self.mistakes += wrong
        self.idle += wrong and not mark
        if mark:
            self.updated.append(number)
            self.marks.append(mark)

    def require_same(self, certificate, marked):
        """Refuse counts that are not those of the run."""
        need(certificate.mistakes == self.mistakes, f"the run makes {self.mistakes} mistakes, not {certificate.mistakes}")
        for k, (ours, theirs) in enumerate(zip(self.updated, certificate.updated)):
            need(ours == theirs, f"update {k} of the run is round {ours}, not {theirs}")
        many = len(self.updated)
        need(many == len(certificate.updated) == certificate.updates, f"the run makes {many} updates")
        need(certificate.marks == (self.marks if marked else []), "its marks are not those of the run")


def play_unit(known, game, rows, scaled):
    """Play a learner of two classes again, in its own floats."""
    short = known["real"] == "float32" and not scaled
    mixed, dense, spaced = short and rows["values"] == "float64", rows["form"] == "dense", "Averaged" in known["name"]
    if mixed and dense and not spaced:
        raise NotCovered("dense rows of float64 with weights of float32 are not played again")
    weight, value = (round32 if short else same), (round32 if short and not mixed else same)
    alike = rows["values"] == ("float32" if short else "float64")
    order = QUARTERS if spaced or not dense else LANES if alike else ONE_BY_ONE
    c, enough, tie = float(known["bias"]), find_threshold(known), known.get("tie", "strict")
    constant, least = weight(c), weight(enough)
    cut = (-(2.0**-149) if short else -(2.0**-1074)) if tie == "plus" else 0.0
    w, b, scale, squares, run = {}, 0.0, 1.0, 0.0, Run()
    for number, (columns, values) in enumerate(game.arrange(rows, value)):
        code = game.codes[number]
        if value is same:
            terms = [w.get(i, 0.0) * x for i, x in zip(columns, values)]
        else:
            terms = [value(w[i] * x) if i in w else 0.0 * x for i, x in zip(columns, values)]
        score = value(add_up(terms, order, value) + weight(b * constant)) * scale
        guess = int(score > cut)
        wrong = guess != code or (number == 0 and game.surprise)
        a = score if code else -score
        clear = guess == code and abs(score) > least
        mark = 0
        if a <= enough and not clear and (tie == "strict" or enough > 0 or guess != code):
            q = c * c
            for x in values:
                q += x * x
            along, factor = find_step(known, a, len(run.updated), scale * scale * squares, q)
            if factor != 1 or weight(along) != 0:
                mark, y = int(abs(weight(along))) if known["name"] == "AggressivePerceptron" else 1, 1.0 if code else -1.0
                if not scaled:
                    delta = weight(y * along)
                    for i, x in zip(columns, values):
                        w[i] = weight(w.get(i, 0.0) + value(delta * x))
                    b = weight(b + weight(delta * constant))
                else:
                    scale *= factor
                    if not 2.0**-200 <= abs(scale) <= 2.0**200:
                        b, w = b * scale, {i: weight * scale for i, weight in w.items()}
                        squares, scale = b * b, 1.0
                        for i in sorted(w):
                            squares += w[i] * w[i]
                    delta, old = divide(y * along, scale), b
                    b += delta * c
                    squares += b * b - old * old
                    for i, x in zip(columns, values):
                        old = w.get(i, 0.0)
                        w[i] = old + delta * x
                        squares += w[i] * w[i] - old * old
        run.note(number, wrong, mark)
    return run


def play_network(known, game, rows):
    """Play a network again; marks are one more than the rival, or a bit for each unit that moved."""
    unit, each = known["learner"], known["updates"] == "each"
    short = known["real"] == "float32"
    mixed = short and rows["values"] == "float64"
    weight, step = (round32 if short else same), (round32 if short and not mixed else same)
    c, enough, met, run = float(unit["bias"]), find_threshold(unit), game.met, Run()
    constant = weight(c)
    w, b = [{} for _ in range(game.classes)], [0.0] * game.classes
    if mixed and game.classes > 32:
        raise NotCovered("float64 rows with float32 weights of more than 32 classes are not played again")
    for number, (columns, values) in enumerate(game.arrange(rows, step)):
        y = game.codes[number]
        scored = [weight(x) for x in values] if mixed else values
        order, scores = HALVES if max(met, y + 1) <= 32 else FOURS, []
        for k in range(met):
            own = w[k]
            terms = [weight(own.get(i, 0.0) * x) for i, x in zip(columns, scored)]
            scores.append(weight(add_up(terms, order, weight) + weight(b[k] * constant)))
        guess, rival = 0, 0 if y != 0 else 1
        for k in range(met):
            guess = k if scores[k] > scores[guess] else guess
            rival = k if k != y and scores[k] > scores[rival] else rival
        wrong = guess != y or (number == 0 and game.surprise)
        met = max(met, y + 1)
        scores += [0.0] * (met - len(scores))
        mark = 0
        for k in range(met) if each else (y,):
            sign = 1.0 if k == y else -1.0
            a = sign * scores[k] if each else scores[y] - scores[rival]
            if not a <= enough:
                continue
            q = c * c
            for x in values:
                q += x * x
            along = weight(sign * find_step(unit, a, len(run.updated), 0.0, q if each else 2.0 * q)[0])
            if along != 0:
                mark = mark + 2**k if each else rival + 1
                for moved, far in ((k, along),) if each else ((y, along), (rival, -along)):
                    own = w[moved]
                    for i, x in zip(columns, values):
                        own[i] = weight(own.get(i, 0.0) + step(far * x))
                    b[moved] = weight(b[moved] + weight(far * constant))
        run.note(number, wrong, mark)
    return run


# --------------------------------------------------------------------------------- the theorems about additive learners

CLEAN = "some u has u.z >= g > 0 on every update round"
ANY = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"
LOSSES = "any comparator u, its losses (k - u.z)+"
RUN_DEPENDENT = "Perceptron, run-dependent"


class Facts:
    """A comparator u measured on the update rounds, z being y x, or y x / |x| where rows are normalized."""

    def __init__(self, **facts):
        self.__dict__.update(facts)

    def loosen(self, steps, unit):
        """The most that floats may have measured of the same u: a bound that even this does not give is refused."""
        size, loose = Fraction(1) if unit else self.longest, Fraction(1, 2**36)
        reach = Fraction(self.entries + 8, 2**50) * round_root_up(self.norm * size)
        grown = (loose + Fraction(steps) ** 2 / 2**50) * size * steps
        squares = self.squares + 2 * reach * self.shortfall + steps * reach**2
        more = {"norm": (1 + loose) * self.norm, "longest": (1 + loose) * self.longest}
        more.update(shortest=(1 - loose) * self.shortest, shortfall=(1 + loose) * (self.shortfall + steps * reach))
        more.update(squares=(1 + loose) * squares, length=self.length + grown, excess=self.excess + grown)
        return Facts(margin=self.margin, entries=2**14, **more)


def round_root_up(value):
    """A fraction no less than the square root."""
    return Fraction(isqrt(4**64 * value.numerator // value.denominator) + 1, 2**64)


def novikoff(f, m, reach):
    """m g > |u| sqrt(m reach + excess)"""
    return (m * f.margin) ** 2 > f.norm * (reach * m + f.excess)


def hinge(f, m, reach):
    """m g - D > |u| sqrt(m reach + excess), D the sum of the shortfalls"""
    rest = m * f.margin - f.shortfall
    return rest > 0 and rest**2 > f.norm * (reach * m + f.excess)


def squared(f, m, reach):
    """m > (r + D2 / g)^2, r^2 = |u|^2 (reach + excess) / g^2, D2^2 the sum of the squared shortfalls"""
    ratio, square = f.norm * (reach + f.excess) / f.margin**2, f.squares / f.margin**2
    rest = m - ratio - square
    return rest > 0 and rest**2 > 4 * ratio * square


def run_dependent(f, m, reach):
    """m g - D > |u| |w|"""
    rest = m * f.margin - f.shortfall
    return rest > 0 and rest**2 > f.norm * f.length


def readable(f, m, reach):
    """m > L + r sqrt(L) + r^2, L = D / g"""
    ratio, loss = f.norm * (reach + f.excess) / f.margin**2, f.shortfall / f.margin
    rest = m - loss - ratio
    return rest > 0 and rest**2 > ratio * loss


def deviation(f, m, reach):
    """m > r^2 + 2 D / g"""
    return m > (f.norm * (reach + f.excess) / f.margin + 2 * f.shortfall) / f.margin


PERCEPTRON = {
    "Perceptron (Novikoff 1962)": (CLEAN, novikoff),
    "Perceptron, hinge loss": (ANY, hinge),
    "Perceptron, squared deviation (Freund and Schapire 1999)": (ANY.replace("summed", "squared and summed"), squared),
    RUN_DEPENDENT: (f"{ANY}, and the length of the final weights", run_dependent),
    "Perceptron, hinge loss, readable form": (ANY, readable),
    "Perceptron, total deviation": (ANY, deviation),
}


def is_number(value, low, strict=False, high=inf):
    return type(value) in (int, float) and (low < value if strict else low <= value) and value < high


def passive(f, m, known):
    """m mistakes would lower |w - u|^2, each by at least so much, from |u|^2 to less than what losses add."""
    k, C = Fraction(known["margin"]), Fraction(known["aggressiveness"])
    need(f.margin == k, "losses are at the learner's own margin")
    if known["variant"] == "0":
        return f.longest == 0 or m * k**2 / f.longest > f.norm
    if known["variant"] == "I":
        return m * (min(C * k, k**2 / f.longest) if f.longest else C * k) > f.norm + 2 * C * f.shortfall
    return m * k**2 / (f.longest + 1 / (2 * C)) > f.norm + 2 * C * f.squares


def alma(f, m, known):
    """m > A + ((A + 1) |u| / (2 C g))^2, A = C^2 + 2 (1 - alpha) B C, at least 1"""
    C = Fraction(known["rate"])
    A = max(C**2 + 2 * Fraction(ask_alma(known)) * C, Fraction(1))
    return m > A and 4 * (C * f.margin) ** 2 * (m - A) > (A + 1) ** 2 * f.norm


def alma_hinge(f, m, known):
    """C (m g - D) > |u| sqrt(A (A m + 1)), A at least 2"""
    C, rest = Fraction(known["rate"]), m * f.margin - f.shortfall
    A = max(C**2 + 2 * Fraction(ask_alma(known)) * C, Fraction(2))
    return rest > 0 and (C * rest) ** 2 > f.norm * A * (A * m + 1)


def romma(f, m, known):
    """m > R^2 |u|^2 / g^2"""
    return m * f.margin**2 > f.longest * f.norm


class Rule:
    """What is known of an additive learner: parameters as the run's floats hold them, theorems, what they count."""

    def __init__(self, about, real, network):
        name = self.name = about["name"]
        self.known = dict(about, real=real)
        need(real in ("float32", "float64"), f"no floats are {real!r}")
        self.network, self.marked = network, name == "AggressivePerceptron"
        self.normalized = name == "Alma" or bool(about.get("normalized"))
        self.exact = name in ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "AggressivePerceptron")
        self.exact = self.exact and not self.normalized
        self.counts, parameters = "updates", {"bias": is_number(about["bias"], 0)}
        if name in ("Perceptron", "AveragedPerceptron"):
            parameters.update(rate=is_number(about["rate"], 0, True), margin=is_number(about["margin"], 0))
            parameters.update(tie=about["tie"] in ("strict", "plus", "minus"))
            if name == "Perceptron":
                parameters.update(normalized=type(about["normalized"]) is bool)
        elif name == "AggressivePerceptron":
            parameters.update(tie=about["tie"] in ("strict", "plus", "minus"))
            self.counts = "steps"
        elif name == "PassiveAggressive":
            parameters.update(margin=is_number(about["margin"], 0, True), variant=about["variant"] in ("0", "I", "II"))
            parameters.update(aggressiveness=is_number(about["aggressiveness"], 0, True))
            self.counts = "mistakes"
        elif name == "Alma":
            parameters.update(rate=is_number(about["rate"], 0, True), alpha=is_number(about["alpha"], 0, True, 1.5))
            parameters.update(margin=about["margin"] is None or is_number(about["margin"], 0, True))
            need(about["alpha"] <= 1, "alpha is at most 1")
        elif name == "Romma":
            parameters.update(aggressive=type(about["aggressive"]) is bool)
            self.counts = "mistakes" if about["aggressive"] else "updates"
        elif name != "VotedPerceptron":
            raise NotCovered(f"{name} is not covered here")
        words = set(about) - {"name", "real", "classes"}
        need(words == set(parameters) and all(parameters.values()), f"no {name} has parameters {about}")
        rounded = round32 if real == "float32" else same
        rounds_rate = name in ("Perceptron", "AveragedPerceptron")
        self.bias = rounded(float(about["bias"]))
        self.rate = Fraction(rounded(float(about["rate"]))) if rounds_rate else Fraction(1)
        need(self.rate > 0, f"no {name} has parameters {about}")
        self.margin = Fraction(about.get("margin") or 0) / self.rate if self.exact else Fraction(0)

    def find_theorem(self, theorem):
        """The promise of a theorem, and the question whether m are impossible."""
        known = self.known
        if self.name == "PassiveAggressive":
            variant = known["variant"]
            told = {"0": "some u has u.z >= k, the learner's margin, on every update round",
                    "I": f"{LOSSES} summed over the update rounds, k being the learner's margin",
                    "II": f"{LOSSES} squared and summed over the update rounds, k the learner's margin"}
            table = {f"Passive-aggressive {variant} (Crammer and others 2006)": (told[variant], passive)}
        elif self.name == "Alma":
            table = {"ALMA (Gentile 2001)": (CLEAN, alma), "ALMA, hinge loss (Gentile 2001)": (ANY, alma_hinge)}
        elif self.name == "Romma":
            table = {"ROMMA (Li and Long 2002)": (CLEAN, romma)}
        else:
            table = dict(PERCEPTRON)
            if self.normalized:
                table.pop(RUN_DEPENDENT)
        need(theorem in table, f"no theorem of {self.name} is called {theorem!r}")
        promise, exceeds = table[theorem]
        if table.get(theorem) in PERCEPTRON.values():
            return promise, lambda f, m: exceeds(f, m, self.find_reach(f))
        return promise, lambda f, m: exceeds(f, m, known)

    def find_reach(self, f):
        """The largest |z|^2 + 2 margin / rate."""
        margin = Fraction(self.known.get("margin") or 0) / self.rate
        if not self.normalized:
            return f.longest + 2 * margin
        return 1 + (2 * margin * round_root_up(1 / f.shortest) if f.shortest else Fraction(0))


def count_fraction_bits(values):
    """The least k for which all values are whole multiples of 2^-k."""
    return max((value.as_integer_ratio()[1].bit_length() - 1 for value in values), default=0)


class Steps:
    """The update rounds in whole numbers of 2^-bits: (row, class, rival or -1, copies), column -1 being the constant."""

    def __init__(self, game, constant):
        self.game, self.constant = game, constant
        distinct = {value for entries in game.entries for _, value in entries}
        self.bits = count_fraction_bits([*distinct, constant])
        self.whole = {value: self.scale(value) for value in distinct}

    def scale(self, value):
        top, bottom = value.as_integer_ratio()
        return (top << self.bits) // bottom

    def row(self, number):
        """The columns and values of a row, the constant first."""
        row = [(i, self.whole[value]) for i, value in self.game.entries[number] if value != 0]
        return [(-1, self.scale(self.constant)), *row] if self.constant else row

    def measure(self, rule, witness, listed, further=()):
        """The facts of a witness over steps (round, class, rival, copies), and how many steps there were."""
        require_words(witness, ("margin", "exponent", "attributes", "numerators"),
                      ["unexplained", *further, *["classes"] * rule.network])
        attributes, numerators, power = witness["attributes"], witness["numerators"], witness["exponent"]
        blocks = witness.get("classes", [0] * len(attributes))
        need(len(blocks) == len(attributes) == len(numerators), "malformed witness")
        whole = all(type(k) is int for part in (blocks, attributes, numerators, [power]) for k in part)
        need(whole and abs(power) < 3000 and type(witness["margin"]) is float, "malformed witness")
        u = {(block, i): k for block, i, k in zip(blocks, attributes, numerators)}
        need(len(u) == len(attributes), "the witness has an entry twice")
        one, fine = 1 << self.bits, Fraction(2) ** power / (1 << self.bits)
        margin = Fraction(witness["margin"])
        shortfall = squares = excess = Fraction(0)
        longest = shortest = entries = many = 0
        weights = {}
        for number, code, rival, copies in listed:
            signs = ((code, 1), (rival, -1)) if rule.network else ((0, 1 if code else -1),)
            z = [(block, i, sign * v) for block, sign in signs for i, v in self.row(number)]
            dot, square = sum(u.get((block, i), 0) * v for block, i, v in z), sum(v * v for _, _, v in z)
            short = margin - fine * dot
            if rule.normalized:
                need(square > 0, "a row without attributes cannot teach")
                short = margin - divide_down(fine * dot * one, square)
            if short > 0:
                shortfall, squares = shortfall + copies * short, squares + copies * short**2
            longest, shortest = max(longest, square), min(shortest or square, square)
            entries, many = max(entries, len(z)), many + copies
            if rule.exact:  # what the agreement exceeded the threshold by before each copy, which rounding alone can do
                length = square // 2 if rule.network else square
                agreement = sum(weights.get((block, i), 0) * v for block, i, v in z)
                over = Fraction(agreement + (copies - 1) * length, one * one) - rule.margin
                copy = copies
                while over > 0 and copy > 0:
                    excess, over, copy = excess + 2 * over, over - Fraction(length, one * one), copy - 1
                for block, i, v in z:
                    weights[block, i] = weights.get((block, i), 0) + copies * v
        unit = Fraction(1, one * one)
        if "unexplained" in witness:
            most = margin * many
            check_near(witness["unexplained"], float(shortfall / most) if most > 0 else 0.0, "leaves unexplained")
        length = unit * sum(k * k for k in weights.values())
        norm = Fraction(4) ** power * sum(k * k for k in numerators)
        facts = Facts(norm=norm, longest=unit * longest, shortest=unit * shortest, margin=margin, shortfall=shortfall,
                      squares=squares, length=length, excess=excess, entries=entries)
        return facts, many


def check_near(claimed, true, what):
    """Refuse a float beside the claim that is not what it should be."""
    near = type(claimed) is float and abs(claimed - true) <= 1e-6 * max(true, 1.0)
    need(near, f"the comparator {what} {true:.6g}, not {claimed!r}")


def divide_down(number, square):
    """A fraction no more than number / sqrt(square)."""
    root = Fraction(isqrt(number.numerator**2 * 4**64 // (number.denominator**2 * square)), 2**64)
    return root if number >= 0 else -root - Fraction(1, 2**64)


def check_bound(rule, theorem, bound, facts, steps, still=0, promise=None):
    """Refuse a bound unless the theorem makes one more than it impossible, and not one less."""
    need(type(bound) is int and bound >= 0, f"the bound must be a whole number, got {bound!r}")
    need(facts.margin > 0, "the margin must be positive")
    told, impossible = rule.find_theorem(theorem)
    clean = told == CLEAN or (rule.name == "PassiveAggressive" and rule.known["variant"] == "0")
    need(not clean or facts.shortfall == 0, "the witness lacks the margin on an update round")
    need(promise is None or promise == told, f"its promise is: {told}")
    more = bound + 1 - (still if rule.counts == "mistakes" else 0)
    need(impossible(facts, more), f"the witness does not give {bound}")
    if more > 1:
        need(not impossible(facts.loosen(steps, rule.normalized), more - 1), f"the witness gives less than {bound}")


def check_everywhere(witness, rule, game):
    """Refuse another loss of the comparator over all rounds, in units of its margin."""
    need(not rule.network, "losses over all rounds are known of two classes")
    margin, unit = float(witness["margin"]), math.ldexp(1.0, witness["exponent"])
    u = {i: float(k) * unit for i, k in zip(witness["attributes"], witness["numerators"])}
    losses = []
    for entries, code in zip(game.entries, game.codes):
        a, square = u.get(-1, 0.0) * rule.bias, rule.bias * rule.bias
        for i, x in entries:
            a, square = a + u.get(i, 0.0) * x, square + x * x
        a = a if code else -a
        losses.append(max(0.0, margin - (a / sqrt(square) if rule.normalized and square > 0 else a)) / margin)
    check_near(witness["everywhere"], math.fsum(losses), "loses over all rounds")


def check_additive(certificate, rounds):
    """A learner of two classes, or a network whose winners learn."""
    about, network = certificate.learner, certificate.learner["name"] == "Network"
    if network:
        require_words(about, ("name", "learner", "updates", "real"), ["classes"])
        inner = about["learner"]
        if inner["name"] not in ("Perceptron", "AveragedPerceptron", "PassiveAggressive"):
            raise NotCovered(f"a network of {inner['name']} is not covered here")
        need("real" not in inner and "classes" not in inner, "a unit has no classes of its own")
        need(about["updates"] in ("winner", "each"), f"no network has updates {about['updates']!r}")
    rule = Rule(about["learner"] if network else about, about["real"], network)
    game = Game(certificate, rounds, 2**31 if network else 2)
    if network and about["updates"] == "each":
        return check_units(certificate, rule, game)
    if certificate.rows is None and certificate.rounds:
        raise NotCovered("its rows came in several forms: such a run is not played again here")
    run = Run() if not certificate.rounds else (
        play_network(about, game, certificate.rows) if network
        else play_unit(rule.known, game, certificate.rows, rule.name in ("Alma", "Romma")))
    run.require_same(certificate, network or rule.marked)
    listed = [(t, game.codes[t], mark - 1 if network else -1, mark if rule.marked else 1)
              for t, mark in zip(run.updated, run.marks)]
    facts, steps = Steps(game, rule.bias).measure(rule, certificate.witness, listed, ["everywhere"])
    certificate.require(counts=rule.counts, count=steps if rule.counts == "steps" else None, scope="sequence",
                        exact=rule.exact)
    still = (0 if rule.exact else run.idle) + (max(0, game.classes - game.met) if network else 0)
    check_bound(rule, certificate.theorem, certificate.bound, facts, steps, still, certificate.promise)
    if "everywhere" in certificate.witness:
        check_everywhere(certificate.witness, rule, game)


def check_units(certificate, rule, game):
    """A network in which every unit learns on its own: every unit by its own theorem, bounds and steps add up."""
    need(rule.exact, "only units that are Perceptrons have a theorem here")
    run = play_network(certificate.learner, game, certificate.rows) if certificate.rounds else Run()
    run.require_same(certificate, False)
    require_words(certificate.witness, ["units"])
    units = certificate.witness["units"]
    need(type(units) is list and len(units) == max(game.met, game.classes), f"there are {game.classes} units")
    steps, single, total = Steps(game, rule.bias), Rule(certificate.learner["learner"], rule.known["real"], False), 0
    underflow = (149 if rule.known["real"] == "float32" else 1074) - 2 * steps.bits
    need(underflow >= rule.rate.denominator.bit_length(), "values are so small that products underflow")
    for k, part in enumerate(units):
        require_words(part, ("theorem", "bound", "updated", "witness"))
        moved = [t for t, mark in zip(run.updated, run.marks) if mark >> k & 1]
        need(part["updated"] == moved, f"the updates of unit {k} are not those of the run")
        listed = [(t, int(game.codes[t] == k), -1, 1) for t in moved]
        facts, many = steps.measure(single, part["witness"], listed)
        check_bound(single, part["theorem"], part["bound"], facts, many)
        total += many
    certificate.require(theorem="Network, every unit by its own theorem", counts="steps", scope="sequence", exact=True,
                        promise="each unit has a witness of its own for its class against all others; bounds and steps "
                        "add up", count=total, bound=sum(part["bound"] for part in units), marks=[])


# -------------------------------------------------------------------------------------------------------------- verdict

ADDITIVE = ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "AggressivePerceptron", "PassiveAggressive", "Alma",
            "Romma", "Network")


def find_check(name):
    """The check of a learner by its name."""
    if name in ADDITIVE:
        return check_additive
    raise NotCovered(f"{name} is not covered here")


def verify(text, name, data):
    """Check a certificate against data; raises `Refused`, `NotCovered` or `BadData`, or returns what was verified."""
    try:
        certificate = Certificate(text)
        about = certificate.learner
        need(type(about.get("name")) is str, "it does not say of which learner it speaks")
        check = find_check(about["name"])
        if "mixing" in about:
            raise NotCovered("runs over shards are not covered here")
        check(certificate, read_data(name, data, certificate))
        need(certificate.counted <= certificate.bound, f"{certificate.counted} exceeds the bound {certificate.bound}")
        return certificate
    except MALFORMED as problem:
        raise Refused(f"it is malformed: {problem!r}") from problem


def say(certificate):
    """What was verified, in words."""
    counted, bound = certificate.counted, certificate.bound
    told = f"{counted} {certificate.counts} <= {bound} over {certificate.rounds} rounds"
    how = "exactly" if certificate.exact else "the counts exactly, the theorem up to the rounding of the run"
    return f"true: {told}, {how} ({certificate.theorem})"


def main(arguments):
    """Verify the certificate and the data that are named; the exit status."""
    if len(arguments) != 2:
        print("usage: python littlestone_verify.py certificate.json data", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            text = file.read()
        with open(arguments[1], "rb") as file:
            data = file.read()
        print(say(verify(text, arguments[1], data)))
        return 0
    except Refused as problem:
        print(f"false: {problem}")
        return 1
    except NotCovered as problem:
        print(f"not covered here: {problem}")
        return 2
    except (BadData, OSError, UnicodeDecodeError) as problem:
        print(f"cannot be read: {problem}")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
