"""The file of a league: its books, and the document and arrays of every member of ours; foreign members are named.

Nothing that a file names is imported or called. A league with foreign members is loaded by `League.load(path, members)`
with objects of the names that the file has; without them it is refused.
"""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadModel
from littlestone.base.features.schema import Schema
from littlestone.game.league.books import CHARGED, MET, ROUNDS, Books
from littlestone.game.league.foreign import ForeignMember
from littlestone.game.league.league import League
from littlestone.game.league.members import SAYS, Codes, LeagueMember, OwnMember
from littlestone.game.saving import container, records
from littlestone.game.saving.plain import decode, encode
from littlestone.game.saving.sparse import MOST, count_claimed
from littlestone.game.saving.states import require_sound
from littlestone.learners import Logistic

ROOM = 2**28  # bytes that features without a state may take


def save(league: League, path: str | os.PathLike[str], about: Mapping[str, Any] | None = None) -> None:
    """Write a league, all of it or nothing."""
    document, arrays = describe(league)
    given = {one.name: one.model for one in league.members if isinstance(one, ForeignMember)}

    def check(found: dict[str, Any], parts: dict[str, Array]) -> None:
        restore(found, parts, given)

    container.write(path, document | {"about": dict(about or {})}, arrays, check)


def load(path: str | os.PathLike[str], members: Mapping[str, Any]) -> League:
    """The league of a file; `members` are its foreign models, by name."""
    return restore_file(path, *container.read(path), members)


def read_league(path: str | os.PathLike[str], members: Mapping[str, Any]) -> tuple[League, dict[str, Any]]:
    """The league of a file, whose foreign models are `members` by name, and what was kept with it."""
    document, arrays = container.read(path)
    about = document.get("about")
    return restore_file(path, document, arrays, members), about if isinstance(about, dict) else {}


def restore_file(
    path: str | os.PathLike[str],
    document: dict[str, Any],
    arrays: dict[str, Array],
    members: Mapping[str, Any],
    memory: int = MOST,
) -> League:
    """The league of what a file holds; BadModel, with the name of the file, for anything else."""
    try:
        return restore(document, arrays, members, memory)
    except BadModel as problem:
        raise BadModel(f"{os.fspath(path)} {problem}") from None
    except records.FORGED as problem:
        raise BadModel(f"{os.fspath(path)} is inconsistent: {problem}") from None
    except records.TOO_MUCH as problem:
        raise BadModel(f"{os.fspath(path)} asks for more than this machine has: {type(problem).__name__}") from None


def describe(league: League) -> tuple[dict[str, Any], dict[str, Array]]:
    """A league as one JSON document and named arrays."""
    arrays: dict[str, Array] = {f"books.{name}": part for name, part in league.books._asdict().items()}
    told = league.history
    arrays |= {"history.rounds": told.rounds, "history.weights": told.weights}
    members = [_describe_member(one, f"member{k}.", arrays) for k, one in enumerate(league.members)]
    arrays |= {f"kept{k}": said for k, said in enumerate(league.forecasts.values())}
    features = None if league.features is None else records.describe_part(league.features, "features", arrays, ROOM)
    about = {
        "rates": list(league.rates),
        "switching": league.switching,
        "most": league.most,
        "seed": encode(league.seed),
        "keep": league.keep,
        "follows": league.follows,
        "labels": records.describe_labels(league.labels),
        "features": features,
        "schema": None if league.schema is None else league.schema.to_record(),
        "joined": league.joined,
        "members": members,
    }
    return {"league": about}, arrays


def _describe_member(member: OwnMember | ForeignMember, path: str, arrays: dict[str, Array]) -> dict[str, Any]:
    """What is kept of a member."""
    told = {"name": member.name, "excuse": member.excuse}
    if isinstance(member, ForeignMember):
        return told | {
            "foreign": type(member.model).__name__,
            "says": member.says,
            "width": member.width,
            "met": member.met,
            **({"columns": member.columns} if member.columns else {}),
        }
    document, own = records.describe_player(member.player)
    arrays |= {f"{path}{name}": part for name, part in own.items()}
    return told | {"player": document, "shared": member.shared, "left": member.has_left}


def restore(document: dict[str, Any], arrays: dict[str, Array], given: Mapping[str, Any], memory: int = MOST) -> League:
    """The league of a document and arrays; BadModel for one that the library cannot have written."""
    told = document.get("league")
    if not isinstance(told, dict):
        raise BadModel("is a player's, not a league's: littlestone.load reads it")
    wanted = [member["name"] for member in told["members"] if "foreign" in member]
    missing = [name for name in wanted if name not in given]
    if missing:
        names = ", ".join(repr(name) for name in missing)
        raise BadModel(
            f"is a league with foreign members, which no file holds: {names}; "
            f"predict --members {','.join(missing)} lets them abstain, learn --resume --league NAME,NAME starts them "
            "afresh, and League.load(path, members={name: model}) takes up models that you kept"
        )
    unknown = sorted(set(given) - set(wanted))
    require_sound(not unknown, f"there is no foreign member {', '.join(unknown)} in it")
    rates = tuple(float(rate) for rate in told["rates"])
    switching = told["switching"]
    most = float(told["most"])
    require_sound(type(switching) is bool and type(told["keep"]) is bool, "true or false is missing")
    league = League((), rates, switching, seed=int(decode(told["seed"])), most=most, keep=told["keep"])
    league.follows = told.get("follows", False)
    require_sound(type(league.follows) is bool, "true or false is missing")
    league.schema = None if told["schema"] is None else Schema.from_record(told["schema"])
    league.labels = records.restore_labels(told["labels"], Logistic())
    if told["features"] is not None:
        league.features = records.make_part(told["features"], object, arrays, ROOM)
    for k, one in enumerate(told["members"]):  # all members together take no more than is allowed
        own = {
            name.removeprefix(f"member{k}."): part for name, part in arrays.items() if name.startswith(f"member{k}.")
        }
        memory -= count_claimed(one["player"].get("sparse", {}), own, memory) if "foreign" not in one else 0
    league.members = [_restore_member(one, f"member{k}.", arrays, given) for k, one in enumerate(told["members"])]
    league.joined = [records.check_count(rounds) for rounds in told["joined"]]
    _restore_books(league, arrays)
    return league


def _restore_member(
    told: dict[str, Any], path: str, arrays: dict[str, Array], given: Mapping[str, Any]
) -> OwnMember | ForeignMember:
    """A member of a file."""
    name = told["name"]
    excuse = told["excuse"]
    require_sound(type(name) is str and type(excuse) is str, "a member without a name")
    if "foreign" in told:
        require_sound(told["says"] in (*SAYS, "scores"), f"a member that says {told['says']!r}")
        foreign = ForeignMember(LeagueMember(given[name], name, None))
        foreign.says = told["says"]
        foreign.excuse = excuse
        foreign.width, foreign.met = records.check_count(told["width"]), records.check_count(told["met"])
        columns = told.get("columns", [])
        require_sound(type(columns) is list and all(type(one) is str for one in columns), "columns without names")
        foreign.columns = columns
        return foreign
    parts = {part.removeprefix(path): arrays.pop(part) for part in list(arrays) if part.startswith(path)}
    player = records.restore_player(told["player"], parts)
    require_sound(type(told["shared"]) is bool, "no member")
    if told["shared"]:
        names = [name for name in player.labels.names if name is not None]
        require_sound(names == list(range(len(names))), "classes that are no numbers")
        player.labels = Codes()
        player.labels.encode(np.arange(len(names)), 2**31)
    own = OwnMember(player, name, told["shared"])
    own.excuse, own.has_left = excuse, bool(told["left"])
    return own


def _restore_books(league: League, arrays: dict[str, Array]) -> None:
    """Take up the books of a file, which must have the shapes that these members need."""
    kinds = league.kinds
    classes = len(league.labels)
    start = Books.start(kinds, 1 + len(league.rates) * league.switching, classes)
    if not league.follows:  # files of earlier versions lack what following needs
        arrays.setdefault("books.apart", start.apart)
    found = Books(*(arrays.pop(f"books.{name}") for name in Books._fields))
    alike = all(one.shape == two.shape and one.dtype == two.dtype for one, two in zip(found, start, strict=True))
    require_sound(alike, "books that are about other members")
    numbers = all(bool(np.isfinite(part).all()) for part in found)
    sound = numbers and bool((found.weights >= 0).all() and (found.counts >= 0).all() and (found.pending > 0).all())
    require_sound(sound, "weights that are none")
    counts = found.counts
    counts[MET] = max(counts[MET], 2)  # earlier versions began with none
    require_sound(bool(counts[CHARGED] <= counts[ROUNDS]) and bool(counts[MET] <= classes), "counts that do not agree")
    require_sound(len(league.joined) == len(league.members), "members that never joined")
    rounds = arrays.pop("history.rounds")
    weights = arrays.pop("history.weights")
    require_sound(weights.shape == (len(rounds), len(kinds)), "a history of other members")
    league.books = found
    league.restore_history(rounds, weights)
    apart = [one.name for one in league.members if not one.shared] if league.keep else []
    league.kept = {name: [(0, arrays.pop(f"kept{k}"))] for k, name in enumerate(apart)}
    whole = all(said.ndim == 2 and said.shape[1] == counts[ROUNDS] for ((_, said),) in league.kept.values())
    require_sound(whole, "forecasts of other rounds")
    require_sound(not arrays, f"arrays that no part asks for: {', '.join(sorted(arrays)[:4])}")
