"""What a player does on rounds, to the bit, and the streams that certificates speak of."""

import hashlib
from fractions import Fraction

import numpy as np

import littlestone as ls
from kept.rounds import rounds_of


def behaviour(player, rounds):
    """What the player says before each round, and what it has learned after the last one."""
    said = []
    for x, y in rounds:
        said.append([show(player.predict(x)), ask(player.score, x), ask(player.probability, x)])
        player.update(x, y)
    tally = [show(count) for count in player.tally]
    return {"said": said, "tally": tally, "labels": show(list(player.labels.names)), "state": fingerprint(player.state)}


def ask(question, x):
    """The answer, or null from a learner that has none."""
    try:
        return show(question(x))
    except NotImplementedError:
        return None


def show(value):
    """A value in JSON, floats by all their bits."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [show(part) for part in value]
    if isinstance(value, Fraction):
        return str(value)
    return value.hex() if isinstance(value, float) else value


def fingerprint(state):
    """SHA-256 over the types, shapes and bytes of a state's arrays, in their order."""
    digest = hashlib.sha256()
    for leaf in leaves(state):
        if isinstance(leaf, np.ndarray):
            digest.update(f"{leaf.dtype.str} {leaf.shape} ".encode() + leaf.tobytes())
        else:
            digest.update(repr(sorted(leaf.items()) if isinstance(leaf, dict) else leaf).encode())
    return digest.hexdigest()


def leaves(state):
    """The arrays, and the lists and dicts, of a state of states."""
    if isinstance(state, tuple):
        for part in state:
            yield from leaves(part)
    else:
        yield state


def stream_of(about, folder):
    """The stream of a description: a file, rows in memory, points, or forecasts with outcomes."""
    if about["kind"] == "file":
        return ls.read(folder / about["file"], **about["options"])
    xs, ys = zip(*rounds_of(about), strict=True)
    if about["kind"] == "panel":
        return ls.Panel(np.array(xs), np.array(ys, float))
    return ls.Recorded(np.array(xs) if about["kind"] == "rows" else list(xs), list(ys))


def verified(report):
    """What a verification found."""
    return [str(report.counted), str(report.bound), report.rounds, report.exact, list(report.differing)]
