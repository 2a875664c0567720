"""Concepts: any finite class, written down as a table with a row for each concept and a column for each instance.

Labels are anything hashable. A table of booleans, of 0 and 1 or of -1 and +1 has the labels False and True; otherwise
the labels are those that occur, sorted where they can be and in the order of their first appearance where not. Rows
that are equal stay as many concepts as were given, each with its own vote. Of two labels the second one's bits are
kept, 64 concepts to a word, of more labels one such plane for each; halving reads the planes in place.

>>> singletons = Concepts([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
>>> singletons.labels, singletons.votes(singletons.start(), 1)
((False, True), (2, 1))
>>> Concepts.of([str.upper, str.lower], ["a", "B"]).labels
('A', 'B', 'a', 'b')
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from typing import Any, Self, final

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import BadInstance, BadModel, BadParameter, require
from littlestone.compiled import rule
from littlestone.concepts.concept import read_attributes, read_whole_number
from littlestone.concepts.packed import Packed, PackedSpace, compile_by_word

BINARY = ({0, 1}, {-1, 1})  # False == 0 and True == 1 in Python
SHOWN = 8  # labels of a row that its name shows


@rule
def read_word(k: int, code: Array) -> Any:
    return code[k]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Concepts(Packed):
    """The concepts of a table; `Concepts.of` makes one from Python functions.

    Args:
        table: Rows of labels, one for each concept.
        points: The instances, in the order of the columns; 0, 1, 2, ... unless given.
        names: What the concepts are called; their first labels unless given.
    """

    table: InitVar[Any]
    points: Sequence[Hashable] = ()
    names: tuple[str, ...] = ()
    labels: tuple[Hashable, ...] = field(init=False)
    planes: Array = field(init=False)  # by instance, by label, by word; of two labels the second only
    rows: int = field(init=False)

    sweeps = compile_by_word(read_word)

    def __post_init__(self, table: Any) -> None:
        labels, numbers = _number_labels(_read_table(table))
        rows, columns = numbers.shape
        points = tuple(self.points) or range(columns)
        require(len(points) == columns, f"{columns} columns need as many points, got {len(points)}")
        require(len(set(points)) == columns, "the points must differ from one another")
        require(len(self.names) in (0, rows), f"{rows} rows need as many names, got {len(self.names)}")
        kept = (1,) if len(labels) == 2 else range(len(labels))
        planes = np.zeros((columns, len(kept), (rows + 63) // 64), np.uint64)
        octets = planes.view(np.uint8)  # little-endian, as the sweeps shift
        for x in range(columns):
            for place, label in enumerate(kept):
                packed = np.packbits(numbers[:, x] == label, bitorder="little")
                octets[x, place, : packed.size] = packed
        planes.setflags(write=False)
        for name, value in (("points", points), ("labels", labels), ("planes", planes), ("rows", rows)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, functions: Iterable[Callable[[Any], Hashable]], instances: Iterable[Hashable]) -> Self:
        """Make the class of some Python functions on some instances, which may be any hashable objects."""
        functions = list(functions)
        points = tuple(instances)
        require(len(points) > 0, "a class needs at least one instance, got none")
        names = tuple(getattr(function, "__name__", str(function)) for function in functions)
        return cls([[function(x) for x in points] for function in functions], points, names)

    def record(self) -> dict[str, Any]:
        """Return what a model file keeps: the planes as they are, and what rows, columns and labels are called."""
        points = None if isinstance(self.points, range) else list(self.points)
        called = {"labels": list(self.labels), "points": points, "names": list(self.names)}
        return {"planes": self.planes, "rows": self.rows} | called

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Make the class of a record from any source: every concept must label every instance, once."""
        planes, labels, names, rows = (record[name] for name in ("planes", "labels", "names", "rows"))
        points = range(len(planes)) if record["points"] is None else tuple(record["points"])
        shape = (len(points), 1 if len(labels) == 2 else len(labels), (rows + 63) // 64)
        right = planes.dtype == np.uint64 and planes.shape == shape and planes.size > 0 and len(names) in (0, rows)
        right = right and len(set(points)) == len(points) and len(set(labels)) == len(labels) and None not in labels
        if right:
            mask = np.packbits(np.arange(64 * shape[2]) < rows, bitorder="little").view(np.uint64)
            wrong = planes[:, 0] & ~mask if len(labels) == 2 else np.bitwise_or.reduce(planes, axis=1) ^ mask
            once = len(labels) == 2 or int(np.bitwise_count(planes).sum()) == rows * len(points)
            right = once and not wrong.any()
        require(right, "the table of a class contradicts itself", BadModel)
        made = object.__new__(cls)
        planes.setflags(write=False)
        known = {"points": points, "labels": tuple(labels), "planes": planes, "rows": rows, "names": tuple(names)}
        for name, value in known.items():
            object.__setattr__(made, name, value)
        return made

    @property
    def size(self) -> int:
        return self.rows

    def __call__(self, x: Any) -> Hashable:
        if isinstance(self.points, range):
            return read_whole_number(x, len(self.points) - 1, str(self))
        try:
            column = self._columns.get(x)
        except TypeError:  # not hashable: perhaps a list, an array or a row of attributes that stands for a tuple
            first = self.points[0]
            row = tuple(read_attributes(x, len(first), str(self))) if isinstance(first, tuple) else None
            column = self._columns.get(row)
        if column is None:
            few = ", ".join(map(repr, self.points[:SHOWN])) + (", ..." if len(self.points) > SHOWN else "")
            raise BadInstance(f"an instance of {self} is one of {few}, got {x!r}")
        return self.points[column]

    def instances(self) -> Iterator[Hashable]:
        return iter(self.points)

    def encode(self, x: Hashable) -> Array:
        plane: Array = self.planes[self._columns[x], 0]
        return plane

    def encode_chunk(self, chunk: Chunk) -> tuple[Array, Array]:
        """Return the planes as they are, without a copy, and for each round the number of its column."""
        return self.planes[:, 0], np.array([self._columns[x] for x in map(chunk.__getitem__, range(len(chunk)))])

    def label(self, index: int, x: Hashable) -> int:
        bits = self.planes[self._columns[x], :, index >> 6] >> np.uint64(index & 63) & np.uint64(1)
        return int(bits[0]) if len(self.labels) == 2 else int(bits.argmax())

    def name(self, index: int) -> str:
        if self.names and self.names[index] != "<lambda>":
            return self.names[index]
        row = [self.labels[self.label(index, x)] for x in self.points[:SHOWN]]
        words = [str(int(label)) if isinstance(label, bool) else str(label) for label in row]
        return f"row {index}: {' '.join(words)}{' ...' if len(self.points) > SHOWN else ''}"

    def votes(self, space: PackedSpace, x: Hashable) -> tuple[int, ...]:
        if len(self.labels) == 2:
            return super().votes(space, x)
        return tuple(int(self.sweeps.vote(space.alive, plane)) for plane in self.planes[self._columns[x]])

    def keep(self, space: PackedSpace, x: Hashable, y: int) -> None:
        if len(self.labels) == 2:
            super().keep(space, x, y)
        else:
            self.count_round(space, x, y, int(self.sweeps.keep(space.alive, self.planes[self._columns[x], y], 1)))

    def halve(self, space: PackedSpace, chunk: Chunk, guesses: Array) -> int:
        """Two labels in one compiled call; with more, none: the rounds are played one by one."""
        return super().halve(space, chunk, guesses) if len(self.labels) == 2 else 0

    @cached_property
    def _columns(self) -> dict[Hashable, int]:
        return {x: column for column, x in enumerate(self.points)}

    def __hash__(self) -> int:
        return hash((self.labels, self.rows, len(self.points), self.planes[:, :, :SHOWN].tobytes()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Concepts):
            return NotImplemented
        mine, theirs = ((c.labels, tuple(c.points), c.names, c.rows) for c in (self, other))
        return mine == theirs and np.array_equal(self.planes, other.planes)

    def __repr__(self) -> str:
        return f"Concepts({self.rows} rows, {len(self.points)} columns)"


def _read_table(table: Any) -> Array:
    """Read the table as an array of two dimensions; one that is not an array yet becomes one of objects."""
    if hasattr(table, "__array__"):
        array = np.asarray(table)
        require(array.ndim == 2, f"a table has a row for each concept, got {array.ndim} dimension(s)")
    else:
        try:
            rows = [list(row) for row in table]
        except TypeError:
            raise BadParameter(f"a table is a sequence of rows of labels, got {table!r}") from None
        width = len(rows[0]) if rows else 0
        for number, row in enumerate(rows):
            require(len(row) == width, f"row 0 has {width} labels, row {number} has {len(row)}: they must be as long")
        array = np.empty((len(rows), width), object)
        for number, row in enumerate(rows):
            for column, label in enumerate(row):
                array[number, column] = label.item() if isinstance(label, np.generic) else label
    high, wide = array.shape
    require(high > 0 and wide > 0, f"a table needs a concept and an instance, got {high} rows and {wide} columns")
    return array


def _number_labels(table: Array) -> tuple[tuple[Hashable, ...], Array]:
    """Number the labels of a table.

    Returns:
        The labels in order.
        The table with the number of each label in its place.
    """
    if table.dtype == np.bool_:
        return (False, True), table
    try:
        found = list(dict.fromkeys(table.flat) if table.dtype == object else np.unique(table).tolist())
    except TypeError:
        raise BadParameter("every label of a table must be hashable") from None
    for label in found:
        require(label is not None and label == label, f"a label of a table must not be missing, got {label!r}")
    if any(set(found) <= allowed for allowed in BINARY):
        return (False, True), table == 1
    with suppress(TypeError):
        found.sort()
    if table.dtype != object:
        return tuple(found), np.searchsorted(found, table)
    place = {label: number for number, label in enumerate(found)}
    return tuple(found), np.array([place[label] for label in table.flat]).reshape(table.shape)
