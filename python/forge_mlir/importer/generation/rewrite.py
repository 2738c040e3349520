"""Rewrites a language model to one program of fixed shapes: a prompt or a token, over caches of one size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TensorShapeProto, ValueInfoProto, helper, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.errors import shortened
from forge_mlir.importer.generation.attention import expanded
from forge_mlir.importer.generation.fold import Unknown, fold
from forge_mlir.importer.generation.last_token import last_token_only
from forge_mlir.importer.generation.program import LARGEST_KNOWN, Known, Program, Value, known_of
from forge_mlir.importer.generation.recognise import LAST, PAST, TOTAL, Roles, recognise, takes_one_token
from forge_mlir.importer.generation.rules import arithmetic, indices, movement, states
from forge_mlir.importer.generation.rules.caches import Caches
from forge_mlir.importer.generation.rules.slices import sliced
from forge_mlir.importer.generation.sizes import Size, Span
from forge_mlir.importer.request import ProgramRequest
from forge_mlir.onnx_model.errors import import_error, quote, tensor_label
from forge_mlir.onnx_model.graph import all_names, constant_value, fresh_name, node_where, subgraphs
from forge_mlir.onnx_model.storage.weightless import placeholder_of

LENGTH = "length"
"""The input with the number of tokens of a prompt, or in the caches."""


def make_program(model: ModelProto, asked: ProgramRequest, opset: int) -> dict[str, object]:
    """Rewrites `model` in place, and returns the facts about it. Raises OnnxImportError for a model that is not a
    language model, and for a node that may read padding."""
    graph = model.graph
    roles = recognise(graph, dict(asked.caches))
    decodes = asked.kind == "decode"
    if decodes and not roles.caches:
        raise import_error(Code.NoCache, "a model without a cache has no step of one token", unsupported=True)
    if asked.tokens > asked.max_length:
        raise import_error(
            Code.InputConflict, f"prompts of {asked.tokens} tokens are longer than the {asked.max_length} of the caches"
        )
    capacity = asked.max_length if decodes else asked.tokens
    if not decodes and takes_one_token(graph, roles):
        raise import_error(
            Code.NoStaticCache, "the model takes one token at a time: it has no program for prompts", unsupported=True
        )
    span = Span(0, capacity - 1) if decodes else Span(1, capacity)
    taken = all_names(graph)
    length = fresh_name(LENGTH, taken)
    program = Program(opset, capacity, span, taken, length, roles.ids)
    program.producers = {name: node for node in graph.node for name in node.output}
    inputs = _declare(program, graph, roles, asked)
    program.tensors = {tensor.name: tensor for tensor in graph.initializer}
    for tensor in graph.initializer:
        program.give(tensor.name, constant_of(tensor))
    caches = Caches(program, {cache.past: cache for cache in roles.caches}, decodes, graph.node)
    for node in graph.node:
        try:
            _visit(program, caches, node)
        except (
            ArithmeticError,
            LookupError,
            TypeError,
            ValueError,
        ) as error:  # no checker knows the ops of onnxruntime
            reason = f"cannot be imported: {type(error).__name__}: {shortened(error)}"
            raise import_error(Code.ImportFailed, reason, where=node_where(node)) from error
    _close(inputs, program, roles)
    outputs = _outputs(program, caches, roles, asked)
    del graph.node[:], graph.input[:], graph.output[:], graph.value_info[:]
    graph.node.extend(_used(program.nodes, [value.name for value in outputs]))
    graph.input.extend(inputs)
    graph.output.extend(outputs)
    ranges = {length: list(span), roles.ids: [0, roles.words - 1]}
    return {**roles.facts(), "length": length, "kind": asked.kind, "tokens": asked.tokens, "ranges": ranges}


def _declare(program: Program, graph: GraphProto, roles: Roles, asked: ProgramRequest) -> list[ValueInfoProto]:
    """Defines the values of the model's inputs, and the inputs of the program."""
    declared = {value.name: value for value in graph.input}
    for name in (roles.ids, *(cache.past for cache in roles.caches)):
        for dim in declared[name].type.tensor_type.shape.dim[:1]:
            if dim.dim_value not in (0, asked.batch):
                raise import_error(
                    Code.InputConflict,
                    f"it is for {dim.dim_value} sequences, but --batch is {asked.batch}",
                    where=tensor_label(name),
                )
    decodes, batch = asked.kind == "decode", asked.batch
    tokens = Size(1) if decodes else Size(0, 1)
    past = Size(0, 1) if decodes else Size(0)
    total = tokens.plus(past)
    types = {name: declared[name].type.tensor_type.elem_type for name in declared}
    program.give(roles.ids, Value(roles.ids, types[roles.ids], (Size(batch), tokens)))
    inputs = [
        helper.make_tensor_value_info(roles.ids, types[roles.ids], [batch, asked.tokens]),
        helper.make_tensor_value_info(program.length, TensorProto.INT32, [batch]),
    ]
    if roles.mask:
        program.give(roles.mask, _mask(program, types[roles.mask], batch, total))
    if roles.positions:
        rows = [batch] if len(declared[roles.positions].type.tensor_type.shape.dim) == 2 else []
        program.give(roles.positions, _positions(program, types[roles.positions], rows, tokens, decodes))
    lengths = {PAST: past, TOTAL: total, LAST: total.plus(Size(-1))}
    for name, which in roles.lengths.items():
        shape = [dim.dim_value or batch for dim in declared[name].type.tensor_type.shape.dim]
        known = known_of([lengths[which]] * math.prod(shape), shape)
        program.give(name, Value("", types[name], tuple(map(Size, shape)), known))
    for cache in roles.caches:
        readers = {node.op_type for node in graph.node if cache.past in node.input}
        open_axes = (2, 3) if readers == {"GroupQueryAttention"} else (2,)
        dims = declared[cache.past].type.tensor_type.shape.dim
        if readers == {"TensorScatter"} and 0 < dims[2].dim_value < asked.max_length:
            reason = f"it has {dims[2].dim_value} positions, less than --max-length {asked.max_length}"
            raise import_error(Code.InputConflict, reason, where=tensor_label(cache.past))
        writer = f"the output {quote(cache.present)} does not append"
        shape = [
            _size(dim, batch if at == 0 else 0 if cache.grows and at in open_axes else None, cache.past, writer)
            for at, dim in enumerate(dims)
        ]
        held = [asked.max_length if cache.grows and at == 2 else size for at, size in enumerate(shape)]
        inputs.append(helper.make_tensor_value_info(cache.past, types[cache.past], held))
        sizes = [past if cache.grows and at == 2 else Size(size) for at, size in enumerate(shape)]
        program.give(cache.past, Value(cache.past, types[cache.past], tuple(sizes)))
    for name in roles.others:
        if not declared[name].type.HasField("tensor_type"):
            raise import_error(
                Code.NoStaticCache,
                "inputs other than tensors are not supported",
                where=tensor_label(name),
                unsupported=True,
            )
        dims = declared[name].type.tensor_type.shape.dim
        writer = "no output appends" if len(dims) == 4 else ""
        shape = [_size(dim, batch if at == 0 else None, name, writer) for at, dim in enumerate(dims)]
        inputs.append(helper.make_tensor_value_info(name, types[name], shape))
        program.give(name, Value(name, types[name], tuple(map(Size, shape))))
    return inputs


def _close(inputs: Sequence[ValueInfoProto], program: Program, roles: Roles) -> None:
    """Sets the head size of caches for which the model leaves it open, as determined from attention ops."""
    grown = {cache.past for cache in roles.caches if cache.grows}
    for value in inputs:
        if value.name not in grown:
            continue
        dims = value.type.tensor_type.shape.dim
        for dim, size in zip(dims[3:], program.values[value.name].shape[3:], strict=True):
            dim.dim_value = _size(dim, size.const or None, value.name)


def _size(dim: TensorShapeProto.Dimension, fallback: int | None, name: str, writer: str = "") -> int:
    """The size of a dim of the input `name`, or `fallback` if it is open. Raises OnnxImportError if that is None.
    `writer` says which output does not append to the input, empty if the input has no shape of a cache."""
    if dim.dim_value > 0:
        return int(dim.dim_value)
    if fallback is not None:
        return fallback
    whole = f", and {writer} new positions to it" if writer else ""
    hint = "give it with --dim or --input-shape"
    raise import_error(Code.InputConflict, f"a size is open{whole}", where=tensor_label(name), hint=hint)


def _mask(program: Program, dtype: int, batch: int, total: Size) -> Value:
    """1 for each position up to and including that of the token."""
    within = program.emit("Cast", [program.within(total, 2, 1)], to=dtype)
    shape = program.integers(batch, program.held(total))
    return Value(program.emit("Expand", [within, shape]), dtype, (Size(batch), total), zeros=frozenset([1]))


def _positions(program: Program, dtype: int, rows: list[int], tokens: Size, decodes: bool) -> Value:
    """The position ids, which start at the length; `rows` has the size of the batch if they have this axis."""
    shape = (*map(Size, rows), tokens)
    if decodes:
        known = known_of([Size(0, 1)] * math.prod(rows), [*rows, 1])
        made = program.emit("Reshape", [program.length, program.integers(*rows, 1)]) if rows else ""
        return Value(program.emit("Cast", [made], to=dtype) if made else "", dtype, shape, known)
    counted = program.emit("Cast", [program.positions(tokens, len(shape), len(rows))], to=dtype)
    made = program.emit("Expand", [counted, program.integers(*rows, program.held(tokens))])
    return Value(made, dtype, shape, counts=len(rows))


def constant_of(tensor: TensorProto) -> Value:
    """The value of a constant of the model, with its elements if they are few."""
    shape = tuple(map(Size, tensor.dims))
    count = int(np.prod(tensor.dims, dtype=object)) if tensor.dims else 1
    known = None
    if count <= LARGEST_KNOWN and placeholder_of(tensor) is None:
        known = _known(tensor)
    return Value(tensor.name, tensor.data_type, shape, known)


def _known(tensor: TensorProto) -> Known | None:
    array = numpy_helper.to_array(tensor)
    if array.dtype.kind not in "ibf":
        return None
    elements = [Size(each) if array.dtype.kind == "i" else each for each in array.reshape(-1).tolist()]
    return known_of(elements, array.shape)


def _visit(program: Program, caches: Caches, node: NodeProto) -> None:
    tensor = constant_value(node)
    if tensor is not None:
        program.nodes.append(node)
        value = constant_of(tensor)
        program.give(node.output[0], Value(node.output[0], value.dtype, value.shape, value.known))
        return
    parts = expanded(program, node)
    if parts:
        program.producers.update({name: part for part in parts for name in part.output})
        for part in parts:
            _visit(program, caches, part)
        return
    if any(True for _ in subgraphs(node)):
        raise program.refused(node, "control flow is not supported here")
    folded = fold(program, node)
    if folded is not None:
        program.give(node.output[0], folded)
        return
    for name in filter(None, node.input):
        _forbid_stale(program, caches, node, name)
    try:
        _rule(caches, node)(program, node)
    except Unknown as error:
        raise program.refused(node, "it depends on the length in a way that there is no rule for") from error


def _forbid_stale(program: Program, caches: Caches, node: NodeProto, name: str) -> None:
    """Raises an error if anything but its write reads the input of a cache: ops that run later would read the updated
    cache."""
    cache = caches.origin(name)
    if cache is None or not cache.grows or node.op_type in ("Concat", "Shape", "GroupQueryAttention", "TensorScatter"):
        return
    hint = "give the cache the type of the new keys and values" if node.op_type == "Cast" else ""
    raise program.refused(node, f"it reads the cache {cache.past!a} beside the node that writes to it", hint)


def _rule(caches: Caches, node: NodeProto) -> arithmetic.Rule:
    if node.domain == "com.microsoft":
        if node.op_type == "GroupQueryAttention":
            return lambda _, each: caches.group_query_attention(each)
        found = states.RULES.get(node.op_type) or indices.RULES.get(node.op_type)
        return found or arithmetic.MICROSOFT.get(node.op_type, arithmetic.anything)
    if node.op_type == "Concat":
        return lambda _, each: caches.concat(each)
    if node.op_type == "TensorScatter":
        return lambda _, each: caches.scatter(each)
    if node.op_type == "Slice":
        return sliced
    found = movement.RULES.get(node.op_type) or indices.RULES.get(node.op_type) or states.RULES.get(node.op_type)
    return found or arithmetic.RULES.get(node.op_type, arithmetic.anything)


def _outputs(program: Program, caches: Caches, roles: Roles, asked: ProgramRequest) -> list[ValueInfoProto]:
    """The logits and the caches, with their names in the model."""
    logits = _with_tokens(program, roles, asked)
    if len(logits.shape) != 3 or logits.shape[1] not in (Size(1), program.values[roles.ids].shape[1]):
        found = ", ".join(map(str, logits.shape))
        reason = f"the logits are [{found}], but have to be [batch, tokens, words] or [batch, words]"
        hint = "give --batch=1" if len(logits.shape) == 2 and asked.batch > 1 else ""
        raise import_error(Code.NoStaticCache, reason, where=tensor_label(roles.logits), unsupported=True, hint=hint)
    name = logits.name
    shape = program.held_shape(logits.shape)
    if asked.kind == "prefill" and not asked.all_logits and logits.shape[1] != Size(1):
        name, shape[1] = last_token_only(program, name, logits.shape[1]), 1
    outputs = [_named(program, name, roles.logits, logits.dtype, shape)]
    for cache in roles.caches:
        value = program.values[cache.present]
        made = caches.written.get(cache.past) if cache.grows else program.read(cache.present)
        if made is None:
            raise import_error(
                Code.NoStaticCache, "nothing is written to this cache", where=tensor_label(cache.past), unsupported=True
            )
        held = [
            asked.max_length if cache.grows and at == 2 else size
            for at, size in enumerate(program.held_shape(value.shape))
        ]
        outputs.append(_named(program, made, cache.present, value.dtype, held))
    return outputs


def _with_tokens(program: Program, roles: Roles, asked: ProgramRequest) -> Value:
    """The logits. Those of the last token, [batch, words], and those of one text, [tokens, words], get the axis that
    they lack."""
    logits = replace(program.values[roles.logits], name=program.read(roles.logits))
    if len(logits.shape) != 2:
        return logits
    rows, words = logits.shape
    if rows == Size(asked.batch):
        axis, shape = 1, (rows, Size(1), words)
    elif asked.batch == 1 and rows == program.values[roles.ids].shape[1]:
        axis, shape = 0, (Size(1), rows, words)
    else:
        return logits
    return Value(program.emit("Unsqueeze", [logits.name, program.integers(axis)]), logits.dtype, shape)


def _named(program: Program, made: str, name: str, dtype: int, shape: Sequence[int]) -> ValueInfoProto:
    """An output of the program with its name in the model."""
    if made != name:
        for node in program.nodes:  # an earlier value may have this name
            for at, each in enumerate(node.output):
                if each == name:
                    node.output[at] = inner = fresh_name(f"{name}/all", program.taken)
                    _reread(program.nodes, name, inner)
                    made = inner if made == name else made
        program.nodes.append(helper.make_node("Identity", [made], [name], name=fresh_name(name, program.taken)))
    return helper.make_tensor_value_info(name, dtype, shape)


def _reread(nodes: Sequence[NodeProto], name: str, now: str) -> None:
    for node in nodes:
        for at, each in enumerate(node.input):
            if each == name:
                node.input[at] = now


def _used(nodes: Sequence[NodeProto], outputs: Sequence[str]) -> list[NodeProto]:
    """The nodes that the outputs depend on."""
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if needed.intersection(node.output):
            needed.update(node.input)
            kept.append(node)
    return kept[::-1]
