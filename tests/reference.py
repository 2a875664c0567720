"""Each rule again, slow and plain, from the papers: what the fast code is compared with.

Nothing here imports the library. A concept is a Python function or a row of labels, a version space a list.
"""

import math
from decimal import Decimal, localcontext
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
