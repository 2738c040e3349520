"""Functions of forge IR as Python data, which the engines of this package evaluate."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from torch_mlir import ir

Array = npt.NDArray[Any]


class NotCovered(Exception):
    """An op, type or value that an engine does not define; the message names it and its location."""


@dataclass(frozen=True)
class Type:
    """An element type, spelled as in IR, and a shape."""

    element: str
    shape: tuple[int, ...]

    @property
    def is_float(self) -> bool:
        return self.element.startswith(("f", "bf"))

    @property
    def is_integer(self) -> bool:
        return self.element.startswith(("i", "ui"))

    @property
    def bits(self) -> int:
        """The width of an integer type."""
        return int(self.element.lstrip("ui"))

    @property
    def is_unsigned(self) -> bool:
        return self.element.startswith("u")


@dataclass(frozen=True)
class Op:
    """`operands` and `results` are indices of values of the function. `attributes` are Python values; `value` has the
    elements of a constant as float64 or int64."""

    name: str
    operands: tuple[int, ...]
    operand_types: tuple[Type, ...]
    results: tuple[int, ...]
    types: tuple[Type, ...]
    attributes: dict[str, Any]
    location: str

    @property
    def type(self) -> Type:
        return self.types[0]

    def axis(self, name: str = "dim", operand: int = 0) -> int:
        """The axis in an attribute as a non-negative index for the rank of an operand."""
        return int(self.attributes[name]) % max(len(self.operand_types[operand].shape), 1)


@dataclass(frozen=True)
class Function:
    """The first values are the arguments. `kind` is the partition kind ("device", "cpu", "driver") or empty; `ranges`
    are the lowest and highest values of arguments, if the user stated them."""

    name: str
    kind: str
    arguments: tuple[Type, ...]
    ops: tuple[Op, ...]
    returned: tuple[int, ...]
    outputs: tuple[str, ...]
    ranges: dict[int, tuple[int, int]] = field(default_factory=dict)
    text: str = field(repr=False, default="")


def functions_of(module: ir.Module) -> dict[str, Function]:
    """The functions of a module that have a body, by name. Drivers and CPU partitions have no ops here."""
    return {
        _text(op.operation.attributes["sym_name"]): _function(op.operation)
        for op in module.body.operations
        if op.operation.name == "func.func" and len(op.operation.regions[0].blocks) == 1
    }


def _function(function: ir.Operation) -> Function:
    block = function.regions[0].blocks[0]
    attributes = function.attributes
    kind = _text(attributes["forge.partition"]) if "forge.partition" in attributes else ""
    name = _text(attributes["sym_name"])
    outputs = _output_names(attributes, len(list(block.operations)[-1].operation.operands))
    if kind in ("cpu", "driver"):
        return Function(name, kind, (), (), (), outputs, text=str(function))
    numbers = {value: at for at, value in enumerate(block.arguments)}
    ops, returned = list[Op](), tuple[int, ...]()
    for each in block.operations:
        op = each.operation
        if op.name == "func.return":
            returned = tuple(numbers[value] for value in op.operands)
            break
        operands = tuple(numbers[value] for value in op.operands)
        for result in op.results:
            numbers[result] = len(numbers)
        ops.append(
            Op(
                op.name,
                operands,
                tuple(_type(value.type) for value in op.operands),
                tuple(numbers[value] for value in op.results),
                tuple(_type(value.type) for value in op.results),
                {name: _python(attribute) for name, attribute in op.attributes.items()},
                str(op.location),
            )
        )
    arguments = tuple(_type(value.type) for value in block.arguments)
    return Function(name, kind, arguments, tuple(ops), returned, outputs, _ranges(attributes))


def _output_names(attributes: Any, count: int) -> tuple[str, ...]:
    """The ONNX names of the results, or their indices."""
    names = [f"result {at}" for at in range(count)]
    if "res_attrs" in attributes:
        for at, entry in enumerate(ir.ArrayAttr(attributes["res_attrs"])):
            known = ir.DictAttr(entry)
            if "forge.onnx_name" in known:
                names[at] = _text(known["forge.onnx_name"])
    return tuple(names)


def _ranges(attributes: Any) -> dict[int, tuple[int, int]]:
    found = dict[int, tuple[int, int]]()
    if "arg_attrs" in attributes:
        for at, entry in enumerate(ir.ArrayAttr(attributes["arg_attrs"])):
            known = ir.DictAttr(entry)
            if "forge.range" in known:
                low, high = known["forge.range"]
                found[at] = int(low), int(high)
    return found


def _type(type_: ir.Type) -> Type:
    try:
        shaped = ir.RankedTensorType(type_)
    except ValueError as error:
        raise NotCovered(f"the type {type_}") from error
    return Type(str(shaped.element_type), tuple(shaped.shape))


def _text(attribute: Any) -> str:
    return str(ir.StringAttr(attribute).value)


def _python(attribute: Any) -> Any:
    match attribute:
        case bool() | int() | float() | str():
            return attribute
        case ir.BoolAttr() | ir.IntegerAttr() | ir.FloatAttr() | ir.StringAttr():
            return attribute.value
        case ir.UnitAttr():
            return True
        case ir.DenseI64ArrayAttr():
            return list(attribute)
        case ir.TypeAttr():
            return str(attribute.value)
        case ir.ArrayAttr():
            return [_python(each) for each in attribute]
    return _elements(attribute) if hasattr(attribute, "is_splat") else attribute


def _elements(attribute: Any) -> Any:
    """The elements of a dense attribute as float64 or int64; the attribute itself if they cannot be represented."""
    type_ = ir.ShapedType(attribute.type)
    element, shape = str(type_.element_type), tuple(type_.shape)
    if element.startswith(("complex", "f8")):
        return attribute
    of_floats = element.startswith(("f", "bf"))
    kind = np.float64 if of_floats else np.uint64 if element == "ui64" else np.int64
    if element == "bf16":
        array = _bfloat16(str(attribute), shape)
    elif element in ("i1", "i4", "ui4"):  # types without a numpy view
        dense = ir.DenseIntElementsAttr(attribute)
        values = [dense.get_splat_value().value] if dense.is_splat else list(dense)
        array = np.resize(np.array([value % 2 if element == "i1" else value for value in values], dtype=kind), shape)
    else:
        array = np.array(ir.DenseElementsAttr(attribute)).astype(kind)
    if kind == np.uint64:
        if (array > np.iinfo(np.int64).max).any():
            return attribute
        array = array.astype(np.int64)
    return array.reshape(shape)


def _bfloat16(text: str, shape: tuple[int, ...]) -> Array:
    """The elements of `dense<...> : tensor<...xbf16>`, which torch_mlir only provides as text."""
    body = text.removeprefix("dense<").rpartition("> :")[0]
    if body.startswith('"0x'):
        halves = np.frombuffer(bytes.fromhex(body[3:-1]), dtype="<u2")
    else:
        words = re.findall(r"[^\s,\[\]]+", body)
        halves = np.array([_bits(word) for word in words], dtype=np.uint16)
    return np.resize((halves.astype(np.uint32) << 16).view(np.float32).astype(np.float64), shape)


def _bits(word: str) -> int:
    """The value of a bfloat16 in text: a decimal number, or its bits if it is not finite."""
    if word.startswith("0x"):
        return int(word, 16)
    return int(np.float32(word).view(np.uint32)) + 0x8000 >> 16
