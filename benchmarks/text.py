"""Raw text lines to a model, against scikit-learn's HashingVectorizer and SGD on the same file.

The file is generated: 40,000 lines of 20 to 120 words, of 60,000 by a Zipf-Mandelbrot law, labelled by a random
halfspace over words. Both sides read it, split it into words, hash them into 2^22 slots and take one Perceptron pass.
scikit-learn keeps its own rule for words, of two letters at least, so it has no more of them than we have.
"""

import tempfile
import warnings
from pathlib import Path

import numpy as np

import littlestone as ls
from benchmarks.timing import Line, measure_best, print_table

BITS = 22


def write_texts(path: Path, lines: int = 40_000, seed: int = 0) -> int:
    """Write the file; how many words it has."""
    rng = np.random.default_rng(seed)
    vocabulary = 60_000
    letters = np.clip(rng.poisson(5.5, vocabulary), 2, 15)
    words = np.array(["".join(map(chr, rng.integers(97, 123, size))) for size in letters.tolist()])
    chance = 1 / (np.arange(vocabulary) + 5.0)
    lengths = rng.integers(20, 121, lines)
    drawn = rng.choice(vocabulary, int(lengths.sum()), p=chance / chance.sum())
    target, ends = rng.standard_normal(vocabulary), np.cumsum(lengths)
    with path.open("w") as file:
        for start, end in zip(ends - lengths, ends, strict=True):
            row = drawn[start:end]
            file.write(f"{'spam' if target[row].sum() > 0 else 'ham'}\t{' '.join(words[row])}\n")
    return len(drawn)


def main() -> None:
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.txt")
        words = write_texts(path)

        def ours() -> None:
            ls.play(ls.Perceptron(), ls.read(path, format="text", bits=BITS))

        def theirs() -> None:
            with path.open() as file:
                labels, texts = zip(*(line.rstrip("\n").split("\t", 1) for line in file), strict=True)
            X = HashingVectorizer(n_features=2**BITS, alternate_sign=False, norm=None).transform(texts)
            options = {"learning_rate": "constant", "eta0": 1.0, "penalty": None, "shuffle": False}
            SGDClassifier(loss="perceptron", max_iter=1, tol=None, **options).fit(X, labels)

        mine, peer = measure_best(ours, theirs, turns=3)
    lines = [
        Line(
            f"text lines to model, {words / mine / 1e6:.0f} million words/s",
            "HashingVectorizer + SGD",
            peer / mine,
            12,
            20,
        )
    ]
    print_table("Raw text, one pass (40,000 lines of 20 to 120 words)", lines)


if __name__ == "__main__":
    main()
