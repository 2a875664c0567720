"""Write the pages that are made from the code: docs/learners.md, docs/concepts.md and docs/environments.md.

Each page is the module docstrings of one folder, so nothing is said twice. A test compares the pages with the code.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).parent
PAGES = {
    "learners": "The learners",
    "concepts": "The concept classes",
    "environments": "The environments",
    "learners.conversions": "Learners made from learners",
}


def page(folder: str, title: str) -> str:
    """One section for each module that holds a public class of the folder: its docstring as it stands."""
    room = import_module(f"littlestone.{folder}")
    modules = [import_module(name) for name in sorted({getattr(room, made).__module__ for made in room.__all__})]
    contents = "\n".join(f"- [{_name(module)}](#{_name(module).lower().replace(' ', '-')})" for module in modules)
    sections = "\n".join(_section(module) for module in modules)
    return f"# {title}\n\nWritten by `make docs` from the modules' docstrings.\n\n{contents}\n\n{sections}"


def _name(module: ModuleType) -> str:
    return (module.__doc__ or "").split(":")[0]


def _section(module: ModuleType) -> str:
    return f"## {_name(module)}\n\n```text\n{(module.__doc__ or '').strip()}\n```\n"


def main() -> None:
    for folder, title in PAGES.items():
        path = DOCS / f"{folder.rpartition('.')[2]}.md"
        path.write_text(page(folder, title))
        print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
