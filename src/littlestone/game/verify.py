"""Verifier: whether a certificate is true of a stream, by exact arithmetic and nothing that made it.

The rounds are read again. Every decision of the learner is recomputed from the list of update rounds, the witness is
measured in fractions, and the bound is refused unless one more than it is impossible. What is returned is true in a
condition and says where rounding decided a round; what does not hold raises `NotCertified` and says why.

>>> from littlestone import Perceptron, Recorded
>>> from littlestone.game.certify import certify
>>> stream = Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [False, False, False, True] * 9)
>>> print(verify(certify(Perceptron(), stream, "Novikoff"), stream))
18 updates <= 51 verified over 36 rounds, exactly (Perceptron (Novikoff 1962))
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from littlestone import learners
from littlestone.base.bound import MALFORMED, Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import LittlestoneError, NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.features.schema import Schema
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner, Size, describe
from littlestone.certificates.check.additive import check_additive, knows
from littlestone.certificates.check.balanced_winnow import check_balanced_winnow
from littlestone.certificates.check.ellipsoid_and_kernel import check_ellipsoid, check_kernel_perceptron
from littlestone.certificates.check.experts import check_advice
from littlestone.certificates.check.experts_claims import THEOREMS
from littlestone.certificates.check.finite import FINITE, check_finite
from littlestone.certificates.check.float_runs.additive import RULES
from littlestone.certificates.check.float_runs.arranged_rows import read_form
from littlestone.certificates.check.float_runs.mixtures import NAMES
from littlestone.certificates.check.floors import check_floor
from littlestone.certificates.check.forgetron import check_forgetron
from littlestone.certificates.check.integer_rows import is_surprise, require_same_rounds
from littlestone.certificates.check.late_labels import COUNTS as LATE
from littlestone.certificates.check.late_labels import check_late
from littlestone.certificates.check.losses import check_losses
from littlestone.certificates.check.mapped_rows import MAPS, check_mapped
from littlestone.certificates.check.network import check_separate_units
from littlestone.certificates.check.regression import THEOREMS as REGRESSORS
from littlestone.certificates.check.regression import check_regression
from littlestone.certificates.check.regrets import check_regret
from littlestone.certificates.check.report import Report
from littlestone.certificates.check.restarting import check_restarting
from littlestone.certificates.check.rules import CheckedRule
from littlestone.certificates.check.same_run import replay_run
from littlestone.certificates.check.separate_units import check_units
from littlestone.certificates.check.shards import check_shards
from littlestone.certificates.check.shown_rounds import SHOWING, check_asked_advice, check_shown
from littlestone.certificates.check.tracking import CopiesPlayed, check_tracking
from littlestone.certificates.check.weighted import COUNTS as WEIGHT
from littlestone.certificates.check.weighted import check_weighted
from littlestone.certificates.check.winnow import check_winnow
from littlestone.certificates.digest import Digest
from littlestone.game.certify_units import play_network
from littlestone.game.league.certify import verify_league
from littlestone.game.player import Player, choose_features
from littlestone.learners import conversions
from littlestone.learners.conversions import Tracking
from littlestone.learners.shared import kernel_functions

ADVISED = {*THEOREMS, "Pool"}
TOSSING = FINITE | {"Tracking", "SelectiveSampling", "LabelEfficient"}  # learners that may toss coins, by a seed
BESIDES = {"name", "real", "classes", "seed"}  # what a description says of them besides their own fields
CHECKS = {
    "Winnow": check_winnow,
    "BalancedWinnow": check_balanced_winnow,
    "Ellipsoid": check_ellipsoid,
    "KernelPerceptron": check_kernel_perceptron,
    "Forgetron": check_forgetron,
}
WHOLE = {*THEOREMS, *RULES, *NAMES, "BalancedWinnow", "Network"}  # learners whose checks know some defaults
REGRETS = {"SecondOrderPerceptron", "Arow", "DiagonalSecondOrder", "PNormPerceptron"}


def verify(
    certificate: Certificate,
    stream: Stream | Sequence[Stream],
    learner: Learner | None = None,
    features: Any = None,
    rules: Sequence[CheckedRule] = (),
    forecasts: Mapping[str, Any] | None = None,
) -> Report:
    """Check a certificate against the rounds it speaks of; what does not hold raises `NotCertified` and says why.

    Args:
        certificate: What is claimed.
        stream: The rounds, of which the first ones are read; for a run over shards, all shards.
        learner: The learner, where JSON cannot hold it: over a concept class, or with a loss of one's own. Of a learner
            over a concept class only that class and the parameters are used.
        features: What reads instances as the player's features did; None: as the stream offers them.
        rules: Rules of additive learners that the library does not know.
        forecasts: What members of a league said that are not the library's, by name: `league.forecasts`.
    """
    try:
        certificate.refuse_malformed()
        if certificate.rows is not None:
            read_form(certificate.rows)
        if certificate.columns is not None:
            features = _match_columns(Schema.from_record(certificate.columns), stream, features)
        require(bool(certificate.learner), "it does not say of which learner it speaks: certify() does", NotCertified)
        if "mixing" in certificate.learner:
            shards = [stream] if isinstance(stream, Stream) else list(stream)
            require(bool(shards), "it is about shards, and there are none", NotCertified)
            _refuse_unknown_words(certificate.learner, {"name", "real", "classes", "mixing"})
            return check_shards(certificate, shards, shards[0].features() if features is None else features)
        if not isinstance(stream, Stream):
            raise NotCertified("it is about one stream")
        if certificate.learner["name"] == "League":
            return verify_league(certificate, stream, features, forecasts)
        return _check(certificate, stream, learner, features, rules)
    except NotCertified:
        raise
    except (*MALFORMED, LittlestoneError) as problem:
        raise NotCertified(f"this certificate is not about this stream: {problem!r}") from problem


def _match_columns(schema: Schema, stream: Stream | Sequence[Stream], features: Any) -> Any:
    """What reads a table whose columns of numbers may stand in another order; one that lacks a column is refused."""
    for one in [stream] if isinstance(stream, Stream) else stream:
        if (found := one.schema()) is not None and found.kinds:
            schema.require_like(found)
        offered = one.features()
        if features is None and isinstance(offered, Indexed) and offered.names:
            features = Indexed(names=tuple(schema.used))
    return features


def _check(
    certificate: Certificate, stream: Stream, learner: Learner | None, features: Any, rules: Sequence[CheckedRule]
) -> Report:
    """Find the check that covers the learner of a certificate."""
    name = certificate.learner["name"]
    if name == "floor":
        return check_floor(certificate, stream, stream.features() if features is None else features)
    if name in REGRESSORS:
        _refuse_unknown_words(certificate.learner, {"name", "weights"})
        return check_regression(certificate, stream, stream.features() if features is None else features)
    if name in NAMES:
        _refuse_unknown_words(_read_mixture(certificate.learner), {"name"})
        _refuse_missing_words(certificate)
        return check_losses(certificate, stream, stream.features() if features is None else features)
    besides = {"seed"} if name in ADVISED else {"real", "classes", "seed"} if name in TOSSING else {"real", "classes"}
    _refuse_unknown_words(certificate.learner, {"name"} | besides)
    _refuse_unknown_floats(certificate.learner)
    _refuse_missing_words(certificate)
    if name in MAPS and _find_innermost(certificate.learner) not in FINITE:
        inside = partial(_check_inside, rules=rules)
        return check_mapped(certificate, stream, stream.features() if features is None else features, inside)
    if name == "LabelEfficient" and certificate.learner["learner"]["name"] in ADVISED:
        return check_asked_advice(certificate, stream, features)
    if name in SHOWING and _find_innermost(certificate.learner) not in FINITE:
        inside = partial(_check_inside, rules=rules)
        return check_shown(certificate, stream, stream.features() if features is None else features, inside)
    if name == "Restarting":
        inside = partial(_check_inside, rules=rules)
        return check_restarting(certificate, stream, stream.features() if features is None else features, inside)
    if certificate.counts == LATE:
        inside = partial(_check_inside, rules=rules)
        return check_late(certificate, stream, stream.features() if features is None else features, inside)
    if certificate.counts == WEIGHT:
        return check_weighted(certificate, stream, stream.features() if features is None else features)
    floats = name not in ADVISED | FINITE | {"Tracking"}
    require(floats or certificate.rows is None, f"no sum of {name} depends on how rows are held", NotCertified)
    if name in ADVISED:
        return check_advice(certificate, stream, learner, features)
    if name == "Tracking":
        return check_tracking(certificate, _play_copies(certificate, stream, learner, features))
    if name in FINITE:
        return check_finite(certificate, stream, learner, features)
    read = stream.features() if features is None else features
    units = certificate.learner["learner"]["name"] if name == "Network" else name
    if units in REGRETS and certificate.learner.get("updates", "winner") == "winner":
        return check_regret(certificate, stream, read)
    if name in CHECKS:
        report = CHECKS[name](certificate, stream, read)
        return replace(report, replayed=replay_run(certificate, stream, read) is not None)
    if name == "Network" and certificate.learner["updates"] == "each":  # every unit by a theorem of its own
        if certificate.counts != "steps":
            inside = partial(_check_inside, rules=rules)
            again = play_network(read_learner(certificate.learner), certificate, stream, read)
            return check_units(certificate, stream, read, inside, again)
        return check_separate_units(certificate, stream, read)
    require(knows(name, rules), f"no check covers {name}: pass its rule", NotCertified)
    return check_additive(certificate, stream, read, rules)


def _read_mixture(about: dict[str, Any]) -> dict[str, Any]:
    """A description of a learner for log-loss by its own fields: `form` is how it tells classes apart."""
    known = {key: value for key, value in about.items() if key not in ("classes", "form", "weights")}
    return known | ({"classes": about["form"]} if "form" in about else {})


def _find_innermost(about: dict[str, Any]) -> str:
    """The name of the learner inside all others."""
    return _find_innermost(about["learner"]) if isinstance(about.get("learner"), dict) else str(about["name"])


def _check_inside(certificate: Certificate, stream: Stream, rules: Sequence[CheckedRule]) -> Report:
    """Check the certificate of a learner that another one plays by, on the rows that it saw."""
    return _check(certificate, stream, None, None, rules)


def _play_copies(certificate: Certificate, stream: Stream, learner: Any, features: Any) -> CopiesPlayed:
    """Ask the copies that `Tracking` follows: each is a learner of the caller's, an expert whose word is taken."""
    require(isinstance(learner, Tracking), "to check a certificate of Tracking, pass the learner", NotCertified)
    about = {key: value for key, value in certificate.learner.items() if key not in BESIDES} | {"name": "Tracking"}
    require(about == describe(learner), f"the certificate is about {about}, not {describe(learner)}", NotCertified)
    inner = learner.learner
    seed = certificate.learner.get("seed", 0)
    known = inner.known_labels()
    declared = list(known or certificate.learner.get("classes", []))
    names = known or (0, 1)
    labels = Labels(declared)
    read = choose_features(inner, stream.features() if features is None else features)
    copies = [Player(inner, read, names, seed) for _ in range(len(learner.periods) + 1)]
    for copy in copies:
        if stream.size().attributes:
            copy.start_for(stream)
    digest = Digest(certificate.version)
    guesses = list[list[int]]()
    codes = list[int]()
    for chunk in stream.chunks():
        for t in range(min(len(chunk), certificate.rounds - digest.rounds)):
            (code,) = labels.encode(chunk.labels[t : t + 1], 2).tolist()
            guesses.append([copy.guess(copy.see(chunk[t])) for copy in copies])
            codes.append(code)
            for k, copy in enumerate(copies):
                copy.learn(copy.see(chunk[t]), names[code], guesses[-1][k])
                if k < len(learner.periods) and len(codes) % learner.periods[k] == 0:
                    copies[k] = Player(inner, read, names, seed)
                    copies[k].start_state(copy.size or Size())
            digest.add(read.read_chunk(chunk[t : t + 1]).with_labels(np.array([code], np.int32)))
    require_same_rounds(certificate, digest.rounds, digest.text())
    surprise = bool(codes) and is_surprise(stream, certificate.learner)
    return CopiesPlayed(np.array(guesses), np.array(codes), learner.periods, surprise)


def _refuse_unknown_words(about: dict[str, Any], besides: set[str]) -> None:
    """Refuse a description that no learner of its name has: nothing here would check what it says more."""
    name = str(about["name"])
    known = set(about) - besides
    kind = _find_kind(name)
    own = set[str]()
    if kind is not None:
        own = {part.name for part in fields(kind)}
        require(known <= own, f"no {name} has {', '.join(sorted(known - own))}", NotCertified)
        for switch in (part.name for part in fields(kind) if part.type is bool and part.name in about):
            told = about[switch]
            require(type(told) is bool, f"{switch} of {name} is true or false, not {told!r}", NotCertified)
    if isinstance(about.get("learner"), dict):
        _refuse_unknown_words(about["learner"], {"name"})
    if kind is not None and name not in ADVISED | TOSSING:  # what these have JSON cannot hold, and is checked otherwise
        kind(**{key: _read_parameter(about[key]) for key in own & set(about)})


def read_learner(about: dict[str, Any]) -> Learner:
    """The learner that a certificate describes, where JSON can hold it."""
    kind = _find_kind(str(about["name"]))
    require(kind is not None, f"no learner of the library is called {about['name']!r}", NotCertified)
    own = {part.name for part in fields(kind)}
    made: Learner = _read_parameter({key: value for key, value in about.items() if key in own | {"name"}})
    return made


def _find_kind(name: str) -> Any:
    """The class of a learner or of a conversion by its name; None if the library has none."""
    return getattr(learners, name, None) or getattr(conversions, name, None)


def _refuse_unknown_floats(about: dict[str, Any]) -> None:
    """Refuse a type of weights that there is not, which not every check looks at; Winnow has a switch of that name."""
    inner = about
    while inner["name"] in MAPS:
        inner = inner["learner"]
    real = about.get("real", "float64")
    known = type(real) is bool if inner["name"] == "Winnow" else real in ("float32", "float64")
    require(known or "real" not in about, f"no weights are of type {real!r}", NotCertified)


def _refuse_missing_words(certificate: Certificate) -> None:
    """Refuse from version 2 on what lacks a parameter, where a check would take its default, or the type of weights."""
    about = certificate.learner
    missing = set[str]()
    if about["name"] in WHOLE and (certificate.version or 0) >= 2:
        mixed = about["name"] in NAMES  # which have no `real`, and no `classes` where these have a unit each
        missing |= set() if mixed or about["name"] in ADVISED else {"real"} - set(about)
        for part in (about, about["learner"]) if about["name"] == "Network" else (about,):
            own = {one.name for one in fields(_find_kind(part["name"]))}
            missing |= own - set(part) - ({"classes"} if mixed else set())
    require(not missing, f"the description lacks {', '.join(sorted(missing))}", NotCertified)


def _read_parameter(value: Any) -> Any:
    """A parameter as it was before it was described."""
    if type(value) is not dict:
        return value
    kind = _find_kind(value["name"]) or getattr(kernel_functions, value["name"])
    return kind(**{key: _read_parameter(part) for key, part in value.items() if key != "name"})
