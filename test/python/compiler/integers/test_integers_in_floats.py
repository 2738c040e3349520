"""Integers stored in floats: a bfloat16 program gives exactly the results of ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

import forge_mlir

COUNT, LARGEST = 700, 50_257
_FLOAT, _INT = TensorProto.FLOAT, TensorProto.INT64


@dataclass(frozen=True)
class Case:
    """Nodes from `ids` (int64, below 50,257), `bits` (int64, 0 and 1) and `x` (floats) to outputs, which have to be
    exact except for those in `near`."""

    nodes: Sequence[NodeProto]
    outputs: dict[str, int]
    constants: dict[str, Any] = field(default_factory=dict)
    near: frozenset[str] = frozenset()

    def model(self) -> onnx.ModelProto:
        kinds = {"ids": _INT, "bits": _INT, "x": _FLOAT}
        read = {name for node in self.nodes for name in node.input}
        inputs = [helper.make_tensor_value_info(name, kind, [COUNT]) for name, kind in kinds.items() if name in read]
        outputs = [helper.make_tensor_value_info(name, kind, None) for name, kind in self.outputs.items()]
        constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in self.constants.items()]
        graph = helper.make_graph(list(self.nodes), "integers", inputs, outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _floats(*values: float) -> Any:
    return np.asarray(values, dtype=np.float32)


def _ints(*values: int) -> Any:
    return np.asarray(values, dtype=np.int64)


_node = helper.make_node
_F = _node("Cast", ["ids"], ["f"], to=_FLOAT)
_B = _node("Cast", ["bits"], ["b"], to=_FLOAT)


def _back(value: str, name: str) -> NodeProto:
    return _node("Cast", [value], [name], to=_INT)


CASES = {
    "arithmetic": Case(
        [
            _F,
            _node("Mul", ["f", "three"], ["m"]),
            _node("Add", ["m", "one"], ["a"]),
            _back("a", "y"),
            _node("Neg", ["a"], ["n"]),
            _node("Max", ["n", "low"], ["z"]),
        ],
        {"y": _INT, "z": _FLOAT},
        {"three": _floats(3), "one": _floats(1), "low": _floats(-70_001)},
    ),
    "table": Case(
        [
            _node("Mod", ["ids", "size"], ["i"]),
            _node("Gather", ["positions", "i"], ["p"]),
            _back("p", "y"),
            _node("Gather", ["wide_positions", "i"], ["q"], axis=0),
            _back("q", "z"),
        ],
        {"y": _INT, "z": _INT},
        {
            "size": _ints(2000),
            "positions": np.arange(2000, dtype=np.float32),
            "wide_positions": np.arange(80_000, dtype=np.float32).reshape(2000, 40),
        },
    ),
    "choices": Case(
        [
            _F,
            _node("Greater", ["f", "limit"], ["far"]),
            _node("Where", ["far", "f", "none"], ["w"]),
            _back("w", "y"),
            _node("Clip", ["f", "low", "high"], ["c"]),
            _node("Min", ["c", "w"], ["z"]),
        ],
        {"y": _INT, "z": _FLOAT},
        {
            "limit": _floats(20_001),
            "none": _floats(-1),
            "low": np.float32(257),
            "high": np.float32(40_001),
        },
    ),
    "one_hot": Case(
        [
            _node("Mod", ["ids", "size"], ["i"]),
            _node("OneHot", ["i", "depth", "values"], ["h"]),
            _node("MatMul", ["h", "column"], ["p"]),
            _back("p", "y"),
            _node("ReduceSum", ["h", "first"], ["n"], keepdims=0),
        ],
        {"y": _INT, "n": _FLOAT},
        {
            "size": _ints(600),
            "depth": _ints(600),
            "values": _floats(0, 1),
            "column": np.arange(600, dtype=np.float32).reshape(600, 1),
            "first": _ints(0),
        },
    ),
    "weights_of_integers": Case(
        [
            _node("Reshape", ["x", "column"], ["c"]),
            _node("Greater", ["c", "zero"], ["g"]),
            _node("Cast", ["g"], ["m"], to=_FLOAT),
            _node("Mul", ["m", "positions"], ["p"]),
            _node("ReduceMax", ["p"], ["y"], axes=[0], keepdims=0),
            _node("Mod", ["ids", "size"], ["i"]),
            _node("OneHot", ["i", "size", "values"], ["h"]),
            _node("MatMul", ["h", "table"], ["z"]),
        ],
        {"y": _FLOAT, "z": _FLOAT},
        {
            "column": _ints(COUNT, 1),
            "zero": _floats(0),
            "positions": np.arange(COUNT * 30, dtype=np.float32).reshape(COUNT, 30),
            "size": _ints(600),
            "values": _floats(0, 1),
            "table": np.arange(1200, dtype=np.float32).reshape(600, 2),
        },
    ),
    "running_counts": Case(
        [
            _B,
            _node("CumSum", ["b", "axis"], ["s"]),
            _back("s", "y"),
            _node("Mul", ["s", "b"], ["p"]),
            _node("Sub", ["p", "one"], ["z"]),
            _node("CumSum", ["ids", "axis"], ["i"]),
        ],
        {"y": _INT, "z": _FLOAT, "i": _INT},
        {"axis": np.int64(0), "one": _floats(1)},
    ),
    "counts_of_a_float_mask": Case(
        [
            _node("Greater", ["x", "zero"], ["g"]),
            _node("Cast", ["g"], ["m"], to=_FLOAT),
            _node("ReduceSum", ["m"], ["n"], keepdims=0),
            _back("n", "y"),
            _node("Round", ["x"], ["r"]),
            _node("ReduceSum", ["r"], ["t"], keepdims=0),
            _back("t", "total"),
            _node("CumSum", ["r", "axis"], ["c"]),
            _back("c", "running"),
        ],
        {"y": _INT, "total": _INT, "running": _INT},
        {"zero": _floats(0), "axis": np.int64(0)},
    ),
    "largest": Case(
        [
            _F,
            _node("TopK", ["f", "k"], ["values", "at"]),
            _back("values", "y"),
            _node("Cast", ["at"], ["a"], to=_FLOAT),
            _node("Mul", ["a", "three"], ["z"]),
            _node("ArgMax", ["f"], ["most"], axis=0, keepdims=1),
            _node("Cast", ["most"], ["m"], to=_FLOAT),
            _node("Add", ["m", "half"], ["w"]),
        ],
        {"y": _INT, "z": _FLOAT, "w": _FLOAT},
        {"k": _ints(300), "three": _floats(3), "half": _floats(0.5)},
    ),
    "reductions": Case(
        [
            _F,
            _node("ReduceMax", ["f"], ["a"], keepdims=0),
            _node("ReduceMin", ["f"], ["b"], keepdims=0),
            _node("Sub", ["a", "b"], ["spread"]),
            _node("Reshape", ["f", "rows"], ["r"]),
            _node("MaxPool", ["r"], ["p"], kernel_shape=[4], strides=[4]),
            _back("p", "y"),
            _node("ReduceMean", ["f"], ["mean"], keepdims=0),
        ],
        {"spread": _FLOAT, "y": _INT, "mean": _FLOAT},
        {"rows": _ints(1, 7, 100)},
        near=frozenset({"mean"}),
    ),
    "ranges": Case(
        [
            _node("Shape", ["x"], ["shape"]),
            _node("Squeeze", ["shape"], ["n"]),
            _node("Cast", ["n"], ["nf"], to=_FLOAT),
            _node("Range", ["start", "nf", "step"], ["r"]),
            _F,
            _node("Sub", ["f", "r"], ["d"]),
            _node("Greater", ["x", "zero"], ["g"]),
            _node("Where", ["g", "r", "nf"], ["w"]),
            _back("w", "y"),
            _node("ReduceMax", ["w"], ["most"], keepdims=0),
        ],
        {"d": _FLOAT, "y": _INT, "most": _FLOAT},
        {"start": np.float32(0), "step": np.float32(1), "zero": _floats(0)},
    ),
    "masks": Case(
        [
            _F,
            _node("Reshape", ["f", "column"], ["c"]),
            _node("Reshape", ["f", "row"], ["r"]),
            _node("Equal", ["c", "r"], ["e"]),
            _node("Cast", ["e"], ["m"], to=_FLOAT),
            _node("ReduceSum", ["m", "last"], ["n"], keepdims=0),
            _node("LessOrEqual", ["r", "c"], ["before"]),
            _node("Cast", ["before"], ["y"], to=_INT),
        ],
        {"n": _FLOAT, "y": _INT},
        {"column": _ints(COUNT, 1), "row": _ints(1, COUNT), "last": _ints(1)},
    ),
    "distances": Case(
        [
            _F,
            _node("Reshape", ["f", "column"], ["c"]),
            _node("Reshape", ["f", "row"], ["r"]),
            _node("Sub", ["c", "r"], ["d"]),
            _node("Abs", ["d"], ["a"]),
            _node("Mul", ["d", "d"], ["square"]),
            _node("Less", ["square", "near"], ["y"]),
            _node("Mod", ["a", "size"], ["m"], fmod=1),
            _back("m", "i"),
            _node("Gather", ["buckets", "i"], ["z"]),
        ],
        {"y": TensorProto.BOOL, "z": _INT},
        {
            "column": _ints(COUNT, 1),
            "row": _ints(1, COUNT),
            "near": _floats(100_000),
            "size": _floats(999),
            "buckets": np.arange(999, dtype=np.int64)[::-1].copy(),
        },
    ),
    "movement": Case(
        [
            _F,
            _node("Slice", ["f", "from", "to"], ["s"]),
            _node("Concat", ["s", "f", "end"], ["c"], axis=0),
            _node("Reshape", ["c", "rows"], ["r"]),
            _node("Transpose", ["r"], ["t"], perm=[1, 0]),
            _node("Pad", ["t", "pads", "fill"], ["p"]),
            _node("Tile", ["p", "twice"], ["w"]),
            _back("w", "y"),
            _node("Gather", ["p", "order"], ["z"], axis=0),
        ],
        {"y": _INT, "z": _FLOAT},
        {
            "from": _ints(10),
            "to": _ints(109),
            "end": _floats(50_255),
            "rows": _ints(8, 100),
            "pads": _ints(0, 1, 0, 1),
            "fill": np.float32(1001),
            "twice": _ints(1, 2),
            "order": _ints(3, 1, 2),
        },
    ),
    "angles": Case(
        [
            _F,
            _node("Mul", ["f", "frequency"], ["a"]),
            _node("Sin", ["a"], ["y"]),
            _node("Div", ["f", "size"], ["share"]),
            _node("Floor", ["share"], ["whole"]),
            _back("whole", "z"),
        ],
        {"y": _FLOAT, "z": _INT},
        {"frequency": _floats(0.37), "size": _floats(32)},
        near=frozenset({"y"}),
    ),
    "products_and_powers": Case(
        [
            _node("Mod", ["ids", "size"], ["i"]),
            _node("Cast", ["i"], ["f"], to=_FLOAT),
            _node("Pow", ["f", "two"], ["y"]),
            _node("Reshape", ["f", "pairs"], ["p"]),
            _node("ReduceProd", ["p"], ["z"], axes=[1], keepdims=0),
            _node("Sqrt", ["y"], ["root"]),
            _back("root", "w"),
        ],
        {"y": _FLOAT, "z": _FLOAT, "w": _INT},
        {"size": _ints(2000), "two": _floats(2), "pairs": _ints(350, 2)},
    ),
}


def _inputs() -> dict[str, Any]:
    random = np.random.default_rng(0)
    ids = random.integers(0, LARGEST, COUNT)
    ids[:5] = [257, LARGEST - 1, 513, 1001, 255]
    bits = (random.random(COUNT) < 0.9).astype(np.int64)
    return {"ids": ids, "bits": bits, "x": (3 * random.standard_normal(COUNT) + 2).astype(np.float32)}


@pytest.mark.parametrize("name", CASES)
def test_integers_are_not_damaged(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    model = case.model()
    inputs = {each.name: _inputs()[each.name] for each in model.graph.input}
    expected = dict(
        zip(case.outputs, onnxruntime.InferenceSession(model.SerializeToString()).run(None, inputs), strict=True)
    )
    found = forge_mlir.run(forge_mlir.compile(model, tmp_path / "a", float_format="bfloat16"), inputs)
    for output, value in expected.items():
        if output in case.near:
            np.testing.assert_allclose(found[output], value, rtol=2**-8, atol=2**-8)
        else:
            np.testing.assert_array_equal(found[output], value, err_msg=output)


def _count(kind: int) -> onnx.ModelProto:
    """The number of ones in a mask of 300 elements, used as the divisor of a mean of a product."""
    nodes = [
        helper.make_node("Cast", ["mask"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["ones", "w"], ["chosen"]),
        helper.make_node("ReduceSum", ["ones"], ["count"], keepdims=1),
        helper.make_node("Add", ["count", "shift"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "count",
        [helper.make_tensor_value_info("mask", kind, [300])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("chosen", "y")],
        [
            numpy_helper.from_array(np.full((300, 8), 0.5, np.float32), "w"),
            numpy_helper.from_array(np.zeros(8, np.float32), "shift"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def test_a_sum_of_an_input_of_floats_is_a_sum_of_floats(tmp_path: Path) -> None:
    """A float mask may have other values than 0 and 1, so that its sum is rounded like any other. The sum of booleans
    is a count and exact."""
    mask = np.arange(300) > 0
    for kind, dtype, keeps, expected in (
        (TensorProto.BOOL, bool, (), 299),
        (TensorProto.FLOAT, np.float32, (), 300),
        (TensorProto.FLOAT, np.float32, ("ReduceSum", "Add"), 299),
    ):
        artifact = forge_mlir.compile(
            _count(kind), tmp_path / f"{dtype}{keeps}", name="count", float_format="bfloat16", keep_float32=keeps
        )
        assert forge_mlir.run(artifact, {"mask": mask.astype(dtype)})["y"][0] == expected
