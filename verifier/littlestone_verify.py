"""Verify a certificate of Littlestone against its data, with Python's standard library (3.9 or later) and nothing else.
    python littlestone_verify.py certificate.json data.svm

The run is played again operation by operation in IEEE floats, the theorem is checked in fractions. One line is printed;
the exit status is 0 if the certificate is true of the data, 1 if it is not, and 2 if it is not covered here or the data
cannot be read. A learner that `find_check` does not know is not covered, and never accepted. Data are svmlight, CSV,
label<TAB>text, or what `littlestone rounds DATA` writes. docs/certificate-format.md, version 2, says what it all means.
"""

import ast, csv, hashlib, io, json, math, os, re, struct, sys  # noqa: E401
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import product
from math import floor, inf, isqrt, sqrt

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, SyntaxError)

class Refused(Exception):
    """The certificate is not true of the data."""

class NotCovered(Exception):
    """It may be true: this program does not know."""

def need(condition, why):
    """Refuse a certificate unless a condition holds."""
    if not condition: raise Refused(why)

# ---------------------------------------------------------------------------------------------- the certificate itself
FIELDS = ["theorem", "promise", "counts", "mistakes", "updates", "bound", "witness", "scope", "exact", "count"]
FIELDS += ["rounds", "learner", "stream", "updated", "marks", "version", "slack", "holds", "digest"]

class Certificate:
    """The fields of a certificate, each of the kind that it must be."""
    def __init__(self, text):
        record = json.loads(text, object_pairs_hook=_read_object, parse_constant=_refuse_constant)
        need(type(record) is dict, "a certificate is one JSON object")
        if record.get("version") in (None, 1) and type(record.get("version")) is not bool:
            raise NotCovered("it is of an earlier version: littlestone convert-certificate makes one of version 2")
        need(type(record.get("version")) is int and record["version"] == 2, f"no version is {record.get('version')!r}")
        further = set(record) - set(FIELDS)
        need(set(FIELDS) <= set(record) and further <= {"rows", "columns"}, f"its fields are {sorted(record)}")
        digest, plain = record.pop("digest"), json.dumps(record, sort_keys=True).encode()
        need(digest == hashlib.sha256(plain).hexdigest(), "its digest is that of another one")
        claimed = {name: record.pop(name) for name in ("slack", "holds")}
        for name in ("bound", "count"): record[name] = read_number(record[name], name == "count")
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
        if isinstance(slack, Fraction): slack = int(slack) if slack.denominator == 1 else str(slack)
        need(claimed == {"slack": slack, "holds": self.counted <= self.bound}, "slack and holds do not follow")
        if self.rows is not None:
            form, width, kind = (self.rows[name] for name in ("form", "width", "values"))
            known = form in ("listed", "dense") and kind in ("float32", "float64", "ones") and len(self.rows) == 3
            known = known and type(width) is int and 0 <= width < 2**31 and (form == "dense" or width == 0)
            need(known, f"no rows are held as {self.rows}")

    @property
    def counted(self):
        """What the bound is about."""
        if self.count is not None: return self.count
        return self.updates if self.counts == "updates" else self.mistakes

    def require(self, **expected):
        """Refuse fields that are not exactly these."""
        for name, ours in expected.items():
            theirs = getattr(self, name)
            same = theirs == ours and {type(theirs), type(ours)} not in ({int, bool}, {int, float}, {Fraction, float})
            need(same, f"{name} is {ours!r:.99}, not {theirs!r:.99}")

def _read_object(pairs):
    record = dict(pairs)
    need(len(record) == len(pairs), "it says something twice")
    return record

def _refuse_constant(name): raise Refused(f"{name} is not a number")

def read_number(value, optional=False):
    """An integer, a float or a fraction such as "13/12"."""
    if isinstance(value, str):
        top, _, bottom = value.partition("/")
        plain = value.isascii() and (top[1:] if top[:1] == "-" else top).isdigit() and bottom.isdigit()
        need(plain and str(Fraction(int(top), int(bottom))) == value, f"{value[:40]!r} is no fraction in lowest terms")
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
    def __init__(self, label, entries=None, instance=None):
        self.label, self.entries, self.instance = label, entries, instance

class BadData(Exception):
    """Data that cannot be read."""

def wants(condition, why):
    if not condition: raise BadData(why)

PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FLOAT32 = struct.Struct("<f")

def round32(x):
    """The nearest float32, which of a sum, product, quotient or root in float64 is the one of the exact result."""
    try:
        return _FLOAT32.unpack(_FLOAT32.pack(x))[0]
    except OverflowError:
        return math.copysign(inf, x)

def same(x): return x

def read_value(text):
    """A decimal number rounded once, straight to float32: to odd in float64 before, so that no tie is made."""
    wants(PLAIN.fullmatch(text), f"{text[:40]!r} is no number")
    value = float(text)
    if round32(value) != value and math.isfinite(value):
        exact, there = Fraction(Decimal(text)), Fraction(value)
        if exact != there and not struct.unpack("<q", struct.pack("<d", value))[0] & 1:
            value = math.nextafter(value, inf if exact > there else -inf)
    wants(math.isfinite(round32(value)), f"{text[:40]!r} is beyond float32")
    return round32(value)

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
    for attribute, value in entries: sums[attribute] = round32(sums[attribute] + value) if attribute in sums else value
    return sorted(sums.items())

def read_svmlight(data):
    """label index:value ... # comment"""
    rounds, written = [], []
    for number, line in enumerate(data.decode("latin-1").split("\n"), 1):
        words = line.split("#")[0].replace("\r", " ").replace("\t", " ").split(" ")
        words = [word for word in words if word]
        if not words: continue
        entries, last, ascending = [], -1, True
        for place, word in enumerate(words[1:]):
            if place == 0 and re.fullmatch("qid:[0-9]+", word): continue
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
        raise NotCovered("the certificate does not say what the columns are: use littlestone rounds")
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
    if set(names) & set(header) and not set(names) <= {f"c{j}" for j in range(len(header))}: table = table[1:]
    else: header = [f"c{j}" for j in range(len(header))]
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
            if cell in MISSING: continue
            value = 1.0 if nominal else read_value(cell)
            if value == 0: continue
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
    for group in [*groups, len(word), 0]: hashed = _mix_in(hashed, group)
    return hashed if salt is None else _mix_in(hashed ^ salt, 0)

def _mix_in(hashed, group):
    mixed = (hashed ^ group) * 0xD6E8FEB86659FD93 & MASK
    return mixed ^ (mixed >> 32)

def read_texts(data):
    """label<TAB>text: the words of a text, small letters in ASCII, hashed into 2^22 attributes."""
    rounds, slots, salt = [], {}, hash_word(bytes(8))
    for line in data.split(b"\n"):
        line = line[:-1] if line.endswith(b"\r") else line
        if not line: continue
        label, tab, text = line.partition(b"\t")
        wants(tab and label, "a line is a label, a TAB and a text")
        counts = {}
        for word in WORD.findall(text.lower()):
            if word not in slots: slots[word] = hash_word(word, salt) >> (64 - BITS)
            counts[slots[word]] = counts.get(slots[word], 0.0) + 1.0
        rounds.append(Round(label.decode("utf-8", "surrogateescape"), list(counts.items())))
    return rounds

def read_dyadic(text):
    """A whole number, or mpe for m times 2^e."""
    if text == "nan": return math.nan
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
            if value not in known: known[value] = read_dyadic(value)
            entries.append((int(attribute), known[value]))
        rounds.append(Round(label, entries))
    return rounds

def read_data(name, data, certificate):
    """The rounds of a file, by its first line or its name."""
    try: return read_rounds(name, data, certificate)
    except (ValueError, TypeError, LookupError, RecursionError) as problem: raise BadData(repr(problem)) from problem

def read_rounds(name, data, certificate):
    if data.startswith(b"littlestone rounds "):
        wants(data.startswith(b"littlestone rounds 2\n"), "rounds of another version")
        return read_lines(data)
    if certificate.columns is not None or name.endswith((".csv", ".tsv", ".tab")):
        return read_csv(data, certificate.columns)
    if name.endswith((".svm", ".svmlight", ".libsvm")): return read_svmlight(data)
    if name.endswith(".txt"): return read_texts(data)
    raise NotCovered(f"{name} is read as .svm, .csv, .txt or what littlestone rounds writes")

# ---------------------------------------------------------------------------------------------- labels and fingerprints
NEGATIVE, POSITIVE = (False, -1), (True,)  # 0 is equal to False, and 1 to True

def number_labels(labels, declared, limit):
    """Class numbers, and how many classes there are: False, 0 and -1 are 0, True and 1 are 1, others in turn."""
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

def fingerprint(rows, codes):
    """One SHA-256 over the bytes of all rounds; rows are entries or instances, codes class numbers or outcomes."""
    whole = hashlib.sha256(b"littlestone rounds 2\n")
    for row, code in zip(rows, codes):
        flag, form = (4, "d") if isinstance(code, float) else (0, "q")
        if not isinstance(row, list):
            text = json.dumps(row, separators=(",", ":"), allow_nan=False).encode()
            whole.update(struct.pack("<II" + form, 3 + flag, len(text), code) + text)
            continue
        row = [entry for entry in row if entry[1] != 0]
        values = [value for _, value in row]
        kind = 0
        for value in values:
            if value != 1: kind = max(kind, 1 if value == round32(value) else 2)
        n = len(row)
        parts = struct.pack(f"<II{form}{n}I", kind + flag, n, code, *[attribute for attribute, _ in row])
        if kind: parts += struct.pack(f"<{n}{'f' if kind == 1 else 'd'}", *[math.nan if v != v else v for v in values])
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
        if rows is None: raise NotCovered("its rows came in several forms: such a run is not played again here")
        width = rows["width"]
        for entries in self.entries:
            if rows["form"] == "dense":
                filled = [0.0] * width
                for attribute, value in entries:
                    if value != 0:
                        need(attribute < width, f"a row has more than {width} attributes")
                        filled[attribute] = real(value)
                yield range(width), filled
            else: yield [attribute for attribute, _ in entries], [real(value) for _, value in entries]

# ----------------------------------------------------------------------------------------------------------- float runs
ONE_BY_ONE, QUARTERS, LANES, HALVES, FOURS = range(5)

def add_up(terms, order, real):
    """The sum of some terms in one of the orders of the format, every addition rounded."""
    n = len(terms)
    if order == QUARTERS:
        sums, whole = [0.0, 0.0, 0.0, 0.0], n - n % 4
        for k in range(whole): sums[k & 3] = real(sums[k & 3] + terms[k])
        for k in range(whole, n): sums[0] = real(sums[0] + terms[k])
        return real(real(sums[0] + sums[1]) + real(sums[2] + sums[3]))
    if order == LANES:
        lanes, whole, paired = [[0.0] * 16, [0.0] * 16], n - n % 16, n - n % 32
        for k in range(n):
            lane = lanes[(k // 16) % 2 if k < paired else 0 if k < whole else 1]
            lane[k % 16] = real(lane[k % 16] + terms[k])
        row, size = [real(a + b) for a, b in zip(*lanes)], 8
        while size: row, size = [real(row[k] + row[k + size]) for k in range(size)], size // 2
        return row[0]
    total = other = 0.0
    if order == HALVES:
        for k in range(0, n, 2): total = real(total + terms[k])
        for k in range(1, n, 2): other = real(other + terms[k])
        return real(total + other)
    first = 0
    while order == FOURS and first + 4 <= n:
        a, b = real(terms[first] + terms[first + 1]), real(terms[first + 2] + terms[first + 3])
        total, first = real(total + real(a + b)), first + 4
    for k in range(first, n): total = real(total + terms[k])
    return total

def ask_alma(known):
    alpha, margin = known["alpha"], known["margin"]
    return float((1 - alpha) * (sqrt(8) / alpha if margin is None else margin))

def find_threshold(known):
    """The agreement up to which a round may teach."""
    if known["name"] == "Alma": return inf if ask_alma(known) else 0.0
    if known["name"] == "Romma": return math.nextafter(1.0, 0.0) if known["aggressive"] else 0.0
    return float(known.get("margin", 0))

def find_scaled_step(known, a, q, updates, length):
    """How far Alma and Romma step along y x, and by what all weights are multiplied before."""
    if q == 0: return 0.0, 1.0
    if known["name"] == "Alma":
        root, size = sqrt(updates + 1.0), sqrt(q)
        if a * root > ask_alma(known) * size: return 0.0, 1.0
        along = float(known["rate"]) / (root * size)
        after = length + 2.0 * along * a + along * along * q
        factor = 1.0 / sqrt(after) if after > 1 else 1.0
        return factor * along, factor
    p = q * length
    rest = p - a * a
    if p <= a or p * (p - 2.0 * a + 1.0) > 2.0**40 * rest: return 1.0 / q, 0.0
    return length * (1.0 - a) / rest, (p - a) / rest

class Scaled:
    """Weights of Alma and Romma: `scale` times those kept, and the sum of squares of those kept."""
    def __init__(self): self.scale, self.squares = 1.0, 0.0

    def move(self, w, b, row, delta, factor, c):
        """Multiply all weights and add a multiple of a row; the new weight of the constant."""
        self.scale *= factor
        if not 2.0**-200 <= abs(self.scale) <= 2.0**200:
            b *= self.scale
            self.squares = b * b
            for i in sorted(w):
                w[i] *= self.scale
                self.squares += w[i] * w[i]
            self.scale = 1.0
        delta, old = delta / self.scale, b
        b += delta * c
        self.squares += b * b - old * old
        for i, x in row:
            old = w.get(i, 0.0)
            w[i] = old + delta * x
            self.squares += w[i] * w[i] - old * old
        return b

def find_step(known, a, q):
    """How far along y x a round of agreement a and squared length q steps, in float64."""
    name = known["name"]
    if name in ("Perceptron", "AveragedPerceptron"):
        rate = float(known["rate"])
        return (rate / sqrt(q) if q > 0 else 0.0) if known.get("normalized") else rate
    if name == "VotedPerceptron" or not q > 0: return float(name == "VotedPerceptron")
    if name == "AggressivePerceptron":
        copies = floor(-a / q) + 1.0
        return copies if a + copies * q > 0 else copies + 1.0
    cap = float(known["aggressiveness"]) if known["variant"] == "I" else inf
    damping = 0.5 / known["aggressiveness"] if known["variant"] == "II" else 0.0
    return min(cap, (float(known["margin"]) - a) / (q + damping))

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
        need(certificate.mistakes == self.mistakes, f"the run makes {self.mistakes} mistakes")
        for k, (ours, theirs) in enumerate(zip(self.updated, certificate.updated)):
            need(ours == theirs, f"update {k} of the run is round {ours}, not {theirs}")
        many = len(self.updated)
        need(many == len(certificate.updated) == certificate.updates, f"the run makes {many} updates")
        need(certificate.marks == (self.marks if marked else []), "its marks are not those of the run")

def play_unit(known, game, rows):
    """Play a learner of two classes again, in its own floats."""
    scaled = Scaled() if known["name"] in ("Alma", "Romma") else None
    short, dense = known["real"] == "float32" and not scaled, rows["form"] == "dense"
    spaced = known["name"] == "AveragedPerceptron"
    mixed = short and rows["values"] == "float64"
    if mixed and dense and not spaced:
        raise NotCovered("dense rows of float64 with weights of float32 are not played again")
    weight, value = (round32 if short else same), (round32 if short and not mixed else same)
    alike = rows["values"] == ("float32" if short else "float64")
    order = QUARTERS if spaced or not dense else LANES if alike else ONE_BY_ONE
    c, enough, tie = float(known["bias"]), find_threshold(known), known.get("tie", "strict")
    constant, least = weight(c), weight(enough)
    cut = (-(2.0**-149) if short else -(2.0**-1074)) if tie == "plus" else 0.0
    w, b, run = {}, 0.0, Run()
    for number, (columns, values) in enumerate(game.arrange(rows, value)):
        code, mark = game.codes[number], 0
        if value is same: terms = [w.get(i, 0.0) * x for i, x in zip(columns, values)]
        else: terms = [value(w[i] * x) if i in w else 0.0 * x for i, x in zip(columns, values)]
        score = value(add_up(terms, order, value) + weight(b * constant))
        score = score * scaled.scale if scaled else score
        guess = int(score > cut)
        a = score if code else -score
        clear = guess == code and abs(score) > least
        if a <= enough and not clear and (tie == "strict" or enough > 0 or guess != code):
            q = add_squares(c, values)
            if scaled:
                step = a, q, len(run.updated), scaled.scale * scaled.scale * scaled.squares
                along, factor = find_scaled_step(known, *step)
                mark = int(along != 0 or factor != 1)
                if mark: b = scaled.move(w, b, list(zip(columns, values)), along if code else -along, factor, c)
            elif (along := weight(find_step(known, a, q))) != 0:
                mark, delta = int(along) if known["name"] == "AggressivePerceptron" else 1, along if code else -along
                for i, x in zip(columns, values): w[i] = weight(w.get(i, 0.0) + value(delta * x))
                b = weight(b + weight(delta * constant))
        run.note(number, guess != code or (number == 0 and game.surprise), mark)
    return run

def add_squares(total, values):
    """The squared length of a row, the constant first, one square after another."""
    total *= total
    for x in values: total += x * x
    return total

def play_network(known, game, rows):
    """Play a network again; marks are one more than the rival, or a bit for each unit that moved."""
    unit, each = known["learner"], known["updates"] == "each"
    short = known["real"] == "float32"
    mixed = short and rows["values"] == "float64"
    weight, step = (round32 if short else same), (round32 if short and not mixed else same)
    c, enough, met, run = float(unit["bias"]), float(unit["margin"]), game.met, Run()
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
            if not a <= enough: continue
            along = weight(sign * find_step(unit, a, add_squares(c, values) * (1.0 if each else 2.0)))
            if along != 0:
                mark = mark + 2**k if each else rival + 1
                for moved, far in ((k, along),) if each else ((y, along), (rival, -along)):
                    own = w[moved]
                    for i, x in zip(columns, values): own[i] = weight(own.get(i, 0.0) + step(far * x))
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
    def __init__(self, **facts): self.__dict__.update(facts)

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

    def ratio(self, reach): return self.norm * (reach + self.excess) / self.margin**2

def round_root_up(value):
    """A fraction no less than the square root."""
    return Fraction(isqrt(4**64 * value.numerator // value.denominator) + 1, 2**64)

def past_root(rest, square):
    """rest > sqrt(square)"""
    return rest > 0 and rest**2 > square

# With r^2 = |u|^2 (reach + excess) / g^2, D the sum of the shortfalls and D2^2 that of their squares, m updates are
# impossible if: m g > |u| sqrt(m reach + excess); m g - D > the same; m > (r + D2 / g)^2; m g - D > |u| |w|;
# m > L + r sqrt(L) + r^2, L = D / g; m > r^2 + 2 D / g.
PERCEPTRON = {
    "Perceptron (Novikoff 1962)": (CLEAN, lambda f, m, q: past_root(m * f.margin, f.norm * (q * m + f.excess))),
    "Perceptron, hinge loss":
        (ANY, lambda f, m, q: past_root(m * f.margin - f.shortfall, f.norm * (q * m + f.excess))),
    "Perceptron, squared deviation (Freund and Schapire 1999)": (
        ANY.replace("summed", "squared and summed"), lambda f, m, q: past_root(
            m - f.ratio(q) - f.squares / f.margin**2, 4 * f.ratio(q) * f.squares / f.margin**2)),
    RUN_DEPENDENT: (f"{ANY}, and the length of the final weights",
                    lambda f, m, q: past_root(m * f.margin - f.shortfall, f.norm * f.length)),
    "Perceptron, hinge loss, readable form": (ANY, lambda f, m, q: past_root(
        m - f.shortfall / f.margin - f.ratio(q), f.ratio(q) * f.shortfall / f.margin)),
    "Perceptron, total deviation": (ANY, lambda f, m, q: m > f.ratio(q) + 2 * f.shortfall / f.margin),
}

def is_number(value, low, strict=False, high=inf):
    return type(value) in (int, float) and (low < value if strict else low <= value) and value < high

def passive(f, m, known):
    """m mistakes would lower |w - u|^2, each by at least so much, from |u|^2 to less than what losses add."""
    k, C = Fraction(known["margin"]), Fraction(known["aggressiveness"])
    need(f.margin == k, "losses are at the learner's own margin")
    if known["variant"] == "0": return f.longest == 0 or m * k**2 / f.longest > f.norm
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
    return past_root(C * rest, f.norm * A * (A * m + 1))

def is_rule(name):
    """What the parameters of a learner may be, by their names."""
    rule, positive = {"bias": lambda v: is_number(v, 0)}, lambda v: is_number(v, 0, True)
    if name == "Alma":
        rule.update(rate=positive, alpha=lambda v: positive(v) and v <= 1, margin=lambda v: v is None or positive(v))
    if name == "Romma": rule["aggressive"] = lambda v: type(v) is bool
    if name in ("Perceptron", "AveragedPerceptron", "AggressivePerceptron"):
        rule["tie"] = lambda v: v in ("strict", "plus", "minus")
    if name in ("Perceptron", "AveragedPerceptron"): rule.update(rate=positive, margin=lambda v: is_number(v, 0))
    if name == "Perceptron": rule["normalized"] = lambda v: type(v) is bool
    if name == "PassiveAggressive":
        rule.update(margin=positive, aggressiveness=positive)
        rule["variant"] = lambda v: v in ("0", "I", "II")
    return rule

class Rule:
    """What is known of an additive learner: parameters as the run's floats hold them, theorems, what they count."""
    def __init__(self, about, real, network):
        name, allowed = about["name"], is_rule(about["name"])
        need(real in ("float32", "float64"), f"no floats are {real!r}")
        words = set(about) - {"name", "real", "classes"}
        sound = words == set(allowed) and all(allowed[key](about[key]) for key in words)
        self.name, self.known, self.network = name, dict(about, real=real), network
        need(sound, f"no {name} has parameters {about}")
        self.marked, self.normalized = name == "AggressivePerceptron", name == "Alma" or bool(about.get("normalized"))
        self.exact = name not in ("PassiveAggressive", "Romma") and not self.normalized
        mistakes = name == "PassiveAggressive" or about.get("aggressive", False)
        self.counts, rounded = "steps" if self.marked else "mistakes" if mistakes else "updates", round32
        if real == "float64": rounded = same
        plain = "rate" in about and name != "Alma"
        self.rate = Fraction(rounded(float(about["rate"]))) if plain else Fraction(1)
        need(self.rate > 0, f"no {name} has parameters {about}")
        self.bias, self.margin = rounded(float(about["bias"])), Fraction(about.get("margin") or 0) / self.rate

    def find_theorem(self, theorem):
        """The promise of a theorem, and the question whether m are impossible."""
        table = {told: pair for told, pair in PERCEPTRON.items() if told != RUN_DEPENDENT or not self.normalized}
        if self.name == "PassiveAggressive":
            variant = self.known["variant"]
            told = {"0": "some u has u.z >= k, the learner's margin, on every update round",
                    "I": f"{LOSSES} summed over the update rounds, k being the learner's margin",
                    "II": f"{LOSSES} squared and summed over the update rounds, k the learner's margin"}
            table = {f"Passive-aggressive {variant} (Crammer and others 2006)": (told[variant], passive)}
        elif self.name == "Alma":
            table = {"ALMA (Gentile 2001)": (CLEAN, alma), "ALMA, hinge loss (Gentile 2001)": (ANY, alma_hinge)}
        elif self.name == "Romma":
            table = {"ROMMA (Li and Long 2002)": (CLEAN, lambda f, m, known: m * f.margin**2 > f.longest * f.norm)}
        need(theorem in table, f"no theorem of {self.name} is called {theorem!r}")
        promise, exceeds = table[theorem]
        if self.name in ("PassiveAggressive", "Alma", "Romma"): return promise, lambda f, m: exceeds(f, m, self.known)
        return promise, lambda f, m: exceeds(f, m, self.find_reach(f))

    def find_reach(self, f):
        """The largest |z|^2 + 2 margin / rate."""
        if not self.normalized: return f.longest + 2 * self.margin
        return 1 + (2 * self.margin * round_root_up(1 / f.shortest) if f.shortest else Fraction(0))

class Steps:
    """The update rounds in whole numbers of 2^-bits; attribute -1 is the constant."""
    def __init__(self, game, constant):
        self.game, self.constant = game, constant
        distinct = {value for entries in game.entries for _, value in entries}
        self.bits = max(value.as_integer_ratio()[1].bit_length() - 1 for value in [*distinct, constant])
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
            if short > 0: shortfall, squares = shortfall + copies * short, squares + copies * short**2
            longest, shortest = max(longest, square), min(shortest or square, square)
            entries, many = max(entries, len(z)), many + copies
            if rule.exact:  # what the agreement exceeded the threshold by before each copy, which rounding alone can do
                length = square // 2 if rule.network else square
                agreement = sum(weights.get((block, i), 0) * v for block, i, v in z)
                over = Fraction(agreement + (copies - 1) * length, one * one) - rule.margin
                copy = copies
                while over > 0 and copy > 0:
                    excess, over, copy = excess + 2 * over, over - Fraction(length, one * one), copy - 1
                for block, i, v in z: weights[block, i] = weights.get((block, i), 0) + copies * v
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
        for i, x in entries: a, square = a + u.get(i, 0.0) * x, square + x * x
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
    if certificate.rows is None and certificate.rounds:
        raise NotCovered("its rows came in several forms: such a run is not played again here")
    if network and about["updates"] == "each": return check_units(certificate, rule, game)
    run = Run() if not certificate.rounds else (
        play_network(about, game, certificate.rows) if network else play_unit(rule.known, game, certificate.rows))
    run.require_same(certificate, network or rule.marked)
    listed = [(t, game.codes[t], mark - 1 if network else -1, mark if rule.marked else 1)
              for t, mark in zip(run.updated, run.marks)]
    facts, steps = Steps(game, rule.bias).measure(rule, certificate.witness, listed, ["everywhere"])
    certificate.require(counts=rule.counts, count=steps if rule.counts == "steps" else None, scope="sequence",
                        exact=rule.exact)
    still = (0 if rule.exact else run.idle) + (max(0, game.classes - game.met) if network else 0)
    check_bound(rule, certificate.theorem, certificate.bound, facts, steps, still, certificate.promise)
    if "everywhere" in certificate.witness: check_everywhere(certificate.witness, rule, game)

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

# ------------------------------------------------------------------------------------------- Winnow and Balanced Winnow
DISJUNCTION = "Winnow, disjunction (Littlestone 1988)"
ELIMINATION = "Winnow, elimination (Littlestone 1988)"
SLACK = "Winnow, margin with slack (Littlestone 1991)"
DRIFT = "Winnow-R, drifting disjunction (Blum 1998)"
WINNOW = {
    DISJUNCTION: "the label of every update round is the OR of some attributes",
    "Winnow, margin (Littlestone 1988)": "some m >= 0 has m.x >= p on every promotion and <= q on every demotion",
    SLACK: "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed",
    ELIMINATION: "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed",
    DRIFT: "the label of every update round is the OR of the variables that a schedule names for it",
}
GONE = -(2**62)  # stands for the exponent of a weight of 0

def round_power(base, exponent):
    """A power as the machine's library rounds it."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return inf

class Powers:
    """Weights as powers of a base, or as differences b^k - b^-k, by exponents."""
    def __init__(self, base, odd, lowest=GONE + 1, eliminate=False, bias=0):
        self.base, self.odd, self.lowest, self.eliminate, self.bias = base, odd, lowest, eliminate, bias
        self.exponents, self.known, self.constant = {}, {}, 0

    def weigh(self, k):
        if k not in self.known:
            weight = 0.0 if k == GONE else round_power(self.base, k)
            self.known[k] = weight - round_power(self.base, -k) if self.odd else weight
        return self.known[k]

    def score(self, row):
        """The sum of the terms from that of the constant on, what is rounded away being added at the end."""
        total, rest = self.weigh(self.constant) if self.bias else 0.0, 0.0
        for i, x in row:
            term = self.weigh(self.exponents.get(i, 0)) * x
            after = total + term
            part = after - total
            rest += (total - (after - part)) + (term - part)
            total = after
        return total + rest

    def move(self, row, step):
        for i, x in row:
            before = self.exponents.get(i, 0)
            gone = before == GONE or (self.eliminate and step < 0)
            self.exponents[i] = GONE if gone else max(before + step * int(x), self.lowest)
        self.constant += step * self.bias

def play_powers(game, rows, start, find_patience, levels):
    """Play Winnow or Balanced Winnow again; levels are what scores are compared with, and what ties do."""
    if rows is None: raise NotCovered("its rows came in several forms: such a run is not played again here")
    below, middle, above, (down, says, up) = levels
    run, phase, since, highest = Run(), 1, 0, 0
    weights = start(phase)
    for number, (columns, values) in enumerate(game.arrange(rows, same)):
        code, row = game.codes[number], list(zip(columns, values))
        score = weights.score(row)
        guess = int(score > middle or (score == middle and says))
        teaches = (score < above or (score == above and up)) if code else (score > below or (score == below and down))
        run.note(number, guess != code or (number == 0 and game.surprise), int(teaches))
        if teaches:
            there = [(i, x) for i, x in row if x != 0]
            weights.move(there, 1 if code else -1)
            since, highest = since + 1, max([highest, *(i + 1 for i, _ in there)])
            if since > find_patience(phase) * math.log(2.0 * max(highest + weights.bias, 1)):
                phase, since, highest = phase + 1, 0, 0
                weights = start(phase)
    return run

def check_updates(certificate, table):
    """Refuse words that are not those of a theorem about updates."""
    certificate.require(counts="updates", count=None, scope="sequence", exact=True, marks=[])
    need(type(certificate.bound) is int, f"the bound must be a whole number, got {certificate.bound!r}")
    need(certificate.theorem in table, f"no theorem here is called {certificate.theorem!r}")
    need(certificate.promise == table[certificate.theorem], f"its promise is: {table[certificate.theorem]}")

def check_winnow(certificate, rounds):
    """Weights as whole powers of the promotion."""
    about = certificate.learner
    words = ("promotion", "threshold", "margin", "floor")
    require_words(about, ("name", "eliminate", "strict_gt", "real", *words), ["classes"])
    if about["real"] is True: raise NotCovered("attributes between 0 and 1 are not covered here")
    sound = all(is_number(about[name], 0) for name in words)
    sound = sound and all(type(about[name]) is bool for name in ("eliminate", "strict_gt", "real"))
    need(sound, f"no learner has parameters {about}")
    promotion, threshold, margin, least = (float(about[name]) for name in words)
    eliminate, strict = about["eliminate"], about["strict_gt"]
    sound = 1 < promotion <= 2.0**64 and 0 <= margin < threshold <= 2.0**512 and least <= 1
    need(sound and not (eliminate and least), f"no learner has parameters {about}")
    need(746 / math.log(promotion) <= 2**20 - 2, "so close to 1 weights are floats and no exact powers")
    b, lowest = Fraction(promotion), None
    if least:
        lowest = -round(-math.log(least) / math.log(promotion))
        need(b**lowest == Fraction(least), "the floor is no power of the promotion")
    above, below = Fraction(threshold + margin), Fraction(threshold - margin)
    need(below >= Fraction(1, 2**900), "the threshold is so small that weights near it underflow")
    game = Game(certificate, rounds, 2)
    need(all(x in (0, 1) for row in game.entries for _, x in row), "an attribute is neither 0 nor 1")
    low = round(math.log(least) / math.log(promotion)) if least else GONE + 1
    levels = (threshold - margin, threshold, threshold + margin, (not strict, not strict, strict))
    weights = Powers(promotion, False, low, eliminate)
    if certificate.rounds:
        run = play_powers(game, certificate.rows, lambda phase: weights, lambda phase: inf, levels)
        run.require_same(certificate, False)
    check_updates(certificate, WINNOW)
    steps = WinnowSteps(game, certificate.updated, Powers(promotion, False, low, eliminate), (above, below, strict))
    if certificate.theorem == DRIFT:
        plain = promotion == 2 and lowest == -1 and margin == 0 and not strict and not steps.differing
        need(plain, "drift is covered for promotion 2, floor 1/2 and margin 0")
        most = bound_drift(certificate.witness, steps, Fraction(threshold))
    else:
        need(lowest is None, "a floor is covered by the theorem on drift")
        most = bound_winnow(certificate, steps, b)
    need(certificate.bound == most, f"the witness does not give {certificate.bound} but {most}")

class WinnowSteps:
    """The rows of promotions and demotions, and what decisions that rounding turned added to the weights."""
    def __init__(self, game, updated, weights, levels):
        self.above, self.below, self.strict = levels
        self.rows, self.excess, self.highest, self.differing = [], Fraction(0), Fraction(0), 0
        b, power, eliminate = Fraction(weights.base), {}, weights.eliminate
        for t in updated:
            row, up = [i for i, x in game.entries[t] if x], bool(game.codes[t])
            entries = [(i, 1.0) for i in row]
            near, goal = weights.score(entries), self.above if up else self.below
            over = near - float(goal) if up else float(goal) - near
            if over > -(near * (len(row) + 16) * 2.0**-49 + (len(row) + 1) * 2.0**-1000):
                exponents = [k for k in (weights.exponents.get(i, 0) for i in row) if k != GONE]
                for k in exponents: power.setdefault(k, b**k)
                total = sum((power[k] for k in exponents), Fraction(0))
                over = total - goal if up else goal - total
                if not (over < 0 or (over == 0 and up == self.strict)):
                    self.excess += over * (b - 1 if up else 1 if eliminate else 1 - 1 / b)
                    self.highest = max(self.highest, total) if up else self.highest
                    self.differing += 1
            weights.move(entries, 1 if up else -1)
            self.rows.append((row, up))
        self.attributes = len({i for row, _ in self.rows for i in row})

def bound_winnow(certificate, steps, b):
    """The most updates that the theorem allows with this witness."""
    witness, eliminate = certificate.witness, certificate.learner["eliminate"]
    require_words(witness, ("attributes", "numerators", "promoted", "demoted"))
    need(eliminate == (certificate.theorem == ELIMINATION), "elimination has a theorem of its own")
    attributes, numerators, p, q = (witness[name] for name in ("attributes", "numerators", "promoted", "demoted"))
    whole = all(type(k) is int for k in (*attributes, *numerators, p, q)) and len(attributes) == len(numerators)
    need(whole and len(set(attributes)) == len(attributes), "malformed witness")
    need(min((*numerators, q)) >= 0 and p > 0, "a target has no negative weights")
    target = dict(zip(attributes, numerators))
    sums = [(sum(target.get(i, 0) for i in row), up) for row, up in steps.rows]
    up = sum(max(0, p - total) for total, promoted in sums if promoted)
    down = sum(max(0, total - q) for total, promoted in sums if not promoted)
    need(certificate.theorem == SLACK or (down == 0 and (eliminate or up == 0)), "the witness has slack")
    if certificate.theorem == DISJUNCTION: need(q == 0 and all(k == p for k in numerators), "that is no disjunction")
    need(q == 0 or not eliminate, "an eliminated attribute may have no weight in the witness")
    above, below, d = steps.above, steps.below, steps.attributes + steps.excess
    left = p - b * q * above / below
    need(left > 0, "the levels are too close for this promotion")
    exponent = find_power(b, max(above, steps.highest), steps.strict or steps.highest >= above)
    promoted = floor((sum(numerators) * exponent + up + down + q * b / (b - 1) * d / below) / left)
    if eliminate: return promoted + floor((d + promoted * (b - 1) * above) / below)
    demoted = b / (b - 1) * d / below + b * above / below * promoted
    return promoted + max(0, math.ceil(demoted) - 1)

def find_power(factor, goal, beyond):
    """The least j >= 0 with factor^j >= goal, or > goal."""
    j = max(0, floor((math.log(goal.numerator) - math.log(goal.denominator)) / math.log(factor)) - 1)
    need(j < 10**5, "the promotion is too close to 1")
    while j > 0 and factor ** (j - 1) >= goal: j -= 1
    while factor**j < goal or (beyond and factor**j == goal): j += 1
    return j

def bound_drift(witness, steps, theta):
    """Additions to the schedule, each times the doublings from 1/2 on; demotions by the sum of all weights."""
    require_words(witness, ["schedule"])
    schedule = witness["schedule"]
    starts = [first for first, _ in schedule]
    whole = all(type(i) is int for first, names in schedule for i in (first, *names))
    rising = starts == sorted(set(starts)) and starts[:1] == [0] * (len(steps.rows) > 0)
    need(whole and rising, "malformed schedule")
    named, additions, now = dict(schedule), 0, set()
    for place, (row, up) in enumerate(steps.rows):
        if place in named: additions, now = additions + len(set(named[place]) - now), set(named[place])
        need(bool(now & set(row)) == up, f"the schedule does not label update {place}")
    d = steps.attributes
    need(d < 2 * theta, "too many attributes for the threshold")
    promoted = additions * find_power(Fraction(2), 2 * theta, False)
    return promoted + floor((2 * d + 4 * promoted * theta) / (2 * theta - d + 1))

SUMMED = "its shortfalls (g - u.z)+ summed"
BALANCED = {
    "Balanced Winnow (Littlestone 1989)": "some u with |u|_1 = 1 has u.z >= g > 0 on every update round",
    "Balanced Winnow, margin with slack (Littlestone 1989)":
        f"any u with |u|_1 = 1 and margin g > 0, {SUMMED} over the update rounds",
}
PHASED = {"Balanced Winnow, phase by phase (Littlestone 1989)":
          f"phases end at their caps; in the last any u with |u|_1 = 1, {SUMMED}"}
DOWN, UP, HALF = Context(prec=50, rounding=ROUND_FLOOR), Context(prec=50, rounding=ROUND_CEILING), Context(prec=50)

def enclose_ln(value):
    """Fractions below and above the logarithm of a positive number."""
    parts = Decimal(value.numerator), Decimal(value.denominator)
    low, high = (Fraction(HALF.ln(context.divide(*parts))) for context in (DOWN, UP))
    return low - Fraction(1, 10**49) * (1 + abs(low)), high + Fraction(1, 10**49) * (1 + abs(high))

def enclose_patience(phase, highest):
    """How many updates a phase lasts, 2 ln(2n) / d^2: fractions below and above it and the run's own float."""
    scale = 2 / Fraction(max(2.0**-phase, 2.0**-14)) ** 2
    low, high = enclose_ln(Fraction(2 * max(highest, 1)))
    return scale * low * (1 - Fraction(1, 2**49)), scale * high * (1 + Fraction(1, 2**49))

class Phase:
    """One phase: exact exponents, the rows that taught it, its highest attribute, and what rounding let it exceed."""
    def __init__(self, base):
        self.base, self.exponents, self.rows, self.highest, self.excess = base, {}, [], 0, Fraction(0)

    def learn(self, row, y):
        near = size = 0.0
        for i, x in row:
            k = self.exponents.get(i, 0)
            need(abs(k) <= 4000, "an exponent beyond 4000 is not written out")
            high, low = round_power(float(self.base), abs(k)), round_power(float(self.base), -abs(k))
            near, size = near + x * math.copysign(high - low, k) * (k != 0), size + high
        if not y * near < -size * (len(row) + 16) * 2.0**-45:
            exact = sum((x * (self.base ** self.exponents.get(i, 0) - self.base ** -self.exponents.get(i, 0))
                         for i, x in row), Fraction(0))
            self.excess += max(Fraction(0), y * exact)
        for i, x in row:
            self.exponents[i] = self.exponents.get(i, 0) + y * x
            self.highest = max(self.highest, i + 1)
        self.rows.append((row, y))

def check_balanced_winnow(certificate, rounds):
    """Exponents as whole numbers, logarithms between two decimals."""
    about = certificate.learner
    require_words(about, ("name", "factor", "margin", "bias", "real"), ["classes"])
    factor, margin, bias = about["factor"], about["margin"], about["bias"]
    sound = type(bias) is int and bias in (0, 1) and None in (factor, margin)
    sound = sound and (factor is None or is_number(factor, math.exp(2.0**-14), False, 2.0**64 * 1.5))
    need(sound and (margin is None or is_number(margin, 2.0**-14, False, 1)), f"no learner has parameters {about}")
    need(factor is None or factor <= 2.0**64, f"no learner has parameters {about}")
    game = Game(certificate, rounds, 2)
    need(all(abs(x) in (0, 1) for row in game.entries for _, x in row), "an attribute is none of -1, 0 and 1")
    phased = factor is None and margin is None

    def find_base(phase):
        d = max(2.0**-phase, 2.0**-14) if margin is None else float(margin)
        return sqrt((1 + d) / (1 - d)) if factor is None else float(factor)

    def find_patience(phase): return 2 / max(2.0**-phase, 2.0**-14) ** 2 if phased else inf
    if certificate.rounds:
        start = lambda phase: Powers(find_base(phase), True, bias=bias)  # noqa: E731
        levels = (0.0, 0.0, 0.0, (True, False, True))
        play_powers(game, certificate.rows, start, find_patience, levels).require_same(certificate, False)
    check_updates(certificate, PHASED if phased else BALANCED)
    phases = [Phase(Fraction(find_base(1)))]
    for t in certificate.updated:
        row = [(-1, 1)] * bias + [(i, int(x)) for i, x in game.entries[t] if x]
        phases[-1].learn(row, 1 if game.codes[t] else -1)
        if phased:
            low, high = enclose_patience(len(phases), phases[-1].highest + bias)
            need(not low < len(phases[-1].rows) <= high, "rounding may have decided when a phase ended")
            if len(phases[-1].rows) > high: phases.append(Phase(Fraction(find_base(len(phases) + 1))))
    caps = [floor(enclose_patience(k, phase.highest + bias)[1]) + 1 for k, phase in enumerate(phases[:-1], 1)]
    witness, bound, last = certificate.witness, certificate.bound, phases[-1]
    require_words(witness, ("margin", "attributes", "numerators", "caps"))
    need(witness["caps"] == caps, f"the phases that ended have caps {caps}")
    need(bound >= sum(caps), f"the caps alone add up to {sum(caps)}")
    total = gain = Fraction(0)
    if last.rows:
        total, gain = measure_balanced(witness, last, certificate.theorem == "Balanced Winnow (Littlestone 1989)")
        need(gain > 0, "the margin is too small for the factor")
        need((bound - sum(caps) + 1) * gain > total, f"the witness does not give {bound}")
    if bound > sum(caps):
        loose = not last.rows or (bound - sum(caps)) * gain > total * (1 + Fraction(1, 2**30))
        need(not loose, f"the witness gives less than {bound}")

def measure_balanced(witness, phase, clean):
    """No less than ln 2n - H(|u|) + h (shortfalls) + excess, and no more than h g - ln cosh h."""
    attributes, numerators = witness["attributes"], witness["numerators"]
    whole = all(type(k) is int for k in (*attributes, *numerators)) and type(witness["margin"]) is float
    whole = whole and len(attributes) == len(numerators)
    need(whole and len(set(attributes)) == len(attributes), "malformed witness")
    size, margin = sum(map(abs, numerators)), Fraction(witness["margin"])
    need(size > 0 and margin > 0, "the witness is empty or its margin not positive")
    u, short, met = dict(zip(attributes, numerators)), Fraction(0), set(attributes)
    for row, y in phase.rows:
        short += max(Fraction(0), margin * size - y * sum(u.get(i, 0) * x for i, x in row))
        met.update(i for i, _ in row)
    need(short == 0 or not clean, "the witness lacks its margin on an update round")
    shares = [Fraction(abs(k), size) for k in numerators if k]
    entropy = sum((share * enclose_ln(1 / share)[0] for share in shares), Fraction(0))
    low, high = enclose_ln(phase.base)
    growth, n = enclose_ln((phase.base + 1 / phase.base) / 2)[1], 2 * len(met)
    return enclose_ln(Fraction(n))[1] - entropy + high * short / size + phase.excess / n, low * margin - growth

# ------------------------------------------------------------------------------------------------------- finite classes
CLASSES = {"Thresholds": {"n"}, "Intervals": {"n"}, "Parities": {"n"}, "Rectangles": {"m", "d", "empty"},
           "Conjunctions": {"n", "k", "monotone"}, "Disjunctions": {"n", "k", "monotone"}}

def read_call(text):
    """The name and the numbers of a call such as Thresholds(n=6), which is never run."""
    call = ast.parse(text, mode="eval").body if len(text) < 1000 else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args: return text, {}
    return call.func.id, {part.arg: ast.literal_eval(part.value) for part in call.keywords}

class Concepts:
    """A class by its name as the certificate writes it: how many concepts, what each says and is called."""
    def __init__(self, text):
        name, given = read_call(text)
        self.text, self.kind, n = text, name, given.get("n", given.get("m"))
        if CLASSES.get(name) != set(given) or type(n) is not int or given.get("k") is not None:
            raise NotCovered(f"the class {text} is not covered here")
        self.n, self.d, self.empty = n, given.get("d", 1), given.get("empty", True)
        self.bits, self.grid, self.base = name[0] in "PCD", name == "Rectangles", 2 if given.get("monotone") else 3
        whole = n >= (name in ("Intervals", "Rectangles")) and type(self.d) is int and self.d >= 1
        need(whole and type(self.empty) is bool, f"no class is {text}")
        small, intervals = (n if self.bits else self.d) <= 40, n * (n + 1) // 2
        sizes = {"Thresholds": n + 2, "Intervals": intervals + 1, "Rectangles": intervals**min(self.d, 40) + self.empty}
        self.size = sizes.get(name, (2 if name == "Parities" else self.base) ** min(n, 40))
        if not small or (self.size > 2**17 and name != "Thresholds"):
            raise NotCovered(f"{text} has too many concepts to be listed here")
    def read(self, one):
        """An instance of a round: a whole number, or a tuple of them."""
        many = self.n if self.bits else self.d if self.grid else 1
        top, x = 1 if self.bits else self.n - (self.kind != "Thresholds"), one.instance
        if one.entries is not None:
            row = dict(one.entries)
            need(all(i < many for i in row), f"an instance of {self.text} has {many} attributes")
            x = [row.get(i, 0) for i in range(many)]
            x = x if self.bits or self.grid else x[0]
        values = x if self.bits or self.grid else [x]
        good = type(values) is list and len(values) == many
        good = good and all(type(v) in (int, float, bool) and 0 <= v <= top and v == int(v) for v in values)
        need(good, f"no instance of {self.text} is {x!r}")
        return tuple(map(int, values)) if self.bits or self.grid else int(x)
    def list_instances(self):
        if not (self.bits or self.grid): return range(self.n + (self.kind == "Thresholds"))
        return product(range(2 if self.bits else self.n), repeat=self.n if self.bits else self.d)
    def find_sides(self, number):
        """The intervals of a box, none of the empty one."""
        rest, base, sides = number - self.empty, self.n * (self.n + 1) // 2, []
        for _ in range(self.d if rest >= 0 else 0):
            b = (isqrt(8 * (rest % base) + 1) - 1) // 2
            sides.append((rest % base - b * (b + 1) // 2, b))
            rest //= base
        return sides
    def list_literals(self, number):
        digits = [(place, number // self.base**place % self.base) for place in range(self.n)]
        return [(place, digit == 2) for place, digit in digits if digit]
    def label(self, number, x):
        """What a concept says of an instance."""
        if self.kind == "Thresholds": return int(x >= number)
        if self.kind == "Parities": return sum(bit for place, bit in enumerate(x) if number >> place & 1) % 2
        if self.bits:
            true = [x[place] != negated for place, negated in self.list_literals(number)]
            return int(all(true) if self.kind == "Conjunctions" else any(true))
        sides = self.find_sides(number)
        return int(bool(sides) and all(a <= v <= b for (a, b), v in zip(sides, x if self.grid else (x,))))
    def name(self, number):
        if self.kind == "Thresholds": return f"x >= {number}"
        if self.kind == "Parities":
            members = [f"x{place + 1}" for place in range(self.n) if number >> place & 1]
            return " + ".join(members) + " mod 2" if members else "0"
        if self.bits:
            both, words = self.kind[0] == "C", [f"{'not ' * no}x{i + 1}" for i, no in self.list_literals(number)]
            return (" and " if both else " or ").join(words) or ("true" if both else "false")
        return " x ".join(f"[{a}, {b}]" for a, b in self.find_sides(number)) or "empty"

class Survivors:
    """The concepts that agree with all rounds so far; thresholds are a range, others are listed."""
    def __init__(self, concepts): self.concepts, self.votes, self.left = concepts, {}, range(concepts.size)
    def split(self, x):
        """The survivors by what they say of x."""
        if self.concepts.kind == "Thresholds":
            at = min(max(x + 1, self.left.start), self.left.stop)
            return range(at, self.left.stop), range(self.left.start, at)
        if x not in self.votes:
            said = [self.concepts.label(number, x) for number in self.left]
            self.votes[x] = tuple([number for number, y in zip(self.left, said) if y == label] for label in (0, 1))
        return self.votes[x]
    def keep(self, x, y):
        """Leave those that say y of x; whether any was dropped."""
        kept = self.split(x)[y]
        need(len(kept) > 0, f"no concept that agrees with the rounds before gives {x} this label")
        cut = len(kept) < len(self.left)
        if cut: self.left, self.votes = kept, {}
        return cut

def mix_bits(word):
    """One step of splitmix64."""
    word = (word + 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)

def draw_bits(seed, number):
    """64 fair bits for a round of the game with this seed."""
    return mix_bits(mix_bits(seed & (2**63 - 1)) ^ number)

def pick(seed, number, among):
    bits = draw_bits(seed, number)
    return (bits << 64 | mix_bits(bits ^ MASK)) * among >> 128

def harmonic(last, first):
    """1/first + ... + 1/last."""
    if last - first < 8: return sum((Fraction(1, k) for k in range(first, last + 1)), Fraction(0))
    return harmonic((first + last) // 2, first) + harmonic(last, (first + last) // 2 + 1)

class Dimension:
    """Littlestone's dimension of parts of a small class, by its definition."""
    def __init__(self, concepts):
        instances = list(concepts.list_instances())
        if len(instances) * concepts.size > 2**18: raise NotCovered("the class is too large for its dimension")
        columns = [tuple(concepts.label(number, x) for x in instances) for number in range(concepts.size)]
        places = {column: place for place, column in enumerate(sorted(set(columns)))}
        self.bits, self.known = [places[column] for column in columns], {}
        self.splits = {sum(1 << place for column, place in places.items() if column[j]) for j in range(len(instances))}
    def find(self, members):
        part, d = sum(1 << bit for bit in {self.bits[number] for number in members}), -1
        while self.reaches(part, d + 1): d += 1
        return d
    def reaches(self, part, d):
        """Whether a part has dimension at least d: an instance splits it into two that have at least d - 1."""
        count = bin(part).count("1")
        if count < 1 << d or d < 2: return count >= 1 << d
        if (part, d) not in self.known:
            if len(self.known) > 10**5: raise NotCovered("the class is too large for its dimension")
            sides = {(part & split, part & ~split) for split in self.splits}
            self.known[part, d] = any(self.reaches(a, d - 1) and self.reaches(b, d - 1) for a, b in sides)
        return self.known[part, d]

def claim(theorem, promise, bound, witness, counts="mistakes", scope="sequence", count=None):
    """What a certificate must say besides the counts of mistakes and updates."""
    claimed = {"theorem": theorem, "promise": promise, "bound": bound, "witness": witness}
    return dict(claimed, counts=counts, scope=scope, exact=True, count=count)

class Filtering:
    """Halving and its kin: drop the concepts that a round contradicts."""
    NAMES = {"Halving": "Halving (Barzdin and Freivald 1972, Angluin 1988)", "Consistent":
             "Consistent learner (Gold 1967, Mitchell 1982)", "RandomizedHalving": "Randomized halving (Maass 1991)",
             "StandardOptimal": "Standard optimal algorithm (Littlestone 1988)"}
    def __init__(self, about, concepts, seed):
        self.name, self.choice, self.concepts, self.seed = about["name"], about.get("choice"), concepts, seed
        self.space, self.rounds, self.cuts, self.expected = Survivors(concepts), 0, 0, Fraction(0)
        self.dimension = Dimension(concepts) if self.name == "StandardOptimal" else None
        need(self.name != "Consistent" or self.choice in ("lowest", "random"), f"no choice is {self.choice!r}")
    def guess(self, x):
        no, yes = self.space.split(x)
        if self.name == "Halving": return int(len(yes) > len(no))
        if self.dimension: return int(self.dimension.find(yes) > self.dimension.find(no))
        at, left = self.rounds if self.name == "RandomizedHalving" else self.cuts, self.space.left
        return self.concepts.label(left[0 if self.choice == "lowest" else pick(self.seed, at, len(left))], x)
    def learn(self, x, y, guess):
        before, cut = len(self.space.left), self.space.keep(x, y)
        self.rounds, self.cuts = self.rounds + 1, self.cuts + cut
        self.expected += Fraction(before - len(self.space.left), before)
        return cut
    def conclude(self):
        name, size, left, theorem = self.name, self.concepts.size, self.space.left, self.NAMES[self.name]
        promise = f"one of the {size} concepts of {self.concepts.text} labels every round"
        witness = {"concept": left[0], "name": self.concepts.name(left[0]), "concepts": size, "survivors": len(left)}
        if name == "Halving": return claim(theorem, promise, (size // len(left)).bit_length() - 1, witness)
        if name == "Consistent": return claim(theorem, promise, size - len(left), witness)
        if name == "StandardOptimal":
            whole, rest = self.dimension.find(range(size)), self.dimension.find(left)
            return claim(theorem, promise, whole - rest, {**witness, "dimension": whole, "dimension left": rest})
        if size > 2**13: raise NotCovered("an expectation over more than 8192 concepts is not covered here")
        promise, bound = promise + ", and no label depends on the learner's coins", harmonic(size, len(left) + 1)
        return claim(theorem, promise, bound, witness, "expected mistakes", "expectation", self.expected)

class Literals:
    """Elimination: drop the literals that fire where the other label is right."""
    def __init__(self, about, attributes, declared):
        target, monotone = about["target"], about["monotone"]
        known = target in ("disjunction", "conjunction") and type(monotone) is bool and attributes >= 0
        need(known, f"no learner has parameters {about}")
        self.kind, self.decided = f"{'monotone ' * monotone}{target}", int(target == "disjunction")
        self.monotone, self.n, self.declared = monotone, attributes, declared
        self.on, self.off = not monotone or self.decided == 1, not monotone or self.decided == 0
        self.dropped, self.left = set(), None if self.off else set()  # None: all of them
    def fires(self, active):
        if self.on and active - self.dropped: return True
        if self.left is None: return not self.declared or len(active) < self.n
        return not self.left <= active
    def guess(self, x): return self.decided if self.fires(x) else 1 - self.decided
    def learn(self, x, y, guess):
        fires = self.fires(x)
        need(fires or y != self.decided, f"no {self.kind} labels every round")
        if y == self.decided or not fires: return False
        self.dropped |= x
        self.left = set(x) if self.left is None else self.left & x
        return True
    def conclude(self):
        on = set(range(self.n)) - self.dropped if self.on else set()
        off = set(range(self.n)) if self.left is None else self.left
        words, left = [write_runs(on), write_runs(off)], len(on) + len(off)
        plain, negated = words if self.decided else words[::-1]
        more = int(not self.declared and self.decided == 0) if self.monotone else 1
        witness = {"attributes": self.n, "literals": left, "plain": plain, "negated": negated}
        promise = f"a {self.kind} labels every round"
        return claim("Elimination (Valiant 1984)", promise, max(0, self.n + more - left), witness)

def write_runs(attributes):
    """Attributes, counted from 1, as ranges such as "x1-x5 x100"."""
    firsts = sorted(i for i in attributes if i - 1 not in attributes)
    lasts = sorted(i for i in attributes if i + 1 not in attributes)
    return " ".join(f"x{a + 1}" if a == b else f"x{a + 1}-x{b + 1}" for a, b in zip(firsts, lasts))

class Boxes:
    """Closure: positive inside the smallest box around the positive points."""
    def __init__(self, concepts): self.concepts, self.low, self.high = concepts, [], []
    def guess(self, x): return int(bool(self.low) and all(a <= v <= b for a, v, b in zip(self.low, x, self.high)))
    def learn(self, x, y, guess):
        need(y >= guess, f"no box holds the positive points and not {x}")
        if y > guess: self.low, self.high = [list(map(f, p or x, x)) for f, p in ((min, self.low), (max, self.high))]
        return y > guess
    def conclude(self):
        n, d = self.concepts.n, self.concepts.d
        promise = f"a box on the grid of {n} points a side in {d} dimensions labels every round"
        bound, box = 1 + sum(self.high) - sum(self.low) if self.low else 0, [self.low, self.high] if self.low else None
        return claim("Closure (Helmbold, Sloan and Warmuth 1990)", promise, bound, {"box": box})

class Memory:
    """Memorizer: the label that the instance had, 0 for a new one."""
    def __init__(self): self.labels = {}
    def guess(self, x): return self.labels.get(x, 0)
    def learn(self, x, y, guess):
        new = x not in self.labels
        need(self.labels.setdefault(x, y) == y, f"{x!r} has two labels")
        return new
    def conclude(self):
        met, promise = len(self.labels), "the label is a function of the instance"
        return claim("Memorizer (Samuel 1959)", promise, met, {"instances": met})

class Conservative:
    """Another rule, shown only the rounds that it guesses wrong."""
    def __init__(self, inner): self.inner, self.shown, self.guess = inner, 0, inner.guess
    def learn(self, x, y, guess):
        if guess != y: self.inner.learn(x, y, guess)
        self.shown += guess != y
        return guess != y
    def conclude(self):
        inner = self.inner.conclude()
        need(inner["counts"] != "expected mistakes", "an expectation says nothing of rounds that depend on its coins")
        witness = {"rounds shown": self.shown, "agreeing with them": inner["witness"]}
        return dict(inner, witness=witness, theorem=f"Conservative conversion (Littlestone 1989) of {inner['theorem']}")

def to_tuples(value): return tuple(map(to_tuples, value)) if isinstance(value, list) else value

def check_finite(certificate, rounds):
    """Learners over finite classes, literals, boxes and instances: what the rounds give must be what is claimed."""
    need(certificate.rows is None, "no sum depends on how rows are held")
    about = {key: value for key, value in certificate.learner.items() if key not in ("real", "classes", "seed")}
    wrapped, witness = 0, certificate.witness
    while about["name"] == "Conservative":
        require_words(about, ("name", "learner"))
        about, wrapped, witness = about["learner"], wrapped + 1, witness["agreeing with them"]
    name, own = about["name"], {"Consistent": ["choice"], "Elimination": ["target", "monotone"]}
    if find_check(name) is not check_finite: raise NotCovered(f"{name} inside Conservative is not covered here")
    listed = name not in ("Elimination", "Memorizer")
    require_words(about, ["name", *own.get(name, []), *["concepts"] * listed])
    concepts = Concepts(about["concepts"]) if listed else None
    declared, seed = certificate.learner.get("classes", []), certificate.learner.get("seed", 0)
    need(not listed or declared == [False, True], f"no classes are {declared}")
    tosses = name == "RandomizedHalving" or about.get("choice") == "random"
    need(type(seed) is int and (tosses or "seed" not in certificate.learner), "only coins have a seed")
    need(len(rounds) >= certificate.rounds, f"the data have {len(rounds)} rounds, not {certificate.rounds}")
    rounds = rounds[: certificate.rounds]
    codes, _ = number_labels([one.label for one in rounds], declared, 2**31 if name == "Memorizer" else 2)
    if listed: points = hashed = [concepts.read(one) for one in rounds]
    else:
        hashed = [to_tuples(one.instance) if one.entries is None else one.entries for one in rounds]
        points = [tuple(sorted(e for e in row if e[1] != 0)) if isinstance(row, list) else row for row in hashed]
    need(fingerprint(hashed, codes) == certificate.stream, "the rounds are not those of the certificate")
    if name == "Elimination":
        n = witness["attributes"]
        need(type(n) is int, "attributes are counted")
        need(all(i < n and x == 1 for row in points for i, x in row), f"a row is not {n} attributes that are 0 or 1")
        points = [{i for i, _ in row} for row in points]
        players = [Literals(about, n, known) for known in (True, False)]  # declared before the first round, or not
    elif name == "Closure":
        need(concepts.kind == "Rectangles", f"no boxes are {concepts.text}")
        players = [Boxes(concepts)]
    else: players = [Memory()] if name == "Memorizer" else [Filtering(about, concepts, seed)]
    problem = None
    for player in players:
        for _ in range(wrapped): player = Conservative(player)
        try:
            run = Run()
            for number, (x, y) in enumerate(zip(points, codes)):
                guess = player.guess(x)
                moved = player.learn(x, y, guess)
                run.note(number, guess != y or (number == 0 and is_surprise(rounds, declared)), int(moved))
            run.require_same(certificate, False)
            return certificate.require(**player.conclude())
        except Refused as found: problem = found
    raise problem

# -------------------------------------------------------------------------------------------------------------- verdict
CHECKS = {"Winnow": check_winnow, "BalancedWinnow": check_balanced_winnow}
CHECKS.update(dict.fromkeys(["Perceptron", "AveragedPerceptron", "VotedPerceptron", "AggressivePerceptron",
                             "PassiveAggressive", "Alma", "Romma", "Network"], check_additive))
CHECKS.update(dict.fromkeys(["Halving", "RandomizedHalving", "Consistent", "StandardOptimal", "Elimination", "Closure",
                             "Memorizer", "Conservative"], check_finite))
EXPERTS = ("WeightedMajority", "RandomizedWeightedMajority", "ImprovedMajority", "FollowTheLeader", "Hedge", "AdaHedge",
           "FixedShare", "Aggregating")  # which have a file of their own beside this one

def find_check(name):
    """The check of a learner by its name."""
    if name in CHECKS: return CHECKS[name]
    if name not in EXPERTS: raise NotCovered(f"{name} is not covered here")
    sys.modules.setdefault("littlestone_verify", sys.modules[__name__])
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    try:
        from littlestone_verify_experts import check_advice
    except ImportError:
        raise NotCovered("experts need littlestone_verify_experts.py beside this file") from None
    return check_advice

def verify(text, name, data):
    """Check a certificate against data; raises `Refused`, `NotCovered` or `BadData`, or returns what was verified."""
    try:
        certificate = Certificate(text)
        about = certificate.learner
        need(type(about.get("name")) is str, "it does not say of which learner it speaks")
        check = find_check(about["name"])
        if "mixing" in about: raise NotCovered("runs over shards are not covered here")
        types = (False, True) if about["name"] == "Winnow" else ("float32", "float64")  # there it is a switch
        need("real" not in about or about["real"] in types, f"no weights are of type {about.get('real')!r}")
        check(certificate, read_data(name, data, certificate))
        need(certificate.counted <= certificate.bound, f"{certificate.counted} exceeds the bound {certificate.bound}")
        return certificate
    except MALFORMED as problem: raise Refused(f"it is malformed: {problem!r}") from problem

def main(arguments):
    """Verify the certificate and the data that are named; the exit status."""
    try:
        wants(len(arguments) == 2, "usage: python littlestone_verify.py certificate.json data")
        with open(arguments[0], encoding="utf-8") as file, open(arguments[1], "rb") as rounds:
            true = verify(file.read(), arguments[1], rounds.read())
    except Refused as problem: status, line = 1, f"false: {problem}"
    except NotCovered as problem: status, line = 2, f"not covered here: {problem}"
    except (BadData, OSError, UnicodeDecodeError) as problem: status, line = 2, f"cannot be read: {problem}"
    else:
        how = "exactly" if true.exact else "the counts exactly, the theorem up to the rounding of the run"
        told = f"{true.counted} {true.counts} <= {true.bound} over {true.rounds} rounds"
        status, line = 0, f"true: {told}, {how} ({true.theorem})"
    print(line)
    return status

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
