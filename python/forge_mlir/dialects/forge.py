"""The forge dialect: a class and a builder function per op, generated from the ODS, and `register`, `verify`, `text`
and `parse`.

`add(a, b)` gives the op's result, `AddOp(a, b)` the op. Attributes may be Python values. Result types are inferred by
the C++ rules of the op; a broken constraint raises ForgeError before any IR exists. Ops with any number of operands or
results (`concatenate`, `split`) take and give lists.
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

# Where the bindings look for the module of a dialect: for this one they would look in torch_mlir, at each op anew.
_mlir.globals.append_dialect_search_prefix(__package__)

OP_CLASSES: tuple[type[OpView], ...] = tuple(
    item for item in vars(_forge_ops_gen).values() if isinstance(item, type) and issubclass(item, OpView)
)
"""The class of every op, in the order of their names."""


def register(context: ir.Context) -> None:
    """Makes `context` take forge ops, and loads the torch and func dialects. Calling it again does nothing.

    Forge ops are unregistered ops there, with all attributes in their dictionary, that Python knows by class. An IRDL
    definition cannot stand in for the C++ one: its variadic operands and results must all have one type, so it would
    refuse forge.split and forge.concatenate. What knows them is our C++, in an MLIR of its own: `verify`, `text` and
    `parse`, type inference and every pipeline send modules there.
    """
    context.allow_unregistered_dialects = True
    torch_dialect.register_dialect(context)
    context.dialects[func._Dialect.DIALECT_NAMESPACE]
