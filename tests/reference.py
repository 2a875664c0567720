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


# --- concept classes: each a list of functions, in the order of the library's numbers -------------------------------


def parities(n):
    return [lambda x, c=c: sum(x[i] for i in range(n) if c >> i & 1) % 2 == 1 for c in range(2**n)]


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


__all__ = [
    "Fraction",
    "conjunctions",
    "disjunctions",
    "halfspaces",
    "halving",
    "intervals",
    "literal_sets",
    "math",
    "parities",
    "product",
    "programs",
    "real_thresholds",
    "rectangles",
    "run_program",
    "thresholds",
]
