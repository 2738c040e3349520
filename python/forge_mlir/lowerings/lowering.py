"""The decorator for lowerings, which does not need MLIR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forge_mlir.lowerings.builder import Builder
    from forge_mlir.lowerings.node import Node, Value

    Result = Value | Sequence[Value | None]
    """The results of a node in ONNX's order; None for one that is not computed and must not have users."""
    Function = Callable[[Node, Builder], Result]


@dataclass(frozen=True)
class Lowering:
    """A function that lowers an op of a domain, for opsets of that domain from `since` on."""

    domain: str
    op: str
    since: int
    function: Function

    @property
    def file(self) -> str:
        """The file that defines the function."""
        code = getattr(self.function, "__code__", None)
        return code.co_filename if code else "?"


def lowering(domain: str, op: str, *, since: int = 1) -> Callable[[Function], Lowering]:
    """Declares a function as the lowering of nodes `op` of `domain`, for opsets of that domain from `since` on.

    It is called with a `Node` and a `Builder` and returns the node's results, a `Value` or a sequence of them. Nothing
    is registered globally: pass the `Lowering` to `compile(..., lowerings=[...])`, or its file to the command with
    --plugin. It replaces the compiler's own converter for that op.
    """
    if not op or since < 1:
        raise ValueError("expected the name of an op and a version of at least 1")
    return lambda function: Lowering(domain, op, since, function)
