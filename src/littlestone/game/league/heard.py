"""Members as a certificate plays them again: of ours every word is kept and confirmed, of others it is data."""

import copy
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.telling import Saying
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.league_members import confirm_scores
from littlestone.game.league.league import League
from littlestone.game.league.members import OwnMember, lay_rows
from littlestone.game.league.roster import join_name


class RecordedMember:
    """A member whose forecasts are data."""

    shared, excuse = False, ""

    def __init__(self, name: str, sayings: tuple[Saying, ...], said: Array) -> None:
        self.name, self.sayings, self.said = name, sayings, said

    def play(self, chunk: Chunk, codes: Array, labels: Labels, first: int) -> Array:
        """What it said in these rounds."""
        short = f"the forecasts of {self.name} end before round {first + len(codes)}"
        require(self.said.ndim == 2 and self.said.shape[1] >= first + len(codes), short, NotCertified)
        return lay_rows(self.said[:, first : first + len(codes)], self.sayings, len(labels))


class HeardMember(OwnMember):
    """A member of ours whose every word is kept."""

    def __init__(self, member: OwnMember) -> None:
        super().__init__(member.player, member.name, member.shared)
        self.heard = list[Array]()

    def play(self, chunk: Chunk, codes: Array, labels: Labels, first: int) -> Array:
        """What it says, as `OwnMember` has it."""
        said = super().play(chunk, codes, labels, first)
        self.heard.append(said)
        return said


def confirm_members(
    league: League, about: dict[str, Any], stream: Stream, features: Any, rows: dict[str, Any] | None
) -> tuple[str, ...]:
    """The members whose scores the check works out by its own rules: those are refused if they are others."""
    if rows is None or len(league.labels) != 2:
        return ()
    features = (copy.deepcopy(stream.features()) or Indexed()) if features is None else features
    held = (rows["form"] == "dense", rows["width"], rows["values"])
    arranged = ArrangedRows(stream, features, Labels(about.get("classes", [])), league.rounds, 2, *held)
    found = list[str]()
    for member, told in zip(league.members, about["members"], strict=True):
        scores = [k for k, saying in enumerate(member.sayings) if saying.kind == "score"]
        whole = isinstance(member, HeardMember) and not member.excuse and not told["joined"] and bool(scores)
        if whole and scores[-1] == len(member.sayings) - 1:
            said = np.concatenate([part[-1] for part in member.heard])
            known = told["learner"] | {"real": np.dtype(member.player.size.real).name}
            if confirm_scores(known, arranged, said, member.name):
                found.append(join_name(member.name, member.sayings[-1].name))
    return tuple(found)
