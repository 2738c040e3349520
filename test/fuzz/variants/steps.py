"""The changes that turn a model into a variant; each changes one thing."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from onnx import AttributeProto, NodeProto, TensorProto, ValueInfoProto, helper

from fuzz.coverage import schema_at, schemas
from fuzz.variants.seeds import attribute_values
from fuzz.variants.variant import MOST_ELEMENTS, MOST_RANK, Variant, cast, copied, info, is_float, numpy_type
from fuzz.variants.versions import NEWEST, fit

_SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, -1e-39, 3.4e38, -3.4e38, 1.0, 2.0**31, 2.0**63, 65504.0, 1e-7)
_WHOLE = (0, 1, -1, 2, 7, 127, -128, 2**15, 2**24 + 1, 2**31 - 1, -(2**31), 2**31)


def _values(r: Random, variant: Variant) -> None:
    """Special values: NaN, infinities, -0.0, denormals, the extremes of integers."""
    name = r.choice(list(variant.arrays))
    array = variant.arrays[name].copy()
    pool = _extremes(array.dtype)
    if r.random() < 0.5:
        # A single kind of special value shows errors that several kinds together hide.
        pool = [r.choice(pool)]
    share = r.choice([0.1, 0.5, 1.0])
    for at in np.ndindex(array.shape):
        if r.random() < share:
            array[at] = r.choice(pool)
    variant.arrays[name] = array


def _extremes(dtype: np.dtype[Any]) -> list[Any]:
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return [value for value in (*_WHOLE, limits.min, limits.max) if limits.min <= value <= limits.max]
    if dtype.kind == "b":
        return [False, True]
    if not is_float(dtype):
        return [np.asarray(value).astype(dtype)[()] for value in (0, 1, 2, 3)]
    with np.errstate(all="ignore"):
        return [np.asarray(value).astype(dtype)[()] for value in _SPECIAL]


def _types(r: Random, variant: Variant) -> None:
    """Another element type, for all operands that must have the same one."""
    node = variant.main()
    schema = node and schema_at(variant.op, variant.domains.get(variant.op[0], variant.opset))
    if not node or not schema or not any(schema.types.values()):
        return
    variable = r.choice([name for name, written in schema.types.items() if written])
    dtype = numpy_type(r.choice(schema.types[variable]))
    for at, name in enumerate(node.input):
        if schema.formal(at)[1] == variable and name in variant.arrays:
            variant.arrays[name] = cast(variant.arrays[name], dtype)


def _sizes(r: Random, variant: Variant) -> None:
    """Replaces one size by 0, 1 or another one, wherever it occurs."""
    sizes = sorted({size for array in variant.arrays.values() for size in array.shape})
    if not sizes:
        return
    old, new = r.choice(sizes), r.choice([0, 1, 1, 2, 5])
    everywhere = r.random() < 0.8
    chosen = r.choice(list(variant.arrays))
    for name, array in variant.arrays.items():
        if everywhere or name == chosen:
            shape = tuple(new if size == old else size for size in array.shape)
            if np.prod(shape) <= MOST_ELEMENTS:
                variant.arrays[name] = np.resize(array, shape) if array.size else np.ones(shape, array.dtype)


def _ranks(r: Random, variant: Variant) -> None:
    """Adds one axis of size 1, or as many as the largest rank allows, or removes one axis; of one operand or of all."""
    at, more = r.randrange(4), r.random() < 0.7
    names = list(variant.arrays) if r.random() < 0.5 else [r.choice(list(variant.arrays))]
    times = MOST_RANK if r.random() < 0.2 else 1
    for name in names:
        for _ in range(times if more else 1):
            array = variant.arrays[name]
            if more and array.ndim < MOST_RANK:
                variant.arrays[name] = np.expand_dims(array, min(at, array.ndim))
            elif not more and array.ndim:
                variant.arrays[name] = np.asarray(array[0]) if array.shape[0] else array.reshape(0)


def _attributes(r: Random, variant: Variant) -> None:
    """Removes an attribute, changes it a little, or sets it to the value of another model of the op."""
    node = r.choice(variant.nodes)
    known = [key for key in attribute_values() if key[0] == (node.domain, node.op_type)]
    plain = [attribute for attribute in node.attribute if attribute.type in (1, 2, 7)]
    match r.randrange(4):
        case 0 if plain:
            node.attribute.remove(r.choice(plain))
        case 1 if plain:
            attribute = r.choice(plain)
            attribute.i += r.choice([-1, 1, 2])
            attribute.f *= r.choice([-1, 0, 0.5, 1e30])
            if attribute.ints:
                attribute.ints[r.randrange(len(attribute.ints))] += r.choice([-1, 1])
        case _ if known:
            key = r.choice(known)
            kept = [attribute for attribute in node.attribute if attribute.name != key[1]]
            value = r.choice(attribute_values()[key])
            if value != []:
                kept.append(helper.make_attribute(key[1], value))
            copies = [AttributeProto.FromString(attribute.SerializeToString()) for attribute in kept]
            del node.attribute[:]
            node.attribute.extend(copies)


def _opset(r: Random, variant: Variant) -> None:
    """Selects an opset at which one of the ops changed; half of the time the node is not adapted to it."""
    node = r.choice(variant.nodes)
    versions = schemas().get((node.domain, node.op_type), {})
    before = schema_at((node.domain, node.op_type), variant.opset)
    if node.domain or not versions:
        return
    variant.opset = min(r.choice(list(versions)), NEWEST)
    if before and r.random() < 0.5:
        fit(variant, node, before, versions[variant.opset])


def _constants(r: Random, variant: Variant) -> None:
    """Makes inputs constants, which are known at compile time."""
    variant.constants |= {name for name in variant.arrays if r.random() < 0.6}


def _branches(r: Random, variant: Variant) -> None:
    """Moves the nodes into an If, whose branches capture the operands; both branches use the same inner names."""
    inner = [copied(node) for node in variant.nodes]
    outputs = [ValueInfoProto(name=name) for name in variant.outputs]
    branch = helper.make_graph(inner, "branch", [], outputs)
    flag = f"condition{len(variant.arrays)}"
    variant.arrays[flag] = np.asarray(r.random() < 0.5)
    if r.random() < 0.5:
        variant.constants.add(flag)
    results = [f"{name}_{len(variant.arrays)}" for name in variant.outputs]
    variant.nodes = [helper.make_node("If", [flag], results, "if", then_branch=branch, else_branch=branch)]
    variant.outputs = results


def _loop(r: Random, variant: Variant) -> None:
    """Moves the nodes into a Loop, which stacks their results; they may be in a Loop already."""
    inner = [copied(node) for node in variant.nodes]
    count, go = f"count{len(variant.arrays)}", f"go{len(variant.arrays)}"
    inner.append(helper.make_node("Identity", [go], [f"{go}_out"]))
    inputs = [helper.make_tensor_value_info(f"{go}_i", 7, []), helper.make_tensor_value_info(go, 9, [])]
    outputs = [helper.make_tensor_value_info(f"{go}_out", 9, []), *(ValueInfoProto(name=n) for n in variant.outputs)]
    results = [f"{name}_{count}" for name in variant.outputs]
    variant.arrays[count] = np.asarray(r.randint(1, 3))
    variant.constants.add(count)
    body = helper.make_graph(inner, "body", inputs, outputs)
    variant.nodes = [helper.make_node("Loop", [count, ""], results, "loop", body=body)]
    variant.outputs = results


def _scan(r: Random, variant: Variant) -> None:
    """Moves the nodes into a Scan over one operand, with one copy for each iteration; the other operands are
    captured."""
    name = r.choice(list(variant.arrays))
    array, row = variant.arrays[name], f"{name}_row"
    if variant.opset < 9 or array.ndim >= MOST_RANK or not name or name in variant.constants:
        return
    rounds = r.randint(1, 3)
    inner = [copied(node) for node in variant.nodes]
    for node in inner:
        node.input[:] = [row if used == name else used for used in node.input]
    results = [f"{output}_scanned" for output in variant.outputs]
    outputs = [ValueInfoProto(name=output) for output in variant.outputs]
    body = helper.make_graph(inner, "rows", [info(row, array)], outputs)
    variant.arrays[name] = np.stack([array] * rounds)
    variant.nodes = [helper.make_node("Scan", [name], results, "scan", body=body, num_scan_inputs=1)]
    variant.outputs = results


def _chain(r: Random, variant: Variant) -> None:
    """Adds another node after each result, which is then no output."""
    results = []
    for output in variant.outputs:
        result = f"{output}_then"
        op, more = r.choice([("Identity", []), ("Neg", []), ("Add", [output]), ("Transpose", []), ("Max", [output])])
        variant.nodes.append(helper.make_node(op, [output, *more], [result], f"then {output}"))
        results.append(result)
    variant.outputs = results


def _shared(_: Random, variant: Variant) -> None:
    """Duplicates the main node with the same operands: both results are outputs."""
    node = variant.main()
    if node is None or not any(node is other for other in variant.nodes):
        return
    twin: NodeProto = copied(node)
    twin.output[:] = [f"{output}_again" if output else "" for output in node.output]
    variant.nodes.append(twin)
    variant.outputs += [output for output in twin.output if output]


def _wrong_hints(r: Random, variant: Variant) -> None:
    variant.wrong_hints = True
    if r.random() < 0.5:
        _chain(r, variant)


def hints(r: Random, outputs: dict[str, Any], variant: Variant) -> tuple[list[ValueInfoProto], list[ValueInfoProto]]:
    """The declared types of the outputs and of the values between nodes: the correct ones, or other shapes and
    types."""
    infos = [info(name, array) for name, array in outputs.items()]
    if not variant.wrong_hints:
        return infos, []
    for value in infos:
        _spoil(r, value)
    between = {name for node in variant.nodes for name in node.output if name} - {*outputs, *variant.outputs}
    inner = []
    for name in sorted(between):
        like = r.choice([*outputs.values()])
        value = info(name, like)
        _spoil(r, value)
        if r.random() < 0.2:
            value.type.tensor_type.elem_type = r.choice([TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL])
        inner.append(value)
    return infos, inner


def _spoil(r: Random, value: ValueInfoProto) -> None:
    shape = value.type.tensor_type.shape
    for dim in shape.dim:
        dim.dim_value = r.choice([dim.dim_value, 0, 1, 3, -1])
    if r.random() < 0.3:
        shape.dim.add(dim_value=1)


STEPS: list[Callable[[Random, Variant], None]] = [
    *[_values] * 4, _types, *[_sizes] * 3, *[_ranks] * 2, *[_attributes] * 3, _opset, *[_constants] * 2,
    _branches, _loop, _scan, _chain, _shared, _wrong_hints, _wrong_hints,
]  # fmt: skip
