"""Features: what names an attribute. They turn a user's x into the row a learner sees.

`Indexed` takes attributes by number, `Named` by name, giving each new name the next number, and `Hashed` by the hash of
a name or number; `Words` splits up a text first, and `TfIdf` weighs its words. Attributes listed twice in one instance
are summed; infinities are refused, and so is NaN, but for named attributes, where it is missing.
"""

from littlestone.base.features.contract import (
    FLOAT32,
    FLOAT64,
    INT32,
    TOP,
    Features,
    inspect_row,
    measure_row,
    see_rounds,
    stack_rows,
)
from littlestone.base.features.crossed import Crossed, add_products
from littlestone.base.features.hashed import Hashed
from littlestone.base.features.indexed import Indexed
from littlestone.base.features.named import Named
from littlestone.base.features.tf_idf import TfIdf
from littlestone.base.features.words import Words

__all__ = [
    "FLOAT32", "FLOAT64", "INT32", "TOP", "Crossed", "Features", "Hashed", "Indexed", "Named", "TfIdf", "Words",
    "add_products", "inspect_row", "measure_row", "see_rounds", "stack_rows",
]  # fmt: skip
