"""Worst case: the exact value of the game between one learner and every adversary that keeps to a class.

The adversary may ask any instances in any order, any number of times, and answer as it likes as long as some concept
agrees with all its answers. What can still happen depends on the learner's state and on the concepts that remain; the
pairs of the two that can be reached form a graph, an edge is a round, and its weight the mistake. The value is the
weight of the heaviest walk. A mistake inside a strongly connected part can be repeated for ever; without one, walks
inside such parts cost nothing, the parts form an acyclic graph, and the value follows from the last part backwards.

For a learner with coins an edge weighs what the round adds to the exact expected mistakes.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> worst_case(Halving(Thresholds(6)), Thresholds(6)).mistakes
3
"""

import math
from collections.abc import Container, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from littlestone.base.errors import TooLarge, require
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner, Size, State, copy_state
from littlestone.base.printed_numbers import Number
from littlestone.base.traits import ask_key
from littlestone.concepts.concept import ConceptClass
from littlestone.concepts.dimension import pack_members, tabulate

LIMIT = 100_000  # pairs of a state and a version space

Round = tuple[Any, Hashable]


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The value of the game, and rounds that force it.

    Args:
        mistakes: The most mistakes, or expected mistakes, that an adversary can force; may be infinite.
        rounds: Pairs (x, y) that force them.
        cycle: For an infinite value, the number (from 0) of the round from which on the rounds, played again and again,
            make the learner err each time; otherwise None.
    """

    mistakes: Number
    rounds: tuple[Round, ...]
    cycle: int | None = None

    def __str__(self) -> str:
        number = f"{self.mistakes} mistake{'' if self.mistakes == 1 else 's'}"
        number = "mistakes without end" if self.cycle is not None else number
        rounds = [f"{'repeat: ' if k == self.cycle else ''}{x} is {y}" for k, (x, y) in enumerate(self.rounds)]
        return f"{number}: {', '.join(rounds)}" if rounds else number


class Edge(NamedTuple):
    """A round that leads to another node: what is asked and answered, what it costs, and where it ends."""

    round: Round
    weight: Number
    end: int


def worst_case(learner: Learner, concepts: ConceptClass, limit: int = LIMIT) -> WorstCase:
    """Find the most mistakes that rounds labelled by some concept can make a learner commit, and such rounds.

    The value is exact: every adversary is considered.

    Args:
        learner: The learner; over rows of attributes, it reads the instances through its features. It may have coins if
            it keeps its exact expected mistakes.
        concepts: The class that the adversary keeps to.
        limit: How many pairs of a state and a version space may be reached before TooLarge is raised.
    """
    graph = _build_graph(learner, concepts, limit)
    parts = _find_parts(graph)
    home = {node: number for number, part in enumerate(parts) for node in part}
    for node, edges in enumerate(graph):
        for edge in edges:
            if edge.weight > 0 and home[node] == home[edge.end]:
                start = _find_walk(graph, 0, [node])
                back = _find_walk(graph, edge.end, [node])
                rounds = (*start.rounds, edge.round, *back.rounds)
                return WorstCase(math.inf, rounds, cycle=len(start.rounds))
    value: list[Number] = []  # the heaviest walk from each part; an edge out of a part leads to an earlier one
    for number, part in enumerate(parts):
        leaving = (edge for node in part for edge in graph[node] if home[edge.end] != number)
        value.append(max((edge.weight + value[home[edge.end]] for edge in leaving), default=0))
    return WorstCase(value[home[0]], tuple(_list_heaviest_rounds(graph, parts, home, value)))


class Walk(NamedTuple):
    """Rounds, and the node where they end."""

    rounds: list[Round]
    end: int


def _build_graph(learner: Learner, concepts: ConceptClass, limit: int) -> list[list[Edge]]:
    """Find the edges of every node that can be reached from node 0, the start, without rounds that change nothing."""
    features = learner.features()
    instances, labels = tabulate(concepts)
    seen = [features(x) for x in instances]
    longest = max((len(x) for x in instances if isinstance(x, tuple)), default=0)
    classes = len(concepts.labels)
    most = learner.limit()
    require(classes <= most, f"{concepts} has {classes} labels, but {learner} tells {most} apart")
    names = Labels(learner.known_labels() or concepts.labels)
    numbers = [names.encode_one(label, most) for label in concepts.labels]
    columns = [
        [(y, members) for y in range(classes) if (members := pack_members(labels[:, place] == y))]
        for place in range(len(instances))
    ]
    size = Size(attributes=max(longest, features.width), classes=len(names))
    first = learner.start(size)
    whole = (1 << concepts.size) - 1
    number: dict[Hashable, int] = {(ask_key(learner, first), whole): 0}
    waiting: list[tuple[State, int]] = [(first, whole)]
    graph: list[list[Edge]] = []
    while len(graph) < len(waiting):
        here = len(graph)
        state, space = waiting[here]
        edges: dict[int, Edge] = {}  # the heaviest to each end
        for x, sight, column in zip(instances, seen, columns, strict=True):
            guess = learner.predict(state, sight)
            for y, members in column:
                left = space & members
                if not left:
                    continue
                after = copy_state(state)
                learner.update(after, sight, numbers[y], guess)
                end = number.setdefault((ask_key(learner, after), left), len(number))
                weight = _weigh_round(learner, state, after, guess, numbers[y])
                if end == len(waiting):
                    words = f"the game of {learner} on {concepts} has more than {limit} positions"
                    require(end < limit, words, TooLarge)
                    waiting.append((after, left))
                if weight > (edges[end].weight if end in edges else 0 if end == here else -1):
                    edges[end] = Edge((x, concepts.labels[y]), weight, end)
        graph.append(list(edges.values()))
        waiting[here] = (None, space)  # its state has been asked everything
    return graph


def _weigh_round(learner: Learner, before: State, after: State, guess: int, y: int) -> Number:
    """Return what a round costs: a mistake, or what it adds to the expected mistakes of a learner with coins."""
    late = learner.expected(after)
    early = learner.expected(before)
    if late is not None and early is not None:
        return late - early
    return int(learner.loss(guess, y) > 0)


def _find_parts(graph: list[list[Edge]]) -> list[list[int]]:
    """Find the strongly connected parts, each before those that lead to it (Tarjan 1972, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    closed: set[int] = set()
    parts: list[list[int]] = []
    path: list[tuple[int, Iterator[Edge]]] = []

    def enter(node: int) -> None:
        order[node] = low[node] = len(order)
        open_nodes.append(node)
        path.append((node, iter(graph[node])))

    enter(0)
    while path:
        node, edges = path[-1]
        edge = next(edges, None)
        if edge is not None:
            if edge.end not in order:
                enter(edge.end)
            elif edge.end not in closed:
                low[node] = min(low[node], order[edge.end])
            continue
        path.pop()
        if path:
            above = path[-1][0]
            low[above] = min(low[above], low[node])
        if low[node] == order[node]:
            part = [open_nodes.pop()]
            while part[-1] != node:
                part.append(open_nodes.pop())
            parts.append(part)
            closed.update(part)
    return parts


def _find_walk(graph: list[list[Edge]], start: int, goals: Container[int]) -> Walk:
    """Find a shortest walk from `start` to one of the goals."""
    came: dict[int, tuple[int, Round] | None] = {start: None}
    for node in (queue := [start]):
        if node in goals:
            rounds: list[Round] = []
            at = node
            while (step := came[at]) is not None:
                at = step[0]
                rounds.append(step[1])
            return Walk(rounds[::-1], node)
        for edge in graph[node]:
            if edge.end not in came:
                came[edge.end] = (node, edge.round)
                queue.append(edge.end)
    raise AssertionError("a walk was asked for that does not exist")


def _list_heaviest_rounds(
    graph: list[list[Edge]], parts: list[list[int]], home: dict[int, int], value: list[Number]
) -> Iterator[Round]:
    """List the rounds of a heaviest walk from node 0."""
    at = 0
    while value[home[at]] > 0:
        here = home[at]
        ways = {
            node: edge
            for node in parts[here]
            for edge in sorted(graph[node], key=lambda edge: edge.weight)  # a later, heavier one takes its place
            if home[edge.end] != here and edge.weight + value[home[edge.end]] == value[here]
        }
        rounds, leave = _find_walk(graph, at, ways)
        yield from rounds
        yield ways[leave].round
        at = ways[leave].end
