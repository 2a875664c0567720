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

    Two lines of the matrix stand in a block as one of complex numbers, up to the diagonal: their sums and their products
    with a float are those of the parts, each rounded as it is alone, in half the time.
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
        return [*map(complex, part[: 2 * half : 2], part[1 : 2 * half : 2]), *[block[j] for block in self.blocks[half:]]]

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
            pairs = [a + x * p for a, p in zip(pairs, self.read_line(j))]
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
    """Whether a number is positive and of a size that learners take; true is 1 to them."""
    return type(value) in (int, float, bool) and 1e-30 <= value <= 1e30


class Settings:
    """What is known of a mixture before the first round; refuses a description that no learner has."""

    def __init__(self, about):
        name = about["name"]
        one.require_words(about, ("name", *PARAMETERS[name]), ("classes",))
        lists = [about.get(f"{part}s", [about[part]] if part in about else []) for part in ("rate", "wealth", "kappa")]
        sound = [type(part) is list and all(map(is_sized, part)) for part in lists]
        sound += [is_sized(about.get("ridge", 1.0)), one.is_flag(about["guard"])]
        sound += [about["bias"] == 0 or is_sized(about["bias"])]
        self.share, precision = about.get("share", True), about.get("precision", 64)
        self.limit = WIDEST if name == "Aioli" else about.get("second_order", 0)
        sound += [one.is_flag(self.share), precision in (32, 64)]
        sound += [0 <= self.limit <= WIDEST, bool(lists[0] or lists[1] or name == "Aioli")]
        sound += [all(kappa <= 1 for kappa in lists[2]), sum(map(len, lists)) <= 16]
        need(all(sound), f"no {name} has parameters {about}")
        rates, wealths, kappas = ([float(value) for value in part] for part in lists)
        self.parts = [(Rate, rate) for rate in rates] + [(Coin, wealth) for wealth in wealths]
        self.parts += [(Newton, kappa) for kappa in kappas if self.limit]
        self.real, self.ridge = "f" if precision == 32 else "d", float(about.get("ridge", 1.0))
        self.guard, self.constant = about["guard"], bool(about["bias"])


class Unit:
    """A mixture that says how likely one class is."""

    def __init__(self, known, rows):
        self.members = [kind(setting, known) for kind, setting in known.parts]
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


class Mixture:
    """A run: its units, one for two classes or one for each, the largest sizes of attributes, and what it lost."""

    def __init__(self, known, met):
        self.known, self.met, self.plays, self.sizes = known, met, 0, one.Sizes(known.guard)
        self.before = met  # the classes met before the round that was played last
        self.newton, self.rows = any(kind is Newton for kind, _ in known.parts), 1
        self.units = [Unit(known, 1) for _ in range(1 if met == 2 else met)]
        self.starts, self.news, self.scores = [0] * len(self.units), [], []  # scores of Newton members, round by round
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
        for member in (member for unit in self.units for member in unit.members[: self.active]):
            member.grow(more)
            for j, _, shrink in seen:
                if shrink != 1.0:
                    member.rescale(j, shrink)
        return row

    def add_classes(self, many):
        """Units for new classes: that of two becomes the unit of class 1, and mirrored that of class 0."""
        if len(self.units) == 1:
            (first,) = self.units
            other = Unit(self.known, 0)
            other.weights = first.weights
            for new, old in zip(other.members, first.members):
                new.__dict__.update({name: copy_part(part) for name, part in old.__dict__.items()})
                new.mirror()
            self.units, self.starts = [other, first], [0, 0]
            self.scores = [[[-z for z in scores[0]], scores[0]] for scores in self.scores]
        new = many - len(self.units)
        self.units += [Unit(self.known, self.rows) for _ in range(new)]
        self.starts += [self.plays] * new
        self.news.append(self.plays + 1)

    def play(self, entries, code):
        """Play a round: what is said of each class met, in parts."""
        if code >= self.met:
            self.add_classes(code + 1)
        row, active, many = self.read(entries), self.active, len(self.units)
        met = self.before = self.met
        self.met, self.plays = max(met, code + 1), self.plays + 1
        pairs = [unit.say(row, active) for unit in self.units]
        self.scores.append([[m.said for m in unit.members[:active] if m.kind == "Aioli"] for unit in self.units])
        parts = [pairs[0][1], pairs[0][0]] if many == 1 else [yes for yes, _ in pairs[:met]]
        total = 1.0 if many == 1 else one.chain(parts, one.same)
        chance = parts[code] / total if code < met else 1.0 / self.plays
        self.loss.add(-logarithm(max(chance, LEAST)))
        self.expected.add(1.0 - chance)
        self.mistakes += parts.index(max(parts)) != code
        shared = 1.0 / (self.plays + 1.0) if self.known.share and active > 1 else 0.0
        for k, unit in enumerate(self.units):
            unit.learn(row, code == (1 if many == 1 else k), shared, active)
        return parts

    def tell(self, k):
        """What member k gave each class in the round that was played; nothing if it has ended."""
        if k >= len(self.units[0].said):
            return []
        if len(self.units) == 1:
            return self.units[0].said[k][::-1]
        return [unit.said[k][0] for unit in self.units[: self.before]]

    def list_members(self):
        """The members that a certificate may go by: name, and of each unit the member with its way to price u."""
        found = {}
        for k, (kind, setting) in enumerate(self.known.parts):
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
    """Sums over the rounds of a unit for its comparator u: losses, entropies, how far off they may be, and pulls."""

    def __init__(self, u, rows):
        self.u, self.losses, self.slacks, self.entropies = u, Sum(), Sum(), Sum()
        self.off = [0.0, 0.0, 0.0]  # of losses, slacks and entropies
        self.pulls, self.sizes = [0.0] * rows, [0.0] * rows

    def add(self, row, sign, said, kappa):
        """Add a round of the label yes, sign 1, or no, -1; `said` is the score of a Newton member if it goes by one."""
        z = size = 0.0
        for j, x in row:
            term = self.u[j] * x
            z, size = z + term, size + abs(term)
        error, m = (len(row) + 4) * LAST * size, sign * z
        rest = exponential(-abs(m))
        loss = max(0.0, -m) + logarithm(1.0 + rest)
        missed = rest / (1.0 + rest) if m >= 0 else 1.0 / (1.0 + rest)
        self.losses.add(loss)
        self.off[0] += (2.0 * missed if error < 0.5 else 1.0) * error + 4.0 * LAST * (1.0 + loss)
        self.entropies.add(loss + missed * m)
        self.off[2] += 8.0 * LAST * (1.0 + loss + missed * abs(m))
        pull = sign * missed
        for j, x in row:
            self.pulls[j] += pull * x
            self.sizes[j] += missed * abs(x)
        if said is not None:
            self.add_slack(sign, z, error, loss, said, kappa)

    def add_slack(self, sign, z, error, loss, said, kappa):
        """Add what the quadratic of a Newton member's round exceeds the loss by."""
        rest, past = exponential(-abs(said)), sign * said
        slope = rest / (1.0 + rest) if past >= 0 else 1.0 / (1.0 + rest)
        curve = kappa * rest / ((1.0 + rest) * (1.0 + rest))
        far, near = sign * (z - said), max(0.0, -past) + logarithm(1.0 + rest)
        self.slacks.add(near - slope * far + 0.5 * curve * far * far - loss)
        terms = 1.0 + near + slope * abs(far) + curve * far * far + loss
        self.off[1] += (1.0 + slope + curve * (abs(far) + error)) * error + 8.0 * LAST * terms

    def bound(self, member, way, times, run):
        """The loss of u, what bounds the unit without what the mixture costs, and the floor under comparators."""
        count, met = len(self.u), set(range(0 if run.known.constant else 1, run.rows))
        loss, ridges = self.losses.value + self.off[0], member.find_ridges(count)
        costs, charge = getattr(member, way)(self.u, ridges, met)
        charge += max(0.0, self.slacks.value + self.off[1])
        cost = max(0.0, fsum(costs) + (count + 16) * LAST * fsum(map(abs, costs)))
        pulls = [abs(p) + (run.plays + 8) * LAST * size for p, size in zip(self.pulls, self.sizes)]
        taken = fsum(p * p / (2.0 * (times * r)) for p, r in zip(pulls, ridges)) * (1.0 + (count + 16) * LAST)
        return loss, loss + cost + charge, max(0.0, self.entropies.value - self.off[2] - taken)


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


def measure(run, game, witness):
    """Read all rounds once more for the comparators of a witness: the parts of the claim, one for each unit."""
    units, members, count = witness["units"], run.list_members(), max(FEWEST, run.rows)
    need(type(units) is list and len(units) == len(run.units), f"there are {len(run.units)} units")
    chosen, sums = [], []
    for part in units:
        one.require_words(part, ("member", "ridge", "attributes", "numerators"))
        need(part["member"] in members, f"there is no member {part['member']} at the end")
        times = part["ridge"]
        need(type(times) is float and 2.0**-60 < times < 2.0**60, f"a ridge is not multiplied by {times!r}")
        chosen.append((*members[part["member"]], times))
        sums.append(Measure(read_comparator(run, part, count), count))
    first = sum(kind is not Newton for kind, _ in run.known.parts)
    again, sizes = one.Sizes(run.known.guard), run.sizes.largest
    for t, (entries, code) in enumerate(zip(game.entries, game.codes)):
        row = [(0, 1.0)] * run.known.constant + [(j, value / sizes[j]) for j, value, _ in again.read(entries)]
        for k, (start, (place, _, _), told) in enumerate(zip(run.starts, chosen, sums)):
            if t >= start:
                kappa = run.known.parts[place][1]
                said = run.scores[t][k][place - first] if place >= first else None
                told.add(row, 1.0 if code == (1 if len(sums) == 1 else k) else -1.0, said, kappa)
    parts = zip(run.units, chosen, sums)
    return [told.bound(unit.members[place], way, times, run) for unit, (place, way, times), told in parts]


def check_losses(certificate, rounds):
    """Play the run again, and check what its theorem gives with the comparators of the witness."""
    about, witness, name = certificate.learner, certificate.witness, certificate.learner["name"]
    cover("weights" not in about, "rounds of unequal importance are not covered here")
    cover("form" not in about, "classes that are told apart by a softmax are not covered here")
    known, game = Settings(about), one.Game(certificate, rounds, CLASSES)
    need(game.codes and certificate.rows is None, "no rounds, or a form of rows, on which nothing depends")
    run = Mixture(known, game.met)
    for entries, code in zip(game.entries, game.codes):
        said = run.play(entries, code)
        if run.plays == 1 and game.surprise and said.index(max(said)) == code:
            run.mistakes += 1
    certificate.require(theorem=THEOREMS[name], promise=ANY, counts="log-loss", scope="sequence", exact=False)
    certificate.require(mistakes=run.mistakes, updates=len(game.codes), updated=[], marks=[], count=run.loss.value)
    one.require_words(witness, ("units", "comparator", "floor", "zero", "expected", "most_mistakes"))
    need(one.is_same(witness["expected"], run.expected.value), f"{run.expected.value!r} mistakes are expected")
    losses, bounds, floors = zip(*measure(run, game, witness))
    price = math.log(len(known.parts)) + (math.log(run.plays) if known.share else 0.0) if len(known.parts) > 1 else 0.0
    units = round_outwards(fsum(bounds) + len(bounds) * price)
    claim = {"bound": round_outwards(units + fsum(math.log(t) for t in run.news))}
    claim["comparator"] = round_outwards(fsum(losses))
    claim["zero"] = round_outwards(sum(run.plays - start for start in run.starts) * math.log(2))
    check_claim(certificate, claim, round_outwards(fsum(floors), -1))
    free, cost = (len(run.news), 2 * math.log(2)) if len(bounds) > 1 else (0, math.log(2))
    most = free + floor(units / cost)
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
    cover(about.get("classes", "units") == "units", f"{member['name']} tells classes apart by a softmax")
    run, classes = Mixture(Settings(about), 2), game.classes
    names = [f"{kind.kind}({setting:g})" for kind, setting in run.known.parts] if len(run.known.parts) > 1 else []
    said = [[] for _ in ["", *names]]
    for entries, code in zip(game.entries[first:], game.codes[first:]):
        said[0].append(share_out(run.play(entries, code), classes))
        for k, rows in enumerate(said[1:]):
            rows.append(share_out(run.tell(k), classes))
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
