"""The game: who plays, what is counted, when it ends, and how it is shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.bound import Tally
from littlestone.base.errors import BadInstance, BadLabel, BadParameter, NotRealizable
from littlestone.base.features import Indexed
from littlestone.base.learner import fingerprint
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import Bisection, Recorded
from littlestone.game.evaluation import Curve
from littlestone.game.game import Game
from littlestone.game.play import play
from littlestone.game.played_rounds import Round
from littlestone.game.player import Player
from littlestone.learners import Halving
from toys import Additive, Contrary, Points, Positive, Rows

PAIRS = [((1, 0, 0), True), ((0, 1, 0), False), ((1, 1, 0), True), ((0, 0, 1), True), ((0, 0, 0), False)]


def test_halving_against_bisection_prints_as_a_record():
    game = play(Halving(Thresholds(6)), Bisection(Thresholds(6)))
    assert repr(game).splitlines() == [
        "    learner  Halving(concepts=Thresholds(n=6))",
        "    against  Bisection(Thresholds(n=6))",
        "     rounds  3",
        "   mistakes  3 (100.00%)",
        "    updates  3",
        "     target  x >= 0",
        "certificate  3 mistakes <= 3 holds: Halving (Barzdin and Freivald 1972, Angluin 1988)",
        "               promise: one of the 8 concepts of Thresholds(n=6) labels every round",
        "               witness: {'concept': 0, 'name': 'x >= 0', 'concepts': 8, 'survivors': 1}",
        "               scope: true of this very sequence of rounds",
    ]


def test_a_notebook_shows_the_same_facts_escaped():
    html = play(Halving(Thresholds(6)), Bisection(Thresholds(6)))._repr_html_()
    assert html.startswith("<table><tr>")
    assert html.endswith("</tr></table>")
    assert html.count("<tr>") == html.count("</tr>") == 7
    assert "3 mistakes &lt;= 3 holds" in html
    assert "x &gt;= 0" in html


def test_a_game_without_rounds_and_without_a_theorem_prints_what_there_is():
    game = play(Additive(), Points(PAIRS), rounds=0)
    assert repr(game).splitlines() == [
        "    learner  Additive(rate=1.0)",
        "    against  Points(5 rounds)",
        "     rounds  0",
        "   mistakes  0",
        "    updates  0",
    ]


def test_a_round_prints_on_one_line():
    assert str(Round(3, (1, 0), False, True, True)) == "   3  x  (1, 0) -> False, was True"
    assert str(Round(12, 7, "a", "a", False)) == "  12  .  7 -> a, was a"


def test_a_transcript_holds_every_round_in_the_users_own_terms():
    pairs = [(3, True), (2, False), (3, True)]
    game = play(Halving(Thresholds(6)), Points(pairs), transcript=True)
    assert game.transcript == [
        Round(1, 3, False, True, True),
        Round(2, 2, True, False, True),
        Round(3, 3, True, True, False),
    ]
    assert play(Halving(Thresholds(6)), Points(pairs)).transcript is None


def test_a_transcript_names_the_first_guess_as_it_was_counted():
    (first, second) = play(Additive(), Points([((1,), "ham"), ((1,), "ham")]), transcript=True).transcript
    assert (first.guess, first.mistake, second.guess, second.mistake) == ("ham", False, "ham", False)


def test_a_transcript_changes_nothing_else():
    games = [play(Additive(), Points(PAIRS), transcript=wanted) for wanted in (False, True)]
    assert games[0].tally == games[1].tally
    assert fingerprint(games[0].player.state) == fingerprint(games[1].player.state)
    assert [points.tolist() for points in games[0].curve.points] == [
        points.tolist() for points in games[1].curve.points
    ]


@pytest.mark.parametrize("lengths", [[5], [1] * 5, [2, 3], [4, 1]])
@pytest.mark.parametrize("rounds", [0, 1, 2, 4, 5, 9, None])
def test_rounds_cap_a_stream_wherever_its_chunks_end(rounds, lengths):
    played = len(PAIRS[:rounds])
    for transcript in (False, True):
        game = play(Additive(), Points(PAIRS, lengths), rounds=rounds, transcript=transcript)
        assert game.rounds == game.curve.rounds == played
        assert game.mistakes == game.curve.mistakes


def test_rounds_cap_an_adversary():
    game = play(Halving(Parities(3)), Contrary((1, 0, 1)), rounds=1)
    assert (game.rounds, game.mistakes) == (1, 1)


def test_an_endless_environment_needs_a_number_of_rounds():
    with pytest.raises(BadParameter, match="no end of its own: say how many rounds"):
        play(Halving(Thresholds(3)), Contrary())


@pytest.mark.parametrize("rounds", [-1, -5])
def test_a_negative_number_of_rounds_is_refused(rounds):
    with pytest.raises(BadParameter, match=f"at least 0, got {rounds}"):
        play(Halving(Thresholds(3)), Bisection(Thresholds(3)), rounds=rounds)


def test_the_other_side_must_be_an_environment():
    with pytest.raises(BadParameter, match=r"Recorded\(X, y\), got \[1, 2\]"):
        play(Halving(Thresholds(3)), [1, 2])


@pytest.mark.parametrize("transcript", [False, True])
@pytest.mark.parametrize("lengths", [[4], [2, 2], [1, 1, 1, 1]])
def test_an_unrealizable_label_reports_the_game_so_far_and_the_shortest_inconsistent_prefix(transcript, lengths):
    pairs = [(3, True), (2, False), (3, False), (5, True)]
    with pytest.raises(NotRealizable, match="rounds 1 to 3 are the shortest inconsistent prefix") as caught:
        play(Halving(Thresholds(6)), Points(pairs, lengths), transcript=transcript)
    game = caught.value.game
    assert isinstance(game, Game)
    assert caught.value.rounds == 3
    assert game.tally == Tally(2, 2, 2)
    assert game.curve.rounds == 2
    assert game.certificate().holds
    if transcript:
        assert [one.y for one in game.transcript] == [True, False]


@pytest.mark.parametrize("transcript", [False, True])
@pytest.mark.parametrize(
    ("pairs", "error"),
    [
        ([((1, 0), True), ((1, float("nan")), True), ((1, 0), True)], BadInstance),
        ([((1, 0), True), ((1, 0), "third"), ((1, 0), True)], BadLabel),
        ([((1, 0), True), ((0, 1), None), ((1, 0), True)], BadLabel),
        ([((1, 0), True), ((2, 0), False), ((1, 0), True)], BadInstance),
        ([((1, 0), True), ((1, 0), False), ((1, 0), True)], NotRealizable),
    ],
)
def test_every_refusal_stops_the_game_at_its_round(pairs, error, transcript):
    with pytest.raises(error) as caught:
        play(Player(Positive(), classes=[False, True]), Points(pairs), transcript=transcript)
    assert caught.value.game.tally == Tally(1, 1, 1)


def test_the_same_environment_can_be_played_twice():
    for environment in (Bisection(Thresholds(20)), Recorded([3, 2, 3], [True, False, True])):
        first, second = (play(Halving(Thresholds(20)), environment, transcript=True) for _ in range(2))
        assert first.transcript == second.transcript
        assert first.environment is not environment


def test_an_adversary_answers_for_its_labels_with_a_concept():
    game = play(Halving(Thresholds(100)), Bisection(Thresholds(100)), transcript=True)
    assert all(game.target(one.x) == one.y for one in game.transcript)


def test_a_player_resumes_in_a_second_game():
    player = Player(Additive(), features=Indexed(3))
    first = play(player, Points(PAIRS[:2]))
    second = play(player, Points(PAIRS[2:]))
    whole = play(Player(Additive(), features=Indexed(3)), Points(PAIRS))
    assert first.rounds == 2
    assert second.rounds == 3
    assert player.tally == whole.tally
    assert tuple(a + b for a, b in zip(first.tally[:3], second.tally[:3], strict=True)) == whole.tally[:3]
    assert fingerprint(player.state) == fingerprint(whole.player.state)


def test_a_player_that_resumes_makes_room_for_more_attributes():
    player = Player(Additive())
    play(player, Rows(np.eye(3), [True, False, True]))
    assert player.state.weights.tolist() == [1, 0, 1]
    play(player, Rows(np.eye(5), [True] * 5))
    assert player.state.weights.tolist() == [1, 1, 1, 1, 1, 0, 0, 0]


def test_columns_are_the_size_of_the_game():
    game = play(Additive(), Recorded([[1, 0, 0], [0, 0, 0]], [True, False]))
    assert len(game.player.state.weights) == 3


def test_float32_values_make_float32_weights_whoever_supplies_them():
    row = np.ones(2, np.float32)
    for environment in (Rows(row[None], [True]), Recorded(row[None], [True]), Points([(row, True)])):
        assert play(Additive(), environment).player.state.weights.dtype == np.float32


def test_declared_classes_reach_the_player():
    game = play(Additive(), Recorded([[1], [1]], ["b", "a"], classes=["a", "b"]))
    assert game.player.labels.names == ["a", "b"]
    assert game.mistakes == 2


def test_the_seed_reaches_both_sides():
    game = play(Halving(Thresholds(3)), Contrary(2), rounds=1, seed=5)
    assert (game.environment.seed, game.player.seed) == (5, 5)
    assert play(Halving(Thresholds(3)), Contrary(2), rounds=1).player.seed == 0


def test_an_empty_stream_is_a_game_of_no_rounds():
    game = play(Halving(Thresholds(3)), Recorded([], []))
    assert (game.rounds, game.mistakes, game.updates) == (0, 0, 0)


def curve(wrong, lengths):
    curve, start = Curve(), 0
    for length in lengths:
        curve.extend(wrong[start : start + length])
        start += length
    curve.extend(wrong[start:])
    return curve


@given(st.integers(0, 5000), st.integers(0, 2**32 - 1), st.lists(st.integers(0, 1500), max_size=6))
def test_a_curve_is_true_short_and_independent_of_chunks(n, seed, lengths):
    wrong = np.random.default_rng(seed).random(n) < 0.3
    rounds, mistakes = curve(wrong, lengths).points
    totals = np.cumsum(wrong)
    assert len(rounds) == len(mistakes) <= Curve.CAPACITY == 1024
    assert mistakes.tolist() == [totals[t - 1] for t in rounds]
    assert (rounds[-1] if len(rounds) else 0) == n
    assert len(set(np.diff(rounds[:-1]))) <= 1
    again = curve(wrong, [])
    assert [points.tolist() for points in again.points] == [rounds.tolist(), mistakes.tolist()]
    assert again.mistakes == wrong.sum()


def test_a_long_curve_keeps_at_least_half_of_its_points():
    for n in (1023, 1024, 1025, 2047, 2048, 100_000):
        long = Curve()
        long.extend(np.ones(n, bool))
        assert 512 <= len(long.points[0]) <= 1024


def test_progress_is_silent_where_nobody_watches(capfd):
    play(Halving(Thresholds(6)), Bisection(Thresholds(6)), progress=True)
    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal(capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    play(Additive(), Points(PAIRS, [2, 3]), progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "5/5" in err
    assert "2 mistakes (40.00%)" in err
