"""Panel: the recorded forecasts of several experts, with what came true.

A row is a round, a column an expert; NaN means that the expert sleeps. Names of experts and dates of rounds are kept
for the ledger. A data frame brings both along.

>>> panel = Panel([[0, 1, 1], [1, 1, 0]], [1, 0], names=["ann", "bob", "eve"])
>>> panel.rounds, panel.names[2]
(2, 'eve')
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from littlestone.base.chunks import Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadInstance, BadLabel, require
from littlestone.base.learner import Size
from littlestone.learners.experts.forecasts import chunk_forecasts


class Panel(Stream):
    """Rounds of forecasts in memory. Truth values take one byte each and stay that way.

    Args:
        forecasts: A row for each round with a number from each expert; NaN where an expert sleeps.
        outcomes: What came true in each round.
        names: Those of the experts. None: those of the data frame's columns, or numbers from 0.
        dates: Names of the rounds. None: the data frame's index, or numbers from 1.
    """

    def __init__(
        self, forecasts: Any, outcomes: Any, names: Iterable[str] | None = None, dates: Iterable[Any] | None = None
    ) -> None:
        columns = getattr(forecasts, "columns", None)
        index = getattr(forecasts, "index", None)
        values = np.asarray(forecasts)
        require(values.ndim == 2, f"a panel has a row for each round, got {values.ndim} dimension(s)", BadInstance)
        labels = np.asarray(outcomes)
        require(labels.ndim == 1, f"outcomes must be a sequence, one a round, got {labels.ndim} dimension(s)", BadLabel)
        require(len(labels) == len(values), f"{len(values)} rounds need as many outcomes, got {len(labels)}", BadLabel)
        self._chunk = chunk_forecasts(values, labels)
        self.rounds = len(values)
        default = range(values.shape[1]) if columns is None else columns
        self.names = tuple(str(name) for name in (default if names is None else names))
        named = columns is not None and index is not None
        counted: Iterable[Any] = index if named and index is not None else range(1, self.rounds + 1)
        self.dates = tuple(counted if dates is None else dates)
        require(len(self.names) == values.shape[1], f"{values.shape[1]} experts need as many names, got {self.names}")
        require(len(self.dates) == self.rounds, f"{self.rounds} rounds need as many dates, got {len(self.dates)}")

    def size(self) -> Size:
        return Size(self._chunk.width)

    def chunks(self) -> Iterator[Examples]:
        yield self._chunk

    def __repr__(self) -> str:
        return f"Panel({self.rounds} rounds of {len(self.names)} experts)"
