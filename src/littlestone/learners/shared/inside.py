"""Inside: the rows that loops may read of a chunk, up to one for which floats do not keep to the learner's rule."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Chunk, Examples, Row
from littlestone.base.domain import Domain, count_inside, measure_span, refuse_row
from littlestone.base.errors import BadInstance, require
from littlestone.base.learner import Learner, State
from littlestone.base.traits import ask_takes
from littlestone.learners.shared.rounds import Rounds


def expect_rows(learner: Learner, chunk: Chunk) -> Examples:
    """The chunk itself, whose instances must be rows of attributes."""
    if not isinstance(chunk, Examples):
        raise BadInstance(f"{type(learner).__name__} learns from rows of attributes")
    return chunk


def read_rounds(learner: Learner, chunk: Chunk) -> Rounds:
    """What compiled loops read of a chunk of rows, whose rounds may differ in importance only if the learner can."""
    rows = expect_rows(learner, chunk)
    kind = type(learner).__name__
    alike = rows.importance is None or ask_takes(learner).importance
    require(alike, f"{kind} counts every round once, got rounds of other importance", BadInstance)
    return Rounds(rows.indptr, rows.indices, rows.values, rows.importance, rows.labels)


def read_inside(learner: Any, state: State, chunk: Chunk) -> Rounds:
    """What loops read of a chunk, up to a row that is outside the learner's domain; if that is the first, its error."""
    rounds = read_rounds(learner, chunk)
    rows = expect_rows(learner, chunk)
    domain = learner.domain(state)
    if rows.importance is not None and len(rows):
        sizes = np.abs(rows.importance[rows.importance != 0])
        domain = domain.narrow(float(sizes.min(initial=1.0)), float(sizes.max(initial=1.0)))
    inside = _count_leading(rows, domain)
    if inside == len(rows):
        return rounds
    if inside == 0:
        refuse(domain, rows[0])
    return Rounds(*rounds[:3], None if rows.importance is None else rows.importance[:inside], rows.labels[:inside])


def require_inside(learner: Any, state: State, x: Row) -> None:
    """Refuse a row outside the learner's domain."""
    domain = learner.domain(state)
    if not count_inside(np.array([0, x.length]), x.values, *domain):
        refuse(domain, x)


def refuse(domain: Domain, x: Row) -> None:
    """Say why a row is refused."""
    raise refuse_row(domain, x.indices, x.values)


def _count_leading(rows: Examples, domain: Domain) -> int:
    """How many leading rows are inside; values are looked at once where their span is known, and seldom twice."""
    if rows.values is not None:
        span = rows.span
        if span is None or span.values is not rows.values:
            span = measure_span(rows.values, int(rows.indptr[0]), int(rows.indptr[-1]))
        if span.most <= domain.most and span.least >= domain.least:
            return len(rows)
    return int(count_inside(rows.indptr, rows.values, *domain))
