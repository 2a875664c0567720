"""Tree: a mistake tree, the proof that every deterministic learner can be forced to err.

An inner node asks an instance and has two children, one under each of two labels; the concept at a leaf gives every
label on the way to it. Whatever a learner guesses, one of the two labels makes the guess a mistake, so a tree in which
all leaves are d deep forces d mistakes. `littlestone_dimension(concepts, tree=True)` finds the deepest one.

>>> tree = Tree(3, ((False, Tree(concept="x >= 4")), (True, Tree(concept="x >= 0"))))
>>> print(tree)
3
├─ False: x >= 4
└─ True: x >= 0
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

# pixels: between leaves, for a letter of 12 pixels, around everything
LINE = 26
GLYPH = 7.5
MARGIN = 16


class PlacedNode(NamedTuple):
    """A node placed on the plane: where it stands, how wide its words are, and its placed children."""

    x: float
    y: float
    words: str
    width: float
    children: "list[tuple[str, PlacedNode]]"


@dataclass(frozen=True, slots=True)
class Tree:
    """A node of a mistake tree: an inner one asks an instance, a leaf has a concept.

    Args:
        x: The instance that an inner node asks.
        children: Pairs of a label and the tree under it, two for an inner node; none for a leaf.
        concept: The concept of a leaf, which gives every label on the way to it.
    """

    x: Any = None
    children: "tuple[tuple[Hashable, Tree], ...]" = ()
    concept: Any = None

    @property
    def depth(self) -> int:
        """The rounds to the nearest leaf, which is the number of mistakes that can be forced."""
        return 1 + min(child.depth for _, child in self.children) if self.children else 0

    def paths(self) -> "Iterator[tuple[list[tuple[Any, Hashable]], Any]]":
        """List every way down: the rounds (x, y), and the concept that labels them so."""
        if not self.children:
            yield [], self.concept
        for label, child in self.children:
            for rounds, concept in child.paths():
                yield [(self.x, label), *rounds], concept

    def text(self) -> str:
        """Write the tree in lines of text, a node a line."""
        lines = [str(self.x if self.children else self.concept)]
        for k, (label, child) in enumerate(self.children):
            last = k == len(self.children) - 1
            head, *rest = child.text().split("\n")
            lines.append(f"{'└─' if last else '├─'} {label}: {head}")
            lines.extend(("   " if last else "│  ") + line for line in rest)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def svg(self) -> str:
        """Draw the tree as SVG: root at the left, a line for each leaf."""
        columns = _find_columns(self)
        mark, lines = _place(self, columns, 0)
        right = columns[-1] + max(leaf.width for leaf in _list_leaves(mark)) + MARGIN
        bottom = LINE * lines + 2 * MARGIN
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{right:g}" height="{bottom:g}" '
                f'viewBox="0 0 {right:g} {bottom:g}" font-family="sans-serif" font-size="12">',
                f"<title>A mistake tree of depth {self.depth}</title>",
                f'<rect width="{right:g}" height="{bottom:g}" fill="#ffffff"/>',
                *_draw(mark),
                "</svg>",
            ]
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def _measure(words: str) -> float:
    """Measure the pixels that words and the space around them need."""
    return GLYPH * len(words) + 14


def _find_columns(tree: Tree) -> list[float]:
    """Find where the nodes of each depth begin: right of the widest node before, with room for the edges' labels."""
    columns = [float(MARGIN)]
    level = [tree]
    while any(node.children for node in level):
        boxes = max(_measure(str(node.x)) for node in level if node.children)
        edges = max(_measure(str(label)) for node in level for label, _ in node.children)
        columns.append(columns[-1] + boxes + edges + 20)
        level = [child for node in level for _, child in node.children]
    return columns


def _place(tree: Tree, columns: list[float], line: int, depth: int = 0) -> tuple[PlacedNode, int]:
    """Place a tree from a line on.

    Returns:
        The placed root.
        The first line below the tree.
    """
    words = str(tree.x if tree.children else tree.concept)
    if not tree.children:
        return PlacedNode(columns[depth], MARGIN + LINE * (line + 0.5), words, _measure(words), []), line + 1
    children: list[tuple[str, PlacedNode]] = []
    for label, child in tree.children:
        mark, line = _place(child, columns, line, depth + 1)
        children.append((str(label), mark))
    middle = (children[0][1].y + children[-1][1].y) / 2
    return PlacedNode(columns[depth], middle, words, _measure(words), children), line


def _list_leaves(mark: PlacedNode) -> Iterator[PlacedNode]:
    """List the leaves of a placed tree."""
    if not mark.children:
        yield mark
    for _, child in mark.children:
        yield from _list_leaves(child)


def _draw(mark: PlacedNode) -> Iterator[str]:
    """Draw a placed tree: edges first, so that boxes lie on them."""
    x, y, words, width, children = mark
    room = max((_measure(label) for label, _ in children), default=0) + 6
    for label, child in children:
        bend = child.x - room
        yield f'<path d="M{x + width:g} {y:g}H{bend:g}V{child.y:g}H{child.x:g}" fill="none" stroke="#808080"/>'
        yield f'<text x="{bend + 6:g}" y="{child.y - 4:g}" font-size="11" fill="#1f5fa8">{escape(label)}</text>'
        yield from _draw(child)
    if children:
        box = f'x="{x:g}" y="{y - 10:g}" width="{width:g}" height="20" rx="4"'
        yield f'<rect {box} fill="#f2f5fa" stroke="#404040"/>'
    yield f'<text x="{x + 7:g}" y="{y + 4:g}" fill="#202020">{escape(words)}</text>'
