"""Run every benchmark: python -m benchmarks, or name some: python -m benchmarks linear experts."""

import sys
from importlib import import_module

ALL = (
    "halving",
    "linear",
    "losses",
    "ellipsoid",
    "interactions",
    "experts",
    "certificates",
    "ingest",
    "text",
    "tables",
    "adapters",
    "cluster",
)

for name in sys.argv[1:] or ALL:
    import_module(f"benchmarks.{name}").main()
