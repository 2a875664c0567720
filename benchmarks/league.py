"""Leagues: mistakes on streams in their own order against the best member, and what the mixture costs.

    python -m benchmarks.league accuracy [stream ...]   the plain pool against published figures, then the default pool
    python -m benchmarks.league cost                    the mixture against a bare loop, and two cores against one

The data are no part of the project.
"""

import sys
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.accuracy import read_file, record_rows
from benchmarks.datasets import DATA, Rows, read_mnist, read_svmlight
from benchmarks.timing import measure_best, measure_medians
from littlestone.compiled import kernel
from littlestone.game.league.books import KINDS, MET, Books, Layout, RoundBench, Rules, Told
from littlestone.game.league.league import RATES
from littlestone.game.league.mixture import play

PUBLISHED = {
    "SMS": 101,
    "spam stream": 139,
    "adult": 5043,
    "electricity": 4016,
    "web": 740,
    "mushroom": 17,
    "MNIST": 2127,
}


def read_digits() -> Rows:
    """The first 20,000 of MNIST."""
    rows = read_mnist("train")
    return Rows(rows.X[:20000], rows.y[:20000])


STREAMS: dict[str, Any] = {
    "SMS": read_file("sms_spam/SMSSpamCollection"),
    "spam stream": read_file("spam_stream/spam_katakis.libsvm.gz"),
    "adult": read_file("adult/a9a.gz"),
    "electricity": read_file("electricity/elec.csv.gz"),
    "web": record_rows(lambda: read_svmlight(DATA / "web" / "w8a.gz"), 0),
    "mushroom": read_file("mushroom/agaricus.txt.train"),
    "MNIST": record_rows(read_digits),
}


def choose_plain(name: str) -> list[Any]:
    """The pool without Logistic that the published figures are of."""
    if name == "MNIST":
        units = (ls.Perceptron(), ls.AveragedPerceptron(), ls.PassiveAggressive(), ls.Arow(diagonal=True, bias=1))
        return [*map(ls.Network, units), ls.NaiveBayes()]
    chosen = [
        ls.Perceptron(), ls.AveragedPerceptron(), ls.AggressivePerceptron(), ls.PassiveAggressive(),
        ls.PNormPerceptron(), ls.Arow(diagonal=True, bias=1), ls.NaiveBayes(),
    ]  # fmt: skip
    if name in ("SMS", "spam stream", "adult", "web", "mushroom"):
        chosen += [ls.Winnow(), ls.BalancedWinnow()]
    if name in ("adult", "electricity", "spam stream", "web", "mushroom"):
        chosen += [ls.Arow(bias=1), ls.SecondOrderPerceptron()]
    return chosen


def measure_accuracy(names: list[str]) -> None:
    """Print mistakes of leagues and of their best members."""
    print("stream | pool | rounds | members | best member | league | log-loss | published | within")
    for name in names:
        for pool, members in (("plain", choose_plain(name)), ("default", None)):
            league = ls.League(members).play(STREAMS[name]())
            best = min(league.standings(), key=lambda one: one.mistakes)
            if pool == "plain":
                most, known = max(1.01 * PUBLISHED[name], PUBLISHED[name] + 5), str(PUBLISHED[name])
            else:
                most, known = max(1.03 * best.mistakes, best.mistakes + 10), "-"
            row = (name, pool, league.rounds, len(league.standings()), f"{best.mistakes} {best.name}", league.mistakes)
            print(*row, f"{league.log_loss:.1f}", known, league.mistakes <= most, sep=" | ", flush=True)


@kernel
def mix_bare(panel: Any, rates: Any, weights: Any, levels: Any, shared: Any, served: Any) -> None:
    """The two levels of a mixture over a panel of chances of class 1, all awake, and nothing else."""
    count, readings = weights.shape
    for t in range(panel.shape[0]):
        now, total = np.float64(t + 1), 0.0
        for k in range(count):
            rate = (rates[k] if rates[k] > 0 else 1.0 / now) if t else 0.0
            mass, said = 0.0, 0.0
            for e in range(readings):
                shared[k, e] = (1.0 - rate) * weights[k, e] + rate / readings
                mass += shared[k, e]
                said += shared[k, e] * panel[t, e]
            served[t, 1 + k] = said / mass
            part = (1.0 - 1.0 / now) * levels[k] + 1.0 / now / count if t else levels[k]
            levels[k] = part
            total += part * served[t, 1 + k]
        served[t, 0] = total
        for k in range(count):
            mass = 0.0
            for e in range(readings):
                weights[k, e] = shared[k, e] * (panel[t, e] / served[t, 1 + k])
                mass += weights[k, e]
            for e in range(readings):
                weights[k, e] /= mass
            levels[k] *= served[t, 1 + k] / total


def measure_cost(rounds: int = 20000, members: int = 10) -> None:
    """Print the time of the mixture over that of a bare loop, and of two cores over one."""
    rng = np.random.default_rng(0)
    said = rng.normal(size=(members, rounds))
    labels, kinds = rng.integers(0, 2, rounds).astype(np.int32), np.full(members, KINDS.index("score"))
    rules, layout = Rules(np.array([0.0, *RATES]), False, 1.0, 0), Layout.of(kinds, 2)
    readings = int(layout.readings[-1])
    panel = np.clip(rng.random((rounds, readings)), 1e-6, 1 - 1e-6)

    def start(kinds: Any) -> Books:
        books = Books.start(kinds, 1 + len(RATES), 2)
        books.counts[MET] = 2
        return books

    def run_league() -> None:
        books = start(kinds)
        told, sizes = Told.of(rounds, books, 64), np.zeros(members)
        play(books, RoundBench.of(books), layout, said, labels, np.zeros(0), rules, told, sizes)

    def run_bare() -> None:
        weights = np.full((5, readings), 1.0 / readings)
        mix_bare(panel, np.array([0.0, *RATES]), weights, np.full(5, 0.2), weights.copy(), np.zeros((rounds, 6)))

    ours, bare = measure_medians(run_league, run_bare)
    print(f"mixture of {readings} readings on 5 levels: {1e6 * ours / rounds:.2f} us a round, bare loop", end=" ")
    print(f"{1e6 * bare / rounds:.2f}, ratio {ours / bare:.2f} (floor 1.5)")
    X = rng.normal(size=(rounds, 40))
    stream = ls.Recorded(X, X @ rng.normal(size=40) + rng.normal(size=rounds) > 0)

    def run(threads: int) -> None:
        league = ls.League()
        league.threads = threads
        league.play(stream)

    one, two = measure_best(lambda: run(1), lambda: run(2), turns=3)
    print(f"default pool on {rounds} rounds of 40: {one:.2f} s on one core, {two:.2f} s on two, ratio {two / one:.2f}")


def main() -> None:
    """What the command line asks for; both without words."""
    words = sys.argv[1:]
    if not words or words[0] == "cost":
        measure_cost()
    if DATA.exists() and (not words or words[0] == "accuracy"):
        measure_accuracy(words[1:] or list(STREAMS))


if __name__ == "__main__":
    main()
