"""Mutants: plant one fault at a time in what makes and checks certificates, and see a test fail.

    python scripts/mutants.py            plants every fault and writes docs/mutants.md
    python scripts/mutants.py 3 17       only these

A fault is a text in a module and what it becomes. It is planted in a fresh process, in memory: the files stay as they
are, so the machine code kept on disk for the unchanged modules serves every run.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = [f"tests/test_{name}.py" for name in ("theorems", "bound", "trace", "digest")]
TESTS += sorted(
    str(test.relative_to(ROOT))
    for part in ("certificates", "verification")
    for test in (ROOT / "tests" / part).glob("test_*.py")
)

PATIENCE = 300  # seconds; the tests take forty, and an endless loop is a failure too
HUNT = "test_what_is_accepted_is_true_whatever_was_tampered_with"
CLOSEST = {  # the tests that know a module best go first
    "certificates.winnow": "tests/certificates/test_multiplicative.py",
    "certificates.balanced": "tests/certificates/test_multiplicative.py",
    "certificates.programs": "tests/certificates/test_multiplicative.py",
    "promotions": "tests/certificates/test_multiplicative.py",
    "certificates.each": "tests/certificates/test_curved_and_each.py",
    "verification.each": "tests/certificates/test_curved_and_each.py",
    "verification.curved": "tests/certificates/test_curved_and_each.py",
    "verification.winnow": "tests/verification/test_multiplicative_forgeries.py",
    "verification.balanced": "tests/verification/test_multiplicative_forgeries.py",
    "verification.additive": "tests/verification/test_verify.py",
    "verification.recheck": "tests/verification/test_verify.py",
    "verification.rerun": "tests/verification/test_verify.py",
    "verification.pages": "tests/verification/test_verify.py",
    "verification.verifier": "tests/verification/test_verify.py",
    "verification.enclosure": "tests/verification/test_enclosure.py",
    "verification.census": "tests/verification/test_verify.py",
    **dict.fromkeys(
        (
            "certificates.advised",
            *(f"verification.{name}" for name in ("advice", "advised", "allowances", "ballots", "costs", "potentials")),
        ),
        "tests/verification/test_advised.py",
    ),
    **dict.fromkeys(("certificates.mixed", "verification.mixed"), "tests/verification/test_mixed.py"),
    **dict.fromkeys(("mixing", "learners.balanced_winnow"), "tests/test_shards.py"),
    "certificates.witness": "tests/certificates/test_witness.py",
    "certificates.steps": "tests/certificates/test_certificate.py",
    "theorems": "tests/test_theorems.py",
    "bound": "tests/test_bound.py",
    "digest": "tests/test_digest.py",
}

FAULTS = [
    ("theorems", "(m * f.margin) ** 2 <= f.norm", "m * m * f.margin <= f.norm", "Novikoff without the margin's square"),
    (
        "theorems",
        "<= f.norm * (f.reach * m + f.excess)\n\n\ndef _hinge",
        "< f.norm * (f.reach * m + f.excess)\n\n\ndef _hinge",
        "Novikoff strict",
    ),
    (
        "theorems",
        "rest = m * f.margin - f.shortfall\n    return rest <= 0 or rest**2 <= f.norm * (f.reach",
        "rest = m * f.margin\n    return rest <= 0 or rest**2 <= f.norm * (f.reach",
        "hinge forgets the shortfall",
    ),
    (
        "theorems",
        "rest**2 <= scale * f.shortfall * f.margin",
        "rest**2 <= scale * f.shortfall",
        "readable form without a margin",
    ),
    ("theorems", "+ 2 * f.shortfall * f.margin", "+ f.shortfall * f.margin", "total deviation once, not twice"),
    ("theorems", "4 * scale * f.squares", "2 * scale * f.squares", "squared deviation with a wrong constant"),
    (
        "theorems",
        "rest**2 <= f.norm * f.length)",
        "rest**2 <= f.length)",
        "run-dependent bound forgets the length of u",
    ),
    ("bound", "return low", "return high", "largest possible number, plus one"),
    ("theorems", "max(reach / k**2, 1 / (C * k))", "reach / k**2", "passive-aggressive I ignores the cap"),
    ("theorems", "(reach + 1 / (2 * C))", "reach", "passive-aggressive II ignores the damping"),
    ("theorems", "loss == 0,", "loss >= 0,", "passive-aggressive 0 without its hypothesis"),
    ("bound", "self.counted <= self.bound", "self.counted < self.bound", "a bound that is met does not hold"),
    ("bound", "claimed == verdict", "True", "any verdict is believed"),
    ("bound", "digest == _digest(record)", "True", "any digest is believed"),
    ("bound", "1 + Fraction(8, 2**52)", "1 - Fraction(8, 2**52)", "rounding inward"),
    ("certificates.witness", "caps[i])", "1e300)", "dual variables without a cap"),
    ("certificates.witness", "step(u, change, indices", "step(u, -change, indices", "descent in the wrong direction"),
    (
        "certificates.witness",
        "float(rows.products(u).min()), limit",
        "float(rows.products(u).max()), limit",
        "the largest margin for the smallest",
    ),
    (
        "certificates.witness",
        "float(np.linalg.norm(u)) / float(alpha.sum())",
        "float(np.linalg.norm(u)) / len(alpha)",
        "limit of the margin too large or small",
    ),
    ("certificates.programs", "found.x > 1e-9", "found.x > 0.3", "a proof of inseparability without some of its rows"),
    ("certificates.witness", "- bits\n", "- bits + 12\n", "witness rounded to eight bits"),
    ("certificates.witness", "np.ldexp(u, -exponent)", "np.ldexp(u, 1 - exponent)", "witness not at its scale"),
    ("certificates.additive", "longest + 2 * enough", "longest", "margin forgotten in the reach"),
    ("certificates.additive", "rule.margin / float(real(rule.rate))", "rule.margin", "rate forgotten"),
    (
        "certificates.space",
        "np.concatenate((values, -values))",
        "np.concatenate((values, values))",
        "rival stepped towards",
    ),
    ("certificates.space", "out[k] = y * values", "out[k] = values", "labels forgotten"),
    ("certificates.additive", "best.bound + steps.apart", "best.bound", "mistakes that moved nothing forgotten"),
    ("certificates.space", 'steps.marks if rule.kind == "aggressive"', "steps.marks if False", "copies forgotten"),
    (
        "verification.recheck",
        "gap == rule.margin and rule.teaches_at_margin(code)",
        "False",
        "agreement at the margin does not teach",
    ),
    (
        "verification.recheck",
        "near = abs(gap - rule.margin) <= slack and slack > 0",
        "near = True",
        "any decision is excused by rounding",
    ),
    (
        "verification.recheck",
        "near = abs(gap - rule.margin) <= slack and slack > 0",
        "near = False",
        "no decision is excused by rounding",
    ),
    (
        "verification.recheck",
        "exact = self.odd * units <= 1 / e",
        "exact = np.zeros(len(units), bool)",
        "exact floats may err",
    ),
    (
        "verification.recheck",
        "exact = self.odd * units <= 1 / e",
        "exact = np.ones(len(units), bool)",
        "floats never err",
    ),
    (
        "verification.recheck",
        "clear = gaps - errors > above",
        "clear = gaps - errors > -np.inf",
        "rounds that do not teach are not looked at",
    ),
    ("verification.recheck", "gap < 0 or (gap == 0 and lost)", "gap < 0", "lucky ties"),
    ("verification.recheck", "ledger.excess += 2 * over", "ledger.excess += 0", "excess of rounding forgotten"),
    (
        "verification.recheck",
        "weights.get(j, 0) + times * v",
        "weights.get(j, 0) + v",
        "copies and signs forgotten in the replay",
    ),
    ("verification.recheck", "enough and frugal and square > 0", "True", "any number of copies"),
    (
        "verification.recheck",
        "first = mark - 1 == rival or (slack > 0 and other <= slack)",
        "first = True",
        "any rival",
    ),
    ("verification.pages", "seen.digest == certificate.stream", "True", "any stream"),
    (
        "verification.additive",
        "ledger.fewest <= mistakes <= ledger.most",
        "mistakes <= ledger.most",
        "fewer mistakes are believed",
    ),
    (
        "verification.additive",
        "ledger.fewest <= mistakes <= ledger.most",
        "ledger.fewest <= mistakes",
        "more mistakes are believed",
    ),
    ("verification.additive", "certificate.updates == updates", "True", "any number of updates"),
    (
        "verification.additive",
        'f.shortfall == 0, "the witness lacks its margin',
        'True, "the witness lacks its margin',
        "Novikoff without its hypothesis",
    ),
    (
        "verification.additive",
        'f.shortfall == 0, "the witness lacks the margin',
        'True, "the witness lacks the margin',
        "variant 0 without its hypothesis",
    ),
    ("verification.additive", "return goal * goal > room", "return goal > room", "Novikoff checked without the square"),
    ("verification.additive", "(goal - f.shortfall) ** 2 > room", "goal**2 > room", "shortfall not subtracted"),
    ("verification.additive", "m > ratio + 2 * loss", "m > ratio + loss", "total deviation once"),
    ("verification.additive", "4 * ratio * square", "ratio * square", "squared deviation with a wrong constant"),
    ("verification.additive", "(m - loss - ratio) ** 2 > ratio * loss", "m > loss", "readable form without its root"),
    (
        "verification.additive",
        "impossible(name, f, bound + 1)",
        "impossible(name, f, bound)",
        "a bound that is attained is refused",
    ),
    (
        "verification.additive",
        "impossible(name, f, bound + 1)",
        "impossible(name, f, bound + 2)",
        "a bound one too small is accepted",
    ),
    (
        "verification.additive",
        "longest, shortest = max(longest, square)",
        "longest, shortest = min(longest or square, square)",
        "the shortest row for the longest",
    ),
    (
        "verification.additive",
        "copies * short, squares + copies * short**2",
        "short, squares + short**2",
        "copies forgotten in the shortfall",
    ),
    ("verification.additive", "four * longest + 2 * enough", "four * longest", "margin forgotten in the reach"),
    ("verification.additive", "len(set(entries)) == len(entries)", "True", "an entry twice"),
    ("verification.additive", "certificate.exact is claim.exact", "True", "a float run passes for exact"),
    ("verification.pages", "a < b for a, b in zip", "a <= b for a, b in zip", "an update round twice"),
    ("verification.additive", "(certificate.counts, certificate.count) == kind", "True", "another count"),
    ("verification.additive", "-root - Fraction(1, 2**64)", "root", "a negative product counts as positive"),
    ("verification.additive", "bound + 1 - still", "bound + 1", "mistakes that moved nothing not paid for"),
    (
        "verification.rerun",
        "near = some and abs(gap - rule.margin) <= tolerance and tolerance > 0",
        "near = True",
        "any decision of a float run",
    ),
    ("verification.rerun", "rule.step(min(gap, rule.margin), square)", "rule.step(gap / 2, square)", "another step"),
    ("verification.census", "tuple(updated) == certificate.updated", "True", "any update rounds"),
    ("verification.census", 'alive == witness["survivors"]', "False", "no count of survivors fits"),
    ("digest", "(labels, _bytes(given,", "(labels, _bytes(0 * given,", "labels do not count"),
    (
        "verification.pages",
        "columns[given], numbers[given] = indices + 1, values",
        "columns[given], numbers[given] = indices, values",
        "attributes one off",
    ),
    ("verification.pages", "53 - trailing - exponents", "52 - trailing - exponents", "one bit too few"),
    ("digest", '"<f8" if given.dtype.kind == "f" else "<i8"', '"<i8"', "outcomes between 0 and 1 do not count"),
    ("digest", 'f"{experts} {digest.text()}"', 'f"{digest.text()}"', "experts that say 0 do not count"),
    ("certificates.advised", "best[leader] + price < best", "best[leader] < best", "switches are free"),
    ("certificates.advised", "0.0, len(turns) - 1)", "0.0, 0)", "switches are not paid for"),
    ("certificates.advised", "+ regret) + error", "+ regret)", "the error is not added to the bound"),
    (
        "verification.enclosure",
        "a.high, low.high), high.high",
        "a.high, low.low), low.high",
        "clamped to the wrong end",
    ),
    ("verification.enclosure", "rounding=ROUND_CEILING", "rounding=ROUND_FLOOR", "rounding inward"),
    ("verification.ballots", "(1 if said else -1)", "1", "every vote is for 1"),
    ("verification.ballots", "abs(value) > sum(", "abs(value) > 0 * sum(", "rounding may decide a vote"),
    ("verification.ballots", "said is None and guess != y", "said is None and False", "sleepers share no mistakes"),
    ("verification.ballots", "share if y == 0 else 1 - share", "share", "outcomes do not count"),
    ("verification.costs", "max(self.quantile, 1 - self.quantile) * width", "width / 2", "another largest loss"),
    ("verification.costs", "2 / self.top if", "1 / self.top if", "another mixable rate"),
    ("verification.potentials", "before[k], left)", "before[k], ONE)", "sleepers are charged nothing"),
    ("verification.potentials", "reals.of(1 - self.rule.switching)", "reals.of(1)", "shares are dealt and kept"),
    ("verification.potentials", "reals.multiply(reals.of(2), fall)", "fall", "half the anytime rate"),
    ("verification.potentials", "reals.divide(self.variety, gap)", "gap", "another adaptive rate"),
    ("verification.potentials", "(2 * (1 - penalty))", "(4 * (1 - penalty))", "a steeper coin"),
    ("verification.advice", "require(not (strict and asleep)", "require(True", "anybody may sleep"),
    ("verification.advice", 'said.get("memory", 1) == 1', "True", "the past may be forgotten"),
    ("verification.advised", "advice.digest == certificate.stream", "True", "any rounds"),
    ("verification.advised", "told == heard", "True", "any theorem by any name"),
    ("verification.advised", "(error == 0) is certificate.exact", "True", "exact with an error"),
    ("verification.advised", "told == exact", "True", "any loss of the witness"),
    ("verification.advised", "told == here", "True", "any votes of the witness"),
    ("verification.advised", "certificate.count == count", "True", "any expectation"),
    ("verification.advised", "counted.fewest <= certificate.mistakes <= counted.most", "True", "any mistakes"),
    ("verification.advised", "above = part.high <= reals.of(high).low", "above = True", "a bound that is too small"),
    ("verification.advised", "below = spread is None or", "below = True or", "any loss that is too large"),
    ("verification.advised", "rising and known and turns", "known", "a schedule in any order"),
    ("verification.allowances", "reals.of(switches + 1), variety", "reals.of(1), variety", "switches cost no choice"),
    ("verification.allowances", "rounds - 1 - switches", "0", "staying costs nothing"),
    ("verification.allowances", "claim.rate * rounds / 8", "0", "Hedge without its second term"),
    ("verification.allowances", "Fraction(16, 3)", "Fraction(0)", "AdaHedge without its constant"),
    ("verification.allowances", "totals[best] == min(totals)", "True", "AdaHedge against anybody"),
    (
        "verification.allowances",
        "reals.of(1 - claim.penalty)",
        "reals.of(1)",
        "randomized majority without its divisor",
    ),
    (
        "verification.allowances",
        "reals.multiply(reals.of(2), reals.ln",
        "reals.multiply(reals.of(4), reals.ln",
        "a quarter of the majority's bound",
    ),
    ("verification.allowances", "mean * whole + mean - 1", "mean * whole", "the last leaders never err"),
    (
        "verification.allowances",
        "reals.divide(variety, reals.of(claim.cost.mixable))",
        "ZERO",
        "aggregating without regret",
    ),
    ("promotions", "reached < goal or", "reached <= goal or", "one power too many in Winnow's exponent"),
    ("certificates.winnow", "total * log.exponent + slack", "total * log.exponent", "Winnow's slack forgotten"),
    ("certificates.winnow", "log.exponent + slack + fixed", "log.exponent + slack", "demotions forgotten in u"),
    (
        "certificates.winnow",
        "ceil(total * b / ((b - 1) * below)) - 1",
        "ceil(total * b / ((b - 1) * below))",
        "v not strict",
    ),
    ("certificates.winnow", "excess += over *", "excess += 0 *", "what rounding added is forgotten"),
    (
        "certificates.winnow",
        "additions += len(now - before)",
        "additions += len(now)",
        "kept variables are added again",
    ),
    ("certificates.balanced", "- entropy + log * real(short)", "- entropy", "Balanced Winnow's shortfall forgotten"),
    ("certificates.balanced", ".ln()) + 1", ".ln())", "a phase ends one update early"),
    ("certificates.each", "steps.classes[which] == c", "steps.classes[which] != c", "a unit learns the other classes"),
    ("certificates.programs", "np.full(len(demotions), ceiling)", "np.full(len(demotions), 1.0)", "any ceiling"),
    ("verification.winnow", "over == 0 and positive == claim.strict", "over == 0", "ties are decided both ways"),
    ("verification.winnow", "abs(over) <= slack and slack > 0", "True", "any decision of Winnow is excused"),
    ("verification.winnow", "exponent - 1\n", "exponent - 2\n", "a demotion counts twice"),
    ("verification.winnow", "exponent + up + down + fixed", "exponent + up + fixed", "slack of demotions forgotten"),
    ("verification.winnow", "exponent + up + down + fixed", "exponent + down + fixed", "slack of promotions forgotten"),
    ("verification.winnow", "exponent + up + down + fixed", "exponent + up + down", "demotions forgotten in u"),
    ("verification.winnow", "left = p - b * q * claim.above / claim.below", "left = Fraction(p)", "divisor forgotten"),
    ("verification.winnow", "down == 0 and (elimination or up == 0)", "True", "slack where there must be none"),
    ("verification.winnow", "q == 0 and all(k == p for k in numerators)", "True", "any target is a disjunction"),
    ("verification.winnow", "min((*numerators, q)) >= 0 and p > 0", "p > 0", "negative targets"),
    ("verification.winnow", "(beyond and factor**j == goal)", "False", "ties at the threshold forgotten in E"),
    ("verification.winnow", "len(added - now), added", "0, added", "additions are free"),
    (
        "verification.winnow",
        "bool(now & set(next(rows[up]))) == up",
        "bool(next(rows[up]) is not None)",
        "any schedule",
    ),
    ("verification.winnow", "certificate.bound >= most", "certificate.bound >= most - 1", "a bound one too small"),
    ("verification.balanced", "(agreement <= 0) != listed", "False", "Balanced Winnow's decisions are not checked"),
    ("verification.balanced", "near = abs(score) <= slack and slack > 0", "near = True", "any decision is excused"),
    ("verification.balanced", 'witness["caps"] == caps', "True", "any caps"),
    ("verification.balanced", "bound - sum(caps) + 1", "bound - sum(caps) + 2", "a bound one too small is accepted"),
    ("verification.balanced", "high * short / size", "0 * short", "shortfall forgotten"),
    ("verification.balanced", "low * margin - growth", "low * margin", "ln cosh forgotten"),
    ("verification.balanced", "short == 0 or not clean", "True", "margin claimed where there is none"),
    ("verification.balanced", "ln(Fraction(2 * len(met)))", "ln(Fraction(len(met)))", "ln n for ln 2n"),
    ("verification.balanced", "return length > high", "return length >= high - 1", "phases end early"),
    ("verification.balanced", "high + ERROR * (1 + abs(high))", "low", "logarithms rounded inward"),
    ("verification.each", "numbers == (steps, bounds)", "True", "any sum of bounds"),
    ("verification.each", "page.codes[skip:] == c", "page.codes[skip:] != c", "a unit of the other classes"),
    ("verification.each", "gap == 0 and rival < code", "gap == 0", "ties lost by every class"),
    ("verification.curved", "near = abs(score) <= slack and slack > 0 and not nothing", "near = True", "any cut"),
    ("verification.curved", "agreement >= Fraction(margin) > 0", "True", "an ellipsoid without a margin"),
    ("verification.curved", "(bound + 1) * loss > d *", "(bound + 1) * loss > ", "the dimension forgotten"),
    (
        "verification.curved",
        "excess, Fraction(margin), sum(short, Fraction(0))",
        "excess, Fraction(margin), Fraction(0)",
        "hinge loss of a kernel forgotten",
    ),
    (
        "verification.curved",
        "gram[max(i, j)][min(i, j)]",
        "gram[i][j] if i >= j else Fraction(0)",
        "half a Gram matrix",
    ),
    ("digest", "self._catch_up(-1)", "self._catch_up(BEHIND)", "what waits for its thread does not count"),
    ("verification.curved", "float(sizes.sum()) <= limit", "False", "exact kernels may err"),
    ("verification.curved", "float(sizes.sum()) <= limit", "True", "floats of kernels never err"),
    ("certificates.steps", "chunk.importance is None", "True", "rounds of unequal importance"),
    ("certificates.witness", "<= close * value:", "<= value:", "a search that ends before it began"),
    (
        "certificates.witness",
        "values, alpha, u)\n    for sweep",
        "values, 0 * alpha, u)\n    for sweep",
        "u without its steps",
    ),
    ("certificates.additive", "way += copies[t] * length", "way += 0 * length", "what rounding may hide is forgotten"),
    ("certificates.witness", "abs(self.exponent) < 100", "True", "short floats hold anything"),
    ("digest", "3 * (self._entries + turns) + kinds[turns]", "self._entries + turns", "kinds of numbers do not count"),
    (
        "certificates.mixed",
        "np.full(len(part.steps.rounds), float(part.share))",
        "np.ones(len(part.steps.rounds))",
        "shares forgotten in the shortfall",
    ),
    ("certificates.mixed", "total += float(part.share) * exceeded", "total += 0 * exceeded", "excess forgotten"),
    ("certificates.mixed", "mean += float(part.share) * weights", "mean += weights", "a sum of shards for their mean"),
    ("certificates.mixed", "float(squares.max(initial=0.0)) + 2 * enough", "float(squares.max())", "margin forgotten"),
    (
        "certificates.mixed",
        "Fraction(m, FINE))) + 1, FINE)",
        "Fraction(m, FINE))), FINE)",
        "a mixed bound rounded down",
    ),
    ("certificates.mixed", "best.bound + 1 + apart", "best.bound + apart", "a mixed count taken for a whole number"),
    ("verification.mixed", "share * ledger.excess", "0 * ledger.excess", "excess of mixtures forgotten"),
    ("verification.mixed", "share * len(ledger.steps)", "len(ledger.steps)", "shares forgotten in the mixed count"),
    ("verification.mixed", "order[code], away, share)", "order[code], away, 1)", "shares forgotten in the shortfall"),
    ("verification.mixed", '["weights"] == "uniform" or', '["weights"] or', "uniform shares for those by updates"),
    ("verification.mixed", "require(seen.digest == digest", "require(True", "any rounds of a shard"),
    ("verification.mixed", "if seen.rounds]  # others", "]  # others", "shards without rounds have a share"),
    ("verification.mixed", '["passes"] if shards', '["passes"] - 1 if shards', "the last pass skipped"),
    ("verification.mixed", "        mean = _mean(", "        _mean(", "every pass starts from nothing"),
    ("verification.mixed", "steps + len(benches) + 4", "steps", "the rounding of a mean forgotten"),
    ("verification.mixed", "Fraction(bound)), f", "Fraction(bound) + 1), f", "a mixed bound one too small"),
    ("verification.mixed", "facts.margin > 0", "True", "a mixed bound without a margin"),
    ("verification.additive", "require(f.margin > 0", "require(True", "a bound without a margin"),
    ("verification.recheck", "sizes.max(initial=self.far) <= self.top", "True", "weights beyond all floats"),
    ("verification.mixed", "require(len(labels) <= 2", "require(True", "a class that a shard has not met is guessed"),
    ("verification.pages", "len(declared) <= limit", "True", "a third class passes for the second"),
    ("verification.verifier", "require(not unknown", "require(True", "words that no learner has"),
    ("mixing", "total / part.share", "total / part.shards", "a mean of unequal shares by their number"),
    ("learners.balanced_winnow", "high + mixtures * log_between(a)[1]", "high", "rounded exponents not paid for"),
]

PLANT = """
import importlib, importlib.util, sys
import littlestone.compiled.decorators as kernel
name, old, new = sys.argv[1:4]
spec = importlib.util.find_spec("littlestone." + name)
source = open(spec.origin).read()
assert source.count(old) >= 1, f"{{name}} has no {{old!r}}"
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
folder, kernel.FOLDER = kernel.FOLDER, None
exec(compile(source.replace(old, new, 1), spec.origin, "exec"), module.__dict__)
kernel.FOLDER = folder
parent, _, leaf = spec.name.rpartition(".")
setattr(importlib.import_module(parent), leaf, module)
import pytest

class Quick:
    def pytest_configure(self, config):  # whether a test fails matters here, not how simply
        import hypothesis
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile("quick", hypothesis.settings.default, phases=phases)
        hypothesis.settings.load_profile("quick")

options = ["-x", "-q", "-p", "no:cacheprovider", "--no-header"]
for tests in sys.argv[4:]:
    code = pytest.main([*options, *tests.split()], plugins=[Quick()])
    if code:
        break
sys.exit(code)
"""


def _ordered(module: str) -> list[str]:
    """All tests, those first that are most likely to notice; each word is a run of pytest of its own.

    In one run pytest would put a file among the others of its folder.
    """
    closest = CLOSEST.get(module, TESTS[0])
    hunts = module.startswith("verification.") and f"def {HUNT}(" in (ROOT / closest).read_text()
    return [*([f"{closest}::{HUNT}"] if hunts else []), closest, " ".join(test for test in TESTS if test != closest)]


def planted(number: int) -> tuple[bool, str]:
    """Whether a test failed, and which one."""
    module, old, new, _ = FAULTS[number] if number >= 0 else ("bound", "return low", "return low", "no fault")
    command = [sys.executable, "-c", PLANT.replace("{{", "{").replace("}}", "}"), module, old, new, *_ordered(module)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return True, f"none ends within {PATIENCE} seconds"
    failed = [line.split("::")[1].split(" ")[0] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    if done.returncode not in (0, 1) or (done.returncode == 1 and not failed):
        return False, f"could not be planted: {(done.stdout + done.stderr).strip().splitlines()[-1]}"
    return bool(failed), failed[0].split("[")[0] if failed else "**survived**"


def main() -> int:
    assert planted(-1)[1] == "**survived**", "the tests must pass before a fault is planted"
    chosen = [int(word) for word in sys.argv[1:]] or list(range(len(FAULTS)))
    lines, alive, start = [], 0, time.time()
    for number in chosen:
        killed, by = planted(number)
        alive += not killed
        module, _, _, fault = FAULTS[number]
        lines.append(f"| {number} | `{module}` | {fault} | {by.replace('_', ' ')} |")
        print(f"{time.time() - start:6.0f} s  {lines[-1]}", flush=True)
    if len(chosen) == len(FAULTS):
        head = [
            "# Mutants",
            "",
            f"{len(FAULTS)} faults planted one at a time by `scripts/mutants.py`; {alive} survived.",
            "",
        ]
        table = ["| | module | fault | the first test that fails |", "|---|---|---|---|", *lines]
        (ROOT / "docs" / "mutants.md").write_text("\n".join([*head, *table]) + "\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
