"""Verify a certificate of log-loss against its data: `littlestone_verify.py`, which must lie beside it, and losses.

    python littlestone_verify_losses.py certificate.json data.svm

It covers `Logistic`, the learner that plays where none is named, and its members `AdaGrad`, `Coin` and `Aioli`. The run
is played again operation by operation in IEEE floats, and what the theorem gives with the comparators of the witness is
enclosed. All other certificates go to the one file. docs/certificate-format.md, section Learners for log-loss, says
what it all means.
"""

import importlib.util
import math
import os
import sys
from array import array
from math import floor, fsum, sqrt
from operator import add

SPEC = importlib.util.spec_from_file_location(
    "littlestone_verify", os.path.join(os.path.dirname(os.path.abspath(__file__)), "littlestone_verify.py")
)
one = sys.modules.get("littlestone_verify")
if one is None:
    one = sys.modules["littlestone_verify"] = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(one)
need, cover, Refused, NotCovered, BadData = one.need, one.cover, one.Refused, one.NotCovered, one.BadData

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


# ------------------------------------------------------------------- two functions, the same floats on every machine
LN2, REST = 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts; a whole number times the first is exact
SPLITTER, MIDDLE = 134217729.0, 1.5 * 2.0**52
SERIES = [1.0 / math.factorial(k) for k in range(11, -1, -1)]


def halve(x):
    """A float as the sum of two with half of its digits."""
    high = SPLITTER * x - (SPLITTER * x - x)
    return high, x - high


def fma(a, b, c):
    """The number a b + c rounded once: the product is a sum of two floats (Dekker 1971)."""
    (a1, a2), (b1, b2), p = halve(a), halve(b), a * b
    return fsum((p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2), c))


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


def logarithm(x):
    """The logarithm of x = 2^n m, that of m by the series of 2 atanh(s), s = (m - 1) / (m + 1)."""
    m, n = math.frexp(x)
    m, n = (m, n) if m >= 0.7071067811865476 else (2.0 * m, n - 1)
    s, series = (m - 1.0) / (m + 1.0), 1.0 / 21.0
    z = s * s
    for k in range(19, 1, -2):
        series = series * z + 1.0 / k
    return n * LN2 + (2.0 * s + (2.0 * s * z * series + n * REST))


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


CHECKS_OF_LOSSES = dict.fromkeys(THEOREMS, check_losses)
MEMBERS_OF_LOSSES = dict.fromkeys(THEOREMS, play_forecasts)


def verify(text, name, data):
    """As the one file, log-loss included."""
    one.CHECKS.update(CHECKS_OF_LOSSES)
    return one.verify(text, name, data)


def main(arguments):
    """Verify the certificate and the data that are named; the exit status."""
    one.CHECKS.update(CHECKS_OF_LOSSES)
    return one.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
