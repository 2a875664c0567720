"""Short hypotheses: few surviving literals that agree with the examples, found greedily (Chvatal 1979)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.chunks import Examples
from littlestone.base.errors import BadInstance, BadLabel, BadParameter, require
from littlestone.concepts.set_cover import find_greedy_cover


@dataclass(frozen=True, slots=True)
class ShortHypothesis:
    """Few literals that agree with the examples, at most `factor` times the fewest; no fewer than `at_least` agree."""

    literals: tuple[str, ...]
    factor: Fraction
    at_least: int
    guarantee: str

    @property
    def size(self) -> int:
        return len(self.literals)


def find_short_hypothesis(state: Any, decided: int, X: Any, y: Any) -> ShortHypothesis:
    """A short set of surviving literals that agrees with the rows of X, which the state has learned, of classes y.

    Greedy: always the literal that fires on most rows that still need one. `decided` is the label that one literal
    alone can decide.
    """
    from scipy.sparse import csr_matrix

    rows = Examples.of(X, y).to_sparse()
    require(bool(np.isin(rows.labels, (0, 1)).all()), "the classes must be 0 and 1", BadLabel)
    values = np.ones(rows.indptr[-1]) if rows.values is None else rows.values
    require(bool(np.isin(values, (0, 1)).all()), "attributes must be 0 or 1", BadInstance)
    n = len(state.on)
    needy = rows.labels == decided
    require(rows.width <= n, f"the state has {n} attributes, got {rows.width}", BadInstance)
    matrix = csr_matrix((values, rows.indices, rows.indptr), (len(rows), n))
    fires = (matrix @ state.on > 0) | (matrix @ state.off < state.counts[0])
    for t in np.flatnonzero(fires & ~needy):
        raise BadParameter(f"the rows must be ones that the state has learned; row {t} is not")
    cover = find_greedy_cover(matrix[needy], state.on, state.off)
    on, off = ("x", "not x") if decided else ("not x", "x")
    names = tuple(f"{on}{j + 1}" if j >= 0 else f"{off}{~j + 1}" for j in cover.chosen)
    times = f"{float(cover.factor):.5g} times the fewest, which are at least {cover.at_least}"
    guarantee = f"{len(names)} literals <= {times} (Chvatal 1979; {int(needy.sum())} examples need one)"
    return ShortHypothesis(names, cover.factor, cover.at_least, guarantee)
