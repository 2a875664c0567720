"""Advice from experts: the part of `littlestone_verify.py` for learners that follow experts, a file beside it.

Votes with rational weights are counted exactly; logarithms and exponentials are decimals of 120 digits and more, and
are compared to sixty: every operation is off by 10^-119 of its result, and a run has a few million of them.
"""

import hashlib
import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

from littlestone_verify import (
    NotCovered, draw_bits, fingerprint, harmonic, need, number_labels, read_call, read_number, require_words, same,
)

TINY = Decimal(10) ** -60  # of a number, up to which logarithms and exponentials are compared
ADVISED = {
    "WeightedMajority": ("Weighted majority (Littlestone and Warmuth 1994)", ["penalty"]),
    "RandomizedWeightedMajority": ("Randomized weighted majority (Littlestone and Warmuth 1994)", ["penalty"]),
    "ImprovedMajority": ("Improved weighted majority (Cesa-Bianchi et al. 1997)", ["penalty", "shape"]),
    "FollowTheLeader": ("Follow the leader", ["random"]),
    "Hedge": ("Hedge (Freund and Schapire 1997)", ["rate", "loss", "draws", "memory"]),
    "AdaHedge": ("AdaHedge (de Rooij, van Erven, Grunwald and Koolen 2014)", ["loss", "draws"]),
    "FixedShare": ("Fixed share (Herbster and Warmuth 1998)", ["rate", "switching", "loss", "draws"]),
    "Aggregating": ("Aggregating algorithm (Vovk 1998)", ["loss"]),
}


def exactly(value):
    """A number of a certificate as a fraction."""
    return value if isinstance(value, Fraction) else Fraction(read_number(value))


def decimal(value):
    return Decimal(value.numerator) / Decimal(value.denominator)


class Loss:
    """A loss by its name and numbers, as its constructor call is written."""

    def __init__(self, text):
        need(type(text) is str and len(text) < 1000, "a loss must be named")
        name, given = read_call(text)
        self.name = name
        if name not in ("ZeroOne", "Brier", "Log", "Absolute", "Square", "Pinball"):
            raise NotCovered(f"the loss {text} is not covered here")
        fits = set(given) == {"low", "high", *["quantile"] * (name == "Pinball")}
        fits = fits and all(type(v) in (int, float) and math.isfinite(v) for v in given.values())
        need(fits, f"{text!r} is not a loss that can be checked")
        self.low, self.high, self.quantile = (Fraction(given.get(key, 0.5)) for key in ("low", "high", "quantile"))
        need(self.low < self.high and 0 < self.quantile < 1, f"{text!r} has no range")
        need(name not in ("ZeroOne", "Brier") or (self.low, self.high) == (0, 1), f"the range of {name} is [0, 1]")
        width, self.binary = self.high - self.low, name in ("ZeroOne", "Brier", "Log")
        tops = {"Pinball": max(self.quantile, 1 - self.quantile) * width, "Absolute": width, "Square": width**2}
        self.top = tops.get(name, Fraction(2) if name == "Brier" else Fraction(1))
        self.mixable = {"Square": 2 / self.top, "Brier": Fraction(1), "Log": Fraction(1)}.get(name, Fraction(0))

    def price(self, x, y, of=same):
        """What a forecast loses; `of` makes decimals of fractions, where x is one."""
        if self.name == "Log":
            return -(x if y == 1 else 1 - x).ln()
        short = of(y) - x
        if self.name == "ZeroOne":
            return Fraction(short != 0)
        if self.name == "Pinball":
            return of(self.quantile if short > 0 else self.quantile - 1) * short
        return abs(short) if self.name == "Absolute" else short * short * (2 if self.name == "Brier" else 1)


class Follower:
    """A learner from advice as a certificate describes it."""

    def __init__(self, about):
        self.name = name = about["name"]
        require_words(about, ["name", *ADVISED[name][1]], ["seed"])
        self.votes, sure = name in list(ADVISED)[:4], name in ("WeightedMajority", "FollowTheLeader")
        kind = "ZeroOne" if sure else "Absolute"
        self.cost = cost = Loss(f"{kind}(low=0, high=1)" if self.votes else about["loss"])
        numbers = {key: exactly(about[key]) for key in ("penalty", "rate", "switching") if about.get(key) is not None}
        self.penalty, self.rate, self.switching = (numbers.get(key) for key in ("penalty", "rate", "switching"))
        self.shape, self.draws = about.get("shape"), about.get("random", about.get("draws", False))
        self.tosses = self.draws or name in ("RandomizedWeightedMajority", "ImprovedMajority")
        self.counts = ("expected mistakes" if self.tosses else "mistakes") if self.votes else "loss"
        sound = "penalty" not in ADVISED[name][1] or 0 <= self.penalty < 1
        sound = sound and (self.rate is None or self.rate > 0) and type(self.draws) is bool
        sound = sound and (name != "FixedShare" or (self.rate is not None and 0 < self.switching < 1))
        sound = sound and about.get("memory", 1) == 1
        sound = sound and (name != "ImprovedMajority" or self.shape in ("linear", "vovk"))
        sound = sound and (self.votes or name == "Aggregating" or self.draws or cost.name != "ZeroOne")
        need(sound and (cost.mixable > 0 or name != "Aggregating"), f"no theorem covers {about}")
        need(cost.name != "Log" or name == "Aggregating", "the loss has no bound")

    def bend(self, mean):
        """The chance of saying 1 by the share of the weight that does."""
        if self.shape is None:
            return mean
        p = decimal(self.penalty)
        if self.shape == "linear":
            half = (2 / (1 + p)).ln() * (1 + p) / (2 * (1 - p))
            return min(max(Decimal("0.5") + (2 * mean - 1) / (4 * half), Decimal(0)), Decimal(1))
        if not 0 < mean < 1:
            return mean
        down, up = (1 - mean + mean * p).ln(), (mean + (1 - mean) * p).ln()
        return down / (down + up)


class Pool:
    """The weights of experts before each round, and what they were charged asleep."""

    def __init__(self, who, experts):
        self.who, self.losses, self.asleep = who, [Fraction(0)] * experts, [Decimal(0)] * experts
        self.weights, self.round, self.variety, self.gap = [Decimal(1)] * experts, 0, Decimal(experts).ln(), Decimal(0)
        self.scale = Decimal(1) if who.cost.name == "Log" else decimal(who.cost.top)
        self.rate = decimal(who.cost.mixable) if who.name == "Aggregating" else decimal(who.rate or 0) / self.scale
        if who.penalty:
            self.rate = -decimal(who.penalty).ln()

    def weigh(self):
        """Set the weights of this round, where they do not follow from the last ones by a factor."""
        who, self.round, least = self.who, self.round + 1, min(self.losses)
        if (who.votes and not who.penalty) or (who.name == "AdaHedge" and self.gap == 0):
            goal = 0 if who.votes else least
            self.weights = [Decimal(int(loss == goal)) for loss in self.losses]
        elif who.name == "AdaHedge":
            self.rate = self.variety / self.gap
            self.weights = [(-self.rate * decimal(loss - least)).exp() for loss in self.losses]
        elif who.name == "Hedge" and who.rate is None:
            self.rate = 2 * (self.variety / self.round).sqrt() / self.scale
            self.weights = [(-self.rate * (decimal(a) + b)).exp() for a, b in zip(self.losses, self.asleep)]

    def average(self, numbers):
        total = sum(self.weights[k] * decimal(number) for k, number in numbers.items())
        return total / sum(self.weights[k] for k in numbers)

    def guess(self, awake):
        """The mean of what experts say, or Vovk's mixture."""
        cost = self.who.cost
        if self.who.name != "Aggregating" or cost.name == "Log":
            return self.average(awake)
        low, high = (sum(self.weights[k] * (-self.rate * decimal(cost.price(x, end))).exp() for k, x in awake.items())
                     for end in (cost.low, cost.high))
        width = decimal(2 * (2 if cost.name == "Brier" else 1) * (cost.high - cost.low))
        middle = decimal((cost.low + cost.high) / 2) + (high / low).ln() / (self.rate * width)
        return min(max(middle, decimal(cost.low)), decimal(cost.high))

    def learn(self, awake, y):
        """Charge all experts: those awake their losses, those asleep the mix loss of the others."""
        who, before, experts = self.who, self.weights, len(self.weights)
        log, adaptive = who.cost.name == "Log", who.name == "AdaHedge"
        lost = {} if log else {k: who.cost.price(x, y) for k, x in awake.items()}
        if adaptive and self.gap == 0:
            least, after = min(self.losses), min(loss + lost[k] for k, loss in enumerate(self.losses))
            leaders = [lost[k] for k, loss in enumerate(self.losses) if loss == least]
            self.gap = decimal(sum(leaders, Fraction(0)) / len(leaders) - (after - least))
        elif adaptive:
            left = sum(w * (-self.rate * decimal(lost[k])).exp() for k, w in enumerate(before))
            self.gap += max(self.average(lost) - (sum(before) / left).ln() / self.rate, Decimal(0))
        if not adaptive and (who.penalty != 0 or not who.votes):
            after = list(before)
            for k, x in awake.items():
                after[k] *= decimal(x if y == 1 else 1 - x) if log else (-self.rate * decimal(lost[k])).exp()
            if len(awake) < experts:
                left = sum(after[k] for k in awake) / sum(before[k] for k in awake)
                for k in set(range(experts)) - set(awake):
                    after[k], self.asleep[k] = before[k] * left, self.asleep[k] - left.ln() / self.rate
            self.weights = after
        if who.name == "FixedShare":
            share = decimal(who.switching)
            self.weights = [(1 - share) * weight + share / experts * sum(self.weights) for weight in self.weights]
        for k, loss in lost.items():
            self.losses[k] += loss


def play_advice(who, rows, truth, coins):
    """Play all rounds: the loss, what was charged asleep, the fewest and the most mistakes."""
    pool, loss, fewest, most, near = Pool(who, len(rows[0])), Decimal(0), 0, 0, Decimal(2) ** -30
    for row, y, coin in zip(rows, truth, coins):
        pool.weigh()
        awake = {k: x for k, x in enumerate(row) if x is not None}
        if who.draws and not who.votes:
            loss += pool.average({k: who.cost.price(x, y) for k, x in awake.items()})
        else:
            guess = who.bend(pool.guess(awake))
            loss += who.cost.price(guess, y, decimal)
            if who.votes:
                open_ = abs(decimal(coin) - guess) <= near and 0 < guess < 1
                wrong = (decimal(coin) < guess) != (y == 1)
                fewest, most = fewest + (wrong and not open_), most + (wrong or open_)
        pool.learn(awake, y)
    return loss, pool.asleep, fewest, most


def count_votes(who, rows, truth, coins):
    """Votes with rational weights counted exactly: total, losses, charges asleep, fewest and most mistakes."""
    losses, asleep, total, fewest, most = [0] * len(rows[0]), [0] * len(rows[0]), Fraction(0), 0, 0
    for row, y, coin in zip(rows, truth, coins):
        awake = [k for k, vote in enumerate(row) if vote is not None]
        need(not who.tosses or len(awake) == len(row), "an expert sleeps where a coin is tossed")
        least = min(losses[k] + asleep[k] for k in awake)
        gaps, near = [(row[k], losses[k] + asleep[k] - least) for k in awake], False
        leaders = [vote for vote, gap in gaps if gap == 0]
        weights = [(who.penalty or Fraction(0)) ** gap for _, gap in gaps]
        share = sum((w for (vote, _), w in zip(gaps, weights) if vote), Fraction(0)) / sum(weights)
        guess, cost = int(2 * share > 1), share if y == 0 else 1 - share
        if who.name == "FollowTheLeader":
            guess = int(leaders[int(float(coin) * len(leaders)) if who.tosses else 0] == 1)
        elif who.tosses:
            guess, near = int(coin < share), abs(coin - share) <= Fraction(1, 2**30) and 0 < share < 1
        total += cost if who.tosses else guess != y
        need(Fraction(total).denominator.bit_length() <= 12_000, "the fraction is too long to write down")
        fewest, most = fewest + (guess != y and not near), most + (guess != y or near)
        for k, vote in enumerate(row):
            losses[k] += vote is not None and vote != y
            asleep[k] += vote is None and guess != y
    return total, losses, asleep, fewest, most


def bound_advice(who, rounds, experts, witness, charge):
    """What the theorem allows a witness of this charge; a fraction, where that is one."""
    variety, top, p, marks = Decimal(experts).ln(), decimal(who.cost.top), who.penalty, int(charge + TINY)
    if who.name == "FollowTheLeader":
        mean = harmonic(experts, 1) if who.draws else Fraction(experts)
        return mean * marks + mean - 1
    if who.votes:
        need(p > 0 or charge == 0, "a penalty of 0 promises nothing once every expert erred")
        if who.name == "WeightedMajority" and p == 0:
            return Fraction(experts.bit_length() - 1)
        most = variety - charge * decimal(p).ln() if p else variety
        if who.name == "WeightedMajority":
            high = int(most / (2 / (1 + decimal(p))).ln() + TINY)
            return Fraction(high if experts * ((1 + p) / 2) ** high >= p**marks else high - 1)
        fair = who.name == "RandomizedWeightedMajority"
        return most / (1 - decimal(p)) if fair else most / (2 * (2 / (1 + decimal(p))).ln())
    if who.name == "Aggregating":
        return charge + variety / decimal(who.cost.mixable)
    if who.name == "AdaHedge":
        inside = charge * max(top * rounds - charge, Decimal(0)) * variety / rounds
        return charge + 2 * inside.sqrt() + top * (variety * 16 / 3 + 2)
    if who.rate is None:
        return charge + top * (variety * rounds).sqrt()
    rate = decimal(who.rate)
    if who.name == "FixedShare":
        switches, share = len(witness["schedule"]) - 1, decimal(who.switching)
        variety = (switches + 1) * variety - switches * share.ln() - (rounds - 1 - switches) * (1 - share).ln()
    return charge + top * (variety / rate + rate * rounds / 8)


def read_advice(certificate, rounds, who):
    """Forecasts (None: asleep) and outcomes as fractions; refused unless they are the certificate's."""
    experts, cost = certificate.witness["experts"], who.cost
    need(type(experts) is int and 0 < experts < 10**6 and 0 < certificate.rounds <= len(rounds), "the rounds are fewer")
    rounds = rounds[: certificate.rounds]
    need(all(one.entries is not None for one in rounds), "the rounds are not rows of forecasts")
    labels = [one.label for one in rounds]
    truth = number_labels(labels, [False, True], 2)[0] if who.votes else list(map(float, labels))
    digest = f"{experts} {fingerprint([one.entries for one in rounds], truth)}".encode()
    need(hashlib.sha256(digest).hexdigest() == certificate.stream, "the rounds are not those of the certificate")
    rows, truth = [], list(map(Fraction, truth))
    for one, y in zip(rounds, truth):
        row = [Fraction(0)] * experts
        for k, x in one.entries:
            row[k] = None if x != x else Fraction(x)
        inside = all(x is None or cost.low <= x <= cost.high for x in row) and any(x is not None for x in row)
        inside = inside and (y in (0, 1) if cost.binary else cost.low <= y <= cost.high)
        sure = cost.name != "ZeroOne" or not who.votes or all(x in (None, 0, 1) for x in row)
        need(inside and sure, "a round is one that the learner refuses")
        rows.append(row)
    return rows, truth


def read_path(who, witness, rounds, experts):
    """The expert that the witness follows in each round."""
    key = "schedule" if who.name == "FixedShare" else "expert"
    require_words(witness, ["losses", "charged asleep", "experts", "error", key])
    schedule = witness[key] if key == "schedule" else [[0, witness[key]]]
    whole = all(len(part) == 2 and type(part[0]) is type(part[1]) is int for part in schedule)
    need(whole and schedule and schedule[0][0] == 0, "a schedule starts in round 0, and an expert has a number")
    firsts = [*(first for first, _ in schedule), rounds]
    rising = all(a < b for a, b in zip(firsts, firsts[1:])) and all(0 <= k < experts for _, k in schedule)
    need(rising and all(a[1] != b[1] for a, b in zip(schedule, schedule[1:])), "a schedule is experts that take turns")
    return [k for (first, k), after in zip(schedule, firsts[1:]) for _ in range(after - first)]


def check_advice(certificate, rounds):
    """Learners from expert advice: the witness is charged again, and the theorem must give the bound."""
    who, witness, seed = Follower(certificate.learner), certificate.witness, certificate.learner.get("seed", 0)
    need(certificate.rows is None and type(seed) is int, "no sum depends on how rows are held")
    need(who.tosses or "seed" not in certificate.learner, "a learner without coins has no seed")
    rows, truth = read_advice(certificate, rounds, who)
    promise = "the expert that is named lost, and was charged asleep, what is stated"
    if who.name == "FixedShare":
        promise = "the experts that are named, each from its round on, lost together what is stated"
    certificate.require(theorem=ADVISED[who.name][0], promise=promise, counts=who.counts, updated=[], marks=[],
                        scope="expectation" if who.tosses else "sequence", updates=certificate.rounds)
    need((certificate.count is None) is (who.counts == "mistakes"), f"the theorem counts {who.counts}")
    error, sleepy, count = exactly(witness["error"]), sum(None in row for row in rows), len(rows)
    need(error >= 0 and (error == 0) is certificate.exact, "exact means without error")
    top = Fraction(1) if who.cost.name == "Log" else who.cost.top
    need(error <= exactly(certificate.counted) / 2**30 + count * top / 2**40, "rounding makes no such error")
    strict = who.name in ("AdaHedge", "FixedShare") or (who.name == "FollowTheLeader" and who.draws)
    strict = strict or (who.name in ("RandomizedWeightedMajority", "ImprovedMajority") and not who.penalty)
    need(not (strict and sleepy), f"the theorem of {who.name} is for experts that never sleep")
    need(who.name in ("WeightedMajority", "FollowTheLeader") or sleepy <= 1000, "experts sleep in too many rounds")
    path, coins = read_path(who, witness, count, len(rows[0])), [draw_bits(seed, t) >> 11 for t in range(count)]
    if who.name == "AdaHedge":
        totals = [sum(who.cost.price(row[k], y) for row, y in zip(rows, truth)) for k in range(len(rows[0]))]
        need(totals[path[0]] == min(totals), f"expert {path[0]} is not the best one")
    with localcontext(Context(prec=120 + sleepy, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        check_charges(certificate, who, rows, truth, [Fraction(coin, 2**53) for coin in coins], path)


def check_charges(certificate, who, rows, truth, coins, path):
    """Refuse losses, charges and a bound that are not what they are."""
    witness, bound, sleepy = certificate.witness, exactly(certificate.bound), any(None in row for row in rows)
    error, lost, free = (exactly(witness[key]) for key in ("error", "losses", "charged asleep"))
    pairs, checks = [(row[k], y) for row, k, y in zip(rows, path, truth) if row[k] is not None], []
    if certificate.exact:
        votes = all(x in (None, 0, 1) for row in rows for x in row)
        counted = who.name in ("WeightedMajority", "FollowTheLeader", "RandomizedWeightedMajority") and votes
        need(counted, "only votes with rational weights are counted exactly")
        total, losses, asleep, fewest, most = count_votes(who, rows, truth, coins)
        need(certificate.count is None or certificate.count == total, f"the expected count is {total}")
        found = [losses[path[0]], asleep[path[0]]]
        need([lost, free] == found, f"the witness lost and shared {found}")
        charge = Decimal(sum(found))
    else:
        need(who.name not in ("WeightedMajority", "FollowTheLeader"), "votes are counted exactly")
        loss, asleep, fewest, most = play_advice(who, rows, truth, coins)
        if who.cost.name == "Log":
            charge = sum((who.cost.price(decimal(x), y) for x, y in pairs), Decimal(0))
            checks.append((charge, lost, error, "what the witness lost"))
        else:
            exact = sum((who.cost.price(x, y) for x, y in pairs), Fraction(0))
            need(lost == exact, f"the witness lost {float(exact):.12g}, not {float(lost):.12g}")
            charge = decimal(exact)
        need(sleepy or free == 0, "no expert slept, and none was charged for it")
        if sleepy:
            checks.append((asleep[path[0]], free, error, "what the witness was charged asleep"))
            charge += asleep[path[0]]
        checks.append((loss, exactly(certificate.count), error, "the loss"))
    if who.votes:
        need(fewest <= certificate.mistakes <= most, f"the run makes {fewest} to {most} mistakes")
    else:
        need(certificate.mistakes == 0, "losses are no mistakes")
    allowed = bound_advice(who, len(rows), len(rows[0]), witness, charge)
    if isinstance(allowed, Fraction):
        need(allowed == bound, f"the theorem gives {allowed}, not {bound}")
    else:
        checks.append((allowed, bound, 4 * error + (bound + len(rows)) / 2**30, "the bound that the theorem gives"))
    for value, claimed, spread, what in checks:
        high, room = decimal(claimed), TINY * (1 + abs(decimal(claimed)))
        close = high - decimal(spread) - room <= value <= high + room
        need(close, f"{what} is {value:.12g}, not {float(claimed):.12g}")
