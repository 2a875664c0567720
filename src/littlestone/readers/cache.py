"""Cache: what was parsed in a first pass, kept in a file of its own for the passes after it.

The file is Arrow IPC and read through the memory's own pages: a chunk is a record whose columns are its arrays, which
are played where they lie. It stands beside the first source file, `name.cache.arrow`, or where it is told to. It says
which files it was made of, by path, size and time of change, and with which format and options; if any of that is not
as it was, it is made anew. It is written under another name and put in its place when it is whole.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Tokens
from littlestone.base.errors import BadData, BadParameter, require
from littlestone.readers.reading import Reading, RoundPlace, Skipped
from littlestone.readers.source import import_extra

VERSION = 1  # of what such a file holds
ENTRIES = 1 << 21  # of a chunk in the file: chunks of rows are joined up to this size
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
    here, digest = Path(__file__).parent, hashlib.sha256()
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
        self._arrow = import_extra("pyarrow", "parquet", "a cache")

    def chunks(self) -> Iterator[Chunk]:
        made_of = self._list_origins()
        kept = self._open(made_of)
        yield from self._replay(kept) if kept is not None else self._play_and_record(made_of)

    def _list_origins(self) -> str:
        """Everything that a cache depends on."""
        files = [(str(part.path), os.stat(part.path).st_size, os.stat(part.path).st_mtime_ns) for part in self.files]  # type: ignore[arg-type]
        return json.dumps([VERSION, _hash_code(), files, repr(self.format), self.on_error])

    def _open(self, made_of: str) -> Any:
        """The file if there is one that was made of just this."""
        with suppress(OSError, self._arrow.ArrowException):
            kept = self._arrow.ipc.open_file(self._arrow.memory_map(str(self.path)))
            if (kept.schema.metadata or {}).get(b"made of") == made_of.encode():
                return kept
        return None

    def _play_and_record(self, made_of: str) -> Iterator[Chunk]:
        arrow = self._arrow
        fields = [(name, arrow.large_list(arrow.type_for_alias(kind))) for name, kind in ARRAYS.items()]
        fields += [
            ("names", arrow.large_list(arrow.large_string())),
            ("width", arrow.int64()),
            ("note", arrow.string()),
        ]
        schema = arrow.schema(fields, metadata={"made of": made_of})
        whole = self.path.with_name(f"{self.path.name}.{os.getpid()}.partial")
        try:
            sink = arrow.OSFile(str(whole), "wb")
        except OSError as problem:
            said = f"a cache cannot be written: {problem.strerror or problem}; cache= tells another place"
            raise BadParameter(said) from None
        try:
            with sink, arrow.ipc.new_file(sink, schema) as file:
                waiting: list[Examples] = []
                for chunk in super().chunks():
                    yield chunk
                    if waiting and not (isinstance(chunk, Examples) and _can_join(waiting, chunk)):
                        file.write_batch(self._make_record(schema, _join_tables(waiting)))
                        waiting = []
                    if isinstance(chunk, Examples):
                        waiting.append(_own(chunk))
                    else:
                        file.write_batch(self._make_record(schema, chunk))
                if waiting:
                    file.write_batch(self._make_record(schema, _join_tables(waiting)))
                file.write_batch(self._make_record(schema, None))
            if self._list_origins() == made_of:
                os.replace(whole, self.path)
        finally:
            whole.unlink(missing_ok=True)

    def _make_record(self, schema: Any, chunk: Any) -> Any:
        """A record: the arrays of a chunk, or what was skipped, at the end."""
        parts: dict[str, Any] = {}
        if chunk is None:
            parts["note"] = json.dumps([self.skipped.count, self.skipped.places])
        else:
            parts = {name: getattr(chunk, name, None) for name in ("indptr", "indices", "importance")}
            parts |= {name: getattr(chunk, name, None) for name in ("text", "starts", "lengths", "keys", "which")}
            if chunk.values is not None:
                parts["singles" if chunk.values.dtype == np.float32 else "doubles"] = chunk.values
            parts |= _write_labels(chunk.labels) | {"width": chunk.width}
        arrow, columns = self._arrow, []
        for field in schema:
            part = parts.get(field.name)
            if part is not None and field.name not in ("width", "note"):
                kind = field.type.value_type
                inner = arrow.array(part if field.name == "names" else np.ascontiguousarray(part), kind)
                columns.append(arrow.LargeListArray.from_arrays(np.array([0, len(part)]), inner))
            else:
                columns.append(arrow.array([part], field.type))
        return arrow.record_batch(columns, schema=schema)

    def _replay(self, kept: Any) -> Iterator[Chunk]:
        self.skipped.count, self.skipped.places[:] = 0, []
        for k in range(kept.num_record_batches):
            record = kept.get_batch(k)
            note = record.column("note")[0].as_py()
            if note is not None:
                count, places = json.loads(note)
                self.skipped.count, self.skipped.places[:] = count, [RoundPlace(*place) for place in places]
                return
            yield _make_chunk({name: _read_column(record.column(name)) for name in (*ARRAYS, "names")}, record)
        raise BadData("the cache has no end: remove it", str(self.path))

    def __str__(self) -> str:
        return f"{super().__str__()}, kept in {self.path}"


def _write_labels(labels: Array) -> dict[str, Any]:
    """Labels as the columns that can hold them."""
    if labels.dtype.kind in "iu":
        return {"integers": labels.astype(np.int64, copy=False)}
    if labels.dtype.kind in "fb":
        return {"floats": labels.astype(np.float64)} if labels.dtype.kind == "f" else {"booleans": labels}
    names: dict[Any, int] = {}
    codes = np.empty(len(labels), np.int32)
    for t, label in enumerate(labels.tolist()):
        codes[t] = names.setdefault(label, len(names))
    coded = [None if name is None else name.encode("utf-8", "surrogateescape").decode("latin-1") for name in names]
    return {"codes": codes, "names": coded}


def _read_column(column: Any) -> Any:
    """What a record's column holds: an array where it lies, texts, or None."""
    if column.null_count:
        return None
    values = column.values
    if str(values.type) == "large_string":
        return [
            None if text is None else text.encode("latin-1").decode("utf-8", "surrogateescape")
            for text in values.to_pylist()
        ]
    return values.to_numpy(zero_copy_only=str(values.type) != "bool")


def _make_chunk(parts: dict[str, Any], record: Any) -> Chunk:
    """The chunk of a record."""
    labels = next((parts[name] for name in ("integers", "floats", "booleans") if parts[name] is not None), None)
    if labels is None:
        names = np.empty(len(parts["names"]), object)
        names[:] = parts["names"]
        labels = names[parts["codes"]]
    values = parts["singles"] if parts["doubles"] is None else parts["doubles"]
    if parts["text"] is not None:
        spans = (parts["text"], parts["starts"], parts["lengths"], parts["keys"])
        _require_below(parts["which"], len(parts["starts"]))
        return Tokens(parts["indptr"], *spans, values, labels, parts["importance"], parts["which"])
    width, indices = record.column("width")[0].as_py(), parts["indices"]
    _require_below(indices, width)
    return Examples(parts["indptr"], indices, values, labels, width, parts["importance"])


def _require_below(numbers: Array | None, width: int) -> None:
    """Refuse numbers that are not below a width; a negative one is huge when read without its sign."""
    if numbers is not None and len(numbers) and int(numbers.view(np.uint32).max()) >= width:
        raise BadData("the cache is damaged: remove it")


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
    a, b = chunk.indptr[0], chunk.indptr[-1]
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
