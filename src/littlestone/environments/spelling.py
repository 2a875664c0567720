"""Spelling: sentences from which a word is missing, and two or three words that are easily confused.

Sentences are drawn from a small grammar, so that text is there without a file: `their` or `there`, `than` or `then`,
`among` or `between`. An instance is what stands around the gap, as attributes of value 1: the words up to three places
away (`near=park`), the word before it and the one after it (`before=over`, `after=house`), and both together
(`around=over_house`). The label is the word that belongs there. Some sentences fit both words: no rule is right on all.

A. R. Golding and D. Roth. A Winnow-based approach to context-sensitive spelling correction. Machine Learning
34:107-130, 1999.

>>> stream = Spelling(rounds=2, words=("their", "there"))
>>> [(" ".join(sentence), word) for sentence, word in stream.sentences()][0]
('___ were cousins behind the school before noon', 'there')
"""

import re
from collections.abc import Hashable, Iterator

import numpy as np

from littlestone.base.chunks import Chunk, Instances
from littlestone.base.coins import draw_bits
from littlestone.base.environment import Stream
from littlestone.base.errors import require, require_count
from littlestone.base.features import Named

GAP = "___"
CHUNK = 1024  # rounds
GRAMMAR = {
    "their": "PEOPLE DID ___ THING WHERE|the PEOPLE forgot ___ THING WHEN|___ THING was LIKE|PEOPLE love ___ old THING|"
    "we met PEOPLE and ___ OTHERS|PEOPLE left ___ THING WHERE|PEOPLE took ___ time",
    "there": "___ is a THING WHERE|___ were OTHERS WHERE WHEN|PEOPLE went ___ WHEN|the THING over ___ was LIKE|"
    "PEOPLE left ___ WHEN|is ___ a LIKE THING WHERE|PEOPLE took ___ OTHERS",
    "than": "the THING was MORE ___ the THING|PEOPLE are MORE ___ OTHERS|no THING is MORE ___ this THING|"
    "rather ___ a THING PEOPLE want OTHERS|NUMBER is MORE ___ NUMBER|it was MORE ___ PEOPLE think",
    "then": "PEOPLE DID a THING and ___ went WHERE|since ___ the THING was LIKE|by ___ PEOPLE were LIKE|"
    "if it rains ___ PEOPLE go WHERE|it was MORE ___|first NUMBER and ___ NUMBER THING",
    "among": "___ the OTHERS was a LIKE THING|LIKE ___ PEOPLE|one THING ___ NUMBER|PEOPLE live ___ OTHERS WHERE|"
    "the THING is LIKE ___ OTHERS",
    "between": "___ PLACE and PLACE is a THING|a choice ___ two THING|PEOPLE live ___ PLACE and PLACE|"
    "___ NUMBER and NUMBER OTHERS came|the THING is LIKE ___ OTHERS",
}
WORDS = {
    "PEOPLE": "children farmers doctors they sailors neighbours students pilots singers most",
    "DID": "sold found painted lost bought mended hid washed",
    "THING": "house boat garden letter dog song map coat bridge lamp horse book clock kite",
    "LIKE": "small red famous quiet broken cheap heavy popular strange warm",
    "MORE": "taller older cheaper better more_useful less_known faster warmer",
    "WHERE": "near_the_park in_town by_the_river at_home behind_the_school in_the_hills",
    "WHEN": "yesterday in_spring last_night every_day before_noon",
    "OTHERS": "friends cousins birds teachers strangers trees poets shops",
    "NUMBER": "two three ten forty many several",
    "PLACE": "london the_station rome the_mill paris the_church",
}
LEADS = ("", "", "", "yesterday", "of_course", "in_the_end", "some_say", "as_we_know")
CONFUSED = (("their", "there"), ("than", "then"), ("among", "between"))


class Spelling(Stream):
    """Gaps in sentences, and the word that belongs there.

    Args:
        rounds: How many sentences.
        words: The words that may be missing, of their, there, than, then, among and between.
        seed: The number by which sentences are drawn.
    """

    def __init__(self, rounds: int, words: tuple[str, ...] = ("their", "there"), seed: int = 0) -> None:
        require_count(1, rounds=rounds)
        known = len(set(words)) == len(words) >= 2 and set(words) <= GRAMMAR.keys()
        require(known, f"words must be two at least of {', '.join(GRAMMAR)}, each once, got {words}")
        self.rounds: int = rounds
        self.words = tuple(words)
        self.seed = seed

    def classes(self) -> tuple[Hashable, ...]:
        return self.words

    def features(self) -> Named:
        return Named()

    def sentences(self) -> Iterator[tuple[list[str], str]]:
        """Each sentence as a list of words, with its gap, and the word that is missing."""
        rng = np.random.default_rng(draw_bits(self.seed, 0))
        for _ in range(self.rounds):
            word = self.words[int(rng.integers(len(self.words)))]
            forms = GRAMMAR[word].split("|")
            pattern = f"{LEADS[int(rng.integers(len(LEADS)))]} {forms[int(rng.integers(len(forms)))]}"
            yield [one for part in pattern.split() for one in _draw_words(part, rng)], word

    def chunks(self) -> Iterator[Chunk]:
        drawn = list(self.sentences())
        for first in range(0, len(drawn), CHUNK):
            part = drawn[first : first + CHUNK]
            yield Instances.of([list_context(sentence) for sentence, _ in part], [word for _, word in part])

    def __repr__(self) -> str:
        return f"Spelling({self.rounds} rounds of {', '.join(self.words)})"


def list_context(sentence: list[str]) -> dict[str, int]:
    """The attributes of a sentence with a gap: words near it, before it and after it."""
    padded = ["^", "^", "^", *sentence, "$", "$", "$"]
    at = padded.index(GAP)
    before = padded[at - 1]
    after = padded[at + 1]
    near = [padded[at + k] for k in (-3, -2, -1, 1, 2, 3)]
    names = [f"near={word}" for word in near if re.fullmatch(r"\w+", word)]
    return dict.fromkeys([*names, f"before={before}", f"after={after}", f"around={before}_{after}"], 1)


def _draw_words(part: str, rng: np.random.Generator) -> list[str]:
    """The words that a part of a pattern stands for."""
    if part == GAP:
        return [GAP]
    listed = WORDS.get(part, part).split()
    return listed[int(rng.integers(len(listed)))].split("_")
