"""Phases of a long task, for whoever wants to show them.

Code that takes long says what it does (`phase`); who listens (`listening`) is told, nobody by default. The listener
belongs to the context, so that compilations in other threads do not hear of each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[int], None]
"""Told how much of the total is done."""


class Listener(Protocol):
    def began(self, name: str) -> None:
        """A phase begins; it may lie in another one."""

    def advanced(self, name: str, done: int, total: int) -> None:
        """`done` of `total` (nodes, bytes, passes ...) of the phase are done."""

    def ended(self, name: str, seconds: float) -> None:
        """The phase is over, well or not."""


_listener: ContextVar[Listener | None] = ContextVar("forge_mlir_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block, `listener` hears of phases."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def phase(name: str, total: int = 0) -> Iterator[Advance]:
    """A phase of the task at hand. Where the number of steps is known, the result is to be told how many are done."""
    listener = _listener.get()
    if listener is None:
        yield lambda _: None
        return
    heard = listener
    began = time.monotonic()
    heard.began(name)
    try:
        yield lambda done: heard.advanced(name, done, total)
    finally:
        heard.ended(name, time.monotonic() - began)
