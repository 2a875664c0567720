"""The page of the atlas: every concept class on a few points with its exact values and mistake tree, in one file."""

from html import escape
from typing import Any

from littlestone.base.files import replace
from littlestone.concepts.atlas import AtlasEntry
from littlestone.concepts.dimension import littlestone_dimension

COLUMNS = ("class", "size", "alike", "VC", "Littlestone", "Halving", "randomized", "teaching")
STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 62rem; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: top; }
th button { font: inherit; background: none; border: 0; color: inherit; cursor: pointer; text-decoration: underline; }
td:last-child, th:last-child { text-align: left; }
pre { margin: 0.3rem 0; }
input { font: inherit; width: 100%; max-width: 30rem; }
"""
SCRIPT = """
const body = document.querySelector('tbody'), rows = [...body.rows];
document.querySelectorAll('th button').forEach((button, k) => button.addEventListener('click', () => {
  const down = button.dataset.down = button.dataset.down === '1' ? '0' : '1';
  rows.sort((a, b) => (down === '1' ? 1 : -1) * (a.cells[k].dataset.value - b.cells[k].dataset.value));
  rows.forEach(row => body.append(row));
}));
document.querySelector('input').addEventListener('input', event => {
  const asked = event.target.value.split(/\\s+/).filter(Boolean).map(word => word.split('='));
  rows.forEach(row => row.hidden = !asked.every(([name, value]) => {
    const k = COLUMNS.indexOf(name.toLowerCase());
    return value === undefined || k < 0 || row.cells[k].textContent.trim() === value;
  }));
});
"""


def write_atlas(path: str, entries: list[AtlasEntry]) -> None:
    """Write the page about all classes of an atlas; whole or not at all."""
    points = entries[0].points
    head = "".join(f"<th><button>{name}</button></th>" for name in COLUMNS) + "<th>concepts and mistake tree</th>"
    names = str([name.lower() for name in COLUMNS])
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Atlas of small games</title><style>{STYLE}</style></head><body>"
        f"<h1>Every concept class on {points} points</h1>"
        f"<p>{len(entries):,} classes, one of each kind up to renaming points and exchanging labels; the column"
        " <em>alike</em> says how many there are of its kind. A row of concepts is a row of labels, one a point. Show"
        " only some: <code>size=4 littlestone=2</code>.</p>"
        '<p><input aria-label="which classes to show" placeholder="size=4 littlestone=2"></p>'
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n',
        *(_format_row(entry) for entry in entries),
        f"</tbody></table></div><script>const COLUMNS = {names};{SCRIPT}</script></body></html>\n",
    ]
    replace(path, ["".join(parts).encode()])


def list_values(entry: AtlasEntry) -> list[Any]:
    """The values of a class in the order of the columns."""
    return [entry.number, entry.size, entry.alike, entry.vc, entry.littlestone, entry.halving, entry.randomized,
            entry.teaching]  # fmt: skip


def _format_row(entry: AtlasEntry) -> str:
    """A line of the table."""
    cells = "".join(f'<td data-value="{float(value)}">{value}</td>' for value in list_values(entry))
    tree = escape(str(littlestone_dimension(entry.concepts, tree=True)))
    shown = f"<details><summary>{escape(' '.join(entry.rows))}</summary><pre>{tree}</pre></details>"
    return f"<tr>{cells}<td>{shown}</td></tr>\n"
