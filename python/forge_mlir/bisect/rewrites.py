"""Finds the one rewrite that changes a model's results, by bisection of all rewrites that the passes apply."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Unpack

import numpy.typing as npt
from torch_mlir import ir

from forge_mlir._native import PassRun
from forge_mlir.bisect.changed_ops import changed_ops
from forge_mlir.bisect.search import Reference, StageResult, reference_of, result_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import Rewrite, run_first_rewrites
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.dialects import forge
from forge_mlir.dialects.crossing import bytecode
from forge_mlir.errors import ForgeError
from forge_mlir.support.progress import phase
from forge_mlir.verify.in_child import in_child


@dataclass(frozen=True)
class RewriteBisection:
    """The result of a bisection: the first `number` of `total` rewrites give wrong results.

    `rewrite` is the last of them: results are wrong with it, as `wrong` describes, and right without it. It removed or
    changed the ops `before` and created `after`. `rewrite` is None if no rewrite is at fault; `wrong` is then None, or
    describes what is wrong without any rewrite, and `number` is 0.
    """

    number: int
    total: int
    rewrite: Rewrite | None = None
    wrong: StageResult | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        found = self.rewrite and {key.removesuffix("_name"): text for key, text in asdict(self.rewrite).items()}
        return {
            "number": self.number,
            "total": self.total,
            "rewrite": found,
            "failure": self.wrong and self.wrong.explain(),
            "before": list(self.before),
            "after": list(self.after),
        }


@dataclass(frozen=True)
class Compiler:
    """Compiles one imported model repeatedly."""

    source: bytes
    options: Options

    @staticmethod
    def of(reference: Reference, options: Options) -> Compiler:
        """A compiler for the model that is bisected."""
        return Compiler(bytecode(reference.imported.module), options)

    def run(self, limit: int, on_pass: Callable[[PassRun], None] | None = None) -> tuple[ir.Module, list[Rewrite]]:
        """The module after its first `limit` rewrites (all if negative), and the list of these rewrites."""
        context = ir.Context()  # A new one: a context makes the keys of resources unique across modules.
        forge.register(context)
        with context, ir.Location.unknown():
            module = ir.Module.parse(self.source)
        lowerings = self.options.get("lowerings", ())
        rewrites = run_first_rewrites(module, pipeline(self.options), limit, on_pass=on_pass, lowerings=lowerings)
        return module, rewrites

    def stages(self, limit: int) -> list[str]:
        """The module after each pass, up to the one that fails."""
        texts: list[str] = []
        with suppress(ForgeError):
            self.run(limit, lambda run: texts.append(run.ir()))
        return texts


@in_child
def bisect_rewrites(
    model: str | os.PathLike[str],
    inputs: Mapping[str, npt.NDArray[Any]] | None = None,
    goldens: Mapping[str, npt.NDArray[Any]] | None = None,
    *,
    seed: int = 0,
    **options: Unpack[Options],
) -> RewriteBisection:
    """Compiles `model` with a prefix of the rewrites and finds the one that makes its results wrong. Inputs, goldens
    and errors are as in `bisect_model`. A compilation that fails without some rewrites counts as wrong."""
    reference = reference_of(model, inputs, goldens, seed, options)
    return search(Compiler.of(reference, options), reference)


def search(compiler: Compiler, reference: Reference) -> RewriteBisection:
    """Bisects: results are right with `right` rewrites and wrong with `wrong` rewrites."""
    module, rewrites = compiler.run(-1)
    total = len(rewrites)
    found = result_of("all rewrites", module, reference)
    if found.passed:
        return RewriteBisection(total, total)
    right, wrong = -1, total
    with phase("run with the first rewrites"):
        while wrong - right > 1:
            # Zero rewrites first: if the result is wrong even then, no rewrite is at fault.
            number = 0 if right < 0 else (right + wrong) // 2
            tried = _result(number, compiler, reference)
            if tried.passed:
                right = number
            else:
                wrong, found = number, tried
    if wrong == 0:
        return RewriteBisection(0, total, None, found)
    pairs = zip(compiler.stages(right), compiler.stages(wrong), strict=False)
    texts = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    before, after = changed_ops(*texts)
    return RewriteBisection(wrong, total, rewrites[wrong - 1], found, before, after)


def _result(number: int, compiler: Compiler, reference: Reference) -> StageResult:
    name = f"{number} rewrites"
    try:
        return result_of(name, compiler.run(number)[0], reference)
    except ForgeError as error:
        return StageResult(name, (), error.message)
