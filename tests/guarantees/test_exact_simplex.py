from hypothesis import given
from hypothesis import strategies as st

from littlestone.guarantees.exact_simplex import decide_exactly, is_affordable

numbers = st.integers(-3, 3) | st.integers(-(2**80), 2**80)
matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=1, max_size=9)
)


@given(matrices)
def test_it_gives_a_vector_or_multiples_and_either_is_a_proof(rows):
    multiples, vector = decide_exactly(rows)
    if multiples is None:
        assert all(sum(a * b for a, b in zip(vector, row, strict=True)) > 0 for row in rows)
    else:
        assert min(multiples) >= 0
        assert any(multiples)
        assert not any(sum(a * b for a, b in zip(multiples, column, strict=True)) for column in zip(*rows, strict=True))


def test_what_is_too_large_is_refused_at_once():
    assert not is_affordable(10**6, 1000)
    assert decide_exactly([[1] * 200] * 200) is None
