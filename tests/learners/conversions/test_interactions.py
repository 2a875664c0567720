"""Interactions: gold runs, what becomes separable and within which bound, and one game however products are made."""

import tracemalloc
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone import laws
from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadInstance, BadParameter
from littlestone.base.learner import Size, fingerprint
from littlestone.learners.conversions import Interactions
from littlestone.learners.conversions import attribute_products as products
from littlestone.learners.conversions.attribute_products import Scratch, count_products, expand, find_most
from toys import Additive

SQUARE = [[0, 0], [0, 1], [1, 0], [1, 1]]
XOR = [False, True, True, False]
INNER = [
    ls.Perceptron(),
    ls.Perceptron(margin=2, normalized=True, bias=0),
    ls.AveragedPerceptron(),
    ls.PassiveAggressive(),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.AveragedPerceptron(), updates="each"),
    ls.NaiveBayes(),
]


def played(learner, X, y):
    """Guesses and the player of a game in one chunk."""
    player = ls.Player(learner, classes=(False, True))
    player.start_state(Size(np.shape(X)[1]))
    guesses, _ = player.replay(Examples.of(X, y))
    return guesses.tolist(), player


# --- what becomes separable -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.array, sp.csr_array])
def test_the_gold_run_on_xor(form):
    X = form(np.array(SQUARE * 20, float))
    game = ls.play(Interactions(ls.Perceptron()), ls.Recorded(X, XOR * 20))
    assert game.updates == 29
    assert [*game.player.state.weights, *game.player.state.bias] == [2, 2, -5, -1]
    assert coefficients(SQUARE, XOR) == {(0,): 1, (1,): 1, (1, 0): -2}
    assert bound(SQUARE, XOR) == 100
    live = ls.Player(Interactions(ls.Perceptron()))
    for x, label in zip(SQUARE * 20, XOR * 20, strict=True):
        live.update(x, label)
    assert fingerprint(live.state) == fingerprint(game.player.state)


def coefficients(cube, labels):
    """c(S), by inclusion and exclusion, of a Boolean function given on the whole cube."""
    value, n = {tuple(x): int(y) for x, y in zip(cube, labels, strict=True)}, len(cube[0])
    found = {}
    for chosen in reference.product_sets(n, n):
        signs = ((-1) ** (len(chosen) - len(T)) * value[tuple(int(i in T) for i in range(n))] for T in within(chosen))
        found[chosen] = sum(signs)
    return found


def within(chosen):
    return [T for size in range(len(chosen) + 1) for T in combinations(chosen, size)]


def bound(cube, labels):
    """R^2 (1 + 4 sum c(S)^2): all 2^n - 1 products are 1 at the last corner, and the constant is."""
    return 2 ** len(cube[0]) * (1 + 4 * sum(c * c for c in coefficients(cube, labels).values()))


def test_every_function_of_three_bits_is_learned_within_its_bound():
    cube, worst = list(product((0, 1), repeat=3)), 0.0
    for labels in product((False, True), repeat=8):
        stream = ls.Recorded(np.array(cube * 100, float), labels * 100)
        player = ls.Player(Interactions(ls.Perceptron(), degree=3), classes=(False, True))
        first, again = ls.play(player, stream), ls.play(player, stream)
        assert again.updates == 0, labels
        assert first.updates <= bound(cube, labels)
        worst = max(worst, first.updates / bound(cube, labels))
    assert worst > 0.1  # the bound is not idle


@pytest.mark.parametrize("n", [2, 3, 4])
def test_parity_is_separable_over_products_of_all_bits_and_over_no_fewer(n):
    cube = list(product((0, 1), repeat=n))
    odd = [sum(x) % 2 == 1 for x in cube]
    stream = ls.Recorded(np.array(cube * 400, float), odd * 400)
    player = ls.Player(Interactions(ls.Perceptron(), degree=n))
    assert ls.play(player, stream).updates <= bound(cube, odd)
    assert ls.play(player, stream).updates == 0
    if n > 2:
        lower = [x for x, _ in reference.interactions([(x, None) for x in cube], n - 1)]
        signed = [[(1 if y else -1) * v for v in (*x, 1)] for x, y in zip(lower, odd, strict=True)]
        assert not np.sum(signed, axis=0).any()  # every example once, and they cancel: no halfspace
        game = ls.play(Interactions(ls.Perceptron(), degree=n - 1), stream)
        assert game.updates >= 400


def test_a_disjunction_of_pairs_is_a_disjunction_over_products():
    rng = np.random.default_rng(3)
    X = (rng.random((600, 12)) < 0.4).astype(float)
    y = (X[:, 2] * X[:, 7] + X[:, 0] * X[:, 11]) > 0
    learner = Interactions(ls.Elimination(monotone=True))
    game = ls.play(learner, ls.Recorded(X, y))
    assert game.mistakes <= count_products(12, 2) - 2
    assert game.certificate().holds
    again = ls.play(game.player, ls.Recorded(X, y))
    assert again.mistakes == 0
    left = {chosen for chosen in combinations(range(12), 2) if game.player.predict(np.isin(np.arange(12), chosen) * 1)}
    assert left == {(2, 7), (0, 11)}


# --- one game, however the products are made ------------------------------------------------------------------------


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("form", [np.array, sp.csr_array])
@given(data=st.data())
def test_agrees_with_its_twin_on_noisy_integers(degree, form, data):
    X = data.draw(st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=30))
    y = data.draw(st.lists(st.booleans(), min_size=len(X), max_size=len(X)))
    stream = ls.Recorded(form(np.array(X, float)), y)
    game = ls.play(Interactions(ls.Perceptron(), degree), stream, transcript=True)
    rounds = reference.interactions(list(zip(X, y, strict=True)), degree)
    guesses, weights, updates = reference.perceptron(rounds, len(rounds[0][0]))
    assert [bool(round.guess) for round in game.transcript] == guesses
    assert game.updates == updates
    assert [*game.player.state.weights, *game.player.state.bias] == weights


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("inner", INNER, ids=repr)
def test_plays_bit_for_bit_as_the_inner_learner_on_materialised_products(inner, degree):
    rng = np.random.default_rng(5)
    X = rng.integers(1, 4, size=(300, 9)) * (rng.random((300, 9)) < 0.5) * (0.25 if degree == 2 else 1)
    y = rng.random(300) < 0.5
    made = np.array([x for x, _ in reference.interactions([(x, None) for x in X], degree)], float)
    expected, plain = played(inner, sp.csr_array(made), y)
    for form in (np.array, sp.csr_array):
        guesses, player = played(Interactions(inner, degree), form(X.astype(float)), y)
        assert guesses == expected
        assert fingerprint(player.state) == fingerprint(plain.state)
        x = X[7].astype(float)
        inside = sp.csr_array(made[[7]])
        for ask in ("predict", "score", "probability"):
            assert np.array_equal(getattr(player, ask)(x), getattr(plain, ask)(inside)), ask


@pytest.mark.parametrize("inner", INNER, ids=repr)
@pytest.mark.parametrize("options", [{"degree": 3}, {"degree": 3, "bits": 6}], ids=repr)
def test_obeys_every_law(inner, options):
    shared = ("attributes_have_no_names",) if "bits" in options else ()  # other names share other numbers
    lawful = laws.check(Interactions(inner, **options), laws_rounds(), skip=shared)
    assert len(lawful) == len(laws.LAWS) - len(shared)


def laws_rounds():
    rng = np.random.default_rng(8)
    X = rng.integers(0, 4, size=(14, 5)) * (rng.random((14, 5)) < 0.6)
    return [(tuple(x), bool(label)) for x, label in zip(X.tolist(), rng.random(14) < 0.5, strict=True)]


def test_obeys_the_laws_on_rehearsals_of_every_kind():
    assert len(laws.check(Interactions(ls.Perceptron()))) == len(laws.LAWS)


def test_products_of_ones_are_ones_and_lists_without_values_stay_without():
    rng = np.random.default_rng(2)
    rows = [np.sort(rng.choice(10, 4, replace=False)).astype(np.int32) for _ in range(60)]
    y = rng.random(60) < 0.5
    indptr, indices = np.arange(61) * 4, np.concatenate(rows)
    for learner in (Interactions(ls.Perceptron()), Interactions(ls.Perceptron(), 3, bits=4)):
        states = []
        for values in (None, np.ones(240)):
            player = ls.Player(learner, classes=(False, True))
            player.replay(Examples(indptr, indices, values, y.astype(np.int32), 10))
            states.append(player.state.weights.tolist())
        assert states[0] == states[1] or learner.bits  # with shared numbers 1 + 1 is 1 among Booleans, else 2
        row = learner.row(Row(rows[0], None))
        assert row.values is None
        assert len(set(row.indices.tolist())) == row.length


def test_the_order_in_which_a_row_lists_its_attributes_changes_nothing():
    learner = Interactions(ls.PassiveAggressive(), degree=3)
    x = Row(np.array([1, 4, 6, 9], np.int32), np.array([0.1, 0.7, 1.3, 0.9]))
    turned = Row(x.indices[[2, 0, 3, 1]], x.values[[2, 0, 3, 1]])
    for one, other in zip(learner.row(x), learner.row(turned), strict=True):
        assert one.tolist() == other.tolist()


# --- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degree", [2, 3, 4, 5])
def test_products_are_numbered_without_gaps_as_attributes_appear(degree):
    learner, n = Interactions(ls.Perceptron(), degree), 9
    sets = reference.product_sets(n, degree)
    assert [learner.number(*chosen) for chosen in sets] == list(range(len(sets)))
    assert learner.number(*sets[-1][::-1]) == len(sets) - 1
    for m in range(n + 1):
        assert count_products(m, degree) == len(reference.product_sets(m, degree))
    row = learner.row(Row(None, np.arange(1.0, n + 1)))
    assert row.indices.tolist() == list(range(len(sets)))
    expected = [float(np.prod([i + 1 for i in chosen])) for chosen in sets]
    assert row.values.tolist() == expected


def test_weights_of_old_products_stay_when_attributes_appear():
    learner = Interactions(ls.Perceptron(bias=0))
    player = ls.Player(learner, features=ls.Named())
    player.update({"a": 1, "b": 1}, True)
    before = player.state.weights.copy()
    player.update({"z": 2, "b": 0, "y": 1, "c": 1, "a": 1}, False)
    grown = player.state.weights
    assert before.tolist() == [1, 1, 1]
    assert len(grown) == count_products(8, 2)
    a, b, z, y, c = (player.features.numbers[name] for name in "abzyc")
    assert (grown[learner.number(a, b)], grown[learner.number(b)], grown[learner.number(a)]) == (1, 1, 0)
    assert grown[learner.number(z, c)] == grown[learner.number(a, z)] == -2
    assert grown[learner.number(y, c)] == -1


def test_hashed_products_share_weights_and_attributes_never_do():
    learner, n = Interactions(ls.Perceptron(), bits=3), 9
    rng = np.random.default_rng(4)
    X, y = rng.integers(-2, 3, size=(200, n)).astype(float), rng.random(200) < 0.5
    shared = np.zeros((200, 8 + n))
    shared[:, 8:] = X
    for i, j in combinations(range(n), 2):
        assert 0 <= learner.number(i, j) < 8
        shared[:, learner.number(i, j)] += X[:, i] * X[:, j]
    assert [learner.number(i) for i in range(n)] == list(range(8, 8 + n))
    assert len({learner.number(i, j) for i, j in combinations(range(n), 2)}) > 4
    expected, plain = played(ls.Perceptron(), shared, y)
    guesses, player = played(learner, X, y)
    assert guesses == expected
    assert player.state.weights.tolist() == plain.state.weights.tolist()


def test_hashed_numbers_spread_evenly():
    learner = Interactions(ls.Perceptron(), bits=10)
    numbers = [learner.number(i, j) for i, j in combinations(range(300), 2)]
    counts = np.bincount(numbers, minlength=1024)
    spread = ((counts - counts.mean()) ** 2).sum() / counts.mean()  # chi squared with 1023 degrees of freedom
    assert 800 < spread < 1250
    assert len({products.hash_attribute(i) for i in range(5000)}) == 5000
    wide = Interactions(ls.Perceptron(), degree=4, bits=30)  # with 793 products two meet once in 3,400 such games
    assert len({wide.number(*chosen) for chosen in reference.product_sets(12, 4)}) == 793


# --- buffers, refusals, compiled and plain --------------------------------------------------------------------------


def test_rows_that_do_not_fit_the_buffer_make_it_grow():
    rng = np.random.default_rng(6)
    X = np.zeros((6, 400))
    for t, active in enumerate((3, 380, 0, 256, 400, 4)):  # 380 attributes have 72,390 products
        X[t, rng.choice(400, active, replace=False)] = rng.integers(1, 4, active)
    y = np.array([1, 0, 1, 0, 0, 1], bool)
    assert count_products(380, 2) > products.BLOCK
    for learner in (Interactions(ls.PassiveAggressive()), Interactions(ls.PassiveAggressive(), bits=12)):
        guesses, player = played(learner, X, y)
        live = ls.Player(learner, classes=(False, True))
        live.start_state(Size(400))
        said = []
        for x, label in zip(X, y, strict=True):
            said.append(live.guess(live.see(x)))
            live.update(x, label)
        assert guesses == said
        assert fingerprint(live.state) == fingerprint(player.state)


def test_never_holds_the_expanded_data():
    rng = np.random.default_rng(7)
    X, y = (rng.random((40_000, 14)) < 0.9).astype(float), rng.integers(0, 2, 40_000).astype(np.int32)
    chunk, learner = Examples.of(X, y), Interactions(ls.Perceptron())
    state, guesses = learner.start(Size(14)), np.zeros(len(y), np.int32)
    learner.replay(state, chunk[:100], guesses)
    tracemalloc.start()
    assert learner.replay(state, chunk, guesses) == len(chunk)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    expanded = 12 * sum(count_products(int(m), 2) for m in X.sum(axis=1))
    assert peak < 6_000_000 < expanded / 6


def test_a_product_that_overflows_is_refused_and_the_rounds_before_it_are_played():
    for real in (np.float32, np.float64):
        top = float(np.sqrt(np.finfo(real).max))
        X = np.array([[1, 1, 0], [0, 2, 1], [top, 2 * top, 0], [1, 0, 0]], real)
        player = ls.Player(Interactions(ls.Perceptron()), classes=(False, True))
        chunk = Examples.of(X, np.array([True, False, True, True]))
        assert len(player.replay(chunk)[0]) == 2
        before = fingerprint(player.state)
        for refused in (lambda: player.replay(chunk[2:]), lambda: player.update(X[2], True)):  # noqa: B023
            with pytest.raises(BadInstance, match="finite"):
                refused()
        assert fingerprint(player.state) == before
        assert player.tally.rounds == 2
        assert len(player.replay(chunk[3:])[0]) == 1


def test_attributes_whose_products_have_no_number_are_refused_with_a_remedy():
    learner = Interactions(ls.Perceptron())
    highest = find_most(2) - 1
    assert count_products(highest + 1, 2) <= products.MOST < count_products(highest + 2, 2)
    assert learner.row(Row(np.array([0, highest], np.int32), None)).indices.tolist()[-1] == learner.number(0, highest)
    with pytest.raises(BadInstance, match=r"below 23169, got a higher one: bits=22"):
        learner.row(Row(np.array([0, highest + 1], np.int32), None))
    assert products.count_numbers(10**9, 2) == count_products(find_most(2), 2)
    hashed = Interactions(ls.Perceptron(), bits=22)
    assert hashed.row(Row(np.array([0, 10**9], np.int32), None)).indices.max() == 2**22 + 10**9
    with pytest.raises(BadInstance, match="need attributes below"):
        hashed.row(Row(np.array([0, 2**31 - 1], np.int32), None))
    with pytest.raises(BadInstance, match=r"2\^28 products"):
        hashed.row(Row(np.arange(40_000, dtype=np.int32), None))


@pytest.mark.parametrize("bits", [0, 3, 20])
@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("form", ["dense", "sparse", "ones", "unsorted"])
def test_the_compiled_expansion_equals_its_plain_body(bits, degree, form):
    rng = np.random.default_rng(9)
    X = rng.random((12, 7)) * (rng.random((12, 7)) < 0.6)
    chunk = Examples.of(X if form == "dense" else sp.csr_array(X), np.zeros(12, np.int32))
    indices, values = chunk.indices, None if form == "ones" else chunk.values
    if form == "unsorted":
        indices, values = indices.copy(), values.copy()
        for a, b in zip(chunk.indptr, chunk.indptr[1:], strict=False):
            indices[a:b], values[a:b] = indices[a:b][::-1].copy(), values[a:b][::-1].copy()
    made = []
    for run in (expand, expand.py_func):
        scratch = Scratch(degree, bits, 12, values, 200)
        into = (scratch.starts, scratch.numbers, scratch.products)
        rows, need = run(chunk.indptr, indices, values, degree, bits, find_most(degree, bits), *into)
        starts, numbers, parts = scratch.rows(int(rows))
        made.append((rows, need, starts.tolist(), numbers.tolist(), None if parts is None else parts.tobytes()))
    assert made[0] == made[1]
    assert made[0][0] > 2


@dataclass(frozen=True)
class Counting(Additive):
    """One that must grow after every third update."""

    def start(self, size, seed=0):
        return (Additive.start(self, size, seed), np.full(1, 3))

    def grow(self, state, size):
        return (Additive.grow(self, state[0], size), state[0].counts + 3)

    def full(self, state, x):
        return bool(state[0].counts[0] >= state[1][0])

    def predict(self, state, x):
        return Additive.predict(self, state[0], x)

    def update(self, state, x, y, guess):
        assert not self.full(state, x)
        Additive.update(self, state[0], x, y, guess)

    def moves(self, state):
        return int(state[0].counts[0])


def test_an_inner_learner_that_must_grow_between_rounds_is_grown():
    rng = np.random.default_rng(1)
    X, y = rng.integers(-1, 2, size=(200, 5)).astype(float), rng.random(200) < 0.5
    guesses, player = played(Interactions(Counting()), X, y)
    expected, plain = played(Interactions(ls.Perceptron(bias=0, tie="minus")), X, y)
    assert guesses == expected
    assert player.state[0].weights.tolist() == plain.state.weights.tolist()
    live = ls.Player(Interactions(Counting()), classes=(False, True))
    for x, label in zip(X, y, strict=True):
        live.update(x, label)
    assert live.tally == player.tally


def test_importance_reaches_the_inner_learner():
    chunk = Examples.of(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([1, 0], np.int32))
    heavy = Examples(chunk.indptr, None, chunk.values, chunk.labels, 2, importance=np.array([2.0, 3.0]))
    player = ls.Player(Interactions(ls.Perceptron(bias=0)))
    player.replay(heavy)
    assert player.state.weights.tolist() == [-1, 2, 2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Interactions("perceptron"),
        lambda: Interactions(ls.Halving(ls.Thresholds(3))),
        lambda: Interactions(ls.Perceptron(), degree=1),
        lambda: Interactions(ls.Perceptron(), bits=0),
        lambda: Interactions(ls.Perceptron(), bits=31),
        lambda: Interactions(ls.Perceptron()).number(),
        lambda: Interactions(ls.Perceptron()).number(1, 2, 3),
    ],
)
def test_refuses_what_has_no_meaning(make):
    with pytest.raises(BadParameter, match=r"must be|a product has"):
        make()


def test_says_of_itself_what_the_inner_learner_says():
    inner = ls.Network(ls.Perceptron())
    learner = Interactions(inner)
    assert (learner.limit(), learner.known_labels(), learner.loss(1, 0)) == (inner.limit(), (), 1)
    game = ls.play(Interactions(ls.Elimination(monotone=True)), ls.Recorded(SQUARE, [False, False, False, True]))
    assert game.certificate().holds
    assert game.certificate().updates == game.updates == game.mistakes
