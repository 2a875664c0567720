"""Benchmarks, one file for each path that must be fast, with peers and the floor it must hold in the same run."""

import os

os.environ.setdefault("LITTLESTONE_COMPILE", "now")  # what is measured is machine code
