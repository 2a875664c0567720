"""The program `littlestone`: the command line in a process of its own, which also runs as `python -m littlestone`."""

import atexit
import gc
from contextlib import suppress

ROOM = 200_000  # objects between two searches for cycles
# bytes of an array that is given back at once; the name of that in malloc.h
LARGE = 1 << 20
MMAP_THRESHOLD = -3


def main() -> None:
    """Run the command line.

    Modules and machine code are half a million objects that live as long as the process: searching them for garbage
    again and again, and a last time at the end, would take a third of the time of a small run. Large arrays that are no
    longer needed go back to the system: the C library would keep a quarter of the memory of a large model for later.
    """
    gc.set_threshold(ROOM)
    atexit.register(gc.freeze)
    with suppress(ImportError, OSError, AttributeError, TypeError):  # other systems have other allocators
        import ctypes

        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
    try:
        from littlestone import cli

        cli.main(prog_name="littlestone")
    except KeyboardInterrupt:  # while modules were imported
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
