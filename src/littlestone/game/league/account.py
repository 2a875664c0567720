"""Account: the guess of a league, deterministic as long as its account allows, with a theorem about mistakes.

Beside the mixture an AdaHedge follows the 0/1 losses of the members' guesses: h is its weight on wrong guesses, and D
the sum of its mixability gaps. With L the mistakes of the best of n members so far and A the account, at first 0,

    f = sqrt(L ln n) + ln n + 2; a deterministic guess is served if A + 1 <= f, and then A += 1[wrong] - h,

else a guess is served that AdaHedge draws, by a coin from seed and round, and A stays.

Theorem. With S the mistakes of deterministic rounds plus the sum of h over the others, after T rounds,

    S <= H + f <= L + 2 D + f <= L + 2 sqrt(L (T - L) ln n / T) + 16 ln n / 3 + 2 + f.

Proof. A = S - H never exceeds f: it grows only in rounds with A + 1 <= f, by at most 1, a coin adds h to both, and f
never falls. The rest is the theorem of AdaHedge (`learners/ada_hedge.py`).

It holds for any deterministic guess. Ours is the class of the largest chance, which loses least in nats, unless a
member has clearly fewer mistakes than that class would have had: if one of the two alone was wrong in D rounds, the
member is followed while it is ahead by more than sqrt(D) + ln n, a deviation of D fair coins and the price of n
members; of several members that one which is furthest beyond it.
"""

from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.compiled import exponential, logarithm, long_rule
from littlestone.game.league.books import BALANCE, FOLLOWED, GAP, ROUNDS, STOOD
from littlestone.learners.experts.pools import draw_uniform

LOWEST = -700.0  # a power of e below it is 0: the exponential is cut there, and that would count at very large rates


@long_rule
def draw_weights(wrong: Array, gap: Any, out: Array) -> Any:
    """Write AdaHedge's weights; its leaders share all of it before there is a gap. The rate; 0 stands for infinite."""
    n = wrong.size
    least = wrong[0]
    total = 0.0
    for i in range(1, n):
        least = min(least, wrong[i])
    rate = logarithm(np.float64(n)) / gap if gap > 0 else 0.0
    for i in range(n):
        if gap > 0:
            power = -rate * (wrong[i] - least)
            out[i] = exponential(power) if power > LOWEST else 0.0
        else:
            out[i] = 1.0 if wrong[i] == least else 0.0
        total += out[i]
    for i in range(n):
        out[i] /= total
    return rate


@long_rule
def follow_leader(books: Any, bench: Any, best: Any) -> Any:
    """The guess of the member that is furthest beyond being ahead by chance of the class `best`; `best` if none is."""
    n = bench.guesses.size
    most = 0.0
    chosen = best
    for i in range(n):
        alone = books.apart[i, 0]
        other = books.apart[i, 1]
        ahead = other - alone - np.sqrt(alone + other) - logarithm(np.float64(n))
        if ahead > most:
            most = ahead
            chosen = bench.guesses[i]
    return chosen


@long_rule
def choose_guess(books: Any, bench: Any, best: Any, rules: Any) -> Any:
    """The class that is served, and whether a coin chose it; members' guesses are known."""
    n = bench.guesses.size
    wrong = books.wrong
    if n == 0:
        return best, 0
    draw_weights(wrong, books.sums[GAP], bench.draws)
    least = wrong[0]
    for i in range(1, n):
        least = min(least, wrong[i])
    variety = logarithm(np.float64(n))
    if books.sums[BALANCE] + 1.0 <= np.sqrt(least * variety) + variety + 2.0:
        return follow_leader(books, bench, best) if rules.follows else best, 0
    drawn = draw_uniform(rules.seed, books.counts[ROUNDS])
    reached = 0.0
    for i in range(n):
        reached += bench.draws[i]
        if drawn < reached:
            return bench.guesses[i], 1
    return bench.guesses[n - 1], 1


@long_rule
def settle(books: Any, bench: Any, guess: Any, label: Any, coin: Any, best: Any) -> Any:
    """Enter a round into the account; `best` is the class of the largest chance."""
    n = bench.guesses.size
    wrong = books.wrong
    sums = books.sums
    draws = bench.draws
    if n == 0:
        return
    rate = logarithm(np.float64(n)) / sums[GAP] if sums[GAP] > 0 else 0.0
    followed = 0.0
    kept = 0.0
    before = wrong[0]
    after = np.inf
    part = exponential(-rate) if -rate > LOWEST else 0.0
    for i in range(n):
        before = min(before, wrong[i])
        miss = 1.0 if bench.guesses[i] != label else 0.0
        books.apart[i, 0] += miss > 0 and best == label
        books.apart[i, 1] += miss == 0 and best != label
        followed += draws[i] * miss
        kept += draws[i] * (part if miss > 0 else 1.0)
        wrong[i] += miss
        after = min(after, wrong[i])
    mixed = followed if kept == 0.0 else -logarithm(kept) / rate if rate > 0 else after - before
    sums[GAP] += max(followed - mixed, 0.0)
    sums[FOLLOWED] += followed
    missed = followed if coin else (1.0 if guess != label else 0.0)
    sums[STOOD] += missed
    if not coin:
        sums[BALANCE] += missed - followed
