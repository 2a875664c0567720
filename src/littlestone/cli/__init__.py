"""The command line: the library's own verbs, and nothing of its own to learn.

Here are the group of commands and what they share: options, the data that these mean, learners by name, errors in
words. Results go to standard output, with `--json` as one JSON object; questions, progress and errors to standard
error. Exit status 0: fine; 1: data, instances or labels were refused; 2: wrong usage. Everything heavy is imported
when a command needs it, so that `--help` is immediate.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Literal, Self

import click

from littlestone import __version__
from littlestone.base.printed_text import PlainOutput, escape, find_terminal, quote
from littlestone.cli.flags import name_flags
from littlestone.cli.listing_options import FormatOption

COMMANDS = (
    "learn", "predict", "explain", "race", "learners", "certify", "sign", "verify",
    "convert-certificate", "rounds", "separable", "floor", "plan", "play", "experts", "atlas", "grade", "demo",
    "warm",
)  # fmt: skip
MANY_CLASSES = "Learn more than 100 classes even if they are more than a tenth of the rows read."
ON_ERROR = "Stop at a record that cannot be read, or skip and count it."
WIDE = 1000  # characters of a sentence about a command
LOWER = "lower/--no-lower"
HOMES = dict.fromkeys(("sign", "verify", "convert-certificate"), "certify")  # modules that are called otherwise


Command = Callable[..., Any]


class Commands(click.Group):
    """Commands, each imported when it is asked for; their own errors are messages, not tracebacks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"littlestone.cli.commands.{HOMES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as problem:
            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"{problem.message}{hint}", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the whole first sentence of what each does."""
        found = [(name, self.get_command(ctx, name)) for name in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(WIDE)) for name, one in found if one is not None])

    def main(self, *args: Any, **options: Any) -> Any:
        with escape_output():
            return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with exit_in_words("littlestone"):
            return super().invoke(ctx)


@contextmanager
def escape_output() -> Iterator[None]:
    """Let nothing that is written to standard output or standard error meanwhile act on a terminal."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        setattr(sys, name, stream and PlainOutput(stream))
    try:
        yield
    finally:
        for name in ("stdout", "stderr"):  # unless one was replaced because it is closed
            setattr(sys, name, find_terminal(getattr(sys, name)))


@contextmanager
def exit_in_words(speaker: str) -> Iterator[None]:
    """Turn errors of the library, and of files, into one line from `speaker` and an exit status."""
    from littlestone.base.errors import BadParameter, LittlestoneError

    try:
        yield
    except (LittlestoneError, OSError) as problem:
        if isinstance(problem, BrokenPipeError) and _is_output_closed():
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - nothing can be written any more, and there is no need to
            click.get_current_context().exit(128 + signal.SIGPIPE)
        what = escape(name_flags(str(problem)))
        if isinstance(problem, OSError) and problem.filename:
            what = f"{quote(problem.filename)}: {problem.strerror}"
        click.echo(f"{speaker}: {what}", err=True)
        click.get_current_context().exit(2 if isinstance(problem, BadParameter) else 1)
    except KeyboardInterrupt:
        click.get_current_context().exit(128 + signal.SIGINT)
    except MemoryError as problem:
        remedy = "with --bits N attributes are hashed into 2^N slots"
        click.echo(f"{speaker}: there is not enough memory ({escape(str(problem))}): {remedy}", err=True)
        click.get_current_context().exit(1)


def _is_output_closed() -> bool:
    """Whether what reads our standard output has gone, as `head` does."""
    import select

    try:
        asked = select.poll()
        asked.register(sys.stdout.fileno(), 0)
        return any(state & select.POLLERR for _, state in asked.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call on this system, or no output at all
        return False


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="littlestone")
def main() -> None:
    """Online learning with a guarantee."""


def option(
    help: str,
    type: Any = None,
    metavar: str | None = None,
    default: Any = None,
    name: str = "",
    cls: type[click.Option] | None = None,
) -> Any:
    """A field of a record of options, and what the option of the command line that fills it is.

    A field whose default is False is a flag, one whose default is () may come several times. The option is called as
    the field is, unless it has a `name` of its own; `cls` is what kind of option it is, if it is a special one.
    """
    about = {"help": help, "type": type, "metavar": metavar, "name": name}
    return field(default=default, metadata=about | ({"cls": cls} if cls else {}))


def takes_options(record: type) -> Callable[[Command], Command]:
    """Give a command the options of a record, its own before those it inherits."""
    own = vars(record)["__annotations__"]
    parts = sorted((part for part in fields(record) if part.metadata), key=lambda part: part.name not in own)

    def decorate(command: Command) -> Command:
        for part in reversed(parts):
            about: dict[str, Any] = dict(part.metadata)
            name = about.pop("name") or part.name.replace("_", "-")
            if part.default is False:
                about["is_flag"] = True
            elif part.default == ():
                about["multiple"] = True
            else:
                about |= {"default": part.default, "show_default": part.default is not None}
            command = click.option(f"--{name}", part.name, **about)(command)
        return command

    return decorate


def takes_json(command: Command) -> Command:
    """Give a command the option `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")(command)


@dataclass(frozen=True, kw_only=True)
class DataOptions:
    """How data are to be read, as it was typed."""

    kind: str | None = option(
        "The data's format, if it must not be guessed.", metavar="FORMAT", name="format", cls=FormatOption
    )
    label: str | None = option("The column of labels, by name or position.", metavar="COLUMN")
    types: tuple[str, ...] = option(
        "What a column holds: number, category, text, date or ignore.", None, "COLUMN=TYPE", ()
    )
    text: tuple[str, ...] = option(
        "A column that holds text, of which words are learned.", metavar="COLUMN", default=()
    )
    ignore: tuple[str, ...] = option("A column to leave out.", metavar="COLUMN", default=())
    keep: tuple[str, ...] = option("A column to keep; others but the label are left out.", metavar="COLUMN", default=())
    delimiter: str | None = option("What separates cells, if it is none of , ; and TAB.", metavar="CHARACTER")
    header: bool = option("The first record of a table names the columns, even if it looks like a row.", default=False)
    no_header: bool = option("The first record of a table is a row, not names of columns.", default=False)
    ngrams: int | None = option("Learn sequences of up to N words of a text too.", click.IntRange(1, 16), "N")
    lower: bool | None = option(
        "Read capital letters of a text as small ones (the default), or as they are.", name=LOWER
    )
    binarize: bool = option("Count every word or attribute that occurs as 1.", default=False)
    tf_idf: bool = option("Let words that many texts have count for less, by the texts learned before.", default=False)
    on_error: Literal["stop", "skip"] = option(ON_ERROR, click.Choice(["stop", "skip"]), default="stop")
    bits: int | None = option("Hash attributes into 2^BITS slots.", click.IntRange(1, 30))
    cross: tuple[str, ...] = option("Add products of two namespaces or columns.", metavar="A:B", default=())
    cache: bool = option("Keep what was parsed beside the data, for further passes.", default=False)
    expansion: int | None = option("Let compressed data grow to N times their size (200).", click.IntRange(1), "N")
    force: bool = option("Go on although columns, format or labels are not those of the model.", default=False)

    @classmethod
    def of(cls, options: dict[str, Any]) -> Self:
        """The record of those options that it has a field for."""
        return cls(**{part.name: options[part.name] for part in fields(cls) if part.name in options})

    @property
    def reader_options(self) -> dict[str, Any]:
        """The options of `read` that were typed, but for the format."""
        from littlestone.base.errors import require

        types = dict(_read_type(typed) for typed in self.types) | dict.fromkeys(self.text, "text")
        require(not (self.header and self.no_header), "--header and --no-header contradict each other")
        flags: dict[str, Any] = {"header": self.header} if self.header or self.no_header else {}
        flags |= ({"counts": False} if self.binarize else {}) | ({"tf_idf": True} if self.tf_idf else {})
        label = self.label
        if label is not None and label.lstrip("-").isdigit():
            flags["label"] = int(label)
        plain = {name: getattr(self, name) for name in ("label", "expansion", "delimiter", "ngrams", "lower")} | flags
        lists = {name: getattr(self, name) for name in ("cross", "ignore", "keep")} | {"types": types}
        typed = {name: value for name, value in plain.items() if value is not None}
        return typed | {name: value for name, value in lists.items() if value}

    def open(
        self,
        data: Iterable[str],
        labelled: bool | None = True,
        quiet: bool = False,
        once: bool = False,
        like: Any = None,
    ) -> Any:
        """The stream of rounds in these files; on a machine that has compiled nothing, say when it does unless `quiet`.

        What is played `once` is not copied to disk, even if it comes from standard input. Columns are those of a player
        or a schema (`like`): what was learned decides which they are.
        """
        from littlestone.base.errors import require
        from littlestone.compiled import FRESH, skip_scipy

        skip_scipy()
        if FRESH and not quiet:
            import_module("littlestone.cli.commands.warm").tell_compiling()
        from littlestone.readers.reading import read

        paths = list(data)
        options = self.reader_options | ({"cache": True} if self.cache else {})
        require("-" not in paths or sys.stdin is not None, "standard input is closed: there is nothing to read from -")
        require(bool(paths), "say which data: one or more files, or - for standard input")
        source = paths[0] if len(paths) == 1 else paths
        schema = getattr(like, "schema", like)
        if schema is not None:
            options["like"] = schema._replace(lenient=self.force)
        stream = read(source, self.kind, on_error=self.on_error, labelled=labelled, **options)
        if not quiet:
            _tell_columns(stream, like)
        if once:
            stream.forget()
        return stream

    def make_features(self, stream: Any) -> Any:
        """What reads the stream's attributes: hashed into 2^bits slots, or as its format wants it."""
        if self.bits is None:
            return stream.features()
        from littlestone.base.features import Crossed, Hashed

        hashed = Hashed(self.bits)
        if hasattr(stream, "make_features"):
            return stream.make_features(hashed)
        return Crossed(hashed, list(self.cross)) if self.cross else hashed  # of shards, which are opened elsewhere


def _read_type(typed: str) -> tuple[str, str]:
    """A column and what it holds."""
    from littlestone.base.errors import require

    column, equals, kind = typed.rpartition("=")
    require(bool(equals and column), f"--types takes COLUMN=TYPE, got {typed!r}")
    return column, kind


def _tell_columns(stream: Any, player: Any) -> None:
    """Say what is not as plain as that each column is matched by its name."""
    for note in stream.notes:
        click.echo(f"littlestone: {escape(name_flags(note))}", err=True)
    if stream.ignored:
        unknown = ", ".join(map(repr, stream.ignored))
        click.echo(f"littlestone: the model does not know these columns, which are ignored: {unknown}", err=True)
    features = getattr(player, "features", None)
    known = getattr(features, "names", getattr(features, "columns", ()))
    found = getattr(stream.features(), "names", ())
    if player is not None and getattr(player, "schema", player) is None and found and not known:
        click.echo("littlestone: the model is from before columns had names: they are matched by position", err=True)


def echo_json(record: Any) -> None:
    """Print a record as one JSON object."""
    click.echo(json.dumps(record, default=to_plain))


def to_plain(value: Any) -> Any:
    """A value that JSON does not know: numbers and arrays of NumPy become numbers, anything else text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
