"""Trees: a mistake tree, root at the left, and the way down that a game took.

An inner node asks an instance; whichever label is guessed, the adversary answers the other one, so every learner walks
from the root to a leaf and errs at every node on the way.
"""

from collections.abc import Iterator
from typing import Any

from littlestone.base.errors import BadParameter, require
from littlestone.concepts.tree import Tree
from littlestone.plot.scenes.replay import choose_last_round
from littlestone.plot.scenes.scene import Line, Mark, Note, Scene

LEAVES = 64  # that a page can hold
Place = tuple[int, float]


def compose_trees(game: Any, round: int | None = None) -> Scene:
    """Compose the tree of a game against MistakeTree with the rounds played so far in it, or a Tree by itself."""
    root = game if isinstance(game, Tree) else getattr(game.environment, "tree", None)
    if not isinstance(root, Tree):
        raise BadParameter(f"a tree is drawn of a game against MistakeTree, got one against {game.environment}")
    walked = [] if game is root else _find_way(root, game.environment.node)[: choose_last_round(game, round)]
    leaves = sum(1 for _ in root.paths())
    require(leaves <= LEAVES, f"a tree of at most {LEAVES} leaves fits on a page, got {leaves}")
    places: dict[tuple[int, ...], Place] = {}
    _place_nodes(root, (), places, iter(range(leaves)))
    marks: list[Mark] = []
    nodes = list(_list_nodes(root, (), None))
    for way, _, label in nodes[1:]:
        (x, y), (before, above) = places[way], places[way[:-1]]
        taken = list(way) == walked[: len(way)]
        marks.append(Line([before, x], [above, y], "", "solid" if taken else "dotted", 1 if taken else 6))
        marks.append(Note(before + 0.62 * (x - before), above + 0.62 * (y - above), str(label), True))
    for way, node, _ in nodes:
        words = str(node.x) if node.children else str(node.concept)
        marks.append(Note(*places[way], words, bool(node.children)))
    rows = list[tuple[Any, ...]]()
    node = root
    for number, step in enumerate(walked, 1):
        label, child = node.children[step]
        rows.append((number, node.x, label))
        node = child
    deep = f"Every learner can be made to err {root.depth} times"
    words = f"{deep}; this game forced {len(rows)}." if rows else f"{deep}: one mistake at each node on the way."
    longest = max(len(str(concept)) for _, concept in root.paths())
    marks.append(Note(max(x for x, _ in places.values()) + 0.09 * longest, 0.0, ""))  # room for the last words
    return Scene("A mistake tree", marks, words=words, header=("round", "x", "label"), rows=rows, bare=True)


def _place_nodes(tree: Tree, way: tuple[int, ...], places: dict[tuple[int, ...], Place], lines: Iterator[int]) -> float:
    """Place a tree, a line for each leaf, the first one on top; return the height of its root."""
    if tree.children:
        heights = [_place_nodes(child, (*way, k), places, lines) for k, (_, child) in enumerate(tree.children)]
        height = (heights[0] + heights[-1]) / 2
    else:
        height = -float(next(lines))
    places[way] = (len(way), height)
    return height


def _list_nodes(tree: Tree, way: tuple[int, ...], label: Any) -> Iterator[tuple[tuple[int, ...], Tree, Any]]:
    """List the nodes of a tree from the root on: the way to each, the node, and the label that leads to it."""
    yield way, tree, label
    for k, (answer, child) in enumerate(tree.children):
        yield from _list_nodes(child, (*way, k), answer)


def _find_way(tree: Tree, node: Tree) -> list[int]:
    """Find which child was taken at each node from the root to this one."""
    return next(list(way) for way, one, _ in _list_nodes(tree, (), None) if one is node)
