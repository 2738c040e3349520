"""Delta debugging: removes what a failure does not need, in a deterministic order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import onnx.numpy_helper
from onnx import ModelProto, helper

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, counted
from forge_mlir.execute.onnx.nodes import element_code
from forge_mlir.reduce.cases import Case
from forge_mlir.reduce.predicates import Predicate
from forge_mlir.support.progress import phase
from forge_mlir.support.sandbox import Limits

T = TypeVar("T")


def reduce_case(case: Case, fails: Predicate, limits: Limits | None = None) -> Case:
    """The smallest case found that still `fails`: no single node, output, attribute or initializer can be removed from
    it. Raises ForgeError if `case` does not fail."""
    with phase("the model with fixed inputs"):
        whole = case.with_nodes(case.nodes)
        if whole is None or not fails(whole):
            raise ForgeError(
                Code.NothingToReduce, "the model does not fail once its inputs are fixed: there is nothing to reduce"
            )
    nodes = minimize(whole.nodes, lambda kept: _holds(case.with_nodes(kept), fails))
    reduced = case.with_nodes(nodes)
    assert reduced is not None
    with phase(f"simplify {counted(len(nodes), 'node')}"):
        # Declared types would prevent many of the following steps.
        untyped = reduced.without_types()
        best = untyped if fails(untyped) else reduced
        while simpler := next((other for other in _simpler(best) if _holds(other, fails)), None):
            best = simpler
        typed = best.with_output_types(limits or Limits())
        return typed if fails(typed) else best


def minimize(items: Sequence[T], holds: Callable[[list[T]], bool]) -> list[T]:
    """A minimal ordered subset of `items` for which `holds` (Zeller's ddmin)."""
    kept, count = list(items), 2
    while len(kept) > 1:
        size = -(-len(kept) // count)
        chunks = [(at, min(at + size, len(kept))) for at in range(0, len(kept), size)]
        # Single chunks first, because usually one node fails by itself.
        candidates = [kept[first:last] for first, last in chunks] + [
            kept[:first] + kept[last:] for first, last in chunks
        ]
        found = None
        with phase(f"parts of {len(kept)} nodes", len(candidates)) as advance:
            for tried, candidate in enumerate(candidates, 1):
                if candidate and holds(candidate):
                    found = candidate
                    break
                advance(tried)
        if found is not None:
            kept, count = found, max(2, min(count - 1, len(found)))
        elif size == 1:
            break
        else:
            count = min(2 * count, len(kept))
    return kept


def _holds(case: Case | None, fails: Predicate) -> bool:
    return case is not None and fails(case)


def _simpler(case: Case) -> Iterator[Case | None]:
    """Cases that are one step simpler: fewer outputs, no weights, fewer attributes, sizes of 1."""
    outputs = [value.name for value in case.model.graph.output]
    if len(outputs) > 1:
        for name in outputs:
            yield case.with_nodes(case.nodes, [other for other in outputs if other != name])
    for at, node in enumerate(case.nodes):
        for attribute in range(len(node.attribute)):
            model = _copy(case)
            del model.graph.node[at].attribute[attribute]
            yield Case(model, case.values)
        if len(node.output) > 1 and node.output[-1] and node.output[-1] not in outputs:
            model = _copy(case)
            del model.graph.node[at].output[-1]
            yield Case(model, case.values)
    for at, tensor in enumerate(case.model.graph.initializer):
        value = onnx.numpy_helper.to_array(tensor)
        if value.size > 1 and value.dtype.kind == "f" and (value != 1).any():
            model = _copy(case)
            model.graph.initializer[at].CopyFrom(onnx.numpy_helper.from_array(np.ones_like(value), tensor.name))
            yield Case(model, case.values)
    yield from _smaller_sizes(case)


def _smaller_sizes(case: Case) -> Iterator[Case]:
    """Cases in which the axes of one size in all inputs and initializers are reduced to 1."""
    tensors = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in case.model.graph.initializer}
    arrays = {**tensors, **case.inputs}
    sizes = sorted({size for array in arrays.values() for size in array.shape if size > 1}, reverse=True)
    for size in sizes:
        cut = {}
        for name, array in arrays.items():
            if size in array.shape:
                cut[name] = np.ascontiguousarray(
                    array[tuple(slice(0, 1) if n == size else slice(None) for n in array.shape)]
                )
        model = _copy(case)
        for tensor in model.graph.initializer:
            if tensor.name in cut:
                tensor.CopyFrom(onnx.numpy_helper.from_array(cut[tensor.name], tensor.name))
        for value in model.graph.input:
            if value.name in cut:
                array = cut[value.name]
                value.CopyFrom(helper.make_tensor_value_info(value.name, element_code(array.dtype), array.shape))
        for value in model.graph.output:
            value.type.tensor_type.ClearField("shape")
        yield Case(model, {**case.values, **cut})


def _copy(case: Case) -> ModelProto:
    model = ModelProto()
    model.CopyFrom(case.model)
    return model
