"""Certifier of networks whose units learn on their own by other rules than the Perceptron's: unit by unit."""

import json
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np

from littlestone.base.bound import VERSION, Certificate, Tally
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.certificates.check.separate_units import TEACHES_TIES, UnitStream, find_starts, wrap_units
from littlestone.game.certify import certify, require_described, require_same_tally, trace_game
from littlestone.game.player import Player, choose_features


def certify_units(who: Player | Learner, stream: Stream, theorem: str | None, sweeps: int) -> Certificate:
    """What the theorem of its learner allows each unit, added up."""
    trace = trace_game(who, stream)
    player = trace.player
    learner = cast(Any, trace.player.learner)
    tally = trace.player.tally
    require_same_tally(player, who.tally if isinstance(who, Player) else None)
    unit = learner.learner
    if type(unit).__name__ in TEACHES_TIES:
        unit = replace(unit, tie="strict")  # units of a network learn from every tie
    declared = list(player.labels.names) if player.labels.closed else []
    starts = find_starts(stream, player.features, declared, tally.rounds)
    inner = [
        certify(unit, UnitStream(stream, player.features, declared, c, (start, tally.rounds)), theorem, sweeps)
        for c, start in enumerate(starts)
    ]
    require_described(inner[0], unit)
    about = describe(learner) | {"real": np.dtype(player.size.real if player.size else np.float64).name}
    own = {part.name for part in fields(unit)}  # one kind of unit has a switch called `real`
    typed = "real" in own or inner[0].learner["real"] == about["real"]
    require(typed, f"no verifier covers units of {unit}: their weights are of a type of their own", NotCertified)
    known = {name: value for name, value in inner[0].learner.items() if name in own | {"name"}}
    about["learner"] = known | ({"tie": learner.learner.tie} if type(unit).__name__ in TEACHES_TIES else {})
    told = wrap_units(inner, starts) | {"learner": about | player.labels.declaration}
    alike = f"the units of {learner} round otherwise on their own: it has {tally.updates} updates"
    require(len(told["updated"]) in (0, tally.updates), alike, NotCertified)
    schema = who.schema if isinstance(who, Player) else stream.schema()
    return Certificate(
        **told,
        mistakes=tally.mistakes,
        updates=tally.updates,
        rounds=tally.rounds,
        witness={"units": [json.loads(one.to_json()) for one in inner]},
        stream=trace.digest.text(),
        rows=trace.digest.rows,
        version=VERSION,
        columns=schema.to_record() if schema is not None and schema.kinds else None,
    )


def play_network(learner: Learner, certificate: Certificate, stream: Stream, features: Any) -> Tally:
    """What a network counts on the rounds of a certificate, its units played by their learners."""
    player = Player(learner, choose_features(learner, features), tuple(certificate.learner.get("classes", ())))
    if stream.size().attributes:
        player.start_for(stream)
    for chunk in take_rounds(stream.chunks(), certificate.rounds):
        for _ in player.play_chunk(chunk):
            pass
    return player.tally
