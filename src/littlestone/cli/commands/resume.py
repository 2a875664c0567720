"""What a run of `learn` needs to go on where an earlier one stopped: the rounds it has met, and the lines it wrote.

Data are recognised by their content, wherever they come from: the rounds themselves are compared, by fingerprints that
the model keeps. A file may have another name or time by now, and may have grown.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import click
import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import BadParameter, require
from littlestone.base.files import is_special, open_text
from littlestone.base.labels import Labels, find_counterpart
from littlestone.base.printed_text import quote
from littlestone.certificates.digest import Digest
from littlestone.certificates.risk import LabelOrder
from littlestone.game.evaluation import Evaluation
from littlestone.game.played_rounds import PlayedRounds

EVERY = 1 << 16  # rounds between two fingerprints, after the first ones


@dataclass
class RunCounts:
    """What a run has counted, and where in its data it is: what a model keeps so that the run can go on.

    Args:
        tallies: Of each pass, the rounds learned, the mistakes played among them, and those served where counted.
        position: How many rounds of this pass are done, held out or not; 0 between two passes.
        length: How many rounds the last pass had, once it is done.
        nonzeros: The entries of all rows that were learned.
        seen: The judgement of the first pass, each round before it was learned.
        held: The judgement of the rounds that are held out.
        order: The order of the labels of the first pass; None if a run that is gone on with did not note it.
    """

    seen: Any = field(default_factory=Evaluation)  # a NumberEvaluation where numbers are predicted
    held: Any = field(default_factory=Evaluation)
    order: LabelOrder | None = field(default_factory=LabelOrder)
    tallies: list[list[Any]] = field(default_factory=list)
    position: int = 0
    length: int = 0
    nonzeros: int = 0


class MetRounds:
    """Fingerprints of the rounds of a pass, as the learner sees them: after 1, 2, 4, 8, ... of them, and after all."""

    def __init__(self) -> None:
        self.digest = Digest(version=1)
        self.prints = dict[str, str]()

    def add(self, seen: Chunk) -> None:
        """Add rounds that were played."""
        done = 0
        while done < len(seen):
            met = self.digest.rounds
            due = 1 << met.bit_length() if met < EVERY else met + EVERY - met % EVERY  # the next fingerprint
            end = min(len(seen), done + due - met)
            self.digest.add(seen[done:end])
            if (met := self.digest.rounds) & (met - 1) == 0 or met % EVERY == 0:
                self.prints[str(met)] = self.digest.text()
            done = end

    def to_record(self) -> dict[str, str]:
        """The fingerprints so far, with one of all rounds."""
        return self.prints | ({str(self.digest.rounds): self.digest.text()} if self.digest.rounds else {})

    def follows(self, player: Any, chunks: Iterable[Chunk], record: dict[str, str]) -> bool:
        """Add the rounds that a stream begins with, as long as they agree with a record; whether all of it does.

        The player, or the league, reads them and stays as it was.
        """
        left = max(map(int, record), default=0)
        mark = player.features.mark()
        features = player.features.renew()
        try:
            for chunk in chunks if left else ():
                rows = chunk[: left - self.digest.rounds]
                done = 0
                while done < len(rows):
                    seen = features.read_chunk(rows[done:]) if getattr(player, "reads_rows", True) else rows
                    codes = [player.labels.find(label) for label in rows.labels[done : done + len(seen)].tolist()]
                    kind = player.labels.dtype
                    self.add(seen.with_labels(np.array([-1 if code is None else code for code in codes], kind)))
                    done += len(seen)
                    if any(self.prints.get(rounds, text) != text for rounds, text in record.items()):
                        return False
                if self.digest.rounds == left:
                    break
        finally:
            player.features.undo(mark)
        return self.to_record() == record

    def differ_in_last(self, record: dict[str, str]) -> bool:
        """Whether as many rounds as the record has were added, and all of its fingerprints but the last agree."""
        last = max(map(int, record))
        agree = all(self.prints.get(rounds) == text for rounds, text in record.items() if int(rounds) < last)
        return self.digest.rounds == last > 1 and agree


def find_met(player: Any, stream: Any, place: dict[str, Any], data: Iterable[str]) -> tuple[MetRounds | None, str]:
    """Whether a stream begins with the rounds of the run that a model keeps its place of, and what to say about it.

    Args:
        player: The player, or the league, of the model.
        stream: What is to be learned, from its beginning.
        place: What the model keeps of that run.
        data: What was typed to name the stream.

    Returns:
        The rounds met, to go on after; None if all rounds are new.
        A sentence.
    """
    met = MetRounds()
    record = place["met"]
    where = ", ".join(map(quote, data))
    rounds = f"the {max(map(int, record), default=0):,} rounds that the model learned last"
    if met.follows(player, stream.chunks(), record):
        return met, f"{where} begins with {rounds}: going on after them"
    if place.get("unended") and met.differ_in_last(record):
        cut = f"{where} differs in the last of {rounds}, whose line had no end"
        raise BadParameter(f"{cut}: it was cut short; leave out --resume, and all of it is learned anew")
    read = ", as the model reads and shuffles them" if place["source"].get("shuffle_buffer") else ""
    return None, f"{where} does not begin with {rounds}{read}: all of it is new"


def is_stamped(place: dict[str, Any], stream: Any, data: Iterable[str]) -> bool:
    """Whether data are those of a run whose place an earlier version kept, without fingerprints of its rounds."""
    local = [None if part.path is None else part.path.stat() for part in stream.files]
    stamps = [None if file is None else [file.st_size, file.st_mtime_ns] for file in local]
    source = place["source"]
    same = source.get("data") == list(data) and source.get("stamps") == stamps
    return same and (None not in stamps or not place["finished"])


def open_lines(path: str | None, resumed: bool, size: int | None) -> TextIO | None:
    """A file for lines, emptied; in a run that goes on, cut back to the size it had when the model was saved."""
    if path is None:
        return None
    if not resumed or is_special(path) or not Path(path).exists():
        return open_text(path)
    found = os.stat(path).st_size
    enough = size is None or not found or found >= size
    remedy = "give another file, or leave out --resume and start again"
    require(enough, f"{path} has {found} bytes, and had {size} when the model was saved: {remedy}", BadParameter)
    os.truncate(path, found if size is None else min(size, found))
    return open_text(path, "a")


def tell_partial(stack: ExitStack, path: str | None) -> None:
    """Say, if the stack is left by an error, that the lines in a file are not all."""

    def tell(kind: Any, *about: Any) -> None:
        if kind is not None and path is not None and not is_special(path) and Path(path).exists():
            click.echo(f"littlestone: {quote(path)} is incomplete: it ends where the run did", err=True)

    stack.push(tell)


def write_guesses(played: PlayedRounds, answers: Array, labels: Labels) -> str:
    """One line per round: the label that was guessed and counted.

    A class that had not come yet goes by what the one that had come suggests (False beside True), else by None.
    """
    names = {c: f"{quote(labels.name(c))}\n" for c in set(answers.tolist())}
    lines = [names[c] for c in answers.tolist()]
    unmet = () if labels.dtype is np.float64 else np.flatnonzero(played.judge(answers) < 0).tolist()
    for t in unmet:
        lines[t] = f"{quote(find_counterpart(labels.name(int(played.labels[t]))))}\n"
    return "".join(lines)


def show_lines(chunks: Iterator[Chunk], files: Iterable[TextIO | None]) -> Iterator[Chunk]:
    """The chunks; what was written about one can be read before the next is waited for."""
    for chunk in chunks:
        yield chunk
        for file in files:
            if file is not None:
                file.flush()


def measure_lines(file: TextIO | None) -> int | None:
    """How many bytes were written, all of them on the disk by now; None where they go to no regular file."""
    if file is None:
        return None
    file.flush()
    if is_special(file.fileno()):
        return None
    os.fsync(file.fileno())
    return os.fstat(file.fileno()).st_size
