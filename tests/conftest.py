"""Settings that every test shares."""

from hypothesis import HealthCheck, settings

# A first call compiles, so deadlines would measure the compiler.
settings.register_profile("littlestone", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("littlestone")
