"""The forge dialect: a class and a builder function per op, generated from the ODS, and `register`, `verify`, `text`
and `parse`.

`add(a, b)` returns the op's result, `AddOp(a, b)` the op. Attributes may be Python values. Result types are inferred by
the C++ rules of the op; a violated constraint raises ForgeError before an op is created. Variadic ops (`concatenate`,
`split`) take and return lists.
"""

from __future__ import annotations

from torch_mlir import ir
from torch_mlir._mlir_libs import _mlir
from torch_mlir.dialects import func
from torch_mlir.dialects import torch as torch_dialect

from forge_mlir.dialects import _forge_ops_gen
from forge_mlir.dialects._forge_ops_gen import *  # noqa: F403
from forge_mlir.dialects._ods_common import OpView
from forge_mlir.dialects.crossing import parse as parse
from forge_mlir.dialects.crossing import text as text
from forge_mlir.dialects.crossing import verify as verify

# The bindings would search torch_mlir for the module of this dialect, again for each op.
_mlir.globals.append_dialect_search_prefix(__package__)

OP_CLASSES: tuple[type[OpView], ...] = tuple(
    item for item in vars(_forge_ops_gen).values() if isinstance(item, type) and issubclass(item, OpView)
)
"""The class of every op, sorted by name."""


def register(context: ir.Context) -> None:
    """Makes `context` accept forge ops, and loads the torch and func dialects. Idempotent.

    Forge ops are unregistered in that context, with all attributes in their dictionary, but have Python classes. IRDL
    cannot define them: its variadic operands and results must all have one type, which forge.split and
    forge.concatenate violate. The C++ dialect, in an MLIR of its own, does the rest: `verify`, `text`, `parse`, type
    inference and every pipeline send modules there.
    """
    context.allow_unregistered_dialects = True
    torch_dialect.register_dialect(context)
    context.dialects[func._Dialect.DIALECT_NAMESPACE]
