"""A refused call changes nothing: a player that is saved after it has the bytes of one that was saved before it."""

import numpy as np
import pytest

import littlestone as ls
from laws.examples import EXAMPLES
from littlestone.base.chunks import Examples, Instances, Row
from littlestone.base.errors import BadModel, LittlestoneError, TooLarge
from littlestone.base.features import Crossed, Features, Hashed, Indexed, Named, Words
from littlestone.game.player import Player
from littlestone.game.saving import records
from littlestone.laws.playing import make_rounds, seat_player, select_accepted
from long_cases import leave_most_to_test_all

NAN, FAR = float("nan"), 2**31
INSTANCES = [
    {-1: 1.0}, {FAR: 1.0}, {40_000: 1.0}, {0: NAN}, {0: 1.0, 1: float("inf")}, {"new": NAN, "newer": 1.0}, {0.5: 1.0},
    (np.array([3, 40_000], np.int32), np.array([1.0, NAN])), (np.array([0]), np.array([1.0, 2.0])), (["word"], [NAN]),
    [1.0, NAN], [0.25] * 300, [[1.0, 2.0]], [], "a text", b"bytes", "\ud800", None, 3, -7, 0.5, True, {1, 2},
    (1, "a"), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), np.zeros((2, 2)), Row(None, np.array([NAN])), {"a": [object()]},
    {"nested": {"deep": 1.0, "worse": {1, 2}}}, {"colour=red": 1e308, "age": 1e308},
]  # fmt: skip
LABELS = [[1], NAN, None, {}, "a third class", b"x", (1, 2), np.array([1, 2]), np.float64("nan"), 7, "no"]
FEATURED = [
    (ls.Perceptron(), Named, {"free": 1.0, "money": 2.0}, {"new": 1.0, "names": 2.0}),
    (ls.Perceptron(), lambda: Named(limit=3), {"free": 1.0, "money": 2.0}, {"new": 1.0, "names": 2.0}),
    (ls.Perceptron(), lambda: Named(limit=3, evict="merge"), {"free": 1.0}, {"new": 1.0, 7: 2.0, "a\0b": 1.0}),
    (ls.Perceptron(), lambda: Hashed(8), {"free": 1.0, "money": 2.0}, {"new": 1.0, "names": 2.0}),
    (ls.Perceptron(), lambda: Hashed(8, remember=1), {"free": 1.0, "money": 2.0}, {"new": 1.0, "names": 2.0}),
    (ls.Perceptron(), lambda: Words(Named()), "free money", "new names"),
    (ls.Perceptron(), lambda: Words(Hashed(8)), "free money", "new names"),
    (ls.Perceptron(), lambda: Crossed(Named(), "colour:age"), {"colour=red": 1.0, "age": 2.0}, {"colour=blue": 1.0}),
    (ls.Winnow(threshold=4.0), Named, {"free": 1.0, "money": 1.0}, {"new": 0.5}),
    (ls.Arow(), Indexed, {0: 1.0, 3: 2.0}, {40_000: 1.0}),
    (ls.Arow(), lambda: Hashed(8), {0: 1.0, 3: 2.0}, {40_000: 1.0}),
    (None, Named, {"free": 1.0, "money": 2.0}, {"new": 1.0, "names": 2.0}),
]  # fmt: skip


def contents(player):
    """What a model file of the player holds."""
    document, arrays = records.describe_player(player)
    return repr(document), {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}


def calls(player, x, y, good):
    """What may be asked of a player about an instance and a label."""
    labels = np.array([y, None], object)[:1]
    yield lambda: player.update(x, y)
    yield lambda: player.replay(Instances([x], labels))
    yield lambda: list(player.play_chunk(Instances([x], labels), held=np.zeros(1, bool)))
    yield lambda: player.update_later(x, y)
    for ask in ("predict", "score", "probability", "explain", "see"):
        yield lambda ask=ask: getattr(player, ask)(x)
    for ask in ("predictions", "scores", "probabilities"):
        yield lambda ask=ask: getattr(player, ask)(Instances([good[0], x], np.array([good[1], y], object)))
    if player.tally.rounds:  # these begin with something that is accepted, and remembered
        seen, ticket = player.see(good[0]), player.predict(good[0], ticket=True)
        yield lambda: player.learn(seen, y)
        yield lambda: player.update_later(ticket, y)


def require_unchanged(make, good, inputs, path):
    """Ask for everything; after every refusal the player is what it was, saves, and loads. Count the refusals."""
    refused = 0
    for x, y in inputs:
        player, before = make(), None
        for number, call in enumerate(list(calls(player, x, y, good))):
            before = before or contents(player)
            try:
                call()
            except Exception:
                refused += 1
                assert contents(player) == before, f"{x!r} with label {y!r}, call {number}"
            else:
                before = None
    player.save(path)
    data = path.read_bytes()
    with pytest.raises(LittlestoneError):
        player.update_later("no ticket", good[1])
    player.save(path)
    assert path.read_bytes() == data
    assert contents(ls.load(path)) == contents(player)
    return refused


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("played", [0, 6])
@pytest.mark.parametrize("learner", leave_most_to_test_all(EXAMPLES, 6))
def test_a_refused_call_changes_nothing(learner, played, tmp_path):
    rounds = select_accepted(learner, make_rounds(learner, "noisy", seed=3, rounds=12))
    good = rounds[0]

    def make():
        player = seat_player(learner, rounds, seed=5)
        for x, y in rounds[:played]:
            player.update(x, y)
        return player

    inputs = [(x, good[1]) for x in INSTANCES] + [(good[0], y) for y in LABELS]
    assert require_unchanged(make, good, inputs, tmp_path / "m.lst") > 20


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("played", [0, 1])
@pytest.mark.parametrize("case", leave_most_to_test_all(FEATURED, 3))
def test_a_refused_call_leaves_names_and_slots_as_they_were(case, played, tmp_path):
    learner, features, known, new = case

    def make():
        player = Player(learner, features())
        for _ in range(played):
            player.update(known, False)
            player.update(known, True)
        return player

    inputs = [(x, True) for x in (new, *INSTANCES)] + [(x, y) for y in LABELS for x in (known, new)]
    assert require_unchanged(make, (known, True), inputs, tmp_path / "m.lst") > 20


def test_a_row_too_wide_for_the_learner_leaves_a_model_that_loads(tmp_path):
    player = Player(ls.Arow())
    player.update({3: 1.0}, True)
    player.save(tmp_path / "m.lst")
    with pytest.raises(TooLarge):
        player.update({40_000: 1.0}, False)
    player.save(tmp_path / "m.lst")
    assert ls.load(tmp_path / "m.lst").features.width == 4


def test_rounds_before_one_too_wide_are_learned_in_a_chunk():
    rows = [{3: 1.0}, {5: 1.0}, {40_000: 1.0}, {6: 1.0}]
    labels = np.array([True, False, True, False], object)
    live, chunked = Player(ls.Arow()), Player(ls.Arow())
    for x, y in zip(rows[:2], labels, strict=False):
        live.update(x, y)
    with pytest.raises(TooLarge):
        list(chunked.play_chunk(Instances(rows, labels)))
    assert contents(chunked) == contents(live)


@pytest.mark.parametrize("held", [None, np.array([False, True, False, False, False])])
@pytest.mark.parametrize("make", [Named, lambda: Hashed(8), lambda: Words(Named())], ids=["named", "hashed", "words"])
def test_names_of_rows_behind_a_refused_one_are_not_kept(make, held):
    rows = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}, {"d": 0.5}, {"e": 1.0}]
    player = Player(ls.Winnow(threshold=4.0), make())
    chunk = Instances(rows, np.array([True, False, True, False, True], object))
    with pytest.raises(LittlestoneError):
        list(player.play_chunk(chunk, held=held))
    names = [player.features.name(k) for k in range(player.features.width)]
    assert [name for name in names if name is not None] == ["a", "b", "c"] or set(names) >= {"a", "b", "c"}
    assert not {"d", "e"} & set(names)


def test_features_of_ones_own_need_only_a_width():
    class Length(Features):
        width = 1

        def __call__(self, x):
            return Row(None, np.array([float(len(x))]))

    player = Player(ls.Perceptron(), Length())
    with pytest.raises(TypeError):
        player.update(3, True)
    player.update("abc", True)
    assert player.tally.rounds == 1


def test_a_file_that_would_not_load_does_not_replace_a_good_one(tmp_path, monkeypatch):
    path, player = tmp_path / "m.lst", Player(ls.Perceptron())
    player.replay(Examples.of([[1.0, 0.0], [0.0, 1.0]], [True, False]))
    player.save(path)
    good = path.read_bytes()
    player._rounds = -1
    with pytest.raises(BadModel, match=r"was not written, and is what it was before: .* -1 where a count belongs"):
        player.save(path)
    assert path.read_bytes() == good
    assert [file.name for file in tmp_path.iterdir()] == ["m.lst"]
