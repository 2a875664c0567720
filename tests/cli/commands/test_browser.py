"""The report page in a real browser, where there is one: it draws, and it asks for nothing from elsewhere."""

import shutil
import subprocess

import pytest
from click.testing import CliRunner

from littlestone.cli import main

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.long
@pytest.mark.skipif(BROWSER is None, reason="no browser on this machine: make browser installs Debian's chromium")
def test_the_report_is_drawn_by_a_browser_that_has_no_network(tmp_path):
    lines = "".join(f"{'yes' if t % 3 else 'no <b>'}\tword{t % 3} other\n" for t in range(60))
    (tmp_path / "data.txt").write_text(lines)
    given = ["learn", tmp_path / "data.txt", "--report", tmp_path / "run.html", "--certify", "--quiet"]
    said = CliRunner().invoke(main, [str(word) for word in given])
    assert said.exit_code == 0, said.output
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    page = (tmp_path / "run.html").as_uri()
    command = [BROWSER, *options, profile, "--window-size=900,1600"]
    picture = tmp_path / "run.png"
    subprocess.run([*command, f"--screenshot={picture}", page], capture_output=True, check=True, timeout=120)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000  # an empty page takes a few kilobytes
    dumped = subprocess.run([*command, "--dump-dom", page], capture_output=True, text=True, check=True, timeout=120)
    for shown in ("<svg", "<polyline", "Certificate", "no &lt;b&gt;", "word0"):
        assert shown in dumped.stdout
    assert "<b>" not in dumped.stdout
