"""Six threads use one player, of each learner in turn, each in a process of its own: a crash must not end the tests.

Run as a program it prints, for each learner by its number, what went wrong: an empty text if nothing did.
"""

import copy
import json
import os
import pickle
import random
import sys
import threading
import traceback
from itertools import chain

from laws.examples import EXAMPLES
from littlestone.base.errors import LittlestoneError
from littlestone.base.features import Indexed
from littlestone.base.learner import fingerprint
from littlestone.base.traits import Probabilities, Scores, offers
from littlestone.game.player import Player
from littlestone.laws.playing import make_rounds, select_accepted
from littlestone.learners import Ellipsoid

THREADS, ROUNDS = 6, 40


class NotedPlayer(Player):
    """A player that notes the rounds it learns, in their order."""

    def __init__(self, learner):
        declared = Indexed(8) if isinstance(learner, Ellipsoid) else None  # it must know how many attributes there are
        super().__init__(learner, declared, seed=3)
        self.notes = []

    def learn(self, seen, y, *rest, **options):
        mistake = super().learn(seen, y, *rest, **options)
        self.notes.append((seen, y))
        return mistake


def list_rounds(learner, seed):
    """Rounds for one thread; rows become wider and wider, so that states grow."""
    rounds = select_accepted(learner, make_rounds(learner, "noisy", seed, ROUNDS))
    features, chance = learner.features(), random.Random(seed)
    if type(features) is Indexed and features.attributes is None and not hasattr(learner, "weights"):
        rows = [{chance.randrange(2 * t + 2): 1.0 for _ in range(6)} for t in range(ROUNDS)]
        rounds += [(row, y) for row, (_, y) in zip(rows, rounds, strict=False)]
    return rounds


def use(player, rounds, problems):
    """What one thread does."""
    learner = player.learner
    try:
        for t, (x, y) in enumerate(rounds):
            try:
                player.update(x, y)
                player.predict(x)
                if offers(learner, Scores):
                    player.score(x)
                if offers(learner, Probabilities):
                    player.probability(x)
            except LittlestoneError:
                pass  # refused, as it may be in one thread too
            if t % 16 == 0:
                copies = copy.deepcopy(player), pickle.loads(pickle.dumps(player))
                for other in copies:
                    if other.tally.rounds != len(other.notes):
                        raise AssertionError(f"a copy of {len(other.notes)} rounds counts {other.tally}")
    except BaseException:
        problems.append(traceback.format_exc())


def find_problem(learner):
    """What goes wrong when six threads use a player of this learner; empty: nothing."""
    player, problems = NotedPlayer(learner), []
    rounds = [list_rounds(learner, seed) for seed in range(THREADS)]
    threads = [threading.Thread(target=use, args=(player, part, problems)) for part in rounds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        return problems[0]
    alone = NotedPlayer(learner)
    for one in (alone, player):
        for x, _ in chain(*rounds):
            try:
                one.ask(x)  # which makes room for the attributes of all
            except LittlestoneError:
                pass
    for seen, y in list(player.notes):
        alone.learn(seen, y)
    if not player.notes:
        return "nothing was learned"
    if player.tally != alone.tally:
        return f"{player.tally} in threads, {alone.tally} one after another"
    same = fingerprint(player.state) == fingerprint(alone.state)
    return "" if same else "the state is not that of the same rounds one after another"


def main():
    sys.setswitchinterval(1e-5)
    found = []
    for learner in EXAMPLES:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, find_problem(learner).encode()[-4000:])
            os._exit(0)
        os.close(writing)
        with open(reading, "rb") as answers:
            answer = answers.read().decode()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found.append(answer if status == 0 else f"the process ended with {status}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
