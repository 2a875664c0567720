"""States: arrays of a model file put back into a state of the types and shapes that its learner starts with."""

from collections.abc import Container, Iterable, Iterator
from math import prod
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadModel
from littlestone.base.learner import Learner, Size, State
from littlestone.base.row_table import RowTable
from littlestone.game.saving.plain import read

EXPONENTS = (np.int8, np.int16, np.int32)
Arrays = dict[str, Array]


def make_template(learner: Any, size: Size, seed: int, known: Container[str], room: int) -> State:
    """A state that starts, of this size, or of the first smaller one that takes more memory than `room`.

    So a size that the file has no arrays for costs no more memory than those that are `known`.
    """
    if hasattr(learner, "expand_size"):  # it expands rows, and has the state of the learner inside
        return make_template(learner.learner, learner.expand_size(size), seed, known, room)
    grown = Size(min(1, size.attributes), 2, size.real)
    while True:
        state: State = learner.start(grown, seed)
        for path, _ in list_leaves(state, ""):
            require_sound(path in known, f"there is no array {path}")
        if grown[:2] == size[:2] or count_bytes(state) > room:
            return state
        if grown.classes < size.classes:
            grown = grown._replace(classes=min(2 * grown.classes, size.classes))
        else:
            grown = grown._replace(attributes=min(2 * grown.attributes, size.attributes))


class Loose(NamedTuple):
    """What a loaded state may differ in from one that starts, and the size of its game, for messages."""

    resizable: set[str]
    widening: set[str]
    size: Size

    @classmethod
    def of(cls, learner: Any, size: Size) -> Self:
        """What the learner says, and the learners that it is made of."""
        parts: list[Any] = [learner]
        for part in parts:  # which grows on the way
            inner = getattr(part, "learner", None) or getattr(part, "variant", None)
            parts += [one for one in (inner, *getattr(part, "rules", ())) if isinstance(one, Learner)]
        resizable = {name for part in parts for name in part.resizable}
        return cls(resizable, {name for part in parts for name in part.widening}, size)


def restore_state(template: State, arrays: Arrays, path: str, loose: Loose) -> State:
    """A state of the same types and shapes as the template, from the arrays."""
    if isinstance(template, tuple):
        parts = [_restore_part(name, part, arrays, path, loose) for name, part in _name_parts(template)]
        return type(template)(*parts) if hasattr(template, "_fields") else tuple(parts)
    found: Any = arrays.pop(path)
    if isinstance(template, RowTable):
        require_sound(
            found.shape == template.shape and found.dtype == template.dtype, f"an array {path} of other shape"
        )
        return found if isinstance(found, RowTable) else RowTable.from_dense(found, template.block)
    if isinstance(template, np.ndarray):
        return found
    value = read_array(found)
    require_sound(type(value) is type(template), f"{path} is a {type(value).__name__}")
    return value


def _restore_part(name: str, template: Any, arrays: Arrays, path: str, loose: Loose) -> State:
    part = restore_state(template, arrays, f"{path}.{name}" if path else name, loose)
    if isinstance(template, np.ndarray):
        wider = name in loose.widening and template.dtype == np.int8 and part.dtype in EXPONENTS
        shaped = part.shape == template.shape or (name in loose.resizable and part.ndim == template.ndim)
        about = f"an array {path}{'.' if path else ''}{name} of {part.dtype} and shape {part.shape}"
        game = f"{loose.size.attributes} attributes and {loose.size.classes} classes"
        require_sound(shaped and (part.dtype == template.dtype or wider), f"{about} does not fit {game}")
    return part


def list_leaves(state: State, path: str) -> Iterator[tuple[str, Any]]:
    """What is not a tuple in a state, with its path."""
    if isinstance(state, tuple):
        for name, part in _name_parts(state):
            yield from list_leaves(part, f"{path}.{name}" if path else name)
    elif state is not None:
        yield path, state


def _name_parts(state: Any) -> Iterable[tuple[str, Any]]:
    return zip(getattr(state, "_fields", map(str, range(len(state)))), state, strict=True)


def count_bytes(state: State) -> int:
    return sum(leaf.nbytes for _, leaf in list_leaves(state, "") if isinstance(leaf, np.ndarray | RowTable))


def count_whole(state: State) -> int:
    """The bytes that a state takes if every attribute is given its numbers, met or not."""
    leaves = [leaf for _, leaf in list_leaves(state, "") if isinstance(leaf, np.ndarray | RowTable)]
    return sum(prod(leaf.shape) * leaf.dtype.itemsize for leaf in leaves)


def read_array(found: Array) -> Any:
    require_sound(found.dtype == np.uint8 and found.ndim == 1, f"text in an array of {found.dtype}")
    return read(found.tobytes())


def require_sound(condition: bool, message: str) -> None:
    if not condition:
        raise BadModel(message)
