"""Each rule again, slow and plain, from the papers: what the fast code is compared with.

Nothing here imports the library. A concept is a Python function or a row of labels, a version space a list.
"""

import math
from fractions import Fraction
from itertools import pairwise, product

# --- version spaces -----------------------------------------------------------------------------------------------


def halving(table, rounds, labels=(False, True)):
    """Guesses of the halving algorithm. `table[h][x]` is the label concept h gives to x; `rounds` are (x, y)."""
    alive, guesses = list(range(len(table))), []
    for x, y in rounds:
        votes = [sum(table[h][x] == label for h in alive) for label in labels]
        guesses.append(labels[votes.index(max(votes))])
        alive = [h for h in alive if table[h][x] == y]
    return guesses


# --- additive learners --------------------------------------------------------------------------------------------
# Rounds are (x, y) with x a list of numbers (any type with exact or float arithmetic) and y True or False. Each twin
# returns the guesses and the weights it ends with, the constant attribute's weight last.


def _additive(rounds, step, bias, tie, enough, n):
    w, guesses, updates = [0] * (n + 1), [], 0
    for x, label in rounds:
        x = [*x, bias]
        y = 1 if label else -1
        score = sum(a * b for a, b in zip(w, x, strict=True))
        guess = score > 0 or (score == 0 and tie == "plus")
        guesses.append(guess)
        if y * score < enough or (y * score == enough and (enough > 0 or tie == "strict" or guess != label)):
            tau = step(y * score, sum(a * a for a in x))
            w = [a + tau * y * b for a, b in zip(w, x, strict=True)]
            updates += tau != 0
    return guesses, w, updates


def perceptron(rounds, n, rate=1, margin=0, bias=1, tie="strict", normalized=False):
    def step(_, norm):
        return (rate / math.sqrt(norm) if norm else 0) if normalized else rate

    return _additive(rounds, step, bias, tie, margin, n)


def aggressive_perceptron(rounds, n, bias=1, tie="strict"):
    """Repeat the example until it is on the right side."""

    def step(agreement, norm):
        copies = 0
        while norm and agreement + copies * norm <= 0:
            copies += 1
        return copies

    return _additive(rounds, step, bias, tie, 0, n)


def passive_aggressive(rounds, n, variant="I", aggressiveness=1, margin=1, bias=1):
    def step(agreement, norm):
        loss = max(0, margin - agreement)
        if norm == 0:
            return 0
        if variant == "II":
            return loss / (norm + 1 / (2 * aggressiveness))
        return min(aggressiveness, loss / norm) if variant == "I" else loss / norm

    return _additive(rounds, step, bias, "strict", margin, n)


def averaged_perceptron(rounds, n, rate=1, margin=0, bias=1, tie="strict"):
    """Guesses as the perceptron's; the weights are the mean of those after each round."""
    total, guesses = [0] * (n + 1), []
    for t in range(len(rounds)):
        guesses, w, updates = perceptron(rounds[: t + 1], n, rate, margin, bias, tie)
        total = [a + b for a, b in zip(total, w, strict=True)]
    return guesses, [a / len(rounds) for a in total], updates


# --- expert advice ------------------------------------------------------------------------------------------------
# Rounds are (forecasts, outcome); None is an expert that sleeps. Each twin keeps plain weights, exact with fractions.


def weighted_majority(rounds, penalty, n):
    """Guesses and marks. A sleeper shares the pool's mistakes; a vote needs more than half of the weight awake."""
    marks, guesses = [0] * n, []
    for votes, y in rounds:
        awake = [i for i in range(n) if votes[i] is not None]
        low = min(marks[i] for i in awake)  # so that with penalty 0 the least bad still vote
        ones = sum(penalty ** (marks[i] - low) for i in awake if votes[i] == 1)
        guess = int(2 * ones > sum(penalty ** (marks[i] - low) for i in awake))
        guesses.append(guess)
        for i in range(n):
            marks[i] += (votes[i] != y) if votes[i] is not None else (guess != y)
    return guesses, marks


def randomized_majority(rounds, penalty, n, curve=lambda r: r):
    """Expected mistakes and weights when the learner says 1 with probability curve(share of the weight for 1)."""
    weights, expected = [Fraction(1)] * n, 0
    for votes, y in rounds:
        share = sum(w * v for w, v in zip(weights, votes, strict=True)) / sum(weights)
        expected += abs(curve(share) - y)
        weights = [w * (penalty if v != y else 1) for w, v in zip(weights, votes, strict=True)]
    return expected, weights


def improved_curve(b, vovk=False):
    """F(r) of the improved weighted majority."""
    if vovk:
        return lambda r: math.log(1 - r + r * b) / (math.log(1 - r + r * b) + math.log(r + (1 - r) * b))
    c = (1 + b) * math.log(2 / (1 + b)) / (2 * (1 - b))
    return lambda r: min(max(0.5 + (2 * r - 1) / (4 * c), 0), 1)


def hedge(rounds, loss, n, rate_of, guess_of=None):
    """Guesses, mean losses and losses; `rate_of(t, gap)` is the rate of round t from 1 on; sleepers pay the mix."""
    charges, losses, guesses, means, gap = [0.0] * n, [0.0] * n, [], [], 0.0
    for t, (forecasts, y) in enumerate(rounds, 1):
        awake, rate = [i for i in range(n) if forecasts[i] is not None], rate_of(t, gap)
        low = min(charges[i] for i in awake)
        if rate == math.inf:
            weights = [1.0 if charges[i] == low else 0.0 for i in awake]
        else:
            weights = [math.exp(-rate * (charges[i] - low)) for i in awake]
        shares = [w / sum(weights) for w in weights]
        costs = [loss(forecasts[i], y) for i in awake]
        if guess_of is None:
            guesses.append(sum(p * forecasts[i] for p, i in zip(shares, awake, strict=True)))
        else:
            guesses.append(guess_of(shares, [forecasts[i] for i in awake], rate))
        mean = sum(p * c for p, c in zip(shares, costs, strict=True))
        means.append(mean)
        if rate == math.inf:
            mix = min(c for p, c in zip(shares, costs, strict=True) if p)
        else:
            mix = -math.log(sum(p * math.exp(-rate * c) for p, c in zip(shares, costs, strict=True))) / rate
        gap += max(mean - mix, 0)
        for i in range(n):
            charges[i] += loss(forecasts[i], y) if forecasts[i] is not None else mix
            losses[i] += loss(forecasts[i], y) if forecasts[i] is not None else 0
    return guesses, means, losses


def aggregated(low, high, coefficient):
    """Vovk's forecast for the loss coefficient (f - y)^2 on [low, high]."""

    def guess(shares, forecasts, rate):
        def mix(y):
            terms = (p * math.exp(-rate * coefficient * (f - y) ** 2) for p, f in zip(shares, forecasts, strict=True))
            return -math.log(sum(terms)) / rate

        return (low + high) / 2 - (mix(high) - mix(low)) / (2 * coefficient * (high - low))

    return guess


def fixed_share(rounds, loss, n, rate, switching):
    """Guesses and final weights of fixed share."""
    weights, guesses = [1 / n] * n, []
    for forecasts, y in rounds:
        guesses.append(sum(w * f for w, f in zip(weights, forecasts, strict=True)) / sum(weights))
        weights = [w * math.exp(-rate * loss(f, y)) for w, f in zip(weights, forecasts, strict=True)]
        total = sum(weights)
        weights = [(1 - switching) * w / total + switching / n for w in weights]
    return guesses, weights


def follow_the_leader(rounds, n):
    """Guesses of the lowest-numbered leader, and the expected mistakes of a random one."""
    losses, guesses, expected = [0] * n, [], Fraction(0)
    for votes, y in rounds:
        leaders = [i for i in range(n) if losses[i] == min(losses)]
        guesses.append(votes[leaders[0]])
        expected += Fraction(sum(votes[i] != y for i in leaders), len(leaders))
        losses = [loss + (v != y) for loss, v in zip(losses, votes, strict=True)]
    return guesses, expected


def best_path(costs, switches):
    """The least cost of a sequence of experts with at most so many switches, by trying all of them."""
    rounds, n = len(costs), len(costs[0])
    return min(
        sum(costs[t][i] for t, i in enumerate(path))
        for path in product(range(n), repeat=rounds)
        if sum(a != b for a, b in pairwise(path)) <= switches
    )


__all__ = ["Fraction", "halving", "math", "product"]
