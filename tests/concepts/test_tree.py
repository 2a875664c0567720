import re
from xml.etree import ElementTree

import pytest

from littlestone.concepts import Parities, Thresholds
from littlestone.concepts.dimension import littlestone_dimension
from littlestone.concepts.tree import Tree
from tables import Table, conjunctions

ODD = Tree('<"odd"> & more', (("a<b", Tree(concept="x & y")), ("yes or no", Tree(concept="a rather long name > 1"))))
TREES = [
    littlestone_dimension(Thresholds(14), tree=True),
    littlestone_dimension(conjunctions(3), tree=True),
    littlestone_dimension(Parities(5), tree=True),
    ODD,
    Tree(concept="alone"),
]


def test_the_text_shows_every_node_on_a_line_of_its_own():
    tree = littlestone_dimension(Thresholds(2), tree=True)
    assert str(tree).split("\n") == [
        "1",
        "├─ False: 2",
        "│  ├─ False: x >= 3",
        "│  └─ True: x >= 2",
        "└─ True: 0",
        "   ├─ False: x >= 1",
        "   └─ True: x >= 0",
    ]


def test_the_depth_is_what_can_be_forced_in_an_uneven_tree():
    deep = Tree(1, ((0, Tree(concept="a")), (1, Tree(2, ((0, Tree(concept="b")), (1, Tree(concept="c")))))))
    assert deep.depth == 1
    assert [len(rounds) for rounds, _ in deep.paths()] == [1, 2, 2]


def test_equal_trees_are_equal_and_hash_alike():
    one = littlestone_dimension(Table(((0, 1), (1, 1), (1, 0))), tree=True)
    two = littlestone_dimension(Table(((0, 1), (1, 1), (1, 0))), tree=True)
    assert one == two
    assert hash(one) == hash(two)


def elements(tree, kind):
    root = ElementTree.fromstring(tree.svg())
    return root, [element for element in root if element.tag == "{http://www.w3.org/2000/svg}" + kind]


def frame(element):
    """Left, top, right, bottom: of a box as it says, of words by the widths of a plain font's letters."""
    x, y = float(element.get("x")), float(element.get("y"))
    if element.get("width"):
        return x, y, x + float(element.get("width")), y + float(element.get("height"))
    size = float(element.get("font-size", 12))
    return x, y - 0.75 * size, x + 0.6 * size * len(element.text), y + 0.25 * size


def apart(a, b):
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"depth {tree.depth}")
def test_the_drawing_has_all_words_and_none_on_top_of_another(tree):
    root, words = elements(tree, "text")
    width, height = float(root.get("width")), float(root.get("height"))
    frames = [frame(word) for word in words]
    for k, one in enumerate(frames):
        assert 0 <= one[0] < one[2] <= width
        assert 0 <= one[1] < one[3] <= height
        assert all(apart(one, other) for other in frames[:k])
    shown = sorted(word.text for word in words)
    listed = [str(concept) for _, concept in tree.paths()]
    nodes = [tree]
    for node in nodes:
        listed += [str(node.x)] * bool(node.children) + [str(label) for label, _ in node.children]
        nodes.extend(child for _, child in node.children)
    assert shown == sorted(listed)


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"depth {tree.depth}")
def test_every_box_holds_one_instance_and_touches_no_other_words(tree):
    _, boxes = elements(tree, "rect")
    _, words = elements(tree, "text")
    _, edges = elements(tree, "path")
    assert len(boxes) - 1 == len(edges) / 2  # the first one is the paper
    for box in map(frame, boxes[1:]):
        touching = [frame(word) for word in words if not apart(frame(word), box)]
        assert len(touching) == 1
        left, top, right, bottom = touching[0]
        assert box[0] <= left < right <= box[2]
        assert box[1] <= top < bottom <= box[3]


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"depth {tree.depth}")
def test_no_edge_runs_through_words(tree):
    _, words = elements(tree, "text")
    _, edges = elements(tree, "path")
    frames = [frame(word) for word in words]
    for edge in edges:
        start, level, bend, height, end = map(float, re.findall(r"[\d.]+", edge.get("d")))
        lines = [
            (start, level, bend, level),
            (bend, min(level, height), bend, max(level, height)),
            (bend, height, end, height),
        ]
        assert start < bend < end
        assert all(apart(line, words) for line in lines for words in frames)


def test_a_notebook_shows_the_drawing():
    assert ODD._repr_svg_() == ODD.svg()
    assert ODD.svg().startswith("<svg ")
