"""`sign`, and `verify --signed-by`: who says it, beside whether it is true."""

import base64
import json

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

import littlestone as ls
from littlestone.cli import main

ROWS = "".join(f"{1 if 3 * t % 7 > 2 else -1} 1:{3 * t % 7} 2:0.{t}5\n" for t in range(9))
PEM = Encoding.PEM


def run(*words, status=0, typed=None):
    """What a command did that must end with a status."""
    done = CliRunner().invoke(main, [str(word) for word in words], input=typed)
    assert done.exit_code == status, done.output
    return done


@pytest.fixture
def signed(tmp_path):
    """A folder with data, their certificate, a pair of keys and the certificate signed with them."""
    (tmp_path / "rows.svm").write_text(ROWS)
    (tmp_path / "c.json").write_text(ls.certify(ls.Perceptron(), ls.read(tmp_path / "rows.svm")).to_json())
    write_keys(tmp_path, "key", ed25519.Ed25519PrivateKey.generate())
    run("sign", tmp_path / "c.json", "--key", tmp_path / "key", "--output", tmp_path / "signed.json")
    return tmp_path


def write_keys(folder, name, private, how=None):
    """A private key in a file, and the public one beside it."""
    (folder / name).write_bytes(private.private_bytes(PEM, PrivateFormat.PKCS8, how or NoEncryption()))
    (folder / f"{name}.pub").write_bytes(private.public_key().public_bytes(PEM, PublicFormat.SubjectPublicKeyInfo))


def change(folder, edit):
    """The signed certificate with something changed."""
    record = json.loads((folder / "signed.json").read_text())
    edit(record)
    (folder / "changed.json").write_text(json.dumps(record))
    return folder / "changed.json"


def turn_payload(record, before, after):
    payload = base64.b64decode(record["payload"])
    assert before in payload
    record["payload"] = base64.b64encode(payload.replace(before, after)).decode()


def test_what_is_signed_is_verified_and_the_key_is_named(signed):
    key, data = signed / "key.pub", signed / "rows.svm"
    said = run("verify", signed / "signed.json", data, "--signed-by", key).output
    assert "verified over 9 rounds" in said
    assert "signed by" in said
    told = json.loads(run("verify", signed / "signed.json", data, "--signed-by", key, "--json").output)
    named = json.loads((signed / "signed.json").read_text())["signatures"][0]["keyid"]
    assert (told["verified"], told["signed_by"]) == (True, named)
    alone = run("verify", signed / "signed.json", data, "--signed-by", key, "--independent").output
    assert alone.startswith("true: ")
    assert "signed by key" in alone
    statement = json.loads(base64.b64decode(json.loads((signed / "signed.json").read_text())["payload"]))
    assert statement["predicate"] == json.loads((signed / "c.json").read_text())
    assert statement["subject"][0]["digest"] == {"littlestoneRounds2": statement["predicate"]["stream"]}


@pytest.mark.parametrize("edit", [
    lambda r: turn_payload(r, b'"rounds": 9', b'"rounds": 8'),
    lambda r: turn_payload(r, b'"bound"', b'"Bound"'),
    lambda r: r.update(payloadType="text/plain"),
    lambda r: r["signatures"][0].update(sig=base64.b64encode(bytes(64)).decode()),
    lambda r: r["signatures"][0].update(sig="no base64!"),
    lambda r: r["signatures"][0].update(keyid="0" * 64),
    lambda r: r.update(signatures=[]),
    lambda r: r.update(signatures=7),
    lambda r: r["signatures"].append(r["signatures"][0].copy()),
], ids=["payload", "word", "type", "signature", "no base64", "other key", "none", "number", "twice"])  # fmt: skip
def test_what_was_changed_is_refused(signed, edit):
    said = run("verify", change(signed, edit), signed / "rows.svm", "--signed-by", signed / "key.pub", status=1).output
    assert "did not sign" in said


def test_another_key_is_refused_whatever_it_calls_itself(signed):
    write_keys(signed, "other", ed25519.Ed25519PrivateKey.generate())
    write_keys(signed, "curve", ec.generate_private_key(ec.SECP256R1()))
    for name in ("other.pub", "curve.pub"):
        run("verify", signed / "signed.json", signed / "rows.svm", "--signed-by", signed / name, status=1)
    for name in ("key", "rows.svm"):  # a private key is no public one
        run("verify", signed / "signed.json", signed / "rows.svm", "--signed-by", signed / name, status=1)


def test_a_signature_makes_nothing_true(signed):
    """What is false is refused though it is signed, and what is signed is not taken for plain, nor plain for signed."""
    (signed / "other.svm").write_text(ROWS.replace("1:3", "1:4"))
    run("verify", signed / "signed.json", signed / "other.svm", "--signed-by", signed / "key.pub", status=1)
    assert "--signed-by" in run("verify", signed / "signed.json", signed / "rows.svm", status=1).output
    assert (
        "not signed"
        in run("verify", signed / "c.json", signed / "rows.svm", "--signed-by", signed / "key.pub", status=1).output
    )
    run("sign", signed / "signed.json", "--key", signed / "key", status=1)
    run("sign", signed / "rows.svm", "--key", signed / "key", status=1)


def test_keys_are_never_printed_and_may_have_a_password(signed):
    private = ec.generate_private_key(ec.SECP256R1())
    write_keys(signed, "locked", private, BestAvailableEncryption(b"open sesame"))
    lines = (signed / "locked").read_text().splitlines()[1:-1] + (signed / "key").read_text().splitlines()[1:-1]
    target = ("--output", signed / "locked.json")
    locked = ("sign", signed / "c.json", "--key", signed / "locked")
    asked = run(*locked, status=1).output
    wrong = run(*locked, "--password", typed="wrong\n", status=1).output
    right = run(*locked, "--password", *target, typed="open sesame\n").output
    plain = run("sign", signed / "c.json", "--key", signed / "key").output
    for said in (asked, wrong, right, plain):
        assert not any(line in said for line in lines)
        assert "sesame" not in said
    run("verify", signed / "locked.json", signed / "rows.svm", "--signed-by", signed / "locked.pub")


@pytest.mark.parametrize("text", [b"", b"no key\n", b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"])
def test_a_file_that_is_no_key_is_refused_in_words(signed, text):
    """Both ended in a TypeError: a tuple stood inside the tuple of an except clause."""
    (signed / "wrong").write_bytes(text)
    said = run("sign", signed / "c.json", "--key", signed / "wrong", "--output", signed / "x.json", status=1).output
    assert "wrong is no private key in PEM that signs" in said
    said = run("verify", signed / "signed.json", signed / "rows.svm", "--signed-by", signed / "wrong", status=1).output
    assert "wrong is no public key in PEM" in said


def test_keys_of_a_kind_that_does_not_sign_are_refused_in_words(signed):
    """A Diffie-Hellman key, and each half of a pair where the other one belongs."""
    write_keys(signed, "dh", x25519.X25519PrivateKey.generate())
    for name in ("dh", "key.pub"):
        done = run("sign", signed / "c.json", "--key", signed / name, "--output", signed / "x.json", status=1)
        assert f"{name} is no private key in PEM that signs" in done.output
    for name in ("dh.pub", "key"):
        done = run("verify", signed / "signed.json", signed / "rows.svm", "--signed-by", signed / name, status=1)
        assert f"{name} is no public key in PEM" in done.output
