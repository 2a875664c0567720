"""What data may make a player take is limited, reckoned before it is allocated, and refused in words."""

import weakref

import numpy as np
import pytest

import littlestone as ls
from laws.examples import EXAMPLES
from littlestone.base.chunks import Examples
from littlestone.base.errors import TooLarge
from littlestone.base.features import Hashed, Indexed
from littlestone.base.learner import Size
from littlestone.environments import Recorded
from littlestone.game.growth import ATTRIBUTES, estimate_growth
from littlestone.game.saving.states import count_bytes
from littlestone.learners.shared.forecaster_state import MET, Members

OVER_ROWS = [
    *(one for one in EXAMPLES if isinstance(one.features(), Indexed) and one.features().attributes is None),
    ls.Network(ls.Arow(), updates="each"),
    ls.Network(ls.Arow(diagonal=True)),
    ls.Network(ls.Winnow(threshold=4.0), updates="each"),
]


@pytest.mark.parametrize("learner", OVER_ROWS, ids=str)
def test_the_growth_is_what_a_state_of_that_size_takes(learner):
    many = learner.limit() > 2
    for size in [Size(512, 2), Size(256, 64 if many else 2), Size(128, 256 if many else 2)]:
        grown = count_bytes(learner.start(size)) - count_bytes(learner.start(size._replace(attributes=ATTRIBUTES[0])))
        assert estimate_growth(learner, size) == pytest.approx(grown, rel=0.02)


def test_an_index_that_names_too_much_is_refused_with_the_remedies_and_changes_nothing(tmp_path):
    player = ls.Player(ls.Perceptron())
    player.update({3: 1.0}, True)
    player.save(tmp_path / "before")
    said = (
        r"2,147,483,648 attributes and 2 classes would take about 16.0 GB, more than the 4.0 GB that are allowed: the "
        r"highest attribute is number 2,000,000,000, and --bits 22 .* learn --memory GB \(player.memory = bytes\)"
    )
    for refused in (player.predict, player.score, lambda x: player.update(x, True)):
        with pytest.raises(TooLarge, match=said):
            refused({2_000_000_000: 1.0})
    player.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def test_the_rounds_before_the_one_that_is_refused_are_played():
    rows = Examples(
        np.array([0, 1, 2, 3]), np.array([0, 1, 2_000_000_000], np.int32), None, np.array([0, 1, 0]), 2_000_000_001
    )
    player = ls.Player(ls.Perceptron())
    with pytest.raises(TooLarge):
        list(player.play_chunk(rows))
    assert (player.tally.rounds, player.size.attributes) == (2, 2)


def test_a_label_that_differs_in_every_row_is_asked_about_and_the_limit_can_be_moved():
    def play(memory):
        player = ls.Player(ls.Network(ls.Perceptron()), Hashed(bits=10))
        player.memory = memory
        for t in range(300):
            player.update({"a": 1.0}, f"user{t}")
        return player

    with pytest.raises(TooLarge, match=r"1,024 attributes and \d+ classes .* is `id`, .* the label\? --label"):
        play(1 << 19)
    assert play(1 << 24).size.classes == 300


def test_what_is_declared_beforehand_is_not_limited():
    player = ls.Player(ls.Perceptron(), Indexed(2**16))
    player.memory = 1000
    player.update({5: 1.0}, True)
    assert player.size.attributes == 2**16


@pytest.mark.parametrize(("learner", "memory"), [(ls.AdaGrad(), 4096), (ls.Coin(), 4096), (ls.Logistic(), 1 << 16)])
def test_a_table_of_attributes_met_is_held_to_the_memory_live_and_in_chunks_alike(learner, memory):
    rounds = [({f"word{t}": 1.0, "often": 1.0}, t % 2 == 0) for t in range(600)]
    free, live, chunked = (ls.Player(learner, Hashed(bits=12)) for _ in range(3))
    live.memory = chunked.memory = memory
    ls.play(free, Recorded(*zip(*rounds, strict=True)))
    assert free.tally.rounds == 600  # 4 GB allow it
    with pytest.raises(TooLarge, match=r"would take about .* MB, more than the 0.[01] MB .* learn --memory GB"):
        [live.update(x, y) for x, y in rounds]
    with pytest.raises(TooLarge, match=r"player.memory = bytes"):
        ls.play(chunked, Recorded(*zip(*rounds, strict=True)))
    assert 30 < live.tally.rounds == chunked.tally.rounds < 300
    assert [live.predict(x) for x, _ in rounds[:40]] == [chunked.predict(x) for x, _ in rounds[:40]]


@pytest.mark.parametrize("learner", [ls.AdaGrad(), ls.Logistic()], ids=str)
def test_a_table_that_has_grown_does_not_keep_the_one_before_it(learner, monkeypatch):
    rounds = [({f"word{t}": 1.0, "often": 1.0}, t % 2 == 0) for t in range(300)]
    resize, serve, tables, alive = Members.resize, type(learner).serve, [], []

    def note_table(self, state, rows, blocks):
        tables.append(weakref.ref(state.table))
        return resize(self, state, rows, blocks)

    def note_alive(self, *given):
        alive.append(sum(table() is not None for table in tables))
        return serve(self, *given)

    monkeypatch.setattr(Members, "resize", note_table)
    monkeypatch.setattr(type(learner), "serve", note_alive)
    player = ls.Player(learner, Hashed(bits=12))
    player.update(*rounds[0])  # so that there is a state that a refused call would go back to
    ls.play(player, Recorded(*zip(*rounds[1:], strict=True)))
    assert player.tally.rounds == 300
    assert len(tables) >= 4
    assert alive == [0] * len(alive)


def test_coins_have_their_wealth_in_rows_that_were_never_met_too():
    rounds = [({f"word{t}": 1.0}, t % 2 == 0) for t in range(70)]
    state = ls.play(ls.Player(ls.Coin(), Hashed(bits=12)), Recorded(*zip(*rounds, strict=True))).player.state
    rows = state.table.reshape(128, -1)
    assert state.counts[MET] == 71
    assert (rows[71:] == ls.Coin().start(Size(1)).table.reshape(16, -1)[5]).all()
    assert rows[5].any()
