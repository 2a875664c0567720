from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import BadParameter, TooLarge
from littlestone.base.exact_numbers import floor_log2
from littlestone.concepts import Parities, Thresholds
from littlestone.concepts.dimension import Solver, get_solver, littlestone_dimension, tabulate, vc_dimension
from tables import Table, boxes, conjunctions, disjunctions, singletons


@st.composite
def tables(draw, labels=2, concepts=12, instances=5):
    width = draw(st.integers(1, instances))
    row = st.tuples(*[st.integers(0, labels - 1)] * width)
    return Table(tuple(draw(st.lists(row, min_size=1, max_size=concepts))), tuple(range(labels)))


@settings(max_examples=150, deadline=None)
@given(tables())
def test_both_dimensions_are_those_of_the_definitions(concepts):
    assert vc_dimension(concepts) == reference.vc_dimension(concepts.rows)
    assert littlestone_dimension(concepts) == reference.littlestone_dimension(concepts.rows)


@settings(max_examples=100, deadline=None)
@given(tables(labels=4))
def test_the_littlestone_dimension_of_more_labels_is_that_of_the_definition(concepts):
    assert littlestone_dimension(concepts) == reference.littlestone_dimension(concepts.rows)


@settings(max_examples=100, deadline=None)
@given(tables(concepts=40, instances=10))
def test_vc_is_at_most_littlestone_is_at_most_the_logarithm(concepts):
    distinct = len(set(concepts.rows))
    assert vc_dimension(concepts) <= littlestone_dimension(concepts) <= floor_log2(distinct)


@settings(max_examples=60, deadline=None)
@given(tables(concepts=30, instances=8))
def test_the_witness_of_the_vc_dimension_is_shattered(concepts):
    points = vc_dimension(concepts, witness=True)
    patterns = {tuple(row[x] for x in points) for row in concepts.rows}
    assert len(points) == vc_dimension(concepts)
    assert patterns == set(product((0, 1), repeat=len(points)))


@settings(max_examples=60, deadline=None)
@given(st.one_of(tables(concepts=30, instances=8), tables(labels=3, concepts=20)))
def test_the_tree_has_its_depth_everywhere_and_a_concept_for_every_path(concepts):
    tree = littlestone_dimension(concepts, tree=True)
    dimension = littlestone_dimension(concepts)
    paths = list(tree.paths())
    assert tree.depth == dimension
    assert len(paths) == 2**dimension
    for rounds, concept in paths:
        assert len(rounds) == dimension
        assert all(concept(x) == y for x, y in rounds)
    assert len({tuple(rounds) for rounds, _ in paths}) == len(paths)


@pytest.mark.parametrize(
    ("concepts", "vc", "littlestone"),
    [
        (conjunctions(1), 1, 1),
        (conjunctions(2), 2, 3),
        (conjunctions(3), 3, 4),
        (conjunctions(4), 4, 5),
        (conjunctions(5), 5, 6),
        (boxes(4, 2), 4, 6),
        (boxes(4, 2, empty=False), 4, 6),
        (boxes(5, 2), 4, 7),
        (boxes(5, 2, empty=False), 4, 7),
        (disjunctions(2, 1), 1, 1),
        (disjunctions(4, 1), 2, 2),
        (disjunctions(8, 1), 3, 3),
        (disjunctions(4, 2), 2, 2),
        (Parities(7), 7, 7),
        (Thresholds(1023), 1, 10),
    ],
    ids=lambda value: f"{value.size} concepts" if hasattr(value, "size") else str(value),
)
def test_known_classes_have_their_known_dimensions(concepts, vc, littlestone):
    assert vc_dimension(concepts) == vc
    assert littlestone_dimension(concepts) == littlestone
    assert littlestone_dimension(concepts, tree=True).depth == littlestone


@pytest.mark.parametrize("n", range(2, 9))
def test_singletons_have_dimension_one(n):
    assert littlestone_dimension(singletons(n)) == vc_dimension(singletons(n)) == 1


@pytest.mark.parametrize("n", range(1, 31))
def test_thresholds_have_the_dimension_that_bisection_forces(n):
    assert littlestone_dimension(Thresholds(n)) == floor_log2(n + 2)


def test_one_concept_has_dimension_zero_however_often_it_is_listed():
    concepts = Table(((0, 1, 1),) * 3)
    assert littlestone_dimension(concepts) == vc_dimension(concepts) == 0
    assert vc_dimension(concepts, witness=True) == ()
    assert littlestone_dimension(concepts, tree=True).concept.index == 0


def test_a_leaf_names_the_first_concept_that_reaches_it():
    concepts = Table(((0, 0, 0), (0, 0, 1), (1, 1, 1)))
    assert [concept.index for _, concept in littlestone_dimension(concepts, tree=True).paths()] == [0, 2]


def test_no_concepts_have_dimension_minus_one():
    assert get_solver(Thresholds(3)).find_dimension(0) == -1


def test_instances_that_all_concepts_label_alike_divide_nothing():
    concepts = Table(((0, 1, 1, 0), (0, 1, 0, 0)))
    assert Solver(concepts).instances == [2]


def test_equal_concepts_count_once_in_a_version_space():
    concepts = Table(((0, 0), (0, 0), (1, 0), (0, 0), (1, 1)))
    found = get_solver(concepts)
    assert found.distinct == [0, 2, 4]
    assert [found.to_space(members) for members in (0b11111, 0b01011, 0b10100, 0)] == [0b111, 0b001, 0b110, 0]


@pytest.mark.parametrize("concepts", [Parities(3), Parities(7), Thresholds(5)], ids=str)
def test_the_table_is_what_every_concept_says(concepts):
    instances, labels = tabulate(concepts)
    assert instances == list(concepts.instances())
    assert labels.tolist() == [[concepts.label(h, x) for x in instances] for h in range(concepts.size)]


def test_remembered_answers_stay_true_for_every_version_space():
    # Intervals on five points: what the search for the whole class learns about parts is used when they are asked for.
    concepts = boxes(5, 1)
    found = Solver(concepts)
    assert found.find_dimension(found.everything) == reference.littlestone_dimension(concepts.rows)
    for first, second in product(product(range(5), (0, 1)), repeat=2):
        alive = [h for h, row in enumerate(concepts.rows) if all(row[x] == y for x, y in (first, second))]
        members = found.to_space(sum(1 << h for h in alive))
        assert found.find_dimension(members) == reference.littlestone_dimension([concepts.rows[h] for h in alive])


def test_the_vc_dimension_wants_two_labels():
    with pytest.raises(BadParameter, match="two labels"):
        vc_dimension(Table(((0, 1, 2),), labels=("a", "b", "c")))


def test_a_search_beyond_its_limit_says_so_and_can_be_tried_again():
    concepts = boxes(3, 2)
    with pytest.raises(TooLarge, match="limit"):
        littlestone_dimension(concepts, limit=3)
    with pytest.raises(TooLarge, match="limit"):
        vc_dimension(concepts, limit=3)
    assert littlestone_dimension(concepts) == 4
    assert vc_dimension(concepts) == 4


def test_a_table_too_large_to_write_down_is_refused():
    with pytest.raises(TooLarge, match="concepts by its instances"):
        littlestone_dimension(Thresholds(10**6))
