"""Leagues: mistakes on streams in their own order, against published figures and against the best member.

    python -m benchmarks.league [--write] [stream ...]          the pools of the published figures
    python -m benchmarks.league default [--write] [stream ...]  the default pool on all sets
    python -m benchmarks.league certify [--write] [stream ...]  certificates made and verified, with their times

With `--write` lines go into docs/benchmarks.md as they are done. `benchmarks/league_cost.py` measures what the mixture
costs. The data are no part of the project.
"""

import gzip
import re
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

import littlestone as ls
from benchmarks.accuracy import PAGE, SEED, SETS, Listed, read_file, record_rows
from benchmarks.datasets import DATA, Rows, read_mnist, read_svmlight, read_table, write_table

PUBLISHED = {
    "SMS": 101,
    "spam stream": 139,
    "adult": 5043,
    "electricity": 4016,
    "web": 740,
    "mushroom": 17,
    "MNIST": 2127,
}


WIDTHS = {"SMS": 8796, "spam stream": 39916, "adult": 124, "electricity": 6, "web": 300, "mushroom": 127}  # attributes


def read_digits() -> Rows:
    """The first 20,000 of MNIST."""
    rows = read_mnist("train")
    return Rows(rows.X[:20000], rows.y[:20000])


def read_messages() -> Rows:
    """The text messages: which words and signs occur in each, in small letters."""
    lines = [line.split("\t", 1) for line in (DATA / "sms_spam" / "SMSSpamCollection").read_text("utf-8").splitlines()]
    numbers: dict[str, int] = {}
    rows = [
        sorted({numbers.setdefault(word, len(numbers)) for word in re.findall(r"\w+|[^\w\s]", text.lower())})
        for _, text in lines
    ]
    indptr, indices = np.cumsum([0, *map(len, rows)]), np.concatenate([np.array(row, np.int32) for row in rows])
    X = sp.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(rows), len(numbers)))
    return Rows(X, np.array([label == "spam" for label, _ in lines]))


STREAMS: dict[str, Any] = {
    "SMS": record_rows(read_messages),
    "spam stream": read_file("spam_stream/spam_katakis.libsvm.gz"),
    "adult": read_file("adult/a9a.gz"),
    "electricity": read_file("electricity/elec.csv.gz"),
    "web": record_rows(lambda: read_svmlight(DATA / "web" / "w8a.gz"), 0),
    "mushroom": read_file("mushroom/agaricus.txt.train"),
    "MNIST": record_rows(read_digits),
}


def read_arff(name: str) -> Callable[[], Any]:
    """An arff file, shuffled: columns are attributes by their values, the last one is the class."""

    def read() -> Any:
        with gzip.open(DATA / "boolean" / f"{name}.arff.gz", "rt") as file:
            lines = [line.strip() for line in file]
        first = [line.lower() for line in lines].index("@data") + 1
        return list_cells([line.split(",") for line in lines[first:] if line[:1] not in ("", "%")])

    return read


def read_monks(number: int) -> Callable[[], Any]:
    """The rows of a Monk's problem for training, then those for testing, shuffled: the class comes first."""

    def read() -> Any:
        parts = [(DATA / "boolean" / f"monks-{number}.{kind}").read_text() for kind in ("train", "test")]
        lines = [line.split() for part in parts for line in part.splitlines()]
        return list_cells([[*line[1:7], line[0]] for line in lines if line and line[0] in "01"])

    return read


def list_cells(cells: list[list[str]]) -> Listed:
    """Rows of cells in a random order, the class last."""
    rows = [cells[t] for t in np.random.default_rng(SEED).permutation(len(cells))]
    named = [{f"{i}={one.strip()}": 1.0 for i, one in enumerate(row[:-1])} for row in rows]
    return Listed(named, [row[-1].strip() for row in rows], ls.Named)


BOOLEAN = ("kr.vs.kp", "vote", "tic-tac-toe")
WIDE: dict[str, Callable[[], Any]] = {
    **SETS,
    "web, shuffled": STREAMS["web"],
    **{f"web, seed {k}": record_rows(lambda: read_svmlight(DATA / "web" / "w8a.gz"), k) for k in (1, 2)},
    **{f"{name}, shuffled": read_arff(name) for name in BOOLEAN},
    **{f"monks-{k}, shuffled": read_monks(k) for k in (1, 2, 3)},
}


def choose_plain(name: str, more: bool = False) -> list[Any]:
    """The pool without Logistic that the published figures are of, each member as a race enters it.

    With `more` the diagonal second-order learner is in it too, at three margins.
    """
    if name == "MNIST":
        units = (ls.Perceptron(), ls.AveragedPerceptron(), ls.PassiveAggressive(), ls.Arow(diagonal=True, bias=1))
        extra = [ls.Network(ls.DiagonalSecondOrder(margin=margin)) for margin in (0.0, 0.5, 2.0) if more]
        return [*map(ls.Network, units), ls.NaiveBayes(), *extra]
    width = WIDTHS[name]
    chosen = [
        ls.Perceptron(), ls.AveragedPerceptron(), ls.AggressivePerceptron(), ls.PassiveAggressive(),
        *ls.PNormPerceptron.race_entries(width), *ls.Arow.race_entries(width), ls.NaiveBayes(),
        *ls.SecondOrderPerceptron.race_entries(width), *ls.Ellipsoid.race_entries(width),
        *(ls.DiagonalSecondOrder(margin=margin) for margin in (0.0, 0.5, 2.0) if more),
    ]  # fmt: skip
    if name != "electricity":
        chosen += [*ls.Winnow.race_entries(width), ls.BalancedWinnow()]
    return chosen


def play_league(stream: Any, members: Any = None) -> ls.League:
    """A league after all rounds of a stream."""
    if not isinstance(stream, Listed):
        return ls.League(members).play(stream)
    league = ls.League(members, features=stream.features())
    for chunk in stream.chunks():
        for _ in league.play_chunk(chunk):
            pass
    return league


def name_best(league: ls.League) -> Any:
    """The member of fewest mistakes among those that never slept."""
    standings = league.standings()
    return min([one for one in standings if not one.slept] or standings, key=lambda one: one.mistakes)


def measure_published(name: str) -> list[str]:
    """Mistakes of leagues of the plain pools, beside the published ones."""
    cells, known, loss = [], PUBLISHED[name], ""
    for more in (False, True):
        league = play_league(STREAMS[name](), choose_plain(name, more))
        best = name_best(league)
        within = league.mistakes <= max(1.01 * known, known + 5)
        cells += [f"{best.mistakes:,} {best.name}", f"{league.mistakes:,}{'' if within else ' (beyond)'}"]
        loss = loss or f"{league.log_loss:,.1f}"
    return [name, f"{league.rounds:,}", f"{known:,}", *cells, loss, str(league.coins)]


def measure_default(name: str) -> list[str]:
    """Mistakes of a league of the default pool, beside its best member's."""
    begun = time.perf_counter()
    league = play_league(WIDE[name]())
    best, rate = name_best(league), 100 / league.rounds
    more = league.mistakes / best.mistakes - 1
    within = league.mistakes <= max(1.03 * best.mistakes, best.mistakes + 10)
    found = [name, f"{league.rounds:,}", str(len(league.standings())), f"{best.mistakes:,} {best.name}"]
    found += [
        f"{league.mistakes:,}",
        f"{rate * league.mistakes:.2f}",
        f"{100 * more:+.1f} %",
        "yes" if within else "no",
    ]
    return [*found, f"{time.perf_counter() - begun:.1f} s"]


def measure_certificates(name: str) -> list[str]:
    """The times in which certificates of a league are made and verified: the plain pool but for the ellipsoid."""
    stream = STREAMS[name]()
    cells = [name]
    begun = time.perf_counter()
    members = [one for one in choose_plain(name, True) if not isinstance(one, ls.Ellipsoid)]
    league = ls.League(members).play(stream)
    cells += [f"{league.rounds:,}", f"{time.perf_counter() - begun:.1f} s"]
    for kind in ("log loss", "mistakes"):
        begun = time.perf_counter()
        certificate = league.certificate(kind)
        made = time.perf_counter()
        report = ls.verify(certificate, STREAMS[name]())
        assert report
        told = f"{float(certificate.count):,.1f} <= {float(certificate.bound):,.1f}"
        cells += [told, f"{made - begun:.1f} s", f"{time.perf_counter() - made:.1f} s"]
    return cells


TABLES: dict[str, tuple[Callable[[str], list[str]], dict[str, Any], list[str]]] = {
    "published": (
        measure_published,
        STREAMS,
        ["stream", "rounds", "published", "best member", "league", "best, A.6", "league, A.6", "log-loss", "coins"],
    ),
    "default": (
        measure_default,
        WIDE,
        ["set", "rounds", "say", "best of them", "league", "%", "above", "within", "time"],
    ),
    "certify": (
        measure_certificates,
        {name: STREAMS[name] for name in ("SMS", "adult", "electricity", "spam stream", "mushroom")},
        ["stream", "rounds", "played", "log-loss", "made", "verified", "mistakes", "made", "verified"],
    ),
}


def main() -> None:
    """Measure what the command line asks for."""
    if not DATA.exists():
        print("the data sets are not here: nothing was measured")
        return
    kind = next((word for word in sys.argv[1:] if word in TABLES), "published")
    measure, streams, heads = TABLES[kind]
    mark = f"<!-- league {kind} -->"
    for name in [one for one in sys.argv[1:] if one in streams] or streams:
        line = measure(name)
        print(" | ".join(line), flush=True)
        if "--write" in sys.argv:
            kept = {cells[0]: cells for cells in read_table(PAGE, mark) if cells[0] in streams} | {name: line}
            lines = [heads, ["---"] * len(heads), *(kept[one] for one in streams if one in kept)]
            write_table(PAGE, mark, "\n".join(f"| {' | '.join(cells)} |" for cells in lines))


if __name__ == "__main__":
    main()
