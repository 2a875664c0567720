"""Write docs/experts.md and its pictures from two real panels: `python docs/make_experts.py FOLDER_WITH_DATA`."""

import csv
import sys
from math import log, sqrt
from pathlib import Path

import numpy as np

from littlestone.environments import Panel
from littlestone.game.play import play
from littlestone.learners import AdaHedge, Aggregating, FixedShare, Hedge
from littlestone.learners.experts.losses import Brier, Square

HERE = Path(__file__).parent
LOW, HIGH = 20_000.0, 125_000.0  # megawatts: the range that is declared for the load


def read_tennis(data):
    table = np.loadtxt(data / "tennis" / "tennis1.txt")
    names = [f"bookmaker {k}" for k in (1, 2, 3, 4)]
    return Panel(table[:, [3, 5, 7, 9]], table[:, 1], names=names)


def read_load(data):
    with (data / "load_panel" / "regional_panel.csv").open(newline="") as text:
        rows = list(csv.reader(text))
    values = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    return Panel(values[:, 2:], values[:, 0], names=rows[0][3:], dates=[row[0][:10] for row in rows[1:]])


def describe_bookmakers(panel):
    """The Brier regret of four learners over ten thousand matches."""
    from matplotlib.figure import Figure

    learners = [Aggregating(Brier()), Hedge(loss=Brier()), AdaHedge(Brier()), FixedShare(0.2, 0.001, Brier())]
    books = {type(learner).__name__: play(learner, panel).ledger for learner in learners}
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, ledger in books.items():
        axes.plot(ledger.regret, label=name, linewidth=2 if name == "Aggregating" else 1)
    axes.axhline(log(4), color="black", linestyle="--", label="ln 4, the bound of Aggregating")
    axes.axhline(0, color="grey", linewidth=0.5)
    axes.set_xlabel("match")
    axes.set_ylabel("Brier loss beyond the best bookmaker so far")
    axes.legend(frameon=False)
    figure.savefig(HERE / "images" / "experts_tennis.png", dpi=120)
    return books


def describe_forecasters(panel):
    """The load: fixed share against the best single forecaster, and where its weight went."""
    from matplotlib.figure import Figure

    loss, rounds, experts = Square(LOW, HIGH), panel.rounds, len(panel.names)
    learners = {
        "FixedShare, tuned for 10 switches": FixedShare.tuned(experts, rounds, 10, loss),
        "FixedShare, rate 300": FixedShare(300.0, 0.05, loss),
        "Hedge, anytime": Hedge(loss=loss),
        "AdaHedge": AdaHedge(loss),
        "Aggregating": Aggregating(loss),
    }
    books = {name: play(learner, panel).ledger for name, learner in learners.items()}
    chosen = books["FixedShare, rate 300"]
    figure = Figure(figsize=(9, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    for name, ledger in books.items():
        above.plot(ledger.regret / 1e6, label=name)
    above.axhline(0, color="grey", linewidth=0.5)
    above.set_ylabel("square loss beyond the best forecaster\nso far, (1000 MW)^2")
    above.legend(frameon=False, fontsize="small")
    order = np.argsort(-chosen.weights.mean(axis=0))[:7]
    below.stackplot(range(rounds), *(chosen.weights[:, k] for k in order), labels=[panel.names[k] for k in order])
    below.set_ylabel("weight before the outcome,\nFixedShare, rate 300")
    below.set_xlabel(f"round, {panel.dates[0]} to {panel.dates[-1]}")
    below.set_ylim(0, 1)
    below.legend(loc="upper left", fontsize="small", ncols=4)
    figure.savefig(HERE / "images" / "experts_load.png", dpi=120)
    return books


def write_page(matches, days):
    """The page, its numbers taken from the games."""
    brier = [f"| {name} | {book.loss[-1]:.2f} | {book.regret[-1]:+.2f} | {book.regret.max():.3f} |"
             for name, book in matches.items()]  # fmt: skip
    best = matches["Aggregating"]
    brier += [f"| *{best.names[k]}* | {best.losses[-1, k]:.2f} | | |" for k in np.argsort(best.losses[-1])]
    rms = [f"| {name} | {sqrt(book.loss[-1] / len(book)):.0f} |" for name, book in days.items()]
    any_book = days["AdaHedge"]
    single = int(np.argmin(any_book.losses[-1]))
    compared = [(f"best single forecaster, {any_book.names[single]}", any_book.losses[-1, single])]
    for s in (1, 5, 10):
        compared.append((f"best sequence with {s} switch{'es' * (s > 1)}, in hindsight", any_book.tracking(s)[0]))
    rms += [f"| *{name}* | {sqrt(loss / len(any_book)):.0f} |" for name, loss in compared]
    return TEMPLATE.format(brier="\n".join(brier), rms="\n".join(rms), worst=f"{best.regret.max():.3f}")


TEMPLATE = """# Expert advice

Several forecasters, one outcome at a time, and no idea beforehand whom to believe. A learner from advice weighs them by
what they have lost, and its theorem says how much more than the best of them it can lose, on any sequence whatever.

```python
import littlestone as ls

panel = ls.Panel(forecasts, outcomes, names=names, dates=dates)  # a row a round, a column an expert, NaN sleeps
game = ls.play(ls.Aggregating(ls.Brier()), panel)
print(game.ledger)  # who lost how much, regret, and what the theorem allows
game.ledger.at(250)  # the books at any round: losses, best expert, regret, bound, weights
game.ledger.tracking(5)  # the best sequence of experts with five switches, by dynamic programming
game.certificate()  # the theorem on these very rounds, with the best expert as its witness
```

Any model can be an expert: `ls.combine([model, other, lambda x: ...])` takes scikit-learn's `predict`, River's
`predict_one`, functions and columns. One that raises or answers NaN sleeps for that round, and `report()` says so.
From a shell: `littlestone experts PANEL.csv --outcome COLUMN --date COLUMN --loss square --plot regret.png`.

| learner | guesses | promises, N experts, T rounds, L the loss of the best |
|---|---|---|
| `WeightedMajority(penalty)` | the weighted vote | mistakes <= (L ln(1/b) + ln N) / ln(2/(1+b)), b the penalty |
| `RandomizedWeightedMajority(penalty)` | 1 with the share of the weight | expected <= (L ln(1/b) + ln N) / (1-b) |
| `ImprovedMajority(penalty)` | 1 with probability F(share) | half of weighted majority's, in expectation |
| `FollowTheLeader()` | as the best so far | mistakes <= N L + N - 1 |
| `Hedge(rate)`, `Hedge.anytime()` | mean, or an expert drawn | regret <= top (ln N/rate + rate T/8); top sqrt(T ln N) |
| `AdaHedge()` | the same, finding its own rate | regret <= 2 sqrt(L (top T - L) ln N / T) + top (16/3 ln N + 2) |
| `FixedShare(rate, switching)` | the same, tracking | regret against s switches, see its page |
| `Aggregating(loss)` | Vovk's substitution | regret <= ln N / rate, for ever: ln N for Brier and log loss |

## Four bookmakers, ten thousand tennis matches

The Brier score of the bookmakers' probabilities. `Aggregating` loses at most ln 4 = 1.386 more than the best bookmaker
at every single round; the most it ever did was {worst}.

![Brier regret on tennis](images/experts_tennis.png)

| learner | Brier loss | beyond the best bookmaker | at most, on the way |
|---|---|---|---|
{brier}

## 65 forecasters of the French load

Forecasts of the evening load, 398 days from January 2020 on. In March 2020 the country stayed at home, and experts that
had been good no longer were: the best expert changes, which is what `FixedShare` is for. Root mean square errors in
megawatts:

| learner | RMSE |
|---|---|
{rms}

![Load: regret and weights](images/experts_load.png)

The rate tuned for the worst case is cautious: it guards against losses as large as the declared range. A rate two
hundred times larger does better here; its bound, printed by `.bound(experts, rounds, switches)`, is weaker in return.

This page was written by `docs/make_experts.py` from the data themselves.
"""


def main():
    data = Path(sys.argv[1])
    (HERE / "images").mkdir(exist_ok=True)
    (HERE / "experts.md").write_text(
        write_page(describe_bookmakers(read_tennis(data)), describe_forecasters(read_load(data))), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
