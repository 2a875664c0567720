"""Bounds are rounded outwards, and a certificate survives JSON or is refused."""

import dataclasses
import hashlib
import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.bound import Bound, Certificate, Tally, round_up
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.exact_numbers import floor_log2, harmonic
from littlestone.base.printed_numbers import compare, format_down, format_most, format_up


@given(st.floats(0, allow_infinity=False))
def test_rounding_up_never_goes_down_and_stays_close(value):
    up = round_up(value)
    assert isinstance(up, Fraction)
    assert Fraction(value) <= up <= Fraction(value) * (1 + Fraction(1, 2**48))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=4), st.floats(1e-3, 1e3))
def test_rounding_up_covers_the_rounding_of_a_few_operations(terms, factor):
    exact = sum((Fraction(term) for term in terms), Fraction(0)) * Fraction(factor)
    total = 0.0
    for term in terms:
        total += term
    assert round_up(total * factor) >= exact or exact < Fraction(1, 2**1000)


def test_what_is_not_finite_bounds_nothing_and_what_is_negative_is_rounded_up_to_nothing():
    for value in (math.inf, -math.inf, math.nan):
        with pytest.raises(NotCertified, match="no finite bound"):
            round_up(value)
    assert round_up(-1.0) == round_up(0.0) == 0


@given(st.integers(1, 10**400) | st.fractions(1, 10**6))
def test_the_logarithm_is_floored_exactly(value):
    k = floor_log2(value)
    assert 2**k <= value < 2 ** (k + 1)


def test_the_logarithm_of_less_than_one_is_refused():
    with pytest.raises(BadParameter, match="at least 1, got 1/2"):
        floor_log2(Fraction(1, 2))


@given(st.integers(0, 200), st.integers(1, 20))
def test_harmonic_numbers_are_the_sums_they_stand_for(last, first):
    assert harmonic(last, first) == sum((Fraction(1, k) for k in range(first, last + 1)), Fraction(0))


def test_harmonic_numbers_known_by_heart():
    assert [harmonic(n) for n in range(5)] == [0, 1, Fraction(3, 2), Fraction(11, 6), Fraction(25, 12)]


def test_a_bound_allows_up_to_its_value_and_says_so():
    bound = Bound("Some theorem", "the promise", Fraction(7, 2))
    assert bound.allows(3)
    assert bound.allows(Fraction(7, 2))
    assert not bound.allows(4)
    assert bound.mistakes == 3
    assert str(bound) == "mistakes <= 3.5 if the promise (Some theorem)"
    assert str(Bound("T", "P", Fraction(4), counts="updates")) == "updates <= 4 if P (T)"


def test_a_tally_starts_at_nothing():
    assert Tally() == (0, 0, 0, None)


def certificate(**changes):
    fields = {
        "theorem": "Some theorem",
        "promise": "the promise",
        "counts": "mistakes",
        "mistakes": 3,
        "updates": 5,
        "bound": Fraction(7, 2),
        "witness": {"concept": 4, "weights": [1, 2.5, "1/3"]},
        "scope": "sequence",
    }
    return Certificate(**(fields | changes))


def test_a_certificate_counts_what_its_theorem_counts():
    assert (certificate().counted, certificate().slack, certificate().holds) == (3, Fraction(1, 2), True)
    updates = certificate(counts="updates")
    assert (updates.counted, updates.slack, updates.holds) == (5, Fraction(-3, 2), False)
    expected = certificate(counts="expected mistakes", count=Fraction(13, 12))
    assert (expected.counted, expected.holds) == (Fraction(13, 12), True)
    assert certificate(bound=3).holds  # as many as it allows


def test_a_certificate_prints_its_claim():
    assert str(certificate()).splitlines() == [
        "3 mistakes <= 3.5 holds: Some theorem",
        "  promise: the promise",
        "  witness: {'concept': 4, 'weights': [1, 2.5, '1/3']}",
        "  scope: true of this very sequence of rounds",
    ]
    assert "5 updates <= 3.5 DOES NOT HOLD" in str(certificate(counts="updates"))
    assert "1.0833 expected mistakes <= 3.5 holds" in str(
        certificate(counts="expected mistakes", count=Fraction(13, 12))
    )


numbers = st.integers(0, 10**30) | st.fractions(0, 1000) | st.floats(0, 1e300)


@given(numbers, st.none() | numbers, st.sampled_from(["sequence", "expectation", "iid", "class"]), st.booleans())
def test_a_certificate_survives_json_exactly(bound, count, scope, exact):
    written = certificate(bound=bound, count=count, scope=scope, exact=exact)
    again = Certificate.from_json(written.to_json())
    assert again == written
    assert (again.slack, again.holds) == (written.slack, written.holds)
    assert again.to_json() == written.to_json()


def test_json_holds_fractions_as_text_and_says_whether_it_holds():
    record = json.loads(certificate(witness=Fraction(1, 3)).to_json())
    assert (record["bound"], record["slack"], record["holds"], record["witness"]) == ("7/2", "1/2", True, "1/3")
    known = {field.name for field in dataclasses.fields(Certificate)} | {"slack", "holds", "digest"}
    assert set(record) == known - {"version", "rows", "columns"}  # which are written where there is something to say
    rows = {"form": "listed", "width": 0, "values": "ones"}
    later = certificate(version=1, rows=rows, columns={"format": "csv"})
    assert set(json.loads(later.to_json())) == known
    assert Certificate.from_json(later.to_json()) == later


@pytest.mark.parametrize("version", [0, 3, True, 1.0, 2.0, "2"])
def test_a_certificate_of_another_version_is_refused_in_words(version):
    with pytest.raises(NotCertified, match=r"its version is .*, and versions up to 2 are read here"):
        Certificate.from_json(changed(version=version))


def changed(**changes):
    """A certificate's text with other values in it, its digest made to fit."""
    record = json.loads(certificate().to_json()) | changes
    del record["digest"]
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    return json.dumps(record | {"digest": digest}, sort_keys=True)


def without(name):
    return json.dumps({key: value for key, value in json.loads(certificate().to_json()).items() if key != name})


def test_a_changed_text_with_a_fitting_digest_is_read():
    assert Certificate.from_json(changed()) == certificate()
    assert Certificate.from_json(changed(updated=[0, 4], rounds=9)).updated == (0, 4)


# a bound of 7/2 or 3 in other clothes, with the slack that goes with it
CLOTHED = [
    ("٧/٢", "1/2"),
    ("7_0/20", "1/2"),
    ("+7/2", "1/2"),
    (" 7/2", "1/2"),
    ("14/4", "1/2"),
    ("3/1", 0),
    ("7/2 ", "1/2"),
]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        "{}",
        changed(extra=1),
        changed(bound="many"),
        changed(bound="1/0"),
        changed(bound=None),
        changed(bound=[1]),
        changed(bound=True),
        changed(bound="1e99"),
        changed(bound=float("nan")),
        *(changed(bound=text, slack=slack) for text, slack in CLOTHED),
        changed(witness=float("inf")),
        changed().replace('"mistakes": 3', '"mistakes": 3, "mistakes": 3'),
        changed(count="x"),
        changed(mistakes="3"),
        changed(mistakes=2.5),
        changed(mistakes=-1),
        changed(updates=None),
        changed(theorem=None),
        changed(promise=7),
        changed(counts=None),
        changed(scope="everything"),
        changed(exact="yes"),
        changed(holds=False),
        changed(slack="3/2"),
        changed(mistakes=4),
        changed(updated=[1.5]),
        changed(updated=[-1]),
        changed(marks=["1"]),
        changed(rounds=True),
        changed(rounds=None),
        changed(learner="Perceptron"),
        changed(stream=7),
        certificate().to_json().replace('"mistakes": 3', '"mistakes": 2').replace("1/2", "3/2"),
        without("witness"),
        without("holds"),
        without("digest"),
        '{"learner":' * 10**5,
    ],
    ids=lambda text: text[-40:],
)
def test_what_to_json_did_not_write_is_refused(text):
    with pytest.raises(NotCertified, match="not a certificate"):
        Certificate.from_json(text)


def test_bounds_are_printed_no_smaller_and_counts_no_larger():
    assert str(Bound("T", "p", Fraction(13, 12))) == "mistakes <= 1.0834 if p (T)"
    for value in (Fraction(13, 12), Fraction(1, 3), 0.1, 1e-300, 123456.789, Fraction(10**30, 7), 2**70, 1e22, 5):
        assert Fraction(format_down(value)) <= Fraction(value) <= Fraction(format_up(value))
        assert abs(Fraction(format_up(value)) - Fraction(value)) <= abs(Fraction(value)) / 1000
    assert format_up(10**300) == "1e+300"
    assert format_up(100000.5) == "100001"
    assert format_up(float("inf")) == "inf"


def test_whole_counts_are_allowed_whole_numbers_and_others_are_not():
    assert format_most(Fraction(13, 12), "mistakes") == "1"
    assert format_most(Fraction(13, 12), "expected mistakes") == "1.0834"
    assert format_most(12345.5, "updates") == "12,345"


@given(st.fractions(0, 10), st.fractions(-1, 1, max_denominator=10**12))
def test_what_is_printed_of_a_count_and_its_bound_is_true_of_them(bound, slack):
    counted, shown = bound - slack, compare(bound - slack, "loss", bound)
    below, above = shown.split(" loss <= ")
    assert Fraction(below) <= counted
    assert Fraction(above) >= bound
    assert (Fraction(below) <= Fraction(above)) == (counted <= bound)


def test_a_certificate_that_does_not_hold_shows_numbers_that_do_not():
    third = Fraction(1, 3)
    wrong = Certificate("T", "p", "loss", 0, 0, third, {}, "sequence", count=third + Fraction(1, 10**9))
    below, above = str(wrong).split(" DOES NOT HOLD")[0].split(" loss <= ")
    assert Fraction(below) > Fraction(above)
