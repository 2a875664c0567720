"""Every scene is drawn, with matplotlib and as SVG, with the marks that it has."""

from xml.etree import ElementTree

import numpy as np
import pytest

import littlestone as ls
from littlestone import plot
from littlestone.game.ledger import ledger
from littlestone.plot import scenes
from littlestone.plot.scenes.scene import Area, Line, Note, Points, Scene
from littlestone.plot.svg import choose_ticks, draw_svg

AND = ls.Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [False, False, False, True] * 9)
GAMES = {
    "mistakes": lambda: ls.play(ls.Perceptron(), AND),
    "errors": lambda: ls.play(ls.Perceptron(), AND),
    "calibration": lambda: ls.play(ls.AdaGrad(), AND),
    "plane": lambda: ls.play(ls.Perceptron(), AND),
    "steps": lambda: ls.play(ls.Perceptron(bias=0), ls.Recorded([[1, 2], [2, -1], [-1, 1]], [True, False, False])),
    "votes": lambda: [ls.WeightedMajority(), ls.RandomizedWeightedMajority(), ls.ImprovedMajority()],
    "potentials": lambda: ls.play(ls.Perceptron(), AND),
    "ellipsoids": lambda: ls.play(ls.Ellipsoid(), ls.Recorded([[1.0, 0.0], [-1.0, 1.0]], [True, True])),
    "thresholds": lambda: ls.play(ls.Halving(ls.Thresholds(6)), ls.Recorded([3, 5, 4], [False, True, False])),
    "rectangles": lambda: ls.play(ls.Halving(ls.Rectangles(4, 2)), ls.Recorded([(1, 1), (3, 3)], [True, False])),
    "trees": lambda: ls.play(ls.Halving(ls.Thresholds(6)), ls.MistakeTree(ls.Thresholds(6))),
    "regret": lambda: ledger(ls.WeightedMajority(), [[1, 0, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1]),
    "weights": lambda: ledger(ls.WeightedMajority(), [[1, 0, 1], [1, 1, 0], [0, 0, 1]], [1, 0, 1]),
    "crossing": lambda: [],
    "league": lambda: ls.League([ls.Perceptron(), ls.AveragedPerceptron()]).play(AND),
}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_axes_have_the_marks_of_the_scene_and_so_has_the_svg(name):
    game = GAMES[name]()
    scene, axes = getattr(scenes, f"compose_{name}")(game), getattr(plot, name)(game)
    kinds = [type(mark) for mark in scene.marks]
    assert axes.get_title() == scene.title
    assert len(axes.lines) == kinds.count(Line)
    assert len(axes.collections) == kinds.count(Points) + kinds.count(Area)
    assert len(axes.texts) == kinds.count(Note)
    lines = [mark for mark in scene.marks if isinstance(mark, Line) and not mark.closed]
    drawn = [line.get_xydata().tolist() for line in axes.lines]
    assert all(np.column_stack([line.xs, line.ys]).tolist() in drawn for line in lines)
    legend = [mark.name for mark in scene.marks if getattr(mark, "name", "")]
    assert [words.get_text() for words in axes.get_legend().get_texts()] == legend if legend else not axes.get_legend()
    root = ElementTree.fromstring(draw_svg(scene))
    written = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {scene.title, *legend} <= set(written)
    assert scene.words.endswith(".")
    assert all(len(row) == len(scene.header) for row in scene.rows)


def test_every_scene_has_a_function_that_draws_it():
    drawn = {name.removeprefix("compose_") for name in vars(scenes) if name.startswith("compose_")}
    assert drawn == set(GAMES)
    assert all(callable(getattr(plot, name)) for name in drawn)


def test_the_books_are_two_pictures_one_above_the_other(tmp_path):
    figure = plot.books(GAMES["regret"](), switches=1)
    figure.savefig(tmp_path / "books.png")
    assert [axes.get_title() for axes in figure.axes] == ["Regret", "Weights of the experts"]
    assert (tmp_path / "books.png").stat().st_size > 10_000


def test_a_scene_is_drawn_on_axes_that_are_there():
    (axes,) = plot.make_axes(1)
    assert plot.mistakes(GAMES["mistakes"](), axes=axes) is axes


def test_svg_puts_each_shape_where_it_belongs_and_escapes_words():
    shapes = ("circle", "cross", "square", "triangle", "ring")
    marks = [Points([k], [1.0], f"<{shape}>", shape, k) for k, shape in enumerate(shapes)]
    text = draw_svg(Scene("a < b", [*marks, Note(1, 1, "here & there"), Note(2, 1, "centre", True)], logarithmic=True))
    root = ElementTree.fromstring(text)
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "here & there", "centre", *(f"<{shape}>" for shape in shapes)} <= set(words)
    assert text.count("<circle") == 4  # two shapes, and both again in the legend


def test_ticks_are_round_numbers_inside():
    assert choose_ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert choose_ticks(0.13, 0.29) == pytest.approx([0.15, 0.2, 0.25])
    assert choose_ticks(3, 3) == [3]
