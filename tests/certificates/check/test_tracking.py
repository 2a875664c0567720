"""Certificates of fixed share over copies: the copies are experts, and everything else is worked out again."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified

rng = np.random.default_rng(3)
X = (rng.random((120, 6)) < 0.4).astype(float)
ROWS = ls.Recorded(X, [bool(x[0] if t < 60 else x[1]) for t, x in enumerate(X)])
POINTS = ls.Recorded([3, 1, 0, 5, 2, 3, 6, 4] * 5, [True, False, False, True, False, True, True, True] * 5)
GAMES = [
    (ls.Tracking(ls.Perceptron(), periods=(7, 20)), ROWS),
    (ls.Tracking(ls.Winnow(), periods=(16,), rate=1.0, switching=0.05), ROWS),
    (ls.Tracking(ls.Winnow(threshold=2.0), periods=(16, 16)), ROWS),
    (ls.Tracking(ls.Halving(ls.Thresholds(6)), periods=(3, 11)), POINTS),
    (ls.Tracking(ls.Perceptron(), periods=(9,)), ls.Recorded(X, ["b" if x[2] else "a" for x in X])),
]


@pytest.mark.parametrize(("learner", "stream"), GAMES, ids=range(len(GAMES)))
def test_what_is_honest_holds_and_what_is_forged_does_not(learner, stream):
    certificate = Certificate.from_json(ls.certify(learner, stream).to_json())
    report = ls.verify(certificate, stream, learner)
    assert (report.bound, report.exact) == (certificate.bound, False)
    witness = certificate.witness
    schedule = witness["schedule"]
    forgeries = [
        {"bound": certificate.bound - 1},
        {"mistakes": certificate.mistakes + 1},
        {"mistakes": certificate.mistakes - 1},
        {"updates": certificate.updates - 1},
        {"updated": certificate.updated[1:]},
        {"count": certificate.count - 0.001},
        {"theorem": "Fixed share"},
        {"promise": certificate.promise.replace("mistakes", "errors")},
        {"scope": "sequence"},
        {"exact": True},
        {"stream": "00"},
        {"rounds": certificate.rounds - 1},
        {"witness": witness | {"switches": witness["switches"] + 1}},
        {"witness": witness | {"mistakes along the schedule": witness["mistakes along the schedule"] - 1}},
        {"witness": witness | {"schedule": [[2, schedule[0][1]], *schedule[1:]]}},
        {"witness": witness | {"schedule": [[1, "never"], *schedule[1:]]}},
        {"learner": certificate.learner | {"rate": 0.25}},
        {"learner": certificate.learner | {"switching": 0.5}},
    ]
    for forgery in forgeries:
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **forgery), stream, learner)
    with pytest.raises(NotCertified, match="pass the learner"):
        ls.verify(certificate, stream)
    with pytest.raises(NotCertified, match="the certificate is about"):
        ls.verify(certificate, stream, replace(learner, rate=0.75))
