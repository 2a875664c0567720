"""Exponential weights: the compiled loop of every learner that trusts an expert by e^(-rate * what it has lost).

While nobody has slept, weighing and learning share one sweep over the pool: what an expert is charged does not depend
on the guess. Live play is the same loop over one round, and a prediction the same loop stopped before the outcome.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import U, exponential, kernel
from littlestone.learners.experts.losses import paid
from littlestone.learners.experts.state import (
    ADAPTIVE,
    DRAW,
    EXPERTS,
    GAP,
    REFERENCE,
    ROUNDS,
    SEED,
    UNEVEN,
    ZERO,
    add,
    draw,
    guessed,
    join,
    least,
    mix_loss,
    rate_of,
    refused,
    said,
    settled,
    uniform,
)
from littlestone.learners.experts.sweep import PAYING, TOTAL, rooms, swept

TINY, HUGE = 1e-200, 1e200  # sums of weights outside these ask for a new reference
SAFE = 300.0  # one round cannot move a weight by more than e^-SAFE: the reference of the round before still serves
WEIGH, AGAIN, CHARGE = 0, 1, 2  # the stages of a round


@kernel
def replay(
    params: Any, losses: Array, credit: Array, totals: Array, counts: Array, x: Array, costs: Array, outcomes: Array,
    guesses: Array, charges: Array, trace: Array, learning: bool, clean: bool,
) -> Any:  # fmt: skip
    """Play rounds in order, up to one that is refused; charges and weights are written where there is room.

    `x` holds the forecasts row by row, and so does `costs` what they lose, for a loss of the user's own. Without
    `learning` only the guess of the first round is written and nothing else changes. `clean` forecasts are known to be
    awake and in range.
    """
    rounds = outcomes.size
    experts, low, high = U(x.size // rounds), params.low, params.high
    room, adaptive = rooms(), params.schedule == ADAPTIVE
    if experts > U(counts[EXPERTS]):
        join(losses, credit, counts, np.int64(experts), rate_of(totals, counts, params))
    if params.memory < 1:
        counts[UNEVEN] = 1
    for t in range(rounds):
        row, y, rate, reference = U(t) * experts, outcomes[t], rate_of(totals, counts, params), totals[REFERENCE]
        awake = experts if clean else ZERO
        for k in range(ZERO if clean else experts):
            awake += U(1) if (x[row + k] >= low) & (x[row + k] <= high) else ZERO
        asleep = awake < experts
        if asleep and (awake == 0 or refused(x, row, experts, awake)):
            return t
        uneven = counts[UNEVEN] > 0 or asleep
        plain = learning and trace.size == 0 and not (uneven or adaptive or params.kind == DRAW)
        fused = plain and rate * params.top < SAFE
        sums, mix = (0.0, 0.0, 0.0, 0.0, 0.0), 0.0
        for stage in range(3):  # weigh; weigh again by a better reference, if need be; charge, if not done already
            if stage == AGAIN:
                if fused or (TINY < sums[TOTAL] < HUGE and not adaptive):
                    continue
                reference = least(losses, credit, x, row, experts)
            if stage == CHARGE:
                total, paying = sums[TOTAL], sums[PAYING]
                if params.kind == DRAW:
                    share = total * uniform(counts[SEED], counts[ROUNDS])
                    guess = draw(losses, credit, x, row, experts, rate, reference, share)
                else:
                    guess = guessed(params, sums, rate)
                guesses[t] = said(params, counts, guess)
                if trace.size:
                    for k in range(experts):
                        share = exponential(rate * (reference - (losses[k] + credit[k]))) / total
                        trace[row + k] = share if x[row + k] == x[row + k] else 0.0
                if not learning:
                    return 1
                charge = paying / total if params.kind == DRAW else paid(params.loss, guess, y, params.shape)
                add(totals, charge)
                if charges.size:
                    charges[t] = charge
                if asleep or adaptive:
                    mix = mix_loss(losses, credit, x, costs, row, experts, y, rate, reference, total, params)
                if adaptive:
                    totals[GAP] += max(paying / total - mix, 0.0)
                if fused:
                    break
            how = (stage != CHARGE, fused, asleep, uneven)
            found = swept(params, losses, credit, x, costs, row, ZERO, experts, y, rate, reference, how, mix, room)
            if stage != CHARGE:
                sums = found
        counts[ROUNDS] += 1
        counts[UNEVEN] = 1 if uneven else 0
        settled(totals, sums[TOTAL], rate, reference)
    return rounds
