"""Forgeries: play honest games with every certified learner, then change what their certificates say, and count.

    python scripts/forgeries.py --seed 1 --games 3000 --forgeries 20000

An honest certificate that is refused, or a forged one that is accepted though it is not true, is a defect: both are
printed with the number of their game, and the exit status is 1. A forger may change any field to any value of any type,
add fields, drop or add updates, state another error, change the rounds and compute their digest. What is true of a
forged certificate is worked out without the checker: see `judge`.

With `--all-verifiers` every certificate is also shown to the verifier in one file with its further learners, and to the
program that is extracted from the proofs, where `make proofs` built it. One that calls an honest certificate false, or
accepts what the library refuses and what is not true, is a defect too.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from honest_games import FAMILIES, Game, Rng
from loss_truth import measure_truth

import littlestone as ls
from littlestone.base.bound import _make_digest, to_json_value
from littlestone.base.errors import LittlestoneError, NotCertified
from littlestone.certificates.make.additive import StepRun
from littlestone.certificates.make.steps import Dyadic
from littlestone.certificates.rounds import write_rounds
from littlestone.game.certify import trace_game

ROOT = Path(__file__).resolve().parent.parent
OTHERS = ("honest true to another", "honest called false", "forged true to another", "accepted FALSE")
COLUMNS = ("games", "not certified", "honest refused", "forged", "refused", "still true", "within rounding", "FALSE")
COUNTED = {"mistakes", "updates", "updated", "marks"}  # what rounding may leave open where a run is not replayed
WORDS = ["class", "sequence", "expectation", "mistakes", "updates", "loss", "float32", "plus", "II", "deep"]
WORDS += [
    "00",
    "x",
    "",
    "Perceptron, hinge loss",
    "Winnow, margin (Littlestone 1988)",
    "Hedge (Freund and Schapire 1997)",
]
MEMBERS = ["AdaGrad(1.0)", "AdaGrad(0.125)", "Coin(1.0)", "Coin(4.0), a priori", "Aioli(0.5)", "Aioli(0.1)"]
CLOSE = Fraction(1, 2**28)
PLAYED = SimpleNamespace(
    replayed=True
)  # the report of a run that was played again, of which rounding leaves nothing open
SHOWN = {"witness", "theorem", "promise"}  # another witness may be as good


def change_value(rng: Rng, value: Any) -> Any:
    """Another value, of the same type or of a like one."""
    if isinstance(value, bool):
        return rng.choice([not value, int(value), None])
    if isinstance(value, int):
        near = [value - 2, value - 1, value + 1, value + 1, value + 2, 2 * value, -value, 0, 10**30]
        return rng.choice([*near, float(value), str(value), value == 1, None, f"{2 * value}/2"])
    if isinstance(value, float):
        near = [2 * value, value / 2, -value, 0.0, value * (1 + 2.0**-20), value * (1 + 2.0**-50), 1000.0]
        return rng.choice([*near, str(value), None, 1, True])
    if isinstance(value, str):
        digits = value.translate({48 + k: 0x660 + k for k in range(10)})
        return rng.choice([*WORDS, value + "0", value + " ", digits, value[::-1], value.replace("/", "0/"), 1, None])
    if isinstance(value, list):
        return change_list(rng, value)
    if isinstance(value, dict):
        if value and rng.random() < 0.85:
            key = rng.choice(list(value))
            return value | {key: change_value(rng, value[key])}
        kept = {key: item for key, item in value.items() if key != rng.choice([*value, ""])}
        return kept if len(kept) < len(value) else value | {rng.choice(["degree", "seed", "more", "real"]): 3}
    return rng.choice([0, 1, False, "", []])


def change_list(rng: Rng, value: list[Any]) -> list[Any]:
    """Something dropped, added, moved or changed."""
    if not value:
        return [rng.choice([0, 1, None])]
    at, kind = rng.randrange(len(value)), rng.randrange(5)
    if kind == 0:
        return value[:at] + value[at + 1 :]
    if kind == 1:
        return [*value[:at], value[at], *value[at:]]
    if kind == 2:
        return value[::-1]
    if kind == 3:
        return [*value, value[-1] + 1 if type(value[-1]) is int else value[-1]]
    return [*value[:at], change_value(rng, value[at]), *value[at + 1 :]]


def forge(rng: Rng, record: dict[str, Any]) -> dict[str, Any]:
    """A certificate, as JSON has it, with one or two things changed."""
    kind = rng.randrange(12)
    listed = record["updated"]
    if kind < 6 and record["counts"] == "log-loss" and "units" in record["witness"]:
        return forge_losses(rng, record)
    if kind == 0 and listed:  # an update that was not, or one less, with the counts that go with it
        at, marks = rng.randrange(len(listed)), record["marks"]
        fewer = {"updated": listed[:at] + listed[at + 1 :], "updates": record["updates"] - 1}
        fewer |= {"marks": marks[:at] + marks[at + 1 :]} if marks else {}
        return record | fewer | {"bound": record["bound"] if rng.random() < 0.5 else change_value(rng, record["bound"])}
    if kind == 1 and type(record["updates"]) is int:
        more = sorted({*listed, rng.randrange(max(1, record["rounds"]))})
        marks = record["marks"] + [1] * (len(more) - len(listed)) if record["marks"] else []
        return record | {"updated": more, "updates": record["updates"] + len(more) - len(listed), "marks": marks}
    if kind == 2 and "error" in record["witness"]:
        larger = rng.choice([2.0**-20, 0.9, 1000.0])
        witness = record["witness"] | {"error": rng.choice([larger, 1000.0])}
        count = str(Fraction(record["count"]) + Fraction(larger)) if record["count"] is not None else None
        return record | {"witness": witness, "count": count, "exact": False}
    if kind == 3:
        return record | {"bound": rng.choice([10**30, record["rounds"] + 1, change_value(rng, record["bound"])])}
    if kind == 4:
        return record | {"mistakes": record["mistakes"] + rng.choice([-2, -1, 1, 2])}
    if kind == 5:
        return record | {rng.choice(["more", "seed", "error", "note"]): rng.choice([1, "x", None])}
    name = rng.choice([name for name in record if name not in ("slack", "holds", "digest")])
    changed = record | {name: change_value(rng, record[name])}
    if kind == 6:
        name = rng.choice(["version", "rows", "witness", "learner", "bound", "theorem"])
        changed |= {name: rng.choice([None, change_value(rng, changed.get(name))])}
    return changed


def forge_losses(rng: Rng, record: dict[str, Any]) -> dict[str, Any]:
    """A certificate of log-loss with another number, comparator, member or ridge; some differ by a few bits only."""
    witness, kind = record["witness"], rng.randrange(4)
    units, at = witness["units"], rng.randrange(len(witness["units"]))
    part = units[at]
    if kind == 0:
        name = rng.choice(list(witness))
        return record | {"witness": witness | {name: change_value(rng, witness[name])}}
    if kind == 1:
        name, factor = rng.choice(["bound", "count", *witness]), 1 + rng.choice([-1, 1]) * 2.0 ** -rng.randrange(1, 53)
        if name in ("bound", "count"):
            return record | {name: record[name] * factor}
        if isinstance(witness[name], float):
            return record | {"witness": witness | {name: witness[name] * factor}}
    if kind == 2:
        part = part | {"member": rng.choice(MEMBERS)}
    else:
        name = rng.choice(list(part))
        part = part | {name: change_value(rng, part[name])}
    return record | {"witness": witness | {"units": [*units[:at], part, *units[at + 1 :]]}}


def seal(record: dict[str, Any]) -> str:
    """The forgery as JSON, with the slack, the verdict and the digest that such numbers have."""
    try:
        counted = record["updates"] if record["counts"] == "updates" else record["mistakes"]
        pair = record["bound"], counted if record["count"] is None else record["count"]
        bound, made = (Fraction(value) if isinstance(value, str) else value for value in pair)
        record = record | {"slack": to_json_value(bound - made), "holds": made <= bound}
    except (ValueError, TypeError, ArithmeticError):
        pass
    record = {name: value for name, value in record.items() if name != "digest"}
    return json.dumps(record | {"digest": _make_digest(record)})


def disturb(rng: Rng, game: Game) -> Game:
    """The same game with rounds that were dropped, moved, relabelled or changed."""
    order, y = list(range(len(game.y))), list(game.y)
    at, kind = rng.randrange(len(order)), rng.randrange(4)
    X = game.X.copy() if isinstance(game.X, np.ndarray) else list(game.X)
    if kind == 0 and len(order) > 4:
        del order[at]
    elif kind == 1:
        rng.shuffle(order)
    elif kind == 2:
        y[at] = rng.choice(y)
    else:
        X[at] = X[rng.randrange(len(order))]
    X = X[order] if isinstance(X, np.ndarray) else [X[t] for t in order]
    return game._replace(X=X, y=[y[t] for t in order])


def list_changes(honest: ls.Certificate, forged: ls.Certificate) -> set[str]:
    """The fields in which two certificates differ, in type too."""
    one, other = (json.loads(certificate.to_json()) for certificate in (honest, forged))
    names = {*one, *other} - {"slack", "holds", "digest"}
    return {name for name in names if json.dumps(one.get(name)) != json.dumps(other.get(name))}


def judge(game: Game, honest: ls.Certificate, forged: ls.Certificate, report: Any) -> str:
    """What an accepted forgery is: `still true`, true `within rounding` as its report says, or `FALSE`.

    The honest certificate says what the run did. Other parameters, or rounds, are true if that learner does the same on
    those rounds; a witness may be any that gives the bound (see `is_given`); a loss may differ by its error,
    and a bound by the share that floats may have measured too much (see `find_room`).
    """
    changed = list_changes(honest, forged)
    if honest.counts == "log-loss" and "learner" not in changed:
        try:
            told = is_told(game, honest, forged)
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError):
            return "FALSE"  # that is no witness
        return "still true" if told and changed <= {"witness", "bound"} else "FALSE"
    if forged.version is None:
        changed -= {"version", "rows"}
    changed -= {"rows"}  # how the rows were held is no claim: the run so held must have the counts
    if "learner" in changed:
        again = certify_as_described(game, forged)
        return judge(game, again, forged, report) if again is not None else "FALSE"
    if "witness" in changed:
        try:
            changed -= SHOWN | {"bound"} if is_given(game, forged) else set()
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError):
            return "FALSE"  # that is no witness
    if "count" in changed and not forged.exact and forged.witness.get("error", 0) <= 1e-6:
        changed -= {"count"} if abs(Fraction(honest.counted) - Fraction(forged.counted)) <= 1e-6 else set()
    if "bound" in changed and forged.version is None and forged.bound > honest.bound:
        changed -= {"bound"}  # by the rules of its day a bound may be larger than the least
    if changed == {"bound"} and honest.learner["name"] == "Elimination" and forged.bound == honest.bound + 1:
        return "still true"  # of the same rounds, if attributes were not declared before the first
    if "bound" in changed:
        near = abs(Fraction(honest.bound) - Fraction(forged.bound)) <= find_room(honest) * Fraction(honest.bound)
        changed -= {"bound"} if near else set()
    moved = changed & COUNTED
    if moved and changed <= COUNTED | {"count", "bound"} and not report.replayed and "rounding" in str(report):
        return "within rounding"
    return "FALSE" if changed else "still true"


def find_room(honest: ls.Certificate) -> Fraction:
    """The share of a bound that floats may have measured too much, `CLOSE`: 1 only of a bound beyond 2^28.

    Where a comparator's losses are that much smaller than its agreements, floats know these losses less well.
    """
    unexplained = honest.witness.get("unexplained") or 1.0
    return CLOSE + Fraction(2.0**-44 / unexplained)


def is_told(game: Game, honest: ls.Certificate, forged: ls.Certificate) -> bool:
    """Whether a certificate of log-loss says what its theorem gives with its comparators, by `measure_truth`.

    With those of the honest certificate its numbers are known to the share `CLOSE` of the bound, with others as well as
    the numbers of a run in float32 are. How many mistakes are expected does not depend on them.
    """
    ours, theirs = ({"bound": one.bound} | one.witness for one in (honest, forged))
    told = {name: float(theirs[name]) for name in ("bound", "comparator", "floor", "zero")}
    room = float(CLOSE) * float(honest.bound)
    if theirs["units"] == ours["units"] and any(abs(told[name] - float(ours[name])) > room for name in told):
        return False
    truth = measure_truth(game.X, game.y, forged.learner, forged.witness)
    rough = 1e-7 if forged.learner.get("precision", 64) == 64 else 1e-4
    near = all(abs(told[name] - truth[name]) <= rough * (1 + abs(truth["bound"])) for name in told)
    mistakes = abs(theirs["most_mistakes"] - truth["most_mistakes"]) <= rough * (1 + abs(truth["bound"])) + 1
    return near and mistakes and theirs["expected"] == ours["expected"] and set(theirs) == set(ours)


def is_given(game: Game, forged: ls.Certificate) -> bool:
    """Whether the witness gives the bound, up to one, by what makes certificates of additive learners.

    True where that is not known.
    """
    learner, witness = game.learner, forged.witness
    theorems = [theorem for theorem in learner.theorems() if theorem.name == forged.theorem and theorem.kind == "steps"]
    if game.passes or not theorems or max(map(abs, witness["numerators"]), default=0) >= 2**30:
        return True
    run = trace_game(learner, game.stream).as_run()
    taken = StepRun.of(run.steps, learner.step_rule(), run.real).replay()
    columns = zip(taken.vectors.classes.tolist(), taken.vectors.attributes.tolist(), strict=True)
    places, u, beyond = {column: k for k, column in enumerate(columns)}, np.zeros(taken.vectors.rows.width, np.int64), 0
    blocks = witness.get("classes", [0] * len(witness["attributes"]))
    for block, attribute, numerator in zip(blocks, witness["attributes"], witness["numerators"], strict=True):
        if (block, attribute) in places:
            u[places[block, attribute]] = numerator
        else:
            beyond += numerator**2  # of an attribute that no update has
    facts = taken.measure(Dyadic(u, witness["exponent"]), witness["margin"])
    facts = facts._replace(norm=facts.norm + beyond * Fraction(4) ** witness["exponent"])
    idle = run.steps.idle_mistakes if theorems[0].counts == "mistakes" else 0
    return bool(abs(theorems[0].value(facts) + idle - forged.bound) <= 1)


def certify_as_described(game: Game, forged: ls.Certificate) -> ls.Certificate | None:
    """The honest certificate of the learner that a forged one describes; None if there is no such learner."""

    def build(learner: Any, record: dict[str, Any]) -> Any:
        known = {part.name for part in fields(learner) if str(getattr(learner, part.name)) != record.get(part.name)}
        known &= set(record)  # and what is described by its text, as tuples are, is the same if that is
        parts = {name: record[name] for name in known if isinstance(record[name], int | float | str | bool)}
        fractions = {name for name in parts if isinstance(getattr(learner, name), Fraction)}
        parts |= {name: Fraction(parts[name]) for name in fractions}
        parts |= {name: tuple(record[name]) for name in known if isinstance(record[name], list)}
        parts = {name: value for name, value in parts.items() if name not in ("loss", "concepts", "kernel")}
        if isinstance(record.get("learner"), dict):
            parts["learner"] = build(learner.learner, record["learner"])
        return replace(learner, **parts)

    try:
        seed = forged.learner.get("seed", 0) & (2**63 - 1)
        other = game._replace(learner=build(game.learner, forged.learner), seed=seed)
        again = other.certify()
    except (LittlestoneError, TypeError, ValueError):
        return None
    return replace(again, learner=forged.learner)


class Others:
    """The other verifiers: the one file with its further learners, and the extracted program if it was built."""

    def __init__(self) -> None:
        about = importlib.util.spec_from_file_location("verify_more", ROOT / "verifier" / "littlestone_verify_more.py")
        assert about is not None
        assert about.loader is not None
        self.more = importlib.util.module_from_spec(about)
        about.loader.exec_module(self.more)
        program = ROOT / "proofs" / "build" / "littlestone-verify"
        self.program = program if program.exists() else None
        self.folder = Path(tempfile.mkdtemp())

    def ask(self, text: str, game: Game) -> dict[str, str]:
        """What each says, `true`, `false` or `not covered`; nothing of rounds that cannot be written down."""
        try:
            lines = "\n".join(write_rounds(game.stream)) + "\n"
        except (LittlestoneError, AttributeError):
            return {}
        said = {"the one file": "true"}
        try:
            self.more.verify(text, "game.rounds", lines.encode())
        except self.more.Refused:
            said["the one file"] = "false"
        except (self.more.NotCovered, self.more.BadData):
            said["the one file"] = "not covered"
        if self.program is not None:
            paths = self.folder / "certificate.json", self.folder / "game.rounds"
            paths[0].write_text(text)
            paths[1].write_text(lines)
            done = subprocess.run([self.program, *paths], capture_output=True, timeout=600, check=False)
            said["the program"] = ("true", "false", "not covered")[done.returncode]
        return said


def try_forgery(
    rng: Rng, game: Game, honest: ls.Certificate, others: Others | None = None
) -> tuple[str, str, dict[str, str]]:
    """Forge once: what became of it, what was forged, and what other verifiers say of it."""
    record = json.loads(honest.to_json())
    if rng.random() < 0.15:  # other rounds, under their own digest
        other = disturb(rng, game)
        try:
            again = other.certify()
        except LittlestoneError:
            return "refused", "", {}
        record |= {"stream": again.stream, "rounds": again.rounds}
        game, honest = other, again
    else:
        record = forge(rng, record)
    text = seal(record)
    said = {} if others is None else others.ask(text, game)
    forged = None
    try:
        forged = ls.Certificate.from_json(text)
        if forged.to_json() == honest.to_json():
            return "still true", text, {}
        report = game.verify(forged)
        changes = {name: record.get(name) for name in sorted(list_changes(honest, forged))}
        return judge(game, honest, forged, report), f"{changes} | {report}", said
    except NotCertified:
        if "true" in said.values() and forged is not None and judge(game, honest, forged, PLAYED) == "still true":
            said = {name: "still true" if word == "true" else word for name, word in said.items()}
        return "refused", text, said


def run(
    seed: int, games: int, forgeries: int, families: list[str], others: Others | None = None
) -> tuple[dict[str, Counter[str]], list[str]]:
    """Play games in turn, forge each equally often, and count by family; with a line for each defect."""
    table, defects = {name: Counter[str]() for name in families}, list[str]()
    told = 0
    for number in range(games):
        name, rng = families[number % len(families)], Rng(seed * 1_000_003 + number)
        game, found = FAMILIES[name](rng), table[name]
        found["games"] += 1
        try:
            honest = game.certify()
        except LittlestoneError:
            found["not certified"] += 1
            continue
        try:
            game.verify(ls.Certificate.from_json(honest.to_json()))
        except NotCertified as problem:
            found["honest refused"] += 1
            defects.append(f"{name}, game {number}: honest refused: {problem}: {game.learner}")
            continue
        said = {} if others is None else others.ask(honest.to_json(), game)
        found["honest true to another"] += list(said.values()).count("true")
        for one in (one for one, word in said.items() if word == "false"):
            found["honest called false"] += 1
            defects.append(f"{name}, game {number}: honest called false by {one}: {game.learner}: {honest.to_json()}")
        if honest.counts == "log-loss" and not is_told(game, honest, honest):
            found["FALSE"] += 1
            defects.append(f"{name}, game {number}: the honest certificate is not true: {game.learner}")
        for _ in range((number + 1) * forgeries // games - number * forgeries // games):
            what, text, said = try_forgery(rng, game, honest, others)
            found["forged"] += 1
            found[what] += 1
            found["forged true to another"] += sum(word in ("true", "still true") for word in said.values())
            if what in ("refused", "FALSE") and "true" in said.values():
                found["accepted FALSE"] += 1
                defects.append(f"{name}, game {number}: {said}, the library: {what}: {game.learner}: {text}")
            if what in ("FALSE", "within rounding"):
                defects.append(f"{name}, game {number}: {what}: {game.learner}: {text}")
        for line in defects[told:]:
            print(line, file=sys.stderr, flush=True)
        told = len(defects)
        if (number + 1) % 100 == 0:
            done = sum(table.values(), Counter())
            print(f"{number + 1} games, {done['forged']} forged, {len(defects)} defects", file=sys.stderr, flush=True)
    return table, defects


def main() -> int:
    parser = argparse.ArgumentParser(description="Forge certificates, and count what is accepted.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--forgeries", type=int, default=20000)
    parser.add_argument("--families", default=",".join(FAMILIES), help="some of them, by name")
    parser.add_argument("--all-verifiers", action="store_true", help="ask the one file and the extracted program too")
    given = parser.parse_args()
    others = Others() if given.all_verifiers else None
    table, defects = run(given.seed, given.games, given.forgeries, given.families.split(","), others)
    columns = COLUMNS if others is None else (*COLUMNS, *OTHERS)
    print(f"{'':28}" + "".join(f"{column:>{len(column) + 2}}" for column in columns))
    for name, found in [*table.items(), ("all", sum(table.values(), Counter()))]:
        print(f"{name:28}" + "".join(f"{found[column]:>{len(column) + 2}}" for column in columns))
    print(*defects, sep="\n")
    wrong = ("FALSE", "honest refused", "honest called false", "accepted FALSE")
    return int(any(found[column] for found in table.values() for column in wrong))


if __name__ == "__main__":
    sys.exit(main())
