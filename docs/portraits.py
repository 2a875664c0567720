"""Portraits: one small game for each learner, as the scene that shows best what it does."""

import numpy as np

import littlestone as ls
from littlestone.plot import scenes

NOISY = 0.07  # how often a weather expert is wrong


def compose(name):
    """Compose the scene on a learner's page."""
    return MADE[name](getattr(ls, name))


def plane(make, **given):
    """Points on both sides of a line through the plane."""
    rows = np.random.default_rng(3).uniform(-1, 1, (60, 2))
    gaps = rows @ [0.8, -0.6] + 0.15
    kept = np.abs(gaps) > 0.1
    return scenes.compose_plane(ls.play(make(**given), ls.Recorded(rows[kept], gaps[kept] > 0)))


def cuts(make):
    rows = np.random.default_rng(5).uniform(-1, 1, (60, 2))
    return scenes.compose_ellipsoids(ls.play(make(), ls.Recorded(rows, rows @ [0.6, 0.8] > 0)), target=[0.5, 2 / 3])


def interval(make):
    """Thresholds asked at random."""
    points = np.random.default_rng(2).integers(0, 64, 12)
    game = ls.play(make(ls.Thresholds(63)), ls.Recorded(points.tolist(), (points >= 23).tolist()))
    return scenes.compose_thresholds(game)


def boxes(make):
    points = [(4, 4), (7, 7), (2, 5), (5, 1), (1, 2), (6, 5)]
    inside = [2 <= x <= 6 and 2 <= y <= 5 for x, y in points]
    return scenes.compose_rectangles(ls.play(make(ls.Rectangles(9, 2, empty=False)), ls.Recorded(points, inside)))


def tree(make):
    return scenes.compose_trees(ls.play(make(ls.Thresholds(14)), ls.MistakeTree(ls.Thresholds(14))))


def counted(make, width=12, rounds=200, bounds=None, **given):
    """The OR of two attributes of a dozen."""
    rows = (np.random.default_rng(0).random((rounds, width)) < 0.3) * 1.0
    stream = ls.Recorded(rows, rows[:, 2] + rows[:, 5] > 0)
    return scenes.compose_mistakes(ls.play(make(**given), stream), bounds, [make.__name__])


def winnowed(make):
    return counted(make, width=40, bounds=[make().bound(attributes=40, relevant=2).mistakes])


def remembered(make):
    points = np.random.default_rng(0).integers(0, 30, 200).tolist()
    return scenes.compose_mistakes(
        ls.play(make(), ls.Recorded(points, [p % 3 == 0 for p in points])), names=[make.__name__]
    )


def crossed(make):
    rng, games = np.random.default_rng(0), []
    for n in (20, 80, 160):
        rows = rng.choice([-1.0, 1.0], (300, n))
        stream = ls.Recorded(rows, rows[:, :5].sum(axis=1) > 0)
        games += [ls.play(ls.Perceptron(bias=0), stream), ls.play(make(margin=0.2, bias=0), stream)]
    return scenes.compose_crossing(games)


def network(make):
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 300)
    rows = rng.normal(0, 1, (300, 6)) + 3 * np.eye(3, 6)[kinds]
    return scenes.compose_mistakes(ls.play(make(ls.Perceptron()), ls.Recorded(rows, kinds)), names=[make.__name__])


def kerneled(make):
    rows = np.random.default_rng(0).uniform(-1, 1, (150, 2))
    stream = ls.Recorded(rows, (rows**2).sum(axis=1) < 0.5)
    return scenes.compose_mistakes(ls.play(make(ls.PolynomialKernel(2, 1.0)), stream), names=[make.__name__])


def forecasters(voting):
    """Four who forecast, one better than the others from half time on."""
    rng, rounds = np.random.default_rng(1), 200
    truth = rng.random(rounds) < 0.6
    early = np.arange(rounds) < rounds // 2
    good = [np.where(rng.random(rounds) < np.where(early == first, NOISY, 0.4), ~truth, truth) for first in (1, 0)]
    rows = np.column_stack([*good, rng.random(rounds) < 0.5, np.ones(rounds)]).astype(float)
    if not voting:
        rows = 0.15 + 0.7 * rows
    return ls.Panel(rows, truth.astype(float), names=["early", "late", "a coin", "always"])


def trusted(make, voting=False, **given):
    return scenes.compose_weights(ls.play(make(**given), forecasters(voting)))


def voted(make):
    return trusted(make, voting=True)


def plane_or_curve(make):
    try:
        return plane(make)
    except NotImplementedError:
        return counted(make)


MADE = {
    "AdaHedge": lambda make: trusted(make, loss=ls.Square()),
    "Aggregating": lambda make: trusted(make, loss=ls.Square()),
    "AggressivePerceptron": plane_or_curve,
    "Alma": plane_or_curve,
    "Arow": plane_or_curve,
    "AveragedPerceptron": plane_or_curve,
    "BalancedWinnow": crossed,
    "Closure": boxes,
    "Consistent": interval,
    "Elimination": lambda make: counted(make, monotone=True),
    "Ellipsoid": cuts,
    "FixedShare": lambda make: trusted(make, rate=2.0, switching=0.02, loss=ls.Square()),
    "FollowTheLeader": voted,
    "Halving": boxes,
    "Hedge": lambda make: trusted(make, loss=ls.Square()),
    "ImprovedMajority": voted,
    "KernelPerceptron": kerneled,
    "Memorizer": remembered,
    "NaiveBayes": counted,
    "Network": network,
    "PNormPerceptron": lambda make: plane(make, power=3.0),
    "PassiveAggressive": plane_or_curve,
    "Perceptron": plane_or_curve,
    "RandomizedHalving": interval,
    "RandomizedWeightedMajority": voted,
    "Romma": plane_or_curve,
    "SecondOrderPerceptron": plane_or_curve,
    "StandardOptimal": tree,
    "VotedPerceptron": plane_or_curve,
    "WeightedMajority": voted,
    "Winnow": winnowed,
}
