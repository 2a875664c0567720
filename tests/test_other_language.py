"""The verifier in JavaScript, written by docs/write-a-verifier.md, says of its vectors what they say."""

import json
import shutil
import subprocess

import pytest

from places import ROOT, TESTS

FOLDER = ROOT / "verifier" / "vectors"
INDEX = json.loads((FOLDER / "index.json").read_text())
OURS = ("perceptron", "normalized", "aggressive", "voted")


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node on this machine")
def test_a_verifier_in_another_language_says_of_the_vectors_what_they_say():
    entries = [entry for entry in INDEX if entry["data"].endswith(".rounds")]
    pairs = [[str(FOLDER / entry["certificate"]), str(FOLDER / entry["data"])] for entry in entries]
    command = ["node", str(TESTS / "other_language" / "verify.js"), "--all"]
    done = subprocess.run(command, input=json.dumps(pairs), capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(entries)
    covered = 0
    for entry, line in zip(entries, lines, strict=True):
        status = int(line.split()[0])
        if entry["family"] in OURS:
            assert status == (0 if entry["true"] else 1), (entry, line)
            covered += 1
        else:
            assert status == 2 or (status == 1 and not entry["true"]), (entry, line)
    assert covered > 100
