"""A solution of every exercise, and three wrong learners for each: the solution with one thing changed.

Each entry is the source of the solution and the changes, pairs of a piece of the source and what stands in its place.
"""

from littlestone.laws.grading import grade


def graded(folder, number, source):
    """The report about a student's file with this source."""
    path = folder / "my_learner.py"
    path.write_text(source)
    return grade(str(path), number)


REMEMBER = """
class Learner:
    def __init__(self):
        self.known = {}

    def predict(self, x):
        return self.known.get(x, False)

    def update(self, x, y):
        self.known[x] = y
"""

SAME = """
class Learner:
    def __init__(self, labels):
        self.label = labels[0]

    def predict(self, x):
        return self.label

    def update(self, x, y):
        self.label = y
"""

EXCEPTION = """
class Learner:
    def __init__(self, n):
        self.found = None

    def predict(self, x):
        return x == self.found

    def update(self, x, y):
        if y:
            self.found = x
"""

BISECTION = """
class Adversary:
    def __init__(self):
        self.low, self.high = 0.0, 1.0

    def instance(self):
        return (self.low + self.high) / 2

    def label(self, guess):
        middle = (self.low + self.high) / 2
        if guess:
            self.low = middle
        else:
            self.high = middle
        return not guess

    def target(self):
        return self.high
"""

PREFIX = """
class Adversary:
    def __init__(self):
        self.low, self.high = 0.0, 1.0

    def instance(self):
        return (self.low + self.high) / 2

    def label(self, guess):
        middle = (self.low + self.high) / 2
        if guess:
            self.high = middle
        else:
            self.low = middle
        return not guess

    def target(self):
        return self.low
"""

BOXES = """
class Adversary:
    def __init__(self):
        self.low, self.high = 0.0, 1.0

    def instance(self):
        return ((self.low + self.high) / 2, 0.5)

    def label(self, guess):
        middle = (self.low + self.high) / 2
        if guess:
            self.low = middle
        else:
            self.high = middle
        return not guess

    def target(self):
        return ((self.high, 2.0), (0.0, 1.0))
"""

CONSISTENT = """
class Learner:
    def __init__(self, table):
        self.alive = list(table)

    def predict(self, x):
        return self.alive[0][x]

    def update(self, x, y):
        self.alive = [row for row in self.alive if row[x] == y]
"""

HALVING = """
class Learner:
    def __init__(self, table):
        self.alive = list(table)

    def predict(self, x):
        return 2 * sum(row[x] for row in self.alive) > len(self.alive)

    def update(self, x, y):
        self.alive = [row for row in self.alive if row[x] == y]
"""

GRID = """
class Learner:
    def __init__(self, n):
        self.low, self.high = 0, n + 1  # thresholds that agree, both included

    def predict(self, x):
        return (x - self.low + 1) > (self.high - x)

    def update(self, x, y):
        if y:
            self.high = min(self.high, x)
        else:
            self.low = max(self.low, x + 1)
"""

OPTIMAL = """
class Learner:
    def __init__(self, table):
        self.alive = tuple(table)

    def dimension(self, rows):
        best = 0
        for x in range(len(rows[0])):
            yes = tuple(row for row in rows if row[x])
            no = tuple(row for row in rows if not row[x])
            if yes and no:
                best = max(best, 1 + min(self.dimension(yes), self.dimension(no)))
        return best

    def predict(self, x):
        yes = tuple(row for row in self.alive if row[x])
        no = tuple(row for row in self.alive if not row[x])
        if not yes or not no:
            return bool(yes)
        return self.dimension(yes) > self.dimension(no)

    def update(self, x, y):
        self.alive = tuple(row for row in self.alive if row[x] == y)
"""

COIN = """
from fractions import Fraction

class Learner:
    def __init__(self, table):
        self.alive = list(table)

    def predict(self, x):
        return Fraction(sum(row[x] for row in self.alive), len(self.alive))

    def update(self, x, y):
        self.alive = [row for row in self.alive if row[x] == y]
"""

CLOSURE = """
class Learner:
    def __init__(self, m, d):
        self.box = None

    def predict(self, x):
        return self.box is not None and all(low <= c <= high for (low, high), c in zip(self.box, x))

    def update(self, x, y):
        if y:
            box = self.box or [(c, c) for c in x]
            self.box = [(min(low, c), max(high, c)) for (low, high), c in zip(box, x)]
"""

PARITIES = """
class Learner:
    def __init__(self, n):
        self.n = n
        self.alive = list(range(2 ** n))

    def says(self, target, x):
        return sum(x[i] for i in range(self.n) if target >> i & 1) % 2 == 1

    def predict(self, x):
        return 2 * sum(self.says(target, x) for target in self.alive) > len(self.alive)

    def update(self, x, y):
        self.alive = [target for target in self.alive if self.says(target, x) == y]
"""

THREE = """
class Learner:
    def __init__(self, table):
        self.alive = list(table)

    def predict(self, x):
        votes = [row[x] for row in self.alive]
        return max("abc", key=votes.count)

    def update(self, x, y):
        self.alive = [row for row in self.alive if row[x] == y]
"""

LITERALS = """
class Learner:
    def __init__(self, n):
        self.left = {(i, value) for i in range(n) for value in (0, 1)}

    def predict(self, x):
        return any(x[i] == value for i, value in self.left)

    def update(self, x, y):
        if not y:
            self.left = {(i, value) for i, value in sorted(self.left) if x[i] != value}
"""

CONJUNCTION = """
class Learner:
    def __init__(self, n):
        self.left = tuple(range(n))

    def predict(self, x):
        return all(x[i] for i in self.left)

    def update(self, x, y):
        if y:
            self.left = tuple(i for i in self.left if x[i])
"""

DISJUNCTION = """
class Learner:
    def __init__(self, n):
        self.left = tuple(range(n))

    def predict(self, x):
        return any(x[i] for i in self.left)

    def update(self, x, y):
        if not y:
            self.left = tuple(i for i in self.left if not x[i])
"""

QUERIES = """
class Learner:
    def __init__(self, n):
        self.n, self.asked, self.found = n, 0, []

    def query(self):
        if self.asked == self.n:
            return None
        return [int(i != self.asked) for i in range(self.n)]

    def update(self, x, y):
        if not y:
            self.found.append(self.asked)
        self.asked += 1

    def answer(self):
        return self.found
"""

FEW = """
class Learner:
    def __init__(self, n):
        self.n, self.low, self.high = n, 0, n

    def query(self):
        if self.high - self.low == 1:
            return None
        middle = (self.low + self.high) // 2
        return [int(not self.low <= i < middle) for i in range(self.n)]

    def update(self, x, y):
        middle = (self.low + self.high) // 2
        if y:
            self.low = middle
        else:
            self.high = middle

    def answer(self):
        return [self.low]
"""

TEACHER = """
class Teacher:
    def lesson(self, n, relevant):
        best = [int(i in relevant) for i in range(n)]
        misses = [([int(i != gone) for i in range(n)], False) for gone in relevant]
        return misses + ([(best, True)] if len(relevant) < n else [])
"""

CONSERVATIVE = """
class Learner:
    def __init__(self, table):
        self.alive = list(table)

    def predict(self, x):
        return 2 * sum(row[x] for row in self.alive) > len(self.alive)

    def update(self, x, y):
        if self.predict(x) != y:
            self.alive = [row for row in self.alive if row[x] == y]
"""

STAGES = """
from math import ceil, log

class Count:
    def examples(self, mistakes, error, confidence):
        return sum(ceil((i * log(2) - log(1 - confidence)) / error) for i in range(1, mistakes + 2))
"""

RUN = """
class Count:
    def examples(self, mistakes, run):
        return (mistakes + 1) * run
"""

RANDOM = """
from math import ceil, log

class Count:
    def examples(self, n, error, confidence):
        return ceil(n / error * (log(n) - log(1 - confidence)))
"""

PERCEPTRON = """
class Learner:
    def __init__(self, n):
        self.w = [0] * n

    def score(self, x):
        return sum(a * b for a, b in zip(self.w, x))

    def predict(self, x):
        return 1 if self.score(x) > 0 else -1

    def update(self, x, y):
        if self.predict(x) != y:
            self.w = [a + y * b for a, b in zip(self.w, x)]
"""

BIASED = """
class Learner:
    def __init__(self, n):
        self.w = [0] * (n + 1)

    def predict(self, x):
        return 1 if sum(a * b for a, b in zip(self.w, (*x, 1))) > 0 else -1

    def update(self, x, y):
        if self.predict(x) != y:
            self.w = [a + y * b for a, b in zip(self.w, (*x, 1))]
"""

UNIT = """
class Learner:
    def __init__(self, n):
        self.w = [0.0] * n

    def predict(self, x):
        return 1 if sum(a * b for a, b in zip(self.w, x)) > 0 else -1

    def update(self, x, y):
        length = sum(b * b for b in x) ** 0.5
        if self.predict(x) != y:
            self.w = [round(a + y * b / length, 9) for a, b in zip(self.w, x)]
"""

BASIS = """
class Adversary:
    def __init__(self, n):
        self.n, self.labels = n, []

    def instance(self):
        return [int(i == len(self.labels)) for i in range(self.n)]

    def label(self, guess):
        self.labels.append(-guess)
        return -guess

    def target(self):
        return self.labels + [1] * (self.n - len(self.labels))
"""

BOLD = """
class Learner:
    def __init__(self, n):
        self.w = [0] * n

    def predict(self, x):
        return 1 if sum(a * b for a, b in zip(self.w, x)) > 0 else -1

    def update(self, x, y):
        while y * sum(a * b for a, b in zip(self.w, x)) <= 0:
            self.w = [a + y * b for a, b in zip(self.w, x)]
"""

SYMMETRIC = """
import numpy as np

class Algebra:
    def symmetric(self, matrix):
        u, d, v = np.linalg.svd(np.array(matrix))
        return u @ np.diag(d) @ u.T
"""

INSIDE = """
import numpy as np

class Algebra:
    def contains(self, matrix, center, point):
        w = np.linalg.solve(np.array(matrix), np.array(point) - np.array(center))
        return bool(w @ w <= 1)
"""

STEP = """
import numpy as np

class Algebra:
    def step(self, center, matrix, x, y):
        a, x, d = np.array(matrix), np.array(x), len(x)
        along = a @ x / np.sqrt(x @ a @ x)
        center = np.array(center) + y * along / (d + 1)
        if d == 1:
            return center, a / 4
        return center, d * d / (d * d - 1) * (a - 2 / (d + 1) * np.outer(along, along))
"""

RATIO = """
class Algebra:
    def ratio(self, d):
        if d == 1:
            return 0.5
        return (d * d / (d * d - 1)) ** (d / 2) * (1 - 2 / (d + 1)) ** 0.5
"""

XOR = """
class Learner:
    def __init__(self):
        self.w = [0] * 4

    def see(self, x):
        return (1, x[0], x[1], x[0] * x[1])

    def predict(self, x):
        return 1 if sum(a * b for a, b in zip(self.w, self.see(x))) > 0 else -1

    def update(self, x, y):
        if self.predict(x) != y:
            self.w = [a + y * b for a, b in zip(self.w, self.see(x))]
"""

WINNOW = """
class Learner:
    def __init__(self, n):
        self.n, self.w = n, [1.0] * n

    def predict(self, x):
        return sum(w for w, bit in zip(self.w, x) if bit) >= self.n

    def update(self, x, y):
        guess = self.predict(x)
        if guess != y:
            factor = 2.0 if y else 0.5
            self.w = [w * factor if bit else w for w, bit in zip(self.w, x)]
"""

CROSSING = WINNOW.replace("else 0.5", "else 0.0")

DUPLICATED = """
class Learner:
    def __init__(self, n):
        self.n, self.w = 2 * n, [1.0] * (2 * n)

    def see(self, x):
        return (*x, *(1 - bit for bit in x))

    def predict(self, x):
        return sum(w for w, bit in zip(self.w, self.see(x)) if bit) >= self.n

    def update(self, x, y):
        if self.predict(x) != y:
            factor = 2.0 if y else 0.5
            self.w = [w * factor if bit else w for w, bit in zip(self.w, self.see(x))]
"""

FLOOR = WINNOW.replace("w * factor", "max(w * factor, 0.5)")

MAJORITY = """
class Learner:
    def __init__(self, experts):
        self.errors = [0] * experts

    def predict(self, x):
        least = min(self.errors)
        weights = [0.5 ** (count - least) for count in self.errors]
        return int(2 * sum(w for w, vote in zip(weights, x) if vote) > sum(weights))

    def update(self, x, y):
        self.errors = [count + (vote != y) for count, vote in zip(self.errors, x)]
"""

LEADER = """
class Learner:
    def __init__(self, experts):
        self.errors = [0] * experts

    def predict(self, x):
        return x[self.errors.index(min(self.errors))]

    def update(self, x, y):
        self.errors = [count + (vote != y) for count, vote in zip(self.errors, x)]
"""

AGAIN = """
class Learner:
    def __init__(self, experts):
        self.experts, self.alive = experts, list(range(experts))

    def predict(self, x):
        return int(2 * sum(x[i] for i in self.alive) > len(self.alive))

    def update(self, x, y):
        self.alive = [i for i in self.alive if x[i] == y] or list(range(self.experts))
"""

RANDOMIZED = """
class Learner:
    def __init__(self, experts):
        self.errors = [0] * experts

    def predict(self, x):
        weights = [0.5 ** count for count in self.errors]
        return sum(w for w, vote in zip(weights, x) if vote) / sum(weights)

    def update(self, x, y):
        self.errors = [count + (vote != y) for count, vote in zip(self.errors, x)]
"""

IMPROVED = """
from math import log

class Learner:
    def __init__(self, experts):
        self.errors = [0] * experts

    def predict(self, x):
        weights = [0.5 ** count for count in self.errors]
        share = sum(w for w, vote in zip(weights, x) if vote) / sum(weights)
        c = 1.5 * log(4 / 3)
        return min(1.0, max(0.0, 0.5 + (2 * share - 1) / (4 * c)))

    def update(self, x, y):
        self.errors = [count + (vote != y) for count, vote in zip(self.errors, x)]
"""

TWICE = """
class Adversary:
    def __init__(self):
        self.ones = self.rounds = 0

    def instance(self):
        return [0, 1]

    def label(self, guess):
        self.rounds += 1
        self.ones += 1 - guess
        return 1 - guess

    def target(self):
        return int(2 * self.ones > self.rounds)
"""

HEDGE = """
from math import exp, log, sqrt

class Learner:
    def __init__(self, experts):
        self.errors = [0] * experts
        self.rate = sqrt(8 * log(experts) / 6)

    def predict(self, x):
        weights = [exp(-self.rate * count) for count in self.errors]
        return sum(w for w, vote in zip(weights, x) if vote) / sum(weights)

    def update(self, x, y):
        self.errors = [count + (vote != y) for count, vote in zip(self.errors, x)]
"""

MIXTURE = """
class Learner:
    def __init__(self, experts):
        self.weights = [1.0] * experts

    def predict(self, x):
        return sum(w * p for w, p in zip(self.weights, x)) / sum(self.weights)

    def update(self, x, y):
        self.weights = [w * (p if y else 1 - p) for w, p in zip(self.weights, x)]
"""

LAPLACE = """
class Learner:
    def __init__(self):
        self.zeros = self.ones = 0

    def predict(self, x):
        return (self.ones + 1) / (self.zeros + self.ones + 2)

    def update(self, x, y):
        if y:
            self.ones += 1
        else:
            self.zeros += 1
"""

HALF = LAPLACE.replace(
    "(self.ones + 1) / (self.zeros + self.ones + 2)", "(self.ones + 0.5) / (self.zeros + self.ones + 1)"
)

MEAN = LAPLACE.replace(
    "(self.ones + 1) / (self.zeros + self.ones + 2)",
    "self.ones / (self.zeros + self.ones) if self.zeros + self.ones else 0.5",
)

KEEP = "self.alive = [row for row in self.alive if row[x] == y]"

SOLVED = [
    (REMEMBER, [("= y", "= not y"), ("self.known[x] = y", "self.known = {x: y}"), ("get(x, False)", "get(0, False)")]),
    (SAME, [("= y", "= self.label"), ("return self.label", "return 'red'"), ("= y", "= y if x else self.label")]),
    (EXCEPTION, [("if y:", "if not y:"), ("return x ==", "return self.found is None or x =="), ("= x", "= 0")]),
    (BISECTION, [("return not guess", "return True"), ("return self.high", "return self.low"),
                 ("self.low = middle", "pass")]),
    (PREFIX, [("return not guess", "return False"), ("return self.low", "return self.high"),
              ("self.high = middle", "pass")]),
    (BOXES, [("return not guess", "return True"), ("(self.high, 2.0)", "(self.low, 2.0)"), ("(0.0, 1.0))", "0.0)")]),
    (CONSISTENT, [("self.alive[0][x]", "not self.alive[0][x]"), (KEEP, "self.alive = self.alive[1:] or self.alive"),
                  (KEEP, "pass")]),
    (HALVING, [("sum(row[x] for row in self.alive) > ", "sum(row[x] for row in self.alive) < "),
               ("2 * sum(row[x] for row in self.alive) > len(self.alive)", "self.alive[0][x]"), (KEEP, "pass")]),
    (GRID, [("(x - self.low + 1) > (self.high - x)", "x >= self.high"), ("min(self.high, x)", "x"),
            ("self.low, self.high = 0, n + 1", "self.low, self.high, self.all = 0, n + 1, list(range(n))")]),
    (OPTIMAL, [("return self.dimension(yes) > self.dimension(no)", "return len(yes) > len(no)"),
               ("return self.dimension(yes) > self", "return self.dimension(yes) < self"),
               ("return bool(yes)", "return False")]),
    (COIN, [("Fraction(sum(row[x] for row in self.alive), len(self.alive))", "Fraction(1, 2)"),
            ("sum(row[x] for row", "sum(not row[x] for row"), (KEEP, "pass")]),
    (CLOSURE, [("if y:", "if not y:"), ("self.box or [(c, c) for c in x]", "[(c, c) for c in x]"),
               ("min(low, c), max(high, c)", "low, high")]),
    (PARITIES, [("2 * sum(self.says(target, x) for target in self.alive) > len(self.alive)", "True"),
                ("% 2 == 1", "> 0"), ("> len", "< len")]),
    (THREE, [("max(", "min("), (KEEP, "pass"), ('"abc", key', '"ab", key')]),
    (LITERALS, [("if not y:", "if y:"), ("in (0, 1)}", "in (1,)}"), ("if x[i] != value", "if x[i] == value")]),
    (CONJUNCTION, [("if y:", "if not y:"), ("return all", "return any"), ("if x[i])", "if not x[i])")]),
    (DISJUNCTION, [("if not y:", "if y:"), ("return any", "return all"), ("= tuple(range(n))", "= (0,)")]),
    (QUERIES, [("if not y:", "if y:"), ("int(i != self.asked)", "int(i == self.asked)"),
               ("self.asked == self.n", "self.asked > self.n")]),
    (FEW, [("if y:", "if not y:"), ("(self.low + self.high) // 2\n        return", "self.low + 1\n        return"),
           ("return [self.low]", "return [self.high]")]),
    (TEACHER, [(" if len(relevant) < n else []", ""), ("int(i != gone)", "int(i == gone)"),
               ("[(best, True)]", "[([1] * n, True)]")]),
    (CONSERVATIVE, [("if self.predict(x) != y:", "if True:"), (KEEP, "self.alive = self.alive[1:] or self.alive"),
                    ("2 * sum(row[x] for row in self.alive) > len(self.alive)", "self.alive[0][x]")]),
    (STAGES, [("mistakes + 2", "mistakes + 1"), ("i * log(2)", "i"), ("ceil(", "int(")]),
    (RUN, [("mistakes + 1", "mistakes"), ("mistakes + 1) * run", "mistakes * run) + 1"), ("* run", "* run - 1")]),
    (RANDOM, [("log(n) - ", "log(n) + "), ("n / error", "1 / error"), ("ceil(", "int(")]),
    (PERCEPTRON, [("a + y * b", "a - y * b"), ("= [a + y * b for a, b in zip(self.w, x)]", "= [y * b for b in x]"),
                  ("a + y * b", "a + b")]),
    (BIASED, [("self.w, (*x, 1))]", "self.w, (*x, 0))]"), ("a + y * b", "a - y * b"), ("a + y * b", "y * b")]),
    (UNIT, [("b / length", "b"), ("y * b / length", "y * b * length"), ("a + y", "a - y")]),
    (BASIS, [("return -guess", "return guess"), ("int(i == len(self.labels))", "1"),
             ("[1] * (self.n", "[9] * (self.n")]),
    (BOLD, [("while y *", "if y *"), ("<= 0", "< 0"), ("<= 0", "<= -1")]),
    (SYMMETRIC, [("@ u.T", "@ v"), ("u @ np.diag(d) @ u.T", "np.array(matrix)"), ("np.diag(d)", "np.diag(d * d)")]),
    (INSIDE, [("w @ w <= 1", "w @ w > 1"), ("- np.array(center)", ""), ("np.array(matrix),", "np.array(matrix).T,")]),
    (STEP, [("+ y * along", "+ along"), ("a / 4", "a / 2"), ("(a - 2", "(a + 2")]),
    (RATIO, [("** 0.5", ""), ("return 0.5", "return 1.0"),
             ("(d * d / (d * d - 1)) ** (d / 2) * (1 - 2 / (d + 1)) ** 0.5", "2.718281828 ** (-1 / (2 * d + 2))")]),
    (XOR, [("x[0] * x[1]", "0"), ("a + y * b", "y * b"), ("return (1,", "return (0,")]),
    (WINNOW, [("else 0.5", "else 2.0"), (">= self.n", ">= 10 ** 6"), ("2.0 if y", "1.0 if y")]),
    (CROSSING, [("else 0.0", "else 1.0"), ("2.0 if y", "1.0 if y"), (">= self.n", "> 0 and False")]),
    (DUPLICATED, [("1 - bit", "bit"), ("2.0 if y", "1.0 if y"), ("else 0.5", "else 1.0")]),
    (FLOOR, [("max(w * factor, 0.5)", "w * factor if y else 0.0"), ("else 0.5\n", "else 1.0\n"),
             ("2.0 if y", "1.0 if y")]),
    (MAJORITY, [("> sum(weights)", "< sum(weights)"), ("vote != y", "vote == y"), ("0.5 **", "1 **")]),
    (LEADER, [("min(", "max("), ("vote != y", "vote == y"), ("self.errors.index(min(self.errors))", "0")]),
    (AGAIN, [(" or list(range(self.experts))", ""), ("> len", "< len"), ("== y]", "!= y]")]),
    (RANDOMIZED, [("if vote", "if not vote"), ("vote != y", "vote == y"), ("0.5 ** count", "1.0")]),
    (IMPROVED, [("0.5 + (2 * share - 1) / (4 * c)", "share"), ("4 * c", "-4 * c"), ("0.5 ** count", "1.0")]),
    (TWICE, [("return 1 - guess", "return guess"), ("[0, 1]", "[0, 0]"), ("int(2", "1 - int(2")]),
    (HEDGE, [("exp(-self", "exp(self"), ("if vote", "if not vote"), ("exp(-self.rate * count)", "1.0")]),
    (MIXTURE, [("if y else", "if not y else"),
                ("self.weights = [w * (p if y else 1 - p) for w, p in zip(self.weights, x)]", "pass"),
               ("return sum(w * p for w, p in zip(self.weights, x)) / sum(self.weights)", "return max(x)")]),
    (LAPLACE, [("self.ones + 1) /", "self.zeros + 1) /"), ("(self.ones + 1) / (self.zeros + self.ones + 2)", "0.5"),
               ("self.ones + 2)", "self.ones + 3)")]),
    (HALF, [("self.ones + 0.5) / (self.zeros + self.ones + 1)", "self.ones + 1) / (self.zeros + self.ones + 2)"),
            ("(self.ones + 0.5) / (self.zeros + self.ones + 1)", "0.5"),
             ("self.ones + 0.5) /", "self.zeros + 0.5) /")]),
    (MEAN, [("else 0.5", "else 1.5"), ("self.ones / (self.zeros + self.ones) if self.zeros + self.ones else 0.5", "0"),
            ("self.ones / (self.zeros", "self.zeros / (self.zeros")]),
]  # fmt: skip
