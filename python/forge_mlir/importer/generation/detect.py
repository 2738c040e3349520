"""Whether a language model has a cache, before anything is compiled."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from onnx import ModelProto

from forge_mlir.onnx_model.weightless import WeightlessModel
from forge_mlir.support.sandbox import Limits, isolating


def has_cache(source: str | os.PathLike[str] | ModelProto, stated: Sequence[tuple[str, str]], limits: Limits) -> bool:
    """Whether an input of the model is a cache; `stated` as in `ProgramRequest`. Raises OnnxImportError."""
    from forge_mlir.importer.onnx_import import scan_source

    weightless, _ = scan_source(source)
    with isolating("onnx", partial(_look, weightless, tuple(stated)), limits, _load) as result:
        return bool(result())


def _load() -> None:
    import_module("forge_mlir.importer.normalise")
    import_module("forge_mlir.importer.generation.recognise")


def _look(weightless: WeightlessModel, stated: Sequence[tuple[str, str]]) -> bool:
    """What the child does."""
    from forge_mlir.importer.generation.recognise import recognise
    from forge_mlir.importer.passes.inline_functions import inline_functions
    from forge_mlir.onnx_model.opsets import normalise_opsets

    model = ModelProto.FromString(weightless.proto)
    normalise_opsets(model)
    return bool(recognise(inline_functions(model).graph, dict(stated)).caches)
