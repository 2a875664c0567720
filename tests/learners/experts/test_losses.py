"""Losses: their values, ranges and mixability."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadLabel, BadParameter
from littlestone.compiled import exponential, kernel
from littlestone.learners.experts.losses import NAMED, Absolute, Brier, Custom, Log, Pinball, Square, ZeroOne
from littlestone.learners.experts.pricing import price, price_group

shares = st.floats(0, 1)
inner = st.floats(0.01, 0.99)
RANGED = [Absolute(-2, 3), Square(-2, 3), Pinball(0.1, -2, 3), Pinball(0.9, -2, 3)]


def test_each_loss_is_what_its_name_says():
    assert (ZeroOne()(1, 1), ZeroOne()(0, 1), Absolute(0, 9)(2, 5), Square(0, 9)(2, 5)) == (0, 1, 3, 9)
    assert Brier()(0.75, 1) == (1 - 0.75) ** 2 + (0 - 0.25) ** 2
    assert Log()(0.25, 1) == pytest.approx(math.log(4))
    assert Log()(0.25, 0) == pytest.approx(math.log(4 / 3))
    assert (Pinball(0.9, 0, 9)(4, 6), Pinball(0.9, 0, 9)(6, 4)) == (pytest.approx(1.8), pytest.approx(0.2))
    assert set(NAMED) == {"zero-one", "absolute", "square", "brier", "log", "pinball"}


@pytest.mark.parametrize("loss", RANGED, ids=str)
@given(st.floats(-2, 3), st.floats(-2, 3))
def test_no_loss_exceeds_its_top_and_the_corners_reach_it(loss, forecast, outcome):
    assert 0 <= loss(forecast, outcome) <= loss.top
    assert max(loss(a, b) for a in (-2, 3) for b in (-2, 3)) == pytest.approx(loss.top)


@pytest.mark.parametrize("loss", [ZeroOne(), Absolute(), Square(), Brier(), Log(), Pinball(0.3)], ids=str)
@given(st.lists(inner, min_size=1, max_size=40), st.booleans())
def test_blocks_of_losses_are_the_losses_one_by_one(loss, forecasts, outcome):
    y, out = float(outcome), np.zeros(len(forecasts))
    price_group(loss.code, np.array(forecasts), 0, len(forecasts), y, loss.shape, out)
    assert out.tolist() == [price(loss.code, f, y, loss.shape) for f in forecasts]
    table = loss.price_table(np.array([[*forecasts, math.nan]]), np.array([y]))
    assert table[0, :-1] == pytest.approx(out, rel=1e-15)
    assert np.isnan(table[0, -1])


def test_fractions_lose_exact_fractions():
    third, half = Fraction(1, 3), Fraction(1, 2)
    priced = {
        ZeroOne(): 1,
        Absolute(): third,
        Square(): Fraction(1, 9),
        Brier(): Fraction(2, 9),
        Pinball(0.25): third / 4,
    }
    for loss, cost in priced.items():
        assert loss.price_exactly(Fraction(2, 3), Fraction(1)) == cost
    assert Pinball(0.25).price_exactly(Fraction(1), third) == half
    assert Log().price_exactly(half, Fraction(1)) == Fraction(Log()(0.5, 1))


@given(st.lists(st.tuples(inner, st.floats(0.05, 1)), min_size=1, max_size=6), st.sampled_from(["square", "brier"]))
def test_at_its_rate_a_mixable_loss_has_a_forecast_below_every_mix(pool, name):
    loss = {"square": Square(), "brier": Brier()}[name]
    rate, total = loss.mixable, sum(w for _, w in pool)
    mix = [-math.log(sum(w * math.exp(-rate * loss(f, y)) for f, w in pool) / total) / rate for y in (0, 1)]
    guess = 0.5 - (mix[1] - mix[0]) / (2 * loss.shape)
    assert all(loss(min(max(guess, 0), 1), y) <= mix[y] + 1e-12 for y in (0, 1))


def test_a_loss_of_ones_own_keeps_to_the_range_it_declares():
    loss = Custom(lambda f, y: abs(f - y) ** 3, top=1.0)
    assert loss(0.5, 1) == 0.125
    with pytest.raises(BadLabel, match=r"gave 8\.0"):
        loss(0, 2)
    costs, rounds = loss.price_rounds(np.array([[0.5, math.nan], [3.0, 0.0]]), np.array([1.0, 0.0]))
    assert (costs.tolist(), rounds) == ([[0.125, 0.0]], 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Absolute(1, 1), lambda: Square(0, math.inf), lambda: Pinball(0), lambda: Pinball(1),
        lambda: Custom(abs, top=0), lambda: Custom(abs, top=math.inf), lambda: Absolute(2, 1),
    ],
)  # fmt: skip
def test_ranges_that_are_none_are_refused(make):
    with pytest.raises(BadParameter):
        make()


@pytest.mark.parametrize(("loss", "bad"), [(Brier(), 0.5), (ZeroOne(), 2), (Square(), 1.5), (Log(), -1)], ids=str)
def test_outcomes_outside_the_range_are_refused_at_their_round(loss, bad):
    assert loss.count_leading(np.array([1.0, 0.0, bad, 1.0])) == 2
    with pytest.raises(BadLabel):
        loss.count_leading(np.array([bad]))


@kernel
def raised(x, out):
    for k in range(x.size):
        out[k] = exponential(x[k])


@given(st.lists(st.floats(-800, 800), min_size=1, max_size=20))
def test_the_exponential_is_exact_to_two_units_and_the_same_without_a_compiler(values):
    x, out = np.array(values), np.zeros(len(values))
    raised(x, out)
    assert out.tolist() == [float(exponential(value)) for value in values]
    for value, power in zip(values, out, strict=True):
        assert power == pytest.approx(math.exp(min(max(value, -700), 700)), rel=2**-51)
