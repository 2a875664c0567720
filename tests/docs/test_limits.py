"""What the page of limits says: each number is the code's, and what happens beyond it is as said.

Tested elsewhere: records without an end (tests/readers/test_reading.py), names of a block (tests/readers/test_vw.py),
indices (tests/readers/test_svmlight.py, test_parquet.py), compressed data cut short (tests/readers/test_source.py),
classes that are too large (tests/concepts/test_every_class.py), a third class (tests/cli/commands/test_learn.py), names
beyond a limit (tests/base/features), addresses (tests/cluster/test_connection.py), memory
(tests/game/test_growth.py, tests/cli/commands/test_memory.py), many classes (tests/game/test_evaluation.py,
tests/cli/test_many_classes.py), headers
(tests/readers/table/test_csv.py), compressed data that grow (tests/readers/test_source.py), sizes of
numbers (tests/learners/test_domain.py, test_ellipsoid.py).
"""

import gzip
import io

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone import cluster
from littlestone.base import domain, errors
from littlestone.base.errors import BadData, BadModel
from littlestone.cli import main
from littlestone.cli.commands.learn import learn
from littlestone.cluster import connection
from littlestone.concepts import packed
from littlestone.game import evaluation, growth
from littlestone.game.saving import container
from littlestone.guarantees import signed_rows
from littlestone.learners.conversions import pool
from littlestone.readers import blocks, kept_stream, reading, source, vw
from littlestone.readers.arrow_lists import TOP
from places import DOCS

PAGE = (DOCS / "limits.md").read_text()


@pytest.mark.parametrize(
    "shown",
    [
        f"{blocks.LIMIT:,} bytes | refused",
        f"the first {blocks.HEAD:,} bytes",
        f"{vw.LONGEST:,} bytes, a namespace",
        f"the first {reading.PLACES}; all are counted",
        f"blocks of {blocks.SIZE:,} bytes",
        f"at most {container.LONGEST:,}\nbytes",
        f"| {TOP - 1:,} | refused",
        f"holds {packed.LIMIT:,} concepts",
        f"at most {pool.LIMIT:,} concepts",
        f"float64 | {domain.WIDE.least:.1e} to {domain.WIDE.most:.1e} in size",
        f"read | {domain.NARROW.least:.1e} to {domain.NARROW.most:.1e} in size",
        "`Romma` | {:.1e} to {:.1e} in size".format(*ls.Romma().domains[8]),
        f"0 or {errors.SMALLEST:g} to {errors.LARGEST:g} |",
        f"within {connection.PATIENCE} seconds",
        f"up to {cluster.RETRIES} times",
        f"limited to {growth.MEMORY >> 30} GB",
        f"within the {growth.MEMORY >> 30} GB",
        f"at most {signed_rows.WIDEST:,} attributes",
        f"counted for up to {evaluation.MOST:,} classes",
        f"more than {reading.MANY} classes that are more than a tenth of the rows read",
        f"| {source.EXPANSION} times the bytes read so far, and {source.ALWAYS:,} bytes",
        f"kept in memory | {kept_stream.MEMORY:,} bytes",
    ],
)
def test_the_numbers_are_those_of_the_code(shown):
    assert shown in PAGE


def test_types_are_settled_by_the_beginning_and_what_does_not_fit_is_refused():
    rows = b"a,label\n" + b"1,x\n" * (blocks.HEAD // 4) + b"word,x\n"
    with pytest.raises(BadData, match="'word'"):
        list(ls.read(io.BytesIO(rows), "csv").chunks())
    told = ls.read(io.BytesIO(rows), "csv", types={"a": "nominal"})
    assert sum(map(len, told.chunks())) == blocks.HEAD // 4 + 1


def test_all_skipped_records_are_counted_and_the_first_are_listed():
    skipping = ls.read(io.BytesIO(b"1 1:1\n" + b"x\n" * 25), "svmlight", on_error="skip")
    list(skipping.chunks())
    assert (skipping.skipped.count, len(skipping.skipped.places)) == (25, reading.PLACES)


@pytest.mark.parametrize("bits", ["0", "31"])
def test_bits_beyond_the_limits_are_wrong_usage(bits, tmp_path):
    (tmp_path / "a.txt").write_text("ham\tword\n")
    assert CliRunner().invoke(main, ["learn", str(tmp_path / "a.txt"), "--bits", bits]).exit_code == 2


def test_a_header_that_is_too_long_is_not_saved_and_the_old_file_stays(tmp_path, monkeypatch):
    player, path = ls.Player(ls.Perceptron()), tmp_path / "m.lst"
    player.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(container, "LONGEST", 4000)
    with pytest.raises(BadModel, match="header holds 4000 bytes; this one would take"):
        player.save(path, {"note": "x" * 5000})
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [before]


def test_memory_is_limited_as_the_option_says():
    (memory,) = (one for one in learn.params if one.name == "memory")
    assert memory.default == growth.MEMORY / 2**30
    assert ls.Player.memory == growth.MEMORY


def test_compressed_data_may_grow_as_far_as_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "ALWAYS", 1 << 16)
    path = tmp_path / "a.svm.gz"
    path.write_bytes(gzip.compress(b"1 1:1\n" * 200_000))
    with pytest.raises(BadData, match="--expansion"):
        list(ls.read(path).chunks())
    assert sum(map(len, ls.read(path, expansion=5000).chunks())) == 200_000
