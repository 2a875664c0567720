"""Version spaces and mistake trees, counted by hand and one concept at a time."""

from itertools import product

import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.plot import scenes
from littlestone.plot.scenes.scene import Line, Note


def named(scene):
    return {mark.name: mark for mark in scene.marks if getattr(mark, "name", "")}


def test_thresholds_close_in_as_counted_by_hand():
    game = ls.play(ls.Halving(ls.Thresholds(6)), ls.Recorded([3, 5, 4], [False, True, False]))
    scene = scenes.compose_thresholds(game)
    assert [row[4:] for row in scene.rows] == [(4, 7, 4), (4, 5, 2), (5, 5, 1)]
    strip = named(scene)["thresholds that agree"]
    assert list(strip.low) == [-0.5, -0.5, 3.5, 3.5, 3.5, 3.5, 4.5, 4.5]
    assert list(strip.high) == [7.5, 7.5, 7.5, 7.5, 5.5, 5.5, 5.5, 5.5]
    assert list(strip.xs) == [0.5, 1.5, 1.5, 2.5, 2.5, 3.5, 3.5, 4.5]
    marks = named(scene)
    assert [*zip(marks["asked, negative: j > x"].xs, marks["asked, negative: j > x"].ys, strict=True)] == [
        (1, 3),
        (3, 4),
    ]
    assert [*zip(marks["asked, positive: j <= x"].xs, marks["asked, positive: j <= x"].ys, strict=True)] == [(2, 5)]
    assert scene.words.startswith("1 of 8 thresholds agree with 3 rounds")
    assert len(scenes.compose_thresholds(game, 1).rows) == 1


def test_boxes_are_in_dispute_where_a_count_of_all_boxes_says_so():
    m, rounds = 4, [((1, 1), True), ((3, 3), False), ((1, 2), True), ((0, 2), False)]
    game = ls.play(ls.Halving(ls.Rectangles(m, 2)), ls.Recorded(*zip(*rounds, strict=True)))
    for shown in range(len(rounds) + 1):
        scene = scenes.compose_rectangles(game, shown)
        agree = []
        for a, b, c, d in product(range(m), repeat=4):
            inside = {(x, y) for x in range(a, b + 1) for y in range(c, d + 1)}
            if a <= b and c <= d and all((x in inside) == y for x, y in rounds[:shown]):
                agree.append(inside)
        if not any(y for _, y in rounds[:shown]):
            agree.append(set())
        grid = [*product(range(m), repeat=2)]
        says = {x: {x in inside for inside in agree} for x in grid}
        kinds = {"outside every box": {False}, "in dispute": {False, True}, "inside every box": {True}}
        marks = named(scene)
        for name, kind in kinds.items():
            found = set(zip(marks[name].xs, marks[name].ys, strict=True)) if name in marks else set()
            assert found == {x for x in grid if says[x] == kind}
        assert scene.words.startswith(f"{len(agree)} of 101 boxes")
        assert [row[5] for row in scene.rows][-1:] == [len(agree)] * (shown > 0)
    box = marks["smallest box that agrees"]
    assert (min(box.xs), max(box.xs), min(box.ys), max(box.ys)) == (0.65, 1.35, 0.65, 2.35)


def test_a_tree_has_its_edges_and_words_and_the_way_that_was_walked():
    tree = ls.littlestone_dimension(ls.Thresholds(2), tree=True)
    game = ls.play(ls.Consistent(ls.Thresholds(2)), ls.MistakeTree(ls.Thresholds(2)), transcript=True)
    scene = scenes.compose_trees(game)
    edges = [mark for mark in scene.marks if isinstance(mark, Line)]
    words = [mark.text for mark in scene.marks if isinstance(mark, Note)]
    assert len(edges) == 6
    assert sorted(words) == sorted(
        ["0", "1", "2", "x >= 0", "x >= 1", "x >= 2", "x >= 3", *(["False", "True"] * 3), ""]
    )
    walked = [edge for edge in edges if edge.dash == "solid"]
    assert [(row[1], row[2]) for row in scene.rows] == [(round.x, round.y) for round in game.transcript]
    assert len(walked) == game.mistakes == tree.depth == 2
    assert walked[0].xs == [0, 1]
    assert (walked[1].xs, walked[1].ys[0]) == ([1, 2], walked[0].ys[1])  # it goes on where it was
    leaf = next(note for note in scene.marks if isinstance(note, Note) and note.text == str(game.target))
    assert (leaf.x, leaf.y) == (2, walked[1].ys[1])


def test_a_tree_by_itself_has_every_leaf_on_a_line_of_its_own():
    tree = ls.littlestone_dimension(ls.Thresholds(6), tree=True)
    scene = scenes.compose_trees(tree)
    leaves = [mark for mark in scene.marks if isinstance(mark, Note) and mark.text.startswith("x")]
    assert [note.y for note in leaves] == [-k for k in range(8)]
    assert {mark.dash for mark in scene.marks if isinstance(mark, Line)} == {"dotted"}
    assert scene.words == "Every learner can be made to err 3 times: one mistake at each node on the way."
    assert [
        row[0]
        for row in scenes.compose_trees(ls.play(ls.Halving(ls.Thresholds(6)), ls.MistakeTree(ls.Thresholds(6))), 2).rows
    ] == [1, 2]


def test_other_games_have_neither():
    game = ls.play(ls.Halving(ls.Thresholds(2)), ls.Recorded([1], [True]))
    with pytest.raises(BadParameter, match="MistakeTree"):
        scenes.compose_trees(game)
    with pytest.raises(BadParameter, match="Rectangles"):
        scenes.compose_rectangles(game)
    with pytest.raises(BadParameter, match="Thresholds"):
        scenes.compose_thresholds(ls.play(ls.Halving(ls.Parities(2)), ls.Recorded([(0, 1)], [True])))
