"""Progress of long tasks.

Code that takes long reports phases (`phase`) to the current listener (`listening`), if there is one. The listener
belongs to the context, so that compilations in other threads do not share it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[int], None]
"""Called with the completed part of the total."""


class Listener(Protocol):
    def began(self, name: str) -> None:
        """A phase begins; phases may be nested."""

    def advanced(self, name: str, done: int, total: int) -> None:
        """`done` of `total` units (nodes, bytes, passes, ...) of the phase are done."""

    def ended(self, name: str, seconds: float) -> None:
        """The phase ended, successfully or not."""


_listener: ContextVar[Listener | None] = ContextVar("forge_mlir_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block, `listener` is notified of phases."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def phase(name: str, total: int = 0) -> Iterator[Advance]:
    """A phase of the current task. The result is to be called with the number of completed steps, if that is known."""
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
