"""Elimination: n + 1 - k mistakes for literals, n - k for attributes themselves."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import reference
from littlestone.base.chunks import Examples, Instances, Row
from littlestone.base.errors import BadInstance, BadLabel, BadParameter, NotCertified, NotRealizable
from littlestone.base.features import Named
from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import Elimination
from littlestone.learners.elimination import decides, eliminate
from littlestone.learners.shared.linear import read_rounds
from tables import worst_case

VARIANTS = [Elimination(target, monotone) for target in ("disjunction", "conjunction") for monotone in (False, True)]
variants = pytest.mark.parametrize("learner", VARIANTS, ids=str)


def row(x):
    return Row(np.flatnonzero(x).astype(np.int32), None)


def targets(n, monotone):
    """Every set of literals over n variables."""
    literals = [(i, sign) for i in range(n) for sign in ((True,) if monotone else (True, False))]
    return [chosen for k in range(len(literals) + 1) for chosen in combinations(literals, k)]


def named(literals):
    return {f"x{i + 1}" if sign else f"not x{i + 1}" for i, sign in literals}


@st.composite
def games(draw, noise=False):
    """A learner, a number of variables, and rounds labelled by a target of its kind, or by coins."""
    learner = draw(st.sampled_from(VARIANTS))
    n = draw(st.integers(1, 6))
    literals = st.tuples(st.integers(0, n - 1), st.just(True) if learner.monotone else st.booleans())
    target = draw(st.sets(literals, max_size=3))
    points = draw(st.lists(st.tuples(*[st.integers(0, 1)] * n), max_size=30))
    labels = [reference.says(learner.target, target, x) for x in points]
    if noise:
        labels = draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points)))
    return learner, n, list(zip(points, labels, strict=True))


@pytest.mark.parametrize("n", range(1, 5))
@variants
def test_the_worst_case_of_every_target_is_the_bound(learner, n):
    points = list(product((0, 1), repeat=n))
    rows = {x: row(x) for x in points}
    start = learner.start(Size(n))
    for target in targets(n, learner.monotone):
        answers = {id(rows[x]): reference.says(learner.target, target, x) for x in points}
        worst = worst_case(learner, start, list(rows.values()), lambda x, a=answers: (a[id(x)],))
        if len({i for i, _ in target}) < len(target):
            assert worst == 0  # a literal and its negation
        else:
            assert worst == learner.bound(n, len(target)).mistakes == n + (not learner.monotone) - len(target)


def test_the_empty_disjunction_of_three_variables_costs_four_mistakes():
    X = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    game = play(Elimination(), Recorded(np.array(X), [0, 0, 0, 0]))
    assert game.mistakes == 4 == game.certificate().bound == Elimination().bound(attributes=3).mistakes
    assert game.player.learner.literals(game.player.state) == ()


def test_the_table_of_the_lecture_notes():
    """A hidden x2 x3 x4 x5 x100 of a hundred: mistakes in the third and the fifth row only."""
    X = np.zeros((8, 100))
    X[0] = 1
    X[1, :3] = 1
    X[2, [0, 1, 2, 3, 4, 98, 99]] = 1
    X[3, [0, 2, 3, 4, 98, 99]] = 1
    X[4, [0, 1, 2, 3, 4, 99]] = 1
    X[5, [0, 2, 98, 99]] = 1
    X[6] = 1
    X[6, 98] = 0
    X[7, [1, 3, 98, 99]] = 1
    y = [1, 0, 1, 0, 1, 0, 1, 0]
    assert (X[:, [1, 2, 3, 4, 99]].all(axis=1) == y).all()
    game = play(Elimination("conjunction", monotone=True), Recorded(X, y), transcript=True)
    assert [r.number for r in game.transcript if r.mistake] == [3, 5]
    state = game.player.state
    assert game.player.learner.literals(state) == ("x1", "x2", "x3", "x4", "x5", "x100")
    assert game.certificate().witness == {"attributes": 100, "literals": 6, "plain": "x1-x5 x100", "negated": ""}
    assert game.certificate().bound == 94
    short = game.player.learner.short_hypothesis(state, X, y)
    assert all((X[:, [int(name[1:]) - 1 for name in short.literals]].all(axis=1)) == y)
    assert short.size == 2


@settings(deadline=None)
@given(game=games())
def test_guesses_as_the_plain_rule_does_and_holds_its_certificate(game):
    learner, n, rounds = game
    X, y = np.array([x for x, _ in rounds]).reshape(len(rounds), n), [label for _, label in rounds]
    plain, literals = reference.elimination(learner.target, learner.monotone, n, rounds)
    live = play(learner, Recorded(X, y), transcript=True)
    assert [r.guess if r.guess is not None else r.mistake ^ r.y for r in live.transcript] == plain
    assert set(learner.literals(live.player.state)) == named(literals)
    certificate = live.certificate()
    assert certificate.holds
    assert certificate.witness["literals"] == len(literals)
    assert all(reference.says(learner.target, literals, x) == label for x, label in rounds)


@settings(deadline=None)
@given(game=games(noise=True), cut=st.integers(1, 7), sparse=st.booleans())
def test_whole_chunked_live_and_plain_play_agree_on_noise_too(game, cut, sparse):
    learner, n, rounds = game
    plain, _ = reference.elimination(learner.target, learner.monotone, n, rounds)
    refused = plain.index(None) if None in plain else len(plain)
    dense = np.array([x for x, _ in rounds], float).reshape(len(rounds), n)
    chunk = Examples.of(csr_matrix(dense) if sparse else dense, np.array([y for _, y in rounds], np.int32))
    whole, guesses = learner.start(Size(n)), np.zeros(len(rounds), np.int32)
    played = 0 if refused == 0 else learner.replay(whole, chunk, guesses)
    assert played == refused
    assert guesses[:played].tolist() == plain[:refused]
    parts, interpreted = learner.start(Size(n)), learner.start(Size(n))
    for at in range(0, refused, cut):
        assert learner.replay(parts, chunk[at : min(at + cut, refused)], guesses) == min(cut, refused - at)
    again = np.zeros(len(rounds), np.int32)
    assert eliminate.py_func(interpreted, read_rounds(learner, chunk), again, learner.decided) == refused
    assert again[:refused].tolist() == plain[:refused]
    assert fingerprint(whole) == fingerprint(parts) == fingerprint(interpreted)
    for x, _ in rounds:
        seen = row(x)
        indices = seen.to_sparse().indices
        assert decides.py_func(whole, indices, None, len(indices)) == decides(whole, indices, None, len(indices))
    if refused < len(rounds):
        before = copy_state(whole)
        with pytest.raises(NotRealizable, match="that agrees with the rounds before"):
            learner.replay(whole, chunk[refused:], guesses)
        assert fingerprint(whole) == fingerprint(before)


@settings(deadline=None)
@given(game=games(), order=st.permutations(range(6)))
def test_attributes_that_turn_up_later_were_always_zero(game, order):
    learner, n, rounds = game
    names = [f"word {i}" for i in order]
    rows = [{names[i]: 1 for i in order if i < n and x[i]} for x, _ in rounds]
    live, whole = Player(learner, features=Named()), Player(learner, features=Named())
    guesses = []
    for x, (_, y) in zip(rows, rounds, strict=True):
        seen = live.see(x)
        guesses.append(live.guess(seen))
        live.learn(seen, y, guesses[-1])
    if rows:
        played, _ = whole.replay(Instances.of(rows, [y for _, y in rounds]))
        assert played.tolist() == guesses
        assert learner.literals(whole.state) == learner.literals(live.state)
        assert live.certificate() == whole.certificate()
    # an attribute more than ever turned up is what an open game has in store before its first deletion
    plain, literals = reference.elimination(learner.target, learner.monotone, n + 1, [((*x, 0), y) for x, y in rounds])
    assert guesses == plain
    assert live.certificate().holds
    seen = {f"x{number + 1}": f"x{names.index(name) + 1}" for name, number in live.features.numbers.items()}
    survivors = {name for name in learner.literals(live.state) if name.removeprefix("not ") in seen}
    kept = {name for name in named(literals) if name.removeprefix("not ") in seen.values()}
    assert {name.replace(word := name.removeprefix("not "), seen[word]) for name in survivors} == kept


def test_a_declared_game_that_is_outgrown_has_more_in_store():
    learner = Elimination("conjunction", monotone=True)
    declared = learner.start(Size(2))
    assert learner.predict(declared, row([1, 1])) == 1
    grown = learner.grow(declared, Size(4))
    assert learner.predict(grown, row([1, 1, 1, 1])) == 0
    assert learner.grow(grown, Size(4)) is grown
    learner.update(grown, row([1, 1, 0, 1]), 1, 0)
    assert learner.literals(learner.grow(grown, Size(6))) == ("x1", "x2", "x4")


def test_explicit_zeros_are_absent_attributes():
    learner = Elimination("conjunction", monotone=True)
    listed, plain = learner.start(Size(3)), learner.start(Size(3))
    x = Row(np.array([0, 1, 2], np.int32), np.array([1.0, 0.0, 1.0]))
    learner.update(listed, x, 1, 0)
    learner.update(plain, row([1, 0, 1]), 1, 0)
    assert fingerprint(listed) == fingerprint(plain)
    assert learner.predict(listed, x) == 1


@pytest.mark.parametrize("value", [2.0, -1.0, 0.5])
def test_refuses_attributes_that_are_not_boolean(value):
    X = np.array([[1.0, 0.0], [0.0, value]])
    with pytest.raises(BadInstance, match=f"must be 0 or 1, got {value}") as caught:
        play(Elimination(), Recorded(X, [1, 0]))
    assert caught.value.game.rounds == 1
    player = Player(Elimination())
    with pytest.raises(BadInstance, match="must be 0 or 1"):
        player.update([1, value], True)
    assert player.tally.rounds == 0


def test_refuses_an_attribute_that_the_state_has_no_room_for():
    learner = Elimination()
    with pytest.raises(BadInstance, match="attributes 0 to 2, got attribute 5"):
        learner.predict(learner.start(Size(3)), Row(np.array([5], np.int32), None))


def test_long_rows_count_as_short_ones_do():
    learner = Elimination("conjunction")
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (40, 700))
    X[::2, [3, 600]], X[::2, 5] = 1, 0
    y = (X[:, 3] & X[:, 600] & (1 - X[:, 5])).astype(np.int32)
    chunk = Examples.of(X, y)
    compiled, plain = learner.start(Size(700)), learner.start(Size(700))
    guesses, again = np.zeros(40, np.int32), np.zeros(40, np.int32)
    assert learner.replay(compiled, chunk, guesses) == 40
    assert eliminate.py_func(plain, read_rounds(learner, chunk), again, 0) == 40
    assert fingerprint(compiled) == fingerprint(plain)
    twin, literals = reference.elimination("conjunction", False, 700, list(zip(X.tolist(), y.tolist(), strict=True)))
    assert guesses.tolist() == again.tolist() == twin
    assert set(learner.literals(compiled)) == named(literals)


@settings(deadline=None)
@given(game=games())
def test_finding_the_shortest_is_hard_but_greedy_is_within_its_factor(game):
    learner, n, rounds = game
    X, y = np.array([x for x, _ in rounds]).reshape(len(rounds), n), [label for _, label in rounds]
    state = play(learner, Recorded(X, y)).player.state if rounds else learner.start(Size(n))
    _, literals = reference.elimination(learner.target, learner.monotone, n, rounds)
    short = learner.short_hypothesis(state, X, y)
    by_name = {name: literal for literal in literals for name in named([literal])}
    chosen = [by_name[name] for name in short.literals]
    assert all(reference.says(learner.target, chosen, x) == label for x, label in rounds)
    fewest = reference.shortest_consistent(learner.target, literals, rounds)
    assert short.at_least <= fewest <= short.size == len(chosen) <= short.factor * fewest
    examples = sum(label == learner.decided for label in y)
    assert short.factor <= 1 + np.log(max(1, examples)) + 1e-12
    assert short.guarantee.startswith(f"{short.size} literals <= ")


def test_short_hypotheses_need_the_rows_that_were_learned():
    learner = Elimination(monotone=True)
    state = learner.start(Size(2))
    learner.update(state, row([1, 0]), 0, 1)
    with pytest.raises(BadParameter, match="row 1 is not"):
        learner.short_hypothesis(state, np.array([[1, 0], [0, 1]]), [0, 0])
    with pytest.raises(NotRealizable):
        learner.short_hypothesis(state, np.array([[1, 0]]), [1])
    with pytest.raises(BadInstance, match="0 or 1"):
        learner.short_hypothesis(state, np.array([[2, 0]]), [1])
    zero_listed = csr_matrix(([1.0, 0.0], ([0, 0], [1, 0])), (1, 2))
    assert learner.short_hypothesis(state, zero_listed, [1]).literals == ("x2",)
    with pytest.raises(BadInstance, match="2 attributes, got 3"):
        learner.short_hypothesis(state, np.array([[1, 0, 0]]), [1])
    with pytest.raises(BadLabel):
        learner.short_hypothesis(state, np.array([[1, 0]]), ["yes"])


@variants
def test_a_larger_stream_stays_within_the_certificate(learner):
    rng = np.random.default_rng(7)
    X = (rng.random((3000, 50)) < (0.08 if learner.decided else 0.92)).astype(np.float32)
    y = X[:, [2, 30]].any(axis=1) if learner.decided else X[:, [2, 30]].all(axis=1)
    game = play(learner, Recorded(csr_matrix(X), y))
    assert 2 <= game.mistakes == game.updates <= game.certificate().bound <= learner.bound(50, 2).mistakes
    short = learner.short_hypothesis(game.player.state, X, y)
    assert set(short.literals) == {"x3", "x31"}


def test_promises_nothing_without_the_number_of_attributes():
    with pytest.raises(NotCertified, match="how many attributes"):
        Elimination().bound()
    with pytest.raises(BadParameter, match="relevant=4, attributes=3"):
        Elimination().bound(3, 4)
    with pytest.raises(BadParameter, match="'disjunction' or 'conjunction'"):
        Elimination("parity")
