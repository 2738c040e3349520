"""Breaks ONNX models: their structure or their bytes."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from random import Random
from typing import Any

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto

NUMBERS = (0, 1, -1, 2, 3, 7, 31, 32, 127, 255, 65536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63))
FLOATS = (0.0, -0.0, 1e-45, 3.4e38, float("inf"), float("-inf"), float("nan"), -1.0)
TEXTS = (
    "", " ", "x", "NOTSET", "SAME_UPPER", "linear", "../../etc/passwd", "/dev/zero", "a" * 4000, "\0", "\r\n#",
    "\u202e", '"), __import__("os").system("touch pwned"), str("', "%s{}<b>|=1+1", "\x1b[31m", "self", "forge", 
    "__class__",
)  # fmt: skip
OPS = ("Conv", "If", "Loop", "Scan", "Reshape", "Slice", "Split", "Concat", "Einsum", "Resize", "TopK", "Attention",
       "LSTM", "MatMul", "Transpose", "ConstantOfShape", "Range", "Tile", "Expand", "Pad", "Gather",
       "SequenceAt")  # fmt: skip


def mutate(r: Random, data: bytes) -> bytes:
    """A broken version of a serialised model: one to four changes of its structure, or of its bytes."""
    if r.random() < 0.25:
        return _bytes(r, data)
    model = ModelProto.FromString(data)
    for _ in range(r.randint(1, 4)):
        r.choice(_CHANGES)(r, model)
    try:
        return bytes(model.SerializeToString())
    except ValueError:  # The value is out of range for protobuf.
        return _bytes(r, data)


def mutate_gently(r: Random, model: ModelProto) -> bytes:
    """A version of `model` with small changes of attributes, types, sizes or constants, most of which pass onnx's
    checker."""
    for _ in range(r.randint(0, 2)):
        r.choice(_GENTLE)(r, model)
    return bytes(model.SerializeToString())


def _shift_attribute(r: Random, _: GraphProto, node: NodeProto) -> None:
    """Changes a number of an attribute, or replaces a text by another one that the op knows."""
    if not node.attribute:
        return
    attribute = r.choice(node.attribute)
    if attribute.type == AttributeProto.INT:
        attribute.i = r.choice([*_NEAR, attribute.i + 1, attribute.i - 1, -attribute.i])
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = r.choice([*FLOATS, attribute.f * 2, -attribute.f])
    elif attribute.ints:
        at = r.randrange(len(attribute.ints))
        attribute.ints[at] = r.choice([*_NEAR, attribute.ints[at] + 1])
    elif attribute.floats:
        attribute.floats[r.randrange(len(attribute.floats))] = r.choice(FLOATS)


def _drop_attribute(r: Random, _: GraphProto, node: NodeProto) -> None:
    if node.attribute:
        node.attribute.remove(r.choice(node.attribute))


def _exchange_operands(r: Random, _: GraphProto, node: NodeProto) -> None:
    """Exchanges two operands, or omits an optional one."""
    if len(node.input) > 1:
        a, b = r.randrange(len(node.input)), r.randrange(1, len(node.input))
        node.input[a], node.input[b] = (node.input[b], node.input[a]) if r.random() < 0.6 else (node.input[a], "")


def _resize_input(r: Random, model: ModelProto) -> None:
    """Changes one dimension of one input, or makes it dynamic."""
    dims = [dim for value in model.graph.input for dim in value.type.tensor_type.shape.dim]
    if dims:
        dim = r.choice(dims)
        if r.random() < 0.2:
            dim.dim_param = r.choice(["n", "batch"])
        else:
            dim.dim_value = r.choice([0, 1, 2, 3, dim.dim_value + 1, 33])


def _retype_input(r: Random, model: ModelProto) -> None:
    if model.graph.input:
        kinds = [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL]
        r.choice(model.graph.input).type.tensor_type.elem_type = r.choice(kinds)


def _declare(r: Random, model: ModelProto) -> None:
    """Declares a shape, which may be wrong, for a value between nodes or for an output."""
    names = [name for node in model.graph.node for name in node.output if name]
    if names:
        value = model.graph.value_info.add(name=r.choice(names))
        value.type.tensor_type.elem_type = r.choice([TensorProto.FLOAT, TensorProto.INT64])
        for _ in range(r.randint(0, 4)):
            value.type.tensor_type.shape.dim.add(dim_value=r.choice([0, 1, 2, 3, -1]))


def _change_constant(r: Random, model: ModelProto) -> None:
    """Changes some bytes of a constant, but not their number."""
    held = [tensor for tensor in model.graph.initializer if tensor.raw_data]
    if held:
        tensor = r.choice(held)
        raw = bytearray(tensor.raw_data)
        raw[r.randrange(len(raw))] = r.choice([0, 1, 0x7F, 0x80, 0xFF])
        tensor.raw_data = bytes(raw)


def _bytes(r: Random, data: bytes) -> bytes:
    raw = bytearray(data)
    for _ in range(r.randint(1, 8)):
        at = r.randrange(len(raw) + 1)
        match r.randrange(4):
            case 0 if at < len(raw):
                raw[at] = r.randrange(256)
            case 1:
                del raw[at : at + r.randint(1, 16)]
            case 2:
                raw[at:at] = r.randbytes(r.randint(1, 8))
            case _:
                raw[at:at] = raw[r.randrange(len(raw) + 1) :][: r.randint(1, 64)]
    return bytes(raw)


def _graphs(graph: GraphProto) -> list[GraphProto]:
    found = [graph]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += _graphs(attribute.g)
    return found


def _name(r: Random, graph: GraphProto) -> str:
    names = [name for node in graph.node for name in (*node.input, *node.output)]
    names += [value.name for value in graph.input] + [tensor.name for tensor in graph.initializer]
    return str(r.choice([*names, *names, *TEXTS]))


def _node(change: Callable[[Random, GraphProto, NodeProto], None]) -> Callable[[Random, ModelProto], None]:
    def apply(r: Random, model: ModelProto) -> None:
        graph = r.choice(_graphs(model.graph))
        if graph.node:
            change(r, graph, r.choice(graph.node))

    return apply


def _change_names(r: Random, graph: GraphProto, names: MutableSequence[str]) -> None:
    match r.randrange(4):
        case 0:
            names.append(_name(r, graph))
        case 1 if names:
            names.pop()
        case _ if names:
            names[r.randrange(len(names))] = _name(r, graph)


def _change_input(r: Random, graph: GraphProto, node: NodeProto) -> None:
    _change_names(r, graph, node.input)


def _change_output(r: Random, graph: GraphProto, node: NodeProto) -> None:
    _change_names(r, graph, node.output)


def _change_op(r: Random, graph: GraphProto, node: NodeProto) -> None:
    node.op_type = r.choice([*OPS, *(other.op_type for other in graph.node), r.choice(TEXTS)])
    if r.random() < 0.2:
        node.domain = r.choice(["", "com.microsoft", "ai.onnx.ml", *TEXTS])


def _change_name(r: Random, _: GraphProto, node: NodeProto) -> None:
    node.name = r.choice(TEXTS)
    node.doc_string = r.choice(TEXTS)


def _copy_node(r: Random, graph: GraphProto, node: NodeProto) -> None:
    copy = graph.node.add()
    copy.CopyFrom(node)
    if r.random() < 0.5:
        copy.output[:] = [f"{name}_" for name in copy.output]


def _drop_node(_: Random, graph: GraphProto, node: NodeProto) -> None:
    graph.node.remove(node)


def _nest(r: Random, graph: GraphProto, node: NodeProto) -> None:
    """Nests the graph as an attribute of one of its own nodes."""
    inner = GraphProto()
    inner.CopyFrom(graph)
    attribute = node.attribute.add()
    attribute.name = r.choice(["body", "then_branch", "else_branch"])
    attribute.type = AttributeProto.GRAPH
    attribute.g.CopyFrom(inner)


def _change_attribute(r: Random, _: GraphProto, node: NodeProto) -> None:
    if not node.attribute or r.random() < 0.1:
        extra = node.attribute.add()
        extra.name = r.choice(["axis", "axes", "perm", "pads", "group", "to", "mode", *TEXTS])
        extra.type, extra.i = AttributeProto.INT, r.choice(NUMBERS)
        return
    attribute = r.choice(node.attribute)
    match r.randrange(6):
        case 0:
            node.attribute.remove(attribute)
        case 1:
            attribute.type = r.choice(AttributeProto.AttributeType.values())
        case 2:
            attribute.name = r.choice(TEXTS)
        case _:
            _change_value(r, attribute)


def _change_value(r: Random, attribute: AttributeProto) -> None:
    attribute.i = r.choice(NUMBERS)
    attribute.f = r.choice(FLOATS)
    attribute.s = r.choice(TEXTS).encode("utf-8", "surrogateescape")
    _change_list(r, attribute.ints, NUMBERS)
    _change_list(r, attribute.floats, FLOATS)
    if attribute.HasField("t"):
        _change_tensor(r, attribute.t)


def _change_list(r: Random, values: Any, known: tuple[Any, ...]) -> None:
    for _ in range(r.randint(1, 2)):
        match r.randrange(3):
            case 0:
                values.append(r.choice(known))
            case 1 if len(values):
                values.pop()
            case _ if len(values):
                values[r.randrange(len(values))] = r.choice(known)


def _change_tensor(r: Random, tensor: TensorProto) -> None:
    match r.randrange(6):
        case 0:
            _change_list(r, tensor.dims, NUMBERS)
        case 1:
            tensor.data_type = r.choice([*TensorProto.DataType.values(), 99])
        case 2:
            tensor.raw_data = tensor.raw_data[: r.randrange(len(tensor.raw_data) + 1)] + r.randbytes(r.randint(0, 9))
        case 3:
            _change_list(r, tensor.int64_data, NUMBERS)
        case 4:
            tensor.data_location = TensorProto.EXTERNAL
            for key in ("location", "offset", "length"):
                tensor.external_data.add(key=key, value=r.choice([*TEXTS, *map(str, NUMBERS)]).replace("\0", "0"))
        case _:
            raw = bytearray(tensor.raw_data)
            if raw:
                raw[r.randrange(len(raw))] = r.choice([0, 1, 0x7F, 0x80, 0xFF])
                tensor.raw_data = bytes(raw)


def _change_value_info(r: Random, value: ValueInfoProto) -> None:
    tensor = value.type.tensor_type
    match r.randrange(5):
        case 0:
            tensor.elem_type = r.choice([*TensorProto.DataType.values(), 99])
        case 1:
            tensor.ClearField("shape")
        case 2:
            tensor.shape.dim.add().dim_value = r.choice(NUMBERS)
        case 3 if tensor.shape.dim:
            dim = r.choice(tensor.shape.dim)
            if r.random() < 0.3:
                dim.dim_param = r.choice(TEXTS)
            else:
                dim.dim_value = r.choice(NUMBERS)
        case _:
            value.name = r.choice(TEXTS)


def _change_types(r: Random, model: ModelProto) -> None:
    graph = r.choice(_graphs(model.graph))
    known = [*graph.input, *graph.output, *graph.value_info]
    if known:
        _change_value_info(r, r.choice(known))


def _change_initializer(r: Random, model: ModelProto) -> None:
    graph = r.choice(_graphs(model.graph))
    if not graph.initializer:
        graph.initializer.add(name=_name(r, graph), data_type=r.choice([1, 7]), dims=[r.choice(NUMBERS)])
    _change_tensor(r, r.choice(graph.initializer))


def _change_header(r: Random, model: ModelProto) -> None:
    match r.randrange(5):
        case 0:
            model.ir_version = r.choice(NUMBERS)
        case 1 if model.opset_import:
            r.choice(model.opset_import).version = r.choice([*range(1, 30), *NUMBERS])
        case 2:
            model.opset_import.add(domain=r.choice([*TEXTS, "com.microsoft"]), version=r.choice(NUMBERS))
        case 3:
            model.graph.name = r.choice(TEXTS)
        case _ if model.graph.output:
            output = model.graph.output.add()
            output.CopyFrom(model.graph.output[0])
            output.name = _name(r, model.graph)


_NEAR = (0, 1, -1, 2, 3, 7, 2**31)
_GENTLE: list[Callable[[Random, ModelProto], None]] = [
    *[_node(_shift_attribute)] * 4,
    _node(_drop_attribute),
    _node(_exchange_operands),
    *[_resize_input] * 2,
    _retype_input,
    _declare,
    _change_constant,
]

_CHANGES: list[Callable[[Random, ModelProto], None]] = [
    *[_node(_change_attribute)] * 4,
    *[_node(_change_input)] * 2,
    _node(_change_output),
    *[_node(_change_op)] * 2,
    _node(_change_name),
    _node(_copy_node),
    _node(_drop_node),
    _node(_nest),
    *[_change_types] * 2,
    *[_change_initializer] * 2,
    _change_header,
]
