"""Certificates of runs over shards: true ones are verified, whatever was mixed how; forged ones are refused."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import littlestone as ls
import theorem_names as theorems
from littlestone.base.errors import NotCertified
from littlestone.base.features import Indexed
from littlestone.certificates.check import shards as mixed
from littlestone.certificates.check.integer_rows import ColumnStream
from littlestone.certificates.make import shards as maker
from littlestone.cli import main
from littlestone.cluster import passes
from littlestone.cluster.passes import Job, certify_passes, play_pass
from reference import mixed_logged, mixed_perceptron, perceptron_bound
from row_games import noisy

WEIGHTS = ("uniform", "updates")
SHORT = {
    theorems.NOVIKOFF: "Novikoff",
    theorems.RUN: "run-dependent",
    theorems.HINGE: "hinge",
    theorems.READABLE: "readable",
    theorems.DEVIATION: "total",
    theorems.SQUARED: "squared",
}
LEARNERS = (
    ls.Perceptron(bias=0),
    ls.AveragedPerceptron(rate=0.1, margin=0.3),
    ls.Perceptron(tie="plus"),
    ls.Network(ls.Perceptron()),
)


def recorded(rounds, real=np.float64, classes=()):
    return ls.Recorded(np.array([x for x, _ in rounds], real), [y for _, y in rounds], classes)


def reread(made):
    return ls.Certificate.from_json(made.to_json())


def clusters(seed, shards, rounds=30, classes=2, real=np.float64):
    """Shards of noisy rows, each class by name, each shard meeting the classes in an order of its own."""
    rng, found = np.random.default_rng(seed), []
    centres = rng.normal(size=(classes, 4))
    for _ in range(shards):
        y = rng.integers(0, classes, rounds)
        X = (centres[y] + rng.normal(size=(rounds, 4))).astype(real)
        found.append(ls.Recorded(X, np.array(list("abcdef"))[y]))
    return found


@given(st.lists(noisy(3, longest=8), min_size=1, max_size=4), st.sampled_from(WEIGHTS), st.integers(1, 3))
@settings(max_examples=40)
def test_the_mixed_count_that_is_verified_is_that_of_the_plain_rule(shards, weights, passes):
    streams = [recorded(shard) for shard in shards]
    report = ls.verify(reread(certify_passes(Job(ls.Perceptron(bias=0), streams, weights), passes)), streams)
    if not report.differing:
        assert report.counted == mixed_perceptron([shards] * passes, 3, weights)[-1]
    assert report.counted <= report.bound
    assert report.exact
    assert report.rounds == passes * sum(map(len, shards))


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize(("shards", "real"), [(1, np.float32), (3, np.float32), (4, np.float64), (5, np.float64)])
def test_certificates_of_any_shards_are_verified(learner, shards, real):
    for weights in WEIGHTS:
        streams = clusters(shards, shards, classes=4 if isinstance(learner, ls.Network) else 2, real=real)
        made = reread(certify_passes(Job(learner, streams, weights), 3))
        report = ls.verify(made, streams)
        assert report.counted == made.counted <= made.bound == report.bound
        assert made.exact
        assert report.exact


@pytest.mark.parametrize("learner", [LEARNERS[1], LEARNERS[3]], ids=["averaged", "network"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_forgeries_are_refused(learner, weights):
    streams = clusters(7, 3, classes=3 if isinstance(learner, ls.Network) else 2)
    made = certify_passes(Job(learner, streams, weights), 3)
    assert ls.verify(made, streams)
    other = {"uniform": "updates", "updates": "uniform"}[weights]
    first = made.updated[0]
    missing = next(t for t in range(made.rounds) if t not in made.updated)
    about = made.learner
    forged = [
        {"bound": made.counted},
        {"bound": made.bound - Fraction(1, 16)},
        {"bound": made.bound + Fraction(1, 16)},
        {"bound": float(made.bound)},
        {"count": made.count - Fraction(1, 1000)},
        {"count": float(made.count)},
        {"count": None},
        {"counts": "updates"},
        {"mistakes": made.mistakes + 1},
        {"mistakes": made.mistakes - 1},
        {"updates": made.updates - 1},
        {"rounds": made.rounds + 1},
        {"exact": False},
        {"scope": "class"},
        {"theorem": made.theorem.removesuffix(", mixed over shards")},
        {"promise": made.promise.replace(" of every shard", "")},
        {"updated": made.updated[1:], "marks": made.marks[1:], "updates": made.updates - 1},
        {"updated": (*made.updated[1:], first)},
        {
            "updated": tuple(sorted((*made.updated, missing))),
            "marks": (*made.marks, 1) if made.marks else (),
            "updates": made.updates + 1,
        },
        {"marks": tuple(mark % 3 + 1 for mark in made.marks) or (1,) * made.updates},
        {"learner": about | {"mixing": {"passes": 3, "weights": other}}},
        {"learner": about | {"mixing": {"passes": 2, "weights": weights}}},
        {"learner": about | {"mixing": {"passes": 0, "weights": weights}}},
        {"learner": about | {"mixing": {"passes": mixed.PASSES + 1, "weights": weights}}},
        {"learner": about | {"mixing": {"passes": 3, "weights": "rounds"}}},
        {"learner": about | {"mixing": {"passes": 3, "weights": weights, "absent": 1}}},
        {"learner": {name: value for name, value in about.items() if name != "mixing"}},
        {"stream": " ".join(made.stream.split()[:2])},
        {"witness": made.witness | {"numerators": [-k for k in made.witness["numerators"]]}},
        {"witness": made.witness | {"margin": made.witness["margin"] / 1024}},
        {"witness": made.witness | {"margin": -1.0}},
        {  # nothing at all falls short of a negative margin
            "theorem": f"{theorems.NOVIKOFF.name}, mixed over shards",
            "promise": theorems.NOVIKOFF.promise.replace("update round", "update round of every shard"),
            "witness": {"margin": -1.0, "exponent": 0, "attributes": [], "numerators": []},
            "bound": made.count,
        },
    ]
    for fields in forged:
        with pytest.raises(NotCertified):
            ls.verify(replace(made, **fields), streams)
    for others in ([], streams[::-1], streams[:2], [*streams, streams[0]], clusters(8, 3)):
        with pytest.raises(NotCertified):
            ls.verify(made, others)


def true(made, shards):
    """Whether all that a certificate of mixed Perceptrons says is so, in fractions and printed formulas."""
    about, w = made.learner, made.witness
    passes, weights = about["mixing"]["passes"], about["mixing"]["weights"]
    enough = Fraction(about["margin"]) / Fraction(about["rate"])
    updated, rows, shares, mistakes = mixed_logged(shards, passes, weights, about["bias"], enough)
    u = {i: k * Fraction(2) ** w["exponent"] for i, k in zip(w["attributes"], w["numerators"], strict=True)}
    theorem = next(t for t in theorems.PERCEPTRON if made.theorem == f"{t.name}, mixed over shards")
    printed = perceptron_bound(SHORT[theorem], rows, shares, u, w["margin"], enough)
    return (
        w["margin"] > 0
        and list(made.updated) == updated
        and (made.updates, made.mistakes, made.marks) == (len(updated), mistakes, ())
        and made.rounds == passes * sum(map(len, shards))
        and made.count == made.counted == sum(shares)
        and (made.counts, made.scope, made.exact) == ("mixed updates", "sequence", True)
        and made.promise == theorem.promise.replace("update round", "update round of every shard", 1)
        and printed is not None
        and made.bound >= max(made.count, Fraction(printed) - Fraction(1, 10**30))
        and made.stream == " ".join(map(digest_of, shards))
    )


def digest_of(shard):
    return ColumnStream(recorded(shard), Indexed(), [-1, 1], len(shard), 0.0, 2).survey().digest


def tampered(rng, made):
    """One thing in a certificate changed, and now and then what follows from it."""
    numbers, w, about = [-2, -1, 1, 2], dict(made.witness), made.learner
    mixing, change = dict(about["mixing"]), rng.randrange(13)
    if change == 0:
        return replace(made, bound=max(0, made.bound + rng.choice([-1, 1]) * Fraction(1, rng.choice([1, 8, 1024]))))
    if change == 1:
        return replace(made, count=made.count * rng.choice([Fraction(1, 2), 2, Fraction(3, 4)]))
    if change == 2:
        return replace(made, mistakes=made.mistakes + rng.choice(numbers))
    if change == 3 and made.updated:
        at = rng.randrange(len(made.updated))
        fewer = made.updated[:at] + made.updated[at + 1 :]
        return replace(made, updated=fewer, updates=len(fewer), count=made.count - Fraction(1, rng.choice([1, 2, 4])))
    if change == 4:
        more = tuple(sorted({*made.updated, rng.randrange(max(1, made.rounds))}))
        return replace(made, updated=more, updates=len(more), count=made.count + Fraction(1, rng.choice([1, 2, 4])))
    if change == 5:
        passes = mixing["passes"] + rng.choice([-1, 1])
        rounds = made.rounds // max(1, mixing["passes"]) * passes
        kept = tuple(t for t in made.updated if t < rounds)
        about = about | {"mixing": mixing | {"passes": passes}}
        return replace(made, learner=about, rounds=rounds, updated=kept, updates=len(kept))
    if change == 6:
        return replace(made, learner=about | {"mixing": mixing | {"weights": rng.choice(WEIGHTS)}})
    if change == 7:
        key = rng.choice(["rate", "margin", "bias"])
        return replace(made, learner=about | {key: rng.choice([0.0, 0.5, 1.0, 2.0])})
    if change == 8:
        name = rng.choice([*SHORT])
        promise = name.promise.replace("update round", "update round of every shard", 1)
        return replace(made, theorem=f"{name.name}, mixed over shards", promise=rng.choice([promise, made.promise]))
    if change == 9 and w["numerators"]:
        at, w["numerators"] = rng.randrange(len(w["numerators"])), list(w["numerators"])
        w["numerators"][at] = rng.choice([0, -1, 2]) * w["numerators"][at] + rng.choice([0, 1])
    elif change == 10:
        w["margin"] *= rng.choice([2.0, 0.5, 1 + 2.0**-30, -1.0])
    elif change == 11:
        w["exponent"] += rng.choice(numbers)
    else:
        return replace(made, **rng.choice([{"scope": "class"}, {"exact": False}, {"promise": ""}, {"rounds": 0}]))
    return replace(made, witness=w)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**63))
def test_what_is_accepted_is_true_whatever_was_tampered_with(seed):
    """Halves and quarters of whole numbers are exact, so that nothing is left to rounding."""
    rng = random.Random(seed)
    points = [([rng.randrange(-2, 3), rng.randrange(-2, 3)], rng.choice([-1, 1])) for _ in range(6)]
    shards = [[rng.choice(points) for _ in range(rng.randrange(1, 8))] for _ in range(rng.choice([1, 2, 4]))]
    learner = rng.choice([ls.Perceptron(), ls.Perceptron(bias=0), ls.Perceptron(rate=0.5, margin=1)])
    streams = [recorded(shard, classes=(-1, 1)) for shard in shards]
    honest = reread(certify_passes(Job(learner, streams), rng.randrange(1, 4)))
    assert ls.verify(honest, streams)
    assert true(honest, shards)
    assert not true(replace(honest, bound=honest.bound - Fraction(1, 256)), shards)  # no larger than it must be
    forged, others = honest, shards
    if rng.random() < 0.3:
        others = rng.choice(
            [shards[::-1], shards[1:] or shards * 2, [*shards, shards[0]], [shard[::-1] for shard in shards]]
        )
        if rng.random() < 0.8:  # a forger can compute digests
            rounds = honest.learner["mixing"]["passes"] * sum(map(len, others))
            forged = replace(honest, stream=" ".join(map(digest_of, others)), rounds=rounds)
    for _ in range(rng.randrange(3)):
        forged = tampered(rng, forged)
    try:
        report = ls.verify(forged, [recorded(shard, classes=(-1, 1)) for shard in others])
    except NotCertified:
        return
    if forged.learner["mixing"]["weights"] == "uniform" and len(others) in (1, 2, 4):
        assert not report.differing
        assert true(forged, others)
    else:
        assert report.counted == forged.count <= forged.bound


def test_what_is_about_one_stream_is_not_about_shards():
    (stream,) = clusters(1, 1)
    made = ls.certify(ls.Perceptron(), stream)
    assert ls.verify(made, stream)
    with pytest.raises(NotCertified, match="one stream"):
        ls.verify(made, [stream])


def test_an_update_that_rounding_made_is_named_and_what_it_exceeded_is_counted(monkeypatch):
    # after a pass the weights are (4097/3, 4098/3, 1/3): the second row scores 1/3, and 0 in short floats
    shards = [[([4097, 0, 0], 1), ([4097, -4096, 0], 1)], [([0, 4098, 0], 1)], [([0, 0, 1], 1)]]
    streams = [recorded(shard, np.float32) for shard in shards]
    seen, foreseen, measure, foresee = [], [], mixed.measure_witness, maker.measure_excess
    monkeypatch.setattr(maker, "measure_excess", lambda *given: foreseen.append(foresee(*given)) or foreseen[-1])
    made = reread(certify_passes(Job(ls.Perceptron(bias=0), streams), 2))
    assert made.count == Fraction(4, 3)
    monkeypatch.setattr(mixed, "measure_witness", lambda *given: seen.append(given[2]) or measure(*given))
    report = ls.verify(made, streams)
    assert report.differing == (5,)
    assert seen[0].excess == Fraction(1, 3) * 2 * Fraction(1, 3)
    assert seen[0].excess <= Fraction(foreseen[0]) <= seen[0].excess + Fraction(1, 10**6)
    with pytest.raises(NotCertified, match="round 1 is listed and must not teach"):  # long floats have no such excuse
        ls.verify(replace(made, learner=made.learner | {"real": "float64"}), streams)


@pytest.mark.parametrize(("shards", "excused"), [(2, False), (3, True)])
def test_means_that_floats_hold_leave_nothing_to_rounding(shards, excused):
    # after a pass the weights are (1, 1) / shards and the second row's score is 0, which does not teach when "plus"
    rows = [[([-1, 0], -1), ([1, -1], 1)], [([0, -1], -1)], [([0, 0], 1)]][:shards]
    streams = [recorded(shard) for shard in rows]
    made = certify_passes(Job(ls.Perceptron(bias=0, tie="plus"), streams), 2)
    place = sum(map(len, rows)) + 1
    assert place not in made.updated
    forged = replace(made, updated=(*made.updated, place), updates=made.updates + 1)
    with pytest.raises(
        NotCertified, match="mixed updates are 1" if excused else "round 1 is listed and must not teach"
    ):
        ls.verify(replace(forged, rows=None), streams)
    with pytest.raises(NotCertified, match="makes 2 updates, not 3" if excused else "must not teach"):
        ls.verify(forged, streams)


def test_a_mean_is_as_rounded_as_the_worst_of_its_shards_and_its_own_sum(monkeypatch):
    streams, begun = clusters(2, 3), []
    made = certify_passes(Job(ls.Perceptron(), streams), 3)
    follow = mixed.replay_exactly

    def following(chunks, weights, updated, marks):
        begun.append((weights.steps, len(updated)))
        return follow(chunks, weights, updated, marks)

    monkeypatch.setattr(mixed, "replay_exactly", following)
    ls.verify(made, streams)
    starts, counts = [steps for steps, _ in begun], [count for _, count in begun]
    assert starts[:3] == [0, 0, 0]
    assert starts[3:6] == [max(counts[:3]) + 7] * 3
    assert starts[6:] == [starts[3] + max(counts[3:6]) + 7] * 3


def test_a_round_that_taught_nothing_must_be_there_all_the_same():
    quiet, louder = ([([1, 0], 1), ([k, 0], 1)] for k in (2, 3))  # the second row teaches neither way
    streams = [recorded([([0, 1], -1)]), recorded(quiet)]
    made = certify_passes(Job(ls.Perceptron(bias=0), streams), 2)
    assert ls.verify(made, streams)
    with pytest.raises(NotCertified, match="rounds of shard 1"):
        ls.verify(made, [streams[0], recorded(louder)])


def test_shards_without_rounds_have_no_share_and_cannot_be_claimed_to():
    shards = [[([1, 0], 1), ([-1, 1], 1), ([0, 1], -1)], [([0, 1], 1), ([1, 1], -1)]]
    first, last = (recorded(shard) for shard in shards)
    nothing = ls.Recorded(np.zeros((0, 2)), [])
    made = certify_passes(Job(ls.Perceptron(bias=0), [first, nothing, last]), 1)
    assert made.count == Fraction(5, 2)
    assert ls.verify(made, [first, nothing, last]).counted == ls.verify(made, [first, last]).counted == made.count
    silent = (
        ColumnStream(nothing, None, [], 1, 0.0, 2).survey().digest
    )  # a third shard would lower every share to a third
    forged = replace(made, stream=f"{silent} {made.stream}", count=Fraction(5, 3))
    with pytest.raises(NotCertified, match="about 3 shards, not 2"):
        ls.verify(forged, [nothing, first, last])


def test_shards_without_any_rounds_are_certified():
    streams = [ls.Recorded(np.zeros((0, 2)), [])] * 2
    made = certify_passes(Job(ls.Perceptron(), streams), 2)
    assert ls.verify(reread(made), streams).counted == made.count == 0


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_mixture_of_one_shard_leaves_no_mistake_to_rounding(weights):
    # after each pass a row's score is 0, and means of one are that one to the bit, whatever its number of updates
    stream = recorded([([1, 0], 1), ([0, 1], 1), ([1, 1], -1), ([1, -1], 1), ([1, -1], -1)])
    made = certify_passes(Job(ls.Perceptron(bias=0), [stream], weights), 3)
    assert ls.verify(made, [stream])
    for wrong in (made.mistakes - 1, made.mistakes + 1):
        with pytest.raises(NotCertified, match="15 mistakes"):
            ls.verify(replace(made, mistakes=wrong), [stream])


def test_a_shard_that_met_the_classes_in_another_order_is_followed():
    rows = np.eye(4)
    for classes in ((), ("ham", "spam")):
        for learner in (ls.Perceptron(bias=0), ls.Network(ls.Perceptron(bias=0))):
            shards = [
                ls.Recorded(rows[order], np.array(["ham", "spam", "ham", "spam"])[order], classes)
                for order in ([0, 1, 2, 3], [3, 2, 1, 0])
            ]
            made = certify_passes(Job(learner, shards), 2)
            assert ls.verify(reread(made), shards).counted == 4


def test_what_a_shard_of_one_class_stepped_away_from_is_not_guessed_by_whoever_checks(monkeypatch):
    labels = [
        "c",
        "ab",
        "c",
        "bc",
    ]  # the third shard's other class is b in the run's tree, and a in the order of shards
    shards = [ls.Recorded(np.eye(3)[: len(names)], list(names)) for names in labels]
    job = Job(ls.Network(ls.Perceptron()), shards)
    with pytest.raises(NotCertified, match="declare the classes"):
        certify_passes(job, 2)
    monkeypatch.setattr(passes, "require", lambda *given: None)
    with pytest.raises(NotCertified, match="declare the classes"):
        ls.verify(certify_passes(job, 2), shards)


def test_shards_of_one_class_each_need_their_classes_declared():
    rows = np.eye(3)
    labels = ["a", "b", "c"]
    learner = ls.Network(ls.Perceptron())
    shards = [ls.Recorded(rows, [label] * 3) for label in labels]
    with pytest.raises(NotCertified, match="declare the classes"):
        ls.verify(certify_passes(Job(learner, shards), 2), shards)
    shards = [ls.Recorded(rows, [label] * 3, labels) for label in labels]
    assert ls.verify(certify_passes(Job(learner, shards), 2), shards)


POINTS = [[-1, -1, -2], [-1, 1, 2], [1, 1, 0], [2, -1, 0], [0, 2, -1]]
NAMED = st.lists(st.tuples(st.sampled_from(POINTS), st.sampled_from("abc")), max_size=6)


@given(st.lists(NAMED, min_size=1, max_size=5), st.sampled_from(WEIGHTS), st.booleans())
@example(
    [[([-1, -1, -2], "c")], [([-1, 1, 2], y) for y in "ab"], [([-1, -1, -2], "c")], [([1, 1, 0], "b")]], "uniform", 0
)
@settings(max_examples=120, deadline=None)
def test_networks_over_any_shards_are_verified_unless_a_shard_must_declare_what_it_has_not_met(shards, weights, told):
    streams = [
        ls.Recorded(np.array([x for x, _ in shard], float).reshape(-1, 3), [y for _, y in shard], "abc" if told else ())
        for shard in shards
    ]
    job = Job(ls.Network(ls.Perceptron()), streams, weights)
    met = [{y for _, y in shard} for shard in shards if shard]
    if not told and len(set().union(*met)) > 2 and min(map(len, met)) == 1:
        with pytest.raises(NotCertified, match="declare the classes"):
            certify_passes(job, 2)
        return
    made = reread(certify_passes(job, 2))
    assert ls.verify(made, streams).counted == made.count


def test_mixtures_of_steps_that_are_rounded_are_not_verified():
    streams = clusters(3, 2)
    for learner in (ls.PassiveAggressive("I"), ls.Perceptron(normalized=True)):
        made = certify_passes(Job(learner, streams), 2)
        assert made.holds
        assert not made.exact
        with pytest.raises(NotCertified, match="not checked here"):
            ls.verify(made, streams)


@pytest.mark.parametrize("variant", ["I", "II"])
def test_a_bound_on_mixed_mistakes_is_the_whole_number_above_that_of_one_stream(variant):
    rng = np.random.default_rng(4)
    stream = ls.Recorded(rng.normal(size=(40, 3)), rng.random(40) < 0.5)
    learner = ls.PassiveAggressive(variant)
    assert certify_passes(Job(learner, [stream]), 1).bound == ls.certify(learner, stream).bound + 1


def test_a_class_that_one_shard_alone_met_is_guessed_after_the_first_pass():
    rows = np.eye(4)
    shards = [ls.Recorded(rows[[0, 1, 2]], ["a", "b", "c"]), ls.Recorded(rows[[0, 1, 3]], ["a", "b", "d"])]
    job = Job(ls.Network(ls.Perceptron(bias=0)), shards)
    player, _ = play_pass(job.start_player(), job, 1)
    assert player.predict(rows[3]) == "d"
    assert ls.verify(certify_passes(job, 3), shards)


def test_the_command_verifies_shards_in_their_order(tmp_path):
    rng = np.random.default_rng(5)
    for number in range(3):
        rows = (f"{rng.choice(['red', 'blue'])},{rng.integers(9)},{rng.choice(['yes', 'no'])}" for _ in range(20))
        (tmp_path / f"{number}.csv").write_text("\n".join(["colour,size,label", *rows, ""]))
    paths = [str(tmp_path / f"{number}.csv") for number in range(3)]
    made = certify_passes(Job(ls.AveragedPerceptron(), paths, features=ls.Hashed(6)), 2)
    (tmp_path / "c.json").write_text(made.to_json())
    command = ["verify", str(tmp_path / "c.json")]
    result = CliRunner().invoke(main, [*command, f"{tmp_path}/*.csv", "--bits", "6", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["rounds"] == 120
    for wrong in ([*paths, "--bits", "7"], paths, [*paths[::-1], "--bits", "6"]):
        result = CliRunner().invoke(main, [*command, *wrong])
        assert result.exit_code == 1
        assert "Traceback" not in result.output
