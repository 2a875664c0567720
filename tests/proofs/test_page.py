"""docs/verify.html in a real browser without network: honest and forged certificates, dropped and chosen."""

import base64
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "proofs" / "examples"
LISTED = json.loads((EXAMPLES / "index.json").read_text())
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
HELPERS = """<script>
function makeFile(name, data) { return new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name); }
function pack(...files) { const all = new DataTransfer(); files.forEach((file) => all.items.add(file)); return all; }
const certificate = makeFile("certificate.json", "%s"), data = makeFile("%s", "%s");
// files are read in real time, which the time of the browser does not wait for
function wait() { if (!document.getElementById("verdict").className) setTimeout(wait, 1); }
addEventListener("load", () => { %s wait(); });
</script>"""
DROP = 'document.dispatchEvent(new DragEvent("drop", {dataTransfer: pack(certificate, data), cancelable: true}));'
CHOOSE = """
for (const [name, file] of [["certificate", certificate], ["data", data]]) {
  const field = document.getElementById(name);
  field.focus();
  if (document.activeElement !== field) throw Error("not reached by keyboard");
  field.files = pack(file).files;
  field.dispatchEvent(new Event("change"));
}
document.querySelector("button").click();
"""


def read_verdict(folder, one, act):
    """The class and the text of the verdict after some acts on a copy of the page."""
    given = [base64.b64encode((EXAMPLES / one[name]).read_bytes()).decode() for name in ("certificate", "data")]
    page = folder / "verify.html"
    whole = (ROOT / "docs" / "verify.html").read_text(encoding="utf-8")
    page.write_text(
        whole.replace("</body>", HELPERS % (given[0], one["data"], given[1], act) + "</body>"), encoding="utf-8"
    )
    command = [
        BROWSER,
        *OPTIONS,
        f"--user-data-dir={folder / 'profile'}",
        "--virtual-time-budget=1000000",
        "--dump-dom",
    ]
    dumped = subprocess.run([*command, page.as_uri()], capture_output=True, text=True, check=True, timeout=120).stdout
    found = re.search(r'<output id="verdict"[^>]*class="(\w*)"[^>]*>(.*?)</output>', dumped)
    assert found, dumped[-600:]
    return found[1], html.unescape(found[2])


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(BROWSER is None, reason="no browser on this machine: make browser installs Debian's chromium"),
]


@pytest.mark.parametrize("act", [DROP, CHOOSE], ids=["dropped", "chosen"])
@pytest.mark.parametrize("true", [True, False], ids=["honest", "forged"])
def test_the_page_tells_honest_from_forged(tmp_path, act, true):
    one = next(one for one in LISTED if one["true"] is true)
    kind, said = read_verdict(tmp_path, one, act)
    assert kind == ("true" if true else "false")
    assert said.startswith("true: " if true else "false: ")


def test_the_page_asks_for_nothing_from_elsewhere():
    page = (ROOT / "docs" / "verify.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["']""", page)
