"""The program `littlestone`: the command line in a process of its own, which also runs as `python -m littlestone`."""

import atexit
import gc

ROOM = 200_000  # objects between two searches for cycles


def main() -> None:
    """Run the command line.

    Modules and machine code are half a million objects that live as long as the process: searching them for garbage
    again and again, and a last time at the end, would take a third of the time of a small run.
    """
    gc.set_threshold(ROOM)
    atexit.register(gc.freeze)
    from littlestone import cli

    cli.main(prog_name="littlestone")


if __name__ == "__main__":
    main()
