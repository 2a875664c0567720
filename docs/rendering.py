"""Rendering: pages made from the code when the site is built: a page a learner, the API, and every picture.

Module docstrings are plain text: paragraphs, formulas that are indented, and one doctest at the end. Python blocks of
the gallery and the course are run as they stand; what a block leaves in `axes` becomes the picture below it.
"""

import contextlib
import inspect
import io
import re
import warnings

import portraits

import littlestone
from littlestone import learners, plot

BLOCKS = re.compile(r"```python\n(.*?)```(?:\n\n```\n[^`]*```)?(?:\n\n!\[.*?\]\((\S+?)\))?", re.DOTALL)
LEADS = re.compile(r"(^(?:Theorem|Lemma|Corollary)[^.\n]*\.|\bProof(?: of [^.\n]*)?\.)", re.MULTILINE)
SPECIAL = re.compile(r"([\\*_<>\[\]|])")


def write(docs):
    """Everything under docs/generated."""
    made = docs / "generated"
    (made / "learners").mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # plain integers of 64 bits say when they wrap around
        for page in [docs / "gallery.md", *sorted((docs / "course").glob("*.md"))]:
            draw(page)
        for make in learners.ALL:
            scene = portraits.of(make.__name__)
            picture = made / "learners" / f"{make.__name__}.png"
            if scene is not None:
                plot.draw(scene).figure.savefig(picture, dpi=110)
            _put(picture.with_suffix(".md"), learner(make, scene))
    _put(made / "learners.md", listed())
    _put(made / "api.md", api())


def draw(page):
    """Run a page's blocks one after another and save the pictures that stand below them."""
    names = {}
    for block, picture in BLOCKS.findall(page.read_text()):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, str(page), "exec"), names)
        if picture:
            target = page.parent / picture
            target.parent.mkdir(parents=True, exist_ok=True)
            names["axes"].figure.savefig(target, dpi=110)


def learner(make, scene):
    """A learner's page: its module's docstring, its picture, and its class."""
    module = inspect.getmodule(make)
    head, *rest = (module.__doc__ or "").strip().split("\n\n")
    name, idea = head.split(":", 1)
    parts = [f"# {name}", f"*{escaped(idea.strip())}*", *(paragraph(part) for part in rest)]
    if scene is not None:
        parts.append(f"![{escaped(scene.title)}]({make.__name__}.png)\n\n{escaped(scene.words)}")
    parts.append(f"```{{eval-rst}}\n.. autoclass:: littlestone.{make.__name__}\n   :members:\n```")
    return "\n\n".join(parts) + "\n"


def paragraph(text):
    """A paragraph of a docstring as Markdown: formulas and doctests as they stand, the rest without special signs."""
    if text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if text.startswith("    "):
        return f"```text\n{text}\n```"
    return LEADS.sub(r"**\1**", escaped(text))


def escaped(text):
    """Words that mean nothing to Markdown but code between backticks."""
    pieces = text.split("`")
    return "`".join(piece if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))


def plain(lines):
    """A docstring's lines for Sphinx, in place: formulas become blocks, and no sign means anything."""
    made = []
    for part in re.split(r"\n\s*\n", "\n".join(lines)):
        if part.lstrip().startswith(">>>"):
            made += ["", *part.splitlines()]
        elif part.startswith(" "):
            made += ["", "::", "", *("    " + line for line in part.splitlines())]
        else:
            pieces = part.split("`")
            words = [f"``{piece}``" if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces)]
            made += ["", *"".join(words).splitlines()]
    lines[:] = [*made[1:], ""]


def listed():
    """The page that leads to the learners' pages."""
    rows = []
    for make in learners.ALL:
        head = (inspect.getmodule(make).__doc__ or "").split("\n")[0]
        rows.append(f"| [{make.__name__}](learners/{make.__name__}.md) | {escaped(head.split(':', 1)[1].strip())} |")
    table = "\n".join(["| learner | idea |", "|---|---|", *rows])
    entries = "\n".join(f"learners/{make.__name__}" for make in learners.ALL)
    words = "Each page is a module's docstring: the rule, the theorem with its constants, its proof, an example."
    return f"# The learners\n\n{words}\n\n{table}\n\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"


def api():
    """All public names but the learners, by the module they live in."""
    known = {make.__name__ for make in learners.ALL}
    parts = ["# Public names", "Everything here is an attribute of `littlestone`; learners have pages of their own."]
    for home, names in littlestone._HOMES.items():
        shown = [name for name in names if name not in known]
        if shown:
            parts.append(f"## littlestone.{home}")
            parts += [_auto(name) for name in shown]
    parts.append("## littlestone.plot")
    parts += [f"```{{eval-rst}}\n.. autofunction:: littlestone.plot.{name}\n```" for name in _functions(plot)]
    return "\n\n".join(parts) + "\n"


def _auto(name):
    kind = "class" if inspect.isclass(getattr(littlestone, name)) else "function"
    members = "\n   :members:" if kind == "class" else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: littlestone.{name}{members}\n```"


def _functions(module):
    found = inspect.getmembers(module, inspect.isfunction)
    return [name for name, function in found if function.__module__ == module.__name__ and not name.startswith("_")]


def _put(path, text):
    """Write a page, but not if it stands there already, so that nothing is rendered twice."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
