"""Files of `label<TAB>text`: what is read, what is refused, and that it can be played and asked live."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import BadData
from littlestone.base.features import Named, Words
from littlestone.readers.reading import read
from littlestone.readers.text import Text
from reference import text_tokens

SPAM = b"ham\tSee you at five?\nspam\tFREE entry, win money now!\nham\tmoney for you\n" * 4


def rounds(data, **options):
    stream = read(io.BytesIO(data), format="text", **options)
    found = []
    for chunk in stream.chunks():
        found += [(label, [*chunk[t].items()]) for t, label in enumerate(chunk.labels)]
    return found, stream


def test_lines_are_labels_and_words():
    found, stream = rounds(SPAM)
    assert len(found) == 12
    assert found[1] == ("spam", [("free", 1.0), ("entry", 1.0), ("win", 1.0), ("money", 1.0), ("now", 1.0)])
    assert isinstance(stream.features(), Words)


@given(
    st.lists(
        st.tuples(
            st.binary(min_size=1, max_size=8).map(lambda text: text.translate(None, b"\t\n\xef\xff\xfe") + b"x"),
            st.binary(max_size=50).map(lambda text: text.translate(None, b"\n")),
        ),
        min_size=1,
        max_size=10,
    )
)
def test_any_bytes_after_a_label_are_a_text(lines):
    found, _ = rounds(b"\n".join(label + b"\t" + text for label, text in lines))
    assert len(found) == len(lines)
    for (label, row), (before, text) in zip(found, lines, strict=True):
        assert label.encode("utf-8", "surrogateescape") == before
        counts = {}
        for name in text_tokens(text):
            counts[name] = counts.get(name, 0.0) + 1
        assert {name.encode("utf-8", "surrogateescape"): value for name, value in row} == counts


def test_a_game_from_a_file_is_the_same_live_and_its_player_answers_sentences():
    stream = read(io.BytesIO(SPAM), format="text")
    whole, live = ls.play(ls.Perceptron(), stream), ls.play(ls.Perceptron(), stream, transcript=True)
    assert whole.player.state.weights.tobytes() == live.player.state.weights.tobytes()
    assert whole.mistakes == live.mistakes
    assert whole.player.predict("Free entry! Win!") == "spam"
    assert whole.player.predict("see you") == "ham"


def test_names_may_have_numbers_of_their_own():
    player = ls.Player(ls.Perceptron(), features=Words(Named()))
    ls.play(player, read(io.BytesIO(SPAM), format="text"))
    assert player.features.features.numbers["money"] == 7


def test_blocks_in_several_threads_are_the_blocks_of_one():
    data = b"".join(b"%d\tword%d and word%d, again word%d\n" % (k % 3, k % 7, k, k) for k in range(50_000))
    one, several = rounds(data, threads=1)[0], rounds(data, threads=3)[0]
    assert len(data) > 3 << 19
    assert one == several


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"ham\ta\nno tab here\nham\tb\n", 2, "a label, a TAB and a text; got 'no'"),
        (b"ham\ta\n\tno label\n", 2, "begins with its label"),
        (b"garbage", 1, "a TAB"),
        (b"\n\n \r\nham", 4, "a TAB"),
        (b"\x00\x01\x02", 1, "a TAB"),
    ],
    ids=repr,
)
def test_a_line_without_label_is_refused_with_its_place(data, line, said):
    with pytest.raises(BadData, match=said) as refused:
        rounds(data)
    assert refused.value.line == line
    kept, stream = rounds(data, on_error="skip")
    assert [label for label, _ in kept] == ["ham"] * (data.count(b"\t") - data.count(b"\n\t"))
    assert stream.skipped.count == 1


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"ham\t\n", [("ham", [])]),
        (b"ham\t?!\r\n\r\n\nham\tA\r\n", [("ham", []), ("ham", [("a", 1.0)])]),
        (b"ham\ta\tb\ta", [("ham", [("a", 2.0), ("b", 1.0)])]),
        (b"a b\tc", [("a b", [("c", 1.0)])]),
        ("\ufeffham\tgrün".encode(), [("ham", [("grün", 1.0)])]),
        (b"h\xe4m\tgr\xfcn", [("h\udce4m", [("gr\udcfcn", 1.0)])]),
        (b"x\t" + b"y" * 1_000_000, [("x", [("y" * 1_000_000, 1.0)])]),
        (b"x\ta\x00b", [("x", [("a", 1.0), ("b", 1.0)])]),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_unusual_lines_are_read_as_the_page_says(data, expected):
    assert rounds(data)[0] == expected


def test_without_labels_a_line_is_a_text_and_an_empty_one_too():
    found, _ = rounds(b"Free money\n\nsee\tyou\n", labelled=False)
    assert found == [(None, [("free", 1.0), ("money", 1.0)]), (None, []), (None, [("see", 1.0), ("you", 1.0)])]


def test_options_reach_the_words_and_the_slots():
    found, stream = rounds(b"x\tAb cd\n", ngrams=2, lower=False)
    assert [name for name, _ in found[0][1]] == ["Ab", "cd", "Ab cd"]
    assert [name for name, _ in rounds(b"x\tAb cd\n", characters=(4, 5))[0][0][1]] == ["ab c", "ab cd", "b cd"]
    features = read(io.BytesIO(SPAM), format="text", bits=5, seed=7, counts=False).features()
    assert (features.width, features.features.seed, features.counts) == (32, 7, False)
    assert stream.features()("Ab cd").indices.tolist() == Words(ngrams=2, lower=False)("Ab cd").indices.tolist()


@pytest.mark.parametrize(
    ("head", "is_text"),
    [
        (SPAM, True),
        (b"1\tone two\n0\tthree\n", True),
        (b"a\tb\nc\td\n", False),
        (b"a\tb c\td\n", False),
        (b"a long label\tb c\n", False),
        (b"-1 3:0.5\n", False),
        (b"a,b\n", False),
        (b"", False),
    ],
    ids=repr,
)
def test_texts_are_recognised_by_one_tab_and_several_words(head, is_text):
    assert Text.recognises(head) == is_text


def test_labels_of_many_classes_are_told_apart():
    data = b"".join(b"class%d\tword\n" % (k % 500) for k in range(2000))
    found, _ = rounds(data)
    assert [label for label, _ in found] == [f"class{k % 500}" for k in range(2000)]
    assert np.unique([label for label, _ in found]).size == 500
