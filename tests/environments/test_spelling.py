"""Sentences with a gap: drawn from a grammar, the same for the same seed, and not all of them decided."""

from collections import Counter, defaultdict

import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.environments.spelling import CONFUSED, GAP, GRAMMAR, WORDS, list_context


def test_every_sentence_has_one_gap_and_only_words():
    for pair in CONFUSED:
        for sentence, word in ls.Spelling(500, pair).sentences():
            assert sentence.count(GAP) == 1
            assert word in pair
            assert all(part == GAP or (part.isalpha() and part.islower()) for part in sentence), sentence


def test_the_words_are_about_equally_often_missing_and_every_form_comes():
    drawn = list(ls.Spelling(6000, tuple(GRAMMAR)).sentences())
    counts = Counter(word for _, word in drawn)
    assert set(counts) == set(GRAMMAR)
    assert all(abs(count - 1000) < 6 * 29 for count in counts.values())
    met = {part for sentence, _ in drawn for part in sentence}
    assert all(set(word.split("_")) <= met for listed in WORDS.values() for word in listed.split())


def test_attributes_are_what_stands_around_the_gap():
    assert list_context(["by", GAP, "sailors", "were", "warm", "and", "old"]) == dict.fromkeys(
        ["near=by", "near=sailors", "near=were", "near=warm", "before=by", "after=sailors", "around=by_sailors"], 1
    )
    assert list_context([GAP]) == dict.fromkeys(["before=^", "after=$", "around=^_$"], 1)


def test_the_seed_decides_the_sentences_and_they_come_in_chunks():
    once, again, other = (list(ls.Spelling(1500, seed=seed).sentences()) for seed in (1, 1, 2))
    assert once == again != other
    labels = [label for chunk in ls.Spelling(1500, seed=1).chunks() for label in chunk.labels.tolist()]
    assert labels == [word for _, word in once]


def test_some_gaps_fit_both_words():
    seen = defaultdict(set)
    for sentence, word in ls.Spelling(6000, ("among", "between")).sentences():
        seen[tuple(sentence)].add(word)
    assert any(len(words) == 2 for words in seen.values())


def test_other_words_are_refused():
    for words in (("their",), ("their", "their"), ("their", "too")):
        with pytest.raises(BadParameter, match="two at least of their, there"):
            ls.Spelling(10, words)
    with pytest.raises(BadParameter, match="rounds"):
        ls.Spelling(0)
