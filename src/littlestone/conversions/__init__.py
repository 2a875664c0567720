"""Learners made from learners, one conversion a file; each is imported when it is first asked for."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
    from littlestone.conversions.conservative import Conservative
    from littlestone.conversions.duplicated import Duplicated
    from littlestone.conversions.interactions import Interactions
    from littlestone.conversions.restarting import Restarting
    from littlestone.conversions.tracking import Tracking
    from littlestone.learner import Learner

    ALL: tuple[type[Learner], ...]

__all__ = [
    "Conservative",
    "Duplicated",
    "Interactions",
    "Restarting",
    "Tracking",
]

__getattr__ = lazily(
    "littlestone.conversions",
    {
        "Conservative": "conservative",
        "Duplicated": "duplicated",
        "Interactions": "interactions",
        "Restarting": "restarting",
        "Tracking": "tracking",
    },
    ("Conservative", "Interactions"),
)
