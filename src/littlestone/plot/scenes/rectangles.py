"""Rectangles: a version space closing in: the points of a grid on which the boxes that still agree differ."""

from typing import Any

from littlestone.base.errors import require
from littlestone.concepts import Rectangles
from littlestone.plot.scenes.replay import choose_last_round, replay_rounds, start_again
from littlestone.plot.scenes.scene import Line, Mark, Points, Scene


def compose_rectangles(game: Any, round: int | None = None) -> Scene:
    """Compose the grid after a round (the last one): points inside every box that agrees, outside, or in dispute."""
    player = start_again(game)
    last = choose_last_round(game, round)
    learner = player.learner
    concepts = getattr(learner, "concepts", None)
    require(
        isinstance(concepts, Rectangles) and concepts.d == 2, f"the game must be one of Rectangles(m, 2), got {learner}"
    )
    assert isinstance(concepts, Rectangles)
    space = concepts.start()
    rows = list[tuple[Any, ...]]()
    positives: list[tuple[int, int]] = []
    shown: tuple[int, int] | None = None
    for turn in replay_rounds(game, player, last):
        shown = turn.x
        positives += [turn.x] if turn.y else []
        concepts.keep(space, turn.x, turn.y)
        left = concepts.survivors(space)
        rows.append((turn.number, *turn.x, bool(turn.y), turn.mistake, left))
    kinds: dict[str, list[tuple[int, ...]]] = {"outside every box": [], "in dispute": [], "inside every box": []}
    for x in concepts.instances():
        negative, positive = concepts.votes(space, x)
        kind = "in dispute" if negative and positive else "inside every box" if positive else "outside every box"
        kinds[kind].append(x)
    looks = {"outside every box": ("cross", 1, True), "in dispute": ("circle", 6, False)}
    marks: list[Mark] = []
    for kind, own in kinds.items():
        shape, tone, filled = looks.get(kind, ("square", 0, True))
        if own:
            marks.append(Points([x for x, _ in own], [y for _, y in own], kind, shape, tone, filled))  # type: ignore[arg-type]
    if positives:
        (a, b), (c, d) = ((min(side) - 0.35, max(side) + 0.35) for side in zip(*positives, strict=True))
        marks.append(Line([a, b, b, a], [c, c, d, d], "smallest box that agrees", "solid", 0, closed=True))
    if shown is not None:
        marks.append(Points([shown[0]], [shown[1]], f"round {last}", "ring", 2, False))
    left = concepts.survivors(space)
    words = f"{left:,} of {concepts.size:,} boxes agree with {last} rounds; {len(kinds['in dispute'])} points are open."
    header = ("round", "x1", "x2", "label", "mistake", "left")
    return Scene("Boxes closing in", marks, "x1", "x2", words, header, rows, equal=True)
