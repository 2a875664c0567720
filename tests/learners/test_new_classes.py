"""Classes that come one by one: what each costs, and that room for more changes nothing."""

import copy
import time

import numpy as np

import littlestone as ls
from littlestone.base.learner import fingerprint


def test_a_new_class_costs_no_more_than_a_few_rounds_of_all_classes():
    rows, labels = np.random.default_rng(0).normal(size=(600, 4)), [f"c{t}" for t in range(600)]
    player = ls.Player(ls.Logistic())
    spent = []
    for _ in range(2):  # in the second pass all classes are known
        begun = time.process_time()
        ls.play(player, ls.Recorded(rows, labels))
        spent.append(time.process_time() - begun)
    assert spent[0] < 3 * spent[1]


def test_states_grow_into_room_behind_them_as_copies_without_any_do():
    rows, chance = np.random.default_rng(1).normal(size=(60, 40)), np.random.default_rng(2)
    for learner in (ls.Logistic(), ls.Logistic(classes="both", second_order=30), ls.Aioli()):
        player, other = ls.Player(learner), ls.Player(learner)
        for t, row in enumerate(rows):
            x, y = row[: 3 + t // 2], int(chance.integers(1 + t // 3))
            player.update(x, y)
            other = copy.deepcopy(other)
            other.update(x, y)
        assert fingerprint(player.state) == fingerprint(other.state)
        refused = fingerprint(player.state)
        for label in (None, "new"):
            try:
                player.update([np.inf], label)
            except ValueError:
                pass
        assert fingerprint(player.state) == refused
        player.update(rows[0], "new")
        other.update(rows[0], "new")
        assert fingerprint(player.state) == fingerprint(other.state)
