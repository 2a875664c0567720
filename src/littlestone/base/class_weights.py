"""Class weights: how much a round counts by its label, as given for each class or balanced by what has come so far.

Balanced, round n counts n / (k m), where k classes have come so far and m of the n rounds had this one's label, the
round itself included in each: what scikit-learn calls balanced, of the rounds up to this one. A class without a weight
counts once.

>>> ClassWeights(None).weigh(np.array(["ham", "ham", "ham", "spam"])).tolist()
[1.0, 1.0, 1.0, 2.0]
>>> ClassWeights({"spam": 2.5}).weigh(np.array(["ham", "spam"])).tolist()
[1.0, 2.5]
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import require

LARGEST = 1e6  # times that a round may count


def keep_label(label: Any) -> Any:
    """A label as it is."""
    return label


class ClassWeights:
    """How much the rounds of a stream count, in their order.

    Args:
        given: A weight for each class, above 0 and at most a million; None: balanced.
        spell: What a label is called in `given`.
        source: Where the weights come from, for errors.
    """

    def __init__(
        self,
        given: Mapping[Any, float] | None,
        spell: Callable[[Any], Hashable] = keep_label,
        source: str = "class_weight",
    ) -> None:
        for name, weight in (given or {}).items():
            number = isinstance(weight, int | float | np.number) and 0 < weight <= LARGEST  # type: ignore[redundant-expr]
            require(number, f"{source}: the weight of {name!r} must be above 0 and at most a million, got {weight!r}")
        self.given = given
        self.source = source
        self.spell = spell
        self._counts: dict[Hashable, int] = {}  # rounds of each class so far
        self._rounds = 0

    def weigh(self, labels: Array) -> Array:
        """How much each of the next rounds counts."""
        weights = np.ones(len(labels))
        for t, label in enumerate(labels.tolist()):
            name = self.spell(label)
            if self.given is not None:
                weights[t] = self.given.get(name, 1.0)
                continue
            self._rounds += 1
            self._counts[name] = self._counts.get(name, 0) + 1
            weights[t] = self._rounds / (len(self._counts) * self._counts[name])
        return weights

    def restart(self) -> "ClassWeights":
        """The same weights before the first round."""
        return ClassWeights(self.given, self.spell, self.source)

    def require_known(self, labels: Iterable[Any]) -> None:
        """Refuse weights for what is none of these labels."""
        labels = list(labels)
        names = {self.spell(label) for label in labels}
        unknown = [name for name in self.given or () if name not in names]
        there = ", ".join(map(repr, labels[:16])) + (" and more" if len(labels) > 16 else "")
        named = ", ".join(map(repr, unknown))
        require(not unknown, f"{self.source}: there is no label {named}; labels are {there}")
