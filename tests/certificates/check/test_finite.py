"""Certificates over finite classes: the honest ones hold without a learner being run, and every forgery is refused."""

import itertools
import random
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.certificates.digest import Digest
from littlestone.concepts.packed import Packed

BITS = list(itertools.product((0, 1), repeat=3))
POINTS = ls.Recorded([3, 1, 0, 5, 2, 3, 6, 4], [True, False, False, True, False, True, True, True])
BOXES = ls.Recorded([(1, 1), (2, 1), (0, 0), (2, 2), (3, 3), (1, 2)], [True, True, False, True, False, True])
WORDS = ls.Recorded(["a", "b", "a", "c", "d", "b"], ["x", "y", "x", "z", "x", "y"])
ODD = ls.Recorded([(0, 1, 1), (1, 0, 1), (1, 1, 1), (0, 0, 1)], [True, True, False, False])
THREE = ls.Concepts([["a", "b", "c"], ["a", "c", "b"], ["b", "b", "a"], ["b", "c", "b"]])


def either(x):
    return bool(x[0] or x[2])


def both(x):
    return bool(x[0] and x[2])


def rows(labels, width=3, repeat=2, make=lambda X: X):
    X = [(*x, *[0] * (width - 3)) for x in BITS] * repeat
    return ls.Recorded(make(np.array(X, float)), [labels(x) for x in X])


GAMES = [
    *((learner, POINTS) for learner in (
        ls.Halving(ls.Thresholds(6)), ls.Consistent(ls.Thresholds(6)), ls.Consistent(ls.Thresholds(6), "random"),
        ls.RandomizedHalving(ls.Thresholds(6)), ls.StandardOptimal(ls.Thresholds(6)), ls.Memorizer(),
        ls.Halving(ls.Intervals(8)), ls.RandomizedHalving(ls.Thresholds(10**5)),
    )),
    *((ls.Conservative(learner), POINTS) for learner in (
        ls.Halving(ls.Thresholds(6)), ls.Consistent(ls.Thresholds(6), "random"), ls.StandardOptimal(ls.Thresholds(6)),
        ls.Memorizer(), ls.Conservative(ls.Halving(ls.Thresholds(6))),
    )),
    *((learner, BOXES) for learner in (
        ls.Closure(ls.Rectangles(4, 2)), ls.Conservative(ls.Closure(ls.Rectangles(4, 2))),
        ls.Halving(ls.Rectangles(4, 2)),
    )),
    (ls.Halving(ls.Programs(6)), ls.Recorded([3, 1, 0, 5, 2], [True, True, False, True, False])),
    (ls.Memorizer(), WORDS),
    (ls.Memorizer(), rows(either)),
    (ls.Halving(ls.Parities(3)), ODD),
    (ls.Halving(THREE), ls.Recorded([0, 1, 2, 1], ["a", "c", "b", "c"])),
    (ls.StandardOptimal(THREE), ls.Recorded([0, 1, 2, 1], ["a", "c", "b", "c"])),
    *((ls.Elimination("disjunction", monotone), stream) for monotone in (False, True) for stream in (
        rows(either), rows(either, 4), rows(either, make=sparse.csr_matrix), rows(either, repeat=1),
    )),
    *((ls.Elimination("conjunction", monotone), rows(both, width)) for monotone in (False, True) for width in (3, 5)),
    (ls.Conservative(ls.Elimination()), rows(either)),
    (ls.Duplicated(ls.Elimination(monotone=True)), rows(either)),
    (ls.Duplicated(ls.Conservative(ls.Elimination(monotone=True)), attributes=3), rows(either)),
    (ls.Interactions(ls.Elimination(monotone=True), degree=3), rows(either)),
    (ls.Interactions(ls.Elimination(monotone=True), bits=9), rows(both)),
    (ls.Interactions(ls.Duplicated(ls.Elimination(monotone=True), attributes=12)), rows(both, 4)),
]  # fmt: skip
NAMES = [f"{number}-{type(learner).__name__}" for number, (learner, _) in enumerate(GAMES)]


def certified(learner, stream):
    return Certificate.from_json(ls.certify(learner, stream).to_json())


def run_no_learner(*_):
    raise AssertionError("a learner was run")


@pytest.mark.parametrize(("learner", "stream"), GAMES, ids=NAMES)
def test_what_is_honest_holds_without_a_learner_or_its_version_space(learner, stream, monkeypatch):
    certificate = certified(learner, stream)
    inner = [learner]
    while hasattr(inner[-1], "learner"):
        inner.append(inner[-1].learner)
    for kind in {type(one) for one in inner}:
        for name in ("start", "predict", "update", "round", "replay", "trace", "certificate", "bound", "moves"):
            monkeypatch.setattr(kind, name, run_no_learner)
    for name in ("start", "votes", "keep", "halve", "survivors", "survivor", "cuts"):
        monkeypatch.setattr(Packed, name, run_no_learner)
        monkeypatch.setattr(ls.Thresholds, name, run_no_learner, raising=False)
    report = ls.verify(certificate, stream, learner)
    assert (report.counted, report.bound) == (certificate.counted, certificate.bound)
    assert report.rounds == certificate.rounds


def forge(certificate):
    """Every field of a certificate changed, one at a time."""
    for name in ("mistakes", "updates", "bound", "rounds"):
        for change in (-1, 1, 7):
            yield {name: getattr(certificate, name) + change}
    yield {"bound": float(certificate.bound)} if certificate.bound else {"bound": True}
    yield {"count": Fraction(1, 3)}
    for name in ("theorem", "promise", "counts", "stream"):
        yield {name: getattr(certificate, name) + " "}
    yield {"scope": "class"}
    yield {"exact": not certificate.exact}
    yield {"updated": certificate.updated[1:] or (0,)}
    yield {"updated": (*certificate.updated, certificate.rounds)}
    yield {"marks": (1,)}
    yield {"version": 3}
    yield {"version": True}
    yield {"rows": {"form": "listed", "width": 0, "values": "ones"}}
    yield {"columns": {"format": "csv"}}
    yield {"witness": {}}
    yield {"witness": certificate.witness | {"more": 1}}
    for path in spell(certificate.witness):
        yield {"witness": change_at(certificate.witness, path)}
    yield {"learner": certificate.learner | {"classes": ["no", "yes"]}}


def spell(witness, before=()):
    """The ways to every number and word of a witness."""
    for key, value in witness.items():
        if isinstance(value, dict):
            yield from spell(value, (*before, key))
        else:
            yield (*before, key)


def change_at(witness, path):
    value = witness[path[0]]
    if len(path) > 1:
        return witness | {path[0]: change_at(value, path[1:])}
    changed = value + 1 if isinstance(value, int) else f"{value} x77" if isinstance(value, str) else [[0, 0], [3, 3]]
    return witness | {path[0]: changed}


@pytest.mark.parametrize(("learner", "stream"), GAMES, ids=NAMES)
def test_what_is_forged_is_refused(learner, stream):
    certificate = certified(learner, stream)
    assert ls.verify(certificate, stream, learner)
    undeclared = {"bound": certificate.bound + 1} if learner == ls.Elimination("conjunction", monotone=True) else {}
    for change in forge(certificate):
        if change != undeclared:  # which is true as well, of the same rounds without declared attributes
            with pytest.raises(NotCertified):
                ls.verify(replace(certificate, **change), stream, learner)


@pytest.mark.parametrize(("learner", "stream"), GAMES, ids=NAMES)
def test_rounds_that_were_disturbed_are_others(learner, stream):
    certificate = certified(learner, stream)
    X, y = zip(
        *((x, label) for chunk in stream.chunks() for x, label in zip(chunk, chunk.labels, strict=True)), strict=True
    )
    X = [x.to_sparse().indices.tolist() if hasattr(x, "to_sparse") else x for x in X]
    if isinstance(X[0], list):
        return
    flipped = ls.Recorded(list(X), [*y[1:], y[0]] if len(set(y)) > 1 else [not label for label in y])
    for other in (ls.Recorded(list(X[:-1]), list(y[:-1])), ls.Recorded(list(X[::-1]), list(y[::-1])), flipped):
        with pytest.raises(NotCertified):
            ls.verify(certificate, other, learner)


def test_the_class_is_the_one_that_was_passed():
    learner = ls.Halving(ls.Thresholds(6))
    certificate = certified(learner, POINTS)
    with pytest.raises(NotCertified, match="pass the learner"):
        ls.verify(certificate, POINTS)
    for other in (ls.Halving(ls.Thresholds(7)), ls.Consistent(ls.Thresholds(6)), ls.Halving(ls.Intervals(8))):
        with pytest.raises(NotCertified, match="the certificate is about"):
            ls.verify(certificate, POINTS, other)


def test_what_json_holds_needs_no_learner():
    for learner, stream in ((ls.Elimination(), rows(either)), (ls.Memorizer(), WORDS)):
        assert ls.verify(certified(learner, stream), stream)


def test_the_dimension_of_what_is_left_bounds_no_mistake_that_was_made():
    stream = ls.Recorded([3], [True])  # of dimension 3 before it, and 2 after it
    made = ls.certify(ls.StandardOptimal(ls.Thresholds(6)), stream)
    assert (made.witness["dimension"], made.witness["dimension left"], made.bound) == (3, 2, 1)
    assert ls.verify(made, stream, ls.StandardOptimal(ls.Thresholds(6)))


@pytest.mark.parametrize(
    "learner",
    [ls.Halving(ls.Thresholds(10**9)), ls.Consistent(ls.Thresholds(10**9)), ls.RandomizedHalving(ls.Thresholds(10**9))],
    ids=str,
)
def test_a_billion_thresholds(learner):
    target = 123_456_789
    points = [10**9 // 2**k * (k % 3 + 1) // 3 for k in range(40)] + [target - 1, target]
    stream = ls.Recorded(points, [x >= target for x in points])
    certificate = certified(learner, stream)
    assert ls.verify(certificate, stream, learner)
    for name in ("survivors", "concept"):
        forged = certificate.witness | {name: certificate.witness[name] + 1}
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, witness=forged), stream, learner)


def test_many_parities_and_conjunctions():
    rng = random.Random(4)
    for concepts, n, target in (
        (ls.Parities(22), 22, 0b1010),
        (ls.Conjunctions(9), 9, 5),
        (ls.Disjunctions(60, 2), 60, 9),
    ):
        X = [tuple(rng.randrange(2) for _ in range(n)) for _ in range(25)]
        stream = ls.Recorded(X, [bool(concepts.label(target, x)) for x in X])
        for learner in (ls.Halving(concepts), ls.Conservative(ls.Halving(concepts))):
            assert ls.verify(certified(learner, stream), stream, learner)


def test_attributes_declared_before_the_first_round_or_not_are_two_games():
    """With three declared attributes nothing fires on a row of ones; else an attribute might turn up that is 0."""
    X, y = [(1, 1, 1), (1, 1, 0), (0, 1, 1), (1, 1, 1)], [True, True, False, True]
    stream, learner = ls.Recorded(np.array(X, float), y), ls.Elimination("conjunction", monotone=True)
    declared = certified(learner, stream)
    player = ls.Player(learner)
    for x, label in zip(X, y, strict=True):
        player.update(dict(enumerate(x)), label)
    assert (declared.mistakes, player.tally.mistakes) == (1, 2)
    late = replace(
        declared, **{name: getattr(player.certificate(), name) for name in ("mistakes", "updates", "bound", "witness")}
    )
    late = replace(late, updated=(0, 1))
    assert ls.verify(declared, stream)
    assert ls.verify(late, stream)
    for mixed in (replace(declared, mistakes=2), replace(late, mistakes=1), replace(late, bound=declared.bound)):
        with pytest.raises(NotCertified):
            ls.verify(mixed, stream)


def digest_of(stream, features=None):
    """The fingerprint of a stream whose classes are False and True, which does not depend on who plays it."""
    digest = Digest()
    for chunk in stream.chunks():
        seen = chunk if features is None else features.read_chunk(chunk)
        digest.add(seen.with_labels(np.array(chunk.labels, np.int32)))
    return digest.text()


@pytest.mark.parametrize(
    ("learner", "X", "kept", "broken", "message"),
    [
        (
            ls.Halving(ls.Thresholds(6)),
            [3, 5, 4],
            [1, 1, 1],
            [1, 1, 0],
            "no concept that agrees with the rounds before",
        ),
        (ls.Memorizer(), [3, 5, 3], [1, 0, 1], [1, 0, 0], "3 has two labels"),
        (ls.Closure(ls.Rectangles(4, 1)), [(1,), (3,), (2,)], [1, 1, 1], [1, 1, 0], "no box holds the positive points"),
        (ls.Elimination(), [[1.0, 0], [0, 1], [0, 1]], [1, 0, 0], [1, 0, 1], "no disjunction labels every round"),
    ],
    ids=str,
)
def test_a_promise_that_is_broken_is_named(learner, X, kept, broken, message):
    certificate = certified(learner, ls.Recorded(X, [bool(label) for label in kept]))
    other = ls.Recorded(X, [bool(label) for label in broken])
    assert certificate.stream == digest_of(ls.Recorded(X, [bool(label) for label in kept]), learner.features())
    with pytest.raises(NotCertified, match=message):
        ls.verify(replace(certificate, stream=digest_of(other, learner.features())), other, learner)


def test_somebody_elses_learner_is_refused_in_words():
    certificate = replace(certified(ls.Memorizer(), POINTS), learner={"name": "Guesser", "real": "float64"})
    with pytest.raises(NotCertified, match="no check covers Guesser"):
        ls.verify(certificate, POINTS)


def test_all_fields_of_a_certificate_are_forged_above():
    made = certified(*GAMES[0])
    assert {name for change in forge(made) for name in change} == {part.name for part in fields(made)}


def test_the_first_guess_of_a_learner_of_unknown_classes_counts_by_its_number():
    stream = ls.Recorded([1, 2, 1], ["ham", "spam", "ham"])
    certificate = certified(ls.Memorizer(), stream)
    assert (certificate.mistakes, certificate.learner["classes"]) == (1, [])
    assert ls.verify(certificate, stream)
    silent = {key: value for key, value in certificate.learner.items() if key != "classes"}
    assert ls.verify(replace(certificate, mistakes=2, learner=silent), stream)  # as it was once counted
    for mistakes, about in [(2, certificate.learner), (1, silent)]:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, mistakes=mistakes, learner=about), stream)


@pytest.mark.parametrize("learner", [
    ls.RandomizedHalving(ls.Thresholds(6)), ls.Consistent(ls.Thresholds(6), "random"),
    ls.Conservative(ls.Consistent(ls.Thresholds(6), "random")),
], ids=lambda learner: str(learner)[:24])  # fmt: skip
def test_a_run_by_any_seed_can_be_verified(learner):
    """Seeds were not written down, and runs by another one than 0 were refused."""
    points, mistakes = [3, 0, 6, 2, 5, 1, 4, 3, 2, 1, 0, 5], set()
    stream = ls.Recorded(points, [x >= 2 for x in points])
    for seed in range(8):
        made = ls.certify(ls.play(learner, stream, seed=seed).player, stream)
        assert made.learner.get("seed", 0) == seed
        assert ls.verify(Certificate.from_json(made.to_json()), stream, learner)
        mistakes.add(made.mistakes)
        with pytest.raises(NotCertified):
            ls.verify(replace(made, learner=made.learner | {"seed": 1.0}), stream, learner)
    assert len(mistakes) > 1
