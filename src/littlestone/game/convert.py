"""Convert: a certificate of an earlier version as one of today's, given its rounds.

What it claims stays as it is; the fingerprint of the rounds is taken anew. The old one is verified before and the new
one after, so that nothing is converted that is not true. A certificate from before there were versions may claim less
than today's rules ask for, such as a bound above the theorem's value: that one is refused, and `certify` makes another.

>>> from littlestone import Perceptron, Recorded, certify
>>> stream = Recorded([[0, 1], [1, 0]] * 3, [False, True] * 3)
>>> convert(certify(Perceptron(), stream), stream).version
2
"""

from dataclasses import replace
from typing import Any

from littlestone.base.bound import LOSSES, VERSION, Certificate
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner
from littlestone.certificates.check.experts_claims import read_advice, read_claim
from littlestone.certificates.digest import Digest
from littlestone.game.certify import is_sought, trace_rounds
from littlestone.game.player import Player, choose_features
from littlestone.game.verify import ADVISED, read_learner, verify


def convert(
    certificate: Certificate, stream: Stream, learner: Learner | None = None, features: Any = None
) -> Certificate:
    """The same certificate in today's version; `NotCertified` if it is not true of the rounds, or cannot be converted.

    Args:
        certificate: One of any version.
        stream: The rounds that it speaks of.
        learner: The learner, where JSON cannot hold it.
        features: What reads instances; None: as the stream offers them.
    """
    verify(certificate, stream, learner, features)
    if certificate.version == VERSION:
        return certificate
    about = certificate.learner
    covered = "mixing" not in about and about["name"] not in ("League", "floor")
    require(covered, "runs over shards, leagues and floors are certified anew, not converted", NotCertified)
    told = (_read_advice if about["name"] in ADVISED else _play_again)(certificate, stream, learner, features)
    converted = replace(certificate, version=VERSION, **told)
    verify(converted, stream, learner, features)
    return converted


def _play_again(certificate: Certificate, stream: Stream, learner: Learner | None, features: Any) -> dict[str, Any]:
    """The fingerprint and the form of the rows of a run."""
    about = certificate.learner
    who = read_learner(about) if learner is None else learner
    read = choose_features(who, stream.features() if features is None else features)
    player = Player(who, read, tuple(about.get("classes", ())), about.get("seed", 0))
    if stream.size().attributes:
        player.start_for(stream)
    digest = Digest()
    trace_rounds(player, take_rounds(stream.chunks(), certificate.rounds), digest)
    held = is_sought(who) and certificate.counts not in LOSSES
    return {"stream": digest.text(), "rows": certificate.rows or (digest.rows if held else None)}


def _read_advice(certificate: Certificate, stream: Stream, learner: Any, features: Any) -> dict[str, Any]:
    """The fingerprint of rounds of advice."""
    about = certificate.learner
    concepts = None
    if about["name"] == "Pool":
        about = about["learner"]
        concepts = getattr(learner, "concepts", None)
    today = replace(certificate, version=VERSION)
    return {"stream": read_advice(stream, features, today, read_claim(about, learner), concepts).digest}
