"""Model files: a player on disk, and back, to the bit.

`player.save("m.lst")` writes one, `load("m.lst")` reads it. A run that is saved, loaded and continued ends as if it had
never stopped; equal players give equal bytes; a damaged or forged file is refused, and nothing in it is ever executed.
The layout, the promises and the limits are in docs/model-file.md.

>>> import tempfile, littlestone as ls
>>> player = ls.Player(ls.Perceptron(), features=ls.Named())
>>> player.update({"free": 1, "money": 2.0}, True)
>>> with tempfile.TemporaryDirectory() as folder:
...     player.save(f"{folder}/m.lst", about={"source": "mail"})
...     loaded, about = read(f"{folder}/m.lst")
>>> loaded.tally == player.tally, loaded.score({"money": 1}), about
(True, 3.0, {'source': 'mail'})
"""

import os
from typing import Any, NamedTuple

from littlestone.base.errors import BadModel
from littlestone.game.player import Player
from littlestone.game.saving import container, records
from littlestone.game.saving.sparse import MOST


class Model(NamedTuple):
    """A player from a file, and what was kept with it."""

    player: Player
    about: dict[str, Any]


def read(path: str | os.PathLike[str], memory: int = MOST) -> Model:
    """The player of a model file and what was kept with it; BadModel, with the name of the file, for any other."""
    return _restore(path, *container.read(path), memory)


def load(path: str | os.PathLike[str], memory: int = MOST) -> Any:
    """The player that `player.save(path)` wrote, or the league that `league.save(path)` did if all members are ours.

    A small file may stand for large arrays: one whose arrays would take more than `memory` bytes (4 GB) is refused
    before they are allocated.
    """
    return read_any(path, memory)[0]


def read_any(path: str | os.PathLike[str], memory: int = MOST) -> tuple[Any, dict[str, Any]]:
    """What `load` returns, and what was kept with it."""
    document, arrays = container.read(path)
    if "league" in document:
        from littlestone.game.league.saving import restore_file

        return restore_file(path, document, arrays, {}, memory), document.get("about", {})
    return _restore(path, document, arrays, memory)


def _restore(path: str | os.PathLike[str], document: dict[str, Any], arrays: dict[str, Any], memory: int) -> Model:
    try:
        if "league" in document:
            raise BadModel(
                "is a league's, not a player's: littlestone.load reads it, and learn --league --resume goes on with it"
            )
        about = document["about"]
        if not isinstance(about, dict):
            raise BadModel("is inconsistent: nothing is kept with the player")
        return Model(records.restore_player(document, arrays, memory=memory), about)
    except (BadModel, KeyError) as problem:
        raise BadModel(f"{os.fspath(path)} {problem}") from None
