"""Model functions whose opset differs from that of the model, compared with onnxruntime on a model of the function's
opset."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError, compile, run
from forge_mlir.report.check import check
from forge_mlir.verify import verify_model
from sample_models.goldens import assert_same

SHAPE = (2, 3, 4)
_TWO_OPSETS = r"'inner__1'.*opset 11 cannot be in one CPU partition with nodes of opset 17"


@dataclass(frozen=True)
class Case:
    """A node `op` of `opset` applied to x, in a function; `constants` are its other operands; `outer` is the opset of
    the model."""

    op: str
    opset: int
    outer: int
    attributes: dict[str, Any] = field(default_factory=dict)
    constants: tuple[np.ndarray, ...] = ()
    shape: tuple[int, ...] = SHAPE
    outputs: int = 1

    def __str__(self) -> str:
        return f"{self.op}-{self.opset} in {self.outer}"

    def nodes(self) -> list[NodeProto]:
        names = [f"c{at}" for at in range(len(self.constants))]
        made = [
            helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value))
            for name, value in zip(names, self.constants, strict=True)
        ]
        results = [f"r{at}" for at in range(self.outputs)]
        return [*made, helper.make_node(self.op, ["a", *names], results, "inner", **self.attributes)]

    def plain(self) -> ModelProto:
        """The node in a model of its own opset."""
        return self._model(self.nodes(), "a", [f"r{at}" for at in range(self.outputs)], self.opset, [])

    def called(self) -> ModelProto:
        """The node in a function that a model of another opset calls."""
        results = [f"r{at}" for at in range(self.outputs)]
        imports = [helper.make_opsetid("", self.opset)]
        function = helper.make_function("local", "f", ["a"], results, self.nodes(), imports)
        call = helper.make_node("f", ["x"], [f"y{at}" for at in range(self.outputs)], "call", domain="local")
        return self._model([call], "x", [f"y{at}" for at in range(self.outputs)], self.outer, [function])

    def _model(
        self, nodes: list[NodeProto], given: str, made: list[str], opset: int, functions: list[onnx.FunctionProto]
    ) -> ModelProto:
        inputs = [helper.make_tensor_value_info(given, TensorProto.FLOAT, self.shape)]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in made]
        graph = helper.make_graph(nodes, "g", inputs, outputs)
        imports = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
        return helper.make_model(graph, opset_imports=imports, functions=functions, ir_version=9)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


CASES = [
    Case("Softmax", 11, 17, {"axis": 1}),
    Case("LogSoftmax", 12, 13),
    Case("Softmax", 13, 11, {"axis": 1}),
    Case("Hardmax", 11, 17, {"axis": 1}),
    Case("Squeeze", 11, 17, {"axes": [0]}, shape=(1, 3, 4)),
    Case("Squeeze", 13, 11, {}, (ints(0),), shape=(1, 3, 4)),
    Case("Unsqueeze", 11, 18, {"axes": [0, 2]}),
    Case("ReduceSum", 11, 17, {"axes": [1], "keepdims": 0}),
    Case("ReduceMean", 18, 13, {"keepdims": 0}, (ints(1),)),
    Case("Clip", 6, 13, {"min": -0.5, "max": 0.25}),
    Case("Split", 11, 18, {"axis": 2, "split": [1, 3]}, outputs=2),
    Case("Split", 18, 13, {"axis": 2, "num_outputs": 2}, outputs=2),
    Case("Slice", 9, 17, {"axes": [1], "starts": [1], "ends": [3]}),
    Case("Pad", 2, 17, {"pads": [0, 1, 0, 0, 0, 2], "value": 1.5}),
    Case("Upsample", 9, 17, {}, (np.array([1, 1, 2, 2], np.float32),), shape=(1, 1, 2, 3)),
    Case("Celu", 12, 11, {"alpha": 0.5}),
    Case("BatchNormalization", 9, 15, {}, tuple(np.full(3, v, np.float32) for v in (2, 1, 0.5, 3)), shape=(2, 3, 4)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_results_are_those_of_its_own_opset(case: Case, tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal(case.shape).astype(np.float32)
    expected = onnxruntime.InferenceSession(case.plain().SerializeToString()).run(None, {"a": x})
    proto = case.called()
    assert not check(proto).refused
    found = run(compile(proto, tmp_path), {"x": x})
    for name, value in zip((f"y{at}" for at in range(case.outputs)), expected, strict=True):
        assert_same(found[name], value)


def test_on_the_cpu(tmp_path: Path) -> None:
    """The partition of such nodes is a model of their opset."""
    case = CASES[0]
    x = np.random.default_rng(0).standard_normal(case.shape).astype(np.float32)
    (expected,) = onnxruntime.InferenceSession(case.plain().SerializeToString()).run(None, {"a": x})
    artifact = compile(case.called(), tmp_path, fallback="cpu", cpu_ops=["Softmax"])
    assert [partition["kind"] for partition in artifact.manifest()["partitions"]] == ["cpu"]
    assert_same(run(artifact, {"x": x})["y0"], expected)


def test_nodes_of_two_opsets_on_the_cpu(tmp_path: Path) -> None:
    """onnxruntime has one opset for all nodes, so that a Softmax with another meaning is refused."""
    proto = CASES[0].called()
    (call,) = proto.graph.node
    call.output[0] = "t"
    proto.graph.node.append(helper.make_node("Softmax", ["t"], ["y0"], "own", axis=1))
    with pytest.raises(ForgeError, match=_TWO_OPSETS):
        compile(proto, tmp_path, fallback="cpu", cpu_ops=["Softmax"])
    compile(proto, tmp_path)


def test_a_branch_of_two_opsets_on_the_cpu(tmp_path: Path) -> None:
    """LayerNormalization exists in the opset of the model only, and the node of the function is a Softmax as above, or
    has an attribute that the opset of the model does not have."""
    x = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
    inputs = {"x": x, "yes": np.array(True)}
    refused = _in_branch(CASES[0].called())
    with pytest.raises(ForgeError, match=_TWO_OPSETS):
        compile(refused, tmp_path, fallback="cpu", cpu_ops=["If"])
    proto = _in_branch(Case("ReduceSum", 11, 17, {"axes": [1]}).called())
    artifact = compile(proto, tmp_path / "cpu", fallback="cpu", cpu_ops=["If"])
    assert_same(run(artifact, inputs), run(compile(proto, tmp_path / "device"), inputs))


def _in_branch(proto: ModelProto) -> ModelProto:
    """`proto` with its call in a branch of an If, and a LayerNormalization after it."""
    (call,) = proto.graph.node
    call.output[0] = "t"
    norm = helper.make_node("LayerNormalization", ["t", "ones"], ["n"], "norm")
    branch = helper.make_graph([call, norm], "b", [], [helper.make_tensor_value_info("n", TensorProto.FLOAT, None)])
    proto.graph.initializer.append(numpy_helper.from_array(np.ones(4, np.float32), "ones"))
    proto.graph.input.append(helper.make_tensor_value_info("yes", TensorProto.BOOL, []))
    proto.graph.node[0].CopyFrom(helper.make_node("If", ["yes"], ["y0"], "if", then_branch=branch, else_branch=branch))
    return proto


@pytest.mark.parametrize("given", [True, False])
def test_verify_runs_the_node_in_its_own_opset(given: bool, tmp_path: Path) -> None:
    """onnxruntime runs the nodes of a function with the opset of the model, and is therefore not used."""
    case = CASES[0]
    onnx.save(case.called(), tmp_path / "m.onnx")
    x = np.random.default_rng(0).standard_normal(case.shape).astype(np.float32)
    (expected,) = onnxruntime.InferenceSession(case.plain().SerializeToString()).run(None, {"a": x})
    result = verify_model(tmp_path / "m.onnx", {"x": x}, {"y0": expected} if given else None)
    assert result.passed
    assert [report.node.op_type for report in result.nodes] == ["Softmax"]


def test_functions_of_two_opsets_that_call_each_other(tmp_path: Path) -> None:
    """A Softmax of opset 11 after one of opset 13, in a model of opset 17."""
    proto = Case("Softmax", 11, 17, {"axis": 1}).called()
    inner = helper.make_node("Softmax", ["a"], ["b"], axis=1)
    proto.functions.append(helper.make_function("local", "g", ["a"], ["b"], [inner], [helper.make_opsetid("", 13)]))
    outer = proto.functions[0]
    outer.node.insert(0, helper.make_node("g", ["a"], ["t"], domain="local"))
    outer.node[-1].input[0] = "t"
    outer.opset_import.append(helper.make_opsetid("local", 1))
    x = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)

    def softmax(value: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
        powers = np.exp(value - value.max(axis=axes, keepdims=True))
        return powers / powers.sum(axis=axes, keepdims=True)

    found = run(compile(proto, tmp_path), {"x": x})["y0"]
    assert_same(found, softmax(softmax(x, (1,)), (1, 2)))
