"""Play random games of a family, change their certificates, and compare the extracted program with the one file.

The one file comes with its further learners; what they do not cover is asked of the library.

    python proofs/agree.py --games 1000 --changes 20 --family winnow --seed 3

The program may say that it does not cover a certificate. Accepting what they refuse is wrong, and so is refusing what
they accept: such a certificate is printed, and the exit status is 1. The one file itself is compared with the library
by verifier/make_vectors.py --agree.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "verifier"))

from make_vectors import ask_library, ask_one_file, forge, load_verifier, play, seal  # noqa: E402

FAMILIES = (
    "perceptron", "normalized", "aggressive", "passive-aggressive", "alma and romma", "voted", "network", "units",
    "passive-aggressive network", "winnow", "balanced winnow", "finite", "experts", "ridge",
    "kernel", "league",
)  # fmt: skip
WORDS = {0: "true", 1: "false", 2: "not covered"}


def compare(program: Path, family: str, games: int, changes: int, seed: int, folder: Path) -> Counter[str]:
    """Count the pairs of verdicts on games and changed certificates of a family."""
    verifier, counts, paths = load_verifier(), Counter[str](), (folder / "certificate.json", folder / "game.rounds")
    for k in range(games):
        rng = random.Random(f"{seed} {family} {k}")
        game, certificate, dump = play(rng, family, 2**17)
        paths[1].write_text(dump)
        honest = certificate.to_json()
        for place, text in enumerate([honest, *(seal(forge(rng, json.loads(honest))) for _ in range(changes))]):
            paths[0].write_text(text)
            done = subprocess.run([program, *paths], capture_output=True, text=True, timeout=600, check=False)
            ours, theirs = WORDS[done.returncode], ask_one_file(verifier, text, paths[1].name, dump.encode())
            if theirs == "not covered":
                theirs = ask_library(text, paths[1], game.learner if game.needed else None)
            counts[f"{'changed' if place else 'honest'}: {theirs}, program {ours}"] += 1
            if {ours, theirs} == {"true", "false"}:
                counts["disagreements"] += 1
                print(f"{family}, game {k}, certificate {place}: it is {theirs}, {done.stdout}{text}")
    return counts


def main() -> int:
    """Compare the families that are asked for; the exit status."""
    parser = argparse.ArgumentParser(description="Compare the extracted program with the one file on random games.")
    parser.add_argument("--games", type=int, default=25)
    parser.add_argument("--changes", type=int, default=20, help="changed certificates of each game")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="a family (all)")
    parser.add_argument("--seed", type=int, default=1)
    given, wrong = parser.parse_args(), 0
    with tempfile.TemporaryDirectory() as folder:
        for family in given.family or FAMILIES:
            told = given.games, given.changes, given.seed, Path(folder)
            counts = compare(HERE / "build" / "littlestone-verify", family, *told)
            print(family, dict(sorted(counts.items())), flush=True)
            wrong += counts["disagreements"]
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
