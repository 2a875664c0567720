"""Duplicated: ORs with negations within Winnow's bound, and one game however its attributes are formed."""

from itertools import product

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
from littlestone.learners.conversions import Duplicated
from littlestone.learners.conversions.duplicated import double


def doubled(x):
    """The twin's own doubling: x_1, not x_1, x_2, not x_2, ..."""
    return [bit for value in x for bit in (value, 1 - value)]


BITS = st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=3, max_size=3), st.booleans()), min_size=1, max_size=40)


@given(BITS)
def test_agrees_with_winnow_on_rows_doubled_by_hand(rounds):
    X, y = [x for x, _ in rounds], [label for _, label in rounds]
    game = ls.play(Duplicated(ls.Winnow()), ls.Recorded(X, y, classes=(False, True)), transcript=True)
    guesses, weights, updates = reference.winnow([(doubled(x), label) for x, label in rounds], 6)
    assert [one.guess for one in game.transcript] == guesses
    assert (2.0**game.player.state.inner.weights).tolist() == [float(w) for w in weights]
    assert game.updates == updates


@pytest.mark.parametrize("form", [np.array, sp.csr_matrix])
@pytest.mark.parametrize("inner", [ls.Winnow(), ls.Winnow(eliminate=True), ls.Perceptron(), ls.BalancedWinnow()])
def test_plays_bit_for_bit_as_the_inner_learner_on_doubled_rows(inner, form):
    rng = np.random.default_rng(0)
    X = (rng.random((500, 11)) < 0.3).astype(float)
    y = rng.random(500) < 0.4
    ours = ls.play(Duplicated(inner), ls.Recorded(form(X), y))
    theirs = ls.play(inner, ls.Recorded(np.array([doubled(x) for x in X]), y))
    assert ours.tally == theirs.tally
    assert fingerprint(ours.player.state.inner.weights) == fingerprint(theirs.player.state.weights)


def literal_or(literals):
    return lambda x: any(x[i] == wanted for i, wanted in literals)


def test_every_or_of_two_literals_is_learned_within_the_bound():
    n, rows = 4, list(product((0, 1), repeat=4))
    bound = Duplicated(ls.Winnow()).bound(attributes=n, relevant=2).mistakes
    assert bound == 3 * 2 * 3 + 1
    for first, second in [((0, 1), (1, 0)), ((2, 0), (3, 0)), ((0, 1), (3, 1))]:
        label = literal_or([first, second])
        player = ls.Player(Duplicated(ls.Winnow()))
        stream = ls.Recorded([list(x) for x in rows], [label(x) for x in rows])
        while ls.play(player, stream).mistakes:
            pass
        assert player.tally.mistakes <= bound


def test_no_adversary_on_two_bits_exceeds_the_bound_for_one_literal():
    """All games over two bits, against every answer that leaves some single literal consistent."""
    learner, n = Duplicated(ls.Winnow(), attributes=2), 2
    literals = [lambda x, i=i, wanted=wanted: x[i] == wanted for i in range(n) for wanted in (0, 1)]
    seen, worst, todo = set(), 0, [(learner.start(Size(n)), tuple(range(4)), 0)]
    while todo:
        state, alive, made = todo.pop()
        worst = max(worst, made)
        for x in product((0, 1), repeat=n):
            row = Row(None, np.array(x, float))
            y = not learner.predict(state, row)
            left = tuple(k for k in alive if literals[k](x) == y)
            if left:
                new = learner.start(Size(n))
                for array, old in zip(new.inner, state.inner, strict=True):
                    array[...] = old
                learner.round(new, row, int(y))
                if (learner.key(new), left, made + 1) not in seen:
                    seen.add((learner.key(new), left, made + 1))
                    todo.append((new, left, made + 1))
    assert 2 <= worst <= learner.bound(relevant=1).mistakes == 7


def test_obeys_every_law():
    rng = np.random.default_rng(1)
    rounds = [(x.tolist(), bool(y)) for x, y in zip(rng.integers(0, 2, (30, 4)), rng.random(30) < 0.5, strict=True)]
    assert len(laws.check(Duplicated(ls.Winnow(), attributes=4), rounds)) == len(laws.LAWS)


def test_blocks_end_anywhere():
    rng = np.random.default_rng(2)
    X = (rng.random((40, 5000)) < 0.01).astype(float)
    y = X[:, 0] == 0
    games = [ls.play(Duplicated(ls.Winnow()), ls.Recorded(form, y)) for form in (X, sp.csr_matrix(X))]
    live = ls.play(Duplicated(ls.Winnow()), ls.Recorded(X, y), transcript=True)
    assert {game.tally for game in games} == {live.tally}


def test_the_compiled_doubling_equals_its_plain_body():
    chunk = Examples.of(np.array([[1.0, 0, 1], [0, 0, 0], [0, 0.5, 0]]), [1, 0, 1]).to_sparse()
    ours, plain = np.zeros(9, np.int32), np.zeros(9, np.int32)
    assert double(chunk.indptr, chunk.indices, chunk.values, 3, ours) == 2
    assert double.py_func(chunk.indptr, chunk.indices, chunk.values, 3, plain) == 2
    assert ours.tolist()[:6] == plain.tolist()[:6] == [0, 3, 4, 1, 3, 5]


def test_rows_that_are_not_over_the_declared_bits_are_refused_and_those_before_are_played():
    with pytest.raises(BadInstance, match=r"value 0 or 1, got 0\.5") as caught:
        ls.play(Duplicated(ls.Winnow()), ls.Recorded([[1.0, 0], [0.5, 0]], [True, False]))
    assert caught.value.game.rounds == 1
    player = ls.Player(Duplicated(ls.Winnow()))
    player.start_state(Size(2))
    with pytest.raises(BadInstance, match="over 2 attributes, fixed when it started"):
        player.update([0, 0, 1], True)
    with pytest.raises(BadInstance, match="below 2, got 2"):
        ls.Player(Duplicated(ls.Winnow(), attributes=2)).update([0, 0, 1], True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Duplicated("winnow"),
        lambda: Duplicated(ls.Halving(ls.Thresholds(3))),
        lambda: Duplicated(ls.Winnow(), attributes=0),
        lambda: Duplicated(ls.Winnow()).bound(relevant=1),
        lambda: Duplicated(ls.Winnow()).start(Size(0)),
    ],
)
def test_refuses_what_has_no_meaning(make):
    with pytest.raises(BadParameter):
        make()


def test_says_of_itself_what_the_inner_learner_says():
    learner = Duplicated(ls.Winnow(), attributes=3)
    state = learner.start(Size(3))
    row = Row(None, np.array([1.0, 0.0, 0.0]))
    assert learner.score(state, row) == ls.Winnow().score(state.inner, learner.row(state, row))
    assert learner.probability(state, row) == ls.Winnow().probability(state.inner, learner.row(state, row))
    assert learner.readout(state, row) == learner.predict(state, row)
    assert "over 3 attributes and their negations" in learner.bound(relevant=1).promise
    assert (learner.limit(), learner.known_labels(), learner.expected(state)) == (2, (), None)
