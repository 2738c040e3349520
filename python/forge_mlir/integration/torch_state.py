"""In-place writes and result names of a torch program in its ONNX program.

ONNX has no writes, so that a graph that reads a buffer as a weight loses what is written to it. A buffer that is
written therefore becomes an input, and its new value an output, which the caller passes in next time; the new value of
an input that is written becomes an output too. torch.export's signature identifies them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import onnx_ir as ir
from torch.onnx import ONNXProgram
from torch.utils import _pytree as pytree

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote

_WRITES: dict[str, Literal["buffer", "input"]] = {
    "BUFFER_MUTATION": "buffer",
    "PARAMETER_MUTATION": "buffer",
    "USER_INPUT_MUTATION": "input",
}
_ORIGINAL_NAME = "pkg.torch.onnx.original_node_name"


@dataclass(frozen=True)
class Written:
    """A buffer, parameter or input that a module writes in place: `name` is the input of the ONNX graph that takes the
    value, `output` the output that returns it."""

    kind: Literal["buffer", "input"]
    name: str
    output: str

    def __str__(self) -> str:
        return f"{self.kind} {quote(self.name)}"


def return_writes(program: ONNXProgram) -> tuple[Written, ...]:
    """Adds outputs for all writes to the unoptimised `program`, and inputs for buffers among these. Raises ForgeError,
    naming them, if the program has lost them."""
    exported = program.exported_program
    if exported is None:
        return ()
    graph = program.model.graph
    specs = [spec for spec in exported.graph_signature.output_specs if spec.kind.name != "USER_OUTPUT"]
    values = {value.metadata_props.get(_ORIGINAL_NAME, value.name): value for value in _values(graph)}
    written = []
    for spec in specs:
        kind, target = _WRITES.get(spec.kind.name), str(spec.target)
        value = values.get(spec.arg.name)
        if kind is None or value is None or (kind == "buffer" and target not in graph.initializers):
            raise ForgeError(
                Code.WritesLost,
                f"the program writes to {quote(target)} in place, and its ONNX form has no such result: compile the "
                "module, or its ExportedProgram",
            )
        output = _unused(f"{target}.updated", {known.name for known in _values(graph)})
        node = ir.node("Identity", [value], name=output)
        result = node.outputs[0]
        result.name, result.type, result.shape = output, value.type, value.shape
        graph.append(node)
        graph.outputs.append(result)
        written.append(Written(kind, target, output))
    for each in written:
        if each.kind == "buffer":
            buffer = graph.initializers.pop(each.name)
            buffer.const_value = None
            graph.inputs.append(buffer)
    return tuple(written)


def name_outputs(program: ONNXProgram) -> None:
    """Names the outputs of `program` after the module's results: "logits", "cache.keys.0". Each output becomes a
    distinct value that is neither an input nor a weight."""
    graph = program.model.graph
    names = _names_of_results(program)
    given = [value for value in _values(graph) if value.producer() is None]
    seen: set[int] = set()
    for at, value in enumerate(list(graph.outputs)):
        if id(value) in seen or any(value is other for other in given):
            node = ir.node("Identity", [value], name=f"output_{at}")
            copy = node.outputs[0]
            copy.name, copy.type, copy.shape = f"{value.name}_output_{at}", value.type, value.shape
            graph.append(node)
            graph.outputs[at] = value = copy
        seen.add(id(value))
    # Outputs without a name keep theirs; other values must not have the name of an output, and are renamed below.
    names += [None] * (len(graph.outputs) - len(names))
    named = list(zip(graph.outputs, names, strict=True))
    taken = {value.name for value in given} | {value.name for value, name in named if not name}
    for value, name in named:
        if name:
            value.name = _unused(name, taken)
            taken.add(value.name)
    results = {id(value) for value in graph.outputs}
    for value in _values(graph):
        if value.producer() is not None and id(value) not in results and value.name in taken:
            value.name = _unused(f"{value.name}_inner", {known.name for known in _values(graph)})


def _names_of_results(program: ONNXProgram) -> list[str | None]:
    """The name of each tensor that the program returns; None if it has only a position."""
    exported = program.exported_program
    if exported is None:
        return []
    specs = [spec for spec in exported.graph_signature.output_specs if spec.kind.name == "USER_OUTPUT"]
    tree = exported.call_spec.out_spec
    if tree is None or tree.num_leaves != len(specs):
        return []
    paths, _ = pytree.tree_flatten_with_path(pytree.tree_unflatten(list(range(len(specs))), tree))
    named = [_path_text(path) for path, _ in paths]
    return [name for name, spec in zip(named, specs, strict=True) if not hasattr(spec.arg, "value")]


def _path_text(path: tuple[Any, ...]) -> str | None:
    words = [str(getattr(key, "key", getattr(key, "name", getattr(key, "idx", None)))) for key in path]
    return ".".join(words) if any(not hasattr(key, "idx") for key in path) else None


def _values(graph: ir.Graph) -> Iterator[ir.Value]:
    yield from graph.inputs
    yield from graph.initializers.values()
    for node in graph:
        yield from node.outputs


def _unused(name: str, taken: set[str | None]) -> str:
    while name in taken:
        name = f"{name}_"
    return name
