"""The CPU partitions of a partitioned model as ONNX models, extracted from the imported graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import onnx
import onnx.numpy_helper
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.writer import OnnxPart, Spans
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.onnx_model.dtypes import element_by_name
from forge_mlir.onnx_model.graph import constant_value, names_read
from forge_mlir.onnx_model.hints import is_hint
from forge_mlir.onnx_model.storage.weightless import placeholder_of
from forge_mlir.onnx_model.storage.weights import WeightRef
from forge_mlir.onnx_model.subgraph_model import subgraph_model


@dataclass(frozen=True)
class CpuSubgraphs:
    """Extracts partitions from `model`, a weightless model whose placeholders stand for `weights`."""

    model: ModelProto
    weights: Mapping[int, WeightRef]

    def part(self, partition: Json, values: Sequence[Json], facts: Mapping[str, str]) -> OnnxPart:
        """The graph of one CPU partition of a partitioned model's manifest, with `facts` as its metadata."""
        nodes, inputs, outputs, constants = self._parts(partition, values)
        placed = {tensor.name: self._weight(tensor) for tensor in constants if placeholder_of(tensor) is not None}

        def serialise(file: str, spans: Spans) -> bytes:
            stored = [_placed(tensor, file, spans) for tensor in constants]
            return self._model(nodes, inputs, outputs, stored, facts)

        return OnnxPart(placed, serialise)

    def probe(self, partition: Json, values: Sequence[Json]) -> bytes:
        """The same graph with weights as inputs, which is enough to check whether an engine can open it."""
        return self._probe(*self._parts(partition, values))

    def nodes(self, partition: Json, values: Sequence[Json]) -> Iterator[tuple[NodeProto, bytes]]:
        """The nodes of a CPU partition, each with a graph of its own for a check. Nodes with inputs of unknown types
        are left out."""
        nodes, given, _, constants = self._parts(partition, values)
        typed = {value.name: value for value in given}
        for node in nodes:
            read = names_read(node)
            used = [tensor for tensor in constants if tensor.name in read]
            inputs = [typed.get(name) or self._typed(name) for name in sorted(read - {t.name for t in used})]
            if all(value.HasField("type") for value in inputs):
                yield node, self._probe([node], inputs, [name for name in node.output if name], used)

    def _parts(
        self, partition: Json, values: Sequence[Json]
    ) -> tuple[list[NodeProto], list[ValueInfoProto], list[str], list[TensorProto]]:
        """Nodes in order, inputs, names of outputs, and constants."""
        wanted = [next(filter(None, node["results"])) for node in partition["nodes"]]
        nodes = dict(self._producers[name] for name in wanted)
        inputs = [self._typed_input(values[index]) for index in partition["inputs"]]
        outputs = [values[index]["onnx_name"] for index in partition["outputs"]]
        constants = self._constants(partition, nodes.values(), outputs, {value.name for value in inputs})
        return [node for _, node in sorted(nodes.items())], inputs, outputs, constants

    def _probe(
        self,
        nodes: Sequence[NodeProto],
        inputs: Sequence[ValueInfoProto],
        outputs: Sequence[str],
        constants: Sequence[TensorProto],
    ) -> bytes:
        weights = [tensor for tensor in constants if placeholder_of(tensor) is not None]
        given = [helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims) for tensor in weights]
        small = [tensor for tensor in constants if placeholder_of(tensor) is None]
        return self._model(nodes, inputs, outputs, small, {}, given)

    @cached_property
    def _producers(self) -> dict[str, tuple[int, NodeProto]]:
        return {name: (at, node) for at, node in enumerate(self.model.graph.node) for name in node.output if name}

    @cached_property
    def _initializers(self) -> dict[str, TensorProto]:
        return {tensor.name: tensor for tensor in self.model.graph.initializer}

    @cached_property
    def _types(self) -> dict[str, ValueInfoProto]:
        graph = self.model.graph
        return {value.name: value for value in (*graph.input, *graph.output, *graph.value_info)}

    def _weight(self, tensor: TensorProto) -> WeightRef:
        placeholder = placeholder_of(tensor)
        assert placeholder is not None
        return self.weights[placeholder]

    def _constants(
        self, partition: Json, nodes: Iterable[NodeProto], outputs: Iterable[str], given: set[str]
    ) -> list[TensorProto]:
        """The constants that nodes of a partition use or that are its outputs, in the order of the model: small ones
        from the manifest, large ones from the model."""
        found = {constant["name"]: _small_constant(constant) for constant in partition["constants"]}
        made = {name for node in nodes for name in node.output}
        used = [name for node in nodes for name in sorted(names_read(node))]
        for name in (*used, *outputs):
            if name in given or name in made or name in found:
                continue
            tensor = self._initializers.get(name)
            if tensor is None and name in self._producers:
                tensor = _big_constant(self._producers[name][1])
            if tensor is None:
                raise ForgeError(Code.CpuPartition, f"value {name!a} of a CPU partition comes from nowhere")
            found[name] = tensor
        return list(found.values())

    def _model(
        self,
        nodes: Sequence[NodeProto],
        inputs: Sequence[ValueInfoProto],
        outputs: Sequence[str],
        constants: Sequence[TensorProto],
        facts: Mapping[str, str],
        more_inputs: Sequence[ValueInfoProto] = (),
    ) -> bytes:
        made = [self._typed(name) for name in outputs]
        return subgraph_model(self.model, self.weights, nodes, [*inputs, *more_inputs], made, constants, facts)

    def _typed_input(self, value: Json) -> ValueInfoProto:
        """An input, with the type that the compiler inferred if onnx does not know it."""
        known = self._typed(value["onnx_name"])
        if known.HasField("type") or value["dtype"] is None:
            return known
        code = TensorProto.STRING if value["dtype"] == "string" else element_by_name(value["dtype"]).code
        return helper.make_tensor_value_info(known.name, code, value["shape"])

    def _typed(self, name: str) -> ValueInfoProto:
        """The known type of a value, without shapes that are only declared."""
        known = self._types.get(name, ValueInfoProto(name=name))
        if not is_hint(known):
            return known
        typed = ValueInfoProto(name=name)
        typed.type.tensor_type.elem_type = known.type.tensor_type.elem_type
        return typed


def _small_constant(constant: Json) -> TensorProto:
    element = element_by_name(constant["dtype"])
    values = np.frombuffer(bytes.fromhex(constant["hex"]), dtype=np.dtype(element.numpy))
    count = int(np.prod(constant["shape"], dtype=np.int64))
    if constant["splat"]:
        values = np.repeat(values[:1], count)
    return onnx.numpy_helper.from_array(values[:count].reshape(constant["shape"]), constant["name"])


def _big_constant(node: NodeProto) -> TensorProto | None:
    """The tensor of a Constant node whose data is a placeholder or text, under the name of the node's output."""
    value = constant_value(node)
    if value is None or (placeholder_of(value) is None and value.data_type != TensorProto.STRING):
        return None
    tensor = TensorProto()
    tensor.CopyFrom(value)
    tensor.name = node.output[0]
    return tensor


def _placed(tensor: TensorProto, file: str, spans: Spans) -> TensorProto:
    """`tensor` with external data in the weights file."""
    if placeholder_of(tensor) is None:
        return tensor
    offset, size = spans[tensor.name]
    placed = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
    placed.data_location = TensorProto.EXTERNAL
    for key, value in (("location", file), ("offset", str(offset)), ("length", str(size))):
        placed.external_data.add(key=key, value=value)
    return placed
