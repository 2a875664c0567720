"""Combine: any models as experts, followed online with a guarantee.

An expert is a player of the library, an object with `predict_one` (River) or `predict` (scikit-learn), a plain function
of x, or the name of an entry of x. It is asked for a label, for the probability of the positive class, or for a number.
One that raises, or answers with NaN or with an unknown label, sleeps for that round; the report says so. Models stay
with their owners; what is saved is what was learned about them.

>>> pool = combine([lambda x: x > 0, lambda x: x > 2, lambda x: 1 / x > 0], names=["low", "high", "inverse"])
>>> for x in (1, 3, 0, -1): pool.update(x, x > 0)
>>> pool.predict(2), pool.report()["inverse"]
(True, 'slept 1 of 4 rounds; last in round 3: ZeroDivisionError: division by zero')
"""

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import InitVar, dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array
from littlestone.base.errors import BadInstance, BadParameter, require
from littlestone.base.learner import Learner, Size
from littlestone.base.locks import Lock, Shared, locked
from littlestone.environments import Panel
from littlestone.game.ledger import Ledger, ledger
from littlestone.game.player import Player
from littlestone.learners import WeightedMajority
from littlestone.learners.experts.contract import Experts

Ask = Literal["label", "probability", "number"]


@dataclass(eq=False, repr=False)
class Combination(Shared):
    """Experts, a learner that follows them, and what was learned; made by `combine`.

    Args:
        experts: The models, functions, or names of entries of x.
        learner: Who follows them.
        names: One for each expert, all different.
        ask: What experts are asked for: a "label", a "probability" of the second class, or a "number".
        classes: The two labels, the negative one first.
        learning: Whether the experts learn from every round too, after they were asked.
        keep: Whether forecasts and outcomes are kept, for the ledger and the panel.
        seed: Of the learner's coins.
    """

    experts: list[Any]
    learner: Experts
    names: list[str]
    ask: Ask
    classes: tuple[Hashable, ...]
    learning: bool
    keep: InitVar[bool]
    seed: InitVar[int]

    def __post_init__(self, keep: bool, seed: int) -> None:
        require(len(self.experts) > 0, "there must be at least one expert to combine")
        count = f"{len(self.experts)} experts need as many different names, got {self.names}"
        require(len(set(self.names)) == len(self.experts) == len(self.names), count)
        self.lock = Lock()
        self.player = Player(self.learner, seed=seed)
        self.player.start_state(Size(len(self.experts)))
        self._kept: list[tuple[Array, float]] | None = [] if keep else None
        self._slept = [0] * len(self.experts)
        self._excuses: list[str] = [""] * len(self.experts)

    @locked
    def forecasts(self, x: Any) -> Array:
        """What each expert says about x; NaN for one that sleeps."""
        return self._ask_all(x)[0]

    def _ask_all(self, x: Any) -> tuple[Array, dict[int, str]]:
        """Ask every expert about x.

        Returns:
            What each says, NaN for one that sleeps, and why those that sleep do.
        """
        forecasts = np.full(len(self.experts), np.nan)
        excuses = {}
        for k, expert in enumerate(self.experts):
            try:
                forecasts[k] = self._ask(expert, x)
                excuse = "answered NaN"
            except Exception as problem:  # whatever an expert raises is its own affair: it sleeps
                excuse = f"{type(problem).__name__}: {problem}"
            if forecasts[k] != forecasts[k]:
                excuses[k] = f"last in round {self.player.tally.rounds + 1}: {excuse}"
        return forecasts, excuses

    def _ask(self, expert: Any, x: Any) -> float:
        """What one expert says about x."""
        if isinstance(expert, str | int) and not callable(expert):
            return self._to_forecast(x[expert])
        if isinstance(expert, Player):
            return self._ask_player(expert, x)
        if self.ask == "probability":
            if hasattr(expert, "predict_proba_one"):
                return float(expert.predict_proba_one(x).get(self.classes[1], np.nan))
            if hasattr(expert, "predict_proba"):
                return float(expert.predict_proba([x])[0][list(expert.classes_).index(self.classes[1])])
        if hasattr(expert, "predict_one"):
            return self._to_forecast(expert.predict_one(x))
        if hasattr(expert, "predict"):
            return self._to_forecast(expert.predict([x])[0])
        return self._to_forecast(expert(x))

    def _ask_player(self, expert: Player, x: Any) -> float:
        """What a player of the library says about x; before it has met a label, that it is one of the first class."""
        fresh = not expert.labels.names
        if self.ask != "probability":
            return 0.0 if fresh and self.ask == "label" else self._to_forecast(expert.predict(x))
        chances = np.ravel(expert.probability(x))
        code = 1 if fresh else expert.labels.find(self.classes[1])
        chances = np.array([1 - chances[0], chances[0]]) if len(chances) == 1 else chances
        return float(chances[code]) if code is not None else float("nan")

    def _to_forecast(self, answer: Any) -> float:
        """An answer as a forecast: for labels 0 or 1."""
        if self.ask != "label":
            return float(answer)
        if answer is None or answer != answer:
            return float("nan")
        require(answer in self.classes, f"{answer!r} is not one of the classes {self.classes}", BadInstance)
        return float(self.classes.index(answer))

    @locked
    def predict(self, x: Any) -> Any:
        """The guess for x, in the classes or numbers of the outcomes."""
        guess = self.player.predict(self._require_awake(self.forecasts(x)))
        return guess if self.learner.numeric else self.classes[int(guess)]

    @locked
    def update(self, x: Any, y: Any) -> None:
        """Play one round: ask all experts, learn which to follow, and let them learn if they are to."""
        forecasts, excuses = self._ask_all(x)
        outcome = self.classes.index(y) if not self.learner.numeric and y in self.classes else y
        self.player.update(self._require_awake(forecasts), outcome)
        for k, excuse in excuses.items():
            self._slept[k], self._excuses[k] = self._slept[k] + 1, excuse
        if self._kept is not None:
            self._kept.append((forecasts, float(outcome)))
        if self.learning:
            for expert in self.experts:
                self._teach(expert, x, y)

    def _teach(self, expert: Any, x: Any, y: Any) -> None:
        """Let one expert learn from a round, if it can."""
        if isinstance(expert, Player):
            expert.update(x, y)
        elif hasattr(expert, "learn_one"):
            expert.learn_one(x, y)
        elif hasattr(expert, "partial_fit"):
            known = {} if self.learner.numeric and self.ask == "number" else {"classes": list(self.classes)}
            expert.partial_fit([x], [y], **known)

    def _require_awake(self, forecasts: Array) -> Array:
        """The forecasts, unless every expert sleeps."""
        if np.isnan(forecasts).all():
            raise BadInstance(f"every expert sleeps: there is none to follow; {self.report()}")
        return forecasts

    @property
    @locked
    def weights(self) -> dict[str, float]:
        """How far each expert is trusted now, all of them awake."""
        shares = np.full(len(self.names), 1 / len(self.names))
        if self.learner.experts(self.player.state):
            shares = self.learner.weights(self.player.state)
        return dict(zip(self.names, shares.tolist(), strict=True))

    @locked
    def report(self) -> dict[str, str]:
        """Which experts slept, how often, and why the last time."""
        rounds = self.player.tally.rounds
        return {
            name: f"slept {self._slept[k]} of {rounds} rounds; {self._excuses[k]}"
            for k, name in enumerate(self.names)
            if self._slept[k]
        }

    @locked
    def certificate(self) -> Certificate:
        """What the learner's theorem allowed on the rounds played."""
        return self.player.certificate()

    @property
    def ledger(self) -> Ledger:
        """The books of all rounds since the start; `combine(..., keep=True)` keeps what they need."""
        return ledger(self.learner, *self._recall("a ledger"), self.names, seed=self.player.seed)

    @property
    def panel(self) -> Panel:
        """What the experts said and what came true, as a stream: `certify(pool.player, pool.panel)` is about it."""
        return Panel(*self._recall("a panel"), self.names)

    @locked
    def _recall(self, what: str) -> tuple[Array, list[float]]:
        """All forecasts, a row for each round, and all outcomes."""
        require(self._kept is not None, f"combine(..., keep=True) keeps what {what} needs")
        kept = self._kept or []
        return np.array([x for x, _ in kept]).reshape(len(kept), len(self.names)), [y for _, y in kept]

    @locked
    def save(self, path: str | Path) -> None:
        """Write what was learned, without the models: a NumPy archive of plain arrays."""
        tally = self.player.tally
        state = self.player.state
        about: dict[str, Any] = {"learner": str(self.learner), "names": self.names}
        about |= {"slept": self._slept, "excuses": self._excuses}
        about |= {"rounds": tally.rounds, "mistakes": tally.mistakes, "seed": self.player.seed}
        np.savez(path, about=np.array(json.dumps(about)), **state._asdict())

    @locked
    def resume(self, path: str | Path) -> Self:
        """Take up what `save` wrote for the same learner and the same names; returns itself."""
        with np.load(path, allow_pickle=False) as archive:
            require("about" in archive, f"{path} was not written by Combination.save")
            about = json.loads(str(archive["about"]))
            same = about["learner"] == str(self.learner) and about["names"] == self.names
            message = f"{path} is about {about['learner']} over {about['names']}, not {self.learner} over {self.names}"
            require(same, message)
            state = type(self.player.state)(**{name: archive[name] for name in self.player.state._fields})
        self.player.restore(state, about["rounds"], about["mistakes"], about["seed"])
        self._slept, self._excuses = about["slept"], about["excuses"]
        self._kept = None
        return self


def combine(
    experts: Iterable[Any] | Mapping[str, Any],
    learner: Experts | None = None,
    names: Iterable[str] | None = None,
    ask: Ask | None = None,
    classes: tuple[Hashable, Hashable] = (False, True),
    learning: bool = False,
    keep: bool = False,
    seed: int = 0,
) -> Combination:
    """Follow several models online.

    Args:
        experts: Players, models with `predict_one` or `predict`, functions of x, or names of entries of x; a dictionary
            gives their names too.
        learner: Who follows them; None is WeightedMajority(), for labels. Aggregating() is for numbers.
        names: One for each expert, all different; None makes them up.
        ask: For a "label" (what voting learners need), a "probability" of the second class, or a "number"; None is a
            label for learners that vote and a number for those that predict numbers.
        classes: The two labels, the negative one first.
        learning: Let the experts learn from every round too, after they were asked.
        keep: Keep forecasts and outcomes, which the ledger and the panel need; memory grows with every round.
        seed: Of the learner's coins; matters only if it tosses any.
    """
    learner = WeightedMajority() if learner is None else learner
    if not isinstance(learner, Experts):
        raise BadParameter(f"experts are followed by a learner such as WeightedMajority(), got {learner!r}")
    wanted: Ask = ask or ("number" if learner.numeric else "label")
    require(wanted in ("label", "probability", "number"), f"ask for a label, probability or number, got {ask!r}")
    models = list(experts.values() if isinstance(experts, Mapping) else experts)
    for model in models:
        bare = f"{model} is a learner, which has learned nothing: give Player(...) of it, or a League takes it as it is"
        require(not isinstance(model, Learner), bare)
    if names is None:
        names = experts if isinstance(experts, Mapping) else map(_choose_name, models, count())
    return Combination(models, learner, list(names), wanted, tuple(classes), learning, keep, seed)


def _choose_name(expert: Any, number: int) -> str:
    """A name for an expert that was given none."""
    return expert if isinstance(expert, str) else f"{getattr(expert, '__name__', type(expert).__name__)} {number}"
