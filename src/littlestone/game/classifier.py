"""Adapter: what the classifiers for scikit-learn and River share.

Both turn their calls into rounds of a player and contain no learning rule. Any learner over rows of attributes will
do; with none named, the player's own choice, which takes any number of classes.

Learners over Boolean attributes see which attributes are present: a value above `binarize` becomes 1, for a learner
that takes -1 too one below its negative becomes -1, and any other 0.

>>> Presence(Indexed(), 0.5, signed=True)([0.2, 3, 0, -1]).values
array([ 0.,  1.,  0., -1.])
"""

import copy
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Examples, Row
from littlestone.base.errors import BadParameter, require
from littlestone.base.features import Features, Indexed
from littlestone.base.learner import Learner, copy_state
from littlestone.base.theorem import Takes
from littlestone.base.traits import ask_takes
from littlestone.game.player import Player
from littlestone.learners import Network


@dataclass(slots=True)
class Presence(Features):
    """Other features, of whose values only is kept whether they exceed a threshold, above or, if `signed`, below."""

    inner: Any
    above: float = 0.0
    signed: bool = False

    @property
    def width(self) -> int:  # type: ignore[override]
        return int(self.inner.width)

    def __call__(self, x: Any) -> Row:
        row = self.inner(x)
        return Row(row.indices, self._signs(row.values))

    def read_chunk(self, chunk: Chunk) -> Chunk:
        seen = self.inner.read_chunk(chunk)
        return replace(seen, values=self._signs(seen.values)) if isinstance(seen, Examples) else seen

    def mark(self) -> Any:
        return self.inner.mark()

    def undo(self, mark: Any) -> None:
        self.inner.undo(mark)

    def _signs(self, values: Array | None) -> Array | None:
        if values is None:
            return None
        present = (values > self.above).astype(values.dtype)
        return present - (values < -self.above) if self.signed else present


def make_player(learner: Any, features: Features, classes: Iterable[Hashable], binarize: Any, seed: int) -> Player:
    """Make a player of a learner, which must be one over rows; None: the player's own choice."""
    declared = tuple(classes)
    told = f"learner must be a Learner over rows of attributes such as Perceptron(), got {learner!r}"
    rows = learner is None or (isinstance(learner, Learner) and isinstance(learner.features(), Indexed))
    require(rows, told)
    require(not getattr(learner, "numeric", False), f"{learner} predicts numbers: OnlineRegressor takes it")
    if binarize is not None and not find_takes(learner, None).fractions:
        right: Any = isinstance(binarize, int | float | np.number) and 0 <= binarize < float("inf")
        require(right, f"binarize must be a number, at least 0, or None; got {binarize!r}")
        features = Presence(features, float(binarize), signed=find_takes(learner, None).negative)
    own = copy.deepcopy(learner)  # some learners keep what they derive from their parameters; the user's stays as it is
    return Player(own, features, declared, seed)


def units_share_nothing(learner: Any) -> bool:
    """Whether it is a network whose units share nothing."""
    inner = getattr(learner, "learner", None)
    if isinstance(learner, Network):
        return learner.unit is None
    return inner is not None and units_share_nothing(inner)


def own_arrays(player: Player) -> None:
    """Give a player arrays of its own: those of a model that was loaded memory-mapped cannot be written to."""
    tally = player.tally
    player.restore(copy_state(player.state), tally.rounds, tally.mistakes, player.seed)


def takes_many(learner: Any) -> bool:
    """Whether it tells more than two classes apart."""
    return learner is None or (isinstance(learner, Learner) and learner.limit() > 2)


def has_losses(learner: Any) -> bool:
    """Whether it has a log-loss, which can be weighed by class; so has the player's own choice."""
    return learner.forecasts if isinstance(learner, Learner) else True


def find_takes(learner: Any, binarize: float | None) -> Takes:
    """What rows an adapter may be given: of values made 0 and 1 before the learner sees them, any."""
    takes = Takes(importance=True) if learner is None else ask_takes(learner)
    return takes._replace(negative=True) if binarize is not None and not takes.fractions else takes


def list_parameters(learner: Any, prefix: str) -> dict[str, Any]:
    """A learner's fields, and those of the learners it is made of, by names such as learner__learner__rate."""
    known: dict[str, Any] = {}
    for part in fields(learner) if isinstance(learner, Learner) else ():  # type: ignore[arg-type]
        value = getattr(learner, part.name)
        known |= {f"{prefix}__{part.name}": value, **list_parameters(value, f"{prefix}__{part.name}")}
    return known


def change_parameter(learner: Any, path: str, value: Any) -> Any:
    """The learner with another value in a field, which is named by its path."""
    name, _, rest = path.partition("__")
    names = [part.name for part in fields(learner)] if isinstance(learner, Learner) else []  # type: ignore[arg-type]
    if name not in names:
        allowed = f"its parameters are {', '.join(names)}" if names else "only a named learner has parameters"
        raise BadParameter(f"{learner!r} has no parameter {name!r}: {allowed}")
    return replace(learner, **{name: change_parameter(getattr(learner, name), rest, value) if rest else value})
