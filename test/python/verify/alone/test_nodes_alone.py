"""Each distinct node is verified alone, with operand values that do not occur in the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.lowerings import Builder, Node, Value
from forge_mlir.verify import Alone, Verification, verify_model
from forge_mlir.verify.alone.nodes_alone import nodes_alone
from forge_mlir.verify.judges import Judges

_FLOAT, _INT, _BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
_WEIGHT = np.random.default_rng(3).standard_normal((16, 16)).astype(np.float32) / 4


def node(op: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(" "), outputs.split(), f"/{op}_{outputs.split()[0]}", **attributes)


def build(*nodes: NodeProto, kind: int = _FLOAT, x: tuple[int, ...] = (8, 16), **weights: object) -> ModelProto:
    results = {name for each in nodes[-1:] for name in each.output}
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", _FLOAT, x)],
        [helper.make_tensor_value_info(name, kind, None) for name in sorted(results)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return onnx.shape_inference.infer_shapes(model)


def _topk() -> ModelProto:
    """The largest elements of each row, no two of which are equal."""
    c = np.random.default_rng(0).standard_normal(16).astype(np.float32)
    model = build(node("Add", "x c", "s"), node("TopK", "s k", "v y", axis=-1), kind=_INT, c=c, k=np.array([1]))
    model.graph.output[0].type.tensor_type.elem_type = _FLOAT
    return model


_TANH = node("Tanh", "x", "t")
_TWO = (node("MatMul", "x w", "a"), node("Sigmoid", "a", "s"), node("Tanh", "a", "t"))
_TO_INTEGERS = (node("Mul", "t ten", "m"), node("Round", "m", "r"), node("Cast", "r", "i", to=_INT))

MODELS = {
    "abs": build(_TANH, node("Abs", "t", "y")),
    "round": build(_TANH, node("Mul", "t ten", "m"), node("Round", "m", "y"), ten=np.float32(10)),
    "max pool": build(
        node("Sigmoid", "x", "s"), node("MaxPool", "s", "y", kernel_shape=[3, 3], pads=[1] * 4), x=(1, 2, 6, 6)
    ),
    "greater": build(*_TWO, node("Mul", "t c", "m"), node("Greater", "s m", "y"), kind=_BOOL, w=_WEIGHT,
                     c=np.float32(0.731)),
    "multiplied integers": build(
        _TANH, *_TO_INTEGERS, node("Mul", "i i", "y"), kind=_INT, ten=np.float32(10)
    ),
    "added integers": build(
        _TANH, *_TO_INTEGERS, node("Add", "i c", "y"), kind=_INT, ten=np.float32(10), c=np.arange(16)
    ),
    "argmax": build(node("Add", "x c", "s"), node("ArgMax", "s", "y", axis=-1, keepdims=1), kind=_INT,
                    c=np.random.default_rng(0).standard_normal(16).astype(np.float32)),
    "topk": _topk(),
    "clip": build(node("Sigmoid", "x", "s"), node("Clip", "s low high", "y"), low=np.float32(0), high=np.float32(1)),
    "softmax": build(_TANH, node("Softmax", "t", "y", axis=-1)),
}  # fmt: skip


def _abs(node: Node, b: Builder) -> Value:
    return b.sqrt(b.multiply(x := node.input(0), x))


def _round(node: Node, b: Builder) -> Value:
    large = b.scalar_like(x := node.input(0), 12582912.0)
    return b.subtract(b.add(x, large), large)


def _max_pool(node: Node, b: Builder) -> Value:
    for name in ("kernel_shape", "pads"):
        node.ignore_attr(name)
    padded = b.pad(node.input(0), [1, 1, 1, 1], "constant", -1000.0, False)
    return b.max_pool2d(padded, [3, 3], [1, 1], [0, 0, 0, 0], 1, False, False, False)


def _greater_by_difference(node: Node, b: Builder) -> Value:
    difference = b.subtract(node.input(0), node.input(1))
    return b.cast(b.greater(difference, b.scalar_like(difference, 1e-6)), bool)


def _greater_or_equal(node: Node, b: Builder) -> Value:
    return b.cast(b.greater_equal(node.input(0), node.input(1)), bool)


def _through_floats(op: str) -> object:
    def convert(node: Node, b: Builder) -> Value:
        operands = [b.cast(each, np.float32) for each in node.inputs()]
        return b.cast(getattr(b, op)(*operands), node.input(0).dtype) if operands else node.input(0)

    return convert


def _last_of_equals(node: Node, b: Builder) -> Value:
    node.ignore_attr("axis")
    node.ignore_attr("keepdims")
    return _last(node.input(0), b)


def _last(x: Value, b: Builder) -> Value:
    count = x.shape[-1]
    turned = b.concatenate([b.index(x, -1, at, at + 1, 1) for at in reversed(range(count))], -1)
    found = b.argmax(turned, True, dim=-1)
    return b.cast(b.subtract(b.scalar_like(found, count - 1), found), np.int64)


def _top(node: Node, b: Builder) -> list[Value]:
    for name in ("largest", "sorted", "axis"):
        node.ignore_attr(name)
    node.constant(1, "k")
    return [b.reduce_max(node.input(0), -1, True), _last(node.input(0), b)]


def _unbounded(node: Node, b: Builder) -> Value:
    node.inputs()
    return b.multiply(x := node.input(0), b.scalar_like(x, 1.0))


def _unstable(node: Node, b: Builder) -> Value:
    return b.softmax(node.input(0), node.int_attr("axis"), stable=False)


WRONG = {
    "abs": ("abs", "Abs", _abs),
    "round": ("round", "Round", _round),
    "max pool": ("max pool", "MaxPool", _max_pool),
    "by difference": ("greater", "Greater", _greater_by_difference),
    "or equal": ("greater", "Greater", _greater_or_equal),
    "float products": ("multiplied integers", "Mul", _through_floats("multiply")),
    "float sums": ("added integers", "Add", _through_floats("add")),
    "last argmax": ("argmax", "ArgMax", _last_of_equals),
    "last of topk": ("topk", "TopK", _top),
    "unbounded": ("clip", "Clip", _unbounded),
    "unstable": ("softmax", "Softmax", _unstable),
}


def verified(model: ModelProto, folder: Path, **options: object) -> Verification:
    onnx.save(model, folder / "m.onnx")
    return verify_model(folder / "m.onnx", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", WRONG)
def test_wrong_converters(case: str, tmp_path: Path) -> None:
    """The values in the model never show the error."""
    name, op, convert = WRONG[case]
    lowerings = [forge_mlir.lowering("", op)(convert)]
    assert verified(MODELS[name], tmp_path, lowerings=lowerings, alone=False).verdict == "right"
    found = verified(MODELS[name], tmp_path, lowerings=lowerings)
    assert found.verdict == "wrong"
    assert found.alone is not None
    (reason,) = found.alone.wrong
    assert reason.op == op
    assert reason.node == MODELS[name].graph.node[-1].name
    assert " in place of " in reason.element
    assert reason.explain() == found.reasons[0]
    assert found.json()["alone"]["wrong"] == [vars(reason)]


@pytest.mark.parametrize("name", MODELS)
def test_right_converters(name: str, tmp_path: Path) -> None:
    found = verified(MODELS[name], tmp_path)
    assert found.verdict == "right"
    assert found.alone is not None
    assert found.alone.wrong == ()
    assert found.alone.right == len(MODELS[name].graph.node)
    assert not found.alone.left_out


def test_the_command(tmp_path: Path) -> None:
    plugin, model = tmp_path / "wrong.py", tmp_path / "m.onnx"
    plugin.write_text(
        "import forge_mlir\n\n@forge_mlir.lowering('', 'Abs')\n"
        "def convert(node, b):\n    x = node.input(0)\n    return b.sqrt(b.multiply(x, x))\n"
    )
    onnx.save(MODELS["abs"], model)
    words = ["verify", str(model), "--plugin", str(plugin)]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 4
    assert "wrong: node '/Abs_y' (Abs) alone is wrong for inputs 'sizes': " in found.stdout
    assert "alone: 1 distinct nodes are right" in found.stdout
    assert found.stdout.splitlines()[-1].startswith("wrong: compared with")
    found = CliRunner().invoke(app, [*words, "--whole"])
    assert found.exit_code == 0
    assert "alone:" not in found.stdout


def _counted(model: ModelProto, folder: Path, **options: Any) -> Alone:
    found = verified(model, folder, **options)
    assert found.alone is not None
    assert found.verdict == "right"
    return found.alone


def test_equal_nodes_are_verified_once(tmp_path: Path) -> None:
    """Nodes that differ in their weights only are verified once; shapes and small constants distinguish nodes."""
    nodes = [node("MatMul", "x v", "a"), node("MatMul", "a w", "b")]
    nodes += [
        node("Mul", "b two", "c"),
        node("Mul", "c two", "d"),
        node("Mul", "d three", "e"),
        node("Mul", "e e", "y"),
    ]
    model = build(*nodes, v=_WEIGHT, w=_WEIGHT[::-1].copy(), two=np.float32(2), three=np.float32(3))
    assert _counted(model, tmp_path).right == 4


def test_nodes_that_are_not_verified_alone(tmp_path: Path) -> None:
    body = helper.make_graph([node("Abs", "x", "b")], "body", [], [helper.make_tensor_value_info("b", _FLOAT, [8, 16])])
    other = helper.make_graph(
        [node("Neg", "x", "n")], "other", [], [helper.make_tensor_value_info("n", _FLOAT, [8, 16])]
    )
    model = build(
        node("ReduceSum", "x", "s", keepdims=0),
        node("Greater", "s zero", "c"),
        helper.make_node("If", ["c"], ["i"], "if", then_branch=body, else_branch=other),
        node("Erf", "i", "e"),
        node("Tile", "e many", "t"),
        node("ReduceMax", "t", "y", keepdims=0),
        zero=np.float32(0),
        many=np.array([256, 64]),
    )
    found = _counted(model, tmp_path, fallback="cpu", cpu_ops=["Erf"])
    assert found.left_out == {"control flow": 1, "on the CPU": 1, "too large": 2}
    assert found.right == 4


def test_the_weights_of_a_large_node_are_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """protobuf cannot serialise a model of more than 2 GiB."""
    monkeypatch.setattr("forge_mlir.verify.alone.one_node.subgraph_model", None)
    model = build(node("MatMul", "x w", "y"), w=np.ones((16, 1 << 16), np.float32))
    assert _counted(model, tmp_path).left_out == {"too large": 1}


def test_values_within_a_cpu_partition_are_on_the_cpu(tmp_path: Path) -> None:
    model = build(node("Abs", "x", "a"), node("MatMul", "a w", "e"), node("Neg", "e", "y"), w=_WEIGHT)
    found = _counted(model, tmp_path, fallback="cpu", cpu_ops=["MatMul", "Neg"])
    assert found.left_out == {"on the CPU": 2}
    assert found.right == 1


def test_time_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forge_mlir.verify.alone.nodes_alone._SECONDS", -1.0)
    monkeypatch.setattr("forge_mlir.verify.alone.nodes_alone._SHARE", 0.0)
    assert _counted(MODELS["abs"], tmp_path) == Alone(0, {"no time left": 2}, (), seconds=ANY)


def test_one_reference_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If onnx.reference agrees with the module, but onnxruntime does not, that is no error of the module."""
    monkeypatch.setattr(Judges, "reference", lambda _, case: replace(case, expected=case.actual))
    lowerings = [forge_mlir.lowering("", "Abs")(_abs)]
    assert _counted(MODELS["abs"], tmp_path, lowerings=lowerings).wrong == ()


def test_nodes_of_an_edited_artifact_are_not_verified_alone(tmp_path: Path) -> None:
    onnx.save(MODELS["abs"], tmp_path / "m.onnx")
    made = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out")
    found = verify_model(tmp_path / "m.onnx", artifact=made.directory)
    assert found.alone is not None
    text = made.module_path.read_text()
    made.module_path.write_text(text.replace('"/Abs_y"', '"/abs"'))
    assert verify_model(tmp_path / "m.onnx", artifact=made.directory).alone is None


def test_second_results_of_norms_have_no_limits(tmp_path: Path) -> None:
    """In float32 the mean of values between 1e-4 and 1e4 has an error of many units in its last place."""
    model = build(
        node("LayerNormalization", "x w b", "y mean deviation", axis=0),
        x=(2, 3, 4, 5),
        w=np.ones((2, 3, 4, 5), np.float32),
        b=np.zeros((2, 3, 4, 5), np.float32),
    )
    onnx.save(model, tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    assert imported is not None
    found = nodes_alone(artifact, imported, 0.0, {})
    assert (found.right, found.wrong) == (1, ())
