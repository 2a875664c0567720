"""The report in a real browser, where there is one: it draws, fits, prints, and asks for nothing from elsewhere."""

import random
import re
import shutil
import subprocess

import pytest
from click.testing import CliRunner

from littlestone.cli import main

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
MEASURE = "<script>document.title = `${document.documentElement.scrollWidth} of ${innerWidth}`</script>"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(BROWSER is None, reason="no browser on this machine: make browser installs Debian's chromium"),
]


def browse(folder, page, *asked):
    command = [BROWSER, *OPTIONS, f"--user-data-dir={folder / 'profile'}", *asked, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.fixture
def crowded(tmp_path):
    """A page with as much on it as there can be: many classes with long names, every picture, a certificate."""
    rng = random.Random(0)
    names = [f"class-{k}-{'of-a-long-name-' * 3}" for k in range(28)]
    lines = [f"{rng.choice(names)}\t{' '.join(f'word{rng.randrange(500)}' for _ in range(6))}\n" for _ in range(900)]
    (tmp_path / "data.txt").write_text("".join(lines))
    page = tmp_path / "run.html"
    given = ["learn", tmp_path / "data.txt", "--report", page, "--certify", "--learner", "network:perceptron"]
    said = CliRunner().invoke(main, [str(word) for word in given])
    assert said.exit_code == 0, said.output
    return page


@pytest.mark.parametrize("width", [1300, 500])  # narrower windows are not made by a headless browser
def test_nothing_of_the_report_is_cut_off_at_the_right(crowded, tmp_path, width):
    crowded.write_text(crowded.read_text().replace("</body>", f"{MEASURE}</body>"))
    dumped = browse(tmp_path, crowded, f"--window-size={width},900", "--dump-dom")
    needed, there = map(int, re.search(r"<title>(\d+) of (\d+)</title>", dumped).groups())
    assert needed <= there == width


def test_the_report_prints_on_one_page(crowded, tmp_path):
    browse(tmp_path, crowded, f"--print-to-pdf={tmp_path / 'run.pdf'}")
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "run.pdf").read_bytes())) == 1


def test_the_report_is_drawn_by_a_browser_that_has_no_network(tmp_path):
    lines = "".join(f"{'yes' if t % 3 else 'no <b>'}\tword{t % 3} other\n" for t in range(60))
    (tmp_path / "data.txt").write_text(lines)
    given = ["learn", tmp_path / "data.txt", "--report", tmp_path / "run.html", "--certify", "--quiet"]
    said = CliRunner().invoke(main, [str(word) for word in given])
    assert said.exit_code == 0, said.output
    page, picture = tmp_path / "run.html", tmp_path / "run.png"
    browse(tmp_path, page, "--window-size=900,1600", f"--screenshot={picture}")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000  # an empty page takes a few kilobytes
    dumped = browse(tmp_path, page, "--dump-dom")
    for shown in ("<svg", "<polyline", "Certificate", "no &lt;b&gt;", "word0"):
        assert shown in dumped
    assert "<b>" not in dumped


def test_the_page_of_a_league_fits_a_narrow_window_and_one_sheet(tmp_path):
    rng = random.Random(1)
    lines = [
        f"{rng.choice((-1, 1))} {' '.join(f'{i}:1' for i in range(1, 9) if rng.random() < 0.4)}\n" for _ in range(400)
    ]
    (tmp_path / "rows.svm").write_text("".join(lines))
    page = tmp_path / "run.html"
    given = ["learn", tmp_path / "rows.svm", "--league", "--report", page, "--certify", "--quiet"]
    said = CliRunner().invoke(main, [str(word) for word in given])
    assert said.exit_code == 0, said.output
    browse(tmp_path, page, f"--print-to-pdf={tmp_path / 'run.pdf'}")
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "run.pdf").read_bytes())) == 1
    page.write_text(page.read_text().replace("</body>", f"{MEASURE}</body>"))
    dumped = browse(tmp_path, page, "--window-size=500,900", "--dump-dom")
    needed, there = map(int, re.search(r"<title>(\d+) of (\d+)</title>", dumped).groups())
    assert needed <= there == 500
