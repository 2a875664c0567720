"""Write docs/errata.md: what lecture notes print, what is true, and lines that show it: `python docs/make_errata.py`"""

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Erratum(NamedTuple):
    """What is printed, what is true, and a program that shows both."""

    title: str
    printed: str
    true: str
    code: str
    command: str = ""  # the same from a shell


ERRATA = [
    Erratum(
        "The margin must be measured on the rows as they are added",
        "margin = min |u.x| / |x|, and the Perceptron makes at most 1 / margin^2 mistakes.",
        "Only if every |x| = 1, or if x / |x| is added. A single long row costs many mistakes to undo.",
        """
X = [[100, 0]] + [[-0.6, 0.8]] * 200
stream = ls.Recorded(X, [True] * 201)
u, margin = (0.4472136, 0.8944272), 0.4472136  # a unit vector, and its margin over |x|
print("printed bound", round(1 / margin**2))
print("plain Perceptron", ls.play(ls.Perceptron(bias=0), stream).updates)
print("normalized Perceptron", ls.play(ls.Perceptron(bias=0, normalized=True), stream).updates)
print(ls.certify(ls.Perceptron(bias=0), stream, "Novikoff"))
""",
    ),
    Erratum(
        "Novikoff's bound is attained",
        "k < R^2 / margin^2.",
        "At most, not less: unit vectors one by one, each labelled the opposite of the guess.",
        """
game = ls.play(ls.Perceptron(bias=0), ls.BasisVectors(9))
print(game.mistakes, "mistakes; R^2 / margin^2 =", 1 / game.target.margin_squared)
""",
        "littlestone play perceptron --against basis-vectors:9",
    ),
    Erratum(
        "How many mistakes a margin forces",
        "Some sequence with margin d forces the ceiling of 1 / d^2 mistakes.",
        "The floor. For d^2 = 2/7 the Perceptron itself never makes 4.",
        """
from fractions import Fraction

adversary = ls.BasisVectors.with_margin(Fraction(2, 7))
print("forced", ls.play(ls.Perceptron(bias=0), adversary).mistakes, "and 7/2 rounds up to 4")
""",
    ),
    Erratum(
        "Thresholds on a grid",
        "Halving over thresholds on {0, ..., n} makes at most lg(n + 1) mistakes.",
        "The interval encodes n + 2 thresholds: floor(lg(n + 2)), which bisection forces.",
        """
from math import floor, log2

for n in (2, 6, 14):
    game = ls.play(ls.Halving(ls.Thresholds(n)), ls.Bisection(ls.Thresholds(n)))
    print(n, "printed", floor(log2(n + 1)), "made", game.mistakes, "ours", game.player.learner.bound().mistakes)
""",
        "littlestone play halving --concepts thresholds:14 --against bisection",
    ),
    Erratum(
        "Conjunctions are not so few",
        "lg 3^n = n, so halving learns conjunctions of n literals with n mistakes.",
        "lg 3^n is 1.585 n, and it matters: for n = 2 every learner can be forced to 3 mistakes.",
        """
for n in (1, 2, 3):
    class_ = ls.Conjunctions(n)
    forced = ls.littlestone_dimension(class_)
    print(n, "printed", n, "forced", forced, "ours", ls.Halving(class_).bound().mistakes)
""",
    ),
    Erratum(
        "k lg n is no bound for short conjunctions",
        "There are about n^k conjunctions of k literals, so k lg n mistakes.",
        "There are 2^k C(n, k): floor(lg) of that. At n = 4, k = 1 the printed 2 is exceeded.",
        """
class_ = ls.Conjunctions(4, k=1)
print("concepts", class_.size, "forced", ls.worst_case(ls.Halving(class_), class_).mistakes, "printed 1 * lg 4 = 2")
print("ours", ls.Halving(class_).bound().mistakes)
""",
    ),
    Erratum(
        "Elimination over n attributes",
        "ELIM makes at most n + 1 mistakes.",
        "n + 1 - k for a target of k literals; n + 1 only for the empty one.",
        """
for k in range(4):
    class_ = ls.Disjunctions(3, k=k)
    worst, ours = ls.worst_case(ls.Elimination(), class_), ls.Elimination().bound(attributes=3, relevant=k)
    print(k, "worst case", worst.mistakes, "ours", ours.mistakes, "printed", 4)
""",
    ),
    Erratum(
        "What a teacher must show",
        "k + 1 examples teach a monotone conjunction of k variables.",
        "min(k + 1, n): with k = n the positive example says nothing new.",
        """
print([ls.Teacher(4, relevant=list(range(k))).rounds for k in range(5)], "printed", [1, 2, 3, 4, 5])
""",
    ),
    Erratum(
        "Randomized halving",
        "E[mistakes] <= H_r = 1 + 1/2 + ... + 1/r.",
        "The last concept never errs: H_r - 1, attained when concepts die one at a time.",
        """
from fractions import Fraction

singletons = ls.Concepts([[h == x for x in range(4)] for h in range(4)])
worst = ls.worst_case(ls.RandomizedHalving(singletons), singletons)
print("worst case", worst.mistakes, "ours", ls.RandomizedHalving(singletons).bound().value, "printed", Fraction(25, 12))
""",
    ),
    Erratum(
        "Winnow with a margin needs the margin in its factor",
        "For a target w.x >= t against w.x <= t - g take the factor 1 + g / 2.",
        "Rescale to threshold 1 first: 1 + g / (2 t). For the majority of three, t = 10 and g = 5, the printed factor "
        "3.5 errs for ever; 5/4 makes 12 mistakes of 104 allowed.",
        """
X = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
for factor in (3.5, 1.25):
    sweeps = [ls.Recorded(X * k, [True, True, True, False, False, False] * k) for k in (1, 2, 3, 4, 8, 16)]
    made = [ls.play(ls.Winnow(factor, 10), stream).mistakes for stream in sweeps]
    print("factor", factor, "mistakes after 1, 2, 3, 4, 8, 16 sweeps:", made)
""",
    ),
    Erratum(
        "Balanced Winnow with factor 2",
        "Double the active weights of one side and halve the other: O(log n) mistakes.",
        "No finite bound: three rows with margin 1/7 cost 7 mistakes every 3 sweeps. The factor must shrink with the "
        "margin: 1.15 makes 22 mistakes, then none.",
        """
X, y = [[1, 1, 1], [1, 0, 1], [0, 1, 1]], [True, False, False]
for factor in (2, 1.15):
    made = [ls.play(ls.BalancedWinnow(factor=factor, bias=0), ls.Recorded(X * k, y * k)).updates for k in (12, 24, 48)]
    print("factor", factor, "updates after 12, 24, 48 sweeps:", made)
""",
    ),
    Erratum(
        "The ellipsoid on a grid",
        "M <= 2d (2d + 2) ln n for weights and rows on the grid {-1, ..., 1} with step 1/n.",
        "At n = 1 that is 0. With R and |u| up to sqrt(d) it is 2d (d + 1) ln(1 + d n^2).",
        """
from math import log

stream = ls.Recorded([[1.0, 1.0], [1.0, -1.0]], [True, True])
made, d, n = ls.play(ls.Ellipsoid(), stream).updates, 2, 1
print("printed", 2 * d * (2 * d + 2) * log(n), "made", made, "ours", round(2 * d * (d + 1) * log(1 + d * n * n), 1))
""",
    ),
    Erratum(
        "The ellipsoid shrinks where it is cut",
        "After (1, 0) labelled + the matrix is diag(4/3, 4/9).",
        "diag(4/9, 4/3): the direction of the cut shrinks, the others grow.",
        """
state = ls.play(ls.Ellipsoid(), ls.Recorded([[1.0, 0.0]], [True])).player.state
scale, shrink = float(state.scale[0]), float(state.shrink[0])
print("along the cut", round(scale * (1 - shrink), 4), "across it", round(scale, 4))
""",
    ),
    Erratum(
        "A penalty of 0",
        "a_b L + c_b lg N for every penalty b in [0, 1).",
        "a_0 is infinite: with penalty 0 (halving) only a perfect expert gives a bound.",
        """
print(ls.WeightedMajority(0).bound(experts=8, best_loss=0).mistakes, "= lg 8 with a perfect expert")
try:
    ls.WeightedMajority(0).bound(experts=8, best_loss=1)
except Exception as refusal:
    print(refusal)
""",
    ),
    Erratum(
        "Tossing a coin does not halve the mistakes",
        "Randomized weighted majority makes half of the mistakes.",
        "Only as the penalty tends to 1. The improved curve is exactly half, for every penalty.",
        """
for penalty in (0.1, 0.5, 0.9):  # 16 experts, of whom the best errs 20 times
    kinds = (ls.WeightedMajority, ls.RandomizedWeightedMajority, ls.ImprovedMajority)
    values = [float(make(penalty).bound(16, 20).value) for make in kinds]
    print(penalty, [round(value, 2) for value in values])
""",
    ),
    Erratum(
        "No learner can promise less than twice the best expert without coins",
        "Regret sqrt(log N / T) for any learner.",
        "A deterministic learner errs in every round against two constant experts, the better of whom errs in half of "
        "them; the regret bounds are for averages and coins.",
        """
game = ls.play(ls.WeightedMajority(), ls.ConstantExperts(20))
print(game.mistakes, "of 20; the best expert errs", game.certificate().witness["losses"])
""",
    ),
    Erratum(
        "A vote that is tied and lost removes half, not more",
        "Halving leaves fewer than half of the concepts after a mistake.",
        "At most half: with two concepts that differ, one of two is left.",
        """
pair = ls.Concepts([[0, 1], [1, 1]])
game = ls.play(ls.Halving(pair), ls.Recorded([0], [True]))
witness = game.certificate().witness
print(game.mistakes, "mistake, and of", witness["concepts"], "concepts", witness["survivors"], "is left")
""",
    ),
    Erratum(
        "Separable for ever is not enough",
        "If the rows are separable there is a margin > 0, so the mistakes end.",
        "For finitely many rows. Bisection keeps every row so far separable by a threshold, and the margin tends to 0.",
        """
player, low, high, mistakes = ls.Player(ls.Perceptron()), 0.0, 1.0, 0
for _ in range(40):
    x = (low + high) / 2
    label = not player.predict([x])  # against every guess
    low, high = (low, x) if label else (x, high)  # the thresholds between them agree with all labels
    player.update([x], label)
    mistakes += 1
print(mistakes, "mistakes in 40 rounds; thresholds left:", high - low > 0)
""",
    ),
    Erratum(
        "Shorter rows have smaller margins",
        "Rows of length at most 1 are no loss of generality: at most 1 / margin^2 mistakes.",
        "The margin is divided too: R^2 / margin^2. Ten times as long, ten times the margin, as many mistakes.",
        """
import numpy as np

for scale in (1, 10):
    game = ls.play(ls.Perceptron(bias=0), ls.Recorded(scale * np.eye(9), [True] * 9))
    print(f"length {scale}: {game.updates} updates, 1 / margin^2 = {9 / scale**2}, R^2 / margin^2 = 9")
""",
    ),
    Erratum(
        "The sum of Winnow's weights",
        "A promotion doubles the sum of all weights, and the sum is at most n.",
        "Only active weights double, and it is their sum that is below n. There are at most 2u + 1 demotions after u "
        "promotions, so at most 3u + 1 mistakes; the sum of all may pass n.",
        """
weights = [1, 1, 1, 1]  # n = 4; the only active attribute is promoted twice
for _ in range(2):
    assert weights[0] < 4
    weights[0] *= 2
print("sum of all weights:", sum(weights), "and n = 4")
game = ls.play(ls.Winnow(threshold=4), ls.Recorded([[1, 0, 0, 0]] * 3, [True] * 3))
print(game.mistakes, "mistakes: a third promotion is never needed")
""",
    ),
]


# which of 47 passages each program is about
PASSAGES = (4, 14, 44, 36, 11, 12, 8, 13, 46, 5, 23, 40, 39, 28, 29, 9, 10, 15, 33, 19)

WORDS = [
    (1, "The sum over M + 1 stages of a PAC conversion has M + 1 terms with ceilings; the last stage needs no "
     "test."),
    (2, "A conservative learner changes only after mistakes; that each changes it is neither implied nor "
     "needed."),
    (3, "A worked example takes the weights to (-0.2, 0.6), so (1, 0) is negative and (0.8, 0.6) positive, "
     "though both lie on one side of its separator x1 = x2. With (0.6, 0.8) as the third row the weights "
     "are (-0.4, 0.8)."),
    (6, "The lemma that some weight of Winnow is large divides by the sum of the target's weights, not the "
     "learner's."),
    (7, "Winnow's bound with a margin is for attributes that are 0 or 1: with values between, a weight can "
     "pass b t."),
    (16, "The slack bound ((R + D) / g)^2 needs |x| <= R, not |x|^2 < R, and D measured by one fixed unit "
     "vector, chosen after the run if one likes, not by the learner's weights."),
    (17, "The cycling theorem needs rational rows in a periodic order: {1 to +, sqrt 2 to -} never repeats a "
     "weight."),
    (18, "A threshold kept beside the weights falls when a positive is missed: t - r y, not t + r y; and with "
     "a step of t's first value, 0, it is never learned."),
    (20, "The averaged Perceptron votes by sgn((sum c v).x); what is often displayed under that name is the "
     "voted one, and the survival count belongs to the branch without a mistake."),
    (21, "A thick separator demotes when w.x - t > -margin; printed without the minus sign it updates on wrong "
     "rounds."),
    (22, "The aggressive step (t - w.x) / x.x lands on the boundary and, for a negative label, moves the wrong "
     "way."),
    (24, "Winnow-R's bound O(c log n) counts the attributes of the first target among the c additions, and "
     "allows one mistake even for c = 0: 5 c ceil(lg 2n) + 1, with at most 4u + 1 demotions after u "
     "promotions."),
    (25, "Winnow that eliminates instead of demoting is for noise-free monotone disjunctions only: it cannot "
     "undo."),
    (26, "500 mistakes and a run of 1,000 rounds without one: 501,000 rounds are enough, and 500,000 are not."),
    (27, "Winnow guesses 1 at w.x >= t in one place and at w.x > t in another: the bounds differ, choose one."),
    (30, "A best expert that errs at rate r leaves a rate of sqrt(r ln N / T) + lg N / (2T) beyond it, which "
     "is O(1/T) only where r = O(ln N / T)."),
    (31, "The best expert errs in at most half of the rounds if the pool holds all opposites, and not "
     "otherwise: add the opposites, which makes 2N experts, or take Hedge, which needs no such K."),
    (32, "E[min L] = T/2 - sqrt(T ln N / 2) is a limit; for every N and T it is at least that."),
    (34, "VC <= mistakes of the best deterministic learner; with coins half of it. About margins it speaks of "
     "sets that are shattered with the margin, not of a class that was fixed before."),
    (35, "The improved curve is left open: 0 up to 1/2 - c, 1 from 1/2 + c, c = (1 + b) ln(2 / (1 + b)) / (2 "
     "(1 - b))."),
    (37, "Bisection may leave no threshold after infinitely many rounds; cut off thirds, and one remains. For "
     "any finite number of rounds it is fine as it is."),
    (38, "Programs shorter than b bits are learned with at most b - 1 mistakes; those of at most b bits with "
     "b."),
    (41, "The ellipsoid's volume shrinks by exp(-1 / (2d + 2)), d the dimension, not n; the product is over d "
     "axes."),
    (42, "In one dimension the ellipsoid's formula divides by 0: the matrix is divided by 4. A row of zeros "
     "teaches nothing and is refused; a score of 0 is a mistake."),
    (43, "The new ellipsoid covers the half of the old one beyond its own center, not beyond the origin: the "
     "two are the same in the first round only."),
    (45, "After w - x the score of x falls by |x|^2, not by |x|; on unit rows it is the same."),
    (47, "Any kernel must be positive semidefinite."),
]  # fmt: skip


def write_erratum(erratum):
    """What the program of an erratum prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(erratum.code, erratum.title, "exec"), {"ls": __import__("littlestone")})
    return printed.getvalue().strip()


def write_page():
    parts = [
        "# Errata",
        "",
        "What is printed in five lecture notes on mistake bounds and is not so, in 47 places, with lines that show it.",
        "Each program was run by `docs/make_errata.py`, and is run again by the tests; begin with",
        "`import littlestone as ls`.",
    ]
    for number, erratum in enumerate(ERRATA, 1):
        parts += ["", f"## {number}. {erratum.title}", "", f"**Printed.** {erratum.printed}", ""]
        parts += [f"**True.** {erratum.true}", "", "```python", erratum.code.strip(), "```", ""]
        parts += ["```", write_erratum(erratum), "```"]
        parts += ["", f"    {erratum.command}"] if erratum.command else []
    parts += ["", "## In words", "", *(f"- {line}" for _, line in WORDS)]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    (HERE / "errata.md").write_text(write_page())
    sys.stdout.write(f"wrote {len(ERRATA)} errata\n")
