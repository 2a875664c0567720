"""Weights of classes: given, balanced by running counts, refused."""

import numpy as np
import pytest

from littlestone.base.chunks import Examples
from littlestone.base.class_weights import ClassWeights
from littlestone.base.errors import BadParameter
from littlestone.environments import Recorded
from littlestone.environments.derived import Weighed


def test_balanced_weights_are_those_of_the_rounds_so_far():
    labels = np.array(list("aabacb"))
    expected = [1 / (1 * 1), 2 / (1 * 2), 3 / (2 * 1), 4 / (2 * 3), 5 / (3 * 1), 6 / (3 * 2)]
    assert ClassWeights(None).weigh(labels).tolist() == expected
    one = ClassWeights(None)
    assert [*one.weigh(labels[:2]), *one.weigh(labels[2:])] == expected
    assert one.restart().weigh(labels).tolist() == expected


def test_the_balanced_weights_of_a_whole_stream_end_at_those_of_scikit_learn():
    from sklearn.utils.class_weight import compute_class_weight

    rng = np.random.default_rng(0)
    labels = rng.choice(3, 500, p=[0.7, 0.2, 0.1])
    last = [np.flatnonzero(labels == c)[-1] for c in range(3)]
    weights = ClassWeights(None).weigh(labels)
    theirs = compute_class_weight("balanced", classes=np.arange(3), y=labels)
    assert weights[last] == pytest.approx(theirs, rel=0.1)
    assert weights[499] == theirs[labels[499]]


def test_a_stream_is_weighed_anew_each_time_it_is_read_beside_its_own_importance():
    class Important(Recorded):
        def chunks(self):
            for chunk in super().chunks():
                yield Examples(
                    chunk.indptr, chunk.indices, chunk.values, chunk.labels, chunk.width, np.array([1.0, 3.0, 1.0])
                )

    stream = Weighed(Important([[1.0]] * 3, ["a", "b", "a"]), ClassWeights({"b": 2.0}))
    for _ in range(2):
        assert [chunk.importance.tolist() for chunk in stream.chunks()] == [[1.0, 6.0, 1.0]]
    balanced = Weighed(Recorded([[1.0]] * 3, ["a", "a", "b"]), ClassWeights(None))
    for _ in range(2):
        assert [chunk.importance.tolist() for chunk in balanced.chunks()] == [[1.0, 1.0, 1.5]]


@pytest.mark.parametrize("weight", [0, -1.0, float("nan"), float("inf"), 1e7, "2"])
def test_weights_that_are_no_positive_numbers_are_refused(weight):
    with pytest.raises(BadParameter, match="class_weight: the weight of 'a' must be above 0"):
        ClassWeights({"a": weight})


def test_weights_for_labels_that_do_not_come_are_refused():
    ClassWeights({"a": 2.0}).require_known(["a", "b"])
    with pytest.raises(BadParameter, match="there is no label 'c'; labels are 'a', 'b'"):
        ClassWeights({"c": 2.0}).require_known(["a", "b"])
