"""The dialects that are registered in the context of an imported model."""

from __future__ import annotations

from onnx import helper
from torch_mlir import ir
from torch_mlir.dialects import tensor

from forge_mlir import import_onnx
from forge_mlir.compiler.lower import import_model
from forge_mlir.importer import ImportedModel

MODEL = helper.make_model(
    helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", 1, [2])],
        [helper.make_tensor_value_info("y", 1, [2])],
    ),
    opset_imports=[helper.make_opsetid("", 17)],
    ir_version=8,
)


def takes_other_ops(imported: ImportedModel) -> bool:
    """Whether an op of a dialect that no imported model contains can be created in the context of the model."""
    with imported.module.context, ir.Location.unknown(), ir.InsertionPoint(imported.module.body):
        try:
            return bool(tensor.empty([2], ir.F32Type.get()).owner.verify())
        except ir.MLIRError:
            return False


def test_users_may_add_ops_of_any_dialect() -> None:
    assert takes_other_ops(import_onnx(MODEL))


def test_compilation_loads_only_needed_dialects() -> None:
    """Loading all dialects would take as long as the import of a model."""
    assert not takes_other_ops(import_model(MODEL))
