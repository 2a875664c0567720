"""What is true of a certificate of log-loss, worked out from the papers in plain float64, without checker or learner.

Each member is played by itself, in the units of the columns: G, S, M, the sums of steps, of their squares, and the
largest sizes. A unit says "this class or not"; two classes share one. What a mixture says of its members is not played
again: how much was lost is for the learner's own run to say.
"""

from collections.abc import Callable
from math import floor, log
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.labels import Labels

Array = Any
LN2 = log(2)


class Rounds(NamedTuple):
    """The rounds of a game: rows as the guard cuts them with the constant last, sizes before learning, classes."""

    X: Array
    M: Array  # the largest sizes, those of the row included, round by round
    codes: Array
    starts: list[int]  # the round with which each unit starts
    news: list[int]  # the rounds, from 1, whose class was not met before


class Toll(NamedTuple):
    """What a member makes a comparator pay beyond its loss, and the ridges of the floor."""

    price: float
    ridges: Array


def read_rounds(X: Any, y: list[Any], declared: list[Any], guard: bool, bias: float) -> Rounds:
    """The rounds as a learner sees them."""
    labels = Labels(declared)
    codes = np.array([labels.encode([label], 1 << 20)[0] for label in y])
    known = max(2, len(declared))
    starts, news = [0] * (1 if known == 2 else known), list[int]()
    for t, code in enumerate(codes.tolist()):
        if code >= known:
            starts = [0, 0] if len(starts) == 1 else starts
            starts, known = starts + [t] * (code + 1 - len(starts)), code + 1
            news.append(t + 1)
    rows = np.array(X, np.float64)
    largest, sizes = np.zeros(rows.shape[1]), np.zeros_like(rows)
    for x, M in zip(rows, sizes, strict=True):
        if guard:
            x[:] = np.where(largest > 0, np.clip(x, -2 * largest, 2 * largest), x)
        largest = np.maximum(largest, np.abs(x))
        M[:] = largest
    if bias:
        rows, sizes = np.column_stack((rows, np.ones(len(rows)))), np.column_stack((sizes, np.ones(len(rows))))
    return Rounds(rows, sizes, codes, starts, news)


def divide(x: Array, M: Array) -> Array:
    """x / M; 0 where nothing was met."""
    return np.divide(x, M, out=np.zeros_like(x), where=M > 0)


def price_ada_grad(rounds: Rounds, unit: int, u: Array, rate: float) -> Toll:
    """(sum of sqrt(s + 1) u^2) / (2 rate) + the sum of rate a^2 / (2 sqrt(s + 1))."""
    G, S, charged = np.zeros(len(u)), np.zeros(len(u)), 0.0
    for x, M, told in list_told(rounds, unit):
        a, s = divide(x, M), divide(S, M * M)
        pull = told - find_chance(rate * divide(G, M) / np.sqrt(s + 1) @ a)
        charged += rate * float(((pull * a) ** 2 / np.sqrt(s + 1)).sum()) / 2
        G, S = G + pull * x, S + (pull * x) ** 2
    ridges = np.sqrt(divide(S, rounds.M[-1] ** 2) + 1) / rate
    return Toll(float(ridges @ u**2) / 2 + charged, ridges)


def price_coin(rounds: Rounds, unit: int, u: Array, wealth: float, beforehand: bool) -> Toll:
    """The sum of u g + wealth - e, at least 0; beforehand, wealth and 2 |u| r (ln(2 |u| r / wealth) + Q / 2 - 3/4)+."""
    G, S, Q, e = np.zeros(len(u)), np.zeros(len(u)), np.zeros(len(u)), np.full(len(u), wealth)
    for x, M, told in list_told(rounds, unit):
        a, g, r = divide(x, M), divide(G, M), np.sqrt(divide(S, M * M) + 1)
        bets = np.clip(g / r, -1, 1) / (2 * r)
        step = (told - find_chance(float((bets * e) @ a))) * a
        e, Q = e * (1 + step * bets), Q + (step / r) ** 2
        G, S = G + step * M, S + (step * M) ** 2
    M = rounds.M[-1]
    g, r, met = divide(G, M), np.sqrt(divide(S, M * M) + 1), M > 0
    if not beforehand:
        return Toll(max(0.0, float((u * g + wealth - e)[met].sum())), r)
    reach = 2 * np.abs(u) * r
    inside = np.maximum(0, np.log(np.where(reach > 0, reach, 1) / wealth) + Q / 2 - 0.75)
    return Toll(wealth * int(met.sum()) + float((reach * inside).sum()), r)


def price_aioli(rounds: Rounds, unit: int, u: Array, kappa: float, ridge: float) -> Toll:
    """(ridge / 2) |u|^2 + D + (the sum of quadratics less losses of u)+, by A and b themselves."""
    many = len(u)
    bends, b, charged, slack = np.zeros((many, many)), np.zeros(many), 0.0, 0.0
    last = rounds.M[-1]
    for x, M, told in list_told(rounds, unit):
        met = np.flatnonzero(M)
        solved = np.linalg.solve(bends[np.ix_(met, met)] + np.diag(ridge * M[met] ** 2), x[met])
        ahead, spread = float(b[met] @ solved), float(x[met] @ solved)
        low, high = min(ahead, 0.0), max(ahead, 0.0)
        for _ in range(200):
            s = (low + high) / 2
            low, high = (low, s) if s - ahead + spread / 2 * np.tanh(s / 2) > 0 else (s, high)
        s = (low + high) / 2
        p = find_chance(s)
        slope, curve, behind = p - told, kappa * p * (1 - p), ahead - s
        charged += (spread * slope**2 - 2 * behind * slope - curve * behind**2) / (2 * (1 + curve * spread))
        z = float(u @ divide(x, last))
        near = find_loss(s, told) + slope * (z - s) + curve * (z - s) ** 2 / 2
        slack += near - find_loss(z, told)
        bends, b = bends + curve * np.outer(x, x), b + (curve * s - slope) * x
    ridges = np.full(many, ridge)
    return Toll(ridge * float(u @ u) / 2 + charged + max(0.0, slack), ridges)


def list_told(rounds: Rounds, unit: int) -> Any:
    """The rounds of a unit: row, sizes, and whether its class came."""
    start, own = rounds.starts[unit], 1 if len(rounds.starts) == 1 else unit
    return zip(rounds.X[start:], rounds.M[start:], (rounds.codes[start:] == own).astype(float), strict=True)


def find_chance(s: float) -> float:
    return float(np.exp(-np.logaddexp(0, -s)))


def find_loss(s: float, told: float) -> float:
    return float(np.logaddexp(0, -s if told else s))


def find_price(rounds: Rounds, unit: int, u: Array, name: str, about: dict[str, Any]) -> Toll:
    """What the member of that name makes u pay."""
    kind, _, rest = name.partition("(")
    number, _, more = rest.partition(")")
    price: dict[str, Callable[[], Toll]] = {
        "AdaGrad": lambda: price_ada_grad(rounds, unit, u, float(number)),
        "Coin": lambda: price_coin(rounds, unit, u, float(number), bool(more)),
        "Aioli": lambda: price_aioli(rounds, unit, u, float(number), float(about["ridge"])),
    }
    return price[kind]()


def measure_truth(X: Any, y: list[Any], about: dict[str, Any], witness: dict[str, Any]) -> dict[str, float]:
    """What the theorem gives with these comparators: bound, comparator, floor, zero, most_mistakes."""
    rounds = read_rounds(X, y, about.get("classes", []), bool(about["guard"]), float(about["bias"]))
    T, width, last = len(rounds.codes), rounds.X.shape[1], rounds.M[-1]
    kinds = ("rate", "wealth", "kappa")
    members = sum(len(about.get(f"{kind}s", [])) + (kind in about) for kind in kinds)
    if about["name"] == "Logistic" and not about["second_order"]:
        members -= len(about["kappas"])
    share = (log(members) + (log(T) if about.get("share", True) else 0.0)) if members > 1 else 0.0
    bound = losses = least = 0.0
    for unit, part in enumerate(witness["units"]):
        u = np.zeros(width)
        for attribute, k in zip(part["attributes"], part["numerators"], strict=True):
            u[attribute] = k / 2**20  # -1, the constant, is the last
        told = [(divide(x, last), float(y)) for x, _, y in list_told(rounds, unit)]
        loss = sum(find_loss(float(u @ x), y) for x, y in told)
        toll = find_price(rounds, unit, u, part["member"], about)
        chances = [(find_chance(-float(u @ x) if y else float(u @ x)), x if y else -x) for x, y in told]
        entropy = -sum(a * log(a) if 0 < a < 1 else 0.0 for p, _ in chances for a in (p, 1 - p))
        pulls = np.sum([a * x for a, x in chances], axis=0)
        bound, losses = bound + loss + toll.price + share, losses + loss
        if part["ridge"] > 0:
            least += max(0.0, entropy - float((pulls**2 / (2 * part["ridge"] * toll.ridges)).sum()))
    mistakes = LN2 if len(rounds.starts) == 1 else 2 * LN2
    return {
        "bound": bound + sum(log(t) for t in rounds.news),
        "comparator": losses,
        "floor": least,
        "zero": sum(T - start for start in rounds.starts) * LN2,
        "most_mistakes": len(rounds.news) + floor(bound / mistakes),
    }
