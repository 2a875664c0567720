"""Parquet, where pyarrow is installed: what it decodes without a word must still be well-formed."""

import io

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.readers import arrow_lists as lists
from littlestone.readers import parquet

one = property_of("parquet")


def seeds() -> list[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [
        pa.table({"label": [1, 0, 1], "indices": [[1, 5], [], [3]], "values": [[1.0, 2.5], [], [-1.0]]}),
        pa.table({"age": [39, 17, 5], "colour": ["red", "blue", "red"], "label": ["yes", "no", "yes"]}),
        pa.table({"label": [1.0, 2.0], "x": [0.5, None]}),
    ]
    files = []
    for table in tables:
        file = io.BytesIO()
        pq.write_table(table, file, compression="none")
        files.append(file.getvalue())
    return files


if __name__ == "__main__":
    hunt(one, seeds(), [parquet, lists])
