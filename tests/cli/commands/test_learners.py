"""Learners are found: listed, typed as a race prints them or as Python has them, and suggested when misspelled."""

import json
import re

import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone import concepts, learners
from littlestone.base.errors import BadParameter
from littlestone.cli import COMMANDS, main
from littlestone.cli.commands.learners import list_entries
from littlestone.game.names import build, build_learner, spell, to_kebab
from littlestone.game.racing import choose_learners

ROWS = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]] * 6


def test_every_learner_is_listed_with_its_idea_and_guarantee():
    found = {entry["name"]: entry for entry in list_entries()}
    assert set(found) == {*map(to_kebab, learners.ALL), "snow"}
    assert found["halving"] == {
        "name": "halving",
        "group": "classes",
        "typed": "halving",
        "idea": "follow the majority of the concepts that are still consistent",
        "guarantee": "mistakes <= floor(lg(|H| / |V|)) <= floor(lg |H|)",
    }
    assert found["perceptron"]["typed"] == "perceptron:rate=1.0,margin=0.0,bias=1.0,tie=strict,normalized=False"
    assert found["hedge"]["group"] == "experts"
    assert found["fallback-halving"]["guarantee"].endswith("if m >= 1")
    assert found["averaged-perceptron"]["guarantee"] == "The game's updates obey every bound of the Perceptron"
    assert found["naive-bayes"]["guarantee"] == "none"
    for entry in found.values():
        assert len(entry["idea"]) > 10
        assert "\n" not in entry["idea"] + entry["guarantee"]


def test_the_command_prints_them_in_groups():
    said = run("learners").stdout
    groups = re.findall(r"^Learners from .*", said, re.MULTILINE)
    assert [group.split(":")[0] for group in groups] == [
        "Learners from rows of attributes",
        "Learners from finite classes and points",
        "Learners from the advice of experts",
    ]
    assert (
        said.index("\n  winnow:") < said.index("finite classes") < said.index("\n  halving\n") < said.index("  hedge:")
    )
    assert json.loads(run("learners", "--json").stdout)["classes"][0]["name"] == "closure"


@pytest.mark.parametrize(
    "entry", [one for one in list_entries() if one["group"] == "rows"], ids=lambda one: one["name"]
)
def test_what_is_listed_can_be_typed(entry):
    made = build_learner(entry["typed"])
    if entry["name"] == "snow":
        assert made == ls.Snow((ls.Winnow(threshold=4.0), ls.Perceptron(), ls.NaiveBayes()))
        return
    assert made == build_learner(entry["name"]) == (type(made)() if entry["name"] != "network" else made)


@pytest.mark.parametrize("labels", [[0, 1] * 6, [0, 1, 2] * 4], ids=["two classes", "three classes"])
def test_every_learner_of_a_race_can_be_typed(labels):
    for learner in choose_learners(ls.Recorded(ROWS, labels)):
        assert build_learner(spell(learner)) == learner


@pytest.mark.long
def test_what_a_race_prints_can_be_pasted(tmp_path):
    data = tmp_path / "rows.csv"
    data.write_text("a,b,label\n" + "".join(f"{t % 2},{t % 3},{'xyz'[t % 3]}\n" for t in range(60)))
    lines = run("race", data).stdout.splitlines()[3:]
    assert "the league of these" in lines[-1]
    names = [line.split()[5] for line in lines[:-1] if " out " not in line]
    assert any("updates=each" in name for name in names)
    again = run("race", data, *(word for name in names for word in ("--learner", name))).stdout.splitlines()[3:]
    assert sorted(line.split()[5] for line in again[:-1]) == sorted(names)
    record = json.loads(run("race", data, "--json").stdout)["learners"]
    assert {one["typed"] for one in record} >= set(names)


@pytest.mark.parametrize(
    ("text", "learner"),
    [
        ("Perceptron", ls.Perceptron()),
        ("Perceptron()", ls.Perceptron()),
        ("averaged_perceptron", ls.AveragedPerceptron()),
        ("ls.Perceptron(margin=2)", ls.Perceptron(margin=2)),
        ("Perceptron(0.5, tie='plus')", ls.Perceptron(0.5, tie="plus")),
        ("Winnow(promotion=1.5, threshold=None)", ls.Winnow(promotion=1.5)),
        ("Arow(diagonal=True)", ls.Arow(diagonal=True)),
        ("Network(Winnow(), 'each')", ls.Network(ls.Winnow(), "each")),
        ("Network(learner=Perceptron(margin=1.0), updates='winner')", ls.Network(ls.Perceptron(margin=1.0))),
        (str(ls.Network(ls.PassiveAggressive(margin=2.0))), ls.Network(ls.PassiveAggressive(margin=2.0))),
        ("network:perceptron:margin=2,updates=each", ls.Network(ls.Perceptron(margin=2), "each")),
        ("network", ls.Network(ls.AveragedPerceptron())),
    ],
)
def test_names_as_in_python_are_understood(text, learner):
    assert build_learner(text) == learner


def test_nothing_that_is_typed_is_run():
    for text in (
        "Perceptron(__import__('os').getcwd())",
        "Perceptron(rate=open('/etc/passwd'))",
        "Perceptron(",
        "x(1)(2)",
    ):
        with pytest.raises(BadParameter):
            build_learner(text)


def test_classes_may_be_written_as_in_python():
    assert build(concepts.ALL, "Thresholds(1024)", "concept class") == ls.Thresholds(1024)
    assert build(concepts.ALL, "Rectangles(m=4, d=2)", "concept class") == ls.Rectangles(m=4, d=2)


def refuse(*words):
    said = CliRunner().invoke(main, list(map(str, words)))
    assert said.exit_code == 2
    return said.stderr


def test_bad_names_are_answered_with_near_ones(tmp_path):
    data = tmp_path / "rows.svm"
    data.write_text("1 1:1\n0 2:1\n")
    assert "learner 'winow' is not known: did you mean winnow? There are: ada" in refuse(
        "learn", data, "--learner", "winow"
    )
    assert "did you mean winnow?" in refuse("learn", data, "--learner", "network:Winow(promotion=2)")
    assert "; there are: ada" in refuse("learn", data, "--learner", "qqqq")
    assert "network" in refuse("learn", data, "--learner", "qqqq")
    assert "got 'cvs': did you mean csv?" in refuse("learn", data, "--format", "cvs")
    assert "No such command 'lern'. Did you mean learn?" in refuse("lern", data)
    assert refuse("qqqq").rstrip().endswith("No such command 'qqqq'.")
    assert "--model" in refuse("learn", data, "--modle", "m.lst")
    said = refuse("play", "halving", "--concepts", "threshold:9", "--against", "bisection")
    assert "concept class 'threshold' is not known: did you mean thresholds?" in said


def test_help_has_whole_sentences_and_lists_formats_and_learners():
    said = " ".join(run("--help").stdout.split())
    assert "..." not in said.partition("Commands:")[2]
    assert "learn Learn DATA in one pass, every round judged before it is learned." in said
    for command in ("learn", "race"):
        said = re.sub(r"-\s+", "-", run(command, "--help").stdout)
        said = " ".join(said.split())
        assert "There are: svmlight, vw, text, snow, csv, jsonl, parquet, arrow." in said
        assert "averaged-perceptron, balanced-winnow" in said
        assert "halving" not in said
    assert "learners" in COMMANDS
