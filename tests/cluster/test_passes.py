"""Passes over shards: the arithmetic of mixing, the theorem, and what becomes of shards that differ."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import BadData, BadLabel, BadParameter, NotCertified
from littlestone.base.learner import fingerprint
from littlestone.base.mixing import join_along_tree
from littlestone.cluster.passes import Job, certify_passes, play_pass
from reference import mixed_perceptron
from row_games import noisy

WEIGHTS = ("uniform", "updates")
SHARDS = st.lists(noisy(3, longest=8), min_size=2, max_size=4)


def recorded(rounds):
    return ls.Recorded([x for x, _ in rounds], [y for _, y in rounds])


def learn(learner, shards, passes=1, **given):
    """The player after so many passes over rounds, and what each pass counted."""
    job = Job(learner, [recorded(rounds) for rounds in shards], **given)
    player, done = job.start_player(), []
    for number in range(passes):
        player, one = play_pass(player, job, number + 1)
        done.append(one)
    return player, done


def separated(draw_rows, u):
    """Rows with the labels of u, those with a margin of at least 1."""
    return [(x, 1 if np.dot(u, x) > 0 else -1) for x in draw_rows if abs(np.dot(u, x)) >= 1]


def test_the_tree_is_fixed_by_the_number_of_shards():
    assert join_along_tree(lambda a, b: f"({a}{b})", "abcdef") == "(((ab)(cd))(ef))"
    assert join_along_tree(lambda a, b: a + b, []) is None


@given(SHARDS, st.sampled_from(WEIGHTS), st.integers(1, 3))
def test_weights_counts_and_averages_are_those_of_the_plain_rule(shards, weights, passes):
    v, average, updates, mixed = mixed_perceptron([shards] * passes, 3, weights)
    for learner in (ls.Perceptron(bias=0), ls.AveragedPerceptron(bias=0)):
        player, done = learn(learner, shards, passes, weights=weights)
        if sum(one.updates for one in done) != updates:  # a mean of thirds may be rounded across zero
            assert weights == "updates" or len(shards) == 3
            continue
        assert sum((one.mixed for one in done), Fraction(0)) == mixed
        assert player.tally.rounds == passes * sum(map(len, shards)) == sum(one.rounds for one in done)
        assert player.tally.updates == updates
        shown = average if learner.averaged else v
        np.testing.assert_allclose(player.learner.plane(player.state)[0].ravel()[:3], np.array(shown, float), atol=1e-9)
        last = player.state.weights.reshape(-1, learner.stride)[:3, 0]
        np.testing.assert_allclose(last, np.array(v, float), atol=1e-9)


@pytest.mark.parametrize("learner", [ls.AveragedPerceptron(), ls.Network(ls.PassiveAggressive()), None])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_one_shard_gives_the_bits_of_the_local_learner(learner, weights, tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 5)), rng.integers(0, 2 if learner == ls.AveragedPerceptron() else 3, 200)
    job = Job(learner, [ls.Recorded(X, y)], weights=weights)
    player = job.start_player()
    local = ls.Player(learner) if learner else job.start_player()  # of none, one whose states mix
    for number in range(2):
        player, _ = play_pass(player, job, number + 1)
        ls.play(local, ls.Recorded(X, y))
    player.save(tmp_path / "ours.lst")
    local.save(tmp_path / "local.lst")
    assert (tmp_path / "ours.lst").read_bytes() == (tmp_path / "local.lst").read_bytes()


@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=4, max_size=24), st.data())
def test_mixed_updates_never_exceed_the_bound(rows, data):
    u = data.draw(st.lists(st.integers(-3, 3), min_size=3, max_size=3))
    rounds = separated(rows, u)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rounds)), min_size=1, max_size=3)))
    shards = [rounds[a:b] for a, b in zip([0, *cuts], [*cuts, len(rounds)], strict=True) if a < b]
    if not shards:
        return
    weights, learner = data.draw(st.sampled_from(WEIGHTS)), data.draw(st.sampled_from([0.0, 2.0]))
    player, done = learn(ls.Perceptron(bias=0, margin=learner), shards, 4, weights=weights)
    longest = max(sum(a * a for a in x) for x, _ in rounds) + 2 * learner
    margin = min(abs(int(np.dot(u, x))) for x, _ in rounds)
    mixed = sum((one.mixed for one in done), Fraction(0))
    assert mixed <= Fraction(longest) * sum(a * a for a in u) / margin**2 + Fraction(1, 2**20)
    if weights == "uniform":
        assert player.tally.updates == len(shards) * mixed


@given(st.integers(2, 4), st.sampled_from(WEIGHTS), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_an_adversary_that_sees_every_shards_weights_does_not_exceed_it(shards, weights, random):
    u = [2, -1, 1]
    cube = [[a, b, c] for a in range(-2, 3) for b in range(-2, 3) for c in range(-2, 3)]
    rows = separated(cube, u)
    games: list = []
    for _ in range(4):
        v = mixed_perceptron(games, 3, weights)[0]
        games.append([_attacked(v, rows, random) for _ in range(shards)])
        if not any(games[-1]):
            games.pop()
            break
        games[-1] = [shard or [rows[0]] for shard in games[-1]]
    *_, updates, mixed = mixed_perceptron(games, 3, weights)
    longest = max(sum(a * a for a in x) for x, _ in rows)
    assert 0 < mixed <= longest * 6
    player = None
    for number, one in enumerate(games):
        job = Job(ls.Perceptron(bias=0) if player is None else player, [recorded(shard) for shard in one], weights)
        player, _ = play_pass(job.start_player(), job, number + 1)
    if shards in (2, 4) and weights == "uniform":  # halves and quarters are exact
        assert player.tally.updates == updates


def _attacked(v, rows, random):
    """Rounds on each of which the shard errs, from weights v on: as many as can be, up to eight."""
    w, rounds = list(v), []
    while len(rounds) < 8:
        wrong = [(x, y) for x, y in rows if y * sum(a * b for a, b in zip(w, x, strict=True)) <= 0]
        if not wrong:
            break
        x, y = random.choice(wrong)
        w = [a + y * b for a, b in zip(w, x, strict=True)]
        rounds.append((x, y))
    return rounds


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_shards_of_the_same_basis_vectors_attain_the_bound_and_raw_updates_are_as_many_times_larger(shards):
    n = 6
    basis = [([float(i == j) for j in range(n)], 1 if i % 2 else -1) for i in range(n)]
    player, (done,) = learn(ls.Perceptron(bias=0), [basis] * shards)
    assert done.mixed == n  # R = 1, |u|^2 = n, margin 1
    assert player.tally.updates == shards * n


@given(st.lists(noisy(3, longest=10, largest=1), min_size=2, max_size=3), st.sampled_from(WEIGHTS))
def test_balanced_winnow_mixes_whole_exponents_within_its_bound(shards, weights):
    u = (Fraction(1, 2), Fraction(-1, 4), Fraction(1, 4))
    shards = [[(x, 1 if np.dot(u, x) > 0 else -1) for x, _ in shard if abs(np.dot(u, x)) > 0] for shard in shards]
    shards = [shard or [([1, 0, 0], 1)] for shard in shards]
    learner = ls.BalancedWinnow(margin=0.25, bias=0)
    player, done = learn(learner, shards, 4, weights=weights)
    assert player.state.weights.dtype == np.int8
    assert sum(one.mixed for one in done) <= learner.bound(3, margin=Fraction(1, 4), mixtures=4).value


@pytest.mark.parametrize("mixtures", [0, 1, 7])
def test_every_mixture_of_whole_exponents_adds_the_logarithm_of_the_factor(mixtures):
    h = math.log(1.5)
    promised = ls.BalancedWinnow(factor=1.5, bias=0).bound(10, margin=Fraction(1, 2), mixtures=mixtures).value
    assert float(promised) == pytest.approx((math.log(20) + h * mixtures) / (h / 2 - math.log(math.cosh(h))), rel=1e-12)


def test_mixed_exponents_are_the_nearest_whole_numbers_to_their_mean():
    shards = [[([1, 0], 1)] * 2, [([1, 1], 1)], [([1, 1], 1)]]
    player, _ = learn(ls.BalancedWinnow(factor=2.0, bias=0), shards)
    assert player.state.weights.tolist() == [1, 1]  # of 3/3 and 2/3


@pytest.mark.parametrize("learner", [ls.Perceptron(), ls.AveragedPerceptron(), ls.BalancedWinnow(factor=1.5)])
def test_two_classes_met_in_another_order_change_the_sign_and_nothing_else(learner):
    rng = np.random.default_rng(2)
    X = rng.integers(-1, 2, (60, 4)).astype(float)
    y = np.where(X[:, 0] - X[:, 1] > 0, "spam", "ham")
    ham, spam = np.flatnonzero(y == "ham"), np.flatnonzero(y == "spam")
    first, second = np.concatenate([ham[:20], spam[:15]]), np.concatenate([spam[15:], ham[20:]])
    told = {}
    for classes in ((), ("ham", "spam")):
        job = Job(learner, [ls.Recorded(X[rows], y[rows], classes) for rows in (first, second)])
        player, _ = play_pass(job.start_player(), job, 1)
        told[classes] = player
        assert player.labels.names == ["ham", "spam"]
    ours, theirs = told.values()
    for name in ("weights", "bias", "counts", "scores"):
        assert np.array_equal(getattr(ours.state, name), getattr(theirs.state, name)), name


def test_classes_of_a_network_are_numbered_as_shards_meet_them():
    X = np.eye(5)
    shards = [ls.Recorded(X[[0, 1]], ["a", "b"]), ls.Recorded(X[[2, 1, 0]], ["c", "b", "a"])]
    job = Job(ls.Network(ls.Perceptron(bias=0)), [*shards, ls.Recorded(np.eye(9)[[3, 8]], ["d", "c"])])
    player = job.start_player()
    for number in range(6):
        player, done = play_pass(player, job, number + 1)
    assert player.labels.names == ["a", "b", "c", "d"]
    assert [player.predict(row) for row in (X[0], X[1], X[2], X[3], np.eye(9)[8])] == ["a", "b", "c", "d", "c"]
    assert player.size.attributes >= 9
    assert done.updates == 0


def test_a_default_learner_becomes_a_network_when_any_shard_has_a_third_class():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 4))
    y = np.argmax(X[:, :3], axis=1)
    two = np.flatnonzero(y < 2)
    shards = [ls.Recorded(X[two[:20]], y[two[:20]]), ls.Recorded(X[two[20:40]], y[two[20:40]]), ls.Recorded(X, y)]
    players = []
    for learner in (None, ls.Network(ls.AveragedPerceptron())):
        job = Job(learner, shards)
        player = job.start_player()
        for number in range(3):
            player, _ = play_pass(player, job, number + 1)
        players.append(player)
    ours, theirs = players
    assert ours.learner == theirs.learner
    assert ours.tally.rounds == theirs.tally.rounds == 3 * 130
    chunk = next(iter(ls.Recorded(X, y).chunks()))
    assert np.mean(np.array(ours.predictions(chunk)) == y) > 0.9
    with pytest.raises(NotCertified, match="third class"):
        certify_passes(Job(None, shards), 1)


def test_a_third_class_is_refused_by_a_learner_of_two():
    shards = [ls.Recorded([[1.0], [2.0]], ["a", "b"]), ls.Recorded([[1.0]], ["c"])]
    job = Job(ls.Perceptron(), shards)
    with pytest.raises(BadLabel, match="Network"):
        play_pass(job.start_player(), job, 1)


def test_what_does_not_mix_is_refused_before_the_first_pass(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"x": 1, "label": 1}\n')
    rows = [ls.Recorded([[1.0]], [1])] * 2
    for learner in (ls.Winnow(), ls.Arow(), ls.BalancedWinnow(), ls.Network(ls.Winnow(), updates="each")):
        with pytest.raises(BadParameter, match="do not mix"):
            Job(learner, rows).start_player()
    with pytest.raises(BadParameter, match="Hashed"):
        Job(None, [tmp_path / "a.jsonl"] * 2).start_player()
    assert Job(None, [tmp_path / "a.jsonl"] * 2, features=ls.Hashed(4)).start_player().features.width == 16
    for wrong in ({"weights": "rounds"}, {"on_error": "ignore"}, {"shards": []}):
        with pytest.raises(BadParameter):
            Job(**{"learner": None, "shards": rows} | wrong)


def test_a_shard_that_cannot_be_read_stops_the_run_or_is_skipped_and_reported(tmp_path):
    good, bad, gone = (tmp_path / name for name in ("good.svm", "bad.svm", "gone.svm"))
    good.write_text("+1 1:1\n-1 2:1\n")
    bad.write_bytes(b"\x1f\x8b broken")
    alone = Job(ls.Perceptron(), [good])
    for other in (bad, gone):
        job = Job(ls.Perceptron(), [good, other])
        with pytest.raises(BadData, match=other.name):
            play_pass(job.start_player(), job, 1)
        job = Job(ls.Perceptron(), [other, good], on_error="skip")
        player, done = play_pass(job.start_player(), job, 1)
        assert len(done.absent) == done.shards == 1
        assert other.name in done.absent[0]
        assert fingerprint(player.state) == fingerprint(play_pass(alone.start_player(), alone, 1)[0].state)
        job = Job(ls.Perceptron(), [other], on_error="skip", features=ls.Indexed())
        with pytest.raises(BadData, match="no shard could be read"):
            play_pass(job.start_player(), job, 1)


@given(SHARDS, st.sampled_from(WEIGHTS))
@settings(max_examples=20)
def test_certificates_of_mixed_runs_hold_on_any_rows(shards, weights):
    shards = [[(x if any(x) else [1, 0, 0], y) for x, y in shard] for shard in shards]
    for learner in (ls.Perceptron(margin=1.0), ls.PassiveAggressive("I", aggressiveness=0.5)):
        job = Job(learner, [recorded(shard) for shard in shards], weights)
        player, done = learn(learner, shards, 2, weights=weights)
        found = certify_passes(job, 2, player)
        passive = isinstance(learner, ls.PassiveAggressive)
        assert found.counted == sum((one.mixed_mistakes if passive else one.mixed for one in done), Fraction(0))
        assert found.holds
        assert found.exact is not passive
        assert found.updates == player.tally.updates


@pytest.mark.parametrize("learner", [ls.Perceptron(bias=0), ls.Network(ls.Perceptron(bias=0))])
def test_a_certificate_does_not_depend_on_the_order_in_which_shards_meet_classes(learner):
    X = np.eye(4)
    rows = [[0, 2, 1, 3], [1, 3, 0, 2]]
    y = np.array(["ham", "spam", "ham", "spam"])
    found = [
        certify_passes(Job(learner, [ls.Recorded(X[each], y[each], classes) for each in rows]), 2)
        for classes in ((), ("ham", "spam"))
    ]
    assert found[0].bound == found[1].bound < 5
    assert found[0].counted == found[1].counted == 4


def test_a_certificate_is_about_the_run_that_was_played():
    shards = [[([1.0, 0, 0], 1)], [([0, 1.0, 0], -1)]]
    job = Job(ls.Perceptron(bias=0), [recorded(shard) for shard in shards])
    player, _ = learn(ls.Perceptron(bias=0), shards, 2)
    novikoff = certify_passes(job, 2, player)
    assert novikoff.counted == 1
    assert novikoff.bound < 3
    with pytest.raises(NotCertified, match="these passes give"):
        certify_passes(job, 1, player)
    with pytest.raises(NotCertified, match="first pass"):
        certify_passes(Job(player, job.shards), 1)


def test_values_too_small_to_be_checked_are_refused_in_words():
    tiny = np.float32(1.2e-12) * np.array([[1.1, 0.7], [-0.3, 1.3]], np.float32)
    shards = [ls.Recorded(tiny, [True, False]), ls.Recorded(-tiny, [False, True])]
    learner = ls.AveragedPerceptron(rate=0.1, bias=0)
    with pytest.raises(NotCertified, match="so small that products underflow"):
        certify_passes(Job(learner, shards), 2)
    larger = [ls.Recorded(sign * tiny * np.float32(2**20), labels) for sign, labels in
              ((1, [True, False]), (-1, [False, True]))]  # fmt: skip
    assert ls.verify(certify_passes(Job(learner, larger), 2), larger)
