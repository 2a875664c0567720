"""Verify certificates of further learners: `littlestone_verify.py`, which must lie beside it, and what it leaves out.

    python littlestone_verify_more.py certificate.json data.svm [forecasts.json]

It loads the one file from its own folder, adds its learners to the tables of that file, and verifies all certificates
that either covers: ALMA and ROMMA, alone and in leagues; Winnow with a floor; the standard optimal algorithm, learners
of concepts that are not listed one by one (Elimination, Closure, Memorizer), conservative conversions; experts whose
advice is mixed with exponentials (Hedge, AdaHedge, fixed share, aggregating, improved and randomized majority).
"""

import importlib.util
import math
import os
import sys
from decimal import Decimal
from fractions import Fraction

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
    surprise = one.is_surprise(rounds, declared)
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


# ------------------------------------------------------------------------------- what is added to the one file's tables
CHECKS = {  # what checks the certificates of a learner
    "Winnow": check_winnow,
    "StandardOptimal": one.check_finite,
    **dict.fromkeys(ADDITIVE, one.check_additive),
    **dict.fromkeys([*UNLISTED, "Conservative"], check_concepts),
    **dict.fromkeys(ADVICE, one.check_advice),
}
MEMBERS = dict.fromkeys(ADDITIVE, one.play_scores)  # what plays a member of a league: what it says, round by round
one.CHECKS.update(CHECKS)
one.MEMBERS.update(MEMBERS)
verify, main, read_forecasts = one.verify, one.main, one.read_forecasts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
