"""Executes IR of the forge dialect at any stage of the pipeline, on the CPU reference.

An op with a Forge call is executed as that call, with the callee and arguments from ODS. Ops and types that Forge lacks
are defined here: forge.split and forge.strided_slice as in ONNX, 64-bit integers and booleans computed as Int32,
float64 as Float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from torch_mlir import ir

from forge_mlir import _native
from forge_mlir import runtime as forge
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.execute.values.torch_values import to_numpy, to_torch
from forge_mlir.onnx_model.storage.weights import WeightRef

# MLIR element type -> (type in the IR, type in the reference)
_DTYPES = {
    "f64": (torch.float64, torch.float32),
    "f32": (torch.float32, torch.float32),
    "f16": (torch.float16, torch.float16),
    "bf16": (torch.bfloat16, torch.bfloat16),
    "i1": (torch.bool, torch.int32),
    "i8": (torch.int8, torch.int32),
    "ui8": (torch.uint8, torch.int32),
    "i16": (torch.int16, torch.int32),
    "ui16": (torch.int32, torch.int32),
    "i32": (torch.int32, torch.int32),
    "ui32": (torch.int64, torch.int32),
    "i64": (torch.int64, torch.int32),
    "ui64": (torch.int64, torch.int32),
}

_FORMATS = {
    "f32": forge.DataFormat.Float32,
    "f16": forge.DataFormat.Float16,
    "bf16": forge.DataFormat.Float16_b,
    "i32": forge.DataFormat.Int32,
}


class Interpreter:
    """Runs modules of one imported model. `weights` are by the keys in the IR, `nodes` are for CPU partitions."""

    def __init__(self, weights: Mapping[str, WeightRef], nodes: OnnxNodes | None = None) -> None:
        self._weights = weights
        self._nodes = nodes

    def run(self, module: ir.Module, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs by ONNX name, in the dtypes of the IR. Raises ForgeError, naming the op, if an op cannot be
        executed."""
        functions = {_text(op.attributes["sym_name"]): op for op in module.body.operations}
        drivers = [op for op in functions.values() if _kind(op) == "driver"]
        entry = drivers[0] if drivers else next(iter(functions.values()))
        arguments = [_from_numpy(inputs[name]) for name in _names(entry, "arg_attrs")]
        with torch.no_grad():
            results = self._call(functions, entry, arguments)
        return dict(zip(_names(entry, "res_attrs"), map(_result, results), strict=True))

    def _call(self, functions: Mapping[str, Any], function: Any, arguments: Sequence[Any]) -> list[Any]:
        if _kind(function) == "cpu":
            return self._on_cpu(function, arguments)
        block = function.regions[0].blocks[0]
        values: dict[ir.Value, Any] = {}
        last = {operand: op.operation for op in block.operations for operand in op.operation.operands}
        for argument, value in zip(block.arguments, arguments, strict=True):
            values[argument] = value if _kind(function) == "driver" else _as_type(value, argument.type)
        for operation in block.operations:
            op = operation.operation
            operands = [values[operand] for operand in op.operands]
            if op.name == "func.return":
                return operands
            try:
                if op.name == "forge.run":
                    results = self._call(functions, functions[_symbol(op.attributes["callee"])], operands)
                else:
                    results = self._execute(op, operands)
                    results = [_as_type(value, result.type) for value, result in zip(results, op.results, strict=True)]
            except ForgeError:
                raise
            except Exception as error:  # the ops of the reference raise the exceptions of Forge
                raise ForgeError(
                    Code.ReferenceFailed, f"{op.name} at {op.location}: {type(error).__name__}: {error}"
                ) from error
            values.update(zip(op.results, results, strict=True))
            for value in {*op.operands, *op.results}:  # Values are freed after their last use.
                if last.get(value, op) == op:
                    del values[value]
        raise ForgeError(Code.ReferenceFailed, "a function without a return")

    def _execute(self, op: ir.Operation, operands: list[torch.Tensor]) -> list[torch.Tensor]:
        match op.name:
            case "forge.parameter":
                return [_from_numpy(self._weights[_text(op.attributes["key"])].array())]
            case "forge.constant":
                return [_constant(op.attributes["value"])]
            case "forge.split":
                return list(torch.split(operands[0], _python(op.attributes["sizes"]), _python(op.attributes["dim"])))
            case "forge.strided_slice":
                return [_strided_slice(operands[0], *(_python(op.attributes[n]) for n in _SLICE))]
            case "forge.quotient":
                return [torch.div(*operands, rounding_mode="trunc")]
            case "forge.wrap_index":
                size = _python(op.attributes["size"])
                return [torch.where(operands[0] < 0, operands[0] + size, operands[0])]
            case "forge.cast" if not {_element(op.operands[0].type), _element(op.results[0].type)} <= _FORMATS.keys():
                return operands  # The caller converts the results.
        if op.name not in _calls():
            raise ForgeError(Code.ReferenceFailed, f"{op.name} at {op.location}: the reference cannot execute it")
        callee, order, tuples = _calls()[op.name]
        tensors = [
            forge.Tensor.create_from_torch(_as_reference(value, operand.type))
            for value, operand in zip(operands, op.operands, strict=True)
        ]
        attributes = {name: _python(op.attributes[name]) for name in order if name in op.attributes}
        attributes |= {name: tuple(attributes[name]) for name in tuples if name in attributes}
        if op.name == "forge.scalar_constant":
            attributes["dtype"] = _FORMATS[_element(op.results[0].type)]
        function = getattr(forge.op, callee.removeprefix("forge.op."))
        return [function("", *tensors, **attributes).value()]

    def _on_cpu(self, function: Any, arguments: Sequence[Any]) -> list[Any]:
        """Executes a CPU partition with the nodes of the imported graph."""
        if self._nodes is None:
            raise ForgeError(Code.ReferenceFailed, "the model was imported without its graph")
        values = dict(zip(_names(function, "arg_attrs"), map(_result, arguments), strict=True))
        makers = {name: node for node in self._nodes.nodes for name in node.output if name}
        for operation in function.regions[0].blocks[0].operations:
            op = operation.operation
            if op.name != "torch.operator":
                continue
            names = [_text(name) for name in op.attributes["torch.onnx_meta.results"]]
            if _text(op.attributes["name"]) == "onnx.Constant" and any(name in makers for name in names):
                # The import has folded the node, whose operands the partition need not have.
                values.update((name, _result(_constant(op.attributes["torch.onnx.value"]))) for name in names)
                continue
            node = next((makers[name] for name in names if name in makers), None)
            if node is not None:
                values.update(self._nodes.prepare(node)(values))
        return [_from_numpy(values[name]) for name in _names(function, "res_attrs")]


_SLICE = ("axes", "begin", "end", "strides")


@cache
def _calls() -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return {op: (callee, tuple(order), tuple(tuples)) for op, callee, _, order, tuples in _native.forge_calls()}


def _strided_slice(
    value: torch.Tensor, axes: list[int], begin: list[int], end: list[int], strides: list[int]
) -> torch.Tensor:
    for axis, first, last, stride in zip(axes, begin, end, strides, strict=True):
        # Python clamps slice bounds as ONNX does.
        indices = list(range(*slice(first, last, stride).indices(value.shape[axis])))
        value = torch.index_select(value, axis, torch.tensor(indices, dtype=torch.int64))
    return value


# Types


def _element(type_: ir.Type) -> str:
    return str(ir.ShapedType(type_).element_type)


def _as_type(value: torch.Tensor, type_: ir.Type) -> torch.Tensor:
    """Converts a result to its type in the IR. Axes of size 1 may differ because the reference has no rank 0."""
    stored, _ = _DTYPES[_element(type_)]
    shape = list(ir.ShapedType(type_).shape)
    if value.numel() != int(np.prod(shape, dtype=np.int64)):
        raise ForgeError(Code.ReferenceFailed, f"a value of shape {list(value.shape)} where the IR says {shape}")
    converted = (value != 0) if stored == torch.bool else value.to(stored)
    return converted.reshape(shape)


def _as_reference(value: torch.Tensor, type_: ir.Type) -> torch.Tensor:
    _, computed = _DTYPES[_element(type_)]
    if computed == torch.int32 and value.dtype == torch.int64 and value.numel():
        low, high = int(value.min()), int(value.max())
        if low < -(2**31) or high >= 2**31:
            raise ForgeError(Code.InputRange, "a value does not fit Int32 on the device")
    return value.to(computed)


def _from_numpy(array: Any) -> torch.Tensor:
    array = np.asarray(array)
    wider = {"uint16": np.int32, "uint32": np.int64, "uint64": np.int64}.get(array.dtype.name, array.dtype)
    return to_torch(np.asarray(array, dtype=wider))


def _result(value: torch.Tensor) -> Any:
    return to_numpy(value)


# Attributes


def _constant(attribute: ir.Attribute) -> torch.Tensor:
    type_ = ir.ShapedType(attribute.type)
    element, shape = str(type_.element_type), list(type_.shape)
    if element in ("bf16", "i1"):  # numpy has no view of these
        dense = (ir.DenseFPElementsAttr if element == "bf16" else ir.DenseIntElementsAttr)(attribute)
        count = int(np.prod(shape, dtype=np.int64))
        elements = [dense.get_splat_value().value] * count if dense.is_splat else list(dense)
        return torch.tensor(elements, dtype=_DTYPES[element][0]).reshape(shape)
    return _from_numpy(np.array(ir.DenseElementsAttr(attribute))).reshape(shape)


def _python(attribute: Any) -> Any:
    """An attribute as the argument of a Forge call."""
    match attribute:
        case ir.BoolAttr() | ir.IntegerAttr() | ir.FloatAttr() | ir.StringAttr():
            return attribute.value
        case ir.DenseI64ArrayAttr():
            return list(attribute)
        case ir.TypeAttr():
            return _FORMATS[str(attribute.value)]
        case bool() | int() | float():
            return attribute
    raise ForgeError(Code.ReferenceFailed, f"attribute {attribute} is no argument of a Forge call")


def _text(attribute: Any) -> str:
    return str(ir.StringAttr(attribute).value)


def _symbol(attribute: Any) -> str:
    return str(ir.FlatSymbolRefAttr(attribute).value)


def _kind(function: Any) -> str:
    return _text(function.attributes["forge.partition"]) if "forge.partition" in function.attributes else ""


def _names(function: Any, which: str) -> list[str]:
    """The ONNX names of a function's arguments or results."""
    if which not in function.attributes:
        return []
    return [_text(ir.DictAttr(entry)["forge.onnx_name"]) for entry in ir.ArrayAttr(function.attributes[which])]
