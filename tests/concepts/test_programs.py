import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import BadParameter
from littlestone.concepts import Programs
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Halving

SAMPLES = {
    "": lambda x: False,
    "flip": lambda x: True,
    "take take take flip": lambda x: x >= 3,
    "take take flip take flip": lambda x: x == 2,
    "take flip back": lambda x: x % 2 == 1,
    "flip take flip take take back": lambda x: x % 3 == 0,
    "half flip flip back": lambda x: x.bit_count() % 2 == 1,
    "half back flip take flip": lambda x: x.bit_count() == 1,
    "back": lambda x: False,
    "flip back": lambda x: False,
}


@pytest.mark.parametrize("text", SAMPLES)
def test_samples_compute_what_they_say(text):
    programs = Programs(12)
    concept = programs.concept(programs.index(text))
    assert [concept(x) for x in range(60)] == [SAMPLES[text](x) for x in range(60)]
    assert str(concept) == (text or "(empty)")


def test_there_is_a_program_for_every_string_of_bits():
    for bits in range(10):
        assert Programs(bits).size == 2 ** (bits + 1) - 1
        assert Halving(Programs(bits)).bound().mistakes == bits
        assert len({Programs(bits).name(c) for c in range(Programs(bits).size)}) == Programs(bits).size
    assert Programs(4).name(2**3 - 1 + 0b101) == "flip (1 left over)"


@settings(deadline=None)  # the first call may compile
@given(st.text("01", max_size=24), st.one_of(st.integers(0, 40), st.integers(0, 2**32 - 1)), st.integers(0, 300))
def test_a_program_runs_as_the_plain_machine_does(string, x, steps):
    programs = Programs(24, steps)
    assert programs.label(int("1" + string, 2) - 1, x) == reference.run_program(string, x, steps)


def test_a_program_that_runs_out_of_steps_labels_0():
    odd = "take flip back"
    for steps in range(20):
        programs = Programs(6, steps)
        concept = programs.concept(programs.index(odd))
        enough = [x for x in range(10) if 3 * x + 1 <= steps]  # three steps take one, and one more stops
        assert [concept(x) for x in range(10)] == [x % 2 == 1 and x in enough for x in range(10)]


@pytest.mark.parametrize("text", [text for text in SAMPLES if len(text.split()) <= 5])
def test_halving_learns_an_unknown_program_within_its_bits(text):
    programs = Programs(10)
    xs = [x * 7 % 64 for x in range(64)]
    game = play(Halving(programs), Recorded(xs, [SAMPLES[text](x) for x in xs]))
    assert game.mistakes <= 10
    assert game.certificate().holds
    found = programs.concept(game.certificate().witness["concept"])
    assert [found(x) for x in xs] == [SAMPLES[text](x) for x in xs]


def test_what_is_no_program_is_refused():
    with pytest.raises(BadParameter, match="instructions are take, flip, half, back, got 'jump'"):
        Programs(8).index("take jump")
    with pytest.raises(BadParameter, match="takes 6 bits, more than 5"):
        Programs(5).index("take flip back")
