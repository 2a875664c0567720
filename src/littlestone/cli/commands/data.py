"""What every command that reads data shares: its options, the stream they mean, and the learner that was named."""

from collections.abc import Callable, Iterable
from typing import Any

import click

Command = Callable[..., Any]

OPTIONS = (
    click.option("--format", "kind", metavar="FORMAT", help="The data's format, if it must not be guessed."),
    click.option("--label", metavar="COLUMN", help="The column of labels, by name or position."),
    click.option("--on-error", type=click.Choice(["stop", "skip"]), default="stop", show_default=True,
                 help="Stop at a record that cannot be read, or skip and count it."),
    click.option("--bits", type=click.IntRange(1, 30), help="Hash attributes into 2^BITS slots."),
    click.option("--cross", multiple=True, metavar="A:B", help="Add products of two namespaces or columns."),
    click.option("--cache", is_flag=True, help="Keep what was parsed beside the data, for further passes."),
)  # fmt: skip


def reads_data(command: Command) -> Command:
    """The options of a command that reads data."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")(command)


def opened(data: Iterable[str], given: dict[str, Any], labelled: bool = True) -> Any:
    """The stream that the options mean."""
    from littlestone.base.errors import require
    from littlestone.compiled import FRESH, lean

    lean()
    if FRESH and not given.get("quiet"):
        click.echo("littlestone: compiling for this machine, which takes a few seconds once", err=True)
    from littlestone.readers.reading import read

    paths = list(data)
    require(bool(paths), "say which data: one or more files, or - for standard input")
    options: dict[str, Any] = {"cache": True} if given.get("cache") else {}
    label = given.get("label")
    if label is not None:
        options["label"] = int(label) if label.lstrip("-").isdigit() else label
    if given.get("cross"):
        options["cross"] = given["cross"]
    source = paths[0] if len(paths) == 1 else paths
    return read(source, given.get("kind"), on_error=given.get("on_error", "stop"), labelled=labelled, **options)


def learner_named(text: str, settings: Iterable[str] = ()) -> Any:
    """The learner that was typed: `winnow`, `perceptron:margin=1`, `network:winnow`; `settings` are name=value."""
    from littlestone import learners
    from littlestone.base.errors import require
    from littlestone.cli.names import build

    for setting in settings:
        require("=" in setting, f"--set takes name=value, got {setting!r}")
    name, _, rest = text.partition(":")
    if name == "network":
        inner = rest or "averaged-perceptron"
        own = [setting for setting in settings if setting.startswith("updates=")]
        unit = learner_named(inner, [setting for setting in settings if setting not in own])
        plain = not own and not isinstance(unit, _additive())
        return build(learners.ALL, ":".join(["network", *(own or (["updates=each"] if plain else []))]), "learner",
                     {"learner": lambda: unit})  # fmt: skip
    parts = [part for part in (rest, *settings) if part]
    typed = name + (":" + ",".join(parts) if parts else "")
    return build([kind for kind in learners.ALL if kind.__name__ != "Network"], typed, "learner")


def _additive() -> type:
    from littlestone.learners.shared.linear import Linear

    return Linear


def features_for(stream: Any, bits: int | None) -> Any:
    """What reads the stream's attributes: hashed into so many bits, or as its format wants it."""
    if bits is None:
        return stream.features()
    from littlestone.base.features import Hashed
    from littlestone.readers.reading import crossed

    return crossed(Hashed(bits), getattr(stream, "cross", ()))


def plain(value: Any) -> Any:
    """A value that JSON does not know: numbers and arrays of NumPy are numbers, whatever else is text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def short(learner: Any) -> str:
    """A learner with those of its parameters that are not the usual ones."""
    from dataclasses import MISSING, fields

    parts = ((part, getattr(learner, part.name)) for part in fields(learner))
    told = [f"{part.name}={value}" for part, value in parts if part.default is MISSING or part.default != value]
    return f"{type(learner).__name__}({', '.join(told)})"
