"""Verify a certificate of Littlestone against its data, with Python's standard library (3.9 or later) and nothing else.
    python littlestone_verify.py certificate.json data.svm
The run is played again operation by operation in IEEE floats, the theorem is checked in fractions. One line is printed;
the exit status is 0 if the certificate is true of the data, 1 if it is not, and 2 if it is not covered here or the data
cannot be read. A learner that is not in CHECKS is not covered, and never accepted. Data are svmlight, CSV,
label<TAB>text, or what `littlestone rounds DATA` writes. docs/certificate-format.md, version 2, says what it all means.
"""
import ast, csv, hashlib, io, json, math, re, struct, sys  # noqa: E401
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import floor, fsum, inf, isqrt, sqrt

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, SyntaxError)
class Refused(Exception): """The certificate is not true of the data."""
class NotCovered(Exception): """It may be true: this program does not know."""
class BadData(Exception): """Data that cannot be read."""
NIL = Fraction(0)
def need(condition, why, problem=Refused):  # refuse a certificate unless a condition holds
    if not condition: raise problem(why)
def cover(condition, why): need(condition, why, NotCovered)
def wants(condition, why): need(condition, why, BadData)

# ---------------------------------------------------------------------------------------------- the certificate itself
FIELDS = ["theorem", "promise", "counts", "mistakes", "updates", "bound", "witness", "scope", "exact", "count"]
FIELDS += ["rounds", "learner", "stream", "updated", "marks", "version", "slack", "holds", "digest"]
class Certificate:  # the fields of a certificate, each of the kind that it must be
    def __init__(self, text):
        record = json.loads(text, object_pairs_hook=_read_object, parse_constant=_refuse_constant)
        need(type(record) is dict, "a certificate is one JSON object")
        version = record.get("version")
        cover(version not in (None, 1) or type(version) is bool, "littlestone convert-certificate makes it version 2")
        need(type(version) is int and version == 2, f"no version is {version!r}")
        need(set(FIELDS) <= set(record) <= {*FIELDS, "rows", "columns"}, f"its fields are {sorted(record)}")
        digest, plain = record.pop("digest"), json.dumps(record, sort_keys=True).encode()
        need(digest == hashlib.sha256(plain).hexdigest(), "its digest is that of another one")
        claimed = {name: record.pop(name) for name in ("slack", "holds")}
        for name in ("bound", "count"): record[name] = read_number(record[name], name == "count")
        self.__dict__.update({"rows": None, "columns": None}, **record)
        kinds = [type(word) is str for word in (self.theorem, self.promise, self.counts, self.stream)]
        kinds += [told is None or type(told) is dict for told in (self.rows, self.columns)]
        kinds += [type(self.exact) is bool, type(self.learner) is dict, type(self.updated) is type(self.marks) is list]
        whole = (self.mistakes, self.updates, self.rounds, *self.updated, *self.marks)
        kinds += [type(k) is int and k >= 0 for k in whole]
        kinds += [self.scope in ("sequence", "expectation", "iid", "class")]
        need(all(kinds), "a field is not what it should be")
        need(rise([-1, *self.updated, self.rounds]), "the update rounds are not listed in order")
        slack = self.bound - self.counted
        if isinstance(slack, Fraction): slack = int(slack) if slack.denominator == 1 else str(slack)
        need(claimed == {"slack": slack, "holds": self.counted <= self.bound}, "slack and holds do not follow")
        if self.rows is None: return
        form, width, kind = (self.rows[name] for name in ("form", "width", "values"))
        known = form in ("listed", "dense") and kind in ("float32", "float64", "ones") and len(self.rows) == 3
        known = known and type(width) is int and 0 <= width < 2**31 and (form == "dense" or width == 0)
        need(known, f"no rows are held as {self.rows}")
    @property
    def counted(self):  # what the bound is about
        return self.count if self.count is not None else self.updates if self.counts == "updates" else self.mistakes
    def require(self, **expected):  # refuse fields that are not exactly these
        for name, ours in expected.items():
            theirs = getattr(self, name)
            need(is_same(theirs, ours), f"{name} is {ours!r:.99}, not {theirs!r:.99}")
def is_same(a, b):  # equal and of one kind: neither true nor 1.0 stands for 1
    if type(a) is type(b) is dict and set(a) == set(b): return all(is_same(a[name], b[name]) for name in a)
    return a == b and {type(a), type(b)} not in ({int, bool}, {int, float}, {Fraction, float})
def _read_object(pairs):
    need(len(dict(pairs)) == len(pairs), "it says something twice")
    return dict(pairs)
def _refuse_constant(name): raise Refused(f"{name} is not a number")
def rise(numbers): return all(a < b for a, b in zip(numbers, numbers[1:]))
def read_number(value, optional=False):  # an integer, a float or a fraction such as "13/12"
    if isinstance(value, str):
        top, _, bottom = value.partition("/")
        plain = value.isascii() and (top[1:] if top[:1] == "-" else top).isdigit() and bottom.isdigit()
        need(plain and str(Fraction(int(top), int(bottom))) == value, f"{value[:40]!r} is no fraction in lowest terms")
        return Fraction(int(top), int(bottom))
    need(type(value) in (int, float) or (optional and value is None), f"{value!r} is not a number")
    return value
def exactly(value): return value if isinstance(value, Fraction) else Fraction(read_number(value))
def is_number(value, low, strict=False, high=inf):
    return type(value) in (int, float) and (low < value if strict else low <= value) and value < high
def is_flag(value): return type(value) is bool
def is_positive(value): return is_number(value, 0, True)
def is_size(value): return is_number(value, 0)
def is_share(value): return is_positive(value) and value <= 1
def require_words(record, known, further=()):  # refuse a record of other words: nothing would check them
    fits = type(record) is dict and set(known) <= set(record) <= set(known) | set(further)
    need(fits, f"a record has not the words {sorted(known)}")
def read_vector(witness, names=("attributes", "numerators")):  # whole numbers by entries, each of which comes once
    lists = [witness[name] for name in names]
    whole = all(type(part) is list and len(part) == len(lists[0]) for part in lists)
    need(whole and all(type(k) is int for part in lists for k in part), "malformed witness")
    need(all(abs(k) < 2**63 for part in lists[:-1] for k in part), "no attribute or class has a number so large")
    entries = lists[0] if len(lists) == 2 else list(zip(*lists[:-1]))
    need(len(set(entries)) == len(entries), "the witness has an entry twice")
    return dict(zip(entries, lists[-1]))

# ------------------------------------------------------------------------------------------------------------- the data
class Round:  # A label, and either the entries of a row, pairs of attribute and value in their order, or an instance
    def __init__(self, label, entries=None, instance=None):
        self.label, self.entries, self.instance = label, entries, instance
PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FLOAT32 = struct.Struct("<f")
def round32(x):  # the nearest float32; of + - * / and roots in float64 that is the one of the exact result
    try: return _FLOAT32.unpack(_FLOAT32.pack(x))[0]
    except OverflowError: return math.copysign(inf, x)
def same(x): return x
def read_value(text):  # a decimal rounded once, straight to float32: to odd in float64 before, so that no tie is made
    wants(PLAIN.fullmatch(text), f"{text[:40]!r} is no number")
    value = float(text)
    if round32(value) != value and math.isfinite(value):
        exact, there = Fraction(Decimal(text)), Fraction(value)
        if exact != there and not struct.unpack("<q", struct.pack("<d", value))[0] & 1:
            value = math.nextafter(value, inf if exact > there else -inf)
    wants(math.isfinite(round32(value)), f"{text[:40]!r} is beyond float32")
    return round32(value)
def read_label(text):  # A label that is a number
    wants(PLAIN.fullmatch(text) and math.isfinite(float(text)), f"the label {text[:40]!r} is no number")
    return float(text)
def whole_labels(rounds, written):  # labels that are all whole numbers become integers, as they are written
    for one, text in zip(rounds, written if all(one.label == int(one.label) for one in rounds) else ()):
        one.label = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else int(one.label)
    return rounds
def add_duplicates(entries):  # entries in ascending order; values of one attribute are summed in float32 as they come
    sums = {}
    for attribute, value in entries: sums[attribute] = round32(sums[attribute] + value) if attribute in sums else value
    return entries if list(sums) == sorted(sums) and len(sums) == len(entries) else sorted(sums.items())
def read_attribute(text):
    wants(text.isdigit() and text.isascii() and int(text) < 2**31, f"no attribute is {text[:40]!r}")
    return int(text)
def read_svmlight(data):  # label index:value ... # comment
    rounds, written = [], []
    for line in data.decode("latin-1").split("\n"):
        words = [word for word in re.split("[ \t\r]", line.split("#")[0]) if word]
        if not words: continue
        skip = 2 if len(words) > 1 and re.fullmatch("qid:[0-9]+", words[1]) else 1
        entries = [(read_attribute(i), read_value(x)) for i, _, x in (word.partition(":") for word in words[skip:])]
        rounds.append(Round(read_label(words[0]), add_duplicates(entries)))
        written.append(words[0])
    return whole_labels(rounds, written)
MISSING = ("", "?", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "None")
def read_csv(data, columns):  # a table: attributes `column` with a number, or `column=cell`
    cover(columns is not None, "the certificate does not say what the columns are: use littlestone rounds")
    kinds, label = dict(map(tuple, columns["kinds"])), columns["label"]
    plain = not set(kinds.values()) & {"text", "date", "other"} and not columns["optional"]
    cover(plain, "columns of texts or dates: littlestone rounds writes the data plainly")
    wants(b"\0" not in data, "a byte 0 is no text")
    text = data[3 if data[:3] == b"\xef\xbb\xbf" else 0 :].decode("utf-8", "surrogateescape")
    first, names = text.split("\n", 1)[0], [name for name, _ in columns["kinds"]] + [label]
    delimiter = max(",;\t", key=lambda mark: (len(next(csv.reader([first], delimiter=mark))), mark == ","))
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    table = [[cell.strip(" ") for cell in row] for row in table if row]
    header, plain = [name or f"c{j}" for j, name in enumerate(table[0])], [f"c{j}" for j in range(len(table[0]))]
    if set(names) & set(header) and not set(names) <= set(plain): table = table[1:]
    else: header = plain
    wants(len(set(header)) == len(header) and set(names) <= set(header), f"the columns are {header[:8]}")
    dense, numbers, rounds, written = set(kinds.values()) <= {"number", "ignore"}, {}, [], []
    used = [name for name, kind in columns["kinds"] if kind != "ignore"]
    for row in table:
        wants(len(row) == len(header), f"a record has {len(header)} cells, got {len(row)}")
        cells, entries = dict(zip(header, row)), []
        wants(cells[label] not in MISSING, "a label is missing")
        for j, name in enumerate(used):
            cell, nominal = cells[name], kinds[name] != "number"
            value = 0 if cell in MISSING else 1.0 if nominal else read_value(cell)
            if value == 0: continue
            key = f"{name}={cell}" if nominal else name
            entries.append((j if dense else numbers.setdefault(key, len(numbers)), value))
        rounds.append(Round(cells[label] if columns["label_kind"] != "number" else read_label(cells[label]), entries))
        written.append(cells[label])
    return whole_labels(rounds, written) if columns["label_kind"] == "number" else rounds
WORD, MASK, BITS = re.compile(rb"[0-9A-Za-z_\x80-\xff]+"), 2**64 - 1, 22
def hash_word(word, salt=None):  # 64 bits: eight bytes at a time, an exclusive or, a product, a fold; the length last
    groups, hashed = [int.from_bytes(word[at : at + 8], "little") for at in range(0, len(word), 8)], 0x9E3779B97F4A7C15
    for group in [*groups, len(word), 0]: hashed = _mix_in(hashed, group)
    return hashed if salt is None else _mix_in(hashed ^ salt, 0)
def _mix_in(hashed, group):
    mixed = (hashed ^ group) * 0xD6E8FEB86659FD93 & MASK
    return mixed ^ (mixed >> 32)
def read_texts(data):  # label<TAB>text: the words of a text, small letters in ASCII, hashed into 2^22 attributes
    rounds, slots, salt = [], {}, hash_word(bytes(8))
    for line in re.split(b"\r?\n|\r$", data):
        if not line: continue
        (label, tab, text), counts = line.partition(b"\t"), {}
        wants(tab and label, "a line is a label, a TAB and a text")
        for word in WORD.findall(text.lower()):
            if word not in slots: slots[word] = hash_word(word, salt) >> (64 - BITS)
            counts[slots[word]] = counts.get(slots[word], 0.0) + 1.0
        rounds.append(Round(label.decode("utf-8", "surrogateescape"), list(counts.items())))
    return rounds
def read_dyadic(text):  # A whole number, or mpe for m times 2^e
    if text == "nan": return math.nan
    wants(len(text) < 32 and re.fullmatch("-?[0-9]+(p-?[0-9]+)?", text), f"{text[:40]!r} is no dyadic number")
    top, _, power = text.partition("p")
    value = math.ldexp(int(top), int(power or 0))
    wants(Fraction(value) == Fraction(int(top)) * Fraction(2) ** int(power or 0), f"{text!r} is no float")
    return value
def read_lines(data):  # what `littlestone rounds` writes
    lines, rounds, known = data.decode("utf-8").split("\n"), [], {}
    wants(lines.pop() == "" and lines[0] == "littlestone rounds 2", "rounds of another version, or a line without end")
    for line in lines[1:]:
        label, tab, rest = line.partition("\t")
        label = json.loads(label)
        wants(tab and type(label) in (str, int, float, bool), "a round is a label, a TAB and a row")
        pairs = [entry.partition(":") for entry in rest.split(" ")] if rest and rest[0] != "=" else []
        known.update((value, read_dyadic(value)) for _, _, value in pairs if value not in known)
        entries = [(read_attribute(attribute), known[value]) for attribute, _, value in pairs]
        rounds.append(Round(label, None, json.loads(rest[1:])) if rest[:1] == "=" else Round(label, entries))
    return rounds
def read_data(name, data, certificate):  # the rounds of a file, by its first line or its name
    try:
        if data.startswith(b"littlestone rounds "): return read_lines(data)
        if certificate.columns is not None or name.endswith((".csv", ".tsv", ".tab")):
            return read_csv(data, certificate.columns)
        if name.endswith((".svm", ".svmlight", ".libsvm")): return read_svmlight(data)
        cover(name.endswith(".txt"), f"{name} is read as .svm, .csv, .txt or what littlestone rounds writes")
        return read_texts(data)
    except (ValueError, TypeError, LookupError, RecursionError) as problem: raise BadData(repr(problem)) from problem

# ---------------------------------------------------------------------------------------------- labels and fingerprints
def number_labels(labels, declared, limit):  # class numbers, and how many classes there are
    need(type(declared) is list and len(declared) <= limit, f"no classes are {declared!r}")
    names, numbers, out = dict(enumerate(declared)), {name: k for k, name in enumerate(declared)}, []
    need(len(names) == len(numbers), "declared classes must differ from one another")
    for label in labels:
        if label not in numbers:
            number, taken = 0 if label in (False, -1) else 1 if label == 1 else None, len(names)
            if declared: need(declared == [False, True] and number is not None, f"no declared class is {label!r}")
            elif number is None or number in names:
                number = next(k for k in (0, taken - 1, taken) if k >= 0 and k not in names)
            need(number < limit, f"{label!r} is one class too many")
            numbers[label] = number
            names.setdefault(number, label)
        out.append(numbers[label])
    return out, max(2, 1 + max(names, default=0))
def is_surprise(rounds, declared): return bool(rounds) and not declared and rounds[0].label not in (False, -1, True)

def fingerprint(rows, codes):  # one SHA-256 over the bytes of all rounds: entries or instances, classes or outcomes
    whole = hashlib.sha256(b"littlestone rounds 2\n")
    for row, code in zip(rows, codes):
        flag, form = (4, "d") if isinstance(code, float) else (0, "q")
        if not isinstance(row, list):
            text = json.dumps(row, separators=(",", ":"), allow_nan=False).encode()
            whole.update(struct.pack("<II" + form, 3 + flag, len(text), code) + text)
            continue
        row = [entry for entry in row if entry[1] != 0]
        values, n = [value for _, value in row], len(row)
        kind = max([0, *(1 if value == round32(value) else 2 for value in values if value != 1)])
        parts = struct.pack(f"<II{form}{n}I", kind + flag, n, code, *[attribute for attribute, _ in row])
        if kind: parts += struct.pack(f"<{n}{'f' if kind == 1 else 'd'}", *[math.nan if v != v else v for v in values])
        whole.update(parts)
    return whole.hexdigest()
def take_rounds(certificate, rounds):
    need(len(rounds) >= certificate.rounds, f"the data have {len(rounds)} rounds, not {certificate.rounds}")
    return rounds[: certificate.rounds]

class Game:  # the rounds of a certificate as rows, their classes or outcomes, and what is known before the first one
    def __init__(self, certificate, rounds, limit, numbers=False):
        rounds, self.rows = take_rounds(certificate, rounds), certificate.rows
        self.declared, labels = certificate.learner.get("classes", []), [one.label for one in rounds]
        if numbers: self.codes = list(map(float, labels))
        else: self.codes, self.classes = number_labels(labels, self.declared, limit)
        self.surprise, self.met = is_surprise(rounds, self.declared), max(2, len(self.declared))
        need(all(one.entries is not None for one in rounds), "the rounds are not rows of attributes")
        self.entries, self.told = [one.entries for one in rounds], False  # whether a run tells its averages too
        need(fingerprint(self.entries, self.codes) == certificate.stream, "the rounds are not those of the certificate")
    def arrange(self, real):  # rows as the run held them, values in a type: the attributes and the values of each
        cover(self.rows is not None and self.rows["width"] <= 2**22, "rows in several forms, or too wide")
        width = self.rows["width"]
        for entries in self.entries:
            if self.rows["form"] == "dense":
                filled = [0.0] * width
                for attribute, value in entries:
                    if value != 0: filled[attribute] = real(value)  # an attribute beyond the width is an IndexError
                yield range(width), filled
            else: yield [attribute for attribute, _ in entries], [real(value) for _, value in entries]

# ----------------------------------------------------------------------------------------------------------- float runs
ONE_BY_ONE, QUARTERS, LANES, HALVES, FOURS = range(5)
def chain(terms, real, total=0.0):  # the sum of some terms, one after another, every addition rounded
    for term in terms: total = real(total + term)
    return total
def add_up(terms, order, real):  # the sum of some terms in one of the orders of the format
    n, size = len(terms), 8
    if order == QUARTERS:
        a, b, c, d = (chain(terms[k : n - n % 4 : 4], real) for k in range(4))
        return real(real(chain(terms[n - n % 4 :], real, a) + b) + real(c + d))
    if order == LANES:
        whole = n - n % 16
        first = [chain(terms[k:whole:32], real) for k in range(16)]
        second = [chain(terms[16 + k : whole : 32] + terms[whole + k : whole + k + 1], real) for k in range(16)]
        row = [real(a + b) for a, b in zip(first, second)]
        while size: row, size = [real(row[k] + row[k + size]) for k in range(size)], size // 2
        return row[0]
    if order == HALVES: return real(chain(terms[::2], real) + chain(terms[1::2], real))
    if order == ONE_BY_ONE: return chain(terms, real)
    fours = [terms[k : k + 4] for k in range(0, n - n % 4, 4)]
    fours = [real(real(a + b) + real(c + d)) for a, b, c, d in fours]
    return chain(terms[n - n % 4 :], real, chain(fours, real))
def add_products(total, pairs):  # the sum of products in float64, one after another, from a first term on
    for a, b in pairs: total += a * b
    return total
def ask_alma(known):  # (1 - alpha) B
    return float((1 - known["alpha"]) * (sqrt(8) / known["alpha"] if known["margin"] is None else known["margin"]))
def find_threshold(known):  # the agreement up to which a round may teach
    if known["name"] == "Alma": return inf if ask_alma(known) else 0.0
    return math.nextafter(1.0, 0.0) if known.get("aggressive") else float(known.get("margin", 0))
def find_step(known, a, q):  # how far along y x a round of agreement a and squared length q steps, in float64
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

class Unit:  # what a run keeps for a class, or for two of them: weights, and that of the constant
    def __init__(self): self.w, self.b = {}, 0.0
class Stepping:  # how a learner scores a row, and how it steps along y x: weights are kept in float32 or float64
    long = spaced = False  # whether weights are float64 always, and sums of dense rows in quarters too
    def __init__(self, known, real, game, network):
        self.known, self.updates, self.late, self.sums = known, 0, 0.0, {}
        self.averaged = known["name"] == "AveragedPerceptron" and game.told
        short, dense, kind = real == "float32" and not self.long, game.rows["form"] == "dense", game.rows["values"]
        self.mixed, self.spaced = short and kind == "float64", self.spaced or known["name"] == "AveragedPerceptron"
        played = not self.mixed or (game.classes <= 32 if network else self.spaced or not dense)
        cover(played, "float64 rows with float32 weights that are dense, or of many classes, are not played again")
        self.weight, self.value = (round32 if short else same), (round32 if short and not self.mixed else same)
        alike, self.scored = kind == ("float32" if short else "float64"), self.weight if network else self.value
        self.order = QUARTERS if self.spaced or not dense else LANES if alike else ONE_BY_ONE
        self.c = float(known["bias"])
        self.constant = self.weight(self.c)
    def score(self, unit, columns, values, order):
        w, real = unit.w, self.scored
        terms = [real(w[i] * x) if i in w else 0.0 * x for i, x in zip(columns, values)]
        return real(add_up(terms, order, real) + self.weight(unit.b * self.constant))
    def move(self, units, columns, values, a):  # move units along their signs; the mark, 0 if nothing moved
        weight, value, q = self.weight, self.value, add_products(self.c * self.c, zip(values, values)) * len(units)
        far = weight(find_step(self.known, a, q))
        for unit, sign in units if far != 0 else ():
            self.delta, w = sign * far, unit.w
            for i, x in zip(columns, values): w[i] = weight(w.get(i, 0.0) + value(self.delta * x))
            unit.b = weight(unit.b + weight(self.delta * self.constant))
        return int(far) if self.known["name"] == "AggressivePerceptron" else int(far != 0)
    def note(self, columns, values, now):  # of an average that is told: add round times movement to the sums
        if not self.averaged: return
        sums, weight, now = self.sums, self.weight, self.weight(now)
        for i, x in zip(columns, values): sums[i] = weight(sums.get(i, 0.0) + weight(now * weight(self.delta * x)))
        self.late = weight(self.late + weight(now * weight(self.delta * self.constant)))
    def average(self, unit, columns, values, now):  # the score by the mean of all weights so far, if it is told
        if not self.averaged: return None
        share, w, sums = 1.0 / max(now, 1), unit.w, self.sums
        pairs = [(w.get(i, 0.0) - sums.get(i, 0.0) * share, x) for i, x in zip(columns, values)]
        return add_products((unit.b - self.late * share) * self.c, pairs)

class Scaling(Stepping):  # Alma and Romma: `scale` times weights that are kept, and the sum of squares of those kept
    long, scale, squares = True, 1.0, 0.0
    def score(self, *row): return super().score(*row) * self.scale
    def find(self, a, q):  # how far along y x, and by what all weights are multiplied before
        known, length = self.known, self.scale * self.scale * self.squares
        if q == 0: return 0.0, 1.0
        if known["name"] == "Alma":
            root, size = sqrt(self.updates + 1.0), sqrt(q)
            if a * root > ask_alma(known) * size: return 0.0, 1.0
            along = float(known["rate"]) / (root * size)
            after = length + 2.0 * along * a + along * along * q
            factor = 1.0 / sqrt(after) if after > 1 else 1.0
            return factor * along, factor
        p = q * length
        rest = p - a * a
        if p <= a or p * (p - 2.0 * a + 1.0) > 2.0**40 * rest: return 1.0 / q, 0.0
        return length * (1.0 - a) / rest, (p - a) / rest
    def move(self, units, columns, values, a):
        (unit, sign), = units
        along, factor = self.find(a, add_products(self.c * self.c, zip(values, values)))
        if along == 0 and factor == 1: return 0
        self.scale *= factor
        if not 2.0**-200 <= abs(self.scale) <= 2.0**200:
            unit.b *= self.scale
            for i in unit.w: unit.w[i] *= self.scale
            self.squares = add_products(unit.b * unit.b, [(unit.w[i], unit.w[i]) for i in sorted(unit.w)])
            self.scale = 1.0
        delta, old = sign * along / self.scale, unit.b
        unit.b += delta * self.c
        self.squares += unit.b * unit.b - old * old
        for i, x in zip(columns, values):
            old = unit.w.get(i, 0.0)
            unit.w[i] = old + delta * x
            self.squares += unit.w[i] * unit.w[i] - old * old
        return 1

class Run:  # what a run did: mistakes, update rounds, a mark for each, and mistakes that moved nothing
    def __init__(self): self.mistakes, self.idle, self.updated, self.marks, self.told = 0, 0, [], [], []
    def note(self, number, wrong, mark):  # count a round; a mark of 0 says that nothing moved
        self.mistakes, self.idle = self.mistakes + wrong, self.idle + (wrong and not mark)
        if mark:
            self.updated.append(number)
            self.marks.append(mark)
    def require_same(self, certificate, marked):  # refuse counts that are not those of the run
        need(certificate.mistakes == self.mistakes, f"the run makes {self.mistakes} mistakes")
        same = certificate.updated == self.updated and certificate.updates == len(self.updated)
        need(same, f"the run makes {len(self.updated)} updates, in rounds that begin {self.updated[:9]}")
        need(certificate.marks == (self.marks if marked else []), "its marks are not those of the run")

def play_additive(about, game):  # play a learner of two classes or a network; marks are copies, rivals or bits of units
    run, network, each = Run(), about["name"] == "Network", about.get("updates") == "each"
    if not game.codes: return run
    cover(game.rows is not None, "its rows came in several forms: such a run is not played again here")
    known = about["learner"] if network else about
    how = (Scaling if known["name"] in ("Alma", "Romma") else Stepping)(known, about["real"], game, network)
    units, met, enough = [Unit() for _ in range(game.classes if network else 1)], game.met, find_threshold(known)
    tie, least = known.get("tie", "strict"), how.weight(enough)
    cut = -(2.0**-149 if how.weight is round32 else 2.0**-1074) if tie == "plus" else 0.0
    for number, (columns, values) in enumerate(game.arrange(how.value)):
        y, mark = game.codes[number], 0
        if network:
            seen = [how.weight(x) for x in values] if how.mixed else values
            order = HALVES if max(met, y + 1) <= 32 else FOURS
            scores = [how.score(units[k], columns, seen, order) for k in range(met)]
            run.told.append(scores)
            guess, rival = 0, 0 if y != 0 else 1
            for k in range(met):
                guess = k if scores[k] > scores[guess] else guess
                rival = k if k != y and scores[k] > scores[rival] else rival
            met = max(met, y + 1)
            scores += [0.0] * (met - len(scores))
            lessons = [(scores[y] - scores[rival], rival + 1, [(units[y], 1.0), (units[rival], -1.0)])]
            if each: lessons = [(s if k == y else -s, 2**k, [(units[k], 1.0 if k == y else -1.0)])
                                for k, s in enumerate(scores)]
        else:
            score = how.score(units[0], columns, values, how.order)
            run.told.append((how.average(units[0], columns, values, number), score))
            guess, lessons = int(score > cut), [(score if y else -score, 0, [(units[0], 1.0 if y else -1.0)])]
            if guess == y and (abs(score) > least or (tie != "strict" and enough == 0)): lessons = []
        for a, told, moved in lessons:
            if a <= enough and (copies := how.move(moved, columns, values, a)): mark += told or copies
        how.updates += mark != 0
        if mark: how.note(columns, values, float(number))
        run.note(number, guess != y or (number == 0 and game.surprise), mark)
    return run

# --------------------------------------------------------------------------------- the theorems about additive learners
CLEAN = "some u has u.z >= g > 0 on every update round"
ANY = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"
class Facts:  # A comparator u measured on the update rounds, z being y x, or y x / |x| where rows are normalized
    def __init__(self, **facts): self.__dict__.update(facts)
    def loosen(self, steps, unit):  # the most that floats may have measured of u: even this must give the bound
        size, loose = Fraction(1) if unit else self.longest, Fraction(1, 2**36)
        reach = Fraction(self.entries + 8, 2**50) * round_root_up(self.norm * size)
        grown = (loose + Fraction(steps) ** 2 / 2**50) * size * steps
        squares = self.squares + 2 * reach * self.shortfall + steps * reach**2
        more = {"norm": (1 + loose) * self.norm, "longest": (1 + loose) * self.longest}
        more.update(shortest=(1 - loose) * self.shortest, shortfall=(1 + loose) * (self.shortfall + steps * reach))
        more.update(squares=(1 + loose) * squares, length=self.length + grown, excess=self.excess + grown)
        return Facts(margin=self.margin, entries=2**14, **more)
    def ratio(self, reach): return self.norm * (reach + self.excess) / self.margin**2
    def left(self, m): return m * self.margin - self.shortfall
def round_root_up(value):  # A fraction no less than the square root
    return Fraction(isqrt(4**64 * value.numerator // value.denominator) + 1, 2**64)
def divide_down(number, square):  # A fraction no more than number / sqrt(square)
    root = Fraction(isqrt(number.numerator**2 * 4**64 // (number.denominator**2 * square)), 2**64)
    return root if number >= 0 else -root - Fraction(1, 2**64)
def past_root(rest, square): return rest > 0 and rest**2 > square  # rest > sqrt(square)
# With r^2 = |u|^2 (reach + excess) / g^2, D the sum of the shortfalls and D2^2 that of their squares, m updates are
# impossible if: m g > |u| sqrt(m reach + excess); m g - D > the same; m > (r + D2 / g)^2; m g - D > |u| |w|;
# m > L + r sqrt(L) + r^2, L = D / g; m > r^2 + 2 D / g.
PERCEPTRON = {
    "Perceptron (Novikoff 1962)": (CLEAN, lambda f, m, q: past_root(m * f.margin, f.norm * (q * m + f.excess))),
    "Perceptron, hinge loss": (ANY, lambda f, m, q: past_root(f.left(m), f.norm * (q * m + f.excess))),
    "Perceptron, squared deviation (Freund and Schapire 1999)":
        (ANY.replace("summed", "squared and summed"), lambda f, m, q: past_root(
            m - f.ratio(q) - f.squares / f.margin**2, 4 * f.ratio(q) * f.squares / f.margin**2)),
    "Perceptron, run-dependent":
        (f"{ANY}, and the length of the final weights", lambda f, m, q: past_root(f.left(m), f.norm * f.length)),
    "Perceptron, hinge loss, readable form":
        (ANY, lambda f, m, q: past_root(f.left(m) / f.margin - f.ratio(q), f.ratio(q) * f.shortfall / f.margin)),
    "Perceptron, total deviation": (ANY, lambda f, m, q: m > f.ratio(q) + 2 * f.shortfall / f.margin)}
LOSSES = "any comparator u, its losses (k - u.z)+ {} over the update rounds, k {} learner's margin"
PASSIVE = {"0": "some u has u.z >= k, the learner's margin, on every update round",
           "I": LOSSES.format("summed", "being the"), "II": LOSSES.format("squared and summed", "the")}
def passive(f, m, known):  # m mistakes lower |w - u|^2, each by at least so much, to less than what losses add
    k, C = Fraction(known["margin"]), Fraction(known["aggressiveness"])
    need(f.margin == k, "losses are at the learner's own margin")
    if known["variant"] == "0": return f.longest == 0 or m * k**2 / f.longest > f.norm
    least = min(C * k, k**2 / f.longest) if f.longest else C * k
    if known["variant"] == "I": return m * least > f.norm + 2 * C * f.shortfall
    return m * k**2 / (f.longest + 1 / (2 * C)) > f.norm + 2 * C * f.squares
def find_alma(known, least):  # C, and A = C^2 + 2 (1 - alpha) B C, at least 1 or 2
    C = Fraction(known["rate"])
    return C, max(C**2 + 2 * Fraction(ask_alma(known)) * C, Fraction(least))
def alma(f, m, known):  # m > A + ((A + 1) |u| / (2 C g))^2
    C, A = find_alma(known, 1)
    return m > A and 4 * (C * f.margin) ** 2 * (m - A) > (A + 1) ** 2 * f.norm
def alma_hinge(f, m, known):  # C (m g - D) > |u| sqrt(A (A m + 1))
    C, A = find_alma(known, 2)
    return past_root(C * f.left(m), f.norm * A * (A * m + 1))
AGGRESSIVE = "Passive-aggressive {} (Crammer and others 2006)"
OTHERS = {  # the theorems of learners that are no Perceptrons
    "PassiveAggressive": {AGGRESSIVE.format(variant): (told, passive) for variant, told in PASSIVE.items()},
    "Alma": {"ALMA (Gentile 2001)": (CLEAN, alma), "ALMA, hinge loss (Gentile 2001)": (ANY, alma_hinge)},
    "Romma": {"ROMMA (Li and Long 2002)": (CLEAN, lambda f, m, known: m * f.margin**2 > f.longest * f.norm)}}
def is_tie(v): return v in ("strict", "plus", "minus")
PARAMETERS = {  # of each learner besides its bias, and what each may be
    "Perceptron": {"tie": is_tie, "rate": is_positive, "margin": is_size, "normalized": is_flag},
    "AveragedPerceptron": {"tie": is_tie, "rate": is_positive, "margin": is_size},
    "VotedPerceptron": {}, "AggressivePerceptron": {"tie": is_tie}, "Romma": {"aggressive": is_flag},
    "PassiveAggressive": {"margin": is_positive, "aggressiveness": is_positive, "variant": lambda v: v in PASSIVE},
    "Alma": {"rate": is_positive, "alpha": is_share, "margin": lambda v: v is None or is_positive(v)}}

class Rule:  # what is known of an additive learner: parameters as the run's floats hold them, theorems, what they count
    def __init__(self, about, real, network):
        self.name, self.known, self.network = about["name"], dict(about, real=real), network
        name, allowed = self.name, {"bias": is_size, **PARAMETERS[self.name]}
        sound = set(about) - {"name", "real", "classes"} == set(allowed) and real in ("float32", "float64")
        need(sound and all(fits(about[key]) for key, fits in allowed.items()), f"no {name} has parameters {about}")
        self.marked, self.normalized = name == "AggressivePerceptron", name == "Alma" or bool(about.get("normalized"))
        self.exact = name not in ("PassiveAggressive", "Romma") and not self.normalized
        few = name == "PassiveAggressive" or about.get("aggressive", False)
        self.counts = "steps" if self.marked else "mistakes" if few else "updates"
        rounded, plain = round32 if real == "float32" else same, "rate" in about and name != "Alma"
        self.rate = Fraction(rounded(float(about["rate"]))) if plain else Fraction(1)
        need(self.rate > 0, f"no {name} has parameters {about}")
        self.bias, self.margin = rounded(float(about["bias"])), Fraction(about.get("margin") or 0) / self.rate
    def find_theorem(self, theorem):  # the promise of a theorem, and the question whether m are impossible
        table, told = OTHERS.get(self.name, PERCEPTRON), AGGRESSIVE.format(self.known.get("variant"))
        fits = theorem in table and not (theorem == "Perceptron, run-dependent" and self.normalized)
        need(fits and (self.name != "PassiveAggressive" or theorem == told), f"{self.name} has no theorem {theorem!r}")
        promise, exceeds = table[theorem]
        if self.name in OTHERS: return promise, lambda f, m: exceeds(f, m, self.known)
        return promise, lambda f, m: exceeds(f, m, self.find_reach(f))
    def find_reach(self, f):  # the largest |z|^2 + 2 margin / rate
        if not self.normalized: return f.longest + 2 * self.margin
        return 1 + (2 * self.margin * round_root_up(1 / f.shortest) if f.shortest else Fraction(0))

class Steps:  # the update rounds in whole numbers of 2^-bits; attribute -1 is the constant
    def __init__(self, game, constant):
        self.game, self.constant = game, constant
        ratios = {v: v.as_integer_ratio() for v in {constant, *(v for row in game.entries for _, v in row)}}
        self.bits = max(bottom.bit_length() - 1 for _, bottom in ratios.values())
        self.whole = {value: (top << self.bits) // bottom for value, (top, bottom) in ratios.items()}
    def measure(self, rule, witness, listed, further=()):  # a witness over (round, class, rival, copies)
        more = ["unexplained", *further, *["classes"] * rule.network]
        require_words(witness, ("margin", "exponent", "attributes", "numerators"), more)
        power, blocks = witness["exponent"], witness.get("classes", [0] * len(witness["attributes"]))
        need(type(witness["margin"]) is float and type(power) is int and abs(power) < 3000, "malformed witness")
        u = read_vector(dict(witness, classes=blocks), ("classes", "attributes", "numerators"))
        one, fine, margin = 1 << self.bits, Fraction(2) ** power / (1 << self.bits), Fraction(witness["margin"])
        shortfall, squares, excess, longest, shortest, entries, many, weights = NIL, NIL, NIL, 0, 0, 0, 0, {}
        for number, code, rival, copies in listed:
            row = [(-1, self.constant)] * (self.constant != 0) + self.game.entries[number]
            signs = ((code, 1), (rival, -1)) if rule.network else ((0, 1 if code else -1),)
            z = [((block, i), sign * self.whole[v]) for block, sign in signs for i, v in row if v != 0]
            dot, square = sum(u.get(key, 0) * v for key, v in z), sum(v * v for _, v in z)
            need(square > 0 or not rule.normalized, "a row without attributes cannot teach")
            short = margin - (divide_down(fine * dot * one, square) if rule.normalized else fine * dot)
            if short > 0: shortfall, squares = shortfall + copies * short, squares + copies * short**2
            longest, shortest = max(longest, square), min(shortest or square, square)
            entries, many = max(entries, len(z)), many + copies
            if rule.exact:  # what the agreement exceeded the threshold by before each copy, which rounding alone can do
                length, copy = square // 2 if rule.network else square, copies
                agreement = sum(weights.get(key, 0) * v for key, v in z)
                over = Fraction(agreement + (copies - 1) * length, one * one) - rule.margin
                while over > 0 and copy > 0:
                    excess, over, copy = excess + 2 * over, over - Fraction(length, one * one), copy - 1
                for key, v in z: weights[key] = weights.get(key, 0) + copies * v
        unit, norm = Fraction(1, one * one), sum(k * k for k in u.values()) * Fraction(4) ** power
        part, length = float(shortfall / (margin * many or 1)), unit * sum(k * k for k in weights.values())
        check_near(witness.get("unexplained", part), part, "leaves unexplained")
        return Facts(norm=norm, longest=unit * longest, shortest=unit * shortest, margin=margin, shortfall=shortfall,
                     squares=squares, length=length, excess=excess, entries=entries), many
def check_near(claimed, true, what):  # refuse a float beside the claim that is not what it should be
    need(type(claimed) is float and abs(claimed - true) <= 1e-6 * max(true, 1.0), f"the comparator {what} {true:.6g}")
def check_bound(rule, theorem, bound, facts, steps, still=0, promise=None):  # one more must be impossible
    need(type(bound) is int and bound >= 0 and facts.margin > 0, "a bound is a whole number, a margin is positive")
    told, impossible = rule.find_theorem(theorem)
    need(told not in (CLEAN, PASSIVE["0"]) or facts.shortfall == 0, "the witness lacks the margin on an update round")
    need(promise is None or promise == told, f"its promise is: {told}")
    more = bound + 1 - (still if rule.counts == "mistakes" else 0)
    need(impossible(facts, more), f"the witness does not give {bound}")
    close = more <= 1 or not impossible(facts.loosen(steps, rule.normalized), more - 1)
    need(close, f"the witness gives less than {bound}")
def check_everywhere(witness, rule, game):  # refuse another loss of u over all rounds, in units of its margin
    need(not rule.network, "losses over all rounds are known of two classes")
    margin, unit, losses = float(witness["margin"]), math.ldexp(1.0, witness["exponent"]), []
    u = {i: float(k) * unit for i, k in zip(witness["attributes"], witness["numerators"])}
    for entries, code in zip(game.entries, game.codes):
        a, square = u.get(-1, 0.0) * rule.bias, rule.bias * rule.bias
        for i, x in entries: a, square = a + u.get(i, 0.0) * x, square + x * x
        a = (a if code else -a) / (sqrt(square) if rule.normalized and square > 0 else 1.0)
        losses.append(max(0.0, margin - a) / margin)
    check_near(witness["everywhere"], fsum(losses), "loses over all rounds")

def check_additive(certificate, rounds):  # A learner of two classes, or a network whose winners learn
    about, network = certificate.learner, certificate.learner["name"] == "Network"
    inner = about["learner"] if network else about
    if network:
        require_words(about, ("name", "learner", "updates", "real"), ["classes"])
        cover(inner["name"] in ("Perceptron", "AveragedPerceptron", "PassiveAggressive"), "no network of such units")
        need(about["updates"] in ("winner", "each") and not {"real", "classes"} & set(inner), f"no network is {about}")
    rule, game = Rule(inner, about["real"], network), Game(certificate, rounds, 2**31 if network else 2)
    run, each = play_additive(about, game), about.get("updates") == "each"
    run.require_same(certificate, (network and not each) or rule.marked)
    if each: return check_units(certificate, rule, game, run)
    listed = [(t, game.codes[t], mark - 1 if network else -1, mark if rule.marked else 1)
              for t, mark in zip(run.updated, run.marks)]
    facts, steps = Steps(game, rule.bias).measure(rule, certificate.witness, listed, ["everywhere"])
    certificate.require(counts=rule.counts, count=steps if rule.marked else None, scope="sequence", exact=rule.exact)
    still = (0 if rule.exact else run.idle) + (max(0, game.classes - game.met) if network else 0)
    check_bound(rule, certificate.theorem, certificate.bound, facts, steps, still, certificate.promise)
    if "everywhere" in certificate.witness: check_everywhere(certificate.witness, rule, game)

def check_units(certificate, rule, game, run):  # a network whose units learn alone: bounds and steps add up
    need(rule.exact, "only units that are Perceptrons have a theorem here")
    require_words(certificate.witness, ["units"])
    units = certificate.witness["units"]
    need(type(units) is list and len(units) == max(game.met, game.classes), f"there are {game.classes} units")
    steps, single, total = Steps(game, rule.bias), Rule(certificate.learner["learner"], rule.known["real"], False), 0
    for k, part in enumerate(units):
        require_words(part, ("theorem", "bound", "updated", "witness"))
        moved = [t for t, mark in zip(run.updated, run.marks) if mark >> k & 1]
        need(part["updated"] == moved, f"the updates of unit {k} are not those of the run")
        facts, many = steps.measure(single, part["witness"], [(t, int(game.codes[t] == k), -1, 1) for t in moved])
        check_bound(single, part["theorem"], part["bound"], facts, many)
        total += many
    certificate.require(theorem="Network, every unit by its own theorem", counts="steps", scope="sequence", exact=True,
                        promise="each unit has a witness of its own for its class against all others; bounds and steps "
                        "add up", count=total, bound=sum(part["bound"] for part in units), marks=[])

# ------------------------------------------------------------------------------------------- Winnow and Balanced Winnow
WINNOW = {
    "Winnow, disjunction (Littlestone 1988)": "the label of every update round is the OR of some attributes",
    "Winnow, margin (Littlestone 1988)": "some m >= 0 has m.x >= p on every promotion and <= q on every demotion",
    "Winnow, margin with slack (Littlestone 1991)":
        "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed",
    "Winnow, elimination (Littlestone 1988)":
        "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed",
    "Winnow-R, drifting disjunction (Blum 1998)":
        "the label of every update round is the OR of the variables that a schedule names for it"}
DISJUNCTION, _, SLACK, ELIMINATION, DRIFT = WINNOW
GONE = -(2**62)  # stands for the exponent of a weight of 0
def round_power(base, exponent):  # A power as the machine's library rounds it
    try: return math.pow(base, exponent)
    except OverflowError: return inf
class Powers:  # weights as powers of a base, or as differences b^k - b^-k, by exponents
    def __init__(self, base, odd, lowest=GONE + 1, eliminate=False, bias=0):
        self.base, self.odd, self.lowest, self.eliminate, self.bias = base, odd, lowest, eliminate, bias
        self.exponents, self.known, self.constant = {}, {}, 0
    def weigh(self, k):
        if k not in self.known:
            weight = 0.0 if k == GONE else round_power(self.base, k)
            self.known[k] = weight - round_power(self.base, -k) if self.odd else weight
        return self.known[k]
    def score(self, row):  # the terms from that of the constant on, what is rounded away being added at the end
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

def play_powers(certificate, game, start, find_patience, levels):  # levels: what scores are compared with, ties
    below, middle, above, (down, says, up) = levels
    run, phase, since, highest, weights = Run(), 1, 0, 0, start(1)
    for number, (columns, values) in enumerate(game.arrange(same) if game.codes else ()):
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
                phase, since, highest, weights = phase + 1, 0, 0, start(phase + 1)
    if game.codes: run.require_same(certificate, False)
def check_updates(certificate, table):  # refuse words that are not those of a theorem about updates
    certificate.require(counts="updates", count=None, scope="sequence", exact=True, marks=[])
    known = type(certificate.bound) is int and certificate.promise == table.get(certificate.theorem)
    need(known, f"the bound is a whole number, and the theorems with their promises are {table}")

def check_winnow(certificate, rounds):  # weights as whole powers of the promotion
    about, words = certificate.learner, ("promotion", "threshold", "margin", "floor")
    require_words(about, ("name", "eliminate", "strict_gt", "real", *words), ["classes"])
    cover(about["real"] is not True, "attributes between 0 and 1 are not covered here")
    promotion, threshold, margin, least = (float(about[name]) for name in words)
    eliminate, strict, b, low = about["eliminate"], about["strict_gt"], Fraction(promotion), GONE + 1
    sound = [is_size(about[name]) for name in words] + [is_flag(flag) for flag in (eliminate, strict, about["real"])]
    sound += [1 < promotion <= 2.0**64, 0 <= margin < threshold <= 2.0**512, least <= 1, not (eliminate and least)]
    need(all(sound), f"no learner has parameters {about}")
    need(746 / math.log(promotion) <= 2**20 - 2, "so close to 1 weights are floats and no exact powers")
    if least:
        low = -round(-math.log(least) / math.log(promotion))
        need(b**low == Fraction(least), "the floor is no power of the promotion")
    above, below = Fraction(threshold + margin), Fraction(threshold - margin)
    need(below >= Fraction(1, 2**900), "the threshold is so small that weights near it underflow")
    game = Game(certificate, rounds, 2)
    need(all(x in (0, 1) for row in game.entries for _, x in row), "an attribute is neither 0 nor 1")
    levels = (threshold - margin, threshold, threshold + margin, (not strict, not strict, strict))
    play_powers(certificate, game, lambda phase: Powers(promotion, False, low, eliminate), lambda phase: inf, levels)
    check_updates(certificate, WINNOW)
    steps = WinnowSteps(game, certificate.updated, Powers(promotion, False, low, eliminate), (above, below, strict))
    if certificate.theorem == DRIFT:
        plain = promotion == 2 and low == -1 and margin == 0 and not strict and not steps.differing
        need(plain, "drift is covered for promotion 2, floor 1/2 and margin 0")
        most = bound_drift(certificate.witness, steps, Fraction(threshold))
    else:
        need(not least, "a floor is covered by the theorem on drift")
        most = bound_winnow(certificate, steps, b)
    need(certificate.bound == most, f"the witness does not give {certificate.bound} but {most}")

class WinnowSteps:  # the rows of promotions and demotions, and what decisions that rounding turned added to the weights
    def __init__(self, game, updated, weights, levels):
        self.above, self.below, self.strict = levels
        self.rows, self.excess, self.highest, self.differing, b, power = [], NIL, NIL, 0, Fraction(weights.base), {}
        for t in updated:
            row, up = [i for i, x in game.entries[t] if x], bool(game.codes[t])
            entries = [(i, 1.0) for i in row]
            near, goal = weights.score(entries), self.above if up else self.below
            over = near - float(goal) if up else float(goal) - near
            if over > -(near * (len(row) + 16) * 2.0**-49 + (len(row) + 1) * 2.0**-1000):
                exponents = [k for k in (weights.exponents.get(i, 0) for i in row) if k != GONE]
                for k in exponents: power.setdefault(k, b**k)
                total = sum((power[k] for k in exponents), NIL)
                over = total - goal if up else goal - total
                if not (over < 0 or (over == 0 and up == self.strict)):
                    self.excess += over * (b - 1 if up else 1 if weights.eliminate else 1 - 1 / b)
                    self.highest = max(self.highest, total) if up else self.highest
                    self.differing += 1
            weights.move(entries, 1 if up else -1)
            self.rows.append((row, up))
        self.attributes = len({i for row, _ in self.rows for i in row})

def bound_winnow(certificate, steps, b):  # the most updates that the theorem allows with this witness
    witness, eliminate = certificate.witness, certificate.learner["eliminate"]
    require_words(witness, ("attributes", "numerators", "promoted", "demoted"))
    need(eliminate == (certificate.theorem == ELIMINATION), "elimination has a theorem of its own")
    target, p, q = read_vector(witness), witness["promoted"], witness["demoted"]
    need(type(p) is type(q) is int and min((*target.values(), q)) >= 0 and p > 0, "a target has no negative weights")
    sums = [(sum(target.get(i, 0) for i in row), up) for row, up in steps.rows]
    up = sum(max(0, p - total) for total, promoted in sums if promoted)
    down = sum(max(0, total - q) for total, promoted in sums if not promoted)
    need(certificate.theorem == SLACK or (down == 0 and (eliminate or up == 0)), "the witness has slack")
    plain = q == 0 and all(k == p for k in target.values())
    need(plain or certificate.theorem != DISJUNCTION, "that is no disjunction")
    need(q == 0 or not eliminate, "an eliminated attribute may have no weight in the witness")
    above, below, d = steps.above, steps.below, steps.attributes + steps.excess
    left = p - b * q * above / below
    need(left > 0, "the levels are too close for this promotion")
    exponent = find_power(b, max(above, steps.highest), steps.strict or steps.highest >= above)
    promoted = floor((sum(target.values()) * exponent + up + down + q * b / (b - 1) * d / below) / left)
    if eliminate: return promoted + floor((d + promoted * (b - 1) * above) / below)
    return promoted + max(0, math.ceil(b / (b - 1) * d / below + b * above / below * promoted) - 1)
def find_power(factor, goal, beyond):  # the least j >= 0 with factor^j >= goal, or > goal
    j = max(0, floor((math.log(goal.numerator) - math.log(goal.denominator)) / math.log(factor)) - 1)
    need(j < 10**5, "the promotion is too close to 1")
    while j > 0 and factor ** (j - 1) >= goal: j -= 1
    while factor**j < goal or (beyond and factor**j == goal): j += 1
    return j
def bound_drift(witness, steps, theta):  # additions times doublings from 1/2 on; demotions by the sum of weights
    require_words(witness, ["schedule"])
    starts, named = [first for first, _ in witness["schedule"]], dict(witness["schedule"])
    whole = all(type(i) is int for first, names in witness["schedule"] for i in (first, *names))
    need(whole and rise(starts) and starts[:1] == [0] * (len(steps.rows) > 0), "malformed schedule")
    additions, now, d = 0, set(), steps.attributes
    for place, (row, up) in enumerate(steps.rows):
        if place in named: additions, now = additions + len(set(named[place]) - now), set(named[place])
        need(bool(now & set(row)) == up, f"the schedule does not label update {place}")
    need(d < 2 * theta, "too many attributes for the threshold")
    promoted = additions * find_power(Fraction(2), 2 * theta, False)
    return promoted + floor((2 * d + 4 * promoted * theta) / (2 * theta - d + 1))
BALANCED = {
    "Balanced Winnow (Littlestone 1989)": "some u with |u|_1 = 1 has u.z >= g > 0 on every update round",
    "Balanced Winnow, margin with slack (Littlestone 1989)":
        "any u with |u|_1 = 1 and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"}
PHASED = {"Balanced Winnow, phase by phase (Littlestone 1989)":
          "phases end at their caps; in the last any u with |u|_1 = 1, its shortfalls (g - u.z)+ summed"}
DOWN, UP, HALF = Context(prec=50, rounding=ROUND_FLOOR), Context(prec=50, rounding=ROUND_CEILING), Context(prec=50)
def enclose_ln(value):  # fractions below and above the logarithm of a positive number
    parts = Decimal(value.numerator), Decimal(value.denominator)
    low, high = (Fraction(HALF.ln(context.divide(*parts))) for context in (DOWN, UP))
    return low - Fraction(1, 10**49) * (1 + abs(low)), high + Fraction(1, 10**49) * (1 + abs(high))
def find_margin(phase): return max(2.0**-phase, 2.0**-14)
def enclose_patience(phase, highest):  # how many updates a phase lasts, 2 ln(2n) / d^2: fractions around it
    scale, (low, high) = 2 / Fraction(find_margin(phase)) ** 2, enclose_ln(Fraction(2 * max(highest, 1)))
    return scale * low * (1 - Fraction(1, 2**49)), scale * high * (1 + Fraction(1, 2**49))

class Phase(Powers):  # exact exponents, the rows that taught it, its highest attribute, what rounding let it exceed
    def __init__(self, base):
        super().__init__(base, True)
        self.rows, self.highest, self.excess = [], 0, NIL
    def learn(self, row, y):
        terms, b = [(x, self.exponents.get(i, 0)) for i, x in row], Fraction(self.base)
        need(all(abs(k) <= 4000 for _, k in terms), "an exponent beyond 4000 is not written out")
        near, size = sum(x * self.weigh(k) for x, k in terms), sum(round_power(self.base, abs(k)) for _, k in terms)
        if not y * near < -size * (len(row) + 16) * 2.0**-45:
            self.excess += max(NIL, y * sum((x * (b**k - b**-k) for x, k in terms), NIL))
        self.move(row, y)
        self.rows.append((row, y))
        self.highest = max([self.highest, *(i + 1 for i, _ in row)])

def check_balanced_winnow(certificate, rounds):  # exponents as whole numbers, logarithms between two decimals
    about = certificate.learner
    require_words(about, ("name", "factor", "margin", "bias", "real"), ["classes"])
    factor, margin, bias = about["factor"], about["margin"], about["bias"]
    sound = type(bias) is int and bias in (0, 1) and None in (factor, margin)
    sound = sound and (factor is None or (is_number(factor, math.exp(2.0**-14)) and factor <= 2.0**64))
    need(sound and (margin is None or is_number(margin, 2.0**-14, False, 1)), f"no learner has parameters {about}")
    game, phased = Game(certificate, rounds, 2), factor is None and margin is None
    need(all(abs(x) in (0, 1) for row in game.entries for _, x in row), "an attribute is none of -1, 0 and 1")
    def find_base(phase):
        d = find_margin(phase) if margin is None else float(margin)
        return sqrt((1 + d) / (1 - d)) if factor is None else float(factor)
    def find_patience(phase): return 2 / find_margin(phase) ** 2 if phased else inf
    def start(phase): return Powers(find_base(phase), True, bias=bias)
    play_powers(certificate, game, start, find_patience, (0.0, 0.0, 0.0, (True, False, True)))
    check_updates(certificate, PHASED if phased else BALANCED)
    phases = [Phase(find_base(1))]
    for t in certificate.updated:
        row = [(-1, 1)] * bias + [(i, int(x)) for i, x in game.entries[t] if x]
        phases[-1].learn(row, 1 if game.codes[t] else -1)
        if phased:
            low, high = enclose_patience(len(phases), phases[-1].highest + bias)
            need(not low < len(phases[-1].rows) <= high, "rounding may have decided when a phase ended")
            if len(phases[-1].rows) > high: phases.append(Phase(find_base(len(phases) + 1)))
    caps = [floor(enclose_patience(k, phase.highest + bias)[1]) + 1 for k, phase in enumerate(phases[:-1], 1)]
    witness, left, last = certificate.witness, certificate.bound - sum(caps), phases[-1]
    require_words(witness, ("margin", "attributes", "numerators", "caps"))
    need(witness["caps"] == caps and left >= 0, f"the phases that ended have caps {caps}")
    if last.rows:
        total, gain = measure_balanced(witness, last, certificate.theorem == "Balanced Winnow (Littlestone 1989)")
        need(gain > 0, "the margin is too small for the factor")
        need((left + 1) * gain > total, f"the witness does not give {certificate.bound}")
        need(left == 0 or left * gain <= total * (1 + Fraction(1, 2**30)), "the witness gives less")
    else: need(left == 0, "the caps alone are the bound")
def measure_balanced(witness, phase, clean):  # over ln 2n - H(|u|) + h short + excess, under h g - ln cosh h
    u, margin = read_vector(witness), Fraction(witness["margin"])
    size, short, met = sum(map(abs, u.values())), NIL, set(u)
    need(size > 0 and margin > 0 and type(witness["margin"]) is float, "malformed witness")
    for row, y in phase.rows:
        short += max(NIL, margin * size - y * sum(u.get(i, 0) * x for i, x in row))
        met.update(i for i, _ in row)
    need(short == 0 or not clean, "the witness lacks its margin on an update round")
    shares = [Fraction(abs(k), size) for k in u.values() if k]
    entropy, b, n = sum((share * enclose_ln(1 / share)[0] for share in shares), NIL), Fraction(phase.base), 2 * len(met)
    (low, high), growth = enclose_ln(b), enclose_ln((b + 1 / b) / 2)[1]
    return enclose_ln(Fraction(n))[1] - entropy + high * short / size + phase.excess / n, low * margin - growth

# ------------------------------------------------------------------------------------------------------- finite classes
CLASSES = {"Thresholds": {"n"}, "Intervals": {"n"}, "Parities": {"n"}, "Rectangles": {"m", "d", "empty"},
           "Conjunctions": {"n", "k", "monotone"}, "Disjunctions": {"n", "k", "monotone"}}
def read_call(text):  # the name and the numbers of a call such as Thresholds(n=6), which is never run
    call = ast.parse(text, mode="eval").body if len(text) < 1000 else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args: return text, {}
    return call.func.id, {part.arg: ast.literal_eval(part.value) for part in call.keywords}

class Concepts:  # A class by its name as the certificate writes it: how many concepts, what each says and is called
    def __init__(self, text):
        name, given = read_call(text)
        self.n = n = given.get("n", given.get("m"))
        known = CLASSES.get(name) == set(given) and type(n) is int and given.get("k") is None
        cover(known, f"the class {text} is not covered here")
        plain = ", ".join(f"{key}={value!r}" for key, value in given.items())
        need(text == f"{name}({plain})", f"{text!r} is not written as a constructor call is")
        self.text, self.kind, self.d, self.empty = text, name, given.get("d", 1), given.get("empty", True)
        self.bits, self.grid, self.base = name[0] in "PCD", name == "Rectangles", 2 if given.get("monotone") else 3
        self.many = n if self.bits else self.d  # numbers of an instance, which is a tuple if it is bits or on a grid
        whole = n >= (name in ("Intervals", "Rectangles")) and type(self.d) is int and self.d >= 1
        need(whole and is_flag(self.empty), f"no class is {text}")
        sides = n * (n + 1) // 2
        sizes = {"Thresholds": n + 2, "Intervals": sides + 1, "Rectangles": sides ** min(self.d, 40) + self.empty}
        self.size = sizes.get(name, (2 if name == "Parities" else self.base) ** min(n, 40))
        small = self.many <= 40 and (self.size <= 2**17 or name == "Thresholds")
        cover(small, f"{text} has too many concepts to be listed here")
        self.top = 1 if self.bits else n - (name != "Thresholds")
    def read(self, one):  # an instance of a round: a whole number, or a tuple of them
        x, tuples = one.instance, self.bits or self.grid
        values = x if tuples else [x]
        if one.entries is not None:
            values = [dict(one.entries).get(i, 0) for i in range(max([self.many, *(i + 1 for i, _ in one.entries)]))]
        good = type(values) is list and len(values) == self.many
        good = good and all(type(v) in (int, float, bool) and 0 <= v <= self.top and v == int(v) for v in values)
        need(good, f"no instance of {self.text} is {x!r}")
        return tuple(map(int, values)) if tuples else int(values[0])
    def list_instances(self):
        points = product(range(self.top + 1), repeat=self.many)
        return points if self.bits or self.grid else (x for x, in points)
    def find_sides(self, number):  # the intervals of a box, none of the empty one
        rest, base, sides = number - self.empty, self.n * (self.n + 1) // 2, []
        for _ in range(self.d if rest >= 0 else 0):
            b = (isqrt(8 * (rest % base) + 1) - 1) // 2
            sides.append((rest % base - b * (b + 1) // 2, b))
            rest //= base
        return sides
    def list_literals(self, number):  # the attributes of a concept over bits, and whether each is negated
        base = 2 if self.kind == "Parities" else self.base
        digits = [number // base**place % base for place in range(self.n)]
        return [(place, digit == 2) for place, digit in enumerate(digits) if digit]
    def label(self, number, x):  # what a concept says of an instance
        if self.kind == "Thresholds": return int(x >= number)
        if self.bits:
            true = [x[place] != negated for place, negated in self.list_literals(number)]
            return sum(true) % 2 if self.kind == "Parities" else int((all if self.kind[0] == "C" else any)(true))
        sides = self.find_sides(number)
        return int(bool(sides) and all(a <= v <= b for (a, b), v in zip(sides, x if self.grid else (x,))))
    def name(self, number):
        if self.kind == "Thresholds": return f"x >= {number}"
        if not self.bits: return " x ".join(f"[{a}, {b}]" for a, b in self.find_sides(number)) or "empty"
        words = [f"{'not ' * negated}x{place + 1}" for place, negated in self.list_literals(number)]
        if self.kind == "Parities": return " + ".join(words) + " mod 2" if words else "0"
        return " and ".join(words) or "true" if self.kind == "Conjunctions" else " or ".join(words) or "false"
def mix_bits(word):  # one step of splitmix64
    word = (word + 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)
def draw_bits(seed, number): return mix_bits(mix_bits(seed & (2**63 - 1)) ^ number)  # 64 fair bits for a round
def harmonic(last, first):  # 1/first + ... + 1/last.
    if last - first < 8: return sum((Fraction(1, k) for k in range(first, last + 1)), NIL)
    return harmonic((first + last) // 2, first) + harmonic(last, (first + last) // 2 + 1)

class Dimension:  # Littlestone's dimension of parts of a small class, by its definition
    def __init__(self, concepts):
        instances = list(concepts.list_instances())
        cover(len(instances) * concepts.size <= 2**18, "the class is too large for its dimension")
        columns = [tuple(concepts.label(number, x) for x in instances) for number in range(concepts.size)]
        places = {column: place for place, column in enumerate(sorted(set(columns)))}
        self.bits, self.known = [places[column] for column in columns], {}
        self.splits = {sum(1 << place for column, place in places.items() if column[j]) for j in range(len(instances))}
    def find(self, members):
        part, d = sum(1 << bit for bit in {self.bits[number] for number in members}), -1
        while self.reaches(part, d + 1): d += 1
        return d
    def reaches(self, part, d):  # whether an instance splits a part into two of dimension d - 1 or more
        count = bin(part).count("1")
        if count < 1 << d or d < 2: return count >= 1 << d
        if (part, d) not in self.known:
            cover(len(self.known) <= 10**5, "the class is too large for its dimension")
            sides = {(part & split, part & ~split) for split in self.splits}
            self.known[part, d] = any(self.reaches(a, d - 1) and self.reaches(b, d - 1) for a, b in sides)
        return self.known[part, d]
def claim(theorem, promise, bound, witness, counts="mistakes", scope="sequence", count=None):
    return {"theorem": theorem, "promise": promise, "bound": bound, "witness": witness, "counts": counts,
            "scope": scope, "exact": True, "count": count}

class Filtering:  # Halving and its kin: drop the concepts that a round contradicts
    NAMES = {"Halving": "Halving (Barzdin and Freivald 1972, Angluin 1988)", "Consistent":
             "Consistent learner (Gold 1967, Mitchell 1982)", "RandomizedHalving": "Randomized halving (Maass 1991)",
             "StandardOptimal": "Standard optimal algorithm (Littlestone 1988)",
             "NeverMiss": "Apple tasting without a miss (Helmbold, Littlestone and Long 2000)"}
    def __init__(self, about, concepts, seed):
        self.name, self.choice, self.concepts, self.seed = about["name"], about.get("choice"), concepts, seed
        self.left, self.votes, self.rounds, self.cuts, self.expected = range(concepts.size), {}, 0, 0, NIL
        self.dimension = Dimension(concepts) if self.name == "StandardOptimal" else None
        need(self.name != "Consistent" or self.choice in ("lowest", "random"), f"no choice is {self.choice!r}")
    def split(self, x):  # the concepts that agree with all rounds so far, by what they say of x
        if self.concepts.kind == "Thresholds":  # these are a range
            at = min(max(x + 1, self.left.start), self.left.stop)
            return range(at, self.left.stop), range(self.left.start, at)
        if x not in self.votes:
            said = [(number, self.concepts.label(number, x)) for number in self.left]
            self.votes[x] = tuple([number for number, y in said if y == label] for label in (0, 1))
        return self.votes[x]
    def guess(self, x):
        (no, yes), left = self.split(x), self.left
        if self.name in ("Halving", "NeverMiss"): return int(len(yes) > (len(no) if self.name == "Halving" else 0))
        if self.dimension: return int(self.dimension.find(yes) > self.dimension.find(no))
        if self.choice == "lowest": return self.concepts.label(left[0], x)
        bits = draw_bits(self.seed, self.rounds if self.name == "RandomizedHalving" else self.cuts)
        return self.concepts.label(left[(bits << 64 | mix_bits(bits ^ MASK)) * len(left) >> 128], x)
    def learn(self, x, y, guess):
        kept, before = self.split(x)[y], len(self.left)
        need(len(kept) > 0, f"no concept that agrees with the rounds before gives {x} this label")
        cut = len(kept) < before
        if cut: self.left, self.votes = kept, {}
        self.rounds, self.cuts = self.rounds + 1, self.cuts + cut
        self.expected += Fraction(before - len(kept), before)
        return cut
    def conclude(self):
        name, size, left, theorem = self.name, self.concepts.size, self.left, self.NAMES[self.name]
        promise = f"one of the {size} concepts of {self.concepts.text} labels every round"
        witness = {"concept": left[0], "name": self.concepts.name(left[0]), "concepts": size, "survivors": len(left)}
        if name == "Halving": return claim(theorem, promise, (size // len(left)).bit_length() - 1, witness)
        if name in ("Consistent", "NeverMiss"): return claim(theorem, promise, size - len(left), witness)
        if name == "StandardOptimal":
            whole, rest = self.dimension.find(range(size)), self.dimension.find(left)
            return claim(theorem, promise, whole - rest, {**witness, "dimension": whole, "dimension left": rest})
        cover(size <= 2**13, "an expectation over more than 8192 concepts is not covered here")
        promise, bound = promise + ", and no label depends on the learner's coins", harmonic(size, len(left) + 1)
        return claim(theorem, promise, bound, witness, "expected mistakes", "expectation", self.expected)

class Literals:  # Elimination: drop the literals that fire where the other label is right
    def __init__(self, about, attributes, declared):
        target, monotone = about["target"], about["monotone"]
        known = target in ("disjunction", "conjunction") and is_flag(monotone) and attributes >= 0
        need(known, f"no learner has parameters {about}")
        cover(attributes <= 2**22, "so many literals are not listed here")
        self.kind, self.decided = f"{'monotone ' * monotone}{target}", int(target == "disjunction")
        self.monotone, self.n, self.declared, self.on = monotone, attributes, declared, not monotone or self.decided
        self.dropped, self.left = set(), set() if monotone and self.decided else None  # None: all of them
    def fires(self, active):
        if self.on and active - self.dropped: return True
        return (not self.declared or len(active) < self.n) if self.left is None else not self.left <= active
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
        left, (plain, negated) = len(on) + len(off), map(write_runs, (on, off) if self.decided else (off, on))
        more = int(not self.declared and self.decided == 0) if self.monotone else 1
        witness = {"attributes": self.n, "literals": left, "plain": plain, "negated": negated}
        bound = max(0, self.n + more - left)
        return claim("Elimination (Valiant 1984)", f"a {self.kind} labels every round", bound, witness)
def write_runs(attributes):  # attributes, counted from 1, as ranges such as "x1-x5 x100"
    firsts = sorted(i for i in attributes if i - 1 not in attributes)
    lasts = sorted(i for i in attributes if i + 1 not in attributes)
    return " ".join(f"x{a + 1}" if a == b else f"x{a + 1}-x{b + 1}" for a, b in zip(firsts, lasts))

class Boxes:  # Closure: positive inside the smallest box around the positive points
    def __init__(self, concepts): self.concepts, self.low, self.high = concepts, [], []
    def guess(self, x): return int(bool(self.low) and all(a <= v <= b for a, v, b in zip(self.low, x, self.high)))
    def learn(self, x, y, guess):
        need(y >= guess, f"no box holds the positive points and not {x}")
        if y > guess: self.low, self.high = [list(map(f, p or x, x)) for f, p in ((min, self.low), (max, self.high))]
        return y > guess
    def conclude(self):
        n, d, box = self.concepts.n, self.concepts.d, [self.low, self.high] if self.low else None
        promise = f"a box on the grid of {n} points a side in {d} dimensions labels every round"
        bound = 1 + sum(self.high) - sum(self.low) if box else 0
        return claim("Closure (Helmbold, Sloan and Warmuth 1990)", promise, bound, {"box": box})

class Memory:  # Memorizer: the label that the instance had, 0 for a new one
    def __init__(self): self.labels = {}
    def guess(self, x): return self.labels.get(x, 0)
    def learn(self, x, y, guess):
        new = x not in self.labels
        need(self.labels.setdefault(x, y) == y, f"{x!r} has two labels")
        return new
    def conclude(self):
        met, promise = len(self.labels), "the label is a function of the instance"
        return claim("Memorizer (Samuel 1959)", promise, met, {"instances": met})

class Conservative:  # another rule, shown only the rounds that it guesses wrong
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
def check_finite(certificate, rounds):  # finite classes, literals, boxes, instances: what the rounds give is claimed
    need(certificate.rows is None, "no sum depends on how rows are held")
    about = {key: value for key, value in certificate.learner.items() if key not in ("real", "classes", "seed")}
    wrapped, witness, rounds = 0, certificate.witness, take_rounds(certificate, rounds)
    while about["name"] == "Conservative":
        require_words(about, ("name", "learner"))
        about, wrapped, witness = about["learner"], wrapped + 1, witness["agreeing with them"]
    name, own = about["name"], {"Consistent": ["choice"], "Elimination": ["target", "monotone"]}
    cover(CHECKS.get(name) is check_finite, f"{name} inside Conservative is not covered here")
    listed = name not in ("Elimination", "Memorizer")
    require_words(about, ["name", *own.get(name, []), *["concepts"] * listed])
    concepts = Concepts(about["concepts"]) if listed else None
    declared, seed = certificate.learner.get("classes", []), certificate.learner.get("seed", 0)
    tosses = name == "RandomizedHalving" or about.get("choice") == "random"
    sound = type(seed) is int and (tosses or "seed" not in certificate.learner)  # only coins have a seed
    need(sound and (not listed or declared == [False, True]), f"no classes are {declared}, or no seed is {seed}")
    codes, _ = number_labels([one.label for one in rounds], declared, 2**31 if name == "Memorizer" else 2)
    if listed: points = hashed = [concepts.read(one) for one in rounds]
    else:
        hashed = [to_tuples(one.instance) if one.entries is None else one.entries for one in rounds]
        points = [tuple(sorted(e for e in row if e[1] != 0)) if isinstance(row, list) else row for row in hashed]
    need(fingerprint(hashed, codes) == certificate.stream, "the rounds are not those of the certificate")
    players = [Memory()] if name == "Memorizer" else []
    if name == "Elimination":
        n = witness["attributes"]
        fits = type(n) is int and all(i < n and x == 1 for row in points for i, x in row)
        need(fits, f"a row is not {n} attributes that are 0 or 1")
        points = [{i for i, _ in row} for row in points]
        players = [Literals(about, n, known) for known in (True, False)]  # declared before the first round, or not
    elif listed:
        need(name != "Closure" or concepts.grid, f"no boxes are {concepts.text}")
        players = [Boxes(concepts) if name == "Closure" else Filtering(about, concepts, seed)]
    for player in players:
        for _ in range(wrapped): player = Conservative(player)
        try:
            run = Run()
            for number, (x, y) in enumerate(zip(points, codes)):
                guess, surprised = player.guess(x), number == 0 and is_surprise(rounds, declared)
                run.note(number, guess != y or surprised, int(player.learn(x, y, guess)))
            run.require_same(certificate, False)
            return certificate.require(**player.conclude())
        except Refused as found: problem = str(found)
    raise Refused(problem)

# -------------------------------------------------------------------------------------------------- advice from experts
# Votes with rational weights are counted exactly; logarithms and exponentials are decimals of 120 digits and more, and
# are compared to sixty: every operation is off by 10^-119 of its result, and a run has a few million of them.
TINY = Decimal(10) ** -60
ADVISED = {
    "WeightedMajority": ("Weighted majority (Littlestone and Warmuth 1994)", ["penalty"]),
    "RandomizedWeightedMajority": ("Randomized weighted majority (Littlestone and Warmuth 1994)", ["penalty"]),
    "ImprovedMajority": ("Improved weighted majority (Cesa-Bianchi et al. 1997)", ["penalty", "shape"]),
    "FollowTheLeader": ("Follow the leader", ["random"]),
    "Hedge": ("Hedge (Freund and Schapire 1997)", ["rate", "loss", "draws", "memory"]),
    "AdaHedge": ("AdaHedge (de Rooij, van Erven, Grunwald and Koolen 2014)", ["loss", "draws"]),
    "FixedShare": ("Fixed share (Herbster and Warmuth 1998)", ["rate", "switching", "loss", "draws"]),
    "Aggregating": ("Aggregating algorithm (Vovk 1998)", ["loss"])}
def decimal(value): return Decimal(value.numerator) / Decimal(value.denominator)
class Loss:  # A loss by its name and numbers, as its constructor call is written
    def __init__(self, text):
        name, given = read_call(text)
        cover(name in ("ZeroOne", "Brier", "Log", "Absolute", "Square", "Pinball"), f"the loss {text} is not covered")
        fits = set(given) == {"low", "high", *["quantile"] * (name == "Pinball")}
        fits = fits and all(type(v) in (int, float) and math.isfinite(v) for v in given.values())
        need(fits, f"{text!r} is not a loss that can be checked")
        self.name, numbers = name, [Fraction(given.get(key, 0.5)) for key in ("low", "high", "quantile")]
        self.low, self.high, self.quantile = numbers
        plain = name not in ("ZeroOne", "Brier") or (self.low, self.high) == (0, 1)
        need(plain and self.low < self.high and 0 < self.quantile < 1, f"{text!r} has no such range")
        width, self.binary = self.high - self.low, name in ("ZeroOne", "Brier", "Log")
        tops = {"Pinball": max(self.quantile, 1 - self.quantile) * width, "Absolute": width, "Square": width**2}
        self.top = tops.get(name, Fraction(2) if name == "Brier" else Fraction(1))
        self.mixable = {"Square": 2 / self.top, "Brier": Fraction(1), "Log": Fraction(1)}.get(name, NIL)
    def price(self, x, y, of=same):  # what a forecast loses; `of` makes decimals of fractions, where x is one
        if self.name == "Log": return -(x if y == 1 else 1 - x).ln()
        short = of(y) - x
        if self.name == "ZeroOne": return Fraction(short != 0)
        if self.name == "Pinball": return of(self.quantile if short > 0 else self.quantile - 1) * short
        return abs(short) if self.name == "Absolute" else short * short * (2 if self.name == "Brier" else 1)

class Follower:  # A learner from advice as a certificate describes it
    def __init__(self, about):
        self.name = name = about["name"]
        require_words(about, ["name", *ADVISED[name][1]], ["seed"])
        self.votes, self.sure = name in list(ADVISED)[:4], name in ("WeightedMajority", "FollowTheLeader")
        voted = f"{'ZeroOne' if self.sure else 'Absolute'}(low=0, high=1)"
        self.cost = cost = Loss(voted if self.votes else about["loss"])
        given = [about.get(key) for key in ("penalty", "rate", "switching")]
        self.penalty, self.rate, self.switching = (None if value is None else exactly(value) for value in given)
        self.shape, self.draws = about.get("shape"), about.get("random", about.get("draws", False))
        self.tosses = self.draws or name in ("RandomizedWeightedMajority", "ImprovedMajority")
        self.counts = ("expected mistakes" if self.tosses else "mistakes") if self.votes else "loss"
        mixes, shares = name == "Aggregating", name == "FixedShare"
        sound = [not shares or (self.rate is not None and 0 < self.switching < 1)]
        sound += [self.rate is None or self.rate > 0, is_flag(self.draws), about.get("memory", 1) == 1]
        sound += ["penalty" not in ADVISED[name][1] or 0 <= self.penalty < 1, cost.mixable > 0 or not mixes]
        sound += [self.votes or mixes or self.draws or cost.name != "ZeroOne", cost.name != "Log" or mixes]
        sound += [name != "ImprovedMajority" or self.shape in ("linear", "vovk")]
        need(all(sound), f"no theorem covers {about}")
    def bend(self, mean):  # the chance of saying 1 by the share of the weight that does
        if self.shape is None or (self.shape == "vovk" and not 0 < mean < 1): return mean
        p = decimal(self.penalty)
        if self.shape == "linear":
            half = (2 / (1 + p)).ln() * (1 + p) / (2 * (1 - p))
            return min(max(Decimal("0.5") + (2 * mean - 1) / (4 * half), Decimal(0)), Decimal(1))
        down, up = (1 - mean + mean * p).ln(), (mean + (1 - mean) * p).ln()
        return down / (down + up)

class Pool:  # the weights of experts before each round, and what they were charged asleep
    def __init__(self, who, experts):
        self.who, self.losses, self.asleep = who, [NIL] * experts, [Decimal(0)] * experts
        self.weights, self.round, self.variety, self.gap = [Decimal(1)] * experts, 0, Decimal(experts).ln(), Decimal(0)
        self.scale = decimal(who.cost.top)
        self.rate = decimal(who.cost.mixable) if who.name == "Aggregating" else decimal(who.rate or 0) / self.scale
        if who.penalty: self.rate = -decimal(who.penalty).ln()
    def weigh(self):  # set the weights of this round, where they do not follow from the last ones by a factor
        who, self.round, least = self.who, self.round + 1, min(self.losses)
        if (who.votes and not who.penalty) or (who.name == "AdaHedge" and self.gap == 0):
            self.weights = [Decimal(int(loss == (0 if who.votes else least))) for loss in self.losses]
        elif who.name == "AdaHedge":
            self.rate = self.variety / self.gap
            self.weights = [(-self.rate * decimal(loss - least)).exp() for loss in self.losses]
        elif who.name == "Hedge" and who.rate is None:
            self.rate = 2 * (self.variety / self.round).sqrt() / self.scale
            self.weights = [(-self.rate * (decimal(a) + b)).exp() for a, b in zip(self.losses, self.asleep)]
    def average(self, numbers):
        total = sum(self.weights[k] * decimal(number) for k, number in numbers.items())
        return total / sum(self.weights[k] for k in numbers)
    def guess(self, awake):  # the mean of what experts say, or Vovk's mixture
        cost = self.who.cost
        if self.who.name != "Aggregating" or cost.name == "Log": return self.average(awake)
        low, high = (sum(self.weights[k] * (-self.rate * decimal(cost.price(x, end))).exp() for k, x in awake.items())
                     for end in (cost.low, cost.high))
        width = decimal(2 * (2 if cost.name == "Brier" else 1) * (cost.high - cost.low))
        middle = decimal((cost.low + cost.high) / 2) + (high / low).ln() / (self.rate * width)
        return min(max(middle, decimal(cost.low)), decimal(cost.high))
    def learn(self, awake, y):  # charge all experts: those awake their losses, those asleep the mix loss of the others
        who, before, experts = self.who, self.weights, len(self.weights)
        log, adaptive = who.cost.name == "Log", who.name == "AdaHedge"
        lost = {} if log else {k: who.cost.price(x, y) for k, x in awake.items()}
        if adaptive and self.gap == 0:
            least, after = min(self.losses), min(loss + lost[k] for k, loss in enumerate(self.losses))
            leaders = [lost[k] for k, loss in enumerate(self.losses) if loss == least]
            self.gap = decimal(sum(leaders, NIL) / len(leaders) - (after - least))
        elif adaptive:
            left = sum(w * (-self.rate * decimal(lost[k])).exp() for k, w in enumerate(before))
            self.gap += max(self.average(lost) - (sum(before) / left).ln() / self.rate, Decimal(0))
        if not adaptive and (who.penalty != 0 or not who.votes):
            after = list(before)
            for k, x in awake.items():
                after[k] *= decimal(x if y == 1 else 1 - x) if log else (-self.rate * decimal(lost[k])).exp()
            left = sum(after[k] for k in awake) / sum(before[k] for k in awake)
            for k in set(range(experts)) - set(awake):
                after[k], self.asleep[k] = before[k] * left, self.asleep[k] - left.ln() / self.rate
            self.weights = after
        if who.name == "FixedShare":
            share = decimal(who.switching)
            self.weights = [(1 - share) * weight + share / experts * sum(self.weights) for weight in self.weights]
        for k, loss in lost.items(): self.losses[k] += loss
def play_advice(who, rows, truth, coins):  # the loss, experts' losses and charges asleep, fewest and most mistakes
    pool, loss, fewest, most, near = Pool(who, len(rows[0])), Decimal(0), 0, 0, Decimal(2) ** -30
    for row, y, coin in zip(rows, truth, coins):
        pool.weigh()
        awake = {k: x for k, x in enumerate(row) if x is not None}
        if who.draws and not who.votes: loss += pool.average({k: who.cost.price(x, y) for k, x in awake.items()})
        else:
            guess = who.bend(pool.guess(awake))
            loss += who.cost.price(guess, y, decimal)
            open_ = who.votes and abs(decimal(coin) - guess) <= near and 0 < guess < 1  # losses are no mistakes
            wrong = who.votes and (decimal(coin) < guess) != (y == 1)
            fewest, most = fewest + (wrong and not open_), most + (wrong or open_)
        pool.learn(awake, y)
    return loss, pool.losses, pool.asleep, fewest, most

def count_votes(who, rows, truth, coins):  # votes with rational weights counted exactly: what `play_advice` gives
    losses, asleep, total, fewest, most = [0] * len(rows[0]), [0] * len(rows[0]), NIL, 0, 0
    for row, y, coin in zip(rows, truth, coins):
        awake = [k for k, vote in enumerate(row) if vote is not None]
        need(not who.tosses or len(awake) == len(row), "an expert sleeps where a coin is tossed")
        least = min(losses[k] + asleep[k] for k in awake)
        gaps, near = [(row[k], losses[k] + asleep[k] - least) for k in awake], False
        leaders, weights = [vote for vote, gap in gaps if gap == 0], [(who.penalty or NIL) ** gap for _, gap in gaps]
        share = sum((w for (vote, _), w in zip(gaps, weights) if vote), NIL) / sum(weights)
        guess, cost = int(2 * share > 1), share if y == 0 else 1 - share
        if who.name == "FollowTheLeader":
            guess = int(leaders[int(float(coin) * len(leaders)) if who.tosses else 0] == 1)
        elif who.tosses: guess, near = int(coin < share), abs(coin - share) <= Fraction(1, 2**30) and 0 < share < 1
        total += cost if who.tosses else guess != y
        need(Fraction(total).denominator.bit_length() <= 12_000, "the fraction is too long to write down")
        fewest, most = fewest + (guess != y and not near), most + (guess != y or near)
        for k, vote in enumerate(row):
            losses[k] += vote is not None and vote != y
            asleep[k] += vote is None and guess != y
    return total, losses, asleep, fewest, most

def bound_advice(who, rounds, experts, witness, charge):  # what the theorem allows a witness of this charge
    variety, top, p, marks = Decimal(experts).ln(), decimal(who.cost.top), who.penalty, int(charge + TINY)
    if who.name == "FollowTheLeader":
        mean = harmonic(experts, 1) if who.draws else Fraction(experts)
        return mean * marks + mean - 1
    if who.votes:
        need(p > 0 or charge == 0, "a penalty of 0 promises nothing once every expert erred")
        if who.name == "WeightedMajority" and p == 0: return Fraction(experts.bit_length() - 1)
        most = variety - charge * decimal(p).ln() if p else variety
        if who.name == "WeightedMajority":
            high = int(most / (2 / (1 + decimal(p))).ln() + TINY)
            return Fraction(high if experts * ((1 + p) / 2) ** high >= p**marks else high - 1)
        fair = who.name == "RandomizedWeightedMajority"
        return most / (1 - decimal(p)) if fair else most / (2 * (2 / (1 + decimal(p))).ln())
    if who.name == "Aggregating": return charge + variety / decimal(who.cost.mixable)
    if who.name == "AdaHedge":
        inside = charge * max(top * rounds - charge, Decimal(0)) * variety / rounds
        return charge + 2 * inside.sqrt() + top * (variety * 16 / 3 + 2)
    if who.rate is None: return charge + top * (variety * rounds).sqrt()
    rate = decimal(who.rate)
    if who.name == "FixedShare":
        switches, share = len(witness["schedule"]) - 1, decimal(who.switching)
        variety = (switches + 1) * variety - switches * share.ln() - (rounds - 1 - switches) * (1 - share).ln()
    return charge + top * (variety / rate + rate * rounds / 8)

def read_advice(certificate, rounds, who):  # forecasts (None: asleep) and outcomes as fractions
    experts, cost, rounds = certificate.witness["experts"], who.cost, take_rounds(certificate, rounds)
    need(type(experts) is int and 0 < experts < 10**6 and rounds, "there are no rounds, or no experts")
    labels = [one.label for one in rounds]
    truth = number_labels(labels, [False, True], 2)[0] if who.votes else list(map(float, labels))
    digest = f"{experts} {fingerprint([one.entries for one in rounds], truth)}".encode()
    need(hashlib.sha256(digest).hexdigest() == certificate.stream, "the rounds are not those of the certificate")
    rows, truth = [], list(map(Fraction, truth))
    for one, y in zip(rounds, truth):
        row = [NIL] * experts
        for k, x in one.entries: row[k] = None if x != x else Fraction(x)
        inside = all(x is None or cost.low <= x <= cost.high for x in row) and any(x is not None for x in row)
        inside = inside and (y in (0, 1) if cost.binary else cost.low <= y <= cost.high)
        sure = cost.name != "ZeroOne" or not who.votes or all(x in (None, 0, 1) for x in row)
        need(inside and sure, "a round is one that the learner refuses")
        rows.append(row)
    return rows, truth
def read_path(who, witness, rounds, experts):  # the expert that the witness follows in each round
    key = "schedule" if who.name == "FixedShare" else "expert"
    require_words(witness, ["losses", "charged asleep", "experts", "error", key])
    schedule = witness[key] if key == "schedule" else [[0, witness[key]]]
    whole = all(len(part) == 2 and type(part[0]) is type(part[1]) is int for part in schedule)
    need(whole and schedule and schedule[0][0] == 0, "a schedule starts in round 0, and an expert has a number")
    firsts, named = [*(first for first, _ in schedule), rounds], [k for _, k in schedule]
    turns = rise(firsts) and all(a != b for a, b in zip(named, named[1:]))
    need(turns and all(0 <= k < experts for k in named), "a schedule is experts that take turns")
    return [k for (first, k), after in zip(schedule, firsts[1:]) for _ in range(after - first)]

def check_advice(certificate, rounds):  # the witness is charged again, and the theorem must give the bound
    who, witness, seed = Follower(certificate.learner), certificate.witness, certificate.learner.get("seed", 0)
    tossed = type(seed) is int and (who.tosses or "seed" not in certificate.learner)
    need(tossed and certificate.rows is None, "no sum depends on how rows are held, only coins have a seed")
    rows, truth = read_advice(certificate, rounds, who)
    promise = ("the experts that are named, each from its round on, lost together what is stated"
               if who.name == "FixedShare" else "the expert that is named lost, and was charged asleep, what is stated")
    certificate.require(theorem=ADVISED[who.name][0], promise=promise, counts=who.counts, updated=[], marks=[],
                        scope="expectation" if who.tosses else "sequence", updates=certificate.rounds)
    need((certificate.count is None) is (who.counts == "mistakes"), f"the theorem counts {who.counts}")
    error, sleepy, count = exactly(witness["error"]), sum(None in row for row in rows), len(rows)
    need(error >= 0 and (error == 0) is certificate.exact, "exact means without error")
    need(error <= exactly(certificate.counted) / 2**30 + count * who.cost.top / 2**40, "rounding makes no such error")
    strict = who.name in ("AdaHedge", "FixedShare") or (who.name == "FollowTheLeader" and who.draws)
    strict = strict or (who.name in ("RandomizedWeightedMajority", "ImprovedMajority") and not who.penalty)
    awake = not sleepy or (not strict and (who.sure or sleepy <= 1000))
    need(awake, f"the theorem of {who.name} is for experts that never sleep, or they sleep in too many rounds")
    path, coins = read_path(who, witness, count, len(rows[0])), [draw_bits(seed, t) >> 11 for t in range(count)]
    if who.name == "AdaHedge":
        totals = [sum(who.cost.price(row[k], y) for row, y in zip(rows, truth)) for k in range(len(rows[0]))]
        need(totals[path[0]] == min(totals), f"expert {path[0]} is not the best one")
    with localcontext(Context(prec=120 + sleepy, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        check_charges(certificate, who, rows, truth, [Fraction(coin, 2**53) for coin in coins], path)

def check_charges(certificate, who, rows, truth, coins, path):  # refuse other losses, charges and bounds
    witness, bound, sleepy = certificate.witness, exactly(certificate.bound), any(None in row for row in rows)
    error, lost, free = (exactly(witness[key]) for key in ("error", "losses", "charged asleep"))
    pairs, checks = [(row[k], y) for row, k, y in zip(rows, path, truth) if row[k] is not None], []
    plain = all(x in (None, 0, 1) for row in rows for x in row)
    counted = plain and (who.sure or who.name == "RandomizedWeightedMajority")
    need(counted if certificate.exact else not who.sure, "only votes with rational weights are counted exactly")
    total, losses, asleep, fewest, most = (count_votes if certificate.exact else play_advice)(who, rows, truth, coins)
    if certificate.exact:
        need(certificate.count is None or certificate.count == total, f"the expected count is {total}")
        found = [losses[path[0]], asleep[path[0]]]
        need([lost, free] == found, f"the witness lost and shared {found}")
        charge = Decimal(sum(found))
    else:
        log = who.cost.name == "Log"
        parts = [who.cost.price(decimal(x) if log else x, y) for x, y in pairs]
        exact = sum(parts, Decimal(0) if log else NIL)
        need(log or lost == exact, f"the witness lost {float(exact):.12g}, not {float(lost):.12g}")
        need(sleepy or free == 0, "no expert slept, and none was charged for it")
        charge, checks = exact if log else decimal(exact), [(total, exactly(certificate.count), error, "the loss")]
        if log: checks.append((charge, lost, error, "what the witness lost"))
        if sleepy: checks.append((asleep[path[0]], free, error, "what the witness was charged asleep"))
        charge += asleep[path[0]]
    need(fewest <= certificate.mistakes <= most, f"the run makes {fewest} to {most} mistakes")
    allowed = bound_advice(who, len(rows), len(rows[0]), witness, charge)
    if isinstance(allowed, Fraction): need(allowed == bound, f"the theorem gives {allowed}, not {bound}")
    else: checks.append((allowed, bound, 4 * error + (bound + len(rows)) / 2**30, "the bound that the theorem gives"))
    for value, claimed, spread, what in checks:
        high, room = decimal(claimed), TINY * (1 + abs(decimal(claimed)))
        close = high - decimal(spread) - room <= value <= high + room
        need(close, f"{what} is {value:.12g}, not {float(claimed):.12g}")

# ------------------------------------------------------------------------------------------------------ numbers: Ridge
class Sizes:  # the largest size that each attribute has had, its number by the order in which attributes came
    def __init__(self, guard): self.guard, self.places, self.largest = guard, {-1: 0}, [1.0]
    def read(self, entries):  # number, value and growth of each entry that is not 0; the guard cuts what is too large
        for i, value in entries:
            if value == 0: continue
            j = self.places.setdefault(i, len(self.largest))
            if j == len(self.largest): self.largest.append(0.0)
            old = self.largest[j]
            if self.guard and old > 0: value = min(max(value, -2.0 * old), 2.0 * old)
            self.largest[j] = max(old, abs(value))
            yield j, value, old / abs(value) if 0 < old < abs(value) else 1.0

class Centre:  # least squares kept up: a centre c and the matrix P, both over the largest sizes
    def __init__(self, ridge, size):
        self.ridge, self.c = ridge, [0.0] * size
        self.P = [[1.0 / ridge if i == j else 0.0 for j in range(size)] for i in range(size)]
    def lose(self, along):  # take the square of a vector from the matrix
        self.P = [[p - a * b for p, b in zip(line, along)] if a != 0 else line for line, a in zip(self.P, along)]
    def rescale(self, row, shrink):  # an attribute in units of its new largest size; its ridge grows
        more, kept, share = self.ridge * (1.0 - shrink * shrink), self.P[row][row], self.c[row]
        below = shrink * shrink + more * kept
        root = sqrt(more / below)
        along = [root * p for p in self.P[row]]
        self.c = [c - a * (root * share) for c, a in zip(self.c, along)]
        self.lose(along)
        for i, a in enumerate(along): self.P[row][i] = self.P[i][row] = a / root * (shrink / below)
        self.P[row][row], self.c[row] = kept / below, share * (shrink / below)

def play_ridge(game, about, labels, origin):  # the loss, what the theorem charges, and the sum of ln(1 + q)
    sizes, loss, rest, charges, logs = Sizes(about["guard"]), 0.0, 0.0, [], []
    attributes = {i for row in game.entries for i, x in row if x != 0}
    cover(len(attributes) < 512, "a matrix of so many attributes is not played again here")
    centre, bias = Centre(float(about["ridge"]), len(attributes) + 1), [(0, 1.0, 1.0)] * bool(about["bias"])
    for t, (entries, y) in enumerate(zip(game.entries, labels)):
        seen = bias + list(sizes.read(entries))
        row = [(j, value / sizes.largest[j]) for j, value, _ in seen]
        for j, _, shrink in seen:
            if shrink != 1.0: centre.rescale(j, shrink)
        along, m = [0.0] * len(centre.c), add_products(0.0, [(centre.c[j], x) for j, x in row])
        for j, x in row: along = [a + x * p for a, p in zip(along, centre.P[j])]
        q = max(add_products(0.0, [(x, along[j]) for j, x in row]), 0.0)
        below, first = 1.0 + q, origin if t == 0 else 0.0
        z, root = m / below - first, sqrt(1.0 / below)
        lost = (y - z) * (y - z)
        after = loss + lost  # beside the sum stands what rounding takes from it
        loss, rest = after, rest + ((loss - after) + lost if loss >= lost else (lost - after) + loss)
        charges += [y * y * q / below, first * first if first else -q * z * z]
        logs.append(math.log1p(q))
        centre.c = [c + (y - m) / below * a for c, a in zip(centre.c, along)]
        centre.lose([a * root for a in along])
    return fsum([loss, rest]), fsum(charges), fsum(logs), sizes

def check_ridge(certificate, rounds):  # what was lost is at most the loss of u, its size and what the run was charged
    about, witness, game = certificate.learner, certificate.witness, Game(certificate, rounds, 0, True)
    require_words(about, ("name", "ridge", "bias", "guard"))
    sound = is_positive(about["ridge"]) and is_size(about["bias"]) and is_flag(about["guard"])
    need(sound and game.codes and certificate.rows is None, f"no rounds, or no learner has parameters {about}")
    unit = next((max(2.0 ** (math.frexp(abs(y))[1] - 1), 2.0**-1022) for y in game.codes if y), 1.0)
    need(all(abs(y) <= min(2.0**900, unit * 2.0**400) for y in game.codes), "a label is larger than labels may be")
    origin = game.codes[0] / unit if about["bias"] else 0.0
    labels = [y / unit - origin for y in game.codes]
    (loss, charge, logs, sizes), scale = play_ridge(game, about, labels, origin), unit * unit
    certificate.require(theorem="Ridge, square loss (Vovk 2001; Azoury and Warmuth 2001)", counts="square loss",
                        promise="none: it is true of every stream and of every comparator u", scope="sequence",
                        exact=False, marks=[], mistakes=0, updated=[], updates=len(labels), count=loss * unit * unit)
    require_words(witness, ("attributes", "numerators", "comparator", "floor", "zero", "logarithms"))
    vector, ridge, again = read_vector(witness), Fraction(about["ridge"]), Sizes(about["guard"])
    known = rise([-2, *vector]) and all(i in sizes.places and 0 < abs(k) < 2**62 for i, k in vector.items())
    need(known and (about["bias"] or -1 not in vector), "a comparator has whole numbers for attributes in order")
    u, shorts, duals, pulls = {sizes.places[i]: k / 2**40 for i, k in vector.items()}, [], [], {}
    for entries, y in zip(game.entries, labels):
        seen = [(j, value / sizes.largest[j]) for j, value, _ in again.read(entries)] + [(0, 1.0)] * bool(about["bias"])
        short = y - fsum(u.get(j, 0.0) * x for j, x in seen)
        shorts.append(short * short)
        duals.append(2.0 * short * y - short * short)
        for j, x in seen: pulls.setdefault(j, []).append(2.0 * short * x)
    lost, cost = fsum(shorts), float(ridge * sum(Fraction(x) ** 2 for x in u.values()))
    least = max(0.0, fsum(duals) - fsum(fsum(part) ** 2 for part in pulls.values()) / float(4 * ridge))
    larger = lost + cost + origin**2 + max(map(abs, labels)) ** 2 * logs
    bound, zero = lost + cost + charge, fsum(y * y for y in labels) + origin**2
    said, room = dict(witness, bound=certificate.bound), 2.0**-29 * bound * scale
    for name, ours in (("bound", bound), ("comparator", lost), ("zero", zero), ("logarithms", larger)):
        over = said[name] - ours * scale if type(said[name]) in (int, float) else inf
        need(0 <= over <= max(room, 2.0**-29 * ours * scale), f"the {name} is {ours * scale!r}, not {said[name]!r}")
    under = least * scale - said["floor"] if type(said["floor"]) is float else inf
    need(0 <= under <= room, f"the floor is {least * scale!r}, not {said['floor']!r}")
    need(certificate.count * (1 + 2.0**-46) <= certificate.bound, "the loss exceeds the bound")

# -------------------------------------------------------------------------------------------------------------- verdict
CHECKS = {"Winnow": check_winnow, "BalancedWinnow": check_balanced_winnow, "Ridge": check_ridge,
          **dict.fromkeys([*PARAMETERS, "Network"], check_additive), **dict.fromkeys(ADVISED, check_advice),
          **dict.fromkeys([*Filtering.NAMES, "Elimination", "Closure", "Memorizer", "Conservative"], check_finite)}
def verify(text, name, data):  # raises `Refused`, `NotCovered` or `BadData`, or returns what was verified
    try:
        certificate = Certificate(text)
        about = certificate.learner
        need(type(about.get("name")) is str, "it does not say of which learner it speaks")
        cover(about["name"] in CHECKS, f"{about['name']} is not covered here")
        cover("mixing" not in about, "runs over shards are not covered here")
        types = (False, True) if about["name"] == "Winnow" else ("float32", "float64")  # there it is a switch
        need("real" not in about or about["real"] in types, f"no weights are of type {about.get('real')!r}")
        CHECKS[about["name"]](certificate, read_data(name, data, certificate))
        need(certificate.counted <= certificate.bound, f"{certificate.counted} exceeds the bound {certificate.bound}")
        return certificate
    except MALFORMED as problem: raise Refused(f"it is malformed: {problem!r}") from problem
def main(arguments):  # verify the certificate and the data that are named; the exit status
    try:
        wants(len(arguments) == 2, "usage: python littlestone_verify.py certificate.json data")
        with open(arguments[0], encoding="utf-8") as file, open(arguments[1], "rb") as rounds:
            true = verify(file.read(), arguments[1], rounds.read())
    except Refused as problem: status, line = 1, f"false: {problem}"
    except NotCovered as problem: status, line = 2, f"not covered here: {problem}"
    except (BadData, OSError, UnicodeDecodeError) as problem: status, line = 2, f"cannot be read: {problem}"
    else:
        how = "exactly" if true.exact else "the counts exactly, the theorem up to the rounding of the run"
        made, bound = (f"{float(x):.9f}" if len(str(x)) > 40 else x for x in (true.counted, true.bound))
        told = f"{made} {true.counts} <= {bound} over {true.rounds} rounds"
        status, line = 0, f"true: {told}, {how} ({true.theorem})"
    print(line)
    return status

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
