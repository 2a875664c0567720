"""Rendering: pages made from the code when the site is built: learners, folders, names, commands, every picture.

Module docstrings are plain text: paragraphs, formulas that are indented, and one doctest at the end. Formulas, also
those within sentences, become TeX where they are understood (`formulas`, `sentences`) and stay as they are elsewhere.
Python blocks of the gallery and the course are run as they stand; what a block leaves in `axes` becomes the picture
below it.
"""

import contextlib
import inspect
import io
import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import portraits
from command_pages import write_commands
from docstring_pages import PAGES, list_modules, name_module
from formulas import convert_block
from sentences import REFERENCE, convert_page, convert_sentence, keep_together

import littlestone
from littlestone import learners, plot
from littlestone.cli.commands.learners import find_group

BLOCKS = re.compile(r"```python\n(.*?)```(?:\n\n```\n[^`]*```)?(?:\n\n!\[.*?\]\((\S+?)\))?", re.DOTALL)
LEADS = re.compile(r"(^(?:Theorem|Lemma|Corollary)[^.\n]*\.|\bProof(?: of [^.\n]*)?\.)", re.MULTILINE)
SPECIAL = re.compile(r"([\\*_<>\[\]|])")
FORMAL_PAGES = {
    "atlas", "certificates", "errata", "experts", "feature-maps", "few-labels", "guarantees", "limits", "proofs",
    "regression", "tightness",
}  # fmt: skip

START = """# The learners

Each page is a module's docstring: the rule, the theorem with its constants, its proof, an example.

## Start here

- Rows, text or tables, any number of classes: [Logistic](learners/Logistic.md), the default.
- Labels that are numbers: [Ridge](learners/Ridge.md); for medians and quantiles
  [CoinRegression](learners/CoinRegression.md).
- A few of many yes-or-no attributes matter: [Winnow](learners/Winnow.md). Certificates in exact arithmetic:
  [Perceptron](learners/Perceptron.md).
- A finite class of concepts: [Halving](learners/Halving.md). Forecasts of others: [AdaHedge](learners/AdaHedge.md).

[Choosing a learner](../guide/choosing.md) says more, and `littlestone race` lets the data decide."""
GROUPS = {  # by what a learner learns from and what it promises
    "Chances of classes, from rows": lambda make, group: group == "rows" and make.forecasts,
    "Numbers, from rows": lambda make, group: group == "rows" and make.numeric,
    "Classes, from rows": lambda make, group: group == "rows" and not (make.forecasts or make.numeric),
    "Concepts of a finite class, and points": lambda make, group: group == "classes",
    "Advice of experts": lambda make, group: group == "experts",
}


def write_pages(docs):
    """Write everything under docs/generated."""
    made = docs / "generated"
    (made / "learners").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # blocks may write files
        for page in [docs / "index.md", docs / "gallery.md", *sorted((docs / "course").glob("*.md"))]:
            draw_pictures(page)
    for make in learners.ALL:
        scene = portraits.compose(make.__name__)
        picture = made / "learners" / f"{make.__name__}.png"
        if scene is not None:
            plot.draw(scene).figure.savefig(picture, dpi=110)
        _write_changed(picture.with_suffix(".md"), write_learner(make, scene))
    _write_changed(made / "learners.md", list_learners())
    for folder, title in PAGES.items():
        if folder != "learners":
            _write_changed(made / f"{folder.rpartition('.')[2]}.md", write_folder(folder, title))
    _write_changed(made / "api.md", write_api())
    _write_changed(made / "command-line.md", write_commands())


def mark_formulas(page, source):
    """Turn the formulas of a page that is about them into TeX, in place; what stands in the file stays plain text."""
    if page.startswith(("course/", "exercises/")) or page in FORMAL_PAGES:
        source[0] = convert_page(source[0])


def bundle_mathjax(static):
    """Copy MathJax, one script with its fonts in it, to where pages find it: they load nothing from other hosts."""
    package = find_spec("sphinx-mathjax-offline")
    shutil.copy(Path(package.origin).parent / "static" / "mathjax" / "tex-svg.js", static / "mathjax.js")


def draw_pictures(page):
    """Run a page's blocks one after another and save the pictures that stand below them."""
    names = {}
    for block, picture in BLOCKS.findall(page.read_text()):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, str(page), "exec"), names)
        if picture:
            target = page.parent / picture
            target.parent.mkdir(parents=True, exist_ok=True)
            names["axes"].figure.savefig(target, dpi=110)


def write_learner(make, scene):
    """Write a learner's page: its module's docstring, its picture, and its class."""
    parts = write_module(inspect.getmodule(make), "#")
    if scene is not None:
        parts.append(f"![{escape(scene.title)}]({make.__name__}.png)\n\n{escape(scene.words)}")
    parts.append(f"```{{eval-rst}}\n.. autoclass:: littlestone.{make.__name__}\n   :members:\n```")
    return "\n\n".join(parts) + "\n"


def write_folder(folder, title):
    """Write the page of a folder: a section for each of its modules."""
    parts = [f"# {title}"]
    for module in list_modules(folder):
        parts += write_module(module, "##")
    return "\n\n".join(parts) + "\n"


def write_module(module, level):
    """List the paragraphs of a module's docstring under its heading."""
    head, *rest = (module.__doc__ or "").strip().split("\n\n")
    idea = " ".join(head.split(":", 1)[1].split())
    return [f"{level} {name_module(module)}", f"*{escape(idea)}*", *(write_paragraph(part) for part in rest)]


def write_paragraph(text):
    """Write a paragraph of a docstring as Markdown: formulas in TeX, doctests as they stand, no special signs."""
    if text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if text.startswith("    "):
        tex = convert_block(text)
        return f"```text\n{text}\n```" if tex is None else f"```{{math}}\n{tex}\n```"
    if REFERENCE.match(text):
        return escape(text)
    pieces = text.split("`")
    pieces[::2] = [convert_sentence(piece, "{{math}}`{}`".format, escape) for piece in pieces[::2]]
    marked = "".join(f"`{piece}`" if k % 2 else piece for k, piece in enumerate(pieces))
    no_list = re.sub(r"^([-+]) ", r"\\\1 ", marked, flags=re.MULTILINE)  # a sign at the beginning of a line
    return keep_together(LEADS.sub(r"**\1**", no_list))


def escape(text):
    """Take their meaning from signs that mean something to Markdown, but for code between backticks."""
    pieces = text.split("`")
    return "`".join(piece if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))


def convert_docstring(lines):
    """Convert a docstring's lines for Sphinx, in place: mark formulas and parameters, and escape all other signs."""
    made = []
    for part in re.split(r"\n\s*\n", "\n".join(lines)):
        if part.lstrip().startswith(">>>"):
            made += ["", *part.splitlines()]
        elif part.startswith(("Args:\n", "Returns:\n")):
            made += ["", *_list_fields(part)]
        elif part.startswith(" "):
            tex = convert_block(part)
            body = part if tex is None else tex
            made += ["", "::" if tex is None else ".. math::", "", *("    " + line for line in body.splitlines())]
        else:
            made += ["", *_escape_restructured(part).splitlines()]
    lines[:] = [*made[1:], ""]


def _list_fields(section):
    """List the fields of a section of parameters, or of what is returned, as Sphinx writes them."""
    title, *lines = section.splitlines()
    entries = []
    for line in lines:
        if line.startswith(" " * 8) and entries:
            entries[-1] += " " + line.strip()
        elif line.strip():
            entries.append(line.strip())
    if title == "Returns:":
        return [":returns: " + _escape_restructured(" ".join(entries))]
    named = [entry.split(":", 1) for entry in entries]
    return [f":param {name}: {_escape_restructured(words.strip())}" for name, words in named]


def _escape_restructured(text):
    """Take their meaning from signs that mean something to Sphinx; code between backticks becomes its code."""
    pieces = text.split("`")
    return "".join(f"``{piece}``" if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))


def list_learners():
    """Write the page that leads to the learners' pages: where to start, then all of them by what they learn from."""
    parts = [START]
    for title, belongs in GROUPS.items():
        rows = ["| learner | idea |", "|---|---|"]
        for make in learners.ALL:
            if belongs(make, find_group(make)):
                head = (inspect.getmodule(make).__doc__ or "").split("\n")[0]
                idea = escape(head.split(":", 1)[1].strip())
                rows.append(f"| [{make.__name__}](learners/{make.__name__}.md) | {idea} |")
        parts += [f"## {title}", "\n".join(rows)]
    entries = "\n".join(f"learners/{make.__name__}" for make in learners.ALL)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{entries}\n```")
    return "\n\n".join(parts) + "\n"


def write_api():
    """Write the page of all public names but the learners, by the module they live in."""
    known = {make.__name__ for make in learners.ALL}
    parts = ["# Public names", "Everything here is an attribute of `littlestone`; learners have pages of their own."]
    for home, names in littlestone._HOMES.items():
        shown = [name for name in names if name not in known]
        if shown:
            parts.append(f"## littlestone.{home}")
            parts += [_document(name) for name in shown]
    parts.append("## littlestone.plot")
    parts += [f"```{{eval-rst}}\n.. autofunction:: littlestone.plot.{name}\n```" for name in _list_functions(plot)]
    return "\n\n".join(parts) + "\n"


def _document(name):
    """Write the directive that documents a public name."""
    kind = "class" if inspect.isclass(getattr(littlestone, name)) else "function"
    members = "\n   :members:" if kind == "class" else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: littlestone.{name}{members}\n```"


def _list_functions(module):
    """List the public functions that a module defines."""
    found = inspect.getmembers(module, inspect.isfunction)
    return [name for name, function in found if function.__module__ == module.__name__ and not name.startswith("_")]


def _write_changed(path, text):
    """Write a page, but not if it stands there already, so that nothing is rendered twice."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
