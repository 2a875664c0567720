"""Verify certificates of further learners: `littlestone_verify.py`, which must lie beside it, and what it leaves out.

    python littlestone_verify_more.py certificate.json data.svm [forecasts.json]

It loads the one file from its own folder, adds its learners to the tables of that file, and verifies all certificates
that either covers: ALMA and ROMMA, alone and in leagues; Winnow with a floor; the standard optimal algorithm, learners
of concepts that are not listed one by one (Elimination, Closure, Memorizer), conservative conversions; experts whose
advice is mixed with exponentials (Hedge, AdaHedge, fixed share, aggregating, improved and randomized majority); and
log-loss of the default learner, `Logistic`, and of its members `AdaGrad`, `Coin` and `Aioli`.
"""

import importlib.util
import math
import os
import sys
from array import array
from decimal import Decimal
from fractions import Fraction
from math import floor, fsum, sqrt
from operator import add

SPEC = importlib.util.spec_from_file_location(
    "littlestone_verify", os.path.join(os.path.dirname(os.path.abspath(__file__)), "littlestone_verify.py")
)
one = importlib.util.module_from_spec(SPEC)  # a copy of its own: the one file, where it is loaded too, stays as it is
SPEC.loader.exec_module(one)
need, cover, Refused, NotCovered, BadData = one.need, one.cover, one.Refused, one.NotCovered, one.BadData
NIL, decimal, claim = one.NIL, one.decimal, one.claim


# ------------------------------------------------------------------------------------------------------ ALMA and ROMMA
def ask_alma(known):
    """The margin that ALMA asks for, (1 - alpha) B."""
    margin = math.sqrt(8) / known["alpha"] if known["margin"] is None else known["margin"]
    return float((1 - known["alpha"]) * margin)


class Scaling(one.Stepping):
    """Weights that are `scale` times those that are kept, and the sum of squares of those kept."""

    long, scale, squares = True, 1.0, 0.0

    def __init__(self, known, real, game, network):
        super().__init__(known, real, game, network)
        if known["name"] == "Alma":
            self.enough = math.inf if ask_alma(known) else 0.0
        elif known["aggressive"]:
            self.enough = math.nextafter(1.0, 0.0)

    def score(self, *row):
        return super().score(*row) * self.scale

    def find(self, a, q):
        """How far along y x, and by what all weights are multiplied before."""
        known, length = self.known, self.scale * self.scale * self.squares
        if q == 0:
            return 0.0, 1.0
        if known["name"] == "Alma":
            root, size = math.sqrt(self.updates + 1.0), math.sqrt(q)
            if a * root > ask_alma(known) * size:
                return 0.0, 1.0
            along = float(known["rate"]) / (root * size)
            after = length + 2.0 * along * a + along * along * q
            factor = 1.0 / math.sqrt(after) if after > 1 else 1.0
            return factor * along, factor
        p = q * length
        rest = p - a * a
        if p <= a or p * (p - 2.0 * a + 1.0) > 2.0**40 * rest:
            return 1.0 / q, 0.0
        return length * (1.0 - a) / rest, (p - a) / rest

    def move(self, units, columns, values, a):
        ((unit, sign),) = units
        along, factor = self.find(a, one.add_products(self.c * self.c, zip(values, values)))
        if along == 0 and factor == 1:
            return 0
        self.scale *= factor
        if not 2.0**-200 <= abs(self.scale) <= 2.0**200:
            unit.b *= self.scale
            for i in unit.w:
                unit.w[i] *= self.scale
            self.squares = one.add_products(unit.b * unit.b, [(unit.w[i], unit.w[i]) for i in sorted(unit.w)])
            self.scale = 1.0
        delta, old = sign * along / self.scale, unit.b
        unit.b += delta * self.c
        self.squares += unit.b * unit.b - old * old
        for i, x in zip(columns, values):
            old = unit.w.get(i, 0.0)
            unit.w[i] = old + delta * x
            self.squares += unit.w[i] * unit.w[i] - old * old
        return 1


class ScalingRule(one.Rule):
    """What is known of ALMA, whose theorems are about rows of length 1, and of ROMMA."""

    rated = False

    def __init__(self, about, real, network):
        super().__init__(about, real, network)
        self.normalized, self.exact = self.name == "Alma", False
        self.counts = "mistakes" if about.get("aggressive") else "updates"


def find_alma(known, least):
    """C, and A = C^2 + 2 (1 - alpha) B C, at least 1 or 2."""
    C = Fraction(known["rate"])
    return C, max(C**2 + 2 * Fraction(ask_alma(known)) * C, Fraction(least))


def alma(f, m, known):
    """Whether m > A + ((A + 1) |u| / (2 C g))^2."""
    C, A = find_alma(known, 1)
    return m > A and 4 * (C * f.margin) ** 2 * (m - A) > (A + 1) ** 2 * f.norm


def alma_hinge(f, m, known):
    """Whether C (m g - D) > |u| sqrt(A (A m + 1))."""
    C, A = find_alma(known, 2)
    return one.past_root(C * f.left(m), f.norm * A * (A * m + 1))


def romma(f, m, known):
    """Whether m g^2 > R^2 |u|^2."""
    return m * f.margin**2 > f.longest * f.norm


def is_share(value):
    return one.is_positive(value) and value <= 1


one.OTHERS["Alma"] = {
    "ALMA (Gentile 2001)": (one.CLEAN, alma),
    "ALMA, hinge loss (Gentile 2001)": (one.ANY, alma_hinge),
}
one.OTHERS["Romma"] = {"ROMMA (Li and Long 2002)": (one.CLEAN, romma)}
one.PARAMETERS["Romma"] = {"aggressive": one.is_flag}
one.PARAMETERS["Alma"] = {
    "rate": one.is_positive, "alpha": is_share, "margin": lambda value: value is None or one.is_positive(value),
}  # fmt: skip
ADDITIVE = ("Alma", "Romma")
one.STEPPING.update(dict.fromkeys(ADDITIVE, Scaling))
one.RULES.update(dict.fromkeys(ADDITIVE, ScalingRule))


# ------------------------------------------------------------------------------------------------- Winnow with a floor
DRIFT = "Winnow-R, drifting disjunction (Blum 1998)"
DRIFTING = "the label of every update round is the OR of the variables that a schedule names for it"


def check_winnow(certificate, rounds):
    """Winnow as in the one file, or with weights that never fall below a floor."""
    about = certificate.learner
    need((certificate.theorem == DRIFT) is (about["floor"] != 0), "a floor is covered by the theorem on drift alone")
    if certificate.theorem != DRIFT:
        return one.check_winnow(certificate, rounds)
    plain = about["promotion"] == 2 and about["floor"] == 0.5 and about["margin"] == 0 and about["strict_gt"] is False
    need(plain, "drift is covered for promotion 2, floor 1/2 and margin 0")
    return one.check_winnow(certificate, rounds, -1, bound_drift)


def bound_drift(certificate, steps, _):
    """Additions times doublings from 1/2 on; demotions by the sum of weights."""
    witness, theta = certificate.witness, Fraction(float(certificate.learner["threshold"]))
    need(not steps.differing, "rounding turned a decision")
    one.require_words(witness, ["schedule"])
    starts, named = [first for first, _ in witness["schedule"]], dict(witness["schedule"])
    whole = all(type(i) is int for first, names in witness["schedule"] for i in (first, *names))
    need(whole and one.rise(starts) and starts[:1] == [0] * (len(steps.rows) > 0), "malformed schedule")
    additions, now, d = 0, set(), steps.attributes
    for place, (row, up) in enumerate(steps.rows):
        if place in named:
            additions, now = additions + len(set(named[place]) - now), set(named[place])
        need(bool(now & set(row)) == up, f"the schedule does not label update {place}")
    need(d < 2 * theta, "too many attributes for the threshold")
    promoted = additions * one.find_power(Fraction(2), 2 * theta, False)
    return promoted + math.floor((2 * d + 4 * promoted * theta) / (2 * theta - d + 1))


one.WINNOW[DRIFT] = DRIFTING


# ---------------------------------------------------------------------------- concepts that are not listed one by one
class Dimension:
    """Littlestone's dimension of parts of a small class, by its definition."""

    def __init__(self, concepts):
        instances = list(concepts.list_instances())
        cover(len(instances) * concepts.size <= 2**18, "the class is too large for its dimension")
        columns = [tuple(concepts.label(number, x) for x in instances) for number in range(concepts.size)]
        places = {column: place for place, column in enumerate(sorted(set(columns)))}
        self.bits, self.known = [places[column] for column in columns], {}
        self.splits = {sum(1 << place for column, place in places.items() if column[j]) for j in range(len(instances))}

    def find(self, members):
        """The dimension of some concepts, -1 of none."""
        part, d = sum(1 << bit for bit in {self.bits[number] for number in members}), -1
        while self.reaches(part, d + 1):
            d += 1
        return d

    def reaches(self, part, d):
        """Whether an instance splits a part into two of dimension d - 1 or more."""
        count = bin(part).count("1")
        if count < 1 << d or d < 2:
            return count >= 1 << d
        if (part, d) not in self.known:
            cover(len(self.known) <= 10**5, "the class is too large for its dimension")
            sides = {(part & split, part & ~split) for split in self.splits}
            self.known[part, d] = any(self.reaches(a, d - 1) and self.reaches(b, d - 1) for a, b in sides)
        return self.known[part, d]


class Optimal(one.Filtering):
    """The standard optimal algorithm: the label whose concepts have the larger dimension."""

    def __init__(self, about, concepts, seed):
        super().__init__(about, concepts, seed)
        self.dimension = Dimension(concepts)

    def guess(self, x):
        no, yes = self.split(x)
        return int(self.dimension.find(yes) > self.dimension.find(no))

    def conclude(self):
        whole, rest = self.dimension.find(range(self.concepts.size)), self.dimension.find(self.left)
        told = super().conclude()
        return dict(told, bound=whole - rest, witness={**told["witness"], "dimension": whole, "dimension left": rest})


class Literals:
    """Elimination: drop the literals that fire where the other label is right."""

    def __init__(self, about, attributes, declared):
        target, monotone = about["target"], about["monotone"]
        known = target in ("disjunction", "conjunction") and one.is_flag(monotone) and attributes >= 0
        need(known, f"no learner has parameters {about}")
        cover(attributes <= 2**22, "so many literals are not listed here")
        self.kind, self.decided = f"{'monotone ' * monotone}{target}", int(target == "disjunction")
        self.monotone, self.n, self.declared, self.on = monotone, attributes, declared, not monotone or self.decided
        self.dropped, self.left = set(), set() if monotone and self.decided else None  # None: all of them

    def fires(self, active):
        """Whether a literal that is left is true."""
        if self.on and active - self.dropped:
            return True
        return (not self.declared or len(active) < self.n) if self.left is None else not self.left <= active

    def guess(self, x):
        return self.decided if self.fires(x) else 1 - self.decided

    def learn(self, x, y, guess):
        fires = self.fires(x)
        need(fires or y != self.decided, f"no {self.kind} labels every round")
        if y == self.decided or not fires:
            return False
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


def write_runs(attributes):
    """Attributes, counted from 1, as ranges such as "x1-x5 x100"."""
    firsts = sorted(i for i in attributes if i - 1 not in attributes)
    lasts = sorted(i for i in attributes if i + 1 not in attributes)
    return " ".join(f"x{a + 1}" if a == b else f"x{a + 1}-x{b + 1}" for a, b in zip(firsts, lasts))


class Boxes:
    """Closure: positive inside the smallest box around the positive points."""

    def __init__(self, concepts):
        self.concepts, self.low, self.high = concepts, [], []

    def guess(self, x):
        return int(bool(self.low) and all(a <= v <= b for a, v, b in zip(self.low, x, self.high)))

    def learn(self, x, y, guess):
        need(y >= guess, f"no box holds the positive points and not {x}")
        if y > guess:
            self.low, self.high = list(map(min, self.low or x, x)), list(map(max, self.high or x, x))
        return y > guess

    def conclude(self):
        n, d, box = self.concepts.n, self.concepts.d, [self.low, self.high] if self.low else None
        promise = f"a box on the grid of {n} points a side in {d} dimensions labels every round"
        bound = 1 + sum(self.high) - sum(self.low) if box else 0
        return claim("Closure (Helmbold, Sloan and Warmuth 1990)", promise, bound, {"box": box})


class Memory:
    """Memorizer: the label that the instance had, 0 for a new one."""

    def __init__(self):
        self.labels = {}

    def guess(self, x):
        return self.labels.get(x, 0)

    def learn(self, x, y, guess):
        new = x not in self.labels
        need(self.labels.setdefault(x, y) == y, f"{x!r} has two labels")
        return new

    def conclude(self):
        met, promise = len(self.labels), "the label is a function of the instance"
        return claim("Memorizer (Samuel 1959)", promise, met, {"instances": met})


class Conservative:
    """Another rule, shown only the rounds that it guesses wrong."""

    def __init__(self, inner):
        self.inner, self.shown, self.guess = inner, 0, inner.guess

    def learn(self, x, y, guess):
        if guess != y:
            self.inner.learn(x, y, guess)
        self.shown += guess != y
        return guess != y

    def conclude(self):
        inner = self.inner.conclude()
        need(inner["counts"] != "expected mistakes", "an expectation says nothing of rounds that depend on its coins")
        witness = {"rounds shown": self.shown, "agreeing with them": inner["witness"]}
        return dict(inner, witness=witness, theorem=f"Conservative conversion (Littlestone 1989) of {inner['theorem']}")


def to_tuples(value):
    return tuple(map(to_tuples, value)) if isinstance(value, list) else value


def check_concepts(certificate, rounds):
    """Learners of literals, boxes and instances, and conservative ones of all: what the rounds give is claimed."""
    need(certificate.rows is None, "no sum depends on how rows are held")
    about = {key: value for key, value in certificate.learner.items() if key not in ("real", "classes", "seed")}
    wrapped, witness, rounds = 0, certificate.witness, one.take_rounds(certificate, rounds)
    while about["name"] == "Conservative":
        one.require_words(about, ("name", "learner"))
        about, wrapped, witness = about["learner"], wrapped + 1, witness["agreeing with them"]
    name, declared = about["name"], certificate.learner.get("classes", [])
    surprise = one.is_surprise(rounds, certificate.learner)
    if name in one.Filtering.NAMES:
        player, hashed, codes = one.read_finite(certificate, about, rounds)
        players, points = [player], hashed
    else:
        cover(name in UNLISTED, f"{name} inside Conservative is not covered here")
        need("seed" not in certificate.learner, "only coins have a seed")
        codes, _ = one.number_labels([r.label for r in rounds], declared, 2**31 if name == "Memorizer" else 2)
        players, hashed, points = UNLISTED[name](about, witness, rounds, declared)
    need(one.fingerprint(hashed, codes) == certificate.stream, "the rounds are not those of the certificate")
    for player in players:
        for _ in range(wrapped):
            player = Conservative(player)
        try:
            return one.play_finite(certificate, player, points, codes, surprise)
        except Refused as found:
            problem = str(found)
    raise Refused(problem)


def read_boxes(about, witness, rounds, declared):
    one.require_words(about, ["name", "concepts"])
    concepts = one.Concepts(about["concepts"])
    need(declared == [False, True] and concepts.grid, f"no classes are {declared}, or no boxes {concepts.text}")
    points = [concepts.read(r) for r in rounds]
    return [Boxes(concepts)], points, points


def read_instances(about, witness, rounds, declared):
    one.require_words(about, ["name"])
    hashed, points = list_instances(rounds)
    return [Memory()], hashed, points


def read_literals(about, witness, rounds, declared):
    """Attributes may have been declared before the first round, or not: the rounds do not say."""
    one.require_words(about, ["name", "target", "monotone"])
    (hashed, points), n = list_instances(rounds), witness["attributes"]
    fits = type(n) is int and all(i < n and x == 1 for row in points for i, x in row)
    need(fits, f"a row is not {n} attributes that are 0 or 1")
    return [Literals(about, n, known) for known in (True, False)], hashed, [{i for i, _ in row} for row in points]


def list_instances(rounds):
    """Instances as they are hashed, and as keys of a table."""
    hashed = [to_tuples(r.instance) if r.entries is None else r.entries for r in rounds]
    return hashed, [tuple(sorted(e for e in row if e[1] != 0)) if isinstance(row, list) else row for row in hashed]


UNLISTED = {"Elimination": read_literals, "Closure": read_boxes, "Memorizer": read_instances}
one.Filtering.NAMES["StandardOptimal"] = "Standard optimal algorithm (Littlestone 1988)"
one.FINITE["StandardOptimal"] = Optimal


# ------------------------------------------------------------------------------------ experts, mixed with exponentials
# Logarithms and exponentials are decimals of 120 digits and more, and are compared to sixty: every operation is off by
# 10^-119 of its result, and a run has a few million of them.
one.ADVISED.update({
    "ImprovedMajority": ("Improved weighted majority (Cesa-Bianchi et al. 1997)", ["penalty", "shape"]),
    "Hedge": ("Hedge (Freund and Schapire 1997)", ["rate", "loss", "draws", "memory"]),
    "AdaHedge": ("AdaHedge (de Rooij, van Erven, Grunwald and Koolen 2014)", ["loss", "draws"]),
    "FixedShare": ("Fixed share (Herbster and Warmuth 1998)", ["rate", "switching", "loss", "draws"]),
    "Aggregating": ("Aggregating algorithm (Vovk 1998)", ["loss"]),
})  # fmt: skip
ADVICE = ("RandomizedWeightedMajority", "ImprovedMajority", "Hedge", "AdaHedge", "FixedShare", "Aggregating")


class Loss:
    """A loss by its name and numbers, as its constructor call is written."""

    def __init__(self, text):
        name, given = one.read_call(text)
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

    def price(self, x, y, of=one.same):
        """What a forecast loses; `of` makes decimals of fractions, where x is one."""
        if self.name == "Log":
            return -(x if y == 1 else 1 - x).ln()
        short = of(y) - x
        if self.name == "ZeroOne":
            return Fraction(short != 0)
        if self.name == "Pinball":
            return of(self.quantile if short > 0 else self.quantile - 1) * short
        return abs(short) if self.name == "Absolute" else short * short * (2 if self.name == "Brier" else 1)


class Mixing(one.Follower):
    """A learner that mixes what experts say; Hedge, and what others have in common with it."""

    def __init__(self, about):
        self.about, self.votes = about, "loss" not in about
        super().__init__(about)
        self.cost = Loss("Absolute(low=0, high=1)" if self.votes else about["loss"])
        given = [about.get(key) for key in ("rate", "switching")]
        self.rate, self.switching = (None if value is None else one.exactly(value) for value in given)
        sound = [self.rate is None or self.rate > 0, about.get("memory", 1) == 1, self.has_theorem()]
        need(all(sound), f"no theorem covers {about}")

    def has_theorem(self):
        """Whether the loss is one that the theorem is about."""
        return self.cost.name != "Log" and (self.votes or self.draws or self.cost.name != "ZeroOne")

    def make_pool(self, experts):
        return Pool(self, experts)

    def accepts(self, row, y):
        cost = self.cost
        inside = all(x is None or cost.low <= x <= cost.high for x in row)
        return inside and (y in (0, 1) if cost.binary else cost.low <= y <= cost.high)

    def check(self, certificate, rows, truth, coins, path):
        """Play again in decimals; refuse other losses, charges and bounds."""
        witness, sleepy = certificate.witness, any(None in row for row in rows)
        error, lost, free = (one.exactly(witness[key]) for key in ("error", *one.CHARGES))
        near = one.exactly(certificate.counted) / 2**30 + len(rows) * self.cost.top / 2**40
        need(not certificate.exact, "only votes with rational weights are counted exactly")
        need(error <= near, "rounding makes no such error")
        need(sleepy or free == 0, "no expert slept, and none was charged for it")
        total, asleep, fewest, most = self.play(rows, truth, coins)
        charge = self.charge(rows, truth, path, lost)
        checks = [(total, one.exactly(certificate.count), error, "the loss")]
        checks.append((charge, lost, error, "what the witness lost"))
        if sleepy:
            checks.append((asleep[path[0]], free, error, "what the witness was charged asleep"))
        self.compare(certificate, rows, charge + asleep[path[0]], fewest, most, checks)

    def play(self, rows, truth, coins):
        """The loss, charges asleep, fewest and most mistakes."""
        pool, loss, fewest, most, near = self.make_pool(len(rows[0])), Decimal(0), 0, 0, Decimal(2) ** -30
        for row, y, coin in zip(rows, truth, coins):
            pool.weigh()
            awake = {k: x for k, x in enumerate(row) if x is not None}
            if self.draws and not self.votes:
                loss += pool.average({k: self.cost.price(x, y) for k, x in awake.items()})
            else:
                guess = pool.guess(awake)
                loss += self.cost.price(guess, y, decimal)
                unsure = self.votes and abs(decimal(coin) - guess) <= near and 0 < guess < 1  # losses are no mistakes
                wrong = self.votes and (decimal(coin) < guess) != (y == 1)
                fewest, most = fewest + (wrong and not unsure), most + (wrong or unsure)
            pool.learn(awake, y)
        return loss, pool.asleep, fewest, most

    def charge(self, rows, truth, path, lost):
        """What the experts of a path lose, which must be what is stated."""
        pairs = [(row[k], y) for row, k, y in zip(rows, path, truth) if row[k] is not None]
        exact = sum((self.cost.price(*pair) for pair in pairs), NIL)
        need(lost == exact, f"the witness lost {float(exact):.12g}, not {float(lost):.12g}")
        return decimal(exact)

    def bound(self, rounds, experts, witness, charge):
        if self.votes:
            return super().bound(rounds, experts, witness, charge)
        variety, top = Decimal(experts).ln(), decimal(self.cost.top)
        if self.rate is None:
            return charge + top * (variety * rounds).sqrt()
        return charge + top * (variety / decimal(self.rate) + decimal(self.rate) * rounds / 8)


class Pool:
    """The weights of experts before each round, and what they were charged asleep."""

    def __init__(self, who, experts):
        self.who, self.losses, self.asleep = who, [NIL] * experts, [Decimal(0)] * experts
        self.weights, self.round, self.variety = [Decimal(1)] * experts, 0, Decimal(experts).ln()
        self.scale = decimal(who.cost.top)
        self.rate = -decimal(who.penalty).ln() if who.penalty else decimal(who.rate or 0) / self.scale

    def weigh(self):
        """Set the weights of this round, where they do not follow from the last ones by a factor."""
        self.round += 1
        if self.who.votes and not self.who.penalty:
            self.weights = [Decimal(int(loss == 0)) for loss in self.losses]
        elif not self.who.votes and self.who.rate is None:
            self.rate = 2 * (self.variety / self.round).sqrt() / self.scale
            self.weights = [(-self.rate * (decimal(a) + b)).exp() for a, b in zip(self.losses, self.asleep)]

    def average(self, numbers):
        total = sum(self.weights[k] * decimal(number) for k, number in numbers.items())
        return total / sum(self.weights[k] for k in numbers)

    def guess(self, awake):
        return self.average(awake)

    def learn(self, awake, y):
        """Charge experts that are awake their losses."""
        lost = {k: self.who.cost.price(x, y) for k, x in awake.items()}
        for k, loss in lost.items():
            self.losses[k] += loss
        if self.who.penalty or not self.who.votes:
            self.multiply({k: (-self.rate * decimal(loss)).exp() for k, loss in lost.items()})

    def multiply(self, factors):
        """Multiply the weights of those awake; those asleep are charged the mix loss of the others."""
        before, after = self.weights, [weight * factors.get(k, 1) for k, weight in enumerate(self.weights)]
        left = sum(after[k] for k in factors) / sum(before[k] for k in factors)
        for k in set(range(len(after))) - set(factors):
            after[k], self.asleep[k] = before[k] * left, self.asleep[k] - left.ln() / self.rate
        self.weights = after


class Randomized(Mixing):
    """Randomized majority, which is counted exactly where experts vote and the fractions are short."""

    def check(self, certificate, *run):
        (one.Follower if certificate.exact else Mixing).check(self, certificate, *run)


class Improved(Mixing):
    """Improved majority: the chance of a label is the share of the weight that votes for it, bent."""

    def __init__(self, about):
        super().__init__(about)
        need(about["shape"] in ("linear", "vovk"), f"no theorem covers {about}")

    def make_pool(self, experts):
        return BentPool(self, experts)

    def divide(self, most):
        return most / (2 * (2 / (1 + decimal(self.penalty))).ln())


class BentPool(Pool):
    def guess(self, awake):
        mean, shape, p = self.average(awake), self.who.about["shape"], decimal(self.who.penalty)
        if shape == "vovk" and not 0 < mean < 1:
            return mean
        if shape == "linear":
            half = (2 / (1 + p)).ln() * (1 + p) / (2 * (1 - p))
            return min(max(Decimal("0.5") + (2 * mean - 1) / (4 * half), Decimal(0)), Decimal(1))
        down, up = (1 - mean + mean * p).ln(), (mean + (1 - mean) * p).ln()
        return down / (down + up)


class Adaptive(Mixing):
    """AdaHedge, whose rate follows from what its mixtures lost."""

    def __init__(self, about):
        super().__init__(about)
        self.strict = True

    def make_pool(self, experts):
        return AdaptivePool(self, experts)

    def charge(self, rows, truth, path, lost):
        totals = [sum(self.cost.price(row[k], y) for row, y in zip(rows, truth)) for k in range(len(rows[0]))]
        need(totals[path[0]] == min(totals), f"expert {path[0]} is not the best one")
        return super().charge(rows, truth, path, lost)

    def bound(self, rounds, experts, witness, charge):
        variety, top = Decimal(experts).ln(), decimal(self.cost.top)
        inside = charge * max(top * rounds - charge, Decimal(0)) * variety / rounds
        return charge + 2 * inside.sqrt() + top * (variety * 16 / 3 + 2)


class AdaptivePool(Pool):
    gap = Decimal(0)

    def weigh(self):
        least = min(self.losses)
        if self.gap == 0:
            self.weights = [Decimal(int(loss == least)) for loss in self.losses]
        else:
            self.rate = self.variety / self.gap
            self.weights = [(-self.rate * decimal(loss - least)).exp() for loss in self.losses]

    def learn(self, awake, y):
        lost, least = [self.who.cost.price(awake[k], y) for k in range(len(self.losses))], min(self.losses)
        after = [loss + more for loss, more in zip(self.losses, lost)]
        if self.gap == 0:
            leaders = [more for loss, more in zip(self.losses, lost) if loss == least]
            self.gap = decimal(sum(leaders, NIL) / len(leaders) - (min(after) - least))
        else:
            left = sum(w * (-self.rate * decimal(more)).exp() for w, more in zip(self.weights, lost))
            mixed = (sum(self.weights) / left).ln() / self.rate
            self.gap += max(self.average(dict(enumerate(lost))) - mixed, Decimal(0))
        self.losses = after


class Sharing(Mixing):
    """Fixed share: every expert gives a part of its weight to all."""

    promise = "the experts that are named, each from its round on, lost together what is stated"

    def __init__(self, about):
        super().__init__(about)
        self.strict = True
        need(self.rate is not None and 0 < self.switching < 1, f"no theorem covers {about}")

    def make_pool(self, experts):
        return SharingPool(self, experts)

    def read_path(self, witness, rounds, experts):
        one.require_words(witness, [*one.CHARGES, "experts", "error", "schedule"])
        schedule = witness["schedule"]
        whole = all(len(part) == 2 and type(part[0]) is type(part[1]) is int for part in schedule)
        need(whole and schedule and schedule[0][0] == 0, "a schedule starts in round 0, and an expert has a number")
        firsts, named = [*(first for first, _ in schedule), rounds], [k for _, k in schedule]
        turns = one.rise(firsts) and all(a != b for a, b in zip(named, named[1:]))
        need(turns and all(0 <= k < experts for k in named), "a schedule is experts that take turns")
        return [k for (first, k), after in zip(schedule, firsts[1:]) for _ in range(after - first)]

    def bound(self, rounds, experts, witness, charge):
        rate, share, switches = decimal(self.rate), decimal(self.switching), len(witness["schedule"]) - 1
        variety = (switches + 1) * Decimal(experts).ln() - switches * share.ln()
        variety -= (rounds - 1 - switches) * (1 - share).ln()
        return charge + decimal(self.cost.top) * (variety / rate + rate * rounds / 8)


class SharingPool(Pool):
    def learn(self, awake, y):
        super().learn(awake, y)
        share, total = decimal(self.who.switching), sum(self.weights)
        self.weights = [(1 - share) * weight + share / len(self.weights) * total for weight in self.weights]


class Aggregating(Mixing):
    """Vovk's mixture, for losses that it can mix."""

    def has_theorem(self):
        return self.cost.mixable > 0

    def make_pool(self, experts):
        return AggregatingPool(self, experts)

    def charge(self, rows, truth, path, lost):
        if self.cost.name != "Log":
            return super().charge(rows, truth, path, lost)
        pairs = [(row[k], y) for row, k, y in zip(rows, path, truth) if row[k] is not None]
        return sum((self.cost.price(decimal(x), y) for x, y in pairs), Decimal(0))

    def bound(self, rounds, experts, witness, charge):
        return charge + Decimal(experts).ln() / decimal(self.cost.mixable)


class AggregatingPool(Pool):
    def __init__(self, who, experts):
        super().__init__(who, experts)
        self.rate = decimal(who.cost.mixable)

    def weigh(self):
        """Weights follow from the last ones by a factor."""

    def guess(self, awake):
        cost = self.who.cost
        if cost.name == "Log":
            return self.average(awake)
        low, high = (
            sum(self.weights[k] * (-self.rate * decimal(cost.price(x, end))).exp() for k, x in awake.items())
            for end in (cost.low, cost.high)
        )
        width = decimal(2 * (2 if cost.name == "Brier" else 1) * (cost.high - cost.low))
        middle = decimal((cost.low + cost.high) / 2) + (high / low).ln() / (self.rate * width)
        return min(max(middle, decimal(cost.low)), decimal(cost.high))

    def learn(self, awake, y):
        if self.who.cost.name == "Log":
            self.multiply({k: decimal(x if y == 1 else 1 - x) for k, x in awake.items()})
        else:
            super().learn(awake, y)


one.FOLLOWERS.update(zip(ADVICE, (Randomized, Improved, Mixing, Adaptive, Sharing, Aggregating)))


# --------------------------------------------------------------------------------- log-loss: Logistic and its members
LEAST = 1e-300  # a chance below this is charged as this
RICHEST = 1e30  # a wealth is kept between the inverse of this and this
WIDEST = 4096  # attributes of the matrix of Aioli
FEWEST = 16  # attributes that rounding is reckoned for, where there are fewer
LAST = 2.0**-52  # what a number may be off by, in units of it, after one operation: twice what it is at most
OUTWARDS, ORDER = 64 * LAST, 24 * LAST  # what a few operations may be off by, and what sums in another order may be
FURTHER = 2.0**-30  # of the bound that a number may be rounded outwards
CLASSES = 2**31
ANY = "none: it is true of every stream and of every comparator u"
THEOREMS = {
    "AdaGrad": "AdaGrad, log-loss (Duchi, Hazan and Singer 2011; Orabona and Pal 2015)",
    "Coin": "Coin, log-loss (Kempka, Kotlowski and Warmuth 2019)",
    "Aioli": "Aioli, log-loss (Jezequel, Gaillard and Rudi 2020)",
    "Logistic": "Logistic, log-loss through a member (Herbster and Warmuth 1998)",
}


# the exponential of the one file, its floats found in half the time
LN2, REST, halve, fma, logarithm = one.LN2, one.REST, one.halve, one.fma, one.logarithm
SPLITTER, MIDDLE = 134217729.0, 1.5 * 2.0**52
SERIES = [1.0 / math.factorial(k) for k in range(11, -1, -1)]


def exponential(x):
    """The exponential of x, cut to [-700, 700]: 2^n times the series of e^r, each step of which is an fma."""
    x = min(max(x, -700.0), 700.0)
    turns = x * 1.4426950408889634
    n = floor(turns + 0.5)
    if abs(turns - n) > 0.499999:  # so near to the middle of two whole numbers that rounding decides
        n = int(fma(x, 1.4426950408889634, MIDDLE) - MIDDLE)
    r = fma(float(n), -REST, x - n * LN2) if n else x
    (high, low), series = halve(r), 1.0 / math.factorial(12)
    for term in SERIES:
        p, up = series * r, SPLITTER * series
        up -= up - series
        down = series - up
        series = fsum((p, down * low - (((p - up * high) - down * high) - up * low), term))
    return math.ldexp(series, n)


class Sum:
    """A sum of floats, what rounding took from it (Neumaier 1974), and the sum of the sizes of its terms."""

    def __init__(self):
        self.total = self.rest = self.sizes = 0.0

    def add(self, value):
        """Add a number."""
        total = self.total
        after = self.total = total + value
        self.rest += (total - after) + value if abs(total) >= abs(value) else (value - after) + total

    @property
    def value(self):
        """The sum with what rounding took from it."""
        return self.total + self.rest


# ------------------------------------------------------------------------------------------------ members of a mixture
class Rate:
    """A member AdaGrad: for each attribute the sum g of its steps and s of their squares, kept in the run's type."""

    kind = "AdaGrad"

    def __init__(self, setting, known):
        self.setting, self.g, self.s, self.charge = setting, array(known.real), array(known.real), Sum()
        self.roots = []

    def grow(self, more):
        """Make room for attributes that come up."""
        self.g.extend([0.0] * more)
        self.s.extend([0.0] * more)

    def rescale(self, j, shrink):
        """Put an attribute into units of its new largest size."""
        self.g[j], self.s[j] = self.g[j] * shrink, self.s[j] * (shrink * shrink)

    def mirror(self):
        """Speak of the other class."""
        self.g = array(self.g.typecode, [-g for g in self.g])

    def score(self, row):
        """The score of a row."""
        g, s, rate, z, roots = self.g, self.s, self.setting, 0.0, []
        for j, x in row:
            root = sqrt(s[j] + 1.0)
            z += rate * g[j] / root * x
            roots.append(root)
        self.roots = roots
        return z

    def learn(self, row, high, low, target):
        """Step along a row that was scored, having said yes with the chance `high`."""
        pull, charge, g, s, rate = low if target else -high, 0.0, self.g, self.s, self.setting
        for (j, x), root in zip(row, self.roots):
            a = pull * x
            square = a * a
            charge += rate * a * a / (2.0 * root)
            g[j] += a
            s[j] += square
        self.charge.add(charge)
        self.charge.sizes += charge

    def find_ridges(self, count):
        """What r_i is where the size of u costs half the sum of r_i u_i^2."""
        return [sqrt(s + 1.0) / self.setting for s in self.s] + [1.0 / self.setting] * (count - len(self.s))

    def price(self, u, ridges, met):
        """What the size of u costs for each attribute, and what the run was charged besides."""
        off = (len(u) + 16) * LAST * self.charge.sizes
        return [r * v * v / 2 for r, v in zip(ridges, u)], self.charge.value + off


class Coin(Rate):
    """A member that bets a share of a wealth e on each attribute; q is what its theorem charges."""

    kind = "Coin"

    def __init__(self, setting, known):
        super().__init__(setting, known)
        self.e, self.q, self.bets = array(known.real), [], []

    def grow(self, more):
        super().grow(more)
        self.e.extend([self.setting] * more)
        self.q.extend([0.0] * more)

    def score(self, row):
        g, s, e, z, bets = self.g, self.s, self.e, 0.0, []
        for j, x in row:
            square = s[j] + 1.0
            reach = sqrt(square)
            bet = min(max(g[j], -reach), reach) / (2.0 * square)
            z += bet * e[j] * x
            bets.append(bet)
        self.bets = bets
        return z

    def learn(self, row, high, low, target):
        pull, g, s, e, q = low if target else -high, self.g, self.s, self.e, self.q
        for (j, x), bet in zip(row, self.bets):
            a = pull * x
            square = a * a
            e[j] = min(max(e[j] * (1.0 + a * bet), 1.0 / RICHEST), RICHEST)
            q[j] += square / (s[j] + 1.0)
            g[j] += a
            s[j] += square

    def find_ridges(self, count):
        return [sqrt(s + 1.0) for s in self.s] + [1.0] * (count - len(self.s))

    def price(self, u, ridges, met):
        """Of each attribute u g + wealth - e: what was won stands against it."""
        parts = enumerate(zip(u, self.g, self.e))
        return [v * g + (self.setting - e) if j in met else 0.0 for j, (v, g, e) in parts], 0.0

    def price_before(self, u, ridges, met):
        """What the theorem says before the run of |u|, and the wealth for each attribute."""
        costs = []
        for v, r, q in zip(u, ridges, self.q):
            reach = 2.0 * r
            logs = math.log(abs(v) * reach / self.setting) if v else 0.0
            costs.append(abs(v) * reach * max(0.0, logs + (q / 2.0 - 0.75)))
        return costs, self.setting * len(met)


class Newton:
    """A member Aioli: a centre c and a matrix P, which is symmetric.

    Two lines of the matrix stand in a block as one of complex numbers, up to the diagonal: their sums and their
    products with a float are those of the parts, each rounded as it is alone, in less time.
    """

    kind = "Aioli"

    def __init__(self, setting, known):
        self.setting, self.ridge, self.charge, self.rows = setting, known.ridge, Sum(), 0
        self.c, self.blocks, self.along = [], [], []
        self.ahead = self.spread = self.said = 0.0

    def grow(self, more):
        """Make room for attributes that come up."""
        self.rows += more
        while len(self.c) < self.rows:
            self.blocks.append([0j] * len(self.c) + [complex(1.0 / self.ridge, 0.0), complex(0.0, 1.0 / self.ridge)])
            self.c += [0.0, 0.0]

    def read_line(self, j):
        """A line of the matrix, two numbers at a time."""
        half = j // 2
        part = [p.imag for p in self.blocks[half]] if j % 2 else [p.real for p in self.blocks[half]]
        before = map(complex, part[: 2 * half : 2], part[1 : 2 * half : 2])
        return [*before, *[block[j] for block in self.blocks[half:]]]

    def put(self, i, j, value):
        """Write an entry of the matrix, i being in the block of j or a later one."""
        old = self.blocks[i // 2][j]
        self.blocks[i // 2][j] = complex(old.real, value) if i % 2 else complex(value, old.imag)

    def lose(self, pairs):
        """Take the square of a vector from the matrix."""
        along = flatten(pairs)
        for k, (block, a) in enumerate(zip(self.blocks, pairs)):
            if a != 0:
                self.blocks[k] = [p - a * b for p, b in zip(block, along)]

    def rescale(self, j, shrink):
        """Put an attribute into units of its new largest size; its ridge grows."""
        pairs = self.read_line(j)
        kept, share, more = flatten(pairs)[j], self.c[j], self.ridge * (1.0 - shrink * shrink)
        below = shrink * shrink + more * kept
        root = sqrt(more / below)
        pairs = [root * p for p in pairs]
        along = flatten(pairs)
        self.c = [c - a * (root * share) for c, a in zip(self.c, along)]
        self.lose(pairs)
        for i, a in enumerate(along):
            for first, second in ((max(i, j), min(i, j)), (min(i, j), max(i, j))):
                if second // 2 <= first // 2:
                    self.put(first, second, kept / below if i == j else a / root * (shrink / below))
        self.c[j] = share * (shrink / below)

    def mirror(self):
        """Speak of the other class."""
        self.c = [-c for c in self.c]

    def score(self, row):
        """The root of s = c.x - (v / 2) tanh(s / 2), v = x.Px."""
        pairs, ahead, spread = [0j] * len(self.blocks), 0.0, 0.0
        for j, x in row:
            ahead += self.c[j] * x
            line = self.read_line(j) if x == 1.0 else [x * p for p in self.read_line(j)]
            pairs = list(map(add, pairs, line))
        along = flatten(pairs)
        for j, x in row:
            spread += x * along[j]
        self.along, self.ahead, self.spread = pairs, ahead, max(spread, 0.0)
        self.said = find_root(ahead, self.spread)
        return self.said

    def learn(self, row, high, low, target):
        """Move the centre along Px, and take from the matrix what the row taught."""
        spread, behind, curve = self.spread, self.ahead - self.said, self.setting * high * low
        slope, below = -low if target else high, 1.0 + curve * spread
        gain, across, bent = spread * slope * slope, 2.0 * behind * slope, curve * behind * behind
        self.charge.add((gain - across - bent) / (2.0 * below))
        self.charge.sizes += (gain + abs(across) + bent) / (2.0 * below)
        step, root = (-curve * behind - slope) / below, sqrt(curve / below)
        self.c = [c + step * a for c, a in zip(self.c, flatten(self.along))]
        self.lose([a * root for a in self.along])

    def find_ridges(self, count):
        """The ridge of each attribute."""
        return [self.ridge] * count

    price = Rate.price


def flatten(pairs):
    """The parts of complex numbers, one after another."""
    return [part for pair in pairs for part in (pair.real, pair.imag)]


def find_root(ahead, spread):
    """The score s = ahead - (spread / 2) tanh(s / 2), by Newton's steps between ends that close in on it."""
    low, high, s = min(ahead, 0.0), max(ahead, 0.0), ahead
    for _ in range(60):
        rest = exponential(-abs(s))
        size = (1.0 - rest) / (1.0 + rest)
        tanh = size if s >= 0 else -size
        excess = s - ahead + 0.5 * spread * tanh
        low, high = (low, s) if excess > 0 else (s, high)
        after = s - excess / (1.0 + 0.25 * spread * (1.0 - tanh * tanh))
        if not low < after < high:
            after = 0.5 * (low + high)
        if excess == 0 or abs(after - s) <= 2e-16 * abs(s):
            break
        s = after
    return s


# ------------------------------------------------------------------------------------------------------------ the run
PARAMETERS = {
    "AdaGrad": ("rate", "guard", "bias", "precision"),
    "Coin": ("wealth", "guard", "bias", "precision"),
    "Aioli": ("kappa", "ridge", "guard", "bias"),
    "Logistic": ("rates", "wealths", "kappas", "ridge", "second_order", "share", "guard", "bias", "precision"),
}


def is_sized(value):
    """Whether a number is positive and of a size that learners take."""
    return type(value) in (int, float) and 1e-30 <= value <= 1e30


class Settings:
    """What is known of a mixture before the first round; refuses a description that no learner has."""

    def __init__(self, about):
        name = about["name"]
        further = ("classes", "form") if name == "Logistic" else ("classes",)
        one.require_words(about, ("name", *PARAMETERS[name]), further)
        lists = [about.get(f"{part}s", [about[part]] if part in about else []) for part in ("rate", "wealth", "kappa")]
        sound = [type(part) is list and all(map(is_sized, part)) for part in lists]
        sound += [is_sized(about.get("ridge", 1.0)), one.is_flag(about["guard"])]
        sound += [is_sized(about["bias"]) or (about["bias"] == 0 and about["bias"] is not False)]
        self.share, precision = about.get("share", True), about.get("precision", 64)
        self.limit = WIDEST if name == "Aioli" else about.get("second_order", 0)
        sound += [one.is_flag(self.share), type(precision) is type(self.limit) is int, precision in (32, 64)]
        sound += [0 <= self.limit <= WIDEST, bool(lists[0] or lists[1] or name == "Aioli")]
        sound += [all(kappa <= 1 for kappa in lists[2]), sum(map(len, lists)) <= 16]
        self.form = about.get("form", "units")
        sound += [self.form in ("units", "softmax", "both")]
        need(all(sound), f"no {name} has parameters {about}")
        rates, wealths, kappas = ([float(value) for value in part] for part in lists)
        self.parts = [(Rate, rate) for rate in rates] + [(Coin, wealth) for wealth in wealths]
        self.bare = list(self.parts)  # the members of a softmax
        self.parts += [(Newton, kappa) for kappa in kappas if self.limit and self.form != "softmax"]
        self.real, self.ridge = "f" if precision == 32 else "d", float(about.get("ridge", 1.0))
        self.guard, self.constant = about["guard"], bool(about["bias"])


class Unit:
    """A mixture that says how likely one class is."""

    def __init__(self, known, rows, bare=False):
        self.members = [kind(setting, known) for kind, setting in (known.bare if bare else known.parts)]
        self.weights, self.said = [1.0 / len(self.members)] * len(self.members), []
        self.grow(rows)

    def grow(self, more):
        """Make room for attributes that come up."""
        for member in self.members:
            member.grow(more)

    def say(self, row, active):
        """The chance of yes, and that of no; each member's are kept."""
        self.said = []
        for member in self.members[:active]:
            score = min(max(member.score(row), -700.0), 700.0)
            rest = exponential(-abs(score))
            large = 1.0 / (1.0 + rest)
            self.said.append((large, rest * large) if score >= 0 else (rest * large, large))
        total, yes, no = one.chain(self.weights[:active], one.same), 0.0, 0.0
        for weight, (high, low) in zip(self.weights, self.said):
            part = weight / total
            yes, no = yes + part * high, no + part * low
        return yes, no

    def learn(self, row, target, shared, active):
        """Weigh the members anew, and teach them."""
        self.weights = weigh(self.weights, [pair[0 if target else 1] for pair in self.said], shared)
        for member, (high, low) in zip(self.members[:active], self.said):
            member.learn(row, high, low, target)


def weigh(weights, chances, shared):
    """Weights times the chances that were given, over their sum, a part of all being shared evenly; others are 0."""
    moved = [weight * max(chance, LEAST) for weight, chance in zip(weights, chances)]
    total, even = one.chain(moved, one.same), shared / len(chances)
    return [(1.0 - shared) * (weight / total) + even for weight in moved] + [0.0] * (len(weights) - len(chances))


class Softmax:
    """A mixture whose members have a vector for each class, and one row of weights for all classes."""

    def __init__(self, known, many):
        self.vectors = [Unit(known, 1, True) for _ in range(many)]
        self.weights, self.chances = [1.0 / len(known.parts)] * len(known.bare), []

    def score(self, row):
        """The scores of each member, a list of all classes for each."""
        scores = [[member.score(row) for member in vector.members] for vector in self.vectors]
        return [list(column) for column in zip(*scores)]

    def share(self, scores, many):
        """What the mixture gives each of the first classes; the chances that each member gives them are kept."""
        total, said, self.chances = one.chain(self.weights, one.same), [0.0] * many, []
        for weight, column in zip(self.weights, scores):
            highest, part = max(column[:many]), weight / total
            powers = [exponential(score - highest) for score in column[:many]]
            below = one.chain(powers, one.same)
            self.chances.append([power / below for power in powers])
            said = [before + part * chance for before, chance in zip(said, self.chances[-1])]
        return said

    def learn(self, row, code, shared):
        """Weigh the members anew, and teach them the vectors of all classes."""
        given = [chances[code] for chances in self.chances]
        self.weights = weigh(self.weights, given, shared if len(given) > 1 else 0.0)
        for c, vector in enumerate(self.vectors):
            for member, chances in zip(vector.members, self.chances):
                member.learn(row, chances[c], 1.0 - chances[c], c == code)


class Mixture:
    """A run: its units, one for two classes or one for each, the largest sizes of attributes, and what it lost."""

    def __init__(self, known, met):
        self.known, self.met, self.plays, self.sizes = known, met, 0, one.Sizes(known.guard)
        self.newton, self.rows = any(kind is Newton for kind, _ in known.parts), 1
        many = 1 if met == 2 and known.form == "units" else met
        self.units = [Unit(known, 1) for _ in range(many if known.form != "softmax" else 0)]
        self.softmax, self.forms = None if known.form == "units" else Softmax(known, many), [0.5, 0.5]
        self.starts, self.news, self.scores = [0] * many, [], []  # scores of Newton members, round by round
        self.told = []  # what each member gave the classes met in the round that was played last
        self.loss, self.expected, self.mistakes = Sum(), Sum(), 0

    @property
    def active(self):
        """How many members of a unit play: those of Newton's kind end with the row that has too many attributes."""
        return sum(self.newton or kind is not Newton for kind, _ in self.known.parts)

    def read(self, entries):
        """A row over the largest sizes, the constant first; what an attribute learned follows a size that grows."""
        seen, sizes = list(self.sizes.read(entries)), self.sizes.largest
        row = [(0, 1.0)] * self.known.constant + [(j, value / sizes[j]) for j, value, _ in seen]
        cover(len({j for j, _ in row}) == len(row), "a row that names an attribute twice is not played again here")
        more, self.rows = len(sizes) - self.rows, len(sizes)
        self.newton = self.newton and self.rows <= self.known.limit
        playing = [unit.members[: self.active] for unit in self.units]
        playing += [vector.members for vector in self.softmax.vectors] if self.softmax else []
        for member in (member for members in playing for member in members):
            member.grow(more)
            for j, _, shrink in seen:
                if shrink != 1.0:
                    member.rescale(j, shrink)
        return row

    def add_classes(self, many):
        """Units for new classes: that of two becomes the unit of class 1, and mirrored that of class 0."""
        if len(self.starts) == 1:
            (first,) = self.units
            other = Unit(self.known, 0)
            other.weights = first.weights
            for new, old in zip(other.members, first.members):
                new.__dict__.update({name: copy_part(part) for name, part in old.__dict__.items()})
                new.mirror()
            self.units, self.starts = [other, first], [0, 0]
            self.scores = [[[-z for z in scores[0]], scores[0]] for scores in self.scores]
        new = many - len(self.starts)
        self.units += [Unit(self.known, self.rows) for _ in range(new if self.units else 0)]
        if self.softmax:
            self.softmax.vectors += [Unit(self.known, self.rows, True) for _ in range(new)]
        self.starts += [self.plays] * new
        self.news.append(self.plays + 1)

    def play(self, entries, code):
        """Play a round: what is said of each class met, in parts."""
        if code >= self.met:
            self.add_classes(code + 1)
        row, active, met = self.read(entries), self.active, self.met
        self.met, self.plays = max(met, code + 1), self.plays + 1
        pairs = [unit.say(row, active) for unit in self.units]
        self.scores.append([[m.said for m in unit.members[:active] if m.kind == "Aioli"] for unit in self.units])
        single, said = len(self.starts) == 1, [yes for yes, _ in pairs]
        self.told = [[unit.said[k][0] for unit in self.units[:met]] for k in range(active if self.units else 0)]
        if single:
            said, self.told = [pairs[0][1], pairs[0][0]], [pair[::-1] for pair in self.units[0].said]
        shared = 1.0 / (self.plays + 1.0) if self.known.share else 0.0
        parts = self.play_softmax(row, code, met, said, shared) if self.softmax else said[:met]
        total, kept = 1.0 if single else one.chain(parts, one.same), 1.0 / (self.plays + 1.0)  # for a class not met
        chance = (parts[code] / total if code < met else 1.0 / self.plays) if not self.softmax else kept
        if self.softmax and code < met:
            chance = parts[code] / total * (1.0 - kept)
        self.loss.add(-logarithm(max(chance, LEAST)))
        self.expected.add(1.0 - chance)
        self.mistakes += parts.index(max(parts)) != code
        for k, unit in enumerate(self.units):
            unit.learn(row, code == (1 if single else k), shared if active > 1 else 0.0, active)
        return parts

    def play_softmax(self, row, code, met, said, shared):
        """What a softmax gives the classes met, or it and the units, which said something; then the softmax learns."""
        scores = self.softmax.score(row)
        theirs = parts = self.softmax.share(scores, met)
        if self.units:
            total = one.chain(said[:met], one.same)
            parts = [self.forms[0] * (yes / total) + self.forms[1] * their for yes, their in zip(said, theirs)]
        else:
            self.told = self.softmax.chances
        if code >= met:  # learned with the new class among the others
            theirs = self.softmax.share(scores, self.met)
        if self.units:
            given = [said[code] / one.chain(said[: self.met], one.same), theirs[code]]
            own, other = (form * max(chance, LEAST) for form, chance in zip(self.forms, given))
            self.forms = [(1.0 - shared) * (part / (own + other)) + 0.5 * shared for part in (own, other)]
        self.softmax.learn(row, code, shared)
        return parts

    def list_members(self, softmax):
        """The members that a certificate may go by: name, and of each unit the member with its way to price u."""
        found = {}
        for k, (kind, setting) in enumerate(self.known.bare if softmax else self.known.parts):
            if kind is not Newton or self.newton:
                found[f"{kind.kind}({setting!r})"] = k, "price"
            if kind is Coin:
                found[f"Coin({setting!r}), a priori"] = k, "price_before"
        return found


def copy_part(part):
    """A list, a list of lists, an array or a sum, copied; a number as it is."""
    if isinstance(part, Sum):
        twin = Sum()
        twin.__dict__.update(part.__dict__)
        return twin
    return part[:] if isinstance(part, (list, array)) else part


# ------------------------------------------------------------------------------------------ comparators and the bound
class Measure:
    """Sums over the rounds for the comparator of a unit, or those of a softmax: losses, entropies, errors and pulls."""

    def __init__(self, vectors):
        self.vectors, self.losses, self.slacks, self.entropies = vectors, Sum(), Sum(), Sum()
        self.off = [0.0, 0.0, 0.0]  # of losses, slacks and entropies
        self.pulls, self.sizes = ([[0.0] * len(u) for u in vectors] for _ in range(2))

    def add(self, row, sign, said, kappa):
        """Add a round of the label yes, sign 1, or no, -1; `said` is the score of a Newton member if it goes by one."""
        z, error = find_score(self.vectors[0], row)
        m = sign * z
        rest = exponential(-abs(m))
        loss = max(0.0, -m) + logarithm(1.0 + rest)
        missed = rest / (1.0 + rest) if m >= 0 else 1.0 / (1.0 + rest)
        self.losses.add(loss)
        self.off[0] += (2.0 * missed if error < 0.5 else 1.0) * error + 4.0 * LAST * (1.0 + loss)
        self.entropies.add(loss + missed * m)
        self.off[2] += 8.0 * LAST * (1.0 + loss + missed * abs(m))
        self.pull(0, row, sign * missed, missed)
        if said is not None:
            self.add_slack(sign, z, error, loss, said, kappa)

    def pull(self, k, row, pull, size):
        """Add what a row pulls a comparator by."""
        pulls, sizes = self.pulls[k], self.sizes[k]
        for j, x in row:
            pulls[j] += pull * x
            sizes[j] += size * abs(x)

    def add_classes(self, row, code, here):
        """Add a round of a softmax over the classes that are here, d being the highest score less theirs."""
        found = [find_score(self.vectors[c], row) for c in here]
        highest, error, many = max(z for z, _ in found), max(error for _, error in found), len(here)
        powers = [exponential(z - highest) for z, _ in found]
        below, across, missed = one.chain(powers, one.same), 0.0, 0.0
        for c, power, (z, _) in zip(here, powers, found):
            share = power / below
            across += share * (highest - z)
            missed += share if c != code else 0.0
        loss, spread = (highest - found[here.index(code)][0]) + logarithm(below), logarithm(below) + across
        room = (2.0 * many + 16.0) * LAST
        self.losses.add(loss)
        self.off[0] += (4.0 * missed if error < 0.25 else 2.0) * error + room * (1.0 + loss)
        self.entropies.add(spread)
        self.off[2] += room * (1.0 + many + spread)
        for c, power, (z, _) in zip(here, powers, found):
            share, label = power / below, 1.0 if c == code else 0.0
            size = (2.0 * many + 16.0) * (share * (1.0 + (highest - z)) + label)
            self.pull(c, row, label - share, size)

    def add_slack(self, sign, z, error, loss, said, kappa):
        """Add what the quadratic of a Newton member's round exceeds the loss by."""
        rest, past = exponential(-abs(said)), sign * said
        slope = rest / (1.0 + rest) if past >= 0 else 1.0 / (1.0 + rest)
        curve = kappa * rest / ((1.0 + rest) * (1.0 + rest))
        far, near = sign * (z - said), max(0.0, -past) + logarithm(1.0 + rest)
        self.slacks.add(near - slope * far + 0.5 * curve * far * far - loss)
        terms = 1.0 + near + slope * abs(far) + curve * far * far + loss
        self.off[1] += (1.0 + slope + curve * (abs(far) + error)) * error + 8.0 * LAST * terms

    def bound(self, members, way, times, run):
        """The loss of u, what bounds the units without what the mixture costs, and the floor under comparators."""
        met, costs, charges, taken = set(range(0 if run.known.constant else 1, run.rows)), [], [], []
        loss, count = self.losses.value + self.off[0], sum(map(len, self.vectors))
        for member, u, pulls, sizes in zip(members, self.vectors, self.pulls, self.sizes):
            ridges = member.find_ridges(len(u))
            cost, charge = getattr(member, way)(u, ridges, met)
            costs += cost
            charges.append(charge)
            pulls = [abs(p) + (run.plays + 8) * LAST * size for p, size in zip(pulls, sizes)]
            taken += [p * p / (2.0 * (times * r)) for p, r in zip(pulls, ridges)]
        charge = fsum(charges) + max(0.0, self.slacks.value + self.off[1])
        cost = max(0.0, fsum(costs) + (count + 16) * LAST * fsum(map(abs, costs)))
        least = self.entropies.value - self.off[2] - fsum(taken) * (1.0 + (count + 16) * LAST)
        return loss, loss + cost + charge, max(0.0, least)


def find_score(u, row):
    """The product of a comparator and a row, and what it may be off by."""
    z = size = 0.0
    for j, x in row:
        term = u[j] * x
        z, size = z + term, size + abs(term)
    return z, (len(row) + 4) * LAST * size


def round_outwards(value, sign=1):
    """A number no smaller, or no larger, than what a few float operations should have given."""
    return value + sign * OUTWARDS * abs(value)


def read_comparator(run, part, count):
    """A comparator in units of the largest sizes; attribute -1 is the constant."""
    vector, u = one.read_vector(part), [0.0] * count
    sound = one.rise([-2, *vector]) and all(0 < abs(k) < 2**62 for k in vector.values())
    need(sound, "a comparator has whole numbers other than 0 for attributes in order")
    for attribute, k in vector.items():
        need(attribute in run.sizes.places, f"attribute {attribute} never occurs")
        need(attribute >= 0 or run.known.constant, "there is no constant attribute")
        u[run.sizes.places[attribute]] = k / 2**20
    return u


def measure(run, game, witness, softmax):
    """Read all rounds once more for the comparators of a witness: the parts of the claim, one for each loss."""
    units, members, many = witness["units"], run.list_members(softmax), len(run.starts)
    need(type(units) is list and len(units) == many, f"there are {many} units")
    chosen, vectors = [], []
    for part in units:
        one.require_words(part, ("member", "ridge", "attributes", "numerators"))
        need(part["member"] in members, f"there is no member {part['member']} at the end")
        times = part["ridge"]
        need(type(times) is float and 2.0**-60 < times < 2.0**60, f"a ridge is not multiplied by {times!r}")
        chosen.append((*members[part["member"]], times))
        vectors.append(read_comparator(run, part, max(FEWEST, run.rows)))
    need(not softmax or len(set(chosen)) == 1, "the vectors of a softmax go through one member")
    sums = [Measure(vectors)] if softmax else [Measure([u]) for u in vectors]
    first, again, sizes = len(run.known.bare), one.Sizes(run.known.guard), run.sizes.largest
    for t, (entries, code) in enumerate(zip(game.entries, game.codes)):
        row = [(0, 1.0)] * run.known.constant + [(j, value / sizes[j]) for j, value, _ in again.read(entries)]
        if softmax:
            sums[0].add_classes(row, code, [c for c, start in enumerate(run.starts) if t >= start])
            continue
        for k, (start, (place, _, _), told) in enumerate(zip(run.starts, chosen, sums)):
            if t >= start:
                said = run.scores[t][k][place - first] if place >= first else None
                sign = 1.0 if code == (1 if many == 1 else k) else -1.0
                told.add(row, sign, said, run.known.parts[place][1])
    if softmax:
        place, way, times = chosen[0]
        return [sums[0].bound([vector.members[place] for vector in run.softmax.vectors], way, times, run)]
    parts = zip(run.units, chosen, sums)
    return [told.bound([unit.members[place]], way, times, run) for unit, (place, way, times), told in parts]


def price_classes(run):
    """What classes cost that were not met before, and of a softmax what is kept for them, and units beside it."""
    if not run.softmax:
        return fsum(math.log(t) for t in run.news)
    kept = math.log(run.plays + 1) + fsum(math.log(t + 1) for t in run.news)
    return kept + (math.log(2) + (math.log(run.plays) if run.known.share else 0.0) if run.units else 0.0)


def check_losses(certificate, rounds):
    """Play the run again, and check what its theorem gives with the comparators of the witness."""
    about, witness, name = certificate.learner, certificate.witness, certificate.learner["name"]
    cover("weights" not in about, "rounds of unequal importance are not covered here")
    known, game = Settings(about), one.Game(certificate, rounds, CLASSES)
    need(game.codes and certificate.rows is None, "no rounds, or a form of rows, on which nothing depends")
    run = Mixture(known, game.met)
    for entries, code in zip(game.entries, game.codes):
        said = run.play(entries, code)
        if run.plays == 1 and game.surprise and said.index(max(said)) == code:
            run.mistakes += 1
    certificate.require(theorem=THEOREMS[name], promise=ANY, counts="log-loss", scope="sequence", exact=False)
    certificate.require(mistakes=run.mistakes, updates=len(game.codes), updated=[], marks=[], count=run.loss.value)
    words, both = ("units", "comparator", "floor", "zero", "expected", "most_mistakes"), known.form == "both"
    one.require_words(witness, (*words, "through") if both else words)
    need(one.is_same(witness["expected"], run.expected.value), f"{run.expected.value!r} mistakes are expected")
    through = witness["through"] if both else known.form
    need(through in ("units", "softmax"), f"there is no way through {through!r}")
    check_bound(certificate, run, measure(run, game, witness, through == "softmax"), through == "softmax")


def check_bound(certificate, run, parts, softmax):
    """Check the bound that comparators give, and what follows from it."""
    (losses, bounds, floors), known, witness = zip(*parts), run.known, certificate.witness
    among = len(known.bare if softmax else known.parts)
    price = math.log(among) + (math.log(run.plays) if known.share else 0.0) if among > 1 else 0.0
    units = round_outwards(fsum(bounds) + len(bounds) * price)
    claim = {"bound": round_outwards(units + price_classes(run)), "comparator": round_outwards(fsum(losses))}
    zero = [math.log(2) * (run.plays - start) for start in run.starts]
    if softmax:
        zero = [math.log(sum(start <= t for start in run.starts)) for t in range(run.plays)]
    claim["zero"] = round_outwards(fsum(zero))
    check_claim(certificate, claim, round_outwards(fsum(floors), -1))
    free, cost = (len(run.news), 2 * math.log(2)) if len(run.starts) > 1 and not run.softmax else (0, math.log(2))
    most = free + floor((claim["bound"] if run.softmax else units) / cost)
    need(one.is_same(witness["most_mistakes"], most), f"{most} mistakes can be")
    need(round_outwards(float(certificate.count)) <= certificate.bound, "the log-loss exceeds the bound")
    need(run.mistakes <= most, "there are more mistakes than can be")


def check_claim(certificate, claim, least):
    """Refuse numbers that are not what the theorem gives, but for their rounding outwards."""
    said, room = dict(certificate.witness, bound=certificate.bound), FURTHER * claim["bound"]
    for name, ours in claim.items():
        over = said[name] - ours if type(said[name]) in (int, float) else math.inf
        need(-ORDER * ours <= over <= room, f"the {name} is {ours!r}, not {said[name]!r}")
    under = least - said["floor"] if type(said["floor"]) is float else math.inf
    need(-ORDER * least <= under <= room, f"the floor is {least!r}, not {said['floor']!r}")


# ------------------------------------------------------------------------------------------------- members of leagues
def share_out(chances, classes):
    """Chances over their sum, one for each class of the league; NaN of a class that is new, or where none was given."""
    total = one.chain(chances, one.same)
    return (*[chance / total for chance in chances], *[math.nan] * (classes - len(chances)))


def play_forecasts(member, game):
    """What a member of a league says from its first round on: name, kind and numbers of the mixture and its members."""
    about, first = member["learner"], member["joined"]
    about = {("form" if word == "classes" else word): value for word, value in about.items()}
    run, classes = Mixture(Settings(about), 2), game.classes
    names = [f"{kind.kind}({setting:g})" for kind, setting in run.known.parts] if len(run.known.parts) > 1 else []
    said = [[] for _ in ["", *names]]
    for entries, code in zip(game.entries[first:], game.codes[first:]):
        said[0].append(share_out(run.play(entries, code), classes))
        for k, rows in enumerate(said[1:]):
            rows.append(share_out(run.told[k] if k < len(run.told) else [], classes))
    return [(name, "probability", rows) for name, rows in zip(["", *names], said)]


# ------------------------------------------------------------------------------- what is added to the one file's tables
CHECKS = {  # what checks the certificates of a learner
    "Winnow": check_winnow,
    "StandardOptimal": one.check_finite,
    **dict.fromkeys(ADDITIVE, one.check_additive),
    **dict.fromkeys([*UNLISTED, "Conservative"], check_concepts),
    **dict.fromkeys(ADVICE, one.check_advice),
    **dict.fromkeys(THEOREMS, check_losses),
}
MEMBERS = {  # what plays a member of a league: what it says, round by round
    **dict.fromkeys(ADDITIVE, one.play_scores),
    **dict.fromkeys(THEOREMS, play_forecasts),
}
one.CHECKS.update(CHECKS)
one.MEMBERS.update(MEMBERS)
verify, main, read_forecasts = one.verify, one.main, one.read_forecasts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
