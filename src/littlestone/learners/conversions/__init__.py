"""Learners made from learners, one conversion a file; each is imported when it is first asked for."""

from typing import TYPE_CHECKING

from littlestone.base.lazy import import_lazily, snake

if TYPE_CHECKING:
    from littlestone.base.learner import Learner
    from littlestone.learners.conversions.apple_tasting import AppleTasting
    from littlestone.learners.conversions.conservative import Conservative
    from littlestone.learners.conversions.discarding import Discarding
    from littlestone.learners.conversions.duplicated import Duplicated
    from littlestone.learners.conversions.interactions import Interactions
    from littlestone.learners.conversions.label_efficient import LabelEfficient
    from littlestone.learners.conversions.restarting import Restarting
    from littlestone.learners.conversions.snow import Snow
    from littlestone.learners.conversions.tracking import Tracking

    ALL: tuple[type[Learner], ...]

__all__ = [
    "AppleTasting",
    "Conservative",
    "Discarding",
    "Duplicated",
    "Interactions",
    "LabelEfficient",
    "Restarting",
    "Snow",
    "Tracking",
]

_homes = {name: snake(name) for name in __all__}
__getattr__ = import_lazily(
    "littlestone.learners.conversions", _homes, ("AppleTasting", "Conservative", "Interactions")
)
