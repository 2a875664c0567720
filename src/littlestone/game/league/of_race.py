"""The league of a race: its learners once more, side by side, and a mixture of them served.

So a race can show what the mixture is worth beside its members, and what it costs.
"""

import copy
import time
from typing import Any, NamedTuple

from littlestone.compiled import CompileClock
from littlestone.game.league.league import League
from littlestone.game.league.members import LeagueMember
from littlestone.game.player import Player


class RacedLeague(NamedTuple):
    """A league that has played the rounds of a race, and the seconds that it and its members took."""

    league: League
    seconds: float

    def format(self) -> str:
        """The line below those of a race's learners."""
        league, rounds = self.league, max(1, self.league.rounds)
        lost, pace = f"{league.log_loss / rounds:.4f}", 1e6 * self.seconds / rounds
        shown = f"the league of these {len(league.members)} (--league)"
        return (
            f"{league.mistakes:>12,}  {league.mistakes / rounds:>7.2%}  {lost:>8}  {league.tally.updates:>12,}  "
            f"{pace:>20.3f}  {shown}"
        )


def play_league(race: Any, features: Any = None, seed: int = 0) -> RacedLeague | None:
    """Play the learners of a race that did not leave it as a league; None where they are fewer than two, or numeric.

    Args:
        race: What `race` returned.
        features: What reads rows for learners; None: what the stream offers.
        seed: Feeds coins.
    """
    games = race.games
    if len(games) < 2 or any(game.player.numeric for game in games):
        return None
    members = [_enter(game.player) for game in games]
    league = League(members, features=features, classes=race.stream.classes(), seed=seed)
    with CompileClock() as clock:
        start = time.perf_counter()
        league.play(race.stream)
        seconds = time.perf_counter() - start - clock.seconds
    return RacedLeague(league, seconds)


def _enter(player: Player) -> Any:
    """A learner of a race as a member; one that saw rows in a way of its own brings its features along."""
    if getattr(player.features, "counts", True):
        return player.learner
    seen = copy.deepcopy(player.features.renew())
    return LeagueMember(Player(player.learner, seen, seed=player.seed), f"{player.learner}, attributes that occur")
