"""Honest games with every certified learner, drawn by chance: what `forgeries.py` certifies, verifies and forges."""

import dataclasses
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

import littlestone as ls
from littlestone.cluster.passes import Job, certify_passes

Rng = random.Random


class Game(NamedTuple):
    """A learner and the rounds it plays; over shards, in so many passes mixed in such proportions."""

    learner: Any
    X: Any
    y: list[Any]
    make: Callable[[Any, list[Any]], Any]
    passes: int = 0
    weights: str = "uniform"
    seed: int = 0  # of the learner's coins
    gap: bool = False  # whether a shard without rounds comes second

    @property
    def stream(self) -> Any:
        """The rounds; of a run over shards, a list of them."""
        if not self.passes:
            return self.make(self.X, self.y)
        third = max(1, len(self.y) // 3)
        cuts = [slice(first, first + third) for first in range(0, len(self.y), third)]
        cuts[1:1] = [slice(0, 0)] * self.gap
        return [self.make(self.X[cut], self.y[cut]) for cut in cuts]

    def certify(self) -> ls.Certificate:
        if self.passes:
            return certify_passes(Job(self.learner, self.stream, self.weights), self.passes)
        if not self.seed:
            return ls.certify(self.learner, self.stream)
        return ls.certify(ls.play(self.learner, self.stream, seed=self.seed).player, self.stream)

    def verify(self, certificate: ls.Certificate) -> Any:
        return ls.verify(certificate, self.stream, None if self.passes or not self.needed else self.learner)

    @property
    def needed(self) -> bool:
        """Whether JSON cannot hold the learner."""
        return any(word in str(self.learner) for word in ("concepts=", "Tracking"))


def draw_rows(rng: Rng, kind: str = "any") -> tuple[Any, list[Any]]:
    """Rows and labels: whole or decimal, tiny or huge, sparse or dense, some of them twice, by a rule or by chance."""
    chance = np.random.default_rng(rng.randrange(2**32))
    T, d = rng.choice([5, 12, 30, 60, rng.randrange(5, 200)]), rng.randrange(1, 7)
    X = chance.integers(-3, 4, (T, d)).astype(float)
    if kind == "bits":
        X = (chance.random((T, d)) < 0.5).astype(float)
    elif kind == "signs":
        X = chance.integers(-1, 2, (T, d)).astype(float)
    elif rng.random() < 0.7:
        X = np.round(chance.normal(size=(T, d)), rng.choice([1, 2, 16]))
        X = X * 10.0 ** rng.choice([0, 0, 0, -1, -3, -9, 3, 6, 9])
    if rng.random() < 0.3:
        X = X[chance.integers(0, T, T)]
    scores = X @ chance.normal(size=d)
    labels = [scores > 0, chance.random(T) < 0.5, np.arange(T) % 2 == 0, (X[:, 0] > 0) | (X[:, -1] > 0)]
    y = rng.choice(labels) ^ (chance.random(T) < rng.choice([0, 0, 0.1]))
    X = X.astype(np.float32) if rng.random() < 0.3 else X
    return X, y.tolist()


def make_rows(rng: Rng, learner: Any, kind: str = "any", classes: int = 2, mixed: bool = False) -> Game:
    """A game over rows."""
    X, y = draw_rows(rng, kind)
    if classes > 2:
        y = [int(abs(float(x[0]))) % classes if rng.random() < 0.9 else rng.randrange(classes) for x in X]
    elif rng.random() < 0.2:
        y = ["yes" if label else "no" for label in y]
    declared = sorted(set(y)) if rng.random() < 0.2 else None
    thin = rng.random() < 0.3
    make = lambda X, y: ls.Recorded(sparse.csr_matrix(X) if thin else X, y, declared)  # noqa: E731
    passes = rng.randrange(1, 4) if mixed else 0
    return Game(learner, X, y, make, passes, rng.choice(["uniform", "updates"]), gap=rng.random() < 0.3)


def make_advice(rng: Rng, learner: Any) -> Game:
    """A game of forecasts; experts may sleep where the theorem lets them."""
    chance = np.random.default_rng(rng.randrange(2**32))
    T, n, loss = rng.choice([5, 20, 60]), rng.randrange(1, 6), str(getattr(learner, "loss", ""))
    X = chance.integers(0, 2, (T, n)).astype(float)
    voting = not learner.numeric
    if rng.random() < 0.6 and not (voting and type(learner) in (ls.WeightedMajority, ls.FollowTheLeader)):
        X = np.round(chance.random((T, n)), rng.choice([1, 2, 16]))
    X = np.clip(X, 0.01, 0.99) if "Log" in loss else X
    y = chance.random(T)
    y = (y < 0.5).astype(float) if voting or any(name in loss for name in ("Log", "Brier", "ZeroOne")) else y
    if rng.random() < 0.5:
        X[:, 0] = np.clip(y, 0.01, 0.99) if "Log" in loss else y
    strict = type(learner) in (ls.AdaHedge, ls.FixedShare) or getattr(learner, "random", False)
    if rng.random() < 0.25 and not strict:
        asleep = chance.random((T, n)) < 0.2
        asleep[:, -1] = False
        X[asleep] = np.nan
    return Game(learner, X, y.tolist(), ls.Panel)


def make_points(rng: Rng, learner: Any, points: list[Any], label: Callable[[Any], Any]) -> Game:
    """A game over points of a finite class, labelled by one of its concepts."""
    X = [rng.choice(points) for _ in range(rng.randrange(5, 40))]
    return Game(learner, X, [label(x) for x in X], ls.Recorded)


def make_bits(rng: Rng, learner: Any, label: Callable[[Any], Any]) -> Game:
    """A game over rows of bits, labelled by a rule."""
    X = np.array([[rng.randrange(2) for _ in range(4)] for _ in range(rng.randrange(5, 40))], float)
    return Game(learner, X, [label(x) for x in X], ls.Recorded)


def draw_perceptron(rng: Rng) -> Any:
    more: dict[str, Any] = {"rate": rng.choice([1.0, 0.1, 3.0]), "margin": rng.choice([0.0, 0.0, 1.0, 0.3])}
    more |= {"bias": rng.choice([1.0, 0.0, 0.5]), "tie": rng.choice(["strict", "plus", "minus"])}
    return rng.choice([ls.Perceptron, ls.AveragedPerceptron])(**more)


def draw_winnow(rng: Rng) -> Any:
    promotion, threshold = rng.choice([2.0, 1.5, 1.1, 3.0]), rng.choice([1.0, 2.0, 4.0])
    kind = rng.randrange(4)
    if kind == 0:
        return ls.Winnow(promotion, threshold, eliminate=True)
    if kind == 1:
        return ls.Winnow(2.0, 8.0, floor=0.5)
    return ls.Winnow(promotion, threshold, margin=rng.choice([0.0, 0.25]), strict_gt=rng.random() < 0.5)


def draw_expert(rng: Rng) -> Any:
    rate, draws = rng.choice([0.5, 2.0, 0.1, 20.0]), rng.random() < 0.5
    loss = rng.choice([ls.Absolute(), ls.Square(), ls.Pinball(0.75), ls.Brier()])
    third = Fraction(1, 3)
    return rng.choice([
        ls.WeightedMajority(), ls.WeightedMajority(third), ls.RandomizedWeightedMajority(),
        ls.RandomizedWeightedMajority(third), ls.ImprovedMajority(rng.choice([0.25, 0.5])),
        ls.ImprovedMajority(0.5, shape="vovk"), ls.FollowTheLeader(), ls.FollowTheLeader(random=True),
        ls.Hedge(rate, loss, draws), ls.Hedge(None, loss, draws), ls.AdaHedge(loss, draws),
        ls.FixedShare(rate, rng.choice([0.01, 0.3]), loss, draws), ls.FixedShare(600.0, 1e-30),
        ls.Aggregating(), ls.Aggregating(ls.Brier()), ls.Aggregating(ls.Log()),
    ])  # fmt: skip


def draw_forecaster(rng: Rng) -> Any:
    """A learner for log-loss, of one member or a mixture."""
    more: dict[str, Any] = {"guard": rng.random() < 0.8, "bias": rng.choice([1.0, 1.0, 0.0])}
    precise = more | {"precision": rng.choice([32, 64])}
    return rng.choice([
        lambda: ls.AdaGrad(rng.choice([1.0, 0.125, 8.0]), **precise),
        lambda: ls.Coin(rng.choice([1.0, 4.0]), **precise),
        lambda: ls.Aioli(rng.choice([0.5, 0.1, 1.0]), rng.choice([0.1, 1.0]), **more),
        lambda: ls.Logistic(share=rng.random() < 0.7, second_order=rng.choice([128, 128, 3, 0]), **precise),
        lambda: ls.Logistic((1.0,), (2.0,), (0.25,), ridge=1.0, **precise),
    ])()  # fmt: skip


def draw_finite(rng: Rng) -> Game:
    at = rng.randrange(7)
    thresholds = ls.Thresholds(6)
    own = rng.choice([ls.Halving, ls.RandomizedHalving, ls.StandardOptimal, ls.Consistent, ls.NeverMiss])(thresholds)
    own = rng.choice([own, ls.Consistent(thresholds, "random"), ls.Memorizer()])
    if rng.random() < 0.3 and not isinstance(own, ls.RandomizedHalving):
        own = ls.Conservative(own)
    literals = ls.Elimination(rng.choice(["disjunction", "conjunction"]), rng.random() < 0.5)
    conjunction = literals.target == "conjunction"
    rule = (lambda x: bool(x[0] and x[2])) if conjunction else (lambda x: bool(x[0] or x[2]))
    box = [(a, b) for a in range(4) for b in range(4)]
    return rng.choice([
        lambda: make_points(rng, own, list(range(7)), lambda x: x >= at),
        lambda: make_bits(rng, literals, rule),
        lambda: make_points(rng, ls.Closure(ls.Rectangles(4, 2)), box, lambda x: 1 <= x[0] <= 2 and x[1] >= 2),
    ])()  # fmt: skip


class LateRounds(Game):
    """A game whose labels arrive late, by delays that hang on how many rounds there are."""

    def certify(self) -> ls.Certificate:
        delays = np.random.default_rng(len(self.y)).integers(0, 7, len(self.y)).tolist()
        player = ls.Player(self.learner, classes=[False, True])
        return ls.play_late(player, self.stream, delays).certificate()


class Heavy(ls.Recorded):
    """Recorded rounds of unequal weight, by their numbers."""

    def chunks(self) -> Any:
        first = 0
        for chunk in super().chunks():
            yield dataclasses.replace(chunk, importance=np.arange(first, first + len(chunk)) % 5 * 0.75)
            first += len(chunk)


def make_weighed(rng: Rng) -> Game:
    """A Perceptron over rounds of unequal weight."""
    learner = rng.choice([ls.Perceptron, ls.AveragedPerceptron])(bias=rng.choice([1.0, 0.0, 0.5]))
    return Game(learner, *draw_rows(rng), Heavy)


def draw_shown(rng: Rng) -> Game:
    """A learner that shows another one some rounds only."""
    inside = rng.choice([draw_perceptron(rng), ls.PassiveAggressive(), ls.AggressivePerceptron(), ls.Alma(0.5)])
    chance = rng.choice([0.1, 0.5, 1.0])
    outside = rng.choice([ls.Conservative(inside), ls.AppleTasting(inside, chance), ls.LabelEfficient(inside, chance)])
    return make_rows(rng, outside)._replace(seed=rng.randrange(9))


def draw_asked(rng: Rng) -> Game:
    """Experts that hear some outcomes only."""
    inside = rng.choice([ls.Hedge(0.5), ls.Hedge(2.0, draws=True), ls.AdaHedge(), ls.Aggregating()])
    learner = ls.LabelEfficient(inside, rng.choice([0.3, 0.7, 1.0]))
    game = make_advice(rng, inside)
    X = np.nan_to_num(game.X, nan=0.5)
    return game._replace(learner=learner, X=X, seed=rng.randrange(9))


FAMILIES: dict[str, Callable[[Rng], Game]] = {
    "perceptron": lambda rng: make_rows(rng, draw_perceptron(rng)),
    "normalized": lambda rng: make_rows(rng, ls.Perceptron(normalized=True, margin=rng.choice([0.0, 0.5]))),
    "aggressive": lambda rng: make_rows(rng, ls.AggressivePerceptron(bias=rng.choice([1.0, 0.0]))),
    "passive-aggressive": lambda rng: make_rows(rng, ls.PassiveAggressive(
        rng.choice(["0", "I", "II"]), rng.choice([1.0, 0.1, 10.0]))),
    "alma and romma": lambda rng: make_rows(rng, rng.choice([ls.Alma(0.5), ls.Romma(), ls.Romma(aggressive=True)])),
    "voted": lambda rng: make_rows(rng, ls.VotedPerceptron(rng.choice([1.0, 0.0, 0.5]))),
    "passive-aggressive network": lambda rng: make_rows(rng, ls.Network(ls.PassiveAggressive(
        rng.choice(["0", "I", "II"]), rng.choice([1.0, 0.1]))), classes=3),
    "products": lambda rng: make_rows(rng, ls.Interactions(rng.choice([
        ls.Perceptron(), ls.PassiveAggressive(), ls.Arow(diagonal=True)]), degree=rng.choice([2, 3]),
        bits=rng.choice([None, 4]))),
    "negations": lambda rng: make_rows(rng, ls.Duplicated(rng.choice([ls.Winnow(), ls.Perceptron()])), "bits"),
    "second order": lambda rng: make_rows(rng, rng.choice([
        ls.SecondOrderPerceptron(0.5), ls.Arow(bias=1), ls.Arow(0.3, diagonal=True), ls.DiagonalSecondOrder(),
        ls.DiagonalSecondOrder(0.5, 0.5, bias=0), ls.PNormPerceptron(), ls.PNormPerceptron(4.5, bias=0.5)])),
    "second-order network": lambda rng: make_rows(rng, ls.Network(rng.choice([
        ls.Arow(diagonal=True, bias=1), ls.DiagonalSecondOrder(margin=0.25)])), classes=3),
    "network": lambda rng: make_rows(rng, ls.Network(draw_perceptron(rng)), classes=3),
    "units": lambda rng: make_rows(rng, ls.Network(draw_perceptron(rng), updates="each"), classes=3),
    "shards": lambda rng: make_rows(rng, draw_perceptron(rng), mixed=True),
    "shards of classes": lambda rng: make_rows(rng, ls.Network(draw_perceptron(rng)), classes=3, mixed=True),
    "winnow": lambda rng: make_rows(rng, draw_winnow(rng), "bits"),
    "balanced winnow": lambda rng: make_rows(rng, rng.choice([
        ls.BalancedWinnow(), ls.BalancedWinnow(factor=1.5), ls.BalancedWinnow(margin=0.25)]), "signs"),
    "ellipsoid": lambda rng: make_rows(rng, ls.Ellipsoid(rng.choice(["central", "deep"]))),
    "kernel": lambda rng: make_rows(rng, ls.KernelPerceptron(rng.choice([
        ls.LinearKernel(), ls.PolynomialKernel(3, 1.0), ls.PolynomialKernel(2, 0.5), ls.GaussianKernel(1.0),
        ls.GaussianKernel(rng.choice([0.01, 100.0]))]), bias=rng.choice([0.0, 1.0]))),
    "forgetron": lambda rng: make_rows(rng, ls.Forgetron(rng.choice([1, 2, 5, 100]), rng.choice([0.1, 1.0, 100.0]))),
    "log-loss": lambda rng: make_rows(rng, draw_forecaster(rng), classes=rng.choice([2, 2, 3, 4])),
    "phases": lambda rng: make_rows(rng, ls.Restarting(ls.Winnow(strict_gt=rng.random() < 0.5)), "bits"),
    "shown": draw_shown,
    "late": lambda rng: LateRounds(draw_perceptron(rng), *draw_rows(rng), ls.Recorded),
    "weights": make_weighed,
    "asked": draw_asked,
    "finite": draw_finite,
    "experts": lambda rng: make_advice(rng, draw_expert(rng)),
    "tracking": lambda rng: make_rows(rng, ls.Tracking(rng.choice([ls.Perceptron(), ls.Winnow(2.0, 2.0)]), (7, 20)),
                                      "bits"),
}  # fmt: skip
