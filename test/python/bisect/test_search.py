"""`bisect` finds the pass that breaks a model. Such a pass is simulated by changing the IR after a correct one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from torch_mlir import ir

from forge_mlir import ForgeError
from forge_mlir.bisect import bisect, bisect_model, passes_of
from forge_mlir.bisect.search import interpreter_of, staged
from forge_mlir.cli.exit_codes import Exit, exit_of_error
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.options import Options
from forge_mlir.verify import golden_outputs
from forge_mlir.verify.inputs.random_inputs import inputs_of_import
from sample_models.mistakes import with_mistake
from sample_models.probe import FLOAT, INT64, build, mixed, node, partitioned
from sample_models.repository import stored
from sample_models.small import one_node

(GPT2,) = stored("gpt2_block")
PASSES = [name for name, _ in passes_of({})][1:]
"""The passes after which the IR has only forge ops, which can be executed."""


def operations(module: ir.Module, name: str) -> list[ir.Operation]:
    found: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        if operation.name == name:
            found.append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def swap(module: ir.Module) -> None:
    subtract = operations(module, "forge.subtract")[0]
    a, b = subtract.operands
    subtract.operands[0], subtract.operands[1] = b, a


def epsilon(module: ir.Module) -> None:
    """Changes the epsilon of the norm, or the constant that is added instead of it."""
    norms = operations(module, "forge.layernorm")
    op, name = (norms[0], "epsilon") if norms else (operations(module, "forge.scalar_constant")[0], "constant")
    op.attributes[name] = ir.FloatAttr.get(op.attributes[name].type, 0.1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    onnx.save(mixed(), path)
    return path


def test_no_stage_of_a_correct_compilation_is_blamed(path: Path) -> None:
    found = bisect_model(path)
    assert [stage.name for stage in found.stages] == PASSES
    assert found.culprit is None
    assert max(row.relative for stage in found.stages for row in stage.outputs) < 1e-5


@pytest.mark.alike(keep=27)
@pytest.mark.parametrize("edit", [swap, epsilon])
@pytest.mark.parametrize("name", PASSES[:-1])
def test_the_wrong_pass_is_found(path: Path, name: str, edit: Callable[[ir.Module], None]) -> None:
    imported = import_model(path, traced=True)
    inputs = inputs_of_import(imported)
    interpreter = interpreter_of(imported)
    stages = staged(imported.module, with_mistake(name, edit))
    found = bisect(stages, lambda module: interpreter.run(module, inputs), golden_outputs(str(path), inputs))
    assert found.culprit is not None
    assert found.culprit.name == name
    assert found.culprit.outputs, "it is found by its results, not by a failure"


def test_a_partitioned_model(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(partitioned(), path)
    options: Options = {"fallback": "cpu"}
    found = bisect_model(path, **options)
    assert [stage.name for stage in found.stages] == PASSES
    assert found.culprit is None


def test_gpt2() -> None:
    inputs, outputs = (dict(np.load(GPT2 / f"{kind}.npz")) for kind in ("inputs", "outputs"))
    assert bisect_model(GPT2 / "model.onnx", inputs, outputs).culprit is None


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


def test_bisect_proves_the_goldens(relu: Path) -> None:
    x = {"x": np.ones((2, 3), np.float32)}
    with pytest.raises(ForgeError, match=r"the expected output 'y' is not what ONNX computes"):
        bisect_model(relu, x, {"y": np.zeros((2, 3), np.float32)})
    with pytest.raises(ForgeError, match="no golden"):
        bisect_model(relu, x, {"z": np.zeros((2, 3), np.float32)})


def test_bound_inputs_and_extracted_parts(tmp_path: Path) -> None:
    nodes = [node("Add", ["x", "y"], ["s"], "sum"), node("Mul", ["s", "c"], ["z"], "z")]
    inputs = {"x": (FLOAT, [2, 3]), "y": (FLOAT, [2, 3])}
    onnx.save(build(nodes, inputs, {"z": FLOAT}, c=np.float32(3)), tmp_path / "m.onnx")
    bound = {"y": np.ones((2, 3), np.float32)}
    assert bisect_model(tmp_path / "m.onnx", bind=bound).culprit is None
    assert bisect_model(tmp_path / "m.onnx", extract_outputs=["s"]).culprit is None
    assert bisect_model(tmp_path / "m.onnx", extract_inputs=["s"]).culprit is None
    with pytest.raises(ForgeError, match="--float-format=bfloat16 rounds values, which bisect would take for errors"):
        bisect_model(tmp_path / "m.onnx", float_format="bfloat16")


def test_values_other_than_tensors_of_numbers(tmp_path: Path) -> None:
    nodes = [node("Relu", ["x"], ["r"], "relu"), node("SplitToSequence", ["r"], ["s"], "split", axis=0)]
    model = build(nodes, {"x": (FLOAT, [4, 6])}, {})
    model.graph.output.append(onnx.helper.make_tensor_sequence_value_info("s", FLOAT, None))
    onnx.save(model, tmp_path / "m.onnx")
    with pytest.raises(
        ForgeError, match=r"value 's' is sequence\(float32\); bisect runs modules with tensors of numbers"
    ) as raised:
        bisect_model(tmp_path / "m.onnx", fallback="cpu")
    assert exit_of_error(raised.value) is Exit.REFUSED


def test_a_folded_operand_of_a_partition(tmp_path: Path) -> None:
    """The import folds the Shape, whose operand the partition on the CPU does not take."""
    nodes = [node("Shape", ["w"], ["s"]), node("Reshape", ["x", "s"], ["r"]), node("NonZero", ["r"], ["y"])]
    model = build(nodes, {"x": (FLOAT, [2, 3]), "w": (FLOAT, [3, 2])}, {"y": INT64})
    onnx.save(model, tmp_path / "model.onnx")
    assert bisect_model(tmp_path / "model.onnx", fallback="cpu", cpu_ops=["Reshape"]).culprit is None
