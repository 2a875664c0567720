"""What every verifier must say of certificates that it does not cover, and of what is almost a number."""

import json
import resource
import subprocess
import sys
import time
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.game.late_labels import play_late
from places import ROOT, TESTS

sys.path.insert(0, str(ROOT / "verifier"))
vectors = import_module("make_vectors")
sys.path.remove(str(ROOT / "verifier"))
one_file, _ = VERIFIERS = vectors.load_one_file(), vectors.load_verifier()
PROGRAM = ROOT / "proofs" / "build" / "littlestone-verify"  # where `make proofs` was run
RNG = np.random.default_rng(0)
X = RNG.integers(-3, 4, (40, 4)).astype(float)
Y = [bool(score > 0) for score in X @ [1, 2, -1, 1] + RNG.normal(size=40)]
ROWS = ls.Recorded(sparse.csr_matrix(X), Y)
BITS = (RNG.random((40, 6)) < 0.5).astype(float)
THREE = ls.Recorded(sparse.csr_matrix(X), [int(abs(x)) % 3 for x in X[:, 0]])
COUNTED = ls.Recorded(sparse.csr_matrix(BITS), [int(row[0] + row[1]) for row in BITS])
NONE = ls.Recorded(sparse.csr_matrix(np.zeros((0, 3))), [])


def dump(stream):
    return "\n".join(vectors.write_rounds(stream)) + "\n"


def ask_all(text, data, folder):
    """The words of both files, and the statuses of the program, if it was built, and of the one in JavaScript."""
    paths = folder / "c.json", folder / "game.rounds"
    paths[0].write_text(text)
    paths[1].write_text(data)
    said = {vectors.ask_one_file(one, text, "game.rounds", data.encode()) for one in VERIFIERS}
    commands = [[str(PROGRAM)]] if PROGRAM.exists() else []
    commands += [["node", str(TESTS / "other_language" / "verify.js")]] if vectors.shutil.which("node") else []
    for command in commands:
        done = subprocess.run([*command, *paths], capture_output=True, text=True, timeout=60, check=False)
        said.add(("true", "false", "not covered")[done.returncode])
    return said


def certify_late():
    return play_late(ls.Player(ls.Perceptron(), classes=[False, True]), ROWS, 3).certificate(), ROWS


@pytest.mark.parametrize("make", [
    certify_late,
    lambda: (ls.certify(ls.Network(ls.PassiveAggressive(), "each"), THREE), THREE),
    lambda: (ls.certify(ls.Network(ls.AggressivePerceptron(), "each"), THREE), THREE),
    lambda: (ls.certify(ls.Network(ls.Perceptron(normalized=True), "each"), THREE), THREE),
    lambda: (ls.certify(ls.Network(ls.Alma(0.5), "each"), THREE), THREE),
    lambda: (ls.certify(ls.Network(ls.Winnow(2.0), "each"), COUNTED), COUNTED),
    lambda: (ls.certify(ls.Conservative(ls.Perceptron()), ROWS), ROWS),
    lambda: (ls.certify(ls.Conservative(ls.PassiveAggressive()), ROWS), ROWS),
], ids=["late", "passive units", "aggressive units", "normalized units", "alma units", "winnow units",
        "shown Perceptron", "shown passive"])  # fmt: skip
def test_an_honest_certificate_that_is_not_covered_is_not_called_false(make, tmp_path):
    certificate, stream = make()
    assert ls.verify(certificate, stream)
    assert ask_all(certificate.to_json(), dump(stream), tmp_path) == {"not covered"}


def test_long_normalized_rows_are_called_false_by_none(tmp_path):
    """The extracted program measured rows of 1e30 too coarsely."""
    stream = ls.Recorded(sparse.csr_matrix(X * 1e30), Y)
    certificate = ls.certify(ls.Perceptron(normalized=True), stream)
    said = ask_all(certificate.to_json(), dump(stream), tmp_path)
    assert said - {"not covered"} == {"true"}


def change(certificate, **parts):
    return vectors.seal(json.loads(certificate.to_json()) | parts)


def test_whole_numbers_are_strict(tmp_path):
    """0.0, false and 2.0 stood for update rounds of units; the library took {} for [], and no word on exactness."""
    certificate = ls.certify(ls.Network(ls.Perceptron(), "each"), THREE)
    units = json.loads(certificate.to_json())["witness"]["units"]
    first = units[0]["updated"][0]
    for wrong in (float(first), bool(first), str(first)):
        forged = [units[0] | {"updated": [wrong, *units[0]["updated"][1:]]}, *units[1:]]
        text = change(certificate, witness={"units": forged})
        assert ask_all(text, dump(THREE), tmp_path) - {"not covered"} == {"false"}
        assert vectors.ask_library(text, tmp_path / "game.rounds") == "false"


def refuse(text, stream, folder, learner=None):
    assert ask_all(text, dump(stream), folder) - {"not covered"} <= {"false"}
    assert vectors.ask_library(text, folder / "game.rounds", learner) == "false"


def test_an_object_is_no_list_and_exact_must_be_said(tmp_path):
    certificate = ls.certify(ls.Perceptron(), ROWS)
    refuse(change(certificate, marks={}), ROWS, tmp_path)
    refuse(change(ls.certify(ls.Perceptron(), NONE), updated={}), NONE, tmp_path)
    record = json.loads(certificate.to_json())
    del record["exact"]
    refuse(vectors.seal(record), ROWS, tmp_path)


def test_members_join_after_a_whole_number_of_rounds(tmp_path):
    certificate = ls.League([ls.Perceptron()], seed=1).play(ROWS).certificate("log loss")
    about = json.loads(certificate.to_json())["learner"]
    for wrong in (False, 0.0):
        members = [about["members"][0] | {"joined": wrong}]
        refuse(change(certificate, learner=about | {"members": members}), ROWS, tmp_path)


def test_classes_of_finite_learners_are_truth_values(tmp_path):
    stream = ls.Recorded([0, 1, 2, 3], [False, False, True, True])
    for learner in (ls.Halving(ls.Thresholds(4)), ls.StandardOptimal(ls.Thresholds(4))):
        certificate = ls.certify(learner, stream)
        about = json.loads(certificate.to_json())["learner"]
        for wrong in ([0, True], [0, 1], [False, 1.0]):
            refuse(change(certificate, learner=about | {"classes": wrong}), stream, tmp_path, learner)


@pytest.mark.parametrize("value", [1e31, 10**31, 1e-31, 1e300])
@pytest.mark.parametrize("name", ["rate", "margin", "bias"])
def test_parameters_beyond_those_that_learners_take_are_refused_by_all(name, value, tmp_path):
    """With no rounds nothing else is wrong with them."""
    certificate = ls.certify(ls.Perceptron(), NONE)
    about = json.loads(certificate.to_json())["learner"] | {name: value}
    refuse(change(certificate, learner=about), NONE, tmp_path)
    certificate = ls.certify(ls.Perceptron(), ROWS)
    refuse(change(certificate, learner=about), ROWS, tmp_path)


@pytest.mark.parametrize("value", [1e30, 1e-30])
def test_the_largest_and_the_smallest_parameters_are_taken_by_all(value, tmp_path):
    certificate = ls.certify(ls.Perceptron(rate=value), ROWS)
    assert ask_all(certificate.to_json(), dump(ROWS), tmp_path) == {"true"}


@pytest.mark.parametrize(
    "learner", [ls.Forgetron(), ls.Restarting(ls.Winnow(2.0), attributes=3)], ids=["forgetron", "restarting"]
)
def test_no_rounds_are_certified_and_verified(learner):
    certificate = ls.certify(learner, NONE)
    assert (certificate.rounds, certificate.bound) == (0, 0)
    assert ls.verify(ls.Certificate.from_json(certificate.to_json()), NONE)


LONG = "1" + "0" * 3_000_000


@pytest.mark.parametrize("line", [
    "1\t0:0p30000000000", "1\t0:1p99999", "1\t0:1p-99999999999999999999", "1\t0:1p1024", "1\t0:2p1", "1\t0:-0",
    "1\t0:3p-1075", "1\t0:1p-1075",
    f"{LONG}\t0:1", f"1.{LONG}\t0:1", f"1\t0:{LONG}", f"1\t{LONG}:1", f"1e{LONG}\t0:1", "[" * 99_999 + "\t0:1",
], ids=["far", "overflow", "underflow", "infinite", "even", "minus zero", "halved", "too small", "label", "float label",
        "value", "attribute", "exponent", "deep"])  # fmt: skip
def test_what_is_almost_a_number_cannot_be_read_and_ends_quickly(line, tmp_path):
    certificate = ls.certify(ls.Perceptron(), NONE)
    began = time.process_time()
    said = ask_all(change(certificate, rounds=1), f"littlestone rounds 2\n{line}\n", tmp_path)
    assert said == {"not covered"}
    with pytest.raises(one_file.BadData):
        one_file.verify(change(certificate, rounds=1), "game.rounds", (tmp_path / "game.rounds").read_bytes())
    assert vectors.ask_library(change(certificate, rounds=1), tmp_path / "game.rounds") == "false"
    assert time.process_time() - began < 5


def test_a_long_number_in_a_certificate_cannot_be_read(tmp_path):
    text = ls.certify(ls.Perceptron(), NONE).to_json()
    began = time.process_time()
    for more in (LONG, f"0.{LONG}"):
        assert ask_all(text.replace('"bound": 0', f'"bound": {more}'), dump(NONE), tmp_path) == {"not covered"}
    record = json.loads(text) | {"bound": f"{LONG}/7"}
    assert ask_all(vectors.seal(record), dump(NONE), tmp_path) <= {"not covered", "false"}
    assert time.process_time() - began < 10


@pytest.mark.long
@pytest.mark.parametrize("family", vectors.COVERED)
def test_all_verifiers_say_the_same_of_the_same_mutants(family, tmp_path):
    """Honest games are called false by none; of a mutant no two say true and false. Some may not cover it."""
    for game in range(6):
        rng = vectors.random.Random(f"mutants {family} {game}")
        played, certificate, lines = vectors.play(rng, family, 2**15)
        honest = certificate.to_json()
        (tmp_path / "game.rounds").write_text(lines)
        for place in range(13):
            text = vectors.seal(vectors.forge(rng, json.loads(honest))) if place else honest
            ours = vectors.ask_library(text, tmp_path / "game.rounds", played.learner if played.needed else None)
            said = ask_all(text, lines, tmp_path)
            assert said - {"not covered"} <= {ours}, (family, game, place, said, ours, text)
            assert place or ours == "true"


MEGABYTE = 1 << 20
HONEST = ls.certify(ls.Perceptron(), ROWS)
LINE = dump(ROWS).splitlines()[-1]
LARGE = {
    "a certificate nested as deep as it is long": ("[" * MEGABYTE, dump(ROWS)),
    "a certificate of objects in objects": ('{"a":' * (MEGABYTE // 5), dump(ROWS)),
    "a certificate with one long text": (json.dumps({"theorem": "x" * MEGABYTE}), dump(ROWS)),
    "a certificate with one long number": ("1" * MEGABYTE, dump(ROWS)),
    "a certificate with a long list": (change(HONEST, updated=list(range(MEGABYTE // 8))), dump(ROWS)),
    "rounds that are one line": (HONEST.to_json(), LINE + " 1:1" * (MEGABYTE // 4)),
    "rounds that are empty lines": (HONEST.to_json(), "\n" * MEGABYTE),
    "as many rounds as fit": (HONEST.to_json(), dump(ROWS) + (LINE + "\n") * (MEGABYTE // (len(LINE) + 1))),
}


@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_a_verifier_ends_in_words_on_whatever_has_a_megabyte(name, tmp_path):
    """In a minute of the processor, which a limit of the system holds."""
    text, data = LARGE[name]
    paths = tmp_path / "c.json", tmp_path / "game.rounds"
    paths[0].write_text(text)
    paths[1].write_text(data)
    commands = [
        [sys.executable, str(ROOT / "verifier" / f"{file}.py")]
        for file in ("littlestone_verify", "littlestone_verify_more")
    ]
    commands += [[str(PROGRAM)]] if PROGRAM.exists() else []
    commands += [["node", str(TESTS / "other_language" / "verify.js")]] if vectors.shutil.which("node") else []
    for command in commands:
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60))  # noqa: E731
        done = subprocess.run([*command, *paths], capture_output=True, text=True, check=False, preexec_fn=limit)
        assert done.returncode in (0, 1, 2), (command, done.returncode, done.stderr[-300:])
        assert "Traceback" not in done.stderr
        assert done.stdout.startswith(("true", "false", "not covered", "cannot be read")[done.returncode :])


@pytest.mark.parametrize(
    "learner", [ls.RandomizedWeightedMajority(Fraction(1, 3)), ls.FollowTheLeader(random=True)], ids=str
)
def test_an_exact_count_is_no_float(learner, tmp_path):
    panel = ls.Panel(np.eye(1), [1.0])
    certificate = ls.certify(learner, panel)
    assert certificate.exact
    whole = certificate.count
    assert whole == int(whole)
    forged = change(certificate, count=float(whole))
    (tmp_path / "game.rounds").write_text(dump(panel))
    assert vectors.ask_library(forged, tmp_path / "game.rounds") == "false"
    assert "true" not in ask_all(forged, dump(panel), tmp_path)
    assert "true" in ask_all(certificate.to_json(), dump(panel), tmp_path)
