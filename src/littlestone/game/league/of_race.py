"""The league of a race: a mixture of what its learners said in the games that they played, read as they went.

So a race can show what the mixture is worth beside its members, and what it costs; no learner plays twice.
"""

import time
from collections.abc import Hashable, Sequence
from typing import Any

from littlestone.base.chunks import Array, Chunk
from littlestone.base.errors import BadParameter, LittlestoneError, require
from littlestone.base.labels import Labels
from littlestone.base.traits import write_learner
from littlestone.compiled import CompileClock
from littlestone.game.league.league import League
from littlestone.game.league.members import OwnMember, spread_told
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player


class RacedMember(OwnMember):
    """A learner of a race in the league of it: what it said there, asleep from when it left."""

    def __init__(self, player: Player, name: str) -> None:
        super().__init__(player, name, False)
        self.heard = list[tuple[list[Any], Array]]()  # of each part of a chunk: the classes known, what was said

    def hear(self, played: PlayedRounds) -> None:
        """Keep what was said in rounds that were played, until they are mixed."""
        own = self.player.labels
        assert played.told is not None
        self.heard.append(([own.name(c) for c in range(len(own))], played.told))

    def leave(self, why: str) -> None:
        """Sleep from the next round on."""
        self.has_left = True
        self.excuse = why

    def play(self, chunk: Chunk, codes: Array, labels: Labels, first: int) -> Array:
        """What it said in these rounds, which are the first of those that were kept."""
        told = "the league of a race has played its rounds: make a League of the learners to go on"
        require(bool(self.heard) or self.has_left, told, BadParameter)
        out = self.make_room(labels, len(codes))
        done = 0
        while self.heard and done < len(codes):
            names, said = self.heard.pop(0)
            room = len(codes) - done
            if said.shape[1] > room:
                self.heard.insert(0, (names, said[:, room:]))
            here = slice(done, done + said[:, :room].shape[1])
            order = [labels.find(name) for name in names]
            spread_told(said[:, :room], out[:, here], self.sayings, (len(names), len(labels)), order)
            done = here.stop
        return out


class RacedLeague:
    """A league over the games of a race, which hears each chunk after its learners played it.

    Args:
        players: Those of the learners, which are made to say all that they know.
        classes: The labels that the stream declares.
        seed: Feeds coins.
    """

    def __init__(self, players: Sequence[Player], classes: Sequence[Hashable], seed: int = 0) -> None:
        self.members, self.league, self.seconds = list[RacedMember](), League((), classes=classes, seed=seed), 0.0
        self.problem: LittlestoneError | None = None  # why no more was mixed
        names = set[str]()
        for player in players:
            name = write_learner(player.learner)
            number = 2
            name += "" if getattr(player.features, "counts", True) else ", attributes that occur"
            while name in names:
                name = f"{name} {number}"
                number = number + 1
            names.add(name)
            self.members.append(RacedMember(player, name))

    def mix(self, chunk: Chunk) -> None:
        """Mix what was said of a chunk that all members have played, or left in."""
        if self.problem is not None:
            return
        if not self.league.members:
            for member in self.members:
                if member.heard:  # one that left before its first round is none
                    self.league.take_in(member)
        with CompileClock() as clock:
            start = time.perf_counter()
            try:
                for _ in self.league.play_chunk(chunk):
                    pass
            except LittlestoneError as problem:
                self.problem = problem
            self.seconds += time.perf_counter() - start - clock.seconds

    @property
    def is_worth_a_line(self) -> bool:
        """Whether it mixed two learners or more, to the end."""
        return self.problem is None and len(self.league.members) > 1

    def format(self, seconds: float) -> str:
        """The line below those of a race's learners, which took `seconds`."""
        league = self.league
        rounds = max(1, self.league.rounds)
        lost = f"{league.log_loss / rounds:.4f}"
        pace = 1e6 * (seconds + self.seconds) / rounds
        left = sum(member.has_left for member in league.members)
        part = f" and {left} while it played" if left == 1 else f" and {left} while they played" if left else ""
        shown = f"the league of these {len(league.members) - left}{part} (--league)"
        return (
            f"{league.mistakes:>12,}  {league.mistakes / rounds:>7.2%}  {lost:>8}  {league.tally.updates:>12,}  "
            f"{pace:>20.3f}  {shown}"
        )
