"""Run the extracted program on certificates and forgeries, and compare its verdicts with what they must be.

    python run_vectors.py PROGRAM FOLDER

FOLDER has an index.json as verifier/README.md says. A program that does not cover a certificate says so with status 2,
which is no mistake; accepting a forgery is, and so is refusing what is true.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def run(program: str, certificate: Path, data: Path) -> tuple[int, str]:
    """The status of the program and what it printed."""
    command = [*program.split(), certificate, data]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def main(program: str, folder: Path) -> int:
    """Compare all verdicts; the exit status."""
    counts, wrong = Counter[str](), 0
    listed = json.loads((folder / "index.json").read_text())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(lambda one: run(program, folder / one["certificate"], folder / one["data"]), listed))
    for one, (status, said) in zip(listed, verdicts, strict=True):
        if status == 2:
            counts["not covered"] += 1
        elif status == (0 if one["true"] else 1):
            counts["accepted" if one["true"] else "refused"] += 1
        else:
            wrong += 1
            print(f"{one['name']}: must be {'true' if one['true'] else 'refused: ' + one['reason']}, but: {said}")
    told = ", ".join(f"{counts[word]} {word}" for word in ("accepted", "refused", "not covered"))
    print(f"vectors: {told}, {wrong} wrong")
    return int(wrong > 0 or counts["accepted"] == 0 or counts["refused"] == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
