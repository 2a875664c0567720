"""Whether a certificate counts what the run itself did, and nothing near it.

A run is deterministic: the same floats in the same order give the same guesses. So a certificate that says how its rows
were held is played again, bit for bit, and its mistakes, update rounds and marks must be those of that game. What
cannot be played so is checked up to rounding, by the checks of each family, and the report says so.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.environment import Stream
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import UNLIMITED
from littlestone.certificates.check.float_runs.additive import RULES, replay_unit
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.float_runs.counts import FloatRun
from littlestone.certificates.check.float_runs.diagonal import replay_diagonal, replay_p_norm
from littlestone.certificates.check.float_runs.ellipsoid import replay_ellipsoid, replay_second_order
from littlestone.certificates.check.float_runs.forgetron import replay_forgetron
from littlestone.certificates.check.float_runs.kernel import replay_kernel
from littlestone.certificates.check.float_runs.network import replay_network
from littlestone.certificates.check.float_runs.winnow import replay_balanced_winnow, replay_winnow

Replay = Callable[[Mapping[str, Any], ArrangedRows], FloatRun | None]
DIAGONAL = ("Arow", "DiagonalSecondOrder")  # units with a number beside each weight


def _replay_units(about: Mapping[str, Any], rows: ArrangedRows) -> FloatRun | None:
    """Play the run of a network again, by the rule of its units."""
    return (replay_diagonal if about["learner"]["name"] in DIAGONAL else replay_network)(about, rows)


REPLAYS: dict[str, Replay] = {
    **dict.fromkeys(RULES, replay_unit),
    "Ellipsoid": replay_ellipsoid,
    "KernelPerceptron": replay_kernel,
    "Forgetron": replay_forgetron,
    "Network": _replay_units,
    "Arow": lambda about, rows: (replay_diagonal if about["diagonal"] else replay_second_order)(about, rows),
    "SecondOrderPerceptron": replay_second_order,
    "DiagonalSecondOrder": replay_diagonal,
    "PNormPerceptron": replay_p_norm,
    "Winnow": replay_winnow,
    "BalancedWinnow": replay_balanced_winnow,
}


def replay_run(certificate: Certificate, stream: Stream, features: Any) -> FloatRun | None:
    """Play the run again bit for bit and refuse counts that are not its own; None if it cannot be played so."""
    about = certificate.learner
    replay = REPLAYS.get(about["name"])
    if certificate.version is None or certificate.rows is None or replay is None:
        return None
    limit = UNLIMITED if about["name"] == "Network" else 2
    with np.errstate(all="ignore"):  # of a run that leaves its floats, no decision is the one that is claimed
        run = replay(about, ArrangedRows.of(certificate, stream, features, limit))
    if run is not None:
        require_same_run(certificate, run)
    return run


def require_same_run(certificate: Certificate, run: FloatRun) -> None:
    """Refuse mistakes, update rounds and marks that are not those of the run."""
    mistakes = certificate.mistakes
    same = type(mistakes) is int and mistakes == run.mistakes
    require(same, f"the run makes {run.mistakes} mistakes, not {mistakes}", NotCertified)
    for number, (ours, theirs) in enumerate(zip(run.updated, certificate.updated, strict=False)):
        require(ours == theirs, f"update {number} of the run is round {ours}, not {theirs}", NotCertified)
    counts = len(run.updated), len(certificate.updated)
    require(counts[0] == counts[1], f"the run makes {counts[0]} updates, not {counts[1]}", NotCertified)
    marked = not certificate.marks or certificate.marks == run.marks
    require(marked, "its marks are not those of the run", NotCertified)
