"""Compiled code is kept on disk and is never stale, and where nothing can be kept everything still works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import littlestone
from littlestone.compiled import CompileClock, array_rule, kernel, long_rule
from long_cases import leave_most_to_test_all

SOURCE = Path(littlestone.__file__).parent
PLAY = """
from littlestone.concepts import Parities
from littlestone.concepts.parities import Parities as P
from littlestone.concepts.packed import find_bit
import numpy as np
space = Parities(3).start()
print(Parities(3).votes(space, (1, 1, 0))[1], find_bit(np.array([6], np.uint64), 1))
vote = P.sweeps.vote
print(sum(vote.stats.cache_hits.values()), sum(vote.stats.cache_misses.values()))
"""

LEARN = """
import io
import numpy as np
import littlestone as ls
X, y = np.eye(4), [True, False, True, False]
for learner in (ls.Perceptron(), ls.Arow(diagonal=True), ls.Network(ls.AveragedPerceptron()), ls.Winnow(), ls.Hedge()):
    ls.play(learner, ls.Panel(X, [1.0, 0.0, 1.0, 0.0]) if learner == ls.Hedge() else ls.Recorded(X, y))
for text in (b"1 2:3\\n-1 4:5\\n", b"a,b,label\\n1,red,yes\\n2,blue,no\\n", b"a,b,label\\n1,2.5,1\\n2,3.5,0\\n"):
    ls.play(ls.AveragedPerceptron(), ls.read(io.BytesIO(text)))
print(1)
"""
COUNT = """
from littlestone.loop import size
print(size(), sum(size.stats.cache_hits.values()))
"""
LOOP = """
from littlestone.constant import SIZE
from littlestone.compiled import kernel, rule

@rule
def inner():
    return SIZE

@kernel
def size():
    return inner()
"""


def environment(package, cache, **more):
    others = [path for path in sys.path if path and Path(path) != SOURCE.parent]
    paths = {"PYTHONPATH": os.pathsep.join([str(package), *others]), "XDG_CACHE_HOME": str(cache)}
    bare = {"PYTHONDONTWRITEBYTECODE": "1"}  # Python's own bytecode may be stale after an edit within its clock's tick
    return os.environ | paths | bare | more


def started(code, package, cache, **more):
    command = [sys.executable, "-W", "error", "-c", code]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment(package, cache, **more), stdout=pipe, stderr=pipe, text=True)


def finished(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return [line.split() for line in out.splitlines()]


def run(code, package, cache, **more):
    return finished(started(code, package, cache, **more))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package that a test may edit."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(SOURCE, folder / "littlestone", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "littlestone" / "constant.py").write_text("SIZE = 64\n")
    (folder / "littlestone" / "loop.py").write_text(LOOP)
    return folder


def kept(cache):
    return {path.name: path.stat().st_mtime_ns for path in Path(cache).rglob("*.nb?")}


def test_two_processes_may_start_cold_at_once_and_a_third_one_compiles_nothing(package, tmp_path):
    both = [started(PLAY, package, tmp_path) for _ in range(2)]
    assert [finished(process)[0] for process in both] == [["4", "2"]] * 2
    before = kept(tmp_path)
    assert before
    assert run(PLAY, package, tmp_path) == [["4", "2"], ["1", "0"]]
    assert kept(tmp_path) == before


@pytest.mark.long
def test_what_learners_and_readers_compiled_serves_the_next_process(package, tmp_path):
    """Also if that one loads the bytecode which the first one wrote."""
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
    assert run(LEARN, package, tmp_path, **bytecode) == [["1"]]
    before = kept(tmp_path)
    assert len(before) > 20
    assert run(LEARN, package, tmp_path, **bytecode) == [["1"]]
    assert kept(tmp_path) == before


def test_editing_a_rule_whose_loop_is_in_another_file_never_serves_old_code(package, tmp_path):
    """The size and the time of the edited file stay what they were: only its contents tell."""
    assert run(PLAY, package, tmp_path)[0] == ["4", "2"]
    rule = package / "littlestone" / "concepts" / "parities.py"
    text, times = rule.read_text(), rule.stat()
    edited = text.replace("return code[0] ^ (odd", "return code[0] & (odd")
    assert edited != text
    assert len(edited) == len(text)
    rule.write_text(edited)
    os.utime(rule, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run(PLAY, package, tmp_path)[0] == ["0", "2"]
    rule.write_text(text)
    assert run(PLAY, package, tmp_path)[0] == ["4", "2"]


def test_a_constant_of_another_file_is_part_of_a_loop_and_what_no_loop_reads_is_not(package, tmp_path):
    assert run(COUNT, package, tmp_path) == [["64", "0"]]
    assert run(COUNT, package, tmp_path) == [["64", "1"]]
    other = package / "littlestone" / "base" / "errors.py"
    other.write_text(other.read_text() + "\n# a remark\n")
    assert run(COUNT, package, tmp_path) == [["64", "1"]]
    constant = package / "littlestone" / "constant.py"
    text = constant.read_text()
    constant.write_text("SIZE = 32\n")
    assert run(COUNT, package, tmp_path) == [["32", "0"]]
    constant.write_text(text)
    assert run(COUNT, package, tmp_path) == [["64", "1"]]


def test_machine_code_for_a_type_that_has_moved_is_made_anew(package, tmp_path):
    places, pairs = [package / "littlestone" / f"{name}.py" for name in ("earlier", "later")], "Pair(1, 2)"
    (package / "littlestone" / "adder.py").write_text(
        "from littlestone.compiled import kernel\n\n@kernel\ndef total(pair):\n    return pair.a + pair.b\n"
    )
    for place, hits in zip([places[0], places[1], places[1]], "001", strict=True):
        for one in places:
            one.unlink(missing_ok=True)
        place.write_text("from typing import NamedTuple\n\nclass Pair(NamedTuple):\n    a: int\n    b: int\n")
        code = f"from littlestone.adder import total\nfrom littlestone.{place.stem} import Pair\n"
        code += f"print(total({pairs}), sum(total.stats.cache_hits.values()))\n"
        assert run(code, package, tmp_path) == [["3", hits]]


def test_a_second_clone_compiles_nothing(package, tmp_path):
    """Its path, and the times of its files, are its own; the machine code is shared."""
    assert run(COUNT, package, tmp_path / "cache") == [["64", "0"]]
    clone = tmp_path / "clone"
    shutil.copytree(package, clone)
    for path in clone.rglob("*.py"):
        path.touch()
    before = kept(tmp_path / "cache")
    assert run(COUNT, clone, tmp_path / "cache") == [["64", "1"]]
    assert kept(tmp_path / "cache") == before


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions as on Unix")
def test_a_cache_that_others_may_write_to_is_not_read(package, tmp_path):
    folder = tmp_path / "littlestone"
    assert run(COUNT, package, tmp_path) == [["64", "0"]]
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert run(COUNT + "from littlestone.compiled import FOLDER\nprint(FOLDER)", package, tmp_path) == [
        ["64", "0"],
        ["None"],
    ]
    folder.chmod(0o700)
    assert run(COUNT, package, tmp_path) == [["64", "1"]]


def test_a_home_that_cannot_be_written_still_works(package, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = PLAY + "from littlestone.compiled import FOLDER\nprint(FOLDER)"
    played, (hits, _), folder = run(code, package, blocked / "below", HOME=str(blocked))
    assert (played, hits, folder) == (["4", "2"], "0", ["None"])


def test_other_packages_keep_their_cache_settings(package, tmp_path):
    code = """
import numba
numba.config.CACHE_DIR = "/theirs"
import littlestone.compiled
from littlestone.concepts import Parities
Parities(2).votes(Parities(2).start(), (1, 1))
print(numba.config.CACHE_DIR)
"""
    assert run(code, package, tmp_path) == [["/theirs"]]


@array_rule
def total(values, first, last):
    found = 0.0
    for k in range(first, last):
        found += values[k]
    return found


@long_rule
def halves(values):
    middle = values.size // 2
    return total(values, 0, middle), total(values, middle, values.size)


@kernel
def difference(values):
    one, other = halves(values)  # a long rule, which calls a short one
    return one - other


@kernel
def both(values):
    one, other = halves(values)
    return one + other + total(values, 0, 0)


def test_rules_are_parts_of_the_kernels_that_call_them_and_python_otherwise():
    for real in (np.float64, np.float32):
        values = np.arange(10, dtype=real)
        assert halves(values) == (10, 35)
        assert difference(values) == difference.py_func(values) == -25
        assert both(values) == both.py_func(values) == 45


STEP = """
import littlestone as ls
player = ls.Player(ls.Perceptron())
player.update([1.0, 2.0], True)
print(*player.state.weights.tolist())
"""


@pytest.mark.parametrize("damage", leave_most_to_test_all(["cut", "garbage", "empty"], 3))
def test_a_damaged_cache_costs_time_and_never_the_command(damage, tmp_path):
    assert run(STEP, SOURCE.parent, tmp_path) == [["1.0", "2.0"]]
    files = [path for path in tmp_path.rglob("*.nb[ic]") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        path.write_bytes({"cut": data[: len(data) // 2], "garbage": bytes(reversed(data)), "empty": b""}[damage])
    assert run(STEP, SOURCE.parent, tmp_path) == [["1.0", "2.0"]]


def test_machine_code_runs_without_what_compiling_needs_and_files_are_looked_for_when_called(package, tmp_path):
    loaded = "\nimport sys\nprint('numba.np.arraymath' in sys.modules)"
    assert run(COUNT + loaded, package, tmp_path) == [["64", "0"], ["True"]]
    assert run(COUNT + loaded, package, tmp_path) == [["64", "1"], ["False"]]
    assert len(list((tmp_path / "littlestone").iterdir())) == 1  # of all kernels that were imported


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files are limited in size as on Linux")
@pytest.mark.parametrize("room", [0, 4000])
def test_a_full_disk_under_the_cache_costs_time_and_never_the_command(room, tmp_path):
    """No file may have more bytes than there is room for: none at all, or as many as an index has and no code."""
    full = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
    assert run(full + STEP, SOURCE.parent, tmp_path) == [["1.0", "2.0"]]
    assert max((path.stat().st_size for path in tmp_path.rglob("*.nb*")), default=0) <= room
    assert run(STEP, SOURCE.parent, tmp_path) == [["1.0", "2.0"]]  # there is room again
    before = kept(tmp_path)
    assert before
    assert run(STEP, SOURCE.parent, tmp_path) == [["1.0", "2.0"]]
    assert kept(tmp_path) == before


def test_a_clock_counts_what_is_compiled_and_nothing_else(monkeypatch):
    monkeypatch.setattr("littlestone.compiled.decorators.FOLDER", None)

    @kernel
    def double(number):
        return 2 * number

    with CompileClock() as clock:
        assert clock.seconds == 0
        assert double(3) == 6
        compiled = clock.seconds
        assert compiled > 0
        assert double(4) == 8
        assert clock.seconds == compiled
