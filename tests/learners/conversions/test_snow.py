"""SNoW: different rules in one network, attributes by target, targets as attributes of targets."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone as ls
import reference
from littlestone.base.errors import BadInstance, BadModel, BadParameter, NotCertified
from littlestone.base.learner import fingerprint

RULES = (ls.Winnow(threshold=3.0), ls.Perceptron(margin=2.0), ls.NaiveBayes(), ls.Winnow(threshold=4.0, margin=0.5))
WORDS = (("winnow", 3), ("perceptron", 0, 2), ("naive bayes",), ("winnow", 4, 0.5))
NAMES = np.array(["a", "b", "c", "d"])


def draw(rounds, seed=0, n=9):
    rng = np.random.default_rng(seed)
    X = (rng.random((rounds, n)) < 0.4).astype(float)
    codes = X[:, 0].astype(int) + 2 * X[:, 1].astype(int)
    return X, np.where(rng.random(rounds) < 0.15, rng.integers(0, 4, rounds), codes)


def guess(learner, X, y, classes=NAMES):
    game = ls.play(ls.Player(learner, classes=list(classes)), ls.Recorded(X, NAMES[y]), transcript=True)
    return [NAMES.tolist().index(line.guess) for line in game.transcript], game


@pytest.mark.parametrize("form", [np.array, sp.csr_array])
@pytest.mark.parametrize(
    ("attributes", "listens"),
    [((), ()), ((None, (0, 1, 8), (7, 2, 1), ()), ()), (((0, 3), None, (1,)), ((), (0,), (1, 0)))],
)
def test_agrees_with_its_twin(form, attributes, listens):
    X, y = draw(200)
    guesses, _ = guess(ls.Snow(RULES, attributes, listens), form(X), y)
    rows = [{i: v for i, v in enumerate(row) if v} for row in X.tolist()]
    assert guesses == reference.snow(list(zip(rows, y.tolist(), strict=True)), WORDS, attributes, listens, known=4)


def test_agrees_with_its_twin_while_targets_turn_up():
    X, y = draw(150, seed=3)
    order = {}
    codes = [order.setdefault(label, len(order)) for label in y.tolist()]
    stream = ls.Recorded(X, NAMES[y])
    said, _ = ls.Player(ls.Snow(RULES)).replay(next(stream.chunks()))
    live = ls.Player(ls.Snow(RULES))
    rows = [{i: v for i, v in enumerate(row) if v} for row in X.tolist()]
    expected = reference.snow(list(zip(rows, codes, strict=True)), WORDS)
    assert said[1:].tolist() == expected[1:]  # before the first name was seen there was nothing to guess
    guessed = []
    for x, name in zip(X, NAMES[y], strict=True):
        guessed.append(live.guess(live.see(x)))
        live.update(x, name)
    assert guessed[1:] == expected[1:]


def test_a_game_by_hand():
    """Winnow with threshold 2 for `a`, a Perceptron without bias for `b`, which is told what the first one says.

    | round | x   | Winnow, its sum | said | Perceptron sees | its score | guess | label |
    |-------|-----|-----------------|------|-----------------|-----------|-------|-------|
    | 1     | 1 0 | 1               | no   | - 1 0           | 0         | b (0) | a     |
    | 2     | 1 1 | 2 + 1 = 3       | yes  | 1 1 1           | -1        | a (1) | b     |
    | 3     | 0 1 | 1/2             | no   | - 0 1           | 1         | b (1) | b     |
    """
    learner = ls.Snow((ls.Winnow(threshold=2.0), ls.Perceptron(bias=0)), listens=((), (0,)))
    stream = ls.Recorded([[1, 0], [1, 1], [0, 1]], ["a", "b", "b"])
    game = ls.play(ls.Player(learner, classes=["a", "b"]), stream, transcript=True)
    assert [line.guess for line in game.transcript] == ["b", "a", "b"]
    winnow, perceptron = game.player.state.units
    assert winnow.weights.tolist() == [0, -1]  # exponents of 2
    assert perceptron.weights.tolist() == [1, 0, 1]  # what the first target says, then x
    assert (game.mistakes, game.updates) == (2, 2)


def test_each_unit_plays_its_own_game_to_the_bit_and_keeps_its_certificate():
    X, y = draw(300, seed=5)
    links = (None, (0, 1, 4, 7), (1, 2, 0), None)
    _, game = guess(ls.Snow(RULES, links), X, y)
    for c, rule in enumerate(RULES):
        seen = X if links[c] is None else X[:, sorted(links[c])]
        alone = ls.play(ls.Player(rule, classes=[False, True]), ls.Recorded(seen, y == c))
        assert fingerprint(alone.player.state) == fingerprint(game.player.state.units[c])
        if not rule.lacks_theorem():
            assert ls.certify(rule, ls.Recorded(seen, y == c)).holds


def test_mistakes_are_at_most_those_of_all_units_and_ties_at_zero():
    for seed in range(5):
        X, y = draw(200, seed)
        learner, mistakes, wrong = ls.Snow(RULES), 0, 0
        player = ls.Player(learner, classes=list(NAMES))
        for x, code in zip(X, y, strict=True):
            player.predict(x)
            row = player.see(x)
            scores = learner.score(player.state, row)
            said = [rule.predict(unit, row) for rule, unit in zip(RULES, player.state.units, strict=True)]
            wrong += sum(yes != (c == code) for c, yes in enumerate(said)) + (scores == 0).any()
            mistakes += int(np.argmax(scores)) != code
            player.update(x, NAMES[code])
        assert 0 < mistakes <= wrong


def count_terms(rules, X, y, attributes=()):
    """Mistakes of a network that was told no classes, of its units alone, rounds with a score of 0, and classes."""
    order, ties = {}, 0
    codes = np.array([order.setdefault(name, len(order)) for name in y])
    learner = ls.Snow(rules, attributes)
    player = ls.Player(learner)
    for x, name in zip(X, y, strict=True):
        player.predict(x)
        ties += bool((learner.score(player.state, player.see(x)) == 0).any())
        player.update(x, name)
    units = 0
    for c in range(max(2, len(order))):
        first = int(np.argmax(codes == c)) if c > 1 else 0
        seen = X if not attributes else X[:, list(attributes[c])]
        alone = ls.Player(learner.rule(c), classes=[False, True])
        units += ls.play(alone, ls.Recorded(seen[first:], codes[first:] == c)).mistakes
    return player.tally.mistakes, units, ties, len(order)


def test_a_class_met_for_the_first_time_may_cost_a_mistake_though_all_units_are_right():
    sharp, own = (ls.Winnow(threshold=0.5),), ((0,), (1,), (2,))  # each unit knows its class from the start
    for names, mistakes in ((["a"], 0), (["a", "b"], 0), (["a", "b", "c"], 1)):  # the first guess counts by its number
        y = names * 4
        X = np.eye(3)[[names.index(name) for name in y]]
        assert count_terms(sharp, X, y, own) == (mistakes, 0, 0, len(names))
    for seed in range(5):
        X, y = draw(200, seed)
        mistakes, units, ties, classes = count_terms(RULES, X, NAMES[y].tolist())
        assert 0 < mistakes <= units + ties + classes


def test_a_row_that_one_rule_refuses_changes_no_unit():
    learner = ls.Snow((ls.Perceptron(), ls.Winnow(threshold=2.0), ls.NaiveBayes()))
    X = [[1.0, 0.0], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0]]
    with pytest.raises(BadInstance, match=r"0 or 1, got 0\.5") as refused:
        ls.play(learner, ls.Recorded(X, ["a", "b", "c", "a"]))
    before = ls.play(learner, ls.Recorded(X[:2], ["a", "b"])).player
    after = refused.value.game.player
    assert refused.value.game.rounds == 2
    assert [fingerprint(unit) for unit in after.state.units[:2]] == [fingerprint(unit) for unit in before.state.units]
    live = ls.play(learner, ls.Recorded(X[:2], ["a", "b"])).player
    with pytest.raises(BadInstance, match="0 or 1"):
        live.update(X[2], "a")
    assert fingerprint(live.state) == fingerprint(before.state)


def test_a_thick_separator_learns_more_often():
    X, y = draw(400, seed=2)
    thin = guess(ls.Snow((ls.Winnow(threshold=3.0), ls.Perceptron())), X, y)[1]
    thick = guess(ls.Snow((ls.Winnow(threshold=3.0, margin=1.5), ls.Perceptron(margin=3.0))), X, y)[1]
    assert thick.updates > thin.updates


def test_scores_probabilities_and_weights_are_those_of_the_units():
    X, y = draw(200, seed=7)
    _, game = guess(ls.Snow(RULES, (None, (1, 0, 8))), X, y)
    learner, state, player = game.player.learner, game.player.state, game.player
    row = player.see(X[3])
    bayes = RULES[2].score(state.units[2], row)
    scores = learner.score(state, row)
    assert scores[2] == bayes[1] - bayes[0]
    assert scores[0] == RULES[0].score(state.units[0], row)
    chances = learner.probability(state, row)
    assert chances == pytest.approx(np.exp(scores) / np.exp(scores).sum())
    assert np.argmax(chances) == learner.predict(state, row)
    weights, constants = learner.plane(state)
    assert X[3] @ weights + constants == pytest.approx(scores)
    assert not weights[[2, 3, 4, 5, 6, 7], 1].any()
    assert {share.label for share in player.explain().rows} == set(NAMES)
    listening = guess(ls.Snow(RULES, (), ((), (0,))), X, y)[1].player
    with pytest.raises(NotImplementedError, match="listen"):
        listening.explain()


def test_goes_on_from_a_file_to_the_bit(tmp_path):
    X, y = draw(300, seed=8)
    learner = ls.Snow((*RULES[:3], ls.AveragedPerceptron()), (None, (0, 1, 2)), ((), (), (0, 1)))
    _, game = guess(learner, X[:150], y[:150])
    game.player.save(tmp_path / "snow.model")
    loaded = ls.load(tmp_path / "snow.model")
    assert loaded.learner == learner
    rest = ls.Recorded(X[150:], NAMES[y[150:]])
    assert ls.play(loaded, rest).mistakes == ls.play(game.player, rest).mistakes
    assert fingerprint(loaded.state) == fingerprint(game.player.state)


def test_a_file_with_rules_that_are_none_is_refused(tmp_path):
    from littlestone.game.saving import container

    X, y = draw(20)
    guess(ls.Snow((ls.Perceptron(),)), X, y)[1].player.save(tmp_path / "snow.model")
    document, arrays = container.read(tmp_path / "snow.model")
    for forged in ([], [{"kind": "Thresholds", "n": 3}], [{"kind": "Hedge"}], "Perceptron", [{"kind": "os"}]):
        document["learner"]["rules"] = {"parts": forged}
        container.write(tmp_path / "forged.model", document, arrays)
        with pytest.raises(BadModel):
            ls.load(tmp_path / "forged.model")


def test_no_certificate_in_words():
    with pytest.raises(NotCertified, match=r"no theorem covers Snow.*each unit's own theorem holds"):
        ls.certify(ls.Snow(RULES), ls.Recorded(*draw(30)))


def test_what_is_no_network_is_refused():
    unit = ls.Perceptron()
    for bad in ((), (ls.Halving(ls.Thresholds(3)),), (ls.Hedge(0.5),), (ls.Ridge(),)):
        with pytest.raises(BadParameter, match="rule"):
            ls.Snow(bad)
    for attributes in (((0, 0),), ((-1,),)):
        with pytest.raises(BadParameter, match="from 0 on, each listed once"):
            ls.Snow((unit,), attributes)
    with pytest.raises(BadParameter, match="one another in turn"):
        ls.Snow((unit,), listens=((1,), (0,)))
    with pytest.raises(BadParameter, match="in turn"):
        ls.Snow((unit,), listens=((0,),))
    with pytest.raises(BadParameter, match="listed too"):
        ls.Snow((unit,), listens=((3,),))
    assert replace(ls.Snow((unit,)), attributes=((0,),)).names_attributes
