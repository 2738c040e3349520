"""Models of a few nodes, compiled, run and compared with onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.execute.run import run
from forge_mlir.verify import golden_outputs
from sample_models.goldens import assert_same

RNG = np.random.default_rng(28)
Arrays = dict[str, npt.NDArray[np.float32]]


def random(*shape: int) -> npt.NDArray[np.float32]:
    return RNG.standard_normal(shape).astype(np.float32)


def node(op: str, inputs: str, output: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), [output], f"node_{output}", **attributes)


def model(nodes: list[NodeProto], inputs: Arrays, weights: dict[str, npt.ArrayLike]) -> ModelProto:
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape) for name, value in inputs.items()]
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", infos, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def assert_right(
    nodes: list[NodeProto],
    inputs: Arrays,
    weights: dict[str, npt.ArrayLike],
    folder: Path,
    limit: float = 1e-5,
    fast_math: Sequence[str] = (),
) -> str:
    """Returns the emitted module. Its result y must be equal to onnxruntime's within `limit`, relative to an element
    and to its row; infinities and NaN must be the same."""
    source = model(nodes, inputs, weights)
    artifact = compile(source, folder, fast_math=fast_math)
    expected = golden_outputs(source.SerializeToString(), inputs)["y"]
    assert_same(run(artifact, inputs)["y"], expected, limit)
    return artifact.module_path.read_text()
