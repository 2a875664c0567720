"""Kill `learn --checkpoint` again and again, at random moments; started by a test in a process of its own.

Each run is a fork of this process, where everything is loaded and compiled: what is killed is the run, not its start.
Prints how often a run was killed, how often it was resumed from a checkpoint, and whether each chain of runs ended with
the bytes of a run that nobody stopped.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from littlestone.cli import main
from littlestone.model import read

KILLS = 50
folder, seed = Path(sys.argv[1]), int(sys.argv[2])
data = folder / "rows.svm"


def words(model, *more):
    given = ["--model", str(folder / model), "--checkpoint", "1000", "--holdout", "10", "--passes", "2", "--quiet"]
    return ["learn", str(data), *given, *more]


def forked(model, *more):
    child = os.fork()
    if child == 0:
        try:
            main(words(model, *more), standalone_mode=False)
        except BaseException as problem:
            print(f"{type(problem).__name__}: {problem}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return child


def finished(child):
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


for _ in range(2):  # the first may have to compile
    start = time.perf_counter()
    assert finished(forked("whole.lst")) == 0
    lasts = time.perf_counter() - start
whole = (folder / "whole.lst").read_bytes()
rng = random.Random(seed)
kills = resumed = chains = 0
broken = folder / "broken.lst"
while kills < KILLS:
    broken.unlink(missing_ok=True)
    while True:
        more = ["--resume"] if broken.exists() else []
        child = forked("broken.lst", *more)
        time.sleep(rng.random() * lasts / 2)
        os.kill(child, signal.SIGKILL)
        code = finished(child)
        kills += code == -signal.SIGKILL
        if broken.exists():
            player, about = read(broken)  # whatever moment it was, the file loads
            resumed += bool(more)
            assert player.tally.rounds == sum(rounds for rounds, _ in about["run"]["tallies"])
        if code == 0 or kills >= KILLS:
            break
    if code != 0:
        assert finished(forked("broken.lst", *(["--resume"] if broken.exists() else []))) == 0
    assert broken.read_bytes() == whole, "a resumed run ended otherwise"
    chains += 1
print(json.dumps({"kills": kills, "resumed": resumed, "chains": chains}))
