"""Snapshots: frozen where they should be, judged by later rounds alone, and bounds that hold for all at once."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.cli import main
from littlestone.game.snapshots import FIRST, keep_snapshots


def draw(rounds, seed, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 3))
    return X, (X[:, 0] > 0) ^ (rng.random(rounds) < noise)


def test_a_snapshot_is_judged_by_later_rounds_alone():
    X, y = draw(900, 1)
    found = keep_snapshots(ls.AveragedPerceptron(), ls.Recorded(X, y))
    assert [one.frozen for one in found._judged][-3:] == [math.ceil(FIRST * 2 ** (k / 2)) for k in (4, 5, 6)]
    for snapshot in found._judged:
        player = ls.Player(ls.AveragedPerceptron())
        for x, label in zip(X[: snapshot.frozen], y[: snapshot.frozen], strict=True):
            player.update(x, bool(label))
        wrong = [
            player.predict(x) != label for x, label in zip(X[snapshot.frozen :], y[snapshot.frozen :], strict=True)
        ]
        assert (snapshot.rounds, snapshot.mistakes) == (len(wrong), sum(wrong))
        share = 0.01 / (snapshot.number * (snapshot.number + 1))
        assert snapshot.bound == ls.risk(len(wrong), sum(wrong), 1 - share).average
    assert found.best.bound == min(snapshot.bound for snapshot in found._judged if snapshot.rounds)


def test_no_snapshot_errs_more_than_its_bound_more_often_than_allowed():
    missed = 0
    for seed in range(150):
        X, y = draw(500, seed)
        found = keep_snapshots(ls.Perceptron(), ls.Recorded(X, y), confidence=0.8)
        test, truth = draw(4000, 10**6 + seed)
        for snapshot in found._judged:
            if snapshot.rounds:
                error = np.mean(np.array(snapshot.player.predictions(ls.Recorded(test, truth)._chunk)) != truth)
                missed += error > float(snapshot.bound) + 0.02  # more than 4,000 rounds may be off by
                if error > float(snapshot.bound) + 0.02:
                    break
    assert missed <= 30  # a fifth


def test_nothing_is_said_without_a_judged_snapshot_or_in_an_impossible_order():
    X, y = draw(100, 0)
    assert "before one was judged" in str(keep_snapshots(ls.Perceptron(), ls.Recorded(X, y)))
    X, y = draw(2000, 0)
    order = np.argsort(y)
    assert "nothing is said about new data" in str(keep_snapshots(ls.Perceptron(), ls.Recorded(X[order], y[order])))
    with pytest.raises(NotCertified, match="independently"):
        keep_snapshots(ls.Perceptron(), ls.Teacher(5, [1]))
    player = ls.Player(ls.Perceptron())
    player.update([1.0], True)
    with pytest.raises(BadParameter, match="begin with the first round"):
        keep_snapshots(player, ls.Recorded(X, y))


def test_learn_saves_the_snapshot_that_it_speaks_of(tmp_path):
    X, y = draw(2000, 3)
    data, model = tmp_path / "rows.svm", tmp_path / "m.lst"
    data.write_text(
        "".join(
            f"{int(c)} " + " ".join(f"{k + 1}:{v!r}" for k, v in enumerate(x.tolist())) + "\n"
            for x, c in zip(X, y, strict=True)
        )
    )
    done = CliRunner().invoke(main, ["learn", str(data), "--snapshots", "--model", str(model), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["snapshot"]
    player = ls.Player()
    for chunk in ls.read(str(data)).chunks():
        for t in range(min(len(chunk), told["frozen"] - player.tally.rounds)):
            player.update(chunk[t], chunk.labels[t])
    kept = ls.load(model)
    assert kept.tally.rounds == told["frozen"] == player.tally.rounds
    chunk = next(iter(ls.read(str(data)).chunks()))
    assert kept.predictions(chunk) == player.predictions(chunk)
    assert f"frozen after round {told['frozen']:,} and judged by {told['rounds']:,} later ones" in told["words"]
    refused = CliRunner().invoke(main, ["learn", str(data), "--snapshots", "--passes", "2"])
    assert refused.exit_code != 0
    assert "--snapshots is about one pass" in refused.output
