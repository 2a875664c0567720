"""Report: the page that a run leaves behind, in one file that needs nothing else.

The error over time beside that of a constant guess, what a theorem allows, what no fixed rule can go below,
calibration, the weights as bars, class by class what was guessed for what, and what was read and how fast. Of a league
also its members, their weights over time, and its floors beside its ceilings.
"""

from html import escape
from typing import Any

from littlestone.base.errors import LittlestoneError
from littlestone.base.files import replace
from littlestone.base.printed_numbers import format_down, format_up
from littlestone.base.printed_text import fit, quote
from littlestone.plot.report_style import PRINTED, STYLE
from littlestone.plot.scenes.calibration import compose_tenths
from littlestone.plot.scenes.errors import compose_running_error
from littlestone.plot.scenes.league import compose_league
from littlestone.plot.scenes.mistakes import compose_mistakes
from littlestone.plot.scenes.scene import Scene
from littlestone.plot.svg import draw_svg

SHOWN = 30  # classes of a table
# rounds up to which floors are looked for, and seconds to look at linear rules
FLOORED = 100_000
LOOKING = 5.0
WIDEST = 24  # columns of a label in a table of all by all
# weights that are drawn, and those of each class where there are many
BARS = 20
FEWEST = 3
CERTIFIED = ("theorem", "promise", "counts", "count", "mistakes", "updates", "bound", "slack", "holds", "explains",
             "scope", "exact", "rounds")  # fmt: skip
TOUCHING = ("mistakes", "updates")  # what a bound may count to be one on mistakes: each mistake is an update


def write_report(path: str, game: Any, facts: list[tuple[str, str]], record: dict[str, Any]) -> None:
    """Write the page about a game whose run left this record; whole or not at all."""
    made = (_list_class_sections if record["task"] == "classification" else _list_number_sections)(game, record)
    sections = [
        *made[:2],
        _format_section("What the run came to", _format_facts(facts)),
        *made[2:],
        _format_weights(game.player, record),
        _format_certificate(record.get("certificate")),
    ]
    _write_page(path, record, sections)


def write_league_report(path: str, league: Any, curve: Any, stream: Any, record: dict[str, Any]) -> None:
    """Write the page about a league whose run over a stream left this record; whole or not at all.

    Args:
        path: Where to write it.
        league: The league after the run.
        curve: The mistakes of what it served, over the rounds of the run.
        stream: The rounds of the run, to be read again.
        record: What the run came to, with its `facts`, the standings of `members`, and what was `proved`: certificates
            about log-loss, mistakes, choices and mixtures, or nothing.
    """
    judged = record["progressive"]
    features = league.features
    whole = judged["rounds"] == curve.rounds == league.rounds  # not where a run went on, or a league played before
    best = _find_best(record["members"], curve.rounds) if whole else None
    constant = judged["constant_rate"] if judged["rounds"] == curve.rounds else None
    sections = [
        _format_scene(compose_running_error(curve.points, constant, best=best)),
        _format_scene(compose_league(league)),
        _format_section("What the run came to", _format_facts(record["facts"])),
        _format_members(record),
        _format_range(record),
        _format_floor(stream, record["rounds"], features, record),
        _draw_calibration(judged, record["classes"]),
        _format_classes(judged),
        _format_confusion(judged),
    ]
    _write_page(path, record, sections)


def _write_page(path: str, record: dict[str, Any], sections: list[str]) -> None:
    title = f"<h1>Littlestone <small>{escape(str(record['data']))}</small></h1>"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>Littlestone</title><style>{STYLE}</style>"
    body = f"{title}<main>{''.join(sections)}</main>"
    replace(path, [f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'.encode()])


def _list_class_sections(game: Any, record: dict[str, Any]) -> list[str]:
    """What there is to say of guesses that are classes, the pictures first."""
    judged = record["progressive"]
    curve = game.judged
    constant = judged["constant_rate"] if judged["rounds"] == curve.rounds else None  # not where a run went on
    return [
        _format_scene(compose_running_error(curve.points, constant)),
        _draw_calibration(judged, record["classes"]),
        _draw_bound(game, record.get("certificate")),
        _format_floor(game.find_stream(), game.rounds, game.player.features, record),
        _format_classes(judged),
        _format_confusion(judged),
    ]


def _list_number_sections(game: Any, record: dict[str, Any]) -> list[str]:
    """The errors of predicted numbers over time, beside those of a constant guess."""
    judged = record["progressive"]
    curve = judged["curve"]
    constant = judged["constant"]
    root = compose_running_error((curve["rounds"], curve["square"]), constant["rmse"], "RMSE", percent=False, root=True)
    absolute = compose_running_error((curve["rounds"], curve["absolute"]), constant["mae"], "MAE", percent=False)
    return [_format_scene(root), _format_scene(absolute)]


def _draw_calibration(judged: dict[str, Any], names: list[Any]) -> str:
    """The chances that were given and how often the class came, or the guess was right, where a learner gave some."""
    if not judged["tenths"] or len(names) < 2:
        return ""
    return _format_scene(compose_tenths([(one["rounds"], one["said"], one["came"]) for one in judged["tenths"]], names))


def _draw_bound(game: Any, certificate: dict[str, Any] | None) -> str:
    """The mistakes against what the theorem of a certificate allows, where it speaks of mistakes."""
    if not certificate or certificate["counts"] not in TOUCHING:
        return ""
    return _format_scene(compose_mistakes(game, [certificate["bound"]], [type(game.player.learner).__name__]))


def _find_best(members: list[dict[str, Any]], rounds: int) -> tuple[str, float] | None:
    """The member of fewest mistakes among those that never slept, with its share of them; None: all slept."""
    awake = [one for one in members if not one["slept"]]
    if not awake or not rounds:
        return None
    best = min(awake, key=lambda one: one["mistakes"])
    return best["name"], best["mistakes"] / rounds


def _format_members(record: dict[str, Any]) -> str:
    """How the members of a league stand, those of most weight first, below the league itself."""
    members = [{"name": "the league", "mistakes": record["mistakes"], "log_loss": record["log_loss"]}]
    members += record["members"][:SHOWN]
    rows = []
    for one in members:
        weight = one.get("weight")
        slept = one.get("slept")
        numbers = [f"{one['mistakes']:,}", f"{one['log_loss']:,.1f}", "" if weight is None else f"{weight:.1%}"]
        cells = "".join(f'<td class="number">{number}</td>' for number in [*numbers, f"{slept:,}" if slept else ""])
        excuse = f" ({one['excuse']})" if one.get("excuse") else ""
        rows.append(f'<tr><td class="name">{escape(quote(one["name"] + excuse))}</td>{cells}</tr>')
    head = "".join(f"<th>{word}</th>" for word in ("member", "mistakes", "log-loss", "weight", "rounds asleep"))
    body = f'<div class="scroll"><table class="long"><tr>{head}</tr>{"".join(rows)}</table></div>'
    words = "Mistakes, and the log-loss of its best reading, since each member came; weights after the last round."
    return _format_section(
        "Members", f"{body}<p>{words}</p>" + _say_left_out(len(record["members"]), "weightiest", "members")
    )


def _format_range(record: dict[str, Any]) -> str:
    """The floors under what members could have done and the ceilings over what the league did, if it was certified."""
    if not record["proved"]:
        return ""
    loss, mistakes, choices, mixtures = record["proved"]
    rows = [
        ("mistakes", f"{choices.counted:,}", f"{record['mistakes']:,}", f"{mistakes.bound:,}"),
        ("log-loss", format_down(mixtures.counted, 6), f"{record['log_loss']:.1f}", format_up(loss.bound, 6)),
    ]
    cells = ["".join(f'<td class="number">{cell}</td>' for cell in row[1:]) for row in rows]
    body = "".join(f"<tr><th>{row[0]}</th>{cell}</tr>" for row, cell in zip(rows, cells, strict=True))
    head = "".join(f"<th>{word}</th>" for word in ("", "floor", "the league", "ceiling"))
    words = (
        "The floors are what no choice of one member in each round, and no fixed mixture of readings, can go below; "
    )
    words += "a league, whose weights move, may. The ceilings are what the theorems allow the league."
    table = f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'
    return _format_section("Between floor and ceiling", f"{table}<p>{words}</p>")


def _format_floor(stream: Any, rounds: int, features: Any, record: dict[str, Any]) -> str:
    """What no fixed rule can go below on the rounds of a stream, beside what was made, where they can be read again."""
    from littlestone.guarantees.floors import floor

    if stream is None or not 0 < rounds <= FLOORED or not hasattr(features, "renew"):
        return ""
    try:
        found = floor(stream, LOOKING, rounds, features=features.renew())
    except LittlestoneError:
        return ""
    made = f"{record['mistake_rate']:.2%} of the guesses were wrong; "
    words = f"{made}{found}. These are rules that are fixed for all rounds: a learner may use their order."
    return _format_section("What no fixed rule can go below", f"<p>{escape(words)}</p>")


def _format_classes(judged: dict[str, Any]) -> str:
    """How often each class came, and how often a guess of it, or of a round of it, was right."""
    classes = sorted(judged["classes"], key=lambda one: -one["rounds"])
    rows = []
    for one in classes[:SHOWN]:
        shares = ["-" if one[name] is None else f"{one[name]:.1%}" for name in ("precision", "recall")]
        numbers = [f"{one['rounds']:,}", f"{one['rounds'] / max(1, judged['rounds']):.1%}", *shares]
        cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
        rows.append(f'<tr><td class="name">{escape(quote(one["class"]))}</td>{cells}</tr>')
    head = "".join(f"<th>{word}</th>" for word in ("class", "rounds", "of all", "precision", "recall"))
    body = f'<div class="scroll"><table class="long"><tr>{head}</tr>{"".join(rows)}</table></div>'
    return _format_section("Class by class", body + _say_left_out(len(classes)))


def _format_confusion(judged: dict[str, Any]) -> str:
    """Truth by guess, of the classes that came most often."""
    counts = judged["confusion"]
    title = "What was guessed for what"
    if counts is None:
        return _format_section(title, f"<p>{len(judged['classes']):,} classes are too many for a table.</p>")
    names = dict[int, Any]()  # by the row of the class; one that never came has a row and no name
    for row, truths in enumerate(counts):
        left = judged["classes"][len(names) :]
        if left and sum(truths) == left[0]["rounds"]:
            names[row] = left[0]["class"]
    order = sorted(names, key=lambda c: -sum(counts[c]))[:SHOWN]
    short = {c: escape(fit(quote(names[c]), WIDEST)) for c in order}
    head = "".join(f"<th>{short[c]}</th>" for c in order)
    rows = []
    for truth in order:
        cells = "".join(
            f'<td class="number{" right" if guess == truth else ""}">{counts[truth][guess]:,}</td>' for guess in order
        )
        rows.append(f"<tr><th>{short[truth]}</th>{cells}</tr>")
    table = f'<table class="long wide"><tr><th>label \\ guess</th>{head}</tr>{"".join(rows)}</table>'
    none = sum(row[-1] for row in counts)
    words = f"<p>Guesses of a class that had not come: {none:,}.</p>" if none else ""
    return _format_section(title, f'<div class="scroll">{table}</div>{words}{_say_left_out(len(names))}')


def _format_weights(player: Any, record: dict[str, Any]) -> str:
    """The largest weights as bars, where the learner has weights; of a mixture it is said whose they are."""
    try:
        explanation = player.explain(top=BARS)
    except (LittlestoneError, NotImplementedError):
        return ""
    came = {one["class"]: one["rounds"] for one in record["progressive"].get("classes", ())}
    labels = sorted(dict.fromkeys(row.label for row in explanation.rows), key=lambda label: -came.get(label, 0))
    each = BARS if len(labels) < 2 else FEWEST
    shown = [row for label in labels[: BARS // FEWEST] for row in _take(explanation.rows, label, each)]
    most = max((abs(row.weight) for row in shown), default=0.0)
    if not most:
        return ""
    bars = [_draw_bar(row, 50 * abs(row.weight) / most, len(labels) > 1) for row in shown]
    words = f"by {explanation.about}. " if explanation.about else ""
    words += f"The largest {len(shown)}; to the right they speak for "
    words += "their class" if len(labels) > 1 else "more" if record["task"] == "regression" else quote(labels[0])
    left = len(labels) - BARS // FEWEST
    words += f"; {left} more classes are left out." if left > 0 else "."
    table = f'<table class="bars">{"".join(bars)}</table>'
    return _format_section("Attributes that count most", f"{table}<p>{escape(words[0].upper() + words[1:])}</p>")


def _take(rows: Any, label: Any, count: int) -> list[Any]:
    return [row for row in rows if row.label == label][:count]


def _draw_bar(row: Any, width: float, named: bool) -> str:
    """One weight: the class if there are several, the attribute, a bar to the right or to the left, and the number."""
    side = "for" if row.weight > 0 else "against"
    label = f"<th>{escape(quote(row.label))}</th>" if named else ""
    bar = f'<td class="bar"><div><span class="{side}" style="width:{width:.1f}%"></span></div></td>'
    name = f'<td class="name">{escape(quote(row.name))}</td>'
    return f'<tr>{label}{name}{bar}<td class="number">{row.weight:+.4g}</td></tr>'


def _format_certificate(certificate: dict[str, Any] | None) -> str:
    if not certificate:
        return ""
    rows = [(name, str(certificate[name])) for name in CERTIFIED if certificate.get(name) not in (None, "")]
    return _format_section("Certificate", _format_facts(rows))


def _format_scene(scene: Scene) -> str:
    return f"<section>{draw_svg(scene)}<p>{escape(scene.words)}</p></section>"  # its title is in the picture


def _format_section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _say_left_out(count: int, first: str = "most frequent", things: str = "classes") -> str:
    """What a table of classes, or of other things, does not have, on the screen or on paper."""
    words = f"<p>The {SHOWN} {first} of {count:,} {things}.</p>" if count > SHOWN else ""
    return words + (f'<p class="printed">On paper the {PRINTED} {first} ones.</p>' if count > PRINTED else "")


def _format_facts(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="facts">{body}</table>'
