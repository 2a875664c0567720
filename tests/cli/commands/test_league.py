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
    assert shown.count(" holds: ") == 3  # in the summary, and both in full
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


SGD = "sklearn:linear_model.SGDClassifier:loss=log_loss"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A CSV of numbers, and labels that are words."""
    rng, path = np.random.default_rng(0), tmp_path_factory.mktemp("table") / "table.csv"
    labels = rng.integers(0, 2, 200)
    cells = rng.normal(size=(200, 3)) + labels[:, None] * [[1.5, -1.5, 0.0]]
    lines = [",".join(f"{v:.3f}" for v in row) + f",{'yn'[label]}" for row, label in zip(cells, labels, strict=True)]
    path.write_text("\n".join(["a,b,c,label", *lines]) + "\n")
    return path


def test_a_model_of_scikit_learn_plays_the_rows_of_a_table(table):
    done = json.loads(run("learn", table, "--league", f"perceptron,{SGD}", "--json").stdout)
    other = next(one for one in done["members"] if one["name"] == SGD)
    assert other["slept"] == 4  # it knows labels only by name, and the second class comes in round 4
    assert other["mistakes"] < 60


def test_the_columns_of_a_table_reach_a_model_in_one_order():
    from littlestone.game.league.foreign import ForeignMember
    from littlestone.game.league.members import LeagueMember

    class Model:
        def predict(self, X):
            return X

    member = ForeignMember(LeagueMember(Model(), "model"))
    assert member._lay_flat({"b": 1.0, "a": 2.0}).tolist() == [[1.0, 2.0]]
    assert member._lay_flat({"a": 3.0, "b": 4.0}).tolist() == [[4.0, 3.0]]
    member.model.n_features_in_ = 2
    assert member._lay_flat({"a": 5.0, "new": 9.0}).tolist() == [[0.0, 5.0]]
    assert "not shown" in member.excuse


def test_a_league_says_what_is_kept_of_it_and_predicts_when_its_members_are_named(table, tmp_path):
    model = tmp_path / "f.lst"
    learned = run("learn", table, "--league", f"perceptron,logistic,{SGD}", "--model", model)
    assert f"what {SGD} learned is not kept" in " ".join(learned.stderr.split())
    refused = attempt("predict", model, table)
    assert refused.exit_code == 1
    assert f"predict --members {SGD}" in " ".join(refused.output.split())
    done = attempt("predict", model, table, "--members", SGD)
    assert done.exit_code == 0, done.output
    assert "abstains" in done.stderr
    guesses = done.stdout.split()
    truth = [line.rpartition(",")[2] for line in table.read_text().split()[1:]]
    assert sum(a != b for a, b in zip(guesses, truth, strict=True)) < 50
    wrong = attempt("predict", model, table, "--members", "sklearn:linear_model.Perceptron")
    assert wrong.exit_code == 1
    own = tmp_path / "own.lst"
    run("learn", table, "--league", "perceptron", "--model", own, "--quiet")
    unneeded = attempt("predict", own, table, "--members", SGD)
    assert unneeded.exit_code == 1
    assert "no foreign member" in " ".join(unneeded.output.split())


def test_a_saved_league_knows_the_columns_that_its_foreign_members_had(table, tmp_path):
    from sklearn.linear_model import SGDClassifier

    model, league = tmp_path / "f.lst", ls.League([ls.Perceptron(), ls.LeagueMember(SGDClassifier(), "sgd")])
    league.play(ls.read(str(table)))
    league.save(model)
    again = ls.League.load(model, {"sgd": league.members[1].model})
    x = {"c": 0.0, "b": -2.0, "a": 2.0}
    assert again.members[1]._lay_flat(x).tolist() == league.members[1]._lay_flat(x).tolist() == [[2.0, -2.0, 0.0]]


def test_the_certificate_of_a_league_stands_in_its_summary_and_in_its_record(table):
    shown = run("learn", table, "--league", "perceptron", "--certify").stdout
    told = json.loads(run("learn", table, "--league", "perceptron", "--certify", "--json").stdout)
    assert told["certificate"]["theorem"] == told["certificates"][0]["theorem"]
    assert told["certificate"]["words"].startswith(f"{told['log_loss']:.2f}"[:4])
    line = next(line for line in shown.splitlines() if line.strip().startswith("certificate"))
    assert f"{told['certificate']['words']} holds: {told['certificate']['theorem']}" in line


def test_a_league_without_a_certificate_says_why_after_its_summary(table, tmp_path):
    model, more = tmp_path / "m.lst", tmp_path / "more.csv"
    more.write_text(table.read_text().replace("\n", "\n1.0,1.0,1.0,y\n", 1))  # rows that do not begin as the model's
    run("learn", table, "--league", "perceptron", "--model", model, "--quiet")
    done = attempt("learn", more, "--league", "--resume", "--model", model, "--certify")
    assert done.exit_code == 1
    assert "201" in done.stdout
    assert "the league had played other rounds before these" in " ".join(done.stderr.split())


def test_a_league_refuses_numbers_as_labels(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "numbers.csv"
    path.write_text("\n".join(["a,y", *(f"{v:.3f},{3 * v:.4f}" for v in rng.normal(size=120))]) + "\n")
    for typed in (None, path.read_text()):
        words = ["--format", "csv"] if typed else []
        done = CliRunner().invoke(main, ["learn", "-" if typed else str(path), "--league", *words], input=typed)
        assert done.exit_code == 1
        assert "a league is for classes" in " ".join(done.output.split())
        assert "--task classification" in " ".join(done.output.split())
    for insisting in (["--task", "classification"], ["--many-classes"]):
        asked = attempt("learn", path, "--league", "logistic", *insisting, "--json")
        assert asked.exit_code == 0, asked.output
    from littlestone.base.errors import BadLabel

    with pytest.raises(BadLabel, match="a league is for classes"):
        ls.League([ls.Logistic()]).play(ls.read(str(path)))


def test_help_and_guide_name_members_of_other_libraries():
    assert "river:MODULE.CLASS" in " ".join(run("learn", "--help").stdout.split())
