"""Mistake tree: ask where two answers leave equally much to learn, give the one that was not guessed.

It walks a deepest mistake tree of the class from the root to a leaf and forces exactly the Littlestone dimension on
every deterministic learner; no adversary that keeps to the class can promise more. The concept at the leaf agrees
with everything it said.

>>> from littlestone.concepts import Thresholds
>>> MistakeTree(Thresholds(14)).rounds
4
"""

from collections.abc import Hashable
from typing import Any

from littlestone.base.environment import Environment
from littlestone.base.learner import Size
from littlestone.concepts.concept import Concept, ConceptClass
from littlestone.concepts.dimension import littlestone_dimension


class MistakeTree(Environment):
    """The adversary that makes every guess wrong for as long as the class allows against every learner.

    Args:
        concepts: The class to keep to; its exact dimension is computed, so it must be small.
    """

    chooses = True

    def __init__(self, concepts: ConceptClass) -> None:
        self.concepts = concepts
        self.tree = littlestone_dimension(concepts, tree=True)
        self.rounds = self.tree.depth

    def size(self) -> Size:
        return Size(attributes=len(self.tree.x) if isinstance(self.tree.x, tuple) else 0)

    def classes(self) -> tuple[Hashable, ...]:
        return self.concepts.labels

    def start(self, seed: int) -> None:
        self.node = self.tree

    def ask(self) -> Any:
        return self.node.x if self.node.children else None

    def answer(self, guess: Any) -> Hashable:
        label, self.node = next((label, child) for label, child in self.node.children if label != guess)
        return label

    def target(self) -> Concept:
        node = self.node
        while node.children:
            _, node = node.children[0]
        concept: Concept = node.concept
        return concept

    def __repr__(self) -> str:
        return f"MistakeTree({self.concepts})"
