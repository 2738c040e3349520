"""Runs commands for a single model on each ONNX file of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, shortened


def models_of(model: Path, options: Options) -> list[tuple[Path, Options]]:
    """`model` with its options. For a folder: each of its ONNX files, with the given sizes that apply to it. Raises
    ForgeError for a folder without ONNX files, and for a size that applies to none."""
    if not model.is_dir():
        return [(model, options)]
    from forge_mlir.integration.folder import model_files, sizes_of_all

    files = list(model_files(model).values())
    if not files:
        raise ForgeError(Code.FileUnreadable, f"{shortened(model)}: there is no .onnx file in this folder")
    sizes = sizes_of_all(files, options)
    return [(file, cast(Options, {**options, **own})) for file, own in zip(files, sizes, strict=True)]
