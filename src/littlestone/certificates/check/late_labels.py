"""Certificates of games whose labels arrived late, checked: the learner's own on the order of arrival, and a sum.

Each instance was guessed when it came; its label arrived later, in any order, and the learner then learned from it with
what it knew by then. So its state is that of a game over the rounds in the order in which labels arrived, and that game
has a certificate of its own. A guess that was wrong when it was served is either still wrong when its label arrives,
and moves the state, or an update has put it right while it was outstanding. So

    served mistakes <= sum over the updates of (1 + guesses outstanding at the time),

which is attained: the same instance served d + 1 times before the first label. What was served is found by playing the
game again bit for bit, guesses and arrivals as they came.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Examples
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.additive import replay_unit
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk, ArrangedRows
from littlestone.certificates.check.integer_rows import open_stream
from littlestone.certificates.check.report import Report, accept, require_words
from littlestone.certificates.check.shown_rounds import Check, RearrangedStream, read_inner
from littlestone.environments.derived import join_chunks

COUNTS = "served mistakes"
NAME = "Late labels, by the order of arrival: "
PROMISE = "every label arrived after its guess, and each update counts itself and the guesses outstanding at the time; "


class OrderedStream(RearrangedStream):
    """Rounds of a stream in any order, some of them twice."""

    def __init__(self, stream: Stream, features: Any, declared: list[Any], rounds: int, order: Array) -> None:
        super().__init__(stream, features, declared)
        self.many = rounds
        self.order = order

    def chunks(self) -> Iterator[Examples]:
        parts = list(self.read_rows(self.many, 2))
        require(bool(parts), "there are no rounds", NotCertified)
        yield join_chunks(parts).take(self.order)  # type: ignore[misc]


def require_arrivals(arrivals: Any, rounds: int) -> None:
    """Refuse a list of arrivals, (round, guesses served before), that no game can have had."""
    pairs = type(arrivals) is list and all(type(one) in (list, tuple) and len(one) == 2 for one in arrivals)
    require(pairs and all(type(part) is int for one in arrivals for part in one), "malformed arrivals", NotCertified)
    served = [served for _, served in arrivals]
    sound = all(0 <= number < made <= rounds for number, made in arrivals) and served == sorted(served)
    once = len({number for number, _ in arrivals}) == len(arrivals)
    require(sound and once, "a label arrives once, after its guess, and arrivals are in order", NotCertified)
    require(len(arrivals) == rounds, f"{len(arrivals)} labels arrived, not all {rounds}", NotCertified)


def list_events(arrivals: Any) -> tuple[Array, Array]:
    """The numbers of rounds as they were served and as their labels arrived, and which of the two each event was."""
    numbers = list[int]()
    arrived = list[bool]()
    served = 0
    for number, made in arrivals:
        numbers += [*range(served, made), number]
        arrived += [False] * (made - served) + [True]
        served = made
    return np.array(numbers, np.int64), np.array(arrived, bool)


def sum_outstanding(arrivals: Any, updated: tuple[int, ...]) -> int:
    """The sum of (1 + guesses outstanding) over the arrivals, by number, that were updates."""
    return sum(arrivals[k][1] - k for k in updated)


class ShowArrivals:
    """The learner is shown a round when its label arrives; `guesses` are those of all events."""

    def __init__(self, arrived: Array) -> None:
        self.arrived = arrived
        self.guesses = list[int]()

    def show(self, number: int, guess: int, code: int) -> bool:
        return bool(self.arrived[number])

    def note(self, chunk: ArrangedChunk, guesses: Array) -> Array:
        self.guesses += guesses.tolist()
        return guesses


def check_late(certificate: Certificate, stream: Stream, features: Any, check: Check) -> Report:
    """Check a certificate of a game whose labels arrived late; `check` is asked about the order of arrival."""
    about = certificate.learner
    rounds = certificate.rounds
    held = certificate.version is not None and certificate.rows is not None
    require(held, "it does not say how its rows were held: it cannot be played again", NotCertified)
    again, _ = open_stream(certificate, stream, features, 0.0, 2)
    require_words(certificate.witness, ("arrivals", "arrived"))
    arrivals = certificate.witness["arrivals"]
    inner = read_inner(certificate.witness["arrived"])
    require_arrivals(arrivals, rounds)
    declared = again.declared
    order = np.array([number for number, _ in arrivals], np.int64)
    plain = {key: value for key, value in about.items() if key != "classes"}
    require(
        inner.learner == plain | {"classes": [0, 1]}, "the certificate inside is about another learner", NotCertified
    )
    require(inner.rounds == rounds, "the certificate inside is about other rounds", NotCertified)
    report = check(inner, OrderedStream(stream, features, declared, rounds, order))
    numbers, arrived = list_events(arrivals)
    events = OrderedStream(stream, features, declared, rounds, numbers)
    showing = ShowArrivals(arrived)
    whole = replace(certificate, rounds=len(numbers), learner=about | {"classes": [0, 1]})
    with np.errstate(all="ignore"):
        run = replay_unit(about, ArrangedRows.of(whole, events, None, 2), None, showing)
    if run is None:
        raise NotCertified(f"a run of {about['name']} whose labels were late cannot be played again")
    places = np.flatnonzero(arrived)
    moved = tuple(places[list(inner.updated)].tolist()) if inner.updated else ()
    require(run.updated == moved, "the update rounds inside are not those of the run", NotCertified)
    (chunk,) = events.chunks()
    wrong = int(np.count_nonzero(np.array(showing.guesses)[~arrived] != chunk.labels[~arrived]))
    expected = wrap_late(inner, arrivals, wrong)
    for name, here in expected.items():
        there = getattr(certificate, name)
        require(type(here) is type(there) and here == there, f"{name} is {here!r}, not {there!r}", NotCertified)
    require(certificate.updated == () and certificate.marks == (), "no rounds are listed outside", NotCertified)
    return replace(accept(certificate, report.differing), replayed=True)


def wrap_late(inner: Certificate, arrivals: Any, wrong: int) -> dict[str, Any]:
    """What a certificate says because of the one on the order of arrival, and of what was served."""
    return {
        "theorem": NAME + inner.theorem,
        "promise": PROMISE + inner.promise,
        "counts": COUNTS,
        "count": None,
        "mistakes": wrong,
        "updates": inner.updates,
        "bound": sum_outstanding(arrivals, inner.updated),
        "scope": "sequence",
        "exact": True,
    }
