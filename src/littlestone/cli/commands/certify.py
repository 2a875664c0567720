"""The commands `certify`, `sign`, `verify` and `convert-certificate`: what is claimed, by whom, and its check."""

import tempfile
from pathlib import Path
from typing import Any

import click

from littlestone.base.printed_text import quote
from littlestone.cli import DataOptions, echo_json, takes_json, takes_options

LARGEST = 2**28  # bytes of a certificate
MOST_EXPERTS = 2**20  # whose forecasts a file of rounds may have


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@click.option(
    "--theorem",
    metavar="NAME",
    help="Part of a theorem's name, if it must not be the smallest bound; of a league: log loss, mistakes, or the "
    "floors choices and mixtures.",
)
@click.option("--output", type=click.Path(dir_okay=False), help="Write the certificate here (JSON).")
@takes_options(DataOptions)
@takes_json
def certify(
    model: str, data: tuple[str, ...], theorem: str | None, output: str | None, as_json: bool, **options: Any
) -> None:
    """Certify the mistakes of MODEL on DATA, the rounds it has learned: what was counted, and what a theorem allows.

    \b
    littlestone learn rows.svm --model m.lst
    littlestone certify m.lst rows.svm --output c.json
    littlestone verify c.json rows.svm
    """
    from littlestone.base.files import replace, require_outputs
    from littlestone.cli.commands.passes import weigh_as_learned
    from littlestone.game.certify import certify as find
    from littlestone.game.model import read_any
    from littlestone.game.player import Player

    require_outputs({"--output": output}, [model, *data])
    player, about = read_any(model)
    stream = DataOptions.of(options).open(data, like=player)
    if isinstance(player, Player):
        certificate = find(player, weigh_as_learned(about, stream), theorem)
    else:
        certificate = player.certificate(theorem or "log loss", stream=stream)
    text = certificate.to_json()
    if output:
        replace(output, [text.encode()])
    click.echo(text if as_json else str(certificate) + (f"\n  written to {quote(output)}" if output else ""))


@click.command()
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@click.option("--independent", is_flag=True, help="Ask the one-file verifier, which shares no code with this one.")
@click.option(
    "--signed-by", metavar="KEY", type=click.Path(exists=True, dir_okay=False),
    help="A public key (PEM) that must have signed CERTIFICATE, which `littlestone sign` wrote.",
)  # fmt: skip
@takes_options(DataOptions)
@takes_json
def verify(
    certificate: str, data: tuple[str, ...], independent: bool, signed_by: str | None, as_json: bool, **options: Any
) -> None:
    """Check CERTIFICATE against DATA in exact arithmetic, with nothing of what made it; exit 1 if it is false.

    DATA are read as they were learned: columns by the names and types that the certificate has, with the same --bits
    and --cross, and for a run over shards each as a shard. --independent runs littlestone_verify.py in a process of its
    own, and littlestone_verify_more.py where that one says that it covers the learner: plain files it reads itself,
    others as `littlestone rounds` writes them; exit 2 if it does not cover them.
    """
    from littlestone.cluster import list_shards
    from littlestone.game.verify import verify as check

    (claimed, text, signer), reads = _open_certificate(certificate, signed_by), DataOptions.of(options)
    if independent:
        _verify_independently(text, claimed, data, reads, as_json, signer)
        return
    mixed = "mixing" in claimed.learner
    stream = [_open(claimed, [path], reads) for path in list_shards(data)] if mixed else _open(claimed, data, reads)
    report = check(claimed, stream, features=reads.make_features(stream) if reads.bits else None)
    if as_json:
        names = ("theorem", "counts", "counted", "bound", "rounds", "exact", "differing")
        echo_json({name: getattr(report, name) for name in names} | {"verified": True} | _tell_signer(signer))
    else:
        click.echo(str(report) + _name_signer(signed_by, signer))


@click.command("convert-certificate")
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@click.option("--output", type=click.Path(dir_okay=False), help="Write the certificate here (JSON).")
@takes_options(DataOptions)
@takes_json
def convert_certificate(
    certificate: str, data: tuple[str, ...], output: str | None, as_json: bool, **options: Any
) -> None:
    """Make of CERTIFICATE, of an earlier version, one of today's; it is verified against DATA before and after.

    \b
    littlestone convert-certificate old.json rows.svm --output new.json
    """
    from littlestone.base.files import replace, require_outputs
    from littlestone.game.convert import convert

    require_outputs({"--output": output}, [certificate, *data])
    claimed = _read_certificate(certificate)
    reads = DataOptions.of(options)
    stream = _open(claimed, data, reads)
    text = convert(claimed, stream, features=reads.make_features(stream) if reads.bits else None).to_json()
    if output:
        replace(output, [text.encode()])
    click.echo(f"written to {quote(output)}" if output and not as_json else text)


@click.command()
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False))
@click.option("--key", required=True, type=click.Path(exists=True, dir_okay=False), help="Your private key (PEM).")
@click.option("--password", is_flag=True, help="Ask for the password of the key.")
@click.option("--output", type=click.Path(dir_okay=False), help="Write the signed certificate here (JSON).")
@takes_json
def sign(certificate: str, key: str, password: bool, output: str | None, as_json: bool) -> None:
    """Sign CERTIFICATE: an envelope (DSSE, with an in-toto statement) that says who says it, beside whether it is true.

    \b
    littlestone sign c.json --key private.pem --output signed.json
    littlestone verify signed.json rows.svm --signed-by public.pem
    """
    from littlestone.base.files import replace, require_outputs
    from littlestone.certificates.signing import sign as make

    require_outputs({"--output": output}, [certificate, key])
    _, text, _ = _open_certificate(certificate, None)
    secret = click.prompt("Password", hide_input=True, err=True).encode() if password else None
    signed = make(text, key, secret)
    if output:
        replace(output, [signed.encode()])
    click.echo(f"written to {quote(output)}" if output and not as_json else signed)


def _read_certificate(path: str) -> Any:
    """The certificate of a file, refused if it is none."""
    return _open_certificate(path, None)[0]


def _open_certificate(path: str, signed_by: str | None) -> tuple[Any, str, str]:
    """The certificate of a file, its text, and the name of the key that signed it, if one must have."""
    from littlestone.base.bound import Certificate
    from littlestone.base.errors import LittlestoneError, NotCertified, require
    from littlestone.certificates.signing import is_envelope, open_envelope
    from littlestone.game.saving.container import is_container

    size = Path(path).stat().st_size
    signer = ""
    model = f"{quote(path)} is a model, no certificate: `learn --certify --certificate FILE` writes one"
    require(not is_container(path), model, NotCertified)
    require(size <= LARGEST, f"{path} has {size:,} bytes, a certificate at most {LARGEST:,}", NotCertified)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except ValueError as problem:
        raise NotCertified(f"{path} is no certificate: {problem}") from None
    if signed_by is not None:
        text, signer = open_envelope(text, signed_by)
    else:
        require(not is_envelope(text), f"{path} is signed: say by whom, verify --signed-by KEY", NotCertified)
    try:
        return Certificate.from_json(text), text, signer
    except (LittlestoneError, ValueError, KeyError, TypeError) as problem:
        raise NotCertified(f"{path} is no certificate: {problem}") from None


def _tell_signer(signer: str) -> dict[str, str]:
    return {"signed_by": signer} if signer else {}


def _name_signer(path: str | None, signer: str) -> str:
    return f"\n  signed by {quote(path)}, key {signer[:16]}" if path and signer else ""


def _open(claimed: Any, data: Any, reads: DataOptions) -> Any:
    """The rounds of files as the certificate's run read them, or of one file of rounds."""
    from littlestone.base.features.schema import Schema
    from littlestone.certificates.rounds import RoundsFile

    paths = list(data)
    if len(paths) == 1 and paths[0].endswith(".rounds"):
        experts = claimed.witness.get("experts") if isinstance(claimed.witness, dict) else None
        return RoundsFile(paths[0], experts if type(experts) is int and 0 < experts < MOST_EXPERTS else None)
    return reads.open(paths, like=None if claimed.columns is None else Schema.from_record(claimed.columns))


def _verify_independently(
    text: str, claimed: Any, data: tuple[str, ...], reads: DataOptions, as_json: bool, signer: str
) -> None:
    """Print what the one file says of the text of a certificate, and end with its exit status."""
    from littlestone.certificates.one_file import NOT_COVERED, READS, TRUE, Verdict, run_one_file
    from littlestone.certificates.rounds import write_rounds

    found = Verdict(NOT_COVERED, "")
    how = "it read the data itself"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        plain = Path(folder) / "data.rounds"
        path.write_text(text, encoding="utf-8")
        if len(data) == 1 and data[0].endswith(READS) and reads == DataOptions():
            found = run_one_file(str(path), data[0])
        if found.status == NOT_COVERED and "mixing" not in claimed.learner and not data[0].endswith(".rounds"):
            stream = _open(claimed, data, reads)
            with plain.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in write_rounds(stream, reads.make_features(stream)))
            found = run_one_file(str(path), str(plain))
            how = "the library read the data for it"
    if as_json:
        echo_json({"verified": found.status == TRUE, "line": found.line, "how": how} | _tell_signer(signer))
    else:
        how += f"; signed by key {signer[:16]}" if signer else ""
        click.echo(f"{found.line}; {how}" if found.line else "not covered here: a run over shards")
    click.get_current_context().exit(found.status)
