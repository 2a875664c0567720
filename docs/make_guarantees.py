"""Write docs/guarantees.md from real data and from games: `python docs/make_guarantees.py FOLDER_WITH_DATA`."""

import gzip
import math
import re
import sys
from itertools import product
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import littlestone as ls
from littlestone.base.environment import take_rounds
from littlestone.base.features import Indexed
from littlestone.base.learner import Size
from littlestone.base.printed_numbers import format_percent
from littlestone.certificates.risk import LabelOrder
from littlestone.certificates.stopping import clean_runs
from littlestone.environments.derived import After
from littlestone.game.game import Coming, keep_tally, play_events, start_game
from littlestone.guarantees.planner import crossing

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from benchmarks import datasets  # noqa: E402
from benchmarks.datasets import Rows, read_mnist, read_svmlight  # noqa: E402

HEAD = """# From mistakes to guarantees

May I stop? How wrong can it be on new data? Which learner should I use? Written by `python docs/make_guarantees.py`
from data that are no part of the project; shuffles and coins have fixed seeds.

```python
import littlestone as ls

result = ls.pac(ls.Perceptron(), stream, error=0.05, confidence=0.99)  # stops reading when certified
print(result)  # after how many examples; or what is certified if the stream ended
game = ls.play(ls.Perceptron(), stream)
print(game.risk(confidence=0.99))  # the error on new data, or why nothing can be said about it
print(ls.keep_snapshots(ls.Perceptron(), stream))  # the error of a model that was frozen and judged by later rounds
print(game.drift())  # objects, in words, if the rounds were not exchangeable
print(ls.plan(attributes=10_000, relevant=5))  # every learner's guarantee, and a recommendation, if any helps
print(ls.separable(stream))  # a separating vector, or rounds that cancel exactly
print(ls.floor(stream))  # what no fixed rule, and no linear one, can go below
ls.Duplicated(ls.Winnow())  # negations for Winnow
ls.Restarting(ls.Winnow())  # an unknown margin, halved phase by phase
ls.Tracking(ls.Winnow(threshold=100.0))  # a target that changes: fixed share over restarted copies
```

From a shell: `littlestone plan --attributes 10000 --relevant 5`, `littlestone plan --from DATA`,
`littlestone separable DATA`, `littlestone floor DATA`. Where labels are numbers a plan is about the mean error, and
needs their range and the number of rounds: `littlestone plan --attributes 20 --labels -5 5 --examples 100000`
(docs/regression.md).
"""


def read_words(path):
    """Text messages as rows of the words in them."""
    lines = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines()]
    number, indptr, indices = {}, [0], []
    for _, text in lines:
        row = {number.setdefault(word, len(number)) for word in re.findall(r"\w+", text.lower())}
        indices += sorted(row)
        indptr.append(len(indices))
    X = sp.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(lines), len(number)))
    return Rows(X, np.array([label == "spam" for label, _ in lines]))


def widen(train, test):
    """Both over the same attributes."""
    width = max(train.X.shape[1], test.X.shape[1])
    return tuple(
        Rows(sp.csr_matrix((r.X.data, r.X.indices, r.X.indptr), (len(r.y), width)), r.y) for r in (train, test)
    )


def list_sets(data):
    """Pairs of training and test rows by name, the training rows shuffled."""
    yield "a9a", *widen(read_svmlight(data / "adult/a9a.gz"), read_svmlight(data / "adult/a9a.t.gz"))
    yield (
        "mushroom",
        *widen(read_svmlight(data / "mushroom/agaricus.txt.train"), read_svmlight(data / "mushroom/agaricus.txt.test")),
    )
    train, test = read_mnist("train"), read_mnist("t10k")
    for a, b in ((0, 1), (3, 5), (4, 9)):
        pair = [Rows(r.X[np.isin(r.y, (a, b))], r.y[np.isin(r.y, (a, b))] == b) for r in (train, test)]
        yield f"MNIST {a} or {b}", *pair
    sms = read_words(data / "sms_spam/SMSSpamCollection").shuffled(1)
    yield "SMS spam", Rows(sms.X[:4000], sms.y[:4000]), Rows(sms.X[4000:], sms.y[4000:])


def play_once(train, test, seed=0):
    """Tally of one pass of the Perceptron, and the measured errors: average over all rounds, vote, last hypothesis."""
    rows = train.shuffled(seed)
    player, marks = ls.Player(ls.Perceptron(), classes=(False, True)), np.zeros(len(rows.y))
    player.start_state(Size(train.X.shape[1]))
    player.replay(ls.Recorded(rows.X, rows.y)._chunk, marks)
    moved = np.flatnonzero(marks > 0)
    held = np.diff([-1, *moved, len(rows.y) - 1])  # rounds that each hypothesis guessed
    columns = test.X.tocsc()
    scores, votes, total = np.zeros(len(test.y)), np.zeros(len(test.y)), 0.0
    for t, rounds in zip([*moved, None], held, strict=True):
        said = scores > 0
        total += rounds * float(np.mean(said != test.y))
        votes += rounds * np.where(said, 1.0, -1.0)
        if t is not None:
            step, row = 1.0 if rows.y[t] else -1.0, slice(rows.X.indptr[t], rows.X.indptr[t + 1])
            scores += step
            for j, value in zip(rows.X.indices[row], rows.X.data[row], strict=True):
                column = slice(columns.indptr[j], columns.indptr[j + 1])
                scores[columns.indices[column]] += step * value * columns.data[column]
    vote = float(np.mean(np.where(test.y, votes <= 0, votes >= 0)))
    return player.tally, total / len(rows.y), vote, float(np.mean((scores > 0) != test.y))


def tabulate_risks(known):
    """The table of certified and measured errors."""
    lines = [
        "## What one pass says about new data", "",
        "One pass of the Perceptron over the shuffled training rows; the certificate is made from its mistakes alone,",
        "at 99 %. Measured on the test rows: the mean error of the hypotheses of all rounds, the error of their vote",
        "(a tie is an error), and that of the last hypothesis, of which nothing is claimed. A vote is certified at",
        "twice the average; it is mostly far better.", "",
        "| data | rounds | mistakes | average: certified | measured | vote: certified | measured | last: measured |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for name, train, test in known:
        tally, average, vote, last = play_once(train, test)
        found = ls.risk(tally.rounds, tally.mistakes)
        assert average <= found.average, name
        assert vote <= found.voted, name
        shown = [f"{100 * value:.2f} %" for value in (average, vote, last)]
        lines.append(
            f"| {name} | {tally.rounds:,} | {tally.mistakes:,} | <= {format_percent(found.average)} | {shown[0]} | "
            f"<= {format_percent(found.voted)} | {shown[1]} | {shown[2]} |"
        )
    return lines


def tabulate_stopping(known):
    """How many examples the certified hypothesis took."""
    lines = [
        "", "## When it may stop", "",
        "With M = 10 mistakes at most, error 0.1 and confidence 0.95: "
        f"{ls.Stopping(0.1, 0.95, 10, 'geometric').most} examples by geometric shares",
        f"({ls.Stopping(0.1, 0.95, 10, 'geometric').lengths(1, 11).sum()} with the last stage tested), "
        f"{ls.Stopping(0.1, 0.95, 10).most} by equal ones. A clean run of 1,000 after 500 mistakes at most:",
        f"{clean_runs(1000, 500):,} examples. On real rows, shuffled, M unknown, confidence 0.99:", "",
        "| data | learner | error | read | of | says | measured on the test rows |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for name, train, test in known:
        if name in ("mushroom", "MNIST 0 or 1", "a9a"):
            rows = train.shuffled(0)
            result = ls.pac(ls.Perceptron(), ls.Recorded(rows.X, rows.y), 0.02, 0.99)
            state = result.player.state
            error = float(np.mean((test.X @ state.weights[: test.X.shape[1]] + state.bias[0] > 0) != test.y))
            assert error <= result.certificate.bound
            says = f"certified {format_percent(result.certificate.bound)}" if result.certified else (
                f"the stream ended first: {format_percent(result.certificate.bound)}"
            )  # fmt: skip
            lines.append(
                f"| {name} | Perceptron | 0.02 | {result.examples:,} | {len(rows.y):,} | {says} | {100 * error:.2f} % |"
            )
    return lines


HALVED = {
    "adult": ("adult/a9a.gz", {}),
    "web": ("web/w8a.gz", {}),
    "spam stream": ("spam_stream/spam_katakis.libsvm.gz", {}),
    "SMS": ("sms_spam/SMSSpamCollection", {"format": "text"}),
    "mushroom": ("mushroom/agaricus.txt.train", {}),
    "svmguide3": ("svmguide3/svmguide3.libsvm", {}),
    "electricity": ("electricity/elec.csv.gz", {}),
    "credit_g": ("tables/credit_g.csv", {}),
    "spambase": ("tables/spambase.csv", {}),
    "letter": ("tables/letter.csv.gz", {}),
    "polarity": ("tables/polarity.txt.gz", {"format": "text"}),
}
ASKED = 40  # hypotheses of the first half that are judged on the second


def judge_halves(path, options):
    """Learn the first half of a stream in its own order, and judge hypotheses of it on the second.

    Returns:
        The risk as it is printed after the first half.
        The mean error, on the second half, of hypotheses served at evenly spaced rounds of the first.
        The round at which the order of the labels of the whole stream is objected to, or None.
    """
    stream = ls.read(path, **options)
    chunks = list(stream.chunks())
    half = sum(map(len, chunks)) // 2
    player = ls.Player(None, stream.features(), stream.classes())
    later, game, errors = list(After(stream, half).chunks()), start_game(player, stream), []
    every = -(-half // ASKED)
    with keep_tally(game):
        for event in play_events(game, take_rounds(iter(chunks), half), lambda t: (t // every + 1) * every):
            if isinstance(event, Coming) and player.tally.rounds:
                said = [label for chunk in later for label in player.predictions(chunk)]
                truth = [label for chunk in later for label in chunk.labels.tolist()]
                errors.append(np.mean([a != b for a, b in zip(said, truth, strict=True)]))
    order, labels = LabelOrder(), [label for chunk in chunks for label in chunk.labels.tolist()]
    order.add(np.unique(labels, return_inverse=True)[1])
    return game.risk(), float(np.mean(errors)), order.objection


def tabulate_halves(data):
    """Each printed sentence against the second half of its stream, in the order of the file."""
    lines = [
        "", "## The sentence about new data, judged", "",
        "The first half of each file is learned in its own order, by the learner that `learn` takes if none is named;",
        f"then up to {ASKED} of the hypotheses that it served, evenly spaced, are judged on the second half. Either",
        "nothing is said about new data, with the reason, or the bound stands above their mean error, or the second",
        "half comes from another source than the first, which no look at the first can tell.", "",
        "| data | rounds | served wrong | said about new data, at 99 % | mean error on the second half | |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for name, (file, options) in HALVED.items():
        found, error, objection = judge_halves(data / file, options)
        said = f"at most {format_percent(found.average)}" if found.doubt is None else "nothing"
        if found.doubt is not None:
            verdict = "too few of a class" if "before two classes" in found.doubt else "the order of the labels objects"
        elif error <= found.average:
            verdict = "true"
        else:
            verdict = "the second half is of another kind"
            verdict += f": the labels of the whole file are objected to at round {objection:,}" if objection else ""
        share = found.mistakes / max(found.rounds, 1)
        lines.append(f"| {name} | {found.rounds:,} | {share:.2%} | {said} | {error:.2%} | {verdict} |")
    return lines


def read_electricity(data):
    with gzip.open(data / "electricity/elec.csv.gz", "rt") as text:
        rows = [line.strip().split(",") for line in text][1:]
    return Rows(np.array([[float(cell) for cell in row[:-1]] for row in rows]), np.array([row[-1] for row in rows]))


def tabulate_orders(data):
    """What the drift check says of streams in time order and shuffled."""
    said = "The same learner on the same rounds in 99 other orders; wrong one time in a hundred at most."
    lines = ["", "## When the rounds are not alike", "", said, ""]
    spam = read_svmlight(data / "spam_stream/spam_katakis.libsvm.gz")
    for name, rows in (
        ("spam", spam),
        ("electricity", read_electricity(data)),
        ("a9a", read_svmlight(data / "adult/a9a.gz")),
    ):
        for order, stream in (("as it came", rows), ("shuffled", rows.shuffled(3))):
            found = ls.drift(ls.Perceptron(), ls.Recorded(stream.X, stream.y))
            assert bool(found) == (name != "a9a" and order == "as it came"), (name, order)
            lines += [f"**{name}, {order}.** {str(found)[0].upper()}{str(found)[1:]}", ""]
    return lines


def tabulate_separations(data):
    lines = ["## Separable or not", "", "| data | rounds | answer |", "|---|---|---|"]
    xor = Rows(np.array(list(product((0.0, 1.0), repeat=2))), np.array([False, True, True, False]))
    rows = {
        "XOR": xor,
        "mushroom": read_svmlight(data / "mushroom/agaricus.txt.train"),
        "a9a": read_svmlight(data / "adult/a9a.gz"),
    }
    for name, (X, y) in rows.items():
        stream = ls.Recorded(X, y)
        found = ls.separable(stream)
        assert found.check(stream)
        assert bool(found) == (name == "mushroom")
        text = str(found).replace("\n", " ").replace("|", "\\|")
        lines.append(f"| {name} | {found.rounds:,} | {text} |")
    a9a = rows["a9a"]
    met = {}
    for row, y in zip(a9a.X, a9a.y, strict=True):
        met.setdefault(row.indices.tobytes(), set()).add(bool(y))
    clean = np.array([len(met[row.indices.tobytes()]) == 1 for row in a9a.X])
    stream = ls.Recorded(a9a.X[clean][:6000], a9a.y[clean][:6000])
    found = ls.separable(stream)
    assert found.check(stream)
    lines.append(f"| a9a, 6,000 rows without those of both labels | 6,000 | {found} |")
    return lines


def draw_disjunctions(rng, n, k, noise, rounds):
    X = (rng.random((rounds, n)) < 1 - 0.5 ** (1 / k)).astype(np.float64)
    y = X[:, rng.permutation(n)[:k]].any(axis=1)
    return X, y, {"active": int(X.sum(axis=1).max())}


def draw_majorities(rng, n, k, noise, rounds):
    X = rng.choice([-1.0, 1.0], (rounds, n))
    return X, X[:, rng.permutation(n)[:k]].sum(axis=1) > 0, {"margin": 1 / k - 1e-9}


def count_mistakes(entry, X, y):
    rows = isinstance(entry.learner.features(), Indexed)
    stream = ls.Recorded(X, y) if rows else ls.Recorded([tuple(x) for x in X.astype(int).tolist()], y)
    game = ls.play(entry.learner, stream)
    return {"mistakes": game.mistakes, "updates": game.updates, "expected mistakes": float(game.expected or 0)}[
        entry.counts
    ]


def plan_and_play(rounds=1000):
    """The grid of assumptions: recommended against best, all within their guarantees."""
    lines = [
        "", "## Plan against play", "",
        f"{rounds:,} rounds drawn at random, every learner of at most 10,000 steps a round played. All measured counts",
        "are within their guarantees (the script stops otherwise). The recommended learner has the smallest guarantee,",
        "which is about the worst rounds there could be; the best is the learner that erred least on these.", "",
        "| target | n | k | wrong labels | recommended | promised | made | best in play | made |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    checked = 0
    for make, n, k, noise in [
        (draw_disjunctions, 10, 2, 0.0), (draw_disjunctions, 100, 2, 0.0), (draw_disjunctions, 30, 2, 0.01),
        (draw_disjunctions, 1000, 5, 0.0), (draw_disjunctions, 1000, 5, 0.01), (draw_majorities, 15, 3, 0.0),
        (draw_majorities, 15, 3, 0.01), (draw_majorities, 200, 3, 0.0), (draw_majorities, 200, 3, 0.01),
        (draw_majorities, 1000, 1, 0.0), (draw_majorities, 1000, 7, 0.0),
    ]:  # fmt: skip
        rng = np.random.default_rng(n + k)
        X, y, known = make(rng, n, k, noise, rounds)
        wrong = rng.permutation(rounds)[: math.ceil(noise * rounds)]
        y[wrong] = ~y[wrong]
        found = ls.plan(attributes=n, relevant=k, noise=noise, examples=rounds, steps=1e4, **known)
        made = {}
        for entry in found.entries:
            if found.affordable(entry):
                made[entry.name] = count_mistakes(entry, X, y)
                assert made[entry.name] <= entry.guarantee, entry.name
                checked += 1
        best, recommended = min(made, key=made.get), found.recommended
        kind = "OR" if make is draw_disjunctions else "majority"
        lines.append(
            f"| {kind} of k | {n:,} | {k} | {len(wrong)} | {recommended.name} | {recommended.most} | "
            f"{made[recommended.name]:.4g} | {best} | {made[best]:.4g} |"
        )
    two = crossing()
    lines += [
        "", f"{checked} guarantees were checked. For the majority of 5 among n attributes of -1 or 1, Balanced",
        f"Winnow's guarantee is the smaller one from n = {two.at} on; at n = {two.attributes[-1]:,} it is",
        f"{two.winnow[-1]:,} against {two.perceptron[-1]:,} (both curves: `littlestone.guarantees.planner.crossing`).",
    ]  # fmt: skip
    return lines


def main():
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else datasets.DATA
    if not (data / "adult").exists():
        print(f"{data} has no data: nothing was written")
        return
    datasets.DATA = data
    known = list(list_sets(data))
    parts = [
        tabulate_risks(known),
        tabulate_halves(data),
        tabulate_stopping(known),
        tabulate_orders(data),
        tabulate_separations(data),
        plan_and_play(),
    ]
    page = HERE / "guarantees.md"
    page.write_text(HEAD + "\n" + "\n".join(line for part in parts for line in part) + "\n")
    print(f"wrote {page.name}")


if __name__ == "__main__":
    main()
