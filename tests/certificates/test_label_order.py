"""The order of labels: evidence as its formula has it, false objections as rare as the theorem says."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.risk import EACH, LIMIT, LabelOrder, measure_order
from places import DATA

REAL = {
    "web/w8a.gz": 744,
    "electricity/elec.csv.gz": 57,
    "spam_stream/spam_katakis.libsvm.gz": 137,
    "mushroom/agaricus.txt.train": 3177,
    "adult/a9a.gz": None,
    "sms_spam/SMSSpamCollection": None,
    "tables/credit_g.csv": None,
    "tables/spambase.csv": None,
    "tables/polarity.txt.gz": None,
}


def brute_force(codes):
    """ln E after each round by the words of the theorem: one factor a round, for the classes met by then."""
    found = []
    for t in range(1, len(codes) + 1):
        part = codes[:t]
        classes = len(set(part))
        markov = -math.log(classes)
        for k in range(1, t):
            pairs = list(pairwise(part[:k]))
            seen, before = pairs.count((part[k - 1], part[k])), sum(b == part[k - 1] for b, _ in pairs)
            markov += math.log((seen + 0.5) / (before + classes / 2))
        found.append(markov - sum(part.count(c) * math.log(part.count(c) / t) for c in set(part)))
    return found


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_the_evidence_is_that_of_the_theorem(codes):
    expected = brute_force(codes)
    order = LabelOrder()
    for t, code in enumerate(codes, 1):
        order.add([code])
        if order.objection is None:
            assert measure_order(order.counts, order.transitions) == pytest.approx(expected[t - 1], abs=1e-9)
    first = next((t for t, value in enumerate(expected, 1) if value >= LIMIT), None)
    assert order.objection == first


@given(st.data())
def test_chunks_do_not_matter(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    stays = data.draw(st.sampled_from([0.3, 0.5, 0.55, 0.7]))
    early, classes = data.draw(st.sampled_from([0, EACH])), data.draw(st.integers(2, 5))
    codes = np.cumsum(rng.random(EACH + 3000) > stays) % classes
    codes[:early] = rng.integers(0, classes, early)  # so that an objection comes late
    whole, cut = LabelOrder(), LabelOrder()
    whole.add(codes)
    ends = sorted(data.draw(st.lists(st.integers(0, len(codes)), max_size=5)))
    for first, last in zip([0, *ends], [*ends, len(codes)], strict=True):
        cut.add(codes[first:last])
        cut = LabelOrder.from_record(cut.to_record())
    assert cut.to_record() == whole.to_record()


def test_late_evidence_is_weighed_after_the_same_rounds_in_small_chunks():
    rng = np.random.default_rng(3)
    codes = np.concatenate([rng.integers(0, 2, EACH), np.cumsum(rng.random(3000) > 0.7) % 2])
    whole, cut = LabelOrder(), LabelOrder()
    whole.add(codes)
    for first in range(0, len(codes), 7):
        cut.add(codes[first : first + 7])
    assert whole.objection > EACH
    assert cut.to_record() == whole.to_record()


def test_independent_labels_are_objected_to_no_more_often_than_the_theorem_says():
    rng = np.random.default_rng(5)
    for chances in ([0.5, 0.5], [0.98, 0.02]):
        objections = 0
        for _ in range(2000):
            order = LabelOrder()
            order.add(rng.choice(2, 600, p=chances))
            objections += order.objection is not None
        assert objections <= 6  # 2 are expected at most


def test_labels_in_blocks_and_labels_in_turn_are_objected_to():
    blocks, turns = LabelOrder(), LabelOrder()
    blocks.add([0] * 40 + [1] * 40)
    turns.add([0, 1] * 40)
    assert blocks.objection is not None
    assert turns.objection == 16
    assert "by round 16 " in turns.find_doubt()


def test_nothing_is_said_before_each_class_was_met_often():
    order, rng = LabelOrder(), np.random.default_rng(0)
    order.add(rng.permutation([0] * 100 + [1] * 29))
    assert "each of them 30 times" in order.find_doubt()
    assert order.count_missing() == 1
    order.add([1])
    assert order.find_doubt() is None
    assert order.count_missing() == 0
    order.add([2])
    assert "each of them 30 times" in order.find_doubt()


def test_one_class_alone_says_nothing():
    order = LabelOrder()
    order.add([0] * 5000)
    assert order.objection is None
    assert order.find_doubt() is not None


def test_more_than_eight_classes_are_not_watched():
    order = LabelOrder()
    order.add(np.repeat(np.arange(9), 40))
    assert order.objection is not None  # the first eight came in blocks
    order = LabelOrder()
    order.add(np.tile(np.arange(20_000), 2))
    assert order.is_blind
    assert order.objection is None
    assert order.transitions.size <= 64


@pytest.mark.parametrize("name", REAL)
def test_real_streams_in_their_own_order(name):
    if not (DATA / name).exists():
        pytest.skip(f"{name} is not part of the project and not beside it")
    label = {"tables/credit_g.csv": {"label": "class"}, "tables/spambase.csv": {"label": "class"}}.get(name, {})
    labels = np.concatenate([np.asarray(chunk.labels) for chunk in ls.read(DATA / name, **label).chunks()])
    codes = np.unique(labels, return_inverse=True)[1]
    order = LabelOrder()
    order.add(codes)
    assert order.objection == REAL[name]
    shuffled = LabelOrder()
    shuffled.add(np.random.default_rng(1).permutation(codes))
    assert shuffled.objection is None


def test_the_objection_replaces_the_statement():
    rng = np.random.default_rng(2)
    labels = np.repeat([0, 1], 500)
    game = ls.play(ls.Perceptron(), ls.Recorded(np.eye(2)[labels], labels > 0))
    found = game.risk()
    assert str(found).startswith("nothing is said about new data: the labels do not come in an order")
    with pytest.raises(NotCertified, match="nothing is said about new data"):
        found.certificate()
    rows = rng.permutation(1000)
    game = ls.play(ls.Perceptron(), ls.Recorded(np.eye(2)[labels[rows]], labels[rows] > 0))
    assert str(game.risk()).startswith("if the rounds were drawn independently from one source, then with 99 %")
    assert game.risk().certificate().holds


def test_a_teacher_is_refused():
    teacher = ls.Teacher(6, [0, 2])
    with pytest.raises(NotCertified, match="does not draw its rounds independently"):
        ls.play(ls.Perceptron(), teacher).risk()
    with pytest.raises(NotCertified, match="does not draw its rounds independently"):
        ls.pac(ls.Perceptron(), teacher)


def test_what_is_judged_is_what_is_served():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(2000, 5))
    y = X[:, 0] + rng.normal(size=2000) > 0
    game = ls.play(ls.AveragedPerceptron(), ls.Recorded(X, y))
    assert game.served.mistakes < game.mistakes
    assert game.risk().mistakes == game.served.mistakes
    assert game.risk().who == "served"
    voted = ls.play(ls.VotedPerceptron(), ls.Recorded(X[:200], y[:200]))
    assert voted.served is None
    assert "the hypotheses that played these 200" in str(voted.risk())


def test_stopping_waits_for_each_class_and_for_an_order_that_is_possible():
    labels = np.concatenate([np.zeros(2000, int), np.ones(2000, int)])
    result = ls.pac(ls.Perceptron(), ls.Recorded(np.eye(2)[labels], labels > 0), error=0.05)
    assert not result.certified
    assert "nothing is said about new data" in str(result.stopping)
    with pytest.raises(NotCertified, match="nothing is said"):
        result.certificate  # noqa: B018
    rows = np.random.default_rng(0).permutation(4000)
    result = ls.pac(ls.Perceptron(), ls.Recorded(np.eye(2)[labels[rows]], labels[rows] > 0), error=0.05)
    assert result.certified
    assert result.certificate.bound <= 0.05
