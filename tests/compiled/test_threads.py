"""Work shared out among threads: every piece once, about equally, and whatever goes wrong is heard of."""

import multiprocessing
import threading
import time
from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.compiled.threads import share_out


@pytest.fixture
def many_cores():
    with pytest.MonkeyPatch.context() as patch:
        yield lambda count: patch.setattr("littlestone.compiled.threads.count_cores", lambda: count)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.integers(1, 9))
def test_every_piece_is_worked_on_once_and_runs_are_about_equal(sizes, cores):
    ends, runs = [sum(sizes[: k + 1]) for k in range(len(sizes))], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("littlestone.compiled.threads.count_cores", lambda: cores)
        share_out(lambda first, last: runs.append((first, last)), ends)
    assert sorted(k for run in runs for k in range(*run)) == list(range(len(sizes)))
    assert len(runs) <= cores
    for first, last in runs:
        assert sum(sizes[first:last]) <= sum(sizes) / min(cores, len(sizes)) + max(sizes)


def test_runs_are_worked_on_at_once_and_waited_for(many_cores):
    many_cores(2)
    meeting, done = threading.Barrier(2, timeout=20), []

    def work(first, last):
        meeting.wait()  # whoever worked alone would wait in vain
        time.sleep(0.1 * first)
        done.append(first)

    share_out(work, [1, 2])
    assert sorted(done) == [0, 1]


def test_an_error_in_another_thread_is_raised(many_cores):
    many_cores(2)
    meeting = threading.Barrier(2, timeout=20)

    def work(first, last):
        meeting.wait()
        if first:
            raise ArithmeticError("in the second run")

    with pytest.raises(ArithmeticError, match="second run"):
        share_out(work, [1, 2])


def test_an_interrupt_leaves_nothing_undone(many_cores):
    many_cores(3)
    done = []

    def work(first, last):
        done.append(first)
        if first == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        share_out(work, [1, 2, 3])
    assert sorted(done) == [0, 1, 2]


def test_who_waits_takes_over_what_no_thread_has_begun(many_cores, monkeypatch):
    class Busy:
        def submit(self, work, *run):
            return Future()

    many_cores(3)
    monkeypatch.setattr("littlestone.compiled.threads._start_threads", Busy)
    done = []
    share_out(lambda first, last: done.append((first, last, threading.get_ident())), [1, 2, 3])
    assert done == [(k, k + 1, threading.get_ident()) for k in range(3)]


def test_a_forked_process_starts_threads_of_its_own(many_cores):
    many_cores(2)
    share_out(lambda first, last: None, [1, 2])  # the parent's threads have worked
    context, meeting = multiprocessing.get_context("fork"), threading.Barrier(2, timeout=20)
    child = context.Process(target=share_out, args=(lambda first, last: meeting.wait(), [1, 2]))
    child.start()
    child.join(60)
    alive = child.is_alive()
    child.kill()
    assert not alive
    assert child.exitcode == 0
