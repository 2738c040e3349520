"""Methods for the ops of the forge dialect; `op_methods.pyi` has their types."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from functools import cache
from types import ModuleType

from forge_mlir._native import LoweringCall
from forge_mlir.lowerings.node import Value

NOT_BUILT = frozenset({"constant", "parameter", "run"})
"""Ops without computation, and ops for which `Builder` has its own methods."""


def generated_source() -> str:
    """The file of op classes and functions that mlir-tblgen generates from the ODS records."""
    spec = importlib.util.find_spec("forge_mlir.dialects._forge_ops_gen")
    assert spec is not None
    assert spec.origin is not None
    return spec.origin


@cache
def _ops() -> ModuleType:
    """The functions of that file, with the `._ods_common` of this package."""
    spec = importlib.util.spec_from_file_location(f"{__package__}._forge_ops_gen", generated_source())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class OpMethods:
    """A method for every op: operands first, then attributes by name."""

    def __init__(self, call: LoweringCall) -> None:
        self._call = call

    def __getattr__(self, op: str) -> Callable[..., Value | list[Value]]:
        function = None if op.startswith("_") or op in NOT_BUILT else getattr(_ops(), op, None)
        if function is None or isinstance(function, (type, ModuleType)):
            raise AttributeError(f"the forge dialect has no op '{op}'")
        build: Callable[..., Value | list[Value]] = functools.partial(function, loc=self._call)
        return build

    def split(self, operand_a: Value, dim: int, sizes: list[int]) -> list[Value]:
        """All results, as a list even if there is only one."""
        return list(_ops().SplitOp(operand_a, dim, sizes, loc=self._call).results)
