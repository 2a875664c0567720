"""Estimators with a learner in them: its fields as parameters, and its game played chunk by chunk."""

from typing import Any, Self

from sklearn.base import BaseEstimator

from littlestone.base.chunks import Examples
from littlestone.game import classifier as adapter
from littlestone.game.player import Player
from littlestone.sklearn import rows

CHECKED: dict[str, Any] = {"accept_sparse": "csr", "accept_large_sparse": True, "dtype": list(rows.REALS)}


class LearnerEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator whose parameter `learner` is a learner, and whose `player_` plays it."""

    learner: Any
    player_: Player

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, with `deep` also the learner's own as learner__name."""
        params: dict[str, Any] = super().get_params(deep=False)
        return params | adapter.list_parameters(self.learner, "learner") if deep else params

    def set_params(self, **params: Any) -> Self:
        """Set parameters; learner__name sets a field of the learner."""
        within = {name: value for name, value in params.items() if name.startswith("learner__")}
        super().set_params(**{name: value for name, value in params.items() if name not in within})
        for name, value in within.items():
            self.learner = adapter.change_parameter(self.learner, name.removeprefix("learner__"), value)
        return self

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        for player in self._list_players() if hasattr(self, "player_") else ():
            adapter.own_arrays(player)

    def _list_players(self) -> list[Player]:
        """List the players that learn."""
        return [self.player_]

    def _play(self, chunk: Examples) -> None:
        """Play all rows once; the first that is refused raises."""
        for player in self._list_players():
            for _ in player.play_chunk(chunk):
                pass
