"""Portraits: one small game for each learner, as the scene that shows best what it does."""

import numpy as np

import littlestone as ls
from littlestone.plot import scenes
from littlestone.plot.scenes.scene import Line, Scene

NOISY = 0.07  # how often a weather expert is wrong


def compose(name):
    """Compose the scene on a learner's page."""
    return MADE[name](getattr(ls, name))


def draw_plane(make, **given):
    """Points on both sides of a line through the plane."""
    rows = np.random.default_rng(3).uniform(-1, 1, (60, 2))
    gaps = rows @ [0.8, -0.6] + 0.15
    kept = np.abs(gaps) > 0.1
    return scenes.compose_plane(ls.play(make(**given), ls.Recorded(rows[kept], gaps[kept] > 0)))


def draw_cuts(make):
    rows = np.random.default_rng(5).uniform(-1, 1, (60, 2))
    return scenes.compose_ellipsoids(ls.play(make(), ls.Recorded(rows, rows @ [0.6, 0.8] > 0)), target=[0.5, 2 / 3])


def draw_interval(make):
    """Thresholds asked at random."""
    points = np.random.default_rng(2).integers(0, 64, 12)
    game = ls.play(make(ls.Thresholds(63)), ls.Recorded(points.tolist(), (points >= 23).tolist()))
    return scenes.compose_thresholds(game)


def draw_boxes(make):
    points = [(4, 4), (7, 7), (2, 5), (5, 1), (1, 2), (6, 5)]
    inside = [2 <= x <= 6 and 2 <= y <= 5 for x, y in points]
    return scenes.compose_rectangles(ls.play(make(ls.Rectangles(9, 2, empty=False)), ls.Recorded(points, inside)))


def draw_tree(make):
    return scenes.compose_trees(ls.play(make(ls.Thresholds(14)), ls.MistakeTree(ls.Thresholds(14))))


def draw_mistakes(make, width=12, rounds=200, bounds=None, **given):
    """The OR of two attributes of a dozen."""
    rows = (np.random.default_rng(0).random((rounds, width)) < 0.3) * 1.0
    stream = ls.Recorded(rows, rows[:, 2] + rows[:, 5] > 0)
    return scenes.compose_mistakes(ls.play(make(**given), stream), bounds, [make.__name__])


def draw_winnow(make):
    return draw_mistakes(make, width=40, bounds=[make().bound(attributes=40, relevant=2).mistakes])


def draw_memory(make):
    points = np.random.default_rng(0).integers(0, 30, 200).tolist()
    return scenes.compose_mistakes(
        ls.play(make(), ls.Recorded(points, [p % 3 == 0 for p in points])), names=[make.__name__]
    )


def draw_crossing(make):
    rng, games = np.random.default_rng(0), []
    for n in (20, 80, 160):
        rows = rng.choice([-1.0, 1.0], (300, n))
        stream = ls.Recorded(rows, rows[:, :5].sum(axis=1) > 0)
        games += [ls.play(ls.Perceptron(bias=0), stream), ls.play(make(margin=0.2, bias=0), stream)]
    return scenes.compose_crossing(games)


def draw_network(make):
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 300)
    rows = rng.normal(0, 1, (300, 6)) + 3 * np.eye(3, 6)[kinds]
    return scenes.compose_mistakes(ls.play(make(ls.Perceptron()), ls.Recorded(rows, kinds)), names=[make.__name__])


def draw_kernel(make, **given):
    """Points inside and outside of a circle."""
    rows = np.random.default_rng(0).uniform(-1, 1, (150, 2))
    stream = ls.Recorded(rows, (rows**2).sum(axis=1) < 0.5)
    return scenes.compose_mistakes(ls.play(make(**given), stream), names=[make.__name__])


def make_forecasters(voting):
    """Four who forecast, one better than the others from half time on."""
    rng, rounds = np.random.default_rng(1), 200
    truth = rng.random(rounds) < 0.6
    early = np.arange(rounds) < rounds // 2
    good = [np.where(rng.random(rounds) < np.where(early == first, NOISY, 0.4), ~truth, truth) for first in (1, 0)]
    rows = np.column_stack([*good, rng.random(rounds) < 0.5, np.ones(rounds)]).astype(float)
    if not voting:
        rows = 0.15 + 0.7 * rows
    return ls.Panel(rows, truth.astype(float), names=["early", "late", "a coin", "always"])


def draw_weights(make, voting=False, **given):
    return scenes.compose_weights(ls.play(make(**given), make_forecasters(voting)))


def draw_votes(make):
    return draw_weights(make, voting=True)


def draw_plane_or_mistakes(make):
    try:
        return draw_plane(make)
    except NotImplementedError:
        return draw_mistakes(make)


def draw_regression(make):
    """The mean distance of predictions from a noisy sum of two columns."""
    rng = np.random.default_rng(4)
    rows = rng.uniform(-1, 1, (200, 2))
    player, distances = ls.Player(make()), []
    for x, y in zip(rows, rows @ [2.0, -1.0] + 0.1 * rng.normal(size=200), strict=True):
        distances.append(abs(player.predict(x) - y))
        player.update(x, y)
    means = (np.cumsum(distances) / np.arange(1, 201)).tolist()
    words = f"{means[-1]:.3f} from the label on the mean of 200 rounds by {make.__name__}."
    marks = [Line(list(range(1, 201)), means, make.__name__, "solid", 0)]
    table = [(t, f"{means[t - 1]:.3f}") for t in range(20, 201, 20)]
    return Scene("Distance over rounds", marks, "round", "mean distance so far", words, ("round", "distance"), table)


MADE = {
    "AdaGrad": draw_plane_or_mistakes,
    "AdaHedge": lambda make: draw_weights(make, loss=ls.Square()),
    "Aggregating": lambda make: draw_weights(make, loss=ls.Square()),
    "AggressivePerceptron": draw_plane_or_mistakes,
    "Aioli": draw_plane_or_mistakes,
    "Alma": draw_plane_or_mistakes,
    "Arow": draw_plane_or_mistakes,
    "AveragedPerceptron": draw_plane_or_mistakes,
    "BalancedWinnow": draw_crossing,
    "Closure": draw_boxes,
    "Coin": draw_plane_or_mistakes,
    "CoinRegression": draw_regression,
    "Consistent": draw_interval,
    "DiagonalSecondOrder": draw_mistakes,
    "Elimination": lambda make: draw_mistakes(make, monotone=True),
    "Ellipsoid": draw_cuts,
    "FallbackHalving": draw_votes,
    "FixedShare": lambda make: draw_weights(make, rate=2.0, switching=0.02, loss=ls.Square()),
    "FollowTheLeader": draw_votes,
    "Forgetron": draw_kernel,
    "Halving": draw_boxes,
    "Hedge": lambda make: draw_weights(make, loss=ls.Square()),
    "ImprovedMajority": draw_votes,
    "KernelPerceptron": lambda make: draw_kernel(make, kernel=ls.PolynomialKernel(2, 1.0)),
    "Logistic": draw_plane_or_mistakes,
    "Memorizer": draw_memory,
    "NaiveBayes": draw_mistakes,
    "Network": draw_network,
    "NeverMiss": draw_interval,
    "PNormPerceptron": lambda make: draw_plane(make, power=3.0),
    "PassiveAggressive": draw_plane_or_mistakes,
    "Perceptron": draw_plane_or_mistakes,
    "RandomizedHalving": draw_interval,
    "RandomizedWeightedMajority": draw_votes,
    "Ridge": draw_regression,
    "Romma": draw_plane_or_mistakes,
    "SecondOrderPerceptron": draw_plane_or_mistakes,
    "SelectiveSampling": draw_plane_or_mistakes,
    "ShiftingPerceptron": draw_plane_or_mistakes,
    "StandardOptimal": draw_tree,
    "VotedPerceptron": draw_plane_or_mistakes,
    "WeightedMajority": draw_votes,
    "Winnow": draw_winnow,
}
