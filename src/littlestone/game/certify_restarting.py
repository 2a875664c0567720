"""Certifier of Winnow in phases: the caps of those that ended, and a certificate of the last one."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.certificates.check.restarting import count_patience, wrap_phases
from littlestone.certificates.check.shown_rounds import ShownStream
from littlestone.game.certify import certify, require_same_tally, trace_game
from littlestone.game.player import Player


def certify_restarting(who: Player | Learner, stream: Stream, theorem: str | None, sweeps: int) -> Certificate:
    """What the phases that ended and the last one allow the updates to be."""
    trace = trace_game(who, stream)
    player = trace.player
    learner = cast(Any, trace.player.learner)
    require_same_tally(player, who.tally if isinstance(who, Player) else None)
    n = learner.attributes or stream.size().attributes
    state = player.state
    require(n >= 1, "say how many attributes there are: Restarting(learner, attributes=...)", NotCertified)
    ended = [
        *state.phases.tolist(),
        *[learner.phase(learner.number(state)).moves(state.inner)] * learner.is_spent(state),
    ]
    updated = trace.steps.rounds.tolist()
    ends = [updated[sum(ended[: k + 1]) - 1] + 1 for k in range(len(ended))]
    begun = ends[-1] if ends else 0
    rounds = player.tally.rounds
    inner = None
    threshold = Fraction(learner.learner.threshold or n)
    caps = [count_patience(k + 1, n, threshold, learner.learner.strict_gt) for k in range(len(ended))]
    require(caps == [count - 1 for count in ended], "floats ended a phase at another update than its cap", NotCertified)
    declared = list(player.labels.names) if player.labels.closed else []
    if begun < rounds:
        phase = replace(learner.phase(len(ended) + 1), threshold=float(threshold))
        part = ShownStream(stream, player.features, declared, np.arange(begun, rounds))
        inner = certify(phase, part, theorem, sweeps)
    about = describe(learner) | player.labels.declaration
    told = wrap_phases(caps, inner) | {"learner": about, "stream": trace.digest.text(), "rows": trace.digest.rows}
    told["witness"] = {"phases": ends, "last": None if inner is None else json.loads(inner.to_json())}
    tally = player.tally
    counted: dict[str, Any] = {"mistakes": tally.mistakes, "updates": tally.updates, "rounds": rounds}
    schema = who.schema if isinstance(who, Player) else stream.schema()
    columns = schema.to_record() if schema is not None and schema.kinds else None
    return Certificate(**told, **counted, updated=tuple(updated), version=VERSION, columns=columns)
