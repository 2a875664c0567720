"""Certificates of learners from expert advice, checked from the stream alone.

Votes with rational penalties are counted again exactly; logarithms and exponentials are enclosed between decimals. The
witness, an expert or a schedule of experts, is charged again; then the theorem must give no more than the bound, and
the learner's loss must be no more than what is stated, and no less by more than the stated error, which must be one
that rounding can make. With N experts, T rounds, and what the witness was charged, the formula of each bound is that of
the learner's own page.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from littlestone.base.bound import Certificate
from littlestone.base.coins import draw_bits
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import harmonic
from littlestone.base.learner import Learner, describe
from littlestone.certificates.check.experts_claims import (
    THEOREMS,
    Advice,
    AdviceClaim,
    has_votes,
    make_rule,
    read_advice,
    read_claim,
    read_number,
    require_covered,
)
from littlestone.certificates.check.experts_votes import VoteRule, count_votes
from littlestone.certificates.check.experts_weights import EnclosedGame, play_enclosed
from littlestone.certificates.check.intervals import Enclosing, Interval
from littlestone.certificates.check.report import Report, accept

DIGITS = (40, 80, 160, 320, 640, 1280)
COMPARED = "the expert that is named lost, and was charged asleep, what is stated"
SCHEDULED = "the experts that are named, each from its round on, lost together what is stated"


class ChargedGame(NamedTuple):
    """A game of advice played again, with what its witness lost and was charged asleep."""

    game: EnclosedGame
    lost: Interval
    asleep: Interval


def check_advice(certificate: Certificate, stream: Stream, learner: Learner | None, features: Any) -> Report:
    """Check a certificate of a learner from advice; NotCertified if it is not true of the stream."""
    about = dict(certificate.learner)
    concepts = None
    seed = about.pop("seed", 0)
    require(type(seed) is int, "a seed is a whole number", NotCertified)
    if learner is not None:
        require(about == describe(learner), f"the certificate is about {about}, not {describe(learner)}", NotCertified)
    if about["name"] == "Pool":
        concepts = getattr(learner, "concepts", None)
        about = about["learner"]
        require(concepts is not None, "to check a certificate of a Pool, pass the learner", NotCertified)
    claim = read_claim(about, learner)
    require(concepts is None or claim.votes, "concepts vote", NotCertified)
    advice = read_advice(stream, features, certificate, claim, concepts)
    require(advice.digest == certificate.stream, "the rounds are not those of the certificate", NotCertified)
    _check_words(certificate, claim)
    require(claim.tosses or "seed" not in certificate.learner, "a learner without coins has no seed", NotCertified)
    error = read_number(certificate.witness["error"])
    require(error >= 0 and (error == 0) is certificate.exact, "exact means without error", NotCertified)
    most = _limit_error(certificate, claim, advice)
    require(error <= most, f"rounding makes no error beyond {float(most):.3g}, not {float(error):.3g}", NotCertified)
    require_covered(claim, advice)
    coins = [Fraction(draw_bits(seed & (2**63 - 1), t) >> 11, 2**53) for t in range(certificate.rounds)]
    for digits in DIGITS:
        last = digits == DIGITS[-1]
        try:
            replay = _replay(certificate, claim, advice, coins, digits)
            if _is_decided(certificate, claim, advice, replay, Enclosing(digits), last):
                break
        except NotCertified as problem:
            if last or "cannot be told from 0" not in str(problem):
                raise
    return accept(certificate, replay.game.differing)


def _check_words(certificate: Certificate, claim: AdviceClaim) -> None:
    """What is claimed must be what the theorem says."""
    scope = "expectation" if claim.tosses else "sequence"
    promise = SCHEDULED if claim.name == "FixedShare" else COMPARED
    theorem = (THEOREMS[claim.name], promise, claim.counts, scope)
    words = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope)
    require(theorem == words, f"the theorem is {theorem}, not {words}", NotCertified)
    counted = (certificate.count is None) is (claim.counts == "mistakes")
    require(counted, f"the theorem counts {claim.counts}", NotCertified)
    quiet = certificate.updated == () and certificate.marks == () and certificate.updates == certificate.rounds
    require(quiet and type(certificate.updates) is int, "every round teaches, and none is listed", NotCertified)


def _limit_error(certificate: Certificate, claim: AdviceClaim, advice: Advice) -> Fraction:
    """By how much a loss may be stated too large: 2^-30 of it, and 2^-40 of what each round may cost.

    A certificate without a version states what a run in floats can do to it at worst.
    """
    rounds = len(advice.rows)
    log = claim.cost.name == "Log"
    top = Fraction(1) if log else claim.cost.top
    if certificate.version is not None:
        return read_number(certificate.counted) / 2**30 + rounds * top / 2**40
    whole = not advice.sleepy and all(map(has_votes, advice.rows)) and all(y in (0, 1) for y in advice.truth)
    steepest = 8 * max(claim.rate or 2, Fraction(2)) * (745 if log else 1) * (rounds + 1)  # e^-745 is the least float
    loose = Fraction(1, 2**46) + Fraction(16 + steepest * (1 if whole else rounds), 2**53)
    loose *= 64 * rounds if advice.sleepy else 1
    return rounds * top * min(Fraction(1), loose)


def _replay(
    certificate: Certificate, claim: AdviceClaim, advice: Advice, coins: list[Fraction], digits: int
) -> ChargedGame:
    """Play the game again, and charge the witness."""
    path = _read_path(claim, certificate.witness, advice)
    reals = Enclosing(digits)
    if certificate.exact:
        return _count_exactly(certificate, claim, advice, coins, path[0], reals)
    played = play_enclosed(make_rule(claim), advice.rows, advice.truth, coins, digits + advice.sleepy)
    lost = _charge_witness(certificate, claim, advice, path, reals)
    asleep = played.asleep[path[0]] if advice.sleepy else reals.of(0)
    free = read_number(certificate.witness["charged asleep"])
    require(advice.sleepy > 0 or free == 0, "no expert slept, and none was charged for it", NotCertified)
    return ChargedGame(played, lost, asleep)


def _count_exactly(
    certificate: Certificate, claim: AdviceClaim, advice: Advice, coins: list[Fraction], best: int, reals: Enclosing
) -> ChargedGame:
    """Count votes again; numbers that are stated without error must be the numbers."""
    kinds = {"WeightedMajority": "majority", "FallbackHalving": "fallback",
             "FollowTheLeader": "random leader" if claim.draws else "leader",
             "RandomizedWeightedMajority": "draw"}  # fmt: skip
    countable = claim.name in kinds and all(map(has_votes, advice.rows))
    require(countable, "only votes with rational weights are counted exactly", NotCertified)
    rows = [[None if x is None else int(x) for x in row] for row in advice.rows]
    found = count_votes(VoteRule(kinds[claim.name], claim.penalty), rows, [int(y) for y in advice.truth], coins)
    count = certificate.count
    right = count is None or (type(count) is not float and count == found.total)
    require(right, f"the expected count is {found.total}", NotCertified)
    stated = [read_number(certificate.witness[key]) for key in ("losses", "charged asleep")]
    lost = Fraction(found.losses[best])
    asleep = Fraction(found.asleep[best])
    require(stated == [lost, asleep], f"the witness lost and shared {lost} and {asleep}, not {stated}", NotCertified)
    wrong = {t for t, y in enumerate(advice.truth) if found.guesses[t] != y}
    fewest = len(wrong - set(found.unsure))
    of = reals.of
    game = EnclosedGame(fewest, fewest + len(found.unsure), found.unsure, loss=of(found.total))
    return ChargedGame(game, of(lost), of(asleep))


def _charge_witness(
    certificate: Certificate, claim: AdviceClaim, advice: Advice, path: list[int], reals: Enclosing
) -> Interval:
    """What the witness lost; a fraction must be stated as such."""
    forecasts = [(row[k], y) for row, k, y in zip(advice.rows, path, advice.truth, strict=True)]
    pairs = [(x, y) for x, y in forecasts if x is not None]
    if claim.cost.name == "Log":
        return reals.total(claim.cost.enclose(reals.of(x), y) for x, y in pairs)
    exact = sum((claim.cost.price(x, y) for x, y in pairs), Fraction(0))
    stated = read_number(certificate.witness["losses"])
    require(stated == exact, f"the witness lost {float(exact):.12g}, not {float(stated):.12g}", NotCertified)
    return reals.of(exact)


def _read_path(claim: AdviceClaim, witness: dict[str, Any], advice: Advice) -> list[int]:
    """The expert that the witness follows in each round."""
    rounds = len(advice.rows)
    experts = advice.experts
    require(witness["experts"] == experts and type(witness["experts"]) is int, f"{experts} experts", NotCertified)
    keys = {"losses", "charged asleep", "experts", "error"}
    if claim.name != "FixedShare":
        require(set(witness) == keys | {"expert"}, "the witness is one expert", NotCertified)
        best = witness["expert"]
        require(type(best) is int and 0 <= best < experts, f"no expert is {best!r}", NotCertified)
        return [best] * rounds
    require(set(witness) == keys | {"schedule"}, "the witness is a schedule", NotCertified)
    schedule = [tuple(part) for part in witness["schedule"]]
    whole = all(len(part) == 2 and type(part[0]) is int and type(part[1]) is int for part in schedule)
    require(whole and bool(schedule) and schedule[0][0] == 0, "a schedule starts in round 0", NotCertified)
    firsts = [*(first for first, _ in schedule), rounds]
    rising = all(a < b for a, b in pairwise(firsts))
    known = all(0 <= k < experts for _, k in schedule) and all(a[1] != b[1] for a, b in pairwise(schedule))
    require(rising and known, "a schedule is experts that take turns", NotCertified)
    return [k for (first, k), after in zip(schedule, firsts[1:], strict=True) for _ in range(after - first)]


def _is_decided(
    certificate: Certificate, claim: AdviceClaim, advice: Advice, replay: ChargedGame, reals: Enclosing, last: bool
) -> bool:
    """Whether everything stated is so; False if more digits are needed to tell."""
    replay.game.check_mistakes(certificate.mistakes)
    most = enclose_bound(claim, advice, certificate.witness, replay.lost + replay.asleep, reals)
    bound = read_number(certificate.bound)
    given = "the bound that the theorem gives"
    checks: list[tuple[Interval, Fraction, Fraction | None, str]] = []
    error = read_number(certificate.witness["error"])
    old = certificate.version is None
    if isinstance(most, Fraction):
        require(most == bound or (old and most < bound), f"{given} is {most}, not {bound}", NotCertified)
    else:
        spread = None if old else 4 * error + (bound + len(advice.rows)) / 2**30
        checks.append((most, bound, spread, given))
    if not certificate.exact:
        stated = {"charged asleep": replay.asleep} if advice.sleepy else {}
        stated |= {"losses": replay.lost} if claim.cost.name == "Log" else {}
        checks += [(part, read_number(certificate.witness[key]), error, f"what the witness {key}")
                   for key, part in stated.items()]  # fmt: skip
        checks.append((replay.game.loss, read_number(certificate.count), error, "the loss"))
    for part, high, spread, what in checks:
        above = part.high <= reals.of(high).low
        below = spread is None or part.low >= reals.of(high - spread).high
        if above and below:
            continue
        hopeless = part.low > reals.of(high).high or (spread is not None and part.high < reals.of(high - spread).low)
        shown = f"between {part.low:.12g} and {part.high:.12g}"
        require(not hopeless and not last, f"{what} is {shown}, not {float(high):.12g}", NotCertified)
        return False
    return True


def enclose_bound(
    claim: AdviceClaim, advice: Advice, witness: Any, charge: Interval, reals: Enclosing
) -> Interval | Fraction:
    """What the theorem allows with this witness; exactly, where that is rational."""
    rounds = len(advice.rows)
    experts = advice.experts
    variety = reals.ln(experts)
    if claim.votes:
        return _bound_mistakes(claim, experts, charge, variety, reals)
    if claim.name == "Aggregating":
        return charge + variety / claim.cost.mixable
    top = claim.cost.top
    if claim.name == "AdaHedge":
        _require_best(claim, advice, witness["expert"])
        inside = charge * (top * rounds - charge).positive_part * variety / rounds
        return charge + 2 * reals.root(inside) + top * (variety * Fraction(16, 3) + 2)
    if claim.rate is None:
        return charge + top * reals.root(variety * rounds)
    depth = variety
    if claim.name == "FixedShare":
        switches = len(witness["schedule"]) - 1
        turns = reals.ln(1 / claim.switching)
        stays = reals.ln(1 / (1 - claim.switching))
        depth = (switches + 1) * variety + switches * turns + (rounds - 1 - switches) * stays
    return charge + top * (depth / claim.rate + claim.rate * rounds / 8)


def _bound_mistakes(
    claim: AdviceClaim, experts: int, charge: Interval, variety: Interval, reals: Enclosing
) -> Interval | Fraction:
    """What is allowed of votes: whole numbers where mistakes are counted."""
    whole = int(charge.low)
    if claim.name == "FollowTheLeader":
        mean = harmonic(experts) if claim.draws else Fraction(experts)
        return mean * whole + mean - 1
    hopeless = "a penalty of 0 promises nothing once every expert erred"
    require(claim.penalty > 0 or charge.high == 0, hopeless, NotCertified)
    if claim.name == "FallbackHalving":
        halved = Fraction(experts.bit_length() - 1)
        return halved if whole == 0 else halved + 1 + _bound_majority(experts, claim.penalty, whole - 1, reals)
    if claim.name == "WeightedMajority":
        if claim.penalty == 0:
            return Fraction(experts.bit_length() - 1)
        return _bound_majority(experts, claim.penalty, whole, reals)
    top = charge * reals.ln(1 / claim.penalty) + variety if claim.penalty else variety
    if claim.name == "RandomizedWeightedMajority":
        return top / (1 - claim.penalty)
    return top / (2 * reals.ln(2 / (1 + claim.penalty)))


def _bound_majority(experts: int, penalty: Fraction, marks: int, reals: Enclosing) -> Fraction:
    """The largest k with experts ((1 + penalty) / 2)^k >= penalty^marks: by logarithms, at a whole number by powers."""
    real = (marks * reals.ln(1 / penalty) + reals.ln(experts)) / reals.ln(2 / (1 + penalty))
    low = int(real.low)
    high = int(real.high)
    if low != high:
        high = high if experts * ((1 + penalty) / 2) ** high >= penalty**marks else low
    return Fraction(high)


def _require_best(claim: AdviceClaim, advice: Advice, best: int) -> None:
    """AdaHedge's bound is about the best expert and no other."""
    totals = [Fraction(0)] * advice.experts
    for row, y in zip(advice.rows, advice.truth, strict=True):
        for k, x in enumerate(row):
            totals[k] += claim.cost.price(x, y) if x is not None else 0
    require(totals[best] == min(totals), f"expert {best} is not the best one", NotCertified)
