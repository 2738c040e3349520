"""Delta debugging: nothing that is left can be removed."""

from __future__ import annotations

from forge_mlir.reduce import minimize


def test_minimize_is_one_minimal() -> None:
    calls = 0

    def holds(items: list[int]) -> bool:
        nonlocal calls
        calls += 1
        return {3, 77, 150} <= set(items)

    assert minimize(range(200), holds) == [3, 77, 150]
    assert calls < 200
