"""docs/verify.html in a real browser without network: honest and forged certificates, dropped and by keyboard."""

import json
import re
from pathlib import Path

import pytest

from steered_browser import BROWSER, Chromium

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "proofs" / "examples"
LISTED = json.loads((EXAMPLES / "index.json").read_text())
PAGE = ROOT / "docs" / "verify.html"


def drop(browser, files):
    """Drag files over the frame and let them fall."""
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.ask("Input.dispatchDragEvent", type=kind, x=200, y=200, data=data)


def type_keys(browser, files):
    """Go to each field by the tabulator, open it by the space bar, choose a file; then to the button, and Enter."""
    browser.ask("Page.setInterceptFileChooserDialog", enabled=True)
    for name, file in zip(("certificate", "data"), files, strict=True):
        browser.press("Tab")
        assert browser.evaluate("document.activeElement.id") == name
        browser.press(" ")
        field = browser.wait("Page.fileChooserOpened")["backendNodeId"]
        browser.ask("DOM.setFileInputFiles", files=[str(file)], backendNodeId=field)
    browser.press("Tab")
    assert browser.evaluate("document.activeElement.textContent") == "Verify"
    browser.press("Enter")


needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no browser on this machine: make browser installs Debian's chromium"
)


@pytest.mark.long
@needs_browser
@pytest.mark.parametrize("act", [drop, type_keys])
@pytest.mark.parametrize("true", [True, False], ids=["honest", "forged"])
def test_the_page_tells_honest_from_forged(tmp_path, act, true):
    one = next(one for one in LISTED if one["true"] is true)
    browser = Chromium(tmp_path, PAGE)
    try:
        act(browser, [EXAMPLES / one["certificate"], EXAMPLES / one["data"]])
        kind, said = browser.read_verdict()
    finally:
        browser.close()
    assert kind == ("true" if true else "false")
    assert said.startswith("true: " if true else "false: ")


def test_the_page_asks_for_nothing_from_elsewhere():
    page = PAGE.read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']""", page)
