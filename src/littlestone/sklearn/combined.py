"""CombinedClassifier: any scikit-learn classifiers as experts, followed online with a guarantee.

`fit` plays a fair game: it goes through the rows in blocks, each as long as all that came before. The classifiers are
fitted on the rows before a block and forecast it; the learner follows their forecasts round by round (`combine`).
After the last block they are fitted on all rows, so fitting costs about twice what it costs alone. `partial_fit`
plays the new rows first and teaches them then. A classifier that cannot answer yet sleeps.

Theorem: that of the learner; `WeightedMajority` makes few more mistakes than the best of the classifiers made.

>>> from sklearn.dummy import DummyClassifier
>>> from sklearn.tree import DecisionTreeClassifier
>>> pool = [("no", DummyClassifier(strategy="constant", constant=0)), ("tree", DecisionTreeClassifier())]
>>> X, y = [[0], [1]] * 50, [0, 1] * 50
>>> model = CombinedClassifier(pool).fit(X, y)
>>> model.weights_["tree"] > 0.99, model.predict([[0], [1]]).tolist()
(True, [0, 1])
"""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metaestimators import _BaseComposition, available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import BadLabel, BadParameter, require
from littlestone.base.locks import LazilyLocked, locked
from littlestone.game import classifier as adapter
from littlestone.game.combination import combine
from littlestone.learners.experts.contract import Experts

FIRST = 16  # rows that are not forecast: the classifiers learn from them first


def _can_learn_more(model: Any) -> bool:
    """Whether all classifiers can be taught more rows, or none needs to be."""
    return model.prefit or all(hasattr(one, "partial_fit") for _, one in model.estimators)


class CombinedClassifier(LazilyLocked, ClassifierMixin, _BaseComposition):  # type: ignore[misc]
    """Classifiers as experts, for two classes.

    Args:
        estimators: Pairs of a name and a classifier, which may be a pipeline.
        learner: The learner that follows them; None: `WeightedMajority()`. One that predicts numbers, such as
            `Aggregating()`, is given probabilities of the second class.
        prefit: The classifiers are fitted already: they are followed as they are and never taught.
        seed: Seed of the learner's coins.
    """

    def __init__(self, estimators: Any, learner: Experts | None = None, prefit: bool = False, seed: int = 0) -> None:
        self.estimators = estimators
        self.learner = learner
        self.prefit = prefit
        self.seed = seed

    @locked
    def fit(self, X: Any, y: Any) -> Self:
        """Play the rows in their order, each forecast by classifiers that have seen only rows before it."""
        X, y = self._check_rounds(X, y, first=True)
        self._begin(np.unique(y))
        rows = len(y)
        begin, end = (0, rows) if self.prefit or len(self.classes_) == 1 else (min(FIRST, rows), min(2 * FIRST, rows))
        while begin < rows:
            before = np.arange(begin)
            for model in () if self.prefit else self.estimators_:
                try:
                    model.fit(_safe_indexing(X, before), y[before])
                except ValueError:  # rows of one class teach most classifiers nothing: it sleeps
                    pass
            block = np.arange(begin, end)
            self._play(_safe_indexing(X, block), y[block])
            begin = end
            end = min(2 * end, rows)
        for model in () if self.prefit or len(self.classes_) == 1 else self.estimators_:
            model.fit(X, y)
        return self

    @available_if(_can_learn_more)
    @locked
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Play more rows, then teach them; the first call must name the classes."""
        begun = hasattr(self, "combination_")
        require(begun or classes is not None, "the first call of partial_fit must name the classes", BadLabel)
        X, y = self._check_rounds(X, y, first=not begun)
        if not begun:
            self._begin(np.unique(classes))
        unknown = np.setdiff1d(y, self.classes_)
        require(len(unknown) == 0, f"the classes are {self.classes_}, got {unknown}", BadLabel)
        self._play(X, y)
        for model in () if self.prefit else self.estimators_:
            model.partial_fit(X, y, classes=self.classes_)
        return self

    @locked
    def predict(self, X: Any) -> Array:
        """Report the class that the learner chooses, given what the classifiers say."""
        check_is_fitted(self)
        X = self._check_rows(X, first=False)
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, _count_rows(X))
        forecasts, problem = self._ask(X)
        if problem is not None and np.isnan(forecasts).all():
            raise problem
        guesses = np.array([self.combination_.predict(row) for row in forecasts])
        return np.asarray(self.classes_[(guesses > 0.5).astype(int)])

    @property
    def weights_(self) -> dict[str, float]:
        """How far each classifier is trusted."""
        return self.combination_.weights

    @property
    def mistakes_(self) -> int:
        """How many rounds were guessed wrong before their labels were seen."""
        return int(self.combination_.player.tally.mistakes)

    def certificate(self) -> Certificate:
        """Certify what the learner's theorem allowed, given how the best classifier did."""
        check_is_fitted(self)
        return self.combination_.certificate()

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, with `deep` also the classifiers by their names, and their parameters."""
        return dict(self._get_params("estimators", deep=deep))

    def set_params(self, **params: Any) -> Self:
        """Set parameters; name__parameter sets one of a classifier."""
        self._set_params("estimators", **params)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        try:
            inner = [get_tags(model).input_tags for _, model in self.estimators]
        except (TypeError, ValueError, AttributeError):  # what is wrong with them is forecasts when they are fitted
            return tags
        tags.input_tags.sparse = all(one.sparse for one in inner)
        tags.input_tags.allow_nan = all(one.allow_nan for one in inner)
        return tags

    def _begin(self, classes: Array) -> None:
        """Begin a game with fresh classifiers."""
        if len(classes) > 2:
            raise BadLabel(f"Only binary classification is supported. The type of the target is multiclass: {classes}")
        pairs = list(self.estimators or ())
        if not pairs or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
            raise BadParameter(f"estimators must be pairs of a name and a classifier, got {self.estimators!r}")
        self.names_ = [name for name, _ in pairs]
        self.estimators_ = [model if self.prefit else clone(model) for _, model in pairs]
        columns = range(len(pairs))
        self.combination_ = combine(columns, self.learner, self.names_, classes=(0, 1), seed=self.seed)
        self.classes_ = classes

    def _check_rounds(self, X: Any, y: Any, first: bool) -> tuple[Any, Array]:
        if y is None:
            raise BadLabel("This CombinedClassifier estimator requires y to be passed, but the target y is None.")
        X = self._check_rows(X, first)
        y = np.asarray(column_or_1d(y, warn=True))
        check_consistent_length(X, y)
        check_classification_targets(y)
        return X, y

    def _check_rows(self, X: Any, first: bool) -> Any:
        """Check rows; data frames reach the classifiers as they are, and only their columns are checked here."""
        if hasattr(X, "columns"):
            return validate_data(self, X, reset=first, skip_check_array=True)
        tags = get_tags(self).input_tags
        finite = not tags.allow_nan
        sparse = ("csr",) if tags.sparse else False
        return validate_data(self, X, reset=first, dtype=None, accept_sparse=sparse, ensure_all_finite=finite)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        if hasattr(self, "combination_"):
            adapter.own_arrays(self.combination_.player)

    def _play(self, X: Any, y: Array) -> None:
        """Play rows as the classifiers forecast them now."""
        forecasts, _ = self._ask(X)
        outcomes = (y == self.classes_[-1]).astype(int)
        for row, outcome in zip(forecasts, outcomes.tolist(), strict=True):
            if not np.isnan(row).all():  # while all classifiers sleep there is no game
                self.combination_.update(row, outcome)

    def _ask(self, X: Any) -> tuple[Array, Exception | None]:
        """Ask every classifier for its forecasts.

        Returns:
            A column of forecasts for each classifier, NaN where it sleeps.
            The error of the last one that sleeps; None if all are awake.
        """
        problem: Exception | None = None
        forecasts = np.full((_count_rows(X), len(self.estimators_)), np.nan)
        for k, model in enumerate(self.estimators_):
            try:
                if self.combination_.learner.numeric:
                    forecasts[:, k] = model.predict_proba(X)[:, list(model.classes_).index(self.classes_[-1])]
                else:
                    forecasts[:, k] = model.predict(X) == self.classes_[-1]
            except Exception as excuse:  # a classifier that raises any error sleeps
                problem = excuse
        return forecasts, problem


def _count_rows(X: Any) -> int:
    """Count the rows of an array, a data frame or a list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
