"""A program of fixed shapes under construction: its nodes, and the facts about each value.

A size that depends on n, the length, is replaced by the capacity. Elements beyond the length are *padding*: arbitrary,
but finite, because divisors of 0 are replaced there. A rule either leaves padding at its positions, or excludes it from
the computation (a softmax gets minus infinity, a sum 0), or refuses the node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import AttributeProto, NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.importer.generation.sizes import Size, Span
from forge_mlir.onnx_model.errors import OnnxImportError, import_error
from forge_mlir.onnx_model.graph import fresh_name, node_where

Known = npt.NDArray[np.object_]
"""The elements of a small tensor: a `Size` for integers, otherwise a bool or float."""

LARGEST_KNOWN = 256
ALL_ZERO = -1


@dataclass(frozen=True)
class Value:
    """The facts about a value: its name in the program, and its element type and shape in the original model."""

    name: str
    dtype: int
    shape: tuple[Size, ...]
    known: Known | None = None
    zeros: frozenset[int] = frozenset()
    """Axes along which the padding is 0."""
    counts: int | None = None
    """The axis along which the elements are 0, 1, 2, ..., and equal along all others; ALL_ZERO if all are 0."""
    grid: tuple[int, ...] = ()
    """`counts` of each element of the trailing axis; empty if one of them is None."""
    by_rows: bool = False
    """Whether each element is its own row-major index."""

    @property
    def linear(self) -> bool:
        """`by_rows`, which also applies to a value that is its position along the only axis longer than 1."""
        counts = counts_of(self)
        others = [size for axis, size in enumerate(self.shape) if axis != counts]
        return self.by_rows or (counts not in (None, ALL_ZERO) and all(size == Size(1) for size in others))

    @property
    def padded(self) -> list[int]:
        """The axes whose size depends on n."""
        return [axis for axis, size in enumerate(self.shape) if size.times]


@dataclass
class Program:
    """The nodes and values so far. `capacity` replaces sizes that depend on n; `span` is the range of n; `length` is
    the input that contains n, [batch] as int32; `ids` is the input of the tokens."""

    opset: int
    capacity: int
    span: Span
    taken: set[str]
    length: str = ""
    ids: str = ""
    values: dict[str, Value] = field(default_factory=dict)
    nodes: list[NodeProto] = field(default_factory=list)
    producers: dict[str, NodeProto] = field(default_factory=dict)
    """The nodes of the model, by the names of their results."""
    tensors: Mapping[str, TensorProto] = field(default_factory=dict)
    """The initializers of the model."""
    _made: dict[tuple[Any, ...], str] = field(default_factory=dict)

    def held(self, size: Size, node: NodeProto | None = None) -> int:
        """The fixed size for `size`: the capacity, or more if the size can exceed it. Raises OnnxImportError for a
        merged axis."""
        if not size.times:
            return size.const
        if size.times != 1:
            raise self.refused(node, f"there is no rule for a size of {size} here")
        return max(self.capacity, size.at(self.span.highest))

    def held_shape(self, shape: Sequence[Size], node: NodeProto | None = None) -> list[int]:
        return [self.held(size, node) for size in shape]

    def refused(self, node: NodeProto | None, reason: str, hint: str = "") -> OnnxImportError:
        where = node_where(node) if node is not None else ""
        return import_error(Code.NoStaticCache, reason, where=where, unsupported=True, hint=hint)

    # Nodes

    def emit(self, op: str, inputs: Sequence[str], domain: str = "", **attributes: Any) -> str:
        """Adds a node and returns its first result; an equal node that exists is reused."""
        key = (op, domain, tuple(inputs), repr(sorted(attributes.items(), key=lambda item: item[0])))
        if key not in self._made:
            name = fresh_name(f"generate/{op}", self.taken)
            self.nodes.append(helper.make_node(op, inputs, [name], name=name, domain=domain, **attributes))
            self._made[key] = name
        return self._made[key]

    def constant(self, array: npt.NDArray[Any]) -> str:
        key = ("", array.dtype.str, array.shape, array.tobytes())
        if key not in self._made:
            name = fresh_name("generate/constant", self.taken)
            tensor = numpy_helper.from_array(array, name)
            self.nodes.append(helper.make_node("Constant", [], [name], name=name, value=tensor))
            self._made[key] = name
        return self._made[key]

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def copy(self, node: NodeProto, inputs: Sequence[str] | None = None, **attributes: Any) -> None:
        """Copies `node`, optionally with other operands or attributes."""
        made = NodeProto()
        made.CopyFrom(node)
        made.input[:] = inputs if inputs is not None else [self.read(name) for name in node.input]
        for name, value in attributes.items():
            kept = [each for each in made.attribute if each.name != name]
            del made.attribute[:]
            made.attribute.extend([*kept, helper.make_attribute(name, value)])
        self.nodes.append(made)

    def give(self, name: str, value: Value) -> None:
        self.values[name] = value

    def rename(self, node: NodeProto, made: str, **changes: Any) -> None:
        """Makes the value `made` the first result of `node`."""
        self.values[node.output[0]] = replace(self.values[node.output[0]], name=made, **changes)

    # Values

    def value(self, name: str) -> Value | None:
        return self.values[name] if name else None

    def read(self, name: str) -> str:
        """The name of a value of the model in the program. If only its elements are known so far, a node is created for
        it."""
        if not name:
            return ""
        value = self.values[name]
        if value.name:
            return value.name
        assert value.known is not None
        made = self.materialise(value.known, value.dtype)
        self.values[name] = replace(value, name=made)
        return made

    def materialise(self, known: Known, dtype: int) -> str:
        """Creates a value with the given elements, which may depend on n."""
        numpy_type = helper.tensor_dtype_to_np_dtype(dtype)
        flat = known.reshape(-1).tolist()
        if not any(isinstance(each, Size) and each.times for each in flat):
            elements = [each.const if isinstance(each, Size) else each for each in flat]
            return self.constant(np.array(elements, numpy_type).reshape(known.shape))
        consts = self.constant(np.array([each.const for each in flat], np.int64).reshape(known.shape))
        times = self.constant(np.array([each.times for each in flat], np.int64).reshape(known.shape))
        made = self.emit("Add", [consts, self.emit("Mul", [times, self.n()])])
        return made if dtype == TensorProto.INT64 else self.emit("Cast", [made], to=dtype)

    def n(self) -> str:
        """n as an int64 scalar; it is the same for all rows of the batch."""
        first = self.emit("Gather", [self.length, self.constant(np.array(0, np.int64))], axis=0)
        return self.emit("Cast", [first], to=TensorProto.INT64)

    def positions(self, size: Size, rank: int, axis: int) -> str:
        """0, 1, 2, ... along `axis`, up to the fixed size for `size`."""
        shape = [1] * rank
        shape[axis] = held = self.held(size)
        return self.constant(np.arange(held, dtype=np.int64).reshape(shape))

    def within(self, size: Size, rank: int, axis: int) -> str:
        """Booleans for the positions along `axis` that are below `size`."""
        limit = self.materialise(_scalar(size), TensorProto.INT64)
        return self.emit("Less", [self.positions(size, rank, axis), limit])

    def number(self, number: float, dtype: int) -> str:
        return self.constant(np.array(number, helper.tensor_dtype_to_np_dtype(dtype)))

    def without_padding(self, name: str, value: Value, axis: int, fill: str) -> str:
        """Replaces the padding of `name` along `axis` by `fill`. Both have the shape of `value`, or size 1 along some
        axes."""
        return self.emit("Where", [self.within(value.shape[axis], len(value.shape), axis), name, fill])

    def with_zeros(self, name: str, value: Value, axis: int) -> str:
        """Replaces the padding of `name` along `axis` by 0."""
        return self.without_padding(name, value, axis, self.number(0, value.dtype))


def _scalar(size: Size) -> Known:
    made = np.empty((), dtype=object)
    made[()] = size
    return made


def known_of(values: Sequence[Any], shape: Sequence[int]) -> Known:
    """Elements as an array of objects."""
    made = np.empty(len(values), dtype=object)
    for at, each in enumerate(values):
        made[at] = each
    return made.reshape(tuple(shape))


def counts_of(value: Value) -> int | None:
    """`counts`, computed from the elements if these are known."""
    if value.known is None:
        return value.counts
    elements = value.known.reshape(-1).tolist()
    if elements and all(each == Size(0) for each in elements):
        return ALL_ZERO
    for axis, size in enumerate(value.known.shape):
        if value.known.size == size and elements == [Size(at) for at in range(size)]:
            return axis
    return None


def attributes_of(node: NodeProto) -> Mapping[str, Any]:
    return {each.name: helper.get_attribute_value(each) for each in node.attribute if each.type != AttributeProto.GRAPH}
