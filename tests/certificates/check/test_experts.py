"""Certificates of expert advice: what is accepted is true by a slow count in fractions and decimals."""

import random
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import LittlestoneError, NotCertified
from littlestone.certificates.check.experts import COMPARED, SCHEDULED
from littlestone.certificates.check.experts_losses import CheckedLoss, read_loss
from littlestone.certificates.check.experts_votes import VoteRule, count_votes
from littlestone.certificates.check.experts_weights import EnclosedWeights, WeightRule, play_enclosed
from littlestone.certificates.check.intervals import Enclosing, Interval
from littlestone.game.certify import play_advice
from littlestone.game.player import Player
from old_certificates import certify_as_of_old
from reference import advised, decimal, fallback_halving, follow_the_leader, weighted_majority

THIRD = Fraction(1, 3)
LEARNERS = [
    ls.WeightedMajority(),
    ls.WeightedMajority(THIRD),
    ls.WeightedMajority(0),
    ls.FallbackHalving(),
    ls.FallbackHalving(THIRD),
    ls.RandomizedWeightedMajority(),
    ls.RandomizedWeightedMajority(THIRD),
    ls.ImprovedMajority(),
    ls.ImprovedMajority(0.25, shape="vovk"),
    ls.FollowTheLeader(),
    ls.FollowTheLeader(random=True),
    ls.Hedge(),
    ls.Hedge(0.5, ls.Square()),
    ls.Hedge(0.5, draws=True),
    ls.Hedge(None, ls.ZeroOne(), draws=True),
    ls.Hedge(2.0, ls.Pinball(0.75)),
    ls.AdaHedge(),
    ls.AdaHedge(ls.Square(), draws=True),
    ls.FixedShare(1.0, 0.125),
    ls.FixedShare(0.5, 0.3, draws=True),
    ls.Aggregating(),
    ls.Aggregating(ls.Brier()),
    ls.Aggregating(ls.Log()),
]
VOTERS = (
    ls.WeightedMajority,
    ls.FallbackHalving,
    ls.RandomizedWeightedMajority,
    ls.ImprovedMajority,
    ls.FollowTheLeader,
)
NO_SLEEP = (ls.AdaHedge, ls.FixedShare)


def a_game(rng, learner, rounds=None):
    """Rounds (forecasts, outcome) that the learner takes; None is an expert that sleeps."""
    n, rounds = rng.randrange(1, 5), rounds or rng.randrange(1, 16)
    name, loss = type(learner), getattr(learner, "loss", None)
    whole = name in (ls.WeightedMajority, ls.FallbackHalving, ls.FollowTheLeader) or rng.random() < 0.4
    numbers = [0, 1] if whole else [0, 0.25, 0.5, 0.75, 1]
    numbers = [0.125, 0.5, 0.75] if isinstance(loss, ls.Log) else numbers
    binary = isinstance(learner, VOTERS) or isinstance(loss, ls.ZeroOne | ls.Brier | ls.Log)
    outcomes = [0, 1] if binary else numbers
    awake_only = isinstance(learner, NO_SLEEP) or getattr(learner, "random", False) or rng.random() < 0.5
    game = []
    for _ in range(rounds):
        x = [rng.choice(numbers) for _ in range(n)]
        if not awake_only:
            keep = rng.randrange(n)
            x = [v if i == keep or rng.random() < 0.7 else None for i, v in enumerate(x)]
        game.append((x, rng.choice(outcomes)))
    return game


def panel(game):
    X = np.array([[np.nan if v is None else v for v in x] for x, _ in game], float)
    return ls.Panel(X, np.array([y for _, y in game], float))


def digest_of(learner, game):
    stream = panel(game)
    return play_advice(Player(learner), stream.chunks(), None).digest


def told(value):
    return Fraction(*map(int, value.split("/"))) if isinstance(value, str) else Fraction(value)


def true(certificate, learner, game):
    """Whether all that a certificate says is so."""
    rounds, n, name = len(game), len(game[0][0]), type(learner).__name__
    witness, slept = certificate.witness, any(None in x for x, _ in game)
    costs = cost_table(learner, game)
    mistakes = ls.play(learner, panel(game), seed=certificate.learner.get("seed", 0)).mistakes * (not learner.numeric)
    path = [witness["expert"]] * rounds if "expert" in witness else walked(witness["schedule"], rounds)
    error = told(witness["error"])
    with localcontext(prec=60):
        lost = sum((costs[t][k] for t, k in enumerate(path) if game[t][0][k] is not None), Decimal(0))
        loss, asleep = slow(learner, game, costs)
        asleep = asleep[path[0]]
        bound = printed(learner, n, rounds, lost, asleep, len(witness.get("schedule", [0])) - 1, costs)
        near = Decimal("1e-40")
        right = abs(decimal(told(witness["losses"])) - lost) <= (decimal(error) if "Log" in str(learner) else 0) + near
        right = right and -near <= decimal(told(witness["charged asleep"])) - asleep <= decimal(error) + near
        right = right and decimal(told(certificate.bound)) >= bound - near
        if certificate.count is not None:
            right = right and -near <= decimal(told(certificate.count)) - loss <= decimal(error) + near
        else:
            right = right and loss == certificate.mistakes
    votes = name in ("WeightedMajority", "FallbackHalving", "FollowTheLeader", "RandomizedWeightedMajority")
    exact = votes and all(v in (0, 1) or v is None for x, _ in game for v in x)
    exact = exact and not (slept and name == "RandomizedWeightedMajority")
    tosses = getattr(learner, "random", getattr(learner, "draws", name[:3] in ("Ran", "Imp")))
    counts = "loss" if name in ("Hedge", "AdaHedge", "FixedShare", "Aggregating") else "expected mistakes"
    counts = (
        "mistakes"
        if name in ("WeightedMajority", "FallbackHalving") or (name == "FollowTheLeader" and not tosses)
        else counts
    )
    return (
        right
        and (certificate.rounds, certificate.updates, certificate.mistakes) == (rounds, rounds, mistakes)
        and (certificate.count is None) == (counts == "mistakes")
        and certificate.exact == (error == 0)
        and (exact or not certificate.exact)
        and (certificate.counts, certificate.scope) == (counts, "expectation" if tosses else "sequence")
        and certificate.theorem == Player(learner).learner.certificate(*played(learner, game)).theorem
        and certificate.promise == (SCHEDULED if name == "FixedShare" else COMPARED)
        and (certificate.updated, certificate.marks) == ((), ())
        and certificate.counted <= certificate.bound
        and certificate.stream == digest_of(learner, game)
        and witness["experts"] == n
        and certificate.learner["name"] == name
    )


def played(learner, game):
    player = ls.play(learner, panel(game)).player
    return player.state, player.tally


def walked(schedule, rounds):
    ends = [*(first for first, _ in schedule[1:]), rounds]
    return [k for (first, k), end in zip(schedule, ends, strict=True) for _ in range(end - first)]


def cost_table(learner, game):
    """What each forecast lost, in decimals."""
    loss = learner.expert_loss
    kind = type(loss).__name__
    with localcontext(prec=60):

        def paid(x, y):
            x, y = decimal(x), decimal(y)
            if kind == "Log":
                return -(x if y == 1 else 1 - x).ln()
            if kind == "Pinball":
                q = decimal(loss.quantile)
                return max(q * (y - x), (1 - q) * (x - y))
            return {
                "ZeroOne": Decimal(x != y), "Absolute": abs(x - y), "Square": (x - y) ** 2, "Brier": 2 * (x - y) ** 2
            }[kind]  # fmt: skip

        return [[None if v is None else paid(v, y) for v in x] for x, y in game]


def slow(learner, game, costs):
    """The loss of the learner, and what each expert was charged asleep."""
    n, name = len(game[0][0]), type(learner).__name__
    if name in ("WeightedMajority", "FallbackHalving"):
        twin = weighted_majority if name == "WeightedMajority" else fallback_halving
        guesses, marks = twin(game, Fraction(learner.penalty), n)
        own = [sum(x[i] is not None and x[i] != y for x, y in game) for i in range(n)]
        missed = sum(guess != y for guess, (_, y) in zip(guesses, game, strict=True))
        return missed, [Decimal(m - o) for m, o in zip(marks, own, strict=True)]
    if name == "FollowTheLeader":
        if learner.random:
            return decimal(follow_the_leader(game, n)[1]), [Decimal(0)] * n
        return leader(game, n)
    top = Decimal(1) if "Log" in str(learner) else decimal(learner.expert_loss.top)
    variety = Decimal(n).ln()
    rate_of = {
        "Hedge": lambda t, gap: (2 * (variety / t).sqrt() if learner.rate is None else decimal(learner.rate)) / top,
        "AdaHedge": lambda t, gap: variety / gap if gap > 0 else None,
        "FixedShare": lambda t, gap: decimal(learner.rate) / top,
        "Aggregating": lambda t, gap: decimal(learner.loss.mixable),
    }.get(name, lambda t, gap: decimal(1 / Fraction(learner.penalty)).ln())
    if n == 1 and name in ("Hedge", "AdaHedge"):
        rate_of = lambda t, gap: None  # noqa: E731

    def mean(shares, x, rate):
        return sum(p * v for p, v in zip(shares, x, strict=True))

    def curve(shares, x, rate):
        r, b = mean(shares, x, rate), decimal(Fraction(learner.penalty))
        if learner.shape == "vovk":
            if not 0 < r < 1:
                return r
            return (1 - r + r * b).ln() / ((1 - r + r * b).ln() + (r + (1 - r) * b).ln())
        c = (1 + b) * (2 / (1 + b)).ln() / (2 * (1 - b))
        return min(max(Decimal("0.5") + (2 * r - 1) / (4 * c), Decimal(0)), Decimal(1))

    def mixing(shares, x, rate):
        k = 2 if "Brier" in str(learner) else 1
        at = [sum(p * (-rate * k * (v - end) ** 2).exp() for p, v in zip(shares, x, strict=True)) for end in (0, 1)]
        return Decimal("0.5") + (at[1] / at[0]).ln() / (2 * k * rate)

    def averaged(guess, shares, paid, y):
        loss = learner.expert_loss
        if isinstance(loss, ls.Log):
            return -(guess if y == 1 else 1 - guess).ln()
        if isinstance(loss, ls.Pinball):
            q = decimal(loss.quantile)
            return max(q * (y - guess), (1 - q) * (guess - y))
        if isinstance(loss, ls.Absolute):
            return abs(guess - y)
        return (2 if isinstance(loss, ls.Brier) else 1) * (guess - y) ** 2

    def expected(guess, shares, paid, y):
        return sum(p * c for p, c in zip(shares, paid, strict=True))

    guess_of = {"ImprovedMajority": curve}.get(name, mean)
    if name == "Aggregating" and "Log" not in str(learner):
        guess_of = mixing
    charge_of = expected if getattr(learner, "draws", False) else averaged
    share = (decimal(learner.rate) / top, decimal(learner.switching)) if name == "FixedShare" else None
    return advised(game, costs, n, rate_of, guess_of, charge_of, share)


def leader(game, n):
    """Follow the first leader among those awake; sleepers are charged its mistakes."""
    losses, asleep, missed = [0] * n, [0] * n, 0
    for x, y in game:
        first = min((losses[i] + asleep[i], i) for i in range(n) if x[i] is not None)[1]
        wrong = x[first] != y
        missed += wrong
        for i in range(n):
            losses[i] += x[i] is not None and x[i] != y
            asleep[i] += x[i] is None and wrong
    return missed, [Decimal(extra) for extra in asleep]


def printed(learner, n, rounds, lost, asleep, switches, costs):
    """The bound as the learner's page prints it."""
    name, charge, variety = type(learner).__name__, lost + asleep, Decimal(n).ln()
    if name == "FollowTheLeader":
        mean = sum(Fraction(1, k) for k in range(1, n + 1)) if learner.random else n
        return decimal(mean * int(charge) + mean - 1)
    if name == "FallbackHalving":
        b, halved = decimal(Fraction(learner.penalty)), n.bit_length() - 1
        rest = ((charge - 1) * (1 / b).ln() + variety) / (2 / (1 + b)).ln()
        return Decimal(halved) if charge == 0 else halved + 1 + Decimal(int(rest + Decimal("1e-30")))
    if name in ("WeightedMajority", "RandomizedWeightedMajority", "ImprovedMajority"):
        b = decimal(Fraction(learner.penalty))
        if b == 0:
            assert charge == 0
            fall = variety / Decimal(2).ln()
            return Decimal(int(fall + Decimal("1e-30")))
        top = charge * (1 / b).ln() + variety
        if name == "RandomizedWeightedMajority":
            return top / (1 - b)
        found = top / (2 / (1 + b)).ln()
        return Decimal(int(found + Decimal("1e-30"))) if name == "WeightedMajority" else found / 2
    if name == "Aggregating":
        return charge + variety / decimal(learner.loss.mixable)
    top = decimal(learner.loss.top)
    if name == "AdaHedge":
        assert charge == min(sum(row[k] for row in costs) for k in range(n))
        inside = charge * (top * rounds - charge) * variety / rounds
        return charge + 2 * inside.sqrt() + top * (16 * variety / 3 + 2)
    if name == "Hedge" and learner.rate is None:
        return charge + top * (rounds * variety).sqrt()
    depth, rate = variety, decimal(learner.rate)
    if name == "FixedShare":
        a = decimal(learner.switching)
        depth = (switches + 1) * variety - switches * a.ln() - (rounds - 1 - switches) * (1 - a).ln()
    return charge + top * (depth / rate + rate * rounds / 8)


def tampered(rng, certificate, game):
    """One thing in a certificate changed."""
    n, witness = len(game[0][0]), dict(certificate.witness)
    small = Fraction(rng.choice([-1, 1]), 2 ** rng.randrange(60))
    changes = [-2, -1, 1, 2, small]
    choice = rng.randrange(13)
    if choice == 0:
        return replace(certificate, bound=certificate.bound + rng.choice(changes))
    if choice == 1:
        return replace(certificate, mistakes=certificate.mistakes + rng.choice(changes))
    if choice == 2:
        return replace(certificate, updates=certificate.updates + rng.choice(changes))
    if choice == 3:
        return replace(certificate, rounds=certificate.rounds + rng.choice([-2, -1, 1, 2]))
    if choice == 4:
        count = None if certificate.count is None else certificate.count + rng.choice(changes)
        return replace(certificate, count=rng.choice([count, None, certificate.mistakes]))
    if choice == 5:
        key = rng.choice(["losses", "charged asleep", "error", "experts"])
        witness[key] = told(witness[key]) + rng.choice(changes)
        return replace(certificate, witness=witness)
    if choice == 6 and "expert" in witness:
        witness["expert"] = rng.randrange(-1, n + 1)
        return replace(certificate, witness=witness, bound=rng.choice([certificate.bound, certificate.bound + 9]))
    if choice == 7 and "schedule" in witness:
        schedule = [list(part) for part in witness["schedule"]]
        schedule[rng.randrange(len(schedule))][rng.randrange(2)] += rng.choice([-1, 1])
        schedule += rng.choice([[], [[rng.randrange(len(game) + 1), rng.randrange(n + 1)]]])
        return replace(certificate, witness=witness | {"schedule": schedule})
    if choice == 8:
        learner = dict(certificate.learner)
        key = rng.choice([key for key in learner if key != "name"])
        learner[key] = rng.choice([0.5, 0.25, 2.0, None, True, "vovk", 1, "Square(low=0.0, high=1.0)"])
        return replace(certificate, learner=learner)
    if choice == 9:
        key, value = rng.choice(list(STATED.items()))
        return replace(certificate, **{key: rng.choice(value)})
    if choice == 10:
        name = rng.choice(["Hedge", "AdaHedge", "WeightedMajority", "FollowTheLeader", "Pool", "Perceptron"])
        return replace(certificate, learner=certificate.learner | {"name": name})
    if choice == 11:  # a looser error, with everything moved by it
        return replace(certificate, witness=witness | {"error": 0.25}, exact=False)
    return replace(certificate, exact=not certificate.exact)


STATED = {
    "theorem": ["Hedge", "", "Weighted majority (Littlestone and Warmuth 1994)"],
    "promise": ["", COMPARED, SCHEDULED],
    "counts": ["mistakes", "loss", "expected mistakes", "regret"],
    "scope": ["sequence", "expectation", "class", "iid"],
    "stream": ["", "00"],
    "updated": [(0,)],
    "marks": [(1,)],
}


def disturbed(rng, game):
    """Rounds dropped, added, reordered, an outcome or a forecast changed, an expert added."""
    game, at = [(list(x), y) for x, y in game], rng.randrange(len(game))
    choice = rng.randrange(6)
    if choice == 0 and len(game) > 1:
        del game[at]
    elif choice == 1:
        game.insert(at, rng.choice(game))
    elif choice == 2:
        other = rng.randrange(len(game))
        game[at], game[other] = game[other], game[at]
    elif choice == 3:
        game[at] = (game[at][0], 1 - game[at][1])
    elif choice == 4:
        k = rng.randrange(len(game[at][0]))
        x = list(game[at][0])
        x[k] = 1 - x[k] if x[k] is not None else 0
        game[at] = (x, game[at][1])
    else:
        game = [([*x, 0], y) for x, y in game]
    return game


def changed(learner, record):
    """The learner that a forged record describes."""
    known = {key: value for key, value in record.items() if key not in ("name", "seed")}
    for key in ("penalty", "rate", "switching"):
        known |= {key: told(known[key])} if isinstance(known.get(key), str) else {}
    if "loss" in known:
        cost = read_loss(known["loss"])
        kinds = {"Absolute": ls.Absolute, "Square": ls.Square, "Pinball": ls.Pinball}
        make = kinds.get(cost.name, lambda **_: getattr(ls, cost.name)())
        numbers = {"low": float(cost.low), "high": float(cost.high)}
        known["loss"] = make(**numbers, **({"quantile": float(cost.quantile)} if cost.name == "Pinball" else {}))
    return getattr(ls, record["name"])(**known)


# --- what is particular -------------------------------------------------------------------------------------------

GOLD = ls.Panel([[1, 0, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1, 1]], [1, 0, 1, 1, 0])


def test_a_vote_as_even_as_fractions_say_is_not_decided_by_rounding():
    """An expert that never erred has the weight of three that erred once: 1 - 3/3, and no power of 1/3 is binary."""
    votes, said = VoteRule("majority", THIRD), [[1, 0, 0, 0]] * 2
    assert count_votes(votes, said, [1, 1], []).guesses == [0, 0]
    assert count_votes(votes, [[0, 1, 1, 1]] * 2, [0, 0], []).guesses == [1, 0]


def test_the_run_of_the_notes_is_certified_in_fractions():
    certificate = ls.play(ls.RandomizedWeightedMajority(), GOLD).certificate()
    assert (certificate.count, certificate.exact, certificate.scope) == (Fraction(3673, 1155), True, "expectation")
    assert float(certificate.bound) == pytest.approx(4.970, abs=1e-3)
    report = ls.verify(certificate, GOLD)
    assert report.counted == Fraction(3673, 1155)
    assert "3.18008 expected mistakes" in str(report)
    majority = ls.play(ls.WeightedMajority(), GOLD).certificate()
    assert (majority.mistakes, majority.bound, majority.witness["losses"]) == (3, 8, 2)
    leader = ls.play(ls.FollowTheLeader(random=True), GOLD).certificate()
    assert (leader.bound, leader.exact) == (Fraction(9, 2), True)
    assert ls.verify(leader, GOLD)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**63))
def test_the_smallest_bound_that_is_accepted_is_the_printed_one(seed):
    rng = random.Random(seed)
    learner = rng.choice([learner for learner in LEARNERS if learner != ls.WeightedMajority(0)])
    game = a_game(rng, learner)
    certificate = ls.certify(learner, panel(game))
    whole = type(certificate.bound) is int
    low, high = Fraction(certificate.counted), Fraction(certificate.bound)
    while high - low > (1 if whole else Fraction(1, 2**45)):  # bisect to what verify still believes
        middle = (low + high) / 2 if not whole else Fraction((low + high) // 2)
        try:
            ls.verify(replace(certificate, bound=middle), panel(game))
            high = middle
        except NotCertified:
            low = middle
    assert true(replace(certificate, bound=high), learner, game)
    if low > certificate.counted:
        assert not true(replace(certificate, bound=low - Fraction(1, 2**40)), learner, game)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**63))
def test_no_schedule_gives_a_smaller_bound_than_the_one_that_is_found(seed):
    rng = random.Random(seed)
    learner = ls.FixedShare(rng.choice([0.5, 2.0, 8.0]), rng.choice([0.05, 0.3, 0.9]))
    game = [([rng.choice([0, 0.5, 1]) for _ in range(2)], rng.choice([0, 1])) for _ in range(rng.randrange(1, 8))]
    certificate = ls.certify(learner, panel(game))
    costs = [[abs(v - y) for v in x] for x, y in game]
    bounds = [
        sum(costs[t][k] for t, k in enumerate(path)) + learner.regret(2, len(game), 0.0, switches(path))
        for path in product(range(2), repeat=len(game))
    ]
    assert float(certificate.bound) == pytest.approx(min(bounds), abs=1e-9)
    assert ls.verify(certificate, panel(game))


def switches(path):
    return sum(a != b for a, b in pairwise(path))


def test_a_schedule_beats_the_best_expert_where_the_best_expert_changes():
    X = np.repeat([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], 40, axis=0)
    stream = ls.Panel(X, np.zeros(120))
    certificate = ls.certify(ls.FixedShare.tuned(2, 120, 2), stream)
    assert certificate.witness["schedule"] == [[0, 0], [40, 1], [80, 0]]
    assert certificate.witness["losses"] == 0
    assert ls.verify(Certificate.from_json(certificate.to_json()), stream)
    with pytest.raises(NotCertified, match="the bound that the theorem gives"):
        ls.verify(replace(certificate, bound=certificate.bound - Fraction(1, 1000)), stream)


REFUSED = [
    (ls.Hedge(memory=0.9), [[0.5, 1]], [1], "memory below 1"),
    (ls.AdaHedge(), [[0.5, np.nan], [1, 0]], [1, 0], "never sleep"),
    (ls.FixedShare(), [[0.5, np.nan], [1, 0]], [1, 0], "never sleep"),
    (ls.FollowTheLeader(random=True), [[1, np.nan], [1, 0]], [1, 0], "never sleep"),
    (ls.WeightedMajority(0), [[1, 0]] * 2, [1, 0], "penalty of 0"),
    (ls.RandomizedWeightedMajority(0), [[1, 0]] * 2, [1, 0], "penalty of 0"),
]


@pytest.mark.parametrize(("learner", "X", "y", "words"), REFUSED, ids=lambda value: str(value)[:30])
def test_what_no_theorem_covers_is_refused_in_words(learner, X, y, words):
    with pytest.raises(NotCertified, match=words):
        ls.certify(learner, ls.Panel(X, y))
    with pytest.raises(NotCertified, match=words):
        ls.play(learner, ls.Panel(X, y)).certificate()


def test_what_no_theorem_covers_does_not_verify_either():
    """A forger who knows the digest cannot pass off sleepers on a theorem that lets nobody sleep."""
    awake, asleep = ls.Panel([[0.5, 0.25], [1, 0]], [1, 0]), ls.Panel([[0.5, np.nan], [1, 0]], [1, 0])
    for learner in (ls.AdaHedge(), ls.FixedShare(1.0, 0.125)):
        digest = play_advice(Player(learner), asleep.chunks(), None).digest
        with pytest.raises(NotCertified, match="never sleep"):
            ls.verify(replace(ls.certify(learner, awake), stream=digest, bound=100), asleep)
    hedge = ls.certify(ls.Hedge(0.5), awake)
    with pytest.raises(NotCertified, match="memory"):
        ls.verify(replace(hedge, learner=hedge.learner | {"memory": 0.5}), awake)


def test_one_that_joins_late_is_covered_by_fixed_rates_and_refused_by_the_anytime_rate():
    rounds = [((1, 0), 1), ((0, 1), 1), ((1, 0, 1), 0), ((1, 0, 1), 1)]
    for learner in (ls.WeightedMajority(), ls.FollowTheLeader(), ls.RandomizedWeightedMajority(), ls.Hedge(0.5)):
        game = ls.play(learner, ls.Recorded([x for x, _ in rounds], [y for _, y in rounds]), transcript=True)
        certificate = game.certificate()
        assert certificate.witness["experts"] == 3
        stream = ls.Recorded([x for x, _ in rounds], [y for _, y in rounds])
        assert ls.verify(Certificate.from_json(certificate.to_json()), stream)
    player = Player(ls.Hedge())
    for x, y in rounds:
        player.update(x, y)
    with pytest.raises(NotCertified, match="no expert join late"):
        player.certificate()


def test_a_pool_of_concepts_is_checked_by_asking_them():
    noisy = ls.Recorded([1, 5, 2, 6, 3, 0, 4, 5], [False, True, False, True, True, False, True, False])
    for inner in (ls.WeightedMajority(), ls.RandomizedWeightedMajority(), ls.ImprovedMajority()):
        learner = ls.Pool(ls.Thresholds(6), inner)
        certificate = Certificate.from_json(ls.play(learner, noisy).certificate().to_json())
        assert ls.verify(certificate, noisy, learner)
        with pytest.raises(NotCertified, match="pass the learner"):
            ls.verify(certificate, noisy)
        with pytest.raises(NotCertified, match="the certificate is about"):
            ls.verify(certificate, noisy, ls.Pool(ls.Thresholds(7), inner))
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, witness=certificate.witness | {"losses": 0}), noisy, learner)


def test_a_combination_is_certified_by_what_its_experts_said():
    pool = ls.combine([lambda x: x > 0, lambda x: x > 2, lambda x: 1 / x > 0], keep=True)
    for x in (1, 3, 0, -1, 2):
        pool.update(x, x > 0)
    certificate = ls.certify(pool.player, pool.panel)
    assert ls.verify(Certificate.from_json(certificate.to_json()), pool.panel)
    assert certificate.witness["expert"] == 0


def test_a_loss_of_ones_own_is_verified_where_experts_are_drawn_and_the_learner_is_shown():
    own = ls.Custom(lambda forecast, outcome: abs(forecast - outcome) ** 3, low=0, high=1)
    learner, stream = ls.Hedge(0.5, own, draws=True), ls.Panel([[0.5, 0.25], [1, 0], [0.5, 0.5]], [1, 0, 0.25])
    certificate = ls.certify(learner, stream)
    assert ls.verify(certificate, stream, learner)
    with pytest.raises(NotCertified):
        ls.verify(certificate, stream)
    averaging = ls.Hedge(0.5, replace(own, averages=True))
    assert ls.play(averaging, stream).certificate().holds  # from the state; there is nothing that verify could check


def test_a_long_game_of_votes_is_enclosed_instead():
    rng = np.random.default_rng(1)
    X = (rng.random((300, 6)) < 0.4).astype(float)
    stream, learner = ls.Panel(X, np.zeros(300)), ls.RandomizedWeightedMajority(0.9)
    certificate = ls.certify(learner, stream)
    assert not certificate.exact
    assert 0 < certificate.witness["error"] < 1e-9
    assert "up to the rounding of the run" in str(ls.verify(certificate, stream))
    with pytest.raises(NotCertified, match="the loss is between"):
        ls.verify(replace(certificate, count=certificate.count - Fraction(1, 10**6)), stream)
    with pytest.raises(NotCertified, match="mistakes, not"):
        ls.verify(replace(certificate, mistakes=certificate.mistakes + 1), stream)


def test_the_seed_belongs_to_the_claim():
    rng = np.random.default_rng(2)
    X, y = (rng.random((40, 3)) < 0.5).astype(float), (rng.random(40) < 0.5).astype(float)
    counts = {}
    for seed in range(6):
        player = ls.play(ls.RandomizedWeightedMajority(), ls.Panel(X, y), seed=seed).player
        counts[seed] = ls.certify(player, ls.Panel(X, y))
        assert counts[seed].learner["seed"] == seed
        assert ls.verify(counts[seed], ls.Panel(X, y))
    other = next(s for s in range(1, 6) if counts[s].mistakes != counts[0].mistakes)
    with pytest.raises(NotCertified, match="mistakes, not"):
        ls.verify(replace(counts[0], learner=counts[other].learner), ls.Panel(X, y))


def test_an_expert_that_always_says_0_is_not_one_that_is_not_there():
    two, three = ls.Panel([[1, 0], [0, 1]], [1, 0]), ls.Panel([[1, 0, 0], [0, 1, 0]], [1, 0])
    with pytest.raises(NotCertified, match="not those of the certificate"):
        ls.verify(ls.certify(ls.WeightedMajority(), two), three)


def test_outcomes_that_are_numbers_count_in_the_digest():
    one, other = ls.Panel([[0.5], [0.25]], [0.25, 0.5]), ls.Panel([[0.5], [0.25]], [0.75, 0.5])
    with pytest.raises(NotCertified, match="not those of the certificate"):
        ls.verify(ls.certify(ls.Hedge(0.5), one), other)


def test_adahedge_must_name_the_best_expert():
    stream = ls.Panel([[1.0, 0.0]] * 4, [1.0] * 4)
    certificate = ls.certify(ls.AdaHedge(), stream)
    worse = certificate.witness | {"expert": 1, "losses": 4}
    with pytest.raises(NotCertified, match="not the best one"):
        ls.verify(replace(certificate, witness=worse, bound=100), stream)


FORGERIES = [
    (ls.RandomizedWeightedMajority(), {"count": Fraction(3673, 1155) - Fraction(1, 10**30)}, {}),
    (ls.RandomizedWeightedMajority(), {"bound": Fraction(49, 10)}, {}),
    (ls.RandomizedWeightedMajority(), {}, {"losses": 1}),
    (ls.RandomizedWeightedMajority(), {}, {"charged asleep": 1}),
    (ls.RandomizedWeightedMajority(), {}, {"error": 0.5}),
    (ls.RandomizedWeightedMajority(), {}, {"error": 2.0**-50}),
    (ls.RandomizedWeightedMajority(), {"exact": False}, {}),
    (ls.RandomizedWeightedMajority(), {"mistakes": 5}, {}),
    (ls.WeightedMajority(), {"bound": 7}, {}),
    (ls.WeightedMajority(), {"mistakes": 2}, {}),
    (ls.WeightedMajority(), {"count": 3}, {}),
    (ls.WeightedMajority(), {"bound": float("inf")}, {}),
    (ls.FollowTheLeader(random=True), {"bound": Fraction(22, 5)}, {}),
    (ls.FollowTheLeader(), {"bound": 7}, {}),
    (ls.ImprovedMajority(), {"bound": Fraction(43, 10)}, {}),
    (ls.ImprovedMajority(), {}, {"losses": Fraction(3, 2)}),
    (ls.Hedge(0.5), {"bound": Fraction(4)}, {}),
    (ls.Hedge(0.5), {"mistakes": 1}, {}),
    (ls.Hedge(0.5), {}, {"losses": Fraction(5, 2)}),
    (ls.Hedge(0.5), {}, {"expert": 0}),
    (ls.Hedge(), {"scope": "expectation"}, {}),
    (ls.AdaHedge(), {"bound": Fraction(8)}, {}),
    (ls.Aggregating(), {"bound": Fraction(5, 2)}, {}),
    (ls.Aggregating(), {"theorem": "Hedge (Freund and Schapire 1997)"}, {}),
    (ls.FixedShare(1.0, 0.125), {"bound": Fraction(4)}, {}),
    (ls.FixedShare(1.0, 0.125), {}, {"schedule": [[0, 2], [0, 1]]}),
    (ls.FixedShare(1.0, 0.125), {}, {"schedule": [[0, 2], [3, 2]]}),
    (ls.FixedShare(1.0, 0.125), {}, {"schedule": [[1, 2]]}),
    (ls.FixedShare(1.0, 0.125), {}, {"schedule": [[0, 2], [5, 1]]}),
]


@pytest.mark.parametrize(("learner", "change", "witness"), FORGERIES, ids=str)
def test_one_lie_is_enough_to_be_refused(learner, change, witness):
    certificate = ls.certify(learner, GOLD)
    assert ls.verify(certificate, GOLD)
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, witness=certificate.witness | witness, **change), GOLD)


@pytest.mark.parametrize(
    "learner", [ls.WeightedMajority(), ls.FollowTheLeader(), ls.Hedge(0.5), ls.AdaHedge()], ids=str
)
def test_a_bound_is_the_one_that_the_theorem_gives_but_in_certificates_without_a_version(learner, monkeypatch):
    certificate = ls.certify(learner, GOLD)
    for bound in (certificate.bound + 1, certificate.bound + Fraction(1, 2**20), 10**30):
        with pytest.raises(NotCertified, match="the bound that the theorem gives"):
            ls.verify(replace(certificate, bound=bound), GOLD)
    assert ls.verify(certify_as_of_old(learner, GOLD, monkeypatch, bound=certificate.bound + 1), GOLD)


@pytest.mark.parametrize("schedule", [[[0, 2], [3, 2]], [[0, 1], [0, 2]], [[0, 2], [3, 0], [3, 2]]], ids=str)
def test_a_schedule_is_experts_that_take_turns_even_where_the_bound_is_loose(schedule):
    certificate = ls.certify(ls.FixedShare(1.0, 0.125), GOLD)
    assert certificate.witness["schedule"] == [[0, 2]]
    with pytest.raises(NotCertified, match="take turns"):
        ls.verify(replace(certificate, witness=certificate.witness | {"schedule": schedule}, bound=100), GOLD)


def test_the_loss_may_be_stated_no_more_loosely_than_its_error():
    certificate = ls.certify(ls.Hedge(0.5), GOLD)
    error = Fraction(certificate.witness["error"])
    for change in (-error, 2 * error):
        with pytest.raises(NotCertified, match="the loss is between"):
            ls.verify(replace(certificate, count=certificate.count + change), GOLD)
    assert ls.verify(replace(certificate, count=certificate.count + error / 4), GOLD)


@pytest.mark.parametrize("more", [0.0, 0.9, 2.0, 1000.0])
def test_no_error_is_larger_than_rounding_can_make_it(more):
    """A stated error is no excuse: a loss of 1.24 cannot pass for 2.14 with an error of 1000."""
    stream = ls.Panel([[0.25, 1.0], [0.5, 0.0], [1.0, 0.25]], [1.0, 0.0, 1.0])
    certificate = ls.certify(ls.Hedge(0.5), stream)
    witness = certificate.witness | {"error": 1000.0 if more else certificate.witness["error"] * 2.0**20}
    forged = replace(certificate, count=certificate.count + Fraction(more), bound=100, witness=witness)
    with pytest.raises(NotCertified, match="rounding makes no error beyond"):
        ls.verify(forged, stream)


EXTREME = [ls.Hedge(600.0), ls.Hedge(), ls.FixedShare(600.0, 1e-30), ls.AdaHedge(), ls.ImprovedMajority(1e-9)]


@pytest.mark.parametrize("learner", EXTREME, ids=str)
def test_what_is_stated_of_a_loss_stays_within_a_billionth(learner):
    rng = np.random.default_rng(5)
    X, y = np.round(rng.random((400, 3)), 2), np.round(rng.random(400), 2)
    stream = ls.Panel(X, y) if learner.numeric else ls.Panel(X < 0.5, y < 0.5)
    certificate = ls.certify(learner, stream)
    assert certificate.witness["error"] <= 2.0**-30 * float(certificate.count) + 400 * 2.0**-40
    assert ls.verify(certificate, stream)


def test_the_gap_of_adahedge_is_enclosed_tightly_and_holds_what_more_digits_give():
    rng = random.Random(8)
    rows = [[Fraction(rng.randrange(9), 8) for _ in range(3)] for _ in range(300)]
    truth = [Fraction(rng.randrange(9), 8) for _ in rows]
    rule = WeightRule("mean", "adaptive", CheckedLoss("Absolute", Fraction(0), Fraction(1)))
    few, many = (play_enclosed(rule, rows, truth, [], digits).loss for digits in (30, 60))
    assert few.low <= many.low <= many.high <= few.high
    assert few.high - few.low < Decimal("1e-20")
    with localcontext(prec=60):
        game = [([float(x) for x in row], float(y)) for row, y in zip(rows, truth, strict=True)]
        plain, _ = slow(ls.AdaHedge(), game, cost_table(ls.AdaHedge(), game))
        assert abs(plain - many.low) < Decimal("1e-40")


def test_a_gap_of_adahedge_that_is_wide_holds_what_its_ends_give():
    rule, reals = WeightRule("mean", "adaptive", CheckedLoss("Absolute", Fraction(0), Fraction(1))), Enclosing(30)

    def widen(low, high):
        game = EnclosedWeights(rule, reals, 2)
        game.losses, game.gap = [Fraction(0), Fraction(1)], Interval(Decimal(low), Decimal(high), reals)
        game.weigh()
        game.learn({0: Fraction(1, 4), 1: Fraction(3, 4)}, Fraction(0))
        return game.gap

    wide, ends = widen("1", "1.5"), [widen("1", "1"), widen("1.5", "1.5")]
    for end in ends:
        assert wide.low <= end.low <= end.high <= wide.high
    assert ends[0].high < ends[1].low


# --- whatever else ------------------------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**63))
def test_what_is_accepted_is_true_whatever_was_tampered_with(seed):
    rng = random.Random(seed)
    learner = rng.choice(LEARNERS)
    game = a_game(rng, learner)
    player = ls.play(learner, panel(game), seed=rng.randrange(9)).player
    try:
        certificate = ls.certify(player, panel(game))
    except NotCertified:
        assert learner == ls.WeightedMajority(0)
        return
    honest = Certificate.from_json(certificate.to_json())
    assert ls.verify(honest, panel(game)).rounds == len(game)
    assert ls.verify(certificate, panel(game))
    assert true(honest, learner, game)
    forged, others = honest, game
    if rng.random() < 0.4:
        others = disturbed(rng, game)
        if rng.random() < 0.8:  # a forger can compute a digest
            try:
                forged = replace(forged, stream=digest_of(learner, others), rounds=len(others), updates=len(others))
            except LittlestoneError:
                return
    for _ in range(rng.randrange(3) if others != game else rng.randrange(1, 3)):
        forged = tampered(rng, forged, others)
    try:
        report = ls.verify(forged, panel(others))
    except NotCertified:
        return
    assert report
    same = learner if forged.learner == honest.learner else changed(learner, forged.learner)
    assert true(forged, same, others[: forged.rounds])
