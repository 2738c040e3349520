"""Runs a Float32 module as a device does that is told another format: `CompilerConfig.default_df_override`."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import torch

from forge_mlir.artifact.reader import Json
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.runtime import DataFormat, ForgeModule, Parameter, Tensor
from forge_mlir.runtime import op as forge_op
from forge_mlir.runtime.module import with_globals

_NARROW = ("bfloat16", "float16")


def compiled_format(manifest: Json) -> str:
    """The float format that a model was compiled in: the one that was asked for, else a 16-bit one of its inputs or
    weights, else float32."""
    flags = manifest.get("compiled", {}).get("flags", [])
    if "--float-format" in flags:
        return str(flags[flags.index("--float-format") + 1])
    # What else is wrong with a manifest that was edited is told by who reads it.
    lists = [each for key in ("inputs", "weights", "values", "outputs") if isinstance(each := manifest.get(key), list)]
    found = {entry.get("dtype") for each in lists for entry in each if isinstance(entry, dict)}
    return next((each for each in _NARROW if each in found), "float32")


def told_format(manifest: Json, asked: str | None) -> ToldFormat | None:
    """What runs the modules of an artifact in the format `asked` for; None where they compute in it as they are. Raises
    ForgeError for a format that only a compilation gives."""
    if asked is None or asked == (compiled := compiled_format(manifest)):
        return None
    if asked == "mixed":
        reason = "which nodes stay in float32 is chosen when a model is compiled"
    elif asked not in ("float32", "bfloat16"):
        raise ForgeError(Code.PassOption, f"--float-format: expected float32 or bfloat16, but got {asked!a}")
    elif compiled != "float32":
        reason = f"the module computes in {compiled}"
    else:
        return ToldFormat()
    raise ForgeError(
        Code.PassOption, f"--float-format={asked}: {reason}; compile the model again with --float-format={asked}"
    )


class ToldFormat:
    """Runs modules with every float operand and result of a call in bfloat16, also where the module says Float32.

    Calls accumulate in Float32 and round once, as `runtime` does it for the operands they get here. A number of
    Float32 beyond the largest one of bfloat16 becomes an infinity, as a plain cast makes it.
    """

    def run(self, module: ForgeModule, *inputs: Tensor) -> list[Tensor]:
        """The outputs of the module, its inputs rounded. Raises what the ops raise."""
        told = with_globals(module, forge=types.SimpleNamespace(op=_ToldOps(), DataFormat=DataFormat))
        result = told(*map(_rounded, inputs))
        return [_rounded(value) for value in (result if isinstance(result, tuple | list) else [result])]


class _ToldOps:
    """The functions of `forge.op`, which round what they read and give."""

    def __getattr__(self, op: str) -> Callable[..., Tensor]:
        function: Callable[..., Tensor] = getattr(forge_op, op)

        def call(name: str, *operands: Any, **arguments: Any) -> Any:
            named = {key: _rounded(value) for key, value in arguments.items()}
            return _rounded(function(name, *map(_rounded, operands), **named))

        return call


def _rounded(value: Any) -> Any:
    """A tensor or weight of Float32 in bfloat16; anything else as it is."""
    if not isinstance(value, Tensor | Parameter) or value.value().dtype != torch.float32:
        return value
    return Tensor(value.value().to(torch.bfloat16), src_op=getattr(value, "src_op", None))
