"""OnlineClassifier and OnlineRegressor: learners over rows of attributes as River's estimators over dicts.

Attributes are named by the keys of the dicts and may appear, and vanish, at any time; so may classes.

>>> from river import evaluate, metrics
>>> stream = [({"free": 1}, "spam"), ({"hello": 1}, "ham")] * 20
>>> evaluate.progressive_val_score(stream, OnlineClassifier(), metrics.Accuracy())
Accuracy: 97.44%
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

try:
    import river  # noqa: F401
except ImportError:
    raise ImportError("littlestone.river needs river: pip install 'littlestone[river]'") from None
from river import base

from littlestone.base.bound import Certificate
from littlestone.base.features import Named
from littlestone.base.learner import Learner
from littlestone.base.locks import locked
from littlestone.base.traits import Probabilities, offers
from littlestone.game import classifier as adapter
from littlestone.game.regressor import FEW, choose_regressor, make_regressor
from littlestone.learners import CoinRegression, Perceptron


class OnlineClassifier(base.Classifier):
    """A learner as a classifier.

    Args:
        learner: Any learner over rows, such as `Perceptron()`; None: `Logistic()`.
        binarize: Learners over Boolean attributes see 1 where a value is larger than this, >= 0; None: values must be
            Boolean already. Others ignore it.
        seed: Seed of the learner's coins.
    """

    def __init__(self, learner: Learner | None = None, binarize: float | None = 0.0, seed: int = 0) -> None:
        self.learner = learner
        self.binarize = binarize
        self.seed = seed
        self.player = adapter.make_player(learner, Named(), (), binarize, seed)

    def learn_one(self, x: dict[base.typing.FeatureName, Any], y: base.typing.ClfTarget, w: float = 1.0) -> None:
        """Play one round, which counts `w` times for what is learned."""
        self.player.update(x, y, w)

    def predict_one(self, x: dict[base.typing.FeatureName, Any], **kwargs: Any) -> base.typing.ClfTarget | None:
        """Report a label for x; None before any label was seen."""
        return self.player.predict(x)  # type: ignore[no-any-return]

    def predict_proba_one(
        self, x: dict[base.typing.FeatureName, Any], **kwargs: Any
    ) -> dict[base.typing.ClfTarget, float]:
        """Return the chance of each label; no calibration is claimed."""
        if self.learner is not None and not offers(self.learner, Probabilities):
            raise NotImplementedError(f"{self.learner} gives no probabilities")
        with self.player.lock:
            chance = self.player.probability(x)
            labels = self.player.labels
        chances = [1 - chance, chance] if np.ndim(chance) == 0 else np.asarray(chance).tolist()
        if not labels.names:
            return {} if self._multiclass else {False: chances[0], True: chances[1]}
        named = {labels.name(number): float(part) for number, part in enumerate(chances)}
        named.pop(None, None)  # a second class that has not been met
        total = sum(named.values())
        return {label: part / total if total else 1 / len(named) for label, part in named.items()}

    @property
    def mistakes(self) -> int:
        """How many rounds were guessed wrong before their labels were seen."""
        return self.player.tally.mistakes

    def certificate(self) -> Certificate:
        """Certify what the theorem allowed on the rounds played, for learners whose state holds a witness."""
        return self.player.certificate()

    @property
    def _multiclass(self) -> bool:
        return adapter.takes_many(self.learner)

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {}
        yield {"learner": Perceptron()}

    def _more_tags(self) -> set[str]:
        return {base.tags.POSITIVE_INPUT} if not adapter.find_takes(self.learner, self.binarize).negative else set()


class OnlineRegressor(base.Regressor):
    """A learner that predicts numbers as a regressor; attributes and labels may be in any units.

    Args:
        learner: `Ridge()`, `CoinRegression("absolute")` or another learner that predicts numbers. None: `Ridge()` while
            there are at most 128 attributes; `CoinRegression("huber")` learns beside it and goes on when there are
            more.
    """

    def __init__(self, learner: Learner | None = None) -> None:
        self.learner = learner
        self.player = make_regressor(choose_regressor(0) if learner is None else learner, Named())
        self._next = make_regressor(choose_regressor(FEW + 1), Named()) if learner is None else None
        self.lock = self.player.lock
        if self._next is not None:
            self._next.lock = self.lock

    @locked
    def learn_one(self, x: dict[base.typing.FeatureName, Any], y: base.typing.RegTarget, w: float = 1.0) -> None:
        """Play one round, which counts `w` times for what is learned."""
        if self._next is not None:
            self._next.update(x, y, w)
            if self._next.features.width > FEW:
                self.player = self._next
                self._next = None
                return
        self.player.update(x, y, w)

    @locked
    def predict_one(self, x: dict[base.typing.FeatureName, Any], **kwargs: Any) -> base.typing.RegTarget:
        """Predict a number for x."""
        return float(self.player.predict(x))

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {}
        yield {"learner": CoinRegression()}
