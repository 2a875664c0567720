"""Certificates of log-loss: true ones are accepted, ones that were changed anywhere are refused."""

import copy
import json
from dataclasses import replace
from math import log

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.bound import Certificate
from littlestone.base.errors import NotCertified
from littlestone.base.printed_numbers import format_down
from littlestone.certificates.check import losses as checker
from littlestone.certificates.check.float_runs.arranged_rows import ArrangedChunk
from littlestone.certificates.check.float_runs.mixtures import replay_mixture
from littlestone.certificates.make.losses import describe_fully
from littlestone.learners import AdaGrad, Aioli, Coin, Logistic

LEARNERS = [AdaGrad(), Coin(), Aioli(), Logistic(), Logistic(share=False, second_order=0, precision=64)]


def draw_stream(classes=2, rounds=160, seed=0, declared=()):
    """Noisy rows in several units."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 4)) * [1, 100, 0.01, 3]
    X[rng.random(X.shape) < 0.2] = 0
    y = np.argmax(X / [1, 100, 0.01, 3] @ rng.normal(size=(4, classes)) + rng.normal(size=(rounds, classes)), axis=1)
    labels = ["abcdef"[c] for c in y]
    return ls.Recorded(X, labels, classes=declared) if declared else ls.Recorded(X, labels)


@pytest.fixture(scope="module")
def certified():
    stream = draw_stream()
    return stream, ls.certify(Logistic(), stream)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_true_certificate_is_accepted(learner, classes):
    stream = draw_stream(classes)
    certificate = ls.certify(learner, stream)
    report = ls.verify(Certificate.from_json(certificate.to_json()), stream)
    assert (report.counts, report.counted, report.bound) == ("log-loss", certificate.count, certificate.bound)
    assert report.replayed
    assert certificate.count < certificate.bound
    witness = certificate.witness
    assert witness["comparator"] < certificate.bound
    assert certificate.mistakes <= witness["most_mistakes"]
    assert witness["expected"] < certificate.count
    coins = [unit["member"].startswith("Coin") for unit in witness["units"]]
    assert [unit["ridge"] for unit in witness["units"]] == [float(not coin) for coin in coins]
    assert 0 <= witness["floor"] <= certificate.bound
    assert witness["floor"] == 0 or not all(coins)
    assert ("a charge for large weights" in certificate.explains) == (witness["floor"] > 0)
    if classes == 2:
        assert witness["zero"] == pytest.approx(160 * log(2))
        assert witness["most_mistakes"] == int(certificate.bound / log(2))
    assert certificate.theorem == learner.theorems()[0].name
    assert certificate.promise == learner.theorems()[0].promise


def test_theorems_have_the_names_that_the_checker_knows():
    for learner in LEARNERS:
        (theorem,) = learner.theorems()
        assert (theorem.name, theorem.promise) == (checker.THEOREMS[type(learner).__name__], checker.ANY)


def test_the_gold_case_of_adagrad_has_its_bound_and_a_floor_that_meets_it():
    stream = ls.Recorded([[1.0]] * 4, [True, True, False, True])
    certificate = ls.certify(AdaGrad(1.0, guard=False, bias=0, precision=64), stream)
    assert certificate.count == pytest.approx(2.9444936883, abs=1e-9)
    at_g_over_r = 3.0317208926 + 0.4922348632**2 * (2.0768989221**0.5 - 1.3652424729) / 2  # with r after the last round
    assert certificate.bound < at_g_over_r < certificate.bound + 0.01
    assert certificate.witness["floor"] == pytest.approx(certificate.bound - 0.4660272927, abs=1e-8)  # but for V
    assert ls.verify(certificate, stream)


def test_declared_classes_are_met_before_the_first_round():
    stream = draw_stream(2, declared=("a", "b", "c"))
    certificate = ls.certify(Logistic(), stream)
    assert len(certificate.witness["units"]) == 3
    assert ls.verify(certificate, stream)


def change(certificate, path, value):
    """The certificate with one part changed, as a forger writes it: the digest is right."""
    record = copy.deepcopy(json.loads(certificate.to_json()))
    changed = {name: record[name] for name in ("witness", "learner")}
    names = path.split(".")
    if names[0] not in changed:
        return replace(certificate, **{names[0]: value})
    part = changed[names[0]]
    for name in names[1:-1]:
        part = part[int(name) if name.isdigit() else name]
    last = int(names[-1]) if names[-1].isdigit() else names[-1]
    part[last] = value(part.get(last) if isinstance(part, dict) else part[last]) if callable(value) else value
    return replace(certificate, **changed)


FORGERIES = [
    ("count", lambda c: np.nextafter(c.count, 0).item()),
    ("count", lambda c: c.count / 2),
    ("count", lambda c: None),
    ("bound", lambda c: c.bound * (1 - 1e-8)),
    ("bound", lambda c: c.bound * (1 + 1e-8)),
    ("bound", lambda c: c.count),
    ("mistakes", lambda c: c.mistakes - 1),
    ("mistakes", lambda c: c.mistakes + 1),
    ("updates", lambda c: c.updates - 1),
    ("updated", lambda c: (0,)),
    ("marks", lambda c: (1,)),
    ("rounds", lambda c: c.rounds - 1),
    ("stream", lambda c: "0" * 64),
    ("theorem", lambda c: "AdaGrad"),
    ("promise", lambda c: "separable"),
    ("counts", lambda c: "loss"),
    ("scope", lambda c: "iid"),
    ("exact", lambda c: True),
    ("rows", lambda c: {"form": "listed", "width": 0, "values": "float64"}),
    ("version", lambda c: 1),
    ("version", lambda c: None),
]
WITHIN = [
    ("witness.expected", lambda old: np.nextafter(old, 0).item()),
    ("witness.comparator", lambda old: old * (1 - 1e-8)),
    ("witness.zero", lambda old: old * (1 - 1e-8)),
    ("witness.zero", lambda old: old * 2),
    ("witness.floor", lambda old: 1e9),
    ("witness.floor", lambda old: "low"),
    ("witness.floor", lambda old: old * (1 + 1e-8)),
    ("witness.floor", lambda old: None),
    ("witness.most_mistakes", lambda old: old - 1),
    ("witness.most_mistakes", lambda old: old + 1),
    ("witness.more", lambda old: 1),
    ("witness.units", lambda old: []),
    ("witness.units", lambda old: old * 2),
    ("witness.units.0.member", lambda old: "AdaGrad(4.0)" if old != "AdaGrad(4.0)" else "AdaGrad(1.0)"),
    ("witness.units.0.member", lambda old: "AdaGrad(0.5)"),
    ("witness.units.0.numerators.0", lambda old: old + 2**16),
    ("witness.units.0.numerators.0", lambda old: 0),
    ("witness.units.0.numerators.0", lambda old: 2**70),
    ("witness.units.0.attributes.0", lambda old: 99),
    ("witness.units.0.attributes.1", lambda old: -1),
    ("witness.units.0.more", lambda old: 1),
    ("witness.units.0.ridge", lambda old: 0.5),
    ("witness.units.0.ridge", lambda old: 1.0 - old),
    ("witness.units.0.ridge", lambda old: 2.0**40),
    ("witness.units.0.ridge", lambda old: 1),
    ("learner.rates", lambda old: [0.125, 1.0, 4.0, 33.0]),
    ("learner.rates", lambda old: [0.125, 1.0, 4.0]),
    ("learner.wealths", lambda old: [1.0, 5.0]),
    ("learner.kappas", lambda old: [0.5, 0.2]),
    ("learner.ridge", lambda old: 0.2),
    ("learner.second_order", lambda old: 2),
    ("learner.share", lambda old: False),
    ("learner.guard", lambda old: False),
    ("learner.bias", lambda old: 0.0),
    ("learner.precision", lambda old: 64),
    ("learner.name", lambda old: "AdaGrad"),
    ("learner.real", lambda old: "float32"),
    ("learner.seed", lambda old: 0),
    ("learner.classes", lambda old: ["b", "a"]),
]


@pytest.mark.parametrize(("name", "value"), FORGERIES)
def test_a_changed_field_is_refused(certified, name, value):
    stream, certificate = certified
    with pytest.raises(NotCertified):
        ls.verify(replace(certificate, **{name: value(certificate)}), stream)


@pytest.mark.parametrize(("path", "value"), WITHIN)
def test_a_changed_witness_or_learner_is_refused(certified, path, value):
    stream, certificate = certified
    with pytest.raises(NotCertified):
        ls.verify(change(certificate, path, value), stream)


def test_other_rounds_are_refused(certified):
    _, certificate = certified
    with pytest.raises(NotCertified, match="not those of the certificate"):
        ls.verify(certificate, draw_stream(seed=1))


def test_a_comparator_may_only_use_attributes_that_occur_and_a_constant_that_is_there():
    stream = draw_stream()
    certificate = ls.certify(AdaGrad(bias=0), stream)
    changed = change(certificate, "witness.units.0.attributes.0", -1)
    with pytest.raises(NotCertified, match="no constant"):
        ls.verify(changed, stream)


def test_an_aioli_member_that_has_ended_is_no_member():
    stream = draw_stream()
    certificate = ls.certify(Logistic(second_order=3), stream)
    changed = change(certificate, "witness.units.0.member", "Aioli(0.5)")
    with pytest.raises(NotCertified, match="no member"):
        ls.verify(changed, stream)


def test_no_rounds_are_refused():
    with pytest.raises(NotCertified):
        ls.certify(Logistic(), ls.Recorded(np.zeros((0, 2)), []))


def test_rows_without_any_value_have_a_bound_that_is_met():
    stream = ls.Recorded([[0.0], [0.0]], ["a", "b"])
    certificate = ls.certify(AdaGrad(bias=0), stream)
    assert certificate.count == pytest.approx(2 * log(2))
    assert certificate.bound == pytest.approx(2 * log(2))
    assert ls.verify(certificate, stream)


def test_a_player_is_certified_and_its_model_goes_on(tmp_path):
    stream = draw_stream()
    game = ls.play(Logistic(), stream)
    certificate = ls.certify(game.player, stream)
    assert certificate.count == game.player.state.losses[0].sum()
    assert ls.verify(certificate, stream)


def test_it_says_in_words_what_a_rule_loses_and_what_follows(certified):
    _, certificate = certified
    said, witness = str(certificate), certificate.witness
    assert said.startswith(f"{certificate.count:.3f}"[:5])
    assert f"witness: 5 numbers through {witness['units'][0]['member']}\n" in said
    assert "beside: a fixed linear rule has " in said
    assert f"at most {witness['most_mistakes']} mistakes follow" in said
    two, three = (ls.certify(AdaGrad(), draw_stream(classes)) for classes in (2, 3))
    assert "fixed linear rules, one a class, have " in three.explains
    for shown, rules in ((two, "loss of any such rule"), (three, "losses of any such rules")):
        least = format_down(shown.witness["floor"])
        assert f"; the {rules} and a charge for large weights add up to at least {least}; at most" in shown.explains


def test_no_rule_is_below_the_floor(certified):
    """The floor holds for rules that nobody fitted: any at random, with the ridge of the member that was chosen."""
    stream, _ = certified
    certificate = ls.certify(AdaGrad(guard=False, bias=0, precision=64), stream)
    (chunk,) = stream.chunks()
    X = chunk.values.reshape(-1, 4)
    X = X / np.abs(X).max(axis=0)
    y = np.where(np.array(chunk.labels) == chunk.labels[0], -1, 1)
    (unit,) = certificate.witness["units"]
    best = np.array(unit["numerators"]) / 2**20
    state = ls.play(AdaGrad(guard=False, bias=0, precision=64), stream).player.state
    r = np.sqrt(state.table.reshape(-1, 3)[1:5, 2] + 1)
    rng = np.random.default_rng(0)
    for u in (best, *(best + rng.normal(size=4) * 0.1 for _ in range(50))):
        assert np.logaddexp(0, -y * (X @ u)).sum() + r @ u**2 / 2 >= certificate.witness["floor"]


def test_a_charge_that_is_not_that_of_the_bound_is_neither_taken_nor_shown():
    """With a ridge of 2^40 the floor is the entropy of the comparator's chances, whatever its size is charged."""
    stream = draw_stream()
    certificate = ls.certify(Coin(guard=False, bias=0, precision=64), stream)
    (chunk,) = stream.chunks()
    X = chunk.values.reshape(-1, 4)
    X = X / np.abs(X).max(axis=0)
    (unit,) = certificate.witness["units"]
    assert unit["attributes"] == [0, 1, 2, 3]
    score = X @ np.array(unit["numerators"]) / 2**20
    entropy = float((np.logaddexp(0, -score) + score / (1 + np.exp(score))).sum())
    assert "at least" not in certificate.explains
    for times, floor, accepted in ((2.0**40, entropy, False), (0.0, 0.0, True), (0.0, 1e-3, False)):
        witness = certificate.witness | {"units": [unit | {"ridge": times}], "floor": floor}
        forged = replace(certificate, witness=witness)
        assert "at least" not in forged.explains or not accepted
        if accepted:
            assert ls.verify(forged, stream)
        else:
            with pytest.raises(NotCertified):
                ls.verify(forged, stream)


def test_a_floor_of_an_earlier_version_is_taken_and_not_shown():
    """It was counted with ten times the roots of coins, or a hundred times the ridge of Aioli."""
    for learner, times in ((Coin(), 10.0), (Aioli(), 100.0)):
        stream = draw_stream()
        certificate = ls.certify(learner, stream)
        run, chunk = replay_stream(learner, stream)
        (unit,) = certificate.witness["units"]
        member = checker.list_members(run)[unit["member"]]._replace(times=times)
        claim = checker.claim_losses(run, [chunk], checker.read_comparator(run, unit)[None], [member])
        witness = certificate.witness | {"units": [unit | {"ridge": times}], "floor": claim.floor}
        earlier = replace(certificate, witness=witness)
        assert claim.floor > 0
        assert ls.verify(earlier, stream)
        assert "at least" not in earlier.explains


def replay_stream(learner, stream):
    (chunk,) = stream.chunks()
    labels = chunk.labels.tolist()
    return replay_rows(learner, chunk.values.reshape(-1, 4), np.array([int(y != labels[0]) for y in labels]))


# --- what the bound is made of, by plain arithmetic ---------------------------------------------------------------


def replay_rows(learner, X, y):
    rows, columns = np.nonzero(X)
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(X)))))
    chunk = ArrangedChunk(0, indptr, columns, X[rows, columns], y)
    return replay_mixture(describe_fully(learner), [chunk], 0), chunk


def cut_rows(X):
    """Rows as the guard cuts them, over the largest sizes that are left, with the constant first."""
    cut, sizes = X.copy(), np.zeros(X.shape[1])
    for x in cut:
        large = sizes > 0
        x[large] = np.clip(x[large], -2 * sizes[large], 2 * sizes[large])
        sizes = np.maximum(sizes, np.abs(x))
    return np.column_stack((np.ones(len(X)), cut / sizes))


def lose(u, X, y):
    return np.logaddexp(0, np.where(y, -1, 1) * (X @ u))


@pytest.mark.parametrize(("share", "size"), [(True, 2**21), (False, 2**21), (True, 2**25)])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_bound_is_the_sum_that_the_theorem_says(share, size, classes):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 3)) * [1, 50, 0.1]
    X[40] *= 30
    y = rng.integers(0, classes, 90)
    y[:20] %= 2
    y[20] = classes - 1
    run, chunk = replay_rows(Logistic(share=share), X, y)
    cut, units, many = cut_rows(X), run.units, 1 if classes == 2 else classes
    price, order = log(8) + (log(90) if share else 0), [0, *(units.places[i] for i in range(3))]
    for name, member in checker.list_members(run).items():
        k = rng.integers(-size, size, (many, len(units.sizes)))
        k[:, 4:] = 0
        claim = checker.claim_losses(run, [chunk], k, [member] * many)
        total = losses = 0.0
        for c in range(many):
            start = run.starts[c]
            u, (rows, told) = k[c][order] / 2**20, (cut[start:], (y == (1 if many == 1 else c))[start:])
            own = lose(u, rows, told)
            r = np.sqrt(units.squares[c, order, min(member.place, 5)].astype(float) + 1)
            g = units.sums[c, order, min(member.place, 5)].astype(float)
            charged = units.charges[c, member.place, :2].sum()
            if member.kind == "AdaGrad":
                more = (r / run.settings.rates[member.number]) @ u**2 / 2 + charged
            elif member.kind == "Aioli":
                s = run.scores[start:, c, member.number]
                p, kappa = 1 / (1 + np.exp(-s)), run.settings.kappas[member.number]
                z = rows @ u - s
                near = np.logaddexp(0, np.where(told, -s, s)) + (p - told) * z + kappa * p * (1 - p) * z**2 / 2
                more = 0.1 * u @ u / 2 + charged + max(0, (near - own).sum())
            else:
                wealth = run.settings.wealths[member.number]
                ends = units.wealths[c, order, member.number].astype(float)
                q = units.bets[c, order, member.number]
                inside = np.maximum(0, np.log(2 * np.abs(u) * r / wealth) + q / 2 - 0.75)
                run_form = max(0, (u * g + wealth - ends).sum())
                more = run_form if member.kind == "Coin" else (wealth + 2 * np.abs(u) * r * inside).sum()
            total, losses = total + own.sum() + more + price, losses + own.sum()
        news = log(21) if classes == 3 else 0
        assert claim.bound == pytest.approx(total + news, rel=1e-9), name
        assert claim.bound >= total + news - 1e-9
        assert claim.comparator == pytest.approx(losses, rel=1e-12)
        assert claim.zero == pytest.approx(log(2) * (90 if many == 1 else 250))
        assert claim.most_mistakes == (0 if many == 1 else 1) + int(total / (log(2) * (1 if many == 1 else 2)))


@pytest.mark.parametrize("times", [0.5, 1.0, 10.0])
def test_the_floor_is_the_dual_value(times):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    run, chunk = replay_rows(AdaGrad(0.5), X, y)
    member = checker.list_members(run)["AdaGrad(0.5)"]._replace(times=times)
    k = np.pad(rng.integers(-(2**18), 2**18, (1, 4)), ((0, 0), (0, len(run.units.sizes) - 4)))
    claim = checker.claim_losses(run, [chunk], k, [member])
    order = [0, *run.units.places.tolist()]
    cut, u = cut_rows(X), k[0][order] / 2**20
    sign, r = np.where(y, 1, -1), times * np.sqrt(run.units.squares[0, order, 0].astype(float) + 1) / 0.5
    a = 1 / (1 + np.exp(sign * (cut @ u)))
    dual = -(a * np.log(a) + (1 - a) * np.log(1 - a)).sum() - (((a * sign) @ cut) ** 2 / r).sum() / 2
    assert claim.floor == pytest.approx(max(0, dual), rel=1e-9)
    assert claim.floor <= max(0, dual)


def test_the_witness_that_is_found_nearly_meets_the_floor(certified):
    stream, _ = certified
    for learner in (AdaGrad(), Logistic(wealths=(), kappas=()), Aioli(0.1)):
        certificate = ls.certify(learner, stream)
        best, tried = certificate.bound, []
        run_charge = best - certificate.witness["comparator"]
        assert run_charge > 0
        if type(learner) is not Aioli:
            unit = certificate.witness["units"][0]
            for name in {unit["member"]} | {f"AdaGrad({rate!r})" for rate in getattr(learner, "rates", ())}:
                tried.append(ls.certify(AdaGrad(float(name[8:-1])), stream).bound)
            more = log(4) + log(160) if type(learner) is Logistic else 0
            assert best == pytest.approx(min(tried) + more, rel=1e-6)


def test_a_comparator_that_is_not_listed_in_order_is_refused(certified):
    stream, certificate = certified
    for attributes, numerators in [([1, 0], [1, 1]), ([0, 0], [1, 1]), ([0], [1, 1]), ([0], [True]), ([-2], [1])]:
        changed = change(certificate, "witness.units.0.attributes", attributes)
        changed = change(changed, "witness.units.0.numerators", numerators)
        with pytest.raises(NotCertified, match="in order"):
            ls.verify(changed, stream)


def test_a_comparator_lists_no_zeros():
    stream = ls.Recorded([[1.0], [1.0]], ["a", "b"])
    certificate = ls.certify(AdaGrad(bias=0), stream)
    assert certificate.witness["units"][0]["attributes"] == []
    changed = change(certificate, "witness.units.0.attributes", [0])
    with pytest.raises(NotCertified, match="other than 0"):
        ls.verify(change(changed, "witness.units.0.numerators", [0]), stream)
