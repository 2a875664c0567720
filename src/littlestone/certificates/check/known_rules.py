"""The additive learners of the library, as the checker knows them from their papers.

With steps along z_1, z_2, ... in units of the rate, any u and g > 0, and shortfalls (g - u.z)+, m steps give

    m g - (sum of shortfalls) <= u.w <= |u| |w|,       |w|^2 <= m reach + excess,

where `reach` is the largest |z|^2 + 2 margin / rate; the theorems of the Perceptron follow from these two lines. Those
of passive-aggressive learners follow from how much every mistake lowers |w - u|^2 at least.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor, inf, sqrt
from typing import Any

from littlestone.base.coins import draw_bits
from littlestone.base.errors import NotCertified, require
from littlestone.base.exact_numbers import round_root_up
from littlestone.certificates.check.rules import (
    CLEAN,
    CheckedRule,
    CheckedStep,
    CheckedTheorem,
    Parameters,
    UpdateFacts,
    WitnessFacts,
    is_at_least,
    is_between,
    is_one_of,
)

Count = Fraction | int
Reach = Callable[[WitnessFacts, Parameters], Fraction]
ANY = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"
LOSSES = "any comparator u, its losses (k - u.z)+"


def _exceeds_novikoff(f: WitnessFacts, m: Count, reach: Fraction) -> bool:
    """m g > |u| sqrt(m reach + excess)"""
    return (m * f.margin) ** 2 > f.norm * (reach * m + f.excess)


def _exceeds_hinge(f: WitnessFacts, m: Count, reach: Fraction) -> bool:
    """m g - D > |u| sqrt(m reach + excess), D the sum of the shortfalls"""
    rest = m * f.margin - f.shortfall
    return rest > 0 and rest**2 > f.norm * (reach * m + f.excess)


def _exceeds_run(f: WitnessFacts, m: Count, reach: Fraction) -> bool:
    """m g - D > |u| |w|"""
    rest = m * f.margin - f.shortfall
    return rest > 0 and rest**2 > f.norm * f.length


def _exceeds_deviation(f: WitnessFacts, m: Count, reach: Fraction) -> bool:
    """m > r^2 + 2 D / g with r^2 = |u|^2 (reach + excess) / g^2"""
    return m > (f.norm * (reach + f.excess) / f.margin + 2 * f.shortfall) / f.margin


def _exceeds_readable(f: WitnessFacts, m: Count, reach: Fraction) -> bool:
    """m > L + r sqrt(L) + r^2 with L = D / g"""
    ratio = f.norm * (reach + f.excess) / f.margin**2
    loss = f.shortfall / f.margin
    rest = m - loss - ratio
    return rest > 0 and rest**2 > ratio * loss


def _exceeds_squared(f: WitnessFacts, m: Count, reach: Fraction) -> bool:
    """m > (r + D2 / g)^2, D2^2 the sum of the squared shortfalls"""
    ratio = f.norm * (reach + f.excess) / f.margin**2
    square = f.squares / f.margin**2
    rest = m - ratio - square
    return rest > 0 and rest**2 > 4 * ratio * square


RUN = "Perceptron, run-dependent"
PERCEPTRON = (
    ("Perceptron (Novikoff 1962)", CLEAN, _exceeds_novikoff),
    ("Perceptron, hinge loss", ANY, _exceeds_hinge),
    ("Perceptron, squared deviation (Freund and Schapire 1999)", ANY.replace("summed", "squared and summed"),
     _exceeds_squared),
    (RUN, f"{ANY}, and the length of the final weights", _exceeds_run),
    ("Perceptron, hinge loss, readable form", ANY, _exceeds_readable),
    ("Perceptron, total deviation", ANY, _exceeds_deviation),
)  # fmt: skip


def _ask(exceeds: Callable[..., bool], reach: Reach, f: WitnessFacts, m: Count, parameters: Parameters) -> bool:
    return exceeds(f, m, reach(f, parameters))


def _divide_margin(parameters: Parameters) -> Fraction:
    """The margin in units of the rate."""
    return Fraction(parameters.get("margin", 0)) / Fraction(parameters.get("rate", 1))


def _reach_plainly(f: WitnessFacts, parameters: Parameters) -> Fraction:
    return f.longest + 2 * _divide_margin(parameters)


def _reach_normalized(f: WitnessFacts, parameters: Parameters) -> Fraction:
    """Of z = y x / |x|, whose agreement was at most margin / |x|."""
    more = 2 * _divide_margin(parameters) * round_root_up(1 / f.shortest) if f.shortest else Fraction(0)
    return 1 + more


def _list_theorems(reach: Reach) -> tuple[CheckedTheorem, ...]:
    return tuple(
        CheckedTheorem(name, promise, partial(_ask, exceeds, reach), promise == CLEAN)
        for name, promise, exceeds in PERCEPTRON
    )


THEOREMS = _list_theorems(_reach_plainly)
LENGTH_UNKNOWN = tuple(theorem for theorem in THEOREMS if theorem.name != RUN)  # where |w| is not known exactly
NORMALIZED = tuple(theorem for theorem in _list_theorems(_reach_normalized) if theorem.name != RUN)


def _add_row(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    return CheckedStep(1)


def _add_unit_row(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    return CheckedStep(parameters["rate"] / sqrt(seen.square))


def _add_rows_until_right(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    """The fewest copies that make the agreement positive."""
    return CheckedStep(floor(-seen.agreement / seen.square) + 1)


def _use_margin(seen: UpdateFacts, parameters: Parameters) -> float:
    return float(parameters["margin"])


def _reach_margin(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    """As far as it takes to reach the margin, but not farther than C, or damped by it."""
    loss = parameters["margin"] - seen.agreement
    aggressiveness = parameters["aggressiveness"]
    if parameters["variant"] == "I":
        return CheckedStep(min(aggressiveness, loss / seen.square))
    return CheckedStep(loss / (seen.square + (0.5 / aggressiveness if parameters["variant"] == "II" else 0.0)))


def _exceeds_passive(f: WitnessFacts, m: Count, parameters: Parameters) -> bool:
    """Whether m mistakes would lower |w - u|^2, each by at least so much, from |u|^2 to less than what losses add."""
    k = Fraction(parameters["margin"])
    C = Fraction(parameters["aggressiveness"])
    variant = parameters["variant"]
    require(f.margin == k, "losses are at the learner's own margin", NotCertified)
    if variant == "0":
        return f.longest == 0 or m * k**2 / f.longest > f.norm
    if variant == "I":
        least = min(C * k, k**2 / f.longest) if f.longest else C * k
        return m * least > f.norm + 2 * C * f.shortfall
    return m * k**2 / (f.longest + 1 / (2 * C)) > f.norm + 2 * C * f.squares


def _ask_alma(parameters: Parameters) -> float:
    """(1 - alpha) B."""
    alpha = parameters["alpha"]
    margin = parameters["margin"]
    return float((1 - alpha) * (sqrt(8) / alpha if margin is None else margin))


def _use_falling_margin(seen: UpdateFacts, parameters: Parameters) -> float:
    """Before update k a round teaches up to y w.x = |x| (1 - alpha) B / sqrt(k)."""
    return _ask_alma(parameters) * sqrt(seen.square) / sqrt(seen.updates + 1)


def _add_shorter_rows(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    """Update k adds C / sqrt(k) y x / |x|, and cuts the weights to the unit ball."""
    return CheckedStep(parameters["rate"] / sqrt(seen.square * (seen.updates + 1)), cap=1.0)


def _exceeds_alma(f: WitnessFacts, m: Count, parameters: Parameters) -> bool:
    """m > A + ((A + 1) |u| / (2 C g))^2 with A = C^2 + 2 (1 - alpha) B C, at least 1"""
    C = Fraction(parameters["rate"])
    A = max(C**2 + 2 * Fraction(_ask_alma(parameters)) * C, Fraction(1))
    return m > A and 4 * (C * f.margin) ** 2 * (m - A) > (A + 1) ** 2 * f.norm


def _exceeds_alma_hinge(f: WitnessFacts, m: Count, parameters: Parameters) -> bool:
    """C (m g - D) > |u| sqrt(A (A m + 1)), A at least 2"""
    C = Fraction(parameters["rate"])
    rest = m * f.margin - f.shortfall
    A = max(C**2 + 2 * Fraction(_ask_alma(parameters)) * C, Fraction(2))
    return rest > 0 and (C * rest) ** 2 > f.norm * A * (A * m + 1)


def _use_one(seen: UpdateFacts, parameters: Parameters) -> float:
    return 1.0


def _relax(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    """The shortest v with y v.x >= 1 and v.w >= |w|^2; without one, or if it is too long, y x / |x|^2."""
    agreement, square, length, _ = seen
    product = square * length
    rest = product - agreement**2
    if product <= agreement or product * (product - 2 * agreement + 1) > 2.0**40 * rest:
        return CheckedStep(1 / square, shrink=0.0)
    return CheckedStep(length * (1 - agreement) / rest, (product - agreement) / rest)


def _exceeds_romma(f: WitnessFacts, m: Count, parameters: Parameters) -> bool:
    """m > R^2 |u|^2 / g^2: each raises |w|^2 by 1 / R^2, and |w| g <= |u|."""
    return m * f.margin**2 > f.longest * f.norm


def _forget(seen: UpdateFacts, parameters: Parameters) -> CheckedStep:
    """Update k keeps k / (s + k) of the weights and adds s / (s + k) of y x."""
    number = seen.updates + 1.0
    shift = float(parameters["shift"])
    return CheckedStep(shift / (shift + number), number / (shift + number))


def _exceeds_shifting(f: WitnessFacts, m: Count, parameters: Parameters) -> bool:
    """m g - s D > s R |u| sqrt(h), h the smaller of m and (m + s)^(2s-1) / ((2s - 1) (m + s - 1)^(2s-2))"""
    s = parameters["shift"]
    rest = m * f.margin - s * f.shortfall
    if rest <= 0:
        return False
    h = min(Fraction(m), Fraction(m + s) ** (2 * s - 1) / ((2 * s - 1) * Fraction(m + s - 1) ** (2 * s - 2)))
    return bool(rest**2 > s**2 * f.norm * (f.longest + f.excess) * h)


LINEAR = {"bias": is_at_least(0), "tie": is_one_of("strict", "plus", "minus")}
POSITIVE = is_between(0, inf)


def _list_perceptrons(name: str) -> tuple[CheckedRule, ...]:
    """The rule that adds rows, and the one that adds rows of length 1."""
    known = {"rate": POSITIVE, "margin": is_at_least(0)} | LINEAR
    plain = known | {"normalized": is_one_of(False, None)}
    unit = known | {"normalized": is_one_of(True)}
    rule = CheckedRule(name, _add_row, THEOREMS, plain, _use_margin, exact=True, network=True, rounds_rate=True)
    more: dict[str, Any] = {
        "step": _add_unit_row,
        "theorems": NORMALIZED,
        "parameters": unit,
        "exact": False,
        "normalized": True,
    }
    return rule, replace(rule, **more)


def _list_passive_aggressive(variant: str, promise: str) -> CheckedRule:
    name = f"Passive-aggressive {variant} (Crammer and others 2006)"
    theorem = CheckedTheorem(name, promise, _exceeds_passive, clean=variant == "0")
    known = {"margin": POSITIVE, "bias": is_at_least(0), "aggressiveness": POSITIVE, "variant": is_one_of(variant)}
    return CheckedRule(
        "PassiveAggressive", _reach_margin, (theorem,), known, _use_margin, False, "mistakes", network=True
    )


def _list_alma() -> CheckedRule:
    clean = CheckedTheorem("ALMA (Gentile 2001)", CLEAN, _exceeds_alma, clean=True)
    hinge = CheckedTheorem("ALMA, hinge loss (Gentile 2001)", ANY, _exceeds_alma_hinge)
    known = {"rate": POSITIVE, "bias": is_at_least(0), "alpha": lambda value: POSITIVE(value) and value <= 1}
    known |= {"margin": lambda value: value is None or POSITIVE(value)}
    return CheckedRule("Alma", _add_shorter_rows, (clean, hinge), known, _use_falling_margin, normalized=True)


def _list_romma() -> tuple[CheckedRule, ...]:
    """The rule that learns from mistakes, and the one that learns up to a margin of 1."""
    theorem = CheckedTheorem("ROMMA (Li and Long 2002)", CLEAN, _exceeds_romma, clean=True)
    slow, fast = ({"aggressive": is_one_of(value), "bias": is_at_least(0)} for value in (False, True))
    rule = CheckedRule("Romma", _relax, (theorem,), slow)
    return rule, replace(rule, parameters=fast, threshold=_use_one, at_threshold=False, counts="mistakes")


def _list_shifting() -> CheckedRule:
    name = "Shifting Perceptron (after Cavallanti, Cesa-Bianchi and Gentile 2007)"
    clean = CheckedTheorem(f"{name}, no shortfall", CLEAN, _exceeds_shifting, clean=True)
    known = {"shift": lambda value: type(value) is int and 1 <= value <= 64, "bias": is_at_least(0)}
    return CheckedRule("ShiftingPerceptron", _forget, (clean, CheckedTheorem(name, ANY, _exceeds_shifting)), known)


def _toss_coin(parameters: Parameters, number: int, agreement: Fraction, reach: float) -> bool | None:
    """Whether the coin of a round falls within b / (b + |s|); None if rounding may have decided it."""
    b = Fraction(parameters["smoothing"]) * (Fraction(reach) if parameters["grows"] else 1)
    total = b + abs(agreement)
    seed = parameters["seed"] & (2**63 - 1)
    beyond = Fraction(draw_bits(seed, number) >> 11, 2**53) * total - b
    return None if total and abs(beyond) <= total / 2**40 else beyond < 0 or not total


SAMPLING = {"smoothing": POSITIVE, "grows": is_one_of(False, True), "bias": is_at_least(0)}
SAMPLING |= {"seed": lambda value: type(value) is int and abs(value) < 2**64}
SELECTIVE = CheckedRule("SelectiveSampling", _add_row, THEOREMS, SAMPLING, exact=True, asks=_toss_coin)
VOTED = CheckedRule("VotedPerceptron", _add_row, THEOREMS, {"bias": is_at_least(0)}, exact=True)
AGGRESSIVE = CheckedRule("AggressivePerceptron", _add_rows_until_right, THEOREMS, LINEAR, counts="steps", exact=True)
RULES: tuple[CheckedRule, ...] = (
    *_list_perceptrons("Perceptron"),
    *_list_perceptrons("AveragedPerceptron"),
    VOTED,
    SELECTIVE,
    replace(AGGRESSIVE, marked=True),
    _list_alma(),
    *_list_romma(),
    _list_shifting(),
    _list_passive_aggressive("0", "some u has u.z >= k, the learner's margin, on every update round"),
    _list_passive_aggressive("I", f"{LOSSES} summed over the update rounds, k being the learner's margin"),
    _list_passive_aggressive("II", f"{LOSSES} squared and summed over the update rounds, k the learner's margin"),
)
