"""Parameters of the wrong kind or size are refused with a BadParameter, whatever they are given to."""

import inspect
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter, LittlestoneError, TooLarge
from littlestone.base.parameters import Checked, check_value
from littlestone.learners import conversions
from littlestone.learners.experts.contract import Experts

WRONG = [None, "1", "", b"1", True, False, nan, inf, -inf, -1, 0, 1, 2.5, -0.0, 5e-324, 1e-320, 1e308, 10**30,
         -(10**30), 10**400, -(10**400), Fraction(1, 3), Fraction(10**400), 1j, [], [1], (), (1,), (0,), (-1,), ("a",),
         {}, object(), np.float32(0.5), np.int64(-3), np.int64(3), np.bool_(True), np.array([1.0, 2.0]),
         np.float64(nan), int, print, ls.Thresholds(3), ls.Perceptron(), ls.Square()]  # fmt: skip

LOSSES = [ls.Absolute, ls.Brier, ls.Custom, ls.Log, ls.Pinball, ls.Square, ls.ZeroOne]
KERNELS = [ls.GaussianKernel, ls.LinearKernel, ls.PolynomialKernel]
FEATURES = [ls.Crossed, ls.Hashed, ls.Indexed, ls.Named, ls.Words]
GIVEN = {  # what must be given, where there is no default
    "concepts": ls.Thresholds(5), "learner": ls.Winnow(), "n": 4, "d": 2, "m": 4, "k": 2, "rounds": 8, "experts": 3,
    "additions": 2, "bits": 3, "environment": ls.Recorded([[1.0]], [True]), "rate": 0.25, "target": lambda x: True,
    "relevant": [1], "X": [[1.0, 0.0], [0.0, 1.0]], "y": [False, True], "forecasts": [[0.1, 0.7], [0.4, 0.2]],
    "outcomes": [0.0, 1.0], "function": lambda guess, y: abs(guess - y), "error": 0.1, "confidence": 0.9,
    "attributes": 5, "features": ls.Hashed(8),
    "stream": ls.Recorded([[1.0]], [True], [False, True]), "table": [[0, 1], [1, 1]],
}  # fmt: skip
OWN = {
    ("Pool", "learner"): ls.WeightedMajority(), ("Halfspaces", "n"): 3, ("Closure", "concepts"): ls.Rectangles(3, 2),
    ("Conservative", "learner"): ls.Consistent(ls.Thresholds(5)), ("Network", "learner"): ls.Perceptron(),
    ("Nature", "distribution"): lambda rng: (1, 0), ("Interactions", "learner"): ls.Perceptron(),
    ("Tracking", "learner"): ls.Perceptron(), ("Panel", "names"): None,
}  # fmt: skip

DATA = ["X", "y", "table", "forecasts", "outcomes", "classes"]  # what is wrong with them may be said by other errors
FUNCTIONS = ["target", "distribution", "function", "kernel"]  # whose own errors are their own
ENVIRONMENTS = [getattr(ls, name) for name in ls.environments.__all__]
ALL = [*ls.learners.ALL, *conversions.ALL, ls.Pool, *ls.concepts.ALL, *ENVIRONMENTS, *LOSSES,
       *KERNELS, *FEATURES, ls.Assumptions, ls.Stopping]  # fmt: skip


def give(kind):
    """The least arguments that a class is constructed with."""
    parameters = inspect.signature(kind).parameters.values()
    own = {name: value for (owner, name), value in OWN.items() if owner == kind.__name__}
    return {one.name: GIVEN[one.name] for one in parameters if one.default is one.empty} | own


def play_one(made):
    """Play a round with what was constructed; a round that is refused in words is played."""
    try:
        if isinstance(made, ls.Learner):
            ls.play(made, environment_for(made), rounds=1)
        elif isinstance(made, ls.Environment):
            ls.play(player_for(made), made, rounds=1)
    except LittlestoneError:
        pass


def environment_for(learner):
    if isinstance(learner, Experts):
        return ls.Panel([[0.0, 1.0], [1.0, 0.0]], [0.0, 1.0])
    concepts = getattr(learner, "concepts", None) or getattr(getattr(learner, "learner", None), "concepts", None)
    if concepts is None:
        return ls.Recorded([[1.0, 0.0], [0.0, 1.0]], [True, False])
    return ls.Nature(lambda x: concepts.labels[0], lambda rng: next(iter(concepts.instances())), concepts.labels)


def player_for(environment):
    if isinstance(environment, ls.ConstantExperts | ls.RandomExperts):
        return ls.WeightedMajority()
    if isinstance(environment, ls.Bisection | ls.MistakeTree):
        return ls.Halving(environment.concepts)
    if isinstance(environment, ls.Nature | ls.Contrary):
        return ls.Memorizer()
    if isinstance(environment, ls.Panel):
        return ls.Hedge(0.5, ls.Square())
    return ls.Winnow() if isinstance(environment, ls.Drifting | ls.DriftingAdversary) else ls.Perceptron()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_a_parameter_plays_a_round_or_is_refused_in_words(kind):
    given, wrong = give(kind), []
    play_one(kind(**given))
    for name in inspect.signature(kind).parameters:
        for value in WRONG:
            if name.startswith("_") or (name in FUNCTIONS and callable(value)):
                continue
            try:
                play_one(kind(**given | {name: value}))
            except (BadParameter, TooLarge):
                pass
            except LittlestoneError as problem:
                if name not in DATA:
                    wrong.append((name, value, problem))
            except Exception as problem:
                wrong.append((name, value, repr(problem)[:160]))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ls.Perceptron(rate="1"), "rate of Perceptron must be a number, got '1'"),
        (lambda: ls.Perceptron(rate=10**400), "rate of Perceptron must be a number, got a number of too many digits"),
        (lambda: ls.Perceptron(rate=nan), "rate must be positive and finite, got nan"),
        (lambda: ls.Perceptron(rate=True), "rate of Perceptron must be a number, got True"),
        (lambda: ls.Winnow(real=2.0), "real of Winnow must be True or False, got 2.0"),
        (lambda: ls.Ellipsoid(attributes=inf), "attributes of Ellipsoid must be a whole number or None, got inf"),
        (lambda: ls.Halving(3), "concepts of Halving must be a ConceptClass, got 3"),
        (lambda: ls.Teacher(3, 5), "relevant of Teacher must be a sequence, each item of it a whole number, got 5"),
        (lambda: ls.RandomExperts(0, 10), "experts must be at least 1"),
        (lambda: ls.RandomExperts(3, -1), "rounds must be at least 0"),
        (lambda: ls.ConstantExperts(-1), "rounds must be at least 0"),
        (lambda: ls.DriftingAdversary(3, -1), "additions must be at least 0"),
    ],
)
def test_the_error_names_the_parameter_and_what_it_must_be(make, message):
    with pytest.raises(BadParameter, match=message):
        make()


def test_numbers_of_other_kinds_become_those_of_python():
    assert type(ls.Perceptron(rate=np.float32(0.5)).rate) is float
    assert type(ls.Thresholds(np.int64(5)).n) is int
    assert ls.Perceptron(rate=Fraction(1, 2)).rate == 0.5
    assert ls.WeightedMajority(Fraction(1, 3)).penalty == Fraction(1, 3)
    assert type(ls.Perceptron(rate=1).rate) is int


def test_the_signature_is_that_of_the_class():
    assert list(inspect.signature(ls.Stopping).parameters) == ["error", "confidence", "mistakes", "schedule"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        ls.Perceptron(speed=1)


def test_annotations_that_name_nothing_known_are_left_alone():
    class Odd(metaclass=Checked):
        def __init__(self, value: "Unknown") -> None:  # noqa: F821
            self.value = value

    assert Odd("anything").value == "anything"
    assert check_value("it", "anything", object) == "anything"
