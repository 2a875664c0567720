"""Features of texts: live strings, chunks of strings and tokens that a reader made are one and the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.chunks import Instances
from littlestone.base.errors import BadInstance, BadModel
from littlestone.base.features import Hashed, Named, Words
from littlestone.base.features.tokenizer import Tokenizer

texts = st.lists(st.sampled_from(["free", "Money", "now", "größe", "a-b", "free money"]), max_size=8).map(" ".join)
inner = st.sampled_from([lambda: Hashed(3), lambda: Hashed(10), Named, lambda: Named(limit=2, evict="merge")])


def rows(read):
    return [(row.indices.tolist(), row.values.tobytes(), row.values.dtype) for row in read]


@settings(max_examples=40)
@given(st.lists(texts, max_size=6), inner, st.integers(1, 3), st.booleans())
def test_strings_one_by_one_in_chunks_and_as_tokens_are_the_same_bits(lines, make, ngrams, counts):
    one, many, split = (Words(make(), ngrams, counts=counts) for _ in range(3))
    labels = np.arange(len(lines))
    live = rows(map(one, lines))
    assert rows(many.read_chunk(Instances(lines, labels))) == live
    tokens = Tokenizer(ngrams).tokens(lines).with_labels(labels)
    assert rows(split.read_chunk(tokens)) == live
    assert rows(map(Words(make(), ngrams, counts=counts), [tokens[t] for t in range(len(lines))])) == live
    assert one.width == many.width == split.width


def test_words_count_as_often_as_they_come_or_once():
    assert Words(Named())("a b a").values.tolist() == [2.0, 1.0]
    assert Words(Named(), counts=False)("a b a").values.tolist() == [1.0, 1.0]
    assert Words(Named(), counts=False)({"a": 5.0}).values.tolist() == [1.0]


def test_winnow_learns_from_words_that_are_there_or_not():
    player = ls.Player(ls.Winnow(threshold=2), features=Words(Named(), counts=False), classes=("ham", "spam"))
    for _ in range(20):
        player.update("free money money", "spam")
        player.update("see you", "ham")
    assert player.predict("free free entry") == "spam"
    assert player.predict("see me") == "ham"


def test_a_stream_of_strings_is_played_whole_as_live():
    xs, ys = ["free money", "see you", "free entry", "you see"] * 5, ["spam", "ham"] * 10
    live = ls.Player(ls.Perceptron(), features=Words(Hashed(12)))
    for x, y in zip(xs, ys, strict=True):
        live.update(x, y)
    whole = ls.Player(ls.Perceptron(), features=Words(Hashed(12)))
    whole.replay(Instances.of(xs, ys))
    assert whole.state.weights.tobytes() == live.state.weights.tobytes()
    assert whole.tally == live.tally


def test_what_is_neither_text_nor_names_is_refused():
    with pytest.raises(BadInstance, match="dict"):
        Words(Named())(5)
    bad = Instances(["fine", "good", "\ud800", "late"], np.arange(4))
    features = Words(Named())
    assert len(features.read_chunk(bad)) in (1, 2)
    with pytest.raises(BadInstance, match="UTF-8"):
        features.read_chunk(bad[2:])
    mixed = Instances(["fine", {"a": 1.0}], np.arange(2))
    assert len(features.read_chunk(mixed)) == 1
    assert len(features.read_chunk(mixed[1:])) == 1


def test_what_was_met_survives_in_a_model_file(tmp_path):
    for make in (Named, lambda: Hashed(8)):
        player = ls.Player(ls.Perceptron(), features=Words(make(), ngrams=2))
        for _ in range(3):
            player.update("free money now", "spam")
            player.update("see you", "ham")
        player.save(tmp_path / "m.lst")
        again = ls.load(tmp_path / "m.lst")
        assert again.predict("free entry") == player.predict("free entry") == "spam"
        again.update("see money", "ham")
        player.update("see money", "ham")
        assert again.state.weights.tobytes() == player.state.weights.tobytes()
    record = Words(Named()).record()
    for change in ({"features": None}, {"ngrams": 1.0}, {"lower": 1}, {"characters": [1, 2]}):
        with pytest.raises(BadModel):
            Words.from_record({**record, **change})
