"""Models as `torch-mlir-import-onnx` imports them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any

import onnx
from onnx import ModelProto
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import onnx_importer

import node_cases as node_tests

TEXT, BYTECODE = "text", "bytecode"
FORMS = (TEXT, BYTECODE)


def node_models() -> Iterator[tuple[str, ModelProto]]:
    """The models of onnx's node tests, by name."""
    return ((name, proto) for name, proto, _ in node_cases())


def node_cases() -> Iterator[tuple[str, ModelProto, list[Any]]]:
    """onnx's node tests: name, model and sets of inputs and outputs."""
    for case in sorted(node_tests.node_cases(), key=lambda case: str(case.name)):
        if case.model is not None:
            yield case.name, case.model, list(case.data_sets or ())


def stock_module(proto: ModelProto, *, expand: bool = True) -> ir.Module:
    """The module that torch-mlir's command line makes; without `expand`, functions are not expanded.

    Raises any exception for a model that it cannot import.
    """
    onnx.checker.check_model(proto)
    typed = onnx.shape_inference.infer_shapes(proto, data_prop=True)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    config = onnx_importer.Config() if expand else onnx_importer.Config(function_expansion_allowlists_by_domain={})
    info = onnx_importer.ModelInfo(typed, config=config)
    module = info.create_module(context)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        onnx_importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
    module.operation.verify()
    return module


def serialised(module: ir.Module, form: str) -> bytes:
    """A module in the format of a file; text has no locations, as torch-mlir's command line writes it."""
    if form == TEXT:
        return str(module).encode()
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()
