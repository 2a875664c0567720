"""JSON lines: an object a line, its members the attributes of a round.

    {"label": "yes", "age": 39, "colour": "red", "size": {"x": 1.5}, "tags": ["new", "sale"]}

A number is an attribute's value, true is 1 and false 0; a text is the attribute `name=text`; an object inside has its
names after a dot; a list of numbers is `name.0`, `name.1`, ..., a list of texts the attribute `name=text` for each;
null is missing, and no attribute (`features.objects`). The label is the member called label, class, target or y in the
first record, or as told: a text, a number or a boolean. A member holds in all records what it holds in the first
hundred: among numbers a word is refused, among words a number is one. Values are rounded to float32. Empty lines are
passed over. What is not JSON is refused, and so are NaN and infinities, a name that comes twice in an object, and text
that is not UTF-8.

Lines are read by Python's own json module, not in compiled code.

>>> data = b'{"label": 1, "age": 39, "colour": "red"}\\n'
>>> chunk = Jsonl().settle(data).parse(np.frombuffer(data, np.uint8), 0, len(data)).chunk
>>> chunk[0], chunk.labels
({'age': 39.0, 'colour=red': 1.0}, array([1]))
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, NoReturn, Self, final

import numpy as np

from littlestone.base.chunks import Array, Tokens
from littlestone.base.errors import BadData, BadInstance
from littlestone.base.features import Named
from littlestone.base.features.dicts import flatten
from littlestone.base.features.names import find_repeated, pack_names
from littlestone.base.features.schema import (
    CATEGORY,
    IGNORE,
    NUMBER,
    OTHER,
    Schema,
    guess_kind,
    list_few,
    list_unlike,
    refuse_booleans,
    require_kinds,
    settle_kinds,
)
from littlestone.readers.format import Lines, Parsed, Problem
from littlestone.readers.headers import is_number
from littlestone.readers.table.settling import FEWEST, SHARE
from littlestone.readers.table.sniff import LABELS, RECORDS

HIGHEST = float(np.finfo(np.float32).max)


class Refused(Exception):
    """A line that is no record, with the byte at which it went wrong."""

    def __init__(self, at: int, text: str) -> None:
        super().__init__(text)
        self.problem = Problem(at, text)


@final
@dataclass(frozen=True)
class Jsonl(Lines):
    """`label` names the member that is the label; with `labelled=False` it is not looked for, nor at."""

    label: str | None = None
    labelled: bool | None = True  # None: if the first record has one
    types: Mapping[str, str] | None = None
    like: Schema | None = None  # of what was read before: other members are left out
    members: tuple[tuple[str, str], ...] = ()  # settled: those of the first records, and what they hold
    optional: tuple[str, ...] = ()  # settled: those that some of these records do not have
    turned: bool = False  # settled: whether they come in another order than in what was read before
    notes: tuple[str, ...] = ()  # settled: what there is to say about them

    def __post_init__(self) -> None:
        require_kinds(self.types)

    name: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        try:
            return isinstance(read_record(head.strip().split(b"\n", 1)[0]), dict)
        except Refused:
            return False

    def settle(self, head: bytes) -> Self:
        """The format with the label that the first record has, and the members of the first records."""
        lines = [(number, line) for number, line in enumerate(head.split(b"\n"), 1) if line.strip()][:RECORDS]
        if not lines:
            raise BadData("there is no record", line=1)
        records = list[dict[str, Any]]()
        for number, line in lines:
            try:
                records.append(read_record(line))
            except Refused as refused:
                if not records and self.label is None:
                    raise BadData(refused.problem.text, line=number, column=refused.problem.at + 1) from None
        first = records[0] if records else {}
        like = self.like
        label = self.label or (like and like.label) or next((name for name in LABELS if name in first), None)
        if label is None and self.labelled:
            told = f"none of {', '.join(LABELS)} is among {list_few(list(first))}"
            raise BadData(f"no label: {told}; say label=", line=lines[0][0])
        labelled = label in first if self.labelled is None else self.labelled
        kinds, optional = _list_members([{k: v for k, v in record.items() if k != label} for record in records])
        kinds = settle_kinds(kinds, like, self.types)
        named = [name for name in (*kinds, label) if name is not None and kinds.get(name, CATEGORY) == CATEGORY]
        cells = {name: [record[name] for record in records if isinstance(record.get(name), str)] for name in named}
        notes = list_unlike(cells, label) if like is None else []
        settled: dict[str, Any] = {"members": tuple(kinds.items()), "optional": tuple(optional), "notes": tuple(notes)}
        turned = like is not None and [name for name in kinds if name in first] != [n for n in first if n in kinds]
        return replace(self, label=label, labelled=labelled, turned=turned, **settled)

    def schema(self) -> Schema:
        return Schema(self.name, self.label if self.labelled else None, self.members, self.optional)

    def features(self) -> Named:
        return Named()

    def parse(self, data: Array, start: int, end: int) -> Parsed:
        numbers: dict[str, int] = {}
        indptr = [0]
        which = list[int]()
        values = list[float]()
        labels = list[Any]()
        problem = None
        at = start
        for line in data[start:end].tobytes().split(b"\n"):
            if line.strip():
                try:
                    label, row = self._read_round(line)
                except Refused as refused:
                    problem = Problem(at + refused.problem.at, refused.problem.text)
                    break
                labels.append(label)
                which.extend(numbers.setdefault(name, len(numbers)) for name in row)
                values.extend(row.values())
                indptr.append(len(which))
            at += len(line) + 1
        text, starts, lengths, keys = pack_names(numbers)
        listed = np.array(which, np.int64)
        named = (text, starts[listed], lengths[listed], keys[listed], np.array(values, np.float32))
        return Parsed(Tokens(np.array(indptr, np.int64), *named, _type_labels(labels)), problem)

    def _read_round(self, line: bytes) -> tuple[Any, dict[str, float]]:
        """The label and the attributes of a record."""
        members = read_record(line)
        label = members.pop(self.label, None) if self.label is not None else None
        if self.labelled and not isinstance(label, str | int | float):
            found = "nothing" if label is None else json.dumps(label)[:40]
            raise Refused(0, f"the label, {self.label!r}, is a text, a number or a boolean, got {found}")
        if isinstance(label, float) and not np.isfinite(label):
            raise Refused(0, f"the label, {self.label!r}, must be in the range of float64")
        if self.turned:  # sums depend on the order, and numbers of names
            members = {name: members[name] for name in self._kinds if name in members} | members
        members = {name: self._convert(name, value) for name, value in members.items()}
        try:
            row = flatten(members)
            for name in row:
                name.encode()
        except BadInstance as problem:
            raise Refused(0, str(problem)) from None
        except UnicodeEncodeError:
            raise Refused(0, "a name must be text that UTF-8 can write, got half of a surrogate pair") from None
        large = next((name for name, value in row.items() if abs(value) > HIGHEST), None)
        if large is not None:
            raise Refused(0, f"a number must be in the range of float32, got {row[large]} in {large!r}")
        return label if self.labelled else None, row

    @cached_property
    def _kinds(self) -> dict[str, str]:
        return dict(self.members)

    def _convert(self, name: str, value: Any) -> Any:
        """A member as its column holds it; None where it is ignored."""
        kind = self._kinds.get(name, IGNORE if self.like is not None and self.like.kinds else OTHER)
        if kind == IGNORE:
            return None
        if isinstance(value, bool):
            try:
                refuse_booleans(name, kind, self.like, ("jsonl",))
            except BadData as problem:
                raise Refused(0, problem.problem) from None
        if kind == CATEGORY and isinstance(value, Real):
            return str(value)
        if kind == NUMBER and isinstance(value, str):
            remedy = f"types={{{name!r}: 'category'}} takes any text"
            if not is_number(value.strip()):
                raise Refused(0, f"column {name!r} holds numbers, got {value[:40]!r}; {remedy}")
            return float(value)
        return value


def read_record(line: bytes) -> dict[str, Any]:
    """The object that a line is, or Refused."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as problem:
        found = line[problem.start : problem.start + 1]
        raise Refused(problem.start, f"text must be UTF-8, got the byte {found!r}") from None
    try:
        found = json.loads(text, object_pairs_hook=_collect_members, parse_constant=_refuse)
    except json.JSONDecodeError as problem:
        at = len(text[: problem.pos].encode())
        raise Refused(at, f"a line must be an object in JSON: {problem.msg.lower()}") from None
    except (ValueError, RecursionError) as problem:
        raise Refused(0, f"a line must be an object in JSON: {problem}") from None
    if not isinstance(found, dict):
        raise Refused(0, f"a line must be an object in JSON, got {text.strip()[:40]!r}")
    return found


def _list_members(records: list[dict[str, Any]]) -> tuple[dict[str, str], list[str]]:
    """What the members of records hold, and which of them some records lack."""
    kinds: dict[str, str] = {}
    for record in records:
        for name, value in record.items():
            if kinds.get(name, OTHER) == OTHER:
                kinds[name] = CATEGORY if isinstance(value, str) else NUMBER if isinstance(value, Real) else OTHER
    for name in kinds:
        words = [record[name] for record in records if isinstance(record.get(name), str)]
        numbers = [record[name] for record in records if isinstance(record.get(name), Real)]
        if words and numbers:
            few = len(set(numbers)) >= FEWEST and len(numbers) >= SHARE * (len(words) + len(numbers))
            kinds[name] = NUMBER if few or all(is_number(word.strip()) for word in words) else CATEGORY
        elif words:
            kinds[name] = guess_kind(words)
    return kinds, [name for name in kinds if any(record.get(name) is None for record in records)]


def _collect_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError(f"{find_repeated(name for name, _ in pairs)!r} comes twice")
    return members


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"a number must be finite, got {constant}")


def _type_labels(labels: list[Any]) -> Array:
    """Labels as an array of their own type if they share one, otherwise as they are."""
    kinds = {type(label) for label in labels}
    if kinds in ({int}, {float}, {bool}) and all(abs(label) < 2**63 for label in labels):
        return np.array(labels)
    array = np.empty(len(labels), object)
    array[:] = labels
    return array
