"""The commands `certify` and `verify` on what the default learned: log-loss, in words and as JSON."""

import json

import pytest

import littlestone as ls
from command_runs import LINES, run
from littlestone.cli import main


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certified")
    data, model, certificate = (folder / name for name in ("rows.svm", "m.lst", "c.json"))
    data.write_text("".join(LINES))
    run("learn", data, "--model", model, "--quiet")
    return data, certificate, run("certify", model, data, "--output", certificate).output


def test_what_is_certified_is_said_and_verified(certified):
    data, certificate, said = certified
    record = json.loads(certificate.read_text())
    assert "log-loss <= " in said
    assert "beside: a fixed linear rule has " in said
    assert "Logistic, log-loss through a member" in said
    assert (record["counts"], record["updated"], record["rounds"]) == ("log-loss", [], 300)
    told = run("verify", certificate, data).output
    assert "log-loss <= " in told
    assert "verified over 300 rounds, the counts exactly" in told
    report = json.loads(run("verify", certificate, data, "--json").output)
    assert (report["verified"], report["bound"]) == (True, record["bound"])


def test_a_changed_certificate_is_refused(certified, tmp_path):
    from click.testing import CliRunner

    data, certificate, _ = certified
    changed = tmp_path / "changed.json"
    changed.write_text(certificate.read_text().replace('"log-loss"', '"loss"'))
    done = CliRunner().invoke(main, ["verify", str(changed), str(data)])
    assert done.exit_code != 0
    assert "digest" in done.output


def test_learn_says_the_certificate_with_the_summary(certified):
    data, _, _ = certified
    said = run("learn", data, "--certify").output
    assert "log-loss <= " in said
    assert "no rule at all 207.95" in said  # 300 ln 2
    assert "mistakes follow" in said


def test_a_bound_that_no_rule_at_all_keeps_to_is_said_to_prove_the_run_only():
    few, many = ([[1.0, 0.0], [0.0, 1.0]] * rounds for rounds in (2, 200))
    words = [
        ls.certify(ls.Logistic(), ls.Recorded(rows, [True, False] * (len(rows) // 2))).explains for rows in (few, many)
    ]
    assert "so that this proves the run, not its accuracy" in words[0]
    assert "proves the run" not in words[1]
