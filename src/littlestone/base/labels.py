"""Labels: any hashable label to the class number that a learner sees, and back.

False, 0 and -1 are class 0 and True and 1 are class 1, whichever comes first. Of other labels the first one seen is
class 0, the negative class, the next new one class 1, and so on; a class that appears later takes no part in an
earlier guess.

>>> labels = Labels()
>>> labels.encode(["ham", "spam", "ham"], limit=2).tolist(), labels.name(1)
([0, 1, 0], 'spam')
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadLabel, BadModel, require

FEW = 16  # distinct labels that are looked for one by one, before sorting pays
# 0 == False and 1 == True in Python, -1.0 == -1 too
NEGATIVE = (False, -1)
POSITIVE = (True,)


class Labels:
    """The classes met so far, by number. `declared` classes are known, in that order, before the first round."""

    dtype: ClassVar[Any] = np.int32  # of guesses and labels as a learner sees them

    def __init__(self, declared: Iterable[Hashable] = ()) -> None:
        self._names: dict[int, Hashable] = dict(enumerate(declared))
        self._numbers: dict[Hashable, int] = {name: number for number, name in self._names.items()}
        require(len(self._names) == len(self._numbers), "declared classes must differ from one another", BadLabel)
        self.closed = bool(self._names)

    def copy(self) -> "Labels":
        other = Labels()
        other._names, other._numbers, other.closed = dict(self._names), dict(self._numbers), self.closed
        return other

    def aliases(self) -> dict[Hashable, int]:
        """Labels that mean a class which goes by another name, such as -1 beside False."""
        return {label: number for label, number in self._numbers.items() if self._names[number] != label}

    @classmethod
    def from_names(cls, names: Iterable[Hashable], others: Mapping[Hashable, int], closed: bool) -> Self:
        """The labels of which `names`, `others` and `closed` were written down."""
        labels = cls()
        told = list(names)
        labels._names = {number: name for number, name in enumerate(told) if name is not None}
        labels._numbers = {name: number for number, name in labels._names.items()} | dict(others)
        labels.closed = closed
        distinct = len(labels._numbers) == len(labels._names) + len(others)
        known = all(number in labels._names for number in others.values())
        right = distinct and known and len(told) == (len(labels) if labels._names else 0)
        require(right, f"these cannot be the names of classes: {told[:8]}", BadModel)
        return labels

    def __len__(self) -> int:
        """How many classes a learner must tell apart so far: at least two."""
        return max(2, 1 + max(self._names, default=0))

    @property
    def declaration(self) -> dict[str, list[Hashable]]:
        """What a certificate says of the classes: those that were declared, or none where the first one is unusual.

        Without a word about them the first guess of such a game is a mistake, which is how certificates once counted.
        """
        if self.closed:
            return {"classes": self.names}
        return {"classes": []} if self._names.get(0, False) not in NEGATIVE else {}

    def find(self, label: Any) -> int | None:
        """The class number of a label that was met or declared; None for any other."""
        try:
            return self._numbers.get(label)
        except TypeError:  # not hashable, so never met
            return None

    def __contains__(self, label: Any) -> bool:
        return self.find(label) is not None

    @property
    def names(self) -> list[Hashable]:
        """The classes in the order of their numbers; one that was not met yet is None."""
        return [self._names.get(number) for number in range(len(self))] if self._names else []

    def name(self, number: int) -> Any:
        """The label of a class; for class 0 or 1 before it was met, what the other one suggests, or None."""
        if number in self._names or not self._names:
            return self._names.get(number)
        return find_counterpart(self._names.get(1 - number)) if number in (0, 1) else None

    @property
    def pair(self) -> tuple[bool, bool]:
        """Whether the classes 0 and 1 have names."""
        return 0 in self._names, 1 in self._names

    def encode_one(self, label: Any, limit: int) -> int:
        """The class number of a label, a new one if it is new; a class beyond `limit` is refused."""
        label = label.item() if isinstance(label, np.generic) else label
        try:
            known = self._numbers.get(label)
        except TypeError:
            raise BadLabel(f"a label must be hashable, got a {type(label).__name__}") from None
        if known is None:
            known = self._numbers[label] = self._choose_number(label, limit)
            self._names.setdefault(known, label)
        return known

    def _choose_number(self, label: Hashable, limit: int) -> int:
        require(label == label and label is not None, f"a label must not be missing, got {label!r}", BadLabel)
        if self.closed and self._names.keys() == {0, 1} and tuple(self._names.values()) == (False, True):
            allowed = "False and True (or 0 and 1, or -1 and +1)"
            require(label in (*NEGATIVE, *POSITIVE), f"labels here are {allowed}, got {label!r}", BadLabel)
            return 0 if label in NEGATIVE else 1
        if self.closed:
            raise BadLabel(f"labels here are {self._list_few()}, got {label!r}")
        usual = 0 if label in NEGATIVE else 1 if label in POSITIVE else None
        taken = len(self._names)  # numbers are taken in order, but 1 may be before 0
        free = next(number for number in (0, taken - 1, taken) if number >= 0 and number not in self._names)
        number = usual if usual is not None and usual not in self._names else free
        if number >= limit:  # the list of classes may be long: it is made only for the message
            raise BadLabel(
                f"{label!r} would be class {number + 1}, but this learner tells {limit} apart: {self._list_few()}; "
                "a network of it, Network(learner) or --learner network:NAME, takes any number of classes"
            )
        return number

    def _list_few(self) -> str:
        """The first classes, for a message."""
        few = [self._names.get(number) for number in range(min(len(self), FEW))] if self._names else []
        return f"{few}" if len(self._names) <= FEW else f"{few} and {len(self._names) - FEW:,} more"

    def encode(self, labels: Iterable[Any], limit: int) -> Array:
        """Class numbers of leading labels, up to the first that is refused; if that is the first, its error."""
        if isinstance(labels, np.ndarray) and labels.dtype.kind in "biufSU" and labels.ndim == 1:
            return self._encode(labels, limit)
        labels = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
        try:
            return np.fromiter(map(self._numbers.__getitem__, labels), self.dtype, len(labels))
        except (KeyError, TypeError):  # one that was not met before, or is none
            pass
        numbers: list[int] = []
        for label in labels:
            try:
                numbers.append(self.encode_one(label, limit))
            except BadLabel:
                if not numbers:
                    raise
                break
        return np.array(numbers, self.dtype)

    def _encode(self, labels: Array, limit: int) -> Array:
        """The same, one distinct label after another, in the order of their first rounds."""
        numbers = np.empty(len(labels), self.dtype)
        left = np.ones(len(labels), bool)
        for first, same in _group_labels(labels, left):
            try:
                numbers[same] = self.encode_one(labels[first], limit)
            except BadLabel:
                if first == 0:
                    raise
                return numbers[:first]
        return numbers


def find_counterpart(known: Any) -> Any:
    """What the other of two classes is called if one of them is a usual label; None for any other label."""
    if isinstance(known, bool | np.bool_):
        return not known
    if known == -1:
        return type(known)(1)
    return type(known)(1 - known) if known in (0, 1) else None


def _group_labels(labels: Array, left: Array) -> Iterator[tuple[int, Array]]:
    """The round in which each label comes first, and all its rounds; `left` are those not met yet."""
    for _ in range(FEW):
        first = int(left.argmax()) if len(left) else 0
        if first == len(left) or not left[first]:
            return
        same = labels == labels[first]
        yield first, same
        left &= ~same
    rounds = np.flatnonzero(left)
    _, firsts, which = np.unique(labels[rounds], return_index=True, return_inverse=True)
    groups = np.split(rounds[np.argsort(which, kind="stable")], np.cumsum(np.bincount(which))[:-1])
    for k in np.argsort(firsts).tolist():
        yield int(rounds[firsts[k]]), groups[k]


class Numbers(Labels):
    """Outcomes that are numbers: each stands for itself, and there is nothing to remember."""

    dtype: ClassVar[Any] = np.float64

    def copy(self) -> "Numbers":
        return self

    @property
    def pair(self) -> tuple[bool, bool]:
        return True, True

    def find(self, label: Any) -> Any:
        return self.encode_one(label, 0)

    def name(self, number: float) -> float:
        return float(number)

    def encode_one(self, label: Any, limit: int) -> Any:
        try:
            value = float(label)
        except (TypeError, ValueError):
            value = math.nan
        require(math.isfinite(value), f"an outcome must be a finite number, got {label!r}", BadLabel)
        return value

    def encode(self, labels: Iterable[Any], limit: int) -> Array:
        if isinstance(labels, np.ndarray) and labels.dtype.kind in "fiub":
            values = labels.astype(np.float64)
            stop = int(np.argmin(np.isfinite(values))) if not np.isfinite(values).all() else len(values)
            if stop == 0 and len(values):
                self.encode_one(values[0], limit)
            return values[:stop]
        return super().encode(labels, limit)
