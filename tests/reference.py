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
    shown, met, guesses, width = {}, {}, [], 0
    for t, (x, y) in enumerate(rounds):
        odds = []
        for c in range(known):
            total = sum(shown.get((i, c), 0) for i in range(width))
            value = math.log((met.get(c, 0) + 1) / (t + known))
            for i, count in enumerate(x):
                value += count * math.log((shown.get((i, c), 0) + smoothing) / (total + smoothing * (width + 1)))
            odds.append(value)
        guesses.append(odds.index(max(odds)))
        for i, count in enumerate(x):
            shown[i, y] = shown.get((i, y), 0) + count
            width = max(width, i + 1) if count else width
        met[y] = met.get(y, 0) + 1
        known = max(known, y + 1)
    return guesses


__all__ = ["Fraction", "halving", "math", "product"]
