"""Models on which the incumbent ONNX front end is silently wrong (rows W1 to W38) or crashes (rows C01 to C36).

Most of them are in test/data/incumbent_gaps.yaml; the ones about recurrent ops differ in a few words only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser, shape_inference

from yaml_file import read_yaml

DATA = Path(__file__).parents[2] / "data" / "incumbent_gaps.yaml"
BOTH, ORT, REFERENCE = "both", "onnxruntime", "onnx.reference"
OPSET = 18
DOMAINS = {"my.domain": 1, "com.microsoft": 1}


@dataclass(frozen=True)
class Gap:
    """`name` is the row's id, and a word for the variant when there are several; `graph` is in onnx's text format.

    `inputs` replace random ones. Both oracles must agree with us, and so with each other, unless one is chosen; then
    `why` says what is wrong with the other. They run the graph `like` where they cannot run ours. What the device
    cannot run says why in `refused`, a pattern. `edit` is in `EDITS`; `stem` is the module's name.
    """

    name: str
    graph: str
    opset: int = OPSET
    like: str = ""
    inputs: dict[str, Any] = field(default_factory=dict)
    oracle: str = BOTH
    why: str = ""
    refused: str = ""
    edit: str = ""
    stem: str = "model"

    @property
    def row(self) -> str:
        return self.name.partition("-")[0]

    def model(self) -> ModelProto:
        return _parse(self.graph, self.opset, EDITS[self.edit])

    def golden_model(self) -> ModelProto:
        return _parse(self.like, OPSET, EDITS[""]) if self.like else self.model()

    def values(self, model: ModelProto) -> dict[str, np.ndarray]:
        """Seeded inputs: normal floats, integers and booleans 0 or 1."""
        generator = np.random.default_rng(7)
        values = {}
        for info in model.graph.input:
            tensor = info.type.tensor_type
            dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
            shape = [dim.dim_value for dim in tensor.shape.dim]
            if info.name in self.inputs:
                values[info.name] = np.array(self.inputs[info.name], dtype).reshape(shape)
            elif dtype.kind in "biu":
                values[info.name] = generator.integers(0, 2, shape).astype(dtype)
            else:
                values[info.name] = np.asarray(generator.standard_normal(shape)).astype(dtype)
        return values


def all_gaps() -> list[Gap]:
    rows = read_yaml(DATA)
    return [*(Gap(name, **row) for name, row in rows.items()), *_recurrent_gaps()]


def _parse(graph: str, opset: int, edit: Callable[[ModelProto], object]) -> ModelProto:
    imports = ", ".join(f'"{domain}" : {version}' for domain, version in {"": opset, **DOMAINS}.items())
    model: ModelProto = parser.parse_model(f"<ir_version: 10, opset_import: [{imports}]> g {graph}")
    edit(model)
    inferred: ModelProto = shape_inference.infer_shapes(model)
    return inferred


# What the text format cannot say.


def _sparse(name: str) -> Any:
    values = numpy_helper.from_array(np.array([1.5, -2.0], np.float32), name)
    return helper.make_sparse_tensor(values, numpy_helper.from_array(np.array([1, 5])), [2, 3])


def _add_graphs(model: ModelProto) -> None:
    graph = helper.make_graph([], "inner", [], [])
    model.graph.node[0].attribute.append(helper.make_attribute("branches", [graph, graph]))


EDITS: dict[str, Callable[[ModelProto], object]] = {
    "": lambda _: None,
    "sparse_constant": lambda model: model.graph.node.insert(
        0, helper.make_node("Constant", [], ["c"], sparse_value=_sparse(""))
    ),
    "sparse_initializer": lambda model: model.graph.sparse_initializer.append(_sparse("w")),
    "int4": lambda model: model.graph.initializer.append(helper.make_tensor("w", TensorProto.INT4, [3], [-8, 7, 1])),
    "graphs": _add_graphs,
}


def _recurrent_gaps() -> Iterator[Gap]:
    variants = (
        ("reverse", 'direction = "reverse"', 1, False),
        ("bidirectional", 'direction = "bidirectional"', 2, False),
        ("clip", "clip = 0.4", 1, False),
        ("lengths", 'direction = "forward"', 1, True),
        ("reverse_lengths", 'direction = "reverse"', 1, True),
    )
    for op, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
        for variant, attributes, directions, lengths in variants:
            graph = _recurrent(op, gates, attributes, "4,2,3", f"{directions},2,2", directions, lengths)
            why = "onnx.reference runs recurrent ops forward only, without sequence_lens and clip"
            yield Gap(f"W8-{op}_{variant}", graph, inputs={"n": [4, 2]} if lengths else {}, oracle=ORT, why=why)
        graph = _recurrent(op, gates, "layout = 1", "2,4,3", "2,1,2", 1, False)
        yield Gap(f"C28-{op}", graph, oracle=REFERENCE, why="onnxruntime refuses layout 1")


def _recurrent(op: str, gates: int, attributes: str, x: str, h: str, directions: int, lengths: bool) -> str:
    weights = [f"float[{directions},{gates * 2},{size}] {name}" for name, size in (("w", 3), ("r", 2))]
    inputs = [f"float[{x}] x", *weights, f"float[{directions},{gates * 4}] b", f"float[{h}] h"]
    lens = "n" if lengths else '""'
    inputs += ["int32[2] n"] if lengths else []
    return f"({', '.join(inputs)}) => (y, z) {{ y, z = {op} <hidden_size = 2, {attributes}> (x, w, r, b, {lens}, h) }}"
