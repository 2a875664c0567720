"""Learning on a real Ray of two workers: the same bits as here, whatever happens to the workers."""

import os
import shutil
import signal
import tempfile
import threading

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone import cluster
from littlestone.base.errors import BadData, BadModel, BadParameter
from littlestone.base.learner import fingerprint
from littlestone.cli import main
from littlestone.cluster.passes import play_serially
from places import ROOT
from processes import processes, reader_of


@pytest.fixture(scope="module")
def ray():
    """Ray with two workers; every process that it starts has ended when the module has."""
    ray = pytest.importorskip("ray")
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # a socket's path must be short
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    patch.setenv("RAY_AUTH_TOKEN", "f" * 64)  # so that none is written into anybody's home
    started = set(processes())
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 * 2**20,
        _temp_dir=folder,
        log_to_driver=False,
        logging_level="error",
    )
    ours = {pid for pid, (_, command) in processes().items() if pid not in started and folder in command}
    assert len(ours) >= 2  # a raylet and a control store at least
    yield ray
    ray.shutdown()
    patch.undo()
    left = {pid for pid, (_, command) in processes().items() if folder in command}
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    assert not left


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """Eight files of rounds of three classes."""
    rng, folder = np.random.default_rng(0), tmp_path_factory.mktemp("shards")
    W = rng.normal(size=(20, 3))
    for number in range(8):
        X = rng.normal(size=(300, 20)).round(2)
        y = np.argmax(X @ W, axis=1)
        rows = (f"{c} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(x)) for x, c in zip(X, y, strict=True))
        (folder / f"{number}.svm").write_text("".join(f"{row}\n" for row in rows))
    return folder


def saved(run, path):
    run.player.save(path)
    return path.read_bytes()


@pytest.mark.long
def test_a_cluster_gives_the_bits_of_one_process_and_goes_on_where_it_stopped(ray, shards, tmp_path):
    assert ray.is_initialized()
    learner, glob = ls.Network(ls.AveragedPerceptron()), f"{shards}/*.svm"
    whole = cluster.learn(
        learner, glob, passes=3, weights="updates", checkpoint=tmp_path / "whole.lst", execute=play_serially
    )
    cluster.learn(learner, glob, passes=2, weights="updates", checkpoint=tmp_path / "part.lst")
    rest = cluster.learn(None, glob, passes=3, weights="updates", checkpoint=tmp_path / "part.lst", resume=True)
    assert (tmp_path / "part.lst").read_bytes() == (tmp_path / "whole.lst").read_bytes()
    assert saved(rest, tmp_path / "rest.lst") == saved(whole, tmp_path / "here.lst")
    assert str(rest) == str(whole)
    assert len(str(rest).splitlines()) == 4
    assert rest.player.tally.rounds == 3 * 8 * 300
    assert ls.load(tmp_path / "part.lst").tally == rest.player.tally
    with pytest.raises(BadModel, match="no checkpoint"):
        cluster.learn(learner, glob, passes=3, checkpoint=tmp_path / "part.lst", resume=True)


def feed(pipe, content, kills, died, done):
    """Write a shard into a pipe for whoever opens it; whoever has read half of the first one is killed."""
    while not done.is_set():
        handle = os.open(pipe, os.O_WRONLY)  # waits for a reader
        reader = reader_of(pipe)
        pipe.unlink()
        os.mkfifo(pipe)  # whoever opens it next gets a pipe of its own
        try:
            with os.fdopen(handle, "wb", buffering=0) as file:
                if done.is_set():
                    return
                if kills:
                    file.write(content[: len(content) // 2])
                    died.append(reader)
                    os.kill(reader, kills.pop())
                else:
                    file.write(content)
        except BrokenPipeError:
            pass


def test_a_worker_killed_in_mid_pass_changes_no_bit(ray, shards, tmp_path):
    pipe, content = tmp_path / "5.svm", (shards / "5.svm").read_bytes()
    os.mkfifo(pipe)
    paths = [pipe if number == 5 else shards / f"{number}.svm" for number in range(8)]
    files, died = [], []
    for kills in ([], [signal.SIGKILL]):
        done, begun = threading.Event(), len(died)
        killing = bool(kills)
        thread = threading.Thread(target=feed, args=(pipe, content, kills, died, done))
        thread.start()
        try:
            model = tmp_path / "m.lst"
            cluster.learn(None, paths, passes=2, checkpoint=model, seed=3)
            files.append(model.read_bytes())
        finally:
            done.set()
            while thread.is_alive():  # it may wait for a reader
                os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
                thread.join(0.05)
        assert len(died) - begun == killing
    assert died[0] not in processes()
    assert files[0] == files[1]
    plain = cluster.learn(None, f"{shards}/*.svm", passes=2, seed=3, execute=play_serially)
    assert fingerprint(plain.player.state) == fingerprint(ls.load(model).state)


def test_a_shard_that_cannot_be_read_stops_the_run_with_its_name_or_is_reported(ray, shards, tmp_path):
    gone = tmp_path / "gone.svm"
    paths = [shards / "0.svm", gone, shards / "1.svm"]
    with pytest.raises(BadData, match=r"gone\.svm"):
        cluster.learn(None, paths)
    run = cluster.learn(None, paths, on_error="skip")
    assert [one.shards for one in run.passes] == [2]
    assert "gone.svm" in run.passes[0].absent[0]
    assert "gone.svm" in str(run)
    others = cluster.learn(None, paths[::2], execute=play_serially)
    assert fingerprint(others.player.state) == fingerprint(run.player.state)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ray's own settings
def test_the_blocks_of_a_dataset_are_shards(ray, tmp_path):
    import pyarrow as pa
    import ray.data

    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 3))
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "label": (X[:, 0] > 0).astype(int)})
    tables = [table[:30], table[30:]]
    run = cluster.learn(ls.Perceptron(), ray.data.from_arrow(tables), passes=2)
    rows = [ls.Recorded(X[a:b], X[a:b, 0] > 0) for a, b in ((0, 30), (30, 60))]
    here = cluster.learn(ls.Perceptron(), rows, passes=2, execute=play_serially)
    assert run.player.tally == here.player.tally
    assert run.mixed == here.mixed
    assert here.certificate().holds


def test_the_command_learns_shards_on_a_cluster(ray, shards, tmp_path):
    model = tmp_path / "m.lst"
    command = ["learn", f"{shards}/*.svm", "--cluster", "auto", "--passes", "2", "--model", str(model)]
    result = CliRunner().invoke(main, [*command, "--json"])
    assert result.exit_code == 0, result.output
    run = cluster.learn(None, f"{shards}/*.svm", passes=2, checkpoint=tmp_path / "here.lst", execute=play_serially)
    assert model.read_bytes() == (tmp_path / "here.lst").read_bytes()
    assert f'"updates": {run.player.tally.updates}' in result.output
    shown = CliRunner().invoke(main, [*command[:-1], str(tmp_path / "other.lst")])
    assert "mixed" in shown.output
    once = CliRunner().invoke(main, ["learn", f"{shards}/*.svm", "--cluster", "auto"])
    assert ["no shard has learned from the others" in one.output for one in (shown, once)] == [False, True]
    refused = CliRunner().invoke(main, [*command, "--holdout", "5"])
    assert refused.exit_code != 0


@pytest.fixture
def tables(tmp_path):
    """Four tables with a column of words, whose values come in another order in each."""
    colours = ["red", "green", "blue"]
    for number in range(4):
        rows = [
            f"{colours[(number + t) % 3]},{t % 5},{'yes' if (number + t) % 3 == t % 2 else 'no'}" for t in range(60)
        ]
        (tmp_path / f"{number}.csv").write_text("\n".join(["colour,size,label", *rows, ""]))
    return f"{tmp_path}/*.csv"


def test_the_command_mixes_by_updates_and_learns_tables_with_words_when_they_are_hashed(ray, tables, tmp_path):
    model = tmp_path / "m.lst"
    options = ["--cluster", "auto", "--mixing", "updates", "--bits", "8", "--cross", "colour:size", "--passes", "2"]
    result = CliRunner().invoke(main, ["learn", tables, *options, "--model", str(model), "--quiet"])
    assert result.exit_code == 0, result.output
    runs = {
        (weights, cross): cluster.learn(None, tables, 2, None, weights, features=features, execute=play_serially)
        for weights in ("uniform", "updates")
        for cross, features in (((), ls.Hashed(8)), (("colour:size",), ls.Crossed(ls.Hashed(8), ["colour:size"])))
    }
    prints = {given: fingerprint(run.player.state) for given, run in runs.items()}
    assert len(set(prints.values())) == 4
    assert fingerprint(ls.load(model).state) == prints["updates", ("colour:size",)]


def test_attributes_by_name_are_refused_in_one_line_with_the_remedy_before_ray_starts(tables, monkeypatch):
    monkeypatch.setattr(cluster, "connect", None)  # to call it would be another error
    result = CliRunner().invoke(main, ["learn", tables, "--cluster", "local"])
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "Hashed(bits)" in line
    assert "--bits" in line


def test_without_ray_one_line_names_the_extra(monkeypatch, shards):
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadParameter, match=r"littlestone\[cluster\]"):
        cluster.learn(None, f"{shards}/*.svm")


def test_what_makes_no_sense_is_refused_before_anything_is_started(shards, tmp_path):
    for wrong in ({"passes": 0}, {"workers": 0}, {"resume": True}):
        with pytest.raises(BadParameter):
            cluster.learn(None, f"{shards}/*.svm", **wrong)
    with pytest.raises(BadData, match="no such file"):
        cluster.list_shards(f"{tmp_path}/*.svm")
    with pytest.raises(OSError, match="no such folder"):
        cluster.learn(None, f"{shards}/*.svm", checkpoint=tmp_path / "none" / "m.lst")
