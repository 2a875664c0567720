"""Certificates made: the smallest bound that the learner's theorems give on the rounds that were played.

Who looks for a witness is decided by the kind of facts that the theorems need, one module for each kind.
"""

from importlib import import_module

from littlestone.base.bound import Certificate
from littlestone.certificates.make.steps import TracedRun

MAKERS = {
    "steps": "additive",
    "promotions": "winnow",
    "phases": "balanced_winnow",
    "volume": "ellipsoid",
    "kernel": "kernel",
    "units": "network",
}


def make_certificate(run: TracedRun) -> Certificate:
    """The certificate with the best witness found, by the module for the kind of the learner's theorems."""
    kind = run.learner.theorems()[0].kind
    maker = import_module(f"{__name__}.{MAKERS[kind]}")
    certificate: Certificate = maker.make(run)
    return certificate
