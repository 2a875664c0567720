"""`verify --independent`, `rounds` and `convert-certificate`: the one file says what the library says."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import littlestone as ls
from command_runs import run
from littlestone.certificates.digest import Digest
from littlestone.cli import main

ROWS = "".join(f"{1 if 3 * t % 7 > 2 else -1} 1:{3 * t % 7} 2:0.{t}5\n" for t in range(9))
TABLE = "age,text,sold\n" + "".join(
    f"{30 + t},the {t} words of {t % 3},{'yes' if t % 3 else 'no'}\n" for t in range(30)
)


def certify(folder, name, text):
    """Data, and the certificate of a Perceptron on them."""
    data, certificate = folder / name, folder / "c.json"
    data.write_text(text)
    certificate.write_text(ls.certify(ls.Perceptron(), ls.read(data)).to_json())
    return data, certificate


def test_the_one_file_reads_plain_data_itself(tmp_path):
    data, certificate = certify(tmp_path, "rows.svm", ROWS)
    said = run("verify", certificate, data, "--independent").output
    assert said.startswith("true: ")
    assert said.endswith("it read the data itself\n")
    told = json.loads(run("verify", certificate, data, "--independent", "--json").output)
    assert told["verified"] is True


def test_it_is_given_plain_rounds_of_what_it_does_not_read(tmp_path):
    data, certificate = certify(tmp_path, "table.csv", TABLE)
    said = run("verify", certificate, data, "--independent").output
    assert said.startswith("true: ")
    assert said.endswith("the library read the data for it\n")


def test_rounds_that_were_written_verify_too(tmp_path):
    data, certificate = certify(tmp_path, "table.csv", TABLE)
    rounds = tmp_path / "table.rounds"
    rounds.write_text(run("rounds", data).output)
    assert "verified" in run("verify", certificate, rounds).output
    assert run("verify", certificate, rounds, "--independent").output.startswith("true: ")


@pytest.mark.parametrize(
    ("learner", "status", "word"), [(None, 1, "false: "), (ls.SecondOrderPerceptron(), 2, "not covered here: ")]
)
def test_what_is_false_or_not_covered_has_an_exit_status_of_its_own(learner, status, word, tmp_path):
    data, certificate = certify(tmp_path, "rows.svm", ROWS)
    true = ls.certify(learner or ls.Perceptron(), ls.read(data))
    certificate.write_text((replace(true, mistakes=true.mistakes + 1) if learner is None else true).to_json())
    done = CliRunner().invoke(main, ["verify", str(certificate), str(data), "--independent"])
    assert (done.exit_code, done.output[: len(word)]) == (status, word)


def test_a_certificate_of_version_1_is_converted(tmp_path):
    data, certificate = certify(tmp_path, "rows.svm", ROWS)
    new, digest = certificate.read_text(), Digest(version=1)
    for chunk in ls.read(data).chunks():
        digest.add(chunk.with_labels((chunk.labels > 0).astype(int)))
    certificate.write_text(replace(ls.Certificate.from_json(new), version=1, stream=digest.text()).to_json())
    assert CliRunner().invoke(main, ["verify", str(certificate), str(data), "--independent"]).exit_code == 2
    assert run("convert-certificate", certificate, data).output.strip() == new
    run("convert-certificate", certificate, data, "--output", tmp_path / "new.json")
    assert (tmp_path / "new.json").read_text() == new


def test_a_league_is_verified(tmp_path):
    """Learned and certified over a file, verified from it, and refused with one mistake less."""
    data, certificate = certify(tmp_path, "rows.svm", ROWS)
    league = ls.League([ls.Perceptron(), ls.AveragedPerceptron()]).play(ls.read(data))
    for kind in ("log loss", "mistakes"):
        true = league.certificate(kind)
        certificate.write_text(true.to_json())
        assert run("verify", certificate, data, "--independent").output.startswith("true: ")
        certificate.write_text(replace(true, mistakes=true.mistakes - 1).to_json())
        done = CliRunner().invoke(main, ["verify", str(certificate), str(data), "--independent"])
        assert (done.exit_code, done.output[:7]) == (1, "false: ")
    certificate.write_text(ls.League([ls.Perceptron(), ls.Arow()]).play(ls.read(data)).certificate().to_json())
    done = CliRunner().invoke(main, ["verify", str(certificate), str(data), "--independent"])
    assert done.exit_code == 2
    assert "the member Arow(), of the kind Arow, is not played again here" in done.output


def test_further_learners_are_verified_by_the_file_beside_the_one_file(tmp_path):
    data, certificate = certify(tmp_path, "rows.svm", ROWS)
    romma = ls.certify(ls.Romma(), ls.read(data))
    certificate.write_text(romma.to_json())
    assert run("verify", certificate, data, "--independent").output.startswith("true: ")
    certificate.write_text(replace(romma, mistakes=romma.mistakes + 1).to_json())
    done = CliRunner().invoke(main, ["verify", str(certificate), str(data), "--independent"])
    assert (done.exit_code, done.output[:7]) == (1, "false: ")
    certificate.write_text(ls.League([ls.Perceptron(), ls.Alma(0.5)]).play(ls.read(data)).certificate().to_json())
    assert run("verify", certificate, data, "--independent").output.startswith("true: ")
