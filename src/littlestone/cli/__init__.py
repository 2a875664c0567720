"""The command line: the library's own verbs, and nothing of its own to learn.

Results go to standard output, with `--json` as one JSON object; questions, progress and errors to standard error.
Exit status 0: fine; 1: data, instances or labels were refused; 2: wrong usage. Everything heavy is imported when a
command needs it, so that `--help` is immediate.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from littlestone import __version__

COMMANDS = ("learn", "predict", "explain", "race", "certify", "verify", "separable", "plan", "play", "experts", "demo")
HOMES = {"verify": "certify"}  # modules of commands, where they are called otherwise


class Commands(click.Group):
    """Commands, each imported when it is asked for; their own errors are messages, not tracebacks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"littlestone.cli.commands.{HOMES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        with exit_in_words("littlestone"):
            return super().invoke(ctx)


@contextmanager
def exit_in_words(speaker: str) -> Iterator[None]:
    """Turn errors of the library, and of files, into one line from `speaker` and an exit status."""
    from littlestone.base.errors import BadParameter, LittlestoneError

    try:
        yield
    except (LittlestoneError, OSError) as problem:
        what = (
            f"{problem.filename}: {problem.strerror}" if isinstance(problem, OSError) and problem.filename else problem
        )
        click.echo(f"{speaker}: {what}", err=True)
        click.get_current_context().exit(2 if isinstance(problem, BadParameter) else 1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="littlestone")
def main() -> None:
    """Online learning with a guarantee."""
