"""Kill `learn --checkpoint` again and again, at random moments; started by a test in a process of its own.

Each run is a fork of this process, where everything is loaded and compiled: what is killed is the run, not its start.
Prints how often a run was killed after its first checkpoint, how often it was resumed from one, and how many chains of
runs there were; each ended with the bytes of a run that was not stopped.

    python crash.py FOLDER SEED KILLS     learns FOLDER/rows.svm
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from littlestone.cli import main
from littlestone.game.model import read


def forked(folder, model, *more):
    """Start `learn` in a fork of this process."""
    given = ["--model", str(folder / model), "--checkpoint", "1000", "--holdout", "10", "--passes", "2", "--quiet"]
    child = os.fork()
    if child == 0:
        try:
            main(["learn", str(folder / "rows.svm"), *given, *more], standalone_mode=False)
        except BaseException as problem:
            print(f"{type(problem).__name__}: {problem}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return child


def finished(child):
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def crash(folder, seed, wanted):
    main(["learn", str(folder / "rows.svm"), "--holdout", "10", "--passes", "2", "--quiet"], standalone_mode=False)
    for _ in range(2):  # the first may have to compile
        start = time.perf_counter()
        assert finished(forked(folder, "whole.lst")) == 0
        lasts = time.perf_counter() - start
    whole, broken = (folder / "whole.lst").read_bytes(), folder / "broken.lst"
    rng = random.Random(seed)
    kills = resumed = chains = 0
    while kills < wanted:
        broken.unlink(missing_ok=True)
        code = None
        while code != 0:
            more = ["--resume"] if broken.exists() else []
            child = forked(folder, "broken.lst", *more)
            if kills < wanted:
                time.sleep(rng.random() * lasts)
                os.kill(child, signal.SIGKILL)
            code = finished(child)
            assert code in (0, -signal.SIGKILL)
            kills += code != 0 and broken.exists()  # one that has saved nothing yet has nothing to lose
            resumed += bool(more)
            if broken.exists():  # whatever moment it was, the file loads
                player, about = read(broken)
                assert player.tally.rounds == sum(tally[0] for tally in about["run"]["tallies"])
        assert broken.read_bytes() == whole, "a resumed run ended otherwise"
        chains += 1
    print(json.dumps({"kills": kills, "resumed": resumed, "chains": chains}))


if __name__ == "__main__":
    crash(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
