"""Verify a certificate of a league against its data: `littlestone_verify.py`, which must lie beside it, and leagues.

    python littlestone_verify_league.py certificate.json data.svm [forecasts.json]

Members that are Perceptrons and their kin are played again operation by operation, all that they say is read and mixed
again in the same IEEE floats, and the theorem is checked in whole numbers. What members said that are no learners of
Littlestone is data: a JSON object that has, by the name of each, a list for each number that it says, with an entry a
round, null where it slept. The line that is printed names them. All other certificates go to the one file.
docs/certificate-format.md, section Leagues, says what it all means.
"""

import hashlib
import importlib.util
import json
import math
import os
import struct
import sys
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

SPEC = importlib.util.spec_from_file_location(
    "littlestone_verify", os.path.join(os.path.dirname(os.path.abspath(__file__)), "littlestone_verify.py")
)
one = sys.modules.get("littlestone_verify")
if one is None:
    one = sys.modules["littlestone_verify"] = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(one)
need, cover, Refused, NotCovered, BadData = one.need, one.cover, one.Refused, one.NotCovered, one.BadData

LEAST = 1e-6  # the least chance that a reading gives a class
NEAR = 1e-9  # relative: what a sum over the rounds may be off by
READINGS = {"score": 11, "scores": 11, "label": 1, "probability": 12, "chance": 1}  # of each kind of saying
HALF_OCTAVES = [2.0 ** (k // 2) * (1.4142135623730951 if k % 2 else 1.0) for k in range(-7, 8)]
PLAYED = ("Perceptron", "AveragedPerceptron", "AggressivePerceptron", "PassiveAggressive", "Alma", "Romma")
UNITS = ("Perceptron", "PassiveAggressive")  # of networks
ASLEEP = math.nan
CLASSES = 256
LOSS = "League, on every stretch of rounds (Adamskiy, Koolen, Chernov and Vovk 2012)"
MISTAKES = "League, the account of its guesses with AdaHedge (de Rooij and others 2014)"
CHOICES = "rounds in which all members are wrong"
MIXTURES = "a mixture's loss is convex in its shares"
PROMISES = {
    LOSS: "a reading of {} loses what it does in rounds {} to {}",
    MISTAKES: "the best member of each phase makes the mistakes that the witness names",
    CHOICES: "the guess of one member is followed in each round, which may be another one every time",
    MIXTURES: "shares of the readings are fixed for all rounds; one that sleeps says what the first level does",
}


# ------------------------------------------------------------------- two functions, the same floats on every machine
def halve(x):
    """A float as the sum of two with half of its digits."""
    high = 134217729.0 * x - (134217729.0 * x - x)
    return high, x - high


def fma(a, b, c):
    """The number a b + c rounded once: the product is a sum of two floats (Dekker 1971)."""
    (a1, a2), (b1, b2), p = halve(a), halve(b), a * b
    return math.fsum((p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2), c))


LN2, REST = 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts


def exponential(x):
    """The exponential of x, cut to [-700, 700]: 2^n times the series of e^r."""
    x, middle = min(max(x, -700.0), 700.0), 1.5 * 2.0**52
    n = fma(x, 1.4426950408889634, middle) - middle
    r, series = fma(n, -REST, fma(n, -LN2, x)), 1.0 / math.factorial(12)
    for k in range(11, -1, -1):
        series = fma(series, r, 1.0 / math.factorial(k))
    return math.ldexp(series, int(n))


def logarithm(x):
    """The logarithm of x = 2^n m, that of m by the series of 2 atanh(s), s = (m - 1) / (m + 1)."""
    m, n = math.frexp(x)
    m, n = (m, n) if m >= 0.7071067811865476 else (2.0 * m, n - 1)
    s, series = (m - 1.0) / (m + 1.0), 1.0 / 21.0
    z = s * s
    for k in range(19, 1, -2):
        series = series * z + 1.0 / k
    return n * LN2 + (2.0 * s + (2.0 * s * z * series + n * REST))


def add(numbers):
    """The sum of floats, one after another."""
    return one.chain(numbers, one.same)


def add_lanes(numbers):
    """The sum of floats in sixteen lanes."""
    return one.add_up(numbers, one.LANES, one.same)


# ------------------------------------------------------------------------------------------- what a member says, read
def clip(chance):
    """A chance of one of two classes that leaves the other one some."""
    return min(max(chance, LEAST), 1.0 - LEAST)


def spread(chances):
    """Chances that add up to 1, none of them below the least one but for that."""
    total = add(chances)
    floored = [max(chance / total, LEAST) for chance in chances]
    total = add(floored)
    return [chance / total for chance in floored]


class Voice:
    """One of the things that a member says, from its first round on, and what was counted of it.

    A reading is a list of chances, one for each class met; `said` has a list of numbers for each round.
    """

    def __init__(self, name, kind, first, said):
        self.name, self.kind, self.first, self.said = name, kind, first, said
        self.sizes, self.many, self.tables = 0.0, 0.0, {}
        self.cell, self.size = None, 0.0

    def listen(self, t, met):
        """The readings of a round and the guess; no readings if it sleeps."""
        self.cell, self.size = None, 0.0
        said = self.said[t - self.first][: 1 if self.kind in ("score", "label") else met]
        if met < 2 or not all(map(math.isfinite, said)) or (self.kind == "score" and met > 2):
            return [], None
        if self.kind == "score":
            return self.read_score(said[0]), int(said[0] > 0)
        if self.kind == "label":
            fits = 0 <= said[0] < met
            return ([self.read_table(8 * int(said[0]), met)], int(said[0])) if fits else ([], None)
        guess, found = said.index(max(said)), []
        if self.kind != "scores":
            said = [max(chance, 0.0) for chance in said]
            total = add(said)
            if not 0 < total < math.inf:
                return [], None
            yes = clip(said[1] / total)
            found = [[1.0 - yes, yes] if met == 2 else spread(said)]
            if self.kind == "chance":
                return found, guess
            said = [logarithm(chance) for chance in found[0]]
        return found + (self.read_score(said[1] - said[0]) if met == 2 else self.read_scores(said, met)), guess

    def find_scale(self):
        """The mean size of earlier scores; 1 before there is one that is not zero."""
        return self.sizes / self.many if self.sizes > 0 else 1.0

    def read_score(self, score):
        """Ten slopes of the odds of two classes, and a table by sign and half octave."""
        ratio, chances, self.size = score / self.find_scale(), [], abs(score)
        odds = exponential(-0.25 * ratio)
        for _ in range(10):
            chances.append(clip(1.0 / (1.0 + odds)))
            odds *= odds
        self.cell = ("two", 16 * (score > 0) + sum(abs(ratio) >= edge for edge in HALF_OCTAVES))
        no, yes = (self.tables.get((*self.cell, label), 0.0) for label in (0, 1))
        return [[1.0 - chance, chance] for chance in (*chances, clip((yes + 0.5) / (yes + no + 1.0)))]

    def read_scores(self, said, met):
        """Ten slopes of a soft maximum of more classes, and a table by guess and octave of its lead."""
        top, scale, found = max(said), self.find_scale(), []
        best = said.index(top)
        self.size = top - max(score for c, score in enumerate(said) if c != best)
        powers = [exponential(0.25 * ((score - top) / scale)) for score in said]
        for _ in range(10):
            found.append(spread(powers))
            powers = [power * power for power in powers]
        octave = sum(self.size / scale >= 2.0**k for k in range(-3, 4))
        return [*found, self.read_table(8 * best + octave, met)]

    def read_table(self, cell, met):
        """How often each class came in a cell of a table, a half more each."""
        self.cell = ("classes", cell)
        counts = [self.tables.get((*self.cell, c), 0.0) for c in range(met)]
        total = add(counts)
        return spread([(count + 0.5) / (total + 0.5 * met) for count in counts])

    def learn(self, label):
        """Count the label in the cell that was spoken from, and the size of the score."""
        if self.cell is None:
            return
        key = (*self.cell, label)
        self.tables[key] = self.tables.get(key, 0.0) + 1.0
        if self.kind != "label":
            self.sizes, self.many = self.sizes + self.size, self.many + 1.0


# ------------------------------------------------------------------------------------------- the mixture and its guess
class Mixture:
    """The weights of all readings, on each level of sharing."""

    def __init__(self, rates, still):
        self.rates, self.still, self.charged = [0.0, *rates], still, 0  # 0 stands for 1/t
        self.weights, self.levels = [[] for _ in self.rates], [1.0 / len(self.rates)] * len(self.rates)
        self.shared, self.shares = [], []  # the weights of readings and of levels in this round
        self.told = []  # what each level says of each class

    def admit(self, more):
        """Take in more readings; before the first charged round all weigh the same."""
        many = len(self.weights[0]) + more
        self.weights = [w + [0.0] * more if self.charged else [1.0 / many] * many for w in self.weights]

    def share(self):
        """Share weights, of readings and of levels; they are kept only if the round is charged."""
        now = self.charged + 1
        rates = [0.0 if self.still or now == 1 else rate or 1.0 / now for rate in self.rates]
        self.shared = []
        for weights, rate in zip(self.weights, rates):
            keep, even = 1.0 - rate, rate / len(weights)
            self.shared.append([keep * weight + even for weight in weights])
        self.shares = [(1.0 - rates[0]) * level + rates[0] / len(rates) for level in self.levels]

    def serve(self, rows, met):
        """What is served of each class met; a row is None for a reading that sleeps."""
        self.share()
        self.told = []
        for weights in self.shared:
            total = add_lanes([weight if row else 0.0 for row, weight in zip(rows, weights)])
            told = [
                add_lanes([row[c] * weight if row else 0.0 for row, weight in zip(rows, weights)]) / total
                for c in range(1 if met == 2 else 0, met)
            ]
            self.told.append([1.0 - told[0], told[0]] if met == 2 else told)
        said = [one.add_products(0.0, zip(self.shares, [told[c] for told in self.told])) for c in range(met)]
        return [1.0 - said[1], said[1]] if met == 2 else said

    def weigh(self, rows, said, y):
        """Move the weights by the chances that the label was given; those of sleepers as their level."""
        for k, told in enumerate(self.told):
            moved = [weight * (row[y] if row else told[y]) for row, weight in zip(rows, self.shared[k])]
            scale = 1.0 / add_lanes(moved)
            self.weights[k] = [weight * scale for weight in moved]
        moved = [share * (told[y] / said[y]) for share, told in zip(self.shares, self.told)]
        total, self.charged = add(moved), self.charged + 1
        self.levels = [weight / total for weight in moved]


class Account:
    """The account of one phase: who is followed, and when a coin must choose."""

    def __init__(self, first, members, seed, follows):
        self.first, self.members, self.seed, self.follows = first, members, seed, follows
        self.wrong, self.apart = [0.0] * members, [[0, 0] for _ in range(members)]
        self.balance = self.stood = self.gap = self.rate = 0.0
        self.draws = []

    def choose(self, t, guesses, best):
        """The guess, and whether a coin chose it; `best` is the class of the largest chance."""
        least, variety = min(self.wrong), logarithm(float(self.members))
        self.rate = variety / self.gap if self.gap > 0 else 0.0
        draws = [exponential(-self.rate * (k - least)) if self.gap > 0 else float(k == least) for k in self.wrong]
        total = add(draws)
        self.draws = [draw / total for draw in draws]
        if self.balance + 1.0 <= math.sqrt(least * variety) + variety + 2.0:
            most, chosen = 0.0, best
            for guess, (alone, other) in zip(guesses, self.apart if self.follows else ()):
                ahead = other - alone - math.sqrt(alone + other) - variety
                if ahead > most:
                    most, chosen = ahead, guess
            return chosen, 0
        coin, reached = (one.draw_bits(self.seed, t) >> 11) * 2.0**-53, 0.0
        for guess, draw in zip(guesses, self.draws):
            reached += draw
            if coin < reached:
                return guess, 1
        return guesses[-1], 1

    def settle(self, guesses, best, y, wrong, coin):
        """Enter a round."""
        before, part, followed, kept = min(self.wrong), exponential(-self.rate), 0.0, 0.0
        for i, (guess, draw) in enumerate(zip(guesses, self.draws)):
            miss = guess != y
            self.apart[i][0] += miss and best == y
            self.apart[i][1] += not miss and best != y
            followed, kept = followed + draw * miss, kept + draw * (part if miss else 1.0)
            self.wrong[i] += miss
        mixed = -logarithm(kept) / self.rate if self.rate > 0 else min(self.wrong) - before
        self.gap += max(followed - mixed, 0.0)
        self.stood += followed if coin else wrong
        self.balance += 0.0 if coin else wrong - followed

    def conclude(self, last):
        """The phase as a witness has it, and its bound: both bounds are rounded down."""
        n, best, rounds = self.members, int(min(self.wrong)), last - self.first
        variety, seen = Decimal(n).ln(), 2 * one.decimal(Fraction(self.gap) * (1 + Fraction(NEAR)))
        slack = best + (best * variety).sqrt() + variety + 2 + one.TINY
        regret = 2 * (Decimal(best * (rounds - best)) / rounds * variety).sqrt() + variety * 16 / 3 + 2
        told = [self.first + 1, last, n, self.wrong.index(best), best, math.floor(slack + seen)]
        return told, math.floor(slack + regret), self.stood


class League:
    """All voices, their mixture and the account; of each round played, what was given to its label."""

    def __init__(self, about, voices):
        self.about, self.voices, self.here = about, voices, []
        self.mixture, self.account = Mixture(about["rates"], not about["switching"]), None
        self.phases, self.labels = [], []
        self.panel, self.served, self.level = [], [], []  # chances of labels: by readings, served, by the first level
        self.wrong, self.coins, self.right = [], [], []

    def play(self, codes, declared):
        """Play all rounds."""
        self.labels = [0] * declared
        for t, y in enumerate(codes):
            new = [voice for voice in self.voices if voice.first == t]
            if new:
                if self.account is not None:
                    self.phases.append(self.account.conclude(t))
                self.here = self.here + new
                self.mixture.admit(sum(READINGS[voice.kind] for voice in new))
                self.account = Account(t, len(self.here), self.about["seed"], "follows" in self.about)
            self.play_round(t, y)
            self.labels += [0] * (y + 1 - len(self.labels))
            self.labels[y] += 1
        self.phases.append(self.account.conclude(len(codes)))

    def play_round(self, t, y):
        """Ask all members, serve, and let the label teach."""
        met, heard = len(self.labels), [voice.listen(t, len(self.labels)) for voice in self.here]
        rows = [row for voice, (found, _) in zip(self.here, heard) for row in found or [None] * READINGS[voice.kind]]
        awake, said = any(rows), self.labels  # without a member that speaks, labels alone
        if awake:
            said = self.mixture.serve(rows, met)
        best = said.index(max(said)) if met else -1
        guesses = [best if guess is None else guess for _, guess in heard]
        guess, coin = self.account.choose(t, guesses, best)
        self.account.settle(guesses, best, y, int(guess != y), coin)
        charged = awake and y < met
        self.panel.append([row[y] if charged and row else ASLEEP for row in rows])
        self.served.append(said[y] if charged else ASLEEP)
        self.level.append(self.mixture.told[0][y] if charged else ASLEEP)
        self.wrong.append(int(guess != y))
        self.coins.append(coin)
        self.right.append([said == y for said in guesses])
        if charged:
            self.mixture.weigh(rows, said, y)
        for voice in self.here:
            voice.learn(y)


# ------------------------------------------------------------------------------------------------------- who is in it
def list_voices(about, game, forecasts):
    """All that members say, those of ours played again from their first round on."""
    voices, names = [], [member["name"] for member in about["members"]]
    need(all(type(name) is str and names.count(name) == 1 for name in names), "members have names of their own")
    for name, member in zip(names, about["members"]):
        first, own = member["joined"], "learner" in member
        one.require_words(member, ("name", "joined", "learner" if own else "says"))
        earliest = voices[-1].first if voices else 0
        sound = type(first) is int and earliest <= first < len(game.codes) and (voices or first == 0)
        need(sound, "members are listed as they joined, the first of them before the first round")
        voices += play_member(name, first, member["learner"], game) if own else hear(name, member, forecasts, game)
    return voices


def play_member(name, first, known, game):
    """What a learner says: its score, that of its average and its own, or the scores of a network."""
    network = known["name"] == "Network"
    inner = known["learner"] if network else known
    told = f"the member {name}, of the kind {known['name']}, is not played again here"
    cover(inner["name"] in (UNITS if network else PLAYED), told)
    new = first == 0 and len(game.declared) <= 2
    cover(new or not network, f"the network {name} is played again only where it meets all classes itself")
    cover(game.rows is not None, f"the certificate does not say how rows were held, so that {name} is not played again")
    sound = not {"real", "classes"} & {*known, *inner}
    if network:
        one.require_words(known, ("name", "learner", "updates"))
        sound = sound and known["updates"] in ("winner", "each")
    need(sound, f"no member is {known}")
    real = "float32" if game.rows["values"] == "float32" else "float64"
    one.Rule(inner, real, network)
    third = next((t for t, y in enumerate(game.codes) if y > 1 and not network), len(game.codes))
    part, last = one.Game.__new__(one.Game), max(first, third)  # of two classes, it leaves when a third one comes
    part.__dict__.update(game.__dict__, entries=game.entries[first:last], codes=game.codes[first:last], told=True)
    scores = one.play_additive(dict(known, real=real), part).told + [(ASLEEP, ASLEEP)] * (len(game.codes) - last)
    if network:
        said = [(*row, *[ASLEEP] * (game.classes - len(row))) for row in scores]
        return [Voice(name, "scores", first, said)]
    if known["name"] != "AveragedPerceptron":
        return [Voice(name, "score", first, [(score,) for _, score in scores])]
    served, played = ([(pair[k],) for pair in scores] for k in (0, 1))
    return [Voice(name, "score", first, served), Voice(f"{name}, played", "score", first, played)]


def hear(name, member, forecasts, game):
    """What a member said that is not ours: data."""
    cover(name in forecasts, f"{name} is not played again: what it said belongs into a file of forecasts")
    said, first, kinds = forecasts[name], member["joined"], member["says"]
    sound = all(len(part) == 2 and type(part[0]) is str and part[1] in READINGS for part in kinds) and kinds
    need(sound, f"{name} says nothing that is read: {kinds}")
    widths = [1 if kind in ("score", "label") else max(game.classes, 1) for _, kind in kinds]
    fits = len(said) == sum(widths) and all(len(row) >= len(game.codes) for row in said)
    need(fits, f"the forecasts of {name} are {sum(widths)} numbers for each of {len(game.codes)} rounds")
    found, at = [], 0
    for (part, kind), width in zip(kinds, widths):
        columns = list(zip(*(row[first:] for row in said[at : at + width])))
        found.append(Voice(f"{name}, {part}" if part else name, kind, first, columns))
        at += width
    return found


# ------------------------------------------------------------------------------------------------------- the claims
def hash_numbers(form, *arrays):
    """SHA-256 of rows or of numbers, each array behind its shape."""
    whole = hashlib.sha256()
    for array in arrays:
        rows = array if isinstance(array[0], (list, tuple)) else [array]
        whole.update(str((len(array), len(rows[0])) if rows is array else (len(array),)).encode())
        for row in rows:
            whole.update(struct.pack(f"<{len(row)}{form}", *[ASLEEP if x != x else x for x in row]))
    return whole.hexdigest()


def take_logarithm(top, bits):
    """The logarithm of top / 2^bits."""
    cut = max(top.bit_length() - 256, 0)
    return Decimal(top >> cut).ln() + (cut - bits) * Decimal(2).ln()


def round_ends(low, high):
    """Two numbers as multiples of 2^-60, the first rounded down and the second up."""
    return Fraction(math.floor(low * 2**60), 2**60), Fraction(-math.floor(-high * 2**60), 2**60)


def multiply(chances):
    """The product of floats, as a whole number and how often it must be halved."""
    ratios = [chance.as_integer_ratio() for chance in chances]
    return math.prod(top for top, _ in ratios), sum(bottom.bit_length() - 1 for _, bottom in ratios)


def bound_stretch(witness, league, names):
    """What was served on a stretch of rounds, and what the theorem allows beside a reading: P <= N R q^2 Q."""
    one.require_words(witness, ("panel", "served", "guesses", "stretch", "readings", "levels", "member", "reading"))
    (first, last), reading, levels = witness["stretch"], witness["reading"], len(league.mixture.rates)
    sound = all(type(k) is int for k in (first, last, reading)) and 1 <= first <= last <= len(league.served)
    need(sound, f"no rounds from {first} to {last}, or no reading {reading}")
    sound = 0 <= reading < len(names) and names[reading].name == witness["member"] and names[reading].first < first
    need(sound, f"reading {reading} is not one of {witness['member']}, or was not there in round {first}")
    shape = (len(names), levels)
    told = (witness["readings"], witness["levels"])
    need(told == shape and all(type(k) is int for k in told), f"there are {shape} readings and levels")
    need(first == 1 or not league.mixture.still, "a league that shares nothing promises from the first round on")
    ended, pairs = sum(served == served for served in league.served[:last]), []
    for row, served, level in list(zip(league.panel, league.served, league.level))[first - 1 : last]:
        theirs = level if row[reading] != row[reading] and levels > 1 else row[reading]
        if served == served and theirs == theirs:  # one level promises nothing about rounds in which it sleeps
            pairs.append((theirs, served))
    (best, more), (made, bits) = (multiply([pair[k] for pair in pairs]) for k in (0, 1))
    factor = len(names) * (1 if league.mixture.still else ended if levels == 1 else levels * ended**2) or 1
    need(best << bits <= factor * made << more, "more was lost than the theorem allows")
    return round_ends(-take_logarithm(made, bits), Decimal(factor).ln() - take_logarithm(best, more))


def bracket_mixtures(witness, league, names):
    """What no fixed shares of the readings lose less than, and what those of the witness lose."""
    one.require_words(witness, ("panel", "served", "guesses", "shares"))
    shares = witness["shares"]
    whole = type(shares) is list and all(type(share) is int and share >= 0 for share in shares)
    need(whole and len(shares) == len(names) and sum(shares) == 2**20, "shares of all readings add up to 2^20")
    rows = [
        [int(math.ldexp(level if chance != chance else chance, 80)) for chance in row]
        for row, level in zip(league.panel, league.level)
        if level == level
    ]
    need(bool(rows), "no round is charged")
    mixed = [sum(share * number for share, number in zip(shares, row)) for row in rows]
    most = max(-sum(-(row[e] << 84) // m for row, m in zip(rows, mixed)) for e in range(len(names)))
    loss = -take_logarithm(math.prod(mixed), 100 * len(rows))
    return round_ends(max(loss - one.decimal(Fraction(most, 2**64) - len(rows)), Decimal(0)), loss)


def count_forced(witness, league, voices):
    """The rounds in which all members are wrong, and the mistakes of the best of those there from the start."""
    one.require_words(witness, ("panel", "served", "guesses"))
    need(league.mixture.charged > 0, "no round is charged")
    early = range(sum(voice.first == 0 for voice in voices))
    least = min(sum(not right[i] for right in league.right) for i in early)
    return sum(not any(right) for right in league.right), least


def bound_mistakes(witness, league, count):
    """The mistakes, those of coins in expectation, and what the account of all phases allows."""
    one.require_words(witness, ("panel", "served", "guesses", "phases"))
    told, bounds, stood = zip(*league.phases)
    same = json.dumps(witness["phases"]) == json.dumps(told)  # whole numbers, not floats that equal them
    need(same, f"the account has the phases {list(told)}")
    made = sum(stood) if any(league.coins) else sum(league.wrong)
    near = type(count) in (int, float) and abs(count - made) <= NEAR * (len(league.wrong) + 1)
    need(near, f"{made} mistakes are counted, not {count}")
    return count, sum(bounds)


def read_league(certificate, game):
    """Refuse a league that there cannot be."""
    about = certificate.learner
    one.require_words(about, ("name", "rates", "switching", "most", "seed", "members"), ("classes", "follows"))
    rates = about["rates"]
    sound = [type(rates) is list and all(one.is_number(rate, 0, True, 1) for rate in rates), type(about["seed"]) is int]
    sound += [one.is_flag(about["switching"]), about["switching"] or not rates or "follows" not in about]
    sound += [one.is_positive(about["most"]), about.get("follows", True) is True, bool(game.codes)]
    sound += [type(about["members"]) is list and bool(about["members"]), -(2**63) <= about["seed"] < 2**63]
    need(all(sound), f"no league is {about}, or it played no round")
    cover(about["seed"] >= 0, "seeds below 0 are not covered here")
    cover(about["most"] == 1, "rounds of unequal importance are not covered here")
    return about if about["switching"] else dict(about, rates=[])


def check_league(certificate, rounds, forecasts):
    """Play the league again, and check the claim of what it served."""
    game, witness = one.Game(certificate, rounds, CLASSES), certificate.witness
    about = read_league(certificate, game)
    voices, foreign = list_voices(about, game, forecasts), [m["name"] for m in about["members"] if "says" in m]
    league = League(about, voices)
    with localcontext(Context(prec=80, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        league.play(game.codes, len(game.declared))
        names = [voice for voice in voices for _ in range(READINGS[voice.kind])]
        league.panel = [row + [ASLEEP] * (len(names) - len(row)) for row in league.panel]
        text = "\n".join([hash_numbers("d", league.panel), *(voice.name for voice in names)])
        known = {"panel": hashlib.sha256(text.encode()).hexdigest()}
        known["served"] = hash_numbers("d", league.served, league.level)
        known["guesses"] = hash_numbers("q", league.wrong, league.coins)
        if foreign:
            known["forecasts"] = hash_numbers("d", *(forecasts[name] for name in sorted(foreign)))
        for name, found in known.items():
            need(witness[name] == found, f"the {name} of this run have the fingerprint {found[:12]}...")
        rest = {name: told for name, told in witness.items() if name != "forecasts" or not foreign}
        check_claim(certificate, rest, league, names)


def check_claim(certificate, witness, league, names):
    """Check what is counted, and the bound that the theorem gives."""
    counts, scope = certificate.counts, "sequence"
    if counts == "log-loss":
        theorem, (count, bound) = LOSS, bound_stretch(witness, league, names)
    elif counts == "forced mistakes":
        theorem, (count, bound) = CHOICES, count_forced(witness, league, league.voices)
    elif counts == "forced log-loss":
        theorem, (count, bound) = MIXTURES, bracket_mixtures(witness, league, names)
    else:
        counts, scope = ("expected mistakes", "expectation") if any(league.coins) else ("mistakes", scope)
        theorem, (count, bound) = MISTAKES, bound_mistakes(witness, league, certificate.count)
    promise = PROMISES[theorem]
    if theorem == LOSS:
        promise = promise.format(witness["member"], *witness["stretch"])
    certificate.require(theorem=theorem, promise=promise, counts=counts, scope=scope, count=count, bound=bound)
    counted = {"mistakes": sum(league.wrong), "updates": league.mixture.charged, "updated": [], "marks": []}
    certificate.require(exact=False, **counted)


def read_forecasts(text):
    """What foreign members said, by their names."""
    try:
        said = json.loads(text).items()
        return {name: [[ASLEEP if x is None else float(x) for x in row] for row in rows] for name, rows in said}
    except one.MALFORMED as problem:
        raise BadData(f"the forecasts: {problem!r}") from problem


def verify(text, name, data, forecasts=None):
    """As the one file, leagues included; forecasts are those of foreign members, by name."""
    one.CHECKS["League"] = lambda certificate, rounds: check_league(certificate, rounds, forecasts or {})
    try:
        return one.verify(text, name, data)
    finally:
        del one.CHECKS["League"]


def main(arguments):
    """Verify the certificate, the data and the forecasts that are named; the exit status."""
    forecasts = {}
    if len(arguments) == 3:
        try:
            with open(arguments[2], encoding="utf-8") as file:
                forecasts = read_forecasts(file.read())
        except (BadData, OSError, UnicodeDecodeError) as problem:
            print(f"cannot be read: {problem}")
            return 2
    one.CHECKS["League"] = lambda certificate, rounds: check_league(certificate, rounds, forecasts)
    status = one.main(arguments[:2])
    if status == 0 and forecasts:
        print(f"What {', '.join(sorted(forecasts))} said is data: it is true of these forecasts.")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
