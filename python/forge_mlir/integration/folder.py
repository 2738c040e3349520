"""A folder of ONNX files (encoder, decoder, decoder with past) as one artifact."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import onnx

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.compile_arguments import CompileOptions
from forge_mlir.compiler.driver import compile_files
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped, quote, shortened
from forge_mlir.support.sandbox import isolated


def compile_folder(folder: Path, output: str | os.PathLike[str], **options: Unpack[CompileOptions]) -> Artifact:
    """Compiles all ONNX files in `folder` to one artifact: one module per file, with its name, and one weights file, in
    which common weights are stored once. From `dims` and `input_shapes` each model uses those that apply to it.

    Raises ForgeError for a folder without models or with two of one name, for a size that applies to no model, and as
    `compile` does.
    """
    files = model_files(folder)
    if not files:
        raise ForgeError(Code.FileUnreadable, f"{shortened(folder)}: there is no .onnx file in this folder")
    options["name"] = options.get("name") or re.sub(r"\W", "_", folder.resolve().name, flags=re.ASCII)
    sizes = sizes_of_all(list(files.values()), options)
    own = {key: (file, each) for (key, file), each in zip(files.items(), sizes, strict=True)}
    return compile_files(own, output, **options)


def model_files(folder: Path) -> dict[str, Path]:
    """The ONNX files in `folder` by module name. Raises ForgeError for two with the same name."""
    files: dict[str, Path] = {}
    for file in sorted(folder.glob("*.onnx")):
        key = re.sub(r"\W", "_", file.stem, flags=re.ASCII)
        key = key if key.strip("_") else "model"  # The name of a module has letters.
        if key in files:
            names = f"{quote(files[key].name)} and {quote(file.name)}"
            raise ForgeError(Code.CannotWrite, f"{names} would be one module, {key}: rename one of them")
        files[key] = file
    return files


def sizes_of_all(files: Sequence[Path], options: CompileOptions | Options) -> list[Options]:
    """`sizes_of` each of `files`. Raises ForgeError for a size of an input or dim that none of them has."""
    found = [sizes_of(file, options) for file in files]
    dims, shapes = options.get("dims") or {}, options.get("input_shapes") or {}
    for what, given, used in (
        ("a dimension", dims, [each.get("dims", dims) for each in found]),
        ("an input", shapes, [each.get("input_shapes", shapes) for each in found]),
    ):
        if stray := given.keys() - {name for names in used for name in names or ()}:
            raise ForgeError(Code.InputUnknown, f"no model of the folder has {what} {quote(min(stray))}")
    return found


def sizes_of(file: Path, options: CompileOptions | Options) -> Options:
    """The sizes of inputs and dims in `options`, without those that this model does not have. Empty for a model that
    cannot be read, so that all of them apply to it. Its import reports the reason."""
    if not options.get("dims") and not options.get("input_shapes"):
        return {}
    try:
        names, symbols = isolated("onnx", lambda: _named(file), limits_of(options), escaped(file))
    except Exception:  # protobuf raises many exception types
        return {}
    return {
        "dims": {dim: size for dim, size in (options.get("dims") or {}).items() if dim in symbols},
        "input_shapes": {key: shape for key, shape in (options.get("input_shapes") or {}).items() if key in names},
    }


def _named(file: Path) -> tuple[set[str], set[str]]:
    """The names of the inputs of a model, and of their dims. Runs in a child process."""
    inputs = onnx.load(file, load_external_data=False).graph.input
    dims = (dim for value in inputs for dim in value.type.tensor_type.shape.dim)
    return {value.name for value in inputs}, {dim.dim_param for dim in dims}
