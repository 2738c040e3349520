"""Random valid models: nodes of random ops, drawn from ONNX's schemas, that the reference evaluator can run."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from forge_mlir.execute.onnx.corrected_ops import corrected_ops
from fuzz.coverage import EXACT, Cell, cells_of_node
from fuzz.hints import JUMPS, SKIPPED, attribute
from fuzz.operands import MAKERS, Array, Impossible, broadcastable, values

_OLD, OPSETS = range(1, 9), range(9, onnx.defs.onnx_opset_version() + 1)
_OLD_SHARE, _RARE_SHARE = 0.1, 0.15
"""The share of graphs of old opsets, which onnxruntime does not promise to run and whose ops onnx.reference implements
in newer versions only; and the share of graphs of types for which onnxruntime has few kernels. The latter have the
newest opset, for which the reference alone is sufficient."""
_IR_VERSION = 10
_MOST_ELEMENTS = 4096
_MOST_VALUE = 1e4
_TYPES: dict[str, Any] = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(bool)": np.bool_,
    **{f"tensor({name})": np.dtype(name) for name in ("float16", *(f"int{n}" for n in (8, 16, 32, 64)))},
    **{f"tensor(uint{bits})": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
}
_SIZES, _RANKS = (1, 1, 2, 3, 4, 5, 6, 8), (0, 1, 2, 3, 3, 4, 4, 4, 5, 6)
_NOTHING = 0.03
"""The share of inputs without elements."""
_VARIADIC = 3


@dataclass(frozen=True)
class Value:
    """A tensor of the graph, with its value by the reference. An `exact` value has no rounding error."""

    name: str
    array: Array
    exact: bool


@dataclass
class Builder:
    """A model to which nodes are added."""

    r: Random
    opset: int
    rare: bool = False
    pool: list[Value] = field(default_factory=list)
    nodes: list[NodeProto] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    inputs: dict[str, Array] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    cells: list[Cell] = field(default_factory=list)

    def add_input(self) -> None:
        shape = tuple(self.r.choice(_SIZES) for _ in range(self.r.choice(_RANKS)))
        if shape and self.r.random() < _NOTHING:
            shape = (*shape[1:], 0)
        while np.prod(shape) > _MOST_ELEMENTS:
            shape = shape[1:]
        dtype = self.r.choice([*_TYPES.values()] if self.rare else [np.float32] * 6 + [np.int64, np.int32, np.bool_])
        array = values(self.r, shape, dtype)
        name = f"in{len(self.inputs)}"
        self.inputs[name] = array
        self.pool.append(Value(name, array, True))

    def add_node(self) -> None:
        """Adds one node, or none if the drawn one is not valid."""
        op = self.r.choice(_ops(self.opset))
        schema = onnx.defs.get_schema(op, self.opset)
        first = self.r.choice(self.pool[-4:] + self.pool)
        if not _accepts(schema, 0, first.array):
            return
        attributes = self._attributes(schema, first.array.shape)
        if attributes is None:
            return
        try:
            operands = self._operands(schema, first, attributes)
        except Impossible:
            return
        count = attributes.pop("#outputs", None) or self._output_count(schema, attributes)
        exact = op in EXACT and all(value.exact for value in operands if value)
        if op in JUMPS and not all(value.exact for value in operands if value):
            return
        names = [value.name if value else "" for value in operands]
        while names and not names[-1]:
            names.pop()
        outputs = [f"v{len(self.nodes)}_{i}" for i in range(count)]
        node = helper.make_node(op, names, outputs, f"{op} {len(self.nodes)}", **attributes)
        results = _run(node, {value.name: value.array for value in operands if value}, self.opset)
        if results is None or len(results) != count:
            return
        self.nodes.append(node)
        self.cells += cells_of_node(node, self.opset, {value.name: value.array.dtype for value in operands if value})
        self.used.update(names)
        fixed = {value.name for value in operands if value} - set(self.inputs) - {value.name for value in self.pool}
        self.constants += [
            numpy_helper.from_array(value.array, value.name) for value in operands if value and value.name in fixed
        ]
        self.pool += [Value(name, array, exact) for name, array in zip(outputs, results, strict=True)]

    def _attributes(self, schema: onnx.defs.OpSchema, shape: tuple[int, ...]) -> dict[str, Any] | None:
        chosen = {}
        for name, declared in schema.attributes.items():
            value = attribute(self.r, schema.name, name, shape)
            if value not in (None, []) and (declared.required or self.r.random() < 0.5):
                chosen[name] = value
            elif declared.required:
                return None
        if chosen.get("auto_pad", "NOTSET") != "NOTSET":
            chosen.pop("pads", None)
            chosen.pop("dilations", None)
        return chosen

    def _operands(self, schema: onnx.defs.OpSchema, first: Value, attributes: dict[str, Any]) -> list[Value | None]:
        maker = MAKERS.get(schema.name)
        formal = schema.inputs
        if maker and len(formal) > 1:
            made = maker(self.r, first.array, attributes)
            return [first, *(None if array is None else self._constant(array) for array in made[: len(formal) - 1])]
        if maker and schema.name == "Split":
            attributes.pop("#outputs", None)
        if formal and formal[-1].option == onnx.defs.OpSchema.FormalParameterOption.Variadic:
            more = self.r.randint(0, _VARIADIC - 1)
            return [first, *(self._like(first) for _ in range(more))]
        return [first, *(self._like(first) for _ in formal[1:])]

    def _like(self, first: Value) -> Value:
        """A value that can be combined with `first` in an elementwise op: one of its type and shape, or a constant."""
        same = [v for v in self.pool if v.array.dtype == first.array.dtype and v.array.shape == first.array.shape]
        if same and self.r.random() < 0.6:
            return self.r.choice(same)
        return self._constant(values(self.r, broadcastable(self.r, first.array.shape), first.array.dtype))

    def _constant(self, array: Array) -> Value:
        return Value(f"c{len(self.constants)}_{self.r.getrandbits(40):x}", array, True)

    def _output_count(self, schema: onnx.defs.OpSchema, attributes: dict[str, Any]) -> int:
        if schema.name == "Split":
            return int(attributes.get("num_outputs", 1 if self.opset < 18 else 0)) or 1
        if schema.name in ("BatchNormalization", "LayerNormalization", "MaxPool"):
            return 1
        return int(max(schema.min_output, 1)) if schema.name != "TopK" else 2

    def model(self) -> ModelProto:
        leaves = [value for value in self.pool if value.name not in self.used and value.name not in self.inputs]
        chosen = leaves or self.pool[-1:]
        graph = helper.make_graph(
            self.nodes,
            "fuzz",
            [_info(name, array) for name, array in self.inputs.items()],
            [_info(value.name, value.array) for value in chosen],
            self.constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=_IR_VERSION)


@dataclass(frozen=True)
class Sample:
    """A model, its inputs, the outputs by onnx.reference, and the versions and types of its ops."""

    model: ModelProto
    inputs: dict[str, Array]
    expected: dict[str, Array]
    cells: Sequence[Cell] = ()


def random_sample(r: Random) -> Sample | None:
    """A model of up to a dozen nodes; None when nothing valid was drawn."""
    rare = r.random() < _RARE_SHARE
    opsets = OPSETS[-1:] if rare else _OLD if r.random() < _OLD_SHARE else OPSETS
    builder = Builder(r, r.choice(opsets), rare)
    for _ in range(r.randint(1, 3)):
        builder.add_input()
    wanted = r.randint(1, 12)
    for _ in range(4 * wanted):
        if len(builder.nodes) >= wanted:
            break
        builder.add_node()
    if not builder.nodes:
        return None
    model = builder.model()
    known = {value.name: value.array for value in builder.pool}
    expected = {value.name: known[value.name] for value in model.graph.output}
    return Sample(model, builder.inputs, expected, builder.cells)


@cache
def _ops(opset: int) -> list[str]:
    names = {schema.name for schema in onnx.defs.get_all_schemas_with_history() if not schema.domain}
    known = []
    for name in sorted(names - SKIPPED):
        try:
            schema = onnx.defs.get_schema(name, opset)
        except onnx.defs.SchemaError:
            continue
        if not schema.deprecated and schema.inputs:
            known.append(name)
    return known


def _accepts(schema: onnx.defs.OpSchema, at: int, array: Array) -> bool:
    return any(np.dtype(dtype) == array.dtype for text, dtype in _TYPES.items() if text in schema.inputs[at].types)


def _run(node: NodeProto, operands: dict[str, Array], opset: int) -> list[Array] | None:
    """The results of one node by the reference; None if they are invalid, too large, or not finite."""
    graph = helper.make_graph(
        [node],
        "one",
        [_info(name, array) for name, array in operands.items()],
        [onnx.ValueInfoProto(name=name) for name in node.output],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=_IR_VERSION)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
            results = ReferenceEvaluator(model, new_ops=corrected_ops()).run(None, operands)
    except Exception:  # The reference raises any exception on nodes that are not valid.
        return None
    arrays = [np.asarray(result) for result in results if isinstance(result, (np.ndarray, np.generic))]
    for array, declared in zip(arrays, inferred.graph.output, strict=False):
        kind, shape = declared.type.tensor_type.elem_type, declared.type.tensor_type.shape
        # A scalar has no axis 0, but onnx.reference normalises it and returns another rank.
        other_rank = declared.type.tensor_type.HasField("shape") and len(shape.dim) != array.ndim
        if other_rank or not kind or helper.tensor_dtype_to_np_dtype(kind) != array.dtype:
            return None
    small = all(array.size <= _MOST_ELEMENTS and array.dtype in map(np.dtype, _TYPES.values()) for array in arrays)
    if not small or any(
        array.size and array.dtype.kind != "b" and not (np.abs(array.astype(np.float64)) <= _MOST_VALUE).all()
        for array in arrays
    ):
        return None
    return arrays


def _info(name: str, array: Array) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
