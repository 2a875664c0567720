"""Winnow: the plain twin, the gold cases, the lemmas of the proof, and the exact worst cases against its bounds."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import reference
from littlestone import Player, Recorded, play
from littlestone.base.chunks import Row
from littlestone.base.errors import BadInstance, BadParameter, NotCertified
from littlestone.base.learner import Size, copy_state
from littlestone.environments import Drifting, DriftingAdversary
from littlestone.learners import Winnow
from littlestone.learners.shared.winnow_theory import Setting, bound_disjunction, bound_separated, find_least_power

SETTINGS = [
    {},
    {"threshold": 2.0},
    {"promotion": 4.0, "threshold": 3.0},
    {"promotion": 1.5, "threshold": 4.0, "margin": 1.0},
    {"threshold": 3.0, "margin": 1.5, "strict_gt": True},
    {"floor": 0.5},
    {"floor": 0.375, "threshold": 2.0},
    {"eliminate": True},
    {"eliminate": True, "promotion": 1.5, "threshold": 3.0, "strict_gt": True},
    {"promotion": 1 + 2.0**-16, "threshold": 2.0},
]
WIDTH = 4
rounds = st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=WIDTH, max_size=WIDTH), st.booleans()), max_size=60)


def weights(learner, state):
    """The weights that exponents stand for, in fractions; floats as they are."""
    if state.weights.dtype.kind == "f":
        return [Fraction(weight) for weight in state.weights.tolist()]
    dead = np.iinfo(state.weights.dtype).min
    return [Fraction(learner.promotion) ** e if e != dead else Fraction(0) for e in state.weights.tolist()]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@given(game=rounds)
def test_agrees_with_its_twin_on_noisy_boolean_rows(settings, game):
    guesses, expected, updates = reference.winnow(game, WIDTH, **settings)
    player = Player(Winnow(**settings), classes=(False, True))
    player.start_state(Size(WIDTH))
    X, y = np.array([x for x, _ in game]).reshape(-1, WIDTH), [y for _, y in game]
    transcript = play(player, Recorded(X, y), transcript=True).transcript
    assert [round.guess for round in transcript] == guesses
    assert player.tally.updates == updates
    rounding = 1e-9 if player.state.weights.dtype.kind == "f" else 0
    assert weights(player.learner, player.state) == pytest.approx(expected, rel=rounding, abs=0)
    if not settings.get("margin"):
        assert player.tally.updates == player.tally.mistakes


@given(game=rounds, cut=st.integers(0, 60))
def test_live_chunks_and_whole_give_the_same_state(game, cut):
    X, y = np.array([x for x, _ in game], float).reshape(-1, WIDTH), np.array([y for _, y in game], bool)
    whole = play(Winnow(), Recorded(X, y)).player
    chunks, live = Player(Winnow()), Player(Winnow())
    chunks.start_state(Size(WIDTH)), live.start_state(Size(WIDTH))
    for part in (slice(0, cut), slice(cut, None)):
        play(chunks, Recorded(sp.csr_array(X)[part], y[part]))
    for x, label in zip(X, y, strict=True):
        live.update(x, label)
    assert whole.tally == chunks.tally == live.tally
    for one, two, three in zip(whole.state, chunks.state, live.state, strict=True):
        assert one.dtype == two.dtype == three.dtype
        assert one.tolist() == two.tolist() == three.tolist()


# --- exact worst cases --------------------------------------------------------------------------------------------


def stepper(learner, n):
    """The learner as a function from exponents, x and label to its guess and the exponents after the round."""
    start, rows = learner.start(Size(n)), {}

    @cache
    def step(exponents, x, y):
        state = copy_state(start)
        state.weights[:] = exponents
        row = rows.setdefault(x, Row(np.flatnonzero(x).astype(np.int32), None))
        guess = learner.predict(state, row)
        assert learner.round(state, row, y) == guess
        return guess, tuple(state.weights.tolist())

    return tuple(start.weights.tolist()), step


def longest(learner, rows, alike=()):
    """The most mistakes that any order of labelled rows can force; `alike` attributes are interchangeable."""
    first, step = stepper(learner, len(rows[0][0]))

    def sorted_in(exponents):
        for group in alike:
            part = sorted(exponents[i] for i in group)
            exponents = list(exponents)
            for place, exponent in zip(group, part, strict=True):
                exponents[place] = exponent
        return tuple(exponents)

    @cache
    def value(exponents):
        most = 0
        for x, y in rows:
            guess, after = step(exponents, x, y)
            if guess != y:
                most = max(most, 1 + value(sorted_in(after)))
        return most

    return value(first)


def or_of(n, k):
    """All rows of n bits with the OR of the first k, and the two groups of attributes that are alike."""
    rows = [(x, int(any(x[:k]))) for x in product((0, 1), repeat=n)]
    return rows, (range(k), range(k, n))


def forced(learner, n, k):
    return longest(learner, *or_of(n, k))


@pytest.mark.parametrize(
    ("n", "k", "worst"),
    [
        (3, 0, 1),
        (3, 1, 3),
        (3, 2, 4),
        (3, 3, 6),
        (4, 0, 1),
        (4, 1, 4),
        (4, 2, 7),
        (4, 3, 8),
        (4, 4, 8),
        (5, 1, 6),
        (5, 2, 10),
    ],
)
def test_winnow_with_factor_2_and_threshold_n_on_k_disjunctions(n, k, worst):
    learner = Winnow()
    assert forced(learner, n, k) == worst
    bound = learner.bound(n, relevant=k)
    assert bound.value == 3 * k * (n - 1).bit_length() + 1
    assert bound.allows(worst)


@pytest.mark.parametrize(
    ("n", "k", "worst"),
    [
        (3, 0, 1),
        (3, 1, 3),
        (3, 2, 4),
        (3, 3, 6),
        (4, 0, 1),
        (4, 1, 3),
        (4, 2, 5),
        (4, 3, 7),
        (4, 4, 8),
        (5, 1, 4),
        (5, 2, 7),
    ],
)
def test_the_elimination_variant_on_k_disjunctions(n, k, worst):
    learner = Winnow(eliminate=True)
    assert forced(learner, n, k) == worst
    bound = learner.bound(n, relevant=k)
    assert bound.value == 2 * k * (n - 1).bit_length() + 1
    assert bound.allows(worst)


@pytest.mark.parametrize("promotion", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("settings", [{}, {"strict_gt": True}, {"eliminate": True}, {"margin": 0.5}], ids=str)
def test_never_exceeds_its_bound_on_disjunctions_at_other_settings(promotion, settings):
    for n, k, threshold in product((2, 3, 4), (0, 1, 2), (1.0, 2.0, 3.5)):
        learner = Winnow(promotion, threshold=threshold, **settings)
        assert learner.bound(n, relevant=k).allows(forced(learner, n, k))


def test_known_bounds():
    assert Winnow.tuned(100).bound(100, relevant=5).value == 106
    assert Winnow.tuned(1000).bound(1000, relevant=10).value == 301
    for n, k in ((8, 2), (100, 5)):
        u = k * find_least_power(Fraction(2), Fraction(n, 2))
        assert Winnow(threshold=n / 2).bound(n, relevant=k).value == u + 2 * u + 3


# --- margin targets -----------------------------------------------------------------------------------------------

MAJORITY = [(x, int(sum(x) >= 2)) for x in product((0, 1), repeat=3)]
SWEEP = [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]


def sweeps(learner, times):
    """Mistakes after each sweep over the rows that decide a majority of three, and the player."""
    player, totals = Player(learner, classes=(0, 1)), []
    player.start_state(Size(3))
    for _ in range(times):
        play(player, Recorded(np.array(SWEEP), [int(sum(x) >= 2) for x in SWEEP]))
        totals.append(player.tally.mistakes)
    return totals, player


def test_a_promotion_by_the_unscaled_margin_never_learns_a_majority():
    totals, player = sweeps(Winnow(3.5, threshold=10.0), 4)
    assert totals == [6, 9, 12, 15]
    assert weights(player.learner, player.state) == [Fraction(7, 2)] * 3


def test_a_promotion_by_the_rescaled_margin_learns_a_majority():
    learner = Winnow.tuned(10, margin=0.5)
    assert learner == Winnow(1.25, threshold=10.0)
    totals, _ = sweeps(learner, 5)
    assert totals[3:] == [12, 12]
    assert longest(learner, MAJORITY, (range(3),)) == 13
    setting = Setting(Fraction(5, 4), Fraction(10), Fraction(10))
    assert find_least_power(Fraction(5, 4), Fraction(10)) == 11
    assert bound_separated(setting, 3, Fraction(1, 2), Fraction(3, 2)) == (46, 58)
    assert learner.bound(3, margin=0.5, norm=1.5).value == 104


def test_the_worked_example_of_an_or_of_two_among_four():
    player = Player(Winnow(threshold=2.0), classes=(0, 1))
    player.start_state(Size(4))
    half = Fraction(1, 2)
    for x, y, score, after in [
        ([0, 0, 1, 1], 0, 2, [1, 1, half, half]),
        ([1, 0, 1, 0], 1, 1.5, [2, 1, 1, half]),
        ([0, 1, 0, 1], 1, 1.5, [2, 2, 1, 1]),
    ]:
        assert player.score(x) == score - 2
        player.update(x, y)
        assert weights(player.learner, player.state) == after
    for _ in range(3):
        play(player, Recorded(np.array(list(product((0, 1), repeat=4))), [int(any(x[:2])) for x, _ in or_of(4, 2)[0]]))
    assert player.tally.mistakes == 4
    assert weights(player.learner, player.state) == [2, 2, half, half]
    assert player.learner.bound(4, margin=1, norm=2).value == 2 + 7


def test_the_theorem_with_margin_targets_holds_for_every_order_of_rows():
    targets = [((1, 0), 1), ((1, 1), 1), ((2, 1), 2), ((1, 1, 1), 2), ((2, 1, 1), 2), ((1, 1, 1), 3)]
    for target, goal in targets:
        sums = {x: sum(a * b for a, b in zip(target, x, strict=True)) for x in product((0, 1), repeat=len(target))}
        margin = 1 - Fraction(max(s for s in sums.values() if s < goal), goal)
        norm = Fraction(sum(target), goal)
        rows = [(x, int(s >= goal)) for x, s in sums.items()]
        for threshold in (1.0, 2.0, 4.0):
            learner = Winnow(float(1 + margin / 2), threshold=threshold)
            assert learner.bound(len(target), margin=margin, norm=norm).allows(longest(learner, rows))


@pytest.mark.parametrize(("promotion", "threshold"), [(2.0, 4.0), (1.5, 4.0), (3.0, 2.0), (1.25, 10.0)])
def test_promotions_attain_their_bound(promotion, threshold):
    for n, k in ((1, 1), (4, 2), (5, 3)):
        each = find_least_power(Fraction(promotion), Fraction(threshold))
        game = play(Winnow(promotion, threshold), Recorded(np.eye(n)[:k].repeat(each, axis=0), [True] * (k * each)))
        setting = Setting(Fraction(promotion), Fraction(threshold), Fraction(threshold))
        assert game.mistakes == k * each == bound_separated(setting, n, Fraction(1), Fraction(k))[0]
        assert bound_disjunction(setting, n, k)[0] == k * each


def test_with_threshold_d_the_bound_is_below_its_corollary():
    for d, margin, norm in product((4, 50, 1000), (0.125, 0.5, 1.0), (1, 3)):
        corollary = 8 / margin**2 + (4 / margin + 8 * np.log(d) / margin**2) * norm
        assert Winnow.tuned(d, margin).bound(d, margin=margin, norm=norm).value <= corollary


@given(game=rounds)
def test_the_three_lemmas_hold_on_any_labels(game):
    b, theta = 2, 2
    _, w, _ = reference.winnow([], WIDTH, b, theta)
    exponents, up, down = [0] * WIDTH, [], []
    player = Player(Winnow(threshold=2.0), classes=(False, True))
    player.start_state(Size(WIDTH))
    for x, y in game:
        before = player.state.weights.tolist()
        player.update(x, y)
        exponents = player.state.weights.tolist()
        if exponents != before:
            (up if y else down).append(x)
        w = weights(player.learner, player.state)
        u, v = len(up), len(down)
        assert 0 < sum(w) <= WIDTH + u * (b - 1) * theta - v * (1 - Fraction(1, b)) * theta  # the sum of all weights
        assert max(exponents) <= find_least_power(Fraction(b), Fraction(theta))  # none beyond the threshold
    for i in range(WIDTH):  # the exponents count promotions less demotions
        assert exponents[i] == sum(x[i] for x in up) - sum(x[i] for x in down)


def test_thick_winnow_stays_within_its_bound_of_updates():
    learner = Winnow(1.25, threshold=10.0, margin=2.0)
    bound = learner.bound(3, margin=Fraction(1, 2), norm=Fraction(3, 2))
    assert bound.counts == "updates"
    player = Player(learner, classes=(0, 1))
    player.start_state(Size(3))
    for _ in range(30):
        play(player, Recorded(np.array(SWEEP), [int(sum(x) >= 2) for x in SWEEP]))
    assert player.tally.mistakes < player.tally.updates <= bound.value
    scores = {x: player.score(x) for x in SWEEP}
    assert all(score >= 2 if sum(x) >= 2 else score < -2 for x, score in scores.items())


# --- negations and drift ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("literals", [(), ((0, 1),), ((0, 0),), ((0, 1), (1, 0)), ((0, 0), (1, 1), (2, 0))], ids=str)
def test_duplicated_attributes_learn_disjunctions_with_negations(literals):
    n = 3
    rows = []
    for x in product((0, 1), repeat=n):
        rows.append(((*x, *(1 - bit for bit in x)), int(any(x[i] == sign for i, sign in literals))))
    learner = Winnow(threshold=2.0 * n)
    worst = longest(learner, rows)
    assert worst <= 3 * len(literals) * (2 * n - 1).bit_length() + 1
    assert learner.bound(2 * n, relevant=len(literals)).value == 3 * len(literals) * 3 + 1


def drifting(n, additions):
    """The most mistakes of Winnow-R when variables are added at a cost of one each and removed for nothing."""
    first, step = stepper(Winnow(floor=0.5), n)
    inputs = list(product((0, 1), repeat=n))
    targets = [frozenset(i for i in range(n) if x[i]) for x in inputs]

    @cache
    def value(exponents, target, left):
        most = 0
        for other in targets:
            cost = len(other - target)
            if cost > left:
                continue
            for x in inputs:
                y = int(any(x[i] for i in other))
                guess, after = step(exponents, x, y)
                if guess != y:
                    most = max(most, 1 + value(after, other, left - cost))
        return most

    return value(first, frozenset(), additions)


@pytest.mark.parametrize(
    ("n", "additions", "worst"),
    [(2, 0, 1), (1, 1, 3), (1, 3, 7), (2, 1, 5), (2, 2, 9), (2, 3, 13), (3, 0, 1), (3, 1, 7), (3, 2, 14), (4, 1, 8)],
)
def test_winnow_r_in_the_drifting_disjunction_game(n, additions, worst):
    assert drifting(n, additions) == worst
    bound = Winnow(floor=0.5).bound(n, additions=additions)
    assert bound.value == 5 * additions * (2 * n - 1).bit_length() + 1
    assert bound.allows(worst)


@pytest.mark.parametrize(("n", "additions"), [(1, 4), (5, 3), (16, 6), (40, 25)])
def test_winnow_r_stays_within_its_bound_when_a_disjunction_drifts(n, additions):
    learner = Winnow(threshold=float(n), floor=0.5)
    bound = learner.bound(n, additions=additions)
    adversary = DriftingAdversary(n, additions)
    game = play(learner, adversary)
    assert game.environment.cost == additions
    assert game.mistakes == adversary.rounds == additions * n.bit_length()
    assert bound.allows(game.mistakes)
    for seed in range(4 if n > 1 else 0):
        game = play(learner, Drifting(n, additions, 40 * additions), seed=seed)
        assert game.environment.cost == additions
        assert 0 < game.mistakes <= bound.value


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"promotion": 1.0},
        {"promotion": float("nan")},
        {"threshold": 0.0},
        {"threshold": float("inf")},
        {"margin": -1.0},
        {"threshold": 2.0, "margin": 2.0},
        {"floor": 1.5},
        {"floor": 0.5, "eliminate": True},
        {"real": True, "eliminate": True},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(BadParameter):
        Winnow(**settings)


def test_an_open_threshold_is_fixed_when_the_game_starts():
    player = Player(Winnow(), classes=(0, 1))
    player.start_state(Size(3))
    player.update({0: 1}, 1)
    player.update({9: 1}, 1)
    assert player.state.threshold.tolist() == [3.0]
    assert player.state.weights.tolist() == [1] + [0] * 8 + [1] + [0] * 6
    with pytest.raises(BadParameter, match="threshold"):
        _ = Player(Winnow()).state
    with pytest.raises(BadParameter, match="margin"):
        Winnow(margin=3.0).start(Size(2))


def test_bounds_that_no_theorem_covers_are_refused():
    for learner, what in [
        (Winnow(floor=0.25), {"additions": 1}),
        (Winnow(floor=0.5, strict_gt=True), {"additions": 1}),
        (Winnow(floor=0.5), {"margin": 1, "norm": 1}),
        (Winnow(), {"additions": 1}),
        (Winnow(eliminate=True), {"margin": 1, "norm": 1}),
        (Winnow(3.5, threshold=10.0), {"margin": 0.5, "norm": 1.5}),
        (Winnow(real=True), {"relevant": 1}),
    ]:
        with pytest.raises(NotCertified):
            learner.bound(4, **what)
    for what in ({}, {"relevant": 1, "margin": 1}, {"margin": 1}, {"margin": 2, "norm": 1}, {"relevant": 5}):
        with pytest.raises(BadParameter):
            Winnow().bound(4, **what)
    with pytest.raises(BadParameter):
        Winnow().bound()
    with pytest.raises(BadParameter):
        Winnow(margin=4.0).bound(4, relevant=1)
    with pytest.raises(BadParameter):
        Winnow.tuned(4, margin=0)


# --- real attributes ----------------------------------------------------------------------------------------------


def test_real_attributes_scale_weights_by_powers():
    player = Player(Winnow(threshold=4.0, real=True), classes=(0, 1))
    player.start_state(Size(2))
    player.update([1.0, 0.5], 1)
    assert player.state.weights.tolist() == [2.0, 2**0.5]
    player.update([0.5, 0.0], 1)
    assert player.state.weights.tolist() == [2.0 * 2**0.5, 2**0.5]
    player.state.weights[:] = 8.0, 1.0
    player.update([1.0, 0.25], 0)
    assert player.state.weights.tolist() == [4.0, 1 / 2**0.25]
    with pytest.raises(BadInstance, match=r"in \[0, 1\], got 1.5"):
        player.update([1.5, 0], 1)


def test_on_bits_real_winnow_plays_as_winnow_does():
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 2, (300, 6)).astype(float), rng.random(300) < 0.5
    plain, real = (play(Winnow(2.0, threshold=4.0, real=real), Recorded(X, y)) for real in (False, True))
    assert plain.mistakes == real.mistakes
    assert (2.0 ** plain.player.state.weights.astype(float)).tolist() == real.player.state.weights.tolist()


def test_real_attributes_stay_within_their_bound():
    rng = np.random.default_rng(1)
    for margin in (0.5, 0.25):
        learner = Winnow.tuned(8, margin)
        learner = Winnow(learner.promotion, learner.threshold, real=True)
        target = np.array([1.5, 1.0, 0, 0, 0, 0, 0, 0])
        X = rng.random((4000, 8))
        s = X @ target
        keep = (s >= 1) | (s <= 1 - margin)
        game = play(learner, Recorded(X[keep], s[keep] >= 1))
        assert 10 < game.mistakes <= learner.bound(8, margin=margin, norm=2.5).value


def test_the_bound_for_real_attributes_is_the_largest_consistent_one():
    setting = Setting(Fraction(5, 4), Fraction(8), Fraction(8))
    u, v = bound_separated(setting, 8, Fraction(1, 2), Fraction(2), real=True)

    def allowed(u):
        return (2 * np.log(8 + 2 * u) / np.log(1.25) + 0.5 * 5) / (1 - 1.25 * 0.5)

    assert u <= allowed(u) + 1e-6
    assert u + 1 > allowed(u + 1)
    assert v == np.ceil(5 + 1.25 * u) - 1


def test_slack_adds_to_the_promotions():
    setting = Setting(Fraction(2), Fraction(2), Fraction(2))
    assert bound_separated(setting, 4, Fraction(1), Fraction(2)) == (2, 7)  # the worked example
    assert bound_separated(setting, 4, Fraction(1), Fraction(2), slack=Fraction(3)) == (5, 13)
    assert bound_disjunction(setting, 4, 2) == (2, 7)


def test_float_weights_stop_at_the_smallest_normal_number_and_come_back():
    player = Player(Winnow(threshold=2.0, real=True), classes=(0, 1))
    player.start_state(Size(2))
    player.state.weights[:] = 4.0, 2.0**-1021
    for expected in (2.0**-1022, 2.0**-1022):
        player.state.weights[0] = 4.0
        player.update([1, 1], 0)
        assert player.state.weights.tolist() == [2.0, expected]
    player.update([0, 1], 1)
    assert player.state.weights.tolist() == [2.0, 2.0**-1021]
