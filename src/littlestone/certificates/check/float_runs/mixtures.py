"""Mixtures for log-loss, played again in their own floats: `AdaGrad`, `Coin`, `Aioli` and `Logistic`.

Two classes share a unit, which says how likely class 1 is; more have one each, "this class or not", and what is said
is over the sum of what is said of the classes met. The unit of two classes becomes, when a third one comes, that of
class 1, and mirrored that of class 0. A round whose class was not met before gives it one chance in as many as there
were plays, this one included. A softmax, and a mixture of one with units, are in `mixture_classes.py`. A round that
counts more than once is played as often as its weight, rounded up.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixture_classes import play_classes
from littlestone.certificates.check.float_runs.mixture_members import MemberSettings, MixedUnits
from littlestone.certificates.check.float_runs.mixture_room import (
    WeighedChunk,
    add_units,
    count_plays,
    cut_at_new_classes,
    make_hand,
    make_room,
    start_units,
)
from littlestone.certificates.check.float_runs.mixture_rounds import play_rounds

WIDEST = 4096  # attributes of Aioli's matrix
NAMES = ("AdaGrad", "Coin", "Aioli", "Logistic")
FORMS = ("units", "softmax", "both")


class MixtureRun(NamedTuple):
    """What a run did."""

    settings: MemberSettings
    form: str
    units: MixedUnits  # at the end; the vectors of a softmax, where there are no others
    classes: MixedUnits | None  # the vectors of a softmax, which share one mixture, the first
    scores: Array  # plays, units, Newton members; NaN before a unit starts
    starts: list[int]  # the round with which each unit, and the vector of each class, starts
    news: list[int]  # the plays, from 1, whose class was not met before; those declared, or the first two, are
    wrong: Array  # whether the guess of each round was
    weights: Array  # how much each round counts

    @property
    def made(self) -> float:
        """The log-loss."""
        return float(self.units.losses[0, 0] + self.units.losses[0, 1])

    @property
    def expected(self) -> float:
        """The mistakes that guessing by the chances makes on average."""
        return float(self.units.losses[1, 0] + self.units.losses[1, 1])

    @property
    def late(self) -> list[float]:
        """How much a play counts of each round whose class was not met before."""
        firsts = np.concatenate(([0], np.cumsum(count_plays(self.weights))))
        rounds = np.searchsorted(firsts, np.array(self.news, np.int64) - 1)
        return [float(self.weights[t] / count_plays(self.weights[t : t + 1])[0]) for t in rounds.tolist()]


def read_settings(about: Mapping[str, Any]) -> tuple[MemberSettings, Any]:
    """The settings of a learner by its description, and the type of the numbers that it keeps."""
    limit = WIDEST if about["name"] == "Aioli" else about.get("second_order", 0)
    rates, wealths, kappas = (
        np.array(about.get(f"{part}s", [about[part]] if part in about else []), np.float64)
        for part in ("rate", "wealth", "kappa")
    )
    flags = bool(about["guard"]), bool(about.get("share", True)), bool(about["bias"])
    ridge = float(about.get("ridge", 1.0))
    newton = limit and about.get("form") != "softmax"
    settings = MemberSettings(rates, wealths, kappas if newton else kappas[:0], ridge, limit, *flags)
    return settings, np.float32 if about.get("precision", 64) == 32 else np.float64


def replay_mixture(
    about: Mapping[str, Any], chunks: Iterable[ArrangedChunk | WeighedChunk], declared: int
) -> MixtureRun:
    """Play rounds again; `declared` classes are met before the first."""
    (settings, real), form, met = read_settings(about), about.get("form", "units"), max(2, declared)
    require(form in FORMS, f"classes are not told apart by {form!r}", NotCertified)
    blocks = 1 if met == 2 and form == "units" else met
    units = start_units(settings, real, blocks, 16, 0)
    units.counts[:] = 0, met, 1, len(settings.kappas) > 0
    units.sizes[0] = 1.0
    bare = settings._replace(kappas=settings.kappas[:0])
    units, classes = _share(units, None if form == "units" else start_units(bare, real, blocks, 16, 0), form)
    if classes is not None:
        classes.weights[:] = 1.0 / units.weights.shape[1]  # over all members, those that only units have included
    starts = [0] * blocks
    news = list[int]()
    forms = np.array([0.5, 0.5])
    scores = list[Array]()
    wrong = [np.zeros(0, bool)]
    weights = [np.zeros(0)]
    for chunk in map(WeighedChunk.of, chunks):
        units, classes = _share(make_room(units, settings, chunk), classes and make_room(classes, bare, chunk), form)
        for part in cut_at_new_classes(chunk, int(units.counts[1])):
            if len(part.codes) and part.codes[0] >= units.counts[1]:
                many = int(part.codes[0]) + 1
                units, classes = _share(
                    add_units(units, settings, many), classes and add_units(classes, bare, many), form
                )
                starts = [*([0, 0] if len(starts) == 1 else starts)]
                starts += [part.first] * (len(units.weights) - len(starts))
                news.append(int(units.counts[0]) + 1)
            plays = count_plays(part.weights)
            guessed = np.zeros(len(part.codes), np.int64)
            longest = int(np.diff(part.indptr).max(initial=0))
            hand = make_hand(units, longest)
            said = np.full((int(plays.sum()), len(units.weights), len(settings.kappas)), np.nan)
            if classes is None:
                play_rounds(units, part[1:], hand, settings, said, guessed, plays)
            else:
                other = make_hand(classes, longest)._replace(rows=hand.rows, values=hand.values, shrinks=hand.shrinks)
                both = (units, hand, settings), (classes, other, bare)
                play_classes(both, part[1:], forms if form == "both" else forms[:0], said, guessed, plays)
            scores.append(said)
            wrong.append(guessed != part.codes)
            weights.append(part.weights)
    told = _join_scores(scores, len(units.weights)), starts, news, np.concatenate(wrong), np.concatenate(weights)
    count_plays(told[-1])
    return MixtureRun(settings, form, units, classes, *told)


def _share(units: MixedUnits, classes: MixedUnits | None, form: str) -> tuple[MixedUnits, MixedUnits | None]:
    """Units and the vectors of a softmax, which have attributes, sizes and counts in common."""
    if classes is None or form == "softmax":
        return units, None if classes is None else units
    common = {name: getattr(units, name) for name in ("places", "sizes", "losses", "counts")}
    return units, classes._replace(**common)


def _join_scores(parts: list[Array], units: int) -> Array:
    """The scores of all plays; those of the one unit of two classes are class 1's, and negated class 0's."""
    filled = []
    for part in parts:
        wide = np.concatenate((-part, part), axis=1) if part.shape[1] == 1 < units else part
        filled.append(np.pad(wide, ((0, 0), (0, units - wide.shape[1]), (0, 0)), constant_values=np.nan))
    return np.concatenate(filled) if filled else np.zeros((0, units, 0))
