"""Going on with a model: what is new is learned, and what was written is gone on with."""

import json
import os
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import LINES, STREAM, run
from littlestone.cli import main
from littlestone.game.evaluation import Evaluation
from littlestone.game.model import read


@pytest.mark.parametrize("options", [(), ("--holdout", 7), ("--shuffle-buffer", 20), ("--bits", 8)])
def test_new_data_on_standard_input_are_learned(options, tmp_path):
    model = tmp_path / "m.lst"
    run("learn", *STREAM, "--model", model, *options, typed="".join(LINES[:200]))
    rounds, again = ls.load(model).tally.rounds, [option for option in options if option not in ("--bits", 8)]
    said = run("learn", *STREAM, "--model", model, "--resume", *again, typed="".join(LINES[100:300]))
    assert "- does not begin with the" in said.stderr
    assert "all of it is new" in said.stderr
    assert ls.load(model).tally.rounds == 2 * rounds


def test_standard_input_that_begins_as_before_is_gone_on_with(tmp_path):
    model, whole = tmp_path / "m.lst", tmp_path / "whole.lst"
    run("learn", *STREAM, "--model", model, typed="".join(LINES[:200]))
    said = run("learn", *STREAM, "--model", model, "--resume", typed="".join(LINES[:200]))
    assert "- begins with the 200 rounds that the model learned last: going on after them" in said.stderr
    assert ls.load(model).tally.rounds == 200
    run("learn", *STREAM, "--model", model, "--resume", typed="".join(LINES))
    run("learn", *STREAM, "--model", whole, typed="".join(LINES))
    assert model.read_bytes() == whole.read_bytes()
    assert "begins" not in run("learn", *STREAM, "--model", model, "--resume", "--quiet", typed="".join(LINES)).stderr


def test_a_file_that_is_learned_is_said_to_be(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES))
    run("learn", data, "--model", model)
    said = run("learn", data, "--model", model, "--resume")
    assert f"the model has learned all 300 rounds of {data} (same names, sizes and times)" in said.stderr


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_lines_go_on_where_the_model_does_also_after_a_kill(source, tmp_path):
    data, lines = tmp_path / "rows.svm", [f"{line.rstrip()} # {'long' * 10_000}\n" for line in LINES]  # several blocks
    data.write_text("".join(lines))

    def words(name):
        outputs = [f"--{kind}={tmp_path / name}.{kind}" for kind in ("predictions", "mistakes", "model")]
        return ["learn", *([str(data)] if source == "file" else STREAM), *outputs, "--checkpoint", "50", "--quiet"]

    run(*words("whole"), typed="".join(lines))
    command = [sys.executable, "-m", "littlestone", *words("cut")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    if source == "standard input":
        process.stdin.write("".join(lines[:290]).encode())
        process.stdin.flush()
    deadline = time.monotonic() + 60
    while not (tmp_path / "cut.model").exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.001)
    process.kill()
    process.communicate()
    with (tmp_path / "cut.predictions").open("a") as file:
        file.write("what was not yet saved\n")
    run(*words("cut"), "--resume", typed="".join(lines))
    for kind in ("predictions", "mistakes", "model"):
        assert (tmp_path / f"cut.{kind}").read_bytes() == (tmp_path / f"whole.{kind}").read_bytes(), kind


def test_lines_of_new_data_come_after_those_of_the_old(tmp_path):
    one, other, said, model = (tmp_path / name for name in ("one.svm", "other.svm", "said", "m.lst"))
    one.write_text("".join(LINES[:100]))
    other.write_text("".join(LINES[100:250]))
    run("learn", one, "--model", model, "--predictions", said)
    first = said.read_bytes()
    run("learn", other, "--model", model, "--predictions", said, "--resume")
    assert said.read_bytes().startswith(first)
    assert said.read_bytes().count(b"\n") == 250


def test_lines_that_were_lost_are_not_made_up(tmp_path):
    data, said, model = (tmp_path / name for name in ("rows.svm", "said", "m.lst"))
    data.write_text("".join(LINES))
    run("learn", data, "--model", model, "--predictions", said)
    said.write_text("0\n")
    words = ["learn", data, "--model", model, "--predictions", said, "--resume"]
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 2
    assert "has 2 bytes, and had 600 when the model was saved" in done.stderr
    assert said.read_text() == "0\n"


def test_lines_go_to_a_pipe_too(tmp_path):
    data, pipe = tmp_path / "rows.svm", tmp_path / "pipe"
    data.write_text("".join(LINES))
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    run("learn", data, "--predictions", pipe, "--model", tmp_path / "m.lst", "--quiet")
    assert reader.communicate(timeout=30)[0].count(b"\n") == 300
    assert "written" not in json.dumps(read(tmp_path / "m.lst").about)


def test_a_run_that_did_not_count_what_is_served_goes_on_judging_what_is_played(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES))
    whole = json.loads(run("learn", data, "--model", model, "--json").stdout)
    place = read(model)[1]["run"]
    player, seen = ls.Player(classes=ls.read(data).classes()), Evaluation()
    game = ls.play(player, ls.read(data), rounds=100, watch=seen.watch)
    del place["source"]["served"], place["order"]  # as it was before these were kept
    begun = {"tallies": [[100, game.mistakes]], "position": 100, "finished": False, "seen": seen.to_record()}
    player.save(model, {"run": place | begun})
    told = json.loads(run("learn", data, "--model", model, "--resume", "--json").stdout)
    assert (told["rounds"], told["mistakes_of"]) == (300, "what was played")
    assert told["progressive"]["mistakes"] == told["mistakes"] == whole["mistakes_played"]
    assert told["risk"] is None
