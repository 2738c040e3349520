"""Scales, biases and signs that are folded into weights: the results are those of onnxruntime, and the calls are
removed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.verify import verify_model
from sample_models.node_models import assert_right

RNG = np.random.default_rng(23)
Weights = dict[str, npt.NDArray[np.float32]]


def calls(
    nodes: list[NodeProto],
    weights: dict[str, npt.ArrayLike],
    output: tuple[int, ...],
    folder: Path,
    fast_math: Sequence[str] = (),
) -> list[str]:
    """The Forge calls of the compiled nodes in order. Asserts that `verify` finds the results of onnxruntime."""
    shapes = {"x": (1, 6, 16), "y": output}
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / "m.onnx")
    report = verify_model(folder / "m.onnx", profiles=("normal",), fast_math=fast_math)
    assert report.passed
    text = forge_mlir.compile(model, folder / "out", name="m", flat=True, fast_math=fast_math).module_path.read_text()
    return [call for call in re.findall(r"forge\.op\.(\w+)\(", text) if call != "Constant"]


def random(*shape: int) -> npt.NDArray[np.float32]:
    return RNG.standard_normal(shape).astype(np.float32)


def half(*shape: int) -> npt.NDArray[np.float32]:
    """A splat: such weights are not stored."""
    return np.full(shape, 0.5, np.float32)


NORM = ["ReduceAvg", "Subtract", "Multiply", "Matmul", "Sqrt", "Divide"]


@pytest.mark.parametrize("made", [random, half])
def test_a_norm_before_products(made, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    nodes = [
        helper.make_node("LayerNormalization", ["x", "g", "b"], ["n"], "norm"),
        helper.make_node("MatMul", ["n", "u"], ["p"], "first"),
        helper.make_node("MatMul", ["n", "v"], ["q"], "second"),
        helper.make_node("Add", ["q", "c"], ["r"], "bias"),
        helper.make_node("Mul", ["p", "r"], ["y"], "gate"),
    ]
    weights = {"g": random(16), "b": random(16), "u": made(16, 8), "v": 2 * made(16, 8), "c": made(8)}
    assert calls(nodes, weights, (1, 6, 8), tmp_path) == [*NORM, "Matmul", "Matmul", "Multiply"]


def test_a_norm_that_a_residual_addition_uses(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("LayerNormalization", ["x", "g", "b"], ["n"], "norm"),
        helper.make_node("MatMul", ["n", "u"], ["p"], "up"),
        helper.make_node("Relu", ["p"], ["r"], "relu"),
        helper.make_node("MatMul", ["r", "v"], ["q"], "down"),
        helper.make_node("Add", ["q", "c"], ["d"], "bias"),
        helper.make_node("Add", ["n", "d"], ["y"], "residual"),
    ]
    weights = {"g": random(16), "b": random(16), "u": random(16, 8), "v": random(8, 16), "c": random(16)}
    # The scale stays, because the residual addition needs it. The bias of the norm is folded into those of both
    # products.
    expected = [*NORM, "Multiply", "Matmul", "Relu", "Matmul", "Add"]
    assert calls(nodes, weights, (1, 6, 16), tmp_path) == expected


def rotary(x: str, prefix: str, table: str = "sin") -> list[NodeProto]:
    """The nodes from `x` [1, 6, 16] to heads [1, 2, 6, 8] with a rotary embedding; the result is `prefix`_e."""

    def node(op: str, inputs: list[str], output: str, **attributes: object) -> NodeProto:
        return helper.make_node(op, inputs, [f"{prefix}_{output}"], f"{prefix}/{output}", **attributes)

    h, a, b, n, c, left, right = (f"{prefix}_{name}" for name in ("h", "a", "b", "n", "c", "l", "r"))
    return [
        node("Reshape", [x, "heads"], "s"),
        node("Transpose", [f"{prefix}_s"], "h", perm=[0, 2, 1, 3]),
        node("Slice", [h, "zero", "four", "last"], "a"),
        node("Slice", [h, "four", "eight", "last"], "b"),
        node("Neg", [b], "n"),
        node("Concat", [n, a], "c", axis=-1),
        node("Mul", [h, "cos"], "l"),
        node("Mul", [c, table], "r"),
        node("Add", [left, right], "e"),
    ]


def test_the_scale_of_an_attention_and_the_signs_of_its_embedding(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("MatMul", ["x", "wq"], ["q"], "q_proj"),
        helper.make_node("MatMul", ["x", "wk"], ["k"], "k_proj"),
        *rotary("q", "q"),
        *rotary("k", "k"),
        helper.make_node("Transpose", ["k_e"], ["t"], "turn", perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["q_e", "t"], ["p"], "scores"),
        helper.make_node("Mul", ["p", "scale"], ["y"], "scale"),
    ]
    integers = {"heads": [1, 6, 2, 8], "zero": [0], "four": [4], "eight": [8], "last": [-1]}
    weights: dict[str, npt.ArrayLike] = {name: np.array(value, np.int64) for name, value in integers.items()}
    weights |= {"wq": random(16, 16), "wk": random(16, 16), "cos": random(6, 8), "sin": random(6, 8)}
    weights["scale"] = np.float32(0.25)
    embedding = ["Multiply", "Multiply", "Matmul"]
    found = calls(nodes, weights, (1, 2, 6, 6), tmp_path, ["zero-products"])
    heads = ["Matmul", "Reshape", "Transpose", "Index", "Index"]
    assert sorted(found) == sorted([*heads, *embedding, "Transpose", "Matmul"])


def test_an_embedding_of_infinities(tmp_path: Path) -> None:
    """An infinity only affects the columns that use it. A product with a permutation matrix would make the whole row
    NaN."""
    nodes = [*rotary("x", "x"), helper.make_node("Identity", ["x_e"], ["y"], "end")]
    integers = {"heads": [1, 6, 2, 8], "zero": [0], "four": [4], "eight": [8], "last": [-1]}
    weights: dict[str, npt.ArrayLike] = {name: np.array(value, np.int64) for name, value in integers.items()}
    x = random(1, 6, 16)
    x[0, 3, 5] = np.inf
    assert_right(nodes, {"x": x}, weights | {"cos": random(6, 8), "sin": random(6, 8)}, tmp_path)


def test_tables_are_computed_when_they_are_written(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Cos", ["angles"], ["c"], "cos"),
        helper.make_node("Sin", ["angles"], ["s"], "sin"),
        helper.make_node("Mul", ["c", "one"], ["d"], "scaled"),
        helper.make_node("Mul", ["x", "d"], ["m"], "turn"),
        helper.make_node("Add", ["m", "s"], ["y"], "shift"),
    ]
    weights = {"angles": 20 * random(6, 16), "one": np.float32(1)}
    assert calls(nodes, weights, (1, 6, 16), tmp_path) == ["Multiply", "Add"]


def test_heads_of_grouped_queries(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Reshape", ["x", "heads"], ["h"], "heads"),
        helper.make_node("Unsqueeze", ["h", "axis"], ["u"], "apart"),
        helper.make_node("Expand", ["u", "repeated"], ["e"], "repeat"),
        helper.make_node("Reshape", ["e", "joined"], ["y"], "join"),
    ]
    shapes = {"heads": [1, 2, 6, 8], "axis": [2], "repeated": [1, 2, 3, 6, 8], "joined": [1, 6, 6, 8]}
    weights = {name: np.array(value, np.int64) for name, value in shapes.items()}
    assert calls(nodes, weights, (1, 6, 6, 8), tmp_path) == ["Reshape", "RepeatInterleave"]


@pytest.mark.parametrize(("before", "count"), [(0, 11), (1, 12)])
def test_a_step_of_a_gru(before: int, count: int, tmp_path: Path) -> None:
    def program(steps: int) -> int:
        made = {"w": random(1, 24, 16), "r": random(1, 24, 8), "b": random(1, 48)}
        made["at"] = np.array([0], np.int64)  # type: ignore[assignment]
        made["to"] = np.array([steps], np.int64)  # type: ignore[assignment]
        nodes = [
            helper.make_node("Transpose", ["x"], ["t"], "times", perm=[1, 0, 2]),
            helper.make_node("Slice", ["t", "at", "to", "at"], ["s"], "some"),
            helper.make_node("GRU", ["s", "w", "r", "b"], ["", "h"], "gru", hidden_size=8, linear_before_reset=before),
            helper.make_node("Relu", ["h"], ["y"], "relu"),
        ]
        return len(calls(nodes, made, (1, 1, 8), tmp_path / str(steps)))

    assert program(6) - program(5) == count


def test_rows_of_heads_before_a_projection(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Reshape", ["x", "heads"], ["h"], "split"),
        helper.make_node("Transpose", ["h"], ["t"], "turn", perm=[0, 2, 1, 3]),
        helper.make_node("Softmax", ["t"], ["s"], "softmax"),
        helper.make_node("Transpose", ["s"], ["u"], "back", perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["u", "rows"], ["r"], "flat"),
        helper.make_node("Gemm", ["r", "w", "b"], ["g"], "projection"),
        helper.make_node("Reshape", ["g", "whole"], ["y"], "whole"),
    ]
    shapes = {"heads": np.array([1, 6, 2, 8]), "rows": np.array([6, 16]), "whole": np.array([1, 6, 8])}
    weights = {"w": random(16, 8), "b": random(8), **shapes}
    # "r" is compared with the operand of the call whose result has its shape.
    found = calls(nodes, weights, (1, 6, 8), tmp_path)
    # The heads become columns by rows: the last transpose is fused into the product.
    assert found == ["Reshape", "Transpose", "Softmax", "Transpose", "Reshape", "Transpose", "Matmul"]


@pytest.mark.parametrize("has_axis", [False, True])
def test_queries_keys_and_values_head_by_head(has_axis: bool, tmp_path: Path) -> None:
    """Columns in the order [H, 3 * D], as in GPT-NeoX, or [H, 3, D], as in BLOOM."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], "projection"),
        helper.make_node("Add", ["p", "b"], ["a"], "bias"),
        helper.make_node("Reshape", ["a", "heads"], ["h"], "split"),
    ]
    for at, part in enumerate("qkv"):
        if has_axis:
            nodes += [
                helper.make_node("Gather", ["h", f"at{at}"], [f"{part}0"], f"take_{part}", axis=3),
                helper.make_node("Transpose", [f"{part}0"], [part], f"turn_{part}", perm=[0, 2, 1, 3]),
            ]
        else:
            nodes += [
                helper.make_node("Slice", ["h", f"from{at}", f"from{at + 1}", "last"], [f"{part}0"], f"take_{part}"),
                helper.make_node("Transpose", [f"{part}0"], [part], f"turn_{part}", perm=[0, 2, 1, 3]),
            ]
    nodes += [
        helper.make_node("Transpose", ["k"], ["kt"], "turn_keys", perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["q", "kt"], ["s"], "scores"),
        helper.make_node("Mul", ["s", "scale"], ["c"], "scale"),
        helper.make_node("Softmax", ["c"], ["m"], "softmax", axis=-1),
        helper.make_node("MatMul", ["m", "v"], ["y"], "values"),
    ]
    weights: dict[str, npt.ArrayLike] = {
        "w": random(16, 48),
        "b": random(48),
        "heads": np.array([1, 6, 2, 3, 8] if has_axis else [1, 6, 2, 24]),
        "scale": np.float32(0.35),
        "last": np.array([3]),
        **{f"at{at}": np.array(at) for at in range(3)},
        **{f"from{at}": np.array([8 * at]) for at in range(4)},
    }
    found = calls(nodes, weights, (1, 2, 6, 8), tmp_path)
    assert "Multiply" not in found
    # One transpose makes rows of the columns. The transposes of queries and values are fused into the products.
    assert sorted(found[:-3]) == ["Index", "Index", "Index", "Matmul", "Reshape", "Transpose", "Transpose", "Transpose"]
    assert found[-3:] == ["Matmul", "Softmax", "Matmul"]
