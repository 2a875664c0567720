"""Write docs/few-labels.md from real data: `python docs/make_few_labels.py FOLDER_WITH_DATA`."""

import sys
from pathlib import Path

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

From a shell: `littlestone learn DATA --learner selective-sampling --set smoothing=0.03`, which reads recorded labels,
uses those only that were asked for, and counts all mistakes beside the estimate.

## The trade

| data | smoothing | labels asked for | share | mistakes | estimated from these labels |
|---|---|---|---|---|---|
"""
TAIL = """
A smaller smoothing saves labels; on the census rows it saves mistakes too. A certificate (`certify`, `verify`) bounds
the updates of a run by the Perceptron's theorems, every coin tossed again.
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


if __name__ == "__main__":
    rows = "\n".join(write_rows(Path(sys.argv[1])))
    (Path(__file__).parent / "few-labels.md").write_text(f"{HEAD}{rows}\n{TAIL}", encoding="utf-8")
