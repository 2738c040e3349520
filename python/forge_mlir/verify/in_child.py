"""Functions whose graphs run in a child process, with the limits in their options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.execute.onnx.child_process import running_in_child

P = ParamSpec("P")
R = TypeVar("R")


def in_child(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, in a block of `running_in_child`; its keyword arguments are options."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with running_in_child(limits_of(cast(Options, cast(Mapping[str, Any], kwargs)))):
            return function(*args, **kwargs)

    return limited
