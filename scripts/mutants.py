"""Mutants: plant one fault at a time in what makes and checks certificates, and see a test fail.

    python scripts/mutants.py            plants every fault and writes docs/mutants.md
    python scripts/mutants.py 3 17       only these
    python scripts/mutants.py --jobs 2   two at a time
    python scripts/mutants.py --check    only says which faults have no place any more
    python scripts/mutants.py --anew     judges again what build/mutants.jsonl has judged

A fault is a text in a module and what it becomes. It is planted in memory, in a process of its own that is forked from
one which has loaded everything: plain functions get their new code, and where a fault is elsewhere, or in what is
compiled, the package is loaded anew with it, as for all that survive the first look: what a module makes when it is
loaded has the old code. The files stay as they are, and so does the machine code kept on disk,
which is named by what it is made of, so that a fault never meets that of another.

All tests of certificates are run in turn until one fails. The test that docs/mutants.md says failed last time goes
first, then those that noticed other faults of the module in this run, then the file of tests that knows the module
best, then all others: a fault that is noticed costs seconds, one that survives a quarter of an hour. A test that takes
a minute of the processor is one that does not end, and has noticed the fault. In the end all tests that noticed one
must pass without any. A fault that changes nothing which could be noticed is listed with the reason, and only the tests
that know its module best are run with it.

Each outcome goes to build/mutants.jsonl at once, so that a run which was stopped goes on where it was: a fault that a
test noticed need not be planted again in the same package, nor one that survived in the same package with the same
tests.
"""

import argparse
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType

ROOT = Path(__file__).parents[1]
CHECK, MAKE = "tests/certificates/check/", "tests/certificates/make/"
TESTS = ["tests/base/test_bound.py", "tests/learners/test_trace.py", "tests/game/test_verify.py"]
TESTS += ["tests/learners/shared/test_linear.py", "tests/guarantees/test_separation.py"]
TESTS += ["tests/game/league/test_certify.py"]
TESTS += sorted(str(test.relative_to(ROOT)) for test in (ROOT / "tests" / "certificates").rglob("test_*.py"))

PATIENCE = 3600  # seconds for all tests, which take a few hundred
LIMIT = 60  # seconds of the processor for one test
KEEN = 3  # tests that noticed other faults of a module, to be tried first
NOT_PLANTED = 9  # the exit status of a process whose fault has no place
SURVIVED = "**survived**"
PAGE = ROOT / "docs" / "mutants.md"
RECORD = ROOT / "build" / "mutants.jsonl"
HUNT = "test_what_is_accepted_is_true_whatever_was_tampered_with"
STEPS = f"{MAKE}test_margins.py {MAKE}test_additive.py {MAKE}test_ellipsoid_kernel_network.py tests/game/test_verify.py"
CLOSEST = {  # the files of tests that know a module best, the best of them first
    **{f"make.{name}": MAKE + "test_multiplicative.py" for name in ("winnow", "balanced_winnow")},
    "make.linear_programs": f"{MAKE}test_multiplicative.py {MAKE}test_margins.py tests/guarantees/test_separation.py",
    "learners.shared.winnow_theory": MAKE + "test_multiplicative.py",
    "learners.shared.balanced_winnow_theorems": MAKE + "test_multiplicative.py",
    "make.network": MAKE + "test_ellipsoid_kernel_network.py",
    "check.network": MAKE + "test_ellipsoid_kernel_network.py",
    "check.ellipsoid_and_kernel": MAKE + "test_ellipsoid_kernel_network.py",
    "check.winnow": CHECK + "test_winnow.py",
    "check.balanced_winnow": CHECK + "test_winnow.py",
    "check.intervals": CHECK + "test_intervals.py",
    "check.integer_rows": "tests/game/test_verify.py",
    "game.verify": "tests/game/test_verify.py",
    **{f"check.{name}": CHECK + "test_rules.py" for name in ("rules", "additive_floats")},
    "check.report": f"{CHECK}test_report.py {CHECK}test_rules.py",
    **{f"check.{name}": "tests/game/test_verify.py" for name in ("additive", "additive_exact")},
    "check.known_rules": f"{CHECK}test_rules.py tests/game/test_verify.py",
    **{f"check.{name}": CHECK + "test_finite.py" for name in ("finite", "finite_rules", "row_rules")},
    **{f"check.{name}": CHECK + "test_survivors.py" for name in ("survivors", "dimension")},
    "check.tracking": CHECK + "test_tracking.py",
    **dict.fromkeys(("check.league", "check.league_members"), "tests/game/league/test_certify.py"),
    **{f"check.experts{name}": CHECK + "test_experts.py" for name in ("", "_votes", "_losses")},
    **{f"check.experts_{name}": CHECK + "test_experts.py" for name in ("weights", "claims")},
    "make.experts": CHECK + "test_experts.py",
    "learners.experts.schedules": CHECK + "test_experts.py",
    **{f"{name}.shards": f"{CHECK}test_shards.py {CHECK}float_runs/test_shards.py" for name in ("make", "check")},
    **dict.fromkeys(("check.float_runs.shards", "cluster.passes"), CHECK + "float_runs/test_shards.py"),
    **dict.fromkeys(("base.mixing", "learners.balanced_winnow"), "tests/cluster/test_passes.py"),
    "make.margins": MAKE + "test_margins.py",
    "make.steps": STEPS,
    "make.additive": f"{MAKE}test_additive.py tests/game/test_verify.py {MAKE}test_ellipsoid_kernel_network.py",
    "learners.shared.linear": "tests/learners/shared/test_linear.py",
    "learners.passive_aggressive": "tests/learners/shared/test_linear.py",
    **{f"check.float_runs.{name}": CHECK + "float_runs/test_additive.py" for name in ("sums", "additive", "network")},
    **{f"check.float_runs.{name}": CHECK + "float_runs/test_additive.py" for name in ("counts", "arranged_rows")},
    **{f"check.float_runs.{name}": f"{CHECK}float_runs/test_{name}.py" for name in ("ellipsoid", "kernel", "winnow")},
    **dict.fromkeys(
        ("check.regrets", "check.shadow_runs", "check.step_rows", "make.regrets"), CHECK + "test_regrets.py"
    ),
    "check.mapped_rows": CHECK + "test_mapped_rows.py",
    "check.shown_rounds": "tests/learners/conversions/test_apple_tasting.py",
    "check.late_labels": "tests/game/test_late_labels.py",
    "check.restarting": CHECK + "test_restarting.py",
    **dict.fromkeys(("check.weighted", "make.weighted"), CHECK + "test_weighted.py"),
    "check.float_runs.diagonal": CHECK + "test_regrets.py",
    **dict.fromkeys(("check.losses", "check.comparators", "make.losses"), CHECK + "test_losses.py"),
    "check.round_weights": CHECK + "test_round_weights.py",
    **{
        f"check.float_runs.mixture{name}": f"{CHECK}float_runs/test_mixtures.py"
        for name in ("s", "_members", "_room", "_rounds", "_classes")
    },
    **dict.fromkeys(
        ("check.regression", "make.regression", "check.float_runs.regressions"),
        f"{CHECK}test_regression_certificates.py {CHECK}test_weighed_numbers.py",
    ),
    "check.same_run": CHECK + "float_runs/test_additive.py",
    **dict.fromkeys(
        ("base.bound", "base.exact_numbers"), "tests/base/test_bound.py tests/learners/shared/test_linear.py"
    ),
    "certificates.digest": f"tests/certificates/test_digest.py {CHECK}test_experts.py",
}

FAULTS = [
    ("check.mapped_rows", "found[places[number]][1] + value", "value", "products that meet are not added"),
    ("check.mapped_rows", "(2 * i + (i not in active), 1.0)", "(2 * i, 1.0)", "no negations"),
    (
        "check.mapped_rows",
        "for d in range(degree - 1, 0, -1):",
        "for d in range(1, degree):",
        "products of an attribute with itself",
    ),
    ("check.mapped_rows", "open_stream(certificate, stream, features, 0.0, UNLIMITED)", "pass", "any rounds will do"),
    (
        "check.mapped_rows",
        'require("classes" not in inner and "real" not in inner,',
        "require(True,",
        "classes of the learner inside",
    ),
    (
        "check.regrets",
        "bound = round_up(Fraction(r) * sum(",
        "bound = round_up(sum(",
        "ridge identity without the ridge",
    ),
    (
        "check.regrets",
        "loss * loss * part for loss, part in pairs), False",
        "loss * loss for loss, part in pairs), False",
        "ridge identity counts plain losses",
    ),
    ("check.regrets", "if loss >= 1)", "if loss > 1)", "ties are no mistakes"),
    (
        "check.regrets",
        "2 * u * (stretch * w - drift / rate)",
        "u * (stretch * w - drift / rate)",
        "diagonal AROW forgets half of u.g",
    ),
    ("check.regrets", "- stretch * w * w", "", "diagonal AROW forgets the last weights"),
    ("check.regrets", "(logs + 2 * ahead) * size", "logs * size", "second order forgets agreements"),
    ("check.regrets", "(r + square) * u * u for", "square * u * u for", "second order without the ridge"),
    ("check.regrets", "sqrt((p - 1) * fsum", "sqrt(fsum", "p-norm without its factor"),
    ("check.regrets", "q = p / (p - 1)", "q = p", "p-norm with the wrong dual"),
    ("check.shadow_runs", "loss = max(0.0, 1.0 - score)", "loss = 1.0 - score", "a step backwards"),
    (
        "check.shadow_runs",
        "squares[j] += z * z\n            drift",
        "squares[j] += z\n            drift",
        "variances by values",
    ),
    (
        "check.shadow_runs",
        "matrix[i, j] -= part * (h[i] * h[j])",
        "matrix[i, j] -= (h[i] * h[j])",
        "the matrix shrinks too much",
    ),
    ("check.shadow_runs", "below = (r + squares[j]) + z * z", "below = r + squares[j]", "scores with the old matrix"),
    (
        "check.step_rows",
        "same = type(theirs) is type(ours) and theirs == ours",
        "same = theirs == ours",
        "types do not matter",
    ),
    ("check.step_rows", "require_same_run(certificate, run)", "", "counts of an empty run are not looked at"),
    ("check.step_rows", "((code, 1.0), (rival, -1.0))", "((code, 1.0),)", "a network steps towards only"),
    (
        "check.float_runs.diagonal",
        "state.squares[columns, unit] += values * values\n    return True",
        "return True",
        "variances stay",
    ),
    ("check.float_runs.diagonal", "if lead <= enough:", "if lead < enough:", "ties do not teach"),
    (
        "learners.shared.linear",
        "rest**2 <= f.norm * (f.begun",
        "rest <= f.norm * (f.begun",
        "Novikoff without the margin's square",
    ),
    (
        "learners.shared.linear",
        "rest**2 <= f.norm * (f.begun",
        "rest**2 < f.norm * (f.begun",
        "Novikoff strict",
    ),
    (
        "learners.shared.linear",
        "f.ahead + m * f.margin - f.shortfall",
        "f.ahead + m * f.margin",
        "hinge forgets the shortfall",
    ),
    (
        "learners.shared.linear",
        "rest**2 <= scale * f.shortfall * f.margin",
        "rest**2 <= scale * f.shortfall",
        "readable form without a margin",
    ),
    (
        "learners.shared.linear",
        "+ 2 * f.shortfall * f.margin",
        "+ f.shortfall * f.margin",
        "total deviation once, not twice",
    ),
    (
        "learners.shared.linear",
        "4 * scale * f.squares",
        "2 * scale * f.squares",
        "squared deviation with a wrong constant",
    ),
    (
        "learners.shared.linear",
        "rest**2 <= f.norm * f.length)",
        "rest**2 <= f.length)",
        "run-dependent bound forgets the length of u",
    ),
    ("base.bound", "return low", "return high", "largest possible number, plus one"),
    (
        "learners.passive_aggressive",
        "max(f.reach / k**2, 1 / (C * k))",
        "(f.reach / k**2)",
        "passive-aggressive I ignores the cap",
    ),
    ("learners.passive_aggressive", "(f.reach + 1 / (2 * C))", "f.reach", "passive-aggressive II ignores the damping"),
    (
        "learners.passive_aggressive",
        "f.shortfall == 0, clean",
        "f.shortfall >= 0, clean",
        "passive-aggressive 0 without its hypothesis",
    ),
    ("base.bound", "self.counted <= self.bound", "self.counted < self.bound", "a bound that is met does not hold"),
    ("base.bound", "claimed == verdict", "True", "any verdict is believed"),
    ("base.bound", "digest == _make_digest(record)", "True", "any digest is believed"),
    ("base.bound", "1 + Fraction(8, 2**52)", "1 - Fraction(8, 2**52)", "rounding inward"),
    ("make.margins", "caps[i])", "1e300)", "dual variables without a cap"),
    ("make.margins", "step(u, change, indices", "step(u, -change, indices", "descent in the wrong direction"),
    (
        "make.margins",
        "float(rows.multiply(u).min()), limit",
        "float(rows.multiply(u).max()), limit",
        "the largest margin for the smallest",
    ),
    (
        "make.margins",
        "float(np.linalg.norm(u)) / float(alpha.sum())",
        "float(np.linalg.norm(u)) / len(alpha)",
        "limit of the margin too large or small",
    ),
    ("make.linear_programs", "found.x > 1e-9", "found.x > 0.3", "a proof of inseparability without some of its rows"),
    ("make.steps", "- bits\n", "- bits + 12\n", "witness rounded to eight bits"),
    ("make.steps", "np.ldexp(u, -exponent)", "np.ldexp(u, 1 - exponent)", "witness not at its scale"),
    (
        "make.additive",
        "float(squares.max(initial=0.0)) + 2 * enough",
        "float(squares.max(initial=0.0))",
        "margin forgotten in the reach",
    ),
    ("make.additive", "rule.margin / float(real(rule.rate))", "rule.margin", "rate forgotten"),
    (
        "make.steps",
        "np.concatenate((values, -values))",
        "np.concatenate((values, values))",
        "rival stepped towards",
    ),
    ("make.steps", "out[k] = y * values", "out[k] = values", "labels forgotten"),
    (
        "make.additive",
        "best.bound + (steps.idle_mistakes",
        "best.bound + (0 * steps.idle_mistakes",
        "mistakes that moved nothing forgotten",
    ),
    ("make.steps", "steps.marks if rule.copies", "steps.marks if False", "copies forgotten"),
    (
        "check.additive_exact",
        "gap == margin and claim.teaches_at_threshold(code, margin)",
        "False",
        "agreement at the margin does not teach",
    ),
    (
        "check.additive_exact",
        "near = abs(gap - margin) <= slack and slack > 0",
        "near = True",
        "any decision is excused by rounding",
    ),
    (
        "check.additive_exact",
        "near = abs(gap - margin) <= slack and slack > 0",
        "near = False",
        "no decision is excused by rounding",
    ),
    (
        "check.additive_exact",
        "exact = self.odd * units <= 1 / e",
        "exact = np.zeros(len(units), bool)",
        "exact floats may err",
    ),
    (
        "check.additive_exact",
        "exact = self.odd * units <= 1 / e",
        "exact = np.ones(len(units), bool)",
        "floats never err",
    ),
    (
        "check.additive_exact",
        "gaps - errors > above",
        "gaps - errors > -np.inf",
        "rounds that do not teach are not looked at",
    ),
    ("check.additive_exact", "gap < 0 or (gap == 0 and lost)", "gap < 0", "lucky ties"),
    ("check.additive_exact", "replay.excess += 2 * over", "replay.excess += 0 * over", "excess of rounding forgotten"),
    (
        "check.additive_exact",
        "weights.get(j, 0) + times * v",
        "weights.get(j, 0) + v",
        "copies and signs forgotten in the replay",
    ),
    ("check.additive_exact", "fewest <= copies <= most", "True", "any number of copies"),
    ("check.additive_exact", "first = away == rival or", "first = True or", "any rival"),
    ("check.integer_rows", "digest == certificate.stream", "True", "any stream"),
    (
        "check.report",
        "self.fewest <= mistakes <= self.most",
        "mistakes <= self.most",
        "fewer mistakes are believed",
    ),
    (
        "check.report",
        "self.fewest <= mistakes <= self.most",
        "self.fewest <= mistakes",
        "more mistakes are believed",
    ),
    ("check.additive", "certificate.updates == updates", "True", "any number of updates"),
    ("check.additive", "not found[0].clean or witness.shortfall == 0", "True", "Novikoff without its hypothesis"),
    ("check.known_rules", 'clean=variant == "0"', "clean=False", "variant 0 without its hypothesis"),
    (
        "check.known_rules",
        "(m * f.margin) ** 2 > f.norm * (reach * m",
        "m * f.margin > f.norm * (reach * m",
        "Novikoff checked without the square",
    ),
    (
        "check.known_rules",
        "m * f.margin - f.shortfall\n    return rest > 0 and rest**2 > f.norm * (reach",
        "m * f.margin\n    return rest > 0 and rest**2 > f.norm * (reach",
        "shortfall not subtracted",
    ),
    ("check.known_rules", "/ f.margin + 2 * f.shortfall", "/ f.margin + f.shortfall", "total deviation once"),
    ("check.known_rules", "4 * ratio * square", "ratio * square", "squared deviation with a wrong constant"),
    ("check.known_rules", "rest**2 > ratio * loss", "rest > 0", "readable form without its root"),
    ("check.additive", "bound + 1 - (still", "bound - (still", "a bound that is attained is refused"),
    ("check.additive", "bound + 1 - (still", "bound + 2 - (still", "a bound one too small is accepted"),
    (
        "check.additive",
        "longest = max(longest, square)",
        "longest = min(longest or square, square)",
        "the shortest row for the longest",
    ),
    (
        "check.additive",
        "shortfall + copies * short\n",
        "shortfall + short\n",
        "copies forgotten in the shortfall",
    ),
    ("check.known_rules", "f.longest + 2 * _divide_margin(parameters)", "f.longest", "margin forgotten in the reach"),
    ("check.additive", "len(set(entries)) == len(entries)", "True", "an entry twice"),
    ("check.additive", "certificate.exact is rule.exact", "True", "a float run passes for exact"),
    ("check.integer_rows", "a < b for a, b in zip", "a <= b for a, b in zip", "an update round twice"),
    ("check.additive", "(certificate.counts, certificate.count) == (rule.counts, count)", "True", "another count"),
    ("check.additive", "-root - Fraction(1, 2**64)", "root", "a negative product counts as positive"),
    ("check.additive", "(still if claim", "(0 * still if claim", "mistakes that moved nothing not paid for"),
    (
        "check.additive_floats",
        "abs(at.gap - threshold) <= tolerance and tolerance > 0",
        "True",
        "any decision of a float run",
    ),
    ("check.additive_floats", "agreement=min(at.gap, threshold)", "agreement=at.gap / 2", "another step"),
    ("check.finite", "certificate.updated == updated", "True", "any update rounds"),
    ("check.finite", "same and type(there) is not float", "True", "any words, bounds and witnesses"),
    ("certificates.digest", "(labels, _view_bytes(given,", "(labels, _view_bytes(0 * given,", "labels do not count"),
    (
        "certificates.digest",
        "columns[given], numbers[given] = indices + 1, values",
        "columns[given], numbers[given] = indices, values",
        "attributes one off",
    ),
    ("check.integer_rows", "53 - trailing - exponents", "52 - trailing - exponents", "one bit too few"),
    (
        "certificates.digest",
        '"<f8" if given.dtype.kind == "f" else "<i8"',
        '"<i8"',
        "outcomes between 0 and 1 do not count",
    ),
    ("certificates.digest", "labels.view(np.uint64), flag", "0 * labels.view(np.uint64), flag", "labels do not count"),
    ("certificates.digest", "out[at + k] = indices[first + k]", "out[at + k] = 0", "attributes do not count"),
    ("certificates.digest", "out[at + k] = short[first + k]", "out[at + k] = 0", "short numbers do not count"),
    ("certificates.digest", "= long[first + k] >> U(32)", "= 0", "half of a long number does not count"),
    ("certificates.digest", "kind + flag, count", "kind, count", "an outcome is a class"),
    ("certificates.digest", "np.where(np.isnan(numbers), np.nan, numbers)", "numbers", "sleepers differ"),
    ("certificates.digest", 'f"{experts} {digest.text()}"', 'f"{digest.text()}"', "experts that say 0 do not count"),
    ("learners.experts.schedules", "best[leader] + price < best", "best[leader] < best", "switches are free"),
    ("make.experts", "[len(starts) - 1]", "[0]", "switches are not paid for"),
    ("make.experts", "*switches)) + error", "*switches))", "the error is not added to the bound"),
    ("check.intervals", "a.high, low.high), high.high", "a.high, low.low), low.high", "clamped to the wrong end"),
    ("check.intervals", "rounding=ROUND_CEILING", "rounding=ROUND_FLOOR", "rounding inward"),
    ("check.experts_votes", "(1 if vote else -1)", "1", "every vote is for 1"),
    ("check.experts_votes", "abs(value) > sum(", "abs(value) > 0 * sum(", "rounding may decide a vote"),
    ("check.experts_votes", "vote is None and guess != y", "vote is None and False", "sleepers share no mistakes"),
    ("check.experts_votes", "share if y == 0 else 1 - share", "share", "outcomes do not count"),
    ("check.experts_losses", "max(self.quantile, 1 - self.quantile) * width", "width / 2", "another largest loss"),
    ("check.experts_losses", "2 / self.top if", "1 / self.top if", "another mixable rate"),
    ("check.experts_weights", "before[k] * left, self", "before[k], self", "sleepers are charged nothing"),
    ("check.experts_weights", "(1 - self.rule.switching) * weight", "weight", "shares are dealt and kept"),
    ("check.experts_weights", "2 * reals.root(", "reals.root(", "half the anytime rate"),
    ("check.experts_weights", "self.variety / self.gap", "self.gap", "another adaptive rate"),
    ("check.experts_weights", "(2 * (1 - penalty))", "(4 * (1 - penalty))", "a steeper coin"),
    ("check.experts_claims", "require(not (strict and asleep)", "require(True", "anybody may sleep"),
    ("check.experts_claims", 'said.get("memory", 1) == 1', "True", "the past may be forgotten"),
    ("check.experts", "advice.digest == certificate.stream", "True", "any rounds"),
    ("check.experts", "theorem == words", "True", "any theorem by any name"),
    ("check.experts", "(error == 0) is certificate.exact", "True", "exact with an error"),
    ("check.experts", "stated == exact", "True", "any loss of the witness"),
    ("check.experts", "stated == [lost, asleep]", "True", "any votes of the witness"),
    ("check.experts", "certificate.count == found.total", "True", "any expectation"),
    ("check.experts", "replay.game.check_mistakes(certificate.mistakes)", "pass", "any mistakes"),
    ("check.experts", "above = part.high <= reals.of(high).low", "above = True", "a bound that is too small"),
    ("check.experts", "below = spread is None or", "below = True or", "any loss that is too large"),
    ("check.experts", "rising and known", "known", "a schedule in any order"),
    ("check.experts", "(switches + 1) * variety", "variety", "switches cost no choice"),
    ("check.experts", "rounds - 1 - switches", "0", "staying costs nothing"),
    ("check.experts", "claim.rate * rounds / 8", "0", "Hedge without its second term"),
    ("check.experts", "Fraction(16, 3)", "Fraction(0)", "AdaHedge without its constant"),
    ("check.experts", "totals[best] == min(totals)", "True", "AdaHedge against anybody"),
    ("check.experts", "top / (1 - claim.penalty)", "top", "randomized majority without its divisor"),
    (
        "check.experts",
        "top / (2 * reals.ln",
        "top / (4 * reals.ln",
        "a quarter of the majority's bound",
    ),
    ("check.experts", "mean * whole + mean - 1", "mean * whole", "the last leaders never err"),
    (
        "check.experts",
        "charge + variety / claim.cost.mixable",
        "charge",
        "aggregating without regret",
    ),
    (
        "learners.shared.winnow_theory",
        "reached < goal or",
        "reached <= goal or",
        "one power too many in Winnow's exponent",
    ),
    (
        "learners.shared.winnow_theory",
        "f.total * f.exponent + f.slack",
        "f.total * f.exponent",
        "Winnow's slack forgotten",
    ),
    (
        "learners.shared.winnow_theory",
        "f.exponent + f.slack + fixed",
        "f.exponent + f.slack",
        "demotions forgotten in u",
    ),
    (
        "learners.shared.winnow_theory",
        "ceil(total * b / ((b - 1) * setting.below)) - 1",
        "ceil(total * b / ((b - 1) * setting.below))",
        "v not strict",
    ),
    ("make.winnow", "excess += over *", "excess += 0 *", "what rounding added is forgotten"),
    ("make.winnow", "additions += len(now - before)", "additions += len(now)", "kept variables are added again"),
    (
        "learners.shared.balanced_winnow_theorems",
        "- entropy + log * to_decimal(f.shortfall)",
        "- entropy",
        "Balanced Winnow's shortfall forgotten",
    ),
    ("make.balanced_winnow", ".ln()) + 1", ".ln())", "a phase ends one update early"),
    ("make.network", "steps.classes[which] == c", "steps.classes[which] != c", "a unit learns the other classes"),
    ("make.linear_programs", "np.full(len(demotions), ceiling)", "np.full(len(demotions), 1.0)", "any ceiling"),
    ("check.winnow", "over == 0 and positive == claim.strict", "over == 0", "ties are decided both ways"),
    ("check.winnow", "abs(over) <= slack and slack > 0", "True", "any decision of Winnow is excused"),
    ("check.winnow", "exponent - 1\n", "exponent - 2\n", "a demotion counts twice"),
    ("check.winnow", "exponent + up + down + fixed", "exponent + up + fixed", "slack of demotions forgotten"),
    ("check.winnow", "exponent + up + down + fixed", "exponent + down + fixed", "slack of promotions forgotten"),
    ("check.winnow", "exponent + up + down + fixed", "exponent + up + down", "demotions forgotten in u"),
    ("check.winnow", "left = p - b * q * claim.above / claim.below", "left = Fraction(p)", "divisor forgotten"),
    ("check.winnow", "down == 0 and (elimination or up == 0)", "True", "slack where there must be none"),
    ("check.winnow", "q == 0 and all(k == p for k in numerators)", "True", "any target is a disjunction"),
    ("check.winnow", "min((*numerators, q)) >= 0 and p > 0", "p > 0", "negative targets"),
    ("check.winnow", "(beyond and factor**j == goal)", "False", "ties at the threshold forgotten in E"),
    ("check.winnow", "additions + len(added - now)", "additions", "additions are free"),
    ("check.winnow", "bool(now & set(next(rows[up]))) == up", "bool(next(rows[up]) is not None)", "any schedule"),
    ("check.winnow", "certificate.bound == most or", "certificate.bound >= most - 1 or", "a bound one too small"),
    (
        "check.balanced_winnow",
        "agreement <= 0, listed, near",
        "listed, listed, near",
        "Balanced Winnow's decisions are not checked",
    ),
    ("check.balanced_winnow", "abs(score) <= slack and slack > 0", "True", "any decision is excused"),
    ("check.balanced_winnow", 'witness["caps"] == caps', "True", "any caps"),
    ("check.balanced_winnow", "bound - sum(caps) + 1", "bound - sum(caps) + 2", "a bound one too small is accepted"),
    ("check.balanced_winnow", "high * short / size", "0 * short", "shortfall forgotten"),
    ("check.balanced_winnow", "low * margin - growth", "low * margin", "ln cosh forgotten"),
    ("check.balanced_winnow", "short == 0 or not clean", "True", "margin claimed where there is none"),
    ("check.balanced_winnow", "ln(Fraction(2 * len(met)))", "ln(Fraction(len(met)))", "ln n for ln 2n"),
    ("check.balanced_winnow", "return length > high", "return length >= high - 1", "phases end early"),
    ("check.balanced_winnow", "high + ERROR * (1 + abs(high))", "low", "logarithms rounded inward"),
    ("check.network", "numbers == (steps, bounds)", "True", "any sum of bounds"),
    ("check.network", "chunk.codes[skip:] == c", "chunk.codes[skip:] != c", "a unit of the other classes"),
    ("check.network", "gap == 0 and rival < code", "gap == 0", "ties lost by every class"),
    ("check.ellipsoid_and_kernel", 'near and not empty, "score"', 'True, "score"', "any cut"),
    ("check.ellipsoid_and_kernel", "agreement >= Fraction(margin) > 0", "True", "an ellipsoid without a margin"),
    ("check.ellipsoid_and_kernel", "most = d * enclose_ln", "most = enclose_ln", "the dimension forgotten"),
    (
        "check.ellipsoid_and_kernel",
        "losses = sum(short, Fraction(0)),",
        "losses = Fraction(0),",
        "hinge loss of a kernel forgotten",
    ),
    (
        "check.ellipsoid_and_kernel",
        "gram[max(i, j)][min(i, j)]",
        "gram[i][j] if i >= j else Fraction(0)",
        "half a Gram matrix",
    ),
    ("certificates.digest", "self._catch_up(-1)", "self._catch_up(BEHIND)", "what waits for its thread does not count"),
    ("check.ellipsoid_and_kernel", "slack <= limit * terms * 2.0**-50", "False", "exact kernels may err"),
    ("check.ellipsoid_and_kernel", "slack <= limit * terms * 2.0**-50", "True", "floats of kernels never err"),
    ("make.steps", "chunk.importance is None", "True", "rounds of unequal importance"),
    ("make.margins", "<= close * value:", "<= value:", "a search that ends before it began"),
    ("make.margins", "values, alpha, u)\n    for sweep", "values, 0 * alpha, u)\n    for sweep", "u without its steps"),
    ("make.additive", "way += copies[t] * length", "way += 0 * length", "what rounding may hide is forgotten"),
    ("make.steps", "abs(self.exponent) < 100", "True", "short floats hold anything"),
    (
        "certificates.digest",
        "3 * (self._entries + turns) + kinds[turns]",
        "self._entries + turns",
        "kinds of numbers do not count",
    ),
    (
        "make.shards",
        "np.full(len(part.steps.rounds), float(part.share))",
        "np.ones(len(part.steps.rounds))",
        "shares forgotten in the shortfall",
    ),
    ("make.shards", "total += float(part.share) * sum_excess(", "total += 0 * sum_excess(", "excess forgotten"),
    ("make.shards", "mean += float(part.share) * weights", "mean += weights", "a sum of shards for their mean"),
    ("make.shards", "Fraction(m, FINE))) + 1, FINE)", "Fraction(m, FINE))), FINE)", "a mixed bound rounded down"),
    ("make.shards", "best.bound + 1 + idle", "best.bound + idle", "a mixed count taken for a whole number"),
    ("check.shards", "share * replay.excess", "0 * replay.excess", "excess of mixtures forgotten"),
    ("check.shards", "share * len(replay.steps)", "len(replay.steps)", "shares forgotten in the mixed count"),
    ("check.shards", "order[code], away, share)", "order[code], away, 1)", "shares forgotten in the shortfall"),
    ("check.shards", '["weights"] == "uniform" or', '["weights"] or', "uniform shares for those by updates"),
    ("check.shards", "require(facts.digest == digest", "require(True", "any rounds of a shard"),
    ("check.shards", "strict=True) if found.rounds]", "strict=True)]", "shards without rounds have a share"),
    ("check.shards", 'about["passes"] if shards', 'about["passes"] - 1 if shards', "the last pass skipped"),
    ("check.shards", "        mean = _mix(", "        _mix(", "every pass starts from nothing"),
    ("check.shards", "steps + len(ends) + 4", "steps", "the rounding of a mean forgotten"),
    ("check.shards", "Fraction(bound), claim", "Fraction(bound) + 1, claim", "a mixed bound one too small"),
    ("check.additive", "witness.margin > 0", "True", "a bound without a margin"),
    ("check.additive_exact", "sizes.max(initial=self.far) <= self.top", "True", "weights beyond all floats"),
    ("check.shards", "require(len(labels) <= 2", "require(True", "a class that a shard has not met is guessed"),
    ("check.integer_rows", "many <= self.limit", "True", "a third class passes for the second"),
    ("game.verify", "require(known <= own", "require(True", "words that no learner has"),
    ("game.verify", "kind(**{key: _read_parameter(about[key])", "dict(**{key: about[key]", "any parameters"),
    ("check.experts", "require(error <= most", "require(True", "any error excuses a loss"),
    ("check.experts", "most == bound or (old", "most <= bound or (old", "a bound of votes may be any larger one"),
    ("check.experts", "spread = None if old else", "spread = None if True else", "a bound may be any larger one"),
    ("check.experts_weights", "slope * (self.gap - middle)", "0 * (self.gap - middle)", "a gap without its width"),
    ("check.experts_weights", "both - charge * mean + (end", "both + charge * mean - (end", "another slope"),
    ("check.additive", "require(not loose", "require(True", "a bound may be any larger one"),
    ("check.shards", "require(not loose", "require(True", "a mixed bound may be any larger one"),
    ("check.balanced_winnow", "require(not loose", "require(True", "a bound of phases may be any larger one"),
    ("check.ellipsoid_and_kernel", "require(tight", "require(True", "a bound on cuts may be any larger one"),
    ("check.ellipsoid_and_kernel", "require(not loose", "require(True", "a kernel's bound may be any larger one"),
    (
        "check.ellipsoid_and_kernel",
        "set(numbers) == KERNELS.get(name)",
        "name in KERNELS",
        "a linear kernel of degree 3",
    ),
    ("check.report", "require(fits, f", "require(True, f", "a witness may say more than is read"),
    ("check.network", '"tie": "strict"', '"tie": "plus"', "units learn from no tie"),
    ("base.exact_numbers", "str(fraction) == text", "True", "fractions in any clothes"),
    ("base.bound", "len(record) == len(pairs)", "True", "names that come twice"),
    ("base.mixing", "total / part.share", "total / part.shards", "a mean of unequal shares by their number"),
    ("learners.balanced_winnow", "high + mixtures * bracket_log(a)[1]", "high", "rounded exponents not paid for"),
    (
        "check.survivors",
        "positive = min(max(x - self.low + 1, 0), self.count)",
        "positive = min(max(x - self.low, 0), self.count)",
        "thresholds one off",
    ),
    ("check.survivors", "self.low if y else x + 1", "self.low", "negative points drop no threshold"),
    ("check.survivors", "(_sum_bits(self.least, x) != y)", "0", "parities of the wrong label"),
    ("check.survivors", "votes[y] > 0", "True", "a promise that was broken"),
    ("check.survivors", "self.label(members, x) == y]", "self.label(members, x) >= 0]", "nothing is dropped"),
    ("check.survivors", "rest % 3 != 1 + bit", "rest % 3 != 2 - bit", "literals for their negations"),
    ("check.survivors", "attributes] != (numbers", "attributes] == (numbers", "signs of exactly k literals turned"),
    ("check.survivors", "& (place <= high)", "", "intervals without an upper end"),
    ("check.dimension", "if found == 2:", "if found == 1:", "one deep side is enough"),
    (
        "check.finite_rules",
        "(self.size // self.space.count).bit_length() - 1",
        "(self.size // self.space.count).bit_length()",
        "one mistake more for halving",
    ),
    (
        "check.finite_rules",
        "return self.size - self.space.count",
        "return self.size - 1",
        "survivors forgotten in a bound",
    ),
    (
        "check.finite_rules",
        "self.history += [self.space.count] * cut",
        "self.history += [self.space.count] * (not cut)",
        "an expectation over other rounds",
    ),
    ("check.finite_rules", "most <= bound <= most", "bound <= most", "a logarithm that is too small"),
    (
        "check.finite_rules",
        'found["dimension"] - found["dimension left"]',
        'found["dimension"]',
        "the dimension that is left forgotten",
    ),
    ("check.finite_rules", "if guess != y:", "if True:", "every round is shown"),
    ("check.row_rules", "self.left_off & active", "self.left_off", "off-literals are never dropped again"),
    ("check.row_rules", "not self.declared or len(active) < self.attributes", "True", "declared attributes forgotten"),
    (
        "check.row_rules",
        "1 + sum(self.high) - sum(self.low)",
        "sum(self.high) - sum(self.low)",
        "the first point of a box is free",
    ),
    ("check.row_rules", "setdefault(x, y) == y", "setdefault(x, y) >= 0", "an instance with two labels"),
    ("check.finite", "2 * i + (i not in active)", "2 * i + (i in active)", "negations for attributes"),
    ("check.mapped_rows", "len(chosen) - 1\n", "len(chosen)\n", "products one off"),
    ("check.tracking", "numbers == (along, switches)", "True", "any mistakes along a schedule"),
    ("check.tracking", "bound >= most", "True", "any bound of fixed share"),
    ("check.tracking", "(1 - switching) + switching / copies", "1.0", "shares are kept"),
    ("check.tracking", "found.check_mistakes(certificate.mistakes)", "pass", "any mistakes of fixed share"),
    ("check.rules", "low < value < high", "low <= value <= high", "parameters at the ends of their ranges"),
    ("check.additive_floats", "self._multiply(by.shrink)\n", "\n", "weights do not shrink"),
    ("check.additive_floats", "if self.length > by.cap**2:", "if False:", "weights are not cut"),
    (
        "check.report",
        "_format(self.bound, ROUND_CEILING)",
        "_format(self.bound, ROUND_HALF_EVEN)",
        "a bound shown rounded down",
    ),
    (
        "check.float_runs.sums",
        "sums[k % 4 if k < whole else 0]",
        "sums[k % 4]",
        "the last terms of a sum in quarters go on in turn",
    ),
    (
        "check.float_runs.sums",
        "(sums[0] + sums[1]) + (sums[2] + sums[3])",
        "((sums[0] + sums[1]) + sums[2]) + sums[3]",
        "quarters added one after another",
    ),
    (
        "check.float_runs.sums",
        "0 if k < whole else 1",
        "(k // 16) % 2",
        "the last lanes of a dense sum in turn",
    ),
    (
        "check.float_runs.sums",
        "if k % 2 == 1:",
        "if k % 4 == 1:",
        "some odd terms go to the even ones",
    ),
    (
        "check.float_runs.sums",
        "while first + 4 <= count:",
        "while first + 4 < count:",
        "the last group of four one by one",
    ),
    (
        "check.float_runs.additive",
        "cut = np.nextafter(real(0), real(-1)) if tie > 0 else real(0)",
        "cut = real(0)",
        "a tie that is positive is negative",
    ),
    (
        "check.float_runs.additive",
        "agreement <= enough and not clear",
        "agreement < enough and not clear",
        "an agreement at the threshold teaches nothing",
    ),
    (
        "check.float_runs.additive",
        "(tie < 0 or enough > 0 or guesses[t] != codes[t])",
        "True",
        "a tie that was guessed right teaches",
    ),
    (
        "check.float_runs.additive",
        "total = constant * constant",
        "total = 0.0 * constant",
        "the squared length forgets the constant",
    ),
    (
        "check.float_runs.additive",
        "copies if seen.agreement + copies * seen.square > 0 else copies + 1.0",
        "copies",
        "a quotient that was rounded up is believed",
    ),
    (
        "check.float_runs.additive",
        "(seen.square + damping)",
        "seen.square",
        "passive-aggressive II is not damped",
    ),
    (
        "check.float_runs.additive",
        "FloatStep(factor * along, factor)",
        "FloatStep(along, factor)",
        "ALMA steps before it shrinks",
    ),
    (
        "check.float_runs.additive",
        "else LANES if rows.kind == np.dtype(real).name else ONE_BY_ONE",
        "else ONE_BY_ONE",
        "dense rows are summed one by one",
    ),
    (
        "check.float_runs.additive",
        "rule.spaced or not rows.dense",
        "not rows.dense",
        "averaged learners sum dense rows as others do",
    ),
    (
        "check.float_runs.network",
        "HALVES if max(met, y + 1) <= NARROW else FOURS",
        "HALVES",
        "many classes are summed like few",
    ),
    (
        "check.float_runs.network",
        "c if c != y and out[c] > out[rival] else rival",
        "c if c != y and out[c] >= out[rival] else rival",
        "the last of equal rivals",
    ),
    (
        "check.float_runs.network",
        "guess = c if out[c] > out[guess]",
        "guess = c if out[c] >= out[guess]",
        "the last of equal scores is guessed",
    ),
    (
        "check.float_runs.network",
        "(1.0 if each else 2.0)",
        "1.0",
        "the direction of a winner's step is not doubled",
    ),
    (
        "check.float_runs.counts",
        "wrong[0] |= self.rows.surprise",
        "wrong[0] |= False",
        "the first guess may be right without classes",
    ),
    (
        "check.float_runs.counts",
        "wrong & ~moved",
        "wrong",
        "mistakes that moved something count as idle",
    ),
    (
        "check.float_runs.arranged_rows",
        'form == "dense" or width == 0',
        "True",
        "listed rows may have a width",
    ),
    (
        "check.float_runs.arranged_rows",
        "(indices < self.width).all()",
        "(indices >= 0).all()",
        "dense rows are cut where they are too long",
    ),
    (
        "check.same_run",
        "mistakes == run.mistakes",
        "mistakes <= run.mistakes",
        "fewer mistakes are believed",
    ),
    (
        "check.same_run",
        "counts[0] == counts[1]",
        "counts[0] >= counts[1]",
        "updates may be left out at the end",
    ),
    (
        "check.same_run",
        "ours == theirs",
        "ours <= theirs",
        "updates may come later",
    ),
    (
        "check.same_run",
        "certificate.marks == run.marks",
        "len(certificate.marks) == len(run.marks)",
        "any marks are believed",
    ),
    (
        "check.float_runs.shards",
        "joined[place // 2] + parts[place] if place // 2 in joined",
        "parts[place] + joined[place // 2] if len(parts) < 0",
        "a sum of shards has only its last parts",
    ),
    (
        "check.float_runs.shards",
        "joined = dict[int, Array]()\n        for place in sorted(parts):",
        "joined = {0: sum(parts[place] for place in sorted(parts))}\n        for place in ():",
        "shards are added one after another",
    ),
    (
        "check.float_runs.shards",
        "np.multiply(rows, float(count), dtype=np.float64)",
        "np.multiply(rows, count, dtype=rows.dtype)",
        "weights are multiplied by their counts in short floats",
    ),
    (
        "check.float_runs.shards",
        "len(run.updated) if by_updates else 1",
        "1",
        "every shard counts once",
    ),
    (
        "check.float_runs.shards",
        "-product if shard.order[:2] == [1, 0] else product",
        "product",
        "classes that a shard numbers otherwise are not exchanged",
    ),
    (
        "check.float_runs.shards",
        "renumbered[: len(product), shard.order]",
        "renumbered[: len(product), : product.shape[1]]",
        "columns of classes that a shard numbers otherwise stay",
    ),
    (
        "check.float_runs.shards",
        "if len(ends) == 1:",
        "if len(ends) < 1:",
        "a single shard is mixed",
    ),
    (
        "check.float_runs.shards",
        "if sum(counts) == 0:\n        return start",
        "if sum(counts) == 0:\n        counts = [1] * len(counts)",
        "a pass without updates is mixed",
    ),
    (
        "check.float_runs.shards",
        "float(sum(counts))).astype(real)",
        "float(sum(counts)))",
        "means are not rounded to the type of the weights",
    ),
    (
        "check.float_runs.shards",
        "rows._replace(labels=known, surprise=False)",
        "rows._replace(surprise=False)",
        "classes are forgotten after a pass",
    ),
    (
        "check.float_runs.shards",
        "place, same) for rows, place, _ in shards",
        "place, order) for rows, place, order in shards",
        "classes are numbered anew after every pass",
    ),
    (
        "check.float_runs.shards",
        "marks += run.marks",
        "marks += ()",
        "marks of shards are forgotten",
    ),
    (
        "check.shards",
        "    if run is not None:\n        require_same_run",
        "    if run is None:\n        require_same_run",
        "a run over shards need not be the one that is claimed",
    ),
    (
        "check.shards",
        "for a, b in pairwise((-1, *places, 2**31))",
        "for a, b in pairwise(places)",
        "shards before the first place or beyond the last",
    ),
    (
        "cluster.passes",
        "if places != list(range(len(places))):",
        "if False:",
        "shards without rounds lose their places",
    ),
    (
        "check.float_runs.ellipsoid",
        "0.0 if depth >= 1 else depth",
        "depth",
        "a cut deeper than the ellipsoid is taken as it is",
    ),
    (
        "check.float_runs.kernel",
        "distance = square + other - 2.0 * product",
        "distance = square - 2.0 * product + other",
        "the distance of a kernel in another order",
    ),
    (
        "check.float_runs.kernel",
        "power *= known.constant + product",
        "power *= product",
        "a polynomial without its constant",
    ),
    (
        "check.float_runs.winnow",
        "score += rest",
        "score += 0.0",
        "what additions round away is lost",
    ),
    (
        "check.float_runs.winnow",
        "np.maximum(before + step * values.astype(np.int64), self.lowest)",
        "before + step * values.astype(np.int64)",
        "weights fall below their floor",
    ),
    (
        "check.float_runs.winnow",
        "2 / find_margin(phase) ** 2 if",
        "1 / find_margin(phase) ** 2 if",
        "phases end too early",
    ),
    (
        "check.float_runs.ellipsoid",
        "if state.scale[1] < WAITING and len(places) <= FEW:",
        "if state.scale[1] < WAITING:",
        "long rows are not swept",
    ),
    (
        "check.float_runs.ellipsoid",
        "height = WAITING if settle else TILE",
        "height = TILE",
        "bands of a sweep do not depend on what is taken away",
    ),
    (
        "check.float_runs.ellipsoid",
        "return 0.5 / root, 0.0, 0.25",
        "return 0.5 / root, 0.0, 0.5",
        "an interval is cut too little",
    ),
    (
        "check.additive",
        '1e-6 * max(true, 1.0)\n    require(same, f"the comparator loses',
        '1e+6 * max(true, 1.0)\n    require(same, f"the comparator loses',
        "any loss over all rounds is believed",
    ),
    (
        "check.losses",
        "same = type(said) in (int, float) and said == ours",
        "same = type(said) in (int, float)",
        "any log-loss is believed",
    ),
    (
        "check.losses",
        "-ORDER * ours <= said[name] - ours <= room",
        "said[name] - ours <= room",
        "a bound may be smaller than the theorem's",
    ),
    (
        "check.losses",
        "-ORDER * ours <= said[name] - ours <= room",
        "-ORDER * ours <= said[name] - ours",
        "a bound may be larger than the theorem's",
    ),
    (
        "check.losses",
        "-ORDER * claim.floor <= claim.floor - least <= room",
        "claim.floor - least <= room",
        "any floor is believed",
    ),
    (
        "check.losses",
        "type(most) is int and most == claim.most_mistakes",
        "type(most) is int",
        "any number of mistakes follows",
    ),
    (
        "check.losses",
        "counts == (mistakes, len(wrong), (), ())",
        "counts[1:] == (len(wrong), (), ())",
        "any mistakes are believed",
    ),
    (
        "check.losses",
        "shared = log(plays) if run.settings.share else 0.0",
        "shared = 0.0",
        "sharing costs nothing",
    ),
    (
        "check.losses",
        "find_ridges(run, unit, member) * u * u / 2",
        "find_ridges(run, unit, member) * u * u / 4",
        "the size of a comparator costs half",
    ),
    (
        "check.losses",
        "max(0.0, float(sums.slacks[first].sum() + sums.errors[first, 1]))",
        "0.0",
        "quadratics above the losses cost nothing",
    ),
    (
        "check.losses",
        "wealth * int(np.count_nonzero(met))",
        "wealth",
        "only one attribute has a wealth",
    ),
    (
        "check.losses",
        "/ 2 - 0.75",
        "/ 2 + 0.75",
        "a coin's constant has another sign",
    ),
    (
        "check.losses",
        "(len(run.news), 2 * log(2))",
        "(len(run.news), 4 * log(2))",
        "a mistake between units costs twice as much",
    ),
    (
        "check.losses",
        "0 < abs(k) < 2**62",
        "abs(k) < 2**62",
        "a comparator lists zeros",
    ),
    (
        "check.losses",
        "    for k, kappa in enumerate(kappas if run.units.counts[3] else []):",
        "    for k, kappa in enumerate(kappas):",
        "members that have ended are members",
    ),
    (
        "check.comparators",
        "np.float64(values[k]), flags[0])",
        "np.float64(values[k]), False)",
        "a comparator sees rows that the guard has not cut",
    ),
    (
        "check.comparators",
        "if first + t < starts[unit]:",
        "if first + t < 0:",
        "a late unit pays for rounds before it",
    ),
    (
        "check.comparators",
        "near - slope * far",
        "near + slope * far",
        "a quadratic slopes the other way",
    ),
    (
        "check.float_runs.mixtures",
        "(-part, part), axis=1)",
        "(part, part), axis=1)",
        "the mirrored unit has the same scores",
    ),
    (
        "check.float_runs.mixture_room",
        "mirrored = [(0, 1, 1), (0, 0, -1)]",
        "mirrored = [(0, 1, 1), (0, 0, 1)]",
        "the unit of class 0 is not mirrored",
    ),
    (
        "check.float_runs.mixture_rounds",
        "else 1.0 / counts[0]",
        "else 1.0 / (counts[0] + 1)",
        "a new class costs more",
    ),
    (
        "check.float_runs.mixture_rounds",
        "if counts[2] + new > known.limit:",
        "if counts[2] + new >= known.limit:",
        "matrices end an attribute too early",
    ),
    (
        "check.float_runs.mixture_members",
        "known.rates[k] * step * step / (2.0",
        "known.rates[k] * step * step / (4.0",
        "AdaGrad is charged half",
    ),
    (
        "check.float_runs.mixture_members",
        "(gain - across - bent)",
        "(gain + across - bent)",
        "Aioli is charged another sum",
    ),
    (
        "check.float_runs.mixture_members",
        "min(max(wealth, 1.0 / RICHEST), RICHEST)",
        "wealth",
        "a wealth has no limits",
    ),
    (
        "check.losses",
        "[list(range(many))] if softmax else",
        "[[0]] if softmax else",
        "of a softmax only the first class has a size",
    ),
    (
        "check.losses",
        "kept = log(int(run.units.counts[0]) + 1) + fsum(",
        "kept = fsum(",
        "what is kept for classes not met costs nothing",
    ),
    (
        "check.losses",
        "sum(part * log(t + 1) for",
        "sum(part * log(t) for",
        "a new class of a softmax costs less",
    ),
    (
        "check.losses",
        'return kept + (log(2) + shared if run.form == "both" else 0.0)',
        "return kept",
        "mixing a softmax and units costs nothing",
    ),
    (
        "check.losses",
        'same = not softmax or len({(part["member"], part["ridge"]) for part in units}) == 1',
        "same = True",
        "classes of a softmax go through several members",
    ),
    (
        "check.losses",
        "least = float((run.weights / count_plays(run.weights)).min())",
        "least = 1.0",
        "a mistake of a light round costs as much as any",
    ),
    (
        "check.losses",
        'count_mistakes(run, bounds if run.form == "units" else bound)',
        "count_mistakes(run, bounds)",
        "mistakes of a softmax without what classes cost",
    ),
    (
        "check.comparators",
        "weight = plays[t] * each",
        "weight = 1.0",
        "a comparator loses as if rounds counted once",
    ),
    (
        "check.comparators",
        "score = scores[played + again, unit",
        "score = scores[played, unit",
        "all plays of a round have the first one's score",
    ),
    (
        "check.comparators",
        "shares[c] = exponential(scores[c] - highest) if starts[c] <= first + t else 0.0",
        "shares[c] = exponential(scores[c] - highest)",
        "a comparator's classes are met before they come",
    ),
    (
        "check.comparators",
        "spread = logarithm(below) + across",
        "spread = logarithm(below) - across",
        "another entropy of a softmax",
    ),
    (
        "check.round_weights",
        "same = given is None or np.array_equal(take_weights(given, len(codes)), weights)",
        "same = True",
        "weights that come with the rounds may be others",
    ),
    (
        "check.round_weights",
        'same = self.told["by"] != "round" or self._hash.hexdigest() == self.told["digest"]',
        "same = True",
        "any fingerprint of weights is believed",
    ),
    (
        "check.round_weights",
        "weights[t] = rounds / (many * int(counts[code]))",
        "weights[t] = rounds / (2 * int(counts[code]))",
        "balanced weights are always of two classes",
    ),
    (
        "check.float_runs.mixture_rounds",
        "if again == 0:\n                guesses[t] = best",
        "if True:\n                guesses[t] = best",
        "the guess is that of the last play",
    ),
    (
        "check.float_runs.mixture_rounds",
        "exponential(importance * logarithm(chance))",
        "chance",
        "members of light rounds are weighed as of heavy ones",
    ),
    (
        "check.float_runs.mixture_members",
        "importance * known.kappas[k] * high * low",
        "known.kappas[k] * high * low",
        "a light round bends as much as any",
    ),
    (
        "check.float_runs.mixture_classes",
        "* (1.0 - reserve) if code < met else reserve",
        "if code < met else reserve",
        "nothing is kept for classes not met",
    ),
    (
        "check.float_runs.mixture_classes",
        "            if code >= met:\n                met = counts[1]\n                share_out(",
        "            met = counts[1]\n            if code < 0:\n                share_out(",
        "a new class is not learned among the others",
    ),
    (
        "check.float_runs.mixture_classes",
        "+ 0.5 * shared\n    forms[1]",
        "\n    forms[1]",
        "units do not come back",
    ),
    (
        "make.losses",
        "slopes = vectors - (",
        "slopes = vectors + (",
        "the fit of a softmax climbs",
    ),
    (
        "make.losses",
        "return min(found)[2]",
        "return max(found)[2]",
        "the worst comparator is chosen",
    ),
    (
        "make.losses",
        "v - (pulls @ rows) / roots",
        "v + (pulls @ rows) / roots",
        "the fit climbs",
    ),
    (
        "check.regression",
        "same = type(said) in (int, float) and said == ours",
        "same = type(said) in (int, float)",
        "any loss of predicted numbers is believed",
    ),
    (
        "check.regression",
        "0 <= value - ours <= room",
        "value - ours <= room",
        "a bound about numbers may be smaller than the theorem's",
    ),
    (
        "check.regression",
        "0 <= value - ours <= room",
        "0 <= value - ours",
        "a bound about numbers may be larger than the theorem's",
    ),
    (
        "check.regression",
        "0 <= claim.floor - least <= FURTHER",
        "claim.floor - least <= FURTHER",
        "a floor about numbers may be too high",
    ),
    (
        "check.regression",
        "require(counts == (0, rounds, (), ())",
        "require(True",
        "any counts of a run of numbers are believed",
    ),
    (
        "check.regression",
        "require(words == expected and certificate.rows is None",
        "require(True",
        "any words about numbers are believed",
    ),
    (
        "check.regression",
        "known.ridge * float(u @ u)",
        "0.0 * float(u @ u)",
        "the size of a rule costs nothing",
    ),
    (
        "check.regression",
        "(units.purses - units.wealths)",
        "(0 * units.purses - units.wealths)",
        "the first wealth costs nothing",
    ),
    (
        "check.regression",
        "np.full(len(units.sizes), 2 * run.settings.ridge)",
        "np.full(len(units.sizes), 4 * run.settings.ridge)",
        "the floor of least squares counts another ridge",
    ),
    (
        "check.regression",
        "return 2.0 * short, short * short",
        "return 2.0 * short, 0.5 * short * short",
        "another conjugate of the square",
    ),
    (
        "check.regression",
        "return a, 0.5 * reach * a * a",
        "return a, 0.0",
        "no conjugate of Huber's loss",
    ),
    (
        "check.regression",
        "float(units.largest[0]) ** 2 * logs",
        "float(units.largest[0]) * logs",
        "the largest label is not squared",
    ),
    (
        "check.regression",
        "round_outwards(zero + first)",
        "round_outwards(zero)",
        "the first label is forgotten beside no rule",
    ),
    (
        "check.regression",
        "run.first * float(price_number(run.origin, 0.0, known))",
        "float(price_number(run.origin, 0.0, known))",
        "the first label counts once whatever its weight",
    ),
    ("check.regression", "add_carefully(sums.losses, c * loss)", "add_carefully(sums.losses, loss)", "rules lose once"),
    ("check.regression", "c * (a * y - conjugate)", "(a * y - conjugate)", "floors of rounds without weights"),
    (
        "check.regression",
        """or (type(told) is dict and told.get("by") == "round")""",
        "or type(told) is dict",
        "numbers count by classes",
    ),
    (
        "check.float_runs.regressions",
        "logs = c * max(logs, most)",
        "logs = c * logs",
        "the charge of a weighed round may exceed its logarithm",
    ),
    (
        "check.float_runs.regressions",
        "counted = np.arange(len(chunk.codes)) >= self.start - chunk.first",
        "counted = np.arange(len(chunk.codes)) >= 0",
        "labels count from the first one before it is known",
    ),
    (
        "check.float_runs.regressions",
        "y * y * spread / below + first",
        "y * y * spread / below",
        "the first label is not charged",
    ),
    (
        "check.float_runs.regressions",
        "spread * said * said if first == 0 else 0.0",
        "0.0",
        "what was said is not taken off the charge",
    ),
    (
        "check.float_runs.regressions",
        "origin / unit if settings.constant else 0.0",
        "origin / unit",
        "labels are counted from the first one without a constant too",
    ),
    (
        "check.float_runs.regressions",
        "if units.purses[row] == 0:",
        "if units.wealths[row] < wealth:",
        "a wealth is given twice",
    ),
    (
        "check.float_runs.regressions",
        "min(MOST, (unit or 1.0) * REACH)",
        "2 * MOST",
        "labels of any size are played",
    ),
    (
        "check.float_runs.regressions",
        "for _ in range(2 if self.settings.criterion == SQUARE else 1):",
        "for _ in range(1):",
        "squares are not in squared units",
    ),
    (
        "make.regression",
        "claim, _, choice = min(found, key=lambda one: one[:2])",
        "claim, _, choice = max(found, key=lambda one: one[:2])",
        "the worst rule for numbers is chosen",
    ),
    (
        "make.regression",
        "v - ((weights * slopes) @ rows) / roots",
        "v + ((weights * slopes) @ rows) / roots",
        "the fit of numbers climbs",
    ),
    (
        "make.regression",
        "claim.bound * (1 + FURTHER / 2)",
        "claim.bound * (1 + FURTHER * 2)",
        "a bound about numbers is rounded too far",
    ),
    ("check.shown_rounds", "return guess == 1 or toss(", "return toss(", "what the learner accepts is not shown"),
    ("check.shown_rounds", "require_same_run(certificate, run)", "pass", "any mistakes and updates of tasting"),
    (
        "check.shown_rounds",
        "inner.rounds == len(numbers)\n    require(same",
        "True\n    require(same",
        "other rounds inside",
    ),
    ("check.shown_rounds", "chance * 2.0**53", "chance * 2.0**52", "coins of half the chance"),
    ("check.shown_rounds", "advice.digest == certificate.stream", "True", "any outcomes that were not asked for"),
    ("check.late_labels", "return sum(arrivals[k][1] - k for", "return sum(1 + 0 * k for", "nothing outstanding"),
    ("check.late_labels", "require(run.updated == moved,", "require(True,", "any updates of late labels"),
    (
        "check.late_labels",
        "0 <= number < made <= rounds",
        "0 <= number and made <= rounds",
        "labels before their guess",
    ),
    ("check.restarting", "sum(cap + 1 for cap in caps)", "sum(cap for cap in caps)", "caps without the last update"),
    ("check.restarting", "(strict and power == threshold)", "False", "a strict threshold"),
    ("check.restarting", 'require(certificate.witness["phases"] == ends,', "require(True,", "any ends of phases"),
    ("check.weighted", "squares + c * c * sum(", "squares + c * sum(", "weights count once"),
    ("check.weighted", "short + c * max(", "short + max(", "losses without weights"),
    ("check.weighted", "require_same_run(certificate, run)", "pass", "any updates of weighted rounds"),
    ("check.weighted", "excess + 2 * c * max(0, agreement)", "excess", "no excess"),
    ("check.finite_rules", "self.wrong + (said != y)", "self.wrong + (guess != y)", "mistakes of what was accepted"),
    ("check.float_runs.additive", "by.along * float(weights[chunk.first + t])", "by.along", "steps without weights"),
    ("check.league", "levels * end**2 if played.rates", "levels * end if played.rates", "a league's rounds count once"),
    ("check.league", "and witness.get(name) == found", "", "any fingerprints of a league"),
    ("check.league", 'names[reading] == witness["member"]', "True", "a reading of another member"),
    (
        "check.league",
        'require(same, f"the account has',
        'require(True, f"the account has',
        "any phases of a league's account",
    ),
    ("check.league_members", "require(bool(same.all()),", "require(True,", "any scores of members"),
    ("check.league_members", "run is None or run.scores is None", "True", "no scores of members"),
    (
        "check.float_runs.counts",
        "np.concatenate(self.scores) if",
        "np.concatenate(self.scores[:1]) if",
        "scores end early",
    ),
]

EQUIVALENT: dict[str, str] = {  # faults that change nothing which could be noticed, and why
}


def warm_up() -> None:
    """Load everything, once for all processes; Numba's tables are filled by the first kernel that runs."""
    for name in ("pytest", "hypothesis", "hypothesis.extra.numpy", "scipy.sparse", "scipy.optimize", "numba"):
        importlib.import_module(name)
    sys.modules["numba"].njit(lambda x: x + 1)(1)
    for module in pkgutil.walk_packages([str(ROOT / "src" / "littlestone")], "littlestone."):
        if module.name != "littlestone.__main__":
            importlib.import_module(module.name)


def plant(module: str, old: str, new: str, anew: bool) -> None:
    """Put a fault into the functions of a module; where it is not in plain functions only, load everything anew."""
    name = f"littlestone.{find_module(module)}"
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text()
    assert old in source, f"{module} has no {old!r}"
    before, after = (compile(text, spec.origin, "exec") for text in (source, source.replace(old, new, 1)))
    changed = [] if anew or "littlestone.compiled" in source else list_changes(before, after)
    functions = [one for one in gc.get_objects() if type(one) is FunctionType and one.__module__ == name]
    if all(any(one.__code__ == was for one in functions) for was, _ in changed[:1]) and changed:
        for one in functions:
            one.__code__ = dict(changed).get(one.__code__, one.__code__)
        return
    for loaded in [one for one in sys.modules if one.partition(".")[0] == "littlestone"]:
        del sys.modules[loaded]
    parent, _, leaf = name.rpartition(".")
    package = importlib.import_module(parent)
    sys.modules[name] = importlib.util.module_from_spec(spec)
    exec(after, vars(sys.modules[name]))
    setattr(package, leaf, sys.modules[name])


def list_changes(before: CodeType, after: CodeType) -> list[tuple[CodeType, CodeType]]:
    """The functions of a module that a fault changes, outer before inner; none if it changes more than functions."""
    inside = [pair for pair in zip(before.co_consts, after.co_consts, strict=False) if pair[0] != pair[1]]
    codes = [(one, other) for one, other in inside if isinstance(one, CodeType) and isinstance(other, CodeType)]
    outside = [one.replace(co_consts=(), co_linetable=b"") for one in (before, after)]
    if before.co_flags & CO_NEWLOCALS == 0 and (len(codes) < len(inside) or outside[0] != outside[1]):
        return []
    own = [(before, after)] if before.co_flags & CO_NEWLOCALS else []
    return own + [pair for one in codes for pair in list_changes(*one)]


def start_tests(fault: tuple[str, str, str, str], tests: list[str], page: Path, anew: bool) -> int:
    """Fork a process that plants a fault, runs tests until one fails, and writes to a page; its number."""
    process = os.fork()
    if process == 0:
        try:
            out = os.open(page, os.O_WRONLY | os.O_CREAT)
            os.dup2(out, 1)
            os.dup2(out, 2)
            signal.alarm(PATIENCE)
            plant(*fault[:3], anew)
            os._exit(run_pytest(tests, out))
        except BaseException as problem:
            print(f"{type(problem).__name__}: {problem}", flush=True)
        finally:
            os._exit(NOT_PLANTED)
    return process


def run_pytest(tests: list[str], out: int) -> int:
    """Run tests until one fails, saying which runs: one that does not end ends the process."""
    pytest, hypothesis = sys.modules["pytest"], sys.modules["hypothesis"]

    class Quick:
        def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
            os.write(out, f"RUNNING {nodeid}\n".encode())
            signal.setitimer(signal.ITIMER_PROF, LIMIT)

        def pytest_configure(self, config: object) -> None:
            """Whether a test fails matters here, not how simply."""
            phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
            hypothesis.settings.register_profile("quick", hypothesis.settings.default, phases=phases)
            hypothesis.settings.load_profile("quick")

    options, code = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no"], 0
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # what is loaded already holds no tests
    for some in tests:
        code = code or int(pytest.main([*options, *some.split()], [Quick()]))
    sys.stdout.flush()
    return code


def read_page() -> dict[tuple[str, str], str]:
    """The test that failed last time, by module and fault, as the page has it; those that are no longer there left out.

    A test is found by its file and name, and all its cases are run.
    """
    rows = re.findall(r"\| \d+ \| `(.*?)` \| (.*?) \| `(.*?::.*?)`[^|]* \|", PAGE.read_text())
    there = [(module, fault, *test.split("::")) for module, fault, test in rows]
    return {
        (module, fault): f"tests/{file}::{name}"
        for module, fault, file, name in there
        if (ROOT / "tests" / file).exists() and f"def {name}(" in (ROOT / "tests" / file).read_text()
    }


def digest_folder(name: str) -> str:
    """What the Python files of a folder of the project say, as a digest."""
    found = hashlib.sha256()
    for path in sorted((ROOT / name).rglob("*.py")):
        found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def name_commit() -> str:
    """The last commit that changed the package."""
    asked = ["git", "log", "-1", "--format=%h", "--", "src"]
    return subprocess.run(asked, check=False, cwd=ROOT, capture_output=True, text=True).stdout.strip() or "unknown"


def read_record(package: str, tests: str) -> dict[tuple[str, str, str], tuple[bool, str]]:
    """What was seen of faults in this very package: whether they were noticed, and by what.

    A fault that survived other tests than these is to be planted again.
    """
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    seen = [json.loads(line) for line in lines]
    return {
        (one["module"], one["old"], one["new"]): (one["noticed"], one["by"])
        for one in seen
        if one["package"] == package and (one["noticed"] or one["tests"] == tests)
    }


def choose_tests(number: int, first: list[str]) -> list[str]:
    """The tests that are most likely to notice a fault; each word is a run of pytest of its own."""
    module = FAULTS[number][0]
    closest = CLOSEST.get(module, TESTS[0])
    best = closest.split()[0]
    hunts = module.startswith("check.") and f"def {HUNT}(" in (ROOT / best).read_text()
    return [*(first or [f"{best}::{HUNT}"] * hunts), *closest.split()]


def read_outcome(fault: str, said: list[str], code: int) -> tuple[bool, str]:
    """Whether a test noticed the fault, and which, by what a process said and how it ended."""
    running = [line.split(" ")[1] for line in said if line.startswith("RUNNING")]
    if code == -signal.SIGALRM:
        return False, f"**no end within {PATIENCE} seconds**"
    if code == -signal.SIGPROF:
        return True, f"`{running[-1].partition('[')[0].removeprefix('tests/')}` does not end"
    failed = [line.split(" ")[1] for line in said if line.startswith("FAILED")]
    if code not in (0, 1) or (code == 1 and not failed):
        return False, f"could not be planted: {said[-1]}"
    if failed:
        return True, f"`{failed[0].partition('[')[0].removeprefix('tests/')}`"
    return False, f"equivalent: {EQUIVALENT[fault]}" if fault in EQUIVALENT else SURVIVED


def run_faults(
    faults: dict[int, tuple[str, str, str, str]], choose: Callable[[int], list[str]], jobs: int, anew: bool = False
) -> Iterator[tuple[int, bool, str]]:
    """Plant faults in turn, so many at once; the number of each that is done, whether it was noticed, and by what."""
    waiting, running = list(faults), dict[int, int]()
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < jobs:
                number = waiting.pop(0)
                running[start_tests(faults[number], choose(number), Path(folder, str(number)), anew)] = number
            process, status = os.wait()
            number = running.pop(process)
            said = Path(folder, str(number)).read_text().splitlines()
            yield number, *read_outcome(faults[number][3], said, os.waitstatus_to_exitcode(status))


def find_module(name: str) -> str:
    """The full name of a module below `littlestone`; those that check and make certificates go by short names."""
    return f"certificates.{name}" if name.startswith(("check.", "make.")) else name


def list_homeless() -> list[str]:
    """The faults whose text is no longer in their module, and the tests that are no longer there."""
    found = []
    for number, (module, old, _, fault) in enumerate(FAULTS):
        path = ROOT / "src" / "littlestone" / (find_module(module).replace(".", "/") + ".py")
        if not path.exists() or old not in path.read_text():
            found.append(f"{number}: {module} has no {old!r} ({fault})")
    lost = {test for tests in CLOSEST.values() for test in tests.split() if not (ROOT / test).exists()}
    return found + [f"there is no {test}" for test in sorted(lost)]


def write_page(found: dict[int, tuple[bool, str]]) -> None:
    """Write the table of all faults: whether each was noticed, and by what."""
    same = sum(by.startswith("equivalent") for _, by in found.values())
    alive = sum(not killed for killed, _ in found.values()) - same
    head = [
        "# Mutants",
        "",
        f"{len(FAULTS)} faults planted one at a time by `scripts/mutants.py`, all of them in the package of commit",
        f"{name_commit()}; {alive} survived, and {same} more change nothing that could be noticed. Tests are run until",
        "one fails: first the one that failed last time, then those that noticed others of the module, then the",
        "files that know it best, then all other tests of certificates. Without a fault all of them pass.",
        "",
    ]
    lines = [f"| {n} | `{FAULTS[n][0]}` | {FAULTS[n][3]} | {found[n][1]} |" for n in sorted(found)]
    table = ["| | module | fault | the first test that fails |", "|---|---|---|---|", *lines]
    PAGE.write_text("\n".join([*head, *table]) + "\n")


def main() -> int:
    about, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=about, epilog=rest, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, help=f"faults to plant, 0 to {len(FAULTS) - 1}; none: all")
    parser.add_argument("--jobs", type=int, default=1, help="faults that are planted at once, each in its own process")
    parser.add_argument("--check", action="store_true", help="plant nothing, and list the faults that have no place")
    parser.add_argument("--anew", action="store_true", help="judge again what was judged already")
    options = parser.parse_args()
    homeless = list_homeless()
    print("\n".join(homeless) if homeless else f"all {len(FAULTS)} faults have their place")
    if options.check or homeless:
        return 1 if homeless else 0
    chosen, start, last = options.numbers or list(range(len(FAULTS))), time.time(), read_page()
    found, keen = dict[int, tuple[bool, str]](), dict[str, list[str]]()  # by module, the tests that noticed a fault
    package, tests = digest_folder("src"), digest_folder("tests")
    record = {} if options.anew else read_record(package, tests)
    RECORD.parent.mkdir(exist_ok=True)
    os.chdir(ROOT)
    warm_up()

    def choose(number: int) -> list[str]:
        module, _, _, fault = FAULTS[number]
        first = [last[module, fault]] if (module, fault) in last else []
        return choose_tests(number, first + [test for test in keen.get(module, []) if test not in first][:KEEN])

    def note(number: int, killed: bool, by: str, final: bool = True) -> None:
        module, old, new, fault = FAULTS[number]
        found[number] = killed, by
        if final or killed:
            seen = {"package": package, "tests": tests, "module": module, "old": old, "new": new}
            with RECORD.open("a") as file:
                file.write(json.dumps({**seen, "noticed": killed, "by": by}) + "\n")
        if killed and "does not end" not in by:
            test = f"tests/{by.strip('`')}"
            keen[module] = [test, *(other for other in keen.get(module, []) if other != test)]
        print(f"{time.time() - start:6.0f} s  {number:4} {fault}: {by}", flush=True)

    known = {number: record[FAULTS[number][:3]] for number in chosen if FAULTS[number][:3] in record}
    found.update(known)
    first = {number: FAULTS[number] for number in chosen if number not in known}
    for number, killed, by in run_faults(first, choose, options.jobs):
        note(number, killed, by, final=by != SURVIVED)
    left = {number: fault for number, fault in first.items() if found[number] == (False, SURVIVED)}
    for outcome in run_faults(left, lambda number: [*choose(number), " ".join(TESTS)], options.jobs, anew=True):
        note(*outcome)
    alive = sum(not killed and not by.startswith("equivalent") for killed, by in found.values())
    noticed = {f"tests/{by.split('`')[1]}" for killed, by in found.values() if killed}
    nothing = ("base.bound", "return low", "return low", "no fault")
    _, _, by = next(run_faults({0: nothing}, lambda number: [" ".join(sorted(noticed))], 1))
    assert not noticed or by == SURVIVED, f"a test fails without a fault: {by}"
    print(f"{time.time() - start:6.0f} s  without a fault these {len(noticed)} tests pass")
    if len(chosen) == len(FAULTS):
        write_page(found)
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
