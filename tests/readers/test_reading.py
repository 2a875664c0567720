"""Reading: the same rounds however a file is cut, packed or parsed, with every refused record in its place."""

import gzip
import io
import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone.readers.blocks
import littlestone.readers.reading
from littlestone.base.errors import BadData, BadParameter
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Perceptron
from littlestone.readers import parsing
from littlestone.readers.blocks import map_in_order, read_blocks
from littlestone.readers.format import PADDING
from littlestone.readers.reading import read
from littlestone.readers.source import list_files
from littlestone.readers.svmlight import Svmlight

ROUNDS = 3000


def text_of(rounds=ROUNDS, seed=0):
    rng = np.random.default_rng(seed)
    lines = []
    for t in range(rounds):
        row = np.flatnonzero(rng.random(40) < 0.2)
        lines.append(f"{t % 2} " + " ".join(f"{i}:{rng.random():.5f}" for i in row))
    return ("\n".join(lines) + "\n").encode()


TEXT = text_of()


def joined(chunks):
    """Chunks as one: labels, lengths of rows, indices, values."""
    chunks = list(chunks)
    return [
        np.concatenate([chunk.labels for chunk in chunks]).tolist(),
        np.concatenate([np.diff(chunk.indptr) for chunk in chunks]).tolist(),
        np.concatenate([chunk.indices for chunk in chunks]).tolist(),
        np.concatenate([chunk.values for chunk in chunks]).tolist(),
    ]


def small(monkeypatch, size):
    monkeypatch.setattr(
        littlestone.readers.reading, "read_blocks", lambda part, format: read_blocks(part, format, size, 1 << 16)
    )


@given(st.integers(1, 200), st.sampled_from(["", "\n", "\r\n", "\n\n"]), st.integers(0, 12))
def test_blocks_are_whole_lines_of_any_file_and_leave_nothing_out(size, end, count):
    text = (("x" * 11 + (end or "\n")) * count + "tail" + end).encode()
    part = list_files(io.BytesIO(text))[0]
    pieces = [
        (bytes(block.data[block.start : block.end]), len(block.data) - block.end)
        for block in read_blocks(part, Svmlight(), size)
    ]
    assert b"".join(piece for piece, _ in pieces) == text + (b"" if text.endswith(b"\n") else b"\n")
    assert all(piece.endswith(b"\n") and beyond >= PADDING for piece, beyond in pieces)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("size", [64, 1000, 4096, 1 << 20])
def test_threads_and_the_size_of_blocks_change_nothing(threads, size, monkeypatch):
    expected = joined(read(io.BytesIO(TEXT), threads=1).chunks())
    small(monkeypatch, size)
    assert joined(read(io.BytesIO(TEXT), threads=threads).chunks()) == expected
    assert len(expected[0]) == ROUNDS


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("size", [64, 4096])
def test_a_refused_line_is_found_at_the_same_place_in_blocks_of_any_size(threads, size, monkeypatch):
    lines = TEXT.split(b"\n")
    lines[1234] = b"1 5:1 7:oops 9:1"
    text, before = b"\n".join(lines), []
    small(monkeypatch, size)
    with pytest.raises(BadData, match=r"line 1235, byte 9: .*got 'oops'"):
        before.extend(len(chunk) for chunk in read(io.BytesIO(text), threads=threads).chunks())
    assert sum(before) == 1234


@settings(max_examples=25)
@given(st.sets(st.integers(0, 199), max_size=60), st.sampled_from([64, 500, 1 << 14]), st.sampled_from([1, 2]))
def test_skipping_leaves_out_exactly_the_refused_lines(bad, size, threads):
    lines = [b"x 1:1" if t in bad else b"%d %d:1" % (t % 2, t) for t in range(200)]
    with pytest.MonkeyPatch.context() as patch:
        small(patch, size)
        reading = read(io.BytesIO(b"\n".join(lines)), "svmlight", on_error="skip", threads=threads)
        for _ in range(2):  # the count begins anew with each pass
            kept = [index for chunk in reading.chunks() for index in chunk.indices[: chunk.indptr[-1]].tolist()]
            assert kept == [t for t in range(200) if t not in bad]
            assert reading.skipped.count == len(bad)
            assert [place.line for place in reading.skipped.places] == [t + 1 for t in sorted(bad)][:10]


def test_lines_are_counted_in_each_file_by_itself(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.svm").write_bytes(b"\n# c\n1 2:3\n" + (b"oops\n" if name == "b" else b""))
    with pytest.raises(BadData, match=r"b\.svm, line 4, byte 1"):
        list(read(str(tmp_path / "*.svm")).chunks())


def test_a_game_against_a_file_is_the_game_against_the_same_rows_in_memory(tmp_path):
    path = tmp_path / "rows.svm.gz"
    path.write_bytes(gzip.compress(TEXT))
    (chunk,) = read(path, threads=1).chunks()
    dense = np.zeros((ROUNDS, chunk.width), np.float32)
    for t in range(ROUNDS):
        dense[t, chunk[t].indices] = chunk[t].values
    file, memory = play(Perceptron(), path), play(Perceptron(), Recorded(dense, chunk.labels))
    assert file.mistakes == memory.mistakes > 0
    live = play(Perceptron(), read(path), transcript=True)
    assert live.mistakes == file.mistakes
    assert play(Perceptron(), [str(path)] * 2).rounds == 2 * ROUNDS
    with path.open("rb") as open_file:
        assert play(Perceptron(), open_file, rounds=10).rounds == 10


def test_an_error_in_a_file_carries_the_game_so_far():
    with pytest.raises(BadData, match="line 3") as caught:
        play(Perceptron(), io.BytesIO(b"1 2:3\n-1 4:5\n1 nonsense\n" + b"1 2:3\n" * 9))
    assert caught.value.game.rounds == 2


def test_skipped_records_are_known_after_a_game():
    reading = read(io.BytesIO(b"1 2:3\nx\n-1 4:5\n1 2:nan\n"), "svmlight", on_error="skip")
    assert play(Perceptron(), reading).rounds == 2
    assert str(reading.skipped).split("\n")[0] == "2 skipped"
    assert "<BytesIO>, line 2, byte 1: " in str(reading.skipped)
    assert "<BytesIO>, line 4, byte 5: " in str(reading.skipped)


def test_a_record_without_an_end_is_an_error_and_not_all_of_memory(monkeypatch):
    small(monkeypatch, 1024)
    with pytest.raises(BadData, match="a record is longer than 65536 bytes"):
        list(read(io.BytesIO(b"1 2:3\n" + b"9" * 100_000), "svmlight").chunks())
    long = b"1 " + b" ".join(b"%d:1" % k for k in range(5000)) + b"\n"
    assert [len(chunk) for chunk in read(io.BytesIO(b"1 2:3\n" + long), "svmlight").chunks()] == [1, 1]


def test_says_what_it_guessed_and_from_what(tmp_path):
    (tmp_path / "x.libsvm").write_bytes(b"1\n-1\n")  # by the name, though the bytes say nothing
    (tmp_path / "x.train").write_bytes(b"1 |a b\n")
    (tmp_path / "y.train").write_bytes(b"\xef\xbb\xbf1 2:3\n")
    assert str(read(tmp_path / "x.libsvm")) == f"{tmp_path}/x.libsvm, read as svmlight"
    assert str(read(tmp_path / "x.train")) == f"{tmp_path}/x.train, read as vw"
    assert read(tmp_path / "y.train").format == Svmlight()
    assert str(read([tmp_path / "y.train"] * 3)) == f"{tmp_path}/y.train and 2 more files, read as svmlight"
    assert repr(read(io.BytesIO(b"1 2:3"))) == "Reading(<BytesIO>, read as svmlight)"


def test_what_cannot_be_guessed_is_an_error_that_says_what_is_allowed(tmp_path):
    with pytest.raises(BadData, match="the file is empty"):
        read(io.BytesIO(b""))
    with pytest.raises(BadData, match=r"of no format known here: say format= one of .*svmlight, .*vw"):
        read(io.BytesIO(bytes(range(256))))
    with pytest.raises(BadParameter, match=r"one of .*svmlight.*, got 'libsvmm'"):
        read(io.BytesIO(b"1 2:3"), "libsvmm")
    with pytest.raises(
        BadParameter, match="svmlight has no option 'colour': its options are labelled, attributes, real"
    ):
        read(io.BytesIO(b"1 2:3"), colour=7)
    with pytest.raises(BadParameter, match="svmlight has no option 'label'"):
        read(io.BytesIO(b"1 2:3"), label="y")
    with pytest.raises(BadParameter, match="on_error must be 'stop' or 'skip', got 'ignore'"):
        read(io.BytesIO(b"1 2:3"), on_error="ignore")
    with pytest.raises(BadParameter, match="threads must be at least 1, got 0"):
        read(io.BytesIO(b"1 2:3"), threads=0)


def test_two_formats_that_recognise_a_file_are_both_named_unless_one_has_more_reason(monkeypatch):
    @dataclass(frozen=True)
    class Twin(Svmlight.__mro__[1]):
        name = "twin"

        @classmethod
        def recognises(cls, head):
            return True

        def features(self):
            return Svmlight().features()

        def parse(self, data, start, end):
            return Svmlight().parse(data, start, end)

    monkeypatch.setattr(littlestone.readers.format, "list_formats", lambda: (Twin, Svmlight))
    with pytest.raises(BadData, match="this may be twin or svmlight: say format="):
        read(io.BytesIO(b"1 2:3"))
    monkeypatch.setattr(Twin, "precedes", ("svmlight",))
    assert read(io.BytesIO(b"1 2:3")).format == Twin()


def test_only_so_many_blocks_are_read_ahead_and_the_threads_end_with_the_reader():
    taken, running = [], threading.active_count()

    def pieces():
        for k in range(1000):
            taken.append(k)
            yield k

    for near in (False, True):
        taken.clear()
        results = map_in_order(lambda block: -block, pieces(), threads=3, near=near)
        assert [next(results) for _ in range(5)] == [(k, -k) for k in range(5)]
        assert len(taken) <= 5 + 2 * 3 + 1
        results.close()
        assert threading.active_count() == running


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_items_and_their_error_come_in_order_whoever_takes_them(threads, near):
    takers, workers = set(), set()

    def items(total, error):
        for k in range(total):
            takers.add(threading.get_ident())
            yield k
        if error:
            raise error

    def work(k):
        time.sleep(0.002 * (k % 3 == 0))  # some are ready before those before them
        workers.add(threading.get_ident())
        return -k

    assert list(map_in_order(work, items(40, None), threads, near)) == [(k, -k) for k in range(40)]
    assert (takers == {threading.get_ident()}) == (threads == 1 or not near)
    assert takers <= workers or not near
    for total in (0, 1, 7, 40):
        results = map_in_order(work, items(total, OSError("gone")), threads, near)
        assert [next(results) for _ in range(total)] == [(k, -k) for k in range(total)]
        with pytest.raises(OSError, match="gone"):
            next(results)


@pytest.mark.parametrize("source", [str, lambda path: io.BytesIO(path.read_bytes())])
def test_a_file_cut_short_gives_the_same_rounds_with_any_number_of_threads(tmp_path, source):
    path = tmp_path / "cut.svm.gz"
    packed = gzip.compress("".join(f"+1 {k}:1 {k + 1}:2\n" for k in range(1, 300_000)).encode(), 1)
    path.write_bytes(packed[: len(packed) * 9 // 10])
    games = []
    for threads in (1, 2, 3):
        with pytest.raises(BadData, match="the file was cut short") as caught:
            play(Perceptron(), read(source(path), threads=threads))
        games.append(caught.value.game.rounds)
    assert games[0] > 200_000
    assert games == games[:1] * 3


def test_declared_attributes_seat_the_player_at_once():
    reading = read(io.BytesIO(b"1 2:3"), attributes=100, real="float64")
    assert reading.size().attributes == 100
    game = play(Perceptron(), reading)
    assert len(game.player.state.weights) == 100
    assert game.player.state.weights.dtype == np.float64


LONG = [2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 7]


@pytest.mark.parametrize("format", ["svmlight", "vw", "csv", "quoted", "named", "jsonl"])
@pytest.mark.parametrize("labels", [LONG, [*LONG, 2**64 + 1], [*LONG, 0.5], [9007199254740993, 9007199254740992]])
def test_whole_numbers_of_any_length_are_labels_of_their_own(format, labels):
    text = {
        "svmlight": "# a comment\n\n" + "".join(f"{label} 1:2 # {k}\n" for k, label in enumerate(labels)),
        "vw": "\n \r\n" + "".join(f"  {label} 2 'tag{k}|a 9:1\r\n" for k, label in enumerate(labels)),
        "csv": "a,label\n" + "".join(f"1.5,{label}\n" for label in labels),
        "quoted": "a,label,b\n" + "".join(f'1.5,"{label}",2\n' for label in labels),
        "named": "a,label\n" + "".join(f'"re\nd",{label}\n' for label in labels),
        "jsonl": "".join(f'{{"a": 1, "label": {label}}}\n' for label in labels),
    }[format]
    kind = format if format in ("svmlight", "vw", "jsonl") else "csv"
    chunks = list(read(io.BytesIO(text.encode()), kind).chunks())
    assert [label for chunk in chunks for label in chunk.labels.tolist()] == labels


def test_what_was_looked_at_is_not_parsed_again(tmp_path, monkeypatch):
    path, parsed = tmp_path / "rows.svm", []
    path.write_text("1 2:3\n0 5:1\nbad\n1 1:1\n")
    honest = parsing.parse_block
    monkeypatch.setattr(parsing, "parse_block", lambda *given: parsed.append(1) or honest(*given))
    reading = read(str(path), on_error="skip")
    looked = reading.look()
    assert looked.labels.tolist() == [1, 0]
    for passes in range(1, 3):  # a second pass reads anew
        assert [chunk.labels.tolist() for chunk in reading.chunks()] == [[1, 0], [1]]
        assert (len(parsed), reading.skipped.count, reading.skipped.places[0].line) == (passes, 1, 3)


def test_a_file_that_has_changed_since_it_was_looked_at_is_parsed_anew(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("1 2:3\n")
    reading = read(str(path))
    assert reading.look().labels.tolist() == [1]
    path.write_text("0 2:3\n")
    assert [chunk.labels.tolist() for chunk in reading.chunks()] == [[0]]


def test_of_files_without_rounds_nothing_is_seen(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("# nothing\n")
    assert read(str(path), format="svmlight").look() is None
