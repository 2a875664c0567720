"""Container: named arrays and one JSON document in a safetensors file that a flipped bit cannot pass.

    8 bytes     how long the header is, little-endian
    header      JSON, filled up with spaces to a multiple of 8:
                {"__metadata__":{"littlestone":"<document>"},"weights":{"dtype":"F64","shape":[..],"data_offsets":[..]}}
    data        the arrays, little-endian, rows first, without gaps, those of longer numbers before those of shorter

The document is a JSON object, written as a string. It starts with `sha256`, `format` and `needs`: the SHA-256 of the
whole file with these 64 digits taken as zeros, the number of the format, and the version of the library that reads it.
Any reader of safetensors can open the file. One that is being written never shows: it is written under another name,
forced to the disk, and then renamed. Reading allocates what the file's own length allows, and executes nothing.
"""

import hashlib
import json
import os
import stat
from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.base.errors import BadModel
from littlestone.base.files import replace
from littlestone.game.saving.plain import parse_json, write_json

# formats: with all entries of arrays, or without those of some that are as at the start
PLAIN = 1
SPARSE = 2
READS = {PLAIN: "0.1.0", SPARSE: "0.2.0"}  # the first version of the library that reads a format
HEAD = b'{"__metadata__":{"littlestone":"{\\"sha256\\":\\"'  # how every header starts
DIGITS = 64
ZEROS = b"0" * 64
LONGEST = 100_000_000  # bytes of a header: the limit of the safetensors library itself
PIECE = 1 << 20  # bytes read at once
TYPES = {
    "F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U64": "<u8", "U32": "<u4",
    "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in TYPES.items()}
KINDS = {
    b"PK\x03\x04": "a zip archive",
    b"\x93NUMPY": "a NumPy array",
    b"\x1f\x8b": "a gzip file",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
}

Arrays = Mapping[str, NDArray[Any]]


def is_container(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as one that was saved."""
    with open(path, "rb") as file:
        return file.read(8 + len(HEAD))[8:] == HEAD


class Place(NamedTuple):
    """Where an array lies in the data of a file."""

    kind: np.dtype[Any]
    shape: tuple[int, ...]
    first: int
    end: int


def write(
    path: str | os.PathLike[str],
    document: Mapping[str, Any],
    arrays: Arrays,
    check: Callable[[dict[str, Any], dict[str, NDArray[Any]]], Any] = lambda document, arrays: None,
) -> None:
    """Write a file, all of it or nothing; equal documents and arrays give equal bytes.

    It is read back, and `check` is called with what was read, before it takes the place of another one. What was read
    has the digest of what was written, so the arrays themselves are handed on, and there are not two of them.
    """
    header, parts = _lay_out(document, arrays)
    digest = hashlib.sha256(header)
    for part in parts:
        digest.update(part)
    at = 8 + len(HEAD)
    signed = header[:at] + digest.hexdigest().encode() + header[at + DIGITS :]

    def read_back(draft: Path) -> None:
        try:
            with draft.open("rb") as file:
                if file.read(len(signed)) != signed:
                    raise BadModel("is not what was written")
                file.seek(0)
                check(*_read(file, dict(zip(sorted(arrays, key=_find_rank(arrays)), parts, strict=True))))
        except BadModel as problem:
            kept = f"{os.fspath(path)} was not written, and is what it was before"
            raise BadModel(f"{kept}: the file that would take its place {problem}") from None

    replace(path, [signed, *parts], read_back)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The document and the arrays of a file; BadModel, with the name of the file, if anything is wrong with it."""
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            return _read(file)
    except BadModel as problem:
        raise BadModel(f"{os.fspath(path)} {problem}") from None
    except FileNotFoundError:
        raise BadModel(f"{os.fspath(path)} does not exist") from None
    except IsADirectoryError:
        raise BadModel(f"{os.fspath(path)} is a folder, not a model file") from None
    except OSError as problem:
        raise BadModel(f"{os.fspath(path)} cannot be read: {problem.strerror}") from None


def _open_without_waiting(path: str, flags: int) -> int:
    """Open without waiting for a writer, should it be a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _lay_out(document: Mapping[str, Any], arrays: Arrays) -> tuple[bytes, list[Any]]:
    """The header, its digest still zeros, and the bytes of the arrays in order."""
    number = SPARSE if "sparse" in document else PLAIN
    start = f'"sha256":"{ZEROS.decode()}","format":{number},"needs":"{READS[number]}",'
    try:
        words = "{" + start + write_json(document).removeprefix("{")
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadModel(f"what is kept with a player must be JSON: {problem}") from None
    pieces = [f'"__metadata__":{{"littlestone":{json.dumps(words)}}}']
    parts: list[Any] = []
    end = 0
    for name in sorted(arrays, key=_find_rank(arrays)):
        array = arrays[name]
        kind = NAMES.get(array.dtype.newbyteorder("<"))
        if kind is None:
            raise BadModel(f"a model file has no room for an array of type {array.dtype}: {name}")
        whole = np.ascontiguousarray(array, TYPES[kind]).reshape(-1).view(np.uint8)
        first = end
        end = end + whole.size
        place = {"dtype": kind, "shape": list(array.shape), "data_offsets": [first, end]}
        pieces.append(f"{json.dumps(name)}:{json.dumps(place, separators=(',', ':'))}")
        parts.append(whole)
    header = ("{" + ",".join(pieces) + "}").encode("ascii")
    header += b" " * (-len(header) % 8)
    if len(header) > LONGEST:
        raise BadModel(f"a model file's header holds {LONGEST} bytes; this one would take {len(header)}")
    return len(header).to_bytes(8, "little") + header, parts


def _find_rank(arrays: Arrays) -> Callable[[str], tuple[int, str]]:
    """By what arrays are put in order: longer numbers first."""
    return lambda name: (-arrays[name].dtype.itemsize, name)


def _read(file: BinaryIO, known: Arrays | None = None) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The document and the arrays of a file; the bytes of arrays that are known are not read again."""
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        raise BadModel("is not a regular file")
    header = _read_header(file, about.st_size)
    _verify(file)
    table = parse_json(header)
    if not isinstance(table, dict):
        raise BadModel("has a header that is no JSON object")
    document = _read_document(table.pop("__metadata__", None))
    file.seek(8 + len(header))
    arrays = {}
    for name, place in _list_places(table, about.st_size - 8 - len(header)):
        room: Any = known[name] if known else np.empty(place.end - place.first, np.uint8)
        if not known and file.readinto(room) != room.size:  # type: ignore[attr-defined]
            raise BadModel("became shorter while it was read")
        if place.kind == np.bool_ and room.max(initial=0) > 1:
            raise BadModel(f"is inconsistent: array {name} holds {room.max()} where true or false belongs")
        kind = place.kind.newbyteorder("=")
        arrays[name] = room.view(place.kind).astype(kind, copy=False).reshape(place.shape)
    return document, arrays


def _read_header(file: BinaryIO, size: int) -> bytes:
    """The header, if this looks like a file of ours."""
    start = file.read(8 + len(HEAD))
    length = int.from_bytes(start[:8], "little")
    if start[8:] != HEAD:
        raise BadModel(_describe_other_kind(start, size))
    if length > LONGEST or length > size - 8 or length < len(HEAD) + DIGITS:
        cut = f"its header should have {length} bytes, but only {size - 8} follow" if length <= LONGEST else "no header"
        raise BadModel(f"is damaged or cut short: {cut}")
    return HEAD + file.read(length - len(HEAD))


def _describe_other_kind(start: bytes, size: int) -> str:
    if size == 0:
        return "is empty, not a model file"
    if HEAD.startswith(start[8:]) and len(start) > 8:
        return f"is cut short: it ends after {size} bytes"
    for magic, kind in KINDS.items():
        if start.startswith(magic):
            return f"is {kind}, not a model file"
    if start[8:9] == b"{":
        return "is a safetensors file that littlestone did not write, or a damaged one"
    readable = all(byte in b"\t\r\n" or 32 <= byte < 127 for byte in start)
    return "is text, not a model file" if readable else "is not a model file, or damaged in its first bytes"


def _verify(file: BinaryIO) -> None:
    """Compare the digest of the file with the one it states."""
    file.seek(0)
    at = 8 + len(HEAD)
    digest = hashlib.sha256(file.read(at))
    stated = file.read(DIGITS)
    digest.update(ZEROS)
    while piece := file.read(PIECE):
        digest.update(piece)
    if digest.hexdigest().encode() != stated:
        raise BadModel("is damaged or cut short: its contents do not have the SHA-256 that it states")


def _read_document(metadata: Any) -> dict[str, Any]:
    """The document, if it is of a format that this version reads."""
    words = metadata.get("littlestone") if isinstance(metadata, dict) and len(metadata) == 1 else None
    document = parse_json(words) if isinstance(words, str) else None
    if not isinstance(document, dict) or type(document.get("format")) is not int:
        raise BadModel("has no document that says what it holds")
    number = document["format"]
    needs = document.get("needs")
    if number not in READS:
        newest = max(READS)
        remedy = f"littlestone {needs} or later reads it; this one reads" if number > newest else "this version reads"
        raise BadModel(f"is of format {number}: {remedy} formats up to {newest}")
    return document


def _list_places(table: dict[str, Any], size: int) -> list[tuple[str, Place]]:
    """Where each array lies, in order; together they must fill the data exactly."""
    places = sorted(((name, _read_place(name, entry)) for name, entry in table.items()), key=lambda pair: pair[1][2:])
    reached = 0
    for name, place in places:
        if place.first != reached or place.end - place.first != prod(place.shape) * place.kind.itemsize:
            raise BadModel(f"is inconsistent: array {name} does not lie where its shape needs it")
        reached = place.end
    if reached != size:
        raise BadModel(f"is inconsistent: its arrays take {reached} bytes, and {size} follow the header")
    return places


def _read_place(name: str, entry: Any) -> Place:
    try:
        kind, shape, (first, end) = np.dtype(TYPES[entry["dtype"]]), tuple(entry["shape"]), entry["data_offsets"]
        numbers = (*shape, first, end)
        if all(type(number) is int and 0 <= number < 2**48 for number in numbers) and len(shape) <= 8:
            return Place(kind, shape, first, end)
    except (KeyError, TypeError, ValueError):
        pass
    raise BadModel(f"is inconsistent: array {name} is not described as safetensors are")
