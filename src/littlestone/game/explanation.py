"""Explanation: what a player has learned, by its weights, and why it says what it says of one instance.

Of the whole: the attributes that count most, for each class where there are several: by weight times the largest size
of their values so far where the learner keeps that, as all scale-free ones do, else by weight alone. Of one instance x:
the attributes of x by what each adds to the score, weight times value; they and the constant's share add up to it.
Weights are those that the player reports by: of an averaged learner the average, of Winnow the weight itself, of naive
Bayes how much the attribute adds to a class's log odds. Attributes have the names their features know them by, or
numbers.

>>> from littlestone import Named, Perceptron, Player
>>> player = Player(Perceptron(), features=Named(), classes=["ham", "spam"])
>>> player.update({"free": 1, "money": 1}, "spam")
>>> print(player.explain(top=1))
spam       +1  free
"""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Row
from littlestone.base.errors import require
from littlestone.base.printed_text import measure_width, pad, quote
from littlestone.base.traits import ListedWeights

CONSTANT = "(constant)"


class AttributeShare(NamedTuple):
    """One attribute's share: its weight for a label, or what it adds to that label's score."""

    label: Any
    name: Any
    weight: float


@dataclass(frozen=True)
class Explanation:
    """Why a player says what it says.

    Args:
        rows: The shares of attributes, largest first within each label.
        score: What they add up to, or one number for each label, if they explain one instance.
        about: Whose weights they are, where a learner has several.
    """

    rows: tuple[AttributeShare, ...]
    score: Any = None
    about: str = ""

    def to_json(self) -> str:
        """The same as JSON text."""
        rows = [{"label": _to_plain(row.label), "name": _to_plain(row.name), "weight": row.weight} for row in self.rows]
        return json.dumps({"score": self.score, "weights": rows} | ({"about": self.about} if self.about else {}))

    def __str__(self) -> str:
        labels = [quote(row.label) for row in self.rows]
        wide = max(map(measure_width, labels), default=0)
        lines = [
            f"{pad(label, wide)} {row.weight:>+8.4g}  {quote(row.name)}"
            for label, row in zip(labels, self.rows, strict=True)
        ]
        return "\n".join(lines + ([f"by {self.about}"] if self.about else []))


def name_columns(found: ListedWeights, labels: Any) -> tuple[ListedWeights, list[Any]]:
    """The weights with the label that each column speaks for: one that came, also where only the first class did."""
    many = len(found.constants)
    if many > 1:
        return found, [labels.name(c) for c in range(many)]
    first, *others = getattr(labels, "names", None) or [None]
    if first is None or others != [None]:
        return found, [labels.name(1)]
    return found._replace(weights=-found.weights, constants=-found.constants), [first]


def rank_weights(found: ListedWeights, features: Any, labels: list[Any], top: int) -> Explanation:
    """The `top` attributes that count most for each label; those of weight 0 are left out.

    An attribute counts by its weight times the largest size of its values so far, so that units do not matter; where
    the learner does not keep that, by its weight.
    """
    require(top >= 1, f"top must be at least 1, got {top}")
    attributes = np.arange(len(found.weights)) if found.attributes is None else found.attributes
    kept = attributes < features.width
    attributes = attributes[kept]
    weights = found.weights[kept]
    sizes = np.ones(len(weights)) if found.sizes is None else found.sizes[kept]
    parts: list[AttributeShare] = []
    for c, label in enumerate(labels):
        column = weights[:, c]
        top_most = np.argsort(-np.abs(column) * sizes, kind="stable")[:top].tolist()
        parts += [
            AttributeShare(label, _name_attribute(features, int(attributes[i])), float(column[i]))
            for i in top_most
            if column[i] != 0
        ]
    return Explanation(tuple(parts))


def explain_row(found: ListedWeights, row: Row, features: Any, labels: list[Any], top: int) -> Explanation:
    """What each attribute of a row adds to each label's score, and the constant."""
    require(top >= 1, f"top must be at least 1, got {top}")
    listed = row.to_sparse()
    indices: Any = listed.indices
    values = np.ones(len(indices)) if listed.values is None else listed.values.astype(np.float64)
    shares = found.find(indices) * values[:, None]
    constants = found.constants
    parts: list[AttributeShare] = []
    for c, label in enumerate(labels):
        pairs = zip(indices.tolist(), shares[:, c].tolist(), strict=True)
        own = [AttributeShare(label, _name_attribute(features, i), share) for i, share in pairs]
        own += [AttributeShare(label, CONSTANT, float(constants[c]))]
        parts += sorted((part for part in own if part.weight), key=lambda part: -abs(part.weight))[:top]
    scores = [float(score) for score in shares.sum(axis=0) + constants]
    return Explanation(tuple(parts), scores[0] if len(labels) == 1 else scores)


def _name_attribute(features: Any, number: int) -> Any:
    """The name by which features know an attribute, or its number."""
    name = features.name(number) if hasattr(features, "name") else None
    return number if name is None else name


def _to_plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | type(None)) else str(value)
