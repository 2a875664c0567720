"""The file for log-loss beside the one file: it plays the default learner again to the bit, and refuses forgeries."""

import ast
import json
import math
import random
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.rounds import write_rounds
from littlestone.compiled.exponential import exponential
from littlestone.compiled.logarithm import logarithm
from littlestone.game.league.described import describe_learner
from places import ROOT

VERIFIER = ROOT / "verifier"
FILE = VERIFIER / "littlestone_verify_more.py"
sys.path.insert(0, str(VERIFIER))
vectors = import_module("make_vectors")
sys.path.remove(str(VERIFIER))
vectors.load_verifier()
losses = vectors.load_one_file("littlestone_verify_more")


def ask(text, stream):
    """What the file says of a certificate and rounds."""
    data = ("\n".join(write_rounds(stream)) + "\n").encode()
    try:
        losses.verify(text, "game.rounds", data)
    except (losses.Refused, losses.NotCovered) as problem:
        return f"{type(problem).__name__}: {problem}"
    return "true"


def ask_library(text, stream):
    """The same of the library."""
    try:
        ls.verify(ls.Certificate.from_json(text), stream)
    except NotCertified as problem:
        return f"Refused: {problem}"
    return "true"


def draw_rows(classes=2, rounds=60, seed=3):
    """Rows with zeros and values that grow, and labels by a rule and noise."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, 4)), 2) * (rng.random((rounds, 4)) < 0.7) * [1, 100, 1e-6, 1]
    X *= np.linspace(0.5, 4, rounds)[:, None]
    return X, [f"c{k}" for k in np.abs(np.round(X[:, 0] + rng.normal(size=rounds))).astype(int) % classes]


def play_default():
    """A game of the default learner of two classes."""
    stream = ls.Recorded(*draw_rows())
    return stream, ls.certify(ls.Logistic(), stream).to_json()


STREAM, HONEST = play_default()
LEARNERS = [
    ls.AdaGrad(0.125), ls.AdaGrad(8.0, guard=False, precision=64), ls.Coin(4.0, bias=0), ls.Coin(precision=64),
    ls.Aioli(), ls.Aioli(0.1, 1.0, bias=0), ls.Logistic(share=False, precision=64), ls.Logistic(second_order=3),
    ls.Logistic((1.0,), (), (0.25,)),
]  # fmt: skip


def test_the_default_learner_is_verified_to_the_bit():
    X, y = draw_rows()
    for rows in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        stream = ls.Recorded(rows, y)
        certificate = ls.certify(ls.Logistic(), stream)
        assert ask(certificate.to_json(), stream) == "true"
        assert certificate.count > 0


@pytest.mark.parametrize("classes", [3, pytest.param(6, marks=pytest.mark.long)])
def test_classes_that_come_late_or_were_declared(classes):
    X, y = draw_rows(classes)
    y[:20] = [("c0", "c1")[t % 2] for t in range(20)]
    stream = ls.Recorded(X, y)
    assert ask(ls.certify(ls.Logistic(), stream).to_json(), stream) == "true"
    player = ls.Player(ls.Logistic(), classes=[f"c{k}" for k in range(classes)])
    assert ask(ls.play(player, stream).certificate().to_json(), stream) == "true"


@pytest.mark.long
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("classes", [2, 4])
def test_every_learner_for_log_loss_is_verified(learner, classes):
    stream = ls.Recorded(*draw_rows(classes))
    assert ask(ls.certify(learner, stream).to_json(), stream) == "true"


@pytest.mark.long
@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("form", ["softmax", "both"])
def test_a_softmax_alone_and_beside_units_is_verified(form, classes):
    """With classes that come late and that were declared, through every member that a witness may go by."""
    X, y = draw_rows(classes)
    y[:20] = [("c0", "c1")[t % 2] for t in range(20)]
    stream, declared = ls.Recorded(X, y), [f"c{k}" for k in range(classes)]
    for player in (ls.Player(ls.Logistic(classes=form)), ls.Player(ls.Logistic(classes=form), classes=declared)):
        text = ls.play(player, stream).certificate().to_json()
        assert ask(text, stream) == "true"
        record = json.loads(text)
        for name, change in (("zero", 2.0**-20), ("floor", 2.0**-20), ("expected", -(2.0**-40))):
            said = record["witness"][name]
            witness = record["witness"] | {name: said * (1 + change) if said else 1.0}  # a floor of 0 is none
            forged = vectors.seal(record | {"witness": witness})
            assert {ask(forged, stream)[:7], ask_library(forged, stream)[:7]} == {"Refused"}


def forge(record, **changes):
    """A certificate with other fields, those of the witness and of its only unit too, sealed."""
    unit = record["witness"]["units"][0] | {name: changes.pop(name) for name in UNIT if name in changes}
    witness = record["witness"] | {"units": [unit]}
    witness |= {name: changes.pop(name) for name in list(changes) if name in (*WITNESS, "more")}
    return vectors.seal(record | {"witness": witness} | changes)


UNIT, WITNESS = ("member", "ridge", "attributes", "numerators"), ("comparator", "floor", "zero", "expected", "units")
WITNESS = (*WITNESS, "most_mistakes")
FORGERIES = {
    "the bound is less than the witness gives": lambda r, w, u: {"bound": r["bound"] * (1 - 2.0**-40)},
    "the bound is rounded up too far": lambda r, w, u: {"bound": r["bound"] * (1 + 2.0**-20)},
    "the log-loss is less by one unit in the last place": lambda r, w, u: {"count": math.nextafter(r["count"], 0)},
    "the run makes one mistake less": lambda r, w, u: {"mistakes": r["mistakes"] - 1},
    "fewer mistakes are expected": lambda r, w, u: {"expected": math.nextafter(w["expected"], 0)},
    "fewer mistakes can be": lambda r, w, u: {"most_mistakes": w["most_mistakes"] - 1},
    "the comparator loses less": lambda r, w, u: {"comparator": w["comparator"] * (1 - 2.0**-30)},
    "the floor is higher": lambda r, w, u: {"floor": w["floor"] + 2.0**-20},
    "the loss of u = 0 is higher": lambda r, w, u: {"zero": w["zero"] * 1.001},
    "another comparator": lambda r, w, u: {"numerators": [k + 2**16 for k in u["numerators"]]},
    "an attribute that never occurs": lambda r, w, u: {"attributes": [*u["attributes"][:-1], 77]},
    "an attribute twice": lambda r, w, u: {"attributes": [u["attributes"][0], *u["attributes"][:-1]]},
    "another member": lambda r, w, u: {"member": "AdaGrad(32.0)"},
    "a member that there is not": lambda r, w, u: {"member": "AdaGrad(2.0)"},
    "a ridge that is negative": lambda r, w, u: {"ridge": -1.0},
    "a word more": lambda r, w, u: {"more": 1},
    "no unit": lambda r, w, u: {"units": []},
    "another learner": lambda r, w, u: {"learner": r["learner"] | {"share": False}},
    "a learner that lacks a parameter": lambda r, w, u: {"learner": drop(r["learner"], "share")},
    "a parameter that no learner has": lambda r, w, u: {"learner": r["learner"] | {"luck": 1.0}},
    "the theorem of another learner": lambda r, w, u: {
        "theorem": "Coin, log-loss (Kempka, Kotlowski and Warmuth 2019)"
    },
    "other rounds": lambda r, w, u: {"stream": r["stream"][::-1]},
    "rows are held in a form": lambda r, w, u: {"rows": {"form": "dense", "width": 4, "values": "float64"}},
}


def drop(record, name):
    """A record without one of its words."""
    return {key: value for key, value in record.items() if key != name}


def make_forgery(kind):
    """The default learner's certificate, forged."""
    record = json.loads(HONEST)
    return forge(record, **FORGERIES[kind](record, record["witness"], record["witness"]["units"][0]))


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forgery_is_refused_by_both(kind):
    text = make_forgery(kind)
    assert ask(text, STREAM).startswith("Refused"), kind
    assert ask_library(text, STREAM).startswith("Refused"), kind


CHECKS = {
    "the bound is less than the witness gives": (losses, "ORDER", 1.0),
    "the bound is rounded up too far": (losses, "FURTHER", 1.0),
    "the comparator loses less": (losses, "check_claim", lambda *given: None),
    "the floor is higher": (losses, "check_claim", lambda *given: None),
    "the loss of u = 0 is higher": (losses, "check_claim", lambda *given: None),
    "the run makes one mistake less": (losses.one.Certificate, "require", lambda *given, **words: None),
    "the log-loss is less by one unit in the last place": (
        losses.one.Certificate, "require", lambda *given, **words: None),
    "fewer mistakes are expected": (losses.one, "is_same", lambda a, b: True),
    "fewer mistakes can be": (losses.one, "is_same", lambda a, b: True),
    "a parameter that no learner has": (losses.one, "require_words", lambda *given: None),
    "a word more": (losses.one, "require_words", lambda *given: None),
}  # fmt: skip


@pytest.mark.parametrize("kind", CHECKS)
def test_a_forgery_is_accepted_where_its_check_is_taken_out(kind, monkeypatch):
    """So that each is refused for the reason that it has."""
    monkeypatch.setattr(*CHECKS[kind])
    assert ask(make_forgery(kind), STREAM) == "true"


def test_numbers_may_be_what_sums_in_another_order_give():
    """The library of another version of Python may add up otherwise: the last bits of a bound are not the claim."""
    record = json.loads(HONEST)
    for step, said in ((2.0**-50, "true"), (2.0**-49, "true"), (2.0**-46, "Refused")):
        lower = forge(record, bound=record["bound"] * (1 - step), floor=record["witness"]["floor"] * (1 + step))
        assert ask(lower, STREAM).startswith(said)
        assert ask_library(lower, STREAM).startswith(said)


def test_what_is_not_covered_is_said_in_words():
    record = json.loads(HONEST)
    text = forge(record, learner=record["learner"] | {"weights": {"by": "balanced"}})
    assert ask(text, STREAM) == "NotCovered: rounds of unequal importance are not covered here"


@pytest.mark.parametrize(
    ("classes", "form"),
    [(2, "units"), *(pytest.param(4, form, marks=pytest.mark.long) for form in ("units", "softmax", "both"))],
)
def test_a_member_of_a_league_says_what_it_said(classes, form):
    """All numbers of the mixture and of its members, to the bit; those with a matrix sleep once they have ended."""
    X, y = draw_rows(classes)
    y[:20] = [("c0", "c1")[t % 2] for t in range(20)]
    learner = ls.Logistic(second_order=4, classes=form)
    X[:30, 3] = 0
    players = {"default": ls.Player(learner), "late": ls.Player(ls.AdaGrad())}
    league = ls.League([ls.LeagueMember(player, name) for name, player in players.items()], keep=True)
    league.play(ls.Recorded(X, y))
    names = list(dict.fromkeys(y))
    rows = [[(i, x) for i, x in enumerate(row) if x != 0] for row in X.tolist()]
    game = SimpleNamespace(entries=rows, codes=[names.index(label) for label in y], classes=len(names))
    for name, own in (("default", learner), ("late", ls.AdaGrad())):
        about = describe_learner(own)
        found = losses.MEMBERS[about["name"]]({"learner": about, "joined": 0, "name": name}, game)
        numbers = np.concatenate([np.array(said).T for _, _, said in found])
        assert np.array_equal(numbers, league.forecasts[name], equal_nan=True)
        assert np.isnan(numbers).any() == (name == "default" or classes > 2)
        assert [(part, kind) for part, kind, _ in found] == [tuple(saying) for saying in own.sayings()]


def test_functions_give_the_floats_of_the_compiled_ones():
    rng = random.Random(5)
    numbers = [rng.uniform(-40, 40) for _ in range(300)] + [rng.uniform(-800, 800) for _ in range(100)]
    numbers += [0.0, -0.0, 1e-300, -5e-324, *(k * math.log(2) / 2 for k in range(-9, 10)), 700.0, -700.0]
    assert [losses.exponential(x) for x in numbers] == [float(exponential(x)) for x in numbers]
    numbers = [2.0 ** rng.uniform(-900, 900) for _ in range(300)] + [1.0, 0.5, math.sqrt(0.5), 1e-300, 2.0]
    assert [losses.logarithm(x) for x in numbers] == [float(logarithm(x)) for x in numbers]


@pytest.mark.parametrize("name", ["svmlight-perceptron", "csv-categories", "text-perceptron"])
def test_it_runs_alone_on_files_of_all_kinds(name, tmp_path):
    """As a stranger runs it: with Python and the two files, and nothing of ours on the path."""
    _, data, text = vectors.FILES[name]
    (tmp_path / data).write_text(text)
    certificate = ls.certify(ls.Logistic(), ls.read(tmp_path / data))
    (tmp_path / "c.json").write_text(certificate.to_json())
    command = [sys.executable, "-I", FILE, tmp_path / "c.json", tmp_path / data]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:5]) == (0, "true:"), done
    forged = json.loads(certificate.to_json()) | {"mistakes": certificate.mistakes + 1}
    (tmp_path / "c.json").write_text(vectors.seal(forged))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:6]) == (1, "false:"), done


def test_it_imports_the_standard_library_and_the_one_file():
    lines = FILE.read_text().splitlines()
    nodes = list(ast.walk(ast.parse("\n".join(lines), feature_version=(3, 9))))
    named = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    named |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in named} <= set(sys.stdlib_module_names)
    assert max(map(len, lines)) <= 120
