"""OnlineClassifier: every learner over rows of attributes as a scikit-learn classifier.

`fit` plays the rows in their order, `partial_fit` goes on with more; new classes may appear at any time. Mistakes are
those of the game: each row was guessed before its label was seen. `player_` is the player itself.

A frame may mix columns of numbers with categories, texts and dates: it is read as a CSV file is, by names of columns.

>>> from littlestone import Winnow
>>> from littlestone.sklearn import OnlineClassifier
>>> X, y = [[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]] * 3, ["yes", "no", "yes", "no"] * 3
>>> model = OnlineClassifier(Winnow()).fit(X, y)
>>> model.predict([[1, 0, 1], [0, 1, 0]]).tolist(), model.mistakes_
(['yes', 'no'], 2)
"""

import copy
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, column_or_1d, validate_data

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Chunk, Examples
from littlestone.base.errors import BadLabel, NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.features.frames import has_words
from littlestone.base.features.schema import Schema
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner
from littlestone.base.locks import locked
from littlestone.base.traits import (
    Plane,
    offers,
    require_plane,
    require_probabilities,
    require_scores,
)
from littlestone.game import classifier as adapter
from littlestone.game.certify import certify, is_covered
from littlestone.sklearn import rows
from littlestone.sklearn.with_learner import CHECKED, LearnerEstimator, has_probabilities, has_scores

LEAST = 5e-324  # the least number above zero


class OnlineClassifier(ClassifierMixin, LearnerEstimator):  # type: ignore[misc]
    """A learner as a classifier.

    Args:
        learner: Any learner over rows, such as `Winnow()`; None: `Logistic()`.
            `set_params(learner__margin=1)` and searches reach its fields.
        passes: How often `fit` plays the rows, >= 1.
        binarize: Learners over Boolean attributes see 1 where a value is larger than this, >= 0; BalancedWinnow also -1
            where it is smaller than the negative of this. None: values must be Boolean already. Others ignore it.
        seed: Seed of the learner's coins.
        class_weight: How much rows count by their class: a dict, in which a class that is left out counts once, or
            "balanced": row n counts n / (k m), k being the classes so far and m the rows so far of its own class, this
            row included; each pass of `fit` counts anew, `partial_fit` goes on. None: all rows count once.
    """

    classes_: Array
    schema_: Schema | None  # of a frame whose columns are not all of numbers
    _texts: bool = False  # whether rows are texts
    _features: Any  # what numbers the attributes of rows

    def __init__(
        self,
        learner: Learner | None = None,
        passes: int = 1,
        binarize: float | None = 0.0,
        seed: int = 0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
    ) -> None:
        self.learner = learner
        self.passes = passes
        self.binarize = binarize
        self.seed = seed
        self.class_weight = class_weight

    @locked
    def fit(self, X: Any, y: Any, **given: Any) -> Self:
        """Forget what was learned and play the rows, `passes` times; `sample_weight=` as for `partial_fit`."""
        require(not set(given) - {"sample_weight"}, f"fit takes X, y and sample_weight, got {', '.join(given)}")
        passes: Any = self.passes
        whole: Any = isinstance(passes, int | np.integer) and passes >= 1
        require(whole, f"passes must be a whole number, at least 1; got {passes!r}")
        chunk, classes = self._check_rounds(X, y, first=True)
        self._begin(chunk, classes, promised=False)
        rows.require_classes(self._class_weights, classes.tolist())
        weighed = self._weigh(chunk, given.get("sample_weight"))
        for _ in range(self.passes):
            self._play(weighed)
        return self

    @locked
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Play more rows, once.

        Args:
            X: The rows.
            y: Their labels.
            classes: In the first call, which labels there will be; None: those that turn up.
            sample_weight: How much each row counts for what is learned, >= 0. Learners for log-loss multiply its loss
                by it, in several plays of the row if it is above 1; others multiply their steps by it.
        """
        begun = hasattr(self, "player_")
        chunk, met = self._check_rounds(X, y, first=not begun)
        declared = None if classes is None else np.unique(classes)
        if begun and self.player_.labels.closed:
            same = declared is None or np.array_equal(declared, self.classes_)
            require(same, f"classes were declared as {self.classes_}, now they are {declared}", BadLabel)
            declared = self.classes_
        unknown = () if declared is None else np.setdiff1d(met, declared)
        require(len(unknown) == 0, f"the classes declared are {declared}, got {unknown}", BadLabel)
        if not begun:
            self._begin(chunk, met if declared is None else declared, promised=declared is not None)
        else:
            every = np.union1d(self.classes_, met)
            self._require_classes(len(every))
            self.classes_ = every
        self._play(self._weigh(chunk, sample_weight))
        return self

    @locked
    def predict(self, X: Any) -> Array:
        """Report a class for each row."""
        chunk = self._see(X)
        return np.asarray(self.classes_[self._guess(chunk)])

    @available_if(has_scores)
    @locked
    def decision_function(self, X: Any) -> Array:
        """Score each row: positive for the second class, or with more classes one score for each."""
        chunk = self._see(X)
        numbers = self._numbers
        scores = require_scores(self.player_.learner).scores(self.player_.state, chunk)
        guesses = self._guess(chunk)
        if len(numbers) > 2:
            return rows.break_ties(scores[:, numbers], guesses)
        second = numbers[-1]
        leads = (scores if second == 1 else -scores) if scores.ndim == 1 else scores[:, second] - scores[:, 1 - second]
        leads[(leads == 0) & (guesses == 1)] = LEAST  # a tie that the learner breaks for the second class
        return np.asarray(leads)

    @available_if(has_probabilities)
    @locked
    def predict_proba(self, X: Any) -> Array:
        """Return the chance of each class; no calibration is claimed."""
        chunk = self._see(X)
        if len(self.classes_) == 1:
            return np.ones((len(chunk), 1))
        learner = self.player_.learner
        state = self.player_.state
        chances = np.array([require_probabilities(learner).probability(state, chunk[t]) for t in range(len(chunk))])
        if chances.ndim == 1:
            chances = np.stack((1 - chances, chances), axis=1)
        return rows.break_ties(chances[:, self._numbers], self._guess(chunk))

    @property
    def coef_(self) -> Array:
        """What each attribute adds to the score of the second class, or of each class."""
        return self._find_coefficients()[0]

    @property
    def intercept_(self) -> Array:
        """What is added to each score without any attribute."""
        return self._find_coefficients()[1]

    @property
    def mistakes_(self) -> int:
        """How many rounds were guessed wrong before their labels were seen."""
        return int(self.player_.tally.mistakes)

    @locked
    def certificate(self, X: Any = None, y: Any = None, theorem: str | None = None) -> Certificate:
        """Certify what the theorem allowed on the rounds played.

        Args:
            X: The rows that `fit` was given; learners whose state holds a witness do not need them.
            y: Their labels.
            theorem: Part of the name of a theorem; None: the one with the smallest bound.
        """
        check_is_fitted(self)
        if not is_covered(self.player_.learner):
            return self.player_.certificate()
        sought = f"a witness for {self.player_.learner} is sought in the rounds: certificate(X, y) with the rows played"
        require(X is not None, sought, NotCertified)
        alike = "certificate() covers no rounds of unequal importance: play them without sample_weight and class_weight"
        require(not self.weighted_, alike, NotCertified)
        chunk, _ = self._check_rounds(X, y, first=False)
        passes = max(1, self.player_.tally.rounds // max(len(chunk), 1))
        player = copy.copy(self.player_)
        player.labels = Labels(player.labels.names)  # the order in which this game numbered them
        return certify(player, rows.RepeatedRows(chunk, passes), theorem)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = not adapter.find_takes(self.learner, self.binarize).negative
        tags.classifier_tags.multi_class = adapter.takes_many(self.learner)
        takes = adapter.find_takes(self.learner, None)
        tags.classifier_tags.poor_score = takes.counts or not takes.fractions  # on blobs in the plane
        return tags

    def _check_rounds(self, X: Any, y: Any, first: bool) -> tuple[Chunk, Array]:
        """Check rows and labels.

        Returns:
            The rows as the player takes them.
            The classes among the labels.
        """
        self._texts = rows.are_texts(X) if first else self._texts
        if self._texts or (has_words(X) if first else self.schema_ is not None):
            return self._check_frame(X, y, first)
        self.schema_, self._features = None, Indexed()
        if first or hasattr(self, "feature_names_in_") or not rows.are_plain(X, y, self.n_features_in_):
            sparse = hasattr(X, "tocsr")  # such values are looked at below
            X, y = validate_data(self, X, y, ensure_all_finite=not sparse, reset=first, **CHECKED)
            if y.dtype.kind not in rows.CLASSES:
                check_classification_targets(y)
        return self._check_values(Examples.of(X, y)), rows.list_classes(y)

    def _check_frame(self, X: Any, y: Any, first: bool) -> tuple[Chunk, Array]:
        """Check texts, or a frame that has columns of words, and labels; returns what `_check_rounds` does."""
        labels = column_or_1d(y)
        check_classification_targets(labels)
        chunk, features, schema = (
            rows.read_texts(X) if self._texts else rows.read_frame(X, None if first else self.schema_)
        )
        require(len(chunk) == len(labels), f"{len(chunk)} rows need as many labels, got {len(labels)}", BadLabel)
        if first:
            self._features = features
            self.schema_ = schema
        if first and not self._texts:
            self.n_features_in_ = X.shape[1]
            self.feature_names_in_ = np.array(list(X.columns), object)
        return self._check_values(chunk.with_labels(labels)), rows.list_classes(labels)

    def _see(self, X: Any) -> Any:
        """Check rows and return them as the learner sees them."""
        check_is_fitted(self)
        if self._texts or self.schema_ is not None:
            chunk = (rows.read_texts(X) if self._texts else rows.read_frame(X, self.schema_)).chunk
            return self.player_.see_chunk(self._check_values(chunk), learned=False)
        X = validate_data(self, X, reset=False, **CHECKED)
        chunk = self._check_values(Examples.of(X, np.zeros(X.shape[0], np.int32)))
        return self.player_.features.read_chunk(chunk)

    def _check_values(self, chunk: Any) -> Any:
        """Refuse negative values if the learner does, and return the rows in arrays that can be written to."""
        if not self._texts and not adapter.find_takes(self.learner, self.binarize).negative:
            check_non_negative(chunk.values, type(self).__name__)
        return rows.make_writable(chunk) if isinstance(chunk, Examples) else chunk

    def _guess(self, chunk: Examples) -> Array:
        """Find the place in `classes_` of what the player reports for each row."""
        if len(self.classes_) == 1:
            return np.zeros(len(chunk), np.int64)
        return np.asarray(np.argsort(self._numbers)[self.player_.learner.readouts(self.player_.state, chunk)])

    def _begin(self, chunk: Chunk, classes: Array, promised: bool) -> None:
        """Begin a game. The classes known now are numbered in their order, so that the last one is the positive class.

        Unless it is `promised` that there are no others, more may turn up.
        """
        self._require_classes(len(classes))
        self.weighted_ = False
        self._class_weights = rows.read_class_weight(self.class_weight, self.learner)
        declared = classes.tolist() if promised or len(classes) > 1 else ()
        self.player_ = adapter.make_player(self.learner, self._features, declared, self.binarize, self.seed)
        self.player_.schema = self.schema_
        if isinstance(chunk, Examples):
            self.player_.start_state(rows.find_size(chunk))
        self.player_.labels.closed = promised
        self.classes_ = classes

    def _require_classes(self, classes: int) -> None:
        """Refuse more classes than the learner that was named tells apart."""
        learner: Any = self.learner
        if isinstance(learner, Learner) and learner.limit() < classes:
            raise BadLabel(
                f"Only binary classification is supported. The type of the target is multiclass, {learner} tells "
                f"{learner.limit()} classes apart; OnlineClassifier(Network(learner)) takes any number"
            )

    def _weigh(self, chunk: Any, sample_weight: Any) -> Any:
        """Give the rows their importance, if any is given and the learner has a use for it."""
        weighed = rows.weigh_rounds(chunk, sample_weight, self._class_weights, self.player_.learner)
        self.weighted_ |= weighed is not chunk  # no certificate covers what was learned
        return weighed

    @property
    def _numbers(self) -> list[int]:
        """The numbers by which the player knows the classes, in their order; one not met yet has what is left."""
        labels = self.player_.labels
        known = [labels.find(label) for label in self.classes_.tolist()]
        left = iter(number for number in range(len(known) + 1) if number not in known)
        return [next(left) if number is None else number for number in known]

    @locked
    def _find_coefficients(self) -> tuple[Array, Array]:
        """Find the weights and the constants of the score of the second class, or of each class."""
        learner = self.player_.learner
        numbers = self._numbers
        if not offers(learner, Plane) or not getattr(learner, "scores_by_plane", True):
            raise AttributeError(f"the score of {learner} is not linear in the attributes: it has no coef_")
        weights, constants = require_plane(learner).plane(self.player_.state)
        weights = weights[: self.n_features_in_ if self.schema_ is None else self.player_.features.width].T
        if len(weights) == 1:
            return (weights, constants) if numbers[-1] == 1 else (-weights, -constants)
        weights = weights[numbers]
        constants = constants[numbers]
        return (weights[1:] - weights[:1], np.diff(constants)) if len(numbers) == 2 else (weights, constants)
