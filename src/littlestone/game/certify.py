"""Certifier: the smallest bound that the learner's theorems give on the rounds that were played.

The stream is read once more, the rounds that taught the learner are kept, and a witness is sought among all
comparators in hindsight. It works on any labelled stream, separable or not: `verify` checks the result without
anything of this module. Nothing here need be exact: numbers are pushed towards a larger bound, and `verify` decides.

>>> from littlestone import Perceptron, Recorded
>>> AND = Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [False, False, False, True] * 9)
>>> certificate = certify(Perceptron(), AND, theorem="Novikoff")
>>> certificate.updates, certificate.bound, certificate.holds
(18, 51, True)
"""

import copy
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple, cast

import numpy as np

from littlestone.base.bound import LOSSES, VERSION, Certificate, Tally
from littlestone.base.chunks import Array, Chunk, Examples, Tokens
from littlestone.base.environment import Stream, cut_chunks, take_rounds
from littlestone.base.errors import BadParameter, NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.base.traits import Asking
from littlestone.certificates.check.finite import FINITE
from littlestone.certificates.check.float_runs.additive import RULES
from littlestone.certificates.check.mapped_rows import MAPS, MappedStream
from littlestone.certificates.check.shown_rounds import SHOWING
from littlestone.certificates.check.weighted import COVERED
from littlestone.certificates.digest import Digest, digest_advice
from littlestone.certificates.make.additive import measure_everywhere
from littlestone.certificates.make.experts import AdviceGame, certify_advice
from littlestone.certificates.make.margins import SWEEPS
from littlestone.certificates.make.steps import Steps, TracedRun, collect_steps, refuse_importance
from littlestone.game.player import Player, choose_features
from littlestone.game.refusal import meet_columns
from littlestone.learners.network import Network
from littlestone.learners.shared.linear import PERCEPTRON

WEIGHED = ("losses", "numbers")  # kinds of theorems that cover rounds of unequal importance
MAKERS = {  # the modules that look for witnesses, by the kind of facts that the theorems need
    "steps": "additive",
    "promotions": "winnow",
    "phases": "balanced_winnow",
    "volume": "ellipsoid",
    "kernel": "kernel",
    "forgetting": "forgetron",
    "units": "network",
    "losses": "losses",
    "numbers": "regression",
    "regrets": "regrets",
}
ROUNDS = 8192  # played, hashed and noted at a time, while they are near at hand in the memory


class Trace(NamedTuple):
    """A game played once more: the player after it, the digest of its rounds, and the steps it took."""

    player: Player
    digest: Digest  # which may still be at work while a witness is looked for
    steps: Steps

    def as_run(self, wanted: str | None = None, sweeps: int = SWEEPS) -> TracedRun:
        """What is to be certified of it."""
        player = self.player
        real = player.size.real if player.size else np.float64
        played = (player.learner, player.state, player.tally, self.steps, real, len(player.labels))
        return TracedRun(*played, wanted, sweeps, len(player.labels.names) if player.labels.closed else 0)


def certify(who: Player | Learner, stream: Stream, theorem: str | None = None, sweeps: int = SWEEPS) -> Certificate:
    """The smallest bound of all theorems that cover the learner, or that of the theorem whose name is given in part.

    A player must have played the rounds of this stream from the first one on, and no others; a learner plays them
    all. The search for a witness passes at most `sweeps` times over the rounds that taught the learner.
    """
    if not isinstance(stream, Stream):
        raise BadParameter(f"a certificate is about a stream that can be read again, got {stream!r}")
    played = who.tally if isinstance(who, Player) else None
    _refuse_uncovered(who.learner if isinstance(who, Player) else who)
    if is_mapped(who.learner if isinstance(who, Player) else who):
        return _certify_mapped(who, stream, theorem, sweeps)
    if is_shown(who.learner if isinstance(who, Player) else who):
        from littlestone.game.certify_shown import certify_shown

        return certify_shown(who, stream, theorem, sweeps)
    if is_of_units(who.learner if isinstance(who, Player) else who):
        from littlestone.game.certify_units import certify_units

        return certify_units(who, stream, theorem, sweeps)
    if type(who.learner if isinstance(who, Player) else who).__name__ == "Restarting":
        from littlestone.game.certify_restarting import certify_restarting

        return certify_restarting(who, stream, theorem, sweeps)
    if _follows_experts(who.learner if isinstance(who, Player) else who):
        player = start_player(who, stream)
        game = play_advice(player, stream.chunks(), None if played is None else played.rounds)
        require_same_tally(player, played)
        return replace(certify_advice(game), version=VERSION)
    if type(who.learner if isinstance(who, Player) else who).__name__ in COVERED and _has_weights(stream):
        from littlestone.game.certify_weighted import certify_weighted

        return certify_weighted(who, stream, sweeps)
    trace = trace_game(who, stream)
    player = trace.player
    require_same_tally(player, played)
    run = trace.as_run(theorem, sweeps)
    certificate = make_certificate(run) if is_sought(player.learner) else player.certificate()
    witness = certificate.witness
    if isinstance(witness, dict) and {"unexplained", "margin"} <= set(witness) and "classes" not in witness:
        loss = measure_everywhere(witness, run, _read_again(player, stream))
        certificate = replace(certificate, witness=witness | {"everywhere": loss})
    lossy = certificate.counts in LOSSES  # whose state moves in every round, and depends neither on types nor rows
    about = {} if lossy else {"real": np.dtype(run.real).name}
    about |= certificate.learner if lossy else describe(player.learner) | certificate.learner
    if (isinstance(player.learner, Asking) and player.learner.tosses) or (player.seed and _draws(player.learner)):
        about["seed"] = player.seed
    about |= player.labels.declaration
    updated = () if lossy else tuple(trace.steps.rounds.tolist())
    told: dict[str, Any] = {
        "rounds": player.tally.rounds,
        "learner": about,
        "stream": trace.digest.text(),
        "updated": updated,
    }
    rows = trace.digest.rows if is_sought(player.learner) and not lossy else None
    return replace(certificate, **told, version=VERSION, rows=rows, columns=_list_columns(who, stream))


def _draws(learner: Any) -> bool:
    """Whether a learner, or the one inside it, follows concepts that it draws."""
    inside = getattr(learner, "learner", None)
    return bool(getattr(learner, "draws_concepts", False)) or (inside is not None and _draws(inside))


def _list_columns(who: Player | Learner, stream: Stream) -> dict[str, Any] | None:
    """The columns of a table, as the player or the stream knows them."""
    schema = who.schema if isinstance(who, Player) else stream.schema()
    return schema.to_record() if schema is not None and schema.kinds else None


def _has_weights(stream: Stream) -> bool:
    """Whether the rounds of a stream have weights of their own, as far as its first chunk says."""
    first = next(iter(stream.chunks()), None)
    return isinstance(first, Examples | Tokens) and first.importance is not None


def _refuse_uncovered(learner: Learner) -> None:
    """Refuse a learner that says of itself that no theorem covers it."""
    why = learner.lacks_theorem()
    require(not why, f"no theorem covers {learner}: {why}", NotCertified)
    if type(learner).__name__ in SHOWING:
        _refuse_unplayable(learner)


def _refuse_unplayable(learner: Any) -> None:
    """Refuse a learner that shows some rounds to another one which the verifier cannot play again on these."""
    inner = innermost = learner.learner
    while isinstance(getattr(innermost, "learner", None), Learner):
        innermost = innermost.learner
    asked = type(learner).__name__ == "LabelEfficient" and inner.numeric and _follows_experts(inner)
    known = asked or type(inner).__name__ in RULES or type(innermost).__name__ in FINITE
    told = f"no verifier plays {inner} again on the rounds that {type(learner).__name__} shows it"
    require(known, told, NotCertified)


def require_described(inner: Certificate, learner: Learner) -> None:
    """Refuse a learner inside whose certificate says more of it than its parameters: what holds it has no place."""
    more = sorted(set(inner.learner) - set(describe(learner)) - {"real", "classes"})
    told = f"no verifier covers {learner} inside another learner: its certificate says {', '.join(more)} too"
    require(not more, told, NotCertified)


def _certify_mapped(who: Player | Learner, stream: Stream, theorem: str | None, sweeps: int) -> Certificate:
    """The certificate of the learner inside, over the rows that it saw."""
    trace = trace_game(who, stream)
    player = trace.player
    learner = cast(Any, trace.player.learner)
    require_same_tally(player, who.tally if isinstance(who, Player) else None)
    declared = list(player.labels.names) if player.labels.closed else []
    about = describe(learner)
    mapped = MappedStream(stream, player.features, about, declared, player.tally.rounds)
    inner = certify(learner.learner, mapped, theorem, sweeps)
    require_described(inner, learner.learner)
    same = (inner.mistakes, inner.updates) == player.tally[1:3]
    require(same, f"the rows of {learner} cannot be formed again: it counts {player.tally}", NotCertified)
    known = {name: inner.learner[name] for name in ("real", "classes") if name in inner.learner}
    about["learner"] = {name: value for name, value in inner.learner.items() if name not in known}
    columns = _list_columns(who, stream)
    return replace(inner, learner=about | known, stream=trace.digest.text(), columns=columns)


def is_shown(learner: Learner) -> bool:
    """Whether it shows some rounds only to a learner inside whose witness must be sought in them."""
    inner: Any = getattr(learner, "learner", None)
    return type(learner).__name__ in SHOWING and (is_sought(inner) or (inner.numeric and _follows_experts(inner)))


def is_of_units(learner: Learner) -> bool:
    """Whether it is a network whose units learn on their own, by another rule than the Perceptron's."""
    if not isinstance(learner, Network) or learner.updates != "each":
        return False
    unit: Any = learner.learner
    return learner.unit is None or not (unit.theorems() is PERCEPTRON and unit.step_rule().exact)


def is_mapped(learner: Learner) -> bool:
    """Whether it rewrites rows for a learner inside whose witness must be sought in them."""
    inner: Any = getattr(learner, "learner", None)
    return type(learner).__name__ in MAPS and (is_sought(inner) or is_mapped(inner))


def _read_again(player: Player, stream: Stream) -> Iterator[Any]:
    """What the player saw of all rounds that it played, with their class numbers."""
    features = player.features.renew()
    for chunk in take_rounds(stream.chunks(), player.tally.rounds):
        left = chunk
        while len(left):
            seen = features.read_chunk(left)
            yield seen.with_labels(player.labels.encode(left.labels[: len(seen)], 2))
            left = left[len(seen) :]


def make_certificate(run: TracedRun) -> Certificate:
    """The certificate with the best witness found, by the module for the kind of the learner's theorems."""
    kind = run.learner.theorems()[0].kind
    maker = import_module(f"littlestone.certificates.make.{MAKERS[kind]}")
    certificate: Certificate = maker.make(run)
    return certificate


def is_sought(learner: Learner) -> bool:
    """Whether a theorem covers it whose witness must be sought in the rounds; other learners' states hold one."""
    return any(theorem.kind != "state" for theorem in learner.theorems())


def is_covered(learner: Learner) -> bool:
    """Whether the rounds must be read again for a certificate."""
    named = type(learner).__name__ == "Restarting"
    return named or is_sought(learner) or is_mapped(learner) or is_shown(learner) or _follows_experts(learner)


def _follows_experts(learner: Learner) -> bool:
    """Whether it follows experts in a way that can be checked from the rounds alone."""
    follower = getattr(learner, "follower", None)
    return follower is not None and bool(follower.is_checkable)


def require_same_tally(again: Player, played: Tally | None) -> None:
    """The player must have played these very rounds."""
    if played is not None and played != again.tally:
        raise NotCertified(f"the stream is not what was played: it gives {again.tally}, the player counts {played}")


def start_player(who: Player | Learner, stream: Stream) -> Player:
    """A fresh player for a learner, or one like another before its first round."""
    if not isinstance(who, Player):
        player = Player(who, choose_features(who, stream.features()), stream.classes())
    else:
        declared: tuple[Hashable, ...] = tuple(who.labels.names) if who.labels.closed else ()
        player = Player(
            who.learner, copy.deepcopy(getattr(who.features, "renew", lambda: who.features)()), declared, who.seed
        )
    if stream.size().attributes or (isinstance(who, Player) and who.size):
        player.start_for(stream)
    return player


def trace_game(who: Player | Learner, stream: Stream) -> Trace:
    """Play a stream again from the start, as many rounds as the player has played, noting what moved the state."""
    if isinstance(who, Player):
        meet_columns(who, stream)
    player = start_player(who, stream)
    rounds = who.tally.rounds if isinstance(who, Player) else None
    digest = Digest()
    steps = trace_rounds(player, take_rounds(stream.chunks(), rounds), digest)
    if rounds is not None and digest.rounds < rounds:
        raise NotCertified(f"the stream has {digest.rounds} rounds, the player played {rounds}")
    return Trace(player, digest, steps)


def trace_rounds(player: Player, chunks: Iterable[Chunk], digest: Digest) -> Steps:
    """Play chunks, add their rounds to the digest, and return those that moved the player's state."""
    parts = [Steps.empty()]
    weighed = any(theorem.kind in WEIGHED for theorem in player.learner.theorems())
    for chunk in cut_chunks(chunks, lambda t: t + ROUNDS):
        for played in player.play_chunk(chunk, traced=True):
            assert played.moved is not None
            parts.append(collect_steps(played.seen, played.guesses, played.moved, digest.rounds, weighed))
            digest.add(played.seen)
    return Steps.join(parts)


def play_advice(player: Player, chunks: Any, rounds: int | None) -> AdviceGame:
    """Let a fresh player play as many rounds of advice, keeping what was said."""
    learner: Any = player.learner
    digest = Digest()
    rows = list[Array]()
    outcomes = list[Array]()
    for chunk in take_rounds(chunks, rounds):
        for played in player.play_chunk(chunk):
            refuse_importance(played.seen)
            rows.append(learner.find_forecasts(played.seen))
            outcomes.append(played.labels)
            digest.add(played.seen)
    require(digest.rounds > 0, "there are no experts before the first round", NotCertified)
    if rounds is not None and digest.rounds < rounds:
        raise NotCertified(f"the stream has {digest.rounds} rounds, the player played {rounds}")
    experts = max(part.shape[1] for part in rows)
    padded = [np.pad(part.astype(np.float64), ((0, 0), (0, experts - part.shape[1])), constant_values=np.nan)
              for part in rows]  # fmt: skip
    end = player.learner, player.state, player.tally, player.seed
    return AdviceGame(*end, np.concatenate(padded), np.concatenate(outcomes), digest_advice(digest, experts))
