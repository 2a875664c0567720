"""Label wishes: live play with a learner that wants some labels only.

>>> from littlestone import Player, SelectiveSampling
>>> player = Player(SelectiveSampling(smoothing=0.01), classes=[False, True])
>>> asked = 0
>>> for x, y in [([1, 0], True), ([0, 1], False)] * 50:
...     if player.wants_label(x):
...         player.update(x, y)
...         asked += 1
...     else:
...         player.skip(x)
>>> asked < 30, player.predict([1, 0])
(True, True)
"""

from typing import Any

from littlestone.base.errors import BadParameter
from littlestone.base.traits import Asking
from littlestone.game.chunk_player import ChunkPlayer
from littlestone.game.refusal import changes_nothing_if_refused


class LabelWishes(ChunkPlayer):
    """What a player says about labels before they are looked up."""

    @changes_nothing_if_refused
    def wants_label(self, x: Any) -> bool:
        """Whether the learner wants the label of x, the instance that comes next; most learners want every one."""
        player: Any = self
        seen = player.ask(x)  # which may make room in the state
        return not isinstance(self.learner, Asking) or self.learner.wants(self.state, seen)

    @changes_nothing_if_refused
    def skip(self, x: Any, mistake: bool = False) -> None:
        """Play a round whose label is not wanted and stays unknown.

        The round is counted; whether it was a `mistake` only if there is a judge who knows and says so.
        """
        player: Any = self
        if not isinstance(self.learner, Asking):
            raise BadParameter(f"{self.learner} wants every label: update(x, y) plays a round")
        if self.wants_label(x):
            raise BadParameter("the learner wants this label: update(x, y) plays the round")
        seen = player.see(x)
        self.learner.skip(self.state, seen)
        self._rounds += 1
        self._mistakes += mistake
