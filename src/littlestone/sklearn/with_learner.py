"""Estimators with a learner in them: its fields as parameters, and its game played chunk by chunk."""

from typing import Any, Self

from sklearn.base import BaseEstimator

from littlestone.base.chunks import Chunk
from littlestone.base.learner import Learner
from littlestone.base.locks import LazilyLocked
from littlestone.base.traits import Probabilities, Scores, offers
from littlestone.game import classifier as adapter
from littlestone.game.player import Player
from littlestone.sklearn import rows

CHECKED: dict[str, Any] = {"accept_sparse": "csr", "accept_large_sparse": True, "dtype": list(rows.REALS)}


class LearnerEstimator(LazilyLocked, BaseEstimator):  # type: ignore[misc]
    """An estimator whose parameter `learner` is a learner, and whose `player_` plays it."""

    learner: Any
    player_: Player

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, with `deep` also the learner's own as learner__name."""
        params: dict[str, Any] = super().get_params(deep=False)
        if self._hides_class_weight():
            del params["class_weight"]
        return params | adapter.list_parameters(self.learner, "learner") if deep else params

    def set_params(self, **params: Any) -> Self:
        """Set parameters; learner__name sets a field of the learner."""
        hidden = self._hides_class_weight()
        within = {name: value for name, value in params.items() if name.startswith("learner__")}
        super().set_params(**{name: value for name, value in params.items() if name not in within})
        for name, value in within.items():
            self.learner = adapter.change_parameter(self.learner, name.removeprefix("learner__"), value)
        self._class_weight_hidden = hidden and not isinstance(self.learner, Learner)
        return self

    def _hides_class_weight(self) -> bool:
        """Whether `class_weight` is no parameter: the learner has no log-loss to weigh, or had none before it was None.

        Which parameters there are must not change when one of them is set to None.
        """
        given = getattr(self, "class_weight", "no parameter at all")
        return given is None and (not adapter.has_losses(self.learner) or getattr(self, "_class_weight_hidden", False))

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        for player in self._list_players() if hasattr(self, "player_") else ():
            adapter.own_arrays(player)

    def _list_players(self) -> list[Player]:
        """List the players that learn."""
        return [self.player_]

    def _play(self, chunk: Chunk) -> None:
        """Play all rows once; the first that is refused raises."""
        for player in self._list_players():
            player.lock = self.lock
            for _ in player.play_chunk(chunk):
                pass


def _offers(learner: Any, trait: type[Any]) -> bool:
    """Whether the learner, or the player's own choice where none is named, has a trait."""
    return learner is None or offers(learner, trait)


def has_scores(model: Any) -> bool:
    """Whether the learner has scores; naive Bayes has probabilities only, as scikit-learn's own."""
    return _offers(model.learner, Scores) and not adapter.find_takes(model.learner, None).counts


def has_probabilities(model: Any) -> bool:
    """Whether the learner has probabilities; those of units that share nothing may be in another order than scores."""
    return _offers(model.learner, Probabilities) and not adapter.units_share_nothing(model.learner)
