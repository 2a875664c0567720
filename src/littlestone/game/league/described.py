"""Descriptions of leagues and learners, as certificates keep them in JSON, and learners made from these."""

from dataclasses import fields
from typing import Any

from littlestone import learners
from littlestone.base.errors import NotCertified, require
from littlestone.base.learner import Learner
from littlestone.game.league.league import League
from littlestone.game.league.members import OwnMember


def describe_learner(learner: Any) -> dict[str, Any] | None:
    """A learner by its name and parameters, as JSON keeps them; None for one that these do not make again."""
    found: dict[str, Any] = {"name": type(learner).__name__}
    if found["name"] not in learners.__all__:
        return None
    for part in fields(learner):
        value = getattr(learner, part.name)
        if isinstance(value, Learner):
            value = describe_learner(value)
        elif isinstance(value, tuple):
            value = list(value)
        if not (value is None or isinstance(value, str | int | float | dict | list)):
            return None
        found[part.name] = value
    return found if make_learner(found) == learner else None


def make_learner(about: Any) -> Any:
    """The learner of a description."""
    require(isinstance(about, dict) and about.get("name") in learners.__all__, f"no learner is {about}", NotCertified)
    values = {name: value for name, value in about.items() if name != "name"}
    for name, value in values.items():
        values[name] = (
            make_learner(value) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value
        )
    return getattr(learners, about["name"])(**values)


def describe_league(league: League) -> dict[str, Any]:
    """A league as a certificate names it."""
    members = list[dict[str, Any]]()
    for member, rounds in zip(league.members, league.joined, strict=True):
        told: dict[str, Any] = {"name": member.name, "joined": rounds}
        own = describe_learner(member.player.learner) if isinstance(member, OwnMember) and member.shared else None
        if own is None:
            told |= {"says": [list(saying) for saying in member.sayings]}
        else:
            told |= {"learner": own}
        members.append(told)
    about: dict[str, Any] = {"name": "League", "rates": list(league.rates), "switching": league.switching}
    about |= {"most": league.most, "seed": league.seed, "members": members}
    about |= {"follows": True} if league.follows else {}
    return about | ({"classes": league.labels.names} if league.labels.closed else {})


def describe_league_again(again: League, about: dict[str, Any]) -> dict[str, Any]:
    """The description of a league that was made from one."""
    found = describe_league(again)
    if not again.follows and not again.switching:
        found["rates"] = about["rates"]  # earlier versions wrote some that meant nothing
    members = [
        told if "learner" in told else mine for told, mine in zip(found["members"], about["members"], strict=True)
    ]
    return found | {"members": members}
