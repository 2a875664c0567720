"""Members of a league by what is typed after `--league`: learners by name, and models of other libraries by path.

`river:linear_model.LogisticRegression` and `sklearn:linear_model.SGDClassifier:loss=log_loss` are imported from those
libraries, which runs their code: only what is typed is imported, never what a file names. Such models join the default
members; naming learners of ours takes their place.
"""

import ast
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from littlestone.base.errors import BadParameter, require
from littlestone.game.league.members import LeagueMember, name_members
from littlestone.game.league.pool import choose_by_rows
from littlestone.game.names import build_learner

DEFAULT = "default"
LIBRARIES = ("river", "sklearn")


def read_members(typed: str, stream: Any, options: Any) -> list[Any] | None:
    """The members that were typed; None: the default ones, chosen by the first rows.

    Args:
        typed: Names separated by commas.
        stream: The rounds, by whose first ones default members are chosen.
        options: How data are read.
    """
    words = split_members(typed)
    foreign = [build_foreign(word) for word in words if word.partition(":")[0] in LIBRARIES]
    own = [build_learner(word) for word in words if word.partition(":")[0] not in (*LIBRARIES, DEFAULT)]
    if not foreign and not own:
        return None
    if own and DEFAULT not in words:
        return own + foreign
    from littlestone.base.labels import Labels

    first = next(iter(stream.chunks()), None)
    return choose_by_rows(first, options.make_features(stream), Labels(stream.classes())) + own + foreign


def name_again(typed: str) -> tuple[set[str], dict[str, Any]]:
    """What was typed to go on with a league: names of learners of ours, and new models of other libraries by name."""
    words = split_members(typed)
    foreign = [build_foreign(word) for word in words if word.partition(":")[0] in LIBRARIES]
    own = [build_learner(word) for word in words if word.partition(":")[0] not in (*LIBRARIES, DEFAULT)]
    return {one.name for one in name_members(own)}, {one.name: one.model for one in name_members(foreign)}


def split_members(typed: str) -> list[str]:
    """What was typed, one word a member; `updates=each` after a comma belongs to the member before it."""
    words: list[str] = []
    for part in filter(None, (part.strip() for part in typed.split(","))):
        if words and "=" in part and ":" not in part.partition("=")[0]:
            words[-1] += f",{part}"
        else:
            words.append(part)
    require(bool(words), "--league takes names of members, separated by commas, or nothing")
    return words


def build_foreign(word: str) -> LeagueMember:
    """A model of another library by its path there, such as river:tree.HoeffdingTreeClassifier:grace_period=50."""
    library, _, rest = word.partition(":")
    path, _, settings = rest.partition(":")
    home, _, name = path.rpartition(".")
    parts = path.split(".")
    plain = all(part.isidentifier() for part in parts) and not any(part.startswith("_") for part in parts)
    require(bool(home) and plain, f"write {library}:MODULE.CLASS, such as {_show_example(library)}; got {word!r}")
    try:
        module = import_module(f"{library}.{home}")
    except ImportError as problem:
        raise BadParameter(f"{word}: {problem}; pip install 'littlestone[{library}]' installs {library}") from None
    kind = getattr(module, name, None)
    if not isinstance(kind, type):
        near = get_close_matches(name, [one for one in dir(module) if not one.startswith("_")], 3)
        hint = f": did you mean {' or '.join(near)}?" if near else ""
        raise BadParameter(f"{library}.{home} has no class {name}{hint}")
    try:
        return LeagueMember(kind(**dict(_read_setting(one) for one in settings.split(",") if one)), word)
    except (TypeError, ValueError) as problem:
        raise BadParameter(f"{word}: {problem}") from None


def _read_setting(typed: str) -> tuple[str, Any]:
    """A parameter and its value: a number, a word, or what Python writes for a constant."""
    name, equals, value = typed.partition("=")
    require(bool(equals), f"a parameter is NAME=VALUE, got {typed!r}")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _show_example(library: str) -> str:
    return f"{library}:{'linear_model.LogisticRegression' if library == 'river' else 'linear_model.SGDClassifier'}"
