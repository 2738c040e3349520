"""Runs the passes of a compilation one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from torch_mlir import ir

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import run_pipeline, single_passes
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.support.progress import phase

Pass = tuple[str, Callable[[ir.Module], Any]]
"""A name, and a function that changes a module in place."""


@dataclass(frozen=True)
class Stage:
    """The module after the pass `name`."""

    name: str
    module: ir.Module


def staged(module: ir.Module, passes: Iterable[Pass]) -> Iterator[Stage]:
    """Runs the passes on `module`; each stage refers to its state after the pass."""
    started, known = False, list(passes)
    with phase("run after each pass", len(known)) as advance:
        for done, (name, apply) in enumerate(known, 1):
            apply(module)
            # Before the conversion there are no forge ops to execute.
            started = started or name.startswith("convert-onnx-to-forge")
            if started:
                yield Stage(name, module)
            advance(done)


def passes_of(options: Options) -> list[Pass]:
    """All passes of a compilation with these options, each as a pipeline of its own."""
    text, reports = _native.expand_pipeline(pipeline(options))
    if text is None:
        raise ForgeError(Code.PipelineInvalid, "the pipeline is not valid", Diagnostic.all_of(reports))

    def runner(single: str) -> Callable[[ir.Module], Any]:
        return lambda module: run_pipeline(module, single, lowerings=options.get("lowerings", ()))

    return [(name, runner(single)) for name, single in single_passes(text)]
