"""Certificates of version 1 still verify, and become ones of version 2 that the one file accepts as well."""

import json
import sys
from dataclasses import replace
from importlib import import_module

import pytest

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.certificates.digest import Digest
from littlestone.certificates.rounds import RoundsFile
from littlestone.game.convert import convert
from places import ROOT, TESTS

sys.path.insert(0, str(ROOT / "verifier"))
vectors = import_module("make_vectors")
sys.path.remove(str(ROOT / "verifier"))
KEPT = json.loads((TESTS / "kept" / "version_1.json").read_text())
PUBLIC = {name: getattr(ls, name) for name in ls.__all__}


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept["family"])
def test_a_certificate_of_version_1_verifies_and_is_converted(kept, tmp_path):
    path, old = tmp_path / "data.rounds", ls.Certificate.from_json(kept["text"])
    path.write_text("\n".join(kept["rounds"]) + "\n")
    learner = eval(kept["learner"], PUBLIC.copy()) if kept["learner"] else None
    stream = RoundsFile(path, old.witness.get("experts") or (old.rows or {}).get("width") or None)
    assert old.version == 1
    assert ls.verify(old, stream, learner)
    new = convert(old, stream, learner)
    assert (new.version, new.bound, new.witness, new.updated) == (2, old.bound, old.witness, old.updated)
    assert new.stream != old.stream
    said = vectors.ask_one_file(vectors.load_verifier(), new.to_json(), path.name, path.read_bytes())
    assert said == ("true" if kept["family"] in vectors.COVERED else "not covered")


def test_what_is_false_is_not_converted():
    stream = ls.Recorded([[0, 1], [1, 0]] * 4, [False, True] * 4)
    new = ls.certify(ls.Perceptron(), stream)
    digest = Digest(version=1)
    for chunk in stream.chunks():
        digest.add(chunk.with_labels(chunk.labels.astype(int)))
    old = replace(new, version=1, stream=digest.text())
    assert convert(old, stream) == new
    with pytest.raises(NotCertified):
        convert(replace(old, mistakes=old.mistakes + 1), stream)


def test_a_converted_certificate_says_what_it_said():
    stream = ls.Recorded([[0, 1], [1, 0]] * 4, [False, True] * 4)
    certificate = ls.certify(ls.Perceptron(), stream)
    assert convert(certificate, stream) is certificate
