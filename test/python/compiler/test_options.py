"""Options of a compilation: unknown ones, choices, defaults, and how they are printed."""

from __future__ import annotations

import pytest

from forge_mlir.compiler.option_types.values import check_options, command_line, value_of, without
from forge_mlir.errors import ForgeError


def test_unknown_options_and_values() -> None:
    with pytest.raises(TypeError, match="unknown options: fold"):
        check_options({"fold": 1})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(ForgeError, match=r"--fallback: expected .*cpu.* but got 'gpu'"):
        check_options({"fallback": "gpu"})  # type: ignore[typeddict-item]
    with pytest.raises(ForgeError, match="--optimize=exact applies none that does"):
        check_options({"layout": "tiles", "optimize": "exact"})


def test_defaults_are_not_printed() -> None:
    assert value_of({}, "optimize") == "default"
    assert command_line({"optimize": "default", "fallback": "cpu"}) == ["--fallback", "cpu"]
    assert command_line({"memory_limit": 5 << 20}) == ["--memory-limit", "5"]


def test_groups_are_left_out() -> None:
    assert without({"time_limit": 3.0, "fallback": "cpu"}, "limits") == {"fallback": "cpu"}
