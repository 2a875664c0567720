"""The commands `certify` and `verify`: a certificate about a model and its data, and its check by exact arithmetic."""

from pathlib import Path
from typing import Any

import click

from littlestone.base.printed_text import quote
from littlestone.cli import DataOptions, echo_json, takes_json, takes_options

LARGEST = 2**28  # bytes of a certificate


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@click.option("--theorem", metavar="NAME", help="Part of a theorem's name, if it must not be the smallest bound.")
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
    from littlestone.game.model import read

    require_outputs({"--output": output}, [model, *data])
    player, about = read(model)
    stream = weigh_as_learned(about, DataOptions.of(options).open(data, like=player))
    certificate = find(player, stream, theorem)
    text = certificate.to_json()
    if output:
        replace(output, [text.encode()])
    click.echo(text if as_json else str(certificate) + (f"\n  written to {quote(output)}" if output else ""))


@click.command()
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False))
@click.argument("data", nargs=-1, required=True)
@takes_options(DataOptions)
@takes_json
def verify(certificate: str, data: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Check CERTIFICATE against DATA in exact arithmetic, with nothing of what made it; exit 1 if it is false.

    DATA are read as they were learned: columns by the names and types that the certificate has, with the same --bits
    and --cross, and for a run over shards each as a shard.
    """
    from littlestone.base.bound import Certificate
    from littlestone.base.errors import LittlestoneError, NotCertified, require
    from littlestone.base.features.schema import Schema
    from littlestone.cluster import list_shards
    from littlestone.game.verify import verify as check

    size = Path(certificate).stat().st_size
    require(size <= LARGEST, f"{certificate} has {size:,} bytes, a certificate at most {LARGEST:,}", NotCertified)
    try:
        claimed = Certificate.from_json(Path(certificate).read_text(encoding="utf-8"))
    except (LittlestoneError, ValueError, KeyError, TypeError) as problem:
        raise NotCertified(f"{certificate} is no certificate: {problem}") from None
    reads, mixed = DataOptions.of(options), "mixing" in claimed.learner
    known = None if claimed.columns is None else Schema.from_record(claimed.columns)
    stream = [reads.open([path], like=known) for path in list_shards(data)] if mixed else reads.open(data, like=known)
    report = check(claimed, stream, features=reads.make_features(stream) if reads.bits else None)
    if as_json:
        names = ("theorem", "counts", "counted", "bound", "rounds", "exact", "differing")
        echo_json({name: getattr(report, name) for name in names} | {"verified": True})
    else:
        click.echo(str(report))
