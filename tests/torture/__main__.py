"""Everything that is tried for hours rather than minutes, run once before a release; prints its figures as JSON.

python -m torture     500 kills, 50,000 documents of each format, 10,000 forged models, every fault of system calls
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from torture import documents, models, system_calls

CRASH = Path(__file__).parents[1] / "cli" / "commands" / "crash.py"


def try_kills(count):
    """Kill runs after their first checkpoint so often: what was counted, and an objection if one ended otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        system_calls.write_rows(Path(folder, "rows.svm"), 12_000)
        command = [sys.executable, CRASH, folder, "1", str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (json.loads(done.stdout), []) if done.returncode == 0 else ({}, [done.stderr[-2000:]])


def try_documents(count):
    """Compare so many documents of each format with what other readers find in them."""
    found = {name: documents.compare(name, count) for name in documents.FORMATS}
    differing = [one for _, some in found.values() for one in some]
    return {name: tally for name, (tally, _) in found.items()}, differing


def try_models(count):
    """Load so many forged models; one that is neither refused in words nor plays stops this with its error."""
    return models.try_forged(count), []


def try_system_calls(every):
    """Let every fault of system calls happen, or every so many-th."""
    with tempfile.TemporaryDirectory() as folder:
        found = system_calls.start(Path(folder), every)
    return found, found.pop("objections")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--models", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=1, metavar="EVERY")
    given = parser.parse_args()
    trials = {"kills": try_kills, "documents": try_documents, "models": try_models, "calls": try_system_calls}
    failed = False
    for name, attempt in trials.items():
        begun = time.monotonic()
        figures, objections = attempt(getattr(given, name))
        record = {"trial": name, "figures": figures, "objections": objections[:20]}
        print(json.dumps(record | {"seconds": round(time.monotonic() - begun)}, ensure_ascii=False), flush=True)
        failed |= bool(objections)
    sys.exit(failed)


if __name__ == "__main__":
    main()
