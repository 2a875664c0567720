"""Verify a certificate of Littlestone against its data, with Python's standard library (3.9 or later) and nothing else.
    python littlestone_verify.py certificate.json data.svm [forecasts.json]
The run is played again operation by operation in IEEE floats, the theorem is checked in fractions. One line is printed;
the exit status is 0 if the certificate is true of the data, 1 if it is not, and 2 if it is not covered here or the data
cannot be read. A learner that is not in CHECKS is not covered, and never accepted (littlestone_verify_more.py has some
of those). Data are svmlight, CSV, label<TAB>text, or what `littlestone rounds DATA` writes; forecasts are what foreign
members of a league said. docs/certificate-format.md, version 2, says what it all means.
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
MORE = ": littlestone_verify_more.py covers it"  # the learners that it adds to the tables of this file
FURTHER = ("Alma Romma Elimination Closure Memorizer Conservative StandardOptimal ImprovedMajority Hedge AdaHedge "
           "FixedShare Aggregating Logistic AdaGrad Coin Aioli").split()
def tell(name): return MORE if name in FURTHER else ""
def wants(condition, why): need(condition, why, BadData)

# ---------------------------------------------------------------------------------------------- the certificate itself
FIELDS = ["theorem", "promise", "counts", "mistakes", "updates", "bound", "witness", "scope", "exact", "count"]
FIELDS += ["rounds", "learner", "stream", "updated", "marks", "version", "slack", "holds", "digest"]
class Certificate:  # the fields of a certificate, each of the kind that it must be
    def __init__(self, text):
        record = read_json(text)
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
    if type(a) is type(b) is list: return len(a) == len(b) and all(map(is_same, a, b))
    return a == b and (type(a) is type(b) or {type(a), type(b)} == {int, Fraction})
def _read_object(pairs):
    need(len(dict(pairs)) == len(pairs), "it says something twice")
    return dict(pairs)
def _refuse_constant(name): raise Refused(f"{name} is not a number")
LONGEST = 4000  # characters of a number: beyond it, reading one takes time that grows with its square
def short(text):  # a text that is read as a number
    wants(len(text) <= LONGEST, f"a number has {len(text)} characters")
    return text
def read_json(text):
    return json.loads(text, object_pairs_hook=_read_object, parse_constant=_refuse_constant,
                      parse_int=lambda number: int(short(number)), parse_float=lambda number: float(short(number)))
def rise(numbers): return all(a < b for a, b in zip(numbers, numbers[1:]))
def read_number(value, optional=False):  # an integer, a float or a fraction such as "13/12"
    if isinstance(value, str):
        top, _, bottom = value.partition("/")
        short(max(top, bottom, key=len))
        plain = value.isascii() and (top[1:] if top[:1] == "-" else top).isdigit() and bottom.isdigit()
        need(plain and str(Fraction(int(top), int(bottom))) == value, f"{value[:40]!r} is no fraction in lowest terms")
        return Fraction(int(top), int(bottom))
    need(type(value) in (int, float) or (optional and value is None), f"{value!r} is not a number")
    return value
def exactly(value): return value if isinstance(value, Fraction) else Fraction(read_number(value))
def is_number(value, low, strict=False, high=inf):
    return type(value) in (int, float) and (low < value if strict else low <= value) and value < high
def is_flag(value): return type(value) is bool
def is_positive(value): return is_number(value, 1e-30) and value <= 1e30  # the sizes that parameters may have
def is_size(value): return is_positive(value) or (type(value) in (int, float) and value == 0)
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
    wants(PLAIN.fullmatch(short(text)), f"{text[:40]!r} is no number")
    value = float(text)
    if round32(value) != value and math.isfinite(value):
        exact, there = Fraction(Decimal(text)), Fraction(value)
        if exact != there and not struct.unpack("<q", struct.pack("<d", value))[0] & 1:
            value = math.nextafter(value, inf if exact > there else -inf)
    wants(math.isfinite(round32(value)), f"{text[:40]!r} is beyond float32")
    return round32(value)
def read_label(text):  # A label that is a number
    wants(PLAIN.fullmatch(short(text)) and math.isfinite(float(text)), f"the label {text[:40]!r} is no number")
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
    wants(text.isdigit() and text.isascii() and len(text) < 32 and int(text) < 2**31, f"no attribute is {text[:40]!r}")
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
DYADIC = re.compile("0|(-?[1-9][0-9]{0,15})(?:p(-?[1-9][0-9]{0,3}))?")
def read_dyadic(text):  # A whole number below 2^53, or mpe for m times 2^e, m odd, where that is none
    if text == "nan": return math.nan
    found = DYADIC.fullmatch(text)
    wants(found, f"{text[:40]!r} is no dyadic number")
    top, power = int(found[1] or 0), int(found[2] or 0)
    exact = Fraction(top) * Fraction(2) ** power
    wants(abs(exact) < 2**1024, f"{text!r} is no float")
    value = float(exact)
    plain = top % 2 == 1 and (power < 0 or abs(exact) >= 2**53) if power else abs(top) < 2**53
    wants(value == exact and plain, f"{text!r} is no float as it is written")
    return value
def read_lines(data):  # what `littlestone rounds` writes
    lines, rounds, known = data.decode("utf-8").split("\n"), [], {}
    wants(lines.pop() == "" and lines[0] == "littlestone rounds 2", "rounds of another version, or a line without end")
    for line in lines[1:]:
        label, tab, rest = line.partition("\t")
        label = read_json(label)
        wants(tab and type(label) in (str, int, float, bool), "a round is a label, a TAB and a row")
        pairs = [entry.partition(":") for entry in rest.split(" ")] if rest and rest[0] != "=" else []
        known.update((value, read_dyadic(value)) for _, _, value in pairs if value not in known)
        entries = [(read_attribute(attribute), known[value]) for attribute, _, value in pairs]
        rounds.append(Round(label, None, read_json(rest[1:])) if rest[:1] == "=" else Round(label, entries))
    return rounds
def read_data(name, data, certificate):  # the rounds of a file, by its first line or its name
    try:
        if data.startswith(b"littlestone rounds "): return read_lines(data)
        if certificate.columns is not None or name.endswith((".csv", ".tsv", ".tab")):
            return read_csv(data, certificate.columns)
        if name.endswith((".svm", ".svmlight", ".libsvm")): return read_svmlight(data)
        cover(name.endswith(".txt"), f"{name} is read as .svm, .csv, .txt or what littlestone rounds writes")
        return read_texts(data)
    except (*MALFORMED, Refused) as problem: raise BadData(f"{problem!r:.99}") from problem

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
def is_surprise(rounds, about):  # whether the first guess is a mistake in any case: an unusual label and no classes
    return bool(rounds) and "classes" not in about and rounds[0].label not in (False, -1, True)
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
        self.surprise, self.met = is_surprise(rounds, certificate.learner), max(2, len(self.declared))
        need(all(one.entries is not None for one in rounds), "the rounds are not rows of attributes")
        self.entries, self.told = [one.entries for one in rounds], False  # whether a run tells its averages too
        need(fingerprint(self.entries, self.codes) == certificate.stream, "the rounds are not those of the certificate")
    def cut(self, first, last):  # the rounds from one on to another, their averages told
        part = Game.__new__(Game)
        part.__dict__.update(self.__dict__, entries=self.entries[first:last], codes=self.codes[first:last], told=True)
        return part
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
        self.c, self.enough = float(known["bias"]), float(known.get("margin") or 0)  # agreement that teaches
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
    how = STEPPING.get(known["name"], Stepping)(known, about["real"], game, network)
    units, met, enough = [Unit() for _ in range(game.classes if network else 1)], game.met, how.enough
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
AGGRESSIVE = "Passive-aggressive {} (Crammer and others 2006)"
OTHERS = {  # the theorems of learners that are no Perceptrons
    "PassiveAggressive": {AGGRESSIVE.format(variant): (told, passive) for variant, told in PASSIVE.items()}}
def is_tie(v): return v in ("strict", "plus", "minus")
PARAMETERS = {  # of each learner besides its bias, and what each may be
    "Perceptron": {"tie": is_tie, "rate": is_positive, "margin": is_size, "normalized": is_flag},
    "AveragedPerceptron": {"tie": is_tie, "rate": is_positive, "margin": is_size},
    "VotedPerceptron": {}, "AggressivePerceptron": {"tie": is_tie},
    "PassiveAggressive": {"margin": is_positive, "aggressiveness": is_positive, "variant": lambda v: v in PASSIVE}}
class Rule:  # what is known of an additive learner: parameters as the run's floats hold them, theorems, what they count
    rated = True  # whether steps are multiples of the rate
    def __init__(self, about, real, network):
        self.name, self.known, self.network = about["name"], dict(about, real=real), network
        name, allowed = self.name, {"bias": is_size, **PARAMETERS[self.name]}
        sound = set(about) - {"name", "real", "classes"} == set(allowed) and real in ("float32", "float64")
        need(sound and all(fits(about[key]) for key, fits in allowed.items()), f"no {name} has parameters {about}")
        self.marked, self.normalized = name == "AggressivePerceptron", bool(about.get("normalized"))
        self.exact = name != "PassiveAggressive" and not self.normalized
        self.counts = "steps" if self.marked else "updates" if name != "PassiveAggressive" else "mistakes"
        rounded = round32 if real == "float32" else same
        self.rate = Fraction(rounded(float(about["rate"]))) if "rate" in about and self.rated else Fraction(1)
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
def make_rule(about, real, network): return RULES.get(about["name"], Rule)(about, real, network)
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
    rule, game = make_rule(inner, about["real"], network), Game(certificate, rounds, 2**31 if network else 2)
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
        need(is_same(part["updated"], moved), f"the updates of unit {k} are not those of the run")
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
        "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed"}
(DISJUNCTION, _, SLACK, ELIMINATION), GONE = WINNOW, -(2**62)  # the last stands for the exponent of a weight of 0
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
def check_winnow(certificate, rounds, low=None, bound=None):  # weights as whole powers of the promotion
    about, words = certificate.learner, ("promotion", "threshold", "margin", "floor")
    require_words(about, ("name", "eliminate", "strict_gt", "real", *words), ["classes"])
    cover(about["real"] is not True, "attributes between 0 and 1 are not covered here")
    promotion, threshold, margin, least = (float(about[name]) for name in words)
    eliminate, strict, b = about["eliminate"], about["strict_gt"], Fraction(promotion)
    sound = [is_number(about[name], 0) for name in words]
    sound += [is_flag(flag) for flag in (eliminate, strict, about["real"])]
    sound += [1 < promotion <= 2.0**64, 0 <= margin < threshold <= 2.0**512, least <= 1, not (eliminate and least)]
    need(all(sound), f"no learner has parameters {about}")
    need(746 / math.log(promotion) <= 2**20 - 2, "so close to 1 weights are floats and no exact powers")
    cover(low is not None or not least, f"weights with a floor are not covered here{MORE}")
    above, below = Fraction(threshold + margin), Fraction(threshold - margin)
    need(below >= Fraction(1, 2**900), "the threshold is so small that weights near it underflow")
    game = Game(certificate, rounds, 2)
    need(all(x in (0, 1) for row in game.entries for _, x in row), "an attribute is neither 0 nor 1")
    levels = (threshold - margin, threshold, threshold + margin, (not strict, not strict, strict))
    def start(phase): return Powers(promotion, False, GONE + 1 if low is None else low, eliminate)
    play_powers(certificate, game, start, lambda phase: inf, levels)
    check_updates(certificate, WINNOW)
    steps = WinnowSteps(game, certificate.updated, start(1), (above, below, strict))
    most = (bound or bound_winnow)(certificate, steps, b)
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
    need(is_same(witness["caps"], caps) and left >= 0, f"the phases that ended have caps {caps}")
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
def claim(theorem, promise, bound, witness, counts="mistakes", scope="sequence", count=None):
    return {"theorem": theorem, "promise": promise, "bound": bound, "witness": witness, "counts": counts,
            "scope": scope, "exact": True, "count": count}

class Filtering:  # Halving and its kin: drop the concepts that a round contradicts
    NAMES = {"Halving": "Halving (Barzdin and Freivald 1972, Angluin 1988)", "Consistent":
             "Consistent learner (Gold 1967, Mitchell 1982)", "RandomizedHalving": "Randomized halving (Maass 1991)",
             "NeverMiss": "Apple tasting without a miss (Helmbold, Littlestone and Long 2000)"}
    def __init__(self, about, concepts, seed):
        self.name, self.choice, self.concepts, self.seed = about["name"], about.get("choice"), concepts, seed
        self.left, self.votes, self.rounds, self.cuts, self.expected = range(concepts.size), {}, 0, 0, NIL
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
        if name != "RandomizedHalving": return claim(theorem, promise, size - len(left), witness)
        cover(size <= 2**13, "an expectation over more than 8192 concepts is not covered here")
        promise, bound = promise + ", and no label depends on the learner's coins", harmonic(size, len(left) + 1)
        return claim(theorem, promise, bound, witness, "expected mistakes", "expectation", self.expected)
def read_finite(certificate, about, rounds):  # the learner that is described, the instances and their labels
    name, declared, seed = about["name"], certificate.learner.get("classes", []), certificate.learner.get("seed", 0)
    require_words(about, ["name", "concepts", *["choice"] * (name == "Consistent")])
    tosses = name == "RandomizedHalving" or about.get("choice") == "random"
    sound = type(seed) is int and (tosses or "seed" not in certificate.learner)  # only coins have a seed
    need(sound and is_same(declared, [False, True]), f"no classes are {declared}, or no seed is {seed}")
    player = FINITE.get(name, Filtering)(about, Concepts(about["concepts"]), seed)
    codes, _ = number_labels([one.label for one in rounds], declared, 2)
    return player, [player.concepts.read(one) for one in rounds], codes
def play_finite(certificate, player, points, codes, surprise=False):  # what the rounds give is what is claimed
    run = Run()
    for number, (x, y) in enumerate(zip(points, codes)):
        guess = player.guess(x)
        run.note(number, guess != y or (number == 0 and surprise), int(player.learn(x, y, guess)))
    run.require_same(certificate, False)
    certificate.require(**player.conclude())
def check_finite(certificate, rounds):
    need(certificate.rows is None, "no sum depends on how rows are held")
    about = {key: value for key, value in certificate.learner.items() if key not in ("real", "classes", "seed")}
    player, points, codes = read_finite(certificate, about, take_rounds(certificate, rounds))
    need(fingerprint(points, codes) == certificate.stream, "the rounds are not those of the certificate")
    play_finite(certificate, player, points, codes)

# -------------------------------------------------------------------------------------------------- advice from experts
# Votes with rational weights are counted exactly; logarithms are decimals of 120 digits, and are compared to sixty.
TINY, CHARGES = Decimal(10) ** -60, ("losses", "charged asleep")
ADVISED = {  # the theorem and the parameters
    "WeightedMajority": ("Weighted majority (Littlestone and Warmuth 1994)", ["penalty"]),
    "RandomizedWeightedMajority": ("Randomized weighted majority (Littlestone and Warmuth 1994)", ["penalty"]),
    "FollowTheLeader": ("Follow the leader", ["random"])}
def decimal(value): return Decimal(value.numerator) / Decimal(value.denominator)
class Follower:  # A learner that follows the votes of experts, as a certificate describes it
    votes, promise = True, "the expert that is named lost, and was charged asleep, what is stated"
    def __init__(self, about):
        self.name, (self.theorem, own) = about["name"], ADVISED[about["name"]]
        require_words(about, ["name", *own], ["seed"])
        self.penalty, self.draws = exactly(about.get("penalty", 0)), about.get("random", about.get("draws", False))
        self.sure = self.name in ("WeightedMajority", "FollowTheLeader")
        self.tosses = self.draws or (self.votes and not self.sure)
        self.counts = ("expected mistakes" if self.tosses else "mistakes") if self.votes else "loss"
        self.strict = self.votes and self.tosses and not self.penalty  # no theorem for experts that sleep
        need(is_flag(self.draws) and 0 <= self.penalty < 1, f"no theorem covers {about}")
    def accepts(self, row, y): return all(x is None or (x in (0, 1) if self.sure else 0 <= x <= 1) for x in row)
    def read_path(self, witness, rounds, experts):  # the expert that the witness follows in each round
        require_words(witness, [*CHARGES, "experts", "error", "expert"])
        need(type(witness["expert"]) is int and 0 <= witness["expert"] < experts, "an expert has a number")
        return [witness["expert"]] * rounds
    def check(self, certificate, rows, truth, coins, path):  # refuse other losses, charges and bounds
        cover(certificate.exact or self.sure, f"a count that is no exact fraction is not covered here{MORE}")
        plain = all(x in (None, 0, 1) for row in rows for x in row)
        need(certificate.exact and plain, "only votes with rational weights are counted exactly")
        total, losses, asleep, fewest, most = count_votes(self, rows, truth, coins)
        need(certificate.count is None or is_same(certificate.count, total), f"the expected count is {total}")
        found, claimed = [losses[path[0]], asleep[path[0]]], [certificate.witness[key] for key in CHARGES]
        need(list(map(exactly, claimed)) == found, f"the witness lost and shared {found}")
        self.compare(certificate, rows, Decimal(sum(found)), fewest, most, [])
    def compare(self, certificate, rows, charge, fewest, most, checks):  # refuse numbers that are not near enough
        need(fewest <= certificate.mistakes <= most, f"the run makes {fewest} to {most} mistakes")
        bound, error = exactly(certificate.bound), exactly(certificate.witness["error"])
        allowed, room = self.bound(len(rows), len(rows[0]), certificate.witness, charge), (bound + len(rows)) / 2**30
        if isinstance(allowed, Fraction): need(allowed == bound, f"the theorem gives {allowed}, not {bound}")
        else: checks.append((allowed, bound, 4 * error + room, "the bound that the theorem gives"))
        for value, claimed, spread, what in checks:
            high, room = decimal(claimed), TINY * (1 + abs(decimal(claimed)))
            close = high - decimal(spread) - room <= value <= high + room
            need(close, f"{what} is {value:.12g}, not {float(claimed):.12g}")
    def bound(self, rounds, experts, witness, charge):  # what the theorem allows a witness of this charge
        variety, p, marks = Decimal(experts).ln(), self.penalty, int(charge + TINY)
        if self.name == "FollowTheLeader":
            mean = harmonic(experts, 1) if self.draws else Fraction(experts)
            return mean * marks + mean - 1
        need(p > 0 or charge == 0, "a penalty of 0 promises nothing once every expert erred")
        most = variety - charge * decimal(p).ln() if p else variety
        if not self.sure: return self.divide(most)
        if p == 0: return Fraction(experts.bit_length() - 1)
        high = int(most / (2 / (1 + decimal(p))).ln() + TINY)
        return Fraction(high if experts * ((1 + p) / 2) ** high >= p**marks else high - 1)
    def divide(self, most): return most / (1 - decimal(self.penalty))
def count_votes(who, rows, truth, coins):  # mistakes, experts' losses, charges asleep, fewest and most
    losses, asleep, total, fewest, most = [0] * len(rows[0]), [0] * len(rows[0]), NIL, 0, 0
    for row, y, coin in zip(rows, truth, coins):
        awake = [k for k, vote in enumerate(row) if vote is not None]
        need(not who.tosses or len(awake) == len(row), "an expert sleeps where a coin is tossed")
        least = min(losses[k] + asleep[k] for k in awake)
        gaps, near = [(row[k], losses[k] + asleep[k] - least) for k in awake], False
        leaders, weights = [vote for vote, gap in gaps if gap == 0], [who.penalty**gap for _, gap in gaps]
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
def read_advice(certificate, rounds, who):  # forecasts (None: asleep) and outcomes as fractions
    experts, rounds = certificate.witness["experts"], take_rounds(certificate, rounds)
    need(type(experts) is int and 0 < experts < 10**6 and rounds, "there are no rounds, or no experts")
    labels = [one.label for one in rounds]
    truth = number_labels(labels, [False, True], 2)[0] if who.votes else list(map(float, labels))
    digest = f"{experts} {fingerprint([one.entries for one in rounds], truth)}".encode()
    need(hashlib.sha256(digest).hexdigest() == certificate.stream, "the rounds are not those of the certificate")
    rows, truth = [], list(map(Fraction, truth))
    for one, y in zip(rounds, truth):
        row = [NIL] * experts
        for k, x in one.entries: row[k] = None if x != x else Fraction(x)
        need(row.count(None) < experts and who.accepts(row, y), "a round is one that the learner refuses")
        rows.append(row)
    return rows, truth
def check_advice(certificate, rounds):  # the witness is charged again, and the theorem must give the bound
    about, witness, seed = certificate.learner, certificate.witness, certificate.learner.get("seed", 0)
    who = FOLLOWERS.get(about["name"], Follower)(about)
    tossed = type(seed) is int and (who.tosses or "seed" not in about)
    need(tossed and certificate.rows is None, "no sum depends on how rows are held, only coins have a seed")
    rows, truth = read_advice(certificate, rounds, who)
    certificate.require(theorem=who.theorem, promise=who.promise, counts=who.counts, updated=[], marks=[],
                        scope="expectation" if who.tosses else "sequence", updates=certificate.rounds)
    need((certificate.count is None) is (who.counts == "mistakes"), f"the theorem counts {who.counts}")
    error, sleepy, count = exactly(witness["error"]), sum(None in row for row in rows), len(rows)
    need(error >= 0 and (error == 0) is certificate.exact, "exact means without error")
    awake = not sleepy or (not who.strict and (who.sure or sleepy <= 1000))
    need(awake, f"the theorem of {who.name} is for experts that never sleep, or they sleep in too many rounds")
    path, coins = who.read_path(witness, count, len(rows[0])), [draw_bits(seed, t) >> 11 for t in range(count)]
    with localcontext(Context(prec=120 + sleepy, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        who.check(certificate, rows, truth, [Fraction(coin, 2**53) for coin in coins], path)

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
    cover("weights" not in about, "rounds of unequal importance are not covered here")
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

# ------------------------------------------------------------------------------------------------------------- leagues
LEAST, NEAR, ASLEEP = 1e-6, 1e-9, math.nan  # the least chance of a class; what a sum over the rounds may be off by
READINGS = {"score": 11, "scores": 11, "label": 1, "probability": 12, "chance": 1}  # of each kind of saying
HALF_OCTAVES = [2.0 ** (k // 2) * (1.4142135623730951 if k % 2 else 1.0) for k in range(-7, 8)]
LN2, REST = 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts
def halve(x):  # A float as the sum of two with half of its digits
    high = 134217729.0 * x - (134217729.0 * x - x)
    return high, x - high
def fma(a, b, c):  # a b + c rounded once: the product is a sum of two floats (Dekker 1971)
    (a1, a2), (b1, b2), p = halve(a), halve(b), a * b
    return fsum((p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2), c))
def exponential(x):  # of x, cut to [-700, 700]: 2^n times the series of e^r
    x, middle = min(max(x, -700.0), 700.0), 1.5 * 2.0**52
    n = fma(x, 1.4426950408889634, middle) - middle
    r, series = fma(n, -REST, fma(n, -LN2, x)), 1.0 / math.factorial(12)
    for k in range(11, -1, -1): series = fma(series, r, 1.0 / math.factorial(k))
    return math.ldexp(series, int(n))
def logarithm(x):  # of x = 2^n m, that of m by the series of 2 atanh(s), s = (m - 1) / (m + 1)
    m, n = math.frexp(x)
    m, n = (m, n) if m >= 0.7071067811865476 else (2.0 * m, n - 1)
    s, series = (m - 1.0) / (m + 1.0), 1.0 / 21.0
    z = s * s
    for k in range(19, 1, -2): series = series * z + 1.0 / k
    return n * LN2 + (2.0 * s + (2.0 * s * z * series + n * REST))
def add(numbers): return chain(numbers, same)
def add_lanes(numbers): return add_up(numbers, LANES, same)
def clip(chance): return min(max(chance, LEAST), 1.0 - LEAST)
def spread(chances):  # chances that add up to 1, none of them below the least one but for that
    total = add(chances)
    floored = [max(chance / total, LEAST) for chance in chances]
    total = add(floored)
    return [chance / total for chance in floored]

class Voice:  # one of the things that a member says, from its first round on; a reading is a chance for each class met
    def __init__(self, name, kind, first, said):
        self.name, self.kind, self.first, self.said = name, kind, first, said
        self.sizes, self.many, self.tables, self.cell, self.size = 0.0, 0.0, {}, None, 0.0
    def listen(self, t, met):  # the readings of a round, none if it sleeps, and the guess
        self.cell, self.size = None, 0.0
        said = self.said[t - self.first][: 1 if self.kind in ("score", "label") else met]
        if not all(map(math.isfinite, said)) or (self.kind == "score" and met > 2): return [], None
        if self.kind == "score": return self.read_score(said[0]), int(said[0] > 0)
        if self.kind == "label":
            return ([self.read_table(8 * int(said[0]), met)], int(said[0])) if 0 <= said[0] < met else ([], None)
        guess, found = said.index(max(said)), []
        if self.kind != "scores":
            said = [max(chance, 0.0) for chance in said]
            total = add(said)
            if not 0 < total < inf: return [], None
            yes = clip(said[1] / total)
            found = [[1.0 - yes, yes] if met == 2 else spread(said)]
            if self.kind == "chance": return found, guess
            said = [logarithm(chance) for chance in found[0]]
        return found + (self.read_score(said[1] - said[0]) if met == 2 else self.read_scores(said, met)), guess
    def find_scale(self): return self.sizes / self.many if self.sizes > 0 else 1.0  # the mean size of earlier scores
    def read_score(self, score):  # ten slopes of the odds of two classes, and a table by sign and half octave
        ratio, chances, self.size = score / self.find_scale(), [], abs(score)
        odds = exponential(-0.25 * ratio)
        for _ in range(10):
            chances.append(clip(1.0 / (1.0 + odds)))
            odds *= odds
        self.cell = ("two", 16 * (score > 0) + sum(abs(ratio) >= edge for edge in HALF_OCTAVES))
        no, yes = (self.tables.get((*self.cell, label), 0.0) for label in (0, 1))
        return [[1.0 - chance, chance] for chance in (*chances, clip((yes + 0.5) / (yes + no + 1.0)))]
    def read_scores(self, said, met):  # ten slopes of a soft maximum, and a table by guess and octave of its lead
        top, scale, found = max(said), self.find_scale(), []
        best = said.index(top)
        self.size = top - max(score for c, score in enumerate(said) if c != best)
        powers = [exponential(0.25 * ((score - top) / scale)) for score in said]
        for _ in range(10):
            found.append(spread(powers))
            powers = [power * power for power in powers]
        return [*found, self.read_table(8 * best + sum(self.size / scale >= 2.0**k for k in range(-3, 4)), met)]
    def read_table(self, cell, met):  # how often each class came in a cell of a table, a half more each
        self.cell = ("classes", cell)
        counts = [self.tables.get((*self.cell, c), 0.0) for c in range(met)]
        total = add(counts)
        return spread([(count + 0.5) / (total + 0.5 * met) for count in counts])
    def learn(self, label):  # count the label in the cell that was spoken from, and the size of the score
        if self.cell is None: return
        self.tables[(*self.cell, label)] = self.tables.get((*self.cell, label), 0.0) + 1.0
        if self.kind != "label": self.sizes, self.many = self.sizes + self.size, self.many + 1.0

class Mixture:  # the weights of all readings on each level of sharing; what each level tells of each class
    def __init__(self, rates, still):
        self.rates, self.still, self.charged = [0.0, *rates], still, 0  # 0 stands for 1/t
        self.weights, self.levels = [[] for _ in self.rates], [1.0 / len(self.rates)] * len(self.rates)
        self.shared, self.shares, self.told = [], [], []  # of this round: weights of readings, of levels, chances
    def admit(self, more):  # take in more readings; before the first charged round all weigh the same
        many = len(self.weights[0]) + more
        self.weights = [w + [0.0] * more if self.charged else [1.0 / many] * many for w in self.weights]
    def serve(self, rows, met):  # share weights, which are kept if the round is charged; what is served of each class
        now, self.told, classes = self.charged + 1, [], range(1 if met == 2 else 0, met)
        rates = [0.0 if self.still or now == 1 else rate or 1.0 / now for rate in self.rates]
        self.shared = [[(1.0 - rate) * weight + rate / len(weights) for weight in weights]
                       for weights, rate in zip(self.weights, rates)]
        self.shares = [(1.0 - rates[0]) * level + rates[0] / len(rates) for level in self.levels]
        for weights in self.shared:  # a row is None for a reading that sleeps
            total = add_lanes([weight if row else 0.0 for row, weight in zip(rows, weights)])
            told = [add_lanes([row[c] * weight if row else 0.0 for row, weight in zip(rows, weights)]) / total
                    for c in classes]
            self.told.append([1.0 - told[0], told[0]] if met == 2 else told)
        said = [add_products(0.0, zip(self.shares, [told[c] for told in self.told])) for c in range(met)]
        return [1.0 - said[1], said[1]] if met == 2 else said
    def weigh(self, rows, said, y):  # move the weights by the chances that the label was given; sleepers as their level
        for k, told in enumerate(self.told):
            moved = [weight * (row[y] if row else told[y]) for row, weight in zip(rows, self.shared[k])]
            scale = 1.0 / add_lanes(moved)
            self.weights[k] = [weight * scale for weight in moved]
        moved = [share * (told[y] / said[y]) for share, told in zip(self.shares, self.told)]
        total, self.charged = add(moved), self.charged + 1
        self.levels = [weight / total for weight in moved]

def fade(x): return exponential(-x) if x < 700 else 0.0
class Account:  # the account of one phase: who is followed, and when a coin must choose
    def __init__(self, first, members, seed, follows):
        self.first, self.members, self.seed, self.follows, self.draws = first, members, seed, follows, []
        self.wrong, self.apart = [0.0] * members, [[0, 0] for _ in range(members)]
        self.balance = self.stood = self.gap = self.rate = 0.0
    def choose(self, t, guesses, best):  # the guess, and whether a coin chose it; `best` has the largest chance
        least, variety = min(self.wrong), logarithm(float(self.members))
        self.rate = variety / self.gap if self.gap > 0 else 0.0
        draws = [fade(self.rate * (k - least)) if self.gap > 0 else float(k == least) for k in self.wrong]
        total = add(draws)
        self.draws = [draw / total for draw in draws]
        if self.balance + 1.0 <= sqrt(least * variety) + variety + 2.0:
            most, chosen = 0.0, best
            for guess, (alone, other) in zip(guesses, self.apart if self.follows else ()):
                ahead = other - alone - sqrt(alone + other) - variety
                if ahead > most: most, chosen = ahead, guess
            return chosen, 0
        coin, reached = (draw_bits(self.seed, t) >> 11) * 2.0**-53, 0.0
        for guess, draw in zip(guesses, self.draws):
            reached += draw
            if coin < reached: return guess, 1
        return guesses[-1], 1
    def settle(self, guesses, best, y, wrong, coin):  # enter a round
        before, part, followed, kept = min(self.wrong), fade(self.rate), 0.0, 0.0
        for i, (guess, draw) in enumerate(zip(guesses, self.draws)):
            miss = guess != y
            self.apart[i][0] += miss and best == y
            self.apart[i][1] += not miss and best != y
            followed, kept = followed + draw * miss, kept + draw * (part if miss else 1.0)
            self.wrong[i] += miss
        mixed = (-logarithm(kept) if kept else inf) / self.rate if self.rate > 0 else min(self.wrong) - before
        self.gap += max(followed - mixed, 0.0)
        self.stood += followed if coin else wrong
        self.balance += 0.0 if coin else wrong - followed
    def conclude(self, last):  # the phase as a witness has it, its bound, both bounds rounded down, and its mistakes
        n, best, rounds = self.members, int(min(self.wrong)), last - self.first
        variety, seen = Decimal(n).ln(), 2 * decimal(Fraction(self.gap) * (1 + Fraction(NEAR)))
        slack = best + (best * variety).sqrt() + variety + 2 + TINY
        regret = 2 * (Decimal(best * (rounds - best)) / rounds * variety).sqrt() + variety * 16 / 3 + 2
        told = [self.first + 1, last, n, self.wrong.index(best), best, floor(slack + seen)]
        return told, floor(slack + regret), self.stood

class League:  # all voices, their mixture and the account; of each round played, what was given to its label
    def __init__(self, about, voices):
        self.about, self.voices, self.here, self.phases, self.labels = about, voices, [], [], []
        self.mixture, self.account = Mixture(about["rates"], not about["switching"]), None
        self.panel, self.served, self.level = [], [], []  # chances of labels: by readings, served, by the first level
        self.wrong, self.coins, self.right = [], [], []
    def play(self, codes, declared):
        self.labels = [0] * max(2, declared)  # of one class or none too, class 0 and class 1 can be guessed
        for t, y in enumerate(codes):
            new = [voice for voice in self.voices if voice.first == t]
            if new:
                if self.account is not None: self.phases.append(self.account.conclude(t))
                self.here = self.here + new
                self.mixture.admit(sum(READINGS[voice.kind] for voice in new))
                self.account = Account(t, len(self.here), self.about["seed"], "follows" in self.about)
            self.play_round(t, y)
            self.labels += [0] * (y + 1 - len(self.labels))
            self.labels[y] += 1
        self.phases.append(self.account.conclude(len(codes)))
    def play_round(self, t, y):  # ask all members, serve, and let the label teach
        met, heard = len(self.labels), [voice.listen(t, len(self.labels)) for voice in self.here]
        rows = [row for voice, (found, _) in zip(self.here, heard) for row in found or [None] * READINGS[voice.kind]]
        awake = any(rows)
        said = self.mixture.serve(rows, met) if awake else self.labels  # without a member that speaks, labels alone
        best = said.index(max(said))
        guesses, charged = [best if guess is None else guess for _, guess in heard], awake and y < met
        guess, coin = self.account.choose(t, guesses, best)
        self.account.settle(guesses, best, y, int(guess != y), coin)
        self.panel.append([row[y] if charged and row else ASLEEP for row in rows])
        self.served.append(said[y] if charged else ASLEEP)
        self.level.append(self.mixture.told[0][y] if charged else ASLEEP)
        self.wrong.append(int(guess != y))
        self.coins.append(coin)
        self.right.append([said == y for said in guesses])
        if charged: self.mixture.weigh(rows, said, y)
        for voice in self.here: voice.learn(y)
def list_voices(about, game, forecasts):  # all that members say, those of ours played again from their first round on
    voices, names = [], [member["name"] for member in about["members"]]
    need(all(type(name) is str and names.count(name) == 1 for name in names), "members have names of their own")
    for name, member in zip(names, about["members"]):
        first, own = member["joined"], "learner" in member
        require_words(member, ("name", "joined", "learner" if own else "says"))
        sound = type(first) is int and (voices[-1].first if voices else 0) <= first < len(game.codes)
        need(sound and (voices or first == 0), "members are listed as they joined, the first before the first round")
        if own:
            kind = member["learner"]["name"]
            cover(kind in MEMBERS, f"the member {name}, of the kind {kind}, is not played again here{tell(kind)}")
            cover(game.rows is not None, f"{name} is not played again: the certificate does not say how rows were held")
        found = MEMBERS[kind](member, game) if own else hear(member, forecasts, game)
        voices += [Voice(f"{name}, {part}" if part else name, says, first, said) for part, says, said in found]
    return voices
def play_scores(member, game):  # what a learner says: its score, that of its average and its own, those of a network
    known, first, name = member["learner"], member["joined"], member["name"]
    network, last = known["name"] == "Network", len(game.codes)
    inner = known["learner"] if network else known
    sound = not {"real", "classes"} & {*known, *inner}
    if network:
        cover(inner["name"] in ("Perceptron", "PassiveAggressive"), f"the units of {name} are not played again here")
        cover(first == 0 and len(game.declared) <= 2, f"the network {name} joined late, or its classes were declared")
        require_words(known, ("name", "learner", "updates"))
        sound = sound and known["updates"] in ("winner", "each")
    need(sound, f"no member is {known}")
    real = "float32" if game.rows["values"] == "float32" else "float64"
    make_rule(inner, real, network)
    if not network:  # of two classes, it leaves when a third one comes
        last = max(first, next((t for t, y in enumerate(game.codes) if y > 1), last))
    scores = play_additive(dict(known, real=real), game.cut(first, last)).told
    scores += [(ASLEEP, ASLEEP)] * (len(game.codes) - last)
    if network: return [("", "scores", [(*row, *[ASLEEP] * (game.classes - len(row))) for row in scores])]
    served, played = ([(pair[k],) for pair in scores] for k in (0, 1))
    if known["name"] != "AveragedPerceptron": return [("", "score", played)]
    return [("", "score", served), ("played", "score", played)]
def hear(member, forecasts, game):  # what a member said that is not ours: data
    name, first, kinds, found = member["name"], member["joined"], member["says"], []
    cover(name in forecasts, f"{name} is not played again: what it said belongs into a file of forecasts")
    sound = all(len(part) == 2 and type(part[0]) is str and part[1] in READINGS for part in kinds) and kinds
    need(sound, f"{name} says nothing that is read: {kinds}")
    said, widths = forecasts[name], [1 if kind in ("score", "label") else max(game.classes, 1) for _, kind in kinds]
    fits = len(said) == sum(widths) and all(len(row) >= len(game.codes) for row in said)
    need(fits, f"the forecasts of {name} are {sum(widths)} numbers for each of {len(game.codes)} rounds")
    for (part, kind), width in zip(kinds, widths):
        found.append((part, kind, list(zip(*(row[first:] for row in said[:width])))))
        said = said[width:]
    return found
MEMBERS = {**dict.fromkeys(["Perceptron", "AveragedPerceptron", "AggressivePerceptron"], play_scores),
           "PassiveAggressive": play_scores, "Network": play_scores}  # what plays a member; it gives what `hear` gives
def hash_numbers(form, *arrays):  # SHA-256 of rows or of numbers, each array behind its shape
    whole = hashlib.sha256()
    for array in arrays:
        rows = array if isinstance(array[0], (list, tuple)) else [array]
        whole.update(str((len(array), len(rows[0])) if rows is array else (len(array),)).encode())
        for row in rows: whole.update(struct.pack(f"<{len(row)}{form}", *[ASLEEP if x != x else x for x in row]))
    return whole.hexdigest()
def take_logarithm(top, bits):  # of top / 2^bits
    cut = max(top.bit_length() - 256, 0)
    return Decimal(top >> cut).ln() + (cut - bits) * Decimal(2).ln()
def round_ends(low, high):  # two numbers as multiples of 2^-60, the first rounded down and the second up
    return Fraction(floor(low * 2**60), 2**60), Fraction(-floor(-high * 2**60), 2**60)
def multiply(chances):  # the product of floats, as a whole number and how often it must be halved
    ratios = [chance.as_integer_ratio() for chance in chances]
    return math.prod(top for top, _ in ratios), sum(bottom.bit_length() - 1 for _, bottom in ratios)
def bound_stretch(witness, league, names):  # what was served, and what is allowed beside a reading: P <= N R q^2 Q
    (first, last), reading, levels = witness["stretch"], witness["reading"], len(league.mixture.rates)
    whole = all(type(witness[k]) is int for k in ("readings", "levels", "reading")) and type(first) is type(last) is int
    need(whole and 1 <= first <= last <= len(league.served), f"no rounds from {first} to {last}, or no such reading")
    sound = 0 <= reading < len(names) and names[reading].name == witness["member"] and names[reading].first < first
    need(sound, f"reading {reading} is not one of {witness['member']}, or was not there in round {first}")
    shape = (len(names), levels)
    need((witness["readings"], witness["levels"]) == shape, f"there are {shape} readings and levels")
    need(first == 1 or not league.mixture.still, "a league that shares nothing promises from the first round on")
    ended, pairs = sum(served == served for served in league.served[:last]), []
    for row, served, level in list(zip(league.panel, league.served, league.level))[first - 1 : last]:
        theirs = level if row[reading] != row[reading] and levels > 1 else row[reading]
        if served == served and theirs == theirs: pairs.append((theirs, served))  # one level: where it is awake
    (best, more), (made, bits) = (multiply([pair[k] for pair in pairs]) for k in (0, 1))
    factor = len(names) * (1 if league.mixture.still else ended if levels == 1 else levels * ended**2) or 1
    need(best << bits <= factor * made << more, "more was lost than the theorem allows")
    return round_ends(-take_logarithm(made, bits), Decimal(factor).ln() - take_logarithm(best, more))
def bracket_mixtures(witness, league, names):  # what no fixed shares lose less than, and what those of the witness lose
    shares = witness["shares"]
    whole = type(shares) is list and all(type(share) is int and share >= 0 for share in shares)
    need(whole and len(shares) == len(names) and sum(shares) == 2**20, "shares of all readings add up to 2^20")
    rows = [[int(math.ldexp(level if chance != chance else chance, 80)) for chance in row]
            for row, level in zip(league.panel, league.level) if level == level]
    need(bool(rows), "no round is charged")
    mixed = [sum(share * number for share, number in zip(shares, row)) for row in rows]
    most = max(-sum(-(row[e] << 84) // m for row, m in zip(rows, mixed)) for e in range(len(names)))
    loss = -take_logarithm(math.prod(mixed), 100 * len(rows))
    return round_ends(max(loss - decimal(Fraction(most, 2**64) - len(rows)), Decimal(0)), loss)
def count_forced(witness, league, names):  # rounds in which all are wrong, mistakes of the best of those of round 0
    need(league.mixture.charged > 0, "no round is charged")
    early = range(sum(voice.first == 0 for voice in league.voices))
    least = min(sum(not right[i] for right in league.right) for i in early)
    return sum(not any(right) for right in league.right), least
def bound_mistakes(witness, league, count):  # the mistakes, those of coins expected, and what the account allows
    told, bounds, stood = zip(*league.phases)
    same = json.dumps(witness["phases"]) == json.dumps(told)  # whole numbers, not floats that equal them
    need(same, f"the account has the phases {list(told)}")
    made = sum(stood) if any(league.coins) else sum(league.wrong)
    near = type(count) in (int, float) and abs(count - made) <= NEAR * (len(league.wrong) + 1)
    need(near, f"{made} mistakes are counted, not {count}")
    return count, sum(bounds)
CLAIMS = {  # by what is counted: how, what else the witness has, the theorem and the promise
    "log-loss": (bound_stretch, ["stretch", "readings", "levels", "member", "reading"],
                 "League, on every stretch of rounds (Adamskiy, Koolen, Chernov and Vovk 2012)",
                 "a reading of {} loses what it does in rounds {} to {}"),
    "mistakes": (bound_mistakes, ["phases"],
                 "League, the account of its guesses with AdaHedge (de Rooij and others 2014)",
                 "the best member of each phase makes the mistakes that the witness names"),
    "forced mistakes": (count_forced, [], "rounds in which all members are wrong",
                        "the guess of one member is followed in each round, which may be another one every time"),
    "forced log-loss": (bracket_mixtures, ["shares"], "a mixture's loss is convex in its shares", "shares of the "
                        "readings are fixed for all rounds; one that sleeps says what the first level does")}
def read_league(about, game):  # refuse a league that there cannot be
    require_words(about, ("name", "rates", "switching", "most", "seed", "members"), ("classes", "follows"))
    rates = about["rates"]
    sound = [type(rates) is list and all(is_number(rate, 0, True, 1) for rate in rates), type(about["seed"]) is int]
    sound += [is_flag(about["switching"]), about["switching"] or not rates or "follows" not in about]
    sound += [is_positive(about["most"]), about.get("follows", True) is True, bool(game.codes)]
    sound += [type(about["members"]) is list and bool(about["members"]), -(2**63) <= about["seed"] < 2**63]
    need(all(sound), f"no league is {about}, or it played no round")
    cover(about["seed"] >= 0, "seeds below 0 are not covered here")
    cover(about["most"] == 1, "rounds of unequal importance are not covered here")
    return about if about["switching"] else dict(about, rates=[])
def check_league(certificate, rounds):  # play the league again, and check the claim of what it served
    game, witness, forecasts = Game(certificate, rounds, 256), certificate.witness, certificate.forecasts
    about = read_league(certificate.learner, game)
    voices, heard = list_voices(about, game, forecasts), sorted(m["name"] for m in about["members"] if "says" in m)
    league, names = League(about, voices), [voice for voice in voices for _ in range(READINGS[voice.kind])]
    with localcontext(Context(prec=80, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        league.play(game.codes, len(game.declared))
        league.panel = [row + [ASLEEP] * (len(names) - len(row)) for row in league.panel]
        text = "\n".join([hash_numbers("d", league.panel), *(voice.name for voice in names)])
        known = {"panel": hashlib.sha256(text.encode()).hexdigest()}
        known["served"] = hash_numbers("d", league.served, league.level)
        known["guesses"] = hash_numbers("q", league.wrong, league.coins)
        if heard: known["forecasts"] = hash_numbers("d", *(forecasts[name] for name in heard))
        for name, found in known.items():
            need(witness[name] == found, f"the {name} of this run have the fingerprint {found[:12]}...")
        counts = certificate.counts if certificate.counts in CLAIMS else "mistakes"
        find, words, theorem, promise = CLAIMS[counts]
        require_words(witness, [*known, *words])
        count, bound = find(witness, league, certificate.count if counts == "mistakes" else names)
    if counts == "log-loss": promise = promise.format(witness["member"], *witness["stretch"])
    coins = counts == "mistakes" and any(league.coins)
    certificate.require(counts="expected " * coins + counts, scope="expectation" if coins else "sequence", count=count,
                        bound=bound, theorem=theorem, promise=promise, exact=False, updated=[], marks=[],
                        mistakes=sum(league.wrong), updates=league.mixture.charged)
    certificate.heard = heard
def read_forecasts(text):  # what foreign members said, by their names
    try: return {name: [[ASLEEP if x is None else float(x) for x in row] for row in rows]
                 for name, rows in json.loads(text).items()}
    except MALFORMED as problem: raise BadData(f"the forecasts: {problem!r}") from problem

# -------------------------------------------------------------------------------------------------------------- verdict
# Learners are looked up by their names. littlestone_verify_more.py adds its own to these tables, and to PARAMETERS,
# OTHERS, WINNOW, ADVISED and MEMBERS: how they step, what is known of them, what plays them, what checks their claims.
STEPPING, RULES, FINITE, FOLLOWERS = {}, {}, {}, {}  # for learners that are more than what stands above
CHECKS = {"Winnow": check_winnow, "BalancedWinnow": check_balanced_winnow, "Ridge": check_ridge, "League": check_league,
          **dict.fromkeys([*PARAMETERS, "Network"], check_additive), **dict.fromkeys(ADVISED, check_advice),
          **dict.fromkeys(Filtering.NAMES, check_finite)}
ELSEWHERE = ("served mistakes", "weight of updates")  # counted of labels that came late, or of unequal rounds
def verify(text, name, data, forecasts=None):  # raises `Refused`, `NotCovered` or `BadData`, or returns what is true
    try:
        certificate = Certificate(text)
        certificate.forecasts, certificate.heard = forecasts or {}, []  # the second: those that it is true of
        about = certificate.learner
        need(type(about.get("name")) is str, "it does not say of which learner it speaks")
        cover(about["name"] in CHECKS, f"{about['name']} is not covered here{tell(about['name'])}")
        cover("mixing" not in about, "runs over shards are not covered here")
        counts = certificate.counts  # of units: each by a theorem of its own, which are no plain Perceptrons
        cover(counts not in ELSEWHERE and not counts.endswith(" of units"), f"{counts} are not covered here")
        types = (False, True) if about["name"] == "Winnow" else ("float32", "float64")  # there it is a switch
        need("real" not in about or about["real"] in types, f"no weights are of type {about.get('real')!r}")
        CHECKS[about["name"]](certificate, read_data(name, data, certificate))
        need(certificate.counted <= certificate.bound, f"{certificate.counted} exceeds the bound {certificate.bound}")
        return certificate
    except MALFORMED as problem: raise Refused(f"it is malformed: {problem!r}") from problem
def read_bytes(path):
    with open(path, "rb") as file: return file.read()
def main(arguments):  # verify the certificate and the data that are named; the exit status
    try:
        wants(len(arguments) in (2, 3), "usage: python littlestone_verify.py certificate.json data [forecasts.json]")
        texts = list(map(read_bytes, arguments))
        said = read_forecasts(texts[2].decode()) if texts[2:] else {}
        true = verify(texts[0].decode(), arguments[1], texts[1], said)
    except Refused as problem: status, line = 1, f"false: {problem}"
    except NotCovered as problem: status, line = 2, f"not covered here: {problem}"
    except (BadData, OSError, UnicodeDecodeError) as problem: status, line = 2, f"cannot be read: {problem}"
    else:
        how = "exactly" if true.exact else "the counts exactly, the theorem up to the rounding of the run"
        made, bound = (f"{float(x):.9f}" if len(str(x)) > 40 else x for x in (true.counted, true.bound))
        told = f"{made} {true.counts} <= {bound} over {true.rounds} rounds"
        status, line = 0, f"true: {told}, {how} ({true.theorem})"
        if true.heard: line += f"\nWhat {', '.join(true.heard)} said is data: it is true of these forecasts."
    print(line)
    return status

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
