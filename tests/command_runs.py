"""Runs of the command as tests of its pipes, signals and resumed runs need them."""

from click.testing import CliRunner

from littlestone.cli import main

LINES = [f"{t % 3 % 2} {t % 5 + 1}:1 {t % 7 + 6}:{t % 4 + 1}\n" for t in range(300)]  # rows of svmlight
STREAM = ("-", "--format", "svmlight")


def run(*words, typed=None):
    """What a command that must succeed did."""
    done = CliRunner().invoke(main, [str(word) for word in words], input=typed)
    assert done.exit_code == 0, done.output
    return done
