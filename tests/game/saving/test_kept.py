"""Model files and certificates of an earlier version: what they said then, they say today, to the bit.

tests/kept/README.md says how they were made. They are never made anew: a change that this test refuses breaks files
that people have.
"""

import json
from pathlib import Path

import pytest

import littlestone as ls
from kept.replay import behaviour, fingerprint, show, stream_of, verified
from kept.rounds import rounds_of
from long_cases import leave_most_to_test_all
from toys import Points

KEPT = Path(__file__).parents[2] / "kept"
MODELS = sorted(path.stem for path in (KEPT / "models").glob("*.lst"))
CERTIFICATES = json.loads((KEPT / "certificates" / "index.json").read_text())
PUBLIC = {name: getattr(ls, name) for name in ls.__all__}


def model(name):
    """A player of a kept file, and what is known of its further game."""
    player, then = ls.load(KEPT / "models" / f"{name}.lst"), json.loads((KEPT / "models" / f"{name}.json").read_text())
    if (
        name == "default_unplayed"
    ):  # whose first label is a word: its first guess was a mistake by definition (decision 52)
        then["tally"][1] -= 1
    return player, then


def test_all_that_was_kept_is_here():
    assert (len(MODELS), len(CERTIFICATES)) == (197, 109)


@pytest.mark.parametrize("name", leave_most_to_test_all(MODELS, 3))
def test_a_kept_model_plays_on_as_it_did(name, tmp_path):
    player, then = model(name)
    player.save(tmp_path / "again.lst")
    for one in (player, ls.load(tmp_path / "again.lst")):
        done = behaviour(one, rounds_of(then["after"]))
        assert done["said"] == then["said"]
        assert done == {key: then[key] for key in done}


@pytest.mark.long
@pytest.mark.parametrize("name", MODELS)
def test_a_kept_model_plays_on_in_one_chunk(name):
    player, then = model(name)
    ls.play(player, Points(rounds_of(then["after"])))
    assert [show(count) for count in player.tally] == then["tally"]
    assert fingerprint(player.state) == then["state"]


@pytest.mark.parametrize("about", CERTIFICATES, ids=lambda about: about["certificate"])
def test_a_kept_certificate_is_verified(about):
    folder = KEPT / "certificates"
    certificate = ls.Certificate.from_json((folder / f"{about['certificate']}.json").read_text())
    streams = [stream_of(stream, folder) for stream in about["streams"]]
    stream = streams if "mixing" in certificate.learner else streams[0]
    learner = eval(about["learner"], PUBLIC.copy()) if about["given"] else None
    assert verified(ls.verify(certificate, stream, learner)) == about["verified"]
