import os
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import littlestone as ls
from littlestone.base.chunks import Tokens
from littlestone.base.errors import BadData, BadParameter
from littlestone.base.features.schema import Schema
from littlestone.readers.cache import Cached
from littlestone.readers.reading import Reading, read

FILES = {
    "rows.svm": (b"+1 1:0.5 3:2\n-1 2:1\n+1\n" * 50, {}),
    "dense.csv": (b"a,b,label\n1,2,yes\n3,4,no\n" + b"5,6,maybe\n" * 50, {}),
    "wide.csv": (b"a,label\n0.1,1.5\n0.2,2\n", {"real": "float64"}),
    "mixed.csv": (b"a,b,label\n1,x,1\n,y,0\n2,x,1\n", {}),
    "names.csv": ("a,b,label\nx,é,\xff\n".encode("latin-1") + b"y,z,w\n", {}),
    "bad.csv": (b"a,label\n1,0\nx,1\n2,1\n", {"on_error": "skip", "like": Schema("csv", "label", (("a", "number"),))}),
    "words.csv": (b"a,label\n1,0\nx,1\n2,1\n", {"types": {"a": "number"}}),
    "long.svm": (b"9007199254740993 1:1\n0.5 1:1\n36893488147419103233 2:1\n9007199254740992 1:1\n", {}),
    "unlabelled.csv": (b"a,b\n1,2\n", {"labelled": False}),
}


def written(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FILES[name][0])
    return path, FILES[name][1]


def rounds(stream):
    """Rows and labels, to the bit, whatever chunks they come in."""
    said = []
    for chunk in stream.chunks():
        for t in range(len(chunk)):
            row = chunk[t]
            if not isinstance(chunk, Tokens):
                row = tuple(None if part is None else (part.dtype.str, part.tobytes()) for part in row)
            said.append((row, chunk.labels[t], type(chunk.labels[t])))
    return said


@pytest.mark.parametrize("name", FILES)
def test_further_passes_give_the_same_rounds_and_read_no_source(tmp_path, name, monkeypatch):
    path, options = written(tmp_path, name)
    plain = read(path, **options)
    expected = rounds(plain)
    stream = read(path, cache=True, **options)
    assert rounds(stream) == expected
    assert sorted(file.name for file in tmp_path.iterdir()) == [name, f"{name}.cache.arrow"]
    again = read(path, cache=True, **options)
    monkeypatch.setattr("littlestone.readers.reading.read_blocks", None)
    assert rounds(again) == rounds(stream) == expected
    assert again.skipped == plain.skipped
    assert str(again) == f"{plain}, kept in {path}.cache.arrow"


def test_a_second_pass_is_played_where_the_file_lies(tmp_path):
    path, _ = written(tmp_path, "rows.svm")
    stream = read(path, cache=True)
    games = [ls.play(ls.Perceptron(), stream) for _ in range(2)]
    assert games[0].mistakes == games[1].mistakes
    assert (games[0].player.state.weights == games[1].player.state.weights).all()
    (chunk,) = stream.chunks()
    assert not any(part.flags.writeable or part.flags.owndata for part in (chunk.indptr, chunk.indices, chunk.values))


def test_it_is_made_anew_when_the_source_or_an_option_has_changed(tmp_path):
    path, _ = written(tmp_path, "dense.csv")
    before = rounds(read(path, cache=True))
    assert rounds(read(path, cache=True, label="a")) != before
    assert rounds(read(path, cache=True, label="a")) == rounds(read(path, label="a"))
    path.write_bytes(b"a,b,label\n7,8,yes\n")
    assert len(rounds(read(path, cache=True))) == 1
    same = path.read_bytes().replace(b"7", b"9")
    os.utime(path, ns=(1, 1))
    old = rounds(read(path, cache=True))
    path.write_bytes(same)
    assert rounds(read(path, cache=True)) != old
    assert rounds(read(path, cache=True)) == rounds(read(path))


def test_a_pass_that_is_not_finished_leaves_nothing(tmp_path):
    path, _ = written(tmp_path, "rows.svm")
    chunks = read(path, cache=True).chunks()
    next(chunks)
    chunks.close()
    path, _ = written(tmp_path, "bad.csv")
    with pytest.raises(BadData, match="line 3"):
        rounds(read(path, cache=True, like=Schema("csv", "label", (("a", "number"),))))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.csv", "rows.svm"]


def test_a_damaged_cache_is_made_anew(tmp_path, capsys):
    path, _ = written(tmp_path, "rows.svm")
    expected = rounds(read(path, cache=True))
    kept = tmp_path / "rows.svm.cache.arrow"
    whole = kept.read_bytes()
    assert capsys.readouterr().err == ""
    at = whole.index(np.array([1, 3, 2, 1, 3], np.int32).tobytes())
    changed = whole[:at] + b"\xff\xff\xff\xff" + whole[at + 4 :]
    for damaged in (b"garbage", whole[: len(whole) // 2], whole[:-1], changed):
        kept.write_bytes(damaged)
        assert rounds(read(path, cache=True)) == expected
        said = capsys.readouterr().err
        assert said.startswith(f"{kept}: ")
        assert said.endswith("; the data are parsed again\n")
        assert said.count("\n") == 1
        assert kept.read_bytes() == whole
        assert rounds(read(path, cache=True)) == expected
        assert capsys.readouterr().err == ""


def test_rounds_played_before_the_damage_are_not_played_twice(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.readers.cache.ENTRIES", 10)
    source = [tmp_path / f"{k}.svm" for k in range(3)]
    for k, part in enumerate(source):
        part.write_bytes(b"%d 1:1 %d:2\n" % (k % 2, k + 2) * 10)
    expected = rounds(read(source, cache=True))
    kept = tmp_path / "0.svm.cache.arrow"
    whole = kept.read_bytes()
    at = whole.rindex(np.array([1, 4, 1, 4], np.int32).tobytes())
    kept.write_bytes(whole[:at] + b"\0" + whole[at + 1 :])
    assert rounds(read(source, cache=True)) == expected
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("name", ["rows.svm", "mixed.csv", "wide.csv"])
def test_flipped_bits_change_no_weight(tmp_path, name, capsys):
    path, options = written(tmp_path, name)

    def weights():
        return ls.play(ls.Perceptron(), read(path, cache=True, **options)).player.state.weights.tobytes()

    expected = weights()
    kept = path.with_name(f"{name}.cache.arrow")
    whole, chance = bytearray(kept.read_bytes()), np.random.default_rng(20)
    for _ in range(40):
        at, bit = int(chance.integers(len(whole))), int(chance.integers(8))
        damaged = whole.copy()
        damaged[at] ^= 1 << bit
        kept.write_bytes(damaged)
        assert weights() == expected, (at, bit)
    assert "parsed again" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["indptr", "indices", "which", "starts", "lengths"])
def test_numbers_out_of_bounds_are_refused_though_their_checksum_is_right(tmp_path, part, monkeypatch, capsys):
    path = tmp_path / "words.csv"
    path.write_text("colour,size,label\nred,1,yes\nblue,2,no\nred,3,yes\n")
    if part == "indices":
        path, _ = written(tmp_path, "rows.svm")
    expected = rounds(read(path))
    make = Cached._make_record

    def forge(self, schema, chunk):
        if chunk is not None:
            wrong = getattr(chunk, part).copy()
            wrong[1] = 2**30
            chunk = replace(chunk, **{part: wrong})
        return make(self, schema, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(Cached, "_make_record", forge)
        assert rounds(read(path, cache=True)) == expected
    assert rounds(read(path, cache=True)) == expected
    assert "out of their bounds" in capsys.readouterr().err


def test_it_can_be_put_elsewhere_and_must_have_a_place(tmp_path):
    path, _ = written(tmp_path, "rows.svm")
    rounds(read(path, cache=tmp_path / "other.arrow"))
    assert pa.ipc.open_file(str(tmp_path / "other.arrow")).num_record_batches == 2
    with pytest.raises(BadParameter, match=r"cannot be written.*another place"):
        rounds(read(path, cache=tmp_path / "no such folder" / "x.arrow"))
    with pytest.raises(BadParameter, match="local files, not of"), path.open("rb") as file:
        read(file, "svmlight", cache=True)


def test_several_files_are_kept_together_and_long_ones_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.readers.cache.ENTRIES", 10)
    for k in range(3):
        (tmp_path / f"{k}.svm").write_bytes(b"%d 1:1 %d:2\n" % (k % 2, k + 2) * 10)
    source = str(tmp_path / "*.svm")
    expected = rounds(read(source))
    assert rounds(read(source, cache=True)) == expected
    assert rounds(read(source, cache=True)) == expected
    assert len(list(read(source, cache=True).chunks())) == 3


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device on this system")
def test_a_full_disk_is_no_matter_to_one_who_reads_no_further(tmp_path):
    path, _ = written(tmp_path, "rows.svm")
    full = SimpleNamespace(**vars(pa) | {"OSFile": lambda *_: pa.OSFile("/dev/full", "wb")})
    for given in (pa, full):
        stream = read(path, cache=True)
        stream._arrow = given
        chunks = stream.chunks()
        assert len(next(chunks)) == 150
        chunks.close()
    assert [file.name for file in tmp_path.iterdir()] == ["rows.svm"]
    with pytest.raises(OSError, match="No space left"):
        list(stream.chunks())


@pytest.mark.parametrize("place", [0, 400, -2])
def test_other_bytes_of_the_same_size_and_time_are_noticed(tmp_path, place):
    path = tmp_path / "rows.svm"
    lines = [f"{t % 2} {t % 9 + 1}:1 {t % 5 + 11}:{t % 7}" for t in range(501)]
    path.write_text("\n".join(lines))
    before = path.stat()
    assert [chunk.labels.tolist() for chunk in read(path, cache=True).chunks()]
    lines[place] = f"{1 - int(lines[place][0])}{lines[place][1:]}"
    path.write_text("\n".join(lines))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # as cp -p and rsync -t leave it
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    found = [label for chunk in read(path, cache=True).chunks() for label in chunk.labels.tolist()]
    assert found == [int(line[0]) for line in lines]


def test_a_file_that_was_only_touched_is_not_parsed_again(tmp_path, monkeypatch):
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n0 2:1\n" * 50)
    kept = [chunk.labels.tolist() for chunk in read(path, cache=True).chunks()]
    os.utime(path, (1, 1))
    monkeypatch.setattr(Reading, "parse_files", lambda self: pytest.fail("it was parsed"))
    assert [chunk.labels.tolist() for chunk in read(path, cache=True).chunks()] == kept
