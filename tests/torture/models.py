"""Forged model files: bytes changed, fields of the document replaced, checksums made right again.

Whatever a forger writes, the file is refused in words or becomes a player that can play (`fuzz.model`); nothing
crashes, hangs or takes much memory.

    python -m torture.models 10000     tries so many; prints how many were refused as JSON
"""

import json
import random
import re
import sys
from collections import Counter
from struct import pack

from fuzz.model import one, seeds
from littlestone.game.saving.container import DIGITS, HEAD

NUMBERS = [b"0", b"-1", b"1", b"2147483648", b"18446744073709551616", b"1e308", b"NaN", b"null", b"true", b"[]", b'""']
WORDS = [b"F64", b"I32", b"U8", b"Perceptron", b"Network", b"Winnow", b"rounds", b"labels", b"weights", b"__class__"]
WORDS_OF_ARRAYS = [bytes(8), b"\xff" * 8, (1).to_bytes(8, "little"), (2**40).to_bytes(8, "little"), pack("<d", 1e308)]


def forge(rng, data):
    """A model file with a few changes: in half of the files anywhere, in the other half such that it can be read."""
    return tamper(rng, data) if rng.random() < 0.5 else replace_numbers(rng, data)


def tamper(rng, data):
    """The file with a few bytes changed, put in or taken out, most of them in its header, where the document is."""
    found = bytearray(data)
    header = 8 + int.from_bytes(data[:8], "little")
    for _ in range(rng.randint(1, 4)):
        limit = header if rng.random() < 0.7 and header <= len(found) else len(found)
        at = rng.randrange(min(8, limit), max(9, limit))
        kind = rng.randrange(4)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            found[at : at + rng.randint(0, 6)] = rng.choice(NUMBERS)
        elif kind == 2:
            found[at : at + rng.randint(0, 6)] = rng.choice(WORDS)
        else:
            del found[at : at + rng.randint(1, 9)]
    return adjust_length(found, data) if rng.random() < 0.8 else bytes(found)


def replace_numbers(rng, data):
    """The file with a few numbers of its document or of its arrays replaced."""
    found = bytearray(data)
    header, signed = 8 + int.from_bytes(data[:8], "little"), 8 + len(HEAD) + DIGITS
    for _ in range(rng.randint(1, 2)):
        if rng.random() < 0.3 and header < len(found):
            at = rng.randrange(header, len(found))
            found[at : at + 8] = rng.choice(WORDS_OF_ARRAYS)[: len(found) - at]
        else:
            number = rng.choice(list(re.finditer(rb"[0-9]+", found[signed:header])))
            near = [b"%d" % (int(number.group()) + step) for step in (-1, 1)]
            found[signed + number.start() : signed + number.end()] = rng.choice([*NUMBERS, *near, *near])
    return adjust_length(found, data)


def adjust_length(found, data):
    """The bytes with the length of their header made right, so that the change is looked at."""
    header = int.from_bytes(data[:8], "little") + len(found) - len(data)
    return max(0, header).to_bytes(8, "little") + bytes(found[8:])


def try_forged(count, seed=0):
    """Try so many forged files: how many were refused, and how many load and play."""
    rng, files, tally = random.Random(seed), seeds(), Counter()
    for number in range(count):
        loaded = one(forge(rng, files[number % len(files)]))
        tally["loads and plays" if loaded else "refused"] += 1
    return dict(tally)


if __name__ == "__main__":
    print(json.dumps(try_forged(int(sys.argv[1]))))
