"""Run every benchmark: python -m benchmarks."""

from benchmarks import halving

ALL = (halving,)

for benchmark in ALL:
    benchmark.main()
