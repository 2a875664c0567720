"""Floors under leagues, found: shares of a mixture of readings that loses little, by expectation and maximization."""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.certificates.check.league import LeaguePlayed
from littlestone.certificates.check.league_floors import (
    BITS,
    CHOICES,
    COUNTS,
    MIXTURES,
    PROMISES,
    bracket_mixture,
    count_forced,
)

STEPS = 400  # the plain ones make the loss smaller; longer ones are taken as long as they do
NEAR = 1e-3  # nats between floor and loss that are not worth another step


def find_shares(played: LeaguePlayed) -> Array:
    """Shares of the readings whose fixed mixture loses little on the rounds that are charged."""
    rows = np.where(np.isnan(played.panel), played.level[:, None], played.panel)[played.charged]
    shares = np.full(rows.shape[1], 1.0 / rows.shape[1])
    power = 1.0
    mixed = rows @ shares
    for _ in range(STEPS):
        gains = (1.0 / mixed) @ rows / len(rows)
        if len(rows) * (gains.max() - 1.0) < NEAR:
            break
        tried = shares * gains**power
        tried /= tried.sum()
        further = rows @ tried
        if power == 1.0 or np.log(further).sum() > np.log(mixed).sum():
            shares = tried
            mixed = further
            power = 1.5 * power
        else:
            power = max(1.0, power / 4)
    return shares


def round_shares(shares: Array) -> list[int]:
    """Shares as whole numbers that add up to 2^BITS; the largest takes up what rounding leaves."""
    whole = np.rint(shares * (1 << BITS)).astype(np.int64)
    whole[int(np.argmax(whole))] += (1 << BITS) - int(whole.sum())
    return [int(share) for share in whole]


def make_floor(played: LeaguePlayed, kind: str) -> dict[str, Any]:
    """What a certificate says of a floor, and the witness of it: of "choices" or of "mixtures"."""
    theorem = CHOICES if kind == "choices" else MIXTURES
    told: dict[str, Any] = {"theorem": theorem, "promise": PROMISES[theorem], "counts": COUNTS[theorem]}
    if theorem == CHOICES:
        found: tuple[Any, Any] = count_forced(played)
        return told | {"count": found[0], "bound": found[1], "witness": {}}
    shares = round_shares(find_shares(played))
    found = bracket_mixture(played, shares)
    return told | {"count": found[0], "bound": found[1], "witness": {"shares": shares}}
