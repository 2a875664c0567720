"""What the course claims: counts, inequalities between printed numbers, figures no local window tells apart."""

import math
import re
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

import littlestone as ls
from places import DATA, DOCS

PAGE = (DOCS / "course" / "10-in-passing.md").read_text()
PLANE = (DOCS / "course" / "11-the-plane.md").read_text()
WORK = (DOCS / "course" / "12-at-work.md").read_text()


def find_numbers(page, pattern):
    """The numbers in each line that the page prints in this form; that it prints them is another test's."""
    found = [list(map(float, match.groups())) for match in re.finditer(pattern, page, re.MULTILINE)]
    assert found, pattern
    return found


def names_of_the_page(upto):
    """What the blocks of the page define, up to the one that has this text."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "page", "exec"), names)
        if upto in block:
            return names
    raise AssertionError(upto)


def odd_max_bit(n):
    rows = np.array(list(product((0, 1), repeat=n)))
    labels = [bool(any(row)) and max(k for k, bit in enumerate(row, 1) if bit) % 2 == 1 for row in rows.tolist()]
    return rows, labels


def count_plainly(rows, labels):
    """Updates of a Perceptron in plain Python until a pass has none."""
    weights, total, clean = [0] * (len(rows[0]) + 1), 0, False
    while not clean:
        clean = True
        for row, label in zip(rows.tolist(), labels, strict=True):
            z = [(1 if label else -1) * value for value in (*row, 1)]
            if sum(w * value for w, value in zip(weights, z, strict=True)) <= 0:
                weights = [w + value for w, value in zip(weights, z, strict=True)]
                total, clean = total + 1, False
    return total


def test_the_perceptron_is_slow_on_a_decision_list():
    assert [count_plainly(*odd_max_bit(n)) for n in (2, 4, 6)] == [11, 55, 289]
    assert "Perceptron     [11, 55, 289, 1839]" in PAGE


@pytest.mark.long
def test_the_counts_with_ten_attributes():
    count = names_of_the_page("def count_updates")["count_updates"]
    stream = ls.Recorded(*odd_max_bit(10))
    learners = (ls.Perceptron(), ls.BalancedWinnow(factor=2.0), ls.Ellipsoid())
    assert [count(learner, stream) for learner in learners] == [12_141, 207, 138]


@pytest.mark.long
def test_windows_of_figures_cancel_and_larger_windows_do_not():
    names = names_of_the_page("def draw_bars")
    figures, connected = names["figures"], [names["is_connected"](image) for image in names["figures"]]
    assert connected == [False, True, True, False]
    seen = [names["see_windows"](image, 3) for image in figures]
    for window in set().union(*seen):
        assert sum((1 if y else -1) * x.get(window, 0) for x, y in zip(seen, connected, strict=True)) == 0
    whole = [{image.tobytes().hex(): 1} for image in figures]
    assert ls.separable(ls.Recorded(whole, connected))
    assert not ls.separable(ls.Recorded(seen, connected))


@pytest.mark.long
@pytest.mark.skipif(not (DATA / "sms_spam").exists(), reason="needs messages that are not part of the project")
def test_a_thick_separator_saves_mistakes_on_real_messages_at_every_promotion():
    path = next(path for path in sorted((DATA / "sms_spam").iterdir()) if path.name.startswith("SMS"))
    lines = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line]
    rows = [dict.fromkeys(text.lower().split(), 1) for _, text in lines]
    stream = ls.Recorded(rows, [kind == "spam" for kind, _ in lines])
    for promotion in (1.2, 1.5, 2.0):
        thin, thick = (ls.play(ls.Winnow(promotion, threshold=20.0, margin=m), stream).mistakes for m in (0.0, 5.0))
        assert thick < thin < len(lines) / 10


def test_four_points_have_margin_one_half_and_five_have_less():
    for count, least in ((4, 0.5), (5, 5**-0.5)):
        signs = np.array([-1, *[1] * (count - 1)])
        found = ls.separable(ls.Recorded(np.eye(count), signs > 0), bias=0)
        assert float(found.margin) == pytest.approx(least)
    assert "4 points: margin 0.5000, at least 0.5: True" in PAGE
    assert "5 points: margin 0.4472, at least 0.5: False" in PAGE


def test_randomized_halving_is_below_halving_by_a_factor_that_tends_to_one_over_ln_2():
    ratios = []
    for power in (2, 5, 10, 20):
        bound = float(ls.RandomizedHalving(ls.Thresholds(2**power - 2)).bound().value)
        ratios.append(power / bound)
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] == pytest.approx(1 / np.log(2), rel=0.05)


def test_the_longest_prefix_comes_close_and_loses_to_bisection():
    for _, wrong, allowed in find_numbers(PAGE, r"^ *(\d+) draws: wrong on ([\d.]+) .* = ([\d.]+)$"):
        assert wrong < allowed
    ends = [max((x for x in np.random.default_rng(seed).random(100) if x <= 0.7), default=0) for seed in range(1000)]
    assert sum(0.7 - end > np.log(100) / 100 for end in ends) <= 10 + 3 * 10**0.5  # at most 1 of 100, but for chance
    assert "40 mistakes in 40 rounds of bisection" in PAGE


def test_programs_are_learned_with_at_most_as_many_mistakes_as_bits():
    programs = ls.Programs(8)
    for number in (0, 77, 300, 510):
        labels = [programs.concept(number)(x) for x in range(20)]
        assert ls.play(ls.Halving(programs), ls.Recorded(list(range(20)), labels)).mistakes <= 8
    assert "8191 programs, 5 mistakes, at most 12" in PAGE


def test_worst_cases_lie_between_the_optimum_and_the_logarithm():
    for n, size, first, halving, least in find_numbers(PAGE, r"^[a-z ]+?" + r" +(\d+)" * 5 + "$"):
        assert least <= halving <= np.log2(size), n
        assert halving <= first <= size - 1
    thresholds = find_numbers(PAGE, r"^thresholds" + r" +(\d+)" * 5 + "$")
    assert [row[2] for row in thresholds] == [row[0] + 1 for row in thresholds]


def test_threshold_units_say_what_their_targets_say():
    rows = list(product((0, 1), repeat=4))
    assert all((a + b + c >= 3) == bool(a and b and c) for a, b, c, _ in rows)
    assert all((a + d >= 1) == bool(a or d) for a, _, _, d in rows)
    assert len(re.findall(r">= \d  True, Perceptron \d+ updates", PAGE)) == 3


def test_elimination_needs_fewer_examples_than_the_conversion_and_fails_seldom():
    ((own, general),) = find_numbers(PAGE, r"^elimination (\d+) examples, the general conversion (\d+)$")
    assert own < general
    ((failed, runs, doubt),) = find_numbers(PAGE, r": (\d+) of (\d+) runs err on .*, ([\d.]+)% allowed$")
    assert failed <= runs * doubt / 100


def test_regret_stays_below_its_rates():
    for line in find_numbers(PAGE, r"^ *\d+ ([\d.]+) <= ([\d.]+); with a perfect one ([\d.]+) <= ([\d.]+)$"):
        assert line[0] <= line[1]
        assert line[2] <= line[3]
    for rounds, average, best, rate in find_numbers(
        PAGE, r"^ *(\d+) average loss ([\d.]+), best concept ([\d.]+), sqrt\(ln C / T\) ([\d.]+)$"
    ):
        assert best <= average <= best + rate, rounds


def test_boosting_errs_less_than_the_product_allows():
    turns = find_numbers(PAGE, r"^\d error ([\d.]+), the vote errs on ([\d.]+) <= ([\d.]+) of the rows$")
    assert all(missed <= allowed for _, missed, allowed in turns)
    products = np.cumprod([2 * np.sqrt(error * (1 - error)) for error, _, _ in turns])
    assert [allowed for _, _, allowed in turns] == pytest.approx(products.tolist(), abs=6e-4)
    assert turns[-1][1] == 0


def test_transformed_spaces_separate_and_winnow_keeps_its_bound_there():
    assert "x    False\nx^2  True" in PAGE
    for mistakes, allowed in find_numbers(PLANE, r"^2-[DC]NF: (\d+) mistakes, (\d+) allowed$"):
        assert mistakes <= allowed == 3 * 2 * 8 + 1  # ceil(lg 136) = 8
    circle, interval = re.findall(r"^False True$", PLANE, re.MULTILINE)
    assert circle == interval


def test_the_largest_margin_lies_between_the_two_sides():
    ((margin, limit),) = find_numbers(PLANE, r"^margin ([\d.]+) <= largest <= ([\d.]+): gap")
    assert 0 < margin <= limit
    ((made, allowed),) = find_numbers(PLANE, r"^(\d+) updates; Novikoff's bound with this u allows (\d+)$")
    assert made <= allowed
    assert "True 84 mistakes" in PLANE


def test_what_the_applications_print_is_what_they_say():
    for _, thin, thick in find_numbers(WORK, r"^promotion +([\d.]+): \[(\d+), (\d+)\] mistakes"):
        assert thick < thin
    (_, all_read, double), (_, active, once) = find_numbers(
        WORK, r"^\w+ +(\d+) mistakes, (\d+) attributes read a round, (\d+) numbers kept$"
    )
    assert (all_read, double) == (200, 2 * 200)
    assert (active < 10, once) == (True, 200 + 1)
    noisy = find_numbers(WORK, r"^noise +([\d.]+): +(\d+) updates <= +(\d+)")
    assert all(updates <= allowed for _, updates, allowed in noisy)
    assert noisy == sorted(noisy)
    for shift, mistakes, allowed in find_numbers(WORK, r"^shift (\d): (\d+) mistakes, .* one u: (\d+)$"):
        assert mistakes <= allowed, shift
    for made, allowed in find_numbers(WORK, r"([\d.]+) mistakes, allowed ([\d.]+)$"):
        assert made <= allowed
    here, there = map(float, re.findall(r"^t?here +wrong on ([\d.]+)$", WORK, re.MULTILINE))
    assert here < 0.2
    assert there > 0.5


def read_chapter(name):
    return (DOCS / "course" / f"{name}.md").read_text()


def test_the_search_for_the_shortest_conjunction_grows_exponentially_and_greedy_is_not_always_shortest():
    page = read_chapter("3-elimination")
    found = find_numbers(page, r"^ *(\d+) attributes: shortest (\d+), +(\d+) conjunctions searched; greedy (\d+)$")
    for n, shortest, searched, greedy in found:
        assert searched == sum(math.comb(int(n), k) for k in range(1, int(shortest) + 1))
        assert shortest <= greedy
    work = [searched for _, _, searched, _ in found]
    assert all(later > 4 * before for before, later in pairwise(work))  # three attributes more
    assert any(greedy > shortest for _, shortest, _, greedy in found)


def test_the_perceptron_over_advice_beats_every_expert():
    page = read_chapter("5-the-perceptron")
    ((best, vote),) = find_numbers(page, r"^the best expert (\d+) mistakes, their weighted vote (\d+)$")
    ((made, allowed),) = find_numbers(page, r"^the Perceptron (\d+) mistakes, at most (\d+) updates$")
    assert made <= allowed == 3 * 15
    assert 10 * made < min(best, vote)
    assert "heaviest weights: [1, 4, 9]" in page


@pytest.mark.parametrize("d", [2, 3, 6])
def test_no_ellipsoid_around_the_half_is_smaller_than_the_update(d):
    """Ellipsoids of any centre and shape, scaled until they hold points of the half's surface."""
    rng = np.random.default_rng(d)
    learner = ls.Ellipsoid()
    player = ls.play(learner, ls.Recorded([np.eye(d)[0]], [True])).player
    least = np.linalg.det(learner.matrix(player.state))
    points = rng.normal(size=(4000, d))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points[:, 0] = abs(points[:, 0])
    rim = points[:2000].copy()
    rim[:, 0] = 0
    rim /= np.linalg.norm(rim, axis=1)[:, None]
    half = np.vstack([np.eye(d)[0], points, rim])
    center, shape = player.state.weights, learner.matrix(player.state)
    inside = np.einsum("ij,jk,ik->i", half - center, np.linalg.inv(shape), half - center)
    assert inside.max() <= 1 + 1e-9  # it holds the half
    for _ in range(300):
        spread = rng.normal(size=(d, d)) * rng.choice([0.02, 0.2, 1.0])
        other = shape @ (np.eye(d) + spread @ spread.T)
        other = (other + other.T) / 2
        if np.linalg.eigvalsh(other).min() <= 0:
            continue
        moved = center + rng.normal(size=d) * rng.choice([0.01, 0.1, 0.5])
        reach = np.einsum("ij,jk,ik->i", half - moved, np.linalg.inv(other), half - moved).max()
        assert np.linalg.det(other) * reach**d >= least * (1 - 0.02)  # points stand for the whole surface


def test_the_center_of_least_volume_is_that_of_the_update():
    page = read_chapter("6-ellipsoid-and-kernels")
    for d, center, best, volume, least in find_numbers(
        page, r"^d = +(\d+): centre ([\d.]+), least at ([\d.]+); volume ([\d.]+) <= ([\d.]+) \[1. 1.\]$"
    ):
        assert center == pytest.approx(1 / (d + 1), abs=1e-4)
        assert best == pytest.approx(center, abs=2e-4)
        assert volume <= least


def test_the_exponential_form_is_winnow_with_promotion_e():
    assert ls.Winnow.exponential(8) == ls.Winnow(promotion=math.e, threshold=8.0)
    rows = np.random.default_rng(3).random((300, 8))
    labels = rows[:, 0] + rows[:, 1] > 1.1
    weights, guesses = np.ones(8), []
    for x, y in zip(rows, labels, strict=True):
        guesses.append(bool(weights @ x >= 8))
        if guesses[-1] != y:
            weights *= np.exp((1 if y else -1) * x)
    game = ls.play(ls.Winnow.exponential(8, real=True), ls.Recorded(rows, labels), transcript=True)
    assert [bool(one.guess) for one in game.transcript] == guesses
    assert np.allclose(game.player.state.weights, weights, rtol=1e-12)
    page = read_chapter("7-winnow")
    ((plain, made, allowed),) = find_numbers(page, r"^(\d+) (\d+) mistakes, at most (\d+)$")
    assert plain == made <= allowed
    assert "the same weights: True" in page


def test_a_market_that_turns_costs_fixed_share_half_of_the_best_analyst():
    page = read_chapter("8-experts")
    losses = dict(re.findall(r"^(\w+) +best analyst \d+, learner ([\d.]+)$", page, re.MULTILINE))
    ((best,),) = set(map(tuple, find_numbers(page, r"^\w+ +best analyst (\d+), learner [\d.]+$")))
    assert float(losses["WeightedMajority"]) >= best
    assert float(losses["FixedShare"]) < 0.6 * best


def test_parity_needs_the_product_of_all_bits():
    for local, whole in find_numbers(PAGE, r"mistakes in one more sweep (\d+) by products of \d, (\d+) by products"):
        assert local > 0
        assert whole == 0
    assert PAGE.count("separable by bits: False") == 3


def test_as_many_points_are_shattered_with_a_margin_as_mistakes_can_be_forced():
    for n in (1, 2, 5, 30):
        assert ls.margin_dimension(Fraction(1, n)) == n
        assert ls.margin_dimension(Fraction(1000, 1000 * n + 1)) == n
        assert ls.margin_dimension(Fraction(1, n), attributes=4) == min(n, 4)
        game = ls.play(ls.Perceptron(bias=0), ls.BasisVectors(n))
        assert game.mistakes == n
    for wrong in (0.25, 0, 2, "-1/4"):
        with pytest.raises(ls.errors.BadParameter):
            ls.margin_dimension(wrong)
    for points, mistakes in find_numbers(PAGE, r"^margin\^2 = \S+ *: +(\d+) points, +(\d+) mistakes; \d with"):
        assert points == mistakes


def test_every_passage_is_on_a_page_of_the_course():
    pages = "".join(page.read_text() for page in (DOCS / "course").glob("*.md"))
    for words in (
        "odd-max-bit",
        "Prefixes of [0, 1]",
        "hinge loss",
        "duality gap",
        "AdaBoost is Hedge",
        "program of at most b bits",
        "linear threshold units",
        "connectivity",
        "2-CNF",
        "Intervals are lines",
        "thick separator",
        "Regularisation",
        "Duplication against Balanced Winnow",
        "Label noise",
        "ShiftingPerceptron",
        "Trained here, used there",
        "A panel",
        "Figure 1",
        "Shattering with a margin",
        "FallbackHalving",
        "1 / ln 2",
        "dual Perceptron",
        "How worst cases grow",
        "Elimination from random examples",
        "plane of weights",
        "shortest conjunction",
        "A subcommittee of experts",
        "no smaller ellipsoid holds the half",
        "exp(y x)",
        "A stock market",
        "Parity is the simplest",
        "margin_dimension",
    ):
        assert words in pages, words
