"""What every learner inherits: rounds are played in order, and those before a refused one count."""

from dataclasses import dataclass

import numpy as np
import pytest

from littlestone.base.chunks import Examples
from littlestone.base.errors import BadInstance
from littlestone.base.learner import Learner, Size

ROOM = {"replay": (), "serve": ((2, 4),), "trace": ((4,),)}  # the shapes of what is written beside guesses


@dataclass(frozen=True)
class Picky(Learner):
    """It counts what it learns, and refuses rows of 2 when it guesses and rows of 3 when it is asked for room."""

    def start(self, size, seed=0):
        return np.zeros(1, np.int64)

    def grow(self, state, size):
        return state

    def full(self, state, x):
        if x.values[0] == 3:
            raise BadInstance("three")
        return False

    def predict(self, state, x):
        if x.values[0] == 2:
            raise BadInstance("two")
        return 0

    def update(self, state, x, y, guess):
        state[0] += 1

    def moves(self, state):
        return int(state[0])


@pytest.mark.parametrize("refused", [2.0, 3.0])
@pytest.mark.parametrize("how", ROOM)
def test_rounds_before_a_refused_one_are_played_and_counted(how, refused):
    learner, chunk = Picky(), Examples.of([[1.0], [1.0], [refused], [1.0]], [0, 1, 0, 1])
    state, guesses, room = learner.start(Size()), np.zeros(4, np.int32), [np.zeros(shape) for shape in ROOM[how]]
    assert getattr(learner, how)(state, chunk, guesses, *room) == 2
    with pytest.raises(BadInstance):
        getattr(learner, how)(state, chunk[2:], guesses[2:], *(part[..., 2:] for part in room))
    assert learner.moves(state) == 2
