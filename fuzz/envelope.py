"""Envelopes: any bytes are opened to the certificate that was signed, or refused in words."""

import tempfile
from functools import cache
from pathlib import Path

from fuzz.harness import hunt
from fuzz.verifiers import list_games
from littlestone.base.errors import NotCertified
from littlestone.certificates import signing


@cache
def make_keys() -> tuple[str, str]:
    """The files of a private key and of the public one that belongs to it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

    private, folder = Ed25519PrivateKey.from_private_bytes(bytes(range(32))), Path(tempfile.mkdtemp())
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "key").write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "key.pub").write_bytes(public)
    return str(folder / "key"), str(folder / "key.pub")


def one(data: bytes) -> bool:
    """Whether the bytes are an envelope that our key signed: then what it holds is what was signed."""
    try:
        text, _ = signing.open_envelope(data.decode("utf-8", "replace"), make_keys()[1])
    except NotCertified:
        return False
    assert text in (certificate for certificate, _ in list_games())
    return True


def seeds() -> list[bytes]:
    honest = signing.sign(list_games()[0][0], make_keys()[0])
    payload = b'{"payload": "%s", "payloadType": "application/vnd.in-toto+json", "signatures": [%s]}'
    return [
        honest.encode(),
        honest.replace('"sig": "', '"sig": "A').encode(),
        payload % (b"W1tb", b""),
        payload % (b"not base64", b'{"keyid": 1, "sig": null}'),
        b"[" * 5000,
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [signing])
