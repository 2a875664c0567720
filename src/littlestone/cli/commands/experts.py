"""The command `experts`: every learner from advice on a table of forecasts, with the books open."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("panel", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--outcome", required=True, help="The column that says what came true.")
@click.option("--date", "date", default=None, help="The column that names the rounds.")
@click.option("--loss", "loss_name", default=None, help="zero-one, absolute, square, brier, log or pinball.")
@click.option("--quantile", default=0.5, show_default=True, help="The quantile of the pinball loss.")
@click.option("--switches", default=0, show_default=True, help="Compare with the best sequence with so many switches.")
@click.option("--rounds", "last", default=0, show_default=True, help="Show the books of the last so many rounds.")
@click.option("--plot", type=click.Path(dir_okay=False), default=None, help="Draw regret against its bound (PNG).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def experts(
    panel: str, outcome: str, date: str | None, loss_name: str | None, quantile: float, switches: int, last: int,
    plot: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Combine the forecasters of a table (CSV): a row is a round, a column an expert, an empty cell sleeps."""
    from littlestone.base.errors import LittlestoneError

    try:
        table = read(panel, outcome, date)
        books = {type(learner).__name__: audit(learner, table) for learner in chosen(table, loss_name, quantile)}
    except LittlestoneError as problem:
        click.echo(f"{panel}: {problem}", err=True)
        sys.exit(1)
    ranked = sorted(books.items(), key=lambda item: float(item[1].loss[-1]))
    if as_json:
        click.echo(json.dumps({name: summary(ledger, switches) for name, ledger in ranked}))
    else:
        from rich.console import Console

        console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120, highlight=False)
        console.print(shown(ranked), *below(ranked[0][1], switches), sep="\n")
        name, ledger = ranked[0]
        console.print("", standings(name, ledger), str(ledger).splitlines()[-1], sep="\n")
        if last:
            console.print("", last_rounds(ledger, last), sep="\n")
    if plot is not None:
        from littlestone.plot import books as drawn

        drawn(ranked[0][1], switches or None).savefig(plot, dpi=120)
        click.echo(f"drew {ranked[0][0]} to {plot}", err=True)


def read(path: str, outcome: str, date: str | None) -> dict[str, Any]:
    """The table: forecasts, outcomes, names and dates. A column that is not numbers must be the one of dates."""
    import numpy as np

    from littlestone.base.errors import BadInstance, BadLabel, require

    text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))
    require(len(rows) > 1, "a table needs a line of names and at least one round", BadInstance)
    names = rows[0]
    require(outcome in names, f"no column {outcome!r}: there are {', '.join(names[:20])}", BadLabel)
    require(date is None or date in names, f"no column {date!r}: there are {', '.join(names[:20])}", BadInstance)
    kept = [k for k, name in enumerate(names) if name not in (outcome, date)]
    values = np.full((len(rows) - 1, len(kept)), np.nan)
    outcomes = np.zeros(len(rows) - 1)
    for line, row in enumerate(rows[1:], 2):
        require(len(row) == len(names), f"line {line} has {len(row)} cells, the header has {len(names)}", BadInstance)
        outcomes[line - 2] = _number(row[names.index(outcome)], line, outcome)
        require(outcomes[line - 2] == outcomes[line - 2], f"line {line} has no {outcome!r}", BadLabel)
        for place, k in enumerate(kept):
            values[line - 2, place] = _number(row[k], line, names[k])
    dates = list(range(1, len(rows))) if date is None else [row[names.index(date)] for row in rows[1:]]
    return {"forecasts": values, "outcomes": outcomes, "names": [names[k] for k in kept], "dates": dates}


def _number(cell: str, line: int, column: str) -> float:
    from littlestone.base.errors import BadInstance

    try:
        return float(cell) if cell.strip() else float("nan")
    except ValueError:
        message = f"line {line}, column {column!r}: {cell!r} is not a number; name a column of dates with --date"
        raise BadInstance(message) from None


def chosen(table: dict[str, Any], loss_name: str | None, quantile: float) -> list[Any]:
    """The learners for a table: voters for votes, the others by the loss; the range is that of the table."""
    import numpy as np

    from littlestone import learners
    from littlestone.base.errors import require
    from littlestone.learners.experts.losses import NAMED, Absolute, Brier, Log, Pinball, Square, ZeroOne

    X, y = table["forecasts"], table["outcomes"]
    low, high = float(min(np.nanmin(X), y.min())), float(max(np.nanmax(X), y.max()))
    votes = bool(np.isin(X[~np.isnan(X)], (0, 1)).all() and np.isin(y, (0, 1)).all())
    name = loss_name or ("zero-one" if votes else "square")
    require(name in NAMED, f"--loss must be one of {', '.join(NAMED)}, got {name!r}")
    rounds, experts, wide = len(y), X.shape[1], high if high > low else low + 1
    if name == "zero-one":
        voters = (learners.WeightedMajority, learners.RandomizedWeightedMajority, learners.ImprovedMajority)
        hedges = (learners.Hedge.anytime(ZeroOne(), draws=True), learners.AdaHedge(ZeroOne(), draws=True))
        return [*(voter() for voter in voters), learners.FollowTheLeader(), *hedges]
    ranged = {"absolute": Absolute(low, wide), "square": Square(low, wide), "pinball": Pinball(quantile, low, wide)}
    loss = {"brier": Brier(), "log": Log()}.get(name) or ranged[name]
    players: list[Any] = []
    if loss.mixable:
        players.append(learners.Aggregating(loss))
    if np.isfinite(loss.top):
        switches = max(1, rounds // 40)
        players += [learners.Hedge.anytime(loss), learners.AdaHedge(loss)]
        if 0 < switches < rounds - 1 and experts > 1:
            players.append(learners.FixedShare.tuned(experts, rounds, switches, loss))
    return players


def audit(learner: Any, table: dict[str, Any]) -> Any:
    from littlestone.game.ledger import ledger

    return ledger(learner, table["forecasts"], table["outcomes"], table["names"], table["dates"])


def summary(ledger: Any, switches: int) -> dict[str, Any]:
    """The last line of the books, as JSON writes it."""
    bound = float(ledger.bounds[-1])
    record = {
        "learner": str(ledger.learner), "rounds": len(ledger), "experts": len(ledger.names),
        "loss": float(ledger.loss[-1]), "best": ledger.names[ledger.best[-1]],
        "best_loss": float(ledger.losses[-1, ledger.best[-1]]), "regret": float(ledger.regret[-1]),
        "bound": bound if bound == bound else None,
    }  # fmt: skip
    return record | ({"tracking_loss": ledger.tracking(switches)[0]} if switches else {})


def _table(title: str, *columns: str) -> Any:
    """A table whose first column is words and whose others are numbers."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 or column == "best" else "right", no_wrap=True)
    return table


def shown(ranked: list[tuple[str, Any]]) -> Any:
    """All learners, best first, and the best expert."""
    first = ranked[0][1]
    title = f"{len(first)} rounds, {len(first.names)} experts, charged by {first.learner.expert_loss}"
    table = _table(title, "learner", "loss", "mean", "regret", "allowed")
    for name, ledger in ranked:
        numbers = (ledger.loss[-1], ledger.loss[-1] / len(ledger), ledger.regret[-1], ledger.bounds[-1])
        table.add_row(name, *("" if number != number else f"{number:.6g}" for number in numbers))
    return table


def below(first: Any, switches: int) -> list[str]:
    """Whom they are compared with."""
    best_loss = float(first.losses[-1, first.best[-1]])
    lines = [f"best expert: {first.names[first.best[-1]]}, loss {best_loss:.6g}, mean {best_loss / len(first):.6g}"]
    if switches:
        tracked, _ = first.tracking(switches)
        lines.append(f"best with {switches} switches: loss {tracked:.6g}, mean {tracked / len(first):.6g}")
    return lines


def standings(name: str, ledger: Any) -> Any:
    """The learner and its experts from best to worst."""
    from littlestone.game.ledger import TOP

    table, rows = _table(name, "", "loss", "regret", "weight"), ledger.standings()
    for who, loss, regret, weight in rows[:TOP]:
        table.add_row(who, f"{loss:.6g}", f"{regret:.6g}", "" if weight != weight else f"{weight:.4f}")
    if len(rows) > TOP:
        table.add_row(f"... and {len(rows) - TOP} more")
    return table


def last_rounds(ledger: Any, last: int) -> Any:
    """The last rounds."""
    table = _table("the last rounds", "round", "guess", "outcome", "loss", "regret", "bound", "best")
    for t in range(max(len(ledger) - last, 0), len(ledger)):
        entry = ledger.at(t + 1)
        numbers = (entry.guess, entry.outcome, entry.loss, entry.regret, entry.bound)
        cells = ("" if number != number else f"{number:.5g}" for number in numbers)
        table.add_row(str(entry.date), *cells, entry.best)
    return table
