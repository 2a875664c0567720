"""Settings that every test shares."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("LITTLESTONE_COMPILE", "now")  # tests are about machine code; those of plain Python say so

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts tests in the background ignores it

# A first call compiles, so deadlines would measure the compiler. Examples are the same in every run, so that a change
# is judged by what it changed; HYPOTHESIS_PROFILE=hunt looks for new ones.
shared = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("littlestone", max_examples=50, derandomize=True, **shared)
settings.register_profile("hunt", max_examples=200, **shared)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "littlestone"))


@pytest.fixture(autouse=True, scope="session")
def _compiled_before():
    """Commands say when nothing was compiled before; whether the process that runs a test was the first is chance."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("littlestone.compiled.FRESH", False)
        yield
