"""Each rule again, slow and plain, from the papers: what the fast code is compared with.

Nothing here imports the library. A concept is a Python function or a row of labels, a version space a list.
"""

import math
import re
import struct
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np

# --- version spaces -----------------------------------------------------------------------------------------------


def halving(table, rounds, labels=(False, True)):
    """Guesses of the halving algorithm. `table[h][x]` is the label concept h gives to x; `rounds` are (x, y)."""
    alive, guesses = list(range(len(table))), []
    for x, y in rounds:
        votes = [sum(table[h][x] == label for h in alive) for label in labels]
        guesses.append(labels[votes.index(max(votes))])
        alive = [h for h in alive if table[h][x] == y]
    return guesses


# --- concept classes: each a list of functions, in the order of the library's numbers -------------------------------


def parities(n):
    return [lambda x, c=c: sum(x[i] for i in range(n) if c >> i & 1) % 2 == 1 for c in range(2**n)]


def decision_lists(n):
    """Orders as digits say how many of those left are passed over, the first one asked fastest."""
    orders = []
    for digits in product(*(range(k) for k in range(1, n + 1))):  # the last digit is that of the first one asked
        left = list(range(n))
        orders.append([left.pop(digit) for digit in digits[::-1]])
    numbers = [(order, labels[::-1]) for order in orders for labels in product((0, 1), repeat=n + 1)]
    return [
        lambda x, order=order, labels=labels: bool(next((labels[1 + i] for i in order if x[i]), labels[0]))
        for order, labels in numbers
    ]


def thresholds(n):
    return [lambda i, j=j: i >= j for j in range(n + 2)]


def intervals(n):
    pairs = [(a, b) for b in range(n) for a in range(b + 1)]
    return [lambda x: False] + [lambda x, a=a, b=b: a <= x <= b for a, b in pairs]


def rectangles(m, d, empty):
    sides = [(a, b) for b in range(m) for a in range(b + 1)]
    boxes = [box[::-1] for box in product(sides, repeat=d)]  # the first axis varies fastest
    inside = [lambda x, box=box: all(a <= v <= b for v, (a, b) in zip(x, box, strict=True)) for box in boxes]
    return [lambda x: False] * empty + inside


def literal_sets(n, k, monotone):
    """Sets of (attribute, wanted bit) in the order of the library's numbers."""
    if k is None:
        choices = (None, 1) if monotone else (None, 1, 0)
        rows = [row[::-1] for row in product(choices, repeat=n)]
        return [[(i, bit) for i, bit in enumerate(row) if bit is not None] for row in rows]
    places = sorted(combinations(range(n), k), key=lambda chosen: chosen[::-1])
    signs = [(1,) * k] if monotone else [row[::-1] for row in product((1, 0), repeat=k)]
    return [list(zip(chosen, wanted, strict=True)) for chosen in places for wanted in signs]


def conjunctions(n, k=None, monotone=False):
    return [lambda x, s=s: all(x[i] == bit for i, bit in s) for s in literal_sets(n, k, monotone)]


def disjunctions(n, k=None, monotone=False):
    return [lambda x, s=s: any(x[i] == bit for i, bit in s) for s in literal_sets(n, k, monotone)]


def halfspaces(n, d):
    grid = [Fraction(w, n) for w in range(-n, n + 1)]
    weights = [row[::-1] for row in product(grid, repeat=d)]
    return [lambda x, w=w: sum(a * Fraction(b) for a, b in zip(w, x, strict=True)) > 0 for w in weights]


def programs(bits, steps):
    strings = ["".join(row) for length in range(bits + 1) for row in product("01", repeat=length)]
    return [lambda x, s=s: run_program(s, x, steps) for s in strings]


def run_program(string, x, steps):
    """The label of x: instructions are pairs of bits from the string's end; counter, flag and place are the machine."""
    pairs = [string[i - 2 : i] for i in range(len(string), 1, -2)]
    counter, flag, place = x, False, 0
    for _ in range(steps):
        if place >= len(pairs):
            return flag
        pair, place = pairs[place], place + 1
        if pair in ("00", "10") and counter == 0:
            return flag
        if pair == "00":
            counter -= 1
        elif pair == "01":
            flag = not flag
        elif pair == "10":
            place += counter % 2
            counter //= 2
        else:
            place = 0
    return flag and place >= len(pairs)


def real_thresholds(n, rounds):
    """Halving on {0, 1/n, ..., 1} by two real ends l < r: guesses on (i, y), i/n the instance; and the last ends."""
    l, r = Fraction(-1, 2 * n), Fraction(2 * n + 1, 2 * n)
    guesses, ends = [], []
    for i, y in rounds:
        x = Fraction(i, n)
        guesses.append((x - l) - (r - x) > 0)
        if l < x < r:
            l, r = (l, x - Fraction(1, 2 * n)) if y else (x + Fraction(1, 2 * n), r)
        ends.append((l, r))
    return guesses, ends


# --- dimensions and game values -----------------------------------------------------------------------------------


def littlestone_dimension(table):
    """The definition, with a version space as a set of different rows; -1 for none."""
    rows = sorted(set(map(tuple, table)))
    best = min(len(rows), 1) - 1
    for x in range(len(rows[0]) if rows else 0):
        groups = [[row for row in rows if row[x] == y] for y in {row[x] for row in rows}]
        if len(groups) > 1:
            best = max(best, 1 + sorted(littlestone_dimension(group) for group in groups)[-2])
    return best


def vc_dimension(table):
    """The largest set of columns in which the rows show every pattern."""
    columns = range(len(table[0]))
    shattered = [
        size
        for size in range(len(columns) + 1)
        for some in combinations(columns, size)
        if len({tuple(row[x] for x in some) for row in table}) == 2**size
    ]
    return max(shattered)


def standard_optimal(table, rounds, labels=(False, True)):
    """Guesses of the standard optimal algorithm; `table` and `rounds` as for halving."""
    alive, guesses = list(table), []
    for x, y in rounds:
        dimensions = [littlestone_dimension([row for row in alive if row[x] == label]) for label in labels]
        guesses.append(labels[dimensions.index(max(dimensions))])
        alive = [row for row in alive if row[x] == y]
    return guesses


def version_space_game(table, rule, labels=(False, True)):
    """The most mistakes that can be forced on guesses that are a function of the consistent rows alone.

    `rule(rows, x)` is the guess. A round on which all rows agree changes nothing, so it is never asked; every other
    one removes a row, so the recursion ends. (A learner that errs where all rows agree could be made to err for ever.)
    """
    best = 0
    for x in range(len(table[0])):
        groups = [(y, [row for row in table if row[x] == y]) for y in labels]
        groups = [(y, group) for y, group in groups if group]
        for y, group in groups:
            if len(groups) > 1:
                best = max(best, (rule(table, x) != y) + version_space_game(group, rule, labels))
    return best


def consistent(table, rounds, draw=lambda deaths, among: 0):
    """Guesses of the consistent learner that follows the survivor of rank `draw(rounds that killed, survivors)`."""
    alive, guesses, deaths = list(range(len(table))), [], 0
    for x, y in rounds:
        guesses.append(table[alive[draw(deaths, len(alive))]][x])
        left = [h for h in alive if table[h][x] == y]
        alive, deaths = left, deaths + (len(left) < len(alive))
    return guesses


def randomized_halving(table, rounds, draw):
    """Guesses of randomized halving, which in round t = 0, 1, ... follows the survivor of rank `draw(t, survivors)`."""
    alive, guesses = list(range(len(table))), []
    for t, (x, y) in enumerate(rounds):
        guesses.append(table[alive[draw(t, len(alive))]][x])
        alive = [h for h in alive if table[h][x] == y]
    return guesses


def randomized_halving_expectation(table, rounds):
    """The expected mistakes, by trying every draw of every round."""
    alive, total = list(range(len(table))), Fraction(0)
    for x, y in rounds:
        total += Fraction(sum(table[h][x] != y for h in alive), len(alive))
        alive = [h for h in alive if table[h][x] == y]
    return total


# --- literals, boxes, memory --------------------------------------------------------------------------------------


def true_literals(x):
    """The literals true in a 0/1 vector: (place, True) for a variable, (place, False) for its negation."""
    return {(i, bool(value)) for i, value in enumerate(x)}


def says(target, literals, x):
    """The label that the OR, or the AND, of a set of literals gives to a 0/1 vector."""
    if target == "disjunction":
        return int(any(literal in true_literals(x) for literal in literals))
    return int(all(literal in true_literals(x) for literal in literals))


def elimination(target, monotone, n, rounds):
    """Guesses and final literals of elimination over n declared variables; None is the guess of a refused round."""
    literals = {(i, sign) for i in range(n) for sign in ((True,) if monotone else (True, False))}
    guesses = []
    for x, y in rounds:
        guess = says(target, literals, x)
        if target == "disjunction" and y == 0:
            literals -= true_literals(x)
        elif target == "conjunction" and y == 1:
            literals &= true_literals(x)
        elif guess != y:
            guess = None
        guesses.append(guess)
    return guesses, literals


def shortest_consistent(target, literals, rounds):
    """The fewest of the literals whose OR, or AND, labels every round; None if no choice does."""
    for size in range(len(literals) + 1):
        for chosen in combinations(sorted(literals), size):
            if all(says(target, chosen, x) == y for x, y in rounds):
                return size
    return None


def closure(rounds):
    """Guesses of the closure algorithm for boxes: is x between the positive points so far in every coordinate?"""
    positives, guesses = [], []
    for x, y in rounds:
        between = (min(p[i] for p in positives) <= x[i] <= max(p[i] for p in positives) for i in range(len(x)))
        guesses.append(int(bool(positives) and all(between)))
        if y:
            positives.append(x)
    return guesses


def memorizer(rounds):
    """Guesses of the memorizer: the label of the latest round with this instance, else 0."""
    return [next((y for z, y in reversed(rounds[:t]) if z == x), 0) for t, (x, _) in enumerate(rounds)]


def conservative(guess_after, rounds):
    """Guesses of a learner that is run afresh on its mistakes; `guess_after(history, x)` is the learner's guess."""
    mistakes, guesses = [], []
    for x, y in rounds:
        guess = guess_after(mistakes, x)
        guesses.append(guess)
        if guess != y:
            mistakes.append((x, y))
    return guesses


# --- second order and dual ----------------------------------------------------------------------------------------
# Rounds are (x, y) with x a list of numbers and y = +1 or -1. A rule returns the score of every round.


def _dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def _times(matrix, v):
    return [_dot(row, v) for row in matrix]


def _identity(d):
    return [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]


def ellipsoid(rounds, deep=False):
    """Scores, centre and shape; a cut that misses the ellipsoid, or one of an interval, is made through the centre."""
    d = len(rounds[0][0])
    w, A, scores = [0.0] * d, [[float(i == j) for j in range(d)] for i in range(d)], []
    for x, y in rounds:
        scores.append(_dot(w, x))
        spread = _dot(x, _times(A, x))
        if y * scores[-1] > 0 or spread <= 0:
            continue
        g = [entry / math.sqrt(spread) for entry in _times(A, x)]
        alpha = -y * scores[-1] / math.sqrt(spread) if deep else 0.0
        alpha = alpha if alpha < 1 and d > 1 else 0.0
        w = [w[i] + y * (1 + d * alpha) / (d + 1) * g[i] for i in range(d)]
        if d == 1:
            A = [[A[0][0] / 4]]
            continue
        stretch, lost = d * d * (1 - alpha * alpha) / (d * d - 1), 2 * (1 + d * alpha) / ((d + 1) * (1 + alpha))
        A = [[stretch * (A[i][j] - lost * g[i] * g[j]) for j in range(d)] for i in range(d)]
    return scores, w, A


def arow(rounds, r=Fraction(1), diagonal=False):
    """Scores, weights and covariance, exactly; a diagonal in floats: the fractions of its weights grow fast."""
    d = len(rounds[0][0])
    w, S, scores = [Fraction(0)] * d, _identity(d), []
    if diagonal:
        r, w, S = float(r), [0.0] * d, [[float(entry) for entry in row] for row in S]
    for x, y in rounds:
        scores.append(_dot(w, x))
        if y * scores[-1] >= 1:
            continue
        Sx = _times(S, x)
        beta = 1 / (_dot(x, Sx) + r)
        alpha = (1 - y * scores[-1]) * beta
        w = [w[i] + alpha * y * Sx[i] for i in range(d)]
        if diagonal:  # of the inverse, to which an update adds x x' / r
            S = [[1 / (1 / S[i][i] + x[i] * x[i] / r) if i == j else 0.0 for j in range(d)] for i in range(d)]
        else:
            S = [[S[i][j] - beta * Sx[i] * Sx[j] for j in range(d)] for i in range(d)]
    return scores, w, S


def arow_network(rounds, classes, r=1.0, updates="winner"):
    """All scores before each round, and the weights of each class: diagonal AROW, the true class against its rival.

    Or every class against all others, each on its own. Classes are numbered, and all are known.
    """
    d = len(rounds[0][0])
    w, squares, scores = [[0.0] * d for _ in range(classes)], [[0.0] * d for _ in range(classes)], []
    for x, y in rounds:
        now = [_dot(w[c], x) for c in range(classes)]
        scores.append(now)
        rival = max((c for c in range(classes) if c != y), key=lambda c: (now[c], -c))
        if updates == "winner":
            games = [(now[y] - now[rival], [(y, 1), (rival, -1)])]
        else:
            games = [(now[c] if c == y else -now[c], [(c, 1 if c == y else -1)]) for c in range(classes)]
        for agreement, units in games:
            if agreement >= 1:
                continue
            spread = sum(x[i] ** 2 * r / (r + squares[c][i]) for c, _ in units for i in range(d))
            for c, sign in units:
                for i in range(d):
                    w[c][i] += sign * (1 - agreement) / (spread + r) * x[i] * r / (r + squares[c][i])
                    squares[c][i] += x[i] ** 2
    return scores, w


def second_order_perceptron(rounds, a=Fraction(1)):
    """Scores as in the paper, with the current x in the matrix too; by elimination, without any inverse kept."""
    d = len(rounds[0][0])
    v, M, scores = [Fraction(0)] * d, [[a * entry for entry in row] for row in _identity(d)], []
    for x, y in rounds:
        after = [[M[i][j] + x[i] * x[j] for j in range(d)] for i in range(d)]
        scores.append(_dot(v, _solved(after, x)))
        if y * scores[-1] <= 0:
            v, M = [v[i] + y * x[i] for i in range(d)], after
    return scores


def diagonal_second_order(rounds, r=Fraction(1), margin=Fraction(0)):
    """Scores with the current row in the diagonal, the sums of rows and the diagonal at the end, and the updates."""
    d = len(rounds[0][0])
    total, diagonal, scores, updates = [Fraction(0)] * d, [Fraction(r)] * d, [], []
    for t, (x, y) in enumerate(rounds):
        x = [Fraction(value) for value in x]
        scores.append(sum((x[i] * total[i] / (diagonal[i] + x[i] ** 2) for i in range(d)), Fraction(0)))
        if y * scores[-1] <= margin:
            total = [total[i] + y * x[i] for i in range(d)]
            diagonal = [diagonal[i] + x[i] ** 2 for i in range(d)]
            updates.append(t)
    return scores, total, diagonal, updates


def ridge_terms(rows, r=Fraction(1)):
    """1 - w.z and z'Sz of rows z = y x of a growing ridge regression, one by one, and its weights at the end."""
    d = len(rows[0])
    w, S, terms = [Fraction(0)] * d, _identity(d), []
    for z in rows:
        Sz = _times(S, z)
        loss, spread = 1 - _dot(w, z), _dot(z, Sz)
        w = [w[i] + loss / (spread + r) * Sz[i] for i in range(d)]
        S = [[S[i][j] - Sz[i] * Sz[j] / (spread + r) for j in range(d)] for i in range(d)]
        terms.append((loss, spread))
    return terms, w


def _solved(matrix, right):
    """The z with matrix z = right, by elimination in fractions; the matrix is positive definite."""
    rows = [[Fraction(entry) for entry in row] + [Fraction(b)] for row, b in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def kernel_perceptron(rounds, K, budget=None, victim=lambda kept: 0):
    """Scores, and the examples kept; `victim(kept)` is the one that goes when there is no room for another."""
    kept, scores = [], []
    for x, y in rounds:
        scores.append(sum(sign * K(z, x) for z, sign in kept))
        if y * scores[-1] <= 0:
            if budget is not None and len(kept) == budget:
                kept.pop(victim(kept))
            kept.append((x, y))
    return scores, kept


def forgetron(rounds, K, budget):
    """Scores, the rows kept with their coefficients, and the sums Q and D; the factor is found by bisection."""
    kept, scores, mistakes, Q, D = [], [], 0, 0.0, 0.0
    for x, y in rounds:
        scores.append(sum(c * K(z, x) for z, c in kept))
        if y * scores[-1] <= 0:
            kept.append((x, y))
            mistakes += 1
            if len(kept) > budget:
                oldest, c = kept[0]
                size, agreement = abs(c), (1 if c > 0 else -1) * sum(b * K(z, oldest) for z, b in kept)

                def cost(part, size=size, agreement=agreement):
                    return (size * part) ** 2 + 2 * size * part - 2 * size * part * (part * agreement)

                low, high = 0.0, 1.0
                if Q + cost(1.0) > 15 / 32 * mistakes:
                    for _ in range(200):
                        middle = (low + high) / 2
                        low, high = (middle, high) if Q + cost(middle) <= 15 / 32 * mistakes else (low, middle)
                    high = low
                Q, D = Q + cost(high), D + (1 - high) / (1 + high)
                kept = [(z, b * high) for z, b in kept[1:]]
    return scores, kept, (Q, D)


def voted_perceptron(rounds):
    """Scores of the hypothesis that plays, and the list of (vector, rounds survived)."""
    v, c, voters, scores = [0] * len(rounds[0][0]), 1, [], []
    for x, y in rounds:
        scores.append(_dot(v, x))
        if y * scores[-1] <= 0:
            voters.append((v, c))
            v, c = [a + y * b for a, b in zip(v, x, strict=True)], 1
        else:
            c += 1
    return scores, [*voters, (v, c)]


def vote(voters, x):
    """The sum of rounds survived times the sign of the score."""
    return sum(c * ((_dot(v, x) > 0) - (_dot(v, x) < 0)) for v, c in voters)


def p_norm_perceptron(rounds, p):
    """Scores up to a positive factor, and the sum of the examples erred on; exact for an integer p."""
    t, scores = [0] * len(rounds[0][0]), []
    for x, y in rounds:
        scores.append(_dot([(-1 if a < 0 else 1) * abs(a) ** (p - 1) for a in t], x))
        if y * scores[-1] <= 0:
            t = [a + y * b for a, b in zip(t, x, strict=True)]
    return scores, t


# --- additive learners --------------------------------------------------------------------------------------------
# Rounds are (x, y) with x a list of numbers (any type with exact or float arithmetic) and y True or False. Each twin
# returns the guesses and the weights it ends with, the constant attribute's weight last.


def _additive(rounds, step, bias, tie, enough, n):
    w, guesses, updates = [0] * (n + 1), [], 0
    for x, label in rounds:
        x = [*x, bias]
        y = 1 if label else -1
        score = sum(a * b for a, b in zip(w, x, strict=True))
        guess = score > 0 or (score == 0 and tie == "plus")
        guesses.append(guess)
        if y * score < enough or (y * score == enough and (enough > 0 or tie == "strict" or guess != label)):
            tau = step(y * score, sum(a * a for a in x))
            w = [a + tau * y * b for a, b in zip(w, x, strict=True)]
            updates += tau != 0
    return guesses, w, updates


def perceptron(rounds, n, rate=1, margin=0, bias=1, tie="strict", normalized=False):
    def step(_, norm):
        return (rate / math.sqrt(norm) if norm else 0) if normalized else rate

    return _additive(rounds, step, bias, tie, margin, n)


def aggressive_perceptron(rounds, n, bias=1, tie="strict"):
    """Repeat the example until it is on the right side."""

    def step(agreement, norm):
        copies = 0
        while norm and agreement + copies * norm <= 0:
            copies += 1
        return copies

    return _additive(rounds, step, bias, tie, 0, n)


def passive_aggressive(rounds, n, variant="I", aggressiveness=1, margin=1, bias=1):
    def step(agreement, norm):
        loss = max(0, margin - agreement)
        if norm == 0:
            return 0
        if variant == "II":
            return loss / (norm + 1 / (2 * aggressiveness))
        return min(aggressiveness, loss / norm) if variant == "I" else loss / norm

    return _additive(rounds, step, bias, "strict", margin, n)


def _taught(rounds, n, bias, update):
    """Play by the sign of w.x; `update(w, z, updates)`, with z = y x, is the next w, or None if nothing was learned."""
    w, guesses, updates = [0] * (n + 1), [], 0
    for x, label in rounds:
        x = [*x, bias]
        guesses.append(_dot(w, x) > 0)
        after = update(w, x if label else [-a for a in x], updates)
        if after is not None:
            w, updates = after, updates + 1
    return guesses, w, updates


def alma(rounds, n, alpha=0.5, margin=None, rate=2**0.5, bias=1):
    """Unit rows, steps that shrink, and back into the unit ball."""

    def update(w, z, updates):
        length, k = math.sqrt(_dot(z, z)), updates + 1
        asked = (1 - alpha) * (math.sqrt(8) / alpha if margin is None else margin) / math.sqrt(k)
        if length == 0 or _dot(w, z) / length > asked:
            return None
        w = [a + rate / math.sqrt(k) * b / length for a, b in zip(w, z, strict=True)]
        longer = max(1, math.sqrt(_dot(w, w)))
        return [a / longer for a in w]

    return _taught(rounds, n, bias, update)


def shifting_perceptron(rounds, n, shift=2, bias=1):
    """The k-th update is a mean of the old weights and the example, shift parts of it against k."""

    def update(w, z, updates):
        if _dot(w, z) > 0:
            return None
        part = Fraction(shift, shift + updates + 1)
        return [(1 - part) * a + part * b for a, b in zip(w, z, strict=True)]

    return _taught(rounds, n, bias, update)


def romma(rounds, n, aggressive=False, bias=1):
    """The shortest of all v with v.z >= 1 and v.w >= |w|^2: on the edge of one half-space, or of both."""

    def update(w, z, updates):
        agreement, square = _dot(w, z), _dot(z, z)
        if square == 0 or (agreement >= 1 if aggressive else agreement > 0):
            return None
        alone, length = [a / square for a in z], _dot(w, w)
        if _dot(alone, w) >= length:  # the other half-space asks nothing
            return alone
        across = [b - agreement / length * a for a, b in zip(w, z, strict=True)]  # orthogonal to w: v.w stays |w|^2
        if _dot(across, z) <= 0:
            return alone
        v = [a + (1 - agreement) / _dot(across, z) * b for a, b in zip(w, across, strict=True)]
        return v if _dot(v, v) * square <= 2**40 else alone

    return _taught(rounds, n, bias, update)


def averaged_perceptron(rounds, n, rate=1, margin=0, bias=1, tie="strict"):
    """Guesses as the perceptron's; the weights are the mean of those after each round."""
    total, guesses = [0] * (n + 1), []
    for t in range(len(rounds)):
        guesses, w, updates = perceptron(rounds[: t + 1], n, rate, margin, bias, tie)
        total = [a + b for a, b in zip(total, w, strict=True)]
    return guesses, [a / len(rounds) for a in total], updates


def network(rounds, n, margin=0, bias=1, updates="winner", step=None, known=2):
    """Guesses and weights of a network of Perceptrons (or of units with another step). Labels are class numbers."""
    step = step or (lambda agreement, norm: 1)
    w, guesses = {c: [0] * (n + 1) for c in range(known)}, []

    def score(c, x):
        return sum(a * b for a, b in zip(w[c], x, strict=True)) if c in w else 0

    def move(c, x, size):
        w[c] = [a + size * b for a, b in zip(w.get(c, [0] * (n + 1)), x, strict=True)]

    for x, y in rounds:
        x = [*x, bias]
        norm = sum(a * a for a in x)
        guesses.append(max(sorted(w), key=lambda c: (score(c, x), -c)))
        if updates == "winner":
            rival = max((c for c in sorted(w) if c != y), key=lambda c: (score(c, x), -c))
            gap = score(y, x) - score(rival, x)
            w.setdefault(y, [0] * (n + 1))
            if gap <= margin:
                size = step(gap, 2 * norm)
                move(y, x, size)
                move(rival, x, -size)
        else:
            w.setdefault(y, [0] * (n + 1))
            for c in range(max(w) + 1):
                sign = 1 if c == y else -1
                agreement = sign * score(c, x)
                if agreement <= margin:
                    move(c, x, sign * step(agreement, norm))
    return guesses, w


def naive_bayes(rounds, smoothing=1, known=2):
    """Guesses of multinomial naive Bayes; rounds are (counts, class number)."""
    shown, met, guesses, seen = {}, {}, [], set()
    for t, (x, y) in enumerate(rounds):
        odds = []
        for c in range(known):
            total = sum(shown.get((i, c), 0) for i in seen)
            value = math.log((met.get(c, 0) + 1) / (t + known))
            for i, count in enumerate(x):
                value += count * math.log((shown.get((i, c), 0) + smoothing) / (total + smoothing * (len(seen) + 1)))
            odds.append(value)
        guesses.append(odds.index(max(odds)))
        for i, count in enumerate(x):
            shown[i, y] = shown.get((i, y), 0) + count
            seen |= {i} if count else set()
        met[y] = met.get(y, 0) + 1
        known = max(known, y + 1)
    return guesses


def _snow_unit(kind, threshold=4, margin=0):
    """A unit over rows that are dicts: its score, whether that is a yes, and how it learns; weights on demand."""
    w, shown, met = {}, {}, [0, 0]

    def score(x):
        if kind == "winnow":
            return sum((w.get(i, Fraction(1)) for i, v in x.items() if v), Fraction(0)) - threshold
        if kind == "perceptron":
            return sum(w.get(i, 0) * v for i, v in {**x, "constant": 1}.items())
        names, odds = {i for i, _ in shown}, []
        for c in (0, 1):
            total = sum(shown.get((i, c), 0) for i in names)
            odds.append(math.log((met[c] + 1) / (sum(met) + 2)))
            odds[c] += sum(v * math.log((shown.get((i, c), 0) + 1) / (total + len(names) + 1)) for i, v in x.items())
        return odds[1] - odds[0]

    def says_yes(x):
        return score(x) >= 0 if kind == "winnow" else score(x) > 0

    def learn(x, y):
        agreement = score(x) if y else -score(x)
        if kind == "winnow" and (agreement < margin or (agreement == margin and not y)):
            w.update({i: w.get(i, Fraction(1)) * (2 if y else Fraction(1, 2)) for i, v in x.items() if v})
        if kind == "perceptron" and agreement <= margin:
            w.update({i: w.get(i, 0) + (v if y else -v) for i, v in {**x, "constant": 1}.items()})
        if kind == "naive bayes":
            met[y] += 1
            for i, v in x.items():
                if v:
                    shown[i, int(y)] = shown.get((i, int(y)), 0) + v

    return score, says_yes, learn


def snow(rounds, rules, attributes=(), listens=(), known=2):
    """Guesses of a network of different units; rounds are (dict of values, class number), rules are words and numbers.

    A target that listens to others must come after them.
    """
    units, guesses = [], []
    for x, y in rounds:

        def view(c, said, x=x):
            linked = attributes[c] if c < len(attributes) else None
            row = {i: v for i, v in x.items() if linked is None or i in linked}
            return row | {("target", b): 1 for b in (listens[c] if c < len(listens) else ()) if said[b]}

        while len(units) < max(known, y + 1):
            units.append(_snow_unit(*rules[min(len(units), len(rules) - 1)]))
        said, rows = [], []
        for c, (_, says_yes, _) in enumerate(units):
            rows.append(view(c, [*said, *[False] * len(listens)]))
            said.append(says_yes(rows[c]))
        scores = [units[c][0](rows[c]) for c in range(known)]
        guesses.append(scores.index(max(scores)))
        known = max(known, y + 1)
        for c in range(known):
            units[c][2](rows[c], c == y)
    return guesses


def discarding(rounds, keep, by="weight", threshold=None):
    """Guesses and what left, as (round, attribute, weight), of a Perceptron without bias, or of Winnow.

    Rounds are (set of attributes, truth value). Slots are tried in order, so that ties go to the first one.
    """
    slots, guesses, left = [], [], []  # a slot: attribute, weight, seen
    for t, (x, y) in enumerate(rounds):
        known = {slot[0]: slot for slot in slots}
        score = sum(known[i][1] for i in x & known.keys())
        guesses.append(score > 0 if threshold is None else score >= threshold)
        teaches = (score if y else -score) <= 0 if threshold is None else guesses[-1] != y
        for i in x & known.keys():
            known[i][2] += 1
            if teaches and threshold is None:
                known[i][1] += 1 if y else -1
            elif teaches:
                known[i][1] *= Fraction(2) if y else Fraction(1, 2)
        admits = sorted(x - known.keys()) if teaches and (y or threshold is None) else []
        for i in admits:
            weight = Fraction(1) if y else Fraction(-1)
            if len(slots) < keep:
                slots.append([i, weight, 1])
                continue
            others = [slot for slot in slots if slot[0] not in x]
            key = {"weight": lambda slot: (abs(slot[1]), slot[2]), "seen": lambda slot: (slot[2], abs(slot[1]))}
            victim = min(others, key=key[by])
            left.append((t, victim[0], victim[1]))
            victim[:] = [i, weight, 1]
    return guesses, left


# --- multiplicative learners --------------------------------------------------------------------------------------
# In fractions: a promotion such as 2 or Fraction(5, 4) gives the game of the theorem, without rounding.


def winnow(rounds, n, promotion=2, threshold=None, margin=0, floor=0, eliminate=False, strict_gt=False):
    """Guesses, final weights and updates; x is a list of 0s and 1s, y True or False."""
    b, theta = Fraction(promotion), Fraction(n if threshold is None else threshold)
    above, below = theta + Fraction(margin), theta - Fraction(margin)
    w, guesses, updates = [Fraction(1)] * n, [], 0
    for x, y in rounds:
        score = sum(a for a, active in zip(w, x, strict=True) if active)
        guesses.append(score > theta if strict_gt else score >= theta)
        promote = y and (score <= above if strict_gt else score < above)
        demote = not y and (score > below if strict_gt else score >= below)
        updates += promote or demote
        for i in range(n):
            if x[i] and promote:
                w[i] *= b
            if x[i] and demote:
                w[i] = Fraction(0) if eliminate else max(w[i] / b, Fraction(floor))
    return guesses, w, updates


def balanced_winnow(rounds, n, factor, bias=1):
    """Guesses, final exponents (the constant attribute's last) and updates; x has entries -1, 0 and 1."""
    a, k, guesses, updates = Fraction(factor), [0] * (n + 1), [], 0
    for x, label in rounds:
        x = [*x, bias]
        score = sum((a**e - a**-e) * v for e, v in zip(k, x, strict=True))
        guesses.append(score > 0)
        y = 1 if label else -1
        if y * score <= 0:
            k = [e + y * v for e, v in zip(k, x, strict=True)]
            updates += 1
    return guesses, k, updates


def restarted_balanced_winnow(rounds, n, bias=1):
    """Balanced Winnow in phases j = 1, 2, ... for margins 2^-j; updates of each phase, in floats but summed exactly."""
    k, guesses, phases, highest = [0] * (n + 1), [], [0], 0
    for x, label in rounds:
        d = 2.0 ** -len(phases)
        if phases[-1] > 2 * math.log(2 * max(highest, 1)) / d**2:
            k, highest = [0] * (n + 1), 0
            phases.append(0)
            d /= 2
        a, x = math.sqrt((1 + d) / (1 - d)), [*x, bias]
        score = math.fsum((a**e - a**-e) * v for e, v in zip(k, x, strict=True))
        guesses.append(score > 0)
        y = 1 if label else -1
        if y * score <= 0:
            k = [e + y * v for e, v in zip(k, x, strict=True)]
            phases[-1] += 1
            highest = max([highest, bias, *(i + 1 + bias for i in range(n) if x[i])])
    return guesses, k, phases


# --- feature maps -------------------------------------------------------------------------------------------------


def product_sets(n, degree):
    """The sets of 1 to `degree` of n attributes in the order of the library's numbers, highest attribute first."""
    return sorted(chosen[::-1] for size in range(1, degree + 1) for chosen in combinations(range(n), size))


def interactions(rounds, degree):
    """The rounds with every x replaced by all its products, as another learner may then play them."""
    return [([math.prod(x[i] for i in chosen) for chosen in product_sets(len(x), degree)], y) for x, y in rounds]


# --- expert advice ------------------------------------------------------------------------------------------------
# Rounds are (forecasts, outcome); None is an expert that sleeps. Each twin keeps plain weights, exact with fractions.


def weighted_majority(rounds, penalty, n):
    """Guesses and marks. A sleeper shares the pool's mistakes; a vote needs more than half of the weight awake."""
    marks, guesses = [0] * n, []
    for votes, y in rounds:
        awake = [i for i in range(n) if votes[i] is not None]
        low = min(marks[i] for i in awake)  # so that with penalty 0 the least bad still vote
        ones = sum(penalty ** (marks[i] - low) for i in awake if votes[i] == 1)
        guess = int(2 * ones > sum(penalty ** (marks[i] - low) for i in awake))
        guesses.append(guess)
        for i in range(n):
            marks[i] += (votes[i] != y) if votes[i] is not None else (guess != y)
    return guesses, marks


def fallback_halving(rounds, penalty, n):
    """Guesses and marks: the majority of those without a mark while there are any, then by weight."""
    marks, guesses = [0] * n, []
    for votes, y in rounds:
        base = 0 if min(marks) == 0 else penalty
        awake = [i for i in range(n) if votes[i] is not None]
        low = min(marks[i] for i in awake)
        lead = sum(base ** (marks[i] - low) * (1 if votes[i] == 1 else -1) for i in awake)
        guess = int(lead > 0)
        guesses.append(guess)
        for i in range(n):
            marks[i] += (votes[i] != y) if votes[i] is not None else (guess != y)
    return guesses, marks


def randomized_weighted_majority(rounds, penalty, n, curve=lambda r: r):
    """Expected mistakes and weights when the learner says 1 with probability curve(share of the weight for 1)."""
    weights, expected = [Fraction(1)] * n, 0
    for votes, y in rounds:
        share = sum(w * v for w, v in zip(weights, votes, strict=True)) / sum(weights)
        expected += abs(curve(share) - y)
        weights = [w * (penalty if v != y else 1) for w, v in zip(weights, votes, strict=True)]
    return expected, weights


def improved_majority(rounds, penalty, n, vovk=False):
    """Expected mistakes and weights with the better curve."""
    return randomized_weighted_majority(rounds, penalty, n, improved_curve(penalty, vovk))


def improved_curve(b, vovk=False):
    """F(r) of the improved weighted majority."""
    if vovk:
        return lambda r: math.log(1 - r + r * b) / (math.log(1 - r + r * b) + math.log(r + (1 - r) * b))
    c = (1 + b) * math.log(2 / (1 + b)) / (2 * (1 - b))
    return lambda r: min(max(0.5 + (2 * r - 1) / (4 * c), 0), 1)


def hedge(rounds, loss, n, rate_of, guess_of=None):
    """Guesses, mean losses and losses; `rate_of(t, gap)` is the rate of round t from 1 on; sleepers pay the mix."""
    charges, losses, guesses, means, gap = [0.0] * n, [0.0] * n, [], [], 0.0
    for t, (forecasts, y) in enumerate(rounds, 1):
        awake, rate = [i for i in range(n) if forecasts[i] is not None], rate_of(t, gap)
        low = min(charges[i] for i in awake)
        if rate == math.inf:
            weights = [1.0 if charges[i] == low else 0.0 for i in awake]
        else:
            weights = [math.exp(-rate * (charges[i] - low)) for i in awake]
        shares = [w / sum(weights) for w in weights]
        costs = [loss(forecasts[i], y) for i in awake]
        if guess_of is None:
            guesses.append(sum(p * forecasts[i] for p, i in zip(shares, awake, strict=True)))
        else:
            guesses.append(guess_of(shares, [forecasts[i] for i in awake], rate))
        mean = sum(p * c for p, c in zip(shares, costs, strict=True))
        means.append(mean)
        if rate == math.inf:
            mix = min(c for p, c in zip(shares, costs, strict=True) if p)
        else:
            mix = -math.log(sum(p * math.exp(-rate * c) for p, c in zip(shares, costs, strict=True))) / rate
        gap += max(mean - mix, 0)
        for i in range(n):
            charges[i] += loss(forecasts[i], y) if forecasts[i] is not None else mix
            losses[i] += loss(forecasts[i], y) if forecasts[i] is not None else 0
    return guesses, means, losses


def ada_hedge(rounds, loss, n):
    """Hedge whose rate is ln N over the gap so far between its mean loss and its mix loss."""
    return hedge(rounds, loss, n, lambda t, gap: math.log(n) / gap if gap > 0 else math.inf)


def aggregating(rounds, loss, n, rate, low, high, coefficient):
    """Hedge's weights at a fixed rate, with Vovk's forecast."""
    return hedge(rounds, loss, n, lambda t, gap: rate, aggregated(low, high, coefficient))


def aggregated(low, high, coefficient):
    """Vovk's forecast for the loss coefficient (f - y)^2 on [low, high]."""

    def guess(shares, forecasts, rate):
        def mix(y):
            terms = (p * math.exp(-rate * coefficient * (f - y) ** 2) for p, f in zip(shares, forecasts, strict=True))
            return -math.log(sum(terms)) / rate

        return (low + high) / 2 - (mix(high) - mix(low)) / (2 * coefficient * (high - low))

    return guess


def fixed_share(rounds, loss, n, rate, switching):
    """Guesses and final weights of fixed share."""
    weights, guesses = [1 / n] * n, []
    for forecasts, y in rounds:
        guesses.append(sum(w * f for w, f in zip(weights, forecasts, strict=True)) / sum(weights))
        weights = [w * math.exp(-rate * loss(f, y)) for w, f in zip(weights, forecasts, strict=True)]
        total = sum(weights)
        weights = [(1 - switching) * w / total + switching / n for w in weights]
    return guesses, weights


def follow_the_leader(rounds, n):
    """Guesses of the lowest-numbered leader, and the expected mistakes of a random one."""
    losses, guesses, expected = [0] * n, [], Fraction(0)
    for votes, y in rounds:
        leaders = [i for i in range(n) if losses[i] == min(losses)]
        guesses.append(votes[leaders[0]])
        expected += Fraction(sum(votes[i] != y for i in leaders), len(leaders))
        losses = [loss + (v != y) for loss, v in zip(losses, votes, strict=True)]
    return guesses, expected


def best_path(costs, switches):
    """The least cost of a sequence of experts with at most so many switches, by trying all of them."""
    rounds, n = len(costs), len(costs[0])
    return min(
        sum(costs[t][i] for t, i in enumerate(path))
        for path in product(range(n), repeat=rounds)
        if sum(a != b for a, b in pairwise(path)) <= switches
    )


# --- certificates -------------------------------------------------------------------------------------------------


def logged(rounds, rate=1, margin=0, bias=1, tie="strict", aggressive=False):
    """The perceptron in fractions, from rows of floats: its update rounds, copies, mistakes and final weights."""
    rate, margin, bias = Fraction(rate), Fraction(margin), Fraction(bias)
    weights, updated, copies, mistakes = {}, [], [], 0
    for t, (x, label) in enumerate(rounds):
        row = [(i, Fraction(v)) for i, v in enumerate(x) if v] + [(-1, bias)] * (bias != 0)
        score = sum(weights.get(i, 0) * v for i, v in row)
        guess = score > 0 or (score == 0 and tie == "plus")
        mistakes += guess != label
        y = 1 if label else -1
        if y * score < margin or (y * score == margin and (tie == "strict" or margin > 0 or guess != label)):
            times, norm = 1, sum(v * v for _, v in row)
            while aggressive and norm and y * score + times * norm <= 0:
                times += 1
            if aggressive and norm == 0:
                continue
            updated.append(t)
            copies.append(times)
            for i, v in row:
                weights[i] = weights.get(i, 0) + times * rate * y * v
    return updated, copies, mistakes, {i: w for i, w in weights.items() if w}


def winner(rounds, rate=1, margin=0, bias=1, known=2):
    """The network of perceptrons in fractions: update rounds, rivals, mistakes."""
    rate, margin, bias = Fraction(rate), Fraction(margin), Fraction(bias)
    weights, updated, rivals, mistakes = {}, [], [], 0
    for t, (x, y) in enumerate(rounds):
        row = [(i, Fraction(v)) for i, v in enumerate(x) if v] + [(-1, bias)] * (bias != 0)
        scores = [sum(weights.get((c, i), 0) * v for i, v in row) for c in range(max(known, y + 1))]
        mistakes += scores[:known].index(max(scores[:known])) != y
        rival = max((c for c in range(known) if c != y), key=lambda c: (scores[c], -c))
        if scores[y] - scores[rival] <= margin:
            updated.append(t)
            rivals.append(rival)
            for i, v in row:
                weights[y, i] = weights.get((y, i), 0) + rate * v
                weights[rival, i] = weights.get((rival, i), 0) - rate * v
        known = max(known, y + 1)
    return updated, rivals, mistakes


def perceptron_bound(name, rows, copies, u, margin, enough=0):
    """A theorem of the Perceptron as it is printed, with square roots, to fifty digits; rows and u are dicts."""
    with localcontext() as context:
        context.prec = 50
        real = lambda q: Decimal(Fraction(q).numerator) / Decimal(Fraction(q).denominator)  # noqa: E731
        margins = [sum(u.get(i, 0) * v for i, v in z.items()) for z in rows]
        short = [max(Fraction(0), Fraction(margin) - m) for m in margins]
        loss = real(sum(c * s for c, s in zip(copies, short, strict=True))) / real(margin)
        deviation = (real(sum(c * s * s for c, s in zip(copies, short, strict=True))) / real(margin) ** 2).sqrt()
        reach = max((sum(v * v for v in z.values()) for z in rows), default=0) + 2 * Fraction(enough)
        length = real(sum(Fraction(v) ** 2 for v in u.values())).sqrt()
        ratio = real(reach).sqrt() * length / real(margin)
        final = {}
        for c, z in zip(copies, rows, strict=True):
            for i, v in z.items():
                final[i] = final.get(i, 0) + c * v
        weights = real(sum(v * v for v in final.values())).sqrt()
        if name == "Novikoff":
            return ratio**2 if loss == 0 else None
        return {
            "run-dependent": length * weights / real(margin) + loss,
            "hinge": ((ratio + (ratio**2 + 4 * loss).sqrt()) / 2) ** 2,
            "readable": loss + ratio * loss.sqrt() + ratio**2,
            "total": ratio**2 + 2 * loss,
            "squared": (ratio + deviation) ** 2,
        }[name]


# --- from mistakes to guarantees -------------------------------------------------------------------------------------


def average_risk(rounds, mistakes, doubt, rates):
    """The largest average risk that one pass leaves possible: the theorem for one rate at a time, shared equally."""
    bounds = [
        (rate * mistakes + math.log(len(rates) / doubt)) / (rounds * (1 - math.exp(-rate))) for rate in rates if rounds
    ]
    return min([1.0, *bounds])


def clean_run(changed, error, doubt, shares):
    """The round after which a hypothesis has survived long enough, and its number; None if no round is that one.

    `shares` gives for each stage the share of the doubt that it may use; past the last one nothing is tested.
    """
    stage, run = 0, 0
    for t, change in enumerate(changed):
        stage, run = (stage + 1, 0) if change else (stage, run + 1)
        if stage >= len(shares):
            return t + 1, stage + 1
        if run >= math.log(1 / (doubt * shares[stage])) / error:
            return t + 1, stage + 1
    return None


def permutation_chance(games):
    """How probable at most a first game so far from all of them is, if they are exchangeable; a game is a list."""
    size, length = len(games), len(games[0])
    means = [sum(game[j] for game in games) / size for j in range(length)]
    spreads = [math.sqrt(sum((game[j] - means[j]) ** 2 for game in games) / size) or 1.0 for j in range(length)]
    far = [sum(((game[j] - means[j]) / spreads[j]) ** 2 for j in range(length)) for game in games]
    return sum(distance >= far[0] - 1e-9 for distance in far) / size


def perceptron_cycle(rows, signs, sweeps):
    """The Perceptron over the same integer rows again and again until a sweep is clean or the weights come back.

    How often each row was added between two visits of the same weights; None: it stopped.
    """
    weights, visits, added = [0] * len(rows[0]), {}, [0] * len(rows)
    for _ in range(sweeps):
        key = tuple(weights)
        if key in visits:
            return [now - then for now, then in zip(added, visits[key], strict=True)]
        visits[key], clean = list(added), True
        for t, (row, sign) in enumerate(zip(rows, signs, strict=True)):
            if sign * sum(w * x for w, x in zip(weights, row, strict=True)) <= 0:
                weights = [w + sign * x for w, x in zip(weights, row, strict=True)]
                added[t] += 1
                clean = False
        if clean:
            return None
    raise AssertionError("neither stopped nor came back")


def restarting(rounds, n):
    """Guesses of Winnow in phases, and the updates of each phase that has ended; weights in floats, threshold n."""

    def allowed(j):
        d, b = Fraction(1, 2**j), 1 + Fraction(1, 2 ** (j + 1))
        steps = 0
        while b**steps < n:
            steps += 1
        fixed = b / (b - 1)
        u = math.floor((2**j * steps + (1 - d) * fixed) / (1 - b * (1 - d)))
        return u + math.ceil(fixed + b * u) - 1

    phase, updates, weights, guesses, ended = 1, 0, [Fraction(1)] * n, [], []
    for x, y in rounds:
        b = 1 + Fraction(1, 2 ** (phase + 1))
        guess = sum(w for w, active in zip(weights, x, strict=True) if active) >= n
        guesses.append(guess)
        if guess != y:
            updates += 1
            weights = [w * (b if y else 1 / b) if active else w for w, active in zip(weights, x, strict=True)]
        if updates > allowed(phase):
            ended.append(updates)
            phase, updates, weights = phase + 1, 0, [Fraction(1)] * n
    return guesses, ended


def cheapest_schedule(errors, price):
    """The least sum of errors and prices of switches over all ways to follow one column after another."""
    copies = range(len(errors[0]))
    ways = product(copies, repeat=len(errors))
    return min(
        sum(errors[t][k] for t, k in enumerate(way)) + price * sum(a != b for a, b in pairwise(way)) for way in ways
    )


def winnow_logged(rounds, promotion, threshold, margin=0, floor=0, eliminate=False, strict_gt=False):
    """Winnow in fractions: its update rounds and mistakes."""
    b, theta, w, updated, mistakes = Fraction(promotion), Fraction(threshold), {}, [], 0
    above, below = theta + Fraction(margin), theta - Fraction(margin)
    for t, (x, y) in enumerate(rounds):
        active = [i for i, v in enumerate(x) if v]
        score = sum(w.get(i, Fraction(1)) for i in active)
        mistakes += (score > theta if strict_gt else score >= theta) != bool(y)
        if y and (score <= above if strict_gt else score < above):
            updated.append(t)
            w |= {i: w.get(i, Fraction(1)) * b for i in active}
        if not y and (score > below if strict_gt else score >= below):
            updated.append(t)
            w |= {i: 0 if eliminate else max(w.get(i, Fraction(1)) / b, Fraction(floor)) for i in active}
    return updated, mistakes


def winnow_bound(name, rows, witness, promotion, threshold, margin=0, eliminate=False, strict_gt=False):
    """A theorem of Winnow as it is printed, for update rounds (x, y); None where its hypotheses fail."""
    b, above, below = (
        Fraction(promotion),
        Fraction(threshold) + Fraction(margin),
        Fraction(threshold) - Fraction(margin),
    )
    used = {i for x, _ in rows for i, v in enumerate(x) if v}
    power, E = Fraction(1), 0
    while power < above or (strict_gt and power == above):
        power, E = power * b, E + 1
    if name == "drift":
        doublings = 0
        while Fraction(2) ** doublings < 2 * above:
            doublings += 1
        added, now, schedule = 0, set(), dict(witness["schedule"])
        for place, (x, y) in enumerate(rows):
            fresh = set(schedule.get(place, now))
            added, now = added + len(fresh - now), fresh
            if any(x[i] for i in now if i < len(x)) != bool(y):
                return None
        u = added * doublings
        return u + (2 * len(used) + 4 * u * above) // (2 * above - len(used) + 1)
    p, q = Fraction(witness["promoted"]), Fraction(witness["demoted"])
    mu = {i: k / p for i, k in zip(witness["attributes"], witness["numerators"], strict=True)}
    values = [(sum(mu.get(i, Fraction(0)) for i, v in enumerate(x) if v), y) for x, y in rows]
    delta, S = 1 - q / p, sum(mu.values())
    missing = sum(max(0, 1 - v) for v, y in values if y)
    false = sum(max(0, v - (1 - delta)) for v, y in values if not y)
    if b * (1 - delta) * above / below >= 1 or (name != "slack" and (false or (missing and not eliminate))):
        return None
    if name == "disjunction" and (q or any(k != 1 for k in mu.values())):
        return None
    if eliminate:
        u = (S * E + missing) // 1
        return u + (len(used) + u * (b - 1) * above) // below
    head = b / (b - 1) * len(used) / below
    u = (S * E + missing + false + (1 - delta) * head) / (1 - b * (1 - delta) * above / below) // 1
    return u + max(0, -((-head - b * above / below * u) // 1) - 1)


def balanced_logged(rounds, factor=None, bias=1, flipped=()):
    """Balanced Winnow in fractions: update rounds, their phases, mistakes; without a factor, margins 2^-1, 2^-2, ...

    The decisions of flipped rounds are the other way round; that must be within rounding.
    """
    k, updated, phases, mistakes, phase, since, highest = {}, [], [], 0, 1, 0, 0
    power = lru_cache(lambda a, e: a**e - a**-e)
    for t, (x, label) in enumerate(rounds):
        d = 2.0**-phase
        a = Fraction(math.sqrt((1 + d) / (1 - d)) if factor is None else factor)
        row = [(i, v) for i, v in enumerate(x) if v] + [(-1, 1)] * bias
        score = sum(power(a, k.get(i, 0)) * v for i, v in row)
        mistakes += (score > 0) != bool(label)
        y = 1 if label else -1
        assert t not in flipped or abs(score) < 1e-12
        if (y * score <= 0) != (t in flipped):
            updated.append(t)
            phases.append(phase)
            for i, v in row:
                k[i] = k.get(i, 0) + y * int(v)
            since, highest = since + 1, max([highest, bias, *(i + 1 + bias for i, _ in row)])
            if factor is None and since > 2 * math.log(2 * max(highest, 1)) / d**2:
                k, since, highest, phase = {}, 0, 0, phase + 1
    return updated, phases, mistakes, phase


def balanced_bound(rows, witness, factor, bias=1):
    """The theorem of Balanced Winnow to fifty digits, for update rounds (x, y) of one phase; None without a gain."""
    with localcontext() as context:
        context.prec = 50
        real = lambda q: Decimal(Fraction(q).numerator) / Decimal(Fraction(q).denominator)  # noqa: E731
        size = sum(abs(k) for k in witness["numerators"])
        u = {i: Fraction(k, size) for i, k in zip(witness["attributes"], witness["numerators"], strict=True)}
        margin, short, used = Fraction(witness["margin"]), Fraction(0), set(u)
        for x, label in rows:
            row = [(i, int(v)) for i, v in enumerate(x) if v] + [(-1, 1)] * bias
            used |= {i for i, _ in row}
            value = sum(u.get(i, 0) * v for i, v in row) * (1 if label else -1)
            short += max(Fraction(0), margin - value)
        rate, a = real(factor).ln(), Fraction(factor)
        entropy = -sum(real(abs(v)) * real(abs(v)).ln() for v in u.values() if v)
        gain = rate * real(margin) - real((a + 1 / a) / 2).ln()
        return ((2 * Decimal(len(used))).ln() - entropy + rate * real(short)) / gain if gain > 0 else None


# --- features: names in slots ---------------------------------------------------------------------------------------


def folded_rows(rows, slot):
    """Rows of (name, value), each name once, as {slot: sum}, in double precision and then rounded to single."""
    folded = []
    for row in rows:
        sums = {}
        for name, value in row:
            sums[slot(name)] = sums[slot(name)] + float(value) if slot(name) in sums else float(value)
        folded.append({where: struct.unpack("f", struct.pack("f", total))[0] for where, total in sums.items()})
    return folded


def text_tokens(line, ngrams=1, characters=None, lower=True):
    """The names in a text, as bytes: runs of up to `ngrams` words ending at each word, or runs of characters."""
    line = re.sub(rb"[A-Z]", lambda letter: letter.group().lower(), line) if lower else line
    words = re.findall(rb"[A-Za-z0-9_\x80-\xff]+", line)
    if characters is None:
        return [
            b" ".join(words[i - n + 1 : i + 1]) for i in range(len(words)) for n in range(1, ngrams + 1) if i >= n - 1
        ]
    points = re.findall(rb"(?s:^.[\x80-\xbf]*|[^\x80-\xbf][\x80-\xbf]*)", b" ".join(words))
    low, high = characters
    return [
        b"".join(points[i : i + n]) for i in range(len(points)) for n in range(low, high + 1) if i + n <= len(points)
    ]


def products_of_names(row, pairs):
    """(name, value) pairs, each name once, and the products of each pair of namespaces."""
    row = [(name, float(value)) for name, value in row]
    spaces = {name: re.split(r"[\^=]", name)[0] for name, _ in row}
    found = dict(row)
    for pair in pairs:
        one, other = pair.split(":")
        for i, (a, v) in enumerate(row):
            for j, (b, w) in enumerate(row):
                if spaces[a] == one and spaces[b] == other and (one != other or i < j):
                    found[f"{a}*{b}"] = found.get(f"{a}*{b}", 0.0) + v * w
    return found


# --- readers --------------------------------------------------------------------------------------------------------
# Lines as text; a row is (label, {index or name: value}), exact, before any rounding.


def nearest_float32(text):
    """The float32 nearest to a decimal number, ties to the even one; infinity from the middle beyond the largest on."""
    exact = Fraction(text)
    size = abs(exact)
    if size == 0:
        return 0.0
    exponent = max(size.numerator.bit_length() - size.denominator.bit_length(), -126)
    while exponent > -126 and size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 23)
    whole, rest = divmod(size, unit)
    whole += rest > unit / 2 or (rest == unit / 2 and whole % 2 == 1)
    rounded = whole * unit
    value = math.inf if rounded >= Fraction(2) ** 128 else float(rounded)
    return -value if exact < 0 else value


def svmlight_rows(text):
    """Rounds of well-formed svmlight text: labels and (index, value) pairs as they are written."""
    rows = []
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.split("#")[0].split()
        if words:
            pairs = [word.split(":") for word in words[1:] if not word.startswith("qid:")]
            rows.append((Fraction(words[0]), [(int(index), Fraction(value)) for index, value in pairs]))
    return rows


def vw_rows(text):
    """Rounds of well-formed Vowpal Wabbit text: label, importance, and (name, value) pairs before any rounding."""
    rows = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.strip():
            before, *spaces = line.replace("\t", " ").split("|")
            words = before.split(" ")
            tagged = words[-1] != "" or (words[-2:-1] and words[-2].startswith("'"))
            numbers = [Fraction(word) for word in (words[:-1] if words[-1] else words) if word and word[0] != "'"]
            assert len(numbers) <= 3 or tagged
            features = []
            for space in spaces:
                name, *listed = space.split(" ")
                name, _, scale = name.partition(":")
                for feature in filter(None, listed):
                    own, _, value = feature.partition(":")
                    features.append((f"{name}^{own}" if name else own, Fraction(value or 1) * Fraction(scale or 1)))
            rows.append(([*numbers, None][0], [*numbers, None, 1][1] or 1, features))
    return rows


# --- certificates of advice -----------------------------------------------------------------------------------------


def advised(rounds, costs, n, rate_of, guess_of, charge_of, share=None):
    """Loss of a learner by exponential weights and what experts were charged asleep, in 60 digits.

    `costs[t][i]` is what expert i loses in round t (None asleep), `rate_of(t, gap)` the rate, None for infinite,
    `guess_of(shares, forecasts, rate)` the guess and `charge_of(guess, shares, costs, y)` its price; `share`, a pair
    (rate, switching), is fixed share instead.
    """
    with localcontext(prec=60):
        charges, asleep, gap, total = [Decimal(0)] * n, [Decimal(0)] * n, Decimal(0), Decimal(0)
        weights = [Decimal(1)] * n
        for t, ((x, y), cost) in enumerate(zip(rounds, costs, strict=True), 1):
            awake = [i for i in range(n) if x[i] is not None]
            rate = rate_of(t, gap)
            low = min(charges[i] for i in awake)
            if share is None:
                weights = [
                    Decimal(charges[i] == low) if rate is None else (-rate * (charges[i] - low)).exp()
                    for i in range(n)
                ]  # fmt: skip
            mass = sum(weights[i] for i in awake)
            shares, paid = [weights[i] / mass for i in awake], [cost[i] for i in awake]
            guess = guess_of(shares, [decimal(x[i]) for i in awake], rate)
            total += charge_of(guess, shares, paid, decimal(y))
            mean = sum(p * c for p, c in zip(shares, paid, strict=True))
            if rate is None:
                mix = min(charges[i] + cost[i] for i in awake) - low
            else:
                left = sum(p * (-rate * c).exp() for p, c in zip(shares, paid, strict=True))
                mix = -left.ln() / rate
            gap += max(mean - mix, Decimal(0)) if abs(mean - mix) > Decimal("1e-50") else 0
            for i in range(n):
                charges[i] += mix if x[i] is None else cost[i]
                asleep[i] += mix if x[i] is None else 0
            if share is not None:
                weights = [w * (-share[0] * c).exp() for w, c in zip(weights, cost, strict=True)]
                pool = sum(weights)
                weights = [(1 - share[1]) * w / pool + share[1] / n for w in weights]
        return total, asleep


def decimal(value):
    """A rational number in as many digits as the context has."""
    value = Fraction(value)
    return Decimal(value.numerator) / Decimal(value.denominator)


# --- mixing over shards -------------------------------------------------------------------------------------------


def mixed_perceptron(passes, dimension, weights="uniform"):
    """Perceptrons without bias over shards, mixed after every pass, in fractions.

    `passes` lists passes, a pass lists shards, a shard lists rounds ([x_1, ...], +1 or -1). The mixed weights, the
    average of the weights after every round of every shard of the last pass, the updates, and the sum of share times
    updates.
    """
    v, total, rounds, updates, mixed = [Fraction(0)] * dimension, [Fraction(0)] * dimension, 0, 0, Fraction(0)
    for shards in passes:
        ends, counts, total, rounds = [], [], [Fraction(0)] * dimension, 0
        for shard in shards:
            w, k = list(v), 0
            for x, y in shard:
                if y * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
                    w, k = [a + y * b for a, b in zip(w, x, strict=True)], k + 1
                total, rounds = [a + b for a, b in zip(total, w, strict=True)], rounds + 1
            ends.append(w)
            counts.append(k)
        share = [Fraction(1, len(shards))] * len(shards)
        if weights == "updates" and sum(counts):
            share = [Fraction(k, sum(counts)) for k in counts]
        v = [sum((m * w[i] for m, w in zip(share, ends, strict=True)), Fraction(0)) for i in range(dimension)]
        updates += sum(counts)
        mixed += sum((m * k for m, k in zip(share, counts, strict=True)), Fraction(0))
    return v, [a / max(rounds, 1) for a in total], updates, mixed


def mixed_logged(shards, passes, weights, bias=0, margin=0):
    """The same with a constant attribute and a margin, as a log of so many passes over the same shards.

    The numbers of the rounds that taught, pass by pass and shard by shard; the row that each of them added, as a dict
    with the constant at -1, and the share of its shard; and the mistakes, with ties guessed negative.
    """
    v, updated, rows, shares, mistakes, first = {}, [], [], [], 0, 0
    for _ in range(passes):
        ends, counts = [], []
        for shard in shards:
            w, k = dict(v), 0
            for t, (x, y) in enumerate(shard):
                z = {i: Fraction(a) for i, a in enumerate(x) if a} | ({-1: Fraction(bias)} if bias else {})
                score = sum(w.get(i, 0) * a for i, a in z.items())
                mistakes += (score > 0) != (y > 0)
                if y * score <= margin:
                    z = {i: y * a for i, a in z.items()}
                    w, k = w | {i: w.get(i, 0) + a for i, a in z.items()}, k + 1
                    updated.append(first + t)
                    rows.append(z)
            first += len(shard)
            ends.append(w)
            counts.append(k)
        share = [Fraction(1, len(shards))] * len(shards)
        if weights == "updates" and sum(counts):
            share = [Fraction(k, sum(counts)) for k in counts]
        shares += [m for m, k in zip(share, counts, strict=True) for _ in range(k)]
        v = {i: sum(m * w.get(i, 0) for m, w in zip(share, ends, strict=True)) for i in {i for w in ends for i in w}}
    return updated, rows, shares, mistakes


# --- learners for log-loss ----------------------------------------------------------------------------------------
# In the units of the columns: G, S, M and A as the theorems have them. A member is a pair of functions: the score of a
# row, given the largest sizes M, and learning it, given minus the slope of the loss.


def sigma(s):
    return 1 / (1 + math.exp(-s)) if s >= 0 else 1 - 1 / (1 + math.exp(s))


def _ada_grad_member(rate, n):
    G, S = [0.0] * n, [0.0] * n

    def score(x, M):
        return sum(rate * G[i] / (M[i] * math.sqrt(S[i] + M[i] ** 2)) * x[i] for i in range(n) if x[i])

    def learn(x, M, pull):
        for i in range(n):
            G[i], S[i] = G[i] + pull * x[i], S[i] + (pull * x[i]) ** 2

    return score, learn


def _coin_member(wealth, n):
    G, S, e = [0.0] * n, [0.0] * n, [float(wealth)] * n

    def bet(i, M):
        r = math.sqrt(S[i] + M[i] ** 2)
        return min(max(G[i] / r, -1), 1) / (2 * r)

    def score(x, M):
        return sum(e[i] * bet(i, M) * x[i] for i in range(n) if x[i])

    def learn(x, M, pull):
        for i in range(n):
            if x[i]:
                e[i] *= 1 + pull * x[i] * bet(i, M)
                G[i], S[i] = G[i] + pull * x[i], S[i] + (pull * x[i]) ** 2

    return score, learn


def _aioli_member(kappa, ridge, n):
    curvature, b = np.zeros((n, n)), np.zeros(n)

    def solved(x, M):
        met = [i for i in range(n) if M[i]]
        x, A = np.array(x)[met], curvature[np.ix_(met, met)] + np.diag([ridge * M[i] ** 2 for i in met])
        Px = np.linalg.solve(A, x)
        a, v = float(b[met] @ Px), float(x @ Px)
        low, high = min(a, 0.0), max(a, 0.0)
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if middle - a + v / 2 * math.tanh(middle / 2) > 0 else (middle, high)
        return (low + high) / 2

    def learn(x, M, pull):
        s = solved(x, M)
        c = kappa * sigma(s) * (1 - sigma(s))
        curvature[:] += c * np.outer(x, x)
        b[:] += (pull + c * s) * np.array(x)

    return solved, learn


def _forecasts(rounds, n, members, guard=True, share=True):
    """The members' scores, the chances of 1 and the weights, before each round; and the largest sizes at the end."""
    M, weights, told = [0.0] * n, [1 / len(members)] * len(members), []
    for t, (x, y) in enumerate(rounds, 1):
        x = [min(max(v, -2 * m), 2 * m) if guard and m else v for v, m in zip(x, M, strict=True)]
        M = [max(m, abs(v)) for v, m in zip(x, M, strict=True)]
        scores = [score(x, M) for score, _ in members]
        chances = [sigma(s) for s in scores]
        told.append((scores, sum(w * p for w, p in zip(weights, chances, strict=True)), weights))
        weights = [w * (p if y else 1 - p) for w, p in zip(weights, chances, strict=True)]
        part = 1 / (t + 1) if share else 0
        weights = [(1 - part) * w / sum(weights) + part / len(members) for w in weights]
        for (_, learn), p in zip(members, chances, strict=True):
            learn(x, M, y - p)
    return told, M


def ada_grad(rounds, n, rate=1.0, guard=True):
    """The scores before each round; x is a list of numbers, y 0 or 1."""
    return [scores[0] for scores, *_ in _forecasts(rounds, n, [_ada_grad_member(rate, n)], guard)[0]]


def coin(rounds, n, wealth=1.0, guard=True):
    """The scores before each round."""
    return [scores[0] for scores, *_ in _forecasts(rounds, n, [_coin_member(wealth, n)], guard)[0]]


def aioli(rounds, n, kappa=0.5, ridge=0.1, guard=True):
    """The scores before each round."""
    return [scores[0] for scores, *_ in _forecasts(rounds, n, [_aioli_member(kappa, ridge, n)], guard)[0]]


def logistic(rounds, n, rates=(), wealths=(), kappas=(), ridge=0.1, guard=True, share=True):
    """The chances of 1 before each round, and the weights before the last."""
    members = [_ada_grad_member(rate, n) for rate in rates] + [_coin_member(wealth, n) for wealth in wealths]
    told, _ = _forecasts(rounds, n, members + [_aioli_member(k, ridge, n) for k in kappas], guard, share)
    return [p for _, p, _ in told], told[-1][2]


def many_classes(rounds, n, form="softmax", rates=(), wealths=(), kappas=(), guard=True, share=True):
    """The chances of the classes met before each round, and the log-loss with the reserve for classes not met.

    Rounds are x, the class, and how much the round counts; two classes are met before the first. `form` is "softmax",
    "units" with a unit for each class, or "both". Vectors and units of a class are made when it is first met.
    """
    M, told, loss, plays, vectors, units, forms = [0.0] * n, [], 0.0, 0, [], [], [0.5, 0.5]

    def make_members():
        return [_ada_grad_member(rate, n) for rate in rates] + [_coin_member(wealth, n) for wealth in wealths]

    def meet(classes):
        while len(vectors) < classes:
            vectors.append(make_members())
            members = make_members() + [_aioli_member(kappa, 0.1, n) for kappa in kappas]
            units.append((members, [1 / len(members)] * len(members)))

    def weigh(weights, chances, c):
        part = 1 / (plays + 1) if share and len(weights) > 1 else 0
        weights = [w * p**c for w, p in zip(weights, chances, strict=True)]
        return [(1 - part) * w / sum(weights) + part / len(weights) for w in weights]

    def ask(x):
        """By each member of the softmax and by their mixture; by each unit's members and by their mixtures, over 1."""
        scores = [[members[k][0](x, M) for members in vectors] for k in range(len(mixture))]
        tops = [[math.exp(s - max(row)) for s in row] for row in scores]
        soft = [[p / sum(row) for p in row] for row in tops]
        mixed = [sum(w * row[c] for w, row in zip(mixture, soft, strict=True)) for c in range(len(vectors))]
        alone = [[sigma(score(x, M)) for score, _ in members] for members, _ in units]
        said = [
            sum(w * p for w, p in zip(weights, row, strict=True))
            for (_, weights), row in zip(units, alone, strict=True)
        ]
        shares = [p / sum(said) for p in said]
        a, b = {"units": (1, 0), "softmax": (0, 1), "both": forms}[form]
        return soft, mixed, alone, shares, [a * p + b * q for p, q in zip(shares, mixed, strict=True)]

    meet(2)
    mixture = [1 / len(vectors[0])] * len(vectors[0])
    for x, y, c in rounds:
        x = [min(max(v, -2 * m), 2 * m) if guard and m else v for v, m in zip(x, M, strict=True)]
        M = [max(m, abs(v)) for v, m in zip(x, M, strict=True)]
        times = max(1, math.ceil(c))
        for again in range(times):
            *_, chances = ask(x)
            plays += 1
            told += [chances] if again == 0 else []
            reserve = 1 / (plays + 1)
            loss -= c / times * math.log((1 - reserve) * chances[y] if y < len(chances) else reserve)
            meet(y + 1)
            soft, mixed, alone, shares, _ = ask(x)
            forms = weigh(forms, [shares[y], mixed[y]], c / times)
            mixture = weigh(mixture, [row[y] for row in soft], c / times)
            for d, members in enumerate(vectors):
                for (_, learn), row in zip(members, soft, strict=True):
                    learn(x, M, c / times * ((d == y) - row[d]))
            for d, ((members, weights), row) in enumerate(zip(units, alone, strict=True)):
                units[d] = members, weigh(weights, [p if d == y else 1 - p for p in row], c / times)
                for (_, learn), p in zip(members, row, strict=True):
                    learn(x, M, c / times * ((d == y) - p))
    return told, loss


# --- regression ---------------------------------------------------------------------------------------------------
# In the units of columns and labels, by any kind of numbers: fractions make everything exact.


def _solve(A, b):
    """The solution of A z = b, for a matrix that is positive definite."""
    A, n = [[*row, value] for row, value in zip(A, b, strict=True)], len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            A[i] = [a - factor * c for a, c in zip(A[i], A[k], strict=True)]
    z = [0] * n
    for k in reversed(range(n)):
        z[k] = (A[k][n] - sum(A[k][j] * z[j] for j in range(k + 1, n))) / A[k][k]
    return z


def _fit(x, M, guard):
    """A row as the guard leaves it, and the largest sizes with it."""
    x = [min(max(v, -2 * m), 2 * m) if guard and m else v for v, m in zip(x, M, strict=True)]
    return x, [max(m, abs(v)) for v, m in zip(x, M, strict=True)]


class RidgeRun(NamedTuple):
    said: list
    charges: list  # y^2 q / (1 + q) - q z^2 of each round
    best: list  # the minimiser of loss and ridge at the end
    least: object  # that minimum


def ridge(rounds, n, ridge=0.1, guard=False, relative=False):
    """Least squares with the row that is asked about at label zero; attribute 0 is constant if it is `relative`."""
    if relative and rounds:
        first = rounds[0][1]
        run = ridge_from_zero([(x, y - first) for x, y in rounds], n, ridge, guard)
        said, charges = [0, *(z + first for z in run.said[1:])], [first * first, *run.charges[1:]]
        return RidgeRun(said, charges, [run.best[0] + first, *run.best[1:]], run.least)
    return ridge_from_zero(rounds, n, ridge, guard)


def ridge_from_zero(rounds, n, ridge, guard):
    M, seen, said, charges = [0] * n, [], [], []

    def solve(extra, b):
        met = [i for i in range(n) if M[i]]
        A = [[sum(x[i] * x[j] for x, _ in [*seen, *extra]) for j in met] for i in met]
        for k, i in enumerate(met):
            A[k][k] += ridge * M[i] ** 2
        z = _solve(A, [b[i] for i in met])
        return [z[met.index(i)] if i in met else 0 for i in range(n)]

    def sum_products():
        return [sum(y * x[i] for x, y in seen) for i in range(n)]

    for x, y in rounds:
        x, M = _fit(x, M, guard)
        said.append(sum(a * c for a, c in zip(solve([(x, 0)], sum_products()), x, strict=True)))
        q = sum(a * c for a, c in zip(solve([], x), x, strict=True))
        charges.append(y * y * q / (1 + q) - q * said[-1] ** 2)
        seen.append((x, y))
    u = solve([], sum_products())
    losses = [(y - sum(a * c for a, c in zip(u, x, strict=True))) ** 2 for x, y in seen]
    return RidgeRun(said, charges, u, sum(losses) + ridge * sum((m * a) ** 2 for m, a in zip(M, u, strict=True)))


class CoinRegressionRun(NamedTuple):
    said: list
    losses: list
    G: list
    S: list
    M: list
    first: list  # the wealth at first
    last: list  # and at the end
    Q: list


def coin_regression(rounds, n, criterion="absolute", quantile=0.5, width=0.1, wealth=1.0, guard=False, relative=False):
    """Bets on attributes for losses whose slope is at most 1; labels may be counted from the first one."""
    G, S, M, e, Q, first = ([0.0] * n for _ in range(6))
    said, losses, most, origin = [], [], 0.0, rounds[0][1] if relative else 0.0

    def bet(i):
        r = math.sqrt(S[i] + M[i] ** 2)
        return min(max(G[i] / r, -1), 1) / (2 * r)

    for x, y in rounds:
        x, M = _fit(x, M, guard)
        said.append(sum(e[i] * bet(i) * x[i] for i in range(n) if x[i]) + (origin if said else 0.0))
        most = max(most, abs(y - origin))
        short, reach = y - said[-1], width * most
        pull = (short > 0) - (short < 0)
        losses.append(abs(short))
        if criterion == "pinball":
            pull = quantile if short > 0 else quantile - 1 if short < 0 else 0
            losses[-1] = pull * short
        elif criterion == "huber" and abs(short) < reach:
            pull, losses[-1] = short / reach, short**2 / (2 * reach)
        elif criterion == "huber":
            losses[-1] -= reach / 2
        for i in range(n):
            if x[i] and most:
                if not first[i]:
                    first[i] = e[i] = wealth * most
                a = pull * x[i]
                e[i] *= 1 + a * bet(i)
                Q[i] += a * a / (S[i] + M[i] ** 2)
                G[i], S[i] = G[i] + a, S[i] + a * a
    return CoinRegressionRun(said, losses, G, S, M, first, e, Q)


# --- the league ----------------------------------------------------------------------------------------------------


class LeagueRun(NamedTuple):
    served: list
    level: list
    weights: list
    levels: list


def league_mixture(panel, rates=(), joined=None, powers=None, still=False):
    """What a mixture of experts gives each outcome, in fractions, and where its weights end.

    `panel[t][e]` is the chance that expert e gave the outcome of round t, None while it sleeps; expert e is there from
    round `joined[e]` (from 0) on; `powers[t]` is the importance of the round over the largest.
    """
    joined = joined or [0] * len(panel[0])
    here = [e for e, first in enumerate(joined) if first == 0]
    w = [dict.fromkeys(here, Fraction(1, len(here))) for _ in (None, *rates)]
    v = [Fraction(1, len(w))] * len(w)
    served, level = [], []
    for t, row in enumerate(panel):
        here = [e for e, first in enumerate(joined) if first <= t]
        for k, rate in enumerate((None, *rates)):
            a = Fraction(0) if still or t == 0 else Fraction(1, t + 1) if rate is None else Fraction(rate)
            w[k] = {e: (1 - a) * w[k].get(e, 0) + a / len(here) for e in here}
        b = Fraction(0) if still or t == 0 else Fraction(1, t + 1)
        v = [(1 - b) * part + b / len(v) for part in v]
        awake = [e for e in here if row[e] is not None]
        q = [sum(wk[e] * row[e] for e in awake) / sum(wk[e] for e in awake) for wk in w]
        p = sum(part * said for part, said in zip(v, q, strict=True))
        served.append(p)
        level.append(q[0])
        c = 1 if powers is None else powers[t]
        for k, said in enumerate(q):
            w[k] = {e: w[k][e] * ((row[e] / said) ** c if row[e] is not None else 1) for e in here}
            total = sum(w[k].values())
            w[k] = {e: part / total for e, part in w[k].items()}
        v = [part * (said / p) ** c for part, said in zip(v, q, strict=True)]
        v = [part / sum(v) for part in v]
    return LeagueRun(served, level, w, v)


def league_slopes(scores, labels):
    """The ten slopes and the table of a score: for each round the chances of class 1."""
    rows, sizes, table = [], [], {}
    for s, y in zip(scores, labels, strict=True):
        mean = sum(sizes) / len(sizes) if sum(sizes) > 0 else 1.0
        slopes = [1 / (1 + math.exp(-min(max(2.0**a * s / mean, -30), 30))) for a in range(-2, 8)]
        size = min(max(math.floor(2 * math.log2(abs(s) / mean)) + 8, 0), 15) if s else 0
        counts = table.setdefault((s > 0, size), [0, 0])
        chances = [*slopes, (counts[1] + 0.5) / (sum(counts) + 1)]
        rows.append([min(max(p, 1e-6), 1 - 1e-6) for p in chances])
        counts[y] += 1
        sizes.append(abs(s))
    return rows


class AccountRun(NamedTuple):
    stood: float
    followed: float
    gap: float
    coins: list
    allowed: list


def league_account(wrong, best_wrong):
    """The account of a league: `wrong[t][i]` whether member i errs, `best_wrong[t]` whether the largest chance does."""
    n = len(wrong[0])
    losses, gap, balance, stood, followed, coins, allowed = [0] * n, 0.0, 0.0, 0.0, 0.0, [], []
    for t, (row, best) in enumerate(zip(wrong, best_wrong, strict=True)):
        f = math.sqrt(min(losses) * math.log(n)) + math.log(n) + 2
        least = min(losses)
        if gap > 0:
            rate = math.log(n) / gap
            weights = [math.exp(-rate * (loss - least)) for loss in losses]
        else:
            weights = [float(loss == least) for loss in losses]
        weights = [weight / sum(weights) for weight in weights]
        h = sum(weight for weight, miss in zip(weights, row, strict=True) if miss)
        after = [loss + bool(miss) for loss, miss in zip(losses, row, strict=True)]
        if gap > 0:
            kept = sum(w * math.exp(-rate * bool(miss)) for w, miss in zip(weights, row, strict=True))
            mixed = -math.log(kept) / rate
        else:
            mixed = min(after) - least
        gap, losses, followed = gap + max(h - mixed, 0), after, followed + h
        if balance + 1 <= f:
            balance, stood = balance + bool(best) - h, stood + bool(best)
        else:
            coins.append(t + 1)
            stood += h
        allowed.append(f)
    return AccountRun(stood, followed, gap, coins, allowed)


def selective_sampling(rounds, coins, smoothing, grows=True):
    """Scores, weights, whether each label was asked for, and the estimate of mistakes, exactly."""
    d, reach = len(rounds[0][0]), Fraction(0)
    w, scores, asked, estimate = [Fraction(0)] * d, [], [], Fraction(0)
    for (x, y), coin in zip(rounds, coins, strict=True):
        s, reach = _dot(w, x), max(reach, _dot(x, x))
        b = smoothing * reach if grows else smoothing
        scores.append(s)
        asked.append(coin * (b + abs(s)) < b or b + abs(s) == 0)
        if asked[-1] and y * s <= 0:
            w = [a + y * v for a, v in zip(w, x, strict=True)]
            estimate += 1 + (abs(s) / b if b else 0) if (s > 0) != (y > 0) else 0
    return scores, w, asked, estimate


def apple_tasting(rounds, coins, exploring):
    """A Perceptron without a constant that sees what it accepts: weights, what was accepted, the estimate, exactly.

    Rounds are rows with +1 or -1; `coins` are in [0, 1).
    """
    w, accepted, estimate = [Fraction(0)] * len(rounds[0][0]), [], Fraction(0)
    for (x, y), coin in zip(rounds, coins, strict=True):
        s = _dot(w, x)
        accepted.append(s > 0 or coin < exploring)
        if not accepted[-1]:
            continue
        if s > 0 or y < 0:
            estimate += y < 0
        else:
            estimate += (1 - exploring) / exploring
        if y * s <= 0:
            w = [a + y * v for a, v in zip(w, x, strict=True)]
    return w, accepted, estimate


def never_miss(table, rounds):
    """Guesses of the learner that accepts what any surviving row of the table accepts."""
    alive, guesses = list(table), []
    for x, y in rounds:
        guesses.append(int(any(row[x] for row in alive)))
        alive = [row for row in alive if row[x] == y]
    return guesses


def label_efficient(rows, outcomes, asked, eta, asking):
    """Mean forecasts by weights e^(-eta losses / chance) of the outcomes asked for, and the estimate of the loss."""
    totals, guesses, lost = [0.0] * len(rows[0]), [], 0.0
    for x, y, seen in zip(rows, outcomes, asked, strict=True):
        weights = [math.exp(-eta * (total - min(totals)) / asking) for total in totals]
        guesses.append(sum(w * v for w, v in zip(weights, x, strict=True)) / sum(weights))
        if seen:
            totals = [total + abs(v - y) for total, v in zip(totals, x, strict=True)]
            lost += abs(guesses[-1] - y)
    return guesses, lost / asking
