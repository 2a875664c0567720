"""Lazy: names of a package that are imported when they are first asked for."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def snake(name: str) -> str:
    """The module of a class: BalancedWinnow is in balanced_winnow."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def import_lazily(package: str, homes: Mapping[str, str], listed: Sequence[str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: each name in its module; `ALL` is everything that is listed."""

    def find(name: str) -> Any:
        if name == "ALL":
            value: Any = tuple(find(one) for one in listed)
        elif name in homes:
            value = getattr(import_module(f"{package}.{homes[name]}"), name)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    return find
