"""Computes the experts of a mixture of experts for every token.

PyTorch exports a mixture of experts as `NonZero` of the mask that assigns tokens to an expert, `Gather` of those
tokens, the expert's layers, and a scatter that adds the results. The number of tokens is only known at run time. On the
device all tokens are computed: `NonZero` becomes a constant with all positions of the mask, and results for masked-out
positions are replaced by zeros before they are added. The result is the same if every op in between processes rows
independently, and is defined for every row: indices must be known, and integers must not be divided or overflow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, helper, numpy_helper, shape_inference

from forge_mlir.importer.passes.typed_values import attribute_of, constants_of, static_shape, types_of
from forge_mlir.onnx_model.graph import all_names, fresh_name, names_read
from forge_mlir.support.opsets import default_opset

_MOST_POSITIONS = 1 << 16
_FIRST_OPSET = 16
"""The first opset whose scatters add."""

_ELEMENTWISE = frozenset(
    {
        "Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "Sum", "Mod", "And",
        "Or", "Xor", "Not", "Where", "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Identity",
        "Cast", "CastLike", "Abs", "Neg", "Exp", "Log", "Sqrt", "Reciprocal", "Sigmoid", "Tanh",
        "Relu", "LeakyRelu", "Gelu", "Erf", "Elu", "Selu", "Celu", "Softplus", "Softsign", "HardSigmoid",
        "HardSwish", "Mish", "Clip", "Floor", "Ceil", "Round", "Sign", "Swish",
    }
)  # fmt: skip
_UNDEFINED_FOR_SOME = frozenset(("Add", "Sub", "Mul", "Sum", "Div", "Mod", "Pow", "Neg", "Abs", "MatMul", "Gemm"))
"""Ops on integers that divide by 0 or overflow for some operands."""
_SHAPE_ARITHMETIC = frozenset(("Gather", "Slice", "Squeeze", "Unsqueeze", "Concat", "Cast", "Identity", "Reshape"))
"""Ops that may be applied to the shape of such a value before it becomes the shape of another value."""

_SUMMED = frozenset(
    (
        TensorProto.FLOAT,
        TensorProto.FLOAT16,
        TensorProto.BFLOAT16,
        TensorProto.DOUBLE,
        TensorProto.INT32,
        TensorProto.INT64,
    )
)
"""The types that scatters add; narrower integers would wrap, and booleans have no sum."""

_INTEGERS = {code for code in TensorProto.DataType.values() if "INT" in TensorProto.DataType.Name(code)}

Shapes = Mapping[str, tuple[int, ...] | None]


def compute_experts_densely(model: ModelProto) -> bool:
    """Rewrites the sorted and typed `model` in place. Returns whether anything has changed."""
    opset = default_opset(model)
    graph = model.graph
    if opset < _FIRST_OPSET or not any(node.op_type == "NonZero" and not node.domain for node in graph.node):
        return False
    typed, constants = types_of(graph), constants_of(graph)
    masks = {}
    for node in graph.node:
        if node.op_type == "NonZero" and not node.domain:
            shape = static_shape(typed.get(node.input[0]))
            if shape and 0 < math.prod(shape) <= _MOST_POSITIONS and node.input[0] not in constants:
                masks[node.output[0]] = (node, shape)
    dense = _with_all_positions(model, masks) if masks else None
    if dense is None:
        return False
    types = types_of(dense.graph)
    shapes = {name: static_shape(proto) for name, proto in types.items()}
    names = all_names(graph)
    signed = _with_visible_signs(graph, constants)
    changed = False
    for name, (node, shape) in masks.items():
        found = _Rows(types, shapes, constants, math.prod(shape), {*constants}).follow(graph, name)
        if found is not None:
            _rewrite(graph, node, shape, found, types, names, signed)
            changed = True
    return changed


@dataclass
class _Rows:
    """The axes of values that have one row per position of the mask, and the scatters that consume the rows."""

    types: Mapping[str, TypeProto]
    shapes: Shapes
    constants: Mapping[str, TensorProto]
    count: int
    known: set[str]
    """Values that are known at compile time, with or without rows: constants, shapes, positions of the mask, and values
    computed from them."""
    axes: dict[str, int] = field(default_factory=dict)
    sizes: set[str] = field(default_factory=set)
    """Values computed from shapes of such values."""

    def follow(self, graph: GraphProto, name: str) -> list[NodeProto] | None:
        """The scatters; None if rows have other consumers."""
        self.axes[name] = 1
        self.known.add(name)
        ends = []
        for node in graph.node:
            reads = names_read(node)
            if node.op_type in ("Shape", "Size") or (reads and reads <= self.known):
                self.known.update(node.output)
            touched = reads & (self.axes.keys() | self.sizes)
            if not touched or name in node.output:
                continue
            if node.domain or not touched <= set(node.input):
                return None
            if node.op_type in ("ScatterND", "ScatterElements"):
                if not self._is_end(node):
                    return None
                ends.append(node)
            elif not self._passes_on(node):
                return None
        outputs = {value.name for value in graph.output}
        return ends if ends and outputs.isdisjoint(self.axes) and outputs.isdisjoint(self.sizes) else None

    def _is_end(self, node: NodeProto) -> bool:
        """Whether `node` scatters rows into a value without rows."""
        data, indices, updates = node.input
        if data in self.axes or self.axes.get(indices) != 0 or self.axes.get(updates) != 0:
            return False
        if indices not in self.known:
            return False
        if node.op_type == "ScatterElements" and attribute_of(node, "axis", 0) != 0:
            return False
        reduction = attribute_of(node, "reduction", b"none")
        zeros = self.constants.get(data)
        # Each element is written at most once, otherwise the result is undefined, so that writing over zeros is the
        # same as adding, except for -0 (`_rewrite`).
        overwrites = (
            reduction == b"none"
            and zeros is not None
            and zeros.data_type in _SUMMED
            and not numpy_helper.to_array(zeros).any()
        )
        return reduction == b"add" or overwrites

    def _passes_on(self, node: NodeProto) -> bool:
        """Records the row axes of the outputs of `node`. Returns whether it processes rows independently."""
        operands = [name for name in node.input if name in self.axes]
        if node.op_type == "Shape":
            self.sizes.update(node.output)
            return True
        if not operands:
            self.sizes.update(node.output)
            return node.op_type in _SHAPE_ARITHMETIC
        if any(name in self.sizes for name in node.input) and node.op_type not in ("Reshape", "Expand"):
            return False
        if node.output[0] not in self.known and not self._is_total(node):
            return False
        axis = self._axis_of(node)
        shape = self.shapes.get(node.output[0])
        if axis is None or shape is None or not 0 <= axis < len(shape) or shape[axis] != self.count:
            return False
        if len(node.output) > 1 and node.op_type != "Split":
            return False
        self.axes.update((name, axis) for name in node.output)
        return True

    def _is_total(self, node: NodeProto) -> bool:
        """Whether `node` is defined for rows outside of the mask, whatever they contain."""
        if node.op_type in ("Gather", "GatherND"):
            return node.input[1] in self.known
        kinds = [self.types.get(name, TypeProto()).tensor_type.elem_type for name in (node.input[0], node.output[0])]
        if node.op_type in ("Cast", "CastLike"):
            return kinds[1] not in _INTEGERS or kinds[0] in (kinds[1], TensorProto.BOOL)
        return node.op_type not in _UNDEFINED_FOR_SOME or kinds[1] not in _INTEGERS

    def _axis_of(self, node: NodeProto) -> int | None:
        """The row axis of the outputs of `node`, which has an operand with rows; None for an unknown op."""
        first, *others = node.input
        axis, rank = self.axes.get(first), self._rank(first)
        if node.op_type in _ELEMENTWISE:
            return self._broadcast(node)
        if node.op_type == "Gather" and axis is None:
            return _positive(attribute_of(node, "axis", 0), rank) + self.axes[others[0]]
        if node.op_type == "GatherND" and axis is None:
            return 0 if self.axes[others[0]] == 0 and not attribute_of(node, "batch_dims", 0) else None
        if axis is None or (any(name in self.axes for name in others) and node.op_type != "Concat"):
            return None
        shape, made = self.shapes.get(first) or (), self.shapes.get(node.output[0]) or ()
        match node.op_type:
            case "MatMul" | "Gemm":
                return (
                    axis
                    if axis == rank - 2 and not attribute_of(node, "transA", 0) and self._is_shared(others)
                    else None
                )
            case "Transpose":
                return list(attribute_of(node, "perm", range(rank)[::-1])).index(axis)
            case "Reshape" | "Flatten" | "Squeeze" | "Unsqueeze":
                # Rows remain an axis if all axes before it have size 1, before and after the reshape.
                if self._leading_rows(shape) == axis:
                    return self._leading_rows(made)
                return self._moved_rows(node, axis, shape, made)
            case "Expand":
                return axis + len(made) - rank
            case "Split" | "Softmax" | "LogSoftmax":
                default = 0 if node.op_type == "Split" else -1
                return None if _positive(attribute_of(node, "axis", default), rank) == axis else axis
            case "Slice" | "Gather":
                return (
                    axis if len(made) == rank and made[axis] == shape[axis] and self._keeps_rows(node, axis) else None
                )
            case "Concat":
                if _positive(attribute_of(node, "axis", 0), rank) == axis:
                    return None
                return axis if all(self.axes.get(name) == axis for name in node.input) else None
        return None

    def _is_shared(self, others: list[str]) -> bool:
        """Whether the second matrix and the bias are the same for all rows."""
        matrix, *bias = (self.shapes.get(name) for name in others)
        return matrix is not None and len(matrix) == 2 and all(row and row[:-1] in ((), (1,)) for row in bias)

    def _moved_rows(self, node: NodeProto, axis: int, shape: tuple[int, ...], made: tuple[int, ...]) -> int | None:
        """The row axis in the result if `node` adds or removes axes of size 1."""
        if node.op_type in ("Reshape", "Flatten") or self.count in (shape[:axis] + shape[axis + 1 :]):
            return None
        return made.index(self.count) if made.count(self.count) == 1 else None

    def _keeps_rows(self, node: NodeProto, axis: int) -> bool:
        """Whether a slice does not affect the rows: its axes are constant and do not include the row axis."""
        if node.op_type == "Gather" or len(node.input) < 4 or node.input[3] not in self.constants:
            return False
        axes = numpy_helper.to_array(self.constants[node.input[3]])
        return all(_positive(int(each), self._rank(node.input[0])) != axis for each in axes)

    def _leading_rows(self, shape: tuple[int, ...]) -> int | None:
        """The first axis of size other than 1, if it has one row per position."""
        at = next((at for at, size in enumerate(shape) if size != 1), 0)
        return at if shape and shape[at] == self.count else None

    def _broadcast(self, node: NodeProto) -> int | None:
        """The row axis of an elementwise op: all operands with rows have the same one, and the others are broadcast
        along it."""
        rank = max(self._rank(name) for name in node.input if name)
        found = set()
        for name in filter(None, node.input):
            shape = self.shapes.get(name)
            if shape is None:
                return None
            if name in self.axes:
                found.add(self.axes[name] + rank - len(shape))
        (axis, *more) = found
        if more:
            return None
        for name in filter(None, node.input):
            shape = self.shapes[name] or ()
            at = axis - rank + len(shape)
            if name not in self.axes and at >= 0 and shape[at] != 1:
                return None
        return axis

    def _rank(self, name: str) -> int:
        return len(self.shapes.get(name) or ())


def _rewrite(
    graph: GraphProto,
    source: NodeProto,
    shape: tuple[int, ...],
    ends: list[NodeProto],
    types: Mapping[str, TypeProto],
    names: set[str],
    signed: set[str],
) -> None:
    """Replaces `source` by all positions, masks the rows that the scatters `ends` read, and lets these add. Results in
    `signed` keep the signs of their zeros."""

    def ints(value: list[int], name: str) -> NodeProto:
        return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.array(value, np.int64)))

    nodes: list[NodeProto] = []
    for node in graph.node:
        if node.output[:1] == source.output[:1]:
            nodes.append(_positions(source, shape))
            continue
        if any(node.output[:1] == end.output[:1] for end in ends):
            updates = node.input[2]
            proto = types[updates].tensor_type
            roles = ("shape", "mask", "kept", "zero", "masked", "sizes", "number", "ones", "counts", "written", "plus")
            made = {role: fresh_name(f"{updates}/{role}", names) for role in (*roles, "minus", "sum")}
            rows = [math.prod(shape)] + [1] * (len(proto.shape.dim) - 1)
            # Adding -0 changes no number, while +0 would change the sign of -0.
            zero = -np.zeros((), helper.tensor_dtype_to_np_dtype(proto.elem_type))
            nodes += [
                ints(rows, made["shape"]),
                helper.make_node("Reshape", [source.input[0], made["shape"]], [made["mask"]]),
                helper.make_node("Cast", [made["mask"]], [made["kept"]], to=TensorProto.BOOL),
                helper.make_node("Constant", [], [made["zero"]], value=numpy_helper.from_array(zero)),
                helper.make_node("Where", [made["kept"], updates, made["zero"]], [made["masked"]], node.name),
            ]
            scatter = NodeProto.FromString(node.SerializeToString())
            scatter.input[2] = made["masked"]
            del scatter.attribute[:]
            scatter.attribute.extend(each for each in node.attribute if each.name != "reduction")
            scatter.attribute.append(helper.make_attribute("reduction", "add"))
            nodes.append(scatter)
            if (
                attribute_of(node, "reduction", b"none") == b"none"
                and proto.elem_type not in _INTEGERS
                and node.output[0] in signed
            ):
                # Adding -0 to the zeros would give +0: the updates are added to -0, and elements without one keep
                # their zeros. The numbers of updates tell which these are.
                data, (result,) = node.input[0], node.output
                counting = NodeProto.FromString(scatter.SerializeToString())
                counting.input[2], counting.output[0] = made["ones"], made["counts"]
                scatter.input[0], scatter.output[0] = made["minus"], made["sum"]
                nodes[-1:] = [
                    helper.make_node("Abs", [data], [made["plus"]]),
                    helper.make_node("Neg", [made["plus"]], [made["minus"]]),
                    scatter,
                    ints([dim.dim_value for dim in proto.shape.dim], made["sizes"]),
                    helper.make_node("Cast", [made["kept"]], [made["number"]], to=proto.elem_type),
                    helper.make_node("Expand", [made["number"], made["sizes"]], [made["ones"]]),
                    counting,
                    helper.make_node("Cast", [made["counts"]], [made["written"]], to=TensorProto.BOOL),
                    helper.make_node("Where", [made["written"], made["sum"], data], [result], node.name),
                ]
            continue
        nodes.append(NodeProto.FromString(node.SerializeToString()))
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.value_info[:]  # They are for an unknown number of rows.


def _with_visible_signs(graph: GraphProto, constants: Mapping[str, TensorProto]) -> set[str]:
    """The values of which the signs of zeros may matter: all but those that are only added to values that are never -0.
    A sum is -0 only if both operands are -0."""
    arrays = (
        (name, numpy_helper.to_array(tensor)) for name, tensor in constants.items() if tensor.data_type in _SUMMED
    )
    unsigned = {name for name, array in arrays if not np.any((array == 0) & np.signbit(array.astype(np.float64)))}
    signed = {value.name for value in graph.output}
    for node in graph.node:
        added = node.input if node.op_type == "Add" and not node.domain else ()
        if unsigned & {*added}:
            unsigned.update(node.output)
        signed.update(names_read(node) - {a for a, b in zip(added, added[::-1], strict=True) if b in unsigned})
    return signed


def _positions(node: NodeProto, shape: tuple[int, ...]) -> NodeProto:
    """The result of NonZero for a mask of ones, as a constant."""
    value = np.indices(shape).reshape(len(shape), -1).astype(np.int64)
    return helper.make_node("Constant", [], node.output, node.name, value=numpy_helper.from_array(value))


def _with_all_positions(model: ModelProto, masks: Mapping[str, tuple[NodeProto, tuple[int, ...]]]) -> ModelProto | None:
    """`model` with inferred types for full masks; None if inference fails."""
    copy = ModelProto.FromString(model.SerializeToString())
    for node in copy.graph.node:
        if node.op_type == "NonZero" and node.output[0] in masks:
            node.CopyFrom(_positions(*masks[node.output[0]]))
    del copy.graph.value_info[:]
    try:
        return shape_inference.infer_shapes(copy, data_prop=True)
    except Exception:  # onnx raises many exception types; nothing is rewritten then
        return None


def _positive(axis: int, rank: int) -> int:
    return axis + rank if axis < 0 else axis
