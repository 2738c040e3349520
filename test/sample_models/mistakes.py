"""Pipelines with a mistake, which `bisect` has to find."""

from __future__ import annotations

from collections.abc import Callable

from torch_mlir import ir

from forge_mlir.bisect import passes_of
from forge_mlir.bisect.search import Pass


def with_mistake(name: str, edit: Callable[[ir.Module], None]) -> list[Pass]:
    """The passes of the default pipeline, with `edit` after the one called `name`."""

    def wrong(apply: Callable[[ir.Module], object]) -> Callable[[ir.Module], None]:
        def run(module: ir.Module) -> None:
            apply(module)
            with module.context, ir.Location.unknown():
                edit(module)

        return run

    return [(other, wrong(apply) if other == name else apply) for other, apply in passes_of({})]
