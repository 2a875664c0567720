"""Real files of sparse rows: the rounds that scikit-learn and Vowpal Wabbit's own rules find in them."""

import gzip

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from littlestone.readers.reading import read
from places import DATA
from reference import vw_rows


def needed(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is real data that is not part of this repository")
    return path


@pytest.mark.parametrize(
    "name",
    ["adult/a9a.gz", "web/w8a.gz", "spam_stream/spam_katakis.libsvm.gz", "svmguide3/svmguide3.libsvm"],
)
def test_svmlight_files_are_what_scikit_learn_reads(name):
    path = needed(name)
    reading = read(path)
    chunks = list(reading.chunks())
    X, y = load_svmlight_file(str(path), zero_based=True, dtype=np.float32)
    assert reading.format.name == "svmlight"
    assert (np.concatenate([chunk.labels for chunk in chunks]) == y).all()
    assert (np.concatenate([np.diff(chunk.indptr) for chunk in chunks]) == np.diff(X.indptr)).all()
    assert (np.concatenate([chunk.indices for chunk in chunks]) == X.indices).all()
    assert (np.concatenate([chunk.values for chunk in chunks]) == X.data).all()


def test_a_file_of_vowpal_wabbit_is_what_the_plain_twin_reads():
    path = needed("rcv1/rcv1_small.dat.gz")
    reading = read(path)
    assert reading.format.name == "vw"
    ours = [(label, row) for chunk in reading.chunks() for label, row in zip(chunk.labels, chunk, strict=True)]
    theirs = vw_rows(gzip.decompress(path.read_bytes()).decode())
    assert len(ours) == len(theirs) == 1000
    for (label, row), (their_label, _, pairs) in zip(ours, theirs, strict=True):
        assert label == their_label
        assert {name: np.float32(float(value)) for name, value in pairs} == row
