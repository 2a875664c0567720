"""Whether a guarantee fails more often than it promises: the test that decides, and sources whose risks are known."""

from itertools import product

import numpy as np
from scipy.stats import binomtest

FALSE_ALARM = 1e-6  # how often a guarantee that keeps its promise exactly would be called broken


def keeps(failures, trials, allowed):
    """Whether so many failures are believable of a guarantee that fails with probability `allowed` at most."""
    return binomtest(failures, trials, allowed, alternative="greater").pvalue > FALSE_ALARM


def bits(n):
    return np.array(list(product((0, 1), repeat=n)))


def angle(w, u):
    """The risk of a halfspace through the origin on Gaussian instances: the angle to the target's over pi."""
    length = np.linalg.norm(w)
    return 0.5 if length == 0 else float(np.arccos(np.clip(w @ u / length / np.linalg.norm(u), -1, 1)) / np.pi)
