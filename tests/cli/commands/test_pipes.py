"""A pipe is a stream: each line is answered when it comes, and what is fast is read in large blocks all the same."""

import os
import signal
import subprocess
import sys
import time

import pytest

import littlestone as ls
from command_runs import LINES, STREAM, run
from littlestone.readers.blocks import read_blocks
from littlestone.readers.source import list_files
from littlestone.readers.svmlight import Svmlight

COMMAND = [sys.executable, "-m", "littlestone"]
ROWS = 24  # lines of a conversation
SPOKEN = {  # a header, and rows of two classes, in each format
    "text": ("", [f"{('ham', 'spam')[t % 2]}\t{('see you', 'free money')[t % 2]} {t}\n" for t in range(ROWS)]),
    "svmlight": ("", [f"{t % 2} {t % 2 + 1}:1 {t % 5 + 3}:1\n" for t in range(ROWS)]),
    "csv": ("size,kind,label\n", [f"{t % 2},{'ab'[t % 2]},{('ham', 'spam')[t % 2]}\n" for t in range(ROWS)]),
    "jsonl": ("", [f'{{"a": {t % 2}, "b": {t % 3}, "label": {t % 2}}}\n' for t in range(ROWS)]),
    "vw": ("", [f"{t % 2 or -1} |n a{t % 2} b{t % 3}\n" for t in range(ROWS)]),
}


class Talk:
    """A command at the other end of two pipes, which a test speaks to line by line."""

    def __init__(self, *words, **more):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
        self.process = subprocess.Popen([*COMMAND, *map(str, words)], **pipes | more)
        self.heard = b""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        if problem[0] is not None:
            self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        self.process.wait(30)

    def say(self, text):
        self.process.stdin.write(text.encode())

    def hear(self):
        """The next line; it is waited for."""
        while b"\n" not in self.heard:
            more = self.process.stdout.read(4096)
            assert more, self.process.stderr.read()
            self.heard += more
        line, self.heard = self.heard.split(b"\n", 1)
        return line.decode()

    def ask(self, text):
        """The answer to a line, and the seconds that it took."""
        begun = time.monotonic()
        self.say(text)
        return self.hear(), time.monotonic() - begun


def test_a_line_that_is_skipped_is_answered_at_once_with_an_empty_one(tmp_path):
    header, rows = SPOKEN["csv"]
    data, model = tmp_path / "rows.csv", tmp_path / "m.lst"
    data.write_text(header + "".join(rows))
    run("learn", data, "--model", model, "--quiet")
    with Talk("predict", model, "-", "--format", "csv", "--on-error", "skip") as talk:
        talk.say(header)
        answers = [talk.ask(line)[0] for line in (rows[0], "oops,a,ham\n", rows[1], "oops,b,ham\n")]
        talk.process.stdin.close()
        assert (talk.process.stdout.read(), talk.process.wait(30)) == (b"", 0)
    assert answers == ["ham", "", "spam", ""]


@pytest.mark.parametrize("format", SPOKEN)
def test_each_line_is_answered_before_the_next_is_sent(format, tmp_path):
    header, rows = SPOKEN[format]
    data, model = tmp_path / f"rows.{format}", tmp_path / "m.lst"
    data.write_text(header + "".join(rows))
    run("learn", data, "--format", format, "--model", model, "--quiet")
    expected = run("predict", model, data, "--format", format).stdout.splitlines()
    with Talk("predict", model, "-", "--format", format) as talk:
        talk.say(header)
        answers, seconds = zip(*map(talk.ask, rows), strict=True)
        talk.process.stdin.close()
        assert (talk.process.stdout.read(), talk.process.wait(30)) == (b"", 0)
    assert list(answers) == expected
    assert sorted(seconds)[ROWS // 2] < 0.2


def test_lines_that_come_without_a_pause_are_not_held_back(tmp_path):
    model = tmp_path / "m.lst"
    run("learn", *STREAM, "--model", model, "--quiet", typed="".join(LINES))
    with Talk("predict", model, *STREAM) as talk:
        talk.ask(LINES[0])
        os.set_blocking(talk.process.stdout.fileno(), False)
        sent, late = 0, []
        while sent < 400:  # one a millisecond: the stream never pauses
            talk.say(LINES[sent % 300])
            sent += 1
            time.sleep(0.001)
            talk.heard += talk.process.stdout.read(1 << 16) or b""
            late.append(sent - talk.heard.count(b"\n"))
    assert max(late) < 380
    assert late[-1] < 380


def test_learn_writes_predictions_checkpoints_and_figures_as_rounds_are_played(tmp_path):
    model, wrong = tmp_path / "m.lst", tmp_path / "wrong.jsonl"
    words = [
        "learn",
        *STREAM,
        "--model",
        model,
        "--checkpoint",
        10,
        "--predictions",
        "/dev/stdout",
        "--mistakes",
        wrong,
    ]
    terminal, other = os.openpty()
    with Talk(*words, stderr=other) as talk:
        talk.process.stderr = os.fdopen(terminal, "rb", 0)
        os.close(other)
        answers = [talk.ask(line)[0] for line in LINES[:25]]
        assert ls.load(model).tally.rounds == 20
        labels = [line.split()[0] for line in LINES]
        mistakes = sum(answer != label for answer, label in zip(answers, labels, strict=False))
        assert len(wrong.read_text().splitlines()) == mistakes > 0
        shown = b""
        while f"{mistakes} mistakes ({mistakes / 25:.2%})".encode() not in shown:
            shown += os.read(terminal, 4096)
        talk.process.stdin.close()
        assert talk.process.wait(30) == 0
    expected = tmp_path / "p"
    run("learn", *STREAM, "--predictions", expected, typed="".join(LINES[:25]))
    assert answers == expected.read_text().splitlines()


def test_a_reader_that_has_enough_ends_learn_quietly(tmp_path):
    with Talk("learn", *STREAM, "--predictions", "/dev/stdout", "--quiet") as talk:
        assert talk.ask(LINES[0])[0] == "0"
        talk.process.stdout.close()
        talk.say("".join(LINES))
        assert talk.process.wait(30) == 128 + signal.SIGPIPE
        assert talk.process.stderr.read() == b""


def test_a_header_alone_settles_nothing(tmp_path):
    header, rows = SPOKEN["csv"]
    with Talk("learn", "-", "--predictions", "/dev/stdout", "--quiet") as talk:
        talk.say(header)
        time.sleep(1)
        assert talk.ask(rows[0])[0] == "ham"  # the first guess is class 0, which this row names
        assert talk.ask(rows[0])[0] == "ham"
        talk.say(rows[1])
        assert talk.hear() == "ham"
        assert talk.ask(rows[1])[0] == "spam"


def test_a_fast_stream_is_read_in_large_blocks(tmp_path):
    data = tmp_path / "rows.svm"
    data.write_text("".join(LINES) * 2000)
    with subprocess.Popen(["cat", data], stdout=subprocess.PIPE) as cat:
        (part,) = list_files(cat.stdout)
        blocks = [block for block in read_blocks(part, Svmlight()) if block is not None]
    assert b"".join(bytes(block.data[block.start : block.end]) for block in blocks) == data.read_bytes()
    assert len(blocks) < 2 + data.stat().st_size // (3 << 17)  # a quarter of the usual size, should cat be slow today


def test_a_record_that_comes_in_two_parts_is_one(tmp_path):
    reads, writes = os.pipe()
    with os.fdopen(reads, "rb", 0) as pipe:
        os.write(writes, b"1 1:1\n0 2")
        (part,) = list_files(pipe)
        blocks = read_blocks(part, Svmlight())
        first = next(blocks)
        assert bytes(first.data[first.start : first.end]) == b"1 1:1\n"
        assert next(blocks) is None
        os.write(writes, b":1\n1 3:1")
        second = next(blocks)
        assert bytes(second.data[second.start : second.end]) == b"0 2:1\n"
        assert (second.ended, next(blocks)) == (True, None)
        os.close(writes)
        last = next(blocks)
        assert (bytes(last.data[last.start : last.end]), last.ended) == (b"1 3:1\n", False)
        assert next(blocks, "over") == "over"
