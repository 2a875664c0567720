"""Every kernel run as plain Python plays the same games and ends in the same states, to the last bit."""

import json
import os
import subprocess
import sys

from laws.examples import EXAMPLES
from places import TESTS


def recorded(plain):
    paths = [str(TESTS), *(path for path in sys.path if path)]
    settings = {"PYTHONPATH": os.pathsep.join(paths), "NUMBA_DISABLE_JIT": "1" if plain else "0"}
    command = [sys.executable, "-W", "ignore::RuntimeWarning", str(TESTS / "laws" / "record.py")]  # words wrap around
    run = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_compiled_and_plain_games_are_the_same():
    compiled, plain = recorded(plain=False), recorded(plain=True)
    assert len(compiled) == len(EXAMPLES)
    for learner, games in compiled.items():
        assert plain[learner] == games, f"{learner} plays another game as plain Python"
        assert sum(len(guesses) for guesses, _ in games) > 0
