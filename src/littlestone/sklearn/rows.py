"""Rows as scikit-learn gives them, made into chunks that a player takes; and scores as scikit-learn takes them.

A frame whose columns are not all of numbers is read as a table of a file is: by the names of its columns.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.class_weights import ClassWeights
from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, BadInstance, require
from littlestone.base.features import Features
from littlestone.base.features.frames import is_frame
from littlestone.base.features.schema import REMEDY, Schema
from littlestone.base.learner import Size
from littlestone.base.traits import ask_takes
from littlestone.environments.derived import join_chunks
from littlestone.game.classifier import has_losses
from littlestone.game.sources import open_instances

CLASSES = "biuU"  # kinds of arrays whose entries can only be classes
CLOSE = 2**16  # whole numbers among which a table finds the classes sooner than sorting
REALS = (np.float64, np.float32)


class RepeatedRows(Stream):
    """Rows in memory, played several times over.

    Args:
        chunk: The rows.
        passes: How often they are played.
    """

    def __init__(self, chunk: Chunk, passes: int) -> None:
        self._chunk, self._passes, self.rounds = chunk, passes, passes * len(chunk)

    def size(self) -> Size:
        return find_size(self._chunk) if isinstance(self._chunk, Examples) else Size()

    def chunks(self) -> Iterator[Chunk]:
        for _ in range(self._passes):
            yield self._chunk


class FrameRows(NamedTuple):
    """The rows of a frame that has columns of words, texts or dates."""

    chunk: Chunk  # whose labels mean nothing
    features: Features | None  # what numbers its attributes
    schema: Schema | None  # what its columns hold


def read_frame(X: Any, known: Schema | None) -> FrameRows:
    """Read a frame by the names of its columns; `known` is what the columns were in the first one."""
    require(is_frame(X), f"the model knows columns by name: give a frame, got a {type(X).__name__}", BadInstance)
    try:
        stream = open_instances(X, known)
    except BadData as problem:
        raise BadInstance(str(problem).removesuffix(f"; {REMEDY}")) from None
    return FrameRows(join_chunks(list(stream.chunks())), stream.features(), stream.schema())


def are_texts(X: Any) -> bool:
    """Whether it is a sequence of texts, and no table."""
    if not isinstance(X, list | tuple) and (getattr(X, "ndim", 0) != 1 or not hasattr(X, "__iter__")):
        return False
    return len(X) > 0 and all(isinstance(x, str) for x in X)


def read_texts(X: Any) -> FrameRows:
    """Read a sequence of texts."""
    require(are_texts(X), f"the model knows texts: give a list of texts, got a {type(X).__name__}", BadInstance)
    stream = open_instances(list(map(str, X)), None)
    return FrameRows(join_chunks(list(stream.chunks())), stream.features(), None)


def find_size(chunk: Examples) -> Size:
    """Find what rows tell a learner before the first round."""
    assert chunk.values is not None
    return Size(chunk.width, real=chunk.values.dtype.type)


def are_plain(X: Any, y: Any, width: int) -> bool:
    """Whether rows and labels are arrays of the usual kind, which need no further check than that of `Examples`."""
    if type(y) is not np.ndarray or not (type(X) is np.ndarray or getattr(X, "format", None) == "csr"):
        return False
    labels = y.ndim == 1 and y.size > 0 and y.dtype.kind in CLASSES
    return labels and X.dtype in REALS and X.shape == (y.size, width)


def make_writable(chunk: Examples) -> Examples:
    """Copy arrays that are read-only, for which every loop would be compiled once more."""
    names = ("indptr", "indices", "values", "labels")
    parts = {name: getattr(chunk, name) for name in names if getattr(chunk, name) is not None}
    if all(part.flags.writeable for part in parts.values()):
        return chunk
    return replace(chunk, **{name: np.require(part, requirements="W") for name, part in parts.items()})


def weigh_rows(chunk: Examples, sample_weight: Any) -> Examples:
    """Give every row its importance; the chunk stays as it is if all are 1."""
    weights = np.asarray(sample_weight, np.float64)
    fits = weights.shape == (len(chunk),) and bool((np.isfinite(weights) & (weights >= 0)).all())
    require(fits, f"sample_weight must be {len(chunk)} numbers, at least 0 and finite; got {sample_weight!r}")
    return chunk if (weights == 1).all() else replace(chunk, importance=weights)


def weigh_rounds(chunk: Any, sample_weight: Any, class_weights: ClassWeights | None, learner: Any) -> Any:
    """Give rows their importance, if any is given and the learner has a use for it."""
    weighed = chunk if sample_weight is None else weigh_rows(chunk, sample_weight)
    if class_weights is not None:
        own = weighed.importance
        weights = class_weights.weigh(chunk.labels)
        weighed = replace(weighed, importance=weights if own is None else own * weights)
    able = weighed is chunk or ask_takes(learner).importance
    require(able, f"{learner} counts every round once: sample_weight has no meaning for it")
    return weighed


def list_classes(y: Array) -> Array:
    """List the classes among the labels, in their order; whole numbers close together need not be sorted."""
    if y.dtype.kind in "iu" and len(y) > CLOSE:
        low = int(y.min())
        if int(y.max()) - low < CLOSE:
            return np.asarray(np.flatnonzero(np.bincount(y.astype(np.int64) - low)) + low, y.dtype)
    return np.unique(y)


def break_ties(values: Array, columns: Array) -> Array:
    """Raise the entry in the given column of each row to the next float, where another entry is as large or larger."""
    for t in np.flatnonzero(values.argmax(axis=1) != columns):
        values[t, columns[t]] = np.nextafter(values[t].max(), np.inf)
    return values


def read_class_weight(given: Any, learner: Any) -> ClassWeights | None:
    """Read what was given as `class_weight`."""
    losses = f"class_weight weighs log-losses, and {learner} has none: Logistic(), the default, has"
    require(given is None or has_losses(learner), losses)
    if given is None or isinstance(given, Mapping):
        return None if given is None else ClassWeights(dict(given))
    require(isinstance(given, str) and given == "balanced", f'class_weight must be a dict or "balanced", got {given!r}')
    return ClassWeights(None)


def require_classes(weights: ClassWeights | None, classes: list[Any]) -> None:
    """Refuse weights for other classes where some of these have none, as scikit-learn does."""
    if weights is not None and weights.given is not None and not set(classes) <= set(weights.given):
        weights.require_known(classes)
