"""Report: the page that a run leaves behind, in one file that needs nothing else.

The curve against its bound, the certificate, class by class what was guessed for what, the attributes that count most,
and what was read and how fast.
"""

from html import escape
from pathlib import Path
from typing import Any

from littlestone.base.errors import LittlestoneError
from littlestone.base.files import replace
from littlestone.plot.scenes.mistakes import compose_mistakes
from littlestone.plot.svg import draw_svg

SHOWN = 30  # classes and attributes of a table
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .2rem .8rem; border-bottom: 1px solid #ddd; }
th { text-align: left; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.right { background: #e8f1f8; } svg { width: 100%; height: auto; } h1 small { font-weight: normal; color: #666; }
.scroll { overflow-x: auto; }
"""


def write(path: str, game: Any, facts: list[tuple[str, str]], record: dict[str, Any]) -> None:
    """Write the page about a game whose run left this record; whole or not at all."""
    replace(Path(path), [page(game, facts, record).encode()])


def page(game: Any, facts: list[tuple[str, str]], record: dict[str, Any]) -> str:
    """The page as HTML."""
    certificate = record.get("certificate")
    allowed = [certificate["bound"] if certificate else None]
    scene = compose_mistakes(game, allowed, [type(game.player.learner).__name__])
    sections = [
        f"<h1>Littlestone <small>{escape(str(record['data']))}</small></h1>",
        _table(("", ""), facts),
        f"<h2>{escape(scene.title)}</h2>{draw_svg(scene)}<p>{escape(scene.words)}</p>",
        _certificate(certificate),
        _confusion(record["progressive"], record["classes"]),
        _attributes(game.player),
    ]
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Littlestone</title><style>{STYLE}</style>'
    )
    return f"{head}</head><body>{''.join(sections)}</body></html>\n"


def _certificate(certificate: dict[str, Any] | None) -> str:
    if not certificate:
        return ""
    kept = (
        "theorem",
        "promise",
        "counts",
        "mistakes",
        "updates",
        "bound",
        "slack",
        "holds",
        "scope",
        "exact",
        "rounds",
    )
    rows = [(name, str(certificate[name])) for name in kept if name in certificate]
    return f"<h2>Certificate</h2>{_table(('', ''), rows)}"


def _confusion(judged: dict[str, Any], classes: list[Any]) -> str:
    """Truth by guess, of the classes that came most often."""
    counts, names = judged["confusion"], [one["class"] for one in judged["classes"]]
    order = sorted(range(len(names)), key=lambda c: -sum(counts[c]))[:SHOWN]
    head = "".join(f"<th>{escape(str(names[c]))}</th>" for c in order)
    rows = []
    for truth in order:
        cells = "".join(
            f'<td class="number{" right" if guess == truth else ""}">{counts[truth][guess]:,}</td>' for guess in order
        )
        rows.append(f"<tr><th>{escape(str(names[truth]))}</th>{cells}</tr>")
    left = f"<p>The {SHOWN} most frequent of {len(names)} classes.</p>" if len(names) > SHOWN else ""
    table = f'<div class="scroll"><table><tr><th>label \\ guess</th>{head}</tr>{"".join(rows)}</table></div>'
    return f"<h2>What was guessed for what</h2>{table}{left}"


def _attributes(player: Any) -> str:
    """The attributes with the largest weights, where the learner has weights."""
    try:
        explained = player.explain(top=SHOWN)
    except (LittlestoneError, NotImplementedError):
        return ""
    return f"<h2>Attributes that count most</h2><pre>{escape(str(explained))}</pre>"


def _table(header: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    head = "" if not any(header) else f"<tr>{''.join(f'<th>{escape(one)}</th>' for one in header)}</tr>"
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{head}{body}</table>"
