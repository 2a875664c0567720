"""Bytes come from paths, globs, lists, pipes, file objects and addresses, packed or not, as often as wanted."""

import gzip
import io
import os
import resource
import sys
import threading

import pytest
import zstandard

from littlestone.base.errors import BadData, BadParameter
from littlestone.readers.kept_stream import MEMORY
from littlestone.readers.reading import read
from littlestone.readers.source import STEP, is_source, list_files

TEXT = b"".join(b"%d 1:%d\n" % (k % 2, k) for k in range(50_000))


def drained(path):
    with list_files(path)[0].open() as file:
        while file.read(STEP):
            pass


def contents(source):
    """All files of a source, each read twice: once in pieces, while the other reading goes on."""
    found = []
    for part in list_files(source):
        with part.open() as first, part.open() as second:
            pieces = bytearray()
            while piece := first.read(100_003):
                pieces += piece
                second.read(7)
            with part.open() as third:
                assert third.read() == bytes(pieces)
        found.append((part.name, bytes(pieces)))
    return found


def test_a_path_a_glob_and_a_list_name_files_in_order(tmp_path):
    for name in ("b.svm", "a.svm", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
    a, b = str(tmp_path / "a.svm"), str(tmp_path / "b.svm")
    assert contents(a) == [(a, b"a.svm")]
    assert contents(tmp_path / "a.svm") == [(a, b"a.svm")]
    assert contents(str(tmp_path / "*.svm")) == [(a, b"a.svm"), (b, b"b.svm")]
    assert contents([b, a]) == [(b, b"b.svm"), (a, b"a.svm")]
    assert list_files(a)[0].path == tmp_path / "a.svm"


def test_a_name_with_the_letters_of_a_glob_is_a_name_first(tmp_path):
    odd = tmp_path / "a[1].svm"
    odd.write_bytes(b"odd")
    assert contents(str(odd)) == [(str(odd), b"odd")]


PACKED = {
    "gzip": gzip.compress(TEXT),
    "gzip in members": gzip.compress(TEXT[:1000]) + gzip.compress(b"") + gzip.compress(TEXT[1000:]),
    "gzip with zeros after it": gzip.compress(TEXT) + bytes(512),
    "gzip in many members": b"".join(gzip.compress(TEXT[k : k + 5000]) for k in range(0, len(TEXT), 5000)),
    "zstandard": zstandard.ZstdCompressor(write_checksum=True).compress(TEXT),
    "zstandard in frames": zstandard.compress(TEXT[:1000]) + zstandard.compress(TEXT[1000:]),
    "plain": TEXT,
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("way", ["path", "object", "pipe"])
def test_packed_files_are_unpacked_by_their_first_bytes(name, way, tmp_path):
    path = tmp_path / "data"
    path.write_bytes(PACKED[name])
    if way == "path":
        assert contents(path) == [(str(path), TEXT)]
    elif way == "object":
        assert contents(io.BytesIO(PACKED[name])) == [("<BytesIO>", TEXT)]
    else:
        assert contents(Pipe(PACKED[name])) == [("<Pipe>", TEXT)]


class Pipe:
    """A stream that can only be read, a little at a time."""

    def __init__(self, data):
        self.rest = data

    def read(self, size=-1):
        piece, self.rest = self.rest[: min(size, 4096)], self.rest[min(size, 4096) :]
        return piece


@pytest.mark.parametrize("name", ["gzip", "gzip in members", "zstandard", "zstandard in frames"])
@pytest.mark.parametrize("lost", [1, 4, 9, 500])
def test_packed_data_that_break_off_are_an_error_with_the_files_name(name, lost, tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(PACKED[name][:-lost])
    with pytest.raises(BadData, match=r"cut\.gz: the compressed data break off"):
        drained(path)


@pytest.mark.parametrize("name", ["gzip", "zstandard"])
def test_packed_data_that_are_damaged_are_an_error(name, tmp_path):
    path = tmp_path / "bad.gz"
    damaged = bytearray(PACKED[name])
    damaged[len(damaged) // 2 : len(damaged) // 2 + 9] = bytes(range(200, 209))
    path.write_bytes(damaged)
    with pytest.raises(BadData, match="damaged"):
        drained(path)


def test_garbage_after_a_member_is_an_error(tmp_path):
    path = tmp_path / "tail.gz"
    path.write_bytes(gzip.compress(TEXT) + b"garbage")
    with pytest.raises(BadData, match="damaged"):
        drained(path)


def test_standard_input_can_be_read_twice(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(TEXT))))
    assert contents("-") == [("standard input", TEXT)]


@pytest.mark.parametrize("name", ["gzip", "zstandard"])
def test_compressed_data_may_not_grow_without_end(name, tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.readers.source.ALWAYS", 1 << 20)
    row, path = b"1 1:1\n", tmp_path / "bomb.svm.gz"
    long = row * 1_000_000
    path.write_bytes(gzip.compress(long) if name == "gzip" else zstandard.compress(long))
    refused = r"bomb\.svm\.gz: the compressed data grow to more than 50 times their size; .*--expansion"
    with pytest.raises(BadData, match=refused):
        list(read(path, expansion=50).chunks())
    assert sum(map(len, read(path, expansion=10**6).chunks())) == 1_000_000
    path.write_bytes(gzip.compress(row * 170_000))
    assert sum(map(len, read(path, expansion=50).chunks())) == 170_000


class Full:
    """A limit on the size of files, at which a write comes up short, as on a disk that is full."""

    def __init__(self, size):
        self.size = size

    def __enter__(self):
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *problem):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


def test_standard_input_that_cannot_be_kept_whole_is_an_error(monkeypatch):
    long = TEXT * 12
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(long))))
    refused = r"standard input: it is kept in .* which failed: File too large; the variable TMPDIR"
    with Full(MEMORY + 1000), pytest.raises(BadData, match=refused):
        drained("-")


def test_what_is_read_once_is_kept_on_no_disk(monkeypatch):
    long = TEXT * 12
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(long))))
    (part,) = list_files("-")
    with Full(1000):
        with part.open() as file:
            assert long.startswith(file.read(100))
        part.forget()
        with part.open() as file:
            assert file.read() == long
        with part.open() as file, pytest.raises(BadData, match="standard input: this can be read only once"):
            file.read()


def test_a_named_pipe_can_be_read_twice(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(TEXT,))
    writer.start()
    assert contents(path) == [(str(path), TEXT)]
    writer.join()


def test_a_file_object_is_read_from_where_it_stands_and_stays_open(tmp_path):
    path = tmp_path / "open.svm"
    path.write_bytes(TEXT)
    with path.open("rb") as file:
        file.seek(7)
        assert contents(file) == [(str(path), TEXT[7:])]
        assert not file.closed


def test_an_address_is_opened_through_fsspec():
    import fsspec

    system = fsspec.filesystem("memory")
    for name in ("one", "two"):
        with system.open(f"/folder/{name}.svm", "wb") as file:
            file.write(gzip.compress(name.encode()))
    assert [text for _, text in contents("memory://folder/one.svm")] == [b"one"]
    assert [text for _, text in contents("memory://folder/*.svm")] == [b"one", b"two"]
    with pytest.raises(BadData, match="there is no such file"):
        list_files("memory://folder/*.csv")


@pytest.mark.parametrize("scheme", ["nonsense", "zip", "tar", "dir", "data", "reference", "git", "generic", "cached"])
@pytest.mark.parametrize("chain", ["", "simplecache::"])
def test_addresses_of_other_kinds_are_refused_in_words(scheme, chain):
    said = rf"addresses that begin with {chain}{scheme}:// cannot be read, only file://, .*https://.*s3://"
    with pytest.raises(BadParameter, match=said):
        list_files(f"{chain}{scheme}://folder/x")


def test_whatever_an_address_of_a_known_kind_raises_is_said_in_words(monkeypatch):
    import fsspec

    for raised in (TypeError("an argument is missing"), RuntimeError(), AttributeError("fo")):

        def fail(*given, raised=raised, **options):
            raise raised

        monkeypatch.setattr(fsspec, "open_files", fail)
        with pytest.raises(BadData, match=rf"s3://b/x: cannot be opened: {str(raised) or type(raised).__name__}"):
            list_files("s3://b/x")


def test_a_missing_package_is_one_line_that_names_the_extra(monkeypatch, tmp_path):
    path = tmp_path / "x.zst"
    path.write_bytes(PACKED["zstandard"])
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(BadParameter, match=r"x\.zst needs the package zstandard: install littlestone\[zstd\]"):
        list_files(path)[0].open()
    with pytest.raises(BadParameter, match=r"s3://b/x needs the package fsspec: install littlestone\[remote\]"):
        list_files("s3://b/x")


def test_what_is_no_source_is_refused(tmp_path):
    with pytest.raises(BadData, match="there is no such file"):
        list_files(tmp_path / "nothing.svm")
    with pytest.raises(BadData, match="there is no such file"):
        list_files(str(tmp_path / "*.svm"))
    with pytest.raises(BadData, match="this is a folder"):
        list_files(tmp_path)
    with pytest.raises(BadParameter, match="must not be empty"):
        list_files([])
    with pytest.raises(BadParameter, match="not empty, got ''"):
        list_files("")
    with pytest.raises(BadParameter, match="binary mode"):
        list_files(io.StringIO("1 2:3"))
    with pytest.raises(BadParameter, match="got 7"):
        list_files(7)


def test_text_from_an_object_that_only_reads_is_refused():
    class Texts:
        def read(self, size=-1):
            return "text"

    with pytest.raises(BadParameter, match="must give bytes, got a str"):
        list_files(Texts())[0].open()


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    path = tmp_path / "secret.svm"
    path.write_bytes(b"1")
    (part,) = list_files(path)
    path.unlink()
    with pytest.raises(BadData, match=r"secret\.svm: cannot be opened: No such file"):
        part.open()


@pytest.mark.parametrize(
    ("thing", "yes"), [("a", True), (["a"], True), (io.BytesIO(), True), (7, False), ([], False), ([[1]], False)]
)
def test_a_source_is_told_from_other_things(thing, yes):
    assert is_source(thing) is yes
