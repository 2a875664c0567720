"""Certificates: any bytes are verified or refused in words, and the verifier in one file accepts nothing more.

An input begins with a byte that says of which rounds it is; its digest is made right before it is asked about.
"""

import json

from fuzz.harness import hunt
from fuzz.verifiers import dump, list_games, one_file
from littlestone.base import bound
from littlestone.base.bound import Certificate, _make_digest
from littlestone.base.errors import NotCertified
from littlestone.game import verify as checks


def one(data: bytes) -> bool:
    """Whether the bytes are a certificate that is true of the rounds that they name."""
    games = list_games()
    _, stream = games[data[0] % len(games) if data else 0]
    text = data[1:].decode("utf-8", "replace")
    try:
        ours = bool(checks.verify(Certificate.from_json(text), stream))
    except NotCertified:
        ours = False
    try:
        theirs = bool(one_file.verify(text, "game.rounds", dump(stream)))
    except (one_file.Refused, one_file.NotCovered, one_file.BadData):
        theirs = False
    assert ours or not theirs, "the one file accepts what the library refuses"
    return ours


def signed(data: bytes) -> bytes:
    """The same certificate under the digest of what it says, where it is one."""
    try:
        record = json.loads(data[1:])
        record.pop("digest")
        return data[:1] + json.dumps(record | {"digest": _make_digest(record)}).encode()
    except (ValueError, AttributeError, KeyError, RecursionError):
        return data


def seeds() -> list[bytes]:
    honest = [bytes([place]) + text.encode() for place, (text, _) in enumerate(list_games())]
    forged = honest[0].replace(b'"mistakes": ', b'"mistakes": 1')
    return [*honest, signed(forged), b"", b"\0" + b"[" * 5000, b'\0{"bound": ' + b"1" * 5000 + b"}"]


if __name__ == "__main__":
    hunt(one, seeds(), [bound, checks, one_file], signed)
