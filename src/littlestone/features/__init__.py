"""Features: what names an attribute. They turn a user's x into the row a learner sees.

`Indexed` takes attributes by number, `Named` by name, giving each new name the next number, and `Hashed` by the hash of
a name or number. Attributes listed twice in one instance are summed; NaN and infinities are refused.
"""

from littlestone.features.hashed import Hashed
from littlestone.features.indexed import Indexed
from littlestone.features.named import Named
from littlestone.features.rows import TOP, Features, inspect, stacked

__all__ = ["TOP", "Features", "Hashed", "Indexed", "Named", "inspect", "stacked"]
