"""A model that was trained on a frame predicts the CSV file of the same frame."""

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.cli import main

pd = pytest.importorskip("pandas")
RANDOM = np.random.default_rng(0)
AGES = RANDOM.integers(20, 70, 200)
FRAME = pd.DataFrame({"age": AGES, "member": AGES % 3 == 0, "colour": RANDOM.choice(["red", "blue"], 200)})
LABELS = {"texts": np.where(AGES > 40, "old", "young"), "booleans": AGES > 40, "numbers": (AGES > 40).astype(int)}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("columns", [["age", "member", "colour"], ["age", "member"]])
def test_a_model_of_a_frame_takes_the_csv_of_that_frame(columns, labels, tmp_path):
    frame, y = FRAME[columns], LABELS[labels]
    player = ls.play(ls.Logistic(), ls.Recorded(frame, y)).player
    player.save(tmp_path / "m.lst")
    expected = [str(guess) for guess in player.predict_many(frame)]
    frame.assign(label=y).to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "b.csv", index=False)
    lower = frame.assign(member=frame["member"].map({True: "true", False: "false"}))
    lower.to_csv(tmp_path / "c.csv", index=False)
    frame.assign(member=frame["member"].astype(int)).to_csv(tmp_path / "d.csv", index=False)
    for name in "abcd":
        assert run("predict", tmp_path / "m.lst", tmp_path / f"{name}.csv").stdout.split() == expected
    wrong = sum(str(label) != guess for label, guess in zip(y.tolist(), expected, strict=True))
    assert f"{wrong} of 200 differ" in run("predict", tmp_path / "m.lst", tmp_path / "a.csv").stderr


def test_a_place_in_a_line_is_not_called_a_column(tmp_path):
    path = tmp_path / "a.csv"
    names = [f"measurement_{k}" for k in range(6)]
    rows = ["1.25,2.5,3.75,4.125,5,6,y\n", "1.5,2.25,3.5,4.75,6,5,n\n"] * 40
    path.write_text(",".join([*names, "label"]) + "\n" + "".join(rows))
    run("learn", path, "--model", tmp_path / "m.lst", "--quiet")
    path.write_text(",".join([*names, "label"]) + "\n" + "".join(rows[:2]) + "1.25,2.5,3.75,4.125,5,oops,y\n")
    done = CliRunner().invoke(main, ["predict", str(tmp_path / "m.lst"), str(path)])
    assert f"{path}, line 4, byte 23: column 'measurement_5' holds numbers, got 'oops'" in done.stderr
