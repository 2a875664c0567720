import numpy as np
import pytest

from coverage_of import angle, bits, keeps
from littlestone import (
    AveragedPerceptron,
    Bisection,
    Concepts,
    Elimination,
    Halving,
    Hedge,
    Nature,
    Panel,
    Perceptron,
    Player,
    Recorded,
    Thresholds,
    Winnow,
    pac,
)
from littlestone.base.environment import Environment
from littlestone.base.errors import BadParameter, NotCertified


@pytest.mark.parametrize("margin", [0.0, 0.5])  # with a margin it also learns from rounds it guessed right
def test_the_hypothesis_put_out_is_the_one_that_survived(margin):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 4))
    y = X @ np.array([1.0, -2.0, 0.5, 0.0]) > 0
    learner = Perceptron(bias=0, margin=margin)
    result = pac(learner, Recorded(X, y), error=0.2, confidence=0.9)
    player = Player(learner)
    marks = np.zeros(result.examples)
    player.replay(Recorded(X, y)._chunk[: result.examples], marks)
    assert result.certified
    assert np.array_equal(player.state.weights, result.player.state.weights)
    assert result.stages == np.count_nonzero(marks) + 1
    assert not marks[-result.stopping.run :].any()
    assert result.player.tally.rounds == result.examples < len(y)
    assert result.player.tally.updates > result.player.tally.mistakes or margin == 0
    assert result.certificate.bound <= 0.2
    assert result.predict(X[0]) in (True, False)
    assert repr(result).startswith("Perceptron(")


def test_any_cut_of_the_stream_gives_the_same_end():
    rng = np.random.default_rng(1)
    X = (rng.random((3000, 8)) < 0.3).astype(float)
    y = X[:, :2].any(axis=1)
    ends = set()
    for length in (1, 7, 3000):
        stream = Recorded(X, y)
        stream.chunks = lambda stream=stream, length=length: (
            stream._chunk[t : t + length] for t in range(0, len(y), length)
        )
        result = pac(Winnow(threshold=8.0), stream, 0.05, 0.95)
        ends.add((result.examples, result.stages, result.player.state.weights.tobytes()))
    assert len(ends) == 1


def test_a_source_that_ends_first_or_is_capped_says_what_is_certified():
    concepts = Thresholds(50)
    short = pac(Halving(concepts), Nature(concepts.concept(20)), 0.001, 0.99, examples=100)
    assert not short.certified
    assert short.examples == 100
    assert 0.001 < short.certificate.bound < 1
    xs = list(range(50))
    ended = pac(Halving(concepts), Recorded(xs, [x >= 20 for x in xs]), 0.001, 0.99)
    assert (ended.certified, ended.examples) == (False, 50)


def test_the_learners_own_theorem_bounds_the_stages_unless_told_otherwise():
    concepts = Thresholds(50)
    nature = Nature(concepts.concept(20))
    assert pac(Halving(concepts), nature).stopping.bound == 5
    assert pac(Halving(concepts), nature, mistakes=9).stopping.bound == 9
    assert (
        pac(Winnow(threshold=4.0), Nature(lambda x: bool(x[0]), lambda rng: rng.integers(0, 2, 4))).stopping.bound
        is None
    )


def test_a_broken_promise_is_found_where_it_shows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    with pytest.raises(NotCertified, match="changed more than 2 times"):
        pac(Perceptron(), Recorded(X, rng.random(400) < 0.5), 0.05, 0.9, mistakes=2)


def test_what_the_theorem_does_not_cover_is_refused():
    concepts = Thresholds(6)
    with pytest.raises(BadParameter, match="plays with one hypothesis and reports another"):
        pac(AveragedPerceptron(), Recorded([[1.0]], [True]))
    with pytest.raises(BadParameter, match="such as Nature"):
        pac(Perceptron(), [[1.0]])
    with pytest.raises(BadParameter, match="predicts numbers"):
        pac(Hedge(1.0), Panel([[0.0]], [0.0]))
    with pytest.raises(NotCertified, match="does not draw"):
        pac(Halving(concepts), Bisection(concepts))


# --- coverage, with the risk of what was put out known exactly; doubt 0.2, false-alarm rate in `coverage_of` ----------

SCHEDULES = ["geometric", "uniform", "harmonic", "vote"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_thresholds_are_covered_and_end_in_time(schedule):
    concepts, trials, failures = Thresholds(40), 60, 0
    for seed in range(trials):
        target = concepts.concept(int(np.random.default_rng(seed).integers(42)))
        result = pac(Halving(concepts), Nature(target), 0.1, 0.8, schedule=schedule, seed=seed)
        assert result.certified
        assert result.examples <= result.stopping.most
        wrong = sum(result.predict(x) != target(x) for x in range(41)) / 41
        failures += wrong > 0.1
    assert keeps(failures, trials, 0.2)


class Small(Environment):
    """Instances 0..11 drawn uniformly and labelled by a row of a table."""

    def __init__(self, row):
        self.row = row

    def classes(self):
        return (False, True)

    def start(self, seed):
        self.rng = np.random.default_rng(seed)

    def ask(self):
        self.x = int(self.rng.integers(len(self.row)))
        return self.x

    def answer(self, guess):
        return bool(self.row[self.x])


def test_finite_classes_are_covered():
    table, trials, failures = np.random.default_rng(2).random((64, 12)) < 0.5, 100, 0
    for seed in range(trials):
        row = table[seed % 64]
        result = pac(Halving(Concepts(table)), Small(row), 0.15, 0.8, seed=seed)
        failures += np.mean([result.predict(x) != row[x] for x in range(12)]) > 0.15
        assert result.certified
    assert keeps(failures, trials, 0.2)


def test_disjunctions_are_covered():
    n, trials, failures, everything = 6, 40, 0, bits(6)
    chance = (0.3**everything * 0.7 ** (1 - everything)).prod(axis=1)
    for seed in range(trials):
        members = np.random.default_rng(seed).permutation(n)[:2]
        source = Nature(
            lambda x, members=members: bool(x[members].any()), lambda rng: (rng.random(n) < 0.3).astype(float), (0, 1)
        )
        result = pac(Elimination(), source, 0.1, 0.8, mistakes=n + 1, seed=seed)
        said = np.array([bool(result.predict(x.astype(float))) for x in everything])
        failures += chance[said != everything[:, members].any(axis=1)].sum() > 0.1
        assert result.examples <= result.stopping.most
    assert keeps(failures, trials, 0.2)


def test_gaussian_halfspaces_are_covered():
    trials, failures = 100, 0
    for seed in range(trials):
        rng = np.random.default_rng(seed)
        u, X = rng.normal(size=3), rng.normal(size=(20_000, 3))
        result = pac(Perceptron(bias=0), Recorded(X, X @ u > 0), 0.1, 0.8)
        assert result.certified
        failures += angle(result.player.state.weights, u) > 0.1
    assert keeps(failures, trials, 0.2)
