"""Advised: certificates of learners from expert advice, checked from the stream alone.

Votes with rational penalties are counted again exactly; logarithms and exponentials are enclosed between decimals. The
witness, an expert or a schedule of experts, is charged again; then the theorem must give no more than the bound, and
the learner's loss must be no more than what is stated, and no less by more than the stated error.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from littlestone.base.bound import Certificate
from littlestone.base.coins import coin
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.certificates.check.experts_bounds import allowed
from littlestone.certificates.check.experts_claims import (
    THEOREMS,
    VOTING,
    Advice,
    Claim,
    claim_of,
    rational,
    read,
    rule_of,
    suits,
    votes,
)
from littlestone.certificates.check.experts_votes import Vote, ballots
from littlestone.certificates.check.experts_weights import enclosed
from littlestone.certificates.check.intervals import ZERO, Enclosing, Interval
from littlestone.learners.conversions.pool import Pool
from littlestone.learners.experts.contract import COMPARED, SCHEDULED

DIGITS = (40, 80, 160, 320, 640, 1280)


class Counted(NamedTuple):
    """What the rounds show: the loss, the witness's loss and charge asleep, mistakes, and rounds coins leave open."""

    loss: Interval
    lost: Interval  # by the witness
    asleep: Interval
    fewest: int
    most: int
    unsure: list[int]


def advised(certificate: Certificate, stream: Stream, learner: Learner | None, features: Any) -> tuple[Any, ...]:
    """What a report says, or NotCertified."""
    said = dict(certificate.learner)
    seed = said.pop("seed", 0)
    require(type(seed) is int, "a seed is a whole number", NotCertified)
    if learner is not None:
        require(said == describe(learner), f"the certificate is about {said}, not {describe(learner)}", NotCertified)
    concepts = None
    if said["name"] == "Pool":
        if not isinstance(learner, Pool):
            raise NotCertified("to check a certificate of a Pool, pass the learner")
        concepts, said, learner = learner.concepts, said["learner"], learner.learner
    claim = claim_of(said, learner)
    voting = claim.name in VOTING
    require(concepts is None or voting, "concepts vote", NotCertified)
    advice = read(stream, features, certificate.rounds, voting, claim.cost, concepts)
    require(advice.digest == certificate.stream, "the rounds are not those of the certificate", NotCertified)
    _words(certificate, claim)
    error = rational(certificate.witness["error"])
    require(error >= 0 and (error == 0) is certificate.exact, "exact means without error", NotCertified)
    suits(claim, advice)
    coins = [Fraction(coin(seed & (2**63 - 1), t) >> 11, 2**53) for t in range(certificate.rounds)]
    last = len(DIGITS) - 1
    for place, digits in enumerate(DIGITS):
        reals = Enclosing(digits)
        try:
            counted = _counted(certificate, claim, advice, coins, reals, digits)
            decided = _judge(certificate, claim, advice, counted, reals, error, place == last)
        except NotCertified as problem:
            if place < last and "cannot be told from 0" in str(problem):
                continue
            raise
        if decided:
            break
    number = certificate.counted
    require(number <= certificate.bound, f"{number} exceeds the bound {certificate.bound}", NotCertified)
    names = (certificate.theorem, certificate.counts, number, certificate.bound)
    return (*names, certificate.rounds, certificate.exact, tuple(counted.unsure))


def _words(certificate: Certificate, claim: Claim) -> None:
    """What is claimed must be what the theorem says."""
    counts = {"WeightedMajority": "mistakes", "FollowTheLeader": "expected mistakes" if claim.draws else "mistakes"}
    kind = counts.get(claim.name, "expected mistakes" if claim.name in VOTING else "loss")
    scope = "expectation" if claim.tosses else "sequence"
    promise = SCHEDULED if claim.name == "FixedShare" else COMPARED
    told = (THEOREMS[claim.name], promise, kind, scope)
    heard = (certificate.theorem, certificate.promise, certificate.counts, certificate.scope)
    require(told == heard, f"the theorem is {told}, not {heard}", NotCertified)
    require((certificate.count is None) is (kind == "mistakes"), f"the theorem counts {kind}", NotCertified)
    quiet = certificate.updated == () and certificate.marks == () and certificate.updates == certificate.rounds
    require(quiet and type(certificate.updates) is int, "every round teaches, and none is listed", NotCertified)


def _counted(
    certificate: Certificate, claim: Claim, advice: Advice, coins: list[Fraction], reals: Enclosing, digits: int
) -> Counted:
    """The game played again, and the witness charged."""
    witness = certificate.witness
    path = _path(claim, witness, advice)
    if certificate.exact:
        kinds = {"WeightedMajority": "majority", "FollowTheLeader": "random leader" if claim.draws else "leader"}
        kind = kinds.get(claim.name, "draw")
        countable = claim.name in (*kinds, "RandomizedWeightedMajority") and all(map(votes, advice.rows))
        require(countable, "only votes with rational weights are counted exactly", NotCertified)
        rows = [[None if x is None else int(x) for x in row] for row in advice.rows]
        found = ballots(Vote(kind, claim.penalty), rows, [int(y) for y in advice.truth], coins)
        wrong = sum(guess != y for guess, y in zip(found.guesses, advice.truth, strict=True))
        loss, open_ = reals.of(found.total), len(found.unsure)
        _exactly(certificate, found.total if certificate.count is not None else None, path[0], found)
        parts = (reals.of(found.losses[path[0]]), reals.of(found.asleep[path[0]]))
        missed = sum(found.guesses[t] != advice.truth[t] for t in found.unsure)
        return Counted(loss, *parts, wrong - missed, wrong - missed + open_, found.unsure)
    rule = rule_of(claim)
    played = enclosed(rule, advice.rows, advice.truth, coins, digits + advice.sleepy)
    lost = _lost(certificate, claim, advice, path, reals)
    asleep = played.asleep[path[0]] if advice.sleepy else ZERO
    free = rational(certificate.witness["charged asleep"])
    require(advice.sleepy > 0 or free == 0, "nobody slept, and nobody was charged for it", NotCertified)
    return Counted(played.loss, lost, asleep, played.fewest, played.most, played.unsure)


def _lost(certificate: Certificate, claim: Claim, advice: Advice, path: list[int], reals: Enclosing) -> Interval:
    """What the witness lost; a fraction must be stated as such."""
    pairs = [(row[k], y) for row, k, y in zip(advice.rows, path, advice.truth, strict=True)]
    if claim.cost.name == "Log":
        return reals.total(claim.cost.enclosed(reals, reals.of(x), y) for x, y in pairs if x is not None)
    exact = sum((claim.cost.of(x, y) for x, y in pairs if x is not None), Fraction(0))
    told = rational(certificate.witness["losses"])
    require(told == exact, f"the witness lost {float(exact):.12g}, not {float(told):.12g}", NotCertified)
    return reals.of(exact)


def _exactly(certificate: Certificate, count: Fraction | None, best: int, found: Any) -> None:
    """Numbers that are stated without error must be the numbers."""
    witness = certificate.witness
    require(count is None or certificate.count == count, f"the expected count is {count}", NotCertified)
    told = (rational(witness["losses"]), rational(witness["charged asleep"]))
    here = (found.losses[best], found.asleep[best])
    require(told == here, f"the witness lost and shared {here}, not {told}", NotCertified)


def _path(claim: Claim, witness: dict[str, Any], advice: Advice) -> list[int]:
    """The expert that the witness follows in each round."""
    rounds, experts = len(advice.rows), advice.experts
    require(witness["experts"] == experts and type(witness["experts"]) is int, f"{experts} experts", NotCertified)
    keys = {"expert", "losses", "charged asleep", "experts", "error"}
    if claim.name != "FixedShare":
        require(set(witness) == keys, "the witness is one expert", NotCertified)
        best = witness["expert"]
        require(type(best) is int and 0 <= best < experts, f"no expert is {best!r}", NotCertified)
        return [best] * rounds
    require(set(witness) == (keys - {"expert"}) | {"schedule"}, "the witness is a schedule", NotCertified)
    schedule = [tuple(part) for part in witness["schedule"]]
    whole = all(len(part) == 2 and type(part[0]) is int and type(part[1]) is int for part in schedule)
    require(whole and bool(schedule) and schedule[0][0] == 0, "a schedule starts in round 0", NotCertified)
    firsts = [first for first, _ in schedule]
    rising = all(a < b for a, b in zip(firsts, [*firsts[1:], rounds], strict=True))
    known = all(0 <= k < experts for _, k in schedule)
    turns = all(a[1] != b[1] for a, b in pairwise(schedule))
    require(rising and known and turns, "a schedule is experts that take turns", NotCertified)
    path: list[int] = []
    for (first, k), after in zip(schedule, [*firsts[1:], rounds], strict=True):
        path += [k] * (after - first)
    return path


def _judge(
    certificate: Certificate, claim: Claim, advice: Advice, counted: Counted, reals: Enclosing, error: Fraction,
    last: bool,
) -> bool:  # fmt: skip
    """Whether everything stated is so; False if more digits are needed to tell."""
    require(type(certificate.mistakes) is int, "mistakes are counted", NotCertified)
    right = counted.fewest <= certificate.mistakes <= counted.most
    between = str(counted.fewest) if counted.fewest == counted.most else f"{counted.fewest} to {counted.most}"
    require(right, f"the run makes {between} mistakes, not {certificate.mistakes}", NotCertified)
    most = allowed(claim, advice, certificate.witness, reals.add(counted.lost, counted.asleep), reals)
    bound, given = rational(certificate.bound), "the bound that the theorem gives"
    checks: list[tuple[Interval, Fraction, Fraction | None, str]] = []
    if isinstance(most, Fraction):
        require(most <= bound, f"{given} is {most}, not {bound}", NotCertified)
    else:
        checks.append((most, bound, None, given))
    if not certificate.exact:
        stated = {"charged asleep": counted.asleep} if advice.sleepy else {}
        stated |= {"losses": counted.lost} if claim.cost.name == "Log" else {}
        checks += [(part, rational(certificate.witness[key]), error, f"what the witness {key}")
                   for key, part in stated.items()]  # fmt: skip
        checks.append((counted.loss, rational(certificate.count), error, "the loss"))
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
