"""A model as separate parts, which steps change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from fuzz.operands import Array

MOST_ELEMENTS, MOST_RANK = 4096, 6
_IR_VERSION = 10


@dataclass
class Variant:
    """A model as separate parts, and its inputs: those in `constants` are known at compile time, the others at run
    time.

    `domains` contains the versions of domains other than ONNX's own, whose version is `opset`. `wrong_hints` asks for
    declared types that are not correct; `judged` is the model that was compiled, with its declarations.
    """

    nodes: list[NodeProto]
    arrays: dict[str, Array]
    constants: set[str]
    outputs: list[str]
    opset: int
    op: tuple[str, str]
    domains: dict[str, int] = field(default_factory=dict)
    wrong_hints: bool = False
    judged: ModelProto | None = None

    def copy(self) -> Variant:
        return replace(
            self,
            nodes=[copied(node) for node in self.nodes],
            arrays=dict(self.arrays),
            constants=set(self.constants),
            outputs=list(self.outputs),
            domains=dict(self.domains),
        )

    def inputs(self) -> dict[str, Array]:
        return {name: array for name, array in self.arrays.items() if name not in self.constants}

    def model(self, outputs: Sequence[ValueInfoProto] = (), inner: Sequence[ValueInfoProto] = ()) -> ModelProto:
        """The model. Without `outputs`, the types of its outputs are not declared. `inner` are the declared types of
        values between its nodes."""
        graph = helper.make_graph(
            self.nodes,
            "variant",
            [info(name, array) for name, array in self.inputs().items()],
            list(outputs) or [ValueInfoProto(name=name) for name in self.outputs],
            [numpy_helper.from_array(self.arrays[name], name) for name in sorted(self.constants)],
            value_info=list(inner),
        )
        imports = [helper.make_opsetid(domain, version) for domain, version in {"": self.opset, **self.domains}.items()]
        return helper.make_model(graph, opset_imports=imports, ir_version=_IR_VERSION)

    def main(self) -> NodeProto | None:
        """The node that the variant tests, wherever steps have moved it."""
        return next((node for node in nodes_in(self.nodes) if (node.domain, node.op_type) == self.op), None)


def info(name: str, array: Array) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def copied(node: NodeProto) -> NodeProto:
    return NodeProto.FromString(node.SerializeToString())


def nodes_in(nodes: Any) -> list[NodeProto]:
    """`nodes` and, recursively, those of their graph attributes."""
    found = []
    for node in nodes:
        found.append(node)
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                found += nodes_in(graph.node)
    return found


def numpy_type(written: str) -> np.dtype[Any]:
    """The numpy type of a text such as "tensor(float16)"."""
    name = written.removeprefix("tensor(").removesuffix(")")
    number = {"float": "FLOAT", "double": "DOUBLE"}.get(name, name.upper())
    return np.dtype(helper.tensor_dtype_to_np_dtype(TensorProto.DataType.Value(number)))


def cast(array: Array, dtype: np.dtype[Any]) -> Array:
    """The same numbers in another type, as far as it can represent them; small floats become integers that differ."""
    if np.dtype(dtype).kind == "u" and array.dtype.kind in "if":
        array = np.abs(array)
    if is_float(array.dtype) and not is_float(dtype) and array.size and np.abs(array.astype(np.float64)).max() < 8:
        array = array.astype(np.float64) * 4
    with np.errstate(all="ignore"):
        # The small types of ml_dtypes cannot be cast to each other directly.
        return np.asarray((array.astype(np.float64) if array.dtype.kind == "V" else array).astype(dtype))


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether the type is a float type; numpy does not know the kind of the small types of ml_dtypes."""
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name.startswith(("bfloat", "float")))
