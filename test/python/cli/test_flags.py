"""Flags of a compilation, which become options."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pytest

from forge_mlir.cli.flags import options_of
from forge_mlir.compiler.option_types.values import command_line


@pytest.mark.parametrize(
    ("text", "name", "ends"),
    [("ids=0:50257", "ids", (0, 50257)), ("a=b=-1:", "a=b", (-1, None)), ("x=:5", "x", (None, 5))],
)
def test_ranges(text: str, name: str, ends: tuple[int | None, int | None]) -> None:
    assert options_of({"ranges": [text]}) == {"ranges": {name: ends}}
    assert command_line({"ranges": {name: ends}}) == ["--range", text]


@pytest.mark.parametrize("text", ["x", "x=5", "=0:1", "x=a:1", "x=0:1.5"])
def test_a_range_that_is_none(text: str) -> None:
    with pytest.raises(click.BadParameter, match="expected NAME=LOWEST:END"):
        options_of({"ranges": [text]})


def test_bound_values_are_files(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(3))
    (bound,) = options_of({"bind": [f"shape={tmp_path / 'x.npy'}"]})["bind"].items()
    assert bound[0] == "shape"
    assert bound[1].tolist() == [0, 1, 2]
    with pytest.raises(click.BadParameter, match=r"expected NAME=FILE\.npy"):
        options_of({"bind": ["x.npy"]})


def test_flags_that_were_not_given_are_no_options() -> None:
    assert options_of({"ranges": [], "time_limit": None, "allow_rounding": False}) == {}
    assert options_of({"memory_limit": 2}) == {"memory_limit": 2 << 20}
