"""A player reads, counts and learns; a refused round leaves it as it was."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.bound import Tally
from littlestone.base.chunks import Examples, Instances
from littlestone.base.errors import BadInstance, BadLabel, BadParameter, NotCertified, NotRealizable
from littlestone.base.features import Indexed, Named
from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.base.traits import ask_bound
from littlestone.concepts import Parities, Thresholds
from littlestone.game.player import Player
from littlestone.learners import (
    AveragedPerceptron,
    Halving,
    Hedge,
    NaiveBayes,
    Network,
    Perceptron,
    VotedPerceptron,
    WeightedMajority,
    Winnow,
)
from littlestone.learners.conversions import Conservative
from toys import Additive, Positive, Sized

ROUNDS = [([1, 0, 0], "yes"), ([0, 1, 0], "no"), ([1, 1, 0], "yes"), ([0, 0, 0], "no"), ([0, 1, 1], "no")]


def live(player, rounds):
    for x, y in rounds:
        player.update(x, y)
    return player


def whole(player, rounds):
    xs, ys = zip(*rounds, strict=True)
    guesses, _ = player.replay(Instances.of(list(xs), list(ys)))
    assert len(guesses) == len(rounds)
    return player


def test_it_guesses_then_learns_and_counts():
    player = Player(Halving(Thresholds(6)))
    assert (player.predict(5), player.tally) == (True, Tally())
    player.update(3, True)
    assert (player.predict(4), player.predict(0)) == (True, False)
    assert player.tally == Tally(1, 1, 1)
    assert repr(player) == "Player(Halving(concepts=Thresholds(n=6)), rounds=1, mistakes=1)"


def test_predicting_changes_nothing():
    player = live(Player(Additive()), ROUNDS)
    before = fingerprint(player.state), player.tally, player.labels.names
    assert player.predict([1, 0, 0]) == player.predict([1, 0, 0])
    assert (fingerprint(player.state), player.tally, player.labels.names) == before


def test_a_replay_is_the_same_as_round_by_round():
    one, other = live(Player(Additive()), ROUNDS), whole(Player(Additive()), ROUNDS)
    assert fingerprint(one.state) == fingerprint(other.state)
    assert one.tally == other.tally
    assert one.labels.names == other.labels.names == ["yes", "no"]


def test_a_replay_returns_guesses_and_labels_as_class_numbers():
    player = Player(Additive(), classes=["no", "yes"])
    guesses, codes = player.replay(Instances.of([[1], [1], [1]], ["yes", "yes", "no"]))
    assert (guesses.tolist(), codes.tolist()) == ([0, 1, 1], [1, 1, 0])


def test_the_first_guess_counts_by_its_class_number_whatever_the_labels_are():
    for first, mistakes in [("ham", 0), (2, 0), (False, 0), (0, 0), (-1, 0), (True, 1), (1, 1)]:
        for way in (live, whole):
            player = way(Player(Additive()), [([0, 0], first)])
            assert player.tally.mistakes == mistakes, (first, way)
    declared = Player(Additive(), classes=["ham", "spam"])
    assert live(declared, [([0, 0], "ham")]).tally.mistakes == 0


def test_the_first_guess_is_a_class_number_in_a_replay_too():
    guesses, codes = Player(Additive()).replay(Instances.of([[1], [1]], ["ham", "ham"]))
    assert (guesses.tolist(), codes.tolist()) == ([0, 0], [0, 0])


def test_the_class_not_met_yet_can_be_guessed_rightly():
    player = live(Player(Additive(), features=Indexed(2)), [([1, 0], 2), ([0, 0], 2)])
    player.state.weights[1] = 1
    assert player.predict([0, 1]) is None
    player.update([0, 1], 7)
    assert player.tally.mistakes == 0


def test_attributes_make_room_in_powers_of_two_and_keep_their_weights():
    player = Player(Additive())
    player.update({2: 1.0}, True)
    assert player.state.weights.tolist() == [0, 0, 1, 0]
    player.update({8: 3.0}, True)
    assert player.state.weights.tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 3] + [0] * 7


def test_declared_attributes_are_the_room_from_the_start():
    player = Player(Additive(), features=Indexed(5))
    player.update({2: 1.0}, True)
    assert len(player.state.weights) == 5


def test_what_starts_the_state_does_not_depend_on_how_the_stream_is_cut():
    """The attributes of a first row say nothing about the number of attributes, those of a whole chunk as little."""
    for way in (live, whole):
        with pytest.raises(BadParameter, match="declared, got 0"):
            way(Player(Sized()), ROUNDS)
        assert len(way(Player(Sized(), features=Indexed(3)), ROUNDS).state.weights) == 3


def test_names_widen_the_state():
    player = Player(Additive(), features=Named())
    player.update({"free": 1, "money": 1}, "spam")
    player.update({"hello": 1}, "ham")
    assert player.predict({"hello": 1, "money": 0}) == "ham"
    assert player.features.numbers == {"free": 0, "money": 1, "hello": 2}


def test_the_floating_type_is_that_of_the_first_values():
    for kind in (np.float32, np.float64):
        one = live(Player(Additive()), [(np.array([1, 2], kind), True)])
        other = Player(Additive())
        other.replay(Examples.of(np.array([[1, 2]], kind), [True]))
        assert one.state.weights.dtype == other.state.weights.dtype == kind


@pytest.mark.parametrize(
    ("x", "y", "error"),
    [
        ([1, float("nan")], "yes", BadInstance),
        ([1, 0], None, BadLabel),
        ([1, 0], "third", BadLabel),
        (7, "yes", BadInstance),
    ],
)
def test_a_refused_round_changes_nothing(x, y, error):
    player = live(Player(Additive()), ROUNDS)
    before = fingerprint(player.state), player.tally, player.labels.names
    with pytest.raises(error):
        player.update(x, y)
    with pytest.raises(error):
        player.replay(Instances.of([x], [y]))
    assert (fingerprint(player.state), player.tally, player.labels.names) == before


@pytest.mark.parametrize("learner", [Halving(Thresholds(6)), Halving(Parities(3))], ids=repr)
def test_an_unrealizable_label_names_the_shortest_inconsistent_prefix(learner):
    x = next(learner.concepts.instances())
    for way in (live, whole):
        player = Player(learner)
        live(player, [(x, False)] * 2)
        before = fingerprint(player.state)
        with pytest.raises(NotRealizable, match="rounds 1 to 3 are the shortest inconsistent prefix") as caught:
            way(player, [(x, True)])
        assert caught.value.rounds == 3
        assert (fingerprint(player.state), player.tally.rounds) == (before, 2)


def test_the_rounds_before_a_refused_one_are_learned_and_counted():
    rounds = [([1, 0], True), ([1, 0], False), ([0, 1], True)]
    player = Player(Positive())
    chunk = Instances.of([x for x, _ in rounds], [y for _, y in rounds])
    guesses, codes = player.replay(chunk)
    assert (guesses.tolist(), codes.tolist(), player.tally) == ([0], [1], Tally(1, 1, 1))
    with pytest.raises(NotRealizable, match="rounds 1 to 2"):
        player.replay(chunk[1:])
    player.replay(chunk[2:])
    assert player.tally == Tally(2, 2, 2)


def test_a_refused_label_inside_a_chunk_is_not_remembered():
    player = Player(Additive())
    guesses, _ = player.replay(Instances.of([[1], [1], [1]], ["a", "b", "c"]))
    assert len(guesses) == 2
    assert player.labels.names == ["a", "b"]


def test_a_label_first_met_in_a_refused_round_is_not_remembered():
    for way in (live, whole):
        player = live(Player(Positive()), [([1, 0], 1)])
        with pytest.raises(NotRealizable):
            way(player, [([1, 0], -1)])
        assert player.labels.names == [None, 1]


def test_a_class_first_met_in_a_refused_round_gets_no_room():
    for way in (live, whole):
        player = live(Player(NaiveBayes()), [([1, 0], "a"), ([0, 1], "b")])
        before = fingerprint(player.state)
        with pytest.raises(BadInstance):
            way(player, [([-1, 0], "c")])
        assert fingerprint(player.state) == before


def test_a_class_that_appears_later_in_a_chunk_takes_no_part_in_the_guesses_before():
    rounds = [([1, 0], "a"), ([0, 1], "b"), ([0, 0], "a"), ([0, 0], "c"), ([0, 0], "c")]
    one, other = live(Player(NaiveBayes()), rounds), whole(Player(NaiveBayes()), rounds)
    assert fingerprint(one.state) == fingerprint(other.state)
    assert one.tally == other.tally
    chunk = Instances.of([x for x, _ in rounds], [y for _, y in rounds])
    assert Player(NaiveBayes()).replay(chunk)[0].tolist()[:4] == Player(NaiveBayes()).replay(chunk[:4])[0].tolist()


def test_the_learners_own_classes_win_over_declared_ones():
    assert Player(Halving(Thresholds(3)), classes=["a", "b"]).labels.names == [False, True]


def test_a_copied_player_goes_its_own_way():
    player = live(Player(Additive()), ROUNDS[:2])
    other = copy.deepcopy(player)
    live(other, ROUNDS[2:])
    assert player.tally.rounds == 2
    assert fingerprint(live(player, ROUNDS[2:]).state) == fingerprint(other.state)


def test_being_seated_twice_changes_nothing():
    player = Player(Additive())
    player.start_state(Size(3))
    state = player.state
    player.start_state(Size(9))
    assert player.state is state


def test_no_witness_no_certificate():
    with pytest.raises(NotCertified, match="Additive"):
        live(Player(Additive()), ROUNDS).certificate()
    with pytest.raises(NotCertified, match="Additive"):
        ask_bound(Additive())
    assert Player(Halving(Thresholds(3))).certificate().holds


def test_a_copied_state_shares_nothing():
    state = ([np.zeros(2)], {"a": np.zeros(1), "b": [1]}, 3)
    before = fingerprint(state)
    other = copy_state(state)
    assert fingerprint(other) == before
    other[0][0][0] = 1
    other[1]["a"][0] = 1
    other[1]["b"].append(2)
    assert fingerprint(state) == before


def test_fingerprints_tell_states_apart():
    states = [
        (np.zeros(2),),
        (np.zeros(2, np.float32),),
        (np.zeros((2, 1)),),
        (np.array([0.0, -0.0]),),
        (np.zeros(1), np.zeros(1)),
        ({"a": 1},),
        ({"a": 2},),
    ]
    assert len({fingerprint(state) for state in states}) == len(states)


def test_a_pair_of_arrays_is_played_as_any_row_and_refused_as_any_row():
    """The short way for pairs of arrays gives what the long way gives, and leaves to it whatever is unusual."""
    rng = np.random.default_rng(0)
    short, long = Player(Perceptron()), Player(Perceptron())
    for t in range(300):
        indices = np.unique(rng.integers(0, 5 + t // 10, 6)).astype(np.int32)
        if t % 7 == 0:
            indices = indices[::-1]
        values, y = rng.standard_normal(len(indices)), bool(rng.integers(2))
        short.update((indices, values), y)
        long.learn(long.see(dict(zip(indices.tolist(), values.tolist(), strict=True))), y)
        assert short.tally == long.tally
        assert short.features.width == long.features.width
    assert short.state.weights.tobytes() == long.state.weights.tobytes()
    kept = short.state.weights.copy()
    one = np.ones(1)
    bad = [(np.array([-1], np.int32), one), (np.array([0], np.int32), one * np.nan), (np.array([0], np.int32), [1, 2])]
    for x in bad:
        with pytest.raises(BadInstance):
            short.update(x, True)
    limited = Player(Perceptron(), features=Indexed(3))
    limited.update((np.array([2], np.int32), one), True)
    with pytest.raises(BadInstance, match="below 3, got 3"):
        limited.update((np.array([3], np.int32), one), True)
    assert short.tally == long.tally
    assert short.state.weights.tobytes() == kept.tobytes()


# --- labels that come late ---


def fresh():
    return Player(Perceptron(), classes=["no", "yes"])


def test_a_ticket_shows_the_guess_and_its_label_is_learned_when_it_arrives():
    player = fresh()
    ticket = player.predict([1, 0], ticket=True)
    assert (ticket.guess, repr(ticket)) == ("no", "Ticket(guess='no')")
    assert player.tally == Tally()
    player.update_later(ticket, "yes")
    assert (player.tally, repr(ticket)) == (Tally(1, 1, 1), "Ticket(guess='no', used)")
    assert fingerprint(player.state) == fingerprint(live(fresh(), [([1, 0], "yes")]).state)


def test_a_ticket_used_at_once_is_a_round():
    for learner in (Perceptron(), AveragedPerceptron(), Conservative(Winnow(threshold=2.0)), NaiveBayes()):
        now, later = Player(learner), Player(learner)
        for x, y in ROUNDS:
            now.update(x, y)
            later.update_later(later.predict(x, ticket=True), y)
        assert (later.tally, fingerprint(later.state)) == (now.tally, fingerprint(now.state))


@given(st.permutations(range(len(ROUNDS))), st.integers(0, len(ROUNDS)))
def test_labels_are_learned_in_the_order_they_arrive_and_counted_by_the_guesses_given(order, early):
    """Some rounds are played first; then all tickets are given before the first label arrives."""
    player = live(fresh(), ROUNDS[:early])
    before, guesses = player.tally, [player.predict(x) for x, _ in ROUNDS]
    tickets = [player.predict(x, ticket=True) for x, _ in ROUNDS]
    for k in order:
        player.update_later(tickets[k], ROUNDS[k][1])
    arrived = live(fresh(), ROUNDS[:early] + [ROUNDS[k] for k in order])
    assert fingerprint(player.state) == fingerprint(arrived.state)
    assert [ticket.guess for ticket in tickets] == guesses
    wrong = sum(guess != y for guess, (_, y) in zip(guesses, ROUNDS, strict=True))
    assert player.tally.mistakes == before.mistakes + wrong


def test_a_ticket_is_used_once_and_by_its_own_player():
    player, other = fresh(), fresh()
    ticket = player.predict([1, 0], ticket=True)
    with pytest.raises(BadParameter, match="given by another player"):
        other.update_later(ticket, "yes")
    with pytest.raises(BadParameter, match="given by another player"):
        copy.deepcopy(player).update_later(ticket, "yes")
    player.update_later(ticket, "yes")
    before = fingerprint(player.state), player.tally
    with pytest.raises(BadParameter, match="every label is learned once; got 'no'"):
        player.update_later(ticket, "no")
    with pytest.raises(BadParameter, match="a ticket comes from predict"):
        player.update_later("no", "no")
    assert (fingerprint(player.state), player.tally) == before
    assert other.tally == Tally()


def test_a_refused_label_leaves_the_ticket_to_be_used():
    player = fresh()
    ticket = player.predict([1, 0], ticket=True)
    with pytest.raises(BadLabel):
        player.update_later(ticket, "maybe")
    player.update_later(ticket, "yes")
    assert player.tally == Tally(1, 1, 1)
    halving = Player(Halving(Thresholds(6)))
    first, second = halving.predict(3, ticket=True), halving.predict(3, ticket=True)
    halving.update_later(first, True)
    with pytest.raises(NotRealizable, match="rounds 1 to 2"):
        halving.update_later(second, False)
    halving.update_later(second, True)
    assert halving.tally.rounds == 2


def test_a_ticket_keeps_the_instance_as_it_was():
    indices, values = np.array([0, 2], np.int32), np.array([1.0, 2.0])
    player = Player(Perceptron(bias=0), Indexed(3), ["no", "yes"])
    ticket = player.predict((indices, values), ticket=True)
    indices[:], values[:] = 1, 99.0
    player.update_later(ticket, "yes")
    assert player.state.weights.tolist() == [1.0, 0.0, 2.0]


@pytest.mark.parametrize(
    "learner", [Network(Perceptron()), NaiveBayes(), Network(VotedPerceptron(), updates="each")], ids=str
)
def test_a_ticket_outlives_new_attributes_and_classes(learner):
    player = Player(learner, Named())
    player.update({"a": 1}, "red")
    early = player.predict({"a": 1, "b": 1}, ticket=True)
    for k, name in enumerate(["green", "blue", "green", "white", "black"] * 3):
        player.update({f"word {k}": 1, f"word {k + 9}": 1}, name)
    player.update_later(early, "yellow")
    assert player.labels.find("yellow") == 5
    assert player.tally.rounds == 17
    assert player.state.counts[0] == 17


def test_a_vote_counted_late_may_come_from_a_smaller_pool():
    player = Player(WeightedMajority())
    ticket = player.predict([1, 0], ticket=True)
    player.update([0, 0, 1, 1], True)
    player.update_later(ticket, True)
    assert player.learner.charges(player.state).tolist() == [1, 2, 1, 1]


def test_a_ticket_given_before_any_label_was_known_counts_by_its_class_number():
    for first, mistakes in [("ham", 0), (True, 2), (False, 0)]:
        player = Player(Perceptron())
        tickets = [player.predict([0.0], ticket=True) for _ in range(2)]
        for ticket in tickets:
            assert ticket.guess is None
            player.update_later(ticket, first)
        assert player.tally.mistakes == mistakes, first


def test_the_guess_that_counts_is_the_one_that_played():
    """The average says yes where the last weights say no: the report is one, the game the other."""
    rounds = [([1.0, 0.0], "yes"), ([1.0, 0.0], "yes"), ([1.0, 3.0], "no")]
    player = live(Player(AveragedPerceptron(bias=0), classes=["no", "yes"]), rounds)
    x = [1.0, 0.5]
    assert (player.learner.predict(player.state, player.see(x)), player.predict(x)) == (0, "yes")
    ticket, before = player.predict(x, ticket=True), player.tally.mistakes
    assert ticket.guess == "yes"
    player.update_later(ticket, "no")
    assert player.tally.mistakes == before


def test_numbers_may_come_late_too():
    player = Player(Hedge(0.5))
    ticket = player.predict([0.0, 1.0], ticket=True)
    assert ticket.guess == 0.5
    player.update_later(ticket, 1.0)
    assert player.tally.rounds == 1
    assert player.predict([0.0, 1.0]) > 0.5


@pytest.mark.parametrize(
    "learner", [ls.Perceptron(), ls.AveragedPerceptron(), ls.Network(ls.Perceptron()), ls.Logistic()]
)
def test_a_row_that_is_a_view_with_gaps_is_read_as_it_is(learner):
    rows = np.asfortranarray(np.random.default_rng(1).normal(size=(60, 5)))
    player, other = Player(learner), Player(learner)
    for x, y in zip(rows, rows[:, 0] > 0, strict=True):
        player.update(x, bool(y))
        other.update(x.copy(), bool(y))
    assert player.tally == other.tally
    for x in (rows[7], np.arange(10.0)[::2], np.arange(5.0)[::-1]):
        assert np.array_equal(player.score(x), other.score(x.copy()))
