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


def write_page(folder: str, title: str) -> str:
    """Write one section for each module that holds a public class of the folder: its docstring as it stands."""
    modules = list_modules(folder)
    names = [name_module(module) for module in modules]
    contents = "\n".join(f"- [{name}](#{name.lower().replace(' ', '-')})" for name in names)
    sections = "\n".join(_write_section(module) for module in modules)
    return f"# {title}\n\nWritten by `make docs` from the modules' docstrings.\n\n{contents}\n\n{sections}"


def list_modules(folder: str) -> list[ModuleType]:
    """List the modules that hold the public classes of a folder."""
    room = import_module(f"littlestone.{folder}")
    return [import_module(name) for name in sorted({getattr(room, made).__module__ for made in room.__all__})]


def name_module(module: ModuleType) -> str:
    """Name a module as its docstring does."""
    return (module.__doc__ or "").split(":")[0]


def _write_section(module: ModuleType) -> str:
    return f"## {name_module(module)}\n\n```text\n{(module.__doc__ or '').strip()}\n```\n"


def main() -> None:
    """Write all pages."""
    for folder, title in PAGES.items():
        path = DOCS / f"{folder.rpartition('.')[2]}.md"
        path.write_text(write_page(folder, title))
        print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
