"""Audit: what the package imports is declared, what is installed is listed, and known weaknesses are named.

    python scripts/audit.py build/bill-of-materials.json

Writes a software bill of materials (CycloneDX 1.5, JSON) of this environment. Fails if a module of the package imports
something that pyproject.toml does not declare, or if pip-audit knows a weakness of what is installed; where pip-audit
is not installed or cannot reach its data, it says so and goes on.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions, packages_distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OWN = "littlestone"
BY_NAME = {"import_extra", "import_module"}  # functions that import a module by a text


def find_imports(source: str) -> Iterator[str]:
    """Names of the top-level packages that a module imports, wherever it does so."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            if name in BY_NAME and isinstance(node.args[0].value, str):
                yield node.args[0].value.partition(".")[0]


def normalize(name: str) -> str:
    """A distribution's name as packaging tools compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def list_declared(project: dict[str, Any]) -> set[str]:
    """Names of all distributions that the project declares, needed or optional."""
    listed = [*project["dependencies"], *(one for some in project["optional-dependencies"].values() for one in some)]
    return {normalize(re.split(r"[^\w.-]", one, maxsplit=1)[0]) for one in listed}


def find_undeclared(folder: Path, declared: set[str]) -> dict[str, list[str]]:
    """Packages that modules below a folder import and the project does not declare, with these modules."""
    homes, found = packages_distributions(), dict[str, list[str]]()
    for path in sorted(folder.rglob("*.py")):
        for package in sorted(set(find_imports(path.read_text(encoding="utf-8")))):
            if package == OWN or package in sys.stdlib_module_names:
                continue
            if not {normalize(home) for home in homes.get(package, [package])} & declared:
                found.setdefault(package, []).append(str(path.relative_to(folder)))
    return found


def make_bill() -> dict[str, Any]:
    """The bill of materials of this environment, as CycloneDX has it."""
    installed = {normalize(one.metadata["Name"]): one for one in distributions() if one.metadata["Name"]}
    own = installed.pop(OWN, None)
    bill: dict[str, Any] = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1}
    if own is not None:
        bill["metadata"] = {"component": describe(OWN, own) | {"type": "application"}}
    return bill | {"components": [describe(name, installed[name]) for name in sorted(installed)]}


def describe(name: str, one: Distribution) -> dict[str, Any]:
    """A distribution as a component."""
    place = f"pkg:pypi/{name}@{one.version}"
    record: dict[str, Any] = {
        "type": "library",
        "bom-ref": place,
        "name": one.metadata["Name"],
        "version": one.version,
        "purl": place,
    }
    terms = one.metadata.get("License-Expression")
    return record | ({"licenses": [{"expression": terms}]} if terms else {})


def find_weaknesses() -> list[str] | None:
    """Known weaknesses of what is installed, by pip-audit; None if it is not there or cannot reach its data."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        listed = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        print(f"pip-audit gave no answer: {(done.stderr.strip().splitlines() or ['nothing was said'])[-1]}")
        return None
    return [f"{one['name']} {one['version']}: {weak['id']}" for one in listed for weak in one.get("vulns", [])]


def main(target: Path) -> int:
    """Audit this environment; the exit status."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    undeclared = find_undeclared(ROOT / "src" / OWN, list_declared(project))
    for package, modules in undeclared.items():
        print(f"{package} is imported and not declared: {', '.join(modules)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    bill = make_bill()
    target.write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
    print(f"{len(bill['components'])} components are listed in {target}")
    weaknesses = find_weaknesses()
    for weakness in weaknesses or []:
        print(weakness)
    return int(bool(undeclared or weaknesses))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
