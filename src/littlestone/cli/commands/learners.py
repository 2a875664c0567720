"""The command `learners`: every learner, what it does, what it promises, and how it is typed."""

import re
import sys
from dataclasses import fields
from typing import Any

import click

from littlestone.cli import echo_json, takes_json
from littlestone.game.names import to_kebab

GROUPS = {  # what learners learn from, and the commands that take them
    "rows": "rows of attributes: littlestone learn DATA --learner NAME, littlestone race DATA --learner NAME",
    "classes": "finite classes and points: littlestone play NAME --concepts CLASS --against ENVIRONMENT",
    "experts": "the advice of experts: littlestone experts TABLE --outcome COLUMN plays all that fit",
}


@click.command()
@takes_json
def learners(as_json: bool) -> None:
    """List all learners: how each is typed, with its usual parameters, what it does, and what it guarantees.

    \b
    littlestone learn rows.svm --learner perceptron:margin=1
    littlestone learn rows.svm --learner 'Perceptron(margin=1)'
    """
    found = list_entries()
    if as_json:
        echo_json({group: [entry for entry in found if entry["group"] == group] for group in GROUPS})
        return
    for group, words in GROUPS.items():
        click.echo(f"{'' if group == 'rows' else chr(10)}Learners from {words}")
        for entry in found:
            if entry["group"] == group:
                click.echo(f"\n  {entry['typed']}\n      {entry['idea']}\n      guarantee: {entry['guarantee']}")


def list_entries() -> list[dict[str, Any]]:
    """Every learner by name: its group, how it is typed, its idea and its guarantee."""
    from littlestone import learners
    from littlestone.learners.conversions import Snow

    kinds: list[type] = [*learners.ALL, Snow]
    return [
        {"name": to_kebab(kind), "group": find_group(kind), "typed": _describe_typing(kind), **_read_page(kind)}
        for kind in sorted(kinds, key=lambda kind: kind.__name__)
    ]


def find_group(kind: Any) -> str:
    """What a learner learns from."""
    from littlestone.base.traits import RowLearner
    from littlestone.learners.experts.contract import Experts

    return "rows" if issubclass(kind, RowLearner) else "experts" if issubclass(kind, Experts) else "classes"


def _describe_typing(kind: Any) -> str:
    """The name with its parameters and their usual values, as it may be typed."""
    if kind.__name__ == "Network":
        return "network:averaged-perceptron:updates=winner"
    if kind.__name__ == "Snow":
        return "snow:winnow:threshold=4.0+perceptron+naive-bayes"
    parts = [part for part in fields(kind) if part.init and isinstance(part.default, str | int | float)]
    return to_kebab(kind) + (":" + ",".join(f"{part.name}={part.default}" for part in parts) if parts else "")


def _read_page(kind: Any) -> dict[str, str]:
    """The idea and the guarantee of a learner, by the page that its module's docstring is."""
    page = (sys.modules[kind.__module__].__doc__ or "").split(">>>")[0]
    idea = " ".join(page.split("\n\n")[0].partition(":")[2].split())
    formulas = [line for line in page.splitlines() if line.startswith("    ") and "<=" in line]
    stated = re.search(r"^Theorem[^.]*\.\s+(.*?\.)(\s|$)", page, re.DOTALL | re.MULTILINE)
    words = re.split(r" {6,}", formulas[0].strip())[0] if formulas else stated.group(1) if stated else "none"
    plain = re.sub(r" \(`\w+`\)", "", " ".join(words.split()))
    return {"idea": idea.rstrip("."), "guarantee": plain.rstrip(".,;")}
