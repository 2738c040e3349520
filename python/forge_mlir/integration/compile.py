"""`forge_mlir.compile` for everything that can be compiled: files, ModelProtos, torch modules, folders of models."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, Unpack

from onnx import ModelProto

from forge_mlir.compiler import driver
from forge_mlir.compiler.driver import CompileOptions, Source

if TYPE_CHECKING:
    import torch

    from forge_mlir.artifact.reader import Artifact

    Module = torch.nn.Module
else:
    Module = Any


def compile(
    source: Source | Module,
    output: str | os.PathLike[str] | tuple[Any, ...] | None = None,
    example_inputs: tuple[Any, ...] | None = None,
    **options: Unpack[CompileOptions],
) -> Artifact:
    """Compiles a model to Forge modules in the directory `output`, NAME_forge by default.

    `source` is an ONNX file or ModelProto, a folder of ONNX files, which become one artifact with a module each, or a
    torch module with `example_inputs`, which may also be the second argument: `compile(module, (x,))`. A torch module
    is exported by torch.onnx.export, which needs onnxscript. The options are those of
    `forge_mlir.compiler.driver.CompileOptions`; one that `source` cannot take is an error: a folder has no `shapes`, a
    torch module no file whose weights could be referred to.

    Raises ForgeError with every refused node in `diagnostics`; no file is written then.
    """
    if isinstance(output, tuple):
        output, example_inputs = None, output
    name = options.get("name")
    if _is_torch_module(source):
        if example_inputs is None:
            raise TypeError("compile(module, example_inputs): a torch module needs a tuple of example inputs")
        if options.get("weights") == "reference":
            raise ValueError("the weights of a torch module are in no file that could be referred to")
        stem = name or type(source).__name__.lower()
        options["name"] = stem
        with tempfile.TemporaryDirectory() as scratch:
            from forge_mlir.integration.torch_export import export

            file = export(source, example_inputs, Path(scratch, f"{stem}.onnx"))
            return driver.compile(file, output or f"{stem}_forge", **options)
    if example_inputs is not None:
        raise TypeError("example inputs are for torch modules; an ONNX model takes sample_inputs")
    model: Source = source
    if not isinstance(model, ModelProto) and Path(model).is_dir():
        from forge_mlir.integration.folder import compile_folder

        return compile_folder(Path(model), output or f"{name or Path(model).resolve().name}_forge", **options)
    if isinstance(model, ModelProto):
        # A name in a model is hostile: it must not lead elsewhere.
        stem = name or re.sub(r"\W", "_", model.graph.name, flags=re.ASCII) or "model"
    else:
        stem = name or Path(model).stem
    options["name"] = stem
    return driver.compile(model, output or f"{stem}_forge", **options)


def _is_torch_module(source: object) -> TypeGuard[Module]:
    """Without loading torch, which whoever has a module has loaded."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(source, torch.nn.Module)
