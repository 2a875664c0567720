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


__all__ = [
    "Fraction",
    "combinations",
    "halving",
    "littlestone_dimension",
    "math",
    "product",
    "standard_optimal",
    "vc_dimension",
    "version_space_game",
]
