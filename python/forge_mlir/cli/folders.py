"""Runs commands for a single model on each ONNX file of a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from forge_mlir.cli.output.reporting import forge_error_of, show_traceback
from forge_mlir.cli.output.ui import Ui
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, shortened

T = TypeVar("T")


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


def for_each(
    model: Path, options: Options, work: Callable[[Path, Options], T], failed: Callable[[Path, ForgeError], T]
) -> list[T]:
    """The results of `work` for each of `models_of`. A model of a folder for which `work` raises an error does not end
    the command: the result is that of `failed`."""
    found: list[T] = []
    for file, own in models_of(model, options):
        try:
            found.append(work(file, own))
        except Exception as error:
            if not model.is_dir() or isinstance(error, OSError):
                raise
            show_traceback(error)
            found.append(failed(file, forge_error_of(error, file)))
    return found


def answer_for_each(
    model: Path,
    options: Options,
    ui: Ui,
    work: Callable[[Path, Options], tuple[Mapping[str, Any] | None, ForgeError | None]],
) -> None:
    """Ends the command with the answers and errors of `work` for each of `models_of`."""
    found = for_each(model, options, work, lambda _, error: (None, error))
    answers = [answer for answer, _ in found if answer is not None]
    ui.answer({"models": answers} if model.is_dir() else answers[0], *(failure for _, failure in found))
