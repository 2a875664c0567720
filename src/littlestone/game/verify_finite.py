"""Census: certificates of learners over finite classes, checked by playing again and asking every concept.

The learner is played round by round, guess before label, and must count what the certificate says. The witness
concept is asked about every round, and where the class is small so is every other concept, which counts the survivors
without a version space.
"""

import json
from typing import Any

from littlestone.base.bound import Certificate, to_json_value
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner, describe
from littlestone.certificates.digest import Digest
from littlestone.game.player import Player

ASKED = 10**6  # questions to concepts, up to which all of them are asked


def census(certificate: Certificate, stream: Stream, learner: Learner | None, features: Any) -> tuple[Any, ...]:
    """What a report says, or NotCertified."""
    if learner is None:
        raise NotCertified(f"to check a certificate of {certificate.learner['name']}, pass the learner")
    said = {key: value for key, value in certificate.learner.items() if key not in ("real", "classes")}
    require(said == describe(learner), f"the certificate is about {said}, not {describe(learner)}", NotCertified)
    declared = certificate.learner.get("classes", [])
    player = Player(learner, features, declared)
    require(not learner.classes() or list(declared) == player.labels.names, f"no classes are {declared}", NotCertified)
    digest, updated, points, codes = Digest(), list[int](), list[Any](), list[int]()
    for chunk in stream.chunks():
        for t in range(min(len(chunk), certificate.rounds - digest.rounds)):
            before = player.tally.updates
            player.update(chunk[t], chunk.labels[t])
            if player.tally.updates > before:
                updated.append(digest.rounds)
            seen = player.features.chunk(chunk[t : t + 1])
            code = player.labels.number(chunk.labels[t], learner.limit())
            digest.add(seen.labelled(player.labels.encode(chunk.labels[t : t + 1], learner.limit())))
            points.append(seen[0])
            codes.append(code)
    require(digest.rounds == certificate.rounds, f"the stream has {digest.rounds} rounds", NotCertified)
    require(digest.text() == certificate.stream, "the rounds are not those of the certificate", NotCertified)
    require(tuple(updated) == certificate.updated, "the update rounds are others", NotCertified)
    again = player.certificate()
    for name in ("theorem", "promise", "counts", "mistakes", "updates", "bound", "scope", "exact", "count"):
        here, there = getattr(again, name), getattr(certificate, name)
        require(type(here) is type(there) and here == there, f"{name} is {here!r}, not {there!r}", NotCertified)
    witness = json.loads(json.dumps(to_json_value(again.witness)))
    require(
        witness == json.loads(json.dumps(to_json_value(certificate.witness))), "the witness is another", NotCertified
    )
    _ask(learner, again.witness, points, codes)
    require(again.holds, "the bound does not hold", NotCertified)
    return again.theorem, again.counts, again.counted, again.bound, digest.rounds, again.exact


def _ask(learner: Learner, witness: Any, points: list[Any], codes: list[int]) -> None:
    """Ask the witness about every round and, in a small class, everybody else."""
    concepts = getattr(learner, "concepts", None)
    if concepts is None or not isinstance(witness, dict) or "concept" not in witness:
        return
    rounds = list(zip(points, codes, strict=True))
    agrees = all(concepts.label(witness["concept"], x) == y for x, y in rounds)
    require(agrees, "the witness does not agree with every round", NotCertified)
    if concepts.size * (len(rounds) + 1) <= ASKED:
        alive = sum(all(concepts.label(h, x) == y for x, y in rounds) for h in range(concepts.size))
        require(alive == witness["survivors"], f"{alive} concepts survive", NotCertified)
