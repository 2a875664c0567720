"""The README's table of guarantees: every row is played, by the learner as constructed by default, at its own words."""

import math
import re
from itertools import product

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners.experts.contract import Experts
from places import ROOT

TABLE = re.findall(r"^\| `(\w+)` \| [^|]* \| (.*) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
AND = np.array(list(product((0.0, 1.0), repeat=2)))


def separable_streams():
    """AND at three sizes, again and again, and random halfspaces of rows of -1, 0 and 1."""
    for size in (0.1, 1.0, 10.0):
        yield np.tile(AND * size, (100, 1)), np.tile([False, False, False, True], 100)
    rng = np.random.default_rng(0)
    for n in (2, 5, 12):
        X = rng.integers(-1, 2, (300, n)).astype(float)
        yield X, X @ rng.integers(-3, 4, n) > 0.5


def novikoff(X, y, bias):
    """R^2 |u|^2 / g^2 of the widest margin, rounded up."""
    return ls.separable(ls.Recorded(X, y), bias=bias).updates


def check_rows(learner, allowed, counts="updates"):
    for X, y in separable_streams():
        game = ls.play(learner, ls.Recorded(X, y))
        assert getattr(game, counts) <= allowed(X, y)


def check_additive(learner, counts="updates"):
    check_rows(learner, lambda X, y: novikoff(X, y, getattr(learner, "bias", 0.0)), counts)


def check_passive_aggressive():
    def allowed(X, y):
        found = ls.separable(ls.Recorded(X, y))
        return max(float(found.reach), 1) / float(found.margin) ** 2

    check_rows(ls.PassiveAggressive(), allowed, "mistakes")
    rows = np.tile(np.column_stack((AND, np.ones(4))) * 0.1, (500, 1))
    stream = ls.Recorded(rows, np.tile([False, False, False, True], 500))
    margin = float(ls.separable(stream, bias=0).margin)
    assert ls.separable(stream, bias=0).updates == 51
    assert 51 < ls.play(ls.PassiveAggressive(bias=0), stream).mistakes <= 1 / margin**2  # R < 1: steps are capped
    check_additive(ls.PassiveAggressive("0"), "mistakes")


def check_alma():
    def allowed(X, y):
        rows = np.column_stack((X, np.ones(len(X))))
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        margin = float(ls.separable(ls.Recorded(rows, y), bias=0).margin)
        return 10 + (11 / (2 * math.sqrt(2) * margin)) ** 2

    check_rows(ls.Alma(), allowed)


def check_ellipsoid():
    def allowed(X, y):
        found, d = ls.separable(ls.Recorded(X, y), bias=0), X.shape[1]
        return 2 * d * (d + 1) * math.log1p(math.sqrt(float(found.reach)) / float(found.margin))

    rng = np.random.default_rng(0)
    for n in (1, 2, 5):
        X = rng.standard_normal((300, n))
        y = X @ rng.standard_normal(n) > 0
        assert ls.play(ls.Ellipsoid(), ls.Recorded(X, y)).mistakes <= allowed(X, y)


def check_winnow():
    rng = np.random.default_rng(0)
    for n, k in ((2, 1), (8, 2), (64, 3), (200, 1)):
        X = (rng.random((500, n)) < 0.3).astype(float)
        y = X[:, :k].any(axis=1)
        assert ls.play(ls.Winnow(), ls.Recorded(X, y)).mistakes <= 3 * k * math.ceil(math.log2(n)) + 1


def check_balanced_winnow():
    """The majority of three of n attributes: margin 1/3. Rows that are barely wrong are the worst."""
    made = {}
    for n in (10, 300):
        size = math.log(2 * (n + 1)) * 9
        for learner, allowed in (
            (ls.BalancedWinnow(), 32 / 3 * size + 2),
            (ls.BalancedWinnow(margin=1 / 3), 2 * size),
        ):
            player, rng = ls.Player(learner, features=ls.Indexed(n)), np.random.default_rng(0)
            player.update(np.ones(n), True)
            for _ in range(200):
                weights, constant = (np.ravel(part) for part in player.learner.plane(player.state))
                X, y = rng.choice([-1.0, 1.0], (300, n)), rng.choice([-1.0, 1.0], 300)
                X[:, :3] = y[:, None]
                X[np.arange(300), rng.integers(0, 3, 300)] *= -1
                scores = y * (X @ weights[:n] + constant[0])
                worst = int(np.argmax(np.where(scores <= 0, scores, -np.inf)))
                player.update(X[worst], bool(y[worst] > 0))
            made[n, learner] = player.tally.updates
            assert player.tally.updates <= allowed
    assert made[300, ls.BalancedWinnow()] > 2 * math.log(2 * 301) * 9  # the bound of a margin that is told


def check_network():
    for X, y in separable_streams():
        assert ls.play(ls.Network(ls.Perceptron()), ls.Recorded(X, y)).updates <= novikoff(X, y, 1.0)  # u, -u: 2 / 4


def concept_games():
    for concepts in (ls.Thresholds(14), ls.Parities(3), ls.Conjunctions(2)):
        points = list(concepts.instances())
        for index in range(concepts.size):
            target = concepts.concept(index)
            yield concepts, ls.Recorded(points * 2, [target(x) for x in points * 2])


def check_concepts(make, allowed, counts="mistakes"):
    for concepts, stream in concept_games():
        game = ls.play(make(concepts), stream)
        assert (game.mistakes if counts == "mistakes" else game.tally.expected) <= allowed(concepts, game)


def check_consistent():
    def allowed(concepts, game):
        return concepts.size - concepts.survivors(game.player.state.space)

    check_concepts(ls.Consistent, allowed)


def check_never_miss():
    for concepts, stream in concept_games():
        game = ls.play(ls.NeverMiss(concepts), stream, transcript=True)
        assert game.mistakes <= concepts.size - concepts.survivors(game.player.state.space)
        assert all(one.guess for one in game.transcript if one.y)


def check_apple_tasting():
    """Updates on every stream; mistakes in the mean over coins, M being Novikoff's bound."""
    learner, q = ls.AppleTasting(), ls.AppleTasting().exploring
    check_rows(learner, lambda X, y: novikoff(X, y, 1.0))
    for X, y in separable_streams():
        stream, allowed = ls.Recorded(X, y), novikoff(X, y, 1.0) / q + q * np.count_nonzero(~y)
        assert np.mean([ls.play(learner, stream, seed=seed).mistakes for seed in range(4)]) <= allowed


def check_elimination():
    for n, k in ((3, 1), (6, 3)):
        X = np.array(list(product((0, 1), repeat=n)))
        assert ls.play(ls.Elimination(), ls.Recorded(X, X[:, :k].any(axis=1))).mistakes <= n + 1 - k


def check_closure():
    for m, d in ((3, 1), (4, 2)):
        concepts = ls.Rectangles(m, d)
        points = list(concepts.instances())
        for index in range(concepts.size):
            target = concepts.concept(index)
            game = ls.play(ls.Closure(concepts), ls.Recorded(points, [target(x) for x in points]))
            assert game.mistakes <= 1 + d * (m - 1)


def check_memorizer():
    assert ls.play(ls.Memorizer(), ls.Contrary(), rounds=50).mistakes <= 50
    assert ls.play(ls.Memorizer(), ls.Recorded([(1, 2), (3, 4)] * 9, [0, 1] * 9)).mistakes <= 2


def expert_games(learner):
    """The loss of the learner, its rounds, its experts, and the loss of the best expert."""
    for environment in (ls.ConstantExperts(300), ls.RandomExperts(8, 300), ls.RandomExperts(2, 50)):
        game = ls.play(learner, environment, seed=3, transcript=True)
        ledger = game.ledger
        yield float(ledger.loss[-1]), len(ledger), len(ledger.names), float(ledger.losses[-1].min())


def check_experts(learner, allowed):
    for loss, rounds, experts, best in expert_games(learner):
        assert loss <= allowed(rounds, experts, best) + 1e-9


def majority(T, N, L):
    return math.log(2) / math.log(4 / 3) * (L + math.log2(N))


def check_hedge():
    """Outcomes that alternate and then do not: 13.24 more than the better expert, where sqrt(T ln N / 2) is 10.20."""
    check_experts(ls.Hedge(), lambda T, N, L: L + math.sqrt(T * math.log(N)))
    outcomes = np.where(np.arange(300) < 260, np.arange(300) % 2, 1).astype(float)
    panel = ls.Panel(np.column_stack((np.zeros(300), np.ones(300))), outcomes)
    tuned = math.sqrt(300 * math.log(2) / 2)
    assert tuned + 3 < ls.play(ls.Hedge(), panel, transcript=True).ledger.regret[-1] <= math.sqrt(300 * math.log(2))
    assert ls.play(ls.Hedge.tuned(2, 300), panel, transcript=True).ledger.regret[-1] <= tuned
    for T, N in ((300, 2), (300, 8)):
        environment = ls.ConstantExperts(T) if N == 2 else ls.RandomExperts(N, T)
        ledger = ls.play(ls.Hedge.tuned(N, T), environment, seed=3, transcript=True).ledger
        assert ledger.regret[-1] <= math.sqrt(T * math.log(N) / 2) + 1e-9


def check_label_efficient():
    """In the mean over 40 seeds of the coins, on outcomes and forecasts at random."""
    assert ls.LabelEfficient().asking == 0.1
    rng = np.random.default_rng(0)
    X, y = (rng.random((300, 4)) < 0.5).astype(float), (rng.random(300) < 0.5).astype(float)
    best, lost = np.abs(X - y[:, None]).sum(axis=0).min(), []
    for seed in range(40):
        game = ls.play(ls.LabelEfficient(), ls.Panel(X, y), seed=seed, transcript=True)
        lost.append(sum(abs(one.guess - one.y) for one in game.transcript))
    assert np.mean(lost) - best <= math.sqrt(10 * 300 * math.log(4))


def check_ada_hedge():
    def allowed(T, N, L):
        return L + 2 * math.sqrt(L * (T - L) * math.log(N) / T) + 16 / 3 * math.log(N) + 2

    check_experts(ls.AdaHedge(), allowed)


def check_fixed_share():
    check_experts(ls.FixedShare(), lambda T, N, L: L + float(ls.FixedShare().bound(N, T, switches=0).value))


def check_aggregating():
    check_experts(ls.Aggregating(), lambda T, N, L: L + float(ls.Aggregating().bound(N).value))


def check_certified(learner):
    """Words that depend on the data: the certificate of the pass says what they come to, and it holds."""
    for X, y in separable_streams():
        certificate = ls.certify(learner, ls.Recorded(X, y))
        assert certificate.holds
        assert ls.verify(certificate, ls.Recorded(X, y))


def second_order_games(learner):
    """The game, the rows z = y x that taught it, and some u: what the theorem says of any u, it says of these."""
    rng = np.random.default_rng(0)
    for X, y in separable_streams():
        game = ls.play(learner, ls.Recorded(X, y), traced=True)
        taught = np.flatnonzero(game.moved)
        assert len(taught) == game.updates
        z = (X * np.where(y, 1.0, -1.0)[:, None])[taught]
        for u in (np.zeros(X.shape[1]), *rng.standard_normal((5, X.shape[1])), 2 * z.mean(axis=0)):
            yield game, z, u, float(u @ u + ((z @ u) ** 2).sum()), float(np.maximum(0, 1 - z @ u).sum())


def check_second_order_perceptron():
    for game, z, _, stretched, hinge in second_order_games(ls.SecondOrderPerceptron()):
        eigenvalues = np.linalg.eigvalsh(z.T @ z).clip(0)
        assert game.updates <= hinge + math.sqrt(stretched * np.log1p(eigenvalues).sum()) + 1e-9


def check_diagonal_second_order():
    rng = np.random.default_rng(0)
    for X, y in separable_streams():
        game = ls.play(ls.DiagonalSecondOrder(), ls.Recorded(X, y), traced=True)
        taught = np.flatnonzero(game.moved)
        z = (np.column_stack((X, np.ones(len(X)))) * np.where(y, 1.0, -1.0)[:, None])[taught]
        L = (z**2).sum(axis=0)
        for u in (np.zeros(z.shape[1]), *rng.standard_normal((5, z.shape[1])), 2 * z.mean(axis=0)):
            size = ((1 + L) * u * u).sum() * np.log1p(L).sum()
            assert game.updates <= np.maximum(0, 1 - z @ u).sum() + math.sqrt(size) + 1e-9


def check_arow():
    for game, z, u, stretched, hinge in second_order_games(ls.Arow()):
        right, spread = game.updates - game.mistakes, np.linalg.slogdet(np.eye(len(u)) + z.T @ z)[1]
        assert game.mistakes <= math.sqrt(stretched * (spread + right)) + hinge - right + 1e-9


def noisy_streams():
    """Rows of -1, 0 and 1 with labels drawn from a logistic rule; and comparators, that rule among them.

    First come rows of 20 ones whose labels alternate, so that all attributes are wrong at once.
    """
    rng = np.random.default_rng(1)
    for rounds in (2, 20):
        Z, y = np.ones((rounds, 21)), np.arange(rounds) % 2 == 0
        yield Z[:, 1:], y, np.zeros(21), rounds * math.log(2), Z
    for n, rounds in ((1, 50), (3, 300), (6, 1000)):
        X, u = rng.integers(-1, 2, (rounds, n)).astype(float), rng.normal(size=n + 1)
        Z = np.column_stack((np.ones(rounds), X))
        y = rng.random(rounds) < 1 / (1 + np.exp(-Z @ u))
        for comparator in (u, u / 2, np.zeros(n + 1), rng.normal(size=n + 1)):
            yield X, y, comparator, float(np.logaddexp(0, np.where(y, -1, 1) * (Z @ comparator)).sum()), Z


def log_loss_of(learner, X, y):
    return float(ls.play(learner, ls.Recorded(X, y)).player.state.losses[0].sum())


def check_losses(learner, allowed):
    for X, y, u, loss, Z in noisy_streams():
        assert log_loss_of(learner, X, y) <= loss + allowed(u, len(y), Z)


def check_coin():
    def allowed(u, T, Z):
        r = np.abs(u) * math.sqrt(T + 1)
        inside = np.log(2 * np.maximum(r, 1e-9)) + math.log2(T + 1) / 2 - 0.75
        return (1 + 2 * r * np.maximum(inside, 0)).sum()

    check_losses(ls.Coin(), allowed)


def check_aioli():
    def allowed(u, T, Z):
        return (u @ u) / 20 + len(u) * math.log(1 + 5 * T / 4) if np.abs(Z @ u).max() <= 2 else math.inf

    check_losses(ls.Aioli(), allowed)


def number_streams():
    """Rows of -1 and 1 with noisy numbers for labels; and comparators, the rule behind them among these."""
    rng = np.random.default_rng(2)
    for rounds in (3, 4, 30):  # the first label is as far as can be from the others; an empty column is no attribute
        y, constant = np.array([1.0, *[-1.0] * (rounds - 1)]), np.ones((rounds, 1))
        for u in (np.zeros(1), np.array([-1.0]), np.array([y.sum() / (rounds + 0.1)])):
            yield np.zeros((rounds, 1)), y, u, constant
    for n, rounds, size in ((1, 40, 1.0), (3, 200, 100.0), (5, 600, 0.01)):
        X, u = rng.choice([-1.0, 1.0], (rounds, n)), size * rng.normal(size=n + 1)
        Z = np.column_stack((np.ones(rounds), X))
        y = Z @ u + size * rng.normal(size=rounds)
        X[: rounds // 2, 0] = Z[: rounds // 2, 1] = 0  # the first attribute comes late
        for comparator in (u, u / 2, np.zeros(n + 1), size * rng.normal(size=n + 1)):
            yield X, y, comparator, Z


def check_ridge():
    for X, y, u, Z in number_streams():
        from_first = u - y[0] * (np.arange(len(u)) == 0)  # the rule for labels less the first one
        reach = np.abs(y - y[0]).max() ** 2 * len(u) * math.log(1 + 10 * len(y))
        allowed = y[0] ** 2 + ((y - Z @ u) ** 2).sum() + from_first @ from_first / 10 + reach
        assert ls.play(ls.Ridge(), ls.Recorded(X, y)).expected <= allowed


def check_coin_regression():
    for X, y, u, Z in number_streams():
        from_first = u - y[0] * (np.arange(len(u)) == 0)
        largest = np.maximum.accumulate(np.abs(y - y[0]))
        wealth = np.array([largest[np.flatnonzero(column * largest)[0]] for column in Z.T])
        r = np.abs(from_first) * math.sqrt(len(y) + 1)
        inside = np.log(2 * np.maximum(r, 1e-12) / wealth) + math.log2(len(y) + 1) / 2 - 0.75
        allowed = abs(y[0]) + np.abs(y - Z @ u).sum() + (wealth + 2 * r * np.maximum(inside, 0)).sum()
        assert ls.play(ls.CoinRegression(), ls.Recorded(X, y)).expected <= allowed


def check_selective_sampling():
    """Updates on every stream; mistakes in the mean over coins, on rows of one length with labels that are noisy."""
    check_additive(ls.SelectiveSampling())
    rng = np.random.default_rng(5)
    for n in (1, 4):
        X, u = rng.choice([-1.0, 1.0], (200, n)), rng.normal(size=n + 1)
        Z = np.column_stack((np.ones(200), X))
        for noise in (0.0, 0.1):
            y = (Z @ u > 0) ^ (rng.random(200) < noise)
            signed = np.where(y, 1, -1)[:, None] * Z
            mistakes = [ls.play(ls.SelectiveSampling(), ls.Recorded(X, y), seed=seed).mistakes for seed in range(30)]
            for size in (0.01, 0.1, 1.0, 10.0):
                hinge = np.maximum(0, 1 - signed @ (size * u)).sum()
                assert np.mean(mistakes) <= 6 * hinge + 1.8 * (n + 1) * size**2 * (u @ u)


def check_logistic():
    default = ls.Logistic()
    members = [*map(ls.AdaGrad, default.rates), *map(ls.Coin, default.wealths), *map(ls.Aioli, default.kappas)]
    for X, y, *_ in noisy_streams():
        loss, price = log_loss_of(default, X, y), math.log(len(members)) + math.log(len(y))
        assert all(loss <= log_loss_of(member, X, y) + price for member in members)
        assert ls.play(default, ls.Recorded(X, y)).mistakes <= loss / math.log(2)


def check_snow():
    rules = (ls.Perceptron(), ls.Winnow(threshold=2.0))
    player = ls.Player(ls.Snow(rules), classes=[False, True])
    ls.play(player, ls.Recorded(np.tile(AND, (9, 1)), AND.any(axis=1).tolist() * 9))
    assert player.tally.mistakes <= sum(rule.moves(unit) for rule, unit in zip(rules, player.state.units, strict=True))


def check_discarding():
    """Rows of 200 attributes, labelled by the first two, of which 4 have weights at any time."""
    rng, t = np.random.default_rng(0), 8
    player = ls.Player(ls.Discarding(ls.Winnow(threshold=float(t)), keep=4, by="seen"), classes=[False, True])
    promoted, demoted, wrongly, before = 0, 0, 0, set()
    for _ in range(1000):
        x = {int(i): 1 for i in sorted({*rng.integers(0, 200, 3).tolist(), *rng.integers(0, 8, 1).tolist()})}
        y, guess = bool(x.keys() & {0, 1}), player.predict(x)
        player.update(x, y)
        promoted, demoted = promoted + (y and not guess), demoted + (guess and not y)
        after = set(player.state.attributes.tolist())
        wrongly, before = wrongly + len((before - after) & {0, 1}), after
    assert wrongly > 0
    assert promoted <= (2 + wrongly) * (1 + math.ceil(math.log2(t)))
    assert demoted < 2 * int(player.state.counts[0]) / t + 2 * promoted


CHECKS = {
    "Consistent": check_consistent,
    "Halving": lambda: check_concepts(ls.Halving, lambda C, game: int(math.log2(C.size))),
    "RandomizedHalving": lambda: check_concepts(
        ls.RandomizedHalving, lambda C, game: sum(1 / i for i in range(2, C.size + 1)) + 1e-12, "expected"
    ),
    "StandardOptimal": lambda: check_concepts(ls.StandardOptimal, lambda C, game: ls.littlestone_dimension(C)),
    "NeverMiss": check_never_miss,
    "Elimination": check_elimination,
    "Closure": check_closure,
    "Memorizer": check_memorizer,
    "Logistic": check_logistic,
    "AdaGrad": lambda: check_losses(ls.AdaGrad(), lambda u, T, Z: (u**2 * math.sqrt(T + 1) / 2 + math.sqrt(T)).sum()),
    "Coin": check_coin,
    "Aioli": check_aioli,
    "Ridge": check_ridge,
    "CoinRegression": check_coin_regression,
    "Perceptron": lambda: check_additive(ls.Perceptron()),
    "AveragedPerceptron": lambda: check_additive(ls.AveragedPerceptron()),
    "VotedPerceptron": lambda: check_additive(ls.VotedPerceptron()),
    "AggressivePerceptron": lambda: check_additive(ls.AggressivePerceptron(), "mistakes"),
    "SelectiveSampling": check_selective_sampling,
    "AppleTasting": check_apple_tasting,
    "PassiveAggressive": check_passive_aggressive,
    "Alma": check_alma,
    "ShiftingPerceptron": lambda: check_rows(ls.ShiftingPerceptron(), lambda X, y: 4 * novikoff(X, y, 1.0)),
    "Romma": lambda: check_additive(ls.Romma()),
    "KernelPerceptron": lambda: check_certified(ls.KernelPerceptron()),
    "Forgetron": lambda: check_certified(ls.Forgetron()),
    "SecondOrderPerceptron": check_second_order_perceptron,
    "DiagonalSecondOrder": check_diagonal_second_order,
    "PNormPerceptron": lambda: check_additive(ls.PNormPerceptron()),
    "Arow": check_arow,
    "Ellipsoid": check_ellipsoid,
    "Winnow": check_winnow,
    "BalancedWinnow": check_balanced_winnow,
    "NaiveBayes": lambda: ls.play(ls.NaiveBayes(), ls.Recorded(AND, [False, False, False, True])),
    "Network": check_network,
    "Snow": check_snow,
    "Discarding": check_discarding,
    "WeightedMajority": lambda: check_experts(ls.WeightedMajority(), majority),
    "FallbackHalving": lambda: check_experts(
        ls.FallbackHalving(),
        lambda T, N, L: math.floor(math.log2(N)) + (1 + majority(T, N, L - 1) if L else 0),
    ),
    "RandomizedWeightedMajority": lambda: check_experts(
        ls.RandomizedWeightedMajority(), lambda T, N, L: (L * math.log(2) + math.log(N)) * 2
    ),
    "ImprovedMajority": lambda: check_experts(ls.ImprovedMajority(), lambda T, N, L: majority(T, N, L) / 2),
    "FollowTheLeader": lambda: check_experts(ls.FollowTheLeader(), lambda T, N, L: N * L + N - 1),
    "Hedge": check_hedge,
    "LabelEfficient": check_label_efficient,
    "AdaHedge": check_ada_hedge,
    "FixedShare": check_fixed_share,
    "Aggregating": check_aggregating,
}


WORDS = {  # what the checks above play: a change to a row of the table is a change to its check
    "Consistent": "mistakes ≤ concepts − survivors",
    "Halving": "mistakes ≤ ⌊lg concepts⌋",
    "RandomizedHalving": "expected mistakes ≤ H(concepts) − 1",
    "StandardOptimal": "mistakes ≤ Littlestone dimension, the optimum",
    "NeverMiss": "no miss, false accepts ≤ concepts − survivors",
    "Elimination": "mistakes ≤ n + 1 − literals of the target",
    "Closure": "mistakes ≤ 1 + d(m − 1)",
    "Memorizer": "mistakes ≤ distinct instances",
    "Logistic": "log-loss ≤ that of each member + ln K + ln T; mistakes of two classes ≤ log-loss / ln 2",
    "AdaGrad": "log-loss ≤ ℓ(u) + Σ (u²√(T + 1)/2 + √T)",
    "Coin": "log-loss ≤ ℓ(u) + Σ (1 + 2r(ln 2r + lg(T + 1)/2 − ¾)₊), r = abs(u)√(T + 1)",
    "Aioli": "log-loss ≤ ℓ(u) + ‖u‖²/20 + d ln(1 + 5T/4) where u·x is from −2 to 2",
    "Ridge": "square loss ≤ y₁² + that of y₁ + u·x + ‖u‖²/10 + Y² d ln(1 + 10T)",
    "CoinRegression": "absolute loss ≤ abs(y₁) + that of y₁ + u·x + Σ (E + 2r(ln(2r/E) + lg(T + 1)/2 − ¾)₊)",
    "Perceptron": "updates ≤ R²‖u‖²/γ²; a hinge form on any stream",
    "AveragedPerceptron": "as the Perceptron",
    "VotedPerceptron": "as the Perceptron; risk of the vote",
    "AggressivePerceptron": "mistakes ≤ R²‖u‖²/γ²",
    "SelectiveSampling": (
        "updates as the Perceptron; expected mistakes ≤ 6ℓ + 1.8R²‖u‖² if all rows have length R, ℓ the sum "
        "of 1 − y u·x where positive"
    ),
    "AppleTasting": "updates as the Perceptron inside, on what was accepted; expected mistakes ≤ M/q + qT₀",
    "PassiveAggressive": (
        'mistakes ≤ max(R², 1)(‖u‖² + 2ℓ), ℓ the sum of 1 − y u·x where positive; `variant="0"`: R²‖u‖² if ℓ = 0'
    ),
    "Alma": "updates ≤ A + ((A + 1)‖u‖/2Cγ)², A = 8/α − 6; a hinge form",
    "ShiftingPerceptron": "updates ≤ 4R²‖u‖²/γ²; a form for a u that moves",
    "Romma": "updates ≤ R²‖u‖²/γ²",
    "KernelPerceptron": "as the Perceptron, in that space",
    "Forgetron": "updates ≤ (32/17)((1 + D)‖u‖² + 2 Σ (1 − y u(x))₊), D what it shrank by",
    "SecondOrderPerceptron": "by the eigenvalues of the data; the ridge identity",
    "DiagonalSecondOrder": (
        "updates ≤ Σ (1 − y u·x)₊ + √(E Σ ln(1 + Lᵢ)), Lᵢ = Σ xᵢ², E = Σ (1 + Lᵢ) uᵢ², on the updates"
    ),
    "PNormPerceptron": "by a pair of dual norms",
    "Arow": "by the log-determinant of the data; the ridge identity; `diagonal=True`: its regret",
    "Ellipsoid": "mistakes ≤ 2d(d+1) ln(1 + R‖u‖/γ)",
    "Winnow": "mistakes ≤ 3k⌈lg n⌉ + 1 for k of n attributes",
    "BalancedWinnow": "updates ≤ 32/3 ln(2n)/δ² + ⌈lg 1/δ⌉; `margin=δ`: 2 ln(2n)/δ²",
    "NaiveBayes": "no theorem: 20 copies of an attribute that is right in 80 % of the rounds outvote a perfect one",
    "Network": "updates ≤ 2R²‖U‖²/γ²",
    "Snow": "no theorem for the winner; of each unit, its rule's own",
    "Discarding": (
        "no theorem without what left: u ≤ (k + D)(1 + ⌈lg t⌉), v < 2N/t + 2u for N admissions, D of them "
        "again of relevant attributes"
    ),
    "WeightedMajority": "mistakes ≤ 2.41(L + lg N)",
    "FallbackHalving": "mistakes ≤ ⌊lg N⌋ if L = 0, else ⌊lg N⌋ + 1 + 2.41(L − 1 + lg N)",
    "RandomizedWeightedMajority": "expected loss ≤ (L ln 1/β + ln N)/(1 − β)",
    "ImprovedMajority": "expected mistakes ≤ half of that",
    "FollowTheLeader": "mistakes ≤ N·L + N − 1",
    "Hedge": "regret ≤ √(T ln N); `Hedge.tuned(N, T)`: √(T ln N / 2)",
    "LabelEfficient": "expected regret ≤ √(10 T ln N)",
    "AdaHedge": "regret ≤ 2√(L(T−L) ln N / T) + 16/3 ln N + 2",
    "FixedShare": "regret against s switches",
    "Aggregating": "regret ≤ ln N / η, whatever T",
}


def test_every_row_is_played():
    assert [name for name, _ in TABLE] == list(CHECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_the_guarantee_is_kept_at_its_own_words(name):
    CHECKS[name]()


def test_the_words_are_those_that_are_played():
    assert dict(TABLE) == WORDS


def test_the_adversaries_that_attain_a_bound_do():
    concepts = ls.Thresholds(14)
    assert ls.play(ls.Halving(concepts), ls.Bisection(concepts)).mistakes == ls.Halving(concepts).bound().value
    assert ls.play(ls.Perceptron(bias=0), ls.BasisVectors(9)).updates == 9  # R = 1, margin 1/3
    optimal = ls.StandardOptimal(concepts)
    assert ls.play(optimal, ls.MistakeTree(concepts)).mistakes == ls.littlestone_dimension(concepts)


def certified_game(name):
    """A learner as the table has it, with a small stream that it takes."""
    kind = getattr(ls, name)
    if name in ("Consistent", "Halving", "NeverMiss", "RandomizedHalving", "StandardOptimal"):
        return kind(ls.Thresholds(6)), ls.Recorded([2, 5, 3, 6, 1], [x >= 3 for x in (2, 5, 3, 6, 1)])
    if name == "Closure":
        return kind(ls.Rectangles(4, 1)), ls.Recorded([(1,), (3,), (2,)], [True, False, True])
    if issubclass(kind, Experts) or name == "LabelEfficient":
        return kind(), ls.Panel(np.tile(AND, (5, 1)), np.tile([0.0, 0.0, 1.0, 1.0], 5))
    if name in ("Ridge", "CoinRegression"):
        return kind(), ls.Recorded(np.tile(AND, (9, 1)), np.arange(36) / 10)
    given = {"Network": (ls.Perceptron(),), "Snow": ((ls.Perceptron(),),), "Discarding": (ls.Perceptron(), 2)}
    learner = kind(*given.get(name, ()))
    return learner, ls.Recorded(np.tile(AND, (9, 1)), AND.any(axis=1).tolist() * 9)


@pytest.mark.parametrize(("name", "guarantee"), TABLE)
def test_every_learner_has_a_certificate_that_is_accepted_or_says_no_theorem(name, guarantee):
    learner, stream = certified_game(name)
    if "no theorem" in guarantee:
        with pytest.raises(ls.errors.NotCertified, match="no theorem"):
            ls.certify(learner, stream)
        return
    certificate = ls.certify(learner, stream)
    needed = learner if "concepts" in vars(learner) else None
    report = ls.verify(ls.Certificate.from_json(certificate.to_json()), stream, needed)
    assert certificate.holds
    assert report.counted == certificate.counted
