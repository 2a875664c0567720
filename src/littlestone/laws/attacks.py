"""Attacks: games against the bound of a theorem, for any learner that claims it.

The other side keeps the theorem's promise and no more: it answers the opposite of the guess as long as some target of
the class agrees with all it said, or goes round and round a target that it fixed. A learner that has the
theorem stays within its bound; one that only has the name does not.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> trial = next(iter(play_attacks(Halving(Thresholds(6)), Halving(Thresholds(6)))))
>>> trial.counted, trial.allowed
(3, 3)
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.learner import Learner
from littlestone.base.printed_numbers import Number
from littlestone.base.theorem import Attack
from littlestone.base.traits import Attacked
from littlestone.laws.playing import start_fresh
from littlestone.learners.experts.contract import Experts

SWEEPS = 40
EXPERTS = 4
ROUNDS = 60
NEAR = 1e-9


class Trial(NamedTuple):
    """What came of a game: how many mistakes (or how much loss), how many are allowed, and against whom."""

    name: str
    counted: Number
    allowed: Number
    fault: str = ""  # what was wrong with a guess, whatever the counts are


def play_attacks(learner: Any, claims: Learner, seed: int = 0) -> Iterator[Trial]:
    """Games against a learner that claims the theorem of one of ours."""
    if isinstance(claims, Experts):
        yield from _attack_advice(learner, claims, seed)
        return
    attack = claims.attack() if isinstance(claims, Attacked) else None
    if attack is None:
        raise BadParameter(f"no games here attack the theorem of {claims}: compare with it by like=")
    chance = random.Random(seed)
    yield _answer_the_opposite(learner, attack, chance)
    for index in chance.sample(range(len(attack.labels)), min(4, len(attack.labels))):
        yield _repeat_target(learner, attack, index)


def _answer_the_opposite(learner: Any, attack: Attack, chance: random.Random) -> Trial:
    """Ask where the opposite of the guess leaves most targets, and answer it, until none is left anywhere."""
    seat = _start_game(learner, attack)
    mistakes = 0
    agreeing = np.ones(len(attack.labels), bool)
    while mistakes <= max(attack.allowed):
        guesses = np.array([is_positive(seat.guess(x)) for x in attack.points])
        left = (attack.labels[agreeing] != guesses).sum(axis=0)
        if not left.any():
            break
        at = chance.choice(np.flatnonzero(left == left.max()).tolist())
        agreeing &= attack.labels[:, at] != guesses[at]
        seat.round(attack.points[at], not guesses[at])
        mistakes += 1
    allowed = min(attack.allowed[h] for h in np.flatnonzero(agreeing))
    return Trial("the opposite of every guess", mistakes, allowed)


def _repeat_target(learner: Any, attack: Attack, index: int) -> Trial:
    """Show all instances again and again, labelled by one target."""
    seat = _start_game(learner, attack)
    mistakes = 0
    for x, y in list(zip(attack.points, attack.labels[index].tolist(), strict=True)) * SWEEPS:
        mistakes += is_positive(seat.round(x, y)) != y
    return Trial(f"round and round target {index}", mistakes, attack.allowed[index])


def _start_game(learner: Any, attack: Attack) -> Any:
    return start_fresh(learner, list(zip(attack.points, attack.labels[0].tolist(), strict=True)))


def is_positive(guess: Any) -> bool:
    """A guess of one of two classes: False, 0 and -1 are the negative one."""
    return not isinstance(guess, str | tuple | list) and guess is not None and float(guess) > 0


def _attack_advice(learner: Any, claims: Experts, seed: int) -> Iterator[Trial]:
    """Experts of whom one is good, all are equal, or all are coins; outcomes by chance or against the guess."""
    if claims.theorem.tosses:
        raise BadParameter(
            f"{claims} tosses coins: a game shows one of many outcomes, and its theorem is about the mean"
        )
    for name in ("one honest expert among liars", "experts who toss coins", "experts who agree"):
        for spiteful in (False, True):
            yield _play_panel(learner, claims, name, spiteful, random.Random(f"{name} {seed}"))


def _play_panel(learner: Any, claims: Experts, name: str, spiteful: bool, chance: random.Random) -> Trial:
    loss = claims.expert_loss
    low, high = (0.0, 1.0) if loss.binary or not claims.numeric else (float(loss.low), float(loss.high))
    first, last = (0.125, 0.875) if claims.numeric else (0, 1)
    ends = [low + first * (high - low), low + last * (high - low)]
    seat = start_fresh(learner, [((ends[1],) * EXPERTS, high)])
    lost = np.zeros(EXPERTS)
    total = 0.0
    fault = ""
    for t in range(ROUNDS):
        y = chance.choice((0.0, 1.0))
        x = _make_forecasts(name, y, ends, chance)
        guess = seat.guess(x)
        said = float(guess) if claims.numeric else float(is_positive(guess))
        if spiteful:
            y = float(said < (low + high) / 2)
        inside = (min(x), max(x)) if claims.guesses_between_forecasts else (low, high)
        if not fault and not inside[0] - NEAR <= said <= inside[1] + NEAR:
            fault = f"in round {t + 1} it guesses {said}, which is not between {inside[0]} and {inside[1]}"
        y = low + y * (high - low)
        total += loss(min(max(said, loss.low), loss.high), y) if claims.numeric else float(said != y)
        lost += [loss(v, y) for v in x]
        seat.player.update(x, y if claims.numeric else bool(y))
    best = float(lost.min())
    try:
        allowed = best + claims.regret(EXPERTS, ROUNDS, best)
    except NotCertified as problem:
        raise BadParameter(f"{claims} claims no theorem here: {problem}") from None
    against = f"{name}, {'outcomes against the guess' if spiteful else 'outcomes by chance'}"
    return Trial(against, total - NEAR if claims.numeric else int(total), allowed, fault)


def _make_forecasts(name: str, y: float, ends: list[float], chance: random.Random) -> tuple[float, ...]:
    if name == "one honest expert among liars":
        return (*(ends[int(1 - y)],) * (EXPERTS - 1), ends[int(y)])
    if name == "experts who agree":
        return (chance.choice(ends),) * EXPERTS
    return tuple(chance.choice(ends) for _ in range(EXPERTS))
