"""`learn --class-weights`: what is learned by class, what is said of it, and what is refused."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.class_weights import ClassWeights
from littlestone.cli import main
from littlestone.cli.commands.passes import read_class_weights, spell_label


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """One row in eight is of the rare class, and half of these lie among the others."""
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.125
    X = rng.normal(size=(400, 2)) + 0.8 * y[:, None]
    path = tmp_path_factory.mktemp("weights") / "rows.csv"
    lines = [f"{a:.6f},{b:.6f},{'rare' if c else 'usual'}" for (a, b), c in zip(X.tolist(), y, strict=True)]
    path.write_text("x,y,label\n" + "\n".join(lines) + "\n")
    return path


def learn(*words):
    return CliRunner().invoke(main, ["learn", *map(str, words), "--label", "label"])


def test_balanced_rounds_find_the_rare_class_and_the_summary_says_so(rows):
    plain, balanced = (
        json.loads(learn(rows, "--json", *more).stdout) for more in ((), ("--class-weights", "balanced"))
    )
    recalls = [
        next(one["recall"] for one in run["progressive"]["classes"] if one["class"] == "rare")
        for run in (plain, balanced)
    ]
    assert recalls[1] > recalls[0] + 0.2
    assert plain["weights"] is None
    assert "balanced by the classes met so far" in balanced["weights"]
    assert "balanced by the classes met so far" in learn(rows, "--class-weights", "balanced").stdout


def test_the_shell_learns_what_rows_of_that_importance_teach(rows, tmp_path):
    assert learn(rows, "--class-weights", "rare=2.5", "--model", tmp_path / "m.lst").exit_code == 0
    ours = ls.load(tmp_path / "m.lst")
    stream = ls.read(str(rows), label="label")
    player = ls.Player(None, stream.features(), stream.classes())
    player.start_for(stream)
    for chunk in stream.chunks():
        seen = player.features.read_chunk(chunk)
        weights = np.where(chunk.labels == "rare", 2.5, 1.0)
        rows_seen = Examples(seen.indptr, seen.indices, seen.values, chunk.labels, seen.width, weights)
        other = ls.Player()
        other.replay(rows_seen)
    assert ours.state.losses.tolist() == other.state.losses.tolist()
    assert ours.tally.mistakes == other.tally.mistakes


def test_an_interrupted_run_goes_on_with_its_weights(rows, tmp_path):
    half = tmp_path / "half.csv"
    half.write_text("".join(rows.read_text().splitlines(keepends=True)))
    whole = learn(rows, "--class-weights", "balanced", "--model", tmp_path / "a.lst", "--json")
    again = learn(rows, "--class-weights", "balanced", "--model", tmp_path / "a.lst", "--resume", "--json")
    assert json.loads(again.stdout)["mistakes"] == json.loads(whole.stdout)["mistakes"]
    other = learn(rows, "--model", tmp_path / "a.lst", "--resume", "--json")
    assert json.loads(other.stdout)["rounds"] == 400  # another run: all rounds are new to it
    assert ls.load(tmp_path / "a.lst").tally.rounds == 800


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--class-weights", "rare"], "--class-weights takes balanced or LABEL=NUMBER,..., got 'rare'"),
        (["--class-weights", "rare=x"], "--class-weights takes balanced or LABEL=NUMBER,..., got 'rare=x'"),
        (["--class-weights", "rare=0"], "--class-weights: the weight of 'rare' must be above 0"),
        (["--class-weights", "rare=-2"], "--class-weights: the weight of 'rare' must be above 0"),
        (["--class-weights", "rare=1,rare=2"], "--class-weights has two weights for one label"),
        (["--class-weights", "rarer=2"], "--class-weights: there is no label 'rarer'; labels are"),
        (["--class-weights", "rare=2", "--learner", "perceptron"], "--class-weights weighs log-losses"),
        (["--class-weights", "rare=2", "--league"], "--class-weights is about one learner: leave it out with --league"),
        (["--class-weights", "rare=2", "--cluster", "local"], "--class-weights is about one stream"),
    ],
)
def test_wrong_weights_are_refused_by_the_name_of_the_flag(rows, tmp_path, words, said):
    run = learn(rows, *words, "--model", tmp_path / "m.lst")
    assert run.exit_code != 0
    assert said in run.output
    assert not (tmp_path / "m.lst").exists()


def test_labels_that_are_numbers_go_by_their_value():
    assert [spell_label(label) for label in (1, 1.0, "1", True, "true", "1.0", np.int64(1))] == [1.0] * 7
    assert [spell_label(label) for label in ("A", "nan", -1, "7a")] == ["A", "nan", -1.0, "7a"]
    weights = read_class_weights("1=3,-1=0.5")
    assert isinstance(weights, ClassWeights)
    assert weights.weigh(np.array([1, -1, 1])).tolist() == [3.0, 0.5, 3.0]


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("t.txt", "spam\tfree money\nham\thello you\n" * 20, []),
        ("t.jsonl", '{"label": "spam", "a": "x", "n": 2}\n{"label": "ham", "a": "y", "n": 1}\n' * 20, []),
        ("t.csv", "label,a,b\nspam,x,free money now\nham,y,hello you there\n" * 1 + "spam,x,money\n" * 20, []),
        ("t.csv", "label,a,b\n" + "spam,x,free money now\nham,y,hello you there\n" * 20, ["--text", "b"]),
        ("t.csv", "label,a,b\n" + "spam,x,u\nham,y,v\n" * 20, ["--cross", "a:b"]),
        ("t.csv", "label,a,b\n" + "spam,x,u\nham,y,v\n" * 20, ["--bits", "12"]),
        ("t.svm", "+1 1:1 3:2\n-1 2:1\n" * 20, []),
        ("t.vw", "1 2.0 |a x y:2\n-1 |a z\n" * 20, []),
    ],
)
def test_weights_reach_the_learner_whatever_the_format(tmp_path, name, text, more):
    path = tmp_path / name
    path.write_text(text)
    first = "spam" if "spam" in text else "1"
    losses = []
    for weight in ("1", "0.25", "3"):
        words = ["learn", str(path), "--class-weights", f"{first}={weight}", "--model", str(tmp_path / "m.lst"), *more]
        run = CliRunner().invoke(main, words)
        assert run.exit_code == 0, run.output
        state = ls.load(tmp_path / "m.lst").state
        losses.append((float(state.losses[0].sum()), int(state.counts[4])))
    assert len({loss for loss, _ in losses}) == 3
    assert losses[2][1] > losses[0][1]  # more plays


@pytest.mark.parametrize("weights", ["balanced", "rare=2.5"])
def test_a_run_that_was_weighed_is_certified_and_verified_with_the_data_alone(rows, tmp_path, weights):
    model, claim = tmp_path / "m.lst", tmp_path / "c.json"
    run = json.loads(learn(rows, "--class-weights", weights, "--certify", "--model", model, "--json").stdout)
    assert run["certificate"]["holds"]
    given = ["--label", "label"]
    made = CliRunner().invoke(main, ["certify", str(model), str(rows), "--output", str(claim), *given])
    assert made.exit_code == 0, made.output
    kept = json.loads(claim.read_text())
    told = {"by": "balanced"} if weights == "balanced" else {"by": "class", "each": [1.0, 2.5]}
    assert kept["learner"]["weights"] == told
    assert (kept["count"], kept["bound"]) == (run["certificate"]["count"], run["certificate"]["bound"])
    checked = CliRunner().invoke(main, ["verify", str(claim), str(rows), *given])
    assert checked.exit_code == 0, checked.output
    assert "log-loss <=" in checked.output
