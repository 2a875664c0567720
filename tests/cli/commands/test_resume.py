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
from littlestone.cli.commands.run import LearnRun
from littlestone.game.evaluation import Evaluation
from littlestone.game.model import read


def find_fact(printed, name):
    """What the summary says under a name."""
    return next(line.split(maxsplit=1)[1] for line in printed.splitlines() if line.split()[:1] == [name])


def played_in_two_seconds(play):
    def wrapped(self):
        play(self)
        return 2.0

    return wrapped


def is_over_after(rounds, ends):
    """A run that is stopped once it has learned this many rounds."""
    return lambda self: bool(self.counts.position >= rounds or ends.fget(self))


@pytest.mark.parametrize("options", [(), ("--holdout", 7), ("--shuffle-buffer", 20), ("--bits", 8)])
def test_new_data_on_standard_input_are_learned(options, tmp_path):
    model = tmp_path / "m.lst"
    run("learn", *STREAM, "--model", model, *options, typed="".join(LINES[:200]))
    rounds, again = ls.load(model).tally.rounds, [option for option in options if option not in ("--bits", 8)]
    said = run("learn", *STREAM, "--model", model, "--resume", *again, typed="".join(LINES[100:300]))
    assert "- does not begin with the" in said.stderr
    assert said.stderr.rstrip().endswith(("all of it is new", "all of it is learned as new"))
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
    assert f"{data} begins with the 300 rounds that the model learned last: going on after them" in said.stderr
    assert find_fact(said.stdout, "took").endswith("s, with nothing left to learn")


@pytest.mark.parametrize("options", [(), ("--holdout", 7), ("--passes", 2), ("--league", "perceptron,winnow")])
def test_a_file_is_recognised_by_its_content(options, tmp_path):
    data, other, model, whole = (tmp_path / name for name in ("rows.svm", "other.svm", "m.lst", "whole.lst"))
    data.write_text("".join(LINES[:200]))
    learned = find_tally(run("learn", data, "--model", model, *options, "--json"))
    os.utime(data, (1, 1))
    other.write_text("".join(LINES[:200]))
    for name in (data, other, f"file://{data}"):  # touched, under another name, by an address
        said = run("learn", name, "--model", model, "--resume", *options, "--json")
        rounds = learned[0] if "--passes" not in options else 200
        assert f"{name} begins with the {rounds} rounds that the model learned last: going on" in said.stderr
        assert find_tally(said) == learned
    with data.open("a") as file:
        file.write("".join(LINES[200:]))
    said = run("learn", data, "--model", model, "--resume", *options, "--json")
    assert "begins with the" in said.stderr
    if "--passes" not in options:  # of which only the last goes on
        assert find_tally(said) == find_tally(run("learn", data, "--model", whole, *options, "--json"))
    assert find_tally(said)[0] == learned[0] + (86 if "--holdout" in options else 100)


def find_tally(done):
    record = json.loads(done.stdout)
    return record["rounds"], record["mistakes"]


def test_a_file_that_was_changed_is_new_and_said_to_be(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES[:200]))
    run("learn", data, "--model", model)
    before = data.stat()
    data.write_text("".join([*LINES[:199], f"{1 - int(LINES[199][0])}{LINES[199][1:]}"]))
    assert data.stat().st_size == before.st_size
    os.utime(data, ns=(before.st_atime_ns, before.st_mtime_ns))  # as cp -p leaves it
    said = run("learn", data, "--model", model, "--resume")
    assert f"{data} does not begin with the 200 rounds that the model learned last: all of it is new" in said.stderr
    assert ls.load(model).tally.rounds == 400


def test_other_options_are_said_to_make_rounds_new(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES[:200]))
    run("learn", data, "--model", model)
    said = run("learn", data, "--model", model, "--resume", "--holdout", 7, "--seed", 3)
    assert "the model's last run had another --holdout, --seed: all rounds are learned as new ones" in said.stderr
    piped = run("learn", *STREAM, "--model", model, "--resume", "--holdout", 7, "--seed", 3, typed=data.read_text())
    assert "- begins with the 172 rounds that the model learned last" in piped.stderr


def test_a_file_that_was_shuffled_and_grew_is_not_said_to_begin_otherwise(tmp_path):
    data, model, options = tmp_path / "rows.svm", tmp_path / "m.lst", ("--shuffle-buffer", 64)
    data.write_text("".join(LINES[:200]))
    run("learn", data, "--model", model, *options)
    data.write_text("".join(LINES))
    said = run("learn", data, "--model", model, "--resume", *options)
    assert "learned last, as the model reads and shuffles them: all of it is learned as new" in said.stderr


def test_the_place_of_an_earlier_version_is_known_by_name_and_time(tmp_path):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES[:200]))
    run("learn", data, "--model", model)
    player, about = read(model)
    place, found = about["run"], data.stat()
    del place["met"]
    place["source"] |= {"data": [str(data)], "stamps": [[found.st_size, found.st_mtime_ns]]}
    player.save(model, about)
    said = run("learn", data, "--model", model, "--resume", "--json")
    assert "an earlier version saved the model: the data are known by name and time" in said.stderr
    assert find_tally(said)[0] == ls.load(model).tally.rounds == 200


def test_the_pace_is_that_of_the_rounds_of_this_run(tmp_path, monkeypatch):
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text("".join(LINES))
    monkeypatch.setattr("littlestone.cli.commands.run.LearnRun.play", played_in_two_seconds(LearnRun.play))
    one = run("learn", data, "--model", model)
    assert find_fact(one.stdout, "took") == "2.00 s, 150 rounds a second"
    with monkeypatch.context() as cut:
        cut.setattr(LearnRun, "_is_over", property(is_over_after(100, LearnRun._is_over)))
        run("learn", data, "--model", tmp_path / "cut.lst", "--checkpoint", 100)
    rest = run("learn", data, "--model", tmp_path / "cut.lst", "--checkpoint", 100, "--resume")
    assert find_fact(rest.stdout, "took") == "2.00 s, 100 rounds a second in which 200 rounds were new"


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


FED = {  # what a process has fed of a stream when it is killed: how the run then ends, and whether it can be resumed
    "whole lines": ("", 0, True),
    "a line without its end": (LINES[290].rstrip(), 0, True),
    "a line that cannot be read": ("0 1:1 6", 1, True),
    "a line that can be read, cut short": ("0 1:1", 0, False),
}


@pytest.mark.parametrize("case", FED)
def test_a_run_whose_feeding_process_is_killed_goes_on_with_the_whole_stream(case, tmp_path):
    last, status, resumable = FED[case]
    long = [f"{line.rstrip()} # {'long' * 10_000}\n" for line in LINES]  # several blocks
    whole, part = "".join(long[:290] + LINES[290:]), tmp_path / "part"
    part.write_text("".join(long[:290]) + last)

    def words(name):
        outputs = [f"--{kind}={tmp_path / name}.{kind}" for kind in ("predictions", "mistakes", "model")]
        return ["learn", *STREAM, *outputs, "--checkpoint", "50"]

    run(*words("whole"), typed=whole)
    fed = tmp_path / "fed"  # appears once all of it is in the pipe, where it stays when the process is killed
    feed = (
        "import pathlib, sys, time; print(end=pathlib.Path(sys.argv[1]).read_text(), flush=True); "
        "pathlib.Path(sys.argv[2]).touch(); time.sleep(600)"
    )
    feeding = subprocess.Popen([sys.executable, "-c", feed, str(part), str(fed)], stdout=subprocess.PIPE)
    command = [sys.executable, "-m", "littlestone", *words("cut")]
    process = subprocess.Popen(command, stdin=feeding.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    feeding.stdout.close()
    deadline = time.monotonic() + 60
    while not ((tmp_path / "cut.model").exists() and fed.exists()):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    feeding.kill()
    feeding.wait()
    assert process.wait(60) == status
    if not resumable:
        before = (tmp_path / "cut.model").read_bytes()
        refused = CliRunner().invoke(main, [*words("cut"), "--resume"], input=whole)
        assert refused.exit_code == 2
        assert (
            "- differs in the last of the 291 rounds that the model learned last, whose line had no end"
            in refused.stderr
        )
        assert (tmp_path / "cut.model").read_bytes() == before
    run(*words("cut"), *(["--resume"] if resumable else []), typed=whole)
    for kind in ("predictions", "mistakes", "model"):
        assert (tmp_path / f"cut.{kind}").read_bytes() == (tmp_path / f"whole.{kind}").read_bytes(), kind


def test_other_data_after_a_line_without_its_end_are_new(tmp_path):
    model = tmp_path / "m.lst"
    for lines in (LINES[:3], LINES[100:103], LINES[:1], LINES[1:2]):
        run(
            "learn", *STREAM, "--model", model, *(["--resume"] if model.exists() else []), typed="".join(lines).rstrip()
        )
    assert ls.load(model).tally.rounds == 8


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


@pytest.mark.parametrize("league", [(), ("--league", "perceptron,winnow")])
def test_texts_that_tf_idf_weighs_otherwise_are_not_said_to_begin_otherwise(league, tmp_path):
    one, other, model = (tmp_path / name for name in ("one.txt", "other.txt", "m.lst"))
    texts = [f"{'ab'[t % 2]}\t{['red', 'green'][t % 2]} word{t % 7} the\n" for t in range(100)]
    one.write_text("".join(texts[:40]))
    other.write_text("".join(texts[40:]))
    run("learn", one, "--tf-idf", "--model", model, *league)
    for _ in range(2):  # the second time it does begin with these rounds
        said = run("learn", other, "--tf-idf", "--model", model, "--resume", *league).stderr
    weighed = "as --tf-idf weighs them by the texts before them: all of it is learned as new"
    assert f"{other} does not begin with the 60 rounds that the model learned last, {weighed}" in said


def write_bad_rows(path, rounds):
    """A table in which every ninth record, the first among them, has a cell too many."""
    rows = [f"{t % 37}.5,{t % 3},{'yn'[t % 2]}{',1' * (t % 9 == 0)}\n" for t in range(rounds)]
    path.write_text("a,b,label\n" + "".join(rows))


@pytest.mark.parametrize("league", [(), ("--league", "perceptron,winnow")])
def test_a_record_that_is_skipped_has_an_empty_line_among_the_guesses(league, tmp_path):
    data, said, model = (tmp_path / name for name in ("a.csv", "said", "m.lst"))
    options = ("--model", model, "--predictions", said, "--on-error", "skip", *league)
    write_bad_rows(data, 50_000)
    for cache in ((), ("--cache",), ("--cache",)):
        run("learn", data, *options, *cache)
        lines = said.read_text().splitlines()
        assert len(lines) == 50_000
        assert [t for t, line in enumerate(lines) if not line] == list(range(0, 50_000, 9))
    write_bad_rows(data, 50_020)
    run("learn", data, *options, "--resume")
    grown = said.read_text().splitlines()
    assert grown[:50_000] == lines
    assert [t for t, line in enumerate(grown) if not line] == list(range(0, 50_020, 9))


def test_every_pass_has_lines_for_the_records_that_are_skipped_also_after_a_stop(tmp_path, monkeypatch):
    data, said, model = (tmp_path / name for name in ("a.csv", "said", "m.lst"))
    options = ("--model", model, "--predictions", said, "--on-error", "skip", "--passes", 2)
    write_bad_rows(data, 2_000)
    run("learn", data, *options)
    whole = said.read_text()
    assert len(whole.splitlines()) == 4_000
    for stop in (500, 1_700):
        said.unlink()
        model.unlink()
        with monkeypatch.context() as patch:
            patch.setattr(LearnRun, "_is_over", property(is_over_after(stop, LearnRun._is_over)))
            run("learn", data, *options, "--checkpoint", 100)
        assert len(said.read_text().splitlines()) < 2_000
        run("learn", data, *options, "--resume")
        assert said.read_text() == whole
