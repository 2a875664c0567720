"""Columns of text: their words are learned, whatever the format, and what was guessed is said."""

import json

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.base.features import Crossed, Hashed, Named, Words
from littlestone.cli import main

GOOD, BAD = ("good", "fine", "great"), ("awful", "dull", "poor")
FORMATS = ("csv", "jsonl", "parquet")


def make_rows(rounds=200):
    """Reviews with a title, of which the label is decided by one word of the review, and a date."""
    rng, rows = np.random.default_rng(3), []
    for t in range(rounds):
        label = bool(rng.integers(2))
        word, other = str(rng.choice(GOOD if label else BAD)), str(rng.choice(BAD if label else GOOD))
        said = [f"film{rng.integers(50)}", word, f'it was, "{t}"']
        title = f"Not a {other} title {t}"  # its words say the contrary
        rows.append({"title": title, "said": " ".join(said), "stars": t % 5, "at": f"2021-0{t % 9 + 1}-1{t % 9}",
                     "label": "up" if label else "down"})  # fmt: skip
    return rows


def write(path, rows):
    if path.suffix == ".csv":
        pd.DataFrame(rows).to_csv(path, index=False)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


@pytest.fixture(params=FORMATS)
def data(request, tmp_path):
    return write(tmp_path / f"reviews.{request.param}", make_rows())


def learn(*words):
    return json.loads(run("learn", *words, "--json").stdout)


def test_words_of_text_columns_are_learned_and_said(data, tmp_path):
    done = run("learn", data, "--model", tmp_path / "m.lst").stdout
    assert f"{data}, read as {data.suffix[1:]}; title, said: words; at: dates\n" in done
    player = ls.load(tmp_path / "m.lst")
    names = player.features.features.numbers
    assert {"said^good", "title^good", "title^not", "stars", "at^year=2021", "at^month=3", "at^elapsed"} <= set(names)
    assert not any("=" in name and not name.startswith("at^") for name in names)
    assert player.features == Words(player.features.features, columns=("title", "said"), dates=("at",))
    guesses = [player.predict({"said": f"it was {word}", "title": "a film"}) for word in (*GOOD, *BAD)]
    assert guesses == ["up"] * 3 + ["down"] * 3


def test_words_are_worth_more_than_categories(data):
    words = learn(data, "--ignore", "at", "--ignore", "title")["mistakes"]
    cells = learn(data, "--ignore", "at", "--ignore", "title", "--types", "said=category")["mistakes"]
    assert words < 40
    assert cells > 70


def test_one_column_of_text_is_learned_as_a_file_of_texts_is(data, tmp_path):
    plain = tmp_path / "reviews.txt"
    plain.write_text("".join(f"{row['label']}\t{row['said']}\n" for row in make_rows()))
    for options in ((), ("--ngrams", 2), ("--no-lower",), ("--binarize",), ("--bits", 22)):
        found = [learn(*words, *options) for words in ((plain,), (data, "--keep", "said"))]
        assert found[0]["mistakes"] == found[1]["mistakes"] > 0
        assert found[0]["updates"] == found[1]["updates"]


def test_options_of_words_are_kept_in_the_model(data, tmp_path):
    model = tmp_path / "m.lst"
    run("learn", data, "--model", model, "--keep", "said", "--ngrams", 2, "--no-lower", "--binarize", "--quiet")
    features = ls.load(model).features
    assert (features.ngrams, features.lower, features.counts, features.columns) == (2, False, False, ("said",))
    assert features({"said": "Fine fine fine"}).values.tolist() == [1, 1, 1, 1]  # Fine, fine, Fine fine, fine fine
    again = run("predict", model, data).stdout
    run("learn", data, "--model", model, "--resume", "--quiet")
    assert len(again.split()) == 200


def test_a_column_can_be_said_to_be_text_or_not(data):
    stars = learn(data, "--text", "title", "--types", "said=category", "--types", "at=category", "--label", "label")
    assert stars["data"].endswith("; title: words")
    short = CliRunner().invoke(main, ["learn", str(data), "--types", "said=words"])
    assert short.exit_code == 2
    assert "the type of a column is one of number, category, text, date, ignore, got 'words' for 'said'" in short.stderr
    unknown = CliRunner().invoke(main, ["learn", str(data), "--text", "body"])
    assert unknown.exit_code == 1
    assert "column 'body' is none of the" in unknown.stderr


def test_products_of_columns_are_products_of_words(tmp_path):
    stream = ls.read(write(tmp_path / "a.csv", make_rows()), cross="said:stars")
    features = stream.features()
    assert isinstance(features.features, Crossed)
    row = features({"said": "Good film", "stars": 3.0})
    names = {features.name(int(number)): value for number, value in zip(row.indices, row.values, strict=True)}
    assert names == {"said^good": 1, "said^film": 1, "stars": 3, "said^good*stars": 3, "said^film*stars": 3}


def test_winnow_plays_raw_text_that_is_binarized(data):
    found = learn(data, "--keep", "said", "--binarize", "--learner", "winnow", "--set", "threshold=64")
    assert found["mistakes"] < 60
    if data.suffix == ".jsonl":
        return  # whose attributes always have names
    plain = CliRunner().invoke(main, ["learn", str(data), "--keep", "stars", "--binarize"])
    assert plain.exit_code == 2
    assert "--binarize is for attributes with names" in plain.stderr


def test_dates_are_split_and_what_is_no_date_stays(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("at,y\n2024-02-29 23:05:00,1\n2024-03-01T00:00:00Z,0\n,1\nsoon,0\n")
    (chunk,) = ls.read(path, types={"at": "date"}).chunks()
    features = Words(Named(), dates=("at",))
    rows = features.read_chunk(chunk)
    named = [{features.name(int(k)) for k in rows[t].indices} for t in range(4)]
    assert named[0] == {"at^year=2024", "at^month=2", "at^weekday=thursday", "at^hour=23", "at^elapsed"}
    assert named[1] == {"at^year=2024", "at^month=3", "at^weekday=friday", "at^hour=0", "at^elapsed"}
    assert named[2:] == [set(), {"at^other=soon"}]
    elapsed = dict(zip(rows[0].indices.tolist(), rows[0].values.tolist(), strict=True))
    assert elapsed[features.features.numbers["at^elapsed"]] == pytest.approx(2.4165, abs=1e-4)


@pytest.mark.parametrize("inner", [Named(), Hashed(20)], ids=["named", "hashed"])
def test_a_cell_split_alone_is_as_in_a_chunk(inner, tmp_path):
    rows = make_rows(30)
    (chunk,) = ls.read(write(tmp_path / "a.csv", rows)).chunks()
    features = Words(inner, columns=("title", "said"), dates=("at",))
    seen = features.read_chunk(chunk)
    for t, row in enumerate(rows):
        alone = features({name: value for name, value in row.items() if name != "label"})
        pairs = [zip(one.indices.tolist(), one.values.tolist(), strict=True) for one in (seen[t], alone)]
        pair = [{number: value for number, value in one if value} for one in pairs]
        assert pair[0].keys() == pair[1].keys()
        assert all(pair[0][k] == pytest.approx(pair[1][k]) for k in pair[0])
