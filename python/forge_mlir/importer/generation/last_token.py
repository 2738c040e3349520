"""Computes the logits of only the last token of a prompt: selects its row before the final product."""

from __future__ import annotations

from onnx import NodeProto, TensorProto

from forge_mlir.importer.generation.program import Program, Value, known_of
from forge_mlir.importer.generation.sizes import Size
from forge_mlir.onnx_model.graph import fresh_name

_BY_POSITION = ("MatMul", "MatMulNBits", "Cast", "Tanh", "Mul", "Div", "Add", "Identity")


def last_token_only(program: Program, logits: str, tokens: Size) -> str:
    """`logits`, [batch, `tokens`, words], at the last token: [batch, 1, words]. The ops that lead to them process each
    position independently, and are applied to that position only."""
    producers = {name: node for node in program.nodes for name in node.output}
    readers: dict[str, int] = {}
    for node in program.nodes:
        for name in node.input:
            readers[name] = readers.get(name, 0) + 1
    chain: list[tuple[NodeProto, int]] = []
    at = logits
    while (node := producers.get(at)) is not None and node.op_type in _BY_POSITION and readers.get(at, 0) <= 1:
        padded = {index: value for index, name in enumerate(node.input) if (value := _padded(program, name))}
        if len(padded) != 1:
            break
        ((index, value),) = padded.items()
        if len(value.shape) != 3 or value.padded != [1] or (node.op_type.startswith("MatMul") and index != 0):
            break
        chain.append((node, index))
        at = node.input[index]
    last = program.materialise(known_of([tokens.plus(Size(-1))], [1]), TensorProto.INT64)
    made = program.emit("Gather", [at, last], axis=1)
    for node, index in reversed(chain):
        copy = NodeProto()
        copy.CopyFrom(node)
        program.nodes.append(copy)
        copy.input[index] = made
        made = copy.output[0] = fresh_name(f"{node.output[0]}/last", program.taken)
        copy.name = f"{node.name}/last"
    return made


def _padded(program: Program, name: str) -> Value | None:
    """The value `name` of the program if a size of it depends on the length of a prompt, otherwise None."""
    return next((value for value in program.values.values() if value.name == name and value.padded), None)
