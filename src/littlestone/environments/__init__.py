"""Environments, one way of choosing instances and labels a file; the command line reads `__all__`."""

import re
from typing import TYPE_CHECKING

from littlestone.base.lazy import import_lazily

if TYPE_CHECKING:
    from littlestone.environments.basis_vectors import BasisVectors
    from littlestone.environments.bisection import Bisection
    from littlestone.environments.constant_experts import ConstantExperts
    from littlestone.environments.contrary import Contrary
    from littlestone.environments.drifting import Drifting
    from littlestone.environments.drifting_adversary import DriftingAdversary
    from littlestone.environments.mistake_tree import MistakeTree
    from littlestone.environments.nature import Nature
    from littlestone.environments.noisy import Noisy
    from littlestone.environments.panel import Panel
    from littlestone.environments.random_experts import RandomExperts
    from littlestone.environments.recorded import Recorded
    from littlestone.environments.teacher import Teacher

__all__ = [
    "BasisVectors",
    "Bisection",
    "ConstantExperts",
    "Contrary",
    "Drifting",
    "DriftingAdversary",
    "MistakeTree",
    "Nature",
    "Noisy",
    "Panel",
    "RandomExperts",
    "Recorded",
    "Teacher",
]

HOMES = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in __all__}  # MistakeTree is in mistake_tree

__getattr__ = import_lazily("littlestone.environments", HOMES, __all__)
