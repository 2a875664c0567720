"""Model files are as small as what was learned: entries that are as at the start are left out, and come back."""

import io
import json
import tracemalloc

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone import Player
from littlestone.base.errors import BadModel
from littlestone.base.learner import Size
from littlestone.base.row_table import RowTable
from littlestone.cli import main
from littlestone.game.saving import container, sparse
from littlestone.game.saving.states import list_leaves

FOUR = "ham\tSee you at five?\nspam\tFREE entry: text WIN now!\nham\tAt home, free at five\nspam\tWin money now\n"
LEARNERS = [
    ls.Perceptron(),
    ls.AveragedPerceptron(),
    ls.PassiveAggressive(),
    ls.Arow(diagonal=True),
    ls.Winnow(),
    ls.BalancedWinnow(),
    ls.NaiveBayes(),
    ls.PNormPerceptron(),
    ls.Network(ls.AveragedPerceptron()),
    ls.Network(ls.Arow(diagonal=True)),
    ls.Network(ls.Winnow(), "each"),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.lst"


def learned(learner, features=None, text=FOUR, **options):
    stream = ls.read(io.BytesIO(text.encode()), "text", counts=False)
    return ls.play(Player(learner, features or ls.Words(ls.Hashed(16), counts=False)), stream).player


def list_arrays(player):
    """The arrays of a state, whole where only rows of attributes met are kept."""
    return [
        (path, leaf.spread() if isinstance(leaf, RowTable) else leaf) for path, leaf in list_leaves(player.state, "")
    ]


def bits(player):
    return {path: leaf.tobytes() for path, leaf in list_arrays(player)}


def count_weights(player):
    """The weights that are not zero, and the bytes of all names."""
    nonzero = sum(int(np.count_nonzero(leaf)) for path, leaf in list_arrays(player) if "weights" in path)
    return nonzero, len(json.dumps(player.features.features.record()["names"]))


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_sparse_file_gives_the_same_player_back_to_the_bit(learner, path):
    player = learned(learner)
    player.save(path)
    assert path.stat().st_size < 12_000  # of 65,536 slots with their tags, a quarter of a megabyte at least
    assert b'\\"format\\":2,' in path.read_bytes()
    loaded = ls.load(path)
    assert bits(loaded) == bits(player)
    again = path.with_name("again.lst")
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    for one in (player, loaded):
        ls.play(one, ls.read(io.BytesIO(b"ham\tnow or never\nspam\tfree at five\nham\twin\n"), "text", counts=False))
    assert bits(loaded) == bits(player)
    assert loaded.tally == player.tally


def test_the_messages_of_the_readme_make_a_small_model(tmp_path):
    data, model = tmp_path / "messages.txt", tmp_path / "spam.lst"
    data.write_text(FOUR)
    run("learn", data, "--model", model, "--quiet")
    assert model.stat().st_size < 50_000
    assert ls.load(model).predict("free money") == "spam"


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.AveragedPerceptron(), ls.Network(ls.Perceptron())], ids=str)
def test_a_weight_takes_at_most_sixteen_bytes(learner, path):
    words = [f"{t % 2}\t" + " ".join(f"w{t * 40 + k}" for k in range(40)) + "\n" for t in range(200)]
    player = learned(learner, ls.Words(ls.Hashed(20)), "".join(words))
    player.save(path)
    nonzero, names = count_weights(player)
    tags = 8 * player.features.features.slots
    assert nonzero >= 4000
    assert path.stat().st_size <= 16 * nonzero + names + tags + 8_000


def test_fifty_classes_take_what_they_have_learned(path):
    words = [f"class{t % 50}\tcommon w{t} v{t % 97} u{t % 13}\n" for t in range(1000)]
    player = learned(ls.Network(ls.AveragedPerceptron()), ls.Words(ls.Hashed(16)), "".join(words))
    player.save(path)
    assert 4 * player.state.weights.shape[0] > 2**24  # bytes that all slots and classes would take
    nonzero, names = count_weights(player)
    assert player.state.weights.nbytes <= 4 * 2**16 + 2048 * 4 * (2 * 56 + 1)  # places, and rows of the words met
    assert path.stat().st_size <= 16 * nonzero + names + 8 * player.features.features.slots + 8_000


def test_an_array_that_is_full_is_not_listed_entry_by_entry():
    arrays = {"table": np.ones(1 << 20, np.float32)}
    tracemalloc.start()
    try:
        assert sparse.thin_out(arrays, {"table": None}) == {}
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (list(arrays), peak < 6 << 20) == (["table"], True)  # a list of all places would take 8 MB and more


def test_minus_zero_is_kept(path):
    player = Player(ls.Perceptron(), ls.Hashed(12))
    player.update({"a": 1.0}, True)
    player.state.weights[77] = -0.0
    player.save(path)
    assert "weights@places" in container.read(path)[1]
    assert np.signbit(ls.load(path).state.weights[77])


def test_arrays_that_would_not_be_halved_are_whole(path):
    player = Player(ls.Perceptron(), ls.Indexed(2000))
    player.update(np.ones(2000), True)
    player.update(np.arange(2000.0), False)
    player.save(path)
    document, arrays = container.read(path)
    assert (document["format"], "sparse" in document, arrays["weights"].shape) == (1, False, (2000,))


def test_a_state_larger_than_a_file_may_ask_for_is_whole(path, monkeypatch):
    player = learned(ls.Perceptron())
    monkeypatch.setattr(sparse, "MOST", 300_000)
    player.save(path)
    assert path.stat().st_size > 400_000
    assert bits(ls.load(path)) == bits(player)


FORGERIES = {
    "not ascending": lambda document, arrays: arrays["weights@places"].sort() or arrays["weights@places"][::-1].sort(),
    "twice": lambda document, arrays: arrays["weights@places"].__setitem__(1, arrays["weights@places"][0]),
    "beyond": lambda document, arrays: arrays["weights@places"].__setitem__(-1, 1 << 17),
    "wide places": lambda document, arrays: arrays.update(
        {"weights@places": arrays["weights@places"].astype(np.uint64)}
    ),
    "too few values": lambda document, arrays: arrays.update({"weights@values": arrays["weights@values"][1:]}),
    "other values": lambda document, arrays: arrays.update(
        {"weights@values": arrays["weights@values"].astype(np.float64)}
    ),
    "no values": lambda document, arrays: arrays.pop("weights@values"),
    "another shape": lambda document, arrays: document["sparse"].update(weights=[1 << 17]),
    "two dimensions": lambda document, arrays: document["sparse"].update(weights=[1 << 8, 1 << 8]),
    "a negative shape": lambda document, arrays: document["sparse"].update(weights=[-1, -65536]),
    "a shape of truth": lambda document, arrays: document["sparse"].update(weights=[True, 65536]),
    "no shapes": lambda document, arrays: document.update(sparse=[]),
    "an unknown array": lambda document, arrays: (
        document["sparse"].update(more=[9]),
        arrays.update({"more@places": arrays["weights@places"], "more@values": arrays["weights@values"]}),
    ),
    "a whole array too": lambda document, arrays: arrays.update(weights=np.zeros(1 << 16, np.float32)),
    "more than is allowed": lambda document, arrays: document["sparse"].update(weights=[1 << 31]),
    "a size that is not there": lambda document, arrays: document["size"].update(attributes=1 << 30),
    "more slots": lambda document, arrays: (
        document["features"]["features"].update(bits=30),
        document["sparse"].update({"features.features.tags": [1 << 30]}),
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_sparse_array_is_refused_and_takes_little_memory(name, path):
    learned(ls.Perceptron()).save(path)
    document, arrays = container.read(path)
    for key in ("sha256", "format", "needs"):
        document.pop(key)
    FORGERIES[name](document, arrays)
    container.write(path, document, arrays)
    tracemalloc.start()
    try:
        with pytest.raises(BadModel, match=str(path)):
            ls.load(path)
        assert tracemalloc.get_traced_memory()[1] < 2**23
    finally:
        tracemalloc.stop()


def test_only_states_over_rows_leave_entries_out(path):
    player = Player(ls.Halving(ls.Conjunctions(10)))
    player.update([0, 1] * 5, True)
    player.save(path)
    document, arrays = container.read(path)
    assert "sparse" not in document
    for key in ("sha256", "format", "needs"):
        document.pop(key)
    (name,) = (name for name, array in arrays.items() if array.nbytes > 4096)
    shapes = sparse.thin_out(arrays, {name: arrays[name].copy()})
    container.write(path, document | {"sparse": shapes}, arrays)
    with pytest.raises(BadModel, match=r"m\.lst is inconsistent"):
        ls.load(path)


def test_how_many_attributes_there_are_is_what_reads_them():
    """A stream of text offers 2^22 slots; other features make a state of their own size."""
    for features, attributes in ((ls.Words(ls.Hashed(10)), 1024), (ls.Words(ls.Named()), 16)):
        player = learned(ls.Perceptron(), features)
        assert player.size == Size(attributes, 2, np.float32)


def test_bits_that_were_typed_make_a_small_state(tmp_path):
    data, model = tmp_path / "messages.txt", tmp_path / "m.lst"
    data.write_text(FOUR)
    run("learn", data, "--bits", 10, "--model", model, "--quiet")
    assert ls.load(model).size.attributes == 1024


def test_a_small_file_takes_no_more_memory_than_is_allowed(path):
    player = Player(ls.Perceptron(), features=ls.Hashed(bits=12))
    for t in range(10):
        player.update({f"a{t}": 1.0}, t % 2 == 0)
    player.save(path)
    document, arrays = container.read(path)
    for key in ("sha256", "format", "needs"):
        document.pop(key)
    document["features"]["bits"] = 28
    document["size"]["attributes"] = 2**28
    document["sparse"] = {name: [2**28] for name in document["sparse"]}
    container.write(path, document, arrays)
    assert path.stat().st_size < 5000
    tracemalloc.start()
    try:
        with pytest.raises(BadModel, match=r"would take 2,147,483,648 bytes of memory, and 1,073,741,824 are allowed"):
            ls.load(path, memory=2**30)
        assert tracemalloc.get_traced_memory()[1] < 2**23
    finally:
        tracemalloc.stop()
    said = CliRunner().invoke(main, ["predict", str(path), str(path), "--format", "svmlight", "--memory", "1"])
    assert (said.exit_code, "2,147,483,648 bytes" in said.stderr) == (1, True)


def test_members_of_a_league_share_what_is_allowed(path):
    league = ls.League({"one": ls.Perceptron(), "two": ls.AveragedPerceptron()}, features=ls.Hashed(bits=14))
    league.play(ls.read(io.BytesIO(b"1 1:1\n0 2:1\n" * 9), "svmlight"))
    league.save(path)
    shapes = [one["player"]["sparse"] for one in container.read(path)[0]["league"]["members"]]
    taken = sum(4 * size for shape in shapes for (size,) in shape.values())
    assert ls.load(path, memory=taken).rounds == 18
    with pytest.raises(BadModel, match="are allowed"):
        ls.load(path, memory=taken - 1)
