"""The pages about scikit-learn and River print what they say they print."""

import re

import pytest

from places import DOCS


@pytest.mark.parametrize("page", ["scikit-learn.md", "river.md"])
def test_the_pages_blocks_run_one_after_another_and_print_what_is_shown(page, capsys):
    blocks = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert len(blocks) >= 2
    names: dict[str, object] = {}
    for block, shown in blocks:
        exec(compile(block, page, "exec"), names)
        assert capsys.readouterr().out == shown
