"""Foreign members: models of other libraries, functions and entries of an instance, asked and taught round by round.

What a model raises is its own affair: it sleeps in that round, and the league's standings say why. An instance comes as
it was given; from a stream it is a dictionary where attributes have names or are listed, else an array. River's models
are given a dictionary, those of scikit-learn a row of numbers.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array, Chunk, Row, TableRow
from littlestone.base.errors import BadInstance, require
from littlestone.base.labels import Labels
from littlestone.base.telling import Saying
from littlestone.game.league.members import LeagueMember


class ForeignMember:
    """A model of another library, a function, or an entry of x.

    Args:
        member: The model, its name in the league, and what it says.
    """

    shared = False

    def __init__(self, member: LeagueMember) -> None:
        self.model = member.model
        self.name = member.name
        self.excuse = ""
        self.width = self.met = 0  # of the widest row; classes met
        self.columns: list[str] = []  # names of attributes in the order in which a model gets them
        self.fresh = False  # whether it was named again, and knows nothing of what it had learned
        best = "probability" if _gives_chances(self.model) else "label"
        if best == "label" and hasattr(self.model, "decision_function"):
            best = "scores"
        self.says: Any = member.says or best
        known = callable(self.model) or isinstance(self.model, str | int)
        known = known or any(hasattr(self.model, name) for name in ("predict_one", "predict", "predict_proba"))
        require(known, f"a member learns, predicts or can be called; got {self.model!r}")

    @property
    def sayings(self) -> tuple[Saying, ...]:
        """What it says."""
        return (Saying("", self.says),)

    def play(self, chunk: Chunk, codes: Array, labels: Labels, first: int) -> Array:
        """Ask about every round of a chunk and teach its label; what was said, NaN where it sleeps."""
        out = np.full((self.sayings[0].count_rows(len(labels)), len(codes)), np.nan)
        for t in range(len(codes)):
            x = show(chunk[t])
            try:
                if self.met >= 2 or labels.closed:  # before that nothing it says can be told from what comes later
                    self._ask(x, labels, out[:, t])
            except Exception as problem:  # whatever a model raises is its own affair: it sleeps
                out[:, t] = np.nan
                self.excuse = f"last in round {first + t + 1}: {type(problem).__name__}: {problem}"
            try:
                self.met = len(labels) if labels.closed else max(self.met, int(codes[t]) + 1)
                self._teach(x, labels.name(int(codes[t])), labels.names[: self.met])
            except Exception as problem:
                self.excuse = f"did not learn round {first + t + 1}: {type(problem).__name__}: {problem}"
        return out

    def say(self, chunk: Chunk, labels: Labels) -> Array:
        """What it says of the instances of a chunk, NaN where it sleeps."""
        out = np.full((self.sayings[0].count_rows(len(labels)), len(chunk)), np.nan)
        for t in range(len(chunk) if None not in (labels.names or [None])[:2] else 0):
            try:
                self._ask(show(chunk[t]), labels, out[:, t])
            except Exception:
                out[:, t] = np.nan
        return out

    def _ask(self, x: Any, labels: Labels, out: Array) -> None:
        """Write what it says of an instance."""
        model = self.model
        says = self.says
        require(not self.fresh, "what it learned is in no file", BadInstance)
        if isinstance(model, str | int):
            _write(x[model], says, labels, out)
        elif hasattr(model, "predict_one"):
            x = to_dict(x)
            if says == "probability" or (says == "chance" and hasattr(model, "predict_proba_one")):
                _write(model.predict_proba_one(x), says, labels, out)
            else:
                _write(model.predict_one(x), says, labels, out)
        elif says == "scores":
            found = np.ravel(model.decision_function(self._lay_flat(x)))
            found = np.array([0.0, found[0]]) if len(found) == 1 else found
            _write(dict(zip(list(model.classes_), found.tolist(), strict=True)), says, labels, out)
        elif says in ("probability", "chance") and hasattr(model, "predict_proba"):
            found = model.predict_proba(self._lay_flat(x))[0]
            _write(dict(zip(list(model.classes_), found.tolist(), strict=True)), says, labels, out)
        elif hasattr(model, "predict"):
            _write(model.predict(self._lay_flat(x))[0], says, labels, out)
        else:
            _write(model(x), says, labels, out)

    def _teach(self, x: Any, label: Any, names: list[Any]) -> None:
        """Let it learn, if it can; scikit-learn must be told all classes at first, so it waits for two."""
        if hasattr(self.model, "learn_one"):
            self.model.learn_one(to_dict(x), label)
        elif hasattr(self.model, "partial_fit"):
            told = [name for name in names if name is not None]
            if hasattr(self.model, "classes_"):
                self.model.partial_fit(self._lay_flat(x), [label])
            elif len(told) >= 2:
                self.model.partial_fit(self._lay_flat(x), [label], classes=told)

    def _lay_flat(self, x: Any) -> Array:
        """An instance as a matrix of one row.

        A model that has learned takes rows of one width; that of listed attributes is the next power of two at that
        time, of named ones the number of names, and attributes beyond it are not shown to the model.
        """
        if isinstance(x, dict):
            settled = hasattr(self.model, "n_features_in_")
            if any(isinstance(key, str) for key in x):
                x = self._number_names(x, settled)
                self.width = len(self.columns)
            elif not settled:
                self.width = max(self.width, 1 << max(x, default=0).bit_length())
            row = np.zeros((1, self.width))
            known = [key for key in x if key < self.width]
            row[0, known] = [x[key] for key in known]
            if len(known) < len(x):
                self.excuse = f"it learned rows of {self.width:,} attributes, and is not shown those beyond"
            return row
        return np.asarray(x, float).reshape(1, -1)

    def _number_names(self, x: dict[Any, Any], settled: bool) -> dict[int, Any]:
        """An instance with columns for names, in the order in which these came first."""
        if not settled:
            self.columns += [name for name in x if name not in self.columns]
        places = {name: place for place, name in enumerate(self.columns)}
        return {places.get(name, len(places)): value for name, value in x.items()}


def show(x: Any) -> Any:
    """An instance of a stream as a foreign member sees it."""
    if isinstance(x, TableRow) and x.names and x.indices is None and x.values is not None:
        return dict(zip(x.names, x.values.tolist(), strict=True))
    if isinstance(x, Row) and x.indices is not None:
        values = np.ones(len(x.indices)) if x.values is None else x.values
        return dict(zip(x.indices.tolist(), values.tolist(), strict=True))
    return x.values if isinstance(x, Row) else x


def to_dict(x: Any) -> Any:
    """An instance as River's models take it."""
    return x if isinstance(x, dict) else dict(enumerate(np.asarray(x, float).tolist()))


def _gives_chances(model: Any) -> bool:
    """Whether a model says how likely classes are."""
    return any(hasattr(model, name) for name in ("predict_proba_one", "predict_proba"))


def _write(answer: Any, says: str, labels: Labels, out: Array) -> None:
    """Write an answer as the numbers that the league reads."""
    if answer is None:
        raise BadInstance("it answered nothing")
    if says == "label":
        code = labels.find(answer.item() if hasattr(answer, "item") else answer)
        require(code is not None, f"{answer!r} is not one of the classes met", BadInstance)
        out[0] = code
    elif isinstance(answer, dict):
        out[:] = 0.0 if says != "scores" else np.nan
        for label, number in answer.items():
            code = labels.find(label.item() if hasattr(label, "item") else label)
            if code is not None:
                out[code] = float(number)
        require(bool(answer), "it knows no class yet", BadInstance)
    elif says == "score":
        out[0] = float(answer)
    else:
        out[:2] = 1.0 - float(answer), float(answer)  # with a third class it sleeps
    require(not np.isnan(out).all(), "it answered NaN", BadInstance)
