"""What a comparator explains of the updates is computed again, and said to be nothing where it is nothing."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified


def test_a_comparator_that_explains_nothing_is_said_to_explain_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(0, 2, 400) > 0
    noise = ls.certify(ls.Perceptron(), ls.Recorded(X, y))
    assert noise.witness["unexplained"] > 0.9
    assert "this proves the run, not its accuracy" in str(noise)
    wide = ls.Recorded(X + 2 * np.sign(X), X[:, 0] > 0)
    clear = ls.certify(ls.Perceptron(), wide)
    assert clear.witness["unexplained"] < 0.5
    assert "explains" in clear.explains
    assert "not its accuracy" not in str(clear)
    assert ls.verify(clear, wide)
    for claimed in (0.0, 0.5, -1.0, "0.9", None):
        changed = replace(noise, witness=noise.witness | {"unexplained": claimed})
        with pytest.raises(NotCertified, match="unexplained"):
            ls.verify(changed, ls.Recorded(X, y))
