"""What targets of certificates share: the verifier in one file, and certificates with the their rounds."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import littlestone as ls
from littlestone.certificates.one_file import find_one_file
from littlestone.certificates.rounds import write_rounds

X = [[float((3 * t) % 7 - 2), float(t % 4 - 1)] for t in range(9)]
STREAM = ls.Recorded(X, [(3 * t) % 7 > 2 for t in range(9)])
CLASSES = ls.Recorded(X, [t % 3 for t in range(9)])


def load(path: Path) -> Any:
    """A file as a module."""
    about = importlib.util.spec_from_file_location(path.stem, path)
    assert about is not None
    assert about.loader is not None
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


one_file = load(find_one_file())


@cache
def list_games() -> tuple[tuple[str, Any], ...]:
    """Certificates, each with its rounds."""
    learners = [ls.Perceptron(), ls.PassiveAggressive(), ls.VotedPerceptron()]
    made = [(ls.certify(learner, STREAM).to_json(), STREAM) for learner in learners]
    made += [(ls.certify(ls.Network(ls.Perceptron(), how), CLASSES).to_json(), CLASSES) for how in ("each", "winner")]
    return tuple(made)


@cache
def dump(stream: Any) -> bytes:
    """The rounds of a stream as lines."""
    return ("\n".join(write_rounds(stream)) + "\n").encode()
