"""The audit finds what is imported and not declared, and lists what is installed."""

import importlib.util
import tomllib
from importlib.metadata import version

from places import ROOT

spec = importlib.util.spec_from_file_location("audit", ROOT / "scripts" / "audit.py")
audit = importlib.util.module_from_spec(spec)
spec.loader.exec_module(audit)


def list_declared():
    return audit.list_declared(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"])


def test_everything_that_is_imported_is_declared():
    assert audit.find_undeclared(ROOT / "src" / "littlestone", list_declared()) == {}


def test_an_import_that_is_not_declared_is_found_however_it_is_written(tmp_path):
    (tmp_path / "one.py").write_text("import numpy.linalg, yaml\ndef f():\n    from requests import get\n")
    (tmp_path / "two.py").write_text("import_extra('networkx.drawing', 'x', 'y')\nfrom . import requests\nimport os\n")
    found = audit.find_undeclared(tmp_path, list_declared())
    assert found == {"yaml": ["one.py"], "requests": ["one.py"], "networkx": ["two.py"]}


def test_the_bill_of_materials_lists_what_is_installed():
    bill = audit.make_bill()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    listed = {one["name"].lower(): one for one in bill["components"]}
    assert listed["numpy"]["purl"] == f"pkg:pypi/numpy@{version('numpy')}"
    assert len({one["bom-ref"] for one in bill["components"]}) == len(bill["components"])
