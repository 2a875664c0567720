"""Bad usage and bad data: exit status 2 and 1, a message that names what is allowed, never a traceback."""

import json

import click
import pytest
from click.testing import CliRunner

from littlestone.cli import COMMANDS, main


def run(*words, typed=None):
    return CliRunner().invoke(main, [str(word) for word in words], input=typed)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "good.svm").write_text("1 1:1\n0 2:1\n1 1:1 3:2\n")
    (tmp_path / "bad.svm").write_text("1 1:1\n0 2:x\n")
    (tmp_path / "not.lst").write_text("1 1:1\n")
    (tmp_path / "not.json").write_text("{}")
    (tmp_path / "empty.svm").write_text("")
    assert run("learn", tmp_path / "good.svm", "--model", tmp_path / "m.lst", "--quiet").exit_code == 0
    return tmp_path


def refused(said, code, *words, silent=True):
    assert said.exit_code == code, said.output
    assert said.stdout == "" or not silent
    assert "Traceback" not in said.output
    assert isinstance(said.exception, SystemExit)
    for word in words:
        assert word in said.stderr
    return said.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    said = run(command, "--help")
    assert said.exit_code == 0
    assert said.stdout.startswith(f"Usage: main {command}")
    assert "--json" in said.stdout


@pytest.mark.parametrize(
    "command", [name for name in COMMANDS if name not in ("atlas", "demo", "learners", "plan", "warm")]
)
def test_every_command_needs_its_arguments_and_knows_its_options(command):
    refused(run(command), 2, "Missing")
    refused(run(command, "--no-such-option"), 2, "No such option")


LEARN = [
    (["--learner", "oracle"], "there are: ada"),
    (["--learner", "perceptron", "--set", "margin"], "--set takes name=value, got 'margin'"),
    (["--learner", "perceptron", "--set", "margin=wide"], "margin must be a number, got 'wide'"),
    (["--learner", "perceptron", "--set", "colour=1"], "perceptron does not take 'colour=1'"),
    (["--learner", "perceptron", "--set", "margin=-1"], "margin must be at least 0"),
    (["--learner", "network:halving"], "learner"),
    (["--resume"], "--resume needs --model"),
    (["--checkpoint", "10"], "--checkpoint needs --model"),
    (["--checkpoint", "0"], "0 is not in the range"),
    (["--passes", "0"], "0 is not in the range"),
    (["--passes", "many"], "'many' is not a valid integer"),
    (["--shuffle-buffer", "1"], "1 is not in the range"),
    (["--holdout", "1"], "1 is not in the range"),
    (["--bits", "31"], "31 is not in the range"),
    (["--on-error", "cry"], "'stop', 'skip'"),
    (["--format", "xml"], "format must be one of"),
    (["--until-error", "2"], "is not in the range"),
    (["--until-error", "0.1", "--passes", "2"], "leave out --passes"),
    (["--until-error", "0.1", "--learner", "voted-perceptron"], "--learner perceptron"),
    (["--confidence", "1"], "is not in the range"),
    (["--seed", "x"], "'x' is not a valid integer"),
    (["--mixing", "updates"], "it goes with --cluster auto|ADDRESS|local"),
    (["--cluster", "local", "--mixing", "rounds"], "'uniform', 'updates'"),
    (["--cluster", "local", "--holdout", "5"], "--holdout is about one stream: leave it out with --cluster"),
    (["--cluster", "local", "--check-order"], "--check-order is about one stream"),
    (["--cluster", "local", "--resume"], "--resume needs --model"),
    (["--cluster", "local", "--cross", "a:b"], "products of columns need attributes by name"),
]


@pytest.mark.parametrize(("words", "told"), LEARN, ids=[" ".join(words) for words, _ in LEARN])
def test_learn_says_what_is_allowed(words, told, files):
    refused(run("learn", files / "good.svm", *words), 2, told)


def test_a_resumed_run_keeps_its_learner(files):
    told = "a resumed run keeps the model's learner"
    refused(run("learn", files / "good.svm", "--model", files / "m.lst", "--resume", "--learner", "winnow"), 2, told)


READING = [
    ["learn"],
    pytest.param(["race"], marks=pytest.mark.long, id="race"),
    ["predict", "m.lst"],
    ["certify", "m.lst"],
    ["separable"],
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_data_that_cannot_be_read_are_named_with_their_place(words, files):
    given = [files / word if word.endswith(".lst") else word for word in words]
    written = words[0] == "predict"  # what was read before the bad line
    refused(run(*given, files / "bad.svm"), 1, "bad.svm, line 2, byte 5", "got 'x'", silent=not written)
    refused(run(*given, files / "empty.svm"), 1, "empty.svm", "empty")
    refused(run(*given, files / "none.svm"), 1, "none.svm", "no such file")
    refused(run(*given, files), 1, str(files))


def test_a_skipped_record_is_counted(files):
    said = run("learn", files / "bad.svm", "--on-error", "skip", "--json")
    assert said.exit_code == 0
    assert json.loads(said.stdout)["skipped"] == 1
    assert "1 records that could not be read" in run("learn", files / "bad.svm", "--on-error", "skip").stdout


@pytest.mark.parametrize("command", ["predict", "certify", "explain"])
def test_what_is_no_model_is_refused(command, files):
    for name in ("not.lst", "not.json", "empty.svm"):
        refused(run(command, files / name, files / "good.svm"), 1, name)
    refused(run(command, files / "none.lst", files / "good.svm"), 1, "none.lst")


def test_what_is_no_certificate_or_not_of_these_data_is_refused(files):
    assert run("certify", files / "m.lst", files / "good.svm", "--output", files / "c.json").exit_code == 0
    assert run("verify", files / "c.json", files / "good.svm").exit_code == 0
    refused(run("verify", files / "not.json", files / "good.svm"), 1, "not.json")
    (files / "other.svm").write_text("1 1:1\n1 2:1\n1 1:1 3:2\n")
    refused(run("verify", files / "c.json", files / "other.svm"), 1, "certificate")
    refused(run("certify", files / "m.lst", files / "other.svm"), 1, "the stream is not what was played")
    forged = json.loads((files / "c.json").read_text()) | {"bound": 0}
    (files / "forged.json").write_text(json.dumps(forged))
    refused(run("verify", files / "forged.json", files / "good.svm"), 1)


def test_files_that_cannot_be_written_are_named(files):
    for option in ("--model", "--predictions", "--mistakes", "--report"):
        refused(run("learn", files / "good.svm", option, files / "no" / "where", "--quiet"), 1, "where")


@pytest.mark.parametrize("name", COMMANDS)
def test_no_two_options_of_a_command_fill_the_same_parameter(name):
    taken = [option.name for option in main.get_command(click.Context(main), name).params]
    assert len(taken) == len(set(taken))
