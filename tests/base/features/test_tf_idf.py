"""Words weighed by the texts learned before: the formula, what counts, and what goes on after saving."""

from collections import Counter
from math import log

import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.base.errors import BadModel, LittlestoneError
from littlestone.base.features import Hashed, Named, TfIdf, Words
from littlestone.cli import main

TEXTS = ["free money free", "see you at noon", "win a free prize", "lunch at noon, see you", "free lunch"] * 6
LABELS = ["spam", "ham", "spam", "ham", "spam"] * 6


def weigh_plainly(texts):
    """What each text's words weigh, by name, as the formula says."""
    met, rows = Counter(), []
    for n, text in enumerate(texts):
        words = Counter(text.replace(",", "").split())
        rows.append({word: times * (1 + log((n + 1) / (met[word] + 1))) for word, times in words.items()})
        met.update(set(words))
    return rows


@pytest.mark.parametrize("inner", [Named, lambda: Hashed(12)], ids=["named", "hashed"])
def test_values_are_those_of_the_formula_live_and_in_chunks(inner):
    live, whole = TfIdf(Words(inner())), TfIdf(Words(inner()))
    (chunk,) = ls.Recorded(TEXTS, LABELS).chunks()
    rows = whole.read_chunk(chunk)
    for t, (text, expected) in enumerate(zip(TEXTS, weigh_plainly(TEXTS), strict=True)):
        row = live(text)
        named = {live.name(i): value for i, value in zip(row.indices.tolist(), row.values.tolist(), strict=True)}
        assert named == pytest.approx(expected, rel=1e-6)
        assert rows[t].values.tolist() == row.values.tolist()
    assert live.texts == whole.texts == len(TEXTS)


def test_what_is_asked_or_refused_is_not_counted():
    asked, plain = (ls.Player(ls.Perceptron(), TfIdf(Words(Named()))) for _ in range(2))
    for text, label in zip(TEXTS, LABELS, strict=True):
        asked.predict(text)
        asked.predict_many([text, "free free"])
        with pytest.raises(LittlestoneError):
            asked.update(text, float("nan"))
        for player in (asked, plain):
            player.update(text, label)
    assert asked.features.texts == plain.features.texts == len(TEXTS)
    assert asked.score("free noon") == plain.score("free noon")
    assert asked.features.look("free").values.tolist() == plain.features.look("free").values.tolist()


def test_a_model_keeps_its_counts_and_a_forged_one_is_refused(tmp_path):
    game = ls.play(ls.Player(ls.Logistic(), TfIdf(Words())), ls.Recorded(TEXTS, LABELS))
    game.player.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    assert again.probability("free lunch at noon") == game.player.probability("free lunch at noon")
    record = game.player.features.record()
    for wrong in ({"texts": 3}, {"texts": -1}, {"counts": record["counts"].astype(float)}, {"features": Named()}):
        with pytest.raises(BadModel):
            TfIdf.from_record(record | wrong)


@pytest.mark.parametrize("learner", ["perceptron", "logistic"])
def test_the_shell_learns_resumes_predicts_certifies_and_verifies(learner, tmp_path):
    path, half, rest, model = (tmp_path / name for name in ("all.txt", "half.txt", "rest.txt", "m.lst"))
    lines = [f"{label}\t{text}\n" for text, label in zip(TEXTS, LABELS, strict=True)]
    path.write_text("".join(lines))
    half.write_text("".join(lines[:11]))
    rest.write_text("".join(lines[11:]))
    run("learn", path, "--learner", learner, "--tf-idf", "--model", model, "--quiet")
    run("learn", half, "--learner", learner, "--tf-idf", "--model", tmp_path / "r.lst", "--quiet")
    run("learn", rest, "--resume", "--model", tmp_path / "r.lst", "--quiet")
    guesses = run("predict", model, path, "--probabilities").stdout
    assert run("predict", tmp_path / "r.lst", path, "--probabilities").stdout == guesses
    run("certify", model, path, "--tf-idf", "--output", tmp_path / "c.json")
    assert "verified over 30 rounds" in run("verify", tmp_path / "c.json", path, "--tf-idf").stdout
    assert ls.load(model).features.texts == 30


def test_rows_that_are_held_out_must_not_be_counted(tmp_path):
    path = tmp_path / "all.txt"
    path.write_text("".join(f"{label}\t{text}\n" for text, label in zip(TEXTS, LABELS, strict=True)))
    done = CliRunner().invoke(main, ["learn", str(path), "--tf-idf", "--holdout", "5"])
    assert done.exit_code == 2
    assert "tf-idf would count the rows that are held out" in done.output
