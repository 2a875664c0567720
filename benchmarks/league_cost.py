"""What a league costs beside its members: against a bare loop of the mixture, and on two cores against one.

`python -m benchmarks.league_cost` prints medians of five turns. Ten Perceptrons, read in 110 ways on five levels, play
rounds in memory; the time that they take by themselves is taken off. The bare loop mixes the same number of readings
of a panel, and does nothing else. Two cores are compared with one by the default pool, by the clock on the wall: on a
machine that does other work at the same time that says nothing.
"""

import gc
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import littlestone as ls
from benchmarks.timing import measure_medians
from littlestone.base.labels import Labels
from littlestone.compiled import kernel
from littlestone.game.league.league import PIECE, RATES
from littlestone.game.league.members import make_own


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


def draw_stream(rounds: int, width: int) -> ls.Recorded:
    """Noisy halfspaces."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rounds, width))
    return ls.Recorded(X, X @ rng.normal(size=width) + rng.normal(size=rounds) > 0)


def measure_mixture(rounds: int = 200_000) -> None:
    """Print the time of a league less that of its members over the time of a bare loop."""
    stream, readings = draw_stream(rounds, 6), 110
    learners = [ls.Perceptron(bias=float(bias)) for bias in range(1, 11)]
    panel = np.clip(np.random.default_rng(1).random((rounds, readings)), 1e-6, 1 - 1e-6)

    def run_league() -> None:
        league = ls.League(learners)
        league.threads = 1
        league.play(stream)

    def run_members() -> None:
        labels, seen = Labels((False, True)), ls.Indexed()
        members = [make_own(one, str(one), 0) for one in learners]
        for chunk in stream.chunks():
            for at in range(0, len(chunk), PIECE):
                piece = chunk[at : at + PIECE]
                codes = labels.encode(piece.labels, 2)
                rows: Any = seen.read_chunk(piece)
                for member in members:
                    member.play(rows.with_labels(codes), codes, labels, at)

    def run_bare() -> None:
        weights = np.full((5, readings), 1.0 / readings)
        mix_bare(panel, np.array([0.0, *RATES]), weights, np.full(5, 0.2), weights.copy(), np.zeros((rounds, 6)))

    whole, members, bare = (1e6 * seconds / rounds for seconds in measure_medians(run_league, run_members, run_bare))
    print(
        f"a league of 10 Perceptrons, {readings} readings on 5 levels: {whole:.2f} us of processor time a round, ",
        end="",
    )
    print(f"its members {members:.2f}; the difference over a bare loop's {bare:.2f}: ", end="")
    print(f"{(whole - members) / bare:.2f} (floor 1.5)")


def measure_cores(rounds: int = 50_000) -> None:
    """Print the time of the default pool on two cores over that on one."""
    stream, times = draw_stream(rounds, 40), {1: list[float](), 2: list[float]()}
    for turn in range(6):
        for threads, taken in times.items():
            gc.collect()
            league = ls.League()
            league.threads = threads
            begun = perf_counter()
            league.play(stream)
            if turn:
                taken.append(perf_counter() - begun)
    one, two = median(times[1]), median(times[2])
    print(
        f"the default pool on {rounds:,} rounds of 40 attributes: {one:.2f} s on one core, {two:.2f} s on two, ", end=""
    )
    print(f"ratio {two / one:.2f} (floor 0.8)")


if __name__ == "__main__":
    measure_mixture()
    measure_cores()
