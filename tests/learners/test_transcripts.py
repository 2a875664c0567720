"""One short game of every learner as text, every round a line: what it played when it was recorded, it plays today.

A change that is meant is recorded anew with LITTLESTONE_RECORD=1 and read in the diff.
"""

import os

import pytest

from laws.examples import of, snake
from littlestone import learners
from littlestone.game.play import play
from littlestone.laws.playing import make_rounds, seat_player, select_accepted
from places import TRANSCRIPTS
from toys import Points


def transcript(learner):
    """A game of twenty rounds with some noise, if the learner takes it, and its summary."""
    rounds = select_accepted(learner, make_rounds(learner, "noisy", seed=7, rounds=20))
    game = play(seat_player(learner, rounds, seed=7), Points(rounds), transcript=True)
    return "\n".join([*map(str, game.transcript), "", repr(game), ""])


@pytest.mark.parametrize("make", learners.ALL, ids=lambda make: make.__name__)
def test_the_recorded_game_is_played_again(make):
    path = TRANSCRIPTS / f"{snake(make.__name__)}.txt"
    played = transcript(of(make)[0])
    if os.environ.get("LITTLESTONE_RECORD"):
        path.write_text(played)
    assert path.exists(), "record it: LITTLESTONE_RECORD=1 pytest tests/test_transcripts.py"
    assert played == path.read_text()
