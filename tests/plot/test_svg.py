"""Scenes as SVG: well-formed, inside the frame, with a legend that covers as little as it can."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.plot.scenes.scene import Area, Line, Note, Points, Scene
from littlestone.plot.svg import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, choose_ticks, draw_svg

SVG = "{http://www.w3.org/2000/svg}"
places = st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=1, max_size=6)


def drawn(*marks, **more):
    return ET.fromstring(draw_svg(Scene("A <title>", list(marks), x="x & y", y="y", **more)))


@given(places, st.booleans())
def test_every_point_lies_inside_the_frame(points, equal):
    xs, ys = [x for x, _ in points], [y for _, y in points]
    picture = drawn(Points(xs, ys, "p"), Line(xs, ys), Note(xs[0], ys[0], "here"), equal=equal)
    (line,) = picture.findall(f"{SVG}polyline")
    for pair in line.get("points").split():
        x, y = map(float, pair.split(","))
        assert LEFT - 0.1 <= x <= WIDTH - RIGHT + 0.1
        assert TOP - 0.1 <= y <= HEIGHT - BOTTOM + 0.1


def test_words_are_escaped_and_marks_are_drawn():
    picture = drawn(
        Line([0, 1], [0, 1], "a <b>", "dashed"), Area([0, 1], [0, 0], [1, 2], "area"), Points([1], [1], shape="cross")
    )
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"A <title>", "x & y", "a <b>", "area"} <= set(words)
    assert picture.find(f"{SVG}polyline").get("stroke-dasharray")
    assert len(picture.findall(f"{SVG}polygon")) == 1


@pytest.mark.parametrize(("ys", "corner"), [([0, 10], "top left"), ([10, 0], "top right")], ids=["rising", "falling"])
def test_the_legend_stands_where_the_lines_are_not(ys, corner):
    picture = drawn(Line([0, 10], ys, "line"))
    frame, box = picture.findall(f"{SVG}rect")
    assert frame.get("fill") == "none"
    assert (float(box.get("x")) < WIDTH / 2) == (corner == "top left")
    assert float(box.get("y")) < HEIGHT / 2


def test_a_level_line_at_the_top_sends_the_legend_down():
    picture = drawn(Line([0, 10], [0, 4], "mistakes"), Line([0, 10], [10, 10], "allowed"))
    _, box = picture.findall(f"{SVG}rect")
    assert float(box.get("y")) > HEIGHT / 2
    assert float(box.get("x")) > WIDTH / 2


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9))
def test_ticks_are_round_numbers_between_the_ends(low, span):
    found = choose_ticks(low, low + span)
    assert len(found) <= 7
    assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in found)


def test_a_logarithmic_axis_shows_powers():
    picture = drawn(Line([0, 1], [1, 1000], "growth"), logarithmic=True)
    words = {text.text for text in picture.iter(f"{SVG}text")}
    assert {"1", "10", "100", "1,000"} <= words
