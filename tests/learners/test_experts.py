"""Learners from advice: against plain twins, the gold cases, every adversary on small pools, and their bounds."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.base.coins import draw_bits
from littlestone.base.errors import BadInstance, BadLabel, BadParameter, NotCertified
from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.environments import Panel, Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import (
    AdaHedge,
    Aggregating,
    FallbackHalving,
    FixedShare,
    FollowTheLeader,
    Hedge,
    ImprovedMajority,
    Perceptron,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from littlestone.learners.experts import threads
from littlestone.learners.experts.exponential_loop import replay
from littlestone.learners.experts.forecasts import chunk_forecasts
from littlestone.learners.experts.losses import Absolute, Brier, Custom, Log, Pinball, Square, ZeroOne
from littlestone.learners.experts.pools import RoundArrays, draw_uniform
from reference import (
    ada_hedge,
    aggregating,
    fixed_share,
    follow_the_leader,
    hedge,
    improved_majority,
    randomized_weighted_majority,
    weighted_majority,
)

NAN = float("nan")
RUN = [([1, 0, 1], 1), ([1, 1, 0], 0), ([0, 0, 1], 1), ([1, 0, 0], 1), ([1, 1, 1], 0)]
VOTERS = [
    WeightedMajority(),
    WeightedMajority(Fraction(9, 10)),
    FallbackHalving(),
    RandomizedWeightedMajority(),
    ImprovedMajority(0.25),
    ImprovedMajority(0.75, "vovk"),
    FollowTheLeader(),
    FollowTheLeader(random=True),
]
FORECASTERS = [
    Hedge(0.7),
    Hedge(),
    Hedge(draws=True),
    Hedge(loss=ZeroOne(), draws=True),
    Hedge(0.5, memory=0.9),
    Hedge(loss=Pinball(0.9)),
    AdaHedge(),
    AdaHedge(Square(), draws=True),
    Aggregating(),
    Aggregating(Brier()),
    Aggregating(Log()),
    FixedShare(),
    FixedShare(2.0, 0.1, Square(), draws=True),
]
LEARNERS = VOTERS + FORECASTERS


def panel_of(rounds):
    X = np.array([[NAN if f is None else f for f in forecasts] for forecasts, _ in rounds], float)
    return Panel(X, [y for _, y in rounds])


def game_of(learner, rounds, **options):
    return play(learner, panel_of(rounds), **options)


votes = st.integers(1, 5).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(st.sampled_from([0, 1]), min_size=n, max_size=n), st.sampled_from([0, 1])),
        min_size=1,
        max_size=30,
    )
)
sleepy = st.integers(1, 5).flatmap(
    lambda n: st.lists(
        st.tuples(
            st.lists(st.sampled_from([0, 1, 1, 0, None]), min_size=n, max_size=n).filter(lambda v: set(v) != {None}),
            st.sampled_from([0, 1]),
        ),
        min_size=1,
        max_size=30,
    )
)
shares = st.integers(0, 8).map(lambda k: k / 8)
numbers = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.tuples(st.lists(shares, min_size=n, max_size=n), shares), min_size=1, max_size=25)
)
drowsy = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.tuples(
            st.lists(st.one_of(shares, st.none()), min_size=n, max_size=n).filter(lambda v: set(v) != {None}), shares
        ),
        min_size=1,
        max_size=25,
    )
)


def legal(learner, rounds):
    """The same rounds within what the learner allows: votes, or probabilities that rule nothing out."""
    if isinstance(learner, WeightedMajority | FallbackHalving | FollowTheLeader):
        return [([None if f is None else int(f > 0.5) for f in x], int(y > 0.5)) for x, y in rounds]
    if not learner.numeric or learner.loss.binary:
        rounds = [(x, int(y > 0.5)) for x, y in rounds]
    if learner.numeric and isinstance(learner.loss, Log):
        return [([None if f is None else 0.1 + 0.8 * f for f in x], y) for x, y in rounds]
    return rounds


# --- against the twins ---


@given(sleepy, st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1, 3), 1 / 3, Fraction(3, 4), 0.9]))
def test_weighted_majority_votes_as_exact_fractions_do_with_sleepers_too(rounds, penalty):
    n = len(rounds[0][0])
    game = game_of(WeightedMajority(penalty), rounds, transcript=True)
    guesses, marks = weighted_majority(rounds, Fraction(penalty), n)
    assert [int(round.guess) for round in game.transcript] == guesses
    assert game.player.state.marks[:n].tolist() == marks


@pytest.mark.parametrize(("penalty", "guess"), [(Fraction(1, 3), False), (1 / 3, True), (Fraction(1, 2), True)])
def test_a_third_three_times_is_a_tie_but_its_float_is_less(penalty, guess):
    player = Player(WeightedMajority(penalty))
    player.update([0, 1, 0, 0], 1)
    assert player.predict([0, 1, 0, 0]) is (guess if penalty != Fraction(1, 2) else False)
    rounds = [([0, 1, 0, 0], 1)] + [([0, 1, 0, 0], 0), ([1, 0, 1, 1], 0)] * 20
    assert [int(r.guess) for r in game_of(WeightedMajority(penalty), rounds, transcript=True).transcript] == (
        weighted_majority(rounds, Fraction(penalty), 4)[0]
    )


@given(votes, st.sampled_from([Fraction(1, 8), Fraction(1, 2), Fraction(3, 4)]))
def test_expected_mistakes_of_the_randomized_majority_are_those_of_exact_fractions(rounds, penalty):
    expected, _ = randomized_weighted_majority(rounds, penalty, len(rounds[0][0]))
    assert game_of(RandomizedWeightedMajority(penalty), rounds).expected == pytest.approx(float(expected), abs=1e-12)


@given(votes, st.sampled_from([0.25, 0.5, 0.9]), st.booleans())
def test_expected_mistakes_of_the_improved_majority_are_those_of_its_curve(rounds, penalty, vovk):
    n = len(rounds[0][0])
    expected, _ = improved_majority(rounds, penalty, n, vovk)
    game = game_of(ImprovedMajority(penalty, "vovk" if vovk else "linear"), rounds)
    assert game.expected == pytest.approx(float(expected), abs=1e-9)


@given(drowsy, st.sampled_from(["fixed", "anytime", "adaptive"]), st.booleans())
def test_hedge_and_adahedge_follow_their_plain_twins(rounds, schedule, draws):
    n, square = len(rounds[0][0]), lambda f, y: (f - y) ** 2
    rates = {
        "fixed": lambda t, gap: 0.7,
        "anytime": lambda t, gap: 2 * math.sqrt(math.log(n) / t) if n > 1 else 1e-9,
    }
    learner = {
        "fixed": Hedge(0.7, Square(), draws),
        "anytime": Hedge(None, Square(), draws),
        "adaptive": AdaHedge(Square(), draws),
    }[schedule]
    twin = ada_hedge(rounds, square, n) if schedule == "adaptive" else hedge(rounds, square, n, rates[schedule])
    guesses, means, losses = twin
    if schedule == "anytime" and any(None in x for x, _ in rounds) and n == 1:
        return
    ledger = game_of(learner, rounds).ledger
    if draws:
        assert ledger.charges == pytest.approx(means, abs=1e-7)
    else:
        assert ledger.guesses == pytest.approx(guesses, abs=1e-7)
    assert ledger.losses[-1] == pytest.approx(losses, abs=1e-9)


@given(drowsy, st.booleans())
def test_aggregating_substitutes_as_vovk_does(rounds, brier):
    n, coefficient = len(rounds[0][0]), 2 if brier else 1
    rounds = legal(Aggregating(Brier()), rounds) if brier else rounds
    rate = 1.0 if brier else 2.0
    loss = lambda f, y: coefficient * (f - y) ** 2  # noqa: E731
    guesses, _, losses = aggregating(rounds, loss, n, rate, 0, 1, coefficient)
    ledger = game_of(Aggregating(Brier() if brier else Square()), rounds).ledger
    assert ledger.guesses == pytest.approx(guesses, abs=1e-9)
    assert ledger.losses[-1] == pytest.approx(losses, abs=1e-9)


@given(numbers, st.sampled_from([0.01, 0.3]))
def test_fixed_share_follows_its_plain_twin(rounds, switching):
    n = len(rounds[0][0])
    guesses, weights = fixed_share(rounds, lambda f, y: abs(f - y), n, 1.5, switching)
    game = game_of(FixedShare(1.5, switching), rounds)
    assert game.ledger.guesses == pytest.approx(guesses, abs=1e-9)
    assert game.player.learner.weights(game.player.state) == pytest.approx(weights, abs=1e-9)


@given(votes)
def test_follow_the_leader_follows_its_plain_twin(rounds):
    n = len(rounds[0][0])
    guesses, expected = follow_the_leader(rounds, n)
    game = game_of(FollowTheLeader(), rounds, transcript=True)
    assert [int(round.guess) for round in game.transcript] == guesses
    assert game_of(FollowTheLeader(random=True), rounds).expected == pytest.approx(float(expected), abs=1e-12)


# --- laws ---


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@settings(max_examples=12)
@given(drowsy, st.integers(0, 2**40), st.integers(1, 7))
def test_whole_chunks_and_single_rounds_give_the_same_game(learner, rounds, seed, cut):
    rounds = legal(learner, rounds)
    whole = game_of(learner, rounds, seed=seed).player
    pieces, single = (Player(learner, seed=seed) for _ in range(2))
    for player in (pieces, single):
        player.start_state(Size(len(rounds[0][0])))
    for start in range(0, len(rounds), cut):
        play(pieces, panel_of(rounds[start : start + cut]))
    for x, y in rounds:
        before = fingerprint(single.state)
        said = single.predict([NAN if f is None else f for f in x])
        assert fingerprint(single.state) == before
        single.update([NAN if f is None else f for f in x], y)
        assert learner.numeric or said in (False, True)
    assert fingerprint(whole.state) == fingerprint(pieces.state) == fingerprint(single.state)
    assert whole.tally == pieces.tally == single.tally


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_predicting_and_then_learning_is_the_round_that_is_recorded(learner):
    rng = np.random.default_rng(3)
    rounds = legal(learner, [(rng.integers(0, 9, 3) / 8, rng.integers(0, 9) / 8) for _ in range(40)])
    live = game_of(learner, rounds, transcript=True, seed=5)
    replayed = game_of(learner, rounds, seed=5)
    assert fingerprint(live.player.state) == fingerprint(replayed.player.state)
    assert [float(round.guess) for round in live.transcript] == replayed.ledger.guesses.tolist()


@settings(max_examples=15)
@given(drowsy, st.sampled_from([learner for learner in FORECASTERS if not isinstance(learner, FixedShare)]))
def test_the_compiled_loop_and_its_plain_body_agree_exactly(rounds, learner):
    rounds = legal(learner, rounds)
    X = np.array([[NAN if f is None else f for f in x] for x, _ in rounds], float)
    y = np.array([y for _, y in rounds], float)
    states = [learner.start(Size(X.shape[1]), 7) for _ in range(2)]
    outputs = [(np.zeros(len(y)), np.zeros(len(y)), np.zeros(X.size)) for _ in range(2)]
    with np.errstate(over="ignore"):
        for loop, state, output in zip((replay, replay.py_func), states, outputs, strict=True):
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(threads, "replay", loop)
                assert learner.play(state, RoundArrays(X.ravel(), np.zeros(0), y, *output, True, False)) == len(y)
    exact = not isinstance(learner.expert_loss, Log)  # one logarithm is the compiler's, the other NumPy's
    fixed = isinstance(learner, Aggregating) or learner.rate is not None
    for one, other in zip((*states[0], *outputs[0]), (*states[1], *outputs[1]), strict=True):
        assert one == pytest.approx(other, abs=0 if exact and fixed else 1e-9, rel=1e-12)


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**40))
def test_coins_in_the_loop_are_those_of_chance(seed, round):
    with np.errstate(over="ignore"):
        assert draw_uniform(np.int64(seed), np.int64(round)) == (draw_bits(seed, round) >> 11) * 2.0**-53


def test_a_coin_falls_as_often_as_it_should():
    rounds = [([1, 1, 0], 1)] * 1
    learner = RandomizedWeightedMajority(Fraction(1, 2))
    ones = sum(game_of(learner, rounds, seed=seed).mistakes == 0 for seed in range(1500))
    assert abs(ones - 1000) < 4 * math.sqrt(1500 * 2 / 9)
    drawn = [
        play(Hedge(draws=True), Panel([[0.0, 0.5, 1.0]], [0.0]), seed=seed).ledger.guesses[0] for seed in range(900)
    ]
    assert all(abs(drawn.count(value) - 300) < 4 * math.sqrt(200) for value in (0.0, 0.5, 1.0))


# --- gold cases ---


def test_constants_of_the_three_majorities_are_those_of_the_theory():
    table = {
        0.1: (3.851527, 1.159425, 2.558428, 1.111111, 1.925763, 0.836348, 0.365345),
        0.25: (2.949540, 1.474770, 1.848392, 1.333333, 1.474770, 1.063822, 0.391670),
        0.5: (2.409421, 2.409421, 1.386294, 2, 1.204710, 1.738030, 0.431523),
        0.75: (2.154415, 5.190893, 1.150728, 4, 1.077208, 3.744438, 0.467360),
        0.9: (2.054080, 13.513407, 1.053605, 10, 1.027040, 9.747863, 0.487286),
        0.99: (2.005038, 138.282573, 1.005034, 100, 1.002519, 99.749791, 0.498748),
    }
    for b, (a, c, ra, rc, ia, ic, half) in table.items():
        big = 10**6
        slope = WeightedMajority(b).bound(1, big).mistakes / big
        assert slope == pytest.approx(a, abs=2e-6)
        rate = WeightedMajority(b).bound(2**4096, 0).mistakes / 4096
        assert rate == pytest.approx(c, abs=1e-3)
        rwma, improved = RandomizedWeightedMajority(b), ImprovedMajority(b)
        assert float(rwma.bound(1, 1).value) == pytest.approx(ra, abs=1e-6)
        assert float(rwma.bound(2, 0).value) / math.log(2) == pytest.approx(rc, abs=1e-6)
        assert float(improved.bound(1, 1).value) == pytest.approx(ia, abs=1e-6)
        assert float(improved.bound(2, 0).value) / math.log(2) == pytest.approx(ic, abs=1e-6)
        assert improved.half_width == pytest.approx(half, abs=1e-6)
    assert ImprovedMajority(0).half_width == pytest.approx(math.log(2) / 2)


@pytest.mark.parametrize(
    ("penalty", "shape", "value"),
    [(0, "linear", 0.139326), (0, "vovk", 0.171856), (0.5, "linear", 0.210328), (0.5, "vovk", 0.221249)],
)
def test_a_quarter_of_the_weight_says_one_with_the_curves_probability(penalty, shape, value):
    assert game_of(ImprovedMajority(penalty, shape), [([1, 0, 0, 0], 0)]).expected == pytest.approx(value, abs=1e-6)


def test_the_five_rounds_of_the_theory_come_out():
    game = game_of(WeightedMajority(), RUN)
    assert (game.mistakes, game.player.state.marks.tolist()) == (3, [3, 5, 2])
    shares = [Fraction(2, 3), Fraction(3, 5), Fraction(4, 7), Fraction(2, 11), Fraction(1)]
    ones = (game.ledger.weights * game.ledger.forecasts).sum(axis=1)
    assert ones == pytest.approx([float(share) for share in shares], abs=1e-12)
    assert game.certificate().bound == 8
    assert randomized_weighted_majority(RUN, Fraction(1, 2), 3)[0] == Fraction(3673, 1155)
    rwma, improved = game_of(RandomizedWeightedMajority(), RUN), game_of(ImprovedMajority(), RUN)
    assert rwma.expected == pytest.approx(3673 / 1155, abs=1e-12)
    assert improved.expected == pytest.approx(3.208664, abs=1e-6)
    assert float(rwma.certificate().bound) == pytest.approx(4.970, abs=1e-3)
    assert float(improved.certificate().bound) == pytest.approx(4.319, abs=1e-3)


@pytest.mark.parametrize(("n", "best", "floor"), [(2, 0, 2), (2, 1, 4), (10, 5, 20), (16, 20, 57), (1000, 50, 144)])
def test_whole_numbers_of_mistakes_that_weighted_majority_allows(n, best, floor):
    assert WeightedMajority().bound(n, best).mistakes == floor


def test_the_exact_floor_decides_where_logarithms_cannot():
    assert WeightedMajority(0).bound(8, 0).mistakes == 3
    assert WeightedMajority(Fraction(1, 7)).bound(7**4, 0).mistakes == 13  # (7/4)^13 = 1446 <= 2401 < (7/4)^14
    assert [largest_by_hand(n, m) for n, m in ((3, 4), (5, 9), (64, 3))] == [
        WeightedMajority().bound(n, m).mistakes for n, m in ((3, 4), (5, 9), (64, 3))
    ]


def largest_by_hand(n, m):
    return max(k for k in range(400) if n * Fraction(3, 4) ** k >= Fraction(1, 2) ** m)


def test_tuning_gives_the_penalties_and_the_regrets_of_the_theory():
    for (n, best), (penalty, extra), (improved, saved) in [
        ((10, 100), (0.823319, 23.76225), (0.748108, 16.83524)),
        ((2, 1), (0.459261, 1.87056), (0.272843, 1.33255)),
    ]:
        assert RandomizedWeightedMajority.tuned(n, best).penalty == pytest.approx(penalty, abs=1e-6)
        assert ImprovedMajority.tuned(n, best).penalty == pytest.approx(improved, abs=1e-6)
        assert WeightedMajority.tuned(n, best).penalty == pytest.approx(improved, abs=1e-6)
        assert math.sqrt(2 * best * math.log(n)) + math.log(n) == pytest.approx(extra, abs=1e-5)
        assert math.sqrt(best * math.log(n)) + math.log2(n) / 2 == pytest.approx(saved, abs=1e-5)
        assert RandomizedWeightedMajority.tuned(n, best).regret(n, 0, best) <= extra + 1e-9
        assert ImprovedMajority.tuned(n, best).regret(n, 0, best) <= saved + 1e-9
        assert WeightedMajority.tuned(n, best).regret(n, 0, best) <= best + 2 * saved + 1e-9


@given(st.integers(2, 10**6), st.floats(0.01, 10**6))
def test_tuned_bounds_never_exceed_their_closed_forms(n, best):
    ln = math.log(n)
    assert RandomizedWeightedMajority.tuned(n, best).regret(n, 0, best) <= math.sqrt(2 * best * ln) + ln + 1e-6
    assert ImprovedMajority.tuned(n, best).regret(n, 0, best) <= math.sqrt(best * ln) + math.log2(n) / 2 + 1e-6
    allowed = WeightedMajority.tuned(n, best).bound(n, int(best)).mistakes
    assert allowed <= 2 * int(best) + 2 * math.sqrt(best * ln) + math.log2(n) + 1e-6


def test_the_leader_is_wrong_as_often_as_its_bound_allows():
    n = 3
    for best, worst, expected in [(0, 2, Fraction(5, 6)), (1, 5, Fraction(8, 3)), (2, 8, Fraction(9, 2))]:
        player, losses = Player(FollowTheLeader()), [0] * n
        rounds = []
        while True:
            leader = losses.index(min(losses))
            if losses[leader] == best and losses.count(best) == 1:
                break
            rounds.append(([int(i != leader) for i in range(n)], 1))
            player.update(rounds[-1][0], 1)
            losses[leader] += 1
        assert (player.tally.mistakes, FollowTheLeader().bound(n, best).mistakes) == (worst, worst)
        certificate = player.certificate()
        assert certificate.slack == 0
        assert certificate.witness["losses"] == best
        assert game_of(FollowTheLeader(random=True), rounds).expected == pytest.approx(float(expected))
        assert FollowTheLeader(random=True).bound(n, best).value == expected


@pytest.mark.parametrize(("rounds", "value"), [(1, Fraction(1, 4)), (2, Fraction(3, 8))])
@pytest.mark.parametrize("learner", VOTERS[:4], ids=str)
def test_random_experts_cost_every_learner_the_same(learner, rounds, value):
    total, count = 0.0, 0
    for bits in product((0, 1), repeat=3 * rounds):
        table = [(list(bits[3 * t : 3 * t + 2]), bits[3 * t + 2]) for t in range(rounds)]
        ledger = game_of(learner, table).ledger
        total, count = total + ledger.regret[-1], count + 1
    assert total / count == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("learner", [WeightedMajority(), WeightedMajority(0.9), FollowTheLeader()], ids=str)
def test_two_constant_experts_fool_every_deterministic_learner_in_every_round(learner):
    player = Player(learner)
    for _ in range(40):
        player.update([0, 1], not player.predict([0, 1]))
    assert player.tally.mistakes == 40
    assert learner.losses(player.state).min() <= 20


# --- every adversary on small pools ---


def worst(learner, state_of, n, rounds):
    """For every multiset of losses after so many rounds, the most that a learner loses on the way there."""
    value, gains, seen = {(0,) * n: 0.0}, {}, {(0,) * n: 0.0}
    for _ in range(rounds):
        after = {}
        for losses, lost in value.items():
            behind = tuple(loss - losses[0] for loss in losses)  # only differences matter
            for wrong in product((0, 1), repeat=n):
                if (behind, wrong) not in gains:
                    both = (mistakes(learner, state_of(learner, behind), wrong, y) for y in (0, 1))
                    gains[behind, wrong] = max(both)
                reached = tuple(sorted(a + b for a, b in zip(losses, wrong, strict=True)))
                after[reached] = max(after.get(reached, 0.0), lost + gains[behind, wrong])
        value = after
        seen |= {losses: max(lost, seen.get(losses, 0.0)) for losses, lost in value.items()}
    return seen


def marked(learner, losses):
    state = learner.start(Size(len(losses)))
    state.marks[:] = losses
    state.counts[1], state.counts[3:] = len(losses), min(losses)
    return state


def pooled(learner, losses):
    state = learner.start(Size(len(losses)))
    state.losses[:] = losses
    state.counts[1] = len(losses)
    return state


def mistakes(learner, state, wrong, y):
    votes = np.array([1 - y if w else y for w in wrong], float)
    guesses, charges = np.zeros(1, np.int32), np.zeros(1)
    learner.replay(state, chunk_forecasts(votes[None], np.array([y], np.int32)), guesses, charges)
    return charges[0]


@pytest.mark.parametrize(
    ("make", "ratio"),
    [
        (WeightedMajority, 0.85),
        (RandomizedWeightedMajority, 0.90),
        (ImprovedMajority, 0.94),
        (lambda penalty: ImprovedMajority(penalty, "vovk"), 0.96),
    ],
)
def test_no_adversary_of_up_to_four_experts_and_eight_rounds_beats_a_bound(make, ratio):
    tightest = 0.0
    for n, penalty in product((2, 3, 4), (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))):
        learner = make(penalty)
        state_of = marked if isinstance(learner, WeightedMajority) else pooled
        for losses, lost in worst(learner, state_of, n, 8).items():
            real = learner.regret(n, 8, losses[0]) + losses[0]
            assert lost <= real + 1e-9, (learner, losses)
            exact = losses[0] * math.log(1 / penalty) + math.log(n)
            if isinstance(learner, WeightedMajority):
                real = exact / math.log(2 / (1 + penalty))
            tightest = max(tightest, lost / real)
    assert ratio - 0.2 < tightest < 1  # not idle, and never reached for a penalty above 0


@pytest.mark.parametrize(
    ("make", "state_of", "closed", "ratio"),
    [
        (
            WeightedMajority.tuned,
            marked,
            lambda n, k, best: 2 * best + 2 * math.sqrt(k * math.log(n)) + math.log2(n),
            0.6,
        ),
        (
            RandomizedWeightedMajority.tuned,
            pooled,
            lambda n, k, best: best + math.sqrt(2 * k * math.log(n)) + math.log(n),
            0.7,
        ),
        (ImprovedMajority.tuned, pooled, lambda n, k, best: best + math.sqrt(k * math.log(n)) + math.log2(n) / 2, 0.8),
    ],
    ids=["weighted", "randomized", "improved"],
)
def test_no_adversary_beats_what_a_tuned_penalty_promises(make, state_of, closed, ratio):
    tightest = 0.0
    for n, most in product((2, 3), (0, 1, 3)):
        for losses, lost in worst(make(n, most), state_of, n, 7).items():
            if losses[0] <= most:
                assert lost <= closed(n, most, losses[0]) + 1e-9, (n, most, losses)
                tightest = max(tightest, lost / closed(n, most, losses[0]))
    assert ratio < tightest <= 1 + 1e-9


@pytest.mark.parametrize("random", [False, True])
def test_no_adversary_makes_a_leader_err_more_often_than_its_bound_which_one_attains(random):
    learner, attained = FollowTheLeader(random), set()
    for n in (1, 2, 3):
        for losses, lost in worst(learner, pooled, n, 8).items():
            allowed = float(learner.bound(n, losses[0]).value)
            assert lost <= allowed + 1e-9, losses
            attained |= {(n, losses[0])} if lost >= allowed - 1e-9 else set()
    assert {(n, best) for n in (1, 2, 3) for best in (0, 1, 2)} <= attained


def test_with_penalty_zero_the_bounds_are_attained_by_an_adversary():
    for make, state_of in ((WeightedMajority, marked), (ImprovedMajority, pooled)):
        reached = worst(make(0), state_of, 4, 3)
        most = max(lost for losses, lost in reached.items() if losses[0] == 0)
        assert most == pytest.approx(float(make(0).bound(4, 0).value))


# --- bounds in play ---


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@settings(max_examples=15)
@given(drowsy)
def test_certificates_hold_on_any_sequence(learner, rounds):
    player = game_of(learner, legal(learner, rounds)).player
    try:
        certificate = player.certificate()
    except NotCertified:
        return
    assert certificate.holds
    assert certificate.witness["expert"] == int(np.argmin(learner.charges(player.state)))


@given(numbers, st.integers(1, 4))
def test_fixed_share_stays_within_its_bound_for_every_number_of_switches(rounds, switches):
    if len(rounds) < switches + 2:
        return
    n = len(rounds[0][0])
    learner = FixedShare.tuned(max(n, 2), len(rounds), switches)
    ledger = game_of(learner, rounds).ledger
    best, _ = ledger.tracking(switches)
    assert ledger.loss[-1] - best <= float(learner.bound(n, len(rounds), switches).value) + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_hedge_regret_stays_below_its_bound_at_every_round(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.random((400, 7)), rng.integers(0, 2, 400)
    for learner in (
        Hedge(),
        Hedge.tuned(7, 400),
        Hedge(draws=True),
        Hedge.anytime(Square()),
        AdaHedge(),
        Aggregating(),
    ):
        ledger = play(learner, Panel(X, y)).ledger
        assert (ledger.regret <= ledger.bounds).all()
    assert Hedge.tuned(7, 400).regret(7, 400) == pytest.approx(math.sqrt(400 * math.log(7) / 2))


# --- sleeping, joining, forgetting, and ten million rounds ---


def test_sleepers_keep_their_share_and_newcomers_start_with_the_mean_share():
    learner = Hedge(0.5)
    player = Player(learner)
    player.update([0.0, 1.0, NAN], 1.0)
    player.update([0.0, 1.0, NAN], 1.0)
    weights = learner.weights(player.state)
    assert weights[2] == pytest.approx(1 / 3)
    assert weights.sum() == pytest.approx(1)
    player.update([0.5, 0.5, 0.5, 0.5], 1.0)
    assert learner.weights(player.state)[3] == pytest.approx(1 / 4, abs=1e-3)
    voter = Player(WeightedMajority())
    for _ in range(4):
        voter.update([0, 0], 1)
    voter.update([0, 0, 1], 1)
    assert voter.learner.charges(voter.state).tolist() == [5, 5, 4]
    assert voter.learner.losses(voter.state).tolist() == [5, 5, 0]


def test_one_that_joins_with_fewer_marks_than_all_others_votes_as_one_that_slept():
    """Everybody erred once and the vote never, so the newcomer has no marks at all and the most weight."""
    early = [([int(j != k) for j in range(5)], 1) for k in range(5)]
    later = [([1, 1, 1, 1, 1, 0], 1), ([1, 1, 0, 0, 0, 1], 1), ([0, 0, 0, 0, 0, 1], 0)]
    player = Player(WeightedMajority())
    for votes, y in early + later:
        player.update(votes, y)
    rounds = [([*votes, None][:6], y) for votes, y in early] + later
    guesses, marks = weighted_majority(rounds, Fraction(1, 2), 6)
    assert player.state.marks[:6].tolist() == marks
    assert player.tally.mistakes == sum(guess != y for guess, (_, y) in zip(guesses, rounds, strict=True))


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_an_expert_may_join_at_any_round_and_prediction_shows_it_coming(learner):
    rounds = legal(learner, [([0.25, 0.75], 0.5), ([0.5, 0.25], 1.0), ([0.75, 0.25], 0.0)])
    player = Player(learner)
    for x, y in rounds:
        player.update(x, y)
    state = fingerprint(player.state)
    x = legal(learner, [([0.25, 0.75, 0.5], 0.5)])[0][0]
    player.predict(x)
    assert learner.experts(player.state) == 2
    assert len(learner.weights(player.state)) == 2
    player.update(x, legal(learner, rounds)[0][1])
    assert learner.experts(player.state) == 3
    assert np.isfinite(learner.weights(player.state)).all()
    assert state != fingerprint(player.state)


@pytest.mark.parametrize(
    ("learner", "times"), [(WeightedMajority(), 100), (Hedge(5.0), 100), (FixedShare(), 5)], ids=str
)
def test_ten_million_rounds_neither_kill_the_pool_nor_give_nan(learner, times):
    rounds = 10**5
    X = np.tile([0.0, 1.0], (rounds, 1))
    y = np.ones(rounds, np.float64 if learner.numeric else np.int32)
    state, guesses = learner.start(Size(2)), np.zeros_like(y)
    for _ in range(times):
        assert learner.replay(state, chunk_forecasts(X, y), guesses) == rounds
    assert learner.losses(state).tolist() == [rounds * times, 0]
    learner.replay(state, chunk_forecasts(X, 1 - y), guesses)
    assert np.isfinite(guesses).all()
    assert learner.weights(state).sum() == pytest.approx(1)


@pytest.mark.parametrize("learner", [RandomizedWeightedMajority(), Hedge(5.0), AdaHedge(), Aggregating()], ids=str)
def test_a_pool_that_lost_millions_is_led_by_whoever_is_better_now(learner):
    state = learner.start(Size(3))
    state.losses[:], state.counts[:2], state.totals[2] = (10**7, 10**7 + 300, 2 * 10**7), (3 * 10**7, 3), 10**7
    X, y = np.tile([0.0, 1.0, NAN], (400, 1)), np.ones(400)
    learner.replay(state, chunk_forecasts(X, y), np.zeros(400))
    weights = learner.weights(state)
    assert weights[1] > 0.99
    assert weights.sum() == pytest.approx(1)
    one_round = np.array([[NAN, NAN, 0.25]])
    guesses = np.zeros(1)
    learner.replay(state, chunk_forecasts(one_round, y[:1]), guesses)  # the worst expert alone is awake, and followed
    assert guesses[0] == (0.25 if learner.numeric else guesses[0])
    assert np.isfinite(learner.weights(state)).all()


def test_a_short_memory_forgets_who_was_good_long_ago():
    rounds = [([0.0, 1.0], 0.0)] * 200 + [([0.0, 1.0], 1.0)] * 20
    forgetful, faithful = (game_of(Hedge(1.0, memory=m), rounds).player for m in (0.8, 1.0))
    assert forgetful.learner.weights(forgetful.state)[1] > 0.9
    assert faithful.learner.weights(faithful.state)[1] < 0.1
    assert forgetful.learner.losses(forgetful.state).tolist() == [20.0, 200.0]
    with pytest.raises(NotCertified):
        forgetful.certificate()


# --- what is refused ---


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_refused_round_leaves_the_state_and_names_what_was_wrong(learner):
    player = Player(learner)
    player.update(*legal(learner, [([0.25, 0.75], 0.5)])[0])
    before = fingerprint(player.state)
    for x in ([2.5, 0.5], [NAN, NAN], [[0, 1]], ["a", "b"], "01", [math.inf, 0.5], {0: 1}):
        with pytest.raises(BadInstance):
            player.update(x, 1)
    with pytest.raises(BadLabel):
        player.update([1, 0] if not learner.numeric else [0.5, 0.5], 3)
    with pytest.raises(BadLabel):
        player.update([1, 0] if not learner.numeric else [0.5, 0.5], None)
    assert fingerprint(player.state) == before
    rounds = legal(learner, [([0.25, 0.75], 0.5)] * 4)
    X = np.array([x for x, _ in rounds], float)
    X[2, 1] = 7
    with pytest.raises(BadInstance) as refused:
        play(learner, Panel(X, [y for _, y in rounds]))
    assert refused.value.game.rounds == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: WeightedMajority(1), lambda: WeightedMajority(-0.1), lambda: RandomizedWeightedMajority(1),
        lambda: ImprovedMajority(1), lambda: ImprovedMajority(0.5, "round"), lambda: Hedge(0), lambda: Hedge(-1),
        lambda: Hedge(loss=Log()), lambda: Hedge(loss=ZeroOne()), lambda: Hedge(memory=0), lambda: AdaHedge(Log()),
        lambda: AdaHedge(ZeroOne()), lambda: Aggregating(Absolute()), lambda: FixedShare(switching=0),
        lambda: FixedShare(loss=Log()), lambda: FixedShare(rate=0), lambda: FixedShare.tuned(2, 5, 0),
        lambda: Hedge.tuned(1, 5), lambda: WeightedMajority.tuned(2, -1),
    ],
)  # fmt: skip
def test_parameters_outside_the_theorems_are_refused(make):
    with pytest.raises(BadParameter):
        make()


def test_a_newcomer_ends_the_promise_of_the_anytime_rate_but_not_of_a_fixed_one():
    for learner, certified in ((Hedge(0.5), True), (Hedge(), False)):
        player = Player(learner)
        player.update([0.5, 0.0], 1.0)
        player.update([0.5, 0.0, 1.0], 1.0)
        if certified:
            assert player.certificate().holds
        else:
            with pytest.raises(NotCertified, match="join late"):
                player.certificate()


def test_no_theorem_is_claimed_where_there_is_none():
    for learner in LEARNERS:
        with pytest.raises(NotCertified):
            learner.bound()
    assert not issubclass(NotCertified, ValueError)
    for learner in (WeightedMajority(0), RandomizedWeightedMajority(0), ImprovedMajority(0)):
        with pytest.raises(NotCertified):
            game_of(learner, [([0, 0], 1)]).certificate()
    with pytest.raises(NotCertified):
        Player(WeightedMajority()).certificate()


# --- the user's own loss, other shapes of input ---


def test_a_loss_of_ones_own_plays_as_the_built_in_one_does():
    rng = np.random.default_rng(1)
    rounds = [(rng.random(3), rng.random()) for _ in range(30)]
    rounds[4][0][1] = NAN
    mine = Custom(lambda f, y: (f - y) ** 2, top=1.0, low=0.0, high=1.0, averages=True)
    for ours, theirs in [(Hedge(0.5, Square()), Hedge(0.5, mine)), (FixedShare(loss=Square()), FixedShare(loss=mine))]:
        one, other = (game_of(learner, rounds) for learner in (ours, theirs))
        assert one.expected == pytest.approx(other.expected, abs=1e-12)
        assert one.ledger.weights == pytest.approx(other.ledger.weights, abs=1e-12)


def test_a_loss_outside_its_declared_range_is_an_error_and_the_rounds_before_it_count():
    loss = Custom(lambda f, y: abs(f - y), top=0.5, low=0.0, high=1.0)
    with pytest.raises(BadLabel, match="declares values in"):
        play(Hedge(loss=loss, draws=True), Panel([[0.4, 0.5], [0.0, 0.1]], [0.5, 1.0]))
    with pytest.raises(BadLabel) as refused:
        play(Hedge(loss=loss, draws=True), Panel([[0.4, 0.5], [0.0, 0.1]], [0.5, 1.0]))
    assert refused.value.game.rounds == 1


def test_votes_come_as_bytes_floats_tuples_or_recorded_rows():
    X, y = np.array([v for v, _ in RUN]), [bool(y) for _, y in RUN]
    games = [
        play(WeightedMajority(), environment)
        for environment in (
            Panel(X.astype(bool), y), Panel(X.astype(float), y), Panel(X.astype(np.float32), y), Panel(X, y),
            Recorded(X, y), Recorded([tuple(v) for v, _ in RUN], y),
        )
    ]  # fmt: skip
    assert {game.mistakes for game in games} == {3}
    assert {tuple(game.player.state.marks[:3].tolist()) for game in games} == {(3, 5, 2)}


def test_a_copied_state_goes_its_own_way():
    game = game_of(Hedge(), RUN)
    twin = copy_state(game.player.state)
    game.player.update([1, 0, 1], 1)
    assert fingerprint(twin) != fingerprint(game.player.state)


def test_a_subcommittee_that_votes_by_majority_is_a_halfspace_a_perceptron_learns():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 9))
    y = X[:, [0, 3, 7]].sum(axis=1) >= 2
    game = play(Perceptron(), Recorded(X.astype(float), y.tolist()))
    u, gap = np.array([2.0, 0, 0, 2, 0, 0, 0, 2, 0]), 1.0  # 2 (x0 + x3 + x7) - 3 is at least 1 in size
    signs = np.where(y, 1, -1) * (X @ u - 3)
    assert signs.min() >= gap
    assert game.updates <= (9 + 1) * (u @ u + 9) / gap**2
