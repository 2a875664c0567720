"""Write the vectors: honest certificates over all families, and forgeries with the reason each must be refused.

    python verifier/make_vectors.py            # writes verifier/vectors/ anew, from a fixed seed
    python verifier/make_vectors.py --edges    # only those that verifiers once told apart wrongly, the others stay
    python verifier/make_vectors.py --agree 1000 --mutations 20 --family perceptron --seed 3

The third form writes nothing: it plays random games of a family, changes their certificates at random, and compares the
verdict of the library with that of the one file. A disagreement is printed and ends in exit status 1.
"""

import argparse
import ast
import importlib.util
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from scipy import sparse

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "scripts"), str(HERE.parent / "src")]

from forgeries import forge, seal  # noqa: E402
from honest_games import FAMILIES, Game, Rng, draw_perceptron, draw_rows  # noqa: E402

import littlestone as ls  # noqa: E402
from littlestone.base.errors import LittlestoneError, NotCertified  # noqa: E402
from littlestone.base.features.schema import Schema  # noqa: E402
from littlestone.certificates.rounds import RoundsFile, write_rounds  # noqa: E402
from littlestone.game.late_labels import play_late  # noqa: E402

SEED, EACH, MOST, LONGEST = 24, 4, 6, 6000  # games of a family, forgeries of a certificate, bytes of a certificate
COVERED = (  # families of which the one file, or that with further learners beside it, says yes or no
    "perceptron", "normalized", "aggressive", "passive-aggressive", "alma and romma", "voted", "network", "units",
    "passive-aggressive network", "winnow", "balanced winnow", "finite", "experts", "ridge", "league", "log-loss",
)  # fmt: skip
FURTHER = (
    "products", "second order", "second-order network", "ellipsoid", "kernel",
)  # fmt: skip
Record = dict[str, Any]
Edit = Callable[[random.Random, Record], Record]


def draw_numbers(rng: Rng) -> Game:
    """A game of least squares: rows with zeros, labels by a rule and noise, far from 0 or near it, or all the same."""
    X, y = draw_rows(rng)
    scale, start = 10.0 ** rng.choice([0, 0, -5, 5]), rng.choice([0.0, 0.0, 100.0])
    labels = [scale * (start + float(x[0]) + (rng.gauss(0, 1) if more else 0.0)) for x, more in zip(X, y, strict=True)]
    labels = [float(round(label)) for label in labels] if rng.random() < 0.2 else labels
    labels = [0.0] * len(labels) if rng.random() < 0.05 else labels
    learner = ls.Ridge(rng.choice([0.1, 1.0, 10.0]), bias=rng.choice([1.0, 0.0]), guard=rng.random() < 0.5)
    thin = rng.random() < 0.3
    return Game(learner, X, labels, lambda X, y: ls.Recorded(sparse.csr_matrix(X) if thin else X, y))


class LeagueGame(Game):
    """A game of a league: the learner is its members, what else it is given, what is certified, and of which rounds."""

    def certify(self) -> ls.Certificate:
        members, given, kind, stretch = self.learner
        return ls.League(members, **given).play(self.stream).certificate(kind, stretch)


def draw_league(rng: Rng) -> Game:
    """A game of a league with members of all kinds that are played again, over rows that are listed."""
    X, y = draw_rows(rng)
    X, y = X[:60].astype(float), y[:60]
    if rng.random() < 0.3:
        y = [int(abs(float(x[0]))) % 3 for x in X]
    pool = [draw_perceptron(rng), ls.AveragedPerceptron(), ls.AggressivePerceptron(), ls.PassiveAggressive("II", 0.1)]
    pool += [ls.Alma(0.5), ls.Romma(), ls.Network(ls.Perceptron()), ls.Network(ls.PassiveAggressive(), "each")]
    given: Record = rng.choice([{}, {}, {"rates": ()}, {"rates": (0.3,)}, {"switching": False}])
    kind = rng.choice(["log loss", "log loss", "mistakes", "mistakes", "choices", "mixtures"])
    cut = kind == "log loss" and given.get("switching", True) and rng.random() < 0.5
    stretch = (rng.randrange(1, len(y) // 2 + 1), rng.randrange(len(y) // 2 + 1, len(y) + 1)) if cut else None
    members = rng.sample(pool, rng.randrange(1, 4))
    learner = (members, given | {"seed": rng.randrange(9)}, kind, stretch)
    return LeagueGame(learner, X, y, lambda X, y: ls.Recorded(sparse.csr_matrix(X), y))


GAMES: dict[str, Callable[[Rng], Game]] = FAMILIES | {"ridge": draw_numbers, "league": draw_league}


def load_one_file(name: str = "littlestone_verify") -> Any:
    """The one file, or that with further learners beside it, as a module, loaded once."""
    if name in sys.modules:
        return sys.modules[name]
    about = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert about is not None
    assert about.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


def load_verifier() -> Any:
    """What verifies all families: the file with further learners, and by it the one file."""
    return load_one_file("littlestone_verify_more")


def ask_one_file(verifier: Any, certificate: str, name: str, data: bytes) -> str:
    """`true`, `false`, or `not covered` for what it does not know or cannot read."""
    try:
        verifier.verify(certificate, name, data)
        return "true"
    except verifier.Refused:
        return "false"
    except (verifier.NotCovered, verifier.BadData):
        return "not covered"


def ask_library(certificate: str, path: Path, learner: Any = None) -> str:
    """What the library says of a certificate and a file."""
    try:
        claimed = ls.Certificate.from_json(certificate)
        ls.verify(claimed, open_data(claimed, path), learner)
        return "true"
    except NotCertified:
        return "false"


def read_learner(given: str) -> Any:
    """A learner of ours from its constructor call, which is read and never run."""

    def build(node: ast.expr) -> Any:
        if not isinstance(node, ast.Call):
            return ast.literal_eval(node)
        assert isinstance(node.func, ast.Name)
        assert node.func.id in ls.__all__
        return getattr(ls, node.func.id)(**{str(part.arg): build(part.value) for part in node.keywords})

    return build(ast.parse(given, mode="eval").body)


def open_data(claimed: ls.Certificate, path: Path) -> Any:
    """The stream of a file; forecasts of experts are rows of as many numbers as there are experts."""
    if path.suffix != ".rounds":
        like = None if claimed.columns is None else Schema.from_record(claimed.columns)
        return ls.read(path, **({} if like is None else {"like": like}))
    experts = claimed.witness.get("experts") if isinstance(claimed.witness, dict) else None
    return RoundsFile(path, experts if type(experts) is int and 0 < experts < 2**20 else None)


def _add(number: Any, more: int) -> Any:
    if isinstance(number, str):
        top, _, bottom = number.partition("/")
        return f"{int(top) + more * int(bottom)}/{bottom}"
    return number + more


def _list_updates(record: Record, updated: list[int]) -> Record:
    marks = [1] * len(updated) if record["marks"] else []
    return record | {"updated": sorted(updated), "updates": len(updated), "marks": marks}


def _change_vector(rng: random.Random, record: Record) -> Record:
    numerators = [-3 * k for k in record["witness"]["numerators"]]
    return record | {"witness": record["witness"] | {"numerators": numerators}}


# what a forger may change, by the reason for which it must be refused
EDITS: dict[str, Edit] = {
    "the bound is one less than the witness gives": lambda rng, r: r | {"bound": _add(r["bound"], -1)},
    "the bound is one more than the theorem's value": lambda rng, r: r | {"bound": _add(r["bound"], 1)},
    "the run makes one mistake more": lambda rng, r: r | {"mistakes": r["mistakes"] + 1},
    "the run makes one mistake less": lambda rng, r: r | {"mistakes": r["mistakes"] - 1},
    "the number of updates is not that of the list": lambda rng, r: r | {"updates": r["updates"] + 1},
    "a round that taught is not listed": lambda rng, r: _list_updates(r, rng.sample(r["updated"], len(r["updated"]) - 1)),
    "a round is listed that did not teach": lambda rng, r: _list_updates(
        r, [*r["updated"], rng.choice(sorted(set(range(r["rounds"])) - set(r["updated"])))]
    ),
    "no theorem has this name": lambda rng, r: r | {"theorem": "Perceptron, optimistic"},
    "the promise is not that of the theorem": lambda rng, r: r | {"promise": "the data are nice"},
    "the theorem counts something else": lambda rng, r: r | {"counts": "rounds"},
    "it is true of this sequence, not of a class of them": lambda rng, r: r | {"scope": "class"},
    "exact is said of what is not, or the other way round": lambda rng, r: r | {"exact": not r["exact"]},
    "it speaks of fewer rounds than were hashed": lambda rng, r: r | {"rounds": r["rounds"] - 1},
    "the fingerprint is that of other rounds": lambda rng, r: r | {"stream": r["stream"][::-1]},
    "a field that the format does not have": lambda rng, r: r | {"note": "trust me"},
    "a version that does not exist": lambda rng, r: r | {"version": 3},
    "a learner has no such parameter": lambda rng, r: r | {"learner": r["learner"] | {"luck": 1.0}},
    "the comparator is another vector": _change_vector,
    "the witness lacks a field": lambda rng, r: r | {"witness": dict(list(r["witness"].items())[1:])},
    "the margin is a whole number, not a float": lambda rng, r: r | {"witness": r["witness"] | {"margin": 1}},
    "rows were not held so: the sums differ, or there is no such form": lambda rng, r: r
    | {"rows": r["rows"] | {"form": "sorted"}},
    "another learner does not make these updates": lambda rng, r: r | {"learner": r["learner"] | {"bias": 7.25}},
    "numbers are written in ASCII, fractions in lowest terms": lambda rng, r: r | {"bound": "4/2"},
    "a truth value is no number": lambda rng, r: r | {"mistakes": r["mistakes"] > 0},
}  # fmt: skip


def _change_witness(name: str, change: Callable[[Any], Any]) -> Edit:
    return lambda rng, r: r | {"witness": r["witness"] | {name: change(r["witness"][name])}}


def _change_member(rng: random.Random, record: Record) -> Record:
    members = record["learner"]["members"]
    return record | {"learner": record["learner"] | {"members": [members[0] | {"name": "another"}, *members[1:]]}}


LEAGUE_EDITS: dict[str, Edit] = {
    "the readings gave the labels other chances": _change_witness("panel", lambda text: text[::-1]),
    "what was served is something else": _change_witness("served", lambda text: text[::-1]),
    "the guesses are others": _change_witness("guesses", lambda text: text[::-1]),
    "a member has another name": _change_member,
    "weight is shared at another rate": lambda rng, r: r | {"learner": r["learner"] | {"rates": [0.5]}},
    "the stretch ends a round earlier": _change_witness("stretch", lambda ends: [ends[0], ends[1] - 1]),
    "another reading loses something else": _change_witness("reading", lambda number: (number + 1) % 11),
    "the best member makes another number of mistakes": _change_witness(
        "phases", lambda phases: [[*phases[0][:4], phases[0][4] + 1, phases[0][5]], *phases[1:]]
    ),
    "shares do not add up to 2^20": _change_witness("shares", lambda shares: [shares[0] + 1, *shares[1:]]),
}


def list_forgeries(rng: random.Random, honest: str) -> Iterator[tuple[str, str]]:
    """Forgeries of a certificate in any order, each with the reason."""
    record = json.loads(honest)
    more = LEAGUE_EDITS if record["learner"]["name"] == "League" else {}
    for reason in [*more, *rng.sample(list(EDITS), len(EDITS))]:
        try:
            forged = (more | EDITS)[reason](rng, record)
        except (LookupError, TypeError, ValueError, AttributeError):
            continue  # of a kind that this certificate does not have
        if forged != record:
            yield seal(forged), reason
    yield honest.replace(record["digest"], record["digest"][::-1]), "the digest is that of another certificate"
    yield honest.replace("{", '{"bound": 0, ', 1), "it says something twice"


def play(rng: random.Random, family: str, most: int = LONGEST) -> tuple[Game, ls.Certificate, str]:
    """A game of a family whose certificate is short, and its rounds."""
    while True:
        game = GAMES[family](rng)
        try:
            certificate = game.certify()
            dump = "\n".join(write_rounds(game.stream)) + "\n"
        except LittlestoneError:
            continue
        if len(certificate.to_json()) <= most and len(dump) <= most:
            return game, certificate, dump


def make_vectors(folder: Path) -> Counter[str]:
    """Write all vectors and their index."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    index, counts, many = list[Record](), Counter[str](), len(EDITS) + 2

    def write(entry: Record, text: str) -> None:
        (folder / entry["certificate"]).write_text(text + "\n", encoding="utf-8")
        index.append(entry)
        counts["true" if entry["true"] else "false"] += 1

    def add(family: str, name: str, text: str, data: str, learner: Any = None) -> None:
        entry = {
            "name": name,
            "family": family,
            "certificate": f"{name}.json",
            "data": data,
            "true": True,
            "reason": "",
        }
        entry |= {} if learner is None else {"given": repr(learner)}
        write(entry, text)
        made = 0
        for k, (forged, reason) in enumerate(list_forgeries(random.Random(f"{SEED} {name}"), text)):
            if (
                made < (2 * MOST if family == "league" else MOST)
                and ask_library(forged, folder / data, learner) == "false"
            ):
                told = {
                    "name": f"{name}-{k % many}",
                    "certificate": f"{name}-{k}.json",
                    "true": False,
                    "reason": reason,
                }
                write(entry | told, forged)
                made += 1

    for name, (learner, data, text) in FILES.items():
        (folder / data).write_text(text)
        add("files", name, ls.certify(learner, ls.read(folder / data)).to_json(), data)
    for family in (*COVERED, *FURTHER):
        for k in range(2 * EACH if family == "league" else EACH if family in COVERED else 2):
            rng, name = random.Random(f"{SEED} {family} {k}"), f"{family.replace(' ', '-')}-{k}"
            game, certificate, dump = play(rng, family)
            (folder / f"{name}.rounds").write_text(dump)
            add(family, name, certificate.to_json(), f"{name}.rounds", game.learner if game.needed else None)
            add_other_rounds(folder, index[-1] | {"family": family}, name, certificate.to_json(), dump, write)
    write_index(folder, index)
    return counts + add_edges(folder)


def write_index(folder: Path, index: list[Record]) -> None:
    """Write the list of all vectors."""
    lines = ",\n".join(json.dumps(entry, sort_keys=True) for entry in index)
    (folder / "index.json").write_text(f"[\n{lines}\n]\n")


def add_edges(folder: Path) -> Counter[str]:
    """Write the vectors of `list_edges` beside the others, which stay as they are."""
    index, counts, edges = json.loads((folder / "index.json").read_text()), Counter[str](), list(list_edges())
    names = {name for _, name, *_ in edges}
    index = [entry for entry in index if entry["name"] not in names]
    for family, name, text, dump, reason, learner in edges:
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        (folder / f"{name}.rounds").write_text(dump)
        entry = {"name": name, "family": family, "certificate": f"{name}.json", "data": f"{name}.rounds"}
        entry |= {"true": not reason, "reason": reason} | ({} if learner is None else {"given": repr(learner)})
        index.append(entry)
        counts["false" if reason else "true"] += 1
    write_index(folder, index)
    return counts


def list_edges() -> Iterator[tuple[str, str, str, str, str, Any]]:
    """Certificates that verifiers once told apart wrongly: family, name, text, rounds, reason, learner to be given.

    `elsewhere` are honest ones of learners that the one file and its further learners do not cover, `unreadable` rounds
    that are none.
    """
    labels = [(3 * t) % 7 > 2 for t in range(12)]
    X = [[float((3 * t) % 7 - 2), float(t % 4 - 1), float((5 * t) % 3)] for t in range(12)]
    rows, none = ls.Recorded(sparse.csr_matrix(X), labels), ls.Recorded(sparse.csr_matrix((0, 3)), [])
    classes = ls.Recorded(sparse.csr_matrix(X), [t % 3 for t in range(12)])
    bits = ls.Recorded(
        sparse.csr_matrix([[t % 2, t // 2 % 2, 1 - t % 2] for t in range(12)], dtype=float), [t % 3 for t in range(12)]
    )
    long = ls.Recorded(sparse.csr_matrix([[1e30 * x for x in row] for row in X]), labels)
    points = ls.Recorded([0, 1, 2, 3], [False, False, True, True])

    def dump(stream: Any) -> str:
        return "\n".join(write_rounds(stream)) + "\n"

    def edit(certificate: ls.Certificate, **parts: Any) -> str:
        return seal(json.loads(certificate.to_json()) | parts)

    late = play_late(ls.Player(ls.Perceptron(), classes=[False, True]), rows, 3).certificate()
    yield "elsewhere", "late-labels", late.to_json(), dump(rows), "", None
    for name, unit, stream in (
        ("passive", ls.PassiveAggressive(), classes), ("aggressive", ls.AggressivePerceptron(), classes),
        ("normalized", ls.Perceptron(normalized=True), classes), ("winnow", ls.Winnow(2.0), bits),
    ):  # fmt: skip
        each = ls.certify(ls.Network(unit, "each"), stream)
        yield "elsewhere", f"units-{name}", each.to_json(), dump(stream), "", None
    shown = ls.certify(ls.Conservative(ls.Perceptron()), rows)
    yield "elsewhere", "shown-perceptron", shown.to_json(), dump(rows), "", None
    for name, learner in (("forgetron", ls.Forgetron()), ("restarting", ls.Restarting(ls.Winnow(2.0), attributes=3))):
        yield "elsewhere", f"no-rounds-{name}", ls.certify(learner, none).to_json(), dump(none), "", None
    far = ls.certify(ls.Perceptron(normalized=True), long)
    yield "normalized", "normalized-long-rows", far.to_json(), dump(long), "", None

    units = ls.certify(ls.Network(ls.Perceptron(), "each"), classes)
    parts = json.loads(units.to_json())["witness"]["units"]
    first, *rest = parts[0]["updated"]
    for name, wrong in (("float", float(first)), ("flag", bool(first))):
        text = edit(units, witness={"units": [parts[0] | {"updated": [wrong, *rest]}, *parts[1:]]})
        yield "edges", f"unit-round-{name}", text, dump(classes), "the number of a round is a whole number", None
    plain = ls.certify(ls.Perceptron(), rows)
    about = json.loads(plain.to_json())["learner"]
    yield "edges", "marks-object", edit(plain, marks={}), dump(rows), "an object is no list", None
    text = seal({key: value for key, value in json.loads(plain.to_json()).items() if key != "exact"})
    yield "edges", "exact-missing", text, dump(rows), "it does not say whether it is exact", None
    for name, value in (("large", 1e31), ("small", 1e-31)):
        for word in ("rate", "margin", "bias"):
            text = edit(ls.certify(ls.Perceptron(), none), learner=about | {word: value})
            yield "edges", f"{word}-{name}", text, dump(none), f"no learner has a {word} of {value:g}", None
    league = ls.League([ls.Perceptron()], seed=1).play(rows).certificate("log loss")
    told = json.loads(league.to_json())["learner"]
    text = edit(league, learner=told | {"members": [told["members"][0] | {"joined": False}]})
    yield "edges", "joined-flag", text, dump(rows), "a member joins after a whole number of rounds", None
    learner = ls.Halving(ls.Thresholds(4))
    halving = ls.certify(learner, points)
    text = edit(halving, learner=json.loads(halving.to_json())["learner"] | {"classes": [0, True]})
    yield "edges", "classes-number", text, dump(points), "the classes of a concept are false and true", learner
    coin = ls.certify(ls.Coin(), rows)
    witness = json.loads(coin.to_json())["witness"]
    text = edit(coin, witness=witness | {"units": [unit | {"ridge": 2.0**40} for unit in witness["units"]]})
    yield "edges", "ridge-of-a-coin", text, dump(rows), "the bound has no such charge", None

    one = edit(ls.certify(ls.Perceptron(), none), rounds=1)
    for name, value in (("far", "0p30000000000"), ("overflow", "1p99999"), ("even", "2p1"), ("long", "1" * 5000)):
        text = f"littlestone rounds 2\ntrue\t0:{value}\n"
        yield "unreadable", f"value-{name}", one, text, "a value is no float as it is written", None
    text = f"littlestone rounds 2\n{'1' * 5000}\t0:1\n"
    yield "unreadable", "label-long", one, text, "a label is a number that is too long", None


def add_other_rounds(folder: Path, entry: Record, name: str, text: str, dump: str, write: Any) -> None:
    """The honest certificate beside rounds of which two stand in another order, or one is left out."""
    first, *lines = dump.splitlines()
    turned = [*lines[1:], lines[0]]
    for way, changed, reason in (
        ("turned", turned, "the rounds stand in another order"),
        ("fewer", lines[:-1], "the last round is missing"),
    ):
        if changed != lines:
            data = f"{name}-{way}.rounds"
            (folder / data).write_text("\n".join([first, *changed]) + "\n")
            told = {
                "name": f"{name}-{way}",
                "certificate": f"{name}.json",
                "data": data,
                "true": False,
                "reason": reason,
            }
            write(entry | told, text)


FILES = {
    "svmlight-perceptron": (ls.Perceptron(), "points.svm", "".join(
        f"{1 if (3 * t) % 7 > 2 else -1} 1:{(3 * t) % 7} 3:0.{t}1 {'9:0 ' * (t % 2)}12:{t - 4}e-1 # round {t}\n"
        for t in range(9))),
    "svmlight-network": (ls.Network(ls.Perceptron()), "classes.svm", "".join(
        f"{t % 3} {t % 3 + 1}:1 {t % 5 + 4}:0.3\n" for t in range(12))),
    "csv-numbers": (ls.Perceptron(margin=0.5), "numbers.csv", "height,weight,label\n" + "".join(
        f"{1.5 + t / 7:.3f},{60 + 5 * (t % 4)},{'yes' if t % 3 else 'no'}\n" for t in range(12))),
    "csv-categories": (ls.PassiveAggressive(), "categories.csv", "age,colour,owner,sold\n" + "".join(
        f"{30 + t * 7 % 11},{('red', 'green', 'dark blue')[t % 3]},{'?' if t == 4 else 'c' + str(t % 4)},"
        f"{'yes' if t % 3 == 1 else 'no'}\n" for t in range(14))),
    "csv-winnow": (ls.Winnow(threshold=2.0), "bits.csv", "a,b,c,d,y\n" + "".join(
        f"{t % 2},{t // 2 % 2},{t // 4 % 2},{t // 8 % 2},{int(t % 2 or t // 4 % 2)}\n" for t in range(16))),
    "text-perceptron": (ls.Perceptron(), "mails.txt", "".join(
        f"{'spam' if t % 2 else 'ham'}\t{('See you at five', 'Free MONEY, free!', 'Größe: 42 Café', 'win money now')[t % 4]}\n"
        for t in range(9))),
}  # fmt: skip


def agree(family: str, games: int, mutations: int, seed: int, folder: Path) -> Counter[str]:
    """Play games of a family, change their certificates, and count the verdicts of the library and the one file."""
    verifier, counts, path = load_verifier(), Counter[str](), folder / "game.rounds"
    for k in range(games):
        rng = random.Random(f"{seed} {family} {k}")
        game, certificate, dump = play(rng, family, 2**17)
        path.write_text(dump)
        honest = certificate.to_json()
        texts = [honest, *(seal(forge(rng, json.loads(honest))) for _ in range(mutations))]
        for place, text in enumerate(texts):
            ours = ask_library(text, path, game.learner if game.needed else None)
            theirs = ask_one_file(verifier, text, path.name, dump.encode())
            kind = "honest" if place == 0 else "changed"
            agreed = ours == theirs or (theirs == "not covered" and (place > 0 or family not in COVERED))
            agreed = agreed and (place > 0 or ours == "true")  # what the library made, it must accept
            counts[f"{kind}: library {ours}, one file {theirs}"] += 1
            counts["disagreements"] += not agreed
            if not agreed:
                print(f"{family}, game {k}, certificate {place}: library {ours}, one file {theirs}\n{text}")
    return counts


def main() -> int:
    """Write the vectors, or compare verdicts."""
    parser = argparse.ArgumentParser(description="Write vectors, or compare the library with the one file.")
    parser.add_argument("--agree", type=int, default=0, help="compare verdicts over so many games of each family")
    parser.add_argument("--mutations", type=int, default=20, help="changed certificates of each game")
    parser.add_argument("--family", action="append", choices=list(GAMES), help="a family (all that are covered)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edges", action="store_true", help="write the vectors of known mistakes only")
    given = parser.parse_args()
    if given.edges:
        print(dict(add_edges(HERE / "vectors")))
        return 0
    if not given.agree:
        print(dict(make_vectors(HERE / "vectors")))
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for family in given.family or COVERED:
            counts = agree(family, given.agree, given.mutations, given.seed, Path(folder))
            print(family, dict(sorted(counts.items())), flush=True)
            wrong += counts["disagreements"]
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
