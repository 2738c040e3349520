"""Executes the nodes of an imported ONNX model one at a time."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import onnx.numpy_helper
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote
from forge_mlir.execute.onnx.engines import Engine
from forge_mlir.execute.onnx.subgraph import OnnxGraph, Stored
from forge_mlir.onnx_model.dtypes import element_by_name, is_floating
from forge_mlir.onnx_model.graph import constant_value, names_read, node_where, subgraphs
from forge_mlir.onnx_model.storage.weightless import INLINE_BYTES, placeholder_of
from forge_mlir.onnx_model.storage.weights import WeightRef
from forge_mlir.onnx_model.subgraph_model import subgraph_model

if TYPE_CHECKING:
    from forge_mlir.importer import ImportedModel

Values = dict[str, Any]

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_CASTS_ATTRIBUTES = ("ThresholdedRelu", "Shrink")
_TYPED = {
    *("Cast", "CastLike", "BitCast", "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "EyeLike"),
    *("ConstantOfShape", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli"),
}


class OnnxNodes:
    """The nodes of a model in order, and its constants; tensors with placeholder data are in `weights`, and `stored`.

    A node is executed as a model of its own by onnxruntime (or onnx.reference) without optimisations. Weights are
    memory-mapped from their file.
    """

    def __init__(self, model: ModelProto, weights: Mapping[int, WeightRef]) -> None:
        self.model = model
        self.weights = weights
        self.engines: list[Engine] | None = None
        """The engines of nodes; None for both, in the order in which they are trusted."""
        tensors = {tensor.name: tensor for tensor in self.model.graph.initializer}
        others: list[NodeProto] = []
        for node in self.model.graph.node:
            tensor = constant_value(node)
            if tensor is None:
                others.append(node)
            else:
                tensors[node.output[0]] = tensor
        self.constants: Values = {name: self.array(tensor) for name, tensor in tensors.items()}
        found = {name: placeholder_of(tensor) for name, tensor in tensors.items()}
        self.stored = {name: weights[at] for name, at in found.items() if at is not None}
        self.nodes = [self._with_rounded_thresholds(node) for node in others]

    def _with_rounded_thresholds(self, node: NodeProto) -> NodeProto:
        """`node` with the attributes that ONNX's function body casts to the type of x. Both engines compare numbers of
        16 bits with the attributes in float32."""
        if node.op_type not in _CASTS_ATTRIBUTES or node.domain:
            return node
        kind = self.element_type(node.input[0])
        if kind not in (TensorProto.FLOAT16, TensorProto.BFLOAT16):
            return node
        rounded = copy.deepcopy(node)
        for attribute in rounded.attribute:
            attribute.f = float(np.float32(attribute.f).astype(helper.tensor_dtype_to_np_dtype(kind)))
        return rounded

    @staticmethod
    def of(imported: ImportedModel) -> OnnxNodes:
        """The nodes of a model that was imported with its graph."""
        if imported.graph is None:
            raise ValueError("the model was imported without its graph")
        return OnnxNodes(imported.graph, imported.placeholders)

    def on_onnxruntime(self) -> OnnxNodes:
        """These nodes, executed by onnxruntime even if it is known to deviate from ONNX."""
        other = copy.copy(self)
        other.engines = ["onnxruntime"]
        return other

    def uses(self) -> Counter[str]:
        """How many nodes and graph outputs read each value."""
        counts = Counter(name for node in self.nodes for name in names_read(node))
        counts.update(value.name for value in self.model.graph.output)
        return counts

    def prepare(self, node: NodeProto, on_reference: bool = False, wide: bool = False) -> NodeCall:
        """Prepares `node` for execution; with `on_reference` only by onnx.reference, which is slow but normative; with
        `wide` by onnx.reference in float64."""
        return NodeCall(self, (node,), on_reference or wide, wide)

    def prepare_as_one(self, nodes: Sequence[NodeProto]) -> NodeCall:
        """Prepares `nodes`, in model order, as one graph with the results of the last node. Constants are part of the
        graph, because onnxruntime treats them differently from inputs."""
        return NodeCall(self, tuple(nodes), on_reference=False, wide=False)

    def is_by_reference(self, node: NodeProto, values: Mapping[str, Any]) -> bool:
        """Whether onnx.reference runs `node`, because onnxruntime cannot."""
        call = self.prepare(node)
        with suppress(ForgeError):
            call({name: value for name, value in values.items() if value is not self.constants.get(name)})
        return call.engine == "onnx.reference"

    @cached_property
    def types(self) -> dict[str, ValueInfoProto]:
        graph = self.model.graph
        return {value.name: value for value in (*graph.input, *graph.output, *graph.value_info)}

    @cached_property
    def rounds_once(self) -> bool:
        """Whether there are nodes that are computed in float32 and rounded once."""
        return any(map(self.is_of_bfloat16, self.nodes))

    def is_of_bfloat16(self, node: NodeProto) -> bool:
        """Whether `node` computes in bfloat16 and has operands and results of known types. onnxruntime has no kernels
        for it, and onnx.reference rounds every step and partial sum, which the definition of an op does not require;
        such a node is computed in float32 and its results are rounded. This excludes quantisers, whose integers depend
        on the rounding, and nodes with type attributes or subgraphs."""
        if node.op_type in _TYPED or next(subgraphs(node), None) is not None:
            return False
        types = [self.element_type(name) for name in (*node.input, *node.output) if name]
        return TensorProto.BFLOAT16 in types and None not in types

    def element_type(self, name: str) -> int | None:
        """The ONNX element type of a tensor; None if unknown."""
        if name in self.constants:
            return element_code(np.asarray(self.constants[name]).dtype)
        known = self.types.get(name)
        return known.type.tensor_type.elem_type or None if known is not None else None

    def array(self, tensor: TensorProto) -> Any:
        placeholder = placeholder_of(tensor)
        if placeholder is not None:
            return self.weights[placeholder].array()
        try:
            return onnx.numpy_helper.to_array(tensor)
        except UnicodeDecodeError as error:
            raise ForgeError(Code.ReferenceFailed, f"the text of tensor {quote(tensor.name)} is not UTF-8") from error
        except (KeyError, TypeError, ValueError) as error:
            raise ForgeError(
                Code.TensorData, f"tensor {quote(tensor.name)} cannot be read: {escaped(error)}"
            ) from error


class NodeCall:
    """One node, or several as one graph, that can be run repeatedly."""

    def __init__(self, nodes: OnnxNodes, parts: tuple[NodeProto, ...], on_reference: bool, wide: bool) -> None:
        self._nodes = nodes
        self._parts = parts
        self._on_reference = on_reference
        self._wide = wide
        self.node = parts[-1]
        self._graph: OnnxGraph | None = None
        self._dynamic: list[str] = []
        self._shaped = False
        self._rounds_once = not wide and len(parts) == 1 and nodes.is_of_bfloat16(parts[0])

    def __call__(self, values: Mapping[str, Any]) -> Values:
        """The results by name. `values` are the non-constant operands. Raises ForgeError if no engine can run the
        node."""
        outputs = [name for name in self.node.output if name]
        try:
            results = map(_as_array, self._run(values))
        except ForgeError:
            if self._shaped or self._on_reference:
                raise
            # onnxruntime refuses some nodes, such as MatMulNBits with a bias, if it does not know the shapes.
            self._graph, self._dynamic, self._shaped = None, [], True
            results = map(_as_array, self._run(values))
        return {name: self._rounded(name, value) for name, value in zip(outputs, results, strict=True)}

    def _run(self, values: Mapping[str, Any]) -> list[Any]:
        if self._graph is None:
            self._graph = self._build(values)
        inputs = [self._widened(values[name]) if name in values else self._constant(name) for name in self._dynamic]
        return self._graph.run(inputs)

    @property
    def engine(self) -> Engine | None:
        """The engine of the last run; None before the first one."""
        return None if self._graph is None else self._graph.engine

    def _build(self, values: Mapping[str, Any]) -> OnnxGraph:
        small = []
        inline = INLINE_BYTES if len(self._parts) == 1 else math.inf
        made = {name for part in self._parts for name in part.output}
        for name in sorted({name for part in self._parts for name in names_read(part)} - made):
            constant = self._nodes.constants.get(name)
            if name not in values and constant is None:
                raise ForgeError(Code.CpuPartition, f"{node_where(self.node)}: value {name!a} comes from nowhere")
            if (
                name not in values
                and constant is not None
                and (constant.nbytes <= inline or _is_packed(constant.dtype))
            ):
                small.append(onnx.numpy_helper.from_array(self._widened(np.asarray(constant)), name))
            else:
                self._dynamic.append(name)
        inputs = [
            self._info(name, self._widened(values.get(name, self._nodes.constants.get(name)))) for name in self._dynamic
        ]
        outputs = [ValueInfoProto(name=name) for name in self.node.output if name]
        model = subgraph_model(self._nodes.model, self._nodes.weights, self._parts, inputs, outputs, small)
        # Creating a thread pool would take longer than most nodes.
        engines: list[Engine] | None = ["onnx.reference"] if self._on_reference else self._nodes.engines
        return OnnxGraph(model, node_where(self.node), threads=1, engines=engines)

    def _constant(self, name: str) -> Any:
        """A constant operand: a large weight as where it is stored."""
        value, weight = self._nodes.constants[name], self._nodes.stored.get(name)
        if weight is None or weight.file is None:
            return self._widened(value)
        return Stored(weight, self._computed(value.dtype))

    def _computed(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """float64 for floats if that was requested, and float32 for bfloat16 if the result of the node is rounded
        once."""
        if self._rounds_once and dtype == _BFLOAT16:
            return np.dtype(np.float32)
        return np.dtype(np.float64) if self._wide and is_floating(dtype) else dtype

    def _widened(self, value: Any) -> Any:
        return value.astype(self._computed(value.dtype), copy=False) if isinstance(value, np.ndarray) else value

    def _rounded(self, name: str, value: Any) -> Any:
        """Converts a result to its type in the model."""
        rounds = self._rounds_once and isinstance(value, np.ndarray) and value.dtype == np.float32
        return value.astype(_BFLOAT16) if rounds and self._nodes.element_type(name) == TensorProto.BFLOAT16 else value

    def _info(self, name: str, value: Any) -> ValueInfoProto:
        """The type of a value, as a rule without its shape, because the module may have computed another shape."""
        if isinstance(value, np.ndarray):
            shape = value.shape if self._shaped else None
            return helper.make_tensor_value_info(name, element_code(value.dtype), shape)
        return self._nodes.types.get(name, ValueInfoProto(name=name))


_RANDOM = frozenset(
    ("RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli")
)


def draws(node: NodeProto, constants: Mapping[str, Any] = MappingProxyType({})) -> bool:
    """Whether `node`, or a node in its subgraphs, draws random numbers without a seed, so that each run differs. A
    Dropout does unless its operands in `constants` exclude it."""
    seeded = any(attribute.name == "seed" for attribute in node.attribute)
    if not node.domain and not seeded and (node.op_type in _RANDOM or _drops(node, constants)):
        return True
    return any(draws(inner, constants) for graph in subgraphs(node) for inner in graph.node)


def _drops(node: NodeProto, constants: Mapping[str, Any]) -> bool:
    """Whether `node` is a Dropout that may drop elements: in training mode, and with a ratio that is not 0."""
    if node.op_type != "Dropout" or len(node.input) < 3 or not node.input[2]:
        return False
    return all(name not in constants or bool(np.any(constants[name])) for name in node.input[1:] if name)


def _as_array(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, np.generic) else value


def _is_packed(dtype: np.dtype[Any]) -> bool:
    """Whether ONNX packs several elements into a byte: onnxruntime takes no such arrays as inputs."""
    return dtype.kind == "V" and element_by_name(dtype.name).bits < 8


def element_code(dtype: np.dtype[Any]) -> int:
    """The ONNX element type for a dtype."""
    if dtype.kind in "OUS":
        return int(TensorProto.STRING)
    return int(element_by_name(dtype.name).code)


def freed(values: Values, uses: Counter[str], node: NodeProto, origins: Sequence[NodeProto]) -> Iterator[str]:
    """Decrements the use counts of the operands of `node`, removes values without further uses from `values`, and
    returns their names."""
    read = [name for each in (*origins, node) for name in names_read(each)]
    uses.subtract(read)
    for name in dict.fromkeys((*read, *node.output)):
        if not uses[name] and name in values:
            del values[name]
            yield name
