"""Vectors: small certificates of leagues with their rounds, honest and forged, for other checkers to be held to.

`python tests/league_vectors.py FOLDER` writes each as a JSON document with `rows`, `labels`, `forecasts` of
foreign members by name, `certificate`, and `refused`: why `verify` refuses it, empty for an honest one.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.base.errors import NotCertified

ROUNDS = 24
GAMES = ("two levels", "one level", "nothing shared", "classes declared", "a foreign member", "three classes")


def draw_rows(classes: int) -> tuple[list[list[float]], list[str]]:
    """Rows in eighths, and labels that the first two entries nearly decide."""
    rng = np.random.default_rng(22 + classes)
    rows = np.round(8 * rng.normal(size=(ROUNDS, 3))) / 8
    scores = rows[:, :2].sum(axis=1) + 0.5 * rng.normal(size=ROUNDS)
    return rows.tolist(), np.array(["no", "yes", "maybe"])[np.digitize(scores, [0.0, 1.0][: classes - 1])].tolist()


def play_game(name: str) -> tuple[Any, ls.League]:
    """The rounds of a game and the league that played them."""
    rows, labels = draw_rows(3 if name == "three classes" else 2)
    stream, members = ls.Recorded(rows, labels), {"perceptron": ls.Perceptron(), "averaged": ls.AveragedPerceptron()}
    given: dict[str, Any] = {"one level": {"rates": ()}, "nothing shared": {"switching": False}}.get(name, {})
    if name == "classes declared":
        given = {"classes": ("yes", "no")}
    if name == "a foreign member":
        members, given = {**members, "first": lambda x: "yes" if x[0] > 0 else "no"}, {"keep": True}
    if name == "three classes":
        members = {"network": ls.Network(ls.Perceptron()), "bayes": ls.Logistic()}
    return stream, ls.League(members, **given).play(stream)


def forge(certificate: ls.Certificate) -> Iterator[tuple[str, ls.Certificate]]:
    """What a forger might write instead, by name."""
    witness, about = certificate.witness, json.loads(json.dumps(certificate.learner))
    for word in ("panel", "served", "guesses"):
        yield word, replace(certificate, witness=witness | {word: "0" * 64})
    yield "mistakes", replace(certificate, mistakes=certificate.mistakes - 1)
    yield "bound", replace(certificate, bound=certificate.bound - 1)
    yield "count", replace(certificate, count=(certificate.count or 0) - 1)
    yield "exact", replace(certificate, exact=True)
    yield "scope", replace(certificate, scope="class")
    yield "rounds", replace(certificate, rounds=certificate.rounds - 1)
    yield "rates", replace(certificate, learner=about | {"rates": [0.5]})
    for follows in (False, 1):
        yield f"follows {follows}", replace(certificate, learner=about | {"follows": follows})
    yield "member", replace(certificate, learner=about | {"members": [about["members"][0] | {"name": "another"}]})
    if "phases" in witness:
        yield "phases", replace(certificate, witness=witness | {"phases": []})
    else:
        yield "readings", replace(certificate, witness=witness | {"readings": 10**6})
        yield "reading", replace(certificate, witness=witness | {"reading": witness["reading"] - 1})


def make_vectors() -> Iterator[tuple[str, dict[str, Any]]]:
    """All vectors, by name."""
    for game in GAMES:
        stream, league = play_game(game)
        rows, labels = draw_rows(3 if game == "three classes" else 2)
        told = {name: said.tolist() for name, said in league.forecasts.items()}
        for kind in ("log loss", "mistakes"):
            honest = league.certificate(kind)
            for change, certificate in (("honest", honest), *forge(honest)):
                record = {"rows": rows, "labels": labels, "forecasts": told}
                record |= {"certificate": json.loads(certificate.to_json()), "refused": ""}
                try:
                    ls.verify(certificate, stream, forecasts=league.forecasts)
                except NotCertified as problem:
                    record["refused"] = str(problem)
                yield f"{game}, {kind}, {change}", record


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, record in make_vectors():
        (folder / f"{name.replace(', ', '-').replace(' ', '_')}.json").write_text(json.dumps(record, indent=1) + "\n")
