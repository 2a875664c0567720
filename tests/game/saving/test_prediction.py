"""A model for predictions only: what predicts, in float32; it refuses to learn on."""

import io

import numpy as np
import pytest

import littlestone as ls
from command_runs import run
from littlestone import Player
from littlestone.base.errors import BadModel, BadParameter
from littlestone.game.saving import container

RNG = np.random.default_rng(5)
ROWS = (RNG.random((400, 30)) < 0.3).astype(np.float64)
TWO = ROWS[:, :3].sum(axis=1) + RNG.random(400) > 1.4
FOUR = (2 * ROWS[:, 0] + ROWS[:, 1]).astype(int)
KEPT_APART = ("sha256", "format", "needs")  # which `container.write` adds
LEARNERS = [
    ls.Perceptron(),
    ls.Perceptron(tie="plus"),
    ls.AveragedPerceptron(),
    ls.PassiveAggressive(),
    ls.Romma(),
    ls.PNormPerceptron(),
    ls.Arow(bias=1),
    ls.Arow(diagonal=True, bias=1),
    ls.SecondOrderPerceptron(),
    ls.Winnow(),
    ls.BalancedWinnow(),
    ls.Network(ls.AveragedPerceptron()),
    ls.Network(ls.Perceptron(), "each"),
    ls.Network(ls.Arow(diagonal=True)),
]


def learned(learner):
    labels = FOUR if isinstance(learner, ls.Network) else TWO
    return ls.play(Player(learner), ls.Recorded(ROWS, labels)).player


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_it_predicts_what_the_whole_model_does(learner, tmp_path):
    player = learned(learner)
    player.save(tmp_path / "p.lst", predict_only=True)
    loaded = ls.load(tmp_path / "p.lst")
    assert loaded.state.weights.dtype == np.float32
    assert (loaded.tally.rounds, loaded.tally.mistakes) == (400, player.tally.mistakes)
    for x in ROWS[:40]:
        assert loaded.predict(x) == player.predict(x)
        assert np.allclose(loaded.score(x), player.score(x), rtol=1e-5, atol=1e-5)
        assert np.allclose(loaded.probability(x), player.probability(x), rtol=1e-4, atol=1e-5)
    chunk = next(iter(ls.Recorded(ROWS, TWO).chunks()))
    assert loaded.predictions(chunk) == player.predictions(chunk)
    assert np.allclose(loaded.explain(top=3).rows[0].weight, player.explain(top=3).rows[0].weight, rtol=1e-5)


def test_it_refuses_to_learn_and_stays_as_it_was(tmp_path):
    learned(ls.AveragedPerceptron()).save(tmp_path / "p.lst", predict_only=True)
    loaded = ls.load(tmp_path / "p.lst")
    before, words = (
        loaded.state.weights.copy(),
        r"saved with predict_only=True and cannot learn: learn on with the model",
    )
    with pytest.raises(BadParameter, match=words):
        loaded.update(ROWS[0], True)
    with pytest.raises(BadParameter, match=words):
        ls.play(loaded, ls.Recorded(ROWS, TWO))
    with pytest.raises(BadParameter, match=words):
        loaded.update_later(loaded.predict(ROWS[0], ticket=True), True)
    assert loaded.tally.rounds == 400
    assert np.array_equal(loaded.state.weights, before)
    loaded.save(tmp_path / "again.lst")
    loaded.save(tmp_path / "once.lst", predict_only=True)
    assert (tmp_path / "again.lst").read_bytes() == (tmp_path / "p.lst").read_bytes()
    assert (tmp_path / "once.lst").read_bytes() == (tmp_path / "p.lst").read_bytes()


def test_words_it_has_not_met_change_nothing(tmp_path):
    text = b"ham\tSee you at five\nspam\tFREE entry now\nother\tmoney at home\n" * 3
    player = ls.play(
        Player(ls.Network(ls.AveragedPerceptron()), ls.Words(ls.Named())), ls.read(io.BytesIO(text), "text")
    ).player
    player.save(tmp_path / "p.lst", predict_only=True)
    loaded = ls.load(tmp_path / "p.lst")
    for words in (
        "free of charge and of much else, now",
        "see what is at home",
        "a b c d e f g h i j k l m n o p q r s",
    ):
        assert loaded.predict(words) == player.predict(words)


def test_it_is_smaller_and_learn_refuses_to_resume_it(tmp_path):
    rows = "".join(
        f"{t % 2} " + " ".join(f"{k + 1}:0.{t + 1}{k + 1}" for k in range(t % 7, 400)) + "\n" for t in range(60)
    )
    data, model, small = tmp_path / "rows.svm", tmp_path / "m.lst", tmp_path / "p.lst"
    data.write_text(rows)
    run("learn", data, "--learner", "averaged-perceptron", "--model", model, "--quiet")
    ls.load(model).save(small, predict_only=True)
    assert small.stat().st_size < 0.7 * model.stat().st_size
    assert run("predict", small, data).stdout == run("predict", model, data).stdout
    from click.testing import CliRunner

    from littlestone.cli import main

    said = CliRunner().invoke(main, ["learn", str(data), "--model", str(small), "--resume"])
    assert (said.exit_code, "cannot learn" in said.output) == (2, True)


def test_the_command_saves_the_default_for_predictions_only(tmp_path):
    data, model, small = tmp_path / "a.csv", tmp_path / "m.lst", tmp_path / "p.lst"
    lines = [
        ",".join(f"{value:.3f}" for value in x[:12]) + f",{'abc'[t % 3]}\n"
        for t, x in enumerate(ROWS + RNG.random(ROWS.shape))
    ]
    data.write_text(",".join(f"x{k}" for k in range(12)) + ",label\n" + "".join(lines))
    run("learn", data, "--model", model, "--quiet")
    run("learn", data, "--model", small, "--predict-only", "--quiet")
    assert small.stat().st_size < 0.7 * model.stat().st_size
    assert run("predict", small, data).stdout == run("predict", model, data).stdout
    from click.testing import CliRunner

    from littlestone.cli import main

    said = CliRunner().invoke(main, ["learn", str(data), "--model", str(small), "--resume"])
    assert (said.exit_code, "cannot learn" in said.output) == (2, True)
    said = CliRunner().invoke(main, ["learn", str(data), "--model", str(small), "--resume", "--predict-only"])
    assert (said.exit_code, "which cannot go on: leave out --checkpoint, --resume" in said.output) == (2, True)


def test_what_has_no_plane_is_refused_in_words(tmp_path):
    player = ls.play(ls.KernelPerceptron(), ls.Recorded(ROWS[:20], TWO[:20])).player
    with pytest.raises(
        BadModel,
        match="predict_only keeps the weights of linear learners, their networks and learners for log-loss: save Kern",
    ):
        player.save(tmp_path / "p.lst", predict_only=True)
    assert not (tmp_path / "p.lst").exists()


def name_case(part):
    return f"{len(set(part.tolist()))} classes" if isinstance(part, np.ndarray) else str(part)


MIXTURES = [
    (ls.Logistic(), TWO),
    (ls.Logistic(), FOUR),
    (ls.Logistic(second_order=8), FOUR),
    (ls.Logistic(precision=64), TWO),
    pytest.param(ls.Logistic(classes="both"), FOUR, marks=pytest.mark.long),
    pytest.param(ls.Logistic(classes="softmax"), FOUR, marks=pytest.mark.long),
    pytest.param(ls.AdaGrad(), TWO, marks=pytest.mark.long),
    pytest.param(ls.Aioli(), TWO, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("learner", "labels"), MIXTURES, ids=name_case)
def test_a_mixture_predicts_what_the_whole_model_does(learner, labels, tmp_path):
    rows = ROWS * RNG.lognormal(size=30)
    player = ls.play(Player(learner), ls.Recorded(rows, labels)).player
    player.save(tmp_path / "m.lst")
    player.save(tmp_path / "p.lst", predict_only=True)
    loaded = ls.load(tmp_path / "p.lst")
    assert loaded.state.matrices.dtype == np.float32
    lone = isinstance(learner, ls.Aioli)  # its table has the largest size of each attribute and nothing else
    assert loaded.state.table.dtype == (np.float64 if lone else np.float32)
    assert not loaded.state.losses.any()
    assert not loaded.state.spent.any()
    larger = rows * RNG.lognormal(size=rows.shape)  # values larger than any met, which members weigh otherwise
    tried = np.concatenate([rows, larger])
    for x in tried[::40]:
        assert loaded.predict(x) == player.predict(x)
        assert np.allclose(loaded.score(x), player.score(x), rtol=1e-5, atol=1e-5)
        assert np.allclose(loaded.probability(x), player.probability(x), rtol=0, atol=2e-6)
    for chunk in ls.Recorded(tried, np.tile(labels, 2)).chunks():
        assert loaded.predictions(chunk) == player.predictions(chunk)
        assert np.allclose(loaded.probabilities(chunk), player.probabilities(chunk), rtol=0, atol=2e-6)
    assert np.allclose(loaded.explain(top=3).rows[0].weight, player.explain(top=3).rows[0].weight, rtol=1e-5)
    if player.state.matrices.size:
        assert (tmp_path / "p.lst").stat().st_size < (tmp_path / "m.lst").stat().st_size
    with pytest.raises(BadParameter, match="saved with predict_only=True and cannot learn"):
        loaded.update(rows[0], labels[0])
    loaded.save(tmp_path / "again.lst")
    assert (tmp_path / "again.lst").read_bytes() == (tmp_path / "p.lst").read_bytes()


def _set(name, place, value):
    def forge(document, arrays):
        arrays[name].reshape(-1)[place] = value

    return forge


def _cut(name, axis=0):
    def forge(document, arrays):
        arrays[name] = np.ascontiguousarray(np.delete(arrays[name], -1, axis))

    return forge


def _rename(**told):
    return lambda document, arrays: document["learner"]["learner"].update(told)


FORGERIES = {
    "a place beyond the table": _set("places", 3, 31),
    "a negative place": _set("places", 3, -1),
    "more attributes met than rows": _set("counts", 3, 32),
    "classes that there are not": _set("counts", 2, 9),
    "matrices that are too small": _cut("matrices", 2),
    "centres that are too short": _cut("centres", 1),
    "a table that is no whole rows": _cut("table"),
    "too few weights": _cut("weights"),
    "numbers of eight bytes": _rename(precision=64),
    "other members": _rename(kappas=[]),
    "a learner of numbers": lambda document, arrays: document["learner"].update(learner={"kind": "Ridge"}),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_file_of_the_default_is_refused(forge, tmp_path):
    path = tmp_path / "p.lst"
    ls.play(Player(ls.Logistic()), ls.Recorded(ROWS, FOUR)).player.save(path, predict_only=True)
    document, arrays = container.read(path)
    assert len(arrays["table"]) == 31 * 58  # 30 attributes and the constant: a size, and 14 numbers for each class
    forge(document, arrays)
    container.write(path, {name: part for name, part in document.items() if name not in KEPT_APART}, arrays)
    with pytest.raises(BadModel):
        ls.load(path)
