"""Rules for arithmetic ops: their effect on padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, TypeProto, helper

from forge_mlir.errors import escaped
from forge_mlir.importer.generation.fold import COMPARISONS, axes_of, size_of
from forge_mlir.importer.generation.program import ALL_ZERO, Known, Program, Value, attributes_of, counts_of
from forge_mlir.importer.generation.sizes import Size

Rule = Callable[[Program, NodeProto], None]

_ELEMENTWISE = [
    "Add", "Sub", "Mul", "Div", "Pow", "Mod", "Neg", "Abs", "Sqrt", "Reciprocal", "Exp", "Log", "Tanh",
    "Sigmoid", "Erf", "Relu", "Gelu", "Cos", "Sin", "Floor", "Ceil", "Round", "Sign", "Min", "Max", "Clip",
    "Softplus", "Softsign", "LeakyRelu", "Elu", "Celu", "Selu", "HardSigmoid", "HardSwish", "Mish", "Swish",
    "ThresholdedRelu", "PRelu", "Where", "Cast", "CastLike", "Identity", "Dropout", "Sum", "Mean", "Atan", "Sinh",
    "Cosh", "Asinh", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot",
]  # fmt: skip
_NEUTRAL = {
    "Sum": 0, "L1": 0, "L2": 0, "SumSquare": 0, "Prod": 1, "Max": -np.inf, "Min": np.inf, "LogSumExp": -np.inf,
}  # fmt: skip
"""The elements that do not change a reduction."""
_KEEP_ZERO = [
    "Cast", "CastLike", "Identity", "Dropout", "Neg", "Abs", "Relu", "Tanh", "Sin", "Sqrt", "Gelu", "Round",
    "Floor", "Ceil", "Sign",
]  # fmt: skip
_POLES = {"Div": 1, "Mod": 1, "Pow": 0, "Reciprocal": 0, "Log": 0}
"""The operands that must not be 0."""
_QUANTISERS = ("QuantizeLinear", "DequantizeLinear")
_EXACT = (TensorProto.INT64, TensorProto.INT32, TensorProto.DOUBLE, TensorProto.FLOAT)
"""The types that represent every position."""


def given(program: Program, node: NodeProto) -> list[Value]:
    """The operands that are present."""
    return [program.values[name] for name in node.input if name]


def broadcast(program: Program, node: NodeProto, shapes: Sequence[Sequence[Size]]) -> tuple[Size, ...]:
    rank = max(map(len, shapes))
    result = [Size(1)] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            if size == Size(1) or size == result[axis]:
                continue
            if result[axis] != Size(1):
                raise program.refused(node, f"sizes {result[axis]} and {size} fit together for one length only")
            result[axis] = size
    return tuple(result)


def _zeros_of(node: NodeProto, values: list[Value], rank: int) -> frozenset[int]:
    """The axes of an elementwise result along which the padding is 0."""
    axes = [frozenset(axis + rank - len(value.shape) for axis in value.zeros) for value in values]
    if node.op_type in _KEEP_ZERO:
        return axes[0]
    if node.op_type == "Mul":
        return axes[0] | axes[1]
    if node.op_type == "Div":
        return axes[0] if values[1].known is not None else frozenset()
    if node.op_type == "Where":
        chosen = [frozenset(range(rank)) if _is_zero(value) else at for value, at in zip(values, axes, strict=True)]
        return chosen[1] & chosen[2]
    if node.op_type == "And":
        return axes[0] | axes[1]
    return frozenset()


def _counted(values: list[Value], shape: tuple[Size, ...]) -> int | None:
    """The axis along which the elements of a sum with zeros are their positions."""
    counts = [counts_of(value) for value in values]
    if ALL_ZERO not in counts:
        return None
    other = values[1 - counts.index(ALL_ZERO)]
    found = counts_of(other)
    return found if found in (None, ALL_ZERO) or other.shape[found] == shape[found] else None


def _is_by_rows(values: list[Value], shape: tuple[Size, ...]) -> bool:
    """Whether a sum adds per-row offsets to positions along the trailing axis, and the number of elements that precede
    each row."""
    if len(shape) < 2 or any(len(value.shape) != len(shape) for value in values):
        return False
    row, last = shape[0], len(shape) - 1
    if row.times or any(size != Size(1) for size in shape[1:last]):
        return False
    for columns, starts in (values, values[::-1]):
        known = [] if starts.known is None else starts.known.reshape(-1).tolist()
        if counts_of(columns) == last and columns.shape[last] == shape[last] and starts.shape[last] == Size(1):
            return known == [shape[last].scaled(at) for at in range(row.const)]
    return False


def _is_zero(value: Value) -> bool:
    elements = value.known.reshape(-1).tolist() if value.known is not None else [1]
    return all((each == Size(0) or each == 0) for each in elements)


def elementwise(program: Program, node: NodeProto) -> None:
    """Elementwise: padding stays at its positions."""
    values = given(program, node)
    dtype = values[1].dtype if node.op_type in ("Where", "CastLike") else values[0].dtype
    if node.op_type == "Cast":
        dtype = attributes_of(node)["to"]
    elif node.op_type in COMPARISONS:
        dtype = TensorProto.BOOL
    operands = values[:1] if node.op_type in ("Clip", "CastLike", "Dropout") else values
    shape = broadcast(program, node, [value.shape for value in operands])
    zeros = frozenset(axis for axis in _zeros_of(node, values, len(shape)) if shape[axis].times)
    keeps = node.op_type in ("Cast", "Identity", "CastLike") and dtype in _EXACT
    program.copy(node, _without_poles(program, node))
    first = values[0]
    counts = counts_of(first) if keeps and len(first.shape) == len(shape) else None
    if node.op_type == "Add" and len(first.shape) == len(values[1].shape):
        counts = _counted(values, shape)
    program.give(
        node.output[0],
        Value(
            node.output[0],
            dtype,
            shape,
            None,
            zeros,
            counts,
            first.grid if keeps else (),
            node.op_type == "Add" and _is_by_rows(values, shape),
        ),
    )
    for name in filter(None, node.output[1:]):  # the mask of a Dropout
        program.give(name, Value(name, TensorProto.BOOL, shape))


def _without_poles(program: Program, node: NodeProto) -> list[str]:
    """The operands of `node`, with 1 for padding that may be 0 where 0 would become an infinity or an error: a factor
    of 0 does not exclude an infinity from a sum. The padding of masks and of caches may be 0; that of a prompt is
    computed from a token of the prompt."""
    inputs = [program.read(name) for name in node.input]
    at = _POLES.get(node.op_type)
    if at is None or (node.op_type == "Pow" and _is_not_negative(program, program.values[node.input[1]])):
        return inputs
    value = program.values[node.input[at]]
    is_of_tokens = bool(program.values[program.ids].padded)
    for axis in value.padded:
        if axis in value.zeros or not is_of_tokens:
            inputs[at] = program.without_padding(inputs[at], value, axis, program.number(1, value.dtype))
    return inputs


def _is_not_negative(program: Program, value: Value) -> bool:
    elements = [-1] if value.known is None else value.known.reshape(-1).tolist()
    return all((program.span.bounds(each)[0] if isinstance(each, Size) else each) >= 0 for each in elements)


def matmul(program: Program, node: NodeProto) -> None:
    """A sum over positions ignores padding, because one factor is 0 there. FusedMatMul may transpose matrices."""
    a, b = given(program, node)
    attributes = attributes_of(node)
    if not a.shape or not b.shape:
        raise program.refused(node, "an operand is a scalar")
    if attributes.get("transBatchA") or attributes.get("transBatchB"):
        raise program.refused(node, "transposed axes of a batch are not supported here")
    left, right = program.read(node.input[0]), program.read(node.input[1])
    # The axes of sums, and those of rows and columns; a vector has no other axis.
    sums = [len(a.shape) - 1, max(len(b.shape) - 2, 0)]
    others = [len(a.shape) - 2, len(b.shape) - 1]
    for at, (value, name) in enumerate(((a, "transA"), (b, "transB"))):
        if attributes.get(name) and len(value.shape) > 1:
            sums[at], others[at] = others[at], sums[at]
    if a.shape[sums[0]].times and sums[0] not in a.zeros and sums[1] not in b.zeros:
        left = program.with_zeros(left, a, sums[0])
    rows, columns = ((x.shape[at],) if len(x.shape) > 1 else () for x, at in zip((a, b), others, strict=True))
    batch = broadcast(program, node, [a.shape[:-2], b.shape[:-2]]) if len(a.shape) > 2 or len(b.shape) > 2 else ()
    program.copy(node, [left, right])
    program.give(node.output[0], Value(node.output[0], a.dtype, (*batch, *rows, *columns)))


def gemm(program: Program, node: NodeProto) -> None:
    attributes = attributes_of(node)
    a, b = given(program, node)[:2]
    rows, depth = a.shape[::-1] if attributes.get("transA") else a.shape
    columns = b.shape[0] if attributes.get("transB") else b.shape[1]
    if depth.times:
        raise program.refused(node, "it sums over positions")
    program.copy(node)
    program.give(node.output[0], Value(node.output[0], a.dtype, (rows, columns)))


def softmax(program: Program, node: NodeProto) -> None:
    """Padding gets minus infinity, so that its probability is 0. If the model adds a mask to its scores, the mask is
    changed once for all layers, instead of the scores."""
    (value,) = given(program, node)
    rank = len(value.shape)
    default = -1 if program.opset >= 13 else 1
    axis = attributes_of(node).get("axis", default) % rank
    if value.padded and axis != rank - 1:
        raise program.refused(node, "a softmax along an axis other than the last is not supported here")
    name = program.read(node.input[0])
    zeros: frozenset[int] = frozenset()
    if value.shape[axis].times:
        if node.op_type == "LogSoftmax":
            raise program.refused(node, "it reads positions beyond the length")
        name = _hidden(program, node, name, value, axis)
        zeros = frozenset([axis])
    program.copy(node, [name])
    program.give(node.output[0], Value(node.output[0], value.dtype, value.shape, None, zeros))


def _hidden(program: Program, node: NodeProto, name: str, value: Value, axis: int) -> str:
    """Sets the padding of scores along `axis` to minus infinity; but in rows that are padding to 0. The model may hide
    all other positions from these rows, as a sliding window does, and a softmax of minus infinities is NaN."""
    rows = [at for at in value.padded if at != axis]
    fill = _fill(program, value, -np.inf, rows)
    producer = program.producers.get(node.input[0])
    if producer is not None and producer.op_type == "Add":
        for ours, theirs in (producer.input, tuple(producer.input)[::-1]):
            mask = program.values[ours]
            alike = len(mask.shape) == len(value.shape) and mask.shape[axis] == value.shape[axis]
            alike = alike and any(size == Size(1) != other for size, other in zip(mask.shape, value.shape, strict=True))
            if alike and (not rows or _is_product(program, theirs)):
                hidden = program.without_padding(program.read(ours), mask, axis, fill)
                return program.emit("Add", [program.read(theirs), hidden])
    return program.without_padding(name, value, axis, fill)


def _fill(program: Program, value: Value, number: float, rows: list[int]) -> str:
    """`number`, or the integer next to it that the device has, but 0 in the padding of the axes `rows`."""
    kind = helper.tensor_dtype_to_np_dtype(value.dtype)
    for each in (kind, np.int32) if kind.kind in "iu" else ():
        number = min(max(number, np.iinfo(each).min), np.iinfo(each).max)
    fill = program.number(number, value.dtype)
    for at in rows:
        fill = program.with_zeros(fill, value, at)
    return fill


def _is_product(program: Program, name: str) -> bool:
    """Whether a value is a scaled matrix product: scores that are finite, because no mask was added to them."""
    while (node := program.producers.get(name)) is not None and node.op_type in ("Mul", "Div", "Tanh", "Cast"):
        name = node.input[0]
    return node is not None and node.op_type in ("MatMul", "FusedMatMul")


def reduced(program: Program, node: NodeProto) -> None:
    """Reductions over positions ignore padding; means are refused."""
    value = given(program, node)[0]
    attributes = attributes_of(node)
    rank = len(value.shape)
    second = program.value(node.input[1]) if len(node.input) > 1 else None
    if second is not None and second.known is None:
        raise program.refused(node, "its axes are not known")
    axes = axes_of(None if second is None else second.known, attributes)
    if not axes and attributes.get("noop_with_empty_axes"):
        axes = []
    elif not axes:
        axes = list(range(rank))
    axes = [axis % rank for axis in axes]
    name, neutral = program.read(node.input[0]), _NEUTRAL.get(node.op_type.removeprefix("Reduce"))
    for axis in (axis for axis in axes if value.shape[axis].times):
        if neutral is None:
            raise program.refused(node, "it reads positions beyond the length")
        if neutral or axis not in value.zeros:
            rows = [at for at in value.padded if at not in axes]
            name = program.without_padding(name, value, axis, _fill(program, value, neutral, rows))
    keep = attributes.get("keepdims", 1)
    shape = [Size(1) if axis in axes else size for axis, size in enumerate(value.shape) if axis not in axes or keep]
    program.copy(node, [name, *(program.read(each) for each in node.input[1:])])
    program.give(node.output[0], Value(node.output[0], value.dtype, tuple(shape)))


def cumsum(program: Program, node: NodeProto) -> None:
    """Cumulative sum: elements before the length do not depend on padding."""
    value = given(program, node)[0]
    program.held_shape(value.shape, node)
    if value.padded and attributes_of(node).get("reverse"):
        raise program.refused(node, "it reads positions beyond the length")
    program.copy(node)
    program.give(
        node.output[0],
        replace(value, name=node.output[0], known=None, zeros=frozenset(), counts=None, grid=(), by_rows=False),
    )


def rows(program: Program, node: NodeProto) -> None:
    """Norms along trailing axes, or one axis: each position is independent."""
    value = given(program, node)[0]
    axis = attributes_of(node).get("axis", -1) % len(value.shape)
    last = axis if node.op_type == "LpNormalization" else len(value.shape)
    if any(axis <= each <= last for each in value.padded):
        raise program.refused(node, "it reads positions beyond the length")
    program.copy(node)
    program.give(node.output[0], Value(node.output[0], value.dtype, value.shape))
    for at, name in enumerate(node.output[1:], 1):
        if name:  # mean and deviation; the fourth result of a norm with a residual is the sum
            summed = node.op_type.startswith("Skip") and at == 3
            shape = value.shape if summed else (*value.shape[:axis], *[Size(1)] * (len(value.shape) - axis))
            program.give(name, Value(name, value.dtype if summed else TensorProto.FLOAT, shape))


def quantiser(program: Program, node: NodeProto) -> None:
    """QuantizeLinear and DequantizeLinear: each position is independent, and has no scale of its own."""
    value, scale = given(program, node)[:2]
    attributes = attributes_of(node)
    axis = attributes.get("axis", 1)
    if scale.padded or (scale.shape not in ((), (Size(1),)) and value.shape[axis].times):
        raise program.refused(node, "it reads scales beyond the length")
    dtype = scale.dtype
    if node.op_type == "QuantizeLinear":
        has_zero = len(node.input) > 2 and node.input[2]
        dtype = program.values[node.input[2]].dtype if has_zero else attributes.get("output_dtype") or TensorProto.UINT8
    elif attributes.get("output_dtype"):
        dtype = attributes["output_dtype"]
    program.copy(node)
    program.give(node.output[0], Value(node.output[0], dtype, value.shape))


def packed_product(program: Program, node: NodeProto) -> None:
    """MatMulNBits: each position is independent."""
    value = given(program, node)[0]
    program.copy(node)
    shape = (*value.shape[:-1], Size(attributes_of(node)["N"]))
    program.give(node.output[0], Value(node.output[0], value.dtype, shape))


_EXPERTS = "export the model so that each expert is computed for all tokens, by products with its weights"
_CURES = {
    **dict.fromkeys(("NonZero", "MoE", "QMoE"), _EXPERTS),
    "DynamicQuantizeLinear": "quantise with constant scales, or only the weights",
}
"""What users can do about ops that select tokens, or that compute with all tokens."""


def anything(program: Program, node: NodeProto) -> None:
    """An op without sizes that depend on n is unchanged; an unknown op must not read padding."""
    padded = next((value for value in given(program, node) if value.padded), None)
    if padded is not None:
        reason = "there is no rule that keeps it from reading positions beyond the length"
        raise program.refused(node, reason, hint=_CURES.get(node.op_type, ""))
    program.copy(node)
    types = {}
    for name in filter(None, node.input):
        value = program.values[name]
        types[name] = helper.make_tensor_type_proto(value.dtype, program.held_shape(value.shape, node))
    try:
        schema = onnx.defs.get_schema(node.op_type, program.opset, node.domain)
        data = {}
        for name in filter(None, node.input):
            known = program.values[name].known
            if known is not None:
                data[name] = _tensor(known, program.values[name].dtype)
        found = onnx.shape_inference.infer_node_outputs(
            schema, node, types, data, opset_imports=[helper.make_opsetid(node.domain, program.opset)]
        )
    except Exception as error:
        raise program.refused(node, f"its results have no shape: {escaped(error)}") from error
    for name in filter(None, node.output):
        tensor = found[name].tensor_type if name in found else TypeProto.Tensor()
        if not tensor.HasField("shape") or any(not dim.HasField("dim_value") for dim in tensor.shape.dim):
            reason = "the shape of its result depends on the length, or on values that are known only at run time"
            raise program.refused(node, reason, hint=_CURES.get(node.op_type, ""))
        program.give(name, Value(name, tensor.elem_type, tuple(Size(dim.dim_value) for dim in tensor.shape.dim)))


def _tensor(known: Known, dtype: int) -> TensorProto:
    flat = [size_of(each) if isinstance(each, Size) else each for each in known.reshape(-1).tolist()]
    array = np.array(flat, helper.tensor_dtype_to_np_dtype(dtype)).reshape(known.shape)
    return onnx.numpy_helper.from_array(array)


RULES: dict[str, Rule] = {
    **dict.fromkeys((*_ELEMENTWISE, *COMPARISONS), elementwise),
    "MatMul": matmul,
    "Gemm": gemm,
    "Softmax": softmax,
    "LogSoftmax": softmax,
    **{f"Reduce{kind}": reduced for kind in ("Mean", *_NEUTRAL)},
    "CumSum": cumsum,
    **dict.fromkeys(_QUANTISERS, quantiser),
    "LpNormalization": rows,
    "LayerNormalization": rows,
    "RMSNormalization": rows,
    "SimplifiedLayerNormalization": rows,
}

MICROSOFT: dict[str, Rule] = {
    **dict.fromkeys(["FastGelu", "Gelu", "QuickGelu", "BiasGelu"], elementwise),
    "SkipSimplifiedLayerNormalization": rows,
    "SkipLayerNormalization": rows,
    "SimplifiedLayerNormalization": rows,
    **dict.fromkeys(_QUANTISERS, quantiser),
    "FusedMatMul": matmul,
    "MatMulNBits": packed_product,
}
