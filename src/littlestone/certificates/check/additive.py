"""Certificates of additive learners, checked: the Perceptron and its kin, and learners whose rule a caller tells.

Every decision is made again from the list of update rounds: exactly, where steps are whole multiples of rows, and in
floats elsewhere, unless the run was played again bit for bit before. The witness is measured in fractions, and the
theorem is asked whether one more than the bound is impossible.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.additive_exact import (
    AdditiveReplay,
    ExactWeights,
    ReplayedStep,
    follow_exactly,
    replay_exactly,
)
from littlestone.certificates.check.additive_floats import replay_in_floats
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.integer_rows import ColumnChunk, StreamFacts, cut_at_updates, open_stream
from littlestone.certificates.check.known_rules import RULES
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.rules import AdditiveClaim, CheckedRule, CheckedTheorem, WitnessFacts
from littlestone.certificates.check.same_run import replay_run

VECTOR = ("margin", "exponent", "attributes", "numerators")
BESIDES = {"name", "real", "classes", "mixing", "seed"}  # what a description says besides the learner's parameters


def check_additive(
    certificate: Certificate, stream: Stream, features: Any, rules: Sequence[CheckedRule] = ()
) -> Report:
    """Check a certificate of an additive learner; `rules` are those that the library does not know."""
    claim = read_claim(certificate.learner, rules)
    again, facts = open_stream(certificate, stream, features, claim.bias, claim.limit)
    updated = certificate.updated
    marks = certificate.marks
    fits = len(marks) == len(updated) * claim.marked and all(mark >= 1 for mark in marks)
    require(fits, "marks do not fit the update rounds", NotCertified)
    classes = max(2, len(again.declared))
    still = 0
    if claim.rule.exact:
        weights = ExactWeights(claim, facts, classes)
        run = replay_run(certificate, stream, features) if weights.room < 0 else None
        if run is not None:
            replay = follow_exactly(again.read(), weights, run)
        else:
            replay = replay_exactly(again.read(), weights, updated, marks)
            run = replay_run(certificate, stream, features)
    elif (run := replay_run(certificate, stream, features)) is not None:
        replay = _list_steps(again.read(), claim, facts, run)
        still = run.idle
    else:
        replay, still = replay_in_floats(again.read(), claim, facts, classes, updated, marks)
    _check_counts(certificate, claim, replay)
    still += max(0, facts.classes - classes) if claim.network else 0  # a new class may cost a mistake, whatever it did
    steps = sum(step.copies for step in replay.steps)
    check_bound(certificate, claim, measure_witness(certificate, claim, replay, facts), steps, still)
    if "everywhere" in certificate.witness:
        _check_losses(certificate.witness, claim, again.read())
    return replace(accept(certificate, replay.differing, replay.possible), replayed=run is not None)


def _list_steps(
    chunks: Iterable[ColumnChunk], claim: AdditiveClaim, facts: StreamFacts, run: FloatRun
) -> AdditiveReplay:
    """The steps of a run whose decisions are known."""
    replay = AdditiveReplay(run.mistakes, run.mistakes)
    rivals = iter(mark - 1 if claim.network else -1 for mark in run.marks)
    for part in cut_at_updates(chunks, run.updated):
        if part.update is not None:
            row = part.row(len(part.codes) - 1, facts.bits)
            code = int(part.codes[-1])
            replay.steps.append(ReplayedStep(*row, code, next(rivals), 1))
    return replay


def knows(name: str, rules: Sequence[CheckedRule]) -> bool:
    """Whether a learner of this name is checked here."""
    return name == "Network" or any(rule.learner == name for rule in (*RULES, *rules))


def read_claim(about: Mapping[str, Any], rules: Sequence[CheckedRule] = (), network: bool = False) -> AdditiveClaim:
    """The learner of a description, refused unless a rule covers it and its constructor takes its parameters."""
    name = about["name"]
    if name == "Network":
        require(about["updates"] == "winner" and not network, "only winners have a theorem here", NotCertified)
        claim = read_claim({**about["learner"], "real": about["real"]}, rules, network=True)
        require(claim.rule.network, "no theorem covers such units", NotCertified)
        return claim
    require(about["real"] in ("float32", "float64"), f"no floats are {about['real']!r}", NotCertified)
    known = [rule for rule in RULES if rule.learner == name] or [rule for rule in rules if rule.learner == name]
    require(bool(known), f"no rule is known of {name}", NotCertified)
    unknown = set(about) - BESIDES - set(known[0].parameters)
    require(not unknown, f"no {name} has {', '.join(sorted(unknown))}", NotCertified)
    known = [rule for rule in known if rule.admits(about)]
    require(bool(known), f"no learner has parameters {about}", NotCertified)
    rule = known[0]
    real = np.float32 if about["real"] == "float32" else np.float64
    parameters: dict[str, Any] = {key: about.get(key) for key in rule.parameters}
    rounded = ("bias", "rate") if rule.rounds_rate else ("bias",)
    parameters |= {key: float(real(parameters[key])) for key in rounded if key in parameters}
    require(parameters.get("rate", 1.0) > 0.0, f"no learner has parameters {about}", NotCertified)
    return AdditiveClaim(rule, parameters, network, 24 if about["real"] == "float32" else 53)


def _check_counts(certificate: Certificate, claim: AdditiveClaim, replay: AdditiveReplay) -> None:
    """Refuse counts that are not those of the replay, and words that are not those of the rule."""
    updates = len(certificate.updated)
    rule = claim.rule
    require(certificate.updates == updates, f"{updates} updates are listed, not {certificate.updates}", NotCertified)
    replay.check_mistakes(certificate.mistakes)
    count = sum(step.copies for step in replay.steps) if rule.counts == "steps" else None
    same = (certificate.counts, certificate.count) == (rule.counts, count) and type(certificate.count) is type(count)
    require(same, f"the theorem counts {rule.counts}", NotCertified)
    require(certificate.scope == "sequence", f"its scope is the sequence, not {certificate.scope}", NotCertified)
    require(certificate.exact is rule.exact, f"exact must be {rule.exact}", NotCertified)


def measure_witness(
    certificate: Certificate, claim: AdditiveClaim, replay: AdditiveReplay, facts: StreamFacts
) -> WitnessFacts:
    """Measure the witness on every step in whole numbers; of unit rows, rounded towards a larger bound."""
    witness = certificate.witness
    power = certificate.witness["exponent"]
    whole = "mixing" not in certificate.learner and certificate.learner.get("updates") != "each"  # one run, one witness
    further = ["unexplained", *["everywhere"] * whole, *["classes"] * claim.network]
    require_words(witness, VECTOR, further)
    attributes = witness["attributes"]
    numerators = witness["numerators"]
    blocks = witness.get("classes", [0] * len(attributes))
    entries = list(zip(blocks, attributes, strict=True))
    whole = all(type(number) is int for part in (blocks, attributes, numerators, [power]) for number in part)
    require(whole and abs(power) < 3000 and type(witness["margin"]) is float, "malformed witness", NotCertified)
    require(len(set(entries)) == len(entries), "the witness has an entry twice", NotCertified)
    u = {(block, attribute + 1): k for (block, attribute), k in zip(entries, numerators, strict=True)}
    fine = Fraction(2) ** power / (1 << facts.bits)  # the unit of u.z
    margin = Fraction(witness["margin"])
    shortfall = Fraction(0)
    squares = Fraction(0)
    longest = 0
    shortest = 0
    most = 0
    weights = dict[tuple[int, int], int]()
    for columns, values, code, rival, copies in replay.steps:
        signs = ((code, 1), (rival, -1)) if claim.network else ((0, 1 if code else -1),)
        z = [(block, j, sign * v) for block, sign in signs for j, v in zip(columns, values, strict=True)]
        product = sum(u.get((block, j), 0) * v for block, j, v in z)
        square = sum(v * v for _, _, v in z)
        short = margin - fine * product
        if claim.rule.normalized:
            require(square > 0, "a row without attributes cannot teach", NotCertified)
            short = margin - divide_down(fine * product * (1 << facts.bits), square)
        if short > 0:
            shortfall = shortfall + copies * short
            squares = squares + copies * short**2
        longest = max(longest, square)
        shortest = min(shortest or square, square)
        most = max(most, len(z))
        for block, j, v in z:
            weights[block, j] = weights.get((block, j), 0) + copies * v
    _check_share(witness, shortfall, margin * sum(step.copies for step in replay.steps))
    unit = Fraction(1, 1 << 2 * facts.bits)
    norm = Fraction(4) ** power * sum(k * k for k in numerators)
    length = unit * sum(k * k for k in weights.values())
    lengths = (unit * longest, unit * shortest)
    return WitnessFacts(norm, *lengths, margin, shortfall, squares, length, replay.excess, most)


def _check_share(witness: Mapping[str, Any], shortfall: Fraction, most: Fraction) -> None:
    """Refuse another share of what the comparator leaves unexplained than its losses by those of the zero vector."""
    if "unexplained" in witness:
        claimed = witness["unexplained"]
        true = float(shortfall / most) if most > 0 else 0.0
        same = type(claimed) is float and abs(claimed - true) <= 1e-6 * max(true, 1.0)
        require(same, f"the comparator leaves {true:.6g} unexplained, not {claimed!r}", NotCertified)


def _check_losses(witness: Mapping[str, Any], claim: AdditiveClaim, chunks: Iterable[ColumnChunk]) -> None:
    """Refuse another loss of the comparator over all rounds, in units of its margin, than floats find here."""
    require(not claim.network, "losses over all rounds are known of two classes", NotCertified)
    margin = float(witness["margin"])
    true = 0.0
    places = np.array(witness["attributes"], np.int64) + 1
    u = np.zeros(int(places.max(initial=0)) + 2)  # the last one stands for attributes that the comparator lacks
    u[places] = np.array(witness["numerators"], float) * 2.0 ** witness["exponent"]
    for chunk in chunks:
        rows = np.repeat(np.arange(len(chunk.codes)), np.diff(chunk.indptr))
        terms = u[np.minimum(chunk.columns, len(u) - 1)] * chunk.values
        agreements: Array = np.bincount(rows, terms, len(chunk.codes))
        agreements[chunk.codes == 0] *= -1
        if claim.rule.normalized:
            lengths = np.sqrt(np.bincount(rows, chunk.values * chunk.values, len(chunk.codes)))
            agreements[lengths > 0] /= lengths[lengths > 0]
        true += float(np.clip(margin - agreements, 0, None).sum()) / margin
    claimed = witness["everywhere"]
    same = type(claimed) is float and abs(claimed - true) <= 1e-6 * max(true, 1.0)
    require(same, f"the comparator loses {true:.6g} over all rounds, not {claimed!r}", NotCertified)


def divide_down(product: Fraction, square: int) -> Fraction:
    """A fraction no more than product / sqrt(square)."""
    root = Fraction(isqrt(product.numerator**2 * 4**64 // (product.denominator**2 * square)), 2**64)
    return root if product >= 0 else -root - Fraction(1, 2**64)


def check_bound(
    certificate: Certificate, claim: AdditiveClaim, witness: WitnessFacts, steps: int, still: int = 0
) -> None:
    """Refuse a bound unless a theorem of the rule, in its own words, makes one more than it impossible, and no fewer.

    `still` mistakes moved nothing, or were of new classes: no theorem about mistakes that move the weights bounds them.
    """
    bound = certificate.bound
    name = certificate.theorem
    if type(bound) is not int or bound < 0:
        raise NotCertified(f"the bound must be a whole number, got {bound!r}")
    theorem = find_theorem(claim.rule.theorems, name, witness)
    require(certificate.promise == theorem.promise, f"its promise is: {theorem.promise}", NotCertified)
    more = bound + 1 - (still if claim.rule.counts == "mistakes" else 0)
    impossible = theorem.impossible(witness, more, claim.parameters)
    require(impossible, f"the witness does not give {bound}", NotCertified)
    if certificate.version is not None and more > 1:
        loose = theorem.impossible(witness.loosen(steps, claim.rule.normalized), more - 1, claim.parameters)
        require(not loose, f"the witness gives less than {bound}", NotCertified)


def find_theorem(theorems: Sequence[CheckedTheorem], name: str, witness: WitnessFacts) -> CheckedTheorem:
    """The theorem of a name, refused if the witness does not show what it supposes."""
    require(witness.margin > 0, "the margin must be positive", NotCertified)
    found = [theorem for theorem in theorems if theorem.name == name]
    require(bool(found), f"no theorem here is called {name!r}", NotCertified)
    shown = not found[0].clean or witness.shortfall == 0
    require(shown, "the witness lacks the margin on an update round", NotCertified)
    return found[0]
