"""Cache: what was parsed in a first pass, kept in a file of its own for the passes after it.

The file is Arrow IPC and read through the memory's own pages: a chunk is a record whose columns are its arrays, which
are played where they lie. It stands beside the first source file, `name.cache.arrow`, or where it is told to. It says
which files it was made of, by path and a checksum of all their bytes, and with which format and options; if any of that
is not as it was, it is made anew. It is written as a draft and put in its place when it is whole.

Before Arrow's own footer stands an index: where each record lies, and its checksum. A record is compared with its
checksum, and its numbers with their bounds, before anything else looks at it, because compiled loops trust them. Where
that fails, a line on standard error says so, and the rounds from there on are parsed from the source again.
"""

import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, cast

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import BadParameter, require
from littlestone.base.files import hold_draft, name_errors, require_apart
from littlestone.base.printed_text import quote
from littlestone.compiled import U
from littlestone.readers.cached_records import Damaged, Record, check_bounds, make_chunk, read_index, sum_bytes
from littlestone.readers.reading import Reading, RoundPlace, Skipped
from littlestone.readers.source import import_extra

VERSION = 3  # of what such a file holds
ENTRIES = 1 << 21  # of a chunk in the file: chunks of rows are joined up to this size
MAGIC = 8  # bytes that Arrow writes at the beginning of a file
NUMBER = "\u0100"  # the mark of a label that is no text
ARRAYS = {
    "indptr": "int64",
    "indices": "int32",
    "singles": "float32",
    "doubles": "float64",
    "importance": "float64",
    "text": "uint8",
    "starts": "int64",
    "lengths": "int32",
    "keys": "uint64",
    "integers": "int64",
    "floats": "float64",
    "booleans": "bool",
    "codes": "int32",
    "which": "int32",
}


@lru_cache
def _hash_code() -> str:
    """A digest of everything that turns bytes into chunks: changed code parses anew."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    others = here.parent / "base" / "chunks.py", *(here.parent / "base" / "features").glob("*.py")
    for source in sorted([*here.rglob("*.py"), *others]):
        digest.update(source.read_bytes())
    return digest.hexdigest()


class Cached(Reading):
    """A reading whose first pass leaves a file from which the next ones are read."""

    def __init__(self, reading: Reading, path: Any = None) -> None:
        super().__init__(reading.files, reading.format, reading.on_error, reading.threads)
        self.skipped: Skipped = reading.skipped
        local = [part.path for part in self.files]
        require(None not in local, f"a cache is kept of local files, not of {self.files[0].name}")
        beside = cast(Path, local[0])
        self.path = Path(path) if path is not None else beside.with_name(beside.name + ".cache.arrow")
        require_apart({"the cache": str(self.path)}, map(str, local))
        self._arrow = import_extra("pyarrow", "parquet", "a cache")
        self._file: tuple[int, ...] = ()  # the one whose records, by where they begin, were checked
        self._checked: set[int] = set()
        self._sums: dict[Path, tuple[tuple[int, ...], tuple[int, int]]] = {}  # of files, as they were at a status

    def parse_files(self) -> Iterator[Chunk]:
        made_of = self._list_origins()
        played = 0
        try:
            for chunk in self._replay(made_of):
                yield chunk
                played += len(chunk)
            return
        except OSError:  # there is none
            pass
        except Damaged as problem:
            print(f"{quote(self.path)}: {problem}; the data are parsed again", file=sys.stderr)
        for chunk in self._play_and_record(made_of):
            if played < len(chunk):
                yield chunk[played:] if played else chunk
            played = max(0, played - len(chunk))

    def _list_origins(self) -> str:
        """Everything that a cache depends on."""
        files = [(str(part.path), *self._sum_file(cast(Path, part.path))) for part in self.files]
        return json.dumps([VERSION, _hash_code(), files, repr(self.format), self.on_error])

    def _sum_file(self, path: Path) -> tuple[int, int]:
        """The size of a file and a checksum of its bytes, computed anew when its status has changed."""
        found = os.stat(path)
        status = found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
        if path not in self._sums or self._sums[path][0] != status:
            data = np.memmap(path, np.uint8, "r") if found.st_size else np.zeros(0, np.uint8)
            whole = len(data) // 8 * 8
            rest = zlib.crc32(bytes(data[whole:]))
            self._sums[path] = status, (len(data), int(sum_bytes(data[:whole].view(U))) ^ rest)
        return self._sums[path][1]

    def _make_schema(self) -> Any:
        """What every record consists of."""
        arrow = self._arrow
        fields = [(name, arrow.large_list(arrow.type_for_alias(kind))) for name, kind in ARRAYS.items()]
        names = arrow.large_list(arrow.large_string())
        numbers = arrow.int64()
        return arrow.schema([*fields, ("names", names), ("width", numbers), ("note", arrow.string())])

    def _play_and_record(self, made_of: str) -> Iterator[Chunk]:
        arrow = self._arrow
        schema = self._make_schema()
        with ExitStack() as drafts:
            try:
                allowed = [os.stat(cast(Path, part.path)).st_mode for part in self.files]
                mode = reduce(int.__and__, allowed, 0o666) | 0o600  # no more readable than the data
                whole = drafts.enter_context(hold_draft(self.path.parent, str(self.path), mode))
                sink = arrow.OSFile(str(whole), "wb")
            except OSError as problem:
                said = f"a cache cannot be written: {problem.strerror or problem}; cache= tells another place"
                raise BadParameter(said) from None
            records = list[Record]()
            wanted = True
            # a full disk is no matter to a draft that is dropped
            drafts.push(lambda kind, *_: not wanted and kind is not None and issubclass(kind, OSError))

            def write(chunk: Any) -> None:
                start = sink.tell() or MAGIC + schema.serialize().size
                record = self._make_record(schema, chunk)
                with name_errors(str(self.path)):
                    file.write_batch(record)
                words = np.memmap(whole, U, "r", start, ((sink.tell() - start) // 8,))
                records.append(Record(start, sink.tell(), int(sum_bytes(words))))

            with sink, arrow.ipc.new_file(sink, schema) as file:
                waiting: list[Examples] = []
                for chunk in super().parse_files():
                    wanted = False  # unless the next chunk is asked for
                    yield chunk
                    wanted = True
                    if waiting and not (isinstance(chunk, Examples) and _can_join(waiting, chunk)):
                        write(_join_tables(waiting))
                        waiting = []
                    if isinstance(chunk, Examples):
                        waiting.append(_own(chunk))
                    else:
                        write(chunk)
                if waiting:
                    write(_join_tables(waiting))
                write(None)
                index = json.dumps([made_of, records]).encode()
                sink.write(index + len(index).to_bytes(8, "little") + zlib.crc32(index).to_bytes(8, "little"))
            if self._list_origins() == made_of:
                os.replace(whole, self.path)

    def _make_record(self, schema: Any, chunk: Any) -> Any:
        """A record: the arrays of a chunk, or what was skipped, at the end."""
        parts: dict[str, Any] = {}
        if chunk is None:
            parts["note"] = json.dumps([self.skipped.count, self.skipped.places, self.skipped.words])
        else:
            parts = {name: getattr(chunk, name, None) for name in ("indptr", "indices", "importance")}
            parts |= {name: getattr(chunk, name, None) for name in ("text", "starts", "lengths", "keys", "which")}
            if chunk.values is not None:
                parts["singles" if chunk.values.dtype == np.float32 else "doubles"] = chunk.values
            parts |= _write_labels(chunk.labels) | {"width": chunk.width}
        arrow = self._arrow
        columns = []
        for field in schema:
            part = parts.get(field.name)
            if part is not None and field.name not in ("width", "note"):
                kind = field.type.value_type
                inner = arrow.array(part if field.name == "names" else np.ascontiguousarray(part), kind)
                columns.append(arrow.LargeListArray.from_arrays(np.array([0, len(part)]), inner))
            else:
                columns.append(arrow.array([part], field.type))
        return arrow.record_batch(columns, schema=schema)

    def _replay(self, made_of: str) -> Iterator[Chunk]:
        """Play what the file holds, each record checked; without a file made of just this, say that there is none."""
        kept = self._arrow.memory_map(str(self.path)).read_buffer() if self.path.is_file() else None
        if not kept:
            raise FileNotFoundError
        origins, records = read_index(kept)
        if origins != made_of:
            raise FileNotFoundError
        schema = self._make_schema()
        status = os.stat(self.path)
        file = status.st_ino, status.st_size, status.st_mtime_ns
        if file != self._file:
            self._file = file
            self._checked = set()
        self.skipped.count, self.skipped.places[:] = 0, []
        for start, end, checksum in records:
            part = kept.slice(start, end - start)
            if start not in self._checked and sum_bytes(np.frombuffer(part, U)) != checksum:
                raise Damaged("a part of the cache is damaged")
            record = self._arrow.ipc.read_record_batch(part, schema)
            note = record.column("note")[0].as_py()
            if note is None:
                chunk = make_chunk({name: _read_column(record.column(name)) for name in (*ARRAYS, "names")}, record)
                if start not in self._checked:
                    check_bounds(chunk)
                    self._checked.add(start)
                yield chunk
            else:
                count, places, self.skipped.words = json.loads(note)
                self.skipped.count, self.skipped.places[:] = count, [RoundPlace(*place) for place in places]

    def __str__(self) -> str:
        return f"{super().__str__()}, kept in {quote(self.path)}"


def _write_labels(labels: Array) -> dict[str, Any]:
    """Labels as the columns that can hold them."""
    if labels.dtype.kind in "iu":
        return {"integers": labels.astype(np.int64, copy=False)}
    if labels.dtype.kind in "fb":
        return {"floats": labels.astype(np.float64)} if labels.dtype.kind == "f" else {"booleans": labels}
    names: dict[Any, int] = {}
    codes = np.empty(len(labels), np.int32)
    for t, label in enumerate(labels.tolist()):
        codes[t] = names.setdefault((type(label), label), len(names))
    return {"codes": codes, "names": [_write_name(name) for _, name in names]}


def _write_name(name: Any) -> str | None:
    """A text as one of Latin-1, a number or a truth value as JSON after a mark that Latin-1 does not have."""
    if isinstance(name, int | float):
        return NUMBER + json.dumps(name)
    return None if name is None else name.encode("utf-8", "surrogateescape").decode("latin-1")


def _read_name(text: str | None) -> Any:
    if text is not None and text.startswith(NUMBER):
        return json.loads(text[1:])
    return None if text is None else text.encode("latin-1").decode("utf-8", "surrogateescape")


def _read_column(column: Any) -> Any:
    """What a record's column holds: an array where it lies, texts, or None."""
    if column.null_count:
        return None
    values = column.values
    if str(values.type) == "large_string":
        return [_read_name(text) for text in values.to_pylist()]
    return values.to_numpy(zero_copy_only=str(values.type) != "bool")


def _can_join(waiting: list[Examples], chunk: Examples) -> bool:
    """Whether a chunk can be joined to others."""
    first = waiting[0]
    kinds = [
        (
            one.indices is None and one.width,
            None if one.values is None else one.values.dtype,
            one.labels.dtype,
            one.importance is None,
        )
        for one in (first, chunk)
    ]
    return kinds[0] == kinds[1] and sum(int(one.indptr[-1]) for one in waiting) < ENTRIES


def _own(chunk: Examples) -> Examples:
    """The chunk with its entries counted from 0, in memory of its own."""
    a = chunk.indptr[0]
    b = chunk.indptr[-1]
    indices, values = (None if part is None else part[a:b].copy() for part in (chunk.indices, chunk.values))
    return replace(chunk, indptr=chunk.indptr - a, indices=indices, values=values, labels=chunk.labels.copy())


def _join_tables(chunks: list[Examples]) -> Examples:
    """Chunks of one kind, one after another."""
    starts = np.cumsum([0, *(one.indptr[-1] for one in chunks)])
    indptr = np.concatenate([[0], *(one.indptr[1:] + start for one, start in zip(chunks, starts, strict=False))])
    parts: dict[str, Any] = {}
    for name in ("indices", "values", "labels", "importance"):
        arrays = [getattr(one, name) for one in chunks]
        parts[name] = None if arrays[0] is None else np.concatenate(arrays)
    return Examples(indptr, width=max(one.width for one in chunks), **parts)
