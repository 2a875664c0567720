"""Each rule again, slow and plain, from the papers: what the fast code is compared with.

Nothing here imports the library. A concept is a Python function or a row of labels, a version space a list.
"""

import math
from fractions import Fraction
from itertools import product

# --- version spaces -----------------------------------------------------------------------------------------------


def halving(table, rounds, labels=(False, True)):
    """Guesses of the halving algorithm. `table[h][x]` is the label concept h gives to x; `rounds` are (x, y)."""
    alive, guesses = list(range(len(table))), []
    for x, y in rounds:
        votes = [sum(table[h][x] == label for h in alive) for label in labels]
        guesses.append(labels[votes.index(max(votes))])
        alive = [h for h in alive if table[h][x] == y]
    return guesses


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


def averaged_perceptron(rounds, n, rate=1, margin=0, bias=1, tie="strict"):
    """Guesses as the perceptron's; the weights are the mean of those after each round."""
    total, guesses = [0] * (n + 1), []
    for t in range(len(rounds)):
        guesses, w, updates = perceptron(rounds[: t + 1], n, rate, margin, bias, tie)
        total = [a + b for a, b in zip(total, w, strict=True)]
    return guesses, [a / len(rounds) for a in total], updates


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


__all__ = ["Fraction", "halving", "math", "product"]
