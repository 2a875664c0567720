"""Write docs/few-labels.md from real data: `python docs/make_few_labels.py FOLDER_WITH_DATA`."""

import csv
import sys
from pathlib import Path

import numpy as np

import littlestone as ls

HEAD = """# Few labels

Labels cost money. `SelectiveSampling` says before each round whether it wants the label, surely where its score is near
zero and rarely where it is large; a theorem bounds its expected mistakes, and from the labels that it saw it estimates
all of its mistakes without bias. Written by `python docs/make_few_labels.py` from data that are no part of the project;
one pass over each stream in its order, seed 0.

```python
import littlestone as ls

player = ls.Player(ls.SelectiveSampling(smoothing=0.03), classes=["no", "yes"])
for x in instances:
    print(player.predict(x))
    if player.wants_label(x):
        player.update(x, look_up(x))  # somebody is paid for it
    else:
        player.skip(x)  # nobody knows, and nothing is learned
print(player.learner.asked(player.state), player.learner.estimate_mistakes(player.state))
```

`AppleTasting(learner)` is for labels that come only with acceptance: mail that is read, loans that are granted, apples
that are tasted. It accepts what the learner inside accepts, and a few others by a coin; `wants_label(x)` is whether it
accepts. `NeverMiss(concepts)` does so without a coin where one concept of a finite class labels every round.
`LabelEfficient(learner)` asks by a coin alone, with `Hedge` inside for the advice of experts. `Withheld(stream)` is an
environment for all of them: `play(learner, Withheld(stream, classes))` gives the player the labels that it wants and no
others, counts them (`game.environment.looked_up`), and counts every mistake in the record of the game.

From a shell: `littlestone learn DATA --learner selective-sampling --set smoothing=0.03`, which reads recorded labels,
uses those only that were asked for, and counts all mistakes beside the estimate.

## The trade

| data | smoothing | labels asked for | share | mistakes | estimated from these labels |
|---|---|---|---|---|---|
"""
TASTING = """
## Labels only of what was accepted

A Perceptron inside; class 1 is what is accepted. Without exploring it would begin by accepting nothing, and never see a
label; `every label` is the Perceptron that sees all. Exploring costs mistakes of its own: a chance of 0.3 accepts three
of ten rounds that should be rejected.

| data | exploring | labels seen | share | mistakes | estimated from these labels |
|---|---|---|---|---|---|
"""
EXPERTS = """
## Outcomes of which experts hear a few

Hedge at rate 8 over 65 forecasts of the load of a country, scaled to [0, 1], square loss: the loss of all rounds, and
the estimate from the outcomes asked for.

| asking | outcomes asked for | loss | estimated | best expert |
|---|---|---|---|---|
"""
TAIL = """
A smaller smoothing saves labels; on the census rows it saves mistakes too. A certificate (`certify`, `verify`) bounds
the updates of a run by the Perceptron's theorems, every coin tossed again; that of `AppleTasting` and `LabelEfficient`
holds the certificate of the learner inside on the rounds that it was shown, and every guess is made again.
"""
STREAMS = {
    "adult": "adult/a9a.gz",
    "mails in time order": "spam_stream/spam_katakis.libsvm.gz",
    "text messages": "sms_spam/SMSSpamCollection",
}
SMOOTHINGS = (1.0, 0.1, 0.03, 0.01)


def write_rows(data):
    """A line for each stream and smoothing."""
    for name, path in STREAMS.items():
        stream = ls.read(data / path)
        whole = ls.play(ls.Perceptron(), stream)
        yield f"| {name} | every label | {whole.rounds:,} | 100 % | {whole.mistakes:,} | |"
        for smoothing in SMOOTHINGS:
            game = ls.play(ls.SelectiveSampling(smoothing), stream)
            learner, state = game.player.learner, game.player.state
            asked, estimated = learner.asked(state), learner.estimate_mistakes(state)
            share = f"{asked / game.rounds:.1%}".replace("%", " %")
            yield f"| {name} | {smoothing:g} | {asked:,} | {share} | {game.mistakes:,} | {estimated:,.0f} |"


def write_tasting_rows(data):
    """A line for each stream and chance of exploring."""
    for name, path in STREAMS.items():
        stream = ls.read(data / path)
        whole = ls.play(ls.Perceptron(), stream)
        yield f"| {name} | every label | {whole.rounds:,} | 100 % | {whole.mistakes:,} | |"
        for exploring in (0.3, 0.1, 0.03):
            game = ls.play(ls.AppleTasting(ls.Perceptron(), exploring), stream)
            learner, state = game.player.learner, game.player.state
            seen, estimated = learner.asked(state), learner.estimate_mistakes(state)
            share = f"{seen / game.rounds:.1%}".replace("%", " %")
            yield f"| {name} | {exploring:g} | {seen:,} | {share} | {game.mistakes:,} | {estimated:,.0f} |"


def write_expert_rows(data):
    """A line for each chance of asking."""
    with (data / "load_panel" / "regional_panel.csv").open(newline="") as text:
        rows = list(csv.reader(text))[1:]
    values = np.array([[float(cell) for cell in row[1:]] for row in rows])
    values = (values - values.min()) / (values.max() - values.min())
    X, y, loss = values[:, 2:], values[:, 0], ls.Square(0.0, 1.0)
    best = ((X - y[:, None]) ** 2).sum(axis=0).min()
    for asking in (1.0, 0.3, 0.1, 0.03):
        learner = ls.LabelEfficient(ls.Hedge(8.0, loss), asking)
        game = ls.play(learner, ls.Panel(X, y), transcript=True)
        lost = sum((one.guess - one.y) ** 2 for one in game.transcript)
        asked, estimated = learner.asked(game.player.state), learner.estimate_mistakes(game.player.state)
        yield f"| {asking:g} | {asked:,} of {len(y):,} | {lost:.4f} | {estimated:.4f} | {best:.4f} |"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    parts = [HEAD, *write_rows(folder), TASTING, *write_tasting_rows(folder), EXPERTS, *write_expert_rows(folder), TAIL]
    page = "".join(part if part in (HEAD, TASTING, EXPERTS, TAIL) else f"{part}\n" for part in parts)
    (Path(__file__).parent / "few-labels.md").write_text(page, encoding="utf-8")
