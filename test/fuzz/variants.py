"""Variants of onnx's own node cases: nearly all ops of ONNX, with other values, types, shapes, attributes, opsets and
surroundings. What a step makes need not be valid; the oracles say whether it is."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

from fuzz.hints import RANGES
from fuzz.operands import Array

_MOST_ELEMENTS = 4096
_MOST_RANK = 6
_IR_VERSION = 10
_NEWEST = onnx.defs.onnx_opset_version()
_SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, -1e-39, 3.4e38, -3.4e38, 1.0, 2.0**31, 2.0**63, 65504.0, 1e-7)


@dataclass
class Variant:
    """A model in parts, and its inputs: names of `constants` are known when it is compiled, the others when it runs."""

    nodes: list[NodeProto]
    arrays: dict[str, Array]
    constants: set[str]
    outputs: list[str]
    opset: int
    op: str
    wrong_hints: bool = False

    def inputs(self) -> dict[str, Array]:
        return {name: array for name, array in self.arrays.items() if name not in self.constants}

    def model(self, outputs: list[ValueInfoProto] | None = None) -> ModelProto:
        """The model; without `outputs`, what its outputs are is left to whoever reads it."""
        graph = helper.make_graph(
            self.nodes,
            "variant",
            [info(name, array) for name, array in self.inputs().items()],
            outputs or [ValueInfoProto(name=name) for name in self.outputs],
            [numpy_helper.from_array(self.arrays[name], name) for name in sorted(self.constants)],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=_IR_VERSION)


def info(name: str, array: Array) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


@cache
def _seeds() -> dict[str, list[Variant]]:
    """The node cases by their first op, those with tensors alone and no random results."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        cases = sorted((case for case in collect_testcases(None) if case.model), key=lambda case: str(case.name))
    found = defaultdict(list)
    for case in cases:
        graph, values = case.model.graph, case.data_sets[0][0]
        plain = all(isinstance(value, np.ndarray) and value.dtype.kind not in "OSU" for value in values)
        versions = {entry.domain: entry.version for entry in case.model.opset_import}
        known = not case.model.functions and not graph.initializer and set(versions) == {""}
        if not plain or not known or sum(value.size for value in values) > 4 * _MOST_ELEMENTS:
            continue
        if any(node.op_type in RANGES for node in graph.node):
            continue
        arrays = dict(zip((value.name for value in graph.input), values, strict=True))
        outputs = [value.name for value in graph.output]
        op = graph.node[0].op_type
        found[op].append(Variant(list(graph.node), arrays, set(), outputs, versions[""], op))
    return dict(found)


@cache
def _attribute_values() -> dict[tuple[str, str], list[Any]]:
    """What the cases write to each attribute of each op; graphs left out."""
    seen: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for variants in _seeds().values():
        for node in (node for variant in variants for node in variant.nodes):
            for attribute in node.attribute:
                value = helper.get_attribute_value(attribute)
                if not isinstance(value, onnx.GraphProto | TensorProto):
                    seen[node.op_type, attribute.name].append(value)
    return dict(seen)


def _values(r: Random, variant: Variant) -> None:
    """NaN, infinities, -0.0, denormals, the extremes of integers."""
    name = r.choice(list(variant.arrays))
    array = variant.arrays[name].copy()
    pool = _extremes(array.dtype)
    share = r.choice([0.1, 0.5, 1.0])
    for at in np.ndindex(array.shape):
        if r.random() < share:
            array[at] = r.choice(pool)
    variant.arrays[name] = array


def _extremes(dtype: np.dtype[Any]) -> list[Any]:
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        known = (0, 1, -1, 2, 7, 127, -128, 2**15, 2**24 + 1, 2**31 - 1, -(2**31), 2**31, limits.min, limits.max)
        return [value for value in known if limits.min <= value <= limits.max]
    if dtype.kind == "b":
        return [False, True]
    try:
        with np.errstate(all="ignore"):
            return [np.asarray(value).astype(dtype)[()] for value in _SPECIAL]
    except TypeError:
        return [np.zeros((), dtype)[()]]


def _types(r: Random, variant: Variant) -> None:
    """Another element type, for all operands that must have the same one."""
    node = variant.nodes[-1]
    try:
        schema = onnx.defs.get_schema(node.op_type, min(variant.opset, _NEWEST))
    except onnx.defs.SchemaError:
        return
    constraint = r.choice(list(schema.type_constraints) or [None])
    if constraint is None:
        return
    written = r.choice(sorted(constraint.allowed_type_strs))
    if not written.startswith("tensor(") or written == "tensor(string)" or "complex" in written:
        return
    dtype = _numpy_type(written)
    for at, name in enumerate(node.input):
        formal = schema.inputs[min(at, len(schema.inputs) - 1)]
        if formal.type_str == constraint.type_param_str and name in variant.arrays:
            with np.errstate(all="ignore"):
                variant.arrays[name] = variant.arrays[name].astype(dtype)


def _numpy_type(written: str) -> np.dtype[Any]:
    name = written.removeprefix("tensor(").removesuffix(")")
    number = {"float": "FLOAT", "double": "DOUBLE"}.get(name, name.upper())
    return np.dtype(helper.tensor_dtype_to_np_dtype(TensorProto.DataType.Value(number)))


def _sizes(r: Random, variant: Variant) -> None:
    """One size becomes 0, 1 or another one, wherever it stands."""
    sizes = sorted({size for array in variant.arrays.values() for size in array.shape})
    if not sizes:
        return
    old, new = r.choice(sizes), r.choice([0, 1, 1, 2, 5])
    everywhere = r.random() < 0.8
    chosen = r.choice(list(variant.arrays))
    for name, array in variant.arrays.items():
        if everywhere or name == chosen:
            shape = tuple(new if size == old else size for size in array.shape)
            if np.prod(shape) <= _MOST_ELEMENTS:
                variant.arrays[name] = np.resize(array, shape) if array.size else np.ones(shape, array.dtype)


def _ranks(r: Random, variant: Variant) -> None:
    """A size of 1 more, or less, of one operand or of all."""
    at, more = r.randrange(4), r.random() < 0.7
    names = list(variant.arrays) if r.random() < 0.5 else [r.choice(list(variant.arrays))]
    for name in names:
        array = variant.arrays[name]
        if more and array.ndim < _MOST_RANK:
            variant.arrays[name] = np.expand_dims(array, min(at, array.ndim))
        elif not more and array.ndim:
            variant.arrays[name] = array[(0,) * (array.shape[0] > 0)] if array.shape[0] else array.reshape(0)


def _attributes(r: Random, variant: Variant) -> None:
    """An attribute goes, changes a little, or gets what another case of the op has."""
    node = r.choice(variant.nodes)
    known = [key for key in _attribute_values() if key[0] == node.op_type]
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
            value = r.choice(_attribute_values()[key])
            if value != []:
                kept.append(helper.make_attribute(key[1], value))
            copies = [onnx.AttributeProto.FromString(attribute.SerializeToString()) for attribute in kept]
            del node.attribute[:]
            node.attribute.extend(copies)


def _opset(r: Random, variant: Variant) -> None:
    """A version at which one of the ops changed."""
    op = r.choice(variant.nodes).op_type
    versions = [s.since_version for s in onnx.defs.get_all_schemas_with_history() if s.name == op and not s.domain]
    if versions:
        variant.opset = r.choice(versions)


def _constants(r: Random, variant: Variant) -> None:
    """What was an input is known when the model is compiled."""
    variant.constants |= {name for name in variant.arrays if r.random() < 0.6}


def _branches(r: Random, variant: Variant) -> None:
    """The nodes in an If, which sees their operands from outside; both branches have the same names inside."""
    inner = [NodeProto.FromString(node.SerializeToString()) for node in variant.nodes]
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
    """The nodes in a Loop, which stacks what they give."""
    inner = [NodeProto.FromString(node.SerializeToString()) for node in variant.nodes]
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


def _wrong_hints(_: Random, variant: Variant) -> None:
    variant.wrong_hints = True


STEPS: list[Callable[[Random, Variant], None]] = [
    *[_values] * 3, *[_types] * 3, *[_sizes] * 3, _ranks, *[_attributes] * 3, *[_opset] * 2, *[_constants] * 2,
    _branches, _loop, _wrong_hints,
]  # fmt: skip


def random_variant(r: Random) -> Variant | None:
    """A case of a random op, changed one to four times; None when what came out is too large, or no model at all."""
    seed = r.choice(_seeds()[r.choice(sorted(_seeds()))])
    nodes = [NodeProto.FromString(node.SerializeToString()) for node in seed.nodes]
    variant = Variant(nodes, dict(seed.arrays), set(), list(seed.outputs), seed.opset, seed.op)
    for _ in range(r.randint(1, 4)):
        if variant.arrays:
            r.choice(STEPS)(r, variant)
    small = all(array.size <= _MOST_ELEMENTS for array in variant.arrays.values())
    return variant if small and variant.outputs and all(variant.outputs) else None


def ulps(dtype: np.dtype[Any]) -> float:
    """The distance of 1 from the next number; that of float32 for float64, which the device computes in Float32."""
    return float(ml_dtypes.finfo(np.float32 if dtype == np.float64 else dtype).eps)
