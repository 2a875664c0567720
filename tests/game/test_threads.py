"""One player, league, combination or estimator in six threads: nothing is lost, and nothing crashes."""

import copy
import json
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import littlestone as ls
from laws.examples import EXAMPLES
from littlestone.base.features import Named
from places import DOCS, TESTS

THREADS, ROUNDS = 6, 60


@pytest.fixture(scope="module")
def problems():
    """What went wrong with each learner, in a process of its own."""
    known = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, TESTS / "threaded_runs.py"]
    done = subprocess.run(command, env=known, capture_output=True, text=True, check=True, timeout=900)
    return json.loads(done.stdout)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a crash must not end the tests")
@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=lambda number: repr(EXAMPLES[number]))
def test_six_threads_leave_every_learner_as_one_thread_does(problems, number):
    assert problems[number] == ""


def run_threads(work):
    """Let six threads work, each by its number."""
    before, problems = sys.getswitchinterval(), []

    def attempt(number):
        try:
            work(number)
        except BaseException as problem:
            problems.append(problem)

    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(THREADS)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert problems == []


def draw_rows(number, rounds=ROUNDS):
    """Rows of a thread, and their labels, of six classes of which each thread brings one."""
    rows = np.random.default_rng(number).normal(size=(rounds, 5))
    return rows, [number if row[0] > 0 else (number + 1) % THREADS for row in rows]


def test_six_threads_use_one_league():
    league = ls.League({"perceptron": ls.Network(ls.Perceptron()), "logistic": ls.Logistic(), "zero": lambda x: 0})

    def work(number):
        for x, y in zip(*draw_rows(number), strict=True):
            league.update(x, y)
            league.predict(x)
            assert abs(sum(league.weights.values()) - 1) < 1e-9

    run_threads(work)
    played = [member.player.tally.rounds for member in league.members if hasattr(member, "player")]
    assert (league.rounds, played) == (THREADS * ROUNDS, [THREADS * ROUNDS] * 2)


def test_six_threads_use_one_combination():
    pool = ls.combine([lambda x: x > 0, lambda x: x > 1, lambda x: 1 / x > 0], keep=True)

    def work(number):
        for x in range(ROUNDS):
            pool.update(x - 30 + number, x > 30)
            pool.predict(x + 1)

    run_threads(work)
    assert pool.player.tally.rounds == THREADS * ROUNDS == sum(map(len, pool.panel.chunks()))


def test_six_threads_use_one_classifier_from_its_first_rows_on():
    sklearn = pytest.importorskip("littlestone.sklearn")
    model, same = sklearn.OnlineClassifier(), pytest.importorskip("sklearn").clone

    def work(number):
        rows, labels = draw_rows(number)
        for first in range(0, ROUNDS, 10):
            model.partial_fit(rows[first : first + 10], labels[first : first + 10])
            assert model.predict_proba(rows).shape[0] == len(model.predict(rows)) == ROUNDS
            copied = pickle.loads(pickle.dumps(model))
            assert copied.player_.lock is copied.lock is not model.lock

    run_threads(work)
    assert (model.player_.tally.rounds, model.classes_.tolist()) == (THREADS * ROUNDS, list(range(THREADS)))
    assert not vars(same(model)).get("_lock")


def test_six_threads_use_one_regressor():
    river = pytest.importorskip("littlestone.river")
    model = river.OnlineRegressor()

    def work(number):
        for t in range(ROUNDS):
            model.learn_one({f"{number} {t % 40}": 1.0}, float(t))  # 240 names: it goes on with the other learner
            model.predict_one({"0 0": 1.0})

    run_threads(work)
    assert model.player.tally.rounds == THREADS * ROUNDS
    assert isinstance(model.player.learner, ls.CoinRegression)
    assert copy.deepcopy(model).predict_one({"0 0": 1.0}) == model.predict_one({"0 0": 1.0})


def test_a_player_is_copied_and_saved_between_two_calls_of_other_threads(tmp_path):
    player = ls.Player(ls.Logistic(), features=Named())

    def work(number):
        for t in range(ROUNDS):
            player.update({f"{number} {t}": 1.0, "always": 2.0}, t % 2)
            if t % 10 == 0:
                player.save(tmp_path / f"{number}.lst")
                for other in (ls.load(tmp_path / f"{number}.lst"), copy.deepcopy(player)):
                    assert other.tally.rounds == other.tally.updates

    run_threads(work)
    assert player.tally.rounds == player.tally.updates == THREADS * ROUNDS


def test_copies_have_a_lock_of_their_own_unless_they_share_the_state():
    player = ls.Player(ls.Perceptron())
    player.update([1.0, 2.0], True)
    shared, apart = copy.copy(player), copy.deepcopy(player)
    assert shared.lock is player.lock
    assert shared.state is player.state
    with player.lock:
        thread = threading.Thread(target=apart.update, args=([1.0, 2.0], False))
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
    assert (player.tally.rounds, apart.tally.rounds) == (1, 2)


FORKED = """
import os, threading
import littlestone as ls

used, free = ls.Player(ls.Perceptron()), ls.Player(ls.Perceptron())
for player in (used, free):
    player.update([1.0], True)
held, over = threading.Event(), threading.Event()

def hold():
    with used.lock:
        held.set()
        over.wait()

threading.Thread(target=hold).start()
held.wait()
child = os.fork()
if child == 0:
    assert free.predict([1.0]) is True
    try:
        used.predict([1.0])
    except ValueError as problem:
        assert "forked" in str(problem)
        os._exit(0)
    os._exit(1)
over.set()
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert used.predict([1.0]) is True
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_process_refuses_what_another_thread_was_using_and_does_not_hang():
    subprocess.run([sys.executable, "-c", FORKED], check=True, timeout=60)


def test_the_page_about_threads_runs(capsys):
    page = (DOCS / "guide" / "threads.md").read_text()
    exec(compile(page.split("```python\n")[1].split("```")[0], "threads.md", "exec"), {})
    assert capsys.readouterr().out == "300\n"
