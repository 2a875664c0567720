"""Certifier of learners that show another one some rounds only: its certificate on these, and what follows from it."""

from typing import Any, cast

import numpy as np

from littlestone.base.bound import VERSION, Certificate, Tally
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.base.traits import Asking
from littlestone.certificates.check.shown_rounds import ShownStream, wrap_certificate
from littlestone.certificates.digest import Digest, digest_advice
from littlestone.game.certify import certify, require_same_tally, start_player
from littlestone.game.player import Player
from littlestone.game.refusal import meet_columns


def certify_shown(who: Player | Learner, stream: Stream, theorem: str | None, sweeps: int) -> Certificate:
    """The certificate of a learner of which another one inside is certified on the rounds that it was shown."""
    if isinstance(who, Player):
        meet_columns(who, stream)
    player = start_player(who, stream)
    digest = Digest()
    experts = 0
    learner = cast(Any, player.learner)
    numbers = [np.zeros(0, np.int64)]
    updated = [np.zeros(0, np.int64)]
    for chunk in take_rounds(stream.chunks(), who.tally.rounds if isinstance(who, Player) else None):
        for played in player.play_chunk(chunk, traced=True):
            assert played.moved is not None
            moved = np.flatnonzero(played.moved > 0)
            numbers.append(digest.rounds + _find_shown(player, played.guesses, moved))
            updated.append(digest.rounds + moved)
            digest.add(played.seen)
            experts = max(experts, played.seen.width)
    require_same_tally(player, who.tally if isinstance(who, Player) else None)
    shown = np.concatenate(numbers)
    require(len(shown) > 0, f"{learner.learner} was shown no round: there is nothing to certify", NotCertified)
    declared = list(player.labels.names) if player.labels.closed and not learner.numeric else []
    part = ShownStream(stream, player.features, None if learner.numeric else declared, shown)
    inside = Player(learner.learner, part.features(), part.classes(), player.seed)
    for chunk in part.chunks():
        inside.replay(chunk)
    inner = certify(inside, part, theorem, sweeps)
    every = type(learner).__name__ != "Conservative" or inner.updates == len(shown)
    require(every, "a round that was shown moved nothing, and no theorem counts it", NotCertified)
    seed = player.seed if isinstance(learner, Asking) else None
    classes = {} if learner.numeric else player.labels.declaration
    told = wrap_certificate(inner, describe(learner), seed, classes)
    told |= {"rounds": digest.rounds, "version": VERSION}
    if learner.numeric:
        told |= {"stream": digest_advice(digest, experts)}
        return Certificate(mistakes=0, updates=len(shown), **told)
    schema = who.schema if isinstance(who, Player) else stream.schema()
    told |= {"columns": schema.to_record() if schema is not None and schema.kinds else None}
    told |= {"stream": digest.text(), "rows": digest.rows, "updated": tuple(np.concatenate(updated).tolist())}
    tally: Tally = player.tally
    return Certificate(mistakes=tally.mistakes, updates=tally.updates, **told)


def _find_shown(player: Player, guesses: Array, moved: Array) -> Array:
    """Which of the rounds that were just played the learner inside was shown."""
    learner = cast(Any, player.learner)
    first = player.tally.rounds - len(guesses)
    if not isinstance(learner, Asking):
        return moved
    if type(learner).__name__ == "AppleTasting":
        accepted = guesses == 1
        if guesses[0] < 0:  # no class was known, and the coin may have accepted
            accepted[0] = learner.asked(player.state) > np.count_nonzero(accepted[1:])
        return np.flatnonzero(accepted)
    state = player.state
    coins = [learner.wants(state._replace(counts=np.array([first + t])), None) for t in range(len(guesses))]
    return np.flatnonzero(coins)
