"""The command `floor`: sentences, a certificate that `verify` takes, and refusals in words."""

import json

from click.testing import CliRunner

from command_runs import run
from littlestone.cli import main

XOR = "0 1:0\n1 2:1\n1 1:1\n0 1:1 2:1\n"


def test_it_prints_floors_beside_the_known_rule_and_writes_a_certificate_that_verifies(tmp_path):
    data, proof = tmp_path / "xor.svm", tmp_path / "f.json"
    data.write_text(XOR * 3)
    said = run("floor", data, "--output", proof).stdout
    assert "no rule can have less than 0 % (0 of 12 rounds), no linear rule less than 25 % (3);" in said
    assert "a linear rule with 25 % (3) is known, so that none has fewer" in said
    assert "3 forced mistakes <= 3 verified over 12 rounds, exactly" in run("verify", proof, data).stdout
    forged = proof.read_text().replace('"count": 3', '"count": 4')
    proof.write_text(forged)
    assert CliRunner().invoke(main, ["verify", str(proof), str(data)]).exit_code == 1


def test_json_names_every_floor_and_each_kind_has_its_certificate(tmp_path):
    data, proof = tmp_path / "xor.svm", tmp_path / "f.json"
    data.write_text(XOR * 3)
    found = json.loads(run("floor", data, "--losses", "--json", "--output", proof, "--of", "hinge").stdout)
    assert {name: one["floor"] for name, one in found["floors"].items() if name in ("any", "linear")} == {
        "any": 0,
        "linear": 3,
    }
    assert found["floors"]["hinge"]["floor"] > 11.9
    assert "forced hinge loss" in run("verify", proof, data).stdout


def test_a_certificate_that_there_is_none_of_is_refused_in_words(tmp_path):
    data = tmp_path / "three.svm"
    data.write_text("1 1:1\n2 2:1\n3 3:1\n")
    for words, expected in (
        (["--of", "linear"], "give --output FILE"),
        (["--of", "linear", "--output", str(tmp_path / "f.json")], "no floor of linear rules here, only of: any"),
    ):
        done = CliRunner().invoke(main, ["floor", str(data), *words])
        assert done.exit_code == 2
        assert expected in done.output
    assert not (tmp_path / "f.json").exists()
