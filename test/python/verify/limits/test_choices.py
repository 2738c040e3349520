"""The treatment of equal elements, infinities and negative indices, which may not occur in random or stored inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import safetensors.torch

import forge_mlir
from forge_mlir.artifact.reseal import reseal
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.execute.device_module import Arrays
from forge_mlir.verify import Verification, verify_artifact, verify_model
from resealing import replace_module
from sample_models.probe import FLOAT, INT64, build, node, weights

_LAST_OF_TIES = (
    'forge.op.Subtract("", forge.op.Constant("", constant=7.0, dtype=forge.DataFormat.Int32), forge.op.Argmax("", '
    'forge.op.Concatenate("", *[forge.op.Index("", s, dim=-1, start=at, stop=at + 1, stride=1) '
    "for at in range(7, -1, -1)], axis=-1), dim=-1, keep_dim=True))"
)


def argmax() -> onnx.ModelProto:
    """No two elements of x w + b are equal, for any x."""
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Add", ["p", "b"], ["s"], "sum"),
        node("ArgMax", ["s"], ["y"], "argmax", axis=-1, keepdims=1),
    ]
    return build(nodes, {"x": (FLOAT, [4, 8])}, {"y": INT64}, w=weights(8, 8), b=weights(8))


def largest() -> onnx.ModelProto:
    """A TopK of elements no two of which are equal, for any x."""
    nodes = [
        node("Gemm", ["x", "w", "b"], ["s"], "sum"),
        node("TopK", ["s", "k"], ["v", "y"], "topk", axis=-1),
    ]
    constants = {"w": weights(8, 9), "b": weights(9), "k": np.array([3])}
    return build(nodes, {"x": (FLOAT, [4, 8])}, {"v": FLOAT, "y": INT64}, **constants)


def rounded() -> onnx.ModelProto:
    nodes = [node("MatMul", ["x", "w"], ["p"], "product"), node("Round", ["p"], ["y"], "round")]
    return build(nodes, {"x": (FLOAT, [12, 8])}, {"y": FLOAT}, w=weights(8, 24))


def masked() -> onnx.ModelProto:
    mask = np.triu(np.full((8, 8), -np.inf, np.float32), 1)
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Add", ["p", "mask"], ["s"], "sum"),
        node("Softmax", ["s"], ["y"], "softmax", axis=-1),
    ]
    return build(nodes, {"x": (FLOAT, [8, 8])}, {"y": FLOAT}, w=weights(8, 8), mask=mask)


def gathered() -> onnx.ModelProto:
    nodes = [node("Gather", ["table", "at"], ["y"], "gather", axis=0)]
    return build(nodes, {"at": (INT64, [5])}, {"y": FLOAT}, table=weights(9, 16))


def silent() -> onnx.ModelProto:
    """The bias is so large that the result does not depend on anything before it."""
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Tanh", ["p"], ["t"], "tanh"),
        node("Sub", ["t", "two"], ["d"], "difference"),
        node("Relu", ["d"], ["y"], "relu"),
    ]
    two = np.array(2, np.float32)
    return build(nodes, {"x": (FLOAT, [4, 8])}, {"y": FLOAT}, w=weights(8, 8), two=two)


class Compiled:
    def __init__(self, model: onnx.ModelProto, folder: Path) -> None:
        self.path = folder / "m.onnx"
        onnx.save(model, self.path)
        self.artifact = forge_mlir.compile(self.path, folder / "out")

    def replace(self, old: str, new: str) -> None:
        source = self.artifact.module_path.read_text()
        assert old in source, source
        replace_module(self.artifact, source.replace(old, new))

    def verified(self, inputs: Arrays | None = None) -> Verification:
        return verify_model(self.path, inputs, artifact=self.artifact.directory)


def ended(found: Verification) -> tuple[str, str]:
    assert found.exact is not None
    return found.verdict, found.exact.state


def test_the_last_of_two_equal_elements(tmp_path: Path) -> None:
    made = Compiled(argmax(), tmp_path)
    assert ended(made.verified()) == ("right", "equal")
    source = made.artifact.module_path.read_text()
    summed = source.split('forge.op.Argmax("", ')[1].split(",")[0]
    made.replace(f'forge.op.Argmax("", {summed}, dim=-1, keep_dim=True)', _LAST_OF_TIES.replace(" s,", f" {summed},"))
    found = made.verified({"x": np.ones((4, 8), np.float32)})
    assert {verdict for _, verdict in found.runs} == {"right"}
    assert ended(found) == ("wrong", "different")


def test_the_order_of_equal_elements(tmp_path: Path) -> None:
    """In a row of 9, the edit orders equal adjacent elements in reverse."""
    made = Compiled(largest(), tmp_path)
    assert ended(made.verified()) == ("right", "equal")
    made.replace('forge.op.Less("", ', 'forge.op.Greater("", ')
    found = made.verified({"x": weights(4, 8)})
    assert found.runs[0] == ("given", "right")
    assert ended(found) == ("wrong", "different")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('forge.op.Equal("", round_remainder_1, constant_1_0)', 'forge.op.Equal("", round_remainder_1, constant_0_0)'),
        ('forge.op.Max("", round_cast_2, round_multiply)', 'forge.op.Max("", round_cast_2, round_cast_2)'),
        ('forge.op.Max("", round_cast_2, round_multiply)', 'forge.op.Max("", round_cast_2, round_cast_1)'),
    ],
    ids=["to odd", "down", "up"],
)
def test_halves(old: str, new: str, tmp_path: Path) -> None:
    made = Compiled(rounded(), tmp_path)
    assert ended(made.verified()) == ("right", "equal")
    made.replace(old, new)
    assert ended(made.verified({"x": weights(12, 8)})) == ("wrong", "different")


def test_a_mask_of_ten_thousand(tmp_path: Path) -> None:
    """-1e4 instead of the model's -inf, which gives the same softmax for ordinary numbers."""
    made = Compiled(masked(), tmp_path)
    known = safetensors.torch.load_file(made.artifact.weights_path)
    (name,) = [name for name, value in known.items() if bool(value.isinf().any())]
    safetensors.torch.save_file({**known, name: known[name].clamp(min=-1e4)}, made.artifact.weights_path)
    reseal(made.artifact.manifest_path)
    found = made.verified({"x": weights(8, 8)})
    assert found.runs[0] == ("given", "right")
    assert ended(found) == ("wrong", "different")


def test_an_edited_artifact_is_not_only_verified_with_stored_inputs(tmp_path: Path) -> None:
    """No stored index counts from the end."""
    made = Compiled(gathered(), tmp_path)
    at = {"at": np.arange(5)}
    found = made.verified(at)
    assert (found.verdict, found.runs) == ("right", (("given", "right"),))
    made.replace("constant=9.0, dtype=forge.DataFormat.Int32", "constant=900.0, dtype=forge.DataFormat.Int32")
    found = made.verified(at)
    assert found.verdict == "wrong"
    assert found.runs[0] == ("given", "right")
    assert found.runs[-1] == ("mixed", "wrong")


def test_outputs_that_are_always_zero_are_not_covered(tmp_path: Path) -> None:
    made = Compiled(silent(), tmp_path)
    found = made.verified()
    assert found.exact is not None
    assert ended(found) == ("right", "not covered")
    assert found.exact.reason == "output 'y' is 0 whatever is drawn"


@pytest.mark.parametrize("is_right", [True, False])
def test_an_open_order_is_that_of_the_reference(is_right: bool, tmp_path: Path) -> None:
    """With `sorted` = 0, onnxruntime has another order than onnx.reference and the compiler, which sort."""
    top = node("TopK", ["x", "k"], ["v", "y"], "topk", sorted=0)
    onnx.save(build([top], {"x": (FLOAT, [3, 12])}, {"v": FLOAT, "y": INT64}, k=np.array([4])), tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    if not is_right:
        replace_module(artifact, artifact.source().replace("forge.op.Greater(", "forge.op.Less("))
    found = verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": weights(3, 12)})
    assert found.verdict == ("right" if is_right else "wrong")
