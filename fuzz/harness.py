"""The harness: hand a property to atheris, with seeds to start from."""

import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

OPTIONS = ["-len_control=0", "-max_len=65536", "-report_slow_units=60", "-timeout=120"]


def hunt(
    one: Callable[[bytes], Any],
    seeds: Iterable[bytes],
    modules: Iterable[ModuleType],
    mend: Callable[[bytes], bytes] = bytes,
) -> None:
    """Call `one` on more and more inputs until it raises, or until libFuzzer's options say that it is enough.

    Functions of the `modules`, plain Python ones, tell the fuzzer which branches they take. `mend` is applied to every
    input that it comes up with: to repair a checksum, say.
    """
    try:
        import atheris
    except ImportError:
        sys.exit("fuzzing needs atheris, which is not installed")
    for module in modules:
        for part in vars(module).values():
            is_compiled = hasattr(part, "rule_options")  # rules are compiled as they stand
            if isinstance(part, FunctionType) and not is_compiled and part.__module__ == module.__name__:
                atheris.instrument_func(part)

    def mutator(data: bytes, longest: int, seed: int) -> bytes:
        return mend(atheris.Mutate(data, longest))[:longest]

    def property(data: bytes) -> None:
        one(data)

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(seeds):
            one(seed)  # compiles what is to be compiled, before the clock runs
            Path(corpus, f"seed-{number}").write_bytes(seed)
        atheris.Setup([sys.argv[0], *OPTIONS, *sys.argv[1:], corpus], property, custom_mutator=mutator)
        atheris.Fuzz()
