"""Write below each Python block and each command of a page what it printed: `python docs/refill.py PAGE`.

Blocks of a page run one after another, in an empty folder. A block that draws is followed by its picture instead. In
blocks of a `console`, lines that begin with `$ littlestone` are run and what follows them is replaced; those that begin
with `$ printf`, or that have a pipe or write a file, are run by a shell.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"```python\n(.*?)```\n(\n```\n.*?```\n)?|```console\n(.*?)```\n", re.DOTALL)


def refill(text):
    """The page with what its blocks print."""
    names = {}

    def run(found):
        if found[3] is not None:
            return f"```console\n{''.join(map(run_command, list_commands(found[3])))}```\n"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(found[1], "page", "exec"), names)
        shown = f"\n```\n{printed.getvalue()}```\n" if printed.getvalue() else ""
        return f"```python\n{found[1]}```\n{shown}"

    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return BLOCK.sub(run, text)
        finally:
            os.chdir(here)


def list_commands(block):
    """Each command of a console with what stands below it."""
    return re.findall(r"^\$ [^\n]*\n(?:(?!\$ )[^\n]*\n)*", block, re.MULTILINE)


def run_command(command):
    """A command of ours and what it prints; any other one as it stands."""
    from click.testing import CliRunner

    from littlestone.cli import main

    line = command.split("\n")[0]
    if line.startswith("$ printf ") or (line.startswith("$ littlestone ") and {"|", ">"} & set(line.split())):
        return f"{line}\n{run_in_shell(line[2:])}"
    if not line.startswith("$ littlestone "):
        return command
    result = CliRunner().invoke(main, shlex.split(line)[2:])
    if result.exit_code:
        raise SystemExit(f"{line}: {result.output}{result.exception or ''}")
    return f"{line}\n{result.stdout}"


def run_in_shell(line):
    """What a line prints in a shell that finds the command."""
    with tempfile.TemporaryDirectory() as folder:
        command = Path(folder) / "littlestone"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m littlestone "$@"\n')
        command.chmod(0o755)
        found = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-c", line], env=found, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{line}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name).resolve()
        page.write_text(refill(page.read_text()))
        print(f"wrote {name}")
