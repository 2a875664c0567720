"""Certificates as they were made before there were versions."""

from dataclasses import replace

import littlestone as ls
from littlestone.certificates.digest import Digest


def certify_as_of_old(learner, stream, monkeypatch, **changes):
    """A certificate without a version, with the fingerprint that such certificates have."""
    with monkeypatch.context() as patch:
        patch.setattr(Digest.__init__, "__defaults__", (None,))
        made = ls.certify(learner, stream)
    return replace(made, version=None, rows=None, **changes)
