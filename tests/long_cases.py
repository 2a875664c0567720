"""Long cases: of a test over many learners, `make test` plays some and `make test-all` the rest."""

from collections.abc import Iterable
from typing import Any

import pytest


def leave_most_to_test_all(cases: Iterable[Any], stride: int) -> list[Any]:
    """The cases, all marked `long` but the first and every `stride`-th after it."""
    return [mark_long(case) if k % stride else case for k, case in enumerate(cases)]


def mark_long(case: Any) -> Any:
    """A case, or what `pytest.param` made of one, marked `long`."""
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.long], id=case.id)
    return pytest.param(case, marks=pytest.mark.long)
