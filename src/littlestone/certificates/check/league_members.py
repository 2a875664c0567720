"""Members of a league, played once more by the rules that certificates of single learners are checked by.

A member of two classes that says one score, or plays one, is played again in its own floats (`float_runs/`), and what
it told must be the same to the bit. Others, such as mixtures, networks, naive Bayes, both Winnows and what is served by
an average, are not known there with all that they say.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import NotCertified, require
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedRows
from littlestone.certificates.check.same_run import REPLAYS


def confirm_scores(about: Mapping[str, Any], rows: ArrangedRows, told: Array, name: str) -> bool:
    """Refuse scores that are not those of the learner's own rule; whether they could be worked out here.

    Args:
        about: The learner, with the type of its floats, `real`.
        rows: The rounds as the run held them.
        told: The scores that the member is taken to have said.
        name: The member's, for a refusal.
    """
    replay = REPLAYS.get(about["name"])
    if replay is None:
        return False
    with np.errstate(all="ignore"):
        run = replay(about, rows)
    if run is None or run.scores is None:
        return False
    same = run.scores.view(np.int64) == told.view(np.int64)
    same |= (run.scores == 0) & (told == 0)  # of either sign
    first = int(np.argmin(same)) if len(same) else 0
    require(len(run.scores) == len(told), f"{name} scores {len(run.scores)} rounds, not {len(told)}", NotCertified)
    require(bool(same.all()), f"{name} scores round {first + 1} other than it told", NotCertified)
    return True
