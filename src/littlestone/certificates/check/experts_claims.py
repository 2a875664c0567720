"""What a certificate says of a learner from expert advice, and the rounds, as fractions.

Parameters are refused unless the learner's constructor takes them, rounds unless the learner does, and sleepers and
newcomers unless the theorem lets them be.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import read_fraction
from littlestone.base.labels import Labels, Numbers
from littlestone.certificates.check.experts_losses import BINARY, CheckedLoss, read_loss
from littlestone.certificates.check.experts_weights import WeightRule
from littlestone.certificates.check.integer_rows import read_rounds
from littlestone.certificates.digest import Digest, digest_advice
from littlestone.learners.experts.forecasts import Forecasts, to_matrix

SLEEPY = 1000  # rounds in which an expert may sleep, each of which may cost half a digit
VOTING = {"WeightedMajority", "FallbackHalving", "RandomizedWeightedMajority", "ImprovedMajority", "FollowTheLeader"}
COUNTED = {"WeightedMajority", "FallbackHalving", "FollowTheLeader"}  # whose votes are counted exactly
THEOREMS = {
    "WeightedMajority": "Weighted majority (Littlestone and Warmuth 1994)",
    "RandomizedWeightedMajority": "Randomized weighted majority (Littlestone and Warmuth 1994)",
    "ImprovedMajority": "Improved weighted majority (Cesa-Bianchi et al. 1997)",
    "FollowTheLeader": "Follow the leader",
    "FallbackHalving": "Halving, then weighted majority (after Littlestone and Warmuth 1994)",
    "Hedge": "Hedge (Freund and Schapire 1997)",
    "AdaHedge": "AdaHedge (de Rooij, van Erven, Grunwald and Koolen 2014)",
    "FixedShare": "Fixed share (Herbster and Warmuth 1998)",
    "Aggregating": "Aggregating algorithm (Vovk 1998)",
}


class Advice(NamedTuple):
    """The rounds: forecasts (None: asleep), outcomes, and whether the pool was the same from the first round on."""

    rows: list[list[Fraction | None]]
    truth: list[Fraction]
    digest: str
    steady: bool

    @property
    def experts(self) -> int:
        return len(self.rows[0])

    @property
    def sleepy(self) -> int:
        """In how many rounds an expert sleeps."""
        return sum(None in row for row in self.rows)


class AdviceClaim(NamedTuple):
    """What a certificate says of its learner, as numbers."""

    name: str
    cost: CheckedLoss
    penalty: Fraction
    rate: Fraction | None
    switching: Fraction
    shape: str
    draws: bool

    @property
    def tosses(self) -> bool:
        """Whether the learner tosses coins."""
        return self.draws or self.name in ("RandomizedWeightedMajority", "ImprovedMajority")

    @property
    def votes(self) -> bool:
        """Whether the learner guesses one of two classes."""
        return self.name in VOTING

    @property
    def counts(self) -> str:
        """What the theorem counts."""
        return ("expected mistakes" if self.tosses else "mistakes") if self.votes else "loss"


def read_claim(said: dict[str, Any], learner: Any) -> AdviceClaim:
    """The learner's parameters, refused unless they are what its constructor takes."""
    name = said["name"]
    require(name in THEOREMS, f"no theorem here covers {name}", NotCertified)
    cost = CheckedLoss("ZeroOne" if name in COUNTED else "Absolute", Fraction(0), Fraction(1))
    penalty = Fraction(0)
    rate = None
    switching = Fraction(0)
    shape = ""
    draws = False
    if name in VOTING - {"FollowTheLeader"}:
        penalty = read_number(said["penalty"])
        right = 0 <= penalty < 1 and (penalty > 0 or name != "FallbackHalving")
        require(right, f"no penalty is {penalty}", NotCertified)
        shape = said.get("shape", "straight")
        require(shape in ("linear", "vovk") or name != "ImprovedMajority", f"no curve is {shape!r}", NotCertified)
    elif name == "FollowTheLeader":
        draws = said["random"]
    else:
        own = getattr(learner, "loss", None)
        if own is not None and type(own).__name__ == "Custom":
            limits = (Fraction(float(own.low)), Fraction(float(own.high)))
            cost = CheckedLoss("Custom", *limits, own=own, most=Fraction(float(own.top)))
        else:
            cost = read_loss(said["loss"])
        draws = said.get("draws", False)
        require(name == "Aggregating" or draws or cost.convex, "an average needs a convex loss", NotCertified)
    if name in ("Hedge", "FixedShare") and said["rate"] is not None:
        rate = read_number(said["rate"])
        require(rate > 0, f"no rate is {rate}", NotCertified)
    if name == "FixedShare":
        switching = read_number(said["switching"])
        require(rate is not None and 0 < switching < 1, "no such fixed share", NotCertified)
    require(name != "Aggregating" or cost.mixable > 0, "the loss is not mixable", NotCertified)
    require(cost.name != "Log" or name == "Aggregating", "the loss has no bound", NotCertified)
    require(said.get("memory", 1) == 1, "no theorem is claimed for a memory below 1", NotCertified)
    require(type(draws) is bool, "draws is yes or no", NotCertified)
    return AdviceClaim(name, cost, penalty, rate, switching, shape, draws)


def make_rule(claim: AdviceClaim) -> WeightRule:
    """How the learner plays, for the enclosed game."""
    cost = claim.cost
    if claim.votes:
        require(claim.name not in COUNTED, "votes are counted exactly", NotCertified)
        schedule = "fixed" if claim.penalty else "perfect"
        return WeightRule("coin", schedule, cost, penalty=claim.penalty, shape=claim.shape)
    if claim.name == "Aggregating":
        if cost.name == "Log":
            return WeightRule("mean", "fixed", cost, Fraction(1))
        return WeightRule("mix", "fixed", cost, cost.mixable * cost.top)
    guess = "draw" if claim.draws else "mean"
    if claim.name == "AdaHedge":
        return WeightRule(guess, "adaptive", cost)
    if claim.name == "FixedShare":
        return WeightRule(guess, "share", cost, claim.rate or Fraction(0), switching=claim.switching)
    return WeightRule(guess, "fixed" if claim.rate else "anytime", cost, claim.rate or Fraction(0))


def read_advice(stream: Stream, features: Any, certificate: Certificate, claim: AdviceClaim, concepts: Any) -> Advice:
    """The first rounds of a stream, forecasts and outcomes as fractions."""
    reader, classes = (Forecasts(), (False, True)) if concepts is None else (concepts, concepts.labels)
    reader = features or reader
    labels = Labels(classes) if claim.votes else Numbers()
    cost = claim.cost
    rounds = certificate.rounds
    digest = Digest(certificate.version)
    rows = list[list[Fraction | None]]()
    truth = list[Fraction]()
    widths = list[int]()
    for seen in read_rounds(stream, reader.read_chunk, labels, rounds, 2):
        if concepts is None:
            if not isinstance(seen, Examples) or seen.importance is not None:
                raise NotCertified("the rounds are not rows of forecasts of equal importance")
            rows += [[None if x != x else Fraction(x) for x in row] for row in to_matrix(seen, 0).tolist()]
        else:
            asked = [[concepts.label(h, seen[t]) for h in range(concepts.size)] for t in range(len(seen))]
            rows += [[Fraction(int(vote)) for vote in row] for row in asked]
        truth += [Fraction(y) for y in np.asarray(seen.labels).tolist()]
        widths.append(len(rows[-1]))
        digest.add(seen)
    require(digest.rounds == rounds > 0, f"the stream has {digest.rounds} rounds, not {rounds}", NotCertified)
    experts = max(widths)
    rows = [[*row, *[None] * (experts - len(row))] for row in rows]
    for t, (row, y) in enumerate(zip(rows, truth, strict=True)):
        inside = all(x is None or cost.low <= x <= cost.high for x in row) and any(x is not None for x in row)
        inside = inside and (cost.low <= y <= cost.high or cost.name in BINARY)
        binary = cost.name not in BINARY or (y in (0, 1) and (not claim.votes or has_votes(row)))
        require(inside and binary, f"round {t} is one that the learner refuses", NotCertified)
    return Advice(rows, truth, digest_advice(digest, experts), widths[0] == experts)


def has_votes(row: list[Fraction | None]) -> bool:
    """Whether every forecast of a round is 0 or 1, but of those asleep."""
    return all(x is None or x in (0, 1) for x in row)


def require_covered(claim: AdviceClaim, advice: Advice) -> None:
    """Refuse rounds in which experts sleep, or join, as the theorem does not let them."""
    asleep = advice.sleepy > 0 or not advice.steady
    name = claim.name
    anytime = name == "Hedge" and claim.rate is None
    strict = name in ("AdaHedge", "FixedShare") or (name == "FollowTheLeader" and claim.draws)
    strict = strict or (name in ("RandomizedWeightedMajority", "ImprovedMajority") and claim.penalty == 0)
    require(not (strict and asleep), f"the theorem of {name} is for experts that never sleep", NotCertified)
    require(
        not anytime or advice.steady, "the anytime rate must fall: its theorem lets no expert join late", NotCertified
    )
    require(claim.name in COUNTED or advice.sleepy <= SLEEPY,
            f"experts sleep in {advice.sleepy} rounds: charges are enclosed over {SLEEPY}", NotCertified)  # fmt: skip
    averaged = name in ("Hedge", "AdaHedge", "FixedShare") and not claim.draws and claim.cost.own is not None
    require(
        not averaged, "the loss of a mean forecast by a function of the user's own cannot be enclosed", NotCertified
    )


def read_number(value: Any) -> Fraction:
    """A number as a certificate holds it, or as JSON writes it."""
    if isinstance(value, str):
        return read_fraction(value)
    require(type(value) in (int, float, Fraction), f"{value!r} is not a number", NotCertified)
    return Fraction(value)
