"""onnxruntime's ops on weights of few bits, in Float32 and bfloat16: valid programs are right, and changed weights are
found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.importer import import_onnx
from forge_mlir.verify import verify_artifact, verify_model
from forge_mlir.verify.judges import Judges
from resealing import replace_module

K, N, BLOCK = 80, 48, 32


def built(op: str, x: Any, stored: dict[str, Any], inputs: list[str], **attributes: Any) -> onnx.ModelProto:
    node = helper.make_node(op, inputs, ["y"], "n", domain="com.microsoft", **attributes)
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in stored.items()]
    given = helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
    kind = helper.np_dtype_to_tensor_dtype(stored["s"].dtype)
    graph = helper.make_graph([node], "g", [given], [helper.make_tensor_value_info("y", kind, None)], tensors)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def product(bits: int = 4, zeros: str = "", bias: bool = False, groups: bool = False, kind: type = np.float32) -> Any:
    """A model with a MatMulNBits, and its operand."""
    random, count = np.random.default_rng(0), -(-K // BLOCK)
    stored: dict[str, Any] = {
        "w": random.integers(0, 256, (N, count, BLOCK * bits // 8)).astype(np.uint8),
        "s": random.uniform(0.005, 0.015, N * count).astype(kind),
    }
    if zeros == "bytes":
        stored["z"] = random.integers(0, 256, (N, -(-count * bits // 8))).astype(np.uint8)
    elif zeros:
        stored["z"] = random.uniform(6, 9, (N, count)).astype(kind)
    if groups:
        stored["g"] = random.permutation(np.arange(K) // BLOCK).astype(np.int32)
    if bias:
        stored["b"] = random.standard_normal(N).astype(kind)
    names = ["x", "w", "s", *(name if name in stored else "" for name in "zgb")]
    while not names[-1]:
        names.pop()
    x = random.standard_normal((2, 5, K)).astype(kind)
    return built("MatMulNBits", x, stored, names, K=K, N=N, bits=bits, block_size=BLOCK), x


def table(packed: int = 0, zeros: bool = False) -> Any:
    """A model with a GatherBlockQuantized on 4-bit integers, or on bytes of several integers, and its indices."""
    random, rows, columns = np.random.default_rng(0), 64, 128
    stored: dict[str, Any] = {"s": random.uniform(0.005, 0.015, (rows, columns // BLOCK)).astype(np.float32)}
    if packed:
        stored["w"] = random.integers(0, 256, (rows, columns * packed // 8)).astype(np.uint8)
        zero = random.integers(0, 256, (rows, columns // BLOCK * packed // 8)).astype(np.uint8)
    else:
        uint4 = helper.tensor_dtype_to_np_dtype(TensorProto.UINT4)
        stored["w"] = random.integers(0, 16, (rows, columns)).astype(uint4)
        zero = random.integers(0, 16, (rows, columns // BLOCK)).astype(uint4)
    if zeros:
        stored["z"] = zero
    x = random.integers(0, rows, (2, 7))
    attributes = {"bits": packed or 4, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
    return built("GatherBlockQuantized", x, stored, ["w", "x", "s", *(["z"] if zeros else [])], **attributes), x


MODELS = {
    "product": product,
    "product of 8 bits": lambda: product(bits=8, zeros="bytes"),
    "product of 2 bits": lambda: product(bits=2),
    "product with zero points": lambda: product(zeros="bytes"),
    "product with zero points of floats": lambda: product(zeros="floats"),
    "product with a bias": lambda: product(zeros="bytes", bias=True),
    "product with groups": lambda: product(groups=True),
    "product in float16": lambda: product(zeros="bytes", bias=True, kind=np.float16),
    "table": table,
    "table with zero points": lambda: table(zeros=True),
    "table in bytes": lambda: table(4),
    "table in bytes with zero points": lambda: table(4, zeros=True),
    "table in bytes of one integer": lambda: table(8),
}


@pytest.mark.parametrize("name", MODELS)
def test_evaluated_in_float64(name: str, tmp_path: Path) -> None:
    """The result in float64 is that of onnxruntime up to rounding."""
    model, x = MODELS[name]()
    onnx.save(model, tmp_path / "m.onnx")
    nodes = OnnxNodes.of(import_onnx(tmp_path / "m.onnx", keep_graph=True))
    call = nodes.prepare(nodes.nodes[0])
    theirs = call({"x": x})["y"]
    assert call.engine == "onnxruntime"
    exact = Judges(nodes)._wide(nodes.nodes[0], {**nodes.constants, "x": x})["y"]
    assert exact.dtype == np.float64
    np.testing.assert_allclose(
        theirs, exact, rtol=0, atol=np.abs(exact).max() * (1e-6 if x.dtype != np.float16 else 1e-3)
    )


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("format", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", MODELS)
def test_a_valid_program_is_right(name: str, format: str, tmp_path: Path) -> None:
    model, x = MODELS[name]()
    onnx.save(model, tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", {"x": x}, alone=False, float_format=format)
    assert (found.verdict, found.reasons, found.skipped) == ("right", (), ())


@pytest.mark.parametrize("name", ["product", "table"])
def test_a_result_that_is_too_large_is_wrong(name: str, tmp_path: Path) -> None:
    model, x = MODELS[name]()
    onnx.save(model, tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out", float_format="bfloat16")
    source = artifact.module_path.read_text()
    made = next(line for line in source.splitlines() if line.startswith("        n = "))
    changed = [
        made.replace(" n = ", " made = "),
        '        factor = forge.op.Constant("", constant=1.1, dtype=forge.DataFormat.Float32)',
        '        n = forge.op.Multiply("", made, factor).set_src_layer("n")',
    ]
    replace_module(artifact, source.replace(made, "\n".join(changed)))
    found = verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": x}, float_format="bfloat16")
    assert found.verdict == "wrong"


@pytest.mark.parametrize(("program", "most"), [(None, 1e-5), (np.dtype(ml_dtypes.bfloat16), 0.03)])
@pytest.mark.parametrize("name", MODELS)
def test_limits_are_of_the_size_of_rounding(name: str, program: Any, most: float, tmp_path: Path) -> None:
    model, x = MODELS[name]()
    onnx.save(model, tmp_path / "m.onnx")
    nodes = OnnxNodes.of(import_onnx(tmp_path / "m.onnx", keep_graph=True))
    made = nodes.prepare(nodes.nodes[0])({"x": x})
    allowed = Judges(nodes, program).allowed(nodes.nodes, "y", {"x": x, **made})
    assert allowed.max() / np.abs(made["y"].astype(np.float64)).max() < (most if x.dtype != np.float16 else 0.03)


def test_partial_sums_that_overflow_do_not_reduce_limits(tmp_path: Path) -> None:
    model, x = MODELS["product with zero points"]()
    onnx.save(model, tmp_path / "m.onnx")
    nodes = OnnxNodes.of(import_onnx(tmp_path / "m.onnx", keep_graph=True))
    values = {"x": (np.sign(x) * 3e38).astype(np.float32)}
    values |= nodes.prepare(nodes.nodes[0])(values)
    by_order, others = (Judges(nodes).allowed(nodes.nodes, "y", values, orders=orders) for orders in (True, False))
    assert (by_order >= others).all()


@pytest.mark.parametrize("zeros", ["", "bytes"])
def test_an_error_of_a_twentieth_in_bfloat16_is_beyond_the_limit(zeros: str, tmp_path: Path) -> None:
    model, x = product(zeros=zeros, kind=ml_dtypes.bfloat16)
    onnx.save(model, tmp_path / "m.onnx")
    nodes = OnnxNodes.of(import_onnx(tmp_path / "m.onnx", keep_graph=True))
    judges, values = Judges(nodes), {**nodes.constants, "x": x}
    y = np.asarray(judges._wide(nodes.nodes[0], values)["y"])
    allowed = judges.allowed(nodes.nodes, "y", {**values, "y": y.astype(ml_dtypes.bfloat16)})
    assert (0.05 * np.abs(y) > 2 * allowed).any()
