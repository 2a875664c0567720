"""`learn` with a learner that does not want every label."""

import json

from command_runs import LINES, run


def test_learn_says_how_many_labels_were_asked_for(tmp_path):
    data = tmp_path / "rows.svm"
    data.write_text("".join(LINES))
    words = ("learn", data, "--learner", "selective-sampling", "--set", "smoothing=0.01")
    labels = json.loads(run(*words, "--json").stdout)["labels"]
    assert 0 < labels["asked"] < 300
    said = f"{labels['asked']} of 300 were asked for"
    assert said in run(*words).stdout
    assert f"{labels['mistakes_estimated']:,.0f} mistakes are estimated" in run(*words).stdout
    assert json.loads(run("learn", data, "--json").stdout)["labels"] is None
