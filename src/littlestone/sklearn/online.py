"""OnlineClassifier: every learner over rows of attributes as a scikit-learn classifier.

`fit` plays the rows in their order, `partial_fit` goes on with more; new classes may appear at any time. Numbers of
mistakes are those of the game: each row was guessed before its label was seen. `player_` is the player itself.

>>> from littlestone import Winnow
>>> from littlestone.sklearn import OnlineClassifier
>>> X, y = [[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]] * 3, ["yes", "no", "yes", "no"] * 3
>>> model = OnlineClassifier(Winnow()).fit(X, y)
>>> model.predict([[1, 0, 1], [0, 1, 0]]).tolist(), model.mistakes_
(['yes', 'no'], 2)
"""

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import BadLabel, BadParameter, NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner, Size
from littlestone.game import classifier as adapter
from littlestone.game.certify import certify, covered
from littlestone.game.player import Player
from littlestone.learners import NaiveBayes
from littlestone.learners.conversions import Interactions

CLASSES = "biuU"  # kinds of arrays whose entries can only be classes
CLOSE = 2**16  # whole numbers among which a table finds the classes sooner than sorting
HAIR = 5e-324  # the least number above zero
CHECKED: dict[str, Any] = {"accept_sparse": "csr", "accept_large_sparse": True, "dtype": [np.float64, np.float32]}


class Rows(Stream):
    """Rows in memory, played several times over."""

    def __init__(self, chunk: Examples, passes: int) -> None:
        self._chunk, self._passes, self.rounds = chunk, passes, passes * len(chunk)

    def size(self) -> Size:
        return size(self._chunk)

    def chunks(self) -> Iterator[Examples]:
        for _ in range(self._passes):
            yield self._chunk


def _scored(model: Any) -> bool:
    """Naive Bayes has its say as probabilities, as scikit-learn's own."""
    return adapter.offers(model.learner, "score") and not isinstance(adapter.innermost(model.learner), NaiveBayes)


def _likely(model: Any) -> bool:
    """Units apart have probabilities of their own, whose order need not be that of their scores."""
    return adapter.offers(model.learner, "probability") and not adapter.apart(model.learner)


class OnlineClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner as a classifier.

    learner: any learner over rows, such as `Winnow()`; None: an AveragedPerceptron, with more than two classes a
        Network of them. A two-class learner that was named refuses a third class. `set_params(learner__margin=1)` and
        searches reach its fields.
    passes: how often `fit` plays the rows.
    binarize: learners over Boolean attributes see 1 where a value is larger than this, BalancedWinnow also -1 where it
        is smaller than the negative of this; None: values must be Boolean already. Others see values as they are.
    seed: of the learner's coins.
    """

    player_: Player
    classes_: Array

    def __init__(
        self, learner: Learner | None = None, passes: int = 1, binarize: float | None = 0.0, seed: int = 0
    ) -> None:
        self.learner = learner
        self.passes = passes
        self.binarize = binarize
        self.seed = seed

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and play the rows, `passes` times."""
        passes: Any = self.passes
        whole: Any = isinstance(passes, int | np.integer) and passes >= 1
        require(whole, f"passes must be a whole number, at least 1; got {passes!r}")
        chunk, classes = self._rounds(X, y, first=True)
        self._seat(chunk, classes, promised=False)
        for _ in range(passes):
            self._play(chunk)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Play more rows, once. `classes` may say beforehand, in the first call, which labels there will be.

        A `sample_weight` is the importance of a round: how many times as far as usual it moves the learner, if it
        moves it at all. It changes no count of mistakes.
        """
        begun = hasattr(self, "player_")
        chunk, met = self._rounds(X, y, first=not begun)
        declared = None if classes is None else np.unique(classes)
        if begun and self.player_.labels.closed:
            same = declared is None or np.array_equal(declared, self.classes_)
            require(same, f"classes were declared as {self.classes_}, now they are {declared}", BadLabel)
            declared = self.classes_
        unknown = () if declared is None else np.setdiff1d(met, declared)
        require(len(unknown) == 0, f"the classes declared are {declared}, got {unknown}", BadLabel)
        if not begun:
            self._seat(chunk, met if declared is None else declared, promised=declared is not None)
        else:
            every = np.union1d(self.classes_, met)
            self._bear(len(every))
            self.classes_ = every
        self._play(self._weighted(chunk, sample_weight))
        return self

    def predict(self, X: Any) -> Array:
        """The class reported for each row."""
        chunk = self._seen(X)
        return np.asarray(self.classes_[self._guessed(chunk)])

    @available_if(_scored)
    def decision_function(self, X: Any) -> Array:
        """The score of each row: positive for the second class, or with more classes one score for each."""
        chunk, numbers = self._seen(X), self._numbers
        scores, guesses = self.player_.learner.scores(self.player_.state, chunk), self._guessed(chunk)
        if len(numbers) > 2:
            return _settled(scores[:, numbers], guesses)
        second = numbers[-1]
        leads = (scores if second == 1 else -scores) if scores.ndim == 1 else scores[:, second] - scores[:, 1 - second]
        leads[(leads == 0) & (guesses == 1)] = HAIR  # a tie that the learner breaks for the second class
        return np.asarray(leads)

    @available_if(_likely)
    def predict_proba(self, X: Any) -> Array:
        """The chance of each class, fitted to the scores of the rounds played; no calibration is claimed."""
        chunk = self._seen(X)
        if len(self.classes_) == 1:
            return np.ones((len(chunk), 1))
        learner, state = self.player_.learner, self.player_.state
        chances = np.array([learner.probability(state, chunk[t]) for t in range(len(chunk))])
        if chances.ndim == 1:
            chances = np.stack((1 - chances, chances), axis=1)
        return _settled(chances[:, self._numbers], self._guessed(chunk))

    @property
    def coef_(self) -> Array:
        """What each attribute adds to the score of the second class, or of each class."""
        return self._coefficients()[0]

    @property
    def intercept_(self) -> Array:
        """What is added to each score without any attribute."""
        return self._coefficients()[1]

    @property
    def mistakes_(self) -> int:
        """How many rounds were guessed wrong before their labels were seen."""
        return int(self.player_.tally.mistakes)

    def certificate(self, X: Any = None, y: Any = None, theorem: str | None = None) -> Certificate:
        """What the theorem allowed on the rounds played.

        Some learners' states hold a witness. The others need the rows that `fit` was given, to seek one in them.
        """
        check_is_fitted(self)
        if not covered(self.player_.learner):
            return self.player_.certificate()
        if X is None:
            raise NotCertified(
                f"a witness for {self.player_.learner} is sought in the rounds: certificate(X, y) with the rows played"
            )
        told = "no theorem here covers rounds of unequal importance: play them without sample_weight"
        require(not self.weighted_, told, NotCertified)
        chunk, _ = self._rounds(X, y, first=False)
        passes = max(1, self.player_.tally.rounds // max(len(chunk), 1))
        player = copy.copy(self.player_)
        player.labels = Labels(player.labels.names)  # the order in which this game numbered them
        return certify(player, Rows(chunk, passes), theorem)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, with `deep` also the learner's own as learner__name."""
        params: dict[str, Any] = super().get_params(deep=False)
        return params | adapter.parameters(self.learner, "learner") if deep else params

    def set_params(self, **params: Any) -> Self:
        """Set parameters; learner__name sets a field of the learner."""
        within = {name: value for name, value in params.items() if name.startswith("learner__")}
        super().set_params(**{name: value for name, value in params.items() if name not in within})
        for name, value in within.items():
            self.learner = adapter.changed(self.learner, name.removeprefix("learner__"), value)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = adapter.takes_positive(self.learner, self.binarize)
        tags.classifier_tags.multi_class = adapter.takes_many(self.learner)
        counts = isinstance(adapter.innermost(self.learner), NaiveBayes)
        tags.classifier_tags.poor_score = counts or adapter.takes_signs(self.learner)  # on blobs in the plane
        return tags

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        if hasattr(self, "player_"):
            adapter.owned(self.player_)

    def _rounds(self, X: Any, y: Any, first: bool) -> tuple[Examples, Array]:
        """The rows as the player takes them, and the classes among the labels."""
        if first or not self._ready(X, y):
            sparse = hasattr(X, "tocsr")  # such values are looked at below
            X, y = validate_data(self, X, y, ensure_all_finite=not sparse, reset=first, **CHECKED)
            if y.dtype.kind not in CLASSES:
                check_classification_targets(y)
        return self._allowed(Examples.of(X, y)), _distinct(y)

    def _ready(self, X: Any, y: Any) -> bool:
        """Whether rows and labels are of a kind that needs no looking at: what is left to check, examples check."""
        arrays = (type(X) is np.ndarray or getattr(X, "format", None) == "csr") and type(y) is np.ndarray
        if not arrays or hasattr(self, "feature_names_in_") or y.dtype.kind not in CLASSES:
            return False
        return (
            X.dtype in CHECKED["dtype"]
            and X.ndim == 2
            and X.shape == (y.size, self.n_features_in_)
            and y.ndim == 1
            and y.size > 0
        )

    def _seen(self, X: Any) -> Examples:
        """The rows as the learner sees them."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **CHECKED)
        chunk = self._allowed(Examples.of(X, np.zeros(X.shape[0], np.int32)))
        return self.player_.features.chunk(chunk)  # type: ignore[no-any-return]

    def _allowed(self, chunk: Examples) -> Examples:
        """The chunk in arrays of the usual kind: read-only ones would have every loop compiled once more."""
        if adapter.takes_positive(self.learner, self.binarize):
            check_non_negative(chunk.values, type(self).__name__)
        names = ("indptr", "indices", "values", "labels")
        parts = {name: getattr(chunk, name) for name in names if getattr(chunk, name) is not None}
        if all(part.flags.writeable for part in parts.values()):
            return chunk
        return replace(chunk, **{name: np.require(part, requirements="W") for name, part in parts.items()})

    def _guessed(self, chunk: Examples) -> Array:
        """The place in `classes_` of what the player reports for each row."""
        if len(self.classes_) == 1:
            return np.zeros(len(chunk), np.int64)
        return np.asarray(np.argsort(self._numbers)[self.player_.learner.readouts(self.player_.state, chunk)])

    def _seat(self, chunk: Examples, classes: Array, promised: bool) -> None:
        """Begin a game. The classes known now are numbered in their order, so that the last one is the positive class;
        unless it was promised that there are no others, more may turn up."""
        self._bear(len(classes))
        self.weighted_ = False
        declared = classes.tolist() if promised or len(classes) > 1 else ()
        self.player_ = adapter.player(self.learner, Indexed(), declared, self.binarize, self.seed)
        self.player_.seat(size(chunk))
        self.player_.labels.closed = promised
        self.classes_ = classes

    def _bear(self, classes: int) -> None:
        """Refuse more classes than the learner that was named tells apart."""
        learner: Any = self.learner
        if isinstance(learner, Learner) and learner.limit() < classes:
            raise BadLabel(
                f"Only binary classification is supported. The type of the target is multiclass, {learner} tells "
                f"{learner.limit()} classes apart; OnlineClassifier(Network(learner)) takes any number"
            )

    def _play(self, chunk: Examples) -> None:
        played = 0
        while played < len(chunk):  # fewer rounds than asked for: the next one is refused, and then raises
            played += len(self.player_.replay(chunk[played:])[0])

    def _weighted(self, chunk: Examples, sample_weight: Any) -> Examples:
        if sample_weight is None:
            return chunk
        weights = np.asarray(sample_weight, np.float64)
        fits = weights.shape == (len(chunk),) and bool((np.isfinite(weights) & (weights >= 0)).all())
        require(fits, f"sample_weight must be {len(chunk)} numbers, at least 0 and finite; got {sample_weight!r}")
        if (weights == 1).all():
            return chunk
        learner = self.player_.learner
        if not adapter.takes_importance(learner):
            raise BadParameter(f"{learner} counts every round once: sample_weight has no meaning for it")
        self.weighted_ = True  # no theorem covers what was learned
        return replace(chunk, importance=weights)

    @property
    def _numbers(self) -> list[int]:
        """The numbers by which the player knows the classes, in their order; one not met yet has what is left."""
        labels = self.player_.labels
        known = [labels.known(label) for label in self.classes_.tolist()]
        left = iter(number for number in range(len(known) + 1) if number not in known)
        return [next(left) if number is None else number for number in known]

    def _coefficients(self) -> tuple[Array, Array]:
        learner, numbers = self.player_.learner, self._numbers
        if not adapter.offers(learner, "plane") or isinstance(learner, Interactions):
            raise AttributeError(f"the score of {learner} is not linear in the attributes: it has no coef_")
        weights, constants = learner.plane(self.player_.state)
        weights = weights[: self.n_features_in_].T
        if len(weights) == 1:
            return (weights, constants) if numbers[-1] == 1 else (-weights, -constants)
        weights, constants = weights[numbers], constants[numbers]
        return (weights[1:] - weights[:1], np.diff(constants)) if len(numbers) == 2 else (weights, constants)


def size(chunk: Examples) -> Size:
    """What rows tell a learner before the first round."""
    assert chunk.values is not None
    return Size(chunk.width, real=chunk.values.dtype.type)


def _settled(values: Array, columns: Array) -> Array:
    """Rows whose largest entry stands in the column given: where several are largest, that one by a hair."""
    for t in np.flatnonzero(values.argmax(axis=1) != columns):
        values[t, columns[t]] = np.nextafter(values[t].max(), np.inf)
    return values


def _distinct(y: Array) -> Array:
    """The classes among the labels, in their order; whole numbers close together need not be sorted."""
    if y.dtype.kind in "iu" and len(y) > CLOSE:
        low = int(y.min())
        if int(y.max()) - low < CLOSE:
            return np.asarray(np.flatnonzero(np.bincount(y.astype(np.int64) - low)) + low, y.dtype)
    return np.unique(y)
