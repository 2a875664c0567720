"""Locks: what several threads share is used by one of them at a time.

A call of a compiled loop lets other threads run, and states grow between calls: a thread that learned meanwhile would
write where there is no room. So everything that holds a state has a lock, and each of its methods holds it from the
first look at the state to the last.

>>> import copy
>>> class Counter:
...     def __init__(self):
...         self.lock, self.count = Lock(), 0
...     @locked
...     def add(self):
...         self.count += 1
>>> counter = copy.deepcopy(Counter())
>>> counter.add()
>>> counter.count
1
"""

import copy
import os
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Self, TypeVar, cast
from weakref import WeakSet

from littlestone.base.errors import BadParameter

F = TypeVar("F", bound=Callable[..., Any])
Reentrant: Any = type(threading.RLock())


class Lock(Reentrant):  # type: ignore[misc]
    """A lock that its thread may take again; a copy or a pickle of it is a new one that is free."""

    def __init__(self) -> None:
        _locks.add(self)

    def __reduce__(self) -> Any:
        return type(self), ()


class _LeftLocked(Lock):
    """What a lock becomes in a forked process if a thread that was not forked held it."""

    def __enter__(self) -> Any:
        told = "this object was in use by another thread when the process was forked, so what it holds may be torn"
        raise BadParameter(f"{told}: make or load it anew here, or fork before other threads use it")


_locks: WeakSet[Lock] = WeakSet()


def locked(method: F) -> F:
    """Make a method hold the lock of its object."""

    @wraps(method)
    def hold(owner: Any, *args: Any, **options: Any) -> Any:
        with owner.lock:
            return method(owner, *args, **options)

    return cast(F, hold)


class Shared:
    """What several threads may use, and what is copied between two of their calls."""

    lock: Lock

    def __copy__(self) -> Self:
        """Another one that shares everything with this one, the lock included."""
        return self._make_like(vars(self))

    @locked
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._make_like(copy.deepcopy(vars(self), memo))

    @locked
    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: a copy, because another thread may go on learning while it is written."""
        return copy.deepcopy(vars(self), {id(self.lock): self.lock})

    def _make_like(self, parts: dict[str, Any]) -> Self:
        other = type(self).__new__(type(self))
        vars(other).update(parts)
        return other


class LazilyLocked:
    """What is shared without having a lock from the start: scikit-learn wants estimators to begin with nothing."""

    @property
    def lock(self) -> Lock:
        """The lock, made when it is first asked for."""
        return vars(self).setdefault("_lock", Lock())  # type: ignore[no-any-return]


def _look_after_fork() -> None:
    for lock in list(_locks):
        if lock.acquire(blocking=False):
            lock.release()
        else:
            lock.__class__ = _LeftLocked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_look_after_fork)
