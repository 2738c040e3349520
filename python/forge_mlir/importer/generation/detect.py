"""Determines which programs a language model has, before anything is compiled."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from onnx import ModelProto

from forge_mlir.errors import escaped
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.onnx_model.storage.weightless import WeightlessModel
from forge_mlir.support.sandbox import Limits, isolating


def kinds_of(
    source: str | os.PathLike[str] | ModelProto, stated: Sequence[tuple[str, str]], limits: Limits
) -> list[str]:
    """The kinds of programs of a model, as in `ProgramRequest`; `stated` is as there. A model without a cache has only
    "prefill", a model that takes one token at a time only "decode". Raises OnnxImportError."""
    from forge_mlir.importer.onnx_import import scan_source

    try:
        weightless, _ = scan_source(source)
        with isolating("onnx", partial(_look, weightless, tuple(stated)), limits, _load) as result:
            return list(result())
    except OnnxImportError as error:
        raise error.in_model("" if isinstance(source, ModelProto) else escaped(os.fspath(source))) from error.__cause__


def _load() -> None:
    import_module("forge_mlir.importer.normalise")
    import_module("forge_mlir.importer.generation.recognise")


def _look(weightless: WeightlessModel, stated: Sequence[tuple[str, str]]) -> list[str]:
    """The part that runs in the child process."""
    from forge_mlir.importer.generation.recognise import recognise, takes_one_token
    from forge_mlir.importer.normalise import check, opened

    model, _ = opened(weightless)
    check(model, [])
    graph = model.graph
    roles = recognise(graph, dict(stated))
    if not roles.caches:
        return ["prefill"]
    return ["decode"] if takes_one_token(graph, roles) else ["prefill", "decode"]
