"""Sequences of nodes that exporters write for one function become the Forge call of that function, with equal
results."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.execute.run import run
from forge_mlir.verify import compare, golden_outputs

SHAPE = (2, 6, 16)


class Graph:
    """Nodes from "x" to the last one; weights and scalars are initializers."""

    def __init__(self, opset: int = 17) -> None:
        self.opset = opset
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []

    def node(self, op: str, *inputs: str | float, **attributes: object) -> str:
        names = [name if isinstance(name, str) else self.weight(np.float32(name)) for name in inputs]
        output = f"/{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, names, [output], name=output, **attributes))
        return output

    def weight(self, value: object) -> str:
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def mean(self, x: str, axis: int = -1) -> str:
        if self.opset >= 18:  # The axes are an input since opset 18.
            return self.node("ReduceMean", x, self.weight(np.array([axis], np.int64)), keepdims=1)
        return self.node("ReduceMean", x, axes=[axis], keepdims=1)

    def model(self, output: str) -> ModelProto:
        infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in ("x", output)]
        graph = helper.make_graph(self.nodes, "g", infos[:1], infos[1:], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)


def check(graph: Graph, output: str, folder: Path) -> str:
    """Compiles and runs the graph, compares it with onnxruntime within a few roundings, and returns the emitted
    text."""
    model = graph.model(output)
    artifact = compile(model, folder)
    generator = np.random.default_rng(0)
    inputs = {"x": (3 * generator.standard_normal(SHAPE)).astype(np.float32)}
    golden = golden_outputs(model.SerializeToString(), inputs)
    row = compare(output, run(artifact, inputs)[output], golden[output])
    assert row.passed
    assert row.relative < 2e-6
    return artifact.module_path.read_text()


def calls(text: str) -> list[str]:
    """The Forge calls in order, without constants."""
    return [call for call in re.findall(r"forge\.op\.(\w+)\(", text) if call != "Constant"]


Spelling = Callable[[Graph], str]


def erf_torchscript(g: Graph) -> str:
    tail = g.node("Add", g.node("Erf", g.node("Div", "x", np.sqrt(2))), 1)
    return g.node("Mul", g.node("Mul", "x", tail), 0.5)


def erf_dynamo(g: Graph) -> str:
    tail = g.node("Add", g.node("Erf", g.node("Mul", "x", np.sqrt(0.5))), 1)
    return g.node("Mul", g.node("Mul", 0.5, "x"), tail)


def erf_cdf(g: Graph) -> str:
    tail = g.node("Add", 1, g.node("Erf", g.node("Mul", np.sqrt(0.5), "x")))
    return g.node("Mul", g.node("Mul", 0.5, tail), "x")


def erf_halved(g: Graph) -> str:
    tail = g.node("Add", g.node("Erf", g.node("Div", "x", np.sqrt(2))), 1)
    return g.node("Div", g.node("Mul", tail, "x"), 2)


def erf_of_product(g: Graph) -> str:
    x = g.node("Mul", "x", 0.25)
    tail = g.node("Add", g.node("Erf", g.node("Div", x, np.sqrt(2))), 1)
    return g.node("Mul", g.node("Mul", x, tail), 0.5)


def tanh_form(g: Graph, cube: str) -> str:
    inner = g.node("Mul", g.node("Add", "x", g.node("Mul", 0.044715, cube)), np.sqrt(2 / np.pi))
    return g.node("Mul", g.node("Mul", 0.5, "x"), g.node("Add", 1, g.node("Tanh", inner)))


def tanh_pow(g: Graph) -> str:
    return tanh_form(g, g.node("Pow", "x", 3))


def tanh_products(g: Graph) -> str:
    return tanh_form(g, g.node("Mul", g.node("Mul", "x", "x"), "x"))


def tanh_fast(g: Graph) -> str:
    square = g.node("Mul", g.node("Mul", 0.044715, "x"), "x")
    inner = g.node("Mul", g.node("Mul", "x", np.sqrt(2 / np.pi)), g.node("Add", 1, square))
    return g.node("Mul", g.node("Mul", 0.5, "x"), g.node("Add", 1, g.node("Tanh", inner)))


@pytest.mark.parametrize("opset", [13, 17, 18])
@pytest.mark.parametrize(
    "spell", [erf_torchscript, erf_dynamo, erf_cdf, erf_halved, erf_of_product, tanh_pow, tanh_products, tanh_fast]
)
def test_gelu(spell: Spelling, opset: int, tmp_path: Path) -> None:
    graph = Graph(opset)
    text = check(graph, spell(graph), tmp_path)
    assert calls(text) == (["Multiply", "Gelu"] if spell is erf_of_product else ["Gelu"])
    form = "tanh" if spell.__name__.startswith("tanh") else "none"
    assert f'approximate="{form}"' in text


SQUARES: dict[str, Callable[[Graph, str], str]] = {
    "pow": lambda g, x: g.node("Pow", x, 2),
    "mul": lambda g, x: g.node("Mul", x, x),
}
ROOTS: dict[str, Callable[[Graph, str, str], str]] = {
    "div": lambda g, x, v: g.node("Div", x, g.node("Sqrt", v)),
    "reciprocal": lambda g, x, v: g.node("Mul", x, g.node("Reciprocal", g.node("Sqrt", v))),
    "one over": lambda g, x, v: g.node("Mul", g.node("Div", 1, g.node("Sqrt", v)), x),
    "pow": lambda g, x, v: g.node("Mul", x, g.node("Pow", v, -0.5)),
}


def scale(size: int = SHAPE[-1]) -> np.ndarray:
    return np.linspace(0.5, 1.5, size, dtype=np.float32)


@pytest.mark.parametrize("opset", [13, 18])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("square", SQUARES)
@pytest.mark.parametrize("root", ROOTS)
def test_layer_norm(square: str, root: str, bias: bool, opset: int, tmp_path: Path) -> None:
    g = Graph(opset)
    centred = g.node("Sub", "x", g.mean("x"))
    variance = g.node("Add", g.mean(SQUARES[square](g, centred)), 1e-5)
    output = g.node("Mul", ROOTS[root](g, centred, variance), g.weight(scale()))
    if bias:
        output = g.node("Add", output, g.weight(scale() - 1))
    text = check(g, output, tmp_path)
    steps = ["ReduceAvg", "Subtract", "Multiply", "Matmul", "Sqrt", "Divide", "Multiply"]
    assert calls(text) == ([*steps, "Add"] if bias else steps)
    assert "constant=1e-05" in text


@pytest.mark.parametrize("root", ROOTS)
def test_rms_norm_is_a_division_by_a_root(root: str, tmp_path: Path) -> None:
    g = Graph()
    mean = g.node("Add", g.mean(SQUARES["pow"](g, "x")), 1e-6)
    text = check(g, g.node("Mul", ROOTS[root](g, "x", mean), g.weight(scale())), tmp_path)
    assert calls(text) == ["Multiply", "Matmul", "Sqrt", "Divide", "Multiply"]


def test_silu(tmp_path: Path) -> None:
    g = Graph()
    output = g.node("Div", "x", g.node("Add", 1, g.node("Exp", g.node("Neg", "x"))))
    assert calls(check(g, output, tmp_path / "spelled")) == ["Sigmoid", "Multiply"]
    g = Graph()
    output = g.node("Mul", "x", g.node("Sigmoid", "x"))
    assert calls(check(g, output, tmp_path / "exported")) == ["Sigmoid", "Multiply"]


def test_hard_swish(tmp_path: Path) -> None:
    g = Graph()
    assert calls(check(g, g.node("HardSwish", "x"), tmp_path / "op")) == ["Divide", "Add", "Clip", "Multiply"]
    g = Graph()
    gate = g.node("HardSigmoid", "x", alpha=1 / 6, beta=0.5)
    text = check(g, g.node("Mul", "x", gate), tmp_path / "sigmoid")
    assert calls(text) == ["Multiply", "Add", "Clip", "Multiply"]
    g = Graph()
    bounded = g.node("Clip", g.node("Add", "x", 3), 0, 6)
    text = check(g, g.node("Div", g.node("Mul", "x", bounded), 6), tmp_path / "clip")
    assert calls(text) == ["Add", "Clip", "Multiply", "Divide"]


def epsilon_outside(g: Graph) -> str:
    centred = g.node("Sub", "x", g.mean("x"))
    root = g.node("Add", g.node("Sqrt", g.mean(g.node("Mul", centred, centred))), 0.5)
    return g.node("Mul", g.node("Div", centred, root), g.weight(scale()))


def other_axis(g: Graph) -> str:
    centred = g.node("Sub", "x", g.mean("x", 1))
    variance = g.node("Add", g.mean(g.node("Mul", centred, centred), 1), 1e-5)
    return g.node("Mul", g.node("Div", centred, g.node("Sqrt", variance)), g.weight(scale()))


def unbiased(g: Graph) -> str:
    centred = g.node("Sub", "x", g.mean("x"))
    variance = g.node("Mul", g.mean(g.node("Mul", centred, centred)), 16 / 15)
    return g.node("Mul", g.node("Div", centred, g.node("Sqrt", g.node("Add", variance, 1e-5))), g.weight(scale()))


def scale_per_row(g: Graph) -> str:
    centred = g.node("Sub", "x", g.mean("x"))
    variance = g.node("Add", g.mean(g.node("Mul", centred, centred)), 1e-5)
    return g.node("Mul", g.node("Div", centred, g.node("Sqrt", variance)), g.weight(scale(6).reshape(6, 1)))


def quick_gelu(g: Graph) -> str:
    return g.node("Mul", "x", g.node("Sigmoid", g.node("Mul", "x", 1.702)))


def coarse_erf(g: Graph) -> str:
    tail = g.node("Add", g.node("Erf", g.node("Div", "x", 1.414)), 1)
    return g.node("Mul", g.node("Mul", "x", tail), 0.5)


@pytest.mark.parametrize("spell", [epsilon_outside, other_axis, unbiased, scale_per_row, quick_gelu, coarse_erf])
def test_similar_functions_are_not_fused(spell: Spelling, tmp_path: Path) -> None:
    g = Graph()
    assert not {"Gelu", "Layernorm"} & set(calls(check(g, spell(g), tmp_path)))
