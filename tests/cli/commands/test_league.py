"""`learn --league` as it is typed: members by name and by path, files, resuming, refusals; and the line of a race."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.cli import main
from littlestone.cli.league_members import split_members
from littlestone.game.saving.container import read as read_document
from littlestone.plot.scenes import compose_league

MEMBERS = "perceptron,averaged-perceptron,winnow:threshold=4"


@pytest.fixture
def rows(tmp_path):
    """Rows of svmlight whose label is one of two attributes, with some noise."""
    rng = np.random.default_rng(3)
    lines = []
    for _ in range(240):
        present = np.flatnonzero(rng.random(12) < 0.3) + 1
        label = (1 in present) or (2 in present)
        lines.append(f"{'+1' if label != (rng.random() < 0.05) else '-1'} {' '.join(f'{i}:1' for i in present)}\n")
    path = tmp_path / "rows.svm"
    path.write_text("".join(lines))
    return path


def attempt(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_what_is_printed_is_what_the_league_counts_and_the_model_predicts_on(rows, tmp_path):
    model, said, picture = tmp_path / "l.lst", tmp_path / "guesses.txt", tmp_path / "w.svg"
    words = ("--model", model, "--predictions", said, "--plot", picture)
    done = json.loads(run("learn", rows, "--league", MEMBERS, *words, "--json").stdout)
    played = ls.League([ls.Perceptron(), ls.AveragedPerceptron(), ls.Winnow(threshold=4)]).play(ls.read(rows))
    assert (done["rounds"], done["mistakes"]) == (240, played.mistakes)
    assert done["log_loss"] == played.log_loss
    assert {one["name"]: one["mistakes"] for one in done["members"]} == {
        one.name: one.mistakes for one in played.standings()
    }
    assert len(said.read_text().splitlines()) == 240
    loaded = ls.load(model)
    (chunk,) = ls.read(rows).chunks()
    assert run("predict", model, rows).stdout.split() == [str(guess) for guess in loaded.predictions(chunk)]
    assert loaded.predictions(chunk) == [played.predict(chunk[t]) for t in range(240)]
    assert [line[8:] for line in run("explain", model, "--top", 1).stdout.splitlines() if line[7] == " "]
    assert picture.read_text().startswith("<?xml")
    assert "of the weight after round 240" in compose_league(loaded).words


@pytest.mark.long
def test_the_default_pool_plays_and_its_certificates_verify(rows):
    done = run("learn", rows, "--league", "--certify")
    shown = done.stdout
    assert "learner  League of 13 members" in shown
    assert "asleep" not in shown
    assert shown.count(" holds: ") == 2
    league = ls.League().play(ls.read(rows))
    assert f"{league.mistakes:,} of 240" in shown
    for kind in ("log loss", "mistakes"):
        certificate = league.certificate(kind)
        assert f"\n{certificate}"[:60] in shown
        assert ls.verify(certificate, ls.read(rows))


def test_a_league_that_goes_on_is_the_league_that_never_stopped(rows, tmp_path):
    lines = rows.read_text().splitlines(keepends=True)
    first, rest, model, whole = (tmp_path / name for name in ("a.svm", "b.svm", "m.lst", "w.lst"))
    first.write_text("".join(lines[:101]))
    rest.write_text("".join(lines[101:]))
    run("learn", first, "--league", MEMBERS, "--model", model, "--quiet")
    run("learn", rest, "--league", "--resume", "--model", model, "--quiet")
    run("learn", rows, "--league", MEMBERS, "--model", whole, "--quiet")
    going_on, never_stopped = ls.load(model), ls.load(whole)
    assert going_on.log_loss == never_stopped.log_loss
    assert going_on.weights == never_stopped.weights


def test_models_of_other_libraries_play_by_their_path(rows, tmp_path):
    model = tmp_path / "f.lst"
    named = "perceptron,sklearn:linear_model.SGDClassifier:loss=log_loss,river:linear_model.LogisticRegression"
    done = json.loads(run("learn", rows, "--league", named, "--model", model, "--json").stdout)
    slept = {one["name"]: one["slept"] for one in done["members"]}
    assert max(slept.values()) < 12
    assert len(slept) == 3
    refused = attempt("predict", model, rows)
    assert refused.exit_code == 1
    assert "which no file holds: 'sklearn:linear_model.SGDClassifier:loss=log_loss'" in refused.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--league", "river:linear_model.LogisticRegresion"], "did you mean LogisticRegression"),
        (["--league", "river:nothing.Here"], "No module named 'river.nothing'"),
        (["--league", "sklearn:os.system"], "No module named 'sklearn.os'"),
        (["--league", "sklearn:linear_model._base.LinearModel"], "write sklearn:MODULE.CLASS"),
        (["--league", "perceptrom"], "did you mean perceptron"),
        (["--league", "ridge,perceptron"], "predicts numbers"),
        (["--league", "--learner", "perceptron"], "--learner is about one learner: leave it out with --league"),
        (["--league", "--passes", "2"], "a league plays every round once"),
        (["--plot", "x.png"], "it goes with --league"),
    ],
)
def test_what_cannot_play_is_refused_in_words(words, said, rows):
    done = attempt("learn", rows, *words)
    assert done.exit_code in (1, 2)
    assert said in " ".join(done.output.split())


def test_a_model_of_one_kind_is_not_taken_for_the_other(rows, tmp_path):
    league, player = tmp_path / "l.lst", tmp_path / "p.lst"
    run("learn", rows, "--league", "perceptron,averaged-perceptron", "--model", league, "--quiet")
    run("learn", rows, "--learner", "perceptron", "--model", player, "--quiet")
    for words, said in (
        (["--resume", "--model", league], "--league"),
        (["--league", "--resume", "--model", player], "player"),
    ):
        done = attempt("learn", rows, *words)
        assert done.exit_code == 1
        assert said in done.output


def test_a_race_ends_with_the_line_of_its_league(rows):
    lines = run("race", rows, "--learner", "perceptron", "--learner", "averaged-perceptron").stdout.splitlines()
    assert lines[-1].endswith("the league of these 2 (--league)")
    played = ls.League([ls.Perceptron(), ls.AveragedPerceptron()]).play(ls.read(rows))
    assert int(lines[-1].split()[0].replace(",", "")) == played.mistakes


def test_what_is_typed_is_split_into_members():
    assert split_members("a, b:x=1,y=2,network:perceptron:margin=2,updates=each") == [
        "a", "b:x=1,y=2", "network:perceptron:margin=2,updates=each",
    ]  # fmt: skip


def test_the_model_of_a_league_is_certified_and_its_floors_too(rows, tmp_path):
    model, written = tmp_path / "l.lst", tmp_path / "c.json"
    done = json.loads(run("learn", rows, "--league", MEMBERS, "--model", model, "--certify", "--json").stdout)
    assert "no choice of a member in each round has fewer than" in done["floors"]
    for kind, made in zip(("log loss", "mistakes", "choices", "mixtures"), done["certificates"], strict=True):
        run("certify", model, rows, "--theorem", kind, "--output", written)
        assert json.loads(written.read_text()) == made
        assert "verified over 240 rounds" in run("verify", written, rows).stdout
    assert "log-loss" in run("certify", model, rows).stdout
    wrong = attempt("certify", model, rows, "--theorem", "Novikoff")
    assert wrong.exit_code == 2
    assert "log loss, mistakes, choices, mixtures" in wrong.output


FOREIGN = "sklearn:linear_model.SGDClassifier:loss=log_loss,river:tree.HoeffdingTreeClassifier"


def kill_after_first_save(words, model):
    """Start a run in a process of its own, and end it by SIGKILL once it has saved its model for the first time."""
    process = subprocess.Popen([sys.executable, "-m", "littlestone", *map(str, words)], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not model.exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.001)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.long
@pytest.mark.parametrize("foreign", [None, FOREIGN])
def test_a_league_that_was_killed_goes_on_where_it_was_saved(foreign, rows, tmp_path):
    lines = rows.read_text().splitlines(keepends=True)
    rows.write_text("".join(lines * (8 if foreign else 40)))
    members, rounds = f"{MEMBERS},{foreign}" if foreign else MEMBERS, 240 * (8 if foreign else 40)

    def words(name, *more):
        outputs = [f"--{kind}={tmp_path / name}.{kind}" for kind in ("predictions", "model")]
        return ["learn", rows, "--league", members, *outputs, "--checkpoint", 100, "--quiet", *more]

    run(*words("whole"))
    kill_after_first_save(words("cut"), tmp_path / "cut.model")
    kept = read_document(tmp_path / "cut.model")[0]["about"]["run"]
    assert 0 < kept["rounds"] < rounds
    assert not kept["finished"]
    run(*words("cut", "--resume"))
    whole, cut = (tmp_path / f"{name}.model" for name in ("whole", "cut"))
    if foreign is None:
        assert cut.read_bytes() == whole.read_bytes()
        assert (tmp_path / "cut.predictions").read_bytes() == (tmp_path / "whole.predictions").read_bytes()
        return
    assert len((tmp_path / "cut.predictions").read_text().splitlines()) == rounds
    (_, going_on), (_, never_stopped) = read_document(cut), read_document(whole)
    ours = [name for name in never_stopped if name.startswith("member")]
    assert len({name.partition(".")[0] for name in ours}) == 3
    assert all(going_on[name].tobytes() == never_stopped[name].tobytes() for name in ours)
    assert going_on["books.counts"][0] == rounds


def test_a_league_goes_on_with_its_members_and_with_models_that_are_named_again(rows, tmp_path):
    model = tmp_path / "f.lst"
    run("learn", rows, "--league", f"perceptron,{FOREIGN}", "--model", model, "--quiet")
    more = tmp_path / "more.svm"
    more.write_text("".join(reversed(rows.read_text().splitlines(keepends=True))))
    unnamed = attempt("learn", more, "--league", "--resume", "--model", model)
    assert unnamed.exit_code == 1
    assert "which no file holds" in unnamed.output
    other = attempt("learn", more, "--league", f"winnow,{FOREIGN}", "--resume", "--model", model)
    assert other.exit_code == 2
    assert "has no Winnow()" in " ".join(other.output.split())
    done = run("learn", more, "--league", f"perceptron,{FOREIGN}", "--resume", "--model", model, "--json")
    assert "starts afresh" in done.stderr
    assert json.loads(done.stdout)["rounds"] == 240
    again = run("learn", more, "--league", FOREIGN, "--resume", "--model", model, "--json")
    assert "begins with the 240 rounds that the model learned last" in again.stderr
    assert (json.loads(again.stdout)["rounds"], json.loads(again.stdout)["members"][0]["slept"]) == (240, 0)
    assert read_document(model)[1]["books.counts"][0] == 480
