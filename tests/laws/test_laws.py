"""Every learner obeys every law, and every law finds the learner that breaks it."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.examples import EXAMPLES
from littlestone import laws
from littlestone.base.chunks import Row
from littlestone.base.errors import BadInstance, BadParameter, LittlestoneError
from littlestone.base.features import Named
from littlestone.concepts import Thresholds
from littlestone.game.player import Player
from littlestone.laws.playing import KINDS, make_rounds, select_accepted
from littlestone.learners import Halving
from toys import Additive, Positive, Sized, Weights, dot

seeds = st.integers(0, 2**32 - 1)


def make_test_of(law):
    """A test of one law; one for all would be more cases than Hypothesis nests settings for."""

    @pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
    @settings(max_examples=4)
    @given(seed=seeds, kind=st.sampled_from(KINDS))
    def test_every_learner_obeys(learner, seed, kind):
        assert law(learner, make_rounds(learner, kind, seed, rounds=20)) in (True, False)

    return test_every_learner_obeys


for _law in laws.LAWS:
    globals()[f"test_every_learner_obeys_{_law.__name__}"] = make_test_of(_law)


@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
@settings(max_examples=10)
@given(seed=seeds, kind=st.sampled_from(KINDS), cuts=st.lists(st.sets(st.integers(1, 29)), min_size=1, max_size=3))
def test_every_learner_agrees_with_itself_however_a_stream_is_cut(learner, seed, kind, cuts):
    rounds = select_accepted(learner, make_rounds(learner, kind, seed, rounds=30))
    laws.chunks_agree(learner, rounds, [sorted(cut & set(range(1, len(rounds)))) for cut in cuts])


@pytest.mark.parametrize("learner", EXAMPLES, ids=repr)
def test_the_laws_that_apply_to_every_learner_do_apply(learner):
    always = {
        "starts_are_fresh",
        "predicting_changes_nothing",
        "chunks_agree",
        "copies_agree",
        "parameters_survive",
        "refusals_change_nothing",
        "counts_are_true",
        "seeds_repeat",
    }
    assert always <= set(laws.check(learner))


# --- each law finds what it forbids -------------------------------------------------------------------------------


SHARED = np.zeros(8)


@dataclass(frozen=True)
class SharesItsState(Additive):
    def start(self, size, seed=0):
        return Weights(SHARED[: size.attributes], np.zeros(1, np.int64))


@dataclass(frozen=True)
class LearnsByPredicting(Additive):
    def predict(self, state, x):
        state.counts[0] += 1
        return Additive.predict(self, state, x)


@dataclass(frozen=True)
class TossesACoin(Additive):
    def predict(self, state, x):
        return int(np.random.default_rng().random() < 0.5)


@dataclass(frozen=True)
class ChangesItsInput(Additive):
    def predict(self, state, x):
        if x.values is not None:
            x.values[...] *= 2
        return Additive.predict(self, state, x)


@dataclass(frozen=True)
class KeepsItsInput(Additive):
    """The last row it saw is part of its state, and the state holds the caller's own array."""

    def start(self, size, seed=0):
        return [*Additive.start(self, size), None]

    def grow(self, state, size):
        return [*Additive.grow(self, Weights(*state[:2]), size), state[2]]

    def predict(self, state, x):
        return Additive.predict(self, Weights(*state[:2]), x)

    def update(self, state, x, y, guess):
        Additive.update(self, Weights(*state[:2]), x, y, guess)
        state[2] = x.values

    def moves(self, state):
        return int(state[1][0])

    def key(self, state):
        return state[0].tobytes()


@dataclass(frozen=True)
class ForgetsTheLastOfAChunk(Additive):
    def replay(self, state, chunk, guesses):
        done = Additive.replay(self, state, chunk[:-1], guesses) if len(chunk) > 1 else 0
        x, y = chunk[len(chunk) - 1], int(chunk.labels[-1])
        guesses[-1] = self.predict(state, x)
        if len(chunk) == 1:
            self.update(state, x, y, guesses[-1])
        return done + 1


@dataclass(frozen=True)
class RemembersItsChunks(Additive):
    """Its guesses agree; only the state tells how the stream was cut."""

    def start(self, size, seed=0):
        return Weights(np.zeros(size.attributes, size.real), np.zeros(2, np.int64))

    def replay(self, state, chunk, guesses):
        state.counts[1] = max(state.counts[1], len(chunk))
        return Additive.replay(self, state, chunk, guesses)


@dataclass(frozen=True)
class LosesMoreInChunks(Additive):
    """Only the counts tell: what a round costs it live is not a mistake."""

    def loss(self, guess, y):
        return 0.0


@dataclass(frozen=True)
class PeeksAtTheLabels(Additive):
    def replay(self, state, chunk, guesses):
        done = Additive.replay(self, state, chunk, guesses)
        guesses[:] = chunk.labels
        return done


@dataclass(frozen=True)
class DependsOnTheSizeOfTheChunk(Additive):
    def replay(self, state, chunk, guesses):
        done = Additive.replay(self, state, chunk, guesses)
        guesses[-1] = len(chunk) % 2
        return done


class Unequal:
    """A parameter that equals nothing but itself."""

    def __deepcopy__(self, memo):
        return Unequal()


@dataclass(frozen=True)
class HasAParameterWithoutEquality(Additive):
    thing: Unequal = Unequal()  # noqa: RUF009


@dataclass(frozen=True, eq=False)
class ComparesByIdentity(Additive):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


@dataclass(frozen=True)
class LearnsWhatItRefuses(Positive):
    def update(self, state, x, y, guess):
        if guess and not y:
            state.weights[...] = 7  # however often it is asked
        Positive.update(self, state, x, y, guess)


@dataclass(frozen=True)
class CountsEveryRoundTwice(Additive):
    def moves(self, state):
        return 2 * Additive.moves(self, state)


@dataclass(frozen=True)
class CountsRoundsThatMovedNothing(Additive):
    def update(self, state, x, y, guess):
        Additive.update(self, state, x, y, guess)
        state.counts[0] += guess == y


@dataclass(frozen=True)
class ExpectsTooMuch(Additive):
    def expected(self, state):
        return 2 * int(state.counts[0])


@dataclass(frozen=True)
class PrefersTheFirstAttribute(Additive):
    def predict(self, state, x):
        x = x.to_sparse()
        return int(dot(state.weights, x) > 0 or 0 in x.indices)


@dataclass(frozen=True)
class RefusesRowsWithoutAttributes(Additive):
    def predict(self, state, x):
        if x.to_sparse().length == 0:
            raise BadInstance("a row needs attributes")
        return Additive.predict(self, state, x)


GUILTY = [
    (SharesItsState(), "starts_are_fresh"),
    (LearnsByPredicting(), "predicting_changes_nothing"),
    (TossesACoin(), "predicting_changes_nothing"),
    (ChangesItsInput(), "inputs_are_left_alone"),
    (KeepsItsInput(), "inputs_are_left_alone"),
    (ForgetsTheLastOfAChunk(), "chunks_agree"),
    (DependsOnTheSizeOfTheChunk(), "chunks_agree"),
    (RemembersItsChunks(), "chunks_agree"),
    (LosesMoreInChunks(), "chunks_agree"),
    (PeeksAtTheLabels(), "chunks_agree"),
    (PeeksAtTheLabels(), "labels_come_after_guesses"),
    (HasAParameterWithoutEquality(), "parameters_survive"),
    (ComparesByIdentity(), "parameters_survive"),
    (LearnsWhatItRefuses(), "refusals_change_nothing"),
    (CountsEveryRoundTwice(), "counts_are_true"),
    (CountsRoundsThatMovedNothing(), "counts_are_true"),
    (ExpectsTooMuch(), "counts_are_true"),
    (PrefersTheFirstAttribute(), "attributes_have_no_names"),
    (RefusesRowsWithoutAttributes(), "empty_rows_are_legal"),
    (TossesACoin(), "seeds_repeat"),
    (TossesACoin(), "copies_agree"),
]


@pytest.mark.parametrize(("learner", "law"), GUILTY, ids=lambda value: value if isinstance(value, str) else None)
def test_a_law_finds_who_breaks_it(learner, law):
    SHARED[:] = 0
    others = [other.__name__ for other in laws.LAWS if other.__name__ != law]
    with pytest.raises(laws.BrokenLaw) as caught:
        laws.check(learner, skip=others)
    assert isinstance(caught.value, LittlestoneError)
    assert isinstance(caught.value, AssertionError)
    assert " is not " in str(caught.value)


def test_every_law_has_a_culprit():
    assert {law for _, law in GUILTY} == {law.__name__ for law in laws.LAWS}


def test_a_broken_law_names_the_round():
    with pytest.raises(laws.BrokenLaw, match="changed the guess in round 1: 1 is not 0"):
        laws.chunks_agree(PeeksAtTheLabels(), [((1, 0), True), ((1, 0), True)])


def test_the_toys_that_break_nothing_pass():
    for learner in (Additive(rate=0.5), Positive(), Sized()):
        assert laws.check(learner) == [law.__name__ for law in laws.LAWS]


def test_laws_can_be_left_out_by_name():
    assert "attributes_have_no_names" not in laws.check(PrefersTheFirstAttribute(), skip=["attributes_have_no_names"])


def test_rounds_can_be_given():
    rounds = [({0: 1.0}, "a"), ({3: 2.0}, "b"), ({0: 1.0, 3: 1.0}, "a")]
    assert "chunks_agree" in laws.check(Additive(), rounds)
    with pytest.raises(laws.BrokenLaw):
        laws.check(PeeksAtTheLabels(), rounds)


def test_a_player_factory_is_held_to_the_laws():
    rounds = [({"a": 1.0}, "x"), ({"b": 2.0, "a": 1.0}, "y"), ({"c": 1.0}, "x"), ({"a": 1.0}, "x"), ({"c": 1.0}, "y")]
    assert "copies_agree" in laws.check(lambda: Player(Additive(), features=Named()), rounds)
    with pytest.raises(laws.BrokenLaw):
        laws.check(lambda: Player(ForgetsTheLastOfAChunk(), features=Named()), rounds)


# --- strangers ----------------------------------------------------------------------------------------------------


class Majority:
    """Guess the label seen more often: a learner that knows nothing of the library."""

    def __init__(self):
        self.seen = 0

    def predict(self, x):
        return self.seen > 0

    def update(self, x, y):
        self.seen += 1 if y else -1


class Batched(Majority):
    def replay(self, xs, ys):
        guesses = []
        for x, y in zip(xs, ys, strict=True):
            guesses.append(self.predict(x))
            self.update(x, y)
        return guesses


class Impatient(Majority):
    def predict(self, x):
        self.seen += 1
        return self.seen % 2 == 0


class Leaky(Batched):
    def replay(self, xs, ys):
        Batched.replay(self, xs, ys)
        return ys


class Greedy(Majority):
    """Eats the instances it is shown."""

    def update(self, x, y):
        x.clear()


class Hasty(Batched):
    """Its batch learns the labels first."""

    def replay(self, xs, ys):
        for x, y in zip(xs, ys, strict=True):
            self.update(x, y)
        return [self.predict(x) for x in xs]


class Communal(Majority):
    """All instances share what they learn."""

    memory = [0]  # noqa: RUF012

    def predict(self, x):
        return self.memory[0] % 5 == 0

    def update(self, x, y):
        self.memory[0] += 1


def test_a_stranger_is_held_to_what_makes_sense_for_it():
    laws_of_a_stranger = ["predicting_changes_nothing", "copies_agree", "labels_come_after_guesses", "seeds_repeat"]
    assert laws.check(Majority()) == laws.check(Majority) == laws.check(partial(Majority)) == laws_of_a_stranger
    assert set(laws.check(Batched())) == {*laws_of_a_stranger, "chunks_agree"}


@pytest.mark.parametrize("stranger", [Impatient(), Leaky(), Hasty(), Communal()], ids=lambda one: type(one).__name__)
def test_a_stranger_that_breaks_a_law_is_found(stranger):
    with pytest.raises(laws.BrokenLaw):
        laws.check(stranger)


def test_a_stranger_that_eats_its_instances_is_found():
    with pytest.raises(laws.BrokenLaw, match="x was changed"):
        laws.check(Greedy(), [([1, 2], True), ([3], False)])


def test_a_stranger_is_left_as_it_was():
    stranger = Batched()
    laws.check(stranger)
    assert stranger.seen == 0


# --- rehearsals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("learner", [Halving(Thresholds(6)), Additive(), Majority()], ids=["points", "rows", "other"])
def test_a_rehearsal_depends_on_its_arguments_alone(learner, kind):
    assert make_rounds(learner, kind, 3) == make_rounds(learner, kind, 3) != make_rounds(learner, kind, 4)
    assert len(make_rounds(learner, kind, 3, rounds=7)) == 7


def test_a_realizable_rehearsal_is_realizable():
    for seed in range(20):
        rounds = make_rounds(Halving(Thresholds(6)), "realizable", seed)
        assert select_accepted(Halving(Thresholds(6)), rounds) == rounds
        rows = make_rounds(Additive(), "realizable", seed)
        assert any(all((x[i] or x[j]) == y for x, y in rows) for i in range(8) for j in range(8))


def test_kinds_are_what_they_say():
    assert {value for x, _ in make_rounds(Additive(), "noisy") for value in x} == {0, 1}
    assert {value for x, _ in make_rounds(Additive(), "integers") for value in x} >= {-3, 0, 3}
    assert any(value % 1 for x, _ in make_rounds(Additive(), "reals") for value in x)
    assert {y for _, y in make_rounds(Additive(), "noisy")} == {"no", "yes"}
    with pytest.raises(BadParameter, match="realizable, noisy, integers, reals, got 'nice'"):
        make_rounds(Additive(), "nice")


def test_rounding_on_a_knife_edge_is_not_held_against_a_learner():
    """Three tenths are not 0.1 + 0.2 in one order and are in another: no law can tell which one is right."""

    @dataclass(frozen=True)
    class Edge(Additive):
        def start(self, size, seed=0):
            return replace_weights(Additive.start(self, size), size)

        def key(self, state):
            return state

    def replace_weights(state, size):
        state.weights[...] = np.array([0.1, 0.2, -0.3, 0, 0, 0, 0, 0])[: size.attributes]
        return state

    assert replace(Edge(), rate=1.0) == Edge()
    x = Row(np.array([0, 1, 2], np.int32), None)
    seat = laws.start_fresh(Edge(), [((1,) * 8, True)])
    assert seat.is_on_a_knife_edge(x)
    assert not seat.is_on_a_knife_edge(Row(np.array([0, 1], np.int32), None))
