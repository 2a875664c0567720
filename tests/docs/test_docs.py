"""What the README and the pages say is what the code does."""

import importlib.util
import re
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner

from places import ROOT

README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    ("block", "shown"), re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", README, re.DOTALL)
)
def test_the_readmes_python_runs_as_pasted_and_prints_what_is_shown(block, shown, capsys):
    exec(compile(block, "README.md", "exec"), {})
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
    (folder / "littlestone").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m littlestone "$@"\n')
    (folder / "littlestone").chmod(0o755)
    for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout or command.startswith("printf")


def test_every_block_of_the_readme_is_one_that_is_run():
    kinds = re.findall(r"^```(\w*)\n", README, re.MULTILINE)
    opened = [kind for kind in kinds if kind]
    assert set(opened) == {"python", "console"}
    run = len(re.findall(r"```python\n.*?```", README, re.DOTALL)) + len(
        re.findall(r"```console\n.*?```", README, re.DOTALL)
    )
    assert run == len(opened) >= 7


def test_the_quick_starts_install_line_brings_what_its_blocks_need():
    page = (ROOT / "docs" / "quickstart.md").read_text()
    assert ("ls.plot" in page) == ("pip install '.[plot]'" in page)


def test_every_learner_stands_in_the_readmes_table():
    from littlestone import learners

    missing = [make.__name__ for make in learners.ALL if f"`{make.__name__}`" not in README]
    assert not missing


def test_the_pages_made_from_docstrings_are_up_to_date():
    spec = importlib.util.spec_from_file_location("docstring_pages", ROOT / "docs" / "docstring_pages.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    for folder, title in build.PAGES.items():
        assert (ROOT / "docs" / f"{folder.rpartition('.')[2]}.md").read_text() == build.write_page(folder, title), (
            "run make docs"
        )


def test_the_command_line_page_has_every_command_and_every_option():
    import click

    from littlestone.cli import COMMANDS, main

    page = made("command_pages").write_commands()
    for name in COMMANDS:
        section = page.split(f"\n## littlestone {name}\n")[1].split("\n## ")[0]
        if "options about data](#" in section:
            section += page.split("\n## Options about data\n")[1]
        for option in main.get_command(click.Context(main), name).params:
            if isinstance(option, click.Option):
                assert f"`{option.opts[0]}" in section
            else:
                assert option.name.upper() in section
    assert "There are: svmlight, vw, text, snow, csv" in page


# --- the site ---------------------------------------------------------------------------------------------------------

RENDERED = ("learners", "concepts", "environments", "conversions")  # from docstrings, with their formulas
SITE = [
    "index.md",
    "quickstart.md",
    *(f"guide/{page.name}" for page in sorted((ROOT / "docs" / "guide").glob("*.md"))),
    "gallery.md",
    *(page.name for page in sorted((ROOT / "docs").glob("coming-from-*.md"))),
    *(f"course/{page.name}" for page in sorted((ROOT / "docs" / "course").glob("*.md"))),
    *(f"exercises/{page.name}" for page in sorted((ROOT / "docs" / "exercises").glob("*.md"))),
]


def made(name):
    """One of the modules that make the pages."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_of_exercises_are_those_of_the_exercises():
    pages = made("make_exercises")
    for path, number in pages.list_pages().items():
        kept = re.sub(r"(\$ littlestone grade [^\n]*\n).*?```", r"\1```", path.read_text(), flags=re.DOTALL)
        assert kept == pages.write_page(number), "run python docs/make_exercises.py"


def untimed(page):
    return re.sub(r"^ +took .*\n", "", page, flags=re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize("name", SITE)
def test_the_pages_blocks_and_commands_print_what_is_shown_below_them(name):
    page = (ROOT / "docs" / name).read_text()
    assert untimed(made("refill").refill(page)) == untimed(page), f"run python docs/refill.py docs/{name}"


def test_what_a_page_shows_is_compared_and_not_taken_over():
    page = "```python\nprint(1 + 1)\n```\n\n```\n3\n```\n\n```console\n$ littlestone --version\nold\n```\n"
    filled = made("refill").refill(page)
    assert "```\n2\n```" in filled
    assert "old" not in filled


def test_every_scene_stands_in_the_gallery_and_every_learner_has_a_portrait():
    from littlestone import learners
    from littlestone.plot import scenes

    page = (ROOT / "docs" / "gallery.md").read_text()
    drawn = {name.removeprefix("compose_") for name in vars(scenes) if name.startswith("compose_")}
    pictures = set(re.findall(r"gallery/(\w+)\.png", page))  # the band is that of a plane
    assert drawn == set(re.findall(r"ls\.plot\.(\w+)\(", page)) == pictures - {"band"}
    assert "band" in pictures
    assert set(made("portraits").MADE) == {make.__name__ for make in learners.ALL}


def test_the_site_leads_to_every_page_that_is_kept():
    index = (ROOT / "docs" / "index.md").read_text()
    pages = [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")]
    kept = {str(page) for page in pages if page.parts[0] not in {"generated", "decisions"}} - {"index", *RENDERED}
    led = set(re.findall(r"^([\w/.-]+)$", index, re.MULTILINE))
    assert {f"generated/{page}" for page in RENDERED} <= led
    assert {page for page in kept if not page.startswith("benchmark")} <= led


def test_docstrings_become_pages_without_a_sign_that_means_something_else(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    rendering = made("rendering")
    assert rendering.write_paragraph("Theorem (Bee 1999). If |u| < 1, `a*b`. Proof. *x* [y].") == (
        r"**Theorem (Bee 1999).** If {math}`\lvert u\rvert < 1\text{,}` `a*b`. **Proof.** \*x\* \[y\]."
    )
    assert rendering.write_paragraph("Theorem (with margin g). It is\n- one.") == (
        "**Theorem (with margin {math}`g`).** It is\n\\- one."
    )
    assert rendering.write_paragraph("    a <= b") == "```{math}\na \\le b\n```"
    assert rendering.write_paragraph("    one two") == "```text\n    one two\n```"
    assert rendering.write_paragraph(">>> 1") == "```pycon\n>>> 1\n```"
    assert rendering.write_paragraph("A. Bee. On |x|. C 1:2-3, 1999.") == r"A. Bee. On \|x\|. C 1:2-3, 1999."
    for authors in ("S. de Bee and W. M. Cee", "After N. Bee"):
        assert rendering.write_paragraph(f"{authors}. On rows. D 1:2-3, 1999.") == f"{authors}. On rows. D 1:2-3, 1999."


def test_docstrings_of_classes_keep_their_parameters(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    rendering = made("rendering")
    lines = ["At |x|, see `y`:", "", "    x <= 1", "", "    one", "", ">>> f()", "2"]
    rendering.convert_docstring(lines)
    shown = [r"At \|x\|, see ``y``:", "", ".. math::", "", r"    x \le 1", "", "::", "", "        one"]
    assert lines == [*shown, "", ">>> f()", "2", ""]
    lines = [
        "Go.",
        "",
        "Args:",
        "    rate: How |far|,",
        "        > 0.",
        "    bias: `c`.",
        "",
        "Returns:",
        "    One.",
        "    Two.",
    ]
    rendering.convert_docstring(lines)
    fields = [r":param rate: How \|far\|, \> 0.", ":param bias: ``c``.", "", ":returns: One. Two."]
    assert lines == ["Go.", "", *fields, ""]
