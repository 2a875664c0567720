"""The vectors: the library and the one file tell honest certificates from forgeries, and agree on all of them."""

import ast
import json
import subprocess
import sys
from importlib import import_module

import pytest

import littlestone as ls
from places import ROOT

VERIFIER = ROOT / "verifier"
FOLDER = VERIFIER / "vectors"
INDEX = json.loads((FOLDER / "index.json").read_text())
HONEST = [entry for entry in INDEX if entry["true"]]

sys.path.insert(0, str(VERIFIER))
vectors = import_module("make_vectors")
sys.path.remove(str(VERIFIER))
one_file, verifier = vectors.load_one_file(), vectors.load_verifier()


def texts(entry):
    """A certificate and its data."""
    return (FOLDER / entry["certificate"]).read_text(encoding="utf-8"), (FOLDER / entry["data"]).read_bytes()


def test_there_are_enough_of_each():
    families = {entry["family"] for entry in HONEST}
    assert len(HONEST) >= 60
    assert len(INDEX) - len(HONEST) >= 300
    assert families == {"files", "elsewhere", *vectors.COVERED, *vectors.FURTHER}
    assert {entry["family"] for entry in INDEX} == families | {"edges", "unreadable"}
    assert all(entry["reason"] for entry in INDEX if not entry["true"])
    listed = {entry[name] for entry in INDEX for name in ("certificate", "data")} | {"index.json"}
    assert {path.name for path in FOLDER.iterdir()} == listed


def test_the_one_file_accepts_what_is_true_and_nothing_else():
    """With the file of further learners, which covers all of `COVERED`; alone it says the same, or "not covered"."""
    for entry in INDEX:
        certificate, data = texts(entry)
        said = vectors.ask_one_file(verifier, certificate, entry["data"], data)
        covered = entry["family"] not in (*vectors.FURTHER, "elsewhere", "unreadable")
        if entry["true"]:
            assert said == ("true" if covered else "not covered"), entry
        else:
            assert said == "false" or (said == "not covered" and not covered), entry
        assert vectors.ask_one_file(one_file, certificate, entry["data"], data) in (said, "not covered"), entry


def check_library(entries):
    for entry in entries:
        learner = vectors.read_learner(entry["given"]) if "given" in entry else None
        said = vectors.ask_library(texts(entry)[0], FOLDER / entry["data"], learner)
        assert said == ("true" if entry["true"] else "false"), entry


def test_the_library_says_the_same_of_some():
    check_library(INDEX[::5])


@pytest.mark.long
def test_the_library_says_the_same_of_all():
    check_library(INDEX)


@pytest.mark.parametrize("family", vectors.COVERED)
def test_the_one_file_and_the_library_agree_on_games_drawn_by_chance(family, tmp_path):
    found = vectors.agree(family, 2, 4, 7, tmp_path)
    assert found["disagreements"] == 0, found
    assert found["honest: library true, one file true"] == 2


@pytest.mark.long
@pytest.mark.parametrize("family", vectors.COVERED)
def test_the_one_file_and_the_library_agree_on_many_games(family, tmp_path):
    found = vectors.agree(family, 25, 20, 8, tmp_path)
    assert found["disagreements"] == 0, found


def test_the_one_file_is_one_file():
    """It imports nothing but the standard library, is short enough to be read, and runs without ours on the path."""
    lines = (VERIFIER / "littlestone_verify.py").read_text().splitlines()
    nodes = list(ast.walk(ast.parse("\n".join(lines), feature_version=(3, 9))))
    named = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    named |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert named <= set(sys.stdlib_module_names)
    assert max(map(len, lines)) <= 120
    chosen = [next(one for one in HONEST if one["family"] == family) for family in ("files", "winnow", "kernel")]
    other = next(one for one in INDEX if not one["true"])
    assert [run(entry).split(":")[0] for entry in (*chosen, other)] == ["true", "true", "not covered here", "false"]


@pytest.mark.parametrize("family", ["elimination", "dense"])
def test_a_number_in_a_certificate_fills_no_memory(family):
    """A certificate of 10^30 literals, or of rows of two billion columns, was worked through."""
    learner = ls.Elimination() if family == "elimination" else ls.Perceptron()
    stream = ls.Recorded([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [False, True, True])
    record = json.loads(ls.certify(learner, stream).to_json())
    if family == "elimination":
        record["witness"]["attributes"] = 10**30
    else:
        record["rows"] = {"form": "dense", "width": 2**31 - 1, "values": "float64"}
    data = ("\n".join(vectors.write_rounds(stream)) + "\n").encode()
    assert vectors.ask_one_file(verifier, vectors.seal(record), "game.rounds", data) == "not covered"


def test_a_class_that_is_written_in_another_way_is_refused_by_both(tmp_path):
    """A blank behind it was read over by the one file alone."""
    stream = ls.Recorded([(0, 0), (1, 2), (2, 2), (3, 3)], [False, True, True, False])
    learner = ls.Closure(ls.Rectangles(4, 2))
    record = json.loads(ls.certify(learner, stream).to_json())
    lines = "\n".join(vectors.write_rounds(stream)) + "\n"
    (tmp_path / "game.rounds").write_text(lines)
    for end, said in (("", "true"), (" ", "false")):
        text = vectors.seal(record | {"learner": record["learner"] | {"concepts": record["learner"]["concepts"] + end}})
        assert vectors.ask_one_file(verifier, text, "game.rounds", lines.encode()) == said
        assert vectors.ask_library(text, tmp_path / "game.rounds", learner) == said


def test_true_is_no_number_and_no_attribute_has_a_number_beyond_words_of_64_bits(tmp_path):
    """In the one file alone, `true` stood for concept 1, and an attribute that no row has could have any number."""
    finite = ls.Halving(ls.Thresholds(2)), ls.Recorded([0, 1], [False, True]), {"concept": True}
    rows = ls.Recorded([[1.0], [-1.0], [2.0], [-2.0]], [True, False, True, False])
    far = ls.Alma(0.5), rows, {"attributes": [0, 10**30], "numerators": [741455, 1]}
    for learner, stream, change in (finite, far):
        record = json.loads(ls.certify(learner, stream).to_json())
        lines = "\n".join(vectors.write_rounds(stream)) + "\n"
        (tmp_path / "game.rounds").write_text(lines)
        for more, said in (({}, "true"), (change, "false")):
            text = vectors.seal(record | {"witness": record["witness"] | more})
            assert vectors.ask_one_file(verifier, text, "game.rounds", lines.encode()) == said
            assert vectors.ask_library(text, tmp_path / "game.rounds", learner) == said


def run(entry):
    """What the one file prints, run as a stranger would."""
    command = [sys.executable, "-I", VERIFIER / "littlestone_verify.py"]
    files = [FOLDER / entry["certificate"], FOLDER / entry["data"]]
    return subprocess.run([*command, *files], capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.1", 13421773 * 2.0**-27), ("16777217", 16777216.0), ("16777217.0000000000000000001", 16777218.0),
     ("1e-45", 2.0**-149), ("-3", -3.0), ("1.00000017881393432617187499", 1.0000001192092896)],
)  # fmt: skip
def test_decimals_are_rounded_once(text, value):
    assert one_file.read_value(text) == value
