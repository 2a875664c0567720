"""Connection: join Ray for the time of a run, or say within seconds why that cannot be.

Asked to join a cluster at an address where nothing answers, Ray itself tries for minutes and fills the screen with its
own warnings. So the address is tried first: something must accept a connection there, and speak HTTP/2 as Ray's head
does.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from littlestone.base.errors import BadParameter, require
from littlestone.readers.source import import_extra

PATIENCE = 5  # seconds in which an address must answer
TRIES = "5"  # of Ray itself, a second each, unless the user has set another number
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # and a frame of no settings
SETTINGS = 4  # the type of the frame with which a server of HTTP/2 begins


@contextmanager
def connect(address: str | None, workers: int | None = None) -> Iterator[Any]:
    """Connect to Ray for the time of the block; a connection that is there already is used, and stays.

    A cluster that was given by its address is joined by token, unless RAY_AUTH_MODE says otherwise.
    """
    address = None if address == "local" else address
    if address is not None:
        os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", TRIES)
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    ray = import_extra("ray", "cluster", "learning on a cluster")
    if ray.is_initialized():
        yield ray
        return
    if address is not None:
        require_answer(os.environ.get("RAY_ADDRESS", address) if address == "auto" else address)
    local = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    try:
        with _silence():
            ray.init(address=address or "local", log_to_driver=False, logging_level="error", **local)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as problem:
        text = str(problem).strip().splitlines()[0]
        raise BadParameter(f"no Ray cluster could be joined at {address or 'this machine'}: {text}") from None
    for number, handler in handlers.items():  # Ray puts its own in their place, where Python does not see it
        if callable(handler) and threading.current_thread() is threading.main_thread():
            signal.signal(number, handler)
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _silence() -> Iterator[None]:
    """Drop what Ray's own libraries write to standard error: what went wrong is in the exception too."""
    sys.stderr.flush()
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def require_answer(address: str) -> None:
    """Refuse an address at which nothing answers as a cluster's head does; one without a port is Ray's to judge."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    remedy = "start the head there with `ray start --head --port`, or say --cluster local"
    try:
        with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as connection:
            if os.environ.get("RAY_USE_TLS", "0") != "0":
                return
            connection.sendall(GREETING)
            answer = connection.recv(9)
    except (OSError, OverflowError, UnicodeError) as problem:
        why = f"nothing answered within {PATIENCE} seconds" if isinstance(problem, TimeoutError) else str(problem)
        raise BadParameter(f"no Ray cluster could be joined at {address}: {why}; {remedy}") from None
    ours = len(answer) > 3 and answer[3] == SETTINGS
    require(ours, f"no Ray cluster could be joined at {address}: what answers there is not Ray; {remedy}")
