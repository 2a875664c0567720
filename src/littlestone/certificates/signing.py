"""Who says it, beside whether it is true: a certificate in a DSSE envelope, as the predicate of an in-toto statement.

The envelope holds the certificate and signatures of it. A signature says nothing of the truth, so what is signed is
verified against its data as any other certificate is. `securesystemslib` signs and checks; keys are PEM files, of the
kinds that it knows (Ed25519, ECDSA, RSA).
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from littlestone.base.errors import BadData, NotCertified, require

PAYLOAD = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:littlestone:certificate:2"
LARGEST = 2**16  # bytes of a key


def is_envelope(text: str) -> bool:
    """Whether a text is a signed certificate and not a plain one."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and {"payload", "payloadType", "signatures"} <= set(record)


def sign(certificate: str, key: str, password: bytes | None = None) -> str:
    """An envelope of a certificate, as JSON, with the signature of a private key.

    Args:
        certificate: The JSON of a certificate.
        key: The file of the private key, PEM.
        password: What the key is encrypted with, None if it is not.
    """
    crypto = _import_signer()
    try:
        private = crypto.load_private(_read_key(key), password)
        signer = crypto.signer(private)
    except (ValueError, TypeError, *crypto.unsupported) as problem:
        told = "it needs a password" if isinstance(problem, TypeError) and password is None else "or another password"
        raise BadData(f"{key} is no private key in PEM that signs, {told}") from None
    predicate = json.loads(certificate)
    subject = [{"name": "rounds", "digest": {"littlestoneRounds2": part}} for part in predicate["stream"].split()]
    statement = {"_type": STATEMENT, "subject": subject, "predicateType": PREDICATE, "predicate": predicate}
    envelope = crypto.envelope(json.dumps(statement, sort_keys=True).encode(), PAYLOAD, {})
    envelope.sign(signer)
    return json.dumps(envelope.to_dict(), sort_keys=True)


def open_envelope(text: str, key: str) -> tuple[str, str]:
    """The certificate in an envelope, as JSON, and the name of the key; refused unless that key signed it.

    Args:
        text: The JSON of an envelope.
        key: The file of the public key, PEM.
    """
    crypto = _import_signer()
    try:
        public = crypto.key(crypto.load_public(_read_key(key)))
    except (ValueError, TypeError, *crypto.unsupported):
        raise BadData(f"{key} is no public key in PEM that signatures can be checked with") from None
    require(is_envelope(text), "it is not signed: no envelope is around the certificate", NotCertified)
    try:
        envelope = crypto.envelope.from_dict(json.loads(text))
        envelope.verify([public], 1)
    except (crypto.unverified, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise NotCertified(f"the key {key} did not sign this") from None
    try:
        statement = json.loads(envelope.payload, object_pairs_hook=_read_object)
        kinds = (envelope.payload_type, statement["_type"], statement["predicateType"])
        require(kinds == (PAYLOAD, STATEMENT, PREDICATE), f"what is signed is no certificate: {kinds}", NotCertified)
        certificate = statement["predicate"]
        parts = [subject["digest"]["littlestoneRounds2"] for subject in statement["subject"]]
        require(" ".join(parts) == certificate["stream"], "its subject are other rounds", NotCertified)
    except (ValueError, LookupError, TypeError, RecursionError):
        raise NotCertified("what is signed is no statement about a certificate") from None
    return json.dumps(certificate, sort_keys=True), str(public.keyid)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len(dict(pairs)) == len(pairs), "what is signed says something twice", NotCertified)
    return dict(pairs)


class _Signer:
    """What is used of `securesystemslib` and of `cryptography`, which comes with it."""

    def __init__(self) -> None:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
        from securesystemslib.dsse import Envelope
        from securesystemslib.exceptions import Error

        keys: Any = import_module("securesystemslib.signer")
        self.load_private = load_pem_private_key
        self.load_public = load_pem_public_key
        self.envelope = Envelope
        self.signer = keys.CryptoSigner
        self.key = keys.SSlibKey.from_crypto
        self.unverified = Error
        self.unsupported = (UnsupportedAlgorithm, Error)


def _import_signer() -> Any:
    try:
        return _Signer()
    except ImportError:
        raise BadData("signatures need a package: pip install 'littlestone[sign]'") from None


def _read_key(path: str) -> bytes:
    """The bytes of a file that may be a key."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as problem:
        raise BadData(f"{path} cannot be read: {problem.strerror}") from None
    require(len(data) <= LARGEST, f"{path} has more than {LARGEST:,} bytes: it is no key", BadData)
    return data
