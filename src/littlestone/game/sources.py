"""Sources: whatever holds rounds, as a stream: a file, several, a pipe, or a frame in memory.

>>> import pandas
>>> stream = read(pandas.DataFrame({"size": [1.0, 2.0], "kind": ["a", "b"], "label": ["no", "yes"]}))
>>> [chunk.labels.tolist() for chunk in stream.chunks()]
[['no', 'yes']]
"""

import os
from typing import Any

import numpy as np

from littlestone.base.environment import Stream
from littlestone.base.errors import BadData, require
from littlestone.base.features.frames import is_frame
from littlestone.base.features.schema import KINDS, Schema
from littlestone.environments.recorded import Recorded
from littlestone.readers.reading import read as read_files
from littlestone.readers.source import is_source
from littlestone.readers.table.sniff import LABELS, find_column


def can_read(thing: Any) -> bool:
    """Whether `read` makes a stream of it."""
    return is_frame(thing) or is_source(thing)


def open_instances(source: Any, schema: Schema | None, **options: Any) -> Stream:
    """A stream of instances whose labels mean nothing: of a stream, a file, a frame, a matrix or a list of them.

    Tables are read as those of the schema, where there is one: what they have besides is left out, and with the option
    `lenient=True` what they lack counts as 0.
    """
    if isinstance(source, Stream):
        return source
    if options.pop("lenient", False) and schema is not None:
        schema = schema._replace(lenient=True)
    paths = isinstance(source, list | tuple) and source and all(isinstance(one, os.PathLike) for one in source)
    if isinstance(source, str | os.PathLike) or hasattr(source, "read") or paths:
        return read_files(source, **{"labelled": None, "like": schema} | options)
    types: dict[str, str] | None = None
    if is_frame(source) and schema is not None and schema.kinds:
        types = {name: kind for name, kind in schema.kinds if name in list(source.columns) and kind in KINDS}
        source = source[[name for name in source.columns if name in dict(schema.kinds)]]
    instances = source if hasattr(source, "shape") else list(source)
    rows = instances.shape[0] if hasattr(instances, "shape") else len(instances)
    stream = Recorded(instances, np.zeros(rows, np.int64), types=types)
    found = stream.schema()
    if schema is not None and found is not None:
        schema.require_like(found)
    return stream


def read(source: Any, format: Any = None, *, label: Any = None, **options: Any) -> Any:
    """A stream of rounds from a path, a glob, a list of paths, "-", a binary file, or a frame of pandas or polars.

    Args:
        source: Where the rounds are.
        format: The format's name, if it must not be guessed; a frame has none.
        label: The column of labels, by name or position. None: as the format has it; of a frame the one that is called
            label, class, target or y, otherwise the last one.
        options: Those of `littlestone.readers.reading.read` and of the format (`labelled`, `on_error`, `cache`,
            `cross`, `expansion`, `ngrams` and others); of a frame only `types` and `like`.
    """
    if not is_frame(source):
        return read_files(source, format, label=label, **options)
    types = options.pop("types", None)
    like = options.pop("like", None)
    wrong = ", ".join([*(["format"] if format is not None else []), *options])
    require(not wrong, f"a frame is read as it is: leave out {wrong}")
    names = [str(name) for name in source.columns]
    require(len(names) > 1, f"a frame needs an attribute and a label, got the columns {names}", BadData)
    usual = next((names.index(name) for name in LABELS if name in names), len(names) - 1)
    at = usual if label is None else find_column(label, names, "the label")
    rest = [name for j, name in enumerate(source.columns) if j != at]
    stream = Recorded(source[rest], source[source.columns[at]], types=types)
    found = stream.schema()
    if like is not None and found is not None:
        like.require_like(found)
    return stream
