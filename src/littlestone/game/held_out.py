"""Held out: rounds that are judged by what was learned before them, and not learned themselves."""

from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import require
from littlestone.base.features import TfIdf
from littlestone.base.labels import Labels, Numbers


class HeldOut(NamedTuple):
    """Rounds that were judged and not learned, each by what was learned before it.

    Args:
        chunk: The rounds as they came, with the user's labels.
        guesses: The class numbers of what `predict` says; -1 where no class was known yet.
        labels: The class numbers of the labels; one that was not met yet has the number after all classes.
    """

    chunk: Chunk
    guesses: Array
    labels: Array


def refuse_counting(features: Any, holdout: int | None) -> None:
    """Refuse features that count the rows they read, where some are held out and must not be counted."""
    counts = bool(holdout) and isinstance(features, TfIdf)
    require(not counts, "tf-idf would count the rows that are held out: leave out one of the two")


def number_judged(known: Labels | Numbers, codes: list[Any], labels: Array) -> tuple[Array, Array]:
    """Number what was guessed and the labels of rounds that were judged.

    Args:
        known: The labels that the player has met.
        codes: The classes guessed, as the player numbers them.
        labels: The labels as they came; they may be new to the player.

    Returns:
        The guesses, and the labels, as `HeldOut` has them.
    """
    names: dict[Any, int] = {}  # also what a class not met is likely called
    for code in range(len(known)):
        names.setdefault(known.name(code), code)

    def number(name: Any, unknown: int) -> Any:
        found = known.find(name)
        if found is None and name is not None and name in names:
            return names[name]
        return unknown if found is None else found

    guesses = {code: number(known.name(code), -1) for code in set(codes)}
    return np.array([guesses[code] for code in codes]), np.array([number(y, len(known)) for y in labels.tolist()])
