"""`forge_mlir.compile` for everything that can be compiled: files, ModelProtos, torch modules, folders of models."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, Unpack

from onnx import ModelProto

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler import driver
from forge_mlir.compiler.cache import CompileCache
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import OnPass
from forge_mlir.integration.folder import compile_folder

if TYPE_CHECKING:
    import torch

    Module = torch.nn.Module
else:
    Module = Any


def compile(
    source: str | os.PathLike[str] | ModelProto | Module,
    output: str | os.PathLike[str] | tuple[Any, ...] | None = None,
    example_inputs: tuple[Any, ...] | None = None,
    *,
    name: str | None = None,
    force: bool = False,
    shapes: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
    weights: Literal["copy", "reference"] = "copy",
    dump_dir: str | os.PathLike[str] | None = None,
    on_pass: OnPass | None = None,
    cache: CompileCache | None = None,
    **options: Unpack[Options],
) -> Artifact:
    """Compiles a model to Forge modules in the directory `output`, NAME_forge by default.

    `source` is an ONNX file or ModelProto (see `forge_mlir.compiler.driver.compile`), a folder of ONNX files, which
    become one artifact with a module each, or a torch module with `example_inputs`, which may also be the second
    argument: `compile(module, (x,))`. A torch module is exported by torch.onnx.export, which needs onnxscript.

    Raises ForgeError with every refused node in `diagnostics`; no file is written then.
    """
    if isinstance(output, tuple):
        output, example_inputs = None, output

    def compiled(model: str | os.PathLike[str] | ModelProto, stem: str) -> Artifact:
        return driver.compile(
            model,
            output or f"{stem}_forge",
            name=name or stem,
            force=force,
            shapes=shapes,
            weights=weights,
            cache=cache,
            dump_dir=dump_dir,
            on_pass=on_pass,
            **options,
        )

    if _is_torch_module(source):
        if example_inputs is None:
            raise TypeError("compile(module, example_inputs): a torch module needs a tuple of example inputs")
        if weights == "reference":
            raise ValueError("the weights of a torch module are in no file that could be referred to")
        stem = name or type(source).__name__.lower()
        with tempfile.TemporaryDirectory() as scratch:
            from forge_mlir.integration.torch_export import export

            return compiled(export(source, example_inputs, Path(scratch, f"{stem}.onnx")), stem)
    model: str | os.PathLike[str] | ModelProto = source
    if isinstance(model, ModelProto):
        # A name in a model is hostile: it must not lead elsewhere.
        return compiled(model, name or re.sub(r"\W", "_", model.graph.name, flags=re.ASCII) or "model")
    if not Path(model).is_dir():
        return compiled(model, name or Path(model).stem)
    if shapes or cache or dump_dir or on_pass or weights == "reference":
        raise ValueError(
            "a folder takes no shapes, cache, dump_dir, on_pass and weights by reference; compile its files"
        )
    folder = Path(model)
    return compile_folder(folder, output or f"{folder.resolve().name}_forge", name=name, force=force, **options)


def _is_torch_module(source: object) -> TypeGuard[Module]:
    """Without loading torch, which whoever has a module has loaded."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(source, torch.nn.Module)
