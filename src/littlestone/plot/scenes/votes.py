"""Votes: how the share of the weight that says 1 becomes the chance of saying 1.

Each learner plays one round with experts of equal weight, some of which vote 1; the outcome being 0, the mistakes that
are expected of it are that chance.
"""

from typing import Any

import numpy as np

from littlestone.base.errors import require
from littlestone.environments import Panel
from littlestone.game.play import play
from littlestone.plot.scenes.scene import DASHES, Line, Scene

EXPERTS = 40


def compose_votes(learners: Any) -> Scene:
    """Compose the chance of guessing 1 over the share of the weight that says 1, for learners that vote."""
    require(len(learners) > 0, "votes need at least one learner")
    shares = [k / EXPERTS for k in range(EXPERTS + 1)]
    chances = [[_ask_chance(learner, k) for k in range(EXPERTS + 1)] for learner in learners]
    names = [type(learner).__name__ for learner in learners]
    marks = [
        Line(shares, chance, name, DASHES[k % len(DASHES)], k)
        for k, (chance, name) in enumerate(zip(chances, names, strict=True))
    ]
    rows = [(share, *(f"{chance[k]:.4f}" for chance in chances)) for k, share in enumerate(shares)]
    words = f"The chance of guessing 1 by {', '.join(names)}, as the share of the weight for 1 grows."
    return Scene("From votes to a guess", marks, "share of the weight that says 1", "chance of guessing 1", words,
                 ("share", *names), rows)  # fmt: skip


def _ask_chance(learner: Any, ones: int) -> float:
    """The chance that a learner guesses 1 when this number of the experts says 1."""
    votes = (np.arange(EXPERTS) < ones).astype(np.float64)
    game = play(learner, Panel(votes[None, :], [0]))
    return float(game.mistakes if game.expected is None else game.expected)
