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
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows, read_form
from littlestone.certificates.check.league_members import confirm_scores
from littlestone.game.league.league import League
from littlestone.game.league.members import OwnMember, lay_rows
from littlestone.game.league.roster import join_name


class RecordedMember:
    """A member whose forecasts are data."""

    shared = False
    excuse = ""

    def __init__(self, name: str, sayings: tuple[Saying, ...], said: Array) -> None:
        self.name = name
        self.sayings = sayings
        self.said = said

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


def find_real(rows: dict[str, Any]) -> str:
    """The type of the weights of members, where a certificate of a league says how rows were held."""
    return "float32" if rows["values"] == "float32" else "float64"


def has_plain_floats(league: League, rows: dict[str, Any] | None) -> bool:
    """Whether the weights of all members of ours have the type that the form of the rows gives them."""
    own = [member.player.size for member in league.members if isinstance(member, OwnMember) and member.shared]
    return rows is not None and all(size and np.dtype(size.real).name == find_real(rows) for size in own)


def confirm_members(
    league: League, about: dict[str, Any], stream: Stream, features: Any, rows: dict[str, Any] | None, stated: bool
) -> tuple[str, ...]:
    """The members whose scores the check works out by its own rules: those are refused if they are others.

    `rows` is how rows were held: as the certificate states it, or, if it does not, as they come now.
    """
    if rows is None:
        return ()
    form, width, kind = read_form(rows)
    if len(league.labels) != 2:
        return ()
    features = (copy.deepcopy(stream.features()) or Indexed()) if features is None else features
    labels = Labels(about.get("classes", []))
    arranged = ArrangedRows(stream, features, labels, league.rounds, 2, form == "dense", width, kind)
    found = list[str]()
    for member, told in zip(league.members, about["members"], strict=True):
        scores = [k for k, saying in enumerate(member.sayings) if saying.kind == "score"]
        whole = isinstance(member, HeardMember) and not member.excuse and not told["joined"] and bool(scores)
        if whole and scores[-1] == len(member.sayings) - 1:
            said = np.concatenate([part[-1] for part in member.heard])
            real = find_real(rows) if stated else np.dtype(member.player.size.real).name
            known = told["learner"] | {"real": real}
            if confirm_scores(known, arranged, said, member.name):
                found.append(join_name(member.name, member.sayings[-1].name))
    return tuple(found)
