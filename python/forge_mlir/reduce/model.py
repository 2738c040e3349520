"""`reduce_model`: shrinks a failing model to a small one that fails in the same way."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.option_types.values import command_line, limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.reduce.cases import Case, capture
from forge_mlir.reduce.predicates import (
    Failure,
    Kind,
    command_failure,
    failure_of,
    options_for,
    predicate_for,
)
from forge_mlir.reduce.search import reduce_case
from forge_mlir.support.outputs import Writer, make_folder, write_outputs
from forge_mlir.support.progress import phase
from forge_mlir.verify.inputs.random_inputs import inputs_of_import


@dataclass(frozen=True)
class Reduction:
    """`case` fails as in `failure`; `nodes` is the number of nodes of the original model, `arguments` are the options
    that reproduce the failure."""

    case: Case
    failure: Failure
    nodes: int
    arguments: tuple[str, ...]

    def save(self, directory: Path, stem: str, *, force: bool = False) -> list[Path]:
        """Writes the model, its inputs, and if possible the imported IR; returns the files. Raises ForgeError if a file
        cannot be written, and, unless `force` is given, for existing files of another origin."""
        files: dict[Path, Writer] = {
            directory / f"{stem}.onnx": self.case.save_model,
            directory / f"{stem}.npz": self.case.save_inputs,
        }
        with suppress(ForgeError):
            text = import_model(self.case.model).module.operation.get_asm(enable_debug_info=True)
            files[directory / f"{stem}.mlir"] = lambda path: path.write_text(text, encoding="utf-8")
        make_folder(directory)
        write_outputs(files, (), force)
        return [*files]


def reduce_model(
    model: str | os.PathLike[str],
    inputs: Mapping[str, npt.NDArray[Any]] | None = None,
    *,
    kind: Kind | None = None,
    command: str | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
    options: Options,
) -> Reduction:
    """The smallest part found that fails as the model does, or for which `command` (with {model} and {inputs}) exits
    with 0. `tell` is called with the failure. Raises ForgeError for a model that does not fail, or not as `kind`
    requires."""
    if inputs is None:
        inputs = options.get("sample_inputs")
    given = inputs if inputs is not None else _random(model, seed, options)
    limits = limits_of(options)
    case = capture(model, given, options.get("bind"), limits)
    with phase("the model as it is"):
        failure = command_failure(case, command) if command is not None else failure_of(case, options, kind)
    tell(str(failure))
    reduced = reduce_case(case, predicate_for(failure, options), limits)
    return Reduction(reduced, failure, len(case.nodes), tuple(command_line(options_for(reduced, options))))


def _random(model: str | os.PathLike[str], seed: int, options: Options) -> dict[str, npt.NDArray[Any]]:
    """Random inputs for a model that can be imported; none for others, whose values remain unknown."""
    try:
        return inputs_of_import(import_model(model, traced=True, **options), seed)
    except ForgeError:
        return {}
