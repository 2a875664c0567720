"""Floors: no rule goes below them, known rules attain them or not, and nothing forged is accepted."""

from dataclasses import replace
from itertools import combinations
from math import exp, log, log1p

import numpy as np
import pytest

from littlestone import Recorded, floor, read, separable, verify
from littlestone.base.bound import Certificate
from littlestone.base.errors import BadInstance, BadParameter, NotCertified
from littlestone.guarantees import floors
from places import DATA

CORNERS, XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [False, True, True, False]
SPAM, ADULT = DATA / "spam_stream" / "spam_katakis.libsvm.gz", DATA / "adult" / "a9a.gz"


def least_mistakes(X, y):
    """The fewest rounds that must be left out for a hyperplane to separate the others, by trying all."""
    for many in range(len(X)):
        for left_out in combinations(range(len(X)), many):
            kept = [t for t in range(len(X)) if t not in left_out]
            if separable(Recorded([X[t] for t in kept], [y[t] for t in kept])):
                return many
    return len(X)


def make_noisy(seed, rounds=200, wide=7):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rounds, wide)).astype(float)
    return X, (X @ rng.normal(size=wide) + 2 * rng.normal(size=rounds) > 0)


def test_exclusive_or_forces_one_mistake_and_one_is_enough():
    found = floor(Recorded(CORNERS, XOR))
    assert (found.any, found.linear, found.known, found.stopped) == (0, 1, 1, False)
    witness = found.certificates["linear"].witness
    assert (sorted(witness["sets"][0]), witness["multiples"]) == ([0, 1, 2, 3], [[1, 1, 1, 1]])
    assert verify(found.certificates["linear"], Recorded(CORNERS, XOR))


def test_equal_rows_with_several_labels_force_mistakes_upon_any_rule():
    rows = [[1.0, 2.0]] * 6 + [[0.0, 2.0]] * 3
    found = floor(Recorded(rows, ["a", "a", "b", "b", "b", "c", "a", "a", "b"]))
    assert (found.any, found.linear, found.classes) == (4, None, 3)
    assert found.certificates["any"].witness == {"distinct": 2}
    assert (
        str(found)
        == "no rule can have less than 44.44 % (4 of 9 rounds); of linear rules for 3 classes no more is known"
    )


@pytest.mark.parametrize("seed", range(12))
def test_floor_and_known_rule_enclose_the_fewest_mistakes_of_any_hyperplane(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (9, 2)).tolist()
    y = (rng.random(9) < 0.5).tolist()
    found, least = floor(Recorded(X, y), seconds=5), least_mistakes(X, y)
    assert found.any <= found.linear <= least <= found.known
    for certificate in found.certificates.values():
        assert verify(Certificate.from_json(certificate.to_json()), Recorded(X, y))


@pytest.mark.parametrize(("kind", "loss"), [("log-loss", lambda m: log1p(exp(-m))), ("hinge", lambda m: max(0, 1 - m))])
def test_no_short_vector_loses_less_than_the_dual_floor_and_the_best_hardly_more(kind, loss):
    X, y = make_noisy(7)
    found = floor(Recorded(X, y), seconds=20, losses=True).certificates[kind]
    assert 0.99 * found.bound < found.counted <= found.bound
    rng, norm = np.random.default_rng(8), found.witness["norm"]
    known = dict(zip(found.witness["attributes"], found.witness["weights"], strict=True))
    best = np.array([known.get(j, 0.0) for j in range(-1, X.shape[1])])
    for scale in (0.0, 0.01, 0.1, 1.0, 10.0):
        u = best + scale * rng.normal(size=len(best))
        u *= min(1.0, norm / np.linalg.norm(u))
        margins = np.where(y, 1, -1) * (u[0] + X @ u[1:])
        assert sum(map(loss, margins.tolist())) >= found.counted
    assert sum(map(loss, (np.where(y, 1, -1) * (best[0] + X @ best[1:])).tolist())) == pytest.approx(found.bound)


def test_shares_of_one_half_give_ln_two_a_round_where_rows_cancel():
    found = floor(Recorded(CORNERS, XOR), losses=True).certificates["log-loss"]
    assert found.counted == pytest.approx(4 * log(2), rel=1e-6)
    assert found.counted <= 4 * log(2) <= found.bound


def test_columns_of_any_units_are_cancelled_exactly():
    X, y = make_noisy(3)
    units = X * [1e9, 1e-7, 3.0, 0.1, 1.0, 2.0**-40, 7.0]
    plain, other = floor(Recorded(X, y)), floor(Recorded(units, y))
    assert plain.linear > plain.any > 0
    assert other.linear > other.any == plain.any
    assert verify(other.certificates["linear"], Recorded(units, y))


def test_a_search_without_time_is_cut_short_and_what_it_has_is_valid():
    X, y = make_noisy(5)
    none, short = floor(Recorded(X, y), seconds=0), floor(Recorded(X, y), seconds=1e-9)
    assert none.linear is None
    assert short.stopped
    assert short.linear == short.any == none.any > 0
    assert "longer one may find more" in str(short)
    assert verify(short.certificates["linear"], Recorded(X, y))


def test_an_interrupt_ends_the_search_and_what_was_found_stands(monkeypatch):
    X, y = make_noisy(5)
    whole, pack = floor(Recorded(X, y)), floors.pack_sets

    def interrupt(*given):
        for number, found in enumerate(pack(*given)):
            if number == 3:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(floors, "pack_sets", interrupt)
    found = floor(Recorded(X, y))
    assert found.stopped
    assert found.linear == found.any + 3 < whole.linear
    assert verify(found.certificates["linear"], Recorded(X, y))


def test_no_rounds_one_class_and_rounds_that_are_no_rows():
    assert (floor(Recorded(np.zeros((0, 2)), [])).any, floor(Recorded(CORNERS, [True] * 4)).known) == (0, 0)
    with pytest.raises(BadParameter, match="seconds"):
        floor(Recorded(CORNERS, XOR), seconds=-1)
    assert floor(Recorded(["ham ham", "spam", "Ham ham"], ["a", "b", "b"])).linear == 1  # rows are as they are read
    weighed = Recorded(CORNERS, XOR)
    weighed._chunk = replace(next(iter(weighed.chunks())), importance=np.arange(4.0))
    weighed.chunks = lambda: iter([weighed._chunk])
    with pytest.raises(BadInstance, match="no floor: the rounds are not rows of attributes of equal importance"):
        floor(weighed)


def forge(certificate, **changed):
    return replace(certificate, **changed)


def list_forgeries(certificate):
    """Certificates that differ from a true one in one field, or in one number of the witness."""
    witness = certificate.witness
    yield from (forge(certificate, **{name: "other"}) for name in ("theorem", "promise", "counts", "stream"))
    yield forge(certificate, count=certificate.count + 1)
    yield forge(certificate, count=certificate.count - 1)
    yield forge(certificate, bound=certificate.bound + 1)
    yield forge(certificate, bound=certificate.bound - 1, count=min(certificate.count, certificate.bound - 1))
    yield forge(certificate, mistakes=certificate.mistakes + 1)
    yield forge(certificate, updates=1)
    yield forge(certificate, updated=(1,), marks=())
    yield forge(certificate, rounds=certificate.rounds - 1)
    yield forge(certificate, exact=False)
    yield forge(certificate, scope="class")
    yield forge(certificate, version=None)
    yield forge(certificate, rows={"form": "listed", "width": 0, "values": "ones"})
    yield forge(certificate, learner=certificate.learner | {"rules": "clever"})
    yield forge(certificate, learner=certificate.learner | {"bias": 2.0})
    yield forge(certificate, witness=witness | {"more": 1})
    for name, value in witness.items():
        yield forge(certificate, witness={key: part for key, part in witness.items() if key != name})
        if isinstance(value, int):
            yield forge(certificate, witness=witness | {name: value + 1})
            yield forge(certificate, witness=witness | {name: float(value)})
        else:
            yield forge(certificate, witness=witness | {name: value[1:]})
            yield forge(certificate, witness=witness | {name: [*value, value[-1]]})
            first = {
                "sets": lambda one, two: two,
                "multiples": lambda one, two: [one[0] + 1, *one[1:]],
                "shares": lambda one, two: 2**20 if one < 2**19 else 0,
                "attributes": lambda one, two: one - 1,
                "weights": lambda one, two: 1e30,
            }[name](*value[:2])
            for other in (first, None, -2):
                yield forge(certificate, witness=witness | {name: [other, *value[1:]]})


@pytest.mark.parametrize("kind", ["any", "linear", "log-loss", "hinge"])
def test_every_field_of_a_forged_floor_is_refused(kind):
    X, y = make_noisy(11, rounds=60, wide=4)
    X[:, 3] = np.arange(60) % 7  # so that some sets need multiples other than 1
    stream = Recorded(X, y)
    certificate = floor(stream, losses=True).certificates[kind]
    assert verify(certificate, stream)
    forged = list(list_forgeries(certificate))
    assert len(forged) > 15
    for one in forged:
        with pytest.raises(NotCertified):
            verify(one, stream)
    with pytest.raises(NotCertified):
        verify(certificate, Recorded(X[::-1], y))


def test_two_sets_that_share_a_round_are_refused():
    X, y = CORNERS * 2, XOR * 2
    certificate = floor(Recorded(X, y)).certificates["linear"]
    assert certificate.count == 2
    first = certificate.witness["sets"][0]
    shared = certificate.witness | {"sets": [first, first]}
    with pytest.raises(NotCertified, match="share a round"):
        verify(replace(certificate, witness=shared), Recorded(X, y))


def test_a_rule_that_scores_zero_errs():
    stream = Recorded(CORNERS, XOR)
    certificate = floor(stream).certificates["linear"]
    blind = certificate.witness | {"attributes": [], "weights": []}
    with pytest.raises(NotCertified, match="known rule makes 4"):
        verify(replace(certificate, witness=blind), stream)
    assert verify(replace(certificate, witness=blind, bound=4, mistakes=4), stream)


@pytest.mark.skipif(not SPAM.exists(), reason="there is no ../shared/data")
def test_no_rule_makes_fewer_than_four_mistakes_on_the_mails_and_a_linear_one_makes_four():
    stream = read(SPAM)
    found = floor(stream)
    assert (found.any, found.linear, found.known) == (4, 4, 4)
    assert verify(found.certificates["linear"], stream)


@pytest.mark.skipif(not ADULT.exists(), reason="there is no ../shared/data")
def test_contradictions_among_the_census_rows_are_those_of_the_theory():
    found = floor(read(ADULT), seconds=0)
    assert (found.any, found.certificates["any"].witness["distinct"]) == (1433, 24947)
    assert str(found) == "no rule can have less than 4.4 % (1,433 of 32,561 rounds)"


@pytest.mark.long
@pytest.mark.skipif(not ADULT.exists(), reason="there is no ../shared/data")
def test_linear_rules_make_at_least_two_thousand_mistakes_on_the_census_rows():
    stream = read(ADULT)
    found = floor(stream, seconds=400)
    assert 2000 <= found.linear <= found.known < 5000
    assert verify(found.certificates["linear"], stream)
