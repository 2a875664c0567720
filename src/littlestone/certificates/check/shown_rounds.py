"""Certificates of learners that show another one some rounds only: its mistakes, or what was accepted or asked for.

Such a certificate holds that of the learner inside, about the rounds that it was shown as a stream of their own, their
labels being class numbers. The whole run is played again bit for bit, which says what the learner inside guessed in
every round and so which rounds it was shown; then its own certificate is checked on these.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.coins import draw_bits
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels, Numbers
from littlestone.base.learner import Size
from littlestone.certificates.check.experts import check_advice
from littlestone.certificates.check.experts_claims import read_advice, read_claim
from littlestone.certificates.check.float_runs.additive import replay_unit
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk, ArrangedRows
from littlestone.certificates.check.integer_rows import open_stream, read_rounds
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.same_run import require_same_run
from littlestone.learners.experts.forecasts import Forecasts

CONSERVATIVE = "Conservative conversion (Littlestone 1989) of "
TASTING = "Apple tasting (Helmbold, Littlestone and Long 2000) of "
EFFICIENT = "Label-efficient forecasting (Cesa-Bianchi, Lugosi and Stoltz 2005) of "
Check = Callable[[Certificate, Stream], Report]


class RearrangedStream(Stream):
    """Rounds of a stream, chosen or ordered anew; labels are class numbers, or of advice (None declared) outcomes."""

    def __init__(self, stream: Stream, features: Any, declared: list[Any] | None) -> None:
        usual = Forecasts() if declared is None else Indexed()
        self.stream, self.reading, self.declared = stream, usual if features is None else features, declared

    def size(self) -> Size:
        return self.stream.size() if isinstance(self.reading, Indexed) else Size()

    def classes(self) -> tuple[Any, ...]:
        return () if self.declared is None else (0, 1)

    def features(self) -> Any:
        return Forecasts() if self.declared is None else Indexed()

    def read_rows(self, rounds: int, most: int) -> Iterator[Examples]:
        """The leading rounds whose labels are of `most` classes at most; refused where they are no rows, or weighed."""
        labels = Numbers() if self.declared is None else Labels(self.declared)
        for seen in read_rounds(self.stream, self.reading.renew().read_chunk, labels, rounds, most):
            if not isinstance(seen, Examples) or seen.importance is not None:
                raise NotCertified("the rounds are not rows of attributes of equal importance")
            yield seen


class ShownStream(RearrangedStream):
    """Some rounds of a stream, by their numbers."""

    def __init__(self, stream: Stream, features: Any, declared: list[Any] | None, numbers: Array) -> None:
        super().__init__(stream, features, declared)
        self.numbers = numbers

    def chunks(self) -> Iterator[Examples]:
        last = int(self.numbers.max(initial=-1)) + 1
        first = 0
        for seen in self.read_rows(last, 2):
            which = self.numbers[(self.numbers >= first) & (self.numbers < first + len(seen))] - first
            if len(which):
                yield seen.take(which)
            first += len(seen)


class ShowMistakes:
    """As `Conservative` does: the learner inside is shown the rounds that it guesses wrong."""

    theorem = CONSERVATIVE
    where = ""

    def __init__(self, about: Mapping[str, Any]) -> None:
        require_words(about, ("name", "learner", "real"), ("classes",))
        self.numbers = list[int]()

    def show(self, number: int, guess: int, code: int) -> bool:
        return guess != code

    def note(self, chunk: ArrangedChunk, guesses: Array) -> Array:
        self.numbers += (chunk.first + np.flatnonzero(guesses != chunk.codes)).tolist()
        return guesses


class ShowAccepted:
    """As `AppleTasting` does: it is shown what it says is of class 1, and what a coin picks of the rest."""

    theorem = TASTING
    where = " where accepted"

    def __init__(self, about: Mapping[str, Any]) -> None:
        require_words(about, ("name", "learner", "real", "seed", "exploring"), ("classes",))
        self.numbers, (self.seed, self.chance) = list[int](), _read_coins(about, "exploring")

    def show(self, number: int, guess: int, code: int) -> bool:
        return guess == 1 or toss(self.seed, number, self.chance)

    def note(self, chunk: ArrangedChunk, guesses: Array) -> Array:
        accepted = [self.show(chunk.first + t, guess, 0) for t, guess in enumerate(guesses.tolist())]
        self.numbers += (chunk.first + np.flatnonzero(accepted)).tolist()
        return np.array(accepted, np.int64)


class ShowAsked:
    """As `LabelEfficient` does: the learner inside is shown what a coin picks."""

    theorem = EFFICIENT
    where = " where asked"

    def __init__(self, about: Mapping[str, Any]) -> None:
        require_words(about, ("name", "learner", "seed", "asking"), ("classes", "real"))
        self.numbers, (self.seed, self.chance) = list[int](), _read_coins(about, "asking")

    def show(self, number: int, guess: int, code: int) -> bool:
        return toss(self.seed, number, self.chance)

    def note(self, chunk: ArrangedChunk, guesses: Array) -> Array:
        self.numbers += [t for t in range(chunk.first, chunk.first + len(guesses)) if self.show(t, 0, 0)]
        return guesses


SHOWING: dict[str, type[ShowMistakes] | type[ShowAccepted] | type[ShowAsked]] = {
    "Conservative": ShowMistakes,
    "AppleTasting": ShowAccepted,
    "LabelEfficient": ShowAsked,
}


def toss(seed: int, number: int, chance: float) -> bool:
    """Whether the coin of a round falls within a chance; its bits are none that a learner inside may use."""
    return draw_bits(seed & (2**63 - 1), ~number) >> 11 < chance * 2.0**53


def _read_coins(about: Mapping[str, Any], name: str) -> tuple[int, float]:
    """The seed and the chance of a learner that tosses coins."""
    seed = about["seed"]
    chance = about[name]
    known = type(seed) is int and type(chance) in (int, float) and 0 < chance <= 1
    require(known, f"no learner has the seed {seed!r} and {name} {chance!r}", NotCertified)
    return seed, chance


def wrap_certificate(
    inner: Certificate, about: dict[str, Any], seed: int | None, classes: dict[str, Any]
) -> dict[str, Any]:
    """What a certificate says because of the certificate of the learner inside.

    `about` describes both learners, and `classes` what was said of classes, if anything was.
    """
    showing = SHOWING[about["name"]]
    known = {"real": inner.learner["real"]} if "real" in inner.learner else {}
    known |= ({} if seed is None else {"seed": seed}) | classes
    updates = about["name"] == "Conservative" or inner.counts == "updates"
    return {
        "theorem": showing.theorem + inner.theorem,
        "promise": inner.promise,
        "counts": "updates" if updates else inner.counts + showing.where,
        "count": None if updates else inner.counted,
        "bound": inner.bound,
        "witness": {"shown": json.loads(inner.to_json())},
        "scope": inner.scope,
        "exact": inner.exact,
        "learner": about | known,
    }


def read_inner(record: Any) -> Certificate:
    """The certificate that another one holds."""
    require(type(record) is dict, "it holds no certificate of the learner inside", NotCertified)
    return Certificate.from_json(json.dumps(record))


def check_shown(certificate: Certificate, stream: Stream, features: Any, check: Check) -> Report:
    """Check a certificate of a learner that shows another one some rounds; `check` is asked about the one inside."""
    about = certificate.learner
    showing = SHOWING[about["name"]](about)
    kept = certificate.version is not None and certificate.rows is not None
    require(kept, "it does not say how its rows were held: it cannot be played again", NotCertified)
    open_stream(certificate, stream, features, 0.0, 2)
    rows = ArrangedRows.of(certificate, stream, features, 2)
    with np.errstate(all="ignore"):
        run = replay_unit({**about["learner"], "real": about["real"]}, rows, None, showing)
    if run is None:
        raise NotCertified(f"a run of {about['learner']['name']} that was shown some rounds cannot be played again")
    numbers = np.array(showing.numbers, np.int64)
    if about["name"] == "Conservative":
        every = run.updated == tuple(showing.numbers)
        require(every, "a round that was shown moved nothing, and no theorem counts it", NotCertified)
    require_same_run(certificate, run)
    require_words(certificate.witness, ["shown"])
    inner = read_inner(certificate.witness["shown"])
    same = inner.learner == about["learner"] | {"real": about["real"], "classes": [0, 1]} and inner.rounds == len(
        numbers
    )
    require(same, "the certificate inside is about another learner or other rounds", NotCertified)
    listed = tuple(numbers[list(inner.updated)].tolist()) == run.updated if inner.updated else not run.updated
    require(listed, "the update rounds inside are not those of the run", NotCertified)
    report = check(inner, ShownStream(stream, features, list(about.get("classes", [])), numbers))
    _check_wrapping(certificate, inner, {"updates": len(run.updated), "marks": ()})
    return replace(accept(certificate, report.differing), replayed=True)


def _check_wrapping(certificate: Certificate, inner: Certificate, further: dict[str, Any]) -> None:
    """Refuse a certificate that says anything else than what follows from the one inside."""
    about = certificate.learner
    plain = {key: value for key, value in about.items() if key not in ("real", "seed", "classes")}
    classes = {"classes": about["classes"]} if "classes" in about else {}
    expected = wrap_certificate(inner, plain, about.get("seed"), classes) | further
    for name, here in expected.items():
        there = getattr(certificate, name)
        require(type(here) is type(there) and here == there, f"{name} is {here!r}, not {there!r}", NotCertified)


def check_asked_advice(certificate: Certificate, stream: Stream, features: Any) -> Report:
    """Check a certificate of experts of which the outcomes are seen only that a coin asks for."""
    about = certificate.learner
    showing = ShowAsked(about)
    claim = read_claim(about["learner"], None)
    require(not claim.votes and "real" not in about, "experts that vote are not certified so", NotCertified)
    advice = read_advice(stream, features, certificate, claim, None)
    require(advice.digest == certificate.stream, "the rounds are not those of the certificate", NotCertified)
    numbers = np.array([t for t in range(certificate.rounds) if showing.show(t, 0, 0)], np.int64)
    require_words(certificate.witness, ["shown"])
    inner = read_inner(certificate.witness["shown"])
    seeded = {"seed": showing.seed} if claim.tosses else {}
    same = inner.learner == about["learner"] | seeded and inner.rounds == len(numbers)
    require(same, "the certificate inside is about another learner or other rounds", NotCertified)
    report = check_advice(inner, ShownStream(stream, features, None, numbers), None, None)
    further = {"mistakes": 0, "updates": len(numbers), "updated": (), "marks": (), "rows": None, "columns": None}
    _check_wrapping(certificate, inner, further)
    require(certificate.version is not None, "it has no version", NotCertified)
    return replace(accept(certificate, report.differing), replayed=report.replayed)
