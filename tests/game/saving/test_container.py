"""The container: its bytes, its promises when writing fails, and its distrust of any other bytes."""

import gzip
import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from fuzz.model import signed
from littlestone.base.errors import BadModel
from littlestone.game.saving.container import HEAD, LONGEST, read, write

ARRAYS = {
    "weights": np.arange(6.0).reshape(2, 3),
    "inner.counts": np.array([1, -2]),
    "short": np.array([1, 2, 3], np.int8),
    "none": np.zeros((0, 4), np.float32),
    "flags": np.array([True, False]),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.lst"


def made(path, document=None, arrays=None):
    write(path, document or {"about": {"a": "ü", "b": 1}}, ARRAYS if arrays is None else arrays)
    return path.read_bytes()


def edited(data, change):
    """The file with another header, its length and checksum put right."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    change(header)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return signed(len(text).to_bytes(8, "little") + text + data[8 + length :])


def refusal(path, data):
    path.write_bytes(data)
    with pytest.raises(BadModel) as problem:
        read(path)
    assert str(problem.value).startswith(str(path))
    return str(problem.value).removeprefix(str(path)).strip()


def test_what_was_written_is_read(path):
    made(path)
    document, arrays = read(path)
    assert document["about"] == {"a": "ü", "b": 1}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in arrays.items():
        assert array.dtype == ARRAYS[name].dtype
        assert array.shape == ARRAYS[name].shape
        assert array.tobytes() == ARRAYS[name].tobytes()
        assert array.flags.writeable
        assert array.flags.aligned
        assert array.flags.c_contiguous


def test_any_reader_of_safetensors_opens_it(path):
    made(path)
    for name, array in safetensors.numpy.load_file(path).items():
        np.testing.assert_array_equal(array, ARRAYS[name])
    with safetensors.safe_open(path, "numpy") as file:
        assert list(file.metadata()) == ["littlestone"]
        assert json.loads(file.metadata()["littlestone"])["about"]["b"] == 1


def test_the_bytes_depend_on_nothing_but_the_contents(path):
    turned = {
        name: np.asfortranarray(ARRAYS[name]).astype(ARRAYS[name].dtype.newbyteorder(">")) for name in reversed(ARRAYS)
    }
    assert made(path, {"b": 1, "a": [2]}) == made(path, {"a": [2], "b": 1}, turned)


def test_the_old_file_stays_until_the_new_one_is_on_the_disk(path, monkeypatch):
    before = made(path)
    for name in ("fsync", "replace"):

        def fails(*arguments):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, name, fails)
            with pytest.raises(OSError, match="No space"):
                made(path, {"about": {}})
        assert path.read_bytes() == before
        assert os.listdir(path.parent) == ["m.lst"]


def test_file_and_folder_are_forced_to_the_disk_around_the_renaming(path, monkeypatch):
    done = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append(os.fstat(handle).st_mode >> 12), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("replace"), replace(*names)))
    made(path)
    assert done == [0o100000 >> 12, "replace", 0o040000 >> 12]


def test_it_has_the_permissions_of_any_new_file(path):
    before = os.umask(0o027)
    try:
        made(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(path):
    link = path.with_name("latest.lst")
    link.symlink_to("m.lst")
    write(link, {"a": 1}, {})
    assert link.is_symlink()
    assert read(path)[0]["a"] == 1


def test_every_flipped_bit_is_noticed(path):
    data = made(path)
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << place % 8
        refusal(path, bytes(damaged))


@given(st.data())
def test_every_other_length_is_noticed(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("cut") / "m.lst"
    whole = made(path)
    cut = data.draw(st.integers(0, len(whole) - 1) | st.just(len(whole) - 1))
    words = refusal(path, whole[:cut])
    assert "cut short" in words or "empty" in words or "not a model file" in words
    refusal(path, whole + data.draw(st.binary(min_size=1, max_size=9)))


def archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("a", "b")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty, not a model file"),
        (b"+1 3:1 7:0.5\n-1 2:1\n", "is text, not a model file"),
        (b"label,x\r\n1,2\r\n" * 20, "is text, not a model file"),
        (archive(), "is a zip archive, not a model file"),
        (gzip.compress(b"1 2:3"), "is a gzip file, not a model file"),
        (pickle.dumps([1, 2]), "is a pickle, not a model file"),
        (safetensors.numpy.save(ARRAYS | {}), "is a safetensors file that littlestone did not write, or a damaged one"),
        (bytes(range(255, 100, -1)), "is not a model file, or damaged in its first bytes"),
    ],
    ids=["nothing", "svmlight", "csv", "zip", "gzip", "pickle", "safetensors", "bytes"],
)  # fmt: skip
def test_a_file_of_another_kind_is_called_what_it_is(path, data, words):
    assert refusal(path, data) == words


def test_what_is_no_file_is_refused(path):
    with pytest.raises(BadModel, match=r"m\.lst does not exist"):
        read(path)
    with pytest.raises(BadModel, match="is a folder, not a model file"):
        read(path.parent)
    os.mkfifo(path)
    with pytest.raises(BadModel, match="is not a regular file"):
        read(path)


def test_a_later_format_names_the_version_it_needs(path):
    def later(header):
        text = header["__metadata__"]["littlestone"]
        header["__metadata__"]["littlestone"] = text.replace('"format":1,"needs":"0.1.0"', '"format":7,"needs":"3.2.0"')

    data = edited(made(path), later)
    assert refusal(path, data) == "is of format 7: littlestone 3.2.0 or later reads it; this one reads formats up to 2"
    data = data.replace(b'\\"format\\":7', b'\\"format\\":0')
    assert refusal(path, signed(data)) == "is of format 0: this version reads formats up to 2"


def test_a_header_longer_than_the_file_or_the_limit_is_not_read(path):
    data = made(path)
    for length in (len(data), LONGEST + 1, 2**63, 2**64 - 1, 0, len(HEAD)):
        assert "damaged or cut short" in refusal(path, signed(length.to_bytes(8, "little") + data[8:]))


def described(**changes):
    return lambda header: header["weights"].update(changes)


@pytest.mark.parametrize(
    "change",
    [
        described(shape=[2, 4]), described(shape=[2**40, 2**40]), described(shape=[-2, -3]), described(shape=["2", 3]),
        described(shape=[2.0, 3]), described(shape=6), described(shape=[1] * 9 + [6]), described(dtype="F16"),
        described(dtype=["F64"]), described(data_offsets=[0, 40]), described(data_offsets=[8, 56]),
        described(data_offsets=[0, 2**62]), described(data_offsets=[48, 0]), described(data_offsets=[0]),
        lambda header: header.update(weights=3), lambda header: header.pop("weights"),
        lambda header: header.update(more=header["weights"]),
        lambda header: header.update(more={"dtype": "U8", "shape": [1], "data_offsets": [2**40, 2**40 + 1]}),
    ],
)  # fmt: skip
def test_a_forged_table_of_arrays_is_refused_before_anything_is_allocated(path, change):
    assert "is inconsistent" in refusal(path, edited(made(path), change))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'\\"format\\":1', b'\\"formal\\":1'),
        (b'\\"format\\":1', b'\\"format\\":true'),
        (b'\\"format\\":1', b'\\"format\\":1.0'),
        (b'}"},', b'}","more":"x"},'),
    ],
)
def test_a_document_that_says_nothing_of_its_format_is_refused(path, old, new):
    data = made(path)
    length = int.from_bytes(data[:8], "little") + len(new) - len(old)
    forged = signed(length.to_bytes(8, "little") + data[8:].replace(old, new, 1))
    assert refusal(path, forged) == "has no document that says what it holds"


def test_an_array_of_truth_values_holds_zeros_and_ones(path):
    write(path, {"a": 1}, {"known": np.array([True, False, True])})
    data = path.read_bytes()
    assert data[-3:] == b"\1\0\1"
    said = refusal(path, signed(data[:-3] + b"\1\2\1"))
    assert said == "is inconsistent: array known holds 2 where true or false belongs"


def test_arrays_of_other_types_are_refused_by_name(path):
    with pytest.raises(BadModel, match=r"no room for an array of type complex128: z"):
        write(path, {"a": 1}, {"z": np.zeros(1, complex)})


def test_what_is_not_json_is_refused_when_it_is_written(path):
    for about in ({"a": object()}, {"a": float("nan")}, {"a": {1, 2}}):
        with pytest.raises(BadModel, match="must be JSON"):
            write(path, {"about": about}, {})
    assert os.listdir(path.parent) == []
