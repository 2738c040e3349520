"""Runs a Float32 module as a device does whose default data format is overridden
(`CompilerConfig.default_df_override`)."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import torch

from forge_mlir.artifact.manifest import Json
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.runtime import DataFormat, ForgeModule, Parameter, Tensor
from forge_mlir.runtime import op as forge_op
from forge_mlir.runtime.module import with_globals

_NARROW = ("bfloat16", "float16")


def compiled_format(manifest: Json) -> str:
    """The float format of a compiled model: the requested one, otherwise the 16-bit type of an input or weight,
    otherwise float32."""
    flags = manifest.get("compiled", {}).get("flags", [])
    if "--float-format" in flags:
        return str(flags[flags.index("--float-format") + 1])
    # Errors in an edited manifest are reported when it is used.
    lists = [each for key in ("inputs", "weights", "values", "outputs") if isinstance(each := manifest.get(key), list)]
    found = {entry.get("dtype") for each in lists for entry in each if isinstance(entry, dict)}
    return next((each for each in _NARROW if each in found), "float32")


def format_override(manifest: Json, asked: str | None) -> FormatOverride | None:
    """Executes the modules of an artifact in the format `asked` for; None if they already compute in it. Raises
    ForgeError for a format that has to be chosen at compile time."""
    if asked is None or asked == (compiled := compiled_format(manifest)):
        return None
    if asked == "mixed":
        reason = "which nodes stay in float32 is chosen when a model is compiled"
    elif asked not in ("float32", "bfloat16"):
        raise ForgeError(Code.PassOption, f"--float-format: expected float32 or bfloat16, but got {asked!a}")
    elif compiled != "float32":
        reason = f"the module computes in {compiled}"
    else:
        return FormatOverride()
    raise ForgeError(
        Code.PassOption, f"--float-format={asked}: {reason}; compile the model again with --float-format={asked}"
    )


class FormatOverride:
    """Runs modules with every float operand and result of a call in bfloat16, even if the module says Float32.

    Calls accumulate in Float32 and round once, as `runtime` does for bfloat16 operands. A Float32 beyond the largest
    bfloat16 becomes infinity, as in a cast.
    """

    def run(self, module: ForgeModule, *inputs: Tensor) -> list[Tensor]:
        """The outputs of the module for rounded inputs. Raises what the ops raise."""
        overridden = with_globals(module, forge=types.SimpleNamespace(op=_OverriddenOps(), DataFormat=DataFormat))
        result = overridden(*map(_rounded, inputs))
        return [_rounded(value) for value in (result if isinstance(result, tuple | list) else [result])]


class _OverriddenOps:
    """The functions of `forge.op`, with rounded operands and results."""

    def __getattr__(self, op: str) -> Callable[..., Tensor]:
        function: Callable[..., Tensor] = getattr(forge_op, op)

        def call(name: str, *operands: Any, **arguments: Any) -> Any:
            named = {key: _rounded(value) for key, value in arguments.items()}
            return _rounded(function(name, *map(_rounded, operands), **named))

        return call


def _rounded(value: Any) -> Any:
    """Rounds a Float32 tensor or weight to bfloat16; other values are unchanged."""
    if not isinstance(value, Tensor | Parameter) or value.value().dtype != torch.float32:
        return value
    return Tensor(value.value().to(torch.bfloat16), src_op=getattr(value, "src_op", None))
