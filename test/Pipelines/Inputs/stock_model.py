"""A model as torch-mlir's importer writes it: `make DIR` writes text and bytecode, `check DIR...` runs modules."""

import sys
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parents[2]))

import forge_mlir
from stock_ir.importing import BYTECODE, TEXT, serialised, stock_module

MASK = np.arange(256).reshape(16, 16) % 3 == 0
WEIGHT = np.linspace(-1, 1, 1024, dtype=np.float32).reshape(64, 16)
X = np.linspace(-2, 2, 2 * 16 * 4, dtype=np.float32).reshape(2, 16, 4)


def model() -> ModelProto:
    """Weights and shapes as raw data, and a mask as typed data, which becomes hexadecimal text; nodes without names."""
    nodes = [
        helper.make_node("Reshape", ["x", "shape"], ["flat"]),
        helper.make_node("MatMul", ["flat", "w"], ["product"]),
        helper.make_node("Where", ["mask", "product", "zero"], ["masked"]),
        helper.make_node("Gelu", ["masked"], ["y"], domain="com.microsoft"),
    ]
    initializers = [
        numpy_helper.from_array(np.array([2, 64]), "shape"),
        numpy_helper.from_array(WEIGHT, "w"),
        helper.make_tensor("mask", TensorProto.BOOL, [16, 2, 16], np.repeat(MASK[:, None], 2, 1).ravel().tolist()),
        numpy_helper.from_array(np.zeros(1, np.float32), "zero"),
    ]
    graph = helper.make_graph(
        nodes,
        "stock",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (16, 2, 16))],
        initializers,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets)


def expected() -> np.ndarray:
    from math import erf

    product = X.reshape(2, 64) @ WEIGHT
    masked = np.where(MASK[:, None], product, 0).astype(np.float64)
    return masked * 0.5 * (1 + np.vectorize(erf)(masked / np.sqrt(2)))


def make(directory: Path) -> None:
    module = stock_module(model())
    for form, name in ((TEXT, "model.mlir"), (BYTECODE, "model.mlirbc")):
        (directory / name).write_bytes(serialised(module, form))


def check(directory: Path) -> None:
    artifact = forge_mlir.Artifact.open(directory)
    (name,) = (entry["onnx_name"] for entry in artifact.manifest()["inputs"])
    (result,) = forge_mlir.run(artifact, {name: X}).values()
    np.testing.assert_allclose(result, expected(), rtol=1e-4, atol=1e-5)
    print("same results")


if __name__ == "__main__":
    for argument in sys.argv[2:]:
        {"make": make, "check": check}[sys.argv[1]](Path(argument))
