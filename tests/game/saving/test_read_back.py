"""A file is read back without a second model in memory, and is still looked at as one that is loaded."""

import io

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadModel
from littlestone.game.saving import container, records, sparse

TEXT = b"ham\tSee you at five\nspam\tFREE entry now\nham\tat home\n" * 3


@pytest.fixture
def player():
    return ls.play(ls.AveragedPerceptron(), ls.read(io.BytesIO(TEXT), "text")).player


def test_what_is_looked_at_shares_the_arrays_of_the_player(player):
    whole = {}
    document, arrays = records.describe_player(player, whole)
    assert "weights@values" in arrays
    looked = records.restore_player(document, dict(arrays), whole)
    assert looked.state.weights is player.state.weights
    loaded = records.restore_player(document, dict(arrays))
    assert loaded.state.weights is not player.state.weights
    assert np.array_equal(loaded.state.weights, player.state.weights)


@pytest.mark.parametrize("place", [0, 5, 4_000_000])
def test_an_array_that_is_not_the_same_is_put_back(place, player):
    whole = {}
    document, arrays = records.describe_player(player, whole)
    other = player.state.weights.copy()
    other[place] += 0.5
    looked = records.restore_player(document, dict(arrays), whole | {"weights": other})
    assert looked.state.weights is not other
    assert np.array_equal(looked.state.weights, player.state.weights)


def test_a_negative_zero_is_not_the_same_as_a_zero():
    array = np.zeros(4096)
    shapes = sparse.thin_out(arrays := {"w": np.where(np.arange(4096) == 7, 2.5, 0)}, {"w": None})
    array[7], array[9] = 2.5, -0.0
    assert sparse.restore_array("w", shapes["w"], arrays, None, array) is not array


def test_a_draft_that_is_not_what_was_written_is_refused(player, tmp_path, monkeypatch):
    player.save(tmp_path / "m.lst")
    before = (tmp_path / "m.lst").read_bytes()
    player.update("free now", "spam")
    first = ls.play(ls.Perceptron(), ls.read(io.BytesIO(TEXT), "text")).player
    first.save(tmp_path / "other.lst")
    swapped = (tmp_path / "other.lst").read_bytes()
    written = container.replace
    monkeypatch.setattr(container, "replace", lambda path, parts, check: written(path, [swapped], check))
    with pytest.raises(BadModel, match=r"was not written, and is what it was before: .* is not what was written"):
        player.save(tmp_path / "m.lst")
    assert (tmp_path / "m.lst").read_bytes() == before
