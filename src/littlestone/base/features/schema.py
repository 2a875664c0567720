"""Schema: what a stream's columns are, which a player keeps so that later files are read as the first one was.

A table in columns names each attribute and says what it holds; a format without columns (svmlight, texts) has its name
alone. Formats in columns stand for one another: a model of a CSV file reads JSON lines of the same names.

>>> learned = Schema("csv", "sold", (("age", "number"), ("colour", "category")))
>>> settle_kinds({"colour": "category", "age": "category", "id": "number"}, learned, None)
{'age': 'number', 'colour': 'category', 'id': 'ignore'}
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, Self
from unicodedata import normalize

from littlestone.base.errors import BadData, BadInstance, BadModel, require

NUMBER = "number"
CATEGORY = "category"
TEXT = "text"
DATE = "date"
IGNORE = "ignore"
OTHER = "other"
BOOLEAN = "boolean"  # of labels in a frame, which a table in text has as words
KEEP = "keep"  # as guessed, though all others are ignored
ALIASES = {"nominal": CATEGORY}  # what kinds were called before
KINDS = (NUMBER, CATEGORY, TEXT, DATE, IGNORE)  # that a user may ask for
MANY = 20  # cells that all differ before that is worth saying
TEXT_WORDS = 3  # words that the cells of a text have on average
TIME = r"[T ][0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?"
ISO_DATE = re.compile(rf"\d{{4}}([-/])[01]\d\1[0-3]\d({TIME})?", re.ASCII)
OTHER_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(\d\d|\d{4})([T ,].*)?", re.ASCII)
BY_NUMBER = ("svmlight", "parquet", "arrow")  # formats whose attributes are numbers where they have no columns

REMEDY = "lenient=True goes on"


class Schema(NamedTuple):
    """The columns of a table, or the format of what has none.

    Args:
        format: The name of the format.
        label: The column of labels; None where labels are no column, or there are none.
        kinds: The other columns with what they hold, in the order of the table; none: the format has no columns.
        optional: Those that not every row has.
        label_kind: What the column of labels holds, if that is known.
        lenient: Whether any other columns will do; what is missing counts as 0. It is not kept in files.
    """

    format: str
    label: str | None = None
    kinds: tuple[tuple[str, str], ...] = ()
    optional: tuple[str, ...] = ()
    label_kind: str | None = None
    lenient: bool = False

    @property
    def used(self) -> dict[str, str]:
        """The columns that are attributes, with what they hold."""
        return {name: kind for name, kind in self.kinds if kind != IGNORE}

    @property
    def family(self) -> str:
        """What attributes go by, in words."""
        if self.kinds:
            return "columns with names"
        return "attributes by number" if self.format in BY_NUMBER else f"rows of {self.format}"

    def list_columns(self, kind: str) -> tuple[str, ...]:
        """The columns that hold this."""
        return tuple(name for name, held in self.kinds if held == kind)

    def list_new(self, columns: Sequence[str]) -> list[str]:
        """The columns of another table that are not known here."""
        known = {*dict(self.kinds), self.label}
        return [name for name in columns if name not in known]

    def require_known(self, instance: Mapping[Any, Any]) -> None:
        """Refuse an instance by names if columns have names and none of them is one; `column=word` is one too."""
        if not self.kinds or any(name in instance for name, _ in self.kinds):
            return
        known = dict(self.kinds)
        if not any(re.split(r"[.=^]", str(name))[0] in known for name in instance):
            first = next(iter(instance))
            raise BadInstance(f"{first!r} is none of the columns that the model knows: {list_few([*known])}")

    def require_columns(self, columns: Sequence[str]) -> None:
        """Refuse a table that lacks a column; a row of it may."""
        missing = [name for name in self.used if name not in columns and name not in self.optional]
        if missing and not self.lenient:
            lost = f"there is no column {missing[0]!r}" + (f", nor {list_few(missing[1:])}" if missing[1:] else "")
            form = tell_other_form(missing[0], columns)
            raise BadData(f"{lost}, which the model knows; the columns are {list_few(columns)}{form}; {REMEDY}")

    def require_like(self, other: "Schema") -> None:
        """Refuse a stream whose attributes are not those of this one."""
        if self.lenient:
            return
        if self.family != other.family:
            raise BadData(
                f"the model learned {self.family} ({self.format}); here are {other.family} ({other.format}); {REMEDY}"
            )
        self.require_columns([name for name, _ in other.kinds])
        for name, kind in other.used.items():
            known = self.used.get(name, kind)
            if kind != known and OTHER not in (kind, known):
                raise BadData(f"column {name!r} holds {kind} here, and {known} in what the model learned; {REMEDY}")

    def to_record(self) -> dict[str, Any]:
        """What a model file keeps."""
        kinds = [list(pair) for pair in self.kinds]
        optional = list(self.optional)
        labels = {"label": self.label, "label_kind": self.label_kind}
        return {"format": self.format, "kinds": kinds, "optional": optional} | labels

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The schema of a record, which may come from an untrusted file."""
        names = ("format", "label", "kinds", "optional", "label_kind")
        known = isinstance(record, Mapping) and set(record) == set(names)
        require(known and type(record["format"]) is str, "columns of another kind", BadModel)
        format, label, kinds, optional, label_kind = (record[name] for name in names)
        listed = type(kinds) is list and all(type(pair) is list and len(pair) == 2 for pair in kinds)
        words = listed and type(optional) is list and {type(label), type(label_kind)} <= {str, type(None)}
        words = words and all(type(word) is str for word in (*(part for pair in kinds for part in pair), *optional))
        require(words and all(kind in (*KINDS, OTHER) for _, kind in kinds), "columns of another kind", BadModel)
        require(len(dict(kinds)) == len(kinds), "names of columns must differ from one another", BadModel)
        return cls(format, label, tuple((name, kind) for name, kind in kinds), tuple(optional), label_kind)


def require_kinds(types: Mapping[Any, str] | None) -> None:
    """Refuse types that no column has."""
    for column, kind in (types or {}).items():
        known = ALIASES.get(kind, kind) in (*KINDS, KEEP)
        require(known, f"the type of a column is one of {', '.join(KINDS)}, got {kind!r} for {column!r}")


def settle_kinds(guessed: Mapping[str, str], like: Schema | None, types: Mapping[str, str] | None) -> dict[str, str]:
    """What columns hold: as told, as in a table that was read before, or as guessed.

    They are in the order of the table before; columns that it did not have come last and are ignored.
    """
    kinds = dict(guessed)
    if like is not None and like.kinds:
        like.require_columns(list(guessed))
        known = {name: kinds.get(name, kind) if kind == OTHER else kind for name, kind in like.kinds}
        here = {*kinds, *like.optional}
        kinds = {name: known.get(name, IGNORE) for name in (*known, *kinds) if name in here}
    told: dict[str, str] = dict(types or {})
    rest = told.pop("*", KEEP)
    for column in told:
        if column not in kinds:
            raise BadData(f"column {tell_unknown(column, list(kinds))}", line=1)
    for column, held in kinds.items():
        kind = told.get(column, rest)
        kinds[column] = held if kind == KEEP else ALIASES.get(kind, kind)
    return kinds


def refuse_booleans(column: str, held: str, like: Schema | None, formats: Sequence[str]) -> None:
    """Refuse booleans as categories where the model learned words from other formats: any two words, not these."""
    if held == CATEGORY and like is not None and like.format not in formats:
        raise BadData(
            f"column {column!r} holds booleans, and words in what the model learned: write them as those words"
        )


def guess_kind(cells: Sequence[str]) -> str:
    """What a column holds whose first cells, none of them missing, are these words: dates, texts, or categories."""
    if not cells:
        return CATEGORY
    if all(ISO_DATE.fullmatch(cell) for cell in cells):
        return DATE
    words = sum(len(cell.split()) for cell in cells)
    return TEXT if 2 * len(set(cells)) > len(cells) and words >= TEXT_WORDS * len(cells) else CATEGORY


def list_unlike(cells: Mapping[str, Sequence[str]], label: str | None) -> list[str]:
    """What there is to say about columns of categories, by their first cells: dates that are none, no two alike."""
    unlike = [name for name, said in cells.items() if len(said) >= MANY and len(set(said)) == len(said)]
    notes = [
        f"the cells of column {name!r} all differ, so nothing is learned from them; ignore=[{name!r}] leaves it out"
        for name in unlike
        if name != label
    ]
    for name, said in cells.items():
        if said and name not in unlike and all(OTHER_DATE.fullmatch(cell) for cell in said):
            words = f"column {name!r} looks like dates, such as {said[0][:40]!r}, but dates are read as 2026-12-31"
            notes.append(f"{words}: its cells are taken as categories; ignore=[{name!r}] leaves it out")
    other = f"every row has a label of its own in column {label!r}; label= says which column holds labels"
    return notes + ([other] if label in unlike else [])


def list_few(names: Sequence[Any]) -> str:
    """Some names for a message."""
    return ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")


def tell_unknown(which: Any, names: Sequence[str]) -> str:
    """What to say of a name, or a position, that no column has, and what may have been meant."""
    told = f"{which!r} is none of the {len(names)} columns {list_few(names)}"
    if isinstance(which, str) and "," in which and {part.strip() for part in which.split(",")} <= {*names}:
        return f"{told}: name one column at a time"
    form = tell_other_form(str(which), names)
    near = get_close_matches(str(which), names, 1)
    return f"{told}{form}" if form or not near else f"{told}: did you mean {near[0]!r}?"


def tell_other_form(name: str, names: Sequence[str]) -> str:
    """What to say where a column has the name that is looked for, but in another form of Unicode; mostly nothing."""
    same = normalize("NFC", name)
    found = next((one for one in names if one != name and normalize("NFC", one) == same), None)
    if found is None:
        return ""
    return f": {found!a} there and {name!a} look alike, in two forms of Unicode; write both in the same one"


def tell_idle(words: Mapping[str, Any], schema: Schema) -> list[str]:
    """What to say where options of words were given, and no column holds any."""
    idle = [name for name in ("ngrams", "lower") if name in words]
    if not idle or not schema.kinds or schema.list_columns(TEXT):
        return []
    return [f"no column holds text, so {idle[0]}= changes nothing; types={{'COLUMN': 'text'}} names one"]
