"""Forged model files: bytes changed, fields of the document replaced, checksums made right again.

Whatever a forger writes, the file is refused in words or becomes a player that can play (`fuzz.model`); nothing
crashes, hangs or takes much memory.

    python -m torture.models 10000     tries so many; prints how many were refused as JSON
"""

import json
import random
import sys
from collections import Counter

from fuzz.model import one, seeds

NUMBERS = [b"0", b"-1", b"1", b"2147483648", b"18446744073709551616", b"1e308", b"NaN", b"null", b"true", b"[]", b'""']
WORDS = [b"F64", b"I32", b"U8", b"Perceptron", b"Network", b"Winnow", b"rounds", b"labels", b"weights", b"__class__"]


def forge(rng, data):
    """A model file with a few changes, most of them in its header, where the document is."""
    found = bytearray(data)
    header = 8 + int.from_bytes(data[:8], "little")
    for _ in range(rng.randint(1, 4)):
        limit = header if rng.random() < 0.7 and header <= len(found) else len(found)
        at = rng.randrange(min(8, limit), max(9, limit))
        kind = rng.randrange(5)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            found[at : at + rng.randint(0, 6)] = rng.choice(NUMBERS)
        elif kind == 2:
            found[at : at + rng.randint(0, 6)] = rng.choice(WORDS)
        elif kind == 3:
            found = replace_number(rng, found, header)
        else:
            del found[at : at + rng.randint(1, 9)]
    if rng.random() < 0.8:  # the header's length is made right, so that the change is looked at
        grown = len(found) - len(data)
        found[:8] = max(0, header - 8 + grown).to_bytes(8, "little")
    return bytes(found)


def replace_number(rng, data, header):
    """The file with one number of its header replaced."""
    places = [at for at in range(8, min(header, len(data))) if data[at : at + 1].isdigit()]
    if not places:
        return data
    at = end = rng.choice(places)
    while end < len(data) and data[end : end + 1].isdigit():
        end += 1
    return data[:at] + rng.choice(NUMBERS) + data[end:]


def try_forged(count, seed=0):
    """Try so many forged files: how many were refused, and how many load and play."""
    rng, files, tally = random.Random(seed), seeds(), Counter()
    for number in range(count):
        loaded = one(forge(rng, files[number % len(files)]))
        tally["loads and plays" if loaded else "refused"] += 1
    return dict(tally)


if __name__ == "__main__":
    print(json.dumps(try_forged(int(sys.argv[1]))))
