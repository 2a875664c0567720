"""Environments, one way of choosing instances and labels a file; the command line reads `__all__`."""

from typing import TYPE_CHECKING

from littlestone.base.lazy import import_lazily, snake

if TYPE_CHECKING:
    from littlestone.environments.attribute_noise import AttributeNoise
    from littlestone.environments.basis_vectors import BasisVectors
    from littlestone.environments.bisection import Bisection
    from littlestone.environments.constant_experts import ConstantExperts
    from littlestone.environments.contrary import Contrary
    from littlestone.environments.drifting import Drifting
    from littlestone.environments.drifting_adversary import DriftingAdversary
    from littlestone.environments.mistake_tree import MistakeTree
    from littlestone.environments.nature import Nature
    from littlestone.environments.noisy import Noisy
    from littlestone.environments.odd_max_bit import OddMaxBit
    from littlestone.environments.panel import Panel
    from littlestone.environments.random_experts import RandomExperts
    from littlestone.environments.recorded import Recorded
    from littlestone.environments.spelling import Spelling
    from littlestone.environments.teacher import Teacher
    from littlestone.environments.withheld import Withheld

__all__ = [
    "AttributeNoise", "BasisVectors", "Bisection", "ConstantExperts", "Contrary", "Drifting", "DriftingAdversary",
    "MistakeTree", "Nature", "Noisy", "OddMaxBit", "Panel", "RandomExperts", "Recorded", "Spelling", "Teacher",
    "Withheld",
]  # fmt: skip

__getattr__ = import_lazily("littlestone.environments", {name: snake(name) for name in __all__}, __all__)
