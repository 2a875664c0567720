"""Long cases: of a test over many learners, `make test` plays some and `make test-all` the rest."""

from collections.abc import Iterable
from typing import Any

import pytest


def leave_most_to_test_all(cases: Iterable[Any], stride: int) -> list[Any]:
    """The cases, all marked `long` but the first and every `stride`-th after it."""
    return [pytest.param(case, marks=pytest.mark.long) if k % stride else case for k, case in enumerate(cases)]
