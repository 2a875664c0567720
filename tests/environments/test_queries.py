from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadParameter
from littlestone.environments.queries import Oracle, identify, identify_sparse
from littlestone.environments.teacher import Conjunction


def subsets(n):
    return [frozenset(chosen) for k in range(n + 1) for chosen in combinations(range(n), k)]


@pytest.mark.parametrize("n", range(9))
def test_every_target_is_identified_in_exactly_n_queries(n):
    for target in subsets(n):
        oracle = Oracle(Conjunction(target))
        assert identify(oracle, n) == target
        assert oracle.queries == n


@pytest.mark.parametrize("n", range(10))
def test_every_target_is_identified_by_group_testing_within_its_bound(n):
    for target in subsets(n):
        oracle = Oracle(Conjunction(target))
        assert identify_sparse(oracle, n) == target
        k, lg = len(target), (n - 1).bit_length() if n else 0
        assert oracle.queries <= k * (lg + 1) + 1


@given(st.integers(1, 3000), st.data())
def test_a_few_relevant_variables_among_many_take_few_queries(n, data):
    target = data.draw(st.frozensets(st.integers(0, n - 1), max_size=4))
    oracle = Oracle(Conjunction(target))
    assert identify_sparse(oracle, n) == target
    assert oracle.queries <= len(target) * ((n - 1).bit_length() + 1) + 1


def test_the_bound_of_group_testing_is_attained_by_one_variable_among_a_power_of_two():
    oracle = Oracle(Conjunction(frozenset({0})))
    identify_sparse(oracle, 64)
    assert oracle.queries == 1 * (6 + 1) + 1


def test_a_variable_that_was_cleared_is_never_asked_about_again():
    asked = []
    target = Conjunction(frozenset({5, 6}))
    identify_sparse(Oracle(lambda x: asked.append({i for i in range(8) if not x[i]}) or target(x)), 8)
    cleared: set[int] = set()
    for zeros in asked:
        assert not zeros & cleared
        if not zeros & {5, 6}:
            cleared |= zeros
    assert cleared == {0, 1, 2, 3, 4, 7}


def test_n_queries_are_needed_because_an_answer_is_one_bit():
    transcripts = set()
    for target in subsets(6):
        answers = []
        oracle = Oracle(
            lambda x, target=target, answers=answers: answers.append(all(x[i] for i in target)) or answers[-1]
        )
        identify(oracle, 6)
        transcripts.add(tuple(answers))
    assert len(transcripts) == 2**6


def test_a_negative_number_of_variables_is_refused():
    for ask in (identify, identify_sparse):
        with pytest.raises(BadParameter, match="n must be at least 0"):
            ask(Oracle(lambda x: True), -1)
