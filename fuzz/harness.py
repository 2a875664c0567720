"""The harness: hand a property to atheris, with seeds to start from."""

import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path


def hunt(
    one: Callable[[bytes], object], seeds: Iterable[bytes], mutate: Callable[[bytes], bytes] | None = None
) -> None:
    """Call `one` on more and more inputs until it raises, or until libFuzzer's options say that it is enough.

    `mutate` is applied to what the fuzzer comes up with before it is kept: to repair a checksum, say.
    """
    try:
        import atheris
    except ImportError:
        sys.exit("fuzzing needs atheris, which is not installed")

    def mutator(data: bytes, longest: int, seed: int) -> bytes:
        data = atheris.Mutate(data, longest)
        return (mutate(data) if mutate else data)[:longest]

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(seeds):
            Path(corpus, f"seed-{number}").write_bytes(seed)
        atheris.Setup([*sys.argv, corpus], one, **({"custom_mutator": mutator} if mutate else {}))
        atheris.Fuzz()
