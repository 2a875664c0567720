"""Thresholds: a version space closing in: the thresholds that still agree, round by round, and what was asked."""

from typing import Any

from littlestone.base.errors import require
from littlestone.concepts import Thresholds
from littlestone.plot.scenes.replay import choose_last_round, replay_rounds, start_again
from littlestone.plot.scenes.scene import Area, Mark, Points, Scene


def compose_thresholds(game: Any, round: int | None = None) -> Scene:
    """Compose the thresholds that remain before each round, and after the last one that is shown."""
    player = start_again(game)
    last = choose_last_round(game, round)
    concepts = getattr(player.learner, "concepts", None)
    require(isinstance(concepts, Thresholds), f"the game must be one of Thresholds, got {player.learner}")
    assert isinstance(concepts, Thresholds)
    space = concepts.start()
    ends = [tuple(space.ends.tolist())]
    asked: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    rows: list[tuple[Any, ...]] = []
    for turn in replay_rounds(game, player, last):
        asked[turn.y].append((turn.number, turn.x))
        concepts.keep(space, turn.x, turn.y)
        ends.append(tuple(space.ends.tolist()))
        left = ends[-1][1] - ends[-1][0] + 1
        rows.append((turn.number, turn.x, bool(turn.y), turn.mistake, *ends[-1], left))
    places = [place for k in range(len(ends)) for place in (k + 0.5, k + 1.5)]  # one unit wide before each round
    low, high = ([end[side] + side - 0.5 for end in ends for _ in "||"] for side in (0, 1))
    named = zip(asked, ("asked, negative: j > x", "asked, positive: j <= x"), (False, True), strict=True)
    marks: list[Mark] = [
        Area(places, low, high, "thresholds that agree", 0),
        *(
            Points([t for t, _ in own], [x for _, x in own], name, "square" if up else "circle", int(up), up)
            for own, name, up in named
            if own
        ),
    ]
    left = ends[-1][1] - ends[-1][0] + 1
    wrong = sum(row[3] for row in rows)
    words = f"{left:,} of {concepts.n + 2:,} thresholds agree with {last} rounds, of which {wrong} were mistakes."
    header = ("round", "x", "label", "mistake", "from", "to", "left")
    return Scene("A version space closing in", marks, "round", "threshold j", words, header, rows)
