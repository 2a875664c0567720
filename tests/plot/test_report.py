"""The report: what it draws is what the run came to, and nothing is drawn that would not be true."""

import json
import re
from fractions import Fraction
from html import unescape

import numpy as np
import pytest
from click.testing import CliRunner

from littlestone.cli import main


def reported(folder, lines, *options, header=None):
    """The page of a run over these lines, and its record."""
    data, page = folder / ("rows.csv" if header else "rows.svm"), folder / "run.html"
    data.write_text("".join(f"{line}\n" for line in ([header] if header else []) + lines))
    said = CliRunner().invoke(main, ["learn", str(data), "--report", str(page), "--json", *options])
    assert said.exit_code == 0, said.output
    return page.read_text(), json.loads(said.stdout)


def rows(count, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    made = rng.random((count, 3))
    labels = np.minimum((made[:, 0] * classes).astype(int), classes - 1)
    return [f"{y} 1:{a:.3f} 2:{b:.3f} 3:{c:.3f}" for y, (a, b, c) in zip(labels, made, strict=True)]


def test_errors_of_all_and_of_the_latest_rounds_stand_beside_a_constant_guess(tmp_path):
    page, record = reported(tmp_path, rows(1500))
    judged = record["progressive"]
    words = f"{100 * judged['mistake_rate']:.2f}% over all 1,500 rounds, "
    assert words in page
    assert f"; a constant guess {100 * judged['constant_rate']:.2f}%." in page
    for line in ("all rounds so far", "the latest 1,000", "a constant guess"):
        assert f">{line}</text>" in page


def test_a_bound_on_log_loss_is_not_drawn_as_one_on_mistakes(tmp_path):
    page, _ = reported(tmp_path, rows(300), "--certify")
    assert "Mistakes over rounds" not in page
    assert "<td>log-loss</td>" in page
    page, record = reported(tmp_path, rows(300), "--certify", "--learner", "perceptron")
    assert record["certificate"]["counts"] == "updates"
    assert f"a theorem allows {record['certificate']['bound']:,}." in page


@pytest.mark.parametrize(("classes", "words"), [(2, "how often 1 came"), (3, "how often the guess was right")])
def test_tenths_of_the_chances_are_drawn(classes, words, tmp_path):
    page, record = reported(tmp_path, rows(400, classes=classes))
    tenths = record["progressive"]["tenths"]
    assert sum(one["rounds"] for one in tenths) == 400
    assert all(f">{one['rounds']:,}</text>" in page for one in tenths)
    assert words in page
    right = sum(one["came"] * one["rounds"] for one in tenths)
    assert classes == 2 or round(right) == 400 - record["progressive"]["mistakes"]


def test_weights_are_bars_whose_lengths_are_those_of_the_weights_and_a_mixture_names_its_member(tmp_path):
    page, _ = reported(tmp_path, rows(400))
    found = re.findall(r'class="(for|against)" style="width:([\d.]+)%".*?<td class="number">([-+][^<]+)<', page)
    weights = [float(weight) for _, _, weight in found]
    assert len(weights) == 3
    assert all((side == "for") == (weight > 0) for (side, _, _), weight in zip(found, weights, strict=True))
    for (_, width, _), weight in zip(found, weights, strict=True):
        assert float(width) == pytest.approx(50 * abs(weight) / max(map(abs, weights)), abs=0.1)
    assert re.search(r"<p>By \w+\(.*\), \d+% of the mixture\. The largest 3; to the right they speak for 1\.</p>", page)


def test_every_class_has_its_figures_and_what_is_left_out_is_said(tmp_path):
    page, record = reported(tmp_path, rows(900, classes=35), "--learner", "network:perceptron")
    table = page.split("Class by class")[1].split("</table>")[0]
    shown = re.findall(r'<tr><td class="name">(\d+)</td><td class="number">(\d+)</td>.*?([\d.%-]+)</td></tr>', table)
    classes = {str(one["class"]): one for one in record["progressive"]["classes"]}
    assert len(shown) == 30
    for name, rounds, recall in shown:
        assert int(rounds) == classes[name]["rounds"]
        assert recall == f"{classes[name]['recall']:.1%}"
    assert "The 30 most frequent of 35 classes." in page
    assert "29 more classes are left out." in page


def test_every_round_stands_in_the_table_of_guesses_or_below_it(tmp_path):
    lines = [f"{t % 2},{t % 3},{'yes' if t % 2 else 'no'}" for t in range(400)]
    page, record = reported(tmp_path, lines, "--label", "y", header="a,b,y")
    table, _, below = page.split("What was guessed for what")[1].partition("</table>")
    shown = [int(cell) for cell in re.findall(r'<td class="number[^"]*">(\d+)</td>', table)]
    assert (len(shown), sum(shown)) == (4, 400)  # the first guess too, which is class 0: "no"
    assert "Guesses of" not in below.split("</section>")[0]
    assert record["rounds"] == 400


def test_a_guess_of_a_class_that_never_comes_stands_below_the_table(tmp_path):
    lines = ["1,no"] + [f"{t % 2},{'yes' if t % 2 else 'no'}" for t in range(39)]
    winnow = ("--learner", "winnow", "--set", "threshold=0.5")
    page, record = reported(tmp_path, lines, "--label", "y", *winnow, header="a,y")
    table, _, below = page.split("What was guessed for what")[1].partition("</table>")
    shown = [int(cell) for cell in re.findall(r'<td class="number[^"]*">(\d+)</td>', table)]
    assert (len(shown), sum(shown)) == (4, 39)
    assert "<p>Guesses of a class that had not come: 1.</p>" in below.split("</section>")[0]
    assert record["rounds"] == 40


def test_a_class_that_came_alone_has_its_own_counts(tmp_path):
    """Of labels that are all 1, the class 0 has a row of the confusion and no name."""
    page, record = reported(
        tmp_path, [f"{t % 2},1" for t in range(3)], "--label", "y", "--task", "classification", header="a,y"
    )
    table = page.split("What was guessed for what")[1].partition("</table>")[0]
    (right,) = re.findall(r'<td class="number right">(\d+)</td>', table)
    assert int(right) == 3 - record["mistakes"] > 0


def test_names_of_attributes_and_classes_are_words_not_markup(tmp_path):
    lines = [f"{t % 2},{'<b>yes' if t % 2 else '<i>no'}" for t in range(40)]
    page, _ = reported(tmp_path, lines, "--label", "<u>label", header="<s>column,<u>label")
    assert not re.search(r"<[bius]>", page)
    assert "<b>yes" in unescape(page)


def test_a_run_that_went_on_draws_no_constant_guess_of_other_rounds(tmp_path):
    model = ("--model", str(tmp_path / "m.lst"))
    reported(tmp_path, rows(300), *model)
    page, _ = reported(tmp_path, rows(200, seed=1), *model, "--resume")
    assert "over all 200 rounds" in page


def test_numbers_that_are_predicted_have_weights_and_no_mistakes(tmp_path):
    lines = [f"{3 * t % 17},{2 * (3 * t % 17) + 1}" for t in range(60)]
    page, record = reported(tmp_path, lines, "--label", "y", "--task", "regression", header="x,y")
    assert record["task"] == "regression"
    assert "to the right they speak for more." in page
    for absent in ("Class by class", "What was guessed for what", "Mistakes"):
        assert absent not in page


def test_what_no_fixed_rule_can_go_below_stands_beside_what_was_made(tmp_path):
    lines = ["0 1:0 2:0", "1 1:0 2:1", "1 1:1 2:0", "0 1:1 2:1"] * 5 + ["1 1:1 2:1"]
    page, record = reported(tmp_path, lines, "--learner", "perceptron")
    made = f"{record['mistake_rate']:.2%} of the guesses were wrong; "
    assert f"{made}no rule can have less than 4.76 % (1 of 21 rounds), no linear rule less than 23.8 % (5);" in page


def test_the_page_of_a_league_has_its_members_its_weights_and_floors_beside_ceilings(tmp_path):
    noisy = [line if t % 9 else f"{1 - int(line[0])}{line[1:]}" for t, line in enumerate(rows(300))]
    members = "perceptron,passive-aggressive,naive-bayes"
    page, record = reported(tmp_path, noisy, "--league", members, "--certify")
    assert f"{100 * record['mistake_rate']:.2f}% over all 300 rounds" in page
    assert f"; a constant guess {100 * record['progressive']['constant_rate']:.2f}%; the best member, " in page
    best = min((one for one in record["members"] if not one["slept"]), key=lambda one: one["mistakes"])
    assert f"; the best member, {best['name']}, {100 * best['mistakes'] / 300:.2f}%." in page
    for line in ("a constant guess", "the best member", "Weights of the members"):
        assert f">{line}</text>" in page
    for one in [{"name": "the league", **record, "weight": None}, *record["members"]]:
        weight = "" if one["weight"] is None else f"{one['weight']:.1%}"
        numbers = (f"{one['mistakes']:,}", f"{one['log_loss']:,.1f}", weight)
        cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
        assert f'<td class="name">{one["name"]}</td>{cells}' in page
    loss, mistakes, choices, mixtures = record["certificates"]
    shown = re.search(r"Between floor and ceiling</h2>.*?</table>", page)[0]
    numbers = [float(number.replace(",", "")) for number in re.findall(r'number">([\d.,]+)<', shown)]
    assert numbers[:3] == [choices["count"], record["mistakes"], mistakes["bound"]]
    floor, ceiling = Fraction(mixtures["count"]), Fraction(loss["bound"])
    assert numbers[3:] == [pytest.approx(float(one), rel=1e-3) for one in (floor, record["log_loss"], ceiling)]
    assert numbers[3] <= floor
    assert numbers[5] >= ceiling
    assert "What no fixed rule can go below" in page


def test_a_league_that_went_on_is_beside_no_member_and_no_constant_of_other_rounds(tmp_path):
    model = ("--league", "--model", str(tmp_path / "l.lst"))
    reported(tmp_path, rows(300), "--league", "perceptron,naive-bayes", *model[1:])
    page, record = reported(tmp_path, rows(200, seed=1), *model, "--resume")
    assert "% over all 200 rounds" in page
    assert "the best member" not in page
    assert "Between floor and ceiling" not in page
    assert record["members"][0]["name"] in page
