"""Phases of long tasks are reported to the listener of the context, also if they fail."""

from __future__ import annotations

import pytest

from forge_mlir.support.progress import listening, phase


class Heard:
    def __init__(self) -> None:
        self.events: list[object] = []

    def began(self, name: str) -> None:
        self.events.append(name)

    def advanced(self, name: str, done: int, total: int) -> None:
        self.events.append((name, done, total))

    def ended(self, name: str, seconds: float) -> None:
        assert seconds >= 0
        self.events.append(f"end of {name}")


def test_a_phase_that_fails_ends() -> None:
    heard = Heard()

    def task() -> None:
        with phase("outer"), phase("inner", 2) as advance:
            advance(1)
            raise ValueError("broken")

    with listening(heard), pytest.raises(ValueError, match="broken"):
        task()
    assert heard.events == ["outer", "inner", ("inner", 1, 2), "end of inner", "end of outer"]


def test_nobody_has_to_listen() -> None:
    heard = Heard()
    with listening(heard):
        pass
    with phase("later", 1) as advance:
        advance(1)
    assert heard.events == []
