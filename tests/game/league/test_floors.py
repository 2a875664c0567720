"""Floors under leagues: what no choice of members and no fixed mixture of readings can go below."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.check.league import LeaguePlayed, follow_account
from littlestone.certificates.check.league_floors import BITS, bracket_mixture, count_forced
from littlestone.certificates.make.league_floors import find_shares, round_shares


def make_played(panel, right=None):
    """What a league of members that say chances did, as far as floors ask for it."""
    panel = np.array(panel, float)
    right = panel > 0.5 if right is None else np.array(right)
    rounds, none = len(panel), np.zeros(len(panel))
    joined, phases = (0,) * panel.shape[1], ((0, right.shape[1]),)
    return LeaguePlayed(
        panel, np.full(rounds, 0.5), np.full(rounds, 0.5), right, none, none, None, joined, phases, (), False, 1.0
    )


def test_the_account_is_followed_where_all_members_are_wrong_at_a_high_rate():
    right = np.ones((3, 1000), bool)
    right[0, 0] = right[1] = False  # a gap of 1/1000 makes the rate 6,908, and e^-6908 is no float
    (phase,) = follow_account(make_played(right * 1.0, right))
    assert phase.mistakes == 1
    assert phase.gap == pytest.approx(0.001, rel=1e-9)


def lose(panel, shares):
    return -sum(math.log(sum(w * p for w, p in zip(shares, row, strict=True))) for row in panel)


def test_a_hand_count_of_two_members_that_take_turns():
    played = make_played([[0.75, 0.25], [0.25, 0.75], [0.25, 0.25]])
    assert count_forced(played) == (1, 2)
    half = 1 << BITS - 1
    floor, known = bracket_mixture(played, [half, half])  # m = 1/2, 1/2, 1/4: sums of quotients are 3 and 3
    exactly = 4 * math.log(2)
    assert floor <= known
    assert (float(floor), float(known)) == pytest.approx((exactly, exactly), abs=1e-12)
    floor, _ = bracket_mixture(played, [1 << BITS, 0])  # the second has 1/3 + 3 + 1 = 13/3, 4/3 more than 3 rounds
    assert float(floor) == pytest.approx(lose(played.panel, (1, 0)) - 4 / 3, abs=1e-12)


def test_no_mixture_goes_below_the_floor_and_the_search_comes_near_it():
    rng = np.random.default_rng(0)
    for _ in range(5):
        panel = np.clip(rng.beta(2, 1, (60, 4)), 1e-6, 1 - 1e-6)
        played = make_played(panel)
        floor, known = bracket_mixture(played, round_shares(find_shares(played)))
        assert floor <= known <= floor + Fraction(1, 20)
        for shares in rng.dirichlet(np.ones(4), 200):
            assert lose(panel, shares) >= floor
        anything = rng.dirichlet(np.ones(4))
        assert bracket_mixture(played, round_shares(anything))[0] <= known


def test_a_reading_that_sleeps_is_charged_the_first_level():
    played = make_played([[0.75, np.nan], [np.nan, 0.75]])
    assert float(bracket_mixture(played, [1 << BITS, 0])[1]) == pytest.approx(-math.log(0.75 * 0.5), abs=1e-12)


@pytest.fixture(scope="module")
def game():
    """A stream and a league that played it, an entry of the rows among its members."""
    rng = np.random.default_rng(1)
    X = np.round(rng.normal(size=(150, 3)), 2)
    stream = ls.Recorded(X, np.where(X[:, 0] + 0.7 * rng.normal(size=150) > 0, "yes", "no"))
    members = {"perceptron": ls.Perceptron(), "averaged": ls.AveragedPerceptron(), "entry": ls.LeagueMember(0)}
    return stream, ls.League(members, keep=True).play(stream)


def test_floors_of_a_league_are_certified_and_verified(game):
    stream, league = game
    choices = ls.Certificate.from_json(league.certificate("choices").to_json())
    assert ls.verify(choices, stream, forecasts=league.forecasts)
    assert choices.bound == min(one.mistakes for one in league.standings())
    assert 0 < choices.count <= choices.bound
    mixtures = ls.Certificate.from_json(league.certificate("mixtures").to_json())
    assert ls.verify(mixtures, stream, forecasts=league.forecasts)
    assert 0 < mixtures.count <= mixtures.bound <= min(one.log_loss for one in league.standings())


def move_share(certificate):
    shares = list(certificate.witness["shares"])
    shares[0], shares[-1] = shares[0] + 1, shares[-1] - 1
    return replace(certificate, witness=certificate.witness | {"shares": shares})


FORGERIES = {
    "higher floor": lambda c: replace(c, count=c.count + 1),
    "lower floor": lambda c: replace(c, count=c.count - 1),
    "bound": lambda c: replace(c, bound=c.bound + 1),
    "mistakes": lambda c: replace(c, mistakes=c.mistakes + 1),
    "promise": lambda c: replace(c, promise="anything"),
    "scope": lambda c: replace(c, scope="class"),
    "theorem": lambda c: replace(c, theorem="another"),
    "panel": lambda c: replace(c, witness=c.witness | {"panel": "0" * 64}),
    "more words": lambda c: replace(c, witness=c.witness | {"more": 1}),
    "counts": lambda c: replace(c, counts="forced loss"),
}
SHARES = {
    "moved share": move_share,
    "no shares": lambda c: replace(c, witness={k: v for k, v in c.witness.items() if k != "shares"}),
    "short shares": lambda c: replace(c, witness=c.witness | {"shares": [1 << BITS]}),
    "shares that are floats": lambda c: replace(
        c, witness=c.witness | {"shares": [float(share) for share in c.witness["shares"]]}
    ),
}


@pytest.mark.parametrize("kind", ["choices", "mixtures"])
def test_forged_floors_of_leagues_are_refused(game, kind):
    stream, league = game
    honest = league.certificate(kind)
    for change in (FORGERIES | (SHARES if kind == "mixtures" else {})).values():
        with pytest.raises(NotCertified):
            ls.verify(change(honest), stream, forecasts=league.forecasts)
