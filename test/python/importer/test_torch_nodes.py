"""The IR agrees with that of torch-mlir's importer, on onnx's own node tests."""

from __future__ import annotations

import io
import itertools
import re

import onnx
import pytest
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect

from forge_mlir.importer import import_onnx
from forge_mlir.onnx_model.graph import all_nodes
from sample_models.importing import model, operators, value, weights
from stock_ir.importing import node_models, stock_module

OURS = {
    "torch.onnx_meta.hinted_results",
    "torch.onnx_meta.domain",
    "torch.onnx_meta.subgraphs",
    "arg_attrs",
    "res_attrs",
    "sym_name",
}


def described(module: ir.Module) -> list[object]:
    """Every operation with its types and attributes, except intended differences."""

    def attributes(op: ir.Operation) -> list[tuple[str, str]]:
        pairs = ((name, str(op.attributes[name])) for name in op.attributes if name not in OURS)
        return sorted((name, re.sub(r"dense(_resource)?<.*> :", "data :", text, flags=re.S)) for name, text in pairs)

    return [
        (
            op.name,
            [str(v.type) for v in op.operands],
            [str(v.type) for v in op.results],
            attributes(op),
            str(op.location),
        )
        for op in operators(module)
    ]


@pytest.mark.parametrize(("every", "least"), [(36, 35), pytest.param(9, 150, marks=pytest.mark.slow)])
def test_equal_to_stock_on_onnx_node_tests(every: int, least: int) -> None:
    compared, refused = [], []
    for name, proto in itertools.islice(node_models(), 0, None, every):
        # The importer names nodes without a name.
        for number, node in enumerate(each for each in all_nodes(proto.graph.node) if each.op_type != "Constant"):
            node.name = node.name or f"{node.op_type}_{number}"
        try:
            expected = stock_module(proto, expand=False)
        except Exception:
            refused.append(name)  # The stock importer raises many types of exceptions.
            continue
        assert described(expected), name
        assert described(import_onnx(proto).module) == described(expected), name
        compared.append(name)
    # The stock importer refuses few models: at least so many must be compared.
    assert len(compared) > least
    assert len(refused) < len(compared) / 4, refused


@pytest.mark.parametrize("size", [3, 700], ids=["inline", "by reference"])
def test_bytecode_and_text_round_trip(size: int) -> None:
    w = onnx.numpy_helper.from_array(weights(size), "a/b")
    node = onnx.helper.make_node("Add", ["x", "a/b"], ["y"], "n")
    module = import_onnx(model([node], [value("x", "n", size)], [value("y", "n", size)], [w])).module
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    for form in (stream.getvalue(), str(module)):
        context = ir.Context()  # Parsing in the context of the module would rename existing resource keys.
        torch_dialect.register_dialect(context)
        assert str(ir.Module.parse(form, context)) == str(module)
