"""The command `learn`: what it prints, writes and leaves behind, and how it goes on where it stopped."""

import errno
import json
import math
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.certificates.risk import LabelOrder, risk
from littlestone.cli import main
from littlestone.cli.commands import warm
from littlestone.game.model import read

AVERAGED = ("--learner", "averaged-perceptron")


def run(*words, typed=None):
    return CliRunner().invoke(main, [str(word) for word in words], input=typed)


def written(path, rows=300, classes=2, seed=0):
    """A file of rows whose label depends on a few attributes, with some noise."""
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(rows):
        numbers = np.flatnonzero(rng.random(12) < 0.4) + 1
        label = (int(numbers.sum()) if classes > 2 else int(3 in numbers)) % classes
        label = int(rng.integers(classes)) if rng.random() < 0.05 else label
        lines.append(f"{label} " + " ".join(f"{k}:{k % 3 + 1}" for k in numbers) + "\n")
    path.write_text("".join(lines))
    return path


@pytest.fixture
def data(tmp_path):
    return written(tmp_path / "rows.svm")


def rounds_of(data):
    """Instances and labels, one by one."""
    return [(chunk[t], chunk.labels[t]) for chunk in ls.read(str(data)).chunks() for t in range(len(chunk))]


def served_of(data, learner=None):
    """What a player says of each instance before it learns the label, round by round, and the labels."""
    player, said = ls.Player(learner, classes=ls.read(str(data)).classes()), []
    for x, y in rounds_of(data):
        said.append((player.predict(x) if player.tally.rounds else 0, y))
        player.update(x, y)
    return said


def learned(data, *words):
    said = run("learn", data, "--json", *words)
    assert said.exit_code == 0, said.output
    return json.loads(said.stdout)


def test_seconds_are_those_of_learning_without_compiling(data, monkeypatch):
    clock = SimpleNamespace(perf_counter=iter([100.0, 107.0]).__next__)  # of the command: the game has its own
    monkeypatch.setattr("littlestone.cli.commands.run.time", clock)
    monkeypatch.setattr("littlestone.cli.commands.run.CompileClock.seconds", 4.5)
    assert learned(data)["seconds"] == 2.5


def test_json_has_everything_promised_and_agrees_with_the_game(data, tmp_path):
    record = learned(data, *AVERAGED, "--model", tmp_path / "m.lst", "--certify")
    game = ls.play(ls.AveragedPerceptron(), ls.read(str(data)))
    wrong = 1 + sum(guess != label for guess, label in served_of(data, ls.AveragedPerceptron())[1:])
    assert (record["rounds"], record["mistakes"], record["mistakes_of"]) == (300, wrong, "what was served")
    assert (record["mistakes_played"], record["updates"]) == (game.mistakes, game.updates)
    assert game.served.mistakes == wrong != game.mistakes
    assert record["mistake_rate"] == wrong / 300
    assert record["classes"] == [0, 1]
    assert record["attributes"] == 13
    assert record["nonzeros"] == sum(len(line.split()) - 1 for line in data.read_text().splitlines())
    assert record["seconds"] > 0
    assert Path(record["model"]).exists()
    certificate = record["certificate"]
    assert certificate["mistakes"] == game.mistakes
    assert certificate["updates"] <= certificate["bound"]
    assert certificate["holds"] is True
    assert certificate["theorem"].startswith("Perceptron")


def test_the_default_gives_chances_and_a_certificate_of_their_log_loss(data):
    record, game = learned(data, "--certify"), ls.play(ls.Logistic(), ls.read(str(data)))
    assert record["learner"] == "Logistic()"
    assert (record["mistakes"], record["serves_apart"]) == (game.mistakes, False)
    losses = game.player.state.losses
    assert record["progressive"]["log_loss"] == pytest.approx(losses[0].sum() / 300, rel=1e-12)
    assert record["progressive"]["estimated"] is False
    came = [one["rounds"] for one in record["progressive"]["classes"]]
    assert record["progressive"]["constant_rate"] == 1 - max(came) / 300
    labels = [line.split()[0] for line in data.read_text().splitlines()]
    changes = 1 + sum(one != other for one, other in pairwise(labels))
    assert record["progressive"]["repeated_rate"] == changes / 300
    assert record["certificate"]["holds"] is True
    assert record["certificate"]["counts"] == "log-loss"
    said = run("learn", data).stdout
    assert f"; a constant {1 - max(came) / 300:.2%}, the last label repeated {changes / 300:.2%}" in said
    assert f"log-loss {losses[0].sum() / 300:.4f}" in said
    assert "remedy" not in said


def test_a_learner_that_does_worse_than_a_constant_is_told_what_to_do(tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("".join(f"{int(t % 4 == 0)} 1:{(t * 37 % 11) * 100}\n" for t in range(200)))
    said = run("learn", rows, "--learner", "perceptron").stdout
    remedy = "leave out --learner, or scale the columns; `littlestone race` tries every learner"
    assert f"a constant guess would have made fewer mistakes: {remedy}" in said
    weighed = learned(rows, "--class-weights", "balanced")["progressive"]
    assert weighed["mistake_rate"] > weighed["constant_rate"]
    assert "remedy" not in run("learn", rows, "--class-weights", "balanced").stdout  # such mistakes are meant


def test_a_learner_that_does_worse_than_the_last_label_repeated_is_told_so(tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("".join(f"{t // 20 % 2} 1:{t * 37 % 11}\n" for t in range(400)))
    record, said = learned(rows)["progressive"], run("learn", rows).stdout
    assert record["repeated_rate"] < record["mistake_rate"] <= record["constant_rate"]
    assert "remedy  repeating the last label would have made fewer mistakes: " in said


@pytest.mark.parametrize("league", [[], ["--league", "perceptron,alma"]], ids=["a learner", "a league"])
def test_the_certificate_is_written_where_it_is_asked_for(league, data, tmp_path):
    record = learned(data, *league, "--certificate", tmp_path / "c.json")
    claimed = json.loads((tmp_path / "c.json").read_text())
    told = record["certificates"][0] if league else record["certificate"]
    assert {name: told[name] for name in claimed} == claimed
    assert "verified over 300 rounds" in run("verify", tmp_path / "c.json", data).stdout
    refused = run("learn", data, "--certificate", data)
    assert refused.exit_code != 0
    assert "--certificate" in refused.output


@pytest.mark.parametrize("league", [[], ["--league", "perceptron,romma"]], ids=["a learner", "a league"])
def test_entries_of_a_text_are_its_words(league, tmp_path):
    texts = [f"the {'good' if t % 2 else 'bad'} day is the number {t}" for t in range(60)]
    rows = [f'"{text}",{t % 2}' for t, text in enumerate(texts)]
    (tmp_path / "texts.csv").write_text("text,label\n" + "\n".join(rows) + "\n")
    assert learned(tmp_path / "texts.csv", *league)["nonzeros"] == sum(len(set(text.split())) for text in texts)


def test_people_read_the_same_counts(data):
    said = run("learn", data, *AVERAGED, "--certify")
    record = learned(data, *AVERAGED)
    assert said.exit_code == 0
    assert f"{record['mistakes']:,} of 300 guesses served ({record['mistake_rate']:.2%})" in said.stdout
    assert f"{record['mistakes_played']:,} mistakes of the hypothesis that learns" in said.stdout
    one = run("learn", data, "--learner", "perceptron").stdout
    assert " of 300 (" in one
    assert "served (" not in one
    assert "read as svmlight" in said.stdout
    assert "holds: Perceptron" in said.stdout
    assert "precision" in said.stdout
    assert said.stderr == ""


def test_the_first_run_ever_says_that_it_is_compiling(data, tmp_path):
    command = [sys.executable, "-m", "littlestone", "learn", data, "--json"]
    home = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    told = [subprocess.run(command, env=home, capture_output=True, text=True, check=True) for _ in range(2)]
    assert "compiling for this machine" in told[0].stderr
    assert told[1].stderr == ""
    assert json.loads(told[0].stdout)["mistakes"] == json.loads(told[1].stdout)["mistakes"]


def test_quiet_says_nothing(data, monkeypatch):
    monkeypatch.setattr("littlestone.compiled.FRESH", True)
    monkeypatch.setattr("littlestone.compiled.FOLDER", None)
    warm.tell_compiling.cache_clear()
    said = run("learn", data, "--quiet")
    assert (said.exit_code, said.output) == (0, "")
    again = "machine code cannot be kept, so that each run compiles again what takes long"
    assert run("learn", data).stderr.splitlines() == [
        f"littlestone: {again}: name a folder that can be written in XDG_CACHE_HOME"
    ]
    assert run("learn", data).stderr == ""  # once a process, which may run several commands


def test_a_process_says_once_that_it_is_compiling(data, monkeypatch):
    asked = []
    monkeypatch.setattr("littlestone.compiled.FRESH", True)
    monkeypatch.setattr("littlestone.compiled.FOLDER", "somewhere")
    monkeypatch.setattr("littlestone.compiled.tell_first_compile", asked.append)
    warm.tell_compiling.cache_clear()
    assert [run("learn", data).exit_code for _ in range(2)] == [0, 0]
    assert len(asked) == 1


def test_a_learner_is_named_with_its_parameters(data):
    record = learned(data, "--learner", "perceptron", "--set", "margin=2", "--set", "bias=0")
    assert record["learner"] == str(ls.Perceptron(margin=2, bias=0))
    assert record["mistakes"] == ls.play(ls.Perceptron(margin=2, bias=0), ls.read(str(data))).mistakes
    assert learned(data, "--set", "second_order=8")["learner"] == "Logistic(second_order=8)"
    network = learned(data, "--learner", "network:perceptron", "--set", "updates=each", "--set", "margin=1")
    assert network["learner"] == str(ls.Network(ls.Perceptron(margin=1), updates="each"))
    assert learned(data, "--learner", "network:second-order-perceptron")["learner"].endswith("updates='each')")


def test_the_default_takes_a_third_class_and_a_learner_of_two_does_not_if_it_comes_late(tmp_path):
    three = written(tmp_path / "three.svm", classes=3)
    assert learned(three)["learner"] == "Logistic()"
    assert learned(three, "--learner", "averaged-perceptron")["learner"] == str(ls.Network(ls.AveragedPerceptron()))
    assert learned(three, "--learner", "perceptron")["learner"] == str(ls.Network(ls.Perceptron()))
    said = run("learn", "-", "--learner", "perceptron", typed=three.read_text())  # which is not looked at beforehand
    assert said.exit_code == 1
    assert "--learner network:NAME, takes any number of classes" in said.stderr


def test_products_of_columns_make_a_problem_separable(tmp_path):
    rows = [(a, b) for _ in range(30) for a in "xy" for b in "uv"]
    xor = tmp_path / "xor.csv"
    xor.write_text("a,b,same\n" + "".join(f"{a},{b},{(a == 'x') == (b == 'u')}\n" for a, b in rows))
    crossed, plain = (learned(xor, *more)["passes"][0]["mistakes"] for more in (["--cross", "a:b"], []))
    assert crossed < 20 < plain
    assert learned(xor, "--cross", "a:b", "--bits", 12)["mistakes"] < 20
    game = ls.play(ls.Player(features=ls.read(str(xor), cross="a:b").features()), ls.read(str(xor)))
    assert game.mistakes == crossed
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("a,b,y\n1,2,0\n2,1,1\n")
    assert "attributes by name" in run("learn", numbers, "--cross", "a:b").stderr


def test_standard_input_is_read_and_can_be_certified(data):
    said = run("learn", "-", "--json", "--certify", typed=data.read_bytes())
    assert said.exit_code == 0, said.output
    assert json.loads(said.stdout)["certificate"]["holds"] is True


def test_predictions_are_the_guesses_before_each_label(data, tmp_path):
    learned(data, "--predictions", tmp_path / "out")
    assert (tmp_path / "out").read_text().splitlines() == [str(guess) for guess, _ in served_of(data)]


def test_further_passes_are_counted_apart(data):
    record = learned(data, "--passes", 3)
    assert [one["rounds"] for one in record["passes"]] == [300] * 3
    assert sum(one["mistakes"] for one in record["passes"]) == record["mistakes"]
    assert record["progressive"]["rounds"] == 300
    assert record["passes"][2]["mistakes"] < record["passes"][0]["mistakes"]
    assert learned(data, "--passes", 2, "--certify")["certificate"]["rounds"] == 600


def test_held_out_rounds_are_judged_and_not_learned(data):
    record = learned(data, "--holdout", 10)
    assert record["rounds"] == 270
    assert record["holdout"]["rounds"] == 30
    rows = [line for k, line in enumerate(data.read_text().splitlines(), 1) if k % 10]
    kept = Path(data.parent / "kept.svm")
    kept.write_text("\n".join(rows) + "\n")
    assert learned(kept)["mistakes"] == record["mistakes"]


def test_a_round_held_out_is_judged_by_what_was_learned_before_it(data):
    player, wrong = ls.Player(), 0
    for number, (x, y) in enumerate(rounds_of(data), 1):
        if number % 10:
            player.update(x, y)
        else:
            wrong += player.predict(x) != y
    held = learned(data, "--holdout", 10)["holdout"]
    assert (held["rounds"], held["mistakes"]) == (30, wrong)
    assert 0 < wrong < 15
    again = learned(data, "--holdout", 10, "--passes", 2, "--checkpoint", 7, "--model", data.parent / "m.lst")
    assert again["holdout"]["rounds"] == 60
    once = learned(data, "--holdout", 10)
    assert again["passes"][0] == {name: once[name] for name in ("rounds", "mistakes", "mistakes_played")}


def test_shuffling_depends_on_the_seed_alone(data):
    one, again, other = (learned(data, "--shuffle-buffer", 300, "--seed", seed)["mistakes"] for seed in (1, 1, 2))
    assert one == again
    assert {one, other, learned(data)["mistakes"]} != {one}


def test_progressive_figures_do_not_depend_on_checkpoints(data, tmp_path):
    plain = learned(data)
    cut = learned(data, "--model", tmp_path / "m.lst", "--checkpoint", 7)
    assert cut["progressive"] == plain["progressive"]
    assert plain["progressive"]["auc"] > 0.8
    assert 0 < plain["progressive"]["log_loss"] < 0.8


def test_a_run_goes_on_with_new_data(data, tmp_path):
    model, more = tmp_path / "m.lst", written(tmp_path / "more.svm", seed=1)
    learned(data, "--model", model)
    learned(more, "--model", model, "--resume")
    both = tmp_path / "both.svm"
    both.write_text(data.read_text() + more.read_text())
    whole = ls.play(ls.Player(), ls.read(str(both))).player
    assert ls.load(model).tally == whole.tally
    assert run("learn", more, "--model", model, "--resume", "--certify").exit_code == 1


def test_a_finished_run_has_nothing_left_to_do_until_its_data_change(data, tmp_path):
    model = tmp_path / "m.lst"
    first = learned(data, "--model", model)
    before = model.read_bytes()
    again = learned(data, "--model", model, "--resume")
    assert (again["rounds"], again["mistakes"]) == (first["rounds"], first["mistakes"])
    assert model.read_bytes() == before
    written(data, seed=5)
    assert learned(data, "--model", model, "--resume")["rounds"] == 300
    assert ls.load(model).tally.rounds == 600


def test_the_journal_tells_of_every_mistake(data, tmp_path):
    record = learned(data, "--mistakes", tmp_path / "m.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert len(lines) == record["mistakes"] == learned(data)["mistakes"]
    wrong = [(t, guess, y) for t, (guess, y) in enumerate(served_of(data), 1) if guess != y or t == 1]
    assert [(line["round"], line["guess"] or 0, line["label"]) for line in lines] == wrong
    for line in lines[1:]:
        assert math.isclose(line["score"], sum(part["weight"] for part in line["weights"]), abs_tol=1e-6)


def test_reading_stops_when_an_error_is_certified_and_says_after_how_many_examples(tmp_path):
    easy = tmp_path / "easy.svm"
    labels = np.random.default_rng(0).integers(0, 2, 5000).tolist()
    easy.write_text("".join(f"{y} {1 + y}:1\n" for y in labels))
    record = learned(easy, "--learner", "perceptron", "--until-error", 0.05, "--confidence", 0.99)
    until = record["until"]
    assert until["certified"] is True
    assert until["examples"] == record["rounds"] < 1000
    assert until["error"] <= 0.05
    expected = ls.pac(ls.Perceptron(), ls.read(str(easy)), error=0.05, confidence=0.99, schedule="harmonic")
    assert until["examples"] == expected.examples
    again = run("learn", easy, "--learner", "perceptron", "--until-error", 0.05).stdout
    assert f"certified after {until['examples']:,} examples" in again


@pytest.mark.parametrize("learner", [None, "averaged-perceptron"])
def test_until_error_plays_the_learner_of_every_other_run_and_certifies_what_it_served(tmp_path, learner):
    rng = np.random.default_rng(3)
    X, wrong = rng.normal(size=(3000, 4)), rng.random(3000) < 0.03
    rows = tmp_path / "rows.svm"
    lines = zip(X.tolist(), ((X[:, 0] > X[:, 1]) ^ wrong).tolist(), strict=True)
    rows.write_text("".join(f"{int(y)} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(x)) + "\n" for x, y in lines))
    asked = ("--learner", learner) if learner else ()
    guesses, whole = tmp_path / "guesses.txt", learned(rows, *asked, "--predictions", tmp_path / "guesses.txt")
    record = learned(rows, *asked, "--until-error", 0.2)
    until = record["until"]
    assert record["learner"] == whole["learner"]
    assert until["certified"] is True
    said = [int(line or "0") for line in guesses.read_text().splitlines()]
    mistakes = np.cumsum(np.array(said) != ((X[:, 0] > X[:, 1]) ^ wrong))
    order, first = LabelOrder(), 0
    for first in range(1, 3000):
        order.add([int((X[first - 1, 0] > X[first - 1, 1]) ^ wrong[first - 1])])
        found = risk(first, int(mistakes[first - 1]), 0.99, order)
        if found.doubt is None and found.average <= 0.2:
            break
    assert (until["examples"], record["rounds"], record["mistakes"]) == (first, first, mistakes[first - 1])
    assert until["error"] <= 0.2
    assert "the hypotheses that served these" in until["words"]


def test_a_stream_that_ends_first_says_what_is_certified(data):
    until = learned(data, "--until-error", 0.01)["until"]
    assert until["certified"] is False
    assert "the 300 examples ended first" in until["words"]
    assert 0.01 < until["error"] <= 1


def test_one_pass_says_what_it_means_for_new_data(data):
    record = learned(data, "--confidence", 0.95)
    risk = ls.play(ls.Player(), ls.read(str(data))).risk(0.95)
    assert record["risk"]["average"] == float(risk.average)
    assert "with 99 % confidence" in run("learn", data).stdout


def test_an_order_that_matters_is_objected_to_and_silences_what_is_said_of_new_data(tmp_path):
    turned = tmp_path / "turned.svm"
    turned.write_text("".join(f"{int((t % 2 == 0) == (t < 200))} {1 + t % 2}:1\n" for t in range(400)))
    said = run("learn", turned, "--check-order")
    assert said.exit_code == 0, said.output
    assert " order  " in said.stdout
    assert "with 99 % confidence" not in said.stdout
    assert learned(turned, "--check-order")["order"]["matters"] is True


def test_a_report_is_one_page_that_needs_nothing_else(data, tmp_path):
    learned(data, "--report", tmp_path / "run.html", "--certify")
    page = (tmp_path / "run.html").read_text()
    assert page.count("<svg") == page.count("</svg>") == 2
    for shown in ("Error over rounds", "a constant guess", "Calibration", "Certificate", "Class by class", "By "):
        assert shown in page
    assert "What was guessed for what" in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    for elsewhere in ("<script", "<link", "src=", "@import", "url("):
        assert elsewhere not in page


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_the_state_reached_and_the_run_goes_on_to_the_same_bytes(number, tmp_path):
    data = written(tmp_path / "rows.svm", rows=4000)
    model, whole = tmp_path / "m.lst", tmp_path / "whole.lst"
    given = ["--checkpoint", "100", "--passes", "40"]
    learned(data, "--model", whole, *given)
    command = [sys.executable, "-m", "littlestone", "learn", data, "--model", model, *given]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not model.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.001)
    process.send_signal(number)
    _, err = process.communicate()
    assert process.returncode == 128 + number, err
    assert "--resume" in err
    assert not read(model).about["run"]["finished"]
    assert run("learn", data, "--model", model, *given, "--resume").exit_code == 0
    assert model.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("kills", [10, pytest.param(60, marks=pytest.mark.long)])
def test_what_sigkill_leaves_behind_always_loads_and_ends_with_the_same_bytes(kills, tmp_path):
    written(tmp_path / "rows.svm", rows=12_000)
    here = Path(__file__).parent / "crash.py"
    command = [sys.executable, here, tmp_path, "7", str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["kills"] >= kills
    assert told["resumed"] >= kills


def test_what_voted_learners_serve_is_counted_only_if_asked(data):
    plain = learned(data, "--learner", "voted-perceptron")
    assert plain["mistakes_of"] == "what was played"
    assert (
        "what is served was not counted: --served counts it"
        in run("learn", data, "--learner", "voted-perceptron").stdout
    )
    counted = learned(data, "--learner", "voted-perceptron", "--served")
    player, wrong = ls.Player(ls.VotedPerceptron()), 0
    for number, (x, y) in enumerate(rounds_of(data)):
        wrong += number == 0 or player.predict(x) != y
        player.update(x, y)
    assert (counted["mistakes"], counted["mistakes_of"]) == (wrong, "what was served")
    assert counted["mistakes_played"] == plain["mistakes_played"] == plain["mistakes"]


def test_a_race_is_decided_by_what_is_served(data):
    table = run("race", data, "--learner", "averaged-perceptron", "--learner", "voted-perceptron", "--json")
    averaged, voted = sorted(json.loads(table.stdout)["learners"], key=lambda one: one["learner"])
    assert averaged["mistakes"] == learned(data, *AVERAGED)["mistakes"] < averaged["mistakes_played"]
    counted = learned(data, "--learner", "voted-perceptron", "--served")
    assert (voted["mistakes_of"], voted["mistakes"]) == ("what was served", counted["mistakes"])
    assert "what it serves was not counted" in run("race", data, "--learner", "voted-perceptron").stdout


def test_the_order_of_the_labels_replaces_what_is_said_about_new_data(tmp_path):
    rows = written(tmp_path / "rows.svm", rows=400).read_text().splitlines(keepends=True)
    sorted_rows = tmp_path / "sorted.svm"
    sorted_rows.write_text("".join(sorted(rows)))
    mixed, ordered = learned(tmp_path / "rows.svm"), learned(sorted_rows)
    assert mixed["risk"]["doubt"] is None
    assert mixed["risk"]["words"].startswith("if the rounds were drawn independently from one source")
    low, high = mixed["risk"]["log_loss"]
    assert low <= mixed["progressive"]["log_loss"] <= high
    assert "their log-loss is at most" in mixed["risk"]["words"]
    for one, found in zip(mixed["progressive"]["classes"], mixed["risk"]["classes"], strict=True):
        assert all(found[name][0] <= one[name] <= found[name][1] for name in ("precision", "recall"))
    assert "classes" not in ordered["risk"]
    assert "average" not in ordered["risk"]
    assert "nothing is said about new data" in ordered["risk"]["words"]
    assert "nothing is said about new data" in run("learn", sorted_rows).stdout
    until = learned(sorted_rows, "--until-error", 0.2)
    assert until["until"]["certified"] is False
    assert until["rounds"] == 400
    assert "nothing is said about new data" in until["until"]["words"]


def test_a_run_that_fails_leaves_no_part_of_a_cache(data, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("littlestone.game.player.Player.save", full)
    said = run("learn", data, "--cache", "--model", tmp_path / "m.lst", "--checkpoint", 100)
    assert (said.exit_code, said.stderr) == (1, "littlestone: [Errno 28] No space left on device\n")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.svm"]


def test_a_cache_that_cannot_be_put_in_its_place_is_removed(data, tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("littlestone.readers.cache.os.replace", refused)
    assert run("learn", data, "--cache").exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["rows.svm"]


def test_the_attributes_of_texts_are_those_that_were_met_and_not_all_slots(tmp_path):
    texts = tmp_path / "messages.txt"
    texts.write_text("spam\tfree money now\nham\tsee you at noon\nspam\twin a free prize\nham\tlunch at noon\n")
    record = learned(texts, "--format", "text")
    assert record["attributes"] == len(
        ["free", "money", "now", "see", "you", "at", "noon", "win", "a", "prize", "lunch"]
    )
    assert f"4 rounds, {record['attributes']} attributes, " in run("learn", texts, "--format", "text").stdout
