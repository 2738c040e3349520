"""A folder of ONNX files (encoder, decoder, decoder with past) as one artifact."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

import onnx

from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.shape_sets import ShapeSet, write_shape_sets
from forge_mlir.codes import Code
from forge_mlir.compiler.driver import accepted, lower
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote
from forge_mlir.support.progress import phase


def compile_folder(
    folder: Path,
    output: str | os.PathLike[str],
    *,
    name: str | None = None,
    force: bool = False,
    **options: Unpack[Options],
) -> Artifact:
    """One artifact of all ONNX files in `folder`: a module each, called like its file, and one weights file, in which
    what several of them hold is stored once. Of `dims` and `input_shapes` each model takes those that it has.

    A folder with one file is that model. Raises ForgeError for a folder without any, and as `compile` does.
    """
    files = sorted(folder.glob("*.onnx"))
    if not files:
        raise ForgeError(Code.FileUnreadable, f"{quote(folder)[1:-1]}: there is no .onnx file in this folder")
    stem = name or folder.resolve().name
    lowered = []
    for file in files:
        with phase(file.name):
            lowered.append(lower(file, name=f"{stem}_{file.stem}", **_own(file, options)))
    programs = accepted(lowered)
    sets = [
        ShapeSet(file.stem, program, one.weights, one.facts)
        for file, program, one in zip(files, programs, lowered, strict=True)
    ]
    warnings = tuple(diagnostic for one in lowered for diagnostic in one.diagnostics)
    return write_shape_sets(output, stem, sets, warnings, force, by_content=True)


def _own(file: Path, options: Options) -> Options:
    """The options without sizes for inputs and dims that this model does not have."""
    own: Options = {**options}
    if not options.get("dims") and not options.get("input_shapes"):
        return own
    inputs = onnx.load(file, load_external_data=False).graph.input
    names = {value.name for value in inputs}
    symbols = {dim.dim_param for value in inputs for dim in value.type.tensor_type.shape.dim}
    own["dims"] = {dim: size for dim, size in (options.get("dims") or {}).items() if dim in symbols}
    own["input_shapes"] = {key: shape for key, shape in (options.get("input_shapes") or {}).items() if key in names}
    return own
