"""Report: the page that a run leaves behind, in one file that needs nothing else.

The curve against its bound, the certificate, class by class what was guessed for what, the attributes that count most,
and what was read and how fast.
"""

from html import escape
from typing import Any

from littlestone.base.errors import LittlestoneError
from littlestone.base.files import replace
from littlestone.base.printed_text import quote
from littlestone.plot.scenes.mistakes import compose_mistakes
from littlestone.plot.svg import draw_svg

SHOWN = 30  # classes and attributes of a table
CERTIFIED = ("theorem", "promise", "counts", "mistakes", "updates", "bound", "slack", "holds", "scope", "exact",
             "rounds")  # fmt: skip
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .2rem .8rem; border-bottom: 1px solid #ddd; }
th { text-align: left; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.right { background: #e8f1f8; } svg { width: 100%; height: auto; } h1 small { font-weight: normal; color: #666; }
.scroll { overflow-x: auto; }
"""


def write_report(path: str, game: Any, facts: list[tuple[str, str]], record: dict[str, Any]) -> None:
    """Write the page about a game whose run left this record; whole or not at all."""
    certificate, numbers = record.get("certificate"), record.get("task") == "regression"  # of which none is a mistake
    allowed = [certificate["bound"] if certificate else None]
    scene = compose_mistakes(game, allowed, [type(game.player.learner).__name__])
    sections = [
        f"<h1>Littlestone <small>{escape(str(record['data']))}</small></h1>",
        _format_table(facts),
        "" if numbers else f"<h2>{escape(scene.title)}</h2>{draw_svg(scene)}<p>{escape(scene.words)}</p>",
        _format_certificate(certificate),
        "" if numbers else _format_confusion(record["progressive"]),
        _format_attributes(game.player),
    ]
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Littlestone</title><style>{STYLE}</style>'
    )
    replace(path, [f"{head}</head><body>{''.join(sections)}</body></html>\n".encode()])


def _format_certificate(certificate: dict[str, Any] | None) -> str:
    if not certificate:
        return ""
    rows = [(name, str(certificate[name])) for name in CERTIFIED if name in certificate]
    return f"<h2>Certificate</h2>{_format_table(rows)}"


def _format_confusion(judged: dict[str, Any]) -> str:
    """Truth by guess, of the classes that came most often."""
    counts, names = judged["confusion"], [one["class"] for one in judged["classes"]]
    if counts is None:
        return f"<p>There is no table of what was guessed for what: {len(names):,} classes are too many.</p>"
    order = sorted(range(len(names)), key=lambda c: -sum(counts[c]))[:SHOWN]
    head = "".join(f"<th>{escape(quote(names[c]))}</th>" for c in order)
    rows = []
    for truth in order:
        cells = "".join(
            f'<td class="number{" right" if guess == truth else ""}">{counts[truth][guess]:,}</td>' for guess in order
        )
        rows.append(f"<tr><th>{escape(quote(names[truth]))}</th>{cells}</tr>")
    left = f"<p>The {SHOWN} most frequent of {len(names)} classes.</p>" if len(names) > SHOWN else ""
    table = f'<div class="scroll"><table><tr><th>label \\ guess</th>{head}</tr>{"".join(rows)}</table></div>'
    return f"<h2>What was guessed for what</h2>{table}{left}"


def _format_attributes(player: Any) -> str:
    """The attributes with the largest weights, where the learner has weights."""
    try:
        explanation = player.explain(top=SHOWN)
    except (LittlestoneError, NotImplementedError):
        return ""
    return f"<h2>Attributes that count most</h2><pre>{escape(str(explanation))}</pre>"


def _format_table(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{body}</table>"
