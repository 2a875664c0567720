"""The model file: any bytes are refused in words or load into a player that can play.

Most mutations of a file fail its checksum, so every input is tried twice: as it is, and with its checksum repaired, as
somebody who forges a file would.
"""

import hashlib
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

import littlestone as ls
from fuzz.harness import hunt
from littlestone.base.errors import BadModel, LittlestoneError
from littlestone.base.features import Features, Hashed, Named, Words
from littlestone.game import model
from littlestone.game.saving import container, plain, records
from littlestone.game.saving.container import DIGITS, HEAD, ZEROS
from littlestone.learners.experts.forecasts import Forecasts

ROWS = [{0: 1.0}, {1: 1.0, 3: 1.0}, {0: 1.0, 2: 1.0}, {}, {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0, 4: 1.0}, {2: 1.0}]
LABELS = [True, False, True, False, True, True]
LEARNERS = [
    ls.Perceptron(),
    ls.AveragedPerceptron(),
    ls.Winnow(threshold=2.0),
    ls.BalancedWinnow(),
    ls.VotedPerceptron(),
    ls.KernelPerceptron(ls.LinearKernel(), budget=2, removal="random"),
    ls.Forgetron(budget=2),
    ls.SecondOrderPerceptron(),
    ls.Ellipsoid(attributes=5),
    ls.NaiveBayes(),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.Winnow(threshold=2.0), updates="each"),
    ls.Interactions(ls.KernelPerceptron(ls.PolynomialKernel(2))),
]
OVER_CLASSES = [
    ls.Halving(ls.Parities(3)),
    ls.RandomizedHalving(ls.Thresholds(6)),
    ls.Conservative(ls.Consistent(ls.Concepts([[0, 1, 2], [2, 1, 0], [1, 1, 1]]))),
    ls.Closure(ls.Rectangles(3, 2)),
]
FROM_ADVICE = [ls.WeightedMajority(), ls.Hedge(), ls.FixedShare(), ls.FollowTheLeader()]


def signed(data: bytes) -> bytes:
    """The same bytes with the checksum that they ought to have, if they have a place for one."""
    at = 8 + len(HEAD)
    if data[8:at] != HEAD or len(data) < at + DIGITS:
        return data
    blank = data[:at] + ZEROS + data[at + DIGITS :]
    return data[:at] + hashlib.sha256(blank).hexdigest().encode() + data[at + DIGITS :]


def one(data: bytes, sign: bool = True) -> bool:
    """Whether the bytes load; if they do, the player must be able to play."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.lst")
        path.write_bytes(signed(data) if sign else data)
        try:
            player = ls.load(path)
        except BadModel:
            return False
        exercise(player)
        player.save(path)
        with suppress(BadModel):  # a count may have passed its limit meanwhile
            ls.load(path)
    return True


def exercise(player: Any) -> None:
    """Play a few rounds; what is refused in words is refused."""
    names = [name for name in player.labels.names if name is not None] or [True, False]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for t, x in enumerate(instances(player.features)):
            with suppress(LittlestoneError, NotImplementedError):
                player.predict(x)
                player.score(x)
            with suppress(LittlestoneError):
                player.update(x, 0.5 if player.learner.numeric else names[t % len(names)])


def instances(features: Any) -> Iterator[Any]:
    """A few instances that such features can read."""
    if isinstance(features, Forecasts):
        width = min(features.width, 64) + 1
        yield from ([float((k + t) % 2) for k in range(width)] for t in range(4))
    elif isinstance(features, Words):
        yield from ("", "a0 a1", "new words and a0")
    elif isinstance(features, Named | Hashed):
        names = list(islice(features.numbers, 4)) if isinstance(features, Named) else ["a0", "a3"]
        yield from ({}, dict.fromkeys(names, 1.0), dict.fromkeys([*names[:1], "new"], 1.0))
    elif isinstance(features, Features):
        highest = max(0, min(features.width, 2**20) - 1)
        yield from ({}, {0: 1.0}, {highest: 1.0, 0: -1.0}, [1.0, 0.0, 1.0], (0, 1))
    else:
        yield from islice(features.instances(), 4)


def seeds() -> list[bytes]:
    """Players of every family after a few rounds, as files."""
    players = [ls.Player(learner) for learner in (*LEARNERS, *OVER_CLASSES, *FROM_ADVICE)]
    players += [ls.Player(ls.Perceptron(), features, ["spam", "ham"]) for features in named()]
    players += [ls.Player(ls.Memorizer()), ls.Player(ls.Winnow())]
    files = []
    for player in players[:-1]:  # the last one has not been seated
        for row, y in zip(ROWS, LABELS, strict=True):
            with suppress(LittlestoneError):
                player.update(*suited(player, row, y))
    for player in players:
        with tempfile.TemporaryDirectory() as folder:
            player.save(Path(folder, "m.lst"), about={"passes": 1})
            files.append(Path(folder, "m.lst").read_bytes())
    return files


def named() -> list[Features]:
    """Features that read attributes by name, each empty."""
    hashed = ls.Hashed(bits=4, remember=3)
    return [
        ls.Named(),
        ls.Named(limit=2, evict="merge"),
        hashed,
        ls.Words(ls.Named()),
        ls.Words(ls.Hashed(5), characters=(2, 3)),
    ]


def suited(player: Any, row: dict[int, float], y: bool) -> tuple[Any, Any]:
    """A round that the player takes."""
    features = player.features
    if isinstance(features, Forecasts):
        return [float(k in row) for k in range(4)], float(y) if player.learner.numeric else y
    if isinstance(features, Named | Hashed | Words):
        words = {f"a{k}": value for k, value in row.items()}
        return " ".join(words) if isinstance(features, Words) else words, "spam" if y else "ham"
    if isinstance(features, Features):
        return (tuple(row), y) if isinstance(player.learner, ls.Memorizer) else (row, y)
    points = list(islice(features.instances(), 64))
    x = points[sum(row) % len(points)]
    return x, player.learner.known_labels()[0]


if __name__ == "__main__":
    hunt(one, seeds(), [container, plain, records, model], signed)
