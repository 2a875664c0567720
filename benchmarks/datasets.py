"""Data sets that lie beside the project and are no part of it, read whole into memory."""

import gzip
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"


class Rows(NamedTuple):
    """A data set: one row a round, and the labels."""

    X: Any
    y: Any

    def shuffled(self, seed: int) -> "Rows":
        order = np.random.default_rng(seed).permutation(len(self.y))
        return Rows(self.X[order], self.y[order])


def read_svmlight(path: Path, real: Any = np.float64) -> Rows:
    """Lines of `label number:value ...`, numbers from 1."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        parts = [line.split() for line in lines]
    entries = [entry.split(":") for part in parts for entry in part[1:]]
    indptr = np.concatenate(([0], np.cumsum([len(part) - 1 for part in parts])))
    indices = np.array([int(number) - 1 for number, _ in entries], np.int32)
    values = np.array([value for _, value in entries], real)
    return Rows(sp.csr_matrix((values, indices, indptr)), np.array([float(part[0]) for part in parts]) > 0)


def read_mnist(kind: str) -> Rows:
    """Images and digits from their idx files: a header of 16 and 8 bytes, then one byte each."""
    pixels, digits = (
        np.frombuffer(gzip.decompress((DATA / "mnist" / f"{kind}-{name}-ubyte.gz").read_bytes()), np.uint8)
        for name in ("images-idx3", "labels-idx1")
    )
    images = pixels[16:].reshape(-1, 784).astype(np.float32) / np.float32(255)
    return Rows(sp.csr_matrix(images), digits[8:].astype(np.int64))


def write_table(page: Path, mark: str, table: str) -> None:
    """Put a table between two marks of a page, at its end if it has none."""
    before, _, rest = page.read_text().partition(mark)
    _, _, after = rest.partition(mark)
    page.write_text(f"{before}{mark}\n\n{table}\n\n{mark}{after}")


def read_table(page: Path, mark: str) -> list[list[str]]:
    """The cells of the table that stands between two marks of a page, line by line; none without marks."""
    _, _, rest = page.read_text().partition(mark)
    lines = [line for line in rest.partition(mark)[0].splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
