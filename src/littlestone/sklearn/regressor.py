"""OnlineRegressor: learners that predict numbers as a scikit-learn regressor.

`fit` plays the rows in their order, `partial_fit` goes on with more. Columns and labels may be in any units: nothing
has to be scaled. `player_` is the player itself.

>>> from littlestone.sklearn import OnlineRegressor
>>> X, y = [[1.0, 200.0], [2.0, 100.0], [3.0, 400.0], [4.0, 300.0]] * 50, [5.0, 4.0, 11.0, 10.0] * 50
>>> model = OnlineRegressor(quantiles=(0.1, 0.9)).fit(X, y)
>>> model.predict([[2.0, 100.0]]).round(1).tolist(), model.predict_quantiles(X).shape
([4.0], (200, 2))
"""

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from littlestone.base.chunks import Array, Examples
from littlestone.base.errors import BadParameter, require
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner
from littlestone.base.locks import locked
from littlestone.base.traits import require_plane
from littlestone.game.player import Player
from littlestone.game.regressor import choose_regressor, make_regressor
from littlestone.learners import CoinRegression
from littlestone.sklearn import rows
from littlestone.sklearn.with_learner import CHECKED, LearnerEstimator


class OnlineRegressor(RegressorMixin, LearnerEstimator):  # type: ignore[misc]
    """A learner as a regressor.

    Args:
        learner: `Ridge()`, `CoinRegression("absolute")` or another learner that predicts numbers. None: `Ridge()` for
            at most 128 attributes, and `CoinRegression("huber")` for more.
            `set_params(learner__ridge=1)` and searches reach its fields.
        passes: How often `fit` plays the rows, >= 1.
        quantiles: Quantiles that `predict_quantiles` gives, each learned by a `CoinRegression("pinball")`.
    """

    def __init__(self, learner: Learner | None = None, passes: int = 1, quantiles: tuple[float, ...] = ()) -> None:
        self.learner = learner
        self.passes = passes
        self.quantiles = quantiles

    @locked
    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and play the rows, `passes` times."""
        passes: Any = self.passes
        whole: Any = isinstance(passes, int | np.integer) and passes >= 1
        require(whole, f"passes must be a whole number, at least 1; got {passes!r}")
        chunk = self._check_rounds(X, y, first=True)
        self._begin(chunk)
        for _ in range(self.passes):
            self._play(chunk)
        return self

    @locked
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Play more rows, once; `sample_weight` is how much each row counts, >= 0."""
        begun = hasattr(self, "player_")
        chunk = self._check_rounds(X, y, first=not begun)
        if not begun:
            self._begin(chunk)
        self._play(chunk if sample_weight is None else rows.weigh_rows(chunk, sample_weight))
        return self

    @locked
    def predict(self, X: Any) -> Array:
        """Predict a number for each row."""
        return self._ask(self._see(X), self.player_)

    @locked
    def predict_quantiles(self, X: Any) -> Array:
        """Predict the quantiles of each row, a column for each, sorted within the row."""
        chunk = self._see(X)
        if not self.quantiles_:
            raise BadParameter("there are no quantiles: OnlineRegressor(quantiles=(0.1, 0.5, 0.9)) learns these")
        return np.sort(np.stack([self._ask(chunk, player) for player in self.quantiles_], axis=1), axis=1)

    @property
    def coef_(self) -> Array:
        """The weight of each attribute."""
        return self._find_plane()[0]

    @property
    def intercept_(self) -> float:
        """What is added without any attribute."""
        return self._find_plane()[1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _list_players(self) -> list[Player]:
        return [self.player_, *self.quantiles_]

    def _check_rounds(self, X: Any, y: Any, first: bool) -> Examples:
        """Check rows and labels, and return them as players take them."""
        X, y = validate_data(self, X, y, y_numeric=True, reset=first, **CHECKED)
        return rows.make_writable(Examples.of(X, np.asarray(y, np.float64)))

    def _see(self, X: Any) -> Examples:
        """Check rows and return them as learners see them."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **CHECKED)
        return rows.make_writable(Examples.of(X, np.zeros(X.shape[0])))

    def _begin(self, chunk: Examples) -> None:
        """Begin a game."""
        learner = choose_regressor(chunk.width) if self.learner is None else self.learner
        self.player_ = make_regressor(learner, Indexed())
        bands = [CoinRegression("pinball", float(quantile)) for quantile in sorted(self.quantiles)]
        self.quantiles_ = [make_regressor(band, Indexed()) for band in bands]
        for player in self._list_players():
            player.start_state(rows.find_size(chunk))

    def _ask(self, chunk: Examples, player: Player) -> Array:
        """Ask a player about rows."""
        return np.asarray(player.learner.readouts(player.state, player.features.read_chunk(chunk)))

    @locked
    def _find_plane(self) -> tuple[Array, float]:
        """Find the weights and the constant."""
        weights, constants = require_plane(self.player_.learner).plane(self.player_.state)
        return weights[: self.n_features_in_, 0], float(constants[0])
