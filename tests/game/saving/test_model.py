"""Model files: a loaded player is the one that was saved, to the bit, and a forged one is refused or can play."""

import copy
import datetime
import os
import subprocess
import sys
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
import safetensors
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from fuzz import model as target
from laws.examples import EXAMPLES
from littlestone.base.chunks import Instances
from littlestone.base.errors import BadModel, LittlestoneError
from littlestone.base.features import Features, Hashed, Indexed, Named, Words
from littlestone.base.learner import Learner, Size, fingerprint
from littlestone.game.model import read
from littlestone.game.player import Player
from littlestone.game.saving import container, records
from littlestone.laws.playing import make_rounds, seat_player, select_accepted
from littlestone.learners.experts.losses import Custom, Pinball
from littlestone.learners.shared.linear import Weights
from toys import Additive

MORE = [
    ls.Conservative(ls.RandomizedHalving(ls.Thresholds(6))),
    ls.Conservative(ls.Memorizer()),
    ls.Interactions(ls.KernelPerceptron(ls.PolynomialKernel(2, 0.5))),
    ls.Interactions(ls.Network(ls.AveragedPerceptron()), bits=6),
    ls.Network(ls.Winnow(threshold=4.0), updates="each"),
    ls.Network(ls.VotedPerceptron(), updates="each"),
    ls.Halving(ls.Concepts([["a", "b", (1, 2)], ["b", "b", "a"]], points=["x", 7, (0, 1)], names=("one", "two"))),
    ls.WeightedMajority(Fraction(1, 3)),
    ls.Hedge(loss=Pinball(0.9, -1, 2)),
]


def suited(learner):
    """Rounds that the learner takes: of several classes or noisy if it can."""
    kind = "integers" if learner.limit() > 2 else "noisy"
    return select_accepted(learner, make_rounds(learner, kind, seed=3, rounds=40))


def played(player, rounds):
    for x, y in rounds:
        player.update(x, y)
    return player


def bytes_of(player, path):
    player.save(path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.lst"


@pytest.mark.parametrize("learner", EXAMPLES + MORE, ids=str)
def test_a_run_that_was_saved_and_loaded_ends_as_one_that_never_stopped(learner, path):
    rounds = suited(learner)
    whole = played(seat_player(learner, rounds, seed=5), rounds)
    half = played(seat_player(learner, rounds, seed=5), rounds[: len(rounds) // 2])
    half.save(path)
    resumed = ls.load(path)
    assert (resumed.learner, resumed.features, resumed.seed) == (half.learner, half.features, 5)
    assert bytes_of(resumed, path) == bytes_of(half, path)
    played(resumed, rounds[len(rounds) // 2 :])
    assert fingerprint(resumed.state) == fingerprint(whole.state)
    assert (resumed.tally, resumed.labels.names) == (whole.tally, whole.labels.names)
    assert [resumed.predict(x) for x, _ in rounds[:6]] == [whole.predict(x) for x, _ in rounds[:6]]
    assert bytes_of(resumed, path) == bytes_of(whole, path)


@pytest.mark.parametrize(
    "learner",
    [ls.Perceptron(), ls.Network(ls.AveragedPerceptron()), ls.VotedPerceptron(), ls.KernelPerceptron(budget=2),
     ls.NaiveBayes(), ls.Winnow(threshold=2.0), ls.BalancedWinnow(factor=1.5), ls.SecondOrderPerceptron()],
    ids=str,
)  # fmt: skip
def test_attributes_and_classes_may_turn_up_before_and_after(learner, path):
    names = ["no", "yes", "maybe", "never"] if learner.limit() > 2 else ["no", "yes"]
    rounds = [({f"a{k % (t + 1)}": 1.0 for k in range(3)}, names[t % len(names[: 2 + t // 6])]) for t in range(20)]
    whole = played(Player(learner, Named()), rounds)
    for stop in (0, 1, 7, 13, 20):
        player = played(Player(learner, Named()), rounds[:stop])
        player.save(path)
        resumed = played(ls.load(path), rounds[stop:])
        assert bytes_of(resumed, path) == bytes_of(whole, path), stop


def test_a_replay_goes_on_where_it_was_saved(path):
    rounds = suited(ls.AveragedPerceptron())
    whole, player = Player(ls.AveragedPerceptron()), Player(ls.AveragedPerceptron())
    whole.replay(Instances.of(*zip(*rounds, strict=True)))
    player.replay(Instances.of(*zip(*rounds[:17], strict=True)))
    player.save(path)
    player = ls.load(path)
    player.replay(Instances.of(*zip(*rounds[17:], strict=True)))
    assert bytes_of(player, path) == bytes_of(whole, path)


def test_weights_of_single_precision_stay_single(path):
    player = Player(ls.Perceptron())
    player.update(np.array([1.0, 2.0], np.float32), 1)
    player.save(path)
    resumed = ls.load(path)
    assert resumed.size == Size(2, 2, np.float32)
    assert resumed.state.weights.dtype == np.float32
    assert resumed.state.weights.flags.writeable


def test_a_player_that_has_not_begun_is_saved_as_such(path):
    Player(ls.Winnow(), Indexed(7), ["no", "yes"], seed=2**70).save(path)
    player = ls.load(path)
    assert (player.size, player.seed, player.tally.rounds) == (None, 2**70, 0)
    player.update({3: 1.0}, "yes")
    assert (player.size.attributes, player.state.threshold.tolist(), player.labels.names) == (7, [7.0], ["no", "yes"])


EQUAL = """
import sys, littlestone as ls
player = ls.Player(ls.Memorizer())
rounds = [(x, x > "m") for x in sys.argv[2:]]
for x, y in rounds: player.update(x, y)
player.save(sys.argv[1])
"""


def test_equal_players_give_equal_bytes_in_any_process_and_whatever_the_order_of_a_dict(path):
    files = []
    for seed, words in (("1", ["apple", "zebra", "mint", "ox"]), ("2", ["apple", "zebra", "ox", "mint"])):
        paths = os.pathsep.join(part for part in sys.path if part)
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        subprocess.run([sys.executable, "-c", EQUAL, path, *words], env=environment, check=True)
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_arrays_are_named_by_their_paths(path):
    player = Player(ls.Conservative(ls.Network(ls.VotedPerceptron(), updates="each")))
    player.update([1.0, 0.0], "a")
    player.save(path)
    with safetensors.safe_open(path, "numpy") as file:
        assert {"counts", "inner.units.0.weights", "inner.units.1.support.indptr"} <= set(file.keys())


def test_what_is_kept_with_a_player_comes_back(path):
    about = {"source": "a.csv", "passes": 2, "rounds": [1, 2.5, None], "nested": {"x": True}}
    player = Player(ls.Perceptron())
    player.save(path, about)
    loaded = read(path)
    assert loaded.about == about
    assert isinstance(loaded.player, Player)
    player.save(path)
    assert read(path).about == {}
    with pytest.raises(BadModel, match="must be JSON"):
        player.save(path, {"x": object()})
    assert read(path).about == {}


@pytest.mark.parametrize(
    "labels",
    [["ham", "spam"], [2, 3], [0.5, 2.5], [True, False], [-1, 1], [("a", 1), ("b", (2,))], [1, "1"], [1.0, 2]],
    ids=str,
)
def test_labels_come_back_as_they_were(labels, path):
    for classes in ((), labels):
        player = Player(ls.Perceptron(), classes=classes)
        player.update([1.0], labels[1])
        player.save(path)
        resumed = ls.load(path)
        assert list(map(repr, resumed.labels.names)) == list(map(repr, player.labels.names))
        assert (resumed.labels.closed, resumed.predict([1.0])) == (player.labels.closed, player.predict([1.0]))
        for each in (player, resumed):
            each.update([2.0], labels[0])
        assert bytes_of(resumed, path) == bytes_of(player, path)


def test_two_names_of_one_class_are_both_kept(path):
    player = played(Player(ls.Perceptron(), classes=[False, True]), [([1.0], False), ([1.0], -1), ([2.0], 1)])
    player.save(path)
    resumed = ls.load(path)
    assert resumed.labels.find(-1) == resumed.labels.find(False) == 0
    assert (resumed.labels.aliases(), resumed.labels.names) == ({-1: 0}, [False, True])


def test_a_label_that_json_does_not_know_is_named(path):
    player = played(Player(ls.Perceptron()), [([1.0], datetime.date(2024, 2, 29))])
    with pytest.raises(BadModel, match=r"a label cannot be saved: .*datetime.date\(2024, 2, 29\) is a date"):
        player.save(path)
    assert not path.exists()


def kernel(x, z):
    return 1.0


class Lengths(Features):
    """Somebody's own features."""

    width = 1

    def __call__(self, x):
        return Indexed()([float(len(x))])


@pytest.mark.parametrize(
    ("player", "words"),
    [
        (lambda: Player(ls.KernelPerceptron(kernel)), "KernelPerceptron takes no kernel=<function kernel"),
        (lambda: Player(ls.Hedge(loss=Custom(max, 1.0), draws=True)), "learner.loss is Custom.*no code"),
        (lambda: Player(Additive()), r"learner is Additive\(rate=1.0\): a model file holds learners"),
        (lambda: Player(ls.Conservative(Additive())), "learner.learner is Additive"),
        (lambda: Player(ls.Perceptron(), Lengths()), "features is <.*Lengths"),
        (lambda: Player(ls.Halving(ls.Concepts.of([str, repr], [datetime.date.min]))), "datetime.date"),
        (lambda: Player(ls.KernelPerceptron(ls.PolynomialKernel(10**6))), "parameter is too large"),
    ],
)
def test_what_no_file_can_hold_is_refused_in_words_when_it_is_saved(player, words, path):
    with pytest.raises(BadModel, match=words):
        player().save(path)
    assert not path.exists()


def test_parameters_come_back_with_their_types(path):
    for learner in (
        ls.WeightedMajority(Fraction(2, 3)),
        ls.Winnow(3, threshold=5),
        ls.Perceptron(rate=np.float32(0.5)),
    ):
        Player(learner).save(path)
        loaded = ls.load(path).learner
        assert loaded == learner
        assert str(loaded) == str(learner).replace("np.float32(0.5)", "0.5")


def test_a_parameter_that_an_older_file_does_not_know_takes_its_default(path):
    forged(path, Player(ls.Perceptron(rate=0.5)), lambda document, arrays: document["learner"].pop("normalized"))
    assert ls.load(path).learner == ls.Perceptron(rate=0.5)


def test_functions_on_points_come_back_as_their_table(path):
    concepts = ls.Concepts.of([str.upper, str.lower], ["a", "B"])
    player = played(Player(ls.Halving(concepts)), [("a", "A")])
    player.save(path)
    resumed = ls.load(path)
    assert resumed.learner.concepts == concepts
    assert (resumed.predict("B"), resumed.learner.concepts.name(1)) == ("B", "lower")


def test_an_ellipsoid_that_refused_more_attributes_is_saved_as_it_is(path):
    player = Player(ls.Ellipsoid())
    player.start_state(Size(2))
    player.update([1.0, 0.0], 1)
    with pytest.raises(LittlestoneError):
        player.update([1.0] * 5, 1)
    assert player.size.attributes == 2  # a refused call changes nothing
    player.save(path)
    assert fingerprint(ls.load(path).state) == fingerprint(player.state)


# --- files that somebody forged: well-formed, with the right checksum ---


def forged(path, player, change=lambda document, arrays: None):
    """The player's file after a change of its document and arrays."""
    player.save(path)
    document, arrays = container.read(path)
    for name in ("sha256", "format", "needs"):
        document.pop(name)
    change(document, arrays)
    container.write(path, document, arrays)


def refused(path, player, change):
    forged(path, player, change)
    with pytest.raises(BadModel) as problem:
        ls.load(path)
    assert str(problem.value).startswith(str(path))
    return str(problem.value)


def memory_of_a_refusal(path):
    tracemalloc.start()
    try:
        with pytest.raises(BadModel, match=str(path)):
            ls.load(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def after(learner, rounds=12):
    return played(seat_player(learner, suited(learner)), suited(learner)[:rounds])


PLACES = [  # numbers in a state by which compiled loops read memory, and values that would lead them astray
    (ls.Network(ls.Perceptron()), "counts", 2, [-1, 0, 4, 2**40]),
    (ls.Network(ls.VotedPerceptron(), updates="each"), "counts", 2, [-1, 4]),
    (ls.Network(ls.VotedPerceptron(), updates="each"), "units.1.support.indptr", 1, [-1, 10**6]),
    (ls.VotedPerceptron(), "support.indptr", 1, [-1, 10**6]),
    (ls.VotedPerceptron(), "support.indptr", 0, [1]),
    (ls.VotedPerceptron(), "support.indices", 0, [-1, 8, 2**31 - 1]),
    (ls.VotedPerceptron(), "support.counts", 0, [-1, 17, 2**40]),
    (ls.VotedPerceptron(), "support.counts", 1, [0, 7, 9, 2**40]),
    (ls.VotedPerceptron(), "support.counts", 2, [0, 2**40]),
    (ls.Forgetron(3), "support.counts", 0, [4, -1]),
    (ls.Forgetron(3), "sums", 1, [-1.0, float("nan")]),
    (ls.KernelPerceptron(budget=3), "support.counts", 0, [4, -1]),
    (ls.KernelPerceptron(budget=3), "counts", 2, [0, -1, 2**31]),
    (ls.Interactions(ls.KernelPerceptron()), "support.counts", 1, [8]),
    (ls.Arow(), "counts", 2, [-1, 5, 2**40]),
    (ls.Conservative(ls.SecondOrderPerceptron()), "inner.counts", 2, [-1, 5]),
    (ls.BalancedWinnow(), "counts", 2, [-1, 0, 128, 2**40]),
    (ls.BalancedWinnow(), "weights", 0, [127, -127]),
    (ls.Winnow(threshold=4.0), "counts", 2, [-1, 128]),
    (ls.Winnow(threshold=4.0), "weights", 0, [127]),
    (ls.Winnow(threshold=4.0), "threshold", 0, [0.0, -1.0, np.inf, np.nan]),
    (ls.Winnow(threshold=4.0, real=True), "weights", 0, [np.nan, np.inf, -1.0]),
    (ls.NaiveBayes(), "counts", 1, [-1, 0, 4]),
    (ls.Hedge(), "counts", 1, [-1, 5, 2**40]),
    (ls.WeightedMajority(), "counts", 1, [-1, 9]),
    (ls.WeightedMajority(), "counts", 3, [-1, 12, 2**40]),
    (ls.WeightedMajority(), "counts", 4, [-1, 12, 2**40]),
    (ls.WeightedMajority(), "counts", 2, [-1, 2**40]),
    (ls.WeightedMajority(), "counts", 0, [0, 2**31]),
    (ls.WeightedMajority(), "marks", 0, [-1, 2**31 - 1]),
    (ls.Elimination(), "on", 0, [2, 255]),
    (ls.Halving(ls.Parities(7)), "alive", 0, [2**64 - 1]),
    (ls.Halving(ls.Parities(7)), "counts", 0, [0, -1, 129]),
    (ls.Halving(ls.Parities(3)), "alive", 0, [2**63]),
    (ls.Consistent(ls.Thresholds(6)), "space.ends", 0, [-1, 8]),
    (ls.Consistent(ls.Thresholds(6)), "space.ends", 1, [-1, 8]),
    (ls.Closure(ls.Rectangles(4, 2)), "low", 0, [-1, 5]),
]  # fmt: skip


@pytest.mark.parametrize(("learner", "name", "place", "values"), PLACES, ids=str)
def test_a_number_that_would_lead_a_loop_astray_is_refused(learner, name, place, values, path):
    player = after(learner)
    forged(path, player)
    assert fingerprint(ls.load(path).state) == fingerprint(player.state)
    for value in values:

        def change(document, arrays, value=value):
            arrays[name][place] = value

        assert "cannot have reached" in refused(path, player, change), value


@pytest.mark.parametrize("learner", EXAMPLES, ids=str)
def test_every_state_has_a_check(learner):
    """Say in the learner's `check_state` which numbers of a new kind of state its loops take for places in memory."""
    plain = isinstance(learner.start(Size(8)), Weights)  # no number of such a state is a place in memory
    assert plain or type(learner).check_state is not Learner.check_state


@pytest.mark.parametrize(
    "learner",
    [ls.Perceptron(), ls.Network(ls.Perceptron()), ls.VotedPerceptron(), ls.Arow(), ls.NaiveBayes(),
     ls.BalancedWinnow(), ls.Elimination(), ls.Hedge(), ls.WeightedMajority(), ls.KernelPerceptron()],
    ids=str,
)  # fmt: skip
def test_arrays_of_another_length_or_type_are_refused(learner, path):
    player = after(learner)
    forged(path, player)
    for name, array in container.read(path)[1].items():
        for other in (array[:-1], array.astype(np.uint16), array[None], np.concatenate((array, array))):

            def change(document, arrays, name=name, other=other):
                arrays[name] = other

            if name == "phases" and other.ndim == 1 and other.dtype == array.dtype:
                continue  # there may be any number of them
            refused(path, player, change)
        assert f"no array {name}" in refused(path, player, lambda document, arrays, name=name: arrays.pop(name))
    assert "no part asks for" in refused(path, player, lambda document, arrays: arrays.update(more=np.zeros(1)))


def put(*keys):
    """A change that puts the last of the keys in the place that the others lead to."""
    *way, last, value = keys

    def change(document, arrays):
        for key in way:
            document = document[key]
        document[last] = value

    return change


@pytest.mark.parametrize(
    ("learner", "change"),
    [
        (ls.Perceptron(), put("learner", "kind", "os.system")),
        (ls.Perceptron(), put("learner", "kind", "Thresholds")),
        (ls.Perceptron(), put("learner", {"kind": "Thresholds", "n": 3})),
        (ls.Perceptron(), put("learner", "rate", "1")),
        (ls.Perceptron(), put("learner", "rate", -1.0)),
        (ls.Perceptron(), put("learner", "rate", {"kind": "LinearKernel"})),
        (ls.Perceptron(), put("learner", "loops", 1)),
        (ls.Perceptron(), put("learner", "tie", "never")),
        (ls.Perceptron(), put("learner", None)),
        (ls.Perceptron(), put("features", {"kind": "Perceptron"})),
        (ls.Perceptron(), put("features", "width", 9)),
        (ls.Perceptron(), put("features", "width", -1)),
        (ls.Perceptron(), put("features", "width", "8")),
        (ls.Perceptron(), put("features", "attributes", 2.5)),
        (ls.Perceptron(), put("features", None)),
        (ls.Perceptron(), put("labels", "names", ["a", "b", "c"])),
        (ls.Perceptron(), put("labels", "names", ["a", "a"])),
        (ls.Perceptron(), put("labels", "names", [["a"], "b"])),
        (ls.Perceptron(), put("labels", "others", [["c", 2]])),
        (ls.Perceptron(), put("labels", None)),
        (ls.Perceptron(), put("size", "attributes", 9)),
        (ls.Perceptron(), put("size", "attributes", 2**60)),
        (ls.Perceptron(), put("size", "classes", 3)),
        (ls.Perceptron(), put("size", "real", "float128")),
        (ls.Perceptron(), put("size", "real", "uint8")),
        (ls.Perceptron(), put("size", None)),
        (ls.Perceptron(), put("rounds", -1)),
        (ls.Perceptron(), put("rounds", 1.5)),
        (ls.Perceptron(), put("mistakes", 10**6)),
        (ls.Perceptron(), put("seed", "x")),
        (ls.Perceptron(), put("about", 3)),
        (ls.Perceptron(), lambda document, arrays: document.pop("labels")),
        (ls.Perceptron(), lambda document, arrays: document.pop("about")),
        (ls.Halving(ls.Parities(3)), put("learner", "concepts", "n", 10**12)),
        (ls.Halving(ls.Parities(3)), put("learner", "concepts", "n", 33)),
        (ls.Halving(ls.Parities(3)), put("learner", "concepts", {"kind": "Programs", "bits": 10**15})),
        (ls.Halving(ls.Parities(3)), put("learner", "concepts", {"kind": "Conjunctions", "n": 10**9})),
        (ls.Halving(ls.Parities(3)), put("learner", "concepts", {"kind": "Halfspaces", "n": 1, "d": 10**9})),
        (ls.Halving(ls.Parities(3)), put("learner", "concepts", {"kind": "Concepts"})),
        (ls.Closure(ls.Rectangles(4, 2)), put("learner", "concepts", "d", 10**12)),
        (ls.Ellipsoid(attributes=8), put("learner", "attributes", 2**15)),
        (ls.Interactions(ls.Perceptron()), put("learner", "degree", 10**12)),
        (ls.Memorizer(), put("size", "classes", 4)),
    ],
)  # fmt: skip
def test_a_forged_document_is_refused_without_much_ado(learner, change, path):
    player = after(learner)
    forged(path, player, change)
    assert memory_of_a_refusal(path) < 2**21


@pytest.mark.parametrize(
    "learner",
    [
        ls.Perceptron(),
        ls.Winnow(threshold=2.0),
        ls.Arow(),
        ls.Network(ls.Perceptron()),
        ls.Network(ls.VotedPerceptron(), updates="each"),
    ],
    ids=str,
)
def test_a_size_that_the_arrays_do_not_bear_out_takes_no_memory(learner, path):
    player = after(learner)

    def change(document, arrays):
        document["size"]["attributes"] = document["features"]["width"] = document["features"]["attributes"] = 2**31

    forged(path, player, change)
    assert memory_of_a_refusal(path) < 2**21


def places_of_truth(part, place=()):
    """Where a document says true or false, but for labels, which may be anything."""
    if isinstance(part, bool):
        yield place
    elif isinstance(part, dict | list):
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            if (*place, key) not in {("labels", "names"), ("labels", "others")}:
                yield from places_of_truth(inner, (*place, key))


def with_value(document, place, value):
    changed = part = copy.deepcopy(document)
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    return changed


TRUTHFUL = [
    *(Player(learner) for learner in (*EXAMPLES, *MORE)),
    *(Player(ls.Perceptron(), words) for words in (Words(Hashed(4)), Words(Named(), lower=False))),
    Player(ls.Perceptron(), Indexed(), ["no", "yes"]),
    Player(),
]


def test_a_truth_value_is_true_or_false_and_nothing_like_it():
    met = set()
    for player in TRUTHFUL:
        document, arrays = records.describe_player(player)
        for place in places_of_truth(document):
            met.add(place[-1])
            for value in (0, 1, 1.0, "yes", None):
                with pytest.raises(BadModel) as problem:
                    records.restore_player(with_value(document, place, value), dict(arrays))
                assert repr(value) in str(problem.value) or "words that no option asks for" in str(problem.value)
    assert {"widens", "closed", "normalized", "aggressive", "lower", "counts"} <= met


def test_a_number_is_no_truth_value(path):
    for name in ("rate", "margin"):
        change = lambda document, _, name=name: document["learner"].update({name: True})  # noqa: E731
        assert "True" in refused(path, Player(ls.Perceptron()), change)


def test_a_table_that_contradicts_itself_is_refused(path):
    player = after(ls.Halving(ls.Concepts([["a", "b", "c"], ["c", "b", "a"]])), 1)
    for place in ((0, 0, 0), (1, 1, 0), (2, 2, 0)):
        for flipped in (1, 2, 4):

            def change(document, arrays, place=place, flipped=flipped):
                arrays["learner.concepts.planes"][place] ^= np.uint64(flipped)

            assert "contradicts itself" in refused(path, player, change)
    refused(path, player, put("learner", "concepts", "rows", 10**15))


SEEDS = target.seeds()


def test_what_the_fuzzer_starts_from_loads():
    assert len(SEEDS) > 20
    assert all(target.one(seed, sign=False) for seed in SEEDS)


@given(st.data())
@settings(max_examples=80)
def test_bytes_changed_anywhere_with_the_checksum_put_right_are_refused_or_play(data):
    damaged = bytearray(data.draw(st.sampled_from(SEEDS)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(8, len(damaged) - 1))
        damaged[place] = data.draw(
            st.sampled_from([0, 255, 127, 128, 48, 57, 45, damaged[place] ^ 1]) | st.integers(0, 255)
        )
    target.one(bytes(damaged))


@st.composite
def edits(draw):
    """A change somewhere in a document or in its arrays."""
    numbers = st.sampled_from([-1, 0, 1, 2, 3, 255, 2**31 - 1, 2**31, 2**40, 2**63 - 1, -(2**63)])
    values = numbers | st.sampled_from(
        [None, True, "", "x", 0.5, -1.0, [], {}, [1], {"float": "nan"}, {"int": "0x1" + "0" * 40}]
    )

    def change(document, arrays):
        if draw(st.booleans()):
            name = draw(st.sampled_from(sorted(arrays)))
            flat = arrays[name].reshape(-1)
            if flat.size:
                place = draw(st.integers(0, flat.size - 1))
                with np.errstate(all="ignore"):
                    flat[place] = np.array(draw(numbers)).astype(flat.dtype)
        else:
            while isinstance(document, dict | list) and document:
                keys = sorted(document) if isinstance(document, dict) else range(len(document))
                key, before = draw(st.sampled_from(list(keys))), document
                document = document[key]
            before[key] = draw(values)

    return change


@given(st.sampled_from(SEEDS), st.lists(edits(), min_size=1, max_size=3))
@settings(max_examples=80)
def test_a_document_or_array_changed_anywhere_is_refused_or_plays(tmp_path_factory, seed, changes):
    path = tmp_path_factory.mktemp("forged") / "m.lst"
    path.write_bytes(seed)
    document, arrays = container.read(path)
    for name in ("sha256", "format", "needs"):
        document.pop(name)
    for change in changes:
        change(document, arrays)
    container.write(path, document, arrays)
    target.one(path.read_bytes())


def test_loading_changes_nothing_of_the_document_but_uses_the_arrays_up(path):
    after(ls.Perceptron()).save(path)
    document, arrays = container.read(path)
    kept = copy.deepcopy(document)
    records.restore_player(document, arrays)
    assert (document, arrays) == (kept, {})


def test_files_may_name_every_part_of_the_library():
    from littlestone import concepts, learners
    from littlestone.learners import conversions
    from littlestone.learners.experts import losses
    from littlestone.learners.shared import kernel_functions as dual

    parts = (*learners.ALL, *conversions.ALL, *concepts.ALL, *dual.COMPILED, *losses.NAMED.values())
    features = {"AsTheyAre", "Crossed", "Forecasts", "Hashed", "Indexed", "Named", "TfIdf", "Words"}
    unlisted = {"Discarding", "LabelEfficient", "PredictOnly", "Snow"}
    assert {part.__name__ for part in parts} | features | unlisted == set(records.HOMES)
    assert all(records._find_kind(name).__name__ == name for name in records.HOMES)
