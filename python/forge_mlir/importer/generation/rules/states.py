"""Rules for convolutions, and for ops with a state of fixed size that is replaced as a whole, and must not depend on
padding."""

from __future__ import annotations

from onnx import NodeProto, TensorProto, helper

from forge_mlir.importer.generation.program import Program, Value, attributes_of, known_of
from forge_mlir.importer.generation.rules.arithmetic import Rule, anything
from forge_mlir.importer.generation.sizes import Size
from forge_mlir.onnx_model.graph import set_node_opset

_OPSET = 27
"""The opset of both ops, independent of that of the model. Those of com.microsoft have the additional attributes in
`_NEW`."""
_NEW = {"CausalConvWithState": {"ndim": 1, "state_window": 0}, "LinearAttention": {"state_window": 0}}


def _standard(program: Program, node: NodeProto, inputs: list[str]) -> None:
    """Replaces `node` by the ONNX op with other operands."""
    attributes = dict(attributes_of(node))
    for name, default in _NEW[node.op_type].items():
        if attributes.pop(name, default) != default:
            raise program.refused(node, f"its {name} has to be {default}")
    made = helper.make_node(node.op_type, inputs, list(node.output), name=node.name, **attributes)
    set_node_opset(made, _OPSET)
    program.nodes.append(made)


def convolution(program: Program, node: NodeProto) -> None:
    """CausalConvWithState, [batch, channels, positions]: the state consists of the last columns before the length."""
    value, state = program.values[node.input[0]], program.value(node.input[3]) if len(node.input) > 3 else None
    if state is None:
        raise program.refused(node, "it has no state of its past")
    _standard(program, node, [program.read(name) for name in node.input])
    program.give(node.output[0], Value(node.output[0], value.dtype, value.shape))
    if len(node.output) < 2 or not node.output[1]:
        return
    made, length, kept = node.output[1], value.shape[2], state.shape[2]
    if length.times:
        columns = program.emit("Concat", [program.read(node.input[3]), program.read(node.input[0])], axis=2)
        positions = known_of([length.plus(Size(at)) for at in range(kept.const)], [kept.const])
        made = program.emit("Gather", [columns, program.materialise(positions, TensorProto.INT64)], axis=2)
    program.give(node.output[1], Value(made, state.dtype, state.shape))


def attention(program: Program, node: NodeProto) -> None:
    """LinearAttention, [batch, positions, heads * size]: keys and decays of 0 do not change the state."""
    inputs = [program.read(name) for name in node.input]
    query, value = program.values[node.input[0]], program.values[node.input[2]]
    if query.shape[1].times:
        for at in (1, 4):
            if len(inputs) > at and inputs[at]:
                inputs[at] = program.with_zeros(inputs[at], program.values[node.input[at]], 1)
    _standard(program, node, inputs)
    attributes = attributes_of(node)
    size = value.shape[2].const // attributes["kv_num_heads"]
    shape = (*query.shape[:2], Size(size * attributes["q_num_heads"]))
    program.give(node.output[0], Value(node.output[0], query.dtype, shape))
    if len(node.output) > 1 and node.output[1]:
        depth = Size(query.shape[2].const // attributes["q_num_heads"])
        state = (query.shape[0], Size(attributes["kv_num_heads"]), depth, Size(size))
        past = program.value(node.input[3]) if len(node.input) > 3 else None
        program.give(node.output[1], Value(node.output[1], query.dtype if past is None else past.dtype, state))


def conv(program: Program, node: NodeProto) -> None:
    """Conv in steps of 1 along positions. Padding becomes 0, like the positions that Conv adds at the ends."""
    value, weight = (program.values[name] for name in node.input[:2])
    attributes, spatial = attributes_of(node), len(value.shape) - 2
    if not value.padded or weight.padded:
        anything(program, node)
        return
    if attributes.get("auto_pad", b"NOTSET") != b"NOTSET" or min(value.padded) < 2:
        raise program.refused(node, "it has auto_pad, or positions that are no spatial axis")
    pads, strides, dilations = (
        attributes.get(name, [default] * count)
        for name, default, count in (("pads", 0, 2 * spatial), ("strides", 1, spatial), ("dilations", 1, spatial))
    )
    name, shape = program.read(node.input[0]), [value.shape[0], weight.shape[0]]
    for at, size in enumerate(value.shape[2:]):
        more = pads[at] + pads[at + spatial] - dilations[at] * (weight.shape[at + 2].const - 1)
        if not size.times:
            shape.append(Size((size.const + more - 1) // strides[at] + 1))
            continue
        shape.append(size.plus(Size(more)))
        if strides[at] != 1 or program.held(shape[-1], node) != program.held(size, node) + more:
            raise program.refused(node, "it has fewer positions than its operand")
        if at + 2 not in value.zeros:
            name = program.with_zeros(name, value, at + 2)
    program.copy(node, [name, *(program.read(each) for each in node.input[1:])])
    program.give(node.output[0], Value(node.output[0], value.dtype, tuple(shape)))


RULES: dict[str, Rule] = {"Conv": conv, "CausalConvWithState": convolution, "LinearAttention": attention}
