"""Certifier of a Perceptron whose rounds have weights of their own: what the weight of its updates can be at most."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.chunks import Examples
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.certificates.check.round_weights import read_weights
from littlestone.certificates.check.weighted import COUNTS, COVERED, PROMISE, THEOREM, measure
from littlestone.certificates.digest import Digest
from littlestone.certificates.make.steps import Steps, collect_steps
from littlestone.certificates.make.weighted import find_witness
from littlestone.game.certify import require_same_tally, start_player
from littlestone.game.player import Player
from littlestone.game.refusal import meet_columns

REFUSED = (
    "no certificate of this learner covers rounds of unequal importance: "
    "certify rounds without weights, or Perceptron() with them"
)


def certify_weighted(who: Player | Learner, stream: Stream, sweeps: int) -> Certificate:
    """What Novikoff's theorem allows the weight of the updates to be, with the best comparator found."""
    learner: Any = who.learner if isinstance(who, Player) else who
    plain = type(learner).__name__ in COVERED and learner.margin == 0 and not getattr(learner, "normalized", False)
    require(plain, f"{REFUSED}; got {learner}", NotCertified)
    if isinstance(who, Player):
        meet_columns(who, stream)
    player = start_player(who, stream)
    digest = Digest()
    parts = [Steps.empty()]
    for chunk in take_rounds(stream.chunks(), who.tally.rounds if isinstance(who, Player) else None):
        for played in player.play_chunk(chunk, traced=True):
            assert played.moved is not None
            assert isinstance(played.seen, Examples)
            seen = replace(played.seen, importance=None)
            parts.append(collect_steps(seen, played.guesses, played.moved, digest.rounds))
            digest.add(seen)
    require_same_tally(player, who.tally if isinstance(who, Player) else None)
    steps = Steps.join(parts)
    tally = player.tally
    real = player.size.real if player.size else np.float64
    weights = read_weights(stream, tally.rounds)[steps.rounds]
    witness = find_witness(steps, learner.step_rule(), real, weights, sweeps)
    about = {"real": np.dtype(real).name} | describe(learner)
    about |= player.labels.declaration
    schema = who.schema if isinstance(who, Player) else stream.schema()
    draft = Certificate(
        THEOREM, PROMISE, COUNTS, tally.mistakes, tally.updates, 0, witness, "sequence", rounds=tally.rounds,
        learner=about, stream=digest.text(), updated=tuple(steps.rounds.tolist()), version=VERSION, rows=digest.rows,
        columns=schema.to_record() if schema is not None and schema.kinds else None,
    )  # fmt: skip
    facts = measure(draft, stream, player.features.renew())
    witness |= {"unexplained": facts.unexplained, "squares": _shorten(facts.squares)}
    return replace(draft, witness=witness, count=_shorten(facts.total), bound=_shorten(facts.bound))


def _shorten(number: Fraction) -> int | Fraction:
    """A fraction as JSON gives it back: a whole one as such."""
    return int(number) if number.denominator == 1 else number
