"""Pool: the members of a league of which nothing was said, chosen by its first rows.

Logistic with its single members, the averaged Perceptron, played and served, Passive-Aggressive, the p-norm Perceptron,
diagonal AROW, the diagonal second-order learner at three margins and naive Bayes; Winnow where rows are Boolean; AROW
and the second-order Perceptron up to 500 attributes; each as a race enters it, with the power and constant attribute
that suit the width. For more than two classes there are Logistic, networks of the averaged Perceptron, of
Passive-Aggressive and of both diagonal learners, and naive Bayes.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Chunk, Examples
from littlestone.base.errors import BadData, require
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner
from littlestone.learners import (
    Arow,
    AveragedPerceptron,
    BalancedWinnow,
    DiagonalSecondOrder,
    Logistic,
    NaiveBayes,
    PassiveAggressive,
    PNormPerceptron,
    SecondOrderPerceptron,
    Winnow,
)
from littlestone.learners.network import Network


def choose_pool(width: int, classes: int = 2, boolean: bool = False, negative: bool = True) -> list[Learner]:
    """The default members for rows of `width` attributes.

    Args:
        width: Attributes.
        classes: How many there are, as far as is known.
        boolean: Whether every value is 0 or 1.
        negative: Whether values may be negative.
    """
    counting: list[Learner] = [] if negative else [NaiveBayes()]
    if classes > 2:
        plain = [Network(AveragedPerceptron()), Network(PassiveAggressive())]
        return [
            Logistic(),
            *plain,
            Network(Arow(diagonal=True, bias=1)),
            Network(DiagonalSecondOrder(margin=0.5)),
            *counting,
        ]
    chosen: list[Learner] = [
        Logistic(), AveragedPerceptron(), PassiveAggressive(), *PNormPerceptron.race_entries(width),
        *Arow.race_entries(width), *SecondOrderPerceptron.race_entries(width),
        *(DiagonalSecondOrder(margin=margin) for margin in (0.0, 0.5, 2.0)), *counting,
    ]  # fmt: skip
    if boolean:
        chosen += [*Winnow.race_entries(width), BalancedWinnow()]
    return chosen


def choose_by_rows(chunk: Chunk | None, features: Any, labels: Labels) -> list[Learner]:
    """The default members for rounds that begin like these."""
    require(
        chunk is not None and len(chunk) > 0, "a league without members chooses them by rows: there are none", BadData
    )
    assert chunk is not None
    mark = features.mark()
    seen = features.read_chunk(chunk)
    width = features.width
    features.undo(mark)
    rows = isinstance(seen, Examples)
    require(rows, "the default members of a league learn from rows of attributes: give it members of your own", BadData)
    values = seen.values
    boolean = values is None or bool(np.isin(values, (0, 1)).all())
    negative = values is not None and bool((values < 0).any())
    classes = max(len(labels), len(set(chunk.labels.tolist())))
    return choose_pool(width, classes, boolean, negative)
