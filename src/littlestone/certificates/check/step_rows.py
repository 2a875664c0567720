"""The rows z that moved a run, one after another, as checks of its losses read them; and comparators over them.

Row z is y x with its constant attribute first, or in a network x in the block of the right class and then -x in that of
its rival. Zeros are left out. Columns are numbered as they come: each is an attribute (-1: the constant) of a block.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.integer_rows import ColumnChunk, count_fraction_bits, open_stream, scale_up
from littlestone.certificates.check.report import Report
from littlestone.certificates.check.same_run import replay_run, require_same_run

LONGEST = 2**40  # of a whole number of a comparator


class StepRows(NamedTuple):
    """Rows in float64; column j is attribute attributes[j] in the block of class blocks[j]."""

    indptr: Array
    columns: Array
    values: Array
    blocks: Array
    attributes: Array

    @classmethod
    def gather(cls, chunks: Iterable[ColumnChunk], updated: tuple[int, ...], rivals: tuple[int, ...] | None) -> Self:
        """The rows of the update rounds; `rivals` are the classes stepped away from, None: there are two classes."""
        due = dict(zip(updated, rivals or (-1,) * len(updated), strict=True))
        numbers = dict[tuple[int, int], int]()
        places = list[int]()
        lengths = [0]
        values = list[float]()
        for chunk in chunks:
            for t, code in enumerate(chunk.codes.tolist()):
                rival = due.pop(chunk.first + t, None)
                if rival is None:
                    continue
                part = slice(chunk.indptr[t], chunk.indptr[t + 1])
                columns = chunk.columns[part].tolist()
                row = chunk.values[part].tolist()
                signs = ((0, 1.0 if code else -1.0),) if rivals is None else ((code, 1.0), (rival, -1.0))
                for block, sign in signs:
                    places += [numbers.setdefault((block, j - 1), len(numbers)) for j in columns]
                    values += [sign * value for value in row]
                lengths.append(len(places))
        require(not due, "an update is listed beyond the last round", NotCertified)
        keys = np.array(list(numbers), np.int64).reshape(-1, 2)
        return cls(np.array(lengths), np.array(places, np.int64), np.array(values), keys[:, 0], keys[:, 1])

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.blocks)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def scale_up(self) -> tuple[list[list[tuple[int, int]]], int]:
        """The rows in whole numbers of 2^-bits, as pairs of a column and a value; and the bits."""
        bits = count_fraction_bits(self.values)
        columns = self.columns.tolist()
        whole = [scale_up(value, bits) for value in self.values.tolist()]
        ends = self.indptr.tolist()
        return [list(zip(columns[a:b], whole[a:b], strict=True)) for a, b in pairwise(ends)], bits

    def read_vector(self, witness: dict[str, Any]) -> tuple[list[int], int]:
        """The whole numbers of a comparator by column, and the exponent of two that they are multiplied by."""
        power, attributes, numerators = (witness[name] for name in ("exponent", "attributes", "numerators"))
        blocks = witness.get("classes", [0] * len(attributes))
        lists = type(attributes) is type(numerators) is type(blocks) is list
        whole = lists and all(type(k) is int for part in (blocks, attributes, numerators, [power]) for k in part)
        require(whole and abs(power) < 1000, "malformed witness", NotCertified)
        places = {key: j for j, key in enumerate(zip(self.blocks.tolist(), self.attributes.tolist(), strict=True))}
        u = [0] * self.width
        entries = list(zip(blocks, attributes, strict=True))
        require(len(set(entries)) == len(entries), "the witness has an entry twice", NotCertified)
        for key, k in zip(entries, numerators, strict=True):
            require(key in places and 0 < abs(k) < LONGEST, f"no update has attribute {key[1]}, or {k}", NotCertified)
            u[places[key]] = k
        return u, power


class Replayed(NamedTuple):
    """A run that was played again, and the rows that moved it."""

    run: FloatRun
    rows: StepRows
    classes: int  # met by the end of it
    declared: int  # known before its first round, at least two


def replay_steps(certificate: Certificate, stream: Stream, features: Any, constant: float) -> Replayed:
    """Play the run of a certificate again, which must be possible, and collect the rows that moved it."""
    network = certificate.learner["name"] == "Network"
    again, facts = open_stream(certificate, stream, features, constant, UNLIMITED if network else 2)
    updates = len(certificate.updated)
    require(certificate.updates == updates, f"{updates} updates are listed, not {certificate.updates}", NotCertified)
    marked = len(certificate.marks) == (updates if network else 0)
    require(marked and certificate.version is not None, "marks do not fit the update rounds", NotCertified)
    run = replay_run(certificate, stream, features) if facts.rounds else FloatRun(0, (), ())
    if run is None:
        raise NotCertified("its rows came in several forms, or of mixed precision: such a run is not played again")
    require_same_run(certificate, run)
    rivals = tuple(mark - 1 for mark in run.marks) if network else None
    rows = StepRows.gather(again.read(), run.updated, rivals)
    return Replayed(run, rows, facts.classes, max(2, len(again.declared)))


def require_claim(certificate: Certificate, expected: dict[str, Any]) -> Report:
    """Refuse fields that are not what a theorem gives, to the bit and in type; the report of one that has them all."""
    for name, ours in expected.items():
        theirs = getattr(certificate, name)
        same = type(theirs) is type(ours) and theirs == ours
        require(same, f"the {name} must be {ours!r}, not {theirs!r}", NotCertified)
    counted = certificate.counted
    bound = certificate.bound
    require(counted <= bound, f"{counted} exceeds the bound {bound}", NotCertified)
    words = (certificate.theorem, certificate.counts, counted, bound, certificate.rounds, certificate.exact)
    return Report(*words, replayed=True)
