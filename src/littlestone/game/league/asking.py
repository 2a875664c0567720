"""The part of a league that is asked and does not learn: predictions, chances, and reasons."""

import json
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.chunks import Array, Chunk, Instances
from littlestone.base.errors import BadParameter, require
from littlestone.base.features import Indexed
from littlestone.base.features.schema import Schema
from littlestone.base.locks import locked
from littlestone.base.traits import Plane, list_weights, offers
from littlestone.game.explanation import Explanation, explain_row, name_columns, rank_weights
from littlestone.game.league.books import MET, RoundBench
from littlestone.game.league.members import OwnMember
from littlestone.game.league.mixture import forecast
from littlestone.game.league.roster import Roster


class MemberReasons(NamedTuple):
    """A member, its weight in the mixture over all that it says, and why it says it; None where it cannot tell."""

    name: str
    weight: float
    reasons: Explanation | None


class LeagueExplanation(NamedTuple):
    """Why a league says what it says: its members with their weights, the heaviest first, and their reasons."""

    members: tuple[MemberReasons, ...]

    def to_json(self) -> str:
        """The same as JSON text."""
        told = [
            {"member": one.name, "weight": one.weight}
            | ({} if one.reasons is None else {"reasons": json.loads(one.reasons.to_json())})
            for one in self.members
        ]
        return json.dumps({"members": told})

    def __str__(self) -> str:
        lines = list[str]()
        for one in self.members:
            lines.append(f"{one.weight:>6.1%}  {one.name}")
            lines += [] if one.reasons is None else [f"        {line}" for line in str(one.reasons).splitlines()]
        return "\n".join(lines)


class AskedLeague(Roster):
    """A league as far as it is asked; see `League`."""

    schema: Schema | None = None  # what the columns of its first stream are, where that is known
    numeric = False
    features: Any
    _waits: bool

    @locked
    def _foresee(self, chunk: Chunk) -> tuple[int, Array]:
        """The class that would be served for the one instance of a chunk, and the chance of each class met."""
        if self._waits or not self.members:
            return -1, np.zeros(0)
        self.features = Indexed() if self.features is None else self.features
        seen = self.features.look_chunk(chunk) if any(one.shared for one in self.members) else chunk
        said = np.concatenate([one.say(seen if one.shared else chunk, self.labels) for one in self.members])
        bench = RoundBench.of(self.books)
        out = np.zeros(int(self.books.counts[MET]))
        guess = forecast(self.books, bench, self.layout, said, self.rules, np.zeros(len(self.books.wrong)), out)
        return int(guess), out

    def _name(self, guess: int) -> Any:
        return None if guess < 0 else self.labels.name(guess)

    @locked
    def predict(self, x: Any) -> Any:
        """The label that the league serves for x; None before any is known.

        It need not be the class of the largest chance: a member that clearly errs less often than that one is followed,
        and a coin may choose (`account.py`).
        """
        return self._name(self._foresee(Instances.of([x], [None]))[0])

    @locked
    def probability(self, x: Any) -> Any:
        """The chance of the second class, or of each class met where there are more than two.

        Theorems about log-loss speak of these chances, those about mistakes of what `predict` says, which may differ.
        """
        return self._show(self._foresee(Instances.of([x], [None]))[1])

    def _show(self, chances: Array) -> Any:
        require(len(chances) >= 2, "no chances are known before two classes were met", BadParameter)
        return float(chances[1]) if len(chances) == 2 else chances

    @locked
    def predictions(self, chunk: Chunk) -> list[Any]:
        """What `predict` says of each instance of a chunk; labels in it are not looked at."""
        return [self._name(self._foresee(chunk[t : t + 1])[0]) for t in range(len(chunk))]

    @locked
    def probabilities(self, chunk: Chunk) -> Array:
        """What `probability` says of each instance of a chunk."""
        return np.array([self._show(self._foresee(chunk[t : t + 1])[1]) for t in range(len(chunk))])

    @locked
    def explain(self, x: Any = None, top: int = 20) -> LeagueExplanation:
        """The members with their weights, and the reasons of each that can tell: for all it knows, or for x."""
        weights = list(self.weights.values())
        found = list[MemberReasons]()
        at = 0
        for member in self.members:
            end = at + len(member.sayings)
            reasons = self._explain_member(member, x, top) if isinstance(member, OwnMember) else None
            found.append(MemberReasons(member.name, sum(weights[at:end]), reasons))
            at = end
        return LeagueExplanation(tuple(sorted(found, key=lambda one: -one.weight)))

    def _explain_member(self, member: OwnMember, x: Any, top: int) -> Explanation | None:
        """Why a member of ours says what it says; None if it has no weights of attributes."""
        player = member.player
        if not offers(player.learner, Plane):
            return None
        if not member.shared:
            return player.explain(x, top)
        weights, labels = name_columns(list_weights(player.learner, player.state), self.labels)
        if x is None:
            return rank_weights(weights, self.features, labels, top)
        return explain_row(weights, self.features.look(x), self.features, labels, top)
