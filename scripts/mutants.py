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
TESTS = ["tests/certificates", "tests/verification"]
TESTS += [f"tests/test_{name}.py" for name in ("theorems", "bound", "trace", "digest")]

PATIENCE = 120  # seconds; the tests take ten

FAULTS = [
    ("theorems", "m * f.margin) ** 2 <= f.norm", "m * f.margin) <= f.norm", "Novikoff without the square"),
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
    ("theorems", "rest**2 <= f.norm * f.length)", "rest**2 <= f.length)", "run-dependent bound forgets |u|"),
    ("theorems", "return low", "return high", "largest possible number, plus one"),
    ("theorems", "max(reach / k**2, 1 / (C * k))", "reach / k**2", "passive-aggressive I ignores the cap"),
    ("theorems", "(reach + 1 / (2 * C))", "reach", "passive-aggressive II ignores the damping"),
    ("theorems", "loss == 0,", "loss >= 0,", "passive-aggressive 0 without its hypothesis"),
    ("bound", "self.counted <= self.bound", "self.counted < self.bound", "a bound that is met does not hold"),
    ("bound", "claimed == verdict", "True", "any verdict is believed"),
    ("bound", "digest == _digest(record)", "True", "any digest is believed"),
    ("bound", "1 + Fraction(8, 2**52)", "1 - Fraction(8, 2**52)", "rounding inward"),
    ("certificates.witness", "caps[i])", "1e300)", "dual variables without a cap"),
    ("certificates.witness", "change * values[k]", "-change * values[k]", "descent in the wrong direction"),
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
        "certificates.additive",
        "np.concatenate((values, -values))",
        "np.concatenate((values, values))",
        "rival stepped towards",
    ),
    ("certificates.additive", "values * sign[row]", "values", "labels forgotten"),
    ("certificates.additive", "best.bound + steps.apart", "best.bound", "mistakes that moved nothing forgotten"),
    ("certificates.additive", 'steps.marks if rule.kind == "aggressive"', "steps.marks if False", "copies forgotten"),
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
    ("digest", "labels.update(np.asarray(chunk.labels)", "labels.update(np.zeros(len(chunk))", "labels do not count"),
    (
        "verification.pages",
        "columns[given], numbers[given] = indices + 1, values",
        "columns[given], numbers[given] = indices, values",
        "attributes one off",
    ),
    ("verification.pages", "53 - trailing - exponents", "52 - trailing - exponents", "one bit too few"),
]

PLANT = """
import importlib, importlib.util, sys
import littlestone.kernel as kernel
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
sys.exit(pytest.main([*options, *sys.argv[4:]], plugins=[Quick()]))
"""


def planted(number: int) -> tuple[bool, str]:
    """Whether a test failed, and which one."""
    module, old, new, _ = FAULTS[number] if number >= 0 else ("theorems", "return low", "return low", "no fault")
    command = [sys.executable, "-c", PLANT.replace("{{", "{").replace("}}", "}"), module, old, new, *TESTS]
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
