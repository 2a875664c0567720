"""The site as a browser shows it: built without a warning, and on no page, wide or narrow, is anything cut off."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from importlib.util import find_spec

import pytest

from places import ROOT

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
READY = BROWSER is not None and find_spec("sphinx") is not None and find_spec("furo") is not None
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
WIDTHS = (1400, 1300, 390)  # three layouts: two columns beside the page, one, and none
SCRIPT = """<!doctype html><body><script>
(async () => {
  const found = [];
  for (const width of WIDTHS) for (const page of PAGES) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `border: 0; height: 800px; width: ${width}px`;
    frame.src = page;
    document.body.append(frame);
    await new Promise(done => frame.onload = done);
    await new Promise(done => setTimeout(done, 400));
    found.push([page, width, frame.contentDocument.documentElement.scrollWidth]);
    frame.remove();
  }
  document.body.innerText = "FOUND" + JSON.stringify(found) + "END";
})()
</script></body>"""


@pytest.mark.long
@pytest.mark.skipif(not READY, reason="no browser or no Sphinx: make browser, and pip install '.[docs]'")
def test_no_page_of_the_site_is_wider_than_the_window(tmp_path):
    site = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(ROOT / "docs"), str(site)]
    built = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "NUMBA_DISABLE_JIT": "0"}
    )
    assert built.returncode == 0, built.stderr
    pages = [page.as_uri() for page in sorted(site.rglob("*.html")) if "_static" not in page.parts]
    assert len(pages) > 100
    measure = site / "measure.html"
    wide = site / "wide.html"  # the measure itself is measured: this page is too wide
    wide.write_text("<!doctype html><body><div style='width: 2000px'>wide</div></body>")
    script = SCRIPT.replace("PAGES", json.dumps([*pages, wide.as_uri()])).replace("WIDTHS", json.dumps(WIDTHS))
    measure.write_text(script)
    asked = ["--virtual-time-budget=100000000", "--dump-dom", measure.as_uri()]
    opened = [BROWSER, *OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", *asked]
    shown = subprocess.run(opened, capture_output=True, text=True, check=True, timeout=600).stdout
    found = json.loads(unescape(re.search("FOUND(.*)END", shown, re.DOTALL)[1]))
    assert len(found) == len(WIDTHS) * (len(pages) + 1)
    assert {page for page, width, needed in found if needed > width} == {wide.as_uri()}
