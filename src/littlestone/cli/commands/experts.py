"""The command `experts`: every learner from advice on a table of forecasts, with the books open."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import click

from littlestone.base.printed_text import find_terminal, quote
from littlestone.cli import ON_ERROR, DataOptions, echo_json, option, takes_json, takes_options


@dataclass(frozen=True, kw_only=True)
class ExpertsOptions:
    """The options of `experts`, as they were typed."""

    date: str | None = option("The column that names the rounds.")
    loss: str | None = option("zero-one, absolute, square, brier, log or pinball.")
    quantile: float = option("The quantile of the pinball loss.", default=0.5)
    switches: int = option("Compare with the best sequence with this many switches.", default=0)
    rounds: int = option("Show the books of this many last rounds.", default=0)
    plot: str | None = option("Draw regret against its bound (PNG).", click.Path(dir_okay=False))
    on_error: Literal["stop", "skip"] = option(ON_ERROR, click.Choice(["stop", "skip"]), default="stop")


@click.command()
@click.argument("panel")
@click.option("--outcome", required=True, help="The column that says what came true.")
@takes_options(ExpertsOptions)
@takes_json
def experts(panel: str, outcome: str, as_json: bool, **given: Any) -> None:
    """Combine the forecasters of a table (CSV): a row is a round, a column an expert, an empty cell sleeps."""
    from littlestone.base.files import require_outputs
    from littlestone.game.ledger import ledger

    options = ExpertsOptions(**given)
    require_outputs({"--plot": options.plot}, [panel])
    stream = DataOptions(kind="csv", label=outcome, on_error=options.on_error).open([panel])
    table = read_table(stream, outcome, options.date)
    learners = choose_learners(table, options.loss, options.quantile)
    books = {type(learner).__name__: ledger(learner, *table) for learner in learners}
    ranked = sorted(books.items(), key=lambda item: float(item[1].loss[-1]))
    if as_json:
        echo_json({name: make_record(ledger, options.switches) for name, ledger in ranked})
    else:
        _print_books(ranked, options.switches, options.rounds)
    if options.plot is not None:
        from littlestone.plot import books as draw_books
        from littlestone.plot import save

        save(draw_books(ranked[0][1], options.switches or None), options.plot, 120)
        click.echo(f"drew {ranked[0][0]} to {quote(options.plot)}", err=True)


class ForecastTable(NamedTuple):
    """A table of forecasts (NaN: the expert sleeps) with what came true, the names of experts and those of rounds."""

    forecasts: Any
    outcomes: Any
    names: list[str]
    dates: list[Any]


def read_table(stream: Any, outcome: str, date: str | None) -> ForecastTable:
    """The forecasts of a stream of CSV; every column but the outcome's and that of dates is an expert."""
    import numpy as np

    from littlestone.base.errors import BadInstance, BadLabel, require
    from littlestone.readers.table.batch import NOMINAL, NUMBER

    format = stream.format  # cells are read as texts, since an empty one is no forecast of 0
    stream.format = replace(format, roles=tuple(NOMINAL if role == NUMBER else role for role in format.roles))
    columns = list(format.attributes)
    require(date is None or date in columns, f"no column {date!r}: there are {', '.join(columns[:20])}", BadInstance)
    names = [name for name in columns if name != date]
    places = {name: place for place, name in enumerate(names)}
    require(bool(names), "a table of forecasts has a column for each expert beside the outcome", BadInstance)
    parts = [np.zeros((0, len(names)))]
    outcomes = list[float]()
    dates = list[Any]()
    for chunk in stream.chunks():
        values = np.full((len(chunk), len(names)), np.nan)
        first = len(outcomes) + 1
        numbers = range(first, first + len(chunk))
        outcomes += [_parse(cell, t, outcome, BadLabel) for t, cell in zip(numbers, chunk.labels.tolist(), strict=True)]
        dates += numbers if date is None else [""] * len(chunk)
        for row, column, cell in _list_cells(chunk, set(columns)):
            if column == date:
                dates[first - 1 + row] = cell
            else:
                values[row, places[column]] = _parse(cell, first + row, column, BadInstance)
        parts.append(values)
    require(bool(outcomes), "a table needs a line of names and at least one round", BadInstance)
    return ForecastTable(np.concatenate(parts), np.array(outcomes), names, dates)


def _list_cells(chunk: Any, columns: set[str]) -> Iterator[tuple[int, str, str]]:
    """Every cell that is not missing: its row, its column and what it says, from attributes called `column=cell`."""
    import numpy as np

    cells = dict[int, tuple[str, str]]()
    rows = np.repeat(np.arange(len(chunk)), np.diff(chunk.indptr)).tolist()
    for row, entry in zip(rows, chunk.which[chunk.indptr[0] : chunk.indptr[-1]].tolist(), strict=True):
        if entry not in cells:
            start = chunk.starts[entry]
            length = chunk.lengths[entry]
            name = chunk.text[start : start + length].tobytes().decode("utf-8", "surrogateescape")
            at = name.rfind("=")
            while name[:at] not in columns:  # a column may have = in its name, and a date too
                at = name.rfind("=", 0, at)
            cells[entry] = name[:at], name[at + 1 :]
        yield row, *cells[entry]


def _parse(cell: Any, number: int, column: str, error: type[Exception]) -> float:
    """The number in a cell of a round, or an error that says where there is none."""
    try:
        return float(cell)
    except ValueError:
        message = f"round {number}, column {column!r}: {cell!r} is not a number; name a column of dates with --date"
        raise error(message) from None


def choose_learners(table: ForecastTable, loss_name: str | None, quantile: float) -> list[Any]:
    """The learners for a table: voters for votes, the others by the loss; the range is that of the table."""
    import numpy as np

    from littlestone import learners
    from littlestone.base.errors import require
    from littlestone.learners.experts.losses import NAMED, Absolute, Brier, Log, Pinball, Square, ZeroOne

    X = table.forecasts
    y = table.outcomes
    low = float(min(np.nanmin(X), y.min()))
    high = float(max(np.nanmax(X), y.max()))
    votes = bool(np.isin(X[~np.isnan(X)], (0, 1)).all() and np.isin(y, (0, 1)).all())
    name = loss_name or ("zero-one" if votes else "square")
    require(name in NAMED, f"--loss must be one of {', '.join(NAMED)}, got {name!r}")
    rounds = len(y)
    experts = X.shape[1]
    wide = high if high > low else low + 1
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


def _print_books(ranked: list[tuple[str, Any]], switches: int, rounds: int) -> None:
    """Show the ranking, then the best learner's books."""
    from rich.console import Console

    terminal = find_terminal(sys.stdout)
    width = None if terminal.isatty() else 120
    console = Console(file=terminal, width=width, highlight=False, markup=False, emoji=False)
    name, ledger = ranked[0]
    console.print(tabulate_learners(ranked))
    console.print("\n".join(describe_best(ledger, switches)), "", sep="\n", soft_wrap=True)
    console.print(tabulate_standings(name, ledger))
    console.print(str(ledger).splitlines()[-1], soft_wrap=True)
    if rounds:
        console.print("", tabulate_last_rounds(ledger, rounds), sep="\n")


def make_record(ledger: Any, switches: int) -> dict[str, Any]:
    """The last line of the books, as JSON writes it."""
    bound = float(ledger.bounds[-1])
    record = {
        "learner": str(ledger.learner), "rounds": len(ledger), "experts": len(ledger.names),
        "loss": float(ledger.loss[-1]), "best": ledger.names[ledger.best[-1]],
        "best_loss": float(ledger.losses[-1, ledger.best[-1]]), "regret": float(ledger.regret[-1]),
        "bound": bound if bound == bound else None,
    }  # fmt: skip
    return record | ({"tracking_loss": ledger.tracking(switches)[0]} if switches else {})


def _start_table(title: str, *columns: str) -> Any:
    """A table whose first column is words and whose others are numbers."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 or column == "best" else "right", no_wrap=True)
    return table


def tabulate_learners(ranked: list[tuple[str, Any]]) -> Any:
    """All learners, best first, and the best expert."""
    from littlestone.base.printed_numbers import format_up

    first = ranked[0][1]
    title = f"{len(first)} rounds, {len(first.names)} experts, charged by {first.learner.expert_loss}"
    table = _start_table(title, "learner", "loss", "mean", "regret", "allowed")
    for name, ledger in ranked:
        numbers = (ledger.loss[-1], ledger.loss[-1] / len(ledger), ledger.regret[-1])
        allowed = float(ledger.bounds[-1])
        cells = (f"{number:.6g}" for number in numbers)
        table.add_row(name, *cells, "" if allowed != allowed else format_up(allowed, 6))
    return table


def describe_best(first: Any, switches: int) -> list[str]:
    """What the learners are compared with."""
    best_loss = float(first.losses[-1, first.best[-1]])
    best = quote(first.names[first.best[-1]])
    lines = [f"best expert: {best}, loss {best_loss:.6g}, mean {best_loss / len(first):.6g}"]
    if switches:
        tracked, _ = first.tracking(switches)
        lines.append(f"best with {switches} switches: loss {tracked:.6g}, mean {tracked / len(first):.6g}")
    return lines


def tabulate_standings(name: str, ledger: Any) -> Any:
    """The learner and its experts from best to worst."""
    from littlestone.game.ledger import TOP

    table = _start_table(name, "", "loss", "regret", "weight")
    rows = ledger.standings()
    for who, loss, regret, weight in rows[:TOP]:
        table.add_row(quote(who), f"{loss:.6g}", f"{regret:.6g}", "" if weight != weight else f"{weight:.4f}")
    if len(rows) > TOP:
        table.add_row(f"... and {len(rows) - TOP} more")
    return table


def tabulate_last_rounds(ledger: Any, last: int) -> Any:
    """The books of the last rounds."""
    from littlestone.base.printed_numbers import format_up

    table = _start_table("the last rounds", "round", "guess", "outcome", "loss", "regret", "bound", "best")
    for t in range(max(len(ledger) - last, 0), len(ledger)):
        entry = ledger.at(t + 1)
        numbers = (entry.guess, entry.outcome, entry.loss, entry.regret)
        cells = ("" if number != number else f"{number:.5g}" for number in numbers)
        bound = "" if entry.bound != entry.bound else format_up(entry.bound)
        table.add_row(quote(entry.date), *cells, bound, quote(entry.best))
    return table
