"""Arrow, where pyarrow is installed: it maps a file into memory as it is, so whatever it points to must be checked."""

import io
from typing import Any

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.readers import arrow_files, parquet
from littlestone.readers import arrow_lists as lists

one = property_of("arrow")


def write(table: Any, stream: bool = False) -> bytes:
    """The table as an Arrow file, or as a stream."""
    import pyarrow as pa

    file = io.BytesIO()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def seeds() -> list[bytes]:
    import pyarrow as pa

    colours = pa.array(["red", "blue", None, "red"]).dictionary_encode()
    views = pa.array(["a text too long to lie in its view", "short", "x", "y"], pa.string_view())
    tables = [
        pa.table({"label": [1, 0, 1], "indices": [[1, 5], [], [3]], "values": [[1.0, 2.5], [], [-1.0]]}),
        pa.table({"age": [39, 17, None, 5], "colour": colours, "label": ["yes", "no", "no", "yes"]}),
        pa.table({"said": views, "on": pa.array([1, 2, None, 4], pa.date32()), "label": [True, False, True, True]}),
    ]
    return [write(table, stream) for table in tables for stream in (False, True)]


if __name__ == "__main__":
    hunt(one, seeds(), [parquet, lists, arrow_files])
