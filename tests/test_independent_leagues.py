"""Leagues in the one file: it plays all again, to the bit, and shares nothing with the library."""

import ast
import json
import math
import shutil
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

import littlestone as ls
from league_vectors import GAMES, forge, play_game
from littlestone.base.errors import NotCertified
from littlestone.certificates.rounds import write_rounds
from places import ROOT

VERIFIER = ROOT / "verifier"
ONE, MORE = (VERIFIER / name for name in ("littlestone_verify.py", "littlestone_verify_more.py"))
sys.path.insert(0, str(VERIFIER))
vectors = import_module("make_vectors")
sys.path.remove(str(VERIFIER))
one_file, verifier = vectors.load_one_file(), vectors.load_verifier()
KINDS = ("log loss", "mistakes", "choices", "mixtures")


def ask(certificate, stream, forecasts=None):
    """What the one file says of a certificate and rounds, with its further learners: ALMA and ROMMA may be members."""
    data = ("\n".join(write_rounds(stream)) + "\n").encode()
    given = verifier.read_forecasts(write_forecasts(forecasts or {}))
    try:
        verifier.verify(certificate.to_json(), "game.rounds", data, given)
    except (verifier.Refused, verifier.NotCovered) as problem:
        return f"{type(problem).__name__}: {problem}"
    return "true"


def write_forecasts(forecasts):
    """Forecasts as a file of them has it."""
    rows = {name: said.tolist() for name, said in forecasts.items()}
    return json.dumps({name: [[None if x != x else x for x in row] for row in said] for name, said in rows.items()})


def draw_rows(rounds=60, seed=3):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, 4)), 2) * (rng.random((rounds, 4)) < 0.7)
    return X, np.where(X[:, 0] + 0.6 * rng.normal(size=rounds) > 0, "yes", "no").astype(object)


def draw_members():
    return [
        ls.Perceptron(), ls.AveragedPerceptron(), ls.AggressivePerceptron(), ls.PassiveAggressive(), ls.Alma(0.5),
        ls.Romma(), ls.Network(ls.Perceptron()),
    ]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("given", [{}, {"rates": ()}, {"switching": False}], ids=["levels", "one level", "still"])
def test_every_claim_about_dense_rows_is_verified(given, real):
    """Whose sums are in other orders than those of the listed rows that the vectors have."""
    X, y = draw_rows()
    stream = ls.Recorded(X.astype(real), y)
    league = ls.League(draw_members(), **given).play(stream)
    for kind in KINDS:
        assert ask(league.certificate(kind), stream) == "true"


def test_a_third_class_a_newcomer_and_coins():
    X, y = draw_rows()
    y[30::7] = "maybe"
    stream, league = ls.Recorded(X, y), ls.League(draw_members())
    (chunk,) = stream.chunks()
    list(league.play_chunk(chunk[:20]))
    league.join(ls.Perceptron(bias=0), "late")
    list(league.play_chunk(chunk[20:]))
    for kind in KINDS:
        assert ask(league.certificate(kind, stream=stream), stream) == "true"
    against = ls.Recorded(*play_against())
    league = ls.League([ls.Perceptron(), ls.Perceptron(bias=0)]).play(against)
    assert league.coins > 0
    certificate = league.certificate("mistakes")
    assert certificate.counts == "expected mistakes"
    assert ask(certificate, against) == "true"


def test_shares_too_small_for_a_float_are_none():
    """The second phase of this game begins with a gap of some units in the last place: a rate of 10^15."""
    rng = np.random.default_rng(9)
    X = np.round(rng.normal(size=(80, 4)), 2)
    y = [int(abs(x[0]) * 1.3) % 3 for x in X]
    league = ls.League([ls.Logistic(), ls.Network(ls.Perceptron())])
    league.play(ls.Recorded(sparse.csr_matrix(X[:30]), y[:30]))
    league.join(ls.AdaGrad(), "late")
    league.play(ls.Recorded(sparse.csr_matrix(X[30:]), y[30:]))
    stream = ls.Recorded(sparse.csr_matrix(X), y)
    certificate = league.certificate("mistakes", stream=stream)
    assert ls.verify(certificate, stream)
    assert ask(certificate, stream) == "true"


def play_against():
    """Rounds whose labels are what the league would not guess, so that its account asks for coins."""
    rng, league, rows, labels = np.random.default_rng(5), ls.League([ls.Perceptron(), ls.Perceptron(bias=0)]), [], []
    for _ in range(60):
        x = rng.integers(-2, 3, 2).astype(float).tolist()
        label = not league.predict(x) if labels else True
        league.update(x, label)
        rows.append(x)
        labels.append(label)
    return np.array(rows), labels


@pytest.mark.parametrize("name", [GAMES[-1], *(pytest.param(name, marks=pytest.mark.long) for name in GAMES[:-1])])
def test_forgeries_of_all_kinds_are_refused(name):
    stream, league = play_game(name)
    verdicts = {ask(league.certificate(kind), stream, league.forecasts) for kind in KINDS}
    assert verdicts == {"true"}
    for kind in KINDS[:2]:
        for what, forged in forge(league.certificate(kind)):
            with pytest.raises(NotCertified):
                ls.verify(forged, stream, forecasts=league.forecasts)
            assert ask(forged, stream, league.forecasts) != "true", what


@pytest.mark.long
def test_what_foreign_members_said_is_data():
    """All kinds of sayings of two and of three classes; without the forecasts it says whose are missing."""
    X, y = draw_rows()
    said = {"score": lambda x: x[1], "label": lambda x: "yes" if x[0] > 0 else "no"}
    said |= {"probability": lambda x: abs(x[0]) % 1, "chance": lambda x: abs(x[2]) % 1}
    foreign = [ls.LeagueMember(rule, kind, kind) for kind, rule in said.items()]
    players = [
        ls.LeagueMember(ls.Player(ls.Logistic()), "default"),
        ls.LeagueMember(ls.Player(ls.NaiveBayes()), "bayes"),
    ]
    third = y.copy()
    third[20::7] = "maybe"
    for labels, members in ((y, [*foreign, *players]), (third, [foreign[1], *players])):
        stream = ls.Recorded(X, labels)
        league = ls.League([ls.Perceptron(), *members], keep=True).play(stream)
        for kind in KINDS:
            certificate = league.certificate(kind)
            assert ask(certificate, stream, league.forecasts) == "true"
            assert "belongs into a file of forecasts" in ask(certificate, stream)
        other = {name: rows + 0.125 for name, rows in league.forecasts.items()}
        assert ask(certificate, stream, other).startswith("Refused")


def test_rows_that_were_not_held_so_are_refused():
    """By both: the certificate says how the sums of members went."""
    X, y = draw_rows()
    stream = ls.Recorded(X.astype(np.float32), y)
    certificate = ls.League([ls.Perceptron(rate=0.1)]).play(stream).certificate()
    assert certificate.rows == {"form": "dense", "width": 4, "values": "float32"}
    for rows in ({"form": "dense", "width": 4, "values": "float64"}, {"form": "sorted", "width": 0, "values": "ones"}):
        forged = ls.Certificate.from_json(vectors.seal(json.loads(certificate.to_json()) | {"rows": rows}))
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)
        assert ask(forged, stream).startswith("Refused")


def test_rows_of_three_classes_that_were_not_held_so_are_refused_by_the_library_too():
    """Though it works out scores by rules of its own for two classes only."""
    X, _ = draw_rows()
    stream = ls.Recorded(X, [int(abs(x[0])) % 3 for x in X])
    certificate = ls.League([ls.Network(ls.Perceptron())]).play(stream).certificate()
    assert ls.verify(certificate, stream).replayed
    record = json.loads(certificate.to_json())
    other = {"float32": "float64", "float64": "float32"}[record["rows"]["values"]]
    text = vectors.seal(record | {"rows": record["rows"] | {"values": other}})
    with pytest.raises(NotCertified, match="members keep no weights"):
        ls.verify(ls.Certificate.from_json(text), stream)


@pytest.mark.parametrize(
    "change", [{"seed": "x"}, {"seed": 10**30}, {"rates": 1.0}, {"switching": 1}, {"most": "1"}, {"members": []}]
)
def test_a_description_that_no_league_has_is_refused(change):
    """A seed that is a text ended in an error of the compiler."""
    stream, league = play_game("two levels")
    record = json.loads(league.certificate("mistakes").to_json())
    forged = ls.Certificate.from_json(vectors.seal(record | {"learner": record["learner"] | change}))
    with pytest.raises(NotCertified):
        ls.verify(forged, stream)
    assert ask(forged, stream).startswith("Refused")


def test_numbers_of_another_type_are_refused():
    stream, league = play_game("two levels")
    record = json.loads(league.certificate("mistakes").to_json())
    phases = [[float(number) for number in phase] for phase in record["witness"]["phases"]]
    for change in ({"bound": float(record["bound"])}, {"witness": record["witness"] | {"phases": phases}}):
        forged = ls.Certificate.from_json(vectors.seal(record | change))
        with pytest.raises(NotCertified):
            ls.verify(forged, stream)
        assert ask(forged, stream).startswith("Refused")


@pytest.mark.parametrize(
    ("rates", "served", "count", "bound"),
    [
        ([0.0], 0.25, None, None),
        ([0.0], 0.3, 0.3**-2, 3 * 4),
        ([0.0, 0.5], 0.25, 64, 18 * 8),
        ([0.0, 0.5], 0.125, None, None),
    ],
)
def test_the_products_are_compared(rates, served, count, bound):
    """P <= N q Q of one level, over the rounds in which the reading is awake, and P <= N R q^2 Q of two, over all."""
    names = [SimpleNamespace(name="a", first=0)]
    league = SimpleNamespace(mixture=SimpleNamespace(rates=rates, still=False), level=[0.5] * 3, served=[served] * 3)
    league.panel = [[0.5], [math.nan], [0.5]]
    witness = {"stretch": [1, 3], "readings": 1, "levels": len(rates), "member": "a", "reading": 0}
    witness |= dict.fromkeys(("panel", "served", "guesses"), "")
    if count is None:
        with pytest.raises(one_file.Refused, match="more was lost"):
            one_file.bound_stretch(witness, league, names)
        return
    ends = one_file.bound_stretch(witness, league, names)
    assert [float(end) for end in ends] == pytest.approx([math.log(count), math.log(bound)], rel=1e-15)


def write_game(folder, stream, certificate, forecasts=None):
    """A certificate, its rounds and forecasts as files; their names."""
    texts = {"certificate.json": certificate.to_json(), "game.rounds": "\n".join(write_rounds(stream)) + "\n"}
    texts |= {} if forecasts is None else {"said.json": write_forecasts(forecasts)}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [str(folder / name) for name in texts]


def test_the_one_file_alone_in_an_empty_folder_verifies_a_league(tmp_path):
    """Of members that it plays and of a foreign one; with the forecasts of another it prints whose it used."""
    (tmp_path / "empty").mkdir()
    alone = shutil.copy(ONE, tmp_path / "empty")
    stream, league = play_game("a foreign member")
    files = write_game(
        tmp_path, stream, league.certificate("mistakes"), league.forecasts | {"unheard": np.zeros((1, 9))}
    )
    said = run(alone, files)
    assert said.startswith("true: ")
    assert said.endswith("\nWhat first said is data: it is true of these forecasts.\n")
    assert run(alone, files[:2]).startswith("not covered here: first is not played again")
    X, y = draw_rows()
    stream = ls.Recorded(X, y)
    members = [ls.Perceptron(), ls.AveragedPerceptron(), ls.AggressivePerceptron(), ls.PassiveAggressive()]
    league = ls.League([*members, ls.Network(ls.Perceptron())]).play(stream)
    for kind in KINDS:
        files = write_game(tmp_path, stream, league.certificate(kind))
        assert run(alone, files).startswith("true: ")
    forged = json.loads((tmp_path / "certificate.json").read_text())
    (tmp_path / "certificate.json").write_text(vectors.seal(forged | {"mistakes": forged["mistakes"] + 1}))
    assert run(alone, files).startswith("false: ")


def test_the_one_file_names_the_file_that_covers_what_it_leaves_out(tmp_path):
    (tmp_path / "empty").mkdir()
    alone = shutil.copy(ONE, tmp_path / "empty")
    X, y = draw_rows()
    stream = ls.Recorded(X, y)
    files = write_game(tmp_path, stream, ls.certify(ls.Alma(0.5), stream))
    assert run(alone, files) == "not covered here: Alma is not covered here: littlestone_verify_more.py covers it\n"
    assert run(MORE, files).startswith("true: ")
    files = write_game(tmp_path, stream, ls.League([ls.Romma()]).play(stream).certificate())
    assert "of the kind Romma, is not played again here: littlestone_verify_more.py covers it" in run(alone, files)
    assert run(MORE, files).startswith("true: ")
    files = write_game(tmp_path, stream, ls.certify(ls.Arow(), stream))
    assert run(alone, files) == run(MORE, files) == "not covered here: Arow is not covered here\n"
    assert set(one_file.FURTHER) == set(verifier.one.CHECKS) - set(one_file.CHECKS)


def test_the_one_file_names_it_of_a_part_of_what_a_learner_claims_too(tmp_path):
    """Winnow with a floor under its weights, and a randomized majority that is not counted exactly."""
    stream = ls.Recorded([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [True, False, True])
    files = write_game(tmp_path, stream, ls.certify(ls.Winnow(threshold=2, floor=0.5), stream))
    votes = [str(VERIFIER / "vectors" / f"experts-0.{end}") for end in ("json", "rounds")]
    for given, what in ((files, "weights with a floor are"), (votes, "a count that is no exact fraction is")):
        line = f"not covered here: {what} not covered here: littlestone_verify_more.py covers it\n"
        assert run(ONE, given) == line
        assert run(MORE, given).startswith("true: ")


def test_the_file_of_further_learners_imports_the_one_file_and_the_standard_library():
    nodes = list(ast.walk(ast.parse(MORE.read_text(), feature_version=(3, 9))))
    named = {name.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for name in node.names}
    named |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert named <= set(sys.stdlib_module_names)
    other = [str(VERIFIER / "vectors" / name) for name in ("perceptron-0.json", "perceptron-0.rounds")]
    assert run(MORE, other) == run(ONE, other)


def run(file, arguments):
    """What a file prints in a process of its own."""
    command = [sys.executable, "-I", str(file), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
