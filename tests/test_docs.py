"""What the README and the pages say is what the code does."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    ("block", "shown"), re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", README, re.DOTALL)
)
def test_the_readmes_python_runs_as_pasted_and_prints_what_is_shown(block, shown, capsys):
    exec(compile(block, "README.md", "exec"), {"ls": __import__("littlestone")})
    printed = capsys.readouterr().out
    assert printed == shown or not shown


def test_the_readmes_values_are_those_it_prints():
    for expression, value in re.findall(r"^(ls\..*?)\s{2,}# .*?(\(\d+, \d+\)|\d+)$", README, re.MULTILINE):
        assert str(eval(expression, {"ls": __import__("littlestone")})) == value
    assert len(re.findall(r"^ls\.", README, re.MULTILINE)) >= 2


@pytest.mark.parametrize("command", re.findall(r"^    \.venv/bin/littlestone (play .*)$", README, re.MULTILINE))
def test_the_readmes_commands_run(command):
    from littlestone.cli import main

    answers = "y\nn\ny\nn\nq\nq\n"
    result = CliRunner().invoke(main, shlex.split(command), input=answers)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("block", re.findall(r"```console\n(.*?)```", README, re.DOTALL))
def test_the_readmes_first_screen_works_as_pasted(block, tmp_path):
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "littlestone").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m littlestone.cli "$@"\n')
    (folder / "littlestone").chmod(0o755)
    for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout or command.startswith("printf")


def test_every_learner_stands_in_the_readmes_table():
    from littlestone import learners

    missing = [make.__name__ for make in learners.ALL if f"`{make.__name__}`" not in README]
    assert not missing


def test_the_pages_made_from_docstrings_are_up_to_date():
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs" / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    for folder, title in build.PAGES.items():
        assert (ROOT / "docs" / f"{folder}.md").read_text() == build.page(folder, title), "run make docs"
