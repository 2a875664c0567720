"""Games of every example, as JSON on standard output: guesses and a digest of the final state, live and replayed.

`test_plain` runs it twice, compiled and as plain Python, and compares.
"""

import hashlib
import json
import sys

from laws.examples import EXAMPLES
from littlestone.laws.playing import KINDS, make_rounds, select_accepted, start_fresh


def digest(seat):
    return hashlib.sha256(repr(seat.mark()).encode()).hexdigest()


def games(learner):
    for kind in KINDS:
        rounds = select_accepted(learner, make_rounds(learner, kind, seed=11, rounds=16))
        live, whole = start_fresh(learner, rounds), start_fresh(learner, rounds)
        yield [live.round(x, y) for x, y in rounds], digest(live)
        yield (whole.batch(rounds) if rounds else []), digest(whole)


if __name__ == "__main__":
    json.dump({f"{k} {learner!r}": list(games(learner)) for k, learner in enumerate(EXAMPLES)}, sys.stdout)
