"""Computes the logits of only the last token of a prompt: selects its row before the final product."""

from __future__ import annotations

from onnx import NodeProto, TensorProto

from forge_mlir.importer.generation.program import Program, known_of
from forge_mlir.importer.generation.sizes import Size

_BY_POSITION = ("MatMul", "MatMulNBits", "Cast", "Tanh", "Mul", "Div", "Add", "Identity")


def last_token_only(program: Program, logits: str) -> str:
    """`logits`, [batch, tokens, words], at the last token: [batch, 1, words]. The ops that lead to them process each
    position independently, and are applied to that position only."""
    producers = {name: node for node in program.nodes for name in node.output}
    readers: dict[str, int] = {}
    for node in program.nodes:
        for name in node.input:
            readers[name] = readers.get(name, 0) + 1
    chain: list[tuple[NodeProto, int]] = []
    at = logits
    while (node := producers.get(at)) is not None and node.op_type in _BY_POSITION and readers.get(at, 0) <= 1:
        deep = [index for index, name in enumerate(node.input) if _axes_of_positions(program, name)]
        if len(deep) != 1 or _axes_of_positions(program, node.input[deep[0]]) != [1]:
            break
        if node.op_type.startswith("MatMul") and deep != [0]:
            break
        chain.append((node, deep[0]))
        at = node.input[deep[0]]
    last = program.materialise(known_of([Size(-1, 1)], [1]), TensorProto.INT64)
    made = program.emit("Gather", [at, last], axis=1)
    for node, index in reversed(chain):
        copy = NodeProto()
        copy.CopyFrom(node)
        program.nodes.append(copy)
        copy.input[index] = made
        made = copy.output[0] = f"{node.output[0]}/last"
        copy.name = f"{node.name}/last"
    return made


def _axes_of_positions(program: Program, name: str) -> list[int]:
    """The axes of a value, counted as in a value of rank 3, whose size depends on the length of a prompt."""
    found = next((value for value in program.values.values() if value.name == name and value.padded), None)
    return [] if found is None else [axis + 3 - len(found.shape) for axis in found.padded]
