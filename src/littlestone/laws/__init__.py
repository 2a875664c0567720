"""Laws: what every learner must obey, ours and those of others.

A law is a function of a learner and some rounds, pairs (x, y) in the user's own terms. It returns whether it applies
and raises `BrokenLaw`, with the round where something differed. A learner is one of ours; or a function without
arguments that makes a fresh `Player`, or a fresh object with `predict(x)` and `update(x, y)`; or such an object itself,
of which deep copies are taken. An object may have a batch path, `replay(xs, ys)`, that gives the guesses.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> chunks_agree(Halving(Thresholds(6)), [(3, True), (2, False), (3, True)])
True
"""

from collections.abc import Collection
from typing import Any

from littlestone.base.errors import BadParameter
from littlestone.base.learner import Learner
from littlestone.laws.attacks import is_positive, play_attacks
from littlestone.laws.broken import BrokenLaw, require_same
from littlestone.laws.every_law import *  # noqa: F403 - the laws are the public names of this room
from littlestone.laws.every_law import LAWS
from littlestone.laws.every_law import __all__ as _laws
from littlestone.laws.playing import KINDS, ForeignUnderTest, Rounds, make_rounds, select_accepted, start_fresh

__all__ = ["agrees", "check", "keeps_its_bound", *_laws]  # noqa: PLE0604 - names of laws, all of them strings


def check(
    learner: Any, rounds: Rounds | None = None, seed: int = 0, skip: Collection[str] = (), like: Learner | None = None,
    claims: Learner | None = None,
) -> list[str]:  # fmt: skip
    """Hold every law to a learner, on these rounds or on rehearsals; the names of the laws that applied.

    `claims` is one of ours whose theorem the learner is said to have: games that attack its bound are played. `like`
    is one of ours that it is said to be: it must guess the same, round by round, besides.
    """
    model = like or claims
    games = [make_rounds(model or learner, kind, seed) for kind in KINDS] if rounds is None else [rounds]
    if model is not None:
        games = [_rename_labels(select_accepted(model, game)) for game in games]
    held = [law.__name__ for law in LAWS if law.__name__ not in skip and sum(law(learner, game) for game in games)]
    if like is not None and agrees.__name__ not in skip and sum(agrees(learner, game, like) for game in games):
        held.append(agrees.__name__)
    if model is not None and keeps_its_bound.__name__ not in skip and keeps_its_bound(learner, model, seed, not claims):
        held.append(keeps_its_bound.__name__)
    return held


def agrees(learner: Any, rounds: Rounds, like: Learner) -> bool:
    """It guesses what the learner of ours guesses that it is said to be, a tie included; numbers to nine digits."""
    seat = start_fresh(learner, rounds)
    ours = start_fresh(like, rounds)
    if not rounds or (ours.player.learner.expected(ours.player.state) is not None and not like.numeric):
        return False  # coins of another learner fall otherwise
    for t, (x, y) in enumerate(rounds):
        theirs = seat.round(x, y)
        mine = ours.round(x, y)
        if like.numeric:
            require_same(round(float(theirs), 9), round(float(mine), 9), f"it does not guess as {like} does", t)
        elif ours.player.learner.limit() == 2:
            require_same(is_positive(theirs), bool(mine), f"it does not guess as {like} does", t)
        else:
            named = ours.player.labels.name(mine) if isinstance(seat, ForeignUnderTest) else mine
            require_same(theirs, named, f"it does not guess as {like} does", t)
    return True


def keeps_its_bound(learner: Any, claims: Learner, seed: int = 0, leniently: bool = False) -> bool:
    """Against an adversary that keeps the theorem's promise and no more, it stays within the theorem's bound.

    `leniently`, a theorem that no game here attacks is passed over.
    """
    try:
        for trial in play_attacks(learner, claims, seed):
            require_same(trial.fault, "", f"against {trial.name}")
            if trial.counted > trial.allowed:
                counts = f"it makes {float(trial.counted):.6g} and {float(trial.allowed):.6g} are allowed"
                raise BrokenLaw(f"against {trial.name} {counts} by the theorem of {claims}")
    except BadParameter:
        if leniently:
            return False
        raise
    return True


def _rename_labels(rounds: Rounds) -> Rounds:
    """Two labels by any names as False and True, so that a learner which knows only those can play."""
    return [(x, y == "yes" if y in ("no", "yes") else y) for x, y in rounds]
