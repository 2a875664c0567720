"""Rounds files: any bytes are read into rounds that are written again as they were, or refused in words.

The verifier in one file reads the same lines, or refuses them too.
"""

import tempfile
from pathlib import Path

from fuzz.harness import hunt
from fuzz.verifiers import one_file
from littlestone.base.errors import BadData
from littlestone.certificates import rounds
from littlestone.certificates.rounds import RoundsFile, list_lines


def one(data: bytes) -> bool:
    """Whether the bytes are rounds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.rounds")
        path.write_bytes(data)
        try:
            lines = [line for chunk in RoundsFile(path).chunks() for line in list_lines(chunk)]
        except BadData:
            lines = None
    try:
        read = one_file.read_lines(data) if data.startswith(b"littlestone rounds ") else None
    except (one_file.BadData, one_file.Refused, *one_file.MALFORMED):
        read = None
    if lines is None or read is None:
        return False
    assert len(read) == len(lines)
    again = one_file.read_lines("\n".join([rounds.FIRST, *lines, ""]).encode())
    for before, after in zip(read, again, strict=True):
        assert (repr(before.label), repr(before.entries)) == (repr(after.label), repr(after.entries))
    return True


def seeds() -> list[bytes]:
    first = b"littlestone rounds 2\n"
    return [
        first + b'"yes"\t3:1 7:13421773p-27\n-1\t0:3 2:0\n0.5\t0:1 1:nan\n',
        first + b"true\t=[1,2]\nfalse\t=[0,[3,1]]\n",
        first + b'"\\u00e9"\t0:1p-1074 2147483646:-1p1023\n',
        first + b"1\t0:0p30000000000\n1\t0:1p99999\n1\t-1:1\nnull\t\n[[1]]\t0:1\n1e999\t0:1\n",
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [rounds])
