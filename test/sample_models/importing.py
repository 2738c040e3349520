"""Small models for the importer's tests, and helpers to look at the imported module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper
from torch_mlir import ir

from forge_mlir.importer import ImportedModel, OnnxImportError, import_onnx


def value(name: str, *dims: int | str | None, dtype: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, list(dims))


def model(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    initializers: Sequence[TensorProto] = (),
    *,
    opsets: dict[str, int] | None = None,
    name: str = "g",
    ir_version: int = 10,
) -> ModelProto:
    graph = helper.make_graph(list(nodes), name, list(inputs), list(outputs), list(initializers))
    imports = [helper.make_opsetid(domain, version) for domain, version in (opsets or {"": 17}).items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version)


def linear(weight: TensorProto | None = None) -> ModelProto:
    """y = x @ w, (2, 32) by (32, 16); `w` is the only initializer, 2 KB."""
    w = onnx.numpy_helper.from_array(weights(32, 16), "w") if weight is None else weight
    return model([helper.make_node("MatMul", ["x", "w"], ["y"], "mm")], [value("x", 2, 32)], [value("y", 2, 16)], [w])


def weights(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


def save(proto: ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


def refusal(source: Path | ModelProto, *words: str, **options: object) -> OnnxImportError:
    """The error of importing `source`. It must contain all `words`, and every line of it must be printable ASCII."""
    with pytest.raises(OnnxImportError) as caught:
        import_onnx(source, **options)  # type: ignore[arg-type]
    text = str(caught.value)
    for word in words:
        assert word in text
    assert all(line.isascii() and line.isprintable() for line in text.split("\n"))
    return caught.value


def operators(imported: ImportedModel | ir.Module) -> Iterator[ir.Operation]:
    """Every operation of the module, outermost first."""
    module = imported.module if isinstance(imported, ImportedModel) else imported
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return iter(found)


def named(imported: ImportedModel, op: str) -> ir.Operation:
    """The only `onnx.<op>` of the module."""
    (found,) = (o for o in operators(imported) if "name" in o.attributes and o.attributes["name"].value == f"onnx.{op}")
    return found


def external(folder: Path, change: Callable[[TensorProto], None] | None = None) -> Path:
    """`linear` with its weight in `weights.bin` at offset 64; `change` may modify the TensorProto."""
    data = weights(32, 16)
    (folder / "weights.bin").write_bytes(bytes(64) + data.tobytes())
    tensor = TensorProto(name="w", dims=[32, 16], data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    for key, text in (("location", "weights.bin"), ("offset", "64"), ("length", str(data.nbytes))):
        tensor.external_data.add(key=key, value=text)
    if change:
        change(tensor)
    return save(linear(tensor), folder)


def entry(tensor: TensorProto, key: str, text: str) -> None:
    """Sets one external data entry."""
    for pair in tensor.external_data:
        if pair.key == key:
            pair.value = text
            return
    tensor.external_data.add(key=key, value=text)


def branch(node: NodeProto, output: ValueInfoProto) -> GraphProto:
    return helper.make_graph([node], "branch", [], [output])


def node(op: str, inputs: str, outputs: str, name: str = "", **attributes: object) -> onnx.NodeProto:
    return helper.make_node(op, inputs.split(), outputs.split(), name, **attributes)


def chain(*ops: tuple[str, str, str]) -> list[onnx.NodeProto]:
    return [node(op, inputs, outputs, f"n{at}") for at, (op, inputs, outputs) in enumerate(ops)]
