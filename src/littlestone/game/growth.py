"""Growth: how much memory the attributes and classes that turn up in data may make a player take.

A learner of weights holds some for each attribute up to the highest, and for each class. So a row that has attribute
2,000,000,000, or a label that is different in every row, would ask for all the memory there is. What a learner would
take is reckoned from its states of small sizes, before anything is allocated. What is declared beforehand, such as the
slots of hashed attributes, is not limited.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import LittlestoneError, TooLarge
from littlestone.base.features import Indexed
from littlestone.base.learner import Size
from littlestone.game.saving.states import count_bytes

MEMORY = 4 << 30  # bytes that a player may grow by, unless it is told otherwise
# of the small states
ATTRIBUTES = (16, 32, 64)
CLASSES = (16, 32)
MANY = 100  # classes beyond which one asks whether it is the label that was read as one
SLOTS = 22  # bits of hashed attributes that are proposed


def require_room(player: Any, size: Size) -> None:
    """Refuse a size whose state would take more memory than the player may grow by."""
    needed = estimate_growth(player.learner, size)
    if needed is None or needed <= player.memory:
        return
    what = f"{size.attributes:,} attributes and {size.classes:,} classes would take about {_format_bytes(needed)}"
    remedies = []
    if isinstance(player.features, Indexed):
        highest = f"the highest attribute is number {player.features.width - 1:,}"
        remedies.append(f"{highest}, and --bits {SLOTS} (Hashed({SLOTS})) hashes attributes into {1 << SLOTS:,} slots")
    if size.classes > MANY:
        remedies.append("is `id`, or another column that differs in every row, the label? --label names the right one")
    remedies.append("learn --memory GB (player.memory = bytes) allows more")
    allowed = f"more than the {_format_bytes(player.memory)} that are allowed"
    raise TooLarge(f"{what}, {allowed}: {'; '.join(remedies)}")


def grow_state(player: Any) -> Any:
    """Return the state with the room that its learner asks for; refuse more than the player may grow by.

    What a learner keeps of the attributes or rows it has met comes beside what its size alone takes, and doubles.
    """
    learner = player.learner
    state = player._state
    size = player.size
    needed = 2 * (count_bytes(state) - count_bytes(learner.start(size, player.seed)))
    if needed > player.memory:
        what = f"what was learned from the attributes or rows met would take about {_format_bytes(needed)}"
        allowed = f"more than the {_format_bytes(player.memory)} that are allowed"
        raise TooLarge(f"{what}, {allowed}: learn --memory GB (player.memory = bytes) allows more")
    return learner.grow(state, size)


def estimate_growth(learner: Any, size: Size) -> float | None:
    """About how many bytes more a state of this size takes than one of few attributes; None if there is none of these.

    States are at most quadratic in attributes and linear in classes.
    """
    if hasattr(learner, "expand_size"):  # it expands rows, and has the state of the learner inside
        return estimate_growth(learner.learner, learner.expand_size(size))
    classes = CLASSES if size.classes > CLASSES[1] else (size.classes, size.classes)
    try:
        small = [[_measure(learner, size, a, c) for c in classes] for a in ATTRIBUTES]
    except (LittlestoneError, ValueError):
        return None
    share = (size.classes - classes[0]) / max(1, classes[1] - classes[0])
    low, middle, high = (first + (second - first) * share for first, second in small)
    a, b, c = ATTRIBUTES
    slope = (middle - low) / (b - a)
    later = (high - middle) / (c - b)
    n = size.attributes
    grown = low + slope * (n - a) + (later - slope) / (c - a) * (n - a) * (n - b)
    return grown - low


def narrow(chunk: Chunk) -> Chunk:
    """The same rounds, no wider than the highest attribute in them."""
    if not isinstance(chunk, Examples) or chunk.indices is None:
        return chunk
    highest = chunk.indices[chunk.indptr[0] : chunk.indptr[-1]].max(initial=-1)
    return replace(chunk, width=int(highest) + 1)


def cut_at_new_classes(codes: Array, known: int) -> list[tuple[int, int]]:
    """Rounds cut before each new class, of which some are known, so that the state grows when it does in live play."""
    if codes.dtype.kind == "f":  # outcomes that are numbers have no classes
        return [(0, len(codes))]
    highest = np.maximum.accumulate(codes)
    new = np.flatnonzero(highest[1:] > np.maximum(highest[:-1], known - 1)) + 1
    return list(pairwise([0, *new.tolist(), len(codes)]))


def _measure(learner: Any, size: Size, attributes: int, classes: int) -> int:
    return count_bytes(learner.start(size._replace(attributes=attributes, classes=classes), 0))


def _format_bytes(size: float) -> str:
    return f"{size / 2**30:,.1f} GB" if size >= 2**30 else f"{size / 2**20:,.1f} MB"


def cut(numbers: Array | None, rounds: slice) -> Array | None:
    """What numbers, of which the last axis counts rounds, say of some of them; None of none."""
    return None if numbers is None else numbers[..., rounds]
