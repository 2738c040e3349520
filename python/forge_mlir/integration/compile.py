"""`forge_mlir.compile` for all supported sources: files, ModelProtos, torch modules and programs exported from them,
folders of models."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack, cast

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.compiler import driver
from forge_mlir.compiler.compile_arguments import CompileArguments, CompileOptions, Source, check_arguments
from forge_mlir.errors import Diagnostic, ForgeError, escaped

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.integration.torch_export import Exportable
    from forge_mlir.integration.torch_state import Written
else:
    Exportable: TypeAlias = Any

Output: TypeAlias = str | os.PathLike[str]


def compile(
    source: Source | Exportable,
    output: Output | Sequence[Any] | None = None,
    example_inputs: Sequence[Any] | Output | None = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    **options: Unpack[CompileOptions],
) -> Artifact:
    """Compiles a model to Forge modules in the directory `output`, NAME_forge by default.

    `source` is an ONNX file or ModelProto; a folder of ONNX files, which become one artifact with a module each; an
    ExportedProgram or ONNXProgram of torch; or a torch module with `example_inputs`, a tuple or list of its positional
    arguments, which may also precede `output`: `compile(module, (x,), "out")`. `kwargs` are its keyword arguments and
    `dynamic_shapes` its open dims, as in torch.export; open dims get their sizes from `dims` or `shapes`. A torch
    module is exported by torch.onnx.export, which needs onnxscript. The options are those of
    `forge_mlir.compiler.driver.CompileOptions`. An option that does not apply to `source` is an error: `shapes` for a
    folder, and references to weights in files for a torch module.

    A buffer that a torch module writes in place becomes an input BUFFER and an output BUFFER.updated of the compiled
    model; for an input that it writes, the new value becomes an output. A warning names them.

    Raises ForgeError with every refused node in `diagnostics`, and for a torch module whose results depend on training
    mode; no file is written then.
    """
    output, example_inputs = _sorted_out(output, example_inputs)
    for what, path in (("model", source), ("output", output)):
        if isinstance(path, str) and not path:  # It would be the current directory, or the default.
            raise ValueError(f"compile: expected a path for the {what}, but got ''")
    if _is_of_torch(source):
        return _compile_torch(source, output, example_inputs, kwargs, dynamic_shapes, options)
    if example_inputs is not None or kwargs is not None or dynamic_shapes is not None:
        raise TypeError(
            "example inputs are for torch modules, as kwargs and dynamic_shapes; an ONNX model takes sample_inputs"
        )
    if not isinstance(source, (str, os.PathLike, ModelProto)):
        kinds = "a path, an onnx.ModelProto, or a module or exported program of torch"
        raise TypeError(f"compile: expected {kinds}, but got {type(source)}")
    check_arguments(cast(CompileArguments, options))
    name = options.get("name")
    model: Source = source
    if not isinstance(model, ModelProto) and os.path.isdir(model):
        from forge_mlir.integration.folder import compile_folder

        return compile_folder(Path(model), output or f"{name or Path(model).resolve().name}_forge", **options)
    if isinstance(model, ModelProto):
        # The name comes from an untrusted model and must not contain a path.
        stem = name or re.sub(r"\W", "_", model.graph.name, flags=re.ASCII) or "model"
    else:
        stem = name or Path(model).stem
    options["name"] = stem
    return driver.compile(model, output or f"{stem}_forge", **options)


def _sorted_out(
    output: Output | Sequence[Any] | None, example_inputs: Sequence[Any] | Output | None
) -> tuple[Output | None, tuple[Any, ...] | None]:
    """The directory and the example inputs, in either order. Raises TypeError."""
    if isinstance(output, (tuple, list)) or isinstance(example_inputs, (str, os.PathLike)):
        output, example_inputs = example_inputs, output
    if output is not None and not isinstance(output, (str, os.PathLike)):
        raise TypeError(f"compile(model, example_inputs, output): expected a path for output, but got {type(output)}")
    if example_inputs is not None and not isinstance(example_inputs, (tuple, list)):
        raise TypeError(
            "compile(model, example_inputs): expected a tuple or list of the module's positional arguments, but got "
            f"{type(example_inputs)}; values by name are given in kwargs"
        )
    return output, None if example_inputs is None else tuple(example_inputs)


def _is_of_torch(source: object) -> bool:
    """Checks without importing torch: objects of torch exist only if it has been imported."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    return isinstance(source, (torch.nn.Module, torch.export.ExportedProgram, torch.onnx.ONNXProgram))


def _compile_torch(
    source: Any,
    output: Output | None,
    example_inputs: tuple[Any, ...] | None,
    kwargs: Mapping[str, Any] | None,
    dynamic_shapes: Any,
    options: CompileOptions,
) -> Artifact:
    import torch

    from forge_mlir.integration.torch_export import export

    is_module = isinstance(source, torch.nn.Module)
    if is_module and example_inputs is None and kwargs is None:
        raise TypeError("compile(module, example_inputs): a torch module needs a tuple of example inputs")
    if not is_module and (example_inputs is not None or kwargs is not None or dynamic_shapes is not None):
        raise TypeError(
            "example inputs, kwargs and dynamic_shapes are for torch modules; an exported program has its own"
        )
    if options.get("weights") == "reference":
        raise ValueError("the weights of a torch module are in no file that could be referred to")
    stem = options.get("name") or (type(source).__name__.lower() if is_module else "model")
    options["name"] = stem
    label = escaped(type(source).__name__)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "model.onnx")  # Not the name, which may be no name of a file.
        written = export(source, example_inputs or (), file, kwargs, dynamic_shapes)
        named = escaped(file)
        try:
            artifact = driver.compile(file, output or f"{stem}_forge", **options)
        except ForgeError as error:
            found = tuple(_renamed(each, named, label) for each in error.diagnostics)
            raise ForgeError(error.code, error.message.replace(named, label), found) from error.__cause__
    warnings = (*(_renamed(each, named, label) for each in artifact.warnings), *_writing_warnings(written, label))
    return replace(artifact, warnings=warnings)


def _renamed(found: Diagnostic, file: str, label: str) -> Diagnostic:
    """`found` with a reference to the module, because the temporary file it was exported to no longer exists."""
    return replace(
        found,
        message=found.message.replace(file, label),
        model=found.model.replace(file, label),
        notes=tuple(note.replace(file, label) for note in found.notes),
    )


def _writing_warnings(written: Sequence[Written], label: str) -> list[Diagnostic]:
    return [
        Diagnostic(
            "warning",
            f"the module writes to its {each} in place: the new value is output {each.output!a}"
            + (", which is to be given as that input next time" if each.kind == "buffer" else ""),
            code=Code.WritesReturned,
            model=label,
        )
        for each in written
    ]
