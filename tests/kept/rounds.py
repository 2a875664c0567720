"""The rounds of the kept games: rules over whole numbers, so that they are the same on every machine and for ever."""

import numpy as np

WORDS = [
    "free",
    "money",
    "now",
    "meeting",
    "monday",
    "lunch",
    "cheap",
    "watch",
    "report",
    "draft",
    "budget",
    "train",
    "ticket",
    "garden",
    "river",
]
NAMES = ("no", "yes", "maybe")


def draw(t, i):
    """A whole number from 0 to 2002 that looks like chance."""
    return (t * 7919 + i * 104729 + t * i * 31 + (t * t + i) * 17) % 2003


def label(t, width, classes):
    """The class that a fixed plane gives to row t, but for one row in seven."""
    score = sum(((i * 37) % 11 - 5) * (draw(t, i) - 1001) for i in range(width))
    if t % 7 == 3:
        score = -score
    return int(score > 0) if classes == 2 else (score // 2003) % classes


def dense(t, width, real):
    """Numbers between -1.01 and 1.01 that no float holds exactly, so that the order of a sum shows."""
    return np.array([(draw(t, i) - 1001) / 997 for i in range(width)], real)


def pair(t, width, real):
    """About a third of the attributes, as numbers and values."""
    numbers = [i for i in range(width) if draw(t, i) % 3 == 0]
    return np.array(numbers, np.int32), np.array([(draw(t, i) - 1001) / 997 for i in numbers], real)


def binary(t, width, real):
    """About a third of the attributes, all with the value 1."""
    return tuple(int(draw(t, i) % 3 == 0) for i in range(width))


def disjunction(t, width, real):
    """As `binary`; the label is whether attribute 1 or 4 is there."""
    return binary(t, width, real)


def counts(t, width, real):
    """Whole numbers from 0 to 3."""
    return tuple(max(0, draw(t, i) % 7 - 3) for i in range(width))


def unit(t, width, real):
    """Numbers from 0 to 1."""
    return np.array([draw(t, i) / 2002 for i in range(width)], real)


def named(t, width, real):
    """A dict from names to numbers or words."""
    numbers = {WORDS[i]: (draw(t, i) - 1001) / 997 for i in range(width) if draw(t, i) % 3 == 0}
    return numbers | {"weather": ("sun", "rain", "snow")[t % 3]}


def text(t, width, real):
    """A line of words."""
    return " ".join(WORDS[draw(t, i) % len(WORDS)] for i in range(width))


RULES = {rule.__name__: rule for rule in (dense, pair, binary, disjunction, counts, unit, named, text)}


def rounds_of(game):
    """The rounds of a game: written out as pairs, or made by a rule from row `first` on."""
    if "pairs" in game:
        return [(decode(x), decode(y)) for x, y in game["pairs"]]
    rule, width, classes = RULES[game["rule"]], game["width"], game["classes"]
    rows = range(game["first"], game["first"] + game["rounds"])
    xs = [rule(t, width, game["real"]) for t in rows]
    if rule is disjunction:
        return [(x, NAMES[int(x[1] or x[4])]) for x in xs]
    return [(x, NAMES[label(t, width, classes)]) for t, x in zip(rows, xs, strict=True)]


def decode(value):
    """What a JSON document stands for: lists are tuples, {"nan": ...} is a row in which null is no number."""
    if isinstance(value, list):
        return tuple(map(decode, value))
    if isinstance(value, dict):
        return np.array([np.nan if number is None else number for number in value["nan"]])
    return value
