"""Write the reference of the command line from the commands themselves: every command, argument and option."""

import re

import click

from littlestone.cli import COMMANDS, DataOptions, main

SHARED = "Options about data"
HEAD = """# The command line

Written from the commands themselves when the site was built; `littlestone COMMAND --help` shows the same.

Results go to standard output, with `--json` as one JSON object; questions, progress and errors to standard error. Exit
status 0: fine; 1: data, instances or labels were refused, or a certificate is false; 2: wrong usage; 128 and the
number of a signal: stopped by it, and what was learned is saved if `--model` was given."""


def write_commands():
    """Write the page: a section for each command, and one for the options about data that many of them have."""
    with click.Context(main, info_name="littlestone") as context:
        found = {name: main.get_command(context, name) for name in COMMANDS}
        shared = list_data_options(found["learn"])
        rows = [
            f"| [{name}](#littlestone-{name}) | {escape(one.get_short_help_str(1000))} |" for name, one in found.items()
        ]
        parts = [HEAD, "\n".join(["| command | what it does |", "|---|---|", *rows])]
        for name, command in found.items():
            parts += write_command(name, command, context, shared)
        parts += [f"## {SHARED}", "`learn`, `predict`, `race` and all others that link here take these too."]
        parts.append(write_options([option for option in found["learn"].params if option.name in shared], context))
    return "\n\n".join(parts) + "\n"


def list_data_options(command):
    """List the names of the options about data that a command has."""
    fields = set(DataOptions.__dataclass_fields__)
    return {option.name for option in command.params if option.name in fields}


def write_command(name, command, parent, shared):
    """List the parts of a command's section: its usage, what it does, examples, its own options."""
    context = click.Context(command, info_name=name, parent=parent)
    words, _, examples = (command.help or "").partition("\b")
    usage = " ".join(["littlestone", name, *command.collect_usage_pieces(context)])
    parts = [f"## littlestone {name}", f"```text\n{usage}\n```"]
    parts += [escape(" ".join(part.split())) for part in words.split("\n\n") if part.strip()]
    if examples:
        lines = "\n".join(line.strip() for line in examples.strip().splitlines())
        parts.append(f"```text\n{lines}\n```")
    options = [one for one in command.params if isinstance(one, click.Option)]
    reads = shared <= {one.name for one in options}
    own = [one for one in options if not (reads and one.name in shared)]
    parts.append(write_options(own, context))
    if reads:
        parts.append(f"And the [options about data](#{SHARED.lower().replace(' ', '-')}).")
    return parts


def write_options(options, context):
    """Write a table of options: how each is typed, and what it does."""
    rows = []
    for option in options:
        typed, words = option.get_help_record(context)
        rows.append(f"| `{typed.replace('|', ' or ')}` | {escape(' '.join(words.split()))} |")
    return "\n".join(["| option | what it does |", "|---|---|", *rows])


def escape(text):
    """Take their meaning from signs that mean something to Markdown, but for code between backticks."""
    pieces = re.sub(r"(?<!`)--[a-z][a-z-]*", lambda flag: f"`{flag[0]}`", text).split("`")
    return "`".join(piece if k % 2 else re.sub(r"([\\*_<>\[\]|])", r"\\\1", piece) for k, piece in enumerate(pieces))
