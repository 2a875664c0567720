"""Accepting whatever any survivor accepts: no miss, and |H| - 1 false accepts that singletons attain."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.learner import Size
from littlestone.environments import Withheld
from tables import Table, singletons, worst_case

tables = st.integers(1, 4).flatmap(
    lambda width: st.sets(st.tuples(*[st.integers(0, 1)] * width), min_size=1, max_size=8).map(sorted)
)


@pytest.mark.parametrize("n", range(2, 9))
def test_singletons_attain_the_bound(n):
    learner = ls.NeverMiss(singletons(n))
    game = ls.play(learner, ls.Recorded(list(range(n - 1)), [False] * (n - 1)))
    assert game.mistakes == n - 1 == learner.bound().mistakes == game.certificate().bound
    assert worst_case(learner, learner.start(Size()), range(n), lambda x: (0, 1)) == n - 1


@settings(deadline=None)
@given(table=tables, target=st.integers(0, 7), points=st.lists(st.integers(0, 3), max_size=12))
def test_guesses_as_the_plain_rule_does_and_misses_nothing(table, target, points):
    target, width = table[target % len(table)], len(table[0])
    rounds = [(x % width, target[x % width]) for x in points]
    learner = ls.NeverMiss(Table(tuple(table)))
    stream = ls.Recorded([x for x, _ in rounds], [bool(y) for _, y in rounds])
    game = ls.play(learner, stream, transcript=True)
    assert [int(r.guess) for r in game.transcript] == reference.never_miss(table, rounds)
    assert all(r.guess for r in game.transcript if r.y)
    assert learner.estimate_mistakes(game.player.state) == game.mistakes <= len(table) - 1
    hidden = ls.play(learner, Withheld(stream, [False, True]))
    assert hidden.tally == game.tally
    assert (
        hidden.environment.looked_up == sum(int(r.guess) for r in game.transcript) == learner.asked(hidden.player.state)
    )
    worst = worst_case(learner, learner.start(Size()), range(width), lambda x: (0, 1))
    assert worst <= learner.bound().mistakes == len(table) - 1


def test_its_certificate_is_checked():
    points = [2, 5, 3, 6, 1, 4, 0] * 2
    stream, learner = ls.Recorded(points, [x >= 3 for x in points]), ls.NeverMiss(ls.Thresholds(6))
    certificate = ls.certify(learner, stream)
    assert ls.verify(ls.Certificate.from_json(certificate.to_json()), stream, learner).exact
    for change in ({"mistakes": certificate.mistakes + 1}, {"bound": certificate.bound - 1}, {"counts": "updates"},
                   {"learner": certificate.learner | {"seed": 1}}, {"updated": certificate.updated[1:]}):  # fmt: skip
        with pytest.raises(NotCertified):
            print(change, ls.verify(replace(certificate, **change), stream, learner))


def test_more_than_two_labels_are_refused():
    with pytest.raises(BadParameter, match="two labels"):
        ls.NeverMiss(Table(((0, 1), (1, 2)), labels=("a", "b", "c")))
