"""Each rule again, slow and plain, from the papers: what the fast code is compared with.

Nothing here imports the library. A concept is a Python function or a row of labels, a version space a list.
"""

import math
from fractions import Fraction
from itertools import combinations, product

# --- version spaces -----------------------------------------------------------------------------------------------


def halving(table, rounds, labels=(False, True)):
    """Guesses of the halving algorithm. `table[h][x]` is the label concept h gives to x; `rounds` are (x, y)."""
    alive, guesses = list(range(len(table))), []
    for x, y in rounds:
        votes = [sum(table[h][x] == label for h in alive) for label in labels]
        guesses.append(labels[votes.index(max(votes))])
        alive = [h for h in alive if table[h][x] == y]
    return guesses


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


__all__ = [
    "Fraction",
    "closure",
    "combinations",
    "conservative",
    "consistent",
    "elimination",
    "halving",
    "math",
    "memorizer",
    "product",
    "randomized_halving",
    "randomized_halving_expectation",
    "says",
    "shortest_consistent",
    "true_literals",
]
