"""Ledger: the books of a game of expert advice, round by round.

For every round: what the learner and each expert lost so far, who was best, the regret and what the theorem allows,
and the weights before the outcome was known. Regret against an expert counts the rounds it was awake; the best expert
in hindsight is the one that is regretted most.

>>> from littlestone.learners import WeightedMajority
>>> books = ledger(WeightedMajority(), [[1, 0, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1], names=["ann", "bob", "eve"])
>>> books.loss.tolist(), books.losses[-1].tolist(), books.names[books.best[-1]], books.regret[-1].item()
([0.0, 1.0, 1.0], [2.0, 3.0, 0.0], 'eve', 1.0)
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Instances
from littlestone.base.errors import BadInstance, NotCertified, require
from littlestone.base.labels import Labels, Numbers
from littlestone.base.learner import Size, copy_state
from littlestone.base.printed_numbers import format_up
from littlestone.base.printed_text import measure_width, pad, quote
from littlestone.learners.experts.contract import Experts
from littlestone.learners.experts.forecasts import chunk_forecasts, to_matrix
from littlestone.learners.experts.schedules import find_limited_schedule

TOP = 16  # learner and experts that are printed


class Entry(NamedTuple):
    """The books at the end of one round; `weights` are those before its outcome."""

    date: Any
    guess: float
    outcome: float
    loss: float
    losses: Array
    best: str
    regret: float
    bound: float
    weights: Array


@dataclass(frozen=True, eq=False)
class Ledger:
    """The books of a game, made by `game.ledger`: arrays with a row for each round.

    Args:
        learner: The learner that was played.
        names: The experts' names.
        dates: What each round is called.
        forecasts: What the experts said, NaN where one slept.
        outcomes: What came true.
        guesses: What the learner said.
        charges: What the learner lost in each round.
        costs: What each expert lost in each round, NaN where it slept.
        weights: The share of each expert before the outcome.
    """

    learner: Experts
    names: tuple[str, ...]
    dates: tuple[Any, ...]
    forecasts: Array
    outcomes: Array
    guesses: Array
    charges: Array
    costs: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.outcomes)

    @cached_property
    def loss(self) -> Array:
        """What the learner lost up to each round; the exact expectation for one that tosses coins."""
        return np.cumsum(self.charges)

    @cached_property
    def losses(self) -> Array:
        """What each expert lost up to each round, on the rounds it was awake."""
        return np.cumsum(np.nan_to_num(self.costs), axis=0)

    @cached_property
    def regrets(self) -> Array:
        """How much more the learner lost than each expert, on the rounds that expert was awake."""
        return np.cumsum(np.where(np.isnan(self.costs), 0.0, self.charges[:, None] - self.costs), axis=0)

    @cached_property
    def best(self) -> Array:
        """The best expert in hindsight up to each round."""
        return np.array(np.argmax(self.regrets, axis=1))

    @cached_property
    def regret(self) -> Array:
        """Regret against the best expert up to each round."""
        return np.array(np.max(self.regrets, axis=1))

    @cached_property
    def bounds(self) -> Array:
        """The regret that the learner's theorem allows up to each round; NaN where it says nothing.

        Once an expert slept or joined late, regret is about the awake rounds of the best expert, and so is the bound;
        all experts that are ever in the panel count, since one that joins late counts as one that slept.
        """
        values = np.full(len(self), np.nan)
        asleep = np.isnan(self.forecasts)
        meanwhile = np.cumsum(np.where(asleep, self.charges[:, None], 0.0), axis=0)
        awake = np.cumsum(~asleep, axis=0)
        ever = np.logical_or.accumulate(asleep.any(axis=1))
        experts = self.forecasts.shape[1]
        for t in range(len(self)):
            best = self.best[t]
            loss = float(self.losses[t, best])
            with suppress(NotCertified):  # no bound is drawn where none is claimed
                if ever[t]:
                    values[t] = self.learner.regret_awake(experts, int(awake[t, best]), loss, float(meanwhile[t, best]))
                else:
                    values[t] = self.learner.regret(experts, t + 1, loss)
        return values

    def at(self, round: int) -> Entry:
        """The books after a round, counted from 1."""
        require(1 <= round <= len(self), f"rounds are 1 to {len(self)}, got {round}")
        t = round - 1
        best = self.names[self.best[t]]
        bound = float(self.bounds[t])
        numbers = (float(self.guesses[t]), float(self.outcomes[t]), float(self.loss[t]))
        return Entry(self.dates[t], *numbers, self.losses[t], best, float(self.regret[t]), bound, self.weights[t])

    def tracking(self, switches: int) -> tuple[float, Array]:
        """The best sequence of experts with a limited number of switches.

        Following an expert that sleeps costs what the learner lost.

        Returns:
            The least loss of such a sequence, and the number of the expert that it follows in each round.
        """
        require(switches >= 0, f"switches must be at least 0, got {switches}")
        costs = np.where(np.isnan(self.costs), self.charges[:, None], self.costs)
        return find_limited_schedule(costs, min(switches, max(len(self) - 1, 0)))

    def standings(self) -> list[tuple[str, float, float, float]]:
        """Learner and experts from best to worst.

        Returns:
            For each its name, its loss, the regret against it, and its weight in the last round.
        """
        rows = [
            (name, float(self.losses[-1, k]), float(self.regrets[-1, k]), float(self.weights[-1, k]))
            for k, name in enumerate(self.names)
        ]
        own = (type(self.learner).__name__, float(self.loss[-1]), 0.0, float("nan"))
        return sorted([own, *rows], key=lambda row: -row[2])

    def __str__(self) -> str:
        if len(self) == 0:
            return f"{self.learner}: no rounds"
        standings = [(quote(name), loss, regret, weight) for name, loss, regret, weight in self.standings()]
        width = max(measure_width(row[0]) for row in standings)
        lines = [f"{'':{width}}  {'loss':>12}  {'regret':>12}  {'weight':>7}"]
        for name, loss, regret, weight in standings[:TOP]:
            share = "" if weight != weight else f"{weight:7.4f}"
            lines.append(f"{pad(name, width, right=True)}  {loss:12.6g}  {regret:12.6g}  {share:>7}")
        if len(standings) > TOP:
            lines.append(f"{f'... and {len(standings) - TOP} more':>{width}}")
        allowed = self.bounds[-1]
        best = quote(self.names[self.best[-1]])
        verdict = f", {format_up(allowed, 6)} allowed" if allowed == allowed else ""
        lines.append(f"{len(self)} rounds, regret {self.regret[-1]:.6g} against {best}{verdict}")
        return "\n".join(lines)

    def table(self, last: int | None = None) -> str:
        """The rounds as plain text, all of them or only the last."""
        lines = [f"{'round':>20}  {'guess':>10}  {'outcome':>10}  {'loss':>10}  {'regret':>10}  {'bound':>10}  best"]
        for t in range(0 if last is None else max(len(self) - last, 0), len(self)):
            entry = self.at(t + 1)
            numbers = (entry.guess, entry.outcome, entry.loss, entry.regret)
            cells = [*(f"{n:10.5g}" for n in numbers), f"{format_up(entry.bound):>10}"]
            lines.append(f"{entry.date!s:>20}  " + "  ".join(cells) + f"  {entry.best}")
        return "\n".join(lines)


def ledger(
    learner: Experts,
    forecasts: Any,
    outcomes: Any,
    names: Iterable[str] | None = None,
    dates: Iterable[Any] | None = None,
    state: Any = None,
    seed: int = 0,
) -> Ledger:
    """Play a learner over a panel of forecasts, from the start or from a state, and keep the books."""
    X = np.asarray(forecasts)
    met = 0 if state is None else learner.experts(state)
    labels = Numbers() if learner.numeric else Labels(learner.known_labels())
    y = labels.encode(np.asarray(outcomes), 2)
    require(len(y) == len(X), f"{len(X)} rounds of forecasts need as many outcomes, got {len(y)}", BadInstance)
    chunk = chunk_forecasts(X, y)
    X = to_matrix(chunk, met)  # experts met before may sleep through all rounds
    chunk = chunk if X.shape[1] == chunk.width else chunk_forecasts(X, y)
    size = Size(X.shape[1])
    state = learner.start(size, seed) if state is None else learner.grow(copy_state(state), size)
    guesses = np.zeros(len(X), labels.dtype)
    charges = np.zeros(len(X))
    weights = np.zeros(X.shape)
    played = 0
    while played < len(X):
        rest = slice(played, None)
        played += learner.replay(state, chunk[rest], guesses[rest], charges[rest], weights[rest])
    experts = [str(name) for name in (() if names is None else names)]
    experts += [str(k) for k in range(len(experts), X.shape[1])]
    rounds = tuple(range(1, len(X) + 1) if dates is None else dates)
    costs = learner.expert_loss.price_table(X, y)
    return Ledger(learner, tuple(experts), rounds, X, y, guesses, charges, costs, weights)


def audit(game: Any) -> Ledger:
    """The ledger of a game that was played, by playing its rounds again from where it began."""
    learner = game.player.learner
    environment = game.environment
    require(isinstance(learner, Experts), f"{type(learner).__name__} does not learn from experts", NotCertified)
    if game.transcript is not None:
        chunks: list[Chunk] = [Instances.of([round.x for round in game.transcript], [r.y for r in game.transcript])]
    else:
        require(hasattr(environment, "chunks"), "play(..., transcript=True) keeps what a ledger needs", NotCertified)
        chunks = list(environment.chunks())
    reader = learner.features()
    played = game.rounds
    parts = [reader.read_chunk(chunk) for chunk in chunks if len(chunk)]
    X = np.concatenate([np.zeros((0, reader.width)), *(to_matrix(part, reader.width) for part in parts)])[:played]
    y = [label for chunk in chunks for label in chunk.labels][:played]
    names = getattr(environment, "names", None)
    dates = getattr(environment, "dates", None)
    dates = None if dates is None else dates[:played]
    return ledger(learner, X, y, names, dates, game.begun, game.player.seed)
