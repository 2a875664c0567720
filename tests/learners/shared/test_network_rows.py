"""A network over many attributes keeps weights of those that were met, and is otherwise the network of before."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.chunks import Examples
from littlestone.base.errors import BadInstance, TooLarge
from littlestone.base.features import Hashed
from littlestone.base.learner import Size, fingerprint
from littlestone.base.row_table import RowTable, spread_weights
from littlestone.game.saving.states import count_bytes
from littlestone.learners.shared import network_rows

UNITS = [ls.Perceptron(), ls.AveragedPerceptron(), ls.PassiveAggressive(), ls.Arow(diagonal=True)]
NETWORKS = [ls.Network(unit) for unit in UNITS] + [ls.Network(ls.AveragedPerceptron(), "each")]


def make_rounds(count=300, classes=11, seed=3):
    rng = np.random.default_rng(seed)
    words = [[f"w{w}" for w in rng.zipf(1.3, 8) % 900] for _ in range(count)]
    return [
        ({w: 1.0 + len(w) / 4 for w in row}, f"class{t % classes if t > 20 else t % 2}") for t, row in enumerate(words)
    ]


def learn(network, rounds, bits=18):
    return ls.play(ls.Player(network, Hashed(bits=bits)), ls.Recorded(*zip(*rounds, strict=True))).player


@pytest.fixture
def dense(monkeypatch):
    """Play a network with an array of all weights."""

    def play(network, rounds):
        with monkeypatch.context() as patch:
            patch.setattr(network_rows, "WIDE", 1 << 30)
            return learn(network, rounds)

    return play


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_weights_scores_and_files_are_those_of_an_array_of_all_weights(network, dense, tmp_path):
    rounds = make_rounds()
    few, all_of_them = learn(network, rounds), dense(network, rounds)
    assert isinstance(few.state.weights, RowTable)
    assert isinstance(all_of_them.state.weights, np.ndarray)
    assert fingerprint(spread_weights(few.state)) == fingerprint(all_of_them.state)
    assert few.tally == all_of_them.tally
    new = {"never met": 2.0, "w1": 1.0}
    for x in (new, *(x for x, _ in rounds[:20])):
        assert few.predict(x) == all_of_them.predict(x)
        assert few.score(x).tobytes() == all_of_them.score(x).tobytes()
    assert few.explain(top=3) == all_of_them.explain(top=3)
    assert few.explain(new) == all_of_them.explain(new)
    few.save(tmp_path / "few")
    all_of_them.save(tmp_path / "all")
    assert (tmp_path / "few").read_bytes() == (tmp_path / "all").read_bytes()
    assert count_bytes(few.state) < count_bytes(all_of_them.state) / 10


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_live_play_is_play_in_chunks_and_goes_on_from_a_file(network, tmp_path):
    rounds = make_rounds()
    live, whole = ls.Player(network, Hashed(bits=18)), learn(network, rounds)
    for t, (x, y) in enumerate(rounds):
        if t == 150:
            live.save(tmp_path / "half")
            live = ls.load(tmp_path / "half")
        live.update(x, y)
    live.save(tmp_path / "live")
    whole.save(tmp_path / "whole")
    assert (tmp_path / "live").read_bytes() == (tmp_path / "whole").read_bytes()


def test_every_entry_of_a_long_chunk_is_numbered_once_however_often_the_table_grows(monkeypatch):
    """What lies after the round that needs more room was looked up again each time: 20 to 80 times slower."""
    rng, width, rows = np.random.default_rng(0), 1 << 17, 500
    places = np.sort((rng.random((rows, 40)) ** 4 * width).astype(np.int32), axis=1)
    chunk = Examples(np.arange(0, 40 * rows + 1, 40), places.ravel(), None, rng.integers(0, 9, rows), width)
    network, size, numbered = ls.Network(ls.Perceptron()), Size(width, 9, np.float32), []
    number = RowTable.number

    def note(table, indptr, indices):
        numbers, fit = number(table, indptr, indices)
        numbered.append(len(numbers))
        return numbers, fit

    monkeypatch.setattr(RowTable, "number", note)
    state, done, guesses = network.start(size), 0, np.zeros(rows, np.int32)
    while done < rows:
        done += network.replay(state, chunk[done:], guesses[done:])
        state = network.grow(state, size)
    assert len(numbered) > 5
    assert sum(numbered) == 40 * rows


def test_a_refused_round_is_not_met():
    player = learn(ls.Network(ls.Perceptron()), make_rounds(40))
    before = fingerprint(player.state), player.state.weights.met
    for refused in ({"new": 1e30}, {"other": 1.0, "w1": 1e30}):
        with pytest.raises(BadInstance):
            player.update(refused, "class1")
    assert (fingerprint(player.state), player.state.weights.met) == before


def test_numbered_attributes_become_a_table_when_they_are_many():
    player, twin = (ls.Player(ls.Network(ls.AveragedPerceptron())) for _ in range(2))
    rounds = [({5: 1.0, 3: 2.0}, "a"), ({5: 1.0}, "b"), ({100_000: 1.0, 3: 1.0}, "c"), ({3: 1.0}, "a")]
    for x, y in rounds:
        player.update(x, y)
    assert isinstance(player.state.weights, RowTable)
    assert player.size.attributes == 1 << 17
    ls.play(twin, ls.Recorded(*zip(*rounds, strict=True)))
    assert fingerprint(player.state) == fingerprint(twin.state)


def test_the_table_is_held_to_the_memory_of_the_player():
    player = ls.Player(ls.Network(ls.Perceptron()), Hashed(bits=18))
    player.memory = 1 << 12
    with pytest.raises(TooLarge, match=r"attributes or rows met would take about .* learn --memory GB"):
        [player.update(x, y) for x, y in make_rounds(classes=2)]
    assert 0 < player.tally.rounds < 300


def test_a_kept_prediction_has_the_same_attributes(tmp_path):
    player = learn(ls.Network(ls.AveragedPerceptron()), make_rounds())
    player.save(tmp_path / "p", predict_only=True)
    loaded = ls.load(tmp_path / "p")
    assert loaded.state.weights.met <= player.state.weights.met
    assert loaded.state.weights.dtype == np.float32
    for x, _ in make_rounds()[:50]:
        assert loaded.predict(x) == player.predict(x)


def test_states_of_shards_are_mixed_attribute_by_attribute():
    mix, rounds = ls.Network(ls.Perceptron()).mixing(), make_rounds(60)
    one, other = (learn(ls.Network(ls.Perceptron()), part) for part in (rounds, rounds[::-1]))
    both = mix.mix_sum(one.learner.start(one.size), mix.add_sums(mix.weigh(one.state), mix.weigh(other.state)))
    assert np.array_equal(both.weights, (one.state.weights.spread() + other.state.weights.spread()) / 2)
