"""The checksum of cached records: what damage it finds."""

import numpy as np
import pytest

from littlestone.readers.cached_records import STRETCH, sum_bytes

SIZES = [1, 7, 8, 9, 63, 64, 65, 200]


def make_words(size):
    return np.random.default_rng(size).integers(0, 2**64, size, dtype=np.uint64)


@pytest.mark.parametrize("size", [0, *SIZES])
def test_the_compiled_way_and_plain_python_agree(size):
    words = make_words(size)
    with np.errstate(over="ignore"):  # words wrap around
        assert sum_bytes(words) == sum_bytes.py_func(words)


@pytest.mark.parametrize("size", SIZES)
def test_every_flipped_bit_changes_it(size):
    words = make_words(size)
    expected = sum_bytes(words)
    for at in range(size):
        for bit in range(64):
            words[at] ^= np.uint64(1 << bit)
            assert sum_bytes(words) != expected, (at, bit)
            words[at] ^= np.uint64(1 << bit)


@pytest.mark.parametrize("distance", [1, 7, int(STRETCH), int(STRETCH) + 8, 2 * int(STRETCH), 10 * int(STRETCH)])
def test_changes_in_two_places_do_not_undo_one_another(distance):
    words = make_words(1000)
    expected, places = sum_bytes(words), [3, 3 + distance]
    for bit in range(64):
        changed = words.copy()
        changed[places] ^= np.uint64(1 << bit)
        assert sum_bytes(changed) != expected
    words[places] = words[places[::-1]]
    assert sum_bytes(words) != expected


def test_stretches_that_changed_places_or_were_lost_are_found():
    words, stretch = make_words(1000), int(STRETCH)
    pages = np.concatenate([words[stretch : 2 * stretch], words[:stretch], words[2 * stretch :]])
    empty = words.copy()
    empty[stretch : 2 * stretch] = 0
    found = {
        int(sum_bytes(one)) for one in (words, pages, empty, words[:-1], words[8:], np.append(words, np.uint64(0)))
    }
    assert len(found) == 6
