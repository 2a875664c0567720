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


# --- concept classes: each a list of functions, in the order of the library's numbers -------------------------------


def parities(n):
    return [lambda x, c=c: sum(x[i] for i in range(n) if c >> i & 1) % 2 == 1 for c in range(2**n)]


def thresholds(n):
    return [lambda i, j=j: i >= j for j in range(n + 2)]


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


__all__ = ["Fraction", "halving", "math", "product"]
